// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The digest of extra inputs: each root is walked into a sorted list of
// relative paths and content digests; the digests of the roots, sorted and
// without duplicates, are the whole.

#include "fly/Support/Inputs.h"

#include "fly/Support/Errors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>
#include <vector>

using namespace fly::support;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Part of the schema: a change here needs a new one.
static bool isLeftBehind(StringRef name) {
  return name == ".git" || name == "__pycache__" || name.ends_with(".pyc") ||
         name.ends_with("~") || name.ends_with(".swp") ||
         (name.starts_with(".#") ||
          (name.starts_with("#") && name.ends_with("#")));
}

namespace {
/// The walk of one root.
class RootWalk {
public:
  llvm::Error run(StringRef root) { return visit(root, ""); }
  Digest digest() const;

private:
  llvm::Error visit(StringRef path, const std::string &relative);
  llvm::Error visitFolder(StringRef path, const std::string &relative);

  /// Sorted by the bytes of the relative path; a root that is a file has the
  /// empty path.
  std::map<std::string, Digest> files;
  /// Folders that the walk is in, to recognise a cycle.
  std::vector<fs::UniqueID> open;
};
} // namespace

static llvm::Error cannotRead(StringRef path, std::error_code why) {
  return makeError("K003", "extra input " + quoted(path) +
                               " cannot be read: " + why.message());
}

llvm::Error RootWalk::visit(StringRef path, const std::string &relative) {
  fs::file_status status;
  if (std::error_code error = fs::status(path, status))
    return cannotRead(path, error);
  if (fs::is_directory(status)) {
    if (llvm::is_contained(open, status.getUniqueID()))
      return makeError("K003", "extra input " + quoted(path) +
                                   " is a symbolic link to a folder around it");
    open.push_back(status.getUniqueID());
    llvm::Error error = visitFolder(path, relative);
    open.pop_back();
    return error;
  }
  // Devices and pipes have no content to speak of.
  if (!fs::is_regular_file(status))
    return makeError("K003", "extra input " + quoted(path) +
                                 " is neither a file nor a folder");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return cannotRead(path, buffer.getError());
  files[relative] = digestOf((*buffer)->getBuffer());
  return llvm::Error::success();
}

llvm::Error RootWalk::visitFolder(StringRef path, const std::string &relative) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(path, error, /*follow_symlinks=*/false),
       end;
       !error && entry != end; entry.increment(error))
    names.push_back(llvm::sys::path::filename(entry->path()).str());
  if (error)
    return cannotRead(path, error);
  for (const std::string &name : names) {
    if (isLeftBehind(name))
      continue;
    llvm::SmallString<128> child(path);
    llvm::sys::path::append(child, name);
    if (llvm::Error failed =
            visit(child, relative.empty() ? name : relative + "/" + name))
      return failed;
  }
  return llvm::Error::success();
}

Digest RootWalk::digest() const {
  Hasher hasher("fly-inputs-root", "v1");
  hasher.beginList(files.size());
  for (const auto &[path, content] : files) {
    hasher.addText(path);
    hasher.addDigest(content);
  }
  return hasher.finish();
}

llvm::Expected<Digest>
fly::support::digestInputs(llvm::ArrayRef<std::string> roots) {
  std::vector<Digest> digests;
  for (const std::string &root : roots) {
    RootWalk walk;
    if (llvm::Error error = walk.run(root))
      return std::move(error);
    digests.push_back(walk.digest());
  }
  std::sort(digests.begin(), digests.end());
  digests.erase(std::unique(digests.begin(), digests.end()), digests.end());
  Hasher hasher("fly-inputs", "v1");
  hasher.beginList(digests.size());
  for (const Digest &digest : digests)
    hasher.addDigest(digest);
  return hasher.finish();
}

std::vector<std::string>
fly::support::inputsOf(const Environment &environment) {
  llvm::SmallVector<StringRef> roots;
  if (std::optional<StringRef> list =
          environment.firstOf({"FLY_INPUTS", "FLYDSL_EXTRA_SOURCE_DIRS"}))
    list->split(roots, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return std::vector<std::string>(roots.begin(), roots.end());
}
