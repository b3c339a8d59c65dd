/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-folder-extras.h"
#include "domain/beckon-mcp-server.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

#define BECKON_TYPE_TRUST_REQUEST (beckon_trust_request_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTrustRequest, beckon_trust_request, BECKON, TRUST_REQUEST, BeckonRequest)

/**
 * BeckonTrustRequest:
 *
 * Whether what a folder brings for the agent counts: its instructions, skills, commands and servers. It is about no call; the
 * run begins when it is settled.
 */

/**
 * beckon_trust_request_new:
 * @conversation_id: whose run it is
 * @message_id: (nullable): the message that began the run
 * @folder: the working folder
 * @extras: what it brings
 * @before: (nullable): what it brought when the person was asked last
 * @asked_at: in microseconds since the epoch
 *
 * Returns: (transfer full): a pending request
 */
BeckonRequest *beckon_trust_request_new (const char *conversation_id, const char *message_id, const char *folder,
                                         BeckonFolderExtras *extras, BeckonFolderExtras *before,
                                         gint64 asked_at) G_GNUC_WARN_UNUSED_RESULT;

const char         *beckon_trust_request_get_folder (BeckonTrustRequest *self);
BeckonFolderExtras *beckon_trust_request_get_extras (BeckonTrustRequest *self);

/** (nullable): what the folder brought before; borrowed. */
BeckonFolderExtras *beckon_trust_request_get_before (BeckonTrustRequest *self);

/** The SHA-256 of what the folder brings; borrowed. */
const char *beckon_trust_request_get_hash (BeckonTrustRequest *self);

/** The question in one translated sentence; the folder in it is safe to be shown. Caller frees. */
char *beckon_trust_request_dup_sentence (BeckonTrustRequest *self);

/** A file in a translated line, such as "AGENTS.md: instructions, 2 kB, changed"; safe to be shown. Caller frees. */
char *beckon_trust_request_dup_line (BeckonTrustRequest *self, const BeckonFolderExtra *extra);

/** Says that the server @name of what the folder brings lacks @value, as the file writes it, before it can be used. */
void beckon_trust_request_add_missing (BeckonTrustRequest *self, const char *name, const char *value);

/**
 * beckon_trust_request_dup_missing:
 * @self: a request
 * @extra: a file of it
 *
 * Returns: (transfer full) (nullable): which values of a server are missing, and what to do, translated and safe to be shown;
 *   %NULL where none is
 */
char *beckon_trust_request_dup_missing (BeckonTrustRequest *self, const BeckonFolderExtra *extra);

/** Says what a server of the folder may do once it is accepted. @reach is copied. */
void beckon_trust_request_add_reach (BeckonTrustRequest *self, const BeckonServerReach *reach);

/** Whether it says of servers exactly this. @reaches: (element-type BeckonServerReach) */
gboolean beckon_trust_request_says (BeckonTrustRequest *self, GPtrArray *reaches);

/** (nullable): of the server @extra; %NULL for any other file, and where it was not said. Borrowed. */
const BeckonServerReach *beckon_trust_request_get_reach (BeckonTrustRequest *self, const BeckonFolderExtra *extra);

/** (transfer full) (nullable): the same in translated words, safe to be shown. Caller frees. */
char *beckon_trust_request_dup_reach (BeckonTrustRequest *self, const BeckonFolderExtra *extra);

/** The lines of @extra that are new or changed: all of a new one, a difference or ""; safe to be shown. Caller frees. */
char *beckon_trust_request_dup_text (BeckonTrustRequest *self, const BeckonFolderExtra *extra);

G_END_DECLS
