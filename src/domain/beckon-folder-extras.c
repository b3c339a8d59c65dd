/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-folder-extras.h"

#include "base/beckon-counted.h"
#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-line-diff.h"

#define N_CONTEXT 3

struct _BeckonFolderExtras
{
  char *root;
  GPtrArray *items; /* (element-type BeckonFolderExtra) */
};

static const char *const kinds[BECKON_FOLDER_EXTRA_N_KINDS] = { "instructions", "skill", "command", "server" };

static char *
make_valid (const char *text)
{
  return text != NULL ? g_utf8_make_valid (text, -1) : NULL;
}

BeckonFolderExtra *
beckon_folder_extra_new (BeckonFolderExtraKind kind, const char *path, const char *name, const char *description,
                         const char *text, guint64 size)
{
  BeckonFolderExtra *extra = g_new0 (BeckonFolderExtra, 1);

  extra->kind = kind;
  extra->path = make_valid (path);
  extra->name = make_valid (name);
  extra->description = make_valid (description);
  extra->text = g_strdup (text != NULL ? text : "");
  extra->size = size;
  return extra;
}

void
beckon_folder_extra_free (BeckonFolderExtra *extra)
{
  g_free (extra->path);
  g_free (extra->name);
  g_free (extra->description);
  g_free (extra->text);
  g_free (extra->fault);
  g_free (extra);
}

BeckonFolderExtras *
beckon_folder_extras_new (const char *root)
{
  BeckonFolderExtras *extras = g_atomic_rc_box_new0 (BeckonFolderExtras);

  extras->root = g_strdup (root);
  extras->items = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_folder_extra_free);
  return extras;
}

static void
folder_extras_clear (gpointer data)
{
  BeckonFolderExtras *extras = data;

  g_free (extras->root);
  g_ptr_array_unref (extras->items);
}

BECKON_COUNTED (BeckonFolderExtras, beckon_folder_extras, folder_extras_clear)

void
beckon_folder_extras_take (BeckonFolderExtras *extras, BeckonFolderExtra *extra)
{
  g_ptr_array_add (extras->items, extra);
}

const char *
beckon_folder_extras_get_root (const BeckonFolderExtras *extras)
{
  return extras->root;
}

guint
beckon_folder_extras_get_n (const BeckonFolderExtras *extras)
{
  return extras->items->len;
}

const BeckonFolderExtra *
beckon_folder_extras_get (const BeckonFolderExtras *extras, guint index)
{
  g_return_val_if_fail (index < extras->items->len, NULL);

  return g_ptr_array_index (extras->items, index);
}

const BeckonFolderExtra *
beckon_folder_extras_find (const BeckonFolderExtras *extras, BeckonFolderExtraKind kind, const char *name)
{
  for (guint i = 0; i < extras->items->len; i++)
    {
      const BeckonFolderExtra *extra = g_ptr_array_index (extras->items, i);

      if (extra->kind == kind && extra->fault == NULL && g_strcmp0 (extra->name, name) == 0)
        return extra;
    }
  return NULL;
}

char *
beckon_folder_extras_to_json (const BeckonFolderExtras *extras)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "root", extras->root);
  beckon_json_writer_name (&writer, "items");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < extras->items->len; i++)
    {
      const BeckonFolderExtra *extra = g_ptr_array_index (extras->items, i);

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "kind", kinds[extra->kind]);
      beckon_json_writer_member_string (&writer, "path", extra->path);
      if (extra->name != NULL)
        beckon_json_writer_member_string (&writer, "name", extra->name);
      if (extra->description != NULL)
        beckon_json_writer_member_string (&writer, "description", extra->description);
      beckon_json_writer_member_string (&writer, "text", extra->text);
      beckon_json_writer_member_int (&writer, "size", (gint64) extra->size);
      if (extra->is_cut)
        beckon_json_writer_member_boolean (&writer, "is_cut", TRUE);
      if (extra->fault != NULL)
        beckon_json_writer_member_string (&writer, "fault", extra->fault);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static BeckonFolderExtra *
read_extra (JsonObject *object)
{
  const char *word = object != NULL ? beckon_json_get_string (object, "kind") : NULL;
  BeckonFolderExtra *extra;
  guint kind = 0;

  while (kind < G_N_ELEMENTS (kinds) && g_strcmp0 (word, kinds[kind]) != 0)
    kind++;
  if (kind == G_N_ELEMENTS (kinds) || beckon_json_get_string (object, "path") == NULL)
    return NULL;
  extra = beckon_folder_extra_new ((BeckonFolderExtraKind) kind, beckon_json_get_string (object, "path"),
                                   beckon_json_get_string (object, "name"), beckon_json_get_string (object, "description"),
                                   beckon_json_get_string (object, "text"),
                                   (guint64) MAX (beckon_json_get_int (object, "size", 0), 0));
  extra->is_cut = beckon_json_get_boolean (object, "is_cut", FALSE);
  extra->fault = g_strdup (beckon_json_get_string (object, "fault"));
  return extra;
}

BeckonFolderExtras *
beckon_folder_extras_from_json (const char *json, GError **error)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (json, -1, error);
  JsonArray *items = object != NULL ? beckon_json_get_array (object, "items") : NULL;
  const char *root = object != NULL ? beckon_json_get_string (object, "root") : NULL;
  g_autoptr (BeckonFolderExtras) extras = NULL;

  if (object == NULL)
    return NULL;
  extras = beckon_folder_extras_new (root != NULL ? root : "");
  for (guint i = 0; items != NULL && i < json_array_get_length (items); i++)
    {
      JsonNode *node = json_array_get_element (items, i);
      BeckonFolderExtra *extra = read_extra (JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL);

      if (extra != NULL)
        beckon_folder_extras_take (extras, extra);
    }
  if (items == NULL || extras->items->len != json_array_get_length (items))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Not a stored list of what a folder brings");
      return NULL;
    }
  return g_steal_pointer (&extras);
}

char *
beckon_folder_extras_dup_hash (const BeckonFolderExtras *extras)
{
  g_autofree char *json = beckon_folder_extras_to_json (extras);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, json, -1);
}

char *
beckon_folder_extras_dup_instructions (const BeckonFolderExtras *extras)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < extras->items->len; i++)
    {
      const BeckonFolderExtra *extra = g_ptr_array_index (extras->items, i);

      if (extra->kind != BECKON_FOLDER_EXTRA_INSTRUCTIONS || *extra->text == '\0')
        continue;
      g_string_append_printf (text, "%s[%s]\n%s", text->len > 0 ? "\n\n" : "", extra->path, extra->text);
      if (extra->is_cut)
        g_string_append_printf (text, "\n[%s is longer: the rest was cut.]", extra->path);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_folder_extras_dup_difference (const BeckonFolderExtras *before, const BeckonFolderExtra *extra)
{
  for (guint i = 0; before != NULL && i < before->items->len; i++)
    {
      const BeckonFolderExtra *other = g_ptr_array_index (before->items, i);
      g_autoptr (BeckonLineDiff) diff = NULL;

      /* Several servers are in one file. */
      if (other->kind != extra->kind || !g_str_equal (other->path, extra->path)
          || (extra->kind == BECKON_FOLDER_EXTRA_SERVER && g_strcmp0 (other->name, extra->name) != 0))
        continue;
      diff = beckon_line_diff_new (other->text, extra->text);
      return beckon_line_diff_to_unified (diff, N_CONTEXT);
    }
  return NULL;
}

BeckonFolderTrust *
beckon_folder_trust_new (const char *folder, const char *hash, const char *extras, gboolean is_trusted, gint64 at)
{
  BeckonFolderTrust *trust = g_new0 (BeckonFolderTrust, 1);

  trust->folder = g_strdup (folder);
  trust->hash = g_strdup (hash);
  trust->extras = g_strdup (extras);
  trust->is_trusted = is_trusted;
  trust->at = at;
  return trust;
}

BeckonFolderTrust *
beckon_folder_trust_copy (const BeckonFolderTrust *trust)
{
  return beckon_folder_trust_new (trust->folder, trust->hash, trust->extras, trust->is_trusted, trust->at);
}

void
beckon_folder_trust_free (BeckonFolderTrust *trust)
{
  g_free (trust->folder);
  g_free (trust->hash);
  g_free (trust->extras);
  g_free (trust);
}
