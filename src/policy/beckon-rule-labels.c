/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rule-labels.h"

#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The most that a command may ask for, and what one in the background is taken to need. */
#define MOST_SECONDS 3600

static gboolean
is_reach (const char *name)
{
  static const char *const names[] = { "network", "local_network", "directory", "timeout_seconds", NULL };

  return g_strv_contains (names, name);
}

void
beckon_rule_append_reach (GString *text, const char *name, const char *value)
{
  if (strcmp (name, "network") == 0 && strcmp (value, "true") == 0)
    g_string_append (text, _("with the internet"));
  else if (strcmp (name, "network") == 0)
    /* Translators: %s are names of computers in the internet */
    beckon_text_append (text, _("with %s"), value);
  else if (strcmp (name, "local_network") == 0 && strcmp (value, "true") == 0)
    g_string_append (text, _("with this computer’s services and network"));
  else if (strcmp (name, "directory") == 0)
    /* Translators: %s is a folder */
    beckon_text_append (text, _("in %s"), value);
  else if (strcmp (name, "timeout_seconds") == 0 && g_ascii_strtoll (value, NULL, 10) >= MOST_SECONDS)
    g_string_append (text, _("for as long as it takes"));
  else if (strcmp (name, "timeout_seconds") == 0)
    /* Translators: %s is a number */
    beckon_text_append (text, _("for up to %s seconds"), value);
  else
    g_string_append_printf (text, "%s: %s", name, value);
}

/* A tool of the program's own: which argument its sentence is about, and the sentences, with it and without, as on cards. */
typedef struct
{
  const char *tool;
  const char *argument; /* (nullable) */
  const char *context;  /* (nullable): of @words, for translators */
  const char *words;    /* (nullable) */
  const char *bare_context; /* (nullable) */
  const char *bare;
} Wording;

static const Wording wordings[] = {
  { "run_command", "command", "a command", NC_ ("a command", "Run %s"), NULL, N_ ("Run a command") },
  { "end_command", NULL, NULL, NULL, NULL, N_ ("End a background command") },
  { "edit_file", "path", NULL, N_ ("Edit %s"), NULL, N_ ("Edit a file") },
  { "write_file", "path", NULL, N_ ("Write %s"), NULL, N_ ("Write a file") },
  { "move_files", NULL, NULL, NULL, NULL, N_ ("Move files") },
  { "delete_files", NULL, NULL, NULL, NULL, N_ ("Delete files") },
  { "read_file", "path", "what a tool does", NC_ ("what a tool does", "Read %s"), "what a tool does",
    NC_ ("what a tool does", "Read a file") },
  { "list_files", "path", NULL, N_ ("List the files in %s"), NULL, N_ ("List the files") },
  { "search_files", "pattern", NULL, N_ ("Search the files for %s"), NULL, N_ ("Search the files") },
  { "fetch_url", "host", NULL, N_ ("Fetch %s"), NULL, N_ ("Fetch a page") },
  { "web_search", "query", NULL, N_ ("Search the web for %s"), NULL, N_ ("Search the web") },
  { "remember", "text", NULL, N_ ("Remember %s"), NULL, N_ ("Remember a note") },
  { "recall", NULL, NULL, NULL, NULL, N_ ("Look up notes") },
  { "read_skill", "name", "what a tool does", NC_ ("what a tool does", "Read the skill %s"), "what a tool does",
    NC_ ("what a tool does", "Read a skill") },
  { "find_tool", "query", NULL, N_ ("Find tools for %s"), NULL, N_ ("Find tools") },
  { "get_current_time", NULL, NULL, NULL, NULL, N_ ("Look at the clock") },
};

/* A permission for one of the tools that change files is one for both, and to move them where it is about more than one. */
static const Wording changing = { NULL, "path", NULL, N_ ("Change %s"), NULL, N_ ("Change or move files") };

/* (nullable) */
static const Wording *
find_wording (const char *tool, BeckonVerdict verdict)
{
  if (verdict == BECKON_VERDICT_ALLOW && beckon_rule_changes_files (tool, NULL))
    return &changing;
  for (guint i = 0; tool != NULL && i < G_N_ELEMENTS (wordings); i++)
    if (g_str_equal (wordings[i].tool, tool))
      return &wordings[i];
  return NULL;
}

static const char *
rule_labels_translate (const char *context, const char *words)
{
  return context != NULL ? g_dpgettext2 (GETTEXT_PACKAGE, context, words) : _(words);
}

char *
beckon_rule_dup_tool (const char *tool)
{
  const Wording *wording = find_wording (tool, BECKON_VERDICT_ALLOW);

  return g_strdup (wording != NULL ? rule_labels_translate (wording->bare_context, wording->bare) : tool);
}

/* The main argument comes first, and then its reach. */
static void
rule_labels_add_pattern (GString *title, const char *name, JsonNode *node)
{
  g_autofree char *printed = beckon_json_print (node);
  const char *value = JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
                        ? json_node_get_string (node)
                        : printed;

  if (title->len > 0)
    g_string_append (title, " · ");
  if (strcmp (name, "path") == 0 && g_str_has_suffix (value, "/**"))
    {
      g_autofree char *folder = g_strndup (value, MAX (strlen (value) - strlen ("/**"), 1));

      /* Translators: %s is a folder */
      beckon_text_append (title, _("everything in %s"), folder);
    }
  else if (strcmp (name, "command") == 0 || strcmp (name, "path") == 0 || strcmp (name, "host") == 0)
    g_string_append (title, value);
  else
    beckon_rule_append_reach (title, name, value);
}

/* @said: (nullable): an argument whose pattern stands elsewhere */
static void
add_patterns (GString *title, JsonObject *arguments, const char *said, gboolean of_reach)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  json_object_iter_init_ordered (&iter, arguments);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    if (is_reach (name) == of_reach && g_strcmp0 (name, said) != 0)
      rule_labels_add_pattern (title, name, node);
}

/* The name of a server's tool begins with the server's. */
static char *
describe_what (const BeckonRule *rule)
{
  const char *end = rule->tool != NULL ? strstr (rule->tool, "__") : NULL;
  g_autofree char *server = NULL;

  if (end == NULL || end == rule->tool || end[2] == '\0')
    return g_strdup (rule->tool != NULL ? rule->tool : rule->server);
  server = g_strndup (rule->tool, (gsize) (end - rule->tool));
  /* Translators: a tool and the server that offers it: "create_issue on GitHub server" */
  return beckon_text_printf (_("%s on %s server"), end + 2, server);
}

/* The sentence of a built-in tool, about the pattern of its main argument. @said: (out) (nullable): that argument, if so. */
static char *
describe_builtin (const Wording *wording, JsonObject *arguments, const char **said)
{
  const char *pattern = arguments != NULL && wording->argument != NULL
                          ? beckon_json_get_string (arguments, wording->argument) : NULL;
  const char *words;
  g_autofree char *isolated = NULL;

  if (wording == &changing && pattern != NULL && strpbrk (pattern, "*?[") != NULL)
    pattern = NULL;
  words = pattern != NULL ? rule_labels_translate (wording->context, wording->words) : NULL;
  isolated = pattern != NULL ? beckon_text_isolate (pattern, words) : NULL;

  *said = pattern != NULL ? wording->argument : NULL;
  if (pattern == NULL)
    return g_strdup (rule_labels_translate (wording->bare_context, wording->bare));
  return beckon_text_fill_in (words, isolated);
}

char *
beckon_rule_dup_title (const BeckonRule *rule)
{
  const Wording *wording;
  g_autoptr (JsonObject) arguments = NULL;
  g_autoptr (GString) patterns = g_string_new (NULL);
  g_autofree char *what = NULL;
  const char *said = NULL;

  g_return_val_if_fail (rule != NULL, NULL);

  wording = rule->server == NULL || *rule->server == '\0' ? find_wording (rule->tool, rule->verdict) : NULL;
  if (rule->arguments != NULL)
    arguments = beckon_json_parse_object (rule->arguments, -1, NULL);
  what = wording != NULL ? describe_builtin (wording, arguments, &said) : describe_what (rule);
  if (arguments != NULL)
    {
      add_patterns (patterns, arguments, said, FALSE);
      add_patterns (patterns, arguments, said, TRUE);
    }
  else if (rule->arguments != NULL)
    {
      g_string_append (patterns, rule->arguments);
    }

  if (patterns->len == 0)
    return g_steal_pointer (&what);
  return g_strdup_printf (wording != NULL ? "%s · %s" : "%s: %s", what, patterns->str);
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
    beckon_text_append (text, " · %s", _("in one conversation"));
  if (rule->folder != NULL)
    {
      g_string_append (text, " · ");
      /* Translators: %s is a folder */
      beckon_text_append (text, _("in %s"), rule->folder);
    }
  if (rule->conversation_id == NULL && rule->folder == NULL)
    beckon_text_append (text, " · %s", _("everywhere"));
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
      beckon_text_append (text, _("last on %s"), day);
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
      beckon_text_append (text, rule->expires_at <= now ? _("expired on %s") : _("until %s"), day);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_rule_dup_covering (const BeckonRule *rule, BeckonRuleSet *rules)
{
  const BeckonRule *denied
      = rules != NULL && rule->verdict == BECKON_VERDICT_ALLOW ? beckon_rule_set_find_covered (rules, rule) : NULL;
  g_autofree char *title = denied != NULL ? beckon_rule_dup_title (denied) : NULL;

  if (title == NULL)
    return NULL;
  /* Translators: %s is what a rule denies, such as “Run git push *”; rules stand in a list */
  return beckon_text_printf (_("Where both match, this overrides your rule denying “%s”, which comes after it."), title);
}

char **
beckon_rule_dup_names (const BeckonRule *rule)
{
  g_autoptr (JsonObject) patterns = NULL;
  g_autoptr (GList) names = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (rule != NULL, NULL);

  patterns = rule->arguments != NULL ? beckon_json_parse_object (rule->arguments, -1, NULL) : NULL;
  names = patterns != NULL ? g_list_sort (json_object_get_members (patterns), (GCompareFunc) strcmp) : NULL;
  for (GList *at = names; at != NULL; at = at->next)
    g_strv_builder_add (builder, at->data);
  return g_strv_builder_end (builder);
}

char *
beckon_rule_dup_pattern (const BeckonRule *rule, const char *name)
{
  g_autoptr (JsonObject) patterns = NULL;
  const char *pattern;

  g_return_val_if_fail (rule != NULL && name != NULL, NULL);

  patterns = rule->arguments != NULL ? beckon_json_parse_object (rule->arguments, -1, NULL) : NULL;
  pattern = patterns != NULL ? beckon_json_get_string (patterns, name) : NULL;
  return g_strdup (pattern != NULL ? pattern : "");
}
