/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-text-printf.h"
#include "beckon-form-build.h"

#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The words of a form: what a place is for, what may stand there, and what is wrong with what does. */

#define MAX_TITLE 80
#define MAX_DESCRIPTION 1000
#define MAX_HINT 120

static char *
form_labels_dup_shown (const char *text, gssize length, guint most)
{
  g_autofree char *shown = beckon_text_for_display (text, length, BECKON_TEXT_EXACT);

  return beckon_text_shorten (shown, most);
}

static char *
dup_word (const BeckonFormShape *shape, const char *word)
{
  const BeckonJsonValue *value = beckon_form_shape_get (shape, word);
  g_autofree char *printed = value != NULL ? beckon_json_value_print (value) : NULL;

  return printed != NULL ? form_labels_dup_shown (printed, -1, MAX_HINT / 2) : NULL;
}

static void
add_hint (GString *hint, char *words)
{
  if (words == NULL)
    return;
  g_string_append_printf (hint, "%s%s", hint->len > 0 ? " · " : "", words);
  g_free (words);
}

/* The formats that a person may not know how to write; a word such as "date" would not say it. */
static char *
describe_format (const char *format)
{
  static const char *const examples[][2] = {
    { "date", "2026-11-28" },
    { "date-time", "2026-11-28T09:30:00Z" },
    { "email", "name@example.org" },
    { "uri", "https://example.org/" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    if (g_str_equal (format, examples[i][0]))
      /* Translators: beside a field of a form; %s is an example, such as a date */
      return beckon_text_printf (_("such as %s"), examples[i][1]);
  return form_labels_dup_shown (format, -1, MAX_HINT / 2);
}

/* (nullable): words for a text that is not of a format, with an example of it. */
static const char *
translate_problem (const char *format)
{
  static const char *const problems[][2] = {
    { "date", N_("This does not look like a date such as 2026-12-24.") },
    { "time", N_("This does not look like a time such as 18:30:00Z.") },
    { "date-time", N_("This does not look like a date and time such as 2026-12-24T18:30:00Z.") },
    { "email", N_("This does not look like an email address such as ada@example.org.") },
    { "uri", N_("This does not look like an address such as https://example.org.") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (problems); i++)
    if (g_str_equal (format, problems[i][0]))
      return _(problems[i][1]);
  return NULL;
}

static char *
make_hint (const BeckonFormShape *shape)
{
  g_autoptr (GString) hint = g_string_new (NULL);
  g_autofree char *given = dup_word (shape, "default");
  const char *format = beckon_form_shape_get_string (shape, "format");
  g_autofree char *least = NULL;
  g_autofree char *most = NULL;
  g_autofree char *above = NULL;
  g_autofree char *below = NULL;

  if (format != NULL)
    add_hint (hint, describe_format (format));
  least = dup_word (shape, "minimum");
  most = dup_word (shape, "maximum");
  above = dup_word (shape, "exclusiveMinimum");
  below = dup_word (shape, "exclusiveMaximum");
  if (least != NULL && most != NULL)
    /* Translators: a range of numbers that a field takes */
    add_hint (hint, beckon_text_printf (_("%s to %s"), least, most));
  else if (least != NULL)
    /* Translators: the least number that a field takes */
    add_hint (hint, beckon_text_printf (_("at least %s"), least));
  else if (most != NULL)
    /* Translators: the greatest number that a field takes */
    add_hint (hint, beckon_text_printf (_("at most %s"), most));
  if (above != NULL)
    /* Translators: a field takes numbers that are greater */
    add_hint (hint, beckon_text_printf (_("more than %s"), above));
  if (below != NULL)
    /* Translators: a field takes numbers that are smaller */
    add_hint (hint, beckon_text_printf (_("less than %s"), below));
  if (given != NULL)
    /* Translators: what a field has where nothing is given */
    add_hint (hint, beckon_text_printf (_("default: %s"), given));
  return hint->len > 0 ? beckon_text_shorten (hint->str, MAX_HINT) : NULL;
}

void
beckon_form_build_describe (BeckonFormField *field, const BeckonFormShape *shape, const char *name, gssize length)
{
  const char *title = beckon_form_shape_get_string (shape, "title");
  const char *description = beckon_form_shape_get_string (shape, "description");

  g_free (field->name);
  g_free (field->title);
  g_free (field->description);
  g_free (field->hint);
  field->name = form_labels_dup_shown (name, length, MAX_TITLE);
  field->title = title != NULL && *title != '\0' ? form_labels_dup_shown (title, -1, MAX_TITLE) : g_strdup (field->name);
  field->description = NULL;
  if (description != NULL && *description != '\0')
    {
      g_autofree char *prose = beckon_text_for_display (description, -1, BECKON_TEXT_PROSE);

      field->description = beckon_text_shorten (g_strstrip (prose), MAX_DESCRIPTION);
    }
  field->hint = make_hint (shape);
}

static char *
join_picked (const BeckonFormField *field)
{
  g_autoptr (GPtrArray) picked = g_ptr_array_new ();

  for (guint i = 0; i < field->options->len; i++)
    if (field->picked[i])
      g_ptr_array_add (picked, g_ptr_array_index (field->options, i));
  if (picked->len == 0)
    return NULL;
  g_ptr_array_add (picked, NULL);
  /* Translators: stands between the things a person picked or wrote. */
  return g_strjoinv (_(", "), (char **) picked->pdata);
}

char *
beckon_form_field_dup_words (const BeckonFormField *field)
{
  g_return_val_if_fail (field != NULL, NULL);

  if (!field->is_present)
    return NULL;
  if (field->is_secret)
    return g_strdup (BECKON_PARAMETERS_MASK);
  if (field->kind == BECKON_FORM_BOOLEAN)
    return g_strdup (field->is_on ? _("Yes") : _("No"));
  if (field->kind == BECKON_FORM_ENUM && field->chosen >= 0)
    return g_strdup (g_ptr_array_index (field->options, field->chosen));
  return field->kind == BECKON_FORM_SEVERAL ? join_picked (field)
                                            : beckon_text_for_display (field->text, -1, BECKON_TEXT_EXACT);
}

/* --- Problems ----------------------------------------------------------------------------------------------------- */

static void
complain (BeckonFormField *field, const char *words, gboolean is_warning)
{
  if (field->problem != NULL && (is_warning || !field->is_warning))
    return;
  g_free (field->problem);
  field->problem = g_strdup (words);
  field->is_warning = is_warning;
}

static BeckonFormField *
find_nearest (BeckonFormField *root, const char *pointer)
{
  g_autofree char *place = g_strdup (pointer);

  for (;;)
    {
      BeckonFormField *field = beckon_form_field_find (root, place);
      char *slash = strrchr (place, '/');

      if (field != NULL || slash == NULL)
        return field != NULL ? field : root;
      *slash = '\0';
    }
}

/* A key that is missing is said where it would be. */
static gboolean
is_said_elsewhere (BeckonFormBuild *build, BeckonFormField *root, const BeckonJsonProblem *problem)
{
  if (strcmp (problem->keyword, "anyOf") == 0 || strcmp (problem->keyword, "oneOf") == 0)
    return g_hash_table_contains (build->explained, problem->pointer);
  return strcmp (problem->keyword, "required") == 0 && find_nearest (root, problem->pointer)->kind == BECKON_FORM_OBJECT;
}

/* A format is told by an example. */
static void
complain_of (BeckonFormField *field, const BeckonJsonProblem *problem)
{
  const char *format
    = strcmp (problem->keyword, "format") == 0 ? beckon_form_shape_get_string (field->shape, "format") : NULL;
  const char *words = format != NULL ? translate_problem (format) : NULL;

  complain (field, words != NULL ? words : problem->shown, FALSE);
}

static void
form_labels_tell (BeckonFormBuild *build, BeckonFormField *root, GPtrArray *problems)
{
  for (guint i = 0; problems != NULL && i < problems->len; i++)
    {
      const BeckonJsonProblem *problem = g_ptr_array_index (problems, i);

      if (!is_said_elsewhere (build, root, problem))
        complain_of (find_nearest (root, problem->pointer), problem);
    }
}

/* Argument overrides hold for what is written as JSON, too. */
static void
tell_settled (BeckonFormBuild *build, BeckonFormField *field)
{
  if (field->access != BECKON_FORM_EDITABLE && field->is_edited)
    complain (field, _("You settled that this is not changed."), FALSE);
  else if (field->is_settled && field->is_present && field->chosen < 0)
    complain (field, _("This is none of the values that you allowed."), FALSE);
  else
    return;
  build->n_errors++;
}

static void
tell_missing (BeckonFormField *field)
{
  if (!field->is_present && field->is_required)
    complain (field, _("This is missing."), FALSE);
  for (guint i = 0; i < field->children->len; i++)
    tell_missing (g_ptr_array_index (field->children, i));
}

static gboolean
form_labels_is_blank (const BeckonFormField *field)
{
  g_autofree char *text = field->kind == BECKON_FORM_TEXT && field->text != NULL ? g_strstrip (g_strdup (field->text)) : NULL;

  for (guint i = 0; field->kind == BECKON_FORM_SEVERAL && i < field->options->len; i++)
    if (field->picked[i])
      return FALSE;
  return field->kind == BECKON_FORM_SEVERAL || (text != NULL && *text == '\0');
}

/* A format describes; what is not of it may be meant all the same. */
static void
tell_formats (BeckonFormField *field)
{
  const char *format = beckon_form_shape_get_string (field->shape, "format");

  if (format != NULL && field->kind == BECKON_FORM_TEXT && field->is_present
      && !beckon_json_schema_check_format (format, field->text))
    {
      g_autofree char *shown = form_labels_dup_shown (format, -1, MAX_HINT);
      /* Translators: %s is a format such as "date" or "email" */
      g_autofree char *words = translate_problem (format) != NULL
                                 ? g_strdup (translate_problem (format))
                                 : beckon_text_printf (_("This does not look like a valid %s."), shown);

      complain (field, words, TRUE);
    }
  for (guint i = 0; i < field->children->len; i++)
    tell_formats (g_ptr_array_index (field->children, i));
}

void
beckon_form_build_complain (BeckonFormBuild *build, BeckonFormField *root)
{
  g_autoptr (GPtrArray) problems = beckon_json_schema_validate (build->schema, build->value);

  build->n_errors += problems != NULL ? problems->len : 0;
  for (guint i = 0; i < root->children->len; i++)
    tell_settled (build, g_ptr_array_index (root->children, i));
  if (!build->fills_in || build->is_tried)
    tell_missing (root);
  /* A required field is not filled in with nothing. */
  for (guint i = 0; build->fills_in && i < root->children->len; i++)
    {
      BeckonFormField *field = g_ptr_array_index (root->children, i);

      if (!field->is_present || !field->is_required || !form_labels_is_blank (field))
        continue;
      if (build->is_tried)
        complain (field, _("This is missing."), FALSE);
      build->n_errors++;
    }
  form_labels_tell (build, root, build->problems);
  form_labels_tell (build, root, problems);
  tell_formats (root);
}
