/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-away-digest.h"

#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-call-labels.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

static void
away_file_free (gpointer data)
{
  BeckonAwayFile *file = data;

  g_free (file->path);
  g_free (file->extent);
  g_free (file);
}

static void
away_change_free (gpointer data)
{
  BeckonAwayChange *change = data;

  g_free (change->title);
  g_ptr_array_unref (change->files);
  g_ptr_array_unref (change->calls);
  g_free (change);
}

void
beckon_away_digest_free (BeckonAwayDigest *digest)
{
  if (digest == NULL)
    return;

  g_ptr_array_unref (digest->calls);
  g_ptr_array_unref (digest->requests);
  g_ptr_array_unref (digest->changes);
  g_free (digest);
}

/* --- Files -------------------------------------------------------------------------------------------------------- */

static BeckonAwayFile *
away_file_new (const char *path, char *extent)
{
  BeckonAwayFile *file = g_new0 (BeckonAwayFile, 1);

  file->path = g_strdup (path);
  file->extent = extent;
  return file;
}

static void
add_lines (BeckonAwayFile *file, guint n_added, guint n_removed)
{
  file->is_counted = TRUE;
  file->n_added += n_added;
  file->n_removed += n_removed;
  g_free (file->extent);
  file->extent = g_strdup_printf ("+%u −%u", file->n_added, file->n_removed);
}

static char *
describe_new (guint n_lines)
{
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "new, %u line", "new, %u lines", n_lines), n_lines);
}

static BeckonAwayFile *
digest_read_change (const BeckonFileChange *change)
{
  g_autofree char *path = beckon_file_change_dup_shown_path (change);
  BeckonAwayFile *file = away_file_new (path, g_strdup (""));

  if (change->n_files == 0 && change->kind == BECKON_FILE_CHANGED && change->is_text)
    {
      add_lines (file, change->n_added, change->n_removed);
      return file;
    }
  g_free (file->extent);
  if (change->n_files > 0)
    file->extent = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file", "%u files", change->n_files), change->n_files);
  else if (change->kind == BECKON_FILE_DELETED)
    file->extent = g_strdup (_("deleted"));
  else
    file->extent = change->is_text ? describe_new (change->n_added) : g_strdup ("");
  return file;
}

static guint
digest_count_lines (const char *text)
{
  guint n = 0;

  for (const char *at = text; *at != '\0'; n++)
    {
      const char *end = strchr (at, '\n');

      at = end != NULL ? end + 1 : at + strlen (at);
    }
  return n;
}

static guint
count_written_lines (BeckonToolCall *call)
{
  g_autoptr (JsonObject) arguments = beckon_json_parse_object (beckon_tool_call_get_effective_arguments (call), -1, NULL);
  const char *content = arguments != NULL ? beckon_json_get_string (arguments, "content") : NULL;

  return content != NULL ? digest_count_lines (content) : 0;
}

/* A file tool's result says first which file it is and what was done to it: see describe () of tools/beckon-change-tool.c. */
static BeckonAwayFile *
read_result (BeckonToolCall *call)
{
  static const char open[] = "“", was[] = "” was ";
  const char *result = beckon_tool_call_get_result (call);
  const char *start = result != NULL ? strstr (result, open) : NULL;
  const char *end = start != NULL ? strstr (start, was) : NULL;
  g_autofree char *path = end != NULL ? g_strndup (start + strlen (open), (gsize) (end - start) - strlen (open)) : NULL;
  g_autofree char *shown = path != NULL ? beckon_text_for_display (path, -1, BECKON_TEXT_EXACT) : NULL;
  BeckonAwayFile *file;
  guint n_removed, n_added;

  if (shown == NULL)
    return NULL;
  end += strlen (was);
  if (g_str_has_prefix (end, "made"))
    return away_file_new (shown, describe_new (count_written_lines (call)));
  file = away_file_new (shown, g_strdup (""));
  if (sscanf (end, "changed: %u %*s removed, %u added", &n_removed, &n_added) == 2)
    add_lines (file, n_added, n_removed);
  return file;
}

char *
beckon_away_digest_dup_extent (BeckonToolCall *call)
{
  BeckonAwayFile *file = beckon_tool_call_get_change (call) != BECKON_CALL_CHANGE_NONE ? read_result (call) : NULL;
  char *extent = file != NULL && *file->extent != '\0' ? g_strdup (file->extent) : NULL;

  g_clear_pointer (&file, away_file_free);
  return extent;
}

/* --- Changes ------------------------------------------------------------------------------------------------------ */

static BeckonAwayChange *
digest_add_change (BeckonAwayDigest *digest, char *title, BeckonToolCall *call)
{
  BeckonAwayChange *change = g_new0 (BeckonAwayChange, 1);

  change->title = title;
  change->files = g_ptr_array_new_with_free_func (away_file_free);
  change->calls = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (change->calls, g_object_ref (call));
  g_ptr_array_add (digest->changes, change);
  return change;
}

static BeckonAwayChange *
find_file (BeckonAwayDigest *digest, const char *path)
{
  for (guint i = 0; i < digest->changes->len; i++)
    {
      BeckonAwayChange *change = g_ptr_array_index (digest->changes, i);
      BeckonAwayFile *file = g_ptr_array_index (change->files, 0);

      if (change->title == NULL && g_str_equal (file->path, path))
        return change;
    }
  return NULL;
}

/* Several edits of a file are one change. Takes @file. */
static void
take_file (BeckonAwayDigest *digest, BeckonAwayFile *file, BeckonToolCall *call)
{
  BeckonAwayChange *change = find_file (digest, file->path);
  BeckonAwayFile *known;

  if (change == NULL)
    {
      g_ptr_array_add (digest_add_change (digest, NULL, call)->files, file);
      return;
    }
  known = g_ptr_array_index (change->files, 0);
  /* A new file stays new. */
  if (known->is_counted && file->is_counted)
    add_lines (known, file->n_added, file->n_removed);
  g_ptr_array_insert (change->calls, 0, g_object_ref (call));
  away_file_free (file);
}

/* The newest landing of a file counts. (transfer full) (element-type BeckonAwayFile) */
static GPtrArray *
list_landed (BeckonToolCall *call)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (call);
  GPtrArray *files = g_ptr_array_new ();
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < landings->len; i++)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i);

      for (guint j = 0; j < beckon_change_set_get_n_changes (landing->changes); j++)
        {
          const BeckonFileChange *change = beckon_change_set_get (landing->changes, j);

          if ((change->fate == BECKON_FILE_KEPT || change->fate == BECKON_FILE_UNDONE)
              && g_hash_table_add (known, g_strdup (change->path)))
            g_ptr_array_add (files, digest_read_change (change));
        }
    }
  return files;
}

/* --- The digest --------------------------------------------------------------------------------------------------- */

static void
digest_add_call (BeckonAwayDigest *digest, BeckonToolCall *call, gint64 since)
{
  BeckonRequest *request = (BeckonRequest *) beckon_tool_call_get_request (call);
  gboolean is_question = request != NULL && BECKON_IS_QUESTION_REQUEST (request);
  BeckonAwayFile *file;

  if (request != NULL && beckon_request_get_asked_at (request) > since)
    g_ptr_array_add (digest->requests, g_object_ref (request));
  if (is_question || beckon_tool_call_get_started_at (call) == 0 || beckon_tool_call_get_finished_at (call) <= since)
    return;
  g_ptr_array_add (digest->calls, g_object_ref (call));
  if (beckon_tool_call_get_change (call) == BECKON_CALL_CHANGE_NONE)
    return;
  if (beckon_tool_call_get_landing (call) != NULL || beckon_tool_call_get_n_early (call) > 0)
    {
      g_autoptr (GPtrArray) files = list_landed (call);
      BeckonAwayChange *change;

      if (files->len == 1)
        take_file (digest, g_ptr_array_index (files, 0), call);
      if (files->len < 2)
        return;
      change = digest_add_change (digest, beckon_call_labels_describe_call (call), call);
      for (guint i = 0; i < files->len; i++)
        g_ptr_array_add (change->files, g_ptr_array_index (files, i));
      return;
    }
  file = read_result (call);
  if (file != NULL)
    take_file (digest, file, call);
}

BeckonAwayDigest *
beckon_away_digest_new (BeckonConversation *conversation, gint64 since)
{
  g_autoptr (BeckonAwayDigest) digest = NULL;

  g_return_val_if_fail (BECKON_IS_CONVERSATION (conversation), NULL);

  digest = g_new0 (BeckonAwayDigest, 1);
  digest->calls = g_ptr_array_new_with_free_func (g_object_unref);
  digest->requests = g_ptr_array_new_with_free_func (g_object_unref);
  digest->changes = g_ptr_array_new_with_free_func (away_change_free);
  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i);

      for (guint j = 0; j < beckon_message_get_n_parts (message); j++)
        {
          BeckonPart *part = beckon_message_get_part (message, j);

          if (beckon_part_get_kind (part) == BECKON_PART_CALL)
            digest_add_call (digest, beckon_part_get_call (part), since);
        }
    }

  return digest->calls->len + digest->requests->len > 0 ? g_steal_pointer (&digest) : NULL;
}

static void
add_clause (GString *sentence, guint n, const char *words)
{
  if (n == 0)
    return;
  if (sentence->len > 0)
    g_string_append (sentence, " · ");
  g_string_append (sentence, words);
}

char *
beckon_away_digest_dup_sentence (const BeckonAwayDigest *digest)
{
  g_autoptr (GString) clauses = g_string_new (NULL);
  guint n_calls, n_files, n_requests;
  g_autofree char *calls = NULL;
  g_autofree char *files = NULL;
  g_autofree char *requests = NULL;
  g_autoptr (GHashTable) paths = NULL;

  g_return_val_if_fail (digest != NULL, NULL);

  n_calls = digest->calls->len;
  paths = g_hash_table_new (g_str_hash, g_str_equal);
  /* A file may be among the changes of a command and have one of its own. */
  for (guint i = 0; i < digest->changes->len; i++)
    {
      const BeckonAwayChange *change = g_ptr_array_index (digest->changes, i);

      for (guint j = 0; j < change->files->len; j++)
        g_hash_table_add (paths, ((BeckonAwayFile *) g_ptr_array_index (change->files, j))->path);
    }

  n_files = g_hash_table_size (paths);
  n_requests = digest->requests->len;
  calls = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u tool call", "%u tool calls", n_calls), n_calls);
  files = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file changed", "%u files changed", n_files), n_files);
  requests = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "asked you %u time", "asked you %u times", n_requests), n_requests);
  add_clause (clauses, n_calls, calls);
  add_clause (clauses, n_requests, requests);
  add_clause (clauses, n_files, files);
  /* Translators: of an agent that worked; %s is "4 tool calls · asked you 1 time · 2 files changed" */
  return beckon_text_printf (_("While you were away: %s"), clauses->str);
}

gboolean
beckon_away_change_can_undo (const BeckonAwayChange *change)
{
  g_return_val_if_fail (change != NULL, FALSE);

  for (guint i = 0; i < change->calls->len; i++)
    if (beckon_tool_call_get_change (g_ptr_array_index (change->calls, i)) == BECKON_CALL_CHANGE_KEPT)
      return TRUE;
  return FALSE;
}

gboolean
beckon_away_change_is_undone (const BeckonAwayChange *change)
{
  g_return_val_if_fail (change != NULL, FALSE);

  for (guint i = 0; i < change->calls->len; i++)
    if (beckon_tool_call_get_change (g_ptr_array_index (change->calls, i)) != BECKON_CALL_CHANGE_UNDONE)
      return FALSE;
  return TRUE;
}

GPtrArray *
beckon_away_digest_list_undoable (const BeckonAwayDigest *digest)
{
  GPtrArray *calls = g_ptr_array_new ();

  g_return_val_if_fail (digest != NULL, NULL);

  for (guint i = digest->calls->len; i > 0; i--)
    if (beckon_tool_call_get_change (g_ptr_array_index (digest->calls, i - 1)) == BECKON_CALL_CHANGE_KEPT)
      g_ptr_array_add (calls, g_ptr_array_index (digest->calls, i - 1));
  return calls;
}
