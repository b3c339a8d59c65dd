/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mode-labels.h"

#include <glib/gi18n-lib.h>

const char *
beckon_mode_labels_get_name (BeckonMode mode)
{
  switch (mode)
    {
    case BECKON_MODE_ASK_EVERYTHING:
      return _("Ask for everything");
    case BECKON_MODE_ASK_OUTSIDE:
      return _("Ask outside the folder");
    case BECKON_MODE_ASK_CHANGES:
    default:
      return _("Ask for changes");
    }
}

const char *
beckon_mode_labels_explain (BeckonMode mode)
{
  switch (mode)
    {
    case BECKON_MODE_ASK_EVERYTHING:
      return _("You are asked before every tool runs, and again before what a command changed is saved in the folder.");
    case BECKON_MODE_ASK_OUTSIDE:
      return _("Changes in the folder are saved without asking and can be undone. You are asked about the network, other "
               "folders and files that other programs run.");
    case BECKON_MODE_ASK_CHANGES:
    default:
      return _("Commands in the folder start without asking. What they change is shown to you before it is saved there.");
    }
}

const char *
beckon_mode_labels_get_summary (BeckonMode mode)
{
  switch (mode)
    {
    case BECKON_MODE_ASK_EVERYTHING:
      return _("Before each tool, and before changes are saved");
    case BECKON_MODE_ASK_OUTSIDE:
      return _("Changes in the folder are saved, and can be undone");
    case BECKON_MODE_ASK_CHANGES:
    default:
      return _("Commands run, their changes wait for you");
    }
}
