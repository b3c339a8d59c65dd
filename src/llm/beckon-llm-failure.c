/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-llm-failure.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>

GError *
beckon_llm_failure_from_silence (const char *host)
{
  return g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL, _("%s sent an empty reply."), host);
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
    return _("its certificate is signed by nobody this computer trusts");
  if (flags & G_TLS_CERTIFICATE_INSECURE)
    return _("its certificate uses a method that is no longer safe");
  return NULL;
}

static GError *
tls_error (const char *host, GTlsCertificateFlags certificate, const GError *cause)
{
  const char *fault = certificate_fault (certificate);

  return g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TLS, _("The connection to %s is not secure: %s."), host,
                      fault != NULL ? fault : cause->message);
}

static GError *
connect_error (const char *host, const GError *cause)
{
  const int code = BECKON_LLM_ERROR_CONNECT;

  if (cause->domain == G_RESOLVER_ERROR || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_HOST_NOT_FOUND))
    return g_error_new (BECKON_LLM_ERROR, code,
                        _("The address of %s was not found. Check the base URL and the network connection."), host);
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    return g_error_new (BECKON_LLM_ERROR, code,
                        _("Nothing answers at %s. Check that the server is running and that the base URL is right."),
                        host);
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_NETWORK_UNREACHABLE)
      || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE))
    return g_error_new (BECKON_LLM_ERROR, code, _("There is no way to %s. Check the network connection."), host);
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    return g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TIMEOUT, _("%s did not answer."), host);
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT)
      || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED)
      || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
    return g_error_new (BECKON_LLM_ERROR, code, _("%s closed the connection before it answered."), host);
  return g_error_new (BECKON_LLM_ERROR, code, _("The connection to %s failed: %s"), host, cause->message);
}

GError *
beckon_llm_failure_from_transport (const char *host, GTlsCertificateFlags certificate, const GError *cause)
{
  if (cause->domain == G_TLS_ERROR)
    return tls_error (host, certificate, cause);
  if (cause->domain == SOUP_SESSION_ERROR)
    return g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL, _("The answer of %s is not HTTP: %s"), host,
                        cause->message);
  return connect_error (host, cause);
}

GError *
beckon_llm_failure_to_error (const BeckonLlmFailure *failure, gint64 *retry_after_ms)
{
  *retry_after_ms = -1;
  return g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_REJECTED, _("%s refused the request (%u)"), failure->host,
                      failure->status);
}
