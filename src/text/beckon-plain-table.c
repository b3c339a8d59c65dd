/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-table.h"

#include "base/beckon-text-printf.h"
#include "beckon-call-labels.h"
#include "beckon-call-risks.h"
#include "beckon-plain-number.h"
#include "beckon-plain-text.h"
#include "request/beckon-approval-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Columns of a terminal in which a table is read easily. */
#define WIDEST_COLUMN 36
#define WIDEST_TABLE 78

/* --- Writing ------------------------------------------------------------------------------------------------------ */

static guint
plain_table_measure (const char *text)
{
  guint width = 0;

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      width += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}

/* On one line. Caller frees. */
static char *
dup_cell (BeckonCallTable *table, guint row, guint column)
{
  const char *cell = beckon_call_table_get_cell (table, row, column);
  GString *line = g_string_new (cell != NULL ? cell : "–");

  g_string_replace (line, "\n", "⏎", 0);
  return g_string_free (line, FALSE);
}

/* (nullable): how wide each column is; %NULL where they would not stand beside one another. */
static guint *
measure_columns (BeckonCallTable *table)
{
  guint n = beckon_call_table_get_n_columns (table);
  g_autofree guint *widths = g_new0 (guint, n + 1);
  guint all = 0;

  for (guint column = 0; column < n; column++)
    {
      widths[column] = plain_table_measure (beckon_call_table_get_column (table, column));
      for (guint row = 0; row < beckon_call_table_get_n_rows (table); row++)
        {
          g_autofree char *cell = dup_cell (table, row, column);

          widths[column] = MAX (widths[column], plain_table_measure (cell));
        }
      if (widths[column] > WIDEST_COLUMN)
        return NULL;
      all += widths[column] + 2;
    }
  return all <= WIDEST_TABLE ? g_steal_pointer (&widths) : NULL;
}

static void
append_padded (GString *line, const char *text, guint width)
{
  g_string_append (line, text);
  for (guint at = plain_table_measure (text); at < width + 2; at++)
    g_string_append_c (line, ' ');
}

static void
plain_table_append_line (GString *text, GString *line)
{
  gsize length = line->len;

  while (length > 0 && line->str[length - 1] == ' ')
    length--;
  g_string_append_c (text, '\n');
  g_string_append_len (text, line->str, (gssize) length);
}

static void
append_marks (GString *line, BeckonCallTable *table, guint row)
{
  if (beckon_call_table_is_edited (table, row))
    beckon_text_append (line, " %s", _("(changed)"));
  if (beckon_call_table_is_cut (table, row))
    beckon_text_append (line, " %s", _("(shortened)"));
}

static void
append_grid (GString *text, BeckonCallTable *table, const guint *widths)
{
  guint n = beckon_call_table_get_n_columns (table);
  g_autoptr (GString) head = g_string_new ("    ");

  for (guint column = 0; column < n; column++)
    append_padded (head, beckon_call_table_get_column (table, column), widths[column]);
  plain_table_append_line (text, head);
  for (guint row = 0; row < beckon_call_table_get_n_rows (table); row++)
    {
      g_autoptr (GString) line = g_string_new (NULL);

      g_string_append_printf (line, "%2u. ", row + 1);
      for (guint column = 0; column < n; column++)
        {
          g_autofree char *cell = dup_cell (table, row, column);

          append_padded (line, cell, widths[column]);
        }
      append_marks (line, table, row);
      plain_table_append_line (text, line);
    }
}

static void
append_list (GString *text, BeckonCallTable *table)
{
  for (guint row = 0; row < beckon_call_table_get_n_rows (table); row++)
    {
      g_autoptr (GString) line = g_string_new (NULL);

      g_string_append_printf (line, "%2u.", row + 1);
      for (guint column = 0; column < beckon_call_table_get_n_columns (table); column++)
        {
          const char *name = beckon_call_table_get_column (table, column);
          g_autofree char *cell = dup_cell (table, row, column);

          g_string_append_printf (line, "%s%s%s%s", column > 0 ? "\n    " : " ", name, *name != '\0' ? ": " : "", cell);
        }
      append_marks (line, table, row);
      plain_table_append_line (text, line);
    }
}

char *
beckon_plain_table_format (GPtrArray *requests)
{
  g_autoptr (BeckonCallTable) table = NULL;
  g_autofree guint *widths = NULL;
  g_autofree char *words = NULL;
  g_autofree char *risks = NULL;
  const BeckonApprovalDetails *details;
  GString *text = g_string_new ("⚠ ");
  BeckonRequest *first;

  g_return_val_if_fail (requests != NULL && requests->len > 0, NULL);

  first = g_ptr_array_index (requests, 0);
  table = beckon_call_table_new (requests);
  details = beckon_request_get_details (first);
  words = beckon_call_labels_describe (beckon_request_get_tool (first), details != NULL ? details->server : NULL, NULL,
                                       BECKON_CALL_PHASE_STEP);
  /* Translators: several calls of a tool that wait: %s is what one does, such as "Fetch a page", %u is how many there are */
  beckon_text_append (text, g_dngettext (GETTEXT_PACKAGE, "%s: %u call", "%s: %u calls", requests->len), words, requests->len);
  if (beckon_call_table_get_common (table) != NULL)
    /* Translators: what follows is the same in all calls of a table */
    beckon_text_append (text, "\n%s\n%s", _("The same in all calls:"), beckon_call_table_get_common (table));
  widths = measure_columns (table);
  if (widths != NULL)
    append_grid (text, table, widths);
  else
    append_list (text, table);
  risks = beckon_call_risks_describe_all (requests);
  if (*risks != '\0')
    beckon_plain_text_append (text, "\n", risks);
  if (beckon_request_get_reason (first) != NULL && !beckon_approval_reason_is_plain (beckon_request_get_reason (first)))
    {
      g_autofree char *reason = beckon_plain_text_for_terminal (beckon_request_get_reason (first), -1);

      g_string_append_printf (text, "\n%s", reason);
    }
  beckon_text_append (text, "\n\n%s",
                      _("Reply with: run all, deny all, or such as: run 1,3; deny 2. A number alone shows that call."));
  return g_string_free (text, FALSE);
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

static gboolean
begins_with_word (const char **text, const char *word)
{
  g_autofree char *folded = g_utf8_casefold (*text, -1);
  g_autofree char *wanted = g_utf8_casefold (word, -1);
  glong n = g_utf8_strlen (word, -1);
  gunichar next;

  if (!g_str_has_prefix (folded, wanted))
    return FALSE;
  next = g_utf8_get_char (g_utf8_offset_to_pointer (*text, n));
  /* Words written without spaces end where the next begins. */
  if (next < 0x80 && g_ascii_isalpha ((char) next))
    return FALSE;
  *text = g_utf8_offset_to_pointer (*text, n);
  return TRUE;
}

static gboolean
read_verb (const char **text, BeckonPlainTableDecision *decision)
{
  gboolean runs = begins_with_word (text, "run") || begins_with_word (text, _("Run"));

  *decision = runs ? BECKON_PLAIN_TABLE_RUN : BECKON_PLAIN_TABLE_DENY;
  return runs || begins_with_word (text, "deny") || begins_with_word (text, _("Deny"));
}

static gboolean
decide (BeckonPlainTableDecision *decisions, guint row, BeckonPlainTableDecision decision)
{
  if (decisions[row] != BECKON_PLAIN_TABLE_OPEN && decisions[row] != decision)
    return FALSE;
  decisions[row] = decision;
  return TRUE;
}

/* "run 1,3", "deny all" */
static gboolean
read_part (char *part, guint n_rows, BeckonPlainTableDecision *decisions)
{
  const char *text = g_strstrip (part);
  g_autoptr (GArray) numbers = NULL;
  BeckonPlainTableDecision decision;

  if (!read_verb (&text, &decision))
    return FALSE;
  while (g_unichar_isspace (g_utf8_get_char (text)))
    text = g_utf8_next_char (text);
  if (g_ascii_strcasecmp (text, "all") == 0 || g_utf8_collate (text, _("all")) == 0)
    {
      for (guint i = 0; i < n_rows; i++)
        if (!decide (decisions, i, decision))
          return FALSE;
      return TRUE;
    }
  numbers = beckon_plain_number_parse (text, TRUE);
  for (guint i = 0; numbers != NULL && i < numbers->len; i++)
    {
      guint number = g_array_index (numbers, guint, i);

      if (number < 1 || number > n_rows || !decide (decisions, number - 1, decision))
        return FALSE;
    }
  return numbers != NULL;
}

static gboolean
read_parts (const char *line, guint n_rows, BeckonPlainTableDecision *decisions)
{
  g_autoptr (GString) plain = g_string_new (line);
  g_auto (GStrv) parts = NULL;
  guint n_read = 0;

  g_string_replace (plain, "；", ";", 0);
  parts = g_strsplit (plain->str, ";", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (*g_strstrip (parts[i]) == '\0')
        continue;
      if (!read_part (parts[i], n_rows, decisions))
        return FALSE;
      n_read++;
    }
  return n_read > 0;
}

/* Calls not seen whole don't run with the others. */
static gboolean
runs_unseen (GPtrArray *requests, const BeckonPlainTableDecision *decisions, guint *row)
{
  g_autoptr (BeckonCallTable) table = beckon_call_table_new (requests);

  for (*row = 0; *row < requests->len; (*row)++)
    if (decisions[*row] == BECKON_PLAIN_TABLE_RUN && beckon_call_table_is_cut (table, *row))
      return TRUE;
  return FALSE;
}

BeckonPlainResult
beckon_plain_table_parse (GPtrArray *requests, const char *line, BeckonPlainTableDecision *decisions, guint *shown,
                          char **message)
{
  g_autoptr (GArray) number = beckon_plain_number_parse (line, FALSE);

  g_return_val_if_fail (requests != NULL && line != NULL, BECKON_PLAIN_AGAIN);

  memset (decisions, 0, requests->len * sizeof *decisions);
  *message = NULL;
  if (strcmp (line, "/stop") == 0)
    return BECKON_PLAIN_STOP;
  if (strcmp (line, "/status") == 0)
    return BECKON_PLAIN_STATUS;
  if (number != NULL && g_array_index (number, guint, 0) <= requests->len)
    {
      *shown = g_array_index (number, guint, 0) - 1;
      return BECKON_PLAIN_ITEM;
    }
  if (!read_parts (line, requests->len, decisions))
    {
      *message = g_strdup (_("Reply with: run all, deny all, or such as: run 1,3; deny 2. A number alone shows that call."));
      return BECKON_PLAIN_AGAIN;
    }
  if (runs_unseen (requests, decisions, shown))
    {
      /* Translators: %u is the number of a call in a table */
      *message = g_strdup_printf (_("Call %u was shortened. Type its number to see all of it before it runs."),
                                  *shown + 1);
      return BECKON_PLAIN_AGAIN;
    }
  return BECKON_PLAIN_ANSWER;
}
