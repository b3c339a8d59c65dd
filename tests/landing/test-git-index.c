/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "landing/beckon-git-index.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  const char *name;
  const char *line; /* run in a repository with the files sub/one, sub/two and three, after which .git/index is read */
  gboolean is_everyday;
} Case;

static const Case cases[] = {
  { "added", "git update-index --index-version 2", TRUE },
  { "empty", "git rm -rqf --cached .", TRUE },
  { "extended", "git update-index --skip-worktree sub/one", TRUE },
  { "version-4", "git update-index --index-version 4", TRUE },
  { "committed", "git commit -qm x; git config core.untrackedCache true; git status >/dev/null", TRUE },
  { "threads", "git config index.threads 2; git update-index --index-version 4; echo x >x; git add x", FALSE }, /* its table */
  { "long", "d=$(head -c 200 /dev/zero | tr '\\0' d); p=$d/$d/$d/$d/$d/$d/$d/$d/$d/$d/$d/$d/$d/$d/$d/$d/$d/$d/$d/$d/$d; "
            "git update-index --add --cacheinfo 100644,$(git hash-object -w three),$p",
    TRUE },
  { "conflict", "git commit -qm x; git checkout -qb b; echo b >three; git commit -qam b; git checkout -q -; echo c >three; "
                "git commit -qam c; git merge -q b >/dev/null || true",
    TRUE },
  { "sparse", "git commit -qm x; git sparse-checkout set --cone --sparse-index other", TRUE },
  { "git", "sed -i 's,sub/one,.git/on,' .git/index", FALSE },
  { "git-case", "sed -i 's,sub/two,.GIT/on,' .git/index", FALSE },
  { "git-version-4", "git update-index --index-version 4; sed -i 's,sub/one,.git/on,' .git/index", FALSE },
  { "above", "sed -i 's,sub/one,../.one,' .git/index", FALSE },
  { "absolute", "sed -i 's,sub/one,/ub/one,' .git/index", FALSE },
  { "zero-in-name", "sed -i 's,sub/one,sub\\x00one,' .git/index", FALSE },
  { "length", "sed -i 's,three,thr\\x00e,' .git/index", FALSE },
  { "version", "sed -i 's,^DIRC\\x00\\x00\\x00\\x02,DIRC\\x00\\x00\\x00\\x05,' .git/index", FALSE },
  { "extension", "printf 'DIRC\\0\\0\\0\\2\\0\\0\\0\\0XXXX\\0\\0\\0\\0%020d' 0 >.git/index", FALSE },
  { "hidden-end", "printf 'DIRC\\0\\0\\0\\2\\0\\0\\0\\0TREE\\0\\0\\0\\040EOIE\\0\\0\\0\\030\\0\\0\\0\\014%020d%020d' 0 0 >.git/index", FALSE },
  { "blocks", "printf 'DIRC\\0\\0\\0\\2\\0\\0\\0\\0IEOT\\0\\0\\0\\014\\0\\0\\0\\1\\0\\0\\0\\014\\0\\0\\0\\1%020d' 0 >.git/index", FALSE },
  { "split", "git update-index --split-index", FALSE },
  { "short", "truncate -s -1 .git/index", FALSE },
  { "text", "echo x >.git/index", FALSE },
  { "nothing", ": >.git/index", FALSE },
};

static void
test_case (gconstpointer data)
{
  const Case *this = data;
  g_autofree char *folder = g_dir_make_tmp ("beckon-index-XXXXXX", NULL);
  g_autofree char *line = g_strdup_printf ("cd '%s' && git init -q . && git config user.name a && git config user.email a@b && "
                                           "mkdir sub && echo x >sub/one && echo x >sub/two && echo x >three && git add . && { %s; }",
                                           folder, this->line);
  g_autofree char *file = g_build_filename (folder, ".git", "index", NULL);
  g_autofree char *removal = g_strdup_printf ("rm -rf '%s'", folder);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_cmpint (system (line), ==, 0);
  g_assert_true (g_file_get_contents (file, &bytes, &length, NULL));
  g_assert_cmpint (beckon_git_index_is_everyday ((guchar *) bytes, length, BECKON_GIT_INDEX_SHA1, NULL), ==, this->is_everyday);

  /* None is read past its end, which a sanitizer sees, wherever that is; nor is one that ends before its entries do. */
  for (gsize n = 1; n < length; n++)
    {
      g_autofree guchar *part = g_memdup2 (bytes, n);
      gboolean is_everyday = beckon_git_index_is_everyday (part, n, BECKON_GIT_INDEX_SHA1, NULL);

      g_assert_false (is_everyday && n < 12 + BECKON_GIT_INDEX_SHA1);
    }
  g_assert_cmpint (system (removal), ==, 0);
}

static void
test_names (void)
{
  static const struct
  {
    const char *name;
    guint mode;
    gboolean may_be;
  } names[] = {
    { "a", 0100644, TRUE },
    { "a/b c/.gitignore", 0100644, TRUE },
    { ".github/x", 0100644, TRUE },
    { "git~10", 0100644, TRUE },
    { "a\\b", 0100644, TRUE },
    { ".gitmodules", 0100644, TRUE },
    { "...", 0100644, TRUE },
    { "sub/", 040000, TRUE },
    { "", 0100644, FALSE },
    { "/a", 0100644, FALSE },
    { "a/", 0100644, FALSE },
    { "a//b", 0100644, FALSE },
    { "/", 040000, FALSE },
    { ".", 0100644, FALSE },
    { "a/./b", 0100644, FALSE },
    { "a/../b", 0100644, FALSE },
    { ".git", 0100644, FALSE },
    { "a/.GIT/config", 0100644, FALSE },
    { "GIT~1/config", 0100644, FALSE },
    { ".git. ./x", 0100644, FALSE },
    { ".git::$INDEX_ALLOCATION/x", 0100644, FALSE },
    { "a\\.git\\config", 0100644, FALSE },
    { ".git\\config", 0100644, FALSE },
    { "sub/.git/", 040000, FALSE },
    { ".gitmodules", 0120000, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const gsize length = strlen (names[i].name), whole = (62 + length + 8) & ~(gsize) 7;
      guchar bytes[12 + 128 + BECKON_GIT_INDEX_SHA1] = "DIRC\0\0\0\2\0\0\0\1";

      /* A single entry, of version 2. */
      g_assert_cmpuint (whole, <=, 128);
      bytes[12 + 26] = (guchar) (names[i].mode >> 8);
      bytes[12 + 27] = (guchar) names[i].mode;
      bytes[12 + 61] = (guchar) length;
      memcpy (bytes + 12 + 62, names[i].name, length);
      if (beckon_git_index_is_everyday (bytes, 12 + whole + BECKON_GIT_INDEX_SHA1, BECKON_GIT_INDEX_SHA1, NULL) != names[i].may_be)
        g_error ("“%s”", names[i].name);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/git-index/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/git-index/names", test_names);
  return g_test_run ();
}
