/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-reasked-link.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>

/* A line holds no more, in characters. */
#define MOST 80

static char *
reasked_link_dup_line (const char *text)
{
  g_autofree char *safe = beckon_text_for_display (text, -1, BECKON_TEXT_EXACT);

  return beckon_text_shorten (safe, MOST);
}

static char *
dup_asked (BeckonRequest *request)
{
  BeckonAnswer *answer = beckon_request_get_answer (request);

  return reasked_link_dup_line (answer != NULL && answer->text != NULL ? answer->text : "");
}

char *
beckon_reasked_link_describe (BeckonRequest *request)
{
  g_autofree char *question = reasked_link_dup_line (beckon_question_get_item (beckon_request_get_question (request),
                                                                               0)->question);
  g_autofree char *asked = dup_asked (request);

  /* Translators: what the person asked the model instead of answering, and the model's question */
  return beckon_text_printf (_("You asked back: “%s” · %s"), asked, question);
}

char *
beckon_reasked_link_describe_earlier (BeckonRequest *earlier)
{
  g_autofree char *asked = dup_asked (earlier);

  /* Translators: the model answered what the person asked instead of answering, and now asks its question again */
  return beckon_text_printf (_("Asked again, after you asked back: “%s”"), asked);
}
