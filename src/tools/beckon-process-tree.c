/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-process-tree.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Fields of /proc/PID/stat behind the name, which may hold anything, so they are counted from its last parenthesis. */
#define FIELD_PARENT 1
#define FIELD_THREADS 17
#define FIELD_RESIDENT 21

typedef struct
{
  int pid;
  int parent;
  guint n_threads;
  guint64 resident_bytes;
  gboolean is_below;
} Process;

static gboolean
read_process (const char *name, Process *process)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/stat", name);
  g_autofree char *contents = NULL;
  g_auto (GStrv) fields = NULL;
  const char *rest;

  if (!g_file_get_contents (path, &contents, NULL, NULL))
    return FALSE;

  rest = strrchr (contents, ')');
  if (rest == NULL || rest[1] == '\0')
    return FALSE;

  fields = g_strsplit (rest + 2, " ", FIELD_RESIDENT + 2);
  if (g_strv_length (fields) <= FIELD_RESIDENT)
    return FALSE;

  process->pid = (int) g_ascii_strtoll (name, NULL, 10);
  process->parent = (int) g_ascii_strtoll (fields[FIELD_PARENT], NULL, 10);
  process->n_threads = (guint) g_ascii_strtoull (fields[FIELD_THREADS], NULL, 10);
  process->resident_bytes = g_ascii_strtoull (fields[FIELD_RESIDENT], NULL, 10) * (guint64) sysconf (_SC_PAGESIZE);
  process->is_below = FALSE;
  return TRUE;
}

static GArray *
read_all (void)
{
  GArray *processes = g_array_new (FALSE, FALSE, sizeof (Process));
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      Process process;

      if (g_ascii_isdigit (*name) && read_process (name, &process))
        g_array_append_val (processes, process);
    }

  return processes;
}

/* Marks the children of what is marked, until there is none left. */
static void
mark_below (GArray *processes, int pid)
{
  g_autoptr (GHashTable) below = g_hash_table_new (NULL, NULL);
  gboolean found = TRUE;

  g_hash_table_add (below, GINT_TO_POINTER (pid));
  while (found)
    {
      found = FALSE;
      for (guint i = 0; i < processes->len; i++)
        {
          Process *process = &g_array_index (processes, Process, i);

          if (process->is_below || !g_hash_table_contains (below, GINT_TO_POINTER (process->parent)))
            continue;
          process->is_below = found = TRUE;
          g_hash_table_add (below, GINT_TO_POINTER (process->pid));
        }
    }
}

void
beckon_process_tree_measure (int pid, guint max_threads, int nice, BeckonProcessTree *tree)
{
  g_autoptr (GArray) processes = read_all ();

  g_return_if_fail (tree != NULL);

  tree->n_threads = 0;
  tree->resident_bytes = 0;
  mark_below (processes, pid);
  for (guint i = 0; i < processes->len && tree->n_threads < max_threads; i++)
    {
      const Process *process = &g_array_index (processes, Process, i);

      if (!process->is_below)
        continue;
      setpriority (PRIO_PROCESS, (id_t) process->pid, nice);
      tree->n_threads += process->n_threads;
      tree->resident_bytes += process->resident_bytes;
    }
}
