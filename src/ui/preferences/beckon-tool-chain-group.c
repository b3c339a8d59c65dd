/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-tool-chain-group.h"

#include "base/beckon-worker.h"
#include "sandbox/beckon-tool-chains.h"

#include <glib/gi18n-lib.h>

#define KEY "tool-chains"

struct _BeckonToolChainGroup
{
  AdwPreferencesGroup parent_instance;

  BeckonSettings *settings;  /* (owned) */
  GCancellable *cancellable; /* (owned) */
  GPtrArray *switches;       /* (owned) (element-type GtkSwitch): each with its "name" */
};

G_DEFINE_FINAL_TYPE (BeckonToolChainGroup, beckon_tool_chain_group, ADW_TYPE_PREFERENCES_GROUP)

static const char *
chain_group_get_name (GtkSwitch *control)
{
  return g_object_get_data (G_OBJECT (control), "name");
}

/* The others stay as they are, those too that are not here now. */
static void
chain_group_on_switched (GtkSwitch *control, GParamSpec *property, gpointer user_data)
{
  BeckonToolChainGroup *self = user_data;
  GSettings *gsettings = beckon_settings_get_gsettings (self->settings);
  g_auto (GStrv) names = beckon_settings_dup_tool_chains (self->settings);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) result = NULL;
  gboolean is_active = gtk_switch_get_active (control);

  if (gsettings == NULL || is_active == g_strv_contains ((const char *const *) names, chain_group_get_name (control)))
    return;

  for (guint i = 0; names[i] != NULL; i++)
    if (!g_str_equal (names[i], chain_group_get_name (control)))
      g_strv_builder_add (builder, names[i]);
  if (is_active)
    g_strv_builder_add (builder, chain_group_get_name (control));
  result = g_strv_builder_end (builder);
  g_settings_set_strv (gsettings, KEY, (const char *const *) result);
}

static void
chain_group_follow (BeckonToolChainGroup *self)
{
  g_auto (GStrv) names = beckon_settings_dup_tool_chains (self->settings);

  for (guint i = 0; i < self->switches->len; i++)
    {
      GtkSwitch *control = g_ptr_array_index (self->switches, i);

      gtk_switch_set_active (control, g_strv_contains ((const char *const *) names, chain_group_get_name (control)));
    }
}

static void
chain_group_on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonToolChainGroup) self = user_data;
  g_autoptr (GPtrArray) found = g_task_propagate_pointer (G_TASK (result), NULL);

  if (found == NULL)
    return;

  for (guint i = 0; i < found->len; i++)
    {
      const BeckonToolChain *chain = g_ptr_array_index (found, i);
      GtkWidget *row = adw_action_row_new ();
      GtkWidget *control = gtk_switch_new ();

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), chain->title);
      if (!g_str_equal (chain->title, chain->folder))
        adw_action_row_set_subtitle (ADW_ACTION_ROW (row), chain->folder);
      gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
      g_object_set_data (G_OBJECT (control), "name", (gpointer) chain->name);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
      adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), control);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
      g_ptr_array_add (self->switches, g_object_ref (control));
    }
  chain_group_follow (self);
  for (guint i = 0; i < self->switches->len; i++)
    g_signal_connect_object (g_ptr_array_index (self->switches, i), "notify::active", G_CALLBACK (chain_group_on_switched),
                             self, 0);
  gtk_widget_set_visible (GTK_WIDGET (self), found->len > 0);
}

static void
chain_group_find (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_pointer (task, beckon_tool_chains_find (g_get_home_dir ()), (GDestroyNotify) g_ptr_array_unref);
}

static void
beckon_tool_chain_group_dispose (GObject *object)
{
  BeckonToolChainGroup *self = BECKON_TOOL_CHAIN_GROUP (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->settings);
  g_ptr_array_set_size (self->switches, 0);
  G_OBJECT_CLASS (beckon_tool_chain_group_parent_class)->dispose (object);
}

static void
beckon_tool_chain_group_finalize (GObject *object)
{
  BeckonToolChainGroup *self = BECKON_TOOL_CHAIN_GROUP (object);

  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->switches);
  G_OBJECT_CLASS (beckon_tool_chain_group_parent_class)->finalize (object);
}

static void
beckon_tool_chain_group_class_init (BeckonToolChainGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_tool_chain_group_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_tool_chain_group_finalize;
}

static void
beckon_tool_chain_group_init (BeckonToolChainGroup *self)
{
  self->cancellable = g_cancellable_new ();
  self->switches = g_ptr_array_new_with_free_func (g_object_unref);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self), _("Tool Chains in Your Home"));
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self),
                                         _("Commands can run these but not change them. Credentials are never shown."));
}

GtkWidget *
beckon_tool_chain_group_new (BeckonSettings *settings)
{
  BeckonToolChainGroup *self = g_object_new (BECKON_TYPE_TOOL_CHAIN_GROUP, NULL);
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, chain_group_on_found, g_object_ref (self));

  self->settings = g_object_ref (settings);
  g_signal_connect_object (settings, "changed::" KEY, G_CALLBACK (chain_group_follow), self, G_CONNECT_SWAPPED);
  g_task_set_source_tag (task, beckon_tool_chain_group_new);
  beckon_worker_run_for_person (task, chain_group_find);
  return GTK_WIDGET (self);
}
