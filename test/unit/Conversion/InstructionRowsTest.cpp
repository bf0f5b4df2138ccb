// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row of the instruction tables, as an atom, on each kind of processor:
// where the row says that the processor has the instruction, the atom becomes
// machine code; elsewhere it is refused with a located diagnostic that names
// atom and processor.

#include "fly/Conversion/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace mlir;
namespace rows = ::fly::amdgpu;

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
}

namespace {
/// Compiles text for a processor, from fly down to an object file.
class InstructionRows : public ::testing::Test {
protected:
  InstructionRows() {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    DialectRegistry registry;
    registry.insert<mlir::fly::FlyDialect, fly_rocdl::FlyROCDLDialect,
                    func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                    ROCDL::ROCDLDialect, arith::ArithDialect, scf::SCFDialect,
                    cf::ControlFlowDialect, vector::VectorDialect>();
    mlir::fly::registerFlyToROCDLExternalModels(registry);
    registerAllGPUToLLVMIRTranslations(registry);
    context.appendDialectRegistry(registry);
  }

  /// The diagnostic that refused the text, or "" when it is machine code now.
  std::string compile(StringRef text, StringRef chip) {
    std::string diagnostics;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
        llvm::raw_string_ostream os(diagnostics);
        os << diagnostic.getLocation() << ": " << diagnostic.str() << "\n";
      }
      return success();
    });
    std::string whole = ("gpu.module @m [#rocdl.target<chip = \"" + chip +
                         "\">] {\n" + text + "\n}")
                            .str();
    auto module = parseSourceString<ModuleOp>(whole, &context, "row");
    if (!module)
      return "parse: " + diagnostics;
    PassManager passes(&context);
    passes.addPass(mlir::fly::createConvertFlyToROCDL());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createSCFToControlFlowPass());
    passes.addPass(createConvertVectorToLLVMPass());
    passes.addPass(createArithToLLVMConversionPass());
    passes.addPass(createConvertControlFlowToLLVMPass());
    passes.addPass(createConvertFuncToLLVMPass());
    passes.addPass(createReconcileUnrealizedCastsPass());
    if (failed(passes.run(*module)))
      return diagnostics.empty() ? "a pass failed and said nothing"
                                 : diagnostics;
    llvm::LLVMContext llvmContext;
    std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(
        *module->getOps<gpu::GPUModuleOp>().begin(), llvmContext);
    if (!code)
      return "translation: " + diagnostics;
    std::string error;
    llvm::Triple triple("amdgcn-amd-amdhsa");
    const llvm::Target *target =
        llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target)
      return error;
    std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
        triple, chip, "", llvm::TargetOptions(), llvm::Reloc::PIC_));
    code->setTargetTriple(triple);
    code->setDataLayout(machine->createDataLayout());
    SmallVector<char> object;
    llvm::raw_svector_ostream os(object);
    llvm::legacy::PassManager codegen;
    if (machine->addPassesToEmitFile(codegen, os, nullptr,
                                     llvm::CodeGenFileType::ObjectFile))
      return "no object emission";
    codegen.run(*code);
    return object.empty() ? "empty object" : "";
  }

  /// One processor of each kind.
  static ArrayRef<const char *> chips() {
    static const char *const names[] = {"gfx906",  "gfx908",  "gfx90a",
                                        "gfx942",  "gfx950",  "gfx1030",
                                        "gfx1100", "gfx1201", "gfx1250"};
    return names;
  }

  void check(StringRef text, const rows::Chip &chip, bool runs,
             StringRef named) {
    std::string refused = compile(text, chip.name);
    if (runs) {
      EXPECT_EQ(refused, "");
      return;
    }
    EXPECT_NE(refused.find(chip.name.str()), std::string::npos) << refused;
    EXPECT_NE(refused.find(named.str()), std::string::npos) << refused;
    EXPECT_NE(refused.find("row"), std::string::npos) << refused; // located
  }

  MLIRContext context;
};
} // namespace

static std::string registerText(rows::RegisterType type) {
  std::string element = rows::spell(type.element).str();
  return type.count == 1
             ? element
             : "vector<" + std::to_string(type.count) + "x" + element + ">";
}

TEST_F(InstructionRows, MatrixInstructions) {
  for (const rows::MmaRow &row : rows::allMmaRows()) {
    if (row.blocks != 1)
      continue;
    std::string type = "!fly_rocdl." + row.text();
    type.pop_back();
    if (row.family == rows::MmaFamily::Cdna4MfmaScale)
      type += ", opselA = 0, opselB = 1>";
    else if (row.family == rows::MmaFamily::Gfx1250WmmaScale)
      type += ", opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = "
              "false, blockSize = " +
              std::string(row.bRegister.count % 3 ? "32" : "16") + ">";
    else if (row.family == rows::MmaFamily::Cdna3Mfma)
      type += ">";
    else
      type += ", signA = false, signB = false, clamp = false>";
    std::string atom = "!fly.mma_atom<" + type + ">";
    std::string a = registerText(row.aRegister),
                b = registerText(row.bRegister),
                c = registerText(row.accRegister);
    std::string text = "func.func @f(%a: " + a + ", %b: " + b + ", %c: " + c +
                       ") -> " + c + " {\n%m = fly.make_mma_atom : " + atom +
                       "\n%r = fly.mma_atom_call_ssa(%m, %a, %b, %c) : (" +
                       atom + ", " + a + ", " + b + ", " + c + ") -> " + c +
                       "\nreturn %r : " + c + "\n}";
    for (const char *name : chips()) {
      SCOPED_TRACE(row.text() + " on " + name);
      const rows::Chip &chip = *rows::findChip(name);
      check(text, chip, row.runsOn(chip), rows::spell(row.family));
    }
  }
}

TEST_F(InstructionRows, Copies) {
  for (const rows::CopyRow &row : rows::allCopyRows()) {
    std::string bits = std::to_string(row.bits);
    std::string type = "!fly_rocdl." + rows::spell(row.kind).str();
    if (row.kind == rows::CopyKind::LdsReadTranspose)
      type +=
          "<trans = " + std::to_string(row.elementBits) + "b, " + bits + ">";
    else
      type += "<" + bits + ">";
    std::string atom = "!fly.copy_atom<" + type + ", 8>";
    std::string layout = std::to_string(row.bits / 8) + ":1";
    std::string buffer =
        "!fly.memref<i8, #fly_rocdl.buffer_desc, " + layout + ">";
    std::string shared = "!fly.memref<i8, shared, " + layout + ", align<16>>";
    std::string value = row.bits == 8
                            ? "i8"
                            : "vector<" + std::to_string(row.bits / 8) + "xi8>";
    std::string text =
        "func.func @f(%b: " + buffer + ", %l: " + shared +
        ", %p: i1, %o: " + value + ") -> " + value +
        " {\n%a = fly.make_copy_atom {valBits = 8 : i32} : " + atom + "\n";
    std::string global = "!fly.memref<i8, global, " + layout + ", align<16>>";
    switch (row.kind) {
    case rows::CopyKind::BufferCopy:
      // Load, also with a predicate, and store.
      text += "%v = fly.copy_atom_call_ssa(%a, %b, %o, %p) "
              "{operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (" +
              atom + ", " + buffer + ", " + value + ", i1) -> " + value +
              "\nfly.copy_atom_call_ssa(%a, %v, %b) "
              "{operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (" +
              atom + ", " + value + ", " + buffer +
              ") -> ()\nreturn %v : " + value + "\n}";
      break;
    case rows::CopyKind::GlobalLoadAsyncLds:
      text = "func.func @f(%g: " + global + text.substr(text.find(", %l"));
      text += "fly.copy_atom_call(%a, %g, %l) : (" + atom + ", " + global +
              ", " + shared + ") -> ()\nreturn %o : " + value + "\n}";
      break;
    case rows::CopyKind::BufferCopyLds:
    case rows::CopyKind::BufferLoadAsyncLds:
      text += "fly.copy_atom_call(%a, %b, %l) : (" + atom + ", " + buffer +
              ", " + shared + ") -> ()\nreturn %o : " + value + "\n}";
      break;
    case rows::CopyKind::LdsReadTranspose:
      text += "%v = fly.copy_atom_call_ssa(%a, %l) "
              "{operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (" +
              atom + ", " + shared + ") -> " + value +
              "\nreturn %v : " + value + "\n}";
      break;
    }
    for (const char *name : chips()) {
      SCOPED_TRACE(type + " on " + name);
      const rows::Chip &chip = *rows::findChip(name);
      check(text, chip, row.runsOn(chip), rows::spell(row.kind));
    }
  }
}

TEST_F(InstructionRows, BufferAtomics) {
  const char *names[] = {"add", "max", "min", "and", "or", "inc", "dec"};
  for (const rows::BufferAtomicRow &row : rows::allBufferAtomicRows()) {
    std::string element = rows::spell(row.type.element).str();
    if (row.isUnsigned)
      element = "u" + element;
    std::string value = registerText(row.type), valueType = value;
    if (row.isUnsigned)
      valueType = element;
    std::string atom = std::string("!fly.copy_atom<!fly_rocdl.cdna3."
                                   "buffer_atomic<") +
                       names[unsigned(row.operation)] + ", " + valueType +
                       ">, " + std::to_string(rows::bitsOf(row.type.element)) +
                       ">";
    std::string buffer = "!fly.memref<" + element +
                         ", #fly_rocdl.buffer_desc, " +
                         std::to_string(row.type.count) + ":1>";
    std::string text =
        "func.func @f(%b: " + buffer + ", %v: " + value +
        ") {\n%a = fly.make_copy_atom {valBits = " +
        std::to_string(rows::bitsOf(row.type.element)) + " : i32} : " + atom +
        "\nfly.copy_atom_call_ssa(%a, %v, %b) {operandSegmentSizes = "
        "array<i32: 1, 1, 1, 0>} : (" +
        atom + ", " + value + ", " + buffer + ") -> ()\nreturn\n}";
    for (const char *name : chips()) {
      SCOPED_TRACE(atom + " on " + name);
      const rows::Chip &chip = *rows::findChip(name);
      check(text, chip, row.runsOn(chip), "cdna3.buffer_atomic");
    }
  }
}
