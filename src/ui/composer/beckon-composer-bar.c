/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer-bar.h"

#include "beckon-folder-button.h"
#include "beckon-mode-button.h"
#include "beckon-profile-button.h"
#include "ui/widgets/beckon-controls.h"

#define GAP 12
#define LETTERS 26 /* of a hint that stands beside the buttons, at least */

struct _BeckonComposerBar
{
  GtkWidget parent_instance;

  BeckonConversation *conversation; /* (owned) (nullable) */

  GtkWidget *buttons;
  BeckonFolderButton *folder_button;
  BeckonModeButton *mode_button;
  BeckonProfileButton *profile_button;
  GtkLabel *hint_label;
  GtkLabel *more_label;
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
beckon_composer_bar_set_sources (BeckonComposerBar *self, GListModel *profiles, GListModel *conversations)
{
  if (profiles != NULL)
    beckon_profile_button_set_profiles (self->profile_button, profiles);
  beckon_folder_button_set_conversations (self->folder_button, conversations);
}

void
beckon_composer_bar_set_profile (BeckonComposerBar *self, const char *profile_id)
{
  beckon_profile_button_set_current (self->profile_button, profile_id);
}

void
beckon_composer_bar_set_hint (BeckonComposerBar *self, const char *hint, const char *more)
{
  g_autofree char *whole = more != NULL ? g_strjoin (" · ", hint, more, NULL) : g_strdup (hint);

  if (g_strcmp0 (gtk_widget_get_tooltip_text (GTK_WIDGET (self->hint_label)), whole) == 0)
    return;
  gtk_label_set_text (self->hint_label, hint != NULL ? hint : "");
  gtk_label_set_text (self->more_label, more != NULL ? more : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->hint_label), whole);
  /* Its height is asked for, and it is not there for screen readers. */
  gtk_widget_set_child_visible (GTK_WIDGET (self->hint_label), hint != NULL);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/* --- The layout --------------------------------------------------------------------------------------------------- */

static int
composer_bar_measure (GtkWidget *widget, GtkOrientation orientation, gboolean natural)
{
  int minimum_size = 0, natural_size = 0;

  gtk_widget_measure (widget, orientation, -1, &minimum_size, &natural_size, NULL, NULL);
  return natural ? natural_size : minimum_size;
}

/* The same whatever the hint says: nothing moves when it changes. */
static int
get_least_hint (BeckonComposerBar *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self->hint_label));
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int letter = MAX (pango_font_metrics_get_approximate_char_width (metrics),
                    pango_font_metrics_get_approximate_digit_width (metrics));

  pango_font_metrics_unref (metrics);
  return PANGO_PIXELS_CEIL (letter * LETTERS);
}

static gboolean
has_room_beside (BeckonComposerBar *self, int width)
{
  return width >= composer_bar_measure (self->buttons, GTK_ORIENTATION_HORIZONTAL, TRUE) + GAP + get_least_hint (self);
}

static void
beckon_composer_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                             int *minimum_baseline, int *natural_baseline)
{
  BeckonComposerBar *self = BECKON_COMPOSER_BAR (widget);
  int buttons = composer_bar_measure (self->buttons, orientation, FALSE);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = buttons;
      *natural = composer_bar_measure (self->buttons, orientation, TRUE) + GAP + get_least_hint (self);
      return;
    }
  if (for_size < 0 || !has_room_beside (self, for_size))
    buttons += composer_bar_measure (GTK_WIDGET (self->hint_label), orientation, FALSE);
  *minimum = *natural = buttons;
}

static void
allocate (GtkWidget *widget, int x, int y, int width, int height)
{
  gtk_widget_size_allocate (widget, &(GtkAllocation){ x, y, width, height }, -1);
}

/* From @x on. What is behind the hint is there if all of both is. */
static void
allocate_hint (BeckonComposerBar *self, int x, int y, int width, int height)
{
  GtkWidget *hint = GTK_WIDGET (self->hint_label), *more = GTK_WIDGET (self->more_label);
  gboolean is_mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  int own = composer_bar_measure (more, GTK_ORIENTATION_HORIZONTAL, TRUE);
  gboolean has_more = *gtk_label_get_text (self->more_label) != '\0' && gtk_widget_get_child_visible (hint)
                      && composer_bar_measure (hint, GTK_ORIENTATION_HORIZONTAL, TRUE) + own <= width;

  gtk_widget_set_child_visible (more, has_more);
  if (!has_more)
    own = 0;
  if (gtk_widget_get_child_visible (hint))
    allocate (hint, is_mirrored ? x + own : x, y, width - own, height);
  if (has_more)
    allocate (more, is_mirrored ? x : x + width - own, y, own, height);
}

static void
beckon_composer_bar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  BeckonComposerBar *self = BECKON_COMPOSER_BAR (widget);
  gboolean is_beside = has_room_beside (self, width);
  gboolean is_mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int buttons_height = composer_bar_measure (self->buttons, GTK_ORIENTATION_VERTICAL, FALSE);
  int buttons_width = MIN (width, composer_bar_measure (self->buttons, GTK_ORIENTATION_HORIZONTAL, TRUE));
  int hint_width = is_beside ? width - buttons_width - GAP : width;

  allocate (self->buttons, is_mirrored ? width - buttons_width : 0, 0, buttons_width, is_beside ? height : buttons_height);
  if (is_beside)
    allocate_hint (self, is_mirrored ? 0 : width - hint_width, 0, hint_width, height);
  else
    allocate_hint (self, 0, buttons_height, width, height - buttons_height);
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
  if (self->more_label != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->more_label));
  self->hint_label = self->more_label = NULL;
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
  widget_class->get_request_mode = beckon_height_for_width;
  widget_class->measure = beckon_composer_bar_measure;
  widget_class->size_allocate = beckon_composer_bar_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "composerbar");
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/composer-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonComposerBar, buttons);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposerBar, folder_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposerBar, mode_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposerBar, profile_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposerBar, hint_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposerBar, more_label);
}

static void
beckon_composer_bar_init (BeckonComposerBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_child_visible (GTK_WIDGET (self->hint_label), FALSE);
  gtk_widget_set_child_visible (GTK_WIDGET (self->more_label), FALSE);
}
