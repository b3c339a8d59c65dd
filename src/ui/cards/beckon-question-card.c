/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-question-card.h"

#include "beckon-history-card.h"
#include "beckon-question-deck.h"
#include "beckon-tool-card.h"
#include "request/beckon-question-request.h"
#include "ui/blocks/beckon-inline.h"
#include "ui/widgets/beckon-choice.h"
#include "ui/widgets/beckon-end-watch.h"
#include "ui/widgets/beckon-flow-layout.h"
#include "ui/widgets/beckon-time-left.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonQuestionCard
{
  BeckonRequestCard parent_instance;

  /* input */
  BeckonRequest *request;     /* of the card */
  BeckonQuestion *question;   /* of the request */
  BeckonCardSettler *settler; /* of the card */
  BeckonTimeLeft *time_left;  /* (owned) */
  BeckonEndWatch *watch;      /* (owned) (nullable): of a text that is allowed, and seen to its end before */
  guint n_frames;             /* since its end was shown */
  BeckonAnswer *submitted;    /* (owned) (nullable): being settled, or settled */

  /* widgets */
  GtkLabel *title_label;
  GtkLabel *progress_label;
  GtkWidget *menu_button;
  GtkWidget *ways;
  GtkWidget *body;
  GtkBox *origin;
  BeckonQuestionDeck *deck;
  GtkLabel *earlier_label;
  GtkLabel *late_label;
  GtkLabel *time_label;
};

G_DEFINE_FINAL_TYPE (BeckonQuestionCard, beckon_question_card, BECKON_TYPE_REQUEST_CARD)

static guint answering_signal;

void
beckon_question_card_refuse (BeckonQuestionCard *self, const char *message)
{
  beckon_card_settler_refuse (self->settler, message);
}

static void
on_refused (BeckonQuestionCard *self)
{
  g_clear_pointer (&self->submitted, beckon_answer_unref);
}

static void
question_card_settle (BeckonQuestionCard *self, BeckonAnswer *answer)
{
  gboolean is_taken = FALSE;

  g_assert (self->submitted == NULL);

  self->submitted = beckon_answer_ref (answer);
  g_signal_emit (self, answering_signal, 0, answer, &is_taken);
  if (is_taken)
    beckon_card_settler_begin (self->settler);
  else
    beckon_card_settler_settle_answer (self->settler, answer);
}

/* A press before a frame was drawn can't be about what it shows. */
static gboolean
question_card_is_ready (BeckonRequestCard *card)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (card);

  return beckon_card_settler_is_ready (self->settler) && (self->watch == NULL || beckon_end_watch_is_laid_out (self->watch))
         && beckon_request_get_state (self->request) == BECKON_REQUEST_PENDING;
}

/* The words below the choices take room from the text: its end is shown again once they have their place. */
static gboolean
on_told (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (widget);

  if (self->n_frames++ < 2)
    return G_SOURCE_CONTINUE;
  if (self->watch != NULL)
    beckon_end_watch_show_end (self->watch, GTK_WIDGET (self->deck));
  return G_SOURCE_REMOVE;
}

/* The first press shows the end of what a server would be allowed, and the next one is about it. */
static gboolean
show_unseen (BeckonQuestionCard *self, const BeckonAnswer *answer)
{
  if (self->watch == NULL || beckon_end_watch_get_seen (self->watch)
      || !beckon_question_request_allows (self->request, answer))
    return FALSE;
  beckon_end_watch_show_end (self->watch, GTK_WIDGET (self->deck));
  beckon_card_settler_show_error (self->settler, _("There was more to see, and this is its end. Press again to allow it."));
  self->n_frames = 0;
  gtk_widget_add_tick_callback (GTK_WIDGET (self), on_told, NULL, NULL);
  beckon_card_settler_renew (self->settler);
  return TRUE;
}

static void
submit (BeckonQuestionCard *self)
{
  g_autoptr (BeckonAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;

  if (!question_card_is_ready (BECKON_REQUEST_CARD (self)))
    return;

  answer = beckon_question_deck_collect (self->deck);
  if (show_unseen (self, answer))
    return;
  if (beckon_answer_check (answer, self->question, &error))
    {
      question_card_settle (self, answer);
      return;
    }
  beckon_question_deck_show_unanswered (self->deck);
  beckon_card_settler_show_error (self->settler, error->message);
}

static void
submit_kind (BeckonQuestionCard *self, BeckonAnswerKind kind, const char *text)
{
  g_autoptr (BeckonAnswer) answer = NULL;

  if (!question_card_is_ready (BECKON_REQUEST_CARD (self)))
    return;

  answer = beckon_answer_new (kind, text);
  question_card_settle (self, answer);
}

static gboolean
has_several (BeckonQuestionCard *self)
{
  return beckon_question_get_n_items (self->question) > 1;
}

static void
on_send (BeckonQuestionCard *self, BeckonQuestionPage *page)
{
  if (beckon_question_deck_get_asking_back (self->deck))
    {
      g_autofree char *text = beckon_question_page_dup_back (page);

      if (text != NULL)
        submit_kind (self, BECKON_ANSWER_ASKED_BACK, text);
    }
  else if (has_several (self))
    beckon_question_deck_go_on (self->deck);
  else if (beckon_question_page_has_answer (page))
    submit (self);
}

static void
on_picked (BeckonQuestionCard *self, BeckonQuestionPage *page, BeckonChoice *choice)
{
  gboolean at_once = beckon_question_is_single_choice (self->question);

  /* A click on what has just come in the place of another question is not meant for it. */
  if (!question_card_is_ready (BECKON_REQUEST_CARD (self)))
    return;
  beckon_question_deck_set_asking_back (self->deck, FALSE);
  beckon_question_page_mark (page, beckon_choice_get_label (choice));
  if (at_once)
    submit (self);
  else if (beckon_question_page_is_single_choice (page))
    beckon_question_deck_go_on (self->deck);
}

static void
question_card_on_changed (BeckonQuestionCard *self)
{
  beckon_card_settler_show_error (self->settler, NULL);
  beckon_request_card_keep_draft (BECKON_REQUEST_CARD (self));
}

static char *
question_card_dup_draft (BeckonRequestCard *card)
{
  return beckon_question_deck_dup_draft (BECKON_QUESTION_CARD (card)->deck);
}

static void
show_progress (BeckonQuestionCard *self)
{
  g_autofree char *progress = beckon_question_deck_dup_progress (self->deck);

  gtk_widget_set_visible (GTK_WIDGET (self->progress_label), progress != NULL);
  gtk_label_set_text (self->progress_label, progress != NULL ? progress : "");
}

/* A key or click that comes now was meant for the page before, whichever way led to this one. */
static void
on_moved (BeckonQuestionCard *self)
{
  show_progress (self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    beckon_card_settler_renew (self->settler);
}

static void
question_card_restore (BeckonRequestCard *card, const char *draft)
{
  beckon_question_deck_restore (BECKON_QUESTION_CARD (card)->deck, draft);
  show_progress (BECKON_QUESTION_CARD (card));
}

static gboolean
question_card_pick (BeckonRequestCard *card, guint keyval)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (card);
  BeckonQuestionPage *page = beckon_question_deck_get_page (self->deck);
  guint number = 0;

  if (keyval >= GDK_KEY_1 && keyval <= GDK_KEY_9)
    number = keyval - GDK_KEY_0;
  else if (keyval >= GDK_KEY_KP_1 && keyval <= GDK_KEY_KP_9)
    number = keyval - GDK_KEY_KP_0;
  if (number == 0 || beckon_question_deck_is_reviewing (self->deck) || beckon_question_page_is_typing (page))
    return FALSE;
  return beckon_question_page_pick_number (page, number);
}

static gboolean
question_card_close (BeckonRequestCard *card)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (card);

  if (!beckon_question_deck_get_asking_back (self->deck))
    return FALSE;
  beckon_question_deck_set_asking_back (self->deck, FALSE);
  return TRUE;
}

static void
skip_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (widget);

  if (!question_card_is_ready (BECKON_REQUEST_CARD (self)))
    return;
  beckon_question_page_set_skipped (beckon_question_deck_get_page (self->deck), TRUE);
  if (has_several (self))
    beckon_question_deck_go_on (self->deck);
  else
    submit (self);
}

static void
ask_back_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (widget);

  beckon_question_deck_set_asking_back (self->deck, TRUE);
  beckon_question_deck_focus (self->deck);
}

/* The call as the model wrote it opens in the card; the window shows the message that holds it. */
static void
show_origin_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (widget);
  BeckonToolCall *call = beckon_request_card_get_call (BECKON_REQUEST_CARD (widget));

  if (call != NULL && !gtk_widget_get_visible (GTK_WIDGET (self->origin)))
    {
      GtkWidget *card = beckon_tool_card_new (call);

      beckon_tool_card_expand (BECKON_TOOL_CARD (card));
      gtk_box_append (self->origin, card);
      gtk_widget_set_visible (GTK_WIDGET (self->origin), TRUE);
    }
  /* A running tool's question has no waiting call. */
  if (beckon_request_get_call_id (self->request) == NULL)
    return;
  gtk_widget_activate_action (widget, "win.show-origin", "(sss)", beckon_request_get_conversation_id (self->request),
                              beckon_request_get_message_id (self->request), beckon_request_get_call_id (self->request));
}

static void
answer_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (g_str_equal (name, "card.submit"))
    submit (BECKON_QUESTION_CARD (widget));
  else
    submit_kind (BECKON_QUESTION_CARD (widget),
                 g_str_equal (name, "card.delegate") ? BECKON_ANSWER_DELEGATED : BECKON_ANSWER_DECLINED, NULL);
}

static void
forget_last_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (widget);

  gtk_widget_activate_action (widget, "win.forget-answer", "s", beckon_request_get_id (self->request));
  beckon_question_deck_forget_last (self->deck);
  gtk_widget_action_set_enabled (widget, "card.forget-last", FALSE);
}

void
beckon_question_card_set_earlier (BeckonQuestionCard *self, BeckonRequest *earlier)
{
  g_autofree char *line = beckon_history_card_describe_earlier (earlier);

  gtk_label_set_text (self->earlier_label, line);
  gtk_widget_set_visible (GTK_WIDGET (self->earlier_label), TRUE);
}

/* The run goes on while it has other work, and rests when only answers are left to come. One that ended early is resumed. */
static void
show_rest (BeckonQuestionCard *self, BeckonConversation *conversation)
{
  if (beckon_conversation_get_phase (conversation) == BECKON_RUN_WAITING)
    gtk_label_set_text (self->late_label, _("The agent waits for your answer."));
  else if (beckon_conversation_is_busy (conversation))
    gtk_label_set_text (self->late_label, _("The agent goes on meanwhile."));
  else
    gtk_label_set_text (self->late_label, _("Your answer resumes the agent."));
}

static void
question_card_on_phase (BeckonConversation *conversation, GParamSpec *property, BeckonQuestionCard *self)
{
  show_rest (self, conversation);
}

void
beckon_question_card_follow (BeckonQuestionCard *self, BeckonConversation *conversation)
{
  if (!self->question->is_late)
    return;
  g_signal_connect_object (conversation, "notify::phase", G_CALLBACK (question_card_on_phase), self, 0);
  show_rest (self, conversation);
}

BeckonQuestionLine
beckon_question_card_take_line (BeckonQuestionCard *self, const char *line, char **message)
{
  BeckonQuestionLine result;
  guint index;
  g_autoptr (BeckonAnswer) item = NULL;
  g_autoptr (BeckonAnswer) whole = NULL;

  if (beckon_question_deck_is_reviewing (self->deck))
    return BECKON_QUESTION_LINE_OTHER;
  index = beckon_question_deck_get_index (self->deck);
  result = beckon_question_line_read (self->request, index, line, &item, &whole, message);
  if (result != BECKON_QUESTION_LINE_TAKEN)
    return result;
  if (!question_card_is_ready (BECKON_REQUEST_CARD (self)))
    return BECKON_QUESTION_LINE_REFUSED;

  if (whole != NULL)
    {
      question_card_settle (self, whole);
      return BECKON_QUESTION_LINE_TAKEN;
    }
  beckon_question_deck_set_asking_back (self->deck, FALSE);
  beckon_question_page_restore (beckon_question_deck_get_page (self->deck), g_ptr_array_index (item->items, index));
  if (has_several (self))
    beckon_question_deck_go_on (self->deck);
  else
    submit (self);
  return BECKON_QUESTION_LINE_TAKEN;
}

gboolean
beckon_question_card_takes_secret (BeckonQuestionCard *self)
{
  return !beckon_question_deck_is_reviewing (self->deck) && question_card_is_ready (BECKON_REQUEST_CARD (self))
         && beckon_question_page_takes_secret (beckon_question_deck_get_page (self->deck));
}

void
beckon_question_card_type_secret (BeckonQuestionCard *self, const char *text)
{
  g_return_if_fail (beckon_question_card_takes_secret (self));

  beckon_question_page_type (beckon_question_deck_get_page (self->deck), text);
}

gboolean
beckon_question_card_is_reviewing (BeckonQuestionCard *self)
{
  return beckon_question_deck_is_reviewing (self->deck);
}

char *
beckon_question_card_read_line (BeckonQuestionCard *self, const char *line, const char *enter)
{
  if (beckon_question_deck_is_reviewing (self->deck))
    return NULL;
  return beckon_question_line_describe (self->request, beckon_question_deck_get_index (self->deck), line, enter);
}

/* --- As the card of a request ------------------------------------------------------------------------------------- */

static void
question_card_focus (BeckonRequestCard *card)
{
  beckon_question_deck_focus (BECKON_QUESTION_CARD (card)->deck);
}

static gboolean
question_card_submit (BeckonRequestCard *card)
{
  submit (BECKON_QUESTION_CARD (card));
  return BECKON_QUESTION_CARD (card)->submitted != NULL;
}

static char *
question_card_dup_unsent (BeckonRequestCard *card)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (card);
  BeckonAnswer *settled = beckon_request_get_answer (self->request);
  gboolean is_ours = self->submitted != NULL && settled != NULL;
  gboolean has_secret = FALSE;

  for (guint i = 0; i < beckon_question_get_n_items (self->question); i++)
    has_secret = has_secret || beckon_question_get_item (self->question, i)->secret;
  /* Masked text is not stored as typed. */
  if (is_ours && has_secret)
    is_ours = g_strcmp0 (beckon_request_get_front_end (self->request), "window") == 0;
  else if (is_ours)
    {
      g_autofree char *ours = beckon_answer_to_json (self->submitted);
      g_autofree char *theirs = beckon_answer_to_json (settled);

      is_ours = strcmp (ours, theirs) == 0;
    }
  return is_ours ? NULL : beckon_question_deck_dup_typed (self->deck);
}

static gboolean
question_card_takes_text (BeckonRequestCard *card)
{
  return beckon_question_page_takes_text (beckon_question_deck_get_page (BECKON_QUESTION_CARD (card)->deck));
}

static void
question_card_show (BeckonRequestCard *card, BeckonRequest *request)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (card);
  BeckonQuestion *question = beckon_request_get_question (request);
  g_autofree char *title = beckon_question_request_dup_title (request);
  gboolean has_last = FALSE;
  g_autoptr (PangoAttrList) attributes = NULL;
  g_autofree char *first = beckon_inline_render (beckon_question_get_item (question, 0)->question, &attributes);

  for (guint i = 0; i < beckon_question_get_n_items (question); i++)
    has_last = has_last || beckon_question_get_item (question, i)->last != NULL;
  self->request = request;
  self->question = question;
  self->time_left = beckon_time_left_new (self->time_label, request);
  beckon_question_deck_set_question (self->deck, question);
  if (title != NULL)
    {
      /* Beckon asks, and not the model: there is nothing to leave to it or to ask it. */
      gtk_label_set_text (self->title_label, title);
      gtk_widget_set_visible (self->ways, FALSE);
      gtk_widget_action_set_enabled (GTK_WIDGET (self), "card.delegate", FALSE);
      gtk_widget_action_set_enabled (GTK_WIDGET (self), "card.ask-back", FALSE);
      gtk_widget_action_set_enabled (GTK_WIDGET (self), "card.skip", FALSE);
      self->watch = beckon_end_watch_new (beckon_question_page_get_text (beckon_question_deck_get_page (self->deck)));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->late_label), question->is_late);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "card.forget-last", has_last);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title != NULL ? title : _("AI needs your decision"),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, first, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->title_label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, first, -1);
  beckon_request_card_restore (card);
}

static void
question_card_set_clock (BeckonRequestCard *card, BeckonClock *clock)
{
  beckon_time_left_set_clock (BECKON_QUESTION_CARD (card)->time_left, clock);
}

static void
beckon_question_card_dispose (GObject *object)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (object);

  g_clear_pointer (&self->watch, beckon_end_watch_free);
  g_clear_pointer (&self->time_left, beckon_time_left_free);
  self->question = NULL;
  g_clear_pointer (&self->submitted, beckon_answer_unref);
  G_OBJECT_CLASS (beckon_question_card_parent_class)->dispose (object);
}

static void
beckon_question_card_class_init (BeckonQuestionCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  BeckonRequestCardClass *card_class = BECKON_REQUEST_CARD_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_question_card_dispose;
  card_class->show = question_card_show;
  card_class->focus = question_card_focus;
  card_class->is_ready = question_card_is_ready;
  card_class->submit = question_card_submit;
  card_class->close = question_card_close;
  card_class->pick = question_card_pick;
  card_class->dup_draft = question_card_dup_draft;
  card_class->restore = question_card_restore;
  card_class->dup_unsent = question_card_dup_unsent;
  card_class->takes_text = question_card_takes_text;
  card_class->set_clock = question_card_set_clock;
  g_type_ensure (BECKON_TYPE_QUESTION_DECK);
  g_type_ensure (BECKON_TYPE_FLOW_LAYOUT);
  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  answering_signal = g_signal_new ("answering", BECKON_TYPE_QUESTION_CARD, G_SIGNAL_RUN_LAST, 0,
                                   g_signal_accumulator_true_handled, NULL, NULL, G_TYPE_BOOLEAN, 1, BECKON_TYPE_ANSWER);
  beckon_request_card_class_set_template (card_class, "question-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, progress_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, menu_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, ways);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, body);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, origin);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, deck);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, earlier_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, late_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, time_label);
  gtk_widget_class_bind_template_callback (widget_class, question_card_on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_moved);
  gtk_widget_class_bind_template_callback (widget_class, on_picked);
  gtk_widget_class_bind_template_callback (widget_class, on_send);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_submit", G_CALLBACK (submit));
  gtk_widget_class_install_action (widget_class, "card.skip", NULL, skip_action);
  gtk_widget_class_install_action (widget_class, "card.ask-back", NULL, ask_back_action);
  gtk_widget_class_install_action (widget_class, "card.delegate", NULL, answer_action);
  gtk_widget_class_install_action (widget_class, "card.dismiss", NULL, answer_action);
  gtk_widget_class_install_action (widget_class, "card.submit", NULL, answer_action);
  gtk_widget_class_install_action (widget_class, "card.show-origin", NULL, show_origin_action);
  gtk_widget_class_install_action (widget_class, "card.forget-last", NULL, forget_last_action);
}

static void
beckon_question_card_init (BeckonQuestionCard *self)
{
  self->settler = beckon_request_card_init_template (BECKON_REQUEST_CARD (self));
  beckon_flow_layout_wrap_buttons (GTK_WIDGET (self));
  beckon_card_settler_add_body (self->settler, self->body);
  beckon_card_settler_add_body (self->settler, self->menu_button);
  g_signal_connect_object (self->settler, "refused", G_CALLBACK (on_refused), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (GTK_WIDGET (self), "pending");
}

