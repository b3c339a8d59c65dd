/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-landed.h"

#include "base/beckon-english.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>

/* More paths are counted, and more causes of failure are one. */
#define MOST_PATHS 5
#define MOST_CAUSES 8

/* Changes that share a fate, and of failed ones the reason. */
typedef struct
{
  BeckonFileFate fate;
  const char *remark; /* (nullable) */
  guint n;
  GString *paths;
} Cause;

static void
cause_free (gpointer data)
{
  Cause *cause = data;

  g_string_free (cause->paths, TRUE);
  g_free (cause);
}

static Cause *
find_cause (GPtrArray *causes, const BeckonFileChange *change)
{
  const char *remark = change->fate == BECKON_FILE_FAILED ? change->remark : NULL;
  Cause *cause;
  guint n_failed = 0;

  for (guint i = 0; i < causes->len; i++)
    {
      cause = g_ptr_array_index (causes, i);
      n_failed += cause->fate == BECKON_FILE_FAILED;
      if (cause->fate == change->fate && (g_strcmp0 (cause->remark, remark) == 0 || n_failed >= MOST_CAUSES))
        return cause;
    }

  cause = g_new0 (Cause, 1);
  cause->fate = change->fate;
  cause->remark = n_failed + 1 < MOST_CAUSES ? remark : NULL;
  cause->paths = g_string_new (NULL);
  g_ptr_array_add (causes, cause);
  return cause;
}

static void
plain_landed_add_change (GPtrArray *causes, const BeckonFileChange *change)
{
  Cause *cause = find_cause (causes, change);
  g_autofree char *path = beckon_file_change_dup_shown_path (change);

  if (cause->n < MOST_PATHS)
    beckon_text_append (cause->paths, "%s%s", cause->n > 0 ? C_("between names of files", ", ") : "", path);
  cause->n++;
}

static char *
describe_paths (const Cause *cause)
{
  guint n_more = cause->n > MOST_PATHS ? cause->n - MOST_PATHS : 0;

  if (n_more == 0)
    return g_strdup (cause->paths->str);
  /* Translators: paths of files, and how many more there are */
  return beckon_text_printf (ngettext ("%s and %u more", "%s and %u more", n_more), cause->paths->str, n_more);
}

static char *
describe_cause (const Cause *cause)
{
  g_autofree char *paths = describe_paths (cause);
  guint n = cause->n;

  switch (cause->fate)
    {
    case BECKON_FILE_CONFLICT:
      /* Translators: of changes of a command; %s are paths. In the plural, two sentences with "they" are fine. */
      return beckon_text_printf (ngettext ("%u change was not saved, because the file was changed in the folder meanwhile: %s",
                                           "%u changes were not saved, because the files were changed in the folder "
                                           "meanwhile: %s",
                                           n),
                                 n, paths);
    case BECKON_FILE_DENIED:
      return beckon_text_printf (ngettext ("%u change was not saved, because one of your rules denies it: %s",
                                           "%u changes were not saved, because your rules deny them: %s", n),
                                 n, paths);
    case BECKON_FILE_LEFT_OUT:
      return beckon_text_printf (ngettext ("%u change was not saved, because nobody could be asked about it: %s",
                                           "%u changes were not saved, because nobody could be asked about them: %s", n),
                                 n, paths);
    case BECKON_FILE_FAILED:
    case BECKON_FILE_OPEN:
    case BECKON_FILE_KEPT:
    case BECKON_FILE_UNDONE:
    default:
      if (cause->remark == NULL)
        return beckon_text_printf (ngettext ("%u change could not be saved: %s", "%u changes could not be saved: %s", n), n,
                                   paths);
      /* Translators: the last %s is why, as a sentence */
      return beckon_text_printf (ngettext ("%u change could not be saved: %s — %s",
                                           "%u changes could not be saved: %s — %s", n),
                                 n, paths, beckon_english_translate (cause->remark));
    }
}

/* (nullable): the parts of @change that did not land, such as "parts 1, 3 of src/a.c". */
static char *
describe_parts (const BeckonFileChange *change)
{
  g_autofree char *path = beckon_file_change_dup_shown_path (change);
  g_autoptr (GString) parts = g_string_new (NULL);
  guint n = 0, kept = 0;

  for (guint hunk = 0; hunk < change->n_hunks; hunk++)
    if (kept < change->kept_hunks->len && g_array_index (change->kept_hunks, guint, kept) == hunk)
      kept++;
    else
      beckon_text_append (parts, "%s%u", n++ > 0 ? _(", ") : "", hunk + 1);
  /* Translators: numbers of parts of a changed file, and its path */
  return n > 0 ? beckon_text_printf (ngettext ("part %s of %s", "parts %s of %s", n), parts->str, path) : NULL;
}

/* (nullable): files, and parts of files, as a person left them out. */
static char *
describe_left_out (const BeckonChangeSet *changes)
{
  g_autoptr (GString) names = g_string_new (NULL);
  Cause all = { .fate = BECKON_FILE_LEFT_OUT, .paths = names };
  g_autofree char *list = NULL;

  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i);
      g_autofree char *name = NULL;

      if (change->fate == BECKON_FILE_LEFT_OUT)
        name = beckon_file_change_dup_shown_path (change);
      else if (change->fate == BECKON_FILE_KEPT && change->kept_hunks != NULL)
        name = describe_parts (change);
      if (name != NULL && all.n++ < MOST_PATHS)
        beckon_text_append (names, "%s%s", all.n > 1 ? C_("between names of files", ", ") : "", name);
    }
  if (all.n == 0)
    return NULL;
  list = describe_paths (&all);
  /* Translators: %s are paths of files, and parts of them, that a person did not want saved */
  return beckon_text_printf (_("Left out: %s"), list);
}

/* Changes that a person left out, or let the time pass for, have a line of their own. */
static gboolean
is_told (const BeckonFileChange *change, BeckonRequest *request)
{
  switch (change->fate)
    {
    case BECKON_FILE_CONFLICT:
    case BECKON_FILE_FAILED:
    case BECKON_FILE_DENIED:
      return TRUE;
    case BECKON_FILE_LEFT_OUT:
      return request == NULL;
    case BECKON_FILE_OPEN:
    case BECKON_FILE_KEPT:
    case BECKON_FILE_UNDONE:
    default:
      return FALSE;
    }
}

static BeckonPlainLoss
get_loss (const Cause *cause)
{
  switch (cause->fate)
    {
    case BECKON_FILE_CONFLICT:
    case BECKON_FILE_FAILED:
      return BECKON_PLAIN_LOSS_FAILED;
    case BECKON_FILE_LEFT_OUT:
      return BECKON_PLAIN_LOSS_UNASKED;
    case BECKON_FILE_DENIED:
    case BECKON_FILE_OPEN:
    case BECKON_FILE_KEPT:
    case BECKON_FILE_UNDONE:
    default:
      return BECKON_PLAIN_LOSS_NONE;
    }
}

/* No landing is tried a second time. */
static void
add_advice (GPtrArray *lines, const BeckonChangeSet *changes)
{
  if (beckon_change_set_count (changes, BECKON_FILE_CONFLICT) > 0)
    g_ptr_array_add (lines, g_strdup (_("The folder stays as it is. The conversation shows both versions.")));
  if (beckon_change_set_count (changes, BECKON_FILE_FAILED) > 0)
    g_ptr_array_add (lines, g_strdup (_("These changes aren’t tried again. Fix the problem above, then ask the agent to make "
                                        "them again.")));
}

char **
beckon_plain_landed_describe (const BeckonLanding *landing, BeckonRequest *request, BeckonPlainLoss *loss)
{
  g_autoptr (GPtrArray) causes = g_ptr_array_new_with_free_func (cause_free);
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();
  gboolean has_landed = landing != NULL && landing->state == BECKON_LANDING_LANDED;

  g_return_val_if_fail (loss != NULL, NULL);

  *loss = BECKON_PLAIN_LOSS_NONE;
  for (guint i = 0; has_landed && i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      if (is_told (change, request))
        plain_landed_add_change (causes, change);
    }
  for (guint i = 0; i < causes->len; i++)
    {
      g_ptr_array_add (lines, describe_cause (g_ptr_array_index (causes, i)));
      *loss |= get_loss (g_ptr_array_index (causes, i));
    }
  if (has_landed)
    add_advice (lines, landing->changes);
  if (has_landed && request != NULL)
    {
      char *left_out = describe_left_out (landing->changes);

      if (left_out != NULL)
        g_ptr_array_add (lines, left_out);
    }
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_steal (lines, NULL);
}
