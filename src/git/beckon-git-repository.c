/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-git-private.h"

/* Extensions of a repository's form that change nothing of what is read here, and that libgit2 would refuse. */
void
beckon_git_begin (void)
{
  static const char *known[] = { "partialclone", "preciousobjects", "worktreeconfig" };
  static gsize has_begun;

  if (!g_once_init_enter (&has_begun))
    return;
  git_libgit2_init ();
  git_libgit2_opts (GIT_OPT_SET_EXTENSIONS, known, G_N_ELEMENTS (known));
  g_once_init_leave (&has_begun, 1);
}

git_repository *
beckon_git_find_repository (const char *folder)
{
  git_repository *repository = NULL;

  beckon_git_begin ();
  return git_repository_open_ext (&repository, folder, 0, NULL) == 0 ? repository : NULL;
}
