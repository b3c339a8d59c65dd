/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "net/beckon-http-exchange.h"
#include "net/beckon-llm-error.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** An error's body is read to this length; the rest of it can only be more of the same. */
#define BECKON_LLM_FAILURE_BODY_MAX (64 * 1024)

/**
 * BeckonLlmFailure:
 * @host: where the request went, as it is shown, with the port if it is not the scheme's own
 * @status: the HTTP status
 * @location: (nullable): the `Location` header
 * @retry_after: (nullable): the `Retry-After` header
 * @retry_after_ms: (nullable): the `Retry-After-Ms` header
 * @key: (nullable): the key that was sent, which must not show in a message
 * @body: (nullable): what came, not NUL-terminated
 * @length: how much of it, at most %BECKON_LLM_FAILURE_BODY_MAX
 * @now: microseconds since the epoch
 *
 * A response that is not a stream. All borrowed.
 */
typedef struct
{
  const char *host;
  guint status;
  const char *location;
  const char *retry_after;
  const char *retry_after_ms;
  const char *key;
  const char *body;
  gsize length;
  gint64 now;
} BeckonLlmFailure;

/**
 * beckon_llm_failure_to_error:
 * @failure: what came
 * @retry_after_ms: (out): how long the server asks to wait; -1 if it does not say, or if trying again makes no sense
 *
 * Reads what a server said instead of a reply. Pure.
 *
 * Returns: (transfer full): an error of %BECKON_LLM_ERROR with a translated message, which holds what the server itself
 *   said, bounded and made fit to show
 */
GError *beckon_llm_failure_to_error (const BeckonLlmFailure *failure, gint64 *retry_after_ms) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_llm_failure_classify:
 * @body: (nullable): what a server said of an error, JSON or not, not NUL-terminated
 * @length: how much of it
 *
 * Returns: what kind of error it is, by its own words alone: there was no status, because the reply had begun
 */
BeckonLlmError beckon_llm_failure_classify (const char *body, gsize length);

/**
 * beckon_llm_failure_from_outcome:
 * @host: where the request went
 * @outcome: how the exchange ended, without an answer
 *
 * Returns: (transfer full): an error of %BECKON_LLM_ERROR, or %G_IO_ERROR_CANCELLED
 */
GError *beckon_llm_failure_from_outcome (const char *host, const BeckonHttpOutcome *outcome) G_GNUC_WARN_UNUSED_RESULT;

/** The request was stopped: %G_IO_ERROR_CANCELLED. */
GError *beckon_llm_failure_from_stop (void) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @cause says no more than that the other side ended the connection. */
gboolean beckon_llm_failure_is_hang_up (const GError *cause);

/** The server ended the reply without a word. */
GError *beckon_llm_failure_from_silence (const char *host) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
