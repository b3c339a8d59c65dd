/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-remember.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-plain-number.h"
#include "request/beckon-call-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define HERE "/here"
#define ALWAYS "/always"

GPtrArray *
beckon_plain_remember_get_choices (BeckonRequest *request)
{
  const BeckonApprovalReason *ground = beckon_request_get_ground (request);

  return ground != NULL && ground->proposals != NULL && ground->proposals->len > 0 ? ground->proposals : NULL;
}

void
beckon_plain_remember_append (GString *text, BeckonRequest *request, const char *words)
{
  GPtrArray *proposals = beckon_plain_remember_get_choices (request);

  if (proposals == NULL)
    return;
  g_string_append_printf (text, "\n%s", words);
  for (guint i = 0; i < proposals->len; i++)
    {
      const BeckonRuleProposal *proposal = g_ptr_array_index (proposals, i);
      g_autofree char *label = beckon_text_for_display (proposal->label, -1, BECKON_TEXT_EXACT);

      g_string_append_printf (text, "\n  %u: %s", i + 1, label);
    }
}

/* (nullable): what follows the command, which may be nothing. */
static const char *
get_rest (const char *line, const char *command)
{
  gsize length = strlen (command);

  return g_str_has_prefix (line, command) && (line[length] == '\0' || g_ascii_isspace (line[length])) ? line + length : NULL;
}

/* The narrowest stands first, and is meant where none is named. */
static guint
plain_remember_read_number (const char *rest)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (rest));
  g_autoptr (GArray) numbers = *trimmed != '\0' ? beckon_plain_number_parse (trimmed, FALSE) : NULL;

  if (*trimmed == '\0')
    return 1;
  return numbers != NULL ? g_array_index (numbers, guint, 0) : 0;
}

BeckonAnswer *
beckon_plain_remember_choose (BeckonRequest *request, guint index, gboolean is_here, const char *left_out)
{
  GPtrArray *choices = beckon_plain_remember_get_choices (request);
  BeckonAnswer *answer;

  answer = beckon_answer_new (beckon_request_takes (request, BECKON_ANSWER_KEPT) ? BECKON_ANSWER_KEPT : BECKON_ANSWER_APPROVED,
                              left_out);
  beckon_answer_set_remember (answer, beckon_rule_proposal_copy_rules (
                                          g_ptr_array_index (choices, index),
                                          is_here ? beckon_request_get_conversation_id (request) : NULL, g_get_real_time ()));
  return answer;
}

gboolean
beckon_plain_remember_parse (BeckonRequest *request, const char *line, const char *left_out, const char *hint,
                             BeckonAnswer **whole, char **message)
{
  GPtrArray *proposals = beckon_plain_remember_get_choices (request);
  const char *here = get_rest (line, HERE);
  const char *rest = here != NULL ? here : get_rest (line, ALWAYS);
  guint number;

  if (rest == NULL)
    return FALSE;
  if (proposals == NULL)
    {
      *message = g_strconcat (_("Nothing on this card can be allowed from now on."), "\n", hint, NULL);
      return TRUE;
    }
  number = plain_remember_read_number (rest);
  if (number == 0 || number > proposals->len)
    {
      *message = proposals->len == 1 ? g_strdup (_("There is only one permission: /here 1 or /always 1."))
                                     : g_strdup_printf (_("Reply with /here or /always and a number from 1 to %u."),
                                                        proposals->len);
      return TRUE;
    }
  *whole = beckon_plain_remember_choose (request, number - 1, here != NULL, left_out);
  return TRUE;
}
