/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * A file system that is slow, or does not answer at all, below one folder: look-ups there (realpath, open, stat, access,
 * readlink and their relatives) wait. Linked into a test program, whose definitions the libraries use instead of libc's.
 * Look-ups on the main thread are counted and delayed, but never stalled, so that a test that finds one can say so.
 */

/** Makes look-ups below @folder, an absolute path with links resolved, slow by @delay_ms; %NULL: none is. */
void beckon_slow_files_set (const char *folder, unsigned delay_ms);

/** Look-ups below the folder wait from now on until they are released. Other threads only. */
void beckon_slow_files_stall (void);
void beckon_slow_files_release (void);

/** Look-ups below the folder since it was set, on the main thread and on others, and how many wait now. */
unsigned beckon_slow_files_count_main (void);
unsigned beckon_slow_files_count_other (void);
unsigned beckon_slow_files_count_waiting (void);

/** (nullable): the first look-up on the main thread, as "realpath /folder/file". */
const char *beckon_slow_files_get_first (void);
