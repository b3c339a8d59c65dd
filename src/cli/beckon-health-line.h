/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

G_BEGIN_DECLS

/** Says on standard error, once each time, what is wrong with the files of the store and what was repaired, as long as @runtime
 *  is there. */
void beckon_health_line_follow (BeckonRuntime *runtime);

G_END_DECLS
