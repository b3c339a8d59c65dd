/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-profile.h"

#include "base/beckon-loopback.h"

#include <stdio.h>
#include <string.h>

/* What providers say of their models, the first that fits; less than the truth is harmless, more is not. */
static const struct
{
  const char *words;
  guint tokens;
} windows[] = {
  { "claude", 200000 },       { "gemini", 1000000 },      { "gpt-5", 272000 },       { "gpt-4.1", 1000000 },
  { "gpt-4o", 128000 },       { "gpt-4-turbo", 128000 },  { "gpt-4", 8192 },         { "gpt-3.5", 16385 },
  { "deepseek", 128000 },     { "kimi-k2", 256000 },      { "glm-4.6", 200000 },     { "glm-4", 128000 },
  { "grok-4", 256000 },       { "grok-3", 131072 },       { "mistral-large", 128000 }, { "codestral", 256000 },
  { "qwen3", 256000 },        { "qwen-plus", 128000 },    { "qwen-max", 256000 },    { "qwen-turbo", 128000 },
};

/* A model on this computer has the window that its server was started with, not the one that it could have. */
static guint
find_window (BeckonProfile *profile)
{
  g_autofree char *model = g_ascii_strdown (beckon_profile_get_model (profile), -1);

  if (beckon_uri_is_loopback (beckon_profile_get_base_url (profile)))
    return BECKON_PROFILE_WINDOW_DEFAULT;
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    if (strstr (model, windows[i].words) != NULL)
      return windows[i].tokens;

  return BECKON_PROFILE_WINDOW_DEFAULT;
}

/* Three numbers, as they are stored. What is no such thing says nothing. */
void
beckon_profile_get_facts (BeckonProfile *self, BeckonModelFacts *facts)
{
  const BeckonModelFacts none = BECKON_MODEL_FACTS_INIT;
  g_autofree char *text = NULL;

  g_return_if_fail (BECKON_IS_PROFILE (self));
  g_return_if_fail (facts != NULL);

  g_object_get (self, "facts", &text, NULL);
  *facts = none;
  if (sscanf (text, "%u %u %d", &facts->window, &facts->output, &facts->images) != 3)
    *facts = none;
  facts->window = MIN (facts->window, BECKON_PROFILE_WINDOW_MAX);
  facts->output = MIN (facts->output, BECKON_PROFILE_OUTPUT_LIMIT_MAX);
  facts->images = CLAMP (facts->images, -1, 1);
}

void
beckon_profile_set_facts (BeckonProfile *self, const BeckonModelFacts *facts)
{
  g_autofree char *text = g_strdup_printf ("%u %u %d", facts->window, facts->output, facts->images);
  gboolean is_something = facts->window > 0 || facts->output > 0 || facts->images >= 0;

  g_return_if_fail (BECKON_IS_PROFILE (self));

  g_object_set (self, "facts", is_something ? text : "", NULL);
}

guint
beckon_profile_get_effective_window (BeckonProfile *self)
{
  BeckonModelFacts facts;
  guint tokens;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_PROFILE_WINDOW_DEFAULT);

  tokens = beckon_profile_get_context_window (self);

  if (tokens != 0)
    return tokens;
  beckon_profile_get_facts (self, &facts);

  return facts.window != 0 ? facts.window : find_window (self);
}
