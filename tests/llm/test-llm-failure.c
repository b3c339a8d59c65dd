/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llm/beckon-llm-complaint.h"
#include "llm/beckon-llm-failure.h"

#include <libsoup/soup.h>
#include <string.h>

#define NOW (G_GINT64_CONSTANT (1780401600) * G_TIME_SPAN_SECOND)

/* Each row is something that a server may say; %NULL words are not looked for. */
typedef struct
{
  const char *name;
  guint status;
  const char *retry_after;
  const char *body;
  BeckonLlmError code;
  const char *words;
  gint64 retry_after_ms;
} Case;

static const Case cases[] = {
  { "401", 401, NULL, "{\"error\":{\"message\":\"Incorrect API key\",\"code\":\"invalid_api_key\"}}",
    BECKON_LLM_ERROR_AUTH, "does not accept the key (HTTP 401): Incorrect API key", -1 },
  { "400-key", 400, NULL,
    "{\"error\":{\"code\":400,\"message\":\"API key not valid.\",\"status\":\"INVALID_ARGUMENT\",\"details\":[{\"@type\":"
    "\"type.googleapis.com/google.rpc.ErrorInfo\",\"reason\":\"API_KEY_INVALID\"}]}}",
    BECKON_LLM_ERROR_AUTH, "does not accept the key (HTTP 400): API key not valid.", -1 },
  { "403", 403, NULL, "", BECKON_LLM_ERROR_AUTH, "host refuses access (HTTP 403).", -1 },
  { "402", 402, NULL, "{\"error\":{\"message\":\"Insufficient Balance\"}}", BECKON_LLM_ERROR_QUOTA, "no credit left", -1 },
  { "404-model", 404, NULL, "{\"error\":{\"message\":\"The model `x` does not exist\",\"code\":\"model_not_found\"}}",
    BECKON_LLM_ERROR_MODEL, "doesn't have this model, or no longer has it (HTTP 404): The model `x` does not exist", -1 },
  { "400-model", 400, NULL, "{\"error\":{\"message\":\"no x\",\"code\":\"model_not_found\"}}", BECKON_LLM_ERROR_MODEL,
    "doesn't have this model", -1 },
  { "404-string", 404, NULL, "{\"error\":\"model 'x' not found, try pulling it first\"}", BECKON_LLM_ERROR_MODEL,
    "try pulling it first", -1 },
  { "model-anthropic", 404, NULL,
    "{\"type\":\"error\",\"error\":{\"type\":\"not_found_error\",\"message\":\"model: claude-x\"}}", BECKON_LLM_ERROR_MODEL,
    "model: claude-x", -1 },
  { "model-gemini", 404, NULL,
    "{\"error\":{\"code\":404,\"message\":\"models/gemini-x is not found for API version v1beta, or is not supported for "
    "generateContent.\",\"status\":\"NOT_FOUND\"}}",
    BECKON_LLM_ERROR_MODEL, "gemini-x", -1 },
  { "model-deepseek", 400, NULL, "{\"error\":{\"message\":\"Model Not Exist\",\"type\":\"invalid_request_error\"}}",
    BECKON_LLM_ERROR_MODEL, "Model Not Exist", -1 },
  { "model-openrouter", 400, NULL, "{\"error\":{\"message\":\"x/y is not a valid model ID\",\"code\":400}}",
    BECKON_LLM_ERROR_MODEL, "not a valid model", -1 },
  { "model-moonshot", 404, NULL,
    "{\"error\":{\"message\":\"Not found the model kimi-x or Permission denied\",\"type\":\"resource_not_found_error\"}}",
    BECKON_LLM_ERROR_MODEL, "kimi-x", -1 },
  { "model-mistral", 400, NULL,
    "{\"object\":\"error\",\"message\":\"Invalid model: mistral-x\",\"type\":\"invalid_model\",\"code\":\"1500\"}",
    BECKON_LLM_ERROR_MODEL, "mistral-x", -1 },
  { "model-groq", 400, NULL,
    "{\"error\":{\"message\":\"The model `x` has been decommissioned\",\"code\":\"model_decommissioned\"}}",
    BECKON_LLM_ERROR_MODEL, "decommissioned", -1 },
  { "404-address", 404, NULL, "{\"error\":{\"message\":\"no route\"}}", BECKON_LLM_ERROR_NOT_FOUND, "no such address", -1 },
  { "400-about-models", 400, NULL, "{\"error\":{\"message\":\"temperature is not supported with this model\"}}",
    BECKON_LLM_ERROR_REJECTED, "temperature", -1 },
  { "context-code", 400, NULL, "{\"error\":{\"message\":\"too many\",\"code\":\"context_length_exceeded\"}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "context-words", 400, NULL, "{\"error\":{\"message\":\"This model's maximum context length is 8192 tokens\"}}",
    BECKON_LLM_ERROR_CONTEXT, "8192", -1 },
  { "context-500", 500, NULL, "{\"error\":{\"code\":500,\"message\":\"the request exceeds the available context size\"}}",
    BECKON_LLM_ERROR_CONTEXT, "available context size", -1 },
  { "context-figures", 400, NULL,
    "{\"error\":{\"code\":400,\"message\":\"the request exceeds the available context size.\",\"type\":"
    "\"exceed_context_size_error\",\"n_prompt_tokens\":14429,\"n_ctx\":8192}}",
    BECKON_LLM_ERROR_CONTEXT, "context size. It has 14429 tokens, and the model takes 8192 of them.", -1 },
  { "too-long-gemini", 400, NULL, "{\"error\":{\"code\":400,\"message\":\"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).\",\"status\":\"INVALID_ARGUMENT\"}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-qwen", 400, NULL, "{\"error\":{\"code\":\"invalid_parameter_error\",\"message\":\"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]\",\"type\":\"invalid_request_error\"}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-copilot", 400, NULL, "{\"error\":{\"message\":\"prompt token count of 137000 exceeds the limit of 128000\",\"code\":\"model_max_prompt_tokens_exceeded\"}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-groq413", 413, NULL, "{\"error\":{\"message\":\"Request too large for model `x` in organization `o` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size and try again.\",\"type\":\"tokens\",\"code\":\"rate_limit_exceeded\"}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-proxy413", 413, NULL, "<html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-siliconflow", 400, NULL, "{\"code\":20015,\"message\":\"length of prompt_tokens (35000) must be less than max_seq_len (32768).\",\"data\":null}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-vllm_decoder", 400, NULL, "{\"object\":\"error\",\"message\":\"The decoder prompt (length 40000) is longer than the maximum model length of 32768. Make sure that `max_model_len` is no smaller than the number of text tokens.\",\"type\":\"BadRequestError\",\"code\":400}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-cohere", 400, NULL, "{\"message\":\"too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs.\"}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-poolside", 400, NULL, "{\"error\":{\"message\":\"Input length 131393 exceeds the maximum allowed input length of 131040 tokens.\",\"code\":400}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-moretokens", 400, NULL, "{\"error\":{\"message\":\"tokens in request more than max tokens allowed\",\"type\":\"invalid_request_error\"}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-ark", 400, NULL, "{\"error\":{\"code\":\"InvalidParameter\",\"message\":\"Input length 100000 exceeds the maximum length 98304. Request id: 0\",\"type\":\"BadRequest\"}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-anthropic413", 413, NULL, "{\"type\":\"error\",\"error\":{\"type\":\"request_too_large\",\"message\":\"Request exceeds the maximum size\"}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-openai_chat", 400, NULL, "{\"error\":{\"message\":\"This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.\",\"type\":\"invalid_request_error\",\"code\":\"context_length_exceeded\"}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-anthropic1", 400, NULL, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long: 208310 tokens > 200000 maximum\"}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-bedrock", 400, NULL, "{\"message\":\"Input is too long for requested model.\"}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-mistral", 400, NULL, "{\"object\":\"error\",\"message\":\"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length\",\"type\":\"invalid_request_invalid_args\",\"code\":\"3051\"}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "too-long-ollama", 400, NULL, "{\"error\":{\"message\":\"prompt too long; exceeded max context length by 4 tokens\"}}",
    BECKON_LLM_ERROR_CONTEXT, "too long for the model", -1 },
  { "not-too-long-output", 400, NULL, "{\"error\":{\"message\":\"max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens\"}}",
    BECKON_LLM_ERROR_REJECTED, "output tokens", -1 },
  { "not-too-long-parameter", 400, NULL, "{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.\"}}",
    BECKON_LLM_ERROR_REJECTED, "instead", -1 },
  { "not-too-long-images", 400, NULL, "{\"error\":{\"message\":\"The maximum number of images in a prompt is 8.\"}}",
    BECKON_LLM_ERROR_REJECTED, "images", -1 },
  { "not-too-long-json", 400, NULL, "{\"error\":{\"message\":\"Unexpected token < in JSON at position 0\"}}",
    BECKON_LLM_ERROR_REJECTED, "position", -1 },
  { "error-and-message", 400, NULL, "{\"timestamp\":\"2026-01-01\",\"status\":400,\"error\":\"Bad Request\",\"message\":\"the field foo is wrong\",\"path\":\"/v1\"}",
    BECKON_LLM_ERROR_REJECTED, ": the field foo is wrong", -1 },
  { "inner-error", 400, NULL, "{\"error\":{\"error\":{\"message\":\"inner words\"}}}",
    BECKON_LLM_ERROR_REJECTED, ": inner words", -1 },
  { "list-of-words", 400, NULL, "{\"errors\":[\"first words\"]}",
    BECKON_LLM_ERROR_REJECTED, ": first words", -1 },
  { "bare-list-of-words", 400, NULL, "[\"first words\"]",
    BECKON_LLM_ERROR_REJECTED, ": first words", -1 },
  { "capital", 403, NULL, "{\"Message\":\"You may not call this model\"}",
    BECKON_LLM_ERROR_AUTH, ": You may not call this model", -1 },
  { "used-up", 403, NULL, "{\"error\":{\"code\":403,\"message\":\"Quota exceeded\",\"status\":\"RESOURCE_EXHAUSTED\"}}",
    BECKON_LLM_ERROR_QUOTA, "Quota exceeded", -1 },
  { "throttled", 400, NULL, "{\"__type\":\"ThrottlingException\",\"message\":\"Too many requests, please wait.\"}",
    BECKON_LLM_ERROR_RATE, "please wait", -1 },
  { "409", 409, NULL, "{\"error\":{\"message\":\"conflict\"}}",
    BECKON_LLM_ERROR_SERVER, "rejected the request (HTTP 409): conflict", -1 },
  { "425", 425, NULL, "{\"error\":{\"message\":\"too early\"}}",
    BECKON_LLM_ERROR_SERVER, "too early", -1 },
  { "499", 499, NULL, "",
    BECKON_LLM_ERROR_SERVER, "HTTP 499", -1 },
  { "sight-404", 404, NULL, "{\"error\":{\"message\":\"No endpoints found that support image input\",\"code\":404}}",
    BECKON_LLM_ERROR_SIGHT, "does not see pictures (HTTP 404)", -1 },
  { "sight-500", 500, NULL, "{\"error\":{\"code\":500,\"message\":\"image input is not supported - hint: provide the mmproj\"}}",
    BECKON_LLM_ERROR_SIGHT, "mmproj", -1 },
  { "sight-400", 400, NULL, "{\"error\":{\"message\":\"Invalid content type. image_url is only supported by certain models.\"}}",
    BECKON_LLM_ERROR_SIGHT, "certain models", -1 },
  { "thinking-400", 400, NULL, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
    "\"messages.1.content.0: Invalid `signature` in `thinking` block\"}}", BECKON_LLM_ERROR_THINKING, "signature", -1 },
  { "thinking-modified", 400, NULL, "{\"error\":{\"message\":\"messages.3.content.0: `thinking` or `redacted_thinking` blocks"
    " in the latest assistant message cannot be modified.\"}}", BECKON_LLM_ERROR_THINKING, "cannot be modified", -1 },
  { "thinking-missing", 400, NULL, "{\"error\":{\"message\":\"Expected `thinking` or `redacted_thinking`, but found `text`.\"}}",
    BECKON_LLM_ERROR_REJECTED, "Expected", -1 },
  { "picture-too-large", 400, NULL, "{\"error\":{\"message\":\"image exceeds 5 MB maximum\"}}", BECKON_LLM_ERROR_REJECTED,
    "5 MB", -1 },
  { "rejected", 422, NULL, "{\"detail\":[{\"loc\":[\"body\"],\"msg\":\"field required\",\"type\":\"missing\"}]}",
    BECKON_LLM_ERROR_REJECTED, "rejected the request (HTTP 422): field required", -1 },
  { "rate", 429, NULL, "{\"error\":{\"message\":\"slow down\",\"type\":\"rate_limit_error\"}}", BECKON_LLM_ERROR_RATE,
    "slow down", -1 },
  { "rate-day-words", 429, "86400", "{\"error\":{\"message\":\"slow down\",\"type\":\"rate_limit_error\"}}",
    BECKON_LLM_ERROR_RATE, "slow down. Try again in 24 hours.", 86400000 },
  { "rate-seconds", 429, "12", "", BECKON_LLM_ERROR_RATE, "Rate limit reached", 12000 },
  { "rate-fraction", 429, "1.5", "", BECKON_LLM_ERROR_RATE, "Rate limit", 1500 },
  { "rate-zero", 429, "0", "", BECKON_LLM_ERROR_RATE, "Rate limit", 0 },
  { "rate-negative", 429, "-1", "", BECKON_LLM_ERROR_RATE, "Rate limit", -1 },
  { "rate-junk", 429, "soon", "", BECKON_LLM_ERROR_RATE, "Rate limit", -1 },
  { "rate-number-and-junk", 429, "12 parsecs", "", BECKON_LLM_ERROR_RATE, "Rate limit", -1 },
  { "rate-date", 429, "Tue, 02 Jun 2026 12:00:30 GMT", "", BECKON_LLM_ERROR_RATE, "Rate limit", 30000 },
  { "rate-past-date", 429, "Mon, 01 Jun 2026 12:00:30 GMT", "", BECKON_LLM_ERROR_RATE, "Rate limit", 0 },
  { "rate-day", 429, "86400", "", BECKON_LLM_ERROR_RATE, "Try again in 24 hours.", 86400000 },
  { "rate-minutes", 429, "61", "", BECKON_LLM_ERROR_RATE, "Try again in 2 minutes.", 61000 },
  { "rate-huge", 429, "99999999999999999999999999", "", BECKON_LLM_ERROR_RATE, "Rate limit",
    G_GINT64_CONSTANT (366) * 86400 * 1000 },
  { "rate-in-body", 429, NULL,
    "{\"error\":{\"code\":429,\"message\":\"quota\",\"status\":\"RESOURCE_EXHAUSTED\",\"details\":[{\"@type\":"
    "\"type.googleapis.com/google.rpc.QuotaFailure\"},{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\","
    "\"retryDelay\":\"48.9s\"}]}}",
    BECKON_LLM_ERROR_RATE, "quota", 48900 },
  { "quota", 429, "5", "{\"error\":{\"message\":\"You exceeded your current quota\",\"type\":\"insufficient_quota\"}}",
    BECKON_LLM_ERROR_QUOTA, "no credit left", -1 },
  { "503 loading", 503, NULL, "{\"error\":{\"message\":\"Loading model\",\"type\":\"unavailable_error\",\"code\":503}}",
    BECKON_LLM_ERROR_LOADING, "is still loading the model (HTTP 503): Loading model", -1 },
  { "500 without jinja", 500, NULL,
    "{\"error\":{\"code\":500,\"message\":\"tools param requires --jinja flag\",\"type\":\"server_error\"}}",
    BECKON_LLM_ERROR_REJECTED, "tools param requires --jinja flag", -1 },
  { "503", 503, "7", "", BECKON_LLM_ERROR_SERVER, "is overloaded (HTTP 503).", 7000 },
  { "529", 529, NULL, "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
    BECKON_LLM_ERROR_SERVER, "Overloaded", -1 },
  { "502-page", 502, NULL, "<html><head><TITLE>\n502 Bad\tGateway</title></head><body>x</body></html>",
    BECKON_LLM_ERROR_SERVER, "(HTTP 502): 502 Bad Gateway", -1 },
  { "500-text", 500, NULL, "upstream connect error\n", BECKON_LLM_ERROR_SERVER, ": upstream connect error", -1 },
  { "401-no-retry", 401, "3", "", BECKON_LLM_ERROR_AUTH, "key", -1 },
  { "407", 407, NULL, "", BECKON_LLM_ERROR_CONNECT, "proxy", -1 },
  { "418", 418, NULL, "{", BECKON_LLM_ERROR_REJECTED, "HTTP 418", -1 },
  { "200-page", 200, NULL, "  <!doctype html><title>Log in</title>", BECKON_LLM_ERROR_PROTOCOL,
    "web page; the base URL is probably wrong: Log in", -1 },
  { "200-error", 200, NULL, "{\"error\":{\"code\":429,\"message\":\"Rate limited upstream\"}}", BECKON_LLM_ERROR_RATE,
    "(HTTP 429): Rate limited upstream", -1 },
  { "200-error-type", 200, NULL, "{\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}",
    BECKON_LLM_ERROR_SERVER, "internal problem: busy", -1 },
  { "200-error-plain", 200, NULL, "{\"error\":\"nope\"}", BECKON_LLM_ERROR_REJECTED, "rejected the request: nope", -1 },
  { "200-reply", 200, NULL, "{\"object\":\"chat.completion\",\"choices\":[{\"message\":{\"content\":\"Hi\"}}]}",
    BECKON_LLM_ERROR_PROTOCOL, "is no reply", -1 },
  { "200-other", 200, NULL, "[1,2]", BECKON_LLM_ERROR_PROTOCOL, "is no reply", -1 },
  { "204", 204, NULL, "", BECKON_LLM_ERROR_PROTOCOL, "host sent an empty reply.", -1 },
  { "wrapped", 400, NULL,
    "{\"error\":{\"message\":\"Provider returned error\",\"code\":400,\"metadata\":{\"raw\":\"bad tool\"}}}",
    BECKON_LLM_ERROR_REJECTED, "Provider returned error bad tool", -1 },
};

static void
test_case (gconstpointer data)
{
  const Case *a_case = data;
  BeckonLlmFailure failure = {
    .host = "host",
    .status = a_case->status,
    .retry_after = a_case->retry_after,
    .key = "sk-1234567890",
    .body = a_case->body,
    .length = strlen (a_case->body),
    .now = NOW,
  };
  gint64 retry_after_ms = 42;
  g_autoptr (GError) error = beckon_llm_failure_to_error (&failure, &retry_after_ms);

  g_assert_error (error, BECKON_LLM_ERROR, (int) a_case->code);
  if (strstr (error->message, a_case->words) == NULL)
    g_error ("“%s” does not say “%s”", error->message, a_case->words);
  g_assert_cmpint (retry_after_ms, ==, a_case->retry_after_ms);
}

static void
test_milliseconds (void)
{
  BeckonLlmFailure failure = { .host = "host", .status = 429, .retry_after = "9", .retry_after_ms = "250", .now = NOW };
  gint64 retry_after_ms;
  g_autoptr (GError) error = beckon_llm_failure_to_error (&failure, &retry_after_ms);

  g_assert_error (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_RATE);
  g_assert_cmpint (retry_after_ms, ==, 250);
}

static void
test_redirect (void)
{
  BeckonLlmFailure failure = { .host = "host", .status = 302, .location = "https://evil.example/\nx\xe2\x80\xae", .now = NOW };
  gint64 retry_after_ms;
  g_autoptr (GError) error = beckon_llm_failure_to_error (&failure, &retry_after_ms);

  g_assert_error (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_REDIRECT);
  g_assert_nonnull (strstr (error->message, "evil.example"));
  g_assert_null (strchr (error->message, '\n'));
  g_assert_null (strstr (error->message, "\xe2\x80\xae"));
}

/* A server's words may hold the key, control characters, bytes that are no text, and any amount of them. */
static void
test_made_safe (void)
{
  g_autofree char *long_text = g_strnfill (60000, 'x');
  g_autofree char *body = g_strdup_printf ("no key sk-1234567890 here\x1b[31m\xff %s", long_text);
  BeckonLlmFailure failure
      = { .host = "host", .status = 401, .key = "sk-1234567890", .body = body, .length = strlen (body), .now = NOW };
  gint64 retry_after_ms;
  g_autoptr (GError) error = beckon_llm_failure_to_error (&failure, &retry_after_ms);

  g_assert_error (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_AUTH);
  g_assert_nonnull (strstr (error->message, "no key … here"));
  g_assert_null (strchr (error->message, '\x1b'));
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpuint (strlen (error->message), <, 2000);
}

static void
test_no_key (void)
{
  BeckonLlmFailure failure = { .host = "host", .status = 401, .now = NOW };
  gint64 retry_after_ms;
  g_autoptr (GError) error = beckon_llm_failure_to_error (&failure, &retry_after_ms);

  g_assert_error (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_AUTH);
  g_assert_nonnull (strstr (error->message, "host asks for a key"));
}

static void
test_depth (void)
{
  g_autofree char *deep = g_strnfill (60000, '[');
  g_autoptr (BeckonLlmComplaint) complaint = beckon_llm_complaint_new (deep, strlen (deep));

  g_assert_false (complaint->is_error);
  g_assert_nonnull (complaint->message);
  g_assert_cmpuint (strlen (complaint->message), <, 1000);
}

/* Every beginning of a body that is cut is read as something. */
static void
test_cut_anywhere (void)
{
  const char *body = "{\"error\":{\"message\":\"Gr\xc3\xbc\xc3\x9f\x65\",\"code\":429,\"details\":[{\"retryDelay\":\"4s\"}]}}";

  for (gsize length = 0; length <= strlen (body); length++)
    {
      g_autofree char *cut = g_memdup2 (body, length);
      g_autoptr (BeckonLlmComplaint) complaint = beckon_llm_complaint_new (cut, length);

      g_assert_true (complaint->message == NULL || g_utf8_validate (complaint->message, -1, NULL));
      g_assert_true (complaint->is_error == (length == strlen (body)));
    }
}

static GError *
fail_unsent (GTlsCertificateFlags certificate, const GError *cause)
{
  const BeckonHttpOutcome outcome = { .end = BECKON_HTTP_END_UNSENT, .certificate = certificate, .error = cause };

  return beckon_llm_failure_from_outcome ("host:1", &outcome);
}

static void
test_transport (void)
{
  g_autoptr (GError) refused = g_error_new (G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED, "cause");
  g_autoptr (GError) dns = g_error_new (G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND, "cause");
  g_autoptr (GError) tls = g_error_new (G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE, "cause");
  g_autoptr (GError) junk = g_error_new (SOUP_SESSION_ERROR, SOUP_SESSION_ERROR_PARSING, "cause");
  g_autoptr (GError) a = fail_unsent (0, refused);
  g_autoptr (GError) b = fail_unsent (0, dns);
  g_autoptr (GError) c = fail_unsent (G_TLS_CERTIFICATE_BAD_IDENTITY, tls);
  g_autoptr (GError) d = fail_unsent (0, tls);
  g_autoptr (GError) e = fail_unsent (0, junk);

  g_assert_error (a, BECKON_LLM_ERROR, BECKON_LLM_ERROR_CONNECT);
  g_assert_nonnull (strstr (a->message, "Nothing answers at host:1"));
  g_assert_error (b, BECKON_LLM_ERROR, BECKON_LLM_ERROR_CONNECT);
  g_assert_nonnull (strstr (b->message, "The address of host:1 was not found"));
  g_assert_error (c, BECKON_LLM_ERROR, BECKON_LLM_ERROR_TLS);
  g_assert_nonnull (strstr (c->message, "belongs to another name"));
  g_assert_error (d, BECKON_LLM_ERROR, BECKON_LLM_ERROR_TLS);
  g_assert_nonnull (strstr (d->message, "cause"));
  g_assert_error (e, BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL);
}

static void
test_recorded (void)
{
  const char *fixtures = g_getenv ("BECKON_FIXTURES");
  g_autofree char *path = fixtures != NULL
                              ? g_build_filename (fixtures, "streams", "58-err-gemini-429-retryinfo.json", NULL)
                              : NULL;
  g_autofree char *body = NULL;
  gsize length = 0;
  gint64 retry_after_ms;
  g_autoptr (GError) error = NULL;

  if (path == NULL || !g_file_get_contents (path, &body, &length, NULL))
    {
      g_test_skip ("no fixtures");
      return;
    }
  error = beckon_llm_failure_to_error (
      &(BeckonLlmFailure) { .host = "host", .status = 429, .body = body, .length = length, .now = NOW }, &retry_after_ms);
  g_assert_error (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_RATE);
  g_assert_cmpint (retry_after_ms, >, 0);
  g_assert_cmpint (retry_after_ms, <, 60000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/llm/failure/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/llm/failure/milliseconds", test_milliseconds);
  g_test_add_func ("/llm/failure/redirect", test_redirect);
  g_test_add_func ("/llm/failure/made-safe", test_made_safe);
  g_test_add_func ("/llm/failure/no-key", test_no_key);
  g_test_add_func ("/llm/failure/depth", test_depth);
  g_test_add_func ("/llm/failure/cut-anywhere", test_cut_anywhere);
  g_test_add_func ("/llm/failure/transport", test_transport);
  g_test_add_func ("/faults/D/58-recorded", test_recorded);
  return g_test_run ();
}
