/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rule-set.h"

#include "base/beckon-counted.h"
#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "beckon-argument-pattern.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  BeckonRule *rule;

  /* The rule's verdict; stricter if it can't be read. */
  BeckonVerdict verdict;

  /* (owned) (element-type BeckonArgumentPattern) */
  GPtrArray *patterns;
} Ready;

/* The rules of one tool: by the program where a rule is about a command of one program, and all others. */
typedef struct
{
  GArray *others;         /* (element-type guint) */
  GHashTable *by_program; /* (element-type utf8 GArray) */
} ToolRules;

/* Rules are looked for by the tool's name; those for all tools of a server stand under the server's. Within a list, and
 * between the lists by their place, the order of the rules is kept. */
struct _BeckonRuleSet
{
  GArray *all;
  GHashTable *by_tool;
  GHashTable *by_server;
  GArray *on_paths; /* (element-type guint): those that ask or deny for files, which hold for all built-in tools */
};

static void
clear_ready (gpointer data)
{
  Ready *ready = data;

  beckon_rule_unref (ready->rule);
  g_ptr_array_unref (ready->patterns);
}

static gboolean
rule_set_add_pattern (GPtrArray *patterns, const char *name, JsonNode *node, GError **error)
{
  BeckonArgumentPattern *pattern;

  if (json_node_get_value_type (node) != G_TYPE_STRING)
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The pattern for “%s” is not a text."), name);
      return FALSE;
    }

  pattern = beckon_argument_pattern_new (name, json_node_get_string (node), error);
  if (pattern != NULL)
    g_ptr_array_add (patterns, pattern);

  return pattern != NULL;
}

static gboolean
read_patterns (GPtrArray *patterns, const char *arguments, GError **error)
{
  g_autoptr (JsonObject) object = NULL;
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  if (arguments == NULL)
    return TRUE;

  object = beckon_json_parse_object (arguments, -1, error);
  if (object == NULL)
    return FALSE;

  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &name, &node))
    if (!rule_set_add_pattern (patterns, name, node, error))
      return FALSE;

  return TRUE;
}

gboolean
beckon_rule_set_check (const BeckonRule *rule, GError **error)
{
  g_autoptr (GPtrArray) patterns = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_argument_pattern_free);

  g_return_val_if_fail (rule != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (rule->tool == NULL && rule->server == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("A rule names a tool or a server."));
      return FALSE;
    }

  return read_patterns (patterns, rule->arguments, error);
}

/* Unreadable patterns say nothing about arguments, so the rule is about all; it must not permit anything then. */
static void
make_ready (BeckonRule *rule, Ready *ready)
{
  ready->rule = beckon_rule_ref (rule);
  ready->verdict = rule->verdict;
  ready->patterns = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_argument_pattern_free);
  if (read_patterns (ready->patterns, rule->arguments, NULL))
    return;

  g_ptr_array_set_size (ready->patterns, 0);
  ready->verdict = MAX (rule->verdict, BECKON_VERDICT_ASK);
}

static ToolRules *
tool_rules_new (void)
{
  ToolRules *self = g_new0 (ToolRules, 1);

  self->others = g_array_new (FALSE, FALSE, sizeof (guint));
  self->by_program = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
  return self;
}

static void
tool_rules_free (gpointer data)
{
  ToolRules *self = data;

  g_array_unref (self->others);
  g_hash_table_unref (self->by_program);
  g_free (self);
}

static void
file_under (GHashTable *table, const char *key, guint index)
{
  GArray *list = g_hash_table_lookup (table, key);

  if (list == NULL)
    {
      list = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (table, (gpointer) key, list);
    }
  g_array_append_val (list, index);
}

static const char *
get_program (const Ready *ready)
{
  for (guint i = 0; i < ready->patterns->len; i++)
    {
      const char *program = beckon_argument_pattern_get_program (g_ptr_array_index (ready->patterns, i));

      if (program != NULL)
        return program;
    }

  return NULL;
}

/* Those that ask or deny are few, and about more spellings than a table has. */
static void
file_for_tool (BeckonRuleSet *set, const char *tool, const Ready *ready, guint index)
{
  const char *program = ready->verdict == BECKON_VERDICT_ALLOW ? get_program (ready) : NULL;
  ToolRules *rules = g_hash_table_lookup (set->by_tool, tool);

  if (rules == NULL)
    {
      rules = tool_rules_new ();
      g_hash_table_insert (set->by_tool, (gpointer) tool, rules);
    }
  if (program != NULL)
    file_under (rules->by_program, program, index);
  else
    g_array_append_val (rules->others, index);
}

gboolean
beckon_rule_changes_files (const char *tool, const char *server)
{
  return (server == NULL || *server == '\0') && (g_strcmp0 (tool, "edit_file") == 0 || g_strcmp0 (tool, "write_file") == 0);
}

/* The other tools that a permission to change files is one for. */
static void
file_for_others (BeckonRuleSet *set, const Ready *ready, guint index)
{
  static const char *const tools[] = { "edit_file", "write_file", "move_files" };

  if (ready->verdict != BECKON_VERDICT_ALLOW || !beckon_rule_changes_files (ready->rule->tool, ready->rule->server))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    if (strcmp (tools[i], ready->rule->tool) != 0)
      file_for_tool (set, tools[i], ready, index);
}

/* Files and nothing else: what is said of a file holds whatever touches it. */
static gboolean
restricts_paths (const Ready *ready)
{
  return ready->verdict != BECKON_VERDICT_ALLOW && ready->rule->server == NULL && ready->patterns->len == 1
         && beckon_argument_pattern_is_path (g_ptr_array_index (ready->patterns, 0));
}

BeckonRuleSet *
beckon_rule_set_new (GPtrArray *rules)
{
  BeckonRuleSet *set = g_atomic_rc_box_new0 (BeckonRuleSet);

  g_return_val_if_fail (rules != NULL, NULL);

  set->all = g_array_sized_new (FALSE, FALSE, sizeof (Ready), rules->len);
  g_array_set_clear_func (set->all, clear_ready);
  set->by_tool = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, tool_rules_free);
  set->by_server = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
  set->on_paths = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < rules->len; i++)
    {
      BeckonRule *rule = g_ptr_array_index (rules, i);
      Ready ready;

      make_ready (rule, &ready);
      g_array_append_val (set->all, ready);
      file_for_others (set, &ready, i);
      if (rule->tool != NULL)
        file_for_tool (set, rule->tool, &ready, i);
      else if (rule->server != NULL)
        file_under (set->by_server, rule->server, i);
      if (restricts_paths (&ready))
        g_array_append_val (set->on_paths, i);
    }

  return set;
}

static void
clear_set (gpointer data)
{
  BeckonRuleSet *set = data;

  g_hash_table_unref (set->by_tool);
  g_hash_table_unref (set->by_server);
  g_array_unref (set->on_paths);
  g_array_unref (set->all);
}

BECKON_COUNTED (BeckonRuleSet, beckon_rule_set, clear_set)

/* Checks scope and expiry. */
static gboolean
is_in_force (const BeckonRule *rule, const BeckonEffects *effects, gint64 now)
{
  if (rule->expires_at > 0 && now >= rule->expires_at)
    return FALSE;
  if (g_strcmp0 (rule->server, effects->server) != 0)
    return FALSE;
  if (rule->conversation_id != NULL && g_strcmp0 (rule->conversation_id, effects->conversation_id) != 0)
    return FALSE;

  return rule->folder == NULL || (effects->folder != NULL && beckon_path_is_within (effects->folder, rule->folder));
}

/* (nullable): its pattern for @name. */
static const BeckonArgumentPattern *
find_pattern (const Ready *ready, const char *name)
{
  for (guint i = 0; i < ready->patterns->len; i++)
    {
      const BeckonArgumentPattern *pattern = g_ptr_array_index (ready->patterns, i);

      if (strcmp (beckon_argument_pattern_get_name (pattern), name) == 0)
        return pattern;
    }

  return NULL;
}

/* A permission holds for what its sentence says: the network, another folder, a longer time and files elsewhere have to stand
 * in it, and what other programs run by themselves has to be named. The name of a folder is none of what is in it. */
static gboolean
says_so (const Ready *ready, const BeckonEffects *effects)
{
  const BeckonArgumentPattern *path = find_pattern (ready, "path");

  for (guint i = 0; effects->reach != NULL && effects->reach[i] != NULL; i += 2)
    if (find_pattern (ready, effects->reach[i]) == NULL)
      return FALSE;
  if (effects->leaves_folder && effects->server == NULL && path == NULL)
    return FALSE;
  if (effects->has_whole_folders && path != NULL && !beckon_argument_pattern_is_below (path))
    return FALSE;

  return !effects->feeds_others || (path != NULL && beckon_argument_pattern_is_literal (path));
}

/* A tool that changes files forbids only to change them, whichever tool would. */
static gboolean
is_about_changes (const BeckonRule *rule)
{
  static const char *const tools[] = { "write_file", "edit_file", "move_files", "delete_files", NULL };

  return rule->tool != NULL && g_strv_contains (tools, rule->tool);
}

/* Whether a rule on files that was made for another tool holds for this one. What a command does with a file is not known here:
 * the sandbox keeps it from changing it. */
static gboolean
holds_for_tool (const BeckonRule *rule, const BeckonEffects *effects)
{
  if (rule->tool == NULL || strcmp (rule->tool, effects->tool) == 0)
    return TRUE;

  return !is_about_changes (rule) || (!effects->read_only && effects->command == NULL);
}

static gboolean
allows (const Ready *ready, const BeckonEffects *effects, const BeckonShellSegment *segment)
{
  if (!says_so (ready, effects))
    return FALSE;
  for (guint i = 0; i < ready->patterns->len; i++)
    if (!beckon_argument_pattern_allows (g_ptr_array_index (ready->patterns, i), effects, segment))
      return FALSE;

  return TRUE;
}

static BeckonMention
mentions (const Ready *ready, const BeckonEffects *effects, const BeckonShellSegment *segment)
{
  BeckonMention mention = BECKON_MENTION_YES;

  for (guint i = 0; i < ready->patterns->len && mention != BECKON_MENTION_NO; i++)
    mention = MIN (mention, beckon_argument_pattern_mentions (g_ptr_array_index (ready->patterns, i), effects, segment));

  return mention;
}

/* A permission for another tool that changes files. */
static gboolean
is_lent (const Ready *ready, const BeckonEffects *effects)
{
  return ready->verdict == BECKON_VERDICT_ALLOW && ready->rule->tool != NULL && strcmp (ready->rule->tool, effects->tool) != 0;
}

static BeckonMention
rule_set_matches (const Ready *ready, const BeckonEffects *effects, const BeckonShellSegment *segment, gint64 now)
{
  if (!is_in_force (ready->rule, effects, now))
    return BECKON_MENTION_NO;
  /* Each move has to be looked at as it lands. */
  if (is_lent (ready, effects) && !effects->lands && strcmp (effects->tool, "move_files") == 0)
    return BECKON_MENTION_NO;
  if (ready->verdict == BECKON_VERDICT_ALLOW)
    return allows (ready, effects, segment) ? BECKON_MENTION_YES : BECKON_MENTION_NO;

  return holds_for_tool (ready->rule, effects) ? mentions (ready, effects, segment) : BECKON_MENTION_NO;
}

/* Lists that are gone through together, from their ends. */
typedef struct
{
  const GArray *arrays[5];
  guint left[5];
  guint n;
} Lists;

static void
add_list (Lists *lists, const GArray *array)
{
  if (array == NULL || array->len == 0)
    return;

  lists->arrays[lists->n] = array;
  lists->left[lists->n++] = array->len;
}

/* A command that names a program by its path is a command of that program too. */
static void
add_lists_of_program (Lists *lists, GHashTable *by_program, const char *program)
{
  const char *slash = program != NULL ? strrchr (program, '/') : NULL;

  if (program != NULL)
    add_list (lists, g_hash_table_lookup (by_program, program));
  if (slash != NULL)
    add_list (lists, g_hash_table_lookup (by_program, slash + 1));
}

/* The largest index that is left; -1 when all are through. */
static int
take_last (Lists *lists)
{
  guint place = 0;
  int last = -1;

  for (guint i = 0; i < lists->n; i++)
    {
      int end = lists->left[i] > 0 ? (int) g_array_index (lists->arrays[i], guint, lists->left[i] - 1) : -1;

      if (end <= last)
        continue;
      last = end;
      place = i;
    }
  if (last >= 0)
    lists->left[place]--;

  return last;
}

static void
collect_lists (BeckonRuleSet *set, const BeckonEffects *effects, const BeckonShellSegment *segment, Lists *lists)
{
  const ToolRules *rules = g_hash_table_lookup (set->by_tool, effects->tool);

  if (rules != NULL)
    {
      add_list (lists, rules->others);
      if (segment != NULL)
        add_lists_of_program (lists, rules->by_program, beckon_shell_segment_get_word (segment, 0));
    }
  if (effects->server != NULL)
    add_list (lists, g_hash_table_lookup (set->by_server, effects->server));
  else if (effects->paths != NULL || effects->aliases != NULL)
    add_list (lists, set->on_paths);
}

BeckonRule *
beckon_rule_set_find (BeckonRuleSet *set, const BeckonEffects *effects, const BeckonShellSegment *segment, gint64 now,
                      BeckonVerdict *verdict, gboolean *is_doubtful)
{
  Lists lists = { .n = 0 };
  const Ready *lent = NULL;
  gboolean has_doubt = FALSE;
  int index;

  g_return_val_if_fail (set != NULL && effects != NULL && effects->tool != NULL, NULL);
  g_return_val_if_fail (verdict != NULL, NULL);

  collect_lists (set, effects, segment, &lists);
  while ((index = take_last (&lists)) >= 0)
    {
      const Ready *ready = &g_array_index (set->all, Ready, index);
      BeckonMention mention = rule_set_matches (ready, effects, segment, now);

      has_doubt = has_doubt || mention == BECKON_MENTION_MAYBE;
      if (mention != BECKON_MENTION_YES)
        continue;
      /* Words on this very tool outlast a permission for the other one. */
      if (is_lent (ready, effects))
        {
          lent = lent != NULL ? lent : ready;
          continue;
        }
      if (lent != NULL && g_strcmp0 (ready->rule->tool, effects->tool) != 0)
        continue;
      if (is_doubtful != NULL)
        *is_doubtful = has_doubt && ready->verdict == BECKON_VERDICT_ALLOW;
      *verdict = ready->verdict;
      return ready->rule;
    }

  if (is_doubtful != NULL)
    *is_doubtful = has_doubt;
  if (lent == NULL)
    return NULL;
  *verdict = lent->verdict;
  return lent->rule;
}

static gboolean
is_about_files (const Ready *ready)
{
  for (guint i = 0; i < ready->patterns->len; i++)
    if (beckon_argument_pattern_is_path (g_ptr_array_index (ready->patterns, i)))
      return TRUE;

  return FALSE;
}

static gboolean
names_one_thing (const Ready *ready)
{
  for (guint i = 0; i < ready->patterns->len; i++)
    if (!beckon_argument_pattern_is_literal (g_ptr_array_index (ready->patterns, i)))
      return FALSE;

  return ready->patterns->len > 0;
}

/* The words before the first sign that stands for anything are the same, as far as both patterns have them. */
static gboolean
may_meet (const BeckonArgumentPattern *one, const BeckonArgumentPattern *other)
{
  const char *text = beckon_argument_pattern_get_text (one);
  const char *more = beckon_argument_pattern_get_text (other);

  return strcmp (beckon_argument_pattern_get_name (one), beckon_argument_pattern_get_name (other)) != 0
         || strncmp (text, more, MIN (strcspn (text, "*?["), strcspn (more, "*?["))) == 0;
}

static gboolean
may_cover (const Ready *allowed, const Ready *denied)
{
  const BeckonRule *one = allowed->rule;
  const BeckonRule *other = denied->rule;

  if (g_strcmp0 (one->server, other->server) != 0
      || (one->tool != NULL && other->tool != NULL && strcmp (one->tool, other->tool) != 0)
      || (one->folder != NULL && other->folder != NULL && !beckon_path_is_within (one->folder, other->folder)
          && !beckon_path_is_within (other->folder, one->folder))
      || (one->conversation_id != NULL && other->conversation_id != NULL
          && strcmp (one->conversation_id, other->conversation_id) != 0))
    return FALSE;
  for (guint i = 0; i < allowed->patterns->len; i++)
    for (guint k = 0; k < denied->patterns->len; k++)
      if (!may_meet (g_ptr_array_index (allowed->patterns, i), g_ptr_array_index (denied->patterns, k)))
        return FALSE;

  return TRUE;
}

BeckonRule *
beckon_rule_set_find_covered (BeckonRuleSet *set, const BeckonRule *rule)
{
  BeckonRule *found = NULL;
  Ready allowed;

  make_ready ((BeckonRule *) rule, &allowed);
  for (guint i = 0; i < set->all->len && !names_one_thing (&allowed); i++)
    {
      const Ready *denied = &g_array_index (set->all, Ready, i);

      if (rule->id != NULL && g_strcmp0 (denied->rule->id, rule->id) == 0)
        break;
      if (denied->verdict == BECKON_VERDICT_DENY && !is_about_files (denied) && may_cover (&allowed, denied))
        found = denied->rule;
    }
  clear_ready (&allowed);
  return found;
}

static gboolean
is_about_commands (const Ready *ready)
{
  for (guint i = 0; i < ready->patterns->len; i++)
    if (beckon_argument_pattern_is_command (g_ptr_array_index (ready->patterns, i)))
      return TRUE;

  return FALSE;
}

gboolean
beckon_rule_set_is_about_commands (BeckonRuleSet *set, const BeckonRule *rule)
{
  for (guint i = 0; i < set->all->len; i++)
    {
      const Ready *ready = &g_array_index (set->all, Ready, i);

      if (ready->rule == rule)
        return is_about_commands (ready);
    }

  return FALSE;
}

gboolean
beckon_rule_set_restricts_commands (BeckonRuleSet *set, const BeckonEffects *effects, gint64 now)
{
  for (guint i = 0; i < set->all->len; i++)
    {
      const Ready *ready = &g_array_index (set->all, Ready, i);

      if (ready->verdict != BECKON_VERDICT_ALLOW && g_strcmp0 (ready->rule->tool, effects->tool) == 0
          && is_in_force (ready->rule, effects, now) && is_about_commands (ready))
        return TRUE;
    }

  return FALSE;
}

void
beckon_rule_set_foreach_denied_path (BeckonRuleSet *set, const char *folder, const char *conversation_id, gint64 now,
                                     BeckonDeniedPathFunc func, gpointer data)
{
  const BeckonEffects effects = { .tool = "", .folder = folder, .conversation_id = conversation_id };

  for (guint i = 0; i < set->on_paths->len; i++)
    {
      const Ready *ready = &g_array_index (set->all, Ready, g_array_index (set->on_paths, guint, i));

      if (ready->verdict == BECKON_VERDICT_DENY && is_in_force (ready->rule, &effects, now))
        func (g_ptr_array_index (ready->patterns, 0), is_about_changes (ready->rule), data);
    }
}

gboolean
beckon_rule_set_asks_for_paths (BeckonRuleSet *set, const char *folder, const char *conversation_id, gint64 now)
{
  const BeckonEffects effects = { .tool = "", .folder = folder, .conversation_id = conversation_id };

  g_return_val_if_fail (set != NULL, TRUE);

  for (guint i = 0; i < set->on_paths->len; i++)
    {
      const Ready *ready = &g_array_index (set->all, Ready, g_array_index (set->on_paths, guint, i));

      if (ready->verdict == BECKON_VERDICT_ASK && is_in_force (ready->rule, &effects, now))
        return TRUE;
    }

  return FALSE;
}

gboolean
beckon_rule_set_restricts_search (BeckonRuleSet *set, const char *folder, const char *conversation_id, gint64 now)
{
  const BeckonEffects effects = { .folder = folder, .conversation_id = conversation_id };
  gboolean may_search = FALSE, may_fetch = FALSE;

  g_return_val_if_fail (set != NULL, TRUE);

  for (guint i = set->all->len; i > 0; i--)
    {
      const Ready *ready = &g_array_index (set->all, Ready, i - 1);
      gboolean is_search = g_strcmp0 (ready->rule->tool, "web_search") == 0;
      gboolean is_fetch = g_strcmp0 (ready->rule->tool, "fetch_url") == 0;

      if ((!is_search && !is_fetch) || !is_in_force (ready->rule, &effects, now))
        continue;
      if (ready->verdict == BECKON_VERDICT_ALLOW)
        {
          may_search |= is_search && ready->patterns->len == 0;
          may_fetch |= is_fetch && ready->patterns->len == 0;
        }
      else if (is_search ? !may_search : !may_fetch && ready->verdict == BECKON_VERDICT_DENY)
        return TRUE;
    }
  return FALSE;
}
