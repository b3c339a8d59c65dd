/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-asked-by.h"

BeckonAskedBy *
beckon_asked_by_new (BeckonAskedByKind kind, const char *name)
{
  BeckonAskedBy *asked_by = g_new0 (BeckonAskedBy, 1);

  asked_by->kind = kind;
  asked_by->name = g_strdup (name);
  return asked_by;
}

void
beckon_asked_by_free (BeckonAskedBy *asked_by)
{
  if (asked_by == NULL)
    return;

  g_free (asked_by->name);
  g_free (asked_by->unit);
  g_free (asked_by);
}
