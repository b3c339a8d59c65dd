/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-import-foreign.h"

#include "base/beckon-json.h"
#include "beckon-import-citations.h"

#include <string.h>

/*
 * A tree of nodes and the one that was shown last. A node is a message, or a piece of one of ours: what was thought goes before
 * what was said then, and what a tool gave is the result of the call that stands before it.
 */

/* The state of a path through the tree. */
typedef struct
{
  char *id;
  JsonObject *parent; /* (nullable): our message */
  JsonObject *call;   /* (nullable): without a result yet */
  char *thoughts;     /* (owned) (nullable) */
} Place;

typedef struct
{
  BeckonImportDraft *draft;
  JsonObject *mapping;
  GHashTable *children; /* (element-type utf8 GPtrArray): ids */
  GHashTable *shown;    /* (element-type utf8) */
  GHashTable *visited;
  GQueue *places; /* (element-type Place) */
  guint *n_unknown;
} Reading;

static void
place_free (gpointer data)
{
  Place *place = data;

  g_free (place->id);
  g_free (place->thoughts);
  g_free (place);
}

static gint64
get_time (JsonObject *object, const char *name)
{
  return beckon_import_seconds_to_time (beckon_json_get_double (object, name, 0));
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

/* (nullable): what a picture is called in the archive. */
static const char *
get_asset (JsonObject *part)
{
  const char *pointer = beckon_json_get_string (part, "asset_pointer");
  const char *id = pointer != NULL ? strstr (pointer, "://") : NULL;

  return id != NULL && id[3] != '\0' ? id + 3 : NULL;
}

static const char *
find_attachment_name (JsonObject *metadata, const char *asset)
{
  JsonArray *attachments = beckon_json_get_array (metadata, "attachments");

  for (guint i = 0; attachments != NULL && i < json_array_get_length (attachments); i++)
    {
      JsonObject *attachment = beckon_import_element_object (attachments, i);

      if (g_strcmp0 (beckon_json_get_string (attachment, "id"), asset) == 0)
        return beckon_json_get_string (attachment, "name");
    }
  return NULL;
}

/* Reads the text of any kind of content. */
static char *
chatgpt_read_content (Reading *reading, JsonObject *content, GPtrArray *assets)
{
  const char *type = beckon_json_get_string (content, "content_type");
  JsonArray *parts = beckon_json_get_array (content, "parts");
  GString *text = g_string_new (NULL);

  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    {
      JsonNode *node = json_array_get_element (parts, i);
      JsonObject *part = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      const char *kind = beckon_json_get_string (part, "content_type");

      /* The text of one part; a picture goes to @assets. */
      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        append_piece (text, json_node_get_string (node));
      else if (part != NULL && get_asset (part) != NULL && g_strcmp0 (kind, "image_asset_pointer") == 0)
        g_ptr_array_add (assets, (gpointer) get_asset (part));
      else if (beckon_json_get_string (part, "text") != NULL)
        append_piece (text, beckon_json_get_string (part, "text"));
      else
        ++*reading->n_unknown;
    }
  append_piece (text, beckon_json_get_string (content, "title"));
  append_piece (text, beckon_json_get_string (content, "text"));
  append_piece (text, beckon_json_get_string (content, "result"));
  if (g_strcmp0 (type, "tether_quote") == 0)
    append_piece (text, beckon_json_get_string (content, "url"));
  if (parts == NULL && text->len == 0)
    ++*reading->n_unknown;
  return g_string_free (text, FALSE);
}

static JsonObject *
chatgpt_add_message (Reading *reading, Place *place, const char *role, gint64 at)
{
  JsonObject *message = beckon_import_draft_add_message (reading->draft, role, place->parent, at,
                                                         g_hash_table_contains (reading->shown, place->id));

  if (g_str_equal (role, "assistant"))
    beckon_import_draft_add_reasoning (message, place->thoughts);
  g_clear_pointer (&place->thoughts, g_free);
  place->parent = message;
  place->call = NULL;
  return message;
}

/* Adds a tool's result to the waiting call, or to one that the export does not have. */
static void
chatgpt_take_result (Reading *reading, Place *place, JsonObject *message, const char *text, GPtrArray *assets)
{
  const char *name = beckon_json_get_string (beckon_json_get_object (message, "author"), "name");
  gint64 at = get_time (message, "create_time");
  JsonObject *call = place->call;

  if (*text == '\0' && assets->len == 0)
    return;
  if (call == NULL || beckon_import_draft_has_result (call))
    call = beckon_import_draft_add_call (chatgpt_add_message (reading, place, "assistant", at), name, NULL, at);
  beckon_import_draft_set_result (call, text, FALSE);
  for (guint i = 0; i < assets->len; i++)
    beckon_import_draft_add_result_image (reading->draft, call, g_ptr_array_index (assets, i));
  place->call = NULL;
}

static gboolean
has_attachments (JsonObject *metadata)
{
  JsonArray *attachments = beckon_json_get_array (metadata, "attachments");

  return attachments != NULL && json_array_get_length (attachments) > 0;
}

static void
take_said (Reading *reading, Place *place, JsonObject *message, const char *role, const char *text, GPtrArray *assets)
{
  JsonObject *metadata = beckon_json_get_object (message, "metadata");
  JsonObject *content = beckon_json_get_object (message, "content");
  gboolean is_code = g_strcmp0 (beckon_json_get_string (content, "content_type"), "code") == 0;
  JsonObject *ours;
  JsonArray *attachments;

  if (*text == '\0' && assets->len == 0 && !has_attachments (metadata))
    return;
  ours = chatgpt_add_message (reading, place, role, get_time (message, "create_time"));

  /* Files whose text is not in the document are named; pictures have been taken already. */
  attachments = beckon_json_get_array (metadata, "attachments");
  for (guint i = 0; attachments != NULL && i < json_array_get_length (attachments); i++)
    {
      JsonObject *attachment = beckon_import_element_object (attachments, i);
      const char *id = beckon_json_get_string (attachment, "id");

      if (id == NULL || !g_ptr_array_find_with_equal_func (assets, id, g_str_equal, NULL))
        beckon_import_add_missing_file (ours, beckon_json_get_string (attachment, "name"));
    }

  for (guint i = 0; i < assets->len; i++)
    beckon_import_draft_add_image (reading->draft, ours, g_ptr_array_index (assets, i),
                                   find_attachment_name (metadata, g_ptr_array_index (assets, i)));
  if (is_code)
    {
      const char *language = beckon_json_get_string (content, "language");
      g_autofree char *fenced = beckon_import_fence (g_strcmp0 (language, "unknown") == 0 ? NULL : language, text);

      beckon_import_draft_add_text (ours, fenced);
    }
  else
    beckon_import_draft_add_text (ours, text);
}

static void
chatgpt_take_message (Reading *reading, Place *place, JsonObject *message)
{
  const char *role = beckon_json_get_string (beckon_json_get_object (message, "author"), "role");
  const char *recipient = beckon_json_get_string (message, "recipient");
  JsonObject *content = beckon_json_get_object (message, "content");
  const char *type = beckon_json_get_string (content, "content_type");
  g_autoptr (GPtrArray) assets = g_ptr_array_new ();
  g_autofree char *written = chatgpt_read_content (reading, content, assets);
  g_autofree char *text = g_strcmp0 (role, "assistant") == 0
                              ? beckon_import_cite (written, beckon_json_get_object (message, "metadata"))
                              : g_steal_pointer (&written);
  gint64 at = get_time (message, "create_time");

  if (g_strcmp0 (role, "tool") == 0)
    chatgpt_take_result (reading, place, message, text, assets);
  else if (g_strcmp0 (role, "assistant") == 0 && recipient != NULL && !g_str_equal (recipient, "all")
           && (*text != '\0' || g_strcmp0 (type, "code") == 0))
    place->call = beckon_import_draft_add_call (chatgpt_add_message (reading, place, role, at), recipient, text, at);
  else if (g_strcmp0 (role, "assistant") == 0 || g_strcmp0 (role, "user") == 0)
    take_said (reading, place, message, role, text, assets);
}

static void
take_node (Reading *reading, Place *place)
{
  static const char *const passed_over[] = { "reasoning_recap", "user_editable_context", "model_editable_context", NULL };
  JsonObject *message = beckon_json_get_object (beckon_json_get_object (reading->mapping, place->id), "message");
  JsonObject *content = beckon_json_get_object (message, "content");
  const char *type = beckon_json_get_string (content, "content_type");

  if (content == NULL || (type != NULL && g_strv_contains (passed_over, type))
      || g_strcmp0 (beckon_json_get_string (beckon_json_get_object (message, "author"), "role"), "system") == 0
      || beckon_json_get_boolean (beckon_json_get_object (message, "metadata"), "is_visually_hidden_from_conversation", FALSE))
    return;
  if (g_strcmp0 (type, "thoughts") == 0)
    {
      JsonArray *thoughts = beckon_json_get_array (content, "thoughts");
      GString *text = g_string_new (NULL);
      g_autofree char *written = NULL;
      g_autofree char *more = NULL;
      g_autofree char *before = NULL;

      for (guint i = 0; thoughts != NULL && i < json_array_get_length (thoughts); i++)
        {
          append_piece (text, beckon_json_get_string (beckon_import_element_object (thoughts, i), "summary"));
          append_piece (text, beckon_json_get_string (beckon_import_element_object (thoughts, i), "content"));
        }

      written = g_string_free (text, FALSE);
      more = beckon_import_cite (written, NULL);
      before = place->thoughts;
      place->thoughts = before != NULL ? g_strdup_printf ("%s\n\n%s", before, more) : g_steal_pointer (&more);
      return;
    }
  chatgpt_take_message (reading, place, message);
}

/* Each once, so that what goes round in a circle ends. */
static void
chatgpt_push (Reading *reading, const char *id, const Place *behind)
{
  Place *place;

  if (!g_hash_table_add (reading->visited, (gpointer) id))
    return;
  place = g_new0 (Place, 1);
  place->id = g_strdup (id);
  if (behind != NULL)
    {
      place->parent = behind->parent;
      place->call = behind->call;
      place->thoughts = g_strdup (behind->thoughts);
    }
  g_queue_push_tail (reading->places, place);
}

static void
walk (Reading *reading)
{
  g_autoptr (GList) ids = json_object_get_members (reading->mapping);
  Place *place;

  for (GList *l = ids; l != NULL; l = l->next)
    {
      JsonObject *node = beckon_json_get_object (reading->mapping, l->data);
      const char *parent = beckon_json_get_string (node, "parent");

      if (node != NULL && (parent == NULL || beckon_json_get_object (reading->mapping, parent) == NULL))
        chatgpt_push (reading, l->data, NULL);
    }
  while ((place = g_queue_pop_head (reading->places)) != NULL)
    {
      GPtrArray *children = g_hash_table_lookup (reading->children, place->id);

      take_node (reading, place);
      for (guint i = 0; children != NULL && i < children->len; i++)
        chatgpt_push (reading, g_ptr_array_index (children, i), place);
      place_free (place);
    }
}

JsonObject *
beckon_import_read_chatgpt (JsonObject *object, GPtrArray *images, guint *n_unknown)
{
  const char *id = beckon_json_get_string (object, "conversation_id");
  g_autofree char *source = beckon_import_make_source ("chatgpt", id != NULL ? id : beckon_json_get_string (object, "id"));
  Reading reading = { .mapping = beckon_json_get_object (object, "mapping"), .n_unknown = n_unknown };
  g_autoptr (GList) ids = NULL;
  const char *current;

  reading.draft = beckon_import_draft_new (source, beckon_json_get_string (object, "title"), get_time (object, "create_time"),
                                           get_time (object, "update_time"));
  reading.children = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
  reading.shown = g_hash_table_new (g_str_hash, g_str_equal);
  reading.visited = g_hash_table_new (g_str_hash, g_str_equal);
  reading.places = g_queue_new ();
  ids = json_object_get_members (reading.mapping);
  for (GList *l = ids; l != NULL; l = l->next)
    {
      JsonObject *node = beckon_json_get_object (reading.mapping, l->data);
      const char *parent = beckon_json_get_string (node, "parent");
      GPtrArray *children = parent != NULL ? g_hash_table_lookup (reading.children, parent) : NULL;

      if (node == NULL || parent == NULL)
        continue;
      if (children == NULL)
        {
          children = g_ptr_array_new ();
          g_hash_table_insert (reading.children, (gpointer) parent, children);
        }
      g_ptr_array_add (children, l->data);
    }
  current = beckon_json_get_string (object, "current_node");
  /* From the node that was shown last upwards. */
  while (current != NULL && beckon_json_get_object (reading.mapping, current) != NULL
         && g_hash_table_add (reading.shown, (gpointer) current))
    current = beckon_json_get_string (beckon_json_get_object (reading.mapping, current), "parent");
  walk (&reading);
  g_queue_free_full (reading.places, place_free);
  g_hash_table_unref (reading.children);
  g_hash_table_unref (reading.shown);
  g_hash_table_unref (reading.visited);
  return beckon_import_draft_finish (reading.draft, images);
}
