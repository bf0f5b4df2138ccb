// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where pointers come from: shared memory is a global of its gpu.module,
// registers that were not promoted a stack slot of the entry block, a buffer a
// descriptor of four operands.
//
//   fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : !fly.ptr<f16,
//   register>
//     ->  llvm.alloca %n x f16, in the entry block

#include "Lowering.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fly {

//===----------------------------------------------------------------------===//
// LDS
//===----------------------------------------------------------------------===//

/// Alignment of the LDS whose size is given at launch.
static constexpr int64_t dynamicAlignment = 1024;

SharedMemory::SharedMemory(gpu::GPUModuleOp module) : module(module) {
  for (Operation &op : module.getBody()->getOperations()) {
    if (auto symbol = dyn_cast<SymbolOpInterface>(op))
      names.insert(symbol.getName());
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    auto array = global ? dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType())
                        : nullptr;
    if (array && array.getNumElements() == 0 && global.getAddrSpace() == 3 &&
        global.getAlignment().value_or(0) == dynamicAlignment)
      dynamicGlobal = global;
  }
}

LLVM::GlobalOp SharedMemory::create(Location loc, StringRef prefix,
                                    unsigned &next, int64_t bytes,
                                    int64_t alignment) {
  std::string name;
  do
    name = (prefix + Twine(next++)).str();
  while (!names.insert(name).second);
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  return LLVM::GlobalOp::create(
      b, loc, LLVM::LLVMArrayType::get(b.getI8Type(), bytes),
      /*isConstant=*/false, LLVM::Linkage::External, name, Attribute(),
      alignment, /*addrSpace=*/3, /*dsoLocal=*/true);
}

LLVM::GlobalOp SharedMemory::allocate(Location loc, int64_t bytes,
                                      int64_t alignment) {
  return create(loc, "__shared_alloc_", nextShared, bytes, alignment);
}

LLVM::GlobalOp SharedMemory::dynamic(Location loc) {
  if (!dynamicGlobal)
    dynamicGlobal =
        create(loc, "__dynamic_shared_", nextDynamic, 0, dynamicAlignment);
  return dynamicGlobal;
}

FailureOr<SharedMemory *> Lowering::sharedMemoryOf(Operation *op) {
  auto module = op->getParentOfType<gpu::GPUModuleOp>();
  if (!module)
    return op->emitOpError("allocates shared memory and must be in a "
                           "gpu.module");
  if (!root->isAncestor(module))
    return op->emitOpError("allocates shared memory in gpu.module @")
           << module.getName()
           << ", so the pass must run on that module or around it";
  std::unique_ptr<SharedMemory> &memory = sharedMemories[module];
  if (!memory)
    memory = std::make_unique<SharedMemory>(module);
  return memory.get();
}

void Lowering::alignAllocation(PointerType type, Value pointer) {
  if (type.getSwizzle().isTrivial() || !type.isInSpace(AddressSpace::Shared))
    return;
  while (auto gep = pointer.getDefiningOp<LLVM::GEPOp>())
    pointer = gep.getBase();
  auto found = allocations.find(pointer);
  if (found == allocations.end())
    return;
  int64_t wanted = type.getSwizzle().period();
  if (int64_t(found->second.getAlignment().value_or(1)) < wanted)
    found->second.setAlignment(wanted);
}

//===----------------------------------------------------------------------===//
// make_ptr
//===----------------------------------------------------------------------===//

/// A positive integer of `dictAttrs`; a diagnostic when it is not there.
static FailureOr<int64_t> allocationNumber(MakePtrOp op, StringRef name) {
  DictionaryAttr dictionary = op.getDictAttrsAttr();
  auto number =
      dictionary ? dictionary.getAs<IntegerAttr>(name) : IntegerAttr();
  if (!number)
    return op.emitOpError("makes ") << op.getType() << " and needs an integer '"
                                    << name << "' in dictAttrs";
  if (number.getValue().getSignificantBits() > 64 ||
      number.getValue().getSExtValue() < 1 ||
      number.getValue().getSExtValue() > (int64_t(1) << 31))
    return op.emitOpError("needs '")
           << name << "' to be from 1 to 2^31, got " << number;
  return number.getValue().getSExtValue();
}

LogicalResult Lowering::makeRegisters(MakePtrOp op) {
  FailureOr<int64_t> size = allocationNumber(op, "allocSize");
  if (failed(size))
    return failure();
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function || function.isExternal())
    return op.emitOpError("allocates registers and must be in a function");
  // In the entry block the stack slot is static, also for loops.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  PointerType type = op.getType();
  Type element = storageType(type.getElemTy());
  int64_t count = *size;
  if (int64_t bits = type.getElemBits(); bits % 8) {
    // Bits have a byte each, other elements are packed.
    count = bits == 1 ? count : llvm::divideCeil(count * bits, 8);
    element = builder.getI8Type();
  }
  // One array rather than `count` elements: LLVM 22.1's promotion of stack
  // slots to vectors crashes on some of the latter.
  Type array = LLVM::LLVMArrayType::get(element, count);
  Value one = constantInt(builder, op.getLoc(), 1, 64);
  int64_t alignment = type.getAlignment() & -type.getAlignment();
  define(op.getResult(),
         LLVM::AllocaOp::create(
             builder, op.getLoc(),
             LLVM::LLVMPointerType::get(op.getContext(), 5), array, one,
             alignment > int64_t(type.getElemBits() + 7) / 8 ? alignment : 0));
  return success();
}

LogicalResult Lowering::makeShared(MakePtrOp op) {
  FailureOr<int64_t> bytes = allocationNumber(op, "allocBytes");
  FailureOr<int64_t> alignment = allocationNumber(op, "allocAlign");
  if (failed(bytes) || failed(alignment))
    return failure();
  if (!llvm::isPowerOf2_64(*alignment))
    return op.emitOpError("needs 'allocAlign' to be a power of two, got ")
           << *alignment;
  FailureOr<SharedMemory *> memory = sharedMemoryOf(op);
  if (failed(memory))
    return failure();
  LLVM::GlobalOp global = (*memory)->allocate(op.getLoc(), *bytes, *alignment);
  Value address = LLVM::AddressOfOp::create(builder, op.getLoc(), global);
  allocations[address] = global;
  alignAllocation(op.getType(), address);
  define(op.getResult(), address);
  return success();
}

LogicalResult Lowering::makeBuffer(MakePtrOp op) {
  OperandRange args = op.getArgs();
  auto base = args.size() == 4 ? dyn_cast<PointerType>(args[0].getType())
                               : PointerType();
  if (!base || !base.isInSpace(AddressSpace::Global) ||
      !args[1].getType().isInteger(16) || !args[2].getType().isInteger(64) ||
      !args[3].getType().isInteger(32))
    return op.emitOpError("makes a buffer descriptor of a global pointer, an "
                          "i16 stride, an i64 number of bytes and i32 flags, "
                          "got (")
           << args.getTypes() << ")";
  FailureOr<Value> pointer = lookup(op, args[0]);
  if (failed(pointer))
    return failure();
  Location loc = op.getLoc();
  Value resource = ROCDL::MakeBufferRsrcOp::create(
      builder, loc, LLVM::LLVMPointerType::get(op.getContext(), 8), *pointer,
      args[1], args[2], args[3]);
  define(op.getResult(), packed(loc, {resource, constantInt(builder, loc, 0)}));
  return success();
}

Value Lowering::packed(Location loc, FatPointer pointer) {
  Value result = packBuffer(builder, loc, pointer);
  auto second = result.getDefiningOp<LLVM::InsertValueOp>();
  auto first = second.getContainer().getDefiningOp<LLVM::InsertValueOp>();
  packs.append({first.getContainer(), first.getResult(), result});
  return result;
}

LogicalResult Lowering::lower(MakePtrOp op) {
  PointerType type = op.getType();
  if (isBufferSpace(type.getAddressSpace()))
    return makeBuffer(op);
  if (!op.getArgs().empty())
    return op.emitOpError("takes operands only for a buffer descriptor, got ")
           << type;
  if (type.isInSpace(AddressSpace::Register))
    return makeRegisters(op);
  if (type.isInSpace(AddressSpace::Shared))
    return makeShared(op);
  return op.emitOpError("makes pointers to registers, to shared memory and to "
                        "buffers, got ")
         << type;
}

LogicalResult Lowering::lower(GetDynSharedOp op) {
  FailureOr<SharedMemory *> memory = sharedMemoryOf(op);
  if (failed(memory))
    return failure();
  LLVM::GlobalOp global = (*memory)->dynamic(op.getLoc());
  Value address = LLVM::AddressOfOp::create(builder, op.getLoc(), global);
  allocations[address] = global;
  define(op.getResult(), address);
  return success();
}

} // namespace mlir::fly
