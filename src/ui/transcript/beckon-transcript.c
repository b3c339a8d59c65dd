/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-private.h"

#include "beckon-message-menu.h"
#include "beckon-message-row.h"
#include "beckon-state-line.h"
#include "beckon-transcript-actions.h"
#include "beckon-transcript-keys.h"
#include "beckon-transcript-rows.h"
#include "beckon-transcript-scroll.h"
#include "ui/widgets/beckon-unfolding.h"

/* The height of the end, in pixels. */
#define NEAR_END 8
/* The room above a button whose unfolded part is higher than the view, in pixels. */
#define ABOVE_UNFOLDED 12

/* How long what was unfolded may grow, in microseconds: its text is laid out in frames to come. */
#define UNFOLDING_TIME G_USEC_PER_SEC

G_DEFINE_FINAL_TYPE (BeckonTranscript, beckon_transcript, ADW_TYPE_BIN)

typedef enum
{
  PROP_AT_END = 1,
  PROP_N_NEW,
  PROP_SELECTING,
  PROP_N_SELECTED,
} BeckonTranscriptProperty;

static GParamSpec *properties[PROP_N_SELECTED + 1];

typedef enum
{
  SIGNAL_ROW_ADDED,
  SIGNAL_EARLIER_WANTED,
  SIGNAL_EDIT,
  SIGNAL_QUOTE,
} BeckonTranscriptSignal;

static guint signals[SIGNAL_QUOTE + 1];

GtkAdjustment *
beckon_transcript_get_adjustment (BeckonTranscript *self)
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

static gboolean
transcript_on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);

  beckon_transcript_load_near (self);
  if (--self->looks > 0)
    return G_SOURCE_CONTINUE;

  self->tick_id = 0;
  return G_SOURCE_REMOVE;
}

void
beckon_transcript_look_soon (BeckonTranscript *self)
{
  /* A tick comes before its frame's layout: where things are after a change is known at the second one. */
  self->looks = 2;
  if (self->tick_id == 0)
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), transcript_on_tick, NULL, NULL);
}

static gboolean
is_at_end (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  return self->last == beckon_transcript_get_n_messages (self) && gtk_adjustment_get_value (adjustment) >= end - NEAR_END;
}

static gboolean
is_resized (BeckonTranscript *self)
{
  return beckon_transcript_anchor_is_resized (&self->anchor, self->rows, gtk_widget_get_width (GTK_WIDGET (self)));
}

static void
set_n_new (BeckonTranscript *self, guint n_new)
{
  if (self->n_new == n_new)
    return;

  self->n_new = n_new;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_NEW]);
}

/* A value that the viewport clamps while rows come, go or are resized is not where the person went. */
static void
on_value_changed (BeckonTranscript *self)
{
  if (self->keep == BECKON_TRANSCRIPT_KEEP_NOTHING && !is_resized (self))
    self->following = is_at_end (self);
  set_flag (self, &self->at_end, self->following, PROP_AT_END);
  if (self->at_end)
    set_n_new (self, 0);
  beckon_transcript_look_soon (self);
}

static void
on_bounds_changed (BeckonTranscript *self)
{
  set_flag (self, &self->at_end, self->following || is_at_end (self), PROP_AT_END);
  beckon_transcript_look_soon (self);
}

static void
scroll_to_unfolded (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);
  graphene_point_t at;

  if (gtk_widget_compute_point (self->mark.widget, gtk_widget_get_parent (self->rows), &GRAPHENE_POINT_INIT (0, 0), &at))
    gtk_adjustment_set_value (adjustment, CLAMP (at.y - ABOVE_UNFOLDED, 0, end));
  /* The value may be what it was, and the end further down. */
  on_value_changed (self);
}

static void
scroll_to_kept_widget (BeckonTranscript *self, BeckonTranscriptKeep keep)
{
  if (self->mark.widget == NULL)
    return;
  if (keep == BECKON_TRANSCRIPT_KEEP_TOP)
    {
      graphene_point_t at;

      if (gtk_widget_compute_point (self->mark.widget, gtk_widget_get_parent (self->rows), &GRAPHENE_POINT_INIT (0, 0),
                                    &at))
        gtk_adjustment_set_value (beckon_transcript_get_adjustment (self), MAX (at.y, 0));
    }
  else if (keep == BECKON_TRANSCRIPT_KEEP_UNFOLDED)
    scroll_to_unfolded (self);
  else
    beckon_transcript_scroll_to_mark (self->scroller, &self->mark);
}

/* A value that was clamped within the layout already changes no more. */
static void
scroll_to_value (BeckonTranscript *self, double value)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);

  gtk_adjustment_set_value (adjustment, value);
  if (gtk_adjustment_get_value (adjustment) != value)
    on_value_changed (self);
}

/* The rows have their places: a value that is set now leads to one more layout before anything is drawn. */
static void
on_layout_done (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);
  BeckonTranscriptKeep keep = self->keep;
  gboolean was_resized = is_resized (self);
  double value = gtk_adjustment_get_value (adjustment);

  self->keep = BECKON_TRANSCRIPT_KEEP_NOTHING;
  beckon_transcript_anchor_set_size (&self->anchor, self->rows, gtk_widget_get_width (GTK_WIDGET (self)));
  if (keep > BECKON_TRANSCRIPT_KEEP_FROM_END)
    scroll_to_kept_widget (self, keep);
  else if (self->following && self->unfolded != NULL && self->clock != NULL
           && gdk_frame_clock_get_frame_time (self->clock) < self->unfolded_until)
    {
      g_set_weak_pointer (&self->mark.widget, self->unfolded);
      scroll_to_unfolded (self);
    }
  else if (self->following)
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  else if (keep == BECKON_TRANSCRIPT_KEEP_FROM_END)
    scroll_to_value (self, gtk_adjustment_get_upper (adjustment) - self->place);
  else if (keep == BECKON_TRANSCRIPT_KEEP_FROM_START)
    scroll_to_value (self, self->place);
  else if (was_resized)
    beckon_transcript_anchor_keep (&self->anchor, self->scroller);
  if (gtk_adjustment_get_value (adjustment) == value)
    beckon_transcript_anchor_take (&self->anchor, self->scroller, self->rows);
}

/* Replaced messages are not new: the person did that. */
static void
on_messages_changed (BeckonTranscript *self, guint position, guint removed, guint added)
{
  gboolean is_news = removed == 0 && added > 0 && position + added == beckon_transcript_get_n_messages (self);
  guint n;
  BeckonMessage *last;

  beckon_transcript_take_messages (self, position, removed, added);
  beckon_transcript_check_selection (self);

  /* A person who writes the next message has seen what was done. */
  n = beckon_transcript_get_n_messages (self);
  last = n > 0 ? beckon_conversation_get_message (self->conversation, n - 1) : NULL;
  if (last != NULL && beckon_message_get_role (last) == BECKON_ROLE_USER)
    beckon_away_line_take_digest (self->away_line, NULL);

  if (is_news && !self->at_end && position > 0)
    set_n_new (self, self->n_new + added);
  else if (added == 0 && position == beckon_transcript_get_n_messages (self))
    set_n_new (self, self->n_new - MIN (self->n_new, removed));
}

guint
beckon_transcript_get_n_new (BeckonTranscript *self)
{
  return self->n_new;
}

gboolean
beckon_transcript_get_selecting (BeckonTranscript *self)
{
  return self->selecting;
}

guint
beckon_transcript_get_n_selected (BeckonTranscript *self)
{
  return g_hash_table_size (self->selected);
}

void
beckon_transcript_jump_to_end (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);

  if (self->last < beckon_transcript_get_n_messages (self))
    beckon_transcript_show_end (self);
  self->following = TRUE;
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

/* %NULL if it is not in the conversation. */
static GtkWidget *
find_or_make_row (BeckonTranscript *self, BeckonMessage *message)
{
  GtkWidget *row = beckon_message_row_find (self->rows, message);
  guint index;

  if (row != NULL || self->conversation == NULL
      || !beckon_conversation_find_position (self->conversation, beckon_message_get_id (message), &index))
    return row;

  beckon_transcript_show_around (self, index);
  return beckon_message_row_find (self->rows, message);
}

GtkWidget *
beckon_transcript_show_message (BeckonTranscript *self, BeckonMessage *message)
{
  BeckonMark mark = { NULL, { 0, 0 } };

  mark.widget = find_or_make_row (self, message);
  if (mark.widget != NULL)
    beckon_transcript_show_mark (self, &mark);
  return mark.widget;
}

void
beckon_transcript_show_top (BeckonTranscript *self, BeckonMessage *message)
{
  GtkWidget *row;

  row = find_or_make_row (self, message);
  if (row == NULL)
    return;
  self->following = FALSE;
  g_set_weak_pointer (&self->mark.widget, row);
  beckon_transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_TOP, 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
beckon_transcript_show_mark (BeckonTranscript *self, const BeckonMark *mark)
{
  self->following = FALSE;
  self->mark.at = mark->at;
  g_set_weak_pointer (&self->mark.widget, mark->widget);
  beckon_transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_MARK, 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/* The end would push away what was pressed, if what it unfolded is higher than the view. */
static void
beckon_transcript_unfolding (BeckonTranscript *self, GtkWidget *toggle)
{
  if (!self->following || self->keep != BECKON_TRANSCRIPT_KEEP_NOTHING)
    return;
  g_set_weak_pointer (&self->mark.widget, toggle);
  g_set_weak_pointer (&self->unfolded, toggle);
  self->unfolded_until = self->clock != NULL ? gdk_frame_clock_get_frame_time (self->clock) + UNFOLDING_TIME : 0;
  beckon_transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_UNFOLDED, 0);
}

void
beckon_transcript_set_unsent (BeckonTranscript *self, BeckonRequest *request, const char *text)
{
  beckon_transcript_rows_set_unsent (self->rows, request, text);
}

void
beckon_transcript_show_absence (BeckonTranscript *self, BeckonAwayDigest *digest)
{
  beckon_away_line_take_digest (self->away_line, digest);
}

BeckonMessage *
beckon_transcript_get_top_message (BeckonTranscript *self)
{
  GtkWidget *row;

  row = gtk_widget_get_first_child (self->rows);
  while (row != NULL && !beckon_transcript_is_on_screen (self->scroller, row))
    row = gtk_widget_get_next_sibling (row);
  return row != NULL ? beckon_message_row_get_message (BECKON_MESSAGE_ROW (row)) : NULL;
}

void
beckon_transcript_earlier_failed (BeckonTranscript *self)
{
  self->earlier_wanted = FALSE;
}

GtkWidget *
beckon_transcript_get_rows (BeckonTranscript *self)
{
  return self->rows;
}

gboolean
beckon_transcript_get_at_end (BeckonTranscript *self)
{
  return self->at_end;
}

guint
beckon_transcript_get_n_rows (BeckonTranscript *self)
{
  return self->last - self->first;
}

void
beckon_transcript_look_up (BeckonTranscript *self)
{
  if (gtk_adjustment_get_value (beckon_transcript_get_adjustment (self)) <= 0)
    beckon_transcript_look_soon (self);
}

void
beckon_transcript_focus_last (BeckonTranscript *self)
{
  GtkWidget *last = gtk_widget_get_last_child (self->rows);

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
  beckon_away_line_take_digest (self->away_line, NULL);
  beckon_transcript_end_selection (self);
}

void
beckon_transcript_set_conversation (BeckonTranscript *self, BeckonInbox *inbox, BeckonConversation *conversation)
{
  forget_conversation (self);
  if (conversation != NULL)
    {
      self->inbox = g_object_ref (inbox);
      self->conversation = g_object_ref (conversation);
      g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (on_messages_changed), self);
    }
  beckon_state_line_set_conversation (self->state_line, conversation);
  beckon_transcript_show_end (self);
  set_n_new (self, 0);
  beckon_transcript_look_soon (self);
}

/* The row that the arrows came to is where Tab comes back. */
static gboolean
beckon_transcript_focus (GtkWidget *widget, GtkDirectionType direction)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  GtkWidget *row = gtk_widget_get_focus_child (self->rows);

  if (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD)
    return GTK_WIDGET_CLASS (beckon_transcript_parent_class)->focus (widget, direction);
  if (row != NULL)
    g_set_weak_pointer (&self->last_row, row);
  return beckon_transcript_move_focus (self->scroller, self->rows, self->below, self->last_row, direction);
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

    case PROP_N_NEW:
      g_value_set_uint (value, self->n_new);
      break;

    case PROP_SELECTING:
      g_value_set_boolean (value, self->selecting);
      break;

    case PROP_N_SELECTED:
      g_value_set_uint (value, g_hash_table_size (self->selected));
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
  g_hash_table_remove_all (self->selected);
  g_clear_weak_pointer (&self->mark.widget);
  g_clear_weak_pointer (&self->unfolded);
  beckon_transcript_anchor_drop (&self->anchor);
  g_clear_weak_pointer (&self->pointed);
  g_clear_weak_pointer (&self->last_row);
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  if (self->scroller != NULL)
    g_signal_handlers_disconnect_by_data (beckon_transcript_get_adjustment (self), self);
  G_OBJECT_CLASS (beckon_transcript_parent_class)->dispose (object);
}

static void
beckon_transcript_finalize (GObject *object)
{
  g_hash_table_unref (BECKON_TRANSCRIPT (object)->selected);
  G_OBJECT_CLASS (beckon_transcript_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  properties[PROP_AT_END] = g_param_spec_boolean ("at-end", NULL, NULL, TRUE, flags);
  properties[PROP_N_NEW] = g_param_spec_uint ("n-new", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_SELECTING] = g_param_spec_boolean ("selecting", NULL, NULL, FALSE, flags);
  properties[PROP_N_SELECTED] = g_param_spec_uint ("n-selected", NULL, NULL, 0, G_MAXUINT, 0, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
beckon_transcript_class_init (BeckonTranscriptClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  g_type_ensure (BECKON_TYPE_AWAY_LINE);
  g_type_ensure (BECKON_TYPE_STATE_LINE);
  object_class->dispose = beckon_transcript_dispose;
  object_class->finalize = beckon_transcript_finalize;
  object_class->get_property = beckon_transcript_get_property;
  widget_class->focus = beckon_transcript_focus;
  widget_class->realize = beckon_transcript_realize;
  widget_class->unrealize = beckon_transcript_unrealize;
  signals[SIGNAL_EARLIER_WANTED] = g_signal_new ("earlier-wanted", BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL,
                                                 NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ROW_ADDED] = g_signal_new ("row-added", BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                            G_TYPE_NONE, 1, GTK_TYPE_WIDGET);
  signals[SIGNAL_EDIT] = g_signal_new ("edit", BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                       1, BECKON_TYPE_MESSAGE);
  signals[SIGNAL_QUOTE] = g_signal_new ("quote", BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new_class_handler (BECKON_UNFOLDING_SIGNAL, BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST,
                              G_CALLBACK (beckon_transcript_unfolding), NULL, NULL, NULL, G_TYPE_NONE, 1, GTK_TYPE_WIDGET);
  install_properties (object_class);
  beckon_transcript_install_actions (widget_class);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/transcript.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, scroller);
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, rows);
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, below);
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, away_line);
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, state_line);
}

static void
beckon_transcript_init (BeckonTranscript *self)
{
  self->at_end = TRUE;
  self->following = TRUE;
  self->selected = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (beckon_transcript_get_adjustment (self), "value-changed", G_CALLBACK (on_value_changed), self);
  g_signal_connect_swapped (beckon_transcript_get_adjustment (self), "changed", G_CALLBACK (on_bounds_changed), self);
  /* Scrolling on at the first row asks again for what could not be read. */
  g_signal_connect_swapped (self->scroller, "edge-overshot", G_CALLBACK (beckon_transcript_look_soon), self);
  beckon_transcript_add_keys (GTK_WIDGET (self), self->rows);
  beckon_message_menu_attach (GTK_WIDGET (self), self->rows);
}
