/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-json-schema.h"

#include "beckon-error.h"
#include "beckon-json-writer.h"
#include "beckon-text.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct _BeckonJsonSchema
{
  BeckonJsonValue *root;
  gboolean is_draft_7;
  gboolean checks_formats;
  GHashTable *bases;    /* (element-type BeckonJsonValue utf8): address that references within are relative to */
  GHashTable *places;   /* (element-type utf8 BeckonJsonValue): by address, with an anchor where it has one */
  GHashTable *targets;  /* (element-type BeckonJsonValue BeckonJsonValue): where each $ref leads; absent: nowhere */
  GHashTable *patterns; /* (element-type utf8 GRegex) (nullable values): compiled ones; NULL for what is none */
};

/*
 @pointer: where in the value the check is
 * @problems: (nullable): where problems go; %NULL while something is only tried
 * @keyword: (nullable): by which word it is being checked
 * @gave_up: it went too deep or took too long, so that nothing fits any more
 *
 * One validation in progress.
 */
typedef struct
{
  BeckonJsonSchema *schema;
  GString *pointer;
  GPtrArray *problems;
  const char *keyword;
  guint depth;
  guint n_steps;
  gboolean gave_up;
} BeckonJsonSchemaCheck;

/** Checks a value for a keyword; @word is its value in @schema. */
typedef gboolean (*BeckonJsonSchemaWordFunc) (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema,
                                              const BeckonJsonValue *word, const BeckonJsonValue *value);

static BeckonJsonSchemaWordFunc json_schema_find_assertion (const char *name);
static BeckonJsonSchemaWordFunc json_schema_find_applicator (const char *name);
static gboolean json_schema_check (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema,
                                   const BeckonJsonValue *value);

static gboolean
format_matches (const char *pattern, const char *text)
{
  return g_regex_match_simple (pattern, text, G_REGEX_DOLLAR_ENDONLY, 0);
}

static guint
number_at (const char *text)
{
  return (guint) (text[0] - '0') * 10 + (guint) (text[1] - '0');
}

static gboolean
is_date (const char *text)
{
  guint year;

  if (!format_matches ("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", text))
    return FALSE;
  year = number_at (text) * 100 + number_at (text + 2);
  /* The year 0 is one, and has 366 days. */
  return g_date_valid_dmy ((GDateDay) number_at (text + 8), (GDateMonth) number_at (text + 5),
                           (GDateYear) (year > 0 ? year : 2000));
}

/* A leap second is one only at the end of a day in UTC. */
static gboolean
is_leap_second (const char *text, const char *zone)
{
  int minutes = (int) number_at (text) * 60 + (int) number_at (text + 3);

  if (*zone == '+' || *zone == '-')
    {
      int offset = (int) number_at (zone + 1) * 60 + (int) number_at (zone + 4);

      minutes += *zone == '+' ? -offset : offset;
    }
  return (minutes + 2 * 24 * 60) % (24 * 60) == 23 * 60 + 59;
}

static gboolean
is_time (const char *text)
{
  const char *zone;

  if (!format_matches ("^([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
                       text))
    return FALSE;
  zone = text + strcspn (text, "Zz+-");
  return number_at (text + 6) < 60 || is_leap_second (text, zone);
}

static gboolean
is_date_time (const char *text)
{
  g_autofree char *date = NULL;

  if (strlen (text) < 12 || (text[10] != 'T' && text[10] != 't'))
    return FALSE;
  date = g_strndup (text, 10);
  return is_date (date) && is_time (text + 11);
}

static gboolean
is_hostname (const char *text)
{
  return strlen (text) <= 253
         && format_matches ("^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
                            text)
         && !format_matches ("(^|\\.)(?![xX][nN]).{2}--", text);
}

static gboolean
is_address (const char *text, GSocketFamily family)
{
  g_autoptr (GInetAddress) address = strchr (text, '%') == NULL ? g_inet_address_new_from_string (text) : NULL;

  return address != NULL && g_inet_address_get_family (address) == family;
}

static gboolean
is_ipv4 (const char *text)
{
  return format_matches ("^(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}$", text) && is_address (text, G_SOCKET_FAMILY_IPV4);
}

static gboolean
is_ipv6 (const char *text)
{
  return is_address (text, G_SOCKET_FAMILY_IPV6);
}

static gboolean
is_mail_host (const char *text)
{
  g_autofree char *literal = NULL;

  if (*text != '[' || !g_str_has_suffix (text, "]"))
    return is_hostname (text);
  literal = g_strndup (text + 1, strlen (text) - 2);
  return g_str_has_prefix (literal, "IPv6:") ? is_ipv6 (literal + strlen ("IPv6:")) : is_ipv4 (literal);
}

static gboolean
is_email (const char *text)
{
  /* Within quotes there may be another. */
  const char *at = *text == '"' ? strrchr (text, '@') : strchr (text, '@');

  return at != NULL && is_mail_host (at + 1)
         && format_matches ("^([^\\x00-\\x20()<>@,;:\\\\\".\\[\\]\\x7f]+(\\.[^\\x00-\\x20()<>@,;:\\\\\".\\[\\]\\x7f]+)*"
                            "|\"([^\"\\\\\\x00-\\x1f]|\\\\.)*\")@", text);
}

static gboolean
is_uri (const char *text)
{
  return format_matches ("^[a-zA-Z][a-zA-Z0-9+.-]*:([A-Za-z0-9\\-._~:/?#\\[\\]@!$&'()*+,;=]|%[0-9a-fA-F]{2})*$", text)
         && g_uri_is_valid (text, G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED, NULL);
}

static gboolean
is_regex (const char *text)
{
  g_autoptr (GRegex) regex = g_regex_new (text, 0, 0, NULL);

  return regex != NULL;
}

gboolean
beckon_json_schema_check_format (const char *format, const char *text)
{
  static const struct
  {
    const char *format;
    gboolean (*check) (const char *text);
  } known[] = {
    { "date", is_date },     { "time", is_time },   { "date-time", is_date_time }, { "hostname", is_hostname },
    { "ipv4", is_ipv4 },     { "ipv6", is_ipv6 },   { "email", is_email },         { "uri", is_uri },
    { "uuid", g_uuid_string_is_valid }, { "regex", is_regex },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (strcmp (known[i].format, format) == 0)
        return known[i].check (text);
    }
  return TRUE;
}

/* A schema has an address, and so may parts of it; a reference is an address relative to the nearest one around it,
 * with a pointer or an anchor for its fragment. All are looked up when the schema is read. What leads out of the schema
 * leads nowhere. */

#define ROOT "beckon:schema"

/* A hostile pattern is given up early. */
#define LIMIT "(*LIMIT_MATCH=20000)"

typedef struct
{
  BeckonJsonSchema *schema;
  GPtrArray *references; /* (element-type BeckonJsonValue): schemas that have one */
} Index;

static char *
schema_index_resolve (const char *base, const char *reference)
{
  char *address = g_uri_resolve_relative (base, reference, G_URI_FLAGS_ENCODED, NULL);

  /* An address without a hierarchy, such as urn:, takes nothing but a fragment. */
  if (address == NULL && reference[0] == '#')
    address = g_strconcat (base, reference, NULL);
  return address != NULL ? address : g_strdup (reference);
}

static char *
cut_fragment (const char *address)
{
  return g_strndup (address, strcspn (address, "#"));
}

static void
add_anchor (Index *self, const BeckonJsonValue *value, const char *base, const char *anchor)
{
  if (anchor != NULL)
    g_hash_table_insert (self->schema->places, g_strconcat (base, "#", anchor, NULL), (gpointer) value);
}

/* In draft 7 an id may be nothing but an anchor, and counts for nothing beside a reference. Returns the base within. */
static char *
enter (Index *self, const BeckonJsonValue *value, const char *base)
{
  const char *id = beckon_json_value_get_string (beckon_json_value_get (value, "$id"));
  g_autofree char *address = NULL;
  char *inner;

  if (self->schema->is_draft_7 && beckon_json_value_get (value, "$ref") != NULL)
    id = NULL;
  if (id != NULL && id[0] == '#')
    {
      add_anchor (self, value, base, id + 1);
      id = NULL;
    }
  if (id != NULL)
    {
      address = schema_index_resolve (base, id);
      inner = cut_fragment (address);
      g_hash_table_insert (self->schema->places, g_strdup (inner), (gpointer) value);
    }
  else
    inner = g_strdup (base);
  add_anchor (self, value, inner, beckon_json_value_get_string (beckon_json_value_get (value, "$anchor")));
  add_anchor (self, value, inner, beckon_json_value_get_string (beckon_json_value_get (value, "$dynamicAnchor")));
  return inner;
}

static void
schema_index_add_pattern (Index *self, const char *pattern)
{
  static const char *const names[][2] = {
    { "{Letter}", "{L}" },           { "{Uppercase_Letter}", "{Lu}" }, { "{Lowercase_Letter}", "{Ll}" },
    { "{Number}", "{N}" },           { "{Decimal_Number}", "{Nd}" },   { "{digit}", "{Nd}" },
    { "{Punctuation}", "{P}" },      { "{Symbol}", "{S}" },            { "{Mark}", "{M}" },
    { "{Separator}", "{Z}" },        { "{Other}", "{C}" },
  };
  g_autofree char *limited = NULL;
  GString *text;

  if (pattern == NULL || g_hash_table_contains (self->schema->patterns, pattern))
    return;
  text = g_string_new (LIMIT);
  /* Schemas write patterns as JavaScript does, where the classes of characters have long names, too. */
  g_string_append (text, pattern);
  for (guint i = 0; strstr (text->str, "\\p{") != NULL && i < G_N_ELEMENTS (names); i++)
    g_string_replace (text, names[i][0], names[i][1], 0);

  limited = g_string_free (text, FALSE);
  g_hash_table_insert (self->schema->patterns, g_strdup (pattern),
                       g_regex_new (limited, G_REGEX_DOLLAR_ENDONLY | G_REGEX_OPTIMIZE, 0, NULL));
}

static void
add_patterns (Index *self, const BeckonJsonValue *value)
{
  const BeckonJsonValue *named = beckon_json_value_get (value, "patternProperties");

  schema_index_add_pattern (self, beckon_json_value_get_string (beckon_json_value_get (value, "pattern")));
  for (guint i = 0; i < beckon_json_value_get_n_children (named); i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (named, i);

      if (child->name != NULL)
        schema_index_add_pattern (self, child->name->str);
    }
}

/* Values there are no schemas, whatever they look like. */
static gboolean
holds_values (const BeckonJsonValue *child)
{
  static const char *const words[] = { "enum", "const", "default", "examples" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (child->name != NULL && strcmp (child->name->str, words[i]) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
holds_schemas_by_name (const BeckonJsonValue *child)
{
  static const char *const words[] = { "properties", "patternProperties", "$defs", "definitions", "dependentSchemas",
                                       "dependencies" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (child->name != NULL && strcmp (child->name->str, words[i]) == 0)
        return TRUE;
    }
  return FALSE;
}

/* @names: the members of @value are schemas by whatever name, so that none of them is a word. */
static void
walk (Index *self, const BeckonJsonValue *value, const char *base, gboolean names)
{
  g_autofree char *inner = NULL;
  gboolean is_schema = value->kind == BECKON_JSON_VALUE_OBJECT && !names;

  inner = is_schema ? enter (self, value, base) : g_strdup (base);
  if (is_schema)
    {
      g_hash_table_insert (self->schema->bases, (gpointer) value, g_strdup (inner));
      add_patterns (self, value);
      if (beckon_json_value_get (value, "$ref") != NULL || beckon_json_value_get (value, "$dynamicRef") != NULL)
        g_ptr_array_add (self->references, (gpointer) value);
    }
  for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (value, i);

      if (!is_schema || !holds_values (child))
        walk (self, child, inner, is_schema && holds_schemas_by_name (child));
    }
}

static const BeckonJsonValue *
schema_index_look_up (BeckonJsonSchema *schema, const char *address)
{
  g_autofree char *place = cut_fragment (address);
  const char *fragment = address + strlen (place);
  const BeckonJsonValue *value = g_hash_table_lookup (schema->places, place);

  if (*fragment == '#')
    fragment++;
  if (*fragment == '\0' || *fragment == '/')
    {
      g_autofree char *pointer = g_uri_unescape_string (fragment, NULL);

      return beckon_json_value_point (value, pointer != NULL ? pointer : fragment);
    }
  return g_hash_table_lookup (schema->places, address);
}

static void
add_target (BeckonJsonSchema *schema, const BeckonJsonValue *value)
{
  const char *reference = beckon_json_value_get_string (beckon_json_value_get (value, "$ref"));
  g_autofree char *address = NULL;
  const BeckonJsonValue *target;

  if (reference == NULL)
    reference = beckon_json_value_get_string (beckon_json_value_get (value, "$dynamicRef"));
  if (reference == NULL)
    return;
  address = schema_index_resolve (g_hash_table_lookup (schema->bases, value), reference);
  target = schema_index_look_up (schema, address);
  if (target != NULL)
    g_hash_table_insert (schema->targets, (gpointer) value, (gpointer) target);
}

static void
regex_unref (gpointer regex)
{
  if (regex != NULL)
    g_regex_unref (regex);
}

typedef struct
{
  BeckonJsonSchema *schema;
  const char *text;
  const BeckonJsonSynonym *synonyms; /* (nullable) */
  gboolean leaves_out;
  BeckonJsonWriter writer;
  GString *told;
  gboolean is_changed;
  gboolean is_odd; /* a name can't be written again */
} Completion;

/* (nullable): what a text stands for where the schema takes no text but something else. Caller frees. */
static BeckonJsonValue *
read_literal (Completion *self, const BeckonJsonValue *part, const BeckonJsonValue *value)
{
  const char *type = beckon_json_value_get_string (beckon_json_value_get (part, "type"));
  g_autoptr (BeckonJsonValue) literal = NULL;
  gboolean is_meant;

  if (value->kind != BECKON_JSON_VALUE_STRING || type == NULL || g_str_equal (type, "string"))
    return NULL;
  literal = beckon_json_value_parse (value->text->str, (gssize) value->text->len, NULL);
  if (literal == NULL)
    return NULL;
  /* A number that is too small is told so, and not that it is a text. */
  if (literal->kind == BECKON_JSON_VALUE_NUMBER)
    is_meant = g_str_equal (type, "integer") || g_str_equal (type, "number");
  else if (literal->kind == BECKON_JSON_VALUE_ARRAY || literal->kind == BECKON_JSON_VALUE_OBJECT)
    is_meant = g_str_equal (type, literal->kind == BECKON_JSON_VALUE_ARRAY ? "array" : "object");
  else
    is_meant = g_str_equal (type, "boolean")
               && (literal->kind == BECKON_JSON_VALUE_TRUE || literal->kind == BECKON_JSON_VALUE_FALSE);
  return is_meant ? g_steal_pointer (&literal) : NULL;
}

static gboolean
is_required (const BeckonJsonValue *part, const GString *name)
{
  const BeckonJsonValue *required = beckon_json_value_get (part, "required");

  for (guint i = 0; i < beckon_json_value_get_n_children (required); i++)
    {
      const BeckonJsonValue *one = beckon_json_value_get_child (required, i);

      if (one->kind == BECKON_JSON_VALUE_STRING && g_string_equal (one->text, name))
        return TRUE;
    }
  return FALSE;
}

static void complete_value (Completion *self, const BeckonJsonValue *part, const BeckonJsonValue *value);

static void
complete_name (Completion *self, const GString *name)
{
  self->is_odd = self->is_odd || strlen (name->str) != name->len;
  beckon_json_writer_name (&self->writer, name->str);
}

/* (nullable): the property, not given by its own name, that @name stands for. *@is_idle: the name says nothing that counts */
static const BeckonJsonValue *
find_meant (Completion *self, const BeckonJsonValue *properties, const BeckonJsonValue *value, const char *name,
            gboolean *is_idle)
{
  const BeckonJsonValue *meant = NULL;

  for (guint i = 0; i < beckon_json_value_get_n_children (properties) && meant == NULL; i++)
    if (beckon_likeness_is_same_word (beckon_json_value_get_child (properties, i)->name->str, name))
      meant = beckon_json_value_get_child (properties, i);
  for (const BeckonJsonSynonym *synonym = self->synonyms; synonym != NULL && synonym->name != NULL; synonym++)
    {
      if (!beckon_likeness_is_same_word (synonym->name, name))
        continue;
      *is_idle = *is_idle || synonym->meant == NULL;
      if (meant == NULL && synonym->meant != NULL)
        meant = beckon_json_value_get (properties, synonym->meant);
    }
  return meant != NULL && beckon_json_value_get_member (value, meant->name) == NULL ? meant : NULL;
}

static gboolean
may_hold (Completion *self, const BeckonJsonValue *property, const BeckonJsonValue *value)
{
  const BeckonJsonValue *target = beckon_json_schema_get_target (self->schema, property);
  g_autoptr (BeckonJsonValue) literal = read_literal (self, target != NULL ? target : property, value);

  return beckon_json_schema_fits (self->schema, property, literal != NULL ? literal : value);
}

/* A member that the schema does not know is taken for the one that its name stands for, or left out. */
static void
complete_unknown (Completion *self, const BeckonJsonValue *properties, const BeckonJsonValue *value,
                  const BeckonJsonValue *member, GPtrArray *taken)
{
  const char *name = member->name->str;
  gboolean is_idle = self->leaves_out || (self->synonyms != NULL && member->kind == BECKON_JSON_VALUE_NULL);
  const BeckonJsonValue *property = find_meant (self, properties, value, name, &is_idle);

  if (property != NULL && !g_ptr_array_find (taken, property, NULL) && may_hold (self, property, member))
    {
      g_string_append_printf (self->told, "%s`%.100s` was taken for `%s`.", self->told->len > 0 ? " " : "", name,
                              property->name->str);
      g_ptr_array_add (taken, (gpointer) property);
      complete_name (self, property->name);
      complete_value (self, property, member);
      self->is_changed = TRUE;
    }
  else if (is_idle)
    {
      g_string_append_printf (self->told, "%s`%.100s` ", self->told->len > 0 ? " " : "", name);
      if (property != NULL)
        g_string_append_printf (self->told, "was ignored: `%s` does not take its value.", property->name->str);
      else
        g_string_append (self->told, "is not known here and was ignored.");
      self->is_changed = TRUE;
    }
  else
    {
      complete_name (self, member->name);
      complete_value (self, NULL, member);
    }
}

static void
complete_object (Completion *self, const BeckonJsonValue *part, const BeckonJsonValue *value)
{
  const BeckonJsonValue *properties = beckon_json_value_get (part, "properties");
  const BeckonJsonValue *additional = beckon_json_value_get (part, "additionalProperties");
  gboolean is_closed = additional != NULL && additional->kind == BECKON_JSON_VALUE_FALSE
                       && beckon_json_value_get (part, "patternProperties") == NULL;
  g_autoptr (GPtrArray) taken = g_ptr_array_new ();

  beckon_json_writer_begin_object (&self->writer);
  for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get_child (value, i);
      const BeckonJsonValue *property = beckon_json_value_get_member (properties, member->name);

      if (property == NULL && is_closed)
        complete_unknown (self, properties, value, member, taken);
      /* Null is how some write that an argument is not given. */
      else if (property != NULL && member->kind == BECKON_JSON_VALUE_NULL && !is_required (part, member->name)
               && !beckon_json_schema_fits (self->schema, property, member))
        self->is_changed = TRUE;
      else
        {
          complete_name (self, member->name);
          complete_value (self, property, member);
        }
    }
  for (guint i = 0; i < beckon_json_value_get_n_children (properties); i++)
    {
      const BeckonJsonValue *property = beckon_json_value_get_child (properties, i);
      const BeckonJsonValue *fallback = beckon_json_value_get (property, "default");
      g_autofree char *printed = NULL;

      if (fallback == NULL || !is_required (part, property->name)
          || beckon_json_value_get_member (value, property->name) != NULL || g_ptr_array_find (taken, property, NULL)
          || !beckon_json_schema_fits (self->schema, property, fallback))
        continue;
      printed = beckon_json_value_print (fallback);
      complete_name (self, property->name);
      beckon_json_writer_raw (&self->writer, printed, -1);
      self->is_changed = TRUE;
    }
  beckon_json_writer_end_object (&self->writer);
}

static void
complete_value (Completion *self, const BeckonJsonValue *part, const BeckonJsonValue *value)
{
  const BeckonJsonValue *referred = part != NULL ? beckon_json_schema_get_target (self->schema, part) : NULL;
  const BeckonJsonValue *target = referred != NULL ? referred : part;
  g_autoptr (BeckonJsonValue) literal = target != NULL ? read_literal (self, target, value) : NULL;
  const BeckonJsonValue *items = beckon_json_value_get (target, "items");

  if (literal != NULL)
    {
      const char *text = self->text;

      self->text = value->text->str;
      complete_value (self, part, literal);
      self->text = text;
      self->is_changed = TRUE;
    }
  else if (value->kind == BECKON_JSON_VALUE_OBJECT && target != NULL)
    complete_object (self, target, value);
  else if (value->kind == BECKON_JSON_VALUE_ARRAY && items != NULL)
    {
      beckon_json_writer_begin_array (&self->writer);
      for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
        complete_value (self, items, beckon_json_value_get_child (value, i));
      beckon_json_writer_end_array (&self->writer);
    }
  else
    beckon_json_writer_raw (&self->writer, self->text + value->offset, (gssize) value->length);
}

char *
beckon_json_schema_complete (BeckonJsonSchema *schema, const char *text, const BeckonJsonSynonym *synonyms,
                             gboolean leaves_out, char **told)
{
  g_autoptr (BeckonJsonValue) value = NULL;
  g_autoptr (GString) completed = g_string_new (NULL);
  g_autoptr (GString) sentences = g_string_new (NULL);
  Completion self
    = { .schema = schema, .text = text, .synonyms = synonyms, .leaves_out = leaves_out, .told = sentences };

  g_return_val_if_fail (schema != NULL && text != NULL, NULL);

  value = beckon_json_value_parse (text, -1, NULL);
  if (value == NULL || value->kind != BECKON_JSON_VALUE_OBJECT)
    return NULL;
  beckon_json_writer_init (&self.writer, completed);
  complete_value (&self, beckon_json_schema_get_root (schema), value);
  if (told != NULL)
    *told = self.is_changed && !self.is_odd && sentences->len > 0 ? g_strdup (sentences->str) : NULL;
  return self.is_changed && !self.is_odd ? g_string_free (g_steal_pointer (&completed), FALSE) : NULL;
}

/* A schema is walked beside the value it is for. A schema and a value may come from strangers, so depth and steps are
 * bounded, and what was given up on does not fit, also where it was only tried. */

#define MAX_DEPTH 600
#define MAX_STEPS 1000000
#define MAX_PROBLEMS 20
#define MAX_DETAIL 200

/* Percent: file_path is like path, and old_string like old_text. */
#define LEAST_ALIKE 30

/* --- Problems ----------------------------------------------------------------------------------------------------- */

void
beckon_json_problem_free (BeckonJsonProblem *problem)
{
  g_free (problem->pointer);
  g_free (problem->keyword);
  g_free (problem->message);
  g_free (problem->shown);
  g_free (problem);
}

static BeckonJsonProblem *
problem_new (const char *pointer, const char *keyword, const char *message, const char *detail)
{
  g_autofree char *seen = detail != NULL ? beckon_text_for_display (detail, -1, BECKON_TEXT_EXACT) : NULL;
  g_autofree char *shorter = seen != NULL ? beckon_text_shorten (seen, MAX_DETAIL) : NULL;
  BeckonJsonProblem *problem = g_new0 (BeckonJsonProblem, 1);

  problem->pointer = g_strdup (pointer);
  problem->keyword = g_strdup (keyword != NULL ? keyword : "");
  problem->message = beckon_text_fill_in (message, shorter);
  problem->shown = beckon_text_fill_in (_(message), shorter);
  return problem;
}

static GPtrArray *
problems_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_json_problem_free);
}

/* Returns %FALSE */
static gboolean
json_schema_complain (BeckonJsonSchemaCheck *check, const char *message, const char *detail)
{
  if (check->problems != NULL && check->problems->len < MAX_PROBLEMS)
    g_ptr_array_add (check->problems, problem_new (check->pointer->str, check->keyword, message, detail));
  return FALSE;
}

/* Complains with the name of @names that is like @name, if there is one. */
static void
json_schema_suggest (BeckonJsonSchemaCheck *check, const char *message, const BeckonJsonValue *names,
                     const BeckonJsonValue *taken, const GString *name)
{
  const BeckonJsonValue *found = NULL;
  guint best = LEAST_ALIKE - 1;
  BeckonLikeness likeness;

  if (check->problems == NULL || check->problems->len >= MAX_PROBLEMS)
    return;
  beckon_likeness_init (&likeness, name->str, name->len);
  for (guint i = 0; i < beckon_json_value_get_n_children (names); i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (names, i);
      guint alike = child->name != NULL && beckon_json_value_get_member (taken, child->name) == NULL
                      ? beckon_likeness_compare (&likeness, child->name->str, child->name->len) : 0;

      if (alike > best)
        {
          best = alike;
          found = child;
        }
    }
  if (found != NULL)
    json_schema_complain (check, message, found->name->str);
}

static char *
join_problems (GPtrArray *problems, gboolean shown)
{
  GString *lines = g_string_new (NULL);

  for (guint i = 0; i < problems->len; i++)
    {
      const BeckonJsonProblem *problem = g_ptr_array_index (problems, i);
      g_autofree char *place = beckon_text_for_display (problem->pointer, -1, BECKON_TEXT_EXACT);

      g_string_append_printf (lines, "%s%s%s%s", i > 0 ? "\n" : "", place, *place != '\0' ? ": " : "",
                              shown ? problem->shown : problem->message);
    }
  return g_string_free (lines, FALSE);
}

char *
beckon_json_problems_to_message (GPtrArray *problems)
{
  g_return_val_if_fail (problems != NULL, NULL);

  return join_problems (problems, FALSE);
}

char *
beckon_json_problems_to_shown (GPtrArray *problems)
{
  g_return_val_if_fail (problems != NULL, NULL);

  return join_problems (problems, TRUE);
}

/* --- Checking ----------------------------------------------------------------------------------------------------- */

static gboolean
json_schema_step (BeckonJsonSchemaCheck *check, guint n_steps)
{
  if (check->gave_up)
    return FALSE;
  check->n_steps += MIN (n_steps, MAX_STEPS);
  if (check->n_steps <= MAX_STEPS && check->depth <= MAX_DEPTH)
    return TRUE;
  check->gave_up = TRUE;
  return FALSE;
}

static gboolean
check_target (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *value)
{
  const BeckonJsonValue *target = g_hash_table_lookup (check->schema->targets, schema);

  check->keyword = "$ref";
  if (target == NULL)
    return json_schema_complain (check, N_("This cannot be checked: its schema leads out of what is known."),
                                 NULL);
  return json_schema_check (check, target, value);
}

static gboolean
check_word (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *word,
            const BeckonJsonValue *value)
{
  const char *name = word->name->str;
  BeckonJsonSchemaWordFunc function = json_schema_find_assertion (name);

  if (function == NULL)
    function = json_schema_find_applicator (name);
  if (function == NULL && strcmp (name, "$ref") != 0 && strcmp (name, "$dynamicRef") != 0)
    return TRUE;
  check->keyword = name;
  return function != NULL ? function (check, schema, word, value) : check_target (check, schema, value);
}

static gboolean
check_object (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *value)
{
  gboolean fits = TRUE;

  /* In draft 7 nothing counts beside a reference. */
  if (check->schema->is_draft_7 && beckon_json_value_get (schema, "$ref") != NULL)
    return check_target (check, schema, value);
  for (guint i = 0; i < schema->children->len && !check->gave_up; i++)
    {
      fits &= check_word (check, schema, beckon_json_value_get_child (schema, i), value);
      if (!fits && check->problems == NULL)
        return FALSE;
    }
  return fits;
}

/* Does @value fit @schema? */
static gboolean
json_schema_check (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *value)
{
  const char *keyword = check->keyword;
  gboolean fits = TRUE;

  check->depth++;
  if (!json_schema_step (check, 1))
    fits = FALSE;
  else if (schema->kind == BECKON_JSON_VALUE_FALSE)
    fits = json_schema_complain (check, N_("There may be nothing here."), NULL);
  else if (schema->kind == BECKON_JSON_VALUE_OBJECT)
    fits = check_object (check, schema, value);
  check->depth--;
  check->keyword = keyword;
  return fits && !check->gave_up;
}

/* As beckon_json_schema_check(), but says nothing. */
static gboolean
json_schema_try (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *value)
{
  GPtrArray *problems = check->problems;
  gboolean fits;

  check->problems = NULL;
  fits = json_schema_check (check, schema, value);
  check->problems = problems;
  return fits;
}

/* As beckon_json_schema_check(), for a child of the value where the check is, by name or index. */
static gboolean
json_schema_check_child (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema,
                         const BeckonJsonValue *child, guint index)
{
  gsize length = check->pointer->len;
  gboolean fits;

  if (check->problems != NULL)
    {
      GString *pointer = check->pointer;

      if (child->name == NULL)
        g_string_append_printf (pointer, "/%u", index);
      else
        beckon_json_pointer_append (pointer, child->name->str, (gssize) child->name->len);
    }
  fits = json_schema_check (check, schema, child);
  g_string_truncate (check->pointer, length);
  return fits;
}

/* %TRUE if @pattern is found in @text; what cannot be decided is not. */
static gboolean
json_schema_matches (BeckonJsonSchemaCheck *check, const char *pattern, const GString *text)
{
  GRegex *regex = g_hash_table_lookup (check->schema->patterns, pattern);

  return regex != NULL && json_schema_step (check, 10)
         && g_regex_match_full (regex, text->str, (gssize) text->len, 0, 0, NULL, NULL);
}

gboolean
beckon_json_schema_has_pattern (BeckonJsonSchema *schema, const char *pattern, const GString *text)
{
  BeckonJsonSchemaCheck check = { .schema = schema };

  g_return_val_if_fail (schema != NULL, FALSE);

  return json_schema_matches (&check, pattern, text);
}

GPtrArray *
beckon_json_schema_validate_part (BeckonJsonSchema *schema, const BeckonJsonValue *part, const BeckonJsonValue *value,
                                  const char *place)
{
  g_autoptr (GString) pointer = g_string_new (place);
  g_autoptr (GPtrArray) problems = problems_new ();
  BeckonJsonSchemaCheck check = { .schema = schema, .pointer = pointer, .problems = problems };

  g_return_val_if_fail (schema != NULL, NULL);
  g_return_val_if_fail (part != NULL, NULL);
  g_return_val_if_fail (value != NULL, NULL);

  if (json_schema_check (&check, part, value))
    return NULL;
  if (check.gave_up || problems->len == 0)
    g_ptr_array_add (problems, problem_new (place, NULL, N_("This takes too long to check against its schema."), NULL));
  return g_steal_pointer (&problems);
}

GPtrArray *
beckon_json_schema_validate (BeckonJsonSchema *schema, const BeckonJsonValue *value)
{
  g_return_val_if_fail (schema != NULL, NULL);

  return beckon_json_schema_validate_part (schema, schema->root, value, "");
}

gboolean
beckon_json_schema_fits (BeckonJsonSchema *schema, const BeckonJsonValue *part, const BeckonJsonValue *value)
{
  g_autoptr (GString) pointer = g_string_new (NULL);
  BeckonJsonSchemaCheck check = { .schema = schema, .pointer = pointer };

  g_return_val_if_fail (schema != NULL, FALSE);
  g_return_val_if_fail (part != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  return json_schema_check (&check, part, value);
}

GPtrArray *
beckon_json_schema_validate_text (BeckonJsonSchema *schema, const char *text, gssize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (text, length, &error);
  GPtrArray *problems;

  if (value != NULL)
    return beckon_json_schema_validate (schema, value);
  problems = problems_new ();
  g_ptr_array_add (problems, problem_new ("", NULL, N_("This is not JSON: %s"), error->message));
  return problems;
}

/* --- The schema --------------------------------------------------------------------------------------------------- */

BeckonJsonSchema *
beckon_json_schema_new (const char *text, gssize length, BeckonJsonSchemaFlags flags, GError **error)
{
  g_autoptr (BeckonJsonValue) root = beckon_json_value_parse (text, length, error);
  BeckonJsonSchema *schema;
  const char *draft;
  g_autoptr (GPtrArray) references = g_ptr_array_new ();
  Index index = { NULL, references };

  if (root == NULL)
    return NULL;
  if (root->kind != BECKON_JSON_VALUE_OBJECT && root->kind != BECKON_JSON_VALUE_TRUE
      && root->kind != BECKON_JSON_VALUE_FALSE)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "The schema is neither an object nor a boolean");
      return NULL;
    }
  schema = g_new0 (BeckonJsonSchema, 1);
  draft = beckon_json_value_get_string (beckon_json_value_get (root, "$schema"));
  schema->is_draft_7 = draft != NULL ? strstr (draft, "draft-07") != NULL || strstr (draft, "draft-06") != NULL
                                     : (flags & BECKON_JSON_SCHEMA_DRAFT_7) != 0;
  schema->checks_formats = (flags & BECKON_JSON_SCHEMA_CHECK_FORMATS) != 0;
  schema->root = g_steal_pointer (&root);
  /* Fills in bases, places, targets and patterns. */
  index.schema = schema;
  schema->bases = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  schema->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  schema->targets = g_hash_table_new (NULL, NULL);
  schema->patterns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, regex_unref);
  g_hash_table_insert (schema->places, g_strdup (ROOT), schema->root);
  walk (&index, schema->root, ROOT, FALSE);
  for (guint i = 0; i < references->len; i++)
    add_target (schema, g_ptr_array_index (references, i));
  return schema;
}

void
beckon_json_schema_free (BeckonJsonSchema *schema)
{
  if (schema == NULL)
    return;
  g_hash_table_unref (schema->bases);
  g_hash_table_unref (schema->places);
  g_hash_table_unref (schema->targets);
  g_hash_table_unref (schema->patterns);
  beckon_json_value_free (schema->root);
  g_free (schema);
}

/* --- For a form --------------------------------------------------------------------------------------------------- */

const BeckonJsonValue *
beckon_json_schema_get_root (BeckonJsonSchema *schema)
{
  g_return_val_if_fail (schema != NULL, NULL);

  return schema->root;
}

const BeckonJsonValue *
beckon_json_schema_get_target (BeckonJsonSchema *schema, const BeckonJsonValue *part)
{
  g_return_val_if_fail (schema != NULL, NULL);

  return g_hash_table_lookup (schema->targets, part);
}

gboolean
beckon_json_schema_is_draft_7 (BeckonJsonSchema *schema)
{
  g_return_val_if_fail (schema != NULL, FALSE);

  return schema->is_draft_7;
}

/* Words that apply schemas, to the value itself or to what it holds. */

#define WORD(name)                                                                                               \
  static gboolean name (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *word, \
                        const BeckonJsonValue *value)

/* --- The value itself --------------------------------------------------------------------------------------------- */

WORD (check_all)
{
  gboolean fits = TRUE;

  for (guint i = 0; i < beckon_json_value_get_n_children (word); i++)
    fits &= json_schema_check (check, beckon_json_value_get_child (word, i), value);
  return fits;
}

static guint
count_fitting (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schemas, const BeckonJsonValue *value, guint enough)
{
  guint n = 0;

  for (guint i = 0; i < beckon_json_value_get_n_children (schemas) && n < enough; i++)
    n += json_schema_try (check, beckon_json_value_get_child (schemas, i), value);
  return n;
}

/* With only one form possible, its problems say more. */
static gboolean
complain_of_none (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schemas, const BeckonJsonValue *value)
{
  if (beckon_json_value_get_n_children (schemas) == 1)
    return json_schema_check (check, beckon_json_value_get_child (schemas, 0), value);
  return json_schema_complain (check, N_("This is in none of the forms that are possible here."), NULL);
}

WORD (check_any)
{
  return count_fitting (check, word, value, 1) > 0 || complain_of_none (check, word, value);
}

WORD (check_one)
{
  guint n = count_fitting (check, word, value, 2);

  if (n == 0)
    return complain_of_none (check, word, value);
  return n == 1
         || json_schema_complain (check, N_("This could be more than one of the forms that are possible here."),
                                  NULL);
}

WORD (check_not)
{
  return !json_schema_try (check, word, value)
         || json_schema_complain (check, N_("This is just what it may not be."), NULL);
}

WORD (check_if)
{
  const BeckonJsonValue *then = beckon_json_value_get (schema, "then");
  const BeckonJsonValue *otherwise = beckon_json_value_get (schema, "else");
  const BeckonJsonValue *next = json_schema_try (check, word, value) ? then : otherwise;

  return next == NULL || json_schema_check (check, next, value);
}

/* --- Objects ------------------------------------------------------------------------------------------------------ */

WORD (check_properties)
{
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < value->children->len; i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (value, i);
      const BeckonJsonValue *inner = beckon_json_value_get_member (word, child->name);

      if (inner != NULL)
        fits &= json_schema_check_child (check, inner, child, i);
    }
  return fits;
}

static gboolean
check_patterns_of (BeckonJsonSchemaCheck *check, const BeckonJsonValue *patterns, const BeckonJsonValue *child)
{
  gboolean fits = TRUE;

  for (guint i = 0; i < beckon_json_value_get_n_children (patterns); i++)
    {
      const BeckonJsonValue *inner = beckon_json_value_get_child (patterns, i);

      if (inner->name != NULL && json_schema_matches (check, inner->name->str, child->name))
        fits &= json_schema_check_child (check, inner, child, 0);
    }
  return fits;
}

WORD (check_pattern_properties)
{
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < value->children->len; i++)
    fits &= check_patterns_of (check, word, beckon_json_value_get_child (value, i));
  return fits;
}

static gboolean
is_foreseen (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const GString *name)
{
  const BeckonJsonValue *patterns = beckon_json_value_get (schema, "patternProperties");

  if (beckon_json_value_get_member (beckon_json_value_get (schema, "properties"), name) != NULL)
    return TRUE;
  for (guint i = 0; i < beckon_json_value_get_n_children (patterns); i++)
    {
      const BeckonJsonValue *inner = beckon_json_value_get_child (patterns, i);

      if (inner->name != NULL && json_schema_matches (check, inner->name->str, name))
        return TRUE;
    }
  return FALSE;
}

WORD (check_additional_properties)
{
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < value->children->len; i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (value, i);

      if (is_foreseen (check, schema, child->name))
        continue;
      if (word->kind == BECKON_JSON_VALUE_FALSE)
        {
          fits = json_schema_complain (check, N_("“%s” is not known here."), child->name->str);
          json_schema_suggest (check, N_("Did you mean “%s”?"), beckon_json_value_get (schema, "properties"), value,
                               child->name);
        }
      else
        fits &= json_schema_check_child (check, word, child, i);
    }
  return fits;
}

WORD (check_property_names)
{
  if (value->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < value->children->len; i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (value, i);
      const BeckonJsonValue name = { .kind = BECKON_JSON_VALUE_STRING, .text = child->name };

      if (!json_schema_try (check, word, &name))
        return json_schema_complain (check, N_("“%s” is not a name that is possible here."), child->name->str);
    }
  return TRUE;
}

/* In draft 7 a list of names stands for "required". */
WORD (check_dependencies)
{
  BeckonJsonSchemaWordFunc require = json_schema_find_assertion ("dependentRequired");
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_OBJECT || word->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < word->children->len; i++)
    {
      const BeckonJsonValue *inner = beckon_json_value_get_child (word, i);

      if (inner->kind != BECKON_JSON_VALUE_ARRAY && beckon_json_value_get_member (value, inner->name) != NULL)
        fits &= json_schema_check (check, inner, value);
    }
  return require (check, schema, word, value) && fits;
}

/* --- Arrays ------------------------------------------------------------------------------------------------------- */

static gboolean
check_each_from (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *value, guint first)
{
  gboolean fits = TRUE;

  for (guint i = first; i < value->children->len; i++)
    fits &= json_schema_check_child (check, schema, beckon_json_value_get_child (value, i), i);
  return fits;
}

WORD (check_prefix_items)
{
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_ARRAY)
    return TRUE;
  for (guint i = 0; i < MIN (value->children->len, beckon_json_value_get_n_children (word)); i++)
    fits &= json_schema_check_child (check, beckon_json_value_get_child (word, i),
                                     beckon_json_value_get_child (value, i), i);
  return fits;
}

WORD (check_items)
{
  guint first = beckon_json_value_get_n_children (beckon_json_value_get (schema, "prefixItems"));

  if (value->kind != BECKON_JSON_VALUE_ARRAY)
    return TRUE;
  if (word->kind == BECKON_JSON_VALUE_ARRAY)
    return check_prefix_items (check, schema, word, value);
  return check_each_from (check, word, value, check->schema->is_draft_7 ? 0 : first);
}

WORD (check_additional_items)
{
  const BeckonJsonValue *items = beckon_json_value_get (schema, "items");

  if (value->kind != BECKON_JSON_VALUE_ARRAY || items == NULL || items->kind != BECKON_JSON_VALUE_ARRAY)
    return TRUE;
  return check_each_from (check, word, value, items->children->len);
}

WORD (check_contains)
{
  const BeckonJsonValue *least = check->schema->is_draft_7 ? NULL : beckon_json_value_get (schema, "minContains");
  const BeckonJsonValue *most = check->schema->is_draft_7 ? NULL : beckon_json_value_get (schema, "maxContains");
  guint n = 0;

  if (value->kind != BECKON_JSON_VALUE_ARRAY)
    return TRUE;
  for (guint i = 0; i < value->children->len; i++)
    n += json_schema_try (check, word, beckon_json_value_get_child (value, i));
  if ((long double) n < (least != NULL ? beckon_json_value_get_number (least) : 1))
    return json_schema_complain (check, N_("Too few of the items are what is asked for."), NULL);
  return most == NULL || (long double) n <= beckon_json_value_get_number (most)
         || json_schema_complain (check, N_("Too many of the items are what is asked for."), NULL);
}

/* The function of a word that applies schemas; %NULL if there is none. */
static BeckonJsonSchemaWordFunc
json_schema_find_applicator (const char *name)
{
  static const struct
  {
    const char *name;
    BeckonJsonSchemaWordFunc function;
  } words[] = {
    { "properties", check_properties },
    { "additionalProperties", check_additional_properties },
    { "items", check_items },
    { "prefixItems", check_prefix_items },
    { "allOf", check_all },
    { "anyOf", check_any },
    { "oneOf", check_one },
    { "not", check_not },
    { "if", check_if },
    { "patternProperties", check_pattern_properties },
    { "propertyNames", check_property_names },
    { "dependentSchemas", check_dependencies },
    { "dependencies", check_dependencies },
    { "additionalItems", check_additional_items },
    { "contains", check_contains },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (strcmp (words[i].name, name) == 0)
        return words[i].function;
    }
  return NULL;
}

/* Words that look at the value alone. Each says nothing of values that are not of its kind. */

#define ASSERTIONS_WORD(name)                                                                                               \
  static gboolean name (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *word, \
                        const BeckonJsonValue *value)

static gboolean
assertions_is_number (const BeckonJsonValue *value)
{
  return value->kind == BECKON_JSON_VALUE_NUMBER;
}

static gboolean
is_integer (const BeckonJsonValue *value)
{
  long double number = beckon_json_value_get_number (value);

  return assertions_is_number (value) && isfinite (number) && floorl (number) == number;
}

static gboolean
is_of_type (const BeckonJsonValue *value, const char *type)
{
  static const char *const names[] = { "null", "boolean", "boolean", "number", "string", "array", "object" };

  if (type == NULL)
    return FALSE;
  return strcmp (type, "integer") == 0 ? is_integer (value) : strcmp (type, names[value->kind]) == 0;
}

static char *
dup_types (const BeckonJsonValue *word)
{
  GString *types = g_string_new (beckon_json_value_get_string (word));

  for (guint i = 0; i < beckon_json_value_get_n_children (word); i++)
    {
      const char *type = beckon_json_value_get_string (beckon_json_value_get_child (word, i));

      g_string_append_printf (types, "%s%s", i > 0 ? ", " : "", type != NULL ? type : "?");
    }
  return g_string_free (types, FALSE);
}

ASSERTIONS_WORD (check_type)
{
  g_autofree char *types = NULL;

  if (word->children == NULL && is_of_type (value, beckon_json_value_get_string (word)))
    return TRUE;
  for (guint i = 0; i < beckon_json_value_get_n_children (word); i++)
    {
      if (is_of_type (value, beckon_json_value_get_string (beckon_json_value_get_child (word, i))))
        return TRUE;
    }
  types = dup_types (word);
  if (value->kind == BECKON_JSON_VALUE_ARRAY && g_str_equal (types, "string"))
    return json_schema_complain (check, N_("This has to be one text, not a list. Join its items."), NULL);
  return json_schema_complain (check, N_("This has to be of the type %s."), types);
}

ASSERTIONS_WORD (check_const)
{
  g_autofree char *text = NULL;

  if (beckon_json_value_equal (word, value))
    return TRUE;
  text = beckon_json_value_print (word);
  return json_schema_complain (check, N_("This has to be %s."), text);
}

ASSERTIONS_WORD (check_enum)
{
  g_autofree char *text = NULL;

  for (guint i = 0; i < beckon_json_value_get_n_children (word); i++)
    {
      if (!json_schema_step (check, 1))
        return FALSE;
      if (beckon_json_value_equal (beckon_json_value_get_child (word, i), value))
        return TRUE;
    }
  text = beckon_json_value_print (word);
  return json_schema_complain (check, N_("This has to be one of %s."), text);
}

/* --- Numbers ------------------------------------------------------------------------------------------------------ */

ASSERTIONS_WORD (check_minimum)
{
  if (!assertions_is_number (word) || !assertions_is_number (value)
      || beckon_json_value_get_number (value) >= beckon_json_value_get_number (word))
    return TRUE;
  return json_schema_complain (check, N_("This has to be at least %s."), word->text->str);
}

ASSERTIONS_WORD (check_maximum)
{
  if (!assertions_is_number (word) || !assertions_is_number (value)
      || beckon_json_value_get_number (value) <= beckon_json_value_get_number (word))
    return TRUE;
  return json_schema_complain (check, N_("This has to be at most %s."), word->text->str);
}

ASSERTIONS_WORD (check_exclusive_minimum)
{
  if (!assertions_is_number (word) || !assertions_is_number (value)
      || beckon_json_value_get_number (value) > beckon_json_value_get_number (word))
    return TRUE;
  return json_schema_complain (check, N_("This has to be more than %s."), word->text->str);
}

ASSERTIONS_WORD (check_exclusive_maximum)
{
  if (!assertions_is_number (word) || !assertions_is_number (value)
      || beckon_json_value_get_number (value) < beckon_json_value_get_number (word))
    return TRUE;
  return json_schema_complain (check, N_("This has to be less than %s."), word->text->str);
}

/* Whole numbers exactly; others in doubles, because that is what people who write 0.01 mean. */
static gboolean
is_multiple (long double whole_number, long double whole_factor)
{
  const double number = (double) whole_number;
  const double factor = (double) whole_factor;
  double quotient = number / factor;

  if (factor == 0 || !isfinite (number))
    return FALSE;
  if (whole_number == floorl (whole_number) && whole_factor == floorl (whole_factor))
    return fmodl (whole_number, whole_factor) == 0;
  if (!isfinite (quotient))
    return fmod (number, factor) == 0;
  return fabs (quotient - round (quotient)) <= 1e-9 * MAX (1, fabs (quotient) * 1e-6);
}

ASSERTIONS_WORD (check_multiple)
{
  if (!assertions_is_number (word) || !assertions_is_number (value)
      || is_multiple (beckon_json_value_get_number (value), beckon_json_value_get_number (word)))
    return TRUE;
  return json_schema_complain (check, N_("This has to be a multiple of %s."), word->text->str);
}

/* --- Lengths ------------------------------------------------------------------------------------------------------ */

static gboolean
is_within (guint64 length, const BeckonJsonValue *word, gboolean is_minimum)
{
  long double limit = beckon_json_value_get_number (word);

  return !assertions_is_number (word) || (is_minimum ? (long double) length >= limit : (long double) length <= limit);
}

/* GLib counts no further than to a NUL. */
static guint64
count_characters (const GString *text)
{
  guint64 n = 0;

  for (gsize i = 0; i < text->len; i++)
    n += ((guchar) text->str[i] & 0xc0) != 0x80;
  return n;
}

static gboolean
is_kind_within (const BeckonJsonValue *value, BeckonJsonValueKind kind, const BeckonJsonValue *word,
                gboolean is_minimum)
{
  if (value->kind != kind)
    return TRUE;
  if (kind == BECKON_JSON_VALUE_STRING)
    return is_within (count_characters (value->text), word, is_minimum);
  return is_within (value->children->len, word, is_minimum);
}

ASSERTIONS_WORD (check_min_length)
{
  return is_kind_within (value, BECKON_JSON_VALUE_STRING, word, TRUE)
         || json_schema_complain (check, N_("This has to have at least %s characters."), word->text->str);
}

ASSERTIONS_WORD (check_max_length)
{
  return is_kind_within (value, BECKON_JSON_VALUE_STRING, word, FALSE)
         || json_schema_complain (check, N_("This may have at most %s characters."), word->text->str);
}

ASSERTIONS_WORD (check_min_items)
{
  return is_kind_within (value, BECKON_JSON_VALUE_ARRAY, word, TRUE)
         || json_schema_complain (check, N_("This has to have at least %s items."), word->text->str);
}

ASSERTIONS_WORD (check_max_items)
{
  return is_kind_within (value, BECKON_JSON_VALUE_ARRAY, word, FALSE)
         || json_schema_complain (check, N_("This may have at most %s items."), word->text->str);
}

ASSERTIONS_WORD (check_min_properties)
{
  return is_kind_within (value, BECKON_JSON_VALUE_OBJECT, word, TRUE)
         || json_schema_complain (check, N_("This has to have at least %s members."), word->text->str);
}

ASSERTIONS_WORD (check_max_properties)
{
  return is_kind_within (value, BECKON_JSON_VALUE_OBJECT, word, FALSE)
         || json_schema_complain (check, N_("This may have at most %s members."), word->text->str);
}

/* --- The rest ----------------------------------------------------------------------------------------------------- */

/* A pattern of another dialect, which can't be read here, is checked by whoever wrote it. */
ASSERTIONS_WORD (check_pattern)
{
  const char *pattern = beckon_json_value_get_string (word);

  if (value->kind != BECKON_JSON_VALUE_STRING || pattern == NULL
      || g_hash_table_lookup (check->schema->patterns, pattern) == NULL
      || json_schema_matches (check, pattern, value->text))
    return TRUE;
  return json_schema_complain (check, N_("This has to match the pattern %s."), pattern);
}

ASSERTIONS_WORD (check_format)
{
  const char *format = beckon_json_value_get_string (word);
  const char *text = beckon_json_value_get_string (value);

  if (!check->schema->checks_formats || format == NULL || value->kind != BECKON_JSON_VALUE_STRING
      || (text != NULL && beckon_json_schema_check_format (format, text)))
    return TRUE;
  return json_schema_complain (check, N_("This is not a valid %s."), format);
}

/* Every pair is compared, so every pair is a step. */
ASSERTIONS_WORD (check_unique)
{
  if (word->kind != BECKON_JSON_VALUE_TRUE || value->kind != BECKON_JSON_VALUE_ARRAY)
    return TRUE;
  for (guint i = 1; i < value->children->len; i++)
    {
      if (!json_schema_step (check, i))
        return FALSE;
      for (guint j = 0; j < i; j++)
        {
          if (beckon_json_value_equal (beckon_json_value_get_child (value, i), beckon_json_value_get_child (value, j)))
            return json_schema_complain (check, N_("No two items may be the same."), NULL);
        }
    }
  return TRUE;
}

static gboolean
require (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *names,
         const BeckonJsonValue *value)
{
  const BeckonJsonValue *additional = beckon_json_value_get (schema, "additionalProperties");
  gboolean fits = TRUE;

  for (guint i = 0; i < beckon_json_value_get_n_children (names); i++)
    {
      const BeckonJsonValue *name = beckon_json_value_get_child (names, i);

      if (!json_schema_step (check, 1))
        return FALSE;
      if (name->kind != BECKON_JSON_VALUE_STRING || beckon_json_value_get_member (value, name->text) != NULL)
        continue;
      fits = json_schema_complain (check, N_("“%s” is missing."), name->text->str);
      /* A schema without other names refuses the name itself. */
      if (additional == NULL || additional->kind != BECKON_JSON_VALUE_FALSE)
        json_schema_suggest (check, N_("“%s” is given, but not known here."), value,
                             beckon_json_value_get (schema, "properties"), name->text);
    }
  return fits;
}

ASSERTIONS_WORD (check_required)
{
  return value->kind != BECKON_JSON_VALUE_OBJECT || require (check, schema, word, value);
}

ASSERTIONS_WORD (check_dependent_required)
{
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_OBJECT || word->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < word->children->len; i++)
    {
      const BeckonJsonValue *names = beckon_json_value_get_child (word, i);

      if (names->kind == BECKON_JSON_VALUE_ARRAY && beckon_json_value_get_member (value, names->name) != NULL)
        fits &= require (check, schema, names, value);
    }
  return fits;
}

/* The function of a word that looks at the value alone; %NULL if there is none. */
static BeckonJsonSchemaWordFunc
json_schema_find_assertion (const char *name)
{
  static const struct
  {
    const char *name;
    BeckonJsonSchemaWordFunc function;
  } words[] = {
    { "type", check_type },
    { "required", check_required },
    { "enum", check_enum },
    { "const", check_const },
    { "minimum", check_minimum },
    { "maximum", check_maximum },
    { "exclusiveMinimum", check_exclusive_minimum },
    { "exclusiveMaximum", check_exclusive_maximum },
    { "multipleOf", check_multiple },
    { "minLength", check_min_length },
    { "maxLength", check_max_length },
    { "minItems", check_min_items },
    { "maxItems", check_max_items },
    { "minProperties", check_min_properties },
    { "maxProperties", check_max_properties },
    { "pattern", check_pattern },
    { "format", check_format },
    { "uniqueItems", check_unique },
    { "dependentRequired", check_dependent_required },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (strcmp (words[i].name, name) == 0)
        return words[i].function;
    }
  return NULL;
}
