/* Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The header, read by a C compiler, and its functions called from C.
 */

#include "fly-c/Target.h"

MlirAttribute flyTestTargetInC(MlirContext context, const char *text);

MlirAttribute flyTestTargetInC(MlirContext context, const char *text) {
  MlirAttribute none = {NULL};
  MlirStringRef name = {text, 0};
  while (text[name.length])
    ++name.length;
  MlirAttribute target = mlirFlyTargetAttrParse(context, name, NULL, NULL);
  return mlirFlyAttributeIsATarget(target) ? target : none;
}
