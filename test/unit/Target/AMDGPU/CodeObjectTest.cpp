// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code-object reader against objects that llc makes: what is read agrees
// with the target that the object was made for, and damaged objects give
// errors or values, never a crash.

#include "TestSupport.h"

#include "fly/Target/AMDGPU/CodeObject.h"

#include "fly/Support/Files.h"

#include "llvm/Support/Program.h"

#include <random>

using namespace fly::amdgpu;
using llvm::StringRef;

static const char kernels[] = R"(
@lds = internal addrspace(3) global [512 x i32] poison
define amdgpu_kernel void @first(ptr addrspace(1) %p, i32 %v) {
  store volatile i32 %v, ptr addrspace(3) @lds
  store i32 %v, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @second() #0 {
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,64" }
)";

/// Runs a program that must succeed.
static void run(std::vector<std::string> words) {
  std::vector<StringRef> arguments(words.begin(), words.end());
  std::string message;
  std::optional<StringRef> redirects[] = {StringRef(""), std::nullopt,
                                          std::nullopt};
  int status = llvm::sys::ExecuteAndWait(words[0], arguments, std::nullopt,
                                         redirects, 60, 0, &message);
  ASSERT_EQ(status, 0) << words[0] << ": " << message;
}

/// The object of the kernels above for `target`.
static std::string compile(const TemporaryFolder &folder, const Target &target,
                           bool link = false) {
  std::string object = folder.path("k.o");
  std::string version = std::to_string(target.abi / 100);
  run({FLY_LLC, "-mtriple=amdgcn-amd-amdhsa", "-mcpu=" + target.chip,
       "-mattr=" + target.rocdlFeatures(), "-filetype=obj",
       "--amdhsa-code-object-version=" + version, folder.write("k.ll", kernels),
       "-o", object});
  if (link) {
    run({FLY_LD, "-shared", object, "-o", folder.path("k.hsaco")});
    object = folder.path("k.hsaco");
  }
  llvm::Expected<std::string> bytes =
      fly::support::readSmallFile(object, 1 << 20);
  EXPECT_TRUE(bool(bytes)) << object;
  return bytes ? *bytes : std::string();
}

static std::string errorOf(StringRef bytes) {
  llvm::Expected<CodeObject> object = readCodeObject(bytes);
  return object ? "no error" : llvm::toString(object.takeError());
}

TEST(CodeObject, agreesWithItsTarget) {
  TemporaryFolder folder;
  std::vector<Target> targets;
  for (const Chip &chip : allChips())
    targets.push_back(Target::ofChip(chip));
  for (const Target &target : allTargets())
    if (target.chip == "gfx942" || target.chip == "gfx1012")
      targets.push_back(target);
  for (const Target &target : targets) {
    SCOPED_TRACE(target.text());
    std::string bytes = compile(folder, target);
    llvm::Expected<CodeObject> object = readCodeObject(bytes);
    ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
    EXPECT_EQ(disagreement(*object, target).value_or(""), "");
    EXPECT_EQ(object->metadataTarget, "amdgcn-amd-amdhsa--" + target.id());
    EXPECT_EQ(object->genericVersion != 0, target.row().isGeneric());
    EXPECT_EQ(object->kernels.size(), 2u);
  }
}

TEST(CodeObject, disagreementNamesTheField) {
  TemporaryFolder folder;
  Target target = *parseTargetID("gfx942:xnack-");
  CodeObject object = *readCodeObject(compile(folder, target));
  auto against = [&](StringRef id) {
    return disagreement(object, *parseTargetID(id)).value_or("");
  };
  EXPECT_EQ(against("gfx942:xnack-"), "");
  expectAll(against("gfx950:xnack-"), {"processor", "gfx942", "gfx950"});
  expectAll(against("gfx942"), {"xnack", "off", "any"});
  expectAll(against("gfx942:sramecc-:xnack-"), {"sramecc", "any", "off"});
  Target other = target;
  other.abi = 500;
  expectAll(disagreement(object, other).value_or(""), {"abi", "600", "500"});
  // Flags do not hold the wave size, the metadata do.
  Target narrow = *parseTargetID("gfx1100"), wide = narrow;
  wide.wave = 64;
  CodeObject narrowObject = *readCodeObject(compile(folder, narrow));
  CodeObject wideObject = *readCodeObject(compile(folder, wide));
  EXPECT_EQ(narrowObject.flags, wideObject.flags);
  expectAll(disagreement(wideObject, narrow).value_or(""),
            {"wave size of kernel 'first'", "64", "32"});
}

TEST(CodeObject, kernelsLinkedAndNot) {
  TemporaryFolder folder;
  Target target = *parseTargetID("gfx942");
  for (bool link : {false, true}) {
    llvm::Expected<CodeObject> object =
        readCodeObject(compile(folder, target, link));
    ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
    EXPECT_EQ(object->flags, 0x54cu);
    EXPECT_EQ(object->abi, 600u);
    ASSERT_EQ(object->kernels.size(), 2u);
    const KernelInfo &first = object->kernels[0];
    EXPECT_EQ(first.name, "first");
    EXPECT_EQ(first.symbol, "first.kd");
    EXPECT_GE(first.kernargBytes, 12u);
    EXPECT_EQ(first.ldsBytes, 2048u);
    EXPECT_EQ(first.privateBytes, 0u);
    EXPECT_EQ(first.wave, 64u);
    EXPECT_EQ(first.maxWorkgroupSize, 1024u);
    EXPECT_GT(first.vgprs, 0u);
    EXPECT_EQ(first.vgprSpills, 0u);
    EXPECT_EQ(object->kernels[1].name, "second");
    EXPECT_EQ(object->kernels[1].maxWorkgroupSize, 64u);
    EXPECT_EQ(object->kernels[1].ldsBytes, 0u);
  }
}

TEST(CodeObject, refusals) {
  TemporaryFolder folder;
  std::string bytes = compile(folder, *parseTargetID("gfx942"));
  expectAll(errorOf(""), {"code object: not an ELF file"});
  expectAll(errorOf("hello, world"), {"not an ELF file"});
  auto changed = [&](size_t offset, char value) {
    std::string copy = bytes;
    copy[offset] = value;
    return errorOf(copy);
  };
  expectAll(changed(4, 1), {"not a 64-bit little-endian ELF file"});
  expectAll(changed(5, 2), {"not a 64-bit little-endian ELF file"});
  expectAll(changed(7, 0),
            {"not for AMDGPU with the HSA runtime (machine 224, OS ABI 0)"});
  expectAll(changed(8, 1),
            {"ABI version 1 is not one of code object versions 4 to 6"});
  expectAll(changed(18, 62), {"machine 62"});
  // e_flags begin at byte 48.
  expectAll(changed(48, char(0x27)), {"flags 0x527 name no known processor"});
  expectAll(changed(49, char(0x15)), {"flags 0x154c name no known processor"});
  expectAll(changed(51, 1), {"generic version 1 does not fit gfx942"});
}

// Flip bits, cut, and overwrite: the reader must come back each time, and most
// damage of header and metadata must be noticed or visible.
TEST(CodeObject, damagedObjects) {
  TemporaryFolder folder;
  std::mt19937_64 random(11);
  for (bool link : {false, true}) {
    std::string bytes = compile(folder, *parseTargetID("gfx942"), link);
    unsigned errors = 0, values = 0;
    auto tryRead = [&](StringRef damaged) {
      llvm::Expected<CodeObject> object = readCodeObject(damaged);
      ++(object ? values : errors);
      if (!object) {
        EXPECT_FALSE(llvm::toString(object.takeError()).empty());
      }
    };
    for (size_t i = 0; i < bytes.size(); ++i) {
      std::string damaged = bytes;
      damaged[i] ^= char(1u << (random() % 8));
      tryRead(damaged);
      damaged[i] = char(random());
      tryRead(damaged);
    }
    EXPECT_GT(errors, 100u);
    EXPECT_GT(values, 100u);
    errors = 0;
    for (size_t size = 0; size < bytes.size(); size += 7)
      tryRead(StringRef(bytes).take_front(size));
    EXPECT_GT(errors, 100u);
    for (unsigned round = 0; round < 3000; ++round) {
      std::string damaged = bytes;
      for (unsigned i = 1 + random() % 16; i > 0; --i)
        damaged[random() % bytes.size()] = char(random());
      tryRead(damaged);
    }
  }
}

// MessagePack that nests without end must not exhaust the stack.
TEST(CodeObject, deepMetadata) {
  TemporaryFolder folder;
  std::string bytes = compile(folder, *parseTargetID("gfx942"));
  size_t place = StringRef(bytes).find("amdhsa.kernels");
  ASSERT_NE(place, StringRef::npos);
  // After the key comes its value: arrays of one element (0x91) in arrays.
  for (size_t i = place + 14; i < place + 114; ++i)
    bytes[i] = char(0x91);
  expectAll(errorOf(bytes), {"metadata is nested too deeply"});
}

// Metadata that is whole but wrong: each fault by its name.
TEST(CodeObject, wrongMetadata) {
  TemporaryFolder folder;
  std::string bytes = compile(folder, *parseTargetID("gfx942"));
  size_t kernels = StringRef(bytes).find("amdhsa.kernels");
  size_t version = StringRef(bytes).find("amdhsa.version");
  size_t count = StringRef(bytes).find(".vgpr_count");
  ASSERT_NE(kernels, StringRef::npos);
  ASSERT_NE(version, StringRef::npos);
  ASSERT_NE(count, StringRef::npos);
  using Edit = std::pair<size_t, StringRef>;
  auto with = [&](std::vector<Edit> edits) {
    std::string copy = bytes;
    for (auto [place, text] : edits)
      copy.replace(place, text.size(), text.str());
    return errorOf(copy);
  };
  auto find = [&](StringRef text) { return StringRef(bytes).find(text); };
  expectAll(with({{find("AMDGPU"), "AMDGPX"}}), {"no AMDGPU metadata note"});
  // The root is a map of three (0x83) whose first key has 14 bytes (0xae).
  expectAll(with({{kernels - 2, "\x01"}}), {"metadata is no map"});
  expectAll(with({{kernels - 2, "\x8f"}}), {"metadata ends early"});
  expectAll(with({{kernels - 2, "\xc1"}}), {"metadata is not MessagePack: "});
  expectAll(with({{kernels - 1, "\x01"}}),
            {"metadata has a map key that is no text"});
  expectAll(with({{find("amdhsa.target"), "amdhsa.targex"}}),
            {"metadata lacks the text amdhsa.target"});
  // The version is a list of numbers, here under another name.
  Edit other{kernels, "amdhsa.kernelx"}, renamed{version, "amdhsa.kernels"};
  expectAll(with({other, renamed}), {"an entry of amdhsa.kernels is no map"});
  expectAll(with({other, renamed, {version + 14, "\x01"}}),
            {"amdhsa.kernels is no list"});
  // Arguments have names too.
  expectAll(with({{find(".name\xa5"
                        "first"),
                   ".nam_"}}),
            {"kernel metadata lacks the text .name"});
  expectAll(with({{count, ".vgpr_xount"}}),
            {"kernel metadata lacks .vgpr_count"});
  expectAll(with({{count + 11, "\xc0"}}),
            {"kernel metadata .vgpr_count is not a 32-bit number"});
}
