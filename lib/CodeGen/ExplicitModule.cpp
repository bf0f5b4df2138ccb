// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `#fly.explicit_module` becomes in the LLVM IR of the host. In go a
// `gpu.binary` with that handler and the launches of its kernels; out come the
// object as a constant, two functions by which the host loads it, and calls of
// the `mgpu` runtime. The laws: nothing runs before the host calls it; no
// stream is made, waited for or destroyed; what cannot be embedded or launched
// is a located diagnostic; a launch in a loop takes stack once.
//
//   gpu.binary @a <#fly.explicit_module> [#gpu.object<..., bin = "...">]
//     ->  @a_binary, @a_module, flydsl_gpu_module_init and
//         flydsl_gpu_module_load_to_device
//
// Both functions have fixed names, so a host module holds one such binary.

#include "fly/CodeGen/Serializer.h"

#include "fly/Dialect/Fly/IR/FlyDialect.h"

#include "mlir/Target/LLVMIR/ModuleTranslation.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace mlir::fly;

static constexpr llvm::StringLiteral initName = "flydsl_gpu_module_init";
static constexpr llvm::StringLiteral loadName =
    "flydsl_gpu_module_load_to_device";

static std::string globalOf(StringRef binary, StringRef what) {
  return (binary + "_" + what).str();
}

static std::string textOf(llvm::Type *type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  type->print(os);
  return text;
}

/// The function `name` of `module`, declared if it is not there; a diagnostic
/// at `op` when the host has something else of that name.
static FailureOr<llvm::Function *> functionOf(Operation *op,
                                              llvm::Module &module,
                                              StringRef name,
                                              llvm::FunctionType *type) {
  llvm::GlobalValue *value = module.getNamedValue(name);
  if (!value)
    return llvm::Function::Create(type, llvm::Function::ExternalLinkage, name,
                                  module);
  auto *function = llvm::dyn_cast<llvm::Function>(value);
  if (!function)
    return op->emitError("expected the host's symbol '")
           << name << "' to be a function, found a variable";
  if (function->getFunctionType() != type)
    return op->emitError("expected the host's function '")
           << name << "' to be '" << textOf(type) << "', found '"
           << textOf(function->getFunctionType()) << "'";
  return function;
}

namespace {
/// The types that the runtime's functions are made of.
struct RuntimeTypes {
  explicit RuntimeTypes(llvm::Module &module)
      : none(llvm::Type::getVoidTy(module.getContext())),
        pointer(llvm::PointerType::getUnqual(module.getContext())),
        i32(llvm::Type::getInt32Ty(module.getContext())),
        i64(llvm::Type::getInt64Ty(module.getContext())),
        word(module.getDataLayout().getIntPtrType(module.getContext())) {}

  llvm::Type *none, *pointer, *i32, *i64;
  llvm::IntegerType *word;
};
} // namespace

//===----------------------------------------------------------------------===//
// Embedding
//===----------------------------------------------------------------------===//

/// The object that is embedded: the first one.
static FailureOr<gpu::ObjectAttr> objectOf(gpu::BinaryOp binary) {
  ArrayAttr objects = binary.getObjectsAttr();
  if (!objects || objects.empty())
    return binary.emitError("binary @") << binary.getName() << " has no object";
  auto object = dyn_cast<gpu::ObjectAttr>(objects[0]);
  if (!object)
    return binary.emitError("expected a #gpu.object as the first object of @")
           << binary.getName() << ", found " << objects[0];
  return object;
}

/// Refuses what would give the two functions a second body.
static LogicalResult checkAlone(gpu::BinaryOp binary) {
  for (Operation &op : *binary->getBlock()) {
    auto other = dyn_cast<gpu::BinaryOp>(op);
    if (other == binary)
      break;
    if (!other || !isa<ExplicitModuleAttr>(other.getOffloadingHandlerAttr()))
      continue;
    InFlightDiagnostic error =
        binary.emitError("a host module holds one gpu.binary with "
                         "#fly.explicit_module, which defines '")
        << initName << "'; @" << binary.getName() << " is a second one";
    error.attachNote(other.getLoc()) << "the first is @" << other.getName();
    return error;
  }
  for (StringRef name : {initName, loadName}) {
    auto function =
        dyn_cast_or_null<LLVM::LLVMFuncOp>(SymbolTable::lookupNearestSymbolFrom(
            binary, StringAttr::get(binary.getContext(), name)));
    if (!function || function.isExternal())
      continue;
    InFlightDiagnostic error =
        binary.emitError("#fly.explicit_module defines '")
        << name << "', and so does the host";
    error.attachNote(function.getLoc()) << "the host's function";
    return error;
  }
  return success();
}

/// A variable of the host module; a diagnostic when its name is taken.
static FailureOr<llvm::GlobalVariable *>
makeGlobal(gpu::BinaryOp binary, llvm::Module &module, StringRef what,
           llvm::Constant *value, bool isConstant) {
  std::string name = globalOf(binary.getName(), what);
  if (module.getNamedValue(name))
    return binary.emitError("#fly.explicit_module defines '")
           << name << "', and so does the host";
  return new llvm::GlobalVariable(module, value->getType(), isConstant,
                                  llvm::GlobalValue::InternalLinkage, value,
                                  name);
}

/// The integer property `O` of an object that is compiled when it is loaded.
static FailureOr<int32_t> optLevelOf(gpu::BinaryOp binary,
                                     gpu::ObjectAttr object) {
  Attribute level =
      object.getProperties() ? object.getProperties().get("O") : Attribute();
  if (!level)
    return 0;
  auto number = dyn_cast<IntegerAttr>(level);
  if (!number || !number.getValue().isSignedIntN(32))
    return binary.emitError("expected property 'O' of the object to be an "
                            "integer of 32 bits, found ")
           << level;
  return int32_t(number.getValue().getSExtValue());
}

/// The call of the runtime that loads the object.
static FailureOr<llvm::Value *>
callLoader(gpu::BinaryOp binary, gpu::ObjectAttr object, llvm::Constant *data,
           llvm::IRBuilder<> &b, llvm::Module &module) {
  RuntimeTypes types(module);
  bool isText = object.getFormat() == gpu::CompilationTarget::Assembly;
  llvm::Value *more = b.getInt64(object.getObject().size());
  if (isText) {
    FailureOr<int32_t> level = optLevelOf(binary, object);
    if (failed(level))
      return failure();
    more = b.getInt32(uint32_t(*level));
  }
  FailureOr<llvm::Function *> loader = functionOf(
      binary, module, isText ? "mgpuModuleLoadJIT" : "mgpuModuleLoad",
      llvm::FunctionType::get(types.pointer, {types.pointer, more->getType()},
                              /*isVarArg=*/false));
  if (failed(loader))
    return failure();
  return b.CreateCall(*loader, {data, more}, "module");
}

/// The entry block of one of the two functions, which takes over nothing that
/// the host's declaration says of the body.
static FailureOr<llvm::Function *>
openFunction(gpu::BinaryOp binary, llvm::Module &module, StringRef name) {
  RuntimeTypes types(module);
  FailureOr<llvm::Function *> function = functionOf(
      binary, module, name,
      llvm::FunctionType::get(types.none, {types.pointer, types.pointer},
                              /*isVarArg=*/false));
  if (failed(function))
    return failure();
  (*function)->setLinkage(llvm::GlobalValue::ExternalLinkage);
  (*function)->setDLLStorageClass(llvm::GlobalValue::DefaultStorageClass);
  (*function)->setAttributes(llvm::AttributeList());
  (*function)->getArg(0)->setName("module_out");
  (*function)->getArg(1)->setName("err_out");
  llvm::BasicBlock::Create(module.getContext(), "entry", *function);
  return function;
}

static LogicalResult embed(gpu::BinaryOp binary, llvm::Module &module) {
  FailureOr<gpu::ObjectAttr> object = objectOf(binary);
  if (failed(object) || failed(checkAlone(binary)))
    return failure();
  if (size_t count = binary.getObjects().size(); count > 1)
    binary.emitWarning("#fly.explicit_module embeds the first of ")
        << count << " objects, for " << object->getTarget();

  llvm::LLVMContext &context = module.getContext();
  RuntimeTypes types(module);
  auto *null = llvm::Constant::getNullValue(types.pointer);
  FailureOr<llvm::GlobalVariable *> data =
      makeGlobal(binary, module, "binary",
                 llvm::ConstantDataArray::getString(
                     context, object->getObject().getValue(),
                     object->getFormat() == gpu::CompilationTarget::Assembly),
                 /*isConstant=*/true);
  FailureOr<llvm::GlobalVariable *> handle =
      makeGlobal(binary, module, "module", null, /*isConstant=*/false);
  if (failed(data) || failed(handle))
    return failure();
  (*data)->setAlignment(llvm::MaybeAlign(8));
  if (DictionaryAttr properties = object->getProperties())
    if (auto section = properties.getAs<StringAttr>(gpu::elfSectionName))
      (*data)->setSection(section.getValue());

  FailureOr<llvm::Function *> init = openFunction(binary, module, initName);
  FailureOr<llvm::Function *> load = openFunction(binary, module, loadName);
  if (failed(init) || failed(load))
    return failure();
  llvm::IRBuilder<> b(&(*init)->getEntryBlock());
  b.CreateStore(null, (*init)->getArg(0));
  b.CreateStore(b.getInt32(0), (*init)->getArg(1));
  b.CreateRetVoid();

  b.SetInsertPoint(&(*load)->getEntryBlock());
  FailureOr<llvm::Value *> loaded =
      callLoader(binary, *object, *data, b, module);
  if (failed(loaded))
    return failure();
  b.CreateStore(*loaded, *handle);
  b.CreateStore(*loaded, (*load)->getArg(0));
  b.CreateStore(b.CreateSelect(b.CreateIsNull(*loaded), b.getInt32(-1U),
                               b.getInt32(0), "err"),
                (*load)->getArg(1));
  b.CreateRetVoid();
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The name of the variable with the kernel's name. MLIR's handler looks for
/// `BINARY_KERNEL_name` of its binaries, and takes what it finds: what may be
/// such a name too (@a::@b_k, @a_b::@k) gets an end that it does not look for.
static std::string kernelGlobal(gpu::BinaryOp binary, StringRef kernel) {
  std::string name = globalOf(binary.getName(), (kernel + "_name").str());
  bool isAmbiguous = llvm::any_of(
      binary->getBlock()->getOps<gpu::BinaryOp>(), [&](gpu::BinaryOp other) {
        return other != binary &&
               StringRef(name).starts_with(globalOf(other.getName(), ""));
      });
  return isAmbiguous ? name + ".explicit" : name;
}

/// The name of the kernel as a C string, once in a module unless the host has
/// something else of that name.
static llvm::Value *kernelName(llvm::IRBuilderBase &builder,
                               llvm::Module &module, gpu::BinaryOp binary,
                               StringRef kernel) {
  std::string name = kernelGlobal(binary, kernel);
  llvm::Constant *text =
      llvm::ConstantDataArray::getString(module.getContext(), kernel);
  llvm::GlobalVariable *known = module.getGlobalVariable(name, true);
  if (known && known->isConstant() && known->hasPrivateLinkage() &&
      known->hasGlobalUnnamedAddr() && known->hasInitializer() &&
      known->getInitializer() == text)
    return known;
  return builder.CreateGlobalString(kernel, name, /*AddressSpace=*/0, &module);
}

/// A place on the stack that each call of the function has once, as a pointer
/// of address space 0.
static llvm::Value *stackSlot(llvm::IRBuilderBase &builder, llvm::Type *type,
                              const Twine &name) {
  llvm::BasicBlock &entry =
      builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> b(&entry, entry.begin());
  return b.CreateAddrSpaceCast(
      b.CreateAlloca(type, nullptr, name),
      llvm::PointerType::getUnqual(type->getContext()));
}

/// The array of pointers to the operands of the kernel.
static llvm::Value *makeParameters(llvm::IRBuilderBase &builder,
                                   ArrayRef<llvm::Value *> operands) {
  SmallVector<llvm::Type *> fields;
  for (llvm::Value *operand : operands)
    fields.push_back(operand->getType());
  auto *record = llvm::StructType::get(builder.getContext(), fields);
  auto *array = llvm::ArrayType::get(builder.getPtrTy(), fields.size());
  llvm::Value *values = stackSlot(builder, record, "args");
  llvm::Value *pointers = stackSlot(builder, array, "params");
  for (auto [index, operand] : llvm::enumerate(operands)) {
    llvm::Value *field = builder.CreateStructGEP(record, values, index);
    builder.CreateStore(operand, field);
    builder.CreateStore(
        field, builder.CreateConstInBoundsGEP2_64(array, pointers, 0, index));
  }
  return pointers;
}

/// The stream that a launch goes to.
static FailureOr<llvm::Value *> streamOf(gpu::LaunchFuncOp launch,
                                         llvm::IRBuilderBase &builder,
                                         LLVM::ModuleTranslation &translation) {
  Value stream = launch.getAsyncObject();
  if (!stream && !launch.getAsyncDependencies().empty())
    stream = launch.getAsyncDependencies().front();
  if (!stream)
    return llvm::Constant::getNullValue(builder.getPtrTy());
  llvm::Value *value = translation.lookupValue(stream);
  if (!value || value->getType() != builder.getPtrTy())
    return launch.emitError("expected the stream of the launch as a pointer, "
                            "found ")
           << stream.getType();
  return value;
}

/// A diagnostic when the runtime cannot find the kernel by its name, or the
/// embedded object is known to lack it.
static LogicalResult checkKernel(gpu::LaunchFuncOp launch,
                                 gpu::BinaryOp binary) {
  if (launch.getKernelName().getValue().contains('\0'))
    return launch.emitError("the runtime finds kernels by C strings: expected "
                            "a kernel name without a NUL byte");
  FailureOr<gpu::ObjectAttr> object = objectOf(binary);
  if (failed(object))
    return failure();
  gpu::KernelTableAttr kernels = object->getKernels();
  if (!kernels || kernels.lookup(launch.getKernelName()))
    return success();
  InFlightDiagnostic error = launch.emitError("binary @")
                             << binary.getName() << " has no kernel @"
                             << launch.getKernelName().getValue();
  error.attachNote(binary.getLoc()) << "the binary";
  return error;
}

static LogicalResult launchKernel(gpu::LaunchFuncOp launch,
                                  gpu::BinaryOp binary,
                                  llvm::IRBuilderBase &builder,
                                  LLVM::ModuleTranslation &translation) {
  llvm::Module &module = *translation.getLLVMModule();
  std::string handleName = globalOf(binary.getName(), "module");
  llvm::GlobalVariable *handle = module.getGlobalVariable(handleName, true);
  if (!handle)
    return launch.emitError("no embedded module for @")
           << binary.getName() << ": the host module has no '" << handleName
           << "'";
  if (failed(checkKernel(launch, binary)))
    return failure();

  RuntimeTypes types(module);
  SmallVector<llvm::Value *> operands;
  for (Value operand : launch.getKernelOperands()) {
    operands.push_back(translation.lookupValue(operand));
    if (!operands.back())
      return launch.emitError("expected kernel operands of types that LLVM IR "
                              "has, found ")
             << operand.getType();
  }
  FailureOr<llvm::Value *> stream = streamOf(launch, builder, translation);
  if (failed(stream))
    return failure();

  SmallVector<llvm::Value *> arguments;
  auto addSizes = [&](gpu::KernelDim3 sizes) {
    for (Value size : {sizes.x, sizes.y, sizes.z})
      arguments.push_back(
          builder.CreateZExtOrTrunc(translation.lookupValue(size), types.word));
  };
  if (launch.hasClusterSize())
    addSizes(launch.getClusterSizeOperandValues());
  addSizes(launch.getGridSizeOperandValues());
  addSizes(launch.getBlockSizeOperandValues());
  Value lds = launch.getDynamicSharedMemorySize();
  arguments.push_back(lds ? translation.lookupValue(lds) : builder.getInt32(0));
  arguments.push_back(*stream);
  arguments.push_back(makeParameters(builder, operands));
  arguments.push_back(llvm::Constant::getNullValue(types.pointer));
  arguments.push_back(builder.getInt64(operands.size()));

  SmallVector<llvm::Type *> signature{types.pointer};
  for (llvm::Value *argument : arguments)
    signature.push_back(argument->getType());
  FailureOr<llvm::Function *> find = functionOf(
      launch, module, "mgpuModuleGetFunction",
      llvm::FunctionType::get(types.pointer, {types.pointer, types.pointer},
                              /*isVarArg=*/false));
  FailureOr<llvm::Function *> run = functionOf(
      launch, module,
      launch.hasClusterSize() ? "mgpuLaunchClusterKernel" : "mgpuLaunchKernel",
      llvm::FunctionType::get(types.none, signature, /*isVarArg=*/false));
  if (failed(find) || failed(run))
    return failure();
  llvm::Value *name =
      kernelName(builder, module, binary, launch.getKernelName().getValue());
  llvm::Value *loaded = builder.CreateLoad(types.pointer, handle, "module");
  arguments.insert(arguments.begin(),
                   builder.CreateCall(*find, {loaded, name}, "kernel"));
  builder.CreateCall(*run, arguments);
  return success();
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

namespace {
struct ExplicitModuleModel
    : gpu::OffloadingLLVMTranslationAttrInterface::ExternalModel<
          ExplicitModuleModel, ExplicitModuleAttr> {
  LogicalResult embedBinary(Attribute, Operation *op, llvm::IRBuilderBase &,
                            LLVM::ModuleTranslation &translation) const {
    auto binary = dyn_cast<gpu::BinaryOp>(op);
    if (!binary)
      return op->emitError("expected a gpu.binary to embed, found ")
             << op->getName();
    return embed(binary, *translation.getLLVMModule());
  }

  LogicalResult launchKernel(Attribute, Operation *launchOp,
                             Operation *binaryOp, llvm::IRBuilderBase &builder,
                             LLVM::ModuleTranslation &translation) const {
    auto launch = dyn_cast<gpu::LaunchFuncOp>(launchOp);
    if (!launch)
      return launchOp->emitError("expected a gpu.launch_func, found ")
             << launchOp->getName();
    auto binary = dyn_cast_if_present<gpu::BinaryOp>(binaryOp);
    if (!binary) {
      InFlightDiagnostic error =
          launch.emitError("expected a gpu.binary with the kernel, found ");
      if (binaryOp)
        return error << binaryOp->getName();
      return error << "none";
    }
    return ::launchKernel(launch, binary, builder, translation);
  }
};
} // namespace

void mlir::fly::registerExplicitModule(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FlyDialect *) {
    ExplicitModuleAttr::attachInterface<ExplicitModuleModel>(*context);
  });
}
