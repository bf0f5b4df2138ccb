// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of gfx1250.tdm, the copy of a tile of up to five dimensions between
// global memory and LDS by the tensor data mover. In go the two pointers and
// the state (extents, strides, an offset in bytes, a multicast mask); out come
// the words of the descriptor and one instruction. The laws: every wave moves a
// part of the tile that lies in one piece in LDS, the parts cover the tile once
// and nothing beside it, and the image in LDS does not depend on how many waves
// there are; what does not fit a field of the descriptor is a diagnostic.
//
//   (128,64):(64,1) of f16, 4 waves   wave w moves rows [32w, 32w + 32)
//   (6,64) of 8 waves                 wave w moves row w; the last two none
//
// The words follow the resource descriptor of gfx1250 that the tensor
// instructions take (IntrinsicsAMDGPU.td, tensor_load_to_lds): group 0 has the
// addresses, group 1 sizes of two dimensions, groups 2 and 3 of three more.

#include "Emission.h"

#include "mlir/IR/Matchers.h"

#include <numeric>

namespace mlir::fly {

using fly_rocdl::CopyOpGFX1250TDMType;

namespace {

/// Sizes of the fields of the descriptor.
constexpr int64_t maxTile = 0xFFFF;
constexpr int64_t maxStride = (int64_t(1) << 48) - 1;

/// Slots of the state, in the order of getStateFields.
constexpr int64_t maskSlot = 0, extentSlot = 1, strideSlot = 6, offsetSlot = 10;
/// What a stride is that nobody has set; the layout's then.
constexpr int64_t unsetStride = INT32_MIN;

/// What is known of one copy when it is compiled. Dimension 0 is the outermost.
struct TileCopy {
  std::string atom;
  bool isLoad = false;
  int64_t bits = 0;
  SmallVector<int64_t> tile;
  /// Of dimensions but the innermost; nothing when dynamic.
  SmallVector<std::optional<int64_t>> strides;
  /// Parts that each dimension is cut into, and their size.
  SmallVector<int64_t> waves, block;
  bool isPadded = false;
  int64_t padInterval = 0, padAmount = 0; // elements
  int64_t intervalCode = 0, amountCode = 0;

  int64_t rank() const { return tile.size(); }
  bool isEven(int64_t i) const { return waves[i] * block[i] == tile[i]; }
};

/// Integers that fold while they are built.
class Words {
public:
  Words(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value word(int64_t value) {
    // The low 32 bits, whatever their sign.
    return constantInt(b, loc, int64_t(int32_t(uint32_t(value))));
  }
  Value wide(int64_t value) { return constantInt(b, loc, value, 64); }
  template <typename Op> Value make(Value x, Value y) {
    return b.createOrFold<Op>(loc, x, y);
  }
  Value add(Value x, Value y) { return make<arith::AddIOp>(x, y); }
  Value mul(Value x, Value y) { return make<arith::MulIOp>(x, y); }
  Value orOf(Value x, Value y) { return make<arith::OrIOp>(x, y); }
  Value andOf(Value x, int64_t mask) {
    return make<arith::AndIOp>(x, word(mask));
  }
  Value left(Value x, int64_t n) { return make<arith::ShLIOp>(x, word(n)); }
  Value right(Value x, int64_t n) { return make<arith::ShRUIOp>(x, word(n)); }
  Value low(Value x) {
    return b.createOrFold<arith::TruncIOp>(loc, b.getI32Type(), x);
  }
  /// 32 bits of an i64 from bit `n` on.
  Value part(Value x, int64_t n) {
    return low(make<arith::ShRUIOp>(x, wide(n)));
  }
  Value extended(Value x) {
    return b.createOrFold<arith::ExtUIOp>(loc, b.getI64Type(), x);
  }
  Value group(ArrayRef<Value> words) {
    auto type = VectorType::get({int64_t(words.size())}, b.getI32Type());
    return vector::FromElementsOp::create(b, loc, type, words);
  }

  OpBuilder &b;
  Location loc;
};

} // namespace

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The codes of the padding; a diagnostic when the fields cannot hold it.
static LogicalResult encodePadding(Location loc, CopyOpGFX1250TDMType op,
                                   TileCopy &copy) {
  copy.padInterval = op.getPadInterval();
  copy.padAmount = op.getPadAmount();
  copy.isPadded = copy.padInterval != 0;
  if (!copy.isPadded)
    return success();
  int64_t interval = copy.padInterval * copy.bits,
          amount = copy.padAmount * copy.bits;
  int64_t intervalWords = interval / 32, amountWords = amount / 32;
  if (interval % 32 || amount % 32 || intervalWords < 2 ||
      intervalWords > 256 || amountWords > 128)
    return emitError(loc)
           << copy.atom
           << " pads by 1 to 128 words of 32 bits after 2 to 256, got "
           << copy.padAmount << " after " << copy.padInterval << " elements of "
           << copy.bits << " bits";
  copy.intervalCode = llvm::Log2_64(intervalWords) - 1;
  copy.amountCode = amountWords - 1;
  return success();
}

/// Cuts the tile among the waves from the outermost dimension on, so that each
/// part is one piece of LDS: a dimension is cut only when the parts of those
/// outside of it have size 1.
static LogicalResult distribute(Location loc, int64_t warps, TileCopy &copy) {
  copy.waves.assign(copy.rank(), 1);
  int64_t rest = warps;
  for (int64_t i = 0; i != copy.rank(); ++i)
    for (; rest > 1 && copy.waves[i] < copy.tile[i]; rest /= 2)
      copy.waves[i] *= 2;
  copy.waves.back() *= rest;
  int64_t piece = 1, dense = 1, starts = 0;
  for (int64_t i = copy.rank(); i-- > 0;) {
    copy.block.push_back(llvm::divideCeil(copy.tile[i], copy.waves[i]));
    piece *= copy.block.back();
    // Parts start at multiples of this.
    if (copy.waves[i] > 1)
      starts = std::gcd(starts, copy.block.back() * dense);
    dense *= copy.tile[i];
  }
  std::reverse(copy.block.begin(), copy.block.end());
  bool areWhole = copy.isPadded && starts % copy.padInterval == 0;
  bool areInside =
      copy.isPadded && copy.padInterval % piece == 0 && starts % piece == 0;
  if (!copy.isPadded || areWhole || areInside)
    return success();
  return emitError(loc) << copy.atom << " pads after " << copy.padInterval
                        << " elements, inside of which a wave's part of "
                        << piece << " begins; use fewer waves";
}

/// Takes the tile from the type of the global side.
static LogicalResult readTile(Location loc, MemRefType global, int64_t rank,
                              TileCopy &copy) {
  const ::fly::layout::AnyLayout all = global.getLayout();
  const ::fly::layout::Layout &layout = all.linear();
  auto refuse = [&] {
    return emitError(loc) << copy.atom
                          << " needs a plain layout of static leaves, one for "
                             "each of its "
                          << rank << " dimensions, got " << global;
  };
  if (all.isComposed() || int64_t(layout.rank()) != rank)
    return refuse();
  int64_t bytes = copy.bits / 8;
  const int64_t ldsBytes = ::fly::amdgpu::findChip("gfx1250")->ldsBytes;
  for (int64_t i = 0; i != rank; ++i) {
    ::fly::layout::IntTuple shape =
        layout.isLeaf() ? layout.shape : layout.shape.at(i);
    ::fly::layout::IntTuple stride =
        layout.isLeaf() ? layout.stride : layout.stride.at(i);
    if (!shape.isLeaf() || !shape.leaf().isStatic() || !stride.isLeaf() ||
        stride.isBasis() || stride.leaf().isNone())
      return refuse();
    int64_t size = shape.leaf().value();
    if (size < 1 || size > maxTile)
      return emitError(loc)
             << copy.atom << " moves 1 to " << maxTile
             << " elements along a dimension, got " << size << " in " << global;
    std::optional<int64_t> known;
    if (stride.leaf().isStatic())
      known = stride.leaf().value();
    bool isInnermost = i + 1 == rank;
    if (isInnermost && size != 1 && known.value_or(0) != 1)
      return emitError(loc) << copy.atom
                            << " needs neighbours along the last dimension, "
                               "got "
                            << global;
    if (known && !isInnermost && (*known < 0 || *known > maxStride))
      return emitError(loc) << copy.atom << " has strides of 0 to " << maxStride
                            << ", got " << *known << " in " << global;
    copy.tile.push_back(size);
    if (!isInnermost)
      copy.strides.push_back(known);
    bytes *= size;
    if (bytes > ldsBytes)
      return emitError(loc)
             << copy.atom << " moves tiles of at most " << ldsBytes
             << " bytes, what LDS has, got " << global;
  }
  return success();
}

/// Where element `n` of the tile lies in LDS, in elements.
static int64_t imageOffset(const TileCopy &copy, int64_t n) {
  return copy.isPadded ? n + n / copy.padInterval * copy.padAmount : n;
}

/// Checks that the LDS side is the image of the tile, or memory without further
/// structure, one leaf of stride 1, that holds it.
static LogicalResult checkImage(Location loc, MemRefType shared,
                                const TileCopy &copy) {
  const ::fly::layout::AnyLayout all = shared.getLayout();
  const ::fly::layout::Layout &layout = all.linear();
  auto refuse = [&]() -> LogicalResult {
    InFlightDiagnostic diagnostic = emitError(loc);
    diagnostic << copy.atom << " fills LDS with the rows of the tile one after "
               << "the other";
    if (copy.isPadded)
      diagnostic << ", " << copy.padAmount << " elements further after each "
                 << copy.padInterval;
    return diagnostic << ", which is not " << shared;
  };
  int64_t elements = 1;
  for (int64_t size : copy.tile)
    elements *= size;
  std::vector<::fly::layout::IntTuple> shapes = layout.shape.leaves();
  std::vector<::fly::layout::IntTuple> strides = layout.stride.leaves();
  auto isKnown = [](const ::fly::layout::IntTuple &leaf) {
    return leaf.isInt() && leaf.leaf().isStatic();
  };
  if (!all.isPlain() || shapes.size() != strides.size() ||
      shared.getPointerType().getElemBits() != copy.bits ||
      !llvm::all_of(shapes, isKnown))
    return refuse();
  if (shapes.size() == 1 && isKnown(strides.front()) &&
      strides.front().leaf().value() == 1 &&
      shapes.front().leaf().value() > imageOffset(copy, elements - 1))
    return success();
  if (int64_t(shapes.size()) != copy.rank())
    return refuse();
  // The offset that the layout gives to each element, by mode and step in it.
  SmallVector<int64_t> steps(copy.rank(), 0);
  for (int64_t i = 0; i != copy.rank(); ++i) {
    if (shapes[i].leaf().value() != copy.tile[i])
      return refuse();
    if (copy.tile[i] == 1)
      continue;
    if (!isKnown(strides[i]))
      return refuse();
    steps[i] = strides[i].leaf().value();
    // Also what keeps the sums below from an overflow.
    if (steps[i] < 1 || steps[i] > imageOffset(copy, elements - 1))
      return refuse();
  }
  for (int64_t n = 0; n != elements; ++n) {
    int64_t rest = n, offset = 0;
    for (int64_t i = copy.rank(); i-- > 0; rest /= copy.tile[i])
      offset += rest % copy.tile[i] * steps[i];
    if (offset != imageOffset(copy, n))
      return refuse();
  }
  return success();
}

/// Checks that the kernel, when it says how large its workgroups are, has the
/// waves that the tile is cut among.
static LogicalResult checkWaves(OpBuilder &b, Location loc, int64_t warps,
                                StringRef atom) {
  constexpr int64_t waveSize = 32;
  Operation *op = b.getInsertionBlock()->getParentOp();
  while (op && !isa<FunctionOpInterface>(op))
    op = op->getParentOp();
  for (StringRef name : {"known_block_size", "gpu.known_block_size",
                         "rocdl.reqd_work_group_size"}) {
    auto sizes = op ? op->getAttrOfType<DenseI32ArrayAttr>(name) : nullptr;
    if (!sizes)
      continue;
    int64_t items = 1;
    for (int32_t size : sizes.asArrayRef())
      items = std::min<int64_t>(items * size, INT32_MAX);
    int64_t waves = llvm::divideCeil(std::max<int64_t>(items, 1), waveSize);
    if (waves < warps)
      return emitError(loc) << atom << " cuts the tile among " << warps
                            << " waves, but workgroups of " << items
                            << " threads have " << waves;
  }
  return success();
}

/// What is known of the copy; a diagnostic when there is no such copy.
static FailureOr<TileCopy> planCopy(OpBuilder &b, Location loc,
                                    CopyOpGFX1250TDMType op,
                                    const CopyOperands &operands) {
  TileCopy copy;
  copy.atom = "gfx1250.tdm";
  MemRefType src = operands.srcMemRef(), dst = operands.dstMemRef();
  bool isLoad = src && dst && src.isInSpace(AddressSpace::Global) &&
                dst.isInSpace(AddressSpace::Shared);
  bool isStore = src && dst && src.isInSpace(AddressSpace::Shared) &&
                 dst.isInSpace(AddressSpace::Global);
  if ((!isLoad && !isStore) || operands.resultType)
    return emitError(loc) << copy.atom
                          << " copies between global and shared, got "
                          << operands.srcType << " and "
                          << (operands.dstType ? operands.dstType
                                               : operands.resultType);
  copy.isLoad = isLoad;
  for (MemRefType side : {src, dst})
    if (!side.getSwizzle().isTrivial())
      return emitError(loc) << copy.atom
                            << " moves memory linearly and cannot follow the "
                               "swizzle of "
                            << side;
  MemRefType global = isLoad ? src : dst;
  copy.bits = global.getPointerType().getElemBits();
  if (copy.bits != 8 && copy.bits != 16 && copy.bits != 32 && copy.bits != 64)
    return emitError(loc) << copy.atom
                          << " moves elements of 8, 16, 32 or 64 bits, got "
                          << global.getElemTy();
  if (failed(encodePadding(loc, op, copy)) ||
      failed(readTile(loc, global, op.getRank(), copy)) ||
      failed(distribute(loc, op.getWarps(), copy)) ||
      failed(checkImage(loc, isLoad ? dst : src, copy)) ||
      failed(checkWaves(b, loc, op.getWarps(), copy.atom)))
    return failure();
  return copy;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

namespace {
/// The part of the tile that one wave moves.
struct Part {
  /// Offset and size in each dimension, i32; strides but the last, i64.
  SmallVector<Value> offsets, sizes, strides;
  /// i1; null when every wave has something to move.
  Value isNotEmpty;
};
} // namespace

static FailureOr<SmallVector<Value>> stridesOf(Words &w, const TileCopy &copy,
                                               Value state) {
  SmallVector<Value> strides;
  for (auto [i, known] : llvm::enumerate(copy.strides)) {
    Value set = structField(w.b, w.loc, state, strideSlot + int64_t(i));
    APInt value;
    bool isConstant = matchPattern(set, m_ConstantInt(&value));
    bool isUnset = isConstant && value.getSExtValue() == unsetStride;
    if (isUnset && !known)
      return emitError(w.loc)
             << copy.atom << " has a dynamic stride in dimension " << i
             << ", which fly.atom.set_value must set as 'stride_" << i << "'";
    if (isConstant && !isUnset && (value.isNegative() || value.sgt(maxStride)))
      return emitError(w.loc)
             << copy.atom << " has strides of 0 to " << maxStride
             << ", got stride_" << i << " = " << value.getSExtValue();
    if (!known || (isConstant && !isUnset)) {
      strides.push_back(set);
    } else if (isUnset) {
      strides.push_back(w.wide(*known));
    } else {
      Value isDefault = arith::CmpIOp::create(
          w.b, w.loc, arith::CmpIPredicate::eq, set, w.wide(unsetStride));
      strides.push_back(
          arith::SelectOp::create(w.b, w.loc, isDefault, w.wide(*known), set));
    }
  }
  return strides;
}

static FailureOr<Part> partOfWave(Words &w, const TileCopy &copy, int64_t warps,
                                  Value state) {
  Part part;
  FailureOr<SmallVector<Value>> strides = stridesOf(w, copy, state);
  if (failed(strides))
    return failure();
  part.strides = *strides;
  Value rest;
  if (warps > 1)
    rest = LLVM::CallIntrinsicOp::create(
               w.b, w.loc, w.b.getI32Type(),
               w.b.getStringAttr("llvm.amdgcn.wave.id"), ValueRange())
               .getResult(0);
  for (int64_t i = 0; i != copy.rank(); ++i) {
    Value offset = w.word(0), size = w.word(copy.block[i]);
    if (copy.waves[i] > 1) {
      offset = w.mul(w.andOf(rest, copy.waves[i] - 1), w.word(copy.block[i]));
      rest = w.right(rest, llvm::Log2_64(copy.waves[i]));
    }
    if (!copy.isEven(i)) {
      // What is left of the tile, which may be nothing.
      Value left = w.make<arith::SubIOp>(w.word(copy.tile[i]), offset);
      size =
          w.make<arith::MaxSIOp>(w.make<arith::MinSIOp>(size, left), w.word(0));
      Value some = arith::CmpIOp::create(w.b, w.loc, arith::CmpIPredicate::ne,
                                         size, w.word(0));
      part.isNotEmpty =
          part.isNotEmpty ? w.make<arith::AndIOp>(part.isNotEmpty, some) : some;
    }
    part.offsets.push_back(offset);
    part.sizes.push_back(size);
  }
  return part;
}

/// Group 0: where the part is.
static Value addressGroup(Words &w, const TileCopy &copy, const Part &part,
                          Value state, Value global, Value shared) {
  Type i32 = w.b.getI32Type(), i64 = w.b.getI64Type();
  Value globalAddress = w.add(LLVM::PtrToIntOp::create(w.b, w.loc, i64, global),
                              structField(w.b, w.loc, state, offsetSlot));
  Value sharedAddress = LLVM::PtrToIntOp::create(w.b, w.loc, i32, shared);
  Value globalSteps = w.wide(0), sharedSteps = w.word(0);
  int64_t dense = 1;
  for (int64_t i = copy.rank(); i-- > 0;) {
    Value far = w.extended(part.offsets[i]);
    if (i + 1 != copy.rank())
      far = w.mul(far, part.strides[i]);
    globalSteps = w.add(globalSteps, far);
    sharedSteps = w.add(sharedSteps, w.mul(part.offsets[i], w.word(dense)));
    dense *= copy.tile[i];
  }
  if (copy.isPadded)
    sharedSteps =
        w.add(sharedSteps,
              w.mul(w.right(sharedSteps, llvm::Log2_64(copy.padInterval)),
                    w.word(copy.padAmount)));
  int64_t bytes = copy.bits / 8;
  globalAddress = w.add(globalAddress, w.mul(globalSteps, w.wide(bytes)));
  sharedAddress = w.add(sharedAddress, w.mul(sharedSteps, w.word(bytes)));
  constexpr int64_t isValid = 1, tensorType = int64_t(2) << 30;
  return w.group({w.word(isValid), sharedAddress, w.low(globalAddress),
                  w.orOf(w.part(globalAddress, 32), w.word(tensorType))});
}

/// Groups 1 to 3: how large part and tensor are. Two for up to two dimensions.
static SmallVector<Value> sizeGroups(Words &w, CopyOpGFX1250TDMType op,
                                     const TileCopy &copy, const Part &part,
                                     Value state) {
  int64_t rank = copy.rank();
  // By dimension of the descriptor, 0 is the innermost; zero beyond the rank.
  SmallVector<Value> tensor(5, w.word(0)), tile(5, w.word(0));
  SmallVector<Value> stride(4, w.wide(0));
  for (int64_t j = 0; j != rank; ++j) {
    int64_t d = rank - 1 - j;
    Value extent = structField(w.b, w.loc, state, extentSlot + d);
    tensor[j] = w.make<arith::SubIOp>(
        w.make<arith::MaxSIOp>(extent, part.offsets[d]), part.offsets[d]);
    tile[j] = part.sizes[d];
    if (j + 1 != rank)
      stride[j] = part.strides[d - 1];
  }
  int64_t flags = int64_t(llvm::Log2_64(copy.bits / 8)) << 16 |
                  int64_t(op.getBarrier()) << 18 |
                  int64_t(copy.isPadded) << 20 |
                  int64_t(op.getTimeout()) << 21 | copy.intervalCode << 22 |
                  copy.amountCode << 25;
  Value mask = structField(w.b, w.loc, state, maskSlot);
  auto highOfStride = [&](Value value) {
    return w.andOf(w.part(value, 32), 0xFFFF);
  };
  SmallVector<Value> groups;
  groups.push_back(w.group(
      {w.orOf(w.andOf(mask, 0xFFFF), w.word(flags)), w.left(tensor[0], 16),
       w.orOf(w.right(tensor[0], 16), w.left(tensor[1], 16)),
       w.orOf(w.right(tensor[1], 16), w.left(tile[0], 16)),
       w.orOf(tile[1], w.left(tile[2], 16)), w.low(stride[0]),
       w.orOf(highOfStride(stride[0]), w.left(w.low(stride[1]), 16)),
       w.part(stride[1], 16)}));
  if (rank <= 2)
    return groups;
  groups.push_back(
      w.group({tensor[2], tensor[3], w.low(stride[2]),
               w.orOf(highOfStride(stride[2]), w.left(tile[3], 16))}));
  groups.push_back(w.group(
      {w.low(stride[3]), w.orOf(highOfStride(stride[3]), w.left(tensor[4], 16)),
       w.orOf(w.right(tensor[4], 16), w.left(tile[4], 16)), w.word(0)}));
  return groups;
}

static FailureOr<Value> moveTile(OpBuilder &b, Location loc,
                                 CopyOpGFX1250TDMType op, Value state,
                                 const CopyOperands &operands) {
  FailureOr<TileCopy> copy = planCopy(b, loc, op, operands);
  if (failed(copy))
    return failure();
  Words outer(b, loc);
  FailureOr<Part> part = partOfWave(outer, *copy, op.getWarps(), state);
  if (failed(part))
    return failure();
  auto emit = [&](OpBuilder &inner) -> FailureOr<Value> {
    Words w(inner, loc);
    Value global = copy->isLoad ? operands.src : operands.dst;
    Value shared = copy->isLoad ? operands.dst : operands.src;
    SmallVector<Value> groups{
        addressGroup(w, *copy, *part, state, global, shared)};
    groups.append(sizeGroups(w, op, *copy, *part, state));
    std::string name =
        copy->isLoad ? "tensor.load.to.lds" : "tensor.store.from.lds";
    if (copy->rank() <= 2)
      name += ".d2";
    createROCDL(inner, loc, name, {}, groups,
                inner.getNamedAttr("cachePolicy",
                                   inner.getI32IntegerAttr(op.getCache())));
    return Value();
  };
  return guarded(b, loc, part->isNotEmpty, Type(), Value(), emit);
}

namespace {
/// The state: no mask, no clamp, the layout's strides, no offset.
struct TileState
    : StateEmission::ExternalModel<TileState, CopyOpGFX1250TDMType> {
  static Type fieldType(Type type, int64_t index) {
    return cast<LLVM::LLVMStructType>(
               cast<CopyOpGFX1250TDMType>(type).getStateType())
        .getBody()[index];
  }
  Value defaultState(Type type, OpBuilder &b, Location loc) const {
    Type structType = cast<CopyOpGFX1250TDMType>(type).getStateType();
    Value state = LLVM::PoisonOp::create(b, loc, structType);
    for (int64_t i = 0; i <= offsetSlot; ++i) {
      int64_t value = i == maskSlot || i == offsetSlot ? 0
                      : i < strideSlot                 ? INT32_MAX
                                                       : unsetStride;
      unsigned width = fieldType(type, i).getIntOrFloatBitWidth();
      state = LLVM::InsertValueOp::create(b, loc, state,
                                          constantInt(b, loc, value, width),
                                          ArrayRef<int64_t>{i});
    }
    return state;
  }
  FailureOr<Value> setState(Type type, OpBuilder &b, Location loc, Value state,
                            StringAttr field, Value value) const {
    int64_t index = *fly_rocdl::stateFieldIndex(type, field.getValue());
    Type wanted = fieldType(type, index);
    if (value.getType() != wanted)
      return emitError(loc) << "expected " << field << " to be an " << wanted
                            << ", got " << value.getType();
    APInt known;
    bool isConstant = matchPattern(value, m_ConstantInt(&known));
    if (isConstant && index == maskSlot && known.getActiveBits() > 16)
      return emitError(loc)
             << "gfx1250.tdm has a workgroup_mask of 16 bits, got "
             << known.getSExtValue();
    // Where it is set only, it differs from the default.
    if (isConstant && index >= strideSlot && index < offsetSlot &&
        known.getSExtValue() == unsetStride)
      return emitError(loc)
             << "gfx1250.tdm has strides of 0 to " << maxStride << ", got "
             << field.getValue() << " = " << known.getSExtValue();
    return LLVM::InsertValueOp::create(b, loc, state, value,
                                       ArrayRef<int64_t>{index})
        .getResult();
  }
};
} // namespace

void attachTdmModels(MLIRContext *context) {
  CopyOpGFX1250TDMType::attachInterface<
      CopyModel<CopyOpGFX1250TDMType, moveTile>, TileState>(*context);
}

} // namespace mlir::fly
