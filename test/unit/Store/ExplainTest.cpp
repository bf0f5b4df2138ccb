// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// P12: when one knob was turned, the nearest entry's differences name that knob
// and nothing else, however many other entries there are.

#include "Fixture.h"

#include "fly/Store/Explain.h"

#include <random>

using namespace fly::store;
using fly::support::CacheKey;
using fly::support::KeyComponent;
using llvm::StringRef;

static KeyComponent &component(CacheKey &key, StringRef name) {
  for (KeyComponent &candidate : key.components)
    if (candidate.name == name)
      return candidate;
  ADD_FAILURE() << "no component " << name.str();
  return key.components[0];
}

namespace {
struct Knob {
  const char *name;
  std::function<void(CacheKey &)> turn;
};
} // namespace

static std::vector<Knob> knobs() {
  auto setField = [](std::string where, std::string field, std::string value) {
    return [=](CacheKey &key) {
      for (auto &candidate : component(key, where).fields)
        if (candidate.name == field) {
          candidate.value = value;
          return;
        }
      component(key, where).fields.push_back({field, value});
    };
  };
  std::string hex(64, 'a');
  return {
      {"target.chip", setField("target", "chip", "gfx950")},
      {"target.xnack", setField("target", "xnack", "off")},
      {"target.sramecc", setField("target", "sramecc", "on")},
      {"target.wave", setField("target", "wave", "32")},
      {"target.cumode", setField("target", "cumode", "true")},
      {"target.abi", setField("target", "abi", "500")},
      {"ir.digest", setField("ir", "digest", hex)},
      {"pipeline.passes", setField("pipeline", "passes", "builtin.module()")},
      {"codegen.opt_level", setField("codegen", "opt_level", "3")},
      {"codegen.debug", setField("codegen", "debug", "lines")},
      {"codegen.fast", setField("codegen", "fast", "true")},
      {"toolchain.libLLVM.so.22.1",
       setField("toolchain", "libLLVM.so.22.1", hex)},
      {"toolchain.fly", setField("toolchain", "fly", hex)},
      {"bitcode.ocml.bc", setField("bitcode", "ocml.bc", hex)},
      {"bitcode.link0", setField("bitcode", "link0", hex)},
      {"inputs.digest", setField("inputs", "digest", hex)},
      {"salt.text", setField("salt", "text", "x")},
      {"schema.schema", setField("schema", "schema", "fly-key/2")},
      {"extra.presence",
       [](CacheKey &key) { key.components.push_back({"extra", {}}); }},
  };
}

TEST(Explain, namesTheKnobThatWasTurned) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  Entry base = makeEntry("gfx942", {"gemm"}, 1);
  publish(store, base);
  // Company: other kernels, other targets, and the same kernel far away.
  for (unsigned i = 2; i < 12; ++i) {
    publish(store, makeEntry(i % 2 ? "gfx1100" : "gfx942",
                             {"other" + std::to_string(i)}, i));
    Entry far = makeEntry("gfx1201", {"gemm"}, i);
    component(far.manifest.key, "codegen").fields[0].value = "0";
    component(far.manifest.key, "salt")
        .fields.push_back({"text", std::to_string(i)});
    publish(store, far);
  }
  for (const Knob &knob : knobs())
    for (bool withKernel : {true, false}) {
      SCOPED_TRACE(knob.name);
      CacheKey wanted = base.manifest.key;
      knob.turn(wanted);
      ASSERT_NE(wanted.text(), base.key());
      std::vector<std::string> kernels;
      if (withKernel)
        kernels.push_back("gemm");
      llvm::Expected<Explanation> found = explain(wanted, kernels, {&store});
      ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
      ASSERT_EQ(found->nearest.size(), 1u);
      EXPECT_EQ(found->nearest[0].manifest.key.text(), base.key());
      ASSERT_EQ(found->nearest[0].differing.size(), 1u);
      EXPECT_EQ(found->nearest[0].differing[0].name(), knob.name);
      std::string text = found->text("strict miss");
      expectAll(text, {knob.name, "wanted", "stored", folder.path("s"),
                       shortKey(base.key()), shortKey(wanted.text())});
      // No other component is said to differ.
      for (const Knob &other : knobs())
        if (StringRef(other.name) != knob.name)
          EXPECT_FALSE(
              StringRef(text).contains(std::string(other.name) + "   wanted"))
              << text;
    }
}

TEST(Explain, distanceWeighsAsTheSpecificationSays) {
  CacheKey base = makeKey(targetOf("gfx942"), 1);
  auto distanceWith = [&](std::vector<StringRef> names) {
    CacheKey wanted = base;
    for (const Knob &knob : knobs())
      if (llvm::is_contained(names, knob.name))
        knob.turn(wanted);
    return distance(differences(wanted, base));
  };
  EXPECT_EQ(distanceWith({}), 0u);
  EXPECT_EQ(distanceWith({"target.chip"}), 8u);
  EXPECT_EQ(distanceWith({"target.chip", "target.xnack"}), 8u);
  EXPECT_EQ(distanceWith({"toolchain.fly"}), 4u);
  EXPECT_EQ(distanceWith({"bitcode.ocml.bc"}), 4u);
  EXPECT_EQ(distanceWith({"codegen.opt_level"}), 2u);
  EXPECT_EQ(distanceWith({"codegen.opt_level", "codegen.debug"}), 4u);
  EXPECT_EQ(distanceWith({"ir.digest"}), 1u);
  EXPECT_EQ(distanceWith({"ir.digest", "toolchain.fly", "target.abi"}), 13u);
}

TEST(Explain, anEmptyStoreIsSaidToBeEmpty) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  llvm::Expected<Explanation> found =
      explain(makeKey(targetOf("gfx942"), 1), {"k"}, {&store});
  ASSERT_TRUE(bool(found));
  expectAll(found->text("strict miss"),
            {"strict miss for @k (fly1-", "nearest: none", "0 entries"});
}

TEST(Explain, withoutNamesTheNearestMayBeOfAnotherKernel) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  publish(store, makeEntry("gfx942", {"gemm"}, 1));
  llvm::Expected<Explanation> found =
      explain(makeKey(targetOf("gfx942"), 2), {}, {&store});
  ASSERT_TRUE(bool(found));
  expectAll(found->text("strict miss"),
            {"  hint: the kernel changed since the store was built, or the "
             "nearest is of another kernel"});
}

TEST(Explain, strictMissThroughLayers) {
  TemporaryFolder folder;
  Entry base = makeEntry("gfx942:xnack-", {"gemm"}, 1);
  publish(openStore(folder.path("a")), base);
  openStore(folder.path("b"));
  LayersOptions options;
  options.strict = true;
  Layers layers = std::move(*Layers::open(
      {{folder.path("a"), Mode::ReadOnly}, {folder.path("b"), Mode::ReadOnly}},
      options));
  std::string text = textOf(
      layers.lookUp(makeKey(targetOf("gfx942"), 1), {"gemm"}).takeError());
  expectAll(text,
            {"strict miss for @gemm", "target.xnack   wanted any", "stored off",
             folder.path("a") + " (ro, 1 entries",
             folder.path("b") + " (ro, 0 entries", "hint: ", "[FLY-S001]"});
}
