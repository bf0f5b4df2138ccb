// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of `fly-layout --help`: what it does, and examples with what they
// print. A test runs each of them and compares.

#ifndef FLY_TOOLS_FLY_LAYOUT_HELP_H
#define FLY_TOOLS_FLY_LAYOUT_HELP_H

#include <string>

namespace fly::drawing {

/// What stands above the list of options, with the list of functions.
std::string overviewText();

} // namespace fly::drawing

#endif // FLY_TOOLS_FLY_LAYOUT_HELP_H
