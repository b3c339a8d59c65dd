/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "fuzz.h"
#include "llm/beckon-codec.h"

static void
look (const BeckonLlmEvent *event, gpointer user_data)
{
  g_assert_true (event->type != BECKON_LLM_EVENT_CALL || beckon_json_check (event->arguments, -1, NULL));
  if (event->type != BECKON_LLM_EVENT_TEXT)
    g_string_append_printf (user_data, "\n%d %d %s", event->type, event->end, event->arguments);
  g_string_append_len (user_data, event->text, (gssize) event->length);
}

static GString *
decode (const char *data, gsize size, gsize piece)
{
  GString *log = g_string_new (NULL);
  g_autoptr (BeckonDecoder) decoder = beckon_codec_lookup ("chat")->decoder_new (look, log);

  for (gsize at = 0; at < size; at += piece)
    g_assert_true (beckon_decoder_push (decoder, data + at, MIN (piece, size - at), NULL));
  beckon_decoder_finish (decoder);
  return log;
}

/* No call that is not strict JSON, and the same events whether the bytes come at once or one by one. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GString) whole = decode ((const char *) data, size, size + 1);
  g_autoptr (GString) bytewise = decode ((const char *) data, size, 1);

  g_assert_true (g_string_equal (whole, bytewise));
  return 0;
}
