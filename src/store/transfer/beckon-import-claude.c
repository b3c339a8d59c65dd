/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-text-printf.h"
#include "beckon-import-foreign.h"

#include "base/beckon-json.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/*
 * A list of messages, each with the one that it follows, in blocks of text, thoughts, calls and results. What is said behind a
 * result is a message of its own, as it is with every model.
 */

#define MAX_SECONDS 1e11
#define MAX_SOURCE_BYTES 200

JsonObject *
beckon_import_element_object (JsonArray *array, guint index)
{
  JsonNode *node = json_array_get_element (array, index);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

gint64
beckon_import_seconds_to_time (double seconds)
{
  return seconds > 0 && seconds < MAX_SECONDS ? (gint64) (seconds * G_USEC_PER_SEC) : 0;
}

char *
beckon_import_make_source (const char *program, const char *id)
{
  return id != NULL && *id != '\0' && strlen (id) <= MAX_SOURCE_BYTES ? g_strconcat (program, ":", id, NULL) : NULL;
}

/* A fence is longer than any within it. */
char *
beckon_import_fence (const char *language, const char *code)
{
  gsize longest = 2, length = 0;
  g_autofree char *fence = NULL;

  for (const char *p = code; *p != '\0'; p++)
    {
      length = *p == '`' ? length + 1 : 0;
      longest = MAX (longest, length);
    }
  fence = g_strnfill (longest + 1, '`');
  return g_strdup_printf ("%s%s\n%s\n%s", fence, language != NULL && strpbrk (language, "`\r\n") == NULL ? language : "", code,
                          fence);
}

void
beckon_import_add_missing_file (JsonObject *message, const char *name)
{
  g_autofree char *shown = beckon_text_for_display (name != NULL ? name : "?", -1, BECKON_TEXT_EXACT);
  /* Translators: stands in an imported conversation in place of an attached file; %s is its name */
  g_autofree char *words = beckon_text_printf (_("[File not in the export: %s]"), shown);

  beckon_import_draft_add_text (message, words);
}

static gint64
get_time (JsonObject *object, const char *name)
{
  const char *text = beckon_json_get_string (object, name);
  g_autoptr (GDateTime) time = text != NULL ? g_date_time_new_from_iso8601 (text, NULL) : NULL;

  return time != NULL ? g_date_time_to_unix (time) * G_USEC_PER_SEC + g_date_time_get_microsecond (time) : 0;
}

/* A message of theirs on its way to one or more of ours. */
typedef struct
{
  BeckonImportDraft *draft;
  JsonObject *parent; /* (nullable) */
  JsonObject *ours;   /* (nullable): none yet */
  const char *role;
  gint64 at;
  gboolean is_chosen;
  GHashTable *calls; /* (element-type utf8 JsonObject): by their ids */
  JsonObject *last_call;
  guint *n_unknown;
} Taking;

/* @is_said: what does not stand behind a call in one message. */
static JsonObject *
get_ours (Taking *taking, gboolean is_said)
{
  if (taking->ours != NULL && is_said && taking->last_call != NULL)
    {
      taking->parent = taking->ours;
      taking->ours = NULL;
      taking->last_call = NULL;
    }
  if (taking->ours == NULL)
    taking->ours = beckon_import_draft_add_message (taking->draft, taking->role, taking->parent, taking->at, taking->is_chosen);
  return taking->ours;
}

static char *
print_node (JsonNode *node)
{
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return NULL;
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_dup_string (node);
  return beckon_json_print (node);
}

/* A text, or a list of blocks with texts. */
static char *
read_result (JsonObject *block)
{
  JsonNode *node = json_object_get_member (block, "content");
  JsonArray *pieces = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  GString *text;

  if (pieces == NULL)
    {
      char *printed = print_node (node);

      return printed != NULL ? printed : g_strdup ("");
    }
  text = g_string_new (NULL);
  for (guint i = 0; i < json_array_get_length (pieces); i++)
    {
      const char *piece = beckon_json_get_string (beckon_import_element_object (pieces, i), "text");

      if (piece != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n\n" : "", piece);
    }
  return g_string_free (text, FALSE);
}

static void
claude_take_result (Taking *taking, JsonObject *block)
{
  const char *id = beckon_json_get_string (block, "tool_use_id");
  JsonObject *call = id != NULL ? g_hash_table_lookup (taking->calls, id) : taking->last_call;
  g_autofree char *text = read_result (block);

  if (call == NULL || beckon_import_draft_has_result (call))
    {
      call = beckon_import_draft_add_call (get_ours (taking, FALSE), beckon_json_get_string (block, "name"), NULL, taking->at);
      taking->last_call = call;
    }
  beckon_import_draft_set_result (call, text, beckon_json_get_boolean (block, "is_error", FALSE));
}

static void
take_block (Taking *taking, JsonObject *block)
{
  const char *type = beckon_json_get_string (block, "type");
  const char *text = beckon_json_get_string (block, g_strcmp0 (type, "thinking") == 0 ? "thinking" : "text");
  gboolean has_text = text != NULL && *text != '\0';

  if (g_strcmp0 (type, "text") == 0 || g_strcmp0 (type, "voice_note") == 0)
    {
      if (has_text)
        beckon_import_draft_add_text (get_ours (taking, TRUE), text);
    }
  else if (g_strcmp0 (type, "thinking") == 0)
    {
      if (has_text && g_str_equal (taking->role, "assistant"))
        beckon_import_draft_add_reasoning (get_ours (taking, TRUE), text);
    }
  else if (g_strcmp0 (type, "tool_use") == 0)
    {
      g_autofree char *input = print_node (json_object_get_member (block, "input"));
      const char *id = beckon_json_get_string (block, "id");

      taking->last_call = beckon_import_draft_add_call (get_ours (taking, FALSE),
                                                        beckon_json_get_string (block, "name"), input, taking->at);
      if (id != NULL)
        g_hash_table_insert (taking->calls, (gpointer)id, taking->last_call);
    }
  else if (g_strcmp0 (type, "tool_result") == 0)
    claude_take_result (taking, block);
  else if (g_strcmp0 (type, "token_budget") != 0 && g_strcmp0 (type, "flag") != 0)
    ++*taking->n_unknown;
}

static gboolean
is_attached (JsonArray *attachments, const char *name)
{
  for (guint i = 0; attachments != NULL && i < json_array_get_length (attachments); i++)
    if (g_strcmp0 (beckon_json_get_string (beckon_import_element_object (attachments, i), "file_name"), name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_picture (const char *name)
{
  static const char *const ends[] = { ".png", ".jpg", ".jpeg", ".gif", ".webp" };
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (lower, ends[i]))
      return TRUE;
  return FALSE;
}

/* Attachments stand before the text about them: texts whole, of the rest what the archive has. */
static void
take_files (Taking *taking, JsonObject *message)
{
  JsonArray *attachments = beckon_json_get_array (message, "attachments");
  JsonArray *files = beckon_json_get_array (message, "files");

  for (guint i = 0; attachments != NULL && i < json_array_get_length (attachments); i++)
    {
      JsonObject *file = beckon_import_element_object (attachments, i);
      const char *name = beckon_json_get_string (file, "file_name");
      const char *text = beckon_json_get_string (file, "extracted_content");

      if (text != NULL && *text != '\0')
        beckon_import_draft_add_file (get_ours (taking, TRUE), name != NULL && *name != '\0' ? name : "file", text);
      else
        beckon_import_add_missing_file (get_ours (taking, TRUE), name);
    }
  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      JsonObject *file = beckon_import_element_object (files, i);
      const char *name = beckon_json_get_string (file, "file_name");
      const char *id = beckon_json_get_string (file, "file_uuid");

      if (name == NULL || is_attached (attachments, name))
        continue;
      if (is_picture (name))
        beckon_import_draft_add_image (taking->draft, get_ours (taking, TRUE), id != NULL && *id != '\0' ? id : name, name);
      else
        beckon_import_add_missing_file (get_ours (taking, TRUE), name);
    }
}

static void
claude_take_message (Taking *taking, JsonObject *message)
{
  JsonArray *content = beckon_json_get_array (message, "content");

  take_files (taking, message);
  for (guint i = 0; content != NULL && i < json_array_get_length (content); i++)
    take_block (taking, beckon_import_element_object (content, i));
  /* The oldest have no blocks. */
  if (content == NULL || json_array_get_length (content) == 0)
    {
      const char *text = beckon_json_get_string (message, "text");

      if (text != NULL && *text != '\0')
        beckon_import_draft_add_text (get_ours (taking, TRUE), text);
    }
}

/* From the message that was shown last upwards; without any of that, all. */
static GHashTable *
find_shown (JsonObject *object, JsonArray *messages)
{
  g_autoptr (GHashTable) parents = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTable *shown = g_hash_table_new (g_str_hash, g_str_equal);
  const char *current = beckon_json_get_string (object, "current_leaf_message_uuid");
  const char *last = NULL;

  for (guint i = 0; i < json_array_get_length (messages); i++)
    {
      JsonObject *message = beckon_import_element_object (messages, i);
      const char *id = beckon_json_get_string (message, "uuid");

      if (id == NULL)
        continue;
      g_hash_table_insert (parents, (gpointer) id, (gpointer) beckon_json_get_string (message, "parent_message_uuid"));
      last = id;
    }
  if (current == NULL || !g_hash_table_contains (parents, current))
    current = last;
  while (current != NULL && g_hash_table_contains (parents, current) && g_hash_table_add (shown, (gpointer) current))
    current = g_hash_table_lookup (parents, current);
  return shown;
}

static void
read_messages (Taking *taking, JsonObject *object, JsonArray *messages)
{
  g_autoptr (GHashTable) ends = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) shown = find_shown (object, messages);
  JsonObject *last = NULL;

  for (guint i = 0; i < json_array_get_length (messages); i++)
    {
      JsonObject *message = beckon_import_element_object (messages, i);
      const char *sender = beckon_json_get_string (message, "sender");
      const char *id = beckon_json_get_string (message, "uuid");
      const char *parent = beckon_json_get_string (message, "parent_message_uuid");

      if (g_strcmp0 (sender, "human") != 0 && g_strcmp0 (sender, "assistant") != 0)
        continue;
      /* Without a parent that is there a message follows the one before it, or none where another root was named. */
      if (parent != NULL)
        taking->parent = g_hash_table_lookup (ends, parent);
      else
        taking->parent = last;
      taking->ours = NULL;
      taking->last_call = NULL;
      taking->role = g_str_equal (sender, "human") ? "user" : "assistant";
      taking->at = get_time (message, "created_at");
      taking->is_chosen = parent == NULL || (id != NULL && g_hash_table_contains (shown, id));
      claude_take_message (taking, message);
      last = taking->ours != NULL ? taking->ours : taking->parent;
      if (id != NULL && last != NULL)
        g_hash_table_insert (ends, (gpointer) id, last);
    }
}

JsonObject *
beckon_import_read_claude (JsonObject *object, GPtrArray *images, guint *n_unknown)
{
  g_autofree char *source = beckon_import_make_source ("claude", beckon_json_get_string (object, "uuid"));
  g_autoptr (GHashTable) calls = g_hash_table_new (g_str_hash, g_str_equal);
  Taking taking = { .calls = calls, .n_unknown = n_unknown };

  taking.draft = beckon_import_draft_new (source, beckon_json_get_string (object, "name"), get_time (object, "created_at"),
                                          get_time (object, "updated_at"));
  read_messages (&taking, object, beckon_json_get_array (object, "chat_messages"));
  return beckon_import_draft_finish (taking.draft, images);
}
