/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dated table of models, and a person's own in its place. */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "domain/beckon-effort.h"
#include "domain/beckon-model-table.h"

#include <glib/gstdio.h>
#include <string.h>

static void
test_built_in (void)
{
  static const struct
  {
    const char *name;
    guint window;
    guint output;
    int images;
    double input;
    const char *efforts;
  } cases[] = {
    { "claude-sonnet-5", 1000000, 128000, 1, 2, "low medium high xhigh max" },
    { "anthropic/claude-sonnet-4.5", 200000, 64000, 1, 3, "" },
    { "eu.anthropic.claude-sonnet-4-6-v1:0", 1000000, 64000, 1, 3, "low medium high max" },
    { "Claude-3-5-Sonnet-20241022", 200000, 8192, 1, -1, "" },
    { "gpt-5.5", 922000, 128000, 1, 5, "none low medium high xhigh" },
    { "gpt-5.5-pro", 922000, 128000, 1, 30, "medium high xhigh" },
    { "gpt-5-2025-08-07", 272000, 128000, 1, 1.25, "minimal low medium high" },
    { "gpt-5.9-nano", 272000, 0, -1, -1, "" },
    { "models/gemini-3.5-flash", 1048576, 65536, 1, 1.5, "minimal low medium high" },
    { "deepseek/deepseek-v4-pro", 1000000, 384000, 0, 0.435, "high max" },
    { "unheard-of", 0, 0, -1, -1, "" },
    { "my-claude", 0, 0, -1, -1, "" },
    { "", 0, 0, -1, -1, "" },
    { "/models/house.gguf", 0, 0, -1, -1, "" },
    { "/models/claude-sonnet-5.gguf", 0, 0, -1, -1, "" },
    { "//m", 0, 0, -1, -1, "" },
    { "/", 0, 0, -1, -1, "" },
    { ".", 0, 0, -1, -1, "" },
    { "./m.gguf", 0, 0, -1, -1, "" },
    { ":latest", 0, 0, -1, -1, "" },
    { "a//b", 0, 0, -1, -1, "" },
    { "a/", 0, 0, -1, -1, "" },
    { "a.:/b", 0, 0, -1, -1, "" },
    { "a.:/claude-sonnet-5", 1000000, 128000, 1, 2, "low medium high xhigh max" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      BeckonModelDetails details = BECKON_MODEL_DETAILS_INIT;
      g_autofree char *efforts = NULL;

      g_test_message ("%s", cases[i].name);
      beckon_model_table_complete (cases[i].name, &details);
      g_assert_cmpuint (details.facts.window, ==, cases[i].window);
      g_assert_cmpuint (details.facts.output, ==, cases[i].output);
      g_assert_cmpint (details.facts.images, ==, cases[i].images);
      g_assert_cmpfloat (details.facts.prices[BECKON_PRICE_INPUT], ==, cases[i].input);
      g_assert_cmpint (details.facts.prices_from, ==, cases[i].input >= 0 ? BECKON_FACT_TABLE : BECKON_FACT_UNKNOWN);
      efforts = beckon_effort_levels_dup_words (details.facts.efforts);
      g_assert_cmpstr (efforts, ==, cases[i].efforts);
    }
}

/* Facts from the server are not touched. */
static void
test_completes (void)
{
  BeckonModelDetails details = {
    { 1000, 0, 0, -1, BECKON_EFFORT_LEVEL_LOW, { 7, -1, -1 }, BECKON_FACT_UNKNOWN }, 0, 0, -1,
  };

  beckon_model_table_complete ("claude-sonnet-5", &details);
  g_assert_cmpuint (details.facts.window, ==, 1000);
  g_assert_cmpuint (details.facts.output, ==, 128000);
  g_assert_cmpint (details.facts.images, ==, 0);
  g_assert_cmpfloat (details.facts.prices[BECKON_PRICE_INPUT], ==, 7);
  g_assert_cmpfloat (details.facts.prices[BECKON_PRICE_OUTPUT], ==, -1);
  g_assert_cmpint (details.facts.prices_from, ==, BECKON_FACT_UNKNOWN);
  g_assert_cmpuint (details.facts.efforts, ==, BECKON_EFFORT_LEVEL_LOW);
}

static void
assert_window (const char *name, guint window)
{
  BeckonModelDetails details = BECKON_MODEL_DETAILS_INIT;

  beckon_model_table_complete (name, &details);
  g_assert_cmpuint (details.facts.window, ==, window);
}

static void
test_own (void)
{
  static const char own[] = "{\"models\":[{\"patterns\":[\"mine\"],\"context\":5000}]}";
  static const struct
  {
    const char *json;
    const char *words;
  } wrong[] = {
    { "no", "array “models”" },
    { "{\"models\":{}}", "array “models”" },
    { "{\"models\":[7]}", "Entry 1" },
    { "{\"models\":[{\"patterns\":[\"a\"]},{\"patterns\":[]}]}", "Entry 2" },
    { "{\"models\":[{\"patterns\":[\"a\"],\"context\":-1}]}", "Entry 1" },
    { "{\"models\":[{\"patterns\":[\"a\"],\"output\":\"big\"}]}", "Entry 1" },
    { "{\"models\":[{\"patterns\":[\"a\"],\"vision\":1}]}", "Entry 1" },
    { "{\"models\":[{\"patterns\":[\"a\"],\"prices\":[1,2]}]}", "Entry 1" },
    { "{\"models\":[{\"patterns\":[\"a\"],\"prices\":[1,2,\"3\"]}]}", "Entry 1" },
    { "{\"models\":[{\"patterns\":[\"a\"],\"effort\":\"low\"}]}", "Entry 1" },
  };
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), BECKON_DATA_FOLDER, "models.json", NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, own, -1, NULL));
  beckon_model_table_read_own ();
  assert_window ("mine", 5000);
  assert_window ("claude-sonnet-5", 0);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (beckon_model_table_replace (wrong[i].json, strlen (wrong[i].json), &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, wrong[i].words));
      assert_window ("mine", 5000);
    }
  g_assert_true (beckon_model_table_replace (NULL, 0, NULL));
  assert_window ("claude-sonnet-5", 1000000);
  g_assert_cmpint (g_remove (path), ==, 0);
}

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("beckon-models-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (home, BECKON_DATA_FOLDER, NULL);
  int status;

  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/domain/model-table/built-in", test_built_in);
  g_test_add_func ("/domain/model-table/completes", test_completes);
  g_test_add_func ("/domain/model-table/own", test_own);
  status = g_test_run ();
  g_rmdir (folder);
  g_rmdir (home);
  return status;
}
