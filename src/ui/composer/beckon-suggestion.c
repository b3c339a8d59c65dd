/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-suggestion.h"

#include "base/beckon-text.h"
#include "domain/beckon-profile.h"
#include "mcp/beckon-mcp-service.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_FILES 30
#define MOST_NAME_CHARS 40
#define MOST_OF_SERVERS 30
#define MOST_TITLE_CHARS 120

void
beckon_suggestion_free (BeckonSuggestion *suggestion)
{
  g_free (suggestion->word);
  g_free (suggestion->title);
  g_free (suggestion->text);
  g_free (suggestion->action);
  g_clear_pointer (&suggestion->target, g_variant_unref);
  g_free (suggestion);
}

typedef struct
{
  const char *word, *title, *action, *target; /* a target is a text */
  gboolean needs_messages;
} Command;

static const Command commands[] = {
  { "/new", N_("New conversation"), "app.new-conversation", NULL, FALSE },
  { "/temporary", N_("New temporary conversation"), "win.new-temporary", NULL, FALSE },
  { "/attach", N_("Attach files"), "composer.attach", NULL, FALSE },
  { "/folder", N_("Choose a working folder"), "win.choose-folder", NULL, FALSE },
  { "/ask-everything", N_("Ask for everything"), "win.mode", "everything", FALSE },
  { "/ask-changes", N_("Ask for changes"), "win.mode", "changes", FALSE },
  { "/ask-outside", N_("Ask outside the folder"), "win.mode", "outside", FALSE },
  { "/find", N_("Find in this conversation"), "win.find", NULL, TRUE },
  { "/search", N_("Search all conversations"), "win.search", NULL, FALSE },
  { "/rename", N_("Rename this conversation"), "win.rename", NULL, TRUE },
  { "/compact", N_("Summarize earlier messages, to make room"), "win.compact", NULL, TRUE },
  { "/copy", N_("Copy this conversation as Markdown"), "win.act-on", "copy-markdown", TRUE },
  { "/details", N_("What this conversation has used"), "win.act-on", "details", TRUE },
  { "/export", N_("Export this conversation as Markdown"), "win.act-on", "export-markdown", TRUE },
  { "/continue", N_("Resume after a pause, a stop or a failure"), "conversation.continue", NULL, TRUE },
  { "/stop", N_("Stop the agent"), "win.stop", NULL, TRUE },
  { "/preferences", N_("Preferences"), "app.preferences", NULL, FALSE },
  { "/help", N_("Keyboard shortcuts"), "app.shortcuts", NULL, FALSE },
};

/* Commands with a word of their own also match by title. */
static gboolean
suggestion_fits (const char *word, const char *title, const char *typed)
{
  g_autofree char *folded = g_utf8_casefold (typed, -1);
  g_autofree char *folded_title = g_utf8_casefold (title, -1);
  g_autofree char *folded_word = g_utf8_casefold (word, -1);

  return g_str_has_prefix (folded_word + 1, folded) || (*folded != '\0' && strstr (folded_title, folded) != NULL);
}

static BeckonSuggestion *
suggestion_new (const char *word, const char *title, const char *action, GVariant *target)
{
  BeckonSuggestion *suggestion = g_new0 (BeckonSuggestion, 1);

  suggestion->word = g_strdup (word);
  suggestion->title = g_strdup (title);
  suggestion->action = g_strdup (action);
  suggestion->target = target != NULL ? g_variant_ref_sink (target) : NULL;
  return suggestion;
}

static GVariant *
make_target (const Command *command, BeckonConversation *conversation)
{
  if (command->target == NULL)
    return NULL;
  if (g_str_equal (command->action, "win.act-on"))
    return g_variant_new ("(ss)", beckon_conversation_get_id (conversation), command->target);
  return g_variant_new_string (command->target);
}

GPtrArray *
beckon_suggestion_list_commands (BeckonConversation *conversation, GListModel *profiles, const char *typed)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_suggestion_free);
  gboolean has_messages = conversation != NULL && beckon_conversation_get_n_messages (conversation) > 0;

  for (gsize i = 0; conversation != NULL && i < G_N_ELEMENTS (commands); i++)
    if ((has_messages || !commands[i].needs_messages) && suggestion_fits (commands[i].word, _(commands[i].title), typed))
      g_ptr_array_add (found, suggestion_new (commands[i].word, _(commands[i].title), commands[i].action,
                                              make_target (&commands[i], conversation)));
  for (guint i = 0; profiles != NULL && i < g_list_model_get_n_items (profiles); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, i);
      g_autofree char *safe = beckon_text_for_display (beckon_profile_get_name (profile), -1, BECKON_TEXT_EXACT);
      g_autofree char *name = beckon_text_shorten (safe, MOST_NAME_CHARS);
      g_autofree char *title = beckon_text_fill_in (_("Use the model of %s"), name);

      if (suggestion_fits ("/model", title, typed))
        g_ptr_array_add (found, suggestion_new ("/model", title, "win.profile",
                                                g_variant_new_string (beckon_profile_get_id (profile))));
    }
  if (suggestion_fits ("/plan", _("Have a plan made first"), typed))
    {
      BeckonSuggestion *plan = suggestion_new ("/plan", _("Have a plan made first"), NULL, NULL);

      plan->text = g_strdup (_("Make a plan first, and wait until I accept it: "));
      g_ptr_array_add (found, plan);
    }
  return found;
}

/* --- Commands in files -------------------------------------------------------------------------------------------- */

void
beckon_suggestion_add_own (GPtrArray *found, const BeckonFolderExtras *own, const char *typed)
{
  for (guint i = 0; i < beckon_folder_extras_get_n (own); i++)
    {
      const BeckonFolderExtra *extra = beckon_folder_extras_get (own, i);
      const char *description = extra->description != NULL ? extra->description : _("Your command");
      g_autofree char *word = g_strconcat ("/", extra->name, NULL);
      g_autofree char *shown = beckon_text_for_display (description, -1, BECKON_TEXT_EXACT);
      g_autofree char *line = beckon_text_shorten (g_strdelimit (shown, "\n\t", ' '), MOST_TITLE_CHARS);

      if (suggestion_fits (word, line, typed))
        {
          BeckonSuggestion *suggestion = suggestion_new (word, line, NULL, NULL);

          suggestion->text = g_strconcat (word, " ", NULL);
          g_ptr_array_add (found, suggestion);
        }
    }
}

/* --- Servers ------------------------------------------------------------------------------------------------------- */

static gboolean
is_for (const BeckonMcpServer *server, const char *folder)
{
  return beckon_mcp_server_is_used (server) && beckon_mcp_server_is_for_folder (server, folder);
}

/* The server's name need not be typed. */
static gboolean
is_within (const char *name, const char *typed)
{
  g_autofree char *folded = g_utf8_casefold (typed, -1);
  g_autofree char *folded_name = g_utf8_casefold (name, -1);

  return *folded != '\0' && strstr (folded_name, folded) != NULL;
}

static void
add_prompts_of (GPtrArray *found, BeckonMcpService *service, const char *typed)
{
  BeckonMcpServer *server = beckon_mcp_service_get_server (service);
  GPtrArray *prompts = beckon_mcp_service_get_prompts (service);
  g_autofree char *prefix = beckon_mcp_server_dup_prefix (server);

  for (guint i = 0; i < prompts->len && found->len < MOST_OF_SERVERS; i++)
    {
      const BeckonMcpPrompt *prompt = g_ptr_array_index (prompts, i);
      const char *words = prompt->title != NULL ? prompt->title : prompt->description;
      const char *title = words != NULL ? words : prompt->name;
      g_autofree char *word = g_strdup_printf ("/%s:%s", prefix, prompt->name);

      if (suggestion_fits (word, title, typed) || is_within (prompt->name, typed))
        g_ptr_array_add (found, suggestion_new (word, title, "composer.prompt",
                                                g_variant_new ("(ss)", server->id, prompt->name)));
    }
}

void
beckon_suggestion_add_prompts (GPtrArray *found, GListModel *servers, const char *folder, const char *typed)
{
  GPtrArray *some = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_suggestion_free);

  for (guint i = 0; i < g_list_model_get_n_items (servers); i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (servers, i);

      if (is_for (beckon_mcp_service_get_server (service), folder))
        add_prompts_of (some, service, typed);
    }
  g_ptr_array_extend_and_steal (found, some);
}

static void
add_resource (GPtrArray *found, const char *action, const BeckonMcpServer *server, const char *uri, const char *title)
{
  g_autofree char *prefix = beckon_mcp_server_dup_prefix (server);
  g_autofree char *word = g_strdup_printf ("%s:%s", prefix, uri);

  g_ptr_array_add (found, suggestion_new (word, title, action, g_variant_new ("(ss)", server->id, uri)));
}

/* An address that is typed whole is in no list where it is one of a template. */
static void
add_typed (GPtrArray *found, BeckonMcpService *service, const char *prefix, const char *typed)
{
  const BeckonMcpServer *server = beckon_mcp_service_get_server (service);
  gsize length = strlen (prefix);
  g_autofree char *name = beckon_text_for_display (server->name, -1, BECKON_TEXT_EXACT);
  /* Translators: %s is a server: what is typed is the address of something that it has */
  g_autofree char *title = beckon_text_fill_in (_("Attach it from %s"), name);

  if (g_ascii_strncasecmp (typed, prefix, length) == 0 && typed[length] == ':'
      && beckon_mcp_resource_is_uri (typed + length + 1)
      && beckon_mcp_resources_find (beckon_mcp_service_get_resources (service), typed + length + 1) == NULL)
    add_resource (found, "composer.resource", server, typed + length + 1, title);
}

static void
add_resources_of (GPtrArray *found, BeckonMcpService *service, const char *typed)
{
  BeckonMcpServer *server = beckon_mcp_service_get_server (service);
  GPtrArray *resources = beckon_mcp_service_get_resources (service);
  g_autofree char *prefix = beckon_mcp_server_dup_prefix (server);
  g_autofree char *folded = g_utf8_casefold (typed, -1);

  for (guint i = 0; i < resources->len && found->len < MOST_OF_SERVERS; i++)
    {
      const BeckonMcpResource *resource = g_ptr_array_index (resources, i);
      g_autofree char *whole = g_strdup_printf ("%s:%s %s", prefix, resource->uri, resource->title);
      g_autofree char *folded_whole = g_utf8_casefold (whole, -1);

      if (strstr (folded_whole, folded) != NULL)
        add_resource (found, resource->is_template ? "composer.template" : "composer.resource", server, resource->uri,
                      resource->title);
    }
  if (resources->len > 0)
    add_typed (found, service, prefix, typed);
}

void
beckon_suggestion_add_resources (GPtrArray *found, GListModel *servers, const char *folder, const char *typed)
{
  GPtrArray *some = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_suggestion_free);

  for (guint i = 0; i < g_list_model_get_n_items (servers); i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (servers, i);

      if (is_for (beckon_mcp_service_get_server (service), folder))
        add_resources_of (some, service, typed);
    }
  g_ptr_array_extend_and_steal (found, some);
}

/* --- Files --------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  int rank; /* the less, the better */
} Hit;

static int
compare_hits (gconstpointer a, gconstpointer b)
{
  const Hit *first = a, *second = b;

  return first->rank != second->rank ? first->rank - second->rank : strcmp (first->name, second->name);
}

/* The name itself counts more than the folders above it. -1: it does not fit. */
static int
rank (const char *path, const char *folded)
{
  g_autofree char *whole = g_utf8_casefold (path, -1);
  const char *slash = strrchr (whole, '/');
  const char *base = slash != NULL ? slash + 1 : whole;
  int depth = 0;

  for (const char *at = whole; *at != '\0'; at++)
    depth += *at == '/';
  if (g_str_has_prefix (base, folded))
    return depth;
  if (strstr (base, folded) != NULL)
    return 1000 + depth;
  return strstr (whole, folded) != NULL ? 2000 + depth : -1;
}

GPtrArray *
beckon_suggestion_list_files (GPtrArray *names, const char *typed)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_suggestion_free);
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  g_autofree char *folded = NULL;

  folded = g_utf8_casefold (typed, -1);
  for (guint i = 0; i < names->len; i++)
    {
      Hit hit = { g_ptr_array_index (names, i), rank (g_ptr_array_index (names, i), folded) };

      if (hit.rank >= 0)
        g_array_append_val (hits, hit);
    }
  g_array_sort (hits, compare_hits);
  for (guint i = 0; i < MIN (hits->len, MOST_FILES); i++)
    {
      BeckonSuggestion *suggestion = suggestion_new (g_array_index (hits, Hit, i).name, NULL, NULL, NULL);

      /* A blank would end it. */
      suggestion->text = strpbrk (suggestion->word, " \t\"") != NULL ? g_strdup_printf ("`%s` ", suggestion->word)
                                                                     : g_strconcat (suggestion->word, " ", NULL);
      g_ptr_array_add (found, suggestion);
    }
  return found;
}

struct _BeckonSuggestionRow
{
  GtkListBoxRow parent_instance;

  GtkImage *icon;
  GtkLabel *word_label;
  GtkLabel *title_label;
};

G_DEFINE_FINAL_TYPE (BeckonSuggestionRow, beckon_suggestion_row, GTK_TYPE_LIST_BOX_ROW)

static void
beckon_suggestion_row_class_init (BeckonSuggestionRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/suggestion-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonSuggestionRow, icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonSuggestionRow, word_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonSuggestionRow, title_label);
}

static void
beckon_suggestion_row_init (BeckonSuggestionRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_suggestion_row_new (const BeckonSuggestion *suggestion)
{
  BeckonSuggestionRow *self = g_object_new (BECKON_TYPE_SUGGESTION_ROW, NULL);
  g_autofree char *name = NULL;

  name = suggestion->title != NULL ? g_strdup_printf ("%s %s", suggestion->word, suggestion->title)
                                   : g_strdup (suggestion->word);
  gtk_label_set_text (self->word_label, suggestion->word);
  gtk_label_set_text (self->title_label, suggestion->title != NULL ? suggestion->title : "");
  gtk_widget_set_visible (GTK_WIDGET (self->title_label), suggestion->title != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->icon), suggestion->title == NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return GTK_WIDGET (self);
}
