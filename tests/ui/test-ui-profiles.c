/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Profiles and keys in Preferences, against a real server, without a keyring. */

#include "beckon-ui-home.h"

#include "beckon-fixture-server.h"
#include "domain/beckon-memory.h"
#include "runtime/beckon-local-models.h"
#include "settings/beckon-preset-private.h"
#include "ui/conversation/beckon-welcome.h"
#include "ui/preferences/beckon-model-chooser.h"
#include "ui/preferences/beckon-preferences.h"
#include "ui/preferences/beckon-profile-details.h"
#include "ui/preferences/beckon-profile-editor.h"
#include "ui/preferences/beckon-sign-in-row-private.h"

#include <string.h>

static BeckonProfile *
find_profile (BeckonRuntime *runtime, const char *name)
{
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (runtime));

  for (guint i = 0; i < g_list_model_get_n_items (profiles); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, i);

      if (g_strcmp0 (beckon_profile_get_name (profile), name) == 0)
        return profile;
    }
  return NULL;
}

static void
add_profile (UiHome *home, const char *id, const char *name, const char *url)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (id, BECKON_PROFILE_CHAT);

  g_object_set (profile, "name", name, "model", "m", "base-url", url, NULL);
  beckon_profiles_save_async (beckon_runtime_get_profiles (home->runtime), profile, NULL, NULL, NULL);
}

static GtkWidget *
open_editor (UiHome *home, BeckonProfile *profile, const char *preset)
{
  GtkWidget *editor = beckon_profile_editor_new (home->runtime, profile, preset);

  return ui_present (editor);
}

static void
answer (BeckonFixtureServer *server, guint status, const char *body)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, status, NULL, "application/json", body);
  beckon_fixture_server_queue (server, reply);
}

static void
assert_sent_key (BeckonFixtureServer *server, guint index, const char *key)
{
  g_autofree char *header = beckon_fixture_request_dup_header (beckon_fixture_server_get_request (server, index),
                                                               "Authorization");

  g_assert_cmpstr (header, ==, key);
}

/* A provider fills in what it knows, and leaves what somebody typed. */
static void
test_provider (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *editor;
  AdwComboRow *provider;

  ui_home_open (&home);
  editor = open_editor (&home, NULL, NULL);
  provider = ADW_COMBO_ROW (ui_find_type (editor, ADW_TYPE_COMBO_ROW));
  g_assert_cmpstr (ui_typed (editor, "Base URL"), ==, "https://api.openai.com/v1");
  adw_combo_row_set_selected (provider, 1);
  g_assert_cmpstr (ui_typed (editor, "Name"), ==, "Anthropic");
  g_assert_cmpstr (ui_typed (editor, "Base URL"), ==, "https://api.anthropic.com");
  g_assert_nonnull (ui_find_text (editor, "Anthropic Messages"));
  g_assert_nonnull (ui_find_text (editor, "Web Search by the Provider"));
  ui_type (editor, "Name", "Mine");
  ui_type (editor, "Model", "my-model");
  adw_combo_row_set_selected (provider, 3);
  g_assert_cmpstr (ui_typed (editor, "Name"), ==, "Mine");
  g_assert_cmpstr (ui_typed (editor, "Model"), ==, "my-model");
  g_assert_cmpstr (ui_typed (editor, "Base URL"), ==, "https://api.deepseek.com");
  g_assert_null (ui_find_text (editor, "Web Search by the Provider"));
  ui_destroy (editor);
  ui_home_close (&home);
}

/* A wrong key, then a right one; neither is saved before somebody says so. */
static void
test_keys (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  UiHome home;
  GtkWidget *editor;

  ui_home_open (&home);
  editor = open_editor (&home, NULL, "vllm");
  ui_type (editor, "Name", "Test");
  ui_type (editor, "Base URL", beckon_fixture_server_get_base_url (server));
  ui_type (editor, "Model", "small");
  ui_type (editor, "API Key", "sk-wrong-key");
  answer (server, 401, "{\"error\":{\"message\":\"No such key: <sk-wrong-key>\"}}");
  ui_click (editor, "Test the profile");
  ui_wait_until (ui_find_text (editor, "does not accept the key") != NULL);
  g_assert_null (ui_find_text (editor, "sk-wrong-key"));
  assert_sent_key (server, 0, "Bearer sk-wrong-key");

  ui_type (editor, "API Key", "sk-right-key");
  beckon_fixture_server_queue (server, beckon_fixture_reply_new_chat ("OK"));
  ui_click (editor, "Test the profile");
  ui_wait_until (ui_find_text (editor, "It works") != NULL);
  assert_sent_key (server, 1, "Bearer sk-right-key");

  /* The profile has changed: the test said nothing of it. */
  ui_type (editor, "Model", "smaller");
  g_assert_null (ui_find_text (editor, "It works"));
  g_assert_nonnull (ui_find_text (editor, "Sends one small request to the server."));
  g_assert_null (find_profile (home.runtime, "Test"));

  /* There is no keyring here: it says what to do, and the session is offered. */
  ui_click (editor, "Save profile");
  ui_wait_until (ui_find_named (editor, "Keep the key for this session only") != NULL);
  g_assert_null (find_profile (home.runtime, "Test"));
  g_assert_true (ui_is_usable (ui_find_named (editor, "Save profile")));
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_click (editor, "Keep the key for this session only");
  ui_wait_until (editor == NULL);
  g_assert_nonnull (find_profile (home.runtime, "Test"));
  ui_home_close (&home);
}

static void
expand_details (GtkWidget *editor)
{
  GtkWidget *details = ui_find_type (editor, BECKON_TYPE_PROFILE_DETAILS);

  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (ui_find_type (details, ADW_TYPE_EXPANDER_ROW)), TRUE);
}

/* A price that nobody entered is shown with its source. */
static void
test_known_prices (UiFixture *unused, gconstpointer data)
{
  BeckonModelFacts facts = { 0, 0, -1, -1, 0, { 1.25, -1, 10 }, BECKON_FACT_SERVER };
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);
  UiHome home;
  GtkWidget *editor;

  ui_home_open (&home);
  g_object_set (profile, "name", "Test", "model", "m", "base-url", "http://127.0.0.1:9/v1", NULL);
  beckon_profile_set_facts (profile, &facts);
  editor = open_editor (&home, profile, NULL);
  expand_details (editor);
  ui_wait_until (ui_find_text (editor, "If not set: $1.25 in, $10 out (from the server)") != NULL);
  /* They are not those of another model, about which nobody said anything. */
  ui_type (editor, "Model", "other");
  ui_wait_until (ui_find_text (editor, "If not set, the cost is not counted.") != NULL);
  g_assert_null (ui_find_text (editor, "(from the server)"));
  ui_close (editor);
  facts.prices_from = BECKON_FACT_TABLE;
  beckon_profile_set_facts (profile, &facts);
  editor = open_editor (&home, profile, NULL);
  expand_details (editor);
  ui_wait_until (ui_find_text (editor, "If not set: $1.25 in, $10 out (from the table of models)") != NULL);
  ui_close (editor);
  ui_home_close (&home);
}

static GtkWidget *
ask_to_save (GtkWidget *editor)
{
  ui_click (editor, "Save profile");
  ui_wait_until (ui_find_alert ("Send the Key to Another Server?") != NULL);
  return ui_find_alert (NULL);
}

/* The address of a profile that has a key is changed: the key goes nowhere before somebody says so. */
static void
test_key_of_another_server (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonFixtureServer) first = beckon_fixture_server_new (0);
  g_autoptr (BeckonFixtureServer) second = beckon_fixture_server_new (0);
  const char *url = beckon_fixture_server_get_base_url (second);
  UiHome home;
  GtkWidget *editor;

  ui_home_open (&home);
  add_profile (&home, "mine", "Mine", beckon_fixture_server_get_base_url (first));
  ui_wait_until (find_profile (home.runtime, "Mine") != NULL);
  g_assert_true (beckon_secrets_set_for_session (beckon_runtime_get_secrets (home.runtime), "mine",
                                                 beckon_fixture_server_get_base_url (first), "sk-first", NULL));
  editor = open_editor (&home, find_profile (home.runtime, "Mine"), NULL);
  ui_wait_until (ui_find_text (editor, "Key Stored") != NULL);
  g_assert_nonnull (ui_find_text (editor, "Enter a new key above to replace it."));
  ui_type (editor, "Base URL", url);
  g_assert_nonnull (ui_find_text (editor, "is not sent to another server"));
  beckon_fixture_server_queue (second, beckon_fixture_reply_new_chat ("OK"));
  ui_click (editor, "Test the profile");
  ui_wait_until (ui_find_text (editor, "It works") != NULL);
  assert_sent_key (second, 0, NULL);

  ui_respond (ask_to_save (editor), "cancel");
  g_assert_cmpstr (beckon_profile_get_base_url (find_profile (home.runtime, "Mine")), !=, url);
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_respond (ask_to_save (editor), "take");
  ui_wait_until (editor == NULL);
  g_assert_cmpstr (beckon_profile_get_base_url (find_profile (home.runtime, "Mine")), ==, url);

  editor = open_editor (&home, find_profile (home.runtime, "Mine"), NULL);
  beckon_fixture_server_queue (second, beckon_fixture_reply_new_chat ("OK"));
  ui_click (editor, "Test the profile");
  ui_wait_until (ui_find_text (editor, "It works") != NULL);
  assert_sent_key (second, 1, "Bearer sk-first");
  ui_wait_until (ui_find_text (editor, "Key Stored") != NULL);
  ui_type (editor, "Base URL", beckon_fixture_server_get_base_url (first));
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_respond (ask_to_save (editor), "leave");
  ui_wait_until (editor == NULL);

  /* The key is bound to the second server, and not sent to the first. */
  editor = open_editor (&home, find_profile (home.runtime, "Mine"), NULL);
  ui_wait_until (ui_find_text (editor, "was entered for") != NULL);
  beckon_fixture_server_queue (first, beckon_fixture_reply_new_chat ("OK"));
  ui_click (editor, "Test the profile");
  ui_wait_until (ui_find_text (editor, "It works") != NULL);
  assert_sent_key (first, 0, NULL);
  ui_destroy (editor);
  ui_home_close (&home);
}

/* --- A program that prints the key -------------------------------------------------------------------------------- */

static void
save_and_wait (GtkWidget *editor)
{
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_click (editor, "Save profile");
  ui_wait_until (editor == NULL);
}

/* Shows where a program is entered, as a click on its row does. */
static void
show_program (GtkWidget *editor)
{
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (ui_find_type (editor, ADW_TYPE_EXPANDER_ROW)), TRUE);
  ui_wait_until (ui_find_field (editor, "Program and Arguments") != NULL);
}

/* A provider proposes one to the person, who sees it; it goes with the provider. */
static void
test_program_proposed (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *editor;
  AdwComboRow *provider;
  guint position;

  ui_home_open (&home);
  editor = open_editor (&home, NULL, NULL);
  provider = ADW_COMBO_ROW (ui_find_type (editor, ADW_TYPE_COMBO_ROW));
  g_assert_true (g_ptr_array_find (beckon_preset_get_all (), beckon_preset_lookup ("vertex"), &position));
  adw_combo_row_set_selected (provider, position);
  ui_wait_until (ui_find_field (editor, "Program and Arguments") != NULL);
  g_assert_cmpstr (ui_typed (editor, "Program and Arguments"), ==, "gcloud auth print-access-token");
  g_assert_nonnull (ui_find_text (editor, "gcloud · auth · print-access-token"));
  /* The server is not asked, and no program run, before the address is whole. */
  ui_click (editor, "Save profile");
  g_assert_nonnull (ui_find_text (editor, "Replace @LOCATION@"));
  adw_combo_row_set_selected (provider, 0);
  ui_wait_until (ui_find_field (editor, "Program and Arguments") == NULL);
  show_program (editor);
  g_assert_cmpstr (ui_typed (editor, "Program and Arguments"), ==, "");
  ui_destroy (editor);
  ui_home_close (&home);
}

static void
test_program (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonFixtureServer) first = beckon_fixture_server_new (0);
  g_autoptr (BeckonFixtureServer) second = beckon_fixture_server_new (0);
  const char *url = beckon_fixture_server_get_base_url (second);
  UiHome home;
  GtkWidget *editor;

  ui_home_open (&home);
  editor = open_editor (&home, NULL, "vllm");
  ui_type (editor, "Name", "Mine");
  ui_type (editor, "Base URL", beckon_fixture_server_get_base_url (first));
  ui_type (editor, "Model", "small");
  show_program (editor);
  ui_type (editor, "Program and Arguments", "echo 'tok-ui");
  g_assert_nonnull (ui_find_text (editor, "cannot be read"));
  ui_click (editor, "Save profile");
  g_assert_null (find_profile (home.runtime, "Mine"));
  ui_type (editor, "Program and Arguments", "echo  \"tok-ui\"");
  g_assert_nonnull (ui_find_text (editor, "echo · tok-ui"));
  ui_type (editor, "API Key", "sk-also");
  ui_click (editor, "Save profile");
  g_assert_nonnull (ui_find_text (editor, "not both."));
  ui_type (editor, "API Key", "");
  beckon_fixture_server_queue (first, beckon_fixture_reply_new_chat ("OK"));
  ui_click (editor, "Test the profile");
  ui_wait_until (ui_find_text (editor, "It works") != NULL);
  assert_sent_key (first, 0, "Bearer tok-ui");
  ui_type (editor, "Program and Arguments", "echo tok-two");
  g_assert_null (ui_find_text (editor, "It works"));
  save_and_wait (editor);
  g_assert_cmpstr (beckon_profile_get_key_command (find_profile (home.runtime, "Mine")), ==, "echo tok-two");

  /* With another address it is asked whether the key goes there. */
  editor = open_editor (&home, find_profile (home.runtime, "Mine"), NULL);
  ui_wait_until (ui_find_field (editor, "Program and Arguments") != NULL);
  g_assert_cmpstr (ui_typed (editor, "Program and Arguments"), ==, "echo tok-two");
  ui_type (editor, "Base URL", url);
  ui_click (editor, "Test the profile");
  ui_wait_until (ui_find_text (editor, "is not sent to") != NULL);
  g_assert_cmpuint (beckon_fixture_server_count_requests (second), ==, 0);
  ui_respond (ask_to_save (editor), "cancel");
  g_assert_cmpstr (beckon_profile_get_base_url (find_profile (home.runtime, "Mine")), !=, url);
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_respond (ask_to_save (editor), "take");
  ui_wait_until (editor == NULL);
  g_assert_true (g_str_has_prefix (url, "http://127.0.0.1:"));
  g_assert_true (g_str_has_prefix (url, beckon_profile_get_key_origin (find_profile (home.runtime, "Mine"))));

  editor = open_editor (&home, find_profile (home.runtime, "Mine"), NULL);
  ui_type (editor, "Base URL", beckon_fixture_server_get_base_url (first));
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_respond (ask_to_save (editor), "leave");
  ui_wait_until (editor == NULL);
  g_assert_cmpstr (beckon_profile_get_key_command (find_profile (home.runtime, "Mine")), ==, "");
  ui_home_close (&home);
}

/* --- Signing in --------------------------------------------------------------------------------------------------- */

static gboolean
on_open (const char *address, gpointer user_data, GError **error)
{
  char **opened = user_data;

  g_free (*opened);
  *opened = g_strdup (address);
  return TRUE;
}

/* A computer without a browser, or a portal that refuses. */
static gboolean
on_open_nowhere (const char *address, gpointer user_data, GError **error)
{
  on_open (address, user_data, NULL);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no program for https");
  return FALSE;
}

static void
on_text_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

/* Sends what a browser would send in the end. The kernel takes it before we look. */
static void
come_back (const char *address, const char *query)
{
  const char *escaped = strstr (address, "callback_url=") + strlen ("callback_url=");
  g_autofree char *callback = g_uri_unescape_segment (escaped, strchr (escaped, '&'), NULL);
  g_autoptr (GUri) uri = g_uri_parse (callback, G_URI_FLAGS_NONE, NULL);
  g_autofree char *request = g_strdup_printf ("GET %s?%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                                              g_uri_get_path (uri), query);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) connection =
    g_socket_client_connect_to_host (client, "127.0.0.1", (guint16) g_uri_get_port (uri), NULL, NULL);

  g_assert_nonnull (connection);
  g_assert_true (g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), request,
                                            strlen (request), NULL, NULL, NULL));
  g_socket_shutdown (g_socket_connection_get_socket (connection), FALSE, TRUE, NULL);
  for (guint i = 0; i < 50; i++)
    g_main_context_iteration (NULL, FALSE);
}

static void
test_sign_in (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  BeckonPreset *preset = beckon_preset_lookup ("openrouter");
  g_autofree char *page = g_strdup (beckon_preset_get_sign_in_url (preset));
  g_autofree char *keys = g_strdup (beckon_preset_get_sign_in_keys_url (preset));
  g_autofree char *opened = NULL;
  g_autofree char *copied = NULL;
  UiHome home;
  GtkWidget *editor;
  AdwComboRow *provider;
  guint position;

  beckon_preset_set_sign_in (preset, "http://127.0.0.1:9/auth", beckon_fixture_server_get_base_url (server));
  beckon_sign_in_row_open_with (on_open, &opened);
  ui_home_open (&home);
  editor = open_editor (&home, NULL, NULL);
  provider = ADW_COMBO_ROW (ui_find_type (editor, ADW_TYPE_COMBO_ROW));
  g_assert_null (ui_find_text (editor, "Sign In with"));
  g_assert_true (g_ptr_array_find (beckon_preset_get_all (), preset, &position));
  adw_combo_row_set_selected (provider, position);
  g_assert_nonnull (ui_find_text (editor, "Sign In with OpenRouter"));

  /* Without a browser the address can be copied, and what comes back counts. */
  g_assert_null (ui_find_named (editor, "Copy Address"));
  beckon_sign_in_row_open_with (on_open_nowhere, &opened);
  ui_click (editor, "Sign in with the browser");
  g_assert_nonnull (ui_find_text (editor, "The browser did not open (no program for https)"));
  ui_click (editor, "Copy Address");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (editor), NULL, on_text_read, &copied);
  ui_wait_until (copied != NULL);
  g_assert_cmpstr (copied, ==, opened);
  come_back (opened, "error=access_denied");
  ui_wait_until (ui_find_text (editor, "was refused in the browser") != NULL);
  beckon_sign_in_row_open_with (on_open, &opened);

  /* Stopped, refused, and failed; each can be tried again. */
  ui_click (editor, "Sign in with the browser");
  g_assert_nonnull (ui_find_text (editor, "Waiting for the browser"));
  ui_click (editor, "Stop signing in");
  g_assert_null (ui_find_text (editor, "Waiting for the browser"));
  ui_click (editor, "Sign in with the browser");
  come_back (opened, "error=access_denied");
  ui_wait_until (ui_find_text (editor, "was refused in the browser") != NULL);
  answer (server, 403, "{\"error\":{\"message\":\"Invalid code\"}}");
  ui_click (editor, "Sign in with the browser");
  come_back (opened, "code=wrong");
  ui_wait_until (ui_find_text (editor, "Invalid code") != NULL);
  g_assert_cmpstr (ui_typed (editor, "API Key"), ==, "");

  answer (server, 200, "{\"key\":\"sk-or-new\"}");
  ui_click (editor, "Sign in with the browser");
  come_back (opened, "code=right");
  ui_wait_until (*ui_typed (editor, "API Key") != '\0');
  g_assert_cmpstr (ui_typed (editor, "API Key"), ==, "sk-or-new");
  g_assert_null (ui_find_text (editor, "Invalid code"));
  /* As a typed one it is kept nowhere before Save. */
  g_assert_null (find_profile (home.runtime, "OpenRouter"));

  /* With another address it is no sign-in any more, and what was under way ends. */
  ui_click (editor, "Sign in with the browser");
  ui_type (editor, "Base URL", "https://openrouter.ai.evil.example/api/v1");
  g_assert_null (ui_find_text (editor, "Sign In with"));
  ui_destroy (editor);
  ui_home_close (&home);
  beckon_sign_in_row_open_with (NULL, NULL);
  beckon_preset_set_sign_in (preset, page, keys);
}

/* A key with a line break, and a test that is stopped. */
static void
test_refused_and_stopped (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  UiHome home;
  GtkWidget *editor;

  ui_home_open (&home);
  editor = open_editor (&home, NULL, "vllm");
  ui_type (editor, "Base URL", beckon_fixture_server_get_base_url (server));
  ui_type (editor, "Model", "small");
  ui_type (editor, "API Key", "sk-schl\xc3\xbcssel");
  ui_click (editor, "Test the profile");
  ui_wait_until (ui_find_text (editor, "another character that no key has") != NULL);
  g_assert_cmpuint (beckon_fixture_server_count_requests (server), ==, 0);

  ui_type (editor, "API Key", "");
  beckon_fixture_reply_add_hold (reply, "gate");
  beckon_fixture_server_queue (server, reply);
  ui_click (editor, "Test the profile");
  ui_wait_until (beckon_fixture_server_count_held (server, "gate") > 0);
  ui_click (editor, "Stop the test");
  g_assert_nonnull (ui_find_text (editor, "Stopped."));
  ui_destroy (editor);
  ui_home_close (&home);
}

static void
test_models (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  UiHome home;
  GtkWidget *editor;

  ui_home_open (&home);
  editor = open_editor (&home, NULL, "vllm");
  ui_type (editor, "Base URL", beckon_fixture_server_get_base_url (server));
  answer (server, 200, "{\"data\":[{\"id\":\"qwen\",\"max_model_len\":40960},{\"id\":\"llama\"},{\"id\":\"mistral\"}]}");
  gtk_menu_button_popup (GTK_MENU_BUTTON (ui_find_named (editor, "Choose a model from the server")));
  ui_wait_until (ui_find_text (editor, "mistral") != NULL);
  g_assert_nonnull (ui_find_text (editor, "40k tokens"));
  ui_type (editor, "Search models", "wen");
  ui_wait_until (ui_find_text (editor, "mistral") == NULL);
  g_signal_emit_by_name (ui_find_field (editor, "Search models"), "activate");
  g_assert_cmpstr (ui_typed (editor, "Model"), ==, "qwen");

  /* The server's window size holds, and is saved; that of another model is unknown. */
  ui_type (editor, "Name", "Mine");
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_click (editor, "Save profile");
  ui_wait_until (editor == NULL);
  g_assert_cmpuint (beckon_profile_get_effective_window (find_profile (home.runtime, "Mine")), ==, 40960);
  editor = open_editor (&home, find_profile (home.runtime, "Mine"), NULL);
  ui_type (editor, "Model", "other");
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_click (editor, "Save profile");
  ui_wait_until (editor == NULL);
  g_assert_cmpuint (beckon_profile_get_effective_window (find_profile (home.runtime, "Mine")), ==, 120000);
  ui_home_close (&home);
}

/* Presses the button of the message at the window's end. */
static void
undo (GtkWidget *preferences)
{
  ui_wait_until (ui_find_text (preferences, "Undo") != NULL);
  gtk_widget_activate (gtk_widget_get_ancestor (ui_find_text (preferences, "Undo"), GTK_TYPE_BUTTON));
}

static void
on_key (GObject *source, GAsyncResult *result, gpointer user_data)
{
  char **key = user_data;

  *key = beckon_secrets_lookup_finish (BECKON_SECRETS (source), result, NULL);
  if (*key == NULL)
    *key = g_strdup ("none");
}

static void
assert_key (UiHome *home, const char *id, const char *url, const char *expected)
{
  g_autofree char *key = NULL;

  beckon_secrets_lookup_async (beckon_runtime_get_secrets (home->runtime), id, url, FALSE, NULL, on_key, &key);
  ui_wait_until (key != NULL);
  g_assert_cmpstr (key, ==, expected);
}

/* A key that was forgotten is gone, and comes back when that is taken back. */
static void
test_forget (UiFixture *fixture, gconstpointer data)
{
  static const char url[] = "http://127.0.0.1:9/v1";
  UiHome home;
  GtkWidget *editor, *row;

  ui_home_open (&home);
  add_profile (&home, "mine", "Mine", url);
  ui_wait_until (find_profile (home.runtime, "Mine") != NULL);
  g_assert_true (beckon_secrets_set_for_session (beckon_runtime_get_secrets (home.runtime), "mine", url, "sk-mine", NULL));
  editor = open_editor (&home, find_profile (home.runtime, "Mine"), NULL);
  ui_wait_until (ui_find_text (editor, "Key Stored") != NULL);
  row = gtk_widget_get_ancestor (ui_find_text (editor, "Key Stored"), ADW_TYPE_ACTION_ROW);
  ui_click (editor, "Forget the stored key");
  ui_wait_until (!gtk_widget_get_visible (row));
  assert_key (&home, "mine", url, "none");
  ui_wait_until (ui_find_text (editor, "The key is forgotten") != NULL);
  undo (editor);
  ui_wait_until (gtk_widget_get_visible (row));
  assert_key (&home, "mine", url, "sk-mine");
  ui_destroy (editor);
  ui_home_close (&home);
}

/* Kept where there is one, and off again for a model that has none. */
static void
test_web_search (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *editor;
  BeckonProfile *profile;

  ui_home_open (&home);
  add_profile (&home, "one", "One", "https://generativelanguage.googleapis.com:9/v1beta");
  profile = find_profile (home.runtime, "One");
  beckon_profile_set_kind (profile, BECKON_PROFILE_GEMINI);
  beckon_profile_set_model (profile, "gemini-3-flash-preview");
  editor = open_editor (&home, profile, NULL);
  gtk_switch_set_active (GTK_SWITCH (ui_find_named (editor, "Web Search by the Provider")), TRUE);
  ui_click (editor, "Save profile");
  ui_wait_until (beckon_profile_get_web_search (find_profile (home.runtime, "One")));
  editor = open_editor (&home, find_profile (home.runtime, "One"), NULL);
  g_assert_true (gtk_switch_get_active (GTK_SWITCH (ui_find_named (editor, "Web Search by the Provider"))));
  ui_type (editor, "Model", "gemini-2.5-flash");
  g_assert_null (ui_find_named (editor, "Web Search by the Provider"));
  ui_click (editor, "Save profile");
  ui_wait_until (!beckon_profile_get_web_search (find_profile (home.runtime, "One")));
  ui_home_close (&home);
}

/* All of it is shown and kept; in this order others step in. */
static void
test_details (UiFixture *fixture, gconstpointer data)
{
  static const char *const fallbacks[] = { "two", "three", NULL };
  UiHome home;
  GtkWidget *editor, *details;
  BeckonProfile *profile;

  ui_home_open (&home);
  add_profile (&home, "one", "One", "http://127.0.0.1:9/v1");
  add_profile (&home, "two", "Two", "http://127.0.0.1:9/v1");
  add_profile (&home, "three", "Three", "http://127.0.0.1:9/v1");
  profile = find_profile (home.runtime, "One");
  beckon_profile_set_fallbacks (profile, fallbacks);
  beckon_profile_set_temperature (profile, 0.5);
  editor = open_editor (&home, profile, NULL);
  g_assert_nonnull (ui_find_text (editor, "1. Two"));
  ui_click (editor, "Move Three up");
  g_assert_nonnull (ui_find_text (editor, "1. Three"));
  ui_click (editor, "Remove Three");
  g_assert_nonnull (ui_find_text (editor, "1. Two"));
  undo (editor);
  ui_wait_until (ui_find_text (editor, "1. Three") != NULL);
  g_assert_nonnull (ui_find_text (editor, "2. Two"));
  ui_click (editor, "Remove Two");
  g_assert_null (ui_find_text (editor, "2. Two"));
  gtk_range_set_value (GTK_RANGE (ui_find_type (editor, GTK_TYPE_SCALE)), 83);
  g_assert_nonnull (ui_find_text (editor, "80"));
  details = ui_find_type (editor, BECKON_TYPE_PROFILE_DETAILS);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (ui_find_type (details, ADW_TYPE_EXPANDER_ROW)), TRUE);
  g_assert_cmpstr (ui_typed (editor, "Temperature, 0 to 2 (empty for the model’s default)"), ==, "0.5");
  ui_type (editor, "Temperature, 0 to 2 (empty for the model’s default)", "hot");
  ui_click (editor, "Save profile");
  g_assert_nonnull (ui_find_text (editor, "must be a number from 0 to 2"));
  ui_type (editor, "Temperature, 0 to 2 (empty for the model’s default)", "1,5");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (ui_find_named (editor, "Context Window")), 64000);
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_click (editor, "Save profile");
  ui_wait_until (editor == NULL);
  profile = find_profile (home.runtime, "One");
  g_assert_cmpstr (beckon_profile_get_fallbacks (profile)[0], ==, "three");
  g_assert_null (beckon_profile_get_fallbacks (profile)[1]);
  g_assert_cmpfloat (beckon_profile_get_temperature (profile), ==, 1.5);
  g_assert_cmpuint (beckon_profile_get_rounds (profile), ==, 80);
  g_assert_cmpuint (beckon_profile_get_context_window (profile), ==, 64000);
  ui_home_close (&home);
}

static GtkWidget *
open_preferences (UiHome *home)
{
  GtkWidget *preferences = beckon_preferences_new (home->runtime, NULL);

  return ui_present (preferences);
}

/* Many profiles fold, so that the settings below them stay in sight. */
static void
test_many_profiles (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *preferences, *more;
  UiHome home;

  ui_home_open (&home);
  for (guint i = 0; i < 12; i++)
    {
      g_autofree char *id = g_strdup_printf ("p%u", i);
      g_autofree char *name = g_strdup_printf ("Profile %u", i);

      add_profile (&home, id, name, "http://127.0.0.1:9/v1");
    }
  preferences = open_preferences (&home);
  beckon_settings_set_default_profile (beckon_runtime_get_settings (home.runtime), "p11");
  g_assert_nonnull (ui_find_text (preferences, "Profile 1"));
  g_assert_nonnull (ui_find_text (preferences, "Profile 11"));
  g_assert_null (ui_find_text (preferences, "Profile 9"));
  more = ui_find_text (preferences, "Show All 13 Profiles");
  g_assert_nonnull (more);
  g_signal_emit_by_name (gtk_widget_get_ancestor (more, ADW_TYPE_ACTION_ROW), "activated");
  g_assert_nonnull (ui_find_text (preferences, "Profile 9"));
  g_assert_null (ui_find_text (preferences, "Show All 13 Profiles"));
  ui_destroy (preferences);
  ui_home_close (&home);
}

/* A setting that is off says so, and the word can be typed. */
static void
test_never (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *preferences, *spin;
  UiHome home;

  ui_home_open (&home);
  preferences = open_preferences (&home);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "agent", NULL);
  spin = ui_find_named (preferences, "Question Timeout");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "Never");
  gtk_editable_set_text (GTK_EDITABLE (spin), "30");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpuint (beckon_settings_get_request_timeout (beckon_runtime_get_settings (home.runtime)), ==, 30);
  gtk_editable_set_text (GTK_EDITABLE (spin), "never");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpuint (beckon_settings_get_request_timeout (beckon_runtime_get_settings (home.runtime)), ==, 0);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "Never");
  gtk_editable_set_text (GTK_EDITABLE (spin), "soon");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpuint (beckon_settings_get_request_timeout (beckon_runtime_get_settings (home.runtime)), ==, 0);
  ui_destroy (preferences);
  ui_home_close (&home);
}

/* The slider is that of the chosen profile, and the switch that of the setting; both follow whoever changes them. */
static void
test_page (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *preferences, *scale, *ask;
  BeckonSettings *settings;
  UiHome home;

  ui_home_open (&home);
  settings = beckon_runtime_get_settings (home.runtime);
  add_profile (&home, "one", "One", "http://127.0.0.1:9/v1");
  preferences = open_preferences (&home);
  scale = ui_find_type (preferences, GTK_TYPE_SCALE);
  g_assert_false (gtk_widget_is_sensitive (scale));
  beckon_settings_set_default_profile (settings, "one");
  g_assert_true (gtk_widget_is_sensitive (scale));
  g_assert_nonnull (ui_find_text (preferences, "Pause After 50 Model Calls"));
  gtk_range_set_value (GTK_RANGE (scale), 117);
  g_assert_cmpuint (beckon_profile_get_rounds (find_profile (home.runtime, "One")), ==, 120);

  ask = ui_find_named (preferences, "Decide Together With the Agent");
  g_assert_true (gtk_switch_get_active (GTK_SWITCH (ask)));
  g_assert_true (gtk_widget_has_css_class (ask, "ask-switch"));
  beckon_settings_set_enable_ask_user (settings, FALSE);
  g_assert_false (gtk_switch_get_active (GTK_SWITCH (ask)));
  gtk_switch_set_active (GTK_SWITCH (ask), TRUE);
  g_assert_true (beckon_settings_get_enable_ask_user (settings));
  ui_destroy (preferences);
  ui_home_close (&home);
}

static GtkWidget *
find_focused_row (GtkWidget *preferences)
{
  GtkWidget *focus = ui_get_focus (preferences);

  return focus != NULL ? gtk_widget_get_ancestor (focus, ADW_TYPE_PREFERENCES_ROW) : NULL;
}

/* A search finds rows of all pages, and what is chosen is shown where it is. */
static void
test_search (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *preferences, *entry, *list;
  UiHome home;

  ui_home_open (&home);
  preferences = open_preferences (&home);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (beckon_preferences_get_page (BECKON_PREFERENCES (preferences))),
                                             "pages.search", NULL));
  ui_wait_until ((entry = ui_find_type (preferences, GTK_TYPE_SEARCH_ENTRY)) != NULL);
  ui_wait_until (gtk_widget_is_ancestor (ui_get_focus (preferences), entry));
  gtk_editable_set_text (GTK_EDITABLE (entry), "no such setting");
  ui_wait_until (ui_find_text (preferences, "Nothing Found") != NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "QUESTION time");
  ui_wait_until ((list = ui_find_named (preferences, "Search results")) != NULL);
  g_assert_nonnull (ui_find_text (list, "Question Timeout"));
  g_assert_null (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 1));
  g_signal_emit_by_name (entry, "activate");
  ui_wait_until (ui_find_named (preferences, "Search results") == NULL);
  g_assert_cmpstr (adw_preferences_page_get_name (beckon_preferences_get_page (BECKON_PREFERENCES (preferences))), ==, "agent");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (find_focused_row (preferences))), ==, "Question Timeout");

  gtk_widget_activate_action (find_focused_row (preferences), "pages.search", NULL);
  ui_wait_until (gtk_widget_is_ancestor (ui_get_focus (preferences), entry));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "");
  g_signal_emit_by_name (entry, "stop-search");
  ui_wait_until (!gtk_widget_is_ancestor (ui_get_focus (preferences), entry));
  ui_destroy (preferences);
  ui_home_close (&home);
}

static void
on_note_put (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_memory_put_finish (BECKON_MEMORY (source), result, NULL);
}

/* A note that was deleted comes back with its words, and says that a run wrote it. */
static void
test_notes (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonMemo) note = beckon_memo_new (NULL, "Tabs are eight wide.", 17);
  gboolean stored = FALSE;
  GtkWidget *preferences;
  UiHome home;

  ui_home_open (&home);
  note->is_from_run = TRUE;
  beckon_memory_put_async (BECKON_MEMORY (beckon_runtime_get_store (home.runtime)), note, on_note_put, &stored);
  ui_wait_until (stored);
  preferences = open_preferences (&home);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "tools", NULL);
  ui_wait_until (ui_find_field (preferences, "Note From a Run") != NULL);
  g_assert_cmpstr (ui_typed (preferences, "Note From a Run"), ==, "Tabs are eight wide.");
  ui_click (preferences, "Delete Note");
  ui_wait_until (ui_find_field (preferences, "Note From a Run") == NULL);
  undo (preferences);
  ui_wait_until (ui_find_field (preferences, "Note From a Run") != NULL);
  g_assert_cmpstr (ui_typed (preferences, "Note From a Run"), ==, "Tabs are eight wide.");
  ui_destroy (preferences);
  ui_home_close (&home);
}

/* A removal can be taken back, with what was chosen. */
static void
test_undo (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *preferences, *editor;
  g_autofree char *chosen = NULL;
  UiHome home;

  ui_home_open (&home);
  add_profile (&home, "one", "One & Only", "http://127.0.0.1:9/v1");
  beckon_settings_set_default_profile (beckon_runtime_get_settings (home.runtime), "one");
  preferences = open_preferences (&home);
  ui_click (preferences, "Edit One & Only");
  editor = ui_find_shown (BECKON_TYPE_PROFILE_EDITOR);
  g_assert_nonnull (editor);
  ui_click (editor, "Remove profile");
  ui_wait_until (find_profile (home.runtime, "One & Only") == NULL);
  ui_wait_until (ui_find_text (preferences, "One & Only removed") != NULL);
  undo (preferences);
  ui_wait_until (find_profile (home.runtime, "One & Only") != NULL);
  chosen = beckon_settings_dup_default_profile (beckon_runtime_get_settings (home.runtime));
  g_assert_cmpstr (chosen, ==, "one");
  ui_destroy (preferences);
  ui_home_close (&home);
}

/* Keys in the environment are taken only when somebody presses the button; one whose model cannot be chosen is not. */
static void
test_import (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *preferences;
  UiHome home;

  g_setenv ("GROQ_API_KEY", "gsk-from-the-environment", TRUE);
  g_setenv ("OPENROUTER_API_KEY", "sk-or-from-the-environment", TRUE);
  /* No data leaves the computer. */
  g_setenv ("https_proxy", "http://127.0.0.1:9", TRUE);
  ui_home_open (&home);
  preferences = open_preferences (&home);
  g_assert_nonnull (ui_find_text (preferences, "GROQ_API_KEY, OPENROUTER_API_KEY"));
  g_assert_null (find_profile (home.runtime, "OpenRouter"));
  ui_click (preferences, "Import keys from the environment");
  ui_wait_until (find_profile (home.runtime, "OpenRouter") != NULL);
  ui_wait_until (ui_find_text (preferences, "Groq was not imported") != NULL);
  g_assert_null (find_profile (home.runtime, "Groq"));
  g_assert_null (ui_find_text (preferences, "GROQ_API_KEY, OPENROUTER_API_KEY"));
  g_assert_nonnull (ui_find_text (preferences, "GROQ_API_KEY"));
  ui_destroy (preferences);
  ui_home_close (&home);
  g_unsetenv ("https_proxy");
  g_unsetenv ("GROQ_API_KEY");
  g_unsetenv ("OPENROUTER_API_KEY");
}

/* As the person leaves the key the server is asked, and its newest suitable model stands there with what is known of it. */
static void
test_key_left (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  GtkWidget *editor;
  UiHome home;

  ui_home_open (&home);
  editor = open_editor (&home, NULL, "vllm");
  ui_type (editor, "Base URL", beckon_fixture_server_get_base_url (server));
  gtk_widget_grab_focus (ui_find_field (editor, "API Key"));
  ui_type (editor, "API Key", "sk-wrong");
  answer (server, 401, "{\"error\":{\"message\":\"No\"}}");
  gtk_widget_grab_focus (ui_find_field (editor, "Name"));
  ui_wait_until (ui_find_text (editor, "does not accept the key") != NULL);
  g_assert_cmpstr (ui_typed (editor, "Model"), ==, "");

  gtk_widget_grab_focus (ui_find_field (editor, "API Key"));
  ui_type (editor, "API Key", "sk-right");
  answer (server, 200, "{\"data\":[{\"id\":\"small\",\"max_model_len\":40960},{\"id\":\"small-embed\"}]}");
  gtk_widget_grab_focus (ui_find_field (editor, "Name"));
  ui_wait_until (g_str_equal (ui_typed (editor, "Model"), "small"));
  g_assert_nonnull (ui_find_text (editor, "40k tokens"));
  g_assert_null (ui_find_text (editor, "does not accept the key"));
  assert_sent_key (server, 1, "Bearer sk-right");

  /* A proposal goes with its provider; what is typed is left alone. */
  adw_combo_row_set_selected (ADW_COMBO_ROW (ui_find_type (editor, ADW_TYPE_COMBO_ROW)), 1);
  g_assert_cmpstr (ui_typed (editor, "Model"), ==, "");
  ui_type (editor, "Model", "claude-sonnet-5");
  g_assert_nonnull (ui_find_text (editor, "1M tokens · $2 in, $10 out · sees pictures · reads PDFs · effort low to max"));
  gtk_widget_grab_focus (ui_find_field (editor, "API Key"));
  gtk_widget_grab_focus (ui_find_field (editor, "Name"));
  g_assert_cmpuint (beckon_fixture_server_count_requests (server), ==, 2);
  ui_destroy (editor);
  ui_home_close (&home);
}

static GtkWidget *
find_editor (void)
{
  return ui_find_shown (BECKON_TYPE_PROFILE_EDITOR);
}

/* The entry takes Escape for its own, so the popover has to be told. */
static void
leave_chooser (GtkWidget *editor)
{
  GtkWidget *chooser = ui_find_type (editor, BECKON_TYPE_MODEL_CHOOSER);
  GtkMenuButton *button = GTK_MENU_BUTTON (ui_find_type (chooser, GTK_TYPE_MENU_BUTTON));
  GtkWidget *popover = GTK_WIDGET (gtk_menu_button_get_popover (button));

  gtk_menu_button_popup (button);
  ui_wait_until (gtk_widget_get_mapped (popover));
  g_signal_emit_by_name (ui_find_type (popover, GTK_TYPE_SEARCH_ENTRY), "stop-search");
  ui_wait_until (!gtk_widget_get_visible (popover));
}

/* From a conversation whose model is gone straight to where another is chosen. */
static void
test_choose_another (UiFixture *fixture, gconstpointer data)
{
  UiHome home;

  ui_home_open (&home);
  add_profile (&home, "mine", "Mine", "http://127.0.0.1:9/v1");
  ui_wait_until (find_profile (home.runtime, "Mine") != NULL);
  beckon_settings_set_default_profile (beckon_runtime_get_settings (home.runtime), "mine");
  ui_home_show_window (&home);
  gtk_widget_activate_action (GTK_WIDGET (home.window), "win.choose-model", NULL);
  g_assert_nonnull (find_editor ());
  g_assert_cmpstr (ui_typed (find_editor (), "Name"), ==, "Mine");
  ui_wait_until (gtk_widget_get_mapped (find_editor ()));
  g_assert_true (gtk_widget_is_ancestor (ui_get_focus (find_editor ()),
                                         ui_find_type (find_editor (), BECKON_TYPE_MODEL_CHOOSER)));
  leave_chooser (find_editor ());
  ui_destroy (find_editor ());
  ui_home_close (&home);
}

/* Without a model the server is asked for one, and what was asked for goes on with it. */
static void
test_model_found (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  GtkWidget *editor;
  UiHome home;

  ui_home_open (&home);
  editor = open_editor (&home, NULL, "vllm");
  ui_type (editor, "Name", "Mine");
  ui_type (editor, "Base URL", beckon_fixture_server_get_base_url (server));
  g_assert_cmpstr (ui_typed (editor, "Model"), ==, "");
  answer (server, 200, "{\"data\":[{\"id\":\"one-embed\"},{\"id\":\"two-embed\"}]}");
  ui_click (editor, "Save profile");
  ui_wait_until (ui_find_text (editor, "Choose one of the server’s models.") != NULL);
  g_assert_null (find_profile (home.runtime, "Mine"));

  answer (server, 200, "{\"data\":[{\"id\":\"small\",\"max_model_len\":40960}]}");
  beckon_fixture_server_queue (server, beckon_fixture_reply_new_chat ("OK"));
  ui_click (editor, "Test the profile");
  ui_wait_until (ui_find_text (editor, "It works") != NULL);
  g_assert_cmpstr (ui_typed (editor, "Model"), ==, "small");
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_click (editor, "Save profile");
  ui_wait_until (editor == NULL);
  g_assert_cmpuint (beckon_profile_get_effective_window (find_profile (home.runtime, "Mine")), ==, 40960);
  ui_home_close (&home);
}

static gboolean
has_own_words (UiHome *home)
{
  g_autoptr (GVariant) words = beckon_settings_dup_prompt_parts (beckon_runtime_get_settings (home->runtime));

  return g_variant_n_children (words) > 0;
}

/* The system prompt can be read and changed; words that are ours again are not saved. */
static void
test_prompt (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GVariant) words = NULL;
  GtkWidget *preferences, *view;
  GtkTextBuffer *buffer;
  const char *own;
  UiHome home;

  ui_home_open (&home);
  preferences = open_preferences (&home);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "agent", NULL);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (ui_find_type (preferences, ADW_TYPE_EXPANDER_ROW)), TRUE);
  ui_wait_until ((view = ui_find_view (preferences, "When to Ask")) != NULL);
  buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  gtk_text_buffer_set_text (buffer, "Ask me everything.", -1);
  words = beckon_settings_dup_prompt_parts (beckon_runtime_get_settings (home.runtime));
  g_assert_true (g_variant_lookup (words, "asking", "&s", &own));
  g_assert_cmpstr (own, ==, "Ask me everything.");
  g_assert_cmpuint (g_variant_n_children (words), ==, 1);
  ui_click (preferences, "Reset the system prompt");
  g_clear_pointer (&words, g_variant_unref);
  words = beckon_settings_dup_prompt_parts (beckon_runtime_get_settings (home.runtime));
  g_assert_cmpuint (g_variant_n_children (words), ==, 0);
  undo (preferences);
  ui_wait_until (has_own_words (&home));
  g_clear_pointer (&words, g_variant_unref);
  words = beckon_settings_dup_prompt_parts (beckon_runtime_get_settings (home.runtime));
  g_assert_true (g_variant_lookup (words, "asking", "&s", &own));
  g_assert_cmpstr (own, ==, "Ask me everything.");
  ui_destroy (preferences);
  ui_home_close (&home);
}

static gboolean
has_tool_chain (UiHome *home, const char *name)
{
  g_auto (GStrv) names = beckon_settings_dup_tool_chains (beckon_runtime_get_settings (home->runtime));

  return g_strv_contains ((const char *const *) names, name);
}

static gboolean
stands_above (GtkWidget *first, GtkWidget *second)
{
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (first));
  graphene_rect_t a, b;

  return gtk_widget_compute_bounds (first, root, &a) && gtk_widget_compute_bounds (second, root, &b)
         && a.origin.y < b.origin.y;
}

/* Those that are in the home are offered, and no others. */
static void
test_tool_chains (UiFixture *fixture, gconstpointer data)
{
  g_autofree char *programs = g_build_filename (g_get_home_dir (), ".cargo", "bin", NULL);
  GtkWidget *preferences, *title, *row, *control;
  UiHome home;

  g_assert_cmpint (g_mkdir_with_parents (programs, 0700), ==, 0);
  ui_home_open (&home);
  preferences = open_preferences (&home);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "tools", NULL);
  ui_wait_until ((title = GTK_WIDGET (ui_find_text (preferences, "Rust"))) != NULL);
  row = gtk_widget_get_ancestor (title, ADW_TYPE_ACTION_ROW);
  control = adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row));
  g_assert_true (gtk_switch_get_active (GTK_SWITCH (control)));
  g_assert_nonnull (ui_find_text (preferences, "~/.cargo"));
  g_assert_null (ui_find_text (preferences, "Node (nvm)"));
  /* Below the commands, which use them. */
  ui_wait_until (stands_above (title, GTK_WIDGET (ui_find_text (preferences, "Pages on the Local Network"))));
  gtk_switch_set_active (GTK_SWITCH (control), FALSE);
  g_assert_false (has_tool_chain (&home, "rust"));
  g_assert_true (has_tool_chain (&home, "nvm"));
  gtk_switch_set_active (GTK_SWITCH (control), TRUE);
  g_assert_true (has_tool_chain (&home, "rust"));
  ui_destroy (preferences);
  ui_home_close (&home);
}

/* A local model is used with one press. */
static void
test_first_run (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) found = beckon_local_models_get_candidates ();
  g_autofree char *chosen = NULL;
  BeckonProfile *profile;
  GtkWidget *welcome;
  UiHome home;

  ui_home_open (&home);
  ui_home_show_window (&home);
  welcome = ui_find_type (home.window, BECKON_TYPE_WELCOME);
  g_assert_nonnull (welcome);
  g_assert_nonnull (ui_find_named (welcome, "Add a Key"));
  g_assert_nonnull (ui_find_named (welcome, "Take the Offline Tour"));
  /* The first step is where the keys begin. */
  ui_wait_until (gtk_window_get_focus (GTK_WINDOW (home.window)) == ui_find_named (welcome, "Add a Key"));
  g_ptr_array_set_size (found, 1);
  beckon_profile_set_model (g_ptr_array_index (found, 0), "llama3.3");
  beckon_welcome_show_found (BECKON_WELCOME (welcome), found);
  g_assert_null (ui_find_named (welcome, "Use a Model on This Computer"));
  ui_wait_until (ui_find_button (welcome, "Use Ollama") != NULL);
  ui_click (welcome, "Use Ollama");
  profile = find_profile (home.runtime, "Ollama");
  g_assert_nonnull (profile);
  g_assert_cmpint (beckon_profile_get_kind (profile), ==, BECKON_PROFILE_OLLAMA);
  g_assert_cmpstr (beckon_profile_get_model (profile), ==, "llama3.3");
  chosen = beckon_settings_dup_default_profile (beckon_runtime_get_settings (home.runtime));
  g_assert_cmpstr (chosen, ==, beckon_profile_get_id (profile));
  g_assert_null (ui_find_type (home.window, BECKON_TYPE_WELCOME));
  ui_home_close (&home);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  for (const char *const *variable = (const char *const[]){ "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "BECKON_API_KEY", NULL };
       *variable != NULL; variable++)
    g_unsetenv (*variable);
  ui_test_add ("/ui/profiles/provider", test_provider);
  ui_test_add ("/ui/profiles/keys", test_keys);
  ui_test_add ("/ui/profiles/key-of-another-server", test_key_of_another_server);
  ui_test_add ("/ui/profiles/program-proposed", test_program_proposed);
  ui_test_add ("/ui/profiles/program", test_program);
  ui_test_add ("/ui/profiles/sign-in", test_sign_in);
  ui_test_add ("/ui/profiles/refused-and-stopped", test_refused_and_stopped);
  ui_test_add ("/ui/profiles/models", test_models);
  ui_test_add ("/ui/profiles/model-found", test_model_found);
  ui_test_add ("/ui/profiles/key-left", test_key_left);
  ui_test_add ("/ui/profiles/choose-another", test_choose_another);
  ui_test_add ("/ui/profiles/forget", test_forget);
  ui_test_add ("/ui/profiles/web-search", test_web_search);
  ui_test_add ("/ui/profiles/details", test_details);
  ui_test_add ("/ui/profiles/known-prices", test_known_prices);
  ui_test_add ("/ui/profiles/page", test_page);
  ui_test_add ("/ui/profiles/search", test_search);
  ui_test_add ("/ui/profiles/many", test_many_profiles);
  ui_test_add ("/ui/profiles/never", test_never);
  ui_test_add ("/ui/profiles/notes", test_notes);
  ui_test_add ("/ui/profiles/undo", test_undo);
  ui_test_add ("/ui/profiles/import", test_import);
  ui_test_add ("/ui/profiles/prompt", test_prompt);
  ui_test_add ("/ui/profiles/tool-chains", test_tool_chains);
  ui_test_add ("/ui/profiles/first-run", test_first_run);
  return g_test_run ();
}
