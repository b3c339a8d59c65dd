/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "domain/beckon-profile.h"

#include <string.h>

static BeckonProfile *
make_profile (const char *name, const char *base_url, const char *model)
{
  BeckonProfile *profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);

  beckon_profile_set_name (profile, name);
  beckon_profile_set_base_url (profile, base_url);
  beckon_profile_set_model (profile, model);

  return profile;
}

static void
test_accepts (void)
{
  const char *const urls[] = { "http://localhost:11434/v1",   "https://api.example.com/v1", "https://api.example.com",
                               "http://[::1]:8080/v1",        "HTTPS://api.example.com/v1", "http://127.0.0.1:1234/v1/",
                               "https://api.example.com/a/b" };

  for (gsize i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autoptr (BeckonProfile) profile = make_profile ("Name", urls[i], "model");
      g_autoptr (GError) error = NULL;

      beckon_profile_check (profile, &error);
      g_assert_no_error (error);
    }
}

static void
test_refuses (void)
{
  static const struct
  {
    const char *name;
    const char *base_url;
    const char *model;
    const char *word;
  } cases[] = {
    { "", "https://a.example/v1", "m", "name" },
    { " \t", "https://a.example/v1", "m", "name" },
    { "\xe3\x80\x80", "https://a.example/v1", "m", "name" },
    { "n", "", "m", "address" },
    { "n", "api.example.com/v1", "m", "address" },
    { "n", "ftp://a.example/v1", "m", "address" },
    { "n", "file:///etc/passwd", "m", "address" },
    { "n", "https:///v1", "m", "address" },
    { "n", "https://", "m", "address" },
    { "n", "https://user@a.example/v1", "m", "user name" },
    { "n", "https://user:pass@a.example/v1", "m", "user name" },
    { "n", "https://a.example/v1?key=abc", "m", "“?”" },
    { "n", "https://a.example/v1#top", "m", "“#”" },
    { "n", "https://a.example/v1", "", "model" },
    { "n", "https://a.example/v1", "  ", "model" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonProfile) profile = make_profile (cases[i].name, cases[i].base_url, cases[i].model);
      g_autoptr (GError) error = NULL;

      g_assert_false (beckon_profile_check (profile, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
      if (strstr (error->message, cases[i].word) == NULL)
        g_error ("case %" G_GSIZE_FORMAT ": “%s” does not mention %s", i, error->message, cases[i].word);
    }
}

static void
test_rounds (void)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);

  g_assert_cmpuint (beckon_profile_get_effective_rounds (profile), ==, 50);
  beckon_profile_set_rounds (profile, 7);
  g_assert_cmpuint (beckon_profile_get_effective_rounds (profile), ==, 7);
  beckon_profile_set_rounds (profile, 100000);
  g_assert_cmpuint (beckon_profile_get_effective_rounds (profile), ==, 200);
}

static void
count (guint *counter)
{
  (*counter)++;
}

static void
test_properties (void)
{
  g_autoptr (BeckonProfile) profile = make_profile ("a", "http://b", "c");
  g_autoptr (BeckonProfile) copy = NULL;
  g_autofree char *name = NULL;
  g_autofree char *base_url = NULL;
  g_autofree char *model = NULL;
  guint rounds, notified = 0;

  g_signal_connect_swapped (profile, "notify", G_CALLBACK (count), &notified);
  g_object_set (profile, "name", "A", "base-url", "http://B", "model", "C", "rounds", 3u, NULL);
  g_assert_cmpuint (notified, ==, 4);
  g_object_set (profile, "name", "A", "rounds", 3u, NULL);
  g_assert_cmpuint (notified, ==, 4);

  copy = beckon_profile_copy (profile);
  g_object_get (copy, "name", &name, "base-url", &base_url, "model", &model, "rounds", &rounds, NULL);
  g_assert_cmpstr (beckon_profile_get_id (copy), ==, "p");
  g_assert_cmpint (beckon_profile_get_kind (copy), ==, BECKON_PROFILE_CHAT);
  g_assert_cmpstr (name, ==, "A");
  g_assert_cmpstr (base_url, ==, "http://B");
  g_assert_cmpstr (model, ==, "C");
  g_assert_cmpuint (rounds, ==, 3);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/domain/profile/accepts", test_accepts);
  g_test_add_func ("/domain/profile/refuses", test_refuses);
  g_test_add_func ("/domain/profile/rounds", test_rounds);
  g_test_add_func ("/domain/profile/properties", test_properties);

  return g_test_run ();
}
