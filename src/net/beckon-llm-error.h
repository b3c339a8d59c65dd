/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define BECKON_LLM_ERROR (beckon_llm_error_quark ())
GQuark beckon_llm_error_quark (void);

/**
 * BeckonLlmError:
 * @BECKON_LLM_ERROR_CONNECT: the server could not be reached
 * @BECKON_LLM_ERROR_TLS: the connection is not to be trusted
 * @BECKON_LLM_ERROR_TIMEOUT: connect, first byte or idle time is over; the message says which
 * @BECKON_LLM_ERROR_AUTH: 401 or 403
 * @BECKON_LLM_ERROR_NOT_FOUND: 404: wrong address or unknown model
 * @BECKON_LLM_ERROR_MODEL: the server says that it does not have the model, or not any more
 * @BECKON_LLM_ERROR_RATE: 429; to be tried again after a while
 * @BECKON_LLM_ERROR_QUOTA: the account has no credit left
 * @BECKON_LLM_ERROR_CONTEXT: the history is too long for the model
 * @BECKON_LLM_ERROR_SIGHT: the model does not take pictures, and was sent one
 * @BECKON_LLM_ERROR_THINKING: thinking blocks were sent that the server does not take back
 * @BECKON_LLM_ERROR_SERVER: 5xx
 * @BECKON_LLM_ERROR_LOADING: the server is reading the model from its disk; to be tried again, for minutes
 * @BECKON_LLM_ERROR_REDIRECT: the server sends us elsewhere, which is refused
 * @BECKON_LLM_ERROR_PROTOCOL: what came is not what the protocol says (an HTML page, an empty reply)
 * @BECKON_LLM_ERROR_TOO_LARGE: a cap was exceeded
 * @BECKON_LLM_ERROR_REJECTED: any other 4xx; the message is the server's
 *
 * Why a round failed. Messages are translated and fit to show. Cancelling is %G_IO_ERROR_CANCELLED.
 */
typedef enum
{
  BECKON_LLM_ERROR_CONNECT,
  BECKON_LLM_ERROR_TLS,
  BECKON_LLM_ERROR_TIMEOUT,
  BECKON_LLM_ERROR_AUTH,
  BECKON_LLM_ERROR_NOT_FOUND,
  BECKON_LLM_ERROR_MODEL,
  BECKON_LLM_ERROR_RATE,
  BECKON_LLM_ERROR_QUOTA,
  BECKON_LLM_ERROR_CONTEXT,
  BECKON_LLM_ERROR_SIGHT,
  BECKON_LLM_ERROR_THINKING,
  BECKON_LLM_ERROR_SERVER,
  BECKON_LLM_ERROR_LOADING,
  BECKON_LLM_ERROR_REDIRECT,
  BECKON_LLM_ERROR_PROTOCOL,
  BECKON_LLM_ERROR_TOO_LARGE,
  BECKON_LLM_ERROR_REJECTED,
} BeckonLlmError;

G_END_DECLS
