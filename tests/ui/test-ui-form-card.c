/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The card of what a server asks: filled in, looked at, sent; and addresses, which are opened on a click. */

#include "beckon-ui-fixture.h"

#include "request/beckon-form-request.h"
#include "ui/cards/beckon-form-card.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/cards/beckon-tool-card.h"
#include "ui/widgets/beckon-guard.h"

#define FORM(properties, required) \
  "{\"message\":\"Who are you?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{" properties "},\"required\":[" \
  required "]}}"
#define NAME "\"name\":{\"type\":\"string\",\"title\":\"Your name\"}"

static BeckonRequest *
ask (UiFixture *fixture, const char *params)
{
  g_autoptr (GError) error = NULL;
  BeckonRequest *request = beckon_form_request_new ("conversation", "GitHub", params, UI_NOW, &error);

  g_assert_no_error (error);
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static GtkWidget *
show (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = beckon_request_card_new (fixture->inbox, request, NULL);

  beckon_request_card_set_clock (card, fixture->clock);
  ui_show (fixture, card);
  return card;
}

static void
open_guard (UiFixture *fixture)
{
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
}

static void
wait_for (BeckonRequest *request)
{
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
}

static GtkEditable *
get_entry (GtkWidget *card, const char *title)
{
  return GTK_EDITABLE (ui_find_type (ui_find_named (card, title), GTK_TYPE_ENTRY));
}

static void
type (GtkWidget *card, const char *title, const char *text)
{
  gtk_editable_set_text (get_entry (card, title), text);
}

static void
test_one_field (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, FORM (NAME, "\"name\""));
  GtkWidget *card = show (fixture, request);

  g_assert_true (gtk_widget_has_css_class (card, "question-card"));
  g_assert_nonnull (ui_find_text (card, "Who are you?"));
  /* A click is not enough before the card has been there for a moment, nor while a field is missing. */
  ui_click (card, "Send");
  open_guard (fixture);
  ui_click (card, "Send");
  ui_settle ();
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_nonnull (ui_find_text (card, "This is missing."));
  type (card, "Your name", "Ada");
  g_assert_null (ui_find_text (card, "This is missing."));
  ui_click (card, "Send");
  wait_for (request);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, "{\"kind\":\"form\",\"text\":\"{\\\"name\\\":\\\"Ada\\\"}\"}");
}

/* Several fields are looked at once more before they go, and that look has a guard of its own. */
static void
test_review (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request
    = ask (fixture, FORM (NAME ",\"age\":{\"type\":\"integer\",\"minimum\":18},\"terms\":{\"type\":\"boolean\"}", "\"name\""));
  GtkWidget *card = show (fixture, request);

  open_guard (fixture);
  type (card, "Your name", "Ada");
  type (card, "age", "17");
  ui_click (card, "Review");
  g_assert_null (ui_find_text (card, "This is sent to the server:"));
  type (card, "age", "36");
  ui_click (card, "Review");
  ui_settle ();
  g_assert_nonnull (ui_find_text (card, "This is sent to the server:"));
  g_assert_nonnull (ui_find_text (card, "36"));
  g_assert_true (beckon_request_card_submit (card) == FALSE);
  open_guard (fixture);
  g_assert_true (beckon_request_card_submit (card));
  wait_for (request);
  g_assert_cmpint (beckon_request_get_answer (request)->kind, ==, BECKON_ANSWER_FORM);
  g_assert_nonnull (strstr (ui_get_answer (fixture, request), "36"));
}

static void
test_decline (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) declined = ask (fixture, FORM (NAME, ""));
  g_autoptr (BeckonRequest) left = ask (fixture, FORM (NAME, ""));
  GtkWidget *card = show (fixture, declined);

  open_guard (fixture);
  g_assert_true (beckon_request_card_deny (card));
  wait_for (declined);
  g_assert_cmpstr (ui_get_answer (fixture, declined), ==, "{\"kind\":\"declined\"}");
  card = show (fixture, left);
  open_guard (fixture);
  ui_click (card, "Give no answer now");
  wait_for (left);
  g_assert_cmpstr (ui_get_answer (fixture, left), ==, "{\"kind\":\"skip\"}");
}

static char *opened;

static void
note_opened (GtkWidget *card, const char *url)
{
  g_free (opened);
  opened = g_strdup (url);
}

/* Only the button opens an address, once; that is consent, and no answer with content. */
static void
test_url (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request
    = ask (fixture, "{\"mode\":\"url\",\"message\":\"Sign in\",\"url\":\"http://github.com@evil.example/a?b=c\"}");
  GtkWidget *card = show (fixture, request);

  beckon_form_card_set_opener (note_opened);
  g_assert_nonnull (ui_find_text (card, "http://github.com@evil.example/a?b=c"));
  g_assert_nonnull (ui_find_text (card, "not encrypted"));
  ui_click (card, "Open in Browser");
  ui_settle ();
  g_assert_null (opened);
  open_guard (fixture);
  g_assert_false (beckon_request_card_submit (card));
  g_assert_null (opened);
  ui_click (card, "Open in Browser");
  wait_for (request);
  g_assert_cmpstr (opened, ==, "http://github.com@evil.example/a?b=c");
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, "{\"kind\":\"form\"}");
  beckon_form_card_set_opener (NULL);
  g_clear_pointer (&opened, g_free);
}

static void
test_secret (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, FORM (NAME ",\"key\":{\"type\":\"string\",\"title\":\"API key\"}", ""));
  GtkWidget *card = show (fixture, request);
  GtkWidget *entry = ui_find_type (ui_find_named (card, "API key"), GTK_TYPE_PASSWORD_ENTRY);

  g_assert_nonnull (ui_find_text (card, "looks like a secret"));
  type (card, "Your name", "Ada");
  gtk_editable_set_text (GTK_EDITABLE (entry), "canary-7f3a");
  g_assert_nonnull (strstr (beckon_request_get_draft (request), "Ada"));
  g_assert_null (strstr (beckon_request_get_draft (request), "canary"));
  open_guard (fixture);
  ui_click (card, "Review");
  ui_settle ();
  g_assert_nonnull (ui_find_text (card, "This is sent to the server:"));
  g_assert_null (ui_find_text (card, "canary"));
  g_assert_nonnull (ui_find_text (card, "••••••"));
}

/* A draft is there again, in another card of it too. */
static void
test_draft (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, FORM (NAME, "\"name\""));
  GtkWidget *card = show (fixture, request);

  type (card, "Your name", "Ad");
  card = show (fixture, request);
  g_assert_cmpstr (gtk_editable_get_text (get_entry (card, "Your name")), ==, "Ad");
}

#define SIX(n) "\"f" n "\":{\"type\":\"string\",\"title\":\"Field " n "\",\"description\":\"A line about it\"}"

static gboolean
is_within (GtkWidget *widget, GtkWidget *window)
{
  graphene_rect_t bounds;

  return gtk_widget_get_mapped (widget) && gtk_widget_compute_bounds (widget, window, &bounds)
         && bounds.origin.y >= 0 && bounds.origin.y + bounds.size.height <= (float) gtk_widget_get_height (window);
}

/* The buttons of a form that is higher than its place stay in sight; its fields scroll. */
static void
test_many_fields (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request
    = ask (fixture, FORM (SIX ("1") "," SIX ("2") "," SIX ("3") "," SIX ("4") "," SIX ("5") "," SIX ("6"), "\"f1\""));
  GtkWidget *card = beckon_request_card_new (fixture->inbox, request, NULL);
  GtkWidget *fixed = gtk_fixed_new ();
  int least, natural;

  /* The card is as low as it can be. */
  gtk_widget_set_size_request (card, 600, -1);
  gtk_fixed_put (GTK_FIXED (fixed), card, 0, 0);
  ui_show (fixture, fixed);
  gtk_widget_measure (card, GTK_ORIENTATION_VERTICAL, 600, &least, &natural, NULL, NULL);
  g_assert_cmpint (least, <, 330);
  g_assert_cmpint (natural, >, least + 100);
  ui_wait_until (gtk_widget_get_height (card) < natural);
  ui_wait_until (is_within (ui_find_button (card, "Review"), card) && is_within (ui_find_button (card, "Decline"), card)
                 && is_within (ui_find_button (card, "Give no answer now"), card));
}

/* Fields say which of them are needed, and what they take, by an example, and none by the server's own name for it. */
static void
test_words (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request
    = ask (fixture, FORM (NAME ",\"x_day\":{\"type\":\"string\",\"format\":\"date\",\"title\":\"Day\"}", "\"x_day\""));
  GtkWidget *card = show (fixture, request);
  GtkWidget *row = ui_find_named (card, "Day");

  g_assert_nonnull (ui_find_text (row, "Day *"));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (ui_find_text (row, "Day *")), ==, "Required");
  g_assert_null (ui_find_text (ui_find_named (card, "Your name"), "*"));
  g_assert_nonnull (ui_find_text (row, "such as "));
  type (card, "Day", "Christmas");
  ui_wait_until (ui_find_text (row, "This does not look like a date such as 2026-12-24.") != NULL);
}

/* A form that was answered or declined stays as a line of the call that asked it. */
static void
test_trace (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) answered
    = ask (fixture, FORM (NAME ",\"pin\":{\"type\":\"string\",\"title\":\"Password\"}", "\"name\""));
  g_autoptr (BeckonRequest) declined = ask (fixture, FORM (NAME, ""));
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new ("call", NULL, "github__issue", "{}");
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_FORM, "{\"name\":\"Ada\",\"pin\":\"1234\"}");
  g_autoptr (BeckonAnswer) no = beckon_answer_new (BECKON_ANSWER_DECLINED, NULL);
  GtkWidget *card;

  beckon_request_settle (answered, BECKON_REQUEST_ANSWERED, answer, "window", NULL, UI_NOW);
  beckon_request_settle (declined, BECKON_REQUEST_DECLINED, no, "window", NULL, UI_NOW);
  beckon_tool_call_add_asked (call, G_OBJECT (answered));
  beckon_tool_call_add_asked (call, G_OBJECT (declined));
  card = beckon_tool_card_new (call);
  ui_show (fixture, card);
  g_assert_nonnull (ui_find_text (card, "GitHub asked: Who are you? — You answered: Your name: Ada, Password: "));
  g_assert_nonnull (ui_find_text (card, "GitHub asked: Who are you? — You declined."));
  g_assert_null (ui_find_text (card, "1234"));
}

int
main (int argc, char **argv)
{
  if (!ui_test_init (&argc, &argv))
    return 0;
  ui_test_add ("/ui/form-card/one-field", test_one_field);
  ui_test_add ("/ui/form-card/review", test_review);
  ui_test_add ("/ui/form-card/decline", test_decline);
  ui_test_add ("/ui/form-card/url", test_url);
  ui_test_add ("/ui/form-card/secret", test_secret);
  ui_test_add ("/ui/form-card/draft", test_draft);
  ui_test_add ("/ui/form-card/many-fields", test_many_fields);
  ui_test_add ("/ui/form-card/words", test_words);
  ui_test_add ("/ui/form-card/trace", test_trace);
  return g_test_run ();
}
