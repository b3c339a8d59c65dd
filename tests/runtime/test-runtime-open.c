/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A program's parts, made once: opened in each way, closed, and opened again. */

#include "beckon-tree.h"
#include "runtime/beckon-environment-import.h"
#include "runtime/beckon-runtime.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  char *root;
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->root = g_dir_make_tmp ("beckon-runtime-XXXXXX", NULL);
  fixture->folder = g_build_filename (fixture->root, "data", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_tree_remove (fixture->root);
  g_free (fixture->root);
  g_free (fixture->folder);
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

static gboolean
try_open (BeckonRuntime *runtime, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_runtime_open_async (runtime, NULL, on_result, &result);
  return beckon_runtime_open_finish (runtime, wait_for (&result), error);
}

static void
finish (BeckonRuntime *runtime)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_runtime_close_async (runtime, on_result, &result);
  g_assert_true (beckon_runtime_close_finish (runtime, wait_for (&result), &error));
  g_assert_no_error (error);
  g_object_unref (runtime);
}

static BeckonRuntime *
start (Fixture *fixture)
{
  BeckonRuntime *runtime = beckon_runtime_new (fixture->folder);
  g_autoptr (GError) error = NULL;

  g_assert_true (try_open (runtime, &error));
  g_assert_no_error (error);
  return runtime;
}

static guint
count_conversations (BeckonRuntime *runtime)
{
  return g_list_model_get_n_items (G_LIST_MODEL (beckon_runtime_get_library (runtime)));
}

/* Stores a conversation of which nothing but a draft is there. */
static void
leave_a_draft (Fixture *fixture)
{
  BeckonRuntime *runtime = start (fixture);
  BeckonLibrary *library = beckon_runtime_get_library (runtime);
  BeckonConversation *conversation = beckon_library_create (library);

  beckon_library_save_draft (library, conversation, "Not sent yet");
  finish (runtime);
}

/* A draft of the program's last moment is there at its next start. */
static void
test_again (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = NULL;
  BeckonRuntime *runtime;

  leave_a_draft (fixture);
  runtime = start (fixture);
  g_assert_cmpuint (count_conversations (runtime), ==, 1);
  conversation = g_list_model_get_item (G_LIST_MODEL (beckon_runtime_get_library (runtime)), 0);
  g_assert_cmpstr (beckon_conversation_get_draft (conversation), ==, "Not sent yet");
  finish (runtime);
}

/* The parts are there before anything is read, and are the same ones afterwards. */
static void
test_parts (Fixture *fixture, gconstpointer data)
{
  BeckonRuntime *runtime = beckon_runtime_new (fixture->folder);
  gpointer before[]
    = { beckon_runtime_get_agent (runtime), beckon_runtime_get_inbox (runtime), beckon_runtime_get_library (runtime),
        beckon_runtime_get_profiles (runtime), beckon_runtime_get_rules (runtime), beckon_runtime_get_secrets (runtime),
        beckon_runtime_get_settings (runtime), beckon_runtime_get_store (runtime), beckon_runtime_get_tools (runtime) };
  gpointer after[G_N_ELEMENTS (before)];

  for (gsize i = 0; i < G_N_ELEMENTS (before); i++)
    g_assert_true (G_IS_OBJECT (before[i]));
  g_assert_true (try_open (runtime, NULL));
  after[0] = beckon_runtime_get_agent (runtime);
  after[1] = beckon_runtime_get_inbox (runtime);
  after[2] = beckon_runtime_get_library (runtime);
  after[3] = beckon_runtime_get_profiles (runtime);
  after[4] = beckon_runtime_get_rules (runtime);
  after[5] = beckon_runtime_get_secrets (runtime);
  after[6] = beckon_runtime_get_settings (runtime);
  after[7] = beckon_runtime_get_store (runtime);
  after[8] = beckon_runtime_get_tools (runtime);
  g_assert_cmpmem (before, sizeof before, after, sizeof after);
  g_assert_nonnull (beckon_tool_registry_lookup (beckon_runtime_get_tools (runtime), "read_file"));
  finish (runtime);
}

/* A program that begins one conversation reads no other. */
static void
test_light (Fixture *fixture, gconstpointer data)
{
  BeckonRuntime *runtime;

  leave_a_draft (fixture);
  runtime = beckon_runtime_new (fixture->folder);
  beckon_runtime_set_light (runtime, TRUE);
  g_assert_true (try_open (runtime, NULL));
  g_assert_cmpuint (count_conversations (runtime), ==, 0);
  finish (runtime);
}

static void
on_usable (BeckonRuntime *runtime, GAsyncResult **result)
{
  guint *n = g_object_get_data (G_OBJECT (runtime), "n-usable");

  ++*n;
  /* The first page of a window is there; the runtime is not open yet. */
  g_assert_null (*result);
}

/* A window is told once that it is usable, and then that all of it is there. */
static void
test_gradual (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  BeckonRuntime *runtime;
  guint n = 0;

  leave_a_draft (fixture);
  runtime = beckon_runtime_new (fixture->folder);
  beckon_runtime_set_gradual (runtime, TRUE);
  g_object_set_data (G_OBJECT (runtime), "n-usable", &n);
  g_signal_connect (runtime, "usable", G_CALLBACK (on_usable), &result);
  beckon_runtime_open_async (runtime, NULL, on_result, &result);
  g_assert_cmpuint (n, ==, 0);
  g_assert_true (beckon_runtime_open_finish (runtime, wait_for (&result), &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (count_conversations (runtime), ==, 1);
  finish (runtime);
}

/* A folder that cannot be made is an error in words, and what was opened in vain is closed as well. */
static void
test_no_folder (Fixture *fixture, gconstpointer data)
{
  BeckonRuntime *runtime = beckon_runtime_new (fixture->folder);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (fixture->folder, "a file", -1, NULL));
  g_assert_false (try_open (runtime, &error));
  g_assert_nonnull (error);
  g_assert_cmpstr (error->message, !=, "");
  finish (runtime);
}

/* --- Keys of the environment -------------------------------------------------------------------------------------- */

static void
clear_variables (void)
{
  GPtrArray *presets = beckon_preset_get_all ();

  for (guint i = 0; i < presets->len; i++)
    {
      const char *variable;

      while ((variable = beckon_preset_find_variable (g_ptr_array_index (presets, i))) != NULL)
        g_unsetenv (variable);
    }
}

static void
assert_listed (BeckonProfiles *profiles, const char *id)
{
  g_autoptr (GPtrArray) found = beckon_environment_import_list (profiles);

  g_assert_cmpuint (found->len, ==, id != NULL ? 1 : 0);
  if (id != NULL)
    g_assert_cmpstr (beckon_preset_get_id (g_ptr_array_index (found, 0)), ==, id);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (beckon_profiles_save_finish (BECKON_PROFILES (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

/* A key is offered for its provider, unless it is none, or a profile for that server is there under any name. */
static void
test_offered (Fixture *fixture, gconstpointer data)
{
  static const char *const no_keys[] = { "", " ", "sk-one\nX-Other: 1", "sk\x01" };
  BeckonRuntime *runtime = start (fixture);
  BeckonProfiles *profiles = beckon_runtime_get_profiles (runtime);
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("mine", BECKON_PROFILE_CHAT);
  gboolean done = FALSE;

  clear_variables ();
  assert_listed (profiles, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (no_keys); i++)
    {
      g_setenv ("ANTHROPIC_API_KEY", no_keys[i], TRUE);
      assert_listed (profiles, NULL);
    }
  g_setenv ("ANTHROPIC_API_KEY", "sk-ant-canary", TRUE);
  assert_listed (profiles, "anthropic");

  g_object_set (profile, "name", "Other", "model", "m", "base-url", "https://API.anthropic.com:443/other", NULL);
  beckon_profiles_save_async (profiles, profile, NULL, on_saved, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  assert_listed (profiles, NULL);
  clear_variables ();
  finish (runtime);
}

typedef struct
{
  int made;
  gboolean for_session;
  char *problems;
  GError *error;
} Imported;

static void
import (BeckonRuntime *runtime, GCancellable *cancellable, Imported *imported)
{
  BeckonProfiles *profiles = beckon_runtime_get_profiles (runtime);
  g_autoptr (GAsyncResult) result = NULL;

  beckon_environment_import_async (profiles, beckon_runtime_get_secrets (runtime), beckon_runtime_get_tester (runtime),
                                   cancellable, on_result, &result);
  imported->made = beckon_environment_import_finish (profiles, wait_for (&result), &imported->for_session,
                                                     &imported->problems, &imported->error);
}

/* A server that can't be asked for its models has no profile made; the reason is a sentence without the key. */
static void
test_not_imported (Fixture *fixture, gconstpointer data)
{
  BeckonRuntime *runtime = start (fixture);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (runtime));
  guint n = g_list_model_get_n_items (profiles);
  Imported imported = { 0 };

  clear_variables ();
  g_setenv ("ANTHROPIC_API_KEY", "sk-ant-canary", TRUE);
  import (runtime, NULL, &imported);
  g_assert_no_error (imported.error);
  g_assert_cmpint (imported.made, ==, 0);
  g_assert_true (g_str_has_prefix (imported.problems, "Anthropic was not imported. "));
  g_assert_null (strstr (imported.problems, "canary"));
  g_assert_cmpuint (g_list_model_get_n_items (profiles), ==, n);
  g_free (imported.problems);

  g_cancellable_cancel (cancelled);
  import (runtime, cancelled, &imported);
  g_assert_error (imported.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (imported.made, ==, -1);
  g_assert_cmpstr (imported.problems, ==, "");
  g_free (imported.problems);
  g_error_free (imported.error);
  clear_variables ();
  finish (runtime);
}

int
main (int argc, char **argv)
{
  /* No port is open there: nothing of this goes anywhere. */
  g_setenv ("https_proxy", "http://127.0.0.1:9", TRUE);
  g_setenv ("http_proxy", "http://127.0.0.1:9", TRUE);
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/runtime/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("open/again", test_again);
  ADD ("open/parts", test_parts);
  ADD ("open/light", test_light);
  ADD ("open/gradual", test_gradual);
  ADD ("open/no-folder", test_no_folder);
  ADD ("environment/offered", test_offered);
  ADD ("environment/not-imported", test_not_imported);
  return g_test_run ();
}
