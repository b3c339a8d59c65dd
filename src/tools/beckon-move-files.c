/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-move-files.h"

#include "base/beckon-error.h"
#include "base/beckon-file-text.h"
#include "base/beckon-json.h"
#include "base/beckon-path.h"
#include "sandbox/beckon-folder.h"

#include <string.h>

/* The system takes 128 KiB as one argument. */
#define MAX_LINE (120 * 1024)

static const char move_description[]
    = "Moves or renames files and folders in the working folder, in the given order; missing parent folders are created. "
      "Existing files are never replaced. Files that can't be moved stay where they are and are listed.";

static const char move_schema[]
    = "{\"type\":\"object\",\"properties\":{\"moves\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":1000,\"items\":{"
      "\"type\":\"object\",\"properties\":{"
      "\"from\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096},"
      "\"to\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,"
      "\"description\":\"The new path. If it ends with / or is an existing folder, the source is moved into it.\"}},"
      "\"required\":[\"from\",\"to\"],\"additionalProperties\":false}}},"
      "\"required\":[\"moves\"],\"additionalProperties\":false}";

static const char delete_description[]
    = "Deletes files, and folders with all that is in them, in the working folder. The user can undo it.";

static const char delete_schema[]
    = "{\"type\":\"object\",\"properties\":{\"paths\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":1000,"
      "\"items\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096}}},"
      "\"required\":[\"paths\"],\"additionalProperties\":false}";

/* A link that leads nowhere is there as well. All that fails is told at once, so that one more call can mend it. */
#define BEGINNING                                                                                                          \
  "n=0 failed=0\n"                                                                                                         \
  "is_there () { [ -e \"$1\" ] || [ -L \"$1\" ]; }\n"                                                                       \
  "fail () { echo \"$1\"; failed=1; }\n"

static const char move_lines[]
    = BEGINNING "move () {\n"
                "  to=$2\n"
                "  is_there \"$1\" || { fail \"There is no “${1#./}”.\"; return; }\n"
                "  [ ! -d \"$to\" ] && [ \"$to\" = \"${to%/}\" ] || to=${to%/}/$(basename -- \"$1\")\n"
                "  ! is_there \"$to\" || { fail \"“${1#./}” can't be moved: “${to#./}” is there already.\"; return; }\n"
                "  mkdir -p -- \"$(dirname -- \"$to\")\" && mv -T -- \"$1\" \"$to\" && n=$((n + 1)) ||\n"
                "    fail \"“${1#./}” can't be moved.\"\n"
                "}\n";

static const char delete_lines[]
    = BEGINNING "delete () {\n"
                "  is_there \"$1\" || { fail \"There is no “${1#./}”.\"; return; }\n"
                "  rm -r -- \"$1\" && n=$((n + 1)) || fail \"“${1#./}” can't be deleted.\"\n"
                "}\n";

/* Adds a path as a word for the shell; @name: (nullable): what it is put into if it is a folder. */
static gboolean
add_path (GString *line, const char *folder, const char *written, const char *name, BeckonEffects *effects, GError **error)
{
  g_autofree char *taken = beckon_file_text_take_name (written);
  g_autofree char *whole = g_canonicalize_filename (taken, folder);
  const char *relative = beckon_path_relate (whole, folder);
  gboolean is_folder = name != NULL && g_str_has_suffix (taken, "/");
  g_autofree char *word = NULL;
  g_autofree char *quoted = NULL;

  if (relative == NULL || (*relative == '\0' && name == NULL))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                   relative == NULL ? "“%.200s” is outside of the working folder. Nothing outside of it can be reached."
                                    : "“%.200s” is the working folder itself, which stays where it is.",
                   written);
      return FALSE;
    }
  if (!beckon_folder_check_depth (relative, error))
    return FALSE;
  if (effects != NULL)
    {
      g_autofree char *within = name != NULL ? g_build_filename (whole, name, NULL) : NULL;
      g_autofree char *parent = g_path_get_dirname (whole);
      g_autofree char *base_name = g_path_get_basename (whole);
      gboolean is_outside;
      g_autofree char *resolved = beckon_folder_resolve (effects->folder, parent, &is_outside);
      g_autofree char *path = g_build_filename (resolved, base_name, NULL);

      /* The links of the folders on the way count; one that is moved or deleted itself is no way to anywhere. */
      effects->leaves_folder = effects->leaves_folder || is_outside;
      beckon_effects_add_path (effects, path);
      if (!g_str_equal (path, whole))
        beckon_effects_add_alias (effects, whole);
      if (within != NULL)
        beckon_effects_add_alias (effects, within);
    }
  word = g_strconcat ("./", relative, is_folder ? "/" : NULL, NULL);
  quoted = g_shell_quote (word);
  g_string_append_c (line, ' ');
  g_string_append (line, quoted);
  return TRUE;
}

static char *
finish_line (GString *line, const char *done, GError **error)
{
  g_string_append_printf (line, "echo \"%s: $n.\"\nexit $failed\n", done);
  if (line->len <= MAX_LINE)
    return g_strdup (line->str);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, "Too many paths in one call. Split them into two calls.");
  return NULL;
}

static char *
make_move (const char *folder, JsonObject *arguments, BeckonEffects *effects, GError **error)
{
  JsonArray *moves = beckon_json_get_array (arguments, "moves");
  g_autoptr (GString) line = g_string_new (move_lines);

  for (guint i = 0; moves != NULL && i < json_array_get_length (moves); i++)
    {
      JsonObject *move = json_array_get_object_element (moves, i);
      const char *from = beckon_json_get_string (move, "from");
      g_autofree char *name = g_path_get_basename (from);

      g_string_append (line, "move");
      if (!add_path (line, folder, from, NULL, effects, error)
          || !add_path (line, folder, beckon_json_get_string (move, "to"), name, effects, error))
        return NULL;
      g_string_append_c (line, '\n');
    }
  return finish_line (line, "Moved", error);
}

static char *
make_deletion (const char *folder, JsonObject *arguments, BeckonEffects *effects, GError **error)
{
  JsonArray *paths = beckon_json_get_array (arguments, "paths");
  g_autoptr (GString) line = g_string_new (delete_lines);

  for (guint i = 0; paths != NULL && i < json_array_get_length (paths); i++)
    {
      g_string_append (line, "delete");
      if (!add_path (line, folder, json_array_get_string_element (paths, i), NULL, effects, error))
        return NULL;
      g_string_append_c (line, '\n');
    }
  return finish_line (line, "Deleted", error);
}

BeckonTool *
beckon_move_files_new (BeckonRunCommand *run)
{
  BeckonToolDefinition *definition = beckon_tool_definition_new ("move_files", move_description, move_schema, FALSE);

  return beckon_run_command_new_fixed (run, definition, make_move);
}

/* Whether the other half of a move is in @change, which may stand for all that is in a repository or a folder. */
static gboolean
is_target (const BeckonFileChange *change, const char *to, const char *name)
{
  g_autofree char *within = g_build_filename (to, name, NULL);

  return change->kind != BECKON_FILE_DELETED
         && (beckon_path_is_within (change->path, within)
             || ((change->git != NULL || change->n_files > 0) && beckon_path_is_within (to, change->path))
             || (g_str_equal (change->path, to) && change->type != BECKON_FILE_FOLDER));
}

void
beckon_move_files_bind (JsonObject *arguments, const char *folder, BeckonChangeSet *changes)
{
  JsonArray *moves = beckon_json_get_array (arguments, "moves");

  for (guint i = 0; moves != NULL && i < json_array_get_length (moves); i++)
    {
      JsonObject *move = json_array_get_object_element (moves, i);
      g_autofree char *from = g_canonicalize_filename (beckon_json_get_string (move, "from"), folder);
      g_autofree char *to = g_canonicalize_filename (beckon_json_get_string (move, "to"), folder);
      g_autofree char *name = g_path_get_basename (from);
      g_autoptr (GPtrArray) gone = g_ptr_array_new ();
      BeckonFileChange *target = NULL;

      for (guint k = 0; k < beckon_change_set_get_n_changes (changes); k++)
        {
          BeckonFileChange *change = beckon_change_set_get (changes, k);
          g_autofree char *path = g_build_filename (folder, change->path, NULL);

          if (change->kind == BECKON_FILE_DELETED && change->bound == NULL && beckon_path_is_within (path, from))
            g_ptr_array_add (gone, change);
          else if (target == NULL && is_target (change, beckon_path_relate (to, folder), name))
            target = change;
        }
      if (target != NULL && gone->len > 0)
        beckon_change_set_bind (changes, target, gone);
    }
}

BeckonTool *
beckon_delete_files_new (BeckonRunCommand *run)
{
  BeckonToolDefinition *definition
    = beckon_tool_definition_new ("delete_files", delete_description, delete_schema, FALSE);

  return beckon_run_command_new_fixed (run, definition, make_deletion);
}
