/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-approval-card.h"

#include "base/beckon-text.h"
#include "beckon-call-scope.h"
#include "beckon-form-changes-view.h"
#include "beckon-preview-view.h"
#include "beckon-rule-choices.h"
#include "request/beckon-approval-request.h"
#include "text/beckon-call-labels.h"
#include "ui/forms/beckon-form-group.h"
#include "ui/forms/beckon-json-view.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-end-watch.h"
#include "ui/widgets/beckon-flow-layout.h"
#include "ui/widgets/beckon-key-label.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>
#include <gtk/gtk.h>
#include <string.h>

#define FAINT_ALPHA 0xa000
#define SMALL 0.82

static void
approval_card_insert (PangoAttrList *attributes, PangoAttribute *attribute, gsize start)
{
  attribute->start_index = (guint) start;
  pango_attr_list_insert (attributes, attribute);
}

/* Between two looks at the file while the card is seen, and how long typing has to rest before the difference is made anew. */
#define CHECK_MS 3000
#define REST_MS 250

struct _BeckonApprovalCard
{
  BeckonRequestCard parent_instance;

  /* input */
  BeckonRequest *request;     /* of the card */
  BeckonCardSettler *settler; /* of the card */
  BeckonClock *clock;         /* (unowned) */

  /* in progress */
  BeckonForm *form; /* of the card, until it goes */
  char *place;      /* (nullable): which argument stands in the block */
  BeckonEndWatch *arguments_watch; /* (owned) */

  /* what it would change */
  BeckonCallPreview *preview; /* (owned) (nullable) */
  char *previewed;            /* (nullable): the arguments that @preview is of, or is being made of */
  char *chosen;               /* (nullable): the arguments that the checked hunks of @preview make */
  GCancellable *previewing;   /* (owned) (nullable) */
  gboolean is_checking;
  guint rest_id;
  guint check_id;

  /* widgets */
  GtkImage *icon;
  GtkLabel *title_label;
  GtkLabel *source_label;
  BeckonCallScope *scope;
  BeckonPreviewView *preview_view;
  GtkLabel *arguments_label;
  GtkLabel *reason_label;
  GtkWidget *edit_box;
  GtkStack *stack;
  GtkLabel *broken_label;
  AdwBin *form_slot;
  AdwBin *json_slot;
  AdwBin *changes_slot;
  GtkWidget *changed_bar;
  GtkLabel *changed_label;
  GtkWidget *always_box;
  BeckonRuleChoices *always_list;
  GtkWidget *end_label;
  GtkWidget *actions;
  GtkWidget *run_button;
  BeckonKeyLabel *run_label;
  GtkToggleButton *always_button;
  GtkToggleButton *edit_button;
  GtkWidget *skip_button;
  GtkWidget *deny_button;
  GtkWidget *denial_box;
  GtkEntry *feedback_entry;
};

G_DEFINE_FINAL_TYPE (BeckonApprovalCard, beckon_approval_card, BECKON_TYPE_REQUEST_CARD)

/* --- Answers ------------------------------------------------------------------------------------------------------ */

/* A press before a frame was drawn can't be about what it shows. */
static gboolean
approval_card_is_ready (BeckonRequestCard *card)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (card);

  return beckon_card_settler_is_ready (self->settler) && beckon_call_scope_is_laid_out (self->scope)
         && beckon_preview_view_is_laid_out (self->preview_view)
         && (!gtk_widget_get_visible (GTK_WIDGET (self->arguments_label))
             || beckon_end_watch_is_laid_out (self->arguments_watch));
}

/* A call is approved once the end of it was on screen: the first press shows it, and the next one is about it. */
static gboolean
show_unseen (BeckonApprovalCard *self)
{
  gboolean is_seen = TRUE;

  if (!beckon_call_scope_get_seen (self->scope))
    {
      beckon_call_scope_show_end (self->scope, self->actions);
      is_seen = FALSE;
    }
  if (!beckon_preview_view_get_seen (self->preview_view))
    {
      beckon_preview_view_show_end (self->preview_view, self->actions);
      is_seen = FALSE;
    }
  if (gtk_widget_get_visible (GTK_WIDGET (self->arguments_label)) && !beckon_end_watch_get_seen (self->arguments_watch))
    {
      beckon_end_watch_show_end (self->arguments_watch, self->actions);
      is_seen = FALSE;
    }
  gtk_widget_set_visible (self->end_label, !is_seen && !beckon_call_scope_get_is_cut (self->scope)
                          && beckon_preview_view_is_whole (self->preview_view));
  if (!is_seen)
    beckon_card_settler_renew (self->settler);
  return !is_seen;
}

/* @rules: (nullable): what is to be remembered. */
static void
run_with (BeckonApprovalCard *self, GPtrArray *rules)
{
  gboolean is_edited = beckon_form_is_edited (self->form);
  g_autoptr (BeckonAnswer) answer = NULL;

  if (!approval_card_is_ready (BECKON_REQUEST_CARD (self)) || show_unseen (self))
    return;
  answer = beckon_answer_new (is_edited ? BECKON_ANSWER_APPROVED_EDITED : BECKON_ANSWER_APPROVED,
                              is_edited ? beckon_form_get_text (self->form) : NULL);
  if (rules != NULL)
    beckon_answer_set_remember (answer, g_ptr_array_ref (rules));
  /* Runs with what was shown, or not at all. */
  if (self->preview != NULL)
    beckon_answer_set_files (answer, self->preview->files);
  beckon_card_settler_settle_answer (self->settler, answer);
}

static void
on_run_clicked (BeckonApprovalCard *self)
{
  run_with (self, NULL);
}

/* The entry takes the place of the buttons. */
static void
open_denial (BeckonApprovalCard *self)
{
  gtk_widget_set_visible (self->actions, FALSE);
  gtk_widget_set_visible (self->denial_box, TRUE);
  if (!beckon_request_card_is_restoring (BECKON_REQUEST_CARD (self)))
    gtk_widget_grab_focus (GTK_WIDGET (self->feedback_entry));
}

static void
close_denial (BeckonApprovalCard *self)
{
  gtk_widget_set_visible (self->actions, TRUE);
  if (!beckon_request_card_is_restoring (BECKON_REQUEST_CARD (self)))
    gtk_widget_grab_focus (self->deny_button);
  gtk_widget_set_visible (self->denial_box, FALSE);
  gtk_editable_set_text (GTK_EDITABLE (self->feedback_entry), "");
}

/* --- Drafts ------------------------------------------------------------------------------------------------------- */

static char *
approval_card_dup_draft (BeckonRequestCard *card)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (card);
  BeckonApprovalDraft draft = {
    .arguments = beckon_form_is_edited (self->form) ? (char *) beckon_form_get_text (self->form) : NULL,
    .feedback = (char *) gtk_editable_get_text (GTK_EDITABLE (self->feedback_entry)),
    .page = (char *) gtk_stack_get_visible_child_name (self->stack),
  };

  return beckon_approval_draft_to_json (&draft);
}

static void
approval_card_restore (BeckonRequestCard *card, const char *json)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (card);
  g_auto (BeckonApprovalDraft) draft = { 0 };

  beckon_approval_draft_read (&draft, json);
  if (draft.arguments != NULL)
    beckon_form_set_text (self->form, draft.arguments);
  else
    beckon_form_revert (self->form);
  gtk_editable_set_text (GTK_EDITABLE (self->feedback_entry), draft.feedback != NULL ? draft.feedback : "");
  if (draft.feedback != NULL && *draft.feedback != '\0')
    open_denial (self);
  if (beckon_form_is_edited (self->form))
    gtk_toggle_button_set_active (self->edit_button, TRUE);
  if (draft.page != NULL && gtk_stack_get_child_by_name (self->stack, draft.page) != NULL)
    gtk_stack_set_visible_child_name (self->stack, draft.page);
}

static void
on_feedback_changed (BeckonApprovalCard *self)
{
  if (self->form != NULL)
    beckon_request_card_keep_draft (BECKON_REQUEST_CARD (self));
}

/* --- Showing ------------------------------------------------------------------------------------------------------ */

static void
approval_card_show_buttons (BeckonApprovalCard *self)
{
  gboolean is_edited = beckon_form_is_edited (self->form);
  /* A call runs only once its change can be seen. */
  gboolean can_be_run = beckon_form_is_valid (self->form) && beckon_call_scope_get_seen (self->scope)
                        && beckon_preview_view_is_whole (self->preview_view) && self->previewing == NULL
                        && self->rest_id == 0;
  const char *spoken = is_edited ? _("Run edited") : _("Run");

  /* Rules are about what was proposed. */
  gtk_widget_set_visible (GTK_WIDGET (self->always_button),
                          !is_edited && !beckon_rule_choices_is_empty (self->always_list));
  if (is_edited)
    gtk_toggle_button_set_active (self->always_button, FALSE);
  gtk_widget_set_sensitive (self->run_button, can_be_run);
  gtk_widget_set_sensitive (GTK_WIDGET (self->always_list), can_be_run);
  beckon_key_label_set_label (self->run_label, is_edited ? _("Run Edited") : _("Run"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->run_button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static const char *
approval_card_get_server (BeckonApprovalCard *self)
{
  const BeckonApprovalDetails *details = beckon_request_get_details (self->request);

  return details != NULL ? details->server : NULL;
}

static void
show_title (BeckonApprovalCard *self)
{
  g_autofree char *counts = self->preview != NULL ? beckon_call_labels_describe_size (self->preview) : NULL;
  g_autofree char *shown = beckon_form_dup_shown (self->form, beckon_form_get_text (self->form));
  g_autofree char *title = beckon_call_labels_describe (beckon_request_get_tool (self->request),
                                                        approval_card_get_server (self), shown,
                                                        BECKON_CALL_PHASE_ASK);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  g_autofree char *text = NULL;

  /* Both are one text, so that they wrap together; the counts are small and faint, and isolated: signs and numbers keep their
   * order beside words of the other direction. */
  text = counts != NULL ? g_strdup_printf ("%s  \342\201\250%s\342\201\251", title, counts) : g_strdup (title);
  if (counts != NULL)
    {
      approval_card_insert (attributes, pango_attr_scale_new (SMALL), strlen (title));
      approval_card_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_NORMAL), strlen (title));
      approval_card_insert (attributes, pango_attr_foreground_alpha_new (FAINT_ALPHA), strlen (title));
    }
  gtk_label_set_text (self->title_label, text);
  gtk_label_set_attributes (self->title_label, attributes);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

/* Arguments that nothing else on the card shows, all of them: long ones scroll as a command does. */
static void
show_arguments (BeckonApprovalCard *self)
{
  gboolean is_hidden = self->place != NULL || self->preview != NULL || self->previewing != NULL || self->rest_id != 0;
  g_autofree char *shown = is_hidden ? NULL : beckon_form_dup_shown (self->form, beckon_form_get_text (self->form));
  g_autofree char *lines = shown != NULL ? beckon_call_labels_list_unsaid (beckon_request_get_tool (self->request),
                                                                           approval_card_get_server (self), shown) : NULL;
  gboolean is_line = !beckon_call_scope_take_arguments (self->scope, lines) && lines != NULL;
  g_autofree char *before = g_strdup (gtk_label_get_text (self->arguments_label));

  gtk_label_set_text (self->arguments_label, is_line ? lines : "");
  gtk_widget_set_visible (GTK_WIDGET (self->arguments_label), is_line);
  if (!g_str_equal (before, gtk_label_get_text (self->arguments_label)))
    beckon_end_watch_reset (self->arguments_watch);
}

/* --- What it would change ------------------------------------------------------------------------------------------ */

/* (nullable): %NULL where a call of this tool has no preview, or something of it is not to be seen. */
static BeckonCallPreviewer *
get_previewer (BeckonApprovalCard *self)
{
  BeckonCallPreviewer *previewer = beckon_inbox_get_previewer (beckon_request_card_get_inbox (BECKON_REQUEST_CARD (self)));
  gboolean has_preview = previewer != NULL && approval_card_get_server (self) == NULL && !beckon_form_redacts (self->form)
                         && beckon_call_previewer_has_preview (previewer, beckon_request_get_tool (self->request));

  return has_preview ? previewer : NULL;
}

/* @preview: (nullable); @message: (nullable): why there is none. */
static void
show_preview (BeckonApprovalCard *self, BeckonCallPreview *preview, const char *message)
{
  g_clear_pointer (&self->preview, beckon_call_preview_unref);
  g_clear_pointer (&self->chosen, g_free);
  self->preview = preview != NULL ? beckon_call_preview_ref (preview) : NULL;
  if (preview != NULL)
    beckon_preview_view_set_preview (self->preview_view, preview);
  else
    beckon_preview_view_set_error (self->preview_view, message);
  show_title (self);
  show_arguments (self);
  approval_card_show_buttons (self);
}

static void
approval_card_on_previewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApprovalCard) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonCallPreview) preview
      = beckon_call_previewer_preview_finish (BECKON_CALL_PREVIEWER (source), result, &error);

  /* Another one is on its way. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->form == NULL)
    return;
  g_clear_object (&self->previewing);
  /* A key or click that comes now was meant for what was to be seen before. */
  if (preview == NULL || self->preview == NULL || g_strcmp0 (preview->shown, self->preview->shown) != 0)
    beckon_card_settler_renew (self->settler);
  show_preview (self, preview, error != NULL ? error->message : NULL);
}

static void
cancel_preview (BeckonApprovalCard *self)
{
  g_cancellable_cancel (self->previewing);
  g_clear_object (&self->previewing);
  beckon_clock_remove (self->clock, self->rest_id);
  self->rest_id = 0;
}

static void
make_preview (BeckonApprovalCard *self)
{
  cancel_preview (self);
  self->previewing = g_cancellable_new ();
  beckon_call_previewer_preview_async (get_previewer (self), self->request, self->previewed, self->previewing,
                                       approval_card_on_previewed,
                                       g_object_ref (self));
  approval_card_show_buttons (self);
}

static gboolean
on_rested (gpointer user_data)
{
  BeckonApprovalCard *self = user_data;

  self->rest_id = 0;
  make_preview (self);
  return G_SOURCE_REMOVE;
}

/* The arguments that are shown, or checked hunks of them, have their preview already. */
static void
start_preview (BeckonApprovalCard *self)
{
  const char *text = beckon_form_get_text (self->form);
  gboolean is_first = self->previewed == NULL;

  if (get_previewer (self) == NULL || g_strcmp0 (text, self->previewed) == 0 || g_strcmp0 (text, self->chosen) == 0)
    {
      if (g_strcmp0 (text, self->previewed) == 0)
        {
          beckon_preview_view_check_all (self->preview_view);
          g_clear_pointer (&self->chosen, g_free);
        }
      return;
    }
  cancel_preview (self);
  g_clear_pointer (&self->chosen, g_free);
  g_free (self->previewed);
  self->previewed = g_strdup (text);
  if (is_first)
    make_preview (self);
  else if (beckon_form_is_valid (self->form))
    self->rest_id = beckon_clock_add_timeout (self->clock, REST_MS, on_rested, self);
  else
    show_preview (self, NULL, NULL);
}

static void
on_form_changed (BeckonApprovalCard *self)
{
  g_autofree char *words = NULL;
  BeckonFormField *field;
  g_autofree char *fault = NULL;

  gtk_widget_set_visible (self->end_label, FALSE);
  start_preview (self);

  fault = beckon_form_dup_fault (self->form, NULL);
  beckon_label_say (self->broken_label, fault);
  gtk_widget_set_sensitive (GTK_WIDGET (self->form_slot), fault == NULL);

  show_title (self);

  /* The block shows an argument, which is another one once it is edited. */
  field = self->place != NULL ? beckon_form_find (self->form, self->place) : NULL;
  if (self->place != NULL)
    beckon_call_scope_set_command (self->scope, field != NULL && field->text != NULL ? field->text : "");

  show_arguments (self);
  words = beckon_form_changes_view_describe (self->form);
  gtk_label_set_text (self->changed_label, words);
  gtk_widget_set_visible (self->changed_bar, beckon_form_is_edited (self->form));
  approval_card_show_buttons (self);
  beckon_request_card_keep_draft (BECKON_REQUEST_CARD (self));
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
  beckon_request_card_keep_draft (BECKON_REQUEST_CARD (self));
}

static void
on_revert_clicked (BeckonApprovalCard *self)
{
  beckon_form_revert (self->form);
}

static void
on_hunks_chosen (BeckonApprovalCard *self)
{
  g_autoptr (GArray) kept = NULL;
  g_autofree char *arguments = NULL;

  /* Whether the hunks that are shown are those of the arguments that are shown. */
  if (self->preview == NULL || self->previewing != NULL || self->rest_id != 0 || !beckon_form_is_valid (self->form))
    {
      beckon_preview_view_check_all (self->preview_view);
      return;
    }
  kept = beckon_preview_view_dup_kept (self->preview_view);
  if (kept->len < self->preview->n_hunks && kept->len > 0)
    arguments = beckon_call_previewer_leave_out (get_previewer (self), self->preview, self->previewed, kept);
  /* Without any of it there is nothing to run, and some pieces can't be replaced alone. */
  if (arguments == NULL)
    beckon_preview_view_check_all (self->preview_view);
  g_free (self->chosen);
  self->chosen = g_steal_pointer (&arguments);
  beckon_form_set_text (self->form, self->chosen != NULL ? self->chosen : self->previewed);
}

static void
approval_card_on_checked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApprovalCard) self = user_data;
  gboolean is_same = beckon_call_previewer_check_finish (BECKON_CALL_PREVIEWER (source), result);

  self->is_checking = FALSE;
  if (is_same || self->form == NULL || self->previewing != NULL || self->preview == NULL)
    return;
  g_free (self->previewed);
  self->previewed = g_strdup (beckon_form_get_text (self->form));
  beckon_card_settler_renew (self->settler);
  make_preview (self);
}

static void
approval_card_look (BeckonRequestCard *card)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (card);

  if (self->is_checking || self->preview == NULL || self->preview->files == NULL || get_previewer (self) == NULL)
    return;
  self->is_checking = TRUE;
  beckon_call_previewer_check_async (get_previewer (self), self->preview->files, NULL, approval_card_on_checked,
                                     g_object_ref (self));
}

static gboolean
on_check_due (gpointer user_data)
{
  BeckonApprovalCard *self = user_data;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (!GTK_IS_WINDOW (root) || gtk_window_is_active (GTK_WINDOW (root)))
    approval_card_look (BECKON_REQUEST_CARD (self));
  return G_SOURCE_CONTINUE;
}

static void
beckon_approval_card_map (GtkWidget *widget)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (widget);

  GTK_WIDGET_CLASS (beckon_approval_card_parent_class)->map (widget);
  if (get_previewer (self) != NULL)
    self->check_id = beckon_clock_add_timeout (self->clock, CHECK_MS, on_check_due, self);
}

static void
stop_checking (BeckonApprovalCard *self)
{
  beckon_clock_remove (self->clock, self->check_id);
  self->check_id = 0;
}

static void
beckon_approval_card_unmap (GtkWidget *widget)
{
  stop_checking (BECKON_APPROVAL_CARD (widget));
  GTK_WIDGET_CLASS (beckon_approval_card_parent_class)->unmap (widget);
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

/* --- What is behind the buttons, keys, and as the card of a request ------------------------------------------------- */

static void
on_edit_toggled (BeckonApprovalCard *self)
{
  gboolean is_open = gtk_toggle_button_get_active (self->edit_button);

  gtk_widget_set_visible (self->edit_box, is_open);
  if (is_open)
    gtk_toggle_button_set_active (self->always_button, FALSE);
  if (is_open && !beckon_request_card_is_restoring (BECKON_REQUEST_CARD (self)))
    gtk_widget_child_focus (gtk_stack_get_visible_child (self->stack), GTK_DIR_TAB_FORWARD);
}

static void
on_always_toggled (BeckonApprovalCard *self)
{
  gboolean is_open = gtk_toggle_button_get_active (self->always_button);

  gtk_widget_set_visible (self->always_box, is_open);
  if (is_open)
    gtk_toggle_button_set_active (self->edit_button, FALSE);
}

static void
approval_card_focus (BeckonRequestCard *card)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (card);

  if (gtk_widget_get_visible (self->denial_box))
    gtk_widget_grab_focus (GTK_WIDGET (self->feedback_entry));
  else if (gtk_widget_get_visible (self->edit_box))
    gtk_widget_child_focus (gtk_stack_get_visible_child (self->stack), GTK_DIR_TAB_FORWARD);
  else
    gtk_widget_grab_focus (gtk_widget_is_sensitive (self->run_button) ? self->run_button : self->deny_button);
}

static gboolean
approval_card_submit (BeckonRequestCard *card)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (card);

  if (gtk_widget_get_visible (self->denial_box))
    return FALSE;
  if (beckon_form_is_valid (self->form)
      && (!beckon_call_scope_get_seen (self->scope) || !beckon_preview_view_is_whole (self->preview_view)))
    return show_unseen (self);
  if (!gtk_widget_get_sensitive (self->run_button))
    return FALSE;
  on_run_clicked (self);
  return TRUE;
}

static gboolean
approval_card_edit (BeckonRequestCard *card)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (card);

  if (gtk_widget_get_visible (self->denial_box))
    close_denial (self);
  gtk_toggle_button_set_active (self->edit_button, !gtk_toggle_button_get_active (self->edit_button));
  return TRUE;
}

static gboolean
approval_card_deny (BeckonRequestCard *card)
{
  open_denial (BECKON_APPROVAL_CARD (card));
  return TRUE;
}

static gboolean
approval_card_close (BeckonRequestCard *card)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (card);

  if (gtk_widget_get_visible (self->denial_box))
    close_denial (self);
  else if (gtk_toggle_button_get_active (self->always_button))
    gtk_toggle_button_set_active (self->always_button, FALSE);
  else if (gtk_toggle_button_get_active (self->edit_button))
    {
      gtk_widget_grab_focus (GTK_WIDGET (self->edit_button));
      gtk_toggle_button_set_active (self->edit_button, FALSE);
    }
  else
    return FALSE;
  return TRUE;
}

/* --- The request -------------------------------------------------------------------------------------------------- */

static void
approval_card_show (BeckonRequestCard *card, BeckonRequest *request)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (card);
  const BeckonApprovalDetails *details = beckon_request_get_details (request);
  const char *tool = beckon_request_get_tool (request);
  const char *reason = beckon_request_get_reason (request);
  gboolean is_plain = reason == NULL || beckon_approval_reason_is_plain (reason);
  const BeckonAskedBy *asked_by = beckon_request_get_asked_by (request);
  g_autofree char *who = NULL;
  g_autofree char *where = NULL;
  g_autofree char *both = NULL;
  const char *shown;

  self->request = request;
  gtk_image_set_from_icon_name (self->icon, approval_card_get_server (self) == NULL ? beckon_call_labels_get_icon (tool)
                                                                                    : "system-run-symbolic");
  gtk_label_set_text (self->reason_label, is_plain ? "" : reason);
  gtk_widget_set_visible (GTK_WIDGET (self->reason_label), !is_plain);
  gtk_widget_set_visible (self->skip_button, beckon_request_get_step (request) != NULL);
  /* The folder in which it runs, and who asks if that is not the agent. */
  who = asked_by != NULL && asked_by->name != NULL ? beckon_text_for_display (asked_by->name, -1, BECKON_TEXT_EXACT) : NULL;
  where = details != NULL ? beckon_call_labels_describe_folder (tool, details->server, details->folder) : NULL;
  both = where != NULL && who != NULL ? g_strdup_printf ("%s \302\267 %s", where, who) : NULL;
  shown = both != NULL ? both : where != NULL ? where : who;

  beckon_label_say (self->source_label, shown);
  beckon_rule_choices_set_request (self->always_list, request);
  beckon_rule_choices_set_opener (self->always_list, GTK_WIDGET (self->always_button));
  self->form = beckon_form_new (details != NULL ? details->schema : NULL, beckon_request_get_arguments (request),
                                details != NULL ? details->parameters : NULL);
  beckon_request_card_set_form (card, self->form, self->form_slot);
  beckon_call_scope_set_details (self->scope, tool, details);
  if (details != NULL)
    {
      /* The argument that stands in the block is the command that the tool said it would run, or what its sentence is about. */
      const char *name = details->server == NULL ? beckon_call_labels_get_block (tool) : NULL;
      BeckonFormField *root = beckon_form_get_root (self->form);

      for (guint i = 0; i < root->children->len && self->place == NULL; i++)
        {
          BeckonFormField *field = g_ptr_array_index (root->children, i);

          if (details->command != NULL ? g_strcmp0 (field->text, details->command) == 0
                                       : name != NULL && g_strcmp0 (field->name, name) == 0 && field->text != NULL)
            self->place = g_strdup (field->pointer);
        }
      if (details->command != NULL)
        beckon_call_scope_set_command (self->scope, details->command);
    }
  beckon_form_group_set_can_settle (BECKON_FORM_GROUP (adw_bin_get_child (self->form_slot)), details != NULL);
  if (!beckon_form_is_json (self->form))
    {
      gtk_stack_set_visible_child_name (self->stack, "json");
      gtk_toggle_button_set_active (self->edit_button, TRUE);
    }
  on_page_changed (self);
  beckon_request_card_restore (card);
  g_signal_connect_swapped (self->form, "changed", G_CALLBACK (on_form_changed), self);
  g_signal_connect_object (self->scope, "seen-changed", G_CALLBACK (approval_card_show_buttons), self, G_CONNECT_SWAPPED);
  on_form_changed (self);
  beckon_inbox_list_earlier_async (beckon_request_card_get_inbox (card), tool, NULL, on_earlier_listed, g_object_ref (self));
}

static void
approval_card_set_clock (BeckonRequestCard *card, BeckonClock *clock)
{
  BECKON_APPROVAL_CARD (card)->clock = clock;
}

static void
beckon_approval_card_dispose (GObject *object)
{
  BeckonApprovalCard *self = BECKON_APPROVAL_CARD (object);

  if (self->clock != NULL)
    {
      stop_checking (self);
      cancel_preview (self);
      self->clock = NULL;
    }
  g_clear_pointer (&self->arguments_watch, beckon_end_watch_free);
  g_clear_pointer (&self->preview, beckon_call_preview_unref);
  g_clear_pointer (&self->previewed, g_free);
  g_clear_pointer (&self->chosen, g_free);
  g_clear_pointer (&self->place, g_free);
  self->form = NULL;
  G_OBJECT_CLASS (beckon_approval_card_parent_class)->dispose (object);
}

static void
beckon_approval_card_class_init (BeckonApprovalCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  BeckonRequestCardClass *card_class = BECKON_REQUEST_CARD_CLASS (klass);

  g_type_ensure (BECKON_TYPE_FLOW_LAYOUT);
  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  g_type_ensure (BECKON_TYPE_CALL_SCOPE);
  g_type_ensure (BECKON_TYPE_KEY_LABEL);
  g_type_ensure (BECKON_TYPE_PREVIEW_VIEW);
  g_type_ensure (BECKON_TYPE_RULE_CHOICES);
  widget_class->map = beckon_approval_card_map;
  widget_class->unmap = beckon_approval_card_unmap;
  G_OBJECT_CLASS (klass)->dispose = beckon_approval_card_dispose;
  card_class->show = approval_card_show;
  card_class->focus = approval_card_focus;
  card_class->is_ready = approval_card_is_ready;
  card_class->submit = approval_card_submit;
  card_class->edit = approval_card_edit;
  card_class->deny = approval_card_deny;
  card_class->close = approval_card_close;
  card_class->dup_draft = approval_card_dup_draft;
  card_class->restore = approval_card_restore;
  card_class->look = approval_card_look;
  card_class->set_clock = approval_card_set_clock;
  beckon_request_card_class_set_template (card_class, "approval-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, source_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, scope);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, arguments_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, reason_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, edit_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, stack);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, broken_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, form_slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, json_slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, changes_slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, changed_bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, changed_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, always_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, always_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, end_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, actions);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, run_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, run_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, always_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, edit_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, skip_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, deny_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, denial_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, feedback_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonApprovalCard, preview_view);
  gtk_widget_class_bind_template_callback (widget_class, on_run_clicked);
  gtk_widget_class_bind_template_callback (widget_class, run_with);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_skip_clicked", G_CALLBACK (beckon_request_card_skip));
  gtk_widget_class_bind_template_callback (widget_class, open_denial);
  gtk_widget_class_bind_template_callback (widget_class, close_denial);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_deny_confirmed", G_CALLBACK (beckon_request_card_decline));
  gtk_widget_class_bind_template_callback (widget_class, on_feedback_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_edit_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_always_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_hunks_chosen);
  gtk_widget_class_bind_template_callback (widget_class, approval_card_show_buttons);
  gtk_widget_class_bind_template_callback (widget_class, on_page_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_revert_clicked);
  gtk_widget_class_install_action (widget_class, "card.settle", "(ss)", settle_argument);
}

static void
beckon_approval_card_init (BeckonApprovalCard *self)
{
  self->clock = beckon_clock_get_system ();
  self->settler = beckon_request_card_init_template (BECKON_REQUEST_CARD (self));
  self->arguments_watch = beckon_end_watch_new (GTK_WIDGET (self->arguments_label));
  beckon_request_card_set_entry (BECKON_REQUEST_CARD (self), self->feedback_entry);
}

