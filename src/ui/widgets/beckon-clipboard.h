/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Puts @markdown there in two forms: as it is for who knows Markdown, and as it reads for everybody else. */
void beckon_clipboard_set_markdown (GdkClipboard *clipboard, const char *markdown);

/** Puts @markdown there as it is, for who asked for Markdown. */
void beckon_clipboard_set_source (GdkClipboard *clipboard, const char *markdown);

G_END_DECLS
