/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"

#include "agent/beckon-sent-files.h"
#include "agent/beckon-tokens.h"
#include "base/beckon-error.h"
#include "domain/beckon-attachment.h"
#include "domain/beckon-note.h"

#include <string.h>

/* PDFs on their way to a model: as files to one that reads them, as text to others. */

#define TEXT "the text of it"
#define IN_BASE64 "JVBERi0xLjQ=" /* %PDF-1.4 */

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (beckon_profiles_save_finish (BECKON_PROFILES (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

static void
save (BeckonAgentFixture *fixture, BeckonProfile *profile)
{
  gboolean done = FALSE;

  beckon_profiles_save_async (fixture->profiles, profile, NULL, on_saved, &done);
  beckon_agent_wait_until (done);
}

/* A server on this computer of which it is known whether its model reads PDFs: 1, 0 or -1. */
static BeckonAgentFixture *
fixture_new (int pdfs, const char *const *fallbacks)
{
  BeckonAgentFixture *fixture = beckon_agent_fixture_new ();
  g_autofree char *id = beckon_settings_dup_default_profile (fixture->settings);
  g_autoptr (BeckonProfile) profile = beckon_profile_copy (beckon_profiles_lookup (fixture->profiles, id));
  BeckonModelFacts facts = { 100000, 0, -1, pdfs };

  beckon_profile_set_facts (profile, &facts);
  if (fallbacks != NULL)
    beckon_profile_set_fallbacks (profile, fallbacks);
  save (fixture, profile);
  return fixture;
}

static BeckonPart *
make_pdf (const char *bytes, gsize length, guint n_pages)
{
  g_autoptr (GBytes) pdf = g_bytes_new (bytes, length);
  BeckonPart *part = beckon_attachment_new_text ("a.pdf", TEXT, strlen (TEXT));

  beckon_attachment_set_pdf (part, pdf, n_pages);
  return part;
}

static void
send_pdf (BeckonAgentFixture *fixture)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (files, make_pdf ("%PDF-1.4", 8, 2));
  beckon_agent_send_files_async (fixture->agent, fixture->conversation, "Read", files, NULL, NULL, NULL);
}

static const char *
get_body (BeckonAgentFixture *fixture, guint index)
{
  return beckon_fixture_server_get_request (fixture->server, index)->body;
}

static void
assert_sent (BeckonAgentFixture *fixture, guint index, gboolean as_file)
{
  const char *body = get_body (fixture, index);

  g_assert_true ((strstr (body, IN_BASE64) != NULL) == as_file);
  g_assert_true ((strstr (body, TEXT) != NULL) == !as_file);
}

static guint
count_notes_of (BeckonAgentFixture *fixture, BeckonNoteKind kind)
{
  BeckonConversation *conversation = fixture->conversation;
  guint n = 0;

  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    n += beckon_note_get_kind (beckon_conversation_get_message (conversation, i)) == kind;
  return n;
}

static guint
count_notes (BeckonAgentFixture *fixture)
{
  return count_notes_of (fixture, BECKON_NOTE_FILES);
}

static void
say (BeckonAgentFixture *fixture, const char *text)
{
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
  beckon_agent_fixture_send (fixture, fixture->conversation, text);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

/* Later requests begin with the same bytes, whatever the person says and whichever process sends them. */
static void
test_again (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (1, NULL);
  g_autofree char *id = g_strdup (beckon_conversation_get_id (fixture->conversation));
  const char *first, *end;

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
  send_pdf (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 1);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_sent (fixture, 0, TRUE);
  first = get_body (fixture, 0);
  end = strstr (first, "Read\"}]}");
  g_assert_nonnull (end);

  say (fixture, "And?");
  beckon_agent_fixture_restart (fixture);
  beckon_agent_fixture_open (fixture, id);
  say (fixture, "More?");
  for (guint i = 1; i < 3; i++)
    g_assert_cmpint (strncmp (get_body (fixture, i), first, (gsize) (end - first)), ==, 0);
  g_assert_cmpuint (count_notes (fixture), ==, 0);
}

static void
test_as_text (void)
{
  for (int pdfs = -1; pdfs <= 0; pdfs++)
    {
      g_autoptr (BeckonAgentFixture) fixture = fixture_new (pdfs, NULL);

      beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
      send_pdf (fixture);
      beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 1);
      beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
      assert_sent (fixture, 0, FALSE);
      g_assert_cmpuint (count_notes (fixture), ==, 0);
    }
}

/* The server is asked once more, with the text; that is said once, and holds for the conversation in every process. */
static void
test_refused (void)
{
  static const struct
  {
    guint status;
    const char *message;
  } cases[] = {
    { 400, "Invalid content type: file" },
    { 400, "The PDF specified was password protected" },
    { 422, "unknown variant `file`, expected `text`" },
    { 413, "Request too large" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonAgentFixture) fixture = fixture_new (1, NULL);
      g_autofree char *id = g_strdup (beckon_conversation_get_id (fixture->conversation));
      BeckonConversation *other;

      beckon_agent_fixture_script (fixture, beckon_script_error (cases[i].status, NULL, cases[i].message));
      beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
      send_pdf (fixture);
      beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2);
      beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
      assert_sent (fixture, 0, TRUE);
      assert_sent (fixture, 1, FALSE);
      g_assert_cmpuint (count_notes (fixture), ==, 1);

      beckon_agent_fixture_restart (fixture);
      beckon_agent_fixture_open (fixture, id);
      say (fixture, "And?");
      assert_sent (fixture, 2, FALSE);
      beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
      send_pdf (fixture);
      beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 4);
      beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
      assert_sent (fixture, 3, FALSE);
      g_assert_cmpuint (count_notes (fixture), ==, 1);

      /* This PDF alone may have been the reason. */
      other = beckon_agent_fixture_create (fixture);
      beckon_agent_fixture_open (fixture, beckon_conversation_get_id (other));
      beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
      send_pdf (fixture);
      beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 5);
      beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
      assert_sent (fixture, 4, TRUE);
    }
}

/* Choosing how PDFs go is a reason to try again, in the same conversation. */
static void
test_refused_then_chosen (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (1, NULL);
  g_autofree char *id = beckon_settings_dup_default_profile (fixture->settings);
  g_autoptr (BeckonProfile) chosen = NULL;

  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "Invalid content type: file"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
  send_pdf (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_sent (fixture, 1, FALSE);

  chosen = beckon_profile_copy (beckon_profiles_lookup (fixture->profiles, id));
  beckon_profile_set_pdf_choice (chosen, BECKON_PDF_AS_FILE);
  save (fixture, chosen);
  say (fixture, "And?");
  assert_sent (fixture, 2, TRUE);
}

static void
on_compacted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* Text that goes in the place of a PDF is as long as it is: there is nothing to summarize. */
static void
test_refused_then_compacted (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (1, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "Invalid content type: file"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
  send_pdf (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  say (fixture, "And?");
  beckon_agent_compact_async (fixture->agent, fixture->conversation, on_compacted, &result);
  beckon_agent_wait_until (result != NULL);
  g_assert_false (beckon_agent_compact_finish (fixture->agent, result, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 3);
}

/* The person's choice sends what was sent before in another form, which the conversation says. */
static void
test_chosen_anew (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (1, NULL);
  g_autofree char *profile_id = beckon_settings_dup_default_profile (fixture->settings);

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
  send_pdf (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 1);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  for (guint i = 1; i < 4; i++)
    {
      g_autoptr (BeckonProfile) profile = beckon_profile_copy (beckon_profiles_lookup (fixture->profiles, profile_id));

      beckon_profile_set_pdf_choice (profile, i % 2 == 1 ? BECKON_PDF_AS_TEXT : BECKON_PDF_AS_FILE);
      save (fixture, profile);
      say (fixture, "And?");
      assert_sent (fixture, i, i % 2 == 0);
      g_assert_cmpuint (count_notes_of (fixture, BECKON_NOTE_PREFIX), ==, i);
    }
  say (fixture, "More?");
  g_assert_cmpuint (count_notes_of (fixture, BECKON_NOTE_PREFIX), ==, 3);
}

/* A request that is refused in both forms is an error, after one try of each. */
static void
test_refused_twice (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (1, NULL);

  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "No"));
  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "No"));
  send_pdf (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_sent (fixture, 0, TRUE);
  assert_sent (fixture, 1, FALSE);
}

/* A PDF that the server has taken may yet be what it refuses later; where its text is refused, too, it was not. */
static void
test_refused_later (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (1, NULL);

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
  send_pdf (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 1);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  say (fixture, "And?");
  for (guint i = 0; i < 2; i++)
    beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "Something else"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "More?");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 4);
  assert_sent (fixture, 2, TRUE);
  assert_sent (fixture, 3, FALSE);
  say (fixture, "And now?");
  assert_sent (fixture, 4, TRUE);
  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "Something else"));
  say (fixture, "And now?");
  assert_sent (fixture, 5, TRUE);
  assert_sent (fixture, 6, FALSE);
}

/* The window turns out to be smaller, and nothing but the PDF could be made shorter. */
static void
test_too_long (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (1, NULL);

  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "prompt is too long"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
  send_pdf (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_sent (fixture, 0, TRUE);
  assert_sent (fixture, 1, FALSE);
  g_assert_cmpuint (count_notes (fixture), ==, 1);
}

static const char *const backups[] = { "backup", NULL };

/* @backup takes over, and is sent the text. */
static void
fail_over_to (BeckonAgentFixture *fixture, BeckonProfile *backup)
{
  beckon_profile_set_name (backup, "backup");
  beckon_profile_set_base_url (backup, beckon_fixture_server_get_base_url (fixture->server));
  beckon_profile_set_model (backup, "backup");
  save (fixture, backup);
  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "Wrong key"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
  send_pdf (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_sent (fixture, 0, TRUE);
  assert_sent (fixture, 1, FALSE);
  g_assert_cmpuint (count_notes (fixture), ==, 1);
}

/* The fallback reads no PDFs: that is said the first time. */
static void
test_failover (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (1, backups);
  g_autoptr (BeckonProfile) backup = beckon_profile_new ("backup", BECKON_PROFILE_CHAT);

  fail_over_to (fixture, backup);

  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "Wrong key"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good."));
  beckon_agent_fixture_send (fixture, fixture->conversation, "And?");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_sent (fixture, 2, TRUE);
  assert_sent (fixture, 3, FALSE);
  g_assert_cmpuint (count_notes (fixture), ==, 1);

  /* And back again. */
  say (fixture, "More?");
  assert_sent (fixture, 4, TRUE);
}

/* The fallback reads PDFs, and has no room for this one. */
static void
test_failover_room (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (1, backups);
  g_autoptr (BeckonProfile) backup = beckon_profile_new ("backup", BECKON_PROFILE_CHAT);

  beckon_profile_set_pdf_choice (backup, BECKON_PDF_AS_FILE);
  beckon_profile_set_context_window (backup, 5000);
  fail_over_to (fixture, backup);
}

/* --- Limits -------------------------------------------------------------------------------------------------------- */

static GPtrArray *
make_history (guint n, gsize bytes, guint pages)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *filler = g_strnfill (bytes, '%');

  for (guint i = 0; i < n; i++)
    {
      BeckonMessage *message = beckon_message_new (NULL, BECKON_ROLE_USER, i);
      g_autoptr (BeckonPart) part = make_pdf (filler, bytes, pages);

      g_assert_nonnull (beckon_attachment_get_pdf (part, NULL));
      beckon_message_add_part (message, part);
      g_ptr_array_add (messages, message);
    }
  return messages;
}

#define MB (1024 * 1024)

/* The first ones go, the rest is text, and what is stored stays as it is. */
static void
test_limits (void)
{
  static const struct
  {
    BeckonProfileKind kind;
    guint window;
    guint n;
    gsize bytes;
    guint pages;
    guint n_files;
  } cases[] = {
    { BECKON_PROFILE_ANTHROPIC, 1000000, 3, 9 * MB, 1, 2 },
    { BECKON_PROFILE_ANTHROPIC, 1000000, 2, 100, 301, 1 },
    { BECKON_PROFILE_ANTHROPIC, 1000000, 2, 100, 600, 0 },
    { BECKON_PROFILE_ANTHROPIC, 200000, 3, 100, 50, 1 },
    { BECKON_PROFILE_ANTHROPIC, 400000, 3, 100, 50, 2 },
    { BECKON_PROFILE_ANTHROPIC, 400000, 1, 100, 101, 0 },
    { BECKON_PROFILE_RESPONSES, 400000, 3, 11 * MB, 1, 2 },
    { BECKON_PROFILE_GEMINI, 1000000, 3, 5 * MB, 1, 2 },
    { BECKON_PROFILE_CHAT, 1000000, 3, 12 * MB, 1, 1 },
    { BECKON_PROFILE_CHAT, 8000, 3, 100, 3, 0 },
    { BECKON_PROFILE_CHAT, 8000, 3, 100, 2, 1 },
    { BECKON_PROFILE_OLLAMA, 1000000, 3, 100, 1, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, cases[i].kind);
      g_autoptr (GPtrArray) messages = make_history (cases[i].n, cases[i].bytes, cases[i].pages);
      g_autoptr (BeckonMessage) last = g_object_ref (g_ptr_array_index (messages, cases[i].n - 1));

      g_test_message ("%u", i);
      beckon_profile_set_context_window (profile, cases[i].window);
      beckon_profile_set_pdf_choice (profile, BECKON_PDF_AS_FILE);
      beckon_sent_files_bound (messages, profile, FALSE);
      for (guint n = 0; n < cases[i].n; n++)
        {
          BeckonPart *part = beckon_message_get_part (g_ptr_array_index (messages, n), 0);

          g_assert_true ((beckon_attachment_get_pdf (part, NULL) != NULL) == (n < cases[i].n_files));
          g_assert_nonnull (strstr (beckon_part_get_text (part), TEXT));
          g_assert_cmpstr (beckon_attachment_get_name (part), ==, "a.pdf");
        }
      g_assert_true (beckon_sent_files_count (messages, 0) == cases[i].n_files);
      g_assert_true (beckon_sent_files_fits (beckon_message_get_part (last, 0), profile) == (cases[i].n_files > 0));
      beckon_sent_files_bound (messages, profile, TRUE);
      g_assert_cmpuint (beckon_sent_files_count (messages, 0), ==, 0);
      g_assert_nonnull (beckon_attachment_get_pdf (beckon_message_get_part (last, 0), NULL));
    }
}

/* A page costs what its text does, and a picture of it. */
static void
test_tokens (void)
{
  g_autoptr (BeckonPart) pdf = make_pdf ("%PDF-1.4", 8, 12);
  g_autoptr (BeckonPart) text = beckon_attachment_copy_text (pdf);

  g_assert_cmpint (beckon_tokens_of_part (pdf), ==, beckon_tokens_of_part (text) + 12 * 1500);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/agent/pdf/again", test_again);
  g_test_add_func ("/agent/pdf/as-text", test_as_text);
  g_test_add_func ("/agent/pdf/chosen-anew", test_chosen_anew);
  g_test_add_func ("/agent/pdf/refused", test_refused);
  g_test_add_func ("/agent/pdf/refused/then-chosen", test_refused_then_chosen);
  g_test_add_func ("/agent/pdf/refused/then-compacted", test_refused_then_compacted);
  g_test_add_func ("/agent/pdf/refused/twice", test_refused_twice);
  g_test_add_func ("/agent/pdf/refused/later", test_refused_later);
  g_test_add_func ("/agent/pdf/too-long", test_too_long);
  g_test_add_func ("/agent/pdf/failover", test_failover);
  g_test_add_func ("/agent/pdf/failover/room", test_failover_room);
  g_test_add_func ("/agent/pdf/limits", test_limits);
  g_test_add_func ("/agent/pdf/tokens", test_tokens);

  return g_test_run ();
}
