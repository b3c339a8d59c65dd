/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-model-name.h"

#include <string.h>

gboolean
beckon_model_name_is_of (const char *model, const char *family)
{
  gsize length;

  g_return_val_if_fail (model != NULL && family != NULL, FALSE);

  length = strlen (family);
  for (const char *word = model; word != NULL; word = strchr (word, '/'))
    {
      if (*word == '/')
        word++;
      if (g_ascii_strncasecmp (word, family, length) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Reads one or two digits; -1 if none. */
static int
model_name_read_number (const char **at)
{
  const char *digit = *at;
  int number = 0;

  for (; g_ascii_isdigit (*digit); digit++)
    number = MIN (number * 10 + (*digit - '0'), 1000);
  if (digit == *at || digit - *at > 2)
    return -1;
  *at = digit;
  return number;
}

guint
beckon_model_name_get_version (const char *model, const char *before)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (model != NULL && before != NULL, 0);

  name = g_ascii_strdown (model, -1);
  for (const char *found = strstr (name, before); found != NULL; found = strstr (found + 1, before))
    {
      const char *at = found + strlen (before);
      int major = model_name_read_number (&at);
      int minor = 0;

      if (major < 0)
        continue;
      if (*at == '.' || *at == '-')
        {
          at++;
          minor = model_name_read_number (&at);
        }
      return (guint) major * 100 + (guint) MAX (minor, 0);
    }
  return 0;
}
