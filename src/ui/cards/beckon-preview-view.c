/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-preview-view.h"

#include "base/beckon-text.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-end-watch.h"
#include "ui/widgets/beckon-max-height-box.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Each is a text view of its own. What has more is chosen from in the form. */
#define MOST_CHECKS 24

/* A difference is laid out piece by piece, as the person wants to see more of it; one of more pieces is no matter of a card. */
#define MOST_PIECES 4

/* Hidden characters make a piece longer once they are marked; a block shows no more than that. */
#define MOST_MARKED (160 * 1024)

#define LEFT_OUT_OPACITY 0.5

struct _BeckonPreviewView
{
  AdwBin parent_instance;

  BeckonCallPreview *preview; /* (owned) (nullable) */
  GPtrArray *checks;          /* (owned) (element-type GtkCheckButton): borrowed widgets; none where hunks can't be left out */
  gboolean is_showing;
  BeckonEndWatch *watch; /* (owned) */
  const char *rest;      /* (nullable): the part of the difference that is not shown yet, in @preview */
  guint n_pieces;        /* that are shown */

  BeckonMaxHeightBox *bounded;
  GtkBox *hunks_box;
  GtkWidget *more_button;
  GtkLabel *note_label;
};

G_DEFINE_FINAL_TYPE (BeckonPreviewView, beckon_preview_view, ADW_TYPE_BIN)

static guint chosen_signal;
static guint whole_signal;

static void
on_check_toggled (BeckonPreviewView *self)
{
  if (!self->is_showing)
    g_signal_emit (self, chosen_signal, 0);
}

/* A part that is left out looks so. */
static void
show_part (GtkCheckButton *check)
{
  GtkWidget *part = gtk_widget_get_next_sibling (GTK_WIDGET (check));

  if (part != NULL)
    gtk_widget_set_opacity (part, gtk_check_button_get_active (check) ? 1 : LEFT_OUT_OPACITY);
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
  g_signal_connect (check, "toggled", G_CALLBACK (show_part), NULL);
  g_signal_connect_object (check, "toggled", G_CALLBACK (on_check_toggled), self, G_CONNECT_SWAPPED);
  g_ptr_array_add (self->checks, check);
  return check;
}

/* The content of a new file has lines of its own that begin with a sign: a list, say. */
static GtkWidget *
make_block (BeckonPreviewView *self, const char *text, gssize length)
{
  return self->preview->n_hunks > 0 ? beckon_code_block_new_hunks (text, length)
                                    : beckon_code_block_new_content (text, length);
}

static void
append_hunks (BeckonPreviewView *self, const char *end)
{
  const char *hunk = self->preview->shown;

  for (guint i = 0; i < MOST_CHECKS && hunk < end; i++)
    {
      const char *found = g_strstr_len (hunk, end - hunk, "\n@@ ");
      const char *next = found != NULL ? found + 1 : end;
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
      /* The lines' numbers are for a patch; where a hunk begins can be seen. */
      const char *line_end = g_str_has_prefix (hunk, "@@ ") ? strchr (hunk, '\n') : NULL;
      const char *lines = line_end != NULL ? line_end + 1 : hunk;

      if (self->preview->can_leave_out && self->preview->n_hunks <= MOST_CHECKS)
        gtk_box_append (GTK_BOX (box), make_check (self));
      gtk_box_append (GTK_BOX (box), make_block (self, lines, MAX (next - lines, 0)));
      gtk_box_append (self->hunks_box, box);

      hunk = next;
    }
  if (hunk < end)
    gtk_box_append (self->hunks_box, make_block (self, hunk, end - hunk));
}

/* --- Pieces ------------------------------------------------------------------------------------------------------- */

/* Whole lines, unless the last of them is so long that little would be left. */
static const char *
find_end_within (const char *from, gsize most)
{
  gsize length = strnlen (from, most + 1);
  const char *last;

  if (length <= most)
    return from + length;
  last = g_strrstr_len (from, (gssize) most, "\n");
  return last != NULL && (gsize) (last - from) >= most / 2 ? last + 1 : g_utf8_find_prev_char (from, from + most);
}

static const char *
find_piece_end (const char *from)
{
  for (gsize most = BECKON_CALL_PREVIEW_PIECE;; most /= 2)
    {
      const char *end = find_end_within (from, most);
      g_autofree char *marked = beckon_text_for_display (from, end - from, BECKON_TEXT_MARKED);

      if (strlen (marked) <= MOST_MARKED)
        return end;
    }
}

static void
append_piece (BeckonPreviewView *self)
{
  const char *end = find_piece_end (self->rest);

  if (self->n_pieces++ == 0)
    append_hunks (self, end);
  else
    {
      /* A piece that begins in the middle of a line is as much added, or removed, as the line's beginning. */
      const char *line = self->rest;
      int length = (int) (end - self->rest);
      g_autofree char *text = NULL;

      while (line > self->preview->shown && line[-1] != '\n')
        line--;
      text = line < self->rest && self->preview->n_hunks > 0 ? g_strdup_printf ("%c↳ %.*s", *line, length, self->rest)
                                                             : g_strndup (self->rest, (gsize) length);
      gtk_box_append (self->hunks_box, make_block (self, text, -1));
    }
  self->rest = *end != '\0' ? end : NULL;
  beckon_end_watch_reset (self->watch);
}

static gboolean
is_too_long (BeckonPreviewView *self)
{
  return self->rest != NULL && self->n_pieces >= MOST_PIECES;
}

static char *
describe_rest (BeckonPreviewView *self)
{
  guint n = 0;

  if (self->rest == NULL)
    return NULL;
  if (is_too_long (self))
    return g_strdup (_("The change is too long to be shown here, so the call can’t be run here. Look at it with “beckonctl "
                       "answer” in a terminal, or deny the call."));
  for (const char *at = self->rest; at != NULL && *at != '\0'; n++)
    {
      at = strchr (at, '\n');
      at = at != NULL ? at + 1 : NULL;
    }
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u more line. The call can be run once all of it is shown.",
                                       "%u more lines. The call can be run once all of it is shown.", n), n);
}

static void
show_note (BeckonPreviewView *self, const char *note)
{
  beckon_label_say (self->note_label, note);
}

static void
show_rest (BeckonPreviewView *self)
{
  g_autofree char *note = describe_rest (self);

  gtk_widget_set_visible (self->more_button, self->rest != NULL && !is_too_long (self));
  show_note (self, note);
}

static void
show_more (BeckonPreviewView *self)
{
  if (self->rest == NULL || is_too_long (self))
    return;
  append_piece (self);
  show_rest (self);
  if (self->rest == NULL)
    g_signal_emit (self, whole_signal, 0);
}

void
beckon_preview_view_set_preview (BeckonPreviewView *self, BeckonCallPreview *preview)
{
  GtkWidget *child;

  g_clear_pointer (&self->preview, beckon_call_preview_unref);
  self->preview = preview != NULL ? beckon_call_preview_ref (preview) : NULL;

  g_ptr_array_set_size (self->checks, 0);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->hunks_box))) != NULL)
    gtk_box_remove (self->hunks_box, child);
  self->n_pieces = 0;
  self->rest = self->preview != NULL ? self->preview->shown : NULL;
  if (self->rest != NULL)
    append_piece (self);
  else
    beckon_end_watch_reset (self->watch);
  gtk_widget_set_visible (GTK_WIDGET (self->bounded), self->preview != NULL);
  show_rest (self);
  gtk_widget_set_visible (GTK_WIDGET (self), self->preview != NULL);
}

void
beckon_preview_view_set_error (BeckonPreviewView *self, const char *message)
{
  beckon_preview_view_set_preview (self, NULL);
  show_note (self, message);
  gtk_widget_set_visible (GTK_WIDGET (self), message != NULL);
}

gboolean
beckon_preview_view_get_seen (BeckonPreviewView *self)
{
  return self->rest == NULL && (self->preview == NULL || beckon_end_watch_get_seen (self->watch));
}

gboolean
beckon_preview_view_is_whole (BeckonPreviewView *self)
{
  return self->rest == NULL;
}

gboolean
beckon_preview_view_is_laid_out (BeckonPreviewView *self)
{
  return self->preview == NULL || beckon_end_watch_is_laid_out (self->watch);
}

void
beckon_preview_view_show_end (BeckonPreviewView *self, GtkWidget *with)
{
  if (self->rest != NULL && beckon_end_watch_get_seen (self->watch))
    show_more (self);
  else
    beckon_end_watch_show_end (self->watch, with);
}

void
beckon_preview_view_check_all (BeckonPreviewView *self)
{
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
  whole_signal = g_signal_new ("whole", BECKON_TYPE_PREVIEW_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure (BECKON_TYPE_MAX_HEIGHT_BOX);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/preview-view.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPreviewView, bounded);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreviewView, hunks_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreviewView, more_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreviewView, note_label);
  gtk_widget_class_bind_template_callback (widget_class, show_more);
}

static void
beckon_preview_view_init (BeckonPreviewView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->checks = g_ptr_array_new ();
  self->watch = beckon_end_watch_new (GTK_WIDGET (self->hunks_box));
}
