//===- ForeignMapping.cpp - Mappings of other tools -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/ForeignMapping.h"
#include "fadiff/Schedule/Schedule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

#include <algorithm>
#include <vector>

using namespace fadiff;
using llvm::StringRef;
using llvm::Twine;
namespace yaml = llvm::yaml;

namespace {

/// A file's node with all below it.
struct Node {
  enum class Kind { Null, Scalar, Sequence, Map } kind = Kind::Null;
  std::string text; ///< of a scalar
  std::vector<std::pair<Node, Node>> entries;
  std::vector<Node> elements;
  llvm::SMLoc place;

  const Node *find(StringRef key) const {
    for (const auto &[name, value] : entries)
      if (name.text == key)
        return &value;
    return nullptr;
  }
};

/// LLVM's parser recurses as deep as brackets nest.
constexpr unsigned kMostNesting = 16;
constexpr size_t kMostBytes = 1 << 20;

class Document {
public:
  Document(StringRef text, StringRef file) : file(file.str()), text(text) {}

  /// Reads the first document of the file.
  llvm::Expected<Node> read();

  llvm::Error fail(llvm::SMLoc place, const Twine &message) const {
    // The stream's own manager is gone by now.
    const char *at = place.getPointer();
    const StringRef before = at >= text.begin() && at <= text.end()
                                 ? text.take_front(size_t(at - text.begin()))
                                 : StringRef();
    const size_t line = before.count('\n') + 1;
    const size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    return llvm::createStringError(llvm::formatv(
        "{0}:{1}:{2}: error: {3}", file, line, column, message.str()));
  }
  llvm::Error fail(const Node &node, const Twine &message) const {
    return fail(node.place, message);
  }

private:
  llvm::Error convert(yaml::Node *from, unsigned depth, Node &to);

  const std::string file;
  const StringRef text;
};

/// One loop, or factor, of a file.
struct Factor {
  Dim dim;
  int64_t trips;
};

class Reader {
public:
  Reader(const Document &document, const Layer &layer,
         const Accelerator &target)
      : document(document), layer(layer), target(target) {}

  llvm::Error readTimeloop(const Node &list);
  llvm::Error readZigzag(const Node &entry);

  Mapping mapping;

private:
  llvm::Error directive(const Node &node);
  llvm::Expected<Level> levelOf(const Node &node) const;
  llvm::Error order(const Node &node, Level level);
  llvm::Error factors(const Node &node, std::vector<Factor> &found) const;
  llvm::Error bypass(const Node &node, Level level) const;
  llvm::Error spatial(const Node &node, Factor factor);
  llvm::Expected<Factor> zigzagLoop(const Node &node) const;
  bool fits() const;
  /// The extent that no factor of the dim covers yet.
  int64_t rest(Dim dim) const;

  const Document &document;
  const Layer &layer;
  const Accelerator &target;
};
} // namespace

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

llvm::Expected<Node> Document::read() {
  if (text.size() > kMostBytes)
    return fail(llvm::SMLoc(), llvm::formatv("wanted at most {0} bytes, found "
                                             "{1}",
                                             kMostBytes, text.size()));
  int64_t open = 0;
  for (const char &c : text) {
    open += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (open > kMostNesting)
      return fail(llvm::SMLoc::getFromPointer(&c),
                  llvm::formatv("wanted at most {0} brackets within each "
                                "other, found more",
                                kMostNesting));
  }
  llvm::SourceMgr sources;
  struct First {
    std::string message;
    llvm::SMLoc place;
  } first;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *context) {
        auto &first = *static_cast<First *>(context);
        if (first.message.empty())
          first = {diagnostic.getMessage().str(), diagnostic.getLoc()};
      },
      &first);
  yaml::Stream stream(llvm::MemoryBufferRef(text, file), sources,
                      /*ShowColors=*/false);
  Node root;
  auto document = stream.begin();
  yaml::Node *node = document == stream.end() ? nullptr : document->getRoot();
  llvm::Error error = node ? convert(node, 0, root) : llvm::Error::success();
  if (stream.failed() || !first.message.empty()) {
    llvm::consumeError(std::move(error));
    return fail(first.place, "wanted YAML: " + first.message);
  }
  if (error)
    return std::move(error);
  return root;
}

llvm::Error Document::convert(yaml::Node *from, unsigned depth, Node &to) {
  to.place = from->getSourceRange().Start;
  if (depth > kMostNesting)
    return fail(to, llvm::formatv("wanted at most {0} levels within each "
                                  "other, found more",
                                  kMostNesting));
  llvm::SmallString<64> storage;
  if (auto *scalar = llvm::dyn_cast<yaml::ScalarNode>(from)) {
    to.kind = Node::Kind::Scalar;
    to.text = scalar->getValue(storage).trim().str();
  } else if (auto *sequence = llvm::dyn_cast<yaml::SequenceNode>(from)) {
    to.kind = Node::Kind::Sequence;
    for (yaml::Node &element : *sequence) {
      Node converted;
      if (llvm::Error error = convert(&element, depth + 1, converted))
        return error;
      to.elements.push_back(std::move(converted));
    }
  } else if (auto *map = llvm::dyn_cast<yaml::MappingNode>(from)) {
    to.kind = Node::Kind::Map;
    for (yaml::KeyValueNode &entry : *map) {
      Node key, value;
      if (!entry.getKey() || !entry.getValue())
        break; // the parser has complained
      if (llvm::Error error = convert(entry.getKey(), depth + 1, key))
        return error;
      if (llvm::Error error = convert(entry.getValue(), depth + 1, value))
        return error;
      if (to.find(key.text))
        return fail(key,
                    "wanted each key once, found a second '" + key.text + "'");
      to.entries.emplace_back(std::move(key), std::move(value));
    }
  } else if (!llvm::isa<yaml::NullNode>(from)) {
    return fail(to, "wanted plain YAML, found an anchor or an alias");
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Timeloop
//===----------------------------------------------------------------------===//

/// The words of a scalar, or the scalars of a list.
static std::vector<Node> wordsOf(const Node &node) {
  std::vector<Node> words;
  if (node.kind == Node::Kind::Sequence)
    return node.elements;
  StringRef rest = node.text;
  while (!rest.empty()) {
    rest = rest.ltrim(" ,\t");
    const StringRef word = rest.take_until(
        [](char c) { return c == ' ' || c == ',' || c == '\t'; });
    rest = rest.drop_front(word.size());
    if (word.empty())
      continue;
    Node each = node;
    each.text = word.str();
    words.push_back(std::move(each));
  }
  return words;
}

/// M is what is called K here; the others are called the same.
static std::optional<Dim> timeloopDim(char name) {
  return parseDim(std::string(1, name == 'M' ? 'K' : name));
}

/// The extents that a mapping may give a dim: at most this.
static bool isExtent(int64_t trips) { return trips >= 0 && trips <= kMaxBound; }

int64_t Reader::rest(Dim dim) const {
  int64_t covered = mapping.spatial(layer, dim);
  for (Level level : kAllLevels)
    covered *= mapping.temporal[level][dim];
  return (layer.dims[dim] + covered - 1) / covered;
}

llvm::Error Reader::factors(const Node &node,
                            std::vector<Factor> &found) const {
  for (const Node &word : wordsOf(node)) {
    StringRef text = word.text;
    const std::optional<Dim> dim =
        text.empty() ? std::nullopt : timeloopDim(text.front());
    text = text.drop_front(text.empty() ? 0 : 1);
    text.consume_front("=");
    int64_t trips;
    if (!dim || text.getAsInteger(10, trips) || !isExtent(trips))
      return document.fail(word,
                           "factors: wanted N, G, M (or K), C, P, Q, R or S "
                           "with a number, such as C=4, found '" +
                               word.text + "'");
    if (llvm::any_of(found, [&](const Factor &f) { return f.dim == *dim; }))
      return document.fail(word, "factors: wanted each dimension once, found "
                                 "a second '" +
                                     word.text + "'");
    found.push_back({*dim, trips});
  }
  return llvm::Error::success();
}

llvm::Expected<Level> Reader::levelOf(const Node &node) const {
  const std::string name = StringRef(node.text).lower();
  auto isOne = [&](std::initializer_list<StringRef> names) {
    return llvm::is_contained(names, name);
  };
  if (isOne({"dram", "mainmemory", "main_memory", "offchip"}))
    return Level::Dram;
  if (isOne({"scratchpad", "spad", "globalbuffer", "global_buffer", "l2"}))
    return Level::Scratchpad;
  if (isOne({"accumulator", "accumulatorbuffer", "accumulator_buffer", "acc",
             "l1"}))
    return Level::Accumulator;
  if (isOne({"registers", "register", "registerfile", "reg", "pe_registers",
             "l0"}))
    return Level::Registers;
  return document.fail(node, "target: wanted DRAM, Scratchpad (or "
                             "GlobalBuffer), Accumulator or Registers, found "
                             "'" +
                                 node.text + "'");
}

llvm::Error Reader::order(const Node &node, Level level) {
  // One word per dimension, or all in one.
  std::vector<Node> words = wordsOf(node);
  if (words.size() == 1 && words.front().text.size() > 1) {
    const Node all = words.front();
    words.clear();
    for (char name : all.text) {
      Node each = all;
      each.text = std::string(1, name);
      words.push_back(std::move(each));
    }
  }
  LoopOrder order;
  size_t count = 0;
  for (const Node &word : words) {
    const std::optional<Dim> dim =
        word.text.size() == 1 ? timeloopDim(word.text.front()) : std::nullopt;
    if (!dim || std::find(order.begin(), order.begin() + count, *dim) !=
                    order.begin() + count)
      return document.fail(word, "permutation: wanted each of N, G, M (or K), "
                                 "C, P, Q, R and S at most once, found '" +
                                     word.text + "'");
    order[count++] = *dim;
  }
  // What is not named has one trip, and no place.
  for (Dim dim : kAllDims)
    if (std::find(order.begin(), order.begin() + count, dim) ==
        order.begin() + count)
      order[count++] = dim;
  mapping.order[level] = order;
  return llvm::Error::success();
}

llvm::Error Reader::spatial(const Node &node, Factor factor) {
  if (factor.trips == 1)
    return llvm::Error::success();
  const Dim columns = layer.isDepthwise() ? Dim::G : Dim::K;
  int64_t *side = factor.dim == columns  ? &mapping.cols
                  : factor.dim == Dim::C ? &mapping.rows
                                         : nullptr;
  if (!side)
    return document.fail(
        node, llvm::formatv("the array has columns for {0} and rows for C of "
                            "layer '{1}'; wanted no other spatial factor, "
                            "found {2}={3}",
                            dimName(columns), layer.name, dimName(factor.dim),
                            factor.trips)
                  .str());
  if (*side != 1)
    return document.fail(
        node, llvm::formatv("wanted one spatial factor of {0}, found two",
                            dimName(factor.dim))
                  .str());
  *side = factor.trips;
  return llvm::Error::success();
}

/// Which tensors the level keeps is the machine's.
llvm::Error Reader::bypass(const Node &node, Level level) const {
  struct Kept {
    StringRef name;
    bool isKept;
  };
  const bool all = level == Level::Dram;
  const Kept tensors[] = {{"Weights", all || level == Level::Scratchpad ||
                                          level == Level::Registers},
                          {"Inputs", all || level == Level::Scratchpad},
                          {"Outputs", all || level == Level::Accumulator}};
  for (bool keeps : {true, false})
    if (const Node *list = node.find(keeps ? "keep" : "bypass"))
      for (const Node &word : wordsOf(*list)) {
        const Kept *tensor = llvm::find_if(
            tensors, [&](const Kept &each) { return each.name == word.text; });
        if (tensor == std::end(tensors))
          return document.fail(word, "wanted Weights, Inputs or Outputs, "
                                     "found '" +
                                         word.text + "'");
        if (tensor->isKept != keeps)
          return document.fail(
              word,
              llvm::formatv("the {0} {1} {2} on this machine; wanted "
                            "what it does, found the opposite",
                            levelName(level),
                            tensor->isKept ? "keeps" : "bypasses", tensor->name)
                  .str());
      }
  return llvm::Error::success();
}

llvm::Error Reader::directive(const Node &node) {
  const Node *where = node.find("target"), *type = node.find("type");
  if (!where || !type)
    return document.fail(node, "wanted a directive with 'target' and 'type', "
                               "found none of these");
  llvm::Expected<Level> level = levelOf(*where);
  if (!level)
    return level.takeError();
  if (type->text == "bypass" || type->text == "datatype" ||
      type->text == "dataspace")
    return bypass(node, *level);
  const bool isSpatial = type->text == "spatial";
  if (!isSpatial && type->text != "temporal")
    return document.fail(*type, "type: wanted temporal, spatial or bypass, "
                                "found '" +
                                    type->text + "'");
  for (const auto &[key, value] : node.entries)
    if (!llvm::is_contained(
            {"target", "type", "factors", "permutation", "split", "name"},
            StringRef(key.text)))
      return document.fail(key, "wanted target, type, factors, permutation or "
                                "split, found '" +
                                    key.text + "'");
  std::vector<Factor> found;
  if (const Node *list = node.find("factors"))
    if (llvm::Error error = factors(*list, found))
      return error;
  for (Factor factor : found) {
    // Timeloop's 0 is all that is left.
    if (factor.trips == 0)
      factor.trips = rest(factor.dim);
    if (isSpatial) {
      if (llvm::Error error = spatial(*node.find("factors"), factor))
        return error;
    } else {
      int64_t &trips = mapping.temporal[*level][factor.dim];
      if (trips != 1)
        return document.fail(node,
                             llvm::formatv("wanted one temporal directive for "
                                           "the {0}, found two",
                                           levelName(*level))
                                 .str());
      trips = factor.trips;
    }
  }
  const Node *permutation = node.find("permutation");
  if (isSpatial || !permutation)
    return llvm::Error::success();
  return order(*permutation, *level);
}

llvm::Error Reader::readTimeloop(const Node &list) {
  if (list.kind != Node::Kind::Sequence || list.elements.empty())
    return document.fail(list, "mapping: wanted a list of directives, found "
                               "none");
  // What is left of a dim is known behind all other factors.
  std::vector<const Node *> last;
  for (const Node &node : list.elements) {
    const Node *own = node.find("factors");
    std::vector<Factor> found;
    if (own)
      if (llvm::Error error = factors(*own, found))
        return error;
    if (llvm::any_of(found, [](const Factor &f) { return f.trips == 0; }))
      last.push_back(&node);
    else if (llvm::Error error = directive(node))
      return error;
  }
  for (const Node *node : last)
    if (llvm::Error error = directive(*node))
      return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// ZigZag
//===----------------------------------------------------------------------===//

llvm::Expected<Factor> Reader::zigzagLoop(const Node &node) const {
  static constexpr std::pair<StringRef, Dim> kNames[] = {
      {"B", Dim::N},  {"G", Dim::G},  {"K", Dim::K},  {"C", Dim::C},
      {"OY", Dim::P}, {"OX", Dim::Q}, {"FY", Dim::R}, {"FX", Dim::S}};
  const std::vector<Node> words = wordsOf(node);
  if (words.size() == 2)
    for (auto [name, dim] : kNames) {
      Factor factor{dim, 0};
      if (name == words[0].text &&
          !StringRef(words[1].text).getAsInteger(10, factor.trips) &&
          factor.trips > 0 && isExtent(factor.trips))
        return factor;
    }
  return document.fail(node,
                       "wanted a loop of B, G, K, C, OY, OX, FY or FX "
                       "with a number, such as [C, 4], found " +
                           (node.text.empty() ? std::string("another list")
                                              : "'" + node.text + "'"));
}

/// Whether tiles so far fit the memories.
bool Reader::fits() const {
  const Footprint rows = footprint(layer, mapping);
  return rows.inputRows + rows.weightRows <= target.scratchpadRows() &&
         rows.outputRows <= target.accumulatorRows();
}

llvm::Error Reader::readZigzag(const Node &entry) {
  if (const Node *unrolled = entry.find("spatial_mapping"))
    for (const auto &[side, list] : unrolled->entries)
      for (const Node &element : list.elements) {
        llvm::Expected<Factor> factor = zigzagLoop(element);
        if (!factor)
          return factor.takeError();
        if (llvm::Error error = spatial(element, *factor))
          return error;
      }
  const Node *loops = entry.find("temporal_ordering");
  if (!loops || loops->kind != Node::Kind::Sequence)
    return document.fail(entry,
                         "wanted 'temporal_ordering', all loops from the "
                         "innermost on, found none; without it ZigZag "
                         "searches for one, which this file does not "
                         "have");
  size_t at = 0; // index into kAllLevels, from the array outwards
  PerLevel<unsigned> placed{0};
  for (const Node &element : loops->elements) {
    llvm::Expected<Factor> factor = zigzagLoop(element);
    if (!factor)
      return factor.takeError();
    const Dim dim = factor->dim;
    auto mayStand = [&](Level level) {
      if (level == Level::Registers &&
          !llvm::is_contained({Dim::N, Dim::P, Dim::Q}, dim))
        return false;
      if (level == Level::Dram)
        return true;
      mapping.temporal[level][dim] *= factor->trips;
      const bool isSmall = fits();
      mapping.temporal[level][dim] /= factor->trips;
      return isSmall;
    };
    while (!mayStand(kAllLevels[at]))
      ++at;
    const Level level = kAllLevels[at];
    int64_t &trips = mapping.temporal[level][dim];
    LoopOrder &order = mapping.order[level];
    unsigned &count = placed[level];
    if (trips == 1) {
      // Behind the loops that this level has.
      auto *it = std::find(order.begin() + count, order.end(), dim);
      std::rotate(order.begin() + count, it, it + 1);
      ++count;
    } else if (order[count - 1] != dim) {
      return document.fail(
          element, llvm::formatv("{0} loops of {1} with others between them "
                                 "would stand in the {2}; wanted one",
                                 "two", dimName(dim), levelName(level))
                       .str());
    }
    trips *= factor->trips;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//

llvm::Expected<std::optional<Mapping>>
fadiff::readForeignMapping(StringRef text, StringRef file, const Layer &layer,
                           const Accelerator &target) {
  Document document(text, file);
  llvm::Expected<Node> root = document.read();
  if (!root)
    return root.takeError();
  // Timeloop's directives, by themselves or as the member `mapping`.
  const Node *list = &*root;
  if (const Node *inner = root->find("mapping"))
    list = inner;
  if (const Node *inner = list->find("nodes"))
    list = inner;
  const bool isList = list->kind == Node::Kind::Sequence;
  const Node none;
  const Node &head =
      isList && !list->elements.empty() ? list->elements.front() : none;
  const bool isZigzag = head.find("name") && !head.find("target");
  if (!isZigzag && !head.find("target"))
    return document.fail(
        *list, "wanted a mapping of Timeloop, a list of directives with "
               "'target', or of ZigZag, a list of entries with 'name'; found "
               "neither");
  Reader reader(document, layer, target);
  const Node *taken = list;
  if (isZigzag) {
    const Node *named = nullptr, *fallback = nullptr;
    for (const Node &entry : list->elements)
      if (const Node *name = entry.find("name")) {
        if (name->text == layer.name)
          named = &entry;
        else if (name->text == "default")
          fallback = &entry;
      }
    taken = named ? named : fallback;
    if (!taken)
      return std::optional<Mapping>();
    if (llvm::Error error = reader.readZigzag(*taken))
      return std::move(error);
  } else if (llvm::Error error = reader.readTimeloop(*list)) {
    return std::move(error);
  }
  if (llvm::Error error = verify(layer, reader.mapping, target))
    return document.fail(*taken, "wanted a mapping that is legal on '" +
                                     target.name + "', found " +
                                     llvm::toString(std::move(error)));
  return std::optional<Mapping>(reader.mapping);
}
