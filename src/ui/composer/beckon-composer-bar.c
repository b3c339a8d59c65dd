/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer-bar.h"

#include "beckon-folder-button.h"
#include "beckon-mode-button.h"
#include "beckon-profile-button.h"

#define GAP 12

struct _BeckonComposerBar
{
  GtkWidget parent_instance;

  BeckonConversation *conversation; /* (owned) (nullable) */

  GtkWidget *buttons;
  BeckonFolderButton *folder_button;
  BeckonModeButton *mode_button;
  BeckonProfileButton *profile_button;
  GtkLabel *hint_label;
};

G_DEFINE_FINAL_TYPE (BeckonComposerBar, beckon_composer_bar, GTK_TYPE_WIDGET)

static void
update_effort (BeckonComposerBar *self)
{
  beckon_profile_button_set_effort (self->profile_button, beckon_conversation_get_effort (self->conversation));
}

void
beckon_composer_bar_set_conversation (BeckonComposerBar *self, BeckonConversation *conversation)
{
  g_return_if_fail (BECKON_IS_COMPOSER_BAR (self));

  if (self->conversation == conversation)
    return;
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_set_object (&self->conversation, conversation);
  beckon_folder_button_set_conversation (self->folder_button, conversation);
  beckon_mode_button_set_conversation (self->mode_button, conversation);
  if (conversation == NULL)
    return;
  g_signal_connect_swapped (conversation, "notify::effort", G_CALLBACK (update_effort), self);
  update_effort (self);
}

void
beckon_composer_bar_set_profiles (BeckonComposerBar *self, GListModel *profiles)
{
  g_return_if_fail (BECKON_IS_COMPOSER_BAR (self));

  beckon_profile_button_set_profiles (self->profile_button, profiles);
}

void
beckon_composer_bar_set_profile (BeckonComposerBar *self, const char *profile_id)
{
  g_return_if_fail (BECKON_IS_COMPOSER_BAR (self));

  beckon_profile_button_set_current (self->profile_button, profile_id);
}

void
beckon_composer_bar_set_conversations (BeckonComposerBar *self, GListModel *conversations)
{
  g_return_if_fail (BECKON_IS_COMPOSER_BAR (self));

  beckon_folder_button_set_conversations (self->folder_button, conversations);
}

void
beckon_composer_bar_set_hint (BeckonComposerBar *self, const char *hint)
{
  g_return_if_fail (BECKON_IS_COMPOSER_BAR (self));

  if (g_strcmp0 (gtk_label_get_text (self->hint_label), hint != NULL ? hint : "") == 0)
    return;
  gtk_label_set_text (self->hint_label, hint != NULL ? hint : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->hint_label), hint);
  /* Its height is asked for, and it is not there for screen readers. */
  gtk_widget_set_child_visible (GTK_WIDGET (self->hint_label), hint != NULL);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/* --- The layout --------------------------------------------------------------------------------------------------- */

static int
measure (GtkWidget *widget, GtkOrientation orientation, gboolean natural)
{
  int minimum_size = 0, natural_size = 0;

  gtk_widget_measure (widget, orientation, -1, &minimum_size, &natural_size, NULL, NULL);
  return natural ? natural_size : minimum_size;
}

/* The label's least width is one of so many characters, whatever it says. */
static gboolean
has_room_beside (BeckonComposerBar *self, int width)
{
  return width >= measure (self->buttons, GTK_ORIENTATION_HORIZONTAL, TRUE) + GAP
                    + measure (GTK_WIDGET (self->hint_label), GTK_ORIENTATION_HORIZONTAL, FALSE);
}

static GtkSizeRequestMode
beckon_composer_bar_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
beckon_composer_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                             int *minimum_baseline, int *natural_baseline)
{
  BeckonComposerBar *self = BECKON_COMPOSER_BAR (widget);
  int buttons = measure (self->buttons, orientation, FALSE);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = buttons;
      *natural = measure (self->buttons, orientation, TRUE) + GAP + measure (GTK_WIDGET (self->hint_label), orientation, FALSE);
      return;
    }
  if (for_size < 0 || !has_room_beside (self, for_size))
    buttons += measure (GTK_WIDGET (self->hint_label), orientation, FALSE);
  *minimum = *natural = buttons;
}

static void
allocate (GtkWidget *widget, int x, int y, int width, int height)
{
  gtk_widget_size_allocate (widget, &(GtkAllocation){ x, y, width, height }, -1);
}

static void
beckon_composer_bar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  BeckonComposerBar *self = BECKON_COMPOSER_BAR (widget);
  gboolean is_beside = has_room_beside (self, width);
  gboolean is_mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int buttons_height = measure (self->buttons, GTK_ORIENTATION_VERTICAL, FALSE);
  int buttons_width = MIN (width, measure (self->buttons, GTK_ORIENTATION_HORIZONTAL, TRUE));
  int hint_width = is_beside ? width - buttons_width - GAP : width;

  allocate (self->buttons, is_mirrored ? width - buttons_width : 0, 0, buttons_width, is_beside ? height : buttons_height);
  if (!gtk_widget_get_child_visible (GTK_WIDGET (self->hint_label)))
    return;
  if (is_beside)
    allocate (GTK_WIDGET (self->hint_label), is_mirrored ? 0 : width - hint_width, 0, hint_width, height);
  else
    allocate (GTK_WIDGET (self->hint_label), 0, buttons_height, width, height - buttons_height);
}

/* --- The object --------------------------------------------------------------------------------------------------- */

static void
beckon_composer_bar_dispose (GObject *object)
{
  BeckonComposerBar *self = BECKON_COMPOSER_BAR (object);

  if (self->buttons != NULL)
    beckon_composer_bar_set_conversation (self, NULL);
  g_clear_pointer (&self->buttons, gtk_widget_unparent);
  if (self->hint_label != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->hint_label));
  self->hint_label = NULL;
  G_OBJECT_CLASS (beckon_composer_bar_parent_class)->dispose (object);
}

static void
beckon_composer_bar_class_init (BeckonComposerBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_FOLDER_BUTTON);
  g_type_ensure (BECKON_TYPE_MODE_BUTTON);
  g_type_ensure (BECKON_TYPE_PROFILE_BUTTON);
  G_OBJECT_CLASS (klass)->dispose = beckon_composer_bar_dispose;
  widget_class->get_request_mode = beckon_composer_bar_get_request_mode;
  widget_class->measure = beckon_composer_bar_measure;
  widget_class->size_allocate = beckon_composer_bar_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "composerbar");
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/composer-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonComposerBar, buttons);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposerBar, folder_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposerBar, mode_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposerBar, profile_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposerBar, hint_label);
}

static void
beckon_composer_bar_init (BeckonComposerBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_child_visible (GTK_WIDGET (self->hint_label), FALSE);
}
