// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The canonical form of a gpu.module: what of it is compiled and hashed. One
// plan says which symbols are kept, in which order and under which names, and
// which attributes are dropped; it is read in two ways. `digest` walks the
// original under the plan, without a clone; `materialize` makes the clone that
// is compiled. The law: the digest of the clone's own plan is the digest of
// the original, and two modules with equal digests have equal clones but for
// locations that reach no code.
//
//   FailureOr<CanonicalPlan> plan = CanonicalPlan::of(module, options);
//   FailureOr<Digest> digest = plan->digest();
//   OwningOpRef<gpu::GPUModuleOp> clone = plan->materialize();
//
// What the form forgets: the module's name, targets, host code, private symbols
// that nothing reaches, names of private symbols, the order of symbols, an
// explicit `public`, SSA names, and, without debug information, locations.

#ifndef FLY_ANALYSIS_CANONICALMODULE_H
#define FLY_ANALYSIS_CANONICALMODULE_H

#include "fly/Analysis/Options.h"
#include "fly/Support/Digest.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace mlir::fly {

/// The name under which every canonical module stands.
inline constexpr llvm::StringLiteral canonicalModuleName = "fly_module";

/// What the canonical form depends on besides the module.
struct PlanOptions {
  DebugKind debug = DebugKind::None;
  Hints hints;
  std::vector<std::pair<std::string, std::string>> prefixMap;
  bool requireRelocatable = false;
  bool allowOpaque = false;

  /// The part of `options` that the form depends on.
  static PlanOptions of(const CodegenOptions &options);

  friend bool operator==(const PlanOptions &a, const PlanOptions &b);
};

class CanonicalPlan {
public:
  /// Makes the plan for `module`. Emits FLY-T009 when a data layout or triple
  /// in the module contradicts the backend.
  static FailureOr<CanonicalPlan> of(gpu::GPUModuleOp module,
                                     const PlanOptions &options);

  /// The digest of the module under the plan. Emits FLY-K001 for what is
  /// unregistered or opaque, FLY-K002 for an absolute path in locations that
  /// must be relocatable, FLY-K004 for a resource without content.
  FailureOr<::fly::support::Digest> digest() const;

  /// A detached gpu.module in canonical form.
  OwningOpRef<gpu::GPUModuleOp> materialize() const;

  /// Prints the canonical module as text that does not depend on options of
  /// the process: stable, for comparing.
  void print(llvm::raw_ostream &os) const;

  /// The original.
  gpu::GPUModuleOp module() const { return original; }
  const PlanOptions &options() const { return planOptions; }
  /// Ops of the body that are kept, in canonical order.
  ArrayRef<Operation *> kept() const { return keptOps; }
  /// The canonical name of a symbol of the body: null unless it has a new one.
  StringAttr renamed(StringAttr symbol) const { return renames.lookup(symbol); }
  bool renamesAny() const { return !renames.empty(); }
  /// Whether `addAttributeRules` adds any rule.
  bool rewritesAttributes() const;
  /// Adds to `replacer` how what is inside of attributes and types is
  /// rewritten: references to renamed symbols and, with debug information,
  /// paths.
  void addAttributeRules(AttrTypeReplacer &replacer) const;
  /// Adds to `replacer` how locations are rewritten: with debug information
  /// their paths; else what would make debug information of them goes, and the
  /// places stay for messages.
  void addLocationRules(AttrTypeReplacer &replacer) const;

  /// Whether an op inside of the module is left out: debug intrinsics when
  /// there is no debug information.
  bool drops(Operation *op) const;
  /// The attributes of an op of the module, or of its clone, under the plan:
  /// those that its definition names, and the others. Their order depends on
  /// the kind of op and on names only.
  void attributes(Operation *op, SmallVectorImpl<NamedAttribute> &inherent,
                  SmallVectorImpl<NamedAttribute> &discardable) const;

private:
  CanonicalPlan(gpu::GPUModuleOp module, const PlanOptions &options)
      : original(module), planOptions(options) {}

  void orderSymbols();

  gpu::GPUModuleOp original;
  PlanOptions planOptions;
  std::vector<Operation *> keptOps;
  llvm::DenseMap<StringAttr, StringAttr> renames;
};

/// How IR is printed where text enters a digest or is compared: every knob that
/// an option of the process could turn is set.
OpPrintingFlags pinnedPrintingFlags(DebugKind debug);

/// Whether `op` is an entry point of the module.
bool isKernel(Operation *op);

/// Whether data layout and triple that stand in `module` are those of the
/// backend; FLY-T009 with both texts if not.
LogicalResult checkLayoutAttributes(gpu::GPUModuleOp module);

} // namespace mlir::fly

#endif // FLY_ANALYSIS_CANONICALMODULE_H
