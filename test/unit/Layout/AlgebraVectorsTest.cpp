// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs each row of AlgebraVectors.inc and compares the printed result. Rows
// with unknown leaves run with the arithmetic of types; static ones with both,
// and both must agree.

#include "Reading.h"
#include "fly/Layout/Algebra.h"

#include "llvm/ADT/StringExtras.h"

using namespace fly::layout;

namespace {

struct Row {
  int number;
  const char *op, *operands, *attributes, *result;
};

const Row rows[] = {
#include "AlgebraVectors.inc"
};

using Attributes = llvm::SmallVector<int32_t>;
using Unary = Layout (*)(Arith &, const Layout &);
using ByTile = Layout (*)(Arith &, const Layout &, const Tile &);
using ByLayout = Layout (*)(Arith &, const Layout &, const Layout &);
using OnTuples = IntTuple (*)(Arith &, const IntTuple &, const IntTuple &);

/// What an operation gets: its operands as text, its attributes as numbers.
struct Call {
  Arith &arith;
  llvm::SmallVector<llvm::StringRef> operands;
  Attributes attributes;

  IntTuple tuple(unsigned i) const { return readTuple(operands[i]); }
  Layout layout(unsigned i) const { return readLayout(operands[i]); }
  AnyLayout any(unsigned i) const { return readAnyLayout(operands[i]); }
  Tile tile(unsigned i) const { return readTile(operands[i]); }
  bool has(unsigned i) const { return i < operands.size(); }
};

std::string coordToIndex(const Call &c) {
  llvm::StringRef map = c.operands[1];
  if (map.starts_with("CS") && !map.contains(" o "))
    return applyCoordSwizzle(c.arith, readWith(parseCoordSwizzle, map),
                             c.tuple(0))
        .str();
  if (map.starts_with("S") && !map.contains(" o "))
    return applySwizzle(c.arith, readWith(parseSwizzle, map), c.tuple(0)).str();
  return crd2idx(c.arith, c.tuple(0), c.any(1)).str();
}

/// Operations of layouts that answer layouts; empty when `op` is none.
std::string runAlgebra(llvm::StringRef op, const Call &c) {
  const std::pair<const char *, Unary> unary[] = {
      {"right_inverse", rightInverse},
      {"left_inverse", leftInverse},
      {"make_layout_like", makeLayoutLike},
      {"make_fragment_layout_like", makeFragmentLayoutLike}};
  for (auto [name, function] : unary)
    if (op == name)
      return function(c.arith, c.layout(0)).str();
  const std::pair<const char *, ByTile> byTile[] = {
      {"composition", composition},
      {"logical_divide", logicalDivide},
      {"zipped_divide", zippedDivide},
      {"tiled_divide", tiledDivide},
      {"flat_divide", flatDivide}};
  for (auto [name, function] : byTile)
    if (op == name)
      return function(c.arith, c.layout(0), c.tile(1)).str();
  const std::pair<const char *, ByLayout> byLayout[] = {
      {"logical_product", logicalProduct}, {"zipped_product", zippedProduct},
      {"tiled_product", tiledProduct},     {"flat_product", flatProduct},
      {"blocked_product", blockedProduct}, {"raked_product", rakedProduct}};
  for (auto [name, function] : byLayout)
    if (op == name)
      return function(c.arith, c.layout(0), c.layout(1)).str();
  if (op == "coalesce")
    return (c.has(1) ? coalesce(c.arith, c.layout(0), c.tuple(1))
                     : coalesce(c.arith, c.layout(0)))
        .str();
  if (op == "complement")
    return (c.has(1) ? complement(c.arith, c.layout(0), c.tuple(1))
                     : complement(c.arith, c.layout(0)))
        .str();
  if (op == "recast_layout")
    return recast(c.arith, c.any(0), c.attributes[0], c.attributes[1]).str();
  if (op == "tile_to_shape")
    return tileToShape(c.arith, c.layout(0), c.tuple(1), c.tuple(2)).str();
  if (op == "make_ordered_layout")
    return makeOrderedLayout(c.arith, c.tuple(0), c.tuple(1)).str();
  if (op == "make_identity_layout")
    return makeIdentityLayout(c.arith, c.tuple(0)).str();
  return {};
}

std::string runStructure(llvm::StringRef op, const Call &c) {
  if (op == "get")
    return get(c.arith, c.any(0), c.attributes).str();
  if (op == "take")
    return take(c.arith, c.any(0), c.attributes[0], c.attributes[1]).str();
  if (op == "select")
    return select(c.arith, c.any(0), c.attributes).str();
  if (op == "group")
    return group(c.arith, c.any(0), c.attributes[0], c.attributes[1]).str();
  if (op == "append")
    return append(c.arith, c.any(0), c.layout(1), std::nullopt).str();
  if (op == "prepend")
    return prepend(c.arith, c.any(0), c.layout(1), std::nullopt).str();
  if (op == "slice")
    return slice(c.arith, c.any(0), c.tuple(1)).str();
  if (op == "dice")
    return dice(c.arith, c.layout(0), c.tuple(1)).str();
  return {};
}

std::string runQueries(llvm::StringRef op, const Call &c) {
  const std::pair<const char *, IntTuple (*)(Arith &, const Layout &)>
      queries[] = {{"size", size},
                   {"cosize", cosize},
                   {"coshape", coshape},
                   {"coprofile", coprofile}};
  for (auto [name, function] : queries)
    if (op == name)
      return function(c.arith, c.layout(0)).str();
  const std::pair<const char *,
                  IntTuple (*)(Arith &, const IntTuple &, const Layout &)>
      maps[] = {{"idx2crd", idx2crd},
                {"get_flat_coord", flatCoord},
                {"get_1d_coord", oneDimCoord}};
  for (auto [name, function] : maps)
    if (op == name)
      return function(c.arith, c.tuple(0), c.layout(1)).str();
  const std::pair<const char *, OnTuples> tuples[] = {
      {"int_tuple_add", tupleAdd}, {"int_tuple_sub", tupleSub},
      {"int_tuple_mul", tupleMul}, {"int_tuple_div", tupleDiv},
      {"int_tuple_mod", tupleMod}, {"shape_div", shapeDiv},
      {"ceil_div", ceilDiv},       {"int_tuple_product_like", productLike}};
  for (auto [name, function] : tuples)
    if (op == name)
      return function(c.arith, c.tuple(0), c.tuple(1)).str();
  if (op == "int_tuple_product")
    return product(c.arith, c.tuple(0)).str();
  if (op == "int_tuple_product_each")
    return productEach(c.arith, c.tuple(0)).str();
  if (op == "crd2idx")
    return coordToIndex(c);
  return {};
}

/// The printed result of a row, or `error`.
std::string run(const Row &row, Arith &arith, std::string &message) {
  Call call{arith, {}, {}};
  llvm::StringRef(row.operands).split(call.operands, " ; ");
  llvm::SmallVector<llvm::StringRef> numbers;
  llvm::StringRef(row.attributes).split(numbers, ',', -1, false);
  for (llvm::StringRef number : numbers) {
    int32_t value = 0;
    EXPECT_FALSE(number.getAsInteger(10, value)) << row.number;
    call.attributes.push_back(value);
  }
  std::string result = runAlgebra(row.op, call);
  if (result.empty())
    result = runStructure(row.op, call);
  if (result.empty())
    result = runQueries(row.op, call);
  EXPECT_FALSE(result.empty()) << "no operation " << row.op;
  message = arith.message();
  return arith.failed() ? "error" : result;
}

TEST(AlgebraVectors, EachRowHasItsResult) {
  unsigned count = 0, refused = 0;
  for (const Row &row : rows) {
    std::string message;
    TypeArith types;
    EXPECT_EQ(run(row, types, message), row.result)
        << "row " << row.number << ": " << row.op << " of " << row.operands
        << ": " << message;
    EXPECT_EQ(message.empty(), llvm::StringRef(row.result) != "error");
    ++count;
    refused += !message.empty();
    if (llvm::StringRef(row.operands).contains('?'))
      continue;
    StaticArith numbers;
    EXPECT_EQ(run(row, numbers, message), row.result) << "row " << row.number;
  }
  EXPECT_EQ(count, 486u);
  RecordProperty("rows", count);
  RecordProperty("refused", refused);
}

/// Diagnostics are lower case without a full stop and name what they met.
TEST(AlgebraVectors, RefusalsNameBothSides) {
  for (const Row &row : rows) {
    if (llvm::StringRef(row.result) != "error")
      continue;
    TypeArith types;
    std::string message;
    run(row, types, message);
    ASSERT_FALSE(message.empty()) << "row " << row.number;
    EXPECT_NE(message.back(), '.') << message;
    EXPECT_FALSE(llvm::isUpper(message.front())) << message;
    EXPECT_TRUE(llvm::any_of(message, llvm::isDigit) ||
                llvm::StringRef(message).contains('*'))
        << message;
  }
}

} // namespace
