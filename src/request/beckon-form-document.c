/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-form-document.h"

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"

#include <gio/gio.h>
#include <string.h>

#define MOST_PARAMS (64 * 1024)
#define MOST_MESSAGE (16 * 1024)
#define MOST_URL (8 * 1024)
#define MOST_FIELDS 64
#define MOST_CHOICES 400
#define MOST_ID 1024

static gboolean
form_document_refuse (GError **error, const char *message)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, message);
  return FALSE;
}

void
beckon_form_document_free (BeckonFormDocument *document)
{
  if (document == NULL)
    return;
  g_free (document->message);
  g_free (document->schema);
  g_free (document->initial);
  g_free (document->secret);
  g_clear_pointer (&document->secrets, g_ptr_array_unref);
  g_free (document->url);
  g_free (document->elicitation_id);
  g_free (document);
}

static gboolean
is (const BeckonJsonValue *value, const char *word)
{
  return g_strcmp0 (beckon_json_value_get_string (value), word) == 0;
}

/* --- Flat schemas ------------------------------------------------------------------------------------------------- */

/* Each has a constant, and may have a title. */
static gboolean
is_list_of_constants (const BeckonJsonValue *list)
{
  guint n = list->kind == BECKON_JSON_VALUE_ARRAY ? beckon_json_value_get_n_children (list) : 0;

  for (guint i = 0; i < n; i++)
    if (beckon_json_value_get_string (beckon_json_value_get (beckon_json_value_get_child (list, i), "const")) == NULL)
      return FALSE;
  return n > 0 && n <= MOST_CHOICES;
}

static gboolean
is_list_of_strings (const BeckonJsonValue *list)
{
  guint n = list->kind == BECKON_JSON_VALUE_ARRAY ? beckon_json_value_get_n_children (list) : 0;

  for (guint i = 0; i < n; i++)
    if (beckon_json_value_get_string (beckon_json_value_get_child (list, i)) == NULL)
      return FALSE;
  return n > 0 && n <= MOST_CHOICES;
}

/* Words of a schema that say more than one control can show. */
static gboolean
says_more (const BeckonJsonValue *schema)
{
  static const char *const words[] = { "$ref", "$dynamicRef", "allOf", "not", "if", "then", "else", "const", "properties",
                                       "patternProperties", "additionalProperties", "prefixItems", "contains",
                                       "dependentSchemas", "dependentRequired", "dependencies", "propertyNames" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (beckon_json_value_get (schema, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* @lists: where constants may stand. */
static gboolean
has_flat_choices (const BeckonJsonValue *schema, const char *const *lists)
{
  static const char *const all[] = { "anyOf", "oneOf" };
  const BeckonJsonValue *values = beckon_json_value_get (schema, "enum");
  guint n = values != NULL;

  if (says_more (schema) || (values != NULL && !is_list_of_strings (values)))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      const BeckonJsonValue *list = beckon_json_value_get (schema, all[i]);

      if (list != NULL && (!g_strv_contains (lists, all[i]) || !is_list_of_constants (list)))
        return FALSE;
      n += list != NULL;
    }
  return n <= 1;
}

static gboolean
is_flat_array (const BeckonJsonValue *schema)
{
  const char *const lists[] = { "anyOf", "oneOf", NULL };
  const BeckonJsonValue *items = beckon_json_value_get (schema, "items");

  return items != NULL && items->kind == BECKON_JSON_VALUE_OBJECT && !says_more (schema)
         && beckon_json_value_get (schema, "enum") == NULL && beckon_json_value_get (schema, "anyOf") == NULL
         && beckon_json_value_get (schema, "oneOf") == NULL && has_flat_choices (items, lists)
         && (beckon_json_value_get (items, "enum") != NULL || beckon_json_value_get (items, "anyOf") != NULL
             || beckon_json_value_get (items, "oneOf") != NULL);
}

static gboolean
is_flat_field (const BeckonJsonValue *schema)
{
  const char *const lists[] = { "oneOf", "anyOf", NULL };
  const char *const none[] = { NULL };
  const BeckonJsonValue *type = beckon_json_value_get (schema, "type");

  if (schema->kind != BECKON_JSON_VALUE_OBJECT || strlen (schema->name->str) != schema->name->len)
    return FALSE;
  if (is (type, "array"))
    return is_flat_array (schema);
  if (beckon_json_value_get (schema, "items") != NULL)
    return FALSE;
  if (is (type, "string"))
    return has_flat_choices (schema, lists);
  return (is (type, "number") || is (type, "integer") || is (type, "boolean"))
         && beckon_json_value_get (schema, "enum") == NULL && has_flat_choices (schema, none);
}

static gboolean
is_flat (const BeckonJsonValue *schema, const BeckonJsonValue *properties)
{
  static const char *const words[] = { "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "patternProperties",
                                       "dependentSchemas", "dependentRequired", "dependencies", "propertyNames", "enum",
                                       "const", "minProperties", "maxProperties" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (beckon_json_value_get (schema, words[i]) != NULL)
      return FALSE;
  for (guint i = 0; i < beckon_json_value_get_n_children (properties); i++)
    if (!is_flat_field (beckon_json_value_get_child (properties, i)))
      return FALSE;
  return TRUE;
}

/* --- What the fields are ------------------------------------------------------------------------------------------ */

/* A form never asks for a secret: words that say that one does. */
static gboolean
names_secret (const char *text)
{
  g_autofree char *plain = text != NULL ? g_utf8_casefold (text, -1) : NULL;
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autofree char *folded = NULL;

  /* As it is read: without case, and without characters that are not seen. */
  for (const char *at = plain; at != NULL && *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_type (g_utf8_get_char (at)) != G_UNICODE_FORMAT)
      g_string_append_unichar (seen, g_utf8_get_char (at));

  folded = g_string_free (g_steal_pointer (&seen), FALSE);
  return g_regex_match_simple ("pass[\\s_-]*(word|phrase|code|wd)|\\bpwd\\b|secret|(api|private|access)[\\s_-]*key|"
                               "(access|auth|bearer|refresh|api|session|personal|security|login|github|id)?[\\s_-]?token\\b|"
                               "credential|(seed|recovery)[\\s_-]*phrase|\\b(pin|cvv2?|cvc2?|otp|iban|ssn|2fa)\\b|"
                               "(card|account|security|social)[\\s_-]?(security[\\s_-]?)?number|"
                               "密码|口令|密钥|令牌|验证码|银行卡",
                               folded, 0, 0);
}

/* "Do not give us your phone number, pin, or other sensitive info" asks for none of them. */
static gboolean
describes_secret (const char *text)
{
  static const char without[] = "((do not|don['’]t|never) (give|share|enter|send|provide|include|type|tell|submit)\\b|"
                                "(请勿|不要)(填写|提供|输入|分享|发送))[^.;:()\\n。；：（）]*";
  g_autoptr (GRegex) regex = g_regex_new (without, G_REGEX_CASELESS, G_REGEX_MATCH_DEFAULT, NULL);
  g_autofree char *rest = text != NULL && g_utf8_validate (text, -1, NULL)
                            ? g_regex_replace_literal (regex, text, -1, 0, " ", G_REGEX_MATCH_DEFAULT, NULL)
                            : g_strdup (text);

  return names_secret (rest != NULL ? rest : text);
}

/* Choices from a list that the server wrote are no secrets. */
static gboolean
is_typed (const BeckonJsonValue *field)
{
  const BeckonJsonValue *type = beckon_json_value_get (field, "type");

  return !is (type, "boolean") && !is (type, "array") && beckon_json_value_get (field, "enum") == NULL
         && beckon_json_value_get (field, "oneOf") == NULL && beckon_json_value_get (field, "anyOf") == NULL;
}

/* The message asks for a secret, and the only field that is typed into, which it means, has no name that says so. */
static void
find_meant (BeckonFormDocument *document, const BeckonJsonValue *properties)
{
  const BeckonJsonValue *meant = NULL;
  const char *title;

  for (guint i = 0; i < beckon_json_value_get_n_children (properties); i++)
    {
      const BeckonJsonValue *field = beckon_json_value_get_child (properties, i);

      if (!is_typed (field))
        continue;
      if (meant != NULL)
        return;
      meant = field;
    }
  if (document->secret != NULL || meant == NULL || !describes_secret (document->message))
    return;
  title = beckon_json_value_get_string (beckon_json_value_get (meant, "title"));
  document->secret = g_strdup (title != NULL && *title != '\0' ? title : meant->name->str);
  g_ptr_array_add (document->secrets, g_strdup (meant->name->str));
}

/* A default that its own schema refuses is none. */
static char *
make_initial (BeckonJsonSchema *schema, const BeckonJsonValue *properties)
{
  g_autoptr (GString) text = g_string_new ("{");

  for (guint i = 0; i < beckon_json_value_get_n_children (properties); i++)
    {
      const BeckonJsonValue *field = beckon_json_value_get_child (properties, i);
      const BeckonJsonValue *given = beckon_json_value_get (field, "default");
      const BeckonJsonValue name = { .kind = BECKON_JSON_VALUE_STRING, .text = field->name };
      g_autofree char *quoted = beckon_json_value_print (&name);
      g_autofree char *value = NULL;

      if (given != NULL && beckon_json_schema_fits (schema, field, given))
        value = beckon_json_value_print (given);
      else if (is (beckon_json_value_get (field, "type"), "boolean"))
        value = g_strdup ("false");
      else if (is (beckon_json_value_get (field, "type"), "array"))
        value = g_strdup ("[]");
      if (value != NULL)
        g_string_append_printf (text, "%s\n  %s: %s", text->len > 1 ? "," : "", quoted, value);
    }
  g_string_append (text, text->len > 1 ? "\n}" : "}");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
write_slice (BeckonJsonWriter *writer, const char *name, const BeckonJsonValue *value, const char *params)
{
  if (value == NULL)
    return;
  beckon_json_writer_name (writer, name);
  beckon_json_writer_raw (writer, params + value->offset, (gssize) value->length);
}

/* Answers have no members that the server did not ask for. */
static char *
make_flat_schema (const BeckonJsonValue *schema, const char *params)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "type", "object");
  write_slice (&writer, "properties", beckon_json_value_get (schema, "properties"), params);
  write_slice (&writer, "required", beckon_json_value_get (schema, "required"), params);
  beckon_json_writer_member_boolean (&writer, "additionalProperties", FALSE);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
read_schema (BeckonFormDocument *document, const BeckonJsonValue *schema, const char *params, GError **error)
{
  const BeckonJsonValue *properties = beckon_json_value_get (schema, "properties");
  const BeckonJsonValue *required = beckon_json_value_get (schema, "required");
  g_autoptr (BeckonJsonSchema) parsed = NULL;

  if (schema == NULL || schema->kind != BECKON_JSON_VALUE_OBJECT)
    return form_document_refuse (error, "requestedSchema has to be an object.");
  if (!is (beckon_json_value_get (schema, "type"), "object"))
    return form_document_refuse (error, "requestedSchema has to be of the type object.");
  if (properties == NULL || properties->kind != BECKON_JSON_VALUE_OBJECT)
    return form_document_refuse (error, "requestedSchema has no properties.");
  if (beckon_json_value_get_n_children (properties) > MOST_FIELDS)
    return form_document_refuse (error, "requestedSchema has more than 64 properties.");
  if (required != NULL && required->kind != BECKON_JSON_VALUE_ARRAY)
    return form_document_refuse (error, "required has to be a list.");
  document->is_flat = is_flat (schema, properties);
  document->schema = document->is_flat ? make_flat_schema (schema, params)
                                       : g_strndup (params + schema->offset, schema->length);
  parsed = beckon_json_schema_new (document->schema, -1, BECKON_JSON_SCHEMA_CHECK_FORMATS, error);
  if (parsed == NULL)
    return FALSE;
  properties = beckon_json_value_get (beckon_json_schema_get_root (parsed), "properties");
  document->initial = document->is_flat ? make_initial (parsed, properties) : g_strdup ("{}");

  document->secrets = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < beckon_json_value_get_n_children (properties); i++)
    {
      const BeckonJsonValue *field = beckon_json_value_get_child (properties, i);
      const char *title = beckon_json_value_get_string (beckon_json_value_get (field, "title"));

      if (!is (beckon_json_value_get (field, "format"), "password") && !names_secret (title)
          && !names_secret (field->name->str)
          && !describes_secret (beckon_json_value_get_string (beckon_json_value_get (field, "description"))))
        continue;
      if (document->secret == NULL)
        document->secret = g_strdup (title != NULL && *title != '\0' ? title : field->name->str);
      if (is_typed (field))
        g_ptr_array_add (document->secrets, g_strdup (field->name->str));
    }

  find_meant (document, properties);
  return TRUE;
}

/* --- Addresses ---------------------------------------------------------------------------------------------------- */

static gboolean
read_url (BeckonFormDocument *document, const BeckonJsonValue *params, GError **error)
{
  const char *url = beckon_json_value_get_string (beckon_json_value_get (params, "url"));
  const char *id = beckon_json_value_get_string (beckon_json_value_get (params, "elicitationId"));
  g_autoptr (GUri) uri = NULL;

  if (url == NULL || strlen (url) > MOST_URL)
    return form_document_refuse (error, "url is missing, or too long.");
  uri = g_uri_parse (url, G_URI_FLAGS_ENCODED, NULL);
  if (uri == NULL || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0'
      || (strcmp (g_uri_get_scheme (uri), "https") != 0 && strcmp (g_uri_get_scheme (uri), "http") != 0))
    return form_document_refuse (error, "url has to be a whole https or http address.");
  if (id != NULL && strlen (id) > MOST_ID)
    return form_document_refuse (error, "elicitationId is too long.");
  document->url = g_strdup (url);
  document->elicitation_id = g_strdup (id);
  return TRUE;
}

BeckonFormDocument *
beckon_form_document_parse (const char *params, GError **error)
{
  g_autoptr (BeckonFormDocument) document = g_new0 (BeckonFormDocument, 1);
  g_autoptr (BeckonJsonValue) value = NULL;
  const BeckonJsonValue *mode;
  const char *message;
  gboolean read;

  if (strlen (params) > MOST_PARAMS)
    {
      form_document_refuse (error, "The request has more than 64 KB.");
      return NULL;
    }
  value = beckon_json_value_parse (params, -1, error);
  if (value == NULL)
    return NULL;
  message = beckon_json_value_get_string (beckon_json_value_get (value, "message"));
  mode = beckon_json_value_get (value, "mode");
  if (message == NULL || strlen (message) > MOST_MESSAGE)
    {
      form_document_refuse (error, "message is missing, or has more than 16 KB.");
      return NULL;
    }
  document->message = g_strdup (message);
  if (mode == NULL || is (mode, "form"))
    read = read_schema (document, beckon_json_value_get (value, "requestedSchema"), params, error);
  else if (is (mode, "url"))
    read = read_url (document, value, error);
  else
    read = form_document_refuse (error, "mode has to be form or url.");
  return read ? g_steal_pointer (&document) : NULL;
}
