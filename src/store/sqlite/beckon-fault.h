/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonFault:
 * @BECKON_FAULT_NONE: nothing is wrong, or nothing that is the files' fault
 * @BECKON_FAULT_FULL: the disk is full
 * @BECKON_FAULT_QUOTA: the person may use no more of it
 * @BECKON_FAULT_DEVICE: the device reports errors
 * @BECKON_FAULT_READ_ONLY: nothing may be written
 * @BECKON_FAULT_LOCKED: another program did not let go
 * @BECKON_FAULT_MEMORY: there was no memory
 * @BECKON_FAULT_DAMAGED: what is in the file cannot be right
 *
 * What is wrong with the files of the store.
 */
typedef enum
{
  BECKON_FAULT_NONE,
  BECKON_FAULT_FULL,
  BECKON_FAULT_QUOTA,
  BECKON_FAULT_DEVICE,
  BECKON_FAULT_READ_ONLY,
  BECKON_FAULT_LOCKED,
  BECKON_FAULT_MEMORY,
  BECKON_FAULT_DAMAGED,
} BeckonFault;

/** @code: a result code of SQLite; @system_error: the errno behind it, or 0. */
BeckonFault beckon_fault_from_code (int code, int system_error);

/** %TRUE if the same may succeed later without a repair of the file. */
gboolean beckon_fault_may_pass (BeckonFault fault);

/** @words: SQLite's own, for a bug report. Why something failed, in words for a person. Caller frees. */
char *beckon_fault_describe (BeckonFault fault, const char *words);

G_END_DECLS
