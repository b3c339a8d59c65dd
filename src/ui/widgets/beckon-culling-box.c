/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-culling-box.h"

/* How much more than what is seen is drawn, in pixels: who scrolls by less finds it there already. */
#define SLACK 300

/* Widgets may draw so far beyond their bounds. */
#define OVERHANG 32

/* A part of a widget's height. */
typedef struct
{
  double from;
  double to;
} Range;

typedef struct
{
  GtkWidget *scroller; /* (nullable): while mapped; borrowed, as it holds this */
  GdkFrameClock *clock; /* (owned) (nullable): while mapped */
  gulong layout_id;
  gboolean is_watching;
  gboolean is_empty; /* nothing was drawn */
  Range drawn;
} BeckonCullingBoxPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (BeckonCullingBox, beckon_culling_box, GTK_TYPE_BOX)

static Range
get_seen (BeckonCullingBox *self)
{
  BeckonCullingBoxPrivate *priv = beckon_culling_box_get_instance_private (self);
  graphene_point_t at;

  if (priv->scroller == NULL
      || !gtk_widget_compute_point (priv->scroller, GTK_WIDGET (self), &GRAPHENE_POINT_INIT (0, 0), &at))
    return (Range){ 0, gtk_widget_get_height (GTK_WIDGET (self)) };
  return (Range){ at.y, at.y + (float) gtk_widget_get_height (priv->scroller) };
}

/* The position, and what of it is seen, is known once all is laid out. The box may have moved without a layout of its own. */
static void
on_layout_done (BeckonCullingBox *self)
{
  BeckonCullingBoxPrivate *priv = beckon_culling_box_get_instance_private (self);
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  gboolean is_away;
  Range seen;

  /* A long reply has many pages without widgets, and this is asked of each in each frame. */
  if (gtk_widget_get_first_child (GTK_WIDGET (self)) == NULL)
    return;
  seen = get_seen (self);
  is_away = seen.to + SLACK < 0 || seen.from - SLACK > height;
  if (is_away ? !priv->is_empty : MAX (seen.from, 0) < priv->drawn.from || MIN (seen.to, height) > priv->drawn.to)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
beckon_culling_box_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  BeckonCullingBoxPrivate *priv = beckon_culling_box_get_instance_private (BECKON_CULLING_BOX (widget));
  Range seen = get_seen (BECKON_CULLING_BOX (widget));
  graphene_rect_t bounds;

  priv->is_empty = TRUE;
  priv->drawn = (Range){ seen.from - SLACK, seen.to + SLACK };
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_compute_bounds (child, widget, &bounds)
        && bounds.origin.y + bounds.size.height >= priv->drawn.from - OVERHANG
        && bounds.origin.y <= priv->drawn.to + OVERHANG)
      {
        gtk_widget_snapshot_child (widget, child, snapshot);
        priv->is_empty = FALSE;
      }
}

static void
beckon_culling_box_map (GtkWidget *widget)
{
  BeckonCullingBoxPrivate *priv = beckon_culling_box_get_instance_private (BECKON_CULLING_BOX (widget));

  GTK_WIDGET_CLASS (beckon_culling_box_parent_class)->map (widget);
  if (!priv->is_watching)
    return;
  priv->scroller = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);
  priv->clock = g_object_ref (gtk_widget_get_frame_clock (widget));
  priv->layout_id = g_signal_connect_data (priv->clock, "layout", G_CALLBACK (on_layout_done), widget, NULL,
                                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

static void
beckon_culling_box_unmap (GtkWidget *widget)
{
  BeckonCullingBoxPrivate *priv = beckon_culling_box_get_instance_private (BECKON_CULLING_BOX (widget));

  if (priv->clock != NULL)
    g_clear_signal_handler (&priv->layout_id, priv->clock);
  g_clear_object (&priv->clock);
  priv->scroller = NULL;
  GTK_WIDGET_CLASS (beckon_culling_box_parent_class)->unmap (widget);
}

static void
beckon_culling_box_class_init (BeckonCullingBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = beckon_culling_box_snapshot;
  widget_class->map = beckon_culling_box_map;
  widget_class->unmap = beckon_culling_box_unmap;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_culling_box_init (BeckonCullingBox *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

void
beckon_culling_box_watch (BeckonCullingBox *self)
{
  BeckonCullingBoxPrivate *priv = beckon_culling_box_get_instance_private (self);

  g_return_if_fail (BECKON_IS_CULLING_BOX (self));

  priv->is_watching = TRUE;
}

GtkWidget *
beckon_culling_box_new (void)
{
  GtkWidget *self = g_object_new (BECKON_TYPE_CULLING_BOX, NULL);

  beckon_culling_box_watch (BECKON_CULLING_BOX (self));
  return self;
}
