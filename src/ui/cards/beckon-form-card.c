/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-form-card.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-form-request.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/forms/beckon-form-group.h"
#include "ui/forms/beckon-form-row.h"
#include "ui/forms/beckon-json-view.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-key-label.h"
#include "ui/widgets/beckon-max-height-box.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonFormCard
{
  BeckonRequestCard parent_instance;

  BeckonRequest *request;     /* of the card */
  BeckonCardSettler *settler; /* of the card */
  BeckonForm *form;           /* (nullable): of the card; none for an address */

  GtkLabel *message_label;
  GtkLabel *url_label;
  GtkLabel *warning_label;
  GtkStack *stack;
  AdwBin *form_slot;
  AdwBin *json_slot;
  GtkLabel *json_label;
  BeckonCodeBlock *schema_block;
  GtkLabel *review_label;
  GtkBox *review_box;
  GtkWidget *send_button;
  BeckonKeyLabel *send_label;
  GtkWidget *back_button;
  GtkToggleButton *json_button;
};

G_DEFINE_FINAL_TYPE (BeckonFormCard, beckon_form_card, BECKON_TYPE_REQUEST_CARD)

static BeckonFormCardOpener own_opener;

void
beckon_form_card_set_opener (BeckonFormCardOpener opener)
{
  own_opener = opener;
}

static gboolean
is_on (BeckonFormCard *self, const char *page)
{
  return self->form != NULL && g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), page) == 0;
}

/* A single field is read at a glance. */
static gboolean
needs_review (BeckonFormCard *self)
{
  return self->form != NULL && beckon_form_get_root (self->form)->children->len > 1;
}

/* --- Showing ------------------------------------------------------------------------------------------------------ */

static void
form_card_show_buttons (BeckonFormCard *self)
{
  gboolean reviews = is_on (self, "review");
  const char *words = self->form == NULL ? _("Open in Browser") : needs_review (self) && !reviews ? _("Review") : _("Send");
  gboolean has_json = self->form != NULL && beckon_form_request_is_flat (self->request)
                      && beckon_form_request_get_secrets (self->request) == NULL;

  beckon_key_label_set_label (self->send_label, words);
  beckon_key_label_set_key (self->send_label, self->form != NULL ? "Ctrl+⏎" : NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->send_button), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_set_visible (self->back_button, reviews);
  gtk_widget_set_visible (GTK_WIDGET (self->json_button), has_json && !reviews);
}

/* The whole address, with the host in it stressed. */
static void
show_url (BeckonFormCard *self)
{
  const char *url = beckon_form_request_get_url (self->request);
  g_autofree char *shown = beckon_text_for_display (url, -1, BECKON_TEXT_EXACT);
  g_autofree char *host = beckon_form_request_dup_host (self->request);
  g_autofree char *warning = beckon_form_request_dup_url_warning (self->request);
  const char *after = strstr (shown, "://");
  const char *slash = after != NULL ? strpbrk (after + 3, "/?#") : NULL;
  const char *end = slash != NULL ? slash : shown + strlen (shown);
  const char *at = after != NULL ? g_strstr_len (after, end - after, host) : NULL;
  PangoAttrList *attributes = pango_attr_list_new ();

  for (const char *next = at; next != NULL; next = g_strstr_len (at + 1, end - at - 1, host))
    at = next;
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_text (self->url_label, shown);
  if (at != NULL)
    {
      PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);

      bold->start_index = (guint) (at - shown);
      bold->end_index = bold->start_index + (guint) strlen (host);
      pango_attr_list_insert (attributes, bold);
    }
  gtk_label_set_attributes (self->url_label, attributes);
  pango_attr_list_unref (attributes);
  gtk_widget_set_visible (GTK_WIDGET (self->url_label), TRUE);
  beckon_label_say (self->warning_label, warning);
}

static void
fill_review (BeckonFormCard *self)
{
  const GPtrArray *fields = beckon_form_get_root (self->form)->children;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->review_box))) != NULL)
    gtk_box_remove (self->review_box, child);
  for (guint i = 0; i < fields->len; i++)
    {
      const BeckonFormField *field = g_ptr_array_index (fields, i);
      g_autofree char *value = beckon_form_field_dup_words (field);
      GtkWidget *pair = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
      GtkWidget *title = beckon_line_new (field->title, "caption");

      gtk_widget_add_css_class (title, "dim-label");
      gtk_box_append (GTK_BOX (pair), title);
      gtk_box_append (GTK_BOX (pair),
                      beckon_line_new (value != NULL ? value : _("not given"), value != NULL ? NULL : "dim-label"));
      gtk_box_append (self->review_box, pair);
    }
}

/* --- Drafts ------------------------------------------------------------------------------------------------------- */

static char *
form_card_dup_draft (BeckonRequestCard *card)
{
  BeckonFormCard *self = BECKON_FORM_CARD (card);
  BeckonApprovalDraft draft = { 0 };
  g_autofree char *text = beckon_form_dup_public (self->form);

  draft.arguments = strcmp (text, beckon_form_get_proposal (self->form)) != 0 ? text : NULL;
  draft.page = (char *) (gtk_toggle_button_get_active (self->json_button) ? "json" : "form");
  return beckon_approval_draft_to_json (&draft);
}

static void
form_card_restore (BeckonRequestCard *card, const char *json)
{
  BeckonFormCard *self = BECKON_FORM_CARD (card);
  g_auto (BeckonApprovalDraft) draft = { 0 };

  if (self->form == NULL)
    return;
  beckon_approval_draft_read (&draft, json);
  if (draft.arguments != NULL)
    beckon_form_set_text (self->form, draft.arguments);
  else
    beckon_form_revert (self->form);
  if (g_strcmp0 (draft.page, "json") == 0)
    gtk_toggle_button_set_active (self->json_button, TRUE);
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

static const char *
get_writing_page (BeckonFormCard *self)
{
  return gtk_toggle_button_get_active (self->json_button) ? "json" : "form";
}

/* (nullable) */
static GtkWidget *
find_faulty (GtkWidget *root)
{
  GtkWidget *found = BECKON_IS_FORM_ROW (root) && gtk_widget_has_css_class (root, "faulty") ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); found == NULL && child != NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_faulty (child);
  return found;
}

static void
on_send_clicked (BeckonFormCard *self)
{
  g_autofree char *problems = NULL;

  if (!beckon_card_settler_is_ready (self->settler))
    return;
  if (self->form == NULL)
    {
      const char *url = beckon_form_request_get_url (self->request);
      GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

      if (own_opener != NULL)
        own_opener (GTK_WIDGET (self), url);
      else
        gtk_show_uri (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, url, GDK_CURRENT_TIME);
      beckon_card_settler_settle (self->settler, BECKON_ANSWER_FORM, NULL);
      return;
    }
  problems = beckon_form_dup_problems (self->form);
  beckon_card_settler_show_error (self->settler, is_on (self, "json") ? problems : NULL);
  if (problems != NULL)
    {
      GtkWidget *row = is_on (self, "form") ? find_faulty (GTK_WIDGET (self->form_slot)) : NULL;

      if (row != NULL)
        beckon_form_row_focus (BECKON_FORM_ROW (row));
      else
        gtk_widget_child_focus (GTK_WIDGET (self->stack), GTK_DIR_TAB_FORWARD);
    }
  else if (needs_review (self) && !is_on (self, "review"))
    {
      /* The values to be sent were not on the screen until now. */
      fill_review (self);
      beckon_card_settler_renew (self->settler);
      gtk_stack_set_visible_child_name (self->stack, "review");
      gtk_widget_grab_focus (self->send_button);
    }
  else
    beckon_card_settler_settle (self->settler, BECKON_ANSWER_FORM, beckon_form_get_text (self->form));
}

static void
form_card_on_back_clicked (BeckonFormCard *self)
{
  gtk_stack_set_visible_child_name (self->stack, get_writing_page (self));
  gtk_widget_child_focus (GTK_WIDGET (self->stack), GTK_DIR_TAB_FORWARD);
}

static void
on_form_changed (BeckonFormCard *self)
{
  gtk_widget_set_sensitive (GTK_WIDGET (self->form_slot), beckon_form_is_json (self->form));
  if (is_on (self, "review"))
    gtk_stack_set_visible_child_name (self->stack, get_writing_page (self));
  form_card_show_buttons (self);
  beckon_request_card_keep_draft (BECKON_REQUEST_CARD (self));
}

/* The text is made only where it is looked at: highlighting is a library of its own. */
static void
on_page_changed (BeckonFormCard *self)
{
  if (self->form == NULL)
    return;
  beckon_form_break_typing (self->form);
  if (is_on (self, "json") && adw_bin_get_child (self->json_slot) == NULL)
    adw_bin_set_child (self->json_slot, beckon_json_view_new (self->form));
  beckon_card_settler_show_error (self->settler, NULL);
  form_card_show_buttons (self);
  beckon_request_card_keep_draft (BECKON_REQUEST_CARD (self));
}

static void
on_json_toggled (BeckonFormCard *self)
{
  if (self->form != NULL)
    gtk_stack_set_visible_child_name (self->stack, get_writing_page (self));
}

/* --- As the card of a request, and keys ---------------------------------------------------------------------------- */

static void
form_card_focus (BeckonRequestCard *card)
{
  BeckonFormCard *self = BECKON_FORM_CARD (card);

  if (self->form == NULL || is_on (self, "review")
      || !gtk_widget_child_focus (GTK_WIDGET (self->stack), GTK_DIR_TAB_FORWARD))
    gtk_widget_grab_focus (self->send_button);
}

/* An address is opened by a click on its button, and not by a key that was meant for something else. */
static gboolean
form_card_submit (BeckonRequestCard *card)
{
  BeckonFormCard *self = BECKON_FORM_CARD (card);

  if (self->form == NULL)
    {
      gtk_widget_grab_focus (self->send_button);
      return FALSE;
    }
  on_send_clicked (self);
  return TRUE;
}

static gboolean
form_card_edit (BeckonRequestCard *card)
{
  BeckonFormCard *self = BECKON_FORM_CARD (card);

  if (!gtk_widget_get_visible (GTK_WIDGET (self->json_button)))
    return FALSE;
  gtk_toggle_button_set_active (self->json_button, !gtk_toggle_button_get_active (self->json_button));
  return TRUE;
}

static gboolean
form_card_close (BeckonRequestCard *card)
{
  if (!is_on (BECKON_FORM_CARD (card), "review"))
    return FALSE;
  form_card_on_back_clicked (BECKON_FORM_CARD (card));
  return TRUE;
}

static void
show_form (BeckonFormCard *self)
{
  gboolean is_flat = beckon_form_request_is_flat (self->request);
  g_autofree char *schema = NULL;
  const char *secret;
  g_autofree char *shown = NULL;
  g_autofree char *warning = NULL;

  self->form = beckon_form_request_make_form (self->request);
  beckon_request_card_set_form (BECKON_REQUEST_CARD (self), self->form, self->form_slot);
  gtk_label_set_text (self->json_label, is_flat ? _("The answer, as JSON")
                      : _("No form can show what the server asks for. Write a JSON object that fits "
                          "this:"));
  gtk_label_set_text (self->review_label, _("This is sent to the server:"));
  gtk_widget_set_visible (GTK_WIDGET (self->stack), TRUE);
  secret = beckon_form_request_get_secret (self->request);
  shown = secret != NULL ? beckon_text_for_display (secret, -1, BECKON_TEXT_EXACT) : NULL;
  /* Translators: %s is the name of a field of a form */
  warning = secret != NULL
                ? beckon_text_printf (_("“%s” looks like a secret. Servers must not ask for secrets in a form."), shown)
                : NULL;

  beckon_label_say (self->warning_label, warning);
  if (is_flat)
    return;
  schema = beckon_text_json_for_display (beckon_form_request_get_schema (self->request));
  beckon_code_block_set_text (self->schema_block, schema);
  gtk_widget_set_visible (GTK_WIDGET (self->schema_block), TRUE);
  gtk_toggle_button_set_active (self->json_button, TRUE);
}

static void
form_card_show (BeckonRequestCard *card, BeckonRequest *request)
{
  BeckonFormCard *self = BECKON_FORM_CARD (card);
  g_autofree char *title = beckon_form_request_dup_title (request);
  g_autofree char *message = beckon_text_for_display (beckon_form_request_get_message (request), -1, BECKON_TEXT_PROSE);

  self->request = request;
  beckon_request_card_set_title (card, title);
  gtk_label_set_text (self->message_label, message);
  if (beckon_form_request_is_url (request))
    show_url (self);
  else
    show_form (self);
  form_card_show_buttons (self);
  beckon_request_card_restore (card);
  if (self->form == NULL)
    return;
  g_signal_connect_swapped (self->form, "changed", G_CALLBACK (on_form_changed), self);
  on_form_changed (self);
}

static void
beckon_form_card_class_init (BeckonFormCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  BeckonRequestCardClass *card_class = BECKON_REQUEST_CARD_CLASS (klass);

  g_type_ensure (BECKON_TYPE_CODE_BLOCK);
  g_type_ensure (BECKON_TYPE_KEY_LABEL);
  g_type_ensure (BECKON_TYPE_MAX_HEIGHT_BOX);
  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  card_class->show = form_card_show;
  card_class->focus = form_card_focus;
  card_class->submit = form_card_submit;
  card_class->edit = form_card_edit;
  card_class->deny = beckon_request_card_decline;
  card_class->close = form_card_close;
  card_class->dup_draft = form_card_dup_draft;
  card_class->restore = form_card_restore;
  beckon_request_card_class_set_template (card_class, "form-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, message_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, url_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, warning_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, stack);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, form_slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, json_slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, json_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, schema_block);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, review_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, review_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, send_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, send_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, back_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormCard, json_button);
  gtk_widget_class_bind_template_callback (widget_class, on_send_clicked);
  gtk_widget_class_bind_template_callback (widget_class, form_card_on_back_clicked);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_decline_clicked", G_CALLBACK (beckon_request_card_decline));
  gtk_widget_class_bind_template_callback_full (widget_class, "on_leave_clicked", G_CALLBACK (beckon_request_card_skip));
  gtk_widget_class_bind_template_callback (widget_class, on_json_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_page_changed);
}

static void
beckon_form_card_init (BeckonFormCard *self)
{
  self->settler = beckon_request_card_init_template (BECKON_REQUEST_CARD (self));
  beckon_code_block_set_wrap (self->schema_block, TRUE);
}

