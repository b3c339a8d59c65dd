/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sidebar.h"

#include "beckon-conversation-list.h"
#include "beckon-search-view.h"
#include "beckon-sidebar-row.h"
#include "ui/widgets/beckon-context-menu.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-files.h"

#include <glib/gi18n-lib.h>

static void
conversation_menu_append (GMenu *menu, BeckonConversation *conversation, const char *label, const char *word)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, "win.act-on", "(ss)", beckon_conversation_get_id (conversation), word);
  g_menu_append_item (menu, item);
}

static GMenu *
new_section (GMenu *menu)
{
  GMenu *section = g_menu_new ();

  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  return section;
}

GMenuModel *
beckon_conversation_menu_new (BeckonConversation *conversation)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) first = new_section (menu);
  g_autoptr (GMenu) second = new_section (menu);
  g_autoptr (GMenu) third = new_section (menu);
  g_autoptr (GMenu) export = g_menu_new ();

  conversation_menu_append (first, conversation, _("Open in New _Window"), "open-in-window");
  conversation_menu_append (first, conversation, _("_Rename…"), "rename");
  /* Temporary ones can't be pinned, archived or copied. */
  if (!beckon_conversation_get_temporary (conversation))
    {
      if (beckon_conversation_get_pinned (conversation))
        conversation_menu_append (first, conversation, _("Un_pin"), "unpin");
      else if (!beckon_conversation_get_archived (conversation))
        conversation_menu_append (first, conversation, _("_Pin"), "pin");
      if (beckon_conversation_get_archived (conversation))
        conversation_menu_append (first, conversation, _("Un_archive"), "unarchive");
      else
        conversation_menu_append (first, conversation, _("_Archive"), "archive");
      conversation_menu_append (first, conversation, _("D_uplicate"), "duplicate");
    }
  conversation_menu_append (second, conversation, _("_Copy as Markdown"), "copy-markdown");
  conversation_menu_append (export, conversation, _("As _Markdown…"), "export-markdown");
  conversation_menu_append (export, conversation, _("As _JSON…"), "export-json");
  g_menu_append_submenu (second, _("_Export"), G_MENU_MODEL (export));
  conversation_menu_append (second, conversation, _("De_tails"), "details");
  conversation_menu_append (third, conversation, _("_Delete"), "delete");
  return G_MENU_MODEL (menu);
}

#define MOST_AT_FIRST 40

struct _BeckonSidebar
{
  AdwBin parent_instance;

  BeckonConversationList *conversations; /* (owned) (nullable) */
  GtkSingleSelection *selection;         /* (owned) (nullable): of them */
  GPtrArray *rows;                       /* (owned) (element-type GtkListItem): those that show something */
  GListModel *waiting;           /* (owned) (nullable) */
  BeckonConversation *current;   /* (owned) (nullable) */
  gboolean waiting_shown;        /* what waits is shown instead of a conversation */
  gboolean marking;              /* the selection is being set, not chosen */
  gboolean pointing;             /* it is being chosen by pointer */
  guint n_frames;                /* since there are models, until all of them are shown */

  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  GtkStack *lists;
  BeckonSearchView *search_view;
  GtkListView *list;
  GtkWidget *archived_button;
  GtkLabel *archived_count;
  GtkWidget *back_button;
  GtkMenuButton *menu_button;
  GMenu *main_menu;
  GMenu *runs_section;
  GtkWidget *waiting_button;
  GtkLabel *waiting_count;
};

G_DEFINE_FINAL_TYPE (BeckonSidebar, beckon_sidebar, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_CONVERSATION_ACTIVATED,
  SIGNAL_WAITING_ACTIVATED,
  SIGNAL_HIT_ACTIVATED,
  SIGNAL_MENU_OPENED,
} BeckonSidebarSignal;

static guint signals[SIGNAL_MENU_OPENED + 1];

/* The list moves a conversation by taking it out and putting it in again, which loses the selection. */
static void
mark_current (BeckonSidebar *self)
{
  if (self->selection == NULL)
    return;

  self->marking = TRUE;
  gtk_single_selection_set_selected (
      self->selection, beckon_conversation_list_find (self->conversations, self->waiting_shown ? NULL : self->current));
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
sidebar_on_pressed (BeckonSidebar *self)
{
  self->pointing = TRUE;
}

static gboolean
sidebar_on_key_pressed (BeckonSidebar *self)
{
  self->pointing = FALSE;
  return GDK_EVENT_PROPAGATE;
}

static char *
dup_heading (BeckonSidebar *self, GtkListItem *item)
{
  BeckonGroup group = beckon_conversation_list_get_group (self->conversations, gtk_list_item_get_position (item));
  g_autoptr (GDateTime) month = NULL;
  g_autoptr (GDateTime) now = NULL;

  if (group.kind != BECKON_GROUP_PINNED && beckon_conversation_list_get_by_folder (self->conversations))
    {
      const char *folder = beckon_conversation_get_folder (gtk_list_item_get_item (item));

      return folder != NULL ? beckon_folder_name_shorten (folder) : g_strdup (_("No Folder"));
    }
  switch (group.kind)
    {
    case BECKON_GROUP_PINNED:
      return g_strdup (_("Pinned"));

    case BECKON_GROUP_TODAY:
      return g_strdup (_("Today"));

    case BECKON_GROUP_YESTERDAY:
      return g_strdup (_("Yesterday"));

    case BECKON_GROUP_THIS_WEEK:
      return g_strdup (_("This Week"));

    case BECKON_GROUP_THIS_MONTH:
      return g_strdup (_("This Month"));

    case BECKON_GROUP_MONTH:
    default:
      month = g_date_time_new_local (group.year, group.month, 1, 0, 0, 0);
      now = g_date_time_new_now_local ();
      if (group.year == g_date_time_get_year (now))
        /* Translators: a month of this year as a heading, see g_date_time_format() */
        return g_date_time_format (month, _("%OB"));
      /* Translators: a month of another year as a heading, see g_date_time_format() */
      return g_date_time_format (month, _("%OB %Y"));
    }
}

static void
update_heading (BeckonSidebar *self, GtkListItem *item)
{
  guint position = gtk_list_item_get_position (item);
  g_autofree char *heading = NULL;

  if (position == GTK_INVALID_LIST_POSITION)
    return;
  if (beckon_conversation_list_begins_group (self->conversations, position))
    heading = dup_heading (self, item);
  beckon_sidebar_row_set_heading (BECKON_SIDEBAR_ROW (gtk_list_item_get_child (item)), heading);
}

static void
on_regrouped (BeckonSidebar *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    update_heading (self, g_ptr_array_index (self->rows, i));
}

/* Once the list and its selection model have taken the change in. A list keeps in place what is on screen; at the top that
 * would hide what comes above it. */
static void
sidebar_on_items_changed (BeckonSidebar *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));

  mark_current (self);
  if (gtk_adjustment_get_value (adjustment) < 1 && g_list_model_get_n_items (G_LIST_MODEL (self->conversations)) > 0)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", 0);
}

static void
on_n_archived_changed (BeckonSidebar *self)
{
  guint n = beckon_conversation_list_get_n_archived (self->conversations);
  gboolean archived = beckon_conversation_list_get_archived (self->conversations);
  g_autofree char *count = g_strdup_printf ("%u", n);

  if (archived && n == 0)
    {
      beckon_conversation_list_set_archived (self->conversations, FALSE);
      archived = FALSE;
    }
  gtk_label_set_text (self->archived_count, count);
  gtk_widget_set_visible (self->archived_button, n > 0 && !archived);
  gtk_widget_set_visible (self->back_button, archived);
}

static void
show_archived (BeckonSidebar *self, gboolean archived)
{
  beckon_conversation_list_set_archived (self->conversations, archived);
  on_n_archived_changed (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

static void
on_archived_clicked (BeckonSidebar *self)
{
  show_archived (self, TRUE);
}

static void
sidebar_on_back_clicked (BeckonSidebar *self)
{
  show_archived (self, FALSE);
}

static void
sidebar_on_activated (BeckonSidebar *self, guint position)
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
sidebar_on_search_changed (BeckonSidebar *self)
{
  const char *words = gtk_editable_get_text (self->search_entry);

  beckon_search_view_set_words (self->search_view, words);
  gtk_stack_set_visible_child_name (self->lists, *words != '\0' ? "search" : "conversations");
}

static void
on_search_activate (BeckonSidebar *self)
{
  sidebar_on_search_changed (self);
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
beckon_sidebar_focus (BeckonSidebar *self)
{
  if (!gtk_widget_grab_focus (GTK_WIDGET (self->list)))
    gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
}

void
beckon_sidebar_search (BeckonSidebar *self)
{
  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

void
beckon_sidebar_search_for (BeckonSidebar *self, const char *words)
{
  beckon_sidebar_search (self);
  gtk_editable_set_text (self->search_entry, words != NULL ? words : "");
  gtk_editable_set_position (self->search_entry, -1);
}

static void
popup_menu (BeckonSidebar *self, GtkWidget *row, const graphene_point_t *at)
{
  GtkWidget *child = gtk_widget_get_first_child (row);
  BeckonConversation *conversation =
      BECKON_IS_SIDEBAR_ROW (child) ? beckon_sidebar_row_get_conversation (BECKON_SIDEBAR_ROW (child)) : NULL;

  if (conversation != NULL)
    {
      g_autoptr (GMenuModel) menu = beckon_conversation_menu_new (conversation);

      beckon_context_menu_popup (menu, _("Conversation menu"), GTK_WIDGET (self), row, at);
    }
}

/* By its own row's keys, and by what is pressed on it: Menu and Shift+F10 come as an action of the list. */
static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonSidebar *self = BECKON_SIDEBAR (widget);
  GtkWidget *row = gtk_widget_get_focus_child (GTK_WIDGET (self->list));

  if (row != NULL)
    popup_menu (self, row, NULL);
}

/* The toast's Undo takes it back. */
static void
delete_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonSidebar *self = BECKON_SIDEBAR (widget);
  GtkWidget *row = gtk_widget_get_focus_child (GTK_WIDGET (self->list));
  GtkWidget *child = row != NULL ? gtk_widget_get_first_child (row) : NULL;
  BeckonConversation *conversation = NULL;

  /* The one that has the focus; the one that is open while the list itself has it. */
  if (BECKON_IS_SIDEBAR_ROW (child))
    conversation = beckon_sidebar_row_get_conversation (BECKON_SIDEBAR_ROW (child));
  else if (gtk_widget_is_focus (GTK_WIDGET (self->list)))
    conversation = gtk_single_selection_get_selected_item (self->selection);
  if (conversation != NULL)
    gtk_widget_activate_action (widget, "win.act-on", "(ss)", beckon_conversation_get_id (conversation), "delete");
}

static void
on_menu_wanted (BeckonSidebar *self, double x, double y)
{
  graphene_point_t at;
  GtkWidget *row = beckon_context_menu_find_row (GTK_WIDGET (self->list), x, y, &at, NULL);

  if (row != NULL)
    popup_menu (self, row, &at);
}

static void
on_secondary_pressed (BeckonSidebar *self, int n_press, double x, double y)
{
  on_menu_wanted (self, x, y);
}

static void
on_updated (BeckonSidebar *self, GParamSpec *pspec, BeckonConversation *conversation)
{
  beckon_conversation_list_update (self->conversations, conversation);
}

static void
setup_row (BeckonSidebar *self, GtkListItem *item)
{
  gtk_list_item_set_child (item, g_object_new (BECKON_TYPE_SIDEBAR_ROW, NULL));
}

static void
bind_row (BeckonSidebar *self, GtkListItem *item)
{
  BeckonConversation *conversation = gtk_list_item_get_item (item);

  beckon_sidebar_row_set_conversation (BECKON_SIDEBAR_ROW (gtk_list_item_get_child (item)), conversation);
  g_signal_connect_swapped (conversation, "notify::updated-at", G_CALLBACK (on_updated), self);
  g_signal_connect_swapped (conversation, "notify::folder", G_CALLBACK (on_updated), self);
  g_ptr_array_add (self->rows, item);
  update_heading (self, item);
}

static void
unbind_row (BeckonSidebar *self, GtkListItem *item)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item), on_updated, self);
  g_ptr_array_remove_fast (self->rows, item);
  beckon_sidebar_row_set_conversation (BECKON_SIDEBAR_ROW (gtk_list_item_get_child (item)), NULL);
}

void
beckon_sidebar_set_store (BeckonSidebar *self, BeckonStore *store)
{
  beckon_search_view_set_store (self->search_view, store);
}

/* The frame before this one had the first rows. */
static gboolean
sidebar_on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  BeckonSidebar *self = BECKON_SIDEBAR (widget);

  if (self->n_frames++ < 1)
    return G_SOURCE_CONTINUE;
  beckon_conversation_list_set_most (self->conversations, G_MAXUINT);
  return G_SOURCE_REMOVE;
}

void
beckon_sidebar_set_models (BeckonSidebar *self, GListModel *conversations, GListModel *waiting, BeckonClock *clock)
{
  g_return_if_fail (self->selection == NULL);

  self->conversations = beckon_conversation_list_new (conversations, clock);
  g_signal_connect_object (self->conversations, "regrouped", G_CALLBACK (on_regrouped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->conversations, "n-archived-changed", G_CALLBACK (on_n_archived_changed), self,
                           G_CONNECT_SWAPPED);
  /* A list makes a few hundred rows at once; more than anybody sees would delay the first picture. */
  if (g_list_model_get_n_items (conversations) > MOST_AT_FIRST)
    {
      beckon_conversation_list_set_most (self->conversations, MOST_AT_FIRST);
      gtk_widget_add_tick_callback (GTK_WIDGET (self), sidebar_on_tick, NULL, NULL);
    }
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->conversations)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (on_selected), self);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_swapped (self->selection, "items-changed", G_CALLBACK (sidebar_on_items_changed), self);
  mark_current (self);
  on_n_archived_changed (self);

  self->waiting = g_object_ref (waiting);
  g_signal_connect_swapped (waiting, "items-changed", G_CALLBACK (on_waiting_changed), self);
  on_waiting_changed (self);
}

void
beckon_sidebar_set_by_folder (BeckonSidebar *self, gboolean by_folder)
{
  g_return_if_fail (self->conversations != NULL);

  beckon_conversation_list_set_by_folder (self->conversations, by_folder);
}

void
beckon_sidebar_set_current (BeckonSidebar *self, BeckonConversation *conversation)
{
  g_set_object (&self->current, conversation);
  mark_current (self);
}

void
beckon_sidebar_set_waiting_shown (BeckonSidebar *self, gboolean shown)
{
  if (shown == self->waiting_shown)
    return;

  self->waiting_shown = shown;
  beckon_css_class_set (self->waiting_button, "current", shown);
  mark_current (self);
  on_waiting_changed (self);
}

BeckonConversation *
beckon_sidebar_get_neighbour (BeckonSidebar *self, BeckonConversation *conversation)
{
  guint position;
  g_autoptr (BeckonConversation) neighbour = NULL;

  if (self->conversations == NULL)
    return NULL;
  position = beckon_conversation_list_find (self->conversations, conversation);
  if (position == GTK_INVALID_LIST_POSITION)
    position = 0;
  else if (position + 1 < g_list_model_get_n_items (G_LIST_MODEL (self->conversations)))
    position++;
  else
    position--;
  neighbour = g_list_model_get_item (G_LIST_MODEL (self->conversations), position);
  return neighbour; /* the list holds it */
}

void
beckon_sidebar_refresh (BeckonSidebar *self)
{
  if (self->conversations != NULL)
    beckon_conversation_list_refresh (self->conversations);
}

static void
beckon_sidebar_dispose (GObject *object)
{
  BeckonSidebar *self = BECKON_SIDEBAR (object);

  if (self->waiting != NULL)
    g_signal_handlers_disconnect_by_data (self->waiting, self);
  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  gtk_list_view_set_model (self->list, NULL);
  g_clear_object (&self->waiting);
  g_clear_object (&self->selection);
  g_clear_object (&self->conversations);
  g_clear_object (&self->current);
  G_OBJECT_CLASS (beckon_sidebar_parent_class)->dispose (object);
}

static void
beckon_sidebar_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_SIDEBAR (object)->rows);
  G_OBJECT_CLASS (beckon_sidebar_parent_class)->finalize (object);
}

static void
beckon_sidebar_class_init (BeckonSidebarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_SEARCH_VIEW);
  G_OBJECT_CLASS (klass)->dispose = beckon_sidebar_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_sidebar_finalize;
  signals[SIGNAL_CONVERSATION_ACTIVATED] =
      g_signal_new ("conversation-activated", BECKON_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                    BECKON_TYPE_CONVERSATION, G_TYPE_BOOLEAN);
  signals[SIGNAL_WAITING_ACTIVATED] = g_signal_new ("waiting-activated", BECKON_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL,
                                                    NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_HIT_ACTIVATED] =
      g_signal_new ("hit-activated", BECKON_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                    G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING);
  signals[SIGNAL_MENU_OPENED] = g_signal_new ("menu-opened", BECKON_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                              G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/sidebar.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, search_bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, search_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, lists);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, search_view);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, list);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, archived_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, archived_count);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, back_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, menu_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, main_menu);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, runs_section);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, waiting_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebar, waiting_count);
  gtk_widget_class_bind_template_callback (widget_class, on_waiting_clicked);
  gtk_widget_class_bind_template_callback (widget_class, sidebar_on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_hit_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_archived_clicked);
  gtk_widget_class_bind_template_callback (widget_class, sidebar_on_back_clicked);
  gtk_widget_class_install_action (widget_class, "sidebar.menu", NULL, menu_action);
  gtk_widget_class_install_action (widget_class, "sidebar.delete", NULL, delete_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "sidebar.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "sidebar.delete", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "sidebar.menu", NULL);
}

static void
sidebar_make_menu (GtkMenuButton *button, gpointer user_data)
{
  BeckonSidebar *self = user_data;

  g_signal_emit (self, signals[SIGNAL_MENU_OPENED], 0);
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (self->main_menu));
}

void
beckon_sidebar_set_n_runs (BeckonSidebar *self, guint n_runs)
{
  g_autofree char *label = NULL;

  g_menu_remove_all (self->runs_section);
  if (n_runs == 0)
    return;
  /* Translators: %u is how many conversations the agent is at work in */
  label = g_strdup_printf (_("_Stop All (%u)"), n_runs);
  g_menu_append (self->runs_section, label, "win.stop-all");
}

static void
add_keys (GtkWidget *widget, GCallback on_pressed_key, BeckonSidebar *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", on_pressed_key, self);
  gtk_widget_add_controller (widget, keys);
}

static void
beckon_sidebar_init (BeckonSidebar *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *secondary = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (factory, "setup", G_CALLBACK (setup_row), self);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (bind_row), self);
  g_signal_connect_swapped (factory, "unbind", G_CALLBACK (unbind_row), self);
  gtk_list_view_set_factory (self->list, factory);
  g_signal_connect_swapped (self->list, "activate", G_CALLBACK (sidebar_on_activated), self);
  gtk_menu_button_set_create_popup_func (self->menu_button, sidebar_make_menu, self, NULL);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (sidebar_on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (secondary), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (secondary, "pressed", G_CALLBACK (on_secondary_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), GTK_EVENT_CONTROLLER (secondary));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (on_menu_wanted), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), GTK_EVENT_CONTROLLER (press));
  add_keys (GTK_WIDGET (self->list), G_CALLBACK (sidebar_on_key_pressed), self);
  beckon_list_tab_leave (GTK_WIDGET (self->list));
  add_keys (GTK_WIDGET (self->search_entry), G_CALLBACK (on_search_key_pressed), self);
}
