/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-request-prompter.h"

#include "base/beckon-text.h"
#include "request/beckon-question-request.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>

struct _BeckonRequestPrompter
{
  GObject parent_instance;

  BeckonRequest *request; /* (owned) */
  BeckonAnswer *answer;   /* (owned): under construction */
  gboolean colour;
  guint item;
  gboolean printed;
};

G_DEFINE_FINAL_TYPE (BeckonRequestPrompter, beckon_request_prompter, G_TYPE_OBJECT)

BeckonRequest *
beckon_request_prompter_get_request (BeckonRequestPrompter *asker)
{
  return asker->request;
}

gboolean
beckon_request_prompter_is_secret (BeckonRequestPrompter *asker)
{
  BeckonQuestion *question = beckon_request_get_question (asker->request);

  return question != NULL && beckon_question_get_item (question, asker->item)->secret;
}

char *
beckon_request_prompter_next_text (BeckonRequestPrompter *asker)
{
  if (asker->printed)
    return NULL;

  asker->printed = TRUE;
  return beckon_plain_text_format_for_terminal (asker->request, asker->item, asker->colour);
}

static BeckonRequestPrompterResult
next_item (BeckonRequestPrompter *asker, BeckonAnswer **answer)
{
  asker->item++;
  asker->printed = FALSE;
  if (asker->item < beckon_plain_text_n_items (asker->request))
    return BECKON_REQUEST_PROMPTER_MORE;
  *answer = beckon_answer_ref (asker->answer);
  /* Should the answer be refused, the person goes through it again. */
  asker->item = 0;
  beckon_answer_unref (asker->answer);
  asker->answer = beckon_plain_text_begin (asker->request);
  return BECKON_REQUEST_PROMPTER_ANSWER;
}

BeckonRequestPrompterResult
beckon_request_prompter_take_line (BeckonRequestPrompter *asker, const char *line, BeckonAnswer **answer, char **message)
{
  switch (beckon_plain_text_parse (asker->request, asker->item, line, asker->answer, answer, message))
    {
    case BECKON_PLAIN_ITEM:
      return next_item (asker, answer);
    case BECKON_PLAIN_ANSWER:
      return BECKON_REQUEST_PROMPTER_ANSWER;
    case BECKON_PLAIN_STOP:
      return BECKON_REQUEST_PROMPTER_STOP;
    case BECKON_PLAIN_STATUS:
      *message = g_strdup (_ ("The agent waits for this answer; nothing is running."));
      return BECKON_REQUEST_PROMPTER_MORE;
    case BECKON_PLAIN_AGAIN:
    default:
      return BECKON_REQUEST_PROMPTER_MORE;
    }
}

/* Words of models and servers go to a terminal as plain text. */
static char *
with_detail (const char *text, const char *detail, const char *advice)
{
  g_autofree char *safe = beckon_plain_text_for_terminal (detail, -1);

  return g_strconcat (text, *text != '\0' && *safe != '\0' ? " " : "", safe, "\n", advice, NULL);
}

int
beckon_request_prompter_get_exit_status (BeckonRunPhase phase)
{
  if (phase == BECKON_RUN_COMPLETE)
    return 0;
  return phase == BECKON_RUN_STOPPED || phase == BECKON_RUN_DISMISSED ? 130 : 1;
}

/* Another program resumes the run when nothing can be typed here any more. */
static char *
advise (const char *typed, const char *id)
{
  /* Translators: the command stays as it is; %s is a conversation's id */
  return id == NULL ? g_strdup (typed) : g_strdup_printf (_ ("Go on with: beckonctl chat -c %s"), id);
}

static char *
advise_other_words (const char *id)
{
  g_autofree char *how = advise ("", id);

  return id == NULL ? g_strdup (_ ("Say it in other words, or choose another model; /continue tries again."))
                    : g_strdup_printf ("%s\n%s", _ ("Say it in other words, or choose another model."), how);
}

char *
beckon_request_prompter_describe_end (BeckonRunPhase phase, const char *detail, const char *id)
{
  g_autofree char *goes_on = advise (_ ("/continue goes on."), id);
  g_autofree char *tries_again = advise (_ ("/continue tries again."), id);
  g_autofree char *other_words = advise_other_words (id);

  switch (phase)
    {
    case BECKON_RUN_STOPPED:
      return id == NULL ? g_strdup (_ ("Stopped. /continue goes on.")) : with_detail (_ ("Stopped."), "", goes_on);
    case BECKON_RUN_DISMISSED:
      return id == NULL ? g_strdup (_ ("You dismissed the question, so the agent stopped. /continue goes on."))
                        : with_detail (_ ("You dismissed the question, so it stopped."), "", goes_on);
    case BECKON_RUN_FAILED:
      return with_detail (_ ("Failed:"), detail, tries_again);
    case BECKON_RUN_CUT_OFF:
      return with_detail (_ ("The reply was cut off."), detail, tries_again);
    case BECKON_RUN_LENGTH:
      return with_detail ("", detail != NULL ? detail : _ ("The model reached its output limit."), goes_on);
    case BECKON_RUN_ROUND_LIMIT:
      return with_detail ("", detail != NULL ? detail : _ ("Paused at the limit of rounds."), goes_on);
    case BECKON_RUN_REFUSED:
      return with_detail (_ ("The model refused."), detail, other_words);
    case BECKON_RUN_FILTERED:
      return with_detail (_ ("The provider’s content filter ended the reply."), detail, other_words);
    case BECKON_RUN_PAUSED:
      return with_detail ("", detail != NULL ? detail : _ ("The provider paused the reply."), goes_on);
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

BeckonRequestPrompter *
beckon_request_prompter_new (BeckonRequest *request, gboolean colour)
{
  BeckonRequestPrompter *asker = g_object_new (BECKON_TYPE_REQUEST_PROMPTER, NULL);

  asker->request = g_object_ref (request);
  asker->colour = colour;
  asker->answer = beckon_plain_text_begin (request);
  return asker;
}

static void
beckon_request_prompter_finalize (GObject *object)
{
  BeckonRequestPrompter *asker = BECKON_REQUEST_PROMPTER (object);

  g_clear_pointer (&asker->answer, beckon_answer_unref);
  g_clear_object (&asker->request);
  G_OBJECT_CLASS (beckon_request_prompter_parent_class)->finalize (object);
}

static void
beckon_request_prompter_class_init (BeckonRequestPrompterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_request_prompter_finalize;
}

static void
beckon_request_prompter_init (BeckonRequestPrompter *asker)
{
}
