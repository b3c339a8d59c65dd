/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"
#include "beckon-settle-late.h"

#include "store/sqlite/beckon-branches.h"

/* Everything here gets the id of the conversation, and then that of a message, or a number, or nothing. */

static gboolean
branch_leave (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_check_idle (session->database, values[0].text, error)
         && beckon_branches_leave (session->database, values[0].text, values[1].text, error)
         && beckon_settle_late_leave (session->database, values[0].text, g_get_real_time (), error);
}

void
beckon_batch_leave_message (BeckonBatch *batch, const char *conversation_id, const char *message_id)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_leave, conversation_id, message_id);
  batch->moves_requests = TRUE;
}

static gboolean
branch_check_shown (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_check_free (session->database, values[0].text, error)
         && beckon_branches_check_shown (session->database, values[0].text, values[1].object, error);
}

void
beckon_batch_expect_shown (BeckonBatch *batch, const char *conversation_id, GStrv message_ids)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_check_shown, conversation_id, BECKON_OWNED (g_strdupv (message_ids), g_strfreev));
}

static gboolean
branch_show (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_is_shown (session->database, values[0].text, values[1].text)
         || (beckon_branches_check_free (session->database, values[0].text, error)
             && beckon_branches_show (session->database, values[0].text, values[1].text, error));
}

void
beckon_batch_show_message (BeckonBatch *batch, const char *conversation_id, const char *message_id)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_show, conversation_id, message_id);
}

static gboolean
branch_show_found (BeckonSession *session, const char *conversation_id, const char *found, GError **error)
{
  return found != NULL && beckon_branches_check_free (session->database, conversation_id, error)
         && beckon_branches_show (session->database, conversation_id, found, error);
}

static gboolean
branch_show_version (BeckonSession *session, const BeckonValue *values, GError **error)
{
  g_autofree char *found = beckon_branches_find_version (session->database, values[0].text, values[1].text,
                                                         (guint) values[2].number, error);

  return branch_show_found (session, values[0].text, found, error);
}

void
beckon_batch_show_version (BeckonBatch *batch, const char *conversation_id, const char *message_id, guint version)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_show_version, conversation_id, message_id, version);
}

static gboolean
branch_show_left (BeckonSession *session, const BeckonValue *values, GError **error)
{
  g_autofree char *found = beckon_branches_find_left (session->database, values[0].text, error);

  return branch_show_found (session, values[0].text, found, error);
}

void
beckon_batch_show_left (BeckonBatch *batch, const char *conversation_id)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_show_left, conversation_id);
}

static gboolean
branch_check_free (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_check_free (session->database, values[0].text, error);
}

static gboolean
branch_settle (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_settle (session->database, values[0].text, error);
}

static gboolean
branch_hide (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_hide (session->database, values[0].text, values[1].text, values[2].number, error);
}

/* In their order, so that each that goes takes the next one's parent with it; and back in the opposite one. */
void
beckon_batch_hide_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids, gint64 at)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_check_free, conversation_id);
  for (guint i = 0; message_ids[i] != NULL; i++)
    beckon_batch_work (batch, branch_hide, conversation_id, message_ids[i], at);
  beckon_batch_work (batch, branch_settle, conversation_id);
}

static gboolean
branch_restore (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_restore (session->database, values[0].text, values[1].text, error);
}

void
beckon_batch_restore_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_check_free, conversation_id);
  for (guint i = g_strv_length (message_ids); i > 0; i--)
    beckon_batch_work (batch, branch_restore, conversation_id, message_ids[i - 1]);
  beckon_batch_work (batch, branch_settle, conversation_id);
}

/* Messages in memory go at once. */
static gboolean
branch_doom (BeckonSession *session, const BeckonValue *values, GError **error)
{
  session->has_purge_pending = TRUE;

  return beckon_database_run (session->database, error,
                              session->database == session->memory
                                ? "DELETE FROM message WHERE id = ?1 AND deleted_at IS NOT NULL"
                                : "UPDATE message SET deleted_at = 0 WHERE id = ?1 AND deleted_at > 0",
                              "s", values[0].text);
}

void
beckon_batch_doom_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids)
{
  beckon_batch_add_id (batch, conversation_id);
  for (guint i = 0; message_ids[i] != NULL; i++)
    beckon_batch_work (batch, branch_doom, message_ids[i]);
}
