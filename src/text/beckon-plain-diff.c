/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-diff.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-plain-class.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_LINE_CHARS 400

static const char *
get_colour (char sign)
{
  switch (sign)
    {
    case '+':
      return BECKON_PLAIN_GREEN;
    case '-':
      return BECKON_PLAIN_RED;
    case '@':
      return BECKON_PLAIN_CYAN;
    default:
      return NULL;
    }
}

/* @sign: what stands before the line; NUL where the line has it. Returns whether the line was cut. */
static gboolean
append_line (GString *text, char sign, const char *line, gboolean colour, gboolean cuts)
{
  g_autofree char *safe = beckon_plain_text_for_terminal (line, -1);
  g_autofree char *shown = cuts ? beckon_text_shorten (safe, MOST_LINE_CHARS) : NULL;
  const char *begin = colour ? get_colour (sign != '\0' ? sign : *line) : NULL;
  const char signs[] = { sign, '\0' };

  g_string_append_printf (text, "\n%s%s%s%s", begin != NULL ? begin : "", signs, shown != NULL ? shown : safe,
                          begin != NULL ? BECKON_PLAIN_DEFAULT : "");
  return shown != NULL && strcmp (shown, safe) != 0;
}

/* Several hunks begin with their numbers; one alone needs none. */
static gboolean
is_shown (const BeckonCallPreview *preview, const char *line)
{
  return preview->n_hunks != 1 || !g_str_has_prefix (line, "@@ ");
}

gboolean
beckon_plain_diff_append (GString *text, const BeckonCallPreview *preview, gboolean colour, guint most_lines)
{
  g_auto (GStrv) lines = g_strsplit (preview->shown, "\n", -1);
  guint n = g_strv_length (lines);
  /* A new file's content is all new. */
  char sign = preview->n_hunks == 0 ? '+' : '\0';
  gboolean is_cut = FALSE;
  guint n_shown = 0;

  if (n > 0 && *lines[n - 1] == '\0')
    n--;
  if (n == 0 && !preview->is_new)
    beckon_text_append (text, "\n%s", _("Nothing in the file would change."));
  for (guint i = 0; i < n; i++)
    {
      if (!is_shown (preview, lines[i]))
        continue;
      if (most_lines > 0 && n_shown == most_lines)
        {
          g_string_append_c (text, '\n');
          beckon_text_append (text, g_dngettext (GETTEXT_PACKAGE, "… %u more line", "… %u more lines", n - i), n - i);
          is_cut = TRUE;
          break;
        }
      is_cut |= append_line (text, sign, lines[i], colour, most_lines > 0);
      n_shown++;
    }
  return is_cut;
}
