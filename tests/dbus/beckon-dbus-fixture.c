/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-dbus-fixture.h"

#include "beckon-tree.h"

#include <string.h>

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

static void
save_profile (BeckonDbusFixture *self)
{
  BeckonProfiles *profiles = beckon_runtime_get_profiles (self->runtime);
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("fixture", BECKON_PROFILE_CHAT);
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;

  beckon_profile_set_name (profile, "Fixture");
  beckon_profile_set_model (profile, "fixture-1");
  beckon_profile_set_base_url (profile, beckon_fixture_server_get_base_url (self->server));
  beckon_profiles_save_async (profiles, profile, NULL, on_result, &saved);
  beckon_agent_wait_until (saved != NULL);
  beckon_profiles_save_finish (profiles, saved, &error);
  g_assert_no_error (error);
  beckon_settings_set_default_profile (beckon_runtime_get_settings (self->runtime), "fixture");
}

static void
open_runtime (BeckonDbusFixture *self)
{
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GError) error = NULL;

  beckon_runtime_open_async (self->runtime, NULL, on_result, &opened);
  beckon_agent_wait_until (opened != NULL);
  beckon_runtime_open_finish (self->runtime, opened, &error);
  g_assert_no_error (error);
}

static void
on_appeared (GDBusConnection *connection, const char *name, const char *owner, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static void
wait_for_name (BeckonDbusFixture *self)
{
  gboolean appeared = FALSE;
  guint watch = g_bus_watch_name_on_connection (self->connection, BECKON_QUESTIONS_NAME, G_BUS_NAME_WATCHER_FLAGS_NONE,
                                                on_appeared, NULL, &appeared, NULL);

  beckon_agent_wait_until (appeared);
  g_bus_unwatch_name (watch);
}

BeckonDbusFixture *
beckon_dbus_fixture_new (void)
{
  BeckonDbusFixture *self = g_new0 (BeckonDbusFixture, 1);
  g_autoptr (GError) error = NULL;

  self->directory = g_dir_make_tmp ("beckon-dbus-XXXXXX", &error);
  g_assert_no_error (error);
  self->server = beckon_fixture_server_new (0);
  self->runtime = beckon_runtime_new (self->directory);
  self->connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_assert_no_error (error);
  self->questions = beckon_questions_new (NULL);
  beckon_questions_export (self->questions, self->connection, &error);
  g_assert_no_error (error);
  beckon_questions_own_name (self->questions);
  wait_for_name (self);
  open_runtime (self);
  save_profile (self);
  beckon_questions_set_runtime (self->questions, self->runtime);
  return self;
}

static void
close_runtime (BeckonDbusFixture *self)
{
  g_autoptr (GAsyncResult) closed = NULL;
  g_autoptr (GError) error = NULL;

  beckon_questions_set_runtime (self->questions, NULL);
  beckon_runtime_close_async (self->runtime, on_result, &closed);
  beckon_agent_wait_until (closed != NULL);
  beckon_runtime_close_finish (self->runtime, closed, &error);
  g_assert_no_error (error);
}

void
beckon_dbus_fixture_free (BeckonDbusFixture *self)
{
  close_runtime (self);
  beckon_questions_withdraw (self->questions);
  beckon_agent_fixture_settle ();
  g_clear_object (&self->questions);
  g_clear_object (&self->runtime);
  g_clear_object (&self->connection);
  beckon_fixture_server_free (self->server);
  beckon_tree_remove (self->directory);
  g_free (self->directory);
  g_free (self->output);
  g_free (self->errors);
  g_free (self);
}

BeckonConversation *
beckon_dbus_fixture_send (BeckonDbusFixture *self, const char *text)
{
  BeckonConversation *conversation = beckon_library_create (beckon_runtime_get_library (self->runtime));

  beckon_dbus_fixture_send_in (self, conversation, text);
  return conversation;
}

void
beckon_dbus_fixture_send_in (BeckonDbusFixture *self, BeckonConversation *conversation, const char *text)
{
  BeckonAgent *agent = beckon_runtime_get_agent (self->runtime);
  g_autoptr (GAsyncResult) sent = NULL;
  g_autoptr (GError) error = NULL;

  beckon_agent_send_async (agent, conversation, text, NULL, on_result, &sent);
  beckon_agent_wait_until (sent != NULL);
  beckon_agent_send_finish (agent, sent, &error);
  g_assert_no_error (error);
}

void
beckon_dbus_fixture_wait_pending (BeckonDbusFixture *self, guint n)
{
  beckon_agent_wait_until (g_list_model_get_n_items (G_LIST_MODEL (beckon_runtime_get_inbox (self->runtime))) == n);
}

BeckonRequest *
beckon_dbus_fixture_ask (BeckonDbusFixture *self, BeckonFixtureReply *question)
{
  GListModel *inbox = G_LIST_MODEL (beckon_runtime_get_inbox (self->runtime));
  guint n = g_list_model_get_n_items (inbox);
  g_autoptr (BeckonRequest) request = NULL;

  beckon_fixture_server_queue (self->server, question);
  beckon_dbus_fixture_send (self, "Hello");
  beckon_dbus_fixture_wait_pending (self, n + 1);
  request = g_list_model_get_item (inbox, n);
  return request;
}

int
beckon_dbus_fixture_call (BeckonDbusFixture *self, const char *method, ...)
{
  g_autofree char *name = g_strconcat (BECKON_QUESTIONS_INTERFACE ".", method, NULL);
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  const char *const command[] = { "gdbus", "call", "--session", "--timeout", "30", "--dest", BECKON_QUESTIONS_NAME,
                                  "--object-path", BECKON_QUESTIONS_PATH, "--method" };
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GAsyncResult) ended = NULL;
  g_autoptr (GError) error = NULL;
  const char *argument;
  va_list list;

  for (gsize i = 0; i < G_N_ELEMENTS (command); i++)
    g_ptr_array_add (arguments, (gpointer) command[i]);
  g_ptr_array_add (arguments, name);
  va_start (list, method);
  while ((argument = va_arg (list, const char *)) != NULL)
    g_ptr_array_add (arguments, (gpointer) argument);
  va_end (list);
  g_ptr_array_add (arguments, NULL);

  g_clear_pointer (&self->output, g_free);
  g_clear_pointer (&self->errors, g_free);
  process = g_subprocess_newv ((const char *const *) arguments->pdata,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8_async (process, NULL, NULL, on_result, &ended);
  beckon_agent_wait_until (ended != NULL);
  g_subprocess_communicate_utf8_finish (process, ended, &self->output, &self->errors, &error);
  g_assert_no_error (error);
  return g_subprocess_get_exit_status (process);
}

char *
beckon_dbus_fixture_read (GSubprocess *process)
{
  g_autoptr (GAsyncResult) ended = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;

  g_subprocess_communicate_utf8_async (process, NULL, NULL, on_result, &ended);
  beckon_agent_wait_until (ended != NULL);
  g_subprocess_communicate_utf8_finish (process, ended, &output, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  return output;
}

static GVariant *
parse_output (BeckonDbusFixture *self, const char *type)
{
  g_autoptr (GError) error = NULL;
  GVariant *value;

  g_assert_cmpstr (self->errors, ==, "");
  value = g_variant_parse (G_VARIANT_TYPE (type), self->output, NULL, NULL, &error);
  g_assert_no_error (error);
  return value;
}

char *
beckon_dbus_fixture_dup_string (BeckonDbusFixture *self)
{
  g_autoptr (GVariant) value = parse_output (self, "(s)");
  char *text;

  g_variant_get (value, "(s)", &text);
  return text;
}

char **
beckon_dbus_fixture_dup_strings (BeckonDbusFixture *self)
{
  g_autoptr (GVariant) value = parse_output (self, "(as)");
  char **texts;

  g_variant_get (value, "(^as)", &texts);
  return texts;
}

void
beckon_dbus_fixture_assert_error (BeckonDbusFixture *self, const char *name, const char *words)
{
  g_autofree char *whole = g_strconcat (BECKON_QUESTIONS_INTERFACE ".Error.", name, ":", NULL);

  if (strstr (self->errors, whole) == NULL || strstr (self->errors, words) == NULL)
    g_error ("“%s” is not %s with “%s”", self->errors, whole, words);
}
