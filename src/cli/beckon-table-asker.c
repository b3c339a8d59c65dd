/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-table-asker.h"

#include "text/beckon-plain-table.h"

#include <glib/gi18n-lib.h>

struct _BeckonTableAsker
{
  GObject parent_instance;

  GPtrArray *requests; /* (owned) (element-type BeckonRequest): the rows, as they were printed */
  gboolean printed;
};

G_DEFINE_FINAL_TYPE (BeckonTableAsker, beckon_table_asker, G_TYPE_OBJECT)

static gboolean
is_pending (BeckonRequest *request)
{
  return beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
}

BeckonRequest *
beckon_table_asker_get_open (BeckonTableAsker *asker)
{
  for (guint i = 0; i < asker->requests->len; i++)
    if (is_pending (g_ptr_array_index (asker->requests, i)))
      return g_ptr_array_index (asker->requests, i);
  return NULL;
}

gboolean
beckon_table_asker_is_open (BeckonTableAsker *asker)
{
  return beckon_table_asker_get_open (asker) != NULL;
}

BeckonRequest *
beckon_table_asker_get_request (BeckonTableAsker *asker, guint row)
{
  return g_ptr_array_index (asker->requests, row);
}

char *
beckon_table_asker_next_text (BeckonTableAsker *asker)
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
make_answers (BeckonTableAsker *asker, const BeckonPlainTableDecision *decisions)
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

BeckonAskerResult
beckon_table_asker_take_line (BeckonTableAsker *asker, const char *line, BeckonRequest **single, GPtrArray **answers,
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
      return BECKON_ASKER_ANSWER;
    case BECKON_PLAIN_STOP:
      return BECKON_ASKER_STOP;
    case BECKON_PLAIN_STATUS:
      *message = g_strdup (_ ("The agent waits for this answer; nothing is running."));
      return BECKON_ASKER_MORE;
    case BECKON_PLAIN_ITEM:
      if (is_pending (g_ptr_array_index (asker->requests, shown)))
        *single = g_object_ref (g_ptr_array_index (asker->requests, shown));
      else
        *message = beckon_request_dup_summary (g_ptr_array_index (asker->requests, shown));
      return BECKON_ASKER_MORE;
    case BECKON_PLAIN_AGAIN:
    default:
      return BECKON_ASKER_MORE;
    }
}

BeckonTableAsker *
beckon_table_asker_new (BeckonInbox *inbox, BeckonRequest *request)
{
  g_autoptr (GPtrArray) requests = g_ptr_array_new_with_free_func (g_object_unref);
  BeckonTableAsker *asker;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (inbox)); i++)
    {
      g_autoptr (BeckonRequest) other = g_list_model_get_item (G_LIST_MODEL (inbox), i);

      if (beckon_call_table_is_similar (request, other))
        g_ptr_array_add (requests, g_steal_pointer (&other));
    }
  if (requests->len < 2)
    return NULL;
  asker = g_object_new (BECKON_TYPE_TABLE_ASKER, NULL);
  asker->requests = g_steal_pointer (&requests);
  return asker;
}

static void
beckon_table_asker_finalize (GObject *object)
{
  g_clear_pointer (&BECKON_TABLE_ASKER (object)->requests, g_ptr_array_unref);
  G_OBJECT_CLASS (beckon_table_asker_parent_class)->finalize (object);
}

static void
beckon_table_asker_class_init (BeckonTableAskerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_table_asker_finalize;
}

static void
beckon_table_asker_init (BeckonTableAsker *asker)
{
}
