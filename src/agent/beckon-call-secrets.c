/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-secrets.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-writer.h"
#include "form/beckon-parameters.h"
#include "request/beckon-vault.h"
#include "store/queries/beckon-store-secrets.h"
#include "tools/beckon-ask-user.h"

#include <string.h>

/*
 * Masked answers are handles wherever they are seen or stored. A tool gets the values, for the time that it runs: in the
 * arguments that it is started with and nowhere else. Only handles that were answered in this conversation are redeemed;
 * any other is an error, so that nothing runs with a handle for a password. The output of every tool is masked, whether it was
 * given a secret or not and in whichever conversation that was: it may have found one again where another left it. What a
 * person masked of the call's own arguments is not in its output either.
 */

void
beckon_revealed_free (BeckonRevealed *revealed)
{
  if (revealed == NULL)
    return;

  if (revealed->arguments != NULL)
    explicit_bzero (revealed->arguments, strlen (revealed->arguments));
  g_free (revealed->arguments);
  g_clear_pointer (&revealed->mask, beckon_mask_unref);
  g_free (revealed);
}

static void
add_handles (GPtrArray *handles, const char *text)
{
  const char *found;
  gsize length;

  while (text != NULL && (found = beckon_secret_handle_find (text, &length)) != NULL)
    {
      g_autofree char *handle = g_strndup (found, length);

      if (!g_ptr_array_find_with_equal_func (handles, handle, g_str_equal, NULL))
        g_ptr_array_add (handles, g_steal_pointer (&handle));
      text = found + length;
    }
}

static gboolean
is_question (const BeckonRunScope *scope, BeckonToolCall *call)
{
  BeckonTool *tool = beckon_run_scope_find_tool (scope, call);

  return tool != NULL && BECKON_IS_ASK_USER (tool);
}

/* The handles that were given as answers in this conversation. */
static GPtrArray *
list_handles (const BeckonRunScope *scope)
{
  GPtrArray *handles = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < beckon_conversation_get_n_messages (scope->conversation); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (scope->conversation, i);

      g_autoptr (GPtrArray) calls = beckon_message_list_calls (message);

      for (guint k = 0; k < calls->len; k++)
        {
          BeckonToolCall *call = g_ptr_array_index (calls, k);

          if (is_question (scope, call))
            add_handles (handles, beckon_tool_call_get_result (call));
        }
    }
  return handles;
}

gboolean
beckon_call_names_secret (BeckonToolCall *call)
{
  gsize length;

  return beckon_secret_handle_find (beckon_tool_call_get_effective_arguments (call), &length) != NULL;
}

/* Without a vault there are no secrets. */
gboolean
beckon_call_may_have_secrets (const BeckonRunScope *scope, BeckonToolCall *call)
{
  return beckon_inbox_get_vault (scope->parts.inbox) != NULL || beckon_call_names_secret (call)
         || beckon_tool_call_get_redacted (call) != NULL;
}

typedef struct
{
  BeckonRunScope *scope; /* (owned) */
  BeckonVault *vault; /* (owned) (nullable) */
  GPtrArray *handles; /* all of the conversation */
  GPtrArray *answered; /* (nullable): those that were answered, also to a question that its call did not wait for */
  GPtrArray *named;   /* those in the arguments */
  guint next;
  BeckonMask *redacted; /* (nullable): what of the arguments is not to be seen */
  BeckonRevealed *revealed;
} Revealing;

static void
revealing_free (Revealing *revealing)
{
  beckon_run_scope_unref (revealing->scope);
  g_clear_object (&revealing->vault);
  g_clear_pointer (&revealing->handles, g_ptr_array_unref);
  g_clear_pointer (&revealing->answered, g_ptr_array_unref);
  g_ptr_array_unref (revealing->named);
  beckon_mask_unref (revealing->redacted);
  beckon_revealed_free (revealing->revealed);
  g_free (revealing);
}

/* A handle has no character that JSON writes otherwise; its value may. */
static void
substitute (BeckonRevealed *revealed, const char *handle, const char *value)
{
  g_autoptr (GString) quoted = g_string_new (NULL);
  GString *arguments = g_string_new (revealed->arguments);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, quoted);
  beckon_json_writer_string (&writer, value, -1);
  g_string_truncate (quoted, quoted->len - 1);
  g_string_replace (arguments, handle, quoted->str + 1, 0);
  explicit_bzero (quoted->str, quoted->len);
  explicit_bzero (revealed->arguments, strlen (revealed->arguments));
  g_free (revealed->arguments);
  revealed->arguments = g_string_free (arguments, FALSE);
}

/* A value may itself look like a handle; so what is left over is looked for before anything is put in. */
static char *
find_unknown (GPtrArray *named, GPtrArray *handles)
{
  for (guint i = 0; i < named->len; i++)
    {
      if (!g_ptr_array_find_with_equal_func (handles, g_ptr_array_index (named, i), g_str_equal, NULL))
        return g_strdup (g_ptr_array_index (named, i));
    }
  return NULL;
}

static void
call_secrets_refuse (GTask *task, const char *handle)
{
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           "%s is not known here, or not any more. Nothing was run. Ask the user for it again with "
                           "ask_user and secret.",
                           handle);
}

static void
call_secrets_on_mask_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Revealing *revealing = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (BeckonMask) mask = beckon_known_secrets_make_mask_finish (BECKON_KNOWN_SECRETS (source), result, &error);

  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (revealing->redacted != NULL && mask != NULL)
    beckon_mask_add_all (revealing->redacted, mask);
  revealing->revealed->mask = revealing->redacted != NULL ? g_steal_pointer (&revealing->redacted) : g_steal_pointer (&mask);
  g_task_return_pointer (task, g_steal_pointer (&revealing->revealed), (GDestroyNotify) beckon_revealed_free);
}

static void reveal_next (GTask *task);

static void
call_secrets_on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Revealing *revealing = g_task_get_task_data (task);
  const char *handle = g_ptr_array_index (revealing->named, revealing->next++);
  g_autoptr (GError) error = NULL;
  char *value = beckon_vault_look_up_finish (BECKON_VAULT (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (value == NULL)
    {
      call_secrets_refuse (task, handle);
      return;
    }
  if (*value != '\0')
    substitute (revealing->revealed, handle, value);
  explicit_bzero (value, strlen (value));
  g_free (value);
  reveal_next (task);
}

static void
reveal_next (GTask *task)
{
  Revealing *revealing = g_task_get_task_data (task);

  if (revealing->next < revealing->named->len)
    beckon_vault_look_up_async (revealing->vault, g_ptr_array_index (revealing->named, revealing->next),
                                g_task_get_cancellable (task), call_secrets_on_looked_up, g_object_ref (task));
  else
    beckon_known_secrets_make_mask_async (revealing->scope->parts.secrets, revealing->handles, g_task_get_cancellable (task),
                                          call_secrets_on_mask_made, g_object_ref (task));
}

static void
reveal (GTask *task)
{
  Revealing *revealing = g_task_get_task_data (task);
  g_autofree char *unknown = NULL;

  revealing->handles = revealing->vault != NULL ? list_handles (revealing->scope) : g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; revealing->answered != NULL && i < revealing->answered->len; i++)
    add_handles (revealing->handles, g_ptr_array_index (revealing->answered, i));
  revealing->revealed->has_secrets = revealing->handles->len > 0;
  unknown = find_unknown (revealing->named, revealing->handles);
  if (unknown != NULL)
    call_secrets_refuse (task, unknown);
  else
    reveal_next (task);
}

static void
on_answered_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Revealing *revealing = g_task_get_task_data (task);
  GError *error = NULL;

  revealing->answered = beckon_store_list_secrets_finish (BECKON_STORE (source), result, &error);
  if (revealing->answered != NULL)
    reveal (task);
  else
    g_task_return_error (task, error);
}

/* The answer to a late question, or to one that ended the turn, is in a message and in no result: the settlement has it. */
static void
list_answered (GTask *task)
{
  Revealing *revealing = g_task_get_task_data (task);

  beckon_store_list_answered_secrets_async (revealing->scope->parts.store, beckon_run_scope_get_id (revealing->scope),
                                            g_task_get_cancellable (task), on_answered_listed, g_object_ref (task));
}

static void
on_history_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    list_answered (task);
  else
    g_task_return_error (task, error);
}

/* Nearly always there are none, in whichever conversation. */
static void
on_secrets_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Revealing *revealing = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) secrets = beckon_store_list_secrets_finish (BECKON_STORE (source), result, &error);

  if (secrets == NULL)
    g_task_return_error (task, error);
  else if (secrets->len == 0)
    reveal (task);
  else
    beckon_library_open_async (revealing->scope->parts.library, revealing->scope->conversation, NULL, on_history_read,
                               g_object_ref (task));
}

/* Every masked answer of the conversation counts, also where a summary stands for it. */
void
beckon_call_secrets_reveal_async (const BeckonRunScope *scope, BeckonToolCall *call, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  BeckonVault *vault = beckon_inbox_get_vault (scope->parts.inbox);
  Revealing *revealing = g_new0 (Revealing, 1);

  g_task_set_source_tag (task, beckon_call_secrets_reveal_async);
  revealing->scope = beckon_run_scope_ref (scope);
  revealing->vault = vault != NULL ? g_object_ref (vault) : NULL;
  revealing->named = g_ptr_array_new_with_free_func (g_free);
  revealing->redacted = beckon_parameters_make_mask_by (beckon_tool_call_get_redacted (call),
                                                        beckon_tool_call_get_effective_arguments (call));
  revealing->revealed = g_new0 (BeckonRevealed, 1);
  revealing->revealed->arguments = g_strdup (beckon_tool_call_get_effective_arguments (call));
  add_handles (revealing->named, revealing->revealed->arguments);
  g_task_set_task_data (task, revealing, (GDestroyNotify) revealing_free);
  if (vault != NULL && beckon_conversation_get_has_earlier (scope->conversation))
    beckon_store_list_secrets_async (scope->parts.store, cancellable, on_secrets_listed, g_object_ref (task));
  else if (vault != NULL)
    list_answered (task);
  else
    reveal (task);
}

BECKON_FINISH_LONE_POINTER (BeckonRevealed *, beckon_call_secrets_reveal)

void
beckon_call_secrets_mask_async (const BeckonRunScope *scope, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GPtrArray) handles = list_handles (scope);

  beckon_known_secrets_make_mask_async (scope->parts.secrets, handles, NULL, callback, user_data);
}
