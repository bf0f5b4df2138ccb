// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types' syntax and registration, the step from builtin types to the names
// of the instruction tables, and questions about any of the types.
//
//   elementOf(f16)  ->  Element::F16

#include "fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::fly_rocdl {

namespace amdgpu = ::fly::amdgpu;
namespace layout = ::fly::layout;

//===----------------------------------------------------------------------===//
// Pieces of syntax
//===----------------------------------------------------------------------===//

/// `16x16x16`.
static ParseResult parseMmaShape(AsmParser &parser, int32_t &m, int32_t &n,
                                 int32_t &k) {
  SmallVector<int64_t> dims;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseDimensionList(dims, /*allowDynamic=*/false,
                                /*withTrailingX=*/false))
    return failure();
  if (dims.size() != 3)
    return parser.emitError(where, "expected a shape MxNxK, got ")
           << dims.size() << " dimensions";
  for (int64_t dim : dims)
    if (dim < 1 || dim > 4096)
      return parser.emitError(where, "expected dimensions from 1 to 4096, got ")
             << dim;
  m = dims[0];
  n = dims[1];
  k = dims[2];
  return success();
}

static void printMmaShape(AsmPrinter &printer, int32_t m, int32_t n,
                          int32_t k) {
  printer << m << 'x' << n << 'x' << k;
}

static ParseResult parseFlag(AsmParser &parser, bool &flag) {
  StringRef word;
  SMLoc where = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&word, {"true", "false"}))) {
    flag = word == "true";
    return success();
  }
  return parser.emitError(where, "expected 'true' or 'false'");
}

static void printFlag(AsmPrinter &printer, bool flag) {
  printer << (flag ? "true" : "false");
}

static ParseResult parseAtomicKeyword(AsmParser &parser,
                                      fly::AtomicOp &operation) {
  StringRef word;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<fly::AtomicOp> value = fly::symbolizeAtomicOp(word);
  if (!value)
    return parser.emitError(
               where, "expected add, max, min, and, or, inc or dec, got '")
           << word << "'";
  operation = *value;
  return success();
}

static void printAtomicKeyword(AsmPrinter &printer, fly::AtomicOp operation) {
  printer << fly::stringifyAtomicOp(operation);
}

/// `16b`.
static ParseResult parseElementBits(AsmParser &parser, int32_t &bits) {
  int32_t value;
  if (parser.parseInteger(value) || parser.parseKeyword("b"))
    return failure();
  bits = value;
  return success();
}

static void printElementBits(AsmPrinter &printer, int32_t bits) {
  printer << bits << 'b';
}

} // namespace mlir::fly_rocdl

#define GET_TYPEDEF_CLASSES
#include "fly/Dialect/FlyROCDL/IR/FlyROCDLTypes.cpp.inc"

namespace mlir::fly_rocdl {

void FlyROCDLDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fly/Dialect/FlyROCDL/IR/FlyROCDLTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Elements and registers
//===----------------------------------------------------------------------===//

std::optional<amdgpu::Element> elementOf(Type type) {
  using amdgpu::Element;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 64:
      return Element::I64;
    case 32:
      return Element::I32;
    case 16:
      return Element::I16;
    case 8:
      return Element::I8;
    case 4:
      return Element::I4;
    }
    return std::nullopt;
  }
  return TypeSwitch<Type, std::optional<Element>>(type)
      .Case([](Float64Type) { return Element::F64; })
      .Case([](Float32Type) { return Element::F32; })
      .Case([](Float16Type) { return Element::F16; })
      .Case([](BFloat16Type) { return Element::BF16; })
      .Case([](Float8E4M3FNType) { return Element::F8E4M3FN; })
      .Case([](Float8E5M2Type) { return Element::F8E5M2; })
      .Case([](Float8E4M3FNUZType) { return Element::F8E4M3FNUZ; })
      .Case([](Float8E5M2FNUZType) { return Element::F8E5M2FNUZ; })
      .Case([](Float6E2M3FNType) { return Element::F6E2M3FN; })
      .Case([](Float6E3M2FNType) { return Element::F6E3M2FN; })
      .Case([](Float4E2M1FNType) { return Element::F4E2M1FN; })
      .Default([](Type) { return std::nullopt; });
}

Type registerType(MLIRContext *context, amdgpu::RegisterType type) {
  using amdgpu::Element;
  Builder b(context);
  Type element;
  switch (type.element) {
  case Element::F64:
    element = b.getF64Type();
    break;
  case Element::F32:
    element = b.getF32Type();
    break;
  case Element::F16:
    element = b.getF16Type();
    break;
  case Element::BF16:
    element = b.getBF16Type();
    break;
  default: // small floats travel as integers
    element = b.getIntegerType(amdgpu::bitsOf(type.element));
    break;
  }
  if (type.count == 1)
    return element;
  return VectorType::get({type.count}, element);
}

//===----------------------------------------------------------------------===//
// Questions about any of them
//===----------------------------------------------------------------------===//

std::optional<int64_t> stateFieldIndex(Type type, StringRef field) {
  auto stateful = dyn_cast<fly::StatefulOpTypeInterface>(type);
  if (!stateful)
    return std::nullopt;
  for (auto [index, name] : llvm::enumerate(stateful.getStateFields()))
    if (name == field)
      return int64_t(index);
  return std::nullopt;
}

static std::string refuse(StringRef instruction, const amdgpu::Chip &chip) {
  return (chip.name + " has no " + instruction).str();
}

std::string whyNotOn(Type type, const amdgpu::Chip &chip) {
  auto mma = [&](auto atom) -> std::string {
    const amdgpu::MmaRow *row = atom.getRow();
    return row->runsOn(chip) ? std::string()
                             : refuse(row->text(), chip) + "; it runs on " +
                                   amdgpu::chipsOf(*row);
  };
  auto copy = [&](amdgpu::CopyKind kind, int64_t bits, int64_t elementBits) {
    const amdgpu::CopyRow *row = amdgpu::findCopyRow(kind, bits, elementBits);
    return row->runsOn(chip) ? std::string()
                             : refuse(amdgpu::spell(kind).str() + " of " +
                                          std::to_string(bits) + " bits",
                                      chip);
  };
  return TypeSwitch<Type, std::string>(type)
      .Case<MmaOpCDNA3MFMAType, MmaOpCDNA4MFMAScaleType, MmaOpGFX11WMMAType,
            MmaOpGFX120xWMMAType, MmaOpGFX1250WMMAType,
            MmaOpGFX1250WMMAScaleType>(mma)
      .Case([&](CopyOpCDNA3BufferCopyType t) {
        return copy(amdgpu::CopyKind::BufferCopy, t.getBitSize(), 0);
      })
      .Case([&](CopyOpCDNA3BufferCopyLdsType t) {
        return copy(amdgpu::CopyKind::BufferCopyLds, t.getBitSize(), 0);
      })
      .Case([&](CopyOpCDNA4LdsReadTransType t) {
        return copy(amdgpu::CopyKind::LdsReadTranspose, t.getBitSize(),
                    t.getElementBits());
      })
      .Case([&](CopyOpCDNA4BufferLoadAsyncLdsType t) {
        return copy(amdgpu::CopyKind::BufferLoadAsyncLds, t.getBitSize(), 0);
      })
      .Case([&](CopyOpCDNA4GlobalLoadAsyncLdsType t) {
        return copy(amdgpu::CopyKind::GlobalLoadAsyncLds, t.getBitSize(), 0);
      })
      .Case([&](CopyOpGFX1250TDMType) {
        return chip.has(amdgpu::Feature::TensorDataMover)
                   ? std::string()
                   : refuse("gfx1250.tdm", chip);
      })
      .Case([&](CopyOpCDNA3BufferAtomicType t) {
        if (t.getRow()->runsOn(chip))
          return std::string();
        std::string text;
        llvm::raw_string_ostream os(text);
        os << "cdna3.buffer_atomic " << fly::stringifyAtomicOp(t.getOperation())
           << " of " << t.getValueType();
        return refuse(text, chip);
      })
      .Default([](Type) { return std::string(); });
}

} // namespace mlir::fly_rocdl
