// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-check-kernels: what a kernel says about itself and no processor
// can keep is an error at the kernel. Later steps would ignore it, fail without
// a location, or write a code object that does not load. In: any module. Out:
// the same module. The law: a refused kernel is told what is expected, what was
// found, and where.
//
//   gpu.func @k() kernel attributes {known_block_size = array<i32: 0, 1, 1>}
//     error: 'gpu.func' op expected known_block_size to be three numbers ...

#include "fly/Dialect/FlyROCDL/Transforms/Passes.h"

#include "fly/Dialect/FlyROCDL/IR/FlyROCDL.h"
#include "fly/Support/Errors.h"
#include "fly/Target/AMDGPU/Chips.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/JSON.h"

namespace mlir::fly_rocdl {
#define GEN_PASS_DEF_FLYCHECKKERNELS
#include "fly/Dialect/FlyROCDL/Transforms/Passes.h.inc"
} // namespace mlir::fly_rocdl

using namespace mlir;
using ::fly::amdgpu::Chip;
using ::fly::amdgpu::Family;
using ::fly::amdgpu::Feature;
using ::fly::support::quoted;

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// Work-items of a workgroup: amdhsa's `.max_flat_workgroup_size`, see "Code
/// Object Metadata" of LLVM's AMDGPUUsage.
static constexpr int64_t maxWorkgroup = 1024;
/// Work-items of a grid in one direction: `grid_size_x` of HSA's dispatch
/// packet has 32 bits.
static constexpr int64_t maxGridItems = 0xFFFFFFFF;

/// Waves of one SIMD, and vector registers of one lane: getMaxWavesPerEU and
/// getAddressableNumVGPRs of LLVM's AMDGPUBaseInfo. Without a processor, the
/// most that any has.
static int64_t maxWaves(const Chip *chip) {
  if (!chip || chip->family == Family::Gfx10_1)
    return 20;
  if (chip->family > Family::Gfx10_1)
    return 16;
  return chip->has(Feature::MfmaGfx90a) ? 8 : 10;
}

static int64_t maxVgprs(const Chip *chip) {
  if (!chip || chip->family == Family::Gfx12_5)
    return 1024;
  return chip->has(Feature::MfmaGfx90a) ? 512 : 256;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Attribute `name` of a kernel as three positive numbers, or nothing when the
/// kernel has no such attribute.
static FailureOr<std::optional<ArrayRef<int32_t>>> sizesOf(Operation *kernel,
                                                           StringRef name) {
  Attribute attribute = kernel->getAttr(name);
  if (!attribute)
    return std::optional<ArrayRef<int32_t>>();
  auto sizes = dyn_cast<DenseI32ArrayAttr>(attribute);
  if (!sizes || sizes.size() != 3 ||
      llvm::any_of(sizes.asArrayRef(), [](int32_t size) { return size < 1; }))
    return kernel->emitOpError("expected ")
           << name << " to be three numbers of at least 1, found " << attribute;
  return std::optional<ArrayRef<int32_t>>(sizes.asArrayRef());
}

/// Work-items of a workgroup of these sizes; saturates above any limit.
static int64_t itemsOf(ArrayRef<int32_t> sizes) {
  int64_t items = 1;
  for (int32_t size : sizes)
    items = std::min<int64_t>(items * size, int64_t(1) << 31);
  return items;
}

/// Checks that an attribute is an integer of the range, when it is there.
static FailureOr<std::optional<int64_t>>
numberOf(Operation *kernel, StringRef name, int64_t most) {
  Attribute attribute = kernel->getAttr(name);
  if (!attribute)
    return std::optional<int64_t>();
  auto number = dyn_cast<IntegerAttr>(attribute);
  if (!number || number.getValue().getSignificantBits() > 64 ||
      number.getInt() < 1 || number.getInt() > most)
    return kernel->emitOpError("expected ")
           << name << " to be a number from 1 to " << most << ", found "
           << attribute;
  return std::optional<int64_t>(number.getInt());
}

/// The sizes that the kernel says: of workgroups, known, required and their
/// bound, of the grid, and of clusters.
static LogicalResult checkSizes(Operation *kernel, const Chip *chip) {
  std::optional<ArrayRef<int32_t>> block, grid;
  for (StringRef name : {"known_block_size", "gpu.known_block_size",
                         "rocdl.reqd_work_group_size"}) {
    FailureOr<std::optional<ArrayRef<int32_t>>> sizes = sizesOf(kernel, name);
    if (failed(sizes))
      return failure();
    if (!*sizes)
      continue;
    if (int64_t items = itemsOf(**sizes); items > maxWorkgroup)
      return kernel->emitOpError("expected ")
             << name << " to be at most " << maxWorkgroup
             << " work-items together, found " << kernel->getAttr(name);
    block = *sizes;
  }
  for (StringRef name : {"known_cluster_size", "gpu.known_cluster_size",
                         "known_grid_size", "gpu.known_grid_size"}) {
    FailureOr<std::optional<ArrayRef<int32_t>>> sizes = sizesOf(kernel, name);
    if (failed(sizes))
      return failure();
    if (!*sizes)
      continue;
    if (name.ends_with("grid_size"))
      grid = *sizes;
    else if (chip && itemsOf(**sizes) > 1 && !chip->has(Feature::Clusters))
      return kernel->emitOpError("asks for clusters of ")
             << itemsOf(**sizes) << " workgroups (" << name << "), which "
             << chip->name << " does not have";
  }
  if (block && grid)
    for (auto [workgroups, items] : llvm::zip_equal(*grid, *block))
      if (int64_t(workgroups) * items > maxGridItems)
        return kernel->emitOpError("launches ")
               << workgroups << " workgroups of " << items
               << " work-items in one direction; expected at most "
               << maxGridItems << " work-items";
  FailureOr<std::optional<int64_t>> most =
      numberOf(kernel, "rocdl.max_flat_work_group_size", maxWorkgroup);
  if (failed(most))
    return failure();
  if (*most && block && itemsOf(*block) > **most)
    return kernel->emitOpError("has workgroups of ")
           << itemsOf(*block)
           << " work-items, more than its rocdl.max_flat_work_group_size of "
           << **most;
  return success();
}

/// `rocdl.flat_work_group_size = "1,256"`.
static LogicalResult checkFlatRange(Operation *kernel) {
  constexpr llvm::StringLiteral name = "rocdl.flat_work_group_size";
  Attribute attribute = kernel->getAttr(name);
  if (!attribute)
    return success();
  auto text = dyn_cast<StringAttr>(attribute);
  int64_t least = 0, most = 0;
  auto [first, second] =
      text ? text.getValue().split(',') : std::pair<StringRef, StringRef>();
  if (!first.trim().getAsInteger(10, least) &&
      !second.trim().getAsInteger(10, most) && least >= 1 && least <= most &&
      most <= maxWorkgroup)
    return success();
  return kernel->emitOpError("expected ")
         << name << " to be \"least,most\" within 1 and " << maxWorkgroup
         << ", found " << attribute;
}

/// `passthrough = [["amdgpu-num-vgpr", "128"]]`, which a hint becomes.
static LogicalResult checkRegisters(Operation *kernel, const Chip *chip) {
  auto entries = kernel->getAttrOfType<ArrayAttr>("passthrough");
  if (!entries)
    return success();
  for (Attribute entry : entries) {
    auto pair = dyn_cast<ArrayAttr>(entry);
    auto name =
        pair && pair.size() == 2 ? dyn_cast<StringAttr>(pair[0]) : StringAttr();
    if (!name || name.getValue() != "amdgpu-num-vgpr")
      continue;
    auto text = dyn_cast<StringAttr>(pair[1]);
    int64_t number = 0;
    if (!text || text.getValue().getAsInteger(10, number) || number < 1 ||
        number > maxVgprs(chip))
      return kernel->emitOpError("expected amdgpu-num-vgpr (the hint maxnreg) "
                                 "to be a number from 1 to ")
             << maxVgprs(chip) << ", found " << pair[1];
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static bool isNumber(Type type) {
  return isa<IntegerType, IndexType>(type) ||
         (isa<FloatType>(type) && !isa<Float80Type, FloatTF32Type>(type));
}

/// Whether a value of this type can be handed to device code.
static bool canBePassed(Type type) {
  if (isNumber(type) ||
      isa<mlir::fly::FlyDialect, fly_rocdl::FlyROCDLDialect>(type.getDialect()))
    return true;
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && canBePassed(vector.getElementType());
  if (auto complex = dyn_cast<ComplexType>(type))
    return isNumber(complex.getElementType());
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return canBePassed(array.getElementType());
  if (auto aggregate = dyn_cast<LLVM::LLVMStructType>(type))
    return !aggregate.isOpaque() &&
           llvm::all_of(aggregate.getBody(), canBePassed);
  if (auto memory = dyn_cast<mlir::MemRefType>(type)) {
    Attribute space = memory.getMemorySpace();
    return memory.hasStaticShape() && memory.getLayout().isIdentity() &&
           isNumber(memory.getElementType()) &&
           (!space || isa<IntegerAttr, gpu::AddressSpaceAttr>(space));
  }
  return isa<LLVM::LLVMPointerType>(type);
}

/// The memory that a fly type points into and that a host has no address of, or
/// empty: a workgroup's and a lane's exist only while the kernel runs.
static StringRef memoryOfDevice(Type type) {
  Attribute space;
  if (auto pointer = dyn_cast<mlir::fly::PointerType>(type))
    space = pointer.getAddressSpace();
  else if (auto view = dyn_cast<mlir::fly::MemRefType>(type))
    space = view.getAddressSpace();
  if (auto known = dyn_cast_or_null<mlir::fly::AddressSpaceAttr>(space)) {
    if (known.getValue() == mlir::fly::AddressSpace::Shared)
      return "shared memory";
    if (known.getValue() == mlir::fly::AddressSpace::Register)
      return "registers";
  }
  return "";
}

static Location argumentLoc(FunctionOpInterface function, unsigned index) {
  Location where = function.isExternal() ? function.getLoc()
                                         : function.getArgument(index).getLoc();
  return isa<UnknownLoc>(where) ? function.getLoc() : where;
}

/// Of a kernel, which a host calls.
static LogicalResult checkMemoryOfArguments(FunctionOpInterface kernel) {
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    StringRef memory = memoryOfDevice(type);
    if (!memory.empty())
      return emitError(argumentLoc(kernel, index))
             << "argument " << index << " of kernel "
             << quoted(kernel.getName()) << " has type " << type
             << ", which points into " << memory
             << "; expected memory that a host can pass: global, generic or a "
                "buffer descriptor";
  }
  return success();
}

static LogicalResult checkArguments(FunctionOpInterface function) {
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (canBePassed(type))
      continue;
    Location where = argumentLoc(function, index);
    return emitError(where)
           << "argument " << index << " of " << quoted(function.getName())
           << " has type " << type
           << ", which device code is not passed; expected an integer, a "
              "float, a vector of these, an LLVM pointer, struct or array, a "
              "fly type, or a memref of static shape with the identity layout";
  }
  for (Type type : function.getResultTypes())
    if (!canBePassed(type) && !isa<LLVM::LLVMVoidType>(type))
      return function.emitOpError("returns ")
             << type << ", which device code does not return";
  return success();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Why an ELF symbol cannot have this name, or empty. An @ begins a version.
static std::string whyNoSymbol(StringRef name) {
  if (name.empty())
    return "it is empty";
  for (char c : name)
    if (c == '@' || (c >= 0 && c < 0x20) || c == 0x7F)
      return "it contains the character " + quoted(StringRef(&c, 1));
  return llvm::json::isUTF8(name) ? "" : "it is not UTF-8";
}

static LogicalResult checkName(Operation *op, StringRef name) {
  std::string why = whyNoSymbol(name);
  if (!why.empty())
    return op->emitError() << quoted(name)
                           << " cannot be a symbol of a code object: " << why;
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (function && !function.isExternal() && name.starts_with("llvm."))
    return op->emitError() << "function " << quoted(name)
                           << " has the name of an LLVM intrinsic; expected "
                              "one that does not begin with 'llvm.'";
  return success();
}

static bool isKernel(Operation *op) {
  return op->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         op->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName()) ||
         (isa<gpu::GPUFuncOp>(op) && cast<gpu::GPUFuncOp>(op).isKernel());
}

static LogicalResult checkModule(gpu::GPUModuleOp module, const Chip *chip) {
  for (Operation &op : module.getBody()->getOperations()) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (!symbol)
      continue;
    if (failed(checkName(&op, symbol.getName())))
      return failure();
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      if (failed(checkArguments(function)))
        return failure();
    if (!isKernel(&op))
      continue;
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      if (failed(checkMemoryOfArguments(function)))
        return failure();
    std::string descriptor = (symbol.getName() + ".kd").str();
    if (Operation *other = SymbolTable::lookupSymbolIn(module, descriptor)) {
      InFlightDiagnostic error = other->emitError()
                                 << quoted(descriptor)
                                 << " is the name of the descriptor of kernel "
                                 << quoted(symbol.getName());
      error.attachNote(op.getLoc()) << "the kernel is here";
      return error;
    }
    if (failed(checkSizes(&op, chip)) || failed(checkFlatRange(&op)) ||
        failed(numberOf(&op, "rocdl.waves_per_eu", maxWaves(chip))) ||
        failed(checkRegisters(&op, chip)))
      return failure();
  }
  return success();
}

namespace {
struct CheckKernels : fly_rocdl::impl::FlyCheckKernelsBase<CheckKernels> {
  using FlyCheckKernelsBase::FlyCheckKernelsBase;

  void runOnOperation() override {
    const Chip *processor = nullptr;
    if (!chip.empty() && !(processor = ::fly::amdgpu::findChipOrAlias(chip))) {
      InFlightDiagnostic error =
          emitError(getOperation()->getLoc(), "unknown chip ");
      error << quoted(chip);
      std::string sep = "; did you mean ";
      for (const std::string &name : ::fly::amdgpu::nearestChipNames(chip)) {
        error << sep << name;
        sep = ", ";
      }
      return signalPassFailure();
    }
    WalkResult result =
        getOperation()->walk([&](gpu::GPUModuleOp module) -> WalkResult {
          return checkModule(module, processor);
        });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
