/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-code-block.h"

#include "base/beckon-text.h"
#include "ui/widgets/beckon-clipboard.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-files.h"
#include "ui/widgets/beckon-scrolled.h"
#include "ui/widgets/beckon-source-view.h"
#include "ui/widgets/beckon-text-buffer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A text view without a scroller of its own lays everything out; this much takes a few frames. */
#define MOST_SHOWN (200 * 1024)

/* Pango takes time by the square of what it has to break into lines: 27 s for 16,000 hyphens. */
#define LONG_LINE 500

/* Higher than any of that, in pixels. */
#define HIGHEST (1 << 20)

struct _BeckonCodeBlock
{
  AdwBin parent_instance;

  BeckonGrowingText growing;
  gboolean is_diff;
  gboolean is_hunks; /* a diff that names no files */
  gboolean is_stale; /* its height is not known */
  int tagged; /* the first line whose tags may not be right */
  char *language; /* (owned) (nullable) */
  char *whole; /* (owned) (nullable): what is copied, where it is not what is shown */
  char *marked; /* (owned) (nullable): what is shown of a growing text that has characters that can't be seen */

  GtkWidget *head;
  GtkWidget *language_label;
  GtkTextView *text_view;
};

G_DEFINE_FINAL_TYPE (BeckonCodeBlock, beckon_code_block, ADW_TYPE_BIN)

static char *
dup_whole_text (BeckonCodeBlock *self)
{
  GtkTextIter start, end;

  if (self->whole != NULL)
    return g_strdup (self->whole);
  gtk_text_buffer_get_bounds (gtk_text_view_get_buffer (self->text_view), &start, &end);
  return gtk_text_iter_get_text (&start, &end);
}

static void
code_block_on_copy_clicked (BeckonCodeBlock *self)
{
  g_autofree char *text = dup_whole_text (self);

  beckon_clipboard_set_text (GTK_WIDGET (self), text);
}

static void
code_block_on_save_clicked (BeckonCodeBlock *self)
{
  g_autofree char *text = dup_whole_text (self);
  g_autofree char *name = beckon_source_view_dup_file_name (self->language);
  /* A file's last line ends as all others do. */
  g_autofree char *lines = g_str_has_suffix (text, "\n") ? g_strdup (text) : g_strconcat (text, "\n", NULL);

  beckon_save_text (GTK_WIDGET (self), name, lines);
}

static void
code_block_on_changed (BeckonCodeBlock *self)
{
  self->is_stale = TRUE;
}

/* Once there are colours, it is another buffer. */
static void
on_buffer_changed (GtkTextView *view, GParamSpec *pspec, BeckonCodeBlock *self)
{
  self->is_stale = TRUE;
  g_signal_connect_object (gtk_text_view_get_buffer (view), "changed", G_CALLBACK (code_block_on_changed), self,
                           G_CONNECT_SWAPPED);
}

static void
code_block_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                    int *minimum_baseline,
                    int *natural_baseline)
{
  BeckonCodeBlock *self = BECKON_CODE_BLOCK (widget);

  if (self->is_stale && orientation == GTK_ORIENTATION_VERTICAL && gtk_widget_get_realized (widget))
    {
      /* A text view finds out how high its lines are when it is allocated, and only of those that are within its height. So its
       * first picture would be cut, and the next ones move what is below it. */
      GtkWidget *view = GTK_WIDGET (self->text_view);
      GtkAllocation allocation = { 0, 0, 0, HIGHEST };
      GtkTextIter start;

      self->is_stale = FALSE;
      gtk_text_buffer_get_start_iter (gtk_text_view_get_buffer (self->text_view), &start);
      gtk_text_view_get_line_yrange (self->text_view, &start, NULL, NULL);
      gtk_widget_measure (view, GTK_ORIENTATION_HORIZONTAL, -1, &allocation.width, NULL, NULL, NULL);
      allocation.width = MAX (allocation.width, for_size);
      gtk_widget_measure (view, GTK_ORIENTATION_VERTICAL, allocation.width, NULL, NULL, NULL, NULL);
      gtk_widget_size_allocate (view, &allocation, -1);
    }
  gtk_widget_measure (adw_bin_get_child (ADW_BIN (self)), orientation, for_size, minimum, natural, NULL, NULL);
}

static void
allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_allocate (adw_bin_get_child (ADW_BIN (widget)), width, height, baseline, NULL);
}

void
beckon_code_block_set_language (BeckonCodeBlock *self, const char *language)
{
  if (g_strcmp0 (self->language, language) == 0)
    return;
  g_free (self->language);
  self->language = g_strdup (language);
  self->is_diff = beckon_diff_tags_is_diff (language);
  gtk_label_set_text (GTK_LABEL (self->language_label), language != NULL ? language : "");
}

void
beckon_code_block_set_diff (BeckonCodeBlock *self)
{
  self->is_diff = TRUE;
}

void
beckon_code_block_set_wrap (BeckonCodeBlock *self, gboolean wrap)
{
  gtk_text_view_set_wrap_mode (self->text_view, wrap ? GTK_WRAP_WORD_CHAR : GTK_WRAP_NONE);
}

void
beckon_code_block_set_text (BeckonCodeBlock *self, const char *text)
{
  gsize length = strlen (text);
  GtkTextBuffer *buffer;
  GtkTextIter end;

  g_clear_pointer (&self->whole, g_free);
  buffer = gtk_text_view_get_buffer (self->text_view);
  if (length <= MOST_SHOWN)
    {
      gtk_text_buffer_set_text (buffer, text, (int) length);
      if (self->is_diff)
        self->tagged = beckon_diff_tags_apply (buffer, !self->is_hunks, 0);
      return;
    }
  self->whole = g_strdup (text);
  gtk_text_buffer_set_text (buffer, text, (int) (g_utf8_find_prev_char (text, text + MOST_SHOWN) - text));
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, "\n", 1);
  gtk_text_buffer_insert (buffer, &end, _("The rest is not shown; copying takes all of it."), -1);
}

/* Whether a text has hidden characters behind those that stayed. Whether one hides depends on those before it on its line. */
static gboolean
hides_behind (const char *text, gsize length, gsize same)
{
  gsize from = MIN (same, length);
  g_autofree char *marked = NULL;

  while (from > 0 && text[from - 1] != '\n')
    from--;
  marked = beckon_text_mark_hidden (text + from, (gssize) (length - from));
  return strlen (marked) != length - from;
}

/* Code is shown in the order of its characters, with those that can't be seen by name. */
static gsize
update_marked (BeckonCodeBlock *self, GtkTextBuffer *buffer, const char *text, gsize length)
{
  char *marked = beckon_text_mark_hidden (text, (gssize) length);
  gsize n = strlen (marked), same = 0;

  while (self->marked != NULL && self->marked[same] != '\0' && self->marked[same] == marked[same])
    same++;
  while (same > 0 && ((guchar) marked[same] & 0xc0) == 0x80)
    same--;
  g_free (self->marked);
  self->marked = marked;
  g_free (self->whole);
  self->whole = g_strndup (text, length);
  self->tagged = same < self->growing.bytes ? 0 : self->tagged;
  return beckon_growing_text_update (&self->growing, buffer, marked, n, same) < n ? 0 : length;
}

void
beckon_code_block_update (BeckonCodeBlock *self, const char *text, gsize length, gsize same)
{
  gsize stayed;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);

  if (length > 0 && text[length - 1] == '\n')
    length--;
  if (same < self->growing.bytes)
    self->tagged = 0;
  if (self->marked != NULL || hides_behind (text, length, MIN (same, self->growing.bytes)))
    stayed = update_marked (self, buffer, text, length);
  else
    stayed = beckon_growing_text_update (&self->growing, buffer, text, length, same);
  if (self->is_diff)
    self->tagged = beckon_diff_tags_apply (buffer, !self->is_hunks, self->tagged);
  else if (stayed < length)
    beckon_source_view_colour (self->text_view, self->language);
}

static void
beckon_code_block_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (beckon_code_block_parent_class)->css_changed (widget, change);
  BECKON_CODE_BLOCK (widget)->is_stale = TRUE;
}

static void
beckon_code_block_dispose (GObject *object)
{
  BeckonCodeBlock *self = BECKON_CODE_BLOCK (object);

  g_clear_pointer (&self->whole, g_free);
  g_clear_pointer (&self->marked, g_free);
  g_clear_pointer (&self->language, g_free);
  G_OBJECT_CLASS (beckon_code_block_parent_class)->dispose (object);
}

static void
beckon_code_block_class_init (BeckonCodeBlockClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_code_block_dispose;
  widget_class->css_changed = beckon_code_block_css_changed;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/code-block.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonCodeBlock, head);
  gtk_widget_class_bind_template_child (widget_class, BeckonCodeBlock, language_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonCodeBlock, text_view);
  gtk_widget_class_bind_template_callback (widget_class, code_block_on_copy_clicked);
  gtk_widget_class_bind_template_callback (widget_class, code_block_on_save_clicked);
}

static void
beckon_code_block_init (BeckonCodeBlock *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_scroll_past (GTK_WIDGET (self->text_view));
  gtk_widget_set_layout_manager (GTK_WIDGET (self),
                                 gtk_custom_layout_new (beckon_height_for_width, code_block_measure, allocate));
  g_signal_connect (self->text_view, "notify::buffer", G_CALLBACK (on_buffer_changed), self);
  on_buffer_changed (self->text_view, NULL, self);
}

GtkWidget *
beckon_code_block_new (void)
{
  return g_object_new (BECKON_TYPE_CODE_BLOCK, NULL);
}

static void
append_folded (GString *folded, const char *line, gsize length, gboolean is_diff)
{
  const char *end = line + length;
  gboolean has_sign = is_diff && length > 0 && strchr ("+- ", *line) != NULL;
  glong n = g_utf8_strlen (line, (gssize) length);

  for (; n > LONG_LINE; n -= LONG_LINE)
    {
      const char *next = g_utf8_offset_to_pointer (line, LONG_LINE);

      g_string_append_len (folded, line, next - line);
      g_string_append_c (folded, '\n');
      if (has_sign)
        g_string_append_c (folded, end[-(gssize) length]);
      g_string_append (folded, "↳ ");
      line = next;
    }
  g_string_append_len (folded, line, end - line);
}

/* A long line goes on below, as a part of the same change. */
static char *
fold_lines (const char *text, gboolean is_diff)
{
  GString *folded = g_string_sized_new (strlen (text));

  for (const char *line = text; *line != '\0';)
    {
      gsize length = strcspn (line, "\n");

      append_folded (folded, line, length, is_diff);
      line += length;
      if (*line == '\n')
        g_string_append_c (folded, *line++);
    }
  return g_string_free (folded, FALSE);
}

static GtkWidget *
make_decided (const char *text, gssize length, gboolean is_diff)
{
  BeckonCodeBlock *self = BECKON_CODE_BLOCK (beckon_code_block_new ());
  g_autofree char *marked = beckon_text_for_display (text, length, BECKON_TEXT_MARKED);
  g_autofree char *safe = fold_lines (marked, is_diff);
  gsize n = strlen (safe);

  if (n > 0 && safe[n - 1] == '\n')
    safe[n - 1] = '\0';
  /* Hunks of a diff are without lines that name files, and stand so closely to others that they have no buttons. */
  self->is_diff = is_diff;
  self->is_hunks = TRUE;
  gtk_widget_set_visible (self->head, FALSE);
  gtk_text_view_set_top_margin (self->text_view, gtk_text_view_get_bottom_margin (self->text_view));
  beckon_code_block_set_wrap (self, TRUE);
  beckon_code_block_set_text (self, safe);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  return GTK_WIDGET (self);
}

GtkWidget *
beckon_code_block_new_hunks (const char *hunks, gssize length)
{
  return make_decided (hunks, length, TRUE);
}

GtkWidget *
beckon_code_block_new_content (const char *content, gssize length)
{
  return make_decided (content, length, FALSE);
}
