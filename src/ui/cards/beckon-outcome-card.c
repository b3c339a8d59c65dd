/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-outcome-card.h"

#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-card-settler.h"
#include "beckon-request-card.h"
#include "beckon-request-words.h"
#include "request/beckon-outcome-request.h"
#include "text/beckon-call-labels.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/widgets/beckon-flow-layout.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <string.h>

struct _BeckonOutcomeCard
{
  AdwBin parent_instance;

  BeckonRequest *request;     /* (owned) */
  BeckonCardSettler *settler; /* (owned) */
  gboolean composing;

  GtkLabel *title_label;
  AdwBin *corner;
  GtkLabel *words_label;
  BeckonCodeBlock *call_block;
  GtkLabel *arguments_label;
  GtkWidget *whole_expander;
  BeckonCodeBlock *arguments_block;
  GtkEntry *found_entry;
  GtkWidget *tell_button;
  GtkWidget *look_button;
  GtkLabel *error_label;
};

static void beckon_outcome_card_request_card_init (BeckonRequestCardInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonOutcomeCard, beckon_outcome_card, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_REQUEST_CARD, beckon_outcome_card_request_card_init))

static char *
dup_found (BeckonOutcomeCard *self)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->found_entry))));
}

/* Blank text says nothing, and Enter that ends a composition is not one that sends. */
static void
on_tell (BeckonOutcomeCard *self)
{
  g_autofree char *text = dup_found (self);

  if (*text != '\0' && !self->composing)
    beckon_card_settler_settle (self->settler, BECKON_ANSWER_LOOKED, text);
}

static void
on_look_clicked (BeckonOutcomeCard *self)
{
  beckon_card_settler_settle (self->settler, BECKON_ANSWER_LOOKED, NULL);
}

static void
on_retry_clicked (BeckonOutcomeCard *self)
{
  beckon_card_settler_settle (self->settler, BECKON_ANSWER_RETRY, NULL);
}

static void
on_skip_clicked (BeckonOutcomeCard *self)
{
  beckon_card_settler_settle (self->settler, BECKON_ANSWER_SKIP, NULL);
}

static void
on_found_changed (BeckonOutcomeCard *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->found_entry));
  g_autofree char *found = dup_found (self);

  gtk_widget_set_sensitive (self->tell_button, *found != '\0');
  beckon_card_settler_save_draft (self->settler, *text != '\0' ? text : NULL);
}

static void
outcome_card_on_preedit_changed (BeckonOutcomeCard *self, const char *preedit)
{
  self->composing = preedit != NULL && *preedit != '\0';
}

/* The call in short lines, as it was approved; the whole of it is there where those are cut. */
static void
show_call (BeckonOutcomeCard *self)
{
  g_autofree char *shown = beckon_request_dup_shown_arguments (self->request);
  /* The argument that is shown whole: a command, an address. */
  const char *name = beckon_call_labels_get_block (beckon_request_get_tool (self->request));
  g_autoptr (JsonObject) object = name != NULL ? beckon_json_parse_object (shown, -1, NULL) : NULL;
  const char *value = object != NULL ? beckon_json_get_string (object, name) : NULL;
  g_autofree char *block = value != NULL ? beckon_text_command_for_display (value) : NULL;
  g_autofree char *lines = block == NULL ? beckon_call_labels_list_arguments (shown, FALSE) : NULL;
  g_autofree char *whole = beckon_text_json_for_display (shown);

  beckon_code_block_set_text (self->call_block, block != NULL ? block : "");
  gtk_widget_set_visible (GTK_WIDGET (self->call_block), block != NULL);
  gtk_label_set_text (self->arguments_label, lines != NULL ? lines : "");
  gtk_widget_set_visible (GTK_WIDGET (self->arguments_label), lines != NULL && *lines != '\0');
  beckon_code_block_set_text (self->arguments_block, whole);
  gtk_widget_set_visible (self->whole_expander, block == NULL && (lines == NULL || strstr (lines, "\342\200\246") != NULL));
}

static void
outcome_card_show_request (BeckonOutcomeCard *self)
{
  g_autofree char *words = beckon_request_dup_outcome_words (self->request);
  g_autofree char *title = beckon_request_words_dup_title (self->request);
  const char *draft = beckon_request_get_draft (self->request);

  gtk_label_set_text (self->title_label, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_label_set_text (self->words_label, words);
  gtk_widget_set_visible (self->look_button, beckon_request_get_can_verify (self->request));
  show_call (self);
  if (draft != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->found_entry), draft);
}

void
beckon_outcome_card_set_clock (BeckonOutcomeCard *self, BeckonClock *clock)
{
  beckon_card_settler_set_clock (self->settler, clock);
}

static void
outcome_card_focus (BeckonRequestCard *card)
{
  gtk_widget_grab_focus (GTK_WIDGET (BECKON_OUTCOME_CARD (card)->found_entry));
}

static gboolean
outcome_card_is_ready (BeckonRequestCard *card)
{
  return beckon_card_settler_is_ready (BECKON_OUTCOME_CARD (card)->settler);
}

static gboolean
outcome_card_submit (BeckonRequestCard *card)
{
  if (!gtk_widget_get_sensitive (BECKON_OUTCOME_CARD (card)->tell_button))
    return FALSE;
  on_tell (BECKON_OUTCOME_CARD (card));
  return TRUE;
}

static AdwBin *
outcome_card_get_corner (BeckonRequestCard *card)
{
  return BECKON_OUTCOME_CARD (card)->corner;
}

static void
beckon_outcome_card_request_card_init (BeckonRequestCardInterface *iface)
{
  iface->focus = outcome_card_focus;
  iface->is_ready = outcome_card_is_ready;
  iface->submit = outcome_card_submit;
  iface->get_corner = outcome_card_get_corner;
}

static void
beckon_outcome_card_dispose (GObject *object)
{
  BeckonOutcomeCard *self = BECKON_OUTCOME_CARD (object);

  g_clear_pointer (&self->settler, beckon_card_settler_free);
  g_clear_object (&self->request);
  G_OBJECT_CLASS (beckon_outcome_card_parent_class)->dispose (object);
}

static void
beckon_outcome_card_class_init (BeckonOutcomeCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_CODE_BLOCK);
  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  G_OBJECT_CLASS (klass)->dispose = beckon_outcome_card_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/outcome-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, corner);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, words_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, call_block);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, arguments_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, whole_expander);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, arguments_block);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, found_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, tell_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, look_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, error_label);
  gtk_widget_class_bind_template_callback (widget_class, on_tell);
  gtk_widget_class_bind_template_callback (widget_class, on_look_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_retry_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_skip_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_found_changed);
}

static void
beckon_outcome_card_init (BeckonOutcomeCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_flow_layout_wrap_buttons (GTK_WIDGET (self));
  self->settler = beckon_card_settler_new (GTK_WIDGET (self), self->error_label);
  beckon_code_block_set_wrap (self->call_block, TRUE);
  beckon_code_block_set_wrap (self->arguments_block, TRUE);
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (self->found_entry)), "preedit-changed",
                           G_CALLBACK (outcome_card_on_preedit_changed), self, G_CONNECT_SWAPPED);
}

GtkWidget *
beckon_outcome_card_new (BeckonInbox *inbox, BeckonRequest *request)
{
  BeckonOutcomeCard *self;

  self = g_object_new (BECKON_TYPE_OUTCOME_CARD, NULL);
  self->request = g_object_ref (request);
  beckon_card_settler_set_request (self->settler, inbox, request);
  outcome_card_show_request (self);
  return GTK_WIDGET (self);
}
