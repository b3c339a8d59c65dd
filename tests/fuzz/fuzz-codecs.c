/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "fuzz.h"
#include "llm/beckon-codec.h"

static void
look (const BeckonLlmEvent *event, gpointer user_data)
{
  g_assert_true (event->type != BECKON_LLM_EVENT_CALL || beckon_json_check (event->arguments, -1, NULL));
  g_assert_true (event->type != BECKON_LLM_EVENT_OPAQUE || beckon_json_check (event->text, (gssize) event->length, NULL));
  if (event->type != BECKON_LLM_EVENT_TEXT)
    g_string_append_printf (user_data, "\n%d %d %s", event->type, event->end, event->arguments);
  g_string_append_len (user_data, event->text, (gssize) event->length);
}

static GString *
decode (const char *protocol, const char *data, gsize size, gsize piece)
{
  GString *log = g_string_new (NULL);
  g_autoptr (BeckonDecoder) decoder = beckon_codec_lookup (protocol)->decoder_new (look, log);

  for (gsize at = 0; at < size; at += piece)
    g_assert_true (beckon_decoder_push (decoder, data + at, MIN (piece, size - at), NULL));
  beckon_decoder_finish (decoder);
  return log;
}

/* No call and no block that is not strict JSON, and the same events whether the bytes come at once or one by one. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const char *const *names = beckon_codec_get_names ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GString) whole = decode (names[i], (const char *) data, size, size + 1);
      g_autoptr (GString) bytewise = decode (names[i], (const char *) data, size, 1);

      g_assert_true (g_string_equal (whole, bytewise));
    }
  return 0;
}
