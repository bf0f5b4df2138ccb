// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of the serialiser: the bytes are a function of module and target, from
// any number of threads and next to compiles that LLVM refuses; a target that
// LLVM does not know is refused before anything is generated.

#include "fly/CodeGen/Serializer.h"

#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Support/Digest.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

#include <thread>

using namespace mlir;
using namespace mlir::fly;

/// A kernel that every processor can run.
static constexpr char storeText[] = R"(
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>, %x: i32) attributes {gpu.kernel, rocdl.kernel} {
      llvm.store %x, %p : i32, !llvm.ptr<1>
      llvm.return
    }
  })";

/// A kernel that calls what a file to link defines.
static constexpr char callText[] = R"(
  gpu.module @m {
    llvm.func @ext(f32) -> f32
    llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {gpu.kernel, rocdl.kernel} {
      %y = llvm.call @ext(%x) : (f32) -> f32
      llvm.store %y, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  })";

/// A kernel with an instruction of gfx9 matrix cores.
static constexpr char matrixText[] = R"(
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>, %a: vector<4xf16>, %c: vector<4xf32>)
        attributes {gpu.kernel, rocdl.kernel} {
      %z = llvm.mlir.constant(0 : i32) : i32
      %v = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %z, %z, %z
          : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      llvm.store %v, %p : vector<4xf32>, !llvm.ptr<1>
      llvm.return
    }
  })";

namespace {
struct TargetText {
  StringRef chip = "gfx942";
  StringRef features = "";
  StringRef triple = "amdgcn-amd-amdhsa";
  StringRef abi = "600";
  int level = 2;
  /// A file to link, and what the key says of it.
  std::string link = {};
  bool linkIsNumber = false;
  const ::fly::support::KeyComponent *bitcode = nullptr;
};
} // namespace

/// The bytes, or "error: " and the diagnostics.
static std::string serialize(StringRef text, const TargetText &target,
                             CodeFormat format = CodeFormat::Object) {
  DialectRegistry registry;
  registry.insert<gpu::GPUDialect, LLVM::LLVMDialect, ROCDL::ROCDLDialect>();
  registerCodeGenInterfaces(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "error: " + said;
  ArrayAttr link;
  if (!target.link.empty())
    link = Builder(&context).getStrArrayAttr({target.link});
  if (target.linkIsNumber)
    link = Builder(&context).getI64ArrayAttr({std::stol(target.link)});
  auto attribute = ROCDL::ROCDLTargetAttr::get(
      &context, target.level, target.triple, target.chip, target.features,
      target.abi, /*flags=*/DictionaryAttr(), link);
  SerializeOptions options;
  options.bitcode = target.bitcode;
  options.format = format;
  FailureOr<CodeBytes> bytes = serializeGPUModule(
      *module->getOps<gpu::GPUModuleOp>().begin(), attribute, options);
  if (failed(bytes))
    return "error: " + said;
  return std::string(bytes->begin(), bytes->end());
}

TEST(Serializer, threadsDoNotDisturbEachOther) {
  std::string expected = serialize(storeText, {});
  ASSERT_EQ(expected.substr(0, 4), "\177ELF");
  std::string refused = serialize(matrixText, {"gfx1100"});
  EXPECT_EQ(refused.rfind("error: LLVM cannot compile this for 'gfx1100': "
                          "Cannot select",
                          0),
            0u)
      << refused;
  constexpr unsigned threadCount = 6, rounds = 4;
  std::vector<std::string> results(threadCount * rounds);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < threadCount; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < rounds; ++i)
        results[t * rounds + i] = t % 2 ? serialize(matrixText, {"gfx1100"})
                                        : serialize(storeText, {});
    });
  for (std::thread &thread : threads)
    thread.join();
  for (unsigned i = 0; i < results.size(); ++i)
    EXPECT_EQ(results[i], i / rounds % 2 ? refused : expected);
}

TEST(Serializer, formats) {
  std::string assembly = serialize(storeText, {}, CodeFormat::Assembly);
  EXPECT_NE(assembly.find("amdgcn-amd-amdhsa--gfx942"), std::string::npos);
  std::string ir = serialize(storeText, {}, CodeFormat::LLVMIR);
  EXPECT_NE(ir.find("define amdgpu_kernel void @k("), std::string::npos);
}

TEST(Serializer, featuresReachTheCode) {
  std::string any = serialize(storeText, {});
  std::string on = serialize(storeText, {"gfx942", "+xnack"});
  std::string off = serialize(storeText, {"gfx942", "-xnack"});
  EXPECT_EQ(on.substr(0, 4), "\177ELF");
  EXPECT_NE(any, on);
  EXPECT_NE(any, off);
  EXPECT_NE(on, off);
}

TEST(Serializer, unknownTargetsAreRefused) {
  EXPECT_EQ(serialize(storeText, {"gfx940"}),
            "error: expected a processor that LLVM knows, such as 'gfx942', "
            "found 'gfx940'");
  EXPECT_EQ(serialize(storeText, {"gfx942", "+bogus"}),
            "error: expected a target feature that LLVM knows, found '+bogus'");
  EXPECT_EQ(serialize(storeText, {"gfx942", "xnack"}),
            "error: expected target features as '+name' or '-name', found "
            "'xnack'");
  EXPECT_EQ(serialize(storeText, {"gfx942", "", "amdgcn--amdhsa"}),
            "error: expected target triple 'amdgcn-amd-amdhsa', found "
            "'amdgcn--amdhsa'");
  EXPECT_EQ(serialize(storeText, {"gfx942", "", "amdgcn-amd-amdhsa", "6"}),
            "error: expected ABI version 500 or 600, found '6'");
}

/// LLVM reserves the prefix for its own functions.
TEST(Serializer, whatIsNoLLVMIsRefused) {
  constexpr char text[] = R"(
    gpu.module @m {
      llvm.func @llvm.amdgcn.mine() attributes {gpu.kernel, rocdl.kernel} {
        llvm.return
      }
    })";
  EXPECT_EQ(serialize(text, {}),
            "error: the module cannot be translated to LLVM IR");
}

// The law: what is linked is what the key says, also when somebody replaces the
// file between the two.
TEST(Serializer, linksOnlyWhatWasKeyed) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("linked", "ll", path));
  llvm::FileRemover remover(path);
  auto write = [&](StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
    ASSERT_FALSE(error);
  };
  auto body = [](StringRef added) {
    return ("target triple = \"amdgcn-amd-amdhsa\"\n"
            "define float @ext(float %x) {\n"
            "  %y = fadd float %x, " +
            added + "\n  ret float %y\n}\n")
        .str();
  };
  std::string keyed = body("1.0"), other = body("2.0");
  ::fly::support::KeyComponent bitcode{
      "bitcode", {{"link0", ::fly::support::digestOf(keyed).hex()}}};
  TargetText target;
  target.link = std::string(path);
  target.bitcode = &bitcode;
  write(keyed);
  EXPECT_EQ(serialize(callText, target).substr(0, 4), "\177ELF");
  write(other);
  std::string found = ::fly::support::digestOf(body("2.0")).hex().substr(0, 12);
  EXPECT_EQ(serialize(callText, target),
            "error: bitcode '" + target.link +
                "' changed after the key was made: expected " +
                bitcode.fields.front().value->substr(0, 12) + ", found " +
                found + "; compile again [FLY-K007]");
  // A file that was not there when the key was made.
  bitcode.fields.front().value = std::nullopt;
  EXPECT_NE(
      serialize(callText, target).find("expected no file, found " + found),
      std::string::npos);
}

/// What comes before the end of LLVM's pipeline is no code object.
TEST(Serializer, cutPipelinesGiveNoCode) {
  llvm::cl::Option *option =
      llvm::cl::getRegisteredOptions().lookup("stop-after");
  ASSERT_TRUE(option);
  ASSERT_FALSE(option->addOccurrence(1, "stop-after", "amdgpu-isel"));
  std::string said = serialize(storeText, {});
  option->reset();
  option->setDefault();
  EXPECT_EQ(said, "error: LLVM made no code of this; an option of LLVM that "
                  "was set may end its pipeline before");
  EXPECT_EQ(serialize(storeText, {}).substr(0, 4), "\177ELF");
}

TEST(Serializer, whatIsLinkedIsAPath) {
  TargetText target;
  target.link = "17";
  target.linkIsNumber = true;
  EXPECT_EQ(serialize(callText, target),
            "error: expected the path of bitcode, found 17 : i64");
}

//===----------------------------------------------------------------------===//
// What a builder can make of a binary and the parser cannot
//===----------------------------------------------------------------------===//

/// What translation says of a host module with a binary of these objects.
static std::string translateBinary(
    llvm::function_ref<SmallVector<Attribute>(MLIRContext *)> objects) {
  DialectRegistry registry;
  registry.insert<FlyDialect>();
  registerCodeGenInterfaces(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str() + "\n";
    return success();
  });
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder b(module->getBodyRegion());
  gpu::BinaryOp::create(b, loc, "a", ExplicitModuleAttr::get(&context),
                        objects(&context));
  llvm::LLVMContext llvmContext;
  EXPECT_EQ(translateModuleToLLVMIR(*module, llvmContext), nullptr);
  return said;
}

TEST(ExplicitModule, NeedsAnObject) {
  EXPECT_TRUE(StringRef(translateBinary([](MLIRContext *) {
                return SmallVector<Attribute>();
              })).starts_with("binary @a has no object\n"));
}

TEST(ExplicitModule, NeedsAnObjectFirst) {
  EXPECT_TRUE(StringRef(translateBinary([](MLIRContext *context) {
                return SmallVector<Attribute>{UnitAttr::get(context)};
              }))
                  .starts_with("expected a #gpu.object as the first object of "
                               "@a, found unit\n"));
}

/// What is translated: @probe stands where a launch would.
static constexpr char hostText[] = R"(
  module attributes {gpu.container_module} {
    gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target, bin = "x">]
    llvm.func @probe() {
      %c = arith.constant 1 : i64
      llvm.return
    }
  })";

/// What is not, but handed to the interface.
static constexpr char otherText[] = R"(
  module attributes {gpu.container_module} {
    gpu.binary @b <#fly.explicit_module> [#gpu.object<#rocdl.target, bin = "x">]
    llvm.func @f(%n: i64) {
      gpu.launch_func @b::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%n : i64)
      llvm.return
    }
  })";

namespace {
/// Translates ops of `arith` by calling `visit`.
struct Probe : LLVMTranslationDialectInterface {
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;

  LogicalResult
  convertOperation(Operation *op, llvm::IRBuilderBase &builder,
                   LLVM::ModuleTranslation &translation) const override {
    visit(op, builder, translation);
    return success();
  }

  static std::function<void(Operation *, llvm::IRBuilderBase &,
                            LLVM::ModuleTranslation &)>
      visit;
};
} // namespace

decltype(Probe::visit) Probe::visit;

TEST(ExplicitModule, RefusesOpsThatAreNoLaunches) {
  DialectRegistry registry;
  registry.insert<FlyDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  ROCDL::ROCDLDialect, arith::ArithDialect>();
  registerCodeGenInterfaces(registry);
  registry.addExtension(+[](MLIRContext *, arith::ArithDialect *dialect) {
    dialect->addInterfaces<Probe>();
  });
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::vector<std::string> said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said.push_back(diagnostic.str());
    return success();
  });
  OwningOpRef<ModuleOp> host = parseSourceString<ModuleOp>(hostText, &context);
  OwningOpRef<ModuleOp> other =
      parseSourceString<ModuleOp>(otherText, &context);
  ASSERT_TRUE(host && other);
  gpu::BinaryOp embedded = *host->getOps<gpu::BinaryOp>().begin();
  gpu::BinaryOp stranger = *other->getOps<gpu::BinaryOp>().begin();
  gpu::LaunchFuncOp launch;
  other->walk([&](gpu::LaunchFuncOp op) { launch = op; });
  auto attribute = cast<gpu::OffloadingLLVMTranslationAttrInterface>(
      Attribute(ExplicitModuleAttr::get(&context)));

  Probe::visit = [&](Operation *op, llvm::IRBuilderBase &builder,
                     LLVM::ModuleTranslation &translation) {
    auto launched = [&](Operation *what, Operation *from) {
      EXPECT_TRUE(
          failed(attribute.launchKernel(what, from, builder, translation)));
    };
    EXPECT_TRUE(failed(attribute.embedBinary(op, builder, translation)));
    launched(op, embedded);
    launched(launch, op);
    launched(launch, nullptr);
    launched(launch, stranger);
    launched(launch, embedded);
  };
  llvm::LLVMContext llvmContext;
  EXPECT_NE(translateModuleToLLVMIR(*host, llvmContext), nullptr);
  EXPECT_EQ(said, (std::vector<std::string>{
                      "expected a gpu.binary to embed, found arith.constant",
                      "expected a gpu.launch_func, found arith.constant",
                      "expected a gpu.binary with the kernel, found "
                      "arith.constant",
                      "expected a gpu.binary with the kernel, found none",
                      "no embedded module for @b: the host module has no "
                      "'b_module'",
                      "expected kernel operands of types that LLVM IR has, "
                      "found 'i64'"}));
}
