// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of the lowering pipeline: the passes that the key records are the passes
// that run, for every processor; and each processor of the table has a pipeline
// while no other name has one.

#include "fly/Pipelines/Lowering.h"
#include "fly/Analysis/CacheKey.h"
#include "fly/Target/AMDGPU/Chips.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::fly;

/// `text` without the options of passes: everything between braces.
static std::string withoutOptions(StringRef text) {
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

/// The passes that run for `chip`, without their options.
static std::string passesFor(StringRef chip, DebugKind debug) {
  llvm::Expected<std::string> text = loweringPipelineText({chip.str(), debug});
  if (!text)
    return "error: " + llvm::toString(text.takeError());
  return withoutOptions(*text);
}

TEST(Lowering, keyRecordsThePassesThatRun) {
  // The recorded text brackets the pass that only runs with debug information.
  std::string recorded = devicePipelineText().str();
  size_t open = recorded.find(",["), close = recorded.find(']');
  ASSERT_NE(open, std::string::npos);
  ASSERT_NE(close, std::string::npos);
  std::string plain = recorded, debug = recorded;
  plain.erase(open, close - open + 1);
  debug.erase(close, 1).erase(open + 1, 1);
  for (const ::fly::amdgpu::Chip &chip : ::fly::amdgpu::allChips()) {
    EXPECT_EQ(passesFor(chip.name, DebugKind::None), plain);
    EXPECT_EQ(passesFor(chip.name, DebugKind::Lines), debug);
    EXPECT_EQ(passesFor(chip.name, DebugKind::Full), debug);
  }
}

TEST(Lowering, genericProcessorsAreLoweredAsNumberedOnes) {
  llvm::Expected<std::string> text =
      loweringPipelineText({"gfx9-4-generic", DebugKind::None});
  ASSERT_TRUE(bool(text));
  EXPECT_NE(text->find("chipset=gfx942"), std::string::npos) << *text;
}

TEST(Lowering, unknownProcessorsAreRefused) {
  for (StringRef name : {"", "gfx940", "GFX942", "gfx942 ", "tahiti"})
    EXPECT_EQ(passesFor(name, DebugKind::None),
              "error: expected a processor such as 'gfx942', found '" +
                  name.str() + "'");
}
