/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-origin.h"

/* A server has one origin, however its address is written; another scheme, host or port is another server. */
static void
test_origin (void)
{
  static const struct
  {
    const char *uri;
    const char *origin;
  } cases[] = {
    { "https://api.example.com", "https://api.example.com:443" },
    { "https://API.Example.com/v1/models?a=b#c", "https://api.example.com:443" },
    { "HTTPS://api.example.com:443/", "https://api.example.com:443" },
    { "http://api.example.com", "http://api.example.com:80" },
    { "https://api.example.com:8443/v1", "https://api.example.com:8443" },
    { "https://ada:secret@api.example.com/", "https://api.example.com:443" },
    { "http://[::1]:11434/api", "http://::1:11434" },
    { "ftp://api.example.com/", NULL },
    { "file:///etc/passwd", NULL },
    { "https:///v1", NULL },
    { "https://", NULL },
    { "api.example.com", NULL },
    { "/v1/models", NULL },
    { "", NULL },
    { NULL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *origin = beckon_uri_dup_origin (cases[i].uri);

      g_test_message ("%s", cases[i].uri);
      g_assert_cmpstr (origin, ==, cases[i].origin);
      g_assert_cmpint (beckon_uri_same_origin (cases[i].uri, cases[i].uri), ==, origin != NULL);
    }
  g_assert_true (beckon_uri_same_origin ("https://A.example/1", "https://a.example:443/2"));
  g_assert_false (beckon_uri_same_origin ("https://a.example", "http://a.example"));
  g_assert_false (beckon_uri_same_origin ("https://a.example", "https://a.example.evil.example"));
  g_assert_false (beckon_uri_same_origin ("https://a.example", "https://a.example@evil.example"));
  g_assert_false (beckon_uri_same_origin ("https://a.example", NULL));
  g_assert_false (beckon_uri_same_origin (NULL, NULL));
}

static void
test_loopback (void)
{
  static const char *const own[] = { "http://localhost/", "http://LOCALHOST:8080", "http://127.0.0.1", "http://127.9.9.9:1/",
                                     "http://[::1]/" };
  static const char *const others[] = { "http://localhost.example/", "http://127.0.0.1.example/", "http://10.0.0.1/",
                                        "http://[::2]/",  "http://0.0.0.0/", "localhost", "", NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (own); i++)
    g_assert_true (beckon_uri_is_loopback (own[i]));
  for (gsize i = 0; others[i] != NULL; i++)
    g_assert_false (beckon_uri_is_loopback (others[i]));
  g_assert_false (beckon_uri_is_loopback (NULL));
}

/* The local network by its names and addresses, up to the last one of each range. */
static void
test_local (void)
{
  static const char *const local[] = { "localhost", "printer",     "nas.local",      "NAS.LOCAL",   "a.localhost", "router.lan",
                                       "a.home.arpa", "a.internal", "127.0.0.1",     "10.0.0.0",    "10.255.255.255",
                                       "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.1.1", "::1",
                                       "fc00::1", "fdff::1", "fe80::1", "127.1", "10.1", "192.168.257" };
  static const char *const remote[] = { "example.com", "local.example.com", "notlocal.example", "9.255.255.255", "11.0.0.0",
                                        "172.15.255.255", "172.32.0.0", "192.167.1.1", "192.169.1.1", "8.8.8.8", "8.513",
                                        "2001:db8::1", "fbff::1", "fe00::1", "" };

  for (gsize i = 0; i < G_N_ELEMENTS (local); i++)
    {
      g_test_message ("%s", local[i]);
      g_assert_true (beckon_host_is_local (local[i]));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (remote); i++)
    {
      g_test_message ("%s", remote[i]);
      g_assert_false (beckon_host_is_local (remote[i]));
    }
  g_assert_false (beckon_host_is_local (NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/addresses/origin", test_origin);
  g_test_add_func ("/base/addresses/loopback", test_loopback);
  g_test_add_func ("/base/addresses/local", test_local);
  return g_test_run ();
}
