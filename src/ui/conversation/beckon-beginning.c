/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-beginning.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "library/beckon-recent-folders.h"
#include "ui/widgets/beckon-files.h"

#include <glib/gi18n-lib.h>

#define MOST_FOLDERS 3
#define MOST_BEGUN 2

struct _BeckonBeginning
{
  AdwBin parent_instance;

  BeckonConversation *conversation; /* (owned) (nullable) */
  GListModel *conversations;        /* (owned) (nullable) */

  GtkWidget *content;
  GtkBox *folders;
};

G_DEFINE_FINAL_TYPE (BeckonBeginning, beckon_beginning, ADW_TYPE_BIN)

static GtkWidget *
make_button (const char *icon_name, const char *words, gboolean is_current)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", words, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, "max-width-chars", 44,
                                   "xalign", 0.0, "hexpand", TRUE, NULL);

  if (icon_name != NULL)
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icon_name));
  gtk_box_append (GTK_BOX (box), label);
  if (is_current)
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("object-select-symbolic"));
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

static void
add_begun (BeckonBeginning *self, const char *folder)
{
  g_autoptr (GPtrArray) begun = beckon_recent_folders_list_begun (self->conversations, folder, MOST_BEGUN);

  for (guint i = 0; i < begun->len; i++)
    {
      BeckonConversation *conversation = g_ptr_array_index (begun, i);
      g_autofree char *title = beckon_text_for_display (beckon_conversation_get_title (conversation), -1, BECKON_TEXT_EXACT);
      g_autofree char *isolated = beckon_text_isolate (title, _("Open %s"));
      g_autofree char *spoken = beckon_text_printf (_("Open %s"), isolated);
      GtkWidget *button = make_button (NULL, title, FALSE);

      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(ss)", beckon_conversation_get_id (conversation), "");
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.show-card");
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
      gtk_widget_add_css_class (button, "begun");
      gtk_box_append (self->folders, button);
    }
}

static void
beginning_update (BeckonBeginning *self)
{
  g_autoptr (GPtrArray) recent = NULL;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->folders))) != NULL)
    gtk_box_remove (self->folders, child);
  if (self->conversation == NULL || self->conversations == NULL)
    return;
  recent = beckon_recent_folders_list (self->conversations, MOST_FOLDERS);
  for (guint i = 0; i < recent->len; i++)
    {
      const char *folder = g_ptr_array_index (recent, i);
      gboolean is_current = g_strcmp0 (folder, beckon_conversation_get_folder (self->conversation)) == 0;
      g_autofree char *name = beckon_folder_name_shorten (folder);
      g_autofree char *isolated = beckon_text_isolate (name, _("Work in %s"));
      g_autofree char *spoken = beckon_text_printf (_("Work in %s"), isolated);
      GtkWidget *button = make_button ("folder-symbolic", name, is_current);

      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", folder);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.set-folder");
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, is_current ? _("Current folder") : "", -1);
      gtk_box_append (self->folders, button);
      add_begun (self, folder);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->folders), recent->len > 0);
}

static void
on_folder_changed (BeckonBeginning *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    beginning_update (self);
}

void
beckon_beginning_set_conversation (BeckonBeginning *self, BeckonConversation *conversation)
{
  if (self->conversation == conversation)
    return;
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_set_object (&self->conversation, conversation);
  if (conversation != NULL)
    g_signal_connect_swapped (conversation, "notify::folder", G_CALLBACK (on_folder_changed), self);
  on_folder_changed (self);
}

void
beckon_beginning_set_conversations (BeckonBeginning *self, GListModel *conversations)
{
  g_set_object (&self->conversations, conversations);
}

/* The folders of long histories are not looked for where nobody sees them. */
static void
beckon_beginning_map (GtkWidget *widget)
{
  beginning_update (BECKON_BEGINNING (widget));
  GTK_WIDGET_CLASS (beckon_beginning_parent_class)->map (widget);
}

/* A scrolled window that cannot take the focus says that it did, and keys would go no further. */
static gboolean
beckon_beginning_focus (GtkWidget *widget, GtkDirectionType direction)
{
  return gtk_widget_child_focus (BECKON_BEGINNING (widget)->content, direction);
}

static void
beckon_beginning_dispose (GObject *object)
{
  BeckonBeginning *self = BECKON_BEGINNING (object);

  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_clear_object (&self->conversation);
  g_clear_object (&self->conversations);
  G_OBJECT_CLASS (beckon_beginning_parent_class)->dispose (object);
}

static void
beckon_beginning_class_init (BeckonBeginningClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_beginning_dispose;
  widget_class->map = beckon_beginning_map;
  widget_class->focus = beckon_beginning_focus;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/beginning.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonBeginning, content);
  gtk_widget_class_bind_template_child (widget_class, BeckonBeginning, folders);
}

static void
beckon_beginning_init (BeckonBeginning *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
