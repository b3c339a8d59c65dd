/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-rows.h"

#include "beckon-message-row.h"
#include "request/beckon-request.h"
#include "ui/cards/beckon-call-view.h"

static gboolean
is_meant (BeckonRequest *request, const char *request_id)
{
  return request != NULL && beckon_request_get_state (request) == BECKON_REQUEST_PENDING
         && (request_id == NULL || g_str_equal (beckon_request_get_id (request), request_id));
}

static GtkWidget *
find_card_of (GtkWidget *row, const char *request_id)
{
  g_autoptr (GPtrArray) views = g_ptr_array_new ();

  beckon_message_row_list_calls (BECKON_MESSAGE_ROW (row), views);
  for (guint i = 0; i < views->len; i++)
    if (is_meant (beckon_call_view_get_pending_request (g_ptr_array_index (views, i)), request_id))
      return beckon_call_view_get_pending_card (g_ptr_array_index (views, i));

  return NULL;
}

GtkWidget *
beckon_transcript_rows_find_card (BeckonRowList *rows, const char *request_id)
{
  for (GtkWidget *row = beckon_row_list_get_first (rows); row != NULL; row = beckon_row_list_get_next (row))
    {
      GtkWidget *card = request_id == NULL ? beckon_message_row_get_pending_card (BECKON_MESSAGE_ROW (row))
                                           : find_card_of (row, request_id);

      if (card != NULL)
        return card;
    }
  return NULL;
}

static gboolean
message_waits (BeckonMessage *message, const char *request_id)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));
      GObject *request = call != NULL ? beckon_tool_call_get_request (call) : NULL;

      if (is_meant ((BeckonRequest *) request, request_id))
        return TRUE;
    }
  return FALSE;
}

guint
beckon_transcript_rows_find_waiting (BeckonConversation *conversation, const char *request_id)
{
  guint i = beckon_conversation_get_n_messages (conversation);

  while (i > 0 && !message_waits (beckon_conversation_get_message (conversation, i - 1), request_id))
    i--;
  return i;
}
