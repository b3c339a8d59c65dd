/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-form-changes-view.h"

#include "base/beckon-line-diff.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "form/beckon-form-difference.h"
#include "ui/blocks/beckon-code-block.h"

#include <glib/gi18n-lib.h>

struct _BeckonFormChangesView
{
  AdwBin parent_instance;

  BeckonForm *form; /* (owned) */
  BeckonCodeBlock *block;
  GtkWidget *none_label;
};

G_DEFINE_FINAL_TYPE (BeckonFormChangesView, beckon_form_changes_view, ADW_TYPE_BIN)

static void
changes_view_update (BeckonFormChangesView *self)
{
  g_autofree char *proposed = beckon_form_dup_shown (self->form, beckon_form_get_proposal (self->form));
  g_autofree char *edited = beckon_form_dup_shown (self->form, beckon_form_get_text (self->form));
  g_autofree char *before = beckon_form_print_lines (proposed);
  g_autofree char *after = beckon_form_print_lines (edited);
  g_autoptr (BeckonLineDiff) diff = beckon_line_diff_new (before, after);
  g_autoptr (GString) lines = g_string_new (NULL);
  gboolean is_edited = beckon_form_is_edited (self->form);

  /* All of it: arguments are short, and what stays is what it runs with, too. */
  for (guint i = 0; i < beckon_line_diff_get_n_lines (diff); i++)
    {
      const BeckonLineDiffLine *line = beckon_line_diff_get_line (diff, i);
      char mark = line->kind == BECKON_LINE_DIFF_REMOVED ? '-' : line->kind == BECKON_LINE_DIFF_ADDED ? '+' : ' ';

      g_string_append_printf (lines, "%s%c ", i > 0 ? "\n" : "", mark);
      g_string_append_len (lines, line->text, (gssize) line->length);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->block), is_edited);
  gtk_widget_set_visible (self->none_label, !is_edited);
  beckon_code_block_set_wrap (self->block, !beckon_text_has_long_line (lines->str));
  beckon_code_block_update (self->block, lines->str, lines->len, 0);
}

static char *
describe_difference (const BeckonFormDifference *difference)
{
  g_autofree char *before = difference->before != NULL ? beckon_text_shorten (difference->before, 80) : NULL;

  if (difference->after == NULL)
    /* Translators: an argument of a tool, named by %s, that a person took out */
    return beckon_text_printf (_("%s taken out"), difference->title);
  if (before == NULL)
    /* Translators: an argument of a tool, named by %s, that a person added */
    return beckon_text_printf (_("%s added"), difference->title);
  /* Translators: an argument of a tool that a person changed: its name, and what it was before */
  return beckon_text_printf (_("%s from %s"), difference->title, before);
}

char *
beckon_form_changes_view_describe (BeckonForm *form)
{
  g_autoptr (GPtrArray) list = beckon_form_list_differences (form);
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < list->len; i++)
    {
      g_autofree char *one = describe_difference (g_ptr_array_index (list, i));

      /* Translators: what stands between two things that were changed */
      beckon_text_append (words, "%s%s", i > 0 ? _("; ") : "", one);
    }
  if (words->len == 0)
    return g_strdup (_("Changed as text"));
  /* Translators: %s is a list of what was changed, such as "limit from 1000" */
  return beckon_text_printf (_("Changed: %s"), words->str);
}

static void
beckon_form_changes_view_dispose (GObject *object)
{
  g_clear_object (&BECKON_FORM_CHANGES_VIEW (object)->form);
  G_OBJECT_CLASS (beckon_form_changes_view_parent_class)->dispose (object);
}

static void
beckon_form_changes_view_class_init (BeckonFormChangesViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_form_changes_view_dispose;
}

static void
beckon_form_changes_view_init (BeckonFormChangesView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->block = BECKON_CODE_BLOCK (beckon_code_block_new ());
  self->none_label = gtk_label_new (_("It is as the agent proposed it."));
  beckon_code_block_set_diff (self->block);
  beckon_code_block_set_wrap (self->block, TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->none_label), 0);
  gtk_widget_add_css_class (self->none_label, "dim-label");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->block));
  gtk_box_append (GTK_BOX (box), self->none_label);
  adw_bin_set_child (ADW_BIN (self), box);
}

GtkWidget *
beckon_form_changes_view_new (BeckonForm *form)
{
  BeckonFormChangesView *self = g_object_new (BECKON_TYPE_FORM_CHANGES_VIEW, NULL);

  self->form = g_object_ref (form);
  g_signal_connect_object (form, "changed", G_CALLBACK (changes_view_update), self, G_CONNECT_SWAPPED);
  changes_view_update (self);
  return GTK_WIDGET (self);
}
