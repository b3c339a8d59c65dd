/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-sandbox-variables.h"

#include <unistd.h>

typedef struct
{
  const char *name;
  const char *value;
} Variable;

static const Variable fixed[] = {
  { "TERM", "dumb" },
  { "USER", "user" },
  { "LOGNAME", "user" },
  { "GIT_TERMINAL_PROMPT", "0" },
};

/* Git knows files by inodes as well, and would read all of them anew and write down what it found. */
static const Variable known_by_time[] = {
  { "GIT_OPTIONAL_LOCKS", "0" },
  { "GIT_CONFIG_COUNT", "2" },
  { "GIT_CONFIG_KEY_0", "core.checkStat" },
  { "GIT_CONFIG_VALUE_0", "minimal" },
  { "GIT_CONFIG_KEY_1", "core.trustctime" },
  { "GIT_CONFIG_VALUE_1", "false" },
};

static const char *const kept[] = { "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANGUAGE", "TZ" };

const char *
beckon_sandbox_get_shell (void)
{
  static gsize shell;

  if (g_once_init_enter (&shell))
    g_once_init_leave (&shell, (gsize) (access ("/bin/bash", X_OK) == 0 ? "/bin/bash" : "/bin/sh"));
  return (const char *) shell;
}

void
beckon_sandbox_variables_foreach (const char *home, const char *ignore_file, BeckonSandboxVariable function, gpointer data)
{
  function ("HOME", home, data);
  function ("SHELL", beckon_sandbox_get_shell (), data);
  for (guint i = 0; i < G_N_ELEMENTS (fixed); i++)
    function (fixed[i].name, fixed[i].value, data);
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    if (g_getenv (kept[i]) != NULL)
      function (kept[i], g_getenv (kept[i]), data);
  if (ignore_file == NULL)
    return;
  function ("GIT_CONFIG_COUNT", "1", data);
  function ("GIT_CONFIG_KEY_0", "core.excludesFile", data);
  function ("GIT_CONFIG_VALUE_0", ignore_file, data);
}

void
beckon_sandbox_variables_foreach_of_copy (BeckonSandboxVariable function, gpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (known_by_time); i++)
    function (known_by_time[i].name, known_by_time[i].value, data);
}
