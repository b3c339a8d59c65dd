/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * Translates a description of an argument, if it is one of a built-in tool's: the model reads it in English. @description
 * itself if it is not known. Borrowed.
 */
const char *beckon_argument_names_translate (const char *description);

G_END_DECLS
