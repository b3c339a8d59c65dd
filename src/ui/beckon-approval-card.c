/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-approval-card.h"

#include "base/beckon-text.h"
#include "beckon-code-block.h"
#include "beckon-guard.h"

#include <glib/gi18n-lib.h>

struct _BeckonApprovalCard
{
  AdwBin parent_instance;

  BeckonInbox *inbox;     /* (owned) */
  BeckonRequest *request; /* (owned) */
  BeckonGuard *guard;     /* (owned) */
  gboolean settling;
  gboolean composing;

  GtkLabel *title_label;
  GtkLabel *reason_label;
  BeckonCodeBlock *arguments_block;
  GtkRevealer *deny_revealer;
  GtkEntry *feedback_entry;
  GtkWidget *run_button;
  GtkToggleButton *deny_button;
  GtkLabel *error_label;
};

G_DEFINE_FINAL_TYPE (BeckonApprovalCard, beckon_approval_card, ADW_TYPE_BIN)

static void
on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApprovalCard) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error))
    return;

  self->settling = FALSE;
  gtk_widget_set_sensitive (GTK_WIDGET (self), TRUE);
  gtk_label_set_text (self->error_label, error->message);
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), TRUE);
}

static void
settle (BeckonApprovalCard *self, BeckonAnswerKind kind, const char *text)
{
  g_autoptr (BeckonAnswer) answer = NULL;

  if (self->settling || !beckon_guard_is_open (self->guard))
    return;

  answer = beckon_answer_new (kind, text);
  self->settling = TRUE;
  gtk_widget_set_sensitive (GTK_WIDGET (self), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), FALSE);
  beckon_inbox_settle_async (self->inbox, beckon_request_get_id (self->request), answer, "window", NULL, NULL, on_settled,
                             g_object_ref (self));
}

static void
on_run_clicked (BeckonApprovalCard *self)
{
  settle (self, BECKON_ANSWER_APPROVED, NULL);
}

static void
on_deny_toggled (BeckonApprovalCard *self)
{
  gboolean denying = gtk_toggle_button_get_active (self->deny_button);

  gtk_revealer_set_reveal_child (self->deny_revealer, denying);
  if (denying)
    gtk_widget_grab_focus (GTK_WIDGET (self->feedback_entry));
}

static void
on_deny_confirmed (BeckonApprovalCard *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->feedback_entry))));

  if (!self->composing)
    settle (self, BECKON_ANSWER_DECLINED, *text != '\0' ? text : NULL);
}

static void
on_feedback_changed (BeckonApprovalCard *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->feedback_entry));

  if (self->request != NULL && beckon_request_get_state (self->request) == BECKON_REQUEST_PENDING)
    beckon_inbox_save_draft (self->inbox, self->request, *text != '\0' ? text : NULL);
}

static void
on_preedit_changed (BeckonApprovalCard *self, const char *preedit)
{
  self->composing = preedit != NULL && *preedit != '\0';
}

static void
show_request (BeckonApprovalCard *self)
{
  /* What is decided on hides nothing. */
  g_autofree char *tool = beckon_text_for_display (beckon_request_get_tool (self->request), -1, BECKON_TEXT_EXACT);
  g_autofree char *arguments = beckon_text_json_for_display (beckon_request_get_arguments (self->request));
  const char *reason = beckon_request_get_reason (self->request);
  const char *draft = beckon_request_get_draft (self->request);
  /* Translators: the title of a card that asks for leave to run a tool, which is named */
  g_autofree char *title = g_strdup_printf (_("May the agent run %s?"), tool);

  gtk_label_set_text (self->title_label, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_label_set_text (self->reason_label, reason != NULL ? reason : "");
  gtk_widget_set_visible (GTK_WIDGET (self->reason_label), reason != NULL);
  beckon_code_block_set_text (self->arguments_block, arguments);
  if (draft != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->feedback_entry), draft);
}

void
beckon_approval_card_set_clock (BeckonApprovalCard *self, BeckonClock *clock)
{
  g_return_if_fail (BECKON_IS_APPROVAL_CARD (self));

  beckon_guard_set_clock (self->guard, clock);
}

static void
beckon_approval_card_dispose (GObject *object)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (object);

  g_clear_pointer (&self->guard, beckon_guard_free);
  g_clear_object (&self->request);
  g_clear_object (&self->inbox);
  G_OBJECT_CLASS (beckon_approval_card_parent_class)->dispose (object);
}

static void
beckon_approval_card_class_init (BeckonApprovalCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_CODE_BLOCK);
  G_OBJECT_CLASS (klass)->dispose = beckon_approval_card_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/approval-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, reason_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, arguments_block);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, deny_revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, feedback_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, run_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, deny_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, error_label);
  gtk_widget_class_bind_template_callback (widget_class, on_run_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_deny_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_deny_confirmed);
  gtk_widget_class_bind_template_callback (widget_class, on_feedback_changed);
}

static void
beckon_approval_card_init (BeckonApprovalCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->guard = beckon_guard_new (GTK_WIDGET (self));
  beckon_code_block_set_wrap (self->arguments_block, TRUE);
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (self->feedback_entry)), "preedit-changed",
                           G_CALLBACK (on_preedit_changed), self, G_CONNECT_SWAPPED);
}

GtkWidget *
beckon_approval_card_new (BeckonInbox *inbox, BeckonRequest *request)
{
  BeckonApprovalCard *self = g_object_new (BECKON_TYPE_APPROVAL_CARD, NULL);

  self->inbox = g_object_ref (inbox);
  self->request = g_object_ref (request);
  show_request (self);
  return GTK_WIDGET (self);
}
