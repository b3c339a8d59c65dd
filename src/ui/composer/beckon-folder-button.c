/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-folder-button.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "library/beckon-recent-folders.h"
#include "ui/widgets/beckon-bar-button.h"
#include "ui/widgets/beckon-files.h"

#include <glib/gi18n-lib.h>

#define MOST_RECENT 6

struct _BeckonFolderButton
{
  AdwBin parent_instance;

  BeckonConversation *conversation; /* (owned) (nullable) */
  GListModel *conversations;        /* (owned) (nullable) */

  BeckonBarButton *button;
  GtkWidget *popover;
  GtkEditable *path_entry;
  GtkWidget *recent_box;
  GtkWidget *recent_list;
  GtkWidget *forget_button;
};

G_DEFINE_FINAL_TYPE (BeckonFolderButton, beckon_folder_button, ADW_TYPE_BIN)

static void
folder_button_update (BeckonFolderButton *self)
{
  const char *folder = beckon_conversation_get_folder (self->conversation);
  g_autofree char *name = folder != NULL ? beckon_folder_name_shorten (folder) : NULL;
  g_autofree char *base = folder != NULL ? beckon_folder_name_get_last (folder) : NULL;
  g_autofree char *isolated = name != NULL ? beckon_text_isolate (name, _("Working folder: %s")) : NULL;
  g_autofree char *spoken = NULL;

  gtk_editable_set_text (self->path_entry, "");
  /* Translators: what a screen reader says of the button that names the working folder */
  spoken = folder != NULL ? beckon_text_printf (_("Working folder: %s"), isolated) : g_strdup (_("No working folder"));
  beckon_bar_button_set_name (self->button, spoken, NULL);
  beckon_bar_button_set_words (self->button, name != NULL ? name : _("No folder"), base != NULL ? base : _("No folder"));
}

/* --- The popover -------------------------------------------------------------------------------------------------- */

static void
folder_button_choose (BeckonFolderButton *self, const char *folder)
{
  beckon_bar_button_popdown (self->button);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.set-folder", "s", folder);
  /* The task is what is written next. */
  gtk_widget_activate_action (GTK_WIDGET (self), "conversation.focus-composer", NULL);
}

static void
on_recent_clicked (BeckonFolderButton *self, GtkWidget *row)
{
  g_autofree char *folder = g_strdup (g_object_get_data (G_OBJECT (row), "folder"));

  folder_button_choose (self, folder);
}

static GtkWidget *
folder_button_make_row (BeckonFolderButton *self, const char *folder)
{
  gboolean is_current = g_strcmp0 (folder, beckon_conversation_get_folder (self->conversation)) == 0;
  g_autofree char *name = beckon_folder_name_shorten (folder);
  GtkWidget *row = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", name, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, "max-width-chars", 36,
                                   "xalign", 0.0, "hexpand", TRUE, NULL);
  GtkWidget *check = gtk_image_new_from_icon_name ("object-select-symbolic");

  gtk_widget_set_opacity (check, is_current ? 1 : 0);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), check);
  gtk_button_set_child (GTK_BUTTON (row), box);
  gtk_widget_add_css_class (row, "flat");
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, is_current ? _("Current folder") : "", -1);
  g_object_set_data_full (G_OBJECT (row), "folder", g_strdup (folder), g_free);
  g_signal_connect_object (row, "clicked", G_CALLBACK (on_recent_clicked), self, G_CONNECT_SWAPPED);
  return row;
}

static void
write_path (BeckonFolderButton *self)
{
  gtk_entry_grab_focus_without_selecting (GTK_ENTRY (self->path_entry));
  gtk_editable_set_position (self->path_entry, -1);
}

/* The folder was given by a path that says the same, so that nothing changed. */
static gboolean
is_current (BeckonFolderButton *self, const char *path)
{
  const char *folder = beckon_conversation_get_folder (self->conversation);
  g_autofree char *name = folder != NULL ? beckon_folder_name_shorten (folder) : NULL;

  return g_strcmp0 (path, folder) == 0 || g_strcmp0 (path, name) == 0;
}

static void
on_popover_shown (BeckonFolderButton *self)
{
  GtkWidget *first;
  g_autoptr (GPtrArray) recent = NULL;
  GtkWidget *row;

  if (self->conversation == NULL)
    return;

  while ((row = gtk_widget_get_first_child (self->recent_list)) != NULL)
    gtk_box_remove (GTK_BOX (self->recent_list), row);
  if (self->conversations != NULL)
    recent = beckon_recent_folders_list (self->conversations, MOST_RECENT);
  for (guint i = 0; recent != NULL && i < recent->len; i++)
    gtk_box_append (GTK_BOX (self->recent_list), folder_button_make_row (self, g_ptr_array_index (recent, i)));
  gtk_widget_set_visible (self->recent_box, recent != NULL && recent->len > 0);

  if (is_current (self, gtk_editable_get_text (self->path_entry)))
    gtk_editable_set_text (self->path_entry, "");
  gtk_widget_set_visible (self->forget_button, beckon_conversation_get_folder (self->conversation) != NULL);
  first = gtk_widget_get_first_child (self->recent_list);
  /* A path that was refused is there to be corrected. */
  if (first == NULL || *gtk_editable_get_text (self->path_entry) != '\0')
    write_path (self);
  else
    gtk_widget_grab_focus (first);
}

/* Letters that a button has no use for are a path. */
static gboolean
on_key_left_over (BeckonFolderButton *self, guint keyval, guint keycode, GdkModifierType state,
                  GtkEventControllerKey *controller)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if ((modifiers & ~GDK_SHIFT_MASK) != 0 || !g_unichar_isgraph (gdk_keyval_to_unicode (keyval)))
    return GDK_EVENT_PROPAGATE;
  write_path (self);
  return gtk_event_controller_key_forward (controller, GTK_WIDGET (gtk_editable_get_delegate (self->path_entry)));
}

static void
on_path_activated (BeckonFolderButton *self)
{
  g_autofree char *path = g_strstrip (g_strdup (gtk_editable_get_text (self->path_entry)));

  if (*path != '\0')
    folder_button_choose (self, path);
}

static void
on_button_clicked (BeckonFolderButton *self)
{
  beckon_bar_button_popdown (self->button);
}

/* --- The object --------------------------------------------------------------------------------------------------- */

void
beckon_folder_button_set_conversation (BeckonFolderButton *self, BeckonConversation *conversation)
{
  if (self->conversation == conversation)
    return;
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_set_object (&self->conversation, conversation);
  if (conversation == NULL)
    return;
  g_signal_connect_swapped (conversation, "notify::folder", G_CALLBACK (folder_button_update), self);
  folder_button_update (self);
}

void
beckon_folder_button_set_conversations (BeckonFolderButton *self, GListModel *conversations)
{
  g_set_object (&self->conversations, conversations);
}

static void
beckon_folder_button_dispose (GObject *object)
{
  BeckonFolderButton *self = BECKON_FOLDER_BUTTON (object);

  beckon_folder_button_set_conversation (self, NULL);
  g_clear_object (&self->conversations);
  G_OBJECT_CLASS (beckon_folder_button_parent_class)->dispose (object);
}

static void
beckon_folder_button_class_init (BeckonFolderButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_BAR_BUTTON);
  G_OBJECT_CLASS (klass)->dispose = beckon_folder_button_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/folder-button.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonFolderButton, button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFolderButton, popover);
  gtk_widget_class_bind_template_child (widget_class, BeckonFolderButton, path_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonFolderButton, recent_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonFolderButton, recent_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonFolderButton, forget_button);
  gtk_widget_class_bind_template_callback (widget_class, on_popover_shown);
  gtk_widget_class_bind_template_callback (widget_class, on_path_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_button_clicked);
}

static void
beckon_folder_button_init (BeckonFolderButton *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_left_over), self);
  gtk_widget_add_controller (self->popover, keys);
  beckon_bar_button_set_popover (self->button, self->popover);
}
