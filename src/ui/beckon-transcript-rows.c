/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-rows.h"

#include "beckon-message-row.h"
#include "request/beckon-request.h"

void
beckon_transcript_rows_clear (GtkBox *rows)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (rows))) != NULL)
    gtk_box_remove (rows, row);
}

GtkWidget *
beckon_transcript_rows_find_card (GtkWidget *rows)
{
  for (GtkWidget *row = gtk_widget_get_first_child (rows); row != NULL; row = gtk_widget_get_next_sibling (row))
    {
      GtkWidget *card = beckon_message_row_get_pending_card (BECKON_MESSAGE_ROW (row));

      if (card != NULL)
        return card;
    }
  return NULL;
}

static gboolean
message_waits (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));
      GObject *request = call != NULL ? beckon_tool_call_get_request (call) : NULL;

      if (request != NULL && beckon_request_get_state (BECKON_REQUEST (request)) == BECKON_REQUEST_PENDING)
        return TRUE;
    }
  return FALSE;
}

guint
beckon_transcript_rows_find_waiting (BeckonConversation *conversation)
{
  guint i = beckon_conversation_get_n_messages (conversation);

  while (i > 0 && !message_waits (beckon_conversation_get_message (conversation, i - 1)))
    i--;
  return i;
}
