#include "shard/worldgen/biome/multi_noise.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace horizon::worldgen {

BiomeId biome_id(std::string_view name) {
  const auto id = game::find_registry_entry("minecraft:worldgen/biome", with_namespace(name));
  if (!id || *id > 255) throw FigureError("no biome is named \"" + std::string(name) + "\"");
  return static_cast<BiomeId>(*id);
}

/// Builds the tree as the game does: groups of six by the axis that gives the least sum of extents.
struct MultiNoiseIndex::Builder {
  static constexpr std::size_t kFanOut = 6;

  struct Tree {
    Space space;
    std::int32_t leaf = kNone;
    std::vector<std::unique_ptr<Tree>> children;
  };
  using List = std::vector<std::unique_ptr<Tree>>;

  static std::unique_ptr<Tree> group(List children) {
    auto tree = std::make_unique<Tree>();
    tree->space = children[0]->space;
    for (const auto& child : children) {
      for (std::size_t d = 0; d < kDimensions; ++d) {
        tree->space[d].min = std::min(tree->space[d].min, child->space[d].min);
        tree->space[d].max = std::max(tree->space[d].max, child->space[d].max);
      }
    }
    tree->children = std::move(children);
    return tree;
  }

  static std::int32_t centre(const Tree& tree, std::size_t d) { return (tree.space[d].min + tree.space[d].max) / 2; }

  template <typename Items, typename TreeOf>
  static void sort(Items& items, std::size_t dimension, bool absolute, TreeOf tree_of) {
    std::stable_sort(items.begin(), items.end(), [&](const auto& a, const auto& b) {
      for (std::size_t i = 0; i < kDimensions; ++i) {
        const std::size_t d = (dimension + i) % kDimensions;
        std::int32_t ca = centre(tree_of(a), d), cb = centre(tree_of(b), d);
        if (absolute) {
          ca = std::abs(ca);
          cb = std::abs(cb);
        }
        if (ca != cb) return ca < cb;
      }
      return false;
    });
  }

  /// Buckets of the greatest power of six below the number of items: [first, last) of each.
  static std::vector<std::pair<std::size_t, std::size_t>> buckets(std::size_t items) {
    const auto size = static_cast<std::size_t>(
        std::pow(6.0, std::floor(std::log(static_cast<double>(items) - 0.01) / std::log(6.0))));
    std::vector<std::pair<std::size_t, std::size_t>> list;
    for (std::size_t i = 0; i < items; i += size) list.emplace_back(i, std::min(items, i + size));
    return list;
  }

  static std::unique_ptr<Tree> build(List children) {
    if (children.size() == 1) return std::move(children[0]);
    if (children.size() <= kFanOut) {
      const auto magnitude = [](const std::unique_ptr<Tree>& tree) {
        std::int64_t sum = 0;
        for (std::size_t d = 0; d < kDimensions; ++d) sum += std::abs(centre(*tree, d));
        return sum;
      };
      std::stable_sort(children.begin(), children.end(),
                       [&](const auto& a, const auto& b) { return magnitude(a) < magnitude(b); });
      return group(std::move(children));
    }
    std::int64_t least_cost = INT64_MAX;
    std::size_t best = 0;
    // Each sort starts from the order that the one before left: ties keep that order, as in the game.
    std::vector<const Tree*> order;
    for (const auto& child : children) order.push_back(child.get());
    std::vector<const Tree*> best_order;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      sort(order, d, false, [](const Tree* tree) -> const Tree& { return *tree; });
      std::int64_t cost = 0;
      for (const auto& [first, last] : buckets(order.size())) {
        Space space = order[first]->space;
        for (std::size_t i = first; i < last; ++i) {
          for (std::size_t k = 0; k < kDimensions; ++k) {
            space[k].min = std::min(space[k].min, order[i]->space[k].min);
            space[k].max = std::max(space[k].max, order[i]->space[k].max);
          }
        }
        for (const Range& range : space) cost += std::abs(range.max - range.min);
      }
      if (least_cost > cost) {
        least_cost = cost;
        best = d;
        best_order = order;
      }
    }
    std::unordered_map<const Tree*, std::unique_ptr<Tree>*> owner;
    for (auto& child : children) owner.emplace(child.get(), &child);
    List grouped;
    for (const auto& [first, last] : buckets(best_order.size())) {
      List bucket;
      for (std::size_t i = first; i < last; ++i) bucket.push_back(std::move(*owner.at(best_order[i])));
      grouped.push_back(group(std::move(bucket)));
    }
    sort(grouped, best, true, [](const std::unique_ptr<Tree>& tree) -> const Tree& { return *tree; });
    List built;
    for (auto& bucket : grouped) built.push_back(build(std::move(bucket->children)));
    return group(std::move(built));
  }
};

MultiNoiseIndex::MultiNoiseIndex(const Json& json) {
  std::vector<BiomeId> names;
  for (const Json& biome : field(json, "biomes")) names.push_back(biome_id(biome.get<std::string>()));
  Builder::List leaves;
  for (const Json& row : field(json, "points")) {
    if (!row.is_array() || row.size() != 14) throw FigureError("a biome point needs 14 numbers");
    auto leaf = std::make_unique<Builder::Tree>();
    leaf->leaf = static_cast<std::int32_t>(leaves.size());
    for (std::size_t d = 0; d < 6; ++d) {
      leaf->space[d] = {row[1 + 2 * d].get<std::int32_t>(), row[2 + 2 * d].get<std::int32_t>()};
      if (leaf->space[d].min > leaf->space[d].max) throw FigureError("a biome point's range is reversed");
    }
    leaf->space[6] = {row[13].get<std::int32_t>(), row[13].get<std::int32_t>()};
    biomes_.push_back(names.at(row[0].get<std::size_t>()));
    if (std::ranges::find(possible_, biomes_.back()) == possible_.end()) possible_.push_back(biomes_.back());
    leaves.push_back(std::move(leaf));
  }
  if (leaves.empty()) throw FigureError("a biome source without points");
  leaf_node_.resize(leaves.size());
  const std::unique_ptr<Builder::Tree> tree = Builder::build(std::move(leaves));
  // Breadth first, so that siblings stand together.
  std::vector<const Builder::Tree*> queue{tree.get()};
  nodes_.push_back({tree->space, 0, 0, tree->leaf});
  for (std::size_t i = 0; i < queue.size(); ++i) {
    nodes_[i].first_child = static_cast<std::int32_t>(nodes_.size());
    nodes_[i].children = static_cast<std::int32_t>(queue[i]->children.size());
    if (nodes_[i].leaf != kNone) leaf_node_[static_cast<std::size_t>(nodes_[i].leaf)] = static_cast<std::int32_t>(i);
    for (const auto& child : queue[i]->children) {
      queue.push_back(child.get());
      nodes_.push_back({child->space, 0, 0, child->leaf});
    }
  }
}

std::int64_t MultiNoiseIndex::distance(const Space& space, const Climate& climate) {
  std::int64_t sum = 0;
  for (std::size_t d = 0; d < 6; ++d) {
    const std::int64_t above = climate[d] - space[d].max, below = space[d].min - climate[d];
    const std::int64_t out = above > 0 ? above : std::max<std::int64_t>(below, 0);
    sum += out * out;
  }
  const std::int64_t out = -space[6].max > 0 ? -space[6].max : std::max(space[6].min, 0);
  return sum + out * out;
}

std::int32_t MultiNoiseIndex::find(const Climate& climate, std::int32_t last) const {
  std::int32_t best = last;
  std::int64_t least =
      last == kNone ? INT64_MAX : distance(nodes_[static_cast<std::size_t>(leaf_node_[static_cast<std::size_t>(last)])].space, climate);
  // Depth first over siblings in order, skipping what is not strictly nearer than the best so far.
  if (least == 0) return last;
  struct Level {
    std::int32_t next, end;
  };
  std::array<Level, 16> stack;
  std::size_t depth = 0;
  const Node& root = nodes_[0];
  if (root.leaf != kNone) return root.leaf;
  stack[0] = {root.first_child, root.first_child + root.children};
  while (true) {
    Level& level = stack[depth];
    if (level.next == level.end) {
      if (depth == 0) return best;
      --depth;
      continue;
    }
    const Node& node = nodes_[static_cast<std::size_t>(level.next++)];
    const std::int64_t d = distance(node.space, climate);
    if (least <= d) continue;
    if (node.leaf != kNone) {
      least = d;
      best = node.leaf;
    } else {
      stack[++depth] = {node.first_child, node.first_child + node.children};
    }
  }
}

}  // namespace horizon::worldgen
