/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-change-list.h"

#include "beckon-change-row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Differences are unfolded by themselves while they are as few. */
#define MOST_UNFOLDED 5

struct _BeckonChangeList
{
  AdwBin parent_instance;

  BeckonChangeSet *set;       /* (owned) */
  BeckonChangeChoice *choice; /* (owned) (nullable) */
  BeckonToolCall *call;       /* (owned) (nullable) */
  GArray *late;               /* (owned) (nullable) (element-type guint) */
  GArray *sorted;             /* (owned) (element-type guint): indices into the set */
  GArray *order;              /* (owned) (element-type guint): of them those that are looked for */
  guint n_shown;
  gboolean has_groups;

  GtkWidget *search;
  GtkBox *rows;
  GtkWidget *more_button;
};

G_DEFINE_FINAL_TYPE (BeckonChangeList, beckon_change_list, ADW_TYPE_BIN)

static guint changed_signal;

/* --- Order -------------------------------------------------------------------------------------------------------- */

static gboolean
needs_look (const BeckonFileChange *change)
{
  return change->fate == BECKON_FILE_OPEN && change->concern != BECKON_FILE_CONCERN_NONE;
}

static guint
get_rank (const BeckonFileChange *change)
{
  if (needs_look (change))
    return 0;
  if (change->fate == BECKON_FILE_CONFLICT || change->fate == BECKON_FILE_FAILED || change->fate == BECKON_FILE_DENIED)
    return 1;
  return change->fate == BECKON_FILE_OPEN ? 2 : 3;
}

static gboolean
is_group (const BeckonFileChange *change)
{
  return change->type == BECKON_FILE_FOLDER && change->kind == BECKON_FILE_CHANGED && change->n_files > 0;
}

/* Beside groups, deleted and changed files stand before new ones, and those before the groups; else the path is the order. */
static guint
get_order (BeckonChangeList *self, const BeckonFileChange *change)
{
  if (!self->has_groups)
    return 0;
  if (is_group (change))
    return 3;
  return change->kind == BECKON_FILE_DELETED ? 0 : change->kind == BECKON_FILE_CHANGED ? 1 : 2;
}

static int
compare_indices (gconstpointer one, gconstpointer other, gpointer user_data)
{
  BeckonChangeList *self = user_data;
  guint first = *(const guint *) one, second = *(const guint *) other;
  const BeckonFileChange *first_change = beckon_change_set_get (self->set, first);
  const BeckonFileChange *second_change = beckon_change_set_get (self->set, second);
  guint first_rank = get_rank (first_change) * 4 + get_order (self, first_change);
  guint second_rank = get_rank (second_change) * 4 + get_order (self, second_change);

  if (first_rank != second_rank)
    return first_rank < second_rank ? -1 : 1;
  return first < second ? -1 : first > second;
}

/* Changes of what was there are shown at once beside groups, up to this many. */
#define MOST_AT_ONCE 200

static guint
count_first (BeckonChangeList *self)
{
  guint n = 0;

  for (guint i = 0; self->has_groups && i < self->order->len && n < MOST_AT_ONCE; i++)
    n += get_order (self, beckon_change_set_get (self->set, g_array_index (self->order, guint, i))) < 2;
  return MAX (n, BECKON_CHANGE_LIST_STEP);
}

static void
show_choice (BeckonChangeList *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->rows)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    beckon_change_row_set_choice (BECKON_CHANGE_ROW (row), self->choice);
}

/* --- Rows --------------------------------------------------------------------------------------------------------- */

/* A change may take others along. */
static void
on_row_changed (BeckonChangeList *self)
{
  show_choice (self);
  g_signal_emit (self, changed_signal, 0);
}

/* Concerns are unfolded from the start, and so is a sole file. */
static gboolean
is_unfolded (BeckonChangeList *self, guint at)
{
  guint index = g_array_index (self->order, guint, at);

  if (self->sorted->len == 1)
    return self->choice != NULL;
  return at < MOST_UNFOLDED && self->choice != NULL && needs_look (beckon_change_set_get (self->set, index));
}

static gboolean
is_late (BeckonChangeList *self, guint index)
{
  for (guint i = 0; self->late != NULL && i < self->late->len; i++)
    if (g_array_index (self->late, guint, i) == index)
      return TRUE;
  return FALSE;
}

static void
show_more (BeckonChangeList *self)
{
  guint n = MIN (self->order->len, self->n_shown + (self->n_shown == 0 ? count_first (self) : BECKON_CHANGE_LIST_STEP));
  guint left = self->order->len - n;
  g_autofree char *label = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Show %u More", "Show %u More", left), left);

  for (; self->n_shown < n; self->n_shown++)
    {
      GtkWidget *row = beckon_change_row_new (self->set, g_array_index (self->order, guint, self->n_shown), self->choice);

      beckon_change_row_set_call (BECKON_CHANGE_ROW (row), self->call);
      beckon_change_row_set_late (BECKON_CHANGE_ROW (row), is_late (self, g_array_index (self->order, guint, self->n_shown)));
      g_signal_connect_object (row, "changed", G_CALLBACK (on_row_changed), self, G_CONNECT_SWAPPED);
      gtk_box_append (self->rows, row);
      if (is_unfolded (self, self->n_shown))
        beckon_change_row_unfold (BECKON_CHANGE_ROW (row));
    }
  gtk_button_set_label (GTK_BUTTON (self->more_button), label);
  gtk_widget_set_visible (self->more_button, left > 0);
}

/* The button stays where it is, below what it brought: the focus goes to the first of that. */
static void
on_more_clicked (BeckonChangeList *self)
{
  GtkWidget *last = gtk_widget_get_last_child (GTK_WIDGET (self->rows));

  show_more (self);
  gtk_widget_child_focus (gtk_widget_get_next_sibling (last), GTK_DIR_TAB_FORWARD);
}

static gboolean
change_list_has_words (const BeckonFileChange *change, const char *words)
{
  g_autofree char *name = beckon_file_change_dup_shown_name (change);
  g_autofree char *folded = g_utf8_casefold (name, -1);

  return strstr (folded, words) != NULL;
}

/* Rows that are out of sight keep their checks. */
static void
change_list_on_searched (BeckonChangeList *self)
{
  g_autofree char *words = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->rows))) != NULL)
    gtk_box_remove (self->rows, row);
  g_array_set_size (self->order, 0);
  for (guint i = 0; i < self->sorted->len; i++)
    if (change_list_has_words (beckon_change_set_get (self->set, g_array_index (self->sorted, guint, i)), words))
      g_array_append_val (self->order, g_array_index (self->sorted, guint, i));
  self->n_shown = 0;
  show_more (self);
}

const BeckonChangeChoice *
beckon_change_list_get_choice (BeckonChangeList *self)
{
  return self->choice;
}

void
beckon_change_list_take_choice (BeckonChangeList *self, BeckonChangeChoice *choice)
{
  g_autoptr (BeckonChangeChoice) old = NULL;

  old = self->choice;
  self->choice = choice;
  show_choice (self);
}

void
beckon_change_list_set_late (BeckonChangeList *self, GArray *late)
{
  GtkWidget *row;

  g_clear_pointer (&self->late, g_array_unref);
  self->late = late != NULL ? g_array_ref (late) : NULL;
  row = gtk_widget_get_first_child (GTK_WIDGET (self->rows));
  for (guint at = 0; row != NULL; at++, row = gtk_widget_get_next_sibling (row))
    beckon_change_row_set_late (BECKON_CHANGE_ROW (row), is_late (self, g_array_index (self->order, guint, at)));
}

void
beckon_change_list_set_call (BeckonChangeList *self, BeckonToolCall *call)
{
  g_set_object (&self->call, call);
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->rows)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    beckon_change_row_set_call (BECKON_CHANGE_ROW (row), call);
}

static void
beckon_change_list_dispose (GObject *object)
{
  BeckonChangeList *self = BECKON_CHANGE_LIST (object);

  adw_bin_set_child (ADW_BIN (self), NULL);
  g_clear_pointer (&self->order, g_array_unref);
  g_clear_pointer (&self->sorted, g_array_unref);
  g_clear_object (&self->call);
  g_clear_pointer (&self->late, g_array_unref);
  g_clear_pointer (&self->choice, beckon_change_choice_free);
  g_clear_pointer (&self->set, beckon_change_set_unref);
  G_OBJECT_CLASS (beckon_change_list_parent_class)->dispose (object);
}

static void
beckon_change_list_class_init (BeckonChangeListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_change_list_dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_change_list_init (BeckonChangeList *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->rows = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  self->more_button = gtk_button_new ();
  gtk_widget_set_halign (self->more_button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->more_button, "caption");
  g_signal_connect_swapped (self->more_button, "clicked", G_CALLBACK (on_more_clicked), self);
  self->search = gtk_search_entry_new ();
  g_object_set (self->search, "placeholder-text", _("Search Files"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Search Files"), -1);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (change_list_on_searched), self);
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->rows));
  gtk_box_append (GTK_BOX (box), self->more_button);
  adw_bin_set_child (ADW_BIN (self), box);
}

GtkWidget *
beckon_change_list_new (const BeckonChangeSet *set, gboolean can_choose)
{
  BeckonChangeList *self = g_object_new (BECKON_TYPE_CHANGE_LIST, NULL);

  self->set = beckon_change_set_copy (set);
  self->choice = can_choose ? beckon_change_choice_new () : NULL;

  self->sorted = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < beckon_change_set_get_n_changes (self->set); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (self->set, i);

      /* The heading counts it, and nothing is asked about it. */
      if (self->choice != NULL && beckon_file_change_is_aside (change))
        continue;
      g_array_append_val (self->sorted, i);
      self->has_groups = self->has_groups || is_group (change);
    }
  g_array_sort_with_data (self->sorted, compare_indices, self);
  self->order = g_array_copy (self->sorted);

  gtk_widget_set_visible (self->search, self->sorted->len > BECKON_CHANGE_LIST_STEP);
  show_more (self);
  return GTK_WIDGET (self);
}
