/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-label-links.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-alert.h"
#include "beckon-context-menu.h"
#include "beckon-controls.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define KEY "beckon-label-links"

/* A press that moves farther selects text. */
#define CLICK_DISTANCE 8

/* Legible on the ground of a message, a card and a bubble, with high contrast too. */
static const GdkRGBA light_colour = { 0.08f, 0.33f, 0.68f, 1 };
static const GdkRGBA dark_colour = { 0.55f, 0.77f, 0.98f, 1 };

#define BECKON_TYPE_LABEL_LINKS (beckon_label_links_get_type ())
G_DECLARE_FINAL_TYPE (BeckonLabelLinks, beckon_label_links, BECKON, LABEL_LINKS, GObject)

struct _BeckonLabelLinks
{
  GObject parent_instance;

  GtkLabel *label;           /* whose data this is */
  GPtrArray *links;          /* (owned) (nullable) */
  PangoAttrList *attributes; /* (owned) (nullable): without those of the links */

  BeckonLabelLink *pressed; /* (nullable): of the links */
  gboolean is_pressing;
  graphene_point_t pressed_at;
  guint entering; /* source: selects a link */
  guint entered;  /* which */
  char *chosen;   /* (owned) (nullable): the address that the context menu is about */
};

G_DEFINE_FINAL_TYPE (BeckonLabelLinks, beckon_label_links, G_TYPE_OBJECT)

#define LONGEST_ADDRESS 4096
#define ADDRESS "beckon-address"
#define OPEN "open"
#define COPY "copy"

gboolean
beckon_link_opener_can_open (const char *address)
{
  static const char *const schemes[] = { "http", "https", "mailto", NULL };
  const char *scheme = address != NULL ? g_uri_peek_scheme (address) : NULL;

  return scheme != NULL && strlen (address) <= LONGEST_ADDRESS && g_strv_contains (schemes, scheme);
}

static void
show_address (GtkWidget *widget, const char *address)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  gtk_show_uri (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, address, GDK_CURRENT_TIME);
}

static void
opener_on_response (GtkWidget *alert, const char *response)
{
  const char *address = g_object_get_data (G_OBJECT (alert), ADDRESS);

  if (g_str_equal (response, OPEN))
    show_address (alert, address);
  else if (g_str_equal (response, COPY))
    gdk_clipboard_set_text (gtk_widget_get_clipboard (alert), address);
}

/* Opens a link in the program that is there for it, if it is one that can be opened. Where the label does not show the whole
 * address, the address is shown first, and the person says whether to open it. */
static void
label_links_open_address (GtkLabel *label, const char *address)
{
  if (!beckon_link_opener_can_open (address))
    return;
  /* A visible address needs no question. */
  if (strstr (gtk_label_get_text (label), address) != NULL)
    show_address (GTK_WIDGET (label), address);
  else
    {
      g_autofree char *shown = beckon_text_for_display (address, -1, BECKON_TEXT_EXACT);
      GtkWidget *alert = beckon_alert_new (_("Open Link?"), shown);

      beckon_alert_add_responses (alert, "cancel", _("_Cancel"), COPY, _("Copy _Address"), OPEN, _("_Open"), NULL);
      beckon_alert_set_appearance (alert, OPEN, ADW_RESPONSE_SUGGESTED);
      beckon_alert_set_defaults (alert, OPEN, "cancel");
      g_object_set_data_full (G_OBJECT (alert), ADDRESS, g_strdup (address), g_free);
      g_signal_connect (alert, "response", G_CALLBACK (opener_on_response), NULL);
      beckon_alert_present (alert, GTK_WIDGET (label));
    }
}

BeckonLabelLink *
beckon_label_link_new (guint start, guint end, const char *address)
{
  BeckonLabelLink *link = g_new0 (BeckonLabelLink, 1);

  link->start = start;
  link->end = end;
  link->address = g_strdup (address);
  return link;
}

void
beckon_label_link_free (BeckonLabelLink *link)
{
  g_free (link->address);
  g_free (link);
}

static guint
label_links_count (BeckonLabelLinks *self)
{
  return self != NULL && self->links != NULL ? self->links->len : 0;
}

static BeckonLabelLink *
label_links_get (BeckonLabelLinks *self, guint index)
{
  return g_ptr_array_index (self->links, index);
}

/* Drawing */

static void
label_links_insert (PangoAttrList *attributes, PangoAttribute *attribute, const BeckonLabelLink *link)
{
  attribute->start_index = link->start;
  attribute->end_index = link->end;
  pango_attr_list_insert (attributes, attribute);
}

static guint16
to_pango (float channel)
{
  return (guint16) (channel * G_MAXUINT16);
}

static void
draw (BeckonLabelLinks *self)
{
  const GdkRGBA *colour = adw_style_manager_get_dark (adw_style_manager_get_default ()) ? &dark_colour : &light_colour;
  PangoAttrList *attributes;

  if (label_links_count (self) == 0)
    {
      gtk_label_set_attributes (self->label, self->attributes);
      return;
    }
  attributes = self->attributes != NULL ? pango_attr_list_copy (self->attributes) : pango_attr_list_new ();
  for (guint i = 0; i < label_links_count (self); i++)
    {
      label_links_insert (attributes, pango_attr_underline_new (PANGO_UNDERLINE_SINGLE), label_links_get (self, i));
      label_links_insert (attributes, pango_attr_foreground_new (to_pango (colour->red), to_pango (colour->green),
                                                                 to_pango (colour->blue)),
                          label_links_get (self, i));
    }
  gtk_label_set_attributes (self->label, attributes);
  pango_attr_list_unref (attributes);
}

/* Pointing */

static BeckonLabelLink *
find_at (BeckonLabelLinks *self, double x, double y)
{
  PangoLayout *layout = gtk_label_get_layout (self->label);
  int left, top, index, trailing;

  gtk_label_get_layout_offsets (self->label, &left, &top);
  if (!pango_layout_xy_to_index (layout, (int) ((x - left) * PANGO_SCALE), (int) ((y - top) * PANGO_SCALE), &index, &trailing))
    return NULL;
  for (guint i = 0; i < label_links_count (self); i++)
    if ((guint) index >= label_links_get (self, i)->start && (guint) index < label_links_get (self, i)->end)
      return label_links_get (self, i);
  return NULL;
}

static void
on_motion (BeckonLabelLinks *self, double x, double y)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->label), find_at (self, x, y) != NULL ? "pointer" : "text");
}

/* As a tooltip's text, which is no markup; not over an open menu. */
static gboolean
on_query_tooltip (BeckonLabelLinks *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  gboolean is_wanted = !keyboard && !gtk_widget_has_css_class (GTK_WIDGET (self->label), BECKON_CONTEXT_MENU_OPEN);
  BeckonLabelLink *link = is_wanted ? find_at (self, x, y) : NULL;
  g_autofree char *shown = link != NULL ? beckon_text_for_display (link->address, -1, BECKON_TEXT_EXACT) : NULL;

  if (link != NULL)
    gtk_tooltip_set_text (tooltip, shown);
  return link != NULL;
}

static gboolean
get_place (BeckonLabelLinks *self, GdkEvent *event, graphene_point_t *place)
{
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (self->label));
  double x, y, left, top;

  if (native == NULL || !gdk_event_get_position (event, &x, &y))
    return FALSE;
  gtk_native_get_surface_transform (native, &left, &top);
  return gtk_widget_compute_point (GTK_WIDGET (native), GTK_WIDGET (self->label),
                                   &GRAPHENE_POINT_INIT ((float) (x - left), (float) (y - top)), place);
}

static gboolean popup_menu (BeckonLabelLinks *self, BeckonLabelLink *link, const graphene_point_t *at);

static gboolean
press (BeckonLabelLinks *self, GdkEvent *event)
{
  BeckonLabelLink *link;

  self->is_pressing = TRUE;
  self->pressed = NULL;
  if (!get_place (self, event, &self->pressed_at))
    return GDK_EVENT_PROPAGATE;
  link = find_at (self, self->pressed_at.x, self->pressed_at.y);
  if (gdk_event_triggers_context_menu (event))
    return popup_menu (self, link, &self->pressed_at);
  if (gdk_event_get_event_type (event) == GDK_TOUCH_BEGIN || gdk_button_event_get_button (event) == GDK_BUTTON_PRIMARY)
    self->pressed = link;
  return GDK_EVENT_PROPAGATE;
}

static void
label_links_release (BeckonLabelLinks *self, GdkEvent *event)
{
  BeckonLabelLink *link = g_steal_pointer (&self->pressed);
  graphene_point_t place;

  self->is_pressing = FALSE;
  if (link != NULL && get_place (self, event, &place) && find_at (self, place.x, place.y) == link &&
      graphene_point_distance (&place, &self->pressed_at, NULL, NULL) <= CLICK_DISTANCE)
    label_links_open_address (self->label, link->address);
}

/* Mostly looked at: the label goes on to select and to drag. Its own gesture claims each press. */
static gboolean
label_links_on_event (BeckonLabelLinks *self, GdkEvent *event)
{
  switch ((int) gdk_event_get_event_type (event))
    {
    case GDK_BUTTON_PRESS:
    case GDK_TOUCH_BEGIN:
      return press (self, event);
    case GDK_BUTTON_RELEASE:
    case GDK_TOUCH_END:
      label_links_release (self, event);
      break;
    case GDK_TOUCH_CANCEL:
      self->is_pressing = FALSE;
      self->pressed = NULL;
      break;
    default:
      break;
    }
  return GDK_EVENT_PROPAGATE;
}

/* Keys: the link whose text is selected is the one they are about. */

static int
get_offset (BeckonLabelLinks *self, guint at)
{
  const char *text = gtk_label_get_text (self->label);

  return (int) g_utf8_pointer_to_offset (text, text + at);
}

static int
find_selected (BeckonLabelLinks *self)
{
  int start, end;

  if (!gtk_label_get_selection_bounds (self->label, &start, &end))
    return -1;
  for (guint i = 0; i < label_links_count (self); i++)
    if (get_offset (self, label_links_get (self, i)->start) == start
        && get_offset (self, label_links_get (self, i)->end) == end)
      return (int) i;
  return -1;
}

static void
label_links_describe (BeckonLabelLinks *self, const BeckonLabelLink *link)
{
  g_autofree char *shown = link != NULL ? beckon_text_for_display (link->address, -1, BECKON_TEXT_EXACT) : NULL;
  /* Translators: said by a screen reader of the link that the keyboard is at; %s is where it leads */
  g_autofree char *words = link != NULL ? beckon_text_printf (_("Link to %s"), shown) : NULL;

  if (words != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (self->label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

static void
select_link (BeckonLabelLinks *self, guint index)
{
  BeckonLabelLink *link = label_links_get (self, index);

  gtk_label_select_region (self->label, get_offset (self, link->start), get_offset (self, link->end));
  label_links_describe (self, link);
}

static gboolean
is_shift_held (GtkWidget *widget)
{
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (widget));
  GdkDevice *keyboard = seat != NULL ? gdk_seat_get_keyboard (seat) : NULL;

  return keyboard != NULL && (gdk_device_get_modifier_state (keyboard) & GDK_SHIFT_MASK) != 0;
}

/* By Tab, the first link; back by Shift+Tab, the last. */
static gboolean
select_entered (gpointer user_data)
{
  BeckonLabelLinks *self = user_data;

  self->entering = 0;
  if (self->entered < label_links_count (self))
    select_link (self, self->entered);
  return G_SOURCE_REMOVE;
}

/* A press places the cursor. A label that has got the focus by a key selects all of its text or nothing, after this. */
static void
on_focus_enter (BeckonLabelLinks *self)
{
  int selected = find_selected (self);

  if (label_links_count (self) == 0 || self->is_pressing)
    return;
  self->entered = selected >= 0 ? (guint) selected
                  : is_shift_held (GTK_WIDGET (self->label)) ? label_links_count (self) - 1
                                                             : 0;
  if (self->entering == 0)
    self->entering = g_idle_add_full (G_PRIORITY_HIGH_IDLE, select_entered, self, NULL);
}

static void
on_focus_leave (BeckonLabelLinks *self)
{
  g_clear_handle_id (&self->entering, g_source_remove);
  /* The focus comes back from its menu. */
  if (gtk_widget_has_css_class (GTK_WIDGET (self->label), BECKON_CONTEXT_MENU_OPEN))
    return;
  if (find_selected (self) >= 0)
    gtk_label_select_region (self->label, 0, 0);
  label_links_describe (self, NULL);
}

static gboolean
label_links_move (BeckonLabelLinks *self, int by)
{
  int next = find_selected (self) + by;

  if (find_selected (self) < 0 || next < 0 || next >= (int) label_links_count (self))
    return GDK_EVENT_PROPAGATE;
  select_link (self, (guint) next);
  return GDK_EVENT_STOP;
}

static gboolean
on_key (BeckonLabelLinks *self, guint keyval, guint keycode, GdkModifierType state)
{
  GdkModifierType held = state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK);
  int selected = find_selected (self);

  if (keyval == GDK_KEY_Menu || (keyval == GDK_KEY_F10 && held == GDK_SHIFT_MASK))
    return popup_menu (self, selected >= 0 ? label_links_get (self, (guint) selected) : NULL, NULL);
  else if ((keyval == GDK_KEY_Tab || keyval == GDK_KEY_KP_Tab) && held == 0)
    return label_links_move (self, 1);
  else if ((keyval == GDK_KEY_Tab || keyval == GDK_KEY_KP_Tab || keyval == GDK_KEY_ISO_Left_Tab) && held == GDK_SHIFT_MASK)
    return label_links_move (self, -1);
  else if (beckon_key_is_enter (keyval) && held == 0)
    {
      if (selected < 0)
        return GDK_EVENT_PROPAGATE;
      label_links_open_address (self->label, label_links_get (self, (guint) selected)->address);
      return GDK_EVENT_STOP;
    }
  return GDK_EVENT_PROPAGATE;
}

/* The menu */

static void
label_links_on_open (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonLabelLinks *self = user_data;

  if (self->chosen != NULL)
    label_links_open_address (self->label, self->chosen);
}

static void
label_links_on_copy (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonLabelLinks *self = user_data;

  if (self->chosen != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->label)), self->chosen);
}

/* Screen readers do not see a label's own menu in newer GTK, so this is another. */
static gboolean
popup_menu (BeckonLabelLinks *self, BeckonLabelLink *link, const graphene_point_t *at)
{
  static const GActionEntry entries[]
      = { { .name = "open", .activate = label_links_on_open }, { .name = "copy", .activate = label_links_on_copy } };
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  graphene_point_t middle;
  PangoRectangle place;
  int left, top;

  if (link == NULL)
    return GDK_EVENT_PROPAGATE;
  g_menu_append (menu, _("_Open Link"), "link.open");
  g_menu_append (menu, _("Copy _Address"), "link.copy");
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  /* They keep the label: text that is written goes on changing below its menu. */
  g_object_set_data_full (G_OBJECT (actions), KEY, g_object_ref (self->label), g_object_unref);

  /* The middle of a link's first line. */
  gtk_label_get_layout_offsets (self->label, &left, &top);
  pango_layout_index_to_pos (gtk_label_get_layout (self->label), (int)link->start, &place);
  middle = GRAPHENE_POINT_INIT ((float)(left + PANGO_PIXELS (place.x)),
                                (float)(top + PANGO_PIXELS (place.y + place.height)));
  g_free (self->chosen);
  self->chosen = g_strdup (link->address);
  self->is_pressing = FALSE;
  beckon_context_menu_popup_with (G_MENU_MODEL (menu), "link", G_ACTION_GROUP (actions), _("Link menu"),
                                  gtk_widget_get_parent (GTK_WIDGET (self->label)), GTK_WIDGET (self->label),
                                  at != NULL ? at : &middle);
  return GDK_EVENT_STOP;
}

/* The whole */

static void
beckon_label_links_finalize (GObject *object)
{
  BeckonLabelLinks *self = BECKON_LABEL_LINKS (object);

  g_clear_handle_id (&self->entering, g_source_remove);
  g_clear_pointer (&self->links, g_ptr_array_unref);
  g_clear_pointer (&self->attributes, pango_attr_list_unref);
  g_free (self->chosen);
  G_OBJECT_CLASS (beckon_label_links_parent_class)->finalize (object);
}

static void
beckon_label_links_class_init (BeckonLabelLinksClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_label_links_finalize;
}

static void
beckon_label_links_init (BeckonLabelLinks *self)
{
}

static void
label_links_add (BeckonLabelLinks *self, GtkEventController *controller, GtkPropagationPhase phase)
{
  gtk_event_controller_set_propagation_phase (controller, phase);
  gtk_widget_add_controller (GTK_WIDGET (self->label), controller);
}

static BeckonLabelLinks *
find_links (GtkLabel *label)
{
  return g_object_get_data (G_OBJECT (label), KEY);
}

/* Most labels have no link and need nothing. */
static BeckonLabelLinks *
ensure (GtkLabel *label)
{
  BeckonLabelLinks *self = find_links (label);
  GtkEventController *motion, *events, *focus, *keys;

  if (self != NULL)
    return self;
  self = g_object_new (BECKON_TYPE_LABEL_LINKS, NULL);
  self->label = label;
  g_object_set_data_full (G_OBJECT (label), KEY, self, g_object_unref);
  motion = gtk_event_controller_motion_new ();
  g_signal_connect_object (motion, "motion", G_CALLBACK (on_motion), self, G_CONNECT_SWAPPED);
  label_links_add (self, motion, GTK_PHASE_BUBBLE);
  events = gtk_event_controller_legacy_new ();
  g_signal_connect_object (events, "event", G_CALLBACK (label_links_on_event), self, G_CONNECT_SWAPPED);
  label_links_add (self, events, GTK_PHASE_CAPTURE);
  focus = gtk_event_controller_focus_new ();
  g_signal_connect_object (focus, "enter", G_CALLBACK (on_focus_enter), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (on_focus_leave), self, G_CONNECT_SWAPPED);
  label_links_add (self, focus, GTK_PHASE_BUBBLE);
  keys = gtk_event_controller_key_new ();
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_key), self, G_CONNECT_SWAPPED);
  label_links_add (self, keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (self->label, "query-tooltip", G_CALLBACK (on_query_tooltip), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (draw), self, G_CONNECT_SWAPPED);
  return self;
}

void
beckon_label_links_set (GtkLabel *label, GPtrArray *links, PangoAttrList *attributes)
{
  BeckonLabelLinks *self;

  if ((links == NULL || links->len == 0) && find_links (label) == NULL)
    {
      gtk_label_set_attributes (label, attributes);
      return;
    }
  self = ensure (label);
  self->pressed = NULL;
  g_clear_pointer (&self->links, g_ptr_array_unref);
  self->links = links != NULL ? g_ptr_array_ref (links) : NULL;
  g_clear_pointer (&self->attributes, pango_attr_list_unref);
  self->attributes = attributes != NULL ? pango_attr_list_ref (attributes) : NULL;
  gtk_widget_set_has_tooltip (GTK_WIDGET (label), label_links_count (self) > 0);
  if (label_links_count (self) > 0)
    gtk_widget_set_focusable (GTK_WIDGET (label), TRUE);
  draw (self);
}

guint
beckon_label_links_count (GtkLabel *label)
{
  return label_links_count (find_links (label));
}

const char *
beckon_label_links_find (GtkLabel *label, double x, double y)
{
  BeckonLabelLinks *self = find_links (label);
  BeckonLabelLink *link = self != NULL ? find_at (self, x, y) : NULL;

  return link != NULL ? link->address : NULL;
}
