// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering of atoms: an atom with state is the struct of its state, a call is
// what the atom's emission makes of it. Before an atom is used, the processor
// is asked whether it has the instruction.
//
//   fly.copy_atom_call(%a, %s, %d, %p)  ->  scf.if %p' { load; store }

#include "Lowering.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::fly {

//===----------------------------------------------------------------------===//
// Processors
//===----------------------------------------------------------------------===//

static void addChip(SmallVectorImpl<const ::fly::amdgpu::Chip *> &list,
                    StringRef name) {
  if (const ::fly::amdgpu::Chip *chip = ::fly::amdgpu::findChipOrAlias(name))
    list.push_back(chip);
}

ArrayRef<const ::fly::amdgpu::Chip *> Lowering::chipsOf(Operation *op) {
  if (optionChip)
    return ArrayRef(&optionChip, 1);
  auto module = op->getParentOfType<gpu::GPUModuleOp>();
  if (!module)
    return {};
  auto [found, isNew] = chips.try_emplace(module);
  if (!isNew)
    return found->second;
  // The resolved target says more than the list of targets.
  for (Operation *at = module; at; at = at->getParentOp())
    if (auto target = at->getAttrOfType<TargetAttr>("fly.target")) {
      addChip(found->second, target.getValue().chip);
      return found->second;
    }
  if (ArrayAttr targets = module.getTargetsAttr())
    for (auto target : targets.getAsRange<Attribute>())
      if (auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(target))
        addChip(found->second, rocdl.getChip());
  return found->second;
}

LogicalResult Lowering::checkChips(Operation *op, Type opType) {
  for (const ::fly::amdgpu::Chip *chip : chipsOf(op)) {
    std::string why = fly_rocdl::whyNotOn(opType, *chip);
    if (!why.empty())
      return op->emitError(why);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

static LogicalResult noEmission(Operation *op, Type opType) {
  return op->emitOpError("has no emission for ") << opType;
}

LogicalResult Lowering::makeAtom(Operation *op, Type opType) {
  Value atom = op->getResult(0);
  if (!isa<StatefulOpTypeInterface>(opType)) {
    define(atom, Value());
    return success();
  }
  auto emission = dyn_cast<StateEmission>(opType);
  if (!emission)
    return noEmission(op, opType);
  define(atom, emission.defaultState(builder, op->getLoc()));
  return success();
}

LogicalResult Lowering::lower(AtomSetValueOp op) {
  Type opType = TypeSwitch<Type, Type>(op.getAtom().getType())
                    .Case([](CopyAtomType t) { return t.getCopyOp(); })
                    .Case([](MmaAtomType t) { return t.getMmaOp(); })
                    .Default([](Type) { return Type(); });
  // The op's verifier knows the fields.
  auto emission = dyn_cast_if_present<StateEmission>(opType);
  if (!emission)
    return noEmission(op, opType);
  FailureOr<Value> state = lookup(op, op.getAtom());
  if (failed(state))
    return failure();
  FailureOr<Value> next = emission.setState(builder, op.getLoc(), *state,
                                            op.getFieldAttr(), op.getValue());
  if (failed(next))
    return failure();
  define(op.getResult(), *next);
  return success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

FailureOr<Value> Lowering::loadPredicate(Operation *op, MemRefType type,
                                         Value pointer) {
  if (!type.getElemTy().isInteger(1))
    return op->emitOpError("expected a predicate of i1, got ") << type;
  FailureOr<int64_t> size = staticSize(op->getLoc(), type, "the predicate");
  if (failed(size))
    return failure();
  if (*size != 1)
    return op->emitOpError("expected a predicate of one element, got ") << type;
  alignAllocation(type.getPointerType(), pointer);
  return loadTensor(builder, op->getLoc(), type, pointer, "the predicate");
}

Value Lowering::maskedBuffer(Operation *op, CopyAtomType atom, Value state,
                             MemRefType type, Value pointer, Value predicate) {
  if (!predicate || !type || !isBufferSpace(type.getAddressSpace()) ||
      !isa<fly_rocdl::CopyOpCDNA3BufferCopyType,
           fly_rocdl::CopyOpCDNA3BufferAtomicType>(atom.getCopyOp()) ||
      !state.getDefiningOp<LLVM::InsertValueOp>())
    return Value();
  // A scalar offset moves the limit that is compared with.
  APInt soffset;
  if (!matchPattern(structField(builder, op->getLoc(), state, 0),
                    m_ConstantInt(&soffset)) ||
      !soffset.isZero())
    return Value();
  return outOfRangeUnless(builder, op->getLoc(), type.getPointerType(), pointer,
                          predicate, chipsOf(op));
}

/// `loaded` where the predicate holds, else `old`; a load that was out of range
/// is zero.
static Value chosen(OpBuilder &b, Location loc, Value predicate, Value loaded,
                    Value old) {
  Operation *maker = old.getDefiningOp();
  if (maker &&
      (isa<ub::PoisonOp, LLVM::PoisonOp>(maker) ||
       matchPattern(old, m_Zero()) || matchPattern(old, m_PosZeroFloat())))
    return loaded;
  return arith::SelectOp::create(b, loc, predicate, loaded, old);
}

LogicalResult Lowering::lower(CopyAtomCallOp op) {
  auto atom = cast<CopyAtomType>(op.getCopyAtom().getType());
  auto srcType = cast<MemRefType>(op.getSrc().getType());
  auto dstType = cast<MemRefType>(op.getDst().getType());
  auto emission = dyn_cast<CopyEmission>(atom.getCopyOp());
  if (!emission)
    return noEmission(op, atom.getCopyOp());
  if (failed(checkChips(op, atom.getCopyOp())))
    return failure();
  if (srcType.getElemTy() != dstType.getElemTy())
    return op.emitOpError("expected equal element types of source and "
                          "destination, got ")
           << srcType.getElemTy() << " and " << dstType.getElemTy();
  FailureOr<Value> state = lookup(op, op.getCopyAtom());
  FailureOr<Value> src = lookup(op, op.getSrc()), dst = lookup(op, op.getDst());
  if (failed(state) || failed(src) || failed(dst))
    return failure();
  Value predicate;
  if (Value memref = op.getPred()) {
    FailureOr<Value> pointer = lookup(op, memref);
    if (failed(pointer))
      return failure();
    FailureOr<Value> loaded =
        loadPredicate(op, cast<MemRefType>(memref.getType()), *pointer);
    if (failed(loaded))
      return failure();
    predicate = *loaded;
  }
  alignAllocation(srcType.getPointerType(), *src);
  alignAllocation(dstType.getPointerType(), *dst);
  if (Value masked = maskedBuffer(op, atom, *state, dstType, *dst, predicate)) {
    dst = masked;
    predicate = Value();
  }
  return emission.emitCopy(builder, op.getLoc(), atom, *state, srcType, *src,
                           dstType, *dst, predicate);
}

LogicalResult Lowering::lower(CopyAtomCallSSAOp op) {
  auto atom = cast<CopyAtomType>(op.getCopyAtom().getType());
  auto emission = dyn_cast<CopyEmission>(atom.getCopyOp());
  if (!emission)
    return noEmission(op, atom.getCopyOp());
  if (failed(checkChips(op, atom.getCopyOp())))
    return failure();
  FailureOr<Value> state = lookup(op, op.getCopyAtom());
  if (failed(state))
    return failure();
  // A memref is replaced by its pointer, a value stays.
  auto converted = [&](Value value) -> FailureOr<Value> {
    auto memory = value ? dyn_cast<MemRefType>(value.getType()) : MemRefType();
    if (!memory)
      return value;
    FailureOr<Value> pointer = lookup(op, value);
    if (succeeded(pointer))
      alignAllocation(memory.getPointerType(), *pointer);
    return pointer;
  };
  FailureOr<Value> src = converted(op.getSrc()), dst = converted(op.getDst());
  FailureOr<Value> predicate = converted(op.getPred());
  if (failed(src) || failed(dst) || failed(predicate))
    return failure();
  if (op.getPred())
    if (auto memory = dyn_cast<MemRefType>(op.getPred().getType())) {
      predicate = loadPredicate(op, memory, *predicate);
      if (failed(predicate))
        return failure();
    }
  Type resultType = op.getNumResults() ? op.getResult(0).getType() : Type();
  Type dstType = op.getDst() ? op.getDst().getType() : Type();
  bool isOld = resultType && dstType;
  Value mask = *predicate;
  Value old = isOld ? *dst : Value();
  if (Value load =
          isOld && old.getType() == resultType
              ? maskedBuffer(op, atom, *state,
                             dyn_cast<MemRefType>(op.getSrc().getType()), *src,
                             mask)
              : Value()) {
    src = load;
    predicate = Value();
  } else if (Value store =
                 !resultType && dstType
                     ? maskedBuffer(op, atom, *state,
                                    dyn_cast<MemRefType>(dstType), *dst, mask)
                     : Value()) {
    dst = store;
    predicate = Value();
  }
  FailureOr<Value> result = emission.emitCopySSA(
      builder, op.getLoc(), atom, *state, resultType, op.getSrc().getType(),
      *src, isOld ? Type() : dstType, isOld ? Value() : *dst,
      *predicate ? old : Value(), *predicate);
  if (failed(result))
    return failure();
  if (isOld && mask && !*predicate)
    result = chosen(builder, op.getLoc(), mask, *result, old);
  if (resultType)
    op.getResult(0).replaceAllUsesWith(*result);
  return success();
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

LogicalResult Lowering::lower(MmaAtomCallOp op) {
  auto atom = cast<MmaAtomType>(op.getMmaAtom().getType());
  auto emission = dyn_cast<MmaEmission>(atom.getMmaOp());
  if (!emission)
    return noEmission(op, atom.getMmaOp());
  if (failed(checkChips(op, atom.getMmaOp())))
    return failure();
  FailureOr<Value> state = lookup(op, op.getMmaAtom());
  FailureOr<Value> d = lookup(op, op.getD()), a = lookup(op, op.getA());
  FailureOr<Value> b = lookup(op, op.getB()), c = lookup(op, op.getC());
  if (failed(state) || failed(d) || failed(a) || failed(b) || failed(c))
    return failure();
  return emission.emitMma(
      builder, op.getLoc(), atom, *state, cast<MemRefType>(op.getD().getType()),
      cast<MemRefType>(op.getA().getType()),
      cast<MemRefType>(op.getB().getType()),
      cast<MemRefType>(op.getC().getType()), *d, *a, *b, *c);
}

LogicalResult Lowering::lower(MmaAtomCallSSAOp op) {
  auto atom = cast<MmaAtomType>(op.getMmaAtom().getType());
  auto emission = dyn_cast<MmaEmission>(atom.getMmaOp());
  if (!emission)
    return noEmission(op, atom.getMmaOp());
  if (failed(checkChips(op, atom.getMmaOp())))
    return failure();
  if ((op.getNumResults() == 1) == bool(op.getD()))
    return op.emitOpError("expected either a result or d");
  FailureOr<Value> state = lookup(op, op.getMmaAtom());
  if (failed(state))
    return failure();
  auto converted = [&](Value value) -> FailureOr<Value> {
    return value && isa<MemRefType>(value.getType()) ? lookup(op, value)
                                                     : FailureOr<Value>(value);
  };
  FailureOr<Value> d = converted(op.getD()), a = converted(op.getA());
  FailureOr<Value> b = converted(op.getB()), c = converted(op.getC());
  if (failed(d) || failed(a) || failed(b) || failed(c))
    return failure();
  Type resultType = op.getNumResults() ? op.getResult(0).getType() : Type();
  FailureOr<Value> result = emission.emitMmaSSA(
      builder, op.getLoc(), atom, *state, resultType, *d,
      op.getD() ? op.getD().getType() : Type(), *a, op.getA().getType(), *b,
      op.getB().getType(), *c, op.getC().getType());
  if (failed(result))
    return failure();
  if (resultType)
    op.getResult(0).replaceAllUsesWith(*result);
  return success();
}

LogicalResult Lowering::lowerAtomOp(Operation *op) {
  if (auto value = dyn_cast<StaticOp>(op)) {
    // An atom from nothing; other static values are for types alone.
    Type type = value.getType();
    if (isa<CopyAtomType, MmaAtomType, TiledCopyType, TiledMmaType>(type))
      define(value.getResult(), Value());
    done.push_back({op, false});
    return success();
  }
  lowered(op);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](MakeCopyAtomOp make) {
        return makeAtom(op, cast<CopyAtomType>(make.getType()).getCopyOp());
      })
      .Case([&](MakeMmaAtomOp make) {
        return makeAtom(op, cast<MmaAtomType>(make.getType()).getMmaOp());
      })
      .Case<MakeTiledCopyOp, MakeTiledMmaOp>([&](Operation *make) {
        FailureOr<Value> atom = lookup(make, make->getOperand(0));
        if (failed(atom))
          return failure();
        define(make->getResult(0), *atom);
        return success();
      })
      .Case<AtomSetValueOp, CopyAtomCallOp, CopyAtomCallSSAOp, MmaAtomCallOp,
            MmaAtomCallSSAOp>([&](auto typed) { return lower(typed); })
      .Default([](Operation *) { return success(); });
}

} // namespace mlir::fly
