/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-argument-pattern.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"

#include <fnmatch.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define ALL_BELOW "/**"

typedef enum
{
  KIND_COMMAND,
  KIND_PATH,
  KIND_HOST,
  KIND_VALUE,
} Kind;

struct _BeckonArgumentPattern
{
  Kind kind;
  char *name;
  char *text;

  /* For what its kind needs. */
  BeckonCommandPattern *command;
  GPatternSpec *spec;
};

static Kind
kind_of (const char *name)
{
  if (strcmp (name, "command") == 0)
    return KIND_COMMAND;
  if (strcmp (name, "path") == 0)
    return KIND_PATH;

  return strcmp (name, "host") == 0 ? KIND_HOST : KIND_VALUE;
}

/* ** stands for all that is below a folder, so it can only be the end. */
static gboolean
check_path (const char *text, GError **error)
{
  const char *stars = strstr (text, "**");

  if (*text != '\0' && (stars == NULL || (g_str_has_suffix (text, ALL_BELOW) && stars[2] == '\0')))
    return TRUE;

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
               _("“%s” is no pattern for files: use * for a part of a name, and /** at the end for all that is below."), text);
  return FALSE;
}

BeckonArgumentPattern *
beckon_argument_pattern_new (const char *name, const char *pattern, GError **error)
{
  g_autoptr (BeckonArgumentPattern) self = NULL;

  g_return_val_if_fail (name != NULL && pattern != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = g_new0 (BeckonArgumentPattern, 1);
  self->kind = kind_of (name);
  self->name = g_strdup (name);
  self->text = g_strdup (pattern);
  if (self->kind == KIND_COMMAND)
    self->command = beckon_command_pattern_new (pattern, error);
  else if (self->kind != KIND_PATH)
    self->spec = g_pattern_spec_new (pattern);

  if ((self->kind == KIND_COMMAND && self->command == NULL) || (self->kind == KIND_PATH && !check_path (pattern, error)))
    return NULL;

  return g_steal_pointer (&self);
}

void
beckon_argument_pattern_free (BeckonArgumentPattern *pattern)
{
  if (pattern == NULL)
    return;

  g_free (pattern->name);
  g_free (pattern->text);
  g_clear_pointer (&pattern->command, beckon_command_pattern_free);
  g_clear_pointer (&pattern->spec, g_pattern_spec_free);
  g_free (pattern);
}

gboolean
beckon_argument_pattern_is_command (const BeckonArgumentPattern *pattern)
{
  g_return_val_if_fail (pattern != NULL, FALSE);

  return pattern->kind == KIND_COMMAND;
}

static gboolean
path_matches (const BeckonArgumentPattern *self, const char *folder, const char *path)
{
  g_autofree char *absolute = NULL;
  gsize length;

  if (*self->text != '/' && folder == NULL)
    return FALSE;

  absolute = *self->text == '/' ? g_strdup (self->text) : g_build_filename (folder, self->text, NULL);
  if (!g_str_has_suffix (absolute, ALL_BELOW))
    return fnmatch (absolute, path, FNM_PATHNAME | FNM_NOESCAPE) == 0;

  length = strlen (absolute) - strlen (ALL_BELOW);
  return strncmp (absolute, path, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static gboolean
one_matches (const BeckonArgumentPattern *self, const BeckonEffects *effects, const char *value)
{
  if (self->kind == KIND_PATH)
    return path_matches (self, effects->folder, value);

  return g_pattern_spec_match_string (self->spec, value);
}

/* Of many, all or any; of none, no. */
static gboolean
many_match (const BeckonArgumentPattern *self, const BeckonEffects *effects, const char *const *values, gboolean whole)
{
  guint n_matching = 0;
  guint i;

  for (i = 0; values != NULL && values[i] != NULL; i++)
    n_matching += one_matches (self, effects, values[i]) ? 1 : 0;

  return whole ? i > 0 && n_matching == i : n_matching > 0;
}

static gboolean
value_matches (const BeckonArgumentPattern *self, const BeckonEffects *effects)
{
  g_autofree char *printed = NULL;
  JsonNode *node = effects->arguments != NULL ? json_object_get_member (effects->arguments, self->name) : NULL;

  if (node == NULL)
    return FALSE;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return g_pattern_spec_match_string (self->spec, json_node_get_string (node));

  printed = beckon_json_print (node);
  return g_pattern_spec_match_string (self->spec, printed);
}

gboolean
beckon_argument_pattern_matches (const BeckonArgumentPattern *pattern, const BeckonEffects *effects,
                                 const BeckonShellSegment *segment, gboolean whole)
{
  g_return_val_if_fail (pattern != NULL && effects != NULL, FALSE);

  switch (pattern->kind)
    {
    case KIND_COMMAND:
      if (segment == NULL)
        return FALSE;
      return whole ? beckon_command_pattern_allows (pattern->command, segment)
                   : beckon_command_pattern_mentions (pattern->command, segment);
    case KIND_PATH:
      return many_match (pattern, effects, effects->paths, whole);
    case KIND_HOST:
      return many_match (pattern, effects, effects->hosts, whole);
    case KIND_VALUE:
    default:
      return value_matches (pattern, effects);
    }
}
