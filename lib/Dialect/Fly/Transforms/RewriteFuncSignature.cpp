// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-rewrite-func-signature`: functions, calls, launches and control flow
// with values of the algebra in, the same with their parts out (the header
// BoundaryParts.h has the table). One walk in place: where a value enters a
// block it is put together from its parts, where it leaves it is taken apart,
// and nothing in between changes.
//
//   gpu.func @k(%m: !fly.memref<f32, global, (?,8):(8,1)>)
//   gpu.func @k(%p: !fly.ptr<f32, global>,
//               %l: !llvm.struct<packed (struct<packed (i32)>)>)
//
// What is checked first: an op that would have to carry such a value and that
// nobody here knows is an error at its location, and nothing is changed.

#include "BoundaryParts.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYREWRITEFUNCSIGNATURE
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;

namespace {

/// Rewrites everything below one op.
class Signatures {
public:
  LogicalResult run(Operation *scope);

private:
  void rewrite(Operation *op);
  void rewriteFunction(FunctionOpInterface function);
  void rewriteStructured(Operation *op);
  void rewriteCall(func::CallOp call);
  void rewriteBranch(BranchOpInterface branch);
  void rewriteSelect(arith::SelectOp select);
  void expandArguments(Block &block, unsigned count, Boundary boundary);
  void expandResults(Operation *from, Operation *to, Boundary boundary);
  Value rebuilt(OpBuilder &builder, Location loc, Type type, Boundary boundary,
                ValueRange parts);

  bool failed = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static Type findTakenApart(TypeRange types) {
  for (Type type : types)
    if (isTakenApart(type))
      return type;
  return {};
}

/// A type that the op would have to hand on, as operand, result or argument.
static Type carriedType(Operation *op) {
  if (Type type = findTakenApart(op->getOperandTypes()))
    return type;
  if (Type type = findTakenApart(op->getResultTypes()))
    return type;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (Type type = findTakenApart(block.getArgumentTypes()))
        return type;
  return {};
}

static bool isStructured(Operation *op) {
  return isa_and_nonnull<scf::IfOp, scf::ForOp, scf::WhileOp,
                         scf::IndexSwitchOp, scf::ExecuteRegionOp>(op);
}

static LogicalResult refuse(Operation *op, Type type) {
  return op->emitOpError()
         << "cannot hand on a value of type " << type
         << "; expected one of func.func, gpu.func, func.call, func.return, "
            "gpu.return, gpu.launch_func, scf.if, scf.for, scf.while, "
            "scf.index_switch, scf.execute_region, a branch or arith.select";
}

static LogicalResult checkFunction(FunctionOpInterface function) {
  Type type = findTakenApart(function.getArgumentTypes());
  if (!type)
    type = findTakenApart(function.getResultTypes());
  if (!type || isa<func::FuncOp, gpu::GPUFuncOp>(function))
    return success();
  return refuse(function, type);
}

/// Whether the op is one of those that are rewritten, or hands nothing on.
static LogicalResult check(Operation *op) {
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return checkFunction(function);
  for (Type result : op->getResultTypes()) {
    auto function = dyn_cast<FunctionType>(result);
    if (!function)
      continue;
    Type type = findTakenApart(function.getInputs());
    if (!type)
      type = findTakenApart(function.getResults());
    if (type)
      return refuse(op, type);
  }
  bool handsOn = op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>() ||
                 isa<CallOpInterface, SelectLikeOpInterface>(op);
  Type type = handsOn ? carriedType(op) : Type();
  if (!type || isStructured(op) ||
      isa<func::ReturnOp, gpu::ReturnOp, func::CallOp, gpu::LaunchFuncOp>(op))
    return success();
  if (isa<scf::YieldOp, scf::ConditionOp>(op) &&
      isStructured(op->getParentOp()))
    return success();
  if (auto select = dyn_cast<arith::SelectOp>(op))
    if (select.getCondition().getType().isInteger(1))
      return success();
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    bool known = true;
    for (unsigned i = 0; i < op->getNumSuccessors(); ++i)
      known &= branch.getSuccessorOperands(i).getProducedOperandCount() == 0;
    if (known)
      return success();
  }
  return refuse(op, type);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

static SmallVector<Type> boundaryTypes(TypeRange types, Boundary boundary) {
  SmallVector<Type> result;
  for (Type type : types)
    appendBoundaryTypes(type, boundary, result);
  return result;
}

static SmallVector<Value> allTakenApart(Operation *before, ValueRange values,
                                        Boundary boundary) {
  OpBuilder builder(before);
  SmallVector<Value> parts;
  for (Value value : values)
    takeApart(builder, before->getLoc(), value, boundary, parts);
  return parts;
}

Value Signatures::rebuilt(OpBuilder &builder, Location loc, Type type,
                          Boundary boundary, ValueRange parts) {
  Value value = putTogether(builder, loc, type, boundary, parts);
  if (!value) {
    emitError(loc) << "a value of type " << type
                   << " cannot be rebuilt from its type";
    failed = true;
  }
  return value;
}

/// The first `count` arguments of a block become their parts; the values that
/// were used are put together at its start.
void Signatures::expandArguments(Block &block, unsigned count,
                                 Boundary boundary) {
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  unsigned position = 0;
  for (unsigned i = 0; i < count; ++i) {
    BlockArgument argument = block.getArgument(position);
    Type type = argument.getType();
    if (!isTakenApart(type)) {
      ++position;
      continue;
    }
    SmallVector<Type> types = boundaryTypes(type, boundary);
    SmallVector<Value> parts;
    for (auto [index, part] : llvm::enumerate(types))
      parts.push_back(
          block.insertArgument(position + 1 + index, part, argument.getLoc()));
    if (!argument.use_empty()) {
      Value value = rebuilt(builder, argument.getLoc(), type, boundary, parts);
      if (!value)
        return;
      argument.replaceAllUsesWith(value);
    }
    block.eraseArgument(position);
    position += types.size();
  }
}

/// The results of `to` are the parts of those of `from`.
void Signatures::expandResults(Operation *from, Operation *to,
                               Boundary boundary) {
  OpBuilder builder(from->getContext());
  builder.setInsertionPointAfter(to);
  ValueRange rest = to->getResults();
  for (Value result : from->getResults()) {
    unsigned count = boundaryTypes(result.getType(), boundary).size();
    ValueRange parts = rest.take_front(count);
    rest = rest.drop_front(count);
    if (result.use_empty())
      continue;
    Value value =
        rebuilt(builder, to->getLoc(), result.getType(), boundary, parts);
    if (value)
      result.replaceAllUsesWith(value);
  }
}

/// The same op with other operands and result types; regions move over.
static Operation *recreate(Operation *op, ValueRange operands,
                           TypeRange results) {
  Operation *created = Operation::create(
      op->getLoc(), op->getName(), results, operands,
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      op->getSuccessors(), op->getNumRegions());
  OpBuilder(op).insert(created);
  for (auto [to, from] :
       llvm::zip_equal(created->getRegions(), op->getRegions()))
    to.takeBody(from);
  return created;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Attributes of an argument or result stay with what still has its place: the
/// value itself, the one struct that stands for it, the pointer of a memref.
static SmallVector<DictionaryAttr>
boundaryAttributes(TypeRange types, ArrayRef<DictionaryAttr> attributes) {
  SmallVector<DictionaryAttr> result;
  for (auto [type, attribute] : llvm::zip_equal(types, attributes)) {
    unsigned count = boundaryTypes(type, Boundary::Structs).size();
    for (unsigned i = 0; i < count; ++i)
      result.push_back(i == 0 ? attribute
                              : DictionaryAttr::get(type.getContext()));
  }
  return result;
}

void Signatures::rewriteFunction(FunctionOpInterface function) {
  auto type = dyn_cast<FunctionType>(function.getFunctionType());
  if (!type)
    return;
  if (findTakenApart(type.getInputs()) || findTakenApart(type.getResults())) {
    SmallVector<DictionaryAttr> arguments, results;
    function.getAllArgAttrs(arguments);
    function.getAllResultAttrs(results);
    arguments = boundaryAttributes(type.getInputs(), arguments);
    results = boundaryAttributes(type.getResults(), results);
    bool hasArgumentAttributes = bool(function.getArgAttrsAttr());
    bool hasResultAttributes = bool(function.getResAttrsAttr());
    if (hasArgumentAttributes)
      function.removeArgAttrsAttr();
    if (hasResultAttributes)
      function.removeResAttrsAttr();
    function.setFunctionTypeAttr(TypeAttr::get(FunctionType::get(
        type.getContext(), boundaryTypes(type.getInputs(), Boundary::Structs),
        boundaryTypes(type.getResults(), Boundary::Structs))));
    if (hasArgumentAttributes)
      function.setAllArgAttrs(arguments);
    if (hasResultAttributes)
      function.setAllResultAttrs(results);
  }
  for (Block &block : function.getFunctionBody()) {
    if (block.isEntryBlock())
      expandArguments(block, type.getNumInputs(), Boundary::Structs);
    else
      expandArguments(block, block.getNumArguments(), Boundary::Scalars);
  }
}

void Signatures::rewriteStructured(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      expandArguments(block, block.getNumArguments(), Boundary::Scalars);
  if (!findTakenApart(op->getOperandTypes()) &&
      !findTakenApart(op->getResultTypes()))
    return;
  SmallVector<Value> operands =
      allTakenApart(op, op->getOperands(), Boundary::Scalars);
  Operation *created = recreate(
      op, operands, boundaryTypes(op->getResultTypes(), Boundary::Scalars));
  expandResults(op, created, Boundary::Scalars);
  op->erase();
}

void Signatures::rewriteCall(func::CallOp call) {
  SmallVector<Value> operands =
      allTakenApart(call, call.getOperands(), Boundary::Structs);
  auto created = cast<func::CallOp>(
      recreate(call, operands,
               boundaryTypes(call->getResultTypes(), Boundary::Structs)));
  // They count operands and results.
  created.removeArgAttrsAttr();
  created.removeResAttrsAttr();
  expandResults(call, created, Boundary::Structs);
  call.erase();
}

void Signatures::rewriteBranch(BranchOpInterface branch) {
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    SmallVector<Value> values(operands.getForwardedOperands());
    if (!findTakenApart(ValueRange(values).getTypes()))
      continue;
    operands.getMutableForwardedOperands().assign(
        allTakenApart(branch, values, Boundary::Scalars));
  }
}

void Signatures::rewriteSelect(arith::SelectOp select) {
  OpBuilder builder(select);
  Location loc = select.getLoc();
  SmallVector<Value> yes, no, parts;
  takeApart(builder, loc, select.getTrueValue(), Boundary::Scalars, yes);
  takeApart(builder, loc, select.getFalseValue(), Boundary::Scalars, no);
  for (auto [one, other] : llvm::zip_equal(yes, no))
    parts.push_back(one == other
                        ? one
                        : arith::SelectOp::create(
                              builder, loc, select.getCondition(), one, other));
  if (!select.use_empty()) {
    Value value =
        rebuilt(builder, loc, select.getType(), Boundary::Scalars, parts);
    if (!value)
      return;
    select.getResult().replaceAllUsesWith(value);
  }
  select.erase();
}

void Signatures::rewrite(Operation *op) {
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return rewriteFunction(function);
  if (isStructured(op))
    return rewriteStructured(op);
  if (!findTakenApart(op->getOperandTypes()) &&
      !findTakenApart(op->getResultTypes()))
    return;
  if (auto call = dyn_cast<func::CallOp>(op))
    return rewriteCall(call);
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return launch.getKernelOperandsMutable().assign(
        allTakenApart(launch, launch.getKernelOperands(), Boundary::Structs));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return rewriteSelect(select);
  if (isa<func::ReturnOp, gpu::ReturnOp>(op))
    op->setOperands(allTakenApart(op, op->getOperands(), Boundary::Structs));
  else if (isa<scf::YieldOp, scf::ConditionOp>(op))
    op->setOperands(allTakenApart(op, op->getOperands(), Boundary::Scalars));
  else if (auto branch = dyn_cast<BranchOpInterface>(op))
    rewriteBranch(branch);
}

LogicalResult Signatures::run(Operation *scope) {
  SmallVector<Operation *> ops;
  WalkResult checked = scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    return mlir::failed(check(op)) ? WalkResult::interrupt()
                                   : WalkResult::advance();
  });
  if (checked.wasInterrupted())
    return failure();
  for (Operation *op : ops)
    rewrite(op);
  return failure(failed);
}

namespace {
struct RewriteFuncSignaturePass
    : public mlir::fly::impl::FlyRewriteFuncSignatureBase<
          RewriteFuncSignaturePass> {
  void runOnOperation() override {
    if (failed(Signatures().run(getOperation())))
      signalPassFailure();
  }
};
} // namespace
