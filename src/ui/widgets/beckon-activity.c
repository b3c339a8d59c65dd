/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-activity.h"

#define STEPS 8
#define STEP_MS 200

struct _BeckonActivity
{
  GtkWidget parent_instance;

  GtkWidget *image;
};

G_DEFINE_FINAL_TYPE (BeckonActivity, beckon_activity, GTK_TYPE_WIDGET)

/* All share one clock, so that a window with several is drawn once a step. */
static GPtrArray *shown; /* (element-type BeckonActivity) (unowned) (nullable) */
static guint clock_id;
static guint step;

static gboolean
on_step (gpointer user_data)
{
  step = (step + 1) % STEPS;
  for (guint i = 0; i < shown->len; i++)
    gtk_widget_queue_draw (g_ptr_array_index (shown, i));
  return G_SOURCE_CONTINUE;
}

static void
beckon_activity_map (GtkWidget *widget)
{
  gboolean animations;

  GTK_WIDGET_CLASS (beckon_activity_parent_class)->map (widget);
  g_object_get (gtk_widget_get_settings (widget), "gtk-enable-animations", &animations, NULL);
  if (!animations)
    return;
  if (shown == NULL)
    shown = g_ptr_array_new ();
  g_ptr_array_add (shown, widget);
  if (clock_id == 0)
    clock_id = g_timeout_add (STEP_MS, on_step, NULL);
}

static void
beckon_activity_unmap (GtkWidget *widget)
{
  if (shown != NULL)
    g_ptr_array_remove_fast (shown, widget);
  if (shown != NULL && shown->len == 0)
    {
      g_clear_handle_id (&clock_id, g_source_remove);
      g_clear_pointer (&shown, g_ptr_array_unref);
    }
  GTK_WIDGET_CLASS (beckon_activity_parent_class)->unmap (widget);
}

static void
beckon_activity_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  BeckonActivity *self = BECKON_ACTIVITY (widget);
  const graphene_point_t middle
      = GRAPHENE_POINT_INIT ((float) gtk_widget_get_width (widget) / 2, (float) gtk_widget_get_height (widget) / 2);
  const graphene_point_t back = GRAPHENE_POINT_INIT (-middle.x, -middle.y);

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &middle);
  gtk_snapshot_rotate (snapshot, (float) step * 360 / STEPS);
  gtk_snapshot_translate (snapshot, &back);
  gtk_widget_snapshot_child (widget, self->image, snapshot);
  gtk_snapshot_restore (snapshot);
}

static void
beckon_activity_dispose (GObject *object)
{
  g_clear_pointer (&BECKON_ACTIVITY (object)->image, gtk_widget_unparent);
  G_OBJECT_CLASS (beckon_activity_parent_class)->dispose (object);
}

static void
beckon_activity_class_init (BeckonActivityClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_activity_dispose;
  widget_class->map = beckon_activity_map;
  widget_class->unmap = beckon_activity_unmap;
  widget_class->snapshot = beckon_activity_snapshot;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
beckon_activity_init (BeckonActivity *self)
{
  self->image = gtk_image_new_from_icon_name ("process-working-symbolic");
  gtk_widget_set_parent (self->image, GTK_WIDGET (self));
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}
