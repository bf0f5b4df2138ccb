// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that an expression can call: one row each, with the name of
// the dialect's operation, what its parameters take, and a body that hands
// them to Algebra.h. As with the operations, a function that is defined on
// plain layouts acts on the linear layout of a composed one and keeps the
// chain around it.
//
//   complement(S<1,0,1> o 0 o 3:1, 12)        S<1,0,1> o 0 o 4:3

#include "fly/Layout/Algebra.h"
#include "fly/Layout/Expression.h"

using namespace fly::layout;

namespace {
using Arguments = llvm::ArrayRef<Value>;
} // namespace

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// The chain of `l` around `map` of its linear layout.
static Value mapLinear(const Value &value,
                       llvm::function_ref<Layout(const Layout &)> map) {
  return value.layout.withLinear(map(value.layout.linear()));
}

static std::optional<IntTuple> optionalTuple(Arguments args, unsigned index) {
  if (index >= args.size())
    return std::nullopt;
  return args[index].tuple;
}

static int32_t number(const Value &value) {
  return static_cast<int32_t>(value.tuple.leaf().value());
}

static std::optional<int32_t> optionalNumber(Arguments args, unsigned index) {
  if (index >= args.size())
    return std::nullopt;
  return number(args[index]);
}

static std::vector<int32_t> numbers(const Value &value) {
  std::vector<int32_t> result;
  if (value.tuple.isTuple())
    for (const IntTuple &leaf : value.tuple.elements())
      result.push_back(static_cast<int32_t>(leaf.leaf().value()));
  return result;
}

static bool isTuple(const Value &value) {
  return value.kind == Value::Kind::Tuple;
}

// --- Constructors and extractors ---------------------------------------------

static Value runMakeLayout(Arith &arith, Arguments args) {
  const IntTuple &shape = args[0].tuple, &stride = args[1].tuple;
  if (!congruent(shape, stride))
    arith.fail("shape " + shape.str() + " and stride " + stride.str() +
               " are not congruent");
  return Layout{shape, stride};
}
static Value runMakeComposed(Arith &, Arguments args) {
  ComposedLayout composed;
  if (args[0].kind == Value::Kind::Swizzle)
    composed.inner = args[0].swizzle;
  else if (args[0].kind == Value::Kind::CoordSwizzle)
    composed.inner = args[0].coordSwizzle;
  else
    composed.inner = args[0].layout;
  composed.offset = args[1].tuple;
  composed.outer = args[2].layout;
  return AnyLayout(std::move(composed));
}
static Value runMakeLayoutLike(Arith &arith, Arguments args) {
  return makeLayoutLike(arith, args[0].layout.linear());
}
static Value runMakeFragmentLayoutLike(Arith &arith, Arguments args) {
  return makeFragmentLayoutLike(arith, args[0].layout.linear());
}
static Value runMakeOrderedLayout(Arith &arith, Arguments args) {
  return makeOrderedLayout(arith, args[0].tuple, args[1].tuple);
}
static Value runMakeIdentityLayout(Arith &arith, Arguments args) {
  return makeIdentityLayout(arith, args[0].tuple);
}
static Value runGetShape(Arith &, Arguments args) {
  return args[0].layout.linear().shape;
}
static Value runGetStride(Arith &, Arguments args) {
  return args[0].layout.plain().stride;
}

/// The composed layout of an argument; a plain one fails.
static const ComposedLayout *composedOf(Arith &arith, const Value &value) {
  if (value.layout.isComposed())
    return &value.layout.composed();
  arith.fail("expected a composed layout, got the plain layout " + value.str());
  return nullptr;
}
static Value runComposedInner(Arith &arith, Arguments args) {
  const ComposedLayout *composed = composedOf(arith, args[0]);
  if (!composed)
    return args[0];
  switch (composed->inner.kind) {
  case InnerMap::Kind::Swizzle:
    return composed->inner.swizzle;
  case InnerMap::Kind::CoordSwizzle:
    return composed->inner.coordSwizzle;
  case InnerMap::Kind::Layout:
    break;
  }
  return composed->inner.layout;
}
static Value runComposedOffset(Arith &arith, Arguments args) {
  const ComposedLayout *composed = composedOf(arith, args[0]);
  return composed ? Value(composed->offset) : args[0];
}
static Value runComposedOuter(Arith &arith, Arguments args) {
  const ComposedLayout *composed = composedOf(arith, args[0]);
  return composed ? Value(composed->outer) : args[0];
}

// --- Tuples and structure ----------------------------------------------------

using OnTuple = IntTuple (*)(Arith &, const IntTuple &);
static Value onTuple(Arith &arith, Arguments args, OnTuple function) {
  return function(arith, args[0].tuple);
}
using OnTuples = IntTuple (*)(Arith &, const IntTuple &, const IntTuple &);
static Value onTuples(Arith &arith, Arguments args, OnTuples function) {
  return function(arith, args[0].tuple, args[1].tuple);
}
static Value runElemLess(Arith &arith, Arguments args) {
  return IntTuple(elemLess(arith, args[0].tuple, args[1].tuple));
}
static Value runEqual(Arith &arith, Arguments args) {
  return IntTuple(equal(arith, args[0].tuple, args[1].tuple));
}

static Value runGet(Arith &arith, Arguments args) {
  std::vector<int32_t> path = numbers(args[1]);
  if (isTuple(args[0]))
    return get(arith, args[0].tuple, path);
  return get(arith, args[0].layout, path);
}
static Value runTake(Arith &arith, Arguments args) {
  int32_t begin = number(args[1]), end = number(args[2]);
  if (isTuple(args[0]))
    return take(arith, args[0].tuple, begin, end);
  return take(arith, args[0].layout, begin, end);
}
static Value runSelect(Arith &arith, Arguments args) {
  std::vector<int32_t> modes = numbers(args[1]);
  if (isTuple(args[0]))
    return select(arith, args[0].tuple, modes);
  return select(arith, args[0].layout, modes);
}
static Value runGroup(Arith &arith, Arguments args) {
  int32_t begin = number(args[1]), end = number(args[2]);
  if (isTuple(args[0]))
    return group(arith, args[0].tuple, begin, end);
  return group(arith, args[0].layout, begin, end);
}

using ExtendTuple = IntTuple (*)(Arith &, const IntTuple &, const IntTuple &,
                                 std::optional<int32_t>);
using ExtendLayout = AnyLayout (*)(Arith &, const AnyLayout &, const Layout &,
                                   std::optional<int32_t>);

/// Appends or prepends; both are tuples or both are layouts.
static Value extend(Arith &arith, Arguments args, ExtendTuple onTuple,
                    ExtendLayout onLayout) {
  const Value &whole = args[0], &element = args[1];
  if (isTuple(whole) != isTuple(element)) {
    arith.fail("tuple and element are of different kinds, " + whole.str() +
               " and " + element.str());
    return whole;
  }
  std::optional<int32_t> rank = optionalNumber(args, 2);
  if (isTuple(whole))
    return onTuple(arith, whole.tuple, element.tuple, rank);
  if (element.layout.isComposed()) {
    arith.fail("expected a plain layout as element, got " + element.str());
    return whole;
  }
  return onLayout(arith, whole.layout, element.layout.plain(), rank);
}
static Value runAppend(Arith &arith, Arguments args) {
  return extend(arith, args, append, append);
}
static Value runPrepend(Arith &arith, Arguments args) {
  return extend(arith, args, prepend, prepend);
}
static Value runSlice(Arith &arith, Arguments args) {
  if (isTuple(args[0]))
    return slice(arith, args[0].tuple, args[1].tuple);
  return slice(arith, args[0].layout, args[1].tuple);
}
static Value runDice(Arith &arith, Arguments args) {
  if (isTuple(args[0]))
    return dice(arith, args[0].tuple, args[1].tuple);
  if (args[0].layout.isPlain())
    return dice(arith, args[0].layout.plain(), args[1].tuple);
  arith.fail("expected a tuple or a plain layout, got " + args[0].str());
  return args[0];
}

// --- Queries and coordinate maps ---------------------------------------------

static Value runSize(Arith &arith, Arguments args) {
  return isTuple(args[0]) ? product(arith, args[0].tuple)
                          : size(arith, args[0].layout.linear());
}
using Query = IntTuple (*)(Arith &, const Layout &);
static Value query(Arith &arith, Arguments args, Query function) {
  return function(arith, args[0].layout.linear());
}
static Value runCrd2Idx(Arith &arith, Arguments args) {
  const IntTuple &coord = args[0].tuple;
  const Value &map = args[1];
  if (map.kind == Value::Kind::Swizzle)
    return applySwizzle(arith, map.swizzle, coord);
  if (map.kind == Value::Kind::CoordSwizzle)
    return applyCoordSwizzle(arith, map.coordSwizzle, coord);
  return crd2idx(arith, coord, map.layout);
}
using OnIndex = IntTuple (*)(Arith &, const IntTuple &, const Layout &);
static Value onIndex(Arith &arith, Arguments args, OnIndex function) {
  return function(arith, args[0].tuple, args[1].layout.plain());
}

// --- Algebra -----------------------------------------------------------------

static Value runCoalesce(Arith &arith, Arguments args) {
  std::optional<IntTuple> pattern = optionalTuple(args, 1);
  return mapLinear(args[0], [&](const Layout &l) {
    return pattern ? coalesce(arith, l, *pattern) : coalesce(arith, l);
  });
}
static Value runComplement(Arith &arith, Arguments args) {
  std::optional<IntTuple> codomain = optionalTuple(args, 1);
  return mapLinear(
      args[0], [&](const Layout &l) { return complement(arith, l, codomain); });
}
using Unary = Layout (*)(Arith &, const Layout &);
static Value unary(Arith &arith, Arguments args, Unary function) {
  return mapLinear(args[0],
                   [&](const Layout &l) { return function(arith, l); });
}
static Value runComposition(Arith &arith, Arguments args) {
  const Tile &inner = args[1].tile;
  return mapLinear(args[0], [&](const Layout &l) {
    return inner.isLayout() ? composition(arith, l, inner.layout())
                            : composition(arith, l, inner);
  });
}
using Divide = Layout (*)(Arith &, const Layout &, const Tile &);
static Value divideBy(Arith &arith, Arguments args, Divide function) {
  return mapLinear(args[0], [&](const Layout &l) {
    return function(arith, l, args[1].tile);
  });
}
using Product = Layout (*)(Arith &, const Layout &, const Layout &);
static Value multiplyBy(Arith &arith, Arguments args, Product function) {
  return mapLinear(args[0], [&](const Layout &l) {
    return function(arith, l, args[1].layout.plain());
  });
}
static Value runRecast(Arith &arith, Arguments args) {
  return recast(arith, args[0].layout, number(args[1]), number(args[2]));
}
static Value runTileToShape(Arith &arith, Arguments args) {
  return mapLinear(args[0], [&](const Layout &l) {
    return tileToShape(arith, l, args[1].tuple, args[2].tuple);
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
using Takes = Argument;

constexpr Parameter oneShape[] = {{"shape", Takes::Tuple}};
constexpr Parameter shapeStride[] = {{"shape", Takes::Tuple},
                                     {"stride", Takes::Tuple}};
constexpr Parameter shapeOrder[] = {{"shape", Takes::Tuple},
                                    {"order", Takes::Tuple}};
constexpr Parameter composed[] = {{"inner", Takes::Map},
                                  {"offset", Takes::Tuple},
                                  {"outer", Takes::AnyLayout}};
constexpr Parameter oneLayout[] = {{"layout", Takes::AnyLayout}};
constexpr Parameter onePlain[] = {{"layout", Takes::Layout}};
constexpr Parameter oneTuple[] = {{"tuple", Takes::Tuple}};
constexpr Parameter twoTuples[] = {{"lhs", Takes::Tuple},
                                   {"rhs", Takes::Tuple}};
constexpr Parameter getMode[] = {{"input", Takes::TupleOrLayout},
                                 {"mode", Takes::Numbers}};
constexpr Parameter range[] = {{"input", Takes::TupleOrLayout},
                               {"begin", Takes::Number},
                               {"end", Takes::Number}};
constexpr Parameter indices[] = {{"input", Takes::TupleOrLayout},
                                 {"indices", Takes::Numbers}};
constexpr Parameter extension[] = {{"input", Takes::TupleOrLayout},
                                   {"element", Takes::TupleOrLayout},
                                   {"n", Takes::Number, true}};
constexpr Parameter sliced[] = {{"input", Takes::TupleOrLayout},
                                {"coord", Takes::Tuple}};
constexpr Parameter anyInput[] = {{"input", Takes::TupleOrLayout}};
constexpr Parameter coordMap[] = {{"coord", Takes::Tuple},
                                  {"layout", Takes::Map}};
constexpr Parameter indexLayout[] = {{"index", Takes::Tuple},
                                     {"layout", Takes::Layout}};
constexpr Parameter coalesced[] = {{"layout", Takes::AnyLayout},
                                   {"pattern", Takes::Tuple, true}};
constexpr Parameter complemented[] = {{"layout", Takes::AnyLayout},
                                      {"codomain_size", Takes::Tuple, true}};
constexpr Parameter compose[] = {{"outer", Takes::AnyLayout},
                                 {"inner", Takes::Tiler}};
constexpr Parameter divide[] = {{"layout", Takes::AnyLayout},
                                {"divisor", Takes::Tiler}};
constexpr Parameter multiply[] = {{"block", Takes::AnyLayout},
                                  {"tiler", Takes::Layout}};
constexpr Parameter recasting[] = {{"layout", Takes::AnyLayout},
                                   {"new_type_bits", Takes::Number},
                                   {"old_type_bits", Takes::Number}};
constexpr Parameter toShape[] = {{"block", Takes::AnyLayout},
                                 {"shape", Takes::Tuple},
                                 {"order", Takes::Tuple}};

const Function functions[] = {
    {"make_layout", shapeStride, runMakeLayout},
    {"make_layout_like", oneLayout, runMakeLayoutLike},
    {"make_ordered_layout", shapeOrder, runMakeOrderedLayout},
    {"make_composed_layout", composed, runMakeComposed},
    {"make_identity_layout", oneShape, runMakeIdentityLayout},
    {"make_fragment_layout_like", oneLayout, runMakeFragmentLayoutLike},
    {"get_shape", oneLayout, runGetShape},
    {"get_stride", onePlain, runGetStride},
    {"composed_get_inner", oneLayout, runComposedInner},
    {"composed_get_offset", oneLayout, runComposedOffset},
    {"composed_get_outer", oneLayout, runComposedOuter},
    {"int_tuple_add", twoTuples,
     [](Arith &a, Arguments x) { return onTuples(a, x, tupleAdd); }},
    {"int_tuple_sub", twoTuples,
     [](Arith &a, Arguments x) { return onTuples(a, x, tupleSub); }},
    {"int_tuple_mul", twoTuples,
     [](Arith &a, Arguments x) { return onTuples(a, x, tupleMul); }},
    {"int_tuple_div", twoTuples,
     [](Arith &a, Arguments x) { return onTuples(a, x, tupleDiv); }},
    {"int_tuple_mod", twoTuples,
     [](Arith &a, Arguments x) { return onTuples(a, x, tupleMod); }},
    {"int_tuple_product", oneTuple,
     [](Arith &a, Arguments x) { return onTuple(a, x, product); }},
    {"int_tuple_product_each", oneTuple,
     [](Arith &a, Arguments x) { return onTuple(a, x, productEach); }},
    {"int_tuple_product_like", twoTuples,
     [](Arith &a, Arguments x) { return onTuples(a, x, productLike); }},
    {"shape_div", twoTuples,
     [](Arith &a, Arguments x) { return onTuples(a, x, shapeDiv); }},
    {"ceil_div", twoTuples,
     [](Arith &a, Arguments x) { return onTuples(a, x, ceilDiv); }},
    {"elem_less", twoTuples, runElemLess},
    {"equal", twoTuples, runEqual},
    {"get", getMode, runGet},
    {"take", range, runTake},
    {"select", indices, runSelect},
    {"group", range, runGroup},
    {"append", extension, runAppend},
    {"prepend", extension, runPrepend},
    {"slice", sliced, runSlice},
    {"dice", sliced, runDice},
    {"size", anyInput, runSize},
    {"coprofile", oneLayout,
     [](Arith &a, Arguments x) { return query(a, x, coprofile); }},
    {"coshape", oneLayout,
     [](Arith &a, Arguments x) { return query(a, x, coshape); }},
    {"cosize", oneLayout,
     [](Arith &a, Arguments x) { return query(a, x, cosize); }},
    {"crd2idx", coordMap, runCrd2Idx},
    {"idx2crd", indexLayout,
     [](Arith &a, Arguments x) { return onIndex(a, x, idx2crd); }},
    {"get_flat_coord", indexLayout,
     [](Arith &a, Arguments x) { return onIndex(a, x, flatCoord); }},
    {"get_1d_coord", indexLayout,
     [](Arith &a, Arguments x) { return onIndex(a, x, oneDimCoord); }},
    {"coalesce", coalesced, runCoalesce},
    {"composition", compose, runComposition},
    {"complement", complemented, runComplement},
    {"right_inverse", oneLayout,
     [](Arith &a, Arguments x) { return unary(a, x, rightInverse); }},
    {"left_inverse", oneLayout,
     [](Arith &a, Arguments x) { return unary(a, x, leftInverse); }},
    {"logical_divide", divide,
     [](Arith &a, Arguments x) { return divideBy(a, x, logicalDivide); }},
    {"zipped_divide", divide,
     [](Arith &a, Arguments x) { return divideBy(a, x, zippedDivide); }},
    {"tiled_divide", divide,
     [](Arith &a, Arguments x) { return divideBy(a, x, tiledDivide); }},
    {"flat_divide", divide,
     [](Arith &a, Arguments x) { return divideBy(a, x, flatDivide); }},
    {"logical_product", multiply,
     [](Arith &a, Arguments x) { return multiplyBy(a, x, logicalProduct); }},
    {"zipped_product", multiply,
     [](Arith &a, Arguments x) { return multiplyBy(a, x, zippedProduct); }},
    {"tiled_product", multiply,
     [](Arith &a, Arguments x) { return multiplyBy(a, x, tiledProduct); }},
    {"flat_product", multiply,
     [](Arith &a, Arguments x) { return multiplyBy(a, x, flatProduct); }},
    {"blocked_product", multiply,
     [](Arith &a, Arguments x) { return multiplyBy(a, x, blockedProduct); }},
    {"raked_product", multiply,
     [](Arith &a, Arguments x) { return multiplyBy(a, x, rakedProduct); }},
    {"recast_layout", recasting, runRecast},
    {"tile_to_shape", toShape, runTileToShape},
};
} // namespace

llvm::ArrayRef<Function> fly::layout::expressionFunctions() {
  return functions;
}

const Function *fly::layout::findExpressionFunction(llvm::StringRef name) {
  for (const Function &function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

std::string Function::signature() const {
  std::string text = name.str() + "(";
  for (size_t i = 0, e = parameters.size(); i != e; ++i) {
    const Parameter &parameter = parameters[i];
    if (parameter.isOptional)
      text += "[";
    text += i ? ", " : "";
    text += parameter.name.str();
    if (parameter.takes == Argument::Numbers)
      text += "...";
    if (parameter.isOptional)
      text += "]";
  }
  return text + ")";
}
