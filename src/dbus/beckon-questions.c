/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-questions-private.h"

#include "beckon-questions-interface.h"

G_DEFINE_FINAL_TYPE (BeckonQuestions, beckon_questions, G_TYPE_OBJECT)

enum
{
  SIGNAL_WANTED,
  SIGNAL_REPLIED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

void
beckon_questions_end_call (BeckonQuestions *self)
{
  if (self->application != NULL)
    g_application_release (self->application);
}

void
beckon_questions_say_replied (BeckonQuestions *self, BeckonRequest *request)
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
      beckon_questions_answer_call (self, invocation);
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
  beckon_questions_speak (self);
}

static void
on_name_lost (GDBusConnection *connection, const char *name, gpointer user_data)
{
  BeckonQuestions *self = user_data;

  self->voice = BECKON_QUESTIONS_SILENT;
  beckon_questions_speak (self);
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

static void
refuse_calls (BeckonQuestions *self)
{
  GDBusMethodInvocation *invocation;

  while ((invocation = g_queue_pop_head (&self->calls)) != NULL)
    {
      g_dbus_method_invocation_return_dbus_error (invocation, BECKON_QUESTIONS_ERROR ("Failed"),
                                                  "Beckon is being closed");
      beckon_questions_end_call (self);
    }
}

void
beckon_questions_withdraw (BeckonQuestions *self)
{
  g_return_if_fail (BECKON_IS_QUESTIONS (self));

  refuse_calls (self);
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

  g_return_if_fail (BECKON_IS_QUESTIONS (self));

  if (self->runtime == runtime)
    return;

  if (self->runtime != NULL)
    beckon_questions_unfollow (self);
  g_set_object (&self->runtime, runtime);
  if (runtime == NULL)
    return;

  beckon_questions_follow (self);
  while ((invocation = g_queue_pop_head (&self->calls)) != NULL)
    beckon_questions_answer_call (self, invocation);
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
