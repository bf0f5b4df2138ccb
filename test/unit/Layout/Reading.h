// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads values from text in tests; text that does not parse fails the test.

#ifndef FLY_TEST_UNIT_LAYOUT_READING_H
#define FLY_TEST_UNIT_LAYOUT_READING_H

#include "fly/Layout/Text.h"

#include <gtest/gtest.h>

namespace fly::layout {

/// The value of `text` by one of the grammar's productions.
template <typename Value>
Value readWith(bool (*parse)(TokenSource &, Value &), llvm::StringRef text) {
  TextSource source(text);
  Value value;
  EXPECT_TRUE(parse(source, value) && source.atEnd())
      << text.str() << ": " << source.errorMessage();
  return value;
}

inline IntTuple readTuple(llvm::StringRef text) {
  return readWith<IntTuple>(parseIntTuple, text);
}
inline Layout readLayout(llvm::StringRef text) {
  return readWith<Layout>(parseLayout, text);
}
inline AnyLayout readAnyLayout(llvm::StringRef text) {
  return readWith<AnyLayout>(parseAnyLayout, text);
}
inline Tile readTile(llvm::StringRef text) {
  return readWith<Tile>(parseTile, text);
}

} // namespace fly::layout

#endif // FLY_TEST_UNIT_LAYOUT_READING_H
