/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>
#include <sys/types.h>

G_BEGIN_DECLS

/**
 * BeckonRequestPrompterKind:
 * @BECKON_REQUEST_PROMPTER_RUN: our own run
 * @BECKON_REQUEST_PROMPTER_TOOL: a tool of it, or a server behind one, while it runs
 * @BECKON_REQUEST_PROMPTER_PROGRAM: another program on this computer
 * @BECKON_REQUEST_PROMPTER_CHANNEL: a channel
 */
typedef enum
{
  BECKON_REQUEST_PROMPTER_RUN,
  BECKON_REQUEST_PROMPTER_TOOL,
  BECKON_REQUEST_PROMPTER_PROGRAM,
  BECKON_REQUEST_PROMPTER_CHANNEL,
} BeckonRequestPrompterKind;

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
  BeckonRequestPrompterKind kind;
  char *name;
  pid_t process;
  char *unit;
} BeckonAskedBy;

/** @name: (nullable). Of a program @process and @unit are filled in by the caller. */
BeckonAskedBy *beckon_asked_by_new (BeckonRequestPrompterKind kind, const char *name) G_GNUC_WARN_UNUSED_RESULT;
void           beckon_asked_by_free (BeckonAskedBy *asked_by);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonAskedBy, beckon_asked_by_free)

G_END_DECLS
