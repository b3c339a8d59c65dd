/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-unasked.h"

#include "request/beckon-form-request.h"
#include "request/beckon-question-request.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>

/* A command that asks whether it may run on is no server: without an answer its time is over, as it was set. */
static gboolean
is_unasked (BeckonRequest *request)
{
  const BeckonAskedBy *asked_by = beckon_request_get_asked_by (request);

  return asked_by != NULL && asked_by->kind == BECKON_ASKED_BY_SERVER
         && beckon_request_get_state (request) == BECKON_REQUEST_UNAVAILABLE;
}

static char *
unasked_describe (BeckonRequest *request)
{
  /* Choices that can't be made any more are left out. */
  BeckonQuestion *question = beckon_request_get_question (request);
  const BeckonQuestionItem *item = question != NULL ? g_ptr_array_index (question->items, 0) : NULL;
  g_autofree char *asked = item != NULL ? beckon_plain_text_for_terminal (item->question, -1)
                                        : beckon_plain_text_format_for_terminal (request, 0, FALSE);
  const char *reason = beckon_form_request_get_resumption (request) != NULL
                         ? _("Not answered: you can't be asked here. Use a terminal, or “--detach-on-ask”.")
                         : _("Not answered: you were asked while the tool was running, and this can't be answered later. "
                             "Use a terminal.");

  return g_strconcat (asked, "\n", reason, NULL);
}

char **
beckon_unasked_list (BeckonToolCall *call)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();

  for (guint i = 0; i < beckon_tool_call_get_n_asked (call); i++)
    {
      BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_asked (call, i));
      g_autofree char *line = is_unasked (request) ? unasked_describe (request) : NULL;

      if (line != NULL)
        g_strv_builder_add (lines, line);
    }
  return g_strv_builder_end (lines);
}
