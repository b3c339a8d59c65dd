/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Channels in Preferences: adding one, signing in by a code against an emulator, pairing, changing and removing it. */

#include "beckon-ui-home.h"

#include "beckon-wechat-emulator.h"
#include "channels/beckon-channel-kind.h"
#include "ui/preferences/beckon-channel-editor.h"
#include "ui/preferences/beckon-channels-page.h"
#include "ui/preferences/beckon-channel-window.h"
#include "ui/preferences/beckon-preferences.h"
#include "ui/widgets/beckon-qr-code.h"

#include <string.h>

typedef struct
{
  UiHome home;
  BeckonWechatEmulator *emulator;
  BeckonChannels *channels;
} World;

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_channels_load_finish (BECKON_CHANNELS (source), result, NULL);
}

static void
set_up (World *world)
{
  BeckonChannelParts parts = { 0 };
  gboolean is_loaded = FALSE;

  ui_home_open (&world->home);
  parts.store = beckon_runtime_get_store (world->home.runtime);
  parts.inbox = beckon_runtime_get_inbox (world->home.runtime);
  parts.library = beckon_runtime_get_library (world->home.runtime);
  parts.profiles = beckon_runtime_get_profiles (world->home.runtime);
  parts.agent = beckon_runtime_get_agent (world->home.runtime);
  parts.secrets = beckon_runtime_get_secrets (world->home.runtime);
  parts.clock = beckon_clock_get_system ();
  world->emulator = beckon_wechat_emulator_new ();
  world->channels = beckon_channels_new (&parts);
  beckon_channels_load_async (world->channels, NULL, on_loaded, &is_loaded);
  ui_wait_until (is_loaded);
  beckon_channels_set_serving (world->channels, TRUE);
}

static void
tear_down (World *world)
{
  beckon_channels_set_serving (world->channels, FALSE);
  ui_settle ();
  g_object_unref (world->channels);
  ui_home_close (&world->home);
  beckon_wechat_emulator_free (world->emulator);
}

static void
on_saved (GtkWidget *editor, BeckonChannel *channel, gpointer user_data)
{
  *(BeckonChannel **) user_data = channel;
}

/* The first kind of the list is another one where a build has XMPP. */
static void
choose_kind (GtkWidget *editor, const char *kind)
{
  AdwComboRow *row = ADW_COMBO_ROW (ui_find_type (editor, ADW_TYPE_COMBO_ROW));
  const BeckonChannelKind *const *kinds;
  guint n;

  kinds = beckon_channel_kind_list (&n);
  for (guint i = 0; i < n; i++)
    if (strcmp (kinds[i]->name, kind) == 0)
      adw_combo_row_set_selected (row, i);
}

static void
choose_wechat (GtkWidget *editor)
{
  choose_kind (editor, "wechat");
  ui_wait_until (ui_find_field (editor, "Server (WeChat’s own if it is empty)") != NULL);
}

/* Fills in the editor, which goes when it has saved. */
static BeckonChannel *
add_channel (World *world, const char *name)
{
  GtkWidget *editor = ui_present (beckon_channel_editor_new (world->home.runtime, world->channels, NULL));
  BeckonChannel *channel = NULL;

  g_signal_connect (editor, "saved", G_CALLBACK (on_saved), &channel);
  choose_wechat (editor);
  g_assert_cmpstr (ui_typed (editor, "Name"), ==, "WeChat");
  ui_type (editor, "Name", name);
  ui_type (editor, "Server (WeChat’s own if it is empty)", beckon_wechat_emulator_get_base (world->emulator));
  ui_click (editor, "Add the channel");
  ui_wait_until (channel != NULL);
  return channel;
}

static BeckonChannelState
get_state (BeckonChannel *channel)
{
  return beckon_channel_adapter_get_state (beckon_channel_get_adapter (channel));
}

static void
test_add (UiFixture *fixture, gconstpointer data)
{
  World world;
  BeckonChannel *channel;
  GtkWidget *preferences;

  set_up (&world);
  preferences = ui_present (beckon_preferences_new (world.home.runtime, world.channels));
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "channels", "");
  ui_wait_until (ui_find_text (preferences, "No channels yet.") != NULL);
  channel = add_channel (&world, "Phone");
  ui_wait_until (ui_find_type (preferences, BECKON_TYPE_CHANNEL_ROW) != NULL);
  ui_wait_until (get_state (channel) == BECKON_CHANNEL_SIGNED_OUT);
  ui_wait_until (ui_find_text (preferences, "WeChat · Scan a code with WeChat to sign in.") != NULL);
  g_assert_null (ui_find_text (preferences, "No channels yet."));
  ui_destroy (preferences);
  tear_down (&world);
}

/* Settings that do not fit are said in the editor, and nothing is stored. */
static void
test_bad_settings (UiFixture *fixture, gconstpointer data)
{
  World world;
  GtkWidget *editor;

  set_up (&world);
  editor = ui_present (beckon_channel_editor_new (world.home.runtime, world.channels, NULL));
  choose_wechat (editor);
  ui_type (editor, "Server (WeChat’s own if it is empty)", "http://example.com/");
  ui_click (editor, "Add the channel");
  ui_wait_until (ui_find_text (editor, "has to begin with https://") != NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (world.channels)), ==, 0);
  ui_destroy (editor);
  tear_down (&world);
}

/* The editor begins at the kind, not at a button that closes it, and its key saves it. */
static void
test_keys (UiFixture *fixture, gconstpointer data)
{
  World world;
  GtkWidget *editor;
  BeckonChannel *channel = NULL;

  set_up (&world);
  editor = ui_present (beckon_channel_editor_new (world.home.runtime, world.channels, NULL));
  g_signal_connect (editor, "saved", G_CALLBACK (on_saved), &channel);
  g_assert_true (ADW_IS_COMBO_ROW (ui_get_focus (editor)));
  choose_wechat (editor);
  ui_type (editor, "Server (WeChat’s own if it is empty)", beckon_wechat_emulator_get_base (world.emulator));
  g_assert_true (gtk_widget_activate_action (editor, "editor.save", NULL));
  ui_wait_until (channel != NULL);
  tear_down (&world);
}

static void
test_sign_in (UiFixture *fixture, gconstpointer data)
{
  World world;
  BeckonChannel *channel;
  GtkWidget *window;
  BeckonQrCode *code;

  set_up (&world);
  channel = add_channel (&world, "Phone");
  ui_wait_until (get_state (channel) == BECKON_CHANNEL_SIGNED_OUT);
  window = ui_present (beckon_channel_window_new (world.home.runtime, world.channels, channel));
  g_assert_null (ui_find_type (window, ADW_TYPE_ENTRY_ROW));
  ui_click (window, "Sign in to the channel");
  ui_wait_until (ui_find_text (window, "https://liteapp.weixin.qq.com/q/1") != NULL);
  code = BECKON_QR_CODE (ui_find_type (window, BECKON_TYPE_QR_CODE));
  g_assert_true (beckon_qr_code_has_code (code));
  g_assert_cmpstr (beckon_qr_code_get_text (code), ==, "https://liteapp.weixin.qq.com/q/1");
  g_assert_nonnull (ui_find_named (window, "QR code to sign in with"));

  beckon_wechat_emulator_add_state (world.emulator, "scaned");
  ui_wait_until (ui_find_text (window, "Scanned. Confirm it on the phone.") != NULL);
  g_assert_null (ui_find_type (window, BECKON_TYPE_QR_CODE));
  beckon_wechat_emulator_add_state (world.emulator, "need_verifycode");
  beckon_wechat_emulator_add_state (world.emulator, "need_verifycode");
  ui_wait_until (ui_find_field (window, "Code on the Phone") != NULL);
  ui_type (window, "Code on the Phone", BECKON_WECHAT_EMULATOR_CODE);
  g_signal_emit_by_name (gtk_widget_get_ancestor (ui_find_field (window, "Code on the Phone"), ADW_TYPE_ENTRY_ROW), "apply");
  beckon_wechat_emulator_add_state (world.emulator, "confirmed");
  ui_wait_until (get_state (channel) == BECKON_CHANNEL_CONNECTED);
  g_assert_null (ui_find_field (window, "Code on the Phone"));
  g_assert_nonnull (strstr (beckon_channel_get_account (channel)->config, BECKON_WECHAT_EMULATOR_BOT));
  ui_destroy (window);
  tear_down (&world);
}

static void
sign_in (World *world, BeckonChannel *channel)
{
  ui_wait_until (get_state (channel) == BECKON_CHANNEL_SIGNED_OUT);
  beckon_wechat_emulator_add_state (world->emulator, "confirmed");
  beckon_channel_config_sign_in (beckon_channel_get_adapter (channel), beckon_channel_get_account (channel)->config);
  ui_wait_until (get_state (channel) == BECKON_CHANNEL_CONNECTED);
}

#define SEND_CODE "Send this code to Beckon from your phone."

/* The code that the window shows pairs whoever sends it; a test line then arrives there. */
static void
test_pair (UiFixture *fixture, gconstpointer data)
{
  World world;
  BeckonChannel *channel;
  GtkWidget *window;
  const char *code;
  g_autofree char *body = NULL;

  set_up (&world);
  channel = add_channel (&world, "Phone");
  sign_in (&world, channel);
  window = ui_present (beckon_channel_window_new (world.home.runtime, world.channels, channel));
  ui_click (window, "Test the channel");
  ui_wait_until (ui_find_text (window, "Connected. Pair it with your phone next.") != NULL);
  g_assert_cmpuint (beckon_wechat_emulator_count_sent (world.emulator), ==, 0);
  g_assert_null (ui_find_text (window, SEND_CODE));
  ui_click (window, "Make a pairing code");
  ui_wait_until ((code = beckon_channel_get_account (channel)->pair_code) != NULL && ui_find_text (window, code) != NULL);
  g_assert_nonnull (ui_find_text (window, SEND_CODE));
  g_assert_cmpuint (strlen (code), ==, BECKON_CHANNEL_PAIR_LENGTH);
  beckon_wechat_emulator_write (world.emulator, BECKON_WECHAT_EMULATOR_USER, code);
  ui_wait_until (ui_find_text (window, BECKON_WECHAT_EMULATOR_USER) != NULL);
  ui_wait_until (beckon_wechat_emulator_count_sent (world.emulator) == 1);
  ui_wait_until (ui_is_usable (ui_find_button (window, "Test the channel")));
  ui_click (window, "Test the channel");
  ui_wait_until (beckon_wechat_emulator_count_sent (world.emulator) == 2);
  ui_wait_until (ui_find_text (window, "It works.") != NULL);
  body = beckon_wechat_emulator_dup_body (world.emulator, "sendmessage", 1);
  g_assert_nonnull (strstr (body, "\"context_token\":\"context-1\""));
  ui_click (window, "Unpair");
  ui_wait_until (ui_find_text (window, "Nobody yet.") != NULL);
  ui_destroy (window);
  tear_down (&world);
}

/* A code that was tried too often is no longer shown as one to send; another one can be made. */
static void
test_void_code (UiFixture *fixture, gconstpointer data)
{
  World world;
  BeckonChannel *channel;
  GtkWidget *window;
  g_autofree char *code = NULL;

  set_up (&world);
  channel = add_channel (&world, "Phone");
  sign_in (&world, channel);
  window = ui_present (beckon_channel_window_new (world.home.runtime, world.channels, channel));
  ui_click (window, "Make a pairing code");
  ui_wait_until (beckon_channel_get_account (channel)->pair_code != NULL && ui_find_text (window, SEND_CODE) != NULL);
  code = g_strdup (beckon_channel_get_account (channel)->pair_code);
  for (guint i = 0; i < BECKON_CHANNEL_PAIR_TRIES; i++)
    beckon_wechat_emulator_write (world.emulator, BECKON_WECHAT_EMULATOR_USER, "ABCD1234");
  ui_wait_until (ui_find_text (window, "wrong ones were sent too often") != NULL);
  g_assert_null (ui_find_text (window, code));
  ui_click (window, "Make a pairing code");
  ui_wait_until (beckon_channel_get_account (channel)->pair_code != NULL && ui_find_text (window, SEND_CODE) != NULL);
  g_assert_nonnull (ui_find_text (window, beckon_channel_get_account (channel)->pair_code));
  ui_destroy (window);
  tear_down (&world);
}

static gboolean
is_above (GtkWidget *editor, const char *first, const char *second)
{
  GtkWidget *upper = gtk_widget_get_ancestor (ui_find_field (editor, first), GTK_TYPE_LIST_BOX_ROW);
  GtkWidget *lower = gtk_widget_get_ancestor (ui_find_field (editor, second), GTK_TYPE_LIST_BOX_ROW);

  return gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (upper)) < gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (lower));
}

/* Messages only leave: no pairing, approvals and conversations, and a test says what became of its line. */
static void
test_push (UiFixture *fixture, gconstpointer data)
{
  World world;
  GtkWidget *editor;
  GtkWidget *window;
  BeckonChannel *channel = NULL;

  set_up (&world);
  editor = ui_present (beckon_channel_editor_new (world.home.runtime, world.channels, NULL));
  g_signal_connect (editor, "saved", G_CALLBACK (on_saved), &channel);
  choose_kind (editor, "push");
  ui_wait_until (ui_find_named (editor, "Send the Text, Too") != NULL);
  g_assert_null (ui_find_named (editor, "Approve calls from the phone"));
  g_assert_null (ui_find_text (editor, "New Conversations"));
  g_assert_true (is_above (editor, "Address that takes the messages (https://ntfy.sh/…)", "Token"));
  ui_type (editor, "Address that takes the messages (https://ntfy.sh/…)", "http://127.0.0.1:9/topic");
  gtk_switch_set_active (GTK_SWITCH (ui_find_named (editor, "Send the Text, Too")), TRUE);
  ui_click (editor, "Add the channel");
  ui_wait_until (channel != NULL);
  g_assert_nonnull (strstr (beckon_channel_get_account (channel)->config, "\"text\":\"on\""));
  window = ui_present (beckon_channel_window_new (world.home.runtime, world.channels, channel));
  ui_wait_until (ui_find_text (window, "Ready. A test tells whether it works.") != NULL);
  g_assert_null (ui_find_text (window, "Pairing"));
  g_assert_null (ui_find_text (window, "Signing In"));
  ui_click (window, "Test the channel");
  ui_wait_until (ui_find_text (window, "The last message could not be sent: Nothing answers at 127.0.0.1") != NULL);
  ui_wait_until (ui_is_usable (ui_find_button (window, "Test the channel")));
  ui_destroy (window);
  tear_down (&world);
}

static void
test_change (UiFixture *fixture, gconstpointer data)
{
  World world;
  BeckonChannel *channel;
  GtkWidget *editor;
  AdwExpanderRow *quiet;

  set_up (&world);
  channel = add_channel (&world, "Phone");
  editor = ui_present (beckon_channel_editor_new (world.home.runtime, world.channels, channel));
  g_assert_cmpstr (ui_typed (editor, "Name"), ==, "Phone");
  gtk_switch_set_active (GTK_SWITCH (ui_find_named (editor, "Approve calls from the phone")), TRUE);
  quiet = ADW_EXPANDER_ROW (ui_find_type (editor, ADW_TYPE_EXPANDER_ROW));
  adw_expander_row_set_enable_expansion (quiet, TRUE);
  ui_type (editor, "Name", "Phone 2");
  ui_click (editor, "Save the channel");
  ui_wait_until (beckon_channel_get_account (channel)->approves);
  g_assert_cmpstr (beckon_channel_get_account (channel)->name, ==, "Phone 2");
  g_assert_cmpuint (beckon_channel_get_account (channel)->quiet_from, ==, 22 * 60);
  g_assert_cmpuint (beckon_channel_get_account (channel)->quiet_to, ==, 7 * 60);
  tear_down (&world);
}

static void
test_remove (UiFixture *fixture, gconstpointer data)
{
  World world;
  GtkWidget *window;

  set_up (&world);
  window = ui_present (beckon_channel_window_new (world.home.runtime, world.channels, add_channel (&world, "Phone")));
  ui_click (window, "Remove the channel");
  ui_wait_until (ui_find_alert ("Remove Phone?") != NULL);
  ui_respond (ui_find_alert (NULL), "remove");
  ui_wait_until (g_list_model_get_n_items (G_LIST_MODEL (world.channels)) == 0);
  tear_down (&world);
}

/* --- The code ----------------------------------------------------------------------------------------------------- */

static void
test_qr_code (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *code = g_object_new (BECKON_TYPE_QR_CODE, NULL);
  int least, natural;

  g_assert_false (beckon_qr_code_has_code (BECKON_QR_CODE (code)));
  beckon_qr_code_set_text (BECKON_QR_CODE (code), "https://liteapp.weixin.qq.com/q/1");
  g_assert_true (beckon_qr_code_has_code (BECKON_QR_CODE (code)));
  ui_show (fixture, code);
  gtk_widget_measure (code, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
  g_assert_cmpint (least, <=, 320);
  g_assert_cmpint (natural, >, least);
  ui_wait_frames (fixture, 1);
  beckon_qr_code_set_text (BECKON_QR_CODE (code), NULL);
  g_assert_false (beckon_qr_code_has_code (BECKON_QR_CODE (code)));
}

int
main (int argc, char **argv)
{
  if (!ui_test_init (&argc, &argv))
    return 0;
  ui_test_add ("/ui/channels/add", test_add);
  ui_test_add ("/ui/channels/bad-settings", test_bad_settings);
  ui_test_add ("/ui/channels/keys", test_keys);
  ui_test_add ("/ui/channels/sign-in", test_sign_in);
  ui_test_add ("/ui/channels/pair", test_pair);
  ui_test_add ("/ui/channels/void-code", test_void_code);
  ui_test_add ("/ui/channels/push", test_push);
  ui_test_add ("/ui/channels/change", test_change);
  ui_test_add ("/ui/channels/remove", test_remove);
  ui_test_add ("/ui/channels/qr-code", test_qr_code);
  return g_test_run ();
}
