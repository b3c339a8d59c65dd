/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-prompt-prefix.h"

#include "beckon-compaction.h"
#include "beckon-context.h"
#include "beckon-history.h"
#include "beckon-landing-report.h"
#include "beckon-prompt-facts.h"
#include "beckon-prompt-tools.h"
#include "beckon-sent-files.h"
#include "beckon-system-prompt.h"
#include "domain/beckon-message.h"
#include "domain/beckon-note.h"
#include "domain/beckon-opaque.h"
#include "domain/beckon-tool-names.h"
#include "llm/beckon-codec.h"
#include "tools/beckon-command.h"

#include <string.h>

#define HASH_BEGIN G_GUINT64_CONSTANT (0xcbf29ce484222325)
#define HASH_FACTOR G_GUINT64_CONSTANT (0x100000001b3)

static void
hash_bytes (guint64 *hash, const void *data, gsize length)
{
  const guchar *bytes = data;

  for (gsize i = 0; i < length; i++)
    *hash = (*hash ^ bytes[i]) * HASH_FACTOR;
}

static void
hash_number (guint64 *hash, guint64 number)
{
  hash_bytes (hash, &number, sizeof number);
}

static void
hash_string (guint64 *hash, const char *text)
{
  hash_number (hash, text != NULL ? strlen (text) : G_MAXUINT64);
  if (text != NULL)
    hash_bytes (hash, text, strlen (text));
}

static void
hash_call (guint64 *hash, BeckonToolCall *call)
{
  hash_string (hash, beckon_tool_call_get_provider_id (call));
  hash_string (hash, beckon_tool_call_get_name (call));
  hash_string (hash, beckon_tool_call_get_effective_arguments (call));
  hash_string (hash, beckon_tool_call_get_result (call));
  hash_number (hash, (guint64) beckon_tool_call_get_is_error (call));
  for (guint i = 0; i < beckon_tool_call_get_n_images (call); i++)
    hash_number (hash, beckon_part_get_length (beckon_tool_call_get_image (call, i)));
}

/* Pictures and files count by their size alone: nothing changes one. */
static void
hash_part (guint64 *hash, BeckonPart *part)
{
  hash_number (hash, (guint64) beckon_part_get_kind (part));
  hash_number (hash, beckon_part_get_length (part));
  if (beckon_part_get_call (part) != NULL)
    hash_call (hash, beckon_part_get_call (part));
  else if (beckon_part_get_kind (part) != BECKON_PART_IMAGE)
    hash_bytes (hash, beckon_part_get_text (part), beckon_part_get_length (part));
  if (beckon_part_get_file (part) != NULL)
    hash_number (hash, g_bytes_get_size (beckon_part_get_file (part)));
}

/* A hash of what the first @n of the @messages of a request say. The same in every process. Pure. */
static guint64
prompt_hash (GPtrArray *messages, guint n)
{
  guint64 hash = HASH_BEGIN;

  for (guint i = 0; i < n; i++)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i);

      hash_number (&hash, (guint64) beckon_message_get_role (message));
      for (guint part = 0; part < beckon_message_get_n_parts (message); part++)
        hash_part (&hash, beckon_message_get_part (message, part));
    }
  return hash;
}

/* The last message may be joined with the next one, and the pictures of its results may go. */
static guint
prompt_hash_count_final (GPtrArray *messages)
{
  for (guint i = messages->len; i > 0; i--)
    if (beckon_message_get_role (g_ptr_array_index (messages, i - 1)) == BECKON_ROLE_USER)
      return i - 1;
  return 0;
}

/* These break the prefix: a new or changed tool cannot be called unless it is defined; a tool that only a person can use must
 * not be offered while there is none or they switched it off; changed words of the system prompt have to replace those before;
 * a search of the provider's own would be made whatever the model is told of it; a summary and shortened results are there to
 * send less. A change of an earlier message is found by a hash of what the last request sent. With
 * another effort the bytes are the same, but Anthropic reads the messages anew:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching. */

/* Results are cut all at once, but for those that the model is still at work on. They are cut instead of summarized if that
 * leaves so much room that it is long until the next time: each time the provider reads all of it anew. */
#define KEEP_SHARE 0.1
#define WIDE_SHARE 0.33

/* Calls that are named when the user undid them; more are counted. */
#define MOST_UNDONE 20

struct _BeckonPromptPrefix
{
  BeckonAgentParts parts;           /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  gboolean has_person;
  BeckonRun *run;

  BeckonPrefixes *stored;   /* (owned) */
  BeckonPrefix *current;    /* (nullable): what this request begins with; one of those */
  gboolean is_changed;      /* it is not stored yet */
  gint64 budget;            /* tokens that its requests may have */
  GPtrArray *offered;       /* (owned) (nullable) (element-type BeckonToolDefinition): its tools */
  BeckonPromptFacts *facts; /* (owned) (nullable): what holds now */
  char *folder_instructions; /* (owned) (nullable) */
  char *skills;              /* (owned) (nullable) */
  char *notes;               /* (owned) (nullable) */
  char *surroundings;        /* (owned) (nullable) */
  char *extras;              /* (owned) (nullable) */
  char *before_refusal;     /* (owned) (nullable): the facts before anything was left out, until the server accepts that */
  gboolean left_newest;     /* since then the newest pictures are left out */
  char *told_id;            /* (owned) (nullable): the message behind which something new is told, not stored yet */
};

BeckonPromptPrefix *
beckon_prompt_prefix_new (const BeckonAgentParts *parts, BeckonConversation *conversation, gboolean has_person,
                          BeckonPrefixes *stored, BeckonRun *run)
{
  BeckonPromptPrefix *prefix = g_new0 (BeckonPromptPrefix, 1);

  beckon_agent_parts_init (&prefix->parts, parts);
  prefix->conversation = g_object_ref (conversation);
  prefix->has_person = has_person;
  prefix->stored = stored;
  prefix->run = run;
  return prefix;
}

void
beckon_prompt_prefix_free (BeckonPromptPrefix *prefix)
{
  beckon_agent_parts_clear (&prefix->parts);
  g_object_unref (prefix->conversation);
  beckon_prefixes_free (prefix->stored);
  g_clear_pointer (&prefix->offered, g_ptr_array_unref);
  g_clear_pointer (&prefix->facts, beckon_prompt_facts_free);
  g_free (prefix->before_refusal);
  g_free (prefix->told_id);
  g_free (prefix->folder_instructions);
  g_free (prefix->skills);
  g_free (prefix->notes);
  g_free (prefix->surroundings);
  g_free (prefix->extras);
  g_free (prefix);
}

void
beckon_prompt_prefix_set_extras (BeckonPromptPrefix *prefix, const char *instructions, const char *skills, const char *extras)
{
  g_free (prefix->folder_instructions);
  prefix->folder_instructions = g_strdup (instructions);
  g_free (prefix->skills);
  prefix->skills = g_strdup (skills);
  g_free (prefix->extras);
  prefix->extras = g_strdup (extras);
}

gboolean
beckon_prompt_prefix_knows (BeckonPromptPrefix *prefix, BeckonProfile *profile)
{
  return g_hash_table_contains (prefix->stored->by_profile, beckon_profile_get_id (profile));
}

/* --- What there is now --------------------------------------------------------------------------------------------- */

static gint64
get_now (BeckonPromptPrefix *prefix)
{
  return beckon_clock_get_real_time (prefix->parts.clock);
}

static gint64
get_last_seq (BeckonPromptPrefix *prefix)
{
  return beckon_conversation_get_next_seq (prefix->conversation) - 1;
}

/* (nullable) (transfer full) */
static char *
quote_servers (BeckonPromptPrefix *prefix)
{
  return beckon_server_instructions_quote (beckon_tool_registry_get_instructions (prefix->parts.tools),
                                           beckon_conversation_get_folder (prefix->conversation));
}

static const char *
describe_mode (BeckonPromptPrefix *prefix)
{
  return beckon_system_prompt_describe_mode (beckon_conversation_get_mode (prefix->conversation), prefix->has_person,
                                             beckon_conversation_get_folder (prefix->conversation) != NULL);
}

/* @with_facts: %FALSE for the words alone, which do not change by themselves. */
static char *
compose (BeckonPromptPrefix *prefix, BeckonProfile *profile, GPtrArray *tools, gboolean with_facts)
{
  BeckonSettings *settings = prefix->parts.settings;
  g_autofree char *instructions = beckon_settings_dup_instructions (settings);
  g_autofree char *servers = quote_servers (prefix);
  g_autoptr (GVariant) words = beckon_settings_dup_prompt_parts (settings);
  const BeckonPromptContext context = {
    .words = words,
    .may_ask = prefix->has_person && beckon_settings_get_enable_ask_user (settings),
    .may_plan = beckon_prompt_tools_have (tools, "propose_plan"),
    .now = with_facts ? get_now (prefix) : 0,
    .surroundings = with_facts ? prefix->surroundings : NULL,
    .mode = with_facts ? describe_mode (prefix) : NULL,
    .folder = with_facts ? beckon_conversation_get_folder (prefix->conversation) : NULL,
    .instructions = with_facts ? instructions : NULL,
    .folder_instructions = with_facts ? prefix->folder_instructions : NULL,
    .skills = with_facts ? prefix->skills : NULL,
    .server_instructions = with_facts ? servers : NULL,
    .notes = with_facts && beckon_prompt_tools_have (tools, "recall") ? prefix->notes : NULL,
    .profile = with_facts ? profile : NULL,
  };

  return beckon_system_prompt_compose (&context);
}

static BeckonPromptFacts *
list_facts (BeckonPromptPrefix *prefix, BeckonProfile *profile, GPtrArray *tools, const char *missing)
{
  BeckonPromptFacts *facts = beckon_prompt_facts_new (NULL);
  g_autofree char *date = beckon_system_prompt_dup_date (get_now (prefix), NULL);
  g_autofree char *instructions = beckon_settings_dup_instructions (prefix->parts.settings);
  g_autofree char *servers = quote_servers (prefix);
  g_autofree char *words = compose (prefix, profile, tools, FALSE);
  g_autofree char *checksum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, words, -1);

  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_DATE, date);
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_SURROUNDINGS, prefix->surroundings);
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_MODE, describe_mode (prefix));
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_FOLDER, beckon_conversation_get_folder (prefix->conversation));
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_INSTRUCTIONS, instructions);
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_MODEL_INSTRUCTIONS, beckon_profile_get_system_prompt (profile));
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_FOLDER_INSTRUCTIONS, prefix->folder_instructions);
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_SKILLS, prefix->skills);
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_SERVERS, servers);
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_MISSING, missing);
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_PROMPT, checksum);
  return facts;
}

static BeckonPromptFacts *
read_facts (BeckonPromptPrefix *prefix)
{
  return beckon_prompt_facts_new (prefix->current->facts);
}

static void
write_facts (BeckonPromptPrefix *prefix, BeckonPromptFacts *facts)
{
  g_free (prefix->current->facts);
  prefix->current->facts = beckon_prompt_facts_print (facts);
}

/* --- Breaking it --------------------------------------------------------------------------------------------------- */

static void
mark_changed (BeckonPrefix *current, const char *reason)
{
  current->number++;
  g_free (current->reason);
  current->reason = g_strdup (reason);
}

/* The reason is stored with the request. Where thinking blocks are bound to what stands before them, earlier ones are no longer
 * sent. */
static void
break_off (BeckonPromptPrefix *prefix, const char *reason)
{
  BeckonPrefix *current = prefix->current;

  mark_changed (current, reason);
  current->n_sent = 0;
  current->most_of_a_result = (gint64) beckon_context_get_most_of_a_result (prefix->budget);
  current->bare_through = current->is_bound ? get_last_seq (prefix) : MIN (current->bare_through, get_last_seq (prefix));
  prefix->is_changed = TRUE;
}

/* Cutting may go on several times before a request fits. */
static gboolean
was_just_said (BeckonPromptPrefix *prefix, const char *reason)
{
  guint n = beckon_conversation_get_n_messages (prefix->conversation);
  BeckonMessage *last = n > 0 ? beckon_conversation_get_message (prefix->conversation, n - 1) : NULL;
  g_auto (BeckonNote) note = { 0 };

  return last != NULL && beckon_note_get_kind (last) == BECKON_NOTE_PREFIX
         && beckon_note_read (beckon_message_get_part (last, 0), &note) && g_str_equal (note.reason, reason);
}

/* Changes of the history, the effort and the profile have no words, because the person made them there; summaries and refusals
 * have notes of their own. */
static void
prompt_prefix_say (BeckonPromptPrefix *prefix, const char *reason)
{
  g_autoptr (BeckonMessage) note = NULL;

  if (!beckon_note_has_words_for (reason) || was_just_said (prefix, reason))
    return;
  note = beckon_note_new_prefix (reason, get_now (prefix));
  beckon_run_add_note (prefix->run, note);
}

static gint64
find_last_used (BeckonPromptPrefix *prefix, BeckonPrefix **last)
{
  GHashTableIter iter;
  gpointer stored;
  gint64 used = 0;

  *last = NULL;
  g_hash_table_iter_init (&iter, prefix->stored->by_profile);
  while (g_hash_table_iter_next (&iter, NULL, &stored))
    if (((BeckonPrefix *) stored)->used > used)
      {
        *last = stored;
        used = (*last)->used;
      }
  return used;
}

void
beckon_prompt_prefix_set_beginning (BeckonPromptPrefix *prefix, const char *notes, const char *surroundings)
{
  g_autoptr (BeckonPromptFacts) facts = NULL;
  BeckonPrefix *last;

  g_free (prefix->notes);
  prefix->notes = g_strdup (notes);
  find_last_used (prefix, &last);
  facts = beckon_prompt_facts_new (last != NULL ? last->facts : NULL);
  g_free (prefix->surroundings);
  prefix->surroundings
    = g_strdup (surroundings != NULL ? surroundings : beckon_prompt_facts_get (facts, BECKON_PROMPT_FACT_SURROUNDINGS));
}

static gboolean
was_another_asked (BeckonPromptPrefix *prefix)
{
  BeckonPrefix *last;

  find_last_used (prefix, &last);
  return last != NULL && last != prefix->current;
}

/* Whether there are searches or their citations from the @first message on, those aside that are left out already. */
static gboolean
has_searches (BeckonPromptPrefix *prefix, guint first)
{
  g_autoptr (GPtrArray) messages = beckon_context_list (prefix->conversation);

  for (guint i = first < messages->len ? first : 0; i < messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i);

      if (beckon_message_get_seq (message) <= prefix->current->bare_through)
        continue;
      for (guint k = 0; k < beckon_message_get_n_parts (message); k++)
        if (beckon_opaque_is_bound_to_search (message, k))
          return TRUE;
    }
  return FALSE;
}

/* Cuts of earlier messages have no meaning for the ones that have their places now. */
void
beckon_prompt_prefix_begin_history (BeckonPromptPrefix *prefix)
{
  prefix->current->cut_through = -1;
  break_off (prefix, BECKON_PREFIX_HISTORY);
  if (was_another_asked (prefix) && has_searches (prefix, 0))
    prefix->current->bare_through = get_last_seq (prefix);
}

gboolean
beckon_prompt_prefix_cut (BeckonPromptPrefix *prefix, GPtrArray *messages, gboolean wide, gint64 room, gint64 budget)
{
  BeckonPrefix *current = prefix->current;
  guint n = beckon_compaction_choose (messages, (gint64) (KEEP_SHARE * (double) room));
  gint64 saved = beckon_context_count_cut (messages, n, current->cut_through);
  gboolean is_wide = beckon_tokens_of_messages (messages) - saved <= (gint64) (WIDE_SHARE * (double) room);
  gboolean is_less = saved > 0 || current->most_of_a_result == 0
                     || current->most_of_a_result > (gint64) beckon_context_get_most_of_a_result (budget);

  if (wide ? !is_wide : !is_less)
    return FALSE;
  if (n > 0)
    current->cut_through = MAX (beckon_message_get_seq (g_ptr_array_index (messages, n - 1)), current->cut_through);
  prefix->budget = budget;
  break_off (prefix, BECKON_PREFIX_RESULTS);
  prompt_prefix_say (prefix, BECKON_PREFIX_RESULTS);
  return TRUE;
}

gboolean
beckon_prompt_prefix_refuses_files (BeckonPromptPrefix *prefix, BeckonProfile *profile)
{
  g_autoptr (BeckonPromptFacts) facts = read_facts (prefix);

  return beckon_prompt_facts_refuses_files (facts, profile);
}

void
beckon_prompt_prefix_refuse_files (BeckonPromptPrefix *prefix, BeckonProfile *profile)
{
  g_autoptr (BeckonMessage) note = beckon_note_new_files (beckon_profile_get_model (profile), get_now (prefix));
  g_autoptr (BeckonPromptFacts) facts = read_facts (prefix);

  beckon_run_add_note (prefix->run, note);
  if (prefix->before_refusal == NULL)
    prefix->before_refusal = g_strdup (prefix->current->facts);
  beckon_prompt_facts_refuse_files (facts, profile);
  write_facts (prefix, facts);
  break_off (prefix, BECKON_PREFIX_FILES);
}

gboolean
beckon_prompt_prefix_refuse_thinking (BeckonPromptPrefix *prefix, BeckonProfile *profile)
{
  g_autoptr (BeckonMessage) note = NULL;

  if (prefix->current->bare_through >= get_last_seq (prefix))
    return FALSE;
  note = beckon_note_new_thinking (beckon_profile_get_model (profile), get_now (prefix));
  beckon_run_add_note (prefix->run, note);
  prefix->current->is_bound = TRUE;
  break_off (prefix, BECKON_PREFIX_THINKING);
  return TRUE;
}

const char *
beckon_prompt_prefix_find_name (BeckonPromptPrefix *prefix, const char *name)
{
  const BeckonToolDefinition *tool = beckon_tool_names_find_meant (prefix->offered, name);

  return tool != NULL ? tool->name : NULL;
}

char *
beckon_prompt_prefix_refuse_name (BeckonPromptPrefix *prefix, const char *name)
{
  return beckon_tool_names_refuse (prefix->offered, name);
}

/* --- What a server refuses ----------------------------------------------------------------------------------------- */

static void
note_refusal (BeckonPromptPrefix *prefix, BeckonProfile *profile, const char *tool, const char *reason)
{
  g_autoptr (BeckonMessage) note
    = beckon_note_new_refused (beckon_profile_get_model (profile), tool, reason, get_now (prefix));

  beckon_run_add_note (prefix->run, note);
  break_off (prefix, BECKON_PREFIX_REFUSED);
}

static void
set_refused (BeckonPromptPrefix *prefix, const char *name, const char *value)
{
  g_autoptr (BeckonPromptFacts) facts = read_facts (prefix);

  if (prefix->before_refusal == NULL)
    prefix->before_refusal = g_strdup (prefix->current->facts);
  beckon_prompt_facts_set (facts, name, value);
  write_facts (prefix, facts);
}

static GStrv
split_fact (BeckonPromptPrefix *prefix, const char *name)
{
  g_autoptr (BeckonPromptFacts) facts = read_facts (prefix);

  return g_strsplit (beckon_prompt_facts_get (facts, name), " ", -1);
}

gboolean
beckon_prompt_prefix_leave_out_pictures (BeckonPromptPrefix *prefix, BeckonProfile *profile, const char *reason)
{
  g_auto (GStrv) known = split_fact (prefix, BECKON_PROMPT_FACT_PICTURES);
  g_autoptr (GPtrArray) messages = beckon_context_list (prefix->conversation);
  g_autoptr (GString) ids = NULL;
  guint n = 0;
  BeckonModelFacts facts;

  beckon_profile_get_facts (profile, &facts);
  ids = g_string_new (NULL);
  for (guint i = messages->len; i > 0 && facts.images != 0 && (n == 0 || prefix->left_newest); i--)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i - 1);
      const char *id = beckon_message_get_id (message);

      if (!beckon_context_has_pictures (message) || g_strv_contains ((const char *const *) known, id))
        continue;
      g_string_append_printf (ids, "%s ", id);
      n++;
    }
  if (n == 0)
    return FALSE;

  prefix->left_newest = TRUE;
  for (guint i = 0; known[i] != NULL; i++)
    g_string_append_printf (ids, "%s ", known[i]);
  set_refused (prefix, BECKON_PROMPT_FACT_PICTURES, g_strchomp (ids->str));
  note_refusal (prefix, profile, "", reason);
  return TRUE;
}

void
beckon_prompt_prefix_accept (BeckonPromptPrefix *prefix)
{
  g_clear_pointer (&prefix->before_refusal, g_free);
  prefix->left_newest = FALSE;
}

BeckonBatch *
beckon_prompt_prefix_restore (BeckonPromptPrefix *prefix)
{
  BeckonBatch *batch;

  if (prefix->before_refusal == NULL)
    return NULL;
  g_free (prefix->current->facts);
  prefix->current->facts = g_steal_pointer (&prefix->before_refusal);
  prefix->left_newest = FALSE;
  break_off (prefix, BECKON_PREFIX_REFUSED);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_put_prefix (batch, beckon_conversation_get_id (prefix->conversation), prefix->current);
  return batch;
}

void
beckon_prompt_prefix_bound_pictures (BeckonPromptPrefix *prefix, GPtrArray *messages)
{
  g_auto (GStrv) ids = split_fact (prefix, BECKON_PROMPT_FACT_PICTURES);

  if (ids[0] != NULL)
    beckon_context_leave_out_pictures (messages, (const char *const *) ids);
}

/* A tool whose schema is another one is another try. */
static char *
dup_tool_mark (const BeckonToolDefinition *tool)
{
  return g_strdup_printf ("%s:%08x", tool->name, g_str_hash (tool->schema));
}

static void
remove_refused_tools (BeckonPromptPrefix *prefix, GPtrArray *tools)
{
  g_auto (GStrv) refused = split_fact (prefix, BECKON_PROMPT_FACT_TOOLS);

  for (guint i = refused[0] != NULL ? tools->len : 0; i > 0; i--)
    {
      g_autofree char *mark = dup_tool_mark (g_ptr_array_index (tools, i - 1));

      if (g_strv_contains ((const char *const *) refused, mark))
        g_ptr_array_remove_index (tools, i - 1);
    }
}

gboolean
beckon_prompt_prefix_leave_out_tool (BeckonPromptPrefix *prefix, BeckonProfile *profile, const char *reason)
{
  const BeckonToolDefinition *tool = beckon_prompt_tools_find_blamed (prefix->offered, reason);
  g_auto (GStrv) refused = NULL;
  g_autoptr (GPtrArray) kept = NULL;
  g_autofree char *mark = NULL;
  g_autofree char *joined = NULL;
  g_autofree char *marks = NULL;

  if (tool == NULL)
    return FALSE;
  refused = split_fact (prefix, BECKON_PROMPT_FACT_TOOLS);
  mark = dup_tool_mark (tool);
  joined = g_strjoinv (" ", refused);
  marks = g_strconcat (joined, *joined != '\0' ? " " : "", mark, NULL);
  set_refused (prefix, BECKON_PROMPT_FACT_TOOLS, marks);
  kept = beckon_prompt_tools_parse (prefix->current->tools);
  remove_refused_tools (prefix, kept);
  g_free (prefix->current->tools);
  prefix->current->tools = beckon_prompt_tools_print (kept);
  note_refusal (prefix, profile, tool->name, reason);
  return TRUE;
}

/* --- Choosing it --------------------------------------------------------------------------------------------------- */

static void
freeze (BeckonPromptPrefix *prefix, BeckonProfile *profile, GPtrArray *tools)
{
  static const char *const refusals[] = { BECKON_PROMPT_FACT_FILES, BECKON_PROMPT_FACT_PICTURES, BECKON_PROMPT_FACT_TOOLS };
  BeckonPrefix *current = prefix->current;
  g_autoptr (BeckonPromptFacts) facts = list_facts (prefix, profile, tools, "");
  g_autoptr (BeckonPromptFacts) before = read_facts (prefix);

  for (gsize i = 0; i < G_N_ELEMENTS (refusals); i++)
    if (beckon_prompt_facts_has (before, refusals[i]))
      beckon_prompt_facts_set (facts, refusals[i], beckon_prompt_facts_get (before, refusals[i]));
  write_facts (prefix, facts);
  g_free (current->system);
  g_free (current->tools);
  current->system = compose (prefix, profile, tools, TRUE);
  current->tools = beckon_prompt_tools_print (tools);
  current->summarized = beckon_context_get_summarized (prefix->conversation);
}

/* (nullable): why the prefix has to be made again. */
static const char *
find_break (BeckonPromptPrefix *prefix, BeckonProfile *profile, GPtrArray *tools, GString *missing)
{
  g_autoptr (BeckonPromptFacts) before = read_facts (prefix);
  g_autoptr (BeckonPromptFacts) now = NULL;

  if (!beckon_prompt_tools_cover (prefix->offered, tools, prefix->parts.tools, missing))
    return BECKON_PREFIX_TOOLS;
  now = list_facts (prefix, profile, prefix->offered, "");
  if (!g_str_equal (beckon_prompt_facts_get (before, BECKON_PROMPT_FACT_PROMPT),
                    beckon_prompt_facts_get (now, BECKON_PROMPT_FACT_PROMPT)))
    return BECKON_PREFIX_PROMPT;
  if (prefix->current->summarized != beckon_context_get_summarized (prefix->conversation))
    return BECKON_PREFIX_SUMMARY;
  return NULL;
}

/* %FALSE if it was known as that; @is_known: whether it was known at all. */
static gboolean
change_fact (BeckonPromptPrefix *prefix, const char *name, const char *value, gboolean *is_known)
{
  g_autoptr (BeckonPromptFacts) facts = read_facts (prefix);

  *is_known = beckon_prompt_facts_has (facts, name);
  if (g_str_equal (beckon_prompt_facts_get (facts, name), value))
    return FALSE;
  beckon_prompt_facts_set (facts, name, value);
  write_facts (prefix, facts);
  prefix->is_changed = TRUE;
  return TRUE;
}

/* Anthropic reads all messages anew when the effort changes; of others nothing is known, which is "". System prompt, tools and
 * messages stay, and so thinking is bound to the same. A new prefix has no effort yet. */
static void
note_effort (BeckonPromptPrefix *prefix, BeckonProfile *profile)
{
  BeckonEffort effort = beckon_conversation_get_effort (prefix->conversation);
  gboolean is_anthropic = beckon_profile_get_kind (profile) == BECKON_PROFILE_ANTHROPIC;
  gboolean is_known;

  if (change_fact (prefix, BECKON_PROMPT_FACT_EFFORT, is_anthropic ? beckon_effort_to_string (effort) : "", &is_known)
      && is_known)
    mark_changed (prefix->current, BECKON_PREFIX_EFFORT);
}

static gboolean
has_files (BeckonPromptPrefix *prefix)
{
  for (guint i = 0; i < beckon_conversation_get_n_messages (prefix->conversation); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (prefix->conversation, i);

      for (guint part = 0; part < beckon_message_get_n_parts (message); part++)
        if (beckon_part_get_file (beckon_message_get_part (message, part)) != NULL)
          return TRUE;
    }
  return FALSE;
}

/* The person's choice of how PDFs are sent changes messages that were sent before. PDFs that the server refused are tried again
 * then. A refusal has a note of its own. */
static void
note_form (BeckonPromptPrefix *prefix, BeckonProfile *profile)
{
  gboolean as_files = beckon_profile_reads_pdfs (profile) && !beckon_prompt_prefix_refuses_files (prefix, profile);
  gboolean is_known;

  if (!change_fact (prefix, BECKON_PROMPT_FACT_FORM, as_files ? "file" : "text", &is_known) || !is_known
      || !has_files (prefix))
    return;
  break_off (prefix, BECKON_PREFIX_FILES);
  prompt_prefix_say (prefix, BECKON_PREFIX_FILES);
}

/* Thinking blocks of another model, or behind another beginning, are bound to what this one is not sent. Searches that another
 * profile made are sent to that one alone. Those that this one made in its last turn go with them. */
static void
note_profile (BeckonPromptPrefix *prefix)
{
  BeckonPrefix *current = prefix->current;

  if (!was_another_asked (prefix) || current->bare_through >= get_last_seq (prefix)
      || (!current->is_bound && !has_searches (prefix, current->n_sent)))
    return;
  break_off (prefix, BECKON_PREFIX_PROFILE);
  current->bare_through = get_last_seq (prefix);
}

static void
make_again (BeckonPromptPrefix *prefix, BeckonProfile *profile, GPtrArray *tools, const char *reason)
{
  gboolean searched = beckon_prompt_tools_have_search (prefix->offered);

  freeze (prefix, profile, tools);
  break_off (prefix, reason);
  /* Results of a search mean nothing to a model that can't search any more. */
  if (searched && !beckon_prompt_tools_have_search (tools))
    prefix->current->bare_through = get_last_seq (prefix);
  prompt_prefix_say (prefix, reason);
  g_ptr_array_unref (prefix->offered);
  prefix->offered = g_ptr_array_ref (tools);
}

void
beckon_prompt_prefix_choose (BeckonPromptPrefix *prefix, BeckonProfile *profile)
{
  const BeckonPrefix *before = g_hash_table_lookup (prefix->stored->by_profile, beckon_profile_get_id (profile));
  g_autoptr (GPtrArray) tools = beckon_prompt_tools_list (&prefix->parts, prefix->conversation, profile, prefix->has_person,
                                                          before != NULL ? before->tools : NULL);
  g_autoptr (GString) missing = g_string_new (NULL);
  g_autofree char *now = NULL;
  const char *reason;
  gboolean is_known;

  prefix->budget = beckon_token_meter_get_budget (prefix->parts.meter, profile);
  if (before != prefix->current)
    beckon_prompt_prefix_accept (prefix);
  prefix->current = g_hash_table_lookup (prefix->stored->by_profile, beckon_profile_get_id (profile));
  if (prefix->current == NULL)
    {
      prefix->current = beckon_prefix_new (beckon_profile_get_id (profile));
      beckon_prefixes_take_prefix (prefix->stored, prefix->current);
      freeze (prefix, profile, tools);
      break_off (prefix, BECKON_PREFIX_FIRST);
      /* The thinking blocks there are were made behind another beginning, or by another model. */
      prefix->current->bare_through = get_last_seq (prefix);
    }
  remove_refused_tools (prefix, tools);
  g_clear_pointer (&prefix->offered, g_ptr_array_unref);
  /* The tools as they were sent before are nearly always those of now. */
  now = beckon_prompt_tools_print (tools);
  prefix->offered = g_str_equal (now, prefix->current->tools) ? g_ptr_array_ref (tools)
                                                              : beckon_prompt_tools_parse (prefix->current->tools);
  reason = find_break (prefix, profile, tools, missing);
  if (reason != NULL)
    {
      g_string_truncate (missing, 0);
      make_again (prefix, profile, tools, reason);
    }
  if (prefix->current->cut_through >= get_last_seq (prefix))
    beckon_prompt_prefix_begin_history (prefix);
  note_profile (prefix);
  note_form (prefix, profile);
  note_effort (prefix, profile);
  if (prefix->extras != NULL)
    change_fact (prefix, BECKON_PROMPT_FACT_EXTRAS, prefix->extras, &is_known);
  g_clear_pointer (&prefix->facts, beckon_prompt_facts_free);
  prefix->facts = list_facts (prefix, profile, prefix->offered, missing->str);
}

/* --- What is sent behind it ---------------------------------------------------------------------------------------- */

static BeckonMessage *
copy_with_told (BeckonMessage *message, const BeckonTold *told)
{
  BeckonMessage *copy = beckon_message_new (beckon_message_get_id (message), beckon_message_get_role (message),
                                            beckon_message_get_created_at (message));
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, told->text);

  beckon_message_set_seq (copy, beckon_message_get_seq (message));
  beckon_message_set_status (copy, beckon_message_get_status (message));
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    beckon_message_add_part (copy, beckon_message_get_part (message, i));
  beckon_message_add_part (copy, part);
  return copy;
}

/* Its calls have their results, which stand between it and this. */
static BeckonMessage *
make_told (BeckonMessage *reply, const BeckonTold *told)
{
  BeckonMessage *message = beckon_message_new (NULL, BECKON_ROLE_USER, beckon_message_get_created_at (reply));
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, told->text + strspn (told->text, "\n"));

  beckon_message_set_seq (message, beckon_message_get_seq (reply));
  beckon_message_add_part (message, part);
  return message;
}

/* Whether the message has calls, whose results the model answers next. */
static gboolean
ends_in_calls (BeckonMessage *message)
{
  g_autoptr (GPtrArray) calls = beckon_message_list_calls (message);

  return calls->len > 0;
}

/* Appends to @news what the user undid since the model was told last, and what they made again. The results of those calls stay
 * as they were sent. What can no longer be made again is undone all the same. Returns: the calls that are undone */
static char *
tell_undone (BeckonPromptPrefix *prefix, GString *news)
{
  g_autoptr (BeckonPromptFacts) known = beckon_prompt_facts_new (NULL);
  g_autoptr (GString) ids = g_string_new (NULL);
  g_auto (GStrv) before = NULL;
  GString *words[2] = { g_string_new (NULL), g_string_new (NULL) };
  guint n_told[2] = { 0, 0 };
  guint n = beckon_conversation_get_n_messages (prefix->conversation);

  for (guint i = 0; i < n; i++)
    {
      const char *id = beckon_message_get_id (beckon_conversation_get_message (prefix->conversation, i));
      const BeckonTold *told = g_hash_table_lookup (prefix->stored->told, id);

      if (told != NULL)
        beckon_prompt_facts_add (known, told->facts);
    }
  before = g_strsplit (beckon_prompt_facts_get (known, BECKON_PROMPT_FACT_UNDONE), " ", -1);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GPtrArray) calls = beckon_message_list_calls (beckon_conversation_get_message (prefix->conversation, i));

      for (guint j = 0; j < calls->len; j++)
        {
          BeckonToolCall *call = g_ptr_array_index (calls, j);
          gboolean was_undone = g_strv_contains ((const char *const *) before, beckon_tool_call_get_id (call));
          gboolean is_redo = was_undone && beckon_tool_call_get_change (call) == BECKON_CALL_CHANGE_KEPT;
          gboolean is_undone = beckon_tool_call_get_change (call) == BECKON_CALL_CHANGE_UNDONE || (was_undone && !is_redo);
          g_autofree char *report = NULL;

          if (is_undone)
            g_string_append_printf (ids, "%s%s", ids->len > 0 ? " " : "", beckon_tool_call_get_id (call));
          if ((is_undone == was_undone && !is_redo) || n_told[is_redo]++ >= MOST_UNDONE)
            continue;
          report = beckon_landing_report_undone (call, is_redo);
          g_string_append_printf (words[is_redo], "%s%s", words[is_redo]->len > 0 ? "; " : "", report);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (n_told[i] > MOST_UNDONE)
        g_string_append_printf (words[i], "; and %u more calls", n_told[i] - MOST_UNDONE);
      if (n_told[i] > 0)
        g_string_append_printf (news, "%s%s%s.", news->len > 0 ? "\n" : "",
                                i == 0 ? "The user undid what these calls changed, so the files are as they were before them: "
                                : "The user made what they had undone again, of these calls: ", words[i]->str);
      g_string_free (words[i], TRUE);
    }
  return g_string_free (g_steal_pointer (&ids), FALSE);
}

/* (nullable): what was told behind a message before, or, behind the last one, what changed since. Within a turn that is news
 * alone. */
static const BeckonTold *
find_told (BeckonPromptPrefix *prefix, BeckonMessage *message, BeckonPromptFacts *known, gboolean is_last)
{
  const char *id = beckon_message_get_id (message);
  const BeckonTold *told = g_hash_table_lookup (prefix->stored->told, id);
  gboolean is_turn = beckon_message_get_role (message) == BECKON_ROLE_USER;
  g_autofree char *ends = NULL;
  g_autofree char *undone = NULL;
  g_autofree char *facts = NULL;
  g_autoptr (GString) news = NULL;
  g_autoptr (BeckonPromptFacts) now = NULL;
  BeckonTold *made;

  if (told != NULL || !is_last || (!is_turn && !ends_in_calls (message)))
    return told;
  ends = beckon_command_take_ends (beckon_conversation_get_id (prefix->conversation));
  news = g_string_new (ends != NULL ? g_strchug (ends) : NULL);
  undone = tell_undone (prefix, news);
  facts = beckon_prompt_facts_print (is_turn ? prefix->facts : known);
  now = beckon_prompt_facts_new (facts);
  beckon_prompt_facts_set (now, BECKON_PROMPT_FACT_UNDONE, undone);
  beckon_prompt_facts_set (now, BECKON_PROMPT_FACT_NEWS, news->str);
  /* The same words may be news once more. */
  beckon_prompt_facts_set (known, BECKON_PROMPT_FACT_NEWS, NULL);
  made = beckon_prompt_facts_tell (known, now, id);
  if (made == NULL)
    return NULL;
  beckon_prefixes_take_told (prefix->stored, made);
  g_free (prefix->told_id);
  prefix->told_id = g_strdup (id);
  return made;
}

static void
prompt_prefix_tell (BeckonPromptPrefix *prefix, GPtrArray *messages)
{
  g_autoptr (BeckonPromptFacts) known = read_facts (prefix);

  for (guint i = 0; i < messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i);
      /* A summary stands for messages and is none itself. */
      const BeckonTold *told
        = beckon_message_get_seq (message) >= 0 ? find_told (prefix, message, known, i == messages->len - 1) : NULL;

      if (told == NULL)
        continue;
      beckon_prompt_facts_add (known, told->facts);
      if (beckon_message_get_role (message) != BECKON_ROLE_USER)
        {
          g_ptr_array_insert (messages, (int) ++i, make_told (message, told));
          continue;
        }
      g_ptr_array_index (messages, i) = copy_with_told (message, told);
      g_object_unref (message);
    }
}

void
beckon_prompt_prefix_keep_ends (BeckonConversation *conversation, BeckonBatch *batch)
{
  const char *id = beckon_conversation_get_id (conversation);
  guint n = beckon_conversation_get_n_messages (conversation);
  BeckonMessage *last = NULL;
  g_autofree char *ends = NULL;
  g_autoptr (BeckonPromptFacts) known = beckon_prompt_facts_new (NULL);
  g_autoptr (BeckonPromptFacts) now = beckon_prompt_facts_new (NULL);
  g_autoptr (BeckonTold) told = NULL;

  for (guint i = n; i > 0 && (last == NULL || beckon_note_get_kind (last) != BECKON_NOTE_NONE); i--)
    last = beckon_conversation_get_message (conversation, i - 1);
  if (last == NULL || beckon_message_get_role (last) != BECKON_ROLE_ASSISTANT || ends_in_calls (last))
    return;
  ends = beckon_command_take_ends (id);
  if (ends == NULL)
    return;
  beckon_prompt_facts_set (now, BECKON_PROMPT_FACT_NEWS, g_strchug (ends));
  told = beckon_prompt_facts_tell (known, now, beckon_message_get_id (last));
  beckon_batch_put_told (batch, id, told);
}

/* The start of a command in the background is sent as the model read it, by the next program, too, which has its end alone. */
static void
keep_begun (BeckonPromptPrefix *prefix, GPtrArray *messages)
{
  g_autoptr (BeckonPromptFacts) facts = read_facts (prefix);
  gboolean is_known;

  for (guint i = 0; i < messages->len; i++)
    {
      g_autoptr (GPtrArray) calls = beckon_message_list_calls (g_ptr_array_index (messages, i));

      for (guint j = 0; j < calls->len; j++)
        {
          BeckonToolCall *call = g_ptr_array_index (calls, j);
          const char *begun = beckon_tool_call_get_background (call);
          g_autofree char *name = g_strconcat (BECKON_PROMPT_FACT_BEGUN, beckon_tool_call_get_id (call), NULL);
          const char *sent = beckon_prompt_facts_get (facts, name);

          if (*sent == '\0' && begun != NULL)
            change_fact (prefix, name, begun, &is_known);
          else if (*sent != '\0' && g_strcmp0 (sent, begun) != 0)
            beckon_tool_call_set_background (call, sent);
        }
    }
}

GPtrArray *
beckon_prompt_prefix_list_messages (BeckonPromptPrefix *prefix, BeckonProfile *profile)
{
  GPtrArray *messages = beckon_context_list (prefix->conversation);
  const BeckonPrefix *current = prefix->current;
  BeckonModelFacts facts;

  beckon_profile_get_facts (profile, &facts);
  keep_begun (prefix, messages);
  prompt_prefix_tell (prefix, messages);
  beckon_prompt_prefix_bound_pictures (prefix, messages);
  beckon_context_bound_images (messages, facts.images != 0);
  beckon_sent_files_bound (messages, profile, beckon_prompt_prefix_refuses_files (prefix, profile));
  beckon_context_drop_bound_blocks (messages, current->bare_through);
  beckon_context_cut_results (messages, current->cut_through);
  if (current->most_of_a_result > 0)
    beckon_context_bound_results (messages, (gsize) current->most_of_a_result);
  return messages;
}

BeckonLlmRequest *
beckon_prompt_prefix_make_request (BeckonPromptPrefix *prefix, BeckonProfile *profile, GPtrArray *messages)
{
  BeckonLlmRequest *request = beckon_llm_request_new (profile, prefix->current->system);

  /* A hash, because ids tell when the conversation began. */
  request->cache_key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, beckon_conversation_get_id (prefix->conversation), -1);
  for (guint i = 0; i < prefix->offered->len; i++)
    {
      BeckonToolDefinition *tool = g_ptr_array_index (prefix->offered, i);

      if (beckon_prompt_tools_is_search (tool))
        request->searches = TRUE;
      else
        beckon_llm_request_add_tool (request, tool);
    }
  request->effort = beckon_conversation_get_effort (prefix->conversation);
  beckon_history_add (request, messages, beckon_codec_for_profile (profile)->name);
  return request;
}

gboolean
beckon_prompt_prefix_is_kept (BeckonPromptPrefix *prefix, const BeckonLlmRequest *request)
{
  const BeckonPrefix *current = prefix->current;

  return current->n_sent == 0
         || (current->n_sent <= request->messages->len
             && prompt_hash (request->messages, current->n_sent) == current->sent);
}

guint
beckon_prompt_prefix_count_new_files (BeckonPromptPrefix *prefix, const BeckonLlmRequest *request)
{
  return beckon_sent_files_count (request->messages, prefix->current->n_sent);
}

BeckonBatch *
beckon_prompt_prefix_send (BeckonPromptPrefix *prefix, const BeckonLlmRequest *request)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  const char *id = beckon_conversation_get_id (prefix->conversation);
  const BeckonTold *told = prefix->told_id != NULL ? g_hash_table_lookup (prefix->stored->told, prefix->told_id) : NULL;
  BeckonPrefix *current = prefix->current;
  BeckonPrefix *last;

  current->used = find_last_used (prefix, &last) + 1;
  current->n_sent = prompt_hash_count_final (request->messages);
  current->sent = prompt_hash (request->messages, current->n_sent);
  if (prefix->is_changed)
    beckon_batch_put_prefix (batch, id, current);
  if (told != NULL)
    beckon_batch_put_told (batch, id, told);
  beckon_batch_put_sent (batch, id, current);
  prefix->is_changed = FALSE;
  g_clear_pointer (&prefix->told_id, g_free);
  return batch;
}
