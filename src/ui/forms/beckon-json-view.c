/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-json-view.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-scrolled.h"
#include "ui/widgets/beckon-source-view.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define TAG "fault"

/* Characters of what is written out below. */
#define MOST_SHOWN 2000

/* Pale enough to be read upon, light or dark. */
static const GdkRGBA fault_colour = { 0.88f, 0.11f, 0.14f, 0.18f };

struct _BeckonJsonView
{
  AdwBin parent_instance;

  BeckonForm *form; /* (owned) */
  GtkTextBuffer *buffer;
  gboolean is_updating;

  GtkScrolledWindow *scroller;
  GtkLabel *problem_label;
  GtkLabel *hidden_label;
  GtkWidget *masked_label;
};

G_DEFINE_FINAL_TYPE (BeckonJsonView, beckon_json_view, ADW_TYPE_BIN)

static char *
raw_view_dup_text (BeckonJsonView *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  return gtk_text_buffer_get_text (self->buffer, &start, &end, TRUE);
}

static void
on_buffer_changed (BeckonJsonView *self)
{
  g_autofree char *text = NULL;

  if (self->is_updating)
    return;
  text = raw_view_dup_text (self);
  beckon_form_set_text (self->form, text);
}

/* Only what differs is replaced, so that the cursor stays where it is. */
static void
raw_view_show_text (BeckonJsonView *self)
{
  g_autofree char *shown = raw_view_dup_text (self);
  g_autofree char *seen = beckon_form_dup_shown (self->form, beckon_form_get_text (self->form));
  const char *text = seen;
  const char *head = shown;
  const char *end = shown + strlen (shown);
  const char *text_end = text + strlen (text);
  GtkTextIter from, to;

  if (strcmp (shown, text) == 0)
    return;
  while (*head != '\0' && g_utf8_get_char (head) == g_utf8_get_char (text + (head - shown)))
    head = g_utf8_next_char (head);
  while (end > head && text_end > text + (head - shown) && end[-1] == text_end[-1])
    {
      end--;
      text_end--;
    }
  while ((*end & 0xc0) == 0x80)
    {
      end++;
      text_end++;
    }
  self->is_updating = TRUE;
  gtk_text_buffer_get_iter_at_offset (self->buffer, &from, (int) g_utf8_pointer_to_offset (shown, head));
  gtk_text_buffer_get_iter_at_offset (self->buffer, &to, (int) g_utf8_pointer_to_offset (shown, end));
  gtk_text_buffer_delete (self->buffer, &from, &to);
  gtk_text_buffer_insert (self->buffer, &from, text + (head - shown), (int) (text_end - text - (head - shown)));
  self->is_updating = FALSE;
}

static void
mark_line (BeckonJsonView *self, int line)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_text_buffer_remove_tag_by_name (self->buffer, TAG, &start, &end);
  if (line < 0)
    return;
  gtk_text_buffer_get_iter_at_line (self->buffer, &start, line);
  end = start;
  if (!gtk_text_iter_forward_line (&end))
    gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_apply_tag_by_name (self->buffer, TAG, &start, &end);
}

static BeckonFormField *
find_problem (BeckonFormField *field)
{
  BeckonFormField *found = NULL;

  for (guint i = 0; found == NULL && i < field->children->len; i++)
    found = find_problem (g_ptr_array_index (field->children, i));
  return found == NULL && field->problem != NULL ? field : found;
}

/* Invalid JSON is at its line; a wrong value at its own. */
static char *
raw_view_find_fault (BeckonJsonView *self, int *line)
{
  guint at;
  char *fault = beckon_form_dup_fault (self->form, &at);
  BeckonFormField *field;

  *line = fault != NULL ? (int) at : -1;
  if (fault != NULL)
    return fault;
  field = find_problem (beckon_form_get_root (self->form));
  if (field == NULL || field->is_warning)
    return NULL;
  *line = beckon_form_redacts (self->form) ? -1 : (int) beckon_form_find_line (self->form, field->pointer);
  return *field->title != '\0' ? g_strdup_printf ("%s: %s", field->title, field->problem) : g_strdup (field->problem);
}

static void
raw_view_update (BeckonJsonView *self)
{
  g_autofree char *fault = NULL;
  int line;
  g_autofree char *seen = NULL;
  g_autoptr (GString) plain = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *words = NULL;

  raw_view_show_text (self);
  fault = raw_view_find_fault (self, &line);
  mark_line (self, line);
  beckon_label_say (self->problem_label, fault);
  seen = beckon_form_dup_shown (self->form, beckon_form_get_text (self->form));
  plain = g_string_new (seen);

  g_string_replace (plain, "\n", " ", 0);
  g_string_replace (plain, "\t", " ", 0);
  if (beckon_text_has_hidden (plain->str, (gssize) plain->len))
    {
      g_autofree char *whole = beckon_text_for_display (plain->str, (gssize) plain->len, BECKON_TEXT_EXACT);

      shown = beckon_text_shorten (whole, MOST_SHOWN);
      /* Translators: %s is a text in which what would not be seen is written out */
      words = beckon_text_printf (_("Hidden characters: %s"), shown);
    }
  beckon_label_say (self->hidden_label, words);
}

static void
beckon_json_view_dispose (GObject *object)
{
  g_clear_object (&BECKON_JSON_VIEW (object)->form);
  G_OBJECT_CLASS (beckon_json_view_parent_class)->dispose (object);
}

static void
beckon_json_view_class_init (BeckonJsonViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_json_view_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/json-view.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonJsonView, scroller);
  gtk_widget_class_bind_template_child (widget_class, BeckonJsonView, problem_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonJsonView, hidden_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonJsonView, masked_label);
}

static void
beckon_json_view_init (BeckonJsonView *self)
{
  GtkWidget *view;

  gtk_widget_init_template (GTK_WIDGET (self));
  view = beckon_source_view_new ("json");
  self->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  gtk_text_buffer_set_enable_undo (self->buffer, FALSE);
  gtk_text_buffer_create_tag (self->buffer, TAG, "paragraph-background-rgba", &fault_colour, NULL);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 7);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 7);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 6);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 9);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Arguments as JSON"), -1);
  gtk_scrolled_window_set_child (self->scroller, view);
  beckon_text_height_follow (GTK_TEXT_VIEW (view));
  beckon_scroll_past (view);
  g_signal_connect_object (self->buffer, "changed", G_CALLBACK (on_buffer_changed), self, G_CONNECT_SWAPPED);
}

GtkWidget *
beckon_json_view_new (BeckonForm *form)
{
  BeckonJsonView *self = g_object_new (BECKON_TYPE_JSON_VIEW, NULL);

  self->form = g_object_ref (form);
  /* Unseen values can't be written around. */
  gtk_text_view_set_editable (GTK_TEXT_VIEW (gtk_scrolled_window_get_child (self->scroller)), !beckon_form_redacts (form));
  gtk_widget_set_visible (self->masked_label, beckon_form_redacts (form));
  if (beckon_text_has_long_line (beckon_form_get_proposal (form)))
    {
      gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (gtk_scrolled_window_get_child (self->scroller)), GTK_WRAP_NONE);
      gtk_scrolled_window_set_policy (self->scroller, GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
    }
  g_signal_connect_object (form, "changed", G_CALLBACK (raw_view_update), self, G_CONNECT_SWAPPED);
  raw_view_update (self);
  return GTK_WIDGET (self);
}
