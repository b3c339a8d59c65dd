/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Arguments of bubblewrap, each with a zero byte behind it, as it reads them from a descriptor: they need not be known when it
 * begins, and they are not in the list of processes.
 */

/** Adds the strings, up to a %NULL. */
void beckon_bwrap_add (GString *arguments, const char *first, ...) G_GNUC_NULL_TERMINATED;

/** Adds @option with the number of @fd, which @fds (element-type int) takes; bubblewrap is given it under that number. */
void beckon_bwrap_add_fd (GString *arguments, GArray *fds, const char *option, int fd);

/** Adds a file, @path, of what @fd has, for all to read; @fds (element-type int) takes @fd. */
void beckon_bwrap_add_file (GString *arguments, GArray *fds, int fd, const char *path);

/**
 * Whether the bubblewrap at @program has --bind-fd: then it binds what was opened, whatever became of its path meanwhile. Its
 * version does not tell, because distributions added that to older ones, and to ask it would cost a start. Any thread.
 */
gboolean beckon_bwrap_binds_descriptors (const char *program);

G_END_DECLS
