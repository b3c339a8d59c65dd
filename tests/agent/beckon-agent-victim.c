/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-victim.h"

#include <signal.h>
#include <string.h>

BeckonAgentVictim *
beckon_agent_victim_new (void)
{
  BeckonAgentVictim *self = g_new0 (BeckonAgentVictim, 1);

  self->base = beckon_agent_fixture_new ();
  return self;
}

static void
free_next (BeckonAgentVictim *self)
{
  if (self->next == NULL)
    return;
  g_clear_pointer (&self->next, beckon_agent_fixture_free);
  /* A look at a call may still be on its worker. */
  beckon_agent_wait_until (G_OBJECT (self->read)->ref_count == 1 && G_OBJECT (self->write)->ref_count == 1);
  g_assert_finalize_object (self->read);
  g_assert_finalize_object (self->write);
}

void
beckon_agent_victim_free (BeckonAgentVictim *victim)
{
  if (victim->process != NULL)
    beckon_agent_victim_kill (victim);
  free_next (victim);
  beckon_agent_fixture_free (victim->base);
  g_free (victim->conversation_id);
  g_free (victim);
}

static void
on_line (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonAgentVictim *self = user_data;
  g_autoptr (GError) error = NULL;

  self->conversation_id = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (self->conversation_id);
}

void
beckon_agent_victim_start (BeckonAgentVictim *victim, const char *what)
{
  g_autofree char *program = g_test_build_filename (G_TEST_BUILT, "agent", "agent-child", NULL);
  const char *base_url = beckon_fixture_server_get_base_url (victim->base->server);
  g_autoptr (GDataInputStream) output = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (victim->process);
  victim->process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, victim->base->directory, base_url,
                                      what, NULL);
  g_assert_no_error (error);
  g_clear_pointer (&victim->conversation_id, g_free);
  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (victim->process));
  g_data_input_stream_read_line_async (output, G_PRIORITY_DEFAULT, NULL, on_line, victim);
  beckon_agent_wait_until (victim->conversation_id != NULL);
}

void
beckon_agent_victim_kill (BeckonAgentVictim *victim)
{
  g_autoptr (GError) error = NULL;

  g_subprocess_force_exit (victim->process);
  g_subprocess_wait (victim->process, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_signaled (victim->process));
  g_clear_object (&victim->process);
}

static gboolean
is_thread_stopped (const char *tasks, const char *thread)
{
  g_autofree char *path = g_build_filename (tasks, thread, "stat", NULL);
  g_autofree char *stat = NULL;
  const char *name_end;

  if (!g_file_get_contents (path, &stat, NULL, NULL))
    return TRUE;
  name_end = strrchr (stat, ')');
  return name_end != NULL && name_end[2] == 'T';
}

static gboolean
is_stopped (BeckonAgentVictim *self)
{
  g_autofree char *tasks = g_build_filename ("/proc", g_subprocess_get_identifier (self->process), "task", NULL);
  g_autoptr (GDir) dir = g_dir_open (tasks, 0, NULL);
  const char *thread;

  while ((thread = g_dir_read_name (dir)) != NULL)
    if (!is_thread_stopped (tasks, thread))
      return FALSE;
  return TRUE;
}

/* The signal is sent at once, but each thread only stops when it gets to see it. */
void
beckon_agent_victim_freeze (BeckonAgentVictim *victim)
{
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  g_subprocess_send_signal (victim->process, SIGSTOP);
  while (!is_stopped (victim))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_thread_yield ();
    }
}

static gboolean
is_stored (BeckonAgentVictim *self, BeckonRunPhase phase, const char *messages)
{
  g_autofree char *stored = NULL;

  if (beckon_agent_fixture_count_open (self->base->store) != 1 ||
      beckon_agent_fixture_get_open_phase (self->base->store) != phase)
    return FALSE;
  stored = beckon_agent_fixture_dump_stored (self->base->store, self->conversation_id);
  return messages == NULL || g_str_equal (stored, messages);
}

void
beckon_agent_victim_wait_stored (BeckonAgentVictim *victim, BeckonRunPhase phase, const char *messages)
{
  beckon_agent_wait_until (is_stored (victim, phase, messages));
}

char *
beckon_agent_victim_wait_pending (BeckonAgentVictim *victim, guint n)
{
  return g_strdup (beckon_request_get_id (beckon_agent_fixture_wait_pending (victim->base, n)));
}

void
beckon_agent_victim_answer (BeckonAgentVictim *victim, const char *request_id, BeckonAnswer *answer)
{
  g_autoptr (GError) error = NULL;

  beckon_agent_fixture_try_answer (victim->base->inbox, request_id, answer, &error);
  g_assert_no_error (error);
}

void
beckon_agent_victim_succeed (BeckonAgentVictim *victim)
{
  BeckonAgentFixture *base = victim->base;
  g_autofree char *effects = g_build_filename (base->directory, "effects", NULL);

  free_next (victim);
  victim->next = beckon_agent_fixture_new_over (base->directory, beckon_fixture_server_get_base_url (base->server));
  victim->next->server = base->server;
  victim->read = beckon_test_tool_new ("read_note", TRUE);
  victim->write = beckon_test_tool_new ("write_note", FALSE);
  beckon_test_tool_set_effects (victim->read, effects);
  beckon_test_tool_set_effects (victim->write, effects);
  if (g_getenv ("AGENT_CHILD_FORM") != NULL)
    beckon_test_tool_set_form (victim->write, g_getenv ("AGENT_CHILD_FORM"), g_getenv ("AGENT_CHILD_RESUMES") != NULL);
  beckon_tool_registry_add (victim->next->tools, BECKON_TOOL (victim->read));
  beckon_tool_registry_add (victim->next->tools, BECKON_TOOL (victim->write));
  beckon_agent_fixture_open (victim->next, victim->conversation_id);
  beckon_agent_fixture_recover (victim->next);
}

void
beckon_agent_victim_replace (BeckonAgentVictim *victim)
{
  beckon_agent_victim_kill (victim);
  beckon_agent_victim_succeed (victim);
}
