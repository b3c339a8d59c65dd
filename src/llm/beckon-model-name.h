/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A model keeps its habits wherever it is served, so they are known by its name and not by the host. */

/**
 * beckon_model_name_is_of:
 * @model: a model's name, which may have a maker or folders before it, as gateways write it: "deepseek/deepseek-v4"
 * @family: how the family's names begin, in lower case
 *
 * Returns: %TRUE if the name, or one of the words that slashes part it into, begins with @family; in any case
 */
gboolean beckon_model_name_is_of (const char *model, const char *family);

/**
 * beckon_model_name_get_version:
 * @model: a model's name
 * @before: what stands before the version, such as "gemini-"; in lower case
 *
 * Returns: the version behind the first @before that a number follows, times 100: 405 of "claude-opus-4-5-20251101", 205
 *   of "gemini-2.5-pro"; 0 if there is none. A number of more than two digits is a date and no part of a version.
 */
guint beckon_model_name_get_version (const char *model, const char *before);

G_END_DECLS
