// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of the canonical module: what it forgets gives equal digests, what it
// keeps gives different ones, the digest of the clone is that of the original,
// and nothing changes the original. Then seeded random call graphs, printed in
// random order under random names.

#include "Fixture.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/TargetParser/Triple.h"

#include <numeric>
#include <random>

using namespace mlir;
using namespace mlir::fly;
using namespace mlir::fly::test;

namespace {

/// The laws that hold for every module: checked on each text of this file.
void checkLaws(Fixture &f, StringRef text, const PlanOptions &options) {
  OwningOpRef<ModuleOp> module = f.parse(text);
  ASSERT_TRUE(module);
  std::string before = textOf(*module);
  std::string digest = f.digest(f.gpuModule(module), options);
  ASSERT_NE(digest, "failed") << f.messages;
  FailureOr<CanonicalPlan> plan =
      CanonicalPlan::of(f.gpuModule(module), options);
  ASSERT_TRUE(succeeded(plan));
  OwningOpRef<gpu::GPUModuleOp> clone = plan->materialize();
  EXPECT_EQ(textOf(*module), before) << "the original is not changed";
  EXPECT_TRUE(succeeded((*clone)->getName().verifyInvariants(*clone)));
  EXPECT_EQ(f.digest(*clone, options), digest) << textOf(*clone);
  FailureOr<CanonicalPlan> second = CanonicalPlan::of(*clone, options);
  ASSERT_TRUE(succeeded(second));
  OwningOpRef<gpu::GPUModuleOp> again = second->materialize();
  EXPECT_EQ(textOf(*again), textOf(*clone)) << "the form is a fixed point";

  std::string bytecode;
  llvm::raw_string_ostream os(bytecode);
  ASSERT_TRUE(succeeded(writeBytecodeToFile(*module, os)));
  OwningOpRef<ModuleOp> read = f.parse(before);
  EXPECT_EQ(f.digest(f.gpuModule(read), options), digest) << "text";
  read = f.parse(bytecode);
  EXPECT_EQ(f.digest(f.gpuModule(read), options), digest) << "bytecode";
  OwningOpRef<ModuleOp> copy = module->clone();
  EXPECT_EQ(f.digest(f.gpuModule(copy), options), digest) << "clone";
}

std::string wrap(StringRef body) {
  return ("gpu.module @m {\n" + body + "\n}\n").str();
}

std::string kernel(StringRef body) {
  return wrap(
      ("gpu.func @k(%a: i32) kernel {\n" + body + "\ngpu.return\n}").str());
}

struct Pair {
  const char *why;
  std::string a, b;
};

const Pair forgotten[] = {
    {"names of values", kernel("%x = arith.addi %a, %a : i32"),
     kernel("%other = arith.addi %a, %a : i32")},
    {"name of the gpu.module", "gpu.module @a {}", "gpu.module @b {}"},
    {"name and attributes of the module",
     "module @x attributes {gpu.container_module, some.note = 1 : i32} {"
     "gpu.module @m {} }",
     "module { gpu.module @m {} }"},
    {"host code and other gpu.modules",
     "gpu.module @m {} func.func @f() { return } gpu.module @n {"
     "gpu.func @k() kernel { gpu.return } }",
     "gpu.module @m {}"},
    {"targets",
     "gpu.module @m [#rocdl.target<chip = \"gfx942\">] attributes {"
     "fly.target = #fly.target<\"gfx942\">} {}",
     "gpu.module @m {}"},
    {"keys",
     "gpu.module @m attributes {fly.cache_key = \"fly1-0\", "
     "fly.key_note = 1 : i32} {}",
     "gpu.module @m {}"},
    {"a triple and a data layout that the target implies",
     "gpu.module @m attributes {llvm.target_triple = \"amdgcn-amd-amdhsa\"} {}",
     "gpu.module @m {}"},
    {"locations without debug information",
     kernel("%x = arith.addi %a, %a : i32 loc(\"a.py\":1:2)"),
     kernel("%x = arith.addi %a, %a : i32 loc(fused<\"m\">[\"b.py\":3:4])")},
    {"attributes that are locations",
     kernel("%x = arith.addi %a, %a {my.where = loc(\"a\":1:2)} : i32"),
     kernel("%x = arith.addi %a, %a : i32")},
    {"the order of attributes",
     wrap("gpu.func @k() kernel attributes {a.b = 1 : i32, a.a = 2 : i32} {"
          "gpu.return }"),
     wrap("gpu.func @k() kernel attributes {a.a = 2 : i32, a.b = 1 : i32} {"
          "gpu.return }")},
    {"an explicit public", wrap("func.func public @f() { return }"),
     wrap("func.func @f() { return }")},
    {"the order of symbols",
     wrap("func.func @f() { return } gpu.func @b() kernel { gpu.return } "
          "gpu.func @a() kernel { gpu.return }"),
     wrap("gpu.func @a() kernel { gpu.return } gpu.func @b() kernel { "
          "gpu.return } func.func @f() { return }")},
    {"private symbols that nothing reaches",
     wrap("func.func private @dead() { func.call @dead2() : () -> () return }"
          "func.func private @dead2() { return }"
          "gpu.func @k() kernel { gpu.return }"),
     wrap("gpu.func @k() kernel { gpu.return }")},
    {"names of private symbols",
     wrap("func.func private @x() { return } gpu.func @k() kernel {"
          "func.call @x() : () -> () gpu.return }"),
     wrap("gpu.func @k() kernel { func.call @y() : () -> () gpu.return }"
          "func.func private @y() { return }")},
    {"names of internal functions",
     wrap("llvm.func internal @x() { llvm.return } llvm.func @k() attributes {"
          "gpu.kernel} { llvm.call @x() : () -> () llvm.return }"),
     wrap("llvm.func internal @y() { llvm.return } llvm.func @k() attributes {"
          "gpu.kernel} { llvm.call @y() : () -> () llvm.return }")},
    {"names of private gpu.funcs",
     wrap("gpu.func @x() attributes {sym_visibility = \"private\"} { "
          "gpu.return } gpu.func @k() kernel attributes {my.ref = @x} { "
          "gpu.return }"),
     wrap("gpu.func @k() kernel attributes {my.ref = @y} { gpu.return } "
          "gpu.func @y() attributes {sym_visibility = \"private\"} { "
          "gpu.return }")},
    {"a count of no workgroup attributions",
     wrap("\"gpu.func\"() <{function_type = () -> ()}> ({ gpu.return }) {"
          "gpu.kernel, sym_name = \"k\"} : () -> ()"),
     wrap("gpu.func @k() kernel { gpu.return }")},
    {"the spelling of constants",
     kernel("%x = arith.constant dense<[1, 1, 1, 1]> : vector<4xi32>"),
     kernel("%x = arith.constant dense<1> : vector<4xi32>")},
    {"a value that is the default of an optional attribute",
     kernel("%m = memref.alloca() : memref<4xi32> "
            "%i = arith.constant 0 : index "
            "%x = memref.load %m[%i] {nontemporal = false} : memref<4xi32>"),
     kernel("%m = memref.alloca() : memref<4xi32> "
            "%i = arith.constant 0 : index "
            "%x = memref.load %m[%i] : memref<4xi32>")},
    {"names of blocks",
     wrap("llvm.func @f() { llvm.br ^one ^one: llvm.return }"),
     wrap("llvm.func @f() { llvm.br ^two ^two: llvm.return }")},
    {"names of resources",
     kernel("%x = arith.constant dense_resource<one> : tensor<1xi32>") +
         "{-# dialect_resources: {builtin: {one: \"0x0400000001000000\"}} #-}",
     kernel("%x = arith.constant dense_resource<two> : tensor<1xi32>") +
         "{-# dialect_resources: {builtin: {two: \"0x0400000001000000\", "
         "unused: \"0x0400000007000000\"}} #-}"},
};

const Pair kept[] = {
    {"an op", kernel("%x = arith.addi %a, %a : i32"),
     kernel("%x = arith.muli %a, %a : i32")},
    {"a type", kernel("%x = arith.constant 1 : i32"),
     kernel("%x = arith.constant 1 : i64")},
    {"a constant", kernel("%x = arith.constant 1 : i32"),
     kernel("%x = arith.constant 2 : i32")},
    {"the sign of zero", kernel("%x = arith.constant 0.0 : f32"),
     kernel("%x = arith.constant -0.0 : f32")},
    {"the payload of a NaN", kernel("%x = arith.constant 0x7FC00000 : f32"),
     kernel("%x = arith.constant 0x7FC00001 : f32")},
    {"which operand",
     kernel("%x = arith.subi %a, %a : i32 "
            "%y = arith.subi %x, %a : i32"),
     kernel("%x = arith.subi %a, %a : i32 %y = arith.subi %a, %x : i32")},
    {"the name of a kernel", wrap("gpu.func @a() kernel { gpu.return }"),
     wrap("gpu.func @b() kernel { gpu.return }")},
    {"the name of a declaration",
     wrap("func.func private @a() gpu.func @k() kernel { func.call @a() : () "
          "-> () gpu.return }"),
     wrap("func.func private @b() gpu.func @k() kernel { func.call @b() : () "
          "-> () gpu.return }")},
    {"fast-math flags",
     wrap("gpu.func @k(%a: f32) kernel { "
          "%x = arith.addf %a, %a fastmath<fast> : f32 "
          "gpu.return }"),
     wrap("gpu.func @k(%a: f32) kernel { %x = arith.addf %a, %a : f32 "
          "gpu.return }")},
    {"unknown attributes",
     wrap("gpu.func @k() kernel attributes {my.note = 1 : i32} { gpu.return }"),
     wrap(
         "gpu.func @k() kernel attributes {my.note = 2 : i32} { gpu.return }")},
    {"unknown attributes of the gpu.module",
     "gpu.module @m attributes {my.note} {}", "gpu.module @m {}"},
    {"elements beyond the limit of elision",
     kernel("%x = arith.constant dense<[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,"
            "17,18,19,20]> : vector<20xi32>"),
     kernel("%x = arith.constant dense<[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,"
            "17,18,19,21]> : vector<20xi32>")},
    {"the content of a resource",
     kernel("%x = arith.constant dense_resource<one> : tensor<1xi32>") +
         "{-# dialect_resources: {builtin: {one: \"0x0400000001000000\"}} #-}",
     kernel("%x = arith.constant dense_resource<one> : tensor<1xi32>") +
         "{-# dialect_resources: {builtin: {one: \"0x0400000002000000\"}} #-}"},
    {"which of two private functions is called",
     wrap("func.func private @x() { return } "
          "func.func private @y(%a: i32) { return } "
          "gpu.func @k(%a: i32) kernel { func.call @x() : () -> () "
          "func.call @x() : () -> () func.call @y(%a) : (i32) -> () "
          "gpu.return }"),
     wrap("func.func private @x() { return } "
          "func.func private @y(%a: i32) { return } "
          "gpu.func @k(%a: i32) kernel { func.call @x() : () -> () "
          "func.call @y(%a) : (i32) -> () func.call @y(%a) : (i32) -> () "
          "gpu.return }")},
    {"the target of a branch",
     wrap("llvm.func @f(%c: i1) { llvm.cond_br %c, ^a, ^b ^a: llvm.br ^b "
          "^b: llvm.return }"),
     wrap("llvm.func @f(%c: i1) { llvm.cond_br %c, ^b, ^a ^a: llvm.br ^b "
          "^b: llvm.return }")},
    {"a boundary between regions",
     wrap("gpu.func @k(%c: i1) kernel { scf.if %c { gpu.barrier } else { } "
          "gpu.return }"),
     wrap("gpu.func @k(%c: i1) kernel { scf.if %c { } else { gpu.barrier } "
          "gpu.return }")},
};

TEST(CanonicalModule, forgetsWhatDoesNotReachCode) {
  for (const Pair &pair : forgotten) {
    Fixture f;
    SCOPED_TRACE(pair.why);
    EXPECT_EQ(f.digest(pair.a), f.digest(pair.b)) << f.messages;
    EXPECT_NE(f.digest(pair.a), "failed") << f.messages;
    checkLaws(f, pair.a, {});
    checkLaws(f, pair.b, {});
  }
}

TEST(CanonicalModule, keepsWhatReachesCode) {
  for (const Pair &pair : kept) {
    Fixture f;
    SCOPED_TRACE(pair.why);
    EXPECT_NE(f.digest(pair.a), f.digest(pair.b)) << f.messages;
    checkLaws(f, pair.a, {});
    checkLaws(f, pair.b, {});
  }
}

TEST(CanonicalModule, keepsLocationsWithDebugInformation) {
  Fixture f;
  PlanOptions options;
  options.debug = DebugKind::Lines;
  std::string a = kernel("%x = arith.addi %a, %a : i32 loc(\"/x/a.py\":1:2)");
  std::string b = kernel("%x = arith.addi %a, %a : i32 loc(\"/y/a.py\":1:2)");
  EXPECT_NE(f.digest(a, options), f.digest(b, options));
  PlanOptions fromX = options, fromY = options;
  fromX.prefixMap = {{"/x", "src"}};
  fromY.prefixMap = {{"/y", "src"}};
  EXPECT_EQ(f.digest(a, fromX), f.digest(b, fromY));
  checkLaws(f, a, fromX);
  options.requireRelocatable = fromX.requireRelocatable = true;
  EXPECT_NE(f.digest(a, fromX), "failed") << f.messages;
  EXPECT_EQ(f.digest(a, options), "failed");
  EXPECT_NE(f.messages.find("'/x/a.py'"), std::string::npos) << f.messages;
  EXPECT_NE(f.messages.find("[FLY-K002]"), std::string::npos) << f.messages;
}

TEST(CanonicalModule, hintsAreAttributesOfKernels) {
  Fixture f;
  PlanOptions options;
  options.hints.wavesPerEu = 2;
  std::string plain = kernel("");
  EXPECT_NE(f.digest(plain, options), f.digest(plain));
  EXPECT_EQ(f.digest(plain, options),
            f.digest(wrap("gpu.func @k(%a: i32) kernel attributes {"
                          "rocdl.waves_per_eu = 2 : i32} { gpu.return }")));
  checkLaws(f, plain, options);
  options.hints.maxVgprs = 64;
  checkLaws(f, plain, options);
  EXPECT_EQ(f.digest(plain, options),
            f.digest(wrap("gpu.func @k(%a: i32) kernel attributes {"
                          "passthrough = [[\"amdgpu-num-vgpr\", \"64\"]],"
                          "rocdl.waves_per_eu = 2 : i32} { gpu.return }")));
  EXPECT_EQ(f.digest(wrap("func.func @f() { return }"), options),
            f.digest(wrap("func.func @f() { return }")))
      << "functions that are no kernels have no hints";
}

TEST(CanonicalModule, refusesWhatItCannotHash) {
  Fixture f;
  f.context.allowUnregisteredDialects();
  std::string unknown = wrap("\"no.op\"() : () -> ()");
  EXPECT_EQ(f.digest(unknown), "failed");
  EXPECT_NE(f.messages.find("'no.op'"), std::string::npos) << f.messages;
  EXPECT_NE(f.messages.find("allow-opaque"), std::string::npos) << f.messages;
  EXPECT_NE(f.messages.find("[FLY-K001]"), std::string::npos) << f.messages;
  PlanOptions options;
  options.allowOpaque = true;
  EXPECT_NE(f.digest(unknown, options), "failed");
  EXPECT_NE(f.digest(unknown, options),
            f.digest(wrap("\"no.other\"() : () -> ()"), options));

  f.messages.clear();
  std::string opaque = wrap("gpu.func @k() kernel attributes {a.b = "
                            "#nowhere<x>} { gpu.return }");
  EXPECT_EQ(f.digest(opaque), "failed");
  EXPECT_NE(f.messages.find("'nowhere'"), std::string::npos) << f.messages;
  EXPECT_NE(f.digest(opaque, options), "failed");

  f.messages.clear();
  EXPECT_EQ(f.digest(kernel("%x = arith.constant dense_resource<gone> : "
                            "tensor<1xi32>")),
            "failed");
  EXPECT_NE(f.messages.find("'gone'"), std::string::npos) << f.messages;
  EXPECT_NE(f.messages.find("[FLY-K004]"), std::string::npos) << f.messages;

  f.messages.clear();
  EXPECT_EQ(f.digest("gpu.module @m attributes {llvm.target_triple = "
                     "\"nvptx64\"} {}"),
            "failed");
  EXPECT_NE(f.messages.find("nvptx64"), std::string::npos) << f.messages;
  EXPECT_NE(f.messages.find("amdgcn-amd-amdhsa"), std::string::npos);
  EXPECT_NE(f.messages.find("[FLY-T009]"), std::string::npos) << f.messages;

  // The backend's layout, also as upstream's convert-gpu-to-rocdl writes it,
  // says nothing that the target does not.
  std::string layout = llvm::Triple("amdgcn-amd-amdhsa").computeDataLayout();
  ASSERT_EQ(layout.find("e-m:e-"), 0u) << layout;
  std::string without = f.digest("gpu.module @m {}");
  for (const std::string &text : {layout, "e-" + layout.substr(6)})
    EXPECT_EQ(f.digest("gpu.module @m attributes {llvm.data_layout = \"" +
                       text + "\"} {}"),
              without);
  EXPECT_EQ(f.digest("gpu.module @m attributes {llvm.data_layout = \"e\"} {}"),
            "failed");
}

std::string callOf(const std::string &name) {
  return wrap("func.func private @" + name +
              "() { return } gpu.func @k() "
              "kernel { func.call @" +
              name + "() : () -> () gpu.return }");
}

TEST(CanonicalModule, printedFormIsStable) {
  Fixture f;
  std::string printed[2];
  for (int i : {0, 1}) {
    OwningOpRef<ModuleOp> module = f.parse(callOf(i ? "x" : "longer"));
    FailureOr<CanonicalPlan> plan = CanonicalPlan::of(f.gpuModule(module), {});
    ASSERT_TRUE(succeeded(plan));
    llvm::raw_string_ostream os(printed[i]);
    plan->print(os);
  }
  EXPECT_EQ(printed[0], printed[1]);
  EXPECT_NE(printed[0].find("@__p0"), std::string::npos) << printed[0];
}

/// A module of functions that call each other: what it means, without names and
/// order.
struct CallGraph {
  /// Function i calls the functions with these numbers; the first two are
  /// kernels, the others private.
  std::vector<std::vector<unsigned>> calls;
  std::vector<int> constants;

  std::string print(std::mt19937 &random) const {
    std::vector<unsigned> order(calls.size());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    std::string salt = std::to_string(random() % 1000);
    auto name = [&](unsigned i) {
      return i < 2 ? "kernel" + std::to_string(i)
                   : "f" + salt + "_" + std::to_string(i * 7 % 13) + "_" +
                         std::to_string(i);
    };
    std::string text;
    for (unsigned i : order) {
      bool isKernel = i < 2;
      text += isKernel ? "gpu.func @" + name(i) + "() kernel {\n"
                       : "func.func private @" + name(i) + "() {\n";
      text += "%c" + salt + " = arith.constant " +
              std::to_string(constants[i]) + " : i32\n";
      for (unsigned callee : calls[i])
        text += "func.call @" + name(callee) + "() : () -> ()\n";
      text += isKernel ? "gpu.return\n}\n" : "return\n}\n";
    }
    return wrap(text);
  }

  /// The functions that the kernels reach.
  std::vector<bool> reached() const {
    std::vector<bool> seen(calls.size());
    std::vector<unsigned> work{0, 1};
    while (!work.empty()) {
      unsigned i = work.back();
      work.pop_back();
      if (seen[i])
        continue;
      seen[i] = true;
      work.insert(work.end(), calls[i].begin(), calls[i].end());
    }
    return seen;
  }
};

TEST(CanonicalModule, randomCallGraphs) {
  std::mt19937 random(20240607);
  unsigned moved = 0;
  for (int round = 0; round < 60; ++round) {
    Fixture f;
    CallGraph graph;
    unsigned size = 3 + random() % 8;
    for (unsigned i = 0; i < size; ++i) {
      graph.calls.emplace_back();
      for (unsigned n = random() % 3; n > 0; --n)
        graph.calls[i].push_back(2 + random() % (size - 2));
      graph.constants.push_back(random() % 100);
    }
    std::string text = graph.print(random);
    std::string digest = f.digest(text);
    checkLaws(f, text, {});
    EXPECT_EQ(f.digest(graph.print(random)), digest) << text;
    unsigned changed = random() % size;
    graph.constants[changed] += 1000;
    bool isReached = graph.reached()[changed];
    moved += isReached;
    EXPECT_EQ(f.digest(graph.print(random)) != digest, isReached) << text;
  }
  EXPECT_GT(moved, 20u);
}

TEST(CanonicalModule, longAndDeepModules) {
  Fixture f;
  // A million ops.
  OwningOpRef<ModuleOp> flat = f.parse(kernel(""));
  gpu::GPUFuncOp body = *f.gpuModule(flat).getOps<gpu::GPUFuncOp>().begin();
  OpBuilder flatBuilder(&body.getBody().front().back());
  Value last = body.getArgument(0);
  for (int i = 0; i < 1000000; ++i)
    last = arith::AddIOp::create(flatBuilder, body.getLoc(), last,
                                 body.getArgument(0));
  std::string million = f.digest(f.gpuModule(flat));
  EXPECT_NE(million, "failed");
  body.getBody().front().getTerminator()->getPrevNode()->erase();
  EXPECT_NE(f.digest(f.gpuModule(flat)), million);
  // Built without the parser, whose own recursion ends earlier.
  OwningOpRef<ModuleOp> module = f.parse(kernel(""));
  gpu::GPUFuncOp func = *f.gpuModule(module).getOps<gpu::GPUFuncOp>().begin();
  OpBuilder b(&f.context);
  b.setInsertionPointToStart(&func.getBody().front());
  Location loc = b.getUnknownLoc();
  for (int i = 0; i < 2000; ++i) {
    auto region = scf::ExecuteRegionOp::create(b, loc, TypeRange());
    Block *block = b.createBlock(&region.getRegion());
    b.setInsertionPointToStart(block);
    Operation *end = scf::YieldOp::create(b, loc);
    b.setInsertionPoint(end);
  }
  EXPECT_NE(f.digest(f.gpuModule(module)), "failed");
}

} // namespace
