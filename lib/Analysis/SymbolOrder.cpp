// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order and names of the symbols of a canonical module. Kernels come first, by
// name, then functions, then globals; private symbols that nothing reaches go,
// the others are named `__p0`, `__p1`, ... in the order of their first use, and
// follow the named ones of their kind. The law: neither the order in which the
// symbols stand nor the names of private symbols matter.
//
//   private @helper, @kernel uses @helper   ->   @kernel, private @__p0
//
// An op of the body that is no symbol keeps its place among the symbols around
// it. A nested symbol table might look up names in ways that are not seen here:
// then nothing is removed or renamed.

#include "fly/Analysis/CanonicalModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::fly;

namespace {
/// Position of a symbol in the canonical order.
struct SymbolRank {
  /// Kernels, functions, globals.
  unsigned kind;
  /// Symbols that keep their names come first, sorted by them.
  bool isRenamed;
  StringRef name;
  /// Order of first use, of renamed symbols.
  unsigned use;

  bool operator<(const SymbolRank &other) const {
    return std::tie(kind, isRenamed, use, name) <
           std::tie(other.kind, other.isRenamed, other.use, other.name);
  }
};
} // namespace

static unsigned kindOf(Operation *op) {
  if (isKernel(op))
    return 0;
  return isa<FunctionOpInterface>(op) ? 1 : 2;
}

/// Linkage that hides a symbol of the LLVM dialect from other modules.
static bool hasLocalLinkage(Operation *op) {
  std::optional<LLVM::Linkage> linkage;
  if (auto func = dyn_cast<LLVM::LLVMFuncOp>(op))
    linkage = func.getLinkage();
  else if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    linkage = global.getLinkage();
  return linkage && (*linkage == LLVM::Linkage::Internal ||
                     *linkage == LLVM::Linkage::Private);
}

/// Whether only ops of the module itself can mean `op`.
static bool isPrivate(Operation *op) {
  auto symbol = dyn_cast<SymbolOpInterface>(op);
  if (!symbol || isKernel(op) || symbol.getName().starts_with("llvm."))
    return false;
  return symbol.isPrivate() || hasLocalLinkage(op);
}

/// Whether something outside of the module defines `op`: then its name counts.
static bool isDeclaration(Operation *op) {
  if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    return !hasLocalLinkage(op) && !global.getValueAttr() &&
           global.getInitializerRegion().empty();
  if (auto global = dyn_cast<memref::GlobalOp>(op))
    return global.isExternal();
  return cast<SymbolOpInterface>(op).isDeclaration();
}

namespace {
/// Finds what the roots reach, in order.
class Reachability {
public:
  Reachability(const CanonicalPlan &plan, ArrayRef<Operation *> body)
      : plan(plan) {
    for (Operation *op : body)
      if (isPrivate(op))
        hidden[SymbolTable::getSymbolName(op)] = op;
    walker.addWalk([this](SymbolRefAttr ref) {
      auto found = hidden.find(ref.getRootReference());
      if (found != hidden.end() && reached.insert(found->second).second)
        order.push_back(found->second);
    });
  }

  /// Follows all uses from `roots`, breadth first; afterwards `order` holds the
  /// private symbols that are used, in the order of their first use.
  void run(ArrayRef<Operation *> roots) {
    if (hidden.empty())
      return;
    for (Operation *root : roots)
      scan(root);
    for (size_t i = 0; i < order.size(); ++i)
      scan(order[i]);
  }

  SmallVector<Operation *> order;

private:
  void scan(Operation *top) {
    top->walk<WalkOrder::PreOrder>([this](Operation *op) {
      if (plan.drops(op))
        return;
      SmallVector<NamedAttribute> inherent, discardable;
      plan.attributes(op, inherent, discardable);
      for (NamedAttribute attr : inherent)
        walker.walk(attr.getValue());
      for (NamedAttribute attr : discardable)
        walker.walk(attr.getValue());
      for (Type type : op->getResultTypes())
        walker.walk(type);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            walker.walk(argument.getType());
    });
  }

  const CanonicalPlan &plan;
  DenseMap<StringAttr, Operation *> hidden;
  DenseSet<Operation *> reached;
  AttrTypeWalker walker;
};
} // namespace

/// Whether a symbol table stands in a symbol of the body, and therefore names
/// must be left alone.
static bool hasNestedTable(ArrayRef<Operation *> body) {
  for (Operation *top : body) {
    WalkResult result = top->walk([](Operation *op) {
      return op->hasTrait<OpTrait::SymbolTable>() ? WalkResult::interrupt()
                                                  : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return true;
  }
  return false;
}

void CanonicalPlan::orderSymbols() {
  SmallVector<Operation *> body;
  bool anyPrivate = false;
  for (Operation &op : *original.getBody()) {
    if (drops(&op))
      continue;
    body.push_back(&op);
    anyPrivate |= isPrivate(&op);
  }
  bool hides = anyPrivate && !hasNestedTable(body);
  auto staysByName = [&](Operation *op) { return !hides || !isPrivate(op); };

  // Between two ops that are no symbols, the symbols are a run to be sorted.
  SmallVector<SmallVector<Operation *>> runs(1);
  for (Operation *op : body) {
    if (isa<SymbolOpInterface>(op)) {
      runs.back().push_back(op);
      continue;
    }
    runs.push_back({op});
    runs.emplace_back();
  }
  DenseMap<Operation *, unsigned> firstUse;
  auto sortRun = [&](SmallVector<Operation *> &run) {
    llvm::sort(run, [&](Operation *a, Operation *b) {
      auto rank = [&](Operation *op) {
        auto use = firstUse.find(op);
        bool isRenamed = use != firstUse.end() && !isDeclaration(op);
        return SymbolRank{kindOf(op), isRenamed,
                          isRenamed ? StringRef()
                                    : SymbolTable::getSymbolName(op).getValue(),
                          isRenamed ? use->second : 0};
      };
      return rank(a) < rank(b);
    });
  };

  SmallVector<Operation *> roots;
  for (SmallVector<Operation *> &run : runs) {
    SmallVector<Operation *> named(llvm::make_filter_range(run, staysByName));
    if (run.size() != 1 || isa<SymbolOpInterface>(run.front()))
      sortRun(named);
    llvm::append_range(roots, named);
  }
  if (!hides) {
    keptOps.assign(roots.begin(), roots.end());
    return;
  }

  Reachability reach(*this, body);
  reach.run(roots);
  llvm::StringSet<> taken;
  for (Operation *op : roots)
    if (StringAttr name = SymbolTable::getSymbolName(op))
      taken.insert(name.getValue());
  for (Operation *op : reach.order)
    if (isDeclaration(op))
      taken.insert(SymbolTable::getSymbolName(op).getValue());
  unsigned next = 0;
  for (Operation *op : reach.order) {
    firstUse[op] = firstUse.size();
    if (isDeclaration(op))
      continue;
    std::string name;
    do
      name = "__p" + std::to_string(next++);
    while (taken.contains(name));
    renames[SymbolTable::getSymbolName(op)] =
        StringAttr::get(op->getContext(), name);
  }
  for (SmallVector<Operation *> &run : runs) {
    llvm::erase_if(run, [&](Operation *op) {
      return !staysByName(op) && !firstUse.contains(op);
    });
    if (run.size() != 1 || isa<SymbolOpInterface>(run.front()))
      sortRun(run);
    keptOps.insert(keptOps.end(), run.begin(), run.end());
  }
}
