/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CODE_BLOCK (beckon_code_block_get_type ())
G_DECLARE_FINAL_TYPE (BeckonCodeBlock, beckon_code_block, BECKON, CODE_BLOCK, AdwBin)

/** Text in a fixed width with buttons that copy and save it. Long lines scroll sideways, or wrap where that is set. */
GtkWidget *beckon_code_block_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** A wrapped one with @length bytes of @hunks, -1 for all, as they are decided on: hidden characters are marked, and long
 *  lines go on below, behind ↳. */
GtkWidget *beckon_code_block_new_hunks (const char *hunks, gssize length) G_GNUC_WARN_UNUSED_RESULT;

/** The same with a text that is no difference: lines that begin with a sign are not coloured. */
GtkWidget *beckon_code_block_new_content (const char *content, gssize length) G_GNUC_WARN_UNUSED_RESULT;

/** @language: (nullable): shown above the text, which is coloured as that language is. */
void beckon_code_block_set_language (BeckonCodeBlock *self, const char *language);

/** The text is a diff, and that goes without saying. */
void beckon_code_block_set_diff (BeckonCodeBlock *self);

/** The text is hunks of a diff, without lines that name files, and stands so closely to others that it has no buttons. */
void beckon_code_block_set_wrap (BeckonCodeBlock *self, gboolean wrap);

/** Shows @text; what is longer than can be laid out at once is cut, and says so. The button copies the whole. */
void beckon_code_block_set_text (BeckonCodeBlock *self, const char *text);

/**
 * beckon_code_block_update:
 * @self: the block
 * @text: what to show; a line break at its end is not
 * @length: its bytes
 * @same: how many bytes of it, from the beginning, are certainly what they were at the last call
 *
 * Shows @text, laying out only what is new.
 */
void beckon_code_block_update (BeckonCodeBlock *self, const char *text, gsize length, gsize same);

G_END_DECLS
