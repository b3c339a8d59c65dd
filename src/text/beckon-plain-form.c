/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-form.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-plain-number.h"
#include "beckon-plain-reply.h"
#include "request/beckon-form-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_NAMES_CHARS 600

static guint
count_fields (BeckonForm *form)
{
  return beckon_form_get_root (form)->children->len;
}

/* (nullable): without one, all of it is asked for at once. */
static BeckonForm *
make_form (BeckonRequest *request, const BeckonAnswer *answer)
{
  BeckonForm *form = beckon_form_request_is_url (request) ? NULL : beckon_form_request_make_form (request);

  if (form != NULL && answer != NULL && answer->text != NULL)
    beckon_form_set_text (form, answer->text);
  return form;
}

guint
beckon_plain_form_n_items (BeckonRequest *request)
{
  g_autoptr (BeckonForm) form = make_form (request, NULL);
  guint n = form != NULL && beckon_form_request_is_flat (request) ? count_fields (form) : 0;

  return n > 1 ? n + 1 : 1;
}

BeckonAnswer *
beckon_plain_form_begin (BeckonRequest *request)
{
  g_autoptr (BeckonForm) form = make_form (request, NULL);

  return beckon_answer_new (BECKON_ANSWER_FORM, form != NULL ? beckon_form_get_text (form) : NULL);
}

/* (nullable): the field that @item asks for. */
static BeckonFormField *
get_field (BeckonRequest *request, BeckonForm *form, guint item)
{
  gboolean has_fields = form != NULL && beckon_form_request_is_flat (request);

  return has_fields && item < count_fields (form) ? g_ptr_array_index (beckon_form_get_root (form)->children, item) : NULL;
}

gboolean
beckon_plain_form_is_secret (BeckonRequest *request, guint item)
{
  g_autoptr (BeckonForm) form = beckon_form_request_get_secrets (request) != NULL ? make_form (request, NULL) : NULL;
  const BeckonFormField *field = form != NULL ? get_field (request, form, item) : NULL;

  return field != NULL && field->is_secret;
}

/* --- Writing ------------------------------------------------------------------------------------------------------ */

void
beckon_plain_form_append_heading (GString *text, BeckonRequest *request, guint item)
{
  g_autofree char *title = beckon_form_request_dup_title (request);
  guint n = beckon_plain_form_n_items (request);

  if (n > 1 && item < n - 1)
    /* Translators: which of several questions this is, such as "(2 of 3) " */
    g_string_append_printf (text, _("(%u of %u) "), item + 1, n - 1);
  beckon_plain_text_append (text, "", title);
}

static void
append_warning (GString *text, const char *words)
{
  g_string_append_printf (text, "\n⚠ %s", words);
}

static const char *
plain_form_get_hint (const BeckonFormField *field)
{
  if (field->kind == BECKON_FORM_SEVERAL)
    return field->is_required ? _("Reply with numbers such as 1,3") : _("Reply with numbers such as 1,3, or /skip");
  if (field->kind == BECKON_FORM_ENUM || field->kind == BECKON_FORM_BOOLEAN)
    return field->is_required ? _("Reply with a number") : _("Reply with a number, or /skip");
  return field->is_required ? _("Type your answer") : _("Type your answer, or /skip");
}

static void
append_field (GString *text, const BeckonFormField *field)
{
  g_autofree char *value = beckon_form_field_dup_words (field);

  g_string_append (text, "\n\n");
  beckon_plain_text_append (text, "", field->title);
  if (field->description != NULL)
    beckon_plain_text_append (text, " — ", field->description);
  if (field->hint != NULL && field->kind != BECKON_FORM_ENUM)
    {
      beckon_plain_text_append (text, " (", field->hint);
      g_string_append_c (text, ')');
    }
  for (guint i = 0; field->options != NULL && i < field->options->len; i++)
    {
      g_string_append_printf (text, "\n%u. ", i + 1);
      beckon_plain_text_append (text, "", g_ptr_array_index (field->options, i));
    }
  if (field->kind == BECKON_FORM_BOOLEAN)
    beckon_text_append (text, "\n1. %s\n2. %s", _("Yes"), _("No"));
  beckon_text_append (text, "\n\n%s", plain_form_get_hint (field));
  if (value != NULL && field->kind != BECKON_FORM_BOOLEAN)
    {
      g_autofree char *shown = beckon_plain_text_for_terminal (value, -1);

      /* Translators: follows "Type your answer"; %s is what is filled in already */
      beckon_text_append (text, _(". /keep leaves it at “%s”"), shown);
    }
}

void
beckon_plain_form_append (GString *text, BeckonRequest *request, guint item, const char *code)
{
  g_autoptr (BeckonForm) form = make_form (request, NULL);
  const BeckonFormField *field = get_field (request, form, item);

  if (item == 0)
    {
      const char *secret;
      g_autofree char *shown = NULL;
      g_autofree char *words = NULL;

      beckon_plain_text_append (text, "\n", beckon_form_request_get_message (request));
      secret = beckon_form_request_get_secret (request);
      shown = secret != NULL ? beckon_plain_text_for_terminal (secret, -1) : NULL;
      if (secret != NULL)
        {
          /* Translators: %s is the name of a field of a form */
          words = beckon_text_printf (_("“%s” looks like a secret. Servers must not ask for secrets in a form."), shown);
          append_warning (text, words);
        }
    }
  if (form == NULL)
    {
      const char *url = beckon_form_request_get_url (request);
      g_autofree char *host = beckon_form_request_dup_host (request);
      g_autofree char *warning = beckon_form_request_dup_url_warning (request);

      beckon_plain_text_append (text, "\n\n", url);
      g_string_append_c (text, '\n');
      beckon_text_append (text, _("It leads to %s."), host);
      if (warning != NULL)
        append_warning (text, warning);
      beckon_text_append (text, "\n1. %s\n2. %s\n3. %s\n\n%s", _("Agree, and open it in a browser yourself"), _("Decline"),
                          _("Stop"), _("Reply with a number"));
    }
  else if (!beckon_form_request_is_flat (request))
    {
      g_autofree char *schema = beckon_text_json_for_display (beckon_form_request_get_schema (request));

      beckon_plain_text_append (text, "\n\n", schema);
      beckon_text_append (text, "\n\n%s", _("Reply with a JSON object that fits this, with /decline or with /skip"));
    }
  else if (field != NULL)
    append_field (text, field);
  else
    {
      const char *names = beckon_form_request_get_secret (request);
      g_autofree char *review = names != NULL ? beckon_plain_text_for_terminal (names, -1) : NULL;

      beckon_text_append (text, "\n1. %s\n2. %s\n3. %s\n\n%s", _("Send"), _("Decline"), _("Stop"),
                          _("Reply with a number, or change a field with “name=value”"));
      if (review != NULL)
        /* Translators: follows "change a field with “name=value”"; %s is the name of a field with a secret */
        beckon_text_append (text, _(". “%s=” alone lets you type it again, unseen"), review);
    }
}

/* All fields, with what will be sent. */
static char *
review (BeckonForm *form)
{
  const GPtrArray *fields = beckon_form_get_root (form)->children;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < fields->len; i++)
    {
      const BeckonFormField *field = g_ptr_array_index (fields, i);
      g_autofree char *value = beckon_form_field_dup_words (field);

      beckon_plain_text_append (text, i > 0 ? "\n" : "", field->title);
      beckon_plain_text_append (text, ": ", value != NULL ? value : _("not given"));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

/* An option's number, or its words. -1: none. */
static int
find_option (const BeckonFormField *field, const char *line)
{
  g_autofree char *folded = g_utf8_casefold (line, -1);
  g_autoptr (GArray) number = beckon_plain_number_parse (line, FALSE);

  for (guint i = 0; i < field->options->len; i++)
    {
      g_autofree char *option = g_utf8_casefold (g_ptr_array_index (field->options, i), -1);

      if (strcmp (option, folded) == 0)
        return (int) i;
    }
  return number != NULL && g_array_index (number, guint, 0) <= field->options->len ? (int) g_array_index (number, guint, 0) - 1
                                                                                   : -1;
}

static gboolean
pick (BeckonForm *form, const char *pointer, const char *line)
{
  /* Each change of the form makes other fields. */
  g_autoptr (BeckonFormField) field = beckon_form_field_ref (beckon_form_find (form, pointer));
  g_autoptr (GArray) numbers = beckon_plain_number_parse (line, TRUE);
  int option = find_option (field, line);

  if (numbers == NULL && option < 0)
    return FALSE;
  for (guint i = 0; numbers != NULL && i < numbers->len; i++)
    if (g_array_index (numbers, guint, i) > field->options->len)
      return FALSE;
  for (guint i = 0; i < field->options->len; i++)
    {
      gboolean on = numbers == NULL && (int) i == option;

      for (guint j = 0; numbers != NULL && j < numbers->len; j++)
        on = on || g_array_index (numbers, guint, j) == i + 1;
      beckon_form_pick (form, beckon_form_find (form, pointer), i, on);
    }
  return TRUE;
}

static int
read_switch (const char *line)
{
  static const char *const yes[] = { "1", "yes", "y", "true", "on", NULL };
  static const char *const no[] = { "2", "no", "n", "false", "off", "0", NULL };
  g_autofree char *folded = g_utf8_casefold (line, -1);
  g_autofree char *own_yes = g_utf8_casefold (_("Yes"), -1);
  g_autofree char *own_no = g_utf8_casefold (_("No"), -1);

  if (g_strv_contains (yes, folded) || strcmp (folded, own_yes) == 0)
    return 1;
  return g_strv_contains (no, folded) || strcmp (folded, own_no) == 0 ? 0 : -1;
}

/* FALSE with @message: why @line is nothing for @field. */
static gboolean
plain_form_fill_in (BeckonForm *form, BeckonFormField *field, const char *line, char **message)
{
  g_autofree char *pointer = g_strdup (field->pointer);
  gboolean taken;
  int option;

  switch (field->kind)
    {
    case BECKON_FORM_BOOLEAN:
      option = read_switch (line);
      taken = option >= 0 && beckon_form_put (form, field, option > 0 ? "true" : "false");
      break;
    case BECKON_FORM_ENUM:
      option = find_option (field, line);
      taken = option >= 0 && beckon_form_choose (form, field, (guint) option);
      break;
    case BECKON_FORM_SEVERAL:
      taken = pick (form, pointer, line);
      break;
    case BECKON_FORM_TEXT:
    case BECKON_FORM_NUMBER:
    case BECKON_FORM_INTEGER:
    case BECKON_FORM_CONST:
    case BECKON_FORM_OBJECT:
    case BECKON_FORM_ARRAY:
    case BECKON_FORM_CHOICE:
    case BECKON_FORM_RAW:
    default:
      taken = beckon_form_type (form, field, line);
    }
  field = beckon_form_find (form, pointer);
  if (taken && (field->problem == NULL || field->is_warning))
    return TRUE;
  *message = g_strdup (taken ? field->problem : _("Reply with the number of a choice."));
  return FALSE;
}

static gboolean
leave_blank (BeckonForm *form, BeckonFormField *field, char **message)
{
  g_autofree char *name = g_strdup (field->title);

  if (!field->is_required)
    return field->kind == BECKON_FORM_BOOLEAN || !field->is_present || beckon_form_clear (form, field);
  /* Translators: %s is the name of a field of a form */
  *message = beckon_text_printf (_("“%s” has to be filled in. /decline declines, /cancel leaves it unanswered."), name);
  return FALSE;
}

static void
keep_text (BeckonAnswer *answer, BeckonForm *form)
{
  g_free (answer->text);
  answer->text = g_strdup (beckon_form_get_text (form));
}

static BeckonPlainResult
send_form (BeckonForm *form, BeckonAnswer **whole, char **message)
{
  *message = beckon_form_dup_problems (form);
  if (*message != NULL)
    return BECKON_PLAIN_AGAIN;
  *whole = beckon_answer_new (BECKON_ANSWER_FORM, beckon_form_get_text (form));
  return BECKON_PLAIN_ANSWER;
}

static BeckonPlainResult
parse_field (BeckonRequest *request, BeckonForm *form, guint item, const char *line, BeckonAnswer *answer,
             BeckonAnswer **whole, char **message)
{
  BeckonFormField *field = get_field (request, form, item);
  gboolean done = strcmp (line, "/skip") == 0 ? leave_blank (form, field, message)
                  : strcmp (line, "/keep") == 0 && field->is_present ? TRUE
                                                                     : plain_form_fill_in (form, field, line, message);
  guint n = count_fields (form);

  if (!done)
    return BECKON_PLAIN_AGAIN;
  if (n == 1)
    return send_form (form, whole, message);
  keep_text (answer, form);
  if (item == n - 1)
    *message = review (form);
  return BECKON_PLAIN_ITEM;
}

/* "name=value", by the field's name or its title. (nullable): %NULL where @line names no field. */
static BeckonFormField *
find_named (BeckonForm *form, const char *line, const char **value)
{
  const char *sign = strchr (line, '=');
  g_autofree char *name = sign != NULL ? g_strstrip (g_strndup (line, (gsize) (sign - line))) : NULL;
  const GPtrArray *fields = beckon_form_get_root (form)->children;

  for (guint i = 0; name != NULL && i < fields->len; i++)
    {
      BeckonFormField *field = g_ptr_array_index (fields, i);

      if (strcmp (field->name, name) == 0 || strcmp (field->title, name) == 0)
        {
          *value = sign + 1;
          return field;
        }
    }
  return NULL;
}

/* "name, check, integer" */
static char *
dup_names (BeckonForm *form)
{
  const GPtrArray *fields = beckon_form_get_root (form)->children;
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < fields->len; i++)
    beckon_plain_text_append (names, i > 0 ? ", " : "", ((const BeckonFormField *) g_ptr_array_index (fields, i))->name);
  return beckon_text_shorten (names->str, MOST_NAMES_CHARS);
}

int
beckon_plain_form_find_secret (BeckonRequest *request, guint item, const char *line)
{
  g_autoptr (BeckonForm) form = beckon_form_request_get_secrets (request) != NULL ? make_form (request, NULL) : NULL;
  gboolean is_review = form != NULL && beckon_form_request_is_flat (request) && get_field (request, form, item) == NULL;
  const char *value = NULL;
  BeckonFormField *field = is_review ? find_named (form, line, &value) : NULL;
  guint index = 0;

  if (field == NULL || !field->is_secret || !g_ptr_array_find (beckon_form_get_root (form)->children, field, &index))
    return -1;
  return (int) index;
}

char *
beckon_plain_form_dup_review (BeckonRequest *request, const BeckonAnswer *answer)
{
  g_autoptr (BeckonForm) form = make_form (request, answer);

  return form != NULL ? review (form) : NULL;
}

static BeckonPlainResult
parse_review (BeckonForm *form, const char *line, BeckonAnswer *answer, BeckonAnswer **whole, char **message)
{
  const char *const words[] = { _("Send"), _("Decline"), _("Stop") };
  const char *value = NULL;
  BeckonFormField *field = find_named (form, line, &value);

  if (field != NULL)
    {
      if (*value == '\0' ? leave_blank (form, field, message) : plain_form_fill_in (form, field, value, message))
        {
          keep_text (answer, form);
          *message = review (form);
        }
      return BECKON_PLAIN_AGAIN;
    }
  switch (beckon_plain_reply_parse_decision (line, words))
    {
    case 1:
      return send_form (form, whole, message);
    case 2:
      *whole = beckon_answer_new (BECKON_ANSWER_DECLINED, NULL);
      return BECKON_PLAIN_ANSWER;
    case 3:
      return BECKON_PLAIN_STOP;
    default:
      return beckon_plain_reply_again (message, _("Reply with 1 to send it, 2 to decline, 3 to stop, or change a field with "
                                                  "“name=value”."));
    }
}

static gboolean
parse_command (const char *line, BeckonPlainResult *result, BeckonAnswer **whole)
{
  if (beckon_plain_reply_parse_command (line, result, whole))
    return TRUE;
  if (strcmp (line, "/decline") == 0)
    *whole = beckon_answer_new (BECKON_ANSWER_DECLINED, NULL);
  else if (strcmp (line, "/cancel") == 0)
    *whole = beckon_answer_new (BECKON_ANSWER_SKIP, NULL);
  else
    return FALSE;
  *result = BECKON_PLAIN_ANSWER;
  return TRUE;
}

BeckonPlainResult
beckon_plain_form_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer, BeckonAnswer **whole,
                         char **message)
{
  g_autoptr (BeckonForm) form = make_form (request, answer);
  BeckonPlainResult result;

  if (parse_command (line, &result, whole))
    return result;
  if (form == NULL)
    {
      const char *const words[] = { _("Agree"), _("Decline"), _("Stop") };
      guint decision = beckon_plain_reply_parse_decision (line, words);

      if (decision == 3)
        return BECKON_PLAIN_STOP;
      if (decision != 1 && decision != 2)
        return beckon_plain_reply_again (message, _("Reply with 1 to agree, 2 to decline or 3 to stop."));
      *whole = beckon_answer_new (decision == 1 ? BECKON_ANSWER_FORM : BECKON_ANSWER_DECLINED, NULL);
      return BECKON_PLAIN_ANSWER;
    }
  if (*line == '{' || !beckon_form_request_is_flat (request))
    {
      if (strcmp (line, "/skip") == 0)
        {
          *whole = beckon_answer_new (BECKON_ANSWER_SKIP, NULL);
          return BECKON_PLAIN_ANSWER;
        }
      beckon_form_set_text (form, line);
      return send_form (form, whole, message);
    }
  return get_field (request, form, item) != NULL ? parse_field (request, form, item, line, answer, whole, message)
                                                 : parse_review (form, line, answer, whole, message);
}

/* --- Command lines ------------------------------------------------------------------------------------------------ */

static BeckonAnswer *
read_fields (BeckonForm *form, const char *const *words, char **problem)
{
  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *value = NULL;
      BeckonFormField *field = find_named (form, words[i], &value);
      g_autofree char *why = NULL;

      if (field == NULL)
        {
          g_autofree char *names = dup_names (form);

          /* Translators: what was given on a command line in place of a field and its value; names of fields */
          *problem = beckon_text_printf (_("“%s” names no field of this form. Give “name=value” for each field; they are: %s"),
                                         words[i], names);
          return NULL;
        }
      if (*value == '\0' ? leave_blank (form, field, &why) : plain_form_fill_in (form, field, value, &why))
        continue;
      *problem = g_strdup_printf ("%.60s: %s", words[i], why);
      return NULL;
    }
  *problem = beckon_form_dup_problems (form);
  return *problem == NULL ? beckon_answer_new (BECKON_ANSWER_FORM, beckon_form_get_text (form)) : NULL;
}

BeckonAnswer *
beckon_plain_form_read_words (BeckonRequest *request, const char *const *words, gboolean *stops, char **problem)
{
  g_autoptr (BeckonForm) form = make_form (request, NULL);
  g_autoptr (BeckonAnswer) begun = NULL;
  g_autoptr (BeckonAnswer) whole = NULL;
  g_autofree char *line = NULL;
  const char *value = NULL;
  guint n = form != NULL && beckon_form_request_is_flat (request) ? count_fields (form) : 0;

  if (n > 1 || (n == 1 && find_named (form, words[0], &value) != NULL))
    if (*words[0] != '/' && *words[0] != '{')
      return read_fields (form, words, problem);
  line = g_strjoinv (" ", (char **) words);
  begun = beckon_plain_form_begin (request);
  *stops = beckon_plain_form_parse (request, n == 0 ? 1 : 0, line, begun, &whole, problem) == BECKON_PLAIN_STOP;
  return g_steal_pointer (&whole);
}
