/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-waiting-page.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>

struct _BeckonWaitingEntry
{
  AdwBin parent_instance;

  BeckonRuntime *runtime; /* (owned) */
  BeckonRequest *request; /* (owned) */
  BeckonConversation *conversation; /* (owned) (nullable): watched for its title */

  GtkWidget *title_button;
  GtkLabel *title_label;
  GtkLabel *asker_label;
  AdwBin *card;
};

G_DEFINE_FINAL_TYPE (BeckonWaitingEntry, beckon_waiting_entry, ADW_TYPE_BIN)

/* Borrowed. */
static BeckonRequest *
waiting_entry_get_request (BeckonWaitingEntry *self)
{
  return self->request;
}

static GtkWidget *
waiting_entry_get_card (BeckonWaitingEntry *self)
{
  return adw_bin_get_child (self->card);
}

static char *
describe_age (gint64 minutes)
{
  if (minutes < 1)
    return g_strdup (_("just now"));
  if (minutes < 60)
    /* Translators: how long ago something was asked */
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u minute ago", "%u minutes ago", (gulong) minutes),
                            (guint) minutes);
  if (minutes < 24 * 60)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u hour ago", "%u hours ago", (gulong) (minutes / 60)),
                            (guint) (minutes / 60));
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u day ago", "%u days ago", (gulong) (minutes / 1440)),
                          (guint) (minutes / 1440));
}

/* "DeepSeek · deepseek-chat"; the name alone where it is the model's. */
static char *
describe_asker (BeckonWaitingEntry *self)
{
  g_autofree char *fallback = beckon_settings_dup_default_profile (beckon_runtime_get_settings (self->runtime));
  const char *own = self->conversation != NULL ? beckon_conversation_get_profile_id (self->conversation) : NULL;
  BeckonProfile *profile =
      beckon_profiles_lookup (beckon_runtime_get_profiles (self->runtime), own != NULL ? own : fallback);
  const char *name = profile != NULL ? beckon_profile_get_name (profile) : NULL;
  const char *model = profile != NULL ? beckon_profile_get_model (profile) : NULL;

  if (name == NULL)
    return g_strdup (_("Agent"));
  if (model == NULL || *model == '\0' || g_strcmp0 (name, model) == 0)
    return g_strdup (name);
  return g_strdup_printf ("%s · %s", name, model);
}

/* Says anew since when it waits. @now: microseconds since the epoch. */
static void
waiting_entry_update (BeckonWaitingEntry *self, gint64 now)
{
  g_autofree char *age = NULL;
  g_autofree char *asker = NULL;
  g_autofree char *line = NULL;

  age = describe_age ((now - beckon_request_get_asked_at (self->request)) / (60 * G_USEC_PER_SEC));
  asker = describe_asker (self);
  line = g_strdup_printf ("%s · %s", asker, age);
  gtk_label_set_text (self->asker_label, line);
}

static void
on_title_changed (BeckonWaitingEntry *self)
{
  const char *title = self->conversation != NULL ? beckon_conversation_get_title (self->conversation) : NULL;
  g_autofree char *safe =
      beckon_text_for_display (title != NULL && *title != '\0' ? title : _("New conversation"), -1, BECKON_TEXT_PROSE);
  /* Translators: a button that opens the conversation called so */
  g_autofree char *spoken = beckon_text_printf (_("Open %s"), safe);

  gtk_label_set_text (self->title_label, safe);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->title_button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, safe, -1);
}

static void
on_title_clicked (BeckonWaitingEntry *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-card", "(ss)",
                              beckon_request_get_conversation_id (self->request),
                              beckon_request_get_id (self->request));
}

/* A card's Stop means the run that asked, wherever the card is shown. */
static void
stop_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWaitingEntry *self = BECKON_WAITING_ENTRY (widget);

  if (self->conversation != NULL)
    beckon_agent_stop (beckon_runtime_get_agent (self->runtime), self->conversation);
}

static void
beckon_waiting_entry_dispose (GObject *object)
{
  BeckonWaitingEntry *self = BECKON_WAITING_ENTRY (object);

  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_clear_object (&self->conversation);
  g_clear_object (&self->request);
  g_clear_object (&self->runtime);
  G_OBJECT_CLASS (beckon_waiting_entry_parent_class)->dispose (object);
}

static void
beckon_waiting_entry_class_init (BeckonWaitingEntryClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  G_OBJECT_CLASS (klass)->dispose = beckon_waiting_entry_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/waiting-entry.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonWaitingEntry, title_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonWaitingEntry, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonWaitingEntry, asker_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonWaitingEntry, card);
  gtk_widget_class_bind_template_callback (widget_class, on_title_clicked);
  gtk_widget_class_install_action (widget_class, "conversation.stop", NULL, stop_action);
}

static void
beckon_waiting_entry_init (BeckonWaitingEntry *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * BeckonWaitingEntry:
 *
 * A pending request outside its conversation: whose it is, who asks and since when, and its card. The title activates
 * `win.show-origin`.
 */
static GtkWidget *
waiting_entry_new (BeckonRuntime *runtime, BeckonRequest *request)
{
  BeckonWaitingEntry *self = g_object_new (BECKON_TYPE_WAITING_ENTRY, NULL);
  BeckonConversation *conversation = beckon_library_lookup (beckon_runtime_get_library (runtime),
                                                            beckon_request_get_conversation_id (request));

  self->runtime = g_object_ref (runtime);
  self->request = g_object_ref (request);
  if (conversation != NULL)
    {
      self->conversation = g_object_ref (conversation);
      g_signal_connect_swapped (conversation, "notify::title", G_CALLBACK (on_title_changed), self);
    }
  on_title_changed (self);
  waiting_entry_update (self, g_get_real_time ());
  adw_bin_set_child (self->card, beckon_request_card_new (beckon_runtime_get_inbox (runtime), request, NULL));
  return GTK_WIDGET (self);
}

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
      if (waiting_entry_get_request (entry) == request)
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
      if (!waiting_page_is_listed (self, waiting_entry_get_request (entry)))
        gtk_box_remove (self->entries, GTK_WIDGET (entry));
    }

  /* Cards that stay are left alone: a person may be writing in one. */
  for (guint i = 0; i < MIN (n, self->most); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (self->inbox, i);
      BeckonWaitingEntry *listed = find_entry (self, request);

      if (listed == NULL)
        {
          listed = BECKON_WAITING_ENTRY (waiting_entry_new (self->runtime, request));
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
    waiting_entry_update (entry, now);
  return G_SOURCE_CONTINUE;
}

void
beckon_waiting_page_focus (BeckonWaitingPage *self)
{
  BeckonWaitingEntry *first = get_first (self);

  if (first != NULL)
    beckon_request_card_focus (waiting_entry_get_card (first));
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
