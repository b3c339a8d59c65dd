/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-context.h"
#include "beckon-run-private.h"
#include "beckon-system-prompt.h"
#include "domain/beckon-note.h"
#include "domain/beckon-opaque.h"
#include "tools/beckon-ask-user.h"

#include <string.h>

/* The prefix of a conversation's requests: system prompt and tool definitions, as they were when the first of them was made,
 * by profile. Providers keep what they have read as long as it comes again byte by byte, and some models bind their
 * thinking blocks to all that stands before them. So the date, the folder, the instructions and tools that are off are told
 * behind the person's next message. That text is stored, so that every later request has it in the same place.
 *
 * Other changes break the prefix. The reason is stored with it, and where the person can't know it, the conversation says it:
 * a new or changed tool cannot be called unless it is defined; a tool that only a person can use must not be offered while
 * there is none or they switched it off; changed words of the system prompt have to replace those before; a search of the
 * provider's own would be made whatever the model is told of it; a summary and shortened results are there to send less. A
 * change of an earlier message, such as an undone call, is found by a hash of what the last request sent. With another effort
 * the bytes are the same, but Anthropic reads the messages anew:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching. */

#define TYPE_TOOLS "a(sssb)"
#define TYPE_FACTS "a{ss}"

#define DATE "date"
#define FOLDER "folder"
#define INSTRUCTIONS "instructions"
#define MISSING "missing"
#define MODEL_INSTRUCTIONS "model-instructions"
#define FILES "files" /* how the profile says PDFs go, once the server refused them */
#define FORM "form" /* how PDFs are sent to this profile; nothing is told about it */
#define PROMPT "prompt" /* a checksum of the words that nothing is told about */
#define EFFORT "effort" /* of those who keep nothing of the messages when it changes; nothing is told about it */

/* --- Reading what is stored ---------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonRun *run; /* (owned) */
  guint activation;
} Reading;

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Reading *reading = user_data;
  g_autoptr (BeckonRun) run = reading->run;
  g_autoptr (GError) error = NULL;
  BeckonPrefixes *prefixes = beckon_store_load_prefixes_finish (BECKON_STORE (source), result, &error);

  if (reading->activation != run->activation)
    {
      g_clear_pointer (&prefixes, beckon_prefixes_free);
      return;
    }
  run->committing--;
  run->prefixes = prefixes;
  if (prefixes != NULL)
    beckon_run_step (run);
  else
    beckon_run_fail (run, error->message);
}

/**
 * beckon_run_read_prefixes: (skip)
 * @run: a run that is driven
 *
 * Reads what earlier requests began with, whichever process sent them, and steps.
 */
void
beckon_run_read_prefixes (BeckonRun *run)
{
  Reading *reading = g_new0 (Reading, 1);

  reading->run = g_object_ref (run);
  reading->activation = run->activation;
  run->committing++;
  beckon_store_load_prefixes_async (run->parts.store, run->record->conversation_id, NULL, on_read, reading);
}

/** beckon_run_forget_prefixes: (skip): another process may drive the run next. */
void
beckon_run_forget_prefixes (BeckonRun *run)
{
  run->prefix = NULL;
  run->prefix_changed = FALSE;
  g_clear_pointer (&run->prefixes, beckon_prefixes_free);
  g_clear_pointer (&run->offered, g_ptr_array_unref);
  g_clear_pointer (&run->facts, g_hash_table_unref);
  g_clear_pointer (&run->told_id, g_free);
}

/* --- Tools --------------------------------------------------------------------------------------------------------- */

static char *
print_tools (GPtrArray *tools)
{
  GVariantBuilder builder;
  g_autoptr (GVariant) list = NULL;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (TYPE_TOOLS));
  for (guint i = 0; i < tools->len; i++)
    {
      const BeckonToolDefinition *tool = g_ptr_array_index (tools, i);

      g_variant_builder_add (&builder, "(sssb)", tool->name, tool->description, tool->schema, tool->read_only);
    }
  list = g_variant_ref_sink (g_variant_builder_end (&builder));
  return g_variant_print (list, FALSE);
}

/* Empty where it can't be read, which is a changed list then. */
static GPtrArray *
parse_tools (const char *text)
{
  g_autoptr (GVariant) list = g_variant_parse (G_VARIANT_TYPE (TYPE_TOOLS), text, NULL, NULL, NULL);
  GPtrArray *tools = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_tool_definition_unref);
  const char *name, *description, *schema;
  gboolean read_only;
  GVariantIter iter;

  if (list == NULL)
    return tools;
  g_variant_iter_init (&iter, list);
  while (g_variant_iter_next (&iter, "(&s&s&sb)", &name, &description, &schema, &read_only))
    g_ptr_array_add (tools, beckon_tool_definition_new (name, description, schema, read_only));
  return tools;
}

static BeckonToolDefinition *
find_tool (GPtrArray *tools, const char *name)
{
  for (guint i = 0; i < tools->len; i++)
    {
      BeckonToolDefinition *tool = g_ptr_array_index (tools, i);

      if (g_str_equal (tool->name, name))
        return tool;
    }
  return NULL;
}

static gboolean
has_same (GPtrArray *frozen, const BeckonToolDefinition *tool)
{
  const BeckonToolDefinition *known = find_tool (frozen, tool->name);

  return known != NULL && known->read_only == tool->read_only && g_str_equal (known->description, tool->description)
         && g_str_equal (known->schema, tool->schema);
}

/* Tools that need a person are not offered while there is none. */
static gboolean
may_stay (BeckonRun *run, const char *name)
{
  BeckonTool *tool = beckon_tool_registry_lookup (run->parts.tools, name);

  return tool == NULL || (!BECKON_IS_ASK_USER (tool) && !beckon_tool_needs_person (tool));
}

/* %TRUE if the definitions that were sent before say nothing wrong of the tools there are; @missing: the names of those that
 * are off. */
static gboolean
covers (BeckonRun *run, GPtrArray *frozen, GPtrArray *tools, GString *missing)
{
  for (guint i = 0; i < tools->len; i++)
    if (!has_same (frozen, g_ptr_array_index (tools, i)))
      return FALSE;
  for (guint i = 0; i < frozen->len; i++)
    {
      const BeckonToolDefinition *tool = g_ptr_array_index (frozen, i);
      const char *name = tool->name;

      if (find_tool (tools, name) != NULL)
        continue;
      if (beckon_run_is_search (tool) || !may_stay (run, name))
        return FALSE;
      g_string_append_printf (missing, "%s%s", missing->len > 0 ? ", " : "", name);
    }
  return TRUE;
}

static gboolean
has_search (GPtrArray *tools)
{
  for (guint i = 0; i < tools->len; i++)
    if (beckon_run_is_search (g_ptr_array_index (tools, i)))
      return TRUE;
  return FALSE;
}

/* --- Facts --------------------------------------------------------------------------------------------------------- */

static GHashTable *
facts_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
set_fact (GHashTable *facts, const char *key, const char *value)
{
  g_hash_table_replace (facts, g_strdup (key), value != NULL ? g_utf8_make_valid (value, -1) : g_strdup (""));
}

static const char *
get_fact (GHashTable *facts, const char *key)
{
  const char *value = g_hash_table_lookup (facts, key);

  return value != NULL ? value : "";
}

static void
overlay_facts (GHashTable *facts, const char *text)
{
  g_autoptr (GVariant) dictionary = g_variant_parse (G_VARIANT_TYPE (TYPE_FACTS), text, NULL, NULL, NULL);
  const char *key, *value;
  GVariantIter iter;

  if (dictionary == NULL)
    return;
  g_variant_iter_init (&iter, dictionary);
  while (g_variant_iter_next (&iter, "{&s&s}", &key, &value))
    set_fact (facts, key, value);
}

static void
keep_fact (GHashTable *facts, const char *text, const char *key)
{
  g_autoptr (GHashTable) before = facts_new ();

  overlay_facts (before, text);
  if (g_hash_table_contains (before, key))
    set_fact (facts, key, get_fact (before, key));
}

static char *
print_facts (GHashTable *facts)
{
  g_autoptr (GVariant) dictionary = NULL;
  GVariantBuilder builder;
  GHashTableIter iter;
  gpointer key, value;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (TYPE_FACTS));
  g_hash_table_iter_init (&iter, facts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_variant_builder_add (&builder, "{ss}", key, value);
  dictionary = g_variant_ref_sink (g_variant_builder_end (&builder));
  return g_variant_print (dictionary, FALSE);
}

/* @with_facts: %FALSE for the words alone, which do not change by themselves. */
static char *
compose (BeckonRun *run, BeckonProfile *profile, GPtrArray *tools, gboolean with_facts)
{
  g_autofree char *instructions = beckon_settings_dup_instructions (run->parts.settings);
  g_autoptr (GVariant) words = beckon_settings_dup_prompt_parts (run->parts.settings);
  const BeckonPromptContext context = {
    .words = words,
    .may_ask = beckon_run_may_ask (run),
    .may_plan = find_tool (tools, "propose_plan") != NULL,
    .now = with_facts ? beckon_run_now (run) : 0,
    .folder = with_facts ? beckon_conversation_get_folder (run->conversation) : NULL,
    .instructions = with_facts ? instructions : NULL,
    .profile = with_facts ? profile : NULL,
  };

  return beckon_system_prompt_compose (&context);
}

static GHashTable *
list_facts (BeckonRun *run, BeckonProfile *profile, GPtrArray *tools, const char *missing)
{
  GHashTable *facts = facts_new ();
  g_autofree char *date = beckon_system_prompt_dup_date (beckon_run_now (run), NULL);
  g_autofree char *instructions = beckon_settings_dup_instructions (run->parts.settings);
  g_autofree char *words = compose (run, profile, tools, FALSE);
  g_autofree char *checksum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, words, -1);

  set_fact (facts, DATE, date);
  set_fact (facts, FOLDER, beckon_conversation_get_folder (run->conversation));
  set_fact (facts, INSTRUCTIONS, instructions);
  set_fact (facts, MODEL_INSTRUCTIONS, beckon_profile_get_system_prompt (profile));
  set_fact (facts, MISSING, missing);
  set_fact (facts, PROMPT, checksum);
  return facts;
}

/* --- Making it ----------------------------------------------------------------------------------------------------- */

static void
mark_changed (BeckonPrefix *prefix, const char *reason)
{
  prefix->number++;
  g_free (prefix->reason);
  prefix->reason = g_strdup (reason);
}

static void
freeze (BeckonRun *run, BeckonPrefix *prefix, BeckonProfile *profile, GPtrArray *tools)
{
  g_autoptr (GHashTable) facts = list_facts (run, profile, tools, "");

  if (prefix->facts != NULL)
    keep_fact (facts, prefix->facts, FILES);
  g_free (prefix->system);
  g_free (prefix->tools);
  g_free (prefix->facts);
  prefix->system = compose (run, profile, tools, TRUE);
  prefix->tools = print_tools (tools);
  prefix->facts = print_facts (facts);
  prefix->summarized = beckon_context_get_summarized (run->conversation);
}

static gint64
get_last_seq (BeckonRun *run)
{
  return beckon_conversation_get_next_seq (run->conversation) - 1;
}

/**
 * beckon_run_break_prefix: (skip)
 * @run: a run that is about to send a request
 * @reason: why it cannot begin as the last one did
 *
 * The reason is stored with the request. Where thinking blocks are bound to what stands before them, earlier ones are no longer
 * sent.
 */
void
beckon_run_break_prefix (BeckonRun *run, const char *reason)
{
  g_return_if_fail (run->prefix != NULL);

  mark_changed (run->prefix, reason);
  run->prefix->n_sent = 0;
  run->prefix->bare_through = run->prefix->is_bound ? get_last_seq (run) : MIN (run->prefix->bare_through, get_last_seq (run));
  run->prefix_changed = TRUE;
}

/* Cutting may go on several times before a request fits. */
static gboolean
was_just_said (BeckonRun *run, const char *reason)
{
  guint n = beckon_conversation_get_n_messages (run->conversation);
  BeckonMessage *last = n > 0 ? beckon_conversation_get_message (run->conversation, n - 1) : NULL;
  g_auto (BeckonNote) note = { 0 };

  return last != NULL && beckon_note_get_kind (last) == BECKON_NOTE_PREFIX
         && beckon_note_read (beckon_message_get_part (last, 0), &note) && g_str_equal (note.reason, reason);
}

/**
 * beckon_run_say_break: (skip)
 * @run: a run whose prefix was broken
 * @reason: why
 *
 * Says it in the conversation, if there are words for it. Changes of the history, the effort and the profile have none, because
 * the person made them there, and summaries and refusals have notes of their own.
 */
void
beckon_run_say_break (BeckonRun *run, const char *reason)
{
  g_autoptr (BeckonMessage) note = NULL;

  if (!beckon_note_has_words_for (reason) || was_just_said (run, reason))
    return;
  note = beckon_note_new_prefix (reason, beckon_run_now (run));
  beckon_run_add_note (run, note);
}

/* Another choice of the person's is another try. */
static const char *
name_choice (BeckonProfile *profile)
{
  static const char *const names[] = { "auto", "text", "file" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == BECKON_PDF_N_CHOICES);
  return names[beckon_profile_get_pdf_choice (profile)];
}

/**
 * beckon_run_prefix_sends_text: (skip)
 * @prefix: (nullable): a prefix that was sent
 * @profile: its profile
 *
 * Returns: %TRUE if the server refused PDFs of this conversation
 */
gboolean
beckon_run_prefix_sends_text (const BeckonPrefix *prefix, BeckonProfile *profile)
{
  g_autoptr (GHashTable) facts = facts_new ();

  if (prefix != NULL)
    overlay_facts (facts, prefix->facts);
  return g_str_equal (get_fact (facts, FILES), name_choice (profile));
}

/**
 * beckon_run_sends_text_of_files: (skip)
 * @run: a run whose prefix was chosen
 * @profile: who is asked
 *
 * Returns: as beckon_run_prefix_sends_text()
 */
gboolean
beckon_run_sends_text_of_files (BeckonRun *run, BeckonProfile *profile)
{
  return beckon_run_prefix_sends_text (run->prefix, profile);
}

/**
 * beckon_run_give_up_files: (skip)
 * @run: a run whose request was refused
 * @profile: who was asked
 *
 * From here on the conversation's PDFs go to this profile as text, until the person chooses otherwise in the profile.
 */
void
beckon_run_give_up_files (BeckonRun *run, BeckonProfile *profile)
{
  g_autoptr (GHashTable) facts = facts_new ();

  overlay_facts (facts, run->prefix->facts);
  set_fact (facts, FILES, name_choice (profile));
  set_fact (facts, FORM, "text");
  g_free (run->prefix->facts);
  run->prefix->facts = print_facts (facts);
  beckon_run_break_prefix (run, BECKON_PREFIX_FILES);
}

static gint64
find_last_used (BeckonRun *run, BeckonPrefix **last)
{
  GHashTableIter iter;
  gpointer prefix;
  gint64 used = 0;

  *last = NULL;
  g_hash_table_iter_init (&iter, run->prefixes->by_profile);
  while (g_hash_table_iter_next (&iter, NULL, &prefix))
    if (((BeckonPrefix *) prefix)->used > used)
      {
        *last = prefix;
        used = (*last)->used;
      }
  return used;
}

static gboolean
was_another_asked (BeckonRun *run)
{
  BeckonPrefix *last;

  find_last_used (run, &last);
  return last != NULL && last != run->prefix;
}

static gboolean
is_searched (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_opaque_is_bound_to_search (message, i))
      return TRUE;
  return FALSE;
}

/* Whether there are searches or their citations from the @first message on, those aside that are left out already. */
static gboolean
has_searches (BeckonRun *run, guint first)
{
  g_autoptr (GPtrArray) messages = beckon_context_list (run->conversation);

  for (guint i = first < messages->len ? first : 0; i < messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i);

      if (beckon_message_get_seq (message) > run->prefix->bare_through && is_searched (message))
        return TRUE;
    }
  return FALSE;
}

/**
 * beckon_run_begin_history_anew: (skip)
 * @run: a run that is about to send a request
 *
 * Earlier messages are not what was sent. What was cut of those that were there has nothing to do with the ones that have their
 * places now.
 */
void
beckon_run_begin_history_anew (BeckonRun *run)
{
  run->prefix->cut_through = -1;
  run->prefix->most_of_a_result = 0;
  beckon_run_break_prefix (run, BECKON_PREFIX_HISTORY);
  if (was_another_asked (run) && has_searches (run, 0))
    run->prefix->bare_through = get_last_seq (run);
}

/* The tools as they were sent before, which are nearly always those of now. */
static GPtrArray *
get_frozen (const BeckonPrefix *prefix, GPtrArray *tools)
{
  g_autofree char *text = print_tools (tools);

  return g_str_equal (text, prefix->tools) ? g_ptr_array_ref (tools) : parse_tools (prefix->tools);
}

/* (nullable): why the prefix has to be made again. */
static const char *
find_break (BeckonRun *run, BeckonProfile *profile, GPtrArray *frozen, GPtrArray *tools, GString *missing)
{
  g_autoptr (GHashTable) before = facts_new ();
  g_autoptr (GHashTable) now = NULL;

  if (!covers (run, frozen, tools, missing))
    return BECKON_PREFIX_TOOLS;
  overlay_facts (before, run->prefix->facts);
  now = list_facts (run, profile, frozen, "");
  if (!g_str_equal (get_fact (before, PROMPT), get_fact (now, PROMPT)))
    return BECKON_PREFIX_PROMPT;
  if (run->prefix->summarized != beckon_context_get_summarized (run->conversation))
    return BECKON_PREFIX_SUMMARY;
  return NULL;
}

/* Anthropic reads all messages anew when the effort changes; of others nothing is known, which is "". */
static const char *
get_effort (BeckonRun *run, BeckonProfile *profile)
{
  BeckonEffort effort = beckon_conversation_get_effort (run->conversation);

  return beckon_profile_get_kind (profile) == BECKON_PROFILE_ANTHROPIC ? beckon_effort_to_string (effort) : "";
}

/* System prompt, tools and messages stay, and so thinking is bound to the same. A new prefix has none yet. */
static void
note_effort (BeckonRun *run, BeckonProfile *profile)
{
  g_autoptr (GHashTable) facts = facts_new ();
  const char *now = get_effort (run, profile);
  gboolean is_known;

  overlay_facts (facts, run->prefix->facts);
  is_known = g_hash_table_contains (facts, EFFORT);
  if (g_str_equal (get_fact (facts, EFFORT), now))
    return;
  set_fact (facts, EFFORT, now);
  g_free (run->prefix->facts);
  run->prefix->facts = print_facts (facts);
  if (is_known)
    mark_changed (run->prefix, BECKON_PREFIX_EFFORT);
  run->prefix_changed = TRUE;
}

static gboolean
has_files (BeckonRun *run)
{
  for (guint i = 0; i < beckon_conversation_get_n_messages (run->conversation); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (run->conversation, i);

      for (guint part = 0; part < beckon_message_get_n_parts (message); part++)
        if (beckon_part_get_file (beckon_message_get_part (message, part)) != NULL)
          return TRUE;
    }
  return FALSE;
}

/* The person's choice of how PDFs are sent changes messages that were sent before. PDFs that the server refused are tried again
 * then. A refusal has a note of its own. */
static void
note_form (BeckonRun *run, BeckonProfile *profile)
{
  const char *now = beckon_profile_reads_pdfs (profile) && !beckon_run_sends_text_of_files (run, profile) ? "file" : "text";
  g_autoptr (GHashTable) facts = facts_new ();
  gboolean is_known;

  overlay_facts (facts, run->prefix->facts);
  is_known = g_hash_table_contains (facts, FORM);
  if (g_str_equal (get_fact (facts, FORM), now))
    return;
  set_fact (facts, FORM, now);
  g_free (run->prefix->facts);
  run->prefix->facts = print_facts (facts);
  run->prefix_changed = TRUE;
  if (!is_known || !has_files (run))
    return;
  beckon_run_break_prefix (run, BECKON_PREFIX_FILES);
  beckon_run_say_break (run, BECKON_PREFIX_FILES);
}

/* Thinking blocks of another model, or behind another beginning, are bound to what this one is not sent. Searches that another
 * profile made are sent to that one alone. Those that this one made in its last turn go with them. */
static void
note_profile (BeckonRun *run)
{
  if (!was_another_asked (run) || run->prefix->bare_through >= get_last_seq (run)
      || (!run->prefix->is_bound && !has_searches (run, run->prefix->n_sent)))
    return;
  beckon_run_break_prefix (run, BECKON_PREFIX_PROFILE);
  run->prefix->bare_through = get_last_seq (run);
}

/* The thinking blocks there are were made behind another beginning, or by another model. */
static void
begin_prefix (BeckonRun *run, BeckonProfile *profile, GPtrArray *tools)
{
  const char *id = beckon_profile_get_id (profile);

  run->prefix = beckon_prefix_new (id);
  beckon_prefixes_take_prefix (run->prefixes, run->prefix);
  freeze (run, run->prefix, profile, tools);
  beckon_run_break_prefix (run, BECKON_PREFIX_FIRST);
  run->prefix->bare_through = get_last_seq (run);
}

/**
 * beckon_run_choose_prefix: (skip)
 * @run: a run that is about to send a request
 * @profile: who is asked
 *
 * Chooses what the request begins with.
 */
void
beckon_run_choose_prefix (BeckonRun *run, BeckonProfile *profile)
{
  g_autoptr (GPtrArray) tools = beckon_tool_registry_list (run->parts.tools, beckon_run_may_ask (run), run->has_person,
                                                           beckon_conversation_get_folder (run->conversation));
  g_autoptr (GString) missing = g_string_new (NULL);
  const char *reason;
  gboolean searched;

  beckon_run_add_search (run, profile, tools);
  run->prefix = g_hash_table_lookup (run->prefixes->by_profile, beckon_profile_get_id (profile));
  if (run->prefix == NULL)
    begin_prefix (run, profile, tools);
  g_clear_pointer (&run->offered, g_ptr_array_unref);
  run->offered = get_frozen (run->prefix, tools);
  reason = find_break (run, profile, run->offered, tools, missing);
  searched = has_search (run->offered);
  if (reason != NULL)
    {
      g_string_truncate (missing, 0);
      freeze (run, run->prefix, profile, tools);
      beckon_run_break_prefix (run, reason);
      /* Results of a search mean nothing to a model that can't search any more. */
      if (searched && !has_search (tools))
        run->prefix->bare_through = get_last_seq (run);
      beckon_run_say_break (run, reason);
      g_ptr_array_unref (run->offered);
      run->offered = g_ptr_array_ref (tools);
    }
  if (run->prefix->cut_through >= get_last_seq (run))
    beckon_run_begin_history_anew (run);
  note_profile (run);
  note_form (run, profile);
  note_effort (run, profile);
  g_clear_pointer (&run->facts, g_hash_table_unref);
  run->facts = list_facts (run, profile, run->offered, missing->str);
}

/**
 * beckon_run_make_prefix: (skip)
 * @run: a run whose prefix was chosen
 * @profile: who is asked
 *
 * Returns: (transfer full): a request with system prompt and tools, without a history yet
 */
BeckonLlmRequest *
beckon_run_make_prefix (BeckonRun *run, BeckonProfile *profile)
{
  BeckonLlmRequest *request = beckon_llm_request_new (profile, run->prefix->system);

  /* A hash, because ids tell when the conversation began. */
  request->cache_key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, run->record->conversation_id, -1);
  for (guint i = 0; i < run->offered->len; i++)
    {
      BeckonToolDefinition *tool = g_ptr_array_index (run->offered, i);

      if (beckon_run_is_search (tool))
        request->searches = TRUE;
      else
        beckon_llm_request_add_tool (request, tool);
    }
  run->searches = request->searches;
  return request;
}

/* --- Telling what changed ------------------------------------------------------------------------------------------ */

static const struct
{
  const char *key;
  const char *words; /* with the value behind them */
  const char *none;
} tellable[] = {
  { DATE, "Today is now ", NULL },
  { FOLDER, "The folder of this conversation, where files are looked for, is now: ",
    "This conversation no longer has a folder." },
  { INSTRUCTIONS, "The person's own instructions are now:\n", "The person's own instructions no longer hold." },
  { MODEL_INSTRUCTIONS, "The instructions for this model are now:\n", "The instructions for this model no longer hold." },
  { MISSING, "These tools can't be used now: ", "All tools can be used again." },
};

static void
append_change (GString *text, guint index, const char *value)
{
  g_string_append (text, text->len > 0 ? "\n" : "\n\n[What changed in the meantime:\n");
  if (*value != '\0')
    g_string_append_printf (text, "%s%s", tellable[index].words, value);
  else
    g_string_append (text, tellable[index].none);
}

/* (nullable): what is to be told to a model that knows @known. */
static BeckonTold *
make_told (GHashTable *known, GHashTable *now, const char *message_id)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GHashTable) changed = facts_new ();
  g_autofree char *facts = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tellable); i++)
    {
      const char *value = get_fact (now, tellable[i].key);

      if (g_str_equal (value, get_fact (known, tellable[i].key)) || (*value == '\0' && tellable[i].none == NULL))
        continue;
      set_fact (changed, tellable[i].key, value);
      append_change (text, i, value);
    }
  if (text->len == 0)
    return NULL;
  g_string_append_c (text, ']');
  facts = print_facts (changed);
  return beckon_told_new (message_id, facts, text->str);
}

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

/* A summary stands for messages and is none itself. */
static gboolean
may_be_told (BeckonMessage *message)
{
  return beckon_message_get_role (message) == BECKON_ROLE_USER && beckon_message_get_seq (message) >= 0;
}

/**
 * beckon_run_tell: (skip)
 * @run: a run that is about to send a request
 * @messages: (element-type BeckonMessage): its history; messages that change are replaced by copies
 *
 * Adds what was told behind messages before, and behind the last one what changed since.
 */
void
beckon_run_tell (BeckonRun *run, GPtrArray *messages)
{
  g_autoptr (GHashTable) known = facts_new ();

  overlay_facts (known, run->prefix->facts);
  for (guint i = 0; i < messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i);
      const char *id = beckon_message_get_id (message);
      const BeckonTold *told = g_hash_table_lookup (run->prefixes->told, id);
      BeckonTold *made = NULL;

      if (!may_be_told (message))
        continue;
      if (told == NULL && i == messages->len - 1)
        told = made = make_told (known, run->facts, id);
      if (made != NULL)
        {
          beckon_prefixes_take_told (run->prefixes, made);
          g_free (run->told_id);
          run->told_id = g_strdup (id);
        }
      if (told == NULL)
        continue;
      overlay_facts (known, told->facts);
      g_ptr_array_index (messages, i) = copy_with_told (message, told);
      g_object_unref (message);
    }
}

/* --- What was sent ------------------------------------------------------------------------------------------------- */

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

static guint64
hash_messages (GPtrArray *messages, guint n)
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
count_final (GPtrArray *messages)
{
  for (guint i = messages->len; i > 0; i--)
    if (beckon_message_get_role (g_ptr_array_index (messages, i - 1)) == BECKON_ROLE_USER)
      return i - 1;
  return 0;
}

/**
 * beckon_run_keeps_prefix: (skip)
 * @run: a run
 * @request: what it is about to send
 *
 * Returns: %TRUE if it begins with what the last request had before its last message of the person's
 */
gboolean
beckon_run_keeps_prefix (BeckonRun *run, const BeckonLlmRequest *request)
{
  const BeckonPrefix *prefix = run->prefix;

  return prefix->n_sent == 0
         || (prefix->n_sent <= request->messages->len && hash_messages (request->messages, prefix->n_sent) == prefix->sent);
}

/**
 * beckon_run_note_sent: (skip)
 * @run: a run
 * @request: what it sends now
 *
 * Stores what the next request has to begin with, and what was told.
 */
void
beckon_run_note_sent (BeckonRun *run, const BeckonLlmRequest *request)
{
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  const char *conversation_id = run->record->conversation_id;
  const BeckonTold *told = run->told_id != NULL ? g_hash_table_lookup (run->prefixes->told, run->told_id) : NULL;
  BeckonPrefix *last;

  run->prefix->used = find_last_used (run, &last) + 1;
  run->prefix->n_sent = count_final (request->messages);
  run->prefix->sent = hash_messages (request->messages, run->prefix->n_sent);
  if (run->prefix_changed)
    beckon_batch_put_prefix (batch, conversation_id, run->prefix);
  if (told != NULL)
    beckon_batch_put_told (batch, conversation_id, told);
  beckon_batch_put_sent (batch, conversation_id, run->prefix);
  run->prefix_changed = FALSE;
  g_clear_pointer (&run->told_id, g_free);
  beckon_run_commit_behind (run, g_steal_pointer (&batch));
}
