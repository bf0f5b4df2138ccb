// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment: only variables of the table are seen, families by number,
// and a snapshot does not follow later changes.

#include "fly/Support/Environment.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace fly::support;
using llvm::StringRef;

TEST(Environment, tableIsSortedAndDescribed) {
  StringRef last;
  for (const Variable &row : knownVariables()) {
    EXPECT_LT(last, row.name);
    EXPECT_FALSE(row.description.empty()) << row.name.str();
    EXPECT_FALSE(spell(row.kind).empty());
    last = row.name;
  }
}

TEST(Environment, findsMembersOfFamilies) {
  ASSERT_TRUE(findVariable("HSA_OVERRIDE_GFX_VERSION_12"));
  EXPECT_EQ(findVariable("HSA_OVERRIDE_GFX_VERSION_12")->name,
            "HSA_OVERRIDE_GFX_VERSION");
  for (StringRef no :
       {"HSA_OVERRIDE_GFX_VERSION_", "HSA_OVERRIDE_GFX_VERSION_x",
        "HSA_OVERRIDE_GFX_VERSION_01", "HSA_OVERRIDE_GFX_VERSION_-1",
        "HSA_OVERRIDE_GFX_VERSION_99999999999", "FLY_TARGET_1", "HOME", ""})
    EXPECT_FALSE(findVariable(no)) << no.str();
}

TEST(Environment, pairsOutsideTheTableAreNotSeen) {
  Environment env = Environment::fromPairs({{"HOME", "/nowhere"},
                                            {"FLY_TARGET", "first"},
                                            {"FLY_TARGET", "second"},
                                            {"ARCH", ""}});
  EXPECT_EQ(env.get("FLY_TARGET"), StringRef("first"));
  EXPECT_EQ(env.get("ARCH"), StringRef(""));
  EXPECT_EQ(env.get("FLYDSL_GPU_ARCH"), std::nullopt);
}

TEST(Environment, numberedIsInNumericalOrder) {
  Environment env =
      Environment::fromPairs({{"HSA_OVERRIDE_GFX_VERSION_10", "ten"},
                              {"HSA_OVERRIDE_GFX_VERSION_9", "nine"},
                              {"HSA_OVERRIDE_GFX_VERSION", "all"}});
  auto members = env.numbered("HSA_OVERRIDE_GFX_VERSION");
  ASSERT_EQ(members.size(), 2u);
  EXPECT_EQ(members[0].first, 9u);
  EXPECT_EQ(members[0].second, "nine");
  EXPECT_EQ(members[1].first, 10u);
}

TEST(Environment, captureReadsNowAndKeeps) {
  setenv("FLY_TARGET", "gfx942", 1);
  setenv("HSA_OVERRIDE_GFX_VERSION_3", "9.4.2", 1);
  Environment before = Environment::capture();
  setenv("FLY_TARGET", "gfx950", 1);
  unsetenv("HSA_OVERRIDE_GFX_VERSION_3");
  Environment after = Environment::capture();
  unsetenv("FLY_TARGET");
  EXPECT_EQ(before.get("FLY_TARGET"), StringRef("gfx942"));
  EXPECT_EQ(before.numbered("HSA_OVERRIDE_GFX_VERSION").size(), 1u);
  EXPECT_EQ(after.get("FLY_TARGET"), StringRef("gfx950"));
  EXPECT_EQ(after.numbered("HSA_OVERRIDE_GFX_VERSION").size(), 0u);
  EXPECT_EQ(Environment::capture().get("FLY_TARGET"), std::nullopt);
}
