/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define BECKON_ERROR (beckon_error_quark ())
GQuark beckon_error_quark (void);

/**
 * BeckonError:
 * @BECKON_ERROR_INVALID: what was given breaks a rule; the message says which, and what to do
 * @BECKON_ERROR_TOO_LARGE: a bound was exceeded
 * @BECKON_ERROR_TOO_DEEP: nesting exceeded %BECKON_JSON_MAX_DEPTH
 * @BECKON_ERROR_NOT_FOUND: there is no such thing
 * @BECKON_ERROR_CONFLICT: it was changed first elsewhere; nothing was written
 * @BECKON_ERROR_UNAVAILABLE: a part of the system that is needed is not there
 * @BECKON_ERROR_STORE: the store could not be read or written
 * @BECKON_ERROR_DEFERRED: it could not be written now; it is kept in memory and is written as soon as that is possible
 *
 * Errors that any room may give. Rooms with richer ones have a domain of their own.
 */
typedef enum
{
  BECKON_ERROR_INVALID,
  BECKON_ERROR_TOO_LARGE,
  BECKON_ERROR_TOO_DEEP,
  BECKON_ERROR_NOT_FOUND,
  BECKON_ERROR_CONFLICT,
  BECKON_ERROR_UNAVAILABLE,
  BECKON_ERROR_STORE,
  BECKON_ERROR_DEFERRED,
} BeckonError;

/** The system's words for an `errno`, in English whatever the person's language: a model reads it. Static; any thread. */
const char *beckon_errno_describe (int number);

G_END_DECLS
