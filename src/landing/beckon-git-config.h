/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonGitConfigFunc:
 * @section: the name of the section in lower case, without that of a subsection
 * @key: the name of the variable in lower case
 * @value: what stands behind the sign, without quotes and comments
 * @data: the caller's
 */
typedef void (*BeckonGitConfigFunc) (const char *section, const char *key, const char *value, gpointer data);

/**
 * beckon_git_config_parse:
 * @text: what a file of Git's configuration holds
 * @length: its bytes
 * @func: called for each variable that has a value
 * @data: for @func
 *
 * Reads it as Git does, without running Git and without following what it includes. Git refuses a file with a fault in it, but
 * that may be mended: what stands before the fault is told.
 *
 * Returns: %FALSE where Git would refuse it. Any thread; does not block
 */
gboolean beckon_git_config_parse (const char *text, gsize length, BeckonGitConfigFunc func, gpointer data);

G_END_DECLS
