/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reading a reply. The rule behind every line: a reply means a choice only if it can mean nothing else, and what could mean
 * two things is asked again. A person's words are never bent into a choice, and no words but the plain ones ever approve
 * anything. */

#include "beckon-plain-reply.h"

#include "beckon-plain-number.h"

#include <string.h>

BeckonPlainResult
beckon_plain_reply_again (char **message, const char *text)
{
  *message = g_strdup (text);
  return BECKON_PLAIN_AGAIN;
}

char *
beckon_plain_reply_trim (const char *line)
{
  g_autofree char *valid = g_utf8_make_valid (line, -1);
  const char *start = valid;
  const char *end;

  while (*start != '\0' && g_unichar_isspace (g_utf8_get_char (start)))
    start = g_utf8_next_char (start);

  end = start + strlen (start);
  while (end > start && g_unichar_isspace (g_utf8_get_char (g_utf8_prev_char (end))))
    end = g_utf8_prev_char (end);

  return g_strndup (start, (gsize) (end - start));
}

const char *
beckon_plain_reply_get_argument (const char *line, const char *command)
{
  if (!g_str_has_prefix (line, command) || !g_ascii_isspace (line[strlen (command)]))
    return NULL;

  line += strlen (command);
  while (g_ascii_isspace (*line))
    line++;
  return *line != '\0' ? line : NULL;
}

/* "2 3" has no reason. */
const char *
beckon_plain_reply_get_reason (const char *line)
{
  static const char *const denials[] = { "/deny", "2", "\357\274\222", "n", "N" };

  for (gsize i = 0; i < G_N_ELEMENTS (denials); i++)
    {
      const char *reason = beckon_plain_reply_get_argument (line, denials[i]);

      for (const char *c = reason; c != NULL && *c != '\0'; c = g_utf8_next_char (c))
        if (g_unichar_isalpha (g_utf8_get_char (c)))
          return reason;
    }
  return NULL;
}

gboolean
beckon_plain_reply_parse_command (const char *line, BeckonPlainResult *result, BeckonAnswer **whole)
{
  if (strcmp (line, "/stop") == 0)
    *result = BECKON_PLAIN_STOP;
  else if (strcmp (line, "/status") == 0)
    *result = BECKON_PLAIN_STATUS;
  else if (strcmp (line, "/dismiss") == 0)
    {
      *whole = beckon_answer_new (BECKON_ANSWER_DECLINED, NULL);
      *result = BECKON_PLAIN_ANSWER;
    }
  else
    return FALSE;

  return TRUE;
}

guint
beckon_plain_reply_parse_decision (const char *line, const char *const words[3])
{
  g_autoptr (GArray) number = beckon_plain_number_parse (line, FALSE);
  g_autofree char *folded = g_utf8_casefold (line, -1);

  if (number != NULL)
    return g_array_index (number, guint, 0) <= 3 ? g_array_index (number, guint, 0) : 0;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *word = g_utf8_casefold (words[i], -1);

      if (strcmp (word, folded) == 0)
        return i + 1;
    }

  return 0;
}

BeckonPlainResult
beckon_plain_reply_decide (const char *line, const char *const words[3], const char *reason, const char *hint,
                           BeckonAnswer **whole, char **message)
{
  switch (reason != NULL ? 2 : beckon_plain_reply_parse_decision (line, words))
    {
    case 1:
      *whole = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
      return BECKON_PLAIN_ANSWER;
    case 2:
      *whole = beckon_answer_new (BECKON_ANSWER_DECLINED, reason);
      return BECKON_PLAIN_ANSWER;
    case 3:
      return BECKON_PLAIN_STOP;
    default:
      return beckon_plain_reply_again (message, hint);
    }
}
