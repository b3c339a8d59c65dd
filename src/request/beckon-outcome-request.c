/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-outcome-request.h"

#include "base/beckon-text-printf.h"
#include "beckon-settlement.h"

#include <glib/gi18n-lib.h>

struct _BeckonOutcomeRequest
{
  BeckonCallRequest parent_instance;

  gint64 started_at;
  gboolean can_verify;
};

G_DEFINE_FINAL_TYPE (BeckonOutcomeRequest, beckon_outcome_request, BECKON_TYPE_CALL_REQUEST)

BeckonRequest *
beckon_outcome_request_new (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                            const char *tool, const char *arguments, gint64 started_at, gint64 asked_at)
{
  BeckonOutcomeRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (tool != NULL && arguments != NULL, NULL);

  self = g_object_new (BECKON_TYPE_OUTCOME_REQUEST, NULL);
  beckon_call_request_set_up (BECKON_CALL_REQUEST (self), id, conversation_id, message_id, call_id, tool, arguments,
                              asked_at);
  self->started_at = started_at;
  return BECKON_REQUEST (self);
}

gint64
beckon_request_get_started_at (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), 0);

  return BECKON_IS_OUTCOME_REQUEST (request) ? BECKON_OUTCOME_REQUEST (request)->started_at : 0;
}

gboolean
beckon_request_get_can_verify (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), FALSE);

  return BECKON_IS_OUTCOME_REQUEST (request) && BECKON_OUTCOME_REQUEST (request)->can_verify;
}

void
beckon_request_set_can_verify (BeckonRequest *request, gboolean can_verify)
{
  g_return_if_fail (BECKON_IS_OUTCOME_REQUEST (request));

  BECKON_OUTCOME_REQUEST (request)->can_verify = can_verify;
}

char *
beckon_request_dup_outcome_words (BeckonRequest *request)
{
  g_autofree char *started = NULL;
  gint64 at;
  g_autoptr (GDateTime) time = NULL;

  g_return_val_if_fail (BECKON_IS_OUTCOME_REQUEST (request), NULL);

  at = beckon_request_get_started_at (request);
  time = at > 0 ? g_date_time_new_from_unix_local (at / G_USEC_PER_SEC) : NULL;
  started = time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S") : NULL;
  if (started == NULL)
    return g_strdup (_("This was running when Beckon ended. Whether it took effect is not known."));
  /* Translators: %s is a date and a time */
  return beckon_text_printf (_("This began at %s and was running when Beckon ended. Whether it took effect is not known."),
                             started);
}

static gboolean
beckon_outcome_request_read_members (BeckonCallRequest *request, JsonObject *object, GError **error)
{
  BeckonOutcomeRequest *self = BECKON_OUTCOME_REQUEST (request);

  self->started_at = MAX (beckon_json_get_int (object, "started_at", 0), 0);
  self->can_verify = beckon_json_get_boolean (object, "can_look", FALSE);
  return TRUE;
}

static void
beckon_outcome_request_write_members (BeckonCallRequest *request, BeckonJsonWriter *writer)
{
  const BeckonOutcomeRequest *self = BECKON_OUTCOME_REQUEST (request);

  beckon_json_writer_member_int (writer, "started_at", self->started_at);
  if (self->can_verify)
    beckon_json_writer_member_boolean (writer, "can_look", TRUE);
}

static gboolean
beckon_outcome_request_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  return answer->kind != BECKON_ANSWER_LOOKED || answer->text != NULL || beckon_request_get_can_verify (request)
         || beckon_request_refuse (error, _("Write what you found."));
}

/* The model is told that a person found it, and not the tool. */
static void
beckon_outcome_request_settle_call (BeckonRequest *request, const BeckonAnswer *answer, BeckonSettlement *settlement)
{
  if (answer->kind == BECKON_ANSWER_RETRY)
    {
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_GO;
    }
  else if (answer->kind == BECKON_ANSWER_LOOKED && answer->text == NULL)
    {
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_LOOK;
    }
  else if (answer->kind == BECKON_ANSWER_LOOKED)
    {
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
      settlement->result = g_strconcat ("The program ended while this call was running, so it has no output. The user looked "
                                        "at what became of it and says: ", answer->text, NULL);
    }
  else if (answer->kind == BECKON_ANSWER_SKIP)
    {
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
      settlement->result = g_strdup ("The user skipped this call. It " BECKON_SETTLEMENT_NOT_KNOWN);
      settlement->is_error = TRUE;
    }
  else
    {
      beckon_call_request_settle_refused (BECKON_CALL_REQUEST (request), answer, settlement);
    }
}

/* A plan knows what a skipped step means. */
static char *
beckon_outcome_request_dup_summary (BeckonRequest *request, const BeckonAnswer *answer)
{
  if (beckon_request_get_step (request) != NULL && answer->kind == BECKON_ANSWER_SKIP)
    return g_strdup (_("Skipped"));
  return beckon_answer_to_summary (answer, NULL);
}

static void
beckon_outcome_request_class_init (BeckonOutcomeRequestClass *klass)
{
  BeckonRequestClass *request_class = BECKON_REQUEST_CLASS (klass);
  BeckonCallRequestClass *call_class = BECKON_CALL_REQUEST_CLASS (klass);

  request_class->kind = "form";
  request_class->form = "outcome";
  request_class->answers = 1 << BECKON_ANSWER_LOOKED | 1 << BECKON_ANSWER_RETRY | 1 << BECKON_ANSWER_SKIP
                           | 1 << BECKON_ANSWER_DECLINED;
  request_class->refusal = N_("Whether this took effect is not known. Say what you found, run it again or skip it.");
  request_class->check_answer = beckon_outcome_request_check_answer;
  request_class->settle_call = beckon_outcome_request_settle_call;
  request_class->dup_summary = beckon_outcome_request_dup_summary;
  call_class->read_members = beckon_outcome_request_read_members;
  call_class->write_members = beckon_outcome_request_write_members;
}

static void
beckon_outcome_request_init (BeckonOutcomeRequest *self)
{
  beckon_call_request_set_outcome_unknown (BECKON_CALL_REQUEST (self));
}
