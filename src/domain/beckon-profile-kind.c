/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-profile.h"

#include "base/beckon-words.h"

static const char *const kind_words[] = {
  [BECKON_PROFILE_CHAT] = "chat",           [BECKON_PROFILE_TOUR] = "tour",     [BECKON_PROFILE_RESPONSES] = "responses",
  [BECKON_PROFILE_ANTHROPIC] = "anthropic", [BECKON_PROFILE_GEMINI] = "gemini", [BECKON_PROFILE_OLLAMA] = "ollama",
};

BECKON_WORDS_TO (BeckonProfileKind, beckon_profile_kind_to_string, kind_words)
BECKON_WORDS_FROM (BeckonProfileKind, beckon_profile_kind_from_string, kind_words)
