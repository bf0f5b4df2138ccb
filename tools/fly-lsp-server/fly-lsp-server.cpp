// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-lsp-server: the language server of MLIR with our dialects, for editors.
// Requests of the Language Server Protocol come in on standard input, answers
// go out on standard output: diagnostics while one types, completion of
// dialects, ops and values, hover with the definition, go to definition and
// references.
//
// LLVM's JSON reader recurses, so a message of a few hundred kilobytes of
// brackets would overflow its stack. What the server reads therefore passes
// through a filter first. The law: a message keeps its length and its meaning,
// but that arrays and objects deeper than `deepest` are empty.
//
//   nvim: vim.lsp.start({ name = "fly", cmd = { "fly-lsp-server" } })

#include "fly/Pipelines/Registration.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <thread>
#include <unistd.h>

namespace {

/// Deepest nesting that is handed on; the protocol needs about ten levels.
constexpr unsigned deepest = 1000;

/// Blanks what is nested too deep in one JSON text, byte by byte.
class NestingFilter {
public:
  char next(char c) {
    if (isInString) {
      isInString = isEscaped || c != '"';
      isEscaped = !isEscaped && c == '\\';
      return depth > deepest ? ' ' : c;
    }
    bool opens = c == '[' || c == '{', closes = c == ']' || c == '}';
    depth += opens;
    bool isTooDeep = depth > deepest;
    depth -= closes && depth != 0;
    isInString = c == '"';
    return isTooDeep ? ' ' : c;
  }

private:
  unsigned depth = 0;
  bool isInString = false, isEscaped = false;
};

/// Finds the messages in the stream as LLVM's reader does: framed by headers
/// with a length, or delimited by lines of "// -----".
class MessageFilter {
public:
  explicit MessageFilter(bool isDelimited) : isDelimited(isDelimited) {}

  char next(char c) {
    if (left != 0) {
      --left;
      return json.next(c);
    }
    line += c;
    // A delimited message has comments between its lines.
    bool isJson = isDelimited && !llvm::StringRef(line).starts_with("//");
    char kept = isJson ? json.next(c) : c;
    if (c == '\n')
      endLine();
    return kept;
  }

private:
  void endLine() {
    llvm::StringRef text = line;
    if (isDelimited) {
      if (text.starts_with("// -----"))
        json = NestingFilter();
    } else if (text.consume_front("Content-Length: ")) {
      // As there: a number of any radix; a bad one leaves the last.
      (void)llvm::getAsUnsignedInteger(text.trim(), 0, length);
    } else if (text.trim().empty()) {
      // As there: what is longer is refused before it is read.
      left = length <= 1 << 30 ? length : 0;
      length = 0;
      json = NestingFilter();
    }
    line.clear();
  }

  bool isDelimited;
  NestingFilter json;
  std::string line;
  unsigned long long length = 0, left = 0;
};

} // namespace

/// Copies `from` to `to` through the filter until the end of either.
static void copyFiltered(int from, int to, bool isDelimited) {
  MessageFilter filter(isDelimited);
  char buffer[1 << 16];
  while (true) {
    ssize_t count = read(from, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    for (char &c : llvm::MutableArrayRef<char>(buffer, count))
      c = filter.next(c);
    for (ssize_t done = 0; done < count;) {
      ssize_t written = write(to, buffer + done, count - done);
      if (written < 0 && errno != EINTR)
        return;
      done += written < 0 ? 0 : written;
    }
  }
  close(to);
}

/// Puts the filter between standard input and whoever reads it from now on.
static bool filterStandardInput(bool isDelimited) {
  int ends[2], input = dup(STDIN_FILENO);
  if (input < 0 || pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0)
    return false;
  close(ends[0]);
  // It ends with its input or with the process.
  std::thread(copyFiltered, input, ends[1], isDelimited).detach();
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  mlir::fly::hideLLVMOptions();
  bool isDelimited = false;
  for (llvm::StringRef argument : llvm::ArrayRef<char *>(argv, argc)) {
    while (argument.consume_front("-"))
      ;
    isDelimited |= argument == "lit-test" || argument.contains("delimited");
  }
  if (!filterStandardInput(isDelimited)) {
    llvm::errs() << "fly-lsp-server: error: cannot read standard input: "
                 << llvm::StringRef(strerror(errno)) << "\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::fly::registerDialects(registry);
  return llvm::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
