/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-end-watch.h"

/* In the first it is laid out. */
#define FRAMES 3

/* Rounding hides no more than so many pixels. */
#define SLACK 2

struct _BeckonEndWatch
{
  GObject parent_instance;

  GtkWidget *widget;      /* (nullable): until the watch is freed */
  GPtrArray *adjustments; /* (owned) (element-type GtkAdjustment): of what scrolls around it, while it is mapped */
  gboolean is_seen;
  gboolean reveals;       /* once it is laid out */
  guint n_frames;         /* until it is laid out */
  guint tick_id;
};

G_DEFINE_FINAL_TYPE (BeckonEndWatch, beckon_end_watch, G_TYPE_OBJECT)

static guint changed_signal;

static GtkScrolledWindow *
find_scroller (GtkWidget *widget)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);
  GtkWidget *found = parent != NULL ? gtk_widget_get_ancestor (parent, GTK_TYPE_SCROLLED_WINDOW) : NULL;

  return found != NULL ? GTK_SCROLLED_WINDOW (found) : NULL;
}

/* Finds where @widget ends in what @scroller moves; that is the same wherever it is scrolled to. */
static gboolean
end_watch_find_end (GtkWidget *widget, GtkScrolledWindow *scroller, double *end)
{
  GtkWidget *child = gtk_scrolled_window_get_child (scroller);
  GtkWidget *content = GTK_IS_VIEWPORT (child) ? gtk_viewport_get_child (GTK_VIEWPORT (child)) : NULL;
  graphene_point_t point;

  if (content == NULL
      || !gtk_widget_compute_point (widget, content, &GRAPHENE_POINT_INIT (0, (float) gtk_widget_get_height (widget)), &point))
    return FALSE;
  *end = (double) point.y;
  return TRUE;
}

static gboolean
is_end_within (GtkWidget *widget, GtkScrolledWindow *scroller)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  double page = gtk_adjustment_get_page_size (adjustment), end;

  if (!end_watch_find_end (widget, scroller, &end))
    return TRUE;
  return page > 1 && end <= gtk_adjustment_get_value (adjustment) + page + SLACK;
}

/* Until it was laid out the numbers are those of what was shown before. */
static gboolean
is_end_shown (BeckonEndWatch *self)
{
  GtkWidget *widget = self->widget;
  GtkScrolledWindow *scroller = find_scroller (widget);

  if (!gtk_widget_get_mapped (widget) || (scroller != NULL && self->n_frames > 0))
    return FALSE;
  for (; scroller != NULL; scroller = find_scroller (widget))
    {
      if (!is_end_within (widget, scroller))
        return FALSE;
      widget = GTK_WIDGET (scroller);
    }
  return TRUE;
}

static void
set_seen (BeckonEndWatch *self, gboolean seen)
{
  if (self->is_seen == seen)
    return;
  self->is_seen = seen;
  g_signal_emit (self, changed_signal, 0);
}

static void
end_watch_look (BeckonEndWatch *self)
{
  if (self->widget != NULL && !self->is_seen && is_end_shown (self))
    set_seen (self, TRUE);
}

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  BeckonEndWatch *self = user_data;

  if (--self->n_frames > 0)
    return G_SOURCE_CONTINUE;
  self->tick_id = 0;
  end_watch_look (self);
  if (self->reveals && gtk_widget_get_mapped (widget))
    {
      /* The beginning is read first, and so is seen where there is no room for all. */
      GtkScrolledWindow *scroller = find_scroller (self->widget);
      GtkAdjustment *adjustment = scroller != NULL ? gtk_scrolled_window_get_vadjustment (scroller) : NULL;
      double start, end;

      self->reveals = FALSE;
      if (adjustment != NULL && !self->is_seen && end_watch_find_end (self->widget, scroller, &end))
        {
          start = end - gtk_widget_get_height (self->widget);
          gtk_adjustment_set_value (adjustment, MIN (start, end - gtk_adjustment_get_page_size (adjustment)));
        }
    }
  return G_SOURCE_REMOVE;
}

static void
await_layout (BeckonEndWatch *self)
{
  self->n_frames = FRAMES;
  if (self->tick_id == 0)
    self->tick_id = gtk_widget_add_tick_callback (self->widget, on_frame, self, NULL);
}

static void
stop_watching (BeckonEndWatch *self)
{
  for (guint i = 0; i < self->adjustments->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->adjustments, i), self);
  g_ptr_array_set_size (self->adjustments, 0);
}

static void
on_map (BeckonEndWatch *self)
{
  for (GtkScrolledWindow *scroller = find_scroller (self->widget); scroller != NULL;
       scroller = find_scroller (GTK_WIDGET (scroller)))
    {
      GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scroller);

      g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (end_watch_look), self);
      g_signal_connect_swapped (adjustment, "changed", G_CALLBACK (end_watch_look), self);
      g_ptr_array_add (self->adjustments, g_object_ref (adjustment));
    }
  if (!self->is_seen)
    await_layout (self);
}

void
beckon_end_watch_reset (BeckonEndWatch *self)
{
  set_seen (self, FALSE);
  await_layout (self);
}

gboolean
beckon_end_watch_get_seen (BeckonEndWatch *self)
{
  end_watch_look (self);
  return self->is_seen;
}

gboolean
beckon_end_watch_is_laid_out (BeckonEndWatch *self)
{
  return self->n_frames == 0 || beckon_end_watch_get_seen (self);
}

void
beckon_end_watch_reveal (BeckonEndWatch *self)
{
  self->reveals = TRUE;
  await_layout (self);
}

static gboolean
end_watch_fits (GtkWidget *with, GtkScrolledWindow *scroller, double end, double *with_end)
{
  double page = gtk_adjustment_get_page_size (gtk_scrolled_window_get_vadjustment (scroller));

  return with != NULL && gtk_widget_get_mapped (with) && gtk_widget_is_ancestor (with, GTK_WIDGET (scroller))
         && end_watch_find_end (with, scroller, with_end) && *with_end - end < page / 2;
}

void
beckon_end_watch_show_end (BeckonEndWatch *self, GtkWidget *with)
{
  GtkWidget *widget = self->widget;

  for (GtkScrolledWindow *scroller = find_scroller (widget); scroller != NULL; scroller = find_scroller (widget))
    {
      GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scroller);
      double page = gtk_adjustment_get_page_size (adjustment), end, with_end;

      if (end_watch_find_end (widget, scroller, &end))
        {
          if (end_watch_fits (with, scroller, end, &with_end))
            end = MAX (end, with_end);
          gtk_adjustment_set_value (adjustment, MAX (gtk_adjustment_get_value (adjustment), end - page));
        }
      widget = GTK_WIDGET (scroller);
    }
}

static void
beckon_end_watch_dispose (GObject *object)
{
  BeckonEndWatch *self = BECKON_END_WATCH (object);

  stop_watching (self);
  if (self->widget != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->widget, self);
      if (self->tick_id != 0)
        gtk_widget_remove_tick_callback (self->widget, self->tick_id);
    }
  self->tick_id = 0;
  self->widget = NULL;
  G_OBJECT_CLASS (beckon_end_watch_parent_class)->dispose (object);
}

static void
beckon_end_watch_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_END_WATCH (object)->adjustments);
  G_OBJECT_CLASS (beckon_end_watch_parent_class)->finalize (object);
}

static void
beckon_end_watch_class_init (BeckonEndWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_end_watch_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_end_watch_finalize;
  changed_signal = g_signal_new ("changed", BECKON_TYPE_END_WATCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_end_watch_init (BeckonEndWatch *self)
{
  self->adjustments = g_ptr_array_new_with_free_func (g_object_unref);
}

BeckonEndWatch *
beckon_end_watch_new (GtkWidget *widget)
{
  BeckonEndWatch *self = g_object_new (BECKON_TYPE_END_WATCH, NULL);

  self->widget = widget;
  g_signal_connect_object (widget, "map", G_CALLBACK (on_map), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (widget, "unmap", G_CALLBACK (stop_watching), self, G_CONNECT_SWAPPED);
  return self;
}

void
beckon_end_watch_free (BeckonEndWatch *self)
{
  g_object_run_dispose (G_OBJECT (self));
  g_object_unref (self);
}
