/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-view.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-history-card.h"
#include "beckon-plan-card.h"
#include "beckon-question-card.h"
#include "beckon-tool-card.h"
#include "domain/beckon-progress.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>

struct _BeckonWaitingMark
{
  AdwBin parent_instance;

  GtkActionable *button;
};

G_DEFINE_FINAL_TYPE (BeckonWaitingMark, beckon_waiting_mark, ADW_TYPE_BIN)

static void
beckon_waiting_mark_class_init (BeckonWaitingMarkClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/waiting-mark.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonWaitingMark, button);
}

static void
beckon_waiting_mark_init (BeckonWaitingMark *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

struct _BeckonProgressCard
{
  AdwBin parent_instance;

  GtkLabel *count_label;
  GtkLabel *steps_label;
};

G_DEFINE_FINAL_TYPE (BeckonProgressCard, beckon_progress_card, ADW_TYPE_BIN)

static void
beckon_progress_card_class_init (BeckonProgressCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/progress-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonProgressCard, count_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonProgressCard, steps_label);
}

static void
beckon_progress_card_init (BeckonProgressCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_progress_card_new (BeckonToolCall *call)
{
  BeckonProgressCard *self;
  g_autoptr (GPtrArray) steps = beckon_progress_parse (beckon_tool_call_get_arguments (call), NULL);
  g_autoptr (GString) lines = NULL;
  g_autofree char *count = NULL;
  g_autofree char *name = NULL;

  if (steps == NULL)
    return NULL;
  self = g_object_new (BECKON_TYPE_PROGRESS_CARD, NULL);
  lines = g_string_new (NULL);
  count = g_strdup_printf ("%u/%u", beckon_progress_count_done (steps), steps->len);
  /* Translators: how many entries of a list are done, such as 2/5 */
  name = beckon_text_printf (_("Progress %s"), count);

  for (guint i = 0; i < steps->len; i++)
    {
      const BeckonProgressStep *step = g_ptr_array_index (steps, i);
      g_autofree char *title = beckon_text_for_display (step->title, -1, BECKON_TEXT_PROSE);

      g_string_append_printf (lines, "%s%s %s", i > 0 ? "\n" : "", beckon_step_status_get_mark (step->status), title);
    }
  gtk_label_set_text (self->count_label, name);
  gtk_label_set_text (self->steps_label, lines->str);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return GTK_WIDGET (self);
}

struct _BeckonCallView
{
  AdwBin parent_instance;

  BeckonInbox *inbox;     /* (owned) */
  BeckonToolCall *call;   /* (owned) */
  BeckonRequest *request; /* (owned) (nullable): what is followed */
  GtkWidget *plan_card;   /* (owned) (nullable): it stays from acceptance to end, as the person opened it */
  gboolean asked_again;   /* this was asked back, and something is asked again */
};

G_DEFINE_FINAL_TYPE (BeckonCallView, beckon_call_view, ADW_TYPE_BIN)

static guint waiting_changed_signal;

static gboolean
is_pending (BeckonRequest *request)
{
  return request != NULL && beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
}

/* A running tool's own question is not the call's. */
static gboolean
is_question (BeckonCallView *self)
{
  return self->request != NULL && BECKON_IS_QUESTION_REQUEST (self->request)
         && beckon_request_get_call_id (self->request) != NULL;
}

static gboolean
is_plan (BeckonCallView *self)
{
  return self->request != NULL && BECKON_IS_PLAN_REQUEST (self->request);
}

/* The card of what waits is in the dock; here is its place. */
static GtkWidget *
make_card (BeckonCallView *self)
{
  BeckonRequest *pending = beckon_call_view_get_pending_request (self);
  GtkWidget *card = NULL;

  if (pending != NULL)
    {
      card = g_object_new (BECKON_TYPE_WAITING_MARK, NULL);
      gtk_actionable_set_action_target (BECKON_WAITING_MARK (card)->button, "s", beckon_request_get_id (pending));
      return card;
    }
  if (is_plan (self))
    {
      if (self->plan_card == NULL)
        self->plan_card = g_object_ref_sink (beckon_plan_card_new (self->inbox, self->request, self->call));
      return self->plan_card;
    }
  if (is_question (self))
    return beckon_history_card_new (self->request);
  /* A list that a model keeps is shown as one, and what is wrong with it as for any call. */
  if (g_str_equal (beckon_tool_call_get_name (self->call), "update_plan") && !beckon_tool_call_get_is_error (self->call))
    card = beckon_progress_card_new (self->call);
  return card != NULL ? card : beckon_tool_card_new (self->call);
}

/* A secret that no keyring took is gone with the program. */
static gboolean
is_for_session (BeckonCallView *self)
{
  BeckonVault *vault = beckon_inbox_get_vault (self->inbox);
  BeckonAnswer *answer = self->request != NULL ? beckon_request_get_answer (self->request) : NULL;

  for (guint i = 0; vault != NULL && answer != NULL && i < answer->items->len; i++)
    {
      const BeckonAnswerItem *item = g_ptr_array_index (answer->items, i);

      if (item->text != NULL && beckon_vault_is_for_session (vault, item->text))
        return TRUE;
    }
  return FALSE;
}

/* Shows the link to its neighbour. */
static void
show_asked_again (BeckonCallView *self)
{
  GtkWidget *card = adw_bin_get_child (ADW_BIN (self));

  if (self->asked_again && BECKON_IS_HISTORY_CARD (card))
    beckon_history_card_set_asked_again (BECKON_HISTORY_CARD (card));
}

static void
call_view_update (BeckonCallView *self)
{
  GtkWidget *old = adw_bin_get_child (ADW_BIN (self));
  GtkWidget *card;

  if (old != NULL && BECKON_IS_PLAN_CARD (old) && beckon_call_view_get_pending_request (self) == NULL)
    return;
  card = make_card (self);
  if (BECKON_IS_HISTORY_CARD (card) && is_for_session (self))
    beckon_history_card_set_note (BECKON_HISTORY_CARD (card),
                                  _("No keyring is available: it is kept until Beckon ends."));
  adw_bin_set_child (ADW_BIN (self), card);
  show_asked_again (self);
  g_signal_emit (self, waiting_changed_signal, 0);
}

/* A step of it may have come to wait, or waits no more. */
static void
on_plan_changed (BeckonCallView *self)
{
  if (is_plan (self))
    call_view_update (self);
}

static void
stop_following (BeckonCallView *self)
{
  if (self->request != NULL)
    g_signal_handlers_disconnect_by_data (self->request, self);
  g_clear_object (&self->request);
}

/* A neighbour may be asked again. */
static void
link_questions (BeckonCallView *self)
{
  if (is_question (self) && gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_activate_action (GTK_WIDGET (self), "transcript.link-questions", NULL);
}

static void
on_request_changed (BeckonCallView *self)
{
  GObject *request = beckon_tool_call_get_request (self->call);

  if (request == (GObject *) self->request && adw_bin_get_child (ADW_BIN (self)) != NULL)
    return;

  stop_following (self);
  if (request != NULL)
    {
      self->request = BECKON_REQUEST (g_object_ref (request));
      g_signal_connect_swapped (self->request, "notify::state", G_CALLBACK (call_view_update), self);
    }
  call_view_update (self);
  link_questions (self);
}

void
beckon_call_view_set_asked_again (BeckonCallView *self)
{
  self->asked_again = TRUE;
  show_asked_again (self);
}

void
beckon_call_view_set_unsent (BeckonCallView *self, const char *text)
{
  GtkWidget *card = adw_bin_get_child (ADW_BIN (self));

  if (BECKON_IS_HISTORY_CARD (card))
    beckon_history_card_set_unsent (BECKON_HISTORY_CARD (card), text);
}

BeckonToolCall *
beckon_call_view_get_call (BeckonCallView *self)
{
  return self->call;
}

BeckonRequest *
beckon_call_view_get_question (BeckonCallView *self)
{
  return is_question (self) ? self->request : NULL;
}

BeckonRequest *
beckon_call_view_get_request (BeckonCallView *self)
{
  return self->request;
}

BeckonRequest *
beckon_call_view_get_pending_request (BeckonCallView *self)
{
  BeckonToolCall *step = is_plan (self) ? beckon_tool_call_get_open_step (self->call) : NULL;

  if (step != NULL && is_pending ((BeckonRequest *) beckon_tool_call_get_request (step)))
    return BECKON_REQUEST (beckon_tool_call_get_request (step));
  return is_pending (self->request) ? self->request : NULL;
}

static void
beckon_call_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (beckon_call_view_parent_class)->map (widget);
  link_questions (BECKON_CALL_VIEW (widget));
}

static void
beckon_call_view_dispose (GObject *object)
{
  BeckonCallView *self = BECKON_CALL_VIEW (object);

  stop_following (self);
  if (self->call != NULL)
    g_signal_handlers_disconnect_by_data (self->call, self);
  g_clear_object (&self->plan_card);
  g_clear_object (&self->call);
  g_clear_object (&self->inbox);
  G_OBJECT_CLASS (beckon_call_view_parent_class)->dispose (object);
}

static void
beckon_call_view_class_init (BeckonCallViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_call_view_dispose;
  waiting_changed_signal = g_signal_new ("waiting-changed", BECKON_TYPE_CALL_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
  GTK_WIDGET_CLASS (klass)->map = beckon_call_view_map;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_call_view_init (BeckonCallView *self)
{
}

GtkWidget *
beckon_call_view_new (BeckonInbox *inbox, BeckonToolCall *call)
{
  BeckonCallView *self = g_object_new (BECKON_TYPE_CALL_VIEW, NULL);

  self->inbox = g_object_ref (inbox);
  self->call = g_object_ref (call);
  g_signal_connect_swapped (call, "notify::request", G_CALLBACK (on_request_changed), self);
  g_signal_connect_swapped (call, "notify::plan", G_CALLBACK (on_plan_changed), self);
  on_request_changed (self);
  return GTK_WIDGET (self);
}
