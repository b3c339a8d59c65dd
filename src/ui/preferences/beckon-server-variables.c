/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-server-variables.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "domain/beckon-profile.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonServerVariables
{
  AdwPreferencesGroup parent_instance;

  GPtrArray *rows; /* (owned) (element-type GtkWidget): borrowed from the group */
  GtkWidget *new_row; /* (owned): it leaves the group when others come before it */
  gboolean are_headers;
};

G_DEFINE_FINAL_TYPE (BeckonServerVariables, beckon_server_variables, ADW_TYPE_PREFERENCES_GROUP)

static void server_variables_add_row (BeckonServerVariables *self, const BeckonMcpVariable *variable, guint index);

/* (transfer full): as it is entered. */
static BeckonMcpVariable *
read_row (GtkWidget *row)
{
  const BeckonMcpVariable *variable = g_object_get_data (G_OBJECT (row), "variable");
  const char *text = GTK_IS_EDITABLE (row) ? gtk_editable_get_text (GTK_EDITABLE (row)) : "";

  if (variable->source == BECKON_MCP_VALUE_INHERITED)
    return beckon_mcp_variable_new (variable->name, NULL, BECKON_MCP_VALUE_INHERITED);
  if (variable->source == BECKON_MCP_VALUE_SECRET && *text == '\0')
    return beckon_mcp_variable_new (variable->name, NULL, BECKON_MCP_VALUE_SECRET);
  return beckon_mcp_variable_new (variable->name, text, variable->source);
}

static void
on_remove (BeckonServerVariables *self, GtkWidget *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_PREFERENCES_ROW);

  if (!g_ptr_array_remove (self->rows, row))
    return;
  adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), row);
  gtk_widget_grab_focus (self->new_row);
}

/* A secret is entered without being seen, in a row of another kind. */
static void
on_secret_toggled (BeckonServerVariables *self, GtkToggleButton *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (GTK_WIDGET (button), ADW_TYPE_PREFERENCES_ROW);
  g_autoptr (BeckonMcpVariable) variable = read_row (row);
  guint index;

  if (!g_ptr_array_find (self->rows, row, &index))
    return;
  variable->source = gtk_toggle_button_get_active (button) ? BECKON_MCP_VALUE_SECRET : BECKON_MCP_VALUE_PLAIN;
  g_ptr_array_remove_index (self->rows, index);
  adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), row);
  server_variables_add_row (self, variable, index);
  gtk_widget_grab_focus (g_ptr_array_index (self->rows, index));
}

static void
name_button (GtkWidget *button, const char *words, const char *name)
{
  g_autofree char *spoken = beckon_text_fill_in (words, name);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, spoken);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static GtkWidget *
make_remove_button (BeckonServerVariables *self, const char *name)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");

  /* Translators: %s is a variable or header */
  name_button (button, _("Remove %s"), name);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_remove), self, G_CONNECT_SWAPPED);
  return button;
}

static char *
make_title (const BeckonMcpVariable *variable, const char *name)
{
  if (variable->source == BECKON_MCP_VALUE_SECRET && variable->value == NULL)
    /* Translators: %s is a variable or header, whose value is not shown */
    return beckon_text_printf (_("%s: kept in the keyring"), name);
  return g_strdup (name);
}

static GtkWidget *
make_entry (BeckonServerVariables *self, const BeckonMcpVariable *variable, const char *name)
{
  GtkWidget *row = variable->source == BECKON_MCP_VALUE_SECRET ? adw_password_entry_row_new () : adw_entry_row_new ();
  g_autofree char *title = make_title (variable, name);
  GtkWidget *button;

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), variable->value != NULL ? variable->value : "");

  button = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (button), "dialog-password-symbolic");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), variable->source == BECKON_MCP_VALUE_SECRET);
  /* Translators: %s is a variable or header; its value is a key or password */
  name_button (button, _("Keep %s in the keyring"), name);
  g_signal_connect_object (button, "toggled", G_CALLBACK (on_secret_toggled), self, G_CONNECT_SWAPPED);
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (row), button);
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (row), make_remove_button (self, name));
  beckon_entry_row_name (GTK_EDITABLE (row));
  return row;
}

static GtkWidget *
make_inherited (BeckonServerVariables *self, const char *name)
{
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", name, "subtitle",
                                 _("Passed on from Beckon’s own environment"), "title-lines", 2, NULL);

  adw_action_row_add_suffix (ADW_ACTION_ROW (row), make_remove_button (self, name));
  return row;
}

static void
server_variables_add_row (BeckonServerVariables *self, const BeckonMcpVariable *variable, guint index)
{
  g_autofree char *name = beckon_text_for_display (variable->name, -1, BECKON_TEXT_EXACT);
  GtkWidget *row = variable->source == BECKON_MCP_VALUE_INHERITED ? make_inherited (self, name)
                                                                  : make_entry (self, variable, name);
  BeckonMcpVariable *kept = beckon_mcp_variable_new (variable->name, NULL, variable->source);
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (self);

  g_object_set_data_full (G_OBJECT (row), "variable", kept, (GDestroyNotify) beckon_mcp_variable_free);
  /* The one to add another stays the last. */
  for (guint i = index; i < self->rows->len; i++)
    {
      g_object_ref (g_ptr_array_index (self->rows, i));
      adw_preferences_group_remove (group, g_ptr_array_index (self->rows, i));
    }
  adw_preferences_group_remove (group, self->new_row);
  adw_preferences_group_add (group, row);
  for (guint i = index; i < self->rows->len; i++)
    {
      adw_preferences_group_add (group, g_ptr_array_index (self->rows, i));
      g_object_unref (g_ptr_array_index (self->rows, i));
    }
  adw_preferences_group_add (group, self->new_row);
  g_ptr_array_insert (self->rows, (int) index, row);
}

/* (nullable): of "NAME=value", or "Name: value" where headers are entered; a name alone has an empty value. */
static BeckonMcpVariable *
read_new (BeckonServerVariables *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->new_row))));
  g_auto (GStrv) parts = g_strsplit (text, self->are_headers ? ":" : "=", 2);
  const char *value;

  if (parts[0] == NULL || *g_strstrip (parts[0]) == '\0')
    return NULL;
  value = parts[1] != NULL ? g_strstrip (parts[1]) : "";
  return beckon_mcp_variable_new (parts[0], value,
                                  beckon_mcp_variable_is_secret_name (parts[0]) || beckon_profile_looks_like_key (value)
                                  ? BECKON_MCP_VALUE_SECRET : BECKON_MCP_VALUE_PLAIN);
}

static void
on_new_applied (BeckonServerVariables *self)
{
  g_autoptr (BeckonMcpVariable) variable = read_new (self);

  if (variable == NULL)
    return;
  gtk_editable_set_text (GTK_EDITABLE (self->new_row), "");
  server_variables_add_row (self, variable, self->rows->len);
  gtk_widget_grab_focus (g_ptr_array_index (self->rows, self->rows->len - 1));
}

void
beckon_server_variables_set (BeckonServerVariables *self, GPtrArray *variables, gboolean are_headers)
{
  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), g_ptr_array_index (self->rows, i));
  g_ptr_array_set_size (self->rows, 0);
  self->are_headers = are_headers;
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self), are_headers ? _("Headers") : _("Environment Variables"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->new_row),
                                 are_headers ? _("New Header (Name: value)") : _("New Variable (NAME=value)"));
  beckon_entry_row_name (GTK_EDITABLE (self->new_row));
  for (guint i = 0; i < variables->len; i++)
    server_variables_add_row (self, g_ptr_array_index (variables, i), i);
}

void
beckon_server_variables_take (BeckonServerVariables *self, GPtrArray *variables)
{
  BeckonMcpVariable *begun;

  for (guint i = 0; i < self->rows->len; i++)
    g_ptr_array_add (variables, read_row (g_ptr_array_index (self->rows, i)));
  begun = read_new (self);
  if (begun != NULL)
    g_ptr_array_add (variables, begun);
}

static void
beckon_server_variables_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_SERVER_VARIABLES (object)->rows);
  g_object_unref (BECKON_SERVER_VARIABLES (object)->new_row);
  G_OBJECT_CLASS (beckon_server_variables_parent_class)->finalize (object);
}

static void
beckon_server_variables_class_init (BeckonServerVariablesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_server_variables_finalize;
}

static void
beckon_server_variables_init (BeckonServerVariables *self)
{
  self->rows = g_ptr_array_new ();
  self->new_row = g_object_ref_sink (adw_entry_row_new ());
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (self->new_row), TRUE);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), self->new_row);
  g_signal_connect_object (self->new_row, "apply", G_CALLBACK (on_new_applied), self, G_CONNECT_SWAPPED);
}
