// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the dialect, its address space, and its one operation.
//
//   fly_rocdl.get_buffer_rsrc(%p)
//     : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>

#include "fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fly/Dialect/FlyROCDL/IR/FlyROCDLAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "fly/Dialect/FlyROCDL/IR/FlyROCDLOps.cpp.inc"

namespace mlir::fly_rocdl {

void FlyROCDLDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fly/Dialect/FlyROCDL/IR/FlyROCDLAttributes.cpp.inc"
      >();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "fly/Dialect/FlyROCDL/IR/FlyROCDLOps.cpp.inc"
      >();
}

LogicalResult GetBufferRsrcOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr, OpaqueProperties, RegionRange,
    SmallVectorImpl<Type> &results) {
  if (operands.size() != 1)
    return emitOptionalError(location, "expected one operand, got ",
                             operands.size());
  auto pointer = dyn_cast<fly::PointerType>(operands[0].getType());
  if (!pointer || !isa<BufferDescAttr>(pointer.getAddressSpace()))
    return emitOptionalError(
        location, "expected a !fly.ptr in #fly_rocdl.buffer_desc, got ",
        operands[0].getType());
  results.push_back(LLVM::LLVMPointerType::get(context, 8));
  return success();
}

} // namespace mlir::fly_rocdl
