/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-result.h"

#include "base/beckon-error.h"
#include "base/beckon-json-schema.h"
#include "base/beckon-json-value.h"
#include "base/beckon-text.h"

#include <string.h>

#define MAX_BLOCKS 1000
#define MAX_LINK 2048

static void
image_free (gpointer data)
{
  BeckonMcpImage *image = data;

  g_free (image->media_type);
  g_bytes_unref (image->bytes);
  g_free (image);
}

void
beckon_mcp_result_free (BeckonMcpResult *result)
{
  if (result == NULL)
    return;
  g_free (result->text);
  g_clear_pointer (&result->images, g_ptr_array_unref);
  g_free (result->inputs);
  g_free (result->state);
  g_free (result);
}

static const char *
get_string (const BeckonJsonValue *value, const char *name)
{
  return beckon_json_value_get_string (beckon_json_value_get (value, name));
}

/* A text longer than the bound is cut, and says so. */
static void
mcp_result_add_text (GString *text, const char *added, gssize length)
{
  gsize room = text->len < BECKON_MCP_RESULT_TEXT_MAX ? BECKON_MCP_RESULT_TEXT_MAX - text->len : 0;
  gsize whole = length < 0 ? strlen (added) : (gsize) length;

  if (whole > room)
    {
      const char *end = room > 0 ? g_utf8_find_prev_char (added, added + room) : NULL;

      g_string_append_len (text, added, end != NULL ? end - added : 0);
      g_string_append_printf (text, "\n[Cut: the rest of this text, %" G_GSIZE_FORMAT " bytes, was too long.]", whole - room);
    }
  else
    {
      g_string_append_len (text, added, (gssize) whole);
    }
}

static void
begin_block (GString *text)
{
  if (text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c (text, '\n');
}

static gboolean
is_full (GString *text)
{
  return text->len >= BECKON_MCP_RESULT_TEXT_MAX;
}

static void
add_marked (GString *text, const BeckonJsonValue *value)
{
  const GString *said = value->text;
  g_autofree char *marked = beckon_text_for_display (said->str, (gssize) MIN (said->len, 2 * BECKON_MCP_RESULT_TEXT_MAX),
                                                     BECKON_TEXT_MARKED);

  mcp_result_add_text (text, marked, -1);
  if (said->len > 2 * BECKON_MCP_RESULT_TEXT_MAX)
    g_string_append_printf (text, "\n[%" G_GSIZE_FORMAT " bytes in all.]", said->len);
}

static char *
dup_word (const BeckonJsonValue *value, const char *name)
{
  const char *word = get_string (value, name);
  g_autofree char *marked = beckon_text_for_display (word, -1, BECKON_TEXT_EXACT);

  return beckon_text_shorten (marked, MAX_LINK);
}

static gsize
get_image_bytes (BeckonMcpResult *result)
{
  gsize bytes = 0;

  for (guint i = 0; i < result->images->len; i++)
    bytes += g_bytes_get_size (((BeckonMcpImage *) g_ptr_array_index (result->images, i))->bytes);
  return bytes;
}

static void
add_image (BeckonMcpResult *result, GString *text, const BeckonJsonValue *block, const char *member)
{
  const BeckonJsonValue *data = beckon_json_value_get (block, member);
  g_autofree char *type = dup_word (block, "mimeType");
  BeckonMcpImage *image;
  guchar *bytes;
  gsize length = 0;

  if (data == NULL || data->kind != BECKON_JSON_VALUE_STRING || memchr (data->text->str, '\0', data->text->len) != NULL
      || result->images->len == BECKON_MCP_RESULT_N_IMAGES_MAX
      || data->text->len / 4 * 3 > BECKON_MCP_RESULT_IMAGES_MAX - get_image_bytes (result))
    {
      g_string_append (text, "[A picture that is too large, or can't be read, is left out.]");
      return;
    }
  bytes = g_base64_decode (data->text->str, &length);
  image = g_new0 (BeckonMcpImage, 1);
  image->media_type = g_steal_pointer (&type);
  image->bytes = g_bytes_new_take (bytes, length);
  g_ptr_array_add (result->images, image);
  g_string_append_printf (text, "[Picture %u]", result->images->len);
}

/* Structured content is usually said as text, too; where it is not, it is the text. */
static void
add_structured (GString *text, const BeckonJsonValue *value, const char *output_schema, gboolean has_text)
{
  g_autoptr (BeckonJsonSchema) schema
      = output_schema != NULL ? beckon_json_schema_new (output_schema, -1, BECKON_JSON_SCHEMA_2020_12, NULL) : NULL;
  g_autoptr (GPtrArray) problems = schema != NULL ? beckon_json_schema_validate (schema, value) : NULL;

  begin_block (text);
  if (!has_text)
    {
      g_autofree char *printed = beckon_json_value_print (value);
      g_autofree char *marked = beckon_text_json_escape_hidden (printed);

      mcp_result_add_text (text, marked, -1);
      begin_block (text);
    }
  if (problems != NULL)
    {
      g_autofree char *message = beckon_json_problems_to_message (problems);
      g_autofree char *shown = beckon_text_shorten (message, MAX_LINK);

      g_string_append_printf (text, "[The structured content doesn't fit the tool's output schema: %s]", shown);
    }
}

static void
mcp_result_read_content (BeckonMcpResult *result, GString *text, const BeckonJsonValue *value, const char *output_schema)
{
  const BeckonJsonValue *content = beckon_json_value_get (value, "content");
  const BeckonJsonValue *structured = beckon_json_value_get (value, "structuredContent");
  gboolean has_text = FALSE;

  for (guint i = 0; content != NULL && content->kind == BECKON_JSON_VALUE_ARRAY && i < content->children->len; i++)
    {
      const BeckonJsonValue *block = g_ptr_array_index (content->children, i);
      const char *type;
      const BeckonJsonValue *said;

      if (i == MAX_BLOCKS || is_full (text))
        {
          begin_block (text);
          g_string_append_printf (text, "[%u more parts of the result are left out.]", content->children->len - i);
          break;
        }
      type = get_string (block, "type");
      said = beckon_json_value_get (block, "text");
      begin_block (text);
      if (g_strcmp0 (type, "text") == 0 && said != NULL && said->kind == BECKON_JSON_VALUE_STRING)
        add_marked (text, said);
      else if (g_strcmp0 (type, "image") == 0)
        add_image (result, text, block, "data");
      else if (g_strcmp0 (type, "resource_link") == 0)
        {
          g_autofree char *uri = dup_word (block, "uri");
          g_autofree char *name = dup_word (block, get_string (block, "title") != NULL ? "title" : "name");
          g_autofree char *description = dup_word (block, "description");

          g_string_append_printf (text, "[Resource %s: %s%s%s]", name, uri, *description != '\0' ? " — " : "", description);
        }
      else if (g_strcmp0 (type, "resource") == 0)
        {
          const BeckonJsonValue *resource = beckon_json_value_get (block, "resource");
          const BeckonJsonValue *contained = beckon_json_value_get (resource, "text");
          g_autofree char *uri = dup_word (resource, "uri");
          const char *media_type = get_string (resource, "mimeType");

          if (contained != NULL && contained->kind == BECKON_JSON_VALUE_STRING)
            {
              g_string_append_printf (text, "[Resource %s]\n", uri);
              add_marked (text, contained);
            }
          else if (media_type != NULL && g_str_has_prefix (media_type, "image/"))
            {
              add_image (result, text, resource, "blob");
            }
          else
            {
              g_string_append_printf (text, "[Resource %s: not text, left out]", uri);
            }
        }
      else if (g_strcmp0 (type, "audio") == 0)
        g_string_append (text, "[A sound is left out.]");
      else
        g_string_append (text, "[Content of an unknown kind is left out.]");
      has_text = has_text || g_strcmp0 (get_string (block, "type"), "text") == 0;
    }
  if (structured != NULL && structured->kind != BECKON_JSON_VALUE_NULL && !is_full (text))
    add_structured (text, structured, output_schema, has_text);
}

static char *
mcp_result_dup_slice (const BeckonJsonValue *value, const char *name, const char *text)
{
  const BeckonJsonValue *member = beckon_json_value_get (value, name);

  return member != NULL ? g_strndup (text + member->offset, member->length) : NULL;
}

static gboolean
read_needed (BeckonMcpResult *result, const BeckonJsonValue *value, const char *json, GError **error)
{
  const BeckonJsonValue *inputs = beckon_json_value_get (value, "inputRequests");
  const BeckonJsonValue *state = beckon_json_value_get (value, "requestState");

  if ((inputs == NULL && state == NULL) || (inputs != NULL && inputs->kind != BECKON_JSON_VALUE_OBJECT)
      || (state != NULL && state->kind != BECKON_JSON_VALUE_STRING))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           "The server asks for something in a way that can't be understood.");
      return FALSE;
    }
  if ((inputs != NULL ? inputs->length : 0) + (state != NULL ? state->length : 0) > BECKON_MCP_RESULT_INPUTS_MAX)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                   "The server asks for something with more than %d KiB, which is too much to be kept until it is answered.",
                   BECKON_MCP_RESULT_INPUTS_MAX / 1024);
      return FALSE;
    }
  result->needs_input = TRUE;
  result->inputs = mcp_result_dup_slice (value, "inputRequests", json);
  result->state = mcp_result_dup_slice (value, "requestState", json);
  return TRUE;
}

BeckonMcpResult *
beckon_mcp_result_read (const char *json, const char *output_schema, GError **error)
{
  g_autoptr (BeckonMcpResult) result = g_new0 (BeckonMcpResult, 1);
  g_autoptr (BeckonJsonValue) value = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  const BeckonJsonValue *is_error;
  const char *type;

  g_return_val_if_fail (json != NULL, NULL);

  result->images = g_ptr_array_new_with_free_func (image_free);
  value = beckon_json_value_parse (json, -1, error);
  if (value == NULL)
    return NULL;
  type = get_string (value, "resultType");
  if (value->kind != BECKON_JSON_VALUE_OBJECT
      || (type != NULL && !g_str_equal (type, "complete") && !g_str_equal (type, "input_required")))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "The server's result is of a kind that is not known.");
      return NULL;
    }
  if (g_strcmp0 (type, "input_required") == 0)
    return read_needed (result, value, json, error) ? g_steal_pointer (&result) : NULL;

  is_error = beckon_json_value_get (value, "isError");
  result->is_error = is_error != NULL && is_error->kind == BECKON_JSON_VALUE_TRUE;
  mcp_result_read_content (result, text, value, output_schema);
  if (text->len == 0)
    g_string_append (text, result->is_error ? "[The tool failed and didn't say why.]" : "[The result is empty.]");
  result->text = g_string_free (g_steal_pointer (&text), FALSE);
  return g_steal_pointer (&result);
}
