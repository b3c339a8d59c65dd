/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-prompter.h"

#include "text/beckon-plain-table.h"

#include <glib/gi18n-lib.h>

struct _BeckonBatchPrompter
{
  GObject parent_instance;

  GPtrArray *requests; /* (owned) (element-type BeckonRequest): the rows, as they were printed */
  gboolean printed;
};

G_DEFINE_FINAL_TYPE (BeckonBatchPrompter, beckon_batch_prompter, G_TYPE_OBJECT)

static gboolean
is_pending (BeckonRequest *request)
{
  return beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
}

BeckonRequest *
beckon_batch_prompter_get_open (BeckonBatchPrompter *asker)
{
  for (guint i = 0; i < asker->requests->len; i++)
    if (is_pending (g_ptr_array_index (asker->requests, i)))
      return g_ptr_array_index (asker->requests, i);
  return NULL;
}

gboolean
beckon_batch_prompter_is_open (BeckonBatchPrompter *asker)
{
  return beckon_batch_prompter_get_open (asker) != NULL;
}

BeckonRequest *
beckon_batch_prompter_get_request (BeckonBatchPrompter *asker, guint row)
{
  return g_ptr_array_index (asker->requests, row);
}

char *
beckon_batch_prompter_next_text (BeckonBatchPrompter *asker)
{
  if (asker->printed)
    return NULL;

  asker->printed = TRUE;
  return beckon_plain_table_format (asker->requests);
}

static void
answer_unref (gpointer answer)
{
  if (answer != NULL)
    beckon_answer_unref (answer);
}

static GPtrArray *
make_answers (BeckonBatchPrompter *asker, const BeckonPlainTableDecision *decisions)
{
  GPtrArray *answers = g_ptr_array_new_with_free_func (answer_unref);

  for (guint i = 0; i < asker->requests->len; i++)
    {
      BeckonRequest *request = g_ptr_array_index (asker->requests, i);
      gboolean is_decided = decisions[i] != BECKON_PLAIN_TABLE_OPEN && is_pending (request);

      g_ptr_array_add (answers, is_decided
                                  ? beckon_call_table_make_answer (request, decisions[i] == BECKON_PLAIN_TABLE_RUN)
                                  : NULL);
    }
  return answers;
}

BeckonRequestPrompterResult
beckon_batch_prompter_take_line (BeckonBatchPrompter *asker, const char *line, BeckonRequest **single, GPtrArray **answers,
                                 char **message)
{
  g_autofree BeckonPlainTableDecision *decisions = g_new0 (BeckonPlainTableDecision, asker->requests->len);
  guint shown = 0;

  *single = NULL;
  *answers = NULL;
  switch (beckon_plain_table_parse (asker->requests, line, decisions, &shown, message))
    {
    case BECKON_PLAIN_ANSWER:
      *answers = make_answers (asker, decisions);
      asker->printed = FALSE;
      return BECKON_REQUEST_PROMPTER_ANSWER;
    case BECKON_PLAIN_STOP:
      return BECKON_REQUEST_PROMPTER_STOP;
    case BECKON_PLAIN_STATUS:
      *message = g_strdup (_ ("The agent waits for this answer; nothing is running."));
      return BECKON_REQUEST_PROMPTER_MORE;
    case BECKON_PLAIN_ITEM:
      if (is_pending (g_ptr_array_index (asker->requests, shown)))
        *single = g_object_ref (g_ptr_array_index (asker->requests, shown));
      else
        *message = beckon_request_dup_summary (g_ptr_array_index (asker->requests, shown));
      return BECKON_REQUEST_PROMPTER_MORE;
    case BECKON_PLAIN_AGAIN:
    default:
      return BECKON_REQUEST_PROMPTER_MORE;
    }
}

BeckonBatchPrompter *
beckon_batch_prompter_new (BeckonInbox *inbox, BeckonRequest *request)
{
  g_autoptr (GPtrArray) requests = g_ptr_array_new_with_free_func (g_object_unref);
  BeckonBatchPrompter *asker;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (inbox)); i++)
    {
      g_autoptr (BeckonRequest) other = g_list_model_get_item (G_LIST_MODEL (inbox), i);

      if (beckon_call_table_is_similar (request, other))
        g_ptr_array_add (requests, g_steal_pointer (&other));
    }
  if (requests->len < 2)
    return NULL;
  asker = g_object_new (BECKON_TYPE_BATCH_PROMPTER, NULL);
  asker->requests = g_steal_pointer (&requests);
  return asker;
}

static void
beckon_batch_prompter_finalize (GObject *object)
{
  g_clear_pointer (&BECKON_BATCH_PROMPTER (object)->requests, g_ptr_array_unref);
  G_OBJECT_CLASS (beckon_batch_prompter_parent_class)->finalize (object);
}

static void
beckon_batch_prompter_class_init (BeckonBatchPrompterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_batch_prompter_finalize;
}

static void
beckon_batch_prompter_init (BeckonBatchPrompter *asker)
{
}
