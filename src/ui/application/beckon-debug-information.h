/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

G_BEGIN_DECLS

/**
 * beckon_debug_information_make:
 * @runtime: (nullable): the one that is open
 *
 * Returns: (transfer full): what somebody who looks for a fault has to know, in English: versions, where it runs and how many
 *   of what there are; nothing that was written, no names, no addresses, no keys
 */
char *beckon_debug_information_make (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
