/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-text-printf.h"

#include "beckon-text.h"

#include <string.h>

/* Every %s of a sentence within the marks; what stands between % and s stays. */
static char *
mark_conversions (const char *words)
{
  GString *marked = g_string_new (NULL);

  while (*words != '\0')
    {
      gsize length = *words == '%' ? 1 + strspn (words + 1, "0123456789$-+ #'.*hljztL") : 0;
      gboolean is_text = length > 0 && words[length] == 's';

      if (is_text)
        g_string_append (marked, "\342\201\250");
      if (length > 0 && words[length] != '\0')
        length++;
      g_string_append_len (marked, words, (gssize) MAX (length, 1));
      if (is_text)
        g_string_append (marked, "\342\201\251");
      words += MAX (length, 1);
    }
  return g_string_free (marked, FALSE);
}

static char *
format (const char *words, va_list arguments) G_GNUC_PRINTF (1, 0);

static char *
format (const char *words, va_list arguments)
{
  g_autofree char *isolated = NULL;
  g_autofree char *marked = NULL;
  char *plain;
  va_list again;

  va_copy (again, arguments);
  plain = g_strdup_vprintf (words, arguments);
  isolated = beckon_text_isolate ("", plain);
  /* A name is marked only where that changes what is drawn. */
  if (*isolated != '\0')
    {
      marked = mark_conversions (words);
      g_free (plain);
      plain = g_strdup_vprintf (marked, again);
    }
  va_end (again);
  return plain;
}

char *
beckon_text_printf (const char *words, ...)
{
  va_list arguments;
  char *text;

  g_return_val_if_fail (words != NULL, NULL);

  va_start (arguments, words);
  text = format (words, arguments);
  va_end (arguments);
  return text;
}

void
beckon_text_append (GString *string, const char *words, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  g_return_if_fail (string != NULL && words != NULL);

  va_start (arguments, words);
  text = format (words, arguments);
  va_end (arguments);
  g_string_append (string, text);
}

void
beckon_text_set_error (GError **error, GQuark domain, int code, const char *words, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  g_return_if_fail (words != NULL);

  va_start (arguments, words);
  text = format (words, arguments);
  va_end (arguments);
  g_set_error_literal (error, domain, code, text);
}

GError *
beckon_text_error_new (GQuark domain, int code, const char *words, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  g_return_val_if_fail (words != NULL, NULL);

  va_start (arguments, words);
  text = format (words, arguments);
  va_end (arguments);
  return g_error_new_literal (domain, code, text);
}
