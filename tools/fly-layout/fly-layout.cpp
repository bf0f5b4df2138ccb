// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-layout: an expression of the layout algebra goes in; its value, a
// picture, or a report of bank conflicts comes out. This file is the command
// line; the work is in lib/Layout and lib/Drawing.
//
//   fly-layout --draw=svg -o c.svg mma cdna3.mfma 16x16x16 f16 f16 f32 c

#include "Help.h"
#include "fly/Drawing/Atoms.h"
#include "fly/Drawing/Banks.h"
#include "fly/Drawing/Summary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

namespace cl = llvm::cl;
using namespace fly::drawing;
using namespace fly::layout;

namespace {
enum ExitStatus { ExitDone = 0, ExitRefused = 1, ExitUsage = 2 };
enum class Draw { None, Text, Svg };
} // namespace

static cl::OptionCategory category("Options of fly-layout");

static cl::list<std::string>
    words(cl::Positional, cl::desc("[banks] <expression>"), cl::cat(category));
static cl::opt<Draw> draw("draw", cl::desc("Draw the layout"),
                          cl::init(Draw::None),
                          cl::values(clEnumValN(Draw::Text, "text", "as text"),
                                     clEnumValN(Draw::Svg, "svg", "as SVG")),
                          cl::cat(category));
static cl::opt<bool>
    asThreadValue("tv",
                  cl::desc("Draw a layout (thread, value) -> index by owners"),
                  cl::cat(category));
static cl::opt<std::string> tileText("tile",
                                     cl::desc("The tile that --tv draws: 16,8"),
                                     cl::value_desc("M,N"), cl::cat(category));
static cl::opt<bool> asJson("json", cl::desc("Print JSON"), cl::cat(category));
static cl::opt<std::string> outputPath("o",
                                       cl::desc("Output; - is standard "
                                                "output, the default"),
                                       cl::init("-"), cl::value_desc("file"),
                                       cl::cat(category));
static cl::opt<int64_t> elementBits("element-bits",
                                    cl::desc("banks: bits of an element"),
                                    cl::value_desc("bits"), cl::cat(category));
static cl::opt<int64_t> accessBits("width",
                                   cl::desc("banks: bits that a lane accesses "
                                            "at once"),
                                   cl::value_desc("bits"), cl::cat(category));
static cl::opt<int64_t> lanes("lanes", cl::desc("banks: lanes of a wave (64)"),
                              cl::init(64), cl::value_desc("n"),
                              cl::cat(category));
static cl::opt<int64_t> banks("banks", cl::desc("banks: banks of LDS (32)"),
                              cl::init(32), cl::value_desc("n"),
                              cl::cat(category));
static cl::opt<std::string>
    phasesText("phases",
               cl::desc("banks: a layout (slot, phase) -> lane of the lanes "
                        "that are served together; consecutive lanes if not "
                        "given"),
               cl::value_desc("layout"), cl::cat(category));

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Characters of the text that an error shows on each side of its column.
static constexpr size_t shownBefore = 60, shownAfter = 40;

/// The error, the text around it and a caret below the column.
static void printError(llvm::StringRef what, llvm::StringRef text,
                       const ExpressionError &error) {
  llvm::errs() << what << ":1:" << error.column + 1
               << ": error: " << error.message << "\n";
  size_t begin = error.column > shownBefore ? error.column - shownBefore : 0;
  std::string shown =
      text.substr(begin, error.column - begin + shownAfter).str();
  // One column a byte.
  for (char &c : shown)
    if (!llvm::isPrint(c))
      c = llvm::isSpace(c) ? ' ' : '?';
  llvm::errs() << "  " << shown << "\n  "
               << std::string(error.column - begin, ' ') << "^\n";
}

static int usage(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "; see --help\n";
  return ExitUsage;
}

static int refuse(llvm::StringRef message) {
  llvm::errs() << "error: " << message << "\n";
  return ExitRefused;
}

static std::optional<Value> evaluate(llvm::StringRef what,
                                     llvm::StringRef text) {
  TypeArith arith;
  ExpressionError error;
  std::optional<Value> value =
      evaluateExpression(arith, text, error, atomWords);
  if (!value)
    printError(what, text, error);
  return value;
}

/// The layout that `text` evaluates to; anything else is reported.
static std::optional<AnyLayout> evaluateLayout(llvm::StringRef what,
                                               llvm::StringRef text) {
  std::optional<Value> value = evaluate(what, text);
  if (!value)
    return std::nullopt;
  if (value->kind == Value::Kind::Layout)
    return value->layout;
  printError(what, text,
             {0, "expected a layout, got the " + value->kindName().str() + " " +
                     value->str()});
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Writes what `print` prints to the output file.
static int write(llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::error_code problem;
  llvm::ToolOutputFile file(outputPath, problem, llvm::sys::fs::OF_None);
  if (problem)
    return usage("cannot write '" + outputPath + "': " + problem.message());
  print(file.os());
  file.os().flush();
  if (file.os().has_error()) {
    std::string message = file.os().error().message();
    file.os().clear_error();
    return usage("cannot write '" + outputPath + "': " + message);
  }
  file.keep();
  return ExitDone;
}

static int writeGrid(const Grid &grid) {
  return write([&](llvm::raw_ostream &os) {
    if (draw == Draw::Svg)
      grid.printSvg(os);
    else
      grid.printText(os);
  });
}

/// The tile of --tile: "16,8" or "(16,8)"; false after an error.
static bool readTile(std::optional<IntTuple> &tile) {
  if (!tileText.getNumOccurrences())
    return true;
  std::string text = tileText;
  if (!llvm::StringRef(text).trim().starts_with("("))
    text = "(" + text + ")";
  TypeArith arith;
  ExpressionError error;
  std::optional<Value> value = evaluateExpression(arith, text, error);
  if (value && value->kind == Value::Kind::Tuple) {
    tile = value->tuple;
    return true;
  }
  printError("--tile", tileText, {0, "expected extents such as 16,8"});
  return false;
}

static int runDraw(llvm::StringRef text) {
  std::string why;
  AtomOperand operand;
  ExpressionError error;
  std::optional<Grid> grid;
  // An operand alone knows its tile and the names of its axes.
  size_t read = readAtom(text, operand, error);
  if (read == text.size() && read != 0) {
    grid = operand.grid(why);
    return grid ? writeGrid(*grid) : refuse(why);
  }
  std::optional<AnyLayout> layout = evaluateLayout("expression", text);
  std::optional<IntTuple> tile;
  if (!layout || !readTile(tile))
    return ExitRefused;
  grid = asThreadValue ? threadValueGrid(*layout, tile, why)
                       : layoutGrid(*layout, why);
  return grid ? writeGrid(*grid) : refuse(why);
}

static int runBanks(llvm::StringRef text) {
  if (!elementBits.getNumOccurrences() || !accessBits.getNumOccurrences())
    return usage("bank conflicts need --element-bits and --width");
  std::optional<AnyLayout> layout = evaluateLayout("expression", text);
  if (!layout)
    return ExitRefused;
  BankQuestion question;
  question.lanes = lanes;
  question.banks = banks;
  question.elementBits = elementBits;
  question.accessBits = accessBits;
  if (phasesText.getNumOccurrences()) {
    question.phases = evaluateLayout("--phases", phasesText);
    if (!question.phases)
      return ExitRefused;
  }
  std::string why;
  if (draw != Draw::None) {
    std::optional<Grid> grid = bankGrid(*layout, question, why);
    return grid ? writeGrid(*grid) : refuse(why);
  }
  std::optional<BankReport> report = bankConflicts(*layout, question, why);
  if (!report)
    return refuse(why);
  return write([&](llvm::raw_ostream &os) {
    if (asJson)
      report->printJson(os, text);
    else
      report->print(os);
  });
}

/// Whether `text` is left_inverse of a layout that is known not to be
/// injective: its law, result(layout(k)) = k, then has no answer.
static bool invertsRepeated(llvm::StringRef text) {
  text = text.trim();
  text.consume_front("fly.");
  if (!text.consume_front("left_inverse"))
    return false;
  text = text.ltrim();
  if (!text.consume_front("(") || !text.consume_back(")"))
    return false;
  // The operand may be named.
  llvm::StringRef named = text.ltrim();
  if (named.consume_front("layout") && named.ltrim().starts_with("="))
    text = named.ltrim().drop_front();
  TypeArith arith;
  ExpressionError error;
  std::optional<Value> operand =
      evaluateExpression(arith, text, error, atomWords);
  return operand && summarize(*operand).injective == Answer::No;
}

static int runCalculate(llvm::StringRef text) {
  std::optional<Value> value = evaluate("expression", text);
  if (!value)
    return ExitRefused;
  Summary summary = summarize(*value);
  if (summary.note.empty() && invertsRepeated(text))
    summary.note = "the operand of left_inverse is not injective: the result "
                   "leads to one of the points with the same offset";
  return write([&](llvm::raw_ostream &os) {
    if (asJson)
      summary.printJson(os, text);
    else
      summary.print(os);
  });
}

/// The name of an option that was given and has no use for the command, or
/// empty: nothing that a user says is ignored.
static llvm::StringRef uselessOption(bool isBanks) {
  const cl::Option *ofBanks[] = {&elementBits, &accessBits, &lanes, &banks,
                                 &phasesText};
  const cl::Option *ofDrawing[] = {&asThreadValue, &tileText};
  for (const cl::Option *option : ofBanks)
    if (!isBanks && option->getNumOccurrences())
      return option->ArgStr;
  for (const cl::Option *option : ofDrawing)
    if ((isBanks || draw == Draw::None) && option->getNumOccurrences())
      return option->ArgStr;
  if (tileText.getNumOccurrences() && !asThreadValue)
    return tileText.ArgStr;
  if (asJson && draw != Draw::None)
    return asJson.ArgStr;
  return "";
}

/// The name of an option of LLVM itself that was given, or empty.
static llvm::StringRef foreignOption() {
  for (const auto &[name, option] : cl::getRegisteredOptions())
    if (option->getNumOccurrences() &&
        !llvm::is_contained(option->Categories, &category))
      return name;
  return "";
}

/// The first word of an expression.
static llvm::StringRef firstWord(llvm::StringRef text) {
  return text.ltrim().take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "Fly for LLVM version " << FLY_VERSION << "\n";
  });
  std::string overview = overviewText();
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return ExitUsage;
  if (llvm::StringRef name = foreignOption(); !name.empty())
    return usage("option '" + name + "' is not one of fly-layout");
  std::string joined = llvm::join(words, " ");
  llvm::StringRef text = joined, word = firstWord(text);
  bool isBanks = word == "banks";
  if (isBanks)
    text = text.ltrim().drop_front(word.size());
  else if (word.size() > 2 && !findExpressionFunction(word) &&
           word.edit_distance("banks") <= 2)
    return usage("expected an expression or the command 'banks', got '" + word +
                 "'; did you mean 'banks'?");
  if (text.trim().empty())
    return usage("expected an expression");
  text = text.ltrim();
  if (llvm::StringRef option = uselessOption(isBanks); !option.empty()) {
    if (option == asThreadValue.ArgStr && !isBanks)
      return usage("option 'tv' is for a picture; add --draw=text or "
                   "--draw=svg");
    return usage("option '" + option + "' has no use here");
  }
  if (isBanks)
    return runBanks(text);
  return draw == Draw::None ? runCalculate(text) : runDraw(text);
}
