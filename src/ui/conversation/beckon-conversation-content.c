/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-conversation-content.h"

#include "beckon-conversation-export.h"
#include "base/beckon-finish.h"
#include "text/beckon-conversation-text.h"

#include <glib/gstdio.h>
#include <string.h>

#define FOLDER "beckon-dragged-XXXXXX"
#define URI_LIST "text/uri-list"

struct _BeckonConversationContent
{
  GdkContentProvider parent_instance;

  BeckonLibrary *library;           /* (owned) */
  BeckonConversation *conversation; /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonConversationContent, beckon_conversation_content, GDK_TYPE_CONTENT_PROVIDER)

/* The folder, and the file in it, that was made last: whoever it was dropped on may still be reading it. */
static char *last_folder; /* (nullable) */
static char *last_file;   /* (nullable) */

typedef struct
{
  char *mime_type;
  GOutputStream *stream; /* (owned) */
  char *text;            /* (nullable): what is written */
} Writing;

static void
writing_free (Writing *writing)
{
  g_free (writing->mime_type);
  g_object_unref (writing->stream);
  g_free (writing->text);
  g_free (writing);
}

void
beckon_conversation_content_clean_up (void)
{
  if (last_file != NULL)
    g_unlink (last_file);
  if (last_folder != NULL)
    g_rmdir (last_folder);
  g_clear_pointer (&last_file, g_free);
  g_clear_pointer (&last_folder, g_free);
}

/* Small, and in memory. */
static char *
conversation_content_write_file (BeckonConversationContent *self, const char *markdown, GError **error)
{
  g_autofree char *name = beckon_conversation_export_make_name (self->conversation, ".md");
  g_autofree char *template = g_build_filename (g_get_user_runtime_dir (), FOLDER, NULL);

  beckon_conversation_content_clean_up ();
  /* Some have no folder for their session. */
  last_folder = g_mkdtemp (template) != NULL ? g_steal_pointer (&template) : g_dir_make_tmp (FOLDER, error);
  if (last_folder == NULL)
    return NULL;
  last_file = g_build_filename (last_folder, name, NULL);
  if (!g_file_set_contents_full (last_file, markdown, -1, G_FILE_SET_CONTENTS_NONE, 0600, error))
    return NULL;
  return g_filename_to_uri (last_file, NULL, error);
}

static void
conversation_content_on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static char *
make_text (BeckonConversationContent *self, const char *mime_type, GError **error)
{
  g_autofree char *markdown = beckon_conversation_text_to_markdown (self->conversation);
  g_autofree char *uri = NULL;

  if (g_strcmp0 (mime_type, URI_LIST) != 0)
    return g_steal_pointer (&markdown);
  uri = conversation_content_write_file (self, markdown, error);
  return uri != NULL ? g_strconcat (uri, "\r\n", NULL) : NULL;
}

static void
conversation_content_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Writing *writing = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    writing->text = make_text (g_task_get_source_object (task), writing->mime_type, &error);
  if (writing->text == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_output_stream_write_all_async (writing->stream, writing->text, strlen (writing->text), g_task_get_priority (task),
                                   g_task_get_cancellable (task), conversation_content_on_written, g_object_ref (task));
}

static void
write_mime_type_async (GdkContentProvider *provider, const char *mime_type, GOutputStream *stream, int io_priority,
                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonConversationContent *self = BECKON_CONVERSATION_CONTENT (provider);
  g_autoptr (GTask) task = g_task_new (provider, cancellable, callback, user_data);
  Writing *writing = g_new0 (Writing, 1);

  g_task_set_source_tag (task, write_mime_type_async);
  g_task_set_priority (task, io_priority);
  writing->mime_type = g_strdup (mime_type);
  writing->stream = g_object_ref (stream);
  g_task_set_task_data (task, writing, (GDestroyNotify) writing_free);
  beckon_library_open_async (self->library, self->conversation, cancellable, conversation_content_on_read, g_object_ref (task));
}

static BECKON_FINISH_BOOLEAN (write_mime_type, GdkContentProvider)

/* A temporary one is in no file. */
static GdkContentFormats *
ref_formats (GdkContentProvider *provider)
{
  BeckonConversationContent *self = BECKON_CONVERSATION_CONTENT (provider);
  GdkContentFormatsBuilder *builder = gdk_content_formats_builder_new ();

  if (!beckon_conversation_get_temporary (self->conversation))
    gdk_content_formats_builder_add_mime_type (builder, URI_LIST);
  gdk_content_formats_builder_add_mime_type (builder, "text/markdown");
  gdk_content_formats_builder_add_mime_type (builder, "text/plain;charset=utf-8");
  return gdk_content_formats_builder_free_to_formats (builder);
}

static void
beckon_conversation_content_dispose (GObject *object)
{
  BeckonConversationContent *self = BECKON_CONVERSATION_CONTENT (object);

  g_clear_object (&self->library);
  g_clear_object (&self->conversation);
  G_OBJECT_CLASS (beckon_conversation_content_parent_class)->dispose (object);
}

static void
beckon_conversation_content_class_init (BeckonConversationContentClass *klass)
{
  GdkContentProviderClass *provider_class = GDK_CONTENT_PROVIDER_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_conversation_content_dispose;
  provider_class->ref_formats = ref_formats;
  provider_class->write_mime_type_async = write_mime_type_async;
  provider_class->write_mime_type_finish = write_mime_type_finish;
}

static void
beckon_conversation_content_init (BeckonConversationContent *self)
{
}

GdkContentProvider *
beckon_conversation_content_new (BeckonLibrary *library, BeckonConversation *conversation)
{
  BeckonConversationContent *self = g_object_new (BECKON_TYPE_CONVERSATION_CONTENT, NULL);

  self->library = g_object_ref (library);
  self->conversation = g_object_ref (conversation);
  return GDK_CONTENT_PROVIDER (self);
}
