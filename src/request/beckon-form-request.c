/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-form-request.h"

#include "base/beckon-error.h"
#include "base/beckon-json-edit.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-form-document.h"
#include "beckon-settlement.h"
#include "form/beckon-request-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonFormRequest
{
  BeckonRequest parent_instance;

  char *server;
  char *params; /* as the server sent them */
  BeckonFormDocument *document;
  char *key;        /* (nullable) */
  char *resumption; /* (nullable) */
  char *call;       /* (nullable): our id of the one that asked */
  gboolean is_delivered;
};

G_DEFINE_FINAL_TYPE (BeckonFormRequest, beckon_form_request, BECKON_TYPE_REQUEST)

BeckonRequest *
beckon_form_request_new (const char *conversation_id, const char *server, const char *params, gint64 asked_at, GError **error)
{
  g_autoptr (BeckonFormDocument) document = NULL;
  BeckonFormRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (server != NULL && params != NULL, NULL);

  document = beckon_form_document_parse (params, error);
  if (document == NULL)
    return NULL;
  self = g_object_new (BECKON_TYPE_FORM_REQUEST, NULL);
  beckon_request_set_place (BECKON_REQUEST (self), NULL, conversation_id, NULL, NULL, asked_at);
  self->server = g_utf8_make_valid (server, -1);
  self->params = g_strdup (params);
  self->document = g_steal_pointer (&document);
  return BECKON_REQUEST (self);
}

void
beckon_form_request_set_resumption (BeckonRequest *request, const char *key, const char *resumption)
{
  BeckonFormRequest *self;

  g_return_if_fail (BECKON_IS_FORM_REQUEST (request));
  g_return_if_fail (key != NULL && resumption != NULL);
  g_return_if_fail (strlen (resumption) <= BECKON_FORM_REQUEST_MAX_RESUMPTION);

  self = BECKON_FORM_REQUEST (request);
  g_free (self->key);
  self->key = g_strdup (key);
  g_free (self->resumption);
  self->resumption = g_strdup (resumption);
}

const char *
beckon_form_request_get_key (BeckonRequest *request)
{
  return BECKON_IS_FORM_REQUEST (request) ? BECKON_FORM_REQUEST (request)->key : NULL;
}

const char *
beckon_form_request_get_resumption (BeckonRequest *request)
{
  return BECKON_IS_FORM_REQUEST (request) ? BECKON_FORM_REQUEST (request)->resumption : NULL;
}

const char *
beckon_form_request_get_asking_call (BeckonRequest *request)
{
  return BECKON_IS_FORM_REQUEST (request) ? BECKON_FORM_REQUEST (request)->call : NULL;
}

void
beckon_form_request_set_asking_call (BeckonRequest *request, const char *call_id)
{
  g_return_if_fail (BECKON_IS_FORM_REQUEST (request));

  g_free (BECKON_FORM_REQUEST (request)->call);
  BECKON_FORM_REQUEST (request)->call = g_strdup (call_id);
}

gboolean
beckon_form_request_is_delivered (BeckonRequest *request)
{
  return BECKON_IS_FORM_REQUEST (request) && BECKON_FORM_REQUEST (request)->is_delivered;
}

void
beckon_form_request_set_delivered (BeckonRequest *request)
{
  g_return_if_fail (BECKON_IS_FORM_REQUEST (request));

  BECKON_FORM_REQUEST (request)->is_delivered = TRUE;
}

const char *
beckon_form_request_get_server (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  return BECKON_FORM_REQUEST (request)->server;
}

static const BeckonFormDocument *
get_document (BeckonRequest *request)
{
  return BECKON_FORM_REQUEST (request)->document;
}

const char *
beckon_form_request_get_message (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  return get_document (request)->message;
}

const char *
beckon_form_request_get_schema (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  return get_document (request)->schema;
}

const char *
beckon_form_request_get_secret (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  return get_document (request)->secret;
}

GPtrArray *
beckon_form_request_get_secrets (BeckonRequest *request)
{
  GPtrArray *secrets = BECKON_IS_FORM_REQUEST (request) ? get_document (request)->secrets : NULL;

  return secrets != NULL && secrets->len > 0 ? secrets : NULL;
}

char *
beckon_form_request_dup_value (const char *text, const char *name)
{
  g_autoptr (BeckonJsonValue) value = NULL;
  const BeckonJsonValue *member;

  g_return_val_if_fail (text != NULL && name != NULL, NULL);

  value = beckon_json_value_parse (text, -1, NULL);
  member = beckon_json_value_get (value, name);
  if (member == NULL)
    return NULL;
  return beckon_json_value_get_string (member) != NULL ? g_strdup (beckon_json_value_get_string (member))
                                                       : g_strndup (text + member->offset, member->length);
}

static gboolean
is_number_for (BeckonRequest *request, const char *name, const char *value)
{
  g_autoptr (BeckonJsonValue) schema = beckon_json_value_parse (get_document (request)->schema, -1, NULL);
  const BeckonJsonValue *field = beckon_json_value_get (beckon_json_value_get (schema, "properties"), name);
  const char *type = beckon_json_value_get_string (beckon_json_value_get (field, "type"));
  g_autoptr (BeckonJsonValue) number = beckon_json_value_parse (value, -1, NULL);

  return g_strcmp0 (type, "string") != 0 && number != NULL && number->kind == BECKON_JSON_VALUE_NUMBER;
}

char *
beckon_form_request_dup_with (BeckonRequest *request, const char *text, const char *name, const char *value)
{
  g_autoptr (BeckonJsonValue) whole = NULL;
  g_autoptr (BeckonJsonEdit) edit = NULL;
  g_autoptr (GString) quoted = g_string_new (NULL);
  const BeckonJsonValue *member;
  BeckonJsonWriter writer;
  char *changed;

  whole = beckon_json_value_parse (text, -1, NULL);
  member = beckon_json_value_get (whole, name);
  if (member == NULL)
    return g_strdup (text);
  beckon_json_writer_init (&writer, quoted);
  beckon_json_writer_string (&writer, value, -1);
  edit = beckon_json_edit_replace (member, is_number_for (request, name, value) ? value : quoted->str);
  changed = beckon_json_edit_apply (edit, text);
  explicit_bzero (quoted->str, quoted->len);
  return changed;
}

const char *
beckon_form_request_get_url (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  return get_document (request)->url;
}

gboolean
beckon_form_request_is_url (BeckonRequest *request)
{
  return beckon_form_request_get_url (request) != NULL;
}

const char *
beckon_form_request_get_elicitation_id (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  return get_document (request)->elicitation_id;
}

gboolean
beckon_form_request_is_flat (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), FALSE);

  return get_document (request)->is_flat;
}

BeckonForm *
beckon_form_request_make_form (BeckonRequest *request)
{
  BeckonForm *form;

  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);
  g_return_val_if_fail (!beckon_form_request_is_url (request), NULL);

  form = beckon_form_new_to_fill_in (get_document (request)->schema, get_document (request)->initial);
  beckon_form_set_secrets (form, get_document (request)->secrets);
  return form;
}

/* --- Words -------------------------------------------------------------------------------------------------------- */

#define MOST_SERVER_CHARS 60

static char *
dup_shown_server (BeckonRequest *request)
{
  g_autofree char *shown = beckon_text_for_display (beckon_form_request_get_server (request), -1, BECKON_TEXT_EXACT);

  return beckon_text_shorten (shown, MOST_SERVER_CHARS);
}

char *
beckon_form_request_dup_title (BeckonRequest *request)
{
  g_autofree char *server = NULL;

  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  server = dup_shown_server (request);
  /* Translators: the title of a card; %s is the name of a server of tools, such as "GitHub" */
  return beckon_text_printf (_("%s asks"), server);
}

char *
beckon_form_request_dup_completed_words (BeckonRequest *request)
{
  g_autofree char *server = NULL;

  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  server = dup_shown_server (request);
  /* Translators: %s is the name of a server of tools that had a page opened in the browser */
  return beckon_text_printf (_("%s says that what was opened in the browser is done."), server);
}

char *
beckon_form_request_dup_host (BeckonRequest *request)
{
  g_autoptr (GUri) uri = NULL;
  g_autofree char *host = NULL;

  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  uri = g_uri_parse (beckon_form_request_get_url (request), G_URI_FLAGS_ENCODED, NULL);
  host = g_uri_get_port (uri) > 0 ? g_strdup_printf ("%s:%d", g_uri_get_host (uri), g_uri_get_port (uri))
                                  : g_strdup (g_uri_get_host (uri));
  return beckon_text_for_display (host, -1, BECKON_TEXT_EXACT);
}

/* Letters of other scripts can look like those of a host that one knows. */
char *
beckon_form_request_dup_url_warning (BeckonRequest *request)
{
  g_autoptr (GUri) uri = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  const char *host;

  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  uri = g_uri_parse (beckon_form_request_get_url (request), G_URI_FLAGS_ENCODED, NULL);
  host = g_uri_get_host (uri);
  if (g_hostname_is_ascii_encoded (host) || g_hostname_is_non_ascii (host))
    {
      g_autofree char *unicode = g_hostname_to_unicode (host);
      g_autofree char *ascii = g_hostname_to_ascii (host);
      g_autofree char *shown = beckon_text_for_display (unicode != NULL ? unicode : host, -1, BECKON_TEXT_EXACT);
      g_autofree char *other = beckon_text_for_display (ascii != NULL ? ascii : host, -1, BECKON_TEXT_EXACT);

      /* Translators: two ways to write the name of a host, such as "bücher.example" and "xn--bcher-kva.example" */
      beckon_text_append (text, _("Its name has letters that can look like others: “%s” is really “%s”."), shown, other);
    }
  if (strcmp (g_uri_get_scheme (uri), "http") == 0 && strcmp (host, "localhost") != 0 && strcmp (host, "127.0.0.1") != 0
      && strcmp (host, "::1") != 0)
    beckon_text_append (text, "%s%s", text->len > 0 ? " " : "",
                        _("The connection is not encrypted (http): others can read what you enter there."));
  if (g_uri_get_userinfo (uri) != NULL)
    beckon_text_append (text, "%s%s", text->len > 0 ? " " : "",
                        _("What stands before the “@” is not where it leads."));
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* --- The body ----------------------------------------------------------------------------------------------------- */

static gboolean
beckon_form_request_read_body (BeckonRequest *request, const char *body, GError **error)
{
  BeckonFormRequest *self = BECKON_FORM_REQUEST (request);
  g_autoptr (JsonObject) object = beckon_json_parse_object (body, -1, error);
  const char *params;

  if (object == NULL)
    return FALSE;
  params = beckon_json_get_string (object, "params");
  self->server = g_strdup (beckon_json_get_string (object, "server"));
  self->params = g_strdup (params);
  self->key = g_strdup (beckon_json_get_string (object, "key"));
  self->resumption = g_strdup (beckon_json_get_string (object, "resumption"));
  self->call = g_strdup (beckon_json_get_string (object, "call"));
  if (self->server == NULL || params == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Not a stored form: its server or its form is missing");
      return FALSE;
    }
  self->document = beckon_form_document_parse (params, error);
  return self->document != NULL;
}

static char *
write_body (BeckonRequest *request, gboolean is_logged)
{
  BeckonFormRequest *self = BECKON_FORM_REQUEST (request);
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "form", BECKON_REQUEST_GET_CLASS (request)->form);
  beckon_json_writer_member_string (&writer, "server", self->server);
  beckon_json_writer_member_string (&writer, "params", self->params);
  if (!is_logged)
    {
      beckon_request_json_member (&writer, "key", self->key);
      beckon_request_json_member (&writer, "resumption", self->resumption);
      beckon_request_json_member (&writer, "call", self->call);
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* A server's state may be anything, and is of use only where its call can be sent again. */
char *
beckon_form_request_dup_portable (const char *body)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (body, -1, NULL);
  g_autoptr (JsonNode) node = NULL;

  if (object == NULL || beckon_json_get_string (object, "resumption") == NULL)
    return NULL;
  json_object_remove_member (object, "key");
  json_object_remove_member (object, "resumption");
  json_object_remove_member (object, "call");
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_set_object (node, object);
  return beckon_json_print (node);
}

static char *
beckon_form_request_dup_body (BeckonRequest *request)
{
  return write_body (request, FALSE);
}

static char *
beckon_form_request_dup_logged (BeckonRequest *request)
{
  return write_body (request, TRUE);
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

static gboolean
beckon_form_request_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  g_autoptr (BeckonForm) form = NULL;
  g_autofree char *problems = NULL;

  if (answer->kind != BECKON_ANSWER_FORM)
    return TRUE;
  if (beckon_form_request_is_url (request))
    return answer->text == NULL || beckon_request_refuse (error, _("There is nothing to fill in, only an address to open."));
  if (answer->text == NULL)
    return beckon_request_refuse (error, _("Fill in the form."));
  form = beckon_form_request_make_form (request);
  beckon_form_set_text (form, answer->text);
  problems = beckon_form_dup_problems (form);
  return problems == NULL || beckon_request_refuse (error, problems);
}

char *
beckon_form_request_dup_result (BeckonRequest *request, const BeckonAnswer *answer)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  if (answer != NULL && answer->kind == BECKON_ANSWER_FORM)
    {
      beckon_json_writer_member_string (&writer, "action", "accept");
      if (answer->text != NULL)
        {
          beckon_json_writer_name (&writer, "content");
          beckon_json_writer_raw (&writer, answer->text, -1);
        }
    }
  else
    {
      beckon_json_writer_member_string (&writer, "action",
                                        answer != NULL && answer->kind == BECKON_ANSWER_DECLINED ? "decline" : "cancel");
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* No call waits for it; the tool that asked has the answer. */
static void
beckon_form_request_settle_call (BeckonRequest *request, const BeckonAnswer *answer, BeckonSettlement *settlement)
{
  settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
}

static char *
beckon_form_request_dup_summary (BeckonRequest *request, const BeckonAnswer *answer)
{
  g_autofree char *server = NULL;

  if (answer->kind == BECKON_ANSWER_DECLINED)
    return g_strdup (_("Declined"));
  if (answer->kind == BECKON_ANSWER_SKIP)
    return g_strdup (_("Not answered"));
  if (answer->kind == BECKON_ANSWER_FORM && beckon_form_request_is_url (request))
    return g_strdup (_("Agreed to open the address"));
  if (answer->kind != BECKON_ANSWER_UNAVAILABLE)
    return beckon_answer_to_summary (answer, NULL);
  server = dup_shown_server (request);
  /* Translators: %s is the name of a server of tools that had asked something */
  return beckon_text_printf (_("%s no longer waits for an answer"), server);
}

#define MOST_TRACE_CHARS 160
#define MOST_ANSWER_CHARS 600

static char *
dup_answered (BeckonRequest *request)
{
  BeckonAnswer *answer = beckon_request_get_answer (request);
  g_autofree char *filled_in = NULL;
  g_autofree char *summary = NULL;

  if (answer != NULL && answer->kind == BECKON_ANSWER_DECLINED)
    return g_strdup (_("You declined."));
  if (answer != NULL && answer->kind == BECKON_ANSWER_SKIP)
    return g_strdup (_("You gave no answer."));
  if (answer != NULL && answer->kind == BECKON_ANSWER_FORM && answer->text != NULL && !beckon_form_request_is_url (request))
    {
      const char *text = answer->text;
      g_autoptr (BeckonForm) form = beckon_form_request_make_form (request);
      g_autoptr (GString) line = g_string_new (NULL);
      const GPtrArray *fields;

      /* "Day: 2026-12-24, Guests: 2" */
      beckon_form_set_text (form, text);
      fields = beckon_form_get_root (form)->children;
      for (guint i = 0; i < fields->len; i++)
        {
          const BeckonFormField *field = g_ptr_array_index (fields, i);
          g_autofree char *words = beckon_form_field_dup_words (field);
          g_autofree char *value = words != NULL ? beckon_text_shorten (words, MOST_TRACE_CHARS) : NULL;

          if (value == NULL)
            continue;
          if (line->len > 0)
            g_string_append (line, _(", "));
          beckon_text_append (line, _("%s: %s"), field->title, value);
        }

      filled_in = beckon_text_shorten (line->str, MOST_ANSWER_CHARS);
      /* Translators: %s are the fields of a form with what was filled in: "Day: 2026-12-24, Guests: 2" */
      return beckon_text_printf (_("You answered: %s"), filled_in);
    }
  summary = beckon_request_dup_summary (request);
  return summary != NULL ? g_steal_pointer (&summary) : g_strdup (_("Not answered"));
}

char *
beckon_form_request_dup_trace (BeckonRequest *request)
{
  g_autofree char *server = NULL;
  g_autofree char *message = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *answered = NULL;

  g_return_val_if_fail (BECKON_IS_FORM_REQUEST (request), NULL);

  server = dup_shown_server (request);
  shown = beckon_text_for_display (beckon_form_request_get_message (request), -1, BECKON_TEXT_EXACT);
  message = beckon_text_shorten (shown, MOST_TRACE_CHARS);
  answered = dup_answered (request);
  /* Translators: a server of tools, what it asked, and what became of that: "weather asked: Which day? — You declined." */
  return beckon_text_printf (_("%1$s asked: %2$s — %3$s"), server, message, answered);
}

static gboolean
waits_to_resume (BeckonToolCall *call)
{
  GObject *request = beckon_tool_call_get_request (call);

  return BECKON_IS_FORM_REQUEST (request) && BECKON_FORM_REQUEST (request)->resumption != NULL
         && beckon_request_get_state (BECKON_REQUEST (request)) == BECKON_REQUEST_PENDING;
}

gboolean
beckon_form_request_holds_up (BeckonMessage *message)
{
  g_autoptr (GPtrArray) calls = NULL;
  guint n_waiting = 0;

  g_return_val_if_fail (BECKON_IS_MESSAGE (message), FALSE);

  calls = beckon_message_list_calls (message);
  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);

      if (beckon_tool_call_get_state (call) == BECKON_CALL_STARTED && !waits_to_resume (call))
        return FALSE;
      n_waiting += beckon_tool_call_get_state (call) == BECKON_CALL_STARTED;
    }
  return n_waiting > 0;
}

static void
beckon_form_request_finalize (GObject *object)
{
  BeckonFormRequest *self = BECKON_FORM_REQUEST (object);

  g_free (self->server);
  g_free (self->params);
  g_clear_pointer (&self->document, beckon_form_document_free);
  g_free (self->key);
  g_free (self->resumption);
  g_free (self->call);
  G_OBJECT_CLASS (beckon_form_request_parent_class)->finalize (object);
}

static gboolean
beckon_form_request_decides (BeckonRequest *request)
{
  return FALSE;
}

static void
beckon_form_request_class_init (BeckonFormRequestClass *klass)
{
  BeckonRequestClass *request_class = BECKON_REQUEST_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_form_request_finalize;
  request_class->kind = "form";
  request_class->form = "elicitation";
  request_class->answers = 1 << BECKON_ANSWER_FORM | 1 << BECKON_ANSWER_DECLINED | 1 << BECKON_ANSWER_SKIP;
  request_class->refusal = N_("A server asks this. Fill in the form, decline it or leave it.");
  request_class->decides = beckon_form_request_decides;
  request_class->read_body = beckon_form_request_read_body;
  request_class->dup_body = beckon_form_request_dup_body;
  request_class->dup_logged = beckon_form_request_dup_logged;
  request_class->check_answer = beckon_form_request_check_answer;
  request_class->settle_call = beckon_form_request_settle_call;
  request_class->dup_summary = beckon_form_request_dup_summary;
}

static void
beckon_form_request_init (BeckonFormRequest *self)
{
}
