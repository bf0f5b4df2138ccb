// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arrays a region op carries. A bottom-up walk finds, for each region and
// array, the elements that are read before they are written and those that are
// surely written; a top-down walk then finds which elements are read later. An
// array is carried where it is stored inside and read later. Loops need no
// iteration to a fix-point: the transfer functions are
//
//   x -> read | (x & ~written)

#include "PromoteRegmem.h"

using namespace mlir;
using namespace mlir::fly;

void ElementFlow::then(const ElementFlow &next) {
  llvm::BitVector exposed = next.read;
  exposed.reset(written);
  read |= exposed;
  written |= next.written;
}

/// The flow of a whole region op, from that of its regions.
ElementFlow RegisterFacts::forwardOp(Operation *op,
                                     const TouchedArray &array) const {
  ElementFlow result = array.flow.front();
  switch (regionForm(op)) {
  case RegionForm::Once:
    return result;
  case RegionForm::Choice:
    for (const ElementFlow &other : llvm::drop_begin(array.flow)) {
      result.read |= other.read;
      result.written &= other.written;
    }
    return result;
  case RegionForm::While:
    result.then(array.flow[1]);
    result.written = array.flow[0].written;
    return result;
  case RegionForm::For:
  case RegionForm::Unknown:
    for (const ElementFlow &other : llvm::drop_begin(array.flow))
      result.read |= other.read;
    result.written.reset();
    return result;
  }
  llvm_unreachable("unknown form of a region op");
}

void RegisterFacts::forEachGranule(
    const RegisterAccess &access,
    llvm::function_ref<void(unsigned, int64_t, int64_t)> visit) const {
  if (access.granules == 1)
    return visit(access.array, access.offset, access.offset + access.count);
  for (unsigned i = access.array; i < access.array + access.granules; ++i)
    visit(i, 0, arrays[i].size);
}

void RegisterFacts::forward(Block &block, FlowMap &flow) {
  auto entry = [&](unsigned array) -> ElementFlow & {
    auto [slot, isNew] = flow.try_emplace(array);
    if (isNew)
      slot->second = {emptySet(array), emptySet(array)};
    return slot->second;
  };
  for (Operation &op : block) {
    if (isa<PtrLoadOp, PtrStoreOp>(op)) {
      auto access = accesses.find(&op);
      if (access == accesses.end())
        continue;
      forEachGranule(access->second,
                     [&](unsigned array, int64_t begin, int64_t end) {
                       ElementFlow &sofar = entry(array);
                       if (isa<PtrStoreOp>(op)) {
                         sofar.written.set(begin, end);
                         return;
                       }
                       for (int64_t i = begin; i < end; ++i)
                         if (!sofar.written.test(i))
                           sofar.read.set(i);
                     });
      continue;
    }
    if (op.getNumRegions() == 0)
      continue;
    auto slot = touched.find(&op);
    for (Region &region : op.getRegions()) {
      FlowMap inside;
      for (Block &nested : region) {
        // Several blocks: only reads cross them, in no order that is known.
        FlowMap one;
        forward(nested, one);
        for (auto &[array, part] : one) {
          auto [place, isNew] = inside.try_emplace(array, part);
          if (!isNew) {
            place->second.read |= part.read;
            place->second.written &= part.written;
          }
        }
      }
      if (slot == touched.end())
        continue;
      for (TouchedArray &array : slot->second) {
        auto part = inside.find(array.array);
        array.flow.push_back(
            part != inside.end()
                ? part->second
                : ElementFlow{emptySet(array.array), emptySet(array.array)});
      }
    }
    if (slot == touched.end())
      continue;
    for (TouchedArray &array : slot->second)
      entry(array.array).then(forwardOp(&op, array));
  }
}

/// What is read of a state at the start of something with this flow, when
/// `after` is read of it at the end.
static llvm::BitVector readBefore(const ElementFlow &flow,
                                  llvm::BitVector after) {
  after.reset(flow.written);
  after |= flow.read;
  return after;
}

void RegisterFacts::backwardOp(Operation *op, LiveMap &live) {
  auto slot = touched.find(op);
  unsigned numRegions = op->getNumRegions();
  SmallVector<LiveMap, 2> liveOut(numRegions);
  if (slot != touched.end()) {
    for (TouchedArray &array : slot->second) {
      llvm::BitVector &current =
          live.try_emplace(array.array, emptySet(array.array)).first->second;
      llvm::BitVector after = current;
      SmallVector<llvm::BitVector, 2> out(numRegions, after);
      switch (regionForm(op)) {
      case RegionForm::Choice:
      case RegionForm::Once:
      case RegionForm::Unknown:
        break;
      case RegionForm::For:
        out[0] |= array.flow[0].read;
        break;
      case RegionForm::While: {
        // before -> after -> before: twice round reaches the fix-point.
        llvm::BitVector head = readBefore(array.flow[0], after);
        for (int round = 0; round < 2; ++round) {
          out[1] = head;
          out[0] = after;
          out[0] |= readBefore(array.flow[1], out[1]);
          head = readBefore(array.flow[0], out[0]);
        }
        break;
      }
      }
      bool anyStart = false;
      for (unsigned region = 0; region < numRegions; ++region) {
        bool read = readBefore(array.flow[region], out[region]).any();
        array.startRead.push_back(read);
        anyStart |= read;
        liveOut[region].try_emplace(array.array, std::move(out[region]));
      }
      bool isLoop = regionForm(op) == RegionForm::For ||
                    regionForm(op) == RegionForm::While;
      array.carried = array.stored && (after.any() || (isLoop && anyStart));
      array.initUnread =
          regionForm(op) == RegionForm::While && !array.startRead.front();
      current = readBefore(forwardOp(op, array), std::move(after));
    }
  }
  for (auto [region, out] : llvm::zip_equal(op->getRegions(), liveOut)) {
    for (Block &nested : region) {
      LiveMap inside = out;
      backward(nested, inside);
    }
  }
}

void RegisterFacts::backward(Block &block, LiveMap &live) {
  for (Operation &op : llvm::reverse(block)) {
    if (op.getNumRegions()) {
      backwardOp(&op, live);
      continue;
    }
    if (!isa<PtrLoadOp, PtrStoreOp>(op))
      continue;
    auto access = accesses.find(&op);
    if (access == accesses.end())
      continue;
    forEachGranule(access->second,
                   [&](unsigned array, int64_t begin, int64_t end) {
                     llvm::BitVector &current =
                         live.try_emplace(array, emptySet(array)).first->second;
                     if (isa<PtrLoadOp>(op))
                       current.set(begin, end);
                     else
                       current.reset(begin, end);
                   });
  }
}

void RegisterFacts::computeFlow(FunctionOpInterface function) {
  if (touched.empty())
    return; // no region op has anything to carry
  for (Block &block : function.getFunctionBody()) {
    FlowMap flow;
    forward(block, flow);
    LiveMap live;
    backward(block, live);
  }
}
