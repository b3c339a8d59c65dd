/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-block-column.h"

#include "markdown/beckon-markdown-parse.h"
#include "ui/widgets/beckon-controls.h"

#define LINE 20.0
#define BYTES_PER_LINE 95.0
#define SPACE 8.0
#define ROW 32.0
#define CODE_FRAME 52.0
#define CODE_LINE 17.0

static double
guess_code (const GString *text)
{
  double lines = 0;

  for (gsize i = 0; i < text->len; i++)
    lines += text->str[i] == '\n' ? 1 : 0;
  return CODE_FRAME + lines * CODE_LINE;
}

/* About how high a block is where a text has the width it mostly has, in pixels: for what has never been laid out. */
static double
block_height_guess (const BeckonMarkdownNode *node)
{
  double height = SPACE;

  if (node->kind == BECKON_MARKDOWN_TABLE)
    return SPACE + ROW * beckon_markdown_node_get_n_children (node);
  if (node->kind == BECKON_MARKDOWN_CODE)
    return SPACE + guess_code (node->text);
  if (node->text != NULL)
    return SPACE + LINE * (1 + (double) (int) ((double) node->text->len / BYTES_PER_LINE));
  for (guint i = 0; i < beckon_markdown_node_get_n_children (node); i++)
    height += block_height_guess (beckon_markdown_node_get_child (node, i));
  return height;
}

/*
 * A page whose blocks are far away is a height and nothing else: a widget more, even an empty one, would have the style of all
 * others looked at as it comes, and would be asked for its size whenever anything changes.
 */

/* Blocks of a page. */
#define PAGE 16

/* A text of no more pages has all its widgets. */
#define FEW_PAGES 4

/* How many heights of what is seen away a page gets its widgets, and loses them. */
#define NEAR 1
#define FAR 3

typedef struct
{
  GtkWidget *box; /* (nullable): the widgets of its blocks; borrowed */
  int height;     /* without: what it was, or is likely to be */
  double from;    /* where it got its place; far below until then */
  double to;
} Page;

struct _BeckonBlockColumn
{
  GtkBox parent_instance;

  GPtrArray *blocks; /* (element-type BeckonMarkdownNode): what is shown */
  GArray *pages;     /* (element-type Page) */
  gsize bytes;         /* of text in what came to be shown by widgets */
  gboolean is_growing; /* more comes in the next frame */
  guint wanted;      /* the page that somebody asked for last: they are about to go there */

  GdkFrameClock *clock; /* (owned) (nullable): while mapped */
  gulong layout_id;
  guint tick_id;
  gint64 filled_in; /* the frame in which pages got their widgets last */

  GtkWidget *anchor;   /* (nullable): a weak pointer; what is to stay where it is */
  double anchor_at;    /* where that was in what is scrolled */
  double anchor_value; /* how far it was scrolled */
};

G_DEFINE_FINAL_TYPE (BeckonBlockColumn, beckon_block_column, GTK_TYPE_BOX)

static guint filled_signal;

static Page *
get_page (BeckonBlockColumn *self, guint index)
{
  return &g_array_index (self->pages, Page, index);
}

static guint
count_in_page (BeckonBlockColumn *self, guint index)
{
  return MIN (self->blocks->len - index * PAGE, PAGE);
}

static gsize
count_bytes (const BeckonMarkdownNode *node)
{
  gsize bytes = node->text != NULL ? node->text->len : 0;

  for (guint i = 0; i < beckon_markdown_node_get_n_children (node); i++)
    bytes += count_bytes (beckon_markdown_node_get_child (node, i));
  return bytes;
}

/* Shows the blocks of a page from @first on. */
static void
column_show_page (BeckonBlockColumn *self, guint index, guint first)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new ();
  guint n = count_in_page (self, index);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (blocks, g_ptr_array_index (self->blocks, index * PAGE + i));
  for (guint i = first; i < n; i++)
    self->bytes += count_bytes (g_ptr_array_index (blocks, i));
  beckon_block_box_update (BECKON_BLOCK_BOX (get_page (self, index)->box), blocks, first, n);
}

/* The one that the widgets of a page stand behind; %NULL if they are the first. */
static GtkWidget *
get_box_before (BeckonBlockColumn *self, guint index)
{
  while (index > 0 && get_page (self, index - 1)->box == NULL)
    index--;
  return index > 0 ? get_page (self, index - 1)->box : NULL;
}

static void
column_fill (BeckonBlockColumn *self, guint index)
{
  GtkWidget *box = beckon_block_box_new (0);

  get_page (self, index)->box = box;
  beckon_block_box_set_continued (BECKON_BLOCK_BOX (box), index > 0);
  gtk_box_insert_child_after (GTK_BOX (self), box, get_box_before (self, index));
  column_show_page (self, index, 0);
  g_signal_emit (self, filled_signal, 0, box);
}

static void
update_page (BeckonBlockColumn *self, guint index, guint first, guint n_pages)
{
  gboolean is_new = index == self->pages->len;

  if (is_new)
    {
      const Page page = { .from = G_MAXDOUBLE, .to = G_MAXDOUBLE };

      g_array_append_val (self->pages, page);
    }
  if (get_page (self, index)->box != NULL)
    column_show_page (self, index, first);
  /* Growing text is read at its end; a long text that is there already, where the person is. */
  else if (is_new
           && (index < FEW_PAGES
               || (index + 1 == n_pages && !self->is_growing && get_page (self, index - 1)->box != NULL)))
    column_fill (self, index);
  else
    {
      /* A page without widgets has a likely height. */
      double height = 0;

      for (guint i = 0; i < count_in_page (self, index); i++)
        height += block_height_guess (g_ptr_array_index (self->blocks, index * PAGE + i));
      get_page (self, index)->height = (int) height;
      gtk_widget_queue_resize (GTK_WIDGET (self));
    }
}

gsize
beckon_block_column_update (BeckonBlockColumn *self, GPtrArray *blocks, guint first, guint n)
{
  guint n_pages = (n + PAGE - 1) / PAGE;
  gsize before;

  before = self->bytes;

  first = MIN (first, MIN (n, self->blocks->len));
  g_ptr_array_set_size (self->blocks, (int) first);
  for (guint i = first; i < n; i++)
    g_ptr_array_add (self->blocks, beckon_markdown_node_ref (g_ptr_array_index (blocks, i)));
  while (self->pages->len > n_pages)
    {
      Page *page = get_page (self, self->pages->len - 1);

      if (page->box != NULL)
        gtk_box_remove (GTK_BOX (self), page->box);
      g_array_set_size (self->pages, self->pages->len - 1);
      gtk_widget_queue_resize (GTK_WIDGET (self));
    }
  for (guint i = first / PAGE; i < n_pages; i++)
    update_page (self, i, i == first / PAGE ? first % PAGE : 0, n_pages);
  return self->bytes - before;
}

void
beckon_block_column_set_growing (BeckonBlockColumn *self, gboolean is_growing)
{
  if (self->is_growing && !is_growing)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
  self->is_growing = is_growing;
}

gboolean
beckon_block_column_find (BeckonBlockColumn *self, GtkWidget *widget, guint *index)
{
  for (guint i = 0; i < self->pages->len; i++)
    if (get_page (self, i)->box != NULL && beckon_block_box_find (BECKON_BLOCK_BOX (get_page (self, i)->box), widget, index))
      {
        *index += i * PAGE;
        return TRUE;
      }
  return FALSE;
}

guint
beckon_block_column_get_n_pages (BeckonBlockColumn *self)
{
  return self->pages->len;
}

GtkWidget *
beckon_block_column_get_page (BeckonBlockColumn *self, guint page)
{
  return get_page (self, page)->box;
}

GtkWidget *
beckon_block_column_fill_page (BeckonBlockColumn *self, guint page)
{
  self->wanted = page;
  if (get_page (self, page)->box == NULL)
    column_fill (self, page);
  return get_page (self, page)->box;
}

void
beckon_block_column_foreach (BeckonBlockColumn *self, guint page, GFunc function, gpointer user_data)
{
  for (guint i = 0; i < count_in_page (self, page); i++)
    function (g_ptr_array_index (self->blocks, page * PAGE + i), user_data);
}

/* Layout */

static void
measure_page (const Page *page, int width, int *minimum, int *natural)
{
  *minimum = *natural = page->height;
  if (page->box != NULL)
    gtk_widget_measure (page->box, GTK_ORIENTATION_VERTICAL, width, minimum, natural, NULL, NULL);
}

static void
column_measure_height (BeckonBlockColumn *self, int width, int *minimum, int *natural)
{
  *minimum = *natural = 0;
  for (guint i = 0; i < self->pages->len; i++)
    {
      int least, wanted;

      measure_page (get_page (self, i), width, &least, &wanted);
      *minimum += least;
      *natural += wanted;
    }
}

static void
column_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                int *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_VERTICAL)
    column_measure_height (BECKON_BLOCK_COLUMN (widget), for_size, minimum, natural);
  else
    {
      *minimum = *natural = 0;
      for (GtkWidget *box = gtk_widget_get_first_child (widget); box != NULL; box = gtk_widget_get_next_sibling (box))
        {
          int least, wanted;

          gtk_widget_measure (box, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wanted, NULL, NULL);
          *minimum = MAX (*minimum, least);
          *natural = MAX (*natural, wanted);
        }
    }
}

static void
allocate (GtkWidget *widget, int width, int height, int baseline)
{
  BeckonBlockColumn *self = BECKON_BLOCK_COLUMN (widget);
  GtkAllocation place = { 0, 0, width, 0 };
  int minimum, natural;
  gboolean is_natural;

  column_measure_height (self, width, &minimum, &natural);
  is_natural = natural <= height;
  for (guint i = 0; i < self->pages->len; i++)
    {
      Page *page = get_page (self, i);

      measure_page (page, width, &minimum, &natural);
      place.height = is_natural ? natural : minimum;
      if (page->box != NULL)
        gtk_widget_size_allocate (page->box, &place, -1);
      page->from = place.y;
      place.y += place.height;
      page->to = place.y;
    }
}

/* Near pages */

/* Finds the scroller and its adjustment; FALSE if none. */
static gboolean
get_scroller (BeckonBlockColumn *self, GtkScrolledWindow **scroller, GtkAdjustment **adjustment)
{
  GtkWidget *found = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);

  if (found == NULL)
    return FALSE;
  *scroller = GTK_SCROLLED_WINDOW (found);
  *adjustment = gtk_scrolled_window_get_vadjustment (*scroller);
  return TRUE;
}

/* Finds a widget's place in the scrolled content, at any position. */
static gboolean
get_place (GtkScrolledWindow *scroller, GtkWidget *widget, double *place)
{
  GtkWidget *child = gtk_scrolled_window_get_child (scroller);
  graphene_point_t at;

  if (child != NULL)
    child = gtk_widget_get_first_child (child);
  if (child == NULL || !gtk_widget_compute_point (widget, child, &GRAPHENE_POINT_INIT (0, 0), &at))
    return FALSE;
  *place = at.y;
  return TRUE;
}

static void
drop_anchor (BeckonBlockColumn *self)
{
  g_clear_weak_pointer (&self->anchor);
}

/* The first block that begins within what is seen or below it stays where it is. */
static void
set_anchor (BeckonBlockColumn *self, GtkScrolledWindow *scroller, GtkAdjustment *adjustment, double top)
{
  GtkWidget *anchor = NULL;
  graphene_point_t at;

  for (guint i = 0; i < self->pages->len && anchor == NULL; i++)
    if (get_page (self, i)->box != NULL && get_page (self, i)->to > top)
      for (GtkWidget *view = gtk_widget_get_first_child (get_page (self, i)->box); view != NULL && anchor == NULL;
           view = gtk_widget_get_next_sibling (view))
        if (gtk_widget_compute_point (view, GTK_WIDGET (self), &GRAPHENE_POINT_INIT (0, 0), &at) && at.y >= top)
          anchor = view;
  if (anchor == NULL || !get_place (scroller, anchor, &self->anchor_at))
    return;
  g_set_weak_pointer (&self->anchor, anchor);
  self->anchor_value = gtk_adjustment_get_value (adjustment);
}

/* The first page that lacks its widgets within what is seen and so much more; the number of pages if there is none. */
static guint
find_missing (BeckonBlockColumn *self, double from, double to)
{
  guint i = 0;

  while (i < self->pages->len
         && (get_page (self, i)->box != NULL || get_page (self, i)->to < from || get_page (self, i)->from > to))
    i++;
  return i;
}

static gboolean
has_selection (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_label_get_selectable (GTK_LABEL (widget)))
    return gtk_label_get_selection_bounds (GTK_LABEL (widget), NULL, NULL);
  if (GTK_IS_TEXT_VIEW (widget))
    return gtk_text_buffer_get_has_selection (gtk_text_view_get_buffer (GTK_TEXT_VIEW (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (has_selection (child))
      return TRUE;
  return FALSE;
}

static gboolean
is_used (GtkWidget *box)
{
  GtkRoot *root = gtk_widget_get_root (box);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return (focus != NULL && gtk_widget_is_ancestor (focus, box)) || has_selection (box);
}

/* A page without a place is not far, and has no height to remember. */
static guint
find_superfluous (BeckonBlockColumn *self, double from, double to)
{
  guint i = 0;

  while (i < self->pages->len
         && (get_page (self, i)->box == NULL || i == self->wanted || get_page (self, i)->from == G_MAXDOUBLE
             || (get_page (self, i)->to >= from && get_page (self, i)->from <= to) || is_used (get_page (self, i)->box)))
    i++;
  return i;
}

/* The part of this column that is seen, by the adjustment's value: the widgets may have yet to move there. FALSE if there is
 * none. */
static gboolean
get_seen (BeckonBlockColumn *self, GtkScrolledWindow *scroller, GtkAdjustment *adjustment, double *from, double *height)
{
  double place;

  *height = gtk_widget_get_height (GTK_WIDGET (scroller));
  if (*height <= 0 || !get_place (scroller, GTK_WIDGET (self), &place))
    return FALSE;
  *from = gtk_adjustment_get_value (adjustment) - place;
  return TRUE;
}

/* Near pages get their widgets before they are seen, and far ones lose them: a page each, between two frames. */
static gboolean
column_on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  BeckonBlockColumn *self = BECKON_BLOCK_COLUMN (widget);
  GtkScrolledWindow *scroller;
  GtkAdjustment *adjustment;
  double from, height;
  guint missing, superfluous;

  self->tick_id = 0;
  if (!get_scroller (self, &scroller, &adjustment) || !get_seen (self, scroller, adjustment, &from, &height))
    return G_SOURCE_REMOVE;
  missing = find_missing (self, from, from + height);
  if (missing == self->pages->len)
    missing = find_missing (self, from - NEAR * height, from + (1 + NEAR) * height);
  superfluous = find_superfluous (self, from - FAR * height, from + (1 + FAR) * height);
  if (missing < self->pages->len)
    {
      set_anchor (self, scroller, adjustment, from);
      column_fill (self, missing);
      self->filled_in = gdk_frame_clock_get_frame_counter (clock);
    }
  else if (superfluous < self->pages->len)
    {
      Page *page = get_page (self, superfluous);

      page->height = gtk_widget_get_height (page->box);
      gtk_box_remove (GTK_BOX (self), page->box);
      page->box = NULL;
    }
  return G_SOURCE_REMOVE;
}

/* Visible pages have their widgets: the frame is laid out once more before it is drawn. But only once: GTK gives up on a frame
 * that is laid out again and again, and following the end, or keeping a place, lays it out again, too. */
static void
on_layout_done (BeckonBlockColumn *self)
{
  GtkScrolledWindow *scroller;
  GtkAdjustment *adjustment;
  double from, height;
  gint64 frame;
  double at;
  guint missing;

  if (self->pages->len <= FEW_PAGES || !get_scroller (self, &scroller, &adjustment))
    return;

  /* Unless somebody went elsewhere meanwhile. */
  if (self->anchor != NULL && gtk_adjustment_get_value (adjustment) == self->anchor_value
      && get_place (scroller, self->anchor, &at) && at != self->anchor_at)
    gtk_adjustment_set_value (adjustment, self->anchor_value + at - self->anchor_at);
  drop_anchor (self);

  if (self->is_growing || !get_seen (self, scroller, adjustment, &from, &height))
    return;
  frame = gdk_frame_clock_get_frame_counter (self->clock);
  if (self->filled_in == frame || find_missing (self, from, from + height) == self->pages->len)
    {
      if (self->tick_id == 0
          && (find_missing (self, from - NEAR * height, from + (1 + NEAR) * height) < self->pages->len
              || find_superfluous (self, from - FAR * height, from + (1 + FAR) * height) < self->pages->len))
        self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), column_on_tick, NULL, NULL);
      return;
    }
  set_anchor (self, scroller, adjustment, from);
  while ((missing = find_missing (self, from, from + height)) < self->pages->len)
    column_fill (self, missing);
  self->filled_in = frame;
}

static void
beckon_block_column_map (GtkWidget *widget)
{
  BeckonBlockColumn *self = BECKON_BLOCK_COLUMN (widget);

  GTK_WIDGET_CLASS (beckon_block_column_parent_class)->map (widget);
  self->clock = g_object_ref (gtk_widget_get_frame_clock (widget));
  self->layout_id = g_signal_connect_data (self->clock, "layout", G_CALLBACK (on_layout_done), self, NULL,
                                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

static void
beckon_block_column_unmap (GtkWidget *widget)
{
  BeckonBlockColumn *self = BECKON_BLOCK_COLUMN (widget);

  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (widget, self->tick_id);
  self->tick_id = 0;
  drop_anchor (self);
  g_clear_signal_handler (&self->layout_id, self->clock);
  g_clear_object (&self->clock);
  GTK_WIDGET_CLASS (beckon_block_column_parent_class)->unmap (widget);
}

static void
beckon_block_column_finalize (GObject *object)
{
  BeckonBlockColumn *self = BECKON_BLOCK_COLUMN (object);

  g_ptr_array_unref (self->blocks);
  g_array_unref (self->pages);
  G_OBJECT_CLASS (beckon_block_column_parent_class)->finalize (object);
}

static void
beckon_block_column_class_init (BeckonBlockColumnClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_block_column_finalize;
  GTK_WIDGET_CLASS (klass)->map = beckon_block_column_map;
  GTK_WIDGET_CLASS (klass)->unmap = beckon_block_column_unmap;
  filled_signal = g_signal_new ("filled", BECKON_TYPE_BLOCK_COLUMN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                GTK_TYPE_WIDGET);
}

static void
beckon_block_column_init (BeckonBlockColumn *self)
{
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_markdown_node_unref);
  self->pages = g_array_new (FALSE, FALSE, sizeof (Page));
  self->wanted = G_MAXUINT;
  self->filled_in = -1;
}

GtkWidget *
beckon_block_column_new (void)
{
  GtkWidget *self = g_object_new (BECKON_TYPE_BLOCK_COLUMN, "hexpand", TRUE, NULL);

  gtk_widget_set_layout_manager (self, gtk_custom_layout_new (beckon_height_for_width, column_measure, allocate));
  return self;
}
