/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-database.h"

G_BEGIN_DECLS

struct _BeckonDatabase
{
  sqlite3 *handle;
  GHashTable *statements; /* (owned) (element-type utf8 sqlite3_stmt): by the address of the SQL */
  gboolean has_durability; /* it was set; how the library begins depends on how it was built */
  BeckonDurability durability;
  int log_pages;
  BeckonFault fault; /* the last that was met; see beckon_database_take_fault() */
  gboolean has_bad_index; /* see beckon_database_take_bad_index() */
  gint64 busy_since;
  gboolean is_impatient; /* another program kept a lock for too long */
  gboolean never_waits;  /* for a lock */
};

G_END_DECLS
