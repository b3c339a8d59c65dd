/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-prompt.h"

#include "base/beckon-counted.h"
#include "base/beckon-error.h"
#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-mcp-uri-template.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_NAME 128
#define MAX_WORDS 500
#define MAX_CURSOR 4096

/* --- Values ------------------------------------------------------------------------------------------------------- */

static void
argument_free (gpointer data)
{
  BeckonMcpPromptArgument *argument = data;

  g_free (argument->name);
  g_free (argument->title);
  g_free (argument->description);
  g_free (argument);
}

static BeckonMcpPrompt *
prompt_new (const char *name)
{
  BeckonMcpPrompt *prompt = g_atomic_rc_box_new0 (BeckonMcpPrompt);

  prompt->name = g_strdup (name);
  prompt->arguments = g_ptr_array_new_with_free_func (argument_free);
  return prompt;
}

BeckonMcpPrompt *
beckon_mcp_prompt_new_for_template (const BeckonMcpResource *resource, GError **error)
{
  g_autoptr (BeckonMcpUriTemplate) uri_template = beckon_mcp_uri_template_new (resource->uri, error);
  BeckonMcpPrompt *prompt;

  if (uri_template == NULL)
    return NULL;
  prompt = prompt_new (resource->uri);
  prompt->title = g_strdup (resource->title);
  prompt->description = g_strdup (resource->description);
  for (guint i = 0; i < beckon_mcp_uri_template_get_n_variables (uri_template); i++)
    {
      gboolean is_required;
      const char *name = beckon_mcp_uri_template_get_variable (uri_template, i, &is_required);
      BeckonMcpPromptArgument *argument = g_new0 (BeckonMcpPromptArgument, 1);

      argument->name = g_strdup (name);
      argument->is_required = is_required;
      g_ptr_array_add (prompt->arguments, argument);
    }
  return prompt;
}

static void
mcp_prompt_clear (gpointer data)
{
  BeckonMcpPrompt *prompt = data;

  g_free (prompt->name);
  g_free (prompt->title);
  g_free (prompt->description);
  g_ptr_array_unref (prompt->arguments);
}

BECKON_COUNTED (BeckonMcpPrompt, beckon_mcp_prompt, mcp_prompt_clear)

GPtrArray *
beckon_mcp_prompts_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_prompt_unref);
}

BeckonMcpPrompt *
beckon_mcp_prompts_find (GPtrArray *prompts, const char *name)
{
  for (guint i = 0; i < prompts->len; i++)
    if (g_str_equal (((BeckonMcpPrompt *) g_ptr_array_index (prompts, i))->name, name))
      return g_ptr_array_index (prompts, i);
  return NULL;
}

static const BeckonMcpPromptArgument *
find_argument (const BeckonMcpPrompt *prompt, const char *name)
{
  for (guint i = 0; i < prompt->arguments->len; i++)
    {
      const BeckonMcpPromptArgument *argument = g_ptr_array_index (prompt->arguments, i);

      if (g_str_equal (argument->name, name))
        return argument;
    }
  return NULL;
}

/* --- Lists -------------------------------------------------------------------------------------------------------- */

/* A name is typed as a word of a command, and shown as it is. @others: what it may not have, either. */
static const char *
mcp_prompt_read_name (const BeckonJsonValue *value, const char *others)
{
  const char *name = beckon_json_value_get_string (beckon_json_value_get (value, "name"));

  if (name == NULL || *name == '\0' || strlen (name) > MAX_NAME || beckon_text_has_hidden (name, -1)
      || strpbrk (name, others) != NULL)
    return NULL;
  for (const char *at = name; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_isspace (g_utf8_get_char (at)) || g_unichar_iscntrl (g_utf8_get_char (at)))
      return NULL;
  return name;
}

static char *
mcp_prompt_dup_words (const BeckonJsonValue *value, const char *name)
{
  const char *text = beckon_json_value_get_string (beckon_json_value_get (value, name));
  g_autofree char *marked = NULL;

  if (text == NULL || *text == '\0')
    return NULL;
  marked = beckon_text_for_display (text, -1, BECKON_TEXT_MARKED);
  return beckon_text_shorten (g_strdelimit (marked, "\n\t", ' '), MAX_WORDS);
}

static gboolean
read_argument (BeckonMcpPrompt *prompt, const BeckonJsonValue *value)
{
  const BeckonJsonValue *required = beckon_json_value_get (value, "required");
  const char *name = mcp_prompt_read_name (value, "=");
  BeckonMcpPromptArgument *argument;

  if (name == NULL || find_argument (prompt, name) != NULL || prompt->arguments->len == BECKON_MCP_PROMPT_ARGUMENTS_MAX)
    return FALSE;
  argument = g_new0 (BeckonMcpPromptArgument, 1);
  argument->name = g_strdup (name);
  argument->title = mcp_prompt_dup_words (value, "title");
  argument->description = mcp_prompt_dup_words (value, "description");
  argument->is_required = required != NULL && required->kind == BECKON_JSON_VALUE_TRUE;
  g_ptr_array_add (prompt->arguments, argument);
  return TRUE;
}

/* (nullable): a prompt that can't be filled in is of no use. */
static BeckonMcpPrompt *
read_prompt (const BeckonJsonValue *value)
{
  const BeckonJsonValue *arguments = beckon_json_value_get (value, "arguments");
  const char *name = mcp_prompt_read_name (value, "/");
  g_autoptr (BeckonMcpPrompt) prompt = NULL;

  if (name == NULL)
    return NULL;
  prompt = prompt_new (name);
  prompt->title = mcp_prompt_dup_words (value, "title");
  prompt->description = mcp_prompt_dup_words (value, "description");
  for (guint i = 0; arguments != NULL && i < beckon_json_value_get_n_children (arguments); i++)
    if (!read_argument (prompt, beckon_json_value_get_child (arguments, i)))
      return NULL;
  return g_steal_pointer (&prompt);
}

gboolean
beckon_mcp_prompts_read (GPtrArray *prompts, const char *page, char **cursor)
{
  g_autoptr (BeckonJsonValue) value = page != NULL ? beckon_json_value_parse (page, -1, NULL) : NULL;
  const BeckonJsonValue *list = beckon_json_value_get (value, "prompts");
  const char *next = beckon_json_value_get_string (beckon_json_value_get (value, "nextCursor"));

  if (cursor != NULL)
    *cursor = next != NULL && strlen (next) <= MAX_CURSOR ? g_strdup (next) : NULL;
  if (list == NULL || list->kind != BECKON_JSON_VALUE_ARRAY)
    return FALSE;
  for (guint i = 0; i < list->children->len && prompts->len < BECKON_MCP_PROMPTS_MAX; i++)
    {
      g_autoptr (BeckonMcpPrompt) prompt = read_prompt (g_ptr_array_index (list->children, i));

      if (prompt != NULL && beckon_mcp_prompts_find (prompts, prompt->name) == NULL)
        g_ptr_array_add (prompts, g_steal_pointer (&prompt));
    }
  return TRUE;
}

static void
write_words (BeckonJsonWriter *writer, const char *name, const char *title, const char *description)
{
  beckon_json_writer_member_string (writer, "name", name);
  if (title != NULL)
    beckon_json_writer_member_string (writer, "title", title);
  if (description != NULL)
    beckon_json_writer_member_string (writer, "description", description);
}

char *
beckon_mcp_prompts_print (GPtrArray *prompts)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "prompts");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < prompts->len; i++)
    {
      const BeckonMcpPrompt *prompt = g_ptr_array_index (prompts, i);

      beckon_json_writer_begin_object (&writer);
      write_words (&writer, prompt->name, prompt->title, prompt->description);
      beckon_json_writer_name (&writer, "arguments");
      beckon_json_writer_begin_array (&writer);
      for (guint j = 0; j < prompt->arguments->len; j++)
        {
          const BeckonMcpPromptArgument *argument = g_ptr_array_index (prompt->arguments, j);

          beckon_json_writer_begin_object (&writer);
          write_words (&writer, argument->name, argument->title, argument->description);
          beckon_json_writer_member_boolean (&writer, "required", argument->is_required);
          beckon_json_writer_end_object (&writer);
        }
      beckon_json_writer_end_array (&writer);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}

/* --- Filling in --------------------------------------------------------------------------------------------------- */

static void
add_value (GHashTable *values, const char *name, const char *value)
{
  const char *before = g_hash_table_lookup (values, name);

  g_hash_table_replace (values, g_strdup (name), before != NULL ? g_strconcat (before, " ", value, NULL) : g_strdup (value));
}

GHashTable *
beckon_mcp_prompt_read_values (const BeckonMcpPrompt *prompt, const char *const *words, GError **error)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GError) problem = NULL;

  g_return_val_if_fail (prompt != NULL, NULL);

  for (guint i = 0; words != NULL && words[i] != NULL && problem == NULL; i++)
    {
      const char *word = words[i];
      const char *equals = strchr (word, '=');
      g_autofree char *name = equals != NULL ? g_strndup (word, (gsize) (equals - word)) : NULL;

      if (name != NULL && find_argument (prompt, name) != NULL)
        add_value (values, name, equals + 1);
      else if (prompt->arguments->len == 1)
        add_value (values, ((BeckonMcpPromptArgument *) g_ptr_array_index (prompt->arguments, 0))->name, word);
      else
        beckon_text_set_error (&problem, BECKON_ERROR, BECKON_ERROR_INVALID,
                               _("“%1$s” is no argument of the prompt “%2$s”. Write name=value."), word, prompt->name);
    }
  for (guint i = 0; i < prompt->arguments->len && problem == NULL; i++)
    {
      const BeckonMcpPromptArgument *argument = g_ptr_array_index (prompt->arguments, i);
      const char *value = g_hash_table_lookup (values, argument->name);

      if (argument->is_required && (value == NULL || *value == '\0'))
        beckon_text_set_error (&problem, BECKON_ERROR, BECKON_ERROR_INVALID,
                               _("The prompt “%1$s” needs %2$s. Write %2$s=value."), prompt->name, argument->name);
    }
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  return g_steal_pointer (&values);
}

char *
beckon_mcp_prompt_make_members (const char *name, GHashTable *values)
{
  g_autoptr (GString) text = g_string_new ("\"name\":");
  BeckonJsonWriter writer;
  GHashTableIter iter;
  gpointer key, value;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_string (&writer, name, -1);
  g_string_append (text, ",\"arguments\":");
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  if (values != NULL)
    g_hash_table_iter_init (&iter, values);
  while (values != NULL && g_hash_table_iter_next (&iter, &key, &value))
    beckon_json_writer_member_string (&writer, key, value);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- What it says ------------------------------------------------------------------------------------------------- */

/* (transfer full): what stands for one content. */
static char *
mcp_prompt_read_content (const BeckonJsonValue *content)
{
  const char *type = beckon_json_value_get_string (beckon_json_value_get (content, "type"));
  const BeckonJsonValue *resource = beckon_json_value_get (content, "resource");
  const char *text = beckon_json_value_get_string (beckon_json_value_get (content, "text"));
  const char *uri;

  if (g_strcmp0 (type, "text") == 0 && text != NULL)
    return g_strdup (text);
  if (resource == NULL)
    resource = content;
  text = beckon_json_value_get_string (beckon_json_value_get (resource, "text"));
  uri = beckon_json_value_get_string (beckon_json_value_get (resource, "uri"));
  if (text != NULL)
    return g_strdup_printf ("%s:\n%s", uri != NULL ? uri : "", text);
  if (uri != NULL)
    return g_strdup (uri);
  return g_strdup (_("[Left out: it is no text.]"));
}

char *
beckon_mcp_prompt_read_text (const char *json)
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  const BeckonJsonValue *messages = beckon_json_value_get (value, "messages");
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *marked = NULL;

  if (messages == NULL || messages->kind != BECKON_JSON_VALUE_ARRAY || messages->children->len == 0)
    return NULL;
  for (guint i = 0; i < messages->children->len && text->len < 4 * BECKON_MCP_PROMPT_TEXT_MAX; i++)
    {
      const BeckonJsonValue *message = g_ptr_array_index (messages->children, i);
      gboolean is_model = g_strcmp0 (beckon_json_value_get_string (beckon_json_value_get (message, "role")), "assistant") == 0;
      g_autofree char *said = mcp_prompt_read_content (beckon_json_value_get (message, "content"));
      g_auto (GStrv) lines = is_model ? g_strsplit (said, "\n", -1) : NULL;

      if (text->len > 0)
        g_string_append (text, "\n\n");
      if (!is_model)
        g_string_append (text, said);
      for (guint j = 0; is_model && lines[j] != NULL; j++)
        g_string_append_printf (text, "%s> %s", j > 0 ? "\n" : "", lines[j]);
    }
  marked = beckon_text_for_display (text->str, (gssize) text->len, BECKON_TEXT_MARKED);
  return beckon_text_shorten (marked, BECKON_MCP_PROMPT_TEXT_MAX);
}
