/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text: how it falls into blocks however it is cut, what becomes of inline marks, and how it grows on screen. */

#include "beckon-ui-fixture.h"

#include "ui/blocks/beckon-block-view.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/blocks/beckon-inline.h"
#include "ui/blocks/beckon-table-block.h"
#include "ui/blocks/beckon-text-blocks.h"
#include "ui/widgets/beckon-label-links.h"

#include <string.h>

/* In all of it, whatever else there is. */
#define NO_HYPHENS "0 4294967295 insert-hyphens false"

static void
expect_inline (const char *text, const char *shown, const char *attributes)
{
  g_autoptr (PangoAttrList) list = NULL;
  g_autofree char *plain = beckon_inline_render (text, &list);
  g_autofree char *described = pango_attr_list_to_string (list);
  g_autofree char *expected = g_strconcat (NO_HYPHENS, *attributes != '\0' ? "\n" : "", attributes, NULL);

  g_assert_cmpstr (plain, ==, shown);
  g_assert_cmpstr (described, ==, expected);
}

static void
test_inline (void)
{
  expect_inline ("plain", "plain", "");
  expect_inline ("a **b** c", "a b c", "2 3 weight bold");
  expect_inline ("*a* _b_ ~~c~~ __d__", "a b c d",
                 "0 1 style italic\n2 3 style italic\n4 5 strikethrough true\n6 7 weight bold");
  expect_inline ("**a *b* c**", "a b c", "0 5 weight bold\n2 3 style italic");
  expect_inline ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name", "");
  expect_inline ("**open and `open", "**open and `open", "");
  expect_inline ("\\*not\\* bold", "*not* bold", "");
  expect_inline ("1 < 2 &amp; <3>", "1 < 2 & <3>", "");
  expect_inline ("plain a\342\200\256txt.exe and on", "plain a<U+202E>txt.exe and on", "");
  expect_inline ("\327\251 \342\200\217\327\230 \342\201\247\331\205\342\201\251 \360\237\221\250\342\200\215\360\237\221\251",
                 "\327\251 \342\200\217\327\230 \342\201\247\331\205\342\201\251 \360\237\221\250\342\200\215\360\237\221\251", "");
  expect_inline ("`a\342\200\256t\342\200\213`", "a<U+202E>t<U+200B>",
                 "0 18 family \"Monospace\"\n0 18 background #808080808080\n0 18 background-alpha 9216");
  expect_inline ("`**x**`", "**x**",
                 "0 5 family \"Monospace\"\n0 5 background #808080808080\n0 5 background-alpha 9216");
}

static void
test_inline_hostile (void)
{
  static const char *const pieces[] = { "*", "**a ", "_a_", "`", "~~", "*a ", "\\", "[](", "**_" };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (PangoAttrList) list = NULL;
      g_autofree char *plain = NULL;
      gint64 begin = g_get_monotonic_time ();

      while (text->len < 6000)
        g_string_append (text, pieces[i]);
      plain = beckon_inline_render (text->str, &list);
      g_assert_cmpuint (strlen (plain), <=, text->len);
      g_assert_cmpint (g_get_monotonic_time () - begin, <, 20 * G_USEC_PER_SEC);
    }
}

static GtkWidget *
show_text (UiFixture *fixture, GtkWidget **scroller)
{
  GtkWidget *text = beckon_text_blocks_new ();

  *scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (*scroller), text);
  ui_show (fixture, *scroller);
  return text;
}

static void
append (GtkWidget *text, const char *more)
{
  beckon_text_blocks_append (BECKON_TEXT_BLOCKS (text), more, strlen (more));
}

/* Chunks wait for the next frame; blocks that are complete stay the widgets they are. */
static void
test_streaming (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *scroller;
  GtkWidget *text = show_text (fixture, &scroller);
  GtkWidget *first;

  append (text, "The **first** para");
  g_assert_null (ui_find_text (text, "first"));
  ui_wait_frames (fixture, 2);
  first = ui_find_text (text, "The first para");
  g_assert_nonnull (first);
  append (text, "graph.\n\n```c\nint x;");
  beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
  g_assert_true (ui_find_text (text, "The first paragraph.") == first);
  g_assert_cmpuint (ui_count_type (text, BECKON_TYPE_CODE_BLOCK), ==, 1);
  append (text, "\nint y;\n```\n- one\n- two");
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  g_assert_true (ui_find_text (text, "The first paragraph.") == first);
  /* A paragraph, code, a list and what its two items hold. */
  g_assert_cmpuint (ui_count_type (text, BECKON_TYPE_BLOCK_VIEW), ==, 5);
  g_assert_nonnull (ui_find_text (text, "two"));
}

static void
test_part (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *scroller;
  GtkWidget *text = show_text (fixture, &scroller);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, "There ");

  beckon_text_blocks_set_part (BECKON_TEXT_BLOCKS (text), part);
  g_assert_nonnull (ui_find_text (text, "There"));
  beckon_part_append (part, "it is", 5);
  beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
  g_assert_nonnull (ui_find_text (text, "There it is"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), NULL);
  ui_settle ();
  beckon_part_append (part, " gone", 5);
}

static char *
dup_code (GtkWidget *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (ui_find_type (text, GTK_TYPE_TEXT_VIEW)));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

/* Characters that would turn the order of code are written out, while it grows and afterwards, however it is cut. */
static void
test_order (UiFixture *fixture, gconstpointer data)
{
  static const char code[] = "```c\nint x;\nif (is_admin \342\200\256 \342\201\246// check\342\201\251) {\n\342\200\213\342\200\213\342\201\243";
  GtkWidget *scroller;
  GtkWidget *text = show_text (fixture, &scroller);
  g_autofree char *grown = NULL;
  g_autofree char *whole = NULL;

  for (const char *at = code; *at != '\0'; at = g_utf8_next_char (at))
    {
      beckon_text_blocks_append (BECKON_TEXT_BLOCKS (text), at, (gsize) (g_utf8_next_char (at) - at));
      if ((at - code) % 3 == 0)
        beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
    }
  beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
  grown = dup_code (text);
  g_assert_cmpstr (grown, ==, "int x;\nif (is_admin <U+202E> <U+2066>// check<U+2069>) {\n<U+200B><U+200B><U+2063>");
  append (text, "\n```\n\n| `x\342\200\256y` | z |\n|-|-|\n\n# Title \342\200\256abc\n");
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  whole = dup_code (text);
  g_assert_cmpstr (whole, ==, grown);
  g_assert_nonnull (ui_find_text (text, "x<U+202E>y"));
  g_assert_nonnull (ui_find_text (text, "Title <U+202E>abc"));
}

/* Each paragraph hangs on the side where it begins to be read, and a list's marks stand there. */
static void
test_hangs (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *scroller;
  GtkWidget *text = show_text (fixture, &scroller);
  GtkWidget *left, *right, *item, *mark;

  append (text, "Words and \327\251\327\234\327\225\327\235.\n\n"
                "\327\251\327\234\327\225\327\235 Beckon \327\241\327\225\327\243.\n\n- 1 \330\271\331\206\330\265\330\261\n");
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  ui_wait_frames (fixture, 2);
  left = ui_find_text (text, "Words");
  right = ui_find_text (text, "Beckon");
  item = ui_find_text (text, "\330\271\331\206\330\265\330\261");
  mark = ui_find_text (text, "•");
  g_assert_cmpfloat (gtk_label_get_xalign (GTK_LABEL (left)), ==, 0);
  g_assert_cmpfloat (gtk_label_get_xalign (GTK_LABEL (right)), ==, 1);
  g_assert_cmpfloat (gtk_label_get_xalign (GTK_LABEL (item)), ==, 1);
  g_assert_cmpint (gtk_widget_get_direction (mark), ==, GTK_TEXT_DIR_RTL);
  g_assert_cmpint (gtk_widget_get_direction (gtk_widget_get_parent (mark)), ==, GTK_TEXT_DIR_RTL);
}

/* Escape sequences and the like are seen, not obeyed; what is cut between two chunks is not. */
static void
test_untrusted (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *scroller;
  GtkWidget *text = show_text (fixture, &scroller);

  append (text, "red \x1b[31m<b>bold</b>\r");
  beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
  append (text, "\nnext & last\r\n\r\n- item\r\n");
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  g_assert_nonnull (ui_find_text (text, "[31m<b>bold</b>\nnext & last"));
  g_assert_null (ui_find_text (text, "\x1b"));
  g_assert_nonnull (ui_find_text (text, "item"));
}

static char *
dup_buffer (GtkWidget *text_view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (text_view));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_iter_get_text (&start, &end);
}

static void
collect_text (GtkWidget *widget, GString *shown)
{
  if (GTK_IS_TEXT_VIEW (widget))
    {
      g_autofree char *text = dup_buffer (widget);

      g_string_append_printf (shown, "%s\n", text);
    }
  else if (GTK_IS_LABEL (widget))
    g_string_append_printf (shown, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect_text (child, shown);
}

/* A paragraph that never ends goes into a text view, which takes what is new and nothing else, and at last into another one. */
static void
test_long_paragraph (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *scroller;
  GtkWidget *text = show_text (fixture, &scroller);
  g_autoptr (GString) whole = g_string_new (NULL);
  g_autoptr (GString) shown = g_string_new (NULL);
  gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < 20000; i++)
    {
      const char *chunk = i % 50 == 49 ? "line\n" : "word ";

      g_string_append (whole, chunk);
      append (text, chunk);
      if (i % 200 == 0)
        beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
    }
  beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
  g_assert_cmpuint (ui_count_type (text, BECKON_TYPE_BLOCK_VIEW), ==, 4);
  collect_text (text, shown);
  g_assert_cmpstr (shown->str, ==, whole->str);
  g_test_message ("100 kB in 20,000 chunks took %.2f s", (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC);
}

static void
test_long_code (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *scroller;
  GtkWidget *text = show_text (fixture, &scroller);
  g_autoptr (GString) whole = g_string_new (NULL);
  g_autofree char *shown = NULL;

  append (text, "```\n");
  for (guint i = 0; i < 3000; i++)
    {
      g_autofree char *line = g_strdup_printf ("    line %u;\n", i);

      g_string_append (whole, line);
      append (text, line);
      if (i % 10 == 0)
        beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
    }
  append (text, "```\n");
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  shown = dup_buffer (ui_find_type (text, GTK_TYPE_TEXT_VIEW));
  g_string_truncate (whole, whole->len - 1);
  g_assert_cmpstr (shown, ==, whole->str);
}

static BeckonPart *
make_very_long (void)
{
  g_autoptr (GString) whole = g_string_new ("[The first][1]\n\n");

  while (whole->len < 32 * 1024)
    g_string_append (whole, "Some words of a paragraph that is not so short.\n\n```c\nint x;\n```\n\n");
  g_string_append (whole, "The last.\n\n[1]: https://example.com/\n");
  return beckon_part_new (BECKON_PART_TEXT, whole->str);
}

static gboolean
scroll_to_last (UiFixture *fixture, GtkWidget *scroller, GtkWidget *text)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  for (guint i = 0; i < 3000 && ui_find_text (text, "The last.") == NULL; i++)
    {
      gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
      ui_wait_frames (fixture, 1);
    }
  return ui_find_text (text, "The last.") != NULL;
}

/* A text that is very long comes piece by piece, to its end, and links that are defined there are links. Only what is near the
 * screen has widgets. */
static void
test_very_long (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *scroller;
  GtkWidget *text = show_text (fixture, &scroller);
  g_autoptr (BeckonPart) part = make_very_long ();
  GtkWidget *first = NULL;

  beckon_text_blocks_set_part (BECKON_TEXT_BLOCKS (text), part);
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  g_assert_nonnull (ui_find_text (text, "The first"));
  g_assert_null (ui_find_text (text, "The last."));
  for (guint i = 0; i < 3000 && (first == NULL || beckon_label_links_count (GTK_LABEL (first)) == 0); i++)
    {
      ui_wait_frames (fixture, 1);
      first = ui_find_text (text, "The first");
    }
  g_assert_cmpuint (beckon_label_links_count (GTK_LABEL (first)), >, 0);
  g_assert_true (scroll_to_last (fixture, scroller, text));
  ui_wait_until (ui_find_text (text, "The first") == NULL);
  ui_wait_until (ui_count_type (text, BECKON_TYPE_BLOCK_VIEW) < 250);
}

static GtkWidget *
find_seen_block (GtkWidget *scroller)
{
  GtkWidget *widget = gtk_widget_pick (scroller, gtk_widget_get_width (scroller) / 4.0, gtk_widget_get_height (scroller) / 4.0,
                                       GTK_PICK_NON_TARGETABLE);

  return gtk_widget_get_ancestor (widget, BECKON_TYPE_BLOCK_VIEW);
}

static float
get_place (GtkWidget *widget, GtkWidget *scroller)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, scroller, &bounds));
  return bounds.origin.y;
}

/* How high what has no widgets is turns out when somebody comes near it; what they read stays where it is. */
static void
test_place_in_very_long (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *scroller;
  GtkWidget *text = show_text (fixture, &scroller);
  g_autoptr (BeckonPart) part = make_very_long ();
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  beckon_text_blocks_set_part (BECKON_TEXT_BLOCKS (text), part);
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  g_assert_true (scroll_to_last (fixture, scroller, text));
  for (guint i = 0; i < 60; i++)
    {
      GtkWidget *block;
      float place;

      ui_wait_frames (fixture, 3);
      block = find_seen_block (scroller);
      gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) - 100);
      if (block == NULL)
        continue;
      place = get_place (block, scroller);
      ui_wait_frames (fixture, 3);
      g_assert_cmpfloat_with_epsilon (get_place (block, scroller), place + 100, 1);
    }
}

/* A row that is there stays the widgets it is while others come. */
static void
test_table_grows (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *scroller;
  GtkWidget *text = show_text (fixture, &scroller);
  GtkWidget *cell;

  append (text, "| Way |\n|---|\n| A |\n| B");
  beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
  cell = ui_find_text (text, "A");
  append (text, "C |\n| D |\n");
  beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
  g_assert_true (ui_find_text (text, "A") == cell);
  g_assert_nonnull (ui_find_text (text, "BC"));
  g_assert_cmpuint (ui_count_type (ui_find_type (text, BECKON_TYPE_TABLE_BLOCK), GTK_TYPE_LABEL), ==, 4);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  g_test_add_func ("/ui/text/inline", test_inline);
  g_test_add_func ("/ui/text/inline-hostile", test_inline_hostile);
  ui_test_add ("/ui/text/streaming", test_streaming);
  ui_test_add ("/ui/text/part", test_part);
  ui_test_add ("/ui/text/order", test_order);
  ui_test_add ("/ui/text/hangs", test_hangs);
  ui_test_add ("/ui/text/untrusted", test_untrusted);
  ui_test_add ("/ui/text/long-paragraph", test_long_paragraph);
  ui_test_add ("/ui/text/long-code", test_long_code);
  ui_test_add ("/ui/text/table-grows", test_table_grows);
  ui_test_add ("/ui/text/very-long", test_very_long);
  ui_test_add ("/ui/text/place-in-very-long", test_place_in_very_long);
  return g_test_run ();
}
