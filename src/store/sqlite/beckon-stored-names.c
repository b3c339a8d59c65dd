/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-stored-names.h"

static const char *const roles[] = {
  [BECKON_ROLE_USER] = "user",
  [BECKON_ROLE_ASSISTANT] = "assistant",
};

static const char *const kinds[] = {
  [BECKON_PART_TEXT] = "text",
  [BECKON_PART_REASONING] = "reasoning",
  [BECKON_PART_CALL] = "call",
  [BECKON_PART_OPAQUE] = "opaque",
  [BECKON_PART_IMAGE] = "image",
};

static gboolean
stored_names_find (const char *const *words, guint n_words, const char *word, guint *index)
{
  for (guint i = 0; i < n_words; i++)
    if (g_strcmp0 (words[i], word) == 0)
      {
        *index = i;
        return TRUE;
      }

  return FALSE;
}

const char *
beckon_role_to_word (BeckonRole role)
{
  g_return_val_if_fail ((guint) role < G_N_ELEMENTS (roles), NULL);

  return roles[role];
}

gboolean
beckon_role_from_word (const char *word, BeckonRole *role)
{
  guint index;

  if (!stored_names_find (roles, G_N_ELEMENTS (roles), word, &index))
    return FALSE;

  *role = (BeckonRole) index;

  return TRUE;
}

const char *
beckon_part_kind_to_word (BeckonPartKind kind)
{
  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (kinds), NULL);

  return kinds[kind];
}

gboolean
beckon_part_kind_from_word (const char *word, BeckonPartKind *kind)
{
  guint index;

  if (!stored_names_find (kinds, G_N_ELEMENTS (kinds), word, &index))
    return FALSE;

  *kind = (BeckonPartKind) index;

  return TRUE;
}
