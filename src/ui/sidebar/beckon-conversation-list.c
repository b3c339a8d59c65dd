/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-conversation-list.h"

#include "base/beckon-list-model.h"

#include <gtk/gtk.h>

/* A timeout does not count the time that the computer sleeps, so midnight is looked for again this often. */
#define LONGEST_WAIT_MS (10 * 60 * 1000)

struct _BeckonConversationList
{
  GObject parent_instance;

  GListModel *source; /* (owned) */
  BeckonClock *clock; /* (owned) */
  gboolean archived;
  gboolean is_by_folder;

  GPtrArray *shown; /* (owned) (element-type BeckonConversation) */
  GArray *times;    /* (owned) (element-type gint64): when they were written to, fit for grouping */
  guint n_pinned;
  guint n_archived;
  guint most; /* that are shown */
  gint64 now; /* of the grouping */
  guint midnight_id;
};

BECKON_LIST_MODEL (BeckonConversationList, beckon_conversation_list, BECKON_TYPE_CONVERSATION, shown)

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonConversationList, beckon_conversation_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, beckon_conversation_list_model_init))

typedef enum
{
  SIGNAL_REGROUPED,
  SIGNAL_N_ARCHIVED_CHANGED,
} BeckonConversationListSignal;

static guint signals[SIGNAL_N_ARCHIVED_CHANGED + 1];

/* Those of one folder together, the folder that was worked in last first. Returns (transfer full) what it takes of @others. */
static GPtrArray *
gather_folders (GPtrArray *others)
{
  g_autoptr (GHashTable) by_folder = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  GPtrArray *gathered = g_ptr_array_new ();

  for (guint i = 0; i < others->len; i++)
    {
      const char *folder = beckon_conversation_get_folder (g_ptr_array_index (others, i));
      GPtrArray *place = g_hash_table_lookup (by_folder, folder != NULL ? folder : "");

      if (place == NULL)
        {
          place = g_ptr_array_new ();
          g_ptr_array_add (folders, place);
          g_hash_table_insert (by_folder, (gpointer) (folder != NULL ? folder : ""), place);
        }
      g_ptr_array_add (place, g_ptr_array_index (others, i));
    }
  for (guint i = 0; i < folders->len; i++)
    g_ptr_array_extend (gathered, g_ptr_array_index (folders, i), NULL, NULL);
  g_ptr_array_unref (others);
  return gathered;
}

/* Those that are shown, the pinned ones first, else in the order of the source. Returns how many are pinned. */
static guint
conversation_list_collect (BeckonConversationList *self, GPtrArray *shown, guint *n_archived)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  guint n = g_list_model_get_n_items (self->source);
  guint n_pinned;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (self->source, i);
      gboolean archived = beckon_conversation_get_archived (conversation);
      GPtrArray *place = (!self->archived && beckon_conversation_get_pinned (conversation)) ? shown : others;

      *n_archived += archived;
      if (archived == self->archived)
        g_ptr_array_add (place, g_steal_pointer (&conversation));
    }
  n_pinned = shown->len;
  if (self->is_by_folder)
    others = gather_folders (g_steal_pointer (&others));
  g_ptr_array_extend_and_steal (shown, g_steal_pointer (&others));
  return n_pinned;
}

static void wait_for_midnight (BeckonConversationList *self);

void
beckon_conversation_list_refresh (BeckonConversationList *self)
{
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_archived = 0;
  g_autoptr (GPtrArray) old = NULL;
  guint least;
  guint first = 0, last = 0;

  self->now = beckon_clock_get_real_time (self->clock);
  self->n_pinned = conversation_list_collect (self, shown, &n_archived);

  g_array_set_size (self->times, shown->len);
  for (guint i = 0; i < shown->len; i++)
    g_array_index (self->times, gint64, i) = beckon_conversation_get_updated_at (g_ptr_array_index (shown, i));
  /* Smoothed they descend, which they don't from folder to folder. */
  if (shown->len > self->n_pinned && !self->is_by_folder)
    beckon_group_smooth_times (&g_array_index (self->times, gint64, self->n_pinned), shown->len - self->n_pinned,
                               self->now);

  if (shown->len > self->most)
    g_ptr_array_set_size (shown, (gint) self->most);

  /* Say what changed as one run of rows: a selection finds its item again among those that came. */
  old = self->shown;
  least = MIN (old->len, shown->len);
  self->shown = g_ptr_array_ref (shown);
  while (first < least && g_ptr_array_index (old, first) == g_ptr_array_index (shown, first))
    first++;
  while (last < least - first
         && g_ptr_array_index (old, old->len - 1 - last) == g_ptr_array_index (shown, shown->len - 1 - last))
    last++;
  if (first + last < MAX (old->len, shown->len))
    g_list_model_items_changed (G_LIST_MODEL (self), first, old->len - first - last, shown->len - first - last);
  g_signal_emit (self, signals[SIGNAL_REGROUPED], 0);
  if (n_archived != self->n_archived)
    {
      self->n_archived = n_archived;
      g_signal_emit (self, signals[SIGNAL_N_ARCHIVED_CHANGED], 0);
    }
}

void
beckon_conversation_list_update (BeckonConversationList *self, BeckonConversation *conversation)
{
  guint position;
  BeckonGroup group, now;

  if (self->is_by_folder)
    {
      beckon_conversation_list_refresh (self);
      return;
    }
  position = beckon_conversation_list_find (self, conversation);
  if (position == GTK_INVALID_LIST_POSITION || position < self->n_pinned)
    return;
  group = beckon_conversation_list_get_group (self, position);
  now = beckon_group_for_time (beckon_conversation_get_updated_at (conversation), FALSE, self->now, NULL);
  if (!beckon_group_equal (&group, &now))
    beckon_conversation_list_refresh (self);
}

static gboolean
on_midnight (gpointer user_data)
{
  BeckonConversationList *self = user_data;
  gint64 midnight = beckon_group_next_change (self->now, NULL);

  self->midnight_id = 0;
  if (beckon_clock_get_real_time (self->clock) >= midnight || beckon_clock_get_real_time (self->clock) < self->now)
    beckon_conversation_list_refresh (self);
  wait_for_midnight (self);
  return G_SOURCE_REMOVE;
}

static void
wait_for_midnight (BeckonConversationList *self)
{
  gint64 now = beckon_clock_get_real_time (self->clock);
  gint64 left = (beckon_group_next_change (now, NULL) - now) / 1000 + 1;

  self->midnight_id =
      beckon_clock_add_timeout (self->clock, (guint) CLAMP (left, 1, LONGEST_WAIT_MS), on_midnight, self);
}

gboolean
beckon_conversation_list_get_archived (BeckonConversationList *self)
{
  return self->archived;
}

void
beckon_conversation_list_set_archived (BeckonConversationList *self, gboolean archived)
{
  if (self->archived == archived)
    return;
  self->archived = archived;
  beckon_conversation_list_refresh (self);
}

gboolean
beckon_conversation_list_get_by_folder (BeckonConversationList *self)
{
  return self->is_by_folder;
}

void
beckon_conversation_list_set_by_folder (BeckonConversationList *self, gboolean by_folder)
{
  if (self->is_by_folder == by_folder)
    return;
  self->is_by_folder = by_folder;
  beckon_conversation_list_refresh (self);
}

void
beckon_conversation_list_set_most (BeckonConversationList *self, guint most)
{
  if (self->most == most)
    return;
  self->most = most;
  beckon_conversation_list_refresh (self);
}

guint
beckon_conversation_list_get_n_archived (BeckonConversationList *self)
{
  return self->n_archived;
}

BeckonGroup
beckon_conversation_list_get_group (BeckonConversationList *self, guint position)
{
  return beckon_group_for_time (g_array_index (self->times, gint64, position), position < self->n_pinned, self->now, NULL);
}

gboolean
beckon_conversation_list_begins_group (BeckonConversationList *self, guint position)
{
  BeckonGroup group, before;

  if (position == 0)
    return TRUE;
  if (self->is_by_folder)
    {
      const char *folder = beckon_conversation_get_folder (g_ptr_array_index (self->shown, position));
      const char *folder_before = beckon_conversation_get_folder (g_ptr_array_index (self->shown, position - 1));

      return position == self->n_pinned || (position > self->n_pinned && g_strcmp0 (folder, folder_before) != 0);
    }
  group = beckon_conversation_list_get_group (self, position);
  before = beckon_conversation_list_get_group (self, position - 1);
  return !beckon_group_equal (&group, &before);
}

guint
beckon_conversation_list_find (BeckonConversationList *self, BeckonConversation *conversation)
{
  guint position;

  return conversation != NULL && g_ptr_array_find (self->shown, conversation, &position) ? position
                                                                                         : GTK_INVALID_LIST_POSITION;
}

static void
beckon_conversation_list_dispose (GObject *object)
{
  BeckonConversationList *self = BECKON_CONVERSATION_LIST (object);

  if (self->clock != NULL)
    beckon_clock_remove (self->clock, self->midnight_id);
  self->midnight_id = 0;
  g_clear_object (&self->clock);
  g_clear_object (&self->source);
  G_OBJECT_CLASS (beckon_conversation_list_parent_class)->dispose (object);
}

static void
beckon_conversation_list_finalize (GObject *object)
{
  BeckonConversationList *self = BECKON_CONVERSATION_LIST (object);

  g_ptr_array_unref (self->shown);
  g_array_unref (self->times);
  G_OBJECT_CLASS (beckon_conversation_list_parent_class)->finalize (object);
}

static void
beckon_conversation_list_class_init (BeckonConversationListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_conversation_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_conversation_list_finalize;
  signals[SIGNAL_REGROUPED] = g_signal_new ("regrouped", BECKON_TYPE_CONVERSATION_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                            NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_N_ARCHIVED_CHANGED] = g_signal_new ("n-archived-changed", BECKON_TYPE_CONVERSATION_LIST, G_SIGNAL_RUN_LAST,
                                                     0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_conversation_list_init (BeckonConversationList *self)
{
  self->shown = g_ptr_array_new_with_free_func (g_object_unref);
  self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->most = G_MAXUINT;
}

BeckonConversationList *
beckon_conversation_list_new (GListModel *source, BeckonClock *clock)
{
  BeckonConversationList *self;

  self = g_object_new (BECKON_TYPE_CONVERSATION_LIST, NULL);
  self->source = g_object_ref (source);
  self->clock = g_object_ref (clock);
  g_signal_connect_object (source, "items-changed", G_CALLBACK (beckon_conversation_list_refresh), self, G_CONNECT_SWAPPED);
  beckon_conversation_list_refresh (self);
  wait_for_midnight (self);
  return self;
}
