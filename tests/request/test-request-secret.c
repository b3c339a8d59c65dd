/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Masked answers on their way to the journal: the value goes into the vault, a handle takes its place. */

#include "request/beckon-form-request.h"
#include "request/beckon-inbox.h"
#include "request/beckon-question-request.h"
#include "request/beckon-vault.h"
#include "test-journal.h"
#include "test-vault.h"

#include <string.h>

#define CANARY "canary 7f3a \"quoted\" ü"
#define SECRETS                                                                                                          \
  "{\"questions\":[{\"question\":\"Which account?\",\"options\":[\"one\",\"two\"]},"                                     \
  "{\"question\":\"The token?\",\"header\":\"Photo Token (API)\",\"secret\":true},"                                      \
  "{\"question\":\"Passwort für 照片?\",\"secret\":true}]}"

typedef struct
{
  TestLedger *ledger;
  TestJournal *journal;
  TestVault *vault;
  BeckonClock *clock;
  BeckonInbox *inbox;
  BeckonRequest *request;
} Fixture;

static void
spin (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonQuestion) question = beckon_question_parse (SECRETS, NULL);

  fixture->ledger = test_ledger_new ();
  fixture->journal = test_journal_new (fixture->ledger);
  fixture->vault = test_vault_new ();
  fixture->clock = beckon_clock_new_manual (1000);
  fixture->inbox = beckon_inbox_new (BECKON_REQUEST_STORE (fixture->journal), fixture->clock);
  beckon_inbox_set_vault (fixture->inbox, BECKON_VAULT (fixture->vault));
  fixture->request = beckon_question_request_new (NULL, "conversation", "message", "call", question, 1000);
  test_ledger_add (fixture->ledger, fixture->request);
  beckon_inbox_add (fixture->inbox, fixture->request);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  spin ();
  g_assert_finalize_object (fixture->inbox);
  g_assert_finalize_object (fixture->journal);
  g_assert_finalize_object (fixture->vault);
  test_ledger_unref (fixture->ledger);
  g_object_unref (fixture->request);
  g_assert_finalize_object (fixture->clock);
}

static BeckonAnswer *
make_answer (void)
{
  BeckonAnswer *answer = beckon_answer_new_question (3);

  beckon_answer_select (answer, 0, "two");
  beckon_answer_set_item_text (answer, 0, "the old one");
  beckon_answer_set_item_text (answer, 1, CANARY);
  beckon_answer_skip (answer, 2);
  return answer;
}

static void
on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static gboolean
settle (Fixture *fixture, BeckonAnswer *answer, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_inbox_settle_async (fixture->inbox, beckon_request_get_id (fixture->request), answer, "terminal", NULL, NULL,
                             on_settled, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return beckon_inbox_settle_finish (fixture->inbox, result, error);
}

static void
test_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonAnswer) answer = make_answer ();
  g_autoptr (GError) error = NULL;
  const BeckonSettlement *settlement;
  const BeckonAnswerItem *item;

  g_assert_true (settle (fixture, answer, &error));
  g_assert_no_error (error);
  settlement = test_ledger_get_settlement (fixture->ledger, beckon_request_get_id (fixture->request));
  g_assert_null (strstr (settlement->answer, "canary"));
  g_assert_null (strstr (settlement->result, "canary"));
  item = g_ptr_array_index (beckon_request_get_answer (fixture->request)->items, 1);
  g_assert_true (beckon_secret_handle_is (item->text));
  g_assert_true (g_str_has_prefix (item->text, "secret:photo-token-api-"));
  g_assert_nonnull (strstr (settlement->result, item->text));
  g_assert_nonnull (strstr (settlement->result, "the old one"));
  g_assert_nonnull (strstr (settlement->result, "\"skipped\":true"));
  g_assert_cmpstr (test_vault_get (fixture->vault, item->text), ==, CANARY);
  g_assert_cmpuint (test_vault_get_size (fixture->vault), ==, 1);
}

/* An answer that came too late leaves nothing in the vault. */
static void
test_lost (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonAnswer) answer = make_answer ();
  g_autoptr (BeckonAnswer) delegated = beckon_answer_new (BECKON_ANSWER_DELEGATED, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_inbox_settle_async (fixture->inbox, beckon_request_get_id (fixture->request), answer, "window", NULL, NULL,
                             on_settled, &result);
  g_assert_true (settle (fixture, delegated, &error));
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (beckon_inbox_settle_finish (fixture->inbox, result, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_assert_cmpuint (test_vault_get_size (fixture->vault), ==, 0);
}

static void
test_journal_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonAnswer) answer = make_answer ();
  g_autoptr (GError) error = NULL;

  test_journal_break (fixture->journal, "The disk is full.");
  g_assert_false (settle (fixture, answer, &error));
  g_assert_cmpuint (test_vault_get_size (fixture->vault), ==, 0);
  test_journal_break (fixture->journal, NULL);
  g_clear_error (&error);
  g_assert_true (settle (fixture, answer, &error));
  g_assert_cmpuint (test_vault_get_size (fixture->vault), ==, 1);
}

/* A secret is not taken where there is no place for it, and nothing is stored instead. */
static void
test_no_vault (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonAnswer) answer = make_answer ();
  g_autoptr (GError) error = NULL;

  beckon_inbox_set_vault (fixture->inbox, NULL);
  g_assert_false (settle (fixture, answer, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  g_assert_cmpint (beckon_request_get_state (fixture->request), ==, BECKON_REQUEST_PENDING);
}

#define FORM                                                                                                            \
  "{\"message\":\"Sign in\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"user\":{\"type\":\"string\"},"          \
  "\"password\":{\"type\":\"string\"},\"pin\":{\"type\":\"integer\"},\"token kind\":{\"type\":\"string\",\"enum\":[\"a\"]}}}}"
#define FILLED_IN "{\"user\":\"ada\",\"password\":\"canary 7f3a \\\"quoted\\\" ü\",\"pin\":7421,\"token kind\":\"a\"}"

static void
ask_form (Fixture *fixture)
{
  g_object_unref (fixture->request);
  fixture->request = beckon_form_request_new ("conversation", "Asker", FORM, 1000, NULL);
  test_ledger_add (fixture->ledger, fixture->request);
  beckon_inbox_add (fixture->inbox, fixture->request);
}

static BeckonAnswer *
reveal (Fixture *fixture, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_inbox_reveal_async (fixture->inbox, fixture->request, beckon_request_get_answer (fixture->request), NULL, on_settled,
                             &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return beckon_inbox_reveal_finish (fixture->inbox, result, error);
}

/* A server's form that asks for secrets all the same: the server has what was typed, in its types, and nobody else. */
static void
test_form (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_FORM, FILLED_IN);
  g_autoptr (BeckonAnswer) revealed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *handle = NULL;
  const BeckonSettlement *settlement;

  ask_form (fixture);
  g_assert_true (settle (fixture, answer, &error));
  g_assert_no_error (error);
  settlement = test_ledger_get_settlement (fixture->ledger, beckon_request_get_id (fixture->request));
  g_assert_null (strstr (settlement->answer, "canary"));
  g_assert_null (strstr (settlement->answer, "7421"));
  g_assert_nonnull (strstr (settlement->answer, "ada"));
  handle = beckon_form_request_dup_value (beckon_request_get_answer (fixture->request)->text, "password");
  g_assert_true (g_str_has_prefix (handle, "secret:password-"));
  g_assert_cmpstr (test_vault_get (fixture->vault, handle), ==, CANARY);
  g_assert_cmpuint (test_vault_get_size (fixture->vault), ==, 2);

  revealed = reveal (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (revealed->text, ==, FILLED_IN);
}

static void
test_form_lost (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_FORM, FILLED_IN);
  g_autoptr (GError) error = NULL;
  g_autofree char *handle = NULL;

  ask_form (fixture);
  test_journal_break (fixture->journal, "The disk is full.");
  g_assert_false (settle (fixture, answer, &error));
  g_assert_cmpuint (test_vault_get_size (fixture->vault), ==, 0);
  test_journal_break (fixture->journal, NULL);
  g_clear_error (&error);
  g_assert_true (settle (fixture, answer, &error));
  handle = beckon_form_request_dup_value (beckon_request_get_answer (fixture->request)->text, "pin");
  beckon_vault_forget (BECKON_VAULT (fixture->vault), handle);
  spin ();
  g_assert_null (reveal (fixture, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNAVAILABLE);
}

static void
test_handles (void)
{
  static const struct
  {
    const char *name;
    const char *prefix;
  } names[] = {
    { "Photo Token (API)", "secret:photo-token-api-" },
    { NULL, "secret:answer-" },
    { "照片", "secret:" },
    { "--- ", "secret:answer-" },
    { "What is the very long password of the account of the photo service?", "secret:what-is-the-very-long-pa" },
  };
  gsize length;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *handle = beckon_secret_handle_new (names[i].name);
      g_autofree char *again = beckon_secret_handle_new (names[i].name);
      g_autofree char *text = g_strdup_printf ("{\"header\":\"Bearer %s\"} secret:no %s.", handle, again);

      g_assert_true (beckon_secret_handle_is (handle));
      g_assert_true (g_str_has_prefix (handle, names[i].prefix));
      g_assert_cmpstr (handle, !=, again);
      g_assert_true (g_str_has_prefix (beckon_secret_handle_find (text, &length), handle));
      g_assert_cmpuint (length, ==, strlen (handle));
      g_assert_true (g_str_has_prefix (beckon_secret_handle_find (strstr (text, "} "), &length), again));
    }
  g_assert_false (beckon_secret_handle_is (NULL));
  g_assert_false (beckon_secret_handle_is ("secret:"));
  g_assert_false (beckon_secret_handle_is ("secret:abcdefghjkmn"));
  g_assert_null (beckon_secret_handle_find ("no secret: here", &length));
}

#define add(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/request/secret/kept", test_kept);
  add ("/request/secret/lost", test_lost);
  add ("/request/secret/journal-fails", test_journal_fails);
  add ("/request/secret/no-vault", test_no_vault);
  add ("/request/secret/form", test_form);
  add ("/request/secret/form-lost", test_form_lost);
  g_test_add_func ("/request/secret/handles", test_handles);
  return g_test_run ();
}
