/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-fault.h"

#include "base/beckon-text-printf.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <sqlite3.h>

static BeckonFault
from_system_error (int system_error)
{
  switch (system_error)
    {
    case ENOSPC:
      return BECKON_FAULT_FULL;

    case EDQUOT:
    case EFBIG:
      return BECKON_FAULT_QUOTA;

    case EROFS:
    case EACCES:
    case EPERM:
      return BECKON_FAULT_READ_ONLY;

    case ENOMEM:
      return BECKON_FAULT_MEMORY;

    default:
      return BECKON_FAULT_DEVICE;
    }
}

BeckonFault
beckon_fault_from_code (int code, int system_error)
{
  switch (code & 0xff)
    {
    case SQLITE_FULL:
      return BECKON_FAULT_FULL;

    case SQLITE_READONLY:
    case SQLITE_PERM:
      return BECKON_FAULT_READ_ONLY;

    case SQLITE_IOERR:
      return code == SQLITE_IOERR_NOMEM ? BECKON_FAULT_MEMORY : from_system_error (system_error);

    case SQLITE_CANTOPEN:
      return from_system_error (system_error);

    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return BECKON_FAULT_DAMAGED;

    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return BECKON_FAULT_LOCKED;

    case SQLITE_NOMEM:
      return BECKON_FAULT_MEMORY;

    default:
      return BECKON_FAULT_NONE;
    }
}

gboolean
beckon_fault_may_pass (BeckonFault fault)
{
  return fault != BECKON_FAULT_NONE && fault != BECKON_FAULT_DAMAGED;
}

char *
beckon_fault_describe (BeckonFault fault, const char *words)
{
  switch (fault)
    {
    case BECKON_FAULT_FULL:
      return g_strdup (_("The disk is full. Make room and try again."));

    case BECKON_FAULT_QUOTA:
      return g_strdup (_("Your share of the disk is used up. Delete something and try again."));

    case BECKON_FAULT_DEVICE:
      return beckon_text_printf (_("The disk reported an error (%s). Check the disk before you continue."), words);

    case BECKON_FAULT_READ_ONLY:
      return beckon_text_printf (_("The history cannot be opened or written. Check the permissions of its folder (%s)."),
                                 words);

    case BECKON_FAULT_LOCKED:
      return g_strdup (_("Another program kept the history locked for too long. Try again."));

    case BECKON_FAULT_MEMORY:
      return g_strdup (_("There is not enough memory. Close something and try again."));

    case BECKON_FAULT_DAMAGED:
      return beckon_text_printf (_("The history’s file is damaged (%s). Close every window and terminal of Beckon and start it "
                                   "again: it then saves what can still be read."),
                                 words);

    case BECKON_FAULT_NONE:
    default:
      return beckon_text_printf (_("The history could not be read or written (%s)."), words);
    }
}
