/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer-private.h"

#include "ui/widgets/beckon-adaptive-switch.h"
#include "ui/widgets/beckon-text-height.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE (BeckonComposer, beckon_composer, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_SEND,
  SIGNAL_CHANGED,
  SIGNAL_UP,
  SIGNAL_SUBMIT,
  SIGNAL_ADVANCE,
} BeckonComposerSignal;

static guint signals[SIGNAL_ADVANCE + 1];

char *
beckon_composer_dup_draft (BeckonComposer *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (gtk_text_view_get_buffer (self->text_view), &start, &end);
  return gtk_text_iter_get_text (&start, &end);
}

char *
beckon_composer_dup_text (BeckonComposer *self)
{
  g_autofree char *text = g_strstrip (beckon_composer_dup_draft (self));

  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

gboolean
beckon_composer_has_something (BeckonComposer *self)
{
  g_autofree char *text = beckon_composer_dup_text (self);
  g_auto (GStrv) reading = beckon_attachment_loader_dup_reading (self->loader);

  return text != NULL || reading[0] != NULL
         || g_list_model_get_n_items (G_LIST_MODEL (beckon_attachment_loader_get_files (self->loader))) > 0;
}

static gboolean
composer_is_empty (BeckonComposer *self)
{
  return gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (self->text_view)) == 0 && !self->composing;
}

static gboolean
can_send (BeckonComposer *self)
{
  g_auto (GStrv) reading = beckon_attachment_loader_dup_reading (self->loader);

  return !self->locked && reading[0] == NULL && beckon_composer_has_something (self);
}

void
beckon_composer_update (BeckonComposer *self)
{
  gboolean fixed = self->locked;

  gtk_text_view_set_editable (self->text_view, !fixed);
  gtk_widget_set_sensitive (self->attach_button, !fixed);
  gtk_widget_set_sensitive (self->screenshot_button, !fixed);
  beckon_file_strip_set_locked (self->strip, fixed);
  gtk_widget_set_sensitive (self->send_button, can_send (self));
  gtk_widget_set_visible (GTK_WIDGET (self->placeholder_bin), composer_is_empty (self));
  beckon_queue_strip_set_can_edit (self->queue_strip, !self->locked && !beckon_composer_is_editing (self)
                                   && !beckon_composer_has_something (self));
  beckon_composer_update_vision (self);
}

void
beckon_composer_emit_changed (BeckonComposer *self)
{
  if (beckon_composer_is_editing (self))
    return;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
on_buffer_changed (BeckonComposer *self)
{
  beckon_composer_update (self);
  if (self->replacing)
    return;
  beckon_composer_forget_history (self);
  beckon_composer_emit_changed (self);
  beckon_composer_complete (self);
}

void
beckon_composer_set_text (BeckonComposer *self, const char *text)
{
  self->replacing = TRUE;
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text_view), text != NULL ? text : "", -1);
  self->replacing = FALSE;
  beckon_composer_forget_names (self);
}

static void
send (BeckonComposer *self, gboolean as_message)
{
  if (can_send (self) && (as_message || (!beckon_composer_take_word (self) && !beckon_composer_take_command (self))))
    g_signal_emit (self, signals[SIGNAL_SEND], 0, as_message);
}

static void
on_send_clicked (BeckonComposer *self)
{
  send (self, FALSE);
}

static void
composer_on_preedit_changed (BeckonComposer *self, const char *preedit)
{
  self->composing = preedit != NULL && *preedit != '\0';
  beckon_composer_update (self);
}

static gboolean
is_enter (guint keyval)
{
  return keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter || keyval == GDK_KEY_ISO_Enter;
}

static gboolean
has_nothing (BeckonComposer *self)
{
  return !self->locked && !beckon_composer_is_editing (self) && composer_is_empty (self)
         && !beckon_composer_has_something (self);
}

/* A setting makes Enter a new line, but not the first one. */
static gboolean
sends (BeckonComposer *self, GdkModifierType modifiers)
{
  return modifiers == GDK_CONTROL_MASK || modifiers == (GDK_CONTROL_MASK | GDK_SHIFT_MASK)
         || (modifiers == 0 && (!self->needs_control || has_nothing (self)));
}

/* A message is being stored, and the person types on. What is typed then isn't sent by Enter, which ends its line. */
static gboolean
type_ahead (BeckonComposer *self, guint keyval, GdkModifierType modifiers)
{
  gunichar c = gdk_keyval_to_unicode (keyval);

  if (is_enter (keyval) && self->typed_ahead->len > 0)
    c = '\n';
  if (!self->locked || (modifiers & ~GDK_SHIFT_MASK) != 0 || c == 0 || (c != '\n' && g_unichar_iscntrl (c)))
    return FALSE;
  g_string_append_unichar (self->typed_ahead, c);
  return TRUE;
}

/* The input method sees the key first: the Enter that ends a composition is its own. */
static gboolean
composer_on_key_pressed (BeckonComposer *self, guint keyval, guint keycode, GdkModifierType state,
                         GtkEventControllerKey *controller)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (controller));

  if (beckon_composer_complete_key (self, keyval, modifiers) || type_ahead (self, keyval, modifiers))
    return GDK_EVENT_STOP;
  if ((keyval == GDK_KEY_Up || keyval == GDK_KEY_Down) && modifiers == 0 && beckon_composer_history_key (self, keyval))
    return GDK_EVENT_STOP;
  if (keyval == GDK_KEY_Up && (modifiers == GDK_CONTROL_MASK || modifiers == 0) && composer_is_empty (self))
    {
      g_signal_emit (self, signals[SIGNAL_UP], 0);
      return GDK_EVENT_STOP;
    }
  if (!is_enter (keyval) || !sends (self, modifiers))
    return GDK_EVENT_PROPAGATE;
  if (event != NULL && gtk_text_view_im_context_filter_keypress (self->text_view, event))
    return GDK_EVENT_STOP;
  if (!self->composing)
    {
      /* With nothing written Ctrl+Enter is about the card that waits and Enter about what is queued. */
      if (!has_nothing (self))
        send (self, (modifiers & GDK_SHIFT_MASK) != 0);
      else if (modifiers == GDK_CONTROL_MASK)
        g_signal_emit (self, signals[SIGNAL_SUBMIT], 0);
      else if (modifiers == 0 && !self->enter_is_held)
        g_signal_emit (self, signals[SIGNAL_ADVANCE], 0);
    }
  self->enter_is_held = TRUE;
  return GDK_EVENT_STOP;
}

/* An Enter that queued a message and is held on does not send it, too. */
static void
on_key_released (BeckonComposer *self, guint keyval)
{
  if (is_enter (keyval))
    self->enter_is_held = FALSE;
}

gboolean
beckon_composer_take_key (BeckonComposer *self, GtkEventControllerKey *controller)
{
  beckon_composer_focus (self);
  return gtk_event_controller_key_forward (controller, GTK_WIDGET (self->text_view));
}

static void
on_focus_left (BeckonComposer *self)
{
  self->enter_is_held = FALSE;
}

void
beckon_composer_set_locked (BeckonComposer *self, gboolean locked)
{
  self->locked = locked;
  if (locked)
    beckon_composer_close_prompt (self);
  beckon_composer_update (self);
}

void
beckon_composer_write_typed_ahead (BeckonComposer *self)
{
  GtkTextBuffer *buffer;
  GtkTextIter end;

  if (self->typed_ahead->len == 0)
    return;
  buffer = gtk_text_view_get_buffer (self->text_view);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, self->typed_ahead->str, (int) self->typed_ahead->len);
  gtk_text_buffer_place_cursor (buffer, &end);
  g_string_truncate (self->typed_ahead, 0);
}

char *
beckon_composer_take_typed_ahead (BeckonComposer *self)
{
  char *text = self->typed_ahead->len > 0 ? g_strdup (self->typed_ahead->str) : NULL;

  g_string_truncate (self->typed_ahead, 0);
  return text;
}

void
beckon_composer_give_typed_ahead (BeckonComposer *self, const char *text)
{
  g_string_assign (self->typed_ahead, text != NULL ? text : "");
}

void
beckon_composer_set_placeholder (BeckonComposer *self, const char *placeholder)
{
  gtk_label_set_text (self->long_placeholder, placeholder);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text_view), GTK_ACCESSIBLE_PROPERTY_PLACEHOLDER, placeholder, -1);
}

void
beckon_composer_set_needs_control (BeckonComposer *self, gboolean needs_control)
{
  self->needs_control = needs_control;
}

void
beckon_composer_set_checks_spelling (BeckonComposer *self, gboolean checks_spelling)
{
  beckon_speller_set_enabled (self->speller, checks_spelling);
}

void
beckon_composer_set_conversations (BeckonComposer *self, GListModel *conversations)
{
  beckon_composer_bar_set_conversations (self->bar, conversations);
}

void
beckon_composer_set_hint (BeckonComposer *self, const char *hint, const char *more)
{
  beckon_composer_bar_set_hint (self->bar, hint, more);
}

gboolean
beckon_composer_get_needs_control (BeckonComposer *self)
{
  return self->needs_control;
}

void
beckon_composer_focus (BeckonComposer *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->text_view));
}

static void
beckon_composer_dispose (GObject *object)
{
  BeckonComposer *self = BECKON_COMPOSER (object);

  if (self->text_view != NULL)
    g_signal_handlers_disconnect_by_data (gtk_text_view_get_buffer (self->text_view), self);
  beckon_composer_set_conversation (self, NULL);
  g_clear_object (&self->profiles);
  g_clear_object (&self->agent);
  g_clear_object (&self->servers);
  g_clear_object (&self->speller);
  beckon_composer_dispose_vision (self);
  beckon_composer_dispose_files (self);
  G_OBJECT_CLASS (beckon_composer_parent_class)->dispose (object);
}

static void
beckon_composer_finalize (GObject *object)
{
  g_string_free (BECKON_COMPOSER (object)->typed_ahead, TRUE);
  G_OBJECT_CLASS (beckon_composer_parent_class)->finalize (object);
}

static void
composer_bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/composer.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, text_view);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, placeholder_bin);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, long_placeholder);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, short_placeholder);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, send_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, queue_strip);
  gtk_widget_class_bind_template_callback (widget_class, composer_on_preedit_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_send_clicked);
}

static void
beckon_composer_class_init (BeckonComposerClass *klass)
{
  g_type_ensure (BECKON_TYPE_COMPOSER_BAR);
  g_type_ensure (BECKON_TYPE_QUEUE_STRIP);
  G_OBJECT_CLASS (klass)->dispose = beckon_composer_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_composer_finalize;
  signals[SIGNAL_SEND] = g_signal_new ("send", BECKON_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                       G_TYPE_BOOLEAN);
  signals[SIGNAL_CHANGED] =
      g_signal_new ("changed", BECKON_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_UP] = g_signal_new ("up", BECKON_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_SUBMIT] =
      g_signal_new ("submit", BECKON_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ADVANCE] =
      g_signal_new ("advance", BECKON_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  composer_bind_template (GTK_WIDGET_CLASS (klass));
  beckon_composer_install_files (GTK_WIDGET_CLASS (klass));
  beckon_composer_install_vision (GTK_WIDGET_CLASS (klass));
  beckon_composer_install_edit (GTK_WIDGET_CLASS (klass));
  beckon_composer_install_complete (GTK_WIDGET_CLASS (klass));
  beckon_composer_install_servers (GTK_WIDGET_CLASS (klass));
}

static void
beckon_composer_init (BeckonComposer *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  adw_bin_set_child (self->placeholder_bin, beckon_adaptive_switch_new (GTK_WIDGET (self->long_placeholder),
                                                                        self->short_placeholder, 0));
  self->typed_ahead = g_string_new (NULL);
  beckon_text_height_follow (self->text_view);
  g_signal_connect_swapped (gtk_text_view_get_buffer (self->text_view), "changed", G_CALLBACK (on_buffer_changed), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (composer_on_key_pressed), self);
  g_signal_connect_swapped (keys, "key-released", G_CALLBACK (on_key_released), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_focus_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self->text_view), focus);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (GTK_WIDGET (self->text_view), keys);
  self->speller = beckon_speller_new (self->text_view);
  beckon_composer_init_files (self);
  beckon_composer_set_placeholder (self, _("Message"));
}
