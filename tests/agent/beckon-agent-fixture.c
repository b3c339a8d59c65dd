/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"

#include "beckon-tree.h"
#include "domain/beckon-note.h"

#include <string.h>
#include <unistd.h>

#define DEADLINE (30 * G_TIME_SPAN_SECOND)

/* Tuesday, 2 June 2026, 12:00:00 UTC. */
#define NOW (G_GINT64_CONSTANT (1780401600) * G_TIME_SPAN_SECOND)

#define KEY "sk-test-0123456789"

/* --- Waiting ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 until;
  char *what;
} Deadline;

static void
deadline_free (Deadline *deadline)
{
  g_free (deadline->what);
  g_free (deadline);
}

/* The tick also wakes the loop, because the awaited event may happen in another process. */
static gboolean
on_tick (gpointer user_data)
{
  Deadline *deadline = user_data;

  if (g_get_monotonic_time () > deadline->until)
    g_error ("Nothing came of it: %s", deadline->what);
  return G_SOURCE_CONTINUE;
}

guint
beckon_agent_fixture_arm_deadline (const char *where, const char *condition)
{
  Deadline *deadline = g_new0 (Deadline, 1);

  deadline->until = g_get_monotonic_time () + DEADLINE;
  deadline->what = g_strconcat (where, ": ", condition, NULL);
  return g_timeout_add_full (G_PRIORITY_DEFAULT, 5, on_tick, deadline, (GDestroyNotify) deadline_free);
}

/* Each program has a data folder of its own, with the processes that it begins: the places of commands that no history knows
 * are removed, and another program's history knows none of these. Before main (), as GLib reads the variable once. */
static void __attribute__ ((constructor))
take_own_data_folder (void)
{
  const char *shared = g_getenv ("XDG_DATA_HOME");
  g_autofree char *own = NULL;

  if (shared == NULL || g_getenv ("AGENT_OWN_DATA") != NULL)
    return;
  own = g_strdup_printf ("%s/%d", shared, (int) getpid ());
  g_setenv ("XDG_DATA_HOME", own, TRUE);
  g_setenv ("AGENT_OWN_DATA", "1", TRUE);
}

void
beckon_agent_fixture_settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

/* --- Making and ending --------------------------------------------------------------------------------------------- */

static void
reset_settings (BeckonAgentFixture *self)
{
  GSettings *gsettings = beckon_settings_get_gsettings (self->settings);
  const char *keys[] = { "enable-ask-user", "dismiss", "default-profile", "instructions", "ask-user-flow", "ask-for-by-products" };

  g_assert_nonnull (gsettings);
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (gsettings, keys[i]);
}

static void
make_parts (BeckonAgentFixture *self, const char *base_url)
{
  self->endpoint = beckon_test_endpoint_new (base_url, KEY);
  self->store = beckon_store_new (self->directory, self->clock);
  self->inbox = beckon_inbox_new (BECKON_REQUEST_STORE (self->store), self->clock);
  self->library = beckon_library_new (self->store, self->clock);
  self->profiles = beckon_profiles_new (self->store);
  self->rules = beckon_rules_new (self->store);
  self->parameters = beckon_argument_overrides_new (self->store);
  self->provider = beckon_provider_new (BECKON_ENDPOINT_SOURCE (self->endpoint), self->clock);
  self->settings = beckon_settings_new ();
  self->tools = beckon_tool_registry_new ();
  beckon_tool_registry_add_builtin (self->tools);
  self->agent = beckon_agent_new (&(BeckonAgentParts){
      .store = self->store,
      .library = self->library,
      .profiles = self->profiles,
      .rules = self->rules,
      .parameters = self->parameters,
      .inbox = self->inbox,
      .provider = self->provider,
      .tools = self->tools,
      .settings = self->settings,
      .clock = self->clock,
  });
}

static void
open_parts (BeckonAgentFixture *self)
{
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GAsyncResult) profiles = NULL;
  g_autoptr (GAsyncResult) rules = NULL;
  g_autoptr (GAsyncResult) parameters = NULL;
  g_autoptr (GAsyncResult) inbox = NULL;
  g_autoptr (GAsyncResult) library = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_open_async (self->store, NULL, on_result, &opened);
  beckon_agent_wait_until (opened != NULL);
  beckon_store_open_finish (self->store, opened, &error);
  g_assert_no_error (error);
  beckon_profiles_load_async (self->profiles, NULL, on_result, &profiles);
  beckon_rules_load_async (self->rules, NULL, on_result, &rules);
  beckon_followed_list_load_async (BECKON_FOLLOWED_LIST (self->parameters), NULL, on_result, &parameters);
  beckon_inbox_load_async (self->inbox, NULL, on_result, &inbox);
  beckon_library_load_async (self->library, NULL, on_result, &library);
  beckon_agent_wait_until (profiles != NULL && rules != NULL && parameters != NULL && inbox != NULL && library != NULL);
  beckon_profiles_load_finish (self->profiles, profiles, &error);
  g_assert_no_error (error);
  beckon_rules_load_finish (self->rules, rules, &error);
  g_assert_no_error (error);
  beckon_followed_list_load_finish (BECKON_FOLLOWED_LIST (self->parameters), parameters, &error);
  g_assert_no_error (error);
  beckon_inbox_load_finish (self->inbox, inbox, &error);
  g_assert_no_error (error);
  beckon_library_load_finish (self->library, library, &error);
  g_assert_no_error (error);
}

static void
save_profile (BeckonAgentFixture *self, BeckonProfile *profile)
{
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;

  beckon_profiles_save_async (self->profiles, profile, NULL, on_result, &saved);
  beckon_agent_wait_until (saved != NULL);
  beckon_profiles_save_finish (self->profiles, saved, &error);
  g_assert_no_error (error);
}

void
beckon_agent_fixture_set_rounds (BeckonAgentFixture *fixture, guint rounds)
{
  g_autofree char *id = beckon_settings_dup_default_profile (fixture->settings);
  g_autoptr (BeckonProfile) profile = beckon_profile_copy (beckon_profiles_lookup (fixture->profiles, id));

  beckon_profile_set_rounds (profile, rounds);
  save_profile (fixture, profile);
}

void
beckon_agent_fixture_set_window (BeckonAgentFixture *fixture, guint tokens)
{
  g_autofree char *id = beckon_settings_dup_default_profile (fixture->settings);
  g_autoptr (BeckonProfile) profile = beckon_profile_copy (beckon_profiles_lookup (fixture->profiles, id));

  beckon_profile_set_context_window (profile, tokens);
  save_profile (fixture, profile);
}

void
beckon_agent_fixture_set_output (BeckonAgentFixture *fixture, guint tokens)
{
  g_autofree char *id = beckon_settings_dup_default_profile (fixture->settings);
  g_autoptr (BeckonProfile) profile = beckon_profile_copy (beckon_profiles_lookup (fixture->profiles, id));

  g_object_set (profile, "output-limit", tokens, NULL);
  save_profile (fixture, profile);
}

static void
make_profile (BeckonAgentFixture *self)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("fixture", BECKON_PROFILE_CHAT);

  beckon_profile_set_name (profile, "Fixture");
  beckon_profile_set_base_url (profile, beckon_fixture_server_get_base_url (self->server));
  beckon_profile_set_model (profile, "fixture-1");
  save_profile (self, profile);
  beckon_settings_set_default_profile (self->settings, beckon_profile_get_id (profile));
}

static void
use_stored_profile (BeckonAgentFixture *self)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->profiles)); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (G_LIST_MODEL (self->profiles), i);

      if (beckon_profile_get_kind (profile) == BECKON_PROFILE_CHAT)
        beckon_settings_set_default_profile (self->settings, beckon_profile_get_id (profile));
    }
}

BeckonAgentFixture *
beckon_agent_fixture_new (void)
{
  BeckonAgentFixture *self = g_new0 (BeckonAgentFixture, 1);
  g_autoptr (GError) error = NULL;

  self->directory = g_dir_make_tmp ("beckon-agent-XXXXXX", &error);
  g_assert_no_error (error);
  self->owns_directory = TRUE;
  self->clock = beckon_clock_new_manual (NOW);
  self->server = beckon_fixture_server_new (0);
  self->owns_server = TRUE;
  make_parts (self, beckon_fixture_server_get_base_url (self->server));
  reset_settings (self);
  open_parts (self);
  make_profile (self);
  self->conversation = g_object_ref (beckon_agent_fixture_create (self));
  return self;
}

BeckonAgentFixture *
beckon_agent_fixture_new_over (const char *directory, const char *base_url)
{
  BeckonAgentFixture *self = g_new0 (BeckonAgentFixture, 1);

  self->directory = g_strdup (directory);
  self->clock = g_object_ref (beckon_clock_get_system ());
  make_parts (self, base_url);
  open_parts (self);
  use_stored_profile (self);
  return self;
}

static gboolean
all_gone (gpointer *weak, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (weak[i] != NULL)
      return FALSE;
  return TRUE;
}

/* A run that leaked would keep its conversation and every part alive. */
static void
drop_parts (BeckonAgentFixture *self)
{
  gpointer weak[] = { self->agent, self->conversation, self->tools, self->provider, self->profiles, self->rules,
                      self->library, self->inbox, self->store, self->settings, self->endpoint };

  for (gsize i = 0; i < G_N_ELEMENTS (weak); i++)
    if (weak[i] != NULL)
      g_object_add_weak_pointer (weak[i], &weak[i]);
  g_clear_object (&self->agent);
  g_clear_object (&self->conversation);
  g_clear_object (&self->tools);
  g_clear_object (&self->provider);
  g_clear_object (&self->parameters);
  g_clear_object (&self->rules);
  g_clear_object (&self->profiles);
  g_clear_object (&self->library);
  g_clear_object (&self->inbox);
  g_clear_object (&self->settings);
  g_clear_object (&self->endpoint);
  g_clear_object (&self->store);
  beckon_agent_wait_until (all_gone (weak, G_N_ELEMENTS (weak)));
}

static void
close_parts (BeckonAgentFixture *fixture)
{
  g_autoptr (GAsyncResult) closed = NULL;
  g_autoptr (GError) error = NULL;

  beckon_agent_detach (fixture->agent);
  beckon_agent_fixture_settle ();
  beckon_inbox_flush (fixture->inbox);
  beckon_library_flush (fixture->library);
  beckon_store_close_async (fixture->store, on_result, &closed);
  beckon_agent_wait_until (closed != NULL);
  beckon_store_close_finish (fixture->store, closed, &error);
  g_assert_no_error (error);
  g_clear_object (&closed);
  drop_parts (fixture);
}

void
beckon_agent_fixture_restart (BeckonAgentFixture *fixture)
{
  g_autofree char *id = g_strdup (beckon_conversation_get_id (fixture->conversation));

  close_parts (fixture);
  make_parts (fixture, beckon_fixture_server_get_base_url (fixture->server));
  open_parts (fixture);
  beckon_agent_fixture_open (fixture, id);
}

void
beckon_agent_fixture_free (BeckonAgentFixture *fixture)
{
  close_parts (fixture);
  /* The end of a reply's body may be on its way to an exchange that waits for it. */
  if (fixture->clock != beckon_clock_get_system ())
    beckon_agent_wait_until (G_OBJECT (fixture->clock)->ref_count == 1);
  if (fixture->owns_server)
    beckon_fixture_server_free (fixture->server);
  if (fixture->clock == beckon_clock_get_system ())
    g_object_unref (fixture->clock);
  else
    g_assert_finalize_object (fixture->clock);
  if (fixture->owns_directory)
    beckon_tree_remove (fixture->directory);
  g_free (fixture->directory);
  g_free (fixture);
}

/* --- Doing --------------------------------------------------------------------------------------------------------- */

BeckonConversation *
beckon_agent_fixture_create (BeckonAgentFixture *fixture)
{
  return beckon_library_create (fixture->library);
}

void
beckon_agent_fixture_open (BeckonAgentFixture *fixture, const char *conversation_id)
{
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GError) error = NULL;
  BeckonConversation *conversation = beckon_library_lookup (fixture->library, conversation_id);

  g_assert_nonnull (conversation);
  g_set_object (&fixture->conversation, conversation);
  beckon_library_open_async (fixture->library, conversation, NULL, on_result, &opened);
  beckon_agent_wait_until (opened != NULL);
  beckon_library_open_finish (fixture->library, opened, &error);
  g_assert_no_error (error);
}

void
beckon_agent_fixture_script (BeckonAgentFixture *fixture, BeckonFixtureReply *reply)
{
  beckon_fixture_server_queue (fixture->server, reply);
}

gboolean
beckon_agent_fixture_try_send (BeckonAgentFixture *fixture, BeckonConversation *conversation, const char *text,
                               GError **error)
{
  g_autoptr (GAsyncResult) sent = NULL;

  beckon_agent_send_async (fixture->agent, conversation, text, NULL, on_result, &sent);
  g_assert_null (sent);
  beckon_agent_wait_until (sent != NULL);
  return beckon_agent_send_finish (fixture->agent, sent, error);
}

void
beckon_agent_fixture_send (BeckonAgentFixture *fixture, BeckonConversation *conversation, const char *text)
{
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_agent_fixture_try_send (fixture, conversation, text, &error);

  g_assert_no_error (error);
  g_assert_true (ok);
}

gboolean
beckon_agent_fixture_try_continue (BeckonAgentFixture *fixture, BeckonConversation *conversation, GError **error)
{
  g_autoptr (GAsyncResult) continued = NULL;

  beckon_agent_continue_async (fixture->agent, conversation, NULL, on_result, &continued);
  g_assert_null (continued);
  beckon_agent_wait_until (continued != NULL);
  return beckon_agent_continue_finish (fixture->agent, continued, error);
}

void
beckon_agent_fixture_continue (BeckonAgentFixture *fixture)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_run_phase_can_continue (beckon_conversation_get_phase (fixture->conversation)));
  beckon_agent_fixture_try_continue (fixture, fixture->conversation, &error);
  g_assert_no_error (error);
}

void
beckon_agent_fixture_recover (BeckonAgentFixture *fixture)
{
  g_autoptr (GAsyncResult) recovered = NULL;
  g_autoptr (GError) error = NULL;

  beckon_agent_recover_async (fixture->agent, NULL, on_result, &recovered);
  beckon_agent_wait_until (recovered != NULL);
  beckon_agent_recover_finish (fixture->agent, recovered, &error);
  g_assert_no_error (error);
}

gboolean
beckon_agent_fixture_try_answer (BeckonInbox *inbox, const char *request_id, BeckonAnswer *answer, GError **error)
{
  g_autoptr (BeckonAnswer) held = answer;
  g_autoptr (GAsyncResult) settled = NULL;

  beckon_inbox_settle_async (inbox, request_id, held, "terminal", "tester", NULL, on_result, &settled);
  beckon_agent_wait_until (settled != NULL);
  return beckon_inbox_settle_finish (inbox, settled, error);
}

void
beckon_agent_fixture_answer (BeckonAgentFixture *fixture, BeckonRequest *request, BeckonAnswer *answer)
{
  g_autofree char *id = g_strdup (beckon_request_get_id (request));
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_agent_fixture_try_answer (fixture->inbox, id, answer, &error);

  g_assert_no_error (error);
  g_assert_true (ok);
}

/* How long each thread of this process was ready to run, and was not let. */
static GHashTable *
look_at_threads (void)
{
  GHashTable *waited_ns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *name;

  while (tasks != NULL && (name = g_dir_read_name (tasks)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", name, "schedstat", NULL);
      g_autofree char *text = NULL;
      g_auto (GStrv) words = NULL;
      guint64 ns;

      if (!g_file_get_contents (path, &text, NULL, NULL))
        continue;
      words = g_strsplit (text, " ", 3);
      ns = g_strv_length (words) > 1 ? g_ascii_strtoull (words[1], NULL, 10) : 0;
      g_hash_table_insert (waited_ns, g_strdup (name), g_memdup2 (&ns, sizeof ns));
    }
  return waited_ns;
}

/* The threads that are still there count: one that has ended takes what it waited with it. */
static gint64
get_kept_waiting_us (GHashTable *before)
{
  g_autoptr (GHashTable) now = look_at_threads ();
  GHashTableIter iter;
  gpointer name, ns;
  guint64 sum_ns = 0;

  g_hash_table_iter_init (&iter, now);
  while (g_hash_table_iter_next (&iter, &name, &ns))
    {
      const guint64 *was = g_hash_table_lookup (before, name);

      sum_ns += *(guint64 *) ns - (was != NULL ? MIN (*was, *(guint64 *) ns) : 0);
    }
  return (gint64) (sum_ns / 1000);
}

/* Stopping is a commit or two. On a machine with much else to do, or with sanitizers, that takes its time; the limit, far above
 * that and far below what a server or a tool is waited for, means that it waits for nothing else. */
void
beckon_agent_fixture_stop (BeckonAgentFixture *fixture)
{
  g_autoptr (GHashTable) waited = look_at_threads ();
  gint64 before = g_get_monotonic_time ();
  gint64 kept_waiting, took, floor;

  beckon_agent_stop (fixture->agent, fixture->conversation);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_STOPPED);
  took = g_get_monotonic_time () - before;
  kept_waiting = get_kept_waiting_us (waited);
  before = g_get_monotonic_time ();
  beckon_agent_fixture_sync (fixture);
  floor = g_get_monotonic_time () - before;
  g_test_message ("stopped in %.1f ms; kept waiting for %.1f ms; a look into the store took %.1f ms", (double) took / 1000.0,
                  (double) kept_waiting / 1000.0, (double) floor / 1000.0);
  g_assert_cmpint (took - kept_waiting - 10 * floor, <, 10 * G_USEC_PER_SEC);
}

/* --- Waiting for what happens -------------------------------------------------------------------------------------- */

void
beckon_agent_fixture_wait_phase (BeckonAgentFixture *fixture, BeckonRunPhase phase)
{
  BeckonConversation *conversation = fixture->conversation;

  beckon_agent_wait_until ((beckon_conversation_get_has_run (conversation) &&
                            beckon_conversation_get_phase (conversation) == phase) ||
                           (beckon_conversation_get_has_run (conversation) &&
                            beckon_run_phase_is_end (beckon_conversation_get_phase (conversation))));
  g_assert_cmpstr (beckon_run_phase_to_string (beckon_conversation_get_phase (conversation)), ==,
                   beckon_run_phase_to_string (phase));
}

void
beckon_agent_fixture_wait_end (BeckonAgentFixture *fixture, BeckonRunPhase phase)
{
  g_assert_true (beckon_run_phase_is_end (phase));
  beckon_agent_fixture_wait_phase (fixture, phase);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

BeckonRequest *
beckon_agent_fixture_get_pending (BeckonAgentFixture *fixture, guint index)
{
  g_autoptr (BeckonRequest) request = g_list_model_get_item (G_LIST_MODEL (fixture->inbox), index);

  g_assert_nonnull (request);
  return request;
}

BeckonRequest *
beckon_agent_fixture_wait_pending (BeckonAgentFixture *fixture, guint n)
{
  beckon_agent_wait_until (g_list_model_get_n_items (G_LIST_MODEL (fixture->inbox)) >= n);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->inbox)), ==, n);
  return beckon_agent_fixture_get_pending (fixture, 0);
}

/* --- Looking ------------------------------------------------------------------------------------------------------- */

static void
add_past (BeckonAgentFixture *fixture, BeckonBatch *batch, BeckonMessage *message)
{
  beckon_conversation_add_message (fixture->conversation, message);
  beckon_batch_add_message (batch, beckon_conversation_get_id (fixture->conversation), message);
}

void
beckon_agent_fixture_add_past (BeckonAgentFixture *fixture, guint n, int through)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  gint64 first = beckon_conversation_get_next_seq (fixture->conversation);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonMessage) message
        = beckon_message_new (NULL, i % 2 == 0 ? BECKON_ROLE_USER : BECKON_ROLE_ASSISTANT, 1);
      g_autofree char *text = g_strdup_printf ("Past %u", i);
      g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

      beckon_message_add_part (message, part);
      beckon_message_set_status (message, BECKON_MESSAGE_COMPLETE);
      add_past (fixture, batch, message);
    }
  if (through >= 0)
    {
      g_autoptr (BeckonMessage) summary = beckon_note_new_summary (first + through, "THE-SUMMARY", "", 1);

      add_past (fixture, batch, summary);
    }
  beckon_store_commit_async (fixture->store, batch, NULL, NULL, NULL);
  beckon_agent_fixture_sync (fixture);
  beckon_library_leave (fixture->library, fixture->conversation);
  g_assert_true (beckon_conversation_get_has_earlier (fixture->conversation));
}

void
beckon_agent_fixture_sync (BeckonAgentFixture *fixture)
{
  beckon_agent_fixture_count_open (fixture->store);
}

static GPtrArray *
load_open (BeckonStore *store)
{
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *records;

  beckon_store_list_open_runs_async (store, NULL, on_result, &listed);
  beckon_agent_wait_until (listed != NULL);
  records = beckon_store_list_open_runs_finish (store, listed, &error);
  g_assert_no_error (error);
  return records;
}

guint
beckon_agent_fixture_count_open (BeckonStore *store)
{
  g_autoptr (GPtrArray) records = load_open (store);

  return records->len;
}

BeckonRunPhase
beckon_agent_fixture_get_open_phase (BeckonStore *store)
{
  g_autoptr (GPtrArray) records = load_open (store);

  g_assert_cmpuint (records->len, ==, 1);
  return ((BeckonRunRecord *) g_ptr_array_index (records, 0))->phase;
}

static GPtrArray *
load_messages (BeckonStore *store, const char *conversation_id)
{
  g_autoptr (GAsyncResult) loaded = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *messages;

  beckon_store_load_messages_async (store, conversation_id, NULL, on_result, &loaded);
  beckon_agent_wait_until (loaded != NULL);
  messages = beckon_store_load_messages_finish (store, loaded, &error);
  g_assert_no_error (error);
  return messages;
}

char *
beckon_agent_fixture_dump_stored (BeckonStore *store, const char *conversation_id)
{
  g_autoptr (GPtrArray) messages = load_messages (store, conversation_id);

  return beckon_agent_dump_array (messages);
}

void
beckon_agent_fixture_assert_same (BeckonAgentFixture *fixture, BeckonConversation *conversation)
{
  g_autofree char *stored = beckon_agent_fixture_dump_stored (fixture->store, beckon_conversation_get_id (conversation));
  g_autofree char *shown = beckon_agent_dump (G_LIST_MODEL (conversation));

  g_assert_cmpstr (stored, ==, shown);
}

static void
assert_calls_closed (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));

      if (call == NULL)
        continue;
      g_assert_true (beckon_call_state_is_final (beckon_tool_call_get_state (call)));
      g_assert_nonnull (beckon_tool_call_get_result (call));
    }
}

static GPtrArray *
load_pending (BeckonStore *store)
{
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *requests;

  beckon_request_store_list_pending_async (BECKON_REQUEST_STORE (store), NULL, on_result, &listed);
  beckon_agent_wait_until (listed != NULL);
  requests = beckon_request_store_list_pending_finish (BECKON_REQUEST_STORE (store), listed, &error);
  g_assert_no_error (error);
  return requests;
}

static void
assert_nothing_pending (BeckonAgentFixture *self, const char *conversation_id)
{
  g_autoptr (GPtrArray) pending = load_pending (self->store);

  for (guint i = 0; i < pending->len; i++)
    g_assert_cmpstr (beckon_request_get_conversation_id (g_ptr_array_index (pending, i)), !=, conversation_id);
  g_assert_cmpuint (beckon_inbox_count_for (self->inbox, conversation_id), ==, 0);
}

static void
assert_no_open_run (BeckonAgentFixture *self, const char *conversation_id)
{
  g_autoptr (GPtrArray) records = load_open (self->store);

  for (guint i = 0; i < records->len; i++)
    g_assert_cmpstr (((BeckonRunRecord *) g_ptr_array_index (records, i))->conversation_id, !=, conversation_id);
}

void
beckon_agent_fixture_assert_closed (BeckonAgentFixture *fixture, BeckonConversation *conversation)
{
  const char *id = beckon_conversation_get_id (conversation);

  beckon_agent_fixture_assert_same (fixture, conversation);
  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    assert_calls_closed (beckon_conversation_get_message (conversation, i));
  assert_nothing_pending (fixture, id);
  assert_no_open_run (fixture, id);
}

void
beckon_agent_fixture_assert_sent (BeckonAgentFixture *fixture, guint index, const char *history)
{
  g_autofree char *sent = NULL;

  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), >, index);
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, index));
  g_assert_cmpstr (sent, ==, history);
}

void
beckon_agent_fixture_assert_tools (BeckonAgentFixture *fixture, guint index, const char *names)
{
  g_autofree char *sent = NULL;

  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), >, index);
  sent = beckon_agent_dump_tools (beckon_fixture_server_get_request (fixture->server, index));
  g_assert_cmpstr (sent, ==, names);
}

void
beckon_agent_fixture_assert_shown (BeckonAgentFixture *fixture, const char *messages)
{
  g_autofree char *shown = beckon_agent_dump (G_LIST_MODEL (fixture->conversation));

  g_assert_cmpstr (shown, ==, messages);
}

static const char *
get_message_id (BeckonAgentFixture *fixture, guint index)
{
  return beckon_message_get_id (beckon_conversation_get_message (fixture->conversation, index));
}

gboolean
beckon_agent_fixture_try_edit (BeckonAgentFixture *fixture, guint index, const char *text, GError **error)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (GAsyncResult) result = NULL;

  beckon_agent_edit_async (fixture->agent, fixture->conversation, get_message_id (fixture, index), text, none, NULL, on_result,
                           &result);
  beckon_agent_wait_until (result != NULL);
  return beckon_agent_send_finish (fixture->agent, result, error);
}

gboolean
beckon_agent_fixture_try_show (BeckonAgentFixture *fixture, guint index, guint version, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_library_show_version_async (fixture->library, fixture->conversation, get_message_id (fixture, index), version, NULL,
                                     on_result, &result);
  beckon_agent_wait_until (result != NULL);
  return beckon_library_show_finish (fixture->library, result, error);
}
