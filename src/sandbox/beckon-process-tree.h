/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonProcessTree:
 * @n_threads: threads of all processes below, counted up to the limit
 * @memory_bytes: the memory that is theirs alone or shared among them, swapped or not, each page once, and what is in the
 *   temporary file systems and nameless files of the sandbox
 * @written_bytes: what they and those before them sent to file systems on disks
 */
typedef struct
{
  guint n_threads;
  guint64 memory_bytes;
  guint64 written_bytes;
} BeckonProcessTree;

/**
 * beckon_process_tree_measure:
 * @pid: a process
 * @max_threads: where to stop counting: of more, nothing else is measured
 * @enough_bytes: how much memory is worth an exact look: up to that the quick sum, which counts shared pages for each process,
 *   is given back
 * @tree: (out): what is below @pid, without it
 *
 * Reads what the kernel says of these processes, and of no others. Processes that come and go meanwhile may be missed. Blocks:
 * worker threads only.
 */
void beckon_process_tree_measure (int pid, guint max_threads, guint64 enough_bytes, BeckonProcessTree *tree);

/** Whether the kernel says which children a process has. Without that nothing can be measured. */
gboolean beckon_process_tree_is_possible (void);

G_END_DECLS
