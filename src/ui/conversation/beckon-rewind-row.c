/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rewind-row.h"

#include "base/beckon-text.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/widgets/beckon-scrolled.h"

#include <glib/gi18n-lib.h>

struct _BeckonRewindRow
{
  AdwBin parent_instance;

  GPtrArray *diffs; /* (owned) (element-type utf8) */

  GtkToggleButton *toggle;
  GtkLabel *path_label;
  GtkLabel *fate_label;
  GtkImage *arrow;
  GtkBox *details;
};

G_DEFINE_FINAL_TYPE (BeckonRewindRow, beckon_rewind_row, ADW_TYPE_BIN)

static char *
rewind_row_describe_fate (const BeckonRewindFile *file)
{
  switch (file->fate)
    {
    case BECKON_REWIND_RESTORED:
      if (file->from != NULL)
        /* Translators: of a file or a folder that was moved, behind "new.txt → old.txt" */
        return g_strdup (_("Goes back to where it was"));
      return g_strdup (_("Becomes what it was"));

    case BECKON_REWIND_DELETED:
      if (file->n_files > 0)
        return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Is deleted, with %u file", "Is deleted, with %u files",
                                             file->n_files),
                                file->n_files);
      return g_strdup (_("Is deleted: it was not there"));

    case BECKON_REWIND_REFUSED:
      if (file->why != NULL)
        return beckon_text_for_display (file->why, -1, BECKON_TEXT_PROSE);
      return g_strdup (_("Stays as it is"));

    case BECKON_REWIND_AS_IT_WAS:
    default:
      return g_strdup (_("Is already as it was"));
    }
}

static void
rewind_row_on_toggled (BeckonRewindRow *self)
{
  gboolean is_shown = beckon_unfolding_follow (self->toggle, self->arrow);

  if (is_shown && gtk_widget_get_first_child (GTK_WIDGET (self->details)) == NULL)
    {
      GtkWidget *label = gtk_label_new (_("Changed by the agent"));

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_add_css_class (label, "caption-heading");
      gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (self->details, label);
      for (guint i = 0; i < self->diffs->len; i++)
        gtk_box_append (self->details, beckon_code_block_new_hunks (g_ptr_array_index (self->diffs, i), -1));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->details), is_shown);
}

static void
beckon_rewind_row_dispose (GObject *object)
{
  g_clear_pointer (&BECKON_REWIND_ROW (object)->diffs, g_ptr_array_unref);
  G_OBJECT_CLASS (beckon_rewind_row_parent_class)->dispose (object);
}

static void
beckon_rewind_row_class_init (BeckonRewindRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_rewind_row_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/rewind-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindRow, toggle);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindRow, path_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindRow, fate_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindRow, arrow);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindRow, details);
  gtk_widget_class_bind_template_callback (widget_class, rewind_row_on_toggled);
}

static void
beckon_rewind_row_init (BeckonRewindRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_rewind_row_new (const BeckonRewindFile *file, GPtrArray *diffs)
{
  BeckonRewindRow *self = g_object_new (BECKON_TYPE_REWIND_ROW, NULL);
  g_autofree char *path = NULL;
  g_autofree char *fate = NULL;
  g_autofree char *spoken = NULL;
  gboolean unfolds;

  self->diffs = g_ptr_array_ref (diffs);
  path = beckon_rewind_file_dup_shown_path (file);
  fate = rewind_row_describe_fate (file);
  spoken = g_strdup_printf ("%s, %s", path, fate);
  unfolds = self->diffs->len > 0;

  gtk_label_set_text (self->path_label, path);
  gtk_label_set_text (self->fate_label, fate);
  gtk_widget_add_css_class (GTK_WIDGET (self->fate_label), file->fate == BECKON_REWIND_REFUSED ? "warning" : "dim-label");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_widget_set_visible (GTK_WIDGET (self->arrow), unfolds);
  gtk_widget_set_can_target (GTK_WIDGET (self->toggle), unfolds);
  gtk_widget_set_focusable (GTK_WIDGET (self->toggle), unfolds);
  if (unfolds)
    gtk_accessible_update_state (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
  return GTK_WIDGET (self);
}
