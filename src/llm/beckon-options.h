/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"
#include "domain/beckon-profile.h"

G_BEGIN_DECLS

/**
 * BeckonOptions:
 *
 * What a profile adds to a request's body: the options that have a field of their own, and the members of its extra body.
 * Where both name the same member the extra body has the last word, so that no name is written twice. Made on the stack.
 */
typedef struct
{
  BeckonJsonWriter *writer;
  BeckonProfile *profile;
  JsonObject *extra;      /* (nullable): its members that are not written yet */
  JsonObject *whole;      /* (nullable) */
  const char *inner_name; /* (nullable): the object that is open */
} BeckonOptions;

void beckon_options_init (BeckonOptions *options, BeckonJsonWriter *writer, BeckonProfile *profile);

/** %TRUE if the extra body has this member, which then must not be written. */
gboolean beckon_options_replaces (const BeckonOptions *options, const char *name);

/** %TRUE if the extra body has this member and it is no object, so that nothing can be added to it. */
gboolean beckon_options_replaces_object (const BeckonOptions *options, const char *name);

/** Writes the temperature under this name if there is one, at most @max. */
void beckon_options_write_temperature (BeckonOptions *options, const char *name, double max);

/** Writes the limit of a reply, or @otherwise if none was set; nothing for 0. */
void beckon_options_write_limit (BeckonOptions *options, const char *name, gint64 otherwise);

/** Writes the key by which OpenAI finds what it has read before, for its own servers: others may refuse what they don't know.
 *  https://developers.openai.com/api/docs/guides/prompt-caching.md */
void beckon_options_write_cache_key (BeckonOptions *options, const char *key);

/**
 * beckon_options_begin_object:
 * @options: options
 * @name: a member that is an object
 *
 * From here to beckon_options_end_object() the extra body is what it has under @name. An empty object is fine for servers
 * that know the member.
 */
void beckon_options_begin_object (BeckonOptions *options, const char *name);

/** Writes what is left of that object and ends it. */
void beckon_options_end_object (BeckonOptions *options);

/** Writes what is left of the extra body; the options cannot be used any more. */
void beckon_options_finish (BeckonOptions *options);

G_END_DECLS
