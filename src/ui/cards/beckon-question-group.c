/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-question-group.h"

#include "ui/widgets/beckon-css-class.h"

#include <glib/gi18n-lib.h>

struct _BeckonQuestionGroup
{
  AdwBin parent_instance;

  GPtrArray *requests; /* (owned) (element-type BeckonRequest) */

  GtkLabel *heading;
  GtkBox *calls;
};

G_DEFINE_FINAL_TYPE (BeckonQuestionGroup, beckon_question_group, ADW_TYPE_BIN)

static guint
count_pending (BeckonQuestionGroup *self)
{
  guint n = 0;

  for (guint i = 0; i < self->requests->len; i++)
    n += beckon_request_get_state (g_ptr_array_index (self->requests, i)) == BECKON_REQUEST_PENDING ? 1 : 0;
  return n;
}

/* Once all are answered there is nothing left to keep together. */
static void
update (BeckonQuestionGroup *self)
{
  guint n = self->requests->len;
  guint pending = count_pending (self);
  gboolean framed = n > 1 && pending > 0;
  /* Translators: questions that are asked at the same time, and how many of them have no answer yet */
  g_autofree char *text = g_strdup_printf (_("%u questions together, %u left"), n, pending);

  gtk_widget_set_visible (GTK_WIDGET (self->heading), framed);
  gtk_label_set_text (self->heading, framed ? text : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, framed ? text : "", -1);
  beckon_css_class_set (GTK_WIDGET (self), "framed", framed);
}

void
beckon_question_group_add (BeckonQuestionGroup *self, BeckonCallView *view, BeckonRequest *request)
{
  g_return_if_fail (BECKON_IS_QUESTION_GROUP (self));

  g_ptr_array_add (self->requests, g_object_ref (request));
  g_signal_connect_object (request, "notify::state", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  gtk_box_append (self->calls, GTK_WIDGET (view));
  update (self);
}

void
beckon_question_group_list_calls (BeckonQuestionGroup *self, GPtrArray *views)
{
  g_return_if_fail (BECKON_IS_QUESTION_GROUP (self));

  for (GtkWidget *view = gtk_widget_get_first_child (GTK_WIDGET (self->calls)); view != NULL;
       view = gtk_widget_get_next_sibling (view))
    g_ptr_array_add (views, view);
}

GtkWidget *
beckon_question_group_get_pending_card (BeckonQuestionGroup *self)
{
  g_return_val_if_fail (BECKON_IS_QUESTION_GROUP (self), NULL);

  for (GtkWidget *view = gtk_widget_get_first_child (GTK_WIDGET (self->calls)); view != NULL;
       view = gtk_widget_get_next_sibling (view))
    {
      GtkWidget *card = beckon_call_view_get_pending_card (BECKON_CALL_VIEW (view));

      if (card != NULL)
        return card;
    }
  return NULL;
}

static void
beckon_question_group_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_QUESTION_GROUP (object)->requests);
  G_OBJECT_CLASS (beckon_question_group_parent_class)->finalize (object);
}

static void
beckon_question_group_class_init (BeckonQuestionGroupClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_question_group_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/question-group.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionGroup, heading);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionGroup, calls);
}

static void
beckon_question_group_init (BeckonQuestionGroup *self)
{
  self->requests = g_ptr_array_new_with_free_func (g_object_unref);
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_question_group_new (void)
{
  return g_object_new (BECKON_TYPE_QUESTION_GROUP, NULL);
}
