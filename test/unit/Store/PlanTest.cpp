// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans: reading, sharding, and the comparison with stores.

#include "Fixture.h"

#include "fly/Store/Plan.h"

using namespace fly::store;
using llvm::StringRef;

static std::string planError(StringRef text) {
  llvm::Expected<Plan> plan = Plan::parse(text);
  return plan ? "no error" : llvm::toString(plan.takeError());
}

static std::string unitText(StringRef members) {
  return ("{\"schema\":\"fly-plan/1\",\"units\":[{" + members + "}]}").str();
}

TEST(Plan, isRead) {
  llvm::Expected<Plan> plan = Plan::parse(
      R"({"schema":"fly-plan/1","units":[
           {"name":"gemm/bf16","module":"gemm.mlir",
            "targets":["gfx942","gfx1100 wave=64"],
            "options":{"opt-level":3,"fast":true,"salt":"x"}},
           {"name":"v","module":"v.mlir","targets":["gfx950"]}]})");
  ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
  ASSERT_EQ(plan->units.size(), 2u);
  EXPECT_EQ(plan->units[0].name, "gemm/bf16");
  EXPECT_EQ(plan->units[0].targets[1], targetOf("gfx1100 wave=64"));
  std::vector<std::pair<std::string, std::string>> expected = {
      {"fast", "true"}, {"opt-level", "3"}, {"salt", "x"}};
  EXPECT_EQ(plan->units[0].options, expected);
  EXPECT_TRUE(plan->units[1].options.empty());
}

TEST(Plan, refusalsNameTheUnit) {
  expectAll(planError("{\"schema\":\"fly-plan/2\",\"units\":[]}"),
            {"plan: schema is 'fly-plan/2', expected 'fly-plan/1'"});
  expectAll(planError("{\"units\":[]}"), {"'schema'"});
  expectAll(planError("["), {"plan: not JSON: "});
  expectAll(planError(std::string(100000, '[')), {"nested"});
  expectAll(planError(unitText(R"("name":"a","targets":["gfx942"])")),
            {"'module'", "'a'"});
  expectAll(
      planError(unitText(R"("name":"","module":"m","targets":["gfx942"])")),
      {"unit name"});
  expectAll(planError(unitText(R"("name":"a","module":"m","targets":[])")),
            {"plan: unit 'a' has no targets"});
  expectAll(planError(unitText(
                R"("name":"a","module":"m","targets":["gfx942","gfx942"])")),
            {"'a'", "twice"});
  expectAll(
      planError(unitText(R"("name":"a","module":"m","targets":["mi300"])")),
      {"'a'", "mi300", "FLY-T002"});
  expectAll(planError(unitText(R"("name":"a","module":"m","targets":["gfx942"],
                                  "options":{"x":[1]})")),
            {"plan: unit 'a': option 'x' is not a text, a whole number, true "
             "or false"});
  expectAll(planError(unitText(R"("name":"a","module":"m","targets":["gfx942"],
                                  "options":[])")),
            {"plan: unit 'a': 'options' is not an object"});
  expectAll(planError(unitText(R"("name":"a","module":"m","targets":[942])")),
            {"plan: unit 'a': a target is not a text"});
  expectAll(
      planError(unitText(R"("name":"a","module":"","targets":["gfx942"])")),
      {"plan: unit 'a' has an empty 'module'"});
  expectAll(planError(unitText(R"("name":"a","module":"m","targets":["gfx942"],
                                  "unknown":1)")),
            {"not known", "'a'"});
  expectAll(planError(R"({"schema":"fly-plan/1","units":[
      {"name":"a","module":"m","targets":["gfx942"]},
      {"name":"a","module":"n","targets":["gfx942"]}]})"),
            {"'a'", "twice"});
}

TEST(Plan, shardsPartition) {
  unsigned counts[7] = {};
  for (unsigned i = 0; i < 700; ++i)
    ++counts[shardOf("unit" + std::to_string(i), 7)];
  for (unsigned count : counts)
    EXPECT_GT(count, 60u);
  EXPECT_EQ(shardOf("x", 1), 0u);
  // The digest's last byte decides modulo 256.
  EXPECT_EQ(shardOf("x", 256), fly::support::digestOf("x").bytes[31]);
}

TEST(Plan, coverageNamesWhatIsMissing) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  publish(store, makeEntry("gfx942:xnack-", {"k"}, 1), {"a"});
  publish(store, makeEntry("gfx950", {"k"}, 2), {"a", "b"});
  llvm::Expected<Plan> plan = Plan::parse(
      R"({"schema":"fly-plan/1","units":[
           {"name":"a","module":"m","targets":["gfx942","gfx950"],
            "options":{"opt-level":2}},
           {"name":"b","module":"m","targets":["gfx950"],
            "options":{"opt-level":3}},
           {"name":"c","module":"m","targets":["gfx950"]}]})");
  ASSERT_TRUE(bool(plan));
  llvm::Expected<Layers> layers =
      Layers::open({{folder.path("s"), Mode::ReadOnly}}, {});
  ASSERT_TRUE(bool(layers));
  llvm::Expected<std::vector<Coverage>> rows = coverage(*plan, *layers);
  ASSERT_TRUE(bool(rows));
  ASSERT_EQ(rows->size(), 4u);
  EXPECT_EQ((*rows)[0].state, Coverage::Missing);
  expectAll((*rows)[0].detail,
            {"nearest: fly1-", "target.xnack", "wanted any", "stored off"});
  EXPECT_EQ((*rows)[1].state, Coverage::Present);
  EXPECT_EQ((*rows)[2].state, Coverage::Stale);
  expectAll((*rows)[2].detail, {"codegen.opt_level", "wanted 3", "stored 2"});
  EXPECT_EQ((*rows)[3].state, Coverage::Missing);
  expectAll((*rows)[3].detail, {"no entry of this name"});
}
