/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-origin.h"
#include "settings/beckon-preset.h"

#include <string.h>

/* Every provider of the promise is there, and is whole but for what only a person knows. */
static void
test_all (void)
{
  static const char *const ids[] = { "openai", "anthropic", "gemini",     "ollama", "llama.cpp", "vllm", "lm-studio",
                                     "deepseek", "qwen",    "moonshot",   "glm",    "mistral",   "groq", "openrouter",
                                     "xai",      "azure",    "bedrock", "bedrock-mantle", "vertex" };

  g_assert_cmpuint (beckon_preset_get_all ()->len, ==, G_N_ELEMENTS (ids));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      BeckonPreset *preset = beckon_preset_lookup (ids[i]);
      g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
      g_autoptr (GError) error = NULL;

      g_assert_nonnull (preset);
      beckon_preset_apply (preset, profile);
      g_assert_cmpint (beckon_uri_is_loopback (beckon_profile_get_base_url (profile)), ==, beckon_preset_is_local (preset));
      g_assert_true (beckon_preset_is_local (preset)
                     || g_str_has_prefix (beckon_profile_get_base_url (profile), "https://"));
      /* A preset never says which program is run. */
      g_assert_cmpstr (beckon_profile_get_key_command (profile), ==, "");
      if (strchr (beckon_profile_get_base_url (profile), '@') != NULL)
        {
          g_autofree char *blank = beckon_profile_dup_blank (profile);

          g_assert_false (beckon_profile_check (profile, &error));
          g_assert_nonnull (strstr (error->message, blank));
          g_clear_error (&error);
          beckon_profile_set_base_url (profile, "https://mine.openai.azure.com/openai/v1");
        }
      if (*beckon_profile_get_model (profile) == '\0')
        beckon_profile_set_model (profile, "chosen");
      beckon_profile_check (profile, &error);
      g_assert_no_error (error);
    }
  g_assert_null (beckon_preset_lookup ("nobody"));
}

/* The page of a sign-in is on the server that the key is for, or hands out keys for it. */
static void
test_sign_in (void)
{
  guint n = 0;

  for (guint i = 0; i < beckon_preset_get_all ()->len; i++)
    {
      BeckonPreset *preset = g_ptr_array_index (beckon_preset_get_all (), i);

      if (*beckon_preset_get_sign_in_url (preset) == '\0')
        continue;
      n++;
      g_assert_true (g_str_has_prefix (beckon_preset_get_sign_in_url (preset), "https://"));
      g_assert_true (beckon_uri_same_origin (beckon_preset_get_sign_in_keys_url (preset), beckon_preset_get_base_url (preset)));
    }
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (beckon_preset_get_sign_in_url (beckon_preset_lookup ("openrouter")), ==, "https://openrouter.ai/auth");
}

static void
test_apply (void)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);

  beckon_preset_apply (beckon_preset_lookup ("anthropic"), profile);
  g_assert_cmpstr (beckon_profile_get_name (profile), ==, "Anthropic");
  g_assert_cmpint (beckon_profile_get_kind (profile), ==, BECKON_PROFILE_ANTHROPIC);
  beckon_preset_apply (beckon_preset_lookup ("ollama"), profile);
  g_assert_cmpstr (beckon_profile_get_name (profile), ==, "Anthropic");
  g_assert_cmpstr (beckon_profile_get_model (profile), ==, "");
}

static void
test_for_url (void)
{
  BeckonPreset *openai = beckon_preset_lookup ("openai");

  g_assert_true (beckon_preset_for_url ("https://API.openai.com/v1/", BECKON_PROFILE_RESPONSES) == openai);
  g_assert_true (beckon_preset_for_url ("https://api.openai.com/v1", BECKON_PROFILE_CHAT) == openai);
  g_assert_null (beckon_preset_for_url ("https://api.openai.com.evil.example/v1", BECKON_PROFILE_CHAT));
  g_assert_null (beckon_preset_for_url ("", BECKON_PROFILE_CHAT));
}

/* The first that is set counts, and an empty one is not set. */
static void
test_variables (void)
{
  BeckonPreset *gemini = beckon_preset_lookup ("gemini");

  g_unsetenv ("GEMINI_API_KEY");
  g_unsetenv ("GOOGLE_API_KEY");
  g_assert_null (beckon_preset_find_variable (gemini));
  g_setenv ("GOOGLE_API_KEY", "g", TRUE);
  g_setenv ("GEMINI_API_KEY", "", TRUE);
  g_assert_cmpstr (beckon_preset_find_variable (gemini), ==, "GOOGLE_API_KEY");
  g_setenv ("GEMINI_API_KEY", "g", TRUE);
  g_assert_cmpstr (beckon_preset_find_variable (gemini), ==, "GEMINI_API_KEY");
  g_assert_null (beckon_preset_find_variable (beckon_preset_lookup ("ollama")));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings/preset/all", test_all);
  g_test_add_func ("/settings/preset/apply", test_apply);
  g_test_add_func ("/settings/preset/sign-in", test_sign_in);
  g_test_add_func ("/settings/preset/for-url", test_for_url);
  g_test_add_func ("/settings/preset/variables", test_variables);
  return g_test_run ();
}
