/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-application-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The command line's options. */

#define ASK "--ask"

void
beckon_application_add_options (BeckonApplication *self)
{
  static const GOptionEntry entries[] = {
    { "ask", 'a', 0, G_OPTION_ARG_NONE, NULL,
      N_("Open a small window for a question, with the words that follow in it; nothing is sent yet"), NULL },
    { "new-window", 'w', 0, G_OPTION_ARG_NONE, NULL, N_("Open another window"), NULL },
    { "version", 'v', 0, G_OPTION_ARG_NONE, NULL, N_("Print the version and end"), NULL },
    { NULL },
  };
  GApplication *application = G_APPLICATION (self);

  g_application_add_main_option_entries (application, entries);
  /* Translators: what a command line can end with; LINK and FILE may be translated */
  g_application_set_option_context_parameter_string (application, _("[LINK… | FILE…]"));
  g_application_set_option_context_summary (application,
                                            _("An agent that works on its own, and stops to ask when a decision is yours."));
  g_application_set_option_context_description (
      application,
      _("A LINK leads to a place in the window: beckon://conversation/ID, beckon://new?text=TEXT or\n"
        "beckon://search?text=WORDS. A FILE is attached to a new conversation; one that “beckonctl export” wrote is\n"
        "imported after a question. Nothing is sent by either.\n\nThe terminal’s side of it is beckonctl (1)."));
}

/* The words need no quotation marks, so they are taken before they could be files. */
gboolean
beckon_application_take_options (BeckonApplication *self, char ***arguments)
{
  char **words = *arguments;
  guint n = g_strv_length (words);

  if (n < 2 || (strcmp (words[1], ASK) != 0 && strcmp (words[1], "-a") != 0))
    return FALSE;
  g_free (self->asked);
  self->asked = g_strjoinv (" ", words + 2);
  for (guint i = 2; i < n; i++)
    g_clear_pointer (&words[i], g_free);
  return TRUE;
}

int
beckon_application_handle_options (BeckonApplication *self, GVariantDict *options)
{
  GApplication *application = G_APPLICATION (self);
  gboolean ask;

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("beckon %s\n", BECKON_VERSION);
      return 0;
    }
  ask = g_variant_dict_contains (options, "ask");
  if (!ask)
    g_clear_pointer (&self->asked, g_free);
  else if (self->asked == NULL)
    self->asked = g_strdup ("");
  if ((!ask && !g_variant_dict_contains (options, "new-window")) || !g_application_register (application, NULL, NULL)
      || !g_application_get_is_remote (application))
    return -1;
  /* The running process does it. */
  if (ask)
    g_action_group_activate_action (G_ACTION_GROUP (application), "ask-about", g_variant_new_string (self->asked));
  else
    g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  g_dbus_connection_flush_sync (g_application_get_dbus_connection (application), NULL, NULL);
  return 0;
}
