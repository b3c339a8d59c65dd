/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer-private.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Offers of servers beside their tools: prompts are commands, resources are attached. A text of a server only
 * stands in the composer, until the person sends it. */

#define MOST_NAME_CHARS 60

static const char *
get_folder (BeckonComposer *self)
{
  return self->conversation != NULL ? beckon_conversation_get_folder (self->conversation) : NULL;
}

/* (transfer full) (nullable): by its id, or by what stands in front of the names of its prompts. */
static BeckonMcpService *
find_service (BeckonComposer *self, const char *id, const char *prefix)
{
  for (guint i = 0; self->servers != NULL && i < g_list_model_get_n_items (self->servers); i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (self->servers, i);
      const BeckonMcpServer *server = beckon_mcp_service_get_server (service);
      g_autofree char *own = beckon_mcp_server_dup_prefix (server);

      if (beckon_mcp_server_is_used (server) && beckon_mcp_server_is_for_folder (server, get_folder (self))
          && (g_strcmp0 (server->id, id) == 0 || g_strcmp0 (own, prefix) == 0))
        return g_steal_pointer (&service);
    }
  return NULL;
}

/* --- Prompts ------------------------------------------------------------------------------------------------------ */

static gboolean
composer_servers_ask (BeckonComposer *self, BeckonMcpService *service, const char *name, const char *const *words)
{
  BeckonMcpPrompt *prompt
      = service != NULL ? beckon_mcp_prompts_find (beckon_mcp_service_get_prompts (service), name) : NULL;

  if (prompt == NULL || self->locked)
    return FALSE;
  self->prompt_is_typed = words != NULL;
  beckon_prompt_form_ask (self->prompt_form, service, prompt, words);
  return TRUE;
}

static void
prompt_action (GtkWidget *widget, const char *action, GVariant *target)
{
  BeckonComposer *self = BECKON_COMPOSER (widget);
  const char *id, *name;
  g_autoptr (BeckonMcpService) service = NULL;

  g_variant_get (target, "(&s&s)", &id, &name);
  service = find_service (self, id, NULL);
  composer_servers_ask (self, service, name, NULL);
}

/* Words as a shell has them, or as they stand between spaces where a quotation mark is not closed. */
static char **
split_words (const char *text)
{
  g_autofree char *line = g_strstrip (g_strdup (text));
  char **words = NULL;

  if (*line == '\0')
    return g_new0 (char *, 1);
  if (g_shell_parse_argv (line, NULL, &words, NULL))
    return words;
  return g_strsplit_set (line, " \t\n", -1);
}

gboolean
beckon_composer_take_command (BeckonComposer *self)
{
  g_autofree char *text = beckon_composer_dup_draft (self);
  gsize length = strcspn (text, " \t\n");
  const char *colon = memchr (text, ':', length);
  g_autofree char *prefix = NULL;
  g_autofree char *name = NULL;
  g_auto (GStrv) words = NULL;
  g_autoptr (BeckonMcpService) service = NULL;

  if (*text != '/' || colon == NULL)
    return FALSE;
  prefix = g_strndup (text + 1, (gsize) (colon - text - 1));
  name = g_strndup (colon + 1, (gsize) (text + length - colon - 1));
  words = split_words (text + length);
  service = find_service (self, NULL, prefix);
  return composer_servers_ask (self, service, name, (const char *const *) words);
}

/* A text of a server's is no command, however it begins. */
static char *
composer_servers_make_message (const char *text, const char *server)
{
  g_autofree char *heading = NULL;

  if (*text != '/')
    return g_strdup (text);
  /* Translators: %s is a server; its text follows */
  heading = beckon_text_printf (_("From %s:"), server);
  return g_strdup_printf ("%s\n\n%s", heading, text);
}

static void
on_prompt_filled (BeckonComposer *self, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  const BeckonMcpServer *server = beckon_mcp_service_get_server (beckon_prompt_form_get_service (self->prompt_form));
  g_autofree char *name = beckon_text_for_display (server->name, -1, BECKON_TEXT_EXACT);
  g_autofree char *message = composer_servers_make_message (text, name);
  g_autofree char *words = NULL;
  GtkTextIter start, end;

  gtk_text_buffer_begin_user_action (buffer);
  if (self->prompt_is_typed)
    {
      gtk_text_buffer_get_bounds (buffer, &start, &end);
      gtk_text_buffer_delete (buffer, &start, &end);
    }
  gtk_text_buffer_insert_at_cursor (buffer, message, -1);
  gtk_text_buffer_end_user_action (buffer);
  /* Translators: %s is a server */
  words = beckon_text_printf (_("This text is from %s. Read it before you send it."), name);
  beckon_composer_show_notice (self, words);
}

static void
on_prompt_closed (BeckonComposer *self)
{
  beckon_composer_focus (self);
}

void
beckon_composer_close_prompt (BeckonComposer *self)
{
  if (self->prompt_form != NULL)
    beckon_prompt_form_close (self->prompt_form);
}

/* --- Resources ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonAttachmentReading *reading;
  char *server; /* its name */
} Attaching;

static void
on_resource_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Attaching *attaching = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) contents = beckon_mcp_service_read_resource_finish (BECKON_MCP_SERVICE (source), result, &error);

  for (guint i = 0; contents != NULL && i < contents->len; i++)
    {
      const BeckonMcpContent *content = g_ptr_array_index (contents, i);
      g_autofree char *name = g_strdup_printf ("%s: %s", attaching->server, content->name);

      beckon_attachment_reading_take_bytes (attaching->reading, content->bytes, name);
    }
  beckon_attachment_reading_end (attaching->reading, error);
  g_free (attaching->server);
  g_free (attaching);
}

/* The name of a resource says which server it is from, to the person and to the model. */
static void
attach (BeckonComposer *self, BeckonMcpService *service, const char *uri)
{
  const char *server = beckon_mcp_service_get_server (service)->name;
  g_autofree char *name = g_strdup_printf ("%s: %s", server, uri);
  g_autofree char *short_name = beckon_text_shorten (name, MOST_NAME_CHARS);
  BeckonAttachmentReading *reading = beckon_attachment_loader_begin (self->loader, short_name);
  Attaching *attaching;

  if (reading == NULL)
    return;
  attaching = g_new0 (Attaching, 1);
  attaching->reading = reading;
  attaching->server = g_strdup (server);
  beckon_mcp_service_read_resource_async (service, uri, beckon_attachment_reading_get_cancellable (reading), on_resource_read,
                                          attaching);
}

static void
resource_action (GtkWidget *widget, const char *action, GVariant *target)
{
  BeckonComposer *self = BECKON_COMPOSER (widget);
  const char *id, *uri;
  g_autoptr (BeckonMcpService) service = NULL;

  g_variant_get (target, "(&s&s)", &id, &uri);
  service = find_service (self, id, NULL);
  if (service != NULL && !beckon_composer_is_fixed (self))
    attach (self, service, uri);
}

static void
template_action (GtkWidget *widget, const char *action, GVariant *target)
{
  BeckonComposer *self = BECKON_COMPOSER (widget);
  const char *id, *uri;
  const BeckonMcpResource *resource;
  g_autoptr (BeckonMcpService) service = NULL;
  g_autoptr (GError) error = NULL;

  g_variant_get (target, "(&s&s)", &id, &uri);
  service = find_service (self, id, NULL);
  resource = service != NULL ? beckon_mcp_resources_find (beckon_mcp_service_get_resources (service), uri) : NULL;
  if (resource == NULL || beckon_composer_is_fixed (self))
    return;
  if (!beckon_prompt_form_ask_template (self->prompt_form, service, resource, &error))
    beckon_composer_show_notice (self, error->message);
}

static void
on_resource_addressed (BeckonComposer *self, const char *uri)
{
  if (!beckon_composer_is_fixed (self))
    attach (self, beckon_prompt_form_get_service (self->prompt_form), uri);
}

/* --- Set-up ------------------------------------------------------------------------------------------------------- */

void
beckon_composer_set_servers (BeckonComposer *self, GListModel *servers)
{
  g_set_object (&self->servers, servers);
}

void
beckon_composer_add_prompts (BeckonComposer *self, GPtrArray *found, const char *typed)
{
  if (self->servers != NULL)
    beckon_suggestion_add_prompts (found, self->servers, get_folder (self), typed);
}

void
beckon_composer_add_resources (BeckonComposer *self, GPtrArray *found, const char *typed)
{
  if (self->servers != NULL)
    beckon_suggestion_add_resources (found, self->servers, get_folder (self), typed);
}

void
beckon_composer_install_servers (GtkWidgetClass *widget_class)
{
  g_type_ensure (BECKON_TYPE_PROMPT_FORM);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, prompt_form);
  gtk_widget_class_bind_template_callback (widget_class, on_prompt_filled);
  gtk_widget_class_bind_template_callback (widget_class, on_resource_addressed);
  gtk_widget_class_bind_template_callback (widget_class, on_prompt_closed);
  gtk_widget_class_install_action (widget_class, "composer.prompt", "(ss)", prompt_action);
  gtk_widget_class_install_action (widget_class, "composer.resource", "(ss)", resource_action);
  gtk_widget_class_install_action (widget_class, "composer.template", "(ss)", template_action);
}
