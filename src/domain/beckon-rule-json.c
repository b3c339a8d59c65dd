/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rule-json.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_TEXT 16384

static const char *const known[] = {
  "id", "tool", "server", "arguments", "folder", "conversation", "verdict", "created_at", "expires_at",
};

static void
rule_json_write_text (BeckonJsonWriter *writer, const char *name, const char *text)
{
  if (text != NULL)
    beckon_json_writer_member_string (writer, name, text);
}

void
beckon_rule_write (BeckonJsonWriter *writer, const BeckonRule *rule)
{
  g_return_if_fail (writer != NULL && rule != NULL);

  beckon_json_writer_begin_object (writer);
  rule_json_write_text (writer, "id", rule->id);
  rule_json_write_text (writer, "tool", rule->tool);
  rule_json_write_text (writer, "server", rule->server);
  if (rule->arguments != NULL)
    {
      g_autoptr (JsonNode) arguments = beckon_json_parse (rule->arguments, -1, NULL);

      /* Unreadable patterns stay unreadable: a rule that permits nothing. */
      beckon_json_writer_name (writer, "arguments");
      if (arguments != NULL)
        beckon_json_writer_node (writer, arguments);
      else
        beckon_json_writer_string (writer, rule->arguments, -1);
    }
  rule_json_write_text (writer, "folder", rule->folder);
  rule_json_write_text (writer, "conversation", rule->conversation_id);
  rule_json_write_text (writer, "verdict", beckon_verdict_to_string (rule->verdict));
  beckon_json_writer_member_int (writer, "created_at", rule->created_at);
  if (rule->expires_at != 0)
    beckon_json_writer_member_int (writer, "expires_at", rule->expires_at);
  beckon_json_writer_end_object (writer);
}

static gboolean
rule_json_refuse (GError **error, const char *member)
{
  /* Translators: %s is the name of a member of a JSON object */
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         _("This is not a rule: “%s” is missing, wrong or not known."),
                         member);
  return FALSE;
}

static gboolean
is_known (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (known[i], name))
      return TRUE;

  return FALSE;
}

static gboolean
rule_json_read_text (JsonObject *object, const char *name, char **text, GError **error)
{
  const char *value = beckon_json_get_string (object, name);

  if (!json_object_has_member (object, name))
    return TRUE;
  if (value == NULL || *value == '\0' || strlen (value) > MAX_TEXT)
    return rule_json_refuse (error, name);

  *text = g_strdup (value);
  return TRUE;
}

static gboolean
read_time (JsonObject *object, const char *name, gint64 *time, GError **error)
{
  if (!json_object_has_member (object, name))
    return TRUE;

  *time = beckon_json_get_int (object, name, -1);
  return *time >= 0 || rule_json_refuse (error, name);
}

static gboolean
rule_json_read_arguments (JsonObject *object, BeckonRule *rule, GError **error)
{
  if (!json_object_has_member (object, "arguments"))
    return TRUE;
  if (beckon_json_get_object (object, "arguments") == NULL)
    return rule_json_refuse (error, "arguments");

  rule->arguments = beckon_json_print (json_object_get_member (object, "arguments"));
  return strlen (rule->arguments) <= MAX_TEXT || rule_json_refuse (error, "arguments");
}

static gboolean
read_rule (JsonObject *object, BeckonRule *rule, GError **error)
{
  g_autoptr (GList) names = json_object_get_members (object);
  g_autofree char *folder = NULL;

  for (GList *each = names; each != NULL; each = each->next)
    if (!is_known (each->data))
      return rule_json_refuse (error, each->data);
  if (!rule_json_read_text (object, "id", &rule->id, error) || !rule_json_read_text (object, "tool", &rule->tool, error)
      || !rule_json_read_text (object, "server", &rule->server, error))
    return FALSE;

  /* The folder is written as a conversation has it: /w and not /w/ or //w, which would hold nowhere. */
  if (!rule_json_read_text (object, "folder", &folder, error))
    return FALSE;
  if (folder != NULL && !g_path_is_absolute (folder))
    return rule_json_refuse (error, "folder");

  /* GLib keeps two slashes at the beginning. */
  rule->folder = folder != NULL ? g_canonicalize_filename (folder + strspn (folder, "/") - 1, NULL) : NULL;
  if (!rule_json_read_text (object, "conversation", &rule->conversation_id, error)
      || !read_time (object, "created_at", &rule->created_at, error)
      || !read_time (object, "expires_at", &rule->expires_at, error) || !rule_json_read_arguments (object, rule, error))
    return FALSE;
  if (rule->tool == NULL && rule->server == NULL)
    return rule_json_refuse (error, "tool");

  return beckon_verdict_from_string (beckon_json_get_string (object, "verdict"), &rule->verdict)
         || rule_json_refuse (error, "verdict");
}

BeckonRule *
beckon_rule_read (JsonObject *object, GError **error)
{
  g_autoptr (BeckonRule) rule = beckon_rule_new ();

  if (object == NULL)
    {
      rule_json_refuse (error, "{}");
      return NULL;
    }
  if (!read_rule (object, rule, error))
    return NULL;
  if (rule->id == NULL)
    rule->id = beckon_id_new ();

  return g_steal_pointer (&rule);
}

void
beckon_rules_write (BeckonJsonWriter *writer, GPtrArray *rules)
{
  g_return_if_fail (writer != NULL && rules != NULL);

  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < rules->len; i++)
    beckon_rule_write (writer, g_ptr_array_index (rules, i));
  beckon_json_writer_end_array (writer);
}

GPtrArray *
beckon_rules_read (JsonArray *array, guint max, GError **error)
{
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);

  if (array == NULL || json_array_get_length (array) > max)
    {
      rule_json_refuse (error, "[]");
      return NULL;
    }
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      BeckonRule *rule = beckon_rule_read (JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL, error);

      if (rule == NULL)
        return NULL;
      g_ptr_array_add (rules, rule);
    }

  return g_steal_pointer (&rules);
}
