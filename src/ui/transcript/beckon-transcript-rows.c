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
beckon_transcript_rows_find_card (GtkWidget *rows, const char *request_id)
{
  for (GtkWidget *row = gtk_widget_get_first_child (rows); row != NULL; row = gtk_widget_get_next_sibling (row))
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

static gboolean
was_asked_back (BeckonCallView *view)
{
  return beckon_request_get_state (beckon_call_view_get_question (view)) == BECKON_REQUEST_ASKED_BACK;
}

static void
list_questions (GtkWidget *widget, GPtrArray *questions)
{
  if (BECKON_IS_CALL_VIEW (widget))
    {
      if (beckon_call_view_get_question (BECKON_CALL_VIEW (widget)) != NULL)
        g_ptr_array_add (questions, widget);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    list_questions (child, questions);
}

/* The first question of a reply comes again for all that were asked back in the one before it. */
static void
link_replies (GPtrArray *before, GPtrArray *after)
{
  BeckonCallView *again = g_ptr_array_index (after, 0);

  for (guint i = 0; i < before->len; i++)
    {
      BeckonCallView *view = g_ptr_array_index (before, i);

      if (!was_asked_back (view))
        continue;
      beckon_call_view_set_asked_again (view);
      beckon_call_view_set_earlier (again, beckon_call_view_get_question (view));
    }
}

void
beckon_transcript_rows_link_questions (GtkWidget *rows)
{
  g_autoptr (GPtrArray) before = g_ptr_array_new ();

  for (GtkWidget *row = gtk_widget_get_first_child (rows); row != NULL; row = gtk_widget_get_next_sibling (row))
    {
      g_autoptr (GPtrArray) questions = g_ptr_array_new ();

      list_questions (row, questions);
      if (questions->len == 0)
        continue;
      link_replies (before, questions);
      g_ptr_array_unref (before);
      before = g_steal_pointer (&questions);
    }
}
