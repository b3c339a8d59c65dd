/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-path.h"

#include <pwd.h>
#include <string.h>
#include <unistd.h>

/* GLib keeps what it found first, so this has a program of its own. */
static void
test_relative (void)
{
  const struct passwd *user = getpwuid (getuid ());
  g_autofree char *data = NULL;

  g_assert_nonnull (user);
  g_setenv ("HOME", "", TRUE);
  g_setenv ("XDG_DATA_HOME", "data", TRUE);
  g_setenv ("XDG_CONFIG_HOME", "/config", TRUE);
  g_setenv ("XDG_CACHE_HOME", "", TRUE);
  g_unsetenv ("XDG_STATE_HOME");

  beckon_base_directories_check ();

  g_assert_null (g_getenv ("HOME"));
  g_assert_null (g_getenv ("XDG_DATA_HOME"));
  g_assert_null (g_getenv ("XDG_CACHE_HOME"));
  g_assert_null (g_getenv ("XDG_STATE_HOME"));
  g_assert_cmpstr (g_get_home_dir (), ==, user->pw_dir);
  g_assert_cmpstr (g_get_user_config_dir (), ==, "/config");
  data = g_build_filename (user->pw_dir, ".local", "share", NULL);
  g_assert_cmpstr (g_get_user_data_dir (), ==, data);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/directories/relative", test_relative);
  return g_test_run ();
}
