/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-window.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-channel-editor.h"
#include "channels/beckon-channel-kind.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-flow-layout.h"
#include "ui/widgets/beckon-qr-code.h"

#include <glib/gi18n-lib.h>

#define BECKON_TYPE_CHANNEL_SIGN_IN (beckon_channel_sign_in_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelSignIn, beckon_channel_sign_in, BECKON, CHANNEL_SIGN_IN, AdwPreferencesGroup)

/*
 * Leads a person through a sign-in of a channel: a code to scan, words of what comes next, a field for what the phone shows. It
 * is hidden where a token is entered instead. Main thread.
 */
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

/* Set once. */
static void
channel_sign_in_set_channel (BeckonChannelSignIn *self, BeckonChannel *channel)
{
  self->channel = g_object_ref (channel);
  g_signal_connect_object (channel, "changed", G_CALLBACK (channel_sign_in_update), self, G_CONNECT_SWAPPED);
  channel_sign_in_update (self);
}

struct _BeckonChannelWindow
{
  BeckonSheet parent_instance;

  BeckonRuntime *runtime;   /* (owned) */
  BeckonChannels *channels; /* (owned) */
  BeckonChannel *channel;   /* (owned) */
  char *code;               /* (owned) (nullable): that was made here */
  gint64 made_at;
  gint64 until_before; /* when the code before that ended */
  guint expiry;        /* a timeout */
  gboolean is_gone;
  gboolean is_testing; /* a line was sent for it, and nothing is known of it yet */

  AdwToastOverlay *toasts;
  AdwActionRow *state_row;
  GtkWidget *test_button;
  BeckonChannelSignIn *sign_in_group;
  AdwActionRow *peer_row;
  AdwPreferencesGroup *pairing_group;
  GtkWidget *pair_button;
  GtkWidget *unpair_button;
  GtkWidget *code_row;
  GtkLabel *code_label;
};

G_DEFINE_FINAL_TYPE (BeckonChannelWindow, beckon_channel_window, BECKON_TYPE_SHEET)

static guint removed_signal;

static void
channel_window_tell (BeckonChannelWindow *self, const char *words)
{
  adw_toast_overlay_add_toast (self->toasts, beckon_toast_new (words));
}

static BeckonChannelAccount *
channel_window_get_account (BeckonChannelWindow *self)
{
  return beckon_channel_get_account (self->channel);
}

/* --- What is shown ------------------------------------------------------------------------------------------------ */

static char *
describe_peer (BeckonChannelAccount *account)
{
  g_autofree char *name = NULL;
  g_autofree char *address = NULL;

  if (account->address == NULL)
    return g_strdup (_("Nobody yet. Only people you have paired can talk to the agent."));
  address = beckon_text_for_display (account->address, -1, BECKON_TEXT_EXACT);
  if (account->peer_name == NULL || *account->peer_name == '\0')
    return g_steal_pointer (&address);
  name = beckon_text_for_display (account->peer_name, -1, BECKON_TEXT_EXACT);
  /* Translators: a person's name, which they chose, and their address on a channel */
  return beckon_text_printf (_("%1$s (%2$s)"), name, address);
}

/* The one that was made here is shown before the store says so, until somebody is paired or it is void. */
static void
show_code (BeckonChannelWindow *self, BeckonChannelAccount *account)
{
  const gint64 now = g_get_real_time ();
  const char *words = NULL;
  const char *code = NULL;

  if (account->paired_at >= self->made_at)
    g_clear_pointer (&self->code, g_free);
  if (account->pair_until > now && account->pair_code != NULL)
    code = account->pair_code;
  else if (self->code != NULL && account->pair_until == self->until_before)
    code = self->code;
  if (code != NULL)
    words = _("Send this code to Beckon from your phone.");
  else if (account->pair_until > now || self->code != NULL)
    words = _("This code is void: it has expired, or wrong ones were sent too often. Make a new one.");
  gtk_label_set_text (self->code_label, code != NULL ? code : "");
  gtk_widget_set_visible (self->code_row, code != NULL);
  adw_preferences_group_set_description (self->pairing_group, words);
}

static void
channel_window_update (BeckonChannelWindow *self)
{
  BeckonChannelAccount *account = channel_window_get_account (self);
  g_autofree char *name = beckon_text_for_display (account->name, -1, BECKON_TEXT_EXACT);
  g_autofree char *words = beckon_channel_dup_words (self->channel);
  g_autofree char *shown = beckon_text_for_display (words, -1, BECKON_TEXT_PROSE);
  BeckonChannelOutbox *outbox;
  const BeckonChannelKind *kind = beckon_channel_kind_find (account->kind);
  g_autofree char *peer = describe_peer (account);

  beckon_sheet_set_title (BECKON_SHEET (self), name);
  adw_action_row_set_subtitle (self->state_row, shown);
  gtk_widget_set_sensitive (self->test_button, !self->is_testing);

  /* As the errors of servers look. */
  outbox = beckon_channel_get_outbox (self->channel);
  if (beckon_channel_get_state (self->channel) == BECKON_CHANNEL_FAILED
      || (outbox != NULL && beckon_channel_outbox_get_problem (outbox) != NULL))
    gtk_widget_add_css_class (GTK_WIDGET (self->state_row), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->state_row), "error");

  /* Pairing has no place where messages only leave. */
  gtk_widget_set_visible (GTK_WIDGET (self->pairing_group), kind == NULL || !kind->is_one_way);
  adw_action_row_set_subtitle (self->peer_row, peer);
  gtk_widget_set_visible (self->unpair_button, account->address != NULL);
  show_code (self, account);
}

/* --- What can be done --------------------------------------------------------------------------------------------- */

static void
end_test (BeckonChannelWindow *self, const char *words)
{
  if (!self->is_testing)
    return;
  self->is_testing = FALSE;
  gtk_widget_set_sensitive (self->test_button, TRUE);
  channel_window_tell (self, words);
}

static void
on_test_sent (BeckonChannelWindow *self)
{
  end_test (self, _("It works."));
}

static void
on_test_failed (BeckonChannelWindow *self)
{
  end_test (self, beckon_channel_outbox_get_problem (beckon_channel_get_outbox (self->channel)));
}

/* Until somebody is paired, the connection is all there is to test. */
static void
on_test_clicked (BeckonChannelWindow *self)
{
  g_autofree char *words = beckon_channel_dup_words (self->channel);
  g_autofree char *shown = beckon_text_for_display (words, -1, BECKON_TEXT_PROSE);
  g_autoptr (GError) error = NULL;
  gboolean is_known = channel_window_get_account (self)->address == NULL
                      || beckon_channel_get_state (self->channel) == BECKON_CHANNEL_FAILED
                      || beckon_channel_get_state (self->channel) == BECKON_CHANNEL_SIGNED_OUT;

  self->is_testing = !is_known && beckon_channels_test (self->channels, self->channel, &error);
  gtk_widget_set_sensitive (self->test_button, !self->is_testing);
  if (is_known)
    channel_window_tell (self, shown);
  else if (error != NULL)
    channel_window_tell (self, error->message);
}

static gboolean
on_expired (gpointer user_data)
{
  BeckonChannelWindow *self = user_data;

  self->expiry = 0;
  show_code (self, channel_window_get_account (self));
  return G_SOURCE_REMOVE;
}

static void
on_paired (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *code = beckon_channels_pair_finish (BECKON_CHANNELS (source), result, &error);

  if (self->is_gone)
    return;
  gtk_widget_set_sensitive (self->pair_button, TRUE);
  if (code == NULL)
    {
      channel_window_tell (self, error->message);
      return;
    }
  g_free (self->code);
  self->code = g_steal_pointer (&code);
  g_clear_handle_id (&self->expiry, g_source_remove);
  self->expiry = g_timeout_add_seconds (BECKON_CHANNEL_PAIR_S + 1, on_expired, self);
  show_code (self, channel_window_get_account (self));
}

static void
on_pair_clicked (BeckonChannelWindow *self)
{
  gtk_widget_set_sensitive (self->pair_button, FALSE);
  self->made_at = g_get_real_time ();
  self->until_before = channel_window_get_account (self)->pair_until;
  beckon_channels_pair_async (self->channels, self->channel, NULL, on_paired, g_object_ref (self));
}

static void
on_unpaired (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_channels_unpair_finish (BECKON_CHANNELS (source), result, &error) && !self->is_gone)
    channel_window_tell (self, error->message);
}

static void
on_unpair_clicked (BeckonChannelWindow *self)
{
  beckon_channels_unpair_async (self->channels, self->channel, NULL, on_unpaired, g_object_ref (self));
}

static void
channel_window_on_copy_clicked (BeckonChannelWindow *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), gtk_label_get_text (self->code_label));
  channel_window_tell (self, _("Copied"));
}

static void
on_edit_clicked (BeckonChannelWindow *self)
{
  GtkWidget *editor = beckon_channel_editor_new (self->runtime, self->channels, self->channel);

  beckon_sheet_present (BECKON_SHEET (editor), GTK_WIDGET (self));
}

static void
channel_window_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_removed = beckon_channels_remove_finish (BECKON_CHANNELS (source), result, &error);

  if (self->is_gone)
    return;
  if (!is_removed)
    {
      channel_window_tell (self, error->message);
      return;
    }
  g_signal_emit (self, removed_signal, 0, channel_window_get_account (self)->name);
  beckon_sheet_close (BECKON_SHEET (self));
}

static void
on_remove_answered (GtkWidget *alert, const char *response, gpointer user_data)
{
  BeckonChannelWindow *self = user_data;

  if (g_str_equal (response, "remove"))
    beckon_channels_remove_async (self->channels, self->channel, NULL, channel_window_on_removed, g_object_ref (self));
}

static void
channel_window_on_remove_clicked (BeckonChannelWindow *self)
{
  g_autofree char *name = beckon_text_for_display (channel_window_get_account (self)->name, -1, BECKON_TEXT_EXACT);
  /* Translators: a channel */
  g_autofree char *heading = beckon_text_printf (_("Remove %s?"), name);
  GtkWidget *alert = beckon_alert_new (heading, _("Its sign-in and its pairing are forgotten. Conversations stay."));

  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "remove", _("_Remove"), NULL);
  beckon_alert_set_appearance (alert, "remove", ADW_RESPONSE_DESTRUCTIVE);
  beckon_alert_set_defaults (alert, "cancel", "cancel");
  g_signal_connect_object (alert, "response", G_CALLBACK (on_remove_answered), self, 0);
  beckon_alert_present (alert, GTK_WIDGET (self));
}

/* --- The class ---------------------------------------------------------------------------------------------------- */

static void
beckon_channel_window_dispose (GObject *object)
{
  BeckonChannelWindow *self = BECKON_CHANNEL_WINDOW (object);

  self->is_gone = TRUE;
  if (self->channel != NULL)
    g_signal_handlers_disconnect_by_data (self->channel, self);
  g_clear_handle_id (&self->expiry, g_source_remove);
  g_clear_object (&self->runtime);
  g_clear_object (&self->channels);
  G_OBJECT_CLASS (beckon_channel_window_parent_class)->dispose (object);
}

static void
beckon_channel_window_finalize (GObject *object)
{
  BeckonChannelWindow *self = BECKON_CHANNEL_WINDOW (object);

  g_clear_object (&self->channel);
  g_free (self->code);
  G_OBJECT_CLASS (beckon_channel_window_parent_class)->finalize (object);
}

static void
beckon_channel_window_class_init (BeckonChannelWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_channel_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_channel_window_finalize;
  g_type_ensure (BECKON_TYPE_CHANNEL_SIGN_IN);
  g_type_ensure (BECKON_TYPE_FLOW_LAYOUT);
  removed_signal = g_signal_new ("removed", BECKON_TYPE_CHANNEL_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                 G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/channel-window.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelWindow, state_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelWindow, test_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelWindow, sign_in_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelWindow, peer_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelWindow, pair_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelWindow, pairing_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelWindow, unpair_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelWindow, code_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelWindow, code_label);
  gtk_widget_class_bind_template_callback (widget_class, on_test_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_pair_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_unpair_clicked);
  gtk_widget_class_bind_template_callback (widget_class, channel_window_on_copy_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_edit_clicked);
  gtk_widget_class_bind_template_callback (widget_class, channel_window_on_remove_clicked);
}

static void
beckon_channel_window_init (BeckonChannelWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_channel_window_new (BeckonRuntime *runtime, BeckonChannels *channels, BeckonChannel *channel)
{
  BeckonChannelWindow *self = g_object_new (BECKON_TYPE_CHANNEL_WINDOW, NULL);

  self->runtime = g_object_ref (runtime);
  self->channels = g_object_ref (channels);
  self->channel = g_object_ref (channel);
  channel_sign_in_set_channel (self->sign_in_group, channel);
  g_signal_connect_object (channel, "changed", G_CALLBACK (channel_window_update), self, G_CONNECT_SWAPPED);
  if (beckon_channel_get_outbox (channel) != NULL)
    {
      g_signal_connect_object (beckon_channel_get_outbox (channel), "sent", G_CALLBACK (on_test_sent), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (beckon_channel_get_outbox (channel), "failed", G_CALLBACK (on_test_failed), self,
                               G_CONNECT_SWAPPED);
    }
  channel_window_update (self);
  return GTK_WIDGET (self);
}
