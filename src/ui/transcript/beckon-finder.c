/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-finder.h"

#include "base/beckon-priority.h"
#include "beckon-message-row.h"
#include "ui/blocks/beckon-match-mark.h"

/* So long it counts at a time, in microseconds: a quarter of a frame. */
#define SLICE_US 4000

/* A message with matches. */
typedef struct
{
  BeckonMessage *message; /* borrowed: it is told from others, nothing more */
  guint first;            /* how many matches come before it */
  guint n;
} FinderHit;

struct _BeckonFinder
{
  GObject parent_instance;

  BeckonTranscript *transcript;     /* borrowed */
  BeckonConversation *conversation; /* (owned) (nullable) */
  BeckonMatcher *matcher;           /* (owned) (nullable): what is marked */
  BeckonMessage *only;              /* (owned) (nullable): the one message it is marked in, which is not counted */

  GArray *hits; /* (owned) (element-type FinderHit): in the order of the conversation */
  guint total;
  int current;     /* -1: none yet */
  guint at;        /* the next message to be counted */
  guint from;      /* the first message whose matches are near */
  guint source_id; /* counts on */
};

G_DEFINE_FINAL_TYPE (BeckonFinder, beckon_finder, G_TYPE_OBJECT)

typedef enum
{
  SIGNAL_UPDATED,
} BeckonFinderSignal;

static guint signals[SIGNAL_UPDATED + 1];

static FinderHit *
get_current_hit (BeckonFinder *self)
{
  for (guint i = 0; i < self->hits->len && self->current >= 0; i++)
    {
      FinderHit *hit = &g_array_index (self->hits, FinderHit, i);

      if ((guint) self->current < hit->first + hit->n)
        return hit;
    }
  return NULL;
}

/* Marking */

static GArray *
mark_row (BeckonFinder *self, GtkWidget *row)
{
  BeckonMessage *message = beckon_message_row_get_message (BECKON_MESSAGE_ROW (row));
  FinderHit *hit = self->only == NULL ? get_current_hit (self) : NULL;
  gboolean wanted = self->only == NULL || message == self->only;
  int current = hit != NULL && hit->message == message ? self->current - (int) hit->first : -1;

  return beckon_match_mark (row, wanted ? self->matcher : NULL, current);
}

static void
mark_rows (BeckonFinder *self)
{
  GtkWidget *row = gtk_widget_get_first_child (beckon_transcript_get_rows (self->transcript));

  for (; row != NULL; row = gtk_widget_get_next_sibling (row))
    g_array_unref (mark_row (self, row));
}

static void
on_row_added (BeckonFinder *self, GtkWidget *row)
{
  if (self->matcher != NULL)
    g_array_unref (mark_row (self, row));
}

static void
show_current (BeckonFinder *self)
{
  FinderHit *hit = get_current_hit (self);
  GtkWidget *row = hit != NULL ? beckon_transcript_show_message (self->transcript, hit->message) : NULL;
  g_autoptr (GArray) marks = NULL;
  guint index;

  mark_rows (self);
  if (row == NULL)
    return;
  marks = mark_row (self, row);
  index = (guint) self->current - hit->first;
  if (index < marks->len)
    beckon_transcript_show_mark (self->transcript, &g_array_index (marks, BeckonMark, index));
}

/* Counting */

static void
add_matches (const char *text, gpointer user_data)
{
  BeckonFinder *self = user_data;
  g_autoptr (GArray) matches = beckon_matcher_find (self->matcher, text);

  g_array_index (self->hits, FinderHit, self->hits->len - 1).n += matches->len;
}

/* The nearest is the first one from the top of the screen on, or else the last one before it. */
static void
choose_current (BeckonFinder *self, gboolean is_all)
{
  if (self->current >= 0 || self->total == 0)
    return;
  for (guint i = 0; i < self->hits->len; i++)
    {
      const FinderHit *hit = &g_array_index (self->hits, FinderHit, i);

      if ((guint) beckon_message_get_seq (hit->message) >= self->from)
        {
          self->current = (int) hit->first;
          show_current (self);
          return;
        }
    }
  if (!is_all)
    return;
  self->current = (int) self->total - 1;
  show_current (self);
}

static gboolean
count_on (gpointer user_data)
{
  BeckonFinder *self = user_data;
  guint n = beckon_conversation_get_n_messages (self->conversation);
  gint64 end = g_get_monotonic_time () + SLICE_US;

  while (self->at < n && g_get_monotonic_time () < end)
    {
      BeckonMessage *message = beckon_conversation_get_message (self->conversation, self->at++);
      FinderHit hit = { message, self->total, 0 };

      g_array_append_val (self->hits, hit);
      beckon_shown_text_foreach (message, add_matches, self);
      hit = g_array_index (self->hits, FinderHit, self->hits->len - 1);
      if (hit.n == 0)
        g_array_set_size (self->hits, self->hits->len - 1);
      self->total += hit.n;
    }
  if (self->at >= n)
    self->source_id = 0;
  choose_current (self, self->source_id == 0);
  g_signal_emit (self, signals[SIGNAL_UPDATED], 0);
  return self->source_id != 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
restart (BeckonFinder *self)
{
  g_clear_handle_id (&self->source_id, g_source_remove);
  g_array_set_size (self->hits, 0);
  self->total = 0;
  self->at = 0;
  if (self->matcher != NULL && self->only == NULL && self->conversation != NULL)
    self->source_id = g_idle_add_full (BECKON_PRIORITY_SHARED, count_on, self, NULL);
}

/* Changes affect the counts, not the place. */
static void
finder_on_changed (BeckonFinder *self)
{
  if (self->matcher != NULL && self->only == NULL)
    restart (self);
}

/* The public side */

void
beckon_finder_clear (BeckonFinder *self)
{
  if (self->matcher == NULL)
    return;
  g_clear_pointer (&self->matcher, beckon_matcher_unref);
  g_clear_object (&self->only);
  self->current = -1;
  restart (self);
  mark_rows (self);
  g_signal_emit (self, signals[SIGNAL_UPDATED], 0);
}

void
beckon_finder_set_conversation (BeckonFinder *self, BeckonConversation *conversation)
{
  beckon_finder_clear (self);
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_set_object (&self->conversation, conversation);
  if (conversation == NULL)
    return;
  g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (finder_on_changed), self);
  g_signal_connect_swapped (conversation, "notify::phase", G_CALLBACK (finder_on_changed), self);
}

void
beckon_finder_find (BeckonFinder *self, const char *text)
{
  BeckonMessage *top;

  g_clear_pointer (&self->matcher, beckon_matcher_unref);
  g_clear_object (&self->only);
  self->matcher = beckon_matcher_new (text);
  self->current = -1;
  top = beckon_transcript_get_top_message (self->transcript);
  self->from = top != NULL ? (guint) MAX (beckon_message_get_seq (top), 0) : 0;
  restart (self);
  mark_rows (self);
  g_signal_emit (self, signals[SIGNAL_UPDATED], 0);
}

void
beckon_finder_step (BeckonFinder *self, int step)
{
  if (self->total == 0 || self->only != NULL)
    return;
  self->current = (self->current + step + (int) self->total) % (int) self->total;
  show_current (self);
  g_signal_emit (self, signals[SIGNAL_UPDATED], 0);
}

gboolean
beckon_finder_get_counts (BeckonFinder *self, guint *current, guint *total)
{
  *current = (guint) (self->current + 1);
  *total = self->total;
  return self->source_id == 0;
}

void
beckon_finder_show_hit (BeckonFinder *self, BeckonMessage *message, const char *words)
{
  g_autoptr (GArray) marks = NULL;
  GtkWidget *row;

  beckon_finder_clear (self);
  row = beckon_transcript_show_message (self->transcript, message);
  if (row == NULL)
    return;
  gtk_widget_grab_focus (row);
  self->matcher = words != NULL ? beckon_matcher_new_words (words) : NULL;
  if (self->matcher == NULL)
    return;
  self->only = g_object_ref (message);
  marks = mark_row (self, row);
  /* The match may be without widgets yet. */
  if (marks->len == 0)
    {
      g_array_unref (marks);
      marks = beckon_match_mark (row, self->matcher, 0);
    }
  if (marks->len > 0)
    beckon_transcript_show_mark (self->transcript, &g_array_index (marks, BeckonMark, 0));
}

static void
beckon_finder_dispose (GObject *object)
{
  BeckonFinder *self = BECKON_FINDER (object);

  g_clear_handle_id (&self->source_id, g_source_remove);
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_clear_object (&self->conversation);
  g_clear_pointer (&self->matcher, beckon_matcher_unref);
  g_clear_object (&self->only);
  G_OBJECT_CLASS (beckon_finder_parent_class)->dispose (object);
}

static void
beckon_finder_finalize (GObject *object)
{
  g_array_unref (BECKON_FINDER (object)->hits);
  G_OBJECT_CLASS (beckon_finder_parent_class)->finalize (object);
}

static void
beckon_finder_class_init (BeckonFinderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_finder_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_finder_finalize;
  signals[SIGNAL_UPDATED] =
      g_signal_new ("updated", BECKON_TYPE_FINDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_finder_init (BeckonFinder *self)
{
  self->hits = g_array_new (FALSE, FALSE, sizeof (FinderHit));
  self->current = -1;
}

BeckonFinder *
beckon_finder_new (BeckonTranscript *transcript)
{
  BeckonFinder *self = g_object_new (BECKON_TYPE_FINDER, NULL);

  self->transcript = transcript;
  g_signal_connect_object (transcript, "row-added", G_CALLBACK (on_row_added), self, G_CONNECT_SWAPPED);
  return self;
}
