/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-schema.h"

G_BEGIN_DECLS

/**
 * BeckonFormDocument:
 * @message: why the server asks; not trusted
 * @schema: (nullable): of what is to be filled in, as JSON; %NULL for an address
 * @is_flat: @schema is of the kind that forms are made for; what is not in it may not be answered
 * @initial: (nullable): what is filled in at first: the defaults that fit, and off for what is on or off
 * @secret: (nullable): a field that looks like a secret, as people call it; not trusted
 * @secrets: (element-type utf8): names of fields for text or numbers that look like one
 * @url: (nullable): the address to open, https or http
 * @elicitation_id: (nullable): how the server calls it when it is complete
 *
 * What a server asks for, read once and strictly from the parameters of `elicitation/create`. Private to the class of requests.
 */
typedef struct
{
  char *message;
  char *schema;
  gboolean is_flat;
  char *initial;
  char *secret;
  GPtrArray *secrets;
  char *url;
  char *elicitation_id;
} BeckonFormDocument;

/** %NULL with %BECKON_ERROR_INVALID and a message in English, for the server. @params: JSON text. */
BeckonFormDocument *beckon_form_document_parse (const char *params, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_form_document_free (BeckonFormDocument *document);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFormDocument, beckon_form_document_free)

G_END_DECLS
