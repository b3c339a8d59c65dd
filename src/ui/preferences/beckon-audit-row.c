/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-audit-row.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "domain/beckon-request-error.h"
#include "text/beckon-call-labels.h"

#include <glib/gi18n-lib.h>

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
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

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

BeckonLoggedCall *
beckon_audit_row_get_call (BeckonAuditRow *self)
{
  return self->call;
}

void
beckon_audit_row_set_undone (BeckonAuditRow *self)
{
  self->call->can_undo = FALSE;
  self->call->outcome = BECKON_CALL_OUTCOME_UNDONE;
  audit_row_show (self);
}

static void
on_undo_clicked (BeckonAuditRow *self)
{
  g_signal_emit (self, signals[SIGNAL_UNDO], 0);
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
  signals[SIGNAL_UNDO] = g_signal_new ("undo", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
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

GtkWidget *
beckon_audit_row_new (BeckonLoggedCall *call)
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
