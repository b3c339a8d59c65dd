/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-log.h"

#include "base/beckon-text.h"

#include <string.h>

struct _BeckonMcpLog
{
  GString *text;
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
clear (gpointer data)
{
  g_string_free (((BeckonMcpLog *) data)->text, TRUE);
}

void
beckon_mcp_log_unref (BeckonMcpLog *log)
{
  if (log != NULL)
    g_rc_box_release_full (log, clear);
}

/* Twice the bound may lie there, so that not every line moves all others. */
void
beckon_mcp_log_add (BeckonMcpLog *log, const char *bytes, gsize length)
{
  if (length > BECKON_MCP_LOG_MAX)
    {
      bytes += length - BECKON_MCP_LOG_MAX;
      length = BECKON_MCP_LOG_MAX;
    }
  g_string_append_len (log->text, bytes, (gssize) length);
  if (log->text->len > 2 * BECKON_MCP_LOG_MAX)
    g_string_erase (log->text, 0, (gssize) (log->text->len - BECKON_MCP_LOG_MAX));
}

void
beckon_mcp_log_say (BeckonMcpLog *log, const char *format, ...)
{
  g_autofree char *line = NULL;
  va_list arguments;

  va_start (arguments, format);
  line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (log->text->len > 0 && log->text->str[log->text->len - 1] != '\n')
    g_string_append_c (log->text, '\n');
  g_string_append (log->text, "— ");
  beckon_mcp_log_add (log, line, strlen (line));
  g_string_append_c (log->text, '\n');
}

char *
beckon_mcp_log_dup_text (BeckonMcpLog *log)
{
  gsize cut = log->text->len > BECKON_MCP_LOG_MAX ? log->text->len - BECKON_MCP_LOG_MAX : 0;
  const char *from = log->text->str + cut;
  const char *line = cut > 0 ? strchr (from, '\n') : NULL;

  if (line != NULL)
    from = line + 1;
  return beckon_text_for_display (from, (gssize) (log->text->str + log->text->len - from), BECKON_TEXT_MARKED);
}

char *
beckon_mcp_log_dup_last_line (BeckonMcpLog *log)
{
  g_autofree char *text = beckon_mcp_log_dup_text (log);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = g_strv_length (lines); i > 0; i--)
    if (*g_strstrip (lines[i - 1]) != '\0' && !g_str_has_prefix (lines[i - 1], "— "))
      return beckon_text_shorten (lines[i - 1], 200);
  return g_strdup ("");
}
