/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-form-control.h"

#include "base/beckon-text.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-scrolled.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Lines that are shown at once; what is longer scrolls. */
#define MOST_HEIGHT 200

#define MASK "••••••"

struct _BeckonFormControl
{
  AdwBin parent_instance;

  BeckonForm *form;       /* (owned) */
  BeckonFormField *field; /* (owned) */
  GtkWidget *inner;       /* what is edited with */
  gboolean is_updating;   /* it is the form that changes the widget */
  gboolean is_typing;     /* it is the widget that changes the form */
};

G_DEFINE_FINAL_TYPE (BeckonFormControl, beckon_form_control, ADW_TYPE_BIN)

static gboolean
has_lines (const BeckonFormField *field)
{
  return field->kind == BECKON_FORM_RAW || (field->kind == BECKON_FORM_TEXT && field->is_multiline);
}

static gboolean
is_shut (const BeckonFormField *field)
{
  return field->access != BECKON_FORM_EDITABLE || field->kind == BECKON_FORM_CONST || (!field->is_present && !field->is_open);
}

/* --- From the widget to the form ---------------------------------------------------------------------------------- */

/* Refused text is not left to look accepted. */
static void
type (BeckonFormControl *self, const char *text)
{
  gboolean taken;

  if (self->is_updating)
    return;
  self->is_typing = TRUE;
  taken = beckon_form_type (self->form, self->field, text);
  self->is_typing = FALSE;
  if (!taken)
    beckon_form_control_update (self, self->field);
}

static void
on_entry_changed (BeckonFormControl *self)
{
  type (self, gtk_editable_get_text (GTK_EDITABLE (self->inner)));
}

static void
on_lines_changed (BeckonFormControl *self, GtkTextBuffer *buffer)
{
  GtkTextIter start, end;
  g_autofree char *text = NULL;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  type (self, text);
}

static void
control_on_switched (BeckonFormControl *self)
{
  if (!self->is_updating
      && !beckon_form_switch (self->form, self->field, gtk_switch_get_active (GTK_SWITCH (self->inner))))
    beckon_form_control_update (self, self->field);
}

static void
on_selected (BeckonFormControl *self)
{
  guint option = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->inner));

  if (!self->is_updating && option != GTK_INVALID_LIST_POSITION && (int) option != self->field->chosen
      && !beckon_form_choose (self->form, self->field, option))
    beckon_form_control_update (self, self->field);
}

static void
on_less (BeckonFormControl *self)
{
  beckon_form_step (self->form, self->field, -1);
}

static void
on_more (BeckonFormControl *self)
{
  beckon_form_step (self->form, self->field, 1);
}

static gboolean
on_number_key (BeckonFormControl *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  if (keyval == GDK_KEY_Up || keyval == GDK_KEY_KP_Up)
    return beckon_form_step (self->form, self->field, 1);
  if (keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down)
    return beckon_form_step (self->form, self->field, -1);
  return FALSE;
}

/* --- Widgets ------------------------------------------------------------------------------------------------------ */

static void
name_widget (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static GtkWidget *
make_words (BeckonFormControl *self)
{
  GtkWidget *label = beckon_line_new (NULL, self->field->is_present ? "form-words" : "dim-label");

  gtk_label_set_selectable (GTK_LABEL (label), self->field->is_present && self->field->access != BECKON_FORM_MASKED);
  gtk_widget_set_hexpand (label, TRUE);
  self->inner = label;
  return label;
}

static void
add_shortcut (GtkEventController *shortcuts, const char *keys, const char *action)
{
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (shortcuts),
                                        gtk_shortcut_new (gtk_shortcut_trigger_parse_string (keys),
                                                          gtk_named_action_new (action)));
}

static GtkWidget *
make_entry (BeckonFormControl *self)
{
  GtkWidget *entry = self->field->is_secret ? gtk_password_entry_new () : gtk_entry_new ();
  GtkEventController *shortcuts;

  if (self->field->is_secret)
    gtk_password_entry_set_show_peek_icon (GTK_PASSWORD_ENTRY (entry), TRUE);

  /* All fields share a history: the toolkit's field would take the keys for its own, which has none. */
  shortcuts = gtk_shortcut_controller_new ();
  gtk_editable_set_enable_undo (GTK_EDITABLE (entry), FALSE);
  gtk_event_controller_set_propagation_phase (shortcuts, GTK_PHASE_CAPTURE);
  add_shortcut (shortcuts, "<Control>z", "form.undo");
  add_shortcut (shortcuts, "<Control><Shift>z|<Control>y", "form.redo");
  gtk_widget_add_controller (entry, shortcuts);

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 6);
  gtk_widget_set_hexpand (entry, TRUE);
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_entry_changed), self, G_CONNECT_SWAPPED);
  self->inner = entry;
  return entry;
}

static GtkWidget *
make_step_button (BeckonFormControl *self, const char *icon, const char *words, GCallback callback)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  g_autofree char *name = beckon_text_fill_in (words, self->field->title);

  name_widget (button, name);
  gtk_widget_set_focus_on_click (button, FALSE);
  g_signal_connect_object (button, "clicked", callback, self, G_CONNECT_SWAPPED);
  return button;
}

static GtkWidget *
make_number (BeckonFormControl *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkWidget *entry = make_entry (self);

  if (GTK_IS_ENTRY (entry))
    gtk_entry_set_input_purpose (GTK_ENTRY (entry), GTK_INPUT_PURPOSE_NUMBER);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_number_key), self, G_CONNECT_SWAPPED);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (entry, keys);
  gtk_widget_add_css_class (box, "linked");
  gtk_box_append (GTK_BOX (box), entry);
  /* Translators: the names of two buttons beside a number, which is named */
  gtk_box_append (GTK_BOX (box), make_step_button (self, "list-remove-symbolic", _("Less: %s"), G_CALLBACK (on_less)));
  gtk_box_append (GTK_BOX (box), make_step_button (self, "list-add-symbolic", _("More: %s"), G_CALLBACK (on_more)));
  return box;
}

static GtkWidget *
make_lines (BeckonFormControl *self)
{
  GtkWidget *view = gtk_text_view_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  gboolean is_long = beckon_text_has_long_line (self->field->text);

  gtk_text_buffer_set_enable_undo (buffer, FALSE);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), self->field->kind == BECKON_FORM_RAW);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 7);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 7);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 9);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 9);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), is_long ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), is_long ? GTK_WRAP_NONE : GTK_WRAP_WORD_CHAR);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), MOST_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  beckon_text_height_follow (GTK_TEXT_VIEW (view));
  beckon_scroll_past (scroller);
  gtk_widget_add_css_class (scroller, "form-lines");
  gtk_widget_set_hexpand (scroller, TRUE);
  g_signal_connect_object (buffer, "changed", G_CALLBACK (on_lines_changed), self, G_CONNECT_SWAPPED);
  self->inner = view;
  return scroller;
}

static GtkWidget *
make_switch (BeckonFormControl *self)
{
  GtkWidget *widget = gtk_switch_new ();

  gtk_widget_set_halign (widget, GTK_ALIGN_START);
  gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
  g_signal_connect_object (widget, "notify::active", G_CALLBACK (control_on_switched), self, G_CONNECT_SWAPPED);
  self->inner = widget;
  return widget;
}

static GtkWidget *
control_make_list (BeckonFormControl *self)
{
  GtkStringList *list = gtk_string_list_new (NULL);
  GtkWidget *widget;

  for (guint i = 0; i < self->field->options->len; i++)
    gtk_string_list_append (list, g_ptr_array_index (self->field->options, i));
  widget = gtk_drop_down_new (G_LIST_MODEL (list), NULL);
  beckon_short_list_apply (GTK_DROP_DOWN (widget));
  gtk_widget_set_hexpand (widget, TRUE);
  self->inner = widget;
  return widget;
}

static void
on_picked (BeckonFormControl *self, GtkCheckButton *check)
{
  guint option = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), "option"));

  if (!self->is_updating && !beckon_form_pick (self->form, self->field, option, gtk_check_button_get_active (check)))
    beckon_form_control_update (self, self->field);
}

static GtkWidget *
make_checks (BeckonFormControl *self)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, "orientation",
                                 GTK_ORIENTATION_VERTICAL, "spacing", 2, NULL);

  for (guint i = 0; i < self->field->options->len; i++)
    {
      GtkWidget *check = gtk_check_button_new ();

      gtk_check_button_set_child (GTK_CHECK_BUTTON (check),
                                  beckon_line_new (g_ptr_array_index (self->field->options, i), NULL));
      name_widget (check, g_ptr_array_index (self->field->options, i));
      g_object_set_data (G_OBJECT (check), "option", GUINT_TO_POINTER (i));
      g_signal_connect_object (check, "toggled", G_CALLBACK (on_picked), self, G_CONNECT_SWAPPED);
      gtk_box_append (GTK_BOX (box), check);
    }
  self->inner = box;
  return box;
}

static GtkWidget *
make_widget (BeckonFormControl *self)
{
  if (is_shut (self->field))
    return make_words (self);
  switch (self->field->kind)
    {
    case BECKON_FORM_BOOLEAN:
      return make_switch (self);
    case BECKON_FORM_ENUM:
    case BECKON_FORM_CHOICE:
      return control_make_list (self);
    case BECKON_FORM_NUMBER:
    case BECKON_FORM_INTEGER:
      return make_number (self);
    case BECKON_FORM_TEXT:
    case BECKON_FORM_RAW:
      return has_lines (self->field) ? make_lines (self) : make_entry (self);
    case BECKON_FORM_SEVERAL:
      return make_checks (self);
    case BECKON_FORM_OBJECT:
    case BECKON_FORM_ARRAY:
    case BECKON_FORM_CONST:
    default:
      return make_words (self);
    }
}

/* --- From the form to the widget ---------------------------------------------------------------------------------- */

static void
show_value (BeckonFormControl *self)
{
  if (GTK_IS_LABEL (self->inner))
    {
      const BeckonFormField *field = self->field;
      g_autofree char *shown = NULL;

      if (!field->is_present)
        shown = g_strdup (field->proposed != NULL ? _("Taken out") : _("Not given"));
      else if (field->access == BECKON_FORM_MASKED)
        shown = g_strdup (MASK);
      else
        shown = beckon_text_for_display (field->text, -1, BECKON_TEXT_EXACT);
      gtk_label_set_text (GTK_LABEL (self->inner), shown);
    }
  else if (GTK_IS_ENTRY (self->inner) || GTK_IS_PASSWORD_ENTRY (self->inner))
    {
      const char *written = self->field->text != NULL ? self->field->text : "";

      if (strcmp (gtk_editable_get_text (GTK_EDITABLE (self->inner)), written) != 0)
        {
          gtk_editable_set_text (GTK_EDITABLE (self->inner), written);
          gtk_editable_set_position (GTK_EDITABLE (self->inner), -1);
        }
    }
  else if (GTK_IS_TEXT_VIEW (self->inner))
    {
      GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->inner));
      const char *text = self->field->text != NULL ? self->field->text : "";
      g_autofree char *shown = NULL;
      GtkTextIter start, end;

      gtk_text_buffer_get_bounds (buffer, &start, &end);
      shown = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
      if (strcmp (shown, text) != 0)
        gtk_text_buffer_set_text (buffer, text, -1);
    }
  else if (GTK_IS_BOX (self->inner))
    {
      GtkWidget *check = gtk_widget_get_first_child (self->inner);

      for (guint i = 0; check != NULL; i++, check = gtk_widget_get_next_sibling (check))
        gtk_check_button_set_active (GTK_CHECK_BUTTON (check), self->field->picked[i]);
    }
  else if (GTK_IS_SWITCH (self->inner))
    gtk_switch_set_active (GTK_SWITCH (self->inner), self->field->is_on);
  else
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->inner), self->field->chosen >= 0 ? (guint) self->field->chosen
                                : GTK_INVALID_LIST_POSITION);
}

static gboolean
has_same_options (const BeckonFormField *one, const BeckonFormField *other)
{
  guint n = one->options != NULL ? one->options->len : 0;

  if (n != (other->options != NULL ? other->options->len : 0))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (strcmp (g_ptr_array_index (one->options, i), g_ptr_array_index (other->options, i)) != 0)
        return FALSE;
    }
  return TRUE;
}

gboolean
beckon_form_control_suits (BeckonFormControl *self, BeckonFormField *field)
{
  const BeckonFormField *own = self->field;

  return is_shut (own) == is_shut (field) && own->access == field->access
         && (own->is_open || own->is_present == field->is_present) && own->kind == field->kind
         && own->is_secret == field->is_secret && has_lines (own) == has_lines (field) && has_same_options (own, field);
}

void
beckon_form_control_update (BeckonFormControl *self, BeckonFormField *field)
{
  BeckonFormField *before = self->field;

  self->field = beckon_form_field_ref (field);
  g_clear_pointer (&before, beckon_form_field_unref);
  if (self->is_typing)
    return;
  self->is_updating = TRUE;
  show_value (self);
  self->is_updating = FALSE;
}

GtkWidget *
beckon_form_control_get_inner (BeckonFormControl *self)
{
  return self->inner;
}

static void
beckon_form_control_dispose (GObject *object)
{
  BeckonFormControl *self = BECKON_FORM_CONTROL (object);

  g_clear_object (&self->form);
  g_clear_pointer (&self->field, beckon_form_field_unref);
  G_OBJECT_CLASS (beckon_form_control_parent_class)->dispose (object);
}

static void
beckon_form_control_class_init (BeckonFormControlClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_form_control_dispose;
}

static void
beckon_form_control_init (BeckonFormControl *self)
{
}

GtkWidget *
beckon_form_control_new (BeckonForm *form, BeckonFormField *field)
{
  BeckonFormControl *self = g_object_new (BECKON_TYPE_FORM_CONTROL, NULL);

  self->form = g_object_ref (form);
  self->field = beckon_form_field_ref (field);
  adw_bin_set_child (ADW_BIN (self), make_widget (self));
  name_widget (self->inner, field->title);
  beckon_form_control_update (self, field);
  if (GTK_IS_DROP_DOWN (self->inner))
    g_signal_connect_object (self->inner, "notify::selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
