/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/** Tries one input. The name is libFuzzer's. Fails by ending the program. */
int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);
