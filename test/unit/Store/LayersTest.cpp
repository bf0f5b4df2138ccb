// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers and the ladder: which store and which target serve a look-up.

#include "Fixture.h"

#include "fly/Store/Paths.h"

using namespace fly::store;
using llvm::StringRef;

static Layers openLayers(std::vector<LayerSpec> specs,
                         LayersOptions options = {}) {
  llvm::Expected<Layers> layers = Layers::open(specs, options);
  if (!layers)
    llvm::report_fatal_error(layers.takeError());
  return std::move(*layers);
}

static std::vector<std::string> ladderOf(StringRef target) {
  std::vector<std::string> texts;
  for (const auto &rung : ladder(targetOf(target)))
    texts.push_back(rung.text());
  return texts;
}

TEST(Ladder, goesFromExactToGeneric) {
  std::vector<std::string> expected = {"gfx942:sramecc+:xnack-",
                                       "gfx942:sramecc+",
                                       "gfx942:xnack-",
                                       "gfx942",
                                       "gfx9-4-generic:sramecc+:xnack-",
                                       "gfx9-4-generic:sramecc+",
                                       "gfx9-4-generic:xnack-",
                                       "gfx9-4-generic"};
  EXPECT_EQ(ladderOf("gfx942:sramecc+:xnack-"), expected);
  expected = {"gfx942", "gfx9-4-generic"};
  EXPECT_EQ(ladderOf("gfx942"), expected);
  expected = {"gfx1100 wave=64", "gfx11-generic wave=64"};
  EXPECT_EQ(ladderOf("gfx1100 wave=64"), expected);
  expected = {"gfx1250"};
  EXPECT_EQ(ladderOf("gfx1250"), expected);
  expected = {"gfx942:xnack+ abi=500", "gfx942 abi=500"};
  EXPECT_EQ(ladderOf("gfx942:xnack+ abi=500"), expected);
}

TEST(Layers, specsAreRead) {
  auto specs = parseLayerList("a:ro:/b::rw:c:ro");
  ASSERT_EQ(specs.size(), 4u);
  EXPECT_EQ(specs[0].path, "a");
  EXPECT_EQ(specs[0].mode, Mode::Auto);
  EXPECT_EQ(specs[1].path, "/b");
  EXPECT_EQ(specs[1].mode, Mode::ReadOnly);
  EXPECT_EQ(specs[2].mode, Mode::ReadWrite);
  EXPECT_EQ(specs[3].path, "ro");
  EXPECT_EQ(LayerSpec::parse("ro:x:y").path, "x:y");
  EXPECT_TRUE(parseLayerList("").empty());
}

TEST(Layers, firstHitWinsAndTheFirstWritableIsWritten) {
  TemporaryFolder folder;
  Entry shared = makeEntry("gfx942", {"k"}, 1);
  Entry second = makeEntry("gfx942", {"k"}, 2);
  publish(openStore(folder.path("a")), shared);
  publish(openStore(folder.path("b")), shared);
  publish(openStore(folder.path("b")), second);
  auto before = snapshot(folder.path("a"));
  Layers layers = openLayers(
      {{folder.path("a"), Mode::ReadOnly}, {folder.path("b"), Mode::Auto}});
  EXPECT_EQ((*layers.lookUp(shared.key()).get()).store, folder.path("a"));
  EXPECT_EQ((*layers.lookUp(second.manifest.key).get()).store,
            folder.path("b"));
  EXPECT_FALSE(
      layers.lookUp(makeEntry("gfx942", {"k"}, 3).key()).get().has_value());
  ASSERT_NE(layers.writable(), nullptr);
  EXPECT_EQ(layers.writable()->path(), folder.path("b"));
  EXPECT_EQ(snapshot(folder.path("a")), before);
}

TEST(Layers, aCorruptLayerIsPassedOverOrRefused) {
  TemporaryFolder folder;
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  for (StringRef name : {"a", "b", "c"})
    publish(openStore(folder.path(name)), entry);
  auto damage = [&](StringRef name) {
    writeFile(
        folder.path((name + "/" + objectPath(entry.manifest.payload)).str()),
        "x");
  };
  damage("a");
  damage("b");
  std::vector<std::string> warnings;
  LayersOptions options;
  options.warn = [&](const std::string &text) { warnings.push_back(text); };
  std::vector<LayerSpec> specs = {{folder.path("a"), Mode::ReadOnly},
                                  {folder.path("b"), Mode::ReadWrite},
                                  {folder.path("c"), Mode::ReadOnly}};
  options.strict = true;
  expectAll(textOf(openLayers(specs, options).lookUp(entry.key()).takeError()),
            {folder.path("a"), "FLY-S002"});
  std::string absent = makeEntry("gfx942", {"k"}, 2).key();
  expectAll(textOf(openLayers(specs, options).lookUp(absent).takeError()),
            {"strict miss: key '" + absent + "' is not stored; looked in '" +
                 folder.path("a") + "', '",
             "[FLY-S001]"});
  options.strict = false;
  auto found = openLayers(specs, options).lookUp(entry.key());
  ASSERT_TRUE(found.get().has_value());
  EXPECT_EQ((*found.get()).store, folder.path("c"));
  ASSERT_EQ(warnings.size(), 2u);
  expectAll(warnings[0], {folder.path("a"), "passed over"});
  expectAll(warnings[1], {folder.path("b"), "moved to quarantine"});
  EXPECT_FALSE(openStore(folder.path("b")).lookUp(entry.key()).get());
}

/// Built for a target, looked up on a device: found or not.
TEST(Layers, unitsAreFoundOnTheLadder) {
  struct Case {
    const char *built, *device;
    bool exact, found;
  };
  for (const Case &c :
       {Case{"gfx942", "gfx942", false, true},
        {"gfx942", "gfx942:sramecc+:xnack-", false, true},
        {"gfx942", "gfx942:sramecc+:xnack-", true, false},
        {"gfx942:sramecc+:xnack-", "gfx942:sramecc+:xnack-", true, true},
        {"gfx942:xnack-", "gfx942:sramecc+:xnack-", false, true},
        {"gfx942:xnack+", "gfx942:sramecc+:xnack-", false, false},
        {"gfx942:xnack-", "gfx942", false, false},
        {"gfx9-4-generic", "gfx942:xnack-", false, true},
        {"gfx9-4-generic", "gfx90a", false, false},
        {"gfx1100 wave=64", "gfx1100", false, false},
        {"gfx11-generic", "gfx1102", false, true}}) {
    SCOPED_TRACE(std::string(c.built) + " on " + c.device);
    TemporaryFolder folder;
    Entry entry = makeEntry(c.built, {"k"}, 1);
    publish(openStore(folder.path("s")), entry, {"u"});
    LayersOptions options;
    Layers layers = openLayers({{folder.path("s"), Mode::ReadOnly}}, options);
    auto hit = layers.lookUpUnit("u", targetOf(c.device), c.exact);
    ASSERT_TRUE(bool(hit)) << llvm::toString(hit.takeError());
    ASSERT_EQ(hit->has_value(), c.found);
    if (c.found) {
      EXPECT_EQ((*hit)->rung, targetOf(c.built));
      EXPECT_EQ((*hit)->artefact.bytes->getBuffer(), entry.bytes);
    }
    EXPECT_FALSE(layers.lookUpUnit("v", targetOf(c.device)).get());
    options.strict = true;
    Layers strict = openLayers({{folder.path("s"), Mode::ReadOnly}}, options);
    auto refused = strict.lookUpUnit("u", targetOf(c.device), c.exact);
    EXPECT_EQ(bool(refused), c.found);
    if (!refused)
      expectAll(llvm::toString(refused.takeError()),
                {"'u'", "stored for: " + targetOf(c.built).text(),
                 "  hint: code for one setting of a feature is used only when "
                 "the device's exact name is given",
                 "FLY-S001"});
    auto unknown = strict.lookUpUnit("v", targetOf(c.device), c.exact);
    expectAll(
        textOf(unknown.takeError()),
        {"  hint: no unit of this name is stored; compare with the plan"});
  }
}

/// A unit must not lead to code for another target.
TEST(Layers, unitsThatLieAreNotFollowed) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  Entry entry = makeEntry("gfx950", {"k"}, 1);
  publish(store, entry);
  ASSERT_EQ(textOf(store.publishUnit({"u", targetOf("gfx942"), entry.key()})),
            "no error");
  std::vector<std::string> warnings;
  LayersOptions options;
  options.warn = [&](const std::string &text) { warnings.push_back(text); };
  Layers layers = openLayers({{folder.path("s"), Mode::ReadOnly}}, options);
  EXPECT_FALSE(layers.lookUpUnit("u", targetOf("gfx942")).get());
  ASSERT_EQ(warnings.size(), 1u);
  expectAll(warnings[0],
            {"unit 'u' of store '" + folder.path("s") +
             "' names an entry for target 'gfx950'; passed over [FLY-S003]"});
}

TEST(Layers, unitsThatLeadNowhereAreNotFollowed) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  std::string key = makeEntry("gfx942", {"k"}, 1).key();
  ASSERT_EQ(textOf(store.publishUnit({"u", targetOf("gfx942"), key})),
            "no error");
  std::vector<std::string> warnings;
  LayersOptions options;
  options.warn = [&](const std::string &text) { warnings.push_back(text); };
  Layers layers = openLayers({{folder.path("s"), Mode::ReadOnly}}, options);
  EXPECT_FALSE(layers.lookUpUnit("u", targetOf("gfx942")).get());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "unit 'u' of store '" + folder.path("s") +
                             "' names key " + key +
                             ", which is not stored; passed over [FLY-S003]");
}

TEST(Layers, eventsAreNotedWithTheComponentThatDiffers) {
  TemporaryFolder folder;
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  publish(openStore(folder.path("s")), entry);
  LayersOptions options;
  options.notes = true;
  Layers layers = openLayers({{folder.path("s"), Mode::ReadWrite}}, options);
  EXPECT_TRUE(layers.lookUp(entry.manifest.key).get());
  EXPECT_FALSE(layers.lookUp(makeKey(targetOf("gfx942:xnack-"), 1)).get());
  EXPECT_FALSE(layers.lookUp(makeKey(targetOf("gfx942"), 2)).get());
  std::vector<std::pair<std::string, uint64_t>> expected = {
      {"hit", 1}, {"miss ir", 1}, {"miss target", 1}};
  EXPECT_EQ(layers.writable()->notes(), expected);
}
