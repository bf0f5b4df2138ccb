// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The digest of a canonical module: one walk over the original under its plan,
// as a sequence of tagged items. Values and blocks are numbered where they
// occur first, attributes and types are written out where they occur first and
// are numbers afterwards, so that the sequence can be read back: modules with
// one sequence are one module. Regions are walked with a stack of our own, so
// that nesting does not use up the machine's.
//
// Integers are hashed by width and words, floats by bits, elements by their raw
// bytes, resources by content, symbols by their canonical names. Kinds without
// a rule are printed with pinned flags, marked as printed, and followed by what
// they hold.

#include "fly/Analysis/CanonicalModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::support::Digest;
using ::fly::support::Hasher;

namespace {
class ModuleHasher {
public:
  explicit ModuleHasher(const CanonicalPlan &plan)
      : plan(plan), debug(plan.options().debug != DebugKind::None),
        hasher("fly-canonical-module", "v1"),
        printState(plan.module().getContext(),
                   pinnedPrintingFlags(plan.options().debug)) {
    // Small modules fill this without growing it step by step.
    values.reserve(1024);
    plan.addAttributeRules(attributeRules);
    plan.addLocationRules(locationRules);
  }

  FailureOr<Digest> run();

private:
  void addModule(gpu::GPUModuleOp module);
  void addTree(Operation *top);
  void addOp(Operation *op);
  void addBlock(Block *block);
  void addAttributes(ArrayRef<NamedAttribute> attrs);
  void addLocation(LocationAttr location);
  void addOpName(OperationName name);
  void addAttribute(Attribute attr);
  void addType(Type type);
  void addAttributeContent(Attribute attr);
  bool addNumber(Attribute attr);
  bool addElements(Attribute attr);
  bool addPlace(Attribute attr);
  void addPrinted(Attribute attr);
  void addResource(DenseResourceElementsAttr attr);
  void addWords(const APInt &value);
  void addPath(StringRef path);
  void addValue(Value value) {
    hasher.addUnsigned(values.try_emplace(value, values.size()).first->second);
  }
  void addBlockNumber(Block *block) {
    hasher.addUnsigned(blocks.try_emplace(block, blocks.size()).first->second);
  }
  /// True when `pointer` occurred before: its number was added.
  bool addKnown(DenseMap<const void *, unsigned> &known, const void *pointer) {
    auto [place, isNew] = known.try_emplace(pointer, known.size());
    if (!isNew)
      hasher.addUnsigned(place->second);
    return !isNew;
  }
  void refuse(StringRef code, const Twine &message);

  const CanonicalPlan &plan;
  bool debug;
  Hasher hasher;
  AsmState printState;
  AttrTypeReplacer attributeRules, locationRules;
  DenseMap<Value, unsigned> values;
  DenseMap<Block *, unsigned> blocks;
  DenseMap<const void *, unsigned> opNames, attributes, types;
  SmallString<256> text;
  /// The op that is being hashed, for messages.
  Operation *current = nullptr;
  bool failed = false;
};
} // namespace

void ModuleHasher::refuse(StringRef code, const Twine &message) {
  failed = true;
  current->emitError() << message << " [FLY-" << code << "]";
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

void ModuleHasher::addWords(const APInt &value) {
  hasher.addUnsigned(value.getBitWidth());
  for (unsigned i = 0; i < value.getNumWords(); ++i)
    hasher.addUnsigned(value.getRawData()[i]);
}

void ModuleHasher::addPath(StringRef path) {
  if (plan.options().requireRelocatable &&
      (llvm::sys::path::is_absolute(path, llvm::sys::path::Style::posix) ||
       llvm::sys::path::is_absolute(path, llvm::sys::path::Style::windows)))
    refuse("K002", "debug information must be relocatable, but holds the "
                   "absolute path '" +
                       path + "'; map it with prefix-map=from=to");
  hasher.addText(path);
}

bool ModuleHasher::addNumber(Attribute attr) {
  if (auto integer = dyn_cast<IntegerAttr>(attr)) {
    hasher.beginStruct("integer");
    addType(integer.getType());
    addWords(integer.getValue());
    return true;
  }
  if (auto number = dyn_cast<FloatAttr>(attr)) {
    hasher.beginStruct("float");
    addType(number.getType());
    addWords(number.getValue().bitcastToAPInt());
    return true;
  }
  return false;
}

void ModuleHasher::addResource(DenseResourceElementsAttr attr) {
  hasher.beginStruct("resource");
  addType(attr.getType());
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!blob) {
    refuse("K004", "the content of resource '" + attr.getRawHandle().getKey() +
                       "' is missing: expected it in the section "
                       "'dialect_resources' of the file");
    return;
  }
  hasher.addBytes(StringRef(blob->getData().data(), blob->getData().size()));
}

bool ModuleHasher::addElements(Attribute attr) {
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(attr)) {
    hasher.beginStruct("elements");
    addType(dense.getType());
    hasher.addBool(dense.isSplat());
    ArrayRef<char> data = dense.getRawData();
    hasher.addBytes(StringRef(data.data(), data.size()));
    return true;
  }
  if (auto strings = dyn_cast<DenseStringElementsAttr>(attr)) {
    hasher.beginStruct("strings");
    addType(strings.getType());
    hasher.addBool(strings.isSplat());
    hasher.beginList(strings.getRawStringData().size());
    for (StringRef string : strings.getRawStringData())
      hasher.addText(string);
    return true;
  }
  if (auto array = dyn_cast<DenseArrayAttr>(attr)) {
    hasher.beginStruct("array");
    addType(array.getElementType());
    hasher.addUnsigned(array.getSize());
    ArrayRef<char> data = array.getRawData();
    hasher.addBytes(StringRef(data.data(), data.size()));
    return true;
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    addResource(resource);
    return true;
  }
  return false;
}

/// Locations: they come here with debug information only, or inside of other
/// attributes.
bool ModuleHasher::addPlace(Attribute attr) {
  if (auto range = dyn_cast<FileLineColRange>(attr)) {
    hasher.beginStruct("file-range");
    addPath(range.getFilename());
    hasher.addUnsigned(range.getStartLine());
    hasher.addUnsigned(range.getStartColumn());
    hasher.addUnsigned(range.getEndLine());
    hasher.addUnsigned(range.getEndColumn());
    return true;
  }
  if (auto file = dyn_cast<LLVM::DIFileAttr>(attr)) {
    hasher.beginStruct("di-file");
    addPath(file.getName());
    addPath(file.getDirectory());
    return true;
  }
  return false;
}

void ModuleHasher::addPrinted(Attribute attr) {
  hasher.beginStruct("printed");
  hasher.addText(attr.getAbstractAttribute().getName());
  text.clear();
  llvm::raw_svector_ostream os(text);
  attr.print(os, printState);
  hasher.addText(text);
  // The text may name what it holds: a resource, a distinct attribute.
  attr.walkImmediateSubElements([&](Attribute held) { addAttribute(held); },
                                [&](Type held) { addType(held); });
}

void ModuleHasher::addAttributeContent(Attribute attr) {
  if (addNumber(attr) || addElements(attr) || addPlace(attr))
    return;
  llvm::TypeSwitch<Attribute>(attr)
      .Case([&](UnitAttr) { hasher.beginStruct("unit"); })
      .Case([&](StringAttr string) {
        hasher.beginStruct("string");
        hasher.addText(string.getValue());
        addType(string.getType());
      })
      .Case([&](TypeAttr type) {
        hasher.beginStruct("type");
        addType(type.getValue());
      })
      .Case([&](ArrayAttr array) {
        hasher.beginStruct("list");
        hasher.beginList(array.size());
        for (Attribute element : array)
          addAttribute(element);
      })
      .Case([&](DictionaryAttr dictionary) {
        hasher.beginStruct("dictionary");
        addAttributes(dictionary.getValue());
      })
      .Case([&](SymbolRefAttr symbol) {
        hasher.beginStruct("symbol");
        hasher.addText(symbol.getRootReference().getValue());
        hasher.beginList(symbol.getNestedReferences().size());
        for (FlatSymbolRefAttr nested : symbol.getNestedReferences())
          hasher.addText(nested.getValue());
      })
      .Case([&](DistinctAttr distinct) {
        // Its number in `attributes` tells it from others.
        hasher.beginStruct("distinct");
        addAttribute(distinct.getReferencedAttr());
      })
      .Case([&](OpaqueAttr opaque) {
        if (!plan.options().allowOpaque)
          refuse("K001", "attribute of the unknown dialect '" +
                             opaque.getDialectNamespace().getValue() +
                             "' cannot be hashed by meaning; allow-opaque=true "
                             "hashes it as it prints");
        addPrinted(opaque);
      })
      .Default([&](Attribute other) { addPrinted(other); });
}

void ModuleHasher::addAttribute(Attribute attr) {
  if (!attr)
    return hasher.addAbsent();
  if (plan.rewritesAttributes())
    attr = attributeRules.replace(attr);
  if (!addKnown(attributes, attr.getAsOpaquePointer()))
    addAttributeContent(attr);
}

void ModuleHasher::addType(Type type) {
  if (!type)
    return hasher.addAbsent();
  if (plan.rewritesAttributes())
    type = attributeRules.replace(type);
  if (addKnown(types, type.getAsOpaquePointer()))
    return;
  if (auto opaque = dyn_cast<OpaqueType>(type))
    if (!plan.options().allowOpaque)
      refuse("K001", "type of the unknown dialect '" +
                         opaque.getDialectNamespace().getValue() +
                         "' cannot be hashed by meaning; allow-opaque=true "
                         "hashes it as it prints");
  hasher.beginStruct("printed-type");
  hasher.addText(type.getAbstractType().getName());
  text.clear();
  llvm::raw_svector_ostream os(text);
  type.print(os, printState);
  hasher.addText(text);
  type.walkImmediateSubElements([&](Attribute held) { addAttribute(held); },
                                [&](Type held) { addType(held); });
}

void ModuleHasher::addAttributes(ArrayRef<NamedAttribute> attrs) {
  hasher.beginList(attrs.size());
  for (NamedAttribute attr : attrs) {
    // Names are uniqued as strings are.
    if (!addKnown(attributes, attr.getName().getAsOpaquePointer()))
      addAttributeContent(attr.getName());
    addAttribute(attr.getValue());
  }
}

void ModuleHasher::addLocation(LocationAttr location) {
  if (debug)
    addAttribute(locationRules.replace(location));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void ModuleHasher::addOpName(OperationName name) {
  if (!addKnown(opNames, name.getAsOpaquePointer()))
    hasher.addText(name.getStringRef());
}

void ModuleHasher::addOp(Operation *op) {
  current = op;
  if (!op->isRegistered() && !plan.options().allowOpaque)
    refuse("K001", "operation '" + op->getName().getStringRef() +
                       "' is not registered and cannot be hashed by meaning; "
                       "allow-opaque=true hashes it as it prints");
  hasher.beginStruct("op");
  addOpName(op->getName());
  hasher.beginList(op->getNumOperands());
  for (Value operand : op->getOperands())
    addValue(operand);
  hasher.beginList(op->getNumResults());
  for (Value result : op->getResults()) {
    addValue(result);
    addType(result.getType());
  }
  SmallVector<NamedAttribute> inherent, discardable;
  plan.attributes(op, inherent, discardable);
  addAttributes(inherent);
  addAttributes(discardable);
  addLocation(op->getLoc());
  hasher.beginList(op->getNumSuccessors());
  for (Block *successor : op->getSuccessors())
    addBlockNumber(successor);
  hasher.beginList(op->getNumRegions());
}

void ModuleHasher::addBlock(Block *block) {
  hasher.beginStruct("block");
  addBlockNumber(block);
  hasher.beginList(block->getNumArguments());
  for (BlockArgument argument : block->getArguments()) {
    addValue(argument);
    addType(argument.getType());
    addLocation(argument.getLoc());
  }
}

namespace {
/// Where the walk stands in one op: the next region, block and op to visit.
struct Frame {
  explicit Frame(Operation *op) : regions(op->getRegions()) {}

  MutableArrayRef<Region> regions;
  bool inRegion = false;
  Region::iterator block;
  bool inBlock = false;
  Block::iterator op;
};
} // namespace

void ModuleHasher::addTree(Operation *top) {
  addOp(top);
  SmallVector<Frame> stack;
  stack.emplace_back(top);
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.inBlock) {
      if (frame.op == frame.block->end()) {
        hasher.beginStruct("end-block");
        frame.inBlock = false;
        ++frame.block;
        continue;
      }
      Operation *op = &*frame.op++;
      if (plan.drops(op))
        continue;
      addOp(op);
      if (op->getNumRegions())
        stack.emplace_back(op);
      continue;
    }
    if (frame.inRegion) {
      if (frame.block == frame.regions.front().end()) {
        hasher.beginStruct("end-region");
        frame.inRegion = false;
        frame.regions = frame.regions.drop_front();
        continue;
      }
      addBlock(&*frame.block);
      frame.inBlock = true;
      frame.op = frame.block->begin();
      continue;
    }
    if (frame.regions.empty()) {
      stack.pop_back();
      continue;
    }
    frame.inRegion = true;
    frame.block = frame.regions.front().begin();
  }
}

void ModuleHasher::addModule(gpu::GPUModuleOp module) {
  current = module;
  SmallVector<NamedAttribute> inherent, discardable;
  plan.attributes(module, inherent, discardable);
  addAttributes(inherent);
  addAttributes(discardable);
  addLocation(module.getLoc());
  hasher.beginList(plan.kept().size());
}

FailureOr<Digest> ModuleHasher::run() {
  addModule(plan.module());
  for (Operation *op : plan.kept())
    addTree(op);
  if (failed)
    return failure();
  return hasher.finish();
}

FailureOr<Digest> CanonicalPlan::digest() const {
  return ModuleHasher(*this).run();
}
