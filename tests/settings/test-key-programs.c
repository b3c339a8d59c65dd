/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs that print keys: real ones, run as a person's are. */

#include "base/beckon-error.h"
#include "domain/beckon-profile.h"
#include "settings/beckon-key-programs.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#define START (G_GINT64_CONSTANT (1800000000) * G_USEC_PER_SEC)

typedef struct
{
  char *directory;
  char *program;
  char *runs; /* a file with a line for each run */
  BeckonClock *clock;
  BeckonKeyPrograms *programs;
} Fixture;

typedef struct
{
  gboolean done;
  char *key;
  GError *error;
} Outcome;

static void
outcome_clear (Outcome *outcome)
{
  g_free (outcome->key);
  g_clear_error (&outcome->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("beckon-key-XXXXXX", NULL);
  fixture->program = g_build_filename (fixture->directory, "print key", NULL);
  fixture->runs = g_build_filename (fixture->directory, "runs", NULL);
  fixture->clock = beckon_clock_new_manual (START);
  fixture->programs = beckon_key_programs_new (fixture->clock);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_remove (fixture->program);
  g_remove (fixture->runs);
  g_rmdir (fixture->directory);
  g_object_unref (fixture->programs);
  g_object_unref (fixture->clock);
  g_free (fixture->runs);
  g_free (fixture->program);
  g_free (fixture->directory);
}

/* @script: run after the program has noted that it was run. */
static void
write_program (Fixture *fixture, const char *script)
{
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\necho $$ >>'%s'\n%s\n", fixture->runs, script);

  g_assert_true (g_file_set_contents_full (fixture->program, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0700, NULL));
}

static guint
count_runs (Fixture *fixture)
{
  g_autofree char *text = NULL;
  guint n = 0;

  if (g_file_get_contents (fixture->runs, &text, NULL, NULL))
    for (const char *c = text; *c != '\0'; c++)
      n += *c == '\n';
  return n;
}

static void
on_asked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *outcome = user_data;

  outcome->key = beckon_key_programs_ask_finish (BECKON_KEY_PROGRAMS (source), result, &outcome->error);
  outcome->done = TRUE;
}

static void
begin (Fixture *fixture, const char *argument, GCancellable *cancellable, Outcome *outcome)
{
  const char *argv[] = { fixture->program, argument, NULL };

  beckon_key_programs_ask_async (fixture->programs, argv, cancellable, on_asked, outcome);
  g_assert_false (outcome->done);
}

static void
wait_for (Outcome *outcome)
{
  while (!outcome->done)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_key (Fixture *fixture, const char *key)
{
  g_auto (Outcome) outcome = { 0 };

  begin (fixture, NULL, NULL, &outcome);
  wait_for (&outcome);
  g_assert_no_error (outcome.error);
  g_assert_cmpstr (outcome.key, ==, key);
}

static void
assert_fails (Fixture *fixture, const char *words, const char *hidden)
{
  const char *argv[] = { fixture->program, NULL };
  g_autofree char *failure = NULL;
  g_auto (Outcome) outcome = { 0 };

  begin (fixture, NULL, NULL, &outcome);
  wait_for (&outcome);
  g_assert_null (outcome.key);
  g_assert_error (outcome.error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  failure = beckon_key_programs_dup_failure (fixture->programs, argv);
  if (failure == NULL)
    failure = g_strdup (outcome.error->message);
  if (strstr (failure, words) == NULL)
    g_error ("“%s” does not say “%s”", failure, words);
  if (hidden != NULL && (strstr (outcome.error->message, hidden) != NULL || strstr (failure, hidden) != NULL))
    g_error ("“%s” or “%s” says “%s”", outcome.error->message, failure, hidden);
}

/* The first line, trimmed; kept until a server refuses it. */
static void
test_plain (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { fixture->program, NULL };

  write_program (fixture, "echo '  tok-1  '; echo 'and a line that is for people'");
  assert_key (fixture, "tok-1");
  assert_key (fixture, "tok-1");
  g_assert_cmpuint (count_runs (fixture), ==, 1);
  beckon_clock_advance (fixture->clock, 24 * 3600 * 1000);
  assert_key (fixture, "tok-1");
  g_assert_cmpuint (count_runs (fixture), ==, 1);

  write_program (fixture, "echo tok-2");
  beckon_key_programs_refuse (fixture->programs, argv, "another");
  assert_key (fixture, "tok-1");
  beckon_key_programs_refuse (fixture->programs, argv, "tok-1");
  assert_key (fixture, "tok-2");
  /* A late refusal of the first key takes nothing from the second. */
  beckon_key_programs_refuse (fixture->programs, argv, "tok-1");
  assert_key (fixture, "tok-2");
  g_assert_cmpuint (count_runs (fixture), ==, 2);
}

static void
test_expiry (Fixture *fixture, gconstpointer printed)
{
  g_autofree char *script = g_strdup_printf ("echo '%s'", (const char *) printed);

  write_program (fixture, script);
  assert_key (fixture, "tok-1");
  beckon_clock_advance (fixture->clock, 3500 * 1000);
  assert_key (fixture, "tok-1");
  g_assert_cmpuint (count_runs (fixture), ==, 1);
  /* Not in its last seconds, which the request would outlive. */
  beckon_clock_advance (fixture->clock, 75 * 1000);
  assert_key (fixture, "tok-1");
  g_assert_cmpuint (count_runs (fixture), ==, 2);
}

static void
test_no_key (Fixture *fixture, gconstpointer data)
{
  write_program (fixture, "exit 0");
  assert_fails (fixture, "did not print a key", NULL);
  write_program (fixture, "echo; echo ' '");
  assert_fails (fixture, "It printed nothing", NULL);
  write_program (fixture, "echo 'Please sign in'");
  assert_fails (fixture, "no key has", "sign in");
  write_program (fixture, "echo '{\"token\":\"tok-1\"}'");
  assert_fails (fixture, "neither “key” nor “access_token”", "tok-1");
  write_program (fixture, "echo '{\"key\":'");
  assert_fails (fixture, "begins like a JSON object but isn’t one", NULL);
  write_program (fixture, "echo '{\"key\":\"tok-1\"} and more'");
  assert_fails (fixture, "begins like a JSON object but isn’t one", "tok-1");
  write_program (fixture, "printf '%s' '{\"key\":\"a\\nHost: b\"}'");
  assert_fails (fixture, "no key has", NULL);
  write_program (fixture, "head -c 100000 /dev/zero | tr '\\0' x; sleep 600");
  assert_fails (fixture, "printed more than a key", "xxxx");
  g_assert_cmpuint (count_runs (fixture), ==, 8);
}

/* The program's words are in no error, because errors are stored. A person who asks for them reads them without what looks like
 * a key, and not at any length. */
static void
test_complaint (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { fixture->program, NULL };
  g_autofree char *failure = NULL;
  g_auto (Outcome) first = { 0 };
  g_auto (Outcome) outcome = { 0 };

  write_program (fixture, "echo 'Run “login” first.' >&2; exit 3");
  assert_fails (fixture, "ended with status 3. Run “login” first.", NULL);
  begin (fixture, NULL, NULL, &first);
  wait_for (&first);
  g_assert_nonnull (strstr (first.error->message, "ended with status 3. Test the profile"));
  g_assert_null (strstr (first.error->message, "login"));
  write_program (fixture, "echo half-a-secret; echo 'refused half-a-secret' >&2; exit 1");
  assert_fails (fixture, "refused …", "half-a-secret");
  write_program (fixture, "echo 'cannot renew ya29.a0AfH6SMBx-Qw7Zr_longer now' >&2; exit 1");
  assert_fails (fixture, "cannot renew … now", "a0AfH6");
  write_program (fixture, "echo 'token=Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5 is old' >&2; exit 1");
  assert_fails (fixture, "token=… is old", "Zm9v");
  write_program (fixture, "echo 'secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY== in /usr/lib/x86_64-linux-gnu/key4' >&2; exit 1");
  assert_fails (fixture, "secret … in /usr/lib/x86_64-linux-gnu/key4", "wJalr");
  write_program (fixture, "printf '\\033[31mred\\033[0m' >&2; exit 1");
  assert_fails (fixture, "red", "\033");
  write_program (fixture, "kill -TERM $$");
  assert_fails (fixture, "was stopped", NULL);
  write_program (fixture, "yes words | head -c 300000 >&2; exit 1");
  begin (fixture, NULL, NULL, &outcome);
  wait_for (&outcome);
  failure = beckon_key_programs_dup_failure (fixture->programs, argv);
  g_assert_cmpuint (strlen (failure), <, 800);
  g_clear_pointer (&failure, g_free);
  write_program (fixture, "echo 'A warning' >&2; echo tok-1");
  assert_key (fixture, "tok-1");
  g_assert_null (beckon_key_programs_dup_failure (fixture->programs, argv));
}

static gint64
read_pid (Fixture *fixture)
{
  g_autofree char *text = NULL;

  while (count_runs (fixture) == 0)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (g_file_get_contents (fixture->runs, &text, NULL, NULL));
  return g_ascii_strtoll (text, NULL, 10);
}

/* A process that it leaves behind, as an agent or a cache does, holds both pipes; what the program wrote counts when it ends. */
static void
test_left_behind (Fixture *fixture, gconstpointer data)
{
  gint64 pid;

  write_program (fixture, "sleep 600 & echo tok-1");
  assert_key (fixture, "tok-1");
  pid = read_pid (fixture);
  g_assert_cmpint (kill (-(pid_t) pid, SIGKILL), ==, 0);
  g_remove (fixture->runs);
  write_program (fixture, "sleep 600 & echo 'Not signed in' >&2; exit 2");
  beckon_key_programs_refuse (fixture->programs, (const char *const[]){ fixture->program, NULL }, "tok-1");
  assert_fails (fixture, "ended with status 2. Not signed in", NULL);
  pid = read_pid (fixture);
  g_assert_cmpint (kill (-(pid_t) pid, SIGKILL), ==, 0);
}

typedef struct
{
  Fixture *fixture;
  Outcome next;
} Refusal;

static void
on_refused (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Refusal *refusal = user_data;
  const char *argv[] = { refusal->fixture->program, NULL };
  g_autofree char *key = beckon_key_programs_ask_finish (BECKON_KEY_PROGRAMS (source), result, NULL);

  g_assert_cmpstr (key, ==, "tok-1");
  beckon_key_programs_refuse (refusal->fixture->programs, argv, key);
  begin (refusal->fixture, NULL, NULL, &refusal->next);
}

/* A key may be refused in the callback that brings it, which asks for the next. */
static void
test_refused_at_once (Fixture *fixture, gconstpointer data)
{
  Refusal refusal = { .fixture = fixture };
  const char *argv[] = { fixture->program, NULL };
  g_autofree char *script = g_strdup_printf ("echo tok-$(wc -l <'%s')", fixture->runs);

  write_program (fixture, script);
  beckon_key_programs_ask_async (fixture->programs, argv, NULL, on_refused, &refusal);
  wait_for (&refusal.next);
  g_assert_cmpstr (refusal.next.key, ==, "tok-2");
  outcome_clear (&refusal.next);
  assert_key (fixture, "tok-2");
  g_assert_cmpuint (count_runs (fixture), ==, 2);
}

static void
test_missing (Fixture *fixture, gconstpointer data)
{
  assert_fails (fixture, "could not be started", NULL);
}

/* An argument is an argument, whatever a shell would make of it. */
static void
test_no_shell (Fixture *fixture, gconstpointer data)
{
  g_auto (Outcome) outcome = { 0 };

  write_program (fixture, "printf '%s' \"$1\" | tr ' ' '_'");
  begin (fixture, "$(echo owned);`id` *", NULL, &outcome);
  wait_for (&outcome);
  g_assert_no_error (outcome.error);
  g_assert_cmpstr (outcome.key, ==, "$(echo_owned);`id`_*");
}

/* A program has nothing to read, no terminal, and the person's home as its folder. */
static void
test_surroundings (Fixture *fixture, gconstpointer data)
{
  g_autofree char *expected = g_strdup_printf ("0:notty:%s:mine", g_get_home_dir ());

  g_setenv ("BECKON_TEST_VARIABLE", "mine", TRUE);
  write_program (fixture, "n=$(wc -c); (: </dev/tty) 2>/dev/null && t=tty || t=notty; echo \"$n:$t:$PWD:$BECKON_TEST_VARIABLE\"");
  assert_key (fixture, expected);
  g_unsetenv ("BECKON_TEST_VARIABLE");
}

static void
test_once (Fixture *fixture, gconstpointer data)
{
  Outcome outcomes[5] = { 0 };

  write_program (fixture, "echo tok-1");
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    begin (fixture, NULL, NULL, &outcomes[i]);
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    {
      wait_for (&outcomes[i]);
      g_assert_cmpstr (outcomes[i].key, ==, "tok-1");
      outcome_clear (&outcomes[i]);
    }
  g_assert_cmpuint (count_runs (fixture), ==, 1);
}

static gboolean
on_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* The program, and what it started; the system says nothing when the last of them is gone. */
static void
wait_until_gone (gint64 pid)
{
  guint tick = g_timeout_add (5, on_tick, NULL);

  while (kill (-(pid_t) pid, 0) == 0)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
}

static void
test_time_over (Fixture *fixture, gconstpointer data)
{
  g_auto (Outcome) outcome = { 0 };
  gint64 pid;

  write_program (fixture, "echo 'Open the browser' >&2; sleep 600 & sleep 600");
  begin (fixture, NULL, NULL, &outcome);
  pid = read_pid (fixture);
  beckon_clock_advance (fixture->clock, (BECKON_KEY_PROGRAM_TIMEOUT_S - 1) * 1000);
  g_assert_false (outcome.done);
  beckon_clock_advance (fixture->clock, 1000);
  wait_for (&outcome);
  g_assert_error (outcome.error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (outcome.error->message, "did not end within 30 seconds"));
  wait_until_gone (pid);
  /* The next one begins anew. */
  write_program (fixture, "echo tok-1");
  assert_key (fixture, "tok-1");
}

/* A caller that gives up leaves the others their key; without any caller the program is ended. */
static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) first = g_cancellable_new ();
  g_autoptr (GCancellable) second = g_cancellable_new ();
  g_autofree char *gate = g_build_filename (fixture->directory, "gate", NULL);
  g_autofree char *script = g_strdup_printf ("while ! test -e '%s'; do sleep 0.02; done; echo tok-1", gate);
  g_auto (Outcome) one = { 0 };
  g_auto (Outcome) other = { 0 };
  g_auto (Outcome) last = { 0 };
  gint64 pid;

  write_program (fixture, script);
  begin (fixture, NULL, first, &one);
  begin (fixture, NULL, NULL, &other);
  read_pid (fixture);
  g_cancellable_cancel (first);
  wait_for (&one);
  g_assert_error (one.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (other.done);
  g_assert_true (g_file_set_contents (gate, "", 0, NULL));
  wait_for (&other);
  g_assert_cmpstr (other.key, ==, "tok-1");

  g_remove (gate);
  g_remove (fixture->runs);
  begin (fixture, "again", second, &last);
  pid = read_pid (fixture);
  g_cancellable_cancel (second);
  wait_for (&last);
  g_assert_error (last.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wait_until_gone (pid);
}

/* --- How it is entered -------------------------------------------------------------------------------------------- */

static void
test_entered (void)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
  static const struct
  {
    const char *typed;
    const char *shown; /* %NULL: refused */
    guint n;
  } cases[] = {
    { "gcloud auth print-access-token", "gcloud auth print-access-token", 3 },
    { "  pass  show  'my key'  ", "pass show 'my key'", 3 },
    { "sh -c \"echo \\\"a b\\\"\"", "sh -c 'echo \"a b\"'", 3 },
    { "op read 'op://vault/item/field' ''", "op read op://vault/item/field ''", 4 },
    { "prog $HOME; rm *", "prog '$HOME;' rm '*'", 4 },
    { "prog 'unended", NULL, 0 },
    { "'' prog", NULL, 0 },
    { "echo sk-proj-abcdefghijklmnop", NULL, 0 },
    { "one\ntwo", NULL, 0 },
  };

  beckon_profile_set_base_url (profile, "https://one.example/v1");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) argv = NULL;
      gboolean is_good;

      g_assert_true (beckon_profile_set_key_command (profile, NULL, NULL));
      is_good = beckon_profile_set_key_command (profile, cases[i].typed, &error);
      argv = beckon_profile_dup_key_argv (profile);
      g_assert_cmpstr (beckon_profile_get_key_command (profile), ==, is_good ? cases[i].shown : "");
      g_assert_true (is_good == (cases[i].shown != NULL));
      g_assert_cmpuint (argv != NULL ? g_strv_length (argv) : 0, ==, cases[i].n);
      g_assert_cmpstr (beckon_profile_get_key_origin (profile), ==, is_good ? "https://one.example:443" : "");
    }
  beckon_profile_set_base_url (profile, "nowhere");
  g_assert_false (beckon_profile_set_key_command (profile, "prog", NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function, data) g_test_add ("/settings/key-program/" name, Fixture, data, set_up, function, tear_down)
  ADD ("plain", test_plain, NULL);
  ADD ("expires-in", test_expiry, "{\"access_token\":\"tok-1\",\"expires_in\":3600,\"token_type\":\"Bearer\"}");
  ADD ("expires-in-text", test_expiry, "{\"key\":\"tok-1\",\"expires_in\":\"3600\"}");
  ADD ("expires-at", test_expiry, "{\"key\":\"tok-1\",\"expires_at\":1800003600}");
  ADD ("expires-at-text", test_expiry, "{\"key\":\"tok-1\",\"expires_at\":\"2027-01-15T09:00:00Z\"}");
  ADD ("no-key", test_no_key, NULL);
  ADD ("complaint", test_complaint, NULL);
  ADD ("left-behind", test_left_behind, NULL);
  ADD ("refused-at-once", test_refused_at_once, NULL);
  ADD ("missing", test_missing, NULL);
  ADD ("no-shell", test_no_shell, NULL);
  ADD ("surroundings", test_surroundings, NULL);
  ADD ("once", test_once, NULL);
  ADD ("time-over", test_time_over, NULL);
  ADD ("cancel", test_cancel, NULL);
  g_test_add_func ("/settings/key-program/entered", test_entered);
  return g_test_run ();
}
