// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the serialiser on top of MLIR's SerializeGPUModuleBase, of which
// it takes the translation, the control variables of the device libraries, the
// linking of bitcode and the optimisation. Of our own are: where device
// libraries come from, the emission straight to an object (no detour through
// text), the linker, the checks of the target, and that diagnostics of LLVM
// are diagnostics of MLIR at the op or function that they are about. The whole
// run stands inside runRecovering, see Recovery.h.

#include "fly/CodeGen/Serializer.h"

#include "fly/Analysis/DeviceLibraries.h"
#include "fly/CodeGen/Recovery.h"

#include "mlir/Target/LLVM/ROCDL/Target.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::fly;

static constexpr llvm::StringLiteral amdgpuTriple = "amdgcn-amd-amdhsa";

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

namespace {
/// What a diagnostic of LLVM says of its place.
struct Place {
  const llvm::Function *function = nullptr;
  /// Invalid without debug information.
  llvm::DiagnosticLocation location;
};
} // namespace

static Place placeOf(const llvm::DiagnosticInfo &info) {
  switch (info.getKind()) {
  case llvm::DK_Unsupported:
  case llvm::DK_ResourceLimit:
  case llvm::DK_StackSize:
  case llvm::DK_RegAllocFailure:
  case llvm::DK_OptimizationFailure:
  case llvm::DK_GenericWithLoc:
  case llvm::DK_LegalizationFailure: {
    const auto &placed =
        static_cast<const llvm::DiagnosticInfoWithLocationBase &>(info);
    return {&placed.getFunction(), placed.getLocation()};
  }
  case llvm::DK_InlineAsm:
    if (const llvm::Instruction *instruction =
            llvm::cast<llvm::DiagnosticInfoInlineAsm>(info).getInstruction())
      return {instruction->getFunction(),
              llvm::DiagnosticLocation(instruction->getDebugLoc())};
    return {};
  default:
    return {};
  }
}

/// The location of function `name` in `module`; else that of the only function
/// that has code there, or that of the module.
static Location locationOfFunction(Operation &module, StringRef name) {
  if (Operation *op =
          name.empty() ? nullptr : SymbolTable::lookupSymbolIn(&module, name))
    return op->getLoc();
  LLVM::LLVMFuncOp only;
  for (auto function : module.getRegion(0).getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    if (only)
      return module.getLoc();
    only = function;
  }
  return only ? only.getLoc() : module.getLoc();
}

/// The location of the op of `module` that `place` was made of; without one,
/// what `place` itself says. Debug information has the folders of files apart,
/// and they may be rewritten.
static Location locationOfOp(Operation &module,
                             const llvm::DiagnosticLocation &place) {
  StringRef file = llvm::sys::path::filename(place.getRelativePath());
  std::optional<Location> found;
  module.walk([&](Operation *op) {
    auto at = op->getLoc()->findInstanceOf<FileLineColLoc>();
    if (!at || at.getLine() != place.getLine() ||
        at.getColumn() != place.getColumn() ||
        llvm::sys::path::filename(at.getFilename()) != file)
      return WalkResult::advance();
    found = op->getLoc();
    return WalkResult::interrupt();
  });
  if (found)
    return *found;
  return FileLineColLoc::get(module.getContext(), place.getAbsolutePath(),
                             place.getLine(), place.getColumn());
}

namespace {
/// Turns what LLVM has to say into diagnostics at the place that its debug
/// location names, else at the function of the module that it is about, or at
/// the module.
class DiagnosticForwarder : public llvm::DiagnosticHandler {
public:
  explicit DiagnosticForwarder(Operation &module, bool &sawError)
      : module(module), sawError(sawError) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error)
      sawError = true;
    else if (info.getSeverity() != llvm::DS_Warning)
      return true;
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    os.flush();
    llvm::StringRef line = llvm::StringRef(text).split('\n').first.trim(" \t.");
    // The location says this as well.
    llvm::DiagnosticLocation at = placeOf(info).location;
    std::string prefix = "<unknown>:0:0: ";
    if (at.isValid())
      prefix = (at.getRelativePath() + ":" + Twine(at.getLine()) + ":" +
                Twine(at.getColumn()) + ": ")
                   .str();
    line.consume_front(prefix);
    if (info.getSeverity() == llvm::DS_Error)
      emitError(locationOf(info), "LLVM refused to compile this: ") << line;
    else
      emitWarning(locationOf(info), "LLVM warns: ") << line;
    return true;
  }

private:
  Location locationOf(const llvm::DiagnosticInfo &info) {
    Place place = placeOf(info);
    if (place.location.isValid() && place.location.getColumn() != 0)
      return locationOfOp(module, place.location);
    return locationOfFunction(module,
                              place.function ? place.function->getName() : "");
  }

  Operation &module;
  bool &sawError;
};
} // namespace

//===----------------------------------------------------------------------===//
// The serialiser
//===----------------------------------------------------------------------===//

namespace {
/// One serialisation of one module. `run` may be left by a fatal error, so the
/// object holds nothing that its destructor could not release after that.
class Serializer : public ROCDL::SerializeGPUModuleBase {
public:
  Serializer(gpu::GPUModuleOp module, ROCDL::ROCDLTargetAttr target,
             const SerializeOptions &options)
      : SerializeGPUModuleBase(*module, target), options(options) {}

  std::optional<SmallVector<char, 0>> run() override;

private:
  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &llvmModule) override;
  /// The bitcode at `path`, which `field` of the key is about; null when
  /// reported.
  std::unique_ptr<llvm::Module> load(llvm::LLVMContext &context, StringRef path,
                                     StringRef field);

  FailureOr<CodeBytes> emit(llvm::Module &llvmModule);

  const SerializeOptions &options;
  bool sawError = false;
};
} // namespace

std::unique_ptr<llvm::Module>
Serializer::load(llvm::LLVMContext &context, StringRef path, StringRef field) {
  Location location = getOperation().getLoc();
  // Volatile: a file that changes is not mapped.
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/true,
                                            /*IsVolatile=*/true);
  if (!buffer) {
    emitError(location) << "bitcode '" << path
                        << "' cannot be read: " << buffer.getError().message()
                        << " [FLY-K007]";
    return nullptr;
  }
  if (options.bitcode) {
    const ::fly::support::KeyField *keyed = options.bitcode->find(field);
    std::string found = ::fly::support::digestOf((*buffer)->getBuffer()).hex();
    if (!keyed || keyed->value != found) {
      emitError(location) << "bitcode '" << path
                          << "' changed after the key was made: expected "
                          << (keyed && keyed->value
                                  ? StringRef(*keyed->value).take_front(12)
                                  : StringRef("no file"))
                          << ", found " << StringRef(found).take_front(12)
                          << "; compile again [FLY-K007]";
      return nullptr;
    }
  }
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseIR((*buffer)->getMemBufferRef(), error, context);
  if (!module) {
    emitError(location) << "bitcode '" << path
                        << "' cannot be read: " << error.getMessage();
    return nullptr;
  }
  return failed(handleBitcodeFile(*module)) ? nullptr : std::move(module);
}

/// The device library as MLIR names it, whose control variables it needs.
static ROCDL::AMDGCNLibraries controlledBy(StringRef fileName) {
  return llvm::StringSwitch<ROCDL::AMDGCNLibraries>(fileName)
      .Case("ocml.bc", ROCDL::AMDGCNLibraries::Ocml)
      .Case("ockl.bc", ROCDL::AMDGCNLibraries::Ockl)
      .Case("hip.bc", ROCDL::AMDGCNLibraries::Hip)
      .Case("opencl.bc", ROCDL::AMDGCNLibraries::OpenCL)
      .Default(ROCDL::AMDGCNLibraries::None);
}

std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
Serializer::loadBitcodeFiles(llvm::Module &llvmModule) {
  SmallVector<std::unique_ptr<llvm::Module>> modules;
  llvm::LLVMContext &context = llvmModule.getContext();
  for (auto [index, file] : llvm::enumerate(librariesToLink)) {
    std::string field = "link" + std::to_string(index);
    auto path = dyn_cast<StringAttr>(file);
    if (!path) {
      emitError(getOperation().getLoc(), "expected the path of bitcode, found ")
          << file;
      return std::nullopt;
    }
    modules.push_back(load(context, path.getValue(), field));
    if (!modules.back())
      return std::nullopt;
  }
  SmallVector<const llvm::Module *> users = {&llvmModule};
  for (const std::unique_ptr<llvm::Module> &module : modules)
    users.push_back(module.get());
  SmallVector<NeededDeviceLibrary> needed = neededDeviceLibraries(users);
  SmallVector<DeviceLibraryPlace> places;
  if (!needed.empty())
    places = deviceLibraryPlaces(options.deviceLibraries, options.environment);
  for (const NeededDeviceLibrary &library : needed) {
    llvm::Expected<std::string> path = findDeviceLibrary(library, places);
    if (!path) {
      emitError(getOperation().getLoc(), llvm::toString(path.takeError()));
      return std::nullopt;
    }
    modules.push_back(load(context, *path, library.fileName));
    if (!modules.back())
      return std::nullopt;
    deviceLibs |= controlledBy(library.fileName);
  }
  return modules;
}

/// The code in the wanted format, before linking.
FailureOr<CodeBytes> Serializer::emit(llvm::Module &llvmModule) {
  CodeBytes bytes;
  llvm::raw_svector_ostream os(bytes);
  if (options.format == CodeFormat::LLVMIR) {
    llvmModule.print(os, /*AAW=*/nullptr);
    return bytes;
  }
  FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
  if (failed(machine))
    return failure(); // it says why
  llvm::legacy::PassManager passes;
  bool isAssembly = options.format == CodeFormat::Assembly;
  auto fileType = isAssembly ? llvm::CodeGenFileType::AssemblyFile
                             : llvm::CodeGenFileType::ObjectFile;
  // True for a type of file that the target does not have; AMDGPU has both.
  bool isUnknownType =
      (*machine)->addPassesToEmitFile(passes, os, nullptr, fileType);
  if (!isUnknownType)
    passes.run(llvmModule);
  if (sawError)
    return failure();
  if (isAssembly ? !bytes.empty()
                 : StringRef(bytes.data(), bytes.size()).starts_with("\177ELF"))
    return bytes;
  return emitError(getOperation().getLoc(),
                   "LLVM made no code of this; an option of LLVM that was set "
                   "may end its pipeline before");
}

std::optional<SmallVector<char, 0>> Serializer::run() {
  llvm::LLVMContext context;
  context.setDiagnosticHandler(
      std::make_unique<DiagnosticForwarder>(getOperation(), sawError));
  std::unique_ptr<llvm::Module> llvmModule = translateToLLVMIR(context);
  if (!llvmModule) {
    emitError(getOperation().getLoc(),
              "the module cannot be translated to LLVM IR");
    return std::nullopt;
  }
  setDataLayoutAndTriple(*llvmModule);
  std::optional<SmallVector<std::unique_ptr<llvm::Module>>> libraries =
      loadBitcodeFiles(*llvmModule);
  if (!libraries)
    return std::nullopt;
  // It defines the control variables of the libraries that were loaded.
  handleModulePreLink(*llvmModule);
  if (!libraries->empty() &&
      failed(linkFiles(*llvmModule, std::move(*libraries))))
    return std::nullopt;
  handleModulePostLink(*llvmModule);
  if (failed(optimizeModule(*llvmModule, optLevel)) || sawError)
    return std::nullopt;
  FailureOr<CodeBytes> bytes = emit(*llvmModule);
  if (failed(bytes))
    return std::nullopt;
  return std::move(*bytes);
}

//===----------------------------------------------------------------------===//
// Checks of the target
//===----------------------------------------------------------------------===//

/// Checks that each part of `features` is `+name` or `-name` of a subtarget
/// feature.
static LogicalResult verifyFeatures(ROCDL::ROCDLTargetAttr target,
                                    Location location) {
  std::string error;
  llvm::Triple triple(amdgpuTriple);
  const llvm::Target *llvmTarget =
      llvm::TargetRegistry::lookupTarget(triple, error);
  assert(llvmTarget && "Serializer::init has registered it");
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      llvmTarget->createMCSubtargetInfo(triple, target.getChip(), ""));
  SmallVector<StringRef> parts;
  target.getFeatures().split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    StringRef name = part;
    if (!name.consume_front("+") && !name.consume_front("-"))
      return emitError(location, "expected target features as '+name' or "
                                 "'-name', found '")
             << part << "'";
    if (llvm::none_of(subtarget->getAllProcessorFeatures(),
                      [&](const llvm::SubtargetFeatureKV &row) {
                        return name == row.Key;
                      }))
      return emitError(location, "expected a target feature that LLVM knows, "
                                 "found '")
             << part << "'";
  }
  return success();
}

LogicalResult mlir::fly::verifyTarget(ROCDL::ROCDLTargetAttr target,
                                      Location location) {
  if (target.getTriple() != amdgpuTriple)
    return emitError(location, "expected target triple '")
           << amdgpuTriple << "', found '" << target.getTriple() << "'";
  if (llvm::AMDGPU::parseArchAMDGCN(target.getChip()) == llvm::AMDGPU::GK_NONE)
    return emitError(location,
                     "expected a processor that LLVM knows, such as 'gfx942', "
                     "found '")
           << target.getChip() << "'";
  if (target.getAbi() != "500" && target.getAbi() != "600")
    return emitError(location, "expected ABI version 500 or 600, found '")
           << target.getAbi() << "'";
  return verifyFeatures(target, location);
}

//===----------------------------------------------------------------------===//
// The place of a fatal error
//===----------------------------------------------------------------------===//

/// What follows `mark` in `text`, up to the end of the line, or empty.
static StringRef wordAfter(StringRef text, StringRef mark) {
  size_t at = text.find(mark);
  if (at == StringRef::npos)
    return "";
  return text.drop_front(at + mark.size()).split('\n').first.trim();
}

/// Whether `op` becomes a call of `intrinsic`, `llvm.amdgcn.mfma.…`. ROCDL's
/// ops have the names of the intrinsics, without the types of overloaded ones.
static bool becomesIntrinsic(Operation *op, StringRef intrinsic) {
  StringRef name = op->getName().getStringRef();
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    name = call.getIntrin();
  else if (!name.consume_front("rocdl.") ||
           !intrinsic.consume_front("llvm.amdgcn."))
    return false;
  return intrinsic.consume_front(name) &&
         (intrinsic.empty() || intrinsic.starts_with("."));
}

/// Where `module` has what the text of a fatal error is about: the first op
/// that becomes the intrinsic that it names, else the function that it names in
/// a line of its own, else the module.
static Location locationOfFatalError(Operation &module, StringRef text) {
  StringRef intrinsic = wordAfter(text, "Cannot select: intrinsic %");
  Operation *culprit = nullptr;
  if (!intrinsic.empty())
    module.walk([&](Operation *op) {
      if (!becomesIntrinsic(op, intrinsic))
        return WalkResult::advance();
      culprit = op;
      return WalkResult::interrupt();
    });
  if (culprit)
    return culprit->getLoc();
  return locationOfFunction(module, wordAfter(text, "In function: "));
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

FailureOr<CodeBytes>
mlir::fly::serializeGPUModule(gpu::GPUModuleOp module,
                              ROCDL::ROCDLTargetAttr target,
                              const SerializeOptions &options) {
  Serializer::init();
  if (failed(verifyTarget(target, module.getLoc())))
    return failure();

  std::optional<CodeBytes> bytes;
  std::string reason;
  Serializer serializer(module, target, options);
  LLVMOptionScope scope(options.llvmOptions);
  if (!runRecovering([&] { bytes = serializer.run(); }, reason))
    return emitError(locationOfFatalError(*module, reason),
                     "LLVM cannot compile this for '")
           << target.getChip() << "': " << StringRef(reason).split('\n').first;
  if (!bytes)
    return failure();
  if (options.format != CodeFormat::Object)
    return std::move(*bytes);

  llvm::Expected<CodeBytes> image = linkCodeObject(*bytes);
  if (!image)
    return emitError(module.getLoc(), llvm::toString(image.takeError()));
  return std::move(*image);
}

void mlir::fly::registerCodeGenInterfaces(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerROCDLDialectTranslation(registry);
  gpu::registerOffloadingLLVMTranslationInterfaceExternalModels(registry);
  ROCDL::registerROCDLTargetInterfaceExternalModels(registry);
  registerExplicitModule(registry);
}
