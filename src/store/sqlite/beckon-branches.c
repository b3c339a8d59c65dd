/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-branches.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>

static const char busy_sql[] =
  "SELECT EXISTS (SELECT 1 FROM run WHERE conversation = ?1 AND open),"
  " EXISTS (SELECT 1 FROM request INDEXED BY request_pending WHERE conversation = ?1 AND state = 'pending'"
  "  AND due <= ?2)";
static const char find_active_sql[] =
  "SELECT parent, seq FROM message WHERE id = ?1 AND conversation = ?2 AND active";
static const char find_any_sql[] =
  "SELECT parent, active FROM message WHERE id = ?1 AND conversation = ?2 AND deleted_at IS NULL";
static const char find_hidden_sql[] =
  "SELECT parent FROM message WHERE id = ?1 AND conversation = ?2 AND deleted_at > 0";

static const char find_version_sql[] =
  "SELECT s.id FROM message m CROSS JOIN message s ON s.conversation = ?2 AND s.parent = m.parent"
  " WHERE m.id = ?1 AND m.conversation = ?2 AND s.deleted_at IS NULL ORDER BY s.created_at, s.id LIMIT 1 OFFSET ?3";
static const char find_left_sql[] =
  "SELECT id FROM message WHERE conversation = ?1 AND deleted_at IS NULL AND parent = coalesce ((SELECT id FROM message"
  "  WHERE conversation = ?1 AND active ORDER BY seq DESC LIMIT 1), '') ORDER BY created_at DESC, id DESC LIMIT 1";

#define LAST_OF_BRANCHES \
  " FROM message m WHERE conversation = ?1 AND deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM message c" \
  " WHERE c.conversation = ?1 AND c.parent = m.id AND c.deleted_at IS NULL)"

static const char find_last_sql[] = "SELECT id" LAST_OF_BRANCHES " ORDER BY created_at, id LIMIT 1 OFFSET ?2 - 1";
static const char count_last_sql[] = "SELECT count (*)" LAST_OF_BRANCHES;

static const char find_shown_last_sql[] =
  "SELECT ?2 = (SELECT id FROM message WHERE conversation = ?1 AND active ORDER BY seq DESC LIMIT 1)";

static const char leave_sql[] =
  "UPDATE message SET active = 0, chosen = (id <> ?3) WHERE conversation = ?1 AND seq >= ?2 AND active";

/* Others that follow the same one are not chosen any more. */
static const char unchoose_sql[] =
  "UPDATE message SET chosen = 0, active = 0 WHERE conversation = ?1 AND parent = ?2 AND chosen AND id <> ?3";
static const char choose_sql[] = "UPDATE message SET chosen = 1 WHERE id = ?1";

static const char hide_sql[] =
  "UPDATE message SET deleted_at = max (?2, 1), active = 0, chosen = 0 WHERE id = ?1";
static const char move_sql[] =
  "UPDATE message SET parent = ?3, moved_from = ?2 WHERE conversation = ?1 AND parent = ?2";
/* If nothing follows, the version nearest to the removed one is shown; the one before it rather than the next. If it was the
 * only one, what followed it. */
static const char choose_nearest_sql[] =
  "UPDATE message SET chosen = 1 WHERE id = ("
  "  SELECT s.id FROM message s CROSS JOIN message h ON h.id = ?3 WHERE s.conversation = ?1 AND s.parent = ?2 AND NOT s.chosen"
  "   AND s.deleted_at IS NULL"
  "  ORDER BY s.moved_from IS h.id, (s.created_at, s.id) > (h.created_at, h.id),"
  "   iif ((s.created_at, s.id) > (h.created_at, h.id), s.created_at, -s.created_at), s.id LIMIT 1)"
  " AND NOT EXISTS (SELECT 1 FROM message WHERE conversation = ?1 AND parent = ?2 AND chosen)";
static const char unhide_sql[] = "UPDATE message SET deleted_at = NULL, chosen = 1 WHERE id = ?1";
static const char move_back_sql[] =
  "UPDATE message SET parent = ?2, moved_from = NULL WHERE conversation = ?1 AND moved_from = ?2";

#define WAY \
  "WITH RECURSIVE way (id) AS (" \
  " SELECT id FROM message WHERE conversation = ?1 AND parent = '' AND chosen AND deleted_at IS NULL" \
  " UNION ALL SELECT m.id FROM way w CROSS JOIN message m ON m.conversation = ?1 AND m.parent = w.id AND m.chosen" \
  "  AND m.deleted_at IS NULL) "

/* Two steps, because no place may be taken twice in between. */
static const char end_active_sql[] =
  WAY "UPDATE message SET active = 0 WHERE conversation = ?1 AND active AND id NOT IN way";
static const char begin_active_sql[] =
  WAY "UPDATE message SET active = 1 WHERE NOT active AND id IN way";
static const char count_sql[] = "UPDATE conversation SET path = path + 1 WHERE id = ?1";

static const char choose_one_sql[] =
  "UPDATE message SET chosen = 0 WHERE conversation = ?1 AND chosen AND id < (SELECT max (o.id) FROM message o"
  " WHERE o.conversation = ?1 AND o.parent = message.parent AND o.chosen)";
static const char choose_first_sql[] =
  "UPDATE message SET chosen = 1 WHERE id = (SELECT max (id) FROM message WHERE conversation = ?1 AND parent = '')"
  " AND NOT EXISTS (SELECT 1 FROM message WHERE conversation = ?1 AND parent = '' AND chosen)";

/* Shown messages form one chain. Others that lost their parent follow the last one that is shown before their place, and give
 * way to what is shown. */
static const char mend_sql[] =
  "DELETE FROM message WHERE deleted_at IS NOT NULL;"
  "UPDATE message SET parent = w.parent, chosen = 1 FROM (SELECT id, lag (id, 1, '') OVER (PARTITION BY conversation"
  "  ORDER BY seq) AS parent FROM message WHERE active) AS w WHERE w.id = message.id;"
  "UPDATE message SET parent = coalesce ((SELECT a.id FROM message a WHERE a.conversation = message.conversation"
  "   AND a.active AND a.seq < message.seq ORDER BY a.seq DESC LIMIT 1), '')"
  "  WHERE NOT active AND parent <> '' AND parent NOT IN (SELECT id FROM message);"
  "UPDATE message SET chosen = 0 WHERE NOT active AND chosen"
  "  AND (parent = '' OR parent IN (SELECT id FROM message WHERE active)"
  "   OR id < (SELECT max (o.id) FROM message o WHERE o.conversation = message.conversation"
  "    AND o.parent = message.parent AND o.chosen));";

static gboolean
branches_refuse (GError **error, const char *words)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, words);

  return FALSE;
}

static gboolean
refuse_missing (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, _("This message no longer exists."));

  return FALSE;
}

/* @late: whether a question that its model does not wait for is in the way, too. */
static gboolean
check_free (BeckonDatabase *database, const char *conversation_id, gboolean late, GError **error)
{
  sqlite3_stmt *row = beckon_database_query (database, error, busy_sql, "si", conversation_id, (gint64) late);
  gboolean is_open, is_waiting;

  if (row == NULL || beckon_database_step (database, row, error) != BECKON_STEP_ROW)
    return FALSE;

  is_open = sqlite3_column_int (row, 0) != 0;
  is_waiting = sqlite3_column_int (row, 1) != 0;
  sqlite3_reset (row);
  if (is_waiting)
    return branches_refuse (error, _("A question is waiting for you here. Answer or dismiss it first."));
  if (is_open)
    return branches_refuse (error, _("The agent is still working here. Stop it first, or wait until it has finished."));

  return TRUE;
}

gboolean
beckon_branches_check_free (BeckonDatabase *database, const char *conversation_id, GError **error)
{
  return check_free (database, conversation_id, TRUE, error);
}

gboolean
beckon_branches_check_idle (BeckonDatabase *database, const char *conversation_id, GError **error)
{
  return check_free (database, conversation_id, FALSE, error);
}

/* A row by the id of a message and that of its conversation; NULL if there is none. The first column is copied, the second a
 * number. */
static gboolean
branches_find (BeckonDatabase *database, const char *sql, const char *conversation_id, const char *message_id, char **parent,
               gint64 *number, GError **error)
{
  sqlite3_stmt *row = beckon_database_query (database, error, sql, "ss", message_id, conversation_id);
  BeckonStep step = row != NULL ? beckon_database_step (database, row, error) : BECKON_STEP_ERROR;

  if (step != BECKON_STEP_ROW)
    return step == BECKON_STEP_DONE && refuse_missing (error);

  *parent = g_strdup (beckon_column_text (row, 0));
  if (number != NULL)
    *number = sqlite3_column_int64 (row, 1);
  sqlite3_reset (row);

  return TRUE;
}

static gboolean
is_last (BeckonDatabase *database, const char *conversation_id, const char *message_id)
{
  sqlite3_stmt *row = beckon_database_query (database, NULL, find_shown_last_sql, "ss", conversation_id, message_id);
  gboolean found;

  if (row == NULL || beckon_database_step (database, row, NULL) != BECKON_STEP_ROW)
    return FALSE;

  found = sqlite3_column_int (row, 0) != 0;
  sqlite3_reset (row);

  return found;
}

gboolean
beckon_branches_is_shown (BeckonDatabase *database, const char *conversation_id, const char *message_id)
{
  g_autofree char *parent = NULL;
  gint64 is_active = 0;

  return branches_find (database, find_any_sql, conversation_id, message_id, &parent, &is_active, NULL) && is_active != 0;
}

/* Unreadable counts as changed. */
gboolean
beckon_branches_check_shown (BeckonDatabase *database, const char *conversation_id, const char *const *message_ids,
                             GError **error)
{
  for (guint i = 0; message_ids[i] != NULL; i++)
    if (!beckon_branches_is_shown (database, conversation_id, message_ids[i])
        || (message_ids[i + 1] == NULL && !is_last (database, conversation_id, message_ids[i])))
      return branches_refuse (error, _("Something was changed here meanwhile. Try again."));

  return TRUE;
}

gboolean
beckon_branches_leave (BeckonDatabase *database, const char *conversation_id, const char *message_id, GError **error)
{
  g_autofree char *parent = NULL;
  gint64 seq;

  return branches_find (database, find_active_sql, conversation_id, message_id, &parent, &seq, error)
         && beckon_database_run (database, error, leave_sql, "sis", conversation_id, seq, message_id)
         && beckon_database_run (database, error, count_sql, "s", conversation_id);
}

/* From the message back to where the way that is shown is met. */
gboolean
beckon_branches_show (BeckonDatabase *database, const char *conversation_id, const char *message_id, GError **error)
{
  g_autofree char *id = g_strdup (message_id);
  gint64 is_active = 0;

  while (*id != '\0')
    {
      g_autofree char *parent = NULL;

      if (!branches_find (database, find_any_sql, conversation_id, id, &parent, &is_active, error))
        return FALSE;
      if (is_active != 0)
        break;
      if (!beckon_database_run (database, error, unchoose_sql, "sss", conversation_id, parent, id)
          || !beckon_database_run (database, error, choose_sql, "s", id))
        return FALSE;
      g_free (id);
      id = g_steal_pointer (&parent);
    }

  return g_str_equal (id, message_id) || beckon_branches_settle (database, conversation_id, error);
}

static char *
take_id (BeckonDatabase *database, sqlite3_stmt *row, GError **error)
{
  BeckonStep step = row != NULL ? beckon_database_step (database, row, error) : BECKON_STEP_ERROR;
  char *id;

  if (step == BECKON_STEP_DONE)
    refuse_missing (error);
  if (step != BECKON_STEP_ROW)
    return NULL;

  id = g_strdup (beckon_column_text (row, 0));
  sqlite3_reset (row);

  return id;
}

char *
beckon_branches_find_version (BeckonDatabase *database, const char *conversation_id, const char *message_id, guint version,
                              GError **error)
{
  return take_id (database,
                  beckon_database_query (database, error, find_version_sql, "ssi", message_id, conversation_id,
                                         (gint64) version),
                  error);
}

char *
beckon_branches_find_left (BeckonDatabase *database, const char *conversation_id, GError **error)
{
  return take_id (database, beckon_database_query (database, error, find_left_sql, "s", conversation_id), error);
}

char *
beckon_branches_find_last (BeckonDatabase *database, const char *conversation_id, guint branch, GError **error)
{
  sqlite3_stmt *row = beckon_database_query (database, error, find_last_sql, "si", conversation_id, (gint64) branch);
  BeckonStep step = row != NULL ? beckon_database_step (database, row, error) : BECKON_STEP_ERROR;
  char *id;

  if (step == BECKON_STEP_DONE)
    {
      gint64 n;

      row = beckon_database_query (database, error, count_last_sql, "s", conversation_id);
      if (row != NULL && beckon_database_step (database, row, error) == BECKON_STEP_ROW)
        {
          n = sqlite3_column_int64 (row, 0);
          sqlite3_reset (row);
          g_set_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                       g_dngettext (GETTEXT_PACKAGE, "This conversation has %u branch.", "This conversation has %u branches.",
                                    (gulong) n),
                       (guint) n);
        }
    }
  if (step != BECKON_STEP_ROW)
    return NULL;

  id = g_strdup (beckon_column_text (row, 0));
  sqlite3_reset (row);

  return id;
}

gboolean
beckon_branches_hide (BeckonDatabase *database, const char *conversation_id, const char *message_id, gint64 at,
                      GError **error)
{
  g_autofree char *parent = NULL;

  return branches_find (database, find_active_sql, conversation_id, message_id, &parent, NULL, error)
         && beckon_database_run (database, error, hide_sql, "si", message_id, at)
         && beckon_database_run (database, error, move_sql, "sss", conversation_id, message_id, parent)
         && beckon_database_run (database, error, choose_nearest_sql, "sss", conversation_id, parent, message_id);
}

/* Restores what was moved below it, and with it what is chosen there. */
gboolean
beckon_branches_restore (BeckonDatabase *database, const char *conversation_id, const char *message_id, GError **error)
{
  g_autofree char *parent = NULL;

  return branches_find (database, find_hidden_sql, conversation_id, message_id, &parent, NULL, error)
         && beckon_database_run (database, error, move_back_sql, "ss", conversation_id, message_id)
         && beckon_database_run (database, error, unchoose_sql, "sss", conversation_id, parent, message_id)
         && beckon_database_run (database, error, unhide_sql, "s", message_id);
}

gboolean
beckon_branches_settle (BeckonDatabase *database, const char *conversation_id, GError **error)
{
  return beckon_database_run (database, error, end_active_sql, "s", conversation_id)
         && beckon_database_run (database, error, begin_active_sql, "s", conversation_id)
         && beckon_database_run (database, error, count_sql, "s", conversation_id);
}

gboolean
beckon_branches_adopt (BeckonDatabase *database, const char *conversation_id, GError **error)
{
  return beckon_database_run (database, error, choose_one_sql, "s", conversation_id)
         && beckon_database_run (database, error, choose_first_sql, "s", conversation_id)
         && beckon_branches_settle (database, conversation_id, error);
}

gboolean
beckon_branches_mend (BeckonDatabase *database, GError **error)
{
  return beckon_database_script (database, mend_sql, error);
}
