/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Run three times: with the schema that is installed with this version, with an older one, and with none. What differs
 * is asked of GSettings itself. */

#include "settings/beckon-settings.h"

#include <glib/gstdio.h>
#include <string.h>

static gboolean
has_key (BeckonSettings *settings, const char *key)
{
  g_autoptr (GSettingsSchema) schema = NULL;

  if (beckon_settings_get_gsettings (settings) == NULL)
    return FALSE;

  g_object_get (beckon_settings_get_gsettings (settings), "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key);
}

static void
test_defaults (void)
{
  g_autoptr (BeckonSettings) settings = beckon_settings_new ();
  g_autofree char *profile = beckon_settings_dup_default_profile (settings);
  g_autofree char *instructions = beckon_settings_dup_instructions (settings);

  g_assert_true (beckon_settings_get_enable_ask_user (settings));
  g_assert_cmpint (beckon_settings_get_dismiss (settings), ==, BECKON_DISMISS_STOPS);
  g_assert_cmpstr (profile, ==, "tour");
  g_assert_cmpuint (beckon_settings_get_connect_timeout (settings), ==, 10);
  g_assert_cmpuint (beckon_settings_get_first_byte_timeout (settings), ==, 120);
  g_assert_cmpuint (beckon_settings_get_local_first_byte_timeout (settings), ==, 600);
  g_assert_cmpuint (beckon_settings_get_local_idle_timeout (settings), ==, 300);
  g_assert_cmpuint (beckon_settings_get_idle_timeout (settings), ==, 120);

  if (has_key (settings, "instructions") && !has_key (settings, "dismiss"))
    g_assert_cmpstr (instructions, ==, "from the older schema");
  else
    g_assert_cmpstr (instructions, ==, "");
}

/* Which schema this program sees is the test's own condition: it must not pass with another one. */
static void
test_schema (void)
{
  const char *expected = g_getenv ("BECKON_TEST_SCHEMA");
  g_autoptr (BeckonSettings) settings = beckon_settings_new ();

  g_assert_nonnull (expected);
  if (g_str_equal (expected, "none"))
    g_assert_null (beckon_settings_get_gsettings (settings));
  else
    g_assert_cmpint (has_key (settings, "dismiss"), ==, g_str_equal (expected, "whole"));
}

static void
on_changed (BeckonSettings *settings, const char *key, GString *keys)
{
  g_string_append_printf (keys, "%s ", key);
}

static void
test_changed (void)
{
  g_autoptr (BeckonSettings) settings = beckon_settings_new ();
  g_autoptr (GString) all = g_string_new (NULL);
  g_autoptr (GString) detailed = g_string_new (NULL);
  g_autofree char *profile = NULL;

  g_signal_connect (settings, "changed", G_CALLBACK (on_changed), all);
  g_signal_connect (settings, "changed::default-profile", G_CALLBACK (on_changed), detailed);

  beckon_settings_set_enable_ask_user (settings, FALSE);
  g_assert_false (beckon_settings_get_enable_ask_user (settings));
  beckon_settings_set_enable_ask_user (settings, FALSE);
  beckon_settings_set_default_profile (settings, "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  profile = beckon_settings_dup_default_profile (settings);
  g_assert_cmpstr (profile, ==, "01ARZ3NDEKTSV4RRFFQ69G5FAV");

  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpstr (all->str, ==, "enable-ask-user default-profile ");
  g_assert_cmpstr (detailed->str, ==, "default-profile ");

  beckon_settings_set_enable_ask_user (settings, TRUE);
  beckon_settings_set_default_profile (settings, "tour");
}

/* Every key has words for people, and the ranges hold off what makes no sense. */
static void
test_keys (void)
{
  static const char *const keys[] = {
    "enable-ask-user", "dismiss",           "ask-user-flow",      "default-profile", "instructions",
    "connect-timeout", "first-byte-timeout", "idle-timeout",      "send-with",       "window-width",
    "local-first-byte-timeout", "local-idle-timeout",
    "window-height",   "window-maximized",  "sidebar-visible", "sidebar-by-folder",
  };
  g_autoptr (BeckonSettings) settings = beckon_settings_new ();
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (beckon_settings_get_gsettings (settings), "settings-schema", &schema, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, keys[i]);

      g_assert_nonnull (g_settings_schema_key_get_summary (key));
      g_assert_nonnull (g_settings_schema_key_get_description (key));
    }

}

/* Values that make no sense can't be set. */
static void
test_ranges (void)
{
  static const char *const keys[] = { "connect-timeout", "first-byte-timeout", "idle-timeout", "local-first-byte-timeout", "local-idle-timeout" };
  g_autoptr (BeckonSettings) settings = beckon_settings_new ();
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (beckon_settings_get_gsettings (settings), "settings-schema", &schema, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, keys[i]);
      g_autoptr (GVariant) never = g_variant_ref_sink (g_variant_new_uint32 (0));
      g_autoptr (GVariant) soon = g_variant_ref_sink (g_variant_new_uint32 (5));

      g_assert_false (g_settings_schema_key_range_check (key, never));
      g_assert_true (g_settings_schema_key_range_check (key, soon));
    }
}

static void
test_dismiss (void)
{
  g_autoptr (BeckonSettings) settings = beckon_settings_new ();

  g_settings_set_string (beckon_settings_get_gsettings (settings), "dismiss", "continues");
  g_assert_cmpint (beckon_settings_get_dismiss (settings), ==, BECKON_DISMISS_CONTINUES);
  g_settings_reset (beckon_settings_get_gsettings (settings), "dismiss");
  g_assert_cmpint (beckon_settings_get_dismiss (settings), ==, BECKON_DISMISS_STOPS);
}

static void
run_gsettings (const char *value)
{
  const char *argv[] = { "gsettings", "set", "io.github.beckon.Beckon", "enable-ask-user", value, NULL };
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_NONE, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  g_assert_no_error (error);
}

static void
wait_for (BeckonSettings *settings, gboolean expected)
{
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (beckon_settings_get_enable_ask_user (settings) != expected && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (beckon_settings_get_enable_ask_user (settings), ==, expected);
}

/* `gsettings set` in another process while this one runs. */
static void
test_changed_elsewhere (void)
{
  g_autofree char *program = g_find_program_in_path ("gsettings");
  g_autoptr (BeckonSettings) settings = beckon_settings_new ();
  g_autoptr (GString) keys = g_string_new (NULL);

  if (program == NULL)
    {
      g_test_skip ("the program gsettings is not installed");
      return;
    }

  g_signal_connect (settings, "changed", G_CALLBACK (on_changed), keys);
  run_gsettings ("false");
  wait_for (settings, FALSE);
  g_assert_nonnull (strstr (keys->str, "enable-ask-user"));
  run_gsettings ("true");
  wait_for (settings, TRUE);
}

/* GSettings of this process and of those it starts keep their file there. */
static char *
make_config_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("beckon-settings-XXXXXX", &error);

  g_assert_no_error (error);
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  return folder;
}

static void
remove_config_folder (const char *folder)
{
  static const char *const names[] = { "glib-2.0/settings/keyfile", "glib-2.0/settings", "glib-2.0", "" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_remove (path);
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = make_config_folder ();
  int status;

  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/settings/schema", test_schema);
  g_test_add_func ("/settings/defaults", test_defaults);
  g_test_add_func ("/settings/changed", test_changed);
  if (g_strcmp0 (g_getenv ("BECKON_TEST_SCHEMA"), "whole") == 0)
    {
      g_test_add_func ("/settings/keys", test_keys);
      g_test_add_func ("/settings/ranges", test_ranges);
      g_test_add_func ("/settings/dismiss", test_dismiss);
      g_test_add_func ("/settings/changed-elsewhere", test_changed_elsewhere);
    }

  status = g_test_run ();
  remove_config_folder (folder);
  return status;
}
