/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "net/beckon-proxy-chooser.h"

/* Requests to this computer go to no proxy. */

static const struct
{
  const char *uri;
  const char *proxy;
} cases[] = {
  { "http://127.0.0.1:1234/v1", "direct://" },
  { "http://127.8.9.10/", "direct://" },
  { "http://localhost:11434/v1", "direct://" },
  { "https://LOCALHOST/", "direct://" },
  { "http://[::1]:8080/", "direct://" },
  { "https://api.example.org/v1", "http://proxy.example.org:3128" },
  { "http://localhost.example.org/", "http://proxy.example.org:3128" },
  { "http://127.0.0.1.example.org/", "http://proxy.example.org:3128" },
  { "http://10.0.0.1/", "http://proxy.example.org:3128" },
};

static BeckonProxyChooser *
make_chooser (void)
{
  g_autoptr (GProxyResolver) others = g_simple_proxy_resolver_new ("http://proxy.example.org:3128", NULL);

  return beckon_proxy_chooser_new (others);
}

static void
test_at_once (void)
{
  g_autoptr (BeckonProxyChooser) chooser = make_chooser ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) proxies = g_proxy_resolver_lookup (G_PROXY_RESOLVER (chooser), cases[i].uri, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (g_strv_length (proxies), ==, 1);
      g_assert_cmpstr (proxies[0], ==, cases[i].proxy);
    }
}

static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  char ***proxies = user_data;
  g_autoptr (GError) error = NULL;

  *proxies = g_proxy_resolver_lookup_finish (G_PROXY_RESOLVER (source), result, &error);
  g_assert_no_error (error);
}

static void
test_later (void)
{
  g_autoptr (BeckonProxyChooser) chooser = make_chooser ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) proxies = NULL;

      g_proxy_resolver_lookup_async (G_PROXY_RESOLVER (chooser), cases[i].uri, NULL, on_looked_up, &proxies);
      g_assert_null (proxies);
      while (proxies == NULL)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpstr (proxies[0], ==, cases[i].proxy);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/llm/proxy/at-once", test_at_once);
  g_test_add_func ("/llm/proxy/later", test_later);
  return g_test_run ();
}
