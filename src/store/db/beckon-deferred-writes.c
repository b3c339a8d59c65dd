/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Deferred writes, in the order in which they happened.
 *
 * What has happened already, such as text that came or the result of a tool, is kept while the disk is full or nothing can be
 * written for another reason that may pass. What is about to happen, such as an answer that takes effect or a tool that
 * starts, is not: it fails, and its caller is told. Nothing is written ahead of what is kept, so the file always
 * holds a state that was once true.
 */

#include "beckon-config.h"

#include "beckon-deferred-writes.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

/* Some minutes of ten replies that stream; each is a fraction of a second of one. */
#define MAX_KEPT 20000

static void
op_free (gpointer data)
{
  BeckonStoreOp *op = data;

  if (op->free_data != NULL && op->data != NULL)
    op->free_data (op->data);
  g_free (op);
}

static void
deferred_writes_note (BeckonSession *session, gboolean wrote)
{
  BeckonFault fault = beckon_database_take_fault (session->database);

  if (session->is_read_only || session->fault == BECKON_FAULT_DAMAGED)
    return;

  if (wrote)
    session->fault = BECKON_FAULT_NONE;
  else if (fault != BECKON_FAULT_NONE)
    session->fault = fault;
  if (session->fault == BECKON_FAULT_DAMAGED)
    beckon_session_set_damaged (session);
}

void
beckon_deferred_writes_note (BeckonSession *session)
{
  deferred_writes_note (session, FALSE);
}

/* Writes that fail for a lasting reason, such as a deleted conversation, never succeed. */
static gboolean
write_next (BeckonSession *session, GError **error)
{
  BeckonStoreOp *op = g_queue_peek_head (&session->backlog);
  g_autoptr (GError) local = NULL;
  gpointer result = op->func (session, op->data, &local);

  deferred_writes_note (session, result != NULL);
  if (result == NULL && session->fault != BECKON_FAULT_NONE)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }

  if (result == NULL)
    g_message ("a change that was kept is dropped: %s", local->message);
  else if (op->free_result != NULL)
    op->free_result (result);
  op_free (g_queue_pop_head (&session->backlog));

  return TRUE;
}

static gboolean
write_all (BeckonSession *session, GError **error)
{
  while (!g_queue_is_empty (&session->backlog))
    if (!write_next (session, error))
      return FALSE;

  return TRUE;
}

static void
deferred_writes_refuse (BeckonFault fault, const char *reason, GError **error)
{
  g_autofree char *words = beckon_fault_describe (fault, reason);

  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_STORE, words);
}

/* A file that was opened for reading alone, since the disk is full, says of every write that it is read-only, and not why. */
static BeckonFault
get_cause (BeckonSession *session)
{
  return session->fault == BECKON_FAULT_FULL || session->fault == BECKON_FAULT_QUOTA ? session->fault : BECKON_FAULT_READ_ONLY;
}

/* Temporary writes could continue, but a notice says that nothing is sent or run; what has happened already is still kept. */
gboolean
beckon_deferred_writes_allows_in_memory (BeckonSession *session, const BeckonStoreOp *op, GError **error)
{
  if (op->use != BECKON_STORE_WRITES || (!session->is_read_only && session->fault != BECKON_FAULT_DAMAGED))
    return TRUE;

  if (session->fault == BECKON_FAULT_DAMAGED)
    deferred_writes_refuse (BECKON_FAULT_DAMAGED, "quick check", error);
  else
    deferred_writes_refuse (get_cause (session), g_strerror (EROFS), error);

  return FALSE;
}

gpointer
beckon_deferred_writes_perform (BeckonSession *session, BeckonStoreOp *op, GError **error)
{
  g_autoptr (GError) local = NULL;
  gpointer result = NULL;

  beckon_database_take_fault (session->database);
  if (session->fault == BECKON_FAULT_DAMAGED)
    {
      deferred_writes_refuse (BECKON_FAULT_DAMAGED, "quick check", error);
      return NULL;
    }

  if (write_all (session, &local))
    {
      result = op->func (session, op->data, &local);
      deferred_writes_note (session, result != NULL);
    }
  if (result != NULL)
    return result;

  if ((beckon_fault_may_pass (session->fault) || !g_queue_is_empty (&session->backlog)) && op->use == BECKON_STORE_KEEPS
      && !session->is_read_only && beckon_fault_may_pass (session->fault)
      && g_queue_get_length (&session->backlog) < MAX_KEPT)
    {
      g_queue_push_tail (&session->backlog, g_memdup2 (op, sizeof *op));
      op->data = NULL;
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_DEFERRED, local->message);
      return NULL;
    }

  if (session->is_read_only && get_cause (session) != BECKON_FAULT_READ_ONLY
      && g_error_matches (local, BECKON_ERROR, BECKON_ERROR_STORE))
    deferred_writes_refuse (get_cause (session), g_strerror (EROFS), error);
  else
    g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

gboolean
beckon_deferred_writes_is_due (BeckonSession *session)
{
  return !session->is_read_only
         && (!g_queue_is_empty (&session->backlog) || beckon_fault_may_pass (session->fault));
}

void
beckon_deferred_writes_retry (BeckonSession *session)
{
  gboolean was_device = session->fault == BECKON_FAULT_DEVICE;

  if (write_all (session, NULL) && beckon_fault_may_pass (session->fault))
    {
      /* A transaction that changes nothing, but is written. */
      gint64 version;
      gboolean wrote;

      wrote = beckon_database_begin (session->database, BECKON_DURABILITY_FULL, NULL)
              && beckon_database_get_number (session->database, "PRAGMA user_version", &version, NULL)
              && beckon_database_set_number (session->database, "user_version", version, NULL)
              && beckon_database_commit (session->database, NULL);
      beckon_database_rollback (session->database);
      deferred_writes_note (session, wrote);
    }
  /* The device may not repeat what it lost of the log: everything goes to the file, from memory. */
  if (was_device && session->fault == BECKON_FAULT_NONE)
    beckon_database_checkpoint (session->database);
}

gboolean
beckon_deferred_writes_finish (BeckonSession *session, GError **error)
{
  g_autoptr (GError) local = NULL;
  guint n_left;

  write_all (session, &local);
  n_left = g_queue_get_length (&session->backlog);
  if (n_left > 0)
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_STORE,
                           ngettext ("%u change could not be saved. %s", "%u changes could not be saved. %s", n_left), n_left,
                           local != NULL ? local->message : "");
  g_queue_clear_full (&session->backlog, op_free);

  return n_left == 0;
}
