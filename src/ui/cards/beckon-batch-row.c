/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-row.h"

#include "ui/widgets/beckon-adaptive-switch.h"
#include "ui/widgets/beckon-css-class.h"

#include <glib/gi18n-lib.h>

/* Less than this for each column, and the values stand below one another. */
#define COLUMN_WIDTH 130
#define FIRST_WIDTH 60

/* As in the template. */
#define NUMBER_WIDTH 22

struct _BeckonBatchRow
{
  AdwBin parent_instance;

  BeckonCallView *view;   /* (owned) */
  BeckonRequest *request; /* (owned) */
  BeckonBatchMark mark;
  gboolean is_row;
  gboolean is_cut;
  gboolean was_opened;
  gboolean is_marking;

  GtkWidget *line;
  GtkLabel *number_label;
  AdwBin *cells;
  GtkWidget *trailing;
  GtkWidget *marks;
  GtkToggleButton *run_button;
  GtkToggleButton *deny_button;
  GtkToggleButton *open_button;
  GtkLabel *state_label;
  GtkLabel *error_label;
  AdwBin *slot;
};

G_DEFINE_FINAL_TYPE (BeckonBatchRow, beckon_batch_row, ADW_TYPE_BIN)

static guint marked_signal;

/* --- Cells -------------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_label (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

/* Beside one another, all as wide. @style: (nullable). */
static GtkWidget *
make_columns (BeckonCallTable *table, const char *(*get) (BeckonCallTable *, guint, guint), guint row, const char *style)
{
  guint n = beckon_call_table_get_n_columns (table);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  for (guint column = 0; column < n; column++)
    {
      const char *text = get (table, row, column);
      GtkWidget *label = make_label (text != NULL ? text : "–", style);

      gtk_widget_set_hexpand (label, TRUE);
      gtk_box_append (GTK_BOX (box), label);
    }
  return box;
}

/* Below one another, each with its name. */
static GtkWidget *
make_lines (BeckonCallTable *table, guint row)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  for (guint column = 0; column < beckon_call_table_get_n_columns (table); column++)
    {
      const char *name = beckon_call_table_get_column (table, column);
      const char *text = beckon_call_table_get_cell (table, row, column);

      if (*name != '\0')
        {
          GtkWidget *title = make_label (name, "caption");

          gtk_widget_add_css_class (title, "dim-label");
          gtk_box_append (GTK_BOX (box), title);
        }
      gtk_box_append (GTK_BOX (box), make_label (text != NULL ? text : "–", NULL));
    }
  return box;
}

static GtkWidget *
make_either (BeckonCallTable *table, GtkWidget *wide, GtkWidget *narrow)
{
  GtkWidget *either
    = beckon_adaptive_switch_new (wide, narrow, (int) (FIRST_WIDTH + COLUMN_WIDTH * beckon_call_table_get_n_columns (table)));

  gtk_widget_set_hexpand (either, TRUE);
  return either;
}

static const char *
get_name (BeckonCallTable *table, guint row, guint column)
{
  return beckon_call_table_get_column (table, column);
}

GtkWidget *
beckon_batch_row_make_head (BeckonCallTable *table, GtkSizeGroup *trailing)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *number = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *end = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_set_size_request (number, NUMBER_WIDTH, -1);
  gtk_box_append (GTK_BOX (box), number);
  gtk_box_append (GTK_BOX (box), make_either (table, make_columns (table, get_name, 0, "caption-heading"),
                                              gtk_box_new (GTK_ORIENTATION_VERTICAL, 0)));
  gtk_box_append (GTK_BOX (box), end);
  gtk_size_group_add_widget (trailing, end);
  return box;
}

/* --- Marks -------------------------------------------------------------------------------------------------------- */

gboolean
beckon_batch_row_is_pending (BeckonBatchRow *self)
{
  g_return_val_if_fail (BECKON_IS_BATCH_ROW (self), FALSE);

  return beckon_request_get_state (self->request) == BECKON_REQUEST_PENDING;
}

gboolean
beckon_batch_row_is_unseen (BeckonBatchRow *self)
{
  g_return_val_if_fail (BECKON_IS_BATCH_ROW (self), FALSE);

  return self->is_cut && !self->was_opened;
}

BeckonBatchMark
beckon_batch_row_get_mark (BeckonBatchRow *self)
{
  g_return_val_if_fail (BECKON_IS_BATCH_ROW (self), BECKON_BATCH_OPEN);

  return beckon_batch_row_is_pending (self) ? self->mark : BECKON_BATCH_OPEN;
}

void
beckon_batch_row_set_mark (BeckonBatchRow *self, BeckonBatchMark mark)
{
  g_return_if_fail (BECKON_IS_BATCH_ROW (self));

  self->is_marking = TRUE;
  self->mark = mark;
  gtk_toggle_button_set_active (self->run_button, mark == BECKON_BATCH_RUN);
  gtk_toggle_button_set_active (self->deny_button, mark == BECKON_BATCH_DENY);
  self->is_marking = FALSE;
  g_signal_emit (self, marked_signal, 0);
}

static void
on_run_toggled (BeckonBatchRow *self)
{
  if (!self->is_marking)
    beckon_batch_row_set_mark (self, gtk_toggle_button_get_active (self->run_button) ? BECKON_BATCH_RUN : BECKON_BATCH_OPEN);
}

static void
on_deny_toggled (BeckonBatchRow *self)
{
  if (!self->is_marking)
    beckon_batch_row_set_mark (self,
                               gtk_toggle_button_get_active (self->deny_button) ? BECKON_BATCH_DENY : BECKON_BATCH_OPEN);
}

/* --- Showing ------------------------------------------------------------------------------------------------------ */

static void
show_opened (BeckonBatchRow *self)
{
  gboolean opened = gtk_toggle_button_get_active (self->open_button);

  gtk_widget_set_visible (GTK_WIDGET (self->slot), !self->is_row || opened);
  gtk_button_set_icon_name (GTK_BUTTON (self->open_button), opened ? "pan-up-symbolic" : "pan-down-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->open_button), GTK_ACCESSIBLE_STATE_EXPANDED, opened, -1);
}

static void
show_state (BeckonBatchRow *self)
{
  gboolean pending = beckon_batch_row_is_pending (self);
  g_autofree char *summary = pending ? NULL : beckon_request_dup_summary (self->request);
  const char *words = summary;

  if (pending && beckon_batch_row_is_unseen (self))
    words = _("There is more of it: open it before it runs.");
  gtk_widget_set_visible (self->marks, pending);
  gtk_widget_set_sensitive (GTK_WIDGET (self->run_button), !beckon_batch_row_is_unseen (self));
  gtk_label_set_text (self->state_label, words != NULL ? words : "");
  gtk_widget_set_visible (GTK_WIDGET (self->state_label), self->is_row && words != NULL);
}

static void
on_open_toggled (BeckonBatchRow *self)
{
  if (gtk_toggle_button_get_active (self->open_button))
    self->was_opened = TRUE;
  show_opened (self);
  show_state (self);
  g_signal_emit (self, marked_signal, 0);
}

void
beckon_batch_row_open (BeckonBatchRow *self)
{
  g_return_if_fail (BECKON_IS_BATCH_ROW (self));

  gtk_toggle_button_set_active (self->open_button, TRUE);
}

gboolean
beckon_batch_row_is_closed (BeckonBatchRow *self)
{
  g_return_val_if_fail (BECKON_IS_BATCH_ROW (self), FALSE);

  return self->is_row && !gtk_toggle_button_get_active (self->open_button);
}

void
beckon_batch_row_set_error (BeckonBatchRow *self, const char *message)
{
  g_return_if_fail (BECKON_IS_BATCH_ROW (self));

  gtk_label_set_text (self->error_label, message != NULL ? message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), message != NULL);
}

/* Translators: names of buttons in a row of a table; %u is the row's number */
static void
name_parts (BeckonBatchRow *self, guint number)
{
  g_autofree char *run = g_strdup_printf (_("Run call %u"), number);
  g_autofree char *deny = g_strdup_printf (_("Deny call %u"), number);
  g_autofree char *open = g_strdup_printf (_("Show all of call %u"), number);
  g_autofree char *row = g_strdup_printf (_("Call %u"), number);
  g_autofree char *text = g_strdup_printf ("%u", number);

  gtk_label_set_text (self->number_label, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->run_button), GTK_ACCESSIBLE_PROPERTY_LABEL, run, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->deny_button), GTK_ACCESSIBLE_PROPERTY_LABEL, deny, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->open_button), GTK_ACCESSIBLE_PROPERTY_LABEL, open, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, row, -1);
}

void
beckon_batch_row_show (BeckonBatchRow *self, BeckonCallTable *table, guint index, GtkSizeGroup *trailing)
{
  g_return_if_fail (BECKON_IS_BATCH_ROW (self));

  self->is_row = table != NULL;
  gtk_widget_set_visible (self->line, self->is_row);
  beckon_css_class_set (GTK_WIDGET (self), "batch-row", self->is_row);
  if (table != NULL)
    {
      const char *style = beckon_call_table_is_edited (table, index) ? "batch-edited" : NULL;

      self->is_cut = beckon_call_table_is_cut (table, index);
      adw_bin_set_child (self->cells,
                         make_either (table, make_columns (table, beckon_call_table_get_cell, index, style),
                                      make_lines (table, index)));
      gtk_size_group_add_widget (trailing, self->trailing);
      name_parts (self, index + 1);
    }
  show_opened (self);
  show_state (self);
}

BeckonCallView *
beckon_batch_row_get_view (BeckonBatchRow *self)
{
  g_return_val_if_fail (BECKON_IS_BATCH_ROW (self), NULL);

  return self->view;
}

BeckonRequest *
beckon_batch_row_get_request (BeckonBatchRow *self)
{
  g_return_val_if_fail (BECKON_IS_BATCH_ROW (self), NULL);

  return self->request;
}

static void
beckon_batch_row_dispose (GObject *object)
{
  BeckonBatchRow *self = BECKON_BATCH_ROW (object);

  g_clear_object (&self->view);
  g_clear_object (&self->request);
  G_OBJECT_CLASS (beckon_batch_row_parent_class)->dispose (object);
}

static void
beckon_batch_row_class_init (BeckonBatchRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_batch_row_dispose;
  marked_signal
    = g_signal_new ("marked", BECKON_TYPE_BATCH_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/batch-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchRow, line);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchRow, number_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchRow, cells);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchRow, trailing);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchRow, marks);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchRow, run_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchRow, deny_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchRow, open_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchRow, state_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchRow, error_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonBatchRow, slot);
  gtk_widget_class_bind_template_callback (widget_class, on_run_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_deny_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_open_toggled);
}

static void
beckon_batch_row_init (BeckonBatchRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* A command that ran may wait again, with what it changed: that is seen while others of the table are still to be decided. */
static void
on_card_changed (BeckonBatchRow *self)
{
  BeckonRequest *pending = beckon_call_view_get_pending_request (self->view);

  if (pending != NULL && pending != self->request)
    beckon_batch_row_open (self);
}

GtkWidget *
beckon_batch_row_new (BeckonCallView *view, BeckonRequest *request)
{
  BeckonBatchRow *self = g_object_new (BECKON_TYPE_BATCH_ROW, NULL);

  self->view = g_object_ref_sink (view);
  self->request = g_object_ref (request);
  adw_bin_set_child (self->slot, GTK_WIDGET (view));
  g_signal_connect_object (request, "notify::state", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "notify::child", G_CALLBACK (on_card_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
