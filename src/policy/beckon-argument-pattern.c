/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-argument-pattern.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "beckon-host-name.h"

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
  gsize n_literal; /* of a path, its first bytes that stand for themselves */
  gboolean is_below;
  char *above; /* (nullable): of one for what is below, the folders, where they may differ */
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

  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         _("“%s” is no pattern for files: use * for a part of a name, and /** at the end for all "
                           "that is below."),
                         text);
  return FALSE;
}

/* A bracket alone is the name of a folder that has one: patterns do not choose from letters before all that is below. */
static char *
dup_above (gboolean is_below, const char *pattern)
{
  g_autofree char *above = is_below ? g_strndup (pattern, strlen (pattern) - strlen (ALL_BELOW)) : NULL;

  return above != NULL && strpbrk (above, "*?") != NULL ? g_steal_pointer (&above) : NULL;
}

BeckonArgumentPattern *
beckon_argument_pattern_new (const char *name, const char *pattern, GError **error)
{
  g_autoptr (BeckonArgumentPattern) self = NULL;

  self = g_new0 (BeckonArgumentPattern, 1);
  self->kind = kind_of (name);
  self->name = g_strdup (name);
  self->text = self->kind == KIND_HOST ? beckon_host_name_normalize (pattern) : g_strdup (pattern);
  self->n_literal = strcspn (self->text, "*?[");
  self->is_below = g_str_has_suffix (pattern, ALL_BELOW);
  self->above = dup_above (self->is_below, pattern);
  if (self->kind == KIND_COMMAND)
    self->command = beckon_command_pattern_new (pattern, error);
  else if (self->kind != KIND_PATH)
    self->spec = g_pattern_spec_new (self->text);

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
  g_free (pattern->above);
  g_clear_pointer (&pattern->command, beckon_command_pattern_free);
  g_clear_pointer (&pattern->spec, g_pattern_spec_free);
  g_free (pattern);
}

gboolean
beckon_argument_pattern_is_command (const BeckonArgumentPattern *pattern)
{
  return pattern->kind == KIND_COMMAND;
}

const char *
beckon_argument_pattern_get_program (const BeckonArgumentPattern *pattern)
{
  return pattern->kind == KIND_COMMAND ? beckon_command_pattern_get_program (pattern->command) : NULL;
}

gboolean
beckon_argument_pattern_is_path (const BeckonArgumentPattern *pattern)
{
  return pattern->kind == KIND_PATH;
}

gboolean
beckon_argument_pattern_is_literal (const BeckonArgumentPattern *pattern)
{
  return pattern->text[pattern->n_literal] == '\0';
}

gboolean
beckon_argument_pattern_is_below (const BeckonArgumentPattern *pattern)
{
  return pattern->is_below;
}

const char *
beckon_argument_pattern_get_name (const BeckonArgumentPattern *pattern)
{
  return pattern->name;
}

/* (nullable): what of the path the pattern is about: all of it, or what is below the folder. */
static const char *
get_relevant_part (const BeckonArgumentPattern *self, const char *folder, const char *path)
{
  const char *part;

  if (*self->text == '/')
    return path;

  part = folder != NULL ? beckon_path_relate (path, folder) : NULL;
  return part != NULL && *part != '\0' ? part : NULL;
}

/* Most of many rules are about something else, which their first bytes tell. */
static gboolean
path_matches (const BeckonArgumentPattern *self, const char *folder, const char *path)
{
  const char *part = get_relevant_part (self, folder, path);
  gsize length;

  if (part == NULL || ((!self->is_below || self->above != NULL) && strncmp (self->text, part, self->n_literal) != 0))
    return FALSE;
  if (!self->is_below)
    return self->text[self->n_literal] == '\0' ? part[self->n_literal] == '\0'
                                               : fnmatch (self->text, part, FNM_PATHNAME | FNM_NOESCAPE) == 0;

  if (self->above != NULL)
    return fnmatch (self->above, part, FNM_PATHNAME | FNM_NOESCAPE | FNM_LEADING_DIR) == 0;

  length = strlen (self->text) - strlen (ALL_BELOW);
  return strncmp (self->text, part, length) == 0 && (part[length] == '/' || part[length] == '\0');
}

gboolean
beckon_argument_pattern_covers_path (const BeckonArgumentPattern *pattern, const char *folder, const char *path)
{
  g_autofree char *at = NULL;

  if (path_matches (pattern, folder, path))
    return TRUE;

  at = g_strdup (path);
  for (char *slash = strrchr (at, '/'); slash != NULL && slash != at; slash = strrchr (at, '/'))
    {
      *slash = '\0';
      if (path_matches (pattern, folder, at))
        return TRUE;
    }

  return FALSE;
}

const char *
beckon_argument_pattern_get_text (const BeckonArgumentPattern *pattern)
{
  return pattern->text;
}

static gboolean
all_match (const BeckonArgumentPattern *self, const BeckonEffects *effects, const char *const *values)
{
  guint i;

  for (i = 0; values != NULL && values[i] != NULL; i++)
    if (self->kind == KIND_PATH ? !path_matches (self, effects->folder, values[i])
                                : !g_pattern_spec_match_string (self->spec, values[i]))
      return FALSE;

  return i > 0;
}

static gboolean
any_matches (const BeckonArgumentPattern *self, const BeckonEffects *effects, const char *const *values)
{
  for (guint i = 0; values != NULL && values[i] != NULL; i++)
    if (self->kind == KIND_PATH ? beckon_argument_pattern_covers_path (self, effects->folder, values[i])
                                : g_pattern_spec_match_string (self->spec, values[i]))
      return TRUE;

  return FALSE;
}

/* A permission to use the network, or so much time, holds without the network and for less time too. */
static gboolean
covers_less (const BeckonArgumentPattern *self, const BeckonEffects *effects)
{
  const char *reach = beckon_effects_get_reach (effects, self->name);
  guint64 most;
  guint64 seconds;

  if (effects->server != NULL)
    return FALSE;
  if (strcmp (self->name, "network") == 0 || strcmp (self->name, "local_network") == 0)
    return reach == NULL && effects->command != NULL && strcmp (self->text, "true") == 0;

  return strcmp (self->name, "timeout_seconds") == 0
         && g_ascii_string_to_unsigned (self->text, 10, 1, G_MAXUINT32, &most, NULL)
         && (reach == NULL || (g_ascii_string_to_unsigned (reach, 10, 1, G_MAXUINT32, &seconds, NULL) && seconds <= most));
}

/* Few hosts are a part of the network, whether that is allowed or denied. */
static gboolean
is_whole_network (const BeckonArgumentPattern *self, const BeckonEffects *effects)
{
  return effects->server == NULL && strcmp (self->name, "network") == 0 && strcmp (self->text, "true") == 0;
}

static gboolean
value_matches (const BeckonArgumentPattern *self, const BeckonEffects *effects, gboolean whole)
{
  g_autofree char *printed = NULL;
  const char *reach = beckon_effects_get_reach (effects, self->name);
  JsonNode *node = effects->arguments != NULL ? json_object_get_member (effects->arguments, self->name) : NULL;

  if (whole && covers_less (self, effects))
    return TRUE;
  if (reach != NULL && is_whole_network (self, effects))
    return TRUE;
  if (reach != NULL)
    return g_pattern_spec_match_string (self->spec, reach);
  if (node == NULL)
    return FALSE;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return g_pattern_spec_match_string (self->spec, json_node_get_string (node));

  printed = beckon_json_print (node);
  return g_pattern_spec_match_string (self->spec, printed);
}

gboolean
beckon_argument_pattern_allows (const BeckonArgumentPattern *pattern, const BeckonEffects *effects,
                                const BeckonShellSegment *segment)
{
  switch (pattern->kind)
    {
    case KIND_COMMAND:
      return segment != NULL && beckon_command_pattern_allows (pattern->command, segment, effects->folder);
    case KIND_PATH:
      return all_match (pattern, effects, effects->paths);
    case KIND_HOST:
      return all_match (pattern, effects, effects->hosts);
    case KIND_VALUE:
    default:
      return value_matches (pattern, effects, TRUE);
    }
}

BeckonMention
beckon_argument_pattern_mentions (const BeckonArgumentPattern *pattern, const BeckonEffects *effects,
                                  const BeckonShellSegment *segment)
{
  gboolean is_about = FALSE;

  switch (pattern->kind)
    {
    case KIND_COMMAND:
      return segment != NULL ? beckon_command_pattern_mentions (pattern->command, segment) : BECKON_MENTION_NO;
    case KIND_PATH:
      is_about = any_matches (pattern, effects, effects->paths) || any_matches (pattern, effects, effects->aliases);
      break;
    case KIND_HOST:
      is_about = any_matches (pattern, effects, effects->hosts);
      break;
    case KIND_VALUE:
    default:
      is_about = value_matches (pattern, effects, FALSE);
      break;
    }

  return is_about ? BECKON_MENTION_YES : BECKON_MENTION_NO;
}
