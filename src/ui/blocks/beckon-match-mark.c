/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-match-mark.h"

#include "base/beckon-text.h"
#include "beckon-block-column.h"
#include "beckon-block-view.h"
#include "beckon-inline.h"
#include "domain/beckon-attachment.h"
#include "markdown/beckon-markdown-stream.h"

#include <string.h>

static void
shown_text_tell (const BeckonMarkdownNode *node, BeckonShownTextFunc function, gpointer user_data)
{
  /* A text is told as a block view shows it. */
  if (node->text != NULL && (node->kind == BECKON_MARKDOWN_CODE || node->text->len > BECKON_BLOCK_VIEW_LONGEST_LABEL))
    function (node->text->str, user_data);
  else if (node->text != NULL)
    {
      g_auto (BeckonInline) content = { NULL };

      beckon_inline_init (&content, node);
      function (content.text, user_data);
    }
  for (guint i = 0; i < beckon_markdown_node_get_n_children (node); i++)
    shown_text_tell (beckon_markdown_node_get_child (node, i), function, user_data);
}

void
beckon_shown_text_foreach (BeckonMessage *message, BeckonShownTextFunc function, gpointer user_data)
{
  gboolean is_plain = beckon_message_get_role (message) == BECKON_ROLE_USER;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      g_autoptr (BeckonMarkdownStream) stream = NULL;
      g_autoptr (GString) text = NULL;
      g_autofree char *safe = NULL;

      if (beckon_part_get_kind (part) != BECKON_PART_TEXT || beckon_attachment_get_name (part) != NULL)
        continue;
      text = g_string_new_len (beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
      if (!is_plain)
        g_string_replace (text, "\r", "", 0);
      safe = beckon_text_for_display (text->str, (gssize) text->len, BECKON_TEXT_PROSE);
      if (is_plain)
        {
          function (safe, user_data);
          continue;
        }
      stream = beckon_markdown_stream_new ();
      beckon_markdown_stream_feed (stream, safe, strlen (safe));
      beckon_markdown_stream_finish (stream);
      beckon_markdown_stream_update (stream);
      for (guint block = 0; block < beckon_markdown_stream_get_n_blocks (stream); block++)
        shown_text_tell (beckon_markdown_stream_get_block (stream, block), function, user_data);
    }
}

/* A label's own attributes are kept here while marks are among them, and those with marks, to know them again. */
#define UNMARKED "beckon-unmarked"
#define MARKED "beckon-marked"

/* Names of text tags. */
#define TAG_MATCH "beckon-match"
#define TAG_CURRENT "beckon-match-current"

/* Dark letters on yellow and orange are legible on a light ground and on a dark one. */
static const GdkRGBA match_colour = { 0.98f, 0.94f, 0.42f, 1 };
static const GdkRGBA current_colour = { 1, 0.64f, 0.28f, 1 };
static const GdkRGBA letter_colour = { 0.12f, 0.12f, 0.12f, 1 };

typedef struct
{
  const BeckonMatcher *matcher;
  int current;
  GArray *marks;
} Marking;

static guint16
to_pango (float channel)
{
  return (guint16) (channel * G_MAXUINT16);
}

static void
match_mark_insert (PangoAttrList *attributes, PangoAttribute *attribute, const BeckonMatch *match)
{
  attribute->start_index = match->start;
  attribute->end_index = match->end;
  pango_attr_list_insert (attributes, attribute);
}

static gboolean
add_mark (Marking *marking, GtkWidget *widget, const BeckonMatch *match)
{
  BeckonMark mark = { widget, *match };

  g_array_append_val (marking->marks, mark);
  return (int) marking->marks->len - 1 == marking->current;
}

static void
mark_label (Marking *marking, GtkLabel *label)
{
  g_autoptr (GArray) matches = NULL;
  PangoAttrList *own, *marked;
  PangoAttrList *before = g_object_get_data (G_OBJECT (label), UNMARKED);

  if (before != NULL)
    {
      /* Text that grew since then has attributes of its own again. */
      if (gtk_label_get_attributes (label) == g_object_get_data (G_OBJECT (label), MARKED))
        gtk_label_set_attributes (label, before);
      g_object_set_data (G_OBJECT (label), UNMARKED, NULL);
      g_object_set_data (G_OBJECT (label), MARKED, NULL);
    }
  if (marking->matcher == NULL)
    return;
  matches = beckon_matcher_find (marking->matcher, gtk_label_get_text (label));
  if (matches->len == 0)
    return;
  own = gtk_label_get_attributes (label);
  own = own != NULL ? pango_attr_list_ref (own) : pango_attr_list_new ();
  marked = pango_attr_list_copy (own);
  for (guint i = 0; i < matches->len; i++)
    {
      const BeckonMatch *match = &g_array_index (matches, BeckonMatch, i);
      const GdkRGBA *ground = add_mark (marking, GTK_WIDGET (label), match) ? &current_colour : &match_colour;

      match_mark_insert (marked,
                         pango_attr_background_new (to_pango (ground->red), to_pango (ground->green), to_pango (ground->blue)),
                         match);
      match_mark_insert (marked,
                         pango_attr_foreground_new (to_pango (letter_colour.red), to_pango (letter_colour.green),
                                                    to_pango (letter_colour.blue)),
                         match);
    }
  g_object_set_data_full (G_OBJECT (label), UNMARKED, own, (GDestroyNotify) pango_attr_list_unref);
  gtk_label_set_attributes (label, marked);
  g_object_set_data_full (G_OBJECT (label), MARKED, marked, (GDestroyNotify) pango_attr_list_unref);
}

static void
mark_text_view (Marking *marking, GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  gboolean has_tags = gtk_text_tag_table_lookup (gtk_text_buffer_get_tag_table (buffer), TAG_MATCH) != NULL;
  g_autofree char *text = NULL;
  g_autoptr (GArray) matches = NULL;
  GtkTextIter start, end;
  const char *at;
  int offset = 0;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  if (has_tags)
    {
      gtk_text_buffer_remove_tag_by_name (buffer, TAG_MATCH, &start, &end);
      gtk_text_buffer_remove_tag_by_name (buffer, TAG_CURRENT, &start, &end);
    }
  if (marking->matcher == NULL)
    return;
  at = text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  matches = beckon_matcher_find (marking->matcher, text);
  if (matches->len > 0 && !has_tags)
    {
      gtk_text_buffer_create_tag (buffer, TAG_MATCH, "background-rgba", &match_colour, "foreground-rgba", &letter_colour, NULL);
      gtk_text_buffer_create_tag (buffer, TAG_CURRENT, "background-rgba", &current_colour, "foreground-rgba", &letter_colour,
                                  NULL);
    }
  for (guint i = 0; i < matches->len; i++)
    {
      const BeckonMatch *match = &g_array_index (matches, BeckonMatch, i);
      gboolean is_current = add_mark (marking, GTK_WIDGET (view), match);

      offset += (int) g_utf8_pointer_to_offset (at, text + match->start);
      gtk_text_buffer_get_iter_at_offset (buffer, &start, offset);
      offset += (int) g_utf8_pointer_to_offset (text + match->start, text + match->end);
      gtk_text_buffer_get_iter_at_offset (buffer, &end, offset);
      at = text + match->end;
      gtk_text_buffer_apply_tag_by_name (buffer, is_current ? TAG_CURRENT : TAG_MATCH, &start, &end);
    }
}

static void mark_below (Marking *marking, GtkWidget *widget, gboolean in_block);

typedef struct
{
  const BeckonMatcher *matcher;
  guint n;
} Counting;

static void
count_in_text (const char *text, gpointer user_data)
{
  Counting *counting = user_data;
  g_autoptr (GArray) matches = beckon_matcher_find (counting->matcher, text);

  counting->n += matches->len;
}

static void
count_in_block (gpointer block, gpointer user_data)
{
  shown_text_tell (block, count_in_text, user_data);
}

/* Pages without widgets have no marks. Only the current one is looked for there, and shown. */
static void
mark_missing_page (Marking *marking, BeckonBlockColumn *column, guint page)
{
  Counting counting = { marking->matcher, 0 };

  if (marking->matcher == NULL || marking->current < (int) marking->marks->len)
    return;
  beckon_block_column_foreach (column, page, count_in_block, &counting);
  if (marking->current < (int) (marking->marks->len + counting.n))
    {
      mark_below (marking, beckon_block_column_fill_page (column, page), TRUE);
      return;
    }
  for (guint i = 0; i < counting.n; i++)
    add_mark (marking, GTK_WIDGET (column), &(BeckonMatch){ 0, 0 });
}

/* A page that comes near gets its marks then. */
static void
on_page_filled (BeckonBlockColumn *column, GtkWidget *page, BeckonMatcher *matcher)
{
  Marking marking = { matcher, -1, NULL };

  marking.marks = g_array_new (FALSE, FALSE, sizeof (BeckonMark));
  mark_below (&marking, page, TRUE);
  g_array_unref (marking.marks);
}

static void
unref_matcher (gpointer matcher, GClosure *closure)
{
  beckon_matcher_unref (matcher);
}

static void
mark_column (Marking *marking, BeckonBlockColumn *column)
{
  g_signal_handlers_disconnect_matched (column, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, on_page_filled, NULL);
  for (guint i = 0; i < beckon_block_column_get_n_pages (column); i++)
    {
      /* The one with the current match is not to lose its widgets before it is on screen. */
      guint before = marking->marks->len;
      GtkWidget *box = beckon_block_column_get_page (column, i);

      if (box == NULL)
        mark_missing_page (marking, column, i);
      else
        mark_below (marking, box, TRUE);
      if (marking->current >= (int) before && marking->current < (int) marking->marks->len)
        beckon_block_column_fill_page (column, i);
    }
  if (marking->matcher != NULL)
    g_signal_connect_data (column, "filled", G_CALLBACK (on_page_filled),
                           beckon_matcher_ref ((BeckonMatcher *) marking->matcher), unref_matcher, 0);
}

/* Only what is text of the conversation: not the names on buttons, nor a code block's language. */
static void
mark_below (Marking *marking, GtkWidget *widget, gboolean in_block)
{
  in_block = in_block || BECKON_IS_BLOCK_VIEW (widget);
  if (BECKON_IS_BLOCK_COLUMN (widget))
    mark_column (marking, BECKON_BLOCK_COLUMN (widget));
  else if (in_block && GTK_IS_TEXT_VIEW (widget))
    mark_text_view (marking, GTK_TEXT_VIEW (widget));
  else if (in_block && GTK_IS_LABEL (widget) && gtk_label_get_selectable (GTK_LABEL (widget)))
    mark_label (marking, GTK_LABEL (widget));
  else
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
      mark_below (marking, child, in_block);
}

GArray *
beckon_match_mark (GtkWidget *root, const BeckonMatcher *matcher, int current)
{
  Marking marking = { matcher, current, NULL };

  marking.marks = g_array_new (FALSE, FALSE, sizeof (BeckonMark));
  mark_below (&marking, root, FALSE);
  return marking.marks;
}

static void
get_area_in_text_view (GtkTextView *view, guint at, graphene_rect_t *area)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  g_autofree char *text = NULL;
  GtkTextIter start, end;
  GdkRectangle place;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  gtk_text_buffer_get_iter_at_offset (buffer, &start, (int) g_utf8_pointer_to_offset (text, text + at));
  gtk_text_view_get_iter_location (view, &start, &place);
  gtk_text_view_buffer_to_window_coords (view, GTK_TEXT_WINDOW_WIDGET, place.x, place.y, &place.x, &place.y);
  graphene_rect_init (area, (float) place.x, (float) place.y, (float) place.width, (float) place.height);
}

void
beckon_match_get_area (const BeckonMark *mark, graphene_rect_t *area)
{
  if (GTK_IS_LABEL (mark->widget))
    {
      GtkLabel *label = GTK_LABEL (mark->widget);
      PangoRectangle place;
      int x, y;

      gtk_label_get_layout_offsets (label, &x, &y);
      pango_layout_index_to_pos (gtk_label_get_layout (label), (int) mark->at.start, &place);
      graphene_rect_init (area, (float) (x + PANGO_PIXELS (place.x)), (float) (y + PANGO_PIXELS (place.y)),
                          (float) PANGO_PIXELS (place.width), (float) PANGO_PIXELS (place.height));
    }
  else if (GTK_IS_TEXT_VIEW (mark->widget))
    get_area_in_text_view (GTK_TEXT_VIEW (mark->widget), mark->at.start, area);
  else
    graphene_rect_init (area, 0, 0, (float) gtk_widget_get_width (mark->widget),
                        (float) gtk_widget_get_height (mark->widget));
}
