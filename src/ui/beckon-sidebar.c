/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sidebar.h"

#include "beckon-search-view.h"
#include "beckon-sidebar-row.h"

#include <glib/gi18n-lib.h>

struct _BeckonSidebar
{
  AdwBin parent_instance;

  GtkSingleSelection *selection; /* (owned) (nullable) */
  GListModel *waiting;           /* (owned) (nullable) */
  BeckonConversation *current;   /* (owned) (nullable) */
  gboolean waiting_shown;        /* what waits is shown instead of a conversation */
  gboolean marking;              /* the selection is being set, not chosen */
  gboolean pointing;             /* it is being chosen by pointer */

  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  GtkStack *lists;
  BeckonSearchView *search_view;
  GtkListView *list;
  GtkWidget *waiting_button;
  GtkLabel *waiting_count;
};

G_DEFINE_FINAL_TYPE (BeckonSidebar, beckon_sidebar, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_CONVERSATION_ACTIVATED,
  SIGNAL_WAITING_ACTIVATED,
  SIGNAL_HIT_ACTIVATED,
} BeckonSidebarSignal;

static guint signals[SIGNAL_HIT_ACTIVATED + 1];

static guint
find_position (BeckonSidebar *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));

  for (guint i = 0; i < n && self->current != NULL && !self->waiting_shown; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (item == G_OBJECT (self->current))
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}

/* The list moves a conversation by taking it out and putting it in again, which loses the selection. */
static void
mark_current (BeckonSidebar *self)
{
  if (self->selection == NULL)
    return;

  self->marking = TRUE;
  gtk_single_selection_set_selected (self->selection, find_position (self));
  self->marking = FALSE;
}

static void
on_selected (BeckonSidebar *self)
{
  BeckonConversation *chosen = gtk_single_selection_get_selected_item (self->selection);

  if (!self->marking && chosen != NULL && (chosen != self->current || self->waiting_shown))
    g_signal_emit (self, signals[SIGNAL_CONVERSATION_ACTIVATED], 0, chosen, self->pointing);
  self->pointing = FALSE;
}

static void
on_pressed (BeckonSidebar *self)
{
  self->pointing = TRUE;
}

static gboolean
on_key_pressed (BeckonSidebar *self)
{
  self->pointing = FALSE;
  return GDK_EVENT_PROPAGATE;
}

/* Once the list and its selection model have taken the change in. */
static void
on_items_changed (BeckonSidebar *self)
{
  mark_current (self);
}

static void
on_activated (BeckonSidebar *self, guint position)
{
  g_autoptr (BeckonConversation) chosen = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (chosen != NULL)
    g_signal_emit (self, signals[SIGNAL_CONVERSATION_ACTIVATED], 0, chosen, TRUE);
}

static void
on_waiting_clicked (BeckonSidebar *self)
{
  g_signal_emit (self, signals[SIGNAL_WAITING_ACTIVATED], 0);
}

static void
on_waiting_changed (BeckonSidebar *self)
{
  guint n = g_list_model_get_n_items (self->waiting);
  g_autofree char *count = g_strdup_printf ("%u", n);
  g_autofree char *spoken = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "Waiting for you: %u question", "Waiting for you: %u questions", n), n);

  gtk_widget_set_visible (self->waiting_button, n > 0 || self->waiting_shown);
  gtk_widget_set_visible (GTK_WIDGET (self->waiting_count), n > 0);
  gtk_label_set_text (self->waiting_count, count);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->waiting_button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static void
on_search_changed (BeckonSidebar *self)
{
  const char *words = gtk_editable_get_text (self->search_entry);

  beckon_search_view_set_words (self->search_view, words);
  gtk_stack_set_visible_child_name (self->lists, *words != '\0' ? "search" : "conversations");
}

static void
on_search_activate (BeckonSidebar *self)
{
  on_search_changed (self);
  beckon_search_view_activate_first (self->search_view);
}

static gboolean
on_search_key_pressed (BeckonSidebar *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (keyval != GDK_KEY_Down || (state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;

  beckon_search_view_focus_first (self->search_view);
  return GDK_EVENT_STOP;
}

static void
on_hit_activated (BeckonSidebar *self, const char *conversation_id, const char *message_id, const char *words)
{
  g_signal_emit (self, signals[SIGNAL_HIT_ACTIVATED], 0, conversation_id, message_id, words);
}

void
beckon_sidebar_search (BeckonSidebar *self)
{
  g_return_if_fail (BECKON_IS_SIDEBAR (self));

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  gtk_list_item_set_child (item, beckon_sidebar_row_new ());
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  beckon_sidebar_row_set_conversation (BECKON_SIDEBAR_ROW (gtk_list_item_get_child (item)), gtk_list_item_get_item (item));
}

static void
unbind_row (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  beckon_sidebar_row_set_conversation (BECKON_SIDEBAR_ROW (gtk_list_item_get_child (item)), NULL);
}

void
beckon_sidebar_set_store (BeckonSidebar *self, BeckonStore *store)
{
  g_return_if_fail (BECKON_IS_SIDEBAR (self));

  beckon_search_view_set_store (self->search_view, store);
}

void
beckon_sidebar_set_models (BeckonSidebar *self, GListModel *conversations, GListModel *waiting)
{
  g_return_if_fail (BECKON_IS_SIDEBAR (self));
  g_return_if_fail (self->selection == NULL);

  self->selection = gtk_single_selection_new (g_object_ref (conversations));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (on_selected), self);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_swapped (self->selection, "items-changed", G_CALLBACK (on_items_changed), self);
  mark_current (self);

  self->waiting = g_object_ref (waiting);
  g_signal_connect_swapped (waiting, "items-changed", G_CALLBACK (on_waiting_changed), self);
  on_waiting_changed (self);
}

void
beckon_sidebar_set_current (BeckonSidebar *self, BeckonConversation *conversation)
{
  g_return_if_fail (BECKON_IS_SIDEBAR (self));

  g_set_object (&self->current, conversation);
  mark_current (self);
}

void
beckon_sidebar_set_waiting_shown (BeckonSidebar *self, gboolean shown)
{
  g_return_if_fail (BECKON_IS_SIDEBAR (self));

  if (shown == self->waiting_shown)
    return;

  self->waiting_shown = shown;
  if (shown)
    gtk_widget_add_css_class (self->waiting_button, "current");
  else
    gtk_widget_remove_css_class (self->waiting_button, "current");
  mark_current (self);
  on_waiting_changed (self);
}

static void
beckon_sidebar_dispose (GObject *object)
{
  BeckonSidebar *self = BECKON_SIDEBAR (object);

  if (self->waiting != NULL)
    g_signal_handlers_disconnect_by_data (self->waiting, self);
  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_object (&self->waiting);
  g_clear_object (&self->selection);
  g_clear_object (&self->current);
  G_OBJECT_CLASS (beckon_sidebar_parent_class)->dispose (object);
}

static void
beckon_sidebar_class_init (BeckonSidebarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_SEARCH_VIEW);
  G_OBJECT_CLASS (klass)->dispose = beckon_sidebar_dispose;
  signals[SIGNAL_CONVERSATION_ACTIVATED] =
      g_signal_new ("conversation-activated", BECKON_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                    BECKON_TYPE_CONVERSATION, G_TYPE_BOOLEAN);
  signals[SIGNAL_WAITING_ACTIVATED] = g_signal_new ("waiting-activated", BECKON_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL,
                                                    NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_HIT_ACTIVATED] =
      g_signal_new ("hit-activated", BECKON_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                    G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/sidebar.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, search_bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, search_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, lists);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, search_view);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, list);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, waiting_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, waiting_count);
  gtk_widget_class_bind_template_callback (widget_class, on_waiting_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_hit_activated);
}

static void
beckon_sidebar_init (BeckonSidebar *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), NULL);
  gtk_list_view_set_factory (self->list, factory);
  g_signal_connect_swapped (self->list, "activate", G_CALLBACK (on_activated), self);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), GTK_EVENT_CONTROLLER (click));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), keys);
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_search_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->search_entry), keys);
}
