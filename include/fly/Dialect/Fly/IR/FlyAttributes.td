// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes: each holds one value of the layout library. Inside types they are
// printed bare; alone they are `#fly<mnemonic body>`.

#ifndef FLY_DIALECT_FLY_IR_FLYATTRIBUTES_TD
#define FLY_DIALECT_FLY_IR_FLYATTRIBUTES_TD

include "fly/Dialect/Fly/IR/FlyEnums.td"
include "fly/Dialect/Fly/IR/FlyInterfaces.td"
include "fly/Dialect/Fly/IR/FlyTarget.td"

class Fly_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Fly_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

/// An attribute around one value of the layout library, with its text.
class Fly_LayoutValueAttr<string name, string attrMnemonic, string cppValue,
                          list<Trait> traits = []>
    : Fly_Attr<name, attrMnemonic, traits> {
  let parameters = (ins AttrParameter<"::fly::layout::" # cppValue, "",
      "const ::fly::layout::" # cppValue # " &">:$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Fly_IntAttr : Fly_LayoutValueAttr<"Int", "int", "Int",
    [DeclareAttrInterfaceMethods<MayStaticAttrInterface>]> {
  let summary = "One integer leaf: none, known or unknown";
  let description = [{
    `4` is known; `?` is a 32-bit number that a value carries at run time,
    `?{i64}` a 64-bit one; `?{div=8}` is promised to be a multiple of 8. A known
    number has 64 bits. The none leaf `*` exists only inside tuples and tiles.

    Example: `#fly<int ?{i64 div=2}>`
  }];
}

def Fly_BasisAttr : Fly_LayoutValueAttr<"Basis", "basis", "IntTuple",
    [DeclareAttrInterfaceMethods<MayStaticAttrInterface>]> {
  let summary = "A scaled unit vector of a coordinate";
  let description = [{
    `4E2` is four times the unit vector of mode 2; `3E0E1` three times that of
    child 1 of mode 0.

    Example: `#fly<basis 4E2>`
  }];
}

def Fly_IntTupleAttr : Fly_LayoutValueAttr<"IntTuple", "int_tuple",
    "IntTuple", [
      DeclareAttrInterfaceMethods<MayStaticAttrInterface>,
      DeclareAttrInterfaceMethods<NestedAttrInterface>]> {
  let summary = "A leaf, or a non-empty list of int_tuples";
  let description = [{
    Shapes, strides and coordinates. `(4)` is not `4`: it has depth 1.

    Example: `#fly<int_tuple (4,(?,8))>`
  }];
}

def Fly_LayoutAttr : Fly_LayoutValueAttr<"Layout", "layout", "Layout", [
      DeclareAttrInterfaceMethods<MayStaticAttrInterface>,
      DeclareAttrInterfaceMethods<NestedAttrInterface>]> {
  let summary = "shape:stride, congruent tuples";
  let description = [{
    A coordinate of the shape maps to its inner product with the stride.

    Example: `#fly<layout (4,8):(1,4)>`
  }];
  let extraClassDeclaration = [{
    IntTupleAttr getShape() const;
    IntTupleAttr getStride() const;
  }];
}

def Fly_SwizzleAttr : Fly_LayoutValueAttr<"Swizzle", "swizzle", "Swizzle"> {
  let summary = "XOR swizzle of an integer, S<mask,base,shift>";
  let description = [{
    The `mask` bits at position base + shift are moved down by `shift` and XORed
    into the number. All three are at least 0, their sum at most 31.

    Example: `#fly<swizzle S<3,4,3>>`
  }];
}

def Fly_CoordSwizzleAttr
    : Fly_LayoutValueAttr<"CoordSwizzle", "coord_swizzle", "CoordSwizzle"> {
  let summary = "XOR swizzle of one leaf of a coordinate by another";
  let description = [{
    `CS<mask,rowBase,[row path],colBase,[column path]>` XORs
    ((row >> rowBase) and (2^mask - 1)) << colBase into the column.

    Example: `#fly<coord_swizzle CS<3,0,[1],0,[2]>>`
  }];
}

def Fly_ComposedLayoutAttr : Fly_LayoutValueAttr<"ComposedLayout",
    "composed_layout", "ComposedLayout", [
      DeclareAttrInterfaceMethods<MayStaticAttrInterface>,
      DeclareAttrInterfaceMethods<NestedAttrInterface>]> {
  let summary = "inner o offset o outer: c maps to inner(offset + outer(c))";
  let description = [{
    The outer layout is applied first and owns the shape; the inner map, a
    swizzle, coordinate swizzle or layout, is applied last.

    Example: `#fly<composed_layout S<3,0,3> o 0 o (8,8):(1,8)>`
  }];
  let extraClassDeclaration = [{
    /// SwizzleAttr, CoordSwizzleAttr, LayoutAttr or ComposedLayoutAttr.
    ::mlir::Attribute getInner() const;
    IntTupleAttr getOffset() const;
    /// LayoutAttr or ComposedLayoutAttr.
    ::mlir::Attribute getOuter() const;
  }];
}

def Fly_TileAttr : Fly_LayoutValueAttr<"Tile", "tile", "Tile"> {
  let summary = "What a divide or composition does, mode by mode";
  let description = [{
    A leaf (number, `*` or layout) or a bracketed list of them. `*` leaves its
    mode untouched.

    Example: `#fly<tile [16|*|4:2]>`
  }];
  let extraClassDeclaration = [{
    int64_t rank() const { return getValue().rank(); }
    bool isLeaf() const { return !getValue().isList(); }
    /// Element `mode` is the none integer.
    bool isNoneMode(int32_t mode) const {
      return mode >= 0 && getValue().at(mode).isNone();
    }
  }];
}

def Fly_AlignAttr : Fly_Attr<"Align", "align"> {
  let summary = "An alignment in bytes";
  let description = [{Positive. Example: `#fly<align align<16>>`}];
  let parameters = (ins "int64_t":$alignment);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

/// The attribute may be the offloading handler of a gpu.module or gpu.binary.
def Fly_OffloadingHandler : NativeTrait<"OffloadingTranslationAttrTrait", ""> {
  let cppNamespace = "::mlir::gpu";
}

def Fly_ExplicitModuleAttr
    : Fly_Attr<"ExplicitModule", "explicit_module", [Fly_OffloadingHandler]> {
  let summary = "Offloading handler: the host loads the GPU module by a call";
  let description = [{
    On a `gpu.module` (`gpu.module @m <#fly.explicit_module> {}`), from which
    its `gpu.binary` takes it. Instead of a
    constructor that loads the module when the program starts, the translation
    to LLVM IR emits two functions that the host calls, and launches use what
    they loaded:

    ```c
    void flydsl_gpu_module_init(void **module, int32_t *error);
    void flydsl_gpu_module_load_to_device(void **module, int32_t *error);
    ```

    Both write the handle, at first null, and the error: 0, or -1 when the
    runtime did not load the module. A host module holds one such binary, of
    which the first object is embedded. A launch goes to the stream of its
    async object, else to the null stream; streams are the host's to make.

    Example: `#fly.explicit_module`
  }];
  let assemblyFormat = "";
}

#endif // FLY_DIALECT_FLY_IR_FLYATTRIBUTES_TD
