/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-focus-keeper.h"

#include "beckon-sheet.h"

#define KEEPER_KEY "beckon-focus-keeper"

typedef struct
{
  GtkWindow *window;  /* borrowed: it owns this */
  GtkWidget *focus;   /* (nullable): borrowed, watched */
  GtkWidget *outside; /* (nullable): likewise: the last outside of popovers */
} Keeper;

static gboolean
keeper_can_focus (GtkWidget *widget)
{
  return gtk_widget_get_mapped (widget) && gtk_widget_is_sensitive (widget);
}

static gboolean
keeper_is_in_header (GtkRoot *root)
{
  GtkWidget *focus = gtk_root_get_focus (root);

  return focus != NULL && gtk_widget_get_ancestor (focus, ADW_TYPE_HEADER_BAR) != NULL;
}

/* The buttons of a header bar are about everything below it, not next to it. */
static gboolean
keeper_enter (GtkWidget *widget, GtkDirectionType direction)
{
  gboolean is_entered = keeper_can_focus (widget) && gtk_widget_child_focus (widget, direction);

  while (is_entered && keeper_is_in_header (gtk_widget_get_root (widget)))
    is_entered = gtk_widget_child_focus (widget, direction);
  return is_entered;
}

static gboolean
keeper_step_from (GtkWidget *gone)
{
  for (GtkWidget *at = gtk_widget_get_next_sibling (gone); at != NULL; at = gtk_widget_get_next_sibling (at))
    if (keeper_enter (at, GTK_DIR_TAB_FORWARD))
      return TRUE;
  for (GtkWidget *at = gtk_widget_get_prev_sibling (gone); at != NULL; at = gtk_widget_get_prev_sibling (at))
    if (keeper_enter (at, GTK_DIR_TAB_BACKWARD))
      return TRUE;
  return FALSE;
}

static gboolean
keeper_has_moved (Keeper *self, GtkWidget *gone)
{
  GtkWidget *focus = gtk_window_get_focus (self->window);

  return focus != NULL && keeper_can_focus (focus) && focus != gone && !gtk_widget_is_ancestor (focus, gone);
}

static void
keeper_hand_on (Keeper *self, GtkWidget *gone)
{
  GtkWidget *popover = gtk_widget_get_ancestor (gone, GTK_TYPE_POPOVER);

  if (!gtk_widget_get_visible (GTK_WIDGET (self->window)))
    return;
  if (popover != NULL && !gtk_widget_get_mapped (popover) && self->outside != NULL)
    gtk_widget_grab_focus (self->outside);
  if (!keeper_has_moved (self, gone) && (popover == NULL || !gtk_widget_get_mapped (popover)))
    gtk_widget_activate_action (gone, "conversation.focus-composer", NULL);
  if (!keeper_has_moved (self, gone))
    {
      /* A sheet keeps the focus from the window that it covers, and a popover from what it stands over. */
      GtkWidget *at = gone;

      for (GtkWidget *parent; !GTK_IS_NATIVE (at) && !BECKON_IS_SHEET (at); at = parent)
        {
          parent = gtk_widget_get_parent (at);
          if (parent == NULL || (keeper_can_focus (parent) && keeper_step_from (at)))
            return;
        }
      /* The search would begin at what is gone, and not at the first. */
      gtk_root_set_focus (gtk_widget_get_root (at), NULL);
      gtk_widget_child_focus (at, GTK_DIR_TAB_FORWARD);
    }
}

static void
keeper_on_unmap (Keeper *self, GtkWidget *focus)
{
  if (gtk_window_get_focus (self->window) == focus)
    keeper_hand_on (self, focus);
}

static void
keeper_on_focus_changed (Keeper *self)
{
  g_autoptr (GtkWidget) before = self->focus != NULL ? g_object_ref (self->focus) : NULL;
  GtkWidget *focus = gtk_window_get_focus (self->window);

  if (before != NULL)
    g_signal_handlers_disconnect_by_func (before, keeper_on_unmap, self);
  g_set_weak_pointer (&self->focus, focus);
  if (focus != NULL)
    g_signal_connect_swapped (focus, "unmap", G_CALLBACK (keeper_on_unmap), self);
  if (focus != NULL && gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) == NULL)
    g_set_weak_pointer (&self->outside, focus);
  if (before != NULL && focus == NULL && !gtk_widget_is_sensitive (before))
    keeper_hand_on (self, before);
}

static void
keeper_free (gpointer data)
{
  Keeper *self = data;

  if (self->focus != NULL)
    g_signal_handlers_disconnect_by_func (self->focus, keeper_on_unmap, self);
  g_clear_weak_pointer (&self->focus);
  g_clear_weak_pointer (&self->outside);
  g_free (self);
}

void
beckon_focus_keeper_add (GtkWindow *window)
{
  Keeper *self = g_new0 (Keeper, 1);

  self->window = window;
  g_object_set_data_full (G_OBJECT (window), KEEPER_KEY, self, keeper_free);
  g_signal_connect_swapped (window, "notify::focus-widget", G_CALLBACK (keeper_on_focus_changed), self);
}

void
beckon_focus_keeper_leave (GtkWidget *part)
{
  GtkRoot *root = gtk_widget_get_root (part);
  Keeper *self = root != NULL ? g_object_get_data (G_OBJECT (root), KEEPER_KEY) : NULL;

  if (self != NULL)
    keeper_hand_on (self, part);
}
