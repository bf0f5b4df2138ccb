// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the project exists for: kernels are built on a host without a GPU, where
// a variable says the target, shipped as a read-only folder, and found on the
// GPU host, where the target is detected. The test is told to be one that can
// fail: with the fault of old put back (the raw text of a variable in the key),
// every look-up misses. The fault stands here, in an environment that only this
// program has; no program that ships can be told to have it.

#include "Fixture.h"

#include <functional>

using namespace mlir;
using namespace mlir::fly;
using ::fly::store::Mode;
using ::fly::support::Environment;

namespace {
/// The fault: variables enter the key as they are spelled.
class RawVariables : public KeyEnvironment {
public:
  using KeyEnvironment::KeyEnvironment;

  llvm::Expected<Toolchain> toolchain() const override {
    llvm::Expected<Toolchain> parts = KeyEnvironment::toolchain();
    if (!parts)
      return parts.takeError();
    for (StringRef name :
         {"ARCH", "FLYDSL_GPU_ARCH", "HSA_OVERRIDE_GFX_VERSION"})
      parts->emplace_back(name.str(),
                          environment().get(name).value_or("unset").str());
    return parts;
  }
};

using MakeEnvironment =
    std::function<std::unique_ptr<KeyEnvironment>(Environment)>;

std::unique_ptr<KeyEnvironment> honest(Environment variables) {
  return std::make_unique<KeyEnvironment>(std::move(variables));
}

std::unique_ptr<KeyEnvironment> faulty(Environment variables) {
  return std::make_unique<RawVariables>(std::move(variables));
}

/// How the build says the target, and what the GPU host has.
struct Way {
  const char *variable;
  const char *spelling;
  const char *deviceName;
};
} // namespace

/// Builds by `way`, ships, looks up strictly on the GPU host. Answers the exit
/// status of the look-up; `said` gets the messages of both.
static int scenario(const Way &way, const MakeEnvironment &make,
                    std::string &said) {
  WorkFolder folder;
  llvm::raw_string_ostream os(said);
  std::string build = folder.path("build/store");
  CompileRequest request;
  request.outputPath = "";
  for (StringRef kernel : {"axpy", "gemm"}) {
    request.inputPath = folder.writeKernel(kernel);
    request.stores = {{build, Mode::ReadWrite}};
    request.options.resolve.detect = ::fly::amdgpu::DetectMode::None;
    std::unique_ptr<KeyEnvironment> host =
        make(Environment::fromPairs({{way.variable, way.spelling}}));
    EXPECT_EQ(runCompile(request, *host, os), ExitSuccess) << said;
  }

  std::string shipped = folder.path("venv/site-packages/app/aot");
  EXPECT_FALSE(
      llvm::sys::fs::create_directories(llvm::sys::path::parent_path(shipped)));
  EXPECT_FALSE(llvm::sys::fs::rename(build, shipped));
  folder.write("nodes/0/properties", "simd_count 0\ngfx_target_version 0\n");
  folder.write("nodes/1/properties",
               "simd_count 1216\ngfx_target_version 90402\n");

  int status = ExitSuccess;
  std::unique_ptr<KeyEnvironment> host = make(Environment());
  for (StringRef kernel : {"axpy", "gemm"}) {
    CompileRequest lookUp;
    lookUp.inputPath = folder.path(kernel.str() + ".mlir");
    lookUp.outputPath = folder.path(kernel.str() + ".hsaco");
    lookUp.stores = {{shipped, Mode::ReadOnly}};
    lookUp.strict = true;
    ResolveOptions &resolve = lookUp.options.resolve;
    resolve.kfdRoot = folder.path("nodes");
    resolve.detect = ::fly::amdgpu::DetectMode::Kfd;
    resolve.deviceName = way.deviceName;
    int one = runCompile(lookUp, *host, os);
    status = status ? status : one;
    EXPECT_EQ(llvm::sys::fs::exists(lookUp.outputPath), one == ExitSuccess);
  }
  return status;
}

static const Way ways[] = {
    {"ARCH", "gfx942", ""},
    {"ARCH", "gfx942", "gfx942:sramecc+:xnack-"},
    {"FLYDSL_GPU_ARCH", "GFX942", ""},
    {"HSA_OVERRIDE_GFX_VERSION", "9.4.2", ""},
    {"FLY_TARGET", "amdgcn-amd-amdhsa--gfx942", ""},
    // Built for just what the device reports.
    {"ARCH", "gfx942:sramecc+:xnack-", "gfx942:sramecc+:xnack-"},
    {"FLY_TARGET", "gfx942:xnack-:sramecc+", "gfx942:sramecc+:xnack-"},
    // Built for the generic processor that covers the device.
    {"FLY_TARGET", "gfx9-4-generic", ""},
};

TEST(FoundingScenario, everyUnitIsFound) {
  for (const Way &way : ways) {
    std::string said;
    EXPECT_EQ(scenario(way, honest, said), ExitSuccess)
        << way.variable << "=" << way.spelling << "\n"
        << said;
  }
}

/// The same, with the fault: the test above would fail.
TEST(FoundingScenario, rawVariablesInTheKeyAreNoticed) {
  for (const Way &way : ways) {
    // The fault of old did not know this variable.
    if (StringRef(way.variable) == "FLY_TARGET")
      continue;
    std::string said;
    EXPECT_EQ(scenario(way, faulty, said), ExitMiss)
        << way.variable << "=" << way.spelling << "\n"
        << said;
    // And the explanation names it.
    EXPECT_NE(said.find(std::string("toolchain.") + way.variable),
              std::string::npos)
        << said;
  }
}

/// Code for another setting is never given out, however near it is.
TEST(FoundingScenario, otherSettingsAreMisses) {
  const Way others[] = {
      {"ARCH", "gfx942:sramecc+:xnack+", "gfx942:sramecc+:xnack-"},
      {"ARCH", "gfx942:sramecc+:xnack-", ""},
      {"ARCH", "gfx950", ""},
  };
  for (const Way &way : others) {
    std::string said;
    EXPECT_EQ(scenario(way, honest, said), ExitMiss) << way.spelling << "\n"
                                                     << said;
    EXPECT_NE(said.find("target."), std::string::npos) << said;
  }
}
