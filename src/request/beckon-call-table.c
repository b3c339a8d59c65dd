/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-table.h"

#include "base/beckon-json-value.h"
#include "base/beckon-text.h"
#include "beckon-approval-request.h"

#include <string.h>

typedef struct
{
  BeckonJsonValue *value; /* (nullable): what is no JSON */
  char *text;             /* the arguments as they may be shown */
  gboolean is_edited;
  gboolean is_cut;
  GPtrArray *cells; /* (element-type utf8) (nullable elements) */
} Row;

struct _BeckonCallTable
{
  GPtrArray *rows;    /* (element-type Row) */
  GPtrArray *columns; /* (element-type utf8): as they are shown */
  char *common;       /* (nullable) */
};

static void
row_free (gpointer data)
{
  Row *row = data;

  g_clear_pointer (&row->value, beckon_json_value_free);
  g_ptr_array_unref (row->cells);
  g_free (row->text);
  g_free (row);
}

static gboolean
is_approval (BeckonRequest *request)
{
  return BECKON_IS_APPROVAL_REQUEST (request) && beckon_request_get_step (request) == NULL
         && !beckon_request_get_outcome_unknown (request);
}

static const char *
call_table_get_server (BeckonRequest *request)
{
  const BeckonApprovalDetails *details = beckon_request_get_details (request);

  return details != NULL ? details->server : NULL;
}

gboolean
beckon_call_table_is_similar (BeckonRequest *one, BeckonRequest *other)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (one), FALSE);
  g_return_val_if_fail (BECKON_IS_REQUEST (other), FALSE);

  return is_approval (one) && is_approval (other)
         && g_strcmp0 (beckon_request_get_message_id (one), beckon_request_get_message_id (other)) == 0
         && g_strcmp0 (beckon_request_get_conversation_id (one), beckon_request_get_conversation_id (other)) == 0
         && g_strcmp0 (beckon_request_get_tool (one), beckon_request_get_tool (other)) == 0
         && g_strcmp0 (call_table_get_server (one), call_table_get_server (other)) == 0;
}

/* --- Drafts ------------------------------------------------------------------------------------------------------- */

/* (nullable): what the person has made of the arguments so far. Caller frees. */
static char *
dup_drafted (BeckonRequest *request)
{
  g_auto (BeckonApprovalDraft) draft = { 0 };

  if (beckon_request_get_state (request) != BECKON_REQUEST_PENDING || beckon_request_get_draft (request) == NULL)
    return NULL;
  beckon_approval_draft_read (&draft, beckon_request_get_draft (request));
  return g_steal_pointer (&draft.arguments);
}

BeckonAnswer *
beckon_call_table_make_answer (BeckonRequest *request, gboolean run)
{
  g_autofree char *drafted = NULL;
  g_auto (BeckonApprovalDraft) draft = { 0 };

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  beckon_approval_draft_read (&draft, beckon_request_get_draft (request));
  if (!run)
    return beckon_answer_new (BECKON_ANSWER_DECLINED,
                              draft.feedback != NULL && *draft.feedback != '\0' ? draft.feedback : NULL);
  drafted = dup_drafted (request);
  return beckon_answer_new (drafted != NULL ? BECKON_ANSWER_APPROVED_EDITED : BECKON_ANSWER_APPROVED, drafted);
}

/* --- Rows --------------------------------------------------------------------------------------------------------- */

static Row *
row_new (BeckonRequest *request)
{
  const BeckonApprovalDetails *details = beckon_request_get_details (request);
  g_autofree char *drafted = dup_drafted (request);
  Row *row = g_new0 (Row, 1);

  if (drafted != NULL)
    row->text = details != NULL ? beckon_parameters_redact (details->parameters, drafted) : g_strdup (drafted);
  else
    row->text = beckon_request_dup_shown_arguments (request);
  row->is_edited = drafted != NULL;
  row->cells = g_ptr_array_new_with_free_func (g_free);
  row->value = beckon_json_value_parse (row->text, -1, NULL);
  if (row->value != NULL && row->value->kind != BECKON_JSON_VALUE_OBJECT)
    g_clear_pointer (&row->value, beckon_json_value_free);
  return row;
}

/* Line breaks are seen as what they are. */
static char *
show_lines (const GString *text)
{
  g_autoptr (GString) shown = g_string_new (NULL);
  const char *at = text->str;
  const char *end = text->str + text->len;

  while (at <= end)
    {
      const char *next = memchr (at, '\n', (gsize) (end - at));
      g_autofree char *line = beckon_text_for_display (at, (next != NULL ? next : end) - at, BECKON_TEXT_EXACT);

      g_string_append (shown, line);
      if (next == NULL)
        break;
      g_string_append_c (shown, '\n');
      at = next + 1;
    }
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

/* Text as it is, anything else as JSON; with everything written out that would not be seen. */
static char *
show_value (const BeckonJsonValue *value, gboolean *is_cut)
{
  g_autofree char *shown = NULL;

  if (value->kind == BECKON_JSON_VALUE_STRING && value->text->len > 0)
    shown = show_lines (value->text);
  else
    {
      g_autofree char *json = beckon_json_value_print (value);

      shown = beckon_text_for_display (json, -1, BECKON_TEXT_EXACT);
    }
  if (g_utf8_strlen (shown, -1) <= BECKON_CALL_TABLE_MAX_CELL)
    return g_steal_pointer (&shown);
  *is_cut = TRUE;
  return beckon_text_shorten (shown, BECKON_CALL_TABLE_MAX_CELL);
}

/* All names, in the order in which they come up. */
static GPtrArray *
list_names (GPtrArray *rows)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = g_ptr_array_index (rows, i);

      for (guint j = 0; j < beckon_json_value_get_n_children (row->value); j++)
        {
          GString *name = beckon_json_value_get_child (row->value, j)->name;

          if (!g_ptr_array_find_with_equal_func (names, name, (GEqualFunc) g_string_equal, NULL))
            g_ptr_array_add (names, name);
        }
    }
  return names;
}

static const BeckonJsonValue *
call_table_get_member (const Row *row, const GString *name)
{
  return row->value != NULL ? beckon_json_value_get_member (row->value, name) : NULL;
}

static gboolean
is_common (GPtrArray *rows, const GString *name)
{
  const BeckonJsonValue *first = call_table_get_member (g_ptr_array_index (rows, 0), name);

  for (guint i = 0; first != NULL && i < rows->len; i++)
    {
      const BeckonJsonValue *other = call_table_get_member (g_ptr_array_index (rows, i), name);

      if (other == NULL || !beckon_json_value_equal (first, other))
        return FALSE;
    }
  return first != NULL;
}

/* Cells of all are cut in all. */
static void
add_common (BeckonCallTable *table, GString *lines, const GString *name)
{
  Row *first = g_ptr_array_index (table->rows, 0);
  g_autofree char *title = beckon_text_for_display (name->str, (gssize) name->len, BECKON_TEXT_EXACT);
  gboolean is_cut = FALSE;
  g_autofree char *shown = show_value (call_table_get_member (first, name), &is_cut);

  g_string_append_printf (lines, "%s%s: %s", lines->len > 0 ? "\n" : "", title, shown);
  for (guint i = 0; is_cut && i < table->rows->len; i++)
    ((Row *) g_ptr_array_index (table->rows, i))->is_cut = TRUE;
}

static void
add_column (BeckonCallTable *table, const GString *name)
{
  g_ptr_array_add (table->columns, beckon_text_for_display (name->str, (gssize) name->len, BECKON_TEXT_EXACT));
  for (guint i = 0; i < table->rows->len; i++)
    {
      Row *row = g_ptr_array_index (table->rows, i);
      const BeckonJsonValue *value = call_table_get_member (row, name);

      g_ptr_array_add (row->cells, value != NULL ? show_value (value, &row->is_cut) : NULL);
    }
}

static gboolean
all_are_objects (GPtrArray *rows)
{
  for (guint i = 0; i < rows->len; i++)
    {
      if (((Row *) g_ptr_array_index (rows, i))->value == NULL)
        return FALSE;
    }
  return TRUE;
}

static void
lay_out (BeckonCallTable *table)
{
  g_autoptr (GPtrArray) names = list_names (table->rows);
  g_autoptr (GString) common = g_string_new (NULL);

  if (!all_are_objects (table->rows))
    {
      /* Shows each as text when any is no JSON object. */
      g_ptr_array_add (table->columns, g_strdup (""));
      for (guint i = 0; i < table->rows->len; i++)
        {
          Row *row = g_ptr_array_index (table->rows, i);
          g_autofree char *shown = beckon_text_for_display (row->text, -1, BECKON_TEXT_EXACT);

          row->is_cut = g_utf8_strlen (shown, -1) > BECKON_CALL_TABLE_MAX_CELL;
          g_ptr_array_add (row->cells, beckon_text_shorten (shown, BECKON_CALL_TABLE_MAX_CELL));
        }

      return;
    }
  for (guint i = 0; i < names->len; i++)
    {
      if (is_common (table->rows, g_ptr_array_index (names, i)))
        add_common (table, common, g_ptr_array_index (names, i));
      else
        add_column (table, g_ptr_array_index (names, i));
    }
  if (common->len > 0)
    table->common = g_strdup (common->str);
}

BeckonCallTable *
beckon_call_table_new (GPtrArray *requests)
{
  BeckonCallTable *table;

  g_return_val_if_fail (requests != NULL && requests->len > 0, NULL);

  table = g_new0 (BeckonCallTable, 1);
  table->rows = g_ptr_array_new_with_free_func (row_free);
  table->columns = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < requests->len; i++)
    g_ptr_array_add (table->rows, row_new (g_ptr_array_index (requests, i)));
  lay_out (table);
  return table;
}

void
beckon_call_table_free (BeckonCallTable *table)
{
  if (table == NULL)
    return;
  g_ptr_array_unref (table->rows);
  g_ptr_array_unref (table->columns);
  g_free (table->common);
  g_free (table);
}

guint
beckon_call_table_get_n_rows (BeckonCallTable *table)
{
  return table->rows->len;
}

guint
beckon_call_table_get_n_columns (BeckonCallTable *table)
{
  return table->columns->len;
}

const char *
beckon_call_table_get_column (BeckonCallTable *table, guint column)
{
  return g_ptr_array_index (table->columns, column);
}

const char *
beckon_call_table_get_cell (BeckonCallTable *table, guint row, guint column)
{
  return g_ptr_array_index (((Row *) g_ptr_array_index (table->rows, row))->cells, column);
}

gboolean
beckon_call_table_is_cut (BeckonCallTable *table, guint row)
{
  return ((Row *) g_ptr_array_index (table->rows, row))->is_cut;
}

gboolean
beckon_call_table_is_edited (BeckonCallTable *table, guint row)
{
  return ((Row *) g_ptr_array_index (table->rows, row))->is_edited;
}

const char *
beckon_call_table_get_common (BeckonCallTable *table)
{
  return table->common;
}
