/* SPDX-License-Identifier: GPL-3.0-or-later */
/* QR codes, as squares and as characters of a terminal. */
#include "beckon-config.h"

#include "text/beckon-qr-pattern.h"

#include <string.h>

#define ADDRESS "https://liteapp.weixin.qq.com/q/7GiQu1?qrcode=b2c3d4&bot_type=3"

#ifdef HAVE_QRENCODE

/* The three large squares in its corners, by which a camera finds it. */
static void
check_corner (const BeckonQrPattern *pattern, int left, int top)
{
  for (int y = 0; y < 7; y++)
    for (int x = 0; x < 7; x++)
      {
        gboolean on_edge = x == 0 || x == 6 || y == 0 || y == 6;
        gboolean in_middle = x >= 2 && x <= 4 && y >= 2 && y <= 4;

        g_assert_cmpint (beckon_qr_pattern_is_dark (pattern, left + x, top + y), ==, on_edge || in_middle);
      }
}

static void
test_corners (void)
{
  g_autoptr (BeckonQrPattern) pattern = beckon_qr_pattern_new (ADDRESS);
  int last;

  g_assert_nonnull (pattern);
  last = (int) pattern->size - 7;
  check_corner (pattern, 0, 0);
  check_corner (pattern, last, 0);
  check_corner (pattern, 0, last);
  g_assert_false (beckon_qr_pattern_is_dark (pattern, -1, 0));
  g_assert_false (beckon_qr_pattern_is_dark (pattern, 0, (int) pattern->size));
}

static void
test_bounds (void)
{
  g_autofree char *fits = g_strnfill (1024, 'x');
  g_autofree char *is_too_long = g_strnfill (1025, 'x');
  g_autoptr (BeckonQrPattern) large = beckon_qr_pattern_new (fits);

  g_assert_nonnull (large);
  g_assert_null (beckon_qr_pattern_new (is_too_long));
  g_assert_null (beckon_qr_pattern_new (""));
}

/* A module is read back from the characters. */
static gboolean
is_drawn (char **lines, int x, int y)
{
  const char *line = lines[(y + BECKON_QR_MARGIN) / 2];
  gunichar block = g_utf8_get_char (g_utf8_offset_to_pointer (line, x + BECKON_QR_MARGIN));

  return block == 0x2588 || block == ((y + BECKON_QR_MARGIN) % 2 == 0 ? 0x2580 : 0x2584);
}

static void
check_print (gboolean colours)
{
  g_autoptr (BeckonQrPattern) pattern = beckon_qr_pattern_new (ADDRESS);
  g_autofree char *text = beckon_qr_pattern_print (pattern, colours);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  int end = (int) pattern->size + BECKON_QR_MARGIN;

  g_assert_cmpuint (g_strv_length (lines), ==, (pattern->size + 2 * BECKON_QR_MARGIN + 1) / 2 + 1);
  for (guint i = 0; colours && *lines[i] != '\0'; i++)
    {
      g_assert_true (g_str_has_prefix (lines[i], "\033[30;107m"));
      g_assert_true (g_str_has_suffix (lines[i], "\033[0m"));
      memmove (lines[i], lines[i] + strlen ("\033[30;107m"), strlen (lines[i]) - strlen ("\033[30;107m") + 1);
    }
  for (int y = -BECKON_QR_MARGIN; y < end; y++)
    for (int x = -BECKON_QR_MARGIN; x < end; x++)
      g_assert_cmpint (is_drawn (lines, x, y), ==, beckon_qr_pattern_is_dark (pattern, x, y) == colours);
}

static void
test_print (void)
{
  check_print (TRUE);
  check_print (FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/qr-pattern/corners", test_corners);
  g_test_add_func ("/text/qr-pattern/bounds", test_bounds);
  g_test_add_func ("/text/qr-pattern/print", test_print);
  return g_test_run ();
}

#else

static void
test_absent (void)
{
  g_assert_null (beckon_qr_pattern_new (ADDRESS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/qr-pattern/absent", test_absent);
  return g_test_run ();
}

#endif
