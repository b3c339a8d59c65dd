/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-approval-card.h"

#include "base/beckon-text.h"
#include "beckon-call-scope.h"
#include "beckon-card-fold.h"
#include "beckon-card-settler.h"
#include "beckon-form-changes-view.h"
#include "request/beckon-approval-draft.h"
#include "request/beckon-approval-request.h"
#include "ui/forms/beckon-form-group.h"
#include "ui/forms/beckon-json-view.h"
#include "ui/widgets/beckon-short-list.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonApprovalCard
{
  AdwBin parent_instance;

  /* input */
  BeckonRequest *request;     /* (owned) */
  BeckonCardSettler *settler; /* (owned) */

  /* in progress */
  BeckonForm *form; /* (owned) */
  guint n_proposals;
  char *place;      /* (nullable): where the command stands in the arguments */
  char *draft;      /* (nullable): what is shown, as it was last stored or read */
  gboolean is_restoring;
  gboolean composing;

  /* widgets */
  GtkLabel *title_label;
  GtkLabel *source_label;
  GtkToggleButton *fold_button;
  GtkRevealer *revealer;
  GtkLabel *reason_label;
  BeckonCallScope *scope;
  GtkStack *stack;
  GtkLabel *broken_label;
  AdwBin *form_slot;
  AdwBin *json_slot;
  AdwBin *changes_slot;
  GtkWidget *changed_bar;
  GtkLabel *changed_label;
  GtkRevealer *deny_revealer;
  GtkEntry *feedback_entry;
  GtkWidget *remember_bar;
  GtkDropDown *remember_list;
  GtkWidget *run_edited_button;
  GtkWidget *run_button;
  GtkWidget *skip_button;
  GtkToggleButton *deny_button;
  GtkLabel *error_label;
};

G_DEFINE_FINAL_TYPE (BeckonApprovalCard, beckon_approval_card, ADW_TYPE_BIN)

/* --- Answers ------------------------------------------------------------------------------------------------------ */

/* The list has each proposal twice: for this conversation, and for always. The first of the list is neither. */
static GPtrArray *
make_rules (BeckonApprovalCard *self)
{
  const BeckonApprovalReason *ground = beckon_request_get_ground (self->request);
  guint chosen = gtk_drop_down_get_selected (self->remember_list);
  const char *conversation_id;

  if (!gtk_widget_get_visible (self->remember_bar) || chosen == 0 || chosen == GTK_INVALID_LIST_POSITION)
    return NULL;
  conversation_id = chosen % 2 == 1 ? beckon_request_get_conversation_id (self->request) : NULL;
  return beckon_rule_proposal_copy_rules (g_ptr_array_index (ground->proposals, (chosen - 1) / 2), conversation_id,
                                          g_get_real_time ());
}

static void
on_run_clicked (BeckonApprovalCard *self)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  GPtrArray *rules = make_rules (self);

  if (rules != NULL)
    beckon_answer_set_remember (answer, rules);
  beckon_card_settler_settle_answer (self->settler, answer);
}

static void
on_run_edited_clicked (BeckonApprovalCard *self)
{
  if (beckon_form_is_valid (self->form))
    beckon_card_settler_settle (self->settler, BECKON_ANSWER_APPROVED_EDITED, beckon_form_get_text (self->form));
}

static void
on_skip_clicked (BeckonApprovalCard *self)
{
  beckon_card_settler_settle (self->settler, BECKON_ANSWER_SKIP, NULL);
}

static void
on_deny_toggled (BeckonApprovalCard *self)
{
  gboolean denying = gtk_toggle_button_get_active (self->deny_button);

  if (denying)
    gtk_widget_set_visible (GTK_WIDGET (self->deny_revealer), TRUE);
  gtk_revealer_set_reveal_child (self->deny_revealer, denying);
  if (denying && !self->is_restoring)
    gtk_widget_grab_focus (GTK_WIDGET (self->feedback_entry));
}

/* Folded it takes no room between what stands around it. */
static void
on_deny_revealed (BeckonApprovalCard *self)
{
  if (!gtk_revealer_get_child_revealed (self->deny_revealer) && !gtk_revealer_get_reveal_child (self->deny_revealer))
    gtk_widget_set_visible (GTK_WIDGET (self->deny_revealer), FALSE);
}

static void
on_deny_confirmed (BeckonApprovalCard *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->feedback_entry))));

  if (!self->composing)
    beckon_card_settler_settle (self->settler, BECKON_ANSWER_DECLINED, *text != '\0' ? text : NULL);
}

static void
on_preedit_changed (BeckonApprovalCard *self, const char *preedit)
{
  self->composing = preedit != NULL && *preedit != '\0';
}

/* --- Drafts ------------------------------------------------------------------------------------------------------- */

static void
save_draft (BeckonApprovalCard *self)
{
  BeckonApprovalDraft draft = {
    .arguments = beckon_form_is_edited (self->form) ? (char *) beckon_form_get_text (self->form) : NULL,
    .feedback = (char *) gtk_editable_get_text (GTK_EDITABLE (self->feedback_entry)),
    .page = (char *) gtk_stack_get_visible_child_name (self->stack),
  };
  g_autofree char *json = NULL;

  if (self->is_restoring)
    return;
  json = beckon_approval_draft_to_json (&draft);
  if (g_strcmp0 (json, self->draft) == 0)
    return;
  g_free (self->draft);
  self->draft = g_steal_pointer (&json);
  beckon_card_settler_save_draft (self->settler, self->draft);
}

static void
restore_draft (BeckonApprovalCard *self)
{
  g_auto (BeckonApprovalDraft) draft = { 0 };

  beckon_approval_draft_read (&draft, self->draft);
  self->is_restoring = TRUE;
  if (draft.arguments != NULL)
    beckon_form_set_text (self->form, draft.arguments);
  else
    beckon_form_revert (self->form);
  gtk_editable_set_text (GTK_EDITABLE (self->feedback_entry), draft.feedback != NULL ? draft.feedback : "");
  gtk_toggle_button_set_active (self->deny_button, draft.feedback != NULL && *draft.feedback != '\0');
  if (draft.page != NULL && gtk_stack_get_child_by_name (self->stack, draft.page) != NULL)
    gtk_stack_set_visible_child_name (self->stack, draft.page);
  self->is_restoring = FALSE;
}

/* The same request may have a card elsewhere, and what was written there is this card's draft too. */
static void
on_draft_changed (BeckonApprovalCard *self)
{
  const char *draft = beckon_request_get_draft (self->request);

  if (g_strcmp0 (draft, self->draft) == 0)
    return;
  g_free (self->draft);
  self->draft = g_strdup (draft);
  restore_draft (self);
}

static void
on_feedback_changed (BeckonApprovalCard *self)
{
  if (self->form != NULL)
    save_draft (self);
}

/* --- Showing ------------------------------------------------------------------------------------------------------ */

static void
show_differences (BeckonApprovalCard *self)
{
  g_autofree char *words = beckon_form_changes_view_describe (self->form);

  gtk_label_set_text (self->changed_label, words);
  gtk_widget_set_visible (self->changed_bar, beckon_form_is_edited (self->form));
}

static void
show_buttons (BeckonApprovalCard *self)
{
  gboolean is_edited = beckon_form_is_edited (self->form);
  gboolean is_seen = beckon_call_scope_get_seen (self->scope);
  gboolean is_valid = beckon_form_is_valid (self->form);

  /* Rules are about what was proposed. */
  gtk_widget_set_visible (self->remember_bar, !is_edited && self->n_proposals > 0);
  gtk_widget_set_visible (self->run_edited_button, is_edited);
  gtk_widget_set_sensitive (self->run_edited_button, is_valid && is_seen);
  gtk_widget_set_sensitive (self->run_button, is_seen && (is_edited || is_valid));
  gtk_button_set_label (GTK_BUTTON (self->run_button), is_edited ? _("Run as Proposed") : _("Run"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->run_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  is_edited ? _("Run as proposed") : _("Run"), -1);
}

static void
show_command (BeckonApprovalCard *self)
{
  BeckonFormField *field = self->place != NULL ? beckon_form_find (self->form, self->place) : NULL;

  if (self->place != NULL)
    beckon_call_scope_set_command (self->scope, field != NULL && field->text != NULL ? field->text : "");
}

static void
show_fault (BeckonApprovalCard *self)
{
  g_autofree char *fault = beckon_form_dup_fault (self->form, NULL);

  gtk_label_set_text (self->broken_label, fault != NULL ? fault : "");
  gtk_widget_set_visible (GTK_WIDGET (self->broken_label), fault != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->form_slot), fault == NULL);
}

static void
on_form_changed (BeckonApprovalCard *self)
{
  BeckonFormField *root = beckon_form_get_root (self->form);

  beckon_form_group_update (BECKON_FORM_GROUP (adw_bin_get_child (self->form_slot)), root);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "form.undo", beckon_form_can_undo (self->form));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "form.redo", beckon_form_can_redo (self->form));
  show_fault (self);
  show_command (self);
  show_differences (self);
  show_buttons (self);
  save_draft (self);
}

/* The text is made only where it is looked at: highlighting is a library of its own. */
static void
on_page_changed (BeckonApprovalCard *self)
{
  const char *page = gtk_stack_get_visible_child_name (self->stack);

  if (self->form == NULL)
    return;
  beckon_form_break_typing (self->form);
  if (g_strcmp0 (page, "json") == 0 && adw_bin_get_child (self->json_slot) == NULL)
    adw_bin_set_child (self->json_slot, beckon_json_view_new (self->form));
  if (g_strcmp0 (page, "changes") == 0 && adw_bin_get_child (self->changes_slot) == NULL)
    adw_bin_set_child (self->changes_slot, beckon_form_changes_view_new (self->form));
  save_draft (self);
}

static void
on_revert_clicked (BeckonApprovalCard *self)
{
  beckon_form_revert (self->form);
}

static void
undo (GtkWidget *widget, const char *action, GVariant *parameter)
{
  beckon_form_undo (BECKON_APPROVAL_CARD (widget)->form);
}

static void
redo (GtkWidget *widget, const char *action, GVariant *parameter)
{
  beckon_form_redo (BECKON_APPROVAL_CARD (widget)->form);
}

/* --- What holds for all calls, and held in earlier ones ----------------------------------------------------------- */

/* The window knows where that is written down. */
static void
settle_argument (GtkWidget *widget, const char *action, GVariant *parameter)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (widget);
  const BeckonApprovalDetails *details = beckon_request_get_details (self->request);
  const char *server = details != NULL && details->server != NULL ? details->server : "";
  const char *name, *json;

  g_variant_get (parameter, "(&s&s)", &name, &json);
  gtk_widget_activate_action (widget, "win.settle-argument", "(ssss)", beckon_request_get_tool (self->request), server, name,
                              json);
}

static void
on_earlier_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApprovalCard) self = user_data;
  g_autoptr (GHashTable) values = beckon_inbox_list_earlier_finish (BECKON_INBOX (source), result, NULL);
  GtkWidget *group = self->form != NULL ? adw_bin_get_child (self->form_slot) : NULL;

  if (values != NULL && group != NULL)
    beckon_form_group_set_earlier (BECKON_FORM_GROUP (group), values);
}

/* --- Folding and keys --------------------------------------------------------------------------------------------- */

static void
on_fold_toggled (BeckonApprovalCard *self)
{
  beckon_card_fold_update (self->fold_button, self->revealer);
}

static gboolean
run (BeckonApprovalCard *self)
{
  gboolean is_edited = beckon_form_is_edited (self->form);

  if (!gtk_widget_get_sensitive (is_edited ? self->run_edited_button : self->run_button))
    return FALSE;
  if (is_edited)
    on_run_edited_clicked (self);
  else
    on_run_clicked (self);
  return TRUE;
}

/* Entries keep the keys typed into them; these come here when unused. */
static gboolean
on_key_pressed (BeckonApprovalCard *self, guint keyval, guint keycode, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if (modifiers == 0 && keyval == GDK_KEY_Escape)
    return beckon_card_fold_close (self->fold_button);
  if (modifiers == GDK_CONTROL_MASK && (keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter))
    return run (self);
  return FALSE;
}

void
beckon_approval_card_submit (BeckonApprovalCard *self)
{
  g_return_if_fail (BECKON_IS_APPROVAL_CARD (self));

  if (gtk_toggle_button_get_active (self->fold_button))
    run (self);
}

void
beckon_approval_card_deny (BeckonApprovalCard *self)
{
  g_return_if_fail (BECKON_IS_APPROVAL_CARD (self));

  gtk_toggle_button_set_active (self->fold_button, TRUE);
  gtk_toggle_button_set_active (self->deny_button, TRUE);
}

void
beckon_approval_card_focus (BeckonApprovalCard *self)
{
  g_return_if_fail (BECKON_IS_APPROVAL_CARD (self));

  gtk_toggle_button_set_active (self->fold_button, TRUE);
  if (!gtk_widget_child_focus (gtk_stack_get_visible_child (self->stack), GTK_DIR_TAB_FORWARD))
    gtk_widget_grab_focus (GTK_WIDGET (self->deny_button));
}

/* --- The request -------------------------------------------------------------------------------------------------- */

/* Finds the command that the tool said it would run in its arguments. */
static void
find_command (BeckonApprovalCard *self, const char *command)
{
  BeckonFormField *root = beckon_form_get_root (self->form);

  for (guint i = 0; i < root->children->len && self->place == NULL; i++)
    {
      BeckonFormField *field = g_ptr_array_index (root->children, i);

      if (g_strcmp0 (field->text, command) == 0)
        self->place = g_strdup (field->pointer);
    }
  beckon_call_scope_set_command (self->scope, command);
}

static void
show_source (BeckonApprovalCard *self, const BeckonApprovalDetails *details)
{
  g_autofree char *server = NULL;
  g_autofree char *words = NULL;

  if (details == NULL)
    return;
  server = details->server != NULL ? beckon_text_for_display (details->server, -1, BECKON_TEXT_EXACT) : NULL;
  /* Translators: %s is a server that offers tools */
  words = server != NULL ? g_strdup_printf (_("From %s"), server) : g_strdup (_("Built in"));
  gtk_label_set_text (self->source_label, words);
  gtk_widget_set_visible (GTK_WIDGET (self->source_label), TRUE);
}

static void
add_option (GtkStringList *list, const char *words, const char *label)
{
  g_autofree char *shown = beckon_text_for_display (label, -1, BECKON_TEXT_EXACT);
  g_autofree char *option = beckon_text_fill_in (words, shown);

  gtk_string_list_append (list, option);
}

static void
list_proposals (BeckonApprovalCard *self)
{
  const BeckonApprovalReason *ground = beckon_request_get_ground (self->request);
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  self->n_proposals = ground != NULL && ground->proposals != NULL ? ground->proposals->len : 0;
  gtk_string_list_append (list, _("Nothing: ask again next time"));
  for (guint i = 0; i < self->n_proposals; i++)
    {
      const BeckonRuleProposal *proposal = g_ptr_array_index (ground->proposals, i);

      /* Translators: %s is what a person allows, such as "git log with any arguments" */
      add_option (list, _("In this conversation: %s"), proposal->label);
      /* Translators: %s is what a person allows, such as "git log with any arguments" */
      add_option (list, _("Always: %s"), proposal->label);
    }
  gtk_drop_down_set_model (self->remember_list, G_LIST_MODEL (list));
  /* A rule's reach is at its end. */
  beckon_short_list_apply_wrapped (self->remember_list);
}

static void
show_request (BeckonApprovalCard *self)
{
  /* Text to decide on hides nothing. */
  g_autofree char *tool = beckon_text_for_display (beckon_request_get_tool (self->request), -1, BECKON_TEXT_EXACT);
  const BeckonApprovalDetails *details = beckon_request_get_details (self->request);
  const char *reason = beckon_request_get_reason (self->request);
  /* Translators: the title of a card that asks for leave to run a tool, which is named */
  g_autofree char *title = g_strdup_printf (_("May the agent run %s?"), tool);

  gtk_label_set_text (self->title_label, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_label_set_text (self->reason_label, reason != NULL ? reason : "");
  gtk_widget_set_visible (GTK_WIDGET (self->reason_label), reason != NULL);
  gtk_widget_set_visible (self->skip_button, beckon_request_get_step (self->request) != NULL);
  show_source (self, details);
  list_proposals (self);
  beckon_call_scope_set_details (self->scope, details);
  self->form = beckon_form_new (details != NULL ? details->schema : NULL, beckon_request_get_arguments (self->request),
                                details != NULL ? details->parameters : NULL);
  if (details != NULL && details->command != NULL)
    find_command (self, details->command);
  adw_bin_set_child (self->form_slot, beckon_form_group_new (self->form, beckon_form_get_root (self->form)));
  beckon_form_group_set_can_settle (BECKON_FORM_GROUP (adw_bin_get_child (self->form_slot)), details != NULL);
  if (!beckon_form_is_json (self->form))
    gtk_stack_set_visible_child_name (self->stack, "json");
  on_page_changed (self);
}

void
beckon_approval_card_set_clock (BeckonApprovalCard *self, BeckonClock *clock)
{
  g_return_if_fail (BECKON_IS_APPROVAL_CARD (self));

  beckon_card_settler_set_clock (self->settler, clock);
}

static void
beckon_approval_card_dispose (GObject *object)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (object);

  if (self->request != NULL)
    g_signal_handlers_disconnect_by_data (self->request, self);
  if (self->form != NULL)
    g_signal_handlers_disconnect_by_data (self->form, self);
  g_clear_pointer (&self->settler, beckon_card_settler_free);
  g_clear_object (&self->request);
  g_clear_object (&self->form);
  g_clear_pointer (&self->place, g_free);
  g_clear_pointer (&self->draft, g_free);
  G_OBJECT_CLASS (beckon_approval_card_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, source_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, fold_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, reason_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, scope);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, stack);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, broken_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, form_slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, json_slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, changes_slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, changed_bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, changed_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, deny_revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, feedback_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, remember_bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, remember_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, run_edited_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, run_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, skip_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, deny_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, error_label);
}

static void
beckon_approval_card_class_init (BeckonApprovalCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  g_type_ensure (BECKON_TYPE_CALL_SCOPE);
  G_OBJECT_CLASS (klass)->dispose = beckon_approval_card_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/approval-card.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, on_run_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_run_edited_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_skip_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_deny_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_deny_confirmed);
  gtk_widget_class_bind_template_callback (widget_class, on_feedback_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_fold_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_page_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_revert_clicked);
  gtk_widget_class_install_action (widget_class, "card.settle", "(ss)", settle_argument);
  gtk_widget_class_install_action (widget_class, "form.undo", NULL, undo);
  gtk_widget_class_install_action (widget_class, "form.redo", NULL, redo);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_z, GDK_CONTROL_MASK, "form.undo", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "form.redo", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_y, GDK_CONTROL_MASK, "form.redo", NULL);
}

static void
beckon_approval_card_init (BeckonApprovalCard *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->settler = beckon_card_settler_new (GTK_WIDGET (self), self->error_label);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "form.undo", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "form.redo", FALSE);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->fold_button), GTK_ACCESSIBLE_STATE_EXPANDED, TRUE, -1);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_key_pressed), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect_object (self->deny_revealer, "notify::child-revealed", G_CALLBACK (on_deny_revealed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (self->feedback_entry)), "preedit-changed",
                           G_CALLBACK (on_preedit_changed), self, G_CONNECT_SWAPPED);
}

GtkWidget *
beckon_approval_card_new (BeckonInbox *inbox, BeckonRequest *request)
{
  BeckonApprovalCard *self = g_object_new (BECKON_TYPE_APPROVAL_CARD, NULL);

  self->request = g_object_ref (request);
  show_request (self);
  self->draft = g_strdup (beckon_request_get_draft (request));
  restore_draft (self);
  beckon_card_settler_set_request (self->settler, inbox, request);
  g_signal_connect_swapped (self->form, "changed", G_CALLBACK (on_form_changed), self);
  g_signal_connect_object (self->scope, "seen-changed", G_CALLBACK (show_buttons), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (request, "notify::draft", G_CALLBACK (on_draft_changed), self);
  on_form_changed (self);
  beckon_inbox_list_earlier_async (inbox, beckon_request_get_tool (request), NULL, on_earlier_listed, g_object_ref (self));
  return GTK_WIDGET (self);
}
