/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another client in the loop: a person types in profanity, in a terminal. */
#include "beckon-xmpp-case.h"

#include <string.h>

#define PERSON "anna@" BECKON_PROSODY_DOMAIN

typedef struct
{
  BeckonXmppCase xmpp;
  char *socket;
  char *home;
} Terminal;

static gboolean
can_run (void)
{
  g_autofree char *tmux = g_find_program_in_path ("tmux");
  g_autofree char *profanity = g_find_program_in_path ("profanity");

  if (tmux != NULL && profanity != NULL)
    return TRUE;
  g_test_skip ("there is no profanity, or no tmux, here");
  return FALSE;
}

/* Returns the output; caller frees. */
static char *
run_tmux (Terminal *self, const char *const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;

  g_ptr_array_add (argv, (gpointer) "tmux");
  g_ptr_array_add (argv, (gpointer) "-S");
  g_ptr_array_add (argv, self->socket);
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer)arguments[i]);
  g_ptr_array_add (argv, NULL);
  process = g_subprocess_newv ((const char *const *)argv->pdata,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  return output;
}

static void
open_terminal (Terminal *self)
{
  g_autofree char *program
      = g_strdup_printf ("env -u G_DEBUG HOME=%s XDG_CONFIG_HOME=%s/config XDG_DATA_HOME=%s/data LC_ALL=C.UTF-8 profanity",
                         self->home, self->home, self->home);
  const char *const arguments[] = { "-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", program, NULL };

  g_free (run_tmux (self, arguments));
}

/* Turns the loop until the screen shows @part: the server's answers come meanwhile. */
static void
wait_screen (Terminal *self, const char *part)
{
  static const char *const arguments[] = { "capture-pane", "-p", NULL };

  for (;;)
    {
      g_autofree char *screen = run_tmux (self, arguments);

      if (screen != NULL && strstr (screen, part) != NULL)
        return;
      while (g_main_context_iteration (NULL, FALSE))
        continue;
      g_usleep (50 * 1000);
    }
}

static void
type (Terminal *self, const char *line)
{
  const char *const keys[] = { "send-keys", "-l", line, NULL };
  static const char *const enter[] = { "send-keys", "Enter", NULL };

  g_free (run_tmux (self, keys));
  g_free (run_tmux (self, enter));
}

static void
sign_in (Terminal *self)
{
  g_autofree char *line
      = g_strdup_printf ("/connect " PERSON " server 127.0.0.1 port %u tls force", self->xmpp.prosody->port);

  wait_screen (self, "[offline]");
  type (self, line);
  wait_screen (self, "Enter password:");
  type (self, BECKON_XMPP_PASSWORD);
  wait_screen (self, "logged in successfully");
}

static char *
send (Terminal *self, const char *text, const char *edits)
{
  g_autoptr (BeckonChannelOutgoing) outgoing = beckon_channel_outgoing_new (NULL, PERSON, "A question", text);
  char *end = NULL;

  outgoing->edits = g_strdup (edits);
  beckon_channel_adapter_send_async (self->xmpp.adapter, outgoing, NULL, beckon_xmpp_case_on_sent, &end);
  beckon_xmpp_case_wait_end (&end);
  g_assert_false (g_str_has_prefix (end, "! "));
  return end;
}

static void
close_terminal (Terminal *self)
{
  static const char *const end[] = { "kill-server", NULL };
  const char *const remove[] = { "rm", "-rf", self->home, NULL };
  g_autoptr (GSubprocess) process = NULL;

  g_free (run_tmux (self, end));
  process = g_subprocess_newv (remove, G_SUBPROCESS_FLAGS_NONE, NULL);
  g_subprocess_wait (process, NULL, NULL);
  g_free (self->socket);
  g_free (self->home);
}

/* A whole question: it is shown with its lines, answered, and edited to say so. */
static void
test_profanity (void)
{
  Terminal self = { 0 };
  g_autofree char *id = NULL;
  g_autofree char *edited = NULL;

  if (!can_run () || !beckon_xmpp_case_open (&self.xmpp, "good", NULL))
    return;
  self.home = g_dir_make_tmp ("beckon-profanity-XXXXXX", NULL);
  self.socket = g_build_filename (self.home, "tmux", NULL);
  beckon_xmpp_case_begin (&self.xmpp);
  open_terminal (&self);
  sign_in (&self);

  type (&self, "/msg " BECKON_XMPP_ACCOUNT " 314159");
  beckon_xmpp_case_wait (&self.xmpp, 1);
  g_assert_cmpstr (beckon_xmpp_case_get (&self.xmpp, 0)->text, ==, "314159");
  g_assert_cmpstr (beckon_xmpp_case_get (&self.xmpp, 0)->address, ==, PERSON);
  id = send (&self, "Which database? 哪个？\n1. SQLite\n2. <Postgres> & co", NULL);
  wait_screen (&self, "哪个？");
  wait_screen (&self, "1. SQLite");
  wait_screen (&self, "2. <Postgres> & co");
  type (&self, "2");
  beckon_xmpp_case_wait (&self.xmpp, 2);
  g_assert_cmpstr (beckon_xmpp_case_get (&self.xmpp, 1)->text, ==, "2");
  type (&self, "好 <&>");
  beckon_xmpp_case_wait (&self.xmpp, 3);
  g_assert_cmpstr (beckon_xmpp_case_get (&self.xmpp, 2)->text, ==, "好 <&>");
  edited = send (&self, "Answered on the desktop", id);
  wait_screen (&self, "Answered on the desktop");
  close_terminal (&self);
  beckon_xmpp_case_close (&self.xmpp);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/channels/xmpp/profanity", test_profanity);
  return g_test_run ();
}
