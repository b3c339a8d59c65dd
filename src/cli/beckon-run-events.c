/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-events.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-last-message.h"
#include "beckon-end-text.h"
#include "domain/beckon-citation.h"
#include "domain/beckon-message.h"
#include "domain/beckon-note.h"
#include "domain/beckon-opaque.h"
#include "form/beckon-parameters.h"

struct _BeckonRunEvents
{
  GObject parent_instance;

  BeckonConversation *conversation; /* (owned) */
  BeckonMessage *reply;             /* (owned) (nullable): the last one that streamed */
  FILE *output;
  GString *text;      /* of one message, not written yet */
  BeckonMessage *text_message; /* (owned) (nullable): whose */
  char *wait;         /* (owned) (nullable): why the server is asked again later, as it was told last */
  guint flush_source;
  gboolean is_unattended;
  BeckonJsonWriter writer;
  GString *line;
};

G_DEFINE_FINAL_TYPE (BeckonRunEvents, beckon_run_events, G_TYPE_OBJECT)

static void
add_time (BeckonJsonWriter *writer, const char *name, gint64 at)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (at / G_USEC_PER_SEC);
  g_autofree char *text = time != NULL ? g_date_time_format (time, "%FT%TZ") : NULL;

  if (text != NULL)
    beckon_json_writer_member_string (writer, name, text);
}

static BeckonJsonWriter *
events_begin (BeckonRunEvents *self, const char *type)
{
  g_string_truncate (self->line, 0);
  beckon_json_writer_init (&self->writer, self->line);
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", type);
  return &self->writer;
}

static void
events_end (BeckonRunEvents *self)
{
  g_autofree char *escaped = NULL;

  beckon_json_writer_end_object (&self->writer);
  escaped = beckon_text_json_escape_hidden (self->line->str);
  fprintf (self->output, "%s\n", escaped);
  fflush (self->output);
}

static void
flush_text (BeckonRunEvents *self)
{
  BeckonJsonWriter *writer;

  g_clear_handle_id (&self->flush_source, g_source_remove);
  if (self->text->len == 0)
    return;
  writer = events_begin (self, "text");
  beckon_json_writer_member_string (writer, "message", beckon_message_get_id (self->text_message));
  beckon_json_writer_name (writer, "text");
  beckon_json_writer_string (writer, self->text->str, (gssize) self->text->len);
  events_end (self);
  g_string_truncate (self->text, 0);
}

/* Text before an event of another kind is written before it. */
static BeckonJsonWriter *
begin_after_text (BeckonRunEvents *self, const char *type)
{
  flush_text (self);
  return events_begin (self, type);
}

static gboolean
on_flush (gpointer user_data)
{
  BeckonRunEvents *self = user_data;

  self->flush_source = 0;
  flush_text (self);
  return G_SOURCE_REMOVE;
}

/* Everything one read of the network brought is one event. */
static void
events_add_text (BeckonRunEvents *self, BeckonMessage *message, const char *text, gsize length)
{
  if (length == 0)
    return;
  if (self->text_message != message)
    flush_text (self);
  g_set_object (&self->text_message, message);
  g_string_append_len (self->text, text, (gssize) length);
  if (self->flush_source == 0)
    self->flush_source = g_idle_add (on_flush, self);
}

/* --- What a message has -------------------------------------------------------------------------------------------- */

/* A path need not be UTF-8. */
static void
events_add_file (BeckonJsonWriter *writer, const BeckonFileChange *change)
{
  g_autofree char *path = g_utf8_make_valid (change->path, -1);
  g_autofree char *from = change->from != NULL ? g_utf8_make_valid (change->from, -1) : NULL;

  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "path", path);
  if (from != NULL)
    beckon_json_writer_member_string (writer, "from", from);
  beckon_json_writer_member_string (writer, "kind", beckon_file_change_kind_to_string (change->kind));
  beckon_json_writer_member_string (writer, "fate", beckon_file_fate_to_string (change->fate));
  if (change->is_text)
    {
      beckon_json_writer_member_int (writer, "added", change->n_added);
      beckon_json_writer_member_int (writer, "removed", change->n_removed);
    }
  beckon_json_writer_end_object (writer);
}

static void
add_changes (BeckonRunEvents *self, BeckonToolCall *call, const BeckonLanding *landing)
{
  BeckonJsonWriter *writer = begin_after_text (self, "changes");

  beckon_json_writer_member_string (writer, "call", beckon_tool_call_get_id (call));
  beckon_json_writer_name (writer, "files");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    events_add_file (writer, beckon_change_set_get (landing->changes, i));
  beckon_json_writer_end_array (writer);
  events_end (self);
}

static gboolean
events_has_landed (BeckonToolCall *call)
{
  const BeckonLanding *landing = beckon_tool_call_get_landing (call);

  return landing != NULL && landing->state == BECKON_LANDING_LANDED;
}

static void
on_landed (BeckonToolCall *call, GParamSpec *pspec, BeckonRunEvents *self)
{
  if (!events_has_landed (call))
    return;
  g_signal_handlers_disconnect_by_func (call, on_landed, self);
  add_changes (self, call, beckon_tool_call_get_landing (call));
}

static void
events_end_call (BeckonRunEvents *self, BeckonToolCall *call)
{
  BeckonJsonWriter *writer = begin_after_text (self, "result");
  const char *result = beckon_tool_call_get_result (call);

  beckon_json_writer_member_string (writer, "call", beckon_tool_call_get_id (call));
  beckon_json_writer_member_string (writer, "tool", beckon_tool_call_get_name (call));
  beckon_json_writer_member_string (writer, "state", beckon_call_state_to_string (beckon_tool_call_get_state (call)));
  beckon_json_writer_member_boolean (writer, "error", beckon_tool_call_get_is_error (call));
  if (beckon_tool_call_get_exit_status (call) >= 0)
    beckon_json_writer_member_int (writer, "exit_status", beckon_tool_call_get_exit_status (call));
  beckon_json_writer_member_string (writer, "text", result != NULL ? result : "");
  events_end (self);

  if (self->is_unattended)
    {
      g_auto (GStrv) lines = beckon_unasked_list (call);

      for (guint i = 0; lines[i] != NULL; i++)
        {
          beckon_json_writer_member_string (begin_after_text (self, "note"), "text", lines[i]);
          events_end (self);
        }
    }
  for (guint i = 0; i < beckon_tool_call_get_n_early (call); i++)
    add_changes (self, call, beckon_tool_call_get_early (call, i));
  if (events_has_landed (call))
    add_changes (self, call, beckon_tool_call_get_landing (call));
  else if (beckon_tool_call_get_landing (call) != NULL)
    g_signal_connect_object (call, "notify::change", G_CALLBACK (on_landed), self, 0);
}

static void
on_call_state (BeckonToolCall *call, GParamSpec *pspec, BeckonRunEvents *self)
{
  if (!beckon_call_state_is_final (beckon_tool_call_get_state (call)))
    return;
  g_signal_handlers_disconnect_by_func (call, on_call_state, self);
  events_end_call (self, call);
}

static void
add_note (BeckonRunEvents *self, BeckonPart *part)
{
  g_autofree char *note = beckon_note_dup_sentence (part);
  g_autofree char *sentence = note != NULL ? g_steal_pointer (&note) : beckon_opaque_dup_sentence (part);

  if (sentence == NULL)
    return;
  beckon_json_writer_member_string (begin_after_text (self, "note"), "text", sentence);
  events_end (self);
}

static void
add_sources (BeckonRunEvents *self, BeckonPart *part)
{
  g_autoptr (GPtrArray) sources = beckon_citation_list (part);
  BeckonJsonWriter *writer;

  if (sources == NULL)
    return;
  writer = begin_after_text (self, "sources");
  beckon_json_writer_name (writer, "sources");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < sources->len; i++)
    {
      const BeckonCitation *source = g_ptr_array_index (sources, i);

      beckon_json_writer_begin_object (writer);
      beckon_json_writer_member_string (writer, "title", source->title);
      beckon_json_writer_member_string (writer, "url", source->url);
      beckon_json_writer_end_object (writer);
    }
  beckon_json_writer_end_array (writer);
  events_end (self);
}

static void
on_appended (BeckonPart *part, const char *delta, guint length, BeckonRunEvents *self)
{
  if (self->reply != NULL)
    events_add_text (self, self->reply, delta, length);
}

static void
follow_part (BeckonRunEvents *self, BeckonMessage *message, BeckonPart *part)
{
  BeckonToolCall *call = beckon_part_get_call (part);

  if (call != NULL)
    {
      /* As a person is shown them: a secret among them is redacted. A model's arguments need not be JSON. */
      g_autofree char *arguments = beckon_parameters_show_call (call);
      BeckonJsonWriter *writer = begin_after_text (self, "call");

      beckon_json_writer_member_string (writer, "call", beckon_tool_call_get_id (call));
      beckon_json_writer_member_string (writer, "tool", beckon_tool_call_get_name (call));
      beckon_json_writer_name (writer, "arguments");
      if (beckon_json_check (arguments, -1, NULL))
        beckon_json_writer_raw (writer, arguments, -1);
      else
        beckon_json_writer_string (writer, arguments, -1);
      events_end (self);

      if (beckon_call_state_is_final (beckon_tool_call_get_state (call)))
        events_end_call (self, call);
      else
        g_signal_connect_object (call, "notify::state", G_CALLBACK (on_call_state), self, G_CONNECT_AFTER);
    }
  add_note (self, part);
  add_sources (self, part);
  if (beckon_part_get_kind (part) != BECKON_PART_TEXT)
    return;
  events_add_text (self, message, beckon_part_get_text (part), beckon_part_get_length (part));
  g_signal_connect_object (part, "appended", G_CALLBACK (on_appended), self, 0);
}

static void
on_parts_changed (BeckonMessage *message, guint position, guint removed, guint added, BeckonRunEvents *self)
{
  for (guint i = position; i < position + added; i++)
    follow_part (self, message, beckon_message_get_part (message, i));
}

static void
add_replaced (BeckonRunEvents *self)
{
  g_autofree char *text = beckon_message_dup_text (self->reply);

  if (*text == '\0')
    return;
  beckon_json_writer_member_string (begin_after_text (self, "replaced"), "message", beckon_message_get_id (self->reply));
  events_end (self);
}

static void
on_messages_changed (BeckonConversation *conversation, guint position, guint removed, guint added, BeckonRunEvents *self)
{
  gboolean begins_again = self->reply != NULL && beckon_conversation_has_dropped (conversation, self->reply);

  if (begins_again)
    {
      add_replaced (self);
      g_clear_object (&self->reply);
    }
  for (guint i = begins_again ? position : position + removed; i < position + added; i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i);
      const char *answered = beckon_late_message_get_request_id (message);

      if (answered != NULL)
        {
          /* The model is told the answer to a question that it did not wait for. */
          BeckonJsonWriter *writer = begin_after_text (self, "answer");
          g_autofree char *text = beckon_message_dup_text (message);

          beckon_json_writer_member_string (writer, "request", answered);
          beckon_json_writer_member_string (writer, "message", beckon_message_get_id (message));
          beckon_json_writer_member_string (writer, "text", text);
          events_end (self);
        }
      if (beckon_message_get_role (message) != BECKON_ROLE_ASSISTANT)
        continue;
      if (beckon_message_get_status (message) == BECKON_MESSAGE_STREAMING)
        g_set_object (&self->reply, message);
      on_parts_changed (message, 0, 0, beckon_message_get_n_parts (message), self);
      g_signal_connect_object (message, "items-changed", G_CALLBACK (on_parts_changed), self, 0);
    }
}

static void
events_on_phase (BeckonConversation *conversation, GParamSpec *pspec, BeckonRunEvents *self)
{
  const char *detail = beckon_conversation_get_detail (conversation);
  BeckonJsonWriter *writer;

  if (!beckon_run_phase_is_delayed (beckon_conversation_get_phase (conversation)) || detail == NULL
      || g_strcmp0 (detail, self->wait) == 0)
    return;
  g_free (self->wait);
  self->wait = g_strdup (detail);
  writer = begin_after_text (self, "wait");
  beckon_json_writer_member_string (writer, "text", detail);
  if (beckon_conversation_get_retry_at (conversation) > 0)
    add_time (writer, "until", beckon_conversation_get_retry_at (conversation));
  events_end (self);
}

/* --- The first and the last ---------------------------------------------------------------------------------------- */

void
beckon_run_events_begin (BeckonRunEvents *self, BeckonProfile *profile)
{
  BeckonJsonWriter *writer;

  writer = events_begin (self, "start");
  beckon_json_writer_member_int (writer, "version", BECKON_RUN_EVENTS_VERSION);
  beckon_json_writer_member_string (writer, "conversation", beckon_conversation_get_id (self->conversation));
  add_time (writer, "at", g_get_real_time ());
  if (profile != NULL)
    {
      beckon_json_writer_member_string (writer, "profile", beckon_profile_get_id (profile));
      beckon_json_writer_member_string (writer, "model",
                                        beckon_profile_get_model (profile) != NULL ? beckon_profile_get_model (profile) : "");
    }
  events_end (self);
}

void
beckon_run_events_set_unattended (BeckonRunEvents *self)
{
  self->is_unattended = TRUE;
}

void
beckon_run_events_add_request (BeckonRunEvents *self, const char *document)
{
  BeckonJsonWriter *writer;

  writer = begin_after_text (self, "request");
  beckon_json_writer_name (writer, "request");
  beckon_json_writer_raw (writer, document, -1);
  events_end (self);
}

static void
add_known (BeckonJsonWriter *writer, const char *name, gint64 value)
{
  if (value >= 0)
    beckon_json_writer_member_int (writer, name, value);
}

/* All requests of the turn together, as far as the provider reported them. */
static void
add_usage (BeckonRunEvents *self, BeckonJsonWriter *writer)
{
  BeckonUsage sum = BECKON_USAGE_INIT;

  for (guint i = beckon_conversation_get_n_messages (self->conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (self->conversation, i - 1);

      if (beckon_late_message_get_request_id (message) != NULL)
        continue;
      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        break;
      beckon_usage_add (&sum, beckon_message_get_usage (message));
    }
  if (sum.input < 0 && sum.output < 0)
    return;
  beckon_json_writer_name (writer, "usage");
  beckon_json_writer_begin_object (writer);
  add_known (writer, "input", sum.input);
  add_known (writer, "cached", sum.cached);
  add_known (writer, "output", sum.output);
  if (sum.cost >= 0)
    {
      beckon_json_writer_name (writer, "cost");
      beckon_json_writer_double (writer, (double) sum.cost / 1e6);
    }
  if (sum.cost >= 0 && sum.currency != NULL)
    beckon_json_writer_member_string (writer, "currency", sum.currency);
  beckon_json_writer_end_object (writer);
}

void
beckon_run_events_end (BeckonRunEvents *self, int status, const char *problem)
{
  g_autofree char *text = beckon_last_message_dup (self->conversation);
  gboolean has_run = beckon_conversation_get_has_run (self->conversation);
  const char *detail = problem != NULL ? problem : beckon_conversation_get_detail (self->conversation);
  BeckonJsonWriter *writer;

  writer = begin_after_text (self, "end");
  beckon_json_writer_member_int (writer, "status", status);
  if (has_run && problem == NULL)
    beckon_json_writer_member_string (writer, "phase",
                                      beckon_run_phase_to_string (beckon_conversation_get_phase (self->conversation)));
  if (detail != NULL)
    beckon_json_writer_member_string (writer, "detail", detail);
  add_time (writer, "at", g_get_real_time ());
  add_usage (self, writer);
  beckon_json_writer_member_string (writer, "text", text);
  events_end (self);
}

BeckonRunEvents *
beckon_run_events_new (BeckonConversation *conversation, FILE *output)
{
  BeckonRunEvents *self;

  self = g_object_new (BECKON_TYPE_RUN_EVENTS, NULL);
  self->conversation = g_object_ref (conversation);
  self->output = output;
  g_signal_connect_object (conversation, "items-changed", G_CALLBACK (on_messages_changed), self, 0);
  g_signal_connect_object (conversation, "notify::phase", G_CALLBACK (events_on_phase), self, 0);
  g_signal_connect_object (conversation, "notify::detail", G_CALLBACK (events_on_phase), self, 0);
  return self;
}

static void
beckon_run_events_dispose (GObject *object)
{
  BeckonRunEvents *self = BECKON_RUN_EVENTS (object);

  g_clear_handle_id (&self->flush_source, g_source_remove);
  g_clear_object (&self->conversation);
  g_clear_object (&self->reply);
  g_clear_object (&self->text_message);
  G_OBJECT_CLASS (beckon_run_events_parent_class)->dispose (object);
}

static void
beckon_run_events_finalize (GObject *object)
{
  BeckonRunEvents *self = BECKON_RUN_EVENTS (object);

  g_string_free (self->text, TRUE);
  g_string_free (self->line, TRUE);
  g_free (self->wait);
  G_OBJECT_CLASS (beckon_run_events_parent_class)->finalize (object);
}

static void
beckon_run_events_class_init (BeckonRunEventsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_run_events_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_run_events_finalize;
}

static void
beckon_run_events_init (BeckonRunEvents *self)
{
  self->text = g_string_new (NULL);
  self->line = g_string_new (NULL);
}
