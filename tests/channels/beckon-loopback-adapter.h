/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-kind.h"

G_BEGIN_DECLS

/**
 * BeckonLoopbackHub:
 * @inbox: (element-type BeckonChannelIncoming): all that came, in the order of the cursor: the first is 1
 * @sent: (element-type BeckonLoopbackSent): all that was sent or edited
 * @failures: how many sends fail from now on, with @failure
 * @failure: a #BeckonChannelError
 * @loses_answer: with @failures: the message arrives all the same, and only its end is lost
 * @pause_s: of a %BECKON_CHANNEL_ERROR_LIMITED
 * @hangs: a send never ends but by being cancelled
 * @hangs_files: a file is fetched never but by being cancelled
 * @fetched: files that were asked for
 * @is_away: adapters are %BECKON_CHANNEL_FAILED, and receive nothing
 * @acknowledged: (element-type utf8): what buttons were told
 * @limits: what adapters say of themselves
 *
 * The server of an account's messages, in the test's memory; it outlives adapters. Members are the test's.
 */
typedef struct
{
  GPtrArray *inbox;
  GPtrArray *sent;
  GPtrArray *acknowledged;
  GPtrArray *adapters;
  guint failures;
  BeckonChannelError failure;
  gboolean loses_answer;
  guint pause_s;
  gboolean hangs;
  gboolean hangs_files;
  guint fetched;
  gboolean is_away;
  guint typing;
  BeckonChannelLimits limits;
} BeckonLoopbackHub;

/**
 * BeckonLoopbackSent:
 * @message: what was sent
 * @remote_id: of the message, or of the one that was edited
 */
typedef struct
{
  BeckonChannelOutgoing *message;
  char *remote_id;
} BeckonLoopbackSent;

/** The hub of an account, made at the first time: @name is the account's setting "hub". Borrowed. */
BeckonLoopbackHub *beckon_loopback_hub (const char *name);

/** Forgets all hubs. */
void beckon_loopback_clear (void);

/** A peer writes; @id: (nullable): another message's id for one that comes twice. */
void beckon_loopback_write (BeckonLoopbackHub *hub, const char *address, const char *text, const char *id);

/** A peer presses a button of the @nth message that was sent, from 0; its @choice, from 0. */
void beckon_loopback_press (BeckonLoopbackHub *hub, const char *address, guint nth, guint choice);

/** Takes any message. (transfer full) */
void beckon_loopback_take (BeckonLoopbackHub *hub, BeckonChannelIncoming *incoming);

/** Adapters look again at the members of the hub. */
void beckon_loopback_wake (BeckonLoopbackHub *hub);

/** The @nth that was sent or edited, from 0; %NULL if there is none yet. Borrowed. */
const BeckonLoopbackSent *beckon_loopback_get_sent (BeckonLoopbackHub *hub, guint nth);

/** The kind "loopback", with a field "hub"; for beckon_channel_kind_register(). */
extern const BeckonChannelKind beckon_loopback_kind;

G_END_DECLS
