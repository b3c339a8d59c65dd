/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-sampling.h"

#include "base/beckon-error.h"
#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-mcp-decision.h"
#include "domain/beckon-message.h"

#include <glib/gi18n-lib.h>
#include <gio/gio.h>
#include <string.h>

#define MAX_PARAMS (256 * 1024)

void
beckon_mcp_sampling_free (BeckonMcpSampling *sampling)
{
  if (sampling == NULL)
    return;
  g_free (sampling->system);
  g_ptr_array_unref (sampling->messages);
  g_free (sampling);
}

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, message);
  return FALSE;
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

/* Content is a block or a list of them. */
static gboolean
read_content (const BeckonJsonValue *content, GString *text, GError **error)
{
  guint n = content != NULL && content->kind == BECKON_JSON_VALUE_ARRAY ? beckon_json_value_get_n_children (content) : 1;

  for (guint i = 0; i < n; i++)
    {
      const BeckonJsonValue *block
        = content != NULL && content->kind == BECKON_JSON_VALUE_ARRAY ? beckon_json_value_get_child (content, i) : content;
      const char *said = beckon_json_value_get_string (beckon_json_value_get (block, "text"));

      if (g_strcmp0 (beckon_json_value_get_string (beckon_json_value_get (block, "type")), "text") != 0 || said == NULL)
        return refuse (error, "Messages can be of text alone.");
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", said);
    }
  return TRUE;
}

static gboolean
read_message (BeckonMcpSampling *sampling, const BeckonJsonValue *value, gint64 now, gsize *length, GError **error)
{
  const char *role = beckon_json_value_get_string (beckon_json_value_get (value, "role"));
  gboolean is_user = g_strcmp0 (role, "user") == 0;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (BeckonPart) part = NULL;
  BeckonMessage *message;

  if (!is_user && g_strcmp0 (role, "assistant") != 0)
    return refuse (error, "The role of a message has to be user or assistant.");
  if (!read_content (beckon_json_value_get (value, "content"), text, error))
    return FALSE;
  *length += text->len;
  if (*length > BECKON_MCP_SAMPLING_MAX_BYTES)
    return refuse (error, "The messages have more than 16 KB.");
  message = beckon_message_new (NULL, is_user ? BECKON_ROLE_USER : BECKON_ROLE_ASSISTANT, now);
  part = beckon_part_new (BECKON_PART_TEXT, text->str);
  beckon_message_add_part (message, part);
  g_ptr_array_add (sampling->messages, message);
  return TRUE;
}

static gboolean
read_messages (BeckonMcpSampling *sampling, const BeckonJsonValue *list, gint64 now, GError **error)
{
  guint n = list != NULL && list->kind == BECKON_JSON_VALUE_ARRAY ? beckon_json_value_get_n_children (list) : 0;
  gsize length = sampling->system != NULL ? strlen (sampling->system) : 0;

  if (n == 0 || n > BECKON_MCP_SAMPLING_MAX_MESSAGES)
    return refuse (error, "messages has to be a list of 1 to 64 messages.");
  for (guint i = 0; i < n; i++)
    if (!read_message (sampling, beckon_json_value_get_child (list, i), now, &length, error))
      return FALSE;
  return TRUE;
}

BeckonMcpSampling *
beckon_mcp_sampling_parse (const char *params, gint64 now, GError **error)
{
  g_autoptr (BeckonMcpSampling) sampling = g_new0 (BeckonMcpSampling, 1);
  g_autoptr (BeckonJsonValue) value = NULL;
  const BeckonJsonValue *tokens;

  g_return_val_if_fail (params != NULL, NULL);

  sampling->messages = g_ptr_array_new_with_free_func (g_object_unref);
  if (strlen (params) > MAX_PARAMS)
    {
      refuse (error, "The request has more than 256 KB.");
      return NULL;
    }
  value = beckon_json_value_parse (params, -1, error);
  if (value == NULL)
    return NULL;
  tokens = beckon_json_value_get (value, "maxTokens");
  if (beckon_json_value_get (value, "tools") != NULL)
    {
      refuse (error, "Tools can't be used here.");
      return NULL;
    }
  if (tokens == NULL || tokens->kind != BECKON_JSON_VALUE_NUMBER || beckon_json_value_get_number (tokens) < 1)
    {
      refuse (error, "maxTokens has to be a number of at least 1.");
      return NULL;
    }
  sampling->max_tokens = (guint) MIN (beckon_json_value_get_number (tokens), BECKON_MCP_SAMPLING_MAX_REPLY);
  sampling->system = g_strdup (beckon_json_value_get_string (beckon_json_value_get (value, "systemPrompt")));
  return read_messages (sampling, beckon_json_value_get (value, "messages"), now, error) ? g_steal_pointer (&sampling) : NULL;
}

/* --- The approval ------------------------------------------------------------------------------------------------- */

/* Fences that nothing in the text can end. */
static void
append_quoted (GString *text, const char *title, const char *said)
{
  g_autoptr (GString) plain = g_string_new (said);

  g_string_replace (plain, "`", "ˋ", 0);
  g_string_append_printf (text, "\n\n%s\n```text\n%s\n```", title, plain->str);
}

BeckonQuestion *
beckon_mcp_sampling_make_question (const BeckonMcpSampling *sampling, const char *server)
{
  g_autoptr (GString) text = g_string_new (NULL);

  /* Translators: a server; what it wants to be asked follows */
  beckon_text_append (text, _("The server %s wants to ask your model this, and gets the answer. Allow it?"), server);
  if (sampling->system != NULL)
    append_quoted (text, _("Instructions"), sampling->system);
  for (guint i = 0; i < sampling->messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (sampling->messages, i);
      g_autofree char *said = beckon_message_dup_text (message);

      append_quoted (text, beckon_message_get_role (message) == BECKON_ROLE_USER ? _("Question") : _("Answer before it"), said);
    }
  return beckon_mcp_decision_new (text->str);
}

/* --- The result --------------------------------------------------------------------------------------------------- */

char *
beckon_mcp_sampling_make_result (const char *text, const char *model, gboolean is_cut)
{
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "role", "assistant");
  beckon_json_writer_name (&writer, "content");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "type", "text");
  beckon_json_writer_member_string (&writer, "text", text);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_member_string (&writer, "model", model != NULL ? model : "");
  beckon_json_writer_member_string (&writer, "stopReason", is_cut ? "maxTokens" : "endTurn");
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&json), FALSE);
}
