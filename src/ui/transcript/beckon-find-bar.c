/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-find-bar.h"

#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonFindBar
{
  AdwBin parent_instance;

  BeckonFinder *finder; /* (owned) (nullable) */

  GtkSearchBar *bar;
  GtkWidget *entry;
  GtkLabel *count_label;
  GtkWidget *previous_button;
  GtkWidget *next_button;
};

G_DEFINE_FINAL_TYPE (BeckonFindBar, beckon_find_bar, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_CLOSED,
} BeckonFindBarSignal;

static guint signals[SIGNAL_CLOSED + 1];

static const char *
find_bar_get_text (BeckonFindBar *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

static void
on_updated (BeckonFindBar *self)
{
  guint current, total;
  gboolean is_all = beckon_finder_get_counts (self->finder, &current, &total);
  gboolean is_looking = *find_bar_get_text (self) != '\0';
  /* Translators: which of the matches is the current one, and how many there are */
  g_autofree char *counts = is_looking && total > 0 ? g_strdup_printf (_("%u of %u"), current, total)
                                                    : g_strdup (is_looking && is_all ? _("No matches") : "");

  gtk_label_set_text (self->count_label, counts);
  gtk_widget_set_sensitive (self->previous_button, total > 0);
  gtk_widget_set_sensitive (self->next_button, total > 0);
  beckon_css_class_set (self->entry, "error", is_looking && is_all && total == 0);
}

static void
find_bar_on_search_changed (BeckonFindBar *self)
{
  if (gtk_search_bar_get_search_mode (self->bar))
    beckon_finder_find (self->finder, find_bar_get_text (self));
}

static void
on_next (BeckonFindBar *self)
{
  beckon_finder_step (self->finder, 1);
}

static void
on_previous (BeckonFindBar *self)
{
  beckon_finder_step (self->finder, -1);
}

static gboolean
find_bar_on_key_pressed (BeckonFindBar *self, guint keyval, guint keycode, GdkModifierType state)
{
  if ((keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter) ||
      (state & gtk_accelerator_get_default_mod_mask ()) != GDK_SHIFT_MASK)
    return GDK_EVENT_PROPAGATE;

  on_previous (self);
  return GDK_EVENT_STOP;
}

static void
on_mode_changed (BeckonFindBar *self)
{
  if (gtk_search_bar_get_search_mode (self->bar) || self->finder == NULL)
    return;

  beckon_finder_clear (self->finder);
  g_signal_emit (self, signals[SIGNAL_CLOSED], 0);
}

void
beckon_find_bar_set_finder (BeckonFindBar *self, BeckonFinder *finder)
{
  g_return_if_fail (self->finder == NULL);

  self->finder = g_object_ref (finder);
  g_signal_connect_object (finder, "updated", G_CALLBACK (on_updated), self, G_CONNECT_SWAPPED);
}

void
beckon_find_bar_open (BeckonFindBar *self)
{
  gtk_search_bar_set_search_mode (self->bar, TRUE);
  gtk_widget_grab_focus (self->entry);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
  beckon_finder_find (self->finder, find_bar_get_text (self));
}

void
beckon_find_bar_close (BeckonFindBar *self)
{
  gtk_search_bar_set_search_mode (self->bar, FALSE);
}

void
beckon_find_bar_step (BeckonFindBar *self, int step)
{
  if (gtk_search_bar_get_search_mode (self->bar))
    beckon_finder_step (self->finder, step);
  else
    beckon_find_bar_open (self);
}

static void
beckon_find_bar_dispose (GObject *object)
{
  BeckonFindBar *self = BECKON_FIND_BAR (object);

  g_clear_object (&self->finder);
  G_OBJECT_CLASS (beckon_find_bar_parent_class)->dispose (object);
}

static void
beckon_find_bar_class_init (BeckonFindBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_find_bar_dispose;
  signals[SIGNAL_CLOSED] =
      g_signal_new ("closed", BECKON_TYPE_FIND_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/find-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonFindBar, bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonFindBar, entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonFindBar, count_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFindBar, previous_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFindBar, next_button);
  gtk_widget_class_bind_template_callback (widget_class, find_bar_on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_next);
  gtk_widget_class_bind_template_callback (widget_class, on_previous);
  gtk_widget_class_bind_template_callback (widget_class, on_mode_changed);
  gtk_widget_class_bind_template_callback (widget_class, beckon_find_bar_close);
}

static void
beckon_find_bar_init (BeckonFindBar *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->bar, GTK_EDITABLE (self->entry));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (find_bar_on_key_pressed), self);
  gtk_widget_add_controller (self->entry, keys);
}
