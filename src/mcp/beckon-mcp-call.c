/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-client-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "base/beckon-worker.h"
#include "rpc/beckon-rpc-message.h"

#include <string.h>

/*
 * A call of a tool. What a server asks comes in three ways, and is asked of the person in one: as a request of its own while
 * the call runs (older revisions), as an error that names addresses (older), or as a result that needs input, after which the
 * call is sent again with the answers, another id and the exact state (2026-07-28).
 *
 * Time counts only while no person is asked; an older server that asks holds up its other calls, too.
 */

#define MAX_ROUNDS 20
#define MAX_INPUTS 16

/* A result up to this is read at once, a longer one on a worker. */
#define SMALL_RESULT (16 * 1024)

struct _BeckonMcpCall
{
  BeckonMcpClient *client; /* as @task's source */
  GTask *task;             /* (nullable) once it has ended */
  guint n_pending;         /* what keeps this in memory: a request under way, forms */
  BeckonMcpToolInfo *info;
  char *arguments;
  char **headers;
  char *folder;
  const BeckonMcpCallHandler *handler;
  gpointer data;
  gint64 token;
  GCancellable *inner;  /* the request under way */
  GCancellable *asking; /* the forms */
  GSource *cancelled;   /* (nullable) */
  guint timer;
  gint64 since;      /* when the timer began; 0 while it stands */
  gint64 last_sign;  /* when there was a sign of life that counted */
  gint64 used_us;    /* time that counted before */
  gboolean is_late;
  guint n_rounds;
  gboolean is_reissued;
  gboolean is_lost; /* its process is ending, and how is told in a moment */

  /* The next request takes these along. */
  GString *responses; /* (nullable): members of `inputResponses` */
  char *state;        /* (nullable): JSON */
  char *resumption;   /* (nullable): what the forms of this round are asked with */
  GPtrArray *forms;   /* (element-type Form): those that a person has; borrowed */
  guint n_forms;      /* still asked of the person, for the next request */
  gboolean is_refused;
  GHashTable *links; /* (nullable) (element-type utf8): addresses that the server has not said to be done with, by id */
  guint link_timer;
};

/* A form that a person has. */
typedef struct
{
  BeckonMcpCall *call;
  char *id;  /* (nullable): of an older server's request */
  char *key; /* (nullable): of an input */
  gboolean is_link;
  GCancellable *cancellable;
} Form;

static void send_call (BeckonMcpCall *call);

/* --- Life --------------------------------------------------------------------------------------------------------- */

/* Values that a person entered are in them. */
static void
drop_responses (BeckonMcpCall *call)
{
  if (call->responses != NULL)
    beckon_wipe (g_string_free (g_steal_pointer (&call->responses), FALSE));
}

static void
mcp_call_release (BeckonMcpCall *call)
{
  if (call->task != NULL || call->n_pending > 0)
    return;
  beckon_mcp_tool_info_unref (call->info);
  beckon_wipe (call->arguments);
  g_strfreev (call->headers);
  g_free (call->folder);
  g_clear_object (&call->inner);
  g_object_unref (call->asking);
  drop_responses (call);
  g_free (call->state);
  g_free (call->resumption);
  g_ptr_array_unref (call->forms);
  g_clear_pointer (&call->links, g_hash_table_unref);
  g_object_unref (call->client);
  g_free (call);
}

static void
stop_clock (BeckonMcpCall *call)
{
  if (call->since == 0)
    return;
  beckon_clock_remove (call->client->clock, call->timer);
  call->timer = 0;
  call->used_us += beckon_clock_get_monotonic_time (call->client->clock) - call->since;
  call->since = 0;
}

/* @result: (transfer full) (nullable); @error: (transfer full) (nullable). */
static void
mcp_call_end_call (BeckonMcpCall *call, BeckonMcpResult *result, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&call->task);

  stop_clock (call);
  beckon_clock_remove (call->client->clock, call->link_timer);
  call->link_timer = 0;
  g_ptr_array_remove (call->client->calls, call);
  if (call->cancelled != NULL)
    g_source_destroy (call->cancelled);
  g_clear_pointer (&call->cancelled, g_source_unref);
  /* Forms may be answered within it. */
  call->n_pending++;
  g_cancellable_cancel (call->asking);
  if (call->inner != NULL)
    g_cancellable_cancel (call->inner);
  call->n_pending--;
  mcp_call_release (call);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, result, (GDestroyNotify) beckon_mcp_result_free);
}

static void
mcp_call_fail (BeckonMcpCall *call, const char *text)
{
  mcp_call_end_call (call, NULL, g_error_new_literal (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, text));
}

static gboolean
mcp_call_on_late (gpointer user_data)
{
  BeckonMcpCall *call = user_data;

  call->timer = 0;
  mcp_call_fail (call,
                 "The server's tool gave no sign of life for too long. It was cancelled; what it did until then is not known.");
  return G_SOURCE_REMOVE;
}

static void
start_clock (BeckonMcpCall *call)
{
  BeckonMcpClient *self = call->client;
  gint64 left_ms = (gint64) self->limits.call_max_ms - call->used_us / 1000;

  if (call->since != 0 || self->n_asking > 0 || call->link_timer != 0 || call->task == NULL)
    return;
  call->since = call->last_sign = beckon_clock_get_monotonic_time (self->clock);
  call->timer = beckon_clock_add_timeout (self->clock, (guint) CLAMP (left_ms, 1, self->limits.call_ms), mcp_call_on_late,
                                          call);
}

/* --- Forms -------------------------------------------------------------------------------------------------------- */

static void
append_string (GString *text, const char *string)
{
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_string (&writer, string, -1);
}

static void
add_response (BeckonMcpCall *call, const char *key, const char *response)
{
  if (call->responses == NULL)
    call->responses = g_string_new (NULL);
  else
    g_string_append_c (call->responses, ',');
  append_string (call->responses, key);
  g_string_append_c (call->responses, ':');
  g_string_append (call->responses, response);
}

static gboolean
is_accepted (const char *response)
{
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (response, -1, NULL);

  return g_strcmp0 (beckon_json_value_get_string (beckon_json_value_get (value, "action")), "accept") == 0;
}

static gboolean
on_links_late (gpointer user_data)
{
  BeckonMcpCall *call = user_data;

  call->link_timer = 0;
  g_clear_pointer (&call->links, g_hash_table_unref);
  send_call (call);
  return G_SOURCE_REMOVE;
}

static void
on_handed_over (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonMcpCall *call = user_data;
  GError *error = NULL;
  gboolean may_leave = g_task_propagate_boolean (G_TASK (result), &error);

  call->n_pending--;
  if (call->task == NULL)
    {
      g_clear_error (&error);
      mcp_call_release (call);
    }
  else if (may_leave)
    send_call (call);
  else
    mcp_call_end_call (call, NULL, error);
}

/* All answers for the next request are there. An address that was opened is not dealt with yet; not every server says when. */
static void
mcp_call_go_on (BeckonMcpCall *call)
{
  if (call->task == NULL || call->n_forms > 0 || call->link_timer != 0)
    return;
  if (call->is_refused)
    mcp_call_fail (call, "The user did not open the address that the tool needs. Don't try again unless they ask for it.");
  else if (call->links != NULL && g_hash_table_size (call->links) > 0)
    {
      /* While a person is elsewhere the server owes no sign of life. */
      stop_clock (call);
      call->link_timer = beckon_clock_add_timeout (call->client->clock, call->client->limits.link_ms, on_links_late, call);
    }
  else
    {
      /* Another process may take over at any time: what it can't know to have left, it sends again. */
      if (call->responses == NULL || call->resumption == NULL || call->handler == NULL || call->handler->hand_over == NULL)
        {
          send_call (call);
          return;
        }
      call->n_pending++;
      call->handler->hand_over (call->resumption, on_handed_over, call, call->data);
    }
}

void
beckon_mcp_call_complete (BeckonMcpClient *self, const char *json)
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  const char *id = beckon_json_value_get_string (beckon_json_value_get (value, "elicitationId"));

  for (guint i = self->calls->len; id != NULL && i > 0; i--)
    {
      BeckonMcpCall *call = g_ptr_array_index (self->calls, i - 1);

      if (call->handler != NULL && call->handler->completed != NULL)
        call->handler->completed (id, call->data);
      if (call->links == NULL || !g_hash_table_remove (call->links, id) || g_hash_table_size (call->links) > 0
          || call->link_timer == 0)
        continue;
      beckon_clock_remove (self->clock, call->link_timer);
      call->link_timer = 0;
      mcp_call_go_on (call);
      return;
    }
}

/* @error: (nullable). (transfer full) */
static BeckonRpcMessage *
make_answer (const char *id, const char *response, const GError *error)
{
  if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_INVALID))
    return beckon_rpc_message_new_error (id, BECKON_RPC_ERROR_INVALID_PARAMS, error->message, NULL);
  if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_STORE))
    return beckon_rpc_message_new_error (id, BECKON_RPC_ERROR_INTERNAL, "The answer can't be read", NULL);
  return beckon_rpc_message_new_result (id, response);
}

static void
mcp_call_on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Form *form = user_data;
  BeckonMcpCall *call = form->call;
  BeckonMcpClient *self = call->client;
  g_autoptr (GError) error = NULL;
  beckon_autowipe char *said = g_task_propagate_pointer (G_TASK (result), &error);
  const char *response = said != NULL ? said : "{\"action\":\"cancel\"}";
  gboolean is_faulty = g_error_matches (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  gboolean is_lost = g_error_matches (error, BECKON_ERROR, BECKON_ERROR_STORE);
  BeckonMcpClient *client;

  if (form->id != NULL && self->is_open)
    beckon_mcp_transport_answer (self->transport, make_answer (form->id, response, error));
  else if (form->id == NULL)
    {
      call->n_forms--;
      if (form->is_link)
        call->is_refused = call->is_refused || !is_accepted (response);
      else
        add_response (call, form->key, response);
      if (is_faulty && call->task != NULL)
        mcp_call_fail (call, error->message);
    }
  if (is_lost && call->task != NULL)
    mcp_call_fail (call, error->message);

  client = call->client;
  if (--client->n_asking == 0)
    for (guint i = 0; i < client->calls->len; i++)
      {
        BeckonMcpCall *other = g_ptr_array_index (client->calls, i);

        if (other->n_forms == 0)
          start_clock (other);
      }
  if (form->id == NULL)
    mcp_call_go_on (call);
  g_ptr_array_remove (call->forms, form);
  g_free (form->id);
  g_free (form->key);
  g_object_unref (form->cancellable);
  g_free (form);
  call->n_pending--;
  mcp_call_release (call);
}

static void
on_call_stopped (GCancellable *cancellable, gpointer user_data)
{
  g_cancellable_cancel (user_data);
}

/* @id, @key: (nullable). */
static Form *
make_form (BeckonMcpCall *call, const char *id, const char *key)
{
  Form *form = g_new0 (Form, 1);

  form->call = call;
  form->id = g_strdup (id);
  form->key = g_strdup (key);
  form->cancellable = g_cancellable_new ();
  g_cancellable_connect (call->asking, G_CALLBACK (on_call_stopped), g_object_ref (form->cancellable), g_object_unref);
  g_ptr_array_add (call->forms, form);
  call->n_pending++;
  if (id == NULL)
    call->n_forms++;
  call->client->n_asking++;
  for (guint i = 0; i < call->client->calls->len; i++)
    stop_clock (g_ptr_array_index (call->client->calls, i));
  return form;
}

static gboolean
can_ask (const BeckonMcpCall *call)
{
  return call->handler != NULL && call->handler->elicit != NULL;
}

/* (nullable): the call in whose stream the server asks. An older server of stdio doesn't say for which it does: the newest is
 * the likeliest. */
static BeckonMcpCall *
find_asker (BeckonMcpClient *self, gconstpointer asker)
{
  guint at;

  if (asker != NULL && g_ptr_array_find (self->calls, asker, &at))
    return can_ask (asker) ? g_ptr_array_index (self->calls, at) : NULL;
  for (guint i = self->calls->len; i > 0; i--)
    if (can_ask (g_ptr_array_index (self->calls, i - 1)))
      return g_ptr_array_index (self->calls, i - 1);
  return NULL;
}

const char *
beckon_mcp_call_get_folder (BeckonMcpClient *self)
{
  const char *folder = NULL;

  for (guint i = 0; i < self->calls->len; i++)
    {
      const BeckonMcpCall *call = g_ptr_array_index (self->calls, i);

      if (i > 0 && g_strcmp0 (folder, call->folder) != 0)
        return NULL;
      folder = call->folder;
    }
  return folder;
}

gboolean
beckon_mcp_call_serve (BeckonMcpClient *self, const BeckonRpcMessage *message, gconstpointer asker)
{
  BeckonMcpCall *call = find_asker (self, asker);
  g_autofree char *params = NULL;
  Form *form;

  if (call == NULL || call->n_pending > MAX_INPUTS)
    return FALSE;
  form = make_form (call, message->id, NULL);
  params = beckon_mcp_transport_mask_json (self->transport, g_strdup (message->json != NULL ? message->json : "{}"));
  call->handler->elicit (params, NULL, NULL, form->cancellable, mcp_call_on_answered, form, call->data);
  return TRUE;
}

void
beckon_mcp_call_take_back (BeckonMcpClient *self, const char *json)
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  const BeckonJsonValue *id = beckon_json_value_get (value, "requestId");
  g_autofree char *wanted = id != NULL ? g_strndup (json + id->offset, id->length) : NULL;

  for (guint i = 0; wanted != NULL && i < self->calls->len; i++)
    {
      BeckonMcpCall *call = g_ptr_array_index (self->calls, i);

      for (guint j = 0; j < call->forms->len; j++)
        {
          Form *form = g_ptr_array_index (call->forms, j);

          if (g_strcmp0 (form->id, wanted) == 0)
            {
              g_cancellable_cancel (form->cancellable);
              return;
            }
        }
    }
}

/* --- Results ------------------------------------------------------------------------------------------------------ */

static char *
make_resumption (BeckonMcpCall *call, const BeckonMcpResult *result)
{
  GString *text = g_string_new ("{\"inputs\":");

  g_string_append (text, result->inputs);
  if (result->state != NULL)
    g_string_append_printf (text, ",\"state\":%s", result->state);
  g_string_append (text, ",\"tool\":");
  append_string (text, call->info->digest);
  g_string_append_c (text, '}');
  return g_string_free (text, FALSE);
}

/* @value: a request within `inputRequests`. */
static gboolean
take_input (BeckonMcpCall *call, const char *key, const BeckonJsonValue *value, const char *inputs, const char *resumption)
{
  const char *method = beckon_json_value_get_string (beckon_json_value_get (value, "method"));
  const BeckonJsonValue *params = beckon_json_value_get (value, "params");
  g_autofree char *text = params != NULL ? g_strndup (inputs + params->offset, params->length) : g_strdup ("{}");

  if (g_strcmp0 (method, "roots/list") == 0)
    {
      g_autofree char *roots = beckon_mcp_codec_make_roots (call->folder);

      add_response (call, key, roots);
      return TRUE;
    }
  if (g_strcmp0 (method, "elicitation/create") != 0)
    return FALSE;
  if (call->handler != NULL && call->handler->elicit != NULL)
    {
      Form *form = make_form (call, NULL, key);

      call->handler->elicit (text, key, resumption, form->cancellable, mcp_call_on_answered, form, call->data);
    }
  else
    {
      add_response (call, key, "{\"action\":\"cancel\"}");
    }
  return TRUE;
}

/* @inputs, @state: (nullable): JSON. */
static void
take_inputs (BeckonMcpCall *call, const char *inputs, const char *state, const char *resumption)
{
  g_autoptr (BeckonJsonValue) value = inputs != NULL ? beckon_json_value_parse (inputs, -1, NULL) : NULL;
  guint n = beckon_json_value_get_n_children (value);

  if (++call->n_rounds > MAX_ROUNDS || n > MAX_INPUTS)
    {
      mcp_call_fail (call, "The server asks for more and more, so that the call was ended.");
      return;
    }
  drop_responses (call);
  g_free (call->state);
  call->state = g_strdup (state);
  g_free (call->resumption);
  call->resumption = g_strdup (resumption);
  stop_clock (call);
  /* Held until all are asked, as an answer may be there at once. */
  call->n_forms++;
  call->n_pending++;
  for (guint i = 0; i < n && call->task != NULL; i++)
    {
      const BeckonJsonValue *input = beckon_json_value_get_child (value, i);
      const char *key = memchr (input->name->str, '\0', input->name->len) == NULL ? input->name->str : NULL;

      if (key == NULL || !take_input (call, key, input, inputs, resumption))
        {
          mcp_call_fail (call, "The server asks for something that is not allowed, such as a model's reply.");
          break;
        }
    }
  call->n_forms--;
  mcp_call_go_on (call);
  call->n_pending--;
  mcp_call_release (call);
}

static void
mcp_call_take_result (BeckonMcpCall *call, BeckonMcpResult *result, GError *error)
{
  if (result == NULL)
    {
      mcp_call_end_call (call, NULL, error);
    }
  else if (result->needs_input && !call->client->is_modern)
    {
      beckon_mcp_result_free (result);
      mcp_call_fail (call, "The server asks for input in a way that its revision doesn't have.");
    }
  else if (result->needs_input)
    {
      g_autofree char *resumption = NULL;

      result->inputs = beckon_mcp_transport_mask_json (call->client->transport, result->inputs);
      resumption = result->inputs != NULL ? make_resumption (call, result) : NULL;

      take_inputs (call, result->inputs, result->state, resumption);
      beckon_mcp_result_free (result);
    }
  else
    {
      result->text = beckon_mcp_transport_mask (call->client->transport, result->text);
      mcp_call_end_call (call, result, NULL);
    }
}

typedef struct
{
  char *json;
  char *schema;
} Reading;

static void
mcp_call_reading_free (Reading *reading)
{
  g_free (reading->json);
  g_free (reading->schema);
  g_free (reading);
}

static void
read_result (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Reading *reading = data;
  GError *error = NULL;
  BeckonMcpResult *result = beckon_mcp_result_read (reading->json, reading->schema, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) beckon_mcp_result_free);
  else
    g_task_return_error (task, error);
}

static void
mcp_call_on_read (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  BeckonMcpCall *call = user_data;
  GError *error = NULL;
  BeckonMcpResult *result = g_task_propagate_pointer (G_TASK (async_result), &error);

  call->n_pending--;
  if (call->task != NULL)
    {
      mcp_call_take_result (call, result, error);
      return;
    }
  beckon_mcp_result_free (result);
  g_clear_error (&error);
  mcp_call_release (call);
}

/* Addresses that the person has to go to first; the call is sent again then. */
static gboolean
take_links (BeckonMcpCall *call, const char *json)
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  const BeckonJsonValue *list = beckon_json_value_get (value, "elicitations");
  guint n = beckon_json_value_get_n_children (list);

  if (n == 0 || n > MAX_INPUTS || call->n_rounds++ > 0 || call->handler == NULL || call->handler->elicit == NULL)
    return FALSE;
  stop_clock (call);
  call->links = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  call->n_forms++;
  call->n_pending++;
  for (guint i = 0; i < n; i++)
    {
      const BeckonJsonValue *params = beckon_json_value_get_child (list, i);
      g_autofree char *text
        = beckon_mcp_transport_mask_json (call->client->transport, g_strndup (json + params->offset, params->length));
      const char *id = beckon_json_value_get_string (beckon_json_value_get (params, "elicitationId"));
      Form *form = make_form (call, NULL, NULL);

      form->is_link = TRUE;
      if (id != NULL)
        g_hash_table_add (call->links, g_strdup (id));
      call->handler->elicit (text, NULL, NULL, form->cancellable, mcp_call_on_answered, form, call->data);
    }
  call->n_forms--;
  mcp_call_go_on (call);
  call->n_pending--;
  mcp_call_release (call);
  return TRUE;
}

/* A model reads it: what the transport says is for people. */
static void
lose (BeckonMcpCall *call, int status)
{
  g_autofree char *text = NULL;

  if (status < 0)
    text = g_strdup ("The server ended, or can't be reached; what the tool did until then is not known.");
  else
    text = g_strdup_printf ("The server ended during the call, with exit status %d; what the tool did until then is not known.",
                            status);
  mcp_call_fail (call, text);
}

/* The call has ended without a response. */
static void
miss (BeckonMcpCall *call, const GError *error)
{
  if (g_error_matches (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_PROTOCOL))
    mcp_call_fail (call,
                   "The server's response could not be read: it is not valid JSON-RPC in UTF-8. What the tool did is not "
                   "known.");
  else if (g_error_matches (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_TOO_LARGE))
    mcp_call_fail (call, "The server's response is too long and was not read. What the tool did is not known.");
  else
    lose (call, -1);
}

void
beckon_mcp_call_lose_all (BeckonMcpClient *self, int status)
{
  for (guint i = self->calls->len; i > 0; i--)
    {
      BeckonMcpCall *call = i <= self->calls->len ? g_ptr_array_index (self->calls, i - 1) : NULL;

      if (call != NULL && call->is_lost)
        lose (call, status);
    }
}

/* A stream that broke off takes its call with it, by the newest revision. A tool that may run twice by its server's own word is
 * called again, once, and never with answers of the person's. */
static gboolean
may_reissue (BeckonMcpCall *call, const GError *error)
{
  return call->client->is_modern && call->client->is_open && !call->is_reissued && call->responses == NULL
         && (call->info->is_read_only || call->info->is_idempotent)
         && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
         && !g_error_matches (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_TOO_LARGE);
}

static void
mcp_call_on_response (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonMcpCall *call = user_data;
  GError *error = NULL;
  g_autoptr (BeckonRpcMessage) message
      = beckon_mcp_transport_call_finish (call->client->transport, result, &error);

  call->n_pending--;
  g_clear_object (&call->inner);
  if (call->task == NULL)
    {
      g_clear_error (&error);
      mcp_call_release (call);
      return;
    }
  stop_clock (call);
  if (message == NULL && may_reissue (call, error))
    {
      g_clear_error (&error);
      call->is_reissued = TRUE;
      send_call (call);
    }
  else if (message == NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      mcp_call_end_call (call, NULL, error);
    }
  else if (message == NULL)
    {
      call->is_lost = call->client->is_open && beckon_mcp_client_is_told_of (call->client, error)
                      && g_error_matches (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED);
      if (!call->is_lost)
        miss (call, error);
      g_clear_error (&error);
    }
  else if (message->kind == BECKON_RPC_MESSAGE_ERROR)
    {
      if (message->code == BECKON_MCP_ERROR_URL_NEEDED && !call->client->is_modern && take_links (call, message->json))
        return;
      mcp_call_end_call (call, NULL, beckon_mcp_client_make_error (call->client, message, FALSE));
    }
  else if (strlen (message->json) <= SMALL_RESULT)
    {
      BeckonMcpResult *read = beckon_mcp_result_read (message->json, call->info->output_schema, &error);

      mcp_call_take_result (call, read, error);
    }
  else
    {
      g_autoptr (GTask) task = g_task_new (NULL, NULL, mcp_call_on_read, call);
      Reading *reading = g_new0 (Reading, 1);

      reading->json = g_steal_pointer (&message->json);
      reading->schema = g_strdup (call->info->output_schema);
      g_task_set_task_data (task, reading, (GDestroyNotify) mcp_call_reading_free);
      call->n_pending++;
      beckon_worker_run_for_person (task, read_result);
    }
}

/* --- Sending ------------------------------------------------------------------------------------------------------ */

static char *
make_members (BeckonMcpCall *call)
{
  GString *text = g_string_new ("\"name\":");

  append_string (text, call->info->name);
  g_string_append_printf (text, ",\"arguments\":%s", call->arguments);
  if (call->responses != NULL)
    g_string_append_printf (text, ",\"inputResponses\":{%s}", call->responses->str);
  if (call->state != NULL)
    g_string_append_printf (text, ",\"requestState\":%s", call->state);
  return g_string_free (text, FALSE);
}

static void
send_call (BeckonMcpCall *call)
{
  BeckonMcpClient *self = call->client;
  beckon_autowipe char *members = make_members (call);
  gboolean wants_progress = call->handler != NULL && call->handler->progress != NULL;
  const BeckonMcpParams params
      = { .is_modern = self->is_modern, .members = members, .token = wants_progress ? call->token : 0 };
  beckon_autowipe char *text = beckon_mcp_codec_make_params (&params);
  const BeckonMcpExchange exchange = { .method = "tools/call", .params = text, .name = call->info->name,
                                       .headers = (const char *const *) call->headers };

  call->inner = g_cancellable_new ();
  call->n_pending++;
  start_clock (call);
  beckon_mcp_transport_call_async (self->transport, &exchange, call->inner, mcp_call_on_response, call);
}

void
beckon_mcp_call_progress (BeckonMcpClient *self, const char *json)
{
  g_autofree char *text = NULL;
  gint64 token;

  if (self->calls->len == 0 || !beckon_mcp_codec_read_progress (json, &token, &text))
    return;
  for (guint i = 0; i < self->calls->len; i++)
    {
      BeckonMcpCall *call = g_ptr_array_index (self->calls, i);

      if (call->token != token || call->handler == NULL || call->handler->progress == NULL)
        continue;
      /* A flood of them moves no timer. */
      if (call->since != 0 && beckon_clock_get_monotonic_time (self->clock) - call->last_sign > G_USEC_PER_SEC)
        {
          stop_clock (call);
          start_clock (call);
        }
      text = beckon_mcp_transport_mask (self->transport, text);
      call->handler->progress (text, call->data);
      return;
    }
}

static gboolean
mcp_call_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  BeckonMcpCall *call = user_data;

  mcp_call_end_call (call, NULL, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "The call was cancelled."));
  return G_SOURCE_REMOVE;
}

void
beckon_mcp_client_call_async (BeckonMcpClient *self, const BeckonMcpToolCall *tool_call, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonMcpCall *call = g_new0 (BeckonMcpCall, 1);

  g_return_if_fail (BECKON_IS_MCP_CLIENT (self));
  g_return_if_fail (tool_call != NULL && tool_call->tool != NULL && tool_call->arguments != NULL);

  call->client = g_object_ref (self);
  call->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (call->task, beckon_mcp_client_call_async);
  g_task_set_check_cancellable (call->task, FALSE);
  call->info = beckon_mcp_tool_info_ref (tool_call->tool);
  call->arguments = g_strdup (tool_call->arguments);
  call->headers = g_strdupv ((char **) tool_call->headers);
  call->folder = g_strdup (tool_call->folder);
  call->handler = tool_call->handler;
  call->data = tool_call->data;
  call->token = ++self->last_token;
  call->asking = g_cancellable_new ();
  call->forms = g_ptr_array_new ();
  g_ptr_array_add (self->calls, call);
  if (cancellable != NULL)
    {
      call->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (call->cancelled, G_SOURCE_FUNC (mcp_call_on_cancelled), call, NULL);
      g_source_attach (call->cancelled, NULL);
    }
  if (call->headers == NULL && self->is_modern)
    call->headers = beckon_mcp_tool_info_make_headers (call->info, call->arguments);
  if (tool_call->resumption != NULL)
    {
      const char *resumption = tool_call->resumption;
      g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (resumption, -1, NULL);
      const BeckonJsonValue *inputs = beckon_json_value_get (value, "inputs");
      const BeckonJsonValue *state = beckon_json_value_get (value, "state");
      const char *digest = beckon_json_value_get_string (beckon_json_value_get (value, "tool"));
      g_autofree char *inputs_text = inputs != NULL ? g_strndup (resumption + inputs->offset, inputs->length) : NULL;
      g_autofree char *state_text = state != NULL ? g_strndup (resumption + state->offset, state->length) : NULL;

      /* In a process that is gone the server asked: the same is asked again, and nothing is sent before the answer. */
      if (inputs == NULL || !call->client->is_modern || g_strcmp0 (digest, call->info->digest) != 0)
        mcp_call_fail (call, "The server or its tool changed while it waited for an answer, so that the call can't go on.");
      else
        take_inputs (call, inputs_text, state_text, resumption);
    }
  else
    send_call (call);
}

BECKON_FINISH_POINTER (BeckonMcpResult *, beckon_mcp_client_call, BeckonMcpClient)
