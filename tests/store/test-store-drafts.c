/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of a draft are there after a restart, go where their conversation goes, and become part of the message. */

#include "beckon-store-fixture.h"

#include "domain/beckon-attachment.h"
#include "store/transfer/beckon-export.h"
#include "store/transfer/beckon-import.h"

#include <string.h>

static const char picture[] = "\211PNG\r\n\032\n\0\0\0\rIHDR\377\376";

typedef struct
{
  char *directory;
  BeckonStore *store;
  BeckonClock *clock;
  BeckonLibrary *library;
} Fixture;

static void
open_all (Fixture *fixture)
{
  fixture->store = beckon_store_fixture_open (fixture->directory);
  fixture->clock = beckon_clock_new_manual (1000000);
  fixture->library = beckon_store_fixture_library (fixture->store, fixture->clock);
}

static void
close_all (Fixture *fixture)
{
  g_object_unref (fixture->library);
  g_object_unref (fixture->clock);
  g_object_unref (fixture->store);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  open_all (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close_all (fixture);
  beckon_store_fixture_clear (fixture->directory);
}

/* Stands for a PDF; a NUL is in it. */
static const char pdf_bytes[] = "%PDF-1.4\n\0%%EOF";

static void
attach_two (BeckonConversation *conversation)
{
  GListStore *files = beckon_conversation_get_files (conversation);
  g_autoptr (GBytes) bytes = g_bytes_new_static (picture, sizeof picture);
  g_autoptr (GBytes) pdf = g_bytes_new_static (pdf_bytes, sizeof pdf_bytes);
  g_autoptr (BeckonPart) image = beckon_attachment_new_image ("a.png", "image/png", bytes);
  g_autoptr (BeckonPart) note = beckon_attachment_new_text ("b.txt", "17", 2);

  beckon_attachment_set_pdf (note, pdf, 12);
  g_list_store_append (files, image);
  g_list_store_append (files, note);
}

static void
assert_two (BeckonConversation *conversation)
{
  GListModel *files = G_LIST_MODEL (beckon_conversation_get_files (conversation));
  g_autoptr (BeckonPart) image = NULL;
  g_autoptr (BeckonPart) note = NULL;
  const char *content;
  gsize length;
  guint n_pages = 0;
  GBytes *pdf;

  g_assert_cmpuint (g_list_model_get_n_items (files), ==, 2);
  image = g_list_model_get_item (files, 0);
  note = g_list_model_get_item (files, 1);
  g_assert_cmpint (beckon_part_get_kind (image), ==, BECKON_PART_IMAGE);
  g_assert_cmpstr (beckon_part_get_media_type (image), ==, "image/png");
  g_assert_cmpstr (beckon_attachment_get_name (image), ==, "a.png");
  g_assert_cmpmem (beckon_part_get_text (image), beckon_part_get_length (image), picture, sizeof picture);
  g_assert_cmpstr (beckon_attachment_get_name (note), ==, "b.txt");
  content = beckon_attachment_get_content (note, &length);
  g_assert_cmpmem (content, length, "17", 2);
  pdf = beckon_attachment_get_pdf (note, &n_pages);
  g_assert_nonnull (pdf);
  g_assert_cmpmem (g_bytes_get_data (pdf, NULL), g_bytes_get_size (pdf), pdf_bytes, sizeof pdf_bytes);
  g_assert_cmpuint (n_pages, ==, 12);
}

static BeckonConversation *
open_first (Fixture *fixture)
{
  BeckonConversation *conversation = g_list_model_get_item (G_LIST_MODEL (fixture->library), 0);

  g_assert_nonnull (conversation);
  beckon_store_fixture_open_conversation (fixture->library, conversation);
  g_object_unref (conversation);
  return conversation;
}

static char *
count (Fixture *fixture)
{
  return beckon_store_fixture_sql (fixture->directory, "SELECT count (*) FROM draft_file");
}

/* Attached and taken out as the strip does it: nobody calls the library. */
static void
test_survives (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);
  g_autofree char *none = NULL;

  g_assert_true (beckon_conversation_has_empty_draft (conversation));
  attach_two (conversation);
  g_assert_false (beckon_conversation_has_empty_draft (conversation));
  beckon_clock_advance (fixture->clock, 500);
  close_all (fixture);
  open_all (fixture);
  conversation = open_first (fixture);
  assert_two (conversation);
  beckon_store_fixture_open_conversation (fixture->library, conversation);
  assert_two (conversation);

  g_list_store_remove_all (beckon_conversation_get_files (conversation));
  beckon_library_flush (fixture->library);
  close_all (fixture);
  open_all (fixture);
  none = count (fixture);
  g_assert_cmpstr (none, ==, "0");
  g_assert_true (beckon_conversation_has_empty_draft (open_first (fixture)));
}

/* As the agent writes it: in one transaction with the message. */
static void
test_sent (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);
  const char *id = beckon_conversation_get_id (conversation);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_USER, 0);
  g_autoptr (BeckonPart) part = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autofree char *none = NULL;

  attach_two (conversation);
  beckon_library_flush (fixture->library);
  part = g_list_model_get_item (G_LIST_MODEL (beckon_conversation_get_files (conversation)), 0);
  beckon_message_add_part (message, part);
  beckon_message_set_seq (message, 0);
  beckon_batch_add_message (batch, id, message);
  beckon_batch_set_draft_files (batch, id, NULL);
  beckon_store_fixture_commit (fixture->store, batch);
  none = count (fixture);
  g_assert_cmpstr (none, ==, "0");
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
test_copied (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);
  g_autoptr (BeckonConversation) copy = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  attach_two (conversation);
  beckon_library_save_draft (fixture->library, conversation, "What are they?");
  beckon_library_flush (fixture->library);
  beckon_library_duplicate_async (fixture->library, conversation, NULL, keep_result, &result);
  beckon_await (result != NULL);
  copy = beckon_library_duplicate_finish (fixture->library, result, NULL);
  g_assert_nonnull (copy);
  beckon_store_fixture_open_conversation (fixture->library, copy);
  assert_two (copy);
  assert_two (conversation);
}

static void
test_exported (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);
  g_autofree char *id = g_strdup (beckon_conversation_get_id (conversation));
  g_autofree char *none = NULL;
  g_autofree char *document = NULL;
  g_autoptr (GAsyncResult) exported = NULL;
  g_autoptr (GAsyncResult) imported = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (BeckonImportReport) report = NULL;

  attach_two (conversation);
  beckon_library_flush (fixture->library);
  beckon_store_export_async (fixture->store, id, NULL, keep_result, &exported);
  beckon_await (exported != NULL);
  document = beckon_store_export_finish (fixture->store, exported, NULL);
  g_assert_nonnull (document);
  beckon_library_delete (fixture->library, conversation);
  beckon_library_flush (fixture->library);
  close_all (fixture);
  open_all (fixture);
  bytes = g_bytes_new (document, strlen (document));
  beckon_store_import_async (fixture->store, bytes, NULL, keep_result, &imported);
  beckon_await (imported != NULL);
  report = beckon_store_import_finish (fixture->store, imported, NULL);
  g_assert_nonnull (report);
  close_all (fixture);
  open_all (fixture);
  assert_two (open_first (fixture));
}

/* Two messages wait for the end of a turn, one of them with files and for the next step. */
static void
queue_two (Fixture *fixture, BeckonConversation *conversation)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *attached = G_LIST_MODEL (beckon_conversation_get_files (conversation));
  g_autoptr (BeckonQueueItem) one = NULL;
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (BeckonQueueItem) two = beckon_queue_item_new ("01QUEUED0000000000000000TWO", "Then this.", none, FALSE);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  const char *id = beckon_conversation_get_id (conversation);

  attach_two (conversation);
  for (guint i = 0; i < 2; i++)
    g_ptr_array_add (files, g_list_model_get_item (attached, i));
  one = beckon_queue_item_new ("01QUEUED0000000000000000ONE", "First this.", files, TRUE);
  beckon_library_save_draft (fixture->library, conversation, "And a draft.");
  beckon_library_flush (fixture->library);
  beckon_batch_add_queued (batch, id, one);
  beckon_batch_add_queued (batch, id, two);
  beckon_store_fixture_commit (fixture->store, batch);
}

static void
assert_queue (BeckonConversation *conversation)
{
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (conversation));
  g_autoptr (BeckonQueueItem) one = g_list_model_get_item (queue, 0);
  g_autoptr (BeckonQueueItem) two = g_list_model_get_item (queue, 1);
  GPtrArray *files;

  g_assert_cmpuint (g_list_model_get_n_items (queue), ==, 2);
  g_assert_cmpstr (beckon_queue_item_get_text (one), ==, "First this.");
  g_assert_cmpstr (beckon_queue_item_get_text (two), ==, "Then this.");
  g_assert_false (beckon_queue_item_get_sends_now (one));
  files = beckon_queue_item_get_files (one);
  g_assert_cmpuint (files->len, ==, 2);
  g_assert_cmpmem (beckon_part_get_text (g_ptr_array_index (files, 0)), beckon_part_get_length (g_ptr_array_index (files, 0)),
                   picture, sizeof picture);
  g_assert_cmpstr (beckon_attachment_get_name (g_ptr_array_index (files, 1)), ==, "b.txt");
  g_assert_cmpuint (beckon_queue_item_get_files (two)->len, ==, 0);
}

static void
test_queue_copied (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);
  g_autoptr (BeckonConversation) copy = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  queue_two (fixture, conversation);
  beckon_library_duplicate_async (fixture->library, conversation, NULL, keep_result, &result);
  beckon_await (result != NULL);
  copy = beckon_library_duplicate_finish (fixture->library, result, NULL);
  g_assert_nonnull (copy);
  beckon_store_fixture_open_conversation (fixture->library, copy);
  assert_queue (copy);
}

static char *
export (Fixture *fixture, const char *id)
{
  g_autoptr (GAsyncResult) exported = NULL;
  char *document;

  beckon_store_export_async (fixture->store, id, NULL, keep_result, &exported);
  beckon_await (exported != NULL);
  document = beckon_store_export_finish (fixture->store, exported, NULL);
  g_assert_nonnull (document);
  return document;
}

static void
test_queue_exported (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);
  g_autofree char *id = g_strdup (beckon_conversation_get_id (conversation));
  g_autofree char *document = NULL;
  g_autofree char *again = NULL;
  g_autoptr (GAsyncResult) imported = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (BeckonImportReport) report = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  queue_two (fixture, conversation);
  document = export (fixture, id);
  beckon_batch_delete_conversation (batch, id);
  beckon_store_fixture_commit (fixture->store, batch);
  close_all (fixture);
  open_all (fixture);
  bytes = g_bytes_new (document, strlen (document));
  beckon_store_import_async (fixture->store, bytes, NULL, keep_result, &imported);
  beckon_await (imported != NULL);
  report = beckon_store_import_finish (fixture->store, imported, NULL);
  g_assert_nonnull (report);
  g_assert_cmpuint (report->ids->len, ==, 1);
  close_all (fixture);
  open_all (fixture);
  assert_queue (open_first (fixture));
  again = export (fixture, g_ptr_array_index (report->ids, 0));
  g_assert_nonnull (strstr (again, "First this."));
}

/* With the conversation goes what was attached, also from its pages. */
static void
test_deleted (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autofree char *none = NULL;

  attach_two (conversation);
  beckon_library_flush (fixture->library);
  beckon_batch_delete_conversation (batch, beckon_conversation_get_id (conversation));
  beckon_store_fixture_commit (fixture->store, batch);
  none = count (fixture);
  g_assert_cmpstr (none, ==, "0");
}

/* A temporary conversation's file is gone with the program, like its text. */
static void
test_temporary (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create_temporary (fixture->library);
  g_autofree char *none = NULL;

  attach_two (conversation);
  beckon_library_flush (fixture->library);
  beckon_store_fixture_open_conversation (fixture->library, conversation);
  assert_two (conversation);
  none = count (fixture);
  g_assert_cmpstr (none, ==, "0");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define add(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  add ("/store/drafts/survives", test_survives);
  add ("/store/drafts/sent", test_sent);
  add ("/store/drafts/copied", test_copied);
  add ("/store/drafts/queue-copied", test_queue_copied);
  add ("/store/drafts/queue-exported", test_queue_exported);
  add ("/store/drafts/exported", test_exported);
  add ("/store/drafts/deleted", test_deleted);
  add ("/store/drafts/temporary", test_temporary);

  return g_test_run ();
}
