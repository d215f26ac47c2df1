#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "shard/worldgen/feature/feature.hpp"
#include "shard/worldgen/structure/structure.hpp"
#include "shard/worldgen/structure/template_piece.hpp"
#include "shard/worldgen/structure/template_placing.hpp"
#include "shard/worldgen/structure/templates.hpp"

namespace horizon::worldgen {

namespace {

constexpr std::string_view kEmptyName = "minecraft:empty";
constexpr std::int32_t kMaxDepth = 20;
/// How far a structure may reach, with what its terrain adaptation adds.
constexpr std::int32_t kMaxReach = 128;
constexpr std::int32_t kAdaptationEdge = 12;
constexpr std::int32_t kMaxVerticalDistance = 4064;
constexpr std::int32_t kMaxWeight = 150;
/// Pieces that stand on the ground sink by this much into it.
constexpr std::int32_t kGroundLevelDelta = 1;
/// Templates that are flatter make room for what their own jigsaws may add inside of them.
constexpr std::int32_t kFlatHeight = 16;

constexpr std::array kRotations = {Rotation::kNone, Rotation::kClockwise90, Rotation::kClockwise180,
                                   Rotation::kCounterclockwise90};

// --- Jigsaw blocks -------------------------------------------------------

/// A jigsaw block of a template.
struct Jigsaw {
  BlockPos pos;
  Direction front = Direction::kDown, top = Direction::kSouth;
  /// Joins at any turn around its front; else the tops must agree.
  bool rolls = true;
  std::string name{kEmptyName}, target{kEmptyName}, pool{kEmptyName};
  std::int32_t placement_priority = 0, selection_priority = 0;
};

/// A jigsaw block of an element that is turned and put somewhere.
struct PlacedJigsaw {
  const Jigsaw* source;
  BlockPos pos;
  Direction front, top;
};

bool can_attach(const PlacedJigsaw& from, const PlacedJigsaw& to) {
  return from.front == opposite(to.front) && (from.source->rolls || from.top == to.top) &&
         from.source->target == to.source->name;
}

std::string name_in(const nbt::Compound& data, std::string_view key) {
  const nbt::Value* value = data.find(key);
  const std::string* found = value == nullptr ? nullptr : value->get<std::string>();
  return found == nullptr ? std::string(kEmptyName) : with_namespace(*found);
}

std::int32_t int_in(const nbt::Compound& data, std::string_view key) {
  const nbt::Value* value = data.find(key);
  return value == nullptr ? 0 : static_cast<std::int32_t>(value->as_int());
}

Jigsaw read_jigsaw(const TemplateBlock& block) {
  static const PropertyId kOrientation = property_id("orientation");
  Jigsaw jigsaw;
  jigsaw.pos = block.pos;
  const std::string_view orientation = value_text(block.state, kOrientation);
  const std::size_t bar = orientation.find('_');
  jigsaw.front = parse_direction(orientation.substr(0, bar));
  jigsaw.top = parse_direction(orientation.substr(bar + 1));
  const nbt::Value* joint = block.data->find("joint");
  const std::string* kind = joint == nullptr ? nullptr : joint->get<std::string>();
  if (kind != nullptr && (*kind == "rollable" || *kind == "aligned")) {
    jigsaw.rolls = *kind == "rollable";
  } else {
    jigsaw.rolls = !is_horizontal(jigsaw.front);
  }
  jigsaw.name = name_in(*block.data, "name");
  jigsaw.target = name_in(*block.data, "target");
  jigsaw.pool = name_in(*block.data, "pool");
  jigsaw.placement_priority = int_in(*block.data, "placement_priority");
  jigsaw.selection_priority = int_in(*block.data, "selection_priority");
  return jigsaw;
}

// --- Elements of pools ---------------------------------------------------

/// Something that a jigsaw can bring. Immutable; safe from any thread. The game's empty element is a null
/// pointer.
class PoolElement {
 public:
  virtual ~PoolElement() = default;
  /// The element's jigsaw blocks with its corner at `position`, shuffled, then those of higher selection
  /// priority first.
  virtual void shuffled_jigsaws(BlockPos position, Rotation rotation, Random& random,
                                std::vector<PlacedJigsaw>& jigsaws) const = 0;
  virtual Box box(BlockPos position, Rotation rotation) const = 0;
  virtual bool place(PiecePlacing& placing, BlockPos position, Rotation rotation, bool keeps_water) const = 0;
  Projection projection() const { return projection_; }

 protected:
  explicit PoolElement(Projection projection) : projection_(projection) {}

 private:
  Projection projection_;
};
using PoolElementPtr = std::shared_ptr<const PoolElement>;

class TemplateElement : public PoolElement {
 public:
  TemplateElement(const TemplateSource& source, std::string name, Projection projection,
                  std::vector<TemplateProcessorPtr> processors, std::optional<bool> keeps_water)
      : PoolElement(projection), source_(source), name_(std::move(name)), keeps_water_(keeps_water) {
    settings_.known_shape = true;
    settings_.processors = std::move(processors);
  }

  void shuffled_jigsaws(BlockPos position, Rotation rotation, Random& random,
                        std::vector<PlacedJigsaw>& jigsaws) const override {
    jigsaws.clear();
    load();
    if (content_->palettes.empty()) return;
    for (const Jigsaw& jigsaw : jigsaws_[palette_index(*content_, position)]) {
      const BlockPos p = rotate(jigsaw.pos, rotation);
      jigsaws.push_back({&jigsaw, offset(position, p.x, p.y, p.z), rotate(jigsaw.front, rotation),
                         rotate(jigsaw.top, rotation)});
    }
    shuffle(jigsaws, random);
    std::ranges::stable_sort(jigsaws, std::ranges::greater{},
                             [](const PlacedJigsaw& j) { return j.source->selection_priority; });
  }

  Box box(BlockPos position, Rotation rotation) const override {
    load();
    return template_box(*content_, position, Mirror::kNone, rotation, {});
  }

  bool place(PiecePlacing& placing, BlockPos position, Rotation rotation, bool keeps_water) const override {
    load();
    TemplatePlacing settings = settings_;
    settings.rotation = rotation;
    settings.bounds = placing.writable;
    settings.keeps_water = keeps_water_.value_or(keeps_water);
    return place_template(placing.region, *content_, position, placing.start_pivot, settings, placing.random);
  }

 private:
  void load() const {
    std::call_once(is_loaded_, [this] {
      static const BlockId kJigsaw = block("jigsaw");
      content_ = template_or_empty(source_, name_);
      jigsaws_.resize(content_->palettes.size());
      for (std::size_t i = 0; i < jigsaws_.size(); ++i) {
        for (const TemplateBlock& b : content_->palettes[i]) {
          if (is(b.state, kJigsaw) && b.data != nullptr) jigsaws_[i].push_back(read_jigsaw(b));
        }
      }
    });
  }

  const TemplateSource& source_;
  std::string name_;
  std::optional<bool> keeps_water_;
  TemplatePlacing settings_;
  mutable std::once_flag is_loaded_;
  mutable std::shared_ptr<const Template> content_;
  mutable std::vector<std::vector<Jigsaw>> jigsaws_;  ///< by palette
};

/// A placed feature at one block, which hangs below whatever asks for it.
class FeatureElement : public PoolElement {
 public:
  FeatureElement(std::string feature, Projection projection)
      : PoolElement(projection), feature_(std::move(feature)) {
    jigsaw_.name = "minecraft:bottom";
  }
  void shuffled_jigsaws(BlockPos position, Rotation, Random&,
                        std::vector<PlacedJigsaw>& jigsaws) const override {
    jigsaws.assign(1, {&jigsaw_, position, jigsaw_.front, jigsaw_.top});
  }
  Box box(BlockPos p, Rotation) const override { return {p.x, p.y, p.z, p.x, p.y, p.z}; }
  bool place(PiecePlacing& placing, BlockPos position, Rotation, bool) const override {
    PlaceContext context{placing.region, placing.features, placing.features.generated(), nullptr};
    return placing.features.placed(feature_)->place(context, placing.random, position);
  }

 private:
  std::string feature_;
  Jigsaw jigsaw_;
};

/// Several elements at one place; the first has the jigsaws.
class ListElement : public PoolElement {
 public:
  /// REQUIRES: one of the elements is not null.
  ListElement(std::vector<PoolElementPtr> elements, Projection projection)
      : PoolElement(projection), elements_(std::move(elements)) {}
  void shuffled_jigsaws(BlockPos position, Rotation rotation, Random& random,
                        std::vector<PlacedJigsaw>& jigsaws) const override {
    jigsaws.clear();
    if (elements_[0] != nullptr) elements_[0]->shuffled_jigsaws(position, rotation, random, jigsaws);
  }
  Box box(BlockPos position, Rotation rotation) const override {
    std::optional<Box> sum;
    for (const PoolElementPtr& element : elements_) {
      if (element == nullptr) continue;
      const Box one = element->box(position, rotation);
      if (sum) {
        sum->encapsulate(one);
      } else {
        sum = one;
      }
    }
    return *sum;
  }
  bool place(PiecePlacing& placing, BlockPos position, Rotation rotation, bool keeps_water) const override {
    return std::ranges::all_of(elements_, [&](const PoolElementPtr& element) {
      return element == nullptr || element->place(placing, position, rotation, keeps_water);
    });
  }

 private:
  std::vector<PoolElementPtr> elements_;
};

Projection parse_projection(std::string_view text) {
  if (text == "terrain_matching") return Projection::kTerrainMatching;
  if (text == "rigid") return Projection::kRigid;
  throw FigureError("unknown projection \"" + std::string(text) + "\"");
}

bool parse_keeps_water(std::string_view text) {
  if (text == "apply_waterlogging") return true;
  if (text == "ignore_waterlogging") return false;
  throw FigureError("unknown liquid settings \"" + std::string(text) + "\"");
}

/// `forced`: the projection of the list that the element is in, which counts instead of its own.
PoolElementPtr parse_element(const Json& json, const Figures& figures, const TemplateSource& templates,
                             std::optional<Projection> forced) {
  const std::string_view type = without_minecraft(text(json, "element_type"));
  if (type == "empty_pool_element") return nullptr;
  const Projection projection = forced.value_or(parse_projection(text(json, "projection")));
  if (type == "feature_pool_element") {
    std::string feature = with_namespace(text(json, "feature"));
    figures.get("placed_feature", feature);
    return std::make_shared<FeatureElement>(std::move(feature), projection);
  }
  if (type == "list_pool_element") {
    std::vector<PoolElementPtr> elements;
    for (const Json& element : field(json, "elements")) {
      elements.push_back(parse_element(element, figures, templates, projection));
    }
    if (std::ranges::all_of(elements, [](const PoolElementPtr& e) { return e == nullptr; })) {
      throw FigureError("a list_pool_element has nothing in it");
    }
    return std::make_shared<ListElement>(std::move(elements), projection);
  }
  const bool is_legacy = type == "legacy_single_pool_element";
  if (!is_legacy && type != "single_pool_element") {
    throw FigureError("unknown element_type \"" + std::string(type) + "\"");
  }
  std::vector<TemplateProcessorPtr> processors;
  if (!is_legacy) processors.push_back(ignore_structure_blocks());
  processors.push_back(replace_jigsaws());
  std::ranges::move(parse_processors(field(json, "processors"), figures), std::back_inserter(processors));
  if (projection == Projection::kTerrainMatching) {
    processors.push_back(gravity(HeightKind::kWorldSurfaceWg, -kGroundLevelDelta));
  }
  if (is_legacy) processors.push_back(ignore_structure_blocks_and_air());
  std::optional<bool> keeps_water;
  if (json.contains("override_liquid_settings")) {
    keeps_water = parse_keeps_water(text(json, "override_liquid_settings"));
  }
  return std::make_shared<TemplateElement>(templates, text(json, "location"), projection,
                                           std::move(processors), keeps_water);
}

// --- Pools ---------------------------------------------------------------

class Pool {
 public:
  Pool(const Json& json, bool is_the_empty_one, const Figures& figures, const TemplateSource& templates)
      : is_the_empty_one_(is_the_empty_one) {
    for (const Json& entry : field(json, "elements")) {
      const std::int32_t weight = integer(entry, "weight");
      if (weight < 1 || weight > kMaxWeight) throw FigureError("\"weight\" must be 1 to 150");
      elements_.push_back(parse_element(field(entry, "element"), figures, templates, std::nullopt));
      choices_.insert(choices_.end(), static_cast<std::size_t>(weight), elements_.back().get());
    }
  }

  /// Each element as often as its weight; null is the empty element.
  const std::vector<const PoolElement*>& choices() const { return choices_; }
  /// Nothing to choose from, without being the pool that is meant to be so.
  bool is_broken() const { return choices_.empty() && !is_the_empty_one_; }
  const Pool& fallback() const { return *fallback_; }
  void set_fallback(const Pool* fallback) { fallback_ = fallback; }
  const PoolElement* random_element(Random& random) const {
    if (choices_.empty()) return nullptr;
    return choices_[static_cast<std::size_t>(random.next_int(static_cast<std::int32_t>(choices_.size())))];
  }
  /// Height of the highest element.
  std::int32_t max_height() const {
    std::call_once(is_measured_, [this] {
      for (const PoolElementPtr& element : elements_) {
        if (element != nullptr)
          max_height_ = std::max(max_height_, element->box({}, Rotation::kNone).y_span());
      }
    });
    return max_height_;
  }

 private:
  bool is_the_empty_one_;
  const Pool* fallback_ = this;
  std::vector<PoolElementPtr> elements_;
  std::vector<const PoolElement*> choices_;
  mutable std::once_flag is_measured_;
  mutable std::int32_t max_height_ = 0;
};

/// All template pools of the figures.
class Pools {
 public:
  Pools(const Figures& figures, const TemplateSource& templates) : figures_(figures), templates_(templates) {
    const std::vector<std::string> names = figures.names("template_pool");
    for (const std::string& name : names) {
      named(name, [&] { by_name_[name] = make(figures.get("template_pool", name), name == kEmptyName); });
    }
    for (const std::string& name : names) {
      named(name, [&] {
        by_name_[name]->set_fallback(&resolve(field(figures.get("template_pool", name), "fallback")));
      });
    }
  }

  const Pool* find(const std::string& name) const {
    const auto it = by_name_.find(name);
    return it == by_name_.end() ? nullptr : it->second.get();
  }
  /// A pool by name, or inline.
  const Pool& resolve(const Json& json) {
    if (json.is_string()) {
      const std::string name = with_namespace(json.get_ref<const std::string&>());
      if (const Pool* pool = find(name)) return *pool;
      throw FigureError("no template_pool is named \"" + name + "\"");
    }
    Pool* pool = inline_.emplace_back(make(json, false)).get();
    pool->set_fallback(&resolve(field(json, "fallback")));
    return *pool;
  }

 private:
  std::unique_ptr<Pool> make(const Json& json, bool is_the_empty_one) {
    return std::make_unique<Pool>(json, is_the_empty_one, figures_, templates_);
  }
  template <typename Body>
  static void named(const std::string& name, Body&& body) {
    try {
      body();
    } catch (const FigureError& error) {
      throw FigureError("template_pool " + name + ": " + error.what());
    }
  }

  const Figures& figures_;
  const TemplateSource& templates_;
  std::unordered_map<std::string, std::unique_ptr<Pool>> by_name_;
  std::vector<std::unique_ptr<Pool>> inline_;
};

// --- Aliases -------------------------------------------------------------

/// Names of pools that each start of a structure gives a meaning of its own.
using Aliases = std::unordered_map<std::string, std::string>;

const std::string& meaning(const Aliases& aliases, const std::string& pool) {
  const auto it = aliases.find(pool);
  return it == aliases.end() ? pool : it->second;
}

template <typename T>
struct WeightedChoice {
  std::vector<std::pair<T, std::int32_t>> options;
  std::int32_t total = 0;

  template <typename ParseData>
  static WeightedChoice parse(const Json& json, ParseData&& parse_data) {
    WeightedChoice choice;
    for (const Json& option : json) {
      const std::int32_t weight = integer(option, "weight");
      if (weight < 0) throw FigureError("\"weight\" must not be negative");
      choice.options.emplace_back(parse_data(field(option, "data")), weight);
      choice.total += weight;
    }
    if (choice.total <= 0) throw FigureError("a weighted list has no weight");
    return choice;
  }
  const T& draw(Random& random) const {
    std::int32_t drawn = random.next_int(total);
    for (const auto& [option, weight] : options) {
      drawn -= weight;
      if (drawn < 0) return option;
    }
    return options.back().first;
  }
};

class AliasBinding {
 public:
  static AliasBinding parse(const Json& json) {
    AliasBinding binding;
    const std::string_view type = type_of(json);
    if (type == "random_group") {
      binding.groups_ = WeightedChoice<std::vector<AliasBinding>>::parse(field(json, "groups"), parse_list);
      return binding;
    }
    binding.alias_ = with_namespace(text(json, "alias"));
    if (type == "direct") {
      binding.target_ = with_namespace(text(json, "target"));
    } else if (type == "random") {
      binding.targets_ = WeightedChoice<std::string>::parse(field(json, "targets"), [](const Json& name) {
        return with_namespace(name.get_ref<const std::string&>());
      });
    } else {
      throw FigureError("unknown pool alias type \"" + std::string(type) + "\"");
    }
    return binding;
  }
  static std::vector<AliasBinding> parse_list(const Json& json) {
    std::vector<AliasBinding> list;
    for (const Json& binding : json) list.push_back(parse(binding));
    return list;
  }

  void resolve(Random& random, Aliases& aliases) const {
    if (!groups_.options.empty()) {
      for (const AliasBinding& binding : groups_.draw(random)) binding.resolve(random, aliases);
    } else {
      aliases[alias_] = targets_.options.empty() ? target_ : targets_.draw(random);
    }
  }

 private:
  std::string alias_, target_;
  WeightedChoice<std::string> targets_;
  WeightedChoice<std::vector<AliasBinding>> groups_;
};

// --- Pieces --------------------------------------------------------------

class JigsawPiece : public StructurePiece {
 public:
  JigsawPiece(const PoolElement& element, BlockPos position, std::int32_t ground_level_delta,
              Rotation rotation, Box box, bool keeps_water)
      : StructurePiece(box),
        element_(element),
        position_(position),
        ground_level_delta_(ground_level_delta),
        rotation_(rotation),
        keeps_water_(keeps_water) {}

  void place(PiecePlacing& placing) const override {
    element_.place(placing, position_, rotation_, keeps_water_);
  }
  void move(std::int32_t dx, std::int32_t dy, std::int32_t dz) override {
    StructurePiece::move(dx, dy, dz);
    position_ = offset(position_, dx, dy, dz);
  }
  bool is_jigsaw() const override { return true; }
  Projection projection() const override { return element_.projection(); }
  std::int32_t ground_level_delta() const override { return ground_level_delta_; }
  const std::vector<JigsawJunction>& junctions() const override { return junctions_; }

  const PoolElement& element() const { return element_; }
  BlockPos position() const { return position_; }
  Rotation rotation() const { return rotation_; }
  void add_junction(JigsawJunction junction) { junctions_.push_back(junction); }

 private:
  const PoolElement& element_;
  BlockPos position_;
  std::int32_t ground_level_delta_;
  Rotation rotation_;
  bool keeps_water_;
  std::vector<JigsawJunction> junctions_;
};

/// Where pieces may still go: a box without those that were taken from it. The game has a voxel shape; as all
/// its boxes end at whole blocks, the questions that it is asked come to the same here.
struct FreeSpace {
  Box outer;
  std::vector<Box> taken;

  bool has_room_for(const Box& box) const {
    return box.min_x >= outer.min_x && box.max_x <= outer.max_x && box.min_y >= outer.min_y &&
           box.max_y <= outer.max_y && box.min_z >= outer.min_z && box.max_z <= outer.max_z &&
           std::ranges::none_of(taken, [&](const Box& other) { return other.intersects(box); });
  }
};

// --- The structure -------------------------------------------------------

struct JigsawRules {
  const Pools* pools = nullptr;
  std::int32_t max_depth = 0;
  bool makes_room = false;  ///< the "expansion hack"
  bool keeps_water = true;
};

/// Grows a start from its first piece: a queue of pieces whose jigsaws look for what fits.
class Assembly {
 public:
  Assembly(const JigsawRules& rules, const TerrainProbe& terrain, const Aliases& aliases, Random& random)
      : rules_(rules), terrain_(terrain), aliases_(aliases), random_(random) {}

  Pieces grow(std::shared_ptr<JigsawPiece> first, std::shared_ptr<FreeSpace> free) {
    pieces_.push_back(first);
    extend({std::move(first), std::move(free), 0});
    while (!queue_.empty()) {
      const auto highest = queue_.begin();
      const Waiting next = std::move(highest->second.front());
      highest->second.pop_front();
      if (highest->second.empty()) queue_.erase(highest);
      extend(next);
    }
    return std::move(pieces_);
  }

 private:
  struct Waiting {
    std::shared_ptr<JigsawPiece> piece;
    std::shared_ptr<FreeSpace> free;
    std::int32_t depth = 0;
  };
  /// One jigsaw of a piece that looks for its counterpart.
  struct Source {
    const Waiting& from;
    const PlacedJigsaw& jigsaw;
    BlockPos target;  ///< where the counterpart must stand
    std::shared_ptr<FreeSpace> free;
    std::optional<std::int32_t> ground;  ///< found when asked for
  };

  void extend(const Waiting& waiting) {
    const JigsawPiece& piece = *waiting.piece;
    const Box box = piece.box();
    std::shared_ptr<FreeSpace> inside;
    std::vector<PlacedJigsaw> jigsaws;
    piece.element().shuffled_jigsaws(piece.position(), piece.rotation(), random_, jigsaws);
    for (const PlacedJigsaw& jigsaw : jigsaws) {
      const Pool* pool = rules_.pools->find(meaning(aliases_, jigsaw.source->pool));
      if (pool == nullptr || pool->is_broken() || pool->fallback().is_broken()) continue;
      Source source{waiting, jigsaw, offset(jigsaw.pos, jigsaw.front), waiting.free, std::nullopt};
      if (box.contains(source.target)) {
        if (inside == nullptr) inside = std::make_shared<FreeSpace>(FreeSpace{box, {}});
        source.free = inside;
      }
      std::vector<const PoolElement*> candidates;
      if (waiting.depth != rules_.max_depth) {
        candidates = pool->choices();
        shuffle(candidates, random_);
      }
      std::vector<const PoolElement*> last_resort = pool->fallback().choices();
      shuffle(last_resort, random_);
      candidates.insert(candidates.end(), last_resort.begin(), last_resort.end());
      attach_first(source, candidates);
    }
  }

  void attach_first(Source& source, std::span<const PoolElement* const> candidates) {
    for (const PoolElement* element : candidates) {
      if (element == nullptr) return;
      auto rotations = kRotations;
      shuffle(rotations, random_);
      for (const Rotation rotation : rotations) {
        element->shuffled_jigsaws({}, rotation, random_, targets_);
        const std::int32_t room = rules_.makes_room ? room_inside(element->box({}, rotation)) : 0;
        for (const PlacedJigsaw& target : targets_) {
          if (can_attach(source.jigsaw, target) && attach(source, *element, rotation, target, room)) return;
        }
      }
    }
  }

  /// How high the pieces can be that the candidate's jigsaws will put inside of its box.
  std::int32_t room_inside(const Box& box) const {
    if (box.y_span() > kFlatHeight) return 0;
    std::int32_t most = 0;
    for (const PlacedJigsaw& jigsaw : targets_) {
      if (!box.contains(offset(jigsaw.pos, jigsaw.front))) continue;
      const Pool* pool = rules_.pools->find(meaning(aliases_, jigsaw.source->pool));
      if (pool != nullptr) most = std::max({most, pool->max_height(), pool->fallback().max_height()});
    }
    return most;
  }

  std::int32_t ground_at(Source& source) const {
    if (!source.ground) {
      source.ground =
          terrain_.first_free_height(source.jigsaw.pos.x, source.jigsaw.pos.z, HeightKind::kWorldSurfaceWg);
    }
    return *source.ground;
  }

  /// False when there is no room.
  bool attach(Source& source, const PoolElement& element, Rotation rotation, const PlacedJigsaw& target,
              std::int32_t room) {
    JigsawPiece& piece = *source.from.piece;
    const bool is_source_rigid = piece.projection() == Projection::kRigid;
    const bool is_target_rigid = element.projection() == Projection::kRigid;
    const std::int32_t source_y = piece.box().min_y;
    const std::int32_t source_local_y = source.jigsaw.pos.y - source_y;
    const std::int32_t target_local_y = target.pos.y;
    const std::int32_t delta_y = source_local_y - target_local_y + step(source.jigsaw.front).y;

    BlockPos position = offset(source.target, -target.pos.x, -target.pos.y, -target.pos.z);
    Box box = element.box(position, rotation);
    const std::int32_t target_y =
        is_source_rigid && is_target_rigid ? source_y + delta_y : ground_at(source) - target_local_y;
    const std::int32_t lift = target_y - box.min_y;
    position.y += lift;
    box = box.moved(0, lift, 0);
    if (room > 0) {
      const std::int32_t height = std::max(room + 1, box.max_y - box.min_y);
      box.encapsulate(BlockPos{box.min_x, box.min_y + height, box.min_z});
    }
    if (!source.free->has_room_for(box)) return false;
    source.free->taken.push_back(box);

    const std::int32_t source_delta = piece.ground_level_delta();
    const std::int32_t target_delta = is_target_rigid ? source_delta - delta_y : kGroundLevelDelta;
    auto made =
        std::make_shared<JigsawPiece>(element, position, target_delta, rotation, box, rules_.keeps_water);
    const std::int32_t junction_y = is_source_rigid   ? source_y + source_local_y
                                    : is_target_rigid ? target_y + target_local_y
                                                      : ground_at(source) + delta_y / 2;
    piece.add_junction({source.target.x, junction_y - source_local_y + source_delta, source.target.z, delta_y,
                        element.projection()});
    made->add_junction({source.jigsaw.pos.x, junction_y - target_local_y + target_delta, source.jigsaw.pos.z,
                        -delta_y, piece.projection()});
    pieces_.push_back(made);
    if (source.from.depth + 1 <= rules_.max_depth) {
      queue_[source.jigsaw.source->placement_priority].push_back(
          {std::move(made), source.free, source.from.depth + 1});
    }
    return true;
  }

  const JigsawRules& rules_;
  const TerrainProbe& terrain_;
  const Aliases& aliases_;
  Random& random_;
  Pieces pieces_;
  /// By placement priority, the highest first; equal ones in the order that they came.
  std::map<std::int32_t, std::deque<Waiting>, std::greater<>> queue_;
  std::vector<PlacedJigsaw> targets_;
};

class JigsawStructure : public Structure {
 public:
  /// `pools` is null without templates.
  JigsawStructure(const Json& json, std::shared_ptr<Pools> pools) : pools_(std::move(pools)) {
    rules_.pools = pools_.get();
    rules_.max_depth = integer(json, "size");
    if (rules_.max_depth < 0 || rules_.max_depth > kMaxDepth) throw FigureError("\"size\" must be 0 to 20");
    rules_.makes_room = field(json, "use_expansion_hack").get<bool>();
    if (json.contains("liquid_settings"))
      rules_.keeps_water = parse_keeps_water(text(json, "liquid_settings"));
    start_height_ = HeightProvider::parse(field(json, "start_height"));
    if (json.contains("start_jigsaw_name")) start_jigsaw_ = with_namespace(text(json, "start_jigsaw_name"));
    if (json.contains("project_start_to_heightmap")) {
      project_to_ = parse_height_kind(text(json, "project_start_to_heightmap"));
    }
    const Json& distance = field(json, "max_distance_from_center");
    if (distance.is_object()) {
      max_horizontal_ = integer(distance, "horizontal");
      max_vertical_ = int_or(distance, "vertical", kMaxVerticalDistance);
    } else {
      max_horizontal_ = max_vertical_ = integer(json, "max_distance_from_center");
    }
    if (max_horizontal_ < 1 || max_vertical_ < 1 || max_vertical_ > kMaxVerticalDistance) {
      throw FigureError("\"max_distance_from_center\" is out of range");
    }
    const bool adapts = json.contains("terrain_adaptation") && text(json, "terrain_adaptation") != "none";
    if (max_horizontal_ + (adapts ? kAdaptationEdge : 0) > kMaxReach) {
      throw FigureError("the horizontal size with the terrain adaptation must not exceed 128");
    }
    if (const auto padding = json.find("dimension_padding"); padding != json.end()) {
      const bool is_object = padding->is_object();
      padding_ = {is_object ? int_or(*padding, "bottom", 0) : integer(json, "dimension_padding"),
                  is_object ? int_or(*padding, "top", 0) : integer(json, "dimension_padding")};
      if (padding_->bottom < 0 || padding_->top < 0)
        throw FigureError("\"dimension_padding\" must not be negative");
    }
    if (json.contains("pool_aliases")) aliases_ = AliasBinding::parse_list(json["pool_aliases"]);
    const Json& start = field(json, "start_pool");
    if (start.is_string()) start_name_ = with_namespace(start.get_ref<const std::string&>());
    if (pools_ != nullptr) start_pool_ = &pools_->resolve(start);
  }

  bool needs_templates() const override { return true; }

  std::optional<GenerationPoint> find(StartContext& context) const override {
    Random& random = context.random;
    const std::int32_t start_y = start_height_.sample(random, context.terrain.generated());
    const BlockPos start{context.chunk.x * 16, start_y, context.chunk.z * 16};
    auto aliases = std::make_shared<Aliases>();
    if (!aliases_.empty()) {
      Random world = Random::legacy(context.seed);
      Random alias_random = PositionalRandom(world).at(start.x, start.y, start.z);
      for (const AliasBinding& binding : aliases_) binding.resolve(alias_random, *aliases);
    }

    const Rotation rotation = random_rotation(random);
    const Pool* pool = start_name_.empty() ? nullptr : pools_->find(meaning(*aliases, start_name_));
    if (pool == nullptr) pool = start_pool_;
    const PoolElement* element = pool->random_element(random);
    if (element == nullptr) return std::nullopt;
    BlockPos anchor = start;
    if (start_jigsaw_) {
      std::vector<PlacedJigsaw> jigsaws;
      element->shuffled_jigsaws(start, rotation, random, jigsaws);
      const auto named =
          std::ranges::find(jigsaws, *start_jigsaw_, [](const PlacedJigsaw& j) { return j.source->name; });
      if (named == jigsaws.end()) return std::nullopt;
      anchor = named->pos;
    }
    // The anchor, not the corner, comes to the chosen place.
    const BlockPos to_anchor{anchor.x - start.x, anchor.y - start.y, anchor.z - start.z};
    const BlockPos position = offset(start, -to_anchor.x, -to_anchor.y, -to_anchor.z);
    auto piece = std::make_shared<JigsawPiece>(*element, position, kGroundLevelDelta, rotation,
                                               element->box(position, rotation), rules_.keeps_water);
    const std::int32_t x = (piece->box().max_x + piece->box().min_x) / 2;
    const std::int32_t z = (piece->box().max_z + piece->box().min_z) / 2;
    const std::int32_t bottom =
        project_to_ ? start.y + context.terrain.first_free_height(x, z, *project_to_) : position.y;
    piece->move(0, bottom - (piece->box().min_y + piece->ground_level_delta()), 0);
    const Heights heights = context.terrain.heights();
    const Padding padding = padding_.value_or(Padding{});
    if (padding_ && (piece->box().min_y < heights.min_y + padding.bottom ||
                     piece->box().max_y > heights.max_y() - padding.top)) {
      return std::nullopt;
    }
    const BlockPos centre{x, bottom + to_anchor.y, z};

    // Of the two ends of an axis the game takes the lower as the minimum, whichever is which.
    const auto [low, high] =
        std::minmax({std::max(centre.y - max_vertical_, heights.min_y + padding.bottom),
                     std::min(centre.y + max_vertical_ + 1, heights.max_y() + 1 - padding.top)});
    auto free = std::make_shared<FreeSpace>();
    free->outer = {x - max_horizontal_, low,      z - max_horizontal_,
                   x + max_horizontal_, high - 1, z + max_horizontal_};
    free->taken.push_back(piece->box());
    return GenerationPoint{centre, [this, &terrain = context.terrain, aliases, piece, free](Random& r) {
                             if (rules_.max_depth == 0) return Pieces();
                             return Assembly(rules_, terrain, *aliases, r).grow(piece, free);
                           }};
  }

 private:
  struct Padding {
    std::int32_t bottom = 0, top = 0;
  };

  std::shared_ptr<Pools> pools_;
  const Pool* start_pool_ = nullptr;
  std::string start_name_;  ///< empty when the pool is inline
  JigsawRules rules_;
  HeightProvider start_height_;
  std::optional<std::string> start_jigsaw_;
  std::optional<HeightKind> project_to_;
  std::int32_t max_horizontal_ = 0, max_vertical_ = 0;
  std::optional<Padding> padding_;  ///< without it, the first piece may leave the world's height
  std::vector<AliasBinding> aliases_;
};

}  // namespace

void add_jigsaw(StructureFactories& factories) {
  // The structures of one loader share its pools.
  auto pools = std::make_shared<std::shared_ptr<Pools>>();
  factories["jigsaw"] = [pools](const Json& json,
                                const StructureLoader& loader) -> std::shared_ptr<Structure> {
    if (*pools == nullptr && loader.templates != nullptr) {
      *pools = std::make_shared<Pools>(loader.figures, *loader.templates);
    }
    return std::make_shared<JigsawStructure>(json, *pools);
  };
}

}  // namespace horizon::worldgen
