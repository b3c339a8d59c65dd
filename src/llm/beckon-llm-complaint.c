/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-llm-complaint.h"

#include "base/beckon-json.h"
#include "base/beckon-text.h"

#include <string.h>

#define MESSAGE_MAX_CHARS 500

/* Makes one line: white space becomes one space. */
static char *
make_line (const char *text, gsize length)
{
  g_autofree char *shown = beckon_text_for_display (text, (gssize) length, BECKON_TEXT_PROSE);
  g_auto (GStrv) words = g_strsplit_set (shown, " \t\r\n", -1);
  g_autoptr (GString) line = g_string_new (NULL);

  for (char **word = words; *word != NULL; word++)
    if (**word != '\0')
      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", *word);
  return line->len > 0 ? beckon_text_shorten (line->str, MESSAGE_MAX_CHARS) : NULL;
}

static void
complaint_take_message (BeckonLlmComplaint *self, const char *text)
{
  if (self->message == NULL && text != NULL)
    self->message = make_line (text, strlen (text));
}

static void
add_word (BeckonLlmComplaint *self, const char *word)
{
  if (word != NULL && strlen (word) < 100)
    {
      g_autofree char *lower = g_ascii_strdown (word, -1);
      g_autofree char *before = g_steal_pointer (&self->words);

      self->words = g_strconcat (before, *before != '\0' ? " " : "", lower, NULL);
    }
}

/* google.rpc.RetryInfo: "48.9s". google.rpc.ErrorInfo: "API_KEY_INVALID". */
static void
read_details (BeckonLlmComplaint *self, JsonArray *details)
{
  for (guint i = 0; details != NULL && i < json_array_get_length (details); i++)
    {
      JsonNode *node = json_array_get_element (details, i);
      JsonObject *detail = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      const char *delay = detail != NULL ? beckon_json_get_string (detail, "retryDelay") : NULL;
      double seconds = delay != NULL ? g_ascii_strtod (delay, NULL) : -1;

      if (detail != NULL)
        add_word (self, beckon_json_get_string (detail, "reason"));

      if (seconds >= 0 && seconds < 1e9)
        self->retry_after_ms = (gint64) (seconds * 1000);
    }
}

/* llama-server has them beside its words: https://github.com/ggml-org/llama.cpp/pull/15780. */
static guint
read_figure (JsonObject *error, const char *name)
{
  return (guint) CLAMP (beckon_json_get_int (error, name, 0), 0, G_MAXINT32);
}

static void
read_error_object (BeckonLlmComplaint *self, JsonObject *error)
{
  gint64 status = beckon_json_get_int (error, "code", 0);

  complaint_take_message (self, beckon_json_get_string (error, "message"));
  complaint_take_message (self, beckon_json_get_string (error, "Message"));
  complaint_take_message (self, beckon_json_get_string (error, "msg"));
  add_word (self, beckon_json_get_string (error, "__type"));
  add_word (self, beckon_json_get_string (error, "code"));
  add_word (self, beckon_json_get_string (error, "type"));
  add_word (self, beckon_json_get_string (error, "status"));
  read_details (self, beckon_json_get_array (error, "details"));
  self->sent = read_figure (error, "n_prompt_tokens");
  self->window = read_figure (error, "n_ctx");
  if (status == 0)
    status = beckon_json_get_int (error, "status", beckon_json_get_int (error, "status_code", 0));
  if (status >= 400 && status <= 599)
    self->status = (guint) status;
}

/* A gateway wraps what the server behind it said: the wrapping says nothing, so what is inside it goes along. */
static void
read_wrapped (BeckonLlmComplaint *self, JsonObject *error)
{
  const char *raw = beckon_json_get_string (beckon_json_get_object (error, "metadata"), "raw");

  if (raw != NULL && self->message != NULL)
    {
      g_autofree char *outer = g_steal_pointer (&self->message);
      g_autofree char *both = g_strconcat (outer, " ", raw, NULL);

      self->message = make_line (both, strlen (both));
    }
}

/* (nullable): the first of a list, where that is an object; a list of plain words has its first one taken. */
static JsonObject *
read_first (BeckonLlmComplaint *self, JsonArray *array)
{
  JsonNode *node = array != NULL && json_array_get_length (array) > 0 ? json_array_get_element (array, 0) : NULL;

  if (node != NULL && JSON_NODE_HOLDS_VALUE (node))
    complaint_take_message (self, json_node_get_string (node));
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static void
read_object (BeckonLlmComplaint *self, JsonObject *object)
{
  JsonObject *error = beckon_json_get_object (object, "error");

  if (error == NULL)
    error = read_first (self, beckon_json_get_array (object, "errors"));
  if (error == NULL)
    error = read_first (self, beckon_json_get_array (object, "detail"));
  if (beckon_json_get_object (error, "error") != NULL)
    error = beckon_json_get_object (error, "error");

  if (error != NULL)
    {
      read_error_object (self, error);
      read_wrapped (self, error);
    }
  else
    {
      /* Beside a message, "error" is the name of the status. */
      read_error_object (self, object);
      complaint_take_message (self, beckon_json_get_string (object, "error"));
      complaint_take_message (self, beckon_json_get_string (object, "detail"));
      complaint_take_message (self, beckon_json_get_string (object, "error_description"));
    }
  self->is_error = error != NULL || (self->message != NULL && beckon_json_get_array (object, "choices") == NULL);
}

static gboolean
read_json (BeckonLlmComplaint *self, const char *body, gsize length)
{
  g_autoptr (JsonNode) root = beckon_json_parse (body, (gssize) length, NULL);
  JsonObject *object = NULL;

  if (root == NULL)
    return FALSE;
  if (JSON_NODE_HOLDS_OBJECT (root))
    object = json_node_get_object (root);
  else if (JSON_NODE_HOLDS_ARRAY (root))
    object = read_first (self, json_node_get_array (root));
  if (object != NULL)
    read_object (self, object);
  return object != NULL;
}

/* Reads a page's title. */
static void
complaint_read_page (BeckonLlmComplaint *self, const char *body, gsize length)
{
  g_autofree char *lower = g_ascii_strdown (body, (gssize) length);
  const char *title = strstr (lower, "<title");
  const char *begin = title != NULL ? strchr (title, '>') : NULL;
  const char *end = begin != NULL ? strstr (begin, "</title") : NULL;

  self->is_page = TRUE;
  if (end != NULL)
    self->message = make_line (body + (begin + 1 - lower), (gsize) (end - begin - 1));
}

BeckonLlmComplaint *
beckon_llm_complaint_new (const char *body, gsize length)
{
  BeckonLlmComplaint *self = g_new0 (BeckonLlmComplaint, 1);
  gsize blank = 0;

  self->words = g_strdup ("");
  self->retry_after_ms = -1;
  while (blank < length && g_ascii_isspace (body[blank]))
    blank++;
  if (blank == length)
    return self;

  if (body[blank] == '<')
    complaint_read_page (self, body + blank, length - blank);
  else if (!read_json (self, body + blank, length - blank) && self->message == NULL)
    self->message = make_line (body + blank, length - blank);
  return self;
}

void
beckon_llm_complaint_free (BeckonLlmComplaint *complaint)
{
  g_free (complaint->message);
  g_free (complaint->words);
  g_free (complaint);
}
