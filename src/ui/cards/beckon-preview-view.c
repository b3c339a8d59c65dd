/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-preview-view.h"

#include "base/beckon-text.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/widgets/beckon-end-watch.h"
#include "ui/widgets/beckon-max-height-box.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Each is a text view of its own. What has more is chosen from in the form. */
#define MOST_CHECKS 24

struct _BeckonPreviewView
{
  AdwBin parent_instance;

  BeckonCallPreview *preview; /* (owned) (nullable) */
  GPtrArray *checks;          /* (owned) (element-type GtkCheckButton): borrowed widgets; none where hunks can't be left out */
  gboolean is_showing;
  BeckonEndWatch *watch; /* (owned) */

  BeckonMaxHeightBox *bounded;
  GtkBox *hunks_box;
  GtkLabel *note_label;
};

G_DEFINE_FINAL_TYPE (BeckonPreviewView, beckon_preview_view, ADW_TYPE_BIN)

static guint chosen_signal;

static void
on_check_toggled (BeckonPreviewView *self)
{
  if (!self->is_showing)
    g_signal_emit (self, chosen_signal, 0);
}

static const char *
find_next_hunk (const char *hunk)
{
  const char *next = strstr (hunk, "\n@@ ");

  return next != NULL ? next + 1 : hunk + strlen (hunk);
}

/* The lines' numbers are for a patch; where a hunk begins can be seen. */
static const char *
skip_numbers (const char *hunk)
{
  const char *end = g_str_has_prefix (hunk, "@@ ") ? strchr (hunk, '\n') : NULL;

  return end != NULL ? end + 1 : hunk;
}

static GtkWidget *
make_check (BeckonPreviewView *self)
{
  GtkWidget *check = gtk_check_button_new ();
  /* Translators: of a check box beside a part of what a call would change in a file: %u is which part */
  g_autofree char *name = g_strdup_printf (_("Include part %u"), self->checks->len + 1);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
  gtk_widget_set_valign (check, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (check, _("Leave this part out"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (check, "toggled", G_CALLBACK (on_check_toggled), self, G_CONNECT_SWAPPED);
  g_ptr_array_add (self->checks, check);
  return check;
}

static void
append_hunk (BeckonPreviewView *self, const char *hunk, const char *end)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  const char *lines = skip_numbers (hunk);

  if (self->preview->can_leave_out && self->preview->n_hunks <= MOST_CHECKS)
    gtk_box_append (GTK_BOX (box), make_check (self));
  gtk_box_append (GTK_BOX (box), beckon_code_block_new_hunks (lines, MAX (end - lines, 0)));
  gtk_box_append (self->hunks_box, box);
}

static void
append_hunks (BeckonPreviewView *self)
{
  const char *hunk = self->preview->shown;

  for (guint i = 0; i < MOST_CHECKS && *hunk != '\0'; i++)
    {
      const char *end = find_next_hunk (hunk);

      append_hunk (self, hunk, end);
      hunk = end;
    }
  if (*hunk != '\0')
    gtk_box_append (self->hunks_box, beckon_code_block_new_hunks (hunk, -1));
}

static void
show_note (BeckonPreviewView *self, const char *note)
{
  gtk_label_set_text (self->note_label, note != NULL ? note : "");
  gtk_widget_set_visible (GTK_WIDGET (self->note_label), note != NULL);
}

static void
update (BeckonPreviewView *self)
{
  GtkWidget *child;

  g_ptr_array_set_size (self->checks, 0);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->hunks_box))) != NULL)
    gtk_box_remove (self->hunks_box, child);
  if (self->preview != NULL)
    append_hunks (self);
  beckon_end_watch_reset (self->watch);
  gtk_widget_set_visible (GTK_WIDGET (self->bounded), self->preview != NULL);
  show_note (self, self->preview != NULL && self->preview->is_cut ? _("The rest is too long to be shown here.") : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), self->preview != NULL);
}

void
beckon_preview_view_set_preview (BeckonPreviewView *self, BeckonCallPreview *preview)
{
  g_return_if_fail (BECKON_IS_PREVIEW_VIEW (self));

  g_clear_pointer (&self->preview, beckon_call_preview_unref);
  self->preview = preview != NULL ? beckon_call_preview_ref (preview) : NULL;
  update (self);
}

void
beckon_preview_view_set_error (BeckonPreviewView *self, const char *message)
{
  g_return_if_fail (BECKON_IS_PREVIEW_VIEW (self));

  beckon_preview_view_set_preview (self, NULL);
  show_note (self, message);
  gtk_widget_set_visible (GTK_WIDGET (self), message != NULL);
}

gboolean
beckon_preview_view_get_seen (BeckonPreviewView *self)
{
  g_return_val_if_fail (BECKON_IS_PREVIEW_VIEW (self), FALSE);

  return self->preview == NULL || beckon_end_watch_get_seen (self->watch);
}

gboolean
beckon_preview_view_is_laid_out (BeckonPreviewView *self)
{
  g_return_val_if_fail (BECKON_IS_PREVIEW_VIEW (self), FALSE);

  return self->preview == NULL || beckon_end_watch_is_laid_out (self->watch);
}

void
beckon_preview_view_show_end (BeckonPreviewView *self, GtkWidget *with)
{
  g_return_if_fail (BECKON_IS_PREVIEW_VIEW (self));

  beckon_end_watch_show_end (self->watch, with);
}

void
beckon_preview_view_check_all (BeckonPreviewView *self)
{
  g_return_if_fail (BECKON_IS_PREVIEW_VIEW (self));

  self->is_showing = TRUE;
  for (guint i = 0; i < self->checks->len; i++)
    gtk_check_button_set_active (g_ptr_array_index (self->checks, i), TRUE);
  self->is_showing = FALSE;
}

GArray *
beckon_preview_view_dup_kept (BeckonPreviewView *self)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = self->preview != NULL ? self->preview->n_hunks : 0;

  for (guint i = 0; i < n; i++)
    if (i >= self->checks->len || gtk_check_button_get_active (g_ptr_array_index (self->checks, i)))
      g_array_append_val (kept, i);
  return kept;
}

static void
beckon_preview_view_dispose (GObject *object)
{
  g_clear_pointer (&BECKON_PREVIEW_VIEW (object)->watch, beckon_end_watch_free);
  G_OBJECT_CLASS (beckon_preview_view_parent_class)->dispose (object);
}

static void
beckon_preview_view_finalize (GObject *object)
{
  BeckonPreviewView *self = BECKON_PREVIEW_VIEW (object);

  beckon_call_preview_unref (self->preview);
  g_ptr_array_unref (self->checks);
  G_OBJECT_CLASS (beckon_preview_view_parent_class)->finalize (object);
}

static void
beckon_preview_view_class_init (BeckonPreviewViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_preview_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_preview_view_finalize;
  chosen_signal = g_signal_new ("chosen", BECKON_TYPE_PREVIEW_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure (BECKON_TYPE_MAX_HEIGHT_BOX);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/preview-view.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPreviewView, bounded);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreviewView, hunks_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreviewView, note_label);
}

static void
beckon_preview_view_init (BeckonPreviewView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->checks = g_ptr_array_new ();
  self->watch = beckon_end_watch_new (GTK_WIDGET (self->hunks_box));
}
