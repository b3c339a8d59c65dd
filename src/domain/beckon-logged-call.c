/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-logged-call.h"

#include "base/beckon-counted.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-words.h"

#include <string.h>

G_DEFINE_BOXED_TYPE (BeckonLoggedCall, beckon_logged_call, beckon_logged_call_ref, beckon_logged_call_unref)

BeckonLoggedCall *
beckon_logged_call_new (void)
{
  BeckonLoggedCall *call = g_atomic_rc_box_new0 (BeckonLoggedCall);

  call->exit_status = -1;
  return call;
}

static void
logged_call_clear (gpointer data)
{
  BeckonLoggedCall *call = data;

  g_free (call->id);
  g_free (call->tool);
  g_free (call->arguments);
  g_free (call->conversation_id);
  g_free (call->title);
  g_free (call->message_id);
  g_free (call->front_end);
  g_free (call->actor);
  g_free (call->answer);
}

BECKON_COUNTED (BeckonLoggedCall, beckon_logged_call, logged_call_clear)

static const char *const deciders[] = { "none", "person", "rule", "mode" };
BECKON_WORDS_TO (BeckonCallDecider, beckon_call_decider_to_string, deciders)

static const char *const outcomes[] = { "open", "done", "failed", "not-run", "unknown", "undone" };
BECKON_WORDS_TO (BeckonCallOutcome, beckon_call_outcome_to_string, outcomes)

static char *
format_time (gint64 at)
{
  g_autoptr (GDateTime) second = g_date_time_new_from_unix_utc (at / G_USEC_PER_SEC);

  return second != NULL ? g_date_time_format (second, "%Y-%m-%dT%H:%M:%SZ") : g_strdup ("");
}

char *
beckon_logged_call_to_json (const BeckonLoggedCall *call)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *time = NULL;
  BeckonJsonWriter writer;

  g_return_val_if_fail (call != NULL, NULL);

  time = format_time (call->at);
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "at", time);
  beckon_json_writer_member_string (&writer, "conversation", call->conversation_id);
  beckon_json_writer_member_string (&writer, "title", call->title);
  beckon_json_writer_member_string (&writer, "call", call->id);
  beckon_json_writer_member_string (&writer, "tool", call->tool);
  beckon_json_writer_member_string (&writer, "arguments", call->arguments);
  beckon_json_writer_member_string (&writer, "decided_by", beckon_call_decider_to_string (call->decider));
  beckon_json_writer_member_string (&writer, "front_end", call->front_end);
  beckon_json_writer_member_string (&writer, "actor", call->actor);
  beckon_json_writer_member_string (&writer, "answer", call->answer);
  beckon_json_writer_member_string (&writer, "outcome", beckon_call_outcome_to_string (call->outcome));
  beckon_json_writer_name (&writer, "exit_status");
  if (call->exit_status >= 0)
    beckon_json_writer_int (&writer, call->exit_status);
  else
    beckon_json_writer_null (&writer);
  beckon_json_writer_name (&writer, "seconds");
  beckon_json_writer_double (&writer, call->seconds);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* A spreadsheet takes what begins like a formula for one, and what is in the log may come from anywhere. */
static void
append_field (GString *line, const char *value)
{
  if (line->len > 0)
    g_string_append_c (line, ',');
  g_string_append_c (line, '"');
  if (value != NULL && *value != '\0' && strchr ("=+-@\t\r", *value) != NULL)
    g_string_append_c (line, '\'');
  for (const char *at = value; at != NULL && *at != '\0'; at++)
    {
      if (*at == '"')
        g_string_append_c (line, '"');
      g_string_append_c (line, *at);
    }
  g_string_append_c (line, '"');
}

char *
beckon_logged_call_to_csv (const BeckonLoggedCall *call)
{
  static const char *const titles[] = { "at",         "conversation", "title",     "call",  "tool",   "arguments",
                                        "decided_by", "front_end",    "actor",     "answer", "outcome", "exit_status",
                                        "seconds" };
  g_autofree char *time = call != NULL ? format_time (call->at) : NULL;
  g_autofree char *status = call != NULL && call->exit_status >= 0 ? g_strdup_printf ("%d", call->exit_status) : NULL;
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  GString *line = g_string_new (NULL);

  if (call != NULL)
    {
      const char *const values[] = { time, call->conversation_id, call->title, call->id, call->tool, call->arguments,
                                     beckon_call_decider_to_string (call->decider), call->front_end, call->actor, call->answer,
                                     beckon_call_outcome_to_string (call->outcome), status,
                                     g_ascii_formatd (seconds, sizeof seconds, "%.3f", call->seconds) };

      for (guint i = 0; i < G_N_ELEMENTS (values); i++)
        append_field (line, values[i]);
    }
  else
    for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
      append_field (line, titles[i]);
  return g_string_free (line, FALSE);
}

G_DEFINE_BOXED_TYPE (BeckonProvenance, beckon_provenance, beckon_provenance_ref, beckon_provenance_unref)

BeckonProvenance *
beckon_provenance_new (void)
{
  return g_atomic_rc_box_new0 (BeckonProvenance);
}

static void
provenance_clear (gpointer data)
{
  BeckonProvenance *line = data;

  g_free (line->conversation_id);
  g_free (line->title);
  g_free (line->call_id);
  g_free (line->tool);
  g_free (line->event);
  g_free (line->data);
}

BECKON_COUNTED (BeckonProvenance, beckon_provenance, provenance_clear)

char *
beckon_provenance_to_json (const BeckonProvenance *line)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (JsonNode) data = NULL;
  BeckonJsonWriter writer;
  g_autoptr (GDateTime) second = NULL;
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *stamp = NULL;

  g_return_val_if_fail (line != NULL, NULL);

  data = line->data != NULL && *line->data != '\0' ? beckon_json_parse (line->data, -1, NULL) : NULL;
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_int (&writer, "seq", line->seq);
  second = g_date_time_new_from_unix_utc (line->at / G_USEC_PER_SEC);
  time = second != NULL ? g_date_time_add (second, line->at % G_USEC_PER_SEC) : NULL;
  stamp = time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%S.%fZ") : NULL;
  beckon_json_writer_member_string (&writer, "at", stamp);
  beckon_json_writer_member_string (&writer, "conversation", line->conversation_id);
  beckon_json_writer_member_string (&writer, "call", line->call_id);
  beckon_json_writer_member_string (&writer, "tool", line->tool);
  beckon_json_writer_member_string (&writer, "event", line->event);
  beckon_json_writer_name (&writer, "data");
  if (data != NULL)
    beckon_json_writer_node (&writer, data);
  else
    beckon_json_writer_null (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
