// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bridge between types and values, and inference.

#include "Common.h"
#include "fly/Dialect/Fly/IR/InferenceMemo.h"
#include "mlir/IR/Verifier.h"
#include <thread>

namespace mlir {

using ::fly::layout::AnyLayout;
using ::fly::layout::Int;
using ::fly::layout::IntTuple;
using ::fly::layout::Layout;

namespace {

class EvaluationTest : public DialectTest {};

// Law: a type stands for a value whose type it is.
TEST_F(EvaluationTest, TypesComeBack) {
  for (size_t i = 0; i < numEveryType; ++i) {
    Type given = type(everyType[i]);
    EXPECT_EQ(fly::typeOfValue(&context, fly::valueOfType(given)), given);
  }
}

// Types know no names: an unknown leaf is the same type under every name.
TEST_F(EvaluationTest, NamesOfUnknownLeavesAreDropped) {
  Layout named{IntTuple(Int::unknown(32, 4, /*handle=*/7)), IntTuple(1)};
  EXPECT_EQ(fly::typeOfValue(&context, fly::AlgebraVal::ofLayout(named)),
            type("!fly.layout<?{div=4}:1>"));
  fly::AlgebraVal tensor = fly::AlgebraVal::ofCoordTensor(
      IntTuple::tuple({IntTuple::basis(Int::unknown(64, 1, 3), {0}),
                       IntTuple(Int::unknown(32, 1, 9))}),
      AnyLayout(named));
  EXPECT_EQ(fly::typeOfValue(&context, tensor),
            type("!fly.coord_tensor<(?{i64}E0,?), ?{div=4}:1>"));
}

// A malformed value has no type, and does not reach an attribute.
TEST_F(EvaluationTest, MalformedValuesHaveNoType) {
  EXPECT_FALSE(fly::typeOfValue(
      &context,
      fly::AlgebraVal::ofLayout(Layout{IntTuple::of({4, 8}), IntTuple(1)})));
}

// Speculative inference, without a location, fails in silence.
TEST_F(EvaluationTest, NoLocationNoDiagnostic) {
  unsigned count = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &) {
    ++count;
    return success();
  });
  auto evaluate = [](fly::Evaluator &evaluator, ArrayRef<fly::AlgebraVal> vals,
                     SmallVectorImpl<fly::AlgebraVal> &results) {
    results.push_back(fly::AlgebraVal::ofTuple(::fly::layout::tupleDiv(
        evaluator.arith, vals[0].tuple, vals[1].tuple)));
  };
  SmallVector<Type> results;
  Type four = type("!fly.int_tuple<4>"), zero = type("!fly.int_tuple<0>");
  EXPECT_TRUE(failed(fly::inferByEvaluation(&context, std::nullopt,
                                            {four, zero}, evaluate, results)));
  EXPECT_EQ(count, 0u);
  EXPECT_TRUE(failed(fly::inferByEvaluation(&context, UnknownLoc::get(&context),
                                            {four, zero}, evaluate, results)));
  EXPECT_EQ(count, 1u);
}

// Inference is asked with properties, with a dictionary, or with too little.
TEST_F(EvaluationTest, InferenceFromADictionary) {
  OwningOpRef<ModuleOp> ir = module(R"(
    func.func private @f(%l: !fly.layout<(4,(2,8)):(1,(4,8))>) {
      %0 = fly.get(%l) {mode = array<i32: 1>} : (!fly.layout<(4,(2,8)):(1,(4,8))>) -> !fly.layout<(2,8):(4,8)>
      return
    })");
  fly::GetOp get;
  ir->walk([&](fly::GetOp op) { get = op; });
  ASSERT_TRUE(get);
  Builder builder(&context);
  auto infer = [&](DictionaryAttr dictionary, OpaqueProperties properties) {
    SmallVector<Type> types;
    (void)fly::GetOp::inferReturnTypes(&context, std::nullopt,
                                       get->getOperands(), dictionary,
                                       properties, {}, types);
    return types.empty() ? Type() : types[0];
  };
  EXPECT_EQ(infer({}, get->getPropertiesStorage()),
            type("!fly.layout<(2,8):(4,8)>"));
  EXPECT_EQ(infer(builder.getDictionaryAttr(builder.getNamedAttr(
                      "mode", builder.getDenseI32ArrayAttr({0}))),
                  nullptr),
            type("!fly.layout<4:1>"));
  EXPECT_FALSE(infer(builder.getDictionaryAttr({}), nullptr));
  EXPECT_FALSE(infer({}, nullptr));
}

// What an op answers on given types is evaluated once a context: the second
// module with the same algebra, and a thousand copies of an op, cost nothing.
TEST_F(EvaluationTest, NothingIsInferredTwice) {
  auto &memo = context.getLoadedDialect<fly::FlyDialect>()->getInferenceMemo();
  std::string text = "func.func private @f(%l: !fly.layout<(4,(2,8)):(1,(4,8))>"
                     ", %t: !fly.tile<[2]>) {\n";
  for (int i = 0; i < 1000; ++i)
    text += "%a" + std::to_string(i) +
            " = fly.get(%l) {mode = array<i32: 1>} : "
            "(!fly.layout<(4,(2,8)):(1,(4,8))>) -> !fly.layout<(2,8):(4,8)>\n"
            "%b" +
            std::to_string(i) +
            " = fly.get(%l) {mode = array<i32: 0>} : "
            "(!fly.layout<(4,(2,8)):(1,(4,8))>) -> !fly.layout<4:1>\n"
            "%c" +
            std::to_string(i) + " = fly.logical_divide(%b" + std::to_string(i) +
            ", %t) : (!fly.layout<4:1>, !fly.tile<[2]>) -> "
            "!fly.layout<((2,2)):((1,2))>\n";
  text += "return }";
  OwningOpRef<ModuleOp> first = module(text);
  ASSERT_TRUE(first);
  EXPECT_EQ(memo.numEvaluations(), 3u);
  EXPECT_EQ(memo.numAnswers(), 3u);
  OwningOpRef<ModuleOp> second = module(text);
  ASSERT_TRUE(second);
  EXPECT_TRUE(succeeded(verify(*second)));
  EXPECT_EQ(memo.numEvaluations(), 3u);
}

// So are the layouts of copy atoms, unless there are none.
TEST_F(EvaluationTest, CopyAtomsAreKept) {
  auto &memo = context.getLoadedDialect<fly::FlyDialect>()->getInferenceMemo();
  auto atom = cast<fly::CopyAtomType>(
      type("!fly.copy_atom<!fly.universal_copy<64>, 16>"));
  EXPECT_FALSE(memo.lookupCopyAtom(atom));
  auto layouts = atom.getLayouts();
  ASSERT_TRUE(succeeded(layouts));
  EXPECT_EQ(layouts->source.str(), "(1,4):(1,1)");
  auto kept = memo.lookupCopyAtom(atom);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->source, layouts->source);
  EXPECT_EQ(atom.getLayouts()->destination, kept->destination);
  EXPECT_EQ(memo.lookupCopyAtom(atom), kept);

  auto wrong = cast<fly::CopyAtomType>(type("!fly.copy_atom<i32, 32>"));
  EXPECT_TRUE(failed(wrong.getLayouts()));
  EXPECT_FALSE(memo.lookupCopyAtom(wrong));
}

// A refusal is not kept: each place that earns it gets its diagnostic.
TEST_F(EvaluationTest, RefusalsAreReportedEachTime) {
  auto &memo = context.getLoadedDialect<fly::FlyDialect>()->getInferenceMemo();
  unsigned count = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    count += StringRef(diagnostic.str()).contains("cannot index");
    return success();
  });
  for (int i = 0; i < 2; ++i)
    EXPECT_FALSE(parseSourceString<ModuleOp>(
        "func.func private @f(%l: !fly.layout<4:1>) {\n"
        "%a = fly.get(%l) {mode = array<i32: 3>} : (!fly.layout<4:1>) -> "
        "!fly.layout<4:1>\n return }",
        &context));
  EXPECT_EQ(memo.numAnswers(), 0u);
  EXPECT_EQ(count, 2u);
}

// Answers of ops that differ in an attribute or in the number of operands are
// told apart, also when many threads ask at once.
TEST_F(EvaluationTest, MemoTellsKeysApart) {
  fly::InferenceMemo memo;
  Type a = type("!fly.int_tuple<1>"), b = type("!fly.int_tuple<2>");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (uintptr_t i = 0; i < 2000; ++i) {
        const void *key[] = {reinterpret_cast<const void *>(i), nullptr};
        SmallVector<Type> answer;
        if (!memo.lookup(key, answer))
          memo.insert(key, i % 2 ? ArrayRef<Type>{a} : ArrayRef<Type>{a, b});
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(memo.numAnswers(), 2000u);
  EXPECT_GE(memo.numEvaluations(), 2000u);
  for (uintptr_t i = 0; i < 2000; ++i) {
    const void *key[] = {reinterpret_cast<const void *>(i), nullptr};
    SmallVector<Type> answer{b};
    ASSERT_TRUE(memo.lookup(key, answer));
    EXPECT_EQ(answer,
              i % 2 ? (SmallVector<Type>{b, a}) : (SmallVector<Type>{b, a, b}));
    const void *longer[] = {key[0], nullptr, nullptr};
    EXPECT_FALSE(memo.lookup(longer, answer));
  }
}

// Moved pointers keep what the offset and the pointer both promise.
TEST_F(EvaluationTest, AddOffset) {
  fly::TypeEvaluator evaluator(&context);
  auto moved = [&](StringRef pointer, Int offset) {
    return evaluator.addOffset(fly::PointerVal{type(pointer)}, offset).type;
  };
  EXPECT_EQ(moved("!fly.ptr<f16, global, align<16>>", Int::known(12)),
            type("!fly.ptr<f16, global, align<8>>"));
  EXPECT_EQ(moved("!fly.ptr<f16, global, align<16>>", Int::known(INT64_MIN)),
            type("!fly.ptr<f16, global, align<16>>"));
  EXPECT_EQ(moved("!fly.ptr<f16, global, align<16>>", Int()),
            type("!fly.ptr<f16, global, align<16>>"));
  EXPECT_EQ(moved("!fly.ptr<f16, global, align<16>>", Int::unknown(32, 2)),
            type("!fly.ptr<f16, global, align<4>>"));
}

// What section 7 accepts is told apart from what is inferred.
TEST_F(EvaluationTest, LegacyTypesAreFound) {
  OwningOpRef<ModuleOp> ir = module(R"(
    func.func private @f(%l: !fly.layout<(3,5):(0,1)>) {
      %0 = fly.make_layout_like(%l) : (!fly.layout<(3,5):(0,1)>) -> !fly.layout<(3,5):(0,1)>
      %1 = fly.make_layout_like(%l) : (!fly.layout<(3,5):(0,1)>) -> !fly.layout<(3,5):(1,1)>
      return
    })");
  SmallVector<bool> found;
  ir->walk([&](fly::MakeLayoutLikeOp op) {
    found.push_back(fly::reliesOnLegacyType(op));
  });
  EXPECT_EQ(found, (SmallVector<bool>{false, true}));
}

} // namespace
} // namespace mlir
