/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CODE_BLOCK (beckon_code_block_get_type ())
G_DECLARE_FINAL_TYPE (BeckonCodeBlock, beckon_code_block, BECKON, CODE_BLOCK, AdwBin)

/** Text in a fixed width with a button that copies it. Long lines scroll sideways, or wrap where that is set. */
GtkWidget *beckon_code_block_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** @language: (nullable): shown above the text. */
void beckon_code_block_set_language (BeckonCodeBlock *self, const char *language);

/** The text is a diff, and that goes without saying. */
void beckon_code_block_set_diff (BeckonCodeBlock *self);
void beckon_code_block_set_wrap (BeckonCodeBlock *self, gboolean wrap);

/** Shows @text; what is longer than can be laid out at once is cut, and says so. The button copies the whole. */
void beckon_code_block_set_text (BeckonCodeBlock *self, const char *text);

/** Shows @text and the line that still comes, laying out only what is new since the last call. */
void beckon_code_block_update (BeckonCodeBlock *self, const GString *text, const char *tail, gboolean reset);

G_END_DECLS
