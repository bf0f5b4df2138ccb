// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The component `pipeline` of a key names exactly the passes that are run, in
// their order, whatever the processor; options belong to other components.

#include "fly/Analysis/CacheKey.h"
#include "fly/Pipelines/Lowering.h"
#include "fly/Target/AMDGPU/Chips.h"

#include "gtest/gtest.h"

using namespace mlir::fly;

/// The text of a pipeline without the options of its passes.
static std::string withoutOptions(llvm::StringRef text) {
  std::string result;
  unsigned depth = 0;
  for (char c : text) {
    depth += c == '{';
    if (depth == 0)
      result += c;
    depth -= c == '}';
  }
  return result;
}

TEST(PipelineText, namesThePassesThatRun) {
  std::string expected = devicePipelineText().str();
  std::string debugPart = ",[ensure-debug-info-scope-on-llvm-func]";
  size_t place = expected.find(debugPart);
  ASSERT_NE(place, std::string::npos);
  std::string plain = expected, lines = expected;
  plain.erase(place, debugPart.size());
  lines.replace(place, debugPart.size(),
                ",ensure-debug-info-scope-on-llvm-func");
  for (const ::fly::amdgpu::Chip &chip : ::fly::amdgpu::allChips()) {
    for (DebugKind debug :
         {DebugKind::None, DebugKind::Lines, DebugKind::Full}) {
      llvm::Expected<std::string> text =
          loweringPipelineText({chip.name.str(), debug});
      ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
      EXPECT_EQ(withoutOptions(*text),
                debug == DebugKind::None ? plain : lines);
    }
  }
}
