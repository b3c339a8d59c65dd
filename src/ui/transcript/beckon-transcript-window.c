/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-private.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-message-row.h"
#include "beckon-transcript-actions.h"
#include "beckon-transcript-rows.h"
#include "domain/beckon-conversation.h"
#include "domain/beckon-late-message.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>
#include <time.h>

/* A question is only named, in characters. */
#define MOST 120

static BeckonRequest *
find_in (BeckonMessage *message, const char *request_id)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));
      GObject *request = call != NULL ? beckon_tool_call_get_request (call) : NULL;

      if (request != NULL && g_str_equal (beckon_request_get_id (BECKON_REQUEST (request)), request_id))
        return BECKON_REQUEST (request);
    }
  return NULL;
}

static BeckonRequest *
transcript_window_find (BeckonConversation *conversation, const char *request_id)
{
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonRequest *request = find_in (beckon_conversation_get_message (conversation, i - 1), request_id);

      if (request != NULL)
        return request;
    }
  return NULL;
}

/* (nullable): the words for the person of a message that tells the model an answer it did not wait for; %NULL for every
 * other message, and where the question is not loaded. Not made safe for display. Caller frees. */
static char *
late_text_describe (BeckonConversation *conversation, BeckonMessage *message)
{
  const char *request_id = beckon_late_message_get_request_id (message);
  BeckonRequest *request = request_id != NULL ? transcript_window_find (conversation, request_id) : NULL;
  BeckonQuestion *question = request != NULL ? beckon_request_get_question (request) : NULL;
  g_autofree char *name = NULL;
  g_autofree char *answer = NULL;

  if (question == NULL || beckon_request_get_state (request) == BECKON_REQUEST_PENDING)
    return NULL;
  name = beckon_text_shorten (beckon_question_get_item (question, 0)->question, MOST);
  answer = beckon_request_dup_summary (request);
  /* Translators: a message that tells the agent the answer to what it asked and did not wait for: question and answer */
  return beckon_text_printf (_("Answer to “%s”: %s"), name, answer);
}

/*
 * Rows stand in a box, because a box of at most BECKON_TRANSCRIPT_MOST rows scrolls far more cheaply than a list view that
 * measures rows of varying height as it goes. The window of messages [first, last) is moved when the edge of what has rows
 * comes near the edge of the screen. Rows that come or go above the screen would move what is read, so the place is kept,
 * as the end is where it is followed. The value that does so is known once the rows have their places: it is set behind the
 * frame clock's layout, which then makes one more before anything is drawn.
 */

/* Enough for two screens of short messages: the first picture waits for them. */
#define AT_FIRST 24

/* How many pages before and behind the screen have rows. */
#define AHEAD 1

/* Rows that are so many pages away go. Each row that comes or goes has the style of its siblings looked at, with all that is in
 * them, so rows that are not seen are not free; and what was near a moment ago may be wanted again. */
#define FAR 2

/* How long a frame may make rows that are about to come on screen, in microseconds: to lay them out takes longer still. */
#define MAKING_US 1000

guint
beckon_transcript_get_n_messages (BeckonTranscript *self)
{
  return self->conversation != NULL ? beckon_conversation_get_n_messages (self->conversation) : 0;
}

/* Behind @previous; with %NULL before all others. */
static GtkWidget *
insert_row (BeckonTranscript *self, guint index, GtkWidget *previous)
{
  BeckonMessage *message = beckon_conversation_get_message (self->conversation, index);
  g_autofree char *text = late_text_describe (self->conversation, message);
  GtkWidget *row = beckon_message_row_new (self->inbox, message, text);

  beckon_transcript_prepare_row (self, BECKON_MESSAGE_ROW (row));
  gtk_box_insert_child_after (GTK_BOX (self->rows), row, previous);
  g_signal_emit_by_name (self, "row-added", row);
  return row;
}

/* A row without a place is not. */
static gboolean
is_far (BeckonTranscript *self, GtkWidget *row)
{
  float page = (float) gtk_adjustment_get_page_size (beckon_transcript_get_adjustment (self));
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (row, GTK_WIDGET (self->scroller), &bounds) || bounds.size.height <= 0)
    return FALSE;
  return bounds.origin.y > (1 + FAR) * page || bounds.origin.y + bounds.size.height < -FAR * page;
}

/* Takes rows away at one end until few enough are left. Returns the height that went. */
static double
trim (BeckonTranscript *self, gboolean at_start)
{
  double height = 0;

  while (self->last > self->first)
    {
      GtkWidget *row = at_start ? gtk_widget_get_first_child (self->rows) : gtk_widget_get_last_child (self->rows);

      if (self->last - self->first <= BECKON_TRANSCRIPT_MOST && !is_far (self, row))
        break;
      height += gtk_widget_get_height (row) + gtk_box_get_spacing (GTK_BOX (self->rows));
      gtk_box_remove (GTK_BOX (self->rows), row);
      if (at_start)
        self->first++;
      else
        self->last--;
    }
  return height;
}

void
beckon_transcript_keep_place (BeckonTranscript *self, BeckonTranscriptKeep keep, double place)
{
  self->keep = keep;
  self->place = place;
}

/* Counts this thread alone, so that a busy machine does not make rows dear. */
static gint64
get_processor_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);

  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static void
load_earlier (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);
  double from_end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_value (adjustment);
  gint64 end = get_processor_time () + MAKING_US;

  do
    insert_row (self, --self->first, NULL);
  while (self->first > 0 && get_processor_time () < end);
  beckon_transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_FROM_END, from_end - trim (self, FALSE));
}

static void
load_later (BeckonTranscript *self)
{
  double value = gtk_adjustment_get_value (beckon_transcript_get_adjustment (self));
  gint64 end = get_processor_time () + MAKING_US;

  do
    insert_row (self, self->last++, gtk_widget_get_last_child (self->rows));
  while (self->last < beckon_transcript_get_n_messages (self) && get_processor_time () < end);
  beckon_transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_FROM_START, value - trim (self, TRUE));
}

void
beckon_transcript_show_window (BeckonTranscript *self, guint first, guint last)
{
  GtkWidget *row;

  self->keep = BECKON_TRANSCRIPT_KEEP_NOTHING;
  while ((row = gtk_widget_get_first_child (self->rows)) != NULL)
    gtk_box_remove (GTK_BOX (self->rows), row);
  self->first = first;
  self->last = last;
  for (guint i = first; i < last; i++)
    insert_row (self, i, gtk_widget_get_last_child (self->rows));
}

void
beckon_transcript_show_around (BeckonTranscript *self, guint index)
{
  beckon_transcript_show_window (self, index > BECKON_TRANSCRIPT_STEP ? index - BECKON_TRANSCRIPT_STEP : 0,
                                 MIN (index + BECKON_TRANSCRIPT_STEP, beckon_transcript_get_n_messages (self)));
}

void
beckon_transcript_show_end (BeckonTranscript *self)
{
  guint n = beckon_transcript_get_n_messages (self);

  self->following = TRUE;
  beckon_transcript_show_window (self, n > AT_FIRST ? n - AT_FIRST : 0, n);
}

static void
load_what_comes_near (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);
  double value = gtk_adjustment_get_value (adjustment);
  double page = gtk_adjustment_get_page_size (adjustment);

  if (self->keep != BECKON_TRANSCRIPT_KEEP_NOTHING || page <= 0)
    return;
  if (value < AHEAD * page && self->first > 0)
    load_earlier (self);
  else if (value + (1 + AHEAD) * page > gtk_adjustment_get_upper (adjustment)
           && self->last < beckon_transcript_get_n_messages (self))
    load_later (self);
}

void
beckon_transcript_load_near (BeckonTranscript *self)
{
  load_what_comes_near (self);

  /* Before the last of them has its row, so that who scrolls on finds no end. */
  if (self->earlier_wanted || self->conversation == NULL || self->first > BECKON_TRANSCRIPT_STEP ||
      !beckon_conversation_get_has_earlier (self->conversation))
    return;

  self->earlier_wanted = TRUE;
  g_signal_emit_by_name (self, "earlier-wanted");
}

/* Messages that came or went in front of the window leave its rows as they are. */
static gboolean
move_window (BeckonTranscript *self, guint position, guint removed, guint added)
{
  if (position > 0 || self->last == 0 || removed > self->first || (removed > 0 && added > 0))
    return FALSE;

  self->first = self->first - removed + added;
  self->last = self->last - removed + added;
  self->earlier_wanted = FALSE;
  beckon_transcript_look_soon (self);
  return TRUE;
}

static GtkWidget *
get_row (BeckonTranscript *self, guint index)
{
  GtkWidget *row = gtk_widget_get_first_child (self->rows);

  for (guint i = self->first; i < index && row != NULL; i++)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

static void
remove_rows (BeckonTranscript *self, guint position, guint n)
{
  GtkWidget *row = get_row (self, position);

  for (; n > 0 && row != NULL; n--)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (row);

      gtk_box_remove (GTK_BOX (self->rows), row);
      self->last--;
      row = next;
    }
}

/* Another branch, or messages that were deleted or put back: what stands before stays where it is on the screen. */
static gboolean
replace_rows (BeckonTranscript *self, guint position, guint removed, guint added)
{
  double value = gtk_adjustment_get_value (beckon_transcript_get_adjustment (self));
  guint n_behind = position + removed < self->last ? self->last - position - removed : 0;
  guint n_shown = MIN (added, BECKON_TRANSCRIPT_STEP);
  GtkWidget *before;

  if (position < self->first || position > self->last || self->last == 0)
    return FALSE;

  remove_rows (self, position, self->last - position - n_behind);
  if (n_shown < added)
    remove_rows (self, position, n_behind);

  before = position > self->first ? get_row (self, position - 1) : NULL;
  for (guint i = position; i < position + n_shown; i++)
    before = insert_row (self, i, before);
  self->last += n_shown;

  if (added > 0)
    self->following = FALSE;
  if (!self->following)
    beckon_transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_FROM_START, value);
  trim (self, FALSE);
  beckon_transcript_look_soon (self);
  return TRUE;
}

void
beckon_transcript_take_messages (BeckonTranscript *self, guint position, guint removed, guint added)
{
  guint n = beckon_transcript_get_n_messages (self);

  if (move_window (self, position, removed, added))
    return;
  if ((removed > 0 || position + added < n) && replace_rows (self, position, removed, added))
    return;
  if (removed > 0 || added > BECKON_TRANSCRIPT_STEP || position + added != n || self->last > position)
    {
      beckon_transcript_show_end (self);
      return;
    }
  /* Reading further up: the rows come when the person comes. */
  if (self->last < position)
    return;
  for (; self->last < n; self->last++)
    insert_row (self, self->last, gtk_widget_get_last_child (self->rows));
  if (self->following)
    trim (self, TRUE);
}
