// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds where a written type departs from the expected one. In: two types. Out:
// the first place, in the order in which the text of a type is read, shapes
// before strides. The law: a place is named only if the types differ there.
//
//   (4,(2,8)):(1,(4,16)) written, (4,(2,8)):(1,(4,8)) expected
//     stride of mode 1.1: written 16, expected 8

#include "TypeMismatch.h"
#include "OpHelpers.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fly;

static std::string difference(const Twine &what, const Twine &written,
                              const Twine &expected) {
  return (what + ": written " + written + ", expected " + expected).str();
}

/// The first mode in which two tuples differ, as `what` "of mode 0.1".
static std::string differenceOf(StringRef what, const IntTuple &written,
                                const IntTuple &expected) {
  IntTuple x = written, y = expected;
  std::string path;
  while (x.isTuple() && y.isTuple() && x.rank() == y.rank()) {
    unsigned at = 0;
    while (at + 1 < x.rank() && x.at(at) == y.at(at))
      ++at;
    path += (path.empty() ? "" : ".") + std::to_string(at);
    IntTuple nextX = x.at(at), nextY = y.at(at);
    x = nextX;
    y = nextY;
  }
  return difference(path.empty() ? what.str() : what.str() + " of mode " + path,
                    x.str(), y.str());
}

static std::string textOf(const InnerMap &map) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (map.kind) {
  case InnerMap::Kind::Swizzle:
    map.swizzle.print(os);
    break;
  case InnerMap::Kind::CoordSwizzle:
    map.coordSwizzle.print(os);
    break;
  case InnerMap::Kind::Layout:
    map.layout.print(os);
    break;
  }
  return text;
}

static std::string differenceOf(const AnyLayout &written,
                                const AnyLayout &expected) {
  if (written.isPlain() && expected.isPlain()) {
    const Layout &x = written.plain(), &y = expected.plain();
    if (x.shape != y.shape)
      return differenceOf("shape", x.shape, y.shape);
    return differenceOf("stride", x.stride, y.stride);
  }
  if (written.isPlain() != expected.isPlain())
    return difference("layout",
                      written.isPlain() ? "a plain one" : "a composed one",
                      expected.isPlain() ? "a plain one" : "a composed one");
  const ComposedLayout &x = written.composed(), &y = expected.composed();
  if (!(x.inner == y.inner))
    return difference("inner map of the layout", textOf(x.inner),
                      textOf(y.inner));
  if (x.offset != y.offset)
    return differenceOf("offset of the layout", x.offset, y.offset);
  return differenceOf(x.outer, y.outer);
}

static std::string textOfSpace(Attribute space) {
  if (auto known = dyn_cast_or_null<AddressSpaceAttr>(space))
    return stringifyAddressSpace(known.getValue()).str();
  std::string text;
  llvm::raw_string_ostream(text) << space;
  return text;
}

/// Empty when the pointers are the same.
static std::string differenceOf(PointerType written, PointerType expected) {
  if (written.getElemTy() != expected.getElemTy())
    return difference("element type", typeText(written.getElemTy()),
                      typeText(expected.getElemTy()));
  if (written.getAddressSpace() != expected.getAddressSpace())
    return difference("address space", textOfSpace(written.getAddressSpace()),
                      textOfSpace(expected.getAddressSpace()));
  if (written.getAlignment() != expected.getAlignment())
    return difference("alignment", Twine(written.getAlignment()),
                      Twine(expected.getAlignment()));
  if (written.getSwizzle() != expected.getSwizzle())
    return difference("swizzle", textOf(InnerMap(written.getSwizzle())),
                      textOf(InnerMap(expected.getSwizzle())));
  return "";
}

std::string mlir::fly::firstDifference(Type written, Type expected) {
  if (written == expected || written.getTypeID() != expected.getTypeID())
    return "";
  if (auto pointer = dyn_cast<PointerType>(written))
    return differenceOf(pointer, cast<PointerType>(expected));
  if (auto memref = dyn_cast<mlir::fly::MemRefType>(written)) {
    auto other = cast<mlir::fly::MemRefType>(expected);
    if (memref.getLayout() != other.getLayout() &&
        memref.getElemTy() == other.getElemTy())
      return differenceOf(memref.getLayout(), other.getLayout());
    return differenceOf(memref.getPointerType(), other.getPointerType());
  }
  AlgebraVal x = valueOfType(written), y = valueOfType(expected);
  switch (x.kind) {
  case AlgebraVal::Kind::IntTuple:
    return x.tuple.isTuple() ? differenceOf("element", x.tuple, y.tuple) : "";
  case AlgebraVal::Kind::Layout:
    return differenceOf(x.layout, y.layout);
  case AlgebraVal::Kind::CoordTensor:
    if (x.tuple != y.tuple)
      return differenceOf("base", x.tuple, y.tuple);
    return differenceOf(x.layout, y.layout);
  default:
    return "";
  }
}

LogicalResult mlir::fly::refuseResultTypes(Operation *op,
                                           ArrayRef<Type> expected) {
  SmallVector<Type> written(op->getResultTypes());
  InFlightDiagnostic error = op->emitOpError("result type")
                             << (expected.size() == 1 ? "" : "s")
                             << ": written " << written << ", expected "
                             << expected;
  for (auto [x, y] : llvm::zip(written, expected)) {
    if (x == y)
      continue;
    std::string place = firstDifference(x, y);
    if (!place.empty())
      error << "; " << place;
    break;
  }
  return error;
}
