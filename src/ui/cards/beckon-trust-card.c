/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-trust-card.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "request/beckon-trust-request.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-key-label.h"

#include <glib/gi18n-lib.h>

struct _BeckonTrustCard
{
  BeckonRequestCard parent_instance;

  BeckonTrustRequest *request; /* of the card */
  BeckonCardSettler *settler;  /* of the card */

  GtkLabel *folder_label;
  GtkBox *files_box;
  GtkWidget *use_button;
};

G_DEFINE_FINAL_TYPE (BeckonTrustCard, beckon_trust_card, BECKON_TYPE_REQUEST_CARD)

static void
on_use_clicked (BeckonTrustCard *self)
{
  beckon_card_settler_settle (self->settler, BECKON_ANSWER_APPROVED, NULL);
}

/* Instructions count without being asked for, servers run programs, and changes are what this is about: all are open. */
static gboolean
trust_card_is_open (BeckonTrustCard *self, const BeckonFolderExtra *extra, const char *shown)
{
  BeckonFolderExtras *before = beckon_trust_request_get_before (self->request);

  return *shown != '\0' && (before != NULL || extra->kind == BECKON_FOLDER_EXTRA_INSTRUCTIONS
                            || extra->kind == BECKON_FOLDER_EXTRA_SERVER);
}

/* @words: (nullable) */
static void
trust_card_add_words (BeckonTrustCard *self, const char *words, const char *css_class)
{
  if (words != NULL)
    gtk_box_append (self->files_box, beckon_line_new (words, css_class));
}

static void
trust_card_show (BeckonRequestCard *card, BeckonRequest *asked)
{
  BeckonTrustCard *self = BECKON_TRUST_CARD (card);
  BeckonTrustRequest *request = BECKON_TRUST_REQUEST (asked);
  BeckonFolderExtras *extras = beckon_trust_request_get_extras (request);
  g_autofree char *title = beckon_trust_request_dup_sentence (request);
  g_autofree char *exact = beckon_text_for_display (beckon_trust_request_get_folder (request), -1, BECKON_TEXT_EXACT);
  g_autofree char *folder = beckon_text_printf ("%s", exact);

  self->request = request;
  beckon_request_card_set_title (card, title);
  gtk_label_set_text (self->folder_label, folder);
  for (guint i = 0; i < beckon_folder_extras_get_n (extras); i++)
    {
      /* Text to decide on hides nothing. */
      const BeckonFolderExtra *extra = beckon_folder_extras_get (extras, i);
      g_autofree char *line = beckon_trust_request_dup_line (self->request, extra);
      g_autofree char *shown = beckon_trust_request_dup_text (self->request, extra);
      g_autofree char *difference
          = beckon_folder_extras_dup_difference (beckon_trust_request_get_before (self->request), extra);
      g_autofree char *reach = beckon_trust_request_dup_reach (self->request, extra);
      g_autofree char *missing = beckon_trust_request_dup_missing (self->request, extra);
      GtkWidget *expander = gtk_expander_new (NULL);
      GtkWidget *block = beckon_code_block_new ();

      gtk_expander_set_label_widget (GTK_EXPANDER (expander), beckon_line_new (line, NULL));
      gtk_accessible_update_property (GTK_ACCESSIBLE (expander), GTK_ACCESSIBLE_PROPERTY_LABEL, line, -1);
      if (difference != NULL)
        beckon_code_block_set_diff (BECKON_CODE_BLOCK (block));
      beckon_code_block_set_wrap (BECKON_CODE_BLOCK (block), TRUE);
      beckon_code_block_set_text (BECKON_CODE_BLOCK (block), shown);
      gtk_expander_set_child (GTK_EXPANDER (expander), block);
      gtk_expander_set_expanded (GTK_EXPANDER (expander), trust_card_is_open (self, extra, shown));
      gtk_box_append (self->files_box, expander);
      trust_card_add_words (self, reach, "dim-label");
      trust_card_add_words (self, missing, "warning");
    }
}

static void
trust_card_focus (BeckonRequestCard *card)
{
  gtk_widget_child_focus (GTK_WIDGET (BECKON_TRUST_CARD (card)->files_box), GTK_DIR_TAB_FORWARD);
}

/* %FALSE if all were open. */
static gboolean
open_all (BeckonTrustCard *self)
{
  gboolean opened = FALSE;

  for (GtkWidget *file = gtk_widget_get_first_child (GTK_WIDGET (self->files_box)); file != NULL;
       file = gtk_widget_get_next_sibling (file))
    {
      if (!GTK_IS_EXPANDER (file))
        continue;
      opened = opened || !gtk_expander_get_expanded (GTK_EXPANDER (file));
      gtk_expander_set_expanded (GTK_EXPANDER (file), TRUE);
    }
  return opened;
}

/* A key opens what is closed before it decides. */
static gboolean
trust_card_submit (BeckonRequestCard *card)
{
  if (!open_all (BECKON_TRUST_CARD (card)))
    on_use_clicked (BECKON_TRUST_CARD (card));
  return TRUE;
}

static void
beckon_trust_card_class_init (BeckonTrustCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  BeckonRequestCardClass *card_class = BECKON_REQUEST_CARD_CLASS (klass);

  g_type_ensure (BECKON_TYPE_KEY_LABEL);
  card_class->show = trust_card_show;
  card_class->focus = trust_card_focus;
  card_class->submit = trust_card_submit;
  card_class->deny = beckon_request_card_decline;
  beckon_request_card_class_set_template (card_class, "trust-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonTrustCard, folder_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonTrustCard, files_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonTrustCard, use_button);
  gtk_widget_class_bind_template_callback (widget_class, on_use_clicked);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_refuse_clicked", G_CALLBACK (beckon_request_card_decline));
}

static void
beckon_trust_card_init (BeckonTrustCard *self)
{
  self->settler = beckon_request_card_init_template (BECKON_REQUEST_CARD (self));
}

