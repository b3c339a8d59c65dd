/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * What the description of an argument is in the person's language, where it is one of a built-in tool's: the model reads it in
 * English. @description itself where nothing is known about it. Borrowed.
 */
const char *beckon_argument_names_translate (const char *description);

G_END_DECLS
