/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-rpc-message.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"

/* How much of a message that can't be read is looked at. */
#define HEAD_SIZE 256

enum
{
  MEMBER_JSONRPC,
  MEMBER_ID,
  MEMBER_METHOD,
  MEMBER_PARAMS,
  MEMBER_RESULT,
  MEMBER_ERROR,
  N_MEMBERS,
};

enum
{
  ERROR_CODE,
  ERROR_MESSAGE,
  ERROR_DATA,
  N_ERROR_MEMBERS,
};

static const char *const member_names[] = { "jsonrpc", "id", "method", "params", "result", "error", NULL };
static const char *const error_names[] = { "code", "message", "data", NULL };

static BeckonRpcMessage *
message_new (BeckonRpcMessageKind kind, const char *id, const char *method, const char *json)
{
  BeckonRpcMessage *message = g_new0 (BeckonRpcMessage, 1);

  message->kind = kind;
  message->id = g_strdup (id);
  message->method = g_strdup (method);
  message->json = g_strdup (json);
  return message;
}

BeckonRpcMessage *
beckon_rpc_message_new_request (const char *id, const char *method, const char *params)
{
  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (method != NULL, NULL);

  return message_new (BECKON_RPC_MESSAGE_REQUEST, id, method, params);
}

BeckonRpcMessage *
beckon_rpc_message_new_notification (const char *method, const char *params)
{
  g_return_val_if_fail (method != NULL, NULL);

  return message_new (BECKON_RPC_MESSAGE_NOTIFICATION, NULL, method, params);
}

BeckonRpcMessage *
beckon_rpc_message_new_result (const char *id, const char *result)
{
  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (result != NULL, NULL);

  return message_new (BECKON_RPC_MESSAGE_RESULT, id, NULL, result);
}

BeckonRpcMessage *
beckon_rpc_message_new_error (const char *id, int code, const char *text, const char *data)
{
  BeckonRpcMessage *message = message_new (BECKON_RPC_MESSAGE_ERROR, id, NULL, data);

  message->code = code;
  message->text = g_strdup (text != NULL ? text : "");
  return message;
}

void
beckon_rpc_message_free (BeckonRpcMessage *message)
{
  if (message == NULL)
    return;
  g_free (message->id);
  g_free (message->method);
  g_free (message->json);
  g_free (message->text);
  g_free (message);
}

/* Finds the values of these members; others are passed over. FALSE if the text, which was checked, is no object. */
static gboolean
read_members (const char *text, gsize length, const char *const *names, BeckonJsonSlice *values)
{
  BeckonJsonReader reader;

  beckon_json_reader_init (&reader, text, length, BECKON_JSON_STRICT);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_OBJECT_BEGIN)
    return FALSE;
  while (beckon_json_reader_next (&reader) == BECKON_JSON_NAME)
    {
      BeckonJsonSlice *value = NULL;

      for (guint i = 0; value == NULL && names[i] != NULL; i++)
        value = beckon_json_slice_equals (&reader.slice, names[i]) ? &values[i] : NULL;
      beckon_json_reader_skip (&reader, value);
    }
  return TRUE;
}

static gboolean
is_given (const BeckonJsonSlice *value)
{
  return value->text != NULL && value->text[0] != 'n';
}

static char *
rpc_message_copy (const BeckonJsonSlice *value)
{
  return is_given (value) ? g_strndup (value->text, value->length) : NULL;
}

/* NULL if it is no string, or one that holds U+0000. */
static char *
copy_string (const BeckonJsonSlice *value)
{
  g_autoptr (GString) string = g_string_new (NULL);
  BeckonJsonReader reader;

  if (!is_given (value))
    return NULL;
  beckon_json_reader_init (&reader, value->text, value->length, BECKON_JSON_STRICT);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_STRING)
    return NULL;
  beckon_json_slice_append_to (&reader.slice, string);
  return strlen (string->str) == string->len ? g_strdup (string->str) : NULL;
}

static gboolean
is_id (const BeckonJsonSlice *value)
{
  if (value->text == NULL || value->length > BECKON_RPC_NAME_MAX)
    return FALSE;
  if (value->text[0] == '"')
    return TRUE;
  for (gsize i = 0; i < value->length; i++)
    {
      if (!g_ascii_isdigit (value->text[i]) && value->text[i] != '-')
        return FALSE;
    }
  return TRUE;
}

/* Returns the rule that a request or notification breaks; NULL if none. */
static const char *
read_request (const BeckonJsonSlice *members, BeckonRpcMessage *message)
{
  const BeckonJsonSlice *params = &members[MEMBER_PARAMS];

  if (members[MEMBER_RESULT].text != NULL || members[MEMBER_ERROR].text != NULL)
    return "a message is either a request or a response";
  message->method = copy_string (&members[MEMBER_METHOD]);
  if (message->method == NULL || strlen (message->method) > BECKON_RPC_NAME_MAX)
    return "the method is not a string of at most 1024 bytes";
  if (is_given (params) && params->text[0] != '{' && params->text[0] != '[')
    return "the params are neither an object nor an array";
  message->kind = members[MEMBER_ID].text != NULL ? BECKON_RPC_MESSAGE_REQUEST : BECKON_RPC_MESSAGE_NOTIFICATION;
  message->json = rpc_message_copy (params);
  return NULL;
}

static const char *
read_error (const BeckonJsonSlice *error, BeckonRpcMessage *message)
{
  BeckonJsonSlice members[N_ERROR_MEMBERS] = { 0 };
  gint64 code;

  message->kind = BECKON_RPC_MESSAGE_ERROR;
  if (!read_members (error->text, error->length, error_names, members))
    return "the error is not an object";
  if (members[ERROR_CODE].text == NULL || !beckon_json_slice_to_int (&members[ERROR_CODE], &code) || code < G_MININT
      || code > G_MAXINT)
    return "the error's code is not an integer of 32 bits";
  message->text = copy_string (&members[ERROR_MESSAGE]);
  if (message->text == NULL)
    return "the error's message is not a string";
  message->code = (int) code;
  message->json = rpc_message_copy (&members[ERROR_DATA]);
  return NULL;
}

/* Some write the absent one of result and error as null. */
static const char *
read_response (const BeckonJsonSlice *members, BeckonRpcMessage *message)
{
  const BeckonJsonSlice *result = &members[MEMBER_RESULT];

  if (is_given (result) && is_given (&members[MEMBER_ERROR]))
    return "a response has either a result or an error";
  if (is_given (&members[MEMBER_ERROR]))
    return read_error (&members[MEMBER_ERROR], message);
  if (result->text == NULL)
    return "neither a method, a result nor an error";
  if (message->id == NULL)
    return "a result without an id";
  message->kind = BECKON_RPC_MESSAGE_RESULT;
  message->json = g_strndup (result->text, result->length);
  return NULL;
}

static const char *
read_object (const char *text, gsize length, BeckonRpcMessage *message, gboolean *is_response)
{
  BeckonJsonSlice members[N_MEMBERS] = { 0 };
  gsize start = 0;
  const BeckonJsonSlice *id;
  gboolean is_request;

  if (!read_members (text, length, member_names, members))
    {
      /* The text need not end with a NUL. */
      while (start < length && strchr (" \t\r\n", text[start]) != NULL)
        start++;
      return start < length && text[start] == '[' ? "batches are not supported, send each message by itself" : "not an object";
    }
  *is_response = members[MEMBER_METHOD].text == NULL;
  id = &members[MEMBER_ID];
  is_request = members[MEMBER_METHOD].text != NULL;
  /* Null is what an error has in place of the id of a request that could not be read. */
  if (id->text != NULL && !is_id (id) && (is_request || is_given (id)))
    return "the id is neither a string of at most 1024 bytes nor an integer";
  message->id = rpc_message_copy (id);
  if (members[MEMBER_JSONRPC].text == NULL || members[MEMBER_JSONRPC].length != strlen ("\"2.0\"")
      || memcmp (members[MEMBER_JSONRPC].text, "\"2.0\"", strlen ("\"2.0\"")) != 0)
    return "jsonrpc is not \"2.0\"";
  return is_request ? read_request (members, message) : read_response (members, message);
}

/* (nullable): the number that a response has at its beginning, though the rest of it can't be read. Nothing else is taken from
 * it, so that at worst a call fails that the peer could have failed as well. */
static char *
guess_response_id (const char *text, gsize length)
{
  g_autofree char *head = g_strndup (text, MIN (length, HEAD_SIZE));
  const char *at = *head == '{' ? strstr (head, "\"id\"") : NULL;
  gsize n_digits;

  if (at == NULL || strstr (head, "\"method\"") != NULL)
    return NULL;
  at += strlen ("\"id\"");
  at += strspn (at, " ");
  if (*at++ != ':')
    return NULL;
  at += strspn (at, " ");
  n_digits = strspn (at, "0123456789");
  if (*at == '0' && n_digits > 1)
    return NULL;
  return n_digits > 0 && at[n_digits] != '\0' && strchr (" ,}", at[n_digits]) != NULL ? g_strndup (at, n_digits) : NULL;
}

/* @text: correct JSON. Each value but the first has one of these before it. */
static guint
count_values (const char *text, gsize length)
{
  gboolean is_string = FALSE;
  guint n = 1;

  for (gsize i = 0; i < length; i++)
    if (is_string && text[i] == '\\')
      i++;
    else if (text[i] == '"')
      is_string = !is_string;
    else if (!is_string)
      n += text[i] == ',' || text[i] == '[' || text[i] == '{';
  return n;
}

BeckonRpcMessage *
beckon_rpc_message_parse (const char *text, gsize length, char **response_id, GError **error)
{
  g_autoptr (BeckonRpcMessage) message = g_new0 (BeckonRpcMessage, 1);
  g_autoptr (GError) fault = NULL;
  gboolean is_response = FALSE;
  const char *broken;

  g_return_val_if_fail (text != NULL || length == 0, NULL);

  if (response_id != NULL)
    *response_id = NULL;
  if (length > BECKON_RPC_MESSAGE_MAX)
    {
      g_set_error_literal (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_TOO_LARGE, "The message is too long");
      return NULL;
    }
  if (!beckon_json_check (length > 0 ? text : "", (gssize) length, &fault))
    {
      if (response_id != NULL)
        *response_id = guess_response_id (text, length);
      g_set_error_literal (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_PARSE, fault->message);
      return NULL;
    }
  if (count_values (text, length) > BECKON_RPC_MESSAGE_MOST_VALUES)
    {
      if (response_id != NULL)
        *response_id = guess_response_id (text, length);
      g_set_error (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_PARSE, "The message has more than %d values",
                   BECKON_RPC_MESSAGE_MOST_VALUES);
      return NULL;
    }
  broken = read_object (text, length, message, &is_response);
  if (broken == NULL)
    return g_steal_pointer (&message);
  if (response_id != NULL && is_response)
    *response_id = g_steal_pointer (&message->id);
  g_set_error (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_INVALID_REQUEST, "Not a JSON-RPC message: %s", broken);
  return NULL;
}

static void
write_raw (BeckonJsonWriter *writer, const char *name, const char *json)
{
  if (json == NULL)
    return;
  beckon_json_writer_name (writer, name);
  beckon_json_writer_raw (writer, json, -1);
}

char *
beckon_rpc_message_print (const BeckonRpcMessage *message)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (message != NULL, NULL);

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "jsonrpc", "2.0");
  write_raw (&writer, "id", message->id == NULL && message->kind == BECKON_RPC_MESSAGE_ERROR ? "null" : message->id);
  if (message->method != NULL)
    beckon_json_writer_member_string (&writer, "method", message->method);
  if (message->kind == BECKON_RPC_MESSAGE_ERROR)
    {
      beckon_json_writer_name (&writer, "error");
      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_int (&writer, "code", message->code);
      beckon_json_writer_member_string (&writer, "message", message->text);
      write_raw (&writer, "data", message->json);
      beckon_json_writer_end_object (&writer);
    }
  else
    write_raw (&writer, message->kind == BECKON_RPC_MESSAGE_RESULT ? "result" : "params", message->json);
  beckon_json_writer_end_object (&writer);
  /* Strings have none, so that these stand between values, where they mean as much as a space. */
  return g_strdelimit (g_string_free (text, FALSE), "\r\n", ' ');
}

gboolean
beckon_rpc_message_check (const BeckonRpcMessage *message, GError **error)
{
  int code;

  g_return_val_if_fail (message != NULL, FALSE);

  if (message->kind != BECKON_RPC_MESSAGE_ERROR)
    return TRUE;
  code = message->code == BECKON_RPC_ERROR_PARSE
                 || (message->code <= BECKON_RPC_ERROR_INVALID_REQUEST && message->code >= BECKON_RPC_ERROR_INTERNAL)
             ? message->code
             : BECKON_RPC_ERROR_REMOTE;
  g_set_error_literal (error, BECKON_RPC_ERROR, code, message->text);
  return FALSE;
}

G_DEFINE_QUARK (beckon-rpc-error-quark, beckon_rpc_error)
