/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "net/beckon-http-exchange.h"

static void
test_old (void)
{
  g_assert_true (beckon_tls_is_old (G_TLS_PROTOCOL_VERSION_SSL_3_0));
  g_assert_true (beckon_tls_is_old (G_TLS_PROTOCOL_VERSION_TLS_1_0));
  g_assert_true (beckon_tls_is_old (G_TLS_PROTOCOL_VERSION_TLS_1_1));
  g_assert_false (beckon_tls_is_old (G_TLS_PROTOCOL_VERSION_TLS_1_2));
  g_assert_false (beckon_tls_is_old (G_TLS_PROTOCOL_VERSION_TLS_1_3));
  /* The version is unknown of a connection without TLS, or where GLib has no name for it. */
  g_assert_false (beckon_tls_is_old (G_TLS_PROTOCOL_VERSION_UNKNOWN));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/tls/old", test_old);
  return g_test_run ();
}
