/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Random histories against a model.
 *
 * Four processes (store objects on one folder: to the file, the leases and the notices they are that) do what the rooms above
 * do: one drives the turn, all of them answer, the driver starts tools and stores what comes of them, stops, or dies at any
 * point, also between submitting a commit and hearing of it; then another takes the run over. The model says after every
 * step what must be in the store, and counts what really ran. It is written from the design, not from the tables in the code.
 *
 * What must hold, whatever the order:
 *   - nothing that was acknowledged is lost, and every request has one winner, the same for everybody (I1);
 *   - a tool runs only on a stored decision, with the arguments that were decided (I2);
 *   - a tool that changes something runs no more often than it was decided to (I3);
 *   - when the turn is over every call has one result (I4).
 */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-question-request.h"

#include <glib/gstdio.h>
#include <string.h>

#define N_PROCESSES 4

/* A sanitizer looks at how, not at how often. */
#ifdef __SANITIZE_ADDRESS__
#define N_HISTORIES 1500
#else
#define N_HISTORIES 10000
#endif

#define MAX_CALLS 3
#define MAX_STEPS 14

typedef enum
{
  KIND_QUESTION, /* a person's words are the result */
  KIND_APPROVAL, /* changes something, when a person says so */
  KIND_CHANGE,   /* changes something, policy allows it */
  KIND_READ,     /* changes nothing */
  N_KINDS,
} Kind;

typedef struct
{
  Kind kind;
  char *id;

  /* what must be in the store */
  BeckonCallState state;
  char *result;
  char *arguments; /* that run */
  gboolean pending;

  /* who asks, and who was heard */
  BeckonRequest *request;
  guint n_requests;
  guint n_wins;

  /* in the driver's memory */
  gboolean running;

  /* in the world */
  guint n_runs;
  guint n_decisions;
} Call;

typedef struct
{
  BeckonConversation *conversation;
  BeckonMessage *question;
  BeckonMessage *reply;
  BeckonRunRecord *run;
  Call calls[MAX_CALLS];
  guint n_calls;
  int driver; /* -1: it died */
  gboolean over;
} Turn;

typedef struct
{
  char *directory;
  BeckonStore *stores[N_PROCESSES];
  guint n_steps;
  guint n_deaths;
  guint n_races;
} World;

/* Processes */

static BeckonStore *
get_store (World *world, int process)
{
  if (world->stores[process] == NULL)
    world->stores[process] = beckon_store_fixture_open (world->directory);

  return world->stores[process];
}

static int
any_process (void)
{
  return g_test_rand_int_range (0, N_PROCESSES);
}

static gboolean
one_in (int n)
{
  return g_test_rand_int_range (0, n) == 0;
}

static gboolean
is_open (const Call *call)
{
  return call->state != BECKON_CALL_DONE && call->state != BECKON_CALL_CANCELLED;
}

static Call *
any_call (Turn *turn, gboolean (*fits) (const Call *))
{
  int first = g_test_rand_int_range (0, (int) turn->n_calls);

  for (guint i = 0; i < turn->n_calls; i++)
    {
      Call *call = &turn->calls[((guint) first + i) % turn->n_calls];

      if (fits (call))
        return call;
    }

  return NULL;
}

static gboolean
is_pending (const Call *call)
{
  return call->pending;
}

static gboolean
was_asked (const Call *call)
{
  return call->request != NULL;
}

static gboolean
is_decided (const Call *call)
{
  return call->state == BECKON_CALL_DECIDED;
}

static gboolean
is_running (const Call *call)
{
  return call->running;
}

/* Rows */

/* A call as a driver would have it in memory, moved to @state. */
static BeckonToolCall *
make_object (Call *call, BeckonCallState state, const char *result)
{
  BeckonToolCall *object = beckon_tool_call_new (call->id, NULL, "tool", "{\"n\":0}");

  beckon_tool_call_set_read_only (object, call->kind == KIND_READ);
  beckon_tool_call_set_state (object, state);
  if (result != NULL)
    beckon_tool_call_set_result (object, result, FALSE);

  return object;
}

static void
set_call (BeckonBatch *batch, Call *call, BeckonCallState state, const char *result)
{
  g_autoptr (BeckonToolCall) object = make_object (call, state, result);

  beckon_batch_set_call (batch, object, call->state);
}

static BeckonQuestion *
make_question (void)
{
  g_autoptr (GError) error = NULL;
  BeckonQuestion *question = beckon_question_parse ("{\"question\":\"Well?\"}", &error);

  g_assert_no_error (error);

  return question;
}

static void
ask (Turn *turn, Call *call, BeckonBatch *batch)
{
  const char *conversation_id = beckon_conversation_get_id (turn->conversation);
  const char *message_id = beckon_message_get_id (turn->reply);
  gint64 now = g_get_real_time ();

  g_clear_object (&call->request);
  if (call->kind == KIND_QUESTION)
    {
      g_autoptr (BeckonQuestion) question = make_question ();

      call->request = beckon_question_request_new (NULL, conversation_id, message_id, call->id, question, now);
    }
  else
    {
      call->request = beckon_approval_request_new (NULL, conversation_id, message_id, call->id, "tool", call->arguments,
                                                   NULL, now);
    }
  beckon_batch_add_request (batch, call->request);
  call->pending = TRUE;
  call->n_requests++;
}

static void
plan_call (Turn *turn, Call *call)
{
  g_autoptr (BeckonToolCall) object = NULL;
  g_autoptr (BeckonPart) part = NULL;

  call->kind = (Kind) g_test_rand_int_range (0, N_KINDS);
  call->id = beckon_id_new ();
  call->arguments = g_strdup ("{\"n\":0}");
  call->state = call->kind == KIND_QUESTION || call->kind == KIND_APPROVAL ? BECKON_CALL_AWAITING : BECKON_CALL_DECIDED;
  call->n_decisions = call->kind == KIND_CHANGE;
  object = make_object (call, call->state, NULL);
  part = beckon_part_new_call (object);
  beckon_message_add_part (turn->reply, part);
}

/* The first transaction: all of it, or the turn never was. */
static Turn *
begin (World *world)
{
  Turn *turn = g_new0 (Turn, 1);
  g_autofree char *id = beckon_id_new ();
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  turn->conversation = beckon_conversation_new (id, g_get_real_time ());
  turn->question = beckon_message_new_text (BECKON_ROLE_USER, 0, id);
  turn->reply = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 1);
  beckon_message_set_seq (turn->reply, 1);
  turn->run = beckon_run_record_new (id, "tour", 50);
  turn->run->phase = BECKON_RUN_CALLING;
  turn->driver = any_process ();
  turn->n_calls = (guint) g_test_rand_int_range (1, MAX_CALLS + 1);
  for (guint i = 0; i < turn->n_calls; i++)
    plan_call (turn, &turn->calls[i]);

  beckon_batch_put_conversation (batch, turn->conversation);
  beckon_batch_add_run (batch, turn->run);
  beckon_batch_add_message (batch, id, turn->question);
  beckon_batch_add_message (batch, id, turn->reply);
  for (guint i = 0; i < turn->n_calls; i++)
    if (turn->calls[i].state == BECKON_CALL_AWAITING)
      ask (turn, &turn->calls[i], batch);
  beckon_store_fixture_commit (get_store (world, turn->driver), batch);

  return turn;
}

static void
turn_free (Turn *turn)
{
  for (guint i = 0; i < turn->n_calls; i++)
    {
      g_free (turn->calls[i].id);
      g_free (turn->calls[i].result);
      g_free (turn->calls[i].arguments);
      g_clear_object (&turn->calls[i].request);
    }
  g_object_unref (turn->conversation);
  g_object_unref (turn->question);
  g_object_unref (turn->reply);
  beckon_run_record_free (turn->run);
  g_free (turn);
}

/* Answers */

typedef struct
{
  BeckonSettlement *settlement;
  GAsyncResult *result;
} Attempt;

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static BeckonAnswer *
make_answer (Call *call, int process)
{
  BeckonAnswer *answer;

  if (call->kind != KIND_QUESTION)
    {
      if (one_in (4))
        return beckon_answer_new (BECKON_ANSWER_DECLINED, "no");
      return one_in (3) ? beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, "{\"n\":1}")
                        : beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
    }

  answer = beckon_answer_new_question (1);
  beckon_answer_set_item_text (answer, 0, process % 2 == 0 ? "even" : "odd");

  return answer;
}

static void
attempt (World *world, Call *call, int process, Attempt *attempt)
{
  g_autoptr (BeckonAnswer) answer = make_answer (call, process);
  g_autofree char *actor = g_strdup_printf ("process %d", process);

  attempt->settlement = beckon_settlement_new (call->request, answer, "terminal", actor, g_get_real_time ());
  beckon_request_store_settle_async (BECKON_REQUEST_STORE (get_store (world, process)), attempt->settlement, NULL, keep_result,
                                     &attempt->result);
}

/* The effect of an answer, as the design says. */
static void
apply_settlement (Call *call, const BeckonSettlement *settlement)
{
  call->pending = FALSE;
  call->n_wins++;
  if (settlement->result != NULL)
    {
      call->state = settlement->state == BECKON_REQUEST_CANCELLED ? BECKON_CALL_CANCELLED : BECKON_CALL_DONE;
      call->result = g_strdup (settlement->result);
      return;
    }

  call->state = BECKON_CALL_DECIDED;
  call->n_decisions++;
  if (settlement->arguments != NULL)
    {
      g_free (call->arguments);
      call->arguments = g_strdup (settlement->arguments);
    }
}

/* Takes the attempt's result; %TRUE if it won. */
static gboolean
hear (Call *call, int process, World *world, Attempt *attempt)
{
  g_autoptr (GError) error = NULL;
  gboolean won = beckon_request_store_settle_finish (BECKON_REQUEST_STORE (world->stores[process]), attempt->result, &error);

  if (won)
    {
      g_assert_true (call->pending);
      apply_settlement (call, attempt->settlement);
    }
  else
    {
      g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
    }
  beckon_settlement_free (attempt->settlement);
  g_object_unref (attempt->result);

  return won;
}

/* Settles in up to four processes at once, on a request that may be open or over. */
static void
settle (World *world, Turn *turn)
{
  Call *call = any_call (turn, one_in (5) ? was_asked : is_pending);
  int n_attempts = one_in (2) ? 1 : g_test_rand_int_range (2, N_PROCESSES + 1);
  Attempt attempts[N_PROCESSES] = { 0 };
  gboolean was_pending;
  int n_won = 0;

  if (call == NULL || (turn->over && !one_in (3)))
    return;

  was_pending = call->pending;
  for (int i = 0; i < n_attempts; i++)
    attempt (world, call, i, &attempts[i]);
  for (int i = 0; i < n_attempts; i++)
    beckon_await (attempts[i].result != NULL);
  for (int i = 0; i < n_attempts; i++)
    n_won += hear (call, i, world, &attempts[i]);
  g_assert_cmpint (n_won, ==, was_pending);
  world->n_races += n_attempts > 1;
}

/* The driver */

static BeckonBatch *
make_start (Call *call)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autoptr (BeckonToolCall) object = make_object (call, BECKON_CALL_STARTED, NULL);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, call->arguments, -1);
  gint64 now = g_get_real_time ();
  g_autofree char *own_id = beckon_id_new ();
  const char *id = call->request != NULL ? beckon_request_get_id (call->request) : own_id;

  /* A call that a person allowed has its permit from the settlement, bound to what was shown or put in its place. */
  if (call->request == NULL)
    beckon_batch_add_permit (batch, id, call->id, digest, now);
  beckon_tool_call_set_times (object, now, 0);
  beckon_batch_use_permit (batch, id, call->id, digest, now);
  beckon_batch_set_call (batch, object, call->state);

  return batch;
}

static void
start (World *world, Turn *turn)
{
  Call *call = any_call (turn, is_decided);

  if (call == NULL)
    return;

  beckon_store_fixture_commit (get_store (world, turn->driver), make_start (call));
  call->state = BECKON_CALL_STARTED;
  call->running = TRUE;
  call->n_runs++;
}

static void
finish (World *world, Turn *turn)
{
  Call *call = any_call (turn, is_running);
  BeckonBatch *batch;

  if (call == NULL)
    return;

  call->running = FALSE;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  set_call (batch, call, BECKON_CALL_DONE, "output");
  beckon_store_fixture_commit (get_store (world, turn->driver), batch);
  call->state = BECKON_CALL_DONE;
  call->result = g_strdup ("output");
}

static void
add_stop (BeckonBatch *batch, Turn *turn)
{
  g_autoptr (BeckonRunRecord) ended = beckon_run_record_copy (turn->run);

  for (guint i = 0; i < turn->n_calls; i++)
    {
      Call *call = &turn->calls[i];

      if (call->pending)
        {
          g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
          g_autoptr (BeckonSettlement) settlement
            = beckon_settlement_new (call->request, answer, "agent", "driver", g_get_real_time ());

          beckon_batch_settle (batch, settlement, FALSE);
        }
      else if (is_open (call))
        {
          set_call (batch, call, BECKON_CALL_CANCELLED, "stopped");
        }
    }
  ended->phase = BECKON_RUN_STOPPED;
  beckon_batch_set_run (batch, ended);
}

static void
apply_stop (Turn *turn)
{
  for (guint i = 0; i < turn->n_calls; i++)
    {
      Call *call = &turn->calls[i];

      if (!is_open (call))
        continue;
      if (!call->pending)
        call->result = g_strdup ("stopped");
      call->n_wins += call->pending;
      call->pending = FALSE;
      call->running = FALSE;
      call->state = BECKON_CALL_CANCELLED;
    }
  turn->over = TRUE;
}

/* A stop against an answer that comes at the same time: one of the two is first, and then the other cannot be. */
static void
stop_against_answer (World *world, Turn *turn, Call *call)
{
  int process = (turn->driver + 1) % N_PROCESSES;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autoptr (GAsyncResult) stopped = NULL;
  g_autoptr (GError) error = NULL;
  Attempt answer = { 0 };
  gboolean stop_won;

  add_stop (batch, turn);
  if (one_in (2))
    attempt (world, call, process, &answer);
  beckon_store_commit_async (get_store (world, turn->driver), batch, NULL, keep_result, &stopped);
  if (answer.settlement == NULL)
    attempt (world, call, process, &answer);
  beckon_await (stopped != NULL && answer.result != NULL);

  stop_won = beckon_store_commit_finish (world->stores[turn->driver], stopped, &error);
  if (!stop_won)
    g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  if (stop_won)
    apply_stop (turn);
  g_assert_cmpint (hear (call, process, world, &answer), ==, !stop_won);
  world->n_races++;
}

static void
stop (World *world, Turn *turn)
{
  Call *call = any_call (turn, is_pending);
  BeckonBatch *batch;

  if (call != NULL)
    stop_against_answer (world, turn, call);
  if (turn->over)
    return;

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  add_stop (batch, turn);
  beckon_store_fixture_commit (get_store (world, turn->driver), batch);
  apply_stop (turn);
}

/* A process that does not drive a run must not be able to take, move or end it. */
static void
meddle (World *world, Turn *turn)
{
  int process = (turn->driver + 1) % N_PROCESSES;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autoptr (GError) error = NULL;

  g_assert_null (beckon_store_fixture_claim (get_store (world, process), turn->run->id, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_clear_error (&error);
  beckon_batch_set_run (batch, turn->run);
  g_assert_false (beckon_store_fixture_try_commit (get_store (world, process), batch, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
}

/* Death: what was submitted may be written without anybody having heard of it; a tool that ran is gone. */
static void
die (World *world, Turn *turn)
{
  Call *call = any_call (turn, is_decided);
  BeckonStore *store = get_store (world, turn->driver);

  if (call != NULL && one_in (2))
    {
      g_autoptr (GCancellable) never = g_cancellable_new ();
      gboolean written = one_in (2);

      if (!written)
        g_cancellable_cancel (never);
      beckon_store_commit_async (store, make_start (call), written ? NULL : never, NULL, NULL);
      if (written)
        call->state = BECKON_CALL_STARTED;
      while (!written && g_main_context_iteration (NULL, FALSE))
        continue;
    }

  for (guint i = 0; i < turn->n_calls; i++)
    turn->calls[i].running = FALSE;
  beckon_store_fixture_close (store);
  g_clear_object (&world->stores[turn->driver]);
  turn->driver = -1;
  world->n_deaths++;
}

/* The state of a call that its driver left, as the design says. */
static void
recover_call (Turn *turn, Call *call, BeckonBatch *batch)
{
  BeckonCallState after = call->state;

  if (call->state == BECKON_CALL_DECIDED && (call->kind == KIND_APPROVAL || call->n_requests > 0))
    after = BECKON_CALL_AWAITING;
  else if (call->state == BECKON_CALL_STARTED)
    after = call->kind == KIND_READ ? BECKON_CALL_DECIDED : BECKON_CALL_UNKNOWN;

  if (after == call->state)
    return;

  set_call (batch, call, after, NULL);
  if (after != BECKON_CALL_DECIDED)
    {
      /* A decision that was not used is asked for again; it does not count any more. */
      if (call->state == BECKON_CALL_DECIDED)
        call->n_decisions--;
      ask (turn, call, batch);
    }
  call->state = after;
}

static void
take_over (World *world, Turn *turn)
{
  int process = any_process ();
  BeckonStore *store = get_store (world, process);
  g_autoptr (BeckonRunRecord) claimed = NULL;
  g_autoptr (GError) error = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  claimed = beckon_store_fixture_claim (store, turn->run->id, &error);
  g_assert_no_error (error);
  g_assert_cmpint (claimed->phase, ==, BECKON_RUN_CALLING);
  turn->driver = process;
  for (guint i = 0; i < turn->n_calls; i++)
    recover_call (turn, &turn->calls[i], batch);
  beckon_batch_set_run (batch, turn->run);
  beckon_store_fixture_commit (store, batch);
}

/* Looking */

static void
check_call (Call *call, BeckonToolCall *stored)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (stored));

  g_assert_cmpstr (beckon_tool_call_get_id (stored), ==, call->id);
  g_assert_cmpstr (beckon_call_state_to_string (beckon_tool_call_get_state (stored)), ==,
                   beckon_call_state_to_string (call->state));
  if (call->result != NULL)
    g_assert_cmpstr (beckon_tool_call_get_result (stored), ==, call->result);
  g_assert_cmpint (beckon_tool_call_get_result (stored) != NULL, ==, !is_open (call));
  g_assert_cmpstr (beckon_tool_call_get_effective_arguments (stored), ==, call->arguments);
  g_assert_cmpint (request != NULL, ==, call->request != NULL);
  if (request != NULL)
    g_assert_cmpstr (beckon_request_get_id (request), ==, beckon_request_get_id (call->request));

  /* Each request that is not open has a single winner. */
  g_assert_cmpuint (call->n_wins + call->pending, ==, call->n_requests);

  /* No call ran without a decision, and one that changes something no more often than was decided. */
  if (call->kind != KIND_READ)
    g_assert_cmpuint (call->n_runs, <=, call->n_decisions);
}

static void
check (World *world, Turn *turn)
{
  BeckonStore *store = get_store (world, any_process ());
  g_autoptr (GPtrArray) messages = beckon_store_fixture_load (store, beckon_conversation_get_id (turn->conversation));
  g_autofree char *text = NULL;
  BeckonMessage *reply;

  g_assert_cmpuint (messages->len, ==, 2);
  text = beckon_message_dup_text (g_ptr_array_index (messages, 0));
  g_assert_cmpstr (text, ==, beckon_conversation_get_id (turn->conversation));
  reply = g_ptr_array_index (messages, 1);
  g_assert_cmpuint (beckon_message_get_n_parts (reply), ==, turn->n_calls);
  for (guint i = 0; i < turn->n_calls; i++)
    check_call (&turn->calls[i], beckon_part_get_call (beckon_message_get_part (reply, i)));
}

static void
step (World *world, Turn *turn)
{
  world->n_steps++;
  if (turn->driver < 0)
    {
      if (one_in (2))
        take_over (world, turn);
      else
        settle (world, turn);
      return;
    }

  switch (g_test_rand_int_range (0, 12))
    {
    case 0:
      die (world, turn);
      break;
    case 1:
      if (one_in (3))
        stop (world, turn);
      break;
    case 2:
      if (one_in (2))
        meddle (world, turn);
      break;
    case 3:
      check (world, turn);
      break;
    case 4:
    case 5:
    case 6:
      start (world, turn);
      break;
    case 7:
    case 8:
      finish (world, turn);
      break;
    default:
      settle (world, turn);
      break;
    }
}

/* A turn can always be brought to its end, whatever state the steps left. */
static void
bring_to_end (World *world, Turn *turn)
{
  BeckonBatch *batch;

  if (turn->driver < 0)
    take_over (world, turn);
  for (guint i = 0; i < 100 && any_call (turn, is_open) != NULL; i++)
    {
      settle (world, turn);
      start (world, turn);
      finish (world, turn);
    }
  g_assert_null (any_call (turn, is_open));

  turn->run->phase = BECKON_RUN_COMPLETE;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_set_run (batch, turn->run);
  beckon_store_fixture_commit (get_store (world, turn->driver), batch);
  turn->over = TRUE;
}

static void
live_one_history (World *world)
{
  Turn *turn = begin (world);
  int n_steps = g_test_rand_int_range (0, MAX_STEPS);

  for (int i = 0; i < n_steps && !turn->over; i++)
    step (world, turn);
  if (!turn->over)
    bring_to_end (world, turn);
  if (any_call (turn, was_asked) != NULL && one_in (4))
    settle (world, turn);
  check (world, turn);
  turn_free (turn);
}

static void
assert_none (World *world, const char *sql)
{
  g_autofree char *count = beckon_store_fixture_sql (world->directory, sql);

  g_assert_cmpstr (count, ==, "0");
}

/* Checks the file as a whole, in words of SQL. */
static void
check_file (World *world)
{
  g_autofree char *integrity = beckon_store_fixture_sql (world->directory, "PRAGMA integrity_check");

  g_assert_cmpstr (integrity, ==, "ok");
  assert_none (world, "SELECT count (*) FROM run WHERE open");
  assert_none (world, "SELECT count (*) FROM request WHERE state = 'pending'");
  assert_none (world, "SELECT count (*) FROM request r LEFT JOIN settlement s ON s.request = r.id WHERE s.state IS NOT r.state");
  assert_none (world, "SELECT count (*) FROM call WHERE state NOT IN ('done', 'cancelled')");
  assert_none (world, "SELECT count (*) FROM call c WHERE"
                      " (SELECT count (*) FROM part WHERE call = c.id AND kind = 'result') <> 1");
}

/* The many histories are not about the disk: memory does where it can be had as files. */
static char *
make_folder (void)
{
  g_autofree char *parent = g_strdup ("/dev/shm/beckon-store-XXXXXX");

  if (g_mkdtemp (parent) == NULL)
    return beckon_store_fixture_make_folder ();

  return g_build_filename (parent, "data", NULL);
}

static void
test_histories (void)
{
  World world = { .directory = make_folder () };
  guint n_histories = g_test_quick () ? N_HISTORIES : 10 * N_HISTORIES;

  for (guint i = 0; i < n_histories; i++)
    live_one_history (&world);
  for (guint i = 0; i < N_PROCESSES; i++)
    if (world.stores[i] != NULL)
      g_assert_finalize_object (world.stores[i]);

  check_file (&world);
  g_test_message ("%u histories, %u steps, %u races, %u deaths", n_histories, world.n_steps, world.n_races,
                  world.n_deaths);
  g_assert_cmpuint (world.n_deaths, >, n_histories / 10);
  g_assert_cmpuint (world.n_races, >, n_histories / 2);
  beckon_store_fixture_clear (world.directory);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/store/model/histories", test_histories);

  return g_test_run ();
}
