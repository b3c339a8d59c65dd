/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-channel.h"

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "beckon-line-reader.h"
#include "beckon-profile-options.h"
#include "beckon-sign-in-prompt.h"
#include "channels/beckon-channel-kind.h"
#include "channels/beckon-channels.h"
#include "runtime/beckon-runtime.h"
#include "sandbox/beckon-working-folder.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

/* How long a test may take. */
#define TEST_S 60

/* How long a sign-in may take: its codes are not good for longer. */
#define SIGN_IN_S (10 * 60)

#define LONGEST_SECRET 8192

typedef struct
{
  GMainLoop *loop;
  BeckonRuntime *runtime;
  BeckonChannels *channels;
  const char *verb;
  const char *kind;
  const char *name;
  char **settings; /* (nullable): KEY=VALUE */
  char *profile;
  char *folder;
  char *mode;
  char *quiet;
  char *approvals;
  char *secret;
  gboolean secret_from_stdin;
  gboolean json;
  BeckonChannel *channel; /* (nullable) */
  BeckonSignInPrompt *prompt; /* (nullable) */
  gboolean is_tested;
  gboolean is_asked;   /* the sign-in was begun */
  gboolean is_prompted; /* and goes on */
  gint64 paired_at; /* of the peer of before */
  gint64 pair_until; /* of the code of before */
  gboolean is_leaving;
  guint sources[3];
  int status;
  GError *problem; /* (nullable): of the folder */
} Work;

static void
command_channel_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;

  beckon_runtime_close_finish (BECKON_RUNTIME (source), result, NULL);
  g_main_loop_quit (work->loop);
}

static void
command_channel_finish (Work *work, const char *problem)
{
  if (work->is_leaving)
    return;
  work->is_leaving = TRUE;
  if (problem != NULL)
    {
      beckon_command_complain ("channel", problem);
      work->status = 1;
    }
  g_clear_pointer (&work->prompt, beckon_sign_in_prompt_free);
  g_clear_object (&work->channel);
  g_clear_object (&work->channels);
  beckon_runtime_close_async (work->runtime, command_channel_on_closed, work);
}

/* --- Printing ----------------------------------------------------------------------------------------------------- */

static gboolean
can_pair (const BeckonChannelAccount *account)
{
  const BeckonChannelKind *kind = beckon_channel_kind_find (account->kind);

  return kind == NULL || !kind->is_one_way;
}

/* @at: 0 for never */
static void
write_time (BeckonJsonWriter *writer, const char *name, gint64 at)
{
  beckon_json_writer_name (writer, name);
  if (at != 0)
    beckon_json_writer_int (writer, at);
  else
    beckon_json_writer_null (writer);
}

static void
write_channel (BeckonJsonWriter *writer, BeckonChannel *channel)
{
  const BeckonChannelAccount *account = beckon_channel_get_account (channel);

  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "id", account->id);
  beckon_json_writer_member_string (writer, "kind", account->kind);
  beckon_json_writer_member_string (writer, "name", account->name);
  beckon_json_writer_name (writer, "config");
  beckon_json_writer_raw (writer, account->config, -1);
  beckon_json_writer_member_boolean (writer, "on", account->is_on);
  beckon_json_writer_member_boolean (writer, "approvals", account->approves);
  beckon_json_writer_member_string (writer, "mode", beckon_mode_to_string (account->mode));
  beckon_json_writer_member_string (writer, "folder", account->folder);
  beckon_json_writer_member_boolean (writer, "paired", can_pair (account) && account->address != NULL);
  beckon_json_writer_member_boolean (writer, "served", account->is_held);
  beckon_json_writer_member_string (writer, "state", account->state);
  write_time (writer, "state_at", account->state != NULL ? account->state_at : 0);
  beckon_json_writer_member_string (writer, "problem", account->problem);
  write_time (writer, "problem_at", account->problem_at);
  beckon_json_writer_end_object (writer);
}

static void
command_channel_print_json (GListModel *channels)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < g_list_model_get_n_items (channels); i++)
    {
      g_autoptr (BeckonChannel) channel = g_list_model_get_item (channels, i);

      write_channel (&writer, channel);
    }
  beckon_json_writer_end_array (&writer);
  beckon_cli_context_print_json (text->str);
}

static void
command_channel_list (Work *work)
{
  GListModel *channels = G_LIST_MODEL (work->channels);

  if (work->json)
    command_channel_print_json (channels);
  for (guint i = 0; !work->json && i < g_list_model_get_n_items (channels); i++)
    {
      g_autoptr (BeckonChannel) channel = g_list_model_get_item (channels, i);
      const BeckonChannelAccount *account = beckon_channel_get_account (channel);
      g_autofree char *words = beckon_channel_dup_words (channel);
      g_autofree char *name = beckon_cli_context_make_safe (account->name);
      g_autofree char *state = beckon_cli_context_make_safe (words);

      printf ("%s\t%s\t%s\t%s\n", name, account->kind, state,
              !can_pair (account) ? "" : account->address != NULL ? _("paired") : _("not paired"));
    }
  command_channel_finish (work, NULL);
}

static void
print_kinds (Work *work)
{
  guint n;
  const BeckonChannelKind *const *kinds = beckon_channel_kind_list (&n);

  for (guint i = 0; i < n; i++)
    {
      printf ("%s\t%s\n", kinds[i]->name, _(kinds[i]->title));
      for (const BeckonChannelField *field = kinds[i]->fields; field->key != NULL; field++)
        printf ("\t%s\t%s%s%s\n", field->key, _(field->title), field->hint != NULL ? "\t" : "",
                field->hint != NULL ? _(field->hint) : "");
    }
  command_channel_finish (work, NULL);
}

/* Times and states, and not a word of what was said. */
static void
on_posts_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) posts = beckon_store_list_posts_finish (BECKON_STORE (source), result, &error);

  for (guint i = 0; posts != NULL && i < posts->len; i++)
    {
      const BeckonChannelPost *post = g_ptr_array_index (posts, i);
      g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (post->made_at / G_USEC_PER_SEC);
      g_autoptr (GDateTime) local = g_date_time_to_local (utc);
      g_autofree char *time = g_date_time_format (local, "%F %T");
      g_autofree char *title = beckon_cli_context_make_safe (post->title);

      printf ("%s\t%s\t%u\t%s\n", time, beckon_channel_post_state_to_string (post->state), post->tries, title);
    }
  command_channel_finish (work, error != NULL ? error->message : NULL);
}

/* --- Changing ----------------------------------------------------------------------------------------------------- */

static gboolean
read_quiet (const char *text, BeckonChannelAccount *account)
{
  guint from_hour, from_minute, to_hour, to_minute;

  if (strcmp (text, "off") == 0)
    {
      account->quiet_from = account->quiet_to = 0;
      return TRUE;
    }
  if (sscanf (text, "%2u:%2u-%2u:%2u", &from_hour, &from_minute, &to_hour, &to_minute) != 4 || from_hour > 23 || to_hour > 23
      || from_minute > 59 || to_minute > 59)
    return FALSE;
  account->quiet_from = from_hour * 60 + from_minute;
  account->quiet_to = to_hour * 60 + to_minute;
  return TRUE;
}

static gboolean
read_profile (Work *work, BeckonChannelAccount *account)
{
  BeckonProfile *profile
      = *work->profile != '\0' ? beckon_profile_find (beckon_runtime_get_profiles (work->runtime), work->profile) : NULL;

  if (*work->profile != '\0' && profile == NULL)
    return FALSE;
  g_free (account->profile_id);
  account->profile_id = profile != NULL ? g_strdup (beckon_profile_get_id (profile)) : NULL;
  return TRUE;
}

/* (nullable): what is wrong with an option. */
static const char *
read_options (Work *work, BeckonChannelAccount *account)
{
  if (!can_pair (account) && (work->profile != NULL || work->mode != NULL || work->approvals != NULL || work->folder != NULL))
    return _("Messages only leave by this channel: it has no approvals, profile, folder and mode.");
  if (work->folder != NULL && *work->folder != '\0' && !g_file_test (work->folder, G_FILE_TEST_IS_DIR))
    return _("Folder not found.");
  if (work->folder != NULL && *work->folder != '\0')
    {
      g_autofree char *given = g_steal_pointer (&work->folder);

      work->folder = beckon_working_folder_resolve (given, &work->problem);
      if (work->folder == NULL)
        return work->problem->message;
    }
  if (work->profile != NULL && !read_profile (work, account))
    return _("Profile not found. “beckonctl profile list” shows all of them.");
  if (work->mode != NULL && !beckon_mode_from_string (work->mode, &account->mode))
    return _("Modes are “everything” and “changes”.");
  if (work->quiet != NULL && !read_quiet (work->quiet, account))
    return _("Quiet hours look like 22:00-07:00, or are “off”.");
  if (work->approvals != NULL && strcmp (work->approvals, "on") != 0 && strcmp (work->approvals, "off") != 0)
    return _("Approvals are “on” or “off”.");
  if (work->approvals != NULL)
    account->approves = strcmp (work->approvals, "on") == 0;
  if (work->folder != NULL)
    {
      g_free (account->folder);
      account->folder = *work->folder != '\0' ? g_strdup (work->folder) : NULL;
    }
  return NULL;
}

static void
command_channel_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_channels_save_finish (BECKON_CHANNELS (source), result, &error) == NULL)
    {
      command_channel_finish (work, error->message);
      return;
    }
  if (strcmp (work->verb, "add") == 0 && beckon_channel_kind_find (work->kind)->is_one_way)
    fprintf (stderr, _("Try it: beckonctl channel test %s\n"), work->name);
  else if (strcmp (work->verb, "add") == 0)
    fprintf (stderr, _("Pair it with your phone: beckonctl channel pair %s\n"), work->name);
  command_channel_finish (work, NULL);
}

/* @account: (transfer full) */
static void
command_channel_save (Work *work, BeckonChannelAccount *account)
{
  g_autoptr (BeckonChannelAccount) owned = account;
  const char *problem = read_options (work, account);
  char *config;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;

  if (problem != NULL)
    {
      command_channel_finish (work, problem);
      return;
    }

  /* Settings that are there stay, but for those that are given. */
  node = json_from_string (account->config, NULL);
  object = json_node_get_object (node);
  for (guint i = 0; work->settings != NULL && work->settings[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (work->settings[i], "=", 2);

      if (pair[0] != NULL && pair[1] != NULL)
        json_object_set_string_member (object, pair[0], pair[1]);
    }
  config = json_to_string (node, FALSE);
  g_free (account->config);
  account->config = config;
  beckon_channels_save_async (work->channels, account, work->secret, NULL, command_channel_on_saved, work);
}

static void
set_on (Work *work, gboolean is_on)
{
  BeckonChannelAccount *account = beckon_channel_account_copy (beckon_channel_get_account (work->channel));

  account->is_on = is_on;
  command_channel_save (work, account);
}

static void
command_channel_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_channels_remove_finish (BECKON_CHANNELS (source), result, &error);
  command_channel_finish (user_data, error != NULL ? error->message : NULL);
}

/* --- With the server ---------------------------------------------------------------------------------------------- */

static const char void_words[]
  = N_("This code is void: it has expired, or wrong ones were sent too often. Make a new one.");

static gboolean
command_channel_on_late (gpointer user_data)
{
  Work *work = user_data;
  g_autofree char *words = beckon_channel_dup_words (work->channel);

  command_channel_finish (work, strcmp (work->verb, "pair") == 0 ? _(void_words) : words);
  return G_SOURCE_CONTINUE;
}

static void
on_test_changed (BeckonChannel *channel, Work *work)
{
  g_autofree char *words = beckon_channel_dup_words (channel);
  g_autoptr (GError) error = NULL;

  if (beckon_channel_get_state (channel) == BECKON_CHANNEL_SIGNED_OUT
      || beckon_channel_get_state (channel) == BECKON_CHANNEL_FAILED)
    command_channel_finish (work, words);
  else if (beckon_channel_get_state (channel) == BECKON_CHANNEL_CONNECTED && !work->is_tested)
    {
      work->is_tested = TRUE;
      if (!beckon_channels_test (work->channels, channel, &error))
        command_channel_finish (work, error->message);
    }
}

/* The first try tells; nobody waits here for the next one. */
static void
on_test_failed (BeckonChannelOutbox *outbox, Work *work)
{
  command_channel_finish (work, beckon_channel_outbox_get_problem (outbox));
}

static void
on_test_sent (BeckonChannelOutbox *outbox, gpointer post, Work *work)
{
  if (!work->is_tested || work->is_leaving)
    return;
  fprintf (stderr, "%s\n", _("It works."));
  command_channel_finish (work, NULL);
}

static gboolean
is_one_way (Work *work)
{
  const BeckonChannelKind *kind = beckon_channel_kind_find (beckon_channel_get_account (work->channel)->kind);

  if (kind == NULL || !kind->is_one_way)
    return FALSE;
  command_channel_finish (work, _("Messages only leave by this channel: it works without pairing."));
  return TRUE;
}

/* Says why it can't be served here. */
static gboolean
can_serve (Work *work)
{
  const BeckonChannelAccount *account = beckon_channel_get_account (work->channel);

  if (!account->is_on)
    command_channel_finish (work, _("This channel is off. Switch it on with “beckonctl channel on”."));
  else if (account->is_held)
    command_channel_finish (work,
                            _("Another window or terminal of Beckon serves this channel. Its state is there: in the window, in "
                              "Preferences."));
  else
    return TRUE;
  return FALSE;
}

static void
test (Work *work)
{
  if (!can_serve (work))
    return;
  g_signal_connect (work->channel, "changed", G_CALLBACK (on_test_changed), work);
  g_signal_connect (beckon_channel_get_outbox (work->channel), "sent", G_CALLBACK (on_test_sent), work);
  g_signal_connect (beckon_channel_get_outbox (work->channel), "failed", G_CALLBACK (on_test_failed), work);
  work->sources[2] = g_timeout_add_seconds (TEST_S, command_channel_on_late, work);
  beckon_channels_serve_alone (work->channels, work->channel);
}

static void
on_pair_changed (BeckonChannel *channel, Work *work)
{
  const BeckonChannelAccount *account = beckon_channel_get_account (channel);
  g_autofree char *words = beckon_channel_dup_words (channel);

  if (beckon_channel_get_state (channel) == BECKON_CHANNEL_SIGNED_OUT)
    command_channel_finish (work, words);
  else if (account->pair_code == NULL && account->pair_until > g_get_real_time () && account->pair_until != work->pair_until)
    command_channel_finish (work, _(void_words));
  else if (account->address != NULL && account->paired_at != work->paired_at
           && beckon_channel_outbox_count_queued (beckon_channel_get_outbox (channel)) == 0)
    {
      fprintf (stderr, "%s\n", _("Paired."));
      command_channel_finish (work, NULL);
    }
}

static void
on_pair_sent (BeckonChannelOutbox *outbox, gpointer post, Work *work)
{
  if (!work->is_leaving)
    on_pair_changed (work->channel, work);
}

static void
on_code (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *code = beckon_channels_pair_finish (BECKON_CHANNELS (source), result, &error);

  if (code == NULL)
    {
      command_channel_finish (work, error->message);
      return;
    }
  printf ("%.4s-%s\n", code, code + 4);
  fflush (stdout);
  fprintf (stderr, "%s\n", _("Send this code to Beckon from your phone. It is good for ten minutes."));
  work->paired_at = beckon_channel_get_account (work->channel)->paired_at;
  g_signal_connect (work->channel, "changed", G_CALLBACK (on_pair_changed), work);
  g_signal_connect (beckon_channel_get_outbox (work->channel), "sent", G_CALLBACK (on_pair_sent), work);
  work->sources[2] = g_timeout_add_seconds (BECKON_CHANNEL_PAIR_S, command_channel_on_late, work);
  beckon_channels_serve_alone (work->channels, work->channel);
}

/* The keyring and the store have it before the program ends. */
static void
on_sign_in_changed (BeckonChannel *channel, Work *work)
{
  BeckonChannelAdapter *adapter = beckon_channel_get_adapter (channel);
  BeckonChannelState state = beckon_channel_adapter_get_state (adapter);
  g_autofree char *words = beckon_channel_dup_words (channel);

  if (!work->is_asked && beckon_channel_is_served (channel) && state != BECKON_CHANNEL_OFF)
    {
      work->is_asked = TRUE;
      beckon_channel_config_sign_in (adapter, beckon_channel_get_account (channel)->config);
      return;
    }
  work->is_prompted |= work->is_asked && state == BECKON_CHANNEL_SIGNING_IN;
  if (work->is_prompted && state == BECKON_CHANNEL_SIGNED_OUT)
    command_channel_finish (work, words);
  else if (work->is_prompted && state == BECKON_CHANNEL_CONNECTED && !beckon_channel_is_keeping (channel))
    {
      fprintf (stderr, "%s\n", words);
      command_channel_finish (work, beckon_channel_get_state (channel) == BECKON_CHANNEL_FAILED ? words : NULL);
    }
}

static void
sign_in (Work *work)
{
  BeckonChannelAdapter *adapter = beckon_channel_get_adapter (work->channel);

  if (adapter == NULL || !beckon_channel_adapter_has_sign_in (adapter))
    {
      command_channel_finish (work,
                              _("Nothing is scanned for this kind of channel: give its token to “beckonctl channel set”."));
      return;
    }
  if (!can_serve (work))
    return;
  g_signal_connect (work->channel, "changed", G_CALLBACK (on_sign_in_changed), work);
  work->sources[2] = g_timeout_add_seconds (SIGN_IN_S, command_channel_on_late, work);
  beckon_channels_serve_alone (work->channels, work->channel);
}

/* --- Serving ------------------------------------------------------------------------------------------------------ */

static gboolean
is_let_go (BeckonChannel *channel)
{
  const BeckonChannelAccount *account = beckon_channel_get_account (channel);

  return !beckon_channel_is_served (channel) && beckon_channel_get_state (channel) == BECKON_CHANNEL_OFF && account->is_on
         && !account->is_held;
}

static void
on_state (BeckonChannel *channel, Work *work)
{
  g_autofree char *words = beckon_channel_dup_words (channel);
  const char *before = g_object_get_data (G_OBJECT (channel), "beckon-said");

  /* This program lets go of it, which is no news. */
  if (g_strcmp0 (before, words) == 0 || work->is_leaving || is_let_go (channel))
    return;
  fprintf (stderr, "%s: %s\n", beckon_channel_get_account (channel)->name, words);
  g_object_set_data_full (G_OBJECT (channel), "beckon-said", g_strdup (words), g_free);
}

static void
on_channels_changed (GListModel *channels, guint position, guint removed, guint added, Work *work)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (BeckonChannel) channel = g_list_model_get_item (channels, i);

      g_signal_handlers_disconnect_by_func (channel, on_state, work);
      g_signal_connect (channel, "changed", G_CALLBACK (on_state), work);
    }
}

static void
on_recovered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_agent_recover_finish (BECKON_AGENT (source), result, &error))
    beckon_command_complain ("channel", error->message);
  if (work->channels != NULL)
    beckon_channels_set_serving (work->channels, TRUE);
}

static void
serve (Work *work)
{
  BeckonAgent *agent = beckon_runtime_get_agent (work->runtime);

  g_signal_connect (work->channels, "items-changed", G_CALLBACK (on_channels_changed), work);
  on_channels_changed (G_LIST_MODEL (work->channels), 0, 0, g_list_model_get_n_items (G_LIST_MODEL (work->channels)), work);
  beckon_agent_set_adopts (agent, TRUE);
  beckon_agent_recover_async (agent, NULL, on_recovered, work);
}

/* --- The command -------------------------------------------------------------------------------------------------- */

static void
carry_out_on (Work *work)
{
  if (strcmp (work->verb, "test") == 0)
    test (work);
  else if (strcmp (work->verb, "sign-in") == 0)
    sign_in (work);
  else if (strcmp (work->verb, "pair") == 0)
    {
      work->pair_until = beckon_channel_get_account (work->channel)->pair_until;
      if (!is_one_way (work) && can_serve (work))
        beckon_channels_pair_async (work->channels, work->channel, NULL, on_code, work);
    }
  else if (strcmp (work->verb, "log") == 0)
    beckon_store_list_posts_async (beckon_runtime_get_store (work->runtime),
                                   beckon_channel_get_account (work->channel)->id, NULL, on_posts_listed, work);
  else if (strcmp (work->verb, "remove") == 0)
    beckon_channels_remove_async (work->channels, work->channel, NULL, command_channel_on_removed, work);
  else if (strcmp (work->verb, "set") == 0)
    command_channel_save (work, beckon_channel_account_copy (beckon_channel_get_account (work->channel)));
  else
    set_on (work, strcmp (work->verb, "on") == 0);
}

static void
command_channel_carry_out (Work *work)
{
  BeckonChannel *found = work->name != NULL ? beckon_channels_find (work->channels, work->name) : NULL;

  if (strcmp (work->verb, "list") == 0)
    command_channel_list (work);
  else if (strcmp (work->verb, "kinds") == 0)
    print_kinds (work);
  else if (strcmp (work->verb, "serve") == 0)
    serve (work);
  else if (strcmp (work->verb, "add") == 0)
    command_channel_save (work, beckon_channel_account_new (work->kind, work->name));
  else if (found == NULL)
    command_channel_finish (work, _("Channel not found. “beckonctl channel list” shows all of them."));
  else
    {
      work->channel = g_object_ref (found);
      work->prompt = beckon_sign_in_prompt_new (found);
      carry_out_on (work);
    }
}

static void
command_channel_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_channels_load_finish (BECKON_CHANNELS (source), result, &error))
    command_channel_carry_out (work);
  else
    command_channel_finish (work, error->message);
}

static void
command_channel_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error))
    {
      command_channel_finish (work, error->message);
      return;
    }
  work->channels = beckon_channels_new_of (work->runtime);
  beckon_channels_load_async (work->channels, NULL, command_channel_on_loaded, work);
}

static gboolean
on_signal (gpointer user_data)
{
  command_channel_finish (user_data, NULL);
  return G_SOURCE_CONTINUE;
}

static void
clear_work (Work *work)
{
  g_strfreev (work->settings);
  g_free (work->profile);
  g_free (work->folder);
  g_clear_error (&work->problem);
  g_free (work->mode);
  g_free (work->quiet);
  g_free (work->approvals);
  beckon_wipe (work->secret);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, clear_work)

/* Never an argument, which other users of the computer may read. */
static gboolean
read_secret (Work *work)
{
  char secret[LONGEST_SECRET];

  beckon_echo_set_hidden (TRUE);
  if (fgets (secret, sizeof secret, stdin) != NULL)
    work->secret = g_strdup (g_strstrip (secret));
  beckon_echo_set_hidden (FALSE);
  return work->secret != NULL && *work->secret != '\0';
}

/* (nullable): what is wrong with the words, of which the first is one of the command's. */
static char *
check_words (Work *work, int argc, char **argv, gboolean is_named)
{
  gboolean is_new = strcmp (argv[1], "add") == 0;
  int most = is_new ? 4 : is_named ? 3 : 2;

  if (is_new && argc == 2)
    return g_strdup (_("The kind and the name are missing. “beckonctl channel kinds” lists the kinds."));
  if (argc < most)
    return g_strdup (_("The channel's name is missing."));
  if (argc > most)
    return beckon_command_dup_surplus (argv[most]);
  if (work->json && strcmp (argv[1], "list") != 0)
    return g_strdup (_("Only “list” prints JSON."));
  if (strcmp (argv[1], "set") == 0 && work->settings == NULL && !work->secret_from_stdin && work->profile == NULL
      && work->folder == NULL && work->mode == NULL && work->approvals == NULL && work->quiet == NULL)
    return g_strdup (_("There is nothing to set."));
  work->verb = argv[1];
  work->kind = is_new ? argv[2] : NULL;
  work->name = argc > 2 ? argv[argc - 1] : NULL;
  return NULL;
}

static char *
command_channel_check (Work *work, int argc, char **argv)
{
  static const char *const alone[] = { "list", "kinds", "serve", NULL };
  static const char *const named[] = { "add", "test", "pair", "sign-in", "log", "remove", "set", "on", "off", NULL };
  gboolean is_named = argc > 1 && g_strv_contains (named, argv[1]);

  if (argc < 2)
    return g_strdup (_("An argument is missing."));
  if (!is_named && !g_strv_contains (alone, argv[1]))
    return beckon_command_dup_unknown (argv[1]);
  return check_words (work, argc, argv, is_named);
}

int
beckon_command_channel (int argc, char **argv)
{
  g_auto (Work) work = { 0 };
  g_autoptr (GOptionContext) context
      = g_option_context_new (_("list | kinds | serve | add KIND NAME | (test|pair|sign-in|log|set|on|off|remove) NAME"));
  g_autofree char *problem = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_light;
  const GOptionEntry entries[] = {
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &work.settings, N_("Set something of its kind"), N_("NAME=VALUE") },
    { "token-from-stdin", 0, 0, G_OPTION_ARG_NONE, &work.secret_from_stdin, N_("Read its token or password from the input"),
      NULL },
    { "profile", 'p', 0, G_OPTION_ARG_STRING, &work.profile, N_("Begin its conversations with a profile"), N_("PROFILE") },
    { "folder", 'f', 0, G_OPTION_ARG_FILENAME, &work.folder, N_("Let them work in a folder"), N_("FOLDER") },
    { "mode", 'm', 0, G_OPTION_ARG_STRING, &work.mode, N_("Ask before changes, or before everything"), N_("MODE") },
    { "approvals", 0, 0, G_OPTION_ARG_STRING, &work.approvals, N_("Let calls be approved on the phone"), N_("on|off") },
    { "quiet", 'q', 0, G_OPTION_ARG_STRING, &work.quiet, N_("Send nothing unasked at these hours"), N_("HH:MM-HH:MM") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &work.json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_set_summary (context, _("Manage text channels, which carry questions to your phone"));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!beckon_command_parse (context, &argc, &argv, &error))
    {
      beckon_command_complain ("channel", error->message);
      return BECKON_COMMAND_MISUSED;
    }
  problem = command_channel_check (&work, argc, argv);
  if (problem != NULL)
    return beckon_command_misused ("beckonctl channel", problem);
  if (work.secret_from_stdin && !read_secret (&work))
    {
      beckon_command_complain ("channel", _("No token was entered."));
      return BECKON_COMMAND_MISUSED;
    }

  is_light = strcmp (work.verb, "serve") != 0 && strcmp (work.verb, "test") != 0 && strcmp (work.verb, "pair") != 0
             && strcmp (work.verb, "sign-in") != 0;
  work.loop = g_main_loop_new (NULL, FALSE);
  work.runtime = beckon_runtime_new (NULL);
  work.sources[0] = g_unix_signal_add (SIGINT, on_signal, &work);
  work.sources[1] = g_unix_signal_add (SIGTERM, on_signal, &work);
  beckon_health_line_follow (work.runtime);
  beckon_runtime_set_light (work.runtime, is_light);
  beckon_runtime_open_async (work.runtime, NULL, command_channel_on_opened, &work);
  g_main_loop_run (work.loop);
  for (guint i = 0; i < G_N_ELEMENTS (work.sources); i++)
    g_clear_handle_id (&work.sources[i], g_source_remove);
  g_clear_object (&work.runtime);
  g_main_loop_unref (work.loop);

  return work.status;
}
