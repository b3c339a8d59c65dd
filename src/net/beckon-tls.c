/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tls.h"

gboolean
beckon_tls_is_old (GTlsProtocolVersion version)
{
  return version > G_TLS_PROTOCOL_VERSION_UNKNOWN && version < G_TLS_PROTOCOL_VERSION_TLS_1_2;
}
