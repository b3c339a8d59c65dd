/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-effort-members.h"

#include "domain/beckon-effort.h"

#include <string.h>

static const char *
get_model (const BeckonOptions *options)
{
  return beckon_profile_get_model (options->profile);
}

static gboolean
effort_members_has_word (const char *model, const char *word)
{
  g_autofree char *name = g_ascii_strdown (model, -1);

  return strstr (name, word) != NULL;
}

/* --- OpenAI, and who took its words over ---------------------------------------------------------------------------- */

/* The values are none, minimal, low, medium, high, xhigh and max, and no model has them all: "none" came with GPT-5.1, "xhigh"
 * after GPT-5.1-Codex-Max (https://learn.microsoft.com/en-us/javascript/api/@azure/ai-projects/reasoningeffort). The open
 * gpt-oss and the models called o1, o3, o4 know low, medium and high alone. */

static gboolean
has_three_levels (const char *model)
{
  return beckon_model_name_is_of (model, "o1") || beckon_model_name_is_of (model, "o3")
         || beckon_model_name_is_of (model, "o4") || beckon_model_name_is_of (model, "gpt-oss");
}

/* By facts about the model, else by its name; 0 where neither says so. */
static guint
get_levels (BeckonProfile *profile)
{
  guint levels = beckon_profile_get_effort_levels (profile);

  if (levels == 0 && has_three_levels (beckon_profile_get_model (profile)))
    return BECKON_EFFORT_LEVEL_LOW | BECKON_EFFORT_LEVEL_MEDIUM | BECKON_EFFORT_LEVEL_HIGH;
  return levels;
}

static const char *
get_least (const char *model)
{
  if (beckon_model_name_get_version (model, "gpt-") == 500)
    return effort_members_has_word (model, "codex") ? "low" : "minimal";
  return "none";
}

/* Gateways and DeepSeek have a "max" of their own: https://openrouter.ai/docs (ChatRequestReasoningEffort),
 * https://api-docs.deepseek.com/guides/thinking_mode. */
static const char *
get_most (BeckonProfile *profile)
{
  const char *model = beckon_profile_get_model (profile);

  if (strstr (beckon_profile_get_base_url (profile), "//openrouter.ai/") != NULL
      || beckon_model_name_is_of (model, "deepseek"))
    return "max";
  return beckon_model_name_get_version (model, "gpt-") >= 502 || effort_members_has_word (model,
                                                                                          "codex-max") ? "xhigh" : "high";
}

/* DeepSeek can do without, though that is none of its levels. */
static gboolean
has_none (BeckonProfile *profile, guint levels)
{
  return (levels & BECKON_EFFORT_LEVEL_NONE) != 0 || beckon_model_name_is_of (beckon_profile_get_model (profile), "deepseek");
}

static const char *
effort_members_get_word (BeckonProfile *profile, BeckonEffort effort)
{
  guint levels = get_levels (profile);

  if (levels != 0 && effort == BECKON_EFFORT_OFF && has_none (profile, levels))
    return "none";
  if (levels != 0)
    return beckon_effort_levels_choose (levels, effort);
  if (effort == BECKON_EFFORT_OFF)
    return get_least (beckon_profile_get_model (profile));
  return effort == BECKON_EFFORT_MAX ? get_most (profile) : beckon_effort_to_string (effort);
}

/* --- What has levels ------------------------------------------------------------------------------------------------ */

typedef struct
{
  const char *before; /* the version */
  guint first;        /* the version from which on there are levels */
} Family;

/* Older models, gpt-4 and claude-3-5, do not reason; "sonnet-4" says nothing of Claude's own count. */
static const Family families[] = {
  { "gpt-", 500 },
  { "claude-", 307 },
  { "gemini-", 205 },
};

gboolean
beckon_effort_is_settable (BeckonProfile *profile)
{
  const char *model;

  g_return_val_if_fail (BECKON_IS_PROFILE (profile), FALSE);

  model = beckon_profile_get_model (profile);
  if (beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      guint version = beckon_model_name_get_version (model, families[i].before);

      if (version > 0 && version < families[i].first)
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_silent (const BeckonOptions *options, BeckonEffort effort)
{
  return effort == BECKON_EFFORT_DEFAULT || !beckon_effort_is_settable (options->profile);
}

static void
write_word (BeckonOptions *options, const char *name, const char *word)
{
  if (!beckon_options_replaces (options, name))
    beckon_json_writer_member_string (options->writer, name, word);
}

/* {"type": TYPE}, as Anthropic wrote it first. */
static void
write_type (BeckonOptions *options, const char *type)
{
  if (beckon_options_replaces (options, "thinking"))
    return;
  beckon_json_writer_name (options->writer, "thinking");
  beckon_json_writer_begin_object (options->writer);
  beckon_json_writer_member_string (options->writer, "type", type);
  beckon_json_writer_end_object (options->writer);
}

/* --- Chat completions ----------------------------------------------------------------------------------------------- */

/* Thinking is on or off: https://docs.z.ai/guides/capabilities/thinking-mode, https://platform.moonshot.ai/docs. */
static gboolean
has_switch (const char *base_url)
{
  static const char *const hosts[] = { "//api.z.ai/", "//open.bigmodel.cn/", "//api.moonshot.ai/", "//api.moonshot.cn/" };

  for (guint i = 0; i < G_N_ELEMENTS (hosts); i++)
    {
      if (strstr (base_url, hosts[i]) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* "none" and "high", and more from Large 4 on: https://docs.mistral.ai/capabilities/reasoning/adjustable. */
static gboolean
is_mistral (const char *base_url, const char *model)
{
  return strstr (base_url, "//api.mistral.ai/") != NULL && !beckon_model_name_is_of (model, "mistral-large");
}

void
beckon_effort_write_chat (BeckonOptions *options, BeckonEffort effort)
{
  const char *base_url = beckon_profile_get_base_url (options->profile);
  gboolean is_off = effort == BECKON_EFFORT_OFF;

  if (is_silent (options, effort))
    return;
  if (has_switch (base_url))
    write_type (options, is_off ? "disabled" : "enabled");
  else if (is_off && beckon_model_name_is_of (get_model (options), "deepseek")
           && strstr (base_url, "//openrouter.ai/") == NULL)
    write_type (options, "disabled");
  else if (is_mistral (base_url, get_model (options)) && get_levels (options->profile) == 0)
    write_word (options, "reasoning_effort", is_off ? "none" : "high");
  else
    write_word (options, "reasoning_effort", effort_members_get_word (options->profile, effort));
}

/* --- Responses ------------------------------------------------------------------------------------------------------ */

/* Reasoning comes as a summary, and only if it is asked for:
 * https://platform.openai.com/docs/guides/reasoning#reasoning-summaries. */
void
beckon_effort_write_responses (BeckonOptions *options, BeckonEffort effort)
{
  if (is_silent (options, effort))
    return;
  if (beckon_options_replaces_object (options, "reasoning"))
    return;
  beckon_options_begin_object (options, "reasoning");
  write_word (options, "effort", effort_members_get_word (options->profile, effort));
  if (effort != BECKON_EFFORT_OFF)
    write_word (options, "summary", "auto");
  beckon_options_end_object (options);
}

/* --- Ollama --------------------------------------------------------------------------------------------------------- */

/* False, or a level, which a model that has none takes for true: https://docs.ollama.com/capabilities/thinking. */
void
beckon_effort_write_ollama (BeckonOptions *options, BeckonEffort effort)
{
  if (is_silent (options, effort) || beckon_options_replaces (options, "think"))
    return;
  if (effort == BECKON_EFFORT_OFF)
    beckon_json_writer_member_boolean (options->writer, "think", FALSE);
  else
    beckon_json_writer_member_string (options->writer, "think",
                                      effort == BECKON_EFFORT_MAX ? "high" : beckon_effort_to_string (effort));
}

/* --- Anthropic ------------------------------------------------------------------------------------------------------ */

/* Claude up to 4.5 has a budget; from 4.6 on it decides itself how much to think, by its effort, and from 4.7 on refuses a
 * budget (https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking). What it thought is then empty unless a
 * summary is asked for. From 5 on it thinks unless it is told not to, which Opus 5.5, Fable and Mythos refuse and Sonnet 5.5
 * has another word for (https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5). */

#define BUDGET_MIN 1024

typedef struct
{
  guint opus, sonnet, haiku;
  gboolean always_thinks; /* Fable, Mythos */
  gboolean is_third;      /* whose number stands before the name */
  gboolean is_claude;
} Claude;

static Claude
read_claude (const char *model)
{
  return (Claude){
    .opus = beckon_model_name_get_version (model, "opus-"),
    .sonnet = beckon_model_name_get_version (model, "sonnet-"),
    .haiku = beckon_model_name_get_version (model, "haiku-"),
    .always_thinks = effort_members_has_word (model, "claude-fable") || effort_members_has_word (model, "claude-mythos"),
    .is_third = beckon_model_name_get_version (model, "claude-") > 0,
    .is_claude = effort_members_has_word (model, "claude"),
  };
}

/* Models without a version count as new. */
static gboolean
is_adaptive (const Claude *claude)
{
  gboolean has_version = claude->opus + claude->sonnet + claude->haiku > 0;

  return claude->opus >= 406 || claude->sonnet >= 406 || claude->haiku >= 500 || (!has_version && !claude->is_third);
}

static void
write_output_effort (BeckonOptions *options, const char *effort)
{
  if (beckon_options_replaces_object (options, "output_config"))
    return;
  beckon_options_begin_object (options, "output_config");
  write_word (options, "effort", effort);
  beckon_options_end_object (options);
}

static void
write_adaptive (BeckonOptions *options, const char *effort)
{
  if (!beckon_options_replaces (options, "thinking"))
    {
      beckon_json_writer_name (options->writer, "thinking");
      beckon_json_writer_begin_object (options->writer);
      beckon_json_writer_member_string (options->writer, "type", "adaptive");
      beckon_json_writer_member_string (options->writer, "display", "summarized");
      beckon_json_writer_end_object (options->writer);
    }
  write_output_effort (options, effort);
}

/* Room is left for the answer. */
static BeckonAnthropicThinking
write_budget (BeckonOptions *options, BeckonEffort effort, gint64 max_tokens)
{
  static const gint64 budgets[] = {
    [BECKON_EFFORT_LOW] = 4096, [BECKON_EFFORT_MEDIUM] = 10000, [BECKON_EFFORT_HIGH] = 20000, [BECKON_EFFORT_MAX] = G_MAXINT32,
  };
  gint64 budget = MIN (budgets[effort], max_tokens - max_tokens / 4);

  if (budget < BUDGET_MIN)
    return BECKON_ANTHROPIC_THINKING_OFF;
  beckon_json_writer_name (options->writer, "thinking");
  beckon_json_writer_begin_object (options->writer);
  beckon_json_writer_member_string (options->writer, "type", "enabled");
  beckon_json_writer_member_int (options->writer, "budget_tokens", budget);
  beckon_json_writer_end_object (options->writer);
  return BECKON_ANTHROPIC_THINKING_ON;
}

static BeckonAnthropicThinking
write_claude_off (BeckonOptions *options, const Claude *claude)
{
  if (claude->always_thinks || claude->opus >= 505)
    {
      write_adaptive (options, "low");
      return BECKON_ANTHROPIC_THINKING_ON;
    }
  if (claude->sonnet >= 505)
    write_type (options, "between_tools");
  else if (claude->opus >= 500 || claude->sonnet >= 500 || claude->haiku >= 500)
    write_type (options, "disabled");
  return claude->sonnet >= 505 ? BECKON_ANTHROPIC_THINKING_OWN : BECKON_ANTHROPIC_THINKING_OFF;
}

/* Before 5 it does not think unless it is asked to. */
static BeckonAnthropicThinking
leave_to_claude (const Claude *claude)
{
  gboolean is_before = MAX (claude->opus, MAX (claude->sonnet, claude->haiku)) < 500;

  return is_before && (claude->is_third || claude->opus + claude->sonnet + claude->haiku > 0) ? BECKON_ANTHROPIC_THINKING_OFF
                                                                                              : BECKON_ANTHROPIC_THINKING_OWN;
}

static const char *
get_claude_word (BeckonProfile *profile, BeckonEffort effort)
{
  guint levels = get_levels (profile);

  return levels != 0 ? beckon_effort_levels_choose (levels, effort) : beckon_effort_to_string (effort);
}

static BeckonAnthropicThinking
write_claude (BeckonOptions *options, const Claude *claude, BeckonEffort effort, gint64 max_tokens, gboolean may_think)
{
  if (is_silent (options, effort))
    return leave_to_claude (claude);
  if (effort == BECKON_EFFORT_OFF)
    return write_claude_off (options, claude);
  if (is_adaptive (claude))
    {
      write_adaptive (options, get_claude_word (options->profile, effort));
      return BECKON_ANTHROPIC_THINKING_ON;
    }
  return may_think ? write_budget (options, effort, max_tokens) : BECKON_ANTHROPIC_THINKING_OFF;
}

/* Others took the protocol over before there was an effort, DeepSeek after. */
static BeckonAnthropicThinking
write_other (BeckonOptions *options, BeckonEffort effort, gint64 max_tokens, gboolean may_think)
{
  if (is_silent (options, effort))
    return BECKON_ANTHROPIC_THINKING_OWN;
  if (effort == BECKON_EFFORT_OFF)
    {
      write_type (options, "disabled");
      return BECKON_ANTHROPIC_THINKING_OFF;
    }
  if (beckon_model_name_is_of (get_model (options), "deepseek"))
    {
      write_type (options, "enabled");
      write_output_effort (options, beckon_effort_to_string (effort));
      return BECKON_ANTHROPIC_THINKING_ON;
    }
  return may_think ? write_budget (options, effort, max_tokens) : BECKON_ANTHROPIC_THINKING_OFF;
}

BeckonAnthropicThinking
beckon_effort_write_anthropic (BeckonOptions *options, BeckonEffort effort, gint64 max_tokens, gboolean may_think)
{
  Claude claude = read_claude (get_model (options));
  gboolean is_replaced = beckon_options_replaces (options, "thinking");
  BeckonAnthropicThinking thinking;

  if (is_replaced)
    may_think = FALSE;
  thinking = claude.is_claude ? write_claude (options, &claude, effort, max_tokens, may_think)
                              : write_other (options, effort, max_tokens, may_think);
  return is_replaced && thinking == BECKON_ANTHROPIC_THINKING_OFF ? BECKON_ANTHROPIC_THINKING_OWN : thinking;
}

/* --- Gemini --------------------------------------------------------------------------------------------------------- */

/* A budget in 2.5, of which Pro always thinks a little; a level from 3 on, where no model can do without and Pro lacks some:
 * https://ai.google.dev/gemini-api/docs/thinking. The budgets are those that Google's own translation of OpenAI's levels has
 * (https://ai.google.dev/gemini-api/docs/openai#thinking). Models that do not think refuse to be asked for their thoughts. */

static gboolean
is_third (const char *model)
{
  guint version = beckon_model_name_get_version (model, "gemini-");

  return version >= 300 || (version == 0 && beckon_model_name_is_of (model, "gemini-"));
}

static const char *
get_level (BeckonProfile *profile, BeckonEffort effort)
{
  const char *model = beckon_profile_get_model (profile);
  guint levels = get_levels (profile);
  gboolean is_pro = effort_members_has_word (model, "-pro");

  if (levels != 0)
    return beckon_effort_levels_choose (levels, effort);
  if (effort == BECKON_EFFORT_OFF)
    return is_pro ? "low" : "minimal";
  if (effort == BECKON_EFFORT_MEDIUM && is_pro && beckon_model_name_get_version (model, "gemini-") == 300)
    return "high";
  return effort == BECKON_EFFORT_MAX ? "high" : beckon_effort_to_string (effort);
}

static gint64
get_budget (const char *model, BeckonEffort effort)
{
  static const gint64 budgets[] = {
    [BECKON_EFFORT_LOW] = 1024, [BECKON_EFFORT_MEDIUM] = 8192, [BECKON_EFFORT_HIGH] = 24576, [BECKON_EFFORT_MAX] = 24576,
  };

  if (!effort_members_has_word (model, "-pro"))
    return budgets[effort];
  return effort == BECKON_EFFORT_OFF ? 128 : effort == BECKON_EFFORT_MAX ? 32768 : budgets[effort];
}

static gboolean
thinks (const char *model)
{
  return beckon_model_name_get_version (model, "gemini-") >= 205;
}

static gboolean
has_level (BeckonProfile *profile, BeckonEffort effort)
{
  const char *model = beckon_profile_get_model (profile);

  return effort != BECKON_EFFORT_DEFAULT && beckon_effort_is_settable (profile) && beckon_model_name_is_of (model, "gemini-");
}

gboolean
beckon_effort_has_gemini (BeckonProfile *profile, BeckonEffort effort)
{
  return thinks (beckon_profile_get_model (profile)) || has_level (profile, effort);
}

void
beckon_effort_write_gemini (BeckonOptions *options, BeckonEffort effort)
{
  const char *model = get_model (options);
  gboolean is_told = has_level (options->profile, effort);

  if (!beckon_effort_has_gemini (options->profile, effort) || beckon_options_replaces (options, "thinkingConfig"))
    return;
  beckon_json_writer_name (options->writer, "thinkingConfig");
  beckon_json_writer_begin_object (options->writer);
  if (!is_told || effort != BECKON_EFFORT_OFF)
    beckon_json_writer_member_boolean (options->writer, "includeThoughts", TRUE);
  if (is_told && is_third (model))
    beckon_json_writer_member_string (options->writer, "thinkingLevel", get_level (options->profile, effort));
  else if (is_told)
    beckon_json_writer_member_int (options->writer, "thinkingBudget", get_budget (model, effort));
  beckon_json_writer_end_object (options->writer);
}

/* --- What is offered ------------------------------------------------------------------------------------------------ */

/* Models whose levels are known may be told not to reason, though that is no level of theirs. */
static gboolean
can_be_off (BeckonProfile *profile, guint levels)
{
  const char *model = beckon_profile_get_model (profile);
  Claude claude = read_claude (model);

  if ((levels & (BECKON_EFFORT_LEVEL_NONE | BECKON_EFFORT_LEVEL_MINIMAL)) != 0 || has_none (profile, levels))
    return TRUE;
  switch (beckon_profile_get_kind (profile))
    {
    case BECKON_PROFILE_ANTHROPIC:
      return !claude.always_thinks && claude.opus < 505;
    case BECKON_PROFILE_CHAT:
      return has_switch (beckon_profile_get_base_url (profile));
    case BECKON_PROFILE_OLLAMA:
      return !has_three_levels (model);
    case BECKON_PROFILE_TOUR:
    case BECKON_PROFILE_RESPONSES:
    case BECKON_PROFILE_GEMINI:
    default:
      return FALSE;
    }
}

gboolean
beckon_effort_is_offered (BeckonProfile *profile, BeckonEffort effort)
{
  static const guint own[] = {
    [BECKON_EFFORT_LOW] = BECKON_EFFORT_LEVEL_LOW,
    [BECKON_EFFORT_MEDIUM] = BECKON_EFFORT_LEVEL_MEDIUM,
    [BECKON_EFFORT_HIGH] = BECKON_EFFORT_LEVEL_HIGH,
    [BECKON_EFFORT_MAX] = BECKON_EFFORT_LEVEL_XHIGH | BECKON_EFFORT_LEVEL_MAX,
  };
  guint levels;

  g_return_val_if_fail (BECKON_IS_PROFILE (profile), FALSE);
  g_return_val_if_fail ((guint) effort < BECKON_EFFORT_N_EFFORTS, FALSE);

  levels = get_levels (profile);
  if (effort == BECKON_EFFORT_DEFAULT)
    return TRUE;
  if (!beckon_effort_is_settable (profile))
    return FALSE;
  if (levels == 0)
    return TRUE;
  return effort == BECKON_EFFORT_OFF ? can_be_off (profile, levels) : (levels & own[effort]) != 0;
}

gboolean
beckon_model_name_is_of (const char *model, const char *family)
{
  gsize length;

  g_return_val_if_fail (model != NULL && family != NULL, FALSE);

  length = strlen (family);
  for (const char *word = model; word != NULL; word = strchr (word, '/'))
    {
      if (*word == '/')
        word++;
      if (g_ascii_strncasecmp (word, family, length) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Reads one or two digits; -1 if none. */
static int
model_name_read_number (const char **at)
{
  const char *digit = *at;
  int number = 0;

  for (; g_ascii_isdigit (*digit); digit++)
    number = MIN (number * 10 + (*digit - '0'), 1000);
  if (digit == *at || digit - *at > 2)
    return -1;
  *at = digit;
  return number;
}

guint
beckon_model_name_get_version (const char *model, const char *before)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (model != NULL && before != NULL, 0);

  name = g_ascii_strdown (model, -1);
  for (const char *found = strstr (name, before); found != NULL; found = strstr (found + 1, before))
    {
      const char *at = found + strlen (before);
      int major = model_name_read_number (&at);
      int minor = 0;

      if (major < 0)
        continue;
      if (*at == '.' || *at == '-')
        {
          at++;
          minor = model_name_read_number (&at);
        }
      return (guint) major * 100 + (guint) MAX (minor, 0);
    }
  return 0;
}
