/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-form-build.h"

#include "base/beckon-text.h"

#include <string.h>

/* A form is a function of the text, the schema and the proposal, and made anew after every change, so that it cannot say
 * anything else than the text. What is too deep or too much for controls is one field of JSON. */

#define MAX_DEPTH 12
#define MAX_FIELDS 400

/* From that many characters on a text is given lines. */
#define LONG_TEXT 64

/** The place of a field. */
typedef struct
{
  const BeckonJsonValue *value;    /* (nullable) */
  const BeckonJsonValue *proposed; /* (nullable) */
  gboolean compares;               /* there is a place in the proposal that is this one */
  BeckonFormAccess access;
  guint depth;
} Place;

static BeckonFormField *
build_field (BeckonFormBuild *build, BeckonFormShape *shape, const char *pointer, const Place *place);

char *
beckon_form_build_dup_slice (const char *text, const BeckonJsonValue *value)
{
  return value != NULL ? g_strndup (text + value->offset, value->length) : NULL;
}

static gboolean
is_string (const BeckonJsonValue *value)
{
  return value != NULL && value->kind == BECKON_JSON_VALUE_STRING;
}

static gboolean
is_type (const char *type, const char *expected)
{
  return g_strcmp0 (type, expected) == 0;
}

/* --- Kinds -------------------------------------------------------------------------------------------------------- */

/* A pointer cannot name what holds NUL. */
static gboolean
has_plain_names (const BeckonJsonValue *value)
{
  for (guint i = 0; i < value->children->len; i++)
    {
      const GString *name = beckon_json_value_get_child (value, i)->name;

      if (strlen (name->str) != name->len)
        return FALSE;
    }
  return TRUE;
}

/* A number that is being typed is a text until it is one, and its field stays what it is meanwhile. */
static gboolean
has_control (BeckonFormKind kind, const BeckonJsonValue *value)
{
  switch (kind)
    {
    case BECKON_FORM_TEXT:
      return beckon_json_value_get_string (value) != NULL;
    case BECKON_FORM_NUMBER:
    case BECKON_FORM_INTEGER:
      return value->kind == BECKON_JSON_VALUE_NUMBER || beckon_json_value_get_string (value) != NULL;
    case BECKON_FORM_BOOLEAN:
      return value->kind == BECKON_JSON_VALUE_TRUE || value->kind == BECKON_JSON_VALUE_FALSE;
    case BECKON_FORM_OBJECT:
      return value->kind == BECKON_JSON_VALUE_OBJECT && has_plain_names (value);
    case BECKON_FORM_ARRAY:
      return value->kind == BECKON_JSON_VALUE_ARRAY;
    case BECKON_FORM_SEVERAL:
    case BECKON_FORM_ENUM:
    case BECKON_FORM_CONST:
    case BECKON_FORM_CHOICE:
    case BECKON_FORM_RAW:
    default:
      return TRUE;
    }
}

static BeckonFormKind
get_kind (const BeckonFormShape *shape, const BeckonJsonValue *value)
{
  static const struct
  {
    const char *type;
    BeckonFormKind kind;
  } kinds[] = {
    { "string", BECKON_FORM_TEXT },     { "number", BECKON_FORM_NUMBER }, { "integer", BECKON_FORM_INTEGER },
    { "boolean", BECKON_FORM_BOOLEAN }, { "object", BECKON_FORM_OBJECT }, { "array", BECKON_FORM_ARRAY },
    { "null", BECKON_FORM_CONST },
  };
  const char *type = beckon_form_shape_get_type (shape, value);

  if (beckon_form_shape_get (shape, "const") != NULL)
    return BECKON_FORM_CONST;
  if (beckon_json_value_get_n_children (beckon_form_shape_get (shape, "enum")) > 0)
    return BECKON_FORM_ENUM;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      if (is_type (type, kinds[i].type))
        return value == NULL || has_control (kinds[i].kind, value) ? kinds[i].kind : BECKON_FORM_RAW;
    }
  return BECKON_FORM_RAW;
}

/* --- Choices ------------------------------------------------------------------------------------------------------ */

static void
add_option (BeckonFormField *field, char *label, const BeckonJsonValue *value, const BeckonJsonValue *constant)
{
  if (value != NULL && field->chosen < 0 && beckon_json_value_equal (value, constant))
    field->chosen = (int) field->options->len;
  g_ptr_array_add (field->options, label);
  g_ptr_array_add (field->values, beckon_json_value_print (constant));
}

static void
begin_options (BeckonFormField *field)
{
  g_clear_pointer (&field->options, g_ptr_array_unref);
  g_clear_pointer (&field->values, g_ptr_array_unref);
  field->chosen = -1;
  field->options = g_ptr_array_new_with_free_func (g_free);
  field->values = g_ptr_array_new_with_free_func (g_free);
}

static char *
form_build_dup_shown (const BeckonJsonValue *constant)
{
  g_autofree char *printed = NULL;

  if (is_string (constant) && constant->text->len > 0)
    return beckon_text_for_display (constant->text->str, (gssize) constant->text->len, BECKON_TEXT_EXACT);
  printed = beckon_json_value_print (constant);
  return beckon_text_for_display (printed, -1, BECKON_TEXT_EXACT);
}

/* Servers of the first revision gave the titles in a list of their own. */
static void
list_values (BeckonFormField *field, const BeckonJsonValue *list, const BeckonJsonValue *value)
{
  const BeckonJsonValue *names = beckon_form_shape_get (field->shape, "enumNames");
  gboolean has_names = beckon_json_value_get_n_children (names) == list->children->len;

  begin_options (field);
  for (guint i = 0; i < list->children->len; i++)
    {
      const BeckonJsonValue *constant = beckon_json_value_get_child (list, i);
      const BeckonJsonValue *name = has_names ? beckon_json_value_get_child (names, i) : NULL;

      add_option (field, form_build_dup_shown (is_string (name) && name->text->len > 0 ? name : constant), value, constant);
    }
}

static gboolean
form_build_holds (const BeckonJsonValue *list, const char *json)
{
  g_autoptr (BeckonJsonValue) constant = beckon_json_value_parse (json, -1, NULL);

  for (guint i = 0; i < beckon_json_value_get_n_children (list); i++)
    if (beckon_json_value_equal (beckon_json_value_get_child (list, i), constant))
      return TRUE;
  return FALSE;
}

static gboolean list_constants (BeckonFormField *field, GPtrArray *variants, const BeckonJsonValue *value);

/* A list of constants, any of which may be picked; elements that are none of them are for JSON. */
static gboolean
build_several (BeckonFormField *field, const BeckonJsonValue *value)
{
  g_autoptr (BeckonFormShape) element = NULL;
  g_autoptr (GPtrArray) variants = NULL;
  const BeckonJsonValue *values;
  guint n = 0;

  if (g_strcmp0 (beckon_form_shape_get_type (field->shape, value), "array") != 0
      || (value != NULL && value->kind != BECKON_JSON_VALUE_ARRAY))
    return FALSE;
  element = beckon_form_shape_new_element (field->shape, 0, NULL);
  variants = beckon_form_shape_list_variants (element, NULL);
  values = beckon_form_shape_get (element, "enum");
  if (variants != NULL && variants->len > 0 && !list_constants (field, variants, NULL))
    return FALSE;
  if ((variants == NULL || variants->len == 0) && beckon_json_value_get_n_children (values) == 0)
    return FALSE;
  if (field->options == NULL)
    list_values (field, values, NULL);
  field->kind = BECKON_FORM_SEVERAL;
  field->picked = g_new0 (gboolean, field->options->len + 1);
  for (guint i = 0; i < field->options->len; i++)
    {
      field->picked[i] = form_build_holds (value, g_ptr_array_index (field->values, i));
      n += field->picked[i];
    }
  if (n == beckon_json_value_get_n_children (value))
    return TRUE;
  g_clear_pointer (&field->options, g_ptr_array_unref);
  g_clear_pointer (&field->values, g_ptr_array_unref);
  g_clear_pointer (&field->picked, g_free);
  return FALSE;
}

/* Several constants with a title each are a list like any other. */
static gboolean
list_constants (BeckonFormField *field, GPtrArray *variants, const BeckonJsonValue *value)
{
  for (guint i = 0; i < variants->len; i++)
    {
      if (beckon_form_shape_get_constant (g_ptr_array_index (variants, i)) == NULL)
        return FALSE;
    }
  field->kind = BECKON_FORM_ENUM;
  begin_options (field);
  for (guint i = 0; i < variants->len; i++)
    {
      const BeckonFormShape *variant = g_ptr_array_index (variants, i);

      add_option (field, beckon_form_shape_dup_label (variant), value, beckon_form_shape_get_constant (variant));
    }
  return TRUE;
}

/* How much of an object's names a variant knows, for a value that is none of them. */
static guint
count_known (const BeckonFormShape *variant, const BeckonJsonValue *value)
{
  const BeckonJsonValue *properties = beckon_form_shape_get (variant, "properties");
  guint n = 0;

  if (value->kind == BECKON_JSON_VALUE_OBJECT && is_type (beckon_form_shape_get_type (variant, NULL), "object"))
    n = 1;
  for (guint i = 0; n > 0 && i < beckon_json_value_get_n_children (value); i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get_child (value, i);
      const BeckonJsonValue *inner = beckon_json_value_get_member (properties, member->name);

      if (inner != NULL && beckon_json_schema_fits (variant->schema, inner, member))
        n += 2;
    }
  if (n == 0 && has_control (get_kind (variant, NULL), value) && get_kind (variant, NULL) != BECKON_FORM_RAW)
    n = 1;
  return n;
}

/* Which of @variants @value is; the one of @chosen where that is as good as any; 0 where it is none of them. */
static guint
form_build_find_variant (GPtrArray *variants, const BeckonJsonValue *value, int chosen)
{
  guint best = chosen >= 0 && (guint) chosen < variants->len ? (guint) chosen : 0;
  guint most = 0;

  if (value == NULL || (chosen >= 0 && beckon_form_shape_is_variant (g_ptr_array_index (variants, best), value)))
    return best;
  for (guint i = 0; i < variants->len; i++)
    {
      if (beckon_form_shape_is_variant (g_ptr_array_index (variants, i), value))
        return i;
    }
  if (chosen >= 0 && count_known (g_ptr_array_index (variants, best), value) > 0)
    return best;
  for (guint i = 0; i < variants->len; i++)
    {
      guint n = count_known (g_ptr_array_index (variants, i), value);

      if (n > most)
        {
          most = n;
          best = i;
        }
    }
  return best;
}

/* The chosen variant's faults are of use; that none of them fits is not. */
static void
explain (BeckonFormBuild *build, BeckonFormField *field, const BeckonFormShape *variant, const BeckonJsonValue *value)
{
  g_autoptr (GPtrArray) problems = NULL;

  if (variant->own != NULL && value != NULL)
    problems = beckon_json_schema_validate_part (build->schema, variant->own, value, field->pointer);
  if (problems == NULL)
    return;
  g_hash_table_add (build->explained, g_strdup (field->pointer));
  g_ptr_array_extend_and_steal (build->problems, g_steal_pointer (&problems));
}

static gboolean
build_choice (BeckonFormBuild *build, BeckonFormField *field, const Place *place)
{
  g_autoptr (GPtrArray) variants = beckon_form_shape_list_variants (field->shape, place->value);
  Place inside = *place;
  BeckonFormShape *variant;

  if (variants == NULL || variants->len == 0)
    return FALSE;
  if (list_constants (field, variants, place->value))
    return TRUE;
  field->kind = BECKON_FORM_CHOICE;
  field->options = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < variants->len; i++)
    g_ptr_array_add (field->options, beckon_form_shape_dup_label (g_ptr_array_index (variants, i)));
  if (place->value == NULL)
    return TRUE;
  field->chosen = (int) form_build_find_variant (
      variants, place->value, GPOINTER_TO_INT (g_hash_table_lookup (build->choices, field->pointer)) - 1);
  variant = g_ptr_array_steal_index (variants, (guint) field->chosen);
  explain (build, field, variant, place->value);
  inside.depth++;
  g_ptr_array_add (field->children, build_field (build, variant, field->pointer, &inside));
  return TRUE;
}

/* --- Members and elements ----------------------------------------------------------------------------------------- */

static void
build_member (BeckonFormBuild *build, BeckonFormField *field, const GString *name, const Place *place)
{
  g_autoptr (GString) pointer = g_string_new (field->pointer);
  const BeckonParameter *parameter = place->depth == 0 ? beckon_parameters_find (build->parameters, name->str) : NULL;
  gboolean is_required = beckon_form_shape_requires (field->shape, name);
  Place inside = {
    .value = beckon_json_value_get_member (place->value, name),
    .proposed = beckon_json_value_get_member (place->proposed, name),
    .compares = place->compares,
    .access = parameter != NULL ? parameter->access : place->access,
    .depth = place->depth + 1,
  };
  BeckonFormField *member;

  beckon_json_pointer_append (pointer, name->str, (gssize) name->len);
  if (inside.value == NULL && inside.proposed == NULL && !is_required && !build->fills_in)
    {
      g_ptr_array_add (field->addable, g_strndup (name->str, name->len));
      return;
    }
  if (parameter != NULL && parameter->pinned != NULL && inside.access == BECKON_FORM_EDITABLE)
    inside.access = BECKON_FORM_READ_ONLY;
  member = build_field (build, beckon_form_shape_new_member (field->shape, name, inside.value), pointer->str, &inside);
  beckon_form_build_describe (member, member->shape, name->str, (gssize) name->len);
  if (parameter != NULL && parameter->pinned == NULL && parameter->allowed != NULL)
    {
      const BeckonJsonValue *value = inside.value;

      /* The person's choice of values overrides the schema. */
      begin_options (member);
      member->kind = BECKON_FORM_ENUM;
      member->is_settled = TRUE;
      for (guint i = 0; i < parameter->allowed->len; i++)
        {
          g_autoptr (BeckonJsonValue) constant = beckon_json_value_parse (g_ptr_array_index (parameter->allowed, i), -1, NULL);

          if (constant != NULL)
            add_option (member, form_build_dup_shown (constant), value, constant);
        }
    }
  member->is_pinned = parameter != NULL && parameter->pinned != NULL;
  member->is_required = is_required;
  member->can_remove = member->is_present && !is_required && (!build->fills_in || member->kind == BECKON_FORM_ENUM);
  g_ptr_array_add (field->children, member);
}

static gboolean
form_build_is_listed (GPtrArray *names, const GString *name)
{
  for (guint i = 0; i < names->len; i++)
    {
      if (g_string_equal (g_ptr_array_index (names, i), name))
        return TRUE;
    }
  return FALSE;
}

/* First what the schema knows, in its order; then what else is there or was; a key that was removed keeps its place. */
static void
build_members (BeckonFormBuild *build, BeckonFormField *field, const Place *place)
{
  g_autoptr (GPtrArray) names = beckon_form_shape_list_members (field->shape);
  const BeckonJsonValue *objects[] = { place->value, place->proposed };

  field->addable = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    {
      gboolean is_object = objects[i] != NULL && objects[i]->kind == BECKON_JSON_VALUE_OBJECT;

      for (guint j = 0; is_object && j < objects[i]->children->len; j++)
        {
          GString *name = beckon_json_value_get_child (objects[i], j)->name;

          if (!form_build_is_listed (names, name) && strlen (name->str) == name->len)
            g_ptr_array_add (names, name);
        }
    }
  for (guint i = 0; i < names->len; i++)
    build_member (build, field, g_ptr_array_index (names, i), place);
  field->can_grow = beckon_form_shape_takes_names (field->shape) && !(build->fills_in && place->depth == 0);
}

/* After an insertion or a removal, the elements can't be matched. */
static void
build_elements (BeckonFormBuild *build, BeckonFormField *field, const Place *place)
{
  guint n = place->value->children->len;
  gboolean compares = place->compares && place->proposed != NULL && place->proposed->kind == BECKON_JSON_VALUE_ARRAY
                      && place->proposed->children->len == n;
  const BeckonJsonValue *least = beckon_form_shape_get (field->shape, "minItems");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *pointer = g_strdup_printf ("%s/%u", field->pointer, i);
      g_autofree char *name = g_strdup_printf ("%u", i + 1);
      Place inside = {
        .value = beckon_json_value_get_child (place->value, i),
        .proposed = compares ? beckon_json_value_get_child (place->proposed, i) : NULL,
        .compares = compares,
        .access = place->access,
        .depth = place->depth + 1,
      };
      BeckonFormField *element =
          build_field (build, beckon_form_shape_new_element (field->shape, i, inside.value), pointer, &inside);

      beckon_form_build_describe (element, element->shape, name, -1);
      element->is_element = TRUE;
      element->can_remove = least == NULL || beckon_json_value_get_number (least) < (long double) n;
      g_ptr_array_add (field->children, element);
    }
  field->can_grow = beckon_form_shape_takes_element (field->shape, n);
}

/* --- Fields ------------------------------------------------------------------------------------------------------- */

static gboolean
is_long (const char *text)
{
  return text != NULL && (strchr (text, '\n') != NULL || g_utf8_strlen (text, -1) > LONG_TEXT);
}

/* Lines are chosen by the proposal, if any, so that typing doesn't change them. */
static gboolean
wants_lines (const BeckonFormField *field, const Place *place)
{
  const char *given = beckon_form_shape_get_string (field->shape, "default");

  return field->kind == BECKON_FORM_TEXT
         && (is_long (given) || is_long (beckon_json_value_get_string (place->proposed))
             || (field->text != NULL && strchr (field->text, '\n') != NULL)
             || (!place->compares && is_long (field->text)));
}

static void
show_value (BeckonFormBuild *build, BeckonFormField *field, const Place *place)
{
  field->is_present = place->value != NULL;
  field->json = beckon_form_build_dup_slice (build->text, place->value);
  field->proposed = place->compares ? beckon_form_build_dup_slice (build->proposal_text, place->proposed) : NULL;
  field->is_edited = place->compares
                     && (place->value == NULL) + (place->proposed == NULL) < 2
                     && g_strcmp0 (field->json, field->proposed) != 0
                     && (place->value == NULL || place->proposed == NULL
                         || !beckon_json_value_equal (place->value, place->proposed)
                         || place->value->kind == BECKON_JSON_VALUE_NUMBER);
  if (place->value == NULL)
    return;
  field->is_on = place->value->kind == BECKON_JSON_VALUE_TRUE;
  if (is_string (place->value) && field->kind != BECKON_FORM_RAW && field->kind != BECKON_FORM_CONST)
    field->text = g_strdup (place->value->text->str);
  else if (field->kind == BECKON_FORM_CONST)
    field->text = form_build_dup_shown (place->value);
  else
    field->text = g_strdup (field->json);
}

static void
build_inside (BeckonFormBuild *build, BeckonFormField *field, const Place *place)
{
  gboolean is_too_much = place->depth >= MAX_DEPTH || build->n_fields >= MAX_FIELDS;

  if (is_too_much)
    field->kind = BECKON_FORM_RAW;
  else if (build->fills_in && build_several (field, place->value))
    return;
  else if (!build_choice (build, field, place))
    field->kind = get_kind (field->shape, place->value);
  if (field->kind == BECKON_FORM_ENUM && field->options == NULL)
    list_values (field, beckon_form_shape_get (field->shape, "enum"), place->value);
  if (field->kind == BECKON_FORM_OBJECT && place->value != NULL)
    build_members (build, field, place);
  if (field->kind == BECKON_FORM_ARRAY && place->value != NULL)
    build_elements (build, field, place);
}

static BeckonFormField *
build_field (BeckonFormBuild *build, BeckonFormShape *shape, const char *pointer, const Place *place)
{
  BeckonFormField *field = beckon_form_field_new (pointer);
  g_autoptr (GString) plain = NULL;

  build->n_fields++;
  field->shape = shape;
  field->access = place->access;
  beckon_form_build_describe (field, shape, "", 0);
  build_inside (build, field, place);
  show_value (build, field, place);
  field->is_multiline = wants_lines (field, place);
  field->is_open = build->fills_in && place->depth == 1;
  if (field->text != NULL && field->children->len <= 0 && field->access != BECKON_FORM_MASKED)
    {
      plain = g_string_new (field->text);
      g_string_replace (plain, "\n", "", 0);
      g_string_replace (plain, "\t", "", 0);
      if (beckon_text_has_hidden (plain->str, (gssize) plain->len))
        field->shown = beckon_text_for_display (field->text, -1, BECKON_TEXT_EXACT);
    }
  return field;
}

BeckonFormField *
beckon_form_build (BeckonFormBuild *build)
{
  Place place = { build->value, build->proposal, TRUE, BECKON_FORM_EDITABLE, 0 };
  BeckonFormField *root;

  build->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_json_problem_free);
  build->explained = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  build->n_fields = 0;
  build->n_errors = 0;
  root = build_field (build, beckon_form_shape_new (build->schema, build->value), "", &place);
  beckon_form_build_complain (build, root);
  g_clear_pointer (&build->problems, g_ptr_array_unref);
  g_clear_pointer (&build->explained, g_hash_table_unref);
  return root;
}
