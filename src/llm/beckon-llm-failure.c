/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-llm-failure.h"

#include "base/beckon-text-printf.h"
#include "beckon-llm-complaint.h"

#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

/* A wait that is longer than this is as good as none; it also keeps sums of it from overflowing. */
#define RETRY_MAX_MS (366 * (G_TIME_SPAN_DAY / 1000))

/* From here on the message says how long. */
#define RETRY_WORTH_SAYING_MS (60 * 1000)

/* Shorter ones are no keys, and would blot out common words. */
#define KEY_MIN_LENGTH 8

/* --- The transport ------------------------------------------------------------------------------------------------ */

GError *
beckon_llm_failure_from_silence (const char *host)
{
  return beckon_text_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL, _("%s sent an empty reply."), host);
}

GError *
beckon_llm_failure_from_stop (void)
{
  return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The request was stopped."));
}

static GError *
late_error (const char *host, BeckonHttpPhase phase, guint seconds)
{
  const int code = BECKON_LLM_ERROR_TIMEOUT;

  if (phase == BECKON_HTTP_PHASE_CONNECTING)
    return beckon_text_error_new (BECKON_LLM_ERROR, code,
                                  g_dngettext (GETTEXT_PACKAGE, "No connection to %s came about within %u second.",
                                               "No connection to %s came about within %u seconds.", seconds),
                                  host, seconds);
  if (phase == BECKON_HTTP_PHASE_WAITING)
    return beckon_text_error_new (BECKON_LLM_ERROR, code,
                                  g_dngettext (GETTEXT_PACKAGE, "%s did not begin to answer within %u second.",
                                               "%s did not begin to answer within %u seconds.", seconds),
                                  host, seconds);
  return beckon_text_error_new (BECKON_LLM_ERROR, code,
                                g_dngettext (GETTEXT_PACKAGE, "%s sent nothing more for %u second.",
                                             "%s sent nothing more for %u seconds.", seconds),
                                host, seconds);
}

static const char *
certificate_fault (GTlsCertificateFlags flags)
{
  if (flags & G_TLS_CERTIFICATE_EXPIRED)
    return _("its certificate has expired");
  if (flags & G_TLS_CERTIFICATE_NOT_ACTIVATED)
    return _("its certificate is not valid yet; is the clock of this computer right?");
  if (flags & G_TLS_CERTIFICATE_BAD_IDENTITY)
    return _("its certificate belongs to another name");
  if (flags & G_TLS_CERTIFICATE_REVOKED)
    return _("its certificate was revoked");
  if (flags & G_TLS_CERTIFICATE_UNKNOWN_CA)
    return _("its certificate is not signed by an authority that this computer trusts");
  if (flags & G_TLS_CERTIFICATE_INSECURE)
    return _("its certificate uses a method that is no longer safe");
  return NULL;
}

static GError *
tls_error (const char *host, GTlsCertificateFlags certificate, const GError *cause)
{
  const char *fault = certificate_fault (certificate);

  return beckon_text_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TLS, _("The connection to %s is not secure: %s."), host,
                                fault != NULL ? fault : cause->message);
}

static GError *
old_tls_error (const char *host)
{
  return beckon_text_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TLS, _("The connection to %s is not secure: %s."), host,
                                _("it speaks only an old version of TLS, which can be broken into"));
}

gboolean
beckon_llm_failure_is_hang_up (const GError *cause)
{
  return g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT)
      || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED)
      || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
}

static GError *
connect_error (const char *host, const GError *cause)
{
  const int code = BECKON_LLM_ERROR_CONNECT;

  if (cause->domain == G_RESOLVER_ERROR || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_HOST_NOT_FOUND))
    return beckon_text_error_new (BECKON_LLM_ERROR, code,
                                  _("The address of %s was not found. Check how it is written, and the network connection."),
                                  host);
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    return beckon_text_error_new (BECKON_LLM_ERROR, code,
                                  _("Nothing answers at %s. Check that the server is running and that the address is right."),
                                  host);
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_NETWORK_UNREACHABLE)
      || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE))
    return beckon_text_error_new (BECKON_LLM_ERROR, code, _("There is no way to %s. Check the network connection."), host);
  if (beckon_llm_failure_is_hang_up (cause))
    return beckon_text_error_new (BECKON_LLM_ERROR, code, _("%s closed the connection before it answered."), host);
  return beckon_text_error_new (BECKON_LLM_ERROR, code, _("The connection to %s failed: %s"), host, cause->message);
}

static GError *
transport_error (const char *host, GTlsCertificateFlags certificate, const GError *cause)
{
  if (cause->domain == G_TLS_ERROR)
    return tls_error (host, certificate, cause);
  if (cause->domain == SOUP_SESSION_ERROR)
    return beckon_text_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL, _("What %s answered is not HTTP: %s"), host,
                                  cause->message);
  return connect_error (host, cause);
}

GError *
beckon_llm_failure_from_outcome (const char *host, const BeckonHttpOutcome *outcome)
{
  switch (outcome->end)
    {
    case BECKON_HTTP_END_LATE:
      return late_error (host, outcome->phase, outcome->seconds);
    case BECKON_HTTP_END_OLD_TLS:
      return old_tls_error (host);
    case BECKON_HTTP_END_CANCELLED:
      return beckon_llm_failure_from_stop ();
    case BECKON_HTTP_END_UNSENT:
      return transport_error (host, outcome->certificate, outcome->error);
    case BECKON_HTTP_END_BROKEN:
      return transport_error (host, 0, outcome->error);
    case BECKON_HTTP_END_WHOLE:
    default:
      return beckon_llm_failure_from_silence (host);
    }
}

/* --- When to try again -------------------------------------------------------------------------------------------- */

/* "12", "0.5"; a negative number or anything else is no answer. */
static gint64
failure_read_number (const char *text, double unit_ms)
{
  char *end = NULL;
  double value;

  if (text == NULL || !g_ascii_isdigit (*text))
    return -1;
  value = g_ascii_strtod (text, &end) * unit_ms;
  if (end[strspn (end, " \t")] != '\0')
    return -1;
  return value < (double) RETRY_MAX_MS ? (gint64) value : RETRY_MAX_MS;
}

static gint64
read_date (const char *text, gint64 now)
{
  g_autoptr (GDateTime) date = text != NULL ? soup_date_time_new_from_http_string (text) : NULL;

  if (date == NULL)
    return -1;
  return CLAMP (g_date_time_to_unix (date) * 1000 - now / 1000, 0, RETRY_MAX_MS);
}

static gint64
find_retry_after (const BeckonLlmFailure *failure, const BeckonLlmComplaint *complaint)
{
  gint64 wait = failure_read_number (failure->retry_after_ms, 1);

  if (wait < 0)
    wait = failure_read_number (failure->retry_after, 1000);
  if (wait < 0)
    wait = read_date (failure->retry_after, failure->now);
  return wait < 0 ? complaint->retry_after_ms : wait;
}

static char *
describe_wait (gint64 wait_ms)
{
  guint minutes = (guint) ((wait_ms + 59999) / 60000);
  guint hours = (minutes + 59) / 60;

  if (minutes < 120)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Try again in %u minute.",
                                         "Try again in %u minutes.", minutes),
                            minutes);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Try again in %u hour.",
                                       "Try again in %u hours.", hours),
                          hours);
}

/* --- What it means ------------------------------------------------------------------------------------------------ */

static gboolean
has_any (const char *text, const char *const *needles)
{
  for (; text != NULL && *needles != NULL; needles++)
    if (strstr (text, *needles) != NULL)
      return TRUE;
  return FALSE;
}

/* No two say it alike. A bare 404 may as well mean the address. */
static gboolean
is_about_model (guint status, const BeckonLlmComplaint *complaint)
{
  static const char *const words[] = { "model_not_found", "model_not_available", "model_decommissioned", "invalid_model",
                                       NULL };
  static const char *const phrases[] = { "model not exist",   "not a valid model", "invalid model",  "no such model",
                                         "not found the model", "is not found for api version", "模型不存在", NULL };
  static const char *const gone[] = { "not found", "does not exist", "no longer available", "been retired",
                                      "decommissioned", NULL };
  g_autofree char *lower = complaint->message != NULL ? g_utf8_strdown (complaint->message, -1) : NULL;

  if (has_any (complaint->words, words) || has_any (lower, phrases))
    return TRUE;
  if (lower == NULL)
    return FALSE;
  /* Anthropic names it, and nothing else. */
  return g_str_has_prefix (lower, "model: ")
         || ((status == 404 || status == 410) && strstr (lower, "model") != NULL && has_any (lower, gone));
}

static void
blot_out (char *text, const char *const *phrases)
{
  for (; *phrases != NULL; phrases++)
    for (char *at = strstr (text, *phrases); at != NULL; at = strstr (at, *phrases))
      memset (at, ' ', strlen (*phrases));
}

/* No two servers say it alike, but all of them name what is measured together with a limit. What is said of the reply's length
 * or of pictures is not about the history. */
static gboolean
is_over_limit (const char *lower)
{
  static const char *const others[] = { "max_tokens", "max_completion_tokens", "max_output_tokens", "output tokens",
                                        "completion tokens", NULL };
  static const char *const measured[] = { "token", "prompt", "input length", "input is", NULL };
  static const char *const limits[] = { "exceed",    "maximum",     "max ",      "limit",     "too long", "too large",
                                        "too many", "longer than", "more than", "less than", "range of", NULL };
  static const char *const parts[] = { "image", "picture", "pdf", "audio", "schema", NULL };
  g_autofree char *text = g_strdup (lower);

  blot_out (text, others);
  return has_any (text, measured) && has_any (text, limits) && !has_any (text, parts);
}

static gboolean
is_about_context (guint status, const BeckonLlmComplaint *complaint)
{
  static const char *const words[] = { "context_length", "exceed_context", "context_window", NULL };
  static const char *const phrases[] = { "context length", "context window", "maximum context", "available context size",
                                         NULL };
  g_autofree char *lower = complaint->message != NULL ? g_utf8_strdown (complaint->message, -1) : NULL;

  return status == 413 || has_any (complaint->words, words) || has_any (lower, phrases)
         || ((status == 0 || status == 400 || status == 422) && lower != NULL && is_over_limit (lower));
}

/* As servers put it whose models read text alone. */
static gboolean
is_about_sight (const BeckonLlmComplaint *complaint)
{
  static const char *const phrases[] = { "image input",          "images are not supported", "image_url is only supported",
                                         "does not support image", "not support images",     "unknown variant `image_url`",
                                         "not a multimodal model", "does not support vision", "not support multimodal",
                                         NULL };
  g_autofree char *lower = complaint->message != NULL ? g_utf8_strdown (complaint->message, -1) : NULL;

  return has_any (lower, phrases);
}

/* Anthropic: "Invalid `signature` in `thinking` block", and that blocks of the latest reply "cannot be modified". */
static gboolean
is_about_thinking (const BeckonLlmComplaint *complaint)
{
  static const char *const faults[] = { "signature", "cannot be modified", NULL };
  static const char *const blocks[] = { "thinking` block", "thinking block", NULL };
  g_autofree char *lower = complaint->message != NULL ? g_utf8_strdown (complaint->message, -1) : NULL;

  return has_any (lower, blocks) && has_any (lower, faults);
}

/* llama-server: HTTP 503, "Loading model". */
static gboolean
is_about_loading (const BeckonLlmComplaint *complaint)
{
  static const char *const phrases[] = { "loading model", "loading the model", "model is loading", NULL };
  g_autofree char *lower = complaint->message != NULL ? g_utf8_strdown (complaint->message, -1) : NULL;

  return has_any (lower, phrases);
}

/* llama-server says HTTP 500 of what it was not started for: it is no use to ask again. */
static gboolean
is_about_start (const BeckonLlmComplaint *complaint)
{
  static const char *const phrases[] = { "requires --jinja", NULL };

  return has_any (complaint->message, phrases);
}

static BeckonLlmError
classify_by_words (const BeckonLlmComplaint *complaint)
{
  static const char *const rate[] = { "rate_limit", "ratelimit", "too_many_requests", "resource_exhausted", NULL };
  static const char *const auth[] = { "authentication", "invalid_api_key", "permission", "unauthorized", NULL };
  static const char *const server[] = { "overloaded", "server_error", "api_error", "internal", "unavailable", NULL };
  static const char *const missing[] = { "not_found", NULL };

  if (has_any (complaint->words, rate))
    return BECKON_LLM_ERROR_RATE;
  if (is_about_context (0, complaint))
    return BECKON_LLM_ERROR_CONTEXT;
  if (is_about_sight (complaint))
    return BECKON_LLM_ERROR_SIGHT;
  if (is_about_thinking (complaint))
    return BECKON_LLM_ERROR_THINKING;
  if (has_any (complaint->words, auth))
    return BECKON_LLM_ERROR_AUTH;
  if (has_any (complaint->words, server))
    return BECKON_LLM_ERROR_SERVER;
  return has_any (complaint->words, missing) ? BECKON_LLM_ERROR_NOT_FOUND : BECKON_LLM_ERROR_REJECTED;
}

static BeckonLlmError
classify (guint status, const BeckonLlmComplaint *complaint)
{
  static const char *const quota[] = { "insufficient_quota",     "insufficient_balance",    "insufficient_credit",
                                       "exceeded_current_quota", "insufficient_user_quota", "billing", NULL };
  static const char *const model[] = { "model_not_found", "model_not_available", NULL };
  /* Google says HTTP 400 of a wrong key. */
  static const char *const key[] = { "api_key_invalid", "invalid_api_key", NULL };
  /* AWS says HTTP 400 of too many requests, Google HTTP 403 of a quota that is used up for good. */
  static const char *const throttled[] = { "throttl", "too_many_requests", NULL };
  static const char *const used_up[] = { "resource_exhausted", NULL };

  if (status == 402 || has_any (complaint->words, quota) || (status == 403 && has_any (complaint->words, used_up)))
    return BECKON_LLM_ERROR_QUOTA;
  if (status < 400)
    return classify_by_words (complaint);
  if ((status == 400 || status == 404 || status == 410 || status == 422) && is_about_model (status, complaint))
    return BECKON_LLM_ERROR_MODEL;
  if (status != 401 && status != 403 && status != 429 && is_about_sight (complaint))
    return BECKON_LLM_ERROR_SIGHT;
  if (status == 400 && is_about_thinking (complaint))
    return BECKON_LLM_ERROR_THINKING;
  if (status == 404 || has_any (complaint->words, model))
    return BECKON_LLM_ERROR_NOT_FOUND;
  if (status == 401 || status == 403 || (status == 400 && has_any (complaint->words, key)))
    return BECKON_LLM_ERROR_AUTH;
  if (status == 407)
    return BECKON_LLM_ERROR_CONNECT;
  if (status == 429 || (status == 400 && has_any (complaint->words, throttled)))
    return BECKON_LLM_ERROR_RATE;
  if (is_about_context (status, complaint))
    return BECKON_LLM_ERROR_CONTEXT;
  if (status == 503 && is_about_loading (complaint))
    return BECKON_LLM_ERROR_LOADING;
  if (is_about_start (complaint))
    return BECKON_LLM_ERROR_REJECTED;
  /* A conflict, a request that came too early, a client that a gateway took for gone: all pass. */
  if (status == 408 || status == 409 || status == 425 || status == 499 || status >= 500)
    return BECKON_LLM_ERROR_SERVER;
  return BECKON_LLM_ERROR_REJECTED;
}

BeckonLlmError
beckon_llm_failure_classify (const char *body, gsize length)
{
  g_autoptr (BeckonLlmComplaint) complaint = beckon_llm_complaint_new (body, MIN (length, BECKON_LLM_FAILURE_BODY_MAX));

  return classify (complaint->status, complaint);
}

/* --- What is said ------------------------------------------------------------------------------------------------- */

static char *
failure_describe (BeckonLlmError code, const BeckonLlmFailure *failure, guint status)
{
  const char *host = failure->host;

  switch (code)
    {
    case BECKON_LLM_ERROR_AUTH:
      if (failure->key == NULL)
        return beckon_text_printf (_("%s asks for a key"), host);
      return status == 403 ? beckon_text_printf (_("%s refuses access"), host)
                           : beckon_text_printf (_("%s does not accept the key"), host);
    case BECKON_LLM_ERROR_NOT_FOUND:
      return beckon_text_printf (_("%s knows no such address or no such model"), host);
    case BECKON_LLM_ERROR_MODEL:
      return beckon_text_printf (_("%s doesn't have this model, or no longer has it"), host);
    case BECKON_LLM_ERROR_RATE:
      return beckon_text_printf (_("Rate limit reached at %s"), host);
    case BECKON_LLM_ERROR_QUOTA:
      return beckon_text_printf (_("The account at %s has no credit left"), host);
    case BECKON_LLM_ERROR_CONTEXT:
      return beckon_text_printf (_("The conversation is too long for the model at %s"), host);
    case BECKON_LLM_ERROR_SIGHT:
      return beckon_text_printf (_("The model at %s does not see pictures"), host);
    case BECKON_LLM_ERROR_SERVER:
      if (status >= 400 && status < 500 && status != 408)
        return beckon_text_printf (_("%s rejected the request"), host);
      return status == 503 || status == 529 ? beckon_text_printf (_("%s is overloaded"), host)
                                            : beckon_text_printf (_("%s has an internal problem"), host);
    case BECKON_LLM_ERROR_LOADING:
      return beckon_text_printf (_("%s is still loading the model"), host);
    case BECKON_LLM_ERROR_CONNECT:
      return beckon_text_printf (_("A proxy on the way to %s asks to sign in"), host);
    case BECKON_LLM_ERROR_THINKING:
    case BECKON_LLM_ERROR_TLS:
    case BECKON_LLM_ERROR_TIMEOUT:
    case BECKON_LLM_ERROR_REDIRECT:
    case BECKON_LLM_ERROR_PROTOCOL:
    case BECKON_LLM_ERROR_TOO_LARGE:
    case BECKON_LLM_ERROR_REJECTED:
    default:
      return beckon_text_printf (_("%s rejected the request"), host);
    }
}

/* A server, or a proxy before it, may repeat what it was sent. */
static char *
hide_key (char *text, const char *key)
{
  g_autofree char *before = text;
  g_auto (GStrv) pieces = NULL;

  if (before == NULL || key == NULL || strlen (key) < KEY_MIN_LENGTH)
    return g_steal_pointer (&before);
  pieces = g_strsplit (before, key, -1);
  return g_strjoinv ("…", pieces);
}

static char *
join_with_words_of_server (const char *what, const char *said)
{
  if (said == NULL)
    return g_strconcat (what, ".", NULL);
  /* Translators: what happened, then what the server itself says about it */
  return beckon_text_printf (_("%s: %s"), what, said);
}

/* The figures of a request that is too long, unless the server's own words have them. */
static char *
describe_figures (BeckonLlmError code, const BeckonLlmComplaint *complaint)
{
  g_autofree char *window = g_strdup_printf ("%u", complaint->window);

  if (code != BECKON_LLM_ERROR_CONTEXT || complaint->sent == 0 || complaint->window == 0
      || (complaint->message != NULL && strstr (complaint->message, window) != NULL))
    return NULL;
  /* Translators: the first number is how many tokens the request has; keep a space before and behind each number */
  return g_strdup_printf (_("It has %u tokens, and the model takes %u of them."), complaint->sent, complaint->window);
}

static GError *
compose (BeckonLlmError code, const BeckonLlmFailure *failure, const BeckonLlmComplaint *complaint, guint status,
         gint64 wait_ms)
{
  g_autofree char *what = failure_describe (code, failure, status);
  g_autofree char *numbered = status >= 400 ? g_strdup_printf ("%s (HTTP %u)", what, status) : g_strdup (what);
  g_autofree char *said = hide_key (g_strdup (complaint->message), failure->key);
  g_autofree char *message = join_with_words_of_server (numbered, said);
  g_autofree char *figures = describe_figures (code, complaint);
  g_autofree char *wait = wait_ms > RETRY_WORTH_SAYING_MS ? describe_wait (wait_ms) : NULL;

  const char *more = figures != NULL ? figures : wait;
  g_autofree char *whole = more != NULL ? beckon_text_join_sentences (message, more) : g_strdup (message);

  return g_error_new_literal (BECKON_LLM_ERROR, code, whole);
}

static GError *
redirect_error (const BeckonLlmFailure *failure)
{
  g_autofree char *shown = beckon_text_for_display (failure->location, -1, BECKON_TEXT_EXACT);
  g_autofree char *target = beckon_text_shorten (shown, 200);

  return beckon_text_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_REDIRECT,
                                _("%s sends requests on to “%s”, which is not followed. If you trust that address, enter it as "
                                  "the base URL."),
                                failure->host, target);
}

/* A good status, and yet no stream. */
static GError *
protocol_error (const BeckonLlmFailure *failure, const BeckonLlmComplaint *complaint)
{
  g_autofree char *said = hide_key (g_strdup (complaint->message), failure->key);
  g_autofree char *what = NULL;
  g_autofree char *message = NULL;

  if (complaint->is_page)
    what = beckon_text_printf (_("%s answered with a web page; the base URL is probably wrong"), failure->host);
  else
    what = beckon_text_printf (_("What %s answered is no reply"), failure->host);
  message = join_with_words_of_server (what, said);
  return g_error_new_literal (BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL, message);
}

GError *
beckon_llm_failure_to_error (const BeckonLlmFailure *failure, gint64 *retry_after_ms)
{
  g_autoptr (BeckonLlmComplaint) complaint = beckon_llm_complaint_new (failure->body, failure->length);
  guint status = failure->status;
  BeckonLlmError code;

  *retry_after_ms = -1;
  if (SOUP_STATUS_IS_REDIRECTION (status))
    return redirect_error (failure);
  if (status < 400 && failure->length == 0)
    return beckon_llm_failure_from_silence (failure->host);
  if (status < 400 && !complaint->is_error)
    return protocol_error (failure, complaint);

  if (status < 400)
    status = complaint->status;
  code = classify (status, complaint);
  if (code == BECKON_LLM_ERROR_RATE || code == BECKON_LLM_ERROR_SERVER)
    *retry_after_ms = find_retry_after (failure, complaint);
  return compose (code, failure, complaint, status, *retry_after_ms);
}
