/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-workspace-button.h"

#include "beckon-mode-labels.h"
#include "ui/widgets/beckon-header-button.h"
#include "ui/widgets/beckon-whole-layout.h"

#include <glib/gi18n-lib.h>

struct _BeckonWorkspaceButton
{
  AdwBin parent_instance;

  BeckonConversation *conversation; /* (owned) (nullable) */
  gboolean tight;

  BeckonHeaderButton *folder_button;
  GtkWidget *mode_bin;
  BeckonHeaderButton *mode_button;
};

G_DEFINE_FINAL_TYPE (BeckonWorkspaceButton, beckon_workspace_button, ADW_TYPE_BIN)

/* For the button, where there is little room. */
static const char *
get_mode_word (BeckonMode mode)
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
get_mode_icon (BeckonMode mode)
{
  static const char *const icons[] = { "security-high-symbolic", "security-medium-symbolic", "security-low-symbolic" };

  return icons[mode];
}

static GMenuModel *
make_mode_menu (void)
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
update_folder (BeckonWorkspaceButton *self)
{
  const char *folder = beckon_conversation_get_folder (self->conversation);
  g_autofree char *base = folder != NULL ? g_path_get_basename (folder) : NULL;
  g_autofree char *shown = base != NULL ? g_filename_display_name (base) : NULL;
  g_autofree char *spoken = NULL;
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenuModel) modes = make_mode_menu ();

  /* Translators: what a screen reader says of the button that names the working folder */
  spoken = folder != NULL ? g_strdup_printf (_("Working folder: %s"), folder) : g_strdup (_("No working folder"));
  beckon_header_button_set_name (self->folder_button, spoken);
  beckon_header_button_set_word (self->folder_button, shown != NULL ? shown : _("No folder"));
  g_menu_append (menu, _("_Choose Folder…"), "win.choose-folder");
  if (folder != NULL)
    g_menu_append (menu, _("_Work Without a Folder"), "win.forget-folder");
  if (self->tight)
    g_menu_append_section (menu, _("When to Ask"), modes);
  beckon_header_button_set_menu (self->folder_button, G_MENU_MODEL (menu));
}

static void
update_mode (BeckonWorkspaceButton *self)
{
  BeckonMode mode = beckon_conversation_get_mode (self->conversation);

  beckon_header_button_set_name (self->mode_button, beckon_mode_labels_get_name (mode));
  beckon_header_button_set_hint (self->mode_button, beckon_mode_labels_explain (mode));
  beckon_header_button_set_word (self->mode_button, get_mode_word (mode));
  beckon_header_button_set_icon_name (self->mode_button, get_mode_icon (mode));
}

void
beckon_workspace_button_set_conversation (BeckonWorkspaceButton *self, BeckonConversation *conversation)
{
  g_return_if_fail (BECKON_IS_WORKSPACE_BUTTON (self));

  if (self->conversation == conversation)
    return;
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_set_object (&self->conversation, conversation);
  if (conversation == NULL)
    return;
  g_signal_connect_swapped (conversation, "notify::folder", G_CALLBACK (update_folder), self);
  g_signal_connect_swapped (conversation, "notify::mode", G_CALLBACK (update_mode), self);
  update_folder (self);
  update_mode (self);
}

void
beckon_workspace_button_set_narrow (BeckonWorkspaceButton *self, gboolean narrow)
{
  g_return_if_fail (BECKON_IS_WORKSPACE_BUTTON (self));

  beckon_header_button_set_narrow (self->folder_button, narrow);
  beckon_header_button_set_narrow (self->mode_button, narrow);
}

int
beckon_workspace_button_measure_words (BeckonWorkspaceButton *self)
{
  g_return_val_if_fail (BECKON_IS_WORKSPACE_BUTTON (self), 0);

  return beckon_header_button_measure_words (self->folder_button) + beckon_header_button_measure_words (self->mode_button);
}

int
beckon_workspace_button_measure_missing (BeckonWorkspaceButton *self)
{
  int width = 0;

  g_return_val_if_fail (BECKON_IS_WORKSPACE_BUTTON (self), 0);

  if (self->tight)
    gtk_widget_measure (GTK_WIDGET (self->mode_button), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  return width;
}

void
beckon_workspace_button_set_tight (BeckonWorkspaceButton *self, gboolean tight)
{
  g_return_if_fail (BECKON_IS_WORKSPACE_BUTTON (self));

  if (self->tight == tight)
    return;
  self->tight = tight;
  gtk_widget_set_visible (self->mode_bin, !tight);
  if (self->conversation != NULL)
    update_folder (self);
}

static void
beckon_workspace_button_dispose (GObject *object)
{
  beckon_workspace_button_set_conversation (BECKON_WORKSPACE_BUTTON (object), NULL);
  G_OBJECT_CLASS (beckon_workspace_button_parent_class)->dispose (object);
}

static void
beckon_workspace_button_class_init (BeckonWorkspaceButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_HEADER_BUTTON);
  g_type_ensure (BECKON_TYPE_WHOLE_LAYOUT);
  G_OBJECT_CLASS (klass)->dispose = beckon_workspace_button_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/workspace-button.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonWorkspaceButton, folder_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonWorkspaceButton, mode_bin);
  gtk_widget_class_bind_template_child (widget_class, BeckonWorkspaceButton, mode_button);
}

static void
beckon_workspace_button_init (BeckonWorkspaceButton *self)
{
  g_autoptr (GMenuModel) modes = make_mode_menu ();

  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_header_button_set_menu (self->mode_button, modes);
}
