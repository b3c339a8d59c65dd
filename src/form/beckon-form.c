/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-form-build.h"
#include "beckon-form-history.h"
#include "form/beckon-form.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

struct _BeckonForm
{
  GObject parent_instance;

  BeckonJsonSchema *schema;
  char *proposal_text;
  BeckonJsonValue *proposal; /* an empty object where the proposal is no JSON */
  BeckonParameters *parameters; /* (nullable) */

  char *text;
  BeckonJsonValue *value; /* of the last text that was JSON */
  char *value_text;       /* that text */
  gboolean is_json;
  gboolean fills_in;
  gboolean is_tried;
  BeckonFormField *root;
  guint n_errors;
  GHashTable *choices;
  GPtrArray *secrets; /* (element-type utf8): names of members */
  BeckonFormHistory *history;
};

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

/* The fields anew without a change of the text. */
static void
form_refresh (BeckonForm *self)
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
  form_refresh (self);
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
  /* From now on what is missing is a fault to be shown: the person tried to send it. */
  if (!self->is_tried)
    {
      self->is_tried = TRUE;
      form_refresh (self);
      g_signal_emit (self, changed_signal, 0);
    }
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

/* Makes a change, remembers it, and makes the fields anew. @edit: (transfer full). @where: see beckon_form_history_add(). */
static void
form_do (BeckonForm *self, BeckonJsonEdit *edit, const char *where)
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
    form_do (self, edit, "");
}

gboolean
beckon_form_revert (BeckonForm *self)
{
  BeckonJsonEdit *edit;

  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  edit = beckon_json_edit_between (self->text, self->proposal_text);
  if (edit != NULL)
    form_do (self, edit, NULL);
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

/* Changes of fields, made in the text. */

static gboolean
may_change (BeckonForm *self, const BeckonFormField *field)
{
  return self->is_json && field != NULL && field->access == BECKON_FORM_EDITABLE;
}

static char *
quote (const char *text)
{
  GString *json = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_string (&writer, text, -1);
  return g_string_free (json, FALSE);
}

/* Finds a field's parent; returns its value, which may be %NULL. @name: (out): what its key is, or its index. */
static const BeckonJsonValue *
form_find_parent (BeckonForm *self, const char *pointer, GString *name)
{
  const char *slash = strrchr (pointer, '/');
  g_autofree char *place = NULL;

  if (slash == NULL)
    return NULL;
  g_string_assign (name, slash + 1);
  g_string_replace (name, "~1", "/", 0);
  g_string_replace (name, "~0", "~", 0);
  place = g_strndup (pointer, (gsize) (slash - pointer));
  return beckon_json_value_point (self->value, place);
}

static guint
find_index (const BeckonJsonValue *object, const GString *name)
{
  guint n = beckon_json_value_get_n_children (object);
  guint i;

  for (i = 0; i < n; i++)
    {
      if (g_string_equal (beckon_json_value_get_child (object, i)->name, name))
        break;
    }
  return i;
}

/* A removed member goes back to where it was: behind the same neighbour. */
static guint
find_place (BeckonForm *self, const char *pointer, const BeckonJsonValue *object, const GString *name)
{
  const char *slash = strrchr (pointer, '/');
  g_autofree char *place = g_strndup (pointer, (gsize) (slash - pointer));
  const BeckonJsonValue *before = beckon_json_value_point (self->proposal, place);
  guint n = beckon_json_value_get_n_children (object);

  if (before == NULL || before->kind != BECKON_JSON_VALUE_OBJECT || beckon_json_value_get_member (before, name) == NULL)
    return n;
  for (guint i = find_index (before, name); i > 0; i--)
    {
      guint index = find_index (object, beckon_json_value_get_child (before, i - 1)->name);

      if (index < n)
        return index + 1;
    }
  return 0;
}

static gboolean
insert_member (BeckonForm *self, const char *pointer, const char *json)
{
  g_autoptr (GString) name = g_string_new (NULL);
  const BeckonJsonValue *object = form_find_parent (self, pointer, name);

  if (object == NULL || object->kind != BECKON_JSON_VALUE_OBJECT)
    return FALSE;
  form_do (self, beckon_json_edit_insert (self->text, object, name, find_place (self, pointer, object, name), json),
           NULL);
  return TRUE;
}

static gboolean
put (BeckonForm *self, const BeckonFormField *field, const char *json, gboolean is_typed)
{
  const BeckonJsonValue *value = beckon_json_value_point (self->value, field->pointer);
  g_autofree char *pointer = g_strdup (field->pointer);
  g_autofree char *now = NULL;

  if (value == NULL)
    return insert_member (self, field->pointer, json);
  now = beckon_form_build_dup_slice (self->text, value);
  if (strcmp (now, json) == 0)
    return TRUE;
  form_do (self, beckon_json_edit_replace (value, json), is_typed ? pointer : NULL);
  return TRUE;
}

gboolean
beckon_form_put (BeckonForm *self, BeckonFormField *field, const char *json)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);
  g_return_val_if_fail (json != NULL, FALSE);

  return may_change (self, field) && beckon_json_check (json, -1, NULL) && put (self, field, json, FALSE);
}

static gboolean remove_child (BeckonForm *self, const BeckonFormField *field);

static gboolean
form_changes_is_number (const char *text)
{
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (text, -1, NULL);

  return value != NULL && value->kind == BECKON_JSON_VALUE_NUMBER;
}

gboolean
beckon_form_type (BeckonForm *self, BeckonFormField *field, const char *text)
{
  g_autofree char *stripped = NULL;
  g_autofree char *json = NULL;
  gboolean is_json;

  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  if (!may_change (self, field) || !g_utf8_validate (text, -1, NULL))
    return FALSE;
  stripped = g_strstrip (g_strdup (text));
  if (field->is_open && *stripped == '\0')
    return !field->is_present || remove_child (self, field);
  is_json = field->kind == BECKON_FORM_RAW ? beckon_json_check (stripped, -1, NULL)
                                           : (field->kind == BECKON_FORM_NUMBER || field->kind == BECKON_FORM_INTEGER)
                                                 && form_changes_is_number (stripped);
  json = is_json ? g_steal_pointer (&stripped) : quote (text);
  return put (self, field, json, TRUE);
}

gboolean
beckon_form_switch (BeckonForm *self, BeckonFormField *field, gboolean on)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  return may_change (self, field) && field->kind == BECKON_FORM_BOOLEAN && put (self, field, on ? "true" : "false", FALSE);
}

/* --- Numbers ------------------------------------------------------------------------------------------------------ */

static long double
form_changes_get_word (const BeckonFormField *field, const char *word, long double fallback)
{
  const BeckonJsonValue *value = beckon_form_shape_get (field->shape, word);

  return value != NULL && value->kind == BECKON_JSON_VALUE_NUMBER ? beckon_json_value_get_number (value) : fallback;
}

gboolean
beckon_form_step (BeckonForm *self, BeckonFormField *field, int steps)
{
  const BeckonJsonValue *value;
  g_autoptr (GString) json = NULL;
  BeckonJsonWriter writer;
  long double step, number, least, most;

  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  if (!may_change (self, field) || (field->kind != BECKON_FORM_NUMBER && field->kind != BECKON_FORM_INTEGER))
    return FALSE;
  value = beckon_json_value_point (self->value, field->pointer);
  if (value == NULL || value->kind != BECKON_JSON_VALUE_NUMBER)
    return FALSE;
  step = form_changes_get_word (field, "multipleOf", 1);
  step = step > 0 ? step : 1;
  least = MAX (form_changes_get_word (field, "minimum", -HUGE_VALL),
               form_changes_get_word (field, "exclusiveMinimum", -HUGE_VALL) + step);
  most = MIN (form_changes_get_word (field, "maximum", HUGE_VALL),
              form_changes_get_word (field, "exclusiveMaximum", HUGE_VALL) - step);
  number = beckon_json_value_get_number (value) + steps * step;
  if (number < least || number > most || !isfinite (number))
    return FALSE;
  json = g_string_new (NULL);
  beckon_json_writer_init (&writer, json);
  if (number == floorl (number) && fabsl (number) < 9.2e18L)
    beckon_json_writer_int (&writer, (gint64) number);
  else
    beckon_json_writer_double (&writer, (double) number);
  return put (self, field, json->str, TRUE);
}

/* --- Choices ------------------------------------------------------------------------------------------------------ */

static gboolean
form_changes_fits (const BeckonFormShape *shape, const BeckonJsonValue *value)
{
  for (guint i = 0; i < shape->parts->len; i++)
    {
      if (!beckon_json_schema_fits (shape->schema, g_ptr_array_index (shape->parts, i), value))
        return FALSE;
    }
  return TRUE;
}

static void
keep_member (BeckonForm *self, GString *json, const BeckonFormShape *variant, const BeckonJsonValue *given,
             const BeckonJsonValue *now)
{
  const GString *name = given != NULL ? given->name : now->name;
  const BeckonJsonValue as_value = { .kind = BECKON_JSON_VALUE_STRING, .text = (GString *) name };
  g_autoptr (BeckonFormShape) member = beckon_form_shape_new_member (variant, name, now);
  gboolean keeps = now != NULL && form_changes_fits (member, now);
  g_autofree char *quoted = beckon_json_value_print (&as_value);
  g_autofree char *value = keeps ? beckon_form_build_dup_slice (self->value_text, now)
                                 : given != NULL ? beckon_json_value_print (given) : NULL;

  if (value != NULL)
    g_string_append_printf (json, "%s%s: %s", json->len > 1 ? ", " : "", quoted, value);
}

/* The members that both kinds know and that fit stay as they are. */
static char *
convert_object (BeckonForm *self, const BeckonFormShape *variant, const BeckonJsonValue *given, const BeckonJsonValue *now)
{
  g_autoptr (GPtrArray) names = beckon_form_shape_list_members (variant);
  GString *json = g_string_new ("{");

  for (guint i = 0; i < given->children->len; i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (given, i);

      keep_member (self, json, variant, child, beckon_json_value_get_member (now, child->name));
    }
  for (guint i = 0; i < names->len; i++)
    {
      const GString *name = g_ptr_array_index (names, i);
      const BeckonJsonValue *member = beckon_json_value_get_member (now, name);

      if (member != NULL && beckon_json_value_get_member (given, name) == NULL)
        keep_member (self, json, variant, NULL, member);
    }
  g_string_append_c (json, '}');
  return g_string_free (json, FALSE);
}

/* 5 and "5" are the same to the person who typed it. */
static char *
convert_scalar (const BeckonFormShape *variant, const BeckonJsonValue *now)
{
  g_autoptr (BeckonJsonValue) converted = NULL;
  g_autofree char *json = NULL;

  if (now->kind == BECKON_JSON_VALUE_NUMBER)
    json = quote (now->text->str);
  else if (beckon_json_value_get_string (now) != NULL && form_changes_is_number (now->text->str))
    json = g_strdup (now->text->str);
  converted = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  return converted != NULL && beckon_form_shape_is_variant (variant, converted) ? g_steal_pointer (&json) : NULL;
}

static char *
form_changes_convert (BeckonForm *self, const BeckonFormShape *variant, const BeckonJsonValue *now)
{
  g_autofree char *json = beckon_form_shape_dup_default (variant);
  g_autoptr (BeckonJsonValue) given = beckon_json_value_parse (json, -1, NULL);
  char *scalar = now != NULL ? convert_scalar (variant, now) : NULL;

  if (scalar != NULL)
    return scalar;
  if (given != NULL && now != NULL && given->kind == BECKON_JSON_VALUE_OBJECT && now->kind == BECKON_JSON_VALUE_OBJECT)
    return convert_object (self, variant, given, now);
  return g_steal_pointer (&json);
}

static gboolean
choose_variant (BeckonForm *self, BeckonFormField *field, guint option)
{
  const BeckonJsonValue *value = beckon_json_value_point (self->value, field->pointer);
  g_autoptr (GPtrArray) variants = beckon_form_shape_list_variants (field->shape, value);
  const BeckonFormShape *variant;
  g_autofree char *json = NULL;

  if (variants == NULL || option >= variants->len)
    return FALSE;
  variant = g_ptr_array_index (variants, option);
  g_hash_table_insert (self->choices, g_strdup (field->pointer), GINT_TO_POINTER ((int) option + 1));
  if (value != NULL && beckon_form_shape_is_variant (variant, value))
    {
      form_refresh (self);
      g_signal_emit_by_name (self, "changed");
      return TRUE;
    }
  json = form_changes_convert (self, variant, value);
  return put (self, field, json, FALSE);
}

gboolean
beckon_form_choose (BeckonForm *self, BeckonFormField *field, guint option)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  if (!may_change (self, field) || field->options == NULL || option >= field->options->len)
    return FALSE;
  if (field->kind == BECKON_FORM_CHOICE)
    return choose_variant (self, field, option);
  return field->kind == BECKON_FORM_ENUM && put (self, field, g_ptr_array_index (field->values, option), FALSE);
}

gboolean
beckon_form_pick (BeckonForm *self, BeckonFormField *field, guint option, gboolean on)
{
  g_autoptr (GString) json = g_string_new ("[");

  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  if (!may_change (self, field) || field->kind != BECKON_FORM_SEVERAL || option >= field->options->len)
    return FALSE;
  for (guint i = 0; i < field->options->len; i++)
    {
      if (i == option ? on : field->picked[i])
        g_string_append_printf (json, "%s%s", json->len > 1 ? ", " : "", (char *) g_ptr_array_index (field->values, i));
    }
  g_string_append_c (json, ']');
  return put (self, field, json->str, FALSE);
}

/* --- Keys and elements -------------------------------------------------------------------------------------------- */

gboolean
beckon_form_fill (BeckonForm *self, BeckonFormField *field)
{
  g_autofree char *json = NULL;

  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  if (!may_change (self, field) || field->is_present)
    return FALSE;
  json = field->proposed != NULL ? g_strdup (field->proposed) : beckon_form_shape_dup_default (field->shape);
  return put (self, field, json, FALSE);
}

gboolean
beckon_form_add_member (BeckonForm *self, BeckonFormField *object, const char *name)
{
  g_autoptr (GString) pointer = NULL;
  g_autoptr (GString) key = NULL;
  g_autoptr (BeckonFormShape) shape = NULL;
  g_autofree char *json = NULL;
  const BeckonParameter *settled;

  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  if (!may_change (self, object) || object->kind != BECKON_FORM_OBJECT
      || beckon_json_value_get (beckon_json_value_point (self->value, object->pointer), name) != NULL)
    return FALSE;
  settled = *object->pointer == '\0' ? beckon_parameters_find (self->parameters, name) : NULL;
  if (settled != NULL && (settled->access != BECKON_FORM_EDITABLE || settled->pinned != NULL))
    return FALSE;
  key = g_string_new (name);
  shape = beckon_form_shape_new_member (object->shape, key, NULL);
  if (settled != NULL && settled->allowed != NULL)
    json = g_strdup (g_ptr_array_index (settled->allowed, 0));
  else
    json = beckon_form_shape_dup_default (shape);
  pointer = g_string_new (object->pointer);
  beckon_json_pointer_append (pointer, name, -1);
  return insert_member (self, pointer->str, json);
}

gboolean
beckon_form_add_element (BeckonForm *self, BeckonFormField *array)
{
  const BeckonJsonValue *value;
  g_autoptr (BeckonFormShape) shape = NULL;
  g_autofree char *json = NULL;

  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  if (!may_change (self, array) || array->kind != BECKON_FORM_ARRAY || !array->can_grow)
    return FALSE;
  value = beckon_json_value_point (self->value, array->pointer);
  if (value == NULL)
    return FALSE;
  shape = beckon_form_shape_new_element (array->shape, value->children->len, NULL);
  json = beckon_form_shape_dup_default (shape);
  form_do (self, beckon_json_edit_insert (self->text, value, NULL, value->children->len, json), NULL);
  return TRUE;
}

static gboolean
remove_child (BeckonForm *self, const BeckonFormField *field)
{
  g_autoptr (GString) name = g_string_new (NULL);
  const BeckonJsonValue *parent = form_find_parent (self, field->pointer, name);
  guint index;

  if (parent == NULL || beckon_json_value_point (self->value, field->pointer) == NULL)
    return FALSE;
  index = parent->kind == BECKON_JSON_VALUE_ARRAY ? (guint) g_ascii_strtoull (name->str, NULL, 10)
                                                  : find_index (parent, name);
  form_do (self, beckon_json_edit_remove (parent, index), NULL);
  return TRUE;
}

gboolean
beckon_form_clear (BeckonForm *self, BeckonFormField *field)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  return may_change (self, field) && field->is_open && (!field->is_present || remove_child (self, field));
}

gboolean
beckon_form_remove (BeckonForm *self, BeckonFormField *field)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  return may_change (self, field) && field->can_remove && remove_child (self, field);
}

gboolean
beckon_form_move (BeckonForm *self, BeckonFormField *element, int steps)
{
  g_autoptr (GString) name = g_string_new (NULL);
  const BeckonJsonValue *array;
  gint64 from, to;

  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  if (!may_change (self, element) || !element->is_element)
    return FALSE;
  array = form_find_parent (self, element->pointer, name);
  from = g_ascii_strtoll (name->str, NULL, 10);
  to = from + steps;
  if (array == NULL || steps == 0 || to < 0 || to >= (gint64) beckon_json_value_get_n_children (array))
    return FALSE;
  form_do (self, beckon_json_edit_move (self->text, array, (guint) from, (guint) to), NULL);
  return TRUE;
}

gboolean
beckon_form_reset (BeckonForm *self, BeckonFormField *field)
{
  g_return_val_if_fail (BECKON_IS_FORM (self), FALSE);

  if (!may_change (self, field) || !field->is_edited)
    return FALSE;
  return field->proposed != NULL ? put (self, field, field->proposed, FALSE) : remove_child (self, field);
}
