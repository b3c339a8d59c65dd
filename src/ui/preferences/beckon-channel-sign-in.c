/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-sign-in.h"

#include "base/beckon-text.h"
#include "channels/beckon-channel-kind.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-qr-code.h"

#include <glib/gi18n-lib.h>

struct _BeckonChannelSignIn
{
  AdwPreferencesGroup parent_instance;

  BeckonChannel *channel; /* (owned) */

  GtkWidget *sign_in_button;
  GtkWidget *code_box;
  BeckonQrCode *qr_code;
  GtkLabel *link_label;
  GtkLabel *hint_label;
  GtkEditable *code_row;
};

G_DEFINE_FINAL_TYPE (BeckonChannelSignIn, beckon_channel_sign_in, ADW_TYPE_PREFERENCES_GROUP)

static const char *
channel_sign_in_get_hint (BeckonChannelSignIn *self, BeckonChannelPrompt prompt, const char *text)
{
  switch (prompt)
    {
    case BECKON_CHANNEL_PROMPT_QR:
      return beckon_qr_code_has_code (self->qr_code) ? _("Scan the code with the app on your phone.")
                                                     : _("Open this link on your phone. This build draws no codes to scan.");
    case BECKON_CHANNEL_PROMPT_SCANNED:
      return _("Scanned. Confirm it on the phone.");
    case BECKON_CHANNEL_PROMPT_CODE:
      return text != NULL ? text : _("Enter the code that the phone shows.");
    case BECKON_CHANNEL_PROMPT_NONE:
    default:
      return _("One moment…");
    }
}

static void
channel_sign_in_update (BeckonChannelSignIn *self)
{
  BeckonChannelAdapter *adapter = beckon_channel_get_adapter (self->channel);
  gboolean is_signing_in = beckon_channel_adapter_get_state (adapter) == BECKON_CHANNEL_SIGNING_IN;
  const char *text = NULL, *link;
  g_autofree char *shown = NULL;
  BeckonChannelPrompt prompt;
  gboolean wants_code;
  GtkWidget *row;
  gboolean is_there;

  gtk_widget_set_visible (GTK_WIDGET (self), beckon_channel_adapter_has_sign_in (adapter));
  gtk_widget_set_sensitive (self->sign_in_button, beckon_channel_is_served (self->channel));
  gtk_button_set_label (GTK_BUTTON (self->sign_in_button), is_signing_in ? _("Begin Again") : _("Sign In"));
  beckon_own_name_set (self->sign_in_button, _("Sign in to the channel"));

  prompt = beckon_channel_adapter_get_prompt (adapter, &text);
  wants_code = is_signing_in && prompt == BECKON_CHANNEL_PROMPT_CODE;
  link = is_signing_in && prompt == BECKON_CHANNEL_PROMPT_QR ? text : NULL;
  shown = link != NULL ? beckon_text_for_display (link, -1, BECKON_TEXT_EXACT) : g_strdup ("");
  beckon_qr_code_set_text (self->qr_code, link);
  gtk_widget_set_visible (GTK_WIDGET (self->qr_code), beckon_qr_code_has_code (self->qr_code));
  gtk_label_set_text (self->link_label, shown);
  gtk_widget_set_visible (self->code_box, link != NULL);
  gtk_label_set_text (self->hint_label, channel_sign_in_get_hint (self, prompt, text));
  gtk_widget_set_visible (GTK_WIDGET (self->hint_label), is_signing_in);

  /* A list whose rows are all hidden would be a grey bar. */
  row = GTK_WIDGET (self->code_row);
  is_there = gtk_widget_get_parent (row) != NULL;
  if (wants_code && !is_there)
    {
      gtk_editable_set_text (self->code_row, "");
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
    }
  else if (!wants_code && is_there)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), row);
}

static void
on_sign_in_clicked (BeckonChannelSignIn *self)
{
  BeckonChannelAccount *account = beckon_channel_get_account (self->channel);

  beckon_channel_config_sign_in (beckon_channel_get_adapter (self->channel), account->config);
}

static void
on_code_entered (BeckonChannelSignIn *self)
{
  g_autofree char *code = g_strdup (gtk_editable_get_text (self->code_row));

  beckon_channel_adapter_enter (beckon_channel_get_adapter (self->channel), code);
}

static void
channel_sign_in_on_copy_clicked (BeckonChannelSignIn *self)
{
  const char *text = beckon_qr_code_get_text (self->qr_code);

  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
beckon_channel_sign_in_dispose (GObject *object)
{
  g_clear_object (&BECKON_CHANNEL_SIGN_IN (object)->channel);
  G_OBJECT_CLASS (beckon_channel_sign_in_parent_class)->dispose (object);
}

static void
beckon_channel_sign_in_class_init (BeckonChannelSignInClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_channel_sign_in_dispose;
  g_type_ensure (BECKON_TYPE_QR_CODE);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/channel-sign-in.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelSignIn, sign_in_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelSignIn, code_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelSignIn, qr_code);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelSignIn, link_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelSignIn, hint_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelSignIn, code_row);
  gtk_widget_class_bind_template_callback (widget_class, on_sign_in_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_code_entered);
  gtk_widget_class_bind_template_callback (widget_class, channel_sign_in_on_copy_clicked);
}

static void
beckon_channel_sign_in_init (BeckonChannelSignIn *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_entry_row_name (self->code_row);
}

void
beckon_channel_sign_in_set_channel (BeckonChannelSignIn *self, BeckonChannel *channel)
{
  self->channel = g_object_ref (channel);
  g_signal_connect_object (channel, "changed", G_CALLBACK (channel_sign_in_update), self, G_CONNECT_SWAPPED);
  channel_sign_in_update (self);
}
