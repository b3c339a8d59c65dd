/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-card-settler.h"

#include "beckon-request-card.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-focus-keeper.h"

struct _BeckonCardSettler
{
  GObject parent_instance;

  GtkWidget *card;        /* (nullable): until it goes */
  GPtrArray *bodies;      /* (owned) (element-type GtkWidget): what takes no input meanwhile; none: the card */
  GtkLabel *error_label;  /* (nullable) */
  BeckonInbox *inbox;     /* (owned) (nullable) */
  BeckonRequest *request; /* (owned) (nullable) */
  BeckonGuard *guard;     /* (owned) */
  gboolean stays;
  guint n_settling;
  gboolean had_focus;     /* when that began */
};

typedef struct
{
  BeckonCardSettler *settler; /* (owned) */
  BeckonRequest *request;     /* (owned) */
} Settling;

enum
{
  SIGNAL_CHANGED,
  SIGNAL_REFUSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (BeckonCardSettler, beckon_card_settler, G_TYPE_OBJECT)

void
beckon_card_settler_show_error (BeckonCardSettler *self, const char *message)
{
  if (self->error_label == NULL)
    return;
  beckon_label_say (self->error_label, message);
}

static void
set_sensitive (BeckonCardSettler *self, gboolean sensitive)
{
  for (guint i = 0; i < self->bodies->len; i++)
    gtk_widget_set_sensitive (g_ptr_array_index (self->bodies, i), sensitive);
  if (self->bodies->len == 0)
    gtk_widget_set_sensitive (self->card, sensitive);
}

static void
lock (BeckonCardSettler *self)
{
  gboolean within = FALSE;

  self->n_settling++;
  if (self->n_settling > 1)
    return;

  for (guint i = 0; i < self->bodies->len; i++)
    within = within || beckon_focus_is_within (g_ptr_array_index (self->bodies, i));
  self->had_focus
      = within || (self->bodies->len == 0 && beckon_focus_is_within (self->card));
  if (self->had_focus)
    beckon_focus_keeper_leave (self->card);
  set_sensitive (self, FALSE);
  beckon_card_settler_show_error (self, NULL);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* @message: (nullable): why it was refused. */
static void
unlock (BeckonCardSettler *self, BeckonRequest *request, const char *message)
{
  self->n_settling--;
  if (self->card == NULL)
    return;
  if (self->n_settling == 0)
    set_sensitive (self, TRUE);
  if (message != NULL)
    {
      beckon_card_settler_show_error (self, message);
      g_signal_emit (self, signals[SIGNAL_REFUSED], 0, request, message);
    }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  if (message != NULL && self->n_settling == 0 && self->had_focus)
    beckon_request_card_focus (self->card);
}

static void
settler_on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Settling *settling = user_data;
  g_autoptr (BeckonCardSettler) self = settling->settler;
  g_autoptr (BeckonRequest) request = settling->request;
  g_autoptr (GError) error = NULL;

  if (!beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error) || self->stays)
    unlock (self, request, error != NULL ? error->message : NULL);
}

gboolean
beckon_card_settler_is_settling (BeckonCardSettler *self)
{
  return self->n_settling > 0;
}

gboolean
beckon_card_settler_is_ready (BeckonCardSettler *self)
{
  return self->card != NULL && self->n_settling == 0 && beckon_guard_is_open (self->guard);
}

void
beckon_card_settler_begin (BeckonCardSettler *self)
{
  if (self->card != NULL)
    lock (self);
}

void
beckon_card_settler_refuse (BeckonCardSettler *self, const char *message)
{
  unlock (self, self->request, message);
}

void
beckon_card_settler_settle_for (BeckonCardSettler *self, BeckonRequest *request, BeckonAnswer *answer)
{
  Settling *settling;

  if (self->card == NULL || beckon_request_get_state (request) != BECKON_REQUEST_PENDING)
    return;

  settling = g_new0 (Settling, 1);
  settling->settler = g_object_ref (self);
  settling->request = g_object_ref (request);
  lock (self);
  beckon_inbox_settle_async (self->inbox, beckon_request_get_id (request), answer, "window", NULL, NULL, settler_on_settled,
                             settling);
}

void
beckon_card_settler_settle_answer (BeckonCardSettler *self, BeckonAnswer *answer)
{
  if (beckon_card_settler_is_ready (self) && self->request != NULL)
    beckon_card_settler_settle_for (self, self->request, answer);
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
  /* A question that is rehearsed, rather than asked, is in no inbox. */
  if (self->request != NULL && beckon_request_get_state (self->request) == BECKON_REQUEST_PENDING
      && beckon_inbox_lookup (self->inbox, beckon_request_get_id (self->request)) != NULL)
    beckon_inbox_save_draft (self->inbox, self->request, draft);
}

void
beckon_card_settler_set_request (BeckonCardSettler *self, BeckonInbox *inbox, BeckonRequest *request)
{
  g_set_object (&self->inbox, inbox);
  g_set_object (&self->request, request);
}

void
beckon_card_settler_set_stays (BeckonCardSettler *self)
{
  self->stays = TRUE;
}

void
beckon_card_settler_add_body (BeckonCardSettler *self, GtkWidget *body)
{
  g_ptr_array_add (self->bodies, body);
}

void
beckon_card_settler_renew (BeckonCardSettler *self)
{
  if (self->guard != NULL)
    beckon_guard_renew (self->guard);
}

void
beckon_card_settler_set_clock (BeckonCardSettler *self, BeckonClock *clock)
{
  beckon_guard_set_clock (self->guard, clock);
}

static void
beckon_card_settler_dispose (GObject *object)
{
  BeckonCardSettler *self = BECKON_CARD_SETTLER (object);

  self->card = NULL;
  g_ptr_array_set_size (self->bodies, 0);
  g_clear_pointer (&self->guard, beckon_guard_free);
  g_clear_object (&self->request);
  g_clear_object (&self->inbox);
  G_OBJECT_CLASS (beckon_card_settler_parent_class)->dispose (object);
}

static void
beckon_card_settler_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_CARD_SETTLER (object)->bodies);
  G_OBJECT_CLASS (beckon_card_settler_parent_class)->finalize (object);
}

static void
beckon_card_settler_class_init (BeckonCardSettlerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_card_settler_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_card_settler_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", BECKON_TYPE_CARD_SETTLER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 0);
  signals[SIGNAL_REFUSED] = g_signal_new ("refused", BECKON_TYPE_CARD_SETTLER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 2, BECKON_TYPE_REQUEST, G_TYPE_STRING);
}

static void
beckon_card_settler_init (BeckonCardSettler *self)
{
  self->bodies = g_ptr_array_new ();
}

BeckonCardSettler *
beckon_card_settler_new (GtkWidget *card, GtkLabel *error_label)
{
  BeckonCardSettler *self = g_object_new (BECKON_TYPE_CARD_SETTLER, NULL);

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
