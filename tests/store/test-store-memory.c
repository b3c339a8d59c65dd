/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Faults E86: an allocation fails, somewhere in the store or in a decoder. The program tells of an error or ends; what it said it had
 * done is done, nothing is done by half, and the next start finds a sound file.
 */

#include "beckon-memory.h"
#include "beckon-store-fixture.h"

#include "llm/beckon-codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* More than there are. */
#define NEVER 100000000
/* So many of all allocations fail, one in each run, evenly spread. */
#define N_STORE_RUNS 120
#define N_CREATE_RUNS 30
#define N_DECODER_RUNS 40
#define N_WORDS 40

static char output[4096];

/* In the child. */

static gboolean
answer (BeckonStore *store, BeckonTurn *turn)
{
  g_autoptr (BeckonSettlement) settlement = beckon_turn_answer (turn, "blue", "Ada");
  g_autoptr (GError) error = NULL;

  return beckon_store_fixture_settle (store, settlement, &error);
}

static gboolean
add_message (BeckonStore *store, BeckonTurn *turn)
{
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, 2, "And what else?");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autoptr (GError) error = NULL;

  beckon_batch_add_message (batch, beckon_conversation_get_id (turn->conversation), message);

  return beckon_store_fixture_try_commit (store, batch, &error);
}

static void
use_store (const char *directory)
{
  g_autoptr (BeckonStore) store = beckon_store_new (directory, beckon_clock_get_system ());
  g_autoptr (BeckonTurn) turn = NULL;
  g_autoptr (GError) error = NULL;

  if (!beckon_store_fixture_try_open (store, &error))
    return;
  turn = beckon_turn_new ("Which colour?");
  if (!beckon_store_fixture_try_commit (store, beckon_turn_to_batch (turn), &error))
    return;
  beckon_store_fixture_say ("asked");
  if (answer (store, turn))
    beckon_store_fixture_say ("answered");
  if (add_message (store, turn))
    beckon_store_fixture_say ("added");
}

static void
count_bytes (const BeckonLlmEvent *event, gpointer user_data)
{
  *(gsize *) user_data += event->type == BECKON_LLM_EVENT_TEXT ? event->length : 0;
}

/* Says how much text came out of a reply, if it was whole. */
static void
use_decoder (void)
{
  static const char delta[] = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"w\\u00f6rd \\\"so\\\"\"}}]}\n\n";
  static const char end[] = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
  gsize bytes = 0;
  g_autoptr (BeckonDecoder) decoder = beckon_codec_lookup ("chat")->decoder_new (count_bytes, &bytes);
  char line[32];

  for (guint i = 0; i < N_WORDS; i++)
    if (!beckon_decoder_push (decoder, delta, strlen (delta), NULL))
      return;
  if (!beckon_decoder_push (decoder, end, strlen (end), NULL))
    return;
  beckon_decoder_finish (decoder);
  g_snprintf (line, sizeof line, "text %u", (guint) bytes);
  beckon_store_fixture_say (line);
}

static int
be_child (const char *role, const char *directory, const char *argument)
{
  const struct rlimit no_core = { 0, 0 };
  char line[32];

  setrlimit (RLIMIT_CORE, &no_core);
  setvbuf (stdout, output, _IOFBF, sizeof output);
  /* Newer versions of GLib wait for themselves for ever when the first that they ever log is that a once has no memory. */
  g_message ("Allocation %s fails.", argument);
  /* The C library crashes where it has no memory to look up a user for the first time; GLib keeps the name. */
  g_get_user_name ();
  beckon_memory_fail (atoi (argument));
  if (g_str_equal (role, "decoder"))
    use_decoder ();
  else
    use_store (directory);
  g_snprintf (line, sizeof line, "end %d", (int) beckon_memory_get_n ());
  beckon_memory_fail (-1);
  beckon_store_fixture_say (line);

  return 0;
}

/* In the parent. */

typedef struct
{
  char *directory;
  char *said; /* all of it */
  gboolean ended;
} Run;

static void
run_clear (Run *run)
{
  beckon_store_fixture_clear (run->directory);
  g_free (run->said);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* A program that ends by an abort, or by GLib's trap, ended on purpose; any other signal is a fault of ours. */
static void
start (Run *run, const char *role, int skip)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *argument = g_strdup_printf ("%d", skip);
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GError) error = NULL;

  run->directory = beckon_store_fixture_make_folder ();
  /* Most of what is allocated for a new history makes its tables. */
  if (g_str_equal (role, "store"))
    g_object_unref (beckon_store_fixture_open (run->directory));
  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, program, "--child",
                            role, run->directory, argument, NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (child, NULL, NULL, &run->said, NULL, &error);
  g_assert_no_error (error);
  run->ended = g_subprocess_get_if_exited (child);
  if (run->ended)
    g_assert_cmpint (g_subprocess_get_exit_status (child), ==, 0);
  else if (g_subprocess_get_term_sig (child) != SIGABRT && g_subprocess_get_term_sig (child) != SIGTRAP)
    g_error ("allocation %d: it ended by signal %d", skip, g_subprocess_get_term_sig (child));
}

static int
count (const char *role)
{
  g_auto (Run) run = { 0 };

  start (&run, role, NEVER);
  g_assert_true (run.ended);

  return atoi (strstr (run.said, "end ") + strlen ("end "));
}

static guint
get_count (Run *run, const char *sql)
{
  g_autofree char *value = beckon_store_fixture_sql (run->directory, sql);

  return (guint) atoi (value);
}

static gboolean
said (Run *run, const char *word)
{
  return strstr (run->said, word) != NULL;
}

static void
assert_done_or_not (Run *run)
{
  BeckonStore *store = beckon_store_fixture_open (run->directory);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("And on?");
  g_autofree char *check = beckon_store_fixture_sql (run->directory, "PRAGMA integrity_check");
  guint n_asked = get_count (run, "SELECT count (*) FROM conversation");
  guint n_settled = get_count (run, "SELECT count (*) FROM settlement");

  g_assert_cmpstr (check, ==, "ok");
  g_assert_cmpuint (n_asked, ==, get_count (run, "SELECT count (*) FROM request"));
  g_assert_cmpuint (n_asked, ==, get_count (run, "SELECT count (*) FROM call"));
  g_assert_cmpuint (n_settled, ==, get_count (run, "SELECT count (*) FROM part WHERE kind = 'result'"));
  g_assert_cmpuint (n_settled, ==, get_count (run, "SELECT count (*) FROM request WHERE state <> 'pending'"));
  g_assert_cmpuint (n_settled, ==, get_count (run, "SELECT count (*) FROM call WHERE state = 'done'"));
  g_assert_cmpuint (get_count (run, "SELECT count (*) FROM call WHERE state = 'started'"), ==, 0);
  if (said (run, "asked"))
    g_assert_cmpuint (n_asked, ==, 1);
  if (said (run, "answered"))
    g_assert_cmpuint (n_settled, ==, 1);
  if (said (run, "added"))
    g_assert_cmpuint (get_count (run, "SELECT count (*) FROM message WHERE seq = 2"), ==, 1);
  beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  g_object_unref (store);
}

static void
let_fail (const char *role, guint n_runs)
{
  int n = count (role);
  guint n_ended = 0, n_whole = 0;

  for (guint i = 0; i < n_runs; i++)
    {
      g_auto (Run) run = { 0 };

      start (&run, role, (int) ((gint64) n * i / n_runs));
      n_ended += run.ended;
      n_whole += said (&run, "added");
      assert_done_or_not (&run);
    }
  g_test_message ("%d allocations, %u of which failed: %u times the program ended well, %u times it had done all", n, n_runs,
                  n_ended, n_whole);
  g_assert_cmpuint (n_ended, >, 0);
  g_assert_cmpuint (n_whole, <, n_runs);
}

static void
test_store (void)
{
  let_fail ("store", N_STORE_RUNS);
}

static void
test_create (void)
{
  let_fail ("create", N_CREATE_RUNS);
}

static void
test_decoder (void)
{
  int n = count ("decoder");
  g_auto (Run) whole = { 0 };
  g_autofree char *text = NULL;

  start (&whole, "decoder", NEVER);
  text = g_strndup (whole.said, strcspn (whole.said, "\n"));
  g_assert_true (g_str_has_prefix (text, "text "));
  for (int i = 0; i < N_DECODER_RUNS; i++)
    {
      g_auto (Run) run = { 0 };

      start (&run, "decoder", (int) ((gint64) n * i / N_DECODER_RUNS));
      g_assert_true (!said (&run, "text ") || g_str_has_prefix (run.said, text));
    }
}

int
main (int argc, char *argv[])
{
  if (argc == 5 && g_str_equal (argv[1], "--child"))
    return be_child (argv[2], argv[3], argv[4]);

  g_test_init (&argc, &argv, NULL);
  if (!beckon_memory_can_fail ())
    {
      g_print ("1..0 # SKIP allocations cannot be made to fail here\n");
      return 0;
    }
  g_test_add_func ("/store/memory/store", test_store);
  g_test_add_func ("/store/memory/create", test_create);
  g_test_add_func ("/store/memory/decoder", test_decoder);

  return g_test_run ();
}
