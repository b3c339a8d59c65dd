/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-marked.h"

#include <stdlib.h>

gboolean
beckon_marked_is_running (const char *marker)
{
  g_autofree char *command = g_strdup_printf ("grep -lz -- '%s' /proc/[0-9]*/environ 2>/dev/null | grep -q .", marker);

  return system (command) == 0;
}

/* To look takes its time, too, on a busy machine: what was asked in time counts. What isn't ended by force stays for ever, so
 * the limit only has to be far above what ending takes. */
void
beckon_marked_assert_ends (const char *marker, gint64 since)
{
  gint64 asked = g_get_monotonic_time ();

  for (; beckon_marked_is_running (marker); asked = g_get_monotonic_time ())
    g_assert_cmpint (asked - since, <, 10 * G_USEC_PER_SEC);
}
