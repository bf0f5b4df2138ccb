// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base classes of the ops.
//
// Form D, which most ops have: `fly.NAME(%a, %b) {attributes} : (A, B) -> R`.

#ifndef FLY_DIALECT_FLY_IR_FLYOPBASE_TD
#define FLY_DIALECT_FLY_IR_FLYOPBASE_TD

include "fly/Dialect/Fly/IR/FlyTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Fly_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fly_Dialect, mnemonic, traits> {
  let assemblyFormat =
      "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}

/// An op whose result types are inferred by `inferReturnTypes` of its own.
class Fly_InferredOp<string mnemonic, list<Trait> traits = []>
    : Fly_Op<mnemonic,
             [VerifiesTypesOnce] # traits
                 # [DeclareOpInterfaceMethods<InferTypeOpInterface>]>;

/// An op of the algebra without attributes. Its meaning is the static function
/// `evaluateWith`; inference and the interface method both call it.
class Fly_EffectfulAlgebraOp<string mnemonic, list<Trait> traits = []>
    : Fly_Op<mnemonic, [VerifiesTypesOnce] # traits # [
        DeclareOpInterfaceMethods<InferTypeOpInterface>,
        DeclareOpInterfaceMethods<AlgebraOpInterface>]> {
  code declareEvaluate = [{
    static void evaluateWith(
        Evaluator &evaluator, ::llvm::ArrayRef<AlgebraVal> operands,
        ::llvm::SmallVectorImpl<AlgebraVal> &results);
  }];
  let extraClassDeclaration = declareEvaluate;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr,
        ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return inferOnce(context, location, ::mlir::TypeID::get<$cppClass>(),
                       operands.getTypes(), {}, $cppClass::evaluateWith, types);
    }
    void $cppClass::evaluate(Evaluator &evaluator,
                             ::llvm::ArrayRef<AlgebraVal> operands,
                             ::llvm::SmallVectorImpl<AlgebraVal> &results) {
      $cppClass::evaluateWith(evaluator, operands, results);
    }
  }];
}

class Fly_AlgebraOp<string mnemonic, list<Trait> traits = []>
    : Fly_EffectfulAlgebraOp<mnemonic, [Pure] # traits>;

/// An op of the algebra with attributes, which `evaluateWith` gets too.
class Fly_AlgebraOpWithAttributes<string mnemonic, list<Trait> traits = []>
    : Fly_Op<mnemonic, [Pure, VerifiesTypesOnce] # traits # [
        DeclareOpInterfaceMethods<InferTypeOpInterface>,
        DeclareOpInterfaceMethods<AlgebraOpInterface>]> {
  code declareEvaluate = [{
    static void evaluateWith(
        Evaluator &evaluator, ::llvm::ArrayRef<AlgebraVal> operands,
        const Properties &properties,
        ::llvm::SmallVectorImpl<AlgebraVal> &results);
  }];
  let extraClassDeclaration = declareEvaluate;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr dictionary,
        ::mlir::OpaqueProperties opaque, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      // Without properties (a caller with a bare dictionary), read that.
      Properties own;
      Properties *properties = opaque.as<Properties *>();
      if (!properties) {
        if (dictionary && failed(setPropertiesFromAttr(own, dictionary, [&]() {
              return ::mlir::emitError(
                  location.value_or(::mlir::UnknownLoc::get(context)));
            })))
          return ::mlir::failure();
        properties = &own;
      }
      ::llvm::SmallVector<::mlir::Attribute, 2> attributes;
      for (::llvm::StringRef name : getAttributeNames())
        attributes.push_back(getInherentAttr(context, *properties, name)
                                 .value_or(::mlir::Attribute()));
      return inferOnce(
          context, location, ::mlir::TypeID::get<$cppClass>(),
          operands.getTypes(), attributes,
          [&](Evaluator &evaluator, ::llvm::ArrayRef<AlgebraVal> values,
              ::llvm::SmallVectorImpl<AlgebraVal> &results) {
            $cppClass::evaluateWith(evaluator, values, *properties, results);
          },
          types);
    }
    void $cppClass::evaluate(Evaluator &evaluator,
                             ::llvm::ArrayRef<AlgebraVal> operands,
                             ::llvm::SmallVectorImpl<AlgebraVal> &results) {
      $cppClass::evaluateWith(evaluator, operands, getProperties(), results);
    }
  }];
}

/// On an algebra op: verification also accepts the type that the original
/// inferred where ours is right (specification section 7, LegacyTypes.cpp).
def AcceptsLegacyType
    : DeclareOpInterfaceMethods<InferTypeOpInterface, ["refineReturnTypes"]>;

#endif // FLY_DIALECT_FLY_IR_FLYOPBASE_TD
