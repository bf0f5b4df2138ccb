// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bare C++ program: what `fly-bench store` compares whole processes with.

#include <iostream>

int main() { std::cout << "bare\n"; }
