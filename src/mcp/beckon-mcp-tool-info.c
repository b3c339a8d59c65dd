/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-tool-info.h"

#include "base/beckon-counted.h"
#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-line-diff.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_NAME 128
#define MAX_TITLE 200
#define MAX_SHOWN_NAME 80
#define MAX_DESCRIPTION 8192
#define MAX_MODEL_NAME 64

static void
mcp_tool_info_clear (gpointer data)
{
  BeckonMcpToolInfo *info = data;

  g_free (info->name);
  g_free (info->title);
  g_free (info->description);
  g_free (info->schema);
  g_free (info->output_schema);
  g_strfreev (info->headers);
  g_free (info->text);
  g_free (info->digest);
}

BECKON_COUNTED (BeckonMcpToolInfo, beckon_mcp_tool_info, mcp_tool_info_clear)

static gboolean
mcp_tool_info_is_name (const char *name)
{
  if (name == NULL || *name == '\0' || strlen (name) > MAX_NAME)
    return FALSE;
  for (const char *at = name; *at != '\0'; at = g_utf8_next_char (at))
    if (!g_unichar_isgraph (g_utf8_get_char (at)))
      return FALSE;
  return !beckon_text_has_hidden (name, -1);
}

static char *
mcp_tool_info_dup_slice (const BeckonJsonValue *value, const char *text)
{
  return value != NULL ? g_strndup (text + value->offset, value->length) : NULL;
}

/* A model reads no more than a person could read. */
static char *
mcp_tool_info_dup_shown (const BeckonJsonValue *value, guint n_chars)
{
  const char *text = beckon_json_value_get_string (value);
  g_autofree char *marked = NULL;

  if (text == NULL || *text == '\0')
    return NULL;
  marked = beckon_text_for_display (text, -1, BECKON_TEXT_MARKED);
  return beckon_text_shorten (marked, n_chars);
}

/* %TRUE or %FALSE as the server says; @fallback where it says nothing. */
static gboolean
mcp_tool_info_get_hint (const BeckonJsonValue *value, const char *name, gboolean fallback)
{
  const BeckonJsonValue *hint = beckon_json_value_get (beckon_json_value_get (value, "annotations"), name);

  if (hint == NULL || (hint->kind != BECKON_JSON_VALUE_TRUE && hint->kind != BECKON_JSON_VALUE_FALSE))
    return fallback;
  return hint->kind == BECKON_JSON_VALUE_TRUE;
}

/* An object at its root, as the arguments are one, whether the server says so or not: such a schema can be read. */
static gboolean
has_schema (const BeckonJsonValue *value)
{
  const BeckonJsonValue *schema = beckon_json_value_get (value, "inputSchema");
  const BeckonJsonValue *type = beckon_json_value_get (schema, "type");

  return schema != NULL && schema->kind == BECKON_JSON_VALUE_OBJECT
         && (type == NULL || g_strcmp0 (beckon_json_value_get_string (type), "object") == 0);
}

/* --- Headers ------------------------------------------------------------------------------------------------------ */

#define HEADER_WORD "x-mcp-header"
#define HEADER_PREFIX "Mcp-Param-"

typedef struct
{
  GPtrArray *found; /* names and pointers in turn */
  gboolean is_bad;
} Headers;

static gboolean
is_token (const char *name)
{
  if (name == NULL || *name == '\0' || strlen (name) > MAX_NAME)
    return FALSE;
  for (const char *at = name; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && strchr ("!#$%&'*+-.^_`|~", *at) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
is_primitive (const BeckonJsonValue *schema)
{
  const char *type = beckon_json_value_get_string (beckon_json_value_get (schema, "type"));

  return g_strcmp0 (type, "string") == 0 || g_strcmp0 (type, "integer") == 0 || g_strcmp0 (type, "boolean") == 0;
}

/* Members of these are schemas under names of the server's own. */
static gboolean
has_named_schemas (const char *word)
{
  static const char *const words[]
      = { "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", NULL };

  return g_strv_contains (words, word);
}

static gboolean
is_data (const char *word)
{
  static const char *const words[] = { "default", "enum", "const", "examples", HEADER_WORD, NULL };

  return g_strv_contains (words, word);
}

/* As deep as JSON may be. */
static void
find_headers (Headers *headers, const BeckonJsonValue *schema, const char *pointer)
{
  const BeckonJsonValue *word;
  const char *name;

  if (schema->kind == BECKON_JSON_VALUE_ARRAY)
    {
      for (guint i = 0; i < schema->children->len; i++)
        find_headers (headers, g_ptr_array_index (schema->children, i), NULL);
      return;
    }
  if (schema->kind != BECKON_JSON_VALUE_OBJECT)
    return;
  word = beckon_json_value_get (schema, HEADER_WORD);
  name = beckon_json_value_get_string (word);
  if (word != NULL)
    {
      if (pointer == NULL || *pointer == '\0' || !is_token (name) || !is_primitive (schema))
        headers->is_bad = TRUE;
      else
        {
          char *header = g_strconcat (HEADER_PREFIX, name, NULL);

          for (guint i = 0; i < headers->found->len; i += 2)
            if (g_ascii_strcasecmp (g_ptr_array_index (headers->found, i), header) == 0)
              headers->is_bad = TRUE;
          g_ptr_array_add (headers->found, header);
          g_ptr_array_add (headers->found, g_strdup (pointer));
        }
    }
  for (guint i = 0; i < schema->children->len; i++)
    {
      const BeckonJsonValue *member = g_ptr_array_index (schema->children, i);
      gboolean leads_on = pointer != NULL && g_str_equal (member->name->str, "properties");

      if (is_data (member->name->str))
        continue;
      if (!has_named_schemas (member->name->str))
        {
          find_headers (headers, member, NULL);
          continue;
        }
      for (guint j = 0; j < beckon_json_value_get_n_children (member); j++)
        {
          const BeckonJsonValue *child = beckon_json_value_get_child (member, j);
          g_autoptr (GString) path = g_string_new (pointer);

          beckon_json_pointer_append (path, child->name->str, (gssize) child->name->len);
          find_headers (headers, child, leads_on ? path->str : NULL);
        }
    }
}

static void
read_headers (BeckonMcpToolInfo *info, const BeckonJsonValue *schema)
{
  Headers headers = { .found = g_ptr_array_new () };

  if (schema != NULL)
    find_headers (&headers, schema, "");
  info->has_bad_headers = headers.is_bad;
  g_ptr_array_add (headers.found, NULL);
  info->headers = (char **) g_ptr_array_free (headers.found, FALSE);
}

static char *
dup_header_value (const BeckonJsonValue *value)
{
  long double number;

  switch (value->kind)
    {
    case BECKON_JSON_VALUE_STRING:
      return g_strdup (beckon_json_value_get_string (value));

    case BECKON_JSON_VALUE_TRUE:
      return g_strdup ("true");

    case BECKON_JSON_VALUE_FALSE:
      return g_strdup ("false");

    case BECKON_JSON_VALUE_NUMBER:
      number = beckon_json_value_get_number (value);
      return number >= -9007199254740991.0L && number <= 9007199254740991.0L
               ? g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) number) : NULL;

    case BECKON_JSON_VALUE_NULL:
    case BECKON_JSON_VALUE_ARRAY:
    case BECKON_JSON_VALUE_OBJECT:
    default:
      return NULL;
    }
}

char **
beckon_mcp_tool_info_make_headers (const BeckonMcpToolInfo *info, const char *arguments)
{
  g_autoptr (BeckonJsonValue) value = NULL;
  g_autoptr (GStrvBuilder) headers = NULL;

  if (info->headers == NULL || *info->headers == NULL)
    return NULL;
  value = beckon_json_value_parse (arguments, -1, NULL);
  headers = g_strv_builder_new ();
  for (guint i = 0; value != NULL && info->headers[i] != NULL; i += 2)
    {
      const BeckonJsonValue *argument = beckon_json_value_point (value, info->headers[i + 1]);
      g_autofree char *text = argument != NULL ? dup_header_value (argument) : NULL;

      if (text != NULL)
        g_strv_builder_add_many (headers, info->headers[i], text, NULL);
    }
  return g_strv_builder_end (headers);
}

char *
beckon_mcp_tool_info_dup_shown_name (const BeckonJsonValue *value)
{
  char *name = mcp_tool_info_dup_shown (beckon_json_value_get (value, "name"), MAX_SHOWN_NAME);

  return name != NULL ? name : g_strdup (_("(no name)"));
}

/* (nullable) (transfer full): why the tool can't be used. */
static GError *
mcp_tool_info_find_fault (const BeckonJsonValue *value)
{
  g_autofree char *shown = beckon_mcp_tool_info_dup_shown_name (value);
  const BeckonJsonValue *support;

  if (value->length > BECKON_MCP_DEFINITION_MAX)
    return beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_TOO_LARGE, _("“%s”: its definition is longer than %d KiB."),
                                  shown, BECKON_MCP_DEFINITION_MAX / 1024);
  if (!mcp_tool_info_is_name (beckon_json_value_get_string (beckon_json_value_get (value, "name"))))
    return beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_INVALID, _("“%s”: its name can't be used."), shown);
  /* Tasks are an addition that is not spoken here: such a tool would refuse each call. */
  support = beckon_json_value_get (beckon_json_value_get (value, "execution"), "taskSupport");
  if (g_strcmp0 (beckon_json_value_get_string (support), "required") == 0)
    return beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_INVALID, _("“%s”: it runs only as a task."), shown);
  return has_schema (value) ? NULL
                            : beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_INVALID,
                                                     _("“%s”: its schema isn't one of an object."), shown);
}

BeckonMcpToolInfo *
beckon_mcp_tool_info_read (const BeckonJsonValue *value, const char *text, GError **error)
{
  g_autoptr (BeckonMcpToolInfo) info = NULL;
  GError *fault;
  char *description;
  static const char *const told[] = { "name", "title", "description", "inputSchema", "outputSchema", "annotations" };
  g_autoptr (GChecksum) checksum = NULL;

  g_return_val_if_fail (value != NULL && text != NULL, NULL);

  fault = mcp_tool_info_find_fault (value);
  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return NULL;
    }
  info = g_atomic_rc_box_new0 (BeckonMcpToolInfo);
  info->name = g_strdup (beckon_json_value_get_string (beckon_json_value_get (value, "name")));
  info->title = mcp_tool_info_dup_shown (beckon_json_value_get (value, "title"), MAX_TITLE);
  if (info->title == NULL)
    info->title = mcp_tool_info_dup_shown (beckon_json_value_get (beckon_json_value_get (value, "annotations"), "title"),
                                           MAX_TITLE);
  description = mcp_tool_info_dup_shown (beckon_json_value_get (value, "description"), MAX_DESCRIPTION);
  info->description = description != NULL ? description : g_strdup ("");
  info->schema = mcp_tool_info_dup_slice (beckon_json_value_get (value, "inputSchema"), text);
  info->output_schema = mcp_tool_info_dup_slice (beckon_json_value_get (value, "outputSchema"), text);
  info->is_read_only = mcp_tool_info_get_hint (value, "readOnlyHint", FALSE);
  info->is_destructive = !info->is_read_only && mcp_tool_info_get_hint (value, "destructiveHint", TRUE);
  info->is_silent = info->is_destructive && !mcp_tool_info_get_hint (value, "destructiveHint", FALSE);
  info->is_idempotent = mcp_tool_info_get_hint (value, "idempotentHint", FALSE);
  info->is_open_world = mcp_tool_info_get_hint (value, "openWorldHint", TRUE);
  read_headers (info, beckon_json_value_get (value, "inputSchema"));
  info->text = mcp_tool_info_dup_slice (value, text);
  checksum = g_checksum_new (G_CHECKSUM_SHA256);
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get (value, told[i]);
      g_autofree char *printed = member != NULL ? beckon_json_value_print (member) : g_strdup ("null");

      g_checksum_update (checksum, (const guchar *) printed, (gssize) strlen (printed) + 1);
    }
  info->digest = g_strdup (g_checksum_get_string (checksum));
  return g_steal_pointer (&info);
}

char *
beckon_mcp_tool_infos_print (GPtrArray *infos, const char *left_out)
{
  GString *text = g_string_new ("[");
  BeckonJsonWriter writer;

  for (guint i = 0; i < infos->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", ((BeckonMcpToolInfo *) g_ptr_array_index (infos, i))->text);
  if (left_out != NULL)
    {
      g_string_append (text, infos->len > 0 ? "," : "");
      beckon_json_writer_init (&writer, text);
      beckon_json_writer_string (&writer, left_out, -1);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

GPtrArray *
beckon_mcp_tool_infos_parse (const char *text, char **left_out)
{
  GPtrArray *infos = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_tool_info_unref);
  g_autoptr (BeckonJsonValue) list = text != NULL ? beckon_json_value_parse (text, -1, NULL) : NULL;

  for (guint i = 0; list != NULL && list->kind == BECKON_JSON_VALUE_ARRAY && i < list->children->len; i++)
    {
      const BeckonJsonValue *element = g_ptr_array_index (list->children, i);
      BeckonMcpToolInfo *info = beckon_mcp_tool_info_read (element, text, NULL);

      if (info != NULL)
        g_ptr_array_add (infos, info);
      else if (left_out != NULL && *left_out == NULL)
        *left_out = g_strdup (beckon_json_value_get_string (element));
    }
  return infos;
}

BeckonMcpToolInfo *
beckon_mcp_tool_infos_find (GPtrArray *infos, const char *name)
{
  for (guint i = 0; infos != NULL && i < infos->len; i++)
    if (g_str_equal (((BeckonMcpToolInfo *) g_ptr_array_index (infos, i))->name, name))
      return g_ptr_array_index (infos, i);
  return NULL;
}

#define DIGEST_DIGITS 12

/* A name with an ending as changed names have gets one of its own: no tool can choose the name of another. */
static gboolean
ends_like_changed (const char *name)
{
  gsize length = strlen (name);
  const char *end = length > DIGEST_DIGITS ? name + length - DIGEST_DIGITS : "";

  return strspn (end, "0123456789abcdef") == DIGEST_DIGITS && end[-1] == '_';
}

char *
beckon_mcp_tool_info_make_name (const BeckonMcpToolInfo *info, const char *prefix)
{
  g_autoptr (GString) name = g_string_new (prefix);
  gboolean is_same = TRUE;

  g_string_append (name, "__");
  for (const char *at = info->name; *at != '\0'; at = g_utf8_next_char (at))
    {
      gboolean is_plain = g_ascii_isalnum (*at) || *at == '_' || *at == '-';

      g_string_append_c (name, is_plain ? *at : '_');
      is_same = is_same && is_plain;
    }
  if (!is_same || name->len > MAX_MODEL_NAME || ends_like_changed (name->str))
    {
      g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, info->name, -1);

      g_string_truncate (name, MIN (name->len, MAX_MODEL_NAME - 1 - DIGEST_DIGITS));
      g_string_append_printf (name, "_%.*s", DIGEST_DIGITS, digest);
    }
  return g_string_free (g_steal_pointer (&name), FALSE);
}

static char *
dup_lines (const BeckonMcpToolInfo *info)
{
  g_autoptr (JsonNode) schema = beckon_json_parse (info->schema, -1, NULL);
  g_autofree char *pretty = schema != NULL ? json_to_string (schema, TRUE) : g_strdup (info->schema);
  g_autofree char *shown = beckon_text_json_for_display (pretty);

  return g_strdup_printf ("%s\n%s\n%s\nread-only: %s, destructive: %s, may run twice: %s, open world: %s\n",
                          info->title != NULL ? info->title : info->name, info->description, shown,
                          info->is_read_only ? "yes" : "no", info->is_destructive ? "yes" : "no",
                          info->is_idempotent ? "yes" : "no", info->is_open_world ? "yes" : "no");
}

char *
beckon_mcp_tool_info_compare (const BeckonMcpToolInfo *before, const BeckonMcpToolInfo *now)
{
  g_autofree char *old_lines = dup_lines (before);
  g_autofree char *new_lines = dup_lines (now);
  g_autoptr (BeckonLineDiff) diff = beckon_line_diff_new (old_lines, new_lines);
  char *text = beckon_line_diff_to_unified (diff, 1);

  if (*text != '\0')
    return text;
  g_free (text);
  return g_strdup (now->text);
}
