/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-reasked-link.h"

#include "base/beckon-text.h"
#include "beckon-call-view.h"
#include "request/beckon-question-request.h"
#include "ui/widgets/beckon-row-list.h"

#include <glib/gi18n-lib.h>

/* A line holds no more, in characters. */
#define MOST 80

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
beckon_reasked_link_link (GtkWidget *view)
{
  GtkWidget *rows = gtk_widget_get_ancestor (view, BECKON_TYPE_ROW_LIST);
  g_autoptr (GPtrArray) before = g_ptr_array_new ();

  for (GtkWidget *row = rows != NULL ? gtk_widget_get_first_child (rows) : NULL; row != NULL;
       row = gtk_widget_get_next_sibling (row))
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

static char *
dup_line (const char *text)
{
  g_autofree char *safe = beckon_text_for_display (text, -1, BECKON_TEXT_EXACT);

  return beckon_text_shorten (safe, MOST);
}

static char *
dup_asked (BeckonRequest *request)
{
  BeckonAnswer *answer = beckon_request_get_answer (request);

  return dup_line (answer != NULL && answer->text != NULL ? answer->text : "");
}

char *
beckon_reasked_link_describe (BeckonRequest *request)
{
  g_autofree char *question = dup_line (beckon_question_get_item (beckon_request_get_question (request), 0)->question);
  g_autofree char *asked = dup_asked (request);

  /* Translators: what the person asked the model instead of answering, and the model's question */
  return g_strdup_printf (_("You asked back: “%s” · %s"), asked, question);
}

char *
beckon_reasked_link_describe_earlier (BeckonRequest *earlier)
{
  g_autofree char *asked = dup_asked (earlier);

  /* Translators: the model answered what the person asked instead of answering, and now asks its question again */
  return g_strdup_printf (_("Asked again, after you asked back: “%s”"), asked);
}
