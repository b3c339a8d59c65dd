/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-change-labels.h"

#include "base/beckon-english.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

/* So much of what comes and goes with a change is named below it. */
#define MOST_BOUND 10

static char *
describe_folder (const BeckonFileChange *change)
{
  g_autofree char *size = g_format_size (change->size);
  g_autofree char *n = NULL;

  if (beckon_file_change_makes_folder (change) && change->n_files == 0)
    return g_strdup (change->type_before == BECKON_FILE_LINK ? _("a folder instead of a link")
                     : _("a folder instead of a file"));
  if (change->kind == BECKON_FILE_CHANGED && change->n_files > 0)
    return beckon_file_change_dup_counts (change);
  if (change->kind == BECKON_FILE_CHANGED)
    return g_strdup (_("folder"));
  if (change->n_files == 0)
    return g_strdup (change->kind == BECKON_FILE_CREATED ? _("new folder") : _("deleted folder"));
  n = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file", "%u files", change->n_files), change->n_files);
  if (change->kind == BECKON_FILE_MOVED)
    /* Translators: of a folder that a command moved; %s is "120 files" */
    return beckon_text_printf (_("moved folder, %s"), n);
  if (change->kind == BECKON_FILE_DELETED)
    /* Translators: of a folder that a command deleted; %s is "120 files" */
    return beckon_text_printf (_("deleted folder, %s"), n);
  /* Translators: of a folder that a command made: "120 files", and their size */
  return beckon_text_printf (_("new folder, %s, %s"), n, size);
}

char *
beckon_change_labels_describe_extent (const BeckonFileChange *change)
{
  if (change->git != NULL)
    {
      g_autoptr (GPtrArray) files = beckon_file_change_list_git_files (change, FALSE);

      /* The difference names them, where there is one. */
      g_ptr_array_add (files, NULL);
      return change->diff == NULL ? g_strjoinv (_(", "), (char **) files->pdata) : g_strdup ("");
    }
  if (change->type == BECKON_FILE_FOLDER)
    return describe_folder (change);
  if (change->kind == BECKON_FILE_DELETED)
    return g_strdup (_("deleted"));
  if (change->kind == BECKON_FILE_MOVED && change->type != BECKON_FILE_REGULAR)
    return g_strdup (_("moved"));
  if (change->type == BECKON_FILE_LINK)
    return g_strdup (change->kind == BECKON_FILE_CREATED ? _("new link") : _("link"));
  if (change->type == BECKON_FILE_OTHER)
    return g_strdup (_("special file"));
  if (change->kind == BECKON_FILE_CREATED)
    {
      g_autofree char *size = g_format_size (change->size);

      if (change->size == 0)
        return g_strdup (_("new, empty"));
      if (change->is_text)
        /* Translators: of a file that a command made */
        return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "new, %u line", "new, %u lines", change->n_added),
                                change->n_added);
      /* Translators: of a file that a command made; %s is its size */
      return beckon_text_printf (_("new, %s"), size);
    }
  if (change->kind == BECKON_FILE_MOVED && (beckon_file_change_keeps_content (change) || !change->is_text))
    return g_strdup (_("moved"));
  if (beckon_file_change_keeps_content (change))
    return g_strdup ("");
  if (change->is_text)
    /* Isolated, within U+2066 and U+2069: the signs would stand behind the numbers in a window from right to left. */
    return g_strdup_printf ("\342\201\246+%u −%u\342\201\251", change->n_added, change->n_removed);
  return g_format_size (change->size);
}

char *
beckon_change_labels_speak_extent (const BeckonFileChange *change)
{
  g_autofree char *added = NULL;
  g_autofree char *removed = NULL;

  if (change->type != BECKON_FILE_REGULAR || !change->is_text || beckon_file_change_keeps_content (change)
      || (change->kind != BECKON_FILE_CHANGED && change->kind != BECKON_FILE_MOVED))
    return beckon_change_labels_describe_extent (change);
  added = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u line added", "%u lines added", change->n_added), change->n_added);
  removed = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u removed", "%u removed", change->n_removed), change->n_removed);
  return g_strconcat (added, ", ", removed, NULL);
}

char *
beckon_change_labels_describe_mark (const BeckonFileChange *change, gboolean has_landed)
{
  switch (change->fate)
    {
    case BECKON_FILE_OPEN:
      if (change->remark != NULL)
        return beckon_text_for_display (change->remark, -1, BECKON_TEXT_PROSE);
      return g_strdup (beckon_file_concern_to_words (change->concern));

    case BECKON_FILE_KEPT:
      /* Why it could not be undone. */
      if (change->remark != NULL)
        return beckon_text_for_display (change->remark, -1, BECKON_TEXT_PROSE);
      if (!has_landed)
        return g_strdup (change->kept_hunks != NULL ? _("Will be kept in part") : _("Will be kept"));
      return g_strdup (change->kept_hunks != NULL ? _("Kept in part") : _("Kept"));

    case BECKON_FILE_LEFT_OUT:
      return g_strdup (_("Left out"));

    case BECKON_FILE_DENIED:
      return g_strdup (_("Left out: one of your rules denies it"));

    case BECKON_FILE_CONFLICT:
      return g_strdup (_("Left out: it was changed in the folder meanwhile, and that stays"));

    case BECKON_FILE_UNDONE:
      /* Why it could not be made again. */
      if (change->remark != NULL)
        return beckon_text_for_display (change->remark, -1, BECKON_TEXT_PROSE);
      return g_strdup (_("Undone"));

    case BECKON_FILE_FAILED:
    default:
      return change->remark != NULL ? beckon_text_for_display (beckon_english_translate (change->remark), -1, BECKON_TEXT_PROSE)
                                    : g_strdup (_("Could not be saved in the folder"));
    }
}

static void
add_note (GString *notes, char *note)
{
  g_autofree char *owned = note;

  if (notes->len > 0)
    g_string_append_c (notes, '\n');
  g_string_append (notes, owned);
}

static void
add_mode (GString *notes, const BeckonFileChange *change)
{
  gboolean is_run_before = (change->mode_before & 0111) != 0, is_run_after = (change->mode_after & 0111) != 0;

  if (change->type != BECKON_FILE_REGULAR && change->type != BECKON_FILE_FOLDER)
    return;
  if (change->kind == BECKON_FILE_CREATED && change->type == BECKON_FILE_REGULAR && is_run_after)
    add_note (notes, g_strdup (_("Executable")));
  if (change->kind != BECKON_FILE_CHANGED || change->mode_before == change->mode_after || change->type != change->type_before)
    return;
  if (change->type == BECKON_FILE_REGULAR && (change->mode_before ^ change->mode_after) == 0111)
    add_note (notes, g_strdup (is_run_after ? _("Became executable") : _("No longer executable")));
  else if (change->type == BECKON_FILE_REGULAR && is_run_after != is_run_before)
    /* Translators: of a file; the numbers are its permissions, such as 644 */
    add_note (notes, g_strdup_printf (is_run_after ? _("Became executable: permissions %o, now %o")
                                      : _("No longer executable: permissions %o, now %o"),
                                      change->mode_before, change->mode_after));
  else
    /* Translators: of a file or folder; the numbers are its permissions, such as 644 */
    add_note (notes, g_strdup_printf (_("Permissions %o, now %o"), change->mode_before, change->mode_after));
}

char *
beckon_change_labels_describe_notes (const BeckonFileChange *change)
{
  g_autoptr (GString) notes = g_string_new (NULL);
  g_autofree char *target = NULL;
  g_autofree char *names = NULL;
  g_autoptr (GPtrArray) told = NULL;

  if (change->target != NULL && change->kind != BECKON_FILE_DELETED)
    {
      target = beckon_text_for_display (change->target, -1, BECKON_TEXT_EXACT);
      add_note (notes, beckon_text_printf (beckon_file_change_makes_folder (change)
                                           /* Translators: of a folder that took the place of a symbolic link; %s is a path */
                                           ? _("Was a link to %s")
                                           /* Translators: of a symbolic link; %s is a path */
                                           : _("Leads to %s"),
                                           target));
    }
  /* Changes that are decided with it. */
  told = beckon_file_change_list_told (change);

  for (guint i = 0; i < MIN (told->len, MOST_BOUND); i++)
    {
      const BeckonFileChange *bound = g_ptr_array_index (told, i);
      g_autofree char *name = beckon_file_change_dup_shown_name (bound);
      g_autofree char *extent = beckon_change_labels_describe_extent (bound);

      add_note (notes, *extent != '\0' ? beckon_text_printf (_("%s, %s"), name, extent) : g_steal_pointer (&name));
    }
  if (told->len > MOST_BOUND)
    add_note (notes, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "… and %u more", "… and %u more", told->len - MOST_BOUND),
                                      told->len - MOST_BOUND));
  add_mode (notes, change);

  /* Attributes are kept by the file system beside the content. */
  names = change->attributes != NULL ? beckon_text_for_display (change->attributes, -1, BECKON_TEXT_EXACT) : NULL;
  if (names != NULL)
    /* Translators: of a file; %s are names of what the file system keeps beside its content, such as user.comment */
    add_note (notes, beckon_text_printf (_("Attributes changed: %s"), names));

  if (beckon_file_change_get_why_unshown (change) != NULL)
    add_note (notes, g_strdup (beckon_file_change_get_why_unshown (change)));
  if (change->is_withheld)
    add_note (notes, g_strdup (_("Can't be undone: it held a secret of yours, so no copy is kept")));
  return notes->len > 0 ? g_string_free (g_steal_pointer (&notes), FALSE) : NULL;
}

static void
take_clause (GString *clauses, char *clause)
{
  g_autofree char *owned = clause;

  if (clauses->len > 0)
    /* Translators: between what was kept and what was not */
    g_string_append (clauses, _("; "));
  g_string_append (clauses, owned);
}

static char *
describe_landed (const BeckonChangeSet *set)
{
  g_autoptr (GString) clauses = g_string_new (NULL);
  g_autoptr (BeckonChangeSet) kept = beckon_change_set_filter (set, BECKON_FILE_KEPT, BECKON_FILE_UNDONE);
  guint n_left_out = beckon_change_set_count (set, BECKON_FILE_LEFT_OUT);
  guint n_conflicts = beckon_change_set_count (set, BECKON_FILE_CONFLICT);
  guint n_denied = beckon_change_set_count (set, BECKON_FILE_DENIED);
  guint n_failed = beckon_change_set_count (set, BECKON_FILE_FAILED);
  guint n = 0;

  for (guint i = 0; i < beckon_change_set_get_n_changes (kept); i++)
    n += beckon_change_set_get (kept, i)->kept_hunks != NULL;
  if (beckon_change_set_get_n_changes (kept) > 0)
    take_clause (clauses, beckon_change_set_dup_sentence (kept));
  if (n > 0)
    /* Translators: behind what a command changed, such as "Changed 3 files; 1 of them in part" */
    take_clause (clauses, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u of them in part", "%u of them in part", n), n));
  if (n_left_out > 0 && clauses->len == 0)
    take_clause (clauses,
                 g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Left out %u change", "Left out %u changes", n_left_out),
                                  n_left_out));
  else if (n_left_out > 0)
    /* Translators: behind what a command changed, such as "Changed 3 files; left out 2 changes" */
    take_clause (clauses,
                 g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "left out %u change", "left out %u changes", n_left_out),
                                  n_left_out));

  /* Changes that do not land although no person left them out. */
  if (n_conflicts > 0)
    take_clause (clauses,
                 g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                               "%u change was not kept: the file was changed in the folder meanwhile",
                                               "%u changes were not kept: the files were changed in the folder meanwhile",
                                               n_conflicts), n_conflicts));
  if (n_denied > 0)
    take_clause (clauses, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u change was not kept: one of your rules denies it",
                                                        "%u changes were not kept: your rules deny them", n_denied), n_denied));
  if (n_failed > 0)
    take_clause (clauses, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u change could not be saved in the folder",
                                                        "%u changes could not be saved in the folder", n_failed), n_failed));
  return g_string_free (g_steal_pointer (&clauses), FALSE);
}

char *
beckon_change_labels_describe_landing (const BeckonLanding *landing)
{
  g_autofree char *sentence = NULL;

  switch (landing->state)
    {
    case BECKON_LANDING_WAITING:
    case BECKON_LANDING_DECIDED:
      sentence = beckon_change_set_dup_sentence (landing->changes);
      /* Translators: %s is what a command changed, such as "Changed 3 files" */
      return beckon_text_printf (_("%s, not yet in the folder"), sentence);

    case BECKON_LANDING_UNDONE:
      sentence = describe_landed (landing->changes);
      /* Translators: %s is what a command changed, such as "Changed 3 files" */
      return beckon_text_printf (_("%s, undone"), sentence);

    case BECKON_LANDING_LANDED:
    default:
      return describe_landed (landing->changes);
    }
}

char *
beckon_change_labels_describe_early (const BeckonLanding *landing)
{
  gboolean is_undone = landing->state == BECKON_LANDING_UNDONE;
  BeckonFileFate fate = is_undone ? BECKON_FILE_UNDONE : BECKON_FILE_KEPT;
  g_autoptr (BeckonChangeSet) landed = beckon_change_set_filter (landing->changes, fate, fate);
  g_autofree char *sentence = NULL;

  if ((landing->state != BECKON_LANDING_LANDED && !is_undone) || beckon_change_set_get_n_changes (landed) == 0)
    return NULL;
  sentence = beckon_change_set_dup_sentence (landed);

  return beckon_text_printf (is_undone
                             /* Translators: %s is what a command changed, such as "Changed 3 files" */
                             ? _("%s while it ran, undone")
                             /* Translators: %s is what a command changed, such as "Changed 3 files" */
                             : _("%s while it ran"),
                             sentence);
}

const BeckonLanding *
beckon_change_labels_find_waiting (BeckonToolCall *call)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (call);

  for (guint i = 0; i < landings->len; i++)
    if (((const BeckonLanding *) g_ptr_array_index (landings, i))->state == BECKON_LANDING_WAITING)
      return g_ptr_array_index (landings, i);

  return NULL;
}
