/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-request-card.h"

#include "beckon-approval-card.h"
#include "beckon-outcome-card.h"
#include "beckon-question-card.h"

GtkWidget *
beckon_request_card_new (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  GtkWidget *card;

  if (beckon_request_get_kind (request) == BECKON_REQUEST_FORM)
    return beckon_outcome_card_new (inbox, request);
  if (beckon_request_get_kind (request) == BECKON_REQUEST_APPROVAL)
    return beckon_approval_card_new (inbox, request);

  card = beckon_question_card_new (inbox, request);
  if (call != NULL)
    beckon_question_card_set_call (BECKON_QUESTION_CARD (card), call);
  return card;
}

void
beckon_request_card_focus (GtkWidget *card)
{
  if (BECKON_IS_QUESTION_CARD (card))
    beckon_question_card_focus (BECKON_QUESTION_CARD (card));
  else if (BECKON_IS_OUTCOME_CARD (card))
    beckon_outcome_card_focus (BECKON_OUTCOME_CARD (card));
  else
    gtk_widget_child_focus (card, GTK_DIR_TAB_FORWARD);
}

gboolean
beckon_request_card_takes_text (GtkWidget *card)
{
  return card != NULL && BECKON_IS_QUESTION_CARD (card) &&
         beckon_question_card_takes_text (BECKON_QUESTION_CARD (card));
}
