/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mode-button.h"

#include "beckon-mode-labels.h"
#include "ui/widgets/beckon-bar-button.h"

#include <glib/gi18n-lib.h>

struct _BeckonModeButton
{
  AdwBin parent_instance;

  BeckonConversation *conversation; /* (owned) (nullable) */

  BeckonBarButton *button;
};

G_DEFINE_FINAL_TYPE (BeckonModeButton, beckon_mode_button, ADW_TYPE_BIN)

/* For the button, where there is little room. */
static const char *
mode_button_get_word (BeckonMode mode)
{
  switch (mode)
    {
    case BECKON_MODE_ASK_EVERYTHING:
      return C_("what is asked for", "Everything");
    case BECKON_MODE_ASK_OUTSIDE:
      return C_("what is asked for", "Outside folder");
    case BECKON_MODE_ASK_CHANGES:
    default:
      return C_("what is asked for", "Changes");
    }
}

static const char *
get_icon (BeckonMode mode)
{
  static const char *const icons[] = { "security-high-symbolic", "security-medium-symbolic", "security-low-symbolic" };

  return icons[mode];
}

static GMenuModel *
mode_button_make_menu (void)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < BECKON_MODE_N_MODES; i++)
    {
      g_autofree char *label = g_strconcat (beckon_mode_labels_get_name ((BeckonMode) i), "\n",
                                            beckon_mode_labels_get_summary ((BeckonMode) i), NULL);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (item, "win.mode", "s", beckon_mode_to_string ((BeckonMode) i));
      g_menu_append_item (menu, item);
    }

  return G_MENU_MODEL (g_steal_pointer (&menu));
}

static void
mode_button_update (BeckonModeButton *self)
{
  BeckonMode mode = beckon_conversation_get_mode (self->conversation);
  const char *name = beckon_mode_labels_get_name (mode);

  beckon_bar_button_set_name (self->button, name, beckon_mode_labels_explain (mode));
  beckon_bar_button_set_words (self->button, name, mode_button_get_word (mode));
  beckon_bar_button_set_icon_name (self->button, get_icon (mode));
}

void
beckon_mode_button_set_conversation (BeckonModeButton *self, BeckonConversation *conversation)
{
  if (self->conversation == conversation)
    return;
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_set_object (&self->conversation, conversation);
  if (conversation == NULL)
    return;
  g_signal_connect_swapped (conversation, "notify::mode", G_CALLBACK (mode_button_update), self);
  mode_button_update (self);
}

static void
beckon_mode_button_dispose (GObject *object)
{
  beckon_mode_button_set_conversation (BECKON_MODE_BUTTON (object), NULL);
  G_OBJECT_CLASS (beckon_mode_button_parent_class)->dispose (object);
}

static void
beckon_mode_button_class_init (BeckonModeButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_BAR_BUTTON);
  G_OBJECT_CLASS (klass)->dispose = beckon_mode_button_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/mode-button.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonModeButton, button);
}

static void
beckon_mode_button_init (BeckonModeButton *self)
{
  g_autoptr (GMenuModel) menu = mode_button_make_menu ();

  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_bar_button_set_menu (self->button, menu);
}
