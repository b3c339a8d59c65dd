/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-dock-cards.h"

#include "request/beckon-question-request.h"
#include "ui/cards/beckon-plan-card.h"
#include "ui/cards/beckon-question-card.h"
#include "ui/cards/beckon-request-card.h"

static BeckonRequest *
get_request (BeckonMessage *message, guint index)
{
  BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, index));

  return call != NULL ? (BeckonRequest *) beckon_tool_call_get_request (call) : NULL;
}

/* (nullable): the plan whose step asks. */
static BeckonToolCall *
find_plan (BeckonMessage *message, BeckonRequest *request)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));
      BeckonToolCall *step = call != NULL ? beckon_tool_call_get_open_step (call) : NULL;

      if (step != NULL && beckon_tool_call_get_request (step) == G_OBJECT (request))
        return call;
    }
  return NULL;
}

/* (nullable): the request of a message that was asked back, if any; sets whether the message asks at all. */
static BeckonRequest *
find_asked_back (BeckonMessage *message, gboolean *asks)
{
  BeckonRequest *asked_back = NULL;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonRequest *request = get_request (message, i);

      if (request == NULL || !BECKON_IS_QUESTION_REQUEST (request))
        continue;
      *asks = TRUE;
      if (beckon_request_get_state (request) == BECKON_REQUEST_ASKED_BACK)
        asked_back = request;
    }
  return asked_back;
}

/* (nullable): the first question of a message. */
static BeckonRequest *
get_first_question (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonRequest *request = get_request (message, i);

      if (request != NULL && BECKON_IS_QUESTION_REQUEST (request))
        return request;
    }
  return NULL;
}

void
beckon_dock_cards_link (BeckonConversation *conversation, BeckonRequest *request, GtkWidget *card)
{
  guint i = beckon_conversation_get_n_messages (conversation);
  BeckonRequest *earlier = NULL;
  gboolean asks = FALSE;

  if (!BECKON_IS_QUESTION_CARD (card))
    return;
  while (i > 0 && get_first_question (beckon_conversation_get_message (conversation, i - 1)) != request)
    i--;
  /* A question comes again for what the person asked back instead of answering in the message before. */
  while (i-- > 1 && !asks && earlier == NULL)
    earlier = find_asked_back (beckon_conversation_get_message (conversation, i - 1), &asks);
  if (earlier != NULL)
    beckon_question_card_set_earlier (BECKON_QUESTION_CARD (card), earlier);
}

GtkWidget *
beckon_dock_cards_make (BeckonInbox *inbox, BeckonConversation *conversation, BeckonRequest *request)
{
  const char *message_id = beckon_request_get_message_id (request), *call_id = beckon_request_get_call_id (request);
  BeckonMessage *message = message_id != NULL ? beckon_conversation_find_message (conversation, message_id) : NULL;
  BeckonToolCall *call = call_id != NULL ? beckon_conversation_find_call (conversation, call_id) : NULL;
  BeckonToolCall *plan = message != NULL ? find_plan (message, request) : NULL;
  GtkWidget *card;

  /* With its plan, what earlier steps put out is there. */
  if (plan != NULL && beckon_tool_call_get_request (plan) != NULL)
    return beckon_plan_card_new (inbox, BECKON_REQUEST (beckon_tool_call_get_request (plan)), plan);
  card = beckon_request_card_new (inbox, request, call);
  beckon_dock_cards_link (conversation, request, card);
  if (BECKON_IS_QUESTION_CARD (card))
    beckon_question_card_follow (BECKON_QUESTION_CARD (card), conversation);
  return card;
}

char *
beckon_dock_cards_describe_calls (BeckonCallTable *table)
{
  guint n = beckon_call_table_get_n_rows (table);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint row = 0; row < n; row++)
    {
      if (beckon_call_table_is_cut (table, row))
        return NULL;
      for (guint column = 0; column < beckon_call_table_get_n_columns (table); column++)
        {
          const char *name = beckon_call_table_get_column (table, column);
          const char *cell = beckon_call_table_get_cell (table, row, column);

          if (cell == NULL)
            continue;
          g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? "\n" : "",
                                  beckon_call_table_get_n_columns (table) > 1 ? name : "",
                                  beckon_call_table_get_n_columns (table) > 1 ? ": " : "", cell);
        }
    }
  if (beckon_call_table_get_common (table) != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", beckon_call_table_get_common (table));
  return g_string_free (g_steal_pointer (&text), FALSE);
}
