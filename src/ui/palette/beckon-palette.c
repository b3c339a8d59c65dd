/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-palette.h"

#include "base/beckon-text-printf.h"
#include "beckon-palette-row.h"
#include "ui/widgets/beckon-announcer.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

#define LEAST_WIDTH 320
#define MOST_WIDTH 560
#define HEIGHT 460
#define ROWS_PER_PAGE 8

struct _BeckonPalette
{
  AdwWindow parent_instance;

  BeckonPaletteFinder *finder;   /* (owned) */
  GtkSingleSelection *selection; /* (owned): of what it found */
  gboolean moved;                /* somebody chose a row: it stays chosen when more is found */

  GtkWidget *entry;
  GtkStack *pages;
  GtkListView *list;
  BeckonAnnouncer *announcer;
};

G_DEFINE_FINAL_TYPE (BeckonPalette, beckon_palette, ADW_TYPE_WINDOW)

enum
{
  SIGNAL_CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static guint
palette_count (BeckonPalette *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->selection));
}

static void
palette_choose (BeckonPalette *self, guint position, gboolean elsewhere)
{
  g_autoptr (BeckonPaletteItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  g_autoptr (BeckonPalette) held = g_object_ref (self);

  if (item == NULL)
    return;
  gtk_window_close (GTK_WINDOW (self));
  g_signal_emit (held, signals[SIGNAL_CHOSEN], 0, item, elsewhere);
}

/* The focus is in the entry, so the row is read out by other means. */
static void
say_selected (BeckonPalette *self)
{
  BeckonPaletteItem *item = gtk_single_selection_get_selected_item (self->selection);
  g_autofree char *name = item != NULL ? beckon_palette_row_dup_name (item) : NULL;
  g_autofree char *place = NULL;

  if (name == NULL)
    return;
  /* Translators: read out of a list: what is chosen, its place, how many there are */
  place = beckon_text_printf (_("%s, %u of %u"), name, gtk_single_selection_get_selected (self->selection) + 1,
                              palette_count (self));
  beckon_announcer_say (self->announcer, place);
}

static void
select_row (BeckonPalette *self, guint position)
{
  gtk_single_selection_set_selected (self->selection, position);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
  say_selected (self);
}

static void
palette_on_search_changed (BeckonPalette *self)
{
  self->moved = FALSE;
  beckon_palette_finder_set_words (self->finder, gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  if (palette_count (self) > 0)
    select_row (self, 0);
}

static void
palette_show_page (BeckonPalette *self)
{
  gboolean nothing = palette_count (self) == 0 && !beckon_palette_finder_is_searching (self->finder);

  if (palette_count (self) == 0 && !nothing)
    return;
  gtk_stack_set_visible_child_name (self->pages, nothing ? "nothing" : "results");
}

static void
palette_on_settled (BeckonPalette *self)
{
  palette_show_page (self);
  if (palette_count (self) == 0)
    beckon_announcer_say (self->announcer, _("Nothing Found"));
  else if (!self->moved)
    select_row (self, 0);
}

static void
on_activate (BeckonPalette *self)
{
  palette_choose (self, gtk_single_selection_get_selected (self->selection), FALSE);
}

static void
palette_on_row_activated (BeckonPalette *self, guint position)
{
  palette_choose (self, position, FALSE);
}

static void
palette_move (BeckonPalette *self, int step)
{
  int n = (int) palette_count (self);
  int at = (int) gtk_single_selection_get_selected (self->selection) + step;

  if (n == 0)
    return;
  self->moved = TRUE;
  /* A step beyond the end wraps around; a page does not. */
  if (step == 1 || step == -1)
    at = (at + n) % n;
  select_row (self, (guint) CLAMP (at, 0, n - 1));
}

static gboolean
palette_on_key_pressed (BeckonPalette *self, guint keyval, guint keycode, GdkModifierType state)
{
  GdkModifierType held = state & gtk_accelerator_get_default_mod_mask ();

  if (keyval == GDK_KEY_Down && held == 0)
    palette_move (self, 1);
  else if (keyval == GDK_KEY_Up && held == 0)
    palette_move (self, -1);
  else if (keyval == GDK_KEY_Page_Down && held == 0)
    palette_move (self, ROWS_PER_PAGE);
  else if (keyval == GDK_KEY_Page_Up && held == 0)
    palette_move (self, -ROWS_PER_PAGE);
  else if (beckon_key_is_enter (keyval) && held == GDK_CONTROL_MASK)
    palette_choose (self, gtk_single_selection_get_selected (self->selection), TRUE);
  else if (keyval == GDK_KEY_k && held == GDK_CONTROL_MASK)
    gtk_window_close (GTK_WINDOW (self));
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  gtk_list_item_set_child (item, beckon_palette_row_new ());
}

/* The keys come from the application, where they are set. */
static char *
dup_keys (BeckonPalette *self, BeckonPaletteItem *item)
{
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));
  GtkApplication *application = parent != NULL ? gtk_window_get_application (parent) : NULL;
  g_autofree char *key = NULL;
  g_auto (GStrv) accels = NULL;
  guint keyval;
  GdkModifierType modifiers;

  if (application == NULL || beckon_palette_item_get_kind (item) != BECKON_PALETTE_COMMAND)
    return NULL;
  key = beckon_palette_item_dup_key (item);
  accels = gtk_application_get_accels_for_action (application, key);
  if (accels[0] == NULL || !gtk_accelerator_parse (accels[0], &keyval, &modifiers))
    return NULL;
  return gtk_accelerator_get_label (keyval, modifiers);
}

static void
bind_row (BeckonPalette *self, GtkListItem *item)
{
  BeckonPaletteItem *offered = gtk_list_item_get_item (item);
  g_autofree char *keys = dup_keys (self, offered);

  beckon_palette_row_set_item (BECKON_PALETTE_ROW (gtk_list_item_get_child (item)), offered, keys);
}

static void
beckon_palette_dispose (GObject *object)
{
  BeckonPalette *self = BECKON_PALETTE (object);

  if (self->finder != NULL)
    g_signal_handlers_disconnect_by_data (self->finder, self);
  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_object (&self->finder);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (beckon_palette_parent_class)->dispose (object);
}

static void
beckon_palette_class_init (BeckonPaletteClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_ANNOUNCER);
  G_OBJECT_CLASS (klass)->dispose = beckon_palette_dispose;
  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen", BECKON_TYPE_PALETTE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 2, BECKON_TYPE_PALETTE_ITEM, G_TYPE_BOOLEAN);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/palette.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPalette, entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonPalette, pages);
  gtk_widget_class_bind_template_child (widget_class, BeckonPalette, list);
  gtk_widget_class_bind_template_child (widget_class, BeckonPalette, announcer);
  gtk_widget_class_bind_template_callback (widget_class, palette_on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, gtk_window_close);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
beckon_palette_init (BeckonPalette *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (palette_on_key_pressed), self);
  gtk_widget_add_controller (self->entry, keys);
}

GtkWidget *
beckon_palette_new (GtkWindow *parent, BeckonPaletteFinder *finder)
{
  BeckonPalette *self = g_object_new (BECKON_TYPE_PALETTE, "transient-for", parent, NULL);
  int width = gtk_widget_get_width (GTK_WIDGET (parent));
  g_autoptr (GtkListItemFactory) factory = NULL;

  self->finder = g_object_ref (finder);
  if (width > 0)
    gtk_window_set_default_size (GTK_WINDOW (self), CLAMP (width - 40, LEAST_WIDTH, MOST_WIDTH), HEIGHT);

  factory = gtk_signal_list_item_factory_new ();
  self->selection = gtk_single_selection_new (g_object_ref (beckon_palette_finder_get_results (self->finder)));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (bind_row), self);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_swapped (self->list, "activate", G_CALLBACK (palette_on_row_activated), self);
  g_signal_connect_swapped (self->selection, "items-changed", G_CALLBACK (palette_show_page), self);
  g_signal_connect_swapped (self->finder, "settled", G_CALLBACK (palette_on_settled), self);

  gtk_widget_grab_focus (self->entry);
  return GTK_WIDGET (self);
}
