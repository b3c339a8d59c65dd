/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-http-message.h"

#include "beckon-llm-address.h"

static void
set_headers (SoupMessageHeaders *headers, GUri *uri, const BeckonCodec *codec, const char *key)
{
  const char *prefix;
  const char *name = beckon_llm_address_get_key_header (uri, codec, key, &prefix);

  soup_message_headers_replace (headers, "Accept", codec->accept);
  for (const char *const *header = codec->headers; header != NULL && *header != NULL; header += 2)
    soup_message_headers_replace (headers, header[0], header[1]);
  if (key != NULL)
    {
      g_autofree char *value = g_strconcat (prefix, key, NULL);

      soup_message_headers_replace (headers, name, value);
    }
}

/* They were checked where they were entered, but what is in a file may be anything. */
static void
add_headers (SoupMessageHeaders *headers, const char *const *lines)
{
  for (; lines != NULL && *lines != NULL; lines++)
    {
      g_auto (GStrv) pair = beckon_profile_check_header (*lines, NULL) ? g_strsplit (*lines, ":", 2) : NULL;

      if (pair != NULL && soup_message_headers_get_one (headers, pair[0]) == NULL)
        soup_message_headers_append (headers, pair[0], g_strstrip (pair[1]));
    }
}

SoupMessage *
beckon_http_message_new (GUri *uri, const BeckonCodec *codec, const char *key, const char *const *headers, GBytes *body)
{
  SoupMessage *message;

  message = soup_message_new_from_uri (SOUP_METHOD_POST, uri);
  /* Without IDEMPOTENT every POST gets a connection of its own. A redirect would carry the key to another host. */
  soup_message_set_flags (message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_IDEMPOTENT);
  soup_message_set_request_body_from_bytes (message, "application/json", body);
  set_headers (soup_message_get_request_headers (message), uri, codec, key);
  add_headers (soup_message_get_request_headers (message), headers);
  return message;
}

SoupMessage *
beckon_http_message_new_get (GUri *uri, const BeckonCodec *codec, const char *key, const char *const *headers)
{
  SoupMessage *message;

  message = soup_message_new_from_uri (SOUP_METHOD_GET, uri);
  soup_message_set_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  set_headers (soup_message_get_request_headers (message), uri, codec, key);
  add_headers (soup_message_get_request_headers (message), headers);
  return message;
}
