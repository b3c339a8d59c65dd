/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "net/beckon-sse-parser.h"

static void
add_event (const BeckonSseEvent *event, gpointer user_data)
{
  g_string_append_printf (user_data, "%s|%s|", event->type, event->id);
  g_string_append_len (user_data, event->data, (gssize) event->length);
}

/* The same events, whether the bytes come at once or one by one. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GString) whole = g_string_new (NULL);
  g_autoptr (GString) bytewise = g_string_new (NULL);
  g_autoptr (BeckonSseParser) one = beckon_sse_parser_new (add_event, NULL, whole);
  g_autoptr (BeckonSseParser) other = beckon_sse_parser_new (add_event, NULL, bytewise);

  g_assert_true (beckon_sse_parser_push (one, (const char *) data, size, NULL));
  for (gsize i = 0; i < size; i++)
    g_assert_true (beckon_sse_parser_push (other, (const char *) data + i, 1, NULL));
  g_assert_true (g_string_equal (whole, bytewise));
  return 0;
}
