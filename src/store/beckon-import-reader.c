/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Other programs' files become documents of our own form first, so that one writer puts everything into the store. Of theirs
 * only what is needed is looked at: their forms change, and a member we do not know is none of our business.
 */

#include "beckon-config.h"

#include "beckon-import-reader.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-export.h"
#include "beckon-import.h"

#include <glib/gi18n-lib.h>

#define MAX_TITLE_CHARS 500
#define MAX_SECONDS 1e11

/* A conversation under construction. */
typedef struct
{
  JsonObject *conversation; /* (owned) */
  JsonArray *messages;      /* (owned) */
} Draft;

static void
draft_clear (Draft *draft)
{
  g_clear_pointer (&draft->conversation, json_object_unref);
  g_clear_pointer (&draft->messages, json_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Draft, draft_clear)

static void
refuse (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       _("This file is neither an export of Beckon nor the conversations.json of ChatGPT or Claude."));
}

static JsonObject *
element_object (JsonArray *array, guint index)
{
  JsonNode *node = json_array_get_element (array, index);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static gint64
seconds_to_time (double seconds)
{
  return seconds > 0 && seconds < MAX_SECONDS ? (gint64) (seconds * G_USEC_PER_SEC) : 0;
}

static gint64
text_to_time (const char *text)
{
  g_autoptr (GDateTime) time = text != NULL ? g_date_time_new_from_iso8601 (text, NULL) : NULL;

  return time != NULL ? g_date_time_to_unix (time) * G_USEC_PER_SEC + g_date_time_get_microsecond (time) : 0;
}

static void
set_new_id (JsonObject *object)
{
  g_autofree char *id = beckon_id_new ();

  json_object_set_string_member (object, "id", id);
}

static void
begin (Draft *draft, const char *title, gint64 created_at, gint64 updated_at)
{
  g_autofree char *short_title = beckon_text_shorten (title, MAX_TITLE_CHARS);

  draft->conversation = json_object_new ();
  draft->messages = json_array_new ();
  set_new_id (draft->conversation);
  json_object_set_int_member (draft->conversation, "created_at", created_at);
  json_object_set_int_member (draft->conversation, "updated_at", MAX (updated_at, created_at));
  json_object_set_string_member (draft->conversation, "title", short_title);
  json_object_set_null_member (draft->conversation, "profile");
  json_object_set_string_member (draft->conversation, "draft", "");
  json_object_set_boolean_member (draft->conversation, "pinned", FALSE);
  json_object_set_boolean_member (draft->conversation, "archived", FALSE);
  json_object_set_array_member (draft->conversation, "requests", json_array_new ());
  json_object_set_array_member (draft->conversation, "runs", json_array_new ());
}

static JsonArray *
make_parts (const char *text)
{
  JsonArray *parts = json_array_new ();
  JsonObject *part = json_object_new ();

  json_object_set_string_member (part, "kind", "text");
  json_object_set_null_member (part, "origin");
  json_object_set_string_member (part, "text", text);
  json_array_add_object_element (parts, part);

  return parts;
}

static void
add (Draft *draft, const char *role, const char *text, gint64 at)
{
  JsonObject *message;

  if (*text == '\0')
    return;

  message = json_object_new ();
  set_new_id (message);
  json_object_set_string_member (message, "role", role);
  json_object_set_string_member (message, "status", "complete");
  json_object_set_int_member (message, "created_at", at);
  json_object_set_int_member (message, "input", -1);
  json_object_set_int_member (message, "output", -1);
  json_object_set_int_member (message, "cached", -1);
  json_object_set_int_member (message, "cost", -1);
  json_object_set_array_member (message, "parts", make_parts (text));
  json_array_add_object_element (draft->messages, message);
}

/* One in which nobody said anything is left out. */
static void
finish (Draft *draft, GPtrArray *conversations)
{
  if (json_array_get_length (draft->messages) == 0)
    return;

  json_object_set_array_member (draft->conversation, "messages", g_steal_pointer (&draft->messages));
  g_ptr_array_add (conversations, g_steal_pointer (&draft->conversation));
}

static void
append_piece (GString *text, const char *piece)
{
  if (piece == NULL || *piece == '\0')
    return;

  if (text->len > 0)
    g_string_append (text, "\n\n");
  g_string_append (text, piece);
}

/* ChatGPT: a tree of messages and the node that was shown last; what led to it is the conversation. */

static void
add_node (Draft *draft, JsonObject *message)
{
  const char *role = beckon_json_get_string (beckon_json_get_object (message, "author"), "role");
  JsonArray *parts = beckon_json_get_array (beckon_json_get_object (message, "content"), "parts");
  JsonObject *metadata = beckon_json_get_object (message, "metadata");
  g_autoptr (GString) text = g_string_new (NULL);

  if ((g_strcmp0 (role, "user") != 0 && g_strcmp0 (role, "assistant") != 0) || parts == NULL
      || beckon_json_get_boolean (metadata, "is_visually_hidden_from_conversation", FALSE))
    return;

  /* Pictures and the like are objects here. */
  for (guint i = 0; i < json_array_get_length (parts); i++)
    {
      JsonNode *part = json_array_get_element (parts, i);

      if (JSON_NODE_HOLDS_VALUE (part) && json_node_get_value_type (part) == G_TYPE_STRING)
        append_piece (text, json_node_get_string (part));
    }
  add (draft, role, text->str, seconds_to_time (beckon_json_get_double (message, "create_time", 0)));
}

/* A path longer than the tree goes round in a circle. */
static gboolean
add_path (Draft *draft, JsonObject *mapping, const char *current)
{
  g_autoptr (GPtrArray) path = g_ptr_array_new ();
  JsonObject *node;

  while ((node = current != NULL ? beckon_json_get_object (mapping, current) : NULL) != NULL)
    {
      if (path->len > json_object_get_size (mapping))
        return FALSE;
      g_ptr_array_add (path, node);
      current = beckon_json_get_string (node, "parent");
    }

  for (guint i = path->len; i-- > 0;)
    add_node (draft, beckon_json_get_object (g_ptr_array_index (path, i), "message"));

  return TRUE;
}

static gboolean
read_chatgpt (JsonObject *object, GPtrArray *conversations)
{
  g_auto (Draft) draft = { 0 };

  begin (&draft, beckon_json_get_string (object, "title"),
         seconds_to_time (beckon_json_get_double (object, "create_time", 0)),
         seconds_to_time (beckon_json_get_double (object, "update_time", 0)));
  if (!add_path (&draft, beckon_json_get_object (object, "mapping"), beckon_json_get_string (object, "current_node")))
    return FALSE;

  finish (&draft, conversations);

  return TRUE;
}

/* Claude: a list of messages, with the text once whole and once in pieces. */

static char *
read_content (JsonObject *message)
{
  JsonArray *content = beckon_json_get_array (message, "content");
  GString *text = g_string_new (NULL);

  for (guint i = 0; content != NULL && i < json_array_get_length (content); i++)
    {
      JsonObject *piece = element_object (content, i);

      if (g_strcmp0 (beckon_json_get_string (piece, "type"), "text") == 0)
        append_piece (text, beckon_json_get_string (piece, "text"));
    }
  if (text->len == 0)
    append_piece (text, beckon_json_get_string (message, "text"));

  return g_string_free (text, FALSE);
}

static void
read_claude (JsonObject *object, GPtrArray *conversations)
{
  JsonArray *messages = beckon_json_get_array (object, "chat_messages");
  g_auto (Draft) draft = { 0 };

  begin (&draft, beckon_json_get_string (object, "name"), text_to_time (beckon_json_get_string (object, "created_at")),
         text_to_time (beckon_json_get_string (object, "updated_at")));
  for (guint i = 0; i < json_array_get_length (messages); i++)
    {
      JsonObject *message = element_object (messages, i);
      const char *sender = beckon_json_get_string (message, "sender");
      g_autofree char *text = read_content (message);

      if (g_strcmp0 (sender, "human") == 0 || g_strcmp0 (sender, "assistant") == 0)
        add (&draft, g_str_equal (sender, "human") ? "user" : "assistant", text,
             text_to_time (beckon_json_get_string (message, "created_at")));
    }
  finish (&draft, conversations);
}

static gboolean
read_foreign (JsonObject *object, GPtrArray *conversations, GError **error)
{
  if (beckon_json_get_object (object, "mapping") != NULL)
    {
      if (read_chatgpt (object, conversations))
        return TRUE;
    }
  else if (beckon_json_get_array (object, "chat_messages") != NULL)
    {
      read_claude (object, conversations);
      return TRUE;
    }

  refuse (error);

  return FALSE;
}

static gboolean
read_ours (JsonObject *object, GPtrArray *conversations, GError **error)
{
  JsonObject *conversation = beckon_json_get_object (object, "conversation");

  if (beckon_json_get_int (object, "version", 0) > BECKON_EXPORT_VERSION)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("This file was made by a newer version of Beckon. Update Beckon to read it."));
      return FALSE;
    }
  if (beckon_json_get_int (object, "version", 0) < 1 || conversation == NULL)
    {
      refuse (error);
      return FALSE;
    }

  g_ptr_array_add (conversations, json_object_ref (conversation));

  return TRUE;
}

static gboolean
read_object (JsonObject *object, GPtrArray *conversations, GError **error)
{
  if (g_strcmp0 (beckon_json_get_string (object, "format"), BECKON_EXPORT_FORMAT) == 0)
    return read_ours (object, conversations, error);

  return read_foreign (object, conversations, error);
}

static gboolean
read_array (JsonArray *array, GPtrArray *conversations, GError **error)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (!read_foreign (element_object (array, i), conversations, error))
      return FALSE;

  return TRUE;
}

GPtrArray *
beckon_import_read (GBytes *text, GError **error)
{
  g_autoptr (GPtrArray) conversations = g_ptr_array_new_with_free_func ((GDestroyNotify) json_object_unref);
  g_autoptr (JsonNode) root = NULL;
  gboolean was_read;
  gsize length;
  const char *bytes = g_bytes_get_data (text, &length);

  if (length > BECKON_IMPORT_MAX_BYTES)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, _("This file is too large to be imported."));
      return NULL;
    }

  root = beckon_json_parse (bytes != NULL ? bytes : "", (gssize) length, NULL);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    was_read = read_object (json_node_get_object (root), conversations, error);
  else if (root != NULL && JSON_NODE_HOLDS_ARRAY (root))
    was_read = read_array (json_node_get_array (root), conversations, error);
  else
    {
      refuse (error);
      return NULL;
    }

  return was_read ? g_steal_pointer (&conversations) : NULL;
}
