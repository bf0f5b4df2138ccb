// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly.print` as one `gpu.printf` in device code, and as `vector.print`s on the
// host; and `fly.assume`, which only changes what is promised. What is printed
// is one list of texts and numbers: in the format each `{}` is the next value,
// a place without a value stays as it is written, values without a place follow
// after a blank. Static numbers are text; of a tensor its layout is printed.
//
//   fly.print(%t) {format = "t={}"} : (!fly.int_tuple<(4,?)>) -> ()
//   gpu.printf "t=(4,%d)\0A", %0 : i32

#include "LayoutLowering.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::layout::AnyLayout;
using ::fly::layout::Int;
using ::fly::layout::IntTuple;
using ::fly::layout::Layout;

namespace {

/// A text, or a number when there is a value.
struct Item {
  std::string text;
  Value value;
};

class Print {
public:
  Print(IREvaluator &eval, PrintOp op)
      : eval(eval), b(eval.builder()), op(op) {}
  Expansion run();

private:
  LogicalResult addValue(Value value);
  void addTuple(const IntTuple &tuple);
  void addLayout(const AnyLayout &layout);
  LogicalResult addNumber(Value value);
  void addText(StringRef text) { items.push_back({text.str(), Value()}); }
  /// Where the text of an item at the end may be written.
  std::string &newText() { return items.emplace_back().text; }
  void printOnDevice();
  void printOnHost();

  IREvaluator &eval;
  OpBuilder &b;
  PrintOp op;
  SmallVector<Item> items;
};

} // namespace

/// Appends a value as it stands in types.
static void print(const ::fly::layout::Swizzle &value, std::string &text) {
  llvm::raw_string_ostream os(text);
  value.print(os);
}
static void print(const ::fly::layout::CoordSwizzle &value, std::string &text) {
  llvm::raw_string_ostream os(text);
  value.print(os);
}

void Print::addTuple(const IntTuple &tuple) {
  if (tuple.isStatic())
    return addText(tuple.str());
  if (tuple.isLeaf()) {
    Int leaf = tuple.leaf();
    items.push_back({"", eval.integers().materialize(leaf, leaf.width())});
    for (int32_t mode : tuple.modes())
      addText("E" + std::to_string(mode));
    return;
  }
  for (unsigned i = 0; i != tuple.rank(); ++i) {
    addText(i == 0 ? "(" : ",");
    addTuple(tuple.at(i));
  }
  addText(")");
}

void Print::addLayout(const AnyLayout &layout) {
  if (layout.isStatic())
    return addText(layout.str());
  if (layout.isPlain()) {
    addTuple(layout.plain().shape);
    addText(":");
    return addTuple(layout.plain().stride);
  }
  const ::fly::layout::ComposedLayout &composed = layout.composed();
  switch (composed.inner.kind) {
  case ::fly::layout::InnerMap::Kind::Layout:
    addLayout(composed.inner.layout);
    break;
  case ::fly::layout::InnerMap::Kind::Swizzle:
    print(composed.inner.swizzle, newText());
    break;
  case ::fly::layout::InnerMap::Kind::CoordSwizzle:
    print(composed.inner.coordSwizzle, newText());
    break;
  }
  addText(" o ");
  addTuple(composed.offset);
  addText(" o ");
  addLayout(composed.outer);
}

/// An integer of 32 or 64 bits, an f32 or an f64 with the same value.
LogicalResult Print::addNumber(Value value) {
  Location loc = op.getLoc();
  Type type = value.getType();
  if (type.isIndex()) {
    value = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
  } else if (auto integer = dyn_cast<IntegerType>(type);
             integer && integer.isSignless() && integer.getWidth() <= 64) {
    unsigned width = integer.getWidth() <= 32 ? 32 : 64;
    Type wide = b.getIntegerType(width);
    if (integer.getWidth() == 1)
      value = arith::ExtUIOp::create(b, loc, wide, value);
    else if (integer.getWidth() != width)
      value = arith::ExtSIOp::create(b, loc, wide, value);
  } else if (auto number = dyn_cast<FloatType>(type);
             number && number.getWidth() >= 16 && number.getWidth() <= 64) {
    if (number.getWidth() < 32)
      value = arith::ExtFOp::create(b, loc, b.getF32Type(), value);
  } else {
    return op.emitOpError(
               "prints signless integers of at most 64 bits, floats of 16 to "
               "64, "
               "1-D vectors of them, tuples, layouts and tensors; found ")
           << type;
  }
  items.push_back({"", value});
  return success();
}

LogicalResult Print::addValue(Value value) {
  Type type = value.getType();
  if (auto vector = dyn_cast<VectorType>(type);
      vector && vector.getRank() == 1 && !vector.isScalable()) {
    addText("[");
    for (int64_t i = 0; i != vector.getNumElements(); ++i) {
      if (i)
        addText(", ");
      if (failed(
              addNumber(vector::ExtractOp::create(b, op.getLoc(), value, i))))
        return failure();
    }
    addText("]");
    return success();
  }
  if (!isa<IntTupleType, LayoutType, ComposedLayoutType, SwizzleType,
           CoordSwizzleType, TileType, mlir::fly::MemRefType, CoordTensorType>(
          type))
    return addNumber(value);
  AlgebraVal known = *eval.valueOf(value);
  switch (known.kind) {
  case AlgebraVal::Kind::IntTuple:
    addTuple(known.tuple);
    break;
  case AlgebraVal::Kind::Layout:
  case AlgebraVal::Kind::MemRef:
    addLayout(known.layout);
    break;
  case AlgebraVal::Kind::CoordTensor:
    addTuple(known.tuple);
    addText(" o ");
    addLayout(known.layout);
    break;
  case AlgebraVal::Kind::Swizzle:
    print(known.swizzle(), newText());
    break;
  case AlgebraVal::Kind::CoordSwizzle:
    print(known.coordSwizzle(), newText());
    break;
  default:
    addText(known.tile().str());
    break;
  }
  return success();
}

/// What printf is told about a number.
static StringRef conversionOf(Type type) {
  if (type.isF64())
    return "%.2lf";
  if (isa<FloatType>(type))
    return "%.2f";
  return type.isInteger(64) ? "%ld" : "%d";
}

void Print::printOnDevice() {
  std::string format;
  SmallVector<Value> values;
  for (const Item &item : items) {
    if (item.value) {
      format += conversionOf(item.value.getType());
      values.push_back(item.value);
    }
    for (char letter : item.text)
      format += letter == '%' ? std::string("%%") : std::string(1, letter);
  }
  gpu::PrintfOp::create(b, op.getLoc(), format + "\n", values);
}

void Print::printOnHost() {
  Location loc = op.getLoc();
  std::string text;
  auto flush = [&] {
    if (!text.empty())
      vector::PrintOp::create(b, loc, StringRef(text));
    text.clear();
  };
  for (const Item &item : items) {
    text += item.text;
    if (!item.value)
      continue;
    flush();
    vector::PrintOp::create(b, loc, item.value,
                            vector::PrintPunctuation::NoPunctuation);
  }
  flush();
  vector::PrintOp::create(b, loc, vector::PrintPunctuation::NewLine);
}

Expansion Print::run() {
  for (Value value : op.getArgs())
    if (isa<FlyDialect>(value.getType().getDialect()) && !eval.valueOf(value))
      return Expansion::Waiting;
  StringRef format = op.getFormat();
  bool isFirst = true;
  for (Value value : op.getArgs()) {
    size_t place = format.find("{}");
    if (place != StringRef::npos) {
      addText(format.take_front(place));
      format = format.drop_front(place + 2);
    } else {
      addText(format);
      format = "";
      if (!isFirst || !items.back().text.empty())
        addText(" ");
    }
    isFirst = false;
    if (failed(addValue(value)))
      return Expansion::Failed;
  }
  addText(format);
  if (op->getParentOfType<gpu::GPUFuncOp>() ||
      op->getParentOfType<gpu::GPUModuleOp>())
    printOnDevice();
  else
    printOnHost();
  return Expansion::Done;
}

Expansion mlir::fly::expandPrint(IREvaluator &evaluator, PrintOp op) {
  return Print(evaluator, op).run();
}

//===----------------------------------------------------------------------===//
// assume
//===----------------------------------------------------------------------===//

/// `source` with the promises of a tuple of the same structure; nothing when
/// the structures differ.
static std::optional<IntTuple> promised(const IntTuple &source,
                                        const IntTuple &promise) {
  if (source.isLeaf() != promise.isLeaf() || source.modes() != promise.modes())
    return std::nullopt;
  if (source.isLeaf()) {
    Int have = source.leaf(), want = promise.leaf();
    if (have.isNone() != want.isNone())
      return std::nullopt;
    Int leaf = have.isStatic()   ? have
               : want.isStatic() ? want
                                 : have.withDivisor(want.divisor());
    if (have.isDynamic() && want.isDynamic() && have.width() != want.width())
      return std::nullopt;
    return source.isBasis() ? IntTuple::basis(leaf, source.modes())
                            : IntTuple(leaf);
  }
  if (source.rank() != promise.rank())
    return std::nullopt;
  std::vector<IntTuple> parts;
  for (unsigned i = 0; i != source.rank(); ++i) {
    std::optional<IntTuple> part = promised(source.at(i), promise.at(i));
    if (!part)
      return std::nullopt;
    parts.push_back(std::move(*part));
  }
  return IntTuple::tuple(std::move(parts));
}

Expansion mlir::fly::expandAssume(IREvaluator &evaluator, AssumeOp op) {
  std::optional<AlgebraVal> source = evaluator.valueOf(op.getSrc());
  if (!source)
    return Expansion::Waiting;
  Type type = op.getResult().getType();
  std::optional<AlgebraVal> result;
  if (auto tuple = dyn_cast<IntTupleType>(type); tuple && source->isTuple()) {
    if (auto known = promised(source->tuple, tuple.getTuple()))
      result = AlgebraVal::ofTuple(std::move(*known));
  } else if (auto layout = dyn_cast<LayoutType>(type);
             layout && source->isLayout() && source->layout.isPlain()) {
    Layout promise = valueOfType(type).layout.plain();
    auto shape = promised(source->layout.plain().shape, promise.shape);
    auto stride = promised(source->layout.plain().stride, promise.stride);
    if (shape && stride)
      result = AlgebraVal::ofLayout(AnyLayout(Layout{*shape, *stride}));
  }
  if (!result) {
    op.emitOpError("promises something of a tuple or plain layout of the same "
                   "structure; expected one as ")
        << type << ", found " << op.getSrc().getType();
    return Expansion::Failed;
  }
  evaluator.remember(op.getResult(), std::move(*result));
  return Expansion::Done;
}
