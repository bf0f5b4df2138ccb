// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-rocdl-cluster-attr: the string attribute `rocdl.cluster_dims`
// of an llvm.func becomes an entry of `passthrough`. The law: running it twice
// is running it once, and no other attribute changes.
//
//   rocdl.cluster_dims = "2,2,1"
//   -> passthrough = [["amdgpu-cluster-dims", "2,2,1"]]

#include "fly/Dialect/FlyROCDL/Transforms/Passes.h"

namespace mlir::fly_rocdl {
#define GEN_PASS_DEF_FLYROCDLCLUSTERATTR
#include "fly/Dialect/FlyROCDL/Transforms/Passes.h.inc"
} // namespace mlir::fly_rocdl

using namespace mlir;

static constexpr StringLiteral attributeName = "rocdl.cluster_dims";

/// Three numbers from 1 to 2^31 - 1 with commas between.
static bool isDims(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  return parts.size() == 3 && llvm::all_of(parts, [](StringRef part) {
           int32_t value;
           return !part.trim().getAsInteger(10, value) && value > 0;
         });
}

namespace {
struct ClusterAttr : fly_rocdl::impl::FlyROCDLClusterAttrBase<ClusterAttr> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](LLVM::LLVMFuncOp function) {
      Attribute dims = function->getAttr(attributeName);
      if (!dims)
        return WalkResult::advance();
      auto text = dyn_cast<StringAttr>(dims);
      if (!text || !isDims(text)) {
        function.emitOpError("expected ")
            << attributeName << " to be a string \"x,y,z\" of positive numbers"
            << ", got " << dims;
        return WalkResult::interrupt();
      }
      Builder b(function.getContext());
      SmallVector<Attribute> entries;
      if (ArrayAttr present = function.getPassthroughAttr())
        llvm::append_range(entries, present);
      entries.push_back(
          b.getArrayAttr({b.getStringAttr("amdgpu-cluster-dims"), text}));
      function.setPassthroughAttr(b.getArrayAttr(entries));
      function->removeAttr(attributeName);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
