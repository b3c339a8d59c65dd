/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>
#include <sys/types.h>

G_BEGIN_DECLS

/**
 * BeckonAskedByKind:
 * @BECKON_ASKED_BY_RUN: our own run
 * @BECKON_ASKED_BY_TOOL: a tool of it, while it runs
 * @BECKON_ASKED_BY_SERVER: a server of tools, while one of them runs
 * @BECKON_ASKED_BY_PLAN: a plan that is carried out
 * @BECKON_ASKED_BY_PROGRAM: another program on this computer
 * @BECKON_ASKED_BY_CHANNEL: a channel
 */
typedef enum
{
  BECKON_ASKED_BY_RUN,
  BECKON_ASKED_BY_TOOL,
  BECKON_ASKED_BY_SERVER,
  BECKON_ASKED_BY_PLAN,
  BECKON_ASKED_BY_PROGRAM,
  BECKON_ASKED_BY_CHANNEL,
} BeckonAskedByKind;

/**
 * BeckonAskedBy:
 * @kind: what asks
 * @name: (nullable): its name; not trusted; %NULL for our own run
 * @process: of a program: its process; 0 if that is not known
 * @unit: (nullable): of a program: the systemd unit that it belongs to
 *
 * Who asks a request.
 */
typedef struct
{
  BeckonAskedByKind kind;
  char *name;
  pid_t process;
  char *unit;
} BeckonAskedBy;

/** @name: (nullable). Of a program @process and @unit are filled in by the caller. */
BeckonAskedBy *beckon_asked_by_new (BeckonAskedByKind kind, const char *name) G_GNUC_WARN_UNUSED_RESULT;
void           beckon_asked_by_free (BeckonAskedBy *asked_by);

/** As it is stored with its request: a JSON object; %NULL for our own run. Caller frees. */
char *beckon_asked_by_to_text (const BeckonAskedBy *asked_by);

/** @text: (nullable). (transfer full) (nullable): %NULL where it can't be read. */
BeckonAskedBy *beckon_asked_by_from_text (const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonAskedBy, beckon_asked_by_free)

G_END_DECLS
