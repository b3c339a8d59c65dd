/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The system's words for an `errno`, in English whatever the person's language: a model reads it. Static; any thread. */
const char *beckon_errno_describe (int number);

G_END_DECLS
