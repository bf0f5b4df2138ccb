// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of the search for device libraries: nothing needed means nothing found,
// the strongest place wins, and a library that is nowhere is an error that
// names the symbol and every place with its origin.

#include "fly/Analysis/DeviceLibraries.h"

#include "fly/Support/Environment.h"
#include "fly/Support/Errors.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mlir::fly;
using ::fly::support::Environment;

/// "ocml.bc:__ocml_exp_f32 ockl.bc:..." for a module in text form.
static std::string needs(llvm::StringRef text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  std::string result;
  for (const NeededDeviceLibrary &library : neededDeviceLibraries(module.get()))
    result += library.fileName.str() + ":" + library.symbol + " ";
  return result;
}

TEST(DeviceLibraries, onlyUsedDeclarationsNeedOne) {
  EXPECT_EQ(needs("define void @k() { ret void }"), "");
  EXPECT_EQ(needs("declare float @__ocml_exp_f32(float)"), "");
  EXPECT_EQ(needs("define float @__ocml_exp_f32(float %x) { ret float %x }"
                  "define float @k(float %x) {"
                  "  %y = call float @__ocml_exp_f32(float %x)"
                  "  ret float %y }"),
            "");
}

TEST(DeviceLibraries, symbolsChooseLibrariesInLinkOrder) {
  EXPECT_EQ(needs("declare i64 @__ockl_get_local_id(i32)"
                  "declare float @__ocml_exp_f32(float)"
                  "define float @k(float %x) {"
                  "  %i = call i64 @__ockl_get_local_id(i32 0)"
                  "  %y = call float @__ocml_exp_f32(float %x)"
                  "  ret float %y }"),
            "ocml.bc:__ocml_exp_f32 ockl.bc:__ockl_get_local_id ");
  EXPECT_EQ(needs("declare i32 @printf(ptr, ...)"
                  "define void @k(ptr %f) {"
                  "  call i32 (ptr, ...) @printf(ptr %f) ret void }"),
            "opencl.bc:printf ocml.bc:printf ockl.bc:printf ");
}

static std::string placesText(llvm::StringRef option, const Environment &env) {
  std::string text;
  for (const DeviceLibraryPlace &place : deviceLibraryPlaces(option, env))
    if (place.origin != "package rocm-device-libs")
      text += place.origin + "=" + place.folder + " ";
  return text;
}

TEST(DeviceLibraries, placesInOrder) {
  Environment env = Environment::fromPairs({{"ROCM_HOME", "/h"},
                                            {"ROCM_ROOT", "/r"},
                                            {"ROCM_PATH", "/p"},
                                            {"FLY_DEVICE_LIBS", "/d"}});
  EXPECT_EQ(placesText("", env),
            "FLY_DEVICE_LIBS=/d FLY_DEVICE_LIBS=/d/amdgcn/bitcode "
            "ROCM_PATH=/p/amdgcn/bitcode ROCM_ROOT=/r/amdgcn/bitcode "
            "ROCM_HOME=/h/amdgcn/bitcode ");
  EXPECT_EQ(placesText("/o", env),
            "option device-libs=/o option device-libs=/o/amdgcn/bitcode ");
  EXPECT_EQ(placesText("", Environment::fromPairs({{"ROCM_PATH", " "}})), "");
}

TEST(DeviceLibraries, firstPlaceThatHasTheFileWins) {
  llvm::SmallString<128> root;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("fly-test", root));
  std::string folder[2];
  for (int i : {0, 1}) {
    folder[i] = (root + "/" + llvm::Twine(i)).str();
    ASSERT_FALSE(llvm::sys::fs::create_directory(folder[i]));
  }
  std::error_code error;
  std::string path = folder[1] + "/ocml.bc";
  llvm::raw_fd_ostream(path, error) << "x";
  ASSERT_FALSE(error);

  NeededDeviceLibrary ocml = {"ocml.bc", "__ocml_exp_f32"};
  llvm::Expected<std::string> found =
      findDeviceLibrary(ocml, {{folder[0], "first"}, {folder[1], "second"}});
  ASSERT_TRUE(bool(found));
  EXPECT_EQ(*found, path);

  found = findDeviceLibrary({"ockl.bc", "__ockl_f"},
                            {{folder[0], "first"}, {folder[1], "second"}});
  ASSERT_FALSE(bool(found));
  EXPECT_EQ(llvm::toString(found.takeError()),
            "function '__ockl_f' needs the device library 'ockl.bc', which was "
            "not found; tried '" +
                folder[0] + "' (first), '" + folder[1] +
                "' (second) [FLY-K007]");

  found = findDeviceLibrary(ocml, {});
  ASSERT_FALSE(bool(found));
  std::string text = llvm::toString(found.takeError());
  EXPECT_EQ(text,
            "function '__ocml_exp_f32' needs the device library 'ocml.bc', "
            "which was not found; tried no place, since none of the option "
            "device-libs and the variables FLY_DEVICE_LIBS, ROCM_PATH, "
            "ROCM_ROOT and ROCM_HOME is set [FLY-K007]");
  llvm::sys::fs::remove_directories(root);
}
