/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "domain/beckon-link.h"
#include "fuzz.h"

#include <string.h>

/* A link gives text without control characters, and ids that are nothing but ids. */
static void
check (const BeckonLink *link)
{
  for (const char *p = link->text; p != NULL && *p != '\0'; p = g_utf8_next_char (p))
    g_assert_true (!g_unichar_iscntrl (g_utf8_get_char (p)) || *p == '\t' || *p == '\n');
  g_assert_true (link->text == NULL || g_utf8_validate (link->text, -1, NULL));
  for (const char *p = link->conversation_id; p != NULL && *p != '\0'; p++)
    g_assert_true (g_ascii_isalnum (*p) || *p == '-');
  for (const char *p = link->message_id; p != NULL && *p != '\0'; p++)
    g_assert_true (g_ascii_isalnum (*p) || *p == '-');
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autofree char *whole = g_strconcat ("beckon://", text, NULL);
  const char *const uris[] = { text, whole };

  for (guint i = 0; i < G_N_ELEMENTS (uris); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonLink) link = beckon_link_parse (uris[i], &error);

      g_assert_true ((link == NULL) == (error != NULL));
      g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
      if (link != NULL)
        check (link);
    }
  return 0;
}
