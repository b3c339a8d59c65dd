/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-folder-tool.h"

#include "base/beckon-error.h"
#include "base/beckon-file-text.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-folder-walk.h"
#include "sandbox/beckon-sandbox.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonFolderTool
{
  BeckonBuiltinTool parent_instance;

  BeckonFolderFunction function;
  BeckonOutputStore *outputs; /* (owned) (nullable) */
};

static void beckon_folder_tool_tool_init (BeckonToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonFolderTool, beckon_folder_tool, BECKON_TYPE_BUILTIN_TOOL,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, beckon_folder_tool_tool_init))

static void
beckon_folder_tool_finalize (GObject *object)
{
  g_clear_object (&BECKON_FOLDER_TOOL (object)->outputs);

  G_OBJECT_CLASS (beckon_folder_tool_parent_class)->finalize (object);
}

/* A name is given back as results show it. */
static char *
dup_path (const char *path)
{
  return path != NULL && *path != '\0' ? beckon_file_text_take_name (path) : g_strdup (".");
}

BeckonFolder *
beckon_folder_tool_open (const char *root, const char *path, char **relative, GError **error)
{
  g_autofree char *name = dup_path (path);
  g_autoptr (BeckonFolder) folder = NULL;
  g_autofree char *real = NULL;

  if (path != NULL && beckon_output_store_is_name (path))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                   "“%.100s” is no file but the output of an earlier call. Read it with read_file, or search it with "
                   "search_files. To reach a file of that name in the folder, write “./%.100s”.", path, path);
      return NULL;
    }
  if (root == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           "This conversation has no working folder, so there are no files to work on. The user can choose "
                           "one at the top of the conversation.");
      return NULL;
    }
  folder = beckon_folder_new (root, error);
  if (folder == NULL)
    return NULL;
  real = beckon_folder_resolve (root, ".", NULL);
  if (beckon_sandbox_holds_more (real))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                   "“%s” is not handed to the agent: it holds more than work. The user has to choose a folder within it.",
                   root);
      return NULL;
    }

  if (!beckon_folder_check_depth (name, error))
    return NULL;
  *relative = beckon_folder_relate (folder, name);
  if (*relative != NULL)
    return g_steal_pointer (&folder);

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
               "“%.200s” is outside of the working folder, which is “%s”. Nothing outside of it can be reached.", path, root);
  return NULL;
}

void
beckon_folder_tool_get_effects (const BeckonToolContext *context, BeckonEffects *effects)
{
  g_autofree char *path = dup_path (beckon_json_get_string (effects->arguments, "path"));
  g_autofree char *resolved = NULL;
  g_autofree char *written = NULL;

  if (context->folder == NULL)
    return;

  resolved = beckon_folder_resolve (context->folder, path, &effects->leaves_folder);
  written = g_canonicalize_filename (path, context->folder);
  beckon_effects_add_path (effects, resolved);
  if (strcmp (resolved, written) != 0)
    beckon_effects_add_alias (effects, written);
}

gboolean
beckon_folder_call_denies (const BeckonFolderCall *call, const char *path)
{
  g_autofree char *written = NULL;
  g_autofree char *resolved = NULL;
  const char *folder;

  if (call->context->denied == NULL)
    return FALSE;

  folder = beckon_folder_get_path (call->folder);
  written = g_canonicalize_filename (path, folder);
  resolved = beckon_folder_resolve (folder, path, NULL);
  return beckon_denied_paths_has (call->context->denied, written) || beckon_denied_paths_has (call->context->denied, resolved)
         || beckon_denied_view_has_linked (call->denied_view, call->context->denied, folder, resolved, FALSE);
}

/* Whether the argument `path` of a call leads into the folder as it is written; an error in English if not. */
static gboolean
folder_tool_folder_tool_check (const BeckonToolContext *context, GError **error)
{
  JsonObject *arguments = beckon_tool_arguments_get_object (context->parsed, error);
  g_autoptr (BeckonFolder) folder = NULL;
  g_autofree char *relative = NULL;

  if (arguments == NULL)
    return FALSE;

  folder = beckon_folder_tool_open (context->folder, beckon_json_get_string (arguments, "path"), &relative, error);
  return folder != NULL;
}

char *
beckon_folder_tool_get_absence (BeckonTool *tool, const char *folder)
{
  return folder != NULL ? NULL : g_strdup (_("The conversation has no working folder."));
}

static gboolean
reads_output (BeckonTool *tool, const char *path)
{
  return BECKON_FOLDER_TOOL (tool)->outputs != NULL && path != NULL && beckon_output_store_is_name (path);
}

static void
folder_tool_get_effects (BeckonTool *tool, const BeckonToolContext *context, BeckonEffects *effects)
{
  effects->read_only = TRUE;
  if (!reads_output (tool, beckon_json_get_string (effects->arguments, "path")))
    beckon_folder_tool_get_effects (context, effects);
}

static gboolean
folder_tool_check (BeckonTool *tool, const BeckonToolContext *context, GError **error)
{
  JsonObject *arguments = beckon_tool_arguments_get_object (context->parsed, error);

  if (arguments == NULL)
    return FALSE;

  return reads_output (tool, beckon_json_get_string (arguments, "path")) || folder_tool_folder_tool_check (context, error);
}

/* A name is looked for in so many entries, and has to be so alike, in percent. */
#define MOST_VISITED 20000
#define LEAST_ALIKE 60

/* The best so far; what is in the same folder but for the case of its name is not surpassed. */
typedef struct
{
  const BeckonFolderCall *call;
  const char *name; /* of the folded path */
  BeckonLikeness path_likeness;
  BeckonLikeness name_likeness;
  guint score;
  char *found; /* (owned) (nullable) */
} Search;

static void
folder_tool_search (Search *search, const char *from, gboolean is_deep)
{
  g_autoptr (BeckonFolderWalk) walk = beckon_folder_walk_new (search->call->folder, from, is_deep, NULL);
  BeckonFolderEntry entry;

  for (guint i = 0; walk != NULL && i < MOST_VISITED && beckon_folder_walk_next (walk, &entry); i++)
    {
      g_autofree char *folded = g_utf8_casefold (entry.path, -1);
      const char *slash = strrchr (folded, '/');
      const char *name = slash != NULL ? slash + 1 : folded;
      guint alike = g_str_equal (name, search->name) ? 200
                                                     : beckon_likeness_compare (&search->name_likeness, name, strlen (name));
      guint score = alike + beckon_likeness_compare (&search->path_likeness, folded, strlen (folded));

      if (alike < LEAST_ALIKE || score <= search->score || beckon_folder_call_denies (search->call, entry.path))
        continue;
      search->score = score;
      g_free (search->found);
      search->found = g_strdup (entry.path);
    }
}

void
beckon_folder_call_name_alike (const BeckonFolderCall *call, GError *error)
{
  g_autofree char *parent = g_path_get_dirname (call->path);
  g_autofree char *wanted = g_utf8_casefold (call->path, -1);
  g_autofree char *message = NULL;
  const char *slash = strrchr (wanted, '/');
  Search search = { .call = call, .name = slash != NULL ? slash + 1 : wanted };

  beckon_likeness_init (&search.path_likeness, wanted, strlen (wanted));
  beckon_likeness_init (&search.name_likeness, search.name, strlen (search.name));
  folder_tool_search (&search, parent, FALSE);
  if (search.score < 200)
    folder_tool_search (&search, ".", TRUE);
  if (search.found == NULL)
    return;
  message = error->message;
  error->message = g_strdup_printf ("%s Did you mean “%s”?", message, search.found);
  g_free (search.found);
}

static char *
folder_tool_run (BeckonBuiltinTool *tool, const BeckonToolContext *context, GCancellable *cancellable, GError **error)
{
  BeckonFolderTool *self = BECKON_FOLDER_TOOL (tool);
  JsonObject *arguments = beckon_tool_arguments_get_object (context->parsed, NULL);
  const char *path = beckon_json_get_string (arguments, "path");
  g_autoptr (BeckonFolder) folder = NULL;
  g_autofree char *relative = NULL;
  g_autoptr (BeckonDeniedView) denied_view = NULL;
  char *result;
  BeckonFolderCall call
    = { .path = path, .arguments = arguments, .outputs = self->outputs, .context = context, .denied_view = &denied_view };

  /* Left-out output is in no folder. */
  if (!reads_output (BECKON_TOOL (tool), path))
    {
      folder = beckon_folder_tool_open (context->folder, path, &relative, error);
      if (folder == NULL)
        return NULL;
      call.folder = folder;
      call.path = relative;
    }
  result = self->function (&call, cancellable, error);
  if (result == NULL && folder != NULL && error != NULL && g_error_matches (*error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    beckon_folder_call_name_alike (&call, *error);
  return result;
}

static void
beckon_folder_tool_tool_init (BeckonToolInterface *iface)
{
  iface->get_absence = beckon_folder_tool_get_absence;
  iface->check = folder_tool_check;
  iface->get_effects = folder_tool_get_effects;
}

static void
beckon_folder_tool_class_init (BeckonFolderToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_folder_tool_finalize;
  BECKON_BUILTIN_TOOL_CLASS (klass)->run = folder_tool_run;
}

static void
beckon_folder_tool_init (BeckonFolderTool *self)
{
}

BeckonTool *
beckon_folder_tool_new (BeckonToolDefinition *definition, BeckonFolderFunction function, BeckonOutputStore *outputs)
{
  BeckonFolderTool *self;

  self = g_object_new (BECKON_TYPE_FOLDER_TOOL, NULL);
  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self), definition);
  self->function = function;
  self->outputs = outputs != NULL ? g_object_ref (outputs) : NULL;
  return BECKON_TOOL (self);
}
