/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-change-row.h"

#include "base/beckon-line-diff.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-change-labels.h"
#include "landing/beckon-landing-look.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-scrolled.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Each is a text view of its own; the hunks behind these follow the check of their file. */
#define MOST_HUNKS 24

struct _BeckonChangeRow
{
  AdwBin parent_instance;

  BeckonChangeSet *set; /* (owned) */
  guint index;
  const BeckonFileChange *change; /* (unowned): in the set */
  BeckonChangeChoice *choice;     /* (unowned) (nullable) */
  BeckonToolCall *call;           /* (owned) (nullable) */
  GPtrArray *hunk_checks;         /* (owned) (element-type GtkCheckButton): once they are shown; borrowed widgets */
  gboolean is_showing;
  gboolean is_late; /* the file was changed in the folder meanwhile */

  GtkCheckButton *check;
  GtkToggleButton *toggle;
  GtkLabel *path_label;
  GtkLabel *mark_label;
  GtkLabel *notes_label;
  GtkLabel *extent_label;
  GtkImage *arrow;
  GtkBox *details;
};

G_DEFINE_FINAL_TYPE (BeckonChangeRow, beckon_change_row, ADW_TYPE_BIN)

static guint changed_signal;

static gboolean
can_choose (BeckonChangeRow *self)
{
  return self->choice != NULL && self->change->fate == BECKON_FILE_OPEN;
}

/* A folder that stands for all that is in it, and is somewhere. */
static gboolean
is_new_folder (BeckonChangeRow *self)
{
  return self->call != NULL && self->change->type == BECKON_FILE_FOLDER && self->change->n_files > 0
         && (self->change->kind == BECKON_FILE_CREATED || self->change->kind == BECKON_FILE_MOVED
             || beckon_file_change_makes_folder (self->change))
         && (self->change->fate == BECKON_FILE_OPEN || self->change->fate == BECKON_FILE_KEPT);
}

static gboolean
has_bound_differences (const BeckonFileChange *change)
{
  g_autoptr (GPtrArray) told = beckon_file_change_list_told (change);

  for (guint i = 0; i < told->len; i++)
    if (((const BeckonFileChange *) g_ptr_array_index (told, i))->diff != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
can_unfold (BeckonChangeRow *self)
{
  return is_new_folder (self) || (self->change->diff != NULL && *self->change->diff != '\0') || self->change->theirs != NULL
         || has_bound_differences (self->change);
}

/* --- Checks ------------------------------------------------------------------------------------------------------- */

static guint
count_left_out (BeckonChangeRow *self)
{
  guint n = 0;

  for (guint i = 0; i < self->change->n_hunks; i++)
    n += beckon_change_choice_get_hunk_left_out (self->choice, self->index, i);
  return n;
}

static void
show_choice (BeckonChangeRow *self)
{
  gboolean is_left_out;

  if (!can_choose (self))
    return;

  is_left_out = beckon_change_choice_get_left_out (self->choice, self->index);
  self->is_showing = TRUE;
  gtk_check_button_set_active (self->check, !is_left_out);
  gtk_check_button_set_inconsistent (self->check, !is_left_out && count_left_out (self) > 0);
  for (guint i = 0; i < self->hunk_checks->len; i++)
    gtk_check_button_set_active (g_ptr_array_index (self->hunk_checks, i),
                                 !beckon_change_choice_get_hunk_left_out (self->choice, self->index, i));
  self->is_showing = FALSE;
}

static void
note_choice (BeckonChangeRow *self)
{
  beckon_change_choice_follow (self->choice, self->set, self->index);
  show_choice (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
on_check_toggled (BeckonChangeRow *self)
{
  if (self->is_showing || self->choice == NULL)
    return;

  beckon_change_choice_set_left_out (self->choice, self->index, !gtk_check_button_get_active (self->check));
  note_choice (self);
}

static void
on_hunk_toggled (BeckonChangeRow *self, GtkCheckButton *check)
{
  gboolean is_kept = gtk_check_button_get_active (check);
  guint hunk;

  if (self->is_showing || self->choice == NULL || !g_ptr_array_find (self->hunk_checks, check, &hunk))
    return;

  /* A file that is left out has no hunks that are; what is checked first makes that a choice of hunks. */
  if (is_kept && beckon_change_choice_get_left_out (self->choice, self->index))
    {
      beckon_change_choice_set_left_out (self->choice, self->index, FALSE);
      for (guint i = 0; i < self->change->n_hunks; i++)
        beckon_change_choice_set_hunk_left_out (self->choice, self->index, i, i != hunk);
    }
  else
    {
      beckon_change_choice_set_hunk_left_out (self->choice, self->index, hunk, !is_kept);
      if (count_left_out (self) == self->change->n_hunks)
        beckon_change_choice_set_left_out (self->choice, self->index, TRUE);
    }
  note_choice (self);
}

void
beckon_change_row_set_choice (BeckonChangeRow *self, BeckonChangeChoice *choice)
{
  self->choice = choice;
  show_choice (self);
}

/* --- Unfolding ---------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_block (const char *hunks, gssize length)
{
  g_autofree char *copy = length < 0 ? g_strdup (hunks) : g_strndup (hunks, (gsize) length);
  g_autofree char *folded = beckon_line_diff_fold_blank (copy);

  return beckon_code_block_new_hunks (folded, -1);
}

static void
append_heading (BeckonChangeRow *self, const char *words)
{
  GtkWidget *label = gtk_label_new (words);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (self->details, label);
}

static char *
describe_files (const BeckonLandingLook *look)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < look->files->len; i++)
    {
      const BeckonFileChange *file = g_ptr_array_index (look->files, i);
      g_autofree char *path = beckon_file_change_dup_shown_path (file);
      g_autofree char *size = file->type == BECKON_FILE_REGULAR ? g_format_size (file->size)
                                                                : beckon_change_labels_describe_extent (file);

      g_string_append_printf (lines, "%s%s  (%s)", i > 0 ? "\n" : "", path, size);
    }
  if (look->n_left > 0)
    {
      /* Translators: behind a list of files */
      g_autofree char *rest = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "… and %u more", "… and %u more", look->n_left),
                                               look->n_left);

      g_string_append_printf (lines, "\n%s", rest);
    }
  return g_string_free (g_steal_pointer (&lines), FALSE);
}

static void
change_row_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChangeRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonLandingLook) look = beckon_landing_look_finish (result, &error);
  g_autofree char *files = look != NULL ? describe_files (look) : NULL;
  GtkWidget *block;

  if (self->set == NULL)
    return;
  if (files == NULL)
    {
      append_heading (self, error->message);
      return;
    }
  block = beckon_code_block_new ();
  beckon_code_block_set_wrap (BECKON_CODE_BLOCK (block), TRUE);
  beckon_code_block_set_text (BECKON_CODE_BLOCK (block), files);
  gtk_box_append (self->details, block);
}

/* The lines' numbers tell hunks apart: one hunk alone has no need of them. */
static const char *
get_lines (const BeckonFileChange *change)
{
  const char *end = change->n_hunks == 1 && g_str_has_prefix (change->diff, "@@ ") ? strchr (change->diff, '\n') : NULL;

  return end != NULL ? end + 1 : change->diff;
}

static void
append_details (BeckonChangeRow *self)
{
  const BeckonFileChange *change = self->change;
  g_autoptr (GPtrArray) told = NULL;

  if (is_new_folder (self))
    {
      const BeckonLanding *landing = beckon_change_labels_find_waiting (self->call);

      if (landing == NULL)
        landing = beckon_tool_call_get_landing (self->call);
      if (landing != NULL)
        beckon_landing_look_async (landing, self->change, NULL, change_row_on_looked, g_object_ref (self));
    }
  if (change->theirs != NULL)
    append_heading (self, _("By the command"));
  else if ((change->fate == BECKON_FILE_CONFLICT || change->concern == BECKON_FILE_CONCERN_CONFLICT) && change->diff != NULL)
    append_heading (self, _("− in the folder now, + by the command"));
  if (change->diff != NULL && change->n_hunks > 1 && can_choose (self))
    {
      const char *hunk = self->change->diff;

      for (guint i = 0; i < MOST_HUNKS && *hunk != '\0'; i++)
        {
          const char *next = strstr (hunk, "\n@@ ");
          const char *end = next != NULL ? next + 1 : hunk + strlen (hunk);
          GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
          GtkWidget *check = gtk_check_button_new ();
          /* Translators: of a check box beside a part of what was changed in a file: %u is which part */
          g_autofree char *part = g_strdup_printf (_("Keep part %u"), self->hunk_checks->len + 1);

          gtk_widget_set_valign (check, GTK_ALIGN_START);
          gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, part, -1);
          g_signal_connect_object (check, "toggled", G_CALLBACK (on_hunk_toggled), self, G_CONNECT_SWAPPED);
          g_ptr_array_add (self->hunk_checks, check);
          gtk_box_append (GTK_BOX (box), check);
          gtk_box_append (GTK_BOX (box), make_block (hunk, end - hunk));
          gtk_box_append (self->details, box);

          hunk = end;
        }
      if (*hunk != '\0')
        gtk_box_append (self->details, make_block (hunk, -1));
      show_choice (self);
    }
  else if (change->diff != NULL)
    gtk_box_append (self->details, make_block (get_lines (change), -1));

  /* Changes that are decided with it, as far as they have a text. */
  told = beckon_file_change_list_told (self->change);
  for (guint i = 0; i < told->len; i++)
    {
      const BeckonFileChange *bound = g_ptr_array_index (told, i);
      g_autofree char *name = beckon_file_change_dup_shown_name (bound);

      if (bound->diff == NULL)
        continue;
      append_heading (self, name);
      gtk_box_append (self->details, make_block (get_lines (bound), -1));
    }

  if (change->theirs == NULL)
    return;
  append_heading (self, _("In the folder meanwhile"));
  gtk_box_append (self->details, make_block (change->theirs, -1));
}

/* The texts are made only where they are looked at. */
static void
change_row_on_toggled (BeckonChangeRow *self)
{
  gboolean is_shown = beckon_unfolding_follow (self->toggle, self->arrow);

  if (is_shown && gtk_widget_get_first_child (GTK_WIDGET (self->details)) == NULL)
    append_details (self);
  gtk_widget_set_visible (GTK_WIDGET (self->details), is_shown);
}

void
beckon_change_row_unfold (BeckonChangeRow *self)
{
  if (can_unfold (self))
    gtk_toggle_button_set_active (self->toggle, TRUE);
}

/* --- The row ------------------------------------------------------------------------------------------------------ */

/* Something is wrong, or was; what was decided is said quietly. */
static gboolean
is_warning (const BeckonFileChange *change)
{
  return change->fate == BECKON_FILE_OPEN || change->fate == BECKON_FILE_CONFLICT || change->fate == BECKON_FILE_FAILED
         || ((change->fate == BECKON_FILE_KEPT || change->fate == BECKON_FILE_UNDONE) && change->remark != NULL);
}

static void
show_change (BeckonChangeRow *self)
{
  g_autofree char *path = beckon_file_change_dup_shown_name (self->change);
  g_autofree char *extent = beckon_change_labels_describe_extent (self->change);
  g_autofree char *mark = self->is_late ? g_strdup (_("Changed in the folder meanwhile, and that stays"))
                                        : beckon_change_labels_describe_mark (self->change, self->choice == NULL);
  g_autofree char *notes = beckon_change_labels_describe_notes (self->change);
  g_autofree char *said = beckon_change_labels_speak_extent (self->change);
  g_autofree char *spoken = g_strjoin (", ", path, *said != '\0' ? said : _("changed"), mark, NULL);
  /* Translators: of a check box beside a file; %s is the file */
  g_autofree char *keep = beckon_text_printf (_("Keep %s"), path);

  gtk_label_set_text (self->path_label, path);
  beckon_label_say (self->extent_label, extent);
  beckon_label_say (self->mark_label, mark);
  beckon_label_say (self->notes_label, notes);
  beckon_css_class_set (GTK_WIDGET (self->mark_label), "warning", is_warning (self->change));
  beckon_css_class_set (GTK_WIDGET (self->mark_label), "dim-label", !is_warning (self->change));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->check), GTK_ACCESSIBLE_PROPERTY_LABEL, keep, -1);
}

static void
show_parts (BeckonChangeRow *self)
{
  gboolean unfolds = can_unfold (self);

  gtk_widget_set_visible (GTK_WIDGET (self->check), can_choose (self));
  gtk_widget_set_visible (GTK_WIDGET (self->arrow), unfolds);
  gtk_widget_set_can_target (GTK_WIDGET (self->toggle), unfolds);
  gtk_widget_set_focusable (GTK_WIDGET (self->toggle), unfolds);
  if (unfolds)
    gtk_accessible_update_state (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
}

void
beckon_change_row_set_late (BeckonChangeRow *self, gboolean is_late)
{
  if (self->is_late == is_late)
    return;
  self->is_late = is_late;
  show_change (self);
}

void
beckon_change_row_set_call (BeckonChangeRow *self, BeckonToolCall *call)
{
  g_set_object (&self->call, call);
  show_parts (self);
}

static void
beckon_change_row_dispose (GObject *object)
{
  BeckonChangeRow *self = BECKON_CHANGE_ROW (object);

  self->choice = NULL;
  g_clear_pointer (&self->hunk_checks, g_ptr_array_unref);
  g_clear_pointer (&self->set, beckon_change_set_unref);
  g_clear_object (&self->call);
  G_OBJECT_CLASS (beckon_change_row_parent_class)->dispose (object);
}

static void
beckon_change_row_class_init (BeckonChangeRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  G_OBJECT_CLASS (klass)->dispose = beckon_change_row_dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/change-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonChangeRow, check);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangeRow, toggle);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangeRow, path_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangeRow, mark_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangeRow, notes_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangeRow, extent_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangeRow, arrow);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangeRow, details);
  gtk_widget_class_bind_template_callback (widget_class, on_check_toggled);
  gtk_widget_class_bind_template_callback (widget_class, change_row_on_toggled);
}

static void
beckon_change_row_init (BeckonChangeRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->hunk_checks = g_ptr_array_new ();
}

GtkWidget *
beckon_change_row_new (BeckonChangeSet *set, guint index, BeckonChangeChoice *choice)
{
  BeckonChangeRow *self = g_object_new (BECKON_TYPE_CHANGE_ROW, NULL);

  self->set = beckon_change_set_ref (set);
  self->index = index;
  self->change = beckon_change_set_get (set, index);
  self->choice = choice;
  show_change (self);
  show_parts (self);
  show_choice (self);
  return GTK_WIDGET (self);
}
