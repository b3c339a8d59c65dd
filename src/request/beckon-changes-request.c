/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-changes-request.h"

#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-answer-private.h"
#include "beckon-config.h"
#include "beckon-settlement.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_INTERFACE (BeckonKeepCheck, beckon_keep_check, G_TYPE_OBJECT)

static void
beckon_keep_check_default_init (BeckonKeepCheckInterface *iface)
{
}

void
beckon_keep_check_async (BeckonKeepCheck *self, BeckonRequest *request, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  BECKON_KEEP_CHECK_GET_IFACE (self)->check_async (self, request, cancellable, callback, user_data);
}

gboolean
beckon_keep_check_finish (BeckonKeepCheck *self, GAsyncResult *result, GError **error)
{
  return BECKON_KEEP_CHECK_GET_IFACE (self)->check_finish (self, result, error);
}

/* Enough to tell whether tests passed. */
#define OUTCOME_LINES 4
#define OUTCOME_BYTES 600

struct _BeckonChangesRequest
{
  BeckonCallRequest parent_instance;

  BeckonChangeSet *changes;
  int exit_status; /* -1 for none */
  char *tail;      /* (nullable): the last lines of the command's output */
};

G_DEFINE_FINAL_TYPE (BeckonChangesRequest, beckon_changes_request, BECKON_TYPE_CALL_REQUEST)

BeckonRequest *
beckon_changes_request_new (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                            const char *tool, const char *arguments, const BeckonChangeSet *changes, gint64 asked_at)
{
  BeckonChangesRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (tool != NULL && arguments != NULL, NULL);
  g_return_val_if_fail (changes != NULL, NULL);

  self = g_object_new (BECKON_TYPE_CHANGES_REQUEST, NULL);
  beckon_call_request_set_up (BECKON_CALL_REQUEST (self), id, conversation_id, message_id, call_id, tool, arguments,
                              asked_at);
  self->changes = beckon_change_set_copy (changes);
  return BECKON_REQUEST (self);
}

const BeckonChangeSet *
beckon_request_get_changes (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return BECKON_IS_CHANGES_REQUEST (request) ? BECKON_CHANGES_REQUEST (request)->changes : NULL;
}

void
beckon_changes_request_set_outcome (BeckonRequest *request, int exit_status, const char *output, gsize length)
{
  BeckonChangesRequest *self = BECKON_CHANGES_REQUEST (request);
  g_autofree char *own = output != NULL ? g_strchomp (g_strndup (output, MIN (length, strlen (output)))) : NULL;
  const char *end = own != NULL ? own + strlen (own) : NULL;
  const char *from = end;
  guint n_lines = 0;

  while (from > own && end - from < OUTCOME_BYTES && !(from[-1] == '\n' && ++n_lines == OUTCOME_LINES))
    from--;
  self->exit_status = exit_status;
  g_free (self->tail);
  self->tail = from != NULL && *from != '\0' ? g_utf8_make_valid (from, -1) : NULL;
}

const char *
beckon_changes_request_get_outcome (BeckonRequest *request, int *exit_status)
{
  if (exit_status != NULL)
    *exit_status = BECKON_CHANGES_REQUEST (request)->exit_status;
  return BECKON_CHANGES_REQUEST (request)->tail;
}

/* Tools whose changes are all that they do: nothing is done before these are in the folder. */
static gboolean
changes_request_is_wish (BeckonRequest *request)
{
  static const char *const tools[] = { "move_files", "delete_files", NULL };
  const char *tool = beckon_request_get_tool (request);

  return tool != NULL && g_strv_contains (tools, tool);
}

char *
beckon_changes_request_dup_outcome (BeckonRequest *request)
{
  BeckonChangesRequest *self = BECKON_CHANGES_REQUEST (request);
  g_autofree char *tail = self->tail != NULL ? beckon_text_for_display (self->tail, -1, BECKON_TEXT_MARKED) : NULL;
  g_autofree char *status = NULL;

  if (self->exit_status < 0)
    return changes_request_is_wish (request) ? NULL : g_steal_pointer (&tail);
  status = self->exit_status == 0 ? g_strdup (_("The command succeeded"))
                                  : g_strdup_printf (_("The command failed, exit status %d"), self->exit_status);
  return tail != NULL ? g_strdup_printf ("%s\n%s", status, tail) : g_steal_pointer (&status);
}

static guint
changes_request_count (const BeckonChangeSet *set, BeckonFileChangeKind kind)
{
  guint n = 0;

  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (set, i);
      g_autoptr (GPtrArray) told = beckon_file_change_list_told (change);

      n += change->kind == kind ? MAX (change->n_files, change->type != BECKON_FILE_FOLDER) : 0;
      for (guint j = 0; j < told->len; j++)
        {
          const BeckonFileChange *bound = g_ptr_array_index (told, j);

          /* A folder that was moved counts what was in it. */
          if (bound->kind == kind && !beckon_path_is_within (bound->path, change->path))
            n += MAX (bound->n_files, bound->type != BECKON_FILE_FOLDER);
        }
    }
  return n;
}

char *
beckon_changes_request_dup_wish (BeckonRequest *request)
{
  const BeckonChangeSet *changes = beckon_request_get_changes (request);
  const char *tool = beckon_request_get_tool (request);
  guint n_moved, n_deleted;

  if (changes == NULL || !changes_request_is_wish (request))
    return NULL;
  n_moved = changes_request_count (changes, BECKON_FILE_MOVED);
  n_deleted = changes_request_count (changes, BECKON_FILE_DELETED);
  if (n_moved > 0)
    /* Translators: what an agent is about to do, if the person agrees */
    return g_strdup_printf (ngettext ("Move %u file", "Move %u files", n_moved), n_moved);
  return n_deleted > 0 && g_str_equal (tool, "delete_files")
           /* Translators: what an agent is about to do, if the person agrees */
           ? g_strdup_printf (ngettext ("Delete %u file", "Delete %u files", n_deleted), n_deleted)
           : g_strdup (g_str_equal (tool, "move_files") ? _("Move files") : _("Delete files"));
}

char *
beckon_changes_request_dup_sentence (BeckonRequest *request)
{
  char *wish = beckon_changes_request_dup_wish (request);
  g_autofree char *sentence = wish == NULL ? beckon_change_set_dup_sentence (beckon_request_get_changes (request)) : NULL;

  if (wish != NULL || beckon_request_get_state (request) != BECKON_REQUEST_PENDING)
    return wish != NULL ? wish : g_steal_pointer (&sentence);
  /* Translators: %s is what a command changed, such as "Changed 3 files" */
  return beckon_text_printf (_("%s, not yet in the folder"), sentence);
}

static gboolean
beckon_changes_request_read_members (BeckonCallRequest *request, JsonObject *object, GError **error)
{
  BeckonChangesRequest *self = BECKON_CHANGES_REQUEST (request);

  self->exit_status = (int) beckon_json_get_int (object, "exit_status", -1);
  self->tail = g_strdup (beckon_json_get_string (object, "tail"));
  self->changes = beckon_change_set_from_json (beckon_json_get_string (object, "changes"), error);
  return self->changes != NULL;
}

static void
beckon_changes_request_write_members (BeckonCallRequest *request, BeckonJsonWriter *writer)
{
  BeckonChangesRequest *self = BECKON_CHANGES_REQUEST (request);
  g_autofree char *changes = beckon_change_set_to_json (self->changes);

  beckon_json_writer_member_string (writer, "changes", changes);
  if (self->exit_status >= 0)
    beckon_json_writer_member_int (writer, "exit_status", self->exit_status);
  if (self->tail != NULL)
    beckon_json_writer_member_string (writer, "tail", self->tail);
}

/* A permission that was offered is remembered, and no other one. */
static gboolean
changes_request_offers (BeckonRequest *request, const BeckonRule *rule)
{
  const BeckonApprovalReason *ground = beckon_request_get_ground (request);

  if (rule->verdict != BECKON_VERDICT_ALLOW || rule->server != NULL
      || (rule->conversation_id != NULL
          && g_strcmp0 (rule->conversation_id, beckon_request_get_conversation_id (request)) != 0))
    return FALSE;
  for (guint i = 0; ground != NULL && i < ground->proposals->len; i++)
    {
      const BeckonRuleProposal *proposal = g_ptr_array_index (ground->proposals, i);

      for (guint j = 0; j < proposal->rules->len; j++)
        {
          const BeckonRule *offered = g_ptr_array_index (proposal->rules, j);

          if (g_strcmp0 (rule->tool, offered->tool) == 0 && g_strcmp0 (rule->arguments, offered->arguments) == 0
              && g_strcmp0 (rule->folder, offered->folder) == 0)
            return TRUE;
        }
    }

  return FALSE;
}

static gboolean
beckon_changes_request_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  const BeckonChangeSet *changes = beckon_request_get_changes (request);
  g_autoptr (BeckonChangeChoice) choice = NULL;
  g_autoptr (GError) fault = NULL;

  if (answer->kind != BECKON_ANSWER_KEPT)
    return answer->remember == NULL
           || beckon_request_refuse (error, _("The permission to remember doesn't apply to these changes."));
  choice = beckon_change_choice_parse (answer->text, changes, &fault);
  if (choice == NULL)
    return beckon_request_refuse (error, fault->message);
  for (guint i = 0; answer->remember != NULL && i < answer->remember->len; i++)
    if (!changes_request_offers (request, g_ptr_array_index (answer->remember, i)))
      return beckon_request_refuse (error, _("The permission to remember doesn't apply to these changes."));
  return (answer->text != NULL && answer->remember == NULL) || beckon_change_choice_lands_any (choice, changes)
         || beckon_request_refuse (error, _("Each of these changes needs your look. Name those that are kept, or leave them "
                                            "all out."));
}

/* The result is made when they have landed. */
static void
beckon_changes_request_settle_call (BeckonRequest *request, const BeckonAnswer *answer, BeckonSettlement *settlement)
{
  settlement->call_event = BECKON_CALL_EVENT_SETTLED_LAND;
  if (answer->kind != BECKON_ANSWER_CANCELLED)
    return;
  settlement->result
      = g_strdup (BECKON_ANSWER_CANCELLED_RESULT ". The command had ended; nothing that it changed is in the folder.");
  settlement->is_error = TRUE;
}

static char *
beckon_changes_request_dup_summary (BeckonRequest *request, const BeckonAnswer *answer)
{
  g_autoptr (BeckonChangeChoice) choice = NULL;

  if (answer->kind == BECKON_ANSWER_DECLINED)
    return answer->text != NULL ? beckon_text_printf ("%s: %s", _("Left out"), answer->text) : g_strdup (_("Left out"));
  if (answer->kind != BECKON_ANSWER_KEPT)
    return beckon_answer_to_summary (answer, NULL);
  choice = beckon_change_choice_parse (answer->text, beckon_request_get_changes (request), NULL);
  return g_strdup (choice == NULL || beckon_change_choice_is_empty (choice) ? _("Kept") : _("Kept in part"));
}

static void
beckon_changes_request_finalize (GObject *object)
{
  BeckonChangesRequest *self = BECKON_CHANGES_REQUEST (object);

  g_clear_pointer (&self->changes, beckon_change_set_unref);
  g_free (self->tail);
  G_OBJECT_CLASS (beckon_changes_request_parent_class)->finalize (object);
}

static void
beckon_changes_request_class_init (BeckonChangesRequestClass *klass)
{
  BeckonRequestClass *request_class = BECKON_REQUEST_CLASS (klass);
  BeckonCallRequestClass *call_class = BECKON_CALL_REQUEST_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_changes_request_finalize;
  request_class->kind = "changes";
  request_class->answers = 1 << BECKON_ANSWER_KEPT | 1 << BECKON_ANSWER_DECLINED;
  request_class->refusal = N_("The command has run already. Keep what it changed, or leave it out.");
  request_class->check_answer = beckon_changes_request_check_answer;
  request_class->settle_call = beckon_changes_request_settle_call;
  request_class->dup_summary = beckon_changes_request_dup_summary;
  call_class->read_members = beckon_changes_request_read_members;
  call_class->write_members = beckon_changes_request_write_members;
}

static void
beckon_changes_request_init (BeckonChangesRequest *self)
{
  self->exit_status = -1;
}
