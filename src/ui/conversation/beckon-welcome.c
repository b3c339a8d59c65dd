/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-welcome.h"

#include "base/beckon-text-printf.h"
#include "runtime/beckon-local-models.h"
#include "settings/beckon-preset.h"

#include <glib/gi18n-lib.h>

struct _BeckonWelcome
{
  AdwBin parent_instance;

  GCancellable *cancellable; /* (owned) (nullable): there once the search has begun; ends with the page */

  GtkListBox *choices;
  GtkWidget *key_button;
  GtkWidget *local_row;
};

G_DEFINE_FINAL_TYPE (BeckonWelcome, beckon_welcome, ADW_TYPE_BIN)

void
beckon_welcome_show_found (BeckonWelcome *self, GPtrArray *found)
{
  for (guint i = found->len; i > 0; i--)
    {
      BeckonProfile *profile = g_ptr_array_index (found, i - 1);
      BeckonPreset *preset =
        beckon_preset_for_url (beckon_profile_get_base_url (profile), beckon_profile_get_kind (profile));
      g_autofree char *title = NULL;
      g_autofree char *subtitle = NULL;
      GtkWidget *row, *button;

      if (preset == NULL)
        continue;
      /* Translators: a model server that runs on this computer, by its name */
      title = beckon_text_printf (_("Use %s"), beckon_profile_get_name (profile));
      /* Translators: a model server was found; the model that it has */
      subtitle = beckon_text_printf (_("Runs on this computer, with %s. No key needed."), beckon_profile_get_model (profile));
      row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle", subtitle, "subtitle-lines", 3,
                          NULL);
      button = gtk_button_new_from_icon_name ("go-next-symbolic");
      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      gtk_widget_add_css_class (button, "flat");
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.use-local");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(ss)", beckon_preset_get_id (preset),
                                        beckon_profile_get_model (profile));
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("computer-symbolic"));
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
      adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
      gtk_list_box_prepend (self->choices, row);
      gtk_widget_set_visible (self->local_row, FALSE);
    }
}

static void
welcome_on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWelcome) self = user_data;
  g_autoptr (GPtrArray) found = beckon_local_models_find_finish (result, NULL);

  if (found != NULL && self->choices != NULL)
    beckon_welcome_show_found (self, found);
}

static void
beckon_welcome_map (GtkWidget *widget)
{
  BeckonWelcome *self = BECKON_WELCOME (widget);

  GTK_WIDGET_CLASS (beckon_welcome_parent_class)->map (widget);
  if (self->cancellable != NULL)
    return;
  self->cancellable = g_cancellable_new ();
  beckon_local_models_find_async (NULL, self->cancellable, welcome_on_found, g_object_ref (self));
}

void
beckon_welcome_focus (BeckonWelcome *self)
{
  gtk_widget_grab_focus (self->key_button);
}

static void
beckon_welcome_dispose (GObject *object)
{
  BeckonWelcome *self = BECKON_WELCOME (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->choices = NULL;
  G_OBJECT_CLASS (beckon_welcome_parent_class)->dispose (object);
}

static void
beckon_welcome_class_init (BeckonWelcomeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_welcome_dispose;
  widget_class->map = beckon_welcome_map;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/welcome.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonWelcome, choices);
  gtk_widget_class_bind_template_child (widget_class, BeckonWelcome, key_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonWelcome, local_row);
}

static void
beckon_welcome_init (BeckonWelcome *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_welcome_new (void)
{
  return g_object_new (BECKON_TYPE_WELCOME, NULL);
}
