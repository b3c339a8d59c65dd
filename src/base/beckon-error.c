/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-error.h"

#include <locale.h>
#include <string.h>

G_DEFINE_QUARK (beckon-error-quark, beckon_error)

const char *
beckon_errno_describe (int number)
{
  static gsize english;

  if (g_once_init_enter (&english))
    g_once_init_leave (&english, (gsize) newlocale (LC_ALL_MASK, "C", (locale_t) 0));
  return g_intern_string (strerror_l (number, (locale_t) english));
}
