/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-read-skill.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-path.h"
#include "beckon-extras-reader.h"
#include "sandbox/beckon-folder.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILE (128 * 1024)
#define MAX_LISTED 100

struct _BeckonReadSkill
{
  BeckonBuiltinTool parent_instance;

  GMutex lock;        /* of what follows: it is read on workers */
  GHashTable *skills; /* (element-type utf8 Skills): by conversation */
};

typedef struct
{
  BeckonFolderExtras *brought; /* (nullable) */
  BeckonFolderExtras *own;     /* (nullable) */
} Skills;

static const char description[]
  = "Reads one of the skills that the system prompt lists: instructions for a kind of task. Read a skill before you begin what "
    "it is for. With `file`, reads another file of its folder, which the skill or the list behind it names.";

static const char schema[]
  = "{\"type\":\"object\",\"properties\":{"
    "\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,\"description\":\"The name of the skill.\"},"
    "\"file\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1024,\"description\":\"A file of the skill, relative to its "
    "folder. Without, the skill itself is read.\"}},"
    "\"required\":[\"name\"],\"additionalProperties\":false}";

G_DEFINE_FINAL_TYPE (BeckonReadSkill, beckon_read_skill, BECKON_TYPE_BUILTIN_TOOL)

static void
skills_free (gpointer data)
{
  Skills *skills = data;

  g_clear_pointer (&skills->brought, beckon_folder_extras_unref);
  g_clear_pointer (&skills->own, beckon_folder_extras_unref);
  g_free (skills);
}

static const BeckonFolderExtra *
find_in (BeckonFolderExtras *extras, const char *name)
{
  return extras != NULL ? beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SKILL, name) : NULL;
}

/* (transfer full) (nullable): those that have it; the person's own come first. */
static BeckonFolderExtras *
skill_find (BeckonReadSkill *self, const char *conversation_id, const char *name)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  Skills *skills = conversation_id != NULL ? g_hash_table_lookup (self->skills, conversation_id) : NULL;

  if (skills == NULL)
    return NULL;
  if (find_in (skills->own, name) != NULL)
    return beckon_folder_extras_ref (skills->own);
  return find_in (skills->brought, name) != NULL ? beckon_folder_extras_ref (skills->brought) : NULL;
}

static void
get_both (BeckonReadSkill *self, const char *conversation_id, BeckonFolderExtras **brought, BeckonFolderExtras **own)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  Skills *skills = conversation_id != NULL ? g_hash_table_lookup (self->skills, conversation_id) : NULL;

  if (skills == NULL)
    return;
  *brought = skills->brought != NULL ? beckon_folder_extras_ref (skills->brought) : NULL;
  *own = skills->own != NULL ? beckon_folder_extras_ref (skills->own) : NULL;
}

/* (transfer full): its folder, which may have become a link since it was allowed. */
static char *
resolve_skill (BeckonFolderExtras *extras, const BeckonFolderExtra *skill, gboolean *is_outside)
{
  g_autofree char *below = g_path_get_dirname (skill->path);

  return beckon_folder_resolve (beckon_folder_extras_get_root (extras), below, is_outside);
}

static char *
read_other (BeckonFolder *folder, const char *path, const char *file, BeckonDeniedPaths *denied, GError **error)
{
  g_autofree char *full = g_build_filename (path, file, NULL);
  g_autofree char *resolved = beckon_folder_resolve (path, file, NULL);
  g_autoptr (GBytes) bytes = NULL;
  const char *text;
  gsize length;

  if (denied != NULL && (beckon_denied_paths_has (denied, full) || beckon_denied_paths_has (denied, resolved)))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "A rule of the user denies “%s”.", file);
      return NULL;
    }
  bytes = beckon_folder_read (folder, file, error);
  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &length);
  if (length > MAX_FILE || !g_utf8_validate (text, (gssize) length, NULL))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” is no text of at most %d bytes.", file, MAX_FILE);
      return NULL;
    }
  return g_strndup (text, length);
}

static char *
skill_run (BeckonBuiltinTool *tool, const BeckonToolContext *context, GCancellable *cancellable, GError **error)
{
  g_autoptr (JsonObject) arguments = beckon_json_parse_object (context->arguments, -1, error);
  const char *name = arguments != NULL ? beckon_json_get_string (arguments, "name") : NULL;
  const char *file = arguments != NULL ? beckon_json_get_string (arguments, "file") : NULL;
  g_autoptr (BeckonFolderExtras) extras = name != NULL ? skill_find (BECKON_READ_SKILL (tool), context->conversation_id,
                                                                     name) : NULL;
  const BeckonFolderExtra *skill = extras != NULL ? find_in (extras, name) : NULL;
  g_autofree char *path = NULL;
  g_autoptr (BeckonFolder) folder = NULL;
  gboolean is_outside = FALSE;

  if (arguments == NULL)
    return NULL;
  if (skill == NULL)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, "There is no skill “%s”.", name);
      return NULL;
    }
  path = resolve_skill (extras, skill, &is_outside);
  if (is_outside)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "The folder of the skill “%s” leads out of where it was.", name);
      return NULL;
    }
  folder = beckon_folder_new (path, file != NULL ? error : NULL);
  if (file == NULL || g_str_equal (file, "SKILL.md"))
    {
      g_autoptr (GString) text = g_string_new (skill->text);
      g_autoptr (GString) files = g_string_new (NULL);

      if (skill->is_cut)
        g_string_append (text, "\n[The skill is longer: the rest was cut.]");
      g_string_append_printf (text, "\n\n[The folder of the skill: %s]", path);
      if (folder != NULL)
        {
          int fd = beckon_folder_open_directory (folder, ".", NULL);
          DIR *directory = fd >= 0 ? fdopendir (fd) : NULL;
          struct dirent *entry;
          guint n = 0;

          if (fd >= 0 && directory == NULL)
            close (fd);
          while (directory != NULL && n < MAX_LISTED && (entry = readdir (directory)) != NULL)
            if (entry->d_name[0] != '.' && strcmp (entry->d_name, "SKILL.md") != 0 && g_utf8_validate (entry->d_name, -1, NULL))
              g_string_append_printf (files, "%s%s", n++ == 0 ? "" : ", ", entry->d_name);
          if (directory != NULL)
            closedir (directory);
        }
      if (files->len > 0)
        g_string_append_printf (text, "\n[In it: %s]", files->str);
      return g_string_free (g_steal_pointer (&text), FALSE);
    }
  return folder != NULL ? read_other (folder, path, file, context->denied, error) : NULL;
}

static void
add_folders (GPtrArray *folders, BeckonFolderExtras *extras, const char *folder)
{
  for (guint i = 0; extras != NULL && i < beckon_folder_extras_get_n (extras); i++)
    {
      const BeckonFolderExtra *skill = beckon_folder_extras_get (extras, i);
      g_autofree char *path = NULL;
      gboolean is_outside = FALSE;

      if (skill->kind != BECKON_FOLDER_EXTRA_SKILL || skill->fault != NULL)
        continue;
      path = resolve_skill (extras, skill, &is_outside);
      if (!is_outside && !beckon_path_is_within (path, folder) && !beckon_path_is_within (folder, path)
          && !g_ptr_array_find_with_equal_func (folders, path, g_str_equal, NULL))
        g_ptr_array_add (folders, g_steal_pointer (&path));
    }
}

char **
beckon_read_skill_list_folders (BeckonReadSkill *self, const char *conversation_id, const char *folder)
{
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (BeckonFolderExtras) brought = NULL;
  g_autoptr (BeckonFolderExtras) own = NULL;

  get_both (self, conversation_id, &brought, &own);
  add_folders (folders, own, folder);
  add_folders (folders, brought, folder);
  g_ptr_array_add (folders, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&folders), FALSE);
}

static void
beckon_read_skill_finalize (GObject *object)
{
  BeckonReadSkill *self = BECKON_READ_SKILL (object);

  g_hash_table_unref (self->skills);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (beckon_read_skill_parent_class)->finalize (object);
}

static void
beckon_read_skill_class_init (BeckonReadSkillClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_read_skill_finalize;
  BECKON_BUILTIN_TOOL_CLASS (klass)->run = skill_run;
}

static void
beckon_read_skill_init (BeckonReadSkill *self)
{
  g_mutex_init (&self->lock);
  self->skills = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, skills_free);
}

BeckonTool *
beckon_read_skill_new (void)
{
  BeckonReadSkill *self = g_object_new (BECKON_TYPE_READ_SKILL, NULL);

  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self),
                              beckon_tool_definition_new (BECKON_READ_SKILL_NAME, description, schema, TRUE));
  return BECKON_TOOL (self);
}

static gboolean
has_skills (BeckonFolderExtras *extras)
{
  for (guint i = 0; extras != NULL && i < beckon_folder_extras_get_n (extras); i++)
    {
      const BeckonFolderExtra *extra = beckon_folder_extras_get (extras, i);

      if (extra->kind == BECKON_FOLDER_EXTRA_SKILL && extra->fault == NULL)
        return TRUE;
    }
  return FALSE;
}

void
beckon_read_skill_set (BeckonReadSkill *self, const char *conversation_id, BeckonFolderExtras *brought, BeckonFolderExtras *own)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  Skills *skills;

  if (!has_skills (brought) && !has_skills (own))
    {
      g_hash_table_remove (self->skills, conversation_id);
      return;
    }
  skills = g_new0 (Skills, 1);
  skills->brought = brought != NULL ? beckon_folder_extras_ref (brought) : NULL;
  skills->own = own != NULL ? beckon_folder_extras_ref (own) : NULL;
  g_hash_table_replace (self->skills, g_strdup (conversation_id), skills);
}

gboolean
beckon_read_skill_has (BeckonReadSkill *self, const char *conversation_id)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return g_hash_table_contains (self->skills, conversation_id);
}

static void
skill_describe (BeckonFolderExtras *extras, BeckonFolderExtras *before, GString *text)
{
  for (guint i = 0; extras != NULL && i < beckon_folder_extras_get_n (extras); i++)
    {
      const BeckonFolderExtra *extra = beckon_folder_extras_get (extras, i);
      g_autofree char *line = NULL;

      if (extra->kind != BECKON_FOLDER_EXTRA_SKILL || extra->fault != NULL || find_in (before, extra->name) != NULL)
        continue;
      line = g_strdelimit (g_strdup (extra->description), "\n", ' ');
      g_string_append_printf (text, "%s- %s: %s", text->len > 0 ? "\n" : "", extra->name, line);
    }
}

char *
beckon_read_skill_describe (BeckonFolderExtras *brought, BeckonFolderExtras *own)
{
  g_autoptr (GString) text = g_string_new (NULL);

  skill_describe (own, NULL, text);
  skill_describe (brought, own, text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
