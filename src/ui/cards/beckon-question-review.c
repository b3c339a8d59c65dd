/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-question-review.h"

#include "beckon-question-page.h"
#include "ui/blocks/beckon-inline.h"

#include <glib/gi18n-lib.h>

struct _BeckonQuestionReview
{
  AdwBin parent_instance;

  GPtrArray *pages; /* (owned): elements borrowed */
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (BeckonQuestionReview, beckon_question_review, ADW_TYPE_BIN)

static guint chosen_signal;

void
beckon_question_review_update (BeckonQuestionReview *self)
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

GtkWidget *
beckon_question_review_new (BeckonQuestion *question, GPtrArray *pages)
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
