/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-profile.h"

static const char *const kind_words[] = {
  [BECKON_PROFILE_CHAT] = "chat",           [BECKON_PROFILE_TOUR] = "tour",     [BECKON_PROFILE_RESPONSES] = "responses",
  [BECKON_PROFILE_ANTHROPIC] = "anthropic", [BECKON_PROFILE_GEMINI] = "gemini", [BECKON_PROFILE_OLLAMA] = "ollama",
};

const char *
beckon_profile_kind_to_string (BeckonProfileKind kind)
{
  g_return_val_if_fail ((guint) kind < BECKON_PROFILE_N_KINDS, NULL);

  return kind_words[kind];
}

gboolean
beckon_profile_kind_from_string (const char *word, BeckonProfileKind *kind)
{
  g_return_val_if_fail (kind != NULL, FALSE);

  for (guint i = 0; i < BECKON_PROFILE_N_KINDS; i++)
    if (g_strcmp0 (word, kind_words[i]) == 0)
      {
        *kind = (BeckonProfileKind) i;
        return TRUE;
      }

  return FALSE;
}
