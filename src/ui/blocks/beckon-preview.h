/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PREVIEW (beckon_preview_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPreview, beckon_preview, BECKON, PREVIEW, AdwBin)

/**
 * beckon_preview_new:
 * @text: Markdown from a model; what is plainly a unified diff without a fence is shown as one
 * @of: what it is a preview of, for screen readers
 *
 * What an option would look like: a bounded pane that scrolls inside.
 */
GtkWidget *beckon_preview_new (const char *text, const char *of) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
