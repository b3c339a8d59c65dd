/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-question-deck.h"

#include "beckon-question-page.h"
#include "request/beckon-question-draft.h"
#include "ui/blocks/beckon-inline.h"
#include "ui/widgets/beckon-choice.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-scrolled.h"

#include <glib/gi18n-lib.h>

#define BECKON_TYPE_QUESTION_REVIEW (beckon_question_review_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQuestionReview, beckon_question_review, BECKON, QUESTION_REVIEW, AdwBin)

struct _BeckonQuestionReview
{
  AdwBin parent_instance;

  GPtrArray *pages; /* (owned): elements borrowed */
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (BeckonQuestionReview, beckon_question_review, ADW_TYPE_BIN)

static guint chosen_signal;

/* Reads the answers again. */
static void
question_review_update (BeckonQuestionReview *self)
{
  for (guint i = 0; i < self->pages->len; i++)
    {
      AdwActionRow *row = ADW_ACTION_ROW (gtk_list_box_get_row_at_index (self->list, (int) i));
      g_autofree char *summary = beckon_question_page_summarize (g_ptr_array_index (self->pages, i));

      adw_action_row_set_subtitle (row, summary);
    }
}

static void
review_on_row_activated (BeckonQuestionReview *self, GtkListBoxRow *row)
{
  g_signal_emit (self, chosen_signal, 0, (guint) gtk_list_box_row_get_index (row));
}

static void
beckon_question_review_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_QUESTION_REVIEW (object)->pages);
  G_OBJECT_CLASS (beckon_question_review_parent_class)->finalize (object);
}

static void
beckon_question_review_class_init (BeckonQuestionReviewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_question_review_finalize;
  chosen_signal = g_signal_new ("chosen", BECKON_TYPE_QUESTION_REVIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_question_review_init (BeckonQuestionReview *self)
{
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "review");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Your answers"), -1);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (review_on_row_activated), self);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->list));
}

/* The answers to several questions in a list, before they are sent. @pages: (element-type BeckonQuestionPage): borrowed, to
 * live as long as this. Signal `chosen` (guint): the person wants to go back to that question. */
static GtkWidget *
question_review_new (BeckonQuestion *question, GPtrArray *pages)
{
  BeckonQuestionReview *self = g_object_new (BECKON_TYPE_QUESTION_REVIEW, NULL);

  self->pages = g_ptr_array_ref (pages);
  for (guint i = 0; i < pages->len; i++)
    {
      g_autoptr (PangoAttrList) attributes = NULL;
      g_autofree char *text = beckon_inline_render (beckon_question_get_item (question, i)->question, &attributes);
      GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "activatable", TRUE, "title", text, NULL);

      gtk_list_box_append (self->list, row);
    }
  return GTK_WIDGET (self);
}

struct _BeckonQuestionDeck
{
  AdwBin parent_instance;

  BeckonQuestion *question; /* (owned) */
  gboolean asking_back;
  gboolean restoring;

  GPtrArray *items; /* (owned): BeckonQuestionPage, borrowed from the stack */
  BeckonQuestionReview *review; /* (nullable) */
  GtkScrolledWindow *tabs_scroller;
  GtkWidget *tabs;
  GtkStack *pages;
  GtkWidget *navigation;
  GtkWidget *back_button;
  GtkButton *next_button;
  GtkWidget *submit_button;
};

G_DEFINE_FINAL_TYPE (BeckonQuestionDeck, beckon_question_deck, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_CHANGED,
  SIGNAL_MOVED,
  SIGNAL_PICKED,
  SIGNAL_SEND,
  SIGNAL_SUBMIT,
} BeckonQuestionDeckSignal;

static guint signals[SIGNAL_SUBMIT + 1];

static BeckonQuestionPage *
deck_get_item (BeckonQuestionDeck *self, guint index)
{
  return g_ptr_array_index (self->items, index);
}

/* The item that is shown; the number of items on the review page. */
static guint
get_position (BeckonQuestionDeck *self)
{
  GtkWidget *shown = gtk_stack_get_visible_child (self->pages);
  guint index;

  if (shown == NULL || !g_ptr_array_find (self->items, shown, &index))
    return self->items->len;
  return index;
}

static void
show_position (BeckonQuestionDeck *self, guint position)
{
  GtkWidget *page = position < self->items->len ? GTK_WIDGET (deck_get_item (self, position))
                                                : gtk_widget_get_last_child (GTK_WIDGET (self->pages));

  gtk_stack_set_visible_child (self->pages, page);
}

guint
beckon_question_deck_get_index (BeckonQuestionDeck *self)
{
  return MIN (get_position (self), self->items->len - 1);
}

BeckonQuestionPage *
beckon_question_deck_get_page (BeckonQuestionDeck *self)
{
  return deck_get_item (self, beckon_question_deck_get_index (self));
}

gboolean
beckon_question_deck_is_reviewing (BeckonQuestionDeck *self)
{
  return get_position (self) == self->items->len;
}

/* A tab says whether its question has an answer. */
static void
update_tab (BeckonQuestionDeck *self, BeckonQuestionPage *page)
{
  GtkStackPage *tab = gtk_stack_get_page (self->pages, GTK_WIDGET (page));
  g_autofree char *title = beckon_question_page_dup_title (page);
  g_autofree char *marked = g_strdup_printf ("%s ✓", title);

  gtk_stack_page_set_title (tab, beckon_question_page_has_answer (page) ? marked : title);
}

void
beckon_question_deck_go_on (BeckonQuestionDeck *self)
{
  /* An answer that was typed as a line changed the page without a word. */
  update_tab (self, beckon_question_deck_get_page (self));
  show_position (self, get_position (self) + 1);
}

gboolean
beckon_question_deck_show_unanswered (BeckonQuestionDeck *self)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      if (beckon_question_page_has_answer (deck_get_item (self, i)))
        continue;
      show_position (self, i);
      return TRUE;
    }
  return FALSE;
}

char *
beckon_question_deck_dup_progress (BeckonQuestionDeck *self)
{
  guint position = get_position (self);
  guint n = self->items->len;

  if (n < 2)
    return NULL;
  /* Translators: the second question of three: "2 of 3" */
  return position < n ? g_strdup_printf (_("%u of %u"), position + 1, n) : g_strdup (_("Review"));
}

void
beckon_question_deck_focus (BeckonQuestionDeck *self)
{
  if (beckon_question_deck_is_reviewing (self))
    gtk_widget_grab_focus (self->submit_button);
  else if (self->asking_back)
    beckon_question_page_focus_entry (beckon_question_deck_get_page (self));
  else
    beckon_question_page_focus (beckon_question_deck_get_page (self));
}

static BeckonAnswer *
deck_collect (BeckonQuestionDeck *self, gboolean for_draft)
{
  BeckonAnswer *answer = beckon_answer_new_question (self->items->len);

  for (guint i = 0; i < self->items->len; i++)
    beckon_question_page_fill (deck_get_item (self, i), answer, for_draft);
  return answer;
}

BeckonAnswer *
beckon_question_deck_collect (BeckonQuestionDeck *self)
{
  return deck_collect (self, FALSE);
}

char *
beckon_question_deck_dup_draft (BeckonQuestionDeck *self)
{
  g_auto (BeckonQuestionDraft) draft = { 0 };

  draft.answer = deck_collect (self, TRUE);
  draft.page = get_position (self);
  draft.asking_back = self->asking_back;
  draft.back = beckon_question_page_dup_back (beckon_question_deck_get_page (self));
  return beckon_question_draft_to_json (&draft);
}

void
beckon_question_deck_restore (BeckonQuestionDeck *self, const char *json)
{
  g_auto (BeckonQuestionDraft) draft = { 0 };
  guint n;

  n = self->items->len;
  beckon_question_draft_read (&draft, json, n);
  self->restoring = TRUE;
  for (guint i = 0; i < n; i++)
    {
      beckon_question_page_restore (deck_get_item (self, i),
                                    draft.answer != NULL ? g_ptr_array_index (draft.answer->items, i) : NULL);
      update_tab (self, deck_get_item (self, i));
    }
  show_position (self, n > 1 ? draft.page : 0);
  beckon_question_deck_set_asking_back (self, draft.asking_back);
  beckon_question_page_set_back (beckon_question_deck_get_page (self), draft.back);
  self->restoring = FALSE;
}

void
beckon_question_deck_forget_last (BeckonQuestionDeck *self)
{
  for (guint i = 0; i < self->items->len; i++)
    beckon_question_page_forget_last (deck_get_item (self, i));
}

char *
beckon_question_deck_dup_typed (BeckonQuestionDeck *self)
{
  g_autoptr (GString) typed = g_string_new (NULL);

  for (guint i = 0; i < self->items->len; i++)
    {
      g_autofree char *text = beckon_question_page_dup_text (deck_get_item (self, i));
      g_autofree char *back = beckon_question_page_dup_back (deck_get_item (self, i));

      if (text != NULL && !beckon_question_get_item (self->question, i)->secret)
        g_string_append_printf (typed, "%s%s", typed->len > 0 ? "\n" : "", text);
      if (back != NULL)
        g_string_append_printf (typed, "%s%s", typed->len > 0 ? "\n" : "", back);
    }
  return typed->len > 0 ? g_string_free (g_steal_pointer (&typed), FALSE) : NULL;
}

static void
emit_changed (BeckonQuestionDeck *self)
{
  if (!self->restoring)
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
beckon_question_deck_set_asking_back (BeckonQuestionDeck *self, gboolean asking_back)
{
  BeckonQuestionPage *page;

  if (asking_back == self->asking_back)
    return;

  page = beckon_question_deck_get_page (self);
  gtk_stack_set_visible_child (self->pages, GTK_WIDGET (page));
  self->asking_back = asking_back;
  beckon_question_page_set_asking_back (page, asking_back);
  emit_changed (self);
}

gboolean
beckon_question_deck_get_asking_back (BeckonQuestionDeck *self)
{
  return self->asking_back;
}

/* Many tabs, or a narrow window, do not show them all. */
static void
show_tab (BeckonQuestionDeck *self, guint position)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_hadjustment (self->tabs_scroller);
  GtkWidget *tab = gtk_widget_get_first_child (self->tabs);
  graphene_rect_t bounds;

  for (; tab != NULL && position > 0; position--)
    tab = gtk_widget_get_next_sibling (tab);
  if (tab != NULL && gtk_widget_compute_bounds (tab, self->tabs, &bounds))
    gtk_adjustment_clamp_page (adjustment, bounds.origin.x, bounds.origin.x + bounds.size.width);
}

static void
update_navigation (BeckonQuestionDeck *self)
{
  guint position = get_position (self);
  guint n = self->items->len;

  gtk_widget_set_sensitive (self->back_button, position > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->next_button), position < n);
  gtk_button_set_label (self->next_button, position + 1 < n ? _("Next") : _("Review"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->next_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  position + 1 < n ? _("Next question") : _("Review"), -1);
  gtk_widget_set_visible (self->submit_button, position == n);
  show_tab (self, position);
  if (position != n || self->review == NULL)
    return;
  question_review_update (self->review);
  /* The next key, or click, sends what is seen. */
  if (beckon_focus_is_within (GTK_WIDGET (self)))
    gtk_widget_grab_focus (self->submit_button);
}

static void
on_page_shown (BeckonQuestionDeck *self)
{
  if (self->items->len == 0)
    return;
  if (self->asking_back)
    {
      self->asking_back = FALSE;
      for (guint i = 0; i < self->items->len; i++)
        beckon_question_page_set_asking_back (deck_get_item (self, i), FALSE);
    }
  if (self->items->len > 1)
    update_navigation (self);
  g_signal_emit (self, signals[SIGNAL_MOVED], 0);
  emit_changed (self);
}

static void
deck_on_back_clicked (BeckonQuestionDeck *self)
{
  guint position = get_position (self);

  if (position > 0)
    show_position (self, position - 1);
}

static void
on_submit_clicked (BeckonQuestionDeck *self)
{
  g_signal_emit (self, signals[SIGNAL_SUBMIT], 0);
}

static void
on_page_changed (BeckonQuestionDeck *self, BeckonQuestionPage *page)
{
  update_tab (self, page);
  emit_changed (self);
}

static void
on_page_picked (BeckonQuestionDeck *self, BeckonChoice *choice, BeckonQuestionPage *page)
{
  g_signal_emit (self, signals[SIGNAL_PICKED], 0, page, choice);
}

static void
on_page_send (BeckonQuestionDeck *self, BeckonQuestionPage *page)
{
  g_signal_emit (self, signals[SIGNAL_SEND], 0, page);
}

void
beckon_question_deck_set_question (BeckonQuestionDeck *self, BeckonQuestion *question)
{
  guint n = beckon_question_get_n_items (question);

  self->question = beckon_question_ref (question);
  for (guint i = 0; i < n; i++)
    {
      GtkWidget *page = beckon_question_page_new (self->question, i, n == 1);
      g_autofree char *title = beckon_question_page_dup_title (BECKON_QUESTION_PAGE (page));

      gtk_stack_page_set_title (gtk_stack_add_child (self->pages, page), title);
      g_ptr_array_add (self->items, page);
      g_signal_connect_swapped (page, "changed", G_CALLBACK (on_page_changed), self);
      g_signal_connect_swapped (page, "picked", G_CALLBACK (on_page_picked), self);
      g_signal_connect_swapped (page, "send", G_CALLBACK (on_page_send), self);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->tabs_scroller), n > 1);
  gtk_widget_set_visible (self->navigation, n > 1);
  if (n < 2)
    return;
  self->review = BECKON_QUESTION_REVIEW (question_review_new (self->question, self->items));
  g_signal_connect_swapped (self->review, "chosen", G_CALLBACK (show_position), self);
  gtk_stack_page_set_title (gtk_stack_add_child (self->pages, GTK_WIDGET (self->review)), _("Review"));
  update_navigation (self);
}

static void
beckon_question_deck_dispose (GObject *object)
{
  BeckonQuestionDeck *self = BECKON_QUESTION_DECK (object);

  g_ptr_array_set_size (self->items, 0);
  g_clear_pointer (&self->question, beckon_question_unref);
  G_OBJECT_CLASS (beckon_question_deck_parent_class)->dispose (object);
}

static void
beckon_question_deck_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_QUESTION_DECK (object)->items);
  G_OBJECT_CLASS (beckon_question_deck_parent_class)->finalize (object);
}

static void
beckon_question_deck_class_init (BeckonQuestionDeckClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_question_deck_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_question_deck_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_MOVED] = g_signal_new ("moved", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_PICKED] = g_signal_new ("picked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                         BECKON_TYPE_QUESTION_PAGE, BECKON_TYPE_CHOICE);
  signals[SIGNAL_SEND] = g_signal_new ("send", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                       BECKON_TYPE_QUESTION_PAGE);
  signals[SIGNAL_SUBMIT] = g_signal_new ("submit", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/question-deck.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionDeck, tabs_scroller);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionDeck, tabs);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionDeck, pages);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionDeck, navigation);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionDeck, back_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionDeck, next_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionDeck, submit_button);
  gtk_widget_class_bind_template_callback (widget_class, on_page_shown);
  gtk_widget_class_bind_template_callback (widget_class, deck_on_back_clicked);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_next_clicked", G_CALLBACK (beckon_question_deck_go_on));
  gtk_widget_class_bind_template_callback (widget_class, on_submit_clicked);
}

static void
beckon_question_deck_init (BeckonQuestionDeck *self)
{
  self->items = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_scroll_past (GTK_WIDGET (self->tabs_scroller));
}
