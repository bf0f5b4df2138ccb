// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types: values of the layout algebra, iterators and tensors, atoms and tiled
// operations. Bodies stand in angle brackets: `!fly.layout<(4,8):(1,4)>`.

#ifndef FLY_DIALECT_FLY_IR_FLYTYPES_TD
#define FLY_DIALECT_FLY_IR_FLYTYPES_TD

include "fly/Dialect/Fly/IR/FlyAttributes.td"

class Fly_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Fly_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// One attribute each
//===----------------------------------------------------------------------===//

class Fly_WrappedType<string name, string typeMnemonic, string attrClass,
                      list<Trait> traits = []>
    : Fly_Type<name, typeMnemonic, traits> {
  let parameters = (ins attrClass:$attr);
}

def Fly_BasisType : Fly_WrappedType<"Basis", "basis", "BasisAttr",
    [DeclareTypeInterfaceMethods<MayStaticTypeInterface>]> {
  let summary = "scaled basis element";
  let description = [{
    A number of unit vectors of one mode of a coordinate.

    Example: `!fly.basis<4E0E1>`
  }];
}

def Fly_IntTupleType : Fly_WrappedType<"IntTuple", "int_tuple",
    "IntTupleAttr", [
      DeclareTypeInterfaceMethods<MayStaticTypeInterface>,
      DeclareTypeInterfaceMethods<NestedTypeInterface>]> {
  let summary = "int_tuple";
  let description = [{
    Shape, stride or coordinate; dynamic leaves are carried by the value.

    Example: `!fly.int_tuple<(4,(?,8))>`
  }];
  let builders = [TypeBuilder<(ins "const ::fly::layout::IntTuple &":$tuple), [{
    return $_get($_ctxt, IntTupleAttr::get($_ctxt, tuple));
  }]>];
  let extraClassDeclaration = [{
    const ::fly::layout::IntTuple &getTuple() const;
  }];
}

def Fly_LayoutType : Fly_WrappedType<"Layout", "layout", "LayoutAttr", [
      DeclareTypeInterfaceMethods<MayStaticTypeInterface>,
      DeclareTypeInterfaceMethods<NestedTypeInterface>]> {
  let summary = "layout";
  let description = [{
    A map from coordinates of the shape to indices: the inner product with the
    stride. An index below the size stands for the coordinate that it is in
    column-major order.

    Example: `!fly.layout<(4,8):(1,4)>`
  }];
  let builders = [TypeBuilder<(ins "const ::fly::layout::Layout &":$layout), [{
    return $_get($_ctxt, LayoutAttr::get($_ctxt, layout));
  }]>];
  let extraClassDeclaration = [{
    const ::fly::layout::Layout &getLayout() const;
    IntTupleAttr getShape() const;
    IntTupleAttr getStride() const;
  }];
}

def Fly_SwizzleType : Fly_WrappedType<"Swizzle", "swizzle", "SwizzleAttr",
    [DeclareTypeInterfaceMethods<MayStaticTypeInterface>]> {
  let summary = "swizzle";
  let description = [{
    A map from integers to integers: `S<mask,base,shift>` XORs the `mask` bits
    at base + shift into those at base.

    Example: `!fly.swizzle<S<3,4,3>>`
  }];
  let builders = [TypeBuilder<(ins "const ::fly::layout::Swizzle &":$swizzle), [{
    return $_get($_ctxt, SwizzleAttr::get($_ctxt, swizzle));
  }]>];
  let extraClassDeclaration = [{
    const ::fly::layout::Swizzle &getSwizzle() const;
  }];
}

def Fly_CoordSwizzleType : Fly_WrappedType<"CoordSwizzle", "coord_swizzle",
    "CoordSwizzleAttr",
    [DeclareTypeInterfaceMethods<MayStaticTypeInterface>]> {
  let summary = "coord_swizzle";
  let description = [{
    A map from coordinates to coordinates: bits of the leaf at the row path are
    XORed into the leaf at the column path.

    Example: `!fly.coord_swizzle<CS<3,0,[1],0,[2]>>`
  }];
  let builders = [
    TypeBuilder<(ins "const ::fly::layout::CoordSwizzle &":$swizzle), [{
      return $_get($_ctxt, CoordSwizzleAttr::get($_ctxt, swizzle));
    }]>];
  let extraClassDeclaration = [{
    const ::fly::layout::CoordSwizzle &getCoordSwizzle() const;
  }];
}

def Fly_ComposedLayoutType : Fly_WrappedType<"ComposedLayout",
    "composed_layout", "ComposedLayoutAttr", [
      DeclareTypeInterfaceMethods<MayStaticTypeInterface>,
      DeclareTypeInterfaceMethods<NestedTypeInterface>]> {
  let summary = "composed_layout";
  let description = [{
    A map c -> inner(offset + outer(c)). The outer layout is applied first and
    owns the shape.

    Example: `!fly.composed_layout<S<3,0,3> o 0 o (8,8):(1,8)>`
  }];
  let builders = [
    TypeBuilder<(ins "const ::fly::layout::ComposedLayout &":$layout), [{
      return $_get($_ctxt, ComposedLayoutAttr::get($_ctxt, layout));
    }]>];
  let extraClassDeclaration = [{
    const ::fly::layout::ComposedLayout &getComposedLayout() const;
    ::fly::layout::AnyLayout getLayout() const;
    ::mlir::Attribute getInner() const;
    IntTupleAttr getOffset() const;
    ::mlir::Attribute getOuter() const;
  }];
}

def Fly_TileType : Fly_WrappedType<"Tile", "tile", "TileAttr",
    [DeclareTypeInterfaceMethods<MayStaticTypeInterface>]> {
  let summary = "tile";
  let description = [{
    What a divide or composition does to each mode: a number stands for that
    many consecutive elements, a layout for those that it names, `*` for nothing.

    Example: `!fly.tile<[4|*|8:2]>`
  }];
  let builders = [TypeBuilder<(ins "const ::fly::layout::Tile &":$tile), [{
    return $_get($_ctxt, TileAttr::get($_ctxt, tile));
  }]>];
  let extraClassDeclaration = [{
    const ::fly::layout::Tile &getTile() const;
  }];
}

//===----------------------------------------------------------------------===//
// Iterators and tensors
//===----------------------------------------------------------------------===//

def Fly_SwizzleParameter : AttrOrTypeParameter<"::fly::layout::Swizzle", ""> {
  let cppAccessorType = "const ::fly::layout::Swizzle &";
}

def Fly_PointerType : Fly_Type<"Pointer", "ptr"> {
  let summary = "ptr";
  let description = [{
    A pointer to elements of an integer or float type, with its address space
    (a keyword of the fly enum, or any attribute), the alignment in bytes that
    is promised, and a swizzle of byte addresses.

    The alignment is a positive multiple of the element's bytes. Trivial
    alignment and swizzle are not printed.

    Example: `!fly.ptr<f16, shared, align<16>, S<3,3,3>>`
  }];
  let parameters = (ins "::mlir::Type":$elemTy,
                        "::mlir::Attribute":$addressSpace,
                        "int64_t":$alignment,
                        Fly_SwizzleParameter:$swizzle);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elemTy,
                                        "::mlir::Attribute":$addressSpace), [{
      return $_get(elemTy.getContext(), elemTy, addressSpace,
                   trivialAlignment(elemTy), ::fly::layout::Swizzle());
    }]>,
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elemTy,
                                        "::mlir::Attribute":$addressSpace,
                                        "int64_t":$alignment), [{
      return $_get(elemTy.getContext(), elemTy, addressSpace, alignment,
                   ::fly::layout::Swizzle());
    }]>,
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elemTy,
        "::mlir::Attribute":$addressSpace, "int64_t":$alignment,
        "const ::fly::layout::Swizzle &":$swizzle), [{
      return $_get(elemTy.getContext(), elemTy, addressSpace, alignment,
                   swizzle);
    }]>,
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elemTy,
        "::mlir::fly::AddressSpace":$addressSpace), [{
      return PointerType::get(elemTy,
          AddressSpaceAttr::get(elemTy.getContext(), addressSpace));
    }]>,
  ];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bits of one element.
    unsigned getElemBits() const;
    /// How many elements the address is known to be a multiple of.
    int64_t valueDivisibility() const;
    bool isInSpace(AddressSpace space) const;
  }];
}

def Fly_MemRefType : Fly_Type<"MemRef", "memref"> {
  let summary = "memref";
  let description = [{
    A pointer with a layout: coordinate c names the element at
    pointer + layout(c). A swizzle in the layout acts on the element index, the
    trailing one on the byte address.

    Example: `!fly.memref<f16, global, (4,8):(1,4), align<16>>`
  }];
  let parameters = (ins "::mlir::Type":$elemTy,
                        "::mlir::Attribute":$addressSpace,
                        "::mlir::Attribute":$layoutAttr,
                        "int64_t":$alignment,
                        Fly_SwizzleParameter:$swizzle);
  let builders = [
    TypeBuilderWithInferredContext<(ins "PointerType":$pointer,
        "const ::fly::layout::AnyLayout &":$layout), [{
      return $_get(pointer.getContext(), pointer.getElemTy(),
                   pointer.getAddressSpace(),
                   layoutToAttr(pointer.getContext(), layout),
                   pointer.getAlignment(), pointer.getSwizzle());
    }]>,
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elemTy,
        "const ::fly::layout::AnyLayout &":$layout), [{
      return MemRefType::get(PointerType::get(elemTy, AddressSpace::Global),
                             layout);
    }]>,
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elemTy,
        "::mlir::Attribute":$addressSpace,
        "const ::fly::layout::AnyLayout &":$layout), [{
      return MemRefType::get(PointerType::get(elemTy, addressSpace), layout);
    }]>,
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elemTy,
        "::mlir::Attribute":$addressSpace,
        "const ::fly::layout::AnyLayout &":$layout, "int64_t":$alignment), [{
      return MemRefType::get(PointerType::get(elemTy, addressSpace, alignment),
                             layout);
    }]>,
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elemTy,
        "::mlir::Attribute":$addressSpace,
        "const ::fly::layout::AnyLayout &":$layout, "int64_t":$alignment,
        "const ::fly::layout::Swizzle &":$swizzle), [{
      return MemRefType::get(
          PointerType::get(elemTy, addressSpace, alignment, swizzle), layout);
    }]>,
  ];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::fly::layout::AnyLayout getLayout() const;
    PointerType getPointerType() const;
    /// The same pointer with another layout.
    MemRefType withLayout(const ::fly::layout::AnyLayout &layout) const;
    /// The mode at `path`, everything else kept; null when there is none.
    MemRefType at(::llvm::ArrayRef<int32_t> path) const;
    int64_t valueDivisibility() const;
    bool isInSpace(AddressSpace space) const;
    bool isLeaf() const { return getLayout().linear().isLeaf(); }
    int64_t rank() const { return getLayout().rank(); }
    int64_t depth() const { return getLayout().depth(); }
  }];
}

def Fly_CoordTensorType : Fly_Type<"CoordTensor", "coord_tensor", [
      DeclareTypeInterfaceMethods<MayStaticTypeInterface>,
      DeclareTypeInterfaceMethods<NestedTypeInterface>]> {
  let summary = "coord_tensor";
  let description = [{
    A tensor whose elements are coordinates: c names base + layout(c).

    Example: `!fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>`
  }];
  let parameters = (ins "IntTupleAttr":$baseAttr,
                        "::mlir::Attribute":$layoutAttr);
  let builders = [
    TypeBuilder<(ins "const ::fly::layout::IntTuple &":$base,
                     "const ::fly::layout::AnyLayout &":$layout), [{
      return $_get($_ctxt, IntTupleAttr::get($_ctxt, base),
                   layoutToAttr($_ctxt, layout));
    }]>,
  ];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    const ::fly::layout::IntTuple &getBase() const;
    ::fly::layout::AnyLayout getLayout() const;
  }];
}

//===----------------------------------------------------------------------===//
// Operation descriptors
//===----------------------------------------------------------------------===//

def Fly_CopyOpUniversalCopyType
    : Fly_Type<"CopyOpUniversalCopy", "universal_copy", [
      DeclareTypeInterfaceMethods<MayStaticTypeInterface>,
      DeclareTypeInterfaceMethods<CopyOpTypeInterface>]> {
  let summary = "copy of bits by plain memory access";
  let description = [{
    One thread moves this many bits, a positive multiple of 8, from any memory to
    any memory.

    Example: `!fly.universal_copy<128>`
  }];
  let parameters = (ins "int32_t":$bitSize);
  let genVerifyDecl = 1;
}

def Fly_CopyOpUniversalAtomicType
    : Fly_Type<"CopyOpUniversalAtomic", "universal_atomic", [
      DeclareTypeInterfaceMethods<MayStaticTypeInterface>,
      DeclareTypeInterfaceMethods<CopyOpTypeInterface>]> {
  let summary = "atomic combination of a register value with memory";
  let description = [{
    The string is LLVM's synchronisation scope, empty for the whole system.

    Example: `!fly.universal_atomic<inc, i32, "agent">`
  }];
  let parameters = (ins "AtomicOpAttr":$atomicOp, "::mlir::Type":$valueType,
                        StringRefParameter<"">:$syncScope);
  let builders = [
    TypeBuilderWithInferredContext<(ins "AtomicOpAttr":$atomicOp,
                                        "::mlir::Type":$valueType), [{
      return $_get(valueType.getContext(), atomicOp, valueType, "");
    }]>,
  ];
  let genVerifyDecl = 1;
}

def Fly_MmaOpUniversalFMAType
    : Fly_Type<"MmaOpUniversalFMA", "universal_fma", [
      DeclareTypeInterfaceMethods<MayStaticTypeInterface>,
      DeclareTypeInterfaceMethods<MmaOpTypeInterface>]> {
  let summary = "one multiply-add by one thread";
  let description = [{
    A product and a sum of scalars; they are rounded one by one.

    Example: `!fly.universal_fma<1x1x1, (f32, f32) -> f32>`
  }];
  let parameters = (ins "::mlir::Type":$elemTy);
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Atoms and tiled operations
//===----------------------------------------------------------------------===//

def Fly_CopyAtomType : Fly_Type<"CopyAtom", "copy_atom", [
      DeclareTypeInterfaceMethods<MayStaticTypeInterface>]> {
  let summary = "copy_atom";
  let description = [{
    A copy op and the number of bits of one value (0 for whole-tile copies).

    Example: `!fly.copy_atom<!fly.universal_copy<64>, 16>`
  }];
  let parameters = (ins "::mlir::Type":$copyOp, "int32_t":$valBits);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// (thread, value) layouts: the copy op's bit layouts recast to valBits.
    /// A failure is recorded in `arith`.
    ::fly::layout::CopyAtomLayouts getLayouts(::fly::layout::Arith &arith) const;
    ::mlir::FailureOr<::fly::layout::CopyAtomLayouts> getLayouts() const;
    ::fly::layout::Layout getThreadLayout() const;
    bool isStateful() const;
    /// The LLVM type of the state; null when there is none.
    ::mlir::Type getStateType() const;
  }];
}

def Fly_MmaAtomType : Fly_Type<"MmaAtom", "mma_atom", [
      DeclareTypeInterfaceMethods<MayStaticTypeInterface>]> {
  let summary = "mma_atom";
  let description = [{
    One matrix instruction, D = A * B + C on a tile.

    Example: `!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>`
  }];
  let parameters = (ins "::mlir::Type":$mmaOp);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::fly::layout::MmaAtomLayouts getLayouts(::fly::layout::Arith &arith) const;
    ::mlir::FailureOr<::fly::layout::MmaAtomLayouts> getLayouts() const;
    /// Element type of an operand; null when the op is no MMA op.
    ::mlir::Type getValueType(MmaOperand operand) const;
    bool isStateful() const;
    ::mlir::Type getStateType() const;
  }];
}

def Fly_TiledCopyType : Fly_Type<"TiledCopy", "tiled_copy", [
      DeclareTypeInterfaceMethods<MayStaticTypeInterface>]> {
  let summary = "tiled_copy";
  let description = [{
    A copy atom, the layout (thread, value) -> column-major index in a tile,
    and the tile.

    Example:
    `!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<(4,2):(1,4)>, !fly.tile<8>>`
  }];
  let parameters = (ins "::mlir::Type":$copyAtom, "LayoutType":$layoutThrVal,
                        "TileType":$tileMN);
  let extraClassDeclaration = [{
    /// A failure (no copy atom, wrong atom) is recorded in `arith`.
    ::fly::layout::TiledCopyLayouts getLayouts(::fly::layout::Arith &arith) const;
    ::mlir::FailureOr<::fly::layout::TiledCopyLayouts> getLayouts() const;
  }];
}

def Fly_TiledMmaType : Fly_Type<"TiledMma", "tiled_mma", [
      DeclareTypeInterfaceMethods<MayStaticTypeInterface>]> {
  let summary = "tiled_mma";
  let description = [{
    An MMA atom, how many of it stand along M, N and K and which wave owns which
    (a layout), and optionally how each of the three modes is cut.

    Example:
    `!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(1,1,1):(0,1,2)>>`
  }];
  let parameters = (ins "::mlir::Type":$mmaAtom, "LayoutType":$atomLayout,
                        "TileType":$permutation);
  let extraClassDeclaration = [{
    ::fly::layout::TiledMmaLayouts getLayouts(::fly::layout::Arith &arith) const;
    ::mlir::FailureOr<::fly::layout::TiledMmaLayouts> getLayouts() const;
    /// `[*|*|*]`, the permutation where none is given.
    static TileType defaultPermutation(::mlir::MLIRContext *context);
  }];
}

//===----------------------------------------------------------------------===//
// Operand classes (specification, appendix A)
//===----------------------------------------------------------------------===//

def Fly_IteratorLike : AnyTypeOf<[Fly_IntTupleType, Fly_PointerType],
    "int_tuple or ptr">;
def Fly_TensorLike : AnyTypeOf<[Fly_CoordTensorType, Fly_MemRefType],
    "coord_tensor or memref">;
def Fly_NarrowLayout : AnyTypeOf<[Fly_LayoutType, Fly_ComposedLayoutType],
    "layout or composed_layout">;
def Fly_LayoutLike : AnyTypeOf<[Fly_LayoutType, Fly_ComposedLayoutType,
    Fly_CoordTensorType, Fly_MemRefType],
    "layout, composed_layout, coord_tensor or memref">;
def Fly_IntTupleLike : AnyTypeOf<[Fly_IntTupleType, Fly_LayoutType,
    Fly_ComposedLayoutType, Fly_CoordTensorType, Fly_MemRefType],
    "int_tuple, layout, composed_layout, coord_tensor or memref">;
def Fly_DynamicLeaf : AnyTypeOf<[I32, I64], "i32 or i64">;
def Fly_TupleOrNarrowLayout : AnyTypeOf<[Fly_IntTupleType, Fly_LayoutType,
    Fly_ComposedLayoutType], "int_tuple, layout or composed_layout">;
def Fly_TupleOrLayout : AnyTypeOf<[Fly_IntTupleType, Fly_LayoutType],
    "int_tuple or layout">;
def Fly_LayoutOrTile : AnyTypeOf<[Fly_LayoutType, Fly_TileType],
    "layout or tile">;
def Fly_CoordMap : AnyTypeOf<[Fly_LayoutType, Fly_ComposedLayoutType,
    Fly_SwizzleType, Fly_CoordSwizzleType],
    "layout, composed_layout, swizzle or coord_swizzle">;
def Fly_FragmentSource : AnyTypeOf<[Fly_LayoutType, Fly_MemRefType,
    Fly_CoordTensorType], "layout, memref or coord_tensor">;
def Fly_LayoutOrMemRef : AnyTypeOf<[Fly_LayoutType, Fly_MemRefType],
    "layout or memref">;
def Fly_CopyAtomOrTiled : AnyTypeOf<[Fly_CopyAtomType, Fly_TiledCopyType],
    "copy_atom or tiled_copy">;
def Fly_MmaAtomOrTiled : AnyTypeOf<[Fly_MmaAtomType, Fly_TiledMmaType],
    "mma_atom or tiled_mma">;
def Fly_PointerOrMemRef : AnyTypeOf<[Fly_MemRefType, Fly_PointerType],
    "memref or ptr">;

/// A tensor whose layout attribute is a plain layout, and one whose is not.
def Fly_PlainMemRef : Type<
    And<[Fly_MemRefType.predicate, CPred<
      "::llvm::cast<::mlir::fly::MemRefType>($_self).getLayout().isPlain()">]>,
    "memref with a plain layout", "::mlir::fly::MemRefType">;
def Fly_PlainCoordTensor : Type<
    And<[Fly_CoordTensorType.predicate, CPred<
      "::llvm::cast<::mlir::fly::CoordTensorType>($_self).getLayout().isPlain()"
      >]>,
    "coord_tensor with a plain layout", "::mlir::fly::CoordTensorType">;

#endif // FLY_DIALECT_FLY_IR_FLYTYPES_TD
