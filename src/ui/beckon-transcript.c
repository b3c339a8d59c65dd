/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript.h"

#include "beckon-message-menu.h"
#include "beckon-message-row.h"
#include "beckon-state-line.h"
#include "beckon-transcript-keys.h"
#include "beckon-transcript-rows.h"
#include "beckon-transcript-scroll.h"

/*
 * Rows stand in a box, because a box of at most BECKON_TRANSCRIPT_MOST rows scrolls far more cheaply than a list view that
 * measures rows of varying height as it goes. The window of messages [first, last) is moved when the edge of what has rows
 * comes near the edge of the screen. Rows that come or go above the screen would move what is read, so the place is kept,
 * as the end is where it is followed. The value that does so is known only after the layout, and a value that is set within
 * it is not laid out: so it is set behind the frame clock's layout, which then makes one more before anything is drawn.
 */

/* Enough for two screens of short messages: the first picture waits for them. */
#define AT_FIRST 24
#define STEP 40
/* What counts as the end, in pixels. */
#define NEAR_END 8

typedef enum
{
  KEEP_NOTHING,
  KEEP_FROM_START, /* `place` is the value to have */
  KEEP_FROM_END,   /* `place` is the distance to the upper bound */
  KEEP_CARD,       /* the card that is `mark.widget` is brought on screen */
  KEEP_MARK,       /* `mark` is */
} Keep;

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
  gboolean card_visible;
  Keep keep; /* what to do after the next layout */
  double place;
  GtkWidget *tall_card; /* (nullable): a weak pointer; its start was shown */
  BeckonMark mark; /* its widget is a weak pointer */
  GdkFrameClock *clock; /* (owned) (nullable): while realized */
  gulong layout_id;
  guint tick_id; /* looks at what is on screen, once a frame at most */
  guint looks;   /* how often it still has to look */

  GtkScrolledWindow *scroller;
  GtkBox *rows;
  BeckonStateLine *state_line;
};

G_DEFINE_FINAL_TYPE (BeckonTranscript, beckon_transcript, ADW_TYPE_BIN)

typedef enum
{
  PROP_AT_END = 1,
  PROP_CARD_VISIBLE,
} BeckonTranscriptProperty;

static GParamSpec *properties[PROP_CARD_VISIBLE + 1];

typedef enum
{
  SIGNAL_ROW_ADDED,
  SIGNAL_EARLIER_WANTED,
} BeckonTranscriptSignal;

static guint signals[SIGNAL_EARLIER_WANTED + 1];

static GtkAdjustment *
get_adjustment (BeckonTranscript *self)
{
  return gtk_scrolled_window_get_vadjustment (self->scroller);
}

static void
set_flag (BeckonTranscript *self, gboolean *flag, gboolean value, BeckonTranscriptProperty property)
{
  if (*flag == value)
    return;

  *flag = value;
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static guint
get_n_messages (BeckonTranscript *self)
{
  return self->conversation != NULL ? beckon_conversation_get_n_messages (self->conversation) : 0;
}

static void
insert_row (BeckonTranscript *self, guint index, gboolean at_start)
{
  GtkWidget *row = beckon_message_row_new (self->inbox, beckon_conversation_get_message (self->conversation, index));

  if (at_start)
    gtk_box_prepend (self->rows, row);
  else
    gtk_box_append (self->rows, row);
  g_signal_emit (self, signals[SIGNAL_ROW_ADDED], 0, row);
}

/* Takes rows away at one end until few enough are left. Returns the height that went. */
static double
trim (BeckonTranscript *self, gboolean at_start)
{
  double height = 0;

  while (self->last - self->first > BECKON_TRANSCRIPT_MOST)
    {
      GtkWidget *row = at_start ? gtk_widget_get_first_child (GTK_WIDGET (self->rows))
                                : gtk_widget_get_last_child (GTK_WIDGET (self->rows));

      height += gtk_widget_get_height (row) + gtk_box_get_spacing (self->rows);
      gtk_box_remove (self->rows, row);
      if (at_start)
        self->first++;
      else
        self->last--;
    }
  return height;
}

GtkWidget *
beckon_transcript_get_pending_card (BeckonTranscript *self)
{
  g_return_val_if_fail (BECKON_IS_TRANSCRIPT (self), NULL);

  return beckon_transcript_rows_find_card (GTK_WIDGET (self->rows), NULL);
}

static void
on_layout_done (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = get_adjustment (self);
  double upper = gtk_adjustment_get_upper (adjustment);
  Keep keep = self->keep;

  self->keep = KEEP_NOTHING;
  if (keep == KEEP_CARD && self->mark.widget != NULL)
    beckon_transcript_scroll_to (self->scroller, self->mark.widget);
  else if (keep == KEEP_MARK && self->mark.widget != NULL)
    beckon_transcript_scroll_to_mark (self->scroller, &self->mark);
  else if (self->following
           && beckon_transcript_scroll_to_tall_card (self->scroller, GTK_WIDGET (self->rows), &self->tall_card))
    self->following = FALSE;
  else if (self->following)
    gtk_adjustment_set_value (adjustment, upper - gtk_adjustment_get_page_size (adjustment));
  else if (keep == KEEP_FROM_END)
    gtk_adjustment_set_value (adjustment, upper - self->place);
  else if (keep == KEEP_FROM_START)
    gtk_adjustment_set_value (adjustment, self->place);
}

static void
keep_place (BeckonTranscript *self, Keep keep, double place)
{
  self->keep = keep;
  self->place = place;
}

static void
load_earlier (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = get_adjustment (self);
  double from_end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_value (adjustment);
  guint n = MIN (self->first, STEP);

  for (guint i = 0; i < n; i++)
    insert_row (self, --self->first, TRUE);
  keep_place (self, KEEP_FROM_END, from_end - trim (self, FALSE));
}

static void
load_later (BeckonTranscript *self)
{
  double value = gtk_adjustment_get_value (get_adjustment (self));
  guint n = MIN (get_n_messages (self) - self->last, STEP);

  for (guint i = 0; i < n; i++)
    insert_row (self, self->last++, FALSE);
  keep_place (self, KEEP_FROM_START, value - trim (self, TRUE));
}

/* Shows the messages [first, last). */
static void
show_window (BeckonTranscript *self, guint first, guint last)
{
  self->keep = KEEP_NOTHING;
  beckon_transcript_rows_clear (self->rows);
  self->first = first;
  self->last = last;
  for (guint i = first; i < last; i++)
    insert_row (self, i, FALSE);
}

static void
show_end (BeckonTranscript *self)
{
  guint n = get_n_messages (self);

  self->following = TRUE;
  show_window (self, n > AT_FIRST ? n - AT_FIRST : 0, n);
}

static gboolean
has_pending (BeckonTranscript *self)
{
  return self->conversation != NULL && beckon_conversation_get_waiting (self->conversation) > 0;
}

static void
look_for_card (BeckonTranscript *self)
{
  GtkWidget *card = has_pending (self) ? beckon_transcript_get_pending_card (self) : NULL;
  gboolean visible = card != NULL ? beckon_transcript_is_on_screen (self->scroller, card) : !has_pending (self);

  set_flag (self, &self->card_visible, visible, PROP_CARD_VISIBLE);
}

/* Before the last of them has its row, so that who scrolls on finds no end. */
static void
ask_for_earlier (BeckonTranscript *self)
{
  if (self->earlier_wanted || self->conversation == NULL || self->first > STEP ||
      !beckon_conversation_get_has_earlier (self->conversation))
    return;

  self->earlier_wanted = TRUE;
  g_signal_emit (self, signals[SIGNAL_EARLIER_WANTED], 0);
}

static void
load_what_comes_near (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = get_adjustment (self);
  double value = gtk_adjustment_get_value (adjustment);
  double page = gtk_adjustment_get_page_size (adjustment);

  if (self->keep != KEEP_NOTHING || page <= 0)
    return;
  if (value < page && self->first > 0)
    load_earlier (self);
  else if (value + 2 * page > gtk_adjustment_get_upper (adjustment) && self->last < get_n_messages (self))
    load_later (self);
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);

  load_what_comes_near (self);
  ask_for_earlier (self);
  look_for_card (self);
  if (--self->looks > 0)
    return G_SOURCE_CONTINUE;

  self->tick_id = 0;
  return G_SOURCE_REMOVE;
}

static void
look_soon (BeckonTranscript *self)
{
  /* A tick comes before its frame's layout: where things are after a change is known at the second one. */
  self->looks = 2;
  if (self->tick_id == 0)
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

static gboolean
is_at_end (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = get_adjustment (self);
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  return self->last == get_n_messages (self) && gtk_adjustment_get_value (adjustment) >= end - NEAR_END;
}

static void
on_value_changed (BeckonTranscript *self)
{
  self->following = is_at_end (self);
  set_flag (self, &self->at_end, self->following, PROP_AT_END);
  look_soon (self);
}

static void
on_bounds_changed (BeckonTranscript *self)
{
  set_flag (self, &self->at_end, self->following || is_at_end (self), PROP_AT_END);
  look_soon (self);
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
  look_soon (self);
  return TRUE;
}

static void
on_messages_changed (BeckonTranscript *self, guint position, guint removed, guint added)
{
  guint n = get_n_messages (self);

  if (move_window (self, position, removed, added))
    return;
  if (removed > 0 || added > STEP || position + added != n || self->last > position)
    {
      show_end (self);
      return;
    }
  /* Reading further up: the rows come when the person comes. */
  if (self->last < position)
    return;
  for (; self->last < n; self->last++)
    insert_row (self, self->last, FALSE);
  if (self->following)
    trim (self, TRUE);
}

void
beckon_transcript_jump_to_end (BeckonTranscript *self)
{
  GtkAdjustment *adjustment;

  g_return_if_fail (BECKON_IS_TRANSCRIPT (self));

  adjustment = get_adjustment (self);
  if (self->last < get_n_messages (self))
    show_end (self);
  self->following = TRUE;
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

static void
show_window_of_pending (BeckonTranscript *self, const char *request_id)
{
  guint i = beckon_transcript_rows_find_waiting (self->conversation, request_id);

  if (i == 0)
    return;
  self->following = FALSE;
  show_window (self, i > STEP ? i - STEP : 0, MIN (i + STEP, get_n_messages (self)));
}

GtkWidget *
beckon_transcript_show_pending_card (BeckonTranscript *self, const char *request_id)
{
  GtkWidget *rows = GTK_WIDGET (self->rows);
  GtkWidget *card = beckon_transcript_rows_find_card (rows, request_id);

  if (card == NULL && has_pending (self))
    {
      show_window_of_pending (self, request_id);
      card = beckon_transcript_rows_find_card (rows, request_id);
    }
  /* New rows have no place before the next layout. */
  g_set_weak_pointer (&self->mark.widget, card);
  keep_place (self, KEEP_CARD, 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  return card;
}

GtkWidget *
beckon_transcript_show_message (BeckonTranscript *self, BeckonMessage *message)
{
  guint n = get_n_messages (self);
  guint index = 0;
  BeckonMark mark = { NULL, { 0, 0 } };

  g_return_val_if_fail (BECKON_IS_TRANSCRIPT (self), NULL);

  mark.widget = beckon_message_row_find (GTK_WIDGET (self->rows), message);
  if (mark.widget == NULL)
    {
      while (index < n && beckon_conversation_get_message (self->conversation, index) != message)
        index++;
      if (index == n)
        return NULL;
      show_window (self, index > STEP ? index - STEP : 0, MIN (index + STEP, n));
      mark.widget = beckon_message_row_find (GTK_WIDGET (self->rows), message);
    }
  beckon_transcript_show_mark (self, &mark);
  return mark.widget;
}

void
beckon_transcript_show_mark (BeckonTranscript *self, const BeckonMark *mark)
{
  g_return_if_fail (BECKON_IS_TRANSCRIPT (self));

  self->following = FALSE;
  self->mark.at = mark->at;
  g_set_weak_pointer (&self->mark.widget, mark->widget);
  keep_place (self, KEEP_MARK, 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

BeckonMessage *
beckon_transcript_get_top_message (BeckonTranscript *self)
{
  GtkWidget *row;

  g_return_val_if_fail (BECKON_IS_TRANSCRIPT (self), NULL);

  row = gtk_widget_get_first_child (GTK_WIDGET (self->rows));
  while (row != NULL && !beckon_transcript_is_on_screen (self->scroller, row))
    row = gtk_widget_get_next_sibling (row);
  return row != NULL ? beckon_message_row_get_message (BECKON_MESSAGE_ROW (row)) : NULL;
}

GtkWidget *
beckon_transcript_get_rows (BeckonTranscript *self)
{
  g_return_val_if_fail (BECKON_IS_TRANSCRIPT (self), NULL);

  return GTK_WIDGET (self->rows);
}

gboolean
beckon_transcript_get_at_end (BeckonTranscript *self)
{
  g_return_val_if_fail (BECKON_IS_TRANSCRIPT (self), FALSE);

  return self->at_end;
}

gboolean
beckon_transcript_get_card_visible (BeckonTranscript *self)
{
  g_return_val_if_fail (BECKON_IS_TRANSCRIPT (self), FALSE);

  return self->card_visible;
}

guint
beckon_transcript_get_n_rows (BeckonTranscript *self)
{
  g_return_val_if_fail (BECKON_IS_TRANSCRIPT (self), 0);

  return self->last - self->first;
}

void
beckon_transcript_focus_last (BeckonTranscript *self)
{
  GtkWidget *last;

  g_return_if_fail (BECKON_IS_TRANSCRIPT (self));

  last = gtk_widget_get_last_child (GTK_WIDGET (self->rows));
  if (last != NULL)
    gtk_widget_grab_focus (last);
}

static void
forget_conversation (BeckonTranscript *self)
{
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_clear_object (&self->conversation);
  g_clear_object (&self->inbox);
  self->earlier_wanted = FALSE;
}

void
beckon_transcript_set_conversation (BeckonTranscript *self, BeckonInbox *inbox, BeckonConversation *conversation)
{
  g_return_if_fail (BECKON_IS_TRANSCRIPT (self));

  forget_conversation (self);
  if (conversation != NULL)
    {
      self->inbox = g_object_ref (inbox);
      self->conversation = g_object_ref (conversation);
      g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (on_messages_changed), self);
      g_signal_connect_swapped (conversation, "notify::waiting", G_CALLBACK (look_soon), self);
    }
  beckon_state_line_set_conversation (self->state_line, conversation);
  show_end (self);
  look_soon (self);
}

static void
beckon_transcript_realize (GtkWidget *widget)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);

  GTK_WIDGET_CLASS (beckon_transcript_parent_class)->realize (widget);
  g_set_object (&self->clock, gtk_widget_get_frame_clock (widget));
  self->layout_id = g_signal_connect_data (self->clock, "layout", G_CALLBACK (on_layout_done), self, NULL,
                                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

static void
beckon_transcript_unrealize (GtkWidget *widget)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);

  g_clear_signal_handler (&self->layout_id, self->clock);
  g_clear_object (&self->clock);
  GTK_WIDGET_CLASS (beckon_transcript_parent_class)->unrealize (widget);
}

static void
beckon_transcript_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (object);

  switch ((BeckonTranscriptProperty) property_id)
    {
    case PROP_AT_END:
      g_value_set_boolean (value, self->at_end);
      break;

    case PROP_CARD_VISIBLE:
      g_value_set_boolean (value, self->card_visible);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_transcript_dispose (GObject *object)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (object);

  forget_conversation (self);
  g_clear_weak_pointer (&self->mark.widget);
  g_clear_weak_pointer (&self->tall_card);
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  if (self->scroller != NULL)
    g_signal_handlers_disconnect_by_data (get_adjustment (self), self);
  G_OBJECT_CLASS (beckon_transcript_parent_class)->dispose (object);
}

static void
beckon_transcript_class_init (BeckonTranscriptClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  g_type_ensure (BECKON_TYPE_STATE_LINE);
  object_class->dispose = beckon_transcript_dispose;
  object_class->get_property = beckon_transcript_get_property;
  widget_class->realize = beckon_transcript_realize;
  widget_class->unrealize = beckon_transcript_unrealize;
  properties[PROP_AT_END] =
      g_param_spec_boolean ("at-end", NULL, NULL, TRUE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_CARD_VISIBLE] =
      g_param_spec_boolean ("card-visible", NULL, NULL, TRUE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  signals[SIGNAL_EARLIER_WANTED] = g_signal_new ("earlier-wanted", BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL,
                                                 NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ROW_ADDED] = g_signal_new ("row-added", BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                            G_TYPE_NONE, 1, GTK_TYPE_WIDGET);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/transcript.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, scroller);
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, rows);
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, state_line);
}

static void
beckon_transcript_init (BeckonTranscript *self)
{
  self->at_end = TRUE;
  self->card_visible = TRUE;
  self->following = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (get_adjustment (self), "value-changed", G_CALLBACK (on_value_changed), self);
  g_signal_connect_swapped (get_adjustment (self), "changed", G_CALLBACK (on_bounds_changed), self);
  beckon_transcript_add_keys (GTK_WIDGET (self), GTK_WIDGET (self->rows));
  beckon_message_menu_attach (GTK_WIDGET (self), GTK_WIDGET (self->rows));
}
