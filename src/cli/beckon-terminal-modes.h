/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_terminal_modes_enter:
 * @pastes: whether the terminal is to mark what is pasted, for which Readline is set up
 *
 * Takes the terminal that is standard input over from the kernel's line editing: keys come one by one, unseen. The modes of
 * before come back with beckon_terminal_modes_leave(), when the program ends, crashes or is stopped by Ctrl+Z; after SIGKILL
 * the shell has to do it. Resumed in the foreground, the program has its modes again and gets SIGWINCH.
 *
 * Main thread.
 */
void beckon_terminal_modes_enter (gboolean pastes);

/** With SIGWINCH: whether the program was resumed since the last time, and its prompt is off the screen. */
gboolean beckon_terminal_modes_take_resumed (void);

void beckon_terminal_modes_leave (void);

G_END_DECLS
