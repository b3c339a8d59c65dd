/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plan-reference.h"

#include "base/beckon-json-value.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_ID 64
#define MAX_PATH 16
#define MAX_RESOLVED_BYTES (4 * 1024 * 1024)

/* Each reads the result that it leads into. */
#define MAX_REFERENCES 1000

typedef struct
{
  const char *start;
  const char *end;  /* behind the closing braces */
  char *id;
  gboolean is_status;
  GPtrArray *path;  /* utf8: a name, or "[0]" with its brackets; a name cannot begin with one unless it is quoted */
  GArray *is_index; /* gboolean, one for each of them */
  char *path_text;  /* as it is written */
} Reference;

static void
reference_clear (Reference *reference)
{
  g_clear_pointer (&reference->id, g_free);
  g_clear_pointer (&reference->path, g_ptr_array_unref);
  g_clear_pointer (&reference->is_index, g_array_unref);
  g_clear_pointer (&reference->path_text, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reference, reference_clear)

static const char *
skip_spaces (const char *at)
{
  while (*at == ' ')
    at++;
  return at;
}

static void
add_to_path (Reference *reference, char *name, gboolean is_index)
{
  g_ptr_array_add (reference->path, name);
  g_array_append_val (reference->is_index, is_index);
}

/* Behind a point: up to the next character that means something. */
static const char *
plan_reference_read_name (Reference *reference, const char *at)
{
  gsize length = strcspn (at, ".[]{}\"\\ \t\n");

  if (length == 0)
    return NULL;
  add_to_path (reference, g_strndup (at, length), FALSE);
  return at + length;
}

static const char *
read_quoted (Reference *reference, const char *at)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (; *at != '\0' && *at != '"'; at++)
    {
      if (*at == '\\' && (at[1] == '"' || at[1] == '\\'))
        at++;
      else if (*at == '\\')
        return NULL;
      g_string_append_c (name, *at);
    }
  if (at[0] != '"' || at[1] != ']')
    return NULL;
  add_to_path (reference, g_strdup (name->str), FALSE);
  return at + 2;
}

static const char *
read_index (Reference *reference, const char *at)
{
  gsize length = strspn (at, "0123456789");

  if (length == 0 || length > 7 || at[length] != ']' || (length > 1 && *at == '0'))
    return NULL;
  add_to_path (reference, g_strndup (at, length), TRUE);
  return at + length + 1;
}

static const char *
read_path (Reference *reference, const char *at)
{
  const char *start = at;

  while (at != NULL && (*at == '.' || *at == '['))
    {
      if (reference->path->len == MAX_PATH)
        return NULL;
      if (*at == '.')
        at = plan_reference_read_name (reference, at + 1);
      else if (at[1] == '"')
        at = read_quoted (reference, at + 2);
      else
        at = read_index (reference, at + 1);
    }
  if (at != NULL)
    reference->path_text = g_strndup (start, (gsize) (at - start));
  return at;
}

/* @at is behind "{{". FALSE when it is written in another way than a reference is. */
static gboolean
read_reference (Reference *reference, const char *at)
{
  gsize length = 0;

  reference->path = g_ptr_array_new_with_free_func (g_free);
  reference->is_index = g_array_new (FALSE, FALSE, sizeof (gboolean));
  at = skip_spaces (at) + strlen ("step.");
  while (g_ascii_isalnum (at[length]) || at[length] == '_' || at[length] == '-')
    length++;
  reference->is_status = g_str_has_prefix (at + length, ".status");
  if (length == 0 || length > MAX_ID || (!reference->is_status && !g_str_has_prefix (at + length, ".result")))
    return FALSE;
  reference->id = g_strndup (at, length);
  at += length + strlen (".result");
  at = reference->is_status ? at : read_path (reference, at);
  if (at == NULL)
    return FALSE;
  at = skip_spaces (at);
  if (!g_str_has_prefix (at, "}}"))
    return FALSE;
  reference->end = at + 2;
  return TRUE;
}

/* The next one in @text; FALSE when there is none, or when it is faulty: then @fault says so. */
static gboolean
find_reference (const char *text, Reference *reference, BeckonPlanFault *fault)
{
  const char *at = text;

  memset (reference, 0, sizeof *reference);
  while ((at = strstr (at, "{{")) != NULL)
    {
      reference->start = at;
      at += 2;
      /* Three braces: the innermost two count. */
      while (*at == '{')
        reference->start = at++ - 1;
      if (!g_str_has_prefix (skip_spaces (at), "step."))
        continue;
      if (read_reference (reference, at))
        return TRUE;
      fault->kind = BECKON_PLAN_FAULT_REFERENCE;
      fault->detail = g_strndup (reference->start, MIN (strlen (reference->start), (gsize) 80));
      reference_clear (reference);
      return FALSE;
    }
  return FALSE;
}

static gboolean
list_in_text (const GString *text, GPtrArray *ids, BeckonPlanFault *fault)
{
  const char *at = text->str;

  for (;;)
    {
      g_auto (Reference) reference = { 0 };

      if (!find_reference (at, &reference, fault))
        return fault->kind == BECKON_PLAN_FAULT_NONE;
      if (!g_ptr_array_find_with_equal_func (ids, reference.id, g_str_equal, NULL))
        g_ptr_array_add (ids, g_strdup (reference.id));
      at = reference.end;
    }
}

static gboolean
list_in_value (const BeckonJsonValue *value, GPtrArray *ids, BeckonPlanFault *fault)
{
  if (value->name != NULL && !list_in_text (value->name, ids, fault))
    return FALSE;
  if (value->kind == BECKON_JSON_VALUE_STRING)
    return list_in_text (value->text, ids, fault);
  for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
    if (!list_in_value (beckon_json_value_get_child (value, i), ids, fault))
      return FALSE;
  return TRUE;
}

static BeckonJsonValue *
parse_arguments (const char *arguments, BeckonPlanFault *fault)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (arguments, -1, &error);

  if (value != NULL && value->kind == BECKON_JSON_VALUE_OBJECT)
    return g_steal_pointer (&value);
  fault->kind = BECKON_PLAN_FAULT_ARGUMENTS;
  fault->detail = g_strdup (error != NULL ? error->message : NULL);
  return NULL;
}

GPtrArray *
beckon_plan_list_references (const char *arguments, BeckonPlanFault *fault)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (BeckonJsonValue) value = NULL;
  g_auto (BeckonPlanFault) ours = { 0 };

  g_return_val_if_fail (arguments != NULL, NULL);

  value = parse_arguments (arguments, &ours);
  if (value != NULL && list_in_value (value, ids, &ours))
    return g_steal_pointer (&ids);
  if (fault != NULL)
    {
      *fault = ours;
      memset (&ours, 0, sizeof ours);
    }
  return NULL;
}

/* Resolving. */

typedef struct
{
  const BeckonPlan *plan;
  guint index;
  gsize n_bytes;
  guint n_references;
  BeckonPlanFault *fault;
} Resolving;

static gboolean
plan_reference_refuse (Resolving *resolving, BeckonPlanFaultKind kind, guint other, const char *detail)
{
  BeckonPlanFault *fault = resolving->fault;

  beckon_plan_fault_clear (fault);
  fault->kind = kind;
  fault->step = resolving->index + 1;
  fault->step_id = g_strdup (beckon_plan_get_step (resolving->plan, resolving->index)->id);
  fault->other = other;
  fault->other_id = other > 0 ? g_strdup (beckon_plan_get_step (resolving->plan, other - 1)->id) : NULL;
  fault->detail = g_strdup (detail);
  return FALSE;
}

static const char *
get_output (const BeckonPlanStep *step)
{
  return step->output != NULL ? step->output : step->result;
}

static BeckonPlanFaultKind
get_source_fault (const BeckonPlanStep *source, gboolean is_status)
{
  switch (source->status)
    {
    case BECKON_STEP_COMPLETED:
    case BECKON_STEP_NOT_SAVED:
      return source->result != NULL ? BECKON_PLAN_FAULT_NONE : BECKON_PLAN_FAULT_OPEN_STEP;
    case BECKON_STEP_FAILED:
      return is_status ? BECKON_PLAN_FAULT_NONE : BECKON_PLAN_FAULT_FAILED_STEP;
    case BECKON_STEP_SKIPPED:
      return BECKON_PLAN_FAULT_SKIPPED_STEP;
    case BECKON_STEP_PENDING:
    case BECKON_STEP_EXECUTING:
    default:
      return BECKON_PLAN_FAULT_OPEN_STEP;
    }
}

/* Follows the path. @root: (out): owns it. */
static const BeckonJsonValue *
follow_path (Resolving *resolving, const Reference *reference, int source, BeckonJsonValue **root)
{
  const BeckonJsonValue *value;

  *root = beckon_json_value_parse (get_output (beckon_plan_get_step (resolving->plan, (guint) source)), -1, NULL);
  if (*root == NULL)
    {
      plan_reference_refuse (resolving, BECKON_PLAN_FAULT_RESULT_NOT_JSON, (guint) source + 1, NULL);
      return NULL;
    }
  value = *root;
  for (guint i = 0; value != NULL && i < reference->path->len; i++)
    {
      const char *name = g_ptr_array_index (reference->path, i);

      if (!g_array_index (reference->is_index, gboolean, i))
        value = beckon_json_value_get (value, name);
      else if (value->kind == BECKON_JSON_VALUE_ARRAY
               && g_ascii_strtoull (name, NULL, 10) < beckon_json_value_get_n_children (value))
        value = beckon_json_value_get_child (value, (guint) g_ascii_strtoull (name, NULL, 10));
      else
        value = NULL;
    }
  if (value == NULL)
    plan_reference_refuse (resolving, BECKON_PLAN_FAULT_NO_SUCH_PATH, 0, reference->path_text);
  return value;
}

static gboolean
find_source (Resolving *resolving, const Reference *reference, int *source)
{
  BeckonPlanFaultKind kind;

  if (++resolving->n_references > MAX_REFERENCES)
    return plan_reference_refuse (resolving, BECKON_PLAN_FAULT_TOO_LARGE, 0, NULL);
  *source = beckon_plan_find (resolving->plan, reference->id);
  if (*source < 0)
    return plan_reference_refuse (resolving, BECKON_PLAN_FAULT_UNKNOWN_STEP, 0, reference->id);
  if (*source == (int) resolving->index)
    return plan_reference_refuse (resolving, BECKON_PLAN_FAULT_ITSELF, 0, NULL);
  kind = get_source_fault (beckon_plan_get_step (resolving->plan, (guint) *source), reference->is_status);
  return kind == BECKON_PLAN_FAULT_NONE || plan_reference_refuse (resolving, kind, (guint) *source + 1, NULL);
}

/* As text within text: strings as they are, all else as JSON. */
static gboolean
append_resolved (Resolving *resolving, const Reference *reference, GString *text)
{
  g_autoptr (BeckonJsonValue) root = NULL;
  const BeckonJsonValue *value;
  int source;

  if (!find_source (resolving, reference, &source))
    return FALSE;
  if (reference->is_status)
    {
      gboolean has_failed = beckon_plan_get_step (resolving->plan, (guint) source)->status == BECKON_STEP_FAILED;

      g_string_append (text, has_failed ? "failure" : "success");
      return TRUE;
    }
  if (reference->path->len == 0)
    {
      g_string_append (text, get_output (beckon_plan_get_step (resolving->plan, (guint) source)));
      return TRUE;
    }
  value = follow_path (resolving, reference, source, &root);
  if (value != NULL && value->kind == BECKON_JSON_VALUE_STRING)
    g_string_append_len (text, value->text->str, (gssize) value->text->len);
  else if (value != NULL)
    {
      g_autofree char *json = beckon_json_value_print (value);

      g_string_append (text, json);
    }
  return value != NULL;
}

static gboolean
resolve_text (Resolving *resolving, GString *text)
{
  g_autoptr (GString) resolved = NULL;
  const char *at = text->str;

  for (;;)
    {
      g_auto (Reference) reference = { 0 };

      if (!find_reference (at, &reference, resolving->fault))
        break;
      if (resolved == NULL)
        resolved = g_string_new (NULL);
      g_string_append_len (resolved, at, reference.start - at);
      if (!append_resolved (resolving, &reference, resolved))
        return FALSE;
      if (resolving->n_bytes + resolved->len > MAX_RESOLVED_BYTES)
        return plan_reference_refuse (resolving, BECKON_PLAN_FAULT_TOO_LARGE, 0, NULL);
      at = reference.end;
    }
  if (resolving->fault->kind != BECKON_PLAN_FAULT_NONE)
    return FALSE;
  if (resolved == NULL)
    return TRUE;
  g_string_append_len (resolved, at, (gssize) (text->len - (gsize) (at - text->str)));
  resolving->n_bytes += resolved->len;
  if (resolving->n_bytes > MAX_RESOLVED_BYTES)
    return plan_reference_refuse (resolving, BECKON_PLAN_FAULT_TOO_LARGE, 0, NULL);
  g_string_truncate (text, 0);
  g_string_append_len (text, resolved->str, (gssize) resolved->len);
  return TRUE;
}

/* A text that is one reference with a path and nothing else is the value itself. FALSE: it is not, or @fault says why not. */
static gboolean
replace_whole (Resolving *resolving, BeckonJsonValue *value)
{
  g_auto (Reference) reference = { 0 };
  g_autoptr (BeckonJsonValue) root = NULL;
  g_autoptr (BeckonJsonValue) copy = NULL;
  g_autofree char *json = NULL;
  const BeckonJsonValue *found;
  int source;

  if (!find_reference (value->text->str, &reference, resolving->fault) || reference.path->len == 0
      || reference.start != value->text->str || reference.end != value->text->str + value->text->len)
    return FALSE;
  if (!find_source (resolving, &reference, &source)
      || (found = follow_path (resolving, &reference, source, &root)) == NULL)
    return FALSE;
  json = beckon_json_value_print (found);
  resolving->n_bytes += strlen (json);
  if (resolving->n_bytes > MAX_RESOLVED_BYTES)
    return plan_reference_refuse (resolving, BECKON_PLAN_FAULT_TOO_LARGE, 0, NULL);
  copy = beckon_json_value_parse (json, -1, NULL);
  g_assert (copy != NULL);
  value->kind = copy->kind;
  g_string_free (value->text, TRUE);
  value->text = g_steal_pointer (&copy->text);
  value->children = g_steal_pointer (&copy->children);
  return TRUE;
}

static gboolean
resolve_value (Resolving *resolving, BeckonJsonValue *value)
{
  if (value->name != NULL && !resolve_text (resolving, value->name))
    return FALSE;
  if (value->kind == BECKON_JSON_VALUE_STRING)
    {
      if (replace_whole (resolving, value))
        return TRUE;
      return resolving->fault->kind == BECKON_PLAN_FAULT_NONE && resolve_text (resolving, value->text);
    }
  for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
    if (!resolve_value (resolving, g_ptr_array_index (value->children, i)))
      return FALSE;
  return TRUE;
}

static char *
plan_reference_resolve (Resolving *resolving, const char *arguments)
{
  g_autoptr (BeckonJsonValue) value = parse_arguments (arguments, resolving->fault);
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;

  if (value == NULL || !resolve_value (resolving, value))
    return NULL;
  /* Two names may have become one. */
  json = beckon_json_value_print (value);
  if (beckon_json_check (json, -1, &error))
    return g_steal_pointer (&json);
  plan_reference_refuse (resolving, BECKON_PLAN_FAULT_ARGUMENTS, 0, error->message);
  return NULL;
}

char *
beckon_plan_resolve (const BeckonPlan *plan, guint index, BeckonPlanFault *fault)
{
  g_auto (BeckonPlanFault) ours = { 0 };
  Resolving resolving = { .plan = plan, .index = index, .fault = &ours };
  g_autoptr (GPtrArray) ids = NULL;
  char *resolved;

  g_return_val_if_fail (plan != NULL && index < plan->steps->len, NULL);

  ids = beckon_plan_list_references (beckon_plan_get_step (plan, index)->arguments, &ours);
  if (ids != NULL && ids->len == 0)
    return g_strdup (beckon_plan_get_step (plan, index)->arguments);
  resolved = ids != NULL ? plan_reference_resolve (&resolving, beckon_plan_get_step (plan, index)->arguments) : NULL;
  if (resolved != NULL || fault == NULL)
    return resolved;
  if (ours.step == 0)
    {
      ours.step = index + 1;
      ours.step_id = g_strdup (beckon_plan_get_step (plan, index)->id);
    }
  *fault = ours;
  memset (&ours, 0, sizeof ours);
  return NULL;
}

char *
beckon_plan_make_readable (const BeckonPlan *plan, const char *text)
{
  g_autoptr (GString) readable = g_string_new (NULL);
  g_auto (BeckonPlanFault) fault = { 0 };
  const char *at = text;

  g_return_val_if_fail (plan != NULL && text != NULL, NULL);

  for (;;)
    {
      g_auto (Reference) reference = { 0 };
      int source;

      if (!find_reference (at, &reference, &fault))
        break;
      source = beckon_plan_find (plan, reference.id);
      g_string_append_len (readable, at, reference.start - at);
      if (source >= 0 && reference.is_status)
        /* Translators: stands in place of whether a step of a plan will have succeeded */
        g_string_append_printf (readable, _("⟨status of step %u⟩"), (guint) source + 1);
      else if (source >= 0)
        /* Translators: stands in place of what a step of a plan will give; the second is a path into it, or nothing */
        beckon_text_append (readable, _("⟨result of step %u%s⟩"), (guint) source + 1, reference.path_text);
      else
        g_string_append_len (readable, reference.start, reference.end - reference.start);
      at = reference.end;
    }
  g_string_append (readable, at);
  return g_string_free (g_steal_pointer (&readable), FALSE);
}
