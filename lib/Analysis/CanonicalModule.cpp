// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of a canonical module: which attributes stay, and the clone that is
// made of the plan. The order and the names of symbols are found in
// SymbolOrder.cpp, the digest in CanonicalDigest.cpp.
//
// Attributes that are left out: carriers of targets and keys, an explicit
// `public`, lists of argument attributes that are all empty, values that equal
// the default of an optional attribute, and, without debug information, all
// that describes it. Unknown attributes stay.

#include "fly/Analysis/CanonicalModule.h"

#include "fly/Analysis/CacheKey.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Target/LLVMIR/Import.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::fly;

PlanOptions PlanOptions::of(const CodegenOptions &options) {
  PlanOptions plan;
  plan.debug = options.debug;
  plan.hints = options.hints;
  // Paths matter only where locations do.
  if (options.debug != DebugKind::None) {
    plan.prefixMap = options.prefixMap;
    plan.requireRelocatable = options.requireRelocatable;
  }
  plan.allowOpaque = options.allowOpaque;
  return plan;
}

namespace mlir::fly {
bool operator==(const PlanOptions &a, const PlanOptions &b) {
  return a.debug == b.debug && a.hints.wavesPerEu == b.hints.wavesPerEu &&
         a.hints.maxVgprs == b.hints.maxVgprs && a.prefixMap == b.prefixMap &&
         a.requireRelocatable == b.requireRelocatable &&
         a.allowOpaque == b.allowOpaque;
}
} // namespace mlir::fly

bool mlir::fly::isKernel(Operation *op) {
  if (auto func = dyn_cast<gpu::GPUFuncOp>(op))
    return func.isKernel();
  return op->hasAttr("gpu.kernel") || op->hasAttr("rocdl.kernel");
}

//===----------------------------------------------------------------------===//
// Data layout and triple
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral layoutTextAttr = "llvm.data_layout";
static constexpr llvm::StringLiteral tripleTextAttr = "llvm.target_triple";
static constexpr llvm::StringLiteral layoutSpecAttr = "dlti.dl_spec";

static std::string backendDataLayout() {
  return llvm::Triple(::fly::amdgpu::targetTriple).computeDataLayout();
}

/// The same without how symbols are mangled, of which upstream's
/// convert-gpu-to-rocdl says nothing; code does not depend on it.
static std::string layoutWithoutMangling() {
  SmallVector<StringRef> parts;
  std::string text = backendDataLayout();
  StringRef(text).split(parts, '-');
  llvm::erase_if(parts, [](StringRef part) { return part.starts_with("m:"); });
  return llvm::join(parts, "-");
}

/// How the entries of `spec` stand to those that the backend's data layout
/// implies: the first that contradicts, and whether all are implied.
static std::pair<DataLayoutEntryInterface, bool>
compareSpec(DataLayoutSpecInterface spec, DataLayoutSpecInterface &derived) {
  derived = translateDataLayout(llvm::DataLayout(backendDataLayout()),
                                spec.getContext());
  bool allImplied = true;
  for (DataLayoutEntryInterface entry : spec.getEntries()) {
    auto *same = llvm::find_if(derived.getEntries(),
                               [&](DataLayoutEntryInterface other) {
                                 return other.getKey() == entry.getKey();
                               });
    if (same == derived.getEntries().end())
      allImplied = false;
    else if (same->getValue() != entry.getValue())
      return {entry, false};
  }
  return {nullptr, allImplied};
}

/// Emits T009 unless the attribute `name` is absent, or the text `expected` or
/// `otherwise`.
static LogicalResult checkText(Operation *op, StringRef name,
                               StringRef expected, StringRef otherwise) {
  Attribute attr = op->getDiscardableAttr(name);
  auto text = dyn_cast_or_null<StringAttr>(attr);
  if (!attr ||
      (text && (text.getValue() == expected || text.getValue() == otherwise)))
    return success();
  return op->emitError() << "attribute '" << name << "' contradicts the target:"
                         << " expected \"" << expected << "\", found " << attr
                         << " [FLY-T009]";
}

LogicalResult mlir::fly::checkLayoutAttributes(gpu::GPUModuleOp module) {
  if (failed(checkText(module, tripleTextAttr, ::fly::amdgpu::targetTriple,
                       ::fly::amdgpu::targetTriple)) ||
      failed(checkText(module, layoutTextAttr, backendDataLayout(),
                       layoutWithoutMangling())))
    return failure();
  auto spec = module->getAttrOfType<DataLayoutSpecInterface>(layoutSpecAttr);
  if (!spec)
    return success();
  DataLayoutSpecInterface derived;
  DataLayoutEntryInterface wrong = compareSpec(spec, derived).first;
  if (!wrong)
    return success();
  return module.emitError()
         << "attribute '" << layoutSpecAttr
         << "' contradicts the target: found " << wrong
         << ", expected an entry of " << derived << " [FLY-T009]";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Whether the properties of `op` are attributes and, possibly, segment sizes,
/// and nothing else: then their storage has no byte to spare for more.
static bool holdsOnlyAttributes(Operation *op,
                                const RegisteredOperationName &info) {
  size_t size = 0;
  for (StringAttr name : info.getAttributeNames()) {
    if (name != "operandSegmentSizes" && name != "resultSegmentSizes") {
      size += sizeof(Attribute);
      continue;
    }
    auto segments = dyn_cast_or_null<DenseI32ArrayAttr>(
        op->getInherentAttr(name).value_or(nullptr));
    // With an odd count there might be padding, and something in it.
    if (!segments || segments.size() % 2 != 0)
      return false;
    size += segments.size() * sizeof(int32_t);
  }
  return size == size_t(op->getPropertiesStorageSize());
}

/// The attributes that the op's definition names, as they stand. The common
/// case makes no new attribute in the context.
static void rawInherent(Operation *op, NamedAttrList &attrs) {
  std::optional<RegisteredOperationName> info = op->getRegisteredInfo();
  if (op->getPropertiesStorageSize() == 0) {
    if (!info || info->getAttributeNames().empty())
      return;
    for (NamedAttribute attr : op->getRawDictionaryAttrs())
      if (llvm::is_contained(info->getAttributeNames(), attr.getName()))
        attrs.push_back(attr);
    return;
  }
  // Its value is stored as an interface, which takes two words.
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    attrs.append(constant.getValueAttrName(), constant.getValueAttr());
    return;
  }
  if (info && holdsOnlyAttributes(op, *info)) {
    for (StringAttr name : info->getAttributeNames())
      if (Attribute value = op->getInherentAttr(name).value_or(nullptr))
        attrs.push_back(NamedAttribute(name, value));
    return;
  }
  Attribute all = op->getPropertiesAsAttribute();
  if (auto dictionary = dyn_cast_or_null<DictionaryAttr>(all))
    attrs.append(dictionary.getValue());
  else if (all)
    attrs.append("properties", all);
}

/// Whether `attr` describes debug information of LLVM IR and nothing else.
static bool isDebugInfo(Attribute attr) {
  if (isa<LLVM::DINodeAttr, LLVM::DIExpressionAttr,
          LLVM::DIGlobalVariableExpressionAttr>(attr))
    return true;
  auto array = dyn_cast<ArrayAttr>(attr);
  return array && !array.empty() && llvm::all_of(array, isDebugInfo);
}

static bool allEmptyDictionaries(Attribute attr) {
  auto array = dyn_cast<ArrayAttr>(attr);
  return array && llvm::all_of(array, [](Attribute element) {
           auto dictionary = dyn_cast<DictionaryAttr>(element);
           return dictionary && dictionary.empty();
         });
}

/// Optional attributes that mean the same when absent and with this value.
static bool isDefault(StringRef name, Attribute attr) {
  if (name == "nontemporal") {
    auto flag = dyn_cast<BoolAttr>(attr);
    return flag && !flag.getValue();
  }
  if (name != "workgroup_attributions")
    return false;
  auto count = dyn_cast<IntegerAttr>(attr);
  return count && count.getValue().isZero();
}

/// Attributes on any op that say where the module was or will be found.
static bool isKeyCarrier(StringRef name) {
  return name == keyAttrName || name.starts_with("fly.key_");
}

/// Whether the attribute `name` of the gpu.module itself is left out. Layouts
/// and triples were found equal to the derived ones by then.
static bool isModuleCarrier(gpu::GPUModuleOp module, StringRef name,
                            Attribute attr) {
  // The handler says how the host embeds the code, not what the code is.
  if (name == "sym_name" || name == "targets" || name == targetAttrName ||
      name == "offloadingHandler")
    return true;
  if (name.starts_with("rocdl.") && name.ends_with("target"))
    return true;
  if (name == layoutTextAttr || name == tripleTextAttr)
    return true;
  if (name != layoutSpecAttr)
    return false;
  DataLayoutSpecInterface derived;
  auto spec = dyn_cast<DataLayoutSpecInterface>(attr);
  return spec && compareSpec(spec, derived).second;
}

/// The array of function attributes for LLVM with `name` set to `value`.
static ArrayAttr withFunctionAttribute(MLIRContext *context, ArrayAttr old,
                                       StringRef name, int64_t value) {
  Builder b(context);
  SmallVector<Attribute> entries;
  if (old)
    for (Attribute entry : old) {
      auto pair = dyn_cast<ArrayAttr>(entry);
      auto key =
          pair && !pair.empty() ? dyn_cast<StringAttr>(pair[0]) : StringAttr();
      if (!key || key.getValue() != name)
        entries.push_back(entry);
    }
  entries.push_back(b.getStrArrayAttr({name, std::to_string(value)}));
  return b.getArrayAttr(entries);
}

/// Adds the attributes that stand for hints to those of a kernel.
static void applyHints(Operation *op, const Hints &hints,
                       NamedAttrList &inherent, NamedAttrList &discardable) {
  MLIRContext *context = op->getContext();
  if (hints.wavesPerEu)
    discardable.set(
        "rocdl.waves_per_eu",
        IntegerAttr::get(IntegerType::get(context, 32), hints.wavesPerEu));
  if (!hints.maxVgprs)
    return;
  NamedAttrList &place = isa<LLVM::LLVMFuncOp>(op) ? inherent : discardable;
  auto old = dyn_cast_or_null<ArrayAttr>(place.get("passthrough"));
  place.set(
      "passthrough",
      withFunctionAttribute(context, old, "amdgpu-num-vgpr", hints.maxVgprs));
}

void CanonicalPlan::attributes(
    Operation *op, SmallVectorImpl<NamedAttribute> &inherent,
    SmallVectorImpl<NamedAttribute> &discardable) const {
  NamedAttrList own, others;
  rawInherent(op, own);
  if (op->getPropertiesStorageSize() || !op->isRegistered()) {
    others.append(op->getDiscardableAttrDictionary().getValue());
  } else {
    for (NamedAttribute attr : op->getRawDictionaryAttrs())
      if (!own.get(attr.getName()))
        others.push_back(attr);
  }
  bool isTop = isa_and_nonnull<gpu::GPUModuleOp>(op->getParentOp());
  if ((planOptions.hints.wavesPerEu || planOptions.hints.maxVgprs) && isTop &&
      isKernel(op))
    applyHints(op, planOptions.hints, own, others);

  auto module = dyn_cast<gpu::GPUModuleOp>(op);
  bool debug = planOptions.debug != DebugKind::None;
  auto isLeftOut = [&](NamedAttribute attr) {
    StringRef name = attr.getName();
    Attribute value = attr.getValue();
    if (name == "sym_visibility")
      if (auto text = dyn_cast<StringAttr>(value))
        return text.getValue() == "public";
    if ((name == "arg_attrs" || name == "res_attrs") &&
        allEmptyDictionaries(value))
      return true;
    if (module && isModuleCarrier(module, name, value))
      return true;
    return isKeyCarrier(name) || isDefault(name, value) ||
           (!debug && isDebugInfo(value));
  };
  // Some symbol ops keep their name among the discardable attributes.
  auto underPlan = [&](NamedAttribute attr) {
    if (isTop && attr.getName() == SymbolTable::getSymbolAttrName())
      if (auto name = dyn_cast<StringAttr>(attr.getValue()))
        if (StringAttr other = renamed(name))
          attr.setValue(other);
    return attr;
  };
  for (NamedAttribute attr : own)
    if (!isLeftOut(attr))
      inherent.push_back(underPlan(attr));
  for (NamedAttribute attr : others)
    if (!isLeftOut(attr) && (debug || !isa<LocationAttr>(attr.getValue())))
      discardable.push_back(underPlan(attr));
  llvm::sort(discardable);
}

bool CanonicalPlan::drops(Operation *op) const {
  return planOptions.debug == DebugKind::None &&
         isa<LLVM::DbgDeclareOp, LLVM::DbgValueOp, LLVM::DbgLabelOp>(op);
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

/// Rules that rewrite paths by `options.prefixMap`.
static void addPathRules(AttrTypeReplacer &replacer,
                         const PlanOptions &options) {
  auto map = options.prefixMap;
  auto rewrite = [map](StringAttr path) {
    for (const auto &[from, to] : map)
      if (path.getValue().starts_with(from))
        return StringAttr::get(path.getContext(),
                               to + path.getValue().substr(from.size()));
    return path;
  };
  replacer.addReplacement([rewrite](FileLineColRange range) {
    return std::optional<Attribute>(FileLineColRange::get(
        rewrite(range.getFilename()), range.getStartLine(),
        range.getStartColumn(), range.getEndLine(), range.getEndColumn()));
  });
  replacer.addReplacement([rewrite](LLVM::DIFileAttr file) {
    return std::optional<Attribute>(
        LLVM::DIFileAttr::get(file.getContext(), rewrite(file.getName()),
                              rewrite(file.getDirectory())));
  });
}

void CanonicalPlan::addLocationRules(AttrTypeReplacer &replacer) const {
  if (planOptions.debug != DebugKind::None)
    return addPathRules(replacer, planOptions);
  replacer.addReplacement([](FusedLoc fused) -> std::optional<Attribute> {
    if (!fused.getMetadata())
      return LocationAttr(fused);
    return LocationAttr(
        FusedLoc::get(fused.getContext(), fused.getLocations()));
  });
}

bool CanonicalPlan::rewritesAttributes() const {
  return renamesAny() || !planOptions.prefixMap.empty();
}

void CanonicalPlan::addAttributeRules(AttrTypeReplacer &replacer) const {
  if (!planOptions.prefixMap.empty())
    addPathRules(replacer, planOptions);
  if (!renamesAny())
    return;
  auto map = renames;
  replacer.addReplacement(
      [map](SymbolRefAttr ref)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        StringAttr name = map.lookup(ref.getRootReference());
        Attribute result =
            name ? SymbolRefAttr::get(name, ref.getNestedReferences()) : ref;
        return std::make_pair(result, WalkResult::skip());
      });
}

//===----------------------------------------------------------------------===//
// Plan and clone
//===----------------------------------------------------------------------===//

FailureOr<CanonicalPlan> CanonicalPlan::of(gpu::GPUModuleOp module,
                                           const PlanOptions &options) {
  if (failed(checkLayoutAttributes(module)))
    return failure();
  CanonicalPlan plan(module, options);
  plan.orderSymbols();
  return plan;
}

/// Gives `op` exactly the attributes that `plan` gives it.
static void setAttributes(Operation *op, const CanonicalPlan &plan) {
  SmallVector<NamedAttribute> inherent, discardable;
  plan.attributes(op, inherent, discardable);
  NamedAttrList before;
  rawInherent(op, before);
  for (NamedAttribute attr : before)
    if (llvm::none_of(inherent, [&](NamedAttribute kept) {
          return kept.getName() == attr.getName();
        }))
      op->removeAttr(attr.getName());
  for (NamedAttribute attr : inherent)
    if (before.get(attr.getName()) != attr.getValue())
      op->setAttr(attr.getName(), attr.getValue());
  DictionaryAttr others = DictionaryAttr::get(op->getContext(), discardable);
  if (op->getDiscardableAttrDictionary() != others)
    op->setDiscardableAttrs(others);
}

OwningOpRef<gpu::GPUModuleOp> CanonicalPlan::materialize() const {
  gpu::GPUModuleOp source = original;
  OpBuilder b(source.getContext());
  OwningOpRef<gpu::GPUModuleOp> clone =
      gpu::GPUModuleOp::create(b, source.getLoc(), canonicalModuleName);
  SmallVector<NamedAttribute> inherent, discardable;
  attributes(source, inherent, discardable);
  (*clone)->setDiscardableAttrs(b.getDictionaryAttr(discardable));

  Block *body = clone->getBody();
  IRMapping mapping;
  for (Operation *op : keptOps)
    body->push_back(op->clone(mapping));
  // Ops of the body may use values of ops that stand after them.
  for (Operation &op : *body)
    for (OpOperand &operand : op.getOpOperands())
      operand.set(mapping.lookupOrDefault(operand.get()));

  SmallVector<Operation *> dropped;
  for (Operation &top : *body)
    top.walk([&](Operation *op) {
      if (drops(op))
        dropped.push_back(op);
      else
        setAttributes(op, *this);
    });
  for (Operation *op : dropped)
    op->erase();

  AttrTypeReplacer attributeRules, locationRules;
  addAttributeRules(attributeRules);
  addLocationRules(locationRules);
  if (rewritesAttributes())
    attributeRules.recursivelyReplaceElementsIn(*clone, /*replaceAttrs=*/true,
                                                /*replaceLocs=*/false,
                                                /*replaceTypes=*/true);
  locationRules.recursivelyReplaceElementsIn(*clone, /*replaceAttrs=*/false,
                                             /*replaceLocs=*/true,
                                             /*replaceTypes=*/false);
  return clone;
}

OpPrintingFlags mlir::fly::pinnedPrintingFlags(DebugKind debug) {
  OpPrintingFlags flags;
  int64_t all = std::numeric_limits<int64_t>::max();
  flags.elideLargeElementsAttrs(all);
  flags.printLargeElementsAttrWithHex(all);
  flags.elideLargeResourceString(all);
  flags.enableDebugInfo(debug != DebugKind::None, /*prettyForm=*/false);
  flags.printGenericOpForm(false);
  flags.skipRegions(false);
  flags.assumeVerified(true);
  flags.useLocalScope(true);
  flags.printValueUsers(false);
  flags.printUniqueSSAIDs(false);
  flags.printNameLocAsPrefix(false);
  return flags;
}

void CanonicalPlan::print(llvm::raw_ostream &os) const {
  OwningOpRef<gpu::GPUModuleOp> clone = materialize();
  (*clone)->print(os, pinnedPrintingFlags(planOptions.debug));
  os << '\n';
}
