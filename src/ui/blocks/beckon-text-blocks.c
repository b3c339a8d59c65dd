/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-text-blocks.h"

#include "base/beckon-text.h"
#include "beckon-block-column.h"
#include "markdown/beckon-markdown-stream.h"
#include "ui/widgets/beckon-source-view.h"

#include <string.h>
#include <time.h>

/*
 * Chunks come faster than frames, and faster than anybody reads. They are collected in a string; a tick callback that
 * lives until it is empty feeds the string to the stream, whose settled blocks are widgets that stay as they are, and
 * whose open one is brought up to date. The cost of an update is what came since the last one, however long the text
 * is.
 *
 * A text that is very long is shown piece by piece, so that the window goes on meanwhile.
 */

/* So often what is open is brought up to date, in microseconds. */
#define INTERVAL_US 48000

/* Showing takes only a part of the time: with all that is laid out, drawn and scrolled for it, an update has so many times as
 * long until the next one, but no longer than this. */
#define REST 15
#define LONGEST_INTERVAL_US 300000

/* A text up to this is shown at once, and a longer one this much at a time, in microseconds. */
#define SHORT_BYTES (16 * 1024)
#define FIRST_BYTES (2 * 1024)
#define SLICE_US 6000
#define SLICE_BYTES (8 * 1024)

/* So many blocks come to be shown at a time, and no more once a frame has spent so long on them, in microseconds, or has so
 * much text to lay out, which takes longer still. What is not long has more of its first frame: it is to stand still then. */
#define SLICE_BLOCKS 4
#define SHOW_US 6000
#define SHOW_BYTES (8 * 1024)
#define SHOW_FIRST_US 16000

struct _BeckonTextBlocks
{
  AdwBin parent_instance;

  BeckonPart *part; /* (owned) (nullable) */
  BeckonMarkdownStream *stream;
  GString *queued;
  gsize fed; /* bytes of it that were fed */
  gboolean is_over; /* what is queued is the end */
  guint tick_id;
  guint wait_id;  /* until the next update may be */
  gint64 next_us; /* when that is */
  gint64 cpu_us;   /* this thread's processor time at the last update; 0 before */
  gint64 pace_us;  /* from one update to the next */

  BeckonBlockColumn *column;
  guint changed; /* the first block that is not shown as it is */
  guint n_shown; /* blocks that the column has */
  gboolean is_behind; /* of what was fed some is not shown yet */
};

G_DEFINE_FINAL_TYPE (BeckonTextBlocks, beckon_text_blocks, ADW_TYPE_BIN)

/* Chunks end at a character's end. */
static void
feed_some (BeckonTextBlocks *self, gsize most)
{
  const char *begin = self->queued->str + self->fed;
  gsize length = MIN (self->queued->len - self->fed, most);
  g_autofree char *safe = NULL;

  if (length == 0)
    return;
  if (length < self->queued->len - self->fed)
    while (length > 0 && ((guchar) begin[length] & 0xc0) == 0x80)
      length--;
  safe = beckon_text_for_display (begin, (gssize) length, BECKON_TEXT_PROSE);
  beckon_markdown_stream_feed (self->stream, safe, strlen (safe));
  self->fed += length;
  if (self->fed < self->queued->len)
    return;
  g_string_truncate (self->queued, 0);
  self->fed = 0;
  if (self->is_over)
    beckon_markdown_stream_finish (self->stream);
}

static void
drop_carriage_returns (BeckonTextBlocks *self)
{
  if (strchr (self->queued->str, '\r') != NULL)
    g_string_replace (self->queued, "\r", "", 0);
}

static gboolean
has_queued (BeckonTextBlocks *self)
{
  return self->fed < self->queued->len;
}

/* Counts this thread alone: other programs cost no frame time. */
static gint64
get_cpu_us (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* Blocks that are there stay there. Returns the bytes that are to be laid out. */
static gsize
show_some (BeckonTextBlocks *self, guint n)
{
  guint upto = MIN (n, MAX (self->changed + SLICE_BLOCKS, self->n_shown));
  gsize bytes;

  self->is_behind = upto < n;
  beckon_block_column_set_growing (self->column, self->is_behind);
  bytes = beckon_block_column_update (self->column, beckon_markdown_stream_get_blocks (self->stream), self->changed, upto);
  self->changed = self->n_shown = upto;
  return bytes;
}

/* Shows what came, as much of it as a frame has time for. Of many blocks most are far away, and so only taken note of; but of
 * very many that takes time, too. */
static void
show_fed (BeckonTextBlocks *self, gint64 most_us, gsize most_bytes)
{
  guint changed = beckon_markdown_stream_update (self->stream);
  guint n = beckon_markdown_stream_get_n_blocks (self->stream);
  gint64 end_us = get_cpu_us () + most_us;
  gsize bytes = 0;

  self->changed = MIN (self->changed, changed);
  do
    bytes += show_some (self, n);
  while (self->is_behind && bytes < most_bytes && get_cpu_us () < end_us);
  /* The open block may grow without being another. */
  if (!self->is_behind)
    self->changed = beckon_markdown_stream_get_n_settled (self->stream);
}

static gboolean
is_all_shown (BeckonTextBlocks *self)
{
  return !has_queued (self) && !self->is_behind;
}

static void
stop_ticking (BeckonTextBlocks *self)
{
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  g_clear_handle_id (&self->wait_id, g_source_remove);
}

static gboolean
blocks_on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  BeckonTextBlocks *self = BECKON_TEXT_BLOCKS (widget);
  gint64 begin_us = g_get_monotonic_time ();
  /* Some updates have more to draw than others. */
  gint64 now_us = get_cpu_us ();
  gint64 wanted_us = self->cpu_us > 0 ? REST * (now_us - self->cpu_us) : INTERVAL_US;

  self->cpu_us = now_us;
  self->pace_us = CLAMP ((3 * self->pace_us + wanted_us) / 4, INTERVAL_US, LONGEST_INTERVAL_US);

  drop_carriage_returns (self);
  while (!self->is_behind && has_queued (self) && g_get_monotonic_time () < begin_us + SLICE_US)
    feed_some (self, SLICE_BYTES);
  if (self->is_behind || !has_queued (self))
    show_fed (self, SHOW_US, SHOW_BYTES);
  if (!is_all_shown (self))
    return G_SOURCE_CONTINUE;
  self->next_us = begin_us + self->pace_us;
  self->tick_id = 0;
  return G_SOURCE_REMOVE;
}

static gboolean
on_waited (gpointer user_data)
{
  BeckonTextBlocks *self = user_data;

  self->wait_id = 0;
  self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), blocks_on_tick, NULL, NULL);
  return G_SOURCE_REMOVE;
}

/* A tick callback makes the frame clock run, which is not free either. */
static void
start_ticking (BeckonTextBlocks *self)
{
  gint64 wait_us = self->next_us - g_get_monotonic_time ();

  if (self->tick_id != 0 || self->wait_id != 0)
    return;
  if (wait_us > 0)
    self->wait_id = g_timeout_add ((guint) (wait_us / 1000 + 1), on_waited, self);
  else
    on_waited (self);
}

void
beckon_text_blocks_flush (BeckonTextBlocks *self)
{
  gboolean is_long;

  stop_ticking (self);
  drop_carriage_returns (self);
  is_long = self->queued->len - self->fed > SHORT_BYTES;
  /* A text that is so long shows a first screen at once. */
  feed_some (self, is_long ? FIRST_BYTES : SHORT_BYTES);
  show_fed (self, is_long ? SHOW_US : SHOW_FIRST_US, SHORT_BYTES);
  if (!is_all_shown (self))
    start_ticking (self);
}

void
beckon_text_blocks_finish (BeckonTextBlocks *self)
{
  if (self->is_over)
    return;
  self->is_over = TRUE;
  if (self->queued->len - self->fed > SHORT_BYTES)
    return;
  if (!has_queued (self))
    beckon_markdown_stream_finish (self->stream);
  beckon_text_blocks_flush (self);
}

void
beckon_text_blocks_append (BeckonTextBlocks *self, const char *text, gsize length)
{
  g_return_if_fail (!self->is_over);

  g_string_append_len (self->queued, text, (gssize) length);
  start_ticking (self);
}

static void
on_part_appended (BeckonTextBlocks *self, const char *delta, guint length)
{
  beckon_source_view_prepare ();
  if (self->is_over)
    {
      /* Ended text continues after all. */
      beckon_markdown_stream_free (self->stream);
      self->stream = beckon_markdown_stream_new ();
      self->is_over = FALSE;
      self->is_behind = FALSE;
      self->changed = 0;
      self->fed = 0;
      g_string_assign (self->queued, beckon_part_get_text (self->part));
      start_ticking (self);
    }
  else
    beckon_text_blocks_append (self, delta, length);
}

void
beckon_text_blocks_set_part (BeckonTextBlocks *self, BeckonPart *part)
{
  g_return_if_fail (self->part == NULL);

  self->part = g_object_ref (part);
  g_string_append_len (self->queued, beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
  beckon_text_blocks_flush (self);
  g_signal_connect_object (part, "appended", G_CALLBACK (on_part_appended), self, G_CONNECT_SWAPPED);
}

BeckonPart *
beckon_text_blocks_get_part (BeckonTextBlocks *self)
{
  return self->part;
}

/* The way to what is shown once more: what was shown need not be kept for it. */
char *
beckon_text_blocks_dup_source (BeckonTextBlocks *self, guint index)
{
  g_autoptr (BeckonMarkdownStream) stream = NULL;
  g_autoptr (GString) text = NULL;
  g_autofree char *safe = NULL;
  const char *source;
  gsize length;

  if (self->part == NULL)
    return NULL;
  text = g_string_new_len (beckon_part_get_text (self->part), (gssize) beckon_part_get_length (self->part));
  g_string_replace (text, "\r", "", 0);
  safe = beckon_text_for_display (text->str, (gssize) text->len, BECKON_TEXT_PROSE);
  stream = beckon_markdown_stream_new ();
  beckon_markdown_stream_feed (stream, safe, strlen (safe));
  beckon_markdown_stream_finish (stream);
  beckon_markdown_stream_update (stream);
  if (index >= beckon_markdown_stream_get_n_blocks (stream))
    return NULL;
  source = beckon_markdown_stream_get_source (stream, index, &length);
  return g_strchomp (g_strndup (source, length));
}

static void
beckon_text_blocks_dispose (GObject *object)
{
  BeckonTextBlocks *self = BECKON_TEXT_BLOCKS (object);

  stop_ticking (self);
  if (self->part != NULL)
    g_signal_handlers_disconnect_by_data (self->part, self);
  g_clear_object (&self->part);
  G_OBJECT_CLASS (beckon_text_blocks_parent_class)->dispose (object);
}

static void
beckon_text_blocks_finalize (GObject *object)
{
  BeckonTextBlocks *self = BECKON_TEXT_BLOCKS (object);

  g_clear_pointer (&self->stream, beckon_markdown_stream_free);
  g_string_free (self->queued, TRUE);
  G_OBJECT_CLASS (beckon_text_blocks_parent_class)->finalize (object);
}

static void
beckon_text_blocks_class_init (BeckonTextBlocksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_text_blocks_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_text_blocks_finalize;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_text_blocks_init (BeckonTextBlocks *self)
{
  self->stream = beckon_markdown_stream_new ();
  self->queued = g_string_new (NULL);
  self->column = BECKON_BLOCK_COLUMN (beckon_block_column_new ());
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->column));
}

GtkWidget *
beckon_text_blocks_new (void)
{
  return g_object_new (BECKON_TYPE_TEXT_BLOCKS, NULL);
}

/* The block of a reply that somebody points at, as Markdown: what the model wrote, not what became of it. Widgets do not keep
 * it, so it is looked up in the text when it is wanted. */

/* (nullable): what it stands in, and in which block of that */
static BeckonTextBlocks *
pointed_block_find (GtkWidget *widget, guint *index)
{
  GtkWidget *text = widget != NULL ? gtk_widget_get_ancestor (widget, BECKON_TYPE_TEXT_BLOCKS) : NULL;

  if (text == NULL || beckon_text_blocks_get_part (BECKON_TEXT_BLOCKS (text)) == NULL
      || !beckon_block_column_find (BECKON_BLOCK_COLUMN (adw_bin_get_child (ADW_BIN (text))), widget, index))
    return NULL;
  return BECKON_TEXT_BLOCKS (text);
}

gboolean
beckon_pointed_block_is_one (GtkWidget *widget)
{
  guint index;

  return pointed_block_find (widget, &index) != NULL;
}

char *
beckon_pointed_block_dup_markdown (GtkWidget *widget)
{
  guint index;
  BeckonTextBlocks *text = pointed_block_find (widget, &index);

  return text != NULL ? beckon_text_blocks_dup_source (text, index) : NULL;
}
