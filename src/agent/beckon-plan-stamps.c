/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plan-stamps.h"

#include "base/beckon-json.h"
#include "base/beckon-path.h"
#include "form/beckon-request-json.h"
#include "policy/beckon-shell.h"
#include "request/beckon-plan-request.h"
#include "text/beckon-call-labels.h"
#include "tools/beckon-file-stamp.h"

#include <string.h>
#include <sys/stat.h>

/*
 * A person who accepts a plan has its files in mind as they were then. Stamps of them are taken before the plan is shown, and
 * stored with its request. When it is a step's turn, its files have to be what the stamps say, or what earlier steps of the
 * same plan made of them; what a command is to land is compared with the stamps once more.
 */

/* In a table of stamps: a folder that an earlier step made, whichever it is. */
#define MADE "made"

static gboolean
plan_stamps_writes (const char *tool)
{
  return g_str_equal (tool, "write_file") || g_str_equal (tool, "edit_file");
}

static void
plan_stamps_add_path (GPtrArray *paths, const char *folder, JsonNode *written)
{
  const gboolean is_text = written != NULL && JSON_NODE_HOLDS_VALUE (written)
                           && json_node_get_value_type (written) == G_TYPE_STRING;
  g_autofree char *path = is_text ? g_canonicalize_filename (json_node_get_string (written), folder) : NULL;
  const char *relative = path != NULL ? beckon_path_relate (path, folder) : NULL;

  if (relative != NULL && *relative != '\0')
    g_ptr_array_add (paths, g_steal_pointer (&path));
}

static void
plan_stamps_add_gone (GPtrArray *paths, GHashTable *whole, const char *folder, JsonNode *written)
{
  const guint n = paths->len;

  plan_stamps_add_path (paths, folder, written);
  if (whole != NULL && paths->len > n)
    g_hash_table_add (whole, g_strdup (g_ptr_array_index (paths, n)));
}

/* Files that the shell itself makes for a command, by what stands in it. */
static void
plan_stamps_add_targets (GPtrArray *paths, const char *folder, const char *line)
{
  g_autoptr (GPtrArray) segments = beckon_shell_parse (line, NULL);

  for (guint i = 0; segments != NULL && i < segments->len; i++)
    {
      const BeckonShellSegment *segment = g_ptr_array_index (segments, i);

      for (guint k = 0; k < segment->redirections->len; k++)
        {
          const BeckonShellRedirection *redirection = g_ptr_array_index (segment->redirections, k);
          g_autoptr (JsonNode) target = json_node_init_string (json_node_alloc (), redirection->target->text);

          if (strchr (redirection->operator, '>') != NULL && redirection->target->flags == BECKON_SHELL_WORD_LITERAL
              && !beckon_shell_redirection_is_harmless (redirection))
            plan_stamps_add_path (paths, folder, target);
        }
    }
}

/* (transfer full) (element-type filename): by the names that are written, in @folder; of other tools nothing is known. @whole:
 * (nullable) (element-type filename): gets those that go with all that is in them. */
static GPtrArray *
plan_stamps_list_paths (const char *tool, const char *arguments, const char *folder, GHashTable *whole)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (JsonObject) object = beckon_json_parse_object (arguments, -1, NULL);
  const gboolean is_list = object != NULL && beckon_call_labels_is_list (tool);
  JsonArray *moves = is_list ? beckon_json_get_array (object, "moves") : NULL;
  JsonArray *gone = is_list ? beckon_json_get_array (object, "paths") : NULL;

  if (object != NULL && plan_stamps_writes (tool))
    plan_stamps_add_path (paths, folder, json_object_get_member (object, "path"));
  if (object != NULL && g_str_equal (tool, "run_command") && beckon_json_get_string (object, "command") != NULL)
    plan_stamps_add_targets (paths, folder, beckon_json_get_string (object, "command"));
  for (guint i = 0; gone != NULL && i < json_array_get_length (gone); i++)
    plan_stamps_add_gone (paths, whole, folder, json_array_get_element (gone, i));
  for (guint i = 0; moves != NULL && i < json_array_get_length (moves); i++)
    {
      JsonObject *move = beckon_request_json_get_element (moves, i);

      if (move == NULL)
        continue;
      plan_stamps_add_gone (paths, whole, folder, json_object_get_member (move, "from"));
      plan_stamps_add_path (paths, folder, json_object_get_member (move, "to"));
    }
  return paths;
}

char *
beckon_plan_stamps_take (const char *folder, const char *document, BeckonPlanSource source)
{
  g_autoptr (BeckonPlan) plan = folder != NULL ? beckon_plan_parse (document, source, NULL) : NULL;
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) whole = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new_null_terminated (8, NULL, TRUE);
  struct stat info;

  for (guint i = 0; plan != NULL && i < beckon_plan_get_n_steps (plan); i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (plan, i);
      g_autoptr (GPtrArray) paths = plan_stamps_list_paths (step->tool, step->arguments, folder, whole);

      for (guint j = 0; j < paths->len; j++)
        {
          g_autofree char *path = g_strdup (g_ptr_array_index (paths, j));

          /* Folders on the way may be replaced; those that are not there yet will be made. */
          while (!g_hash_table_contains (known, path))
            {
              char *parent = g_path_get_dirname (path);

              g_ptr_array_add (all, path);
              g_hash_table_add (known, g_steal_pointer (&path));
              path = parent;
              if (g_str_equal (path, folder) || lstat (path, &info) != 0)
                break;
            }
        }
    }
  return beckon_file_stamps_take_whole ((const char *const *) all->pdata, whole);
}

/* Files that the shown plan named stay what they were then. */
void
beckon_plan_stamps_add (BeckonRequest *request, const char *files)
{
  const char *shown = beckon_plan_request_get_files (request);
  g_autoptr (JsonNode) node = beckon_json_parse (shown != NULL ? shown : "{}", -1, NULL);
  g_autoptr (JsonObject) more = files != NULL ? beckon_json_parse_object (files, -1, NULL) : NULL;
  g_autofree char *all = NULL;
  JsonObjectIter iter;
  const char *path;
  JsonNode *stamp;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node) || more == NULL)
    return;
  json_object_iter_init_ordered (&iter, more);
  while (json_object_iter_next_ordered (&iter, &path, &stamp))
    if (!json_object_has_member (json_node_get_object (node), path))
      json_object_set_string_member (json_node_get_object (node), path, json_node_get_string (stamp));
  all = beckon_json_print (node);
  beckon_plan_request_set_files (request, all);
}

/* @stamp: (nullable): %NULL where it is not known what is at @path now */
static void
plan_stamps_set (JsonObject *table, const char *folder, const char *path, const char *stamp)
{
  if (stamp != NULL)
    json_object_set_string_member (table, path, stamp);
  else
    json_object_remove_member (table, path);
  for (g_autofree char *parent = g_path_get_dirname (path); !g_str_equal (parent, folder) && strlen (parent) > 1;)
    {
      char *next = g_path_get_dirname (parent);

      if (g_strcmp0 (beckon_json_get_string (table, parent), BECKON_FILE_STAMP_ABSENT) == 0)
        json_object_set_string_member (table, parent, MADE);
      g_free (parent);
      parent = next;
    }
}

/* Notes a change that landed. @before: the table from before its landing. */
static void
plan_stamps_note_change (JsonObject *table, JsonObject *before, const char *folder, const BeckonFileChange *change)
{
  g_autofree char *path = g_build_filename (folder, change->path, NULL);
  g_autofree char *from = change->kind == BECKON_FILE_MOVED ? g_build_filename (folder, change->from, NULL) : NULL;

  if (from != NULL)
    plan_stamps_set (table, folder, path, beckon_json_get_string (before, from));
  else if (change->kind == BECKON_FILE_CREATED && change->type == BECKON_FILE_FOLDER)
    plan_stamps_set (table, folder, path, MADE);
  /* The place of what was moved away may have been taken by another move. */
  else if (change->kind != BECKON_FILE_DELETED
           || g_strcmp0 (beckon_json_get_string (table, path), beckon_json_get_string (before, path)) == 0)
    plan_stamps_set (table, folder, path, change->kind == BECKON_FILE_DELETED ? BECKON_FILE_STAMP_ABSENT : NULL);
  for (guint i = 0; change->bound != NULL && i < change->bound->len; i++)
    plan_stamps_note_change (table, before, folder, g_ptr_array_index (change->bound, i));
}

static void
plan_stamps_note_landing (JsonObject *table, const char *folder, const BeckonLanding *landing)
{
  g_autoptr (JsonObject) before = json_object_new ();
  JsonObjectIter iter;
  const char *path;
  JsonNode *stamp;

  json_object_iter_init (&iter, table);
  while (json_object_iter_next (&iter, &path, &stamp))
    json_object_set_string_member (before, path, json_node_get_string (stamp));
  for (guint i = 0; landing->state == BECKON_LANDING_LANDED && i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      if (change->fate == BECKON_FILE_KEPT)
        plan_stamps_note_change (table, before, folder, change);
    }
}

/* Notes a step that is over, but for commands: whatever they changed does not fit the table. */
static void
plan_stamps_note_step (JsonObject *table, const char *folder, BeckonToolCall *step)
{
  const char *tool = beckon_tool_call_get_name (step);
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (step);

  for (guint i = landings->len; i > 0 && beckon_call_labels_is_list (tool); i--)
    plan_stamps_note_landing (table, folder, g_ptr_array_index (landings, i - 1));
  if (plan_stamps_writes (tool) && beckon_tool_call_get_state (step) == BECKON_CALL_DONE
      && !beckon_tool_call_get_is_error (step))
    {
      const char *arguments = beckon_tool_call_get_effective_arguments (step);
      g_autoptr (GPtrArray) paths = plan_stamps_list_paths (tool, arguments, folder, NULL);
      g_autofree char *stamp = g_strconcat (BECKON_FILE_STAMP_BY_CALL, beckon_tool_call_get_id (step), NULL);

      if (paths->len > 0)
        plan_stamps_set (table, folder, g_ptr_array_index (paths, 0), stamp);
    }
}

/* Whether the person accepted exactly this with the plan. It did not show what a reference stood for. */
static gboolean
plan_stamps_is_accepted (BeckonToolCall *call, BeckonRequest *request)
{
  const BeckonAnswer *answer = beckon_request_get_answer (request);
  g_autoptr (BeckonPlan) edited = answer != NULL && answer->kind == BECKON_ANSWER_PLAN
                                    ? beckon_plan_parse (answer->text, BECKON_PLAN_FROM_PERSON, NULL) : NULL;
  const BeckonPlan *plan = edited != NULL ? edited : beckon_request_get_plan (request);
  const int index = beckon_plan_find (plan, beckon_tool_call_get_step_id (call));
  const BeckonPlanStep *step = index >= 0 ? beckon_plan_get_step (plan, (guint) index) : NULL;

  return step != NULL && beckon_request_get_state (request) == BECKON_REQUEST_ANSWERED
         && beckon_tool_call_get_redacted (call) == NULL && g_str_equal (step->tool, beckon_tool_call_get_name (call))
         && g_str_equal (step->arguments, beckon_tool_call_get_effective_arguments (call));
}

char *
beckon_plan_stamps_dup (BeckonToolCall *call, const char *folder)
{
  BeckonToolCall *planned = beckon_tool_call_get_planned_by (call);
  BeckonRequest *request = planned != NULL ? BECKON_REQUEST (beckon_tool_call_get_request (planned)) : NULL;
  const char *files = request != NULL && folder != NULL ? beckon_plan_request_get_files (request) : NULL;
  g_autoptr (JsonObject) table = files != NULL ? beckon_json_parse_object (files, -1, NULL) : NULL;
  g_autoptr (GHashTable) whole = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) paths = NULL;
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), json_object_new ());
  JsonObject *own = json_node_get_object (node);

  if (table == NULL || !plan_stamps_is_accepted (call, request))
    return NULL;
  for (guint i = 0; i < beckon_tool_call_get_n_steps (planned) && beckon_tool_call_get_step (planned, i) != call; i++)
    plan_stamps_note_step (table, folder, beckon_tool_call_get_step (planned, i));
  paths = plan_stamps_list_paths (beckon_tool_call_get_name (call), beckon_tool_call_get_effective_arguments (call), folder,
                                  whole);
  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *path = g_strdup (g_ptr_array_index (paths, i));

      if (!json_object_has_member (table, path))
        return NULL;
      while (!g_str_equal (path, folder) && !json_object_has_member (own, path))
        {
          const char *stamp = beckon_json_get_string (table, path);
          char *parent = g_path_get_dirname (path);

          g_autofree char *outside = g_hash_table_contains (whole, path) ? NULL : beckon_file_stamp_dup_outside (stamp);

          if (stamp != NULL && !g_str_equal (stamp, MADE))
            json_object_set_string_member (own, path, outside != NULL ? outside : stamp);
          g_free (path);
          path = parent;
        }
    }
  return paths->len > 0 ? beckon_json_print (node) : NULL;
}
