/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-risks.h"

#include "base/beckon-path.h"
#include "base/beckon-text.h"
#include "beckon-call-labels.h"

#include <glib/gi18n-lib.h>

/* How many files or hosts are listed one by one. */
#define MOST_LISTED 12

static void
add_risk (GString *line, const char *words)
{
  g_string_append_printf (line, "%s%s", line->len > 0 ? " \302\267 " : "", words);
}

static void
add_list (GString *line, const char *words, char **list)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = list != NULL ? g_strv_length (list) : 0;
  g_autofree char *sentence = NULL;

  if (n == 0)
    return;
  for (guint i = 0; i < MIN (n, MOST_LISTED); i++)
    {
      g_autofree char *name = beckon_call_labels_shorten_path (list[i]);
      g_autofree char *isolated = beckon_text_isolate (name, words);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", isolated);
    }
  if (n > MOST_LISTED)
    /* Translators: behind a list of names: how many more there are */
    g_string_append_printf (names, g_dngettext (GETTEXT_PACKAGE, " and %u more", " and %u more", n - MOST_LISTED),
                            n - MOST_LISTED);
  sentence = beckon_text_fill_in (words, names->str);
  add_risk (line, sentence);
}

/* The sentence of a tool that comes with the program says this already. */
static gboolean
is_named (const char *tool, const BeckonApprovalDetails *details)
{
  return details->server == NULL && details->command == NULL && beckon_call_labels_is_known (tool) && !details->leaves_folder;
}

char *
beckon_call_risks_describe (const char *tool, const BeckonApprovalDetails *details)
{
  g_autoptr (GString) line = g_string_new (NULL);
  g_auto (GStrv) touched = NULL;

  g_return_val_if_fail (tool != NULL, NULL);

  if (details != NULL && !is_named (tool, details))
    {
      g_autoptr (GStrvBuilder) paths = NULL;

      /* The call leaves for the server that is named, and says nothing about where it goes from there. */
      if (details->uses_network && details->hosts == NULL && details->server == NULL)
        add_risk (line, _("Uses the network"));
      /* Translators: %s are computers in the network that a tool would speak to */
      add_list (line, _("Connects to %s"), details->hosts);
      if (details->local_network)
        add_risk (line, _("Reaches this computer’s services and your local network"));
      /* Without hosts it shares the computer's network. */
      if (details->local_network && details->uses_network && details->hosts == NULL)
        add_risk (line, _("Other computers can reach what it serves"));
      if (details->leaves_folder)
        add_risk (line, _("Reaches outside the folder"));
      paths = g_strv_builder_new ();
      /* A command says itself what it touches in its folder. */
      for (guint i = 0; details->paths != NULL && details->paths[i] != NULL; i++)
        if (details->command == NULL || details->folder == NULL || !beckon_path_is_within (details->paths[i], details->folder))
          g_strv_builder_add (paths, details->paths[i]);

      touched = g_strv_builder_end (paths);
      /* Translators: %s are files that a tool would work on */
      add_list (line, _("Touches %s"), touched);
    }
  return g_string_free (g_steal_pointer (&line), FALSE);
}

char *
beckon_call_risks_describe_all (GPtrArray *requests)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (requests != NULL, NULL);

  for (guint i = 0; i < requests->len; i++)
    {
      BeckonRequest *request = g_ptr_array_index (requests, i);

      g_ptr_array_add (all, beckon_call_risks_describe (beckon_request_get_tool (request),
                                                        beckon_request_get_details (request)));
    }
  for (guint i = 0; i < all->len; i++)
    {
      const char *risks = g_ptr_array_index (all, i);
      g_autoptr (GString) numbers = g_string_new (NULL);
      guint first, n = 0;

      for (guint j = 0; j < all->len; j++)
        if (g_str_equal (g_ptr_array_index (all, j), risks))
          g_string_append_printf (numbers, "%s%u", n++ > 0 ? ", " : "", j + 1);
      if (*risks == '\0' || !g_ptr_array_find_with_equal_func (all, risks, g_str_equal, &first) || first != i)
        continue;
      g_string_append_printf (lines, "%s%s%s%s", lines->len > 0 ? "\n" : "", n < all->len ? numbers->str : "",
                              n < all->len ? ": " : "", risks);
    }
  return g_string_free (g_steal_pointer (&lines), FALSE);
}
