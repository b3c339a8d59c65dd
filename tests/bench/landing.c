/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

/*
 * landing FOLDER KIND prints what it takes to survey and to land what a command changed, in seconds, and the most memory that
 * took, in kilobytes. The upper layer is made as an overlay leaves it. Kinds: nothing, changed (10,000 files of 1 KB), made
 * (a folder with 100,000 files).
 */

#include "domain/beckon-change-choice.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-landing-place.h"
#include "landing/beckon-landing-survey.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

/* As an overlay marks what it has copied up. */
static void
mark (const char *path, gboolean is_copied_up)
{
  if (is_copied_up && setxattr (path, "user.overlay.origin", "", 0, 0) != 0)
    exit (1);
}

static void
write_files (const char *folder, guint n, char letter, gboolean is_copied_up)
{
  char text[1024];

  memset (text, letter, sizeof text);
  for (guint i = 63; i < sizeof text; i += 64)
    text[i] = '\n';
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *parent = g_strdup_printf ("%s/%u", folder, i / 100);
      g_autofree char *path = g_strdup_printf ("%s/%u", parent, i);
      int fd;

      if (i % 100 == 0 && g_mkdir_with_parents (parent, 0755) != 0)
        exit (1);
      if (i % 100 == 0)
        mark (parent, is_copied_up);
      fd = open (path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
      if (fd < 0 || write (fd, text, sizeof text) != (gssize) sizeof text)
        exit (1);
      close (fd);
      mark (path, is_copied_up);
    }
}

/* A process that is forked begins with the most that its parent had. */
static void
forget_memory (void)
{
  int fd = open ("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

  if (fd < 0 || write (fd, "5", 1) != 1)
    exit (1);
  close (fd);
}

static long
get_memory (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL) || (line = strstr (text, "VmHWM:")) == NULL)
    exit (1);
  return strtol (line + strlen ("VmHWM:"), NULL, 10);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChangeSet) set = NULL;
  g_autoptr (BeckonLanding) landing = NULL;
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();
  g_autofree char *folder = NULL;
  g_autofree char *place = NULL;
  g_autofree char *upper = NULL;
  g_autofree char *build = NULL;
  gint64 start, surveyed, landed, base;
  long idle;

  if (argc != 3)
    return 2;

  g_setenv ("XDG_DATA_HOME", argv[1], TRUE);
  folder = g_build_filename (argv[1], "folder", NULL);
  place = beckon_landing_place_make ("call", &error);
  if (place == NULL || g_mkdir_with_parents (folder, 0755) != 0)
    return 1;
  upper = g_build_filename (place, "upper", NULL);
  build = g_build_filename (upper, "build", NULL);
  g_mkdir (upper, 0755);
  if (strcmp (argv[2], "made") != 0)
    write_files (folder, 10000, 'a', FALSE);
  sync ();
  base = beckon_landing_survey_now ();
  if (strcmp (argv[2], "changed") == 0)
    write_files (upper, 10000, 'b', TRUE);
  if (strcmp (argv[2], "made") == 0)
    write_files (build, 100000, 'b', FALSE);
  sync ();

  forget_memory ();
  idle = get_memory ();
  start = g_get_monotonic_time ();
  set = beckon_landing_survey (place, folder, base, NULL, NULL, NULL, &error);
  if (set == NULL)
    return 1;
  surveyed = g_get_monotonic_time ();
  landing = beckon_landing_new ("call", folder, place, base, set);
  beckon_change_choice_apply (choice, landing->changes);
  if (beckon_change_set_get_n_changes (set) > 0
      && (!beckon_lander_plan (landing, &error) || !beckon_lander_land (landing, &error)))
    return 1;
  landed = g_get_monotonic_time ();
  if (beckon_change_set_count (landing->changes, BECKON_FILE_KEPT) != beckon_change_set_get_n_changes (landing->changes))
    return 1;
  g_print ("%.6f %.6f %ld\n", (double) (surveyed - start) / 1e6, (double) (landed - surveyed) / 1e6, get_memory () - idle);
  return 0;
}
