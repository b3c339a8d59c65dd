/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mode-button.h"

#include "ui/widgets/beckon-bar-button.h"

#include <glib/gi18n-lib.h>

struct _BeckonModeButton
{
  AdwBin parent_instance;

  BeckonConversation *conversation; /* (owned) (nullable) */

  BeckonBarButton *button;
};

G_DEFINE_FINAL_TYPE (BeckonModeButton, beckon_mode_button, ADW_TYPE_BIN)

/* The word is for the button, where there is little room; the summary for the line below the name. */
static const struct
{
  const char *name, *word, *summary, *explanation, *icon;
} modes[] = {
  [BECKON_MODE_ASK_EVERYTHING] = {
    N_("Ask for everything"),
    NC_("what is asked for", "Everything"),
    N_("Before each tool, and before changes are saved"),
    N_("You are asked before every tool runs, and again before what a command changed is saved in the folder."),
    "security-high-symbolic",
  },
  [BECKON_MODE_ASK_CHANGES] = {
    N_("Ask for changes"),
    NC_("what is asked for", "Changes"),
    N_("Commands run, their changes wait for you"),
    N_("Commands in the folder start without asking. What they change is shown to you before it is saved there."),
    "security-medium-symbolic",
  },
  [BECKON_MODE_ASK_OUTSIDE] = {
    N_("Ask outside the folder"),
    NC_("what is asked for", "Outside folder"),
    N_("Changes in the folder are saved, and can be undone"),
    N_("Changes in the folder are saved without asking and can be undone. You are asked about the network, other "
       "folders and files that other programs run."),
    "security-low-symbolic",
  },
};

const char *
beckon_mode_button_get_name (BeckonMode mode)
{
  return _(modes[mode].name);
}

const char *
beckon_mode_button_explain (BeckonMode mode)
{
  return _(modes[mode].explanation);
}

static void
mode_button_update (BeckonModeButton *self)
{
  BeckonMode mode = beckon_conversation_get_mode (self->conversation);
  const char *name = _(modes[mode].name);

  beckon_bar_button_set_name (self->button, name, _(modes[mode].explanation));
  beckon_bar_button_set_words (self->button, name, g_dpgettext2 (GETTEXT_PACKAGE, "what is asked for", modes[mode].word));
  beckon_bar_button_set_icon_name (self->button, modes[mode].icon);
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
  g_autoptr (GMenu) menu = g_menu_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < BECKON_MODE_N_MODES; i++)
    {
      g_autofree char *label = g_strconcat (_(modes[i].name), "\n", _(modes[i].summary), NULL);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (item, "win.mode", "s", beckon_mode_to_string ((BeckonMode) i));
      g_menu_append_item (menu, item);
    }
  beckon_bar_button_set_menu (self->button, G_MENU_MODEL (menu));
}
