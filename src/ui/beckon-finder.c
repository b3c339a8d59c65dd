/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-finder.h"

#include "beckon-message-row.h"

struct _BeckonFinder
{
  GObject parent_instance;

  BeckonTranscript *transcript; /* borrowed */
  BeckonMatcher *matcher;       /* (owned) (nullable): what is marked */
  BeckonMessage *only;          /* (owned) (nullable): the one message it is marked in */
};

G_DEFINE_FINAL_TYPE (BeckonFinder, beckon_finder, G_TYPE_OBJECT)

static GArray *
mark_row (BeckonFinder *self, GtkWidget *row, int current)
{
  gboolean wanted = self->only == NULL || beckon_message_row_get_message (BECKON_MESSAGE_ROW (row)) == self->only;

  return beckon_match_mark (row, wanted ? self->matcher : NULL, current);
}

static void
mark_rows (BeckonFinder *self)
{
  GtkWidget *row = gtk_widget_get_first_child (beckon_transcript_get_rows (self->transcript));

  for (; row != NULL; row = gtk_widget_get_next_sibling (row))
    g_array_unref (mark_row (self, row, -1));
}

static void
on_row_added (BeckonFinder *self, GtkWidget *row)
{
  if (self->matcher != NULL)
    g_array_unref (mark_row (self, row, -1));
}

void
beckon_finder_clear (BeckonFinder *self)
{
  g_return_if_fail (BECKON_IS_FINDER (self));

  if (self->matcher == NULL)
    return;
  g_clear_pointer (&self->matcher, beckon_matcher_unref);
  g_clear_object (&self->only);
  mark_rows (self);
}

void
beckon_finder_show_hit (BeckonFinder *self, BeckonMessage *message, const char *words)
{
  g_autoptr (GArray) marks = NULL;
  GtkWidget *row;

  g_return_if_fail (BECKON_IS_FINDER (self));

  beckon_finder_clear (self);
  row = beckon_transcript_show_message (self->transcript, message);
  if (row == NULL)
    return;
  gtk_widget_grab_focus (row);
  self->matcher = words != NULL ? beckon_matcher_new_words (words) : NULL;
  if (self->matcher == NULL)
    return;
  self->only = g_object_ref (message);
  marks = mark_row (self, row, -1);
  if (marks->len > 0)
    beckon_transcript_show_mark (self->transcript, &g_array_index (marks, BeckonMark, 0));
}

static void
beckon_finder_dispose (GObject *object)
{
  BeckonFinder *self = BECKON_FINDER (object);

  g_clear_pointer (&self->matcher, beckon_matcher_unref);
  g_clear_object (&self->only);
  G_OBJECT_CLASS (beckon_finder_parent_class)->dispose (object);
}

static void
beckon_finder_class_init (BeckonFinderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_finder_dispose;
}

static void
beckon_finder_init (BeckonFinder *self)
{
}

BeckonFinder *
beckon_finder_new (BeckonTranscript *transcript)
{
  BeckonFinder *self;

  g_return_val_if_fail (BECKON_IS_TRANSCRIPT (transcript), NULL);

  self = g_object_new (BECKON_TYPE_FINDER, NULL);
  self->transcript = transcript;
  g_signal_connect_object (transcript, "row-added", G_CALLBACK (on_row_added), self, G_CONNECT_SWAPPED);
  return self;
}
