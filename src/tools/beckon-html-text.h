/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_html_text_read:
 * @bytes: HTML, however broken
 * @charset: (nullable): its encoding, if something outside of it says so
 * @url: where it came from, which its links are relative to
 * @title: (out) (optional) (nullable): what it calls itself; caller frees
 *
 * Returns: (transfer full): what a person would read of it, as plain text with Markdown's headings, lists and links; empty if
 *   there is nothing. Nothing that it names is fetched. Any thread.
 */
char *beckon_html_text_read (GBytes *bytes, const char *charset, const char *url, char **title) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
