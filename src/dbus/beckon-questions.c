/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-writer.h"
#include "beckon-questions-interface.h"
#include "dbus/beckon-questions.h"
#include "request/beckon-call-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-request-store.h"
#include "store/queries/beckon-request-contexts.h"
#include "text/beckon-request-document.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/** Whether this process has the name: not known yet, no, yes. */
typedef enum
{
  BECKON_QUESTIONS_UNDECIDED,
  BECKON_QUESTIONS_SILENT,
  BECKON_QUESTIONS_SPEAKING,
} BeckonQuestionsVoice;

struct _BeckonQuestions
{
  GObject parent_instance;

  /* input */
  GApplication *application; /* (unowned) (nullable) */
  BeckonRuntime *runtime;    /* (owned) (nullable) */

  /* on the bus */
  GDBusConnection *connection; /* (owned) (nullable) */
  guint object_id;
  guint name_id;
  BeckonQuestionsVoice voice;

  /* in progress */
  GQueue calls;     /* (element-type GDBusMethodInvocation): that came before the runtime */
  GQueue announced; /* (element-type BeckonRequest): that came before it was known who speaks */
  guint n_announcing;
  GQueue flushing; /* (element-type GTask) */
  gulong changed_handler;
  gulong settled_handler;
};

static void questions_end_call (BeckonQuestions *self);
static void questions_check_flushed (BeckonQuestions *self);
static void questions_say_replied (BeckonQuestions *self, BeckonRequest *request);

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
  questions_end_call (call->questions);
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

/* Whether the person's settings let other programs answer it. */
static gboolean
questions_may_answer (BeckonQuestions *self, BeckonRequest *request)
{
  BeckonSettings *settings = self->runtime != NULL ? beckon_runtime_get_settings (self->runtime) : NULL;

  if (settings == NULL)
    return FALSE;

  return beckon_request_decides (request) ? beckon_settings_get_dbus_answer_approvals (settings)
                                          : beckon_settings_get_dbus_answer_questions (settings);
}

/* Fills in who asks. @context: (nullable). */
static void
questions_name_asker (BeckonQuestions *self, BeckonRequestContext *context)
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

      questions_name_asker (call->questions, context);
      g_variant_builder_add_value (
          documents, g_variant_new_take_string (beckon_request_document_write (
                         request, context, questions_may_answer (call->questions, request))));
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
  questions_name_asker (call->questions, context);
  document = beckon_request_document_write (call->request, context,
                                            questions_may_answer (call->questions, call->request));
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
  questions_say_replied (call->questions, call->request);
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

  if (!questions_may_answer (call->questions, request))
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
    {
      const BeckonRunRecord *record = g_ptr_array_index (records, i);
      g_autoptr (GString) text = g_string_new (NULL);
      gboolean is_ours = beckon_agent_is_driving (beckon_runtime_get_agent (call->runtime), record->conversation_id);
      BeckonJsonWriter writer;
      BeckonProfile *profile;

      beckon_json_writer_init (&writer, text);
      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "id", record->id);
      beckon_json_writer_name (&writer, "conversation");
      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "id", record->conversation_id);
      if (record->title != NULL)
        beckon_json_writer_member_string (&writer, "title", record->title);
      beckon_json_writer_end_object (&writer);
      profile = beckon_profiles_lookup (beckon_runtime_get_profiles (call->runtime), record->profile_id);
      beckon_json_writer_name (&writer, "asker");
      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "profile", record->profile_id);
      if (profile != NULL)
        beckon_json_writer_member_string (&writer, "name", beckon_profile_get_name (profile));
      beckon_json_writer_end_object (&writer);
      beckon_json_writer_member_string (&writer, "phase", beckon_run_phase_to_string (record->phase));
      if (record->detail != NULL)
        beckon_json_writer_member_string (&writer, "detail", beckon_run_detail_get_sentence (record->detail));
      beckon_json_writer_member_int (&writer, "round", record->round);
      beckon_json_writer_member_int (&writer, "round_limit", record->round_limit);
      if (record->retry_at != 0)
        beckon_json_writer_member_int (&writer, "retry_at", record->retry_at);
      beckon_json_writer_member_boolean (&writer, "driven", record->held || is_ours);
      beckon_json_writer_end_object (&writer);
      g_variant_builder_add_value (runs, g_variant_new_take_string (g_string_free (g_steal_pointer (&text), FALSE)));
    }
  g_dbus_method_invocation_return_value (call->invocation, g_variant_new ("(as)", runs));
}

static void
list_runs (Call *call)
{
  beckon_store_list_open_runs_async (get_store (call), NULL, questions_calls_on_runs, call);
}

/* Answers one call; the runtime is there. @invocation is taken, as GDBus hands it out. */
static void
questions_answer_call (BeckonQuestions *self, GDBusMethodInvocation *invocation)
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

/* Announcements without a call. Every process of Beckon that serves the interface sees every request; only the owner of the
 * name speaks, so that each is told once. */

typedef struct
{
  BeckonQuestions *questions;
  BeckonRequest *request;
} Announcement;

static void
emit (BeckonQuestions *self, const char *name, GVariant *parameters)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (parameters);

  if (self->connection != NULL && self->voice == BECKON_QUESTIONS_SPEAKING)
    g_dbus_connection_emit_signal (self->connection, NULL, BECKON_QUESTIONS_PATH, BECKON_QUESTIONS_INTERFACE, name, held,
                                   NULL);
}

static void
on_context (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Announcement *announcement = user_data;
  g_autoptr (BeckonQuestions) self = announcement->questions;
  g_autoptr (BeckonRequest) request = announcement->request;
  g_autoptr (GHashTable) contexts = beckon_store_load_contexts_finish (BECKON_STORE (source), result, NULL);
  const char *id = beckon_request_get_id (request);
  BeckonRequestContext *context = contexts != NULL ? g_hash_table_lookup (contexts, id) : NULL;
  g_autofree char *document = NULL;

  questions_name_asker (self, context);
  document = beckon_request_document_write (request, context, questions_may_answer (self, request));
  emit (self, "Asked", g_variant_new ("(ss)", id, document));
  self->n_announcing--;
  questions_check_flushed (self);
}

static void
load_and_emit (BeckonQuestions *self, BeckonRequest *request)
{
  Announcement *announcement;

  if (self->runtime == NULL)
    return;

  announcement = g_new0 (Announcement, 1);
  announcement->questions = g_object_ref (self);
  announcement->request = g_object_ref (request);
  self->n_announcing++;
  beckon_store_load_contexts_async (beckon_runtime_get_store (self->runtime), beckon_request_get_id (request), NULL,
                                    on_context, announcement);
}

/* Emits what waited until it was known who speaks. */
static void
questions_speak (BeckonQuestions *self)
{
  BeckonRequest *request;

  while ((request = g_queue_pop_head (&self->announced)) != NULL)
    {
      if (self->voice == BECKON_QUESTIONS_SPEAKING)
        load_and_emit (self, request);
      g_object_unref (request);
    }
  questions_check_flushed (self);
}

void
beckon_questions_announce (BeckonQuestions *self, BeckonRequest *request)
{
  g_return_if_fail (BECKON_IS_QUESTIONS (self));
  g_return_if_fail (BECKON_IS_REQUEST (request));

  if (self->voice == BECKON_QUESTIONS_SPEAKING)
    load_and_emit (self, request);
  else if (self->voice == BECKON_QUESTIONS_UNDECIDED)
    g_queue_push_tail (&self->announced, g_object_ref (request));
}

static void
signals_on_inbox_changed (GListModel *inbox, guint position, guint removed, guint added, BeckonQuestions *self)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);

      beckon_questions_announce (self, request);
    }
}

static void
signals_on_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, BeckonQuestions *self)
{
  g_autoptr (BeckonAnswer) answer = beckon_request_dup_shown_answer (request);
  const char *id = beckon_request_get_id (request);
  const char *status = beckon_request_state_to_string (beckon_request_get_state (request));
  g_autofree char *document = NULL;

  if (!beckon_request_check_outcome (request, NULL))
    {
      emit (self, "Rejected",
            g_variant_new ("(sss)", id, status, answer != NULL && answer->text != NULL ? answer->text : ""));
      return;
    }

  if (answer != NULL)
    document = beckon_answer_document_write (answer, beckon_request_get_question (request));
  emit (self, "Replied", g_variant_new ("(sss)", id, status, document != NULL ? document : "{}"));
}

static void
on_flushed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_dbus_connection_flush_finish (G_DBUS_CONNECTION (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Continues flushing if nothing that was announced is on its way any longer. */
static void
questions_check_flushed (BeckonQuestions *self)
{
  GTask *task;

  if (self->n_announcing > 0 || !g_queue_is_empty (&self->announced))
    return;

  while ((task = g_queue_pop_head (&self->flushing)) != NULL)
    {
      if (self->connection != NULL)
        g_dbus_connection_flush (self->connection, g_task_get_cancellable (task), on_flushed, task);
      else
        {
          g_task_return_boolean (task, TRUE);
          g_object_unref (task);
        }
    }
}

static void
on_flush_cancelled (GCancellable *cancellable, GTask *task)
{
  BeckonQuestions *self = g_task_get_source_object (task);

  if (!g_queue_remove (&self->flushing, task))
    return;

  g_task_return_error_if_cancelled (task);
  g_object_unref (task);
}

void
beckon_questions_flush_async (BeckonQuestions *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_QUESTIONS (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_questions_flush_async);
  g_queue_push_tail (&self->flushing, task);
  if (cancellable != NULL)
    g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (on_flush_cancelled), task, 0);
  questions_check_flushed (self);
}

BECKON_FINISH_BOOLEAN (beckon_questions_flush, BeckonQuestions)

G_DEFINE_FINAL_TYPE (BeckonQuestions, beckon_questions, G_TYPE_OBJECT)

enum
{
  SIGNAL_WANTED,
  SIGNAL_REPLIED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* Lets the application end again; after every call. */
static void
questions_end_call (BeckonQuestions *self)
{
  if (self->application != NULL)
    g_application_release (self->application);
}

/* Says that another program settled it. */
static void
questions_say_replied (BeckonQuestions *self, BeckonRequest *request)
{
  g_signal_emit (self, signals[SIGNAL_REPLIED], 0, request);
}

static void
on_method_call (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  BeckonQuestions *self = user_data;

  if (self->application != NULL)
    g_application_hold (self->application);
  if (self->runtime != NULL)
    {
      questions_answer_call (self, invocation);
      return;
    }

  g_queue_push_tail (&self->calls, invocation);
  g_signal_emit (self, signals[SIGNAL_WANTED], 0);
}

gboolean
beckon_questions_export (BeckonQuestions *self, GDBusConnection *connection, GError **error)
{
  static const GDBusInterfaceVTable vtable = { .method_call = on_method_call };

  g_return_val_if_fail (BECKON_IS_QUESTIONS (self), FALSE);
  g_return_val_if_fail (G_IS_DBUS_CONNECTION (connection), FALSE);
  g_return_val_if_fail (self->object_id == 0, FALSE);

  self->object_id = g_dbus_connection_register_object (
      connection, BECKON_QUESTIONS_PATH, (GDBusInterfaceInfo *) &io_github_beckon_beckon_questions1_interface, &vtable, self,
      NULL, error);
  if (self->object_id == 0)
    return FALSE;

  self->connection = g_object_ref (connection);
  return TRUE;
}

static void
on_name_acquired (GDBusConnection *connection, const char *name, gpointer user_data)
{
  BeckonQuestions *self = user_data;

  self->voice = BECKON_QUESTIONS_SPEAKING;
  questions_speak (self);
}

static void
on_name_lost (GDBusConnection *connection, const char *name, gpointer user_data)
{
  BeckonQuestions *self = user_data;

  self->voice = BECKON_QUESTIONS_SILENT;
  questions_speak (self);
}

void
beckon_questions_own_name (BeckonQuestions *self)
{
  g_return_if_fail (BECKON_IS_QUESTIONS (self));

  if (self->object_id == 0 || self->name_id != 0)
    return;

  self->name_id = g_bus_own_name_on_connection (self->connection, BECKON_QUESTIONS_NAME, G_BUS_NAME_OWNER_FLAGS_NONE,
                                                on_name_acquired, on_name_lost, self, NULL);
}

void
beckon_questions_withdraw (BeckonQuestions *self)
{
  GDBusMethodInvocation *invocation;

  g_return_if_fail (BECKON_IS_QUESTIONS (self));

  while ((invocation = g_queue_pop_head (&self->calls)) != NULL)
    {
      g_dbus_method_invocation_return_dbus_error (invocation, BECKON_QUESTIONS_ERROR ("Failed"),
                                                  "Beckon is being closed");
      questions_end_call (self);
    }
  g_clear_handle_id (&self->name_id, g_bus_unown_name);
  self->voice = BECKON_QUESTIONS_UNDECIDED;
  if (self->object_id != 0)
    g_dbus_connection_unregister_object (self->connection, self->object_id);
  self->object_id = 0;
  g_clear_object (&self->connection);
}

void
beckon_questions_set_runtime (BeckonQuestions *self, BeckonRuntime *runtime)
{
  GDBusMethodInvocation *invocation;
  BeckonInbox *inbox;

  g_return_if_fail (BECKON_IS_QUESTIONS (self));

  if (self->runtime == runtime)
    return;

  if (self->runtime != NULL)
    {
      BeckonInbox *old = beckon_runtime_get_inbox (self->runtime);

      g_clear_signal_handler (&self->changed_handler, old);
      g_clear_signal_handler (&self->settled_handler, old);
    }
  g_set_object (&self->runtime, runtime);
  if (runtime == NULL)
    return;

  inbox = beckon_runtime_get_inbox (self->runtime);
  self->changed_handler = g_signal_connect (inbox, "items-changed", G_CALLBACK (signals_on_inbox_changed), self);
  self->settled_handler = g_signal_connect (inbox, "settled", G_CALLBACK (signals_on_settled), self);
  while ((invocation = g_queue_pop_head (&self->calls)) != NULL)
    questions_answer_call (self, invocation);
}

gboolean
beckon_questions_is_wanted (BeckonQuestions *self)
{
  g_return_val_if_fail (BECKON_IS_QUESTIONS (self), FALSE);

  return !g_queue_is_empty (&self->calls);
}

static void
beckon_questions_dispose (GObject *object)
{
  BeckonQuestions *self = BECKON_QUESTIONS (object);

  beckon_questions_withdraw (self);
  beckon_questions_set_runtime (self, NULL);
  g_queue_clear_full (&self->announced, g_object_unref);
  G_OBJECT_CLASS (beckon_questions_parent_class)->dispose (object);
}

static void
beckon_questions_class_init (BeckonQuestionsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_questions_dispose;

  signals[SIGNAL_WANTED] = g_signal_new ("wanted", BECKON_TYPE_QUESTIONS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
  signals[SIGNAL_REPLIED] = g_signal_new ("replied", BECKON_TYPE_QUESTIONS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, BECKON_TYPE_REQUEST);
}

static void
beckon_questions_init (BeckonQuestions *self)
{
  g_queue_init (&self->calls);
  g_queue_init (&self->announced);
  g_queue_init (&self->flushing);
}

BeckonQuestions *
beckon_questions_new (GApplication *application)
{
  BeckonQuestions *self = g_object_new (BECKON_TYPE_QUESTIONS, NULL);

  self->application = application;
  return self;
}
