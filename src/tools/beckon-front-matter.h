/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonFrontMatter:
 * @name: (nullable): the value of `name`
 * @description: (nullable): the value of `description`
 * @hint: (nullable): the value of `argument-hint`
 * @body: what stands behind the front matter; points into the text that was read
 *
 * What stands between two lines of three dashes at the beginning of a Markdown file.
 */
typedef struct
{
  char *name;
  char *description;
  char *hint;
  const char *body;
} BeckonFrontMatter;

/**
 * beckon_front_matter_read:
 * @text: a text with lines that end in \n
 * @matter: (out): what it says; cleared with beckon_front_matter_clear() in any case
 * @error: return location
 *
 * Reads a small part of YAML: keys at the margin with values on their line, plain or quoted, or folded (`>`) or literal (`|`)
 * below it. Keys of which nothing is needed are passed over with all that is indented below them. Anything else is an error.
 * A text without front matter is its own body. Pure; any thread.
 *
 * Returns: %FALSE with %BECKON_ERROR_INVALID and a message in English that names the line
 */
gboolean beckon_front_matter_read (const char *text, BeckonFrontMatter *matter, GError **error);
void     beckon_front_matter_clear (BeckonFrontMatter *matter);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonFrontMatter, beckon_front_matter_clear)

G_END_DECLS
