/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-fallback-group.h"

#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>

struct _BeckonFallbackGroup
{
  AdwPreferencesGroup parent_instance;

  GListModel *profiles;   /* (owned) (nullable) */
  char *own_id;           /* (owned) (nullable) */
  GPtrArray *ids;         /* (owned) (element-type utf8): ends with NULL */
  GPtrArray *rows;        /* (owned) (element-type GtkWidget): borrowed from the group */
  GSimpleActionGroup *actions; /* (owned) */

  GtkMenuButton *add_button;
  GtkWidget *none_row;
};

G_DEFINE_FINAL_TYPE (BeckonFallbackGroup, beckon_fallback_group, ADW_TYPE_PREFERENCES_GROUP)

static void fallback_group_show (BeckonFallbackGroup *self);

static guint
count_ids (BeckonFallbackGroup *self)
{
  return self->ids->len - 1;
}

static const char *
fallback_group_get_name (BeckonProfile *profile)
{
  return beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR ? _("Offline tour") : beckon_profile_get_name (profile);
}

/* Deleted profiles are not shown, and keep their place in case they come back. */
static BeckonProfile *
fallback_group_find (BeckonFallbackGroup *self, const char *id)
{
  for (guint i = 0; i < g_list_model_get_n_items (self->profiles); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (self->profiles, i);

      if (g_str_equal (beckon_profile_get_id (profile), id))
        return profile;
    }
  return NULL;
}

static gboolean
has (BeckonFallbackGroup *self, const char *id)
{
  return g_strv_contains ((const char *const *) self->ids->pdata, id);
}

static void
on_add (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonFallbackGroup *self = user_data;

  g_ptr_array_insert (self->ids, (int) count_ids (self), g_variant_dup_string (parameter, NULL));
  fallback_group_show (self);
}

typedef struct
{
  BeckonFallbackGroup *group; /* (owned) */
  char *id;                   /* (owned) */
  guint place;
} Removed;

static void
removed_free (gpointer data)
{
  Removed *removed = data;

  g_object_unref (removed->group);
  g_free (removed->id);
  g_free (removed);
}

static void
fallback_group_on_undo (AdwToast *toast, Removed *removed)
{
  BeckonFallbackGroup *self = removed->group;

  if (has (self, removed->id))
    return;
  g_ptr_array_insert (self->ids, (int) MIN (removed->place, count_ids (self)), g_strdup (removed->id));
  fallback_group_show (self);
}

static void
on_remove (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonFallbackGroup *self = user_data;
  const char *id = g_variant_get_string (parameter, NULL);

  for (guint i = 0; i < count_ids (self); i++)
    if (g_str_equal (g_ptr_array_index (self->ids, i), id))
      {
        GtkWidget *toasts = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_TOAST_OVERLAY);
        BeckonProfile *profile = fallback_group_find (self, id);

        g_ptr_array_remove_index (self->ids, i);
        if (toasts != NULL && profile != NULL)
          {
            g_autofree char *escaped = g_markup_escape_text (fallback_group_get_name (profile), -1);
            /* Translators: a profile, which is named, was removed */
            g_autofree char *title = beckon_text_printf (_("%s removed"), escaped);
            Removed *removed = g_new0 (Removed, 1);
            AdwToast *toast = adw_toast_new (title);

            removed->group = g_object_ref (self);
            removed->id = g_strdup (id);
            removed->place = i;
            adw_toast_set_button_label (toast, _("_Undo"));
            g_object_set_data_full (G_OBJECT (toast), "removed", removed, removed_free);
            g_signal_connect (toast, "button-clicked", G_CALLBACK (fallback_group_on_undo), removed);
            adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (toasts), toast);
          }
        break;
      }
  fallback_group_show (self);
}

static void
on_raise (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonFallbackGroup *self = user_data;

  for (guint i = 1; i < count_ids (self); i++)
    if (g_str_equal (g_ptr_array_index (self->ids, i), g_variant_get_string (parameter, NULL)))
      {
        gpointer *ids = self->ids->pdata;
        gpointer above = ids[i - 1];

        ids[i - 1] = ids[i];
        ids[i] = above;
        break;
      }
  fallback_group_show (self);
}

static GtkWidget *
make_button (const char *icon, const char *action, const char *id, const char *spoken)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", id);
  gtk_widget_set_tooltip_text (button, spoken);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  return button;
}

static GtkWidget *
fallback_group_make_row (BeckonProfile *profile, guint place)
{
  const char *id = beckon_profile_get_id (profile);
  const char *name = fallback_group_get_name (profile);
  g_autofree char *title = g_strdup_printf ("%u. %s", place + 1, name);
  /* Translators: buttons beside a profile, which is named */
  g_autofree char *raise = beckon_text_printf (_("Move %s up"), name);
  g_autofree char *remove = beckon_text_printf (_("Remove %s"), name);
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, NULL);
  GtkWidget *up = make_button ("go-up-symbolic", "fallback.raise", id, raise);

  gtk_widget_set_sensitive (up, place > 0);
  if (place > 0)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), up);
  else
    g_object_unref (g_object_ref_sink (up));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), make_button ("list-remove-symbolic", "fallback.remove", id, remove));
  return row;
}

static void
fallback_group_show (BeckonFallbackGroup *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  guint place = 0;

  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), g_ptr_array_index (self->rows, i));
  g_ptr_array_set_size (self->rows, 0);
  for (guint i = 0; i < count_ids (self); i++)
    {
      BeckonProfile *profile = fallback_group_find (self, g_ptr_array_index (self->ids, i));
      GtkWidget *row = profile != NULL ? fallback_group_make_row (profile, place++) : NULL;

      if (row == NULL)
        continue;
      g_ptr_array_add (self->rows, row);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
    }
  gtk_widget_set_visible (self->none_row, self->rows->len == 0);

  for (guint i = 0; i < g_list_model_get_n_items (self->profiles); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (self->profiles, i);
      const char *id = beckon_profile_get_id (profile);
      g_autoptr (GMenuItem) item = g_menu_item_new (fallback_group_get_name (profile), NULL);

      /* The tour answers nothing but its own questions. */
      if (beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR || g_str_equal (id, self->own_id) || has (self, id))
        continue;
      g_menu_item_set_action_and_target (item, "fallback.add", "s", id);
      g_menu_append_item (menu, item);
    }
  gtk_menu_button_set_menu_model (self->add_button, G_MENU_MODEL (menu));
  gtk_widget_set_sensitive (GTK_WIDGET (self->add_button), g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 0);
}

void
beckon_fallback_group_set_profiles (BeckonFallbackGroup *self, GListModel *profiles, BeckonProfile *profile)
{
  const char *const *ids = beckon_profile_get_fallbacks (profile);

  self->profiles = g_object_ref (profiles);
  self->own_id = g_strdup (beckon_profile_get_id (profile));
  for (guint i = 0; ids[i] != NULL; i++)
    g_ptr_array_insert (self->ids, (int) i, g_strdup (ids[i]));
  g_signal_connect_object (profiles, "items-changed", G_CALLBACK (fallback_group_show), self, G_CONNECT_SWAPPED);
  fallback_group_show (self);
}

const char *const *
beckon_fallback_group_get_ids (BeckonFallbackGroup *self)
{
  return (const char *const *) self->ids->pdata;
}

static void
beckon_fallback_group_dispose (GObject *object)
{
  BeckonFallbackGroup *self = BECKON_FALLBACK_GROUP (object);

  g_clear_object (&self->profiles);
  g_clear_object (&self->actions);
  G_OBJECT_CLASS (beckon_fallback_group_parent_class)->dispose (object);
}

static void
beckon_fallback_group_finalize (GObject *object)
{
  BeckonFallbackGroup *self = BECKON_FALLBACK_GROUP (object);

  g_ptr_array_unref (self->ids);
  g_ptr_array_unref (self->rows);
  g_free (self->own_id);
  G_OBJECT_CLASS (beckon_fallback_group_parent_class)->finalize (object);
}

static void
beckon_fallback_group_class_init (BeckonFallbackGroupClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_fallback_group_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_fallback_group_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/fallback-group.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonFallbackGroup, add_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFallbackGroup, none_row);
}

static void
beckon_fallback_group_init (BeckonFallbackGroup *self)
{
  const GActionEntry entries[] = {
    { .name = "add", .activate = on_add, .parameter_type = "s" },
    { .name = "remove", .activate = on_remove, .parameter_type = "s" },
    { .name = "raise", .activate = on_raise, .parameter_type = "s" },
  };

  self->ids = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->ids, NULL);
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "fallback", G_ACTION_GROUP (self->actions));
}
