/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-server-tool-row.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LINE_CHARS 120

struct _BeckonServerToolRow
{
  AdwExpanderRow parent_instance;

  BeckonMcpToolInfo *info; /* (owned) */
  GtkSwitch *on_switch;
  GtkBox *details; /* (nullable): once it was opened */
  GtkWidget *change; /* (nullable): the difference and its button */
  gboolean is_showing;
};

G_DEFINE_FINAL_TYPE (BeckonServerToolRow, beckon_server_tool_row, ADW_TYPE_EXPANDER_ROW)

static guint switched_signal, accepted_signal;

static const char *
get_title (const BeckonMcpToolInfo *info)
{
  return info->title != NULL && *info->title != '\0' ? info->title : info->name;
}

/* Hints of a party that is not trusted are said to be its own. */
static const char *
server_tool_row_get_hint (const BeckonMcpToolInfo *info)
{
  if (info->is_read_only)
    return _("Says that it only reads");
  if (info->is_silent)
    return _("Says nothing about what it changes");
  if (info->is_destructive)
    return _("Says that it may delete or overwrite");
  return _("Says that it deletes nothing");
}

static char *
dup_first_line (const char *text)
{
  g_autofree char *line = g_strndup (text, strcspn (text, "\n"));
  g_autofree char *shown = beckon_text_for_display (line, -1, BECKON_TEXT_EXACT);

  return beckon_text_shorten (shown, LINE_CHARS);
}

static void
show_title (BeckonServerToolRow *self, gboolean is_changed)
{
  g_autofree char *shown = beckon_text_for_display (get_title (self->info), -1, BECKON_TEXT_EXACT);
  g_autofree char *title = g_markup_escape_text (shown, -1);
  g_autofree char *line = dup_first_line (self->info->description != NULL ? self->info->description : "");
  const char *hint = is_changed ? _("Changed: look at it before it is used again") : server_tool_row_get_hint (self->info);
  g_autofree char *words = beckon_text_printf ("%s\n%s", hint, line);
  g_autofree char *subtitle = g_markup_escape_text (g_strchomp (words), -1);
  /* Translators: a switch of a tool, which is named */
  g_autofree char *spoken = beckon_text_printf (_("Use %s"), shown);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), title);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), subtitle);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->on_switch), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static void
server_tool_row_on_switched (BeckonServerToolRow *self)
{
  if (!self->is_showing)
    g_signal_emit (self, switched_signal, 0, gtk_switch_get_active (self->on_switch));
}

static void
on_accept_clicked (BeckonServerToolRow *self)
{
  g_signal_emit (self, accepted_signal, 0);
}

static GtkWidget *
server_tool_row_make_label (const char *text)
{
  GtkWidget *label = beckon_line_new (text, NULL);

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  return label;
}

static GtkWidget *
make_code (const char *text, gboolean is_difference)
{
  GtkWidget *block = beckon_code_block_new ();
  g_autofree char *shown = beckon_text_for_display (text, -1, BECKON_TEXT_MARKED);

  if (is_difference)
    beckon_code_block_set_diff (BECKON_CODE_BLOCK (block));
  beckon_code_block_set_wrap (BECKON_CODE_BLOCK (block), TRUE);
  beckon_code_block_set_text (BECKON_CODE_BLOCK (block), shown);
  return block;
}

static void
on_expanded (BeckonServerToolRow *self)
{
  if (adw_expander_row_get_expanded (ADW_EXPANDER_ROW (self))
      && gtk_widget_get_first_child (GTK_WIDGET (self->details)) == NULL)
    {
      /* Text that a model is given as it is. */
      g_autofree char *name = beckon_text_for_display (self->info->name, -1, BECKON_TEXT_EXACT);
      /* Translators: a tool, as the server calls it */
      g_autofree char *called = beckon_text_printf (_("Name: %s"), name);
      g_autofree char *description = beckon_text_for_display (
          self->info->description != NULL ? self->info->description : "", -1, BECKON_TEXT_MARKED);
      g_autofree char *schema = beckon_text_json_for_display (self->info->schema);

      gtk_box_append (self->details, server_tool_row_make_label (called));
      if (*description != '\0')
        gtk_box_append (self->details, server_tool_row_make_label (description));
      gtk_box_append (self->details, server_tool_row_make_label (_("Arguments, as a JSON Schema:")));
      gtk_box_append (self->details, make_code (schema, FALSE));
    }
}

static void
show_change (BeckonServerToolRow *self, const BeckonMcpToolInfo *previous)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  GtkWidget *button = gtk_button_new_with_label (_("Accept the Change"));
  g_autofree char *difference = beckon_mcp_tool_info_compare (previous, self->info);
  g_autofree char *spoken = beckon_text_printf (_("Accept the change of %s"), get_title (self->info));

  gtk_box_append (GTK_BOX (box),
                  server_tool_row_make_label (_("The server changed this tool after you allowed it or set its arguments. It "
                                                "runs again once you accept the change.")));
  gtk_box_append (GTK_BOX (box), make_code (difference, TRUE));
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_accept_clicked), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), button);
  self->change = gtk_list_box_row_new ();
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self->change), FALSE);
  gtk_widget_set_focusable (self->change, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self->change), box);
  gtk_widget_add_css_class (box, "tool-details");
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), self->change);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (self), TRUE);
}

void
beckon_server_tool_row_update (BeckonServerToolRow *self, gboolean is_on, const BeckonMcpToolInfo *previous)
{
  self->is_showing = TRUE;
  gtk_switch_set_active (self->on_switch, is_on);
  self->is_showing = FALSE;
  show_title (self, previous != NULL);
  if (previous == NULL && self->change != NULL)
    {
      adw_expander_row_remove (ADW_EXPANDER_ROW (self), self->change);
      self->change = NULL;
    }
  else if (previous != NULL && self->change == NULL)
    show_change (self, previous);
}

static void
beckon_server_tool_row_finalize (GObject *object)
{
  beckon_mcp_tool_info_unref (BECKON_SERVER_TOOL_ROW (object)->info);
  G_OBJECT_CLASS (beckon_server_tool_row_parent_class)->finalize (object);
}

static void
beckon_server_tool_row_class_init (BeckonServerToolRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_server_tool_row_finalize;
  switched_signal = g_signal_new ("switched", BECKON_TYPE_SERVER_TOOL_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  1, G_TYPE_BOOLEAN);
  accepted_signal = g_signal_new ("accepted", BECKON_TYPE_SERVER_TOOL_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  0);
}

static void
beckon_server_tool_row_init (BeckonServerToolRow *self)
{
  GtkWidget *row = gtk_list_box_row_new ();

  self->on_switch = GTK_SWITCH (gtk_switch_new ());
  gtk_widget_set_valign (GTK_WIDGET (self->on_switch), GTK_ALIGN_CENTER);
  adw_expander_row_add_action (ADW_EXPANDER_ROW (self), GTK_WIDGET (self->on_switch));
  self->details = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 9));
  gtk_widget_add_css_class (GTK_WIDGET (self->details), "tool-details");
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), GTK_WIDGET (self->details));
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);
  g_signal_connect_swapped (self->on_switch, "notify::active", G_CALLBACK (server_tool_row_on_switched), self);
  g_signal_connect (self, "notify::expanded", G_CALLBACK (on_expanded), NULL);
}

GtkWidget *
beckon_server_tool_row_new (BeckonMcpToolInfo *info)
{
  BeckonServerToolRow *self = g_object_new (BECKON_TYPE_SERVER_TOOL_ROW, NULL);

  self->info = beckon_mcp_tool_info_ref (info);
  return GTK_WIDGET (self);
}

BeckonMcpToolInfo *
beckon_server_tool_row_get_info (BeckonServerToolRow *self)
{
  return self->info;
}
