/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An export has everything, an import brings back what was exported, and a file that is not what it claims to be changes
 * nothing.
 */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "base/beckon-json.h"
#include "domain/beckon-attachment.h"
#include "request/beckon-form-request.h"
#include "store/transfer/beckon-copy.h"
#include "store/transfer/beckon-export.h"
#include "store/transfer/beckon-import.h"

#include <string.h>

#define N_GENERATED 60

typedef struct
{
  char *directory;
  BeckonStore *store;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->store = beckon_store_fixture_open (fixture->directory);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->store);
  beckon_store_fixture_clear (fixture->directory);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static char *
export_one (BeckonStore *store, const char *id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_store_export_async (store, id, NULL, keep_result, &result);
  beckon_await (result != NULL);

  return beckon_store_export_finish (store, result, error);
}

static char *
export_good (BeckonStore *store, const char *id)
{
  g_autoptr (GError) error = NULL;
  char *document = export_one (store, id, &error);

  g_assert_no_error (error);
  g_assert_true (beckon_json_check (document, -1, &error));

  return document;
}

static GPtrArray *
import (BeckonStore *store, const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GAsyncResult) result = NULL;

  g_autoptr (BeckonImportReport) report = NULL;

  beckon_store_import_async (store, bytes, NULL, keep_result, &result);
  beckon_await (result != NULL);
  report = beckon_store_import_finish (store, result, error);

  return report != NULL ? g_ptr_array_ref (report->ids) : NULL;
}

/* A conversation that is here already is imported by another id only. */
static char *
with_other_id (const char *document, const char *id)
{
  g_autofree char *other = beckon_id_new ();
  GString *text = g_string_new (document);

  g_string_replace (text, id, other, 0);
  return g_string_free (text, FALSE);
}

static char *
import_one (BeckonStore *store, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) ids = import (store, text, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (ids->len, ==, 1);

  return g_strdup (g_ptr_array_index (ids, 0));
}

static void
erase (BeckonStore *store, const char *id)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_batch_delete_conversation (batch, id);
  beckon_store_fixture_commit (store, batch);
}

/* Generated conversations */

static char *
make_text (void)
{
  static const char *const pieces[] = { "word ", "部署", "\n", "\"quoted\"", "\\", "\t", "🙂", "\001", "`", "é", "" };
  GString *text = g_string_new (NULL);

  for (int i = g_test_rand_int_range (0, 12); i > 0; i--)
    g_string_append (text, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);

  return g_string_free (text, FALSE);
}

static gboolean
toss (void)
{
  return g_test_rand_int_range (0, 2) == 1;
}

static void
add_call (BeckonMessage *message)
{
  g_autofree char *arguments = g_strdup_printf ("{\"n\": %d}", g_test_rand_int_range (0, 100));
  g_autofree char *result = make_text ();
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, toss () ? "call_7" : NULL, "list_folder", arguments);
  g_autoptr (BeckonPart) part = NULL;

  beckon_tool_call_set_read_only (call, toss ());
  beckon_tool_call_set_fault (call, toss () ? "not whole" : NULL);
  beckon_tool_call_set_state (call, toss () ? BECKON_CALL_DONE : BECKON_CALL_CANCELLED);
  beckon_tool_call_set_times (call, g_test_rand_int_range (0, 1000), g_test_rand_int_range (0, 1000));
  for (int i = toss () ? 0 : g_test_rand_int_range (1, 4); i > 0; i--)
    {
      g_autoptr (GBytes) bytes = g_bytes_new ("\211PNG\r\n\032\n\0\377", (gsize) g_test_rand_int_range (1, 11));
      g_autoptr (BeckonPart) image = beckon_attachment_new_image ("plot.png", "image/png", bytes);

      beckon_tool_call_add_image (call, image);
    }
  beckon_tool_call_set_result (call, result, toss ());
  part = beckon_part_new_call (call);
  beckon_message_add_part (message, part);
}

static BeckonMessage *
make_message (gint64 seq)
{
  static const BeckonMessageStatus statuses[] = { BECKON_MESSAGE_COMPLETE, BECKON_MESSAGE_CUT_OFF, BECKON_MESSAGE_STOPPED,
                                                  BECKON_MESSAGE_FAILED };
  BeckonMessage *message = beckon_message_new (NULL, toss () ? BECKON_ROLE_USER : BECKON_ROLE_ASSISTANT,
                                               g_test_rand_int_range (0, G_MAXINT));

  beckon_message_set_seq (message, seq);
  beckon_message_set_status (message, statuses[g_test_rand_int_range (0, G_N_ELEMENTS (statuses))]);
  beckon_message_set_usage (message, &(BeckonUsage) { g_test_rand_int_range (-1, 50), 7, -1 });
  for (int i = g_test_rand_int_range (0, 5); i > 0; i--)
    {
      g_autofree char *text = make_text ();
      g_autoptr (BeckonPart) part = beckon_part_new (toss () ? BECKON_PART_TEXT : BECKON_PART_REASONING, text);

      beckon_part_set_origin (part, toss () ? "chat" : NULL);
      beckon_message_add_part (message, part);
      if (toss ())
        add_call (message);
    }

  return message;
}

/* Bytes of an image and a provider's own block, whatever is in them. */
static void
add_foreign_parts (BeckonMessage *message)
{
  static const char image_bytes[] = "\211PNG\r\n\032\n\0\0\0\rIHDR\377\376";
  g_autoptr (BeckonPart) image = beckon_part_new (BECKON_PART_IMAGE, NULL);
  g_autoptr (BeckonPart) block = beckon_part_new (BECKON_PART_OPAQUE, "{\"signature\": \"a\\u0000b\",  \"n\":1e400}");

  beckon_part_set_media_type (image, "image/png");
  beckon_part_append (image, image_bytes, sizeof image_bytes);
  beckon_part_set_origin (block, "anthropic");
  beckon_message_add_part (message, image);
  beckon_message_add_part (message, block);
}

/* With a question that was asked and answered, a run that is over, and more that was said. */
static char *
generate (Fixture *fixture)
{
  g_autofree char *title = make_text ();
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which port?");
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autofree char *answer = g_strconcat ("8080 ", title, NULL);
  g_autoptr (BeckonSettlement) settlement = beckon_turn_answer (turn, answer, "kim");
  g_autoptr (GError) error = NULL;
  BeckonBatch *batch;

  beckon_conversation_set_title (turn->conversation, title);
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
  beckon_store_fixture_save_draft (fixture->store, beckon_request_get_id (turn->request), "{\"text\":\"80\"}");
  beckon_store_fixture_settle (fixture->store, settlement, &error);
  g_assert_no_error (error);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  turn->run->phase = toss () ? BECKON_RUN_COMPLETE : BECKON_RUN_FAILED;
  beckon_batch_set_run (batch, turn->run);
  beckon_batch_set_draft (batch, id, title);
  beckon_batch_set_pinned (batch, id, toss ());
  beckon_batch_set_archived (batch, id, toss ());
  beckon_batch_set_unread (batch, id, toss ());
  beckon_batch_set_mode (batch, id, toss () ? BECKON_MODE_ASK_EVERYTHING : BECKON_MODE_ASK_CHANGES);
  beckon_batch_set_effort (batch, id, (BeckonEffort) g_test_rand_int_range (0, BECKON_EFFORT_N_EFFORTS));
  if (toss ())
    beckon_batch_propose_title (batch, id, "A title by a model");
  for (int i = 2 + g_test_rand_int_range (0, 6); i > 1; i--)
    {
      g_autoptr (BeckonMessage) message = make_message (10 - i);

      if (toss ())
        add_foreign_parts (message);
      beckon_batch_add_message (batch, id, message);
    }
  beckon_store_fixture_commit (fixture->store, batch);

  return g_strdup (id);
}

static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < N_GENERATED; i++)
    {
      g_autofree char *id = generate (fixture);
      g_autofree char *before = export_good (fixture->store, id);
      g_autofree char *again = NULL;
      g_autofree char *after = NULL;

      erase (fixture->store, id);
      again = import_one (fixture->store, before);
      g_assert_cmpstr (again, ==, id);
      after = export_good (fixture->store, id);
      g_assert_cmpstr (after, ==, before);
    }
}

/* The folder is written, and not taken over: a document may be somebody else's. */
static void
test_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = generate (fixture);
  g_autofree char *without = export_good (fixture->store, id);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autofree char *with = NULL;
  g_autofree char *again = NULL;
  g_autofree char *after = NULL;

  beckon_batch_set_folder (batch, id, "/srv/a folder");
  beckon_store_fixture_commit (fixture->store, batch);
  with = export_good (fixture->store, id);
  g_assert_nonnull (strstr (with, "\"/srv/a folder\""));
  erase (fixture->store, id);
  again = import_one (fixture->store, with);
  after = export_good (fixture->store, id);
  g_assert_cmpstr (after, ==, without);
}

static void
add_step (BeckonBatch *batch, const char *conversation_id, BeckonMessage *message, BeckonToolCall *planned, const char *step_id,
          BeckonCallState state)
{
  g_autoptr (BeckonToolCall) step = beckon_tool_call_new_step (NULL, planned, step_id, "read_file", "{\"path\":\"a.png\"}");
  g_autoptr (GBytes) bytes = g_bytes_new ("\211PNG", 5);
  g_autoptr (BeckonPart) image = beckon_attachment_new_image ("a.png", "image/png", bytes);

  beckon_tool_call_add_image (step, image);
  if (state == BECKON_CALL_DONE)
    beckon_tool_call_set_result (step, "seen", FALSE);
  beckon_tool_call_set_state (step, state);
  beckon_batch_add_step (batch, conversation_id, beckon_message_get_id (message), step);
}

/* A plan, how far it came, what each step gave and why one did not run. */
static char *
generate_plan (Fixture *fixture)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which port?");
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 2);
  g_autoptr (BeckonToolCall) planned = beckon_tool_call_new (NULL, "call_1", "propose_plan", "{}");
  g_autoptr (BeckonPart) part = beckon_part_new_call (planned);
  g_autofree char *sql = NULL;
  g_autofree char *written = NULL;
  BeckonBatch *batch = beckon_turn_to_batch (turn);

  beckon_tool_call_set_result (planned, "{\"status\":\"completed\"}", FALSE);
  beckon_tool_call_set_state (planned, BECKON_CALL_DONE);
  beckon_message_set_seq (message, 2);
  beckon_message_add_part (message, part);
  beckon_batch_add_message (batch, id, message);
  beckon_store_fixture_commit (fixture->store, batch);
  sql = g_strdup_printf ("INSERT INTO plan VALUES ('%s', '{\"title\":\"Look\",\"steps\":[{\"id\":\"a\",\"tool\":\"read_file\","
                         "\"arguments\":{\"path\":\"a.png\"}},{\"id\":\"b\",\"tool\":\"read_file\",\"arguments\":{}}]}', 3)",
                         beckon_tool_call_get_id (planned));
  written = beckon_store_fixture_sql (fixture->directory, sql);
  g_assert_null (written);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  add_step (batch, id, message, planned, "a", BECKON_CALL_CANCELLED);
  add_step (batch, id, message, planned, "a", BECKON_CALL_DONE);
  add_step (batch, id, message, planned, "b", BECKON_CALL_STARTED);
  beckon_store_fixture_commit (fixture->store, batch);
  written = beckon_store_fixture_sql (fixture->directory,
                                      "UPDATE step SET outcome = 'replaced' WHERE call = (SELECT min (call) FROM step)");

  return g_strdup (id);
}

static BeckonToolCall *
load_plan (Fixture *fixture, GPtrArray **messages, const char *id)
{
  *messages = beckon_store_fixture_load (fixture->store, id);
  return beckon_part_get_call (beckon_message_get_part (g_ptr_array_index (*messages, 2), 0));
}

static void
test_plans (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = generate_plan (fixture);
  g_autofree char *before = export_good (fixture->store, id);
  g_autofree char *again = NULL;
  g_autofree char *copy_id = NULL;
  g_autofree char *after = NULL;
  g_autofree char *third = NULL;
  g_autofree char *other = NULL;
  g_autofree char *once_more = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (GPtrArray) copied = NULL;
  BeckonToolCall *plan;

  erase (fixture->store, id);
  again = import_one (fixture->store, before);
  g_assert_cmpstr (again, ==, id);
  plan = load_plan (fixture, &messages, id);
  g_assert_cmpstr (beckon_tool_call_get_plan (plan)->title, ==, "Look");
  g_assert_cmpuint (beckon_tool_call_get_n_steps (plan), ==, 3);
  g_assert_cmpint (beckon_tool_call_get_step_outcome (beckon_tool_call_get_step (plan, 0)), ==, BECKON_STEP_OUTCOME_REPLACED);
  g_assert_cmpstr (beckon_tool_call_get_result (beckon_tool_call_get_step (plan, 1)), ==, "seen");
  g_assert_cmpuint (beckon_tool_call_get_n_images (beckon_tool_call_get_step (plan, 1)), ==, 1);
  g_assert_cmpint (beckon_plan_get_step (beckon_tool_call_get_plan (plan), 0)->status, ==, BECKON_STEP_COMPLETED);
  /* A call that was running does not come alive. */
  g_assert_cmpint (beckon_tool_call_get_state (beckon_tool_call_get_step (plan, 2)), ==, BECKON_CALL_CANCELLED);

  after = export_good (fixture->store, id);
  other = with_other_id (after, id);
  copy_id = import_one (fixture->store, other);
  g_assert_cmpstr (copy_id, !=, id);
  plan = load_plan (fixture, &copied, copy_id);
  g_assert_cmpuint (beckon_tool_call_get_n_steps (plan), ==, 3);
  g_assert_cmpstr (beckon_tool_call_get_step_id (beckon_tool_call_get_step (plan, 2)), ==, "b");

  erase (fixture->store, id);
  third = import_one (fixture->store, after);
  once_more = export_good (fixture->store, third);
  g_assert_cmpstr (once_more, ==, after);
}

/* A plan that cannot be read, an outcome that nobody knows and a plan within a plan are refused. */
static void
test_damaged_plans (Fixture *fixture, gconstpointer data)
{
  static const char *const changes[][2] = { { "\"outcome\":\"replaced\"", "\"outcome\":\"lost\"" },
                                            { "\"revision\":3", "\"revision\":\"3\"" },
                                            { "\\\"steps\\\":[{", "\\\"steps\\\":{[" } };
  g_autofree char *id = generate_plan (fixture);
  g_autofree char *document = export_good (fixture->store, id);

  erase (fixture->store, id);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (GString) changed = g_string_new (document);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) ids = NULL;

      g_assert_cmpuint (g_string_replace (changed, changes[i][0], changes[i][1], 1), ==, 1);
      ids = import (fixture->store, changed->str, &error);
      g_assert_null (ids);
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

/* The pictures of a result go where their call goes. */
static void
test_images (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which port?");
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 2);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "read_file", "{}");
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (BeckonConversation) copy = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autofree char *left = NULL;
  BeckonBatch *batch = beckon_turn_to_batch (turn);
  BeckonToolCall *read;

  for (guint i = 0; i < BECKON_TOOL_CALL_MOST_IMAGES + 1; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.png", i);
      g_autoptr (GBytes) bytes = g_bytes_new (name, strlen (name) + 1);
      g_autoptr (BeckonPart) image = beckon_attachment_new_image (name, "image/png", bytes);

      beckon_tool_call_add_image (call, image);
    }
  beckon_tool_call_set_result (call, "seen", FALSE);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  beckon_message_set_seq (message, 2);
  beckon_message_add_part (message, part);
  beckon_batch_add_message (batch, id, message);
  beckon_store_fixture_commit (fixture->store, batch);

  beckon_store_copy_async (fixture->store, id, NULL, "Copy", 3, NULL, keep_result, &result);
  beckon_await (result != NULL);
  copy = beckon_store_copy_finish (fixture->store, result, NULL);
  erase (fixture->store, id);
  messages = beckon_store_fixture_load (fixture->store, beckon_conversation_get_id (copy));
  read = beckon_part_get_call (beckon_message_get_part (g_ptr_array_index (messages, 2), 0));
  g_assert_cmpuint (beckon_tool_call_get_n_images (read), ==, BECKON_TOOL_CALL_MOST_IMAGES);
  for (guint i = 0; i < BECKON_TOOL_CALL_MOST_IMAGES; i++)
    {
      BeckonPart *image = beckon_tool_call_get_image (read, i);

      g_assert_cmpstr (beckon_attachment_get_name (image), ==, beckon_part_get_text (image));
      g_assert_cmpuint (beckon_part_get_length (image), ==, strlen ("0.png") + 1);
      g_assert_cmpstr (beckon_part_get_media_type (image), ==, "image/png");
    }
  erase (fixture->store, beckon_conversation_get_id (copy));
  left = beckon_store_fixture_sql (fixture->directory, "SELECT count (*) FROM result_image");
  g_assert_cmpstr (left, ==, "0");
}

/* Two of one name, of which one is text alone, and one that nobody named. */
static void
add_pdfs (BeckonMessage *message)
{
  static const struct
  {
    const char *name, *text, *pdf;
    guint n_pages;
  } files[] = { { "a.pdf", "first", NULL, 0 },
                { "a.pdf", "zebra", "%PDF-1.4 second", 3 },
                { "b.pdf", "third", "%PDF-1.7 third", 1000 } };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (BeckonPart) part = beckon_attachment_new_text (files[i].name, files[i].text, strlen (files[i].text));
      g_autoptr (GBytes) pdf = files[i].pdf != NULL ? g_bytes_new (files[i].pdf, strlen (files[i].pdf) + 1) : NULL;

      if (pdf != NULL)
        beckon_attachment_set_pdf (part, pdf, files[i].n_pages);
      beckon_message_add_part (message, part);
    }
}

static void
assert_pdfs (BeckonMessage *message, BeckonMessage *read)
{
  guint n = beckon_message_get_n_parts (message);

  g_assert_cmpuint (beckon_message_get_n_parts (read), ==, n);
  for (guint i = 0; i < n; i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i), *again = beckon_message_get_part (read, i);
      guint pages, pages_again;
      GBytes *pdf = beckon_attachment_get_pdf (part, &pages), *pdf_again = beckon_attachment_get_pdf (again, &pages_again);

      g_assert_cmpstr (beckon_part_get_text (again), ==, beckon_part_get_text (part));
      g_assert_cmpuint (pages_again, ==, pages);
      g_assert_true ((pdf == NULL) == (pdf_again == NULL));
      if (pdf != NULL)
        g_assert_true (g_bytes_equal (pdf, pdf_again));
    }
}

static void
assert_loads_pdfs (Fixture *fixture, const char *id, BeckonMessage *message)
{
  g_autoptr (GPtrArray) messages = beckon_store_fixture_load (fixture->store, id);

  assert_pdfs (message, g_ptr_array_index (messages, 2));
}

/* A PDF goes where its text goes, and nothing of it is left when that is erased. */
static void
test_pdfs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("What is in them?");
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, 2, "These:");
  const char *id = beckon_conversation_get_id (turn->conversation);
  BeckonBatch *batch = beckon_turn_to_batch (turn);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (BeckonConversation) copy = NULL;
  g_autofree char *document = NULL;
  g_autofree char *other = NULL;
  g_autofree char *other_id = NULL;
  g_autofree char *left = NULL;

  add_pdfs (message);
  beckon_batch_add_message (batch, id, message);
  beckon_store_fixture_commit (fixture->store, batch);
  assert_loads_pdfs (fixture, id, message);
  beckon_store_copy_async (fixture->store, id, NULL, "Copy", 3, NULL, keep_result, &result);
  beckon_await (result != NULL);
  copy = beckon_store_copy_finish (fixture->store, result, NULL);
  assert_loads_pdfs (fixture, beckon_conversation_get_id (copy), message);

  document = export_good (fixture->store, id);
  g_assert_nonnull (strstr (document, "\"media_type\":\"application/pdf; pages=3\""));
  other = with_other_id (document, id);
  other_id = import_one (fixture->store, other);
  erase (fixture->store, id);
  erase (fixture->store, beckon_conversation_get_id (copy));
  assert_loads_pdfs (fixture, other_id, message);
  erase (fixture->store, other_id);
  left = beckon_store_fixture_sql (fixture->directory, "SELECT count (*) FROM part WHERE kind = 'image'");
  g_assert_cmpstr (left, ==, "0");
}

/* A model gets no PDF that has no text beside it, where a person and what looks for secrets would see what it says. */
static void
test_damaged_pdfs (Fixture *fixture, gconstpointer data)
{
  static const char *const changes[][2] = {
    { "file:b.pdf\",\"media_type", "file:c.pdf\",\"media_type" },
    { "pages=1000", "pages=1001" },
    { "pages=1000", "pages=0" },
    { "pages=1000", "pages=-1" },
    { "; pages=1000", "" },
  };
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("What is in them?");
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, 2, "These:");
  const char *id = beckon_conversation_get_id (turn->conversation);
  BeckonBatch *batch = beckon_turn_to_batch (turn);
  g_autofree char *document = NULL;

  add_pdfs (message);
  beckon_batch_add_message (batch, id, message);
  beckon_store_fixture_commit (fixture->store, batch);
  document = export_good (fixture->store, id);
  erase (fixture->store, id);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (GString) changed = g_string_new (document);
      g_autofree char *imported = NULL;
      g_autoptr (GPtrArray) messages = NULL;
      BeckonMessage *read;

      g_assert_cmpuint (g_string_replace (changed, changes[i][0], changes[i][1], 1), ==, 1);
      imported = import_one (fixture->store, changed->str);
      messages = beckon_store_fixture_load (fixture->store, imported);
      read = g_ptr_array_index (messages, 2);
      g_assert_cmpuint (beckon_message_get_n_parts (read), ==, beckon_message_get_n_parts (message));
      g_assert_nonnull (beckon_attachment_get_pdf (beckon_message_get_part (read, 2), NULL));
      g_assert_null (beckon_attachment_get_pdf (beckon_message_get_part (read, 3), NULL));
      g_assert_nonnull (strstr (beckon_part_get_text (beckon_message_get_part (read, 3)), "third"));
      erase (fixture->store, imported);
    }
}

/* Prefixes are between a conversation and its providers: copies and imported conversations begin anew. */
static void
test_prefixes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which port?");
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (BeckonPrefix) prefix = beckon_prefix_new ("p1");
  g_autoptr (BeckonTold) told = beckon_told_new (beckon_message_get_id (turn->question), "{}", "Today is now 2026-06-04");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (BeckonConversation) copy = NULL;
  g_autoptr (GPtrArray) ids = NULL;
  g_autofree char *document = NULL;
  g_autofree char *other = NULL;
  g_autofree char *n_prefixes = NULL;
  g_autofree char *n_told = NULL;
  g_autofree char *owner = NULL;
  g_autoptr (GError) error = NULL;
  BeckonBatch *batch = beckon_turn_to_batch (turn);

  prefix->number = 1;
  prefix->reason = g_strdup (BECKON_PREFIX_FIRST);
  prefix->system = g_strdup ("You are Beckon on this very computer.");
  prefix->tools = g_strdup ("[]");
  prefix->facts = g_strdup ("{}");
  beckon_batch_put_prefix (batch, id, prefix);
  beckon_batch_put_sent (batch, id, prefix);
  beckon_batch_put_told (batch, id, told);
  beckon_store_fixture_commit (fixture->store, batch);

  beckon_store_copy_async (fixture->store, id, NULL, "Copy", 3, NULL, keep_result, &result);
  beckon_await (result != NULL);
  copy = beckon_store_copy_finish (fixture->store, result, &error);
  g_assert_no_error (error);
  document = export_good (fixture->store, id);
  g_assert_null (strstr (document, "on this very computer"));
  g_assert_null (strstr (document, "Today is now"));
  other = with_other_id (document, id);
  ids = import (fixture->store, other, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ids->len, ==, 1);

  n_prefixes = beckon_store_fixture_sql (fixture->directory, "SELECT (SELECT count (*) FROM prefix) || (SELECT count (*) FROM prefix_sent)");
  n_told = beckon_store_fixture_sql (fixture->directory, "SELECT count (*) FROM told");
  owner = beckon_store_fixture_sql (fixture->directory, "SELECT conversation FROM prefix");
  g_assert_cmpstr (n_prefixes, ==, "11");
  g_assert_cmpstr (n_told, ==, "1");
  g_assert_cmpstr (owner, ==, id);
}

static void
test_foreign_parts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("What is in the picture?");
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, 2, "");
  const char *id = beckon_conversation_get_id (turn->conversation);
  BeckonBatch *batch = beckon_turn_to_batch (turn);
  g_autoptr (GPtrArray) messages = NULL;
  BeckonMessage *read;

  add_foreign_parts (message);
  beckon_batch_add_message (batch, id, message);
  beckon_store_fixture_commit (fixture->store, batch);
  messages = beckon_store_fixture_load (fixture->store, id);
  read = g_ptr_array_index (messages, 2);
  g_assert_cmpuint (beckon_message_get_n_parts (read), ==, 3);
  for (guint i = 1; i < 3; i++)
    {
      BeckonPart *written = beckon_message_get_part (message, i);
      BeckonPart *part = beckon_message_get_part (read, i);

      g_assert_cmpint (beckon_part_get_kind (part), ==, beckon_part_get_kind (written));
      g_assert_cmpstr (beckon_part_get_media_type (part), ==, beckon_part_get_media_type (written));
      g_assert_cmpstr (beckon_part_get_origin (part), ==, beckon_part_get_origin (written));
      g_assert_cmpmem (beckon_part_get_text (part), beckon_part_get_length (part), beckon_part_get_text (written),
                       beckon_part_get_length (written));
    }
}

/* Ids are as long as any other, so what is left without them is the same. */
static char *
without_ids (const char *document)
{
  g_autoptr (GRegex) ids = g_regex_new ("\"(id|parent)\":\"[0-9A-Z]{26}\"", 0, 0, NULL);

  return g_regex_replace_literal (ids, document, -1, 0, "\"id\":\"\"", 0, NULL);
}

static void
test_taken_ids (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = generate (fixture);
  g_autofree char *document = export_good (fixture->store, id);
  g_autofree char *other = with_other_id (document, id);
  g_autofree char *copy_id = import_one (fixture->store, other);
  g_autofree char *copy = export_good (fixture->store, copy_id);
  g_autofree char *original = export_good (fixture->store, id);
  g_autofree char *copy_body = without_ids (copy);
  g_autofree char *original_body = without_ids (original);

  g_assert_cmpstr (copy_id, !=, id);
  g_assert_cmpstr (original, ==, document);
  g_assert_cmpstr (copy_body, ==, original_body);
}

/* Bytes that are no text come back byte for byte. */
static void
test_any_bytes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = generate (fixture);
  g_autofree char *changed = beckon_store_fixture_sql (fixture->directory, "UPDATE part SET text = X'00ff6100' WHERE id = 1");
  g_autofree char *before = export_good (fixture->store, id);
  g_autofree char *again = NULL;
  g_autofree char *bytes = NULL;

  g_assert_null (changed);
  g_assert_nonnull (strstr (before, "\"base64\":\"AP9hAA==\""));
  erase (fixture->store, id);
  again = import_one (fixture->store, before);
  bytes = beckon_store_fixture_sql (fixture->directory, "SELECT count (*) FROM part WHERE text = X'00ff6100'");
  g_assert_cmpstr (bytes, ==, "1");
}

/* Durations are added up where they are shown. */
static void
test_endless (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = generate (fixture);
  g_autofree char *changed
    = beckon_store_fixture_sql (fixture->directory, "UPDATE part SET duration = 9223372036854775807 WHERE id = 1");
  g_autofree char *document = export_good (fixture->store, id);
  g_autofree char *again = NULL;
  g_autofree char *longest = NULL;

  g_assert_null (changed);
  g_assert_nonnull (strstr (document, "\"duration\":9223372036854775807"));
  erase (fixture->store, id);
  again = import_one (fixture->store, document);
  longest = beckon_store_fixture_sql (fixture->directory, "SELECT max (duration) FROM part");
  g_assert_cmpstr (longest, ==, "31536000000000");
}

/* A request that was open when it was exported does not come alive. */
static void
test_open_is_closed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which port?");
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autofree char *document = NULL;
  g_autofree char *again = NULL;
  g_autoptr (GPtrArray) pending = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autofree char *state = NULL;
  BeckonToolCall *call;

  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
  document = export_good (fixture->store, id);
  erase (fixture->store, id);
  again = import_one (fixture->store, document);
  pending = beckon_store_fixture_pending (fixture->store);
  g_assert_cmpuint (pending->len, ==, 0);
  runs = beckon_store_fixture_runs (fixture->store);
  g_assert_cmpuint (runs->len, ==, 0);

  messages = beckon_store_fixture_load (fixture->store, again);
  call = beckon_part_get_call (beckon_message_get_part (g_ptr_array_index (messages, 1), 1));
  g_assert_cmpint (beckon_tool_call_get_state (call), ==, BECKON_CALL_CANCELLED);
  g_assert_nonnull (beckon_tool_call_get_result (call));
  state = beckon_store_fixture_sql (fixture->directory,
                                    "SELECT r.state || ' ' || s.state FROM request r JOIN settlement s ON s.request = r.id");
  g_assert_cmpstr (state, ==, "cancelled cancelled");
}

/* A server's state, with which its call can be sent again, stays where that can be. */
static void
test_resumption_stays (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which port?");
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (BeckonRequest) form = beckon_form_request_new (
    id, "GitHub", "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}", 5, NULL);
  BeckonBatch *batch = beckon_turn_to_batch (turn);
  g_autofree char *document = NULL;
  g_autofree char *stored = NULL;
  g_autofree char *again = NULL;

  beckon_form_request_set_resumption (form, "who", "{\"state\":\"the server's own\"}");
  beckon_form_request_set_asking_call (form, "call");
  beckon_batch_add_request (batch, form);
  beckon_store_fixture_commit (fixture->store, batch);
  stored = beckon_store_fixture_sql (fixture->directory, "SELECT body FROM request WHERE kind = 'form'");
  g_assert_nonnull (strstr (stored, "the server's own"));
  document = export_good (fixture->store, id);
  g_assert_null (strstr (document, "the server's own"));
  g_assert_nonnull (strstr (document, "GitHub"));
  erase (fixture->store, id);
  again = import_one (fixture->store, document);
  g_free (stored);
  stored = beckon_store_fixture_sql (fixture->directory, "SELECT body FROM request WHERE kind = 'form'");
  g_assert_nonnull (strstr (stored, "GitHub"));
}

static void
assert_refused (Fixture *fixture, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) ids = import (fixture->store, text, &error);
  g_autofree char *count = NULL;

  if (ids != NULL)
    g_error ("“%s” was imported", text);
  if (!g_error_matches (error, BECKON_ERROR, BECKON_ERROR_INVALID)
      && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_CONFLICT)
      && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_STORE))
    g_error ("“%s”: %s", text, error->message);
  count = beckon_store_fixture_sql (fixture->directory, "SELECT count (*) FROM conversation");
  g_assert_cmpstr (count, ==, "0");
}

static void
test_not_an_export (Fixture *fixture, gconstpointer data)
{
  static const char *const texts[] = {
    "", "x", "{}", "3", "null", "{\"format\":\"beckon-conversation\"}", "[[]]", "[{}]", "[{\"mapping\":3}]",
    "{\"format\":\"beckon-conversation\",\"version\":3,\"conversation\":{}}",
    "{\"format\":\"beckon-conversation\",\"version\":1,\"conversation\":[]}",
    "{\"format\":\"beckon-conversation\",\"version\":1,\"conversation\":{\"id\":\"a\"}}",
    "[{\"mapping\":{\"a\":{\"parent\":\"b\"},\"b\":{\"parent\":\"a\"}},\"current_node\":\"a\"}]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_refused (fixture, texts[i]);
}

/* Every member of a good document in turn is not what it has to be, or not there; and words are not ours. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = generate (fixture);
  g_autofree char *document = export_good (fixture->store, id);
  g_autoptr (GRegex) members = g_regex_new ("\"(id|created_at|role|status|kind|state|phase|tool|arguments|body|asked_at|front_end"
                                            "|read_only|title|draft|messages|parts|requests|runs|round)\":",
                                            0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  int start, end;

  erase (fixture->store, id);
  for (g_regex_match (members, document, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *missing = NULL;
      g_autofree char *wrong = NULL;

      g_match_info_fetch_pos (match, 0, &start, &end);
      missing = g_strdup_printf ("%.*s\"x%s", start, document, document + start + 1);
      assert_refused (fixture, missing);
      wrong = g_strdup_printf ("%.*s{},\"y\":%s", end, document, document + end);
      assert_refused (fixture, wrong);
    }
}

#define MESSAGE(id, more) \
  "{\"id\":\"" id "\",\"role\":\"user\",\"status\":\"complete\",\"created_at\":1,\"input\":-1,\"output\":-1,\"cached\":-1,\"parts\":" \
  "[{\"kind\":\"text\",\"origin\":null,\"text\":\"I am " id "\"}]" more "}"

static char *
make_tree (guint version, const char *messages)
{
  return g_strdup_printf ("{\"format\":\"beckon-conversation\",\"version\":%u,\"conversation\":{\"id\":\"c\",\"created_at\":1,"
                          "\"updated_at\":1,\"title\":\"t\",\"profile\":null,\"draft\":\"\",\"pinned\":false,\"archived\":false,"
                          "\"requests\":[],\"runs\":[],\"messages\":[%s]}}",
                          version, messages);
}

static void
assert_tree (Fixture *fixture, guint version, const char *messages, const char *expected)
{
  g_autofree char *document = make_tree (version, messages);
  g_autofree char *id = import_one (fixture->store, document);
  g_autoptr (GPtrArray) loaded = beckon_store_fixture_load (fixture->store, id);
  g_autoptr (GString) shown = g_string_new (NULL);

  for (guint i = 0; i < loaded->len; i++)
    {
      g_autofree char *text = beckon_message_dup_text (g_ptr_array_index (loaded, i));

      g_string_append (shown, text + strlen ("I am "));
    }
  g_assert_cmpstr (shown->str, ==, expected);
  erase (fixture->store, id);
}

/* Branches as somebody wrote them down: an older version had none, and what does not say which one is shown shows the last. */
static void
test_branches (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = {
    MESSAGE ("a", ",\"parent\":\"a\""),
    MESSAGE ("a", ",\"parent\":\"b\"") "," MESSAGE ("b", ",\"parent\":\"a\""),
    MESSAGE ("a", ",\"parent\":3"),
    MESSAGE ("a", ",\"parent\":null,\"chosen\":1"),
    MESSAGE ("a", "") "," MESSAGE ("a", ""),
  };

  assert_tree (fixture, 1, MESSAGE ("a", "") "," MESSAGE ("b", "") "," MESSAGE ("c", ""), "abc");
  assert_tree (fixture, 2,
               MESSAGE ("a", ",\"parent\":null,\"chosen\":true") "," MESSAGE ("b", ",\"parent\":\"a\",\"chosen\":true") ","
               MESSAGE ("c", ",\"parent\":\"a\",\"chosen\":false") "," MESSAGE ("d", ",\"parent\":\"b\",\"chosen\":true"),
               "abd");
  assert_tree (fixture, 2,
               MESSAGE ("a", ",\"parent\":null,\"chosen\":true") "," MESSAGE ("b", ",\"parent\":\"a\",\"chosen\":true") ","
               MESSAGE ("c", ",\"parent\":\"a\",\"chosen\":true"),
               "ac");
  assert_tree (fixture, 2,
               MESSAGE ("a", ",\"parent\":null,\"chosen\":false") "," MESSAGE ("b", ",\"parent\":null,\"chosen\":false"),
               "b");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *document = make_tree (2, wrong[i]);

      assert_refused (fixture, document);
    }
}

static void
assert_message (GPtrArray *messages, guint index, BeckonRole role, const char *expected, gint64 at)
{
  BeckonMessage *message = g_ptr_array_index (messages, index);
  g_autofree char *text = beckon_message_dup_text (message);

  g_assert_cmpint (beckon_message_get_role (message), ==, role);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpint (beckon_message_get_created_at (message), ==, at);
}

#define NODE(id, parent, role, content, time)                                                                          \
  "\"" id "\":{\"id\":\"" id "\",\"parent\":" parent ",\"children\":[],\"message\":{\"author\":{\"role\":\"" role "\"}," \
  "\"create_time\":" time ",\"content\":{\"content_type\":\"text\",\"parts\":" content "}}}"

/* The branch that was left is not part of what is shown. */
static void
test_chatgpt (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = import_one (
    fixture->store,
    "[{\"title\":\"部署\",\"create_time\":1700000000.5,\"update_time\":1700000100,\"current_node\":\"d\",\"mapping\":{"
    "\"root\":{\"id\":\"root\",\"parent\":null,\"children\":[\"s\"],\"message\":null},"
    NODE ("s", "\"root\"", "system", "[\"hidden\"]", "null") ","
    NODE ("a", "\"s\"", "user", "[\"How?\"]", "1700000001.25") ","
    NODE ("b", "\"a\"", "assistant", "[\"Left behind\"]", "1700000002") ","
    NODE ("c", "\"a\"", "assistant", "[\"Like\",{\"asset\":1},\"this.\"]", "1700000003") ","
    NODE ("d", "\"c\"", "user", "[\"谢谢\"]", "1700000004") "}}]");
  g_autoptr (GPtrArray) messages = beckon_store_fixture_load (fixture->store, id);
  g_autoptr (GPtrArray) hits = beckon_store_fixture_search (fixture->store, "谢谢", 5, NULL);
  g_autoptr (GPtrArray) headers = beckon_store_fixture_list (fixture->store);

  g_assert_cmpstr (beckon_conversation_get_title (g_ptr_array_index (headers, 0)), ==, "部署");
  g_assert_cmpint (beckon_conversation_get_created_at (g_ptr_array_index (headers, 0)), ==, 1700000000500000);
  g_assert_cmpuint (messages->len, ==, 3);
  assert_message (messages, 0, BECKON_ROLE_USER, "How?", 1700000001250000);
  assert_message (messages, 1, BECKON_ROLE_ASSISTANT, "Like\n\nthis.", 1700000003000000);
  assert_message (messages, 2, BECKON_ROLE_USER, "谢谢", 1700000004000000);
  g_assert_cmpuint (hits->len, ==, 1);
}

static void
test_claude (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = import_one (
    fixture->store,
    "[{\"uuid\":\"1\",\"name\":\"Ports\",\"created_at\":\"2024-05-01T10:00:00.250000Z\",\"updated_at\":\"2024-05-01T11:00:00Z\","
    "\"chat_messages\":[{\"uuid\":\"2\",\"sender\":\"human\",\"text\":\"Which port?\",\"content\":[],"
    "\"created_at\":\"2024-05-01T10:00:01Z\"},{\"uuid\":\"3\",\"sender\":\"assistant\",\"text\":\"old\",\"content\":["
    "{\"type\":\"text\",\"text\":\"8080.\"},{\"type\":\"tool_use\"},{\"type\":\"text\",\"text\":\"Why?\"}],"
    "\"created_at\":\"2024-05-01T10:00:02Z\"},{\"uuid\":\"4\",\"sender\":\"human\",\"text\":\"\"}]},"
    "{\"uuid\":\"5\",\"name\":\"Nothing\",\"chat_messages\":[]}]");
  g_autoptr (GPtrArray) messages = beckon_store_fixture_load (fixture->store, id);

  /* Words behind a call are a message of their own. */
  g_assert_cmpuint (messages->len, ==, 3);
  assert_message (messages, 0, BECKON_ROLE_USER, "Which port?", 1714557601000000);
  assert_message (messages, 1, BECKON_ROLE_ASSISTANT, "8080.", 1714557602000000);
  assert_message (messages, 2, BECKON_ROLE_ASSISTANT, "Why?", 1714557602000000);
}

static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (export_one (fixture->store, "nothing", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/export/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("round-trip", test_round_trip);
  ADD ("folder", test_folder);
  ADD ("foreign-parts", test_foreign_parts);
  ADD ("plans", test_plans);
  ADD ("damaged-plans", test_damaged_plans);
  ADD ("resumption-stays", test_resumption_stays);
  ADD ("images", test_images);
  ADD ("pdfs", test_pdfs);
  ADD ("pdfs/damaged", test_damaged_pdfs);
  ADD ("prefixes", test_prefixes);
  ADD ("taken-ids", test_taken_ids);
  ADD ("any-bytes", test_any_bytes);
  ADD ("endless", test_endless);
  ADD ("open-is-closed", test_open_is_closed);
  ADD ("not-an-export", test_not_an_export);
  ADD ("damaged", test_damaged);
  ADD ("branches", test_branches);
  ADD ("chatgpt", test_chatgpt);
  ADD ("claude", test_claude);
  ADD ("unknown", test_unknown);
#undef ADD

  return g_test_run ();
}
