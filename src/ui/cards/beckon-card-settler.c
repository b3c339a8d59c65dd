/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-card-settler.h"

struct _BeckonCardSettler
{
  GObject parent_instance;

  GtkWidget *card;        /* (nullable): until it goes */
  GtkLabel *error_label;
  BeckonInbox *inbox;     /* (owned) (nullable) */
  BeckonRequest *request; /* (owned) (nullable) */
  BeckonGuard *guard;     /* (owned) */
  gboolean is_settling;
  gboolean had_focus;     /* when that began */
};

G_DEFINE_FINAL_TYPE (BeckonCardSettler, beckon_card_settler, G_TYPE_OBJECT)

static void
show_error (BeckonCardSettler *self, const char *message)
{
  gtk_label_set_text (self->error_label, message != NULL ? message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), message != NULL);
}

static void
on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonCardSettler) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error))
    return;

  self->is_settling = FALSE;
  if (self->card == NULL)
    return;
  gtk_widget_set_sensitive (self->card, TRUE);
  show_error (self, error->message);
  if (self->had_focus)
    gtk_widget_child_focus (self->card, GTK_DIR_TAB_FORWARD);
}

gboolean
beckon_card_settler_pass_focus (GtkWidget *card)
{
  g_return_val_if_fail (GTK_IS_WIDGET (card), FALSE);

  if ((gtk_widget_get_state_flags (card) & GTK_STATE_FLAG_FOCUS_WITHIN) == 0)
    return FALSE;
  gtk_widget_activate_action (card, "conversation.focus-composer", NULL);
  return TRUE;
}

void
beckon_card_settler_settle_answer (BeckonCardSettler *self, BeckonAnswer *answer)
{
  g_return_if_fail (BECKON_IS_CARD_SETTLER (self));
  g_return_if_fail (answer != NULL);

  if (self->card == NULL || self->request == NULL || self->is_settling || !beckon_guard_is_open (self->guard)
      || beckon_request_get_state (self->request) != BECKON_REQUEST_PENDING)
    return;

  self->is_settling = TRUE;
  self->had_focus = beckon_card_settler_pass_focus (self->card);
  gtk_widget_set_sensitive (self->card, FALSE);
  show_error (self, NULL);
  beckon_inbox_settle_async (self->inbox, beckon_request_get_id (self->request), answer, "window", NULL, NULL, on_settled,
                             g_object_ref (self));
}

void
beckon_card_settler_settle (BeckonCardSettler *self, BeckonAnswerKind kind, const char *text)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (kind, text);

  beckon_card_settler_settle_answer (self, answer);
}

void
beckon_card_settler_save_draft (BeckonCardSettler *self, const char *draft)
{
  g_return_if_fail (BECKON_IS_CARD_SETTLER (self));

  if (self->request != NULL && beckon_request_get_state (self->request) == BECKON_REQUEST_PENDING)
    beckon_inbox_save_draft (self->inbox, self->request, draft);
}

void
beckon_card_settler_set_request (BeckonCardSettler *self, BeckonInbox *inbox, BeckonRequest *request)
{
  g_return_if_fail (BECKON_IS_CARD_SETTLER (self));

  g_set_object (&self->inbox, inbox);
  g_set_object (&self->request, request);
}

void
beckon_card_settler_set_clock (BeckonCardSettler *self, BeckonClock *clock)
{
  g_return_if_fail (BECKON_IS_CARD_SETTLER (self));

  beckon_guard_set_clock (self->guard, clock);
}

static void
beckon_card_settler_dispose (GObject *object)
{
  BeckonCardSettler *self = BECKON_CARD_SETTLER (object);

  self->card = NULL;
  g_clear_pointer (&self->guard, beckon_guard_free);
  g_clear_object (&self->request);
  g_clear_object (&self->inbox);
  G_OBJECT_CLASS (beckon_card_settler_parent_class)->dispose (object);
}

static void
beckon_card_settler_class_init (BeckonCardSettlerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_card_settler_dispose;
}

static void
beckon_card_settler_init (BeckonCardSettler *self)
{
}

BeckonCardSettler *
beckon_card_settler_new (GtkWidget *card, GtkLabel *error_label)
{
  BeckonCardSettler *self;

  g_return_val_if_fail (GTK_IS_WIDGET (card), NULL);

  self = g_object_new (BECKON_TYPE_CARD_SETTLER, NULL);
  self->card = card;
  self->error_label = error_label;
  self->guard = beckon_guard_new (card);
  return self;
}

void
beckon_card_settler_free (BeckonCardSettler *self)
{
  g_object_run_dispose (G_OBJECT (self));
  g_object_unref (self);
}
