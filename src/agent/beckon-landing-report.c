/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-landing-report.h"

#include "base/beckon-english.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"

#include <string.h>

/* How many paths the model is told; what is more is counted. */
#define MAX_PATHS 50

/* The same of what belongs to one change. */
#define MAX_BOUND 20

typedef struct
{
  const BeckonLanding *landing;
  GString *text;
  guint n_told;
} Report;

static void
add_hunks (GString *text, const BeckonFileChange *change)
{
  gboolean is_first = TRUE;

  g_string_append (text, change->n_hunks - change->kept_hunks->len == 1 ? " (without hunk " : " (without hunks ");
  for (guint hunk = 0; hunk < change->n_hunks; hunk++)
    {
      gboolean is_kept = FALSE;

      for (guint i = 0; i < change->kept_hunks->len; i++)
        is_kept = is_kept || g_array_index (change->kept_hunks, guint, i) == hunk;
      if (is_kept)
        continue;
      g_string_append_printf (text, "%s%u", is_first ? "" : ", ", hunk + 1);
      is_first = FALSE;
    }
  g_string_append (text, ", which the user left out)");
}

/* A folder that stands for all in it, which may be of all kinds. */
static void
add_counts (GString *text, const BeckonFileChange *change)
{
  const char *const words[] = { "new", "changed", "deleted" };
  guint counts[3];
  gboolean is_first = TRUE;

  beckon_file_change_count (change, &counts[0], &counts[1], &counts[2]);
  g_string_append (text, " (");
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    if (counts[i] > 0)
      {
        g_string_append_printf (text, "%s%u %s", is_first ? "" : ", ", counts[i], words[i]);
        is_first = FALSE;
      }
  g_string_append_c (text, ')');
}

static void
add_name (Report *report, const BeckonFileChange *change)
{
  const locale_t before = beckon_english_begin ();
  g_autofree char *path = beckon_file_change_dup_shown_name (change);
  g_autoptr (GPtrArray) told = beckon_file_change_list_told (change);
  g_autoptr (GPtrArray) names = beckon_file_change_list_git_files (change, FALSE);

  beckon_english_end (before);
  g_string_append (report->text, path);
  for (guint i = 0; i < MIN (told->len, MAX_BOUND); i++)
    {
      const BeckonFileChange *bound = g_ptr_array_index (told, i);
      g_autofree char *name = beckon_file_change_dup_shown_name (bound);

      g_ptr_array_insert (names, (int) i, g_strconcat (bound->kind == BECKON_FILE_DELETED ? "deleted " : "", name, NULL));
    }
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (report->text, "%s%s", i == 0 ? " (with " : ", ", (const char *) g_ptr_array_index (names, i));
  if (names->len > 0)
    g_string_append (report->text, told->len > MAX_BOUND ? " and more)" : ")");
  if (change->type == BECKON_FILE_FOLDER && change->kind == BECKON_FILE_CHANGED && change->n_files > 0)
    add_counts (report->text, change);
  else if (change->n_files > 0)
    g_string_append_printf (report->text, " (%u files)", change->n_files);
  if (change->fate == BECKON_FILE_KEPT && change->kept_hunks != NULL)
    add_hunks (report->text, change);
  if (change->fate == BECKON_FILE_FAILED && change->remark != NULL)
    g_string_append_printf (report->text, " (%.*s)", (int) (strlen (change->remark) - g_str_has_suffix (change->remark, ".")),
                            change->remark);
}

/* @kind: %G_MAXUINT for any. */
static void
add_list (Report *report, const char *head, BeckonFileFate fate, guint kind)
{
  const BeckonChangeSet *changes = report->landing->changes;
  gboolean has_git = FALSE;
  guint n = 0, n_left = 0;

  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i);

      if (change->fate != fate || beckon_file_change_is_aside (change)
          || (kind != G_MAXUINT && (guint) beckon_file_change_get_common_kind (change) != kind))
        continue;
      has_git = has_git || change->git != NULL;
      if (report->n_told >= MAX_PATHS)
        {
          n_left++;
          continue;
        }
      g_string_append (report->text, n == 0 ? (report->text->len > 0 ? " " : "") : ", ");
      if (n == 0)
        g_string_append (report->text, head);
      add_name (report, change);
      n++;
      report->n_told++;
    }
  if (n == 0 && n_left > 0)
    g_string_append_printf (report->text, "%s%s%u files", report->text->len > 0 ? " " : "", head, n_left);
  else if (n_left > 0)
    g_string_append_printf (report->text, " and %u more", n_left);
  if (n + n_left > 0)
    g_string_append_c (report->text, '.');
  if (has_git && fate != BECKON_FILE_KEPT)
    g_string_append (report->text, " So HEAD, the index and the files named with it are what they were before the command.");
}

/* Their names are hundreds after an ordinary test run, and of no use. */
static void
add_aside (GString *text, const BeckonChangeSet *changes)
{
  guint n = 0;

  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i);

      n += beckon_file_change_is_aside (change) ? MAX (1, change->n_files) : 0;
    }
  if (n > 0)
    g_string_append_printf (text, "%s%u %s changed in the folder as well.", text->len > 0 ? " " : "", n,
                            n == 1 ? "cache or ignored file" : "caches or ignored files");
}

static void
add_left_out (Report *report, BeckonRequest *request)
{
  BeckonAnswer *answer = request != NULL ? beckon_request_get_answer (request) : NULL;

  if (beckon_change_set_count (report->landing->changes, BECKON_FILE_LEFT_OUT) == 0)
    return;
  if (answer == NULL)
    {
      add_list (report, "Not landed, because nobody could be asked: ", BECKON_FILE_LEFT_OUT, G_MAXUINT);
      return;
    }
  if (answer->kind == BECKON_ANSWER_TIMED_OUT || answer->kind == BECKON_ANSWER_UNAVAILABLE)
    {
      add_list (report, "Not landed, because the user did not decide in time: ", BECKON_FILE_LEFT_OUT, G_MAXUINT);
      return;
    }
  add_list (report, "Left out by the user: ", BECKON_FILE_LEFT_OUT, G_MAXUINT);
  if (answer->kind == BECKON_ANSWER_DECLINED && answer->text != NULL)
    g_string_append_printf (report->text, " They said: %s", answer->text);
}

/* (transfer full): what a tool that moves or deletes files put out, without how many they were: not all of it landed. */
static char *
dup_without_count (const char *output)
{
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    if (!g_str_has_prefix (lines[i], "Moved: ") && !g_str_has_prefix (lines[i], "Deleted: ") && *lines[i] != '\0')
      g_string_append_printf (text, "%s\n", lines[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_landing_report (const BeckonLanding *landing, BeckonRequest *request, gboolean is_asked_for)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Report report = { .landing = landing, .text = text };
  const char *output = landing->output != NULL ? landing->output : "";
  g_autofree char *rest = is_asked_for ? dup_without_count (output) : NULL;

  if (is_asked_for && *output != '\0'
      && beckon_change_set_count (landing->changes, BECKON_FILE_KEPT) == beckon_change_set_get_n_changes (landing->changes))
    return g_strdup (output);
  add_list (&report, "Changed in the folder: ", BECKON_FILE_KEPT, BECKON_FILE_CHANGED);
  add_list (&report, "Made in the folder: ", BECKON_FILE_KEPT, BECKON_FILE_CREATED);
  add_list (&report, "Moved in the folder: ", BECKON_FILE_KEPT, BECKON_FILE_MOVED);
  add_list (&report, "Deleted in the folder: ", BECKON_FILE_KEPT, BECKON_FILE_DELETED);
  add_aside (text, landing->changes);
  if (text->len == 0)
    g_string_append (text, "Nothing that it changed is in the folder.");
  add_left_out (&report, request);
  add_list (&report, "Not landed, because a rule of the user forbids it: ", BECKON_FILE_DENIED, G_MAXUINT);
  add_list (&report, "Not landed, because it was changed in the folder meanwhile: ", BECKON_FILE_CONFLICT, G_MAXUINT);
  add_list (&report, "Could not be landed: ", BECKON_FILE_FAILED, G_MAXUINT);
  if (rest != NULL)
    output = rest;
  return g_strdup_printf ("%s%s[%s]", output, *output != '\0' ? "\n" : "", text->str);
}

char *
beckon_landing_report_early (BeckonToolCall *call, gboolean with_names)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < beckon_tool_call_get_n_early (call); i++)
    {
      const BeckonLanding *landing = beckon_tool_call_get_early (call, i);
      g_autoptr (GString) words = g_string_new (NULL);
      Report report = { .landing = landing, .text = words };

      if (landing->state == BECKON_LANDING_WAITING || !beckon_change_set_can_undo (landing->changes))
        continue;
      if (with_names)
        add_list (&report, "Saved in the folder while it still ran: ", BECKON_FILE_KEPT, G_MAXUINT);
      if (words->len == 0)
        g_string_append (words, "Some of what it changed was saved in the folder while it still ran.");
      g_string_append_printf (text, "\n[%s]", words->str);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_landing_report_undone (BeckonToolCall *call, gboolean is_redo)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (call);
  g_autoptr (GString) text = g_string_new (beckon_tool_call_get_name (call));
  guint n = 0, n_left = 0;

  if (landings->len == 0)
    {
      g_autoptr (JsonObject) arguments
        = beckon_json_parse_object (beckon_tool_call_get_effective_arguments (call), -1, NULL);
      const char *path = arguments != NULL ? beckon_json_get_string (arguments, "path") : NULL;

      g_autofree char *shown = path != NULL ? beckon_text_for_display (path, -1, BECKON_TEXT_EXACT) : NULL;

      if (shown != NULL)
        g_string_append_printf (text, " %s", shown);
    }
  for (guint i = 0; i < landings->len; i++)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i);
      Report report = { .landing = landing, .text = text };

      for (guint j = 0; j < beckon_change_set_get_n_changes (landing->changes); j++)
        {
          const BeckonFileChange *change = beckon_change_set_get (landing->changes, j);

          n_left += !is_redo && change->fate == BECKON_FILE_KEPT ? 1 : 0;
          if (change->fate != (is_redo ? BECKON_FILE_KEPT : BECKON_FILE_UNDONE) || beckon_file_change_is_aside (change))
            continue;
          if (n < MAX_BOUND)
            {
              g_string_append (text, n == 0 ? " (" : ", ");
              add_name (&report, change);
            }
          n++;
        }
    }
  if (n > MAX_BOUND)
    g_string_append_printf (text, " and %u more", n - MAX_BOUND);
  if (n > 0)
    g_string_append_c (text, ')');
  if (n_left > 0)
    g_string_append_printf (text, " but for %u of its changes, whose files had changed since", n_left);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
