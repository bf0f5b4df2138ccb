// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-bench isa FOLDER`: what the kernels of a folder become. Each .mlir file
// is compiled for each chip that its name allows (`gemm_cdna.mlir` for gfx942
// and gfx950, `softmax.mlir` for all); the table of instructions, registers,
// spills, scratch, LDS and the widths of loads and stores comes out; where the
// compiler refuses a kernel for a chip, its reason. A file that is no module at
// all ends the run with status 1. With `--compare TABLE` the differences from a
// table come out instead, and the exit status is 1 when there are any.
//
// A kernel may be spelt otherwise for a chip; the head of its file says how:
//
//   // respelt on gfx942: f8E4M3FN -> f8E4M3FNUZ
//
//   fly-bench isa test/Kernels > test/Kernels/isa.txt
//   fly-bench isa test/Kernels --compare test/Kernels/isa.txt

#include "Bench.h"
#include "IsaCode.h"

#include "fly/Driver/Driver.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using llvm::StringRef;
using llvm::Twine;

/// A kernel whose name ends so is for these chips only.
static const std::pair<StringRef, std::vector<StringRef>> families[] = {
    {"_cdna", {"gfx942", "gfx950"}}, {"_gfx942", {"gfx942"}},
    {"_gfx950", {"gfx950"}},         {"_gfx11", {"gfx1100"}},
    {"_gfx12", {"gfx1201"}},         {"_gfx1250", {"gfx1250"}}};
static const std::vector<StringRef> everyChip = {"gfx942", "gfx950", "gfx1100",
                                                 "gfx1201", "gfx1250"};

static const std::vector<std::string> columns = {
    "kernel",  "chip",    "insts", "vgpr",  "agpr",  "sgpr",
    "spilled", "scratch", "lds",   "loads", "stores"};

using Row = std::vector<std::string>;

static int refuse(const Twine &why, int status) {
  llvm::errs() << "error: " << why << "\n";
  return status;
}

static const std::vector<StringRef> &chipsOf(StringRef stem) {
  for (const auto &[suffix, chips] : families)
    if (stem.ends_with(suffix))
      return chips;
  return everyChip;
}

/// `global 128x4 32x1, lds 64x2`: bits of a lane and how many accesses.
static std::string spell(const flybench::Accesses &accesses) {
  std::vector<std::string> parts;
  for (const auto &[memory, widths] : accesses) {
    std::string part = memory;
    for (auto it = widths.rbegin(); it != widths.rend(); ++it)
      part +=
          " " + std::to_string(it->first) + "x" + std::to_string(it->second);
    parts.push_back(part);
  }
  return parts.empty() ? "-" : llvm::join(parts, ", ");
}

/// The rows of the kernels in a code object.
static llvm::Error addRows(StringRef stem, StringRef chip, StringRef bytes,
                           std::vector<Row> &rows) {
  llvm::Expected<fly::amdgpu::CodeObject> object =
      fly::amdgpu::readCodeObject(bytes);
  if (!object)
    return object.takeError();
  for (const fly::amdgpu::KernelInfo &kernel : object->kernels) {
    llvm::Expected<flybench::CodeCounts> code =
        flybench::countCode(bytes, *object, kernel.name);
    if (!code)
      return code.takeError();
    std::string name = stem.str();
    if (object->kernels.size() > 1)
      name += "@" + kernel.name;
    rows.push_back({name, chip.str(), std::to_string(code->instructions),
                    std::to_string(kernel.vgprs), std::to_string(kernel.agprs),
                    std::to_string(kernel.sgprs),
                    std::to_string(kernel.vgprSpills + kernel.sgprSpills),
                    std::to_string(kernel.privateBytes),
                    std::to_string(kernel.ldsBytes), spell(code->loads),
                    spell(code->stores)});
  }
  return llvm::Error::success();
}

/// A request that is the same wherever it runs.
static mlir::fly::CompileRequest requestFor(const std::string &path,
                                            StringRef chip) {
  mlir::fly::CompileRequest request;
  request.inputPath = path;
  request.quiet = true;
  request.options.resolve.target = chip.str();
  request.options.resolve.useEnvironment = false;
  return request;
}

/// An error unless the file is a module that a key can be derived from.
static llvm::Error checkModule(const std::string &path, StringRef chip) {
  mlir::fly::CompileRequest request = requestFor(path, chip);
  llvm::SmallString<128> out;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("fly-bench", "key", out))
    return llvm::createStringError("no temporary file: " + code.message());
  llvm::FileRemover remover(out);
  request.outputPath = out.str().str();
  request.emit = mlir::fly::EmitKind::Key;
  std::string messages;
  llvm::raw_string_ostream os(messages);
  if (mlir::fly::runCompile(request, mlir::fly::KeyEnvironment(), os))
    return llvm::createStringError(StringRef(messages).trim());
  return llvm::Error::success();
}

/// The text of a kernel as it is spelt for a chip.
static std::string spelledFor(StringRef chip, StringRef text) {
  std::string spelled = text.str();
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    if (!line.starts_with("//"))
      break;
    // "//", "respelt", "on", chip, what, "->", what instead
    llvm::SmallVector<StringRef> words;
    line.split(words, ' ', -1, /*KeepEmpty=*/false);
    if (words.size() != 7 || words[1] != "respelt" ||
        words[3] != (chip + ":").str())
      continue;
    StringRef from = words[4], to = words[6];
    std::string changed;
    for (StringRef rest = spelled; !rest.empty();) {
      auto [before, after] = rest.split(from);
      bool found = before.size() != rest.size();
      changed += (before + (found ? to : "")).str();
      rest = after;
    }
    spelled = changed;
  }
  return spelled;
}

/// Compiles one kernel for one chip into a temporary file and reads it back.
static llvm::Error measure(const std::string &path, StringRef chip,
                           std::vector<Row> &rows) {
  llvm::SmallString<128> in, out;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("fly-bench", "mlir", in))
    return llvm::createStringError("no temporary file: " + code.message());
  llvm::FileRemover inRemover(in);
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("fly-bench", "hsaco", out))
    return llvm::createStringError("no temporary file: " + code.message());
  llvm::FileRemover remover(out);
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return llvm::createStringError(path + ": " + text.getError().message());
  std::string spelled = spelledFor(chip, (*text)->getBuffer());
  mlir::fly::CompileRequest request = requestFor(path, chip);
  if (spelled != (*text)->getBuffer()) {
    if (llvm::Error error = llvm::writeToOutput(in, [&](llvm::raw_ostream &os) {
          os << spelled;
          return llvm::Error::success();
        }))
      return error;
    request.inputPath = in.str().str();
  }
  request.outputPath = out.str().str();
  std::string messages;
  llvm::raw_string_ostream os(messages);
  int status = mlir::fly::runCompile(request, mlir::fly::KeyEnvironment(), os);
  if (status == mlir::fly::ExitRefused) {
    // A chip that lacks an instruction of the kernel has a row that says so.
    StringRef why = StringRef(messages).split("error: ").second;
    Row row(columns.size(), "-");
    row[0] = llvm::sys::path::stem(path).str();
    row[1] = chip.str();
    row.back() = "refused: " + why.split('\n').first.str();
    rows.push_back(row);
    return llvm::Error::success();
  }
  if (status)
    return llvm::createStringError(path + " for " + chip + ": " +
                                   StringRef(messages).trim());
  auto bytes = llvm::MemoryBuffer::getFile(out);
  if (!bytes)
    return llvm::createStringError(out + ": " + bytes.getError().message());
  return addRows(llvm::sys::path::stem(path), chip, (*bytes)->getBuffer(),
                 rows);
}

/// Aligned columns, one blank or more between them.
static std::vector<std::string> linesOf(const std::vector<Row> &rows) {
  std::vector<size_t> widths(columns.size());
  for (const Row &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::vector<std::string> lines;
  for (const Row &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string pad(widths[i] - row[i].size(), ' ');
      bool isNumber = i > 1 && i + 2 < columns.size();
      line += (i ? "  " : "") + (isNumber ? pad + row[i] : row[i] + pad);
    }
    lines.push_back(StringRef(line).rtrim().str());
  }
  return lines;
}

/// A line without the blanks that only align it.
static std::string squeezed(StringRef line) {
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(line, words);
  return llvm::join(words, " ");
}

/// The lines of the table that differ, old and new; answers the exit status.
static int compare(const std::vector<std::string> &lines, StringRef tablePath,
                   StringRef folder) {
  auto table = llvm::MemoryBuffer::getFile(tablePath, /*IsText=*/true);
  if (!table)
    return refuse(tablePath + ": " + table.getError().message(), 2);
  llvm::SmallVector<StringRef> old;
  (*table)->getBuffer().split(old, '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::string> oldLines, newLines;
  for (StringRef line : old)
    oldLines.push_back(squeezed(line));
  for (const std::string &line : lines)
    newLines.push_back(squeezed(line));
  unsigned differences = 0;
  auto say = [&](char sign, const std::string &line,
                 const std::vector<std::string> &others) {
    if (llvm::is_contained(others, line))
      return;
    llvm::outs() << sign << " " << line << "\n";
    ++differences;
  };
  // The two lines of a kernel and chip stand together.
  for (const std::string &line : oldLines) {
    say('-', line, newLines);
    size_t words = line.find(' ', line.find(' ') + 1);
    StringRef what = StringRef(line).take_front(words);
    for (const std::string &other : newLines)
      if (StringRef(other).starts_with((what + " ").str()))
        say('+', other, oldLines);
  }
  for (const std::string &other : newLines) {
    size_t words = other.find(' ', other.find(' ') + 1);
    std::string what = other.substr(0, words) + " ";
    if (llvm::none_of(oldLines, [&](const std::string &line) {
          return StringRef(line).starts_with(what);
        }))
      say('+', other, oldLines);
  }
  if (!differences) {
    llvm::outs() << lines.size() - 1 << " rows, as in the table\n";
    return 0;
  }
  llvm::outs() << "the code of kernels changed; when it is meant, renew the "
                  "table: fly-bench isa "
               << folder << " > " << tablePath << "\n";
  return 1;
}

int flybench::runIsa(llvm::ArrayRef<const char *> arguments) {
  StringRef folder, table;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef word = arguments[i];
    if (word == "--compare" && i + 1 < arguments.size())
      table = arguments[++i];
    else if (word.starts_with("-") || !folder.empty())
      return refuse("expected FOLDER and --compare TABLE, found '" + word + "'",
                    2);
    else
      folder = word;
  }
  if (folder.empty())
    return refuse("expected a folder of kernels", 2);
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       !code && it != end; it.increment(code))
    if (llvm::sys::path::extension(it->path()) == ".mlir")
      paths.push_back(it->path());
  if (code)
    return refuse(folder + ": " + code.message(), 2);
  if (paths.empty())
    return refuse(folder + ": no .mlir file", 2);
  llvm::sort(paths);
  std::vector<Row> rows = {columns};
  for (const std::string &path : paths) {
    const std::vector<StringRef> &chips = chipsOf(llvm::sys::path::stem(path));
    if (llvm::Error error = checkModule(path, chips.front()))
      return refuse(llvm::toString(std::move(error)), 1);
    for (StringRef chip : chips)
      if (llvm::Error error = measure(path, chip, rows))
        return refuse(llvm::toString(std::move(error)), 1);
  }
  std::vector<std::string> lines = linesOf(rows);
  if (!table.empty())
    return compare(lines, table, folder);
  for (const std::string &line : lines)
    llvm::outs() << line << "\n";
  return 0;
}
