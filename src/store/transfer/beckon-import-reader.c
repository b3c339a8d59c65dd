/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Other programs' files become documents of our own form first, so that one writer puts everything into the store. */

#include "beckon-config.h"

#include "beckon-import-reader.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "beckon-export.h"
#include "beckon-import-foreign.h"

#include <glib/gi18n-lib.h>

struct _BeckonImportReader
{
  BeckonImportArchive *archive; /* (owned) */
  JsonNode *root;               /* (owned) (nullable): the document that is being read */
  guint next;                   /* the element of it */
  guint n_all;
  guint n_read;
  GError *fault; /* (owned) (nullable): told when all that was read before it is handed out */
};

BeckonImportReader *
beckon_import_reader_new (BeckonImportArchive *archive)
{
  BeckonImportReader *reader = g_new0 (BeckonImportReader, 1);

  reader->archive = archive;
  return reader;
}

void
beckon_import_reader_free (BeckonImportReader *reader)
{
  if (reader == NULL)
    return;

  beckon_import_archive_free (reader->archive);
  g_clear_pointer (&reader->root, json_node_unref);
  g_clear_error (&reader->fault);
  g_free (reader);
}

void
beckon_import_reader_get_progress (BeckonImportReader *reader, guint *n_read, guint *n_all)
{
  *n_read = reader->n_read;
  *n_all = reader->n_all;
}

static void
import_reader_refuse (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       _("This file is neither an export of Beckon nor the conversations.json of ChatGPT or Claude."));
}

/* The source is set here; one in the file is ignored. */
static JsonObject *
read_ours (JsonObject *object, GError **error)
{
  JsonObject *conversation = beckon_json_get_object (object, "conversation");
  const char *id = beckon_json_get_string (conversation, "id");
  g_autofree char *source = beckon_import_make_source ("beckon", id);

  if (beckon_json_get_int (object, "version", 0) > BECKON_EXPORT_VERSION)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("This file was made by a newer version of Beckon. Update Beckon to read it."));
      return NULL;
    }
  if (beckon_json_get_int (object, "version", 0) < 1 || conversation == NULL)
    {
      import_reader_refuse (error);
      return NULL;
    }
  json_object_remove_member (conversation, "source");
  if (source != NULL)
    json_object_set_string_member (conversation, "source", source);
  return json_object_ref (conversation);
}

/* %NULL without an error where there are no messages. */
static JsonObject *
read_one (JsonObject *object, GPtrArray *images, BeckonImportReport *report, GError **error)
{
  if (g_strcmp0 (beckon_json_get_string (object, "format"), BECKON_EXPORT_FORMAT) == 0)
    return read_ours (object, error);
  if (beckon_json_get_object (object, "mapping") != NULL)
    return beckon_import_read_chatgpt (object, images, &report->n_unknown);
  if (beckon_json_get_array (object, "chat_messages") != NULL)
    return beckon_import_read_claude (object, images, &report->n_unknown);
  import_reader_refuse (error);
  return NULL;
}

static void
note_unreadable (BeckonImportReport *report, const GError *error)
{
  report->n_unreadable++;
  if (report->problem == NULL)
    report->problem = g_strdup (error->message);
}

/* The next document that can be read. %FALSE at the end; with @error where there is none any more. */
static gboolean
open_next (BeckonImportReader *reader, BeckonImportReport *report, GError **error)
{
  g_autoptr (GError) fault = NULL;
  GBytes *text;

  g_clear_pointer (&reader->root, json_node_unref);
  while ((text = beckon_import_archive_next (reader->archive, &fault)) != NULL)
    {
      gsize length;
      const char *bytes = g_bytes_get_data (text, &length);
      g_autoptr (GError) wrong = NULL;

      reader->root = beckon_json_parse (bytes != NULL ? bytes : "", (gssize) length, NULL);
      g_bytes_unref (text);
      reader->next = 0;
      if (reader->root != NULL && JSON_NODE_HOLDS_ARRAY (reader->root))
        reader->n_all += json_array_get_length (json_node_get_array (reader->root));
      else
        reader->n_all++;
      if (reader->root != NULL && (JSON_NODE_HOLDS_ARRAY (reader->root) || JSON_NODE_HOLDS_OBJECT (reader->root)))
        return TRUE;
      import_reader_refuse (&wrong);
      note_unreadable (report, wrong);
      g_clear_pointer (&reader->root, json_node_unref);
    }
  if (fault != NULL)
    g_propagate_error (error, g_steal_pointer (&fault));
  return FALSE;
}

/* %FALSE at the end of the document. */
static gboolean
read_next (BeckonImportReader *reader, GPtrArray *documents, GPtrArray *images, BeckonImportReport *report)
{
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (reader->root) ? json_node_get_array (reader->root) : NULL;
  g_autoptr (GError) error = NULL;
  JsonObject *element;
  JsonObject *document;

  if (reader->next >= (array != NULL ? json_array_get_length (array) : 1))
    return FALSE;

  element = array != NULL ? beckon_import_element_object (array, reader->next) : json_node_get_object (reader->root);
  reader->next++;
  reader->n_read++;
  document = read_one (element, images, report, &error);
  if (document != NULL)
    g_ptr_array_add (documents, document);
  else if (error != NULL)
    note_unreadable (report, error);
  else
    report->n_empty++;
  return TRUE;
}

GPtrArray *
beckon_import_reader_next (BeckonImportReader *reader, guint max, BeckonImportReport *report, GError **error)
{
  g_autoptr (GPtrArray) documents = g_ptr_array_new_with_free_func ((GDestroyNotify) json_object_unref);
  g_autoptr (GPtrArray) images = beckon_import_images_new ();

  while (documents->len < max && reader->fault == NULL)
    {
      if (reader->root != NULL && read_next (reader, documents, images, report))
        continue;
      if (!open_next (reader, report, &reader->fault))
        break;
    }
  if (documents->len == 0 && reader->fault != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&reader->fault));
      return NULL;
    }
  beckon_import_drafts_fill (reader->archive, images, &report->n_images, &report->n_missing);
  return g_steal_pointer (&documents);
}
