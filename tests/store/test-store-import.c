/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Histories of other programs, in the forms that they send them in: what comes over, what is said of the rest, that nothing is
 * doubled, and that no file can do harm. In the documents ' stands for ". */

#define _GNU_SOURCE

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "store/transfer/beckon-import.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gstdio.h>
#include <string.h>

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
  g_assert_finalize_object (fixture->store);
  beckon_store_fixture_clear (fixture->directory);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static void
assert_sql (Fixture *fixture, const char *sql, const char *expected)
{
  g_autofree char *value = beckon_store_fixture_sql (fixture->directory, sql);

  g_assert_cmpstr (value, ==, expected);
}

static BeckonImportReport *
import_bytes (Fixture *fixture, GBytes *bytes, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_store_import_async (fixture->store, bytes, NULL, keep_result, &result);
  beckon_await (result != NULL);
  return beckon_store_import_finish (fixture->store, result, error);
}

static BeckonImportReport *
import_text (Fixture *fixture, const char *text, GError **error)
{
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  g_autoptr (GBytes) bytes = g_bytes_new (json, strlen (json));

  return import_bytes (fixture, bytes, error);
}

/* --- Archives ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  struct archive *archive;
  char *path;
} Zip;

static Zip
zip_begin (Fixture *fixture)
{
  Zip zip = { .archive = archive_write_new (), .path = g_build_filename (fixture->directory, "export.zip", NULL) };

  archive_write_set_format_zip (zip.archive);
  g_assert_cmpint (archive_write_open_filename (zip.archive, zip.path), ==, ARCHIVE_OK);
  return zip;
}

static void
zip_add_size (Zip *zip, const char *name, guint64 size)
{
  struct archive_entry *entry = archive_entry_new ();

  archive_entry_set_pathname (entry, name);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, 0644);
  archive_entry_set_size (entry, (la_int64_t) size);
  g_assert_cmpint (archive_write_header (zip->archive, entry), ==, ARCHIVE_OK);
  archive_entry_free (entry);
}

static void
zip_add (Zip *zip, const char *name, gconstpointer data, gsize length)
{
  zip_add_size (zip, name, length);
  g_assert_cmpint (archive_write_data (zip->archive, data, length), ==, (la_ssize_t) length);
}

static void
zip_add_text (Zip *zip, const char *name, const char *text)
{
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');

  zip_add (zip, name, json, strlen (json));
}

/* More than anybody has, of which hardly anything is in the file. */
static void
zip_add_bomb (Zip *zip, const char *name, guint64 size)
{
  g_autofree char *zeros = g_malloc0 (1024 * 1024);

  zip_add_size (zip, name, size);
  for (guint64 done = 0; done < size; done += 1024 * 1024)
    g_assert_cmpint (archive_write_data (zip->archive, zeros, 1024 * 1024), ==, 1024 * 1024);
}

typedef struct
{
  GCancellable *cancellable;
  guint n_calls;
  guint n_read;
  guint n_all;
} Progress;

static void
on_progress (guint n_read, guint n_all, gpointer data)
{
  Progress *progress = data;

  progress->n_calls++;
  progress->n_read = n_read;
  progress->n_all = n_all;
  if (progress->cancellable != NULL)
    g_cancellable_cancel (progress->cancellable);
}

static BeckonImportReport *
import_file (Fixture *fixture, const char *path, Progress *progress, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result = NULL;

  beckon_store_import_file_async (fixture->store, file, progress != NULL ? on_progress : NULL, progress,
                                  progress != NULL ? progress->cancellable : NULL, keep_result, &result);
  beckon_await (result != NULL);
  return beckon_store_import_finish (fixture->store, result, error);
}

static BeckonImportReport *
zip_import (Fixture *fixture, Zip *zip, GError **error)
{
  g_assert_cmpint (archive_write_close (zip->archive), ==, ARCHIVE_OK);
  archive_write_free (zip->archive);
  {
    g_autofree char *path = zip->path;

    return import_file (fixture, path, NULL, error);
  }
}

/* --- ChatGPT ------------------------------------------------------------------------------------------------------ */

#define NODE(id, parent, message) "'" id "':{'id':'" id "','parent':" parent ",'children':[],'message':" message "}"
#define SAID(role, more, content) "{'author':{'role':'" role "'},'create_time':1700000001," more "'content':" content "}"
#define TEXT(text) "{'content_type':'text','parts':['" text "']}"
#define PIXEL "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"

static const char chatgpt[] =
  "[{'conversation_id':'c-1','title':'Plot','create_time':1700000000,'update_time':1700000100,'current_node':'i','mapping':{"
  NODE ("root", "null", "null") ","
  NODE ("s", "'root'", SAID ("system", "", TEXT ("hidden"))) ","
  NODE ("a", "'s'",
        SAID ("user", "'metadata':{'attachments':[{'id':'file-AAA','name':'cat.png'},{'id':'file-TXT','name':'notes.pdf'}]},",
              "{'content_type':'multimodal_text','parts':[{'content_type':'image_asset_pointer',"
              "'asset_pointer':'file-service://file-AAA'},{'content_type':'image_asset_pointer',"
              "'asset_pointer':'sediment://file_gone'},{'content_type':'real_time_user_audio_video_asset_pointer'},"
              "'Plot this.']}")) ","
  NODE ("b", "'a'", SAID ("assistant", "", "{'content_type':'thoughts','thoughts':[{'summary':'Think','content':'A line.'}]}")) ","
  NODE ("c", "'b'", SAID ("assistant", "'recipient':'python',", "{'content_type':'code','language':'python','text':'plot(1)'}")) ","
  NODE ("d", "'c'", "{'author':{'role':'tool','name':'python'},'create_time':1700000002,"
                    "'content':{'content_type':'execution_output','text':'done'}}") ","
  NODE ("e", "'d'", SAID ("assistant", "'recipient':'all',", TEXT ("Here it is."))) ","
  NODE ("f", "'a'", SAID ("assistant", "", TEXT ("Another reply."))) ","
  NODE ("g", "'e'", SAID ("user", "", TEXT ("Draw a dog."))) ","
  NODE ("h", "'g'", "{'author':{'role':'tool','name':'dalle.text2im'},'create_time':1700000003,'content':{"
                    "'content_type':'multimodal_text','parts':[{'content_type':'image_asset_pointer',"
                    "'asset_pointer':'sediment://file_dog'}]}}") ","
  NODE ("i", "'h'", SAID ("assistant", "", "{'content_type':'code','language':'c','text':'int x;'}")) "}}]";

static void
test_chatgpt (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonImportReport) report = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autofree char *words = NULL;
  Zip zip = zip_begin (fixture);

  zip_add_text (&zip, "chat.html", "<html>");
  zip_add_text (&zip, "conversations.json", chatgpt);
  zip_add (&zip, "file-AAA-cat.png", PIXEL, 16);
  zip_add (&zip, "dalle-generations/file_dog-1234.png", PIXEL, 16);
  report = zip_import (fixture, &zip, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->ids->len, ==, 1);
  g_assert_cmpuint (report->n_images, ==, 2);
  g_assert_cmpuint (report->n_missing, ==, 1);
  g_assert_cmpuint (report->n_unknown, ==, 1);
  words = beckon_import_report_describe (report);
  g_assert_cmpstr (words, ==,
                   "1 conversation imported\n2 pictures imported\n1 picture isn't in the export\n"
                   "1 piece of a message can't be shown here");

  messages = beckon_store_fixture_load (fixture->store, g_ptr_array_index (report->ids, 0));
  assert_sql (fixture,
              "SELECT group_concat (kind || ':' || ifnull (origin, '-') || ':' || iif (kind = 'image', media_type, CAST (text AS TEXT)),"
              " '|') FROM (SELECT p.* FROM message m JOIN part p ON p.message = m.id WHERE m.active AND p.place IS NOT NULL"
              " ORDER BY m.seq, p.place)",
              "text:-:[File not in the export: notes.pdf]|image:file:cat.png:image/png|text:-:[Picture not in the export: "
              "file_gone]|text:-:Plot this.|reasoning:-:Think\n\nA line.|call:-:|text:-:Here it is.|text:-:Draw a dog.|call:-:|"
              "text:-:```c\nint x;\n```");
  g_assert_cmpuint (messages->len, ==, 6);
  assert_sql (fixture, "SELECT group_concat (c.tool || ' ' || c.arguments || ' ' || c.state || ' ' || CAST (p.text AS TEXT), '|')"
                       " FROM call c JOIN part p ON p.call = c.id AND p.kind = 'result'",
              "python {\"input\":\"plot(1)\"} done done|dalle.text2im {} done ");
  assert_sql (fixture, "SELECT count (*) FROM result_image WHERE media_type = 'image/png'", "1");
  /* A reply that was left for another is a branch. */
  g_assert_cmpuint (beckon_message_get_n_versions (g_ptr_array_index (messages, 1)), ==, 2);
  assert_sql (fixture, "SELECT CAST (p.text AS TEXT) FROM message m JOIN part p ON p.message = m.id WHERE NOT m.active",
              "Another reply.");
  assert_sql (fixture, "SELECT source FROM conversation", "chatgpt:c-1");
}

#define MARK(parts) "\356\210\200" parts "\356\210\201"
#define PART "\356\210\202"
#define PAGE(title, more) "{'title':'" title "','url':'https://moss.example/" title "'" more "}"
#define REFERENCE(mark, more) "{'matched_text':'" mark "'," more "}"
#define ENTITY MARK ("entity" PART "[\\'plant\\',\\'Sphagnum\\']")

static const char cited[] =
  "[{'conversation_id':'c-2','current_node':'c','mapping':{"
  NODE ("a", "null", SAID ("user", "", TEXT ("What does " MARK ("x") " need?"))) ","
  NODE ("b", "'a'",
        SAID ("assistant",
              "'metadata':{'content_references':["
              REFERENCE (MARK ("cite" PART "turn0search1"), "'items':[" PAGE ("Shade", "") "]") ","
              REFERENCE (MARK ("cite" PART "turn0search1" PART "turn0search3"),
                         "'items':[" PAGE ("Shade", ",'supporting_websites':[" PAGE ("Rain", "") "]") "]") ","
              REFERENCE (MARK ("filecite" PART "turn0file0"), "'type':'file','name':'notes.txt'") ","
              REFERENCE (ENTITY, "'type':'entity','name':'Sphagnum'") ","
              REFERENCE (MARK ("navlist" PART "turn0search3"), "'type':'nav_list','title':'More','items':[" PAGE ("Rain", "") "]")
              "]},",
              TEXT ("Shade " MARK ("cite" PART "turn0search1") " and rain " MARK ("cite" PART "turn0search1" PART "turn0search3")
                    ". Notes " MARK ("filecite" PART "turn0file0") ".\\n\\n```\\necho\\n```\\n" ENTITY " " MARK ("navlist" PART "turn0search3")
                    " 【kept】"))) ","
  NODE ("c", "'b'",
        SAID ("assistant",
              "'metadata':{'citations':[{'start_ix':7,'end_ix':20,'metadata':{'type':'file','name':'notes.txt'}}]},",
              TEXT ("A maré 【4†notes.txt】, 【5†x】 and " MARK ("video" PART "turn0search9") " end" "\356\210\200" "turn0"))) "}}]";

/* A mark becomes what it stands for, or nothing. */
static void
test_cited (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonImportReport) report = import_text (fixture, cited, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (report->ids->len, ==, 1);
  assert_sql (fixture, "SELECT CAST (text AS TEXT) FROM part WHERE CAST (text AS TEXT) LIKE 'Shade%'",
              "Shade ([Shade](https://moss.example/Shade)) and rain ([Shade](https://moss.example/Shade), "
              "[Rain](https://moss.example/Rain)). Notes (notes.txt).\n\n```\necho\n```\nSphagnum More: "
              "[Rain](https://moss.example/Rain) 【kept】");
  assert_sql (fixture, "SELECT CAST (text AS TEXT) FROM part WHERE CAST (text AS TEXT) LIKE 'A maré%'",
              "A maré (notes.txt), 【5†x】 and  end");
  assert_sql (fixture, "SELECT CAST (text AS TEXT) FROM part WHERE CAST (text AS TEXT) LIKE 'What does%'",
              "What does " MARK ("x") " need?");
}

/* --- Claude ------------------------------------------------------------------------------------------------------- */

#define ROOT "00000000-0000-4000-8000-000000000000"

static const char claude[] =
  "[{'uuid':'u-1','name':'Ports','created_at':'2024-05-01T10:00:00Z','updated_at':'2024-05-01T11:00:00Z','chat_messages':["
  "{'uuid':'1','parent_message_uuid':'" ROOT "','sender':'human','created_at':'2024-05-01T10:00:01Z','text':'Look','content':["
  "{'type':'text','text':'Look'}],'attachments':[{'file_name':'a.txt','file_type':'txt','file_size':5,'extracted_content':"
  "'hello'}],'files':[{'file_name':'a.txt'},{'file_name':'pic.jpg','file_uuid':'f-9'},{'file_name':'b.pdf'}]},"
  "{'uuid':'2','parent_message_uuid':'1','sender':'assistant','created_at':'2024-05-01T10:00:02Z','content':["
  "{'type':'thinking','thinking':'Hm.'},{'type':'tool_use','id':'t1','name':'web_search','input':{'query':'ports'}},"
  "{'type':'tool_result','tool_use_id':'t1','name':'web_search','is_error':true,'content':[{'type':'text','text':'No net'}]},"
  "{'type':'text','text':'8080.'},{'type':'token_budget'},{'type':'hologram'}]},"
  "{'uuid':'3','parent_message_uuid':'1','sender':'assistant','created_at':'2024-05-01T10:00:03Z','content':["
  "{'type':'text','text':'8081.'}]},"
  "{'uuid':'4','parent_message_uuid':'2','sender':'human','created_at':'2024-05-01T10:00:04Z','content':["
  "{'type':'text','text':'Why?'}]}]}]";

static void
test_claude (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonImportReport) report = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  Zip zip = zip_begin (fixture);

  zip_add_text (&zip, "users.json", "[]");
  zip_add_text (&zip, "conversations.json", claude);
  zip_add (&zip, "files/f-9.jpg", "\xff\xd8\xff\xe0 and twelve more", 20);
  report = zip_import (fixture, &zip, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->ids->len, ==, 1);
  g_assert_cmpuint (report->n_images, ==, 1);
  g_assert_cmpuint (report->n_unknown, ==, 1);
  messages = beckon_store_fixture_load (fixture->store, g_ptr_array_index (report->ids, 0));
  assert_sql (fixture,
              "SELECT group_concat (kind || ':' || ifnull (origin, '-') || ':' || iif (kind = 'image', media_type, CAST (text AS TEXT)),"
              " '|') FROM (SELECT p.* FROM message m JOIN part p ON p.message = m.id WHERE m.active AND p.place IS NOT NULL"
              " ORDER BY m.seq, p.place)",
              "text:file:a.txt:<attached-file name=\"a.txt\">\nhello\n</attached-file>\n\n|image:file:pic.jpg:image/jpeg|"
              "text:-:[File not in the export: b.pdf]|text:-:Look|reasoning:-:Hm.|call:-:|text:-:8080.|text:-:Why?");
  g_assert_cmpuint (messages->len, ==, 4);
  assert_sql (fixture, "SELECT c.tool || c.arguments || CAST (p.text AS TEXT) || p.is_error FROM call c JOIN part p"
                       " ON p.call = c.id AND p.kind = 'result'",
              "web_search{\"query\":\"ports\"}No net1");
  g_assert_cmpuint (beckon_message_get_n_versions (g_ptr_array_index (messages, 1)), ==, 2);
  assert_sql (fixture, "SELECT source FROM conversation", "claude:u-1");
}

/* --- Once --------------------------------------------------------------------------------------------------------- */

static void
test_twice (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonImportReport) first = import_text (fixture, chatgpt, &error);
  g_autoptr (BeckonImportReport) second = import_text (fixture, chatgpt, &error);
  g_autoptr (BeckonImportReport) third = NULL;
  g_autoptr (BeckonImportReport) other = NULL;
  g_autofree char *hidden = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (first->ids->len, ==, 1);
  g_assert_cmpuint (second->ids->len, ==, 0);
  g_assert_cmpuint (second->n_known, ==, 1);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "1");
  other = import_text (fixture, claude, &error);
  g_assert_cmpuint (other->ids->len, ==, 1);

  /* A deleted conversation is wanted again. */
  hidden = beckon_store_fixture_sql (fixture->directory, "UPDATE conversation SET deleted_at = 1 WHERE source = 'chatgpt:c-1'");
  third = import_text (fixture, chatgpt, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (third->ids->len, ==, 1);
  assert_sql (fixture, "SELECT count (*) FROM conversation WHERE source = 'chatgpt:c-1'", "1");
}

#define PLAIN(id, text) \
  "{'uuid':'" id "','name':'n','created_at':'2024-05-01T10:00:00Z','chat_messages':[{'uuid':'m','sender':'human','text':'" text \
  "'}]}"

/* An odd element does not keep the others out. */
static void
test_odd (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonImportReport) report
    = import_text (fixture,
                   "[3,null,{},[[]],{'mapping':7},{'chat_messages':[]},{'uuid':'x','chat_messages':[null,3,{'sender':4},{"
                   "'sender':'human','content':[null,{'type':'text'},{'type':'tool_result'}]}]},"
                   "{'mapping':{'a':{'parent':'b'},'b':{'parent':'a'}},'current_node':'a'},"
                   "{'mapping':{'a':null,'b':4,'c':{'message':{'author':{'role':'user'},'content':{'parts':[null,7,{},'Hi']}}}}},"
                   PLAIN ("good", "Hello") "]",
                   &error);

  g_assert_no_error (error);
  g_assert_cmpuint (report->n_unreadable, ==, 5);
  g_assert_cmpuint (report->n_empty, ==, 2);
  g_assert_cmpuint (report->ids->len, ==, 3);
  g_assert_nonnull (report->problem);
  assert_sql (fixture, "PRAGMA foreign_key_check", NULL);
}

static char *
write_many (Fixture *fixture, guint n)
{
  char *path = g_build_filename (fixture->directory, "many.json", NULL);
  g_autoptr (GString) text = g_string_new ("[");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s{\"uuid\":\"many-%u\",\"name\":\"n\",\"chat_messages\":[{\"uuid\":\"m\",\"sender\":\"human\","
                                  "\"text\":\"Number %u\"}]}", i > 0 ? "," : "", i, i);
  g_string_append_c (text, ']');
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  return path;
}

static void
on_changed (BeckonStore *store, guint *n_changes)
{
  ++*n_changes;
}

/* A hundred are one transaction. What was stopped is listed as far as it came, and goes on where it was. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Progress progress = { .cancellable = cancellable };
  Progress rest = { 0 };
  g_autofree char *path = write_many (fixture, 250);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonImportReport) report = NULL;
  g_autoptr (BeckonImportReport) again = NULL;
  guint n_changes = 0;

  g_signal_connect (fixture->store, "changed-elsewhere", G_CALLBACK (on_changed), &n_changes);
  report = import_file (fixture, path, &progress, &error);
  g_assert_no_error (error);
  g_assert_true (report->is_stopped);
  g_assert_cmpuint (report->ids->len, ==, 100);
  g_assert_cmpuint (progress.n_calls, ==, 1);
  g_assert_cmpuint (progress.n_all, ==, 250);
  g_assert_cmpuint (n_changes, ==, 1);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "100");
  again = import_file (fixture, path, &rest, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->n_known, ==, 100);
  g_assert_cmpuint (again->ids->len, ==, 150);
  g_assert_cmpuint (rest.n_calls, ==, 3);
  g_assert_cmpuint (rest.n_read, ==, 250);
  assert_sql (fixture, "SELECT count (DISTINCT source) || ' ' || count (*) FROM conversation", "250 250");
  g_signal_handlers_disconnect_by_data (fixture->store, &n_changes);
}

/* --- Hostile files ------------------------------------------------------------------------------------------------ */

static void
assert_refused (Fixture *fixture, Zip *zip, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (zip_import (fixture, zip, &error));
  g_assert_error (error, BECKON_ERROR, code);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "0");
}

static void
test_bombs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonImportReport) report = NULL;
  Zip zip = zip_begin (fixture);

  zip_add_bomb (&zip, "conversations.json", G_GUINT64_CONSTANT (300) * 1024 * 1024);
  assert_refused (fixture, &zip, BECKON_ERROR_TOO_LARGE);
  zip = zip_begin (fixture);
  zip_add_text (&zip, "readme.txt", "nothing");
  assert_refused (fixture, &zip, BECKON_ERROR_INVALID);
  zip = zip_begin (fixture);
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *name = g_strdup_printf ("conversations-%03u.json", i);

      zip_add_text (&zip, name, "[]");
    }
  assert_refused (fixture, &zip, BECKON_ERROR_TOO_LARGE);
  /* A picture that is none, or too large to be one, is not there. */
  zip = zip_begin (fixture);
  zip_add_text (&zip, "conversations.json", chatgpt);
  zip_add_bomb (&zip, "file-AAA-cat.png", 64 * 1024 * 1024);
  zip_add_text (&zip, "file_dog.dat", "<svg onload='x'>");
  report = zip_import (fixture, &zip, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->n_images, ==, 0);
  g_assert_cmpuint (report->n_missing, ==, 3);
}

/* Names lead nowhere: nothing is ever written but rows. */
static void
test_paths (Fixture *fixture, gconstpointer data)
{
  g_autofree char *outside = g_build_filename (fixture->directory, "..", "escaped-conversations.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonImportReport) report = NULL;
  Zip zip = zip_begin (fixture);

  zip_add_text (&zip, "../escaped-conversations.json", "[" PLAIN ("1", "no") "]");
  zip_add_text (&zip, "/etc/../conversations.json", "[" PLAIN ("2", "yes") "]");
  zip_add_text (&zip, "a/b/conversations-0.json", "[" PLAIN ("3", "yes") "]");
  zip_add_text (&zip, "conversations-x.json", "[" PLAIN ("4", "no") "]");
  zip_add_text (&zip, "\xff\xfe" "conversations.json", "[" PLAIN ("5", "no") "]");
  report = zip_import (fixture, &zip, &error);
  g_assert_no_error (error);
  assert_sql (fixture, "SELECT group_concat (source, ' ') FROM (SELECT source FROM conversation ORDER BY source)",
              "claude:2 claude:3");
  g_assert_false (g_file_test (outside, G_FILE_TEST_EXISTS));
}

/* Conversations before the damaged one are here, and the result says that something is missing. */
static void
test_damaged_later (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "export.zip", NULL);
  g_autofree char *contents = NULL;
  g_autoptr (BeckonImportReport) report = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  Zip zip = zip_begin (fixture);
  char *last;
  gsize length;

  zip_add_text (&zip, "conversations-000.json", claude);
  zip_add_text (&zip, "conversations-001.json", "[{'uuid':'later','chat_messages':[]}]");
  g_assert_cmpint (archive_write_close (zip.archive), ==, ARCHIVE_OK);
  archive_write_free (zip.archive);
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  /* Behind its name, before which stands how long what comes between is, it begins with a kind of block that there is not. */
  last = memmem (contents, length, "conversations-001.json", strlen ("conversations-001.json"));
  g_assert_nonnull (last);
  last += strlen ("conversations-001.json") + (guchar) last[-2] + 256 * (guchar) last[-1];
  memset (last, 0xff, 8);
  bytes = g_bytes_new (contents, length);
  report = import_bytes (fixture, bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->ids->len, >, 0);
  g_assert_nonnull (report->problem);
  g_free (zip.path);
}

/* Cut off anywhere, and with any byte another one: an error or a report, and never anything else. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "export.zip", NULL);
  g_autofree char *contents = NULL;
  g_autoptr (BeckonImportReport) good = NULL;
  gsize length;
  Zip zip = zip_begin (fixture);

  zip_add_text (&zip, "conversations.json", claude);
  zip_add (&zip, "f-9.jpg", "\xff\xd8\xff\xe0 and twelve more", 20);
  good = zip_import (fixture, &zip, NULL);
  g_assert_nonnull (good);
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *changed = g_memdup2 (contents, length);
      gsize size = i % 2 == 0 ? (gsize) g_test_rand_int_range (4, (gint32) length) : length;
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (BeckonImportReport) report = NULL;

      if (i % 2 == 1)
        changed[g_test_rand_int_range (4, (gint32) length)] = (char) g_test_rand_int ();
      bytes = g_bytes_new (changed, size);
      report = import_bytes (fixture, bytes, &error);
      g_assert_true ((report != NULL) != (error != NULL));
    }
  assert_sql (fixture, "PRAGMA integrity_check", "ok");
  assert_sql (fixture, "PRAGMA foreign_key_check", NULL);
}

#define ADD(path, function) g_test_add ("/store/import/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("chatgpt", test_chatgpt);
  ADD ("cited", test_cited);
  ADD ("claude", test_claude);
  ADD ("twice", test_twice);
  ADD ("odd", test_odd);
  ADD ("stopped", test_stopped);
  ADD ("bombs", test_bombs);
  ADD ("paths", test_paths);
  ADD ("damaged-later", test_damaged_later);
  ADD ("damaged", test_damaged);
  return g_test_run ();
}
