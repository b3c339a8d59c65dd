/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonProcessTree:
 * @n_threads: threads of all processes below, counted up to the limit
 * @resident_bytes: their resident memory together; shared pages count for each
 */
typedef struct
{
  guint n_threads;
  guint64 resident_bytes;
} BeckonProcessTree;

/**
 * beckon_process_tree_measure:
 * @pid: a process
 * @max_threads: where to stop counting
 * @nice: how far behind others they stand from now on
 * @tree: (out): what is below @pid, without it
 *
 * Reads /proc, so not on the main thread. What comes and goes meanwhile may be missed.
 */
void beckon_process_tree_measure (int pid, guint max_threads, int nice, BeckonProcessTree *tree);

G_END_DECLS
