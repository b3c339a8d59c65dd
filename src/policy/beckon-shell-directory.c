/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-shell-directory.h"

#include "base/beckon-path.h"

#include <string.h>

#define DIRECTORY "directory"

typedef struct
{
  const char *root;
  gboolean has_moved;
  char *at; /* (nullable): absolute; NULL where it is not known any more */
} Place;

/* Commands that could move the shell itself unseen. */
static gboolean
is_opaque (const char *program)
{
  static const char *const programs[] = { "pushd", "popd", "chdir", "command", "builtin", "eval", "source", ".", NULL };

  return g_strv_contains (programs, program);
}

/* (nullable): where `cd WORD` leads. A pipeline moves only itself. */
static char *
directory_follow (const Place *place, const BeckonShellSegment *segment, const BeckonShellSegment *next)
{
  const BeckonShellWord *word = segment->words->len == 2 ? g_ptr_array_index (segment->words, 1) : NULL;

  if (place->at == NULL || word == NULL || word->flags != BECKON_SHELL_WORD_LITERAL || word->text[0] == '-'
      || word->text[0] == '\0' || segment->assignments->len > 0 || segment->join == BECKON_SHELL_JOIN_PIPE
      || segment->join == BECKON_SHELL_JOIN_OTHER || (next != NULL && next->join != BECKON_SHELL_JOIN_AND))
    return NULL;

  return g_canonicalize_filename (word->text, place->at);
}

static void
take_step (Place *place, const BeckonShellSegment *segment, const BeckonShellSegment *next)
{
  const char *program = beckon_shell_segment_get_word (segment, 0);
  char *at;

  if (program == NULL || (strcmp (program, "cd") != 0 && !is_opaque (program)))
    return;

  at = strcmp (program, "cd") == 0 ? directory_follow (place, segment, next) : NULL;
  g_free (place->at);
  place->at = at;
  place->has_moved = TRUE;
}

static const char *
relate (const Place *place)
{
  const char *relative;

  if (place->at == NULL)
    return BECKON_SHELL_DIRECTORY_UNKNOWN;

  relative = beckon_path_relate (place->at, place->root);
  if (relative == NULL)
    return place->at;

  return *relative != '\0' ? relative : NULL;
}

static char **
make_reach (const BeckonEffects *effects, const Place *place)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const char *directory = place->has_moved ? relate (place) : beckon_effects_get_reach (effects, DIRECTORY);

  for (guint i = 0; effects->reach != NULL && effects->reach[i] != NULL; i += 2)
    if (strcmp (effects->reach[i], DIRECTORY) != 0)
      g_strv_builder_add_many (builder, effects->reach[i], effects->reach[i + 1], NULL);
  if (directory != NULL)
    g_strv_builder_add_many (builder, DIRECTORY, directory, NULL);

  return g_strv_builder_end (builder);
}

/* The shell's folder is known as long as nothing runs that would also run if it had not gone there. */
static gboolean
is_certain (const BeckonShellSegment *segment)
{
  return segment->join == BECKON_SHELL_JOIN_AND || segment->join == BECKON_SHELL_JOIN_PIPE;
}

GPtrArray *
beckon_shell_list_reaches (const BeckonEffects *effects, GPtrArray *segments)
{
  GPtrArray *reaches = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  const char *directory;
  Place place = { 0 };

  directory = beckon_effects_get_reach (effects, DIRECTORY);
  place.root = effects->folder != NULL ? effects->folder : "/";
  place.at = g_canonicalize_filename (directory != NULL ? directory : ".", place.root);
  for (guint i = 0; i < segments->len; i++)
    {
      const BeckonShellSegment *segment = g_ptr_array_index (segments, i);

      if (place.has_moved && !is_certain (segment))
        g_clear_pointer (&place.at, g_free);
      g_ptr_array_add (reaches, make_reach (effects, &place));
      take_step (&place, segment, i + 1 < segments->len ? g_ptr_array_index (segments, i + 1) : NULL);
    }
  g_free (place.at);
  return reaches;
}
