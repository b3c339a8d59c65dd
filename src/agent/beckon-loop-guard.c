/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-loop-guard.h"

#include "domain/beckon-request-error.h"
#include "domain/beckon-tool-names.h"
#include "request/beckon-question-request.h"
#include "request/beckon-request.h"

#include <glib/gi18n-lib.h>

/* As many as show a pair, and the one that is asked about. */
#define N_LOOKED_AT 5

/* Goes from the latest call to the earliest; %FALSE ends it. */
typedef gboolean (*Visit) (BeckonToolCall *call, gpointer data);

static gboolean
visit_siblings (GPtrArray *siblings, BeckonToolCall *call, Visit visit, gpointer data)
{
  guint index = 0;

  if (siblings == NULL || !g_ptr_array_find (siblings, call, &index))
    return TRUE;
  for (; index > 0; index--)
    if (!visit (g_ptr_array_index (siblings, index - 1), data))
      return FALSE;

  return TRUE;
}

static gboolean
visit_message (BeckonMessage *message, BeckonToolCall *call, gboolean *before, Visit visit, gpointer data)
{
  for (guint i = beckon_message_get_n_parts (message); i > 0; i--)
    {
      BeckonToolCall *other = beckon_part_get_call (beckon_message_get_part (message, i - 1));

      if (other == call)
        *before = TRUE;
      else if (other != NULL && *before && !visit (other, data))
        return FALSE;
    }

  return TRUE;
}

static gboolean
loop_guard_holds (BeckonMessage *message, BeckonToolCall *call)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_part_get_call (beckon_message_get_part (message, i)) == call)
      return TRUE;

  return FALSE;
}

/* The turn's calls before @call; a person's message is where the turn began. */
static void
visit_turn (BeckonConversation *conversation, GPtrArray *siblings, BeckonToolCall *call, Visit visit, gpointer data)
{
  guint n = beckon_conversation_get_n_messages (conversation);
  gboolean before = n == 0 || !loop_guard_holds (beckon_conversation_get_message (conversation, n - 1), call);

  if (!visit_siblings (siblings, call, visit, data))
    return;
  for (guint i = n; i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i - 1);

      if (beckon_message_get_role (message) == BECKON_ROLE_USER
          || !visit_message (message, call, &before, visit, data))
        return;
    }
}

static gboolean
was_seen (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return request != NULL && !BECKON_IS_QUESTION_REQUEST (request)
         && beckon_request_get_state (request) == BECKON_REQUEST_ANSWERED
         && g_strcmp0 (beckon_request_get_front_end (request), BECKON_FRONT_END_RULE) != 0;
}

static gboolean
loop_guard_is_same (BeckonToolCall *a, BeckonToolCall *b)
{
  return g_str_equal (beckon_tool_call_get_name (a), beckon_tool_call_get_name (b))
         && g_str_equal (beckon_tool_call_get_arguments (a), beckon_tool_call_get_arguments (b));
}

typedef struct
{
  BeckonToolCall *last[N_LOOKED_AT]; /* the latest first */
  guint n;
} Past;

static gboolean
loop_guard_look (BeckonToolCall *call, gpointer data)
{
  Past *past = data;

  if (past->n < N_LOOKED_AT)
    past->last[past->n] = call;
  past->n++;
  return past->n < BECKON_LOOP_MANY_CALLS && !was_seen (call);
}

/* The one before, and it, and the one before, and it, and the one before: with this call three pairs. */
static gboolean
is_pair (const Past *past, BeckonToolCall *call)
{
  return past->n >= N_LOOKED_AT && loop_guard_is_same (past->last[1], call) && loop_guard_is_same (past->last[3], call)
         && loop_guard_is_same (past->last[0], past->last[2]) && loop_guard_is_same (past->last[2], past->last[4]);
}

BeckonLoop
beckon_loop_guard_find (BeckonConversation *conversation, GPtrArray *siblings, BeckonToolCall *call)
{
  Past past = { { NULL }, 0 };

  visit_turn (conversation, siblings, call, loop_guard_look, &past);
  if (past.n >= 2 && loop_guard_is_same (past.last[0], call) && loop_guard_is_same (past.last[1], call))
    return BECKON_LOOP_SAME;
  if (is_pair (&past, call))
    return BECKON_LOOP_PAIR;

  return past.n >= BECKON_LOOP_MANY_CALLS ? BECKON_LOOP_MANY : BECKON_LOOP_NONE;
}

/* A call with a result that never began or was asked about. */
static gboolean
is_refused (BeckonToolCall *call)
{
  return beckon_tool_call_get_state (call) == BECKON_CALL_DONE && beckon_tool_call_get_is_error (call)
         && beckon_tool_call_get_started_at (call) == 0 && beckon_tool_call_get_request (call) == NULL;
}

gboolean
beckon_loop_guard_is_repeat (BeckonConversation *conversation, BeckonToolCall *call, const char *result)
{
  Past past = { { NULL }, 0 };

  visit_turn (conversation, NULL, call, loop_guard_look, &past);
  return past.n > 0 && loop_guard_is_same (past.last[0], call) && g_strcmp0 (beckon_tool_call_get_result (past.last[0]),
                                                                             result) == 0;
}

/* How many replies at the end of the turn have calls, none of which ran or was asked about. */
static guint
count_refused_replies (BeckonConversation *conversation)
{
  guint n = 0;

  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i - 1);
      guint n_refused = 0;

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        break;
      for (guint k = 0; k < beckon_message_get_n_parts (message); k++)
        {
          BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, k));

          if (call != NULL && !is_refused (call))
            return n;
          n_refused += call != NULL;
        }
      n += n_refused > 0;
    }
  return n;
}

typedef struct
{
  BeckonToolCall *call;
  guint n;
} Refusals;

static gboolean
count_refusal (BeckonToolCall *call, gpointer data)
{
  Refusals *refusals = data;

  refusals->n += is_refused (call)
                 && (loop_guard_is_same (call, refusals->call)
                     || (g_str_equal (beckon_tool_call_get_name (call), beckon_tool_call_get_name (refusals->call))
                         && beckon_tool_names_is_refusal (beckon_tool_call_get_result (call))));
  return refusals->n < 2;
}

const char *
beckon_loop_guard_find_refused (BeckonConversation *conversation)
{
  guint n = beckon_conversation_get_n_messages (conversation);
  BeckonMessage *last = n > 0 ? beckon_conversation_get_message (conversation, n - 1) : NULL;

  for (guint i = 0; last != NULL && i < beckon_message_get_n_parts (last); i++)
    {
      Refusals refusals = { beckon_part_get_call (beckon_message_get_part (last, i)), 0 };

      if (refusals.call == NULL || !is_refused (refusals.call))
        continue;
      visit_turn (conversation, NULL, refusals.call, count_refusal, &refusals);
      if (refusals.n == 2)
        return _("Paused: the model made the same call three times, and it never ran.");
    }
  return count_refused_replies (conversation) >= BECKON_LOOP_MAX_REFUSED
           ? _("Paused: none of the model’s last six replies contained a call that could run.") : NULL;
}

const char *
beckon_loop_to_reason (BeckonLoop loop)
{
  switch (loop)
    {
    case BECKON_LOOP_SAME:
      return _("The model makes the very same call for the third time. It may be going round in circles.");
    case BECKON_LOOP_PAIR:
      return _("The model makes the same two calls in turn, over and over. It may be going round in circles.");
    case BECKON_LOOP_MANY:
      return _("The model has made 500 calls in this turn. Let it continue?");
    case BECKON_LOOP_NONE:
    default:
      return NULL;
    }
}
