/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-log.h"

#include "base/beckon-text.h"

#include <string.h>

/* Lines of ours begin at the margin, and no line of the server's does. */
#define OURS "— "
#define THEIRS "  "

struct _BeckonMcpLog
{
  GString *text;
  BeckonMaskStream *stream; /* (nullable): of the server's lines */
  BeckonMask *mask;         /* (nullable) */
};

BeckonMcpLog *
beckon_mcp_log_new (void)
{
  BeckonMcpLog *log = g_rc_box_new0 (BeckonMcpLog);

  log->text = g_string_new (NULL);
  return log;
}

BeckonMcpLog *
beckon_mcp_log_ref (BeckonMcpLog *log)
{
  return g_rc_box_acquire (log);
}

static void
mcp_log_clear (gpointer data)
{
  BeckonMcpLog *log = data;

  g_string_free (log->text, TRUE);
  g_clear_pointer (&log->stream, beckon_mask_stream_free);
  g_clear_pointer (&log->mask, beckon_mask_unref);
}

void
beckon_mcp_log_unref (BeckonMcpLog *log)
{
  if (log != NULL)
    g_rc_box_release_full (log, mcp_log_clear);
}

/* Twice the bound may lie there, so that not every line moves all others. A line without its beginning could be anybody's. */
static void
bound (BeckonMcpLog *log)
{
  const char *from = log->text->str + log->text->len - MIN (log->text->len, BECKON_MCP_LOG_MAX);
  const char *line = strchr (from, '\n');

  if (log->text->len <= 2 * BECKON_MCP_LOG_MAX)
    return;
  g_string_erase (log->text, 0, (line != NULL ? line + 1 : from) - log->text->str);
  if (line == NULL)
    g_string_prepend (log->text, THEIRS);
}

static gboolean
is_at_margin (BeckonMcpLog *log)
{
  return log->text->len == 0 || log->text->str[log->text->len - 1] == '\n';
}

static void
append_theirs (BeckonMcpLog *log, const char *bytes, gsize length)
{
  while (length > 0)
    {
      const char *end = memchr (bytes, '\n', length);
      gsize line = end != NULL ? (gsize) (end - bytes) + 1 : length;

      if (is_at_margin (log))
        g_string_append (log->text, THEIRS);
      g_string_append_len (log->text, bytes, (gssize) line);
      bytes += line;
      length -= line;
    }
  bound (log);
}

void
beckon_mcp_log_flush (BeckonMcpLog *log)
{
  g_autoptr (GString) seen = g_string_new (NULL);

  if (log->stream == NULL)
    return;
  beckon_mask_stream_finish (log->stream, seen);
  append_theirs (log, seen->str, seen->len);
}

void
beckon_mcp_log_set_mask (BeckonMcpLog *log, BeckonMask *mask)
{
  beckon_mcp_log_flush (log);
  g_clear_pointer (&log->stream, beckon_mask_stream_free);
  g_clear_pointer (&log->mask, beckon_mask_unref);
  if (mask == NULL)
    return;
  log->mask = beckon_mask_ref (mask);
  log->stream = beckon_mask_stream_new (mask);
}

void
beckon_mcp_log_add (BeckonMcpLog *log, const char *bytes, gsize length)
{
  g_autoptr (GString) seen = NULL;

  if (log->stream == NULL)
    {
      append_theirs (log, bytes, length);
      return;
    }
  seen = g_string_new (NULL);
  beckon_mask_stream_feed (log->stream, bytes, length, seen);
  append_theirs (log, seen->str, seen->len);
}

/* Words of the server may be in it. */
void
beckon_mcp_log_say (BeckonMcpLog *log, const char *format, ...)
{
  g_autofree char *line = NULL;
  g_autofree char *shown = NULL;
  va_list arguments;

  va_start (arguments, format);
  line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  shown = log->mask != NULL ? beckon_mask_apply (log->mask, line) : g_strdup (line);
  g_strdelimit (shown, "\n", ' ');
  beckon_mcp_log_flush (log);
  if (!is_at_margin (log))
    g_string_append_c (log->text, '\n');
  g_string_append (log->text, OURS);
  g_string_append (log->text, strlen (shown) > BECKON_MCP_LOG_MAX ? shown + strlen (shown) - BECKON_MCP_LOG_MAX : shown);
  g_string_append_c (log->text, '\n');
  bound (log);
}

char *
beckon_mcp_log_dup_text (BeckonMcpLog *log)
{
  gsize cut = log->text->len > BECKON_MCP_LOG_MAX ? log->text->len - BECKON_MCP_LOG_MAX : 0;
  const char *from = log->text->str + cut;
  const char *line = cut > 0 ? strchr (from, '\n') : NULL;
  g_autofree char *shown = NULL;

  if (line != NULL)
    from = line + 1;
  shown = beckon_text_for_display (from, (gssize) (log->text->str + log->text->len - from), BECKON_TEXT_MARKED);
  return cut > 0 && line == NULL ? g_strconcat (THEIRS, shown, NULL) : g_steal_pointer (&shown);
}

char *
beckon_mcp_log_dup_with (const char *text, const char *line)
{
  g_autofree char *shown = g_strdelimit (g_strdup (line), "\n", ' ');

  if (strstr (text, shown) != NULL)
    return g_strdup (text);
  return g_strconcat (text, *text != '\0' && !g_str_has_suffix (text, "\n") ? "\n" : "", OURS, shown, "\n", NULL);
}

char *
beckon_mcp_log_dup_tail (const char *text, gsize most)
{
  gsize length = strlen (text);
  const char *from = length > most ? text + length - most : text;
  const char *line = length > most ? strchr (from, '\n') : NULL;
  g_autofree char *tail = g_utf8_make_valid (line != NULL ? line + 1 : from, -1);

  return length > most && line == NULL ? g_strconcat (THEIRS, tail, NULL) : g_steal_pointer (&tail);
}

/* Best first. The last line of npm says where else to read. */
static const char *const causes[] = { "reason: ", "npm error code ", "npm ERR! code " };

char *
beckon_mcp_log_dup_cause (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  const char *found = "";
  guint best = G_N_ELEMENTS (causes) + 1;

  for (guint i = g_strv_length (lines); i > 0; i--)
    {
      const char *line = lines[i - 1];
      guint rank = 0;

      if (g_str_has_prefix (line, OURS) || *g_strstrip (lines[i - 1]) == '\0')
        continue;
      while (rank < G_N_ELEMENTS (causes) && strstr (line, causes[rank]) == NULL)
        rank++;
      if (rank < best)
        {
          best = rank;
          found = line;
        }
    }
  return beckon_text_shorten (found, 200);
}
