/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-suggestion.h"

#include "base/beckon-text.h"
#include "domain/beckon-profile.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_FILES 30
#define MOST_NAME_CHARS 40

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
fits (const char *word, const char *title, const char *typed)
{
  g_autofree char *folded = g_utf8_casefold (typed, -1);
  g_autofree char *folded_title = g_utf8_casefold (title, -1);

  return g_str_has_prefix (word + 1, folded) || (*folded != '\0' && strstr (folded_title, folded) != NULL);
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

static void
add_profiles (GPtrArray *found, GListModel *profiles, const char *typed)
{
  for (guint i = 0; profiles != NULL && i < g_list_model_get_n_items (profiles); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, i);
      g_autofree char *safe = beckon_text_for_display (beckon_profile_get_name (profile), -1, BECKON_TEXT_EXACT);
      g_autofree char *name = beckon_text_shorten (safe, MOST_NAME_CHARS);
      g_autofree char *title = beckon_text_fill_in (_("Use the model of %s"), name);

      if (fits ("/model", title, typed))
        g_ptr_array_add (found, suggestion_new ("/model", title, "win.profile",
                                                g_variant_new_string (beckon_profile_get_id (profile))));
    }
}

GPtrArray *
beckon_suggestion_list_commands (BeckonConversation *conversation, GListModel *profiles, const char *typed)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_suggestion_free);
  gboolean has_messages = conversation != NULL && beckon_conversation_get_n_messages (conversation) > 0;

  g_return_val_if_fail (typed != NULL, found);

  for (gsize i = 0; conversation != NULL && i < G_N_ELEMENTS (commands); i++)
    if ((has_messages || !commands[i].needs_messages) && fits (commands[i].word, _(commands[i].title), typed))
      g_ptr_array_add (found, suggestion_new (commands[i].word, _(commands[i].title), commands[i].action,
                                              make_target (&commands[i], conversation)));
  add_profiles (found, profiles, typed);
  if (fits ("/plan", _("Have a plan made first"), typed))
    {
      BeckonSuggestion *plan = suggestion_new ("/plan", _("Have a plan made first"), NULL, NULL);

      plan->text = g_strdup (_("Make a plan first, and wait until I accept it: "));
      g_ptr_array_add (found, plan);
    }
  return found;
}

/* Files */

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

/* A blank would end it. */
static char *
quote (const char *path)
{
  return strpbrk (path, " \t\"") != NULL ? g_strdup_printf ("`%s` ", path) : g_strconcat (path, " ", NULL);
}

GPtrArray *
beckon_suggestion_list_files (GPtrArray *names, const char *typed)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_suggestion_free);
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  g_autofree char *folded = NULL;

  g_return_val_if_fail (names != NULL && typed != NULL, found);

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

      suggestion->text = quote (suggestion->word);
      g_ptr_array_add (found, suggestion);
    }
  return found;
}
