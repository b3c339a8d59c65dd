/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-waiting-page.h"

#include "beckon-waiting-entry.h"
#include "ui/cards/beckon-request-card.h"

#include <glib/gi18n-lib.h>

#define AGES_EVERY_S 30

struct _BeckonWaitingPage
{
  AdwBin parent_instance;

  BeckonRuntime *runtime; /* (owned) */
  GListModel *inbox;      /* (owned) */
  guint most;             /* how many may have cards */
  guint timeout_id;       /* while it is seen */

  GtkStack *stack;
  GtkWidget *nothing;
  GtkWidget *something;
  GtkBox *entries;
  GtkButton *more_button;
};

G_DEFINE_FINAL_TYPE (BeckonWaitingPage, beckon_waiting_page, ADW_TYPE_BIN)

static BeckonWaitingEntry *
get_first (BeckonWaitingPage *self)
{
  GtkWidget *first = gtk_widget_get_first_child (GTK_WIDGET (self->entries));

  return first != NULL ? BECKON_WAITING_ENTRY (first) : NULL;
}

static BeckonWaitingEntry *
get_next (BeckonWaitingEntry *entry)
{
  GtkWidget *next = gtk_widget_get_next_sibling (GTK_WIDGET (entry));

  return next != NULL ? BECKON_WAITING_ENTRY (next) : NULL;
}

static BeckonWaitingEntry *
find_entry (BeckonWaitingPage *self, BeckonRequest *request)
{
  for (BeckonWaitingEntry *entry = get_first (self); entry != NULL; entry = get_next (entry))
    {
      if (beckon_waiting_entry_get_request (entry) == request)
        return entry;
    }
  return NULL;
}

static gboolean
waiting_page_is_listed (BeckonWaitingPage *self, BeckonRequest *request)
{
  guint n = MIN (g_list_model_get_n_items (self->inbox), self->most);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonRequest) listed = g_list_model_get_item (self->inbox, i);

      if (listed == request)
        return TRUE;
    }
  return FALSE;
}

static void
waiting_page_update (BeckonWaitingPage *self)
{
  const guint n = g_list_model_get_n_items (self->inbox);
  const guint left = n > self->most ? n - self->most : 0;
  GtkWidget *before = NULL;
  g_autofree char *label = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Show %u More", "Show %u More", left), left);

  /* The focus of what goes moves to the next one's title: an Enter too many must not answer that too. */
  for (BeckonWaitingEntry *entry = get_first (self), *next; entry != NULL; entry = next)
    {
      next = get_next (entry);
      if (!waiting_page_is_listed (self, beckon_waiting_entry_get_request (entry)))
        gtk_box_remove (self->entries, GTK_WIDGET (entry));
    }

  /* Cards that stay are left alone: a person may be writing in one. */
  for (guint i = 0; i < MIN (n, self->most); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (self->inbox, i);
      BeckonWaitingEntry *listed = find_entry (self, request);

      if (listed == NULL)
        {
          listed = BECKON_WAITING_ENTRY (beckon_waiting_entry_new (self->runtime, request));
          gtk_box_insert_child_after (self->entries, GTK_WIDGET (listed), before);
        }
      before = GTK_WIDGET (listed);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->more_button), left > 0);
  gtk_button_set_label (self->more_button, label);
  gtk_stack_set_visible_child (self->stack, n > 0 ? self->something : self->nothing);
}

static void
waiting_page_on_items_changed (BeckonWaitingPage *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    waiting_page_update (self);
}

static void
on_more_clicked (BeckonWaitingPage *self)
{
  self->most += BECKON_WAITING_PAGE_STEP;
  waiting_page_update (self);
}

static gboolean
on_ages_due (gpointer user_data)
{
  BeckonWaitingPage *self = user_data;
  gint64 now = g_get_real_time ();

  for (BeckonWaitingEntry *entry = get_first (self); entry != NULL; entry = get_next (entry))
    beckon_waiting_entry_update (entry, now);
  return G_SOURCE_CONTINUE;
}

void
beckon_waiting_page_focus (BeckonWaitingPage *self)
{
  BeckonWaitingEntry *first = get_first (self);

  if (first != NULL)
    beckon_request_card_focus (beckon_waiting_entry_get_card (first));
  else
    gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
}

/* The page is updated when mapped, and costs nothing while it is not. */
static void
beckon_waiting_page_map (GtkWidget *widget)
{
  BeckonWaitingPage *self = BECKON_WAITING_PAGE (widget);

  self->most = BECKON_WAITING_PAGE_STEP;
  waiting_page_update (self);
  on_ages_due (self);
  self->timeout_id = g_timeout_add_seconds (AGES_EVERY_S, on_ages_due, self);
  GTK_WIDGET_CLASS (beckon_waiting_page_parent_class)->map (widget);
}

static void
beckon_waiting_page_unmap (GtkWidget *widget)
{
  BeckonWaitingPage *self = BECKON_WAITING_PAGE (widget);

  g_clear_handle_id (&self->timeout_id, g_source_remove);
  GTK_WIDGET_CLASS (beckon_waiting_page_parent_class)->unmap (widget);
}

static void
beckon_waiting_page_dispose (GObject *object)
{
  BeckonWaitingPage *self = BECKON_WAITING_PAGE (object);

  g_clear_handle_id (&self->timeout_id, g_source_remove);
  if (self->inbox != NULL)
    g_signal_handlers_disconnect_by_data (self->inbox, self);
  g_clear_object (&self->inbox);
  g_clear_object (&self->runtime);
  G_OBJECT_CLASS (beckon_waiting_page_parent_class)->dispose (object);
}

static void
beckon_waiting_page_class_init (BeckonWaitingPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_waiting_page_dispose;
  widget_class->map = beckon_waiting_page_map;
  widget_class->unmap = beckon_waiting_page_unmap;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/waiting-page.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonWaitingPage, stack);
  gtk_widget_class_bind_template_child (widget_class, BeckonWaitingPage, nothing);
  gtk_widget_class_bind_template_child (widget_class, BeckonWaitingPage, something);
  gtk_widget_class_bind_template_child (widget_class, BeckonWaitingPage, entries);
  gtk_widget_class_bind_template_child (widget_class, BeckonWaitingPage, more_button);
  gtk_widget_class_bind_template_callback (widget_class, on_more_clicked);
}

static void
beckon_waiting_page_init (BeckonWaitingPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_waiting_page_new (BeckonRuntime *runtime)
{
  BeckonWaitingPage *self = g_object_new (BECKON_TYPE_WAITING_PAGE, NULL);

  self->runtime = g_object_ref (runtime);
  self->inbox = G_LIST_MODEL (g_object_ref (beckon_runtime_get_inbox (runtime)));
  g_signal_connect_swapped (self->inbox, "items-changed", G_CALLBACK (waiting_page_on_items_changed), self);
  return GTK_WIDGET (self);
}
