/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-question-card.h"

#include "beckon-card-settler.h"
#include "beckon-question-deck.h"
#include "beckon-reasked-link.h"
#include "beckon-request-card.h"
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
  AdwBin parent_instance;

  /* input */
  BeckonInbox *inbox;     /* (owned) */
  BeckonRequest *request; /* (owned) */
  BeckonQuestion *question; /* of the request */
  BeckonToolCall *call;   /* (owned) (nullable) */
  BeckonCardSettler *settler; /* (owned) */
  BeckonTimeLeft *time_left; /* (owned) */
  BeckonEndWatch *watch;     /* (owned) (nullable): of a text that is allowed, and seen to its end before */
  guint n_frames;            /* since its end was shown */

  /* in progress */
  char *draft;             /* (owned) (nullable): what is shown, as it was last stored or read */
  BeckonAnswer *submitted; /* (owned) (nullable): being settled, or settled */

  /* widgets */
  GtkLabel *title_label;
  GtkLabel *progress_label;
  GtkWidget *menu_button;
  GtkWidget *ways;
  AdwBin *corner;
  GtkWidget *body;
  GtkBox *origin;
  BeckonQuestionDeck *deck;
  GtkLabel *earlier_label;
  GtkLabel *late_label;
  GtkLabel *time_label;
  GtkLabel *error_label;
};

static void beckon_question_card_request_card_init (BeckonRequestCardInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonQuestionCard, beckon_question_card, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_REQUEST_CARD, beckon_question_card_request_card_init))

static guint answering_signal;

static void
question_card_show_error (BeckonQuestionCard *self, const char *message)
{
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), message != NULL);
  gtk_label_set_text (self->error_label, message != NULL ? message : "");
}

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
can_answer (BeckonQuestionCard *self)
{
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
  question_card_show_error (self, _("There was more to see, and this is its end. Press again to allow it."));
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

  if (!can_answer (self))
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
  question_card_show_error (self, error->message);
}

static void
submit_kind (BeckonQuestionCard *self, BeckonAnswerKind kind, const char *text)
{
  g_autoptr (BeckonAnswer) answer = NULL;

  if (!can_answer (self))
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
  if (!can_answer (self))
    return;
  beckon_question_deck_set_asking_back (self->deck, FALSE);
  beckon_question_page_mark (page, beckon_choice_get_label (choice));
  if (at_once)
    submit (self);
  else if (beckon_question_page_is_single_choice (page))
    beckon_question_deck_go_on (self->deck);
}

static void
on_submit (BeckonQuestionCard *self)
{
  submit (self);
}

static void
question_card_on_changed (BeckonQuestionCard *self)
{
  g_autofree char *draft = NULL;

  question_card_show_error (self, NULL);
  if (beckon_card_settler_is_settling (self->settler) || beckon_request_get_state (self->request) != BECKON_REQUEST_PENDING)
    return;

  draft = beckon_question_deck_dup_draft (self->deck);
  g_free (self->draft);
  self->draft = g_strdup (draft);
  /* A question that is rehearsed, rather than asked, is in no inbox. */
  if (beckon_inbox_lookup (self->inbox, beckon_request_get_id (self->request)) != NULL)
    beckon_inbox_save_draft (self->inbox, self->request, draft);
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

/* The same request may have a card elsewhere, and what was written there is this card's draft too. */
static void
beckon_question_card_map (GtkWidget *widget)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (widget);
  const char *draft = beckon_request_get_draft (self->request);

  if (!beckon_card_settler_is_settling (self->settler) && g_strcmp0 (draft, self->draft) != 0)
    {
      g_free (self->draft);
      self->draft = g_strdup (draft);
      beckon_question_deck_restore (self->deck, draft);
      show_progress (self);
    }
  GTK_WIDGET_CLASS (beckon_question_card_parent_class)->map (widget);
}

static gboolean
pick_by_key (BeckonQuestionCard *self, guint keyval)
{
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
question_card_on_key_pressed (BeckonQuestionCard *self, guint keyval, guint keycode, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if (modifiers == GDK_CONTROL_MASK && (keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter))
    {
      submit (self);
      return GDK_EVENT_STOP;
    }
  if (modifiers == 0 && keyval == GDK_KEY_Escape)
    {
      /* Escape is for what is around the card, unless something is open in it. */
      if (!beckon_question_deck_get_asking_back (self->deck))
        return FALSE;
      beckon_question_deck_set_asking_back (self->deck, FALSE);
      return TRUE;
    }
  return modifiers == 0 && pick_by_key (self, keyval);
}

static void
skip_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (widget);

  if (!can_answer (self))
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

  if (self->call != NULL && !gtk_widget_get_visible (GTK_WIDGET (self->origin)))
    {
      GtkWidget *call = beckon_tool_card_new (self->call);

      beckon_tool_card_expand (BECKON_TOOL_CARD (call));
      gtk_box_append (self->origin, call);
      gtk_widget_set_visible (GTK_WIDGET (self->origin), TRUE);
    }
  /* A running tool's question has no waiting call. */
  if (beckon_request_get_call_id (self->request) == NULL)
    return;
  gtk_widget_activate_action (widget, "win.show-origin", "(sss)", beckon_request_get_conversation_id (self->request),
                              beckon_request_get_message_id (self->request), beckon_request_get_call_id (self->request));
}

static void
delegate_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  submit_kind (BECKON_QUESTION_CARD (widget), BECKON_ANSWER_DELEGATED, NULL);
}

static void
dismiss_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  submit_kind (BECKON_QUESTION_CARD (widget), BECKON_ANSWER_DECLINED, NULL);
}

static void
submit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  submit (BECKON_QUESTION_CARD (widget));
}

static gboolean
has_last (BeckonQuestionCard *self)
{
  for (guint i = 0; i < beckon_question_get_n_items (self->question); i++)
    if (beckon_question_get_item (self->question, i)->last != NULL)
      return TRUE;
  return FALSE;
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
  g_autofree char *line = beckon_reasked_link_describe_earlier (earlier);

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
  if (!can_answer (self))
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
  return !beckon_question_deck_is_reviewing (self->deck) && can_answer (self)
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

static gboolean
has_secret (BeckonQuestionCard *self)
{
  for (guint i = 0; i < beckon_question_get_n_items (self->question); i++)
    {
      if (beckon_question_get_item (self->question, i)->secret)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_our_answer (BeckonQuestionCard *self)
{
  BeckonAnswer *settled = beckon_request_get_answer (self->request);
  g_autofree char *ours = NULL;
  g_autofree char *theirs = NULL;

  if (self->submitted == NULL || settled == NULL)
    return FALSE;
  /* Masked text is not stored as typed. */
  if (has_secret (self))
    return g_strcmp0 (beckon_request_get_front_end (self->request), "window") == 0;

  ours = beckon_answer_to_json (self->submitted);
  theirs = beckon_answer_to_json (settled);
  return strcmp (ours, theirs) == 0;
}

/* --- As the card of a request ------------------------------------------------------------------------------------- */

static void
question_card_focus (BeckonRequestCard *card)
{
  beckon_question_deck_focus (BECKON_QUESTION_CARD (card)->deck);
}

static gboolean
question_card_is_ready (BeckonRequestCard *card)
{
  return can_answer (BECKON_QUESTION_CARD (card));
}

static gboolean
question_card_submit (BeckonRequestCard *card)
{
  submit (BECKON_QUESTION_CARD (card));
  return BECKON_QUESTION_CARD (card)->submitted != NULL;
}

static char *
card_dup_unsent (BeckonRequestCard *card)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (card);

  return is_our_answer (self) ? NULL : beckon_question_deck_dup_typed (self->deck);
}

static gboolean
card_takes_text (BeckonRequestCard *card)
{
  return beckon_question_page_takes_text (beckon_question_deck_get_page (BECKON_QUESTION_CARD (card)->deck));
}

static AdwBin *
question_card_get_corner (BeckonRequestCard *card)
{
  return BECKON_QUESTION_CARD (card)->corner;
}

static void
beckon_question_card_request_card_init (BeckonRequestCardInterface *iface)
{
  iface->focus = question_card_focus;
  iface->is_ready = question_card_is_ready;
  iface->submit = question_card_submit;
  iface->dup_unsent = card_dup_unsent;
  iface->takes_text = card_takes_text;
  iface->get_corner = question_card_get_corner;
}

static void
question_card_show_request (BeckonQuestionCard *self)
{
  g_autofree char *title = beckon_question_request_dup_title (self->request);
  g_autoptr (PangoAttrList) attributes = NULL;
  g_autofree char *first = beckon_inline_render (beckon_question_get_item (self->question, 0)->question, &attributes);

  beckon_question_deck_set_question (self->deck, self->question);
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
  gtk_widget_set_visible (GTK_WIDGET (self->late_label), self->question->is_late);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "card.forget-last", has_last (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title != NULL ? title : _("AI needs your decision"),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, first, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->title_label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  first, -1);
  self->draft = g_strdup (beckon_request_get_draft (self->request));
  beckon_question_deck_restore (self->deck, self->draft);
  show_progress (self);
}

void
beckon_question_card_set_call (BeckonQuestionCard *self, BeckonToolCall *call)
{
  g_set_object (&self->call, call);
}

void
beckon_question_card_set_clock (BeckonQuestionCard *self, BeckonClock *clock)
{
  beckon_card_settler_set_clock (self->settler, clock);
  beckon_time_left_set_clock (self->time_left, clock);
}

static void
beckon_question_card_dispose (GObject *object)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (object);

  g_clear_pointer (&self->settler, beckon_card_settler_free);
  g_clear_pointer (&self->watch, beckon_end_watch_free);
  g_clear_pointer (&self->time_left, beckon_time_left_free);
  self->question = NULL;
  g_clear_object (&self->call);
  g_clear_pointer (&self->draft, g_free);
  g_clear_pointer (&self->submitted, beckon_answer_unref);
  g_clear_object (&self->request);
  g_clear_object (&self->inbox);
  G_OBJECT_CLASS (beckon_question_card_parent_class)->dispose (object);
}

static void
question_card_bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/question-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, progress_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, corner);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, menu_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, ways);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, body);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, origin);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, deck);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, earlier_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, late_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, time_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, error_label);
  gtk_widget_class_bind_template_callback (widget_class, question_card_on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_moved);
  gtk_widget_class_bind_template_callback (widget_class, on_picked);
  gtk_widget_class_bind_template_callback (widget_class, on_send);
  gtk_widget_class_bind_template_callback (widget_class, on_submit);
}

static void
beckon_question_card_class_init (BeckonQuestionCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_question_card_dispose;
  g_type_ensure (BECKON_TYPE_QUESTION_DECK);
  g_type_ensure (BECKON_TYPE_FLOW_LAYOUT);
  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  widget_class->map = beckon_question_card_map;
  answering_signal
      = g_signal_new ("answering", BECKON_TYPE_QUESTION_CARD, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled, NULL,
                      NULL, G_TYPE_BOOLEAN, 1, BECKON_TYPE_ANSWER);
  question_card_bind_template (widget_class);
  gtk_widget_class_install_action (widget_class, "card.skip", NULL, skip_action);
  gtk_widget_class_install_action (widget_class, "card.ask-back", NULL, ask_back_action);
  gtk_widget_class_install_action (widget_class, "card.delegate", NULL, delegate_action);
  gtk_widget_class_install_action (widget_class, "card.dismiss", NULL, dismiss_action);
  gtk_widget_class_install_action (widget_class, "card.submit", NULL, submit_action);
  gtk_widget_class_install_action (widget_class, "card.show-origin", NULL, show_origin_action);
  gtk_widget_class_install_action (widget_class, "card.forget-last", NULL, forget_last_action);
}

static void
beckon_question_card_init (BeckonQuestionCard *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_flow_layout_wrap_buttons (GTK_WIDGET (self));
  self->settler = beckon_card_settler_new (GTK_WIDGET (self), self->error_label);
  beckon_card_settler_add_body (self->settler, self->body);
  beckon_card_settler_add_body (self->settler, self->menu_button);
  g_signal_connect_object (self->settler, "refused", G_CALLBACK (on_refused), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (GTK_WIDGET (self), "pending");
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (question_card_on_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

GtkWidget *
beckon_question_card_new (BeckonInbox *inbox, BeckonRequest *request)
{
  BeckonQuestionCard *self = g_object_new (BECKON_TYPE_QUESTION_CARD, NULL);

  self->inbox = g_object_ref (inbox);
  beckon_card_settler_set_request (self->settler, inbox, request);
  self->request = g_object_ref (request);
  self->question = beckon_request_get_question (request);
  self->time_left = beckon_time_left_new (self->time_label, request);
  question_card_show_request (self);
  return GTK_WIDGET (self);
}
