/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rule-propose.h"

#include "base/beckon-id.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "beckon-command-pattern.h"
#include "beckon-command-reader.h"
#include "beckon-rule-labels.h"
#include "beckon-shell-directory.h"
#include "beckon-shell.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_COMMANDS 16

static BeckonRule *
make_rule (const BeckonEffects *effects, const char *const *reach, const char *name, const char *pattern)
{
  BeckonRule *rule = beckon_rule_new ();

  rule->id = beckon_id_new ();
  rule->tool = g_strdup (effects->tool);
  rule->server = g_strdup (effects->server);
  rule->folder = g_strdup (effects->folder);
  rule->verdict = BECKON_VERDICT_ALLOW;
  if (name != NULL)
    {
      g_autoptr (GString) arguments = g_string_new (NULL);
      BeckonJsonWriter writer;

      beckon_json_writer_init (&writer, arguments);
      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, name, pattern);
      for (guint i = 0; reach != NULL && reach[i] != NULL; i += 2)
        beckon_json_writer_member_string (&writer, reach[i], reach[i + 1]);
      beckon_json_writer_end_object (&writer);
      rule->arguments = g_string_free (g_steal_pointer (&arguments), FALSE);
    }

  return rule;
}

static GPtrArray *
rules_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
}

static void
add_one (GPtrArray *proposals, const BeckonEffects *effects, const char *name, const char *pattern, const char *label)
{
  GPtrArray *rules = rules_new ();

  g_ptr_array_add (rules, make_rule (effects, effects->reach, name, pattern));
  g_ptr_array_add (proposals, beckon_rule_proposal_new (label, rules));
}

/* @what: what the tool may do it with */
static void
add_with_tool (GPtrArray *proposals, const BeckonEffects *effects, const char *name, const char *pattern, const char *what)
{
  g_autofree char *tool = beckon_rule_dup_tool (effects->tool);
  g_autofree char *label = g_strdup_printf ("%s · %s", tool, what);

  add_one (proposals, effects, name, pattern, label);
}

static gboolean
is_plain_word (const char *word)
{
  for (const char *p = word; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr ("_-+=.,/:@%", *p) == NULL)
      return FALSE;

  return *word != '\0';
}

/* The words as a pattern; NULL if one of them would mean something else there. Caller frees. */
static char *
write_pattern (const BeckonShellSegment *segment, guint n_words, gboolean is_open)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n_words; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);
      g_autofree char *quoted = is_plain_word (word) ? g_strdup (word) : g_shell_quote (word);

      if (strpbrk (word, "*?") != NULL)
        return NULL;
      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", quoted);
    }
  if (is_open)
    g_string_append (text, " *");

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* (nullable): a pattern of the first @n_words that allows the command. Caller frees. */
static char *
make_pattern (const BeckonEffects *effects, const BeckonShellSegment *segment, guint n_words, gboolean is_open)
{
  g_autofree char *text = write_pattern (segment, n_words, is_open);
  g_autoptr (BeckonCommandPattern) pattern = text != NULL ? beckon_command_pattern_new (text, NULL) : NULL;

  return pattern != NULL && beckon_command_pattern_allows (pattern, segment, effects->folder) ? g_steal_pointer (&text) : NULL;
}

/* With the network, in another folder: what else the rule of @what would say. NULL if a rule cannot say it. */
static char *
rule_propose_make_label (const char *what, const char *const *reach)
{
  g_autoptr (GString) label = g_string_new (what);

  for (guint i = 0; reach[i] != NULL; i += 2)
    {
      if (strpbrk (reach[i + 1], "*?") != NULL)
        return NULL;
      g_string_append (label, " · ");
      beckon_rule_append_reach (label, reach[i], reach[i + 1]);
    }

  return g_string_free (g_steal_pointer (&label), FALSE);
}

/* (nullable): what is offered for one command: its words as they are, or for a program that only reads, any others. */
static char *
choose_pattern (const BeckonEffects *effects, const BeckonShellSegment *segment, gboolean is_open)
{
  guint n_words = segment->words->len;
  guint n_names = is_open && n_words > 0 ? beckon_command_reader_count_names (segment) : 0;

  if (n_words == 0)
    return NULL;

  return n_names > 0 ? make_pattern (effects, segment, n_names, TRUE) : make_pattern (effects, segment, n_words, FALSE);
}

static gboolean
has_reader (GPtrArray *segments)
{
  for (guint i = 0; i < segments->len; i++)
    {
      const BeckonShellSegment *segment = g_ptr_array_index (segments, i);

      if (segment->words->len > 0 && beckon_command_reader_count_names (segment) > 0)
        return TRUE;
    }

  return FALSE;
}

/* Adds a rule per command, or nothing: a part of a line is no use. */
static void
add_commands (GPtrArray *proposals, const BeckonEffects *effects, GPtrArray *segments, GPtrArray *reaches, gboolean is_open)
{
  g_autoptr (GPtrArray) rules = rules_new ();
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;
  g_autofree char *whole = NULL;
  gboolean is_alike = TRUE;

  for (guint i = 1; i < reaches->len; i++)
    is_alike = is_alike && g_strv_equal (g_ptr_array_index (reaches, 0), g_ptr_array_index (reaches, i));
  for (guint i = 0; i < segments->len; i++)
    {
      const char *const *reach = g_ptr_array_index (reaches, i);
      g_autofree char *pattern = choose_pattern (effects, g_ptr_array_index (segments, i), is_open);
      g_autofree char *label = pattern == NULL ? NULL
                               : is_alike      ? g_strdup (pattern)
                                               : rule_propose_make_label (pattern, reach);

      if (label == NULL)
        return;
      if (g_ptr_array_find_with_equal_func (labels, label, g_str_equal, NULL))
        continue;
      g_ptr_array_add (rules, make_rule (effects, reach, "command", pattern));
      g_ptr_array_add (labels, g_steal_pointer (&label));
    }
  g_ptr_array_add (labels, NULL);
  joined = g_strjoinv (", ", (char **) labels->pdata);
  /* Once where the same holds for all. */
  whole = is_alike && reaches->len > 0 ? rule_propose_make_label (joined, g_ptr_array_index (reaches, 0))
                                       : g_steal_pointer (&joined);
  if (whole != NULL)
    g_ptr_array_add (proposals, beckon_rule_proposal_new (whole, g_steal_pointer (&rules)));
}

static void
propose_commands (GPtrArray *proposals, const BeckonEffects *effects)
{
  g_autoptr (GPtrArray) segments = beckon_shell_parse (effects->command, NULL);
  g_autoptr (GPtrArray) reaches = NULL;

  /* That it leads out of the folder no rule about a command says. */
  if (segments == NULL || segments->len > MAX_COMMANDS || effects->leaves_folder)
    return;

  reaches = beckon_shell_list_reaches (effects, segments);
  add_commands (proposals, effects, segments, reaches, FALSE);
  if (has_reader (segments))
    add_commands (proposals, effects, segments, reaches, TRUE);
}

static void
rule_propose_add_folder (GPtrArray *proposals, const BeckonEffects *effects, const char *folder)
{
  g_autofree char *below = g_strconcat (folder, "/**", NULL);
  /* Translators: %s is a folder */
  g_autofree char *label = beckon_text_printf (_("everything in %s"), folder);

  add_with_tool (proposals, effects, "path", below, label);
}

/* (nullable): the folder that holds all that is touched, where a pattern can say so. Caller frees. */
static char *
dup_common_folder (const BeckonEffects *effects)
{
  g_autofree char *folder = NULL;

  for (guint i = 0; effects->paths[i] != NULL; i++)
    {
      const char *path = effects->paths[i];

      if (!g_path_is_absolute (path) || strpbrk (path, "*?[") != NULL || !g_utf8_validate (path, -1, NULL))
        return NULL;
      if (folder == NULL)
        folder = g_path_get_dirname (path);
      while (!beckon_path_is_within (path, folder))
        {
          char *parent = g_path_get_dirname (folder);

          g_free (folder);
          folder = parent;
        }
    }
  return g_steal_pointer (&folder);
}

/* The person who has files changed one after the other is offered all of them at once. */
static void
propose_paths (GPtrArray *proposals, const BeckonEffects *effects)
{
  const gboolean is_change = beckon_rule_changes_files (effects->tool, effects->server);
  const gboolean is_one = effects->paths[1] == NULL;
  g_autofree char *folder = is_one || is_change ? dup_common_folder (effects) : NULL;

  if (folder == NULL)
    return;
  if (is_one && is_change)
    {
      g_autofree char *label = beckon_text_printf (_("Change %s"), effects->paths[0]);

      add_one (proposals, effects, "path", effects->paths[0], label);
    }
  else if (is_one)
    {
      add_with_tool (proposals, effects, "path", effects->paths[0], effects->paths[0]);
    }
  if (strcmp (folder, "/") == 0 || effects->feeds_others)
    return;
  rule_propose_add_folder (proposals, effects, folder);
  if (is_change && effects->folder != NULL && strcmp (effects->folder, "/") != 0 && strcmp (folder, effects->folder) != 0
      && beckon_path_is_within (folder, effects->folder))
    rule_propose_add_folder (proposals, effects, effects->folder);
}

static void
propose_host (GPtrArray *proposals, const BeckonEffects *effects)
{
  const char *host = effects->hosts[0];
  g_autofree char *label = NULL;

  if (effects->hosts[1] != NULL || strpbrk (host, "*?") != NULL)
    return;
  /* Translators: %s is the name of a computer on the network */
  label = beckon_text_printf (_("everything from %s"), host);
  add_with_tool (proposals, effects, "host", host, label);
}

/* For the model a tool's name begins with its server's; for a person the server stands beside it. */
static char *
describe_calls (const BeckonEffects *effects)
{
  const char *end = effects->server != NULL ? strstr (effects->tool, "__") : NULL;

  g_autofree char *what = beckon_rule_dup_tool (effects->tool);

  if (effects->server == NULL && strcmp (what, effects->tool) != 0)
    return g_steal_pointer (&what);
  if (end == NULL || end[2] == '\0')
    /* Translators: %s is the name of a tool */
    return beckon_text_printf (_("every call of %s"), effects->tool);
  /* Translators: a tool, and the server that offers it: "every call of create_issue on GitHub server" */
  return beckon_text_printf (_("every call of %1$s on %2$s server"), end + 2, effects->server);
}

GPtrArray *
beckon_rule_propose (const BeckonEffects *effects)
{
  GPtrArray *proposals = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_proposal_free);

  g_return_val_if_fail (effects != NULL && effects->tool != NULL, proposals);

  if (effects->command != NULL)
    {
      propose_commands (proposals, effects);
    }
  /* Lasting effects are asked for each time. */
  else if (effects->outlives)
    {
      return proposals;
    }
  else if (effects->paths != NULL && effects->paths[0] != NULL)
    {
      propose_paths (proposals, effects);
    }
  else if (effects->hosts != NULL && effects->hosts[0] != NULL)
    {
      propose_host (proposals, effects);
    }
  else
    {
      g_autofree char *label = describe_calls (effects);

      add_one (proposals, effects, NULL, NULL, label);
    }

  return proposals;
}
