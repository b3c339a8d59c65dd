/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-qr-pattern.h"

#include <string.h>

#ifdef HAVE_QRENCODE
#include <qrencode.h>
#endif

/* Beyond that a camera has trouble, long before the code is full. */
#define LONGEST_TEXT 1024

#define DARK_ON_LIGHT "\033[30;107m"
#define PLAIN "\033[0m"

#ifdef HAVE_QRENCODE

BeckonQrPattern *
beckon_qr_pattern_new (const char *text)
{
  BeckonQrPattern *pattern;
  QRcode *code;
  gsize n;

  g_return_val_if_fail (text != NULL, NULL);

  if (*text == '\0' || strnlen (text, LONGEST_TEXT + 1) > LONGEST_TEXT)
    return NULL;
  code = QRcode_encodeString8bit (text, 0, QR_ECLEVEL_M);
  if (code == NULL)
    return NULL;
  pattern = g_new (BeckonQrPattern, 1);
  n = (gsize) code->width * (gsize) code->width;
  pattern->size = (guint) code->width;
  pattern->dark = g_malloc (n);
  for (gsize i = 0; i < n; i++)
    pattern->dark[i] = code->data[i] & 1;
  QRcode_free (code);
  return pattern;
}

#else

BeckonQrPattern *
beckon_qr_pattern_new (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  return NULL;
}

#endif

void
beckon_qr_pattern_free (BeckonQrPattern *pattern)
{
  g_free (pattern->dark);
  g_free (pattern);
}

gboolean
beckon_qr_pattern_is_dark (const BeckonQrPattern *pattern, int x, int y)
{
  int size;

  g_return_val_if_fail (pattern != NULL, FALSE);

  size = (int) pattern->size;
  return x >= 0 && y >= 0 && x < size && y < size && pattern->dark[y * size + x] != 0;
}

/* A character is two modules, one above the other; the half that is drawn is the dark one, or without colours the light. */
static const char *
get_block (const BeckonQrPattern *pattern, int x, int y, gboolean draws_dark)
{
  gboolean upper = beckon_qr_pattern_is_dark (pattern, x, y) == draws_dark;
  gboolean lower = beckon_qr_pattern_is_dark (pattern, x, y + 1) == draws_dark;

  if (upper)
    return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}

char *
beckon_qr_pattern_print (const BeckonQrPattern *pattern, gboolean colours)
{
  GString *lines = g_string_new (NULL);
  int end;

  g_return_val_if_fail (pattern != NULL, NULL);

  end = (int) pattern->size + BECKON_QR_MARGIN;
  for (int y = -BECKON_QR_MARGIN; y < end; y += 2)
    {
      g_string_append (lines, colours ? DARK_ON_LIGHT : "");
      for (int x = -BECKON_QR_MARGIN; x < end; x++)
        g_string_append (lines, get_block (pattern, x, y, colours));
      g_string_append (lines, colours ? PLAIN "\n" : "\n");
    }
  return g_string_free (lines, FALSE);
}
