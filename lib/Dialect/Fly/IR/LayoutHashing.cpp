// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of layout values. Only what `==` looks at goes in.

#include "fly/Dialect/Fly/IR/LayoutHashing.h"

using llvm::hash_code;
using llvm::hash_combine;
using llvm::hash_combine_range;

namespace fly::layout {

hash_code hash_value(const Int &value) {
  return hash_combine(value.isNone(), value.isDynamic(), value.width(),
                      value.divisor());
}

hash_code hash_value(const IntTuple &value) {
  if (value.isTuple()) {
    llvm::ArrayRef<IntTuple> elements = value.elements();
    return hash_combine_range(elements.begin(), elements.end());
  }
  llvm::ArrayRef<int32_t> modes = value.modes();
  return hash_combine(value.leaf(),
                      hash_combine_range(modes.begin(), modes.end()));
}

hash_code hash_value(const Layout &value) {
  return hash_combine(value.shape, value.stride);
}

hash_code hash_value(const Swizzle &value) {
  return hash_combine(value.mask, value.base, value.shift);
}

hash_code hash_value(const CoordSwizzle &value) {
  return hash_combine(
      value.mask, value.rowBase,
      hash_combine_range(value.rowPath.begin(), value.rowPath.end()),
      value.colBase,
      hash_combine_range(value.colPath.begin(), value.colPath.end()));
}

hash_code hash_value(const AnyLayout &value) {
  return value.isComposed() ? hash_combine(true, value.composed())
                            : hash_combine(false, value.plain());
}

hash_code hash_value(const ComposedLayout &value) {
  hash_code inner = 0;
  switch (value.inner.kind) {
  case InnerMap::Kind::Swizzle:
    inner = hash_value(value.inner.swizzle);
    break;
  case InnerMap::Kind::CoordSwizzle:
    inner = hash_value(value.inner.coordSwizzle);
    break;
  case InnerMap::Kind::Layout:
    inner = hash_value(value.inner.layout);
    break;
  }
  return hash_combine(static_cast<int>(value.inner.kind), inner, value.offset,
                      value.outer);
}

hash_code hash_value(const Tile &value) {
  if (value.isList()) {
    llvm::ArrayRef<Tile> elements = value.elements();
    return hash_combine_range(elements.begin(), elements.end());
  }
  return value.isLayout() ? hash_combine(true, value.layout())
                          : hash_combine(false, value.leaf());
}

} // namespace fly::layout
