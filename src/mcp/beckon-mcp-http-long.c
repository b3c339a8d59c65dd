/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-http-private.h"

#include "base/beckon-priority.h"
#include "base/beckon-worker.h"

/*
 * Messages of a request of HTTP: one that is long is parsed in a thread, and what is behind it, the end of the response too,
 * waits for it.
 */

static void
forget_outcome (BeckonMcpPost *post)
{
  g_clear_error ((GError **) &post->outcome.error);
  post->has_ended = FALSE;
}

void
beckon_mcp_post_forget_held (BeckonMcpPost *post)
{
  g_queue_clear_full (&post->held, (GDestroyNotify) g_bytes_unref);
  forget_outcome (post);
}

/* A message that is parsed in a thread. */
typedef struct
{
  BeckonMcpPost *post; /* (owned): given back on the main thread */
  char *text;
  gsize length;
  BeckonRpcMessage *message; /* (nullable) */
  GError *error;             /* (nullable) */
} Parsing;

static void
parsing_free (gpointer data)
{
  Parsing *parsing = data;

  g_free (parsing->text);
  beckon_rpc_message_free (parsing->message);
  g_clear_error (&parsing->error);
  g_free (parsing);
}

static void
mcp_http_long_parse (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Parsing *parsing = task_data;

  parsing->message = beckon_rpc_message_parse (parsing->text, parsing->length, NULL, &parsing->error);
  g_task_return_boolean (task, TRUE);
}

static void
hear_held (BeckonMcpPost *post)
{
  while (!post->is_over && !post->is_parsing && !g_queue_is_empty (&post->held))
    {
      g_autoptr (GBytes) held = g_queue_pop_head (&post->held);

      post->n_held -= g_bytes_get_size (held);
      beckon_mcp_post_hear (post, g_bytes_get_data (held, NULL), g_bytes_get_size (held));
    }
}

static void
end_held (BeckonMcpPost *post)
{
  BeckonHttpOutcome outcome = post->outcome;
  g_autoptr (GError) error = (GError *) g_steal_pointer (&post->outcome.error);

  post->has_ended = FALSE;
  beckon_mcp_post_on_end (&outcome, post);
}

static void
on_parsed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Parsing *parsing = g_task_get_task_data (G_TASK (result));
  BeckonMcpPost *post = g_steal_pointer (&parsing->post);

  post->is_parsing = FALSE;
  if (!post->is_over)
    beckon_mcp_post_take (post, g_steal_pointer (&parsing->message), parsing->error);
  hear_held (post);
  if (!post->is_over && !post->is_parsing && post->has_ended)
    end_held (post);
  beckon_mcp_post_unref (post);
}

static void
parse_later (BeckonMcpPost *post, const char *text, gsize length)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_parsed, NULL);
  Parsing *parsing = g_new0 (Parsing, 1);

  post->n_refs++;
  post->is_parsing = TRUE;
  parsing->post = post;
  parsing->text = g_memdup2 (text, length);
  parsing->length = length;
  g_task_set_source_tag (task, parse_later);
  g_task_set_priority (task, BECKON_PRIORITY_SHARED);
  g_task_set_task_data (task, parsing, parsing_free);
  beckon_worker_run_for_person (task, mcp_http_long_parse);
}

/* Messages of a stream keep their order. */
void
beckon_mcp_post_hear (BeckonMcpPost *post, const char *text, gsize length)
{
  if (post->is_parsing && post->n_held + length > BECKON_MCP_MAX_BODY)
    {
      beckon_mcp_post_end_long (post);
    }
  else if (post->is_parsing)
    {
      g_queue_push_tail (&post->held, g_bytes_new (text, length));
      post->n_held += length;
    }
  else if (length > BECKON_MCP_LONG_MESSAGE)
    {
      parse_later (post, text, length);
    }
  else
    {
      g_autoptr (GError) error = NULL;
      BeckonRpcMessage *message = beckon_rpc_message_parse (text, length, NULL, &error);

      beckon_mcp_post_take (post, message, error);
    }
}

/* A response that came whole is read before its end counts. */
void
beckon_mcp_post_keep_outcome (BeckonMcpPost *post, const BeckonHttpOutcome *outcome)
{
  forget_outcome (post);
  post->outcome = *outcome;
  post->outcome.error = outcome->error != NULL ? g_error_copy (outcome->error) : NULL;
  post->has_ended = TRUE;
}
