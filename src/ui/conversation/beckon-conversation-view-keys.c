/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-conversation-view-private.h"

/* The keys of a decision, and the way from region to region. A key that approves is seen before anything else sees it: held,
 * it answers once, however many cards come behind the one it was pressed for. A held Enter stays with the widget that it was
 * pressed in: the focus leaves a card for the composer, where it would send. All others are seen last: an entry keeps the keys
 * that it uses. Letters that nothing uses are written in the composer. */

static gboolean
is_enter (guint keyval)
{
  return keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter || keyval == GDK_KEY_ISO_Enter;
}

static GdkModifierType
get_modifiers (GdkModifierType state)
{
  return state & gtk_accelerator_get_default_mod_mask ();
}

static gboolean
on_key_captured (BeckonConversationView *self, guint keyval, guint keycode, GdkModifierType state)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  gboolean decides = get_modifiers (state) == GDK_CONTROL_MASK;

  if (!is_enter (keyval))
    return GDK_EVENT_PROPAGATE;
  if (self->is_held && self->held_key == keycode)
    return decides || focus != self->held_focus;
  self->held_key = keycode;
  self->is_held = TRUE;
  g_set_weak_pointer (&self->held_focus, focus);
  if (!decides || !beckon_dock_has_focus (self->dock))
    return GDK_EVENT_PROPAGATE;
  beckon_dock_submit (self->dock);
  return GDK_EVENT_STOP;
}

static void
on_key_released (BeckonConversationView *self, guint keyval, guint keycode)
{
  if (keycode == self->held_key)
    self->is_held = FALSE;
}

/* A release elsewhere is not seen here. */
static void
on_focus_left (BeckonConversationView *self)
{
  self->is_held = FALSE;
}

static gboolean
view_keys_has_focus (GtkWidget *widget)
{
  return (gtk_widget_get_state_flags (widget) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

/* Whether a key that nothing else used begins a message. A card has digits of its own, and so has what is open in front. */
static gboolean
is_writing (BeckonConversationView *self, guint keyval, GdkModifierType modifiers)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = gtk_root_get_focus (root);

  return (modifiers & ~GDK_SHIFT_MASK) == 0 && g_unichar_isgraph (gdk_keyval_to_unicode (keyval))
         && self->conversation != NULL && focus != NULL && gtk_widget_get_native (focus) == GTK_NATIVE (root)
         && !view_keys_has_focus (GTK_WIDGET (self->dock)) && !view_keys_has_focus (GTK_WIDGET (self->find_bar));
}

static gboolean
on_key_left_over (BeckonConversationView *self, guint keyval, guint keycode, GdkModifierType state,
                  GtkEventControllerKey *controller)
{
  GdkModifierType modifiers = get_modifiers (state);

  if (modifiers == GDK_CONTROL_MASK && is_enter (keyval))
    return !beckon_composer_has_something (self->composer) && beckon_dock_submit (self->dock);
  if (modifiers == GDK_CONTROL_MASK && keyval == GDK_KEY_e)
    return beckon_dock_edit (self->dock);
  if (modifiers == GDK_CONTROL_MASK && keyval == GDK_KEY_d)
    return beckon_dock_deny (self->dock);
  if (modifiers == GDK_ALT_MASK && (keyval == GDK_KEY_Up || keyval == GDK_KEY_KP_Up))
    return beckon_dock_move (self->dock, -1);
  if (modifiers == GDK_ALT_MASK && (keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down))
    return beckon_dock_move (self->dock, 1);
  if (modifiers == 0 && keyval == GDK_KEY_Escape && beckon_dock_get_request (self->dock) != NULL
      && !beckon_dock_get_folded (self->dock))
    {
      beckon_dock_set_folded (self->dock, TRUE);
      return GDK_EVENT_STOP;
    }
  if (is_writing (self, keyval, modifiers))
    return beckon_composer_take_key (self->composer, controller);
  return GDK_EVENT_PROPAGATE;
}

void
beckon_conversation_view_add_keys (BeckonConversationView *self)
{
  GtkEventController *first = gtk_event_controller_key_new ();
  GtkEventController *last = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_event_controller_set_propagation_phase (first, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (first, "key-pressed", G_CALLBACK (on_key_captured), self);
  g_signal_connect_swapped (first, "key-released", G_CALLBACK (on_key_released), self);
  g_signal_connect_swapped (last, "key-pressed", G_CALLBACK (on_key_left_over), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_focus_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self), first);
  gtk_widget_add_controller (GTK_WIDGET (self), last);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
}

typedef enum
{
  REGION_TRANSCRIPT,
  REGION_DOCK,
  REGION_COMPOSER,
  N_REGIONS,
} Region;

static GtkWidget *
get_region (BeckonConversationView *self, Region region)
{
  switch (region)
    {
    case REGION_TRANSCRIPT:
      return GTK_WIDGET (self->transcript);

    case REGION_DOCK:
      return GTK_WIDGET (self->dock);

    case REGION_COMPOSER:
    case N_REGIONS:
    default:
      return GTK_WIDGET (self->composer);
    }
}

/* A card that was set aside stays so: its line gets the focus. */
static gboolean
enter_region (BeckonConversationView *self, Region region)
{
  if (region == REGION_COMPOSER)
    beckon_composer_focus (self->composer);
  else if (region == REGION_DOCK && !beckon_dock_get_folded (self->dock))
    return beckon_dock_focus (self->dock);
  else
    return gtk_widget_child_focus (get_region (self, region), GTK_DIR_TAB_FORWARD);
  return TRUE;
}

gboolean
beckon_conversation_view_step_region (BeckonConversationView *self, int step)
{
  int at = step > 0 ? -1 : N_REGIONS;

  for (int i = 0; i < N_REGIONS; i++)
    if (view_keys_has_focus (get_region (self, (Region) i)))
      at = i;
  for (at += step; at >= 0 && at < N_REGIONS; at += step)
    if (gtk_widget_get_mapped (get_region (self, (Region) at)) && enter_region (self, (Region) at))
      return TRUE;
  return FALSE;
}
