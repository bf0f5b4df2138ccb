// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the store share: folders that go away, small code objects
// made by hand, keys, and a snapshot of a whole tree.
//
//   TemporaryFolder folder;
//   Store store = openStore(folder.path("s"));
//   Entry entry = makeEntry("gfx942", {"gemm"}, 1);
//   publish(store, entry, {"unit"});

#ifndef FLY_TEST_UNIT_STORE_FIXTURE_H
#define FLY_TEST_UNIT_STORE_FIXTURE_H

#include "fly/Store/Layers.h"

#include "gtest/gtest.h"

#include <map>

namespace fly::store {

/// A folder that is removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  ~TemporaryFolder();
  std::string path(llvm::StringRef name) const;

private:
  std::string root;
};

/// A valid code object of a few hundred bytes for `target`; different `salt`s
/// give different bytes of the same size.
std::string makeCodeObject(const amdgpu::Target &target,
                           llvm::ArrayRef<std::string> kernels, unsigned salt);

/// A key with all components of the schema; `salt` stands in the IR digest.
support::CacheKey makeKey(const amdgpu::Target &target, unsigned salt);

struct Entry {
  Manifest manifest;
  std::string bytes;
  std::string key() const { return manifest.key.text(); }
};

/// Of a target in any spelling of `parseTargetText`.
Entry makeEntry(llvm::StringRef target, llvm::ArrayRef<std::string> kernels,
                unsigned salt);

amdgpu::Target targetOf(llvm::StringRef text);

Store openStore(llvm::StringRef path, Mode mode = Mode::ReadWrite,
                std::vector<std::string> *warnings = nullptr,
                FileHook *hook = nullptr);

void publish(const Store &store, const Entry &entry,
             llvm::ArrayRef<std::string> units = {});

/// Path and content of every file, `meta/` and `tmp/` left out.
std::map<std::string, std::string> snapshot(llvm::StringRef path);

std::string readFile(llvm::StringRef path);
void writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// The text of the error, or "no error".
std::string textOf(llvm::Error error);

/// `text` contains each of `parts`.
void expectAll(llvm::StringRef text, std::vector<std::string> parts);

} // namespace fly::store

#endif // FLY_TEST_UNIT_STORE_FIXTURE_H
