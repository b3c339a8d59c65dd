/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-place-options.h"

#include "sandbox/beckon-working-folder.h"

#include <glib/gi18n-lib.h>

void
beckon_place_options_add_to (BeckonPlaceOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "folder", 0, 0, G_OPTION_ARG_FILENAME, &options->folder, N_("Work in this folder"), N_("FOLDER") },
    { "mode", 0, 0, G_OPTION_ARG_STRING, &options->mode_word,
      N_("Ask before: everything, changes or outside"), N_("MODE") },
    { "effort", 0, 0, G_OPTION_ARG_STRING, &options->effort_word,
      N_("Set reasoning: off, low, medium, high, max, default"), N_("EFFORT") },
    { "no-instructions", 0, 0, G_OPTION_ARG_NONE, &options->is_without_instructions,
      N_("Ignore instructions, skills and commands of the folder"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

gboolean
beckon_place_options_check (BeckonPlaceOptions *options, GError **error)
{
  g_autofree char *given = NULL;

  if (options->mode_word != NULL && !beckon_mode_from_string (options->mode_word, &options->mode))
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                           _("Choose the mode “everything”, “changes” or “outside”."));
      return FALSE;
    }
  if (options->effort_word != NULL && !beckon_effort_from_string (options->effort_word, &options->effort))
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                           _("Choose the effort “off”, “low”, “medium”, “high”, “max” or “default”."));
      return FALSE;
    }
  if (options->folder == NULL)
    return TRUE;

  given = g_steal_pointer (&options->folder);
  options->folder = beckon_working_folder_resolve (given, error);
  return options->folder != NULL;
}

void
beckon_place_options_clear (BeckonPlaceOptions *options)
{
  g_clear_pointer (&options->folder, g_free);
  g_clear_pointer (&options->mode_word, g_free);
  g_clear_pointer (&options->effort_word, g_free);
}
