/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-request-card.h"

#include "beckon-approval-card.h"
#include "beckon-changes-card.h"
#include "beckon-form-card.h"
#include "beckon-outcome-card.h"
#include "beckon-plan-card.h"
#include "beckon-question-card.h"
#include "beckon-trust-card.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-form-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-trust-request.h"

/* As long as the animation of its style is. */
#define FLASH_MS 1200

G_DEFINE_INTERFACE (BeckonRequestCard, beckon_request_card, GTK_TYPE_WIDGET)

static void
beckon_request_card_default_init (BeckonRequestCardInterface *iface)
{
}

static GtkWidget *
make_question (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  GtkWidget *card = beckon_question_card_new (inbox, request);

  if (call != NULL)
    beckon_question_card_set_call (BECKON_QUESTION_CARD (card), call);
  return card;
}

static GtkWidget *
make_approval (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  return beckon_approval_card_new (inbox, request);
}

static GtkWidget *
make_plan (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  return beckon_plan_card_new (inbox, request, NULL);
}

static GtkWidget *
make_outcome (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  return beckon_outcome_card_new (inbox, request);
}

static GtkWidget *
make_changes (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  GtkWidget *card = beckon_changes_card_new (inbox, request);

  if (call != NULL)
    beckon_changes_card_set_call (BECKON_CHANGES_CARD (card), call);
  return card;
}

static GtkWidget *
make_form (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  return beckon_form_card_new (inbox, request);
}

static GtkWidget *
make_trust (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  return beckon_trust_card_new (inbox, request);
}

/* Makers by class of request. */
static const struct
{
  GType (*get_type) (void);
  GtkWidget *(*make) (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call);
} makers[] = {
  { beckon_question_request_get_type, make_question }, { beckon_approval_request_get_type, make_approval },
  { beckon_plan_request_get_type, make_plan },         { beckon_outcome_request_get_type, make_outcome },
  { beckon_changes_request_get_type, make_changes },   { beckon_form_request_get_type, make_form },
  { beckon_trust_request_get_type, make_trust },
};

GtkWidget *
beckon_request_card_new_alone (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  for (gsize i = 0; i < G_N_ELEMENTS (makers); i++)
    if (G_OBJECT_TYPE (request) == makers[i].get_type ())
      return makers[i].make (inbox, request, call);
  g_return_val_if_reached (NULL);
}

GtkWidget *
beckon_request_card_new (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  /* A step is shown within its plan. */
  return beckon_request_get_step (request) != NULL ? make_plan (inbox, request, call)
                                                   : beckon_request_card_new_alone (inbox, request, call);
}

void
beckon_request_card_focus (GtkWidget *card)
{
  if (!BECKON_IS_REQUEST_CARD (card))
    gtk_widget_child_focus (card, GTK_DIR_TAB_FORWARD);
  else
    BECKON_REQUEST_CARD_GET_IFACE (card)->focus (BECKON_REQUEST_CARD (card));
}

gboolean
beckon_request_card_is_ready (GtkWidget *card)
{
  return BECKON_IS_REQUEST_CARD (card) && BECKON_REQUEST_CARD_GET_IFACE (card)->is_ready (BECKON_REQUEST_CARD (card));
}

gboolean
beckon_request_card_submit (GtkWidget *card)
{
  return beckon_request_card_is_ready (card) && gtk_widget_is_sensitive (card)
         && BECKON_REQUEST_CARD_GET_IFACE (card)->submit (BECKON_REQUEST_CARD (card));
}

char *
beckon_request_card_dup_unsent (GtkWidget *card)
{
  if (BECKON_REQUEST_CARD_GET_IFACE (card)->dup_unsent == NULL)
    return NULL;
  return BECKON_REQUEST_CARD_GET_IFACE (card)->dup_unsent (BECKON_REQUEST_CARD (card));
}

gboolean
beckon_request_card_edit (GtkWidget *card)
{
  BeckonRequestCardInterface *iface = BECKON_REQUEST_CARD_GET_IFACE (card);

  return iface->edit != NULL && gtk_widget_is_sensitive (card) && iface->edit (BECKON_REQUEST_CARD (card));
}

gboolean
beckon_request_card_deny (GtkWidget *card)
{
  BeckonRequestCardInterface *iface = BECKON_REQUEST_CARD_GET_IFACE (card);

  return iface->deny != NULL && gtk_widget_is_sensitive (card) && iface->deny (BECKON_REQUEST_CARD (card));
}

void
beckon_request_card_set_corner (GtkWidget *card, GtkWidget *corner)
{
  AdwBin *slot = BECKON_REQUEST_CARD_GET_IFACE (card)->get_corner (BECKON_REQUEST_CARD (card));

  adw_bin_set_child (slot, corner);
  gtk_widget_set_visible (GTK_WIDGET (slot), corner != NULL);
}

/* Ends with the card, unlike a timeout. */
static gboolean
on_flash_tick (GtkWidget *card, GdkFrameClock *clock, gpointer user_data)
{
  gint64 *end = user_data;

  if (*end == 0)
    *end = gdk_frame_clock_get_frame_time (clock) + FLASH_MS * G_TIME_SPAN_MILLISECOND;
  if (gdk_frame_clock_get_frame_time (clock) < *end)
    return G_SOURCE_CONTINUE;

  gtk_widget_remove_css_class (card, "flash");
  return G_SOURCE_REMOVE;
}

void
beckon_request_card_flash (GtkWidget *card)
{
  if (gtk_widget_has_css_class (card, "flash"))
    return;

  gtk_widget_add_css_class (card, "flash");
  gtk_widget_add_tick_callback (card, on_flash_tick, g_new0 (gint64, 1), g_free);
}

gboolean
beckon_request_card_takes_text (GtkWidget *card)
{
  BeckonRequestCardInterface *iface;

  if (card == NULL || !BECKON_IS_REQUEST_CARD (card))
    return FALSE;
  iface = BECKON_REQUEST_CARD_GET_IFACE (card);
  return iface->takes_text != NULL && iface->takes_text (BECKON_REQUEST_CARD (card));
}
