/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"
#include "beckon-codec.h"
#include "domain/beckon-opaque.h"

G_BEGIN_DECLS

/* A history may hold what another provider, or a confused model, made of it: ids that repeat, names that no server
 * accepts, arguments that are no JSON. Servers refuse a request for any of these, and would refuse every later one of
 * the same conversation, so they are mended here, on the way out only. */

/** Says whether a server takes an id of a call. */
typedef gboolean (*BeckonEncodingIdFunc) (const char *id);

/** 1 to 64 of A-Z, a-z, 0-9, _ and -. */
gboolean beckon_encoding_is_plain_id (const char *id);

/**
 * beckon_encoding_choose_id:
 * @used: (element-type utf8): the ids that were chosen before, which need not be owned; @call has to outlive it
 * @call: a call
 * @accepts: which ids the server takes; ours are among them
 *
 * Returns: the provider's own id, or ours where that would not do; borrowed
 */
const char *beckon_encoding_choose_id (GHashTable *used, BeckonToolCall *call, BeckonEncodingIdFunc accepts);

/** Whether the profile's server is @host. */
gboolean beckon_encoding_is_at (BeckonProfile *profile, const char *host);

/** A member "name" with the tool's name in characters that every server takes. */
void beckon_encoding_write_name (BeckonJsonWriter *writer, const char *name);

/**
 * beckon_encoding_dup_arguments:
 * @call: a call
 *
 * Servers parse arguments, in strings as well, and refuse the whole request for what is no object.
 *
 * Returns: (transfer full): the arguments as the model wrote them if they are an object; else one that holds what it wrote
 */
char *beckon_encoding_dup_arguments (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_encoding_dup_result:
 * @call: a call
 *
 * What is hidden in a result, which a person would not see, is marked, so that a model does not take it for words of theirs.
 *
 * Returns: (transfer full): the result, or words that there is none: a request without one would be refused
 */
char *beckon_encoding_dup_result (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** The calls of a message in their order; borrowed. Caller owns the array. */
GPtrArray *beckon_encoding_list_calls (BeckonMessage *message) G_GNUC_WARN_UNUSED_RESULT;

/** %TRUE if there is nothing in @text but white space. */
gboolean beckon_encoding_is_blank (const char *text, gsize length);

/**
 * BeckonBase64:
 * @text: plain characters alone
 * @length: how many
 *
 * A file as protocols carry it.
 */
typedef struct
{
  char *text;
  gsize length;
} BeckonBase64;

/**
 * beckon_encoding_get_image:
 * @part: a part of any kind
 * @media_type: (out): what kind of image it is
 *
 * The base64 of a file is made once and kept with its part, because every request of a conversation has it again.
 *
 * Returns: (transfer none) (nullable): the image; %NULL when @part is none that models take
 */
const BeckonBase64 *beckon_encoding_get_image (BeckonPart *part, const char **media_type);

/**
 * beckon_encoding_get_pdf:
 * @part: a part of any kind
 *
 * A request holds PDFs only where its model reads them.
 *
 * Returns: (transfer none) (nullable): the PDF that is sent in place of its text; kept as an image is
 */
const BeckonBase64 *beckon_encoding_get_pdf (BeckonPart *part);

/** How many pictures of its result go along with @call: none with an error, which some servers take as text alone. */
guint beckon_encoding_count_images (BeckonToolCall *call);

/**
 * beckon_encoding_dup_images_words:
 * @calls: (element-type BeckonToolCall): the calls of one message
 *
 * For protocols in which a result is text alone, so that its pictures come behind, as a message of the person's.
 *
 * Returns: (transfer full) (nullable): what is said to the model before them; %NULL if there are none
 */
char *beckon_encoding_dup_images_words (GPtrArray *calls) G_GNUC_WARN_UNUSED_RESULT;

/** A member with an image as a data URL. */
void beckon_encoding_member_data_url (BeckonJsonWriter *writer, const char *name, const char *media_type,
                                      const BeckonBase64 *data);

/** The members of a tool that all protocols have: name, description and, called @schema_name, the schema of its arguments. */
void beckon_encoding_write_declaration (BeckonJsonWriter *writer, const BeckonToolDefinition *tool, const char *schema_name);

/** OpenRouter's web search, as the type of a tool. */
#define BECKON_ENCODING_OPENROUTER_SEARCH "openrouter:web_search"

/**
 * beckon_encoding_write_functions:
 * @writer: a writer
 * @tools: (element-type BeckonToolDefinition): the tools
 * @search: (nullable): the type of the provider's own search, which is added as a tool
 *
 * Writes a member "tools" as OpenAI's chat completions have it, which others took over; none when there are none.
 */
void beckon_encoding_write_functions (BeckonJsonWriter *writer, GPtrArray *tools, const char *search);

G_END_DECLS
