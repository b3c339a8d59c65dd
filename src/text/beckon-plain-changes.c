/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-changes.h"

#include "base/beckon-english.h"
#include "base/beckon-json.h"
#include "base/beckon-line-diff.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-call-labels.h"
#include "beckon-plain-class.h"
#include "beckon-plain-remember.h"
#include "beckon-plain-reply.h"
#include "request/beckon-changes-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Characters of a reply that is quoted. */
#define MOST_ECHOED 40

/* More ordinary changes are listed on request; whatever needs a look is always in the list. */
#define MOST_LISTED 50

/* More of what was there is listed where a group of changes could be taken for all of them. */
#define MOST_TOUCHED 200

/* So much of what comes and goes with a change is named below it. */
#define MOST_BOUND 10

/* A line that was changed is one that went and one that came; of a commit, whose files are in no line of their own, more. */
#define MOST_SHOWN_LINES 2
#define MOST_COMMIT_LINES 12
#define MOST_SHOWN_CHANGES 10

static const char *
describe_kind (const BeckonFileChange *change)
{
  switch (beckon_file_change_get_common_kind (change))
    {
    case BECKON_FILE_CREATED:
      /* Translators: what a command did to a file, in a list */
      return C_("file", "new");
    case BECKON_FILE_DELETED:
      /* Translators: what a command did to a file, in a list */
      return C_("file", "deleted");
    case BECKON_FILE_MOVED:
      /* Translators: what a command did to a file, in a list */
      return C_("file", "moved");
    case BECKON_FILE_CHANGED:
    default:
      /* Translators: what a command did to a file, in a list */
      return C_("file", "changed");
    }
}

/* A fate that is decided already, without the person who is asked; %NULL for what they decide on. */
static const char *
plain_changes_describe_fate (const BeckonFileChange *change)
{
  switch (change->fate)
    {
    case BECKON_FILE_KEPT:
      /* Translators: of a changed file that needs no decision */
      return _("kept in any case");
    case BECKON_FILE_LEFT_OUT:
      return _("left out");
    case BECKON_FILE_DENIED:
      return _("left out: one of your rules denies it");
    case BECKON_FILE_CONFLICT:
      return _("left out: changed in the folder meanwhile");
    case BECKON_FILE_FAILED:
      return change->remark != NULL ? beckon_english_translate (change->remark) : _("failed");
    case BECKON_FILE_UNDONE:
      return _("undone");
    case BECKON_FILE_OPEN:
    default:
      return NULL;
    }
}

static gboolean
is_left_out_in_part (const BeckonFileChange *change, const BeckonChangeChoice *choice, guint index)
{
  for (guint hunk = 0; hunk < change->n_hunks; hunk++)
    if (beckon_change_choice_get_hunk_left_out (choice, index, hunk))
      return TRUE;
  return FALSE;
}

static const char *
get_mark (const BeckonFileChange *change, const BeckonChangeChoice *choice, guint index)
{
  if (change->fate != BECKON_FILE_OPEN)
    return " ";
  if (beckon_change_choice_get_left_out (choice, index))
    return "✗";
  return is_left_out_in_part (change, choice, index) ? "◐" : "✓";
}

/* A folder that is still there, and stands for many changes in it. */
static gboolean
is_group (const BeckonFileChange *change)
{
  return change->type == BECKON_FILE_FOLDER && change->kind == BECKON_FILE_CHANGED && change->n_files > 0;
}

static void
append_size (GString *text, const BeckonFileChange *change)
{
  g_autofree char *size = g_format_size (change->size);
  g_autofree char *counts = is_group (change) ? beckon_file_change_dup_counts (change) : NULL;

  if (counts != NULL)
    /* Translators: how many files, and how much that is */
    beckon_text_append (text, _("  (%s, %s)"), counts, size);
  else if (change->n_files > 0)
    /* Translators: of a folder that stands for all in it: how many files, and how much that is */
    beckon_text_append (text, ngettext ("  (%u file, %s)", "  (%u files, %s)", change->n_files), change->n_files, size);
  else if (beckon_file_change_keeps_content (change) && change->kind == BECKON_FILE_CHANGED)
    return;
  else if (change->is_text && !beckon_file_change_keeps_content (change))
    g_string_append_printf (text, "  +%u −%u", change->n_added, change->n_removed);
  else if (change->type == BECKON_FILE_REGULAR)
    beckon_text_append (text, _("  (%s)"), size);
}

/* (nullable): which parts of a change are left out. */
static char *
describe_parts (const BeckonFileChange *change, const BeckonChangeChoice *choice, guint index)
{
  g_autoptr (GString) parts = g_string_new (NULL);
  guint n = 0;

  if (change->fate != BECKON_FILE_OPEN || beckon_change_choice_get_left_out (choice, index))
    return NULL;
  for (guint hunk = 0; hunk < change->n_hunks; hunk++)
    if (beckon_change_choice_get_hunk_left_out (choice, index, hunk))
      beckon_text_append (parts, "%s%u", n++ > 0 ? _(", ") : "", hunk + 1);
  if (n == 0)
    return NULL;
  /* Translators: of a changed file: numbers of its parts, such as "1, 3" */
  return beckon_text_printf (ngettext ("part %s left out", "parts %s left out", n), parts->str);
}

/* Its kind and place, how much it is, and what else is changed of it. */
static void
append_name (GString *text, const BeckonFileChange *change)
{
  g_autofree char *name = beckon_file_change_dup_shown_name (change);

  if (change->git != NULL)
    {
      g_string_append (text, name);
      return;
    }
  beckon_text_append (text, _("%s: %s"), describe_kind (change), name);
  if (change->target != NULL && !beckon_file_change_makes_folder (change))
    {
      g_autofree char *target = beckon_text_for_display (change->target, -1, BECKON_TEXT_EXACT);

      g_string_append_printf (text, " → %s", target);
    }
  append_size (text, change);
  if (change->kind == BECKON_FILE_CHANGED && change->mode_before != change->mode_after
      && change->type_before == change->type)
    g_string_append_printf (text, "  %03o → %03o", change->mode_before, change->mode_after);
  if (change->kind == BECKON_FILE_CREATED && change->type == BECKON_FILE_REGULAR && (change->mode_after & 0111) != 0)
    /* Translators: behind a new file, in a list */
    beckon_text_append (text, "  · %s", C_("file", "executable"));
  if (change->attributes != NULL)
    {
      g_autofree char *attributes = beckon_text_for_display (change->attributes, -1, BECKON_TEXT_EXACT);

      /* Translators: of a file; %s are names of what the file system keeps beside its content, such as user.comment */
      beckon_text_append (text, _("  (attributes: %s)"), attributes);
    }
  if (beckon_file_change_makes_folder (change))
    beckon_text_append (text, _("  (%s)"), change->type_before == BECKON_FILE_LINK ? _("a folder instead of a link")
                        : _("a folder instead of a file"));
}

/* Changes that are decided with another have lines of their own, and no number. */
static void
append_bound (GString *text, const BeckonFileChange *change)
{
  g_autoptr (GPtrArray) told = beckon_file_change_list_told (change);

  for (guint i = 0; i < MIN (told->len, MOST_BOUND); i++)
    {
      g_string_append (text, "\n     ");
      append_name (text, g_ptr_array_index (told, i));
    }
  if (told->len > MOST_BOUND)
    {
      g_string_append (text, "\n     ");
      beckon_text_append (text, ngettext ("… and %u more", "… and %u more", told->len - MOST_BOUND),
                          told->len - MOST_BOUND);
    }
}

/* @name: (nullable): in place of its own, which was said above. */
static void
append_change (GString *text, const BeckonFileChange *change, const BeckonChangeChoice *choice, guint index, const char *name)
{
  const char *concern = beckon_file_concern_to_words (change->concern);
  const char *fate = plain_changes_describe_fate (change);
  g_autofree char *parts = describe_parts (change, choice, index);

  g_string_append_printf (text, "\n%s %u. ", get_mark (change, choice, index), index + 1);
  if (name != NULL)
    g_string_append (text, name);
  else
    append_name (text, change);
  if (parts != NULL)
    beckon_text_append (text, _("  (%s)"), parts);
  if (change->fate == BECKON_FILE_OPEN && change->remark != NULL)
    concern = change->remark;
  if (concern != NULL)
    g_string_append_printf (text, " — %s", concern);
  if (change->fate == BECKON_FILE_OPEN && beckon_file_change_get_why_unshown (change) != NULL)
    g_string_append_printf (text, " — %s", beckon_file_change_get_why_unshown (change));
  if (fate != NULL)
    g_string_append_printf (text, " — %s", fate);
  append_bound (text, change);
}

/* Lines that a person compares: what went and what came, and the files of a commit. */
static gboolean
is_told_line (const BeckonFileChange *change, const char *line)
{
  return *line == '+' || *line == '-' || (change->git != NULL && *line != '\0' && strchr (" @\\", *line) == NULL);
}

/* A change of a line is seen without being asked for. Returns how many lines are not. */
static guint
append_short_difference (GString *text, const BeckonFileChange *change, gboolean may_show)
{
  gboolean has_diff = change->fate == BECKON_FILE_OPEN && change->diff != NULL;
  g_autofree char *folded = has_diff ? beckon_line_diff_fold_blank (change->diff) : NULL;
  g_auto (GStrv) lines = folded != NULL ? g_strsplit (folded, "\n", -1) : NULL;
  guint n = 0, n_told = 0;

  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      n += lines[i][0] == '+' || lines[i][0] == '-';
      n_told += is_told_line (change, lines[i]);
    }
  if ((n > 0 && !may_show) || n > (change->git != NULL ? MOST_COMMIT_LINES : MOST_SHOWN_LINES)
      || n_told > MOST_COMMIT_LINES + MOST_SHOWN_CHANGES)
    return n > 0 ? n : n_told;
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    if (is_told_line (change, lines[i]))
      {
        g_autofree char *safe = beckon_plain_text_for_terminal (lines[i], -1);

        g_string_append_printf (text, "\n     %s", safe);
      }
  return 0;
}

/* @n_first: how many of them the change of @index has, the first whose difference is not shown. @code: (nullable): of the
 * request, where no reply can be typed. */
static void
append_hidden (GString *text, guint n_lines, guint n_first, guint index, const char *code)
{
  g_string_append_c (text, '\n');
  beckon_text_append (text, ngettext ("%u line of differences is not shown here; ",
                                      "%u lines of differences are not shown here; ", n_lines),
                      n_lines);
  if (code != NULL)
    beckon_text_append (text, _("“beckonctl answer %s”, then "), code);
  if (n_first == n_lines)
    beckon_text_append (text, ngettext ("“d %u” shows it", "“d %u” shows them", n_lines), index + 1);
  else
    /* Translators: the second number is how many lines of the list above that shows */
    beckon_text_append (text, _("“d %u” shows the first %u"), index + 1, n_first);
}

static gboolean
needs_look (const BeckonFileChange *change)
{
  return change->concern != BECKON_FILE_CONCERN_NONE || plain_changes_describe_fate (change) != NULL;
}

static gboolean
has_groups (const BeckonChangeSet *changes)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    if (is_group (beckon_change_set_get (changes, i)))
      return TRUE;
  return FALSE;
}

static guint
count_listed (const BeckonChangeSet *changes)
{
  guint n = 0;

  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    n += !beckon_file_change_is_aside (beckon_change_set_get (changes, i));
  return n;
}

/* Groups stand at the end, and beside them each file that is changed or deleted by itself. */
static void
append_list (GString *text, const BeckonChangeSet *changes, const BeckonChangeChoice *choice, gboolean is_whole,
             const char *code)
{
  guint n = beckon_change_set_get_n_changes (changes), n_listed = 0, n_more = 0;
  guint n_hidden = 0, n_first = 0, first_hidden = 0;
  const gboolean is_alone = count_listed (changes) == 1;
  guint n_more_touched = has_groups (changes) ? MOST_TOUCHED : 0;

  for (guint i = 0; i < 2 * n; i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i % n);
      gboolean is_touched = change->kind != BECKON_FILE_CREATED;
      g_autoptr (GPtrArray) files = beckon_file_change_list_git_files (change, TRUE);
      const gboolean is_named = is_alone && change->git != NULL && strstr (change->git, "\nfiles\t") != NULL;
      guint n_lines;

      if (is_group (change) != (i >= n) || beckon_file_change_is_aside (change))
        continue;
      if (!is_whole && n_listed >= MOST_LISTED && !needs_look (change) && !is_group (change)
          && !(is_touched && n_more_touched > 0))
        {
          n_more++;
          continue;
        }
      if (n_listed >= MOST_LISTED && is_touched && n_more_touched > 0)
        n_more_touched--;
      /* The heading is the name of a commit that is all there is. */
      append_change (text, change, choice, i % n, is_named ? _("Files:") : NULL);
      n_lines = append_short_difference (text, change, n_listed < MOST_SHOWN_CHANGES);
      /* Its difference has them, too. */
      for (guint j = 0; j < files->len && (n_lines > 0 || change->diff == NULL); j++)
        g_string_append_printf (text, "\n     %s", (const char *) g_ptr_array_index (files, j));
      if (n_hidden == 0)
        {
          first_hidden = i % n;
          n_first = n_lines;
        }
      n_hidden += n_lines;
      n_listed++;
    }
  if (n_more > 0)
    {
      g_string_append (text, "\n");
      g_string_append_printf (text, ngettext ("… and %u more; “l” lists all of them", "… and %u more; “l” lists all of them",
                                              n_more),
                              n_more);
    }
  if (n_hidden > 0 && !is_whole)
    append_hidden (text, n_hidden, n_first, first_hidden, code);
}

static void
append_command (GString *text, BeckonRequest *request)
{
  g_autofree char *arguments = beckon_request_dup_shown_arguments (request);
  g_autofree char *outcome = beckon_changes_request_dup_outcome (request);
  g_autoptr (JsonObject) object = arguments != NULL ? beckon_json_parse_object (arguments, -1, NULL) : NULL;
  const char *command = object != NULL ? beckon_json_get_string (object, "command") : NULL;
  g_autofree char *shown = NULL;

  /* The changes of a tool of the program's own, such as to move files, say all that its arguments do. */
  if (command != NULL)
    shown = beckon_text_command_for_display (command);
  else if (!beckon_call_labels_is_known (beckon_request_get_tool (request)))
    shown = beckon_text_json_for_display (arguments != NULL ? arguments : "{}");
  if (shown != NULL)
    g_string_append_printf (text, "\n%s%s", command != NULL ? "$ " : "", shown);
  if (outcome != NULL)
    {
      g_autofree char *safe = beckon_plain_text_for_terminal (outcome, -1);

      g_string_append_printf (text, "\n%s", safe);
    }
}

/* A deletion that is kept leaves no file. */
static const char *
plain_changes_describe_keep (const BeckonChangeSet *changes, const BeckonChangeChoice *choice)
{
  guint n_marked = 0, n_deleted = 0;

  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i);
      gboolean is_marked = change->fate == BECKON_FILE_OPEN && !beckon_change_choice_get_left_out (choice, i);

      n_marked += is_marked;
      n_deleted += is_marked && beckon_file_change_get_common_kind (change) == BECKON_FILE_DELETED;
    }
  if (n_deleted == 0)
    return _("k: keep the changes marked ✓");
  return n_deleted == n_marked ? _("k: delete what is marked ✓") : _("k: keep the changes marked ✓, deletions too");
}

/* (transfer full): what can be shown, and what can be left out alone: of a change that is all there is to decide, its parts. */
static char *
dup_number_hint (const BeckonChangeSet *changes)
{
  g_autoptr (GString) hint = g_string_new (NULL);
  guint n_open = 0, shown = 0, part = 0, file = 0;

  for (guint i = beckon_change_set_get_n_changes (changes); i > 0; i--)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i - 1);

      if (beckon_file_change_is_aside (change))
        continue;
      shown = change->fate == BECKON_FILE_OPEN || shown == 0 ? i : shown;
      if (change->fate != BECKON_FILE_OPEN)
        continue;
      n_open++;
      file = i;
      part = change->n_hunks > 1 ? i : part;
    }
  beckon_text_append (hint, _("d %u: show the difference"), MAX (shown, 1));
  if (n_open > 1 && part > 0)
    beckon_text_append (hint, _(" · x %u, x %u.1: leave out or keep a file or a part of it"), part, part);
  else if (n_open > 1 || (n_open == 1 && part == 0 && count_listed (changes) > 1))
    beckon_text_append (hint, _(" · x %u: leave out or keep a file"), file);
  else if (part > 0)
    beckon_text_append (hint, _(" · x %u.1: leave out or keep a part of it"), part);
  return g_string_free (g_steal_pointer (&hint), FALSE);
}

/* Whether more than caches is kept whatever the answer is. */
static gboolean
has_rest (const BeckonChangeSet *changes)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i);

      if (change->fate == BECKON_FILE_KEPT && !change->is_by_product)
        return TRUE;
    }
  return FALSE;
}

/* An answer is about the rest alone where the mode has decided about ordinary changes. It names only what this card has.
 * (transfer full) */
static char *
dup_hint (const BeckonChangeSet *changes, const BeckonChangeChoice *choice)
{
  gboolean is_rest = has_rest (changes);
  gboolean is_any = is_rest || beckon_change_choice_keeps_any (choice, changes);
  gboolean is_all = is_any && beckon_change_choice_is_empty (choice);
  g_autofree char *numbers = dup_number_hint (changes);

  return g_strconcat (is_any ? plain_changes_describe_keep (changes, choice) : "",
                      is_any && is_rest ? _("; what doesn’t wait for you is kept anyway") : "", is_any ? " · " : "",
                      is_all ? "" : _("k all: keep everything"), is_all ? "" : " · ",
                      is_rest ? _("n: leave out everything that waits for you, with an optional reason; the rest is kept")
                      : _("n: leave all out, with an optional reason"),
                      " · ", numbers, NULL);
}

/* A file, and a part of another one, that can be left out so that something is still kept. Parts and numbers are those of this
 * card, so that no line fails that is copied from here. */
static void
append_leave_out (GString *text, const BeckonChangeSet *changes, const BeckonChangeChoice *first, const char *code)
{
  gboolean is_first = beckon_change_choice_keeps_any (first, changes);
  guint n = 0, file = 0, part = 0;

  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i);

      if (change->fate != BECKON_FILE_OPEN || (is_first && beckon_change_choice_get_left_out (first, i)))
        continue;
      n++;
      if (part == 0 && change->n_hunks > 1)
        part = i + 1;
      else if (file == 0)
        file = i + 1;
    }
  if (part == 0 && n < 2)
    return;

  g_string_append_printf (text, "\n  beckonctl answer %s%s", code, is_first ? "" : " --keep-all");
  if (file > 0)
    g_string_append_printf (text, " --leave-out %u", file);
  if (part > 0)
    g_string_append_printf (text, " --leave-out %u.1", part);
}

/* Replies as command lines, for where replies are not typed. */
static void
append_command_lines (GString *text, const BeckonChangeSet *changes, const BeckonChangeChoice *choice, const char *code)
{
  if (beckon_change_choice_lands_any (choice, changes))
    g_string_append_printf (text, "\n  beckonctl answer %s --keep", code);
  if (!beckon_change_choice_is_empty (choice))
    g_string_append_printf (text, "\n  beckonctl answer %s --keep-all", code);
  append_leave_out (text, changes, choice, code);
  /* Translators: stands in a command line for the reason that a person gives */
  beckon_text_append (text, "\n  beckonctl answer %s --deny \"%s\"", code, _("why"));
}

void
beckon_plain_changes_append_heading (GString *text, BeckonRequest *request, guint item)
{
  g_autofree char *sentence = beckon_changes_request_dup_sentence (request);

  beckon_plain_text_append (text, "", sentence);
}

void
beckon_plain_changes_append (GString *text, BeckonRequest *request, guint item, const char *code)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new_first (beckon_request_get_changes (request));

  append_command (text, request);
  append_list (text, beckon_request_get_changes (request), choice, !beckon_plain_class_waits (request), code);
  if (!beckon_plain_class_waits (request))
    return;
  beckon_plain_remember_append (
      text, request,
      _("Keep the changes marked ✓ and don’t ask again, in this conversation with /here N or everywhere with /always N:"));
  g_string_append (text, "\n");
  if (code != NULL)
    append_command_lines (text, beckon_request_get_changes (request), choice, code);
  else
    {
      g_autofree char *hint = dup_hint (beckon_request_get_changes (request), choice);

      g_string_append_printf (text, "\n%s", hint);
    }
}

/* Each hunk begins with its number, by which it is left out. */
static void
append_hunks (GString *text, const char *diff, guint number, gboolean is_numbered)
{
  g_autofree char *folded = beckon_line_diff_fold_blank (diff);
  g_auto (GStrv) lines = g_strsplit (folded, "\n", -1);
  guint hunk = 0;

  for (guint i = 0; lines[i] != NULL && (lines[i][0] != '\0' || lines[i + 1] != NULL); i++)
    {
      g_autofree char *safe = beckon_plain_text_for_terminal (lines[i], -1);

      g_string_append (text, "\n");
      if (is_numbered && g_str_has_prefix (lines[i], "@@"))
        g_string_append_printf (text, "%u.%u ", number, ++hunk);
      g_string_append (text, safe);
    }
}

static void
append_bound_difference (GString *text, const BeckonFileChange *bound)
{
  if (bound->diff == NULL)
    return;
  g_string_append_c (text, '\n');
  append_name (text, bound);
  append_hunks (text, bound->diff, 0, FALSE);
}

static char *
dup_difference (const BeckonChangeSet *changes, guint index, const BeckonChangeChoice *choice)
{
  const BeckonFileChange *change = beckon_change_set_get (changes, index);
  g_autoptr (GPtrArray) told = beckon_file_change_list_told (change);
  g_autoptr (GString) text = g_string_new (NULL);

  append_change (text, change, choice, index, NULL);
  g_string_erase (text, 0, 1);
  if (change->diff != NULL && (change->fate == BECKON_FILE_CONFLICT || change->concern == BECKON_FILE_CONCERN_CONFLICT))
    beckon_text_append (text, "\n%s", change->theirs != NULL ? _("By the command:")
                        : _("− in the folder now, + by the command:"));
  if (change->diff != NULL)
    append_hunks (text, change->diff, index + 1, change->fate == BECKON_FILE_OPEN && change->n_hunks > 0);
  else if (change->type == BECKON_FILE_REGULAR && !beckon_file_change_keeps_content (change))
    beckon_text_append (text, "\n%s", _("No difference to show: not text, or too long."));
  for (guint i = 0; i < told->len; i++)
    append_bound_difference (text, g_ptr_array_index (told, i));
  if (change->theirs != NULL)
    {
      beckon_text_append (text, "\n%s", _("Changed in the folder meanwhile:"));
      append_hunks (text, change->theirs, 0, FALSE);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Digits up to @end; 0 if it is no number that counts something. */
static guint
plain_changes_read_number (const char *text, char **end)
{
  guint64 number = g_ascii_isdigit (*text) ? g_ascii_strtoull (text, end, 10) : 0;

  return number <= G_MAXINT ? (guint) number : 0;
}

/* A file, or with @hunk from 1 on a part of it, is left out, or is kept again. */
static void
toggle (const BeckonFileChange *change, guint index, guint hunk, BeckonChangeChoice *choice)
{
  if (hunk == 0)
    {
      gboolean is_out = beckon_change_choice_get_left_out (choice, index) || is_left_out_in_part (change, choice, index);

      beckon_change_choice_set_left_out (choice, index, !is_out);
    }
  else if (beckon_change_choice_get_left_out (choice, index))
    {
      /* The one part that is named comes back, the rest of the file stays out. */
      beckon_change_choice_set_left_out (choice, index, FALSE);
      for (guint i = 0; i < change->n_hunks; i++)
        beckon_change_choice_set_hunk_left_out (choice, index, i, i != hunk - 1);
    }
  else
    beckon_change_choice_set_hunk_left_out (choice, index, hunk - 1,
                                            !beckon_change_choice_get_hunk_left_out (choice, index, hunk - 1));
}

static void
set_left_out (const BeckonFileChange *change, guint index, guint hunk, BeckonChangeChoice *choice)
{
  if (hunk == 0)
    beckon_change_choice_set_left_out (choice, index, TRUE);
  else
    beckon_change_choice_set_hunk_left_out (choice, index, hunk - 1, TRUE);
}

typedef void (*Step) (const BeckonFileChange *change, guint index, guint hunk, BeckonChangeChoice *choice);

/* @word: "2" or "2.1", for @step. */
static gboolean
name_change (const BeckonChangeSet *changes, const char *word, Step step, BeckonChangeChoice *choice, char **problem)
{
  char *end = NULL;
  guint number = plain_changes_read_number (word, &end);
  const BeckonFileChange *change
    = number > 0 && number <= beckon_change_set_get_n_changes (changes) ? beckon_change_set_get (changes, number - 1) : NULL;
  guint hunk = change != NULL && *end == '.' ? plain_changes_read_number (end + 1, &end) : 0;

  if (change != NULL && change->fate == BECKON_FILE_OPEN && change->n_hunks < 2 && strchr (word, '.') != NULL)
    {
      *problem = beckon_text_printf (_("Change %u has no parts."), number);
      return FALSE;
    }
  if (change == NULL || *end != '\0' || hunk > change->n_hunks || (strchr (word, '.') != NULL && hunk == 0))
    {
      /* Translators: %s is what somebody typed, such as "7" or "2.9" */
      *problem = beckon_text_printf (_("Change %s is not in the list."), word);
      return FALSE;
    }
  if (change->fate != BECKON_FILE_OPEN)
    {
      /* Translators: %s are what somebody typed, such as "7", and what becomes of that change, such as "kept in any case" */
      *problem = beckon_text_printf (_("Change %s is already decided: %s."), word, plain_changes_describe_fate (change));
      return FALSE;
    }

  step (change, number - 1, hunk, choice);
  beckon_change_choice_follow (choice, changes, number - 1);
  return TRUE;
}

static gboolean
name_changes (BeckonRequest *request, const char *numbers, Step step, BeckonChangeChoice *choice, char **problem)
{
  g_autofree char *plain = g_utf8_normalize (numbers, -1, G_NORMALIZE_ALL_COMPOSE);
  g_auto (GStrv) words = g_regex_split_simple ("[,、;\\s]+", plain != NULL ? plain : "", 0, 0);
  gboolean is_any = FALSE;

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      {
        if (!name_change (beckon_request_get_changes (request), words[i], step, choice, problem))
          return FALSE;
        is_any = TRUE;
      }
  if (!is_any)
    *problem = g_strdup (_("Name a change: “x 2” for a file, “x 2.1” for a part of it."));
  return is_any;
}

gboolean
beckon_plain_changes_leave_out (BeckonRequest *request, const char *numbers, BeckonChangeChoice *choice, char **problem)
{
  return name_changes (request, numbers, set_left_out, choice, problem);
}

/* (transfer full): a reply that can't be, and those that can. */
static char *
dup_refusal (BeckonRequest *request, const BeckonChangeChoice *choice, const char *problem)
{
  g_autofree char *hint = dup_hint (beckon_request_get_changes (request), choice);

  return g_strconcat (problem, "\n", hint, NULL);
}

static BeckonPlainResult
show_difference (BeckonRequest *request, const char *rest, const BeckonChangeChoice *choice, char **message)
{
  const BeckonChangeSet *changes = beckon_request_get_changes (request);
  guint n_changes = beckon_change_set_get_n_changes (changes);
  char *end = NULL;
  guint number = *rest == '\0' && n_changes == 1 ? 1 : plain_changes_read_number (rest, &end);

  if (number == 0 || number > n_changes || (end != NULL && *end != '\0'))
    return beckon_plain_reply_again (message, _("Name the change to show, such as “d 2”."));
  *message = dup_difference (changes, number - 1, choice);
  return BECKON_PLAIN_AGAIN;
}

static BeckonPlainResult
plain_changes_leave_out (BeckonRequest *request, const char *rest, BeckonChangeChoice *choice, BeckonAnswer *answer,
                         char **message)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *problem = NULL;

  if (!name_changes (request, rest, toggle, choice, &problem))
    {
      *message = dup_refusal (request, choice, problem);
      return BECKON_PLAIN_AGAIN;
    }

  g_free (answer->text);
  answer->text = beckon_change_choice_to_json (choice);
  append_list (text, beckon_request_get_changes (request), choice, FALSE, NULL);
  g_string_erase (text, 0, 1);
  *message = g_string_free (g_steal_pointer (&text), FALSE);
  return BECKON_PLAIN_AGAIN;
}

static BeckonPlainResult
keep_all (BeckonAnswer **whole)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();
  g_autofree char *document = beckon_change_choice_to_json (choice);

  *whole = beckon_answer_new (BECKON_ANSWER_KEPT, document);
  return BECKON_PLAIN_ANSWER;
}

/* "k" alone, or with more that does not land: "k x 2 3.1"; and "k all". */
static BeckonPlainResult
plain_changes_keep (BeckonRequest *request, const char *rest, BeckonChangeChoice *choice, const char *hint,
                    BeckonAnswer **whole, char **message)
{
  g_autofree char *document = NULL;
  g_autofree char *problem = NULL;

  if (g_ascii_strcasecmp (rest, "all") == 0)
    return keep_all (whole);
  if (*rest != '\0' && (g_ascii_tolower (*rest) != 'x' || !g_ascii_isspace (rest[1])))
    return beckon_plain_reply_again (message, hint);
  if (*rest != '\0' && !beckon_plain_changes_leave_out (request, rest + 1, choice, &problem))
    {
      *message = dup_refusal (request, choice, problem);
      return BECKON_PLAIN_AGAIN;
    }
  if (!beckon_change_choice_lands_any (choice, beckon_request_get_changes (request)))
    return beckon_plain_reply_again (message, _("Nothing is marked ✓. Reply with “x 1” to keep the first change, “k all” to "
                                                "keep everything, or "
                                                "“n” to leave all out."));

  document = beckon_change_choice_to_json (choice);
  *whole = beckon_answer_new (BECKON_ANSWER_KEPT, document);
  return BECKON_PLAIN_ANSWER;
}

/* The letter of a command and what follows it; 0 if @line is none. A label counts as its letter. */
static char
split_command (const char *line, const char **rest)
{
  const struct
  {
    char letter;
    const char *label;
    const char *rest;
  } labels[] = { { 'k', _("Keep all"), "all" }, { 'n', _("Leave all out"), "" } };
  g_autofree char *folded = g_utf8_casefold (line, -1);
  gunichar first = g_utf8_get_char (line);
  const char *behind = *line != '\0' ? g_utf8_next_char (line) : line;

  for (gsize i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      g_autofree char *label = g_utf8_casefold (labels[i].label, -1);

      if (strcmp (folded, label) == 0)
        {
          *rest = labels[i].rest;
          return labels[i].letter;
        }
    }

  /* As an input method for full-width letters types them. */
  if (first >= 0xff21 && first <= 0xff5a)
    first -= 0xff21 - 'A';
  if (*behind != '\0' && !g_unichar_isspace (g_utf8_get_char (behind)))
    return 0;
  while (*behind != '\0' && g_unichar_isspace (g_utf8_get_char (behind)))
    behind = g_utf8_next_char (behind);
  *rest = behind;
  return first < 0x80 ? g_ascii_tolower ((char) first) : 0;
}

gboolean
beckon_plain_changes_names_folder (BeckonRequest *request, const char *line, guint *change)
{
  const BeckonChangeSet *changes = beckon_request_get_changes (request);
  g_autofree char *trimmed = g_strstrip (g_strdup (line));
  g_autofree char *plain = NULL;
  const char *rest = "";
  char *end = NULL;
  guint number;

  if (changes == NULL || split_command (trimmed, &rest) != 'd')
    return FALSE;
  plain = g_utf8_normalize (rest, -1, G_NORMALIZE_ALL_COMPOSE);
  number = plain != NULL ? plain_changes_read_number (plain, &end) : 0;
  if (number == 0 || *end != '\0' || number > beckon_change_set_get_n_changes (changes)
      || beckon_change_set_get (changes, number - 1)->n_files == 0)
    return FALSE;
  *change = number - 1;
  return TRUE;
}

static BeckonPlainResult
parse_letter (BeckonRequest *request, const char *line, BeckonChangeChoice *choice, const char *hint, BeckonAnswer *answer,
              BeckonAnswer **whole, char **message)
{
  g_autofree char *plain = NULL;
  g_autofree char *brief = NULL;
  g_autofree char *safe = NULL;
  const char *rest = "";
  g_autoptr (GString) list = NULL;

  switch (split_command (line, &rest))
    {
    case 'k':
      plain = g_utf8_normalize (rest, -1, G_NORMALIZE_ALL_COMPOSE);
      return plain_changes_keep (request, plain, choice, hint, whole, message);
    case 'n':
      *whole = beckon_answer_new (BECKON_ANSWER_DECLINED, *rest != '\0' ? rest : NULL);
      return BECKON_PLAIN_ANSWER;
    case 'd':
      plain = g_utf8_normalize (rest, -1, G_NORMALIZE_ALL_COMPOSE);
      return show_difference (request, plain, choice, message);
    case 'x':
      return plain_changes_leave_out (request, rest, choice, answer, message);
    case 'l':
      list = g_string_new (NULL);
      append_list (list, beckon_request_get_changes (request), choice, TRUE, NULL);
      return beckon_plain_reply_again (message, list->str + 1);
    default:
      brief = beckon_text_shorten (line, MOST_ECHOED);
      safe = beckon_plain_text_for_terminal (brief, -1);
      /* Translators: the first %s is what was typed at a card, the second lists what can be */
      *message = *line != '\0' ? beckon_text_printf (_("“%s” isn't a valid reply here.\n%s"), safe, hint) : g_strdup (hint);
      return BECKON_PLAIN_AGAIN;
    }
}

/* @whole: (nullable): what is remembered with what is kept, which is something. */
static BeckonPlainResult
plain_changes_check_remembered (BeckonRequest *request, BeckonAnswer **whole, char **message)
{
  g_autoptr (GError) error = NULL;

  if (*whole == NULL)
    return BECKON_PLAIN_AGAIN;
  if (beckon_request_check_answer (request, *whole, &error))
    return BECKON_PLAIN_ANSWER;
  g_clear_pointer (whole, beckon_answer_unref);
  return beckon_plain_reply_again (message, error->message);
}

BeckonPlainResult
beckon_plain_changes_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer, BeckonAnswer **whole,
                            char **message)
{
  const BeckonChangeSet *changes = beckon_request_get_changes (request);
  const char *reason = beckon_plain_reply_get_argument (line, "/deny");
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_parse (answer->text, changes, NULL);
  g_autofree char *hint = dup_hint (changes, choice);
  BeckonPlainResult result;

  if (beckon_plain_reply_parse_command (line, &result, whole))
    return result;
  if (beckon_plain_remember_parse (request, line, answer->text, hint, whole, message))
    return plain_changes_check_remembered (request, whole, message);
  if (reason == NULL)
    return parse_letter (request, line, choice, hint, answer, whole, message);

  *whole = beckon_answer_new (BECKON_ANSWER_DECLINED, reason);
  return BECKON_PLAIN_ANSWER;
}
