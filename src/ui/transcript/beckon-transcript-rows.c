/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-rows.h"

#include "beckon-message-row.h"
#include "request/beckon-request.h"
#include "ui/cards/beckon-call-view.h"

void
beckon_transcript_rows_set_unsent (GtkWidget *rows, BeckonRequest *request, const char *text)
{
  g_autoptr (GPtrArray) views = g_ptr_array_new ();

  for (GtkWidget *row = gtk_widget_get_first_child (rows); row != NULL; row = gtk_widget_get_next_sibling (row))
    beckon_message_row_list_calls (BECKON_MESSAGE_ROW (row), views);
  for (guint i = 0; i < views->len; i++)
    if (beckon_call_view_get_request (g_ptr_array_index (views, i)) == request)
      beckon_call_view_set_unsent (g_ptr_array_index (views, i), text);
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

      /* A question of a reply comes again for all that were asked back in the one before it. */
      for (guint i = 0; i < before->len; i++)
        {
          BeckonCallView *view = g_ptr_array_index (before, i);

          if (beckon_request_get_state (beckon_call_view_get_question (view)) == BECKON_REQUEST_ASKED_BACK)
            beckon_call_view_set_asked_again (view);
        }

      g_ptr_array_unref (before);
      before = g_steal_pointer (&questions);
    }
}
