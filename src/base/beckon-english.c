/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-english.h"

#include <libintl.h>

locale_t
beckon_english_begin (void)
{
  static gsize english;

  if (g_once_init_enter (&english))
    g_once_init_leave (&english, (gsize) newlocale (LC_MESSAGES_MASK, "C", duplocale (LC_GLOBAL_LOCALE)));

  return uselocale ((locale_t) english);
}

void
beckon_english_end (locale_t before)
{
  uselocale (before);
}

const char *
beckon_english_translate (const char *text)
{
  const char *translated;

  g_return_val_if_fail (text != NULL, NULL);

  if (*text == '\0')
    return text;
  translated = dgettext (GETTEXT_PACKAGE, text);
  if (translated == text)
    translated = dgettext ("libc", text);
  return g_utf8_validate (translated, -1, NULL) ? translated : text;
}
