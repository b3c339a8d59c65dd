/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-process-tree.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* More is stopped long before. */
#define MAX_PROCESSES 100000

/* The cost of any file in a file system that is memory. */
#define INODE_BYTES 1024

typedef struct
{
  int pid;
  guint64 memory_bytes; /* by the quick sum */
} Process;

static const char *const temporary_folders[] = { "/tmp", "/dev/shm" };

gboolean
beckon_process_tree_is_possible (void)
{
  return access ("/proc/thread-self/children", R_OK) == 0;
}

static char *
process_tree_read_file (int pid, const char *name)
{
  char path[64];
  char *text = NULL;

  g_snprintf (path, sizeof path, "/proc/%d/%s", pid, name);
  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

/* 0 where it is not there. @key is the beginning of a line, with its colon. */
static guint64
process_tree_get_number (const char *text, const char *key)
{
  const gsize length = strlen (key);

  for (const char *line = text; line != NULL; line = strchr (line, '\n'))
    {
      line += *line == '\n';
      if (strncmp (line, key, length) == 0)
        return g_ascii_strtoull (line + length, NULL, 10);
    }

  return 0;
}

static guint64
get_kilobytes (const char *text, const char *key)
{
  return process_tree_get_number (text, key) * 1024;
}

/* Each thread has children of its own. */
static void
add_children (int pid, GArray *processes)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%d/task", pid);
  g_autoptr (GDir) threads = g_dir_open (folder, 0, NULL);
  const char *thread;

  while (threads != NULL && (thread = g_dir_read_name (threads)) != NULL)
    {
      g_autofree char *name = g_strdup_printf ("task/%s/children", thread);
      g_autofree char *text = process_tree_read_file (pid, name);

      if (text != NULL)
        {
          g_auto (GStrv) words = g_strsplit (text, " ", -1);

          for (guint i = 0; words[i] != NULL && processes->len < MAX_PROCESSES; i++)
            {
              Process process = { (int) g_ascii_strtoll (words[i], NULL, 10), 0 };

              if (process.pid > 0)
                g_array_append_val (processes, process);
            }
        }
    }
}

/* %FALSE while it is not in a root of its own, and where it is kept from being seen. */
static gboolean
has_own_root (int pid)
{
  char path[64];
  struct stat theirs, ours;

  g_snprintf (path, sizeof path, "/proc/%d/root", pid);
  return stat (path, &theirs) == 0 && stat ("/", &ours) == 0
         && (theirs.st_dev != ours.st_dev || theirs.st_ino != ours.st_ino);
}

/* All of them see the same. */
static guint64
get_temporary_files (GArray *processes)
{
  for (guint i = 1; i < processes->len; i++)
    {
      int pid = g_array_index (processes, Process, i).pid;

      if (has_own_root (pid))
        {
          guint64 sum = 0;

          for (guint j = 0; j < G_N_ELEMENTS (temporary_folders); j++)
            {
              g_autofree char *path = g_strdup_printf ("/proc/%d/root%s", pid, temporary_folders[j]);
              struct statfs info;

              if (statfs (path, &info) == 0 && info.f_type == TMPFS_MAGIC)
                sum += (guint64) (info.f_blocks - info.f_bfree) * (guint64) info.f_bsize
                       + (guint64) (info.f_files - info.f_ffree) * INODE_BYTES;
            }

          return sum;
        }
    }

  return 0;
}

/* How much memory of the whole computer belongs to files that are memory: quickly said. */
static guint64
get_all_shared (void)
{
  g_autofree char *text = NULL;

  return g_file_get_contents ("/proc/meminfo", &text, NULL, NULL) ? get_kilobytes (text, "Shmem:") : 0;
}

/* Files without a name are in no file system that could be asked, and they need not be mapped. They are looked for where
 * the computer has so much of that kind at all. */
static guint64
get_nameless_files (GArray *processes, guint64 enough_bytes)
{
  g_autoptr (GHashTable) seen = NULL;
  guint64 sum = 0;

  if (get_all_shared () < enough_bytes / 2)
    return 0;

  seen = g_hash_table_new (NULL, NULL);
  for (guint i = 1; i < processes->len; i++)
    {
      g_autofree char *folder = g_strdup_printf ("/proc/%d/fd", g_array_index (processes, Process, i).pid);
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = g_build_filename (folder, name, NULL);
          g_autofree char *target = g_file_read_link (path, NULL);
          struct stat info;

          if (target != NULL && g_str_has_prefix (target, "/memfd:") && stat (path, &info) == 0
              && g_hash_table_add (seen, GSIZE_TO_POINTER (info.st_ino)))
            sum += (guint64) info.st_blocks * 512;
        }
    }
  return sum;
}

void
beckon_process_tree_measure (int pid, guint max_threads, guint64 enough_bytes, BeckonProcessTree *tree)
{
  g_autoptr (GArray) processes = g_array_new (FALSE, FALSE, sizeof (Process));
  const Process first = { pid, 0 };
  guint64 files;

  g_return_if_fail (tree != NULL);

  *tree = (BeckonProcessTree) { 0 };
  g_array_append_val (processes, first);
  for (guint i = 0; i < processes->len && tree->n_threads <= max_threads; i++)
    {
      add_children (g_array_index (processes, Process, i).pid, processes);
      if (i > 0)
        {
          Process *process = &g_array_index (processes, Process, i);
          g_autofree char *status = process_tree_read_file (process->pid, "status");
          g_autofree char *io = process_tree_read_file (process->pid, "io");

          /* The one who waits for a process counts what that wrote as its own, so only what is not waited for is lost. */
          if (status != NULL)
            {
              tree->n_threads += (guint) process_tree_get_number (status, "Threads:");
              process->memory_bytes = get_kilobytes (status, "RssAnon:") + get_kilobytes (status, "RssShmem:")
                                      + get_kilobytes (status, "VmSwap:");
              tree->memory_bytes += process->memory_bytes;
              if (io != NULL)
                {
                  guint64 written = process_tree_get_number (io, "write_bytes:");
                  guint64 cancelled = process_tree_get_number (io, "cancelled_write_bytes:");

                  tree->written_bytes += written > cancelled ? written - cancelled : 0;
                }
            }
        }
    }
  if (tree->n_threads > max_threads)
    return;

  files = get_temporary_files (processes) + get_nameless_files (processes, enough_bytes);
  if (tree->memory_bytes + files > enough_bytes)
    {
      guint64 sum = 0;

      /* Counts each process's share of shared pages. The kernel goes through all pages for that, which takes its time, and
       * shows it of no process whose program may not be read. */
      for (guint i = 1; i < processes->len; i++)
        {
          const Process *process = &g_array_index (processes, Process, i);
          g_autofree char *text = process_tree_read_file (process->pid, "smaps_rollup");

          if (text != NULL && *text != '\0')
            sum += get_kilobytes (text, "Pss_Anon:") + get_kilobytes (text, "Pss_Shmem:") + get_kilobytes (text, "SwapPss:");
          else
            sum += process->memory_bytes;
        }

      tree->memory_bytes = sum;
    }
  tree->memory_bytes += files;
}
