/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-http-private.h"

#include "base/beckon-origin.h"
#include "base/beckon-text-printf.h"
#include "rpc/beckon-rpc-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/*
 * Servers of 2024-11-05 have two addresses: a stream with everything that they say, and another one, which its first event
 * names, that messages are sent to. They refuse the first message of any newer revision by the status alone.
 */

#define ENDPOINT_MS 5000
#define MAX_ENDPOINT 4096

gboolean
beckon_mcp_legacy_may_try (const BeckonMcpPost *post)
{
  return post->is_initialize && post->task != NULL && post->self->stream == NULL && post->self->session_id == NULL
         && (post->status == SOUP_STATUS_BAD_REQUEST || post->status == SOUP_STATUS_NOT_FOUND
             || post->status == SOUP_STATUS_METHOD_NOT_ALLOWED);
}

/* The first message is refused as it was; its end is the stream's. */
static void
legacy_give_up (BeckonMcpHttp *self)
{
  beckon_mcp_post_end (self->opening, beckon_mcp_post_make_refusal (self->opening), NULL);
}

static gboolean
on_no_endpoint (gpointer user_data)
{
  BeckonMcpPost *post = user_data;

  post->timer = 0;
  legacy_give_up (post->self);
  return G_SOURCE_REMOVE;
}

void
beckon_mcp_legacy_begin (BeckonMcpPost *post)
{
  BeckonMcpHttp *self = post->self;

  g_clear_object (&post->exchange);
  g_string_truncate (post->received, 0);
  post->timer = beckon_clock_add_timeout (self->clock, ENDPOINT_MS, on_no_endpoint, post);
  self->opening = post;
  self->stream = beckon_mcp_post_new (self, NULL);
  self->stream->is_stream = TRUE;
  self->is_listening = TRUE;
  beckon_mcp_post_begin (self->stream);
}

/* (nullable): what is sent to a server goes to no other. */
static GUri *
read_endpoint (BeckonMcpHttp *self, const BeckonSseEvent *event)
{
  g_autofree char *text = g_strndup (event->data, MIN (event->length, MAX_ENDPOINT + 1));
  g_autofree char *own = g_uri_to_string (self->uri);
  g_autoptr (GUri) uri = g_uri_parse_relative (self->uri, text, SOUP_HTTP_URI_FLAGS, NULL);
  g_autofree char *whole = uri != NULL ? g_uri_to_string (uri) : NULL;

  if (event->length > MAX_ENDPOINT || whole == NULL || g_uri_get_userinfo (uri) != NULL
      || !beckon_uri_same_origin (own, whole))
    return NULL;
  return g_steal_pointer (&uri);
}

static void
take_endpoint (BeckonMcpHttp *self, const BeckonSseEvent *event)
{
  BeckonMcpPost *opening = self->opening;

  self->endpoint = read_endpoint (self, event);
  if (self->endpoint == NULL)
    {
      beckon_mcp_log_say (self->log, "The stream names an address that is not on this server");
      legacy_give_up (self);
      return;
    }
  self->opening = NULL;
  beckon_clock_remove (self->clock, opening->timer);
  opening->timer = 0;
  beckon_mcp_post_send (opening);
}

gboolean
beckon_mcp_legacy_take_event (BeckonMcpPost *stream, const BeckonSseEvent *event)
{
  if (strcmp (event->type, "endpoint") != 0)
    return FALSE;
  if (stream->self->opening != NULL)
    take_endpoint (stream->self, event);
  return TRUE;
}

BeckonMcpPost *
beckon_mcp_legacy_find (BeckonMcpHttp *self, const char *id)
{
  for (guint i = 0; id != NULL && i < self->posts->len; i++)
    {
      BeckonMcpPost *post = g_ptr_array_index (self->posts, i);

      if (post->task != NULL && g_strcmp0 (post->id, id) == 0)
        return post;
    }
  return NULL;
}

void
beckon_mcp_legacy_wait (BeckonMcpPost *post)
{
  if (post->task != NULL)
    g_clear_object (&post->exchange);
  else
    beckon_mcp_post_end (post, NULL, NULL);
}

void
beckon_mcp_legacy_lose (BeckonMcpPost *stream)
{
  g_autoptr (BeckonMcpHttp) self = g_object_ref (stream->self);
  g_autoptr (GError) error = NULL;

  if (self->opening != NULL)
    {
      legacy_give_up (self);
      return;
    }
  error = beckon_text_error_new (BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED, _("“%s” has ended the session."),
                                 self->server->name);
  self->is_open = FALSE;
  while (self->posts->len > 0)
    beckon_mcp_post_end (g_ptr_array_index (self->posts, self->posts->len - 1), NULL, g_error_copy (error));
  if (self->peer != NULL)
    self->peer->ended (error, -1, self->peer_data);
}

void
beckon_mcp_legacy_forget (BeckonMcpPost *post)
{
  BeckonMcpHttp *self = post->self;

  if (self->stream == post)
    self->stream = NULL;
  if (self->opening != post)
    return;
  self->opening = NULL;
  if (self->stream != NULL)
    beckon_mcp_post_end (self->stream, NULL, NULL);
}
