/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-event-log.h"

#include "base/beckon-text.h"

#include <string.h>

EventLog *
event_log_new (void)
{
  EventLog *log = g_new0 (EventLog, 1);

  log->lines = g_string_new (NULL);
  log->text = g_string_new (NULL);
  log->reasoning = g_string_new (NULL);
  log->names = g_ptr_array_new_with_free_func (g_free);
  log->arguments = g_ptr_array_new_with_free_func (g_free);
  log->open = -1;
  return log;
}

void
event_log_free (EventLog *log)
{
  g_string_free (log->lines, TRUE);
  g_string_free (log->text, TRUE);
  g_string_free (log->reasoning, TRUE);
  g_ptr_array_unref (log->names);
  g_ptr_array_unref (log->arguments);
  g_free (log->end_text);
  g_free (log);
}

/* Valid UTF-8, with NUL as a character like any other. */
static void
assert_valid (const char *text, gsize length)
{
  while (length > 0)
    {
      gsize bytes = beckon_text_utf8_length (text, length);

      g_assert_cmpuint (bytes, >, 0);
      text += bytes;
      length -= bytes;
    }
}

static void
add_piece (EventLog *log, const BeckonLlmEvent *event, GString *whole, const char *word)
{
  g_assert_cmpuint (event->length, >, 0);
  assert_valid (event->text, event->length);
  if (log->open != (int) event->type)
    g_string_append_printf (log->lines, "\n%s ", word);
  log->open = (int) event->type;
  g_string_append_len (log->lines, event->text, (gssize) event->length);
  g_string_append_len (whole, event->text, (gssize) event->length);
}

static void
add_call (EventLog *log, const BeckonLlmEvent *event)
{
  gboolean bad = event->type == BECKON_LLM_EVENT_BAD_CALL;

  g_string_append_printf (log->lines, "\n%s %u %s %s %s", bad ? "bad" : "call", event->index,
                          event->id != NULL ? event->id : "-", event->name, event->arguments);
  if (bad)
    {
      g_assert_cmpuint (event->length, >, 0);
      g_assert_nonnull (event->text);
      g_string_append_printf (log->lines, " (%s)", event->text);
      log->n_errors++;
      return;
    }
  g_ptr_array_add (log->names, g_strdup (event->name));
  g_ptr_array_add (log->arguments, g_strdup (event->arguments));
}

static void
add_other (EventLog *log, const BeckonLlmEvent *event)
{
  if (event->type == BECKON_LLM_EVENT_CALL_STARTED)
    g_string_append_printf (log->lines, "\nstarted %u %s", event->index, event->name);
  if (event->type == BECKON_LLM_EVENT_OPAQUE)
    g_string_append_printf (log->lines, "\nopaque %.*s", (int) event->length, event->text);
  if (event->type == BECKON_LLM_EVENT_ERROR)
    {
      g_string_append_printf (log->lines, "\nerror %.*s", (int) event->length, event->text);
      log->n_errors++;
    }
  if (event->type == BECKON_LLM_EVENT_USAGE)
    {
      g_string_append_printf (log->lines, "\nusage %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                              event->usage.input, event->usage.output, event->usage.cached);
      log->usage = event->usage;
      log->n_usages++;
    }
}

void
event_log_add (const BeckonLlmEvent *event, gpointer user_data)
{
  EventLog *log = user_data;

  g_assert_cmpuint (log->n_ends, ==, 0);
  if (event->type == BECKON_LLM_EVENT_TEXT)
    add_piece (log, event, log->text, "text");
  else if (event->type == BECKON_LLM_EVENT_REASONING)
    add_piece (log, event, log->reasoning, "reasoning");
  else
    {
      log->open = -1;
      if (event->type == BECKON_LLM_EVENT_CALL || event->type == BECKON_LLM_EVENT_BAD_CALL)
        add_call (log, event);
      else
        add_other (log, event);
    }
  if (event->type == BECKON_LLM_EVENT_END)
    {
      g_assert_true ((event->text != NULL) == (event->length > 0));
      log->n_ends++;
      log->end = event->end;
      log->end_text = event->text != NULL ? g_strndup (event->text, event->length) : NULL;
      g_string_append_printf (log->lines, "\nend %s", beckon_llm_end_to_string (event->end));
    }
}

EventLog *
event_log_decode (const char *protocol, const char *text, gsize length, NextLength next_length, gpointer data)
{
  EventLog *log = event_log_new ();
  g_autoptr (BeckonDecoder) decoder = beckon_codec_lookup (protocol)->decoder_new (event_log_add, log);

  for (gsize at = 0; at < length;)
    {
      gsize wanted = next_length != NULL ? next_length (data) : length;
      gsize piece = MIN (wanted, length - at);
      /* A copy on the heap, so that a sanitizer sees any look behind its end or after its time. */
      g_autofree char *copy = g_memdup2 (text + at, piece);

      g_assert_true (beckon_decoder_push (decoder, copy, piece, NULL));
      at += piece;
    }
  beckon_decoder_finish (decoder);
  g_assert_cmpuint (log->n_ends, ==, 1);
  g_assert_cmpuint (log->n_usages, <=, 1);
  return log;
}

static gsize
one_byte (gpointer data)
{
  return 1;
}

EventLog *
event_log_decode_bytewise (const char *protocol, const char *text, gsize length)
{
  return event_log_decode (protocol, text, length, one_byte, NULL);
}

EventLog *
event_log_decode_lines (const char *protocol, const char *text, gsize length)
{
  EventLog *log = event_log_new ();
  g_autoptr (BeckonDecoder) decoder = beckon_codec_lookup (protocol)->decoder_new (event_log_add, log);
  const char *end = text + length;

  while (text < end)
    {
      const char *line_end = memchr (text, '\n', (gsize) (end - text));
      gsize line = (gsize) ((line_end != NULL ? line_end : end) - text);
      g_autofree char *copy = g_memdup2 (text, line);

      beckon_decoder_push_payload (decoder, copy, line);
      text += line + 1;
    }
  beckon_decoder_finish (decoder);
  g_assert_cmpuint (log->n_ends, ==, 1);
  return log;
}
