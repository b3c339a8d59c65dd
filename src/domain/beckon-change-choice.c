/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-change-choice.h"

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"

#include <glib/gi18n-lib.h>

struct _BeckonChangeChoice
{
  GTree *left_out; /* (owned) (element-type guint GTree): by change: its hunks, rising; %NULL for all of it */
};

static int
compare_numbers (gconstpointer one, gconstpointer other, gpointer data)
{
  guint first = GPOINTER_TO_UINT (one), second = GPOINTER_TO_UINT (other);

  return first < second ? -1 : first > second;
}

static void
free_hunks (gpointer hunks)
{
  g_clear_pointer ((GTree **) &hunks, g_tree_unref);
}

BeckonChangeChoice *
beckon_change_choice_new (void)
{
  BeckonChangeChoice *choice = g_new (BeckonChangeChoice, 1);

  choice->left_out = g_tree_new_full (compare_numbers, NULL, NULL, free_hunks);
  return choice;
}

BeckonChangeChoice *
beckon_change_choice_new_first (const BeckonChangeSet *set)
{
  BeckonChangeChoice *choice = beckon_change_choice_new ();

  g_return_val_if_fail (set != NULL, choice);

  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (set, i);

      if (change->fate != BECKON_FILE_OPEN || change->is_permitted
          || (change->concern == BECKON_FILE_CONCERN_NONE && beckon_file_change_get_why_unshown (change) == NULL))
        continue;
      beckon_change_choice_set_left_out (choice, i, TRUE);
      beckon_change_choice_follow (choice, set, i);
    }
  return choice;
}

void
beckon_change_choice_free (BeckonChangeChoice *choice)
{
  if (choice == NULL)
    return;

  g_tree_unref (choice->left_out);
  g_free (choice);
}

/* %FALSE if nothing of it is left out. */
static gboolean
change_choice_look_up (const BeckonChangeChoice *choice, guint change, GTree **hunks)
{
  gpointer value = NULL;

  if (!g_tree_lookup_extended (choice->left_out, GUINT_TO_POINTER (change), NULL, &value))
    return FALSE;
  *hunks = value;
  return TRUE;
}

void
beckon_change_choice_set_left_out (BeckonChangeChoice *choice, guint change, gboolean left_out)
{
  g_return_if_fail (choice != NULL);

  if (left_out)
    g_tree_replace (choice->left_out, GUINT_TO_POINTER (change), NULL);
  else
    g_tree_remove (choice->left_out, GUINT_TO_POINTER (change));
}

gboolean
beckon_change_choice_get_left_out (const BeckonChangeChoice *choice, guint change)
{
  GTree *hunks;

  g_return_val_if_fail (choice != NULL, FALSE);

  return change_choice_look_up (choice, change, &hunks) && hunks == NULL;
}

void
beckon_change_choice_set_hunk_left_out (BeckonChangeChoice *choice, guint change, guint hunk, gboolean left_out)
{
  GTree *hunks = NULL;
  gboolean is_there;

  g_return_if_fail (choice != NULL);

  is_there = change_choice_look_up (choice, change, &hunks);
  if (left_out)
    {
      if (is_there && hunks == NULL)
        return;
      if (!is_there)
        {
          hunks = g_tree_new_full (compare_numbers, NULL, NULL, NULL);
          g_tree_replace (choice->left_out, GUINT_TO_POINTER (change), hunks);
        }
      g_tree_replace (hunks, GUINT_TO_POINTER (hunk), GUINT_TO_POINTER (TRUE));
    }
  else if (hunks != NULL)
    {
      g_tree_remove (hunks, GUINT_TO_POINTER (hunk));
      if (g_tree_nnodes (hunks) == 0)
        g_tree_remove (choice->left_out, GUINT_TO_POINTER (change));
    }
}

gboolean
beckon_change_choice_get_hunk_left_out (const BeckonChangeChoice *choice, guint change, guint hunk)
{
  GTree *hunks;

  g_return_val_if_fail (choice != NULL, FALSE);

  return change_choice_look_up (choice, change, &hunks) && (hunks == NULL
                                                            || g_tree_lookup (hunks, GUINT_TO_POINTER (hunk)) != NULL);
}

void
beckon_change_choice_follow (BeckonChangeChoice *choice, const BeckonChangeSet *set, guint change)
{
  gboolean is_left_out;

  g_return_if_fail (choice != NULL && set != NULL);

  is_left_out = beckon_change_choice_get_left_out (choice, change);
  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    {
      if (beckon_change_set_get (set, i)->fate != BECKON_FILE_OPEN)
        continue;
      if (is_left_out ? beckon_change_set_stands_on (set, i, change) : beckon_change_set_stands_on (set, change, i))
        beckon_change_choice_set_left_out (choice, i, is_left_out);
    }
}

gboolean
beckon_change_choice_is_empty (const BeckonChangeChoice *choice)
{
  g_return_val_if_fail (choice != NULL, TRUE);

  return g_tree_nnodes (choice->left_out) == 0;
}

static gboolean
keeps_of (const BeckonChangeChoice *choice, const BeckonFileChange *change, guint index)
{
  if (change->fate != BECKON_FILE_OPEN || beckon_change_choice_get_left_out (choice, index))
    return FALSE;
  for (guint hunk = 0; hunk < change->n_hunks; hunk++)
    if (!beckon_change_choice_get_hunk_left_out (choice, index, hunk))
      return TRUE;
  return change->n_hunks == 0;
}

gboolean
beckon_change_choice_keeps_any (const BeckonChangeChoice *choice, const BeckonChangeSet *set)
{
  g_return_val_if_fail (choice != NULL && set != NULL, FALSE);

  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    if (keeps_of (choice, beckon_change_set_get (set, i), i))
      return TRUE;
  return FALSE;
}

gboolean
beckon_change_choice_lands_any (const BeckonChangeChoice *choice, const BeckonChangeSet *set)
{
  g_return_val_if_fail (choice != NULL && set != NULL, FALSE);

  return beckon_change_set_count (set, BECKON_FILE_KEPT) > 0 || beckon_change_choice_keeps_any (choice, set);
}

static gboolean
write_hunk (gpointer key, gpointer value, gpointer data)
{
  beckon_json_writer_int (data, GPOINTER_TO_UINT (key) + 1);
  return FALSE;
}

static gboolean
change_choice_write_change (gpointer key, gpointer value, gpointer data)
{
  BeckonJsonWriter *writer = data;

  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_int (writer, "change", GPOINTER_TO_UINT (key) + 1);
  if (value != NULL)
    {
      beckon_json_writer_name (writer, "hunks");
      beckon_json_writer_begin_array (writer);
      g_tree_foreach (value, write_hunk, writer);
      beckon_json_writer_end_array (writer);
    }
  beckon_json_writer_end_object (writer);
  return FALSE;
}

char *
beckon_change_choice_to_json (const BeckonChangeChoice *choice)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (choice != NULL, NULL);

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "leave_out");
  beckon_json_writer_begin_array (&writer);
  g_tree_foreach (choice->left_out, change_choice_write_change, &writer);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
change_choice_refuse (GError **error, const char *message)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, message);
  return FALSE;
}

static gboolean
change_choice_read_change (BeckonChangeChoice *choice, const BeckonChangeSet *set, JsonObject *object, GError **error)
{
  gint64 number = object != NULL ? beckon_json_get_int (object, "change", 0) : 0;
  guint index;
  const BeckonFileChange *change;
  JsonArray *hunks;

  if (number < 1 || number > beckon_change_set_get_n_changes (set))
    return change_choice_refuse (error, _("Change not found. Ask for the changes again."));
  index = (guint) number - 1;
  change = beckon_change_set_get (set, index);
  if (change->fate != BECKON_FILE_OPEN)
    return change_choice_refuse (error, _("This change is decided already."));

  hunks = beckon_json_get_array (object, "hunks");
  if (hunks != NULL)
    {
      for (guint i = 0; i < json_array_get_length (hunks); i++)
        {
          JsonNode *node = json_array_get_element (hunks, i);
          gint64 hunk
            = JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64 ? json_node_get_int (node) : 0;

          if (hunk < 1 || hunk > change->n_hunks)
            return change_choice_refuse (error, _("This change has no such part. Ask for the changes again."));
          beckon_change_choice_set_hunk_left_out (choice, index, (guint) hunk - 1, TRUE);
        }
      return TRUE;
    }
  if (json_object_has_member (object, "hunks"))
    return change_choice_refuse (error, _("“hunks” has to be a list of numbers."));
  beckon_change_choice_set_left_out (choice, index, TRUE);
  return TRUE;
}

BeckonChangeChoice *
beckon_change_choice_parse (const char *json, const BeckonChangeSet *set, GError **error)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();
  g_autoptr (JsonObject) object = NULL;
  JsonArray *array;

  g_return_val_if_fail (set != NULL, NULL);

  if (json == NULL)
    return beckon_change_choice_new_first (set);
  object = beckon_json_parse_object (json, -1, error);
  if (object == NULL)
    return NULL;
  array = beckon_json_get_array (object, "leave_out");
  if (array == NULL)
    {
      change_choice_refuse (error, _("“leave_out” has to be a list of changes."));
      return NULL;
    }
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (!change_choice_read_change (choice, set, JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL, error))
        return NULL;
    }

  return g_steal_pointer (&choice);
}

void
beckon_change_choice_apply (const BeckonChangeChoice *choice, BeckonChangeSet *set)
{
  g_return_if_fail (choice != NULL && set != NULL);

  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (set, i);
      g_autoptr (GArray) kept = NULL;

      if (change->fate != BECKON_FILE_OPEN)
        continue;
      change->fate = beckon_change_choice_get_left_out (choice, i) ? BECKON_FILE_LEFT_OUT : BECKON_FILE_KEPT;
      if (change->fate == BECKON_FILE_LEFT_OUT)
        continue;
      g_clear_pointer (&change->kept_hunks, g_array_unref);

      kept = g_array_new (FALSE, FALSE, sizeof (guint));
      for (guint hunk = 0; hunk < change->n_hunks; hunk++)
        if (!beckon_change_choice_get_hunk_left_out (choice, i, hunk))
          g_array_append_val (kept, hunk);
      change->kept_hunks = kept->len < change->n_hunks ? g_steal_pointer (&kept) : NULL;
      if (change->kept_hunks != NULL && change->kept_hunks->len == 0)
        change->fate = BECKON_FILE_LEFT_OUT;
    }
  beckon_change_set_spread_fates (set);
}
