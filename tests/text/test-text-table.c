/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several similar calls as one table in plain text, and what may be replied to it. */

#include "text/beckon-plain-table.h"

#include "request/beckon-approval-request.h"

#include <string.h>

#define EDITED "{\"path\":\"z.txt\",\"mode\":\"w\"}"

static BeckonRequest *
make (const char *tool, const char *arguments)
{
  return beckon_approval_request_new (NULL, "conversation", "message", "call", tool, arguments, "It changes something.", 1);
}

static GPtrArray *
make_all (const char *first, const char *second, const char *third)
{
  GPtrArray *requests = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (requests, make ("write_file", first));
  g_ptr_array_add (requests, make ("write_file", second));
  g_ptr_array_add (requests, make ("write_file", third));
  return requests;
}

static GPtrArray *
make_files (void)
{
  return make_all ("{\"path\":\"a.txt\",\"mode\":\"w\"}", "{\"path\":\"港口.txt\",\"mode\":\"w\"}",
                   "{\"mode\":\"w\",\"path\":\"c\\nd\",\"n\":1}");
}

/* Columns are where the calls differ; wide characters take two places. */
static void
test_grid (void)
{
  g_autoptr (GPtrArray) requests = make_files ();
  g_autofree char *text = beckon_plain_table_format (requests);

  g_assert_true (g_str_has_prefix (text, "⚠ Write a file: 3 calls\nThe same in all calls:\nmode: w\n"
                                         "    path      n\n"
                                         " 1. a.txt     –\n"
                                         " 2. 港口.txt  –\n"
                                         " 3. c⏎d       1\n"
                                         "It changes something.\n\nReply with: run all,"));
}

/* The reach of some is said with their numbers, and once where all have it. */
static void
test_risks (void)
{
  g_autoptr (GPtrArray) requests = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *some = NULL;
  g_autofree char *all = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{\"command\":\"npm ci %u\"}", i);
      BeckonRequest *request = make ("run_command", arguments);
      BeckonApprovalDetails *details = beckon_approval_details_new ();

      details->command = g_strdup ("npm ci");
      details->uses_network = i != 1;
      beckon_request_take_details (request, details);
      g_ptr_array_add (requests, request);
    }
  some = beckon_plain_table_format (requests);
  g_assert_nonnull (strstr (some, "\n1, 3: Uses the network\n"));
  g_ptr_array_remove_index (requests, 1);
  all = beckon_plain_table_format (requests);
  g_assert_nonnull (strstr (all, "\nUses the network\n"));
}

/* A value that doesn't fit a column stands below its number. */
static void
test_list (void)
{
  g_autofree char *word = g_strnfill (60, 'x');
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"a\",\"content\":\"%s\"}", word);
  g_autoptr (GPtrArray) requests = make_all (arguments, "{\"path\":\"b\"}", "{\"path\":\"c\"}");
  g_autofree char *text = beckon_plain_table_format (requests);

  g_assert_nonnull (strstr (text, " 1. path: a\n    content: xxx"));
  g_assert_nonnull (strstr (text, "\n 2. path: b\n    content: –\n"));
}

typedef struct
{
  const char *line;
  const char *decisions; /* of R, D and ·; (nullable) where it decides nothing */
} Reply;

static const Reply replies[] = {
  { "run all", "RRR" },
  { "Deny ALL", "DDD" },
  { "run 1,3; deny 2", "RDR" },
  { "deny 2", "·D·" },
  { "run １、3；deny 2", "RDR" },
  { " run 1 ; ", "R··" },
  { "run 1; deny 1", NULL },
  { "run 4", NULL },
  { "run 0", NULL },
  { "run", NULL },
  { "run everything", NULL },
  { "runall", NULL },
  { "yes", NULL },
  { "", NULL },
  { ";", NULL },
  { "run 1; or else", NULL },
  { "{\"path\":\"x\"}", NULL },
};

static void
test_reply (gconstpointer data)
{
  const Reply *reply = data;
  g_autoptr (GPtrArray) requests = make_files ();
  BeckonPlainTableDecision decisions[3];
  g_autoptr (GString) got = g_string_new (NULL);
  g_autofree char *message = NULL;
  guint shown = 99;
  BeckonPlainResult result = beckon_plain_table_parse (requests, reply->line, decisions, &shown, &message);

  for (guint i = 0; i < 3; i++)
    g_string_append (got, decisions[i] == BECKON_PLAIN_TABLE_RUN ? "R" : decisions[i] == BECKON_PLAIN_TABLE_DENY ? "D" : "·");
  if (reply->decisions == NULL)
    {
      g_assert_cmpint (result, ==, BECKON_PLAIN_AGAIN);
      g_assert_nonnull (message);
      return;
    }
  g_assert_cmpint (result, ==, BECKON_PLAIN_ANSWER);
  g_assert_cmpstr (got->str, ==, reply->decisions);
}

static void
test_others (void)
{
  g_autoptr (GPtrArray) requests = make_files ();
  BeckonPlainTableDecision decisions[3];
  g_autofree char *message = NULL;
  guint shown = 0;

  g_assert_cmpint (beckon_plain_table_parse (requests, "2", decisions, &shown, &message), ==, BECKON_PLAIN_ITEM);
  g_assert_cmpuint (shown, ==, 1);
  g_assert_cmpint (beckon_plain_table_parse (requests, "/stop", decisions, &shown, &message), ==, BECKON_PLAIN_STOP);
  g_assert_cmpint (beckon_plain_table_parse (requests, "/status", decisions, &shown, &message), ==, BECKON_PLAIN_STATUS);
}

/* A call that was not shown whole does not run with the others. */
static void
test_cut (void)
{
  g_autofree char *long_text = g_strnfill (1000, 'x');
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\"}", long_text);
  g_autoptr (GPtrArray) requests = make_all ("{\"path\":\"a\"}", arguments, "{\"path\":\"c\"}");
  g_autofree char *text = beckon_plain_table_format (requests);
  BeckonPlainTableDecision decisions[3];
  g_autofree char *message = NULL;
  guint shown = 0;

  g_assert_nonnull (strstr (text, "(shortened)"));
  g_assert_cmpint (beckon_plain_table_parse (requests, "run all", decisions, &shown, &message), ==, BECKON_PLAIN_AGAIN);
  g_assert_nonnull (strstr (message, "Call 2"));
  g_clear_pointer (&message, g_free);
  g_assert_cmpint (beckon_plain_table_parse (requests, "run 1,3; deny 2", decisions, &shown, &message), ==, BECKON_PLAIN_ANSWER);
}

/* A draft is what is shown and what runs. */
static void
test_draft (void)
{
  g_autoptr (GPtrArray) requests = make_files ();
  g_autoptr (BeckonCallTable) table = NULL;
  g_autoptr (BeckonAnswer) answer = NULL;
  g_autoptr (BeckonAnswer) other = NULL;
  g_autofree char *draft = NULL;

  draft = beckon_approval_draft_to_json (&(BeckonApprovalDraft){ .arguments = (char *) EDITED });
  beckon_request_set_draft (g_ptr_array_index (requests, 0), draft);
  table = beckon_call_table_new (requests);
  g_assert_true (beckon_call_table_is_edited (table, 0));
  g_assert_false (beckon_call_table_is_edited (table, 1));
  g_assert_cmpstr (beckon_call_table_get_cell (table, 0, 0), ==, "z.txt");
  answer = beckon_call_table_make_answer (g_ptr_array_index (requests, 0), TRUE);
  g_assert_cmpint (answer->kind, ==, BECKON_ANSWER_APPROVED_EDITED);
  g_assert_cmpstr (answer->text, ==, EDITED);
  other = beckon_call_table_make_answer (g_ptr_array_index (requests, 0), FALSE);
  g_assert_cmpint (other->kind, ==, BECKON_ANSWER_DECLINED);
}

static void
test_similar (void)
{
  g_autoptr (BeckonRequest) one = make ("write_file", "{}");
  g_autoptr (BeckonRequest) two = make ("write_file", "{\"a\":1}");
  g_autoptr (BeckonRequest) other = make ("read_file", "{}");
  g_autoptr (BeckonRequest) elsewhere = beckon_approval_request_new (NULL, "conversation", "message 2", "call", "write_file",
                                                                     "{}", NULL, 1);

  g_assert_true (beckon_call_table_is_similar (one, two));
  g_assert_false (beckon_call_table_is_similar (one, other));
  g_assert_false (beckon_call_table_is_similar (one, elsewhere));
}

/* Arguments that are no JSON make all of them texts; none of it is lost. */
static void
test_no_json (void)
{
  g_autoptr (GPtrArray) requests = make_all ("{\"a\":1}", "{\"a\":", "[1]");
  g_autoptr (BeckonCallTable) table = beckon_call_table_new (requests);

  g_assert_cmpuint (beckon_call_table_get_n_columns (table), ==, 1);
  g_assert_cmpstr (beckon_call_table_get_cell (table, 1, 0), ==, "{\"a\":");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/table/grid", test_grid);
  g_test_add_func ("/text/table/list", test_list);
  g_test_add_func ("/text/table/risks", test_risks);
  for (guint i = 0; i < G_N_ELEMENTS (replies); i++)
    {
      g_autofree char *path = g_strdup_printf ("/text/table/reply/%u", i);

      g_test_add_data_func (path, &replies[i], test_reply);
    }
  g_test_add_func ("/text/table/others", test_others);
  g_test_add_func ("/text/table/cut", test_cut);
  g_test_add_func ("/text/table/draft", test_draft);
  g_test_add_func ("/text/table/similar", test_similar);
  g_test_add_func ("/text/table/no-json", test_no_json);
  return g_test_run ();
}
