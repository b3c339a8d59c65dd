/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-import-draft.h"

#include "base/beckon-id.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "domain/beckon-attachment.h"
#include "domain/beckon-tool-call.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_TITLE_CHARS 500
#define MAX_TOOL_BYTES 128

/* A picture that is to be put where it is named. */
typedef struct
{
  char *asset;      /* (owned) */
  char *name;       /* (owned) */
  JsonObject *part; /* (owned): a part, or an element of a result's pictures */
  JsonObject *call; /* (owned) (nullable): whose result it is of */
} Image;

struct _BeckonImportDraft
{
  JsonObject *conversation; /* (owned) */
  JsonArray *messages;      /* (owned) */
  GPtrArray *images;        /* (owned) (element-type Image) */
};

static void
image_free (gpointer data)
{
  Image *image = data;

  g_free (image->asset);
  g_free (image->name);
  json_object_unref (image->part);
  g_clear_pointer (&image->call, json_object_unref);
  g_free (image);
}

GPtrArray *
beckon_import_images_new (void)
{
  return g_ptr_array_new_with_free_func (image_free);
}

static void
set_new_id (JsonObject *object)
{
  g_autofree char *id = beckon_id_new ();

  json_object_set_string_member (object, "id", id);
}

BeckonImportDraft *
beckon_import_draft_new (const char *source, const char *title, gint64 created_at, gint64 updated_at)
{
  BeckonImportDraft *draft = g_new0 (BeckonImportDraft, 1);
  g_autofree char *short_title = beckon_text_shorten (title != NULL ? title : "", MAX_TITLE_CHARS);

  draft->conversation = json_object_new ();
  draft->messages = json_array_new ();
  draft->images = beckon_import_images_new ();
  set_new_id (draft->conversation);
  if (source != NULL)
    json_object_set_string_member (draft->conversation, "source", source);
  json_object_set_int_member (draft->conversation, "created_at", created_at);
  json_object_set_int_member (draft->conversation, "updated_at", MAX (updated_at, created_at));
  json_object_set_string_member (draft->conversation, "title", short_title);
  json_object_set_null_member (draft->conversation, "profile");
  json_object_set_string_member (draft->conversation, "draft", "");
  json_object_set_boolean_member (draft->conversation, "pinned", FALSE);
  json_object_set_boolean_member (draft->conversation, "archived", FALSE);
  json_object_set_array_member (draft->conversation, "requests", json_array_new ());
  json_object_set_array_member (draft->conversation, "runs", json_array_new ());
  return draft;
}

void
beckon_import_draft_free (BeckonImportDraft *draft)
{
  if (draft == NULL)
    return;

  g_clear_pointer (&draft->conversation, json_object_unref);
  g_clear_pointer (&draft->messages, json_array_unref);
  g_ptr_array_unref (draft->images);
  g_free (draft);
}

JsonObject *
beckon_import_draft_add_message (BeckonImportDraft *draft, const char *role, JsonObject *parent, gint64 at,
                                 gboolean is_chosen)
{
  JsonObject *message = json_object_new ();

  set_new_id (message);
  json_object_set_string_member (message, "role", role);
  json_object_set_string_member (message, "status", "complete");
  json_object_set_int_member (message, "created_at", at);
  json_object_set_int_member (message, "input", -1);
  json_object_set_int_member (message, "output", -1);
  json_object_set_int_member (message, "cached", -1);
  json_object_set_int_member (message, "cost", -1);
  if (parent != NULL)
    json_object_set_string_member (message, "parent", json_object_get_string_member (parent, "id"));
  else
    json_object_set_null_member (message, "parent");
  json_object_set_boolean_member (message, "chosen", is_chosen);
  json_object_set_array_member (message, "parts", json_array_new ());
  json_array_add_object_element (draft->messages, message);
  return message;
}

static JsonObject *
add_part (JsonObject *message, const char *kind, const char *origin, const char *text)
{
  JsonObject *part = json_object_new ();

  json_object_set_string_member (part, "kind", kind);
  if (origin != NULL)
    json_object_set_string_member (part, "origin", origin);
  else
    json_object_set_null_member (part, "origin");
  json_object_set_string_member (part, "text", text);
  json_array_add_object_element (json_object_get_array_member (message, "parts"), part);
  return part;
}

void
beckon_import_draft_add_text (JsonObject *message, const char *text)
{
  if (text != NULL && *text != '\0')
    add_part (message, "text", NULL, text);
}

void
beckon_import_draft_add_reasoning (JsonObject *message, const char *text)
{
  if (text != NULL && *text != '\0')
    add_part (message, "reasoning", NULL, text);
}

void
beckon_import_draft_add_file (JsonObject *message, const char *name, const char *text)
{
  g_autoptr (BeckonPart) part = NULL;

  if (text == NULL || *text == '\0')
    return;
  part = beckon_attachment_new_text (name, text, strlen (text));
  add_part (message, "text", beckon_part_get_origin (part), beckon_part_get_text (part));
}

static void
note_image (BeckonImportDraft *draft, JsonObject *part, JsonObject *call, const char *asset, const char *name)
{
  Image *image = g_new0 (Image, 1);

  image->asset = g_strdup (asset);
  image->name = g_strdup (name != NULL ? name : asset);
  image->part = json_object_ref (part);
  image->call = call != NULL ? json_object_ref (call) : NULL;
  g_ptr_array_add (draft->images, image);
}

void
beckon_import_draft_add_image (BeckonImportDraft *draft, JsonObject *message, const char *asset, const char *name)
{
  note_image (draft, add_part (message, "image", NULL, ""), NULL, asset, name);
}

JsonObject *
beckon_import_draft_add_call (JsonObject *message, const char *tool, const char *arguments, gint64 at)
{
  JsonObject *part = add_part (message, "call", NULL, "");
  JsonObject *call = json_object_new ();
  g_autofree char *name = g_strndup (tool != NULL && *tool != '\0' ? tool : "tool", MAX_TOOL_BYTES);
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  g_autoptr (JsonObject) object = arguments != NULL ? beckon_json_parse_object (arguments, -1, NULL) : NULL;
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *json = NULL;

  /* As models write them. */
  if (object == NULL)
    {
      object = json_object_new ();
      if (arguments != NULL && *arguments != '\0')
        json_object_set_string_member (object, "input", arguments);
    }
  json_node_set_object (node, object);

  json = beckon_json_print (node);
  set_new_id (call);
  json_object_set_null_member (call, "provider_id");
  json_object_set_string_member (call, "tool", valid);
  json_object_set_string_member (call, "arguments", json);
  json_object_set_null_member (call, "fault");
  json_object_set_boolean_member (call, "read_only", FALSE);
  json_object_set_string_member (call, "state", "cancelled");
  json_object_set_int_member (call, "started_at", at);
  json_object_set_int_member (call, "finished_at", at);
  json_object_set_array_member (call, "requests", json_array_new ());
  json_object_set_object_member (part, "call", call);
  return call;
}

gboolean
beckon_import_draft_has_result (JsonObject *call)
{
  return json_object_has_member (call, "result");
}

void
beckon_import_draft_set_result (JsonObject *call, const char *text, gboolean is_error)
{
  JsonObject *result = json_object_new ();

  json_object_set_string_member (result, "text", text);
  json_object_set_boolean_member (result, "is_error", is_error);
  json_object_set_object_member (call, "result", result);
  json_object_set_string_member (call, "state", "done");
}

void
beckon_import_draft_add_result_image (BeckonImportDraft *draft, JsonObject *call, const char *asset)
{
  g_autoptr (JsonObject) picture = json_object_new ();

  note_image (draft, picture, call, asset, NULL);
}

JsonObject *
beckon_import_draft_finish (BeckonImportDraft *draft, GPtrArray *images)
{
  g_autoptr (BeckonImportDraft) held = draft;

  if (json_array_get_length (draft->messages) == 0)
    return NULL;

  json_object_set_array_member (draft->conversation, "messages", g_steal_pointer (&draft->messages));
  g_ptr_array_extend_and_steal (images, g_steal_pointer (&draft->images));
  draft->images = beckon_import_images_new ();
  return g_steal_pointer (&draft->conversation);
}

/* (nullable): what models see and the window shows. */
static const char *
find_type (GBytes *bytes)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);

  if (length < 16)
    return NULL;
  if (memcmp (data, "\x89PNG\r\n\x1a\n", 8) == 0)
    return "image/png";
  if (memcmp (data, "\xff\xd8\xff", 3) == 0)
    return "image/jpeg";
  if (memcmp (data, "GIF8", 4) == 0)
    return "image/gif";
  return memcmp (data, "RIFF", 4) == 0 && memcmp (data + 8, "WEBP", 4) == 0 ? "image/webp" : NULL;
}

/* That there was one is said where it was. */
static void
import_draft_leave_out (Image *image)
{
  g_autofree char *name = beckon_text_for_display (image->name, -1, BECKON_TEXT_EXACT);
  /* Translators: stands in an imported conversation in place of a picture; %s is its name */
  g_autofree char *words = beckon_text_printf (_("[Picture not in the export: %s]"), name);
  JsonObject *result = image->call != NULL ? beckon_json_get_object (image->call, "result") : NULL;

  if (result != NULL)
    {
      g_autofree char *text = g_strdup_printf ("%s\n%s", json_object_get_string_member (result, "text"), words);

      json_object_set_string_member (result, "text", text);
      return;
    }
  json_object_set_string_member (image->part, "kind", "text");
  json_object_set_string_member (image->part, "text", words);
}

void
beckon_import_drafts_fill (BeckonImportArchive *archive, GPtrArray *images, guint *n_images, guint *n_missing)
{
  g_autoptr (GHashTable) wanted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);

  for (guint i = 0; i < images->len; i++)
    g_hash_table_insert (wanted, g_strdup (((Image *) g_ptr_array_index (images, i))->asset), NULL);
  beckon_import_archive_read_assets (archive, wanted);
  for (guint i = 0; i < images->len; i++)
    {
      Image *image = g_ptr_array_index (images, i);
      GBytes *bytes = g_hash_table_lookup (wanted, image->asset);
      const char *type = bytes != NULL ? find_type (bytes) : NULL;

      if (type != NULL)
        {
          g_autofree char *encoded = g_base64_encode (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
          g_autofree char *origin = g_strconcat ("file:", image->name, NULL);
          JsonObject *result = image->call != NULL ? beckon_json_get_object (image->call, "result") : NULL;

          json_object_remove_member (image->part, "text");
          json_object_set_string_member (image->part, "base64", encoded);
          json_object_set_string_member (image->part, "media_type", type);
          json_object_set_string_member (image->part, "origin", origin);

          if (result != NULL)
            {
              if (!json_object_has_member (result, "images"))
                json_object_set_array_member (result, "images", json_array_new ());
              if (json_array_get_length (json_object_get_array_member (result, "images")) < BECKON_TOOL_CALL_MOST_IMAGES)
                json_array_add_object_element (json_object_get_array_member (result, "images"), json_object_ref (image->part));
            }
        }
      else
        import_draft_leave_out (image);
      *(type != NULL ? n_images : n_missing) += 1;
    }
}
