// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store behind plain HTTP: GET, PUT and HEAD of the files of a store. A key
// goes in, a verified entry comes out. The laws: bytes from a server are
// trusted as little as those of a file; a server that is down or answers
// nonsense costs one warning and time that is bounded, never a wrong byte and
// never an error.
//
//   http://host:8080/kernels                 the folders of a store, as WebDAV
//   http://host:8080/kernels|layout=bazel    all under ac/<64 digits>
//
// The second is the layout that Bazel's remote caches serve.

#ifndef FLY_STORE_REMOTE_H
#define FLY_STORE_REMOTE_H

#include "fly/Store/Store.h"
#include "fly/Support/Environment.h"

#include <memory>
#include <optional>
#include <string>

namespace fly::store {

/// One exchange with a server; tests put their own in its place.
class Transport {
public:
  struct Answer {
    unsigned status = 0;
    std::string body;
  };

  virtual ~Transport() = default;
  /// `method` is GET, PUT or HEAD. Fails with plain text when there is no
  /// answer, or one of more than `limit` bytes.
  virtual llvm::Expected<Answer> send(llvm::StringRef method,
                                      llvm::StringRef url, llvm::StringRef body,
                                      uint64_t limit) = 0;
};

/// libcurl, which is loaded at the first call. `auth` is `user:password`,
/// `bearer TOKEN` or empty; it is never printed.
std::unique_ptr<Transport> httpTransport(std::string auth);

/// The content of the file FLY_STORE_AUTH_FILE, else of FLY_STORE_AUTH. The
/// error is a sentence without the content.
llvm::Expected<std::string> remoteAuth(const support::Environment &environment);

struct RemoteSpec {
  /// Without a slash at its end.
  std::string url;
  bool isBazel = false;
  bool writable = true;

  /// Whether `text` names a server and not a folder.
  static bool isRemote(llvm::StringRef text);
  /// S005 for an unknown layout or a password in the address.
  static llvm::Expected<RemoteSpec> parse(llvm::StringRef text, Mode mode);
};

class Remote {
public:
  Remote(RemoteSpec spec, std::unique_ptr<Transport> transport,
         std::function<void(const std::string &)> warn)
      : spec(std::move(spec)), transport(std::move(transport)),
        warn(std::move(warn)) {}

  llvm::StringRef url() const { return spec.url; }
  bool isWritable() const { return spec.writable; }

  /// The entry of `key`, verified, or nothing.
  std::optional<Artefact> lookUp(llvm::StringRef key);
  /// The key that the server has for the unit and exactly this target.
  std::optional<std::string> unitKey(llvm::StringRef unit,
                                     const amdgpu::Target &target);
  /// Sends what is not there; payload first. True when all of it is there.
  bool publish(const Manifest &manifest, llvm::StringRef bytes,
               llvm::ArrayRef<std::string> units);

private:
  /// The address of a file of a store.
  std::string address(llvm::StringRef path) const;
  /// The content of the file, or nothing: not there, or a warning was given.
  std::optional<std::string> get(llvm::StringRef path, uint64_t limit);
  bool isThere(llvm::StringRef path);
  bool put(llvm::StringRef path, llvm::StringRef bytes);
  std::optional<Transport::Answer> send(llvm::StringRef method,
                                        llvm::StringRef path,
                                        llvm::StringRef body, uint64_t limit);
  void complain(const llvm::Twine &text);

  RemoteSpec spec;
  std::unique_ptr<Transport> transport;
  std::function<void(const std::string &)> warn;
  /// The server does not answer; it is not asked again.
  bool isDown = false;
};

} // namespace fly::store

#endif // FLY_STORE_REMOTE_H
