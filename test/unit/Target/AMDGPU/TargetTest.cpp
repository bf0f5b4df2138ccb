// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets: texts are injective and read back, the exact grammar of target IDs,
// every spelling gives the same target, and what each refusal says.

#include "TestSupport.h"

#include "fly/Support/Errors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

#include <random>
#include <set>

using namespace fly::amdgpu;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Values and texts
//===----------------------------------------------------------------------===//

// Separation: every combination of fields has a full text of its own, and the
// order of targets is total.
TEST(Target, allCombinationsAreDistinct) {
  std::vector<Target> targets = allTargets();
  EXPECT_GT(targets.size(), 400u);
  std::set<std::string> full, text;
  std::set<Target> ordered;
  for (const Target &target : targets) {
    EXPECT_EQ(textOf(target.verify()), "");
    full.insert(target.fullText());
    text.insert(target.text());
    ordered.insert(target);
  }
  EXPECT_EQ(full.size(), targets.size());
  EXPECT_EQ(text.size(), targets.size());
  EXPECT_EQ(ordered.size(), targets.size());
}

TEST(Target, idReadsBack) {
  for (const Target &target : allTargets()) {
    llvm::Expected<Target> read = parseTargetID(target.id());
    ASSERT_TRUE(bool(read)) << target.id();
    Target expected = target;
    expected.wave = target.row().defaultWave;
    expected.cumode = false;
    expected.abi = 600;
    EXPECT_EQ(*read, expected);
    EXPECT_EQ(read->id(), target.id());
  }
}

TEST(Target, rocdlFieldsReadBack) {
  for (const Target &target : allTargets()) {
    llvm::Expected<Target> read = fromROCDLFields(
        target.chip, target.rocdlFeatures(), std::to_string(target.abi));
    ASSERT_TRUE(bool(read)) << textOf(std::move(read));
    EXPECT_EQ(*read, target);
  }
}

TEST(Target, texts) {
  Target target = *parseTargetID("gfx942:xnack-:sramecc+");
  EXPECT_EQ(target.id(), "gfx942:sramecc+:xnack-");
  EXPECT_EQ(target.text(), target.id());
  EXPECT_EQ(target.rocdlFeatures(), "+sramecc,-xnack");
  EXPECT_EQ(target.fullText(), "backend=rocm chip=gfx942 sramecc=on xnack=off "
                               "wave=64 cumode=false abi=600");
  Target wide = *parseTargetID("gfx1100");
  EXPECT_EQ(wide.rocdlFeatures(), "");
  wide.wave = 64;
  wide.cumode = true;
  wide.abi = 500;
  EXPECT_EQ(wide.text(), "gfx1100 wave=64 cumode=true abi=500");
  EXPECT_EQ(wide.rocdlFeatures(), "+wavefrontsize64,+cumode");
}

TEST(Target, verifyNamesWhatIsAllowed) {
  Target target = *parseTargetID("gfx942");
  Target bad = target;
  bad.wave = 32;
  expectAll(
      textOf(bad.verify()),
      {"wave size 32 is not supported by gfx942 (allowed: 64) [FLY-T004]"});
  bad = *parseTargetID("gfx1100");
  bad.wave = 48;
  expectAll(textOf(bad.verify()), {"wave size 48 is not supported by gfx1100 "
                                   "(allowed: 32 and 64) [FLY-T004]"});
  bad = *parseTargetID("gfx1250");
  bad.wave = 64;
  expectAll(
      textOf(bad.verify()),
      {"wave size 64 is not supported by gfx1250 (allowed: 32) [FLY-T004]"});
  bad.wave = 32;
  bad.cumode = true;
  expectAll(textOf(bad.verify()),
            {"cumode cannot be chosen on gfx1250, which has no "
             "workgroup-processor mode (its features: none) [FLY-T003]"});
  bad = target;
  bad.cumode = true;
  expectAll(
      textOf(bad.verify()),
      {"cumode cannot be chosen on gfx942, which has no workgroup-processor "
       "mode (its features: sramecc and xnack) [FLY-T003]"});
  bad = target;
  bad.abi = 6;
  expectAll(textOf(bad.verify()),
            {"abi 6 is not a code-object version that can be made for gfx942 "
             "(allowed: 500 and 600) [FLY-T003]"});
  bad = target;
  bad.xnack = Setting::Unsupported;
  expectAll(
      textOf(bad.verify()),
      {"xnack of gfx942 must be any, off or on, not unsupported [FLY-T003]"});
  bad = *parseTargetID("gfx1100");
  bad.xnack = Setting::Any;
  expectAll(textOf(bad.verify()),
            {"xnack is not a feature of gfx1100 (its features: none), found "
             "xnack any [FLY-T003]"});
  bad = *parseTargetID("gfx1250");
  bad.xnack = Setting::On;
  expectAll(textOf(bad.verify()),
            {"xnack is always on and cannot be chosen on gfx1250 (its "
             "features: none), found xnack on [FLY-T003]"});
  bad.chip = "gfx9010";
  expectAll(
      textOf(bad.verify()),
      {"unknown processor 'gfx9010': the stepping in a name is hex: gfx90a",
       "[FLY-T002]"});
}

//===----------------------------------------------------------------------===//
// Target IDs
//===----------------------------------------------------------------------===//

TEST(TargetID, refusals) {
  struct Case {
    StringRef text, what, place;
  };
  const Case cases[] = {
      {"gfx942:", "trailing colon", "character 8"},
      {"gfx942:xnack+:", "trailing colon (write 'gfx942:xnack+')",
       "character 15"},
      {"gfx942::xnack+", "empty feature between colons", "character 8"},
      {"gfx942:xnack",
       "feature 'xnack' has no sign, expected '+' or '-' after it,",
       "character 8"},
      {"gfx942:xnack*", "no sign", "character 8"},
      {"gfx942:sramecc-:xnack", "no sign", "character 17"},
      {"gfx942:foo+", "unknown feature 'foo'", "character 8"},
      {"gfx942:wavefrontsize64+", "unknown feature", "character 8"},
      {"gfx942:+", "unknown feature ''", "character 8"},
      {"gfx942:xnack++", "unknown feature 'xnack+'", "character 8"},
      {"gfx942:xnack+:xnack+", "duplicate feature 'xnack'", "character 15"},
      {"gfx942:xnack+:xnack-", "duplicate feature 'xnack'", "character 15"},
      {"gfx942:XNACK+", "unknown feature 'XNACK'", "character 8"},
      {"gfx942:xnack+ ", "no sign", "character 8"}};
  for (const Case &each : cases)
    expectAll(
        textOf(parseTargetID(each.text)),
        {"target " + fly::support::quoted(each.text) + ": ", each.what,
         each.place,
         " (target-ID features of gfx942: sramecc and xnack) [FLY-T003]"});
  expectAll(textOf(parseTargetID("gfx1100:xnack+")),
            {"target 'gfx1100:xnack+': feature 'xnack' is not supported at "
             "character 9 (target-ID features of gfx1100: none) [FLY-T003]"});
  expectAll(textOf(parseTargetID("gfx900:sramecc+")),
            {"target 'gfx900:sramecc+': feature 'sramecc' is not supported at "
             "character 8 (target-ID features of gfx900: xnack) [FLY-T003]"});
  expectAll(textOf(parseTargetID("gfx1250:xnack+")),
            {"target 'gfx1250:xnack+': feature 'xnack' is always on and cannot "
             "be chosen, at character 9 (target-ID features of gfx1250: none) "
             "[FLY-T003]"});
  expectAll(
      textOf(parseTargetID("GFX942")),
      {"unknown processor 'GFX942': names are lower case: gfx942 [FLY-T002]"});
  for (StringRef text : {"", ":", "GFX942", "gfx942 ", " gfx942", "gfx942-"})
    expectAll(textOf(parseTargetID(text)), {"[FLY-T002]"});
}

// No text breaks the reader, and what it accepts it prints in canonical form.
TEST(TargetID, anyTextIsReadOrRefused) {
  std::mt19937_64 random(7);
  const StringRef pieces[] = {"gfx942",  "gfx1100",
                              ":",       "xnack",
                              "sramecc", "+",
                              "-",       " ",
                              "9.4.2",   "gfx",
                              "\xff",    ",",
                              ".",       "amdgcn-amd-amdhsa--",
                              "GFX90A",  "90402"};
  unsigned accepted = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    std::string text;
    for (unsigned i = random() % 7; i > 0; --i)
      text += pieces[random() % std::size(pieces)];
    for (bool exact : {true, false}) {
      llvm::Expected<Target> read =
          exact ? parseTargetID(text) : normalize(text, "test");
      if (!read) {
        std::string code = fly::support::takeApart(read.takeError()).first;
        ASSERT_TRUE(code == "T002" || code == "T003" || code == "T010") << text;
        continue;
      }
      ++accepted;
      ASSERT_EQ(textOf(read->verify()), "");
      ASSERT_EQ(parseTargetID(read->id())->id(), read->id());
    }
  }
  EXPECT_GT(accepted, 500u);
}

//===----------------------------------------------------------------------===//
// Other spellings
//===----------------------------------------------------------------------===//

/// Every text that means `target`, whose wave, cumode and abi are defaults.
static std::vector<std::string> spellings(const Target &target) {
  std::string id = target.id();
  std::vector<std::string> texts = {id};
  auto [name, features] = StringRef(id).split(':');
  std::string rest = features.empty() ? "" : ":" + features.str();
  llvm::SmallVector<StringRef> aliases;
  target.row().aliases.split(aliases, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef alias : aliases)
    texts.push_back(alias.str() + rest);
  auto [first, second] = features.split(':');
  if (!second.empty())
    texts.push_back((name + ":" + second + ":" + first).str());
  if (features.empty() && !target.row().isGeneric())
    texts.push_back(dottedVersion(target.row()));
  size_t count = texts.size();
  for (size_t i = 0; i < count; ++i) {
    texts.push_back(StringRef(texts[i]).upper());
    texts.push_back(" \t" + texts[i] + "\n ");
    if (!StringRef(texts[i]).contains('.')) {
      texts.push_back("amdgcn-amd-amdhsa--" + texts[i]);
      texts.push_back(" AMDGCN-amd-amdhsa--" + texts[i]);
    }
  }
  return texts;
}

TEST(Normalize, everySpellingIsTheSameTarget) {
  unsigned count = 0;
  for (const Target &target : allTargets()) {
    if (target != *parseTargetID(target.id()))
      continue;
    for (const std::string &text : spellings(target)) {
      llvm::Expected<Target> read = normalize(text, "test");
      ASSERT_TRUE(bool(read)) << textOf(std::move(read));
      EXPECT_EQ(*read, target) << text;
      ++count;
    }
  }
  EXPECT_GT(count, 800u);
}

TEST(Normalize, versionsAreTheSameTarget) {
  for (const Chip &chip : allChips()) {
    if (chip.isGeneric())
      continue;
    EXPECT_EQ(*fromOverride(dottedVersion(chip), "v"), Target::ofChip(chip));
    EXPECT_EQ(*fromKfdVersion(kfdVersion(chip), "kfd"), Target::ofChip(chip));
  }
}

TEST(Normalize, unknownProcessors) {
  auto text = [](StringRef raw) { return textOf(normalize(raw, "SOURCE")); };
  expectAll(text("gfx9010"),
            {"unknown processor 'gfx9010' from SOURCE: the stepping in a name "
             "is hex: gfx90a (nearest names: ",
             "[FLY-T002]"});
  expectAll(text("gfx9.0.10"), {"hex: gfx90a", "[FLY-T002]"});
  expectAll(text("9.0.a"),
            {"version '9.0.a' from SOURCE: the three parts are decimal, as in "
             "'9.0.10' (only names have a hex stepping); nearest names: ",
             "[FLY-T002]"});
  for (StringRef removed : {"gfx940", "gfx941", "GFX940", "9.4.0", "9.4.1",
                            "amdgcn-amd-amdhsa--gfx940"})
    expectAll(
        text(removed),
        {"from SOURCE", "was removed from LLVM; use gfx942", "[FLY-T002]"});
  expectAll(text("9.4.0"),
            {"processor gfx940 ('9.4.0' from SOURCE) was removed from LLVM; "
             "use gfx942 (9.4.2) [FLY-T002]"});
  expectAll(text("mi300x"),
            {"unknown processor 'mi300x' from SOURCE: this is a product, its "
             "processor is gfx942 (nearest names: ",
             "[FLY-T002]"});
  expectAll(text("gfx1206"),
            {"'gfx1206'", "SOURCE", "nearest", "gfx1200", "[FLY-T002]"});
  expectAll(text("gfx942x"), {"nearest names: gfx942", "[FLY-T002]"});
  expectAll(text("x86_64"), {"'x86_64'", "nearest", "[FLY-T002]"});
  expectAll(text("9.9.9"), {"unknown processor version '9.9.9' from SOURCE: no "
                            "processor has version 9.9.9; nearest names: ",
                            "[FLY-T002]"});
  expectAll(text("90402"), {"'90402'", "[FLY-T002]"});
  expectAll(text("generic"), {"'generic'", "[FLY-T002]"});
  expectAll(text("   "), {"target from SOURCE is blank, expected a processor "
                          "such as gfx942 [FLY-T002]"});
  expectAll(text("amdgcn--amdhsa-gfx942"),
            {"triple 'amdgcn--amdhsa-gfx942' from SOURCE is not one of ours: "
             "expected amdgcn-amd-amdhsa--<processor>; nearest names: gfx942, ",
             "[FLY-T002]"});
  expectAll(text(std::string(100000, 'g')), {"[FLY-T002]"});
  EXPECT_LT(text(std::string(100000, 'g')).size(), 1000u);
}

TEST(Normalize, listsAreRefused) {
  for (StringRef raw : {"gfx942;gfx950", "gfx942,gfx950", "gfx942 gfx950"})
    expectAll(textOf(normalize(raw, "SOURCE")),
              {"list", "one target per resolution", "targets=", "SOURCE"});
}

TEST(Normalize, positionsCountInWhatWasWritten) {
  expectAll(textOf(normalize("  amdgcn-amd-amdhsa--GFX942:foo+", "SOURCE")),
            {"target '  amdgcn-amd-amdhsa--GFX942:foo+' from SOURCE: unknown "
             "feature 'foo' at character 29 (target-ID features of gfx942: ",
             "[FLY-T003]"});
}

TEST(Normalize, tooNew) {
  expectAll(textOf(normalize("gfx1250-strict", "SOURCE")),
            {" (a variant of gfx1250) is newer than this toolchain: LLVM "});
  for (StringRef raw : {"gfx1250-strict", "13.0.0", "gfx1300", "gfx1260"})
    expectAll(textOf(normalize(raw, "SOURCE")),
              {"device '" + raw.str() + "' from SOURCE (",
               ") is newer than this toolchain: LLVM ", LLVM_VERSION_STRING,
               " knows no such processor", "[FLY-T010]"});
  expectAll(
      textOf(fromKfdVersion(130000, "kfd:node1")),
      {"130000", "13.0.0", "kfd:node1", LLVM_VERSION_STRING, "[FLY-T010]"});
  expectAll(textOf(fromKfdVersion(90403, "kfd:node1")),
            {"device '90403' from kfd:node1 (version 9.4.3) is newer than this "
             "toolchain: LLVM ",
             "[FLY-T010]"});
  expectAll(textOf(fromKfdVersion(90016, "kfd:node1")),
            {"9.0.16", "[FLY-T010]"});
  expectAll(textOf(fromKfdVersion(UINT64_MAX, "kfd:node1")), {"[FLY-T010]"});
  expectAll(textOf(fromKfdVersion(90400, "kfd:node1")),
            {"removed", "gfx942", "[FLY-T002]"});
}

TEST(Override, malformed) {
  for (StringRef raw :
       {"9.4", "9.0.a", "9.4.2x", "9.4.2.1", "", ".", "..", "9..2", "-9.4.2",
        "+9.4.2", "9. 4.2", "0x9.4.2", "64.0.0", "9.256.0", "9.4.256",
        "99999999999999999999.0.0", "gfx942", "9.4.2 "})
    expectAll(textOf(fromOverride(raw, "HSA_OVERRIDE_GFX_VERSION")),
              {"HSA_OVERRIDE_GFX_VERSION='" + raw.str() + "' is ",
               ": expected three decimal numbers major.minor.stepping (gfx90a "
               "is 9.0.10)",
               "[FLY-T006]"});
  expectAll(textOf(fromOverride("9.0.a", "V")),
            {"V='9.0.a' is malformed: ",
             " (gfx90a is 9.0.10), here 9.0.10 [FLY-T006]"});
  expectAll(textOf(fromOverride("9.0.C", "V")), {"here 9.0.12"});
  expectAll(textOf(fromOverride("9.4.0", "V")), {"removed", "[FLY-T002]"});
  expectAll(textOf(fromOverride("64.0.0", "V")),
            {"V='64.0.0' is out of range (63.255.255 at most): expected "});
  expectAll(textOf(fromOverride("63.255.255", "V")), {"[FLY-T010]"});
}

//===----------------------------------------------------------------------===//
// #rocdl.target
//===----------------------------------------------------------------------===//

TEST(ROCDL, waveSizes) {
  auto wave = [](StringRef chip, StringRef features) -> unsigned {
    llvm::Expected<Target> target = fromROCDLFields(chip, features, "600");
    if (target)
      return target->wave;
    expectAll(textOf(std::move(target)), {"[FLY-T004]", chip, "allowed"});
    return 0;
  };
  EXPECT_EQ(wave("gfx1100", ""), 32u);
  EXPECT_EQ(wave("gfx1100", "+wavefrontsize64"), 64u);
  EXPECT_EQ(wave("gfx1100", "-wavefrontsize32,+wavefrontsize64"), 64u);
  EXPECT_EQ(wave("gfx1100", "+wavefrontsize32"), 32u);
  EXPECT_EQ(wave("gfx1100", "-wavefrontsize64"), 32u);
  EXPECT_EQ(wave("gfx1100", "-wavefrontsize32"), 0u);
  EXPECT_EQ(wave("gfx1100", "+wavefrontsize32,+wavefrontsize64"), 0u);
  EXPECT_EQ(wave("gfx942", "+wavefrontsize32"), 0u);
  EXPECT_EQ(wave("gfx942", "-wavefrontsize64"), 0u);
  EXPECT_EQ(wave("gfx942", "-wavefrontsize32"), 64u);
  EXPECT_EQ(wave("gfx1250", "+wavefrontsize64"), 0u);
  expectAll(textOf(fromROCDLFields("gfx1100", "-wavefrontsize32", "600")),
            {"features '-wavefrontsize32' of #rocdl.target for gfx1100 ask for "
             "no wave size (allowed: 32 and 64) [FLY-T004]"});
  expectAll(textOf(fromROCDLFields("gfx1100",
                                   "+wavefrontsize32,+wavefrontsize64", "600")),
            {"features '+wavefrontsize32,+wavefrontsize64' of #rocdl.target "
             "for gfx1100 ask for two wave sizes (allowed: 32 and 64)"});
}

TEST(ROCDL, fieldsAgreeOrAreRefused) {
  EXPECT_EQ(fromROCDLFields("gfx942:sramecc+:xnack-", "-xnack", "500")->text(),
            "gfx942:sramecc+:xnack- abi=500");
  EXPECT_EQ(fromROCDLFields("gfx942", " -xnack, +sramecc,,", "600")->id(),
            "gfx942:sramecc+:xnack-");
  auto refused = [](StringRef chip, StringRef features, StringRef abi,
                    std::initializer_list<StringRef> parts) {
    expectAll(textOf(fromROCDLFields(chip, features, abi)), parts);
  };
  refused("gfx942:xnack-", "+xnack", "600",
          {"chip 'gfx942:xnack-' of #rocdl.target says xnack off, its features "
           "say on [FLY-T003]"});
  refused("gfx942", "+xnack,-xnack", "600",
          {"feature 'xnack' of #rocdl.target for gfx942 is given both on and "
           "off [FLY-T003]"});
  refused("gfx942", "+bogus", "600",
          {"feature 'bogus' of #rocdl.target for gfx942 is not one that a "
           "target carries (sramecc, xnack, wavefrontsize32, wavefrontsize64, "
           "cumode) [FLY-T003]"});
  refused("gfx942", "xnack", "600",
          {"feature 'xnack' of #rocdl.target for gfx942 has no sign, expected "
           "'+' or '-' before it [FLY-T003]"});
  refused("gfx1100", "+xnack", "600",
          {"feature 'xnack' of #rocdl.target cannot be chosen on gfx1100 (its "
           "features: none) [FLY-T003]"});
  refused("gfx942", "+cumode", "600", {"cumode", "[FLY-T003]"});
  refused("gfx942", "", "6", {"abi 6", "500 and 600", "[FLY-T003]"});
  refused("gfx942", "", "",
          {"abi '' of #rocdl.target for gfx942 is not 500 or 600 [FLY-T003]"});
  refused("gfx000", "", "600", {"'gfx000'", "#rocdl.target", "[FLY-T002]"});
}
