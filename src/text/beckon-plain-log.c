/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-log.h"

#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-call-labels.h"
#include "domain/beckon-request-error.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  const char *name;
  const char *words;
} Wording;

static const Wording events[] = {
  { "asked", N_ ("Asked") },
  { "decided", N_ ("Decided") },
  { "settled", N_ ("Settled") },
  /* Translators: in the audit log: an answer that the model did not wait for was given to it. */
  { "delivered", N_ ("Answer given to the model") },
  { "started", N_ ("Started") },
  { "finished", N_ ("Finished") },
  { "failed", N_ ("Failed") },
  { "looked", N_ ("Looked for what had come of it") },
  { "landed", N_ ("Changes saved in the folder") },
  { "undone", N_ ("Undone") },
  { "redone", N_ ("Made again") },
};

static const Wording verdicts[] = {
  { "allow", N_ ("Allowed without asking") },
  { "ask", N_ ("Asked") },
  { "deny", N_ ("Denied without asking") },
};

/* The fate of a file that a command changed. */
static const Wording fates[] = {
  { "kept", N_ ("Kept") },
  { "left-out", N_ ("Left out") },
  { "denied", N_ ("Denied by a rule") },
  { "conflict", N_ ("Left out: changed in the folder meanwhile") },
  { "failed", N_ ("Failed") },
  { "undone", N_ ("Undone") },
};

/* More of them are in what is exported. */
#define MOST_FILES 20

/* As the states of a request are called. */
static const Wording ends[] = {
  { "answered", N_ ("Answered") },
  { "skipped", N_ ("Skipped") },
  { "delegated", N_ ("Left to the agent") },
  { "asked-back", N_ ("Asked back") },
  { "declined", N_ ("Dismissed or denied") },
  { "cancelled", N_ ("Cancelled") },
  { "timed-out", N_ ("Timed out") },
  { "unavailable", N_ ("You couldn't be asked") },
};

static const char *
find (const Wording *wordings, gsize n, const char *name)
{
  for (gsize i = 0; name != NULL && i < n; i++)
    if (g_str_equal (wordings[i].name, name))
      return _(wordings[i].words);

  return NULL;
}

/* The log is ours, and it may still come from a damaged or a newer file. */
static JsonObject *
parse (const BeckonProvenance *line)
{
  return line->data != NULL ? beckon_json_parse_object (line->data, -1, NULL) : NULL;
}

static char *
describe_end (JsonObject *data)
{
  const char *end = find (ends, G_N_ELEMENTS (ends), beckon_json_get_string (data, "state"));
  const char *front_end = beckon_json_get_string (data, "front_end");

  return end != NULL ? g_strdup_printf ("%s · %s", end, beckon_request_front_end_to_words (front_end)) : NULL;
}

char *
beckon_plain_log_describe (const BeckonProvenance *line)
{
  g_autoptr (JsonObject) data = NULL;
  const char *words = NULL;
  char *end = NULL;

  g_return_val_if_fail (line != NULL, NULL);

  data = parse (line);
  if (data != NULL && g_str_equal (line->event, "settled"))
    end = describe_end (data);
  if (end != NULL)
    return end;
  if (data != NULL && g_str_equal (line->event, "decided"))
    words = find (verdicts, G_N_ELEMENTS (verdicts), beckon_json_get_string (data, "verdict"));
  if (words == NULL)
    words = find (events, G_N_ELEMENTS (events), line->event);

  return words != NULL ? g_strdup (words) : beckon_text_for_display (line->event, -1, BECKON_TEXT_MARKED);
}

static void
append (GString *text, const char *label, const char *value)
{
  g_autofree char *shown = NULL;

  if (value == NULL || *value == '\0')
    return;
  shown = beckon_text_for_display (value, -1, label != NULL ? BECKON_TEXT_EXACT : BECKON_TEXT_MARKED);
  if (text->len > 0)
    g_string_append_c (text, '\n');
  if (label != NULL)
    beckon_text_append (text, _("%s: %s"), label, shown);
  else
    g_string_append (text, shown);
}

static JsonObject *
get_element (JsonArray *array, guint index)
{
  JsonNode *node = json_array_get_element (array, index);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* Those that it names are few: a question has no more choices than a card shows. */
static void
append_names (GString *text, JsonArray *array, const char *member)
{
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *element = get_element (array, i);
      const char *name = element != NULL ? beckon_json_get_string (element, member) : NULL;
      g_autofree char *safe = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);

      if (name != NULL)
        g_string_append_printf (text, "%s%u. %s", text->len > 0 ? "\n" : "", i + 1, safe);
    }
}

static gboolean
append_questions (GString *text, JsonObject *proposal)
{
  JsonArray *items = beckon_json_get_array (proposal, "items");

  for (guint i = 0; items != NULL && i < json_array_get_length (items); i++)
    {
      JsonObject *item = get_element (items, i);

      if (item == NULL)
        continue;
      append (text, _("Question"), beckon_json_get_string (item, "question"));
      append_names (text, beckon_json_get_array (item, "options"), "label");
    }
  return items != NULL;
}

/* Steps are said as on the card of their plan. */
static void
append_steps (GString *text, JsonArray *steps)
{
  for (guint i = 0; i < json_array_get_length (steps); i++)
    {
      JsonObject *step = get_element (steps, i);
      const char *tool = step != NULL ? beckon_json_get_string (step, "tool") : NULL;
      JsonNode *arguments = step != NULL ? json_object_get_member (step, "arguments") : NULL;
      g_autofree char *json = arguments != NULL ? beckon_json_print (arguments) : NULL;
      g_autofree char *words = tool != NULL ? beckon_call_labels_describe (tool, NULL, json, BECKON_CALL_PHASE_STEP) : NULL;

      if (words != NULL)
        g_string_append_printf (text, "%s%u. %s", text->len > 0 ? "\n" : "", i + 1, words);
    }
}

static gboolean
append_plan (GString *text, JsonObject *proposal)
{
  JsonArray *steps = beckon_json_get_array (proposal, "steps");

  if (steps == NULL)
    return FALSE;
  append (text, _("Plan"), beckon_json_get_string (proposal, "title"));
  append_steps (text, steps);
  return TRUE;
}

static gboolean
is_for_person (const BeckonProvenance *line)
{
  return g_strcmp0 (line->tool, "ask_user") == 0 || g_strcmp0 (line->tool, "propose_plan") == 0;
}

/* Proposals to a person are shown as they read them; a tool's arguments, byte for byte. */
static void
append_proposal (GString *text, const char *shown, gboolean is_for_person)
{
  g_autoptr (JsonObject) proposal = is_for_person && shown != NULL ? beckon_json_parse_object (shown, -1, NULL) : NULL;

  if (proposal == NULL || (!append_questions (text, proposal) && !append_plan (text, proposal)))
    append (text, _("Proposed"), shown);
}

/* A person who let it through stands in a line of their own. */
static const char *
describe_way (const char *by)
{
  if (by != NULL && g_str_has_prefix (by, "rule:"))
    return _("by a rule");
  return by != NULL && g_str_has_prefix (by, "mode:") ? _("without asking") : NULL;
}

static void
append_files (GString *text, JsonArray *files)
{
  guint n = files != NULL ? json_array_get_length (files) : 0;

  for (guint i = 0; i < MIN (n, MOST_FILES); i++)
    {
      JsonObject *file = get_element (files, i);
      const char *fate = file != NULL ? find (fates, G_N_ELEMENTS (fates), beckon_json_get_string (file, "fate")) : NULL;
      const char *way = fate != NULL ? describe_way (beckon_json_get_string (file, "by")) : NULL;
      g_autofree char *words = way != NULL ? g_strdup_printf ("%s, %s", fate, way) : g_strdup (fate);
      const char *path = fate != NULL ? beckon_json_get_string (file, "path") : NULL;
      g_autofree char *safe = path != NULL ? beckon_text_for_display (path, -1, BECKON_TEXT_EXACT) : NULL;

      if (safe != NULL)
        append (text, safe, words);
    }
  if (n > MOST_FILES)
    g_string_append_printf (text, "%s…", text->len > 0 ? "\n" : "");
}

static void
append_count (GString *text, gint64 rules)
{
  if (rules <= 0)
    return;
  g_string_append_printf (text, "%s", text->len > 0 ? "\n" : "");
  g_string_append_printf (text, ngettext ("%d rule was made of it", "%d rules were made of it", (gulong) rules), (int) rules);
}

char *
beckon_plain_log_explain (const BeckonProvenance *line)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (JsonObject) data = NULL;

  g_return_val_if_fail (line != NULL, NULL);

  data = parse (line);
  if (data == NULL)
    return g_strdup ("");

  append (text, NULL, beckon_json_get_string (data, "reason"));
  append (text, _("By"), beckon_json_get_string (data, "actor"));
  append (text, _("Folder"), beckon_json_get_string (data, "folder"));
  append_proposal (text, beckon_json_get_string (data, "shown"), is_for_person (line));
  append (text, _("Changed to"), beckon_json_get_string (data, "edited"));
  append (text, _("Run with"), beckon_json_get_string (data, "executed"));
  append_files (text, beckon_json_get_array (data, "files"));
  append_count (text, beckon_json_get_int (data, "remembered", 0));

  return g_string_free (g_steal_pointer (&text), FALSE);
}
