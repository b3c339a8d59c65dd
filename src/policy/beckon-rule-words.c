/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rule-words.h"

#include "base/beckon-json.h"

#include <glib/gi18n-lib.h>

static void
add_pattern (JsonObject *object, const char *name, JsonNode *node, gpointer data)
{
  GString *title = data;
  g_autofree char *printed = beckon_json_print (node);

  g_string_append (title, title->len > 0 ? " " : "");
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    g_string_append (title, json_node_get_string (node));
  else
    g_string_append (title, printed);
}

char *
beckon_rule_dup_title (const BeckonRule *rule)
{
  g_autoptr (JsonObject) arguments = NULL;
  g_autoptr (GString) patterns = g_string_new (NULL);
  const char *what;

  g_return_val_if_fail (rule != NULL, NULL);

  what = rule->tool != NULL ? rule->tool : rule->server;
  if (rule->arguments != NULL)
    arguments = beckon_json_parse_object (rule->arguments, -1, NULL);
  if (arguments != NULL)
    json_object_foreach_member (arguments, add_pattern, patterns);
  else if (rule->arguments != NULL)
    g_string_append (patterns, rule->arguments);

  return patterns->len > 0 ? g_strdup_printf ("%s: %s", what, patterns->str) : g_strdup (what);
}

static const char *
get_verdict_words (BeckonVerdict verdict)
{
  switch (verdict)
    {
    case BECKON_VERDICT_ALLOW:
      return _("Runs without a question");
    case BECKON_VERDICT_DENY:
      return _("Never runs");
    case BECKON_VERDICT_ASK:
    default:
      return _("Is asked for");
    }
}

static char *
format_day (gint64 at)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (at / G_USEC_PER_SEC);

  return time != NULL ? g_date_time_format (time, "%x") : g_strdup ("?");
}

static void
add_place (GString *text, const BeckonRule *rule)
{
  if (rule->conversation_id != NULL)
    g_string_append_printf (text, " · %s", _("in one conversation"));
  if (rule->folder != NULL)
    {
      g_string_append (text, " · ");
      /* Translators: %s is a folder */
      g_string_append_printf (text, _("in %s"), rule->folder);
    }
}

static void
add_uses (GString *text, const BeckonRule *rule)
{
  g_autofree char *day = rule->used_at > 0 ? format_day (rule->used_at) : NULL;
  gulong uses = (gulong) MAX (rule->uses, 0);

  g_string_append (text, " · ");
  if (uses == 0)
    g_string_append (text, _("not used yet"));
  else
    g_string_append_printf (text, ngettext ("used %lu time", "used %lu times", uses), uses);
  if (day != NULL)
    {
      g_string_append (text, ", ");
      /* Translators: %s is a day */
      g_string_append_printf (text, _("last on %s"), day);
    }
}

char *
beckon_rule_dup_details (const BeckonRule *rule, gint64 now)
{
  g_autoptr (GString) text = NULL;

  g_return_val_if_fail (rule != NULL, NULL);

  text = g_string_new (get_verdict_words (rule->verdict));
  add_place (text, rule);
  add_uses (text, rule);
  if (rule->expires_at > 0)
    {
      g_autofree char *day = format_day (rule->expires_at);

      g_string_append (text, " · ");
      /* Translators: %s is a day */
      g_string_append_printf (text, rule->expires_at <= now ? _("expired on %s") : _("until %s"), day);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}
