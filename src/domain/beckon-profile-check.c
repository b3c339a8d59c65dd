/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-text-printf.h"
#include "beckon-profile.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static gboolean
profile_check_is_blank (const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (!g_unichar_isspace (g_utf8_get_char (p)))
      return FALSE;

  return TRUE;
}

/* A provider's own address may have a word for the part that only the person knows, such as "@REGION@". */
char *
beckon_profile_dup_blank (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  for (const char *at = strchr (beckon_profile_get_base_url (self), '@'); at != NULL; at = strchr (at + 1, '@'))
    {
      gsize length = strspn (at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

      if (length > 0 && at[length + 1] == '@')
        return g_strndup (at, length + 2);
    }
  return NULL;
}

static gboolean
check_base_url (const char *base_url, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (base_url, G_URI_FLAGS_HAS_PASSWORD, NULL);

  if (uri == NULL
      || (g_strcmp0 (g_uri_get_scheme (uri), "http") != 0 && g_strcmp0 (g_uri_get_scheme (uri), "https") != 0)
      || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0')
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("The address is not a web address. Enter one such as https://api.example.com/v1"));
      return FALSE;
    }

  if (g_uri_get_userinfo (uri) != NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("The address contains a user name or password. Remove it and enter the key in its own "
                             "field"));
      return FALSE;
    }

  if (g_uri_get_query (uri) != NULL || g_uri_get_fragment (uri) != NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("The address contains “?” or “#”. Enter it only up to the version, such as "
                             "https://api.example.com/v1"));
      return FALSE;
    }

  return TRUE;
}

/* --- What goes along ----------------------------------------------------------------------------------------------- */

static gboolean
profile_check_refuse (GError **error, const char *message)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, message);

  return FALSE;
}

/* As HTTP has it (RFC 9110, 5.6.2). */
static gboolean
is_header_name (const char *name, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (name[i]) && strchr ("!#$%&'*+-.^_`|~", name[i]) == NULL)
      return FALSE;

  return length > 0;
}

static gboolean
profile_check_is_one_of (const char *name, gsize length, const char *const *names)
{
  for (; *names != NULL; names++)
    if (strlen (*names) == length && g_ascii_strncasecmp (name, *names, length) == 0)
      return TRUE;

  return FALSE;
}

/* A profile is in a file, and what is in a file is no secret. */
static gboolean
carries_key (const char *name, gsize length)
{
  static const char *const names[] = { "authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key",
                                       "cookie", NULL };

  return profile_check_is_one_of (name, length, names);
}

static gboolean
belongs_to_transport (const char *name, gsize length)
{
  static const char *const names[] = { "host", "content-length", "content-type", "content-encoding", "transfer-encoding",
                                       "accept", "accept-encoding", "connection", "expect", "te", "trailer", "upgrade",
                                       NULL };

  return profile_check_is_one_of (name, length, names);
}

gboolean
beckon_profile_check_header (const char *header, GError **error)
{
  const char *colon;
  gsize length;

  g_return_val_if_fail (header != NULL, FALSE);

  colon = strchr (header, ':');
  length = colon != NULL ? (gsize) (colon - header) : 0;
  for (const char *c = header; *c != '\0'; c++)
    if (*c < ' ' || *c > '~')
      return profile_check_refuse (error,
                                   _("A header contains a line break or a character that is not plain ASCII. Headers take "
                                     "letters, digits and common signs only"));
  if (!is_header_name (header, length))
    return profile_check_refuse (error, _("A header is not written as “Name: value”"));
  if (carries_key (header, length))
    return profile_check_refuse (error,
                                 _("A header would carry a key, and headers are kept in a file. Enter the key in its own "
                                   "field"));
  if (belongs_to_transport (header, length))
    return profile_check_refuse (error, _("A header is one that Beckon writes itself. Remove it"));

  return TRUE;
}

/* A profile can't replace the request's core. */
static gboolean
is_own_member (const char *name)
{
  static const char *const names[] = { "model",  "messages",          "input",  "contents", "system", "instructions",
                                       "systemInstruction", "tools",  "stream", NULL };

  return g_strv_contains (names, name);
}

gboolean
beckon_profile_check_extra_body (const char *extra_body, GError **error)
{
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (GList) names = NULL;

  g_return_val_if_fail (extra_body != NULL, FALSE);

  if (profile_check_is_blank (extra_body))
    return TRUE;
  if (strlen (extra_body) > BECKON_PROFILE_TEXT_MAX_BYTES
      || (object = beckon_json_parse_object (extra_body, -1, NULL)) == NULL)
    return profile_check_refuse (error, _("The extra body is not a JSON object. Enter one such as {\"top_p\": 0.9}"));

  names = json_object_get_members (object);
  for (GList *name = names; name != NULL; name = name->next)
    if (is_own_member (name->data))
      return profile_check_refuse (error,
                                   _("The extra body changes what Beckon writes itself, such as the model, the messages or the "
                                     "tools. Remove that member"));

  return TRUE;
}

/* --- Keys where none may be ---------------------------------------------------------------------------------------- */

/* Whether @word is in @name as a word of its own, as in "X-Api-Key", "api_key" and "apiKey", but not in "max_tokens". */
static gboolean
profile_check_has_word (const char *name, const char *word)
{
  gsize length = strlen (word);

  for (const char *at = name; *at != '\0'; at++)
    {
      gboolean begins = at == name || !g_ascii_isalpha (at[-1]) || (g_ascii_islower (at[-1]) && g_ascii_isupper (*at));

      if (begins && g_ascii_strncasecmp (at, word, length) == 0 && !g_ascii_islower (at[length]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
names_key (const char *name)
{
  static const char *const words[] = { "key",  "apikey", "token",       "secret", "password", "passwd",
                                       "auth", "bearer", "credentials", "cookie", "credential", "authorization", NULL };
  /* Members that providers have for other things: https://platform.openai.com/docs/guides/prompt-caching. */
  static const char *const harmless[] = { "prompt_cache_key", "cache_key", NULL };

  if (g_strv_contains (harmless, name))
    return FALSE;
  for (guint i = 0; words[i] != NULL; i++)
    if (profile_check_has_word (name, words[i]))
      return TRUE;
  return FALSE;
}

/* Long enough for a key, and with everything in it that random letters have. */
static gboolean
looks_random (const char *value)
{
  gsize length = 0;
  gboolean lower = FALSE, upper = FALSE, digit = FALSE;

  for (; *value != '\0'; value++, length++)
    {
      lower = lower || g_ascii_islower (*value);
      upper = upper || g_ascii_isupper (*value);
      digit = digit || g_ascii_isdigit (*value);
      if (!g_ascii_isalnum (*value) && strchr ("-_.+/=", *value) == NULL)
        return FALSE;
    }
  return length >= 32 && lower && upper && digit;
}

static gboolean
looks_like_key (const char *value)
{
  return beckon_profile_looks_like_key (value) || looks_random (value);
}

static gboolean member_has_key (const char *name, JsonNode *node);

static gboolean
object_has_key (JsonObject *object)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &name, &node))
    if (member_has_key (name, node))
      return TRUE;
  return FALSE;
}

/* A number or a switch is no key, whatever its name. */
static gboolean
member_has_key (const char *name, JsonNode *node)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    return object_has_key (json_node_get_object (node));
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        if (member_has_key (name, json_array_get_element (array, i)))
          return TRUE;
      return FALSE;
    }
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         && *json_node_get_string (node) != '\0' && (names_key (name) || looks_like_key (json_node_get_string (node)));
}

static gboolean
header_has_key (const char *header)
{
  const char *colon = strchr (header, ':');
  g_autofree char *name = g_strndup (header, (gsize) (colon - header));
  g_autofree char *value = g_strstrip (g_strdup (colon + 1));

  return *value != '\0' && (names_key (name) || looks_like_key (value));
}

/* A profile is in a file, and what is in a file is no secret. This is asked when a profile is saved, not when it is used: one
 * that was saved by an older version goes on working. */
static gboolean
check_keys (BeckonProfile *self, GError **error)
{
  g_autoptr (JsonObject) body = NULL;

  const char *const *headers = beckon_profile_get_headers (self);
  body = beckon_json_parse_object (beckon_profile_get_extra_body (self), -1, NULL);
  for (; *headers != NULL; headers++)
    if (header_has_key (*headers))
      return profile_check_refuse (error,
                                   _("A header would carry a key, and headers are kept in a file. Enter the key in its own "
                                     "field"));
  if (body != NULL && object_has_key (body))
    return profile_check_refuse (error,
                                 _("The extra body would carry a key, and it is kept in a file. Enter the key in its own "
                                   "field"));
  return TRUE;
}

gboolean
beckon_profile_check (BeckonProfile *self, GError **error)
{
  g_autofree char *blank = NULL;
  const char *const *headers;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (profile_check_is_blank (beckon_profile_get_name (self)))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("The name is empty. Enter one to tell this model from others"));
      return FALSE;
    }

  if (beckon_profile_get_kind (self) == BECKON_PROFILE_TOUR)
    return TRUE;

  blank = beckon_profile_dup_blank (self);
  if (blank != NULL)
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           /* Translators: a word in an address, such as @REGION@ */
                           _("Replace %s in the address"), blank);
  if (blank != NULL || !check_base_url (beckon_profile_get_base_url (self), error))
    return FALSE;

  if (profile_check_is_blank (beckon_profile_get_model (self)))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("The model is empty. Enter its name as the provider writes it"));
      return FALSE;
    }

  headers = beckon_profile_get_headers (self);
  for (; *headers != NULL; headers++)
    if (!beckon_profile_check_header (*headers, error))
      return FALSE;
  if (!beckon_profile_check_extra_body (beckon_profile_get_extra_body (self), error) || !check_keys (self, error))
    return FALSE;
  if (strlen (beckon_profile_get_system_prompt (self)) > BECKON_PROFILE_TEXT_MAX_BYTES)
    return profile_check_refuse (error, _("The instructions are longer than 64 KB. Shorten them"));
  if (g_strv_contains (beckon_profile_get_fallbacks (self), beckon_profile_get_id (self)))
    return profile_check_refuse (error, _("A model can't be its own fallback. Choose others"));
  if (g_strv_length ((char **) beckon_profile_get_fallbacks (self)) > BECKON_PROFILE_FALLBACKS_MAX)
    return profile_check_refuse (error, _("There are more than 16 fallbacks. Remove some"));

  return TRUE;
}
