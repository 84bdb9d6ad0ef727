//===- Context.cpp - What members of a group must keep to -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the groups of a chain can start, which residuals stay live in them, and
// what that means for each member (G9).
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace fadiff;
using namespace fadiff::exact;

/// As far as layers and their readers tell, where groups can start (G9).
void GroupSpace::findReach() {
  const size_t n = chain.size();
  std::map<unsigned, size_t> positionOf;
  for (size_t i = 0; i < n; ++i)
    positionOf.insert({indices[i], i});
  // Per layer, the last of the chain that reads what it makes; n: others do.
  std::vector<size_t> lastReader(n, 0);
  std::map<unsigned, size_t> firstReader; ///< of tensors that no layer makes
  for (size_t i = 0; i < n; ++i) {
    for (unsigned reader : uses.readers[indices[i]]) {
      auto it = positionOf.find(reader);
      lastReader[i] =
          std::max(lastReader[i], it == positionOf.end() ? n : it->second);
    }
    if (std::optional<unsigned> input = uses.operands[indices[i]].input)
      firstReader.insert({*input, i});
  }
  earliest.assign(n, 0);
  for (size_t last = 0; last < n; ++last)
    for (size_t i = last; i-- > 0;)
      if (lastReader[i] > last) {
        earliest[last] = i + 1;
        break;
      }
  alike.resize(n);
  std::iota(alike.begin(), alike.end(), size_t(0));
  auto crosses = [&](std::optional<unsigned> tensor, size_t reader) {
    if (!tensor)
      return;
    size_t from = reader;
    if (auto made = positionOf.find(*tensor); made != positionOf.end())
      from = std::min(from, made->second);
    else if (auto read = firstReader.find(*tensor); read != firstReader.end())
      from = std::min(from, read->second);
    for (size_t i = from; i <= reader; ++i)
      alike[i] = std::min(alike[i], from);
  };
  for (size_t i = 0; i < n; ++i) {
    crosses(uses.operands[indices[i]].input, i);
    crosses(uses.operands[indices[i]].residual, i);
  }
}

const std::vector<GroupSpace::Shape> &GroupSpace::shapesOf(size_t first,
                                                           size_t last) {
  auto [it, isNew] = knownShapes.insert({{first, last}, {}});
  if (!isNew)
    return it->second;
  std::vector<GroupShape> all;
  if (memory && first >= memory->same) {
    auto [known, isFirst] = memory->shapes.insert({{first, last}, {}});
    if (isFirst)
      known->second = groupShapes(network, uses, indices, first, last, target);
    all = known->second;
  } else {
    all = groupShapes(network, uses, indices, first, last, target);
  }
  // A layer alone has no skip on chip.
  if (first == last)
    llvm::erase_if(all, [](const GroupShape &shape) {
      return !shape.group.liveSkips.empty();
    });
  for (GroupShape &shape : all) {
    Shape &next = it->second.emplace_back();
    static_cast<GroupShape &>(next) = std::move(shape);
    next.contexts.resize(last - first + 1);
    next.ownSets.resize(last - first + 1);
    for (auto &ways : next.contexts)
      ways.fill(Shape::kNone);
  }
  return it->second;
}

llvm::ArrayRef<GroupSpace::Shape> GroupSpace::shapes(size_t first,
                                                     size_t last) const {
  auto it = knownShapes.find({first, last});
  if (it == knownShapes.end())
    return {};
  return it->second;
}

bool GroupSpace::mayPassSlices(const Shape &shape, size_t first,
                               size_t member) const {
  const GroupFlow &flow = shape.flow;
  const std::optional<size_t> output = flow.members[member].output;
  if (!output || member + 1 >= flow.members.size())
    return false;
  const GroupFlow::Tile &tile = flow.tiles[*output];
  return tile.reader == member + 1 && !tile.isResidual &&
         !flow.isShared(*output) &&
         chain[first + shape.places[member + 1]]->inputChannels() > target.side;
}

bool GroupSpace::mayTakeTurns(const Shape &shape, size_t first, size_t member,
                              Turns turns) const {
  if (const auto &gets = shape.getsSlices;
      !gets.empty() &&
      (turns.gets() != gets[member].value_or(turns.gets()) ||
       (member + 1 < gets.size() &&
        turns.makes() != gets[member + 1].value_or(turns.makes()))))
    return false;
  // One that adds up all channels has none to hand over before it is through.
  if (turns.gets() && turns.makes() &&
      !chain[first + shape.places[member]]->isDepthwise())
    return false;
  // What is kept for a member that makes slices is its input alone.
  auto isOwnInput = [&](size_t reader) {
    const GroupFlow &flow = shape.flow;
    const size_t input = flow.members[reader].input;
    return flow.tiles[input].reader == reader && flow.tiles[input].producer &&
           !flow.isShared(input);
  };
  auto hasReader = [&] {
    return shape.flow.members[member].output &&
           member + 1 < shape.places.size();
  };
  // Exact runs leave out members that make slices and add what is on chip.
  if (isExactlySliced(turns.out) && shape.flow.members[member].skip)
    return false;
  if (turns.in == Pass::Kept && !isOwnInput(member))
    return false;
  if (turns.out == Pass::Kept &&
      !(hasReader() &&
        shape.flow.members[member + 1].input ==
            *shape.flow.members[member].output &&
        isOwnInput(member + 1) && mayPassSlices(shape, first, member + 1)))
    return false;
  return (!turns.gets() ||
          (member > 0 && mayPassSlices(shape, first, member - 1))) &&
         (!turns.makes() || mayPassSlices(shape, first, member));
}

MemberContext GroupSpace::contextIn(const Shape &shape, size_t first,
                                    size_t member, Turns turns) const {
  const GroupFlow &flow = shape.flow;
  MemberContext context;
  context.loadsInput = flow.loadsInput(member);
  context.wholeInput =
      context.loadsInput && flow.isShared(flow.members[member].input);
  context.liveSkip = flow.members[member].skip.has_value();
  context.turns = turns;
  unsigned passes = 0;
  for (size_t m = member;
       mayPassSlices(shape, first, m) &&
       (m == member || chain[first + shape.places[m]]->isDepthwise());
       ++m) {
    ++passes;
    context.hasExactRuns &= !flow.members[m].skip;
  }
  context.hasExactRuns &= passes <= kMostPasses;
  auto readersOf = [&](size_t tile) {
    std::pair<size_t, size_t> readers(flow.members.size(), 0);
    for (auto [other, place] : llvm::zip(flow.members, shape.places))
      if (other.input == tile || other.skip == tile)
        readers = {std::min(readers.first, place),
                   std::max(readers.second, place)};
    return std::pair(first + readers.first, first + readers.second);
  };
  if (context.loadsInput)
    std::tie(context.firstReader, context.lastReader) =
        readersOf(flow.members[member].input);
  for (auto [t, tile] : llvm::enumerate(flow.tiles)) {
    if (!tile.isLiveAt(member) ||
        (context.loadsInput && t == flow.members[member].input))
      continue;
    const Pass pass = t == flow.members[member].input    ? turns.in
                      : flow.members[member].output == t ? turns.out
                                                         : Pass::Whole;
    const auto [firstReader, lastReader] = readersOf(t);
    // Of one that takes no turns it makes no difference.
    const bool isNew = turns.gets() && tile.first == member;
    context.live.push_back({first + shape.places[tile.reader], tile.isResidual,
                            !tile.producer, pass, isNew, firstReader,
                            lastReader});
  }
  llvm::sort(context.live, [](const MemberContext::Tile &a,
                              const MemberContext::Tile &b) {
    return std::tie(a.reader, a.isResidual) < std::tie(b.reader, b.isResidual);
  });
  return context;
}

const MemberContexts &GroupSpace::contextsOf(size_t last, size_t member) {
  auto [it, isNew] = contexts.insert({{last, member}, {}});
  MemberContexts &found = it->second;
  if (!isNew)
    return found;
  // Groups of two or more, and of one that pools. Those that start still
  // earlier are as the last one looked at.
  bool isKnown = false;
  const size_t latest = mayPool(last) ? member : std::min(member, last - 1);
  for (size_t first = latest + 1; first-- > earliest[last] && !isKnown;)
    for (const Shape &shape : shapesOf(first, last)) {
      for (Turns turns : kTurns) {
        const size_t own =
            llvm::find(shape.places, member - first) - shape.places.begin();
        if (!mayTakeTurns(shape, first, own, turns))
          continue;
        const MemberContext context = contextIn(shape, first, own, turns);
        size_t index = llvm::find(found.all, context) - found.all.begin();
        if (index == found.all.size()) {
          found.all.push_back(context);
          found.goesOn.push_back(false);
          found.alone.push_back(true);
        }
        if (first < last)
          found.alone[index] = false;
        if (first < member)
          found.goesOn[index] = true;
      }
      isKnown |= first < alike[member];
    }
  return found;
}

bool GroupSpace::isRemembered(size_t last) {
  if (!memory || last < memory->same)
    return false;
  auto [it, isNew] = remembered.insert({last, true});
  if (!isNew)
    return it->second;
  std::pair<size_t, std::vector<MemberContexts>> own;
  own.first = std::max(earliest[last], memory->same);
  for (size_t member = own.first; member <= last; ++member)
    own.second.push_back(contextsOf(last, member));
  auto [known, isFirst] = memory->contexts.insert({last, own});
  return it->second = isFirst || known->second == own;
}

void GroupSpace::nameContexts() {
  // Shapes of all groups that some tile reaches.
  for (size_t last = 0; last < chain.size(); ++last) {
    size_t reach = 0;
    for (const GroupTile &tile : tiles[last])
      reach = std::max(reach, tile.options.size());
    for (size_t first = mayPool(last) ? last + 1 : last;
         first-- > 0 && last - first < reach;) {
      shapesOf(first, last);
      std::vector<Shape> &own = knownShapes[{first, last}];
      const llvm::ArrayRef<Shape> behind = shapes(first + 1, last);
      const bool isChain =
          !hasResiduals() && own.size() == 1 && behind.size() == 1;
      for (Shape &shape : own)
        for (size_t i = 0; i < shape.places.size(); ++i) {
          const size_t member = first + shape.places[i];
          // As in the group without the first one.
          if (isChain && first + 1 < alike[member]) {
            shape.contexts[i] = behind.front().contexts[i - 1];
            shape.ownSets[i] = behind.front().ownSets[i - 1];
            continue;
          }
          contextsOf(last, member);
          MemberContexts &of = contexts[{last, member}];
          llvm::SmallVector<unsigned, 4> ways;
          for (auto [way, turns] : llvm::enumerate(kTurns)) {
            if (!mayTakeTurns(shape, first, i, turns))
              continue;
            const auto context =
                llvm::find(of.all, contextIn(shape, first, i, turns));
            shape.contexts[i][way] = unsigned(context - of.all.begin());
            complete &= context != of.all.end();
            ways.push_back(shape.contexts[i][way]);
          }
          const auto set = llvm::find(of.sets, ways);
          shape.ownSets[i] = unsigned(set - of.sets.begin());
          if (set == of.sets.end())
            of.sets.push_back(std::move(ways));
        }
    }
  }
}
