/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-form-private.h"

#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (BeckonForm, beckon_form, G_TYPE_OBJECT)

static guint changed_signal;

static void
beckon_form_finalize (GObject *object)
{
  BeckonForm *self = BECKON_FORM (object);

  g_clear_pointer (&self->root, beckon_form_field_unref);
  g_clear_pointer (&self->schema, beckon_json_schema_free);
  g_clear_pointer (&self->proposal, beckon_json_value_free);
  g_clear_pointer (&self->value, beckon_json_value_free);
  g_clear_pointer (&self->parameters, beckon_parameters_unref);
  g_clear_pointer (&self->history, beckon_form_history_free);
  g_clear_pointer (&self->choices, g_hash_table_unref);
  g_ptr_array_unref (self->secrets);
  g_free (self->proposal_text);
  g_free (self->value_text);
  g_free (self->text);
  G_OBJECT_CLASS (beckon_form_parent_class)->finalize (object);
}

static void
beckon_form_class_init (BeckonFormClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_form_finalize;

  changed_signal = g_signal_new ("changed", BECKON_TYPE_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_form_init (BeckonForm *self)
{
  self->choices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->history = beckon_form_history_new ();
  self->secrets = g_ptr_array_new_with_free_func (g_free);
}

static gboolean
is_secret (BeckonForm *self, const char *name)
{
  return g_ptr_array_find_with_equal_func (self->secrets, name, g_str_equal, NULL);
}

static void
mark_secrets (BeckonForm *self)
{
  for (guint i = 0; i < self->secrets->len; i++)
    {
      g_autoptr (GString) pointer = g_string_new (NULL);
      BeckonFormField *field;

      beckon_json_pointer_append (pointer, g_ptr_array_index (self->secrets, i), -1);
      field = beckon_form_field_find (self->root, pointer->str);
      if (field == NULL)
        continue;
      field->is_secret = TRUE;
      g_clear_pointer (&field->shown, g_free);
    }
}

void
beckon_form_refresh (BeckonForm *self)
{
  BeckonFormBuild build = {
    .schema = self->schema,
    .text = self->value_text,
    .value = self->value,
    .proposal_text = self->proposal_text,
    .proposal = self->proposal,
    .parameters = self->parameters,
    .choices = self->choices,
    .fills_in = self->fills_in,
    .is_tried = self->is_tried,
  };
  BeckonFormField *before = self->root;

  self->root = beckon_form_build (&build);
  mark_secrets (self);
  self->n_errors = build.n_errors;
  g_clear_pointer (&before, beckon_form_field_unref);
}

static void
form_take_text (BeckonForm *self, char *text)
{
  BeckonJsonValue *value = beckon_json_value_parse (text, -1, NULL);

  g_free (self->text);
  self->text = text;
  self->is_json = value != NULL;
  if (value == NULL)
    return;
  g_clear_pointer (&self->value, beckon_json_value_free);
  self->value = value;
  g_free (self->value_text);
  self->value_text = g_strdup (text);
  beckon_form_refresh (self);
}

static BeckonForm *
make (const char *schema, const char *proposal, BeckonParameters *parameters, gboolean fills_in)
{
  BeckonForm *self = g_object_new (BECKON_TYPE_FORM, NULL);

  self->fills_in = fills_in;
  if (schema != NULL)
    self->schema = beckon_json_schema_new (schema, -1, fills_in ? BECKON_JSON_SCHEMA_CHECK_FORMATS : BECKON_JSON_SCHEMA_2020_12,
                                           NULL);
  if (self->schema == NULL)
    self->schema = beckon_json_schema_new ("{}", -1, BECKON_JSON_SCHEMA_2020_12, NULL);
  self->parameters = parameters != NULL ? beckon_parameters_ref (parameters) : NULL;
  self->proposal_text = g_strdup (proposal);
  self->proposal = beckon_json_value_parse (proposal, -1, NULL);
  if (self->proposal == NULL)
    {
      self->proposal = beckon_json_value_parse ("{}", -1, NULL);
      form_take_text (self, g_strdup ("{}"));
    }
  form_take_text (self, g_strdup (proposal));
  return self;
}

BeckonForm *
beckon_form_new (const char *schema, const char *proposal, BeckonParameters *parameters)
{
  g_return_val_if_fail (proposal != NULL, NULL);

  return make (schema, proposal, parameters, FALSE);
}

BeckonForm *
beckon_form_new_to_fill_in (const char *schema, const char *initial)
{
  g_return_val_if_fail (schema != NULL && initial != NULL, NULL);

  return make (schema, initial, NULL, TRUE);
}

void
beckon_form_set_secrets (BeckonForm *self, GPtrArray *names)
{
  g_return_if_fail (BECKON_IS_FORM (self));
  g_return_if_fail (names != NULL);

  g_ptr_array_set_size (self->secrets, 0);
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (self->secrets, g_strdup (g_ptr_array_index (names, i)));
  mark_secrets (self);
}

/* (transfer full) (nullable): JSON without the first secret in it; %NULL where there is none. */
static char *
dup_without_secret (BeckonForm *self, const char *text)
{
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (text, -1, NULL);

  guint n = value != NULL && value->kind == BECKON_JSON_VALUE_OBJECT ? beckon_json_value_get_n_children (value) : 0;

  for (guint i = 0; i < n; i++)
    if (is_secret (self, beckon_json_value_get_child (value, i)->name->str))
      {
        g_autoptr (BeckonJsonEdit) edit = beckon_json_edit_remove (value, i);

        return beckon_json_edit_apply (edit, text);
      }
  return NULL;
}

/* A text that is no JSON may have one anywhere. */
char *
beckon_form_dup_public (BeckonForm *self)
{
  char *text, *less;

  g_return_val_if_fail (BECKON_IS_FORM (self), NULL);

  text = g_strdup (self->secrets->len > 0 && !self->is_json ? self->proposal_text : self->text);
  while (self->secrets->len > 0 && (less = dup_without_secret (self, text)) != NULL)
    {
      beckon_wipe (text);
      text = less;
    }
  return text;
}

const char *
beckon_form_get_text (BeckonForm *self)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), NULL);

  return self->text;
}

const char *
beckon_form_get_proposal (BeckonForm *self)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), NULL);

  return self->proposal_text;
}

gboolean
beckon_form_redacts (BeckonForm *self)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), TRUE);

  return beckon_parameters_redacts (self->parameters);
}

char *
beckon_form_dup_shown (BeckonForm *self, const char *text)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), NULL);

  return beckon_parameters_redact (self->parameters, text);
}

BeckonFormField *
beckon_form_get_root (BeckonForm *self)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), NULL);

  return self->root;
}

BeckonFormField *
beckon_form_find (BeckonForm *self, const char *pointer)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), NULL);

  return beckon_form_field_find (self->root, pointer);
}

gboolean
beckon_form_is_json (BeckonForm *self)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  return self->is_json;
}

gboolean
beckon_form_is_valid (BeckonForm *self)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  return self->is_json && self->value->kind == BECKON_JSON_VALUE_OBJECT && self->n_errors == 0
         && strlen (self->text) <= BECKON_FORM_MAX_TEXT;
}

void
beckon_form_set_tried (BeckonForm *self)
{
  if (self->is_tried)
    return;
  self->is_tried = TRUE;
  beckon_form_refresh (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
append_problems (GString *lines, const BeckonFormField *field)
{
  if (field->problem != NULL && !field->is_warning)
    beckon_text_append (lines, *field->title != '\0' ? "%s%s: %s" : "%s%s%s", lines->len > 0 ? "\n" : "", field->title,
                        field->problem);
  for (guint i = 0; i < field->children->len; i++)
    append_problems (lines, g_ptr_array_index (field->children, i));
}

char *
beckon_form_dup_problems (BeckonForm *self)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  g_return_val_if_fail (BECKON_IS_FORM (self), NULL);

  if (beckon_form_is_valid (self))
    return NULL;
  if (!self->is_json || self->value->kind != BECKON_JSON_VALUE_OBJECT)
    return beckon_form_dup_fault (self, NULL);
  beckon_form_set_tried (self);
  append_problems (lines, self->root);
  return lines->len > 0 ? g_string_free (g_steal_pointer (&lines), FALSE) : g_strdup (_("The text is too long."));
}

static guint
form_count_lines (const char *text, gsize length)
{
  guint n = 0;

  for (gsize i = 0; i < length && text[i] != '\0'; i++)
    n += text[i] == '\n';
  return n;
}

char *
beckon_form_dup_fault (BeckonForm *self, guint *line)
{
  BeckonJsonFault fault;
  gsize offset;

  g_return_val_if_fail (BECKON_IS_FORM (self), NULL);

  if (line != NULL)
    *line = 0;
  if (self->is_json)
    return self->value->kind == BECKON_JSON_VALUE_OBJECT ? NULL : g_strdup (_("The arguments are not a JSON object."));
  fault = beckon_json_find_fault (self->text, -1, &offset);
  if (line != NULL)
    *line = form_count_lines (self->text, offset);
  /* Translators: %s is what is wrong, such as "the text ends too early" */
  return beckon_text_printf (_("This is not JSON: %s"), _(beckon_json_fault_to_string (fault)));
}

guint
beckon_form_find_line (BeckonForm *self, const char *pointer)
{
  const BeckonJsonValue *value;

  g_return_val_if_fail (BECKON_IS_FORM (self), 0);

  value = self->is_json ? beckon_json_value_point (self->value, pointer) : NULL;
  return value != NULL ? form_count_lines (self->text, value->offset) : 0;
}

gboolean
beckon_form_is_edited (BeckonForm *self)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  return strcmp (self->text, self->proposal_text) != 0;
}

/* --- Changes ------------------------------------------------------------------------------------------------------ */

static void
form_apply (BeckonForm *self, const BeckonJsonEdit *edit)
{
  form_take_text (self, beckon_json_edit_apply (edit, self->text));
  g_signal_emit (self, changed_signal, 0);
}

void
beckon_form_do (BeckonForm *self, BeckonJsonEdit *edit, const char *where)
{
  beckon_form_history_add (self->history, edit, self->text, where);
  form_apply (self, edit);
  beckon_json_edit_free (edit);
}

void
beckon_form_set_text (BeckonForm *self, const char *text)
{
  BeckonJsonEdit *edit;

  g_return_if_fail (BECKON_IS_FORM (self));
  g_return_if_fail (text != NULL);

  edit = beckon_json_edit_between (self->text, text);
  if (edit != NULL)
    beckon_form_do (self, edit, "");
}

gboolean
beckon_form_revert (BeckonForm *self)
{
  BeckonJsonEdit *edit;

  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  edit = beckon_json_edit_between (self->text, self->proposal_text);
  if (edit != NULL)
    beckon_form_do (self, edit, NULL);
  return edit != NULL;
}

gboolean
beckon_form_can_undo (BeckonForm *self)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  return beckon_form_history_can_undo (self->history);
}

gboolean
beckon_form_can_redo (BeckonForm *self)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  return beckon_form_history_can_redo (self->history);
}

void
beckon_form_undo (BeckonForm *self)
{
  g_autoptr (BeckonJsonEdit) edit = NULL;

  g_return_if_fail (BECKON_IS_FORM (self));

  edit = beckon_form_history_undo (self->history);
  if (edit != NULL)
    form_apply (self, edit);
}

void
beckon_form_redo (BeckonForm *self)
{
  g_autoptr (BeckonJsonEdit) edit = NULL;

  g_return_if_fail (BECKON_IS_FORM (self));

  edit = beckon_form_history_redo (self->history);
  if (edit != NULL)
    form_apply (self, edit);
}

void
beckon_form_break_typing (BeckonForm *self)
{
  g_return_if_fail (BECKON_IS_FORM (self));

  beckon_form_history_break (self->history);
}
