#include "proxy/view/chunk_pacer.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace horizon::proxy {
namespace {

TEST(ChunkPacer, SendsOneBatchUntilTheFirstAcknowledgementAndTenAfterIt) {
  ChunkPacer pacer;
  EXPECT_EQ(pacer.quota(), 9U);
  pacer.sent(9);
  EXPECT_EQ(pacer.quota(), 0U);
  pacer.acknowledge(20);
  for (int batch = 0; batch < 10; ++batch) {
    const std::size_t quota = pacer.quota();
    ASSERT_GT(quota, 0U) << batch;
    pacer.sent(quota);
  }
  EXPECT_EQ(pacer.quota(), 0U);
  pacer.acknowledge(20);
  EXPECT_GT(pacer.quota(), 0U);
}

TEST(ChunkPacer, NeverSendsMoreATickThanTheClientWants) {
  ChunkPacer pacer;
  pacer.acknowledge(3.5F);
  std::size_t sent = 0;
  for (int tick = 0; tick < 100; ++tick) {
    const std::size_t quota = pacer.quota();
    EXPECT_LE(quota, 4U);
    pacer.sent(quota);
    pacer.acknowledge(3.5F);
    sent += quota;
  }
  EXPECT_LE(sent, 400U);
}

TEST(ChunkPacer, TakesNonsenseForTheLeastAndTheMostForSixtyFour) {
  ChunkPacer slow;
  slow.acknowledge(std::nanf(""));
  EXPECT_LE(slow.quota(), 1U);
  ChunkPacer fast;
  fast.acknowledge(1.0e9F);
  EXPECT_LE(fast.quota(), 64U);
}

}  // namespace
}  // namespace horizon::proxy
