/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plain-text.h"

#include "base/beckon-text.h"
#include "beckon-plain-class.h"
#include "beckon-plain-reply.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-question-request.h"

#include <string.h>

#define MAGENTA "\033[35m"

guint
beckon_plain_text_n_items (BeckonRequest *request)
{
  BeckonQuestion *question;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), 0);

  if (beckon_plain_class_get (request)->n_items != NULL)
    return beckon_plain_class_get (request)->n_items (request);
  question = beckon_request_get_question (request);
  return question != NULL ? beckon_question_get_n_items (question) : 1;
}

BeckonAnswer *
beckon_plain_text_begin (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  if (beckon_plain_class_get (request)->begin != NULL)
    return beckon_plain_class_get (request)->begin (request);
  if (BECKON_IS_CHANGES_REQUEST (request))
    return beckon_answer_new (BECKON_ANSWER_KEPT, NULL);
  return beckon_answer_new_question (beckon_plain_text_n_items (request));
}

char *
beckon_plain_text_for_terminal (const char *text, gssize length)
{
  g_autofree char *marked = beckon_text_for_display (text, length, BECKON_TEXT_MARKED);
  GString *safe = g_string_new (marked);

  g_string_replace (safe, BECKON_PLAIN_CARD_MARK, "<U+25C7>", 0);
  return g_string_free (safe, FALSE);
}

void
beckon_plain_text_append (GString *text, const char *prefix, const char *untrusted)
{
  g_autofree char *safe = beckon_plain_text_for_terminal (untrusted, -1);

  g_string_append (text, prefix);
  g_string_append (text, safe);
}

static char *
format (BeckonRequest *request, guint item, const char *code)
{
  const BeckonPlainClass *class = beckon_plain_class_get (request);
  g_autoptr (GString) text = g_string_new (class->sign);

  if (code != NULL)
    g_string_append_printf (text, "[%s] ", code);
  class->append_heading (text, request, item);
  class->append_body (text, request, item, code);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_plain_text_format (BeckonRequest *request, guint item)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (item < beckon_plain_text_n_items (request), NULL);

  return format (request, item, NULL);
}

char *
beckon_plain_text_format_with_code (BeckonRequest *request, guint item)
{
  g_autofree char *code = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (item < beckon_plain_text_n_items (request), NULL);

  code = beckon_plain_text_dup_code (request);
  return format (request, item, code);
}

char *
beckon_plain_text_format_for_terminal (BeckonRequest *request, guint item, gboolean colour)
{
  const char *yellow = colour ? BECKON_PLAIN_YELLOW : "";
  const char *plain = colour ? BECKON_PLAIN_DEFAULT : "";
  const BeckonPlainClass *class;
  const char *tool;
  g_autofree char *shown = NULL;
  g_autoptr (GString) text = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (item < beckon_plain_text_n_items (request), NULL);

  class = beckon_plain_class_get (request);
  tool = beckon_request_get_tool (request);
  shown = beckon_text_for_display (tool != NULL ? tool : "ask_user", -1, BECKON_TEXT_EXACT);
  text = g_string_new (BECKON_PLAIN_CARD_MARK " ");
  /* The program itself asks without a call. */
  if (class->names_tool && (tool != NULL || beckon_request_get_call_id (request) != NULL))
    g_string_append_printf (text, "%s%s%s → ", colour ? MAGENTA : "", shown, plain);
  g_string_append (text, yellow);
  class->append_heading (text, request, item);
  g_string_append (text, plain);
  class->append_body (text, request, item, NULL);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_plain_text_dup_code (BeckonRequest *request)
{
  const char *id;
  gsize length;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  /* The end of an id is its random part. */
  id = beckon_request_get_id (request);
  length = strlen (id);
  return g_ascii_strdown (id + (length > BECKON_PLAIN_CODE_LENGTH ? length - BECKON_PLAIN_CODE_LENGTH : 0), -1);
}

const char *
beckon_plain_text_match_code (BeckonRequest *request, const char *line)
{
  g_autofree char *code = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (line != NULL, NULL);

  code = beckon_plain_text_dup_code (request);
  while (g_ascii_isspace (*line))
    line++;
  if (*line == '#')
    line++;
  if (g_ascii_strncasecmp (line, code, strlen (code)) != 0)
    return NULL;

  /* A word that only begins like the code is not it. */
  line += strlen (code);
  if (*line != '\0' && *line != ':' && !g_ascii_isspace (*line))
    return NULL;
  while (*line == ':' || g_ascii_isspace (*line))
    line++;
  return line;
}

BeckonPlainResult
beckon_plain_text_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                         BeckonAnswer **whole, char **message)
{
  g_autofree char *trimmed = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), BECKON_PLAIN_AGAIN);
  g_return_val_if_fail (line != NULL && whole != NULL && message != NULL, BECKON_PLAIN_AGAIN);

  *whole = NULL;
  *message = NULL;
  trimmed = beckon_plain_reply_trim (line);
  return beckon_plain_class_get (request)->parse (request, item, trimmed, answer, whole, message);
}
