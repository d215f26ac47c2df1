#include "shard/border/handoff.hpp"

#include <gtest/gtest.h>

namespace horizon::shard {
namespace {

using Decision = HandoffBook::Decision;
constexpr Uuid kSteve{1, 2};
constexpr Uuid kAlex{3, 4};
constexpr ShardId kEast = 1;
constexpr ShardId kWest = 2;

class HandoffOfSteve : public testing::Test {
 protected:
  void SetUp() override { book_.hold(kSteve, 1); }
  HandoffBook book_;
};

TEST_F(HandoffOfSteve, AnOfferFreezesUnderTheNextHop) {
  EXPECT_FALSE(book_.is_frozen(kSteve));
  EXPECT_EQ(book_.offer(kSteve, kEast), 2U);
  EXPECT_TRUE(book_.is_frozen(kSteve));
  EXPECT_EQ(book_.target(kSteve), kEast);
}

TEST_F(HandoffOfSteve, AcceptForgets) {
  const Epoch hop = book_.offer(kSteve, kEast);
  EXPECT_TRUE(book_.on_accept(kSteve, hop));
  EXPECT_FALSE(book_.is_frozen(kSteve));
  EXPECT_TRUE(book_.unanswered(kEast).empty());
}

TEST_F(HandoffOfSteve, RefuseThaws) {
  const Epoch hop = book_.offer(kSteve, kEast);
  EXPECT_TRUE(book_.on_refuse(kSteve, hop));
  EXPECT_FALSE(book_.is_frozen(kSteve));
  EXPECT_EQ(book_.target(kSteve), std::nullopt);
}

TEST_F(HandoffOfSteve, ARepeatedAnswerDoesNothing) {
  const Epoch hop = book_.offer(kSteve, kEast);
  EXPECT_TRUE(book_.on_accept(kSteve, hop));
  EXPECT_FALSE(book_.on_accept(kSteve, hop));
  EXPECT_FALSE(book_.on_refuse(kSteve, hop));
}

TEST_F(HandoffOfSteve, AThawedGroupMovesLaterUnderAHigherHop) {
  const Epoch first = book_.offer(kSteve, kEast);
  ASSERT_TRUE(book_.on_refuse(kSteve, first));
  const Epoch second = book_.offer(kSteve, kEast);
  EXPECT_GT(second, first);
  EXPECT_FALSE(book_.on_accept(kSteve, first)) << "an answer to the first offer";
  EXPECT_TRUE(book_.is_frozen(kSteve));
  EXPECT_TRUE(book_.on_accept(kSteve, second));
}

TEST_F(HandoffOfSteve, ALostLinkLeavesItFrozenAndAskedAbout) {
  book_.hold(kAlex, 5);
  book_.offer(kAlex, kWest);
  const Epoch hop = book_.offer(kSteve, kEast);
  const auto pending = book_.unanswered(kEast);
  ASSERT_EQ(pending.size(), 1U);
  EXPECT_EQ(pending[0].entity, kSteve);
  EXPECT_EQ(pending[0].hop, hop);
}

TEST_F(HandoffOfSteve, ARestartOfThePeerThawsWhatWasOnTheWayToItAlone) {
  book_.hold(kAlex, 5);
  book_.offer(kAlex, kWest);
  const Epoch hop = book_.offer(kSteve, kEast);
  EXPECT_EQ(book_.peer_lost_all(kEast), std::vector<Uuid>{kSteve});
  EXPECT_FALSE(book_.is_frozen(kSteve));
  EXPECT_TRUE(book_.is_frozen(kAlex));
  EXPECT_FALSE(book_.on_accept(kSteve, hop)) << "said before the restart";
}

TEST_F(HandoffOfSteve, WhoComesBackIsNoLongerFrozen) {
  const Epoch hop = book_.offer(kSteve, kEast);
  EXPECT_EQ(book_.on_offer(kSteve, hop + 1), Decision::kTake);
  EXPECT_FALSE(book_.is_frozen(kSteve));
  EXPECT_EQ(book_.held(kSteve), hop + 1);
}

TEST(Handoff, TheFirstOfferIsTakenAndARepetitionIsKnown) {
  HandoffBook book;
  EXPECT_EQ(book.held(kSteve), std::nullopt);
  EXPECT_EQ(book.on_offer(kSteve, 2), Decision::kTake);
  EXPECT_EQ(book.held(kSteve), Epoch{2});
  EXPECT_EQ(book.on_offer(kSteve, 2), Decision::kKnown);
}

TEST(Handoff, AStaleHopIsRefused) {
  HandoffBook book;
  book.hold(kSteve, 7);
  EXPECT_EQ(book.on_offer(kSteve, 6), Decision::kRefused);
  EXPECT_EQ(book.held(kSteve), Epoch{7});
}

TEST(Handoff, ANoForbidsALateOfferOfThatHopAndNotOfTheNext) {
  HandoffBook book;
  EXPECT_FALSE(book.on_query(kSteve, 3));
  EXPECT_EQ(book.held(kSteve), std::nullopt);
  EXPECT_EQ(book.on_offer(kSteve, 3), Decision::kRefused);
  EXPECT_EQ(book.on_offer(kSteve, 4), Decision::kTake);
}

TEST(Handoff, AYesIsSaidEvenAfterItWasHandedOn) {
  HandoffBook book;
  ASSERT_EQ(book.on_offer(kSteve, 2), Decision::kTake);
  const Epoch next = book.offer(kSteve, kWest);
  ASSERT_TRUE(book.on_accept(kSteve, next));
  EXPECT_TRUE(book.on_query(kSteve, 2));
}

TEST(Handoff, WhoHasLeftIsStillKnownToHaveBeenHere) {
  HandoffBook book;
  ASSERT_EQ(book.on_offer(kSteve, 2), Decision::kTake);
  book.release(kSteve);
  EXPECT_TRUE(book.on_query(kSteve, 2));
  EXPECT_EQ(book.on_offer(kSteve, 2), Decision::kKnown) << "and does not come back by a repetition";
}

}  // namespace
}  // namespace horizon::shard
