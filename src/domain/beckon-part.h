/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"

G_BEGIN_DECLS

/**
 * BeckonPartKind:
 * @BECKON_PART_TEXT: text, Markdown when the model wrote it
 * @BECKON_PART_REASONING: the model's reasoning
 * @BECKON_PART_CALL: a tool call
 * @BECKON_PART_OPAQUE: a provider's own block, kept and returned byte-equal; text is its JSON
 * @BECKON_PART_IMAGE: an image; text is its bytes, and there is a media type
 */
typedef enum
{
  BECKON_PART_TEXT,
  BECKON_PART_REASONING,
  BECKON_PART_CALL,
  BECKON_PART_OPAQUE,
  BECKON_PART_IMAGE,
} BeckonPartKind;

#define BECKON_TYPE_PART (beckon_part_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPart, beckon_part, BECKON, PART, GObject)

/**
 * BeckonPart:
 *
 * One piece of a message. Main thread. Property `duration` (int64), notified. Signal `appended` (const char *delta, guint
 * length): text was added at the end.
 */

BeckonPart *beckon_part_new (BeckonPartKind kind, const char *text) G_GNUC_WARN_UNUSED_RESULT;
BeckonPart *beckon_part_new_call (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

BeckonPartKind  beckon_part_get_kind (BeckonPart *part);
const char     *beckon_part_get_text (BeckonPart *part);
gsize           beckon_part_get_length (BeckonPart *part);
BeckonToolCall *beckon_part_get_call (BeckonPart *part);

/** Its maker, such as "chat"; another provider's opaque parts are not sent. %NULL when it does not matter. */
const char *beckon_part_get_origin (BeckonPart *part);
void        beckon_part_set_origin (BeckonPart *part, const char *origin);

/** Such as "image/png", of an image; else %NULL. */
const char *beckon_part_get_media_type (BeckonPart *part);
void        beckon_part_set_media_type (BeckonPart *part, const char *media_type);

/**
 * The file that a text was read from and its media type; both %NULL where there is none. Models that read such files are sent
 * it in place of the text. Borrowed.
 */
GBytes     *beckon_part_get_file (BeckonPart *part);
const char *beckon_part_get_file_type (BeckonPart *part);

/** Sets or, with two %NULL, removes the file of a text. */
void beckon_part_set_file (BeckonPart *part, const char *media_type, GBytes *file);

/** How long the model took for it, in microseconds: of reasoning or text that is over; else 0. Notified as `duration`. */
gint64 beckon_part_get_duration (BeckonPart *part);
void   beckon_part_set_duration (BeckonPart *part, gint64 duration);

/** Adds @length bytes, of valid UTF-8 unless it is an image, and emits `appended`. */
void beckon_part_append (BeckonPart *part, const char *text, gsize length);

G_END_DECLS
