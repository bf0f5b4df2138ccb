// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of a resolution: where the target came from, as JSON for programs
// and as lines for people. Text from outside may hold any bytes; JSON gets
// valid UTF-8, people get escapes.

#include "fly/Target/AMDGPU/Resolve.h"

#include "fly/Support/Errors.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::amdgpu;
using fly::support::quoted;
using llvm::StringRef;
namespace json = llvm::json;

/// JSON strings must be UTF-8; variables need not be.
static std::string utf8(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

static json::Array fullTexts(llvm::ArrayRef<Target> targets) {
  json::Array texts;
  for (const Target &target : targets)
    texts.push_back(target.fullText());
  return texts;
}

/// The members that a resolution has whether or not it succeeded.
static void writeConsidered(json::OStream &out, const Resolution &resolution) {
  out.attributeArray("candidates", [&] {
    for (const Candidate &candidate : resolution.candidates)
      out.object([&] {
        out.attribute("rank", candidate.rank);
        out.attribute("source", utf8(candidate.source));
        out.attribute("raw", utf8(candidate.raw));
        out.attribute("targets", fullTexts(candidate.targets));
      });
  });
  out.attributeArray("ignored", [&] {
    for (const Ignored &each : resolution.ignored)
      out.object([&] {
        out.attribute(utf8(each.source), utf8(each.raw));
        out.attribute("why", utf8(each.why));
      });
  });
}

static void printConsidered(llvm::raw_ostream &os,
                            const Resolution &resolution) {
  for (const Candidate &candidate : resolution.candidates)
    os << "candidate rank " << candidate.rank << " " << candidate.source << " "
       << quoted(candidate.raw) << "\n";
  for (const Ignored &each : resolution.ignored)
    os << "ignored " << each.source << " " << quoted(each.raw) << ": "
       << each.why << "\n";
}

std::string Resolution::reportJson() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream out(os);
  out.object([&] {
    out.attribute("schema", "fly-target-report/1");
    out.attribute("target", target().id());
    out.attribute("full", target().fullText());
    out.attribute("wave", target().wave);
    out.attribute("cumode", target().cumode);
    out.attribute("abi", target().abi);
    out.attribute("targets", fullTexts(targets));
    out.attribute("source", utf8(source));
    out.attribute("raw", utf8(raw));
    writeConsidered(out, *this);
  });
  return text;
}

std::string Resolution::reportText() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Target &each : targets)
    os << "target " << each.id() << " (" << each.fullText() << ")\n";
  os << "source " << source << " " << quoted(raw) << "\n";
  printConsidered(os, *this);
  return text;
}

std::string fly::amdgpu::failureReportJson(const Resolution &considered,
                                           StringRef code, StringRef message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream out(os);
  out.object([&] {
    out.attribute("schema", "fly-target-report/1");
    out.attributeObject("error", [&] {
      out.attribute("code", "FLY-" + code.str());
      out.attribute("message", utf8(message));
    });
    writeConsidered(out, considered);
  });
  return text;
}

std::string fly::amdgpu::failureReportText(const Resolution &considered,
                                           StringRef code, StringRef message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "no target: " << message << " [FLY-" << code << "]\n";
  printConsidered(os, considered);
  return text;
}
