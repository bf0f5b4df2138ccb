// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HTTP by libcurl. The library is loaded when the first server is asked: it
// costs some milliseconds at start, and most programs never need it. Without
// its header at build time there are no remote stores.

#include "fly/Store/Remote.h"

#include "llvm/Support/Error.h"

#ifdef FLY_HAS_CURL
#include <curl/curl.h>
#include <dlfcn.h>
#endif

using namespace fly::store;
using llvm::StringRef;

#ifndef FLY_HAS_CURL

namespace {
class NoTransport : public Transport {
public:
  llvm::Expected<Answer> send(StringRef, StringRef, StringRef,
                              uint64_t) override {
    return llvm::createStringError("this program was built without libcurl");
  }
};
} // namespace

std::unique_ptr<Transport> fly::store::httpTransport(std::string) {
  return std::make_unique<NoTransport>();
}

#else

/// Bounds in milliseconds: a server in the same building answers at once.
static constexpr long connectBound = 2000;
static constexpr long exchangeBound = 60000;

namespace {
/// The functions of libcurl that are used.
struct Curl {
  decltype(&curl_easy_init) init;
  decltype(&curl_easy_cleanup) cleanup;
  decltype(&curl_easy_perform) perform;
  decltype(&curl_easy_reset) reset;
  decltype(&curl_easy_strerror) strerror;
  // With parentheses: the header makes macros of them that check types.
  decltype(&(curl_easy_setopt)) set;
  decltype(&(curl_easy_getinfo)) get;
  decltype(&curl_slist_append) append;
  decltype(&curl_slist_free_all) freeAll;
};

/// What comes in.
struct Incoming {
  std::string body;
  uint64_t limit;
  bool isTooLong = false;
};

class CurlTransport : public Transport {
public:
  explicit CurlTransport(std::string auth) : auth(std::move(auth)) {}
  ~CurlTransport() override {
    if (handle)
      curl.cleanup(handle);
  }

  llvm::Expected<Answer> send(StringRef method, StringRef url, StringRef body,
                              uint64_t limit) override;

private:
  llvm::Error load();
  void setAuth();

  Curl curl;
  /// One handle, so that the connection is kept; null until the first call.
  CURL *handle = nullptr;
  std::string auth;
};
} // namespace

static size_t takeBytes(char *bytes, size_t, size_t count, void *data) {
  auto &incoming = *static_cast<Incoming *>(data);
  incoming.isTooLong = count > incoming.limit - incoming.body.size();
  if (incoming.isTooLong)
    return 0;
  incoming.body.append(bytes, count);
  return count;
}

static size_t giveBytes(char *bytes, size_t size, size_t count, void *data) {
  auto &rest = *static_cast<StringRef *>(data);
  StringRef part = rest.take_front(size * count);
  std::copy(part.begin(), part.end(), bytes);
  rest = rest.drop_front(part.size());
  return part.size();
}

/// Loads the library and makes the handle.
llvm::Error CurlTransport::load() {
  void *library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return llvm::createStringError("libcurl cannot be loaded: " +
                                   llvm::Twine(::dlerror()));
  bool isWhole = true;
  auto find = [&](const char *name) {
    void *function = ::dlsym(library, name);
    isWhole &= function != nullptr;
    return function;
  };
  curl.init = reinterpret_cast<decltype(curl.init)>(find("curl_easy_init"));
  curl.cleanup =
      reinterpret_cast<decltype(curl.cleanup)>(find("curl_easy_cleanup"));
  curl.perform =
      reinterpret_cast<decltype(curl.perform)>(find("curl_easy_perform"));
  curl.reset = reinterpret_cast<decltype(curl.reset)>(find("curl_easy_reset"));
  curl.strerror =
      reinterpret_cast<decltype(curl.strerror)>(find("curl_easy_strerror"));
  curl.set = reinterpret_cast<decltype(curl.set)>(find("curl_easy_setopt"));
  curl.get = reinterpret_cast<decltype(curl.get)>(find("curl_easy_getinfo"));
  curl.append =
      reinterpret_cast<decltype(curl.append)>(find("curl_slist_append"));
  curl.freeAll =
      reinterpret_cast<decltype(curl.freeAll)>(find("curl_slist_free_all"));
  handle = isWhole ? curl.init() : nullptr;
  if (handle)
    return llvm::Error::success();
  return llvm::createStringError("libcurl cannot be used: a function of it is "
                                 "missing or fails");
}

void CurlTransport::setAuth() {
  StringRef text = auth;
  if (text.consume_front("bearer ")) {
    curl.set(handle, CURLOPT_HTTPAUTH, long(CURLAUTH_BEARER));
    curl.set(handle, CURLOPT_XOAUTH2_BEARER, text.str().c_str());
  } else if (!text.empty()) {
    curl.set(handle, CURLOPT_HTTPAUTH, long(CURLAUTH_BASIC));
    curl.set(handle, CURLOPT_USERPWD, auth.c_str());
  }
}

llvm::Expected<Transport::Answer> CurlTransport::send(StringRef method,
                                                      StringRef url,
                                                      StringRef body,
                                                      uint64_t limit) {
  if (!handle)
    if (llvm::Error error = load())
      return std::move(error);
  Incoming incoming{"", limit};
  std::string address = url.str();
  // Servers that are asked to say "go on" first cost a second each.
  curl_slist *headers = curl.append(nullptr, "Expect:");
  curl.reset(handle);
  curl.set(handle, CURLOPT_URL, address.c_str());
  curl.set(handle, CURLOPT_NOSIGNAL, 1L);
  curl.set(handle, CURLOPT_PROXY, "");
  curl.set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl.set(handle, CURLOPT_CONNECTTIMEOUT_MS, connectBound);
  curl.set(handle, CURLOPT_TIMEOUT_MS, exchangeBound);
  curl.set(handle, CURLOPT_HTTPHEADER, headers);
  curl.set(handle, CURLOPT_WRITEFUNCTION, &takeBytes);
  curl.set(handle, CURLOPT_WRITEDATA, &incoming);
  if (method == "HEAD")
    curl.set(handle, CURLOPT_NOBODY, 1L);
  if (method == "PUT") {
    curl.set(handle, CURLOPT_UPLOAD, 1L);
    curl.set(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(body.size()));
    curl.set(handle, CURLOPT_READFUNCTION, &giveBytes);
    curl.set(handle, CURLOPT_READDATA, &body);
  }
  setAuth();
  CURLcode code = curl.perform(handle);
  curl.freeAll(headers);
  if (incoming.isTooLong)
    return llvm::createStringError("the answer has more than " +
                                   llvm::Twine(limit) + " bytes");
  if (code != CURLE_OK)
    return llvm::createStringError(curl.strerror(code));
  long status = 0;
  curl.get(handle, CURLINFO_RESPONSE_CODE, &status);
  return Answer{unsigned(status), std::move(incoming.body)};
}

std::unique_ptr<Transport> fly::store::httpTransport(std::string auth) {
  return std::make_unique<CurlTransport>(std::move(auth));
}

#endif
