/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-server-reach.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

BeckonServerReach *
beckon_server_reach_new (const char *name, const char *directory)
{
  BeckonServerReach *reach;

  g_return_val_if_fail (name != NULL, NULL);

  reach = g_new0 (BeckonServerReach, 1);
  reach->name = g_strdup (name);
  reach->directory = g_strdup (directory);
  return reach;
}

BeckonServerReach *
beckon_server_reach_copy (const BeckonServerReach *reach)
{
  BeckonServerReach *copy;

  g_return_val_if_fail (reach != NULL, NULL);

  copy = beckon_server_reach_new (reach->name, reach->directory);
  copy->has_network = reach->has_network;
  copy->can_write = reach->can_write;
  copy->loses_permissions = reach->loses_permissions;
  return copy;
}

gboolean
beckon_server_reach_equal (const BeckonServerReach *one, const BeckonServerReach *other)
{
  g_return_val_if_fail (one != NULL && other != NULL, FALSE);

  return g_str_equal (one->name, other->name) && g_strcmp0 (one->directory, other->directory) == 0
         && one->has_network == other->has_network && one->can_write == other->can_write
         && one->loses_permissions == other->loses_permissions;
}

void
beckon_server_reach_free (BeckonServerReach *reach)
{
  if (reach == NULL)
    return;
  g_free (reach->name);
  g_free (reach->directory);
  g_free (reach);
}

static char *
describe_sandbox (const BeckonServerReach *reach)
{
  g_autofree char *folder = beckon_text_for_display (reach->directory, -1, BECKON_TEXT_EXACT);

  if (reach->can_write && reach->has_network)
    /* Translators: of a program that a folder brings; %s is a folder */
    return beckon_text_printf (_("Runs in a sandbox: can read and change %s directly, except Git's folders, "
                                 "and can use the internet. It can change files that other programs run "
                                 "by themselves, such as .envrc."),
                               folder);
  if (reach->can_write)
    /* Translators: of a program that a folder brings; %s is a folder */
    return beckon_text_printf (_("Runs in a sandbox: can read and change %s directly, except Git's folders, "
                                 "and has no network. It can change files that other programs run "
                                 "by themselves, such as .envrc."),
                               folder);
  if (reach->has_network)
    /* Translators: of a program that a folder brings; %s is a folder */
    return beckon_text_printf (_("Runs in a sandbox: can read %s but change nothing, and can use the internet."), folder);
  /* Translators: of a program that a folder brings; %s is a folder */
  return beckon_text_printf (_("Runs in a sandbox: can read %s but change nothing, and has no network."), folder);
}

char *
beckon_server_reach_describe (const BeckonServerReach *reach)
{
  g_autofree char *words = NULL;

  g_return_val_if_fail (reach != NULL, NULL);

  words = reach->directory != NULL
            ? describe_sandbox (reach)
            : g_strdup (_("At an address: sees what its tools are called with, and none of your files."));
  if (!reach->loses_permissions)
    return g_steal_pointer (&words);
  return beckon_text_join_sentences (words, _("You allowed it more before. That ends, because something else is started or "
                                              "reached now."));
}
