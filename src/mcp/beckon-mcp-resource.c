/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-resource.h"

#include "base/beckon-counted.h"
#include "base/beckon-error.h"
#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-mcp-uri-template.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_WORDS 300
#define MAX_CURSOR 4096
#define MAX_FILE_NAME 100

/* --- Values ------------------------------------------------------------------------------------------------------- */

static void
mcp_resource_clear (gpointer data)
{
  BeckonMcpResource *resource = data;

  g_free (resource->uri);
  g_free (resource->title);
  g_free (resource->description);
}

BECKON_COUNTED (BeckonMcpResource, beckon_mcp_resource, mcp_resource_clear)

GPtrArray *
beckon_mcp_resources_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_resource_unref);
}

/* --- Lists -------------------------------------------------------------------------------------------------------- */

/* An address is typed as a word, and shown as it is. */
static gboolean
is_word (const char *text)
{
  if (*text == '\0' || strlen (text) > BECKON_MCP_RESOURCE_URI_MAX || !g_utf8_validate (text, -1, NULL)
      || beckon_text_has_hidden (text, -1))
    return FALSE;
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_isspace (g_utf8_get_char (at)) || g_unichar_iscntrl (g_utf8_get_char (at)))
      return FALSE;
  return TRUE;
}

gboolean
beckon_mcp_resource_is_uri (const char *text)
{
  const char *colon = strchr (text, ':');

  return colon != NULL && colon != text && g_ascii_isalpha (*text) && colon[1] != '\0' && is_word (text);
}

static char *
mcp_resource_dup_words (const BeckonJsonValue *value, const char *name)
{
  const char *text = beckon_json_value_get_string (beckon_json_value_get (value, name));
  g_autofree char *marked = NULL;

  if (text == NULL || *text == '\0')
    return NULL;
  marked = beckon_text_for_display (text, -1, BECKON_TEXT_MARKED);
  return beckon_text_shorten (g_strdelimit (marked, "\n\t", ' '), MAX_WORDS);
}

BeckonMcpResource *
beckon_mcp_resources_find (GPtrArray *resources, const char *uri)
{
  for (guint i = 0; i < resources->len; i++)
    if (g_str_equal (((BeckonMcpResource *) g_ptr_array_index (resources, i))->uri, uri))
      return g_ptr_array_index (resources, i);
  return NULL;
}

static gboolean
mcp_resource_read_list (GPtrArray *resources, const BeckonJsonValue *list, gboolean is_template)
{
  if (list == NULL || list->kind != BECKON_JSON_VALUE_ARRAY)
    return FALSE;
  for (guint i = 0; i < list->children->len; i++)
    {
      const BeckonJsonValue *value = g_ptr_array_index (list->children, i);
      const char *uri = beckon_json_value_get_string (beckon_json_value_get (value, is_template ? "uriTemplate" : "uri"));

      if (uri != NULL && resources->len != BECKON_MCP_RESOURCES_MAX && beckon_mcp_resources_find (resources, uri) == NULL
          && !(is_template ? !is_word (uri) : !beckon_mcp_resource_is_uri (uri)))
        {
          BeckonMcpResource *resource = g_atomic_rc_box_new0 (BeckonMcpResource);

          resource->uri = g_strdup (uri);
          resource->is_template = is_template;
          resource->title = mcp_resource_dup_words (value, "title");
          if (resource->title == NULL)
            resource->title = mcp_resource_dup_words (value, "name");
          if (resource->title == NULL)
            resource->title = g_strdup (uri);
          resource->description = mcp_resource_dup_words (value, "description");
          g_ptr_array_add (resources, resource);
        }
    }
  return TRUE;
}

gboolean
beckon_mcp_resources_read (GPtrArray *resources, const char *page, char **cursor)
{
  g_autoptr (BeckonJsonValue) value = page != NULL ? beckon_json_value_parse (page, -1, NULL) : NULL;
  const char *next = beckon_json_value_get_string (beckon_json_value_get (value, "nextCursor"));
  gboolean has_resources = mcp_resource_read_list (resources, beckon_json_value_get (value, "resources"), FALSE);
  gboolean has_templates = mcp_resource_read_list (resources, beckon_json_value_get (value, "resourceTemplates"), TRUE);

  if (cursor != NULL)
    *cursor = next != NULL && strlen (next) <= MAX_CURSOR ? g_strdup (next) : NULL;
  return has_resources || has_templates;
}

static void
write_list (BeckonJsonWriter *writer, GPtrArray *resources, gboolean are_templates)
{
  beckon_json_writer_name (writer, are_templates ? "resourceTemplates" : "resources");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < resources->len; i++)
    {
      const BeckonMcpResource *resource = g_ptr_array_index (resources, i);

      if (resource->is_template != are_templates)
        continue;
      beckon_json_writer_begin_object (writer);
      beckon_json_writer_member_string (writer, are_templates ? "uriTemplate" : "uri", resource->uri);
      beckon_json_writer_member_string (writer, "title", resource->title);
      if (resource->description != NULL)
        beckon_json_writer_member_string (writer, "description", resource->description);
      beckon_json_writer_end_object (writer);
    }
  beckon_json_writer_end_array (writer);
}

char *
beckon_mcp_resources_print (GPtrArray *resources)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  write_list (&writer, resources, FALSE);
  write_list (&writer, resources, TRUE);
  beckon_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}

/* --- Templates ---------------------------------------------------------------------------------------------------- */

char *
beckon_mcp_resource_expand (const char *uri, GHashTable *values, GError **error)
{
  g_autoptr (BeckonMcpUriTemplate) uri_template = beckon_mcp_uri_template_new (uri, error);
  g_autofree char *expanded = NULL;

  if (uri_template == NULL)
    return NULL;
  expanded = beckon_mcp_uri_template_expand (uri_template, values);
  if (beckon_mcp_resource_is_uri (expanded))
    return g_steal_pointer (&expanded);
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         strlen (expanded) > BECKON_MCP_RESOURCE_URI_MAX
                         ? _("The address became too long. Enter shorter values.")
                         : _("“%s” is not an address. Check the values."),
                         expanded);
  return NULL;
}

/* --- Contents ----------------------------------------------------------------------------------------------------- */

char *
beckon_mcp_resource_make_members (const char *uri)
{
  g_autoptr (GString) text = g_string_new ("\"uri\":");
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_string (&writer, uri, -1);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
beckon_mcp_content_free (BeckonMcpContent *content)
{
  if (content == NULL)
    return;
  g_free (content->name);
  g_clear_pointer (&content->bytes, g_bytes_unref);
  g_free (content);
}

static gboolean
add_content (GPtrArray *contents, const BeckonJsonValue *value, gsize *size, GError **error)
{
  g_autoptr (BeckonMcpContent) content = g_new0 (BeckonMcpContent, 1);
  const char *uri = beckon_json_value_get_string (beckon_json_value_get (value, "uri"));
  g_autofree char *path = g_strndup (uri != NULL ? uri : "", uri != NULL ? strcspn (uri, "?#") : 0);
  g_autofree char *plain = g_uri_unescape_string (path, "/");
  const char *whole = plain != NULL ? plain : path;
  g_autofree char *shown = NULL;
  gsize length = strlen (whole);
  const char *last;
  const char *text;
  const char *blob;

  /* The last word of the path; all of the address where there is none. */
  while (length > 0 && whole[length - 1] == '/')
    length--;
  last = g_strrstr_len (whole, (gssize) length, "/");
  last = last != NULL ? last + 1 : whole;
  shown = beckon_text_for_display (last, (gssize) (length - (gsize) (last - whole)), BECKON_TEXT_EXACT);
  content->name = *shown != '\0' ? beckon_text_shorten (shown, MAX_FILE_NAME) : g_strdup (_("Resource"));
  text = beckon_json_value_get_string (beckon_json_value_get (value, "text"));
  blob = beckon_json_value_get_string (beckon_json_value_get (value, "blob"));
  if (text != NULL)
    content->bytes = g_bytes_new (text, strlen (text));
  else if (blob == NULL)
    content->bytes = NULL;
  else
    {
      gsize n_bytes;
      guchar *bytes = g_base64_decode (blob, &n_bytes);

      content->bytes = g_bytes_new_take (bytes, n_bytes);
    }
  if (content->bytes == NULL)
    return TRUE;
  *size += g_bytes_get_size (content->bytes);
  if (*size > BECKON_MCP_RESOURCE_BYTES_MAX || contents->len == BECKON_MCP_RESOURCE_CONTENTS_MAX)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, _("The resource is too large."));
      return FALSE;
    }
  g_ptr_array_add (contents, g_steal_pointer (&content));
  return TRUE;
}

GPtrArray *
beckon_mcp_resource_read_contents (const char *json, GError **error)
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  const BeckonJsonValue *list = beckon_json_value_get (value, "contents");
  g_autoptr (GPtrArray) contents = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_content_free);
  gsize size = 0;

  for (guint i = 0; list != NULL && i < beckon_json_value_get_n_children (list); i++)
    if (!add_content (contents, beckon_json_value_get_child (list, i), &size, error))
      return NULL;
  if (contents->len > 0)
    return g_steal_pointer (&contents);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The server sent nothing that can be read."));
  return NULL;
}
