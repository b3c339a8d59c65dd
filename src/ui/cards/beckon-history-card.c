/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-history-card.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "domain/beckon-request-error.h"
#include "request/beckon-question-request.h"
#include "request/beckon-vault.h"
#include "ui/blocks/beckon-inline.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>

/* A line holds no more, in characters. */
#define MOST 80

static char *
history_card_dup_line (const char *text)
{
  g_autofree char *safe = beckon_text_for_display (text, -1, BECKON_TEXT_EXACT);

  return beckon_text_shorten (safe, MOST);
}

static char *
dup_asked (BeckonRequest *request)
{
  BeckonAnswer *answer = beckon_request_get_answer (request);

  return history_card_dup_line (answer != NULL && answer->text != NULL ? answer->text : "");
}

char *
beckon_history_card_describe_earlier (BeckonRequest *earlier)
{
  g_autofree char *asked = dup_asked (earlier);

  /* Translators: the model answered what the person asked instead of answering, and now asks its question again */
  return beckon_text_printf (_("Asked again, after you asked back: “%s”"), asked);
}

struct _BeckonHistoryCard
{
  AdwBin parent_instance;

  BeckonRequest *request; /* (owned) */
  char *unsent;           /* (owned) (nullable) */

  GtkWidget *again_button;
  GtkLabel *again_label;
  GtkWidget *row;
  GtkImage *icon;
  GtkBox *pairs;
  GtkLabel *when_label;
  GtkLabel *note_label;
  GtkWidget *unsent_row;
  GtkLabel *unsent_label;
};

G_DEFINE_FINAL_TYPE (BeckonHistoryCard, beckon_history_card, ADW_TYPE_BIN)

/* An end that has no answer to show. */
static const char *
describe_end (BeckonRequestState state)
{
  switch (state)
    {
    case BECKON_REQUEST_CANCELLED:
      return _("The user did not answer; the operation was cancelled");

    case BECKON_REQUEST_TIMED_OUT:
      return _("Timed out");

    case BECKON_REQUEST_UNAVAILABLE:
      return _("You couldn't be asked");

    case BECKON_REQUEST_DECLINED:
      return _("Dismissed");

    case BECKON_REQUEST_PENDING:
    case BECKON_REQUEST_ANSWERED:
    case BECKON_REQUEST_SKIPPED:
    case BECKON_REQUEST_DELEGATED:
    case BECKON_REQUEST_ASKED_BACK:
    default:
      return _("No answer");
    }
}

static char *
describe_time (gint64 at)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (at / G_USEC_PER_SEC);
  g_autoptr (GDateTime) then = utc != NULL ? g_date_time_to_local (utc) : NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  if (then == NULL)
    return g_strdup ("");
  if (g_date_time_get_year (then) == g_date_time_get_year (now) &&
      g_date_time_get_day_of_year (then) == g_date_time_get_day_of_year (now))
    /* Translators: a time today, see g_date_time_format() */
    return g_date_time_format (then, _("%H:%M"));
  /* Translators: a date and time, see g_date_time_format() */
  return g_date_time_format (then, _("%e %b %Y, %H:%M"));
}

/* "you, in the window · 10:41" */
static char *
describe_who_and_when (BeckonRequest *request)
{
  const char *actor = beckon_request_get_actor (request);
  const char *who = actor == NULL || g_strcmp0 (actor, g_get_user_name ()) == 0 ? _("you") : actor;
  g_autofree char *when = describe_time (beckon_request_get_settled_at (request));
  /* No person settled it: it ended with its ground, or came from elsewhere. */
  const char *front_end = beckon_request_get_front_end (request);

  if (front_end == NULL || g_str_equal (front_end, "agent") || (actor != NULL && *actor == '\0'))
    return g_steal_pointer (&when);
  /* Translators: who answered, where, and when: "you, in the window · 10:41" */
  return beckon_text_printf (_("%s, %s · %s"), who,
                             beckon_request_front_end_to_words (beckon_request_get_front_end (request)), when);
}

static GtkLabel *
append_label (BeckonHistoryCard *self, const char *css_class)
{
  GtkLabel *label = g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "natural-wrap-mode",
                                  GTK_NATURAL_WRAP_WORD, "xalign", 0.0f, "selectable", TRUE, "focusable", FALSE, NULL);

  if (css_class != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (label), css_class);
  gtk_box_append (self->pairs, GTK_WIDGET (label));
  return label;
}

static char *
describe_answer (BeckonRequest *request)
{
  BeckonAnswer *answer = beckon_request_get_answer (request);

  if (answer == NULL)
    return g_strdup (describe_end (beckon_request_get_state (request)));
  return beckon_answer_to_summary (answer, beckon_request_get_question (request));
}

/* Describes an answer on its line. */
static char *
describe_item (const BeckonQuestionItem *item, const BeckonAnswerItem *answer)
{
  g_autoptr (GString) line = g_string_new (NULL);

  if (answer->skipped)
    return g_strdup (_("Skipped"));
  for (guint i = 0; i < answer->selected->len; i++)
    g_string_append_printf (line, "%s%s", i > 0 ? ", " : "", (const char *) g_ptr_array_index (answer->selected, i));
  if (answer->text != NULL)
    g_string_append_printf (line, "%s%s", line->len > 0 ? " — " : "",
                            item->secret && !beckon_secret_handle_is (answer->text) ? "•••" : answer->text);
  return g_string_free (g_steal_pointer (&line), FALSE);
}

static void
show_answer (BeckonHistoryCard *self, const char *answer)
{
  g_autofree char *safe = beckon_text_for_display (answer, -1, BECKON_TEXT_PROSE);
  g_autofree char *shown = g_strdup_printf ("↩\xef\xb8\x8e %s", safe);

  gtk_label_set_text (append_label (self, "history-answer"), shown);
}

/* Several questions stand each above its answer; what ended them all stands once. */
static void
show_pairs (BeckonHistoryCard *self, BeckonRequest *request, const char *summary)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  BeckonAnswer *answer = beckon_request_get_answer (request);
  guint n = beckon_question_get_n_items (question);
  gboolean each = n > 1 && answer != NULL && answer->kind == BECKON_ANSWER_QUESTION && answer->items->len == n;

  for (guint i = 0; i < n; i++)
    {
      const BeckonQuestionItem *item = beckon_question_get_item (question, i);
      g_autofree char *line = each ? describe_item (item, g_ptr_array_index (answer->items, i)) : NULL;
      g_autoptr (PangoAttrList) attributes = NULL;
      g_autofree char *safe = beckon_text_for_display (item->question, -1, BECKON_TEXT_PROSE);
      g_autofree char *plain = beckon_inline_render (safe, &attributes);
      GtkLabel *label = append_label (self, NULL);

      gtk_label_set_text (label, plain);
      gtk_label_set_attributes (label, attributes);

      if (each)
        show_answer (self, line);
    }
  if (!each)
    show_answer (self, summary);
}

void
beckon_history_card_set_note (BeckonHistoryCard *self, const char *note)
{
  gtk_label_set_text (self->note_label, note);
  gtk_widget_set_visible (GTK_WIDGET (self->note_label), TRUE);
}

static void
on_again_toggled (BeckonHistoryCard *self, GtkToggleButton *button)
{
  gtk_widget_set_visible (self->row, gtk_toggle_button_get_active (button));
  gtk_accessible_update_state (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_STATE_EXPANDED,
                               gtk_toggle_button_get_active (button), -1);
}

void
beckon_history_card_set_asked_again (BeckonHistoryCard *self)
{
  g_autofree char *line = NULL;
  g_autofree char *question = NULL;
  g_autofree char *asked = NULL;

  if (gtk_widget_get_visible (self->again_button))
    return;

  question = history_card_dup_line (beckon_question_get_item (beckon_request_get_question (self->request), 0)->question);
  asked = dup_asked (self->request);
  /* Translators: what the person asked the model instead of answering, and the model's question */
  line = beckon_text_printf (_("You asked back: “%s” · %s"), asked, question);
  gtk_label_set_text (self->again_label, line);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->again_button), GTK_ACCESSIBLE_PROPERTY_LABEL, line, -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->again_button), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
  gtk_widget_set_visible (self->again_button, TRUE);
  gtk_widget_set_visible (self->row, FALSE);
}

void
beckon_history_card_set_unsent (BeckonHistoryCard *self, const char *text)
{
  g_autofree char *shown = NULL;

  g_free (self->unsent);
  self->unsent = g_strdup (text);
  shown = beckon_text_printf (_("You had typed, and it was not sent: %s"), text);
  gtk_label_set_text (self->unsent_label, shown);
  gtk_widget_set_visible (self->unsent_row, TRUE);
}

static void
on_change_clicked (BeckonHistoryCard *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.change-answer", "(sss)",
                              beckon_request_get_conversation_id (self->request),
                              beckon_request_get_message_id (self->request), beckon_request_get_call_id (self->request));
}

static void
history_card_on_copy_clicked (BeckonHistoryCard *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->unsent);
}

static void
beckon_history_card_dispose (GObject *object)
{
  BeckonHistoryCard *self = BECKON_HISTORY_CARD (object);

  g_clear_object (&self->request);
  g_clear_pointer (&self->unsent, g_free);
  G_OBJECT_CLASS (beckon_history_card_parent_class)->dispose (object);
}

static void
beckon_history_card_class_init (BeckonHistoryCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  G_OBJECT_CLASS (klass)->dispose = beckon_history_card_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/history-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonHistoryCard, again_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonHistoryCard, again_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonHistoryCard, row);
  gtk_widget_class_bind_template_child (widget_class, BeckonHistoryCard, icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonHistoryCard, pairs);
  gtk_widget_class_bind_template_child (widget_class, BeckonHistoryCard, when_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonHistoryCard, note_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonHistoryCard, unsent_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonHistoryCard, unsent_label);
  gtk_widget_class_bind_template_callback (widget_class, on_again_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_change_clicked);
  gtk_widget_class_bind_template_callback (widget_class, history_card_on_copy_clicked);
}

static void
beckon_history_card_init (BeckonHistoryCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self->icon), "question-colour");
}

GtkWidget *
beckon_history_card_new (BeckonRequest *request)
{
  BeckonHistoryCard *self = g_object_new (BECKON_TYPE_HISTORY_CARD, NULL);
  BeckonQuestion *question = beckon_request_get_question (request);
  g_autofree char *answer = NULL;
  g_autofree char *when = NULL;
  g_autoptr (GString) asked = NULL;
  g_autofree char *spoken = NULL;

  self->request = g_object_ref (request);
  answer = describe_answer (request);
  when = describe_who_and_when (request);
  asked = g_string_new (NULL);

  for (guint i = 0; i < beckon_question_get_n_items (question); i++)
    g_string_append_printf (asked, "%s%s", i > 0 ? " " : "", beckon_question_get_item (question, i)->question);
  show_pairs (self, request, answer);
  gtk_label_set_text (self->when_label, when);
  if (beckon_request_get_state (request) != BECKON_REQUEST_ANSWERED)
    gtk_widget_add_css_class (GTK_WIDGET (self), "unanswered");
  /* Translators: what a screen reader says of an answered question: the question, the answer, who and when */
  spoken = beckon_text_printf (_("Question: %s Answer: %s (%s)"), asked->str, answer, when);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  return GTK_WIDGET (self);
}
