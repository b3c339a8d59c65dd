/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-audit-log.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "domain/beckon-request-error.h"
#include "store/transfer/beckon-call-export.h"
#include "text/beckon-call-labels.h"
#include "tools/beckon-undo.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-flow-layout.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonAuditRow
{
  AdwActionRow parent_instance;

  BeckonLoggedCall *call; /* (owned) */
  GtkWidget *undo_button;
};

G_DEFINE_FINAL_TYPE (BeckonAuditRow, beckon_audit_row, ADW_TYPE_ACTION_ROW)

enum
{
  SIGNAL_UNDO,
  N_ROW_SIGNALS,
};

static guint row_signals[N_ROW_SIGNALS];

static char *
describe_person (const BeckonLoggedCall *call)
{
  const char *where = beckon_request_front_end_to_words (call->front_end);

  if (g_strcmp0 (call->answer, "declined") == 0)
    /* Translators: %s is where, such as "in the window" */
    return beckon_text_printf (_("Denied by you %s"), where);
  if (g_strcmp0 (call->answer, "delegated") == 0)
    return beckon_text_printf (_("Left to the agent by you %s"), where);
  if (g_strcmp0 (call->answer, "answered") == 0)
    return beckon_text_printf (_("Decided by you %s"), where);
  return beckon_text_printf (_("Ended by you %s"), where);
}

/* (nullable) */
static char *
describe_decider (const BeckonLoggedCall *call)
{
  switch (call->decider)
    {
    case BECKON_CALL_DECIDER_PERSON:
      return describe_person (call);
    case BECKON_CALL_DECIDER_RULE:
      return g_strdup (_("Decided by a rule"));
    case BECKON_CALL_DECIDER_MODE:
      return g_strdup (_("Ran without asking"));
    case BECKON_CALL_DECIDER_NONE:
    default:
      return NULL;
    }
}

static char *
describe_outcome (const BeckonLoggedCall *call)
{
  switch (call->outcome)
    {
    case BECKON_CALL_OUTCOME_DONE:
      return call->exit_status >= 0 ? g_strdup_printf (_("done, exit status %d"), call->exit_status) : g_strdup (_("done"));
    case BECKON_CALL_OUTCOME_FAILED:
      return call->exit_status >= 0 ? g_strdup_printf (_("failed, exit status %d"), call->exit_status) : g_strdup (_("failed"));
    case BECKON_CALL_OUTCOME_NOT_RUN:
      return g_strdup (_("did not run"));
    case BECKON_CALL_OUTCOME_UNKNOWN:
      return g_strdup (_("outcome unknown"));
    case BECKON_CALL_OUTCOME_UNDONE:
      return g_strdup (_("undone"));
    case BECKON_CALL_OUTCOME_OPEN:
    default:
      return g_strdup (_("not finished"));
    }
}

static void
audit_row_show (BeckonAuditRow *self)
{
  g_autofree char *title = beckon_call_labels_describe (self->call->tool, NULL, self->call->arguments, BECKON_CALL_PHASE_STEP);
  g_autofree char *decider = describe_decider (self->call);
  g_autofree char *outcome = describe_outcome (self->call);
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (self->call->at / G_USEC_PER_SEC);
  g_autofree char *at = time != NULL ? g_date_time_format (time, "%x %X") : g_strdup ("?");
  g_autofree char *conversation = beckon_text_for_display (self->call->title, -1, BECKON_TEXT_EXACT);
  g_autofree char *place
      = conversation != NULL && *conversation != '\0' ? g_strdup_printf ("%s · %s", at, conversation) : g_steal_pointer (&at);
  g_autofree char *subtitle = decider != NULL ? g_strdup_printf ("%s · %s\n%s", decider, outcome, place)
                                              : g_strdup_printf ("%s\n%s", outcome, place);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), subtitle);
  gtk_widget_set_visible (self->undo_button, self->call->can_undo);
}

/* Borrowed. */
static BeckonLoggedCall *
audit_row_get_call (BeckonAuditRow *self)
{
  return self->call;
}

/* Says that the changes of the call were undone. */
static void
audit_row_set_undone (BeckonAuditRow *self)
{
  self->call->can_undo = FALSE;
  self->call->outcome = BECKON_CALL_OUTCOME_UNDONE;
  audit_row_show (self);
}

static void
on_undo_clicked (BeckonAuditRow *self)
{
  g_signal_emit (self, row_signals[SIGNAL_UNDO], 0);
}

static void
beckon_audit_row_finalize (GObject *object)
{
  g_clear_pointer (&BECKON_AUDIT_ROW (object)->call, beckon_logged_call_unref);
  G_OBJECT_CLASS (beckon_audit_row_parent_class)->finalize (object);
}

static void
beckon_audit_row_class_init (BeckonAuditRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_audit_row_finalize;
  row_signals[SIGNAL_UNDO] = g_signal_new ("undo", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/audit-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonAuditRow, undo_button);
  gtk_widget_class_bind_template_callback (widget_class, on_undo_clicked);
}

static void
beckon_audit_row_init (BeckonAuditRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * BeckonAuditRow:
 *
 * A call of the audit log. Activating it asks for its place; the signal `undo` is for its changes.
 */
static GtkWidget *
audit_row_new (BeckonLoggedCall *call)
{
  BeckonAuditRow *self = g_object_new (BECKON_TYPE_AUDIT_ROW, NULL);
  g_autofree char *name = NULL;

  self->call = beckon_logged_call_ref (call);
  audit_row_show (self);
  /* Translators: %s is a tool call, such as "write_file · notes.txt" */
  name = beckon_text_fill_in (_("Undo %s"), adw_preferences_row_get_title (ADW_PREFERENCES_ROW (self)));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->undo_button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return GTK_WIDGET (self);
}

#define PAGE 50
/* Conversations to choose from; what is older is found by time. */
#define MOST_CONVERSATIONS 100

struct _BeckonAuditLog
{
  BeckonSheet parent_instance;

  BeckonRuntime *runtime;   /* (owned) */
  GCancellable *reading;    /* (owned): of what is shown now */
  GPtrArray *conversations; /* (owned) (element-type utf8): ids, in the order of the drop-down after its first */
  char *before_id;          /* (owned) (nullable): what is read next is earlier than this */
  gboolean is_reading;      /* the button keeps its focus while it does nothing */
  GCancellable *exporting;  /* (owned) (nullable): while a file is written */

  GtkButton *export_button;
  GtkDropDown *tool_drop;
  GtkDropDown *outcome_drop;
  GtkDropDown *decider_drop;
  GtkDropDown *conversation_drop;
  GtkDropDown *time_drop;
  GtkListBox *calls_list;
  GtkWidget *more_button;
  GtkLabel *status_label;
};

G_DEFINE_FINAL_TYPE (BeckonAuditLog, beckon_audit_log, BECKON_TYPE_SHEET)

enum
{
  SIGNAL_PLACE_WANTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* In the order of the drop-downs. */
static const guint outcomes[] = {
  0,
  1u << BECKON_CALL_OUTCOME_DONE,
  1u << BECKON_CALL_OUTCOME_FAILED,
  1u << BECKON_CALL_OUTCOME_NOT_RUN,
  1u << BECKON_CALL_OUTCOME_UNDONE,
  1u << BECKON_CALL_OUTCOME_UNKNOWN,
  1u << BECKON_CALL_OUTCOME_OPEN,
};
static const BeckonCallDecider deciders[] = { BECKON_CALL_DECIDER_NONE, BECKON_CALL_DECIDER_PERSON, BECKON_CALL_DECIDER_RULE,
                                              BECKON_CALL_DECIDER_MODE };
static const int days[] = { 0, 1, 7, 30 };

/* @filter: its texts are borrowed. */
static void
make_filter (BeckonAuditLog *self, BeckonCallLogFilter *filter)
{
  /* The first of each list stands for all. */
  GPtrArray *tools = beckon_tool_registry_list_all (beckon_runtime_get_tools (self->runtime));
  guint tool = gtk_drop_down_get_selected (self->tool_drop);
  guint conversation = gtk_drop_down_get_selected (self->conversation_drop);
  guint outcome = gtk_drop_down_get_selected (self->outcome_drop);
  guint decider = gtk_drop_down_get_selected (self->decider_drop);
  guint time = gtk_drop_down_get_selected (self->time_drop);

  *filter = (BeckonCallLogFilter){ .tool = NULL };
  if (tool > 0 && tool <= tools->len)
    filter->tool = beckon_tool_get_name (g_ptr_array_index (tools, tool - 1));
  if (conversation > 0 && conversation <= self->conversations->len)
    filter->conversation_id = g_ptr_array_index (self->conversations, conversation - 1);
  if (outcome < G_N_ELEMENTS (outcomes))
    filter->outcomes = outcomes[outcome];
  if (decider < G_N_ELEMENTS (deciders))
    filter->decider = deciders[decider];
  if (time < G_N_ELEMENTS (days) && days[time] > 0)
    filter->since = g_get_real_time () - days[time] * G_TIME_SPAN_DAY;
}

static void
audit_log_say (BeckonAuditLog *self, const char *text)
{
  /* The window was closed meanwhile. */
  if (self->status_label == NULL)
    return;
  beckon_label_say (self->status_label, text);
}

/* --- Undoing a call ----------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonAuditLog *log;              /* (owned) */
  BeckonAuditRow *row;              /* (owned) */
  BeckonConversation *conversation; /* (owned) */
} Undoing;

static void
undoing_free (Undoing *undoing)
{
  g_object_unref (undoing->log);
  g_object_unref (undoing->row);
  g_object_unref (undoing->conversation);
  g_free (undoing);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Undoing, undoing_free)

static void
audit_log_on_undone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Undoing) undoing = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_undo_finish (BECKON_FILE_COPIES (source), result, &error)
      && undoing->log->runtime != NULL)
    audit_row_set_undone (undoing->row);
  audit_log_say (undoing->log, error != NULL ? error->message : _("The change was undone"));
}

static void
audit_log_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Undoing) undoing = user_data;
  g_autoptr (GError) error = NULL;
  BeckonToolCall *call = NULL;

  if (!beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    {
      audit_log_say (undoing->log, error->message);
      return;
    }
  if (undoing->log->runtime == NULL)
    return;
  call = beckon_conversation_find_call (undoing->conversation, audit_row_get_call (undoing->row)->id);
  if (call == NULL)
    {
      audit_log_say (undoing->log, _("This call no longer exists"));
      return;
    }
  beckon_undo_async (BECKON_FILE_COPIES (beckon_runtime_get_store (undoing->log->runtime)),
                     beckon_conversation_get_id (undoing->conversation), call, "window", NULL, audit_log_on_undone, undoing);
  undoing = NULL;
}

static void
audit_log_on_undo (BeckonAuditLog *self, BeckonAuditRow *row)
{
  BeckonLibrary *library = beckon_runtime_get_library (self->runtime);
  BeckonConversation *conversation = beckon_library_lookup (library, audit_row_get_call (row)->conversation_id);
  Undoing *undoing;

  if (conversation == NULL)
    {
      audit_log_say (self, _("This conversation no longer exists"));
      return;
    }
  undoing = g_new0 (Undoing, 1);
  undoing->log = g_object_ref (self);
  undoing->row = g_object_ref (row);
  undoing->conversation = g_object_ref (conversation);
  beckon_library_open_async (library, conversation, NULL, audit_log_on_opened, undoing);
}

static void
audit_log_on_row_activated (BeckonAuditLog *self, BeckonAuditRow *row)
{
  const BeckonLoggedCall *call = audit_row_get_call (row);

  g_signal_emit (self, signals[SIGNAL_PLACE_WANTED], 0, call->conversation_id, call->message_id);
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

static void
audit_log_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAuditLog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) calls = beckon_store_list_calls_finish (BECKON_STORE (source), result, &error);

  /* Work that was done before it was cancelled still comes, for filters that were chosen before. */
  if (g_task_get_cancellable (G_TASK (result)) != self->reading)
    return;
  self->is_reading = FALSE;
  for (guint i = 0; calls != NULL && i < calls->len; i++)
    {
      BeckonLoggedCall *call = g_ptr_array_index (calls, i);
      GtkWidget *row = audit_row_new (call);

      g_signal_connect_object (row, "undo", G_CALLBACK (audit_log_on_undo), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "activated", G_CALLBACK (audit_log_on_row_activated), self, G_CONNECT_SWAPPED);
      gtk_list_box_append (self->calls_list, row);
      g_free (self->before_id);
      self->before_id = g_strdup (call->id);
    }
  gtk_widget_set_visible (self->more_button, calls != NULL && calls->len == PAGE);
  gtk_widget_set_visible (GTK_WIDGET (self->calls_list), self->before_id != NULL);
  if (error != NULL)
    audit_log_say (self, error->message);
  else
    audit_log_say (self, self->before_id == NULL ? _("No matching calls") : NULL);
}

static void
audit_log_read_page (BeckonAuditLog *self)
{
  BeckonCallLogFilter filter;

  if (self->is_reading)
    return;
  self->is_reading = TRUE;
  make_filter (self, &filter);
  filter.before_id = self->before_id;
  filter.max = PAGE;
  beckon_store_list_calls_async (beckon_runtime_get_store (self->runtime), &filter, self->reading, audit_log_on_listed,
                                 g_object_ref (self));
}

static void
on_filter_changed (BeckonAuditLog *self)
{
  GtkWidget *child;

  if (self->runtime == NULL)
    return;
  g_cancellable_cancel (self->reading);
  g_set_object (&self->reading, NULL);
  self->reading = g_cancellable_new ();
  self->is_reading = FALSE;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->calls_list))) != NULL)
    gtk_list_box_remove (self->calls_list, child);
  g_clear_pointer (&self->before_id, g_free);
  audit_log_read_page (self);
}

/* --- Writing it to a file ----------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonAuditLog *window; /* (owned) */
  GFile *file;            /* (owned) */
} Export;

static void
audit_log_export_free (Export *export)
{
  g_object_unref (export->window);
  g_object_unref (export->file);
  g_free (export);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Export, audit_log_export_free)

/* The button stops an export that goes on. @exporting: (transfer full) (nullable) */
static void
take_exporting (BeckonAuditLog *self, GCancellable *exporting)
{
  g_clear_object (&self->exporting);
  self->exporting = exporting;
  if (self->export_button != NULL)
    gtk_button_set_label (self->export_button, exporting != NULL ? _("Stop Export") : _("Export…"));
}

static void
audit_log_on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Export) export = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *done = NULL;
  guint n;

  if (beckon_call_export_finish (BECKON_STORE (source), result, &n, &error))
    {
      g_autofree char *name = g_file_get_basename (export->file);
      g_autofree char *shown = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);

      /* Translators: %s is the name of a file */
      done = beckon_text_printf (g_dngettext (GETTEXT_PACKAGE, "%u call written to %s", "%u calls written to %s", n), n,
                                 shown);
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    done = g_strdup (_("The export was stopped. Nothing was written."));
  audit_log_say (export->window, done != NULL ? done : error->message);
  take_exporting (export->window, NULL);
}

static void
on_progress (guint n_calls, gpointer user_data)
{
  g_autofree char *text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Exporting… %u call", "Exporting… %u calls", n_calls),
                                           n_calls);

  audit_log_say (user_data, text);
}

static void
audit_log_on_chosen (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (BeckonAuditLog) self = user_data;
  g_autoptr (GtkNativeDialog) owned = dialog;
  g_autoptr (GFile) file = NULL;

  g_signal_handlers_disconnect_by_data (owned, self);
  if (response == GTK_RESPONSE_ACCEPT && self->runtime != NULL && self->exporting == NULL)
    {
      Export *export = g_new0 (Export, 1);
      BeckonCallLogFilter filter;
      g_autofree char *name = NULL;

      file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      export->window = g_object_ref (self);
      export->file = g_object_ref (file);
      make_filter (self, &filter);
      take_exporting (self, g_cancellable_new ());
      name = g_file_get_basename (file);
      beckon_call_export_async (beckon_runtime_get_store (self->runtime), &filter, file, g_str_has_suffix (name, ".csv"),
                                on_progress, self, self->exporting, audit_log_on_exported, export);
    }
  gtk_native_dialog_destroy (dialog);
}

static void
on_export_clicked (BeckonAuditLog *self)
{
  GtkFileChooserNative *chooser;

  if (self->exporting != NULL)
    {
      g_cancellable_cancel (self->exporting);
      return;
    }
  chooser = gtk_file_chooser_native_new (_("Export Log"), beckon_sheet_get_window (BECKON_SHEET (self)),
                                         GTK_FILE_CHOOSER_ACTION_SAVE, _("_Export"), _("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), "beckon-log.jsonl");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (audit_log_on_chosen), g_object_ref (self));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
beckon_audit_log_dispose (GObject *object)
{
  BeckonAuditLog *self = BECKON_AUDIT_LOG (object);

  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  g_cancellable_cancel (self->exporting);
  g_clear_object (&self->exporting);
  g_clear_object (&self->runtime);
  g_clear_pointer (&self->conversations, g_ptr_array_unref);
  g_clear_pointer (&self->before_id, g_free);
  G_OBJECT_CLASS (beckon_audit_log_parent_class)->dispose (object);
}

static void
beckon_audit_log_class_init (BeckonAuditLogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_audit_log_dispose;
  g_type_ensure (BECKON_TYPE_WHOLE_LAYOUT);
  signals[SIGNAL_PLACE_WANTED] = g_signal_new ("place-wanted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                               NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/audit-log.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonAuditLog, export_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonAuditLog, tool_drop);
  gtk_widget_class_bind_template_child (widget_class, BeckonAuditLog, outcome_drop);
  gtk_widget_class_bind_template_child (widget_class, BeckonAuditLog, decider_drop);
  gtk_widget_class_bind_template_child (widget_class, BeckonAuditLog, conversation_drop);
  gtk_widget_class_bind_template_child (widget_class, BeckonAuditLog, time_drop);
  gtk_widget_class_bind_template_child (widget_class, BeckonAuditLog, calls_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonAuditLog, more_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonAuditLog, status_label);
  gtk_widget_class_bind_template_callback (widget_class, on_filter_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_export_clicked);
  gtk_widget_class_bind_template_callback (widget_class, audit_log_read_page);
}

static void
beckon_audit_log_init (BeckonAuditLog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_short_list_apply (self->tool_drop);
  beckon_short_list_apply (self->outcome_drop);
  beckon_short_list_apply (self->decider_drop);
  beckon_short_list_apply (self->conversation_drop);
  beckon_short_list_apply (self->time_drop);
  self->reading = g_cancellable_new ();
  self->conversations = g_ptr_array_new_with_free_func (g_free);
}

static void
set_choices (GtkDropDown *drop, GStrvBuilder *builder)
{
  g_auto (GStrv) choices = g_strv_builder_end (builder);
  g_autoptr (GtkStringList) model = gtk_string_list_new ((const char *const *) choices);

  gtk_drop_down_set_model (drop, G_LIST_MODEL (model));
}

GtkWidget *
beckon_audit_log_new (BeckonRuntime *runtime)
{
  BeckonAuditLog *self = g_object_new (BECKON_TYPE_AUDIT_LOG, NULL);
  GPtrArray *tools;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) titles = g_strv_builder_new ();
  GListModel *library;
  guint n;

  self->runtime = g_object_ref (runtime);
  /* Choosing the first of each reads nothing yet: the filter did not change. */
  g_signal_handlers_block_by_func (self->tool_drop, on_filter_changed, self);
  g_signal_handlers_block_by_func (self->conversation_drop, on_filter_changed, self);

  tools = beckon_tool_registry_list_all (beckon_runtime_get_tools (self->runtime));
  g_strv_builder_add (builder, _("All Tools"));
  for (guint i = 0; i < tools->len; i++)
    g_strv_builder_add (builder, beckon_tool_get_name (g_ptr_array_index (tools, i)));
  set_choices (self->tool_drop, builder);

  library = G_LIST_MODEL (beckon_runtime_get_library (self->runtime));
  n = MIN (g_list_model_get_n_items (library), MOST_CONVERSATIONS);
  g_strv_builder_add (titles, _("All Conversations"));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (library, i);
      g_autofree char *title = beckon_text_for_display (beckon_conversation_get_title (conversation), -1, BECKON_TEXT_EXACT);

      g_strv_builder_add (titles, title);
      g_ptr_array_add (self->conversations, g_strdup (beckon_conversation_get_id (conversation)));
    }
  set_choices (self->conversation_drop, titles);
  g_signal_handlers_unblock_by_func (self->tool_drop, on_filter_changed, self);
  g_signal_handlers_unblock_by_func (self->conversation_drop, on_filter_changed, self);
  audit_log_read_page (self);
  return GTK_WIDGET (self);
}
