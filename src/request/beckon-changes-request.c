/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-changes-request.h"

#include "base/beckon-text-printf.h"
#include "beckon-answer-private.h"
#include "beckon-settlement.h"

#include <glib/gi18n-lib.h>

struct _BeckonChangesRequest
{
  BeckonCallRequest parent_instance;

  BeckonChangeSet *changes;
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

static gboolean
beckon_changes_request_read_members (BeckonCallRequest *request, JsonObject *object, GError **error)
{
  BeckonChangesRequest *self = BECKON_CHANGES_REQUEST (request);

  self->changes = beckon_change_set_from_json (beckon_json_get_string (object, "changes"), error);
  return self->changes != NULL;
}

static void
beckon_changes_request_write_members (BeckonCallRequest *request, BeckonJsonWriter *writer)
{
  g_autofree char *changes = beckon_change_set_to_json (BECKON_CHANGES_REQUEST (request)->changes);

  beckon_json_writer_member_string (writer, "changes", changes);
}

static gboolean
beckon_changes_request_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  const BeckonChangeSet *changes = beckon_request_get_changes (request);
  g_autoptr (BeckonChangeChoice) choice = NULL;
  g_autoptr (GError) fault = NULL;

  if (answer->kind != BECKON_ANSWER_KEPT)
    return TRUE;
  choice = beckon_change_choice_parse (answer->text, changes, &fault);
  if (choice == NULL)
    return beckon_request_refuse (error, fault->message);
  return answer->text != NULL || beckon_change_choice_lands_any (choice, changes)
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
  g_clear_pointer (&BECKON_CHANGES_REQUEST (object)->changes, beckon_change_set_unref);
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
}
