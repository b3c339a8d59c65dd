/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-away-line.h"
#include "beckon-message-row.h"
#include "beckon-state-line.h"
#include "beckon-transcript.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * BeckonTranscriptAnchor:
 * @row: (nullable): a weak pointer: the row that is read
 * @top: where it begins in what is seen
 * @height: how high it is
 * @width: of the transcript, at the last layout
 * @font_size: at the last layout
 *
 * Keeps what is read where it is when all rows become higher or lower at once. All zero at the start.
 */
typedef struct
{
  GtkWidget *row;
  double top;
  double height;
  int width;
  int font_size;
} BeckonTranscriptAnchor;

/** Sets the menu's target: (nullable) a widget in one of the rows. */
void beckon_transcript_point_at (BeckonTranscript *self, GtkWidget *widget);

/** How many messages come to have rows at a time, at most. */
#define BECKON_TRANSCRIPT_STEP 40

typedef enum
{
  BECKON_TRANSCRIPT_KEEP_NOTHING,
  BECKON_TRANSCRIPT_KEEP_FROM_START, /* `place` is the value to have */
  BECKON_TRANSCRIPT_KEEP_FROM_END,   /* `place` is the distance to the upper bound */
  BECKON_TRANSCRIPT_KEEP_MARK,       /* `mark` is */
  BECKON_TRANSCRIPT_KEEP_TOP,        /* `mark.widget` begins at the top */
  BECKON_TRANSCRIPT_KEEP_UNFOLDED,   /* the end is shown, as far as `mark.widget` stays on the screen */
} BeckonTranscriptKeep;

struct _BeckonTranscript
{
  AdwBin parent_instance;

  BeckonInbox *inbox;               /* (owned) (nullable) */
  BeckonConversation *conversation; /* (owned) (nullable) */
  guint first;
  guint last;
  gboolean earlier_wanted; /* it was said that messages before the first one in the list are wanted */

  gboolean following;
  gboolean at_end;
  guint n_new;          /* messages that came while something else was read */
  gboolean shows_usage;
  GtkWidget *pointed;   /* (nullable): a weak pointer: what the menu was opened on */
  GtkWidget *last_row;  /* (nullable): a weak pointer: the one that Tab left last */
  gboolean selecting;
  GHashTable *selected; /* (owned) (element-type utf8): ids of messages */
  BeckonTranscriptKeep keep; /* what to do after the next layout */
  double place;
  BeckonTranscriptAnchor anchor;
  BeckonMark mark; /* its widget is a weak pointer */
  GtkWidget *unfolded;   /* (nullable): a weak pointer: what was opened last */
  gint64 unfolded_until; /* frame time: what it opens may get its height later */
  GdkFrameClock *clock; /* (owned) (nullable): while realized */
  gulong layout_id;
  guint tick_id; /* looks at what is on screen, once a frame at most */
  guint looks;   /* how often it still has to look */

  GtkScrolledWindow *scroller;
  GtkWidget *rows;
  GtkWidget *below;
  BeckonAwayLine *away_line;
  BeckonStateLine *state_line;
};

GtkAdjustment *beckon_transcript_get_adjustment (BeckonTranscript *self);

G_END_DECLS
