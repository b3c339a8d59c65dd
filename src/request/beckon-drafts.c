/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-drafts.h"

struct _BeckonDrafts
{
  BeckonRequestStore *journal;
  BeckonClock *clock;
  GHashTable *waiting; /* (element-type utf8 BeckonRequest): by id; not stored yet */
  guint timeout;
};

BeckonDrafts *
beckon_drafts_new (BeckonRequestStore *journal, BeckonClock *clock)
{
  BeckonDrafts *drafts = g_new0 (BeckonDrafts, 1);

  drafts->journal = g_object_ref (journal);
  drafts->clock = g_object_ref (clock);
  drafts->waiting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  return drafts;
}

void
beckon_drafts_free (BeckonDrafts *drafts)
{
  beckon_drafts_flush (drafts);
  g_hash_table_unref (drafts->waiting);
  g_object_unref (drafts->journal);
  g_object_unref (drafts->clock);
  g_free (drafts);
}

static void
drafts_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  /* The object still has it, and the next stroke tries again. */
  if (!beckon_request_store_save_draft_finish (BECKON_REQUEST_STORE (source), result, &error))
    g_info ("A draft could not be stored: %s", error->message);
}

void
beckon_drafts_flush (BeckonDrafts *drafts)
{
  GHashTableIter iter;
  gpointer id;
  gpointer request;

  beckon_clock_remove (drafts->clock, drafts->timeout);
  drafts->timeout = 0;

  g_hash_table_iter_init (&iter, drafts->waiting);
  while (g_hash_table_iter_next (&iter, &id, &request))
    {
      beckon_request_store_save_draft_async (drafts->journal, id, beckon_request_get_draft (request), NULL, drafts_on_saved,
                                             NULL);
      g_hash_table_iter_remove (&iter);
    }
}

static gboolean
on_due (gpointer user_data)
{
  BeckonDrafts *drafts = user_data;

  drafts->timeout = 0;
  beckon_drafts_flush (drafts);
  return G_SOURCE_REMOVE;
}

void
beckon_drafts_save (BeckonDrafts *drafts, BeckonRequest *request, const char *draft)
{
  if (g_strcmp0 (beckon_request_get_draft (request), draft) == 0)
    return;

  g_hash_table_replace (drafts->waiting, g_strdup (beckon_request_get_id (request)), g_object_ref (request));
  if (drafts->timeout == 0)
    drafts->timeout = beckon_clock_add_timeout (drafts->clock, BECKON_DRAFTS_DELAY_MS, on_due, drafts);

  beckon_request_set_draft (request, draft);
}
