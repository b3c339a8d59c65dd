/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A line about a repository for a model. */

#include "git/beckon-git-standing.h"

#include <stdlib.h>

#define COMMIT "git add . && git commit -qm x && "

typedef struct
{
  const char *name;
  const char *line;  /* run in a repository with the files sub/one and two, nothing committed */
  const char *below; /* the folder in it */
  guint patience;
  const char *expected;
} Case;

static const Case cases[] = {
  { "unborn", "true", "", 60000, "the branch \"main\", with 2 changed files" },
  { "clean", COMMIT "true", "", 60000, "the branch \"main\", with nothing uncommitted" },
  { "changed", COMMIT "echo x >>two && echo x >new", "", 60000, "the branch \"main\", with 2 changed files" },
  { "staged-and-changed", COMMIT "echo x >>two && git add two && echo y >>two", "", 60000,
    "the branch \"main\", with 1 changed file" },
  { "deleted", COMMIT "rm two", "", 60000, "the branch \"main\", with 1 changed file" },
  { "ignored", COMMIT "echo '*.o' >.git/info/exclude && echo x >x.o", "", 60000,
    "the branch \"main\", with nothing uncommitted" },
  { "below", COMMIT "echo x >>two && echo x >>sub/one && echo x >sub-other", "sub", 60000,
    "the branch \"main\", with 1 changed file in this folder" },
  { "clean-below", COMMIT "echo x >>two", "sub", 60000, "the branch \"main\", with nothing uncommitted in this folder" },
  { "branch", COMMIT "git checkout -qb feature/ümlaut", "", 60000, "the branch \"feature/ümlaut\", with nothing uncommitted" },
  { "hidden", COMMIT "git checkout -qb \"$(printf 'a\\342\\200\\256b')\"", "", 60000,
    "the branch \"a<U+202E>b\", with nothing uncommitted" },
  { "long", COMMIT "git checkout -qb $(printf '%0150d' 0)", "", 60000,
    "the branch \"0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000…\", "
    "with nothing uncommitted" },
  { "detached", COMMIT "git checkout -q --detach", "", 60000, "no branch (a detached HEAD), with nothing uncommitted" },
  { "many", COMMIT "touch $(seq 1001)", "", 60000, "the branch \"main\", with over 1000 changed files" },
  { "no-time", COMMIT "echo x >>two", "", 0, "the branch \"main\"" },
  { "work-tree", COMMIT "git worktree add -q w -b side && echo x >w/new", "w", 60000,
    "the branch \"side\", with 1 changed file" },
  { "none", "rm -rf .git", "", 60000, NULL },
  { "borrowed", "git init -q -b other '../%s-other' && rm -rf .git && echo \"gitdir: $PWD-other/.git\" >.git", "", 60000, NULL },
  { "linked", "mv .git '../%s-other' && ln -s '../%s-other' .git", "", 60000, NULL },
};

static void
test_case (gconstpointer data)
{
  const Case *this = data;
  g_autofree char *folder = g_dir_make_tmp ("beckon-standing-XXXXXX", NULL);
  g_autofree char *name = g_path_get_basename (folder);
  g_autoptr (GString) act = g_string_new (this->line);
  g_autofree char *line = NULL;
  g_autofree char *below = g_build_filename (folder, this->below, NULL);
  g_autofree char *removal = g_strdup_printf ("rm -rf '%s' '%s-other'", folder, folder);
  g_autofree char *said = NULL;

  g_string_replace (act, "%s", name, 0);
  line = g_strdup_printf ("cd '%s' && git init -q -b main . && git config user.name a && git config user.email a@b && "
                          "mkdir sub && echo x >sub/one && echo x >two && { %s; }",
                          folder, act->str);
  g_assert_cmpint (system (line), ==, 0);
  said = beckon_git_standing_describe (below, this->patience);
  g_assert_cmpstr (said, ==, this->expected);
  g_assert_cmpint (system (removal), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/git/standing/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  return g_test_run ();
}
