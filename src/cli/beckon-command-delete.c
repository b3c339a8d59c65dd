/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-delete.h"

#include "beckon-command.h"
#include "beckon-errand.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

static void
on_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonErrand *errand = user_data;
  g_autoptr (GError) error = NULL;

  beckon_store_commit_finish (BECKON_STORE (source), result, &error);
  beckon_errand_finish (errand, error != NULL ? error->message : NULL);
}

/* Somebody else may be working on it right now; what it does must not go on behind a person's back. */
static void
on_found (BeckonErrand *errand, BeckonConversation *header)
{
  BeckonBatch *batch;

  if (beckon_conversation_is_busy (header))
    {
      beckon_errand_finish (errand, _("This conversation is not finished. Stop it first, then delete it."));
      return;
    }

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_delete_conversation (batch, beckon_conversation_get_id (header));
  beckon_store_commit_async (errand->store, batch, NULL, on_deleted, errand);
}

static void
start (BeckonErrand *errand)
{
  beckon_errand_find_async (errand, errand->data, on_found);
}

int
beckon_command_delete (int argc, char **argv)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };

  if (!beckon_errand_parse (_("ID"), _("Removes one conversation for good. The beginning of its id is enough."), entries,
                            &argc, &argv, 1, 1))
    return BECKON_COMMAND_MISUSED;

  return beckon_errand_run ("delete", start, argv[1]);
}
