/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-end-text.h"

#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "beckon-config.h"
#include "request/beckon-form-request.h"
#include "request/beckon-question-request.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>

/* Words of models and servers go to a terminal as plain text. */
static char *
with_detail (const char *text, const char *detail, const char *advice)
{
  g_autofree char *safe = beckon_plain_text_for_terminal (detail, -1);

  return g_strconcat (text, *text != '\0' && *safe != '\0' ? " " : "", safe, "\n", advice, NULL);
}

int
beckon_end_text_get_exit_status (BeckonConversation *conversation)
{
  switch (beckon_conversation_get_phase (conversation))
    {
    case BECKON_RUN_COMPLETE:
      return 0;
    case BECKON_RUN_STOPPED:
    case BECKON_RUN_DISMISSED:
      return BECKON_COMMAND_STOPPED;
    case BECKON_RUN_LENGTH:
    case BECKON_RUN_ROUND_LIMIT:
    case BECKON_RUN_PAUSED:
      return BECKON_COMMAND_LIMIT;
    case BECKON_RUN_CUT_OFF:
      return BECKON_COMMAND_NETWORK;
    case BECKON_RUN_FAILED:
      switch (beckon_run_detail_get_cause (beckon_conversation_get_stored_detail (conversation)))
        {
        case BECKON_RUN_CAUSE_KEY:
          return BECKON_COMMAND_KEY;
        case BECKON_RUN_CAUSE_NETWORK:
          return BECKON_COMMAND_NETWORK;
        case BECKON_RUN_CAUSE_LIMIT:
          return BECKON_COMMAND_LIMIT;
        case BECKON_RUN_CAUSE_OTHER:
        case BECKON_RUN_CAUSE_MODEL:
        default:
          return BECKON_CLI_CONTEXT_FAILED;
        }
    case BECKON_RUN_REFUSED:
    case BECKON_RUN_FILTERED:
    case BECKON_RUN_ASKED:
    case BECKON_RUN_QUEUED:
    case BECKON_RUN_REQUESTING:
    case BECKON_RUN_RETRY_WAIT:
    case BECKON_RUN_RECEIVING:
    case BECKON_RUN_CALLING:
    case BECKON_RUN_WAITING:
    default:
      return BECKON_CLI_CONTEXT_FAILED;
    }
}

/* Another program resumes the run when nothing can be typed here any more. */
static char *
advise (const char *typed, const char *id)
{
  /* Translators: the command stays as it is; %s is a conversation's id */
  return id == NULL ? g_strdup (typed) : g_strdup_printf (_("Resume with: beckonctl resume %s"), id);
}

char *
beckon_end_text_describe (BeckonRunPhase phase, const char *detail, const char *id)
{
  g_autofree char *goes_on = advise (_("/continue resumes."), id);
  g_autofree char *tries_again = advise (_("/continue tries again."), id);
  g_autofree char *how = advise ("", id);
  g_autofree char *other_words
      = id == NULL ? g_strdup (_("Rephrase the message or choose another model. /continue tries again."))
                   : g_strdup_printf ("%s\n%s", _("Rephrase the message or choose another model."), how);

  switch (phase)
    {
    case BECKON_RUN_STOPPED:
      return id == NULL ? g_strdup (_("Stopped. /continue resumes.")) : with_detail (_("Stopped."), "", goes_on);
    case BECKON_RUN_DISMISSED:
      return id == NULL ? g_strdup (_("You dismissed the question, so the agent stopped. /continue resumes."))
                        : with_detail (_("You dismissed the question, so the agent stopped."), "", goes_on);
    case BECKON_RUN_FAILED:
      return with_detail (_("Failed:"), detail, tries_again);
    case BECKON_RUN_CUT_OFF:
      return with_detail (_("The reply was cut off."), detail, tries_again);
    case BECKON_RUN_LENGTH:
      return with_detail ("", detail != NULL ? detail : _("The model reached its output limit."), goes_on);
    case BECKON_RUN_ROUND_LIMIT:
      return with_detail ("", detail != NULL ? detail : _("Paused at the limit of model calls."), goes_on);
    case BECKON_RUN_REFUSED:
      return with_detail (_("The model refused."), detail, other_words);
    case BECKON_RUN_FILTERED:
      return with_detail (_("The provider’s content filter ended the reply."), detail, other_words);
    case BECKON_RUN_PAUSED:
      return with_detail ("", detail != NULL ? detail : _("The provider paused the reply."), goes_on);
    case BECKON_RUN_COMPLETE:
    case BECKON_RUN_ASKED:
    case BECKON_RUN_QUEUED:
    case BECKON_RUN_REQUESTING:
    case BECKON_RUN_RETRY_WAIT:
    case BECKON_RUN_RECEIVING:
    case BECKON_RUN_CALLING:
    case BECKON_RUN_WAITING:
    default:
      return NULL;
    }
}

char *
beckon_end_text_dup_remedy (BeckonConversation *conversation, BeckonProfile *profile)
{
  /* Names with a space or a sign of the shell are quoted. */
  g_autofree char *name = profile != NULL ? g_shell_quote (beckon_profile_get_name (profile)) : NULL;

  if (name == NULL)
    return NULL;
  if (beckon_conversation_lacks_model (conversation))
    /* Translators: %s is a profile's name in quotes; the commands and MODEL stay as they are */
    return g_strdup_printf (_("List its models: beckonctl profile models %s\n"
                               "Choose one: beckonctl profile set %s --model MODEL"),
                            name, name);
  if (beckon_conversation_lacks_key (conversation))
    /* Translators: %s is a profile's name in quotes; the command stays as it is */
    return g_strdup_printf (_("Enter another key: beckonctl profile set %s --key-from-stdin"), name);
  return NULL;
}

/* A command that asks whether it may run on is no server: without an answer its time is over, as it was set. */
static gboolean
is_unasked (BeckonRequest *request)
{
  const BeckonAskedBy *asked_by = beckon_request_get_asked_by (request);

  return asked_by != NULL && asked_by->kind == BECKON_ASKED_BY_SERVER
         && beckon_request_get_state (request) == BECKON_REQUEST_UNAVAILABLE;
}

static char *
unasked_describe (BeckonRequest *request)
{
  /* Choices that can't be made any more are left out. */
  BeckonQuestion *question = beckon_request_get_question (request);
  const BeckonQuestionItem *item = question != NULL ? g_ptr_array_index (question->items, 0) : NULL;
  g_autofree char *asked = item != NULL ? beckon_plain_text_for_terminal (item->question, -1)
                                        : beckon_plain_text_format_for_terminal (request, 0, FALSE);
  const char *reason = beckon_form_request_get_resumption (request) != NULL
                         ? _("Not answered: you can't be asked here. Use a terminal, or “--detach-on-ask”.")
                         : _("Not answered: you were asked while the tool was running, and this can't be answered later. "
                             "Use a terminal.");

  return g_strconcat (asked, "\n", reason, NULL);
}

char **
beckon_unasked_list (BeckonToolCall *call)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();

  for (guint i = 0; i < beckon_tool_call_get_n_asked (call); i++)
    {
      BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_asked (call, i));
      g_autofree char *line = is_unasked (request) ? unasked_describe (request) : NULL;

      if (line != NULL)
        g_strv_builder_add (lines, line);
    }
  return g_strv_builder_end (lines);
}
