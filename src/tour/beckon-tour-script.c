/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tour-script.h"

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-tour-texts.h"

#include <string.h>

/* The script as a function of the history. What the last message is decides: a message of the person's begins the
 * tour, or is told that this is no model; a tool's result is reacted to. Nothing is remembered between two requests,
 * so a tour goes on after a restart, in another process, or after the answer has taken a week.
 */

#define ASK_USER "ask_user"
#define CURRENT_TIME "get_current_time"
#define PROPOSE_PLAN "propose_plan"

#define QUOTE_MAX_CHARS 200

typedef struct
{
  JsonArray *messages;
  JsonArray *tools;
  const BeckonTourWords *words;
  BeckonTourPlace place;
} Script;

void
beckon_tour_reply_free (BeckonTourReply *reply)
{
  g_free (reply->text);
  g_free (reply->tool);
  g_free (reply->arguments);
  g_free (reply);
}

/* --- The history -------------------------------------------------------------------------------------------------- */

static JsonObject *
get_object (JsonArray *array, guint index)
{
  JsonNode *node = json_array_get_element (array, index);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static gboolean
has_role (JsonObject *message, const char *role)
{
  return g_strcmp0 (beckon_json_get_string (message, "role"), role) == 0;
}

static char *
dup_content (JsonObject *message)
{
  const char *whole = beckon_json_get_string (message, "content");
  JsonArray *parts = beckon_json_get_array (message, "content");
  g_autoptr (GString) text = g_string_new (whole);

  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    {
      const char *part = beckon_json_get_string (get_object (parts, i), "text");

      if (part != NULL)
        g_string_append (text, part);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static JsonObject *
get_last (Script *script)
{
  guint length = json_array_get_length (script->messages);

  return length > 0 ? get_object (script->messages, length - 1) : NULL;
}

static int
find_last_user (Script *script)
{
  for (int i = (int) json_array_get_length (script->messages) - 1; i >= 0; i--)
    if (has_role (get_object (script->messages, (guint) i), "user"))
      return i;
  return -1;
}

static const char *
find_call_name (JsonObject *message, const char *id)
{
  JsonArray *calls = beckon_json_get_array (message, "tool_calls");

  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++)
    {
      JsonObject *call = get_object (calls, i);

      if (g_strcmp0 (beckon_json_get_string (call, "id"), id) == 0)
        return beckon_json_get_string (beckon_json_get_object (call, "function"), "name");
    }
  return NULL;
}

/* The name of the tool whose result @message is. */
static const char *
find_tool_of_result (Script *script, JsonObject *message)
{
  const char *id = beckon_json_get_string (message, "tool_call_id");
  const char *name = NULL;

  for (int i = (int) json_array_get_length (script->messages) - 1; i >= 0 && id != NULL && name == NULL; i--)
    name = find_call_name (get_object (script->messages, (guint) i), id);
  return name;
}

static gboolean
is_offered (Script *script, const char *name)
{
  for (guint i = 0; script->tools != NULL && i < json_array_get_length (script->tools); i++)
    {
      JsonObject *function = beckon_json_get_object (get_object (script->tools, i), "function");

      if (g_strcmp0 (beckon_json_get_string (function, "name"), name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* --- What the person wants ---------------------------------------------------------------------------------------- */

static const BeckonTourWords *
choose_words (const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_get_script (g_utf8_get_char (p)) == G_UNICODE_SCRIPT_HAN)
      return &beckon_tour_texts_zh;
  return &beckon_tour_texts_en;
}

static gboolean
contains_any (const char *text, const char *const *phrases)
{
  for (; *phrases != NULL; phrases++)
    if (strstr (text, *phrases) != NULL)
      return TRUE;
  return FALSE;
}

/* The words of a text, each between two spaces. */
static char *
spread_words (const char *text)
{
  g_autofree char *lower = g_utf8_strdown (text, -1);
  g_autoptr (GString) words = g_string_new (" ");

  for (const char *p = lower; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_isalnum (c))
        g_string_append_unichar (words, c);
      else if (words->str[words->len - 1] != ' ')
        g_string_append_c (words, ' ');
    }
  if (words->str[words->len - 1] != ' ')
    g_string_append_c (words, ' ');
  return g_string_free (g_steal_pointer (&words), FALSE);
}

static guint
count_words (const char *words)
{
  guint count = 0;

  for (const char *p = words + 1; *p != '\0'; p++)
    if (*p == ' ')
      count++;
  return count;
}

/* Naming the tour starts it. A mere greeting starts it as well; but a greeting within a task is not one. */
static gboolean
asks_for_tour (const char *text)
{
  static const char *const names[] = { " tour ", " show me around ", " look around ", "导览", "带我", "逛逛", NULL };
  static const char *const greetings[] = { " hello ", " hi ", " hey ", " start ", " begin ", NULL };
  static const char *const short_ones[] = { "你好", "您好", "开始", "看看", "介绍", NULL };
  g_autofree char *words = spread_words (text);

  return contains_any (words, names) || (count_words (words) <= 3 && contains_any (words, greetings))
      || (g_utf8_strlen (words, -1) <= 12 && contains_any (words, short_ones));
}

/* --- Replies ------------------------------------------------------------------------------------------------------ */

static BeckonTourReply *
tour_script_say (const char *text)
{
  BeckonTourReply *reply = g_new0 (BeckonTourReply, 1);

  reply->text = g_strdup (text);
  return reply;
}

/* Quotes a line, bounded: the person's words within a sentence. */
static char *
quote (const char *format, const char *said)
{
  g_autofree char *line = g_strdelimit (g_strdup (said), "\r\n\t", ' ');
  g_autofree char *shown = beckon_text_for_display (g_strstrip (line), -1, BECKON_TEXT_PROSE);
  g_autofree char *cut = beckon_text_shorten (shown, QUOTE_MAX_CHARS);
  g_auto (GStrv) pieces = g_strsplit (format, "%s", 2);

  return g_strjoinv (cut, pieces);
}

static BeckonTourReply *
tour_script_ask (Script *script, const char *text)
{
  BeckonTourReply *reply = tour_script_say (text);
  g_autoptr (GString) json = NULL;
  BeckonJsonWriter writer;

  reply->tool = g_strdup (ASK_USER);
  json = g_string_new (NULL);
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "question", script->words->question);
  beckon_json_writer_name (&writer, "choices");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < BECKON_TOUR_N_CHOICES; i++)
    beckon_json_writer_string (&writer, script->words->choices[i], -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_member_boolean (&writer, "allow_freeform", TRUE);
  beckon_json_writer_end_object (&writer);
  reply->arguments = g_string_free (g_steal_pointer (&json), FALSE);
  return reply;
}

static BeckonTourReply *
say_two (const char *first, const char *gap, const char *second)
{
  g_autofree char *both = g_strconcat (first, gap, second, NULL);

  return tour_script_say (both);
}

/* Follows the question. */
static BeckonTourReply *
tour_script_go_on (Script *script, const char *reaction)
{
  BeckonTourReply *reply;

  if (!is_offered (script, CURRENT_TIME))
    return say_two (reaction, "", script->words->summary[script->place]);

  reply = say_two (reaction, "\n\n", script->words->before_time);
  reply->tool = g_strdup (CURRENT_TIME);
  reply->arguments = g_strdup ("{}");
  return reply;
}

static BeckonTourReply *
tour_script_begin (Script *script)
{
  const BeckonTourWords *words = script->words;
  g_autofree char *text = NULL;

  if (!is_offered (script, ASK_USER))
    return say_two (words->greeting, "", words->asking_is_off[script->place]);
  text = g_strconcat (words->greeting, words->before_question, NULL);
  return tour_script_ask (script, text);
}

/* "LABEL" or "LABEL — note"; -1 if it is neither. */
static int
find_choice (const BeckonTourWords *words, const char *answer, const char **note)
{
  static const char dash[] = " — ";

  for (int i = 0; i < BECKON_TOUR_N_CHOICES; i++)
    {
      gsize length = strlen (words->choices[i]);

      if (strncmp (answer, words->choices[i], length) != 0)
        continue;
      *note = g_str_has_prefix (answer + length, dash) ? answer + length + strlen (dash) : NULL;
      if (*note != NULL || answer[length] == '\0')
        return i;
    }
  return -1;
}

static BeckonTourReply *
react_to_answer (Script *script, const char *answer)
{
  const BeckonTourWords *words = script->words;
  const char *note = NULL;
  int choice = find_choice (words, answer, &note);
  g_autofree char *reaction = NULL;

  if (choice < 0)
    {
      reaction = quote (words->typed, answer);
    }
  else if (note != NULL)
    {
      g_autofree char *noted = quote (words->noted, note);

      reaction = g_strconcat (words->reactions[choice], "\n\n", noted, NULL);
    }
  else
    {
      reaction = g_strdup (words->reactions[choice]);
    }
  return tour_script_go_on (script, reaction);
}

static char *
make_plan (const BeckonTourWords *words)
{
  static const char *const ids[BECKON_TOUR_N_STEPS] = { "here", "shanghai", "utc" };
  static const char *const timezones[BECKON_TOUR_N_STEPS] = { NULL, "Asia/Shanghai", "UTC" };
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "title", words->plan_title);
  beckon_json_writer_name (&writer, "steps");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < BECKON_TOUR_N_STEPS; i++)
    {
      const char *id = ids[i];
      const char *zone = timezones[i];
      const char *expect = words->plan_expect[i];

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "id", id);
      beckon_json_writer_member_string (&writer, "tool", CURRENT_TIME);
      beckon_json_writer_name (&writer, "arguments");
      beckon_json_writer_begin_object (&writer);
      if (zone != NULL)
        beckon_json_writer_member_string (&writer, "timezone", zone);
      beckon_json_writer_end_object (&writer);
      beckon_json_writer_member_string (&writer, "expect", expect);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static BeckonTourReply *
react_to_result (Script *script, JsonObject *message)
{
  const char *tool = find_tool_of_result (script, message);
  g_autofree char *result = dup_content (message);

  if (g_strcmp0 (tool, ASK_USER) == 0)
    {
      g_autoptr (JsonObject) object = *result == '{' ? beckon_json_parse_object (result, -1, NULL) : NULL;
      const char *status = beckon_json_get_string (object, "status");
      const char *text = beckon_json_get_string (object, "text");

      /* The results of a question are sentences for a model; a script knows them by how they begin. */
      if (g_strcmp0 (status, "asked_back") == 0)
        {
          g_autofree char *asked = quote (script->words->asked_back, text != NULL ? text : "");

          return is_offered (script, ASK_USER) ? tour_script_ask (script, asked) : tour_script_go_on (script, asked);
        }
      if (g_str_has_prefix (result, "The user left the choice to you"))
        {
          g_autofree char *reaction = g_strconcat (script->words->delegated, "\n\n", script->words->reactions[0], NULL);

          return tour_script_go_on (script, reaction);
        }
      if (g_str_has_prefix (result, "The user skipped this question"))
        return tour_script_go_on (script, script->words->skipped);
      if (g_str_has_prefix (result, "The user dismissed this question"))
        return say_two (script->words->dismissed, "", script->words->summary[script->place]);
      if (g_str_has_prefix (result, "The user did not answer") || g_str_has_prefix (result, "Nobody can answer"))
        return tour_script_go_on (script, script->words->unavailable);
      return react_to_answer (script, result);
    }
  if (g_strcmp0 (tool, CURRENT_TIME) == 0)
    {
      g_autofree char *plain = g_strdelimit (g_strdup (result), "`", '\'');
      g_autofree char *text
          = g_ascii_isdigit (*result) ? quote (script->words->time, plain) : g_strdup (script->words->time_failed);
      BeckonTourReply *reply;

      if (!is_offered (script, PROPOSE_PLAN))
        return say_two (text, "", script->words->summary[script->place]);

      reply = say_two (text, "\n\n", script->words->before_plan);
      reply->tool = g_strdup (PROPOSE_PLAN);
      reply->arguments = make_plan (script->words);
      return reply;
    }
  if (g_strcmp0 (tool, PROPOSE_PLAN) == 0)
    {
      g_autoptr (JsonObject) object = *result == '{' ? beckon_json_parse_object (result, -1, NULL) : NULL;
      gboolean completed = g_strcmp0 (beckon_json_get_string (object, "status"), "completed") == 0;

      return say_two (completed ? script->words->planned : script->words->not_planned, "",
                      script->words->summary[script->place]);
    }
  return say_two (script->words->not_a_model[script->place], "", "");
}

/* A question that ends the turn is answered by the person's next message. */
static gboolean
answers_a_question (Script *script, guint user)
{
  JsonObject *before = user > 0 ? get_object (script->messages, user - 1) : NULL;
  g_autofree char *result = NULL;

  if (!has_role (before, "tool") || g_strcmp0 (find_tool_of_result (script, before), ASK_USER) != 0)
    return FALSE;
  result = dup_content (before);
  return strstr (result, "waiting_for_user") != NULL;
}

BeckonTourReply *
beckon_tour_script_reply (const char *body, gsize length, BeckonTourPlace place, GError **error)
{
  g_autoptr (JsonObject) request = beckon_json_parse_object (body, (gssize) length, error);
  Script script = { .place = place };
  int user;
  g_autofree char *text = NULL;

  if (request == NULL)
    return NULL;
  script.messages = beckon_json_get_array (request, "messages");
  script.tools = beckon_json_get_array (request, "tools");
  if (script.messages == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "The request has no messages.");
      return NULL;
    }
  user = find_last_user (&script);
  text = user >= 0 ? dup_content (get_object (script.messages, (guint) user)) : g_strdup ("");
  script.words = choose_words (text);
  if (has_role (get_last (&script), "tool"))
    return react_to_result (&script, get_last (&script));
  if (user >= 0 && answers_a_question (&script, (guint) user))
    return react_to_answer (&script, text);
  return asks_for_tour (text) ? tour_script_begin (&script) : tour_script_say (script.words->not_a_model[script.place]);
}
