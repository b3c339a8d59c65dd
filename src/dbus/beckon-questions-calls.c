/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-questions-private.h"

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "store/queries/beckon-request-contexts.h"
#include "text/beckon-request-document.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Ids are far shorter. */
#define MAX_ID_BYTES 200

/* A call, until it is answered. */
typedef struct
{
  BeckonQuestions *questions; /* (owned) */
  BeckonRuntime *runtime;     /* (owned): stays until the call is answered, whatever the questions are given meanwhile */
  GDBusMethodInvocation *invocation;
  GPtrArray *requests;    /* (owned) (nullable): List */
  BeckonRequest *request; /* (owned) (nullable): Get, Reply, Reject */
} Call;

static void
questions_calls_call_free (Call *call)
{
  beckon_questions_end_call (call->questions);
  g_clear_pointer (&call->requests, g_ptr_array_unref);
  g_clear_object (&call->request);
  g_object_unref (call->runtime);
  g_object_unref (call->questions);
  g_free (call);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Call, questions_calls_call_free)

static BeckonStore *
get_store (Call *call)
{
  return beckon_runtime_get_store (call->runtime);
}

static const char *
get_id (Call *call)
{
  const char *id;

  g_variant_get_child (g_dbus_method_invocation_get_parameters (call->invocation), 0, "&s", &id);
  return id;
}

static const char *
name_error (const GError *error)
{
  if (g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN))
    return BECKON_QUESTIONS_ERROR ("NotFound");
  if (g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED))
    return BECKON_QUESTIONS_ERROR ("AlreadySettled");
  if (g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID))
    return BECKON_QUESTIONS_ERROR ("Invalid");

  return BECKON_QUESTIONS_ERROR ("Failed");
}

static void
questions_calls_fail (Call *call, const GError *error)
{
  g_dbus_method_invocation_return_dbus_error (call->invocation, name_error (error), error->message);
}

gboolean
beckon_questions_may_answer (BeckonQuestions *self, BeckonRequest *request)
{
  BeckonSettings *settings = self->runtime != NULL ? beckon_runtime_get_settings (self->runtime) : NULL;

  if (settings == NULL)
    return FALSE;

  return beckon_request_decides (request) ? beckon_settings_get_dbus_answer_approvals (settings)
                                          : beckon_settings_get_dbus_answer_questions (settings);
}

void
beckon_questions_name_asker (BeckonQuestions *self, BeckonRequestContext *context)
{
  if (self->runtime != NULL)
    beckon_profiles_name_asker (beckon_runtime_get_profiles (self->runtime), context);
}

/* List */

static void
on_contexts_of_list (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Call) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) contexts = beckon_store_load_contexts_finish (BECKON_STORE (source), result, &error);
  g_autoptr (GVariantBuilder) documents = NULL;

  if (contexts == NULL)
    {
      questions_calls_fail (call, error);
      return;
    }

  documents = g_variant_builder_new (G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < call->requests->len; i++)
    {
      BeckonRequest *request = g_ptr_array_index (call->requests, i);
      BeckonRequestContext *context = g_hash_table_lookup (contexts, beckon_request_get_id (request));

      beckon_questions_name_asker (call->questions, context);
      g_variant_builder_add_value (
          documents, g_variant_new_take_string (beckon_request_document_write (
                         request, context, beckon_questions_may_answer (call->questions, request))));
    }
  g_dbus_method_invocation_return_value (call->invocation, g_variant_new ("(as)", documents));
}

static void
questions_calls_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Call) call = user_data;
  g_autoptr (GError) error = NULL;

  call->requests = beckon_request_store_list_pending_finish (BECKON_REQUEST_STORE (source), result, &error);
  if (call->requests != NULL)
    beckon_store_load_contexts_async (BECKON_STORE (source), NULL, NULL, on_contexts_of_list, g_steal_pointer (&call));
  else
    questions_calls_fail (call, error);
}

static void
questions_calls_list (Call *call)
{
  beckon_request_store_list_pending_async (BECKON_REQUEST_STORE (get_store (call)), NULL, questions_calls_on_listed, call);
}

/* Get */

static void
on_context_of_one (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Call) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) contexts = beckon_store_load_contexts_finish (BECKON_STORE (source), result, &error);
  BeckonRequestContext *context;
  g_autofree char *document = NULL;

  if (contexts == NULL)
    {
      questions_calls_fail (call, error);
      return;
    }

  context = g_hash_table_lookup (contexts, beckon_request_get_id (call->request));
  beckon_questions_name_asker (call->questions, context);
  document = beckon_request_document_write (call->request, context,
                                            beckon_questions_may_answer (call->questions, call->request));
  g_dbus_method_invocation_return_value (call->invocation, g_variant_new ("(s)", document));
}

static void
questions_calls_on_got (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Call) call = user_data;
  g_autoptr (GError) error = NULL;
  const char *id;

  call->request = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);
  if (call->request == NULL)
    {
      questions_calls_fail (call, error);
      return;
    }

  id = beckon_request_get_id (call->request);
  beckon_store_load_contexts_async (BECKON_STORE (source), id, NULL, on_context_of_one, g_steal_pointer (&call));
}

static void
questions_calls_get (Call *call)
{
  beckon_request_store_lookup_async (BECKON_REQUEST_STORE (get_store (call)), get_id (call), NULL, questions_calls_on_got,
                                     call);
}

/* Reply, Reject */

static void
questions_calls_on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Call) call = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error))
    {
      questions_calls_fail (call, error);
      return;
    }

  g_dbus_method_invocation_return_value (call->invocation, NULL);
  beckon_questions_say_replied (call->questions, call->request);
}

/* A reason has no other member that could be at fault. */
static BeckonAnswer *
make_rejection (const char *reason, BeckonRequest *request, GError **error)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_DECLINED, reason);
  g_autoptr (GError) fault = NULL;

  if (beckon_request_check_answer (request, answer, &fault))
    return g_steal_pointer (&answer);

  g_set_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID, "reason: %s", fault->message);
  return NULL;
}

static void
questions_calls_settle (Call *call, BeckonRequest *request)
{
  BeckonInbox *inbox = beckon_runtime_get_inbox (call->runtime);
  gboolean rejects = g_str_equal (g_dbus_method_invocation_get_method_name (call->invocation), "Reject");
  g_autoptr (Call) held = call;
  g_autoptr (BeckonAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;
  const char *text;

  if (!beckon_questions_may_answer (call->questions, request))
    {
      g_dbus_method_invocation_return_dbus_error (call->invocation, BECKON_QUESTIONS_ERROR ("NotAllowed"),
                                                  _("The settings of Beckon do not let other programs answer this."));
      return;
    }

  g_variant_get_child (g_dbus_method_invocation_get_parameters (call->invocation), 1, "&s", &text);
  answer = rejects ? make_rejection (text, request, &error) : beckon_answer_document_read (text, request, &error);
  g_set_object (&held->request, request);
  if (answer != NULL)
    beckon_inbox_settle_async (inbox, beckon_request_get_id (request), answer, "dbus", NULL, NULL, questions_calls_on_settled,
                               g_steal_pointer (&held));
  else
    questions_calls_fail (call, error);
}

/* That it is over is said before anything is said about the answer. */
static void
on_found_to_settle (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Call) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) request = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);

  if (request != NULL && beckon_request_check_pending (request, &error))
    questions_calls_settle (g_steal_pointer (&call), request);
  else
    questions_calls_fail (call, error);
}

static void
reply (Call *call)
{
  BeckonRequest *request = beckon_inbox_lookup (beckon_runtime_get_inbox (call->runtime), get_id (call));

  if (request != NULL)
    questions_calls_settle (call, request);
  else
    beckon_request_store_lookup_async (BECKON_REQUEST_STORE (get_store (call)), get_id (call), NULL, on_found_to_settle, call);
}

/* Runs */

static void
add_conversation (BeckonJsonWriter *writer, const BeckonRunRecord *record)
{
  beckon_json_writer_name (writer, "conversation");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "id", record->conversation_id);
  if (record->title != NULL)
    beckon_json_writer_member_string (writer, "title", record->title);
  beckon_json_writer_end_object (writer);
}

static void
add_asker (BeckonJsonWriter *writer, BeckonRuntime *runtime, const BeckonRunRecord *record)
{
  BeckonProfile *profile = beckon_profiles_lookup (beckon_runtime_get_profiles (runtime), record->profile_id);

  beckon_json_writer_name (writer, "asker");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "profile", record->profile_id);
  if (profile != NULL)
    beckon_json_writer_member_string (writer, "name", beckon_profile_get_name (profile));
  beckon_json_writer_end_object (writer);
}

static char *
write_run (BeckonRuntime *runtime, const BeckonRunRecord *record)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_ours = beckon_agent_is_driving (beckon_runtime_get_agent (runtime), record->conversation_id);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "id", record->id);
  add_conversation (&writer, record);
  add_asker (&writer, runtime, record);
  beckon_json_writer_member_string (&writer, "phase", beckon_run_phase_to_string (record->phase));
  if (record->detail != NULL)
    beckon_json_writer_member_string (&writer, "detail", beckon_run_detail_get_sentence (record->detail));
  beckon_json_writer_member_int (&writer, "round", record->round);
  beckon_json_writer_member_int (&writer, "round_limit", record->round_limit);
  if (record->retry_at != 0)
    beckon_json_writer_member_int (&writer, "retry_at", record->retry_at);
  beckon_json_writer_member_boolean (&writer, "driven", record->held || is_ours);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
questions_calls_on_runs (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Call) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = beckon_store_list_open_runs_finish (BECKON_STORE (source), result, &error);
  g_autoptr (GVariantBuilder) runs = NULL;

  if (records == NULL)
    {
      questions_calls_fail (call, error);
      return;
    }

  runs = g_variant_builder_new (G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < records->len; i++)
    g_variant_builder_add_value (
        runs, g_variant_new_take_string (write_run (call->runtime, g_ptr_array_index (records, i))));
  g_dbus_method_invocation_return_value (call->invocation, g_variant_new ("(as)", runs));
}

static void
list_runs (Call *call)
{
  beckon_store_list_open_runs_async (get_store (call), NULL, questions_calls_on_runs, call);
}

void
beckon_questions_answer_call (BeckonQuestions *self, GDBusMethodInvocation *invocation)
{
  static const struct
  {
    const char *name;
    void (*answer) (Call *call); /* takes it */
    gboolean takes_id;
  } methods[] = {
    { "List", questions_calls_list, FALSE }, { "Get", questions_calls_get, TRUE },       { "Reply", reply, TRUE },
    { "Reject", reply, TRUE }, { "Runs", list_runs, FALSE },
  };
  const char *name = g_dbus_method_invocation_get_method_name (invocation);
  Call *call = g_new0 (Call, 1);
  guint i = 0;

  call->questions = g_object_ref (self);
  call->runtime = g_object_ref (self->runtime);
  call->invocation = invocation;

  /* GDBus lets no other name through. */
  while (!g_str_equal (methods[i].name, name))
    i++;
  if (methods[i].takes_id && strlen (get_id (call)) > MAX_ID_BYTES)
    {
      g_dbus_method_invocation_return_dbus_error (
          invocation, BECKON_QUESTIONS_ERROR ("NotFound"),
          _("This question no longer exists. Its conversation may have been deleted."));
      questions_calls_call_free (call);
      return;
    }

  methods[i].answer (call);
}
