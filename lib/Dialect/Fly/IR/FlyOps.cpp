// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated classes of the ops, the text of their irregular parts, and normal
// forms.

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir::fly {

/// `a` for `#fly<mma_operand a>`.
static ParseResult parseMmaOperandKeyword(OpAsmParser &parser,
                                          MmaOperandAttr &operand) {
  SMLoc start = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<MmaOperand> value = symbolizeMmaOperand(word);
  if (!value)
    return parser.emitError(start, "expected an MMA operand a, b, c or d, "
                                   "found '")
           << word << "'";
  operand = MmaOperandAttr::get(parser.getContext(), *value);
  return success();
}

static void printMmaOperandKeyword(OpAsmPrinter &printer, Operation *,
                                   MmaOperandAttr operand) {
  printer << stringifyMmaOperand(operand.getValue());
}

/// A memref type without its prefix, or any type in full.
static ParseResult parseShortType(OpAsmParser &parser, Type &type) {
  OptionalParseResult full = parser.parseOptionalType(type);
  if (full.has_value())
    return *full;
  type = MemRefType::parse(parser);
  return success(static_cast<bool>(type));
}

static void printShortType(OpAsmPrinter &printer, Operation *, Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    memref.print(printer);
  else
    printer << type;
}

} // namespace mlir::fly

#define GET_OP_CLASSES
#include "fly/Dialect/Fly/IR/FlyOps.cpp.inc"

void mlir::fly::FlyDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "fly/Dialect/Fly/IR/FlyOps.cpp.inc"
      >();
}
