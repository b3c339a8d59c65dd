/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-card.h"

#include "base/beckon-text.h"
#include "beckon-batch-row.h"
#include "beckon-card-settler.h"
#include "request/beckon-approval-request.h"
#include "ui/widgets/beckon-css-class.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>

struct _BeckonBatchCard
{
  AdwBin parent_instance;

  GPtrArray *rows;        /* (owned) (element-type BeckonBatchRow): all of them, in order */
  BeckonCardSettler *settler; /* (owned) */
  GtkSizeGroup *trailing; /* (owned) */
  gboolean is_table;

  GtkWidget *frame;
  GtkWidget *heading;
  GtkLabel *title_label;
  GtkLabel *reason_label;
  GtkWidget *common_box;
  GtkLabel *common_label;
  AdwBin *head;
  GtkBox *calls;
  GtkWidget *actions;
  GtkWidget *run_all_button;
  GtkWidget *deny_all_button;
  GtkButton *apply_button;
};

G_DEFINE_FINAL_TYPE (BeckonBatchCard, beckon_batch_card, ADW_TYPE_BIN)

static BeckonBatchRow *
get_row (BeckonBatchCard *self, guint index)
{
  return g_ptr_array_index (self->rows, index);
}

static guint
count_pending (BeckonBatchCard *self)
{
  guint n = 0;

  for (guint i = 0; i < self->rows->len; i++)
    n += beckon_batch_row_is_pending (get_row (self, i));
  return n;
}

static guint
count_marked (BeckonBatchCard *self, BeckonBatchMark mark)
{
  guint n = 0;

  for (guint i = 0; i < self->rows->len; i++)
    n += beckon_batch_row_get_mark (get_row (self, i)) == mark;
  return n;
}

/* --- Showing ------------------------------------------------------------------------------------------------------ */

static void
show_actions (BeckonBatchCard *self)
{
  guint n_run = count_marked (self, BECKON_BATCH_RUN);
  guint n_deny = count_marked (self, BECKON_BATCH_DENY);
  gboolean has_unseen = FALSE;
  g_autofree char *label = NULL;

  for (guint i = 0; i < self->rows->len; i++)
    has_unseen = has_unseen
                 || (beckon_batch_row_is_pending (get_row (self, i)) && beckon_batch_row_is_unseen (get_row (self, i)));
  if (n_deny == 0)
    /* Translators: on a button: how many calls run */
    label = g_strdup_printf (_("Run %u"), n_run);
  else if (n_run == 0)
    /* Translators: on a button: how many calls are denied */
    label = g_strdup_printf (_("Deny %u"), n_deny);
  else
    /* Translators: on a button: how many calls run and how many are denied */
    label = g_strdup_printf (_("Run %u, Deny %u"), n_run, n_deny);
  gtk_button_set_label (self->apply_button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->apply_button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_widget_set_visible (GTK_WIDGET (self->apply_button), n_run + n_deny > 0);
  gtk_widget_set_visible (self->run_all_button, n_run + n_deny == 0);
  gtk_widget_set_visible (self->deny_all_button, n_run + n_deny == 0);
  gtk_widget_set_sensitive (self->run_all_button, !has_unseen);
}

static void
show_title (BeckonBatchCard *self, BeckonRequest *first)
{
  g_autofree char *tool = beckon_text_for_display (beckon_request_get_tool (first), -1, BECKON_TEXT_EXACT);
  const char *reason = beckon_request_get_reason (first);
  g_autofree char *title = NULL;

  /* Translators: the title of a card that asks for leave to run a tool, which is named by %s, %u times */
  title = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "May the agent run %s %u time?", "May the agent run %s %u times?",
                                        self->rows->len),
                           tool, self->rows->len);
  gtk_label_set_text (self->title_label, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_label_set_text (self->reason_label, reason != NULL ? reason : "");
  gtk_widget_set_visible (GTK_WIDGET (self->reason_label), reason != NULL);
}

static GPtrArray *
list_requests (BeckonBatchCard *self)
{
  GPtrArray *requests = g_ptr_array_new ();

  for (guint i = 0; i < self->rows->len; i++)
    g_ptr_array_add (requests, beckon_batch_row_get_request (get_row (self, i)));
  return requests;
}

static void
show_table (BeckonBatchCard *self)
{
  g_autoptr (GPtrArray) requests = list_requests (self);
  g_autoptr (BeckonCallTable) table = beckon_call_table_new (requests);
  const char *common = beckon_call_table_get_common (table);

  show_title (self, g_ptr_array_index (requests, 0));
  gtk_label_set_text (self->common_label, common != NULL ? common : "");
  gtk_widget_set_visible (self->common_box, common != NULL);
  adw_bin_set_child (self->head, beckon_batch_row_make_head (table, self->trailing));
  for (guint i = 0; i < self->rows->len; i++)
    beckon_batch_row_show (get_row (self, i), table, i, self->trailing);
}

/* A lone pending call is a card like any other; once none waits there is no joint decision left. */
static void
update (BeckonBatchCard *self)
{
  gboolean is_table = self->rows->len > 1 && count_pending (self) > 0;

  self->is_table = is_table;
  gtk_widget_set_visible (self->heading, is_table);
  gtk_widget_set_visible (self->actions, is_table);
  beckon_css_class_set (self->frame, "batch-card", is_table);
  if (is_table)
    show_table (self);
  for (guint i = 0; !is_table && i < self->rows->len; i++)
    beckon_batch_row_show (get_row (self, i), NULL, 0, NULL);
  show_actions (self);
}

/* --- Deciding ----------------------------------------------------------------------------------------------------- */

static void
on_refused (BeckonBatchCard *self, BeckonRequest *request, const char *message)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (beckon_batch_row_get_request (get_row (self, i)) == request)
      beckon_batch_row_set_error (get_row (self, i), message);
}

static void
settle (BeckonBatchCard *self, BeckonBatchRow *row, gboolean run)
{
  BeckonRequest *request = beckon_batch_row_get_request (row);
  g_autoptr (BeckonAnswer) answer = beckon_call_table_make_answer (request, run);

  beckon_batch_row_set_error (row, NULL);
  beckon_card_settler_settle_for (self->settler, request, answer);
}

/* Each by itself: what could not be settled stays, and says why. */
static void
settle_marked (BeckonBatchCard *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      BeckonBatchMark mark = beckon_batch_row_get_mark (get_row (self, i));

      if (mark != BECKON_BATCH_OPEN)
        settle (self, get_row (self, i), mark == BECKON_BATCH_RUN);
    }
  show_actions (self);
}

static void
settle_all (BeckonBatchCard *self, gboolean run)
{
  if (!beckon_card_settler_is_ready (self->settler))
    return;
  for (guint i = 0; i < self->rows->len; i++)
    if (beckon_batch_row_is_pending (get_row (self, i)))
      settle (self, get_row (self, i), run);
  show_actions (self);
}

static void
on_apply_clicked (BeckonBatchCard *self)
{
  if (beckon_card_settler_is_ready (self->settler))
    settle_marked (self);
}

static void
on_run_all_clicked (BeckonBatchCard *self)
{
  settle_all (self, TRUE);
}

static void
on_deny_all_clicked (BeckonBatchCard *self)
{
  settle_all (self, FALSE);
}

/* --- Calls -------------------------------------------------------------------------------------------------------- */

gboolean
beckon_batch_card_takes (BeckonBatchCard *self, BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_BATCH_CARD (self), FALSE);

  return self->rows->len > 0
         && beckon_call_table_is_similar (beckon_batch_row_get_request (get_row (self, 0)), request);
}

void
beckon_batch_card_add (BeckonBatchCard *self, BeckonCallView *view, BeckonRequest *request)
{
  GtkWidget *row;

  g_return_if_fail (BECKON_IS_BATCH_CARD (self));

  row = beckon_batch_row_new (view, request);
  g_ptr_array_add (self->rows, row);
  gtk_box_append (self->calls, row);
  g_signal_connect_object (row, "marked", G_CALLBACK (show_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (request, "notify::state", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (request, "notify::draft", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

void
beckon_batch_card_set_clock (BeckonBatchCard *self, BeckonClock *clock)
{
  g_return_if_fail (BECKON_IS_BATCH_CARD (self));

  beckon_card_settler_set_clock (self->settler, clock);
}

void
beckon_batch_card_list_calls (BeckonBatchCard *self, GPtrArray *views)
{
  g_return_if_fail (BECKON_IS_BATCH_CARD (self));

  for (guint i = 0; i < self->rows->len; i++)
    g_ptr_array_add (views, beckon_batch_row_get_view (get_row (self, i)));
}

GtkWidget *
beckon_batch_card_get_pending_card (BeckonBatchCard *self)
{
  g_return_val_if_fail (BECKON_IS_BATCH_CARD (self), NULL);

  if (self->is_table)
    return GTK_WIDGET (self);
  for (guint i = 0; i < self->rows->len; i++)
    {
      GtkWidget *card = beckon_call_view_get_pending_card (beckon_batch_row_get_view (get_row (self, i)));

      if (card != NULL)
        return card;
    }
  return NULL;
}

void
beckon_batch_card_focus (BeckonBatchCard *self)
{
  g_return_if_fail (BECKON_IS_BATCH_CARD (self));

  gtk_widget_child_focus (GTK_WIDGET (self->calls), GTK_DIR_TAB_FORWARD);
}

static void
beckon_batch_card_dispose (GObject *object)
{
  BeckonBatchCard *self = BECKON_BATCH_CARD (object);

  g_clear_pointer (&self->settler, beckon_card_settler_free);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_object (&self->trailing);
  G_OBJECT_CLASS (beckon_batch_card_parent_class)->dispose (object);
}

static void
beckon_batch_card_class_init (BeckonBatchCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  G_OBJECT_CLASS (klass)->dispose = beckon_batch_card_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/batch-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, frame);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, heading);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, reason_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, common_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, common_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, head);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, calls);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, actions);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, run_all_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, deny_all_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchCard, apply_button);
  gtk_widget_class_bind_template_callback (widget_class, on_apply_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_run_all_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_deny_all_clicked);
}

static void
beckon_batch_card_init (BeckonBatchCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_ptr_array_new ();
  self->trailing = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->settler = beckon_card_settler_new (GTK_WIDGET (self), NULL);
  beckon_card_settler_add_body (self->settler, self->actions);
  beckon_card_settler_set_stays (self->settler);
  g_signal_connect_object (self->settler, "refused", G_CALLBACK (on_refused), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->settler, "changed", G_CALLBACK (show_actions), self, G_CONNECT_SWAPPED);
}

GtkWidget *
beckon_batch_card_new (BeckonInbox *inbox)
{
  BeckonBatchCard *self = g_object_new (BECKON_TYPE_BATCH_CARD, NULL);

  beckon_card_settler_set_request (self->settler, inbox, NULL);
  return GTK_WIDGET (self);
}
