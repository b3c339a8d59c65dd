/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-trust-card.h"

#include "base/beckon-text.h"
#include "base/beckon-text-printf.h"
#include "beckon-card-settler.h"
#include "beckon-request-card.h"
#include "request/beckon-trust-request.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/widgets/beckon-key-label.h"

#include <glib/gi18n-lib.h>

struct _BeckonTrustCard
{
  AdwBin parent_instance;

  BeckonRequest *request;     /* (owned) */
  BeckonCardSettler *settler; /* (owned) */

  GtkLabel *title_label;
  AdwBin *corner;
  GtkLabel *folder_label;
  GtkBox *files_box;
  GtkWidget *use_button;
  GtkLabel *error_label;
};

static void beckon_trust_card_request_card_init (BeckonRequestCardInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonTrustCard, beckon_trust_card, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_REQUEST_CARD, beckon_trust_card_request_card_init))

static void
on_use_clicked (BeckonTrustCard *self)
{
  beckon_card_settler_settle (self->settler, BECKON_ANSWER_APPROVED, NULL);
}

static void
on_refuse_clicked (BeckonTrustCard *self)
{
  beckon_card_settler_settle (self->settler, BECKON_ANSWER_DECLINED, NULL);
}

/* Instructions count without being asked for, servers run programs, and changes are what this is about: all are open. */
static gboolean
trust_card_is_open (BeckonTrustCard *self, const BeckonFolderExtra *extra, const char *shown)
{
  BeckonFolderExtras *before = beckon_trust_request_get_before (BECKON_TRUST_REQUEST (self->request));

  return *shown != '\0' && (before != NULL || extra->kind == BECKON_FOLDER_EXTRA_INSTRUCTIONS
                            || extra->kind == BECKON_FOLDER_EXTRA_SERVER);
}

/* @words: (nullable) */
static void
trust_card_add_words (BeckonTrustCard *self, const char *words, const char *css_class)
{
  GtkWidget *label;

  if (words == NULL)
    return;
  label = gtk_label_new (words);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (self->files_box, label);
}

/* Text to decide on hides nothing. */
static void
trust_card_add_file (BeckonTrustCard *self, const BeckonFolderExtra *extra)
{
  BeckonTrustRequest *request = BECKON_TRUST_REQUEST (self->request);
  g_autofree char *line = beckon_trust_request_dup_line (request, extra);
  g_autofree char *shown = beckon_trust_request_dup_text (request, extra);
  g_autofree char *difference = beckon_folder_extras_dup_difference (beckon_trust_request_get_before (request), extra);
  g_autofree char *reach = beckon_trust_request_dup_reach (request, extra);
  g_autofree char *missing = beckon_trust_request_dup_missing (request, extra);
  GtkWidget *label = gtk_label_new (line);
  GtkWidget *expander = gtk_expander_new (NULL);
  GtkWidget *block = beckon_code_block_new ();

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_expander_set_label_widget (GTK_EXPANDER (expander), label);
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

static void
trust_card_show_request (BeckonTrustCard *self)
{
  BeckonTrustRequest *request = BECKON_TRUST_REQUEST (self->request);
  BeckonFolderExtras *extras = beckon_trust_request_get_extras (request);
  g_autofree char *title = beckon_trust_request_dup_sentence (request);
  g_autofree char *exact = beckon_text_for_display (beckon_trust_request_get_folder (request), -1, BECKON_TEXT_EXACT);
  g_autofree char *folder = beckon_text_printf ("%s", exact);

  gtk_label_set_text (self->title_label, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_label_set_text (self->folder_label, folder);
  for (guint i = 0; i < beckon_folder_extras_get_n (extras); i++)
    trust_card_add_file (self, beckon_folder_extras_get (extras, i));
}

void
beckon_trust_card_set_clock (BeckonTrustCard *self, BeckonClock *clock)
{
  beckon_card_settler_set_clock (self->settler, clock);
}

static void
trust_card_focus (BeckonRequestCard *card)
{
  gtk_widget_child_focus (GTK_WIDGET (BECKON_TRUST_CARD (card)->files_box), GTK_DIR_TAB_FORWARD);
}

static gboolean
trust_card_is_ready (BeckonRequestCard *card)
{
  return beckon_card_settler_is_ready (BECKON_TRUST_CARD (card)->settler);
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

static gboolean
trust_card_deny (BeckonRequestCard *card)
{
  on_refuse_clicked (BECKON_TRUST_CARD (card));
  return TRUE;
}

static AdwBin *
trust_card_get_corner (BeckonRequestCard *card)
{
  return BECKON_TRUST_CARD (card)->corner;
}

static void
beckon_trust_card_request_card_init (BeckonRequestCardInterface *iface)
{
  iface->focus = trust_card_focus;
  iface->is_ready = trust_card_is_ready;
  iface->submit = trust_card_submit;
  iface->deny = trust_card_deny;
  iface->get_corner = trust_card_get_corner;
}

static void
beckon_trust_card_dispose (GObject *object)
{
  BeckonTrustCard *self = BECKON_TRUST_CARD (object);

  g_clear_pointer (&self->settler, beckon_card_settler_free);
  g_clear_object (&self->request);
  G_OBJECT_CLASS (beckon_trust_card_parent_class)->dispose (object);
}

static void
beckon_trust_card_class_init (BeckonTrustCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_KEY_LABEL);
  G_OBJECT_CLASS (klass)->dispose = beckon_trust_card_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/trust-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonTrustCard, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonTrustCard, corner);
  gtk_widget_class_bind_template_child (widget_class, BeckonTrustCard, folder_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonTrustCard, files_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonTrustCard, use_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonTrustCard, error_label);
  gtk_widget_class_bind_template_callback (widget_class, on_use_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_refuse_clicked);
}

static void
beckon_trust_card_init (BeckonTrustCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->settler = beckon_card_settler_new (GTK_WIDGET (self), self->error_label);
}

GtkWidget *
beckon_trust_card_new (BeckonInbox *inbox, BeckonRequest *request)
{
  BeckonTrustCard *self = g_object_new (BECKON_TYPE_TRUST_CARD, NULL);

  self->request = g_object_ref (request);
  beckon_card_settler_set_request (self->settler, inbox, request);
  trust_card_show_request (self);
  return GTK_WIDGET (self);
}
