/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-dock.h"

#include "base/beckon-text-printf.h"
#include "beckon-dock-cards.h"
#include "request/beckon-call-request.h"
#include "request/beckon-call-table.h"
#include "text/beckon-call-risks.h"
#include "ui/cards/beckon-card-settler.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/cards/beckon-request-words.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-max-height-box.h"

#include <glib/gi18n-lib.h>

struct _BeckonDock
{
  AdwBin parent_instance;

  BeckonInbox *inbox;               /* (owned) (nullable) */
  BeckonConversation *conversation; /* (owned) (nullable) */
  GPtrArray *requests;              /* (owned) (element-type BeckonRequest): the deck */
  GHashTable *cards;                /* (owned) BeckonRequest * → GtkWidget *: those that were looked at */
  BeckonRequest *request;           /* (owned) (nullable): the one that is shown */
  GtkWidget *shown;                 /* (nullable): its card */
  BeckonCardSettler *settler;       /* (owned): for the calls that run together, and for the moment after each change */
  gboolean folded;
  gboolean expanded;
  gboolean expanded_plan;
  guint fit_id; /* looks whether all of the card is seen */
  int fitted;   /* the height that the card wanted when it was given its place anew */

  GtkLabel *note_label;
  GtkWidget *folded_button;
  GtkLabel *folded_label;
  GtkLabel *folded_count_label;
  GtkWidget *body;
  BeckonMaxHeightBox *scroller;
  GtkBox *slot; /* the cards that were looked at; one of them is seen */
  GtkWidget *corner;
  GtkLabel *position_label;
  GtkWidget *previous_button;
  GtkWidget *next_button;
  GtkToggleButton *expand_button;
  GtkMenuButton *rest_button;
  GtkLabel *rest_label;
  GtkButton *run_rest_button;
};

G_DEFINE_FINAL_TYPE (BeckonDock, beckon_dock, ADW_TYPE_BIN)

typedef enum
{
  PROP_REQUEST = 1,
  PROP_N_REQUESTS,
  PROP_FOLDED,
  PROP_EXPANDED,
} BeckonDockProperty;

static GParamSpec *properties[PROP_EXPANDED + 1];

static guint unsent_signal;

/* --- The deck ----------------------------------------------------------------------------------------------------- */

static guint
get_position (BeckonDock *self)
{
  guint position = 0;

  if (self->request == NULL || !g_ptr_array_find (self->requests, self->request, &position))
    return 0;
  return position;
}

/* The calls that run together with the one that is shown: of the same tool, in the same message. */
static GPtrArray *
list_rest (BeckonDock *self)
{
  GPtrArray *rest = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; self->request != NULL && i < self->requests->len; i++)
    {
      BeckonRequest *other = g_ptr_array_index (self->requests, i);

      if (beckon_call_table_is_similar (self->request, other))
        g_ptr_array_add (rest, g_object_ref (other));
    }
  return rest;
}

static void
link_cards (BeckonDock *self)
{
  GHashTableIter iter;
  gpointer request, card;

  g_hash_table_iter_init (&iter, self->cards);
  while (g_hash_table_iter_next (&iter, &request, &card))
    beckon_dock_cards_link (self->conversation, request, card);
}

/* --- Showing ------------------------------------------------------------------------------------------------------ */

static void
show_folded (BeckonDock *self)
{
  g_autofree char *title = self->request != NULL ? beckon_request_words_dup_title (self->request) : NULL;
  g_autofree char *spoken = NULL;

  gtk_widget_set_visible (self->folded_button, self->folded && title != NULL);
  gtk_widget_set_visible (self->body, !self->folded && title != NULL);
  if (title == NULL)
    return;
  gtk_label_set_text (self->folded_label, title);
  /* Translators: the name of the line that stands for a card that was set aside; %s is what the card asks */
  spoken = beckon_text_printf (_("Waiting for you: %s"), title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->folded_button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

/* (nullable): a list of those calls, whole; where it would cut one, each has to be decided on its card. */
static char *
describe_rest (GPtrArray *rest)
{
  g_autoptr (BeckonCallTable) table = rest->len > 1 ? beckon_call_table_new (rest) : NULL;
  g_autofree char *calls = table != NULL ? beckon_dock_cards_describe_calls (table) : NULL;
  g_autofree char *risks = calls != NULL ? beckon_call_risks_describe_all (rest) : NULL;

  return risks != NULL && *risks != '\0' ? g_strconcat (calls, "\n", risks, NULL) : g_steal_pointer (&calls);
}

static void
show_rest (BeckonDock *self)
{
  g_autoptr (GPtrArray) rest = list_rest (self);
  g_autofree char *list = describe_rest (rest);
  g_autofree char *label = NULL;
  g_autofree char *run = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->rest_button), list != NULL);
  if (list == NULL)
    return;
  /* Translators: on a button: run the shown call and those like it; how many that is */
  label = g_strdup_printf (_("Run the Rest · %u…"), rest->len);
  run = g_strdup_printf (_("Run %u"), rest->len);
  gtk_menu_button_set_label (self->rest_button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->rest_button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  if (gtk_widget_get_mapped (GTK_WIDGET (self->rest_label)) && !g_str_equal (list, gtk_label_get_text (self->rest_label)))
    beckon_card_settler_renew (self->settler);
  gtk_label_set_text (self->rest_label, list);
  gtk_button_set_label (self->run_rest_button, run);
}

/* A click that comes now was meant for what the list covers. */
static void
on_rest_opened (BeckonDock *self)
{
  show_rest (self);
  beckon_card_settler_renew (self->settler);
}

/* The way through the deck stands on the card that is seen; a button there keeps the focus. */
static void
move_corner (BeckonDock *self, GtkWidget *from, GtkWidget *to)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean is_within = focus != NULL && gtk_widget_is_ancestor (focus, self->corner);

  if (from != NULL)
    beckon_request_card_set_corner (from, NULL);
  if (to != NULL)
    beckon_request_card_set_corner (to, self->corner);
  /* Buttons that were in a card which was decided would take no input on the next one: GTK keeps what a former parent
   * set. */
  gtk_widget_set_sensitive (self->corner, FALSE);
  gtk_widget_set_sensitive (self->corner, TRUE);
  if (to != NULL && is_within)
    gtk_widget_grab_focus (focus);
}

static void
show_card (BeckonDock *self)
{
  GtkWidget *card = self->request != NULL ? g_hash_table_lookup (self->cards, self->request) : NULL;
  GtkWidget *before = self->shown;

  if (card == NULL && self->request != NULL)
    {
      card = beckon_dock_cards_make (self->inbox, self->conversation, self->request);
      gtk_widget_set_visible (card, FALSE);
      gtk_box_append (self->slot, card);
      g_hash_table_insert (self->cards, g_object_ref (self->request), g_object_ref (card));
      /* Behind the card's own guard: while the dock is ready, so is the card. */
      g_signal_connect_object (card, "map", G_CALLBACK (beckon_card_settler_renew), self->settler, G_CONNECT_SWAPPED);
    }
  if (card == before)
    return;
  self->shown = card;
  if (card != NULL)
    gtk_widget_set_visible (card, TRUE);
  move_corner (self, before, card);
  if (before != NULL)
    gtk_widget_set_visible (before, FALSE);
  /* The key or click that comes now was meant for another card. */
  beckon_card_settler_renew (self->settler);
  gtk_adjustment_set_value (beckon_max_height_box_get_adjustment (self->scroller), 0);
}

static void
set_request (BeckonDock *self, BeckonRequest *request)
{
  guint n = self->requests->len, position;
  g_autofree char *words = NULL;

  if (g_set_object (&self->request, request))
    {
      /* A plan stays as high as it was opened while its steps come and go. */
      if (request != NULL && !(self->expanded_plan && beckon_request_get_plan (request) != NULL))
        beckon_dock_set_expanded (self, FALSE);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_REQUEST]);
    }

  gtk_widget_set_visible (GTK_WIDGET (self),
                          self->request != NULL || gtk_widget_get_visible (GTK_WIDGET (self->note_label)));
  position = get_position (self);
  /* Translators: which of several cards is shown */
  words = g_strdup_printf (_("%u of %u"), position + 1, n);

  gtk_label_set_text (self->position_label, n > 1 ? words : "");
  gtk_label_set_text (self->folded_count_label, n > 1 ? words : "");
  gtk_widget_set_visible (self->previous_button, n > 1);
  gtk_widget_set_visible (self->next_button, n > 1);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dock.previous", position > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dock.next", position + 1 < n);
  show_card (self);
  show_folded (self);
  show_rest (self);
}

/* --- Requests that come and go ------------------------------------------------------------------------------------ */

static void
show_note (BeckonDock *self, const char *words)
{
  beckon_label_say (self->note_label, words);
}

static gboolean
dock_is_listed (GPtrArray *requests, BeckonRequest *request)
{
  return request != NULL && g_ptr_array_find (requests, request, NULL);
}

static void
refresh (BeckonDock *self)
{
  guint position = get_position (self);
  g_autoptr (GPtrArray) before = g_steal_pointer (&self->requests);
  gboolean is_new = FALSE;
  GPtrArray *requests = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = self->conversation != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->inbox)) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (G_LIST_MODEL (self->inbox), i);

      if (g_strcmp0 (beckon_request_get_conversation_id (request), beckon_conversation_get_id (self->conversation))
          == 0)
        g_ptr_array_add (requests, g_steal_pointer (&request));
    }
  self->requests = requests;

  for (guint i = 0; i < requests->len; i++)
    is_new = is_new || !dock_is_listed (before, g_ptr_array_index (requests, i));
  if (is_new)
    {
      beckon_dock_set_folded (self, FALSE);
      show_note (self, NULL);
    }
  /* A request that was decided makes way for the one behind it. */
  if (dock_is_listed (self->requests, self->request))
    set_request (self, self->request);
  else
    set_request (self,
                 self->requests->len > 0 ? g_ptr_array_index (self->requests, MIN (position, self->requests->len - 1)) : NULL);
  if (self->requests->len != before->len)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_REQUESTS]);
}

/* Several may wait: it is said which of them was answered. */
static char *
describe_answer (BeckonRequest *request, const char *front_end)
{
  const char *actor = beckon_request_get_actor (request);
  const char *where = beckon_request_front_end_to_words (front_end);
  g_autofree char *title = beckon_request_words_dup_title (request);

  if (actor == NULL)
    /* Translators: what was asked, such as "Write out.txt", and where ("in the window") it was answered */
    return beckon_text_printf (_("“%1$s” was answered %2$s."), title, where);
  /* Translators: what was asked, such as "Write out.txt"; by whom, and where ("in the window") it was answered */
  return beckon_text_printf (_("“%1$s” was answered by %2$s, %3$s."), title, actor, where);
}

/* The request has left the list already. */
static void
dock_on_settled (BeckonDock *self, BeckonRequest *request)
{
  g_autoptr (GtkWidget) card = NULL;
  gpointer key = NULL;
  const char *front_end;
  g_autofree char *words = NULL;
  g_autoptr (GError) error = NULL;

  if (self->conversation == NULL
      || g_strcmp0 (beckon_request_get_conversation_id (request), beckon_conversation_get_id (self->conversation)) != 0)
    return;
  if (g_hash_table_steal_extended (self->cards, request, &key, (gpointer *) &card))
    {
      g_autofree char *unsent = beckon_request_card_dup_unsent (card);

      if (unsent != NULL)
        g_signal_emit (self, unsent_signal, 0, request, unsent);
      gtk_box_remove (self->slot, card);
      g_object_unref (key);
    }
  /* An answer from elsewhere is told; one from here is seen, and what was told before it is no news. */
  front_end = beckon_request_get_front_end (request);

  if (beckon_inbox_was_settled_here (self->inbox, beckon_request_get_id (request)))
    {
      show_note (self, NULL);
      return;
    }
  if (front_end == NULL || g_str_equal (front_end, "agent") || beckon_request_check_pending (request, &error))
    return;
  words = beckon_request_state_is_end (beckon_request_get_state (request)) ? g_strdup (error->message)
                                                                           : describe_answer (request, front_end);
  show_note (self, words);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

static void
dock_forget (BeckonDock *self)
{
  if (self->inbox != NULL)
    g_signal_handlers_disconnect_by_data (self->inbox, self);
  if (self->conversation != NULL)
    {
      g_object_set_data (G_OBJECT (self->conversation), "beckon-dock-folded", GINT_TO_POINTER (self->folded));
      g_signal_handlers_disconnect_by_data (self->conversation, self);
    }
  if (self->shown != NULL)
    move_corner (self, g_steal_pointer (&self->shown), NULL);
  for (GtkWidget *card; (card = gtk_widget_get_first_child (GTK_WIDGET (self->slot))) != NULL;)
    gtk_box_remove (self->slot, card);
  g_hash_table_remove_all (self->cards);
  g_ptr_array_set_size (self->requests, 0);
  g_clear_object (&self->inbox);
  g_clear_object (&self->conversation);
}

void
beckon_dock_set_conversation (BeckonDock *self, BeckonInbox *inbox, BeckonConversation *conversation)
{
  gboolean was_folded;

  dock_forget (self);
  show_note (self, NULL);
  if (conversation != NULL)
    {
      self->inbox = g_object_ref (inbox);
      self->conversation = g_object_ref (conversation);
      beckon_card_settler_set_request (self->settler, inbox, NULL);
      g_signal_connect_swapped (inbox, "items-changed", G_CALLBACK (refresh), self);
      g_signal_connect_swapped (inbox, "settled", G_CALLBACK (dock_on_settled), self);
      g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (link_cards), self);
    }
  was_folded = conversation != NULL && g_object_get_data (G_OBJECT (conversation), "beckon-dock-folded") != NULL;
  refresh (self);
  beckon_dock_set_folded (self, was_folded && self->request != NULL);
}

/* --- What the person does ----------------------------------------------------------------------------------------- */

BeckonRequest *
beckon_dock_get_request (BeckonDock *self)
{
  return self->request;
}

GtkWidget *
beckon_dock_get_card (BeckonDock *self)
{
  return self->shown;
}

guint
beckon_dock_get_n_requests (BeckonDock *self)
{
  return self->requests->len;
}

gboolean
beckon_dock_is_ready (BeckonDock *self)
{
  return self->shown != NULL && !self->folded && gtk_widget_get_mapped (self->shown)
         && beckon_card_settler_is_ready (self->settler) && beckon_request_card_is_ready (self->shown);
}

gboolean
beckon_dock_submit (BeckonDock *self)
{
  if (!beckon_dock_is_ready (self))
    return FALSE;
  return beckon_request_card_submit (self->shown);
}

gboolean
beckon_dock_edit (BeckonDock *self)
{
  if (self->request == NULL)
    return FALSE;
  beckon_dock_set_folded (self, FALSE);
  return beckon_request_card_edit (self->shown);
}

gboolean
beckon_dock_deny (BeckonDock *self)
{
  if (self->request == NULL)
    return FALSE;
  beckon_dock_set_folded (self, FALSE);
  return beckon_request_card_deny (self->shown);
}

gboolean
beckon_dock_move (BeckonDock *self, int step)
{
  gboolean had_focus;
  gint64 position = (gint64) get_position (self) + step;

  if (self->request == NULL || position < 0 || position >= self->requests->len)
    return FALSE;
  had_focus = self->shown != NULL && beckon_focus_is_within (self->shown);
  set_request (self, g_ptr_array_index (self->requests, (guint) position));
  beckon_dock_set_folded (self, FALSE);
  if (had_focus && !beckon_focus_is_within (self->shown))
    beckon_request_card_focus (self->shown);
  return TRUE;
}

gboolean
beckon_dock_show_request (BeckonDock *self, const char *request_id)
{
  for (guint i = 0; i < self->requests->len; i++)
    {
      BeckonRequest *request = g_ptr_array_index (self->requests, i);

      if (g_strcmp0 (beckon_request_get_id (request), request_id) != 0)
        continue;
      set_request (self, request);
      beckon_dock_set_folded (self, FALSE);
      return TRUE;
    }
  return FALSE;
}

gboolean
beckon_dock_get_folded (BeckonDock *self)
{
  return self->folded;
}

void
beckon_dock_set_folded (BeckonDock *self, gboolean folded)
{
  if (self->folded == folded)
    return;
  self->folded = folded;
  show_folded (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLDED]);
}

gboolean
beckon_dock_get_expanded (BeckonDock *self)
{
  return self->expanded && !self->folded;
}

void
beckon_dock_set_expanded (BeckonDock *self, gboolean expanded)
{
  if (self->expanded == expanded)
    return;
  self->expanded = expanded;
  self->expanded_plan = expanded && self->request != NULL && beckon_request_get_plan (self->request) != NULL;
  gtk_toggle_button_set_active (self->expand_button, expanded);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EXPANDED]);
}

gboolean
beckon_dock_focus (BeckonDock *self)
{
  if (self->request == NULL)
    return FALSE;
  beckon_dock_set_folded (self, FALSE);
  beckon_request_card_focus (self->shown);
  return TRUE;
}

gboolean
beckon_dock_has_focus (BeckonDock *self)
{
  return beckon_focus_is_within (GTK_WIDGET (self));
}

static void
on_expand_toggled (BeckonDock *self)
{
  beckon_dock_set_expanded (self, gtk_toggle_button_get_active (self->expand_button));
}

/* Only what is cut can be opened further. */
static gboolean
on_fit_known (gpointer user_data)
{
  BeckonDock *self = user_data;
  GtkWidget *slot = GTK_WIDGET (self->slot);
  gboolean is_cut;
  int wanted;

  gtk_widget_measure (slot, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (slot), NULL, &wanted, NULL, NULL);
  is_cut = wanted > gtk_widget_get_height (GTK_WIDGET (self->scroller)) + 1;
  self->fit_id = 0;
  /* A text knows its height only once it has a width, and what it asks for within that layout is not heard. */
  if (is_cut && wanted != self->fitted)
    gtk_widget_queue_resize (slot);
  self->fitted = wanted;
  gtk_widget_set_visible (GTK_WIDGET (self->expand_button), is_cut || self->expanded);
  return G_SOURCE_REMOVE;
}

/* Within a layout nothing may change its size. */
static void
on_adjusted (BeckonDock *self)
{
  if (self->fit_id == 0)
    self->fit_id = g_idle_add (on_fit_known, self);
}

static void
run_rest_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonDock *self = BECKON_DOCK (widget);
  g_autoptr (GPtrArray) rest = list_rest (self);
  g_autofree char *list = describe_rest (rest);

  /* A call can have been changed on its card, or elsewhere, since they were listed. */
  if (list != NULL && !g_str_equal (list, gtk_label_get_text (self->rest_label)))
    {
      show_rest (self);
      beckon_card_settler_renew (self->settler);
      return;
    }
  if (list == NULL || !beckon_dock_is_ready (self))
    return;
  gtk_menu_button_popdown (self->rest_button);
  for (guint i = 0; i < rest->len; i++)
    {
      g_autoptr (BeckonAnswer) answer = beckon_call_table_make_answer (g_ptr_array_index (rest, i), TRUE);

      beckon_card_settler_settle_for (self->settler, g_ptr_array_index (rest, i), answer);
    }
}

static void
dock_act (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonDock *self = BECKON_DOCK (widget);

  if (g_str_equal (name, "dock.submit"))
    beckon_dock_submit (self);
  else if (g_str_equal (name, "dock.edit"))
    beckon_dock_edit (self);
  else if (g_str_equal (name, "dock.deny"))
    beckon_dock_deny (self);
  else if (g_str_equal (name, "dock.fold"))
    beckon_dock_set_folded (self, TRUE);
  else if (g_str_equal (name, "dock.expand"))
    beckon_dock_set_expanded (self, !self->expanded);
  else
    beckon_dock_move (self, g_str_equal (name, "dock.next") ? 1 : -1);
}

/* --- The class ---------------------------------------------------------------------------------------------------- */

static void
beckon_dock_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonDock *self = BECKON_DOCK (object);

  switch ((BeckonDockProperty) property_id)
    {
    case PROP_REQUEST:
      g_value_set_object (value, self->request);
      break;

    case PROP_N_REQUESTS:
      g_value_set_uint (value, self->requests->len);
      break;

    case PROP_FOLDED:
      g_value_set_boolean (value, self->folded);
      break;

    case PROP_EXPANDED:
      g_value_set_boolean (value, beckon_dock_get_expanded (self));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_dock_dispose (GObject *object)
{
  BeckonDock *self = BECKON_DOCK (object);

  if (self->scroller != NULL)
    g_signal_handlers_disconnect_by_data (beckon_max_height_box_get_adjustment (self->scroller), self);
  if (self->conversation != NULL)
    dock_forget (self);
  g_clear_handle_id (&self->fit_id, g_source_remove);
  g_clear_pointer (&self->settler, beckon_card_settler_free);
  g_clear_object (&self->request);
  g_clear_object (&self->corner);
  G_OBJECT_CLASS (beckon_dock_parent_class)->dispose (object);
}

static void
beckon_dock_finalize (GObject *object)
{
  BeckonDock *self = BECKON_DOCK (object);

  g_hash_table_unref (self->cards);
  g_ptr_array_unref (self->requests);
  G_OBJECT_CLASS (beckon_dock_parent_class)->finalize (object);
}

static void
beckon_dock_class_init (BeckonDockClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  g_type_ensure (BECKON_TYPE_MAX_HEIGHT_BOX);
  object_class->dispose = beckon_dock_dispose;
  object_class->finalize = beckon_dock_finalize;
  object_class->get_property = beckon_dock_get_property;
  unsent_signal = g_signal_new ("unsent", BECKON_TYPE_DOCK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                BECKON_TYPE_REQUEST, G_TYPE_STRING);

  properties[PROP_REQUEST] = g_param_spec_object ("request", NULL, NULL, BECKON_TYPE_REQUEST, flags);
  properties[PROP_N_REQUESTS] = g_param_spec_uint ("n-requests", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_FOLDED] = g_param_spec_boolean ("folded", NULL, NULL, FALSE, flags);
  properties[PROP_EXPANDED] = g_param_spec_boolean ("expanded", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
  gtk_widget_class_install_action (widget_class, "dock.submit", NULL, dock_act);
  gtk_widget_class_install_action (widget_class, "dock.edit", NULL, dock_act);
  gtk_widget_class_install_action (widget_class, "dock.deny", NULL, dock_act);
  gtk_widget_class_install_action (widget_class, "dock.next", NULL, dock_act);
  gtk_widget_class_install_action (widget_class, "dock.previous", NULL, dock_act);
  gtk_widget_class_install_action (widget_class, "dock.fold", NULL, dock_act);
  gtk_widget_class_install_action (widget_class, "dock.expand", NULL, dock_act);
  gtk_widget_class_install_action (widget_class, "dock.run-rest", NULL, run_rest_action);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/dock.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, note_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, folded_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, folded_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, folded_count_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, body);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, scroller);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, corner);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, position_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, previous_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, next_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, expand_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, rest_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, rest_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonDock, run_rest_button);
  gtk_widget_class_bind_template_callback (widget_class, show_rest);
  gtk_widget_class_bind_template_callback (widget_class, on_rest_opened);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_folded_clicked", G_CALLBACK (beckon_dock_focus));
  gtk_widget_class_bind_template_callback (widget_class, on_expand_toggled);
}

static void
beckon_dock_init (BeckonDock *self)
{
  self->requests = g_ptr_array_new_with_free_func (g_object_unref);
  self->cards = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_object_ref (self->corner);
  self->settler = beckon_card_settler_new (GTK_WIDGET (self), NULL);
  beckon_card_settler_add_body (self->settler, GTK_WIDGET (self->rest_button));
  beckon_card_settler_set_stays (self->settler);
  g_signal_connect_swapped (beckon_max_height_box_get_adjustment (self->scroller), "changed", G_CALLBACK (on_adjusted), self);
}
