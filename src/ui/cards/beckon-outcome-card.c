/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-outcome-card.h"

#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-request-words.h"
#include "request/beckon-outcome-request.h"
#include "text/beckon-call-labels.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-flow-layout.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <string.h>

struct _BeckonOutcomeCard
{
  BeckonRequestCard parent_instance;

  BeckonCardSettler *settler; /* of the card */

  GtkLabel *words_label;
  BeckonCodeBlock *call_block;
  GtkLabel *arguments_label;
  GtkWidget *whole_expander;
  BeckonCodeBlock *arguments_block;
  GtkEntry *found_entry;
  GtkWidget *tell_button;
  GtkWidget *look_button;
};

G_DEFINE_FINAL_TYPE (BeckonOutcomeCard, beckon_outcome_card, BECKON_TYPE_REQUEST_CARD)

/* Blank text says nothing. */
static void
on_tell (BeckonOutcomeCard *self)
{
  if (gtk_widget_get_sensitive (self->tell_button))
    beckon_request_card_settle_written (BECKON_REQUEST_CARD (self), BECKON_ANSWER_LOOKED);
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
on_found_changed (BeckonOutcomeCard *self)
{
  g_autofree char *found = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->found_entry))));

  gtk_widget_set_sensitive (self->tell_button, *found != '\0');
  beckon_request_card_keep_draft (BECKON_REQUEST_CARD (self));
}

static char *
outcome_card_dup_draft (BeckonRequestCard *card)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (BECKON_OUTCOME_CARD (card)->found_entry));

  return *text != '\0' ? g_strdup (text) : NULL;
}

static void
outcome_card_restore (BeckonRequestCard *card, const char *draft)
{
  gtk_editable_set_text (GTK_EDITABLE (BECKON_OUTCOME_CARD (card)->found_entry), draft != NULL ? draft : "");
}

static void
outcome_card_show (BeckonRequestCard *card, BeckonRequest *request)
{
  BeckonOutcomeCard *self = BECKON_OUTCOME_CARD (card);
  g_autofree char *words = beckon_request_dup_outcome_words (request);
  g_autofree char *title = beckon_request_words_dup_title (request);
  g_autofree char *shown = NULL;
  const char *name;
  g_autoptr (JsonObject) object = NULL;
  const char *value;
  g_autofree char *block = NULL;
  g_autofree char *lines = NULL;
  g_autofree char *whole = NULL;

  beckon_request_card_set_title (card, title);
  gtk_label_set_text (self->words_label, words);
  gtk_widget_set_visible (self->look_button, beckon_request_get_can_verify (request));
  /* The call in short lines, as it was approved; the whole of it is there where those are cut. */
  shown = beckon_request_dup_shown_arguments (request);
  /* The argument that is shown whole: a command, an address. */
  name = beckon_call_labels_get_block (beckon_request_get_tool (request));
  object = name != NULL ? beckon_json_parse_object (shown, -1, NULL) : NULL;
  value = object != NULL ? beckon_json_get_string (object, name) : NULL;
  block = value != NULL ? beckon_text_command_for_display (value) : NULL;
  lines = block == NULL ? beckon_call_labels_list_arguments (shown, FALSE) : NULL;
  whole = beckon_text_json_for_display (shown);

  beckon_code_block_set_text (self->call_block, block != NULL ? block : "");
  gtk_widget_set_visible (GTK_WIDGET (self->call_block), block != NULL);
  beckon_label_say (self->arguments_label, lines);
  beckon_code_block_set_text (self->arguments_block, whole);
  gtk_widget_set_visible (self->whole_expander, block == NULL && (lines == NULL || strstr (lines, "\342\200\246") != NULL));
  beckon_request_card_restore (card);
}

static void
outcome_card_focus (BeckonRequestCard *card)
{
  gtk_widget_grab_focus (GTK_WIDGET (BECKON_OUTCOME_CARD (card)->found_entry));
}

static gboolean
outcome_card_submit (BeckonRequestCard *card)
{
  on_tell (BECKON_OUTCOME_CARD (card));
  return gtk_widget_get_sensitive (BECKON_OUTCOME_CARD (card)->tell_button);
}

static void
beckon_outcome_card_class_init (BeckonOutcomeCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  BeckonRequestCardClass *card_class = BECKON_REQUEST_CARD_CLASS (klass);

  g_type_ensure (BECKON_TYPE_CODE_BLOCK);
  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  card_class->show = outcome_card_show;
  card_class->focus = outcome_card_focus;
  card_class->submit = outcome_card_submit;
  card_class->dup_draft = outcome_card_dup_draft;
  card_class->restore = outcome_card_restore;
  beckon_request_card_class_set_template (card_class, "outcome-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, words_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, call_block);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, arguments_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, whole_expander);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, arguments_block);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, found_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, tell_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonOutcomeCard, look_button);
  gtk_widget_class_bind_template_callback (widget_class, on_tell);
  gtk_widget_class_bind_template_callback (widget_class, on_look_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_retry_clicked);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_skip_clicked", G_CALLBACK (beckon_request_card_skip));
  gtk_widget_class_bind_template_callback (widget_class, on_found_changed);
}

static void
beckon_outcome_card_init (BeckonOutcomeCard *self)
{
  self->settler = beckon_request_card_init_template (BECKON_REQUEST_CARD (self));
  beckon_flow_layout_wrap_buttons (GTK_WIDGET (self));
  beckon_code_block_set_wrap (self->call_block, TRUE);
  beckon_code_block_set_wrap (self->arguments_block, TRUE);
  beckon_request_card_set_entry (BECKON_REQUEST_CARD (self), self->found_entry);
}

