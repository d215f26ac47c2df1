#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "shard/worldgen/base/random.hpp"

namespace horizon::worldgen {

/// The kinds of pieces that a structure may still grow, by weight, each as often as its limit allows.
class PieceDeck {
 public:
  using Kind = std::uint8_t;
  struct Card {
    Kind kind = 0;
    std::int32_t weight = 0;
    std::int32_t limit = 0;   ///< how often it may come; 0: always
    bool may_repeat = false;  ///< directly after itself
    std::int32_t min_depth = 0;
    std::int32_t count = 0;
  };

  explicit PieceDeck(std::vector<Card> cards) : cards_(std::move(cards)) {}

  /// When only kinds without a limit are left, the structure stops growing.
  bool is_exhausted() const {
    return std::ranges::none_of(cards_, [](const Card& card) { return card.limit > 0; });
  }

  /// Tries a few times to draw a kind that `make` finds room for; null when it did not. `last` is the kind
  /// that was made before. A kind without room passes its turn to those after it in the deck; one that is not
  /// allowed now ends the try.
  template <typename Make>
  auto draw(Random& random, std::int32_t depth, std::optional<Kind>& last, Make&& make)
      -> decltype(make(Kind{})) {
    constexpr std::int32_t kTries = 5;
    std::int32_t total = 0;
    for (const Card& card : cards_) total += card.weight;
    for (std::int32_t i = 0; i < kTries; ++i) {
      std::int32_t choice = random.next_int(total);
      for (auto card = cards_.begin(); card != cards_.end(); ++card) {
        choice -= card->weight;
        if (choice >= 0) continue;
        if (depth < card->min_depth || (last == card->kind && !card->may_repeat)) break;
        auto piece = make(card->kind);
        if (!piece) continue;
        last = card->kind;
        if (++card->count == card->limit) cards_.erase(card);
        return piece;
      }
    }
    return nullptr;
  }

 private:
  std::vector<Card> cards_;  ///< none has reached its limit
};

}  // namespace horizon::worldgen
