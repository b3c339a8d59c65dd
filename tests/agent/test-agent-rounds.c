/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"
#include "beckon-tree.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Forty rounds of work on a program, in one turn: what is sent begins as what was sent before, but for the few times at which it
 * is made shorter. */

#define N_ROUNDS 40
#define N_FILES 14
#define N_CHECKS 13

#define LAST_LINE "Next: the tests of the last module."
#define FIRST_WORDS "Split the large module, and keep all public names as they are."

typedef struct
{
  BeckonAgentFixture *fixture;
  BeckonOutputStore *spool; /* (owned) */
  char *folder;
  guint n_calls; /* in each round */
  guint summary_length;

  guint round; /* of the model, on the server's threads */

  guint n_breaks;
  guint n_summaries;
  gsize n_bytes;  /* that were sent */
  gsize n_anew;   /* of those, what did not begin as the request before */
} Work;

/* Lines as a program has them, numbered. */
static char *
make_lines (const char *word, gsize length)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 1; text->len < length; i++)
    g_string_append_printf (text, "%*s%s line %u of the text\n", (int) (i * 7 % 40), "", word, i);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Reads, commands and edits in turn. */
static void
add_call (BeckonFixtureReply *reply, guint place, guint n)
{
  g_autofree char *id = g_strdup_printf ("c%u", n);
  g_autofree char *name = NULL;
  g_autofree char *arguments = NULL;
  g_autofree char *filler = g_strnfill (400 + n * 397 % 800, 'e');

  switch (n % 3)
    {
    case 0:
      name = g_strdup ("read_file");
      arguments = g_strdup_printf ("{\"path\":\"module-%u.py\",\"offset\":%u}", n / 3 % N_FILES, n / 3 + 1);
      break;
    case 1:
      name = g_strdup_printf ("check_%u", n / 3 % N_CHECKS);
      arguments = g_strdup_printf ("{\"n\":%u}", n);
      break;
    default:
      name = g_strdup ("edit");
      arguments = g_strdup_printf ("{\"n\":%u,\"new\":\"%s\"}", n, filler);
      break;
    }
  beckon_fixture_reply_add_chat_call (reply, place, id, name, arguments);
}

static BeckonFixtureReply *
play (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  Work *work = user_data;
  g_autofree char *lines = make_lines ("SUMMARY", work->summary_length);
  g_autofree char *summary = g_strconcat (lines, LAST_LINE, NULL);
  BeckonFixtureReply *reply;

  if (strstr (request->body, "\"tools\":[") == NULL)
    return beckon_script_calls (summary, NULL, 0, "stop");
  if (work->round == N_ROUNDS)
    return beckon_script_calls ("Done.", NULL, 0, "stop");
  reply = beckon_fixture_reply_new ();
  beckon_fixture_reply_add_stream_head (reply);
  for (guint i = 0; i < work->n_calls; i++)
    add_call (reply, i, work->round * work->n_calls + i);
  beckon_fixture_reply_add_chat_finish (reply, "tool_calls");
  beckon_fixture_reply_add_chat_done (reply);
  work->round++;
  return reply;
}

static void
add_tool (Work *work, const char *name, const char *result)
{
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new (name, TRUE);

  beckon_test_tool_set_result (tool, result);
  beckon_tool_registry_add (work->fixture->tools, BECKON_TOOL (tool));
}

/* Commands put out 2 to 30 kB, and how they ended. */
static void
add_tools (Work *work)
{
  for (guint i = 0; i < N_CHECKS; i++)
    {
      g_autofree char *name = g_strdup_printf ("check_%u", i);
      g_autofree char *lines = make_lines (name, 2000 + i * 5 % N_CHECKS * 28000 / (N_CHECKS - 1));
      g_autofree char *result = g_strdup_printf ("%sFAILED test_%u\n[Exit status 1, after 2.0 s.]\n[Kept as output:%u.]", lines, i,
                                                 i + 1);

      add_tool (work, name, result);
    }
  add_tool (work, "edit", "1 place was changed.");
}

static Work *
work_new (guint window, guint n_calls, guint summary_length)
{
  Work *work = g_new0 (Work, 1);
  g_autofree char *made = NULL;
  g_autoptr (GError) error = NULL;

  work->fixture = beckon_agent_fixture_new ();
  work->n_calls = n_calls;
  work->summary_length = summary_length;
  work->spool = beckon_output_store_new ();
  beckon_tool_registry_add_working (work->fixture->tools, &(BeckonToolParts){
                                                            .copies = BECKON_FILE_COPIES (work->fixture->store),
                                                            .memory = BECKON_MEMORY (work->fixture->store),
                                                            .outputs = work->spool,
                                                          });
  made = g_dir_make_tmp ("beckon-rounds-XXXXXX", &error);
  g_assert_no_error (error);
  work->folder = realpath (made, NULL);
  for (guint i = 0; i < N_FILES; i++)
    {
      g_autofree char *name = g_strdup_printf ("module-%u.py", i);
      g_autofree char *path = g_build_filename (work->folder, name, NULL);
      g_autofree char *lines = make_lines (name, 4000 + i * 5 % N_FILES * 8000 / (N_FILES - 1));

      g_file_set_contents (path, lines, -1, &error);
      g_assert_no_error (error);
    }
  add_tools (work);
  beckon_settings_set_enable_ask_user (work->fixture->settings, FALSE);
  beckon_agent_fixture_set_window (work->fixture, window);
  beckon_agent_fixture_set_rounds (work->fixture, 2 * N_ROUNDS);
  beckon_library_set_folder (work->fixture->library, work->fixture->conversation, work->folder);
  beckon_fixture_server_set_handler (work->fixture->server, play, work);
  return work;
}

static void
work_free (Work *work)
{
  beckon_agent_fixture_free (work->fixture);
  beckon_agent_wait_until (G_OBJECT (work->spool)->ref_count == 1);
  g_assert_finalize_object (work->spool);
  beckon_tree_remove (work->folder);
  free (work->folder);
  g_free (work);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Work, work_free)

static JsonObject *
parse (const BeckonFixtureRequest *request)
{
  g_autoptr (JsonNode) root = json_from_string (request->body, NULL);

  g_assert_nonnull (root);
  return json_object_ref (json_node_get_object (root));
}

/* How many bytes of @body's messages are not as @before's, from the first that differs; 0 if those only go on. */
static gsize
count_anew (JsonObject *before, JsonObject *body, gboolean *breaks)
{
  JsonArray *old = json_object_get_array_member (before, "messages"), *new = json_object_get_array_member (body, "messages");
  guint i = 0;
  gsize n = 0;

  *breaks = !json_node_equal (json_object_get_member (before, "tools"), json_object_get_member (body, "tools"));
  while (!*breaks && i < json_array_get_length (old) && i < json_array_get_length (new)
         && json_node_equal (json_array_get_element (old, i), json_array_get_element (new, i)))
    i++;
  *breaks = i < json_array_get_length (old);
  for (; i < json_array_get_length (new); i++)
    {
      g_autofree char *text = json_to_string (json_array_get_element (new, i), FALSE);

      n += strlen (text);
    }
  return n;
}

/* How it went is in it, and where the rest is; and all that stood in the summary before. */
static void
check_summary (Work *work, const char *body)
{
  g_assert_nonnull (strstr (body, FIRST_WORDS));
  g_assert_nonnull (strstr (body, "FAILED test_"));
  g_assert_nonnull (strstr (body, "[Exit status 1, after 2.0 s.]\\n[Kept as output:"));
  g_assert_nonnull (strstr (body, "words of a summary are not kept."));
  g_assert_cmpint (work->n_summaries > 0, ==, strstr (body, LAST_LINE) != NULL);
}

static void
measure (Work *work)
{
  g_autoptr (JsonObject) before = NULL;
  guint since = 0;

  for (guint i = 0; i < beckon_fixture_server_count_requests (work->fixture->server); i++)
    {
      const BeckonFixtureRequest *request = beckon_fixture_server_get_request (work->fixture->server, i);
      g_autoptr (JsonObject) body = parse (request);
      gboolean breaks = FALSE;

      work->n_bytes += strlen (request->body);
      if (!json_object_has_member (body, "tools"))
        {
          check_summary (work, request->body);
          work->n_summaries++;
          work->n_anew += strlen (request->body);
          continue;
        }
      if (before != NULL)
        work->n_anew += count_anew (before, body, &breaks);
      if (breaks)
        g_test_message ("the %u. request begins anew after %u rounds, with %" G_GSIZE_FORMAT " bytes", i, since,
                        strlen (request->body));
      work->n_breaks += breaks;
      since = breaks ? 0 : since + 1;
      g_clear_pointer (&before, json_object_unref);
      before = g_steal_pointer (&body);
    }
  g_test_message ("%u breaks, %u summaries, %" G_GSIZE_FORMAT " tokens sent, %" G_GSIZE_FORMAT " of them anew", work->n_breaks,
                  work->n_summaries, work->n_bytes / 4, work->n_anew / 4);
}

static const char *
get_last_body (Work *work)
{
  BeckonFixtureServer *server = work->fixture->server;

  return beckon_fixture_server_get_request (server, beckon_fixture_server_count_requests (server) - 1)->body;
}

/* A page has as many whole lines from where it was to begin as there is room for, and says where it goes on. */
static void
check_page (Work *work, guint n)
{
  g_autofree char *id = g_strdup_printf ("c%u", n);
  g_autofree char *name = g_strdup_printf ("module-%u.py", n);
  g_autofree char *path = g_build_filename (work->folder, name, NULL);
  g_autofree char *page = beckon_agent_dup_result (beckon_fixture_server_get_request (work->fixture->server, 1), id);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint next;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_assert_null (strstr (page, "left out"));
  g_assert_true (g_str_has_prefix (page, lines[2]));
  g_assert_cmpint (sscanf (strstr (page, "read with offset ") + strlen ("read with offset "), "%u", &next), ==, 1);
  g_assert_cmpuint (next, >, 20);
  g_assert_nonnull (strstr (page, lines[next - 2]));
  g_assert_null (strstr (page, lines[next - 1]));
}

static void
test_pages (gconstpointer n_calls)
{
  g_autoptr (Work) work = work_new (16000, 0, 0);
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_server_set_handler (work->fixture->server, NULL, NULL);
  beckon_fixture_reply_add_stream_head (reply);
  for (guint i = 0; i < GPOINTER_TO_UINT (n_calls); i++)
    {
      g_autofree char *id = g_strdup_printf ("c%u", i + 1);
      g_autofree char *arguments = g_strdup_printf ("{\"path\":\"module-%u.py\",\"offset\":3}", i + 1);

      beckon_fixture_reply_add_chat_call (reply, i, id, "read_file", arguments);
    }
  beckon_fixture_reply_add_chat_finish (reply, "tool_calls");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (work->fixture, reply);
  beckon_agent_fixture_script (work->fixture, beckon_script_calls ("Done.", NULL, 0, "stop"));
  beckon_agent_fixture_send (work->fixture, work->fixture->conversation, "Read it.");
  beckon_agent_fixture_wait_end (work->fixture, BECKON_RUN_COMPLETE);
  for (guint i = 0; i < GPOINTER_TO_UINT (n_calls); i++)
    check_page (work, i + 1);
}

typedef struct
{
  const char *path;
  guint window;
  guint n_calls;
  guint summary_length;
  guint most_breaks;
  guint least_summaries;
} Case;

/* The person's words are there to the end, whatever became of what was said and done since. */
static void
test_rounds (gconstpointer data)
{
  const Case *this = data;
  g_autoptr (Work) work = work_new (this->window, this->n_calls, this->summary_length);

  beckon_agent_fixture_send (work->fixture, work->fixture->conversation, FIRST_WORDS);
  beckon_agent_fixture_wait_end (work->fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (work->round, ==, N_ROUNDS);
  measure (work);
  g_assert_cmpuint (work->n_breaks, <=, this->most_breaks);
  g_assert_cmpuint (work->n_summaries, >=, this->least_summaries);
  g_assert_nonnull (strstr (get_last_body (work), FIRST_WORDS));
}

int
main (int argc, char **argv)
{
  /* The prompt leaves 95 kB of 32,000 tokens. Two calls in each round are 300 kB together as they are sent, so that one break is
   * too few however much it makes room for. */
  static const Case cases[] = {
    { "/agent/rounds/32000", 32000, 1, 4000, 1, 0 },
    { "/agent/rounds/32000-two-calls", 32000, 2, 4000, 2, 1 },
    { "/agent/rounds/128000-two-calls", 128000, 2, 4000, 1, 0 },
    { "/agent/rounds/16000-long-summaries", 16000, 1, 60000, 2, 2 },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/agent/rounds/page", GUINT_TO_POINTER (1), test_pages);
  g_test_add_data_func ("/agent/rounds/pages", GUINT_TO_POINTER (12), test_pages);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].path, &cases[i], test_rounds);
  return g_test_run ();
}
