/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fetch_url and web_search against a real server on this computer, which only the setting lets them reach. */

#include "base/beckon-error.h"
#include "beckon-made-pdf.h"
#include "beckon-tls-front.h"
#include "net/beckon-public-address.h"
#include "net/beckon-web-get.h"
#include "tool-runner.h"
#include "tools/beckon-html-text.h"

#include <libsoup/soup.h>
#include <string.h>

typedef struct
{
  ToolRunner runner;
  SoupServer *server;
  guint port;
  guint n_asked;
  char *query; /* of the last request */
} Fixture;

static const char page[] =
  "<!doctype html><html><head><title> A  page </title><style>p { color: red }</style><script>alert (1)</script></head>"
  "<body><nav><a href='/'>Home</a></nav><h1>Head</h1><p>Some <b>bold</b>\n  words &amp; a <a href=\"sub?x=1\">link</a>.</p>"
  "<ul><li>one<li>two</ul><pre>  kept\n    as it is</pre><table><tr><td>a</td><td>b</td></tr></table>"
  "<a href='javascript:alert(1)'>trap</a><img src=x alt='a picture'></body></html>";

static void
answer (SoupServerMessage *message, const char *type, const char *body, gsize length)
{
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_server_message_set_response (message, type, SOUP_MEMORY_COPY, body, length);
}

static void
redirect (SoupServerMessage *message, const char *to)
{
  soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, to);
}

static char *
build_long (const char *begin, const char *end)
{
  g_autofree char *middle = g_strnfill (1024 * 1024, 'x');

  return g_strconcat (begin, middle, end, NULL);
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer user_data)
{
  Fixture *fixture = user_data;
  g_autofree char *self = g_strdup_printf ("http://127.0.0.1:%u/loop", fixture->port);

  fixture->n_asked++;
  g_free (fixture->query);
  fixture->query = query != NULL ? g_strdup (g_hash_table_lookup (query, "q")) : NULL;
  if (g_str_equal (path, "/page"))
    answer (message, "text/html", page, strlen (page));
  else if (g_str_equal (path, "/plain"))
    answer (message, "text/plain; charset=iso-8859-1", "caf\xe9", 4);
  else if (g_str_equal (path, "/json"))
    answer (message, "application/json", "{\"a\":1}", 7);
  else if (g_str_equal (path, "/picture"))
    answer (message, "image/png", "\x89PNG", 4);
  else if (g_str_equal (path, "/report"))
    {
      g_autofree char *pdf = beckon_made_pdf ("(The number is 17)", BECKON_MADE_PDF_LATIN);

      answer (message, "application/pdf", pdf, strlen (pdf));
    }
  else if (g_str_equal (path, "/liar"))
    answer (message, "text/plain", "a\0b", 3);
  else if (g_str_equal (path, "/moved"))
    redirect (message, "/page");
  else if (g_str_equal (path, "/loop"))
    redirect (message, self);
  else if (g_str_equal (path, "/elsewhere"))
    redirect (message, "http://example.org/there");
  else if (g_str_equal (path, "/file"))
    redirect (message, "file:///etc/passwd");
  else if (g_str_equal (path, "/huge"))
    {
      g_autofree char *body = g_strnfill (6 * 1024 * 1024, 'x');

      answer (message, "text/plain", body, strlen (body));
    }
  else if (g_str_equal (path, "/titled"))
    {
      g_autofree char *body = build_long ("<title>", "</title><p>Short");

      answer (message, "text/html", body, strlen (body));
    }
  else if (g_str_equal (path, "/search"))
    {
      g_autofree char *body
          = build_long ("{\"results\":[{\"title\":\"First\",\"url\":\"https://one.example/\",\"content\":\"Words\"},"
                        "{\"title\":\"No address\"},{\"title\":\"Long\",\"url\":\"https://long.example/",
                        "\"},{\"url\":\"https://two.example/\"}]}");

      answer (message, "application/json", body, strlen (body));
    }
  else
    soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoslist (GUri) uris = NULL;

  tool_runner_set_up (&fixture->runner);
  fixture->server = g_object_new (SOUP_TYPE_SERVER, NULL);
  soup_server_listen_local (fixture->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  uris = soup_server_get_uris (fixture->server);
  fixture->port = (guint) g_uri_get_port (uris->data);
  soup_server_add_handler (fixture->server, NULL, on_request, fixture, NULL);
  beckon_tool_registry_set_web (fixture->runner.registry, TRUE, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  soup_server_disconnect (fixture->server);
  g_object_unref (fixture->server);
  tool_runner_tear_down (&fixture->runner);
  g_free (fixture->query);
}

static char *
arguments_for (Fixture *fixture, const char *path)
{
  return g_strdup_printf ("{'url':'http://127.0.0.1:%u%s'}", fixture->port, path);
}

#define expect(fixture, path, ...)                                                                                      \
  G_STMT_START                                                                                                          \
  {                                                                                                                     \
    g_autofree char *arguments = arguments_for (fixture, path);                                                         \
    tool_runner_expect (&(fixture)->runner, "fetch_url", arguments, __VA_ARGS__, NULL);                                 \
  }                                                                                                                     \
  G_STMT_END

static void
expect_error (Fixture *fixture, const char *path, int code, const char *words)
{
  g_autofree char *arguments = arguments_for (fixture, path);

  tool_runner_expect_error (&fixture->runner, "fetch_url", arguments, code, words);
}

static void
test_pages (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_strdup_printf ("Some bold words & a [link](http://127.0.0.1:%u/sub?x=1).", fixture->port);

  expect (fixture, "/page", "Title: A  page\n", "# Head\n", link, "- one\n- two\n", "  kept\n    as it is", "a | b",
          "[image: a picture]");
  expect (fixture, "/plain", "café");
  expect (fixture, "/json", "{\"a\":1}");
#ifdef HAS_PDF
  expect (fixture, "/report", "[Page 1]\nThe number is 17");
#endif
  expect (fixture, "/moved", "/page\nTitle:");
  expect_error (fixture, "/none", BECKON_ERROR_UNAVAILABLE, "status 404");
  expect_error (fixture, "/picture", BECKON_ERROR_INVALID, "image/png");
  expect_error (fixture, "/liar", BECKON_ERROR_INVALID, "no text");
}

/* Pages lose their scripts, their styles, and addresses that do something. */
static void
test_dropped (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (page, sizeof page - 1);
  g_autofree char *text = beckon_html_text_read (bytes, NULL, "https://example.org/", NULL);
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (GBytes) deep_bytes = NULL;
  g_autofree char *deep_text = NULL;

  g_assert_null (strstr (text, "alert"));
  g_assert_null (strstr (text, "color"));
  g_assert_nonnull (strstr (text, "trap"));

  for (guint i = 0; i < 20000; i++)
    g_string_append (deep, "<div>");
  g_string_append (deep, "down");
  deep_bytes = g_bytes_new (deep->str, deep->len);
  deep_text = beckon_html_text_read (deep_bytes, NULL, "https://example.org/", NULL);
  g_assert_nonnull (deep_text);
}

static void
test_huge (Fixture *fixture, gconstpointer data)
{
  g_autofree char *arguments = arguments_for (fixture, "/huge");
  g_autofree char *result = tool_runner_run (&fixture->runner, "fetch_url", arguments, NULL, NULL);

  g_assert_cmpuint (strlen (result), <, 70 * 1024);
  g_assert_nonnull (strstr (result, "read_file with path output:1"));
  g_assert_nonnull (strstr (result, "longer than what is read"));
  tool_runner_expect (&fixture->runner, "read_file", "{'path':'output:1','byte_offset':5242879}", "x", NULL);
}

static void
test_titled (Fixture *fixture, gconstpointer data)
{
  g_autofree char *arguments = arguments_for (fixture, "/titled");
  g_autofree char *result = tool_runner_run (&fixture->runner, "fetch_url", arguments, NULL, NULL);

  g_assert_nonnull (strstr (result, "Title: xxxx"));
  g_assert_true (g_str_has_suffix (result, "Short"));
  g_assert_cmpuint (strlen (result), <, 1024);
}

/* Each redirect is looked at: another host is another decision, and there is an end. */
static void
test_redirects (Fixture *fixture, gconstpointer data)
{
  expect (fixture, "/elsewhere", "redirects to another place: http://example.org/there");
  expect_error (fixture, "/file", BECKON_ERROR_INVALID, "Only http and https");
  fixture->n_asked = 0;
  expect_error (fixture, "/loop", BECKON_ERROR_INVALID, "again and again");
  g_assert_cmpuint (fixture->n_asked, ==, BECKON_WEB_GET_MAX_REDIRECTS + 1);
}

/* This computer and its network are not asked, by whatever name. */
static void
test_private (Fixture *fixture, gconstpointer data)
{
  static const char *const urls[] = {
    "http://127.0.0.1:%u/page", "http://localhost:%u/page",  "http://[::1]:%u/page",      "http://0.0.0.0:%u/page",
    "http://x.localhost:%u/",   "http://[::ffff:127.0.0.1]:%u/", "http://2130706433:%u/", "http://127.1:%u/page",
    "http://169.254.169.254:%u/latest/meta-data", "http://192.168.1.1:%u/", "http://10.0.0.1:%u/", "http://[fe80::1]:%u/",
    "http://[64:ff9b::7f00:1]:%u/", "http://0x7f000001:%u/", "http://017700000001:%u/", "http://127.0.0.1.:%u/page",
  };

  beckon_tool_registry_set_web (fixture->runner.registry, FALSE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (urls); i++)
    {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      g_autofree char *url = g_strdup_printf (urls[i], fixture->port);
#pragma GCC diagnostic pop
      g_autofree char *arguments = g_strdup_printf ("{'url':'%s'}", url);
      g_autoptr (GError) error = NULL;

      g_assert_null (tool_runner_run (&fixture->runner, "fetch_url", arguments, NULL, &error));
      g_test_message ("%s: %s", url, error->message);
    }
  g_assert_cmpuint (fixture->n_asked, ==, 0);
}

/* A name is only known when it is connected: what it leads to then is looked at, in the very connection. */
static void
test_resolved (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSocketConnectable) address = beckon_public_address_new ("localhost", (guint16) fixture->port);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (g_socket_client_connect (client, address, NULL, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "own computer or network"));
  g_assert_nonnull (strstr (error->message, "run_command with local_network does; the user is asked."));
}

static void
test_addresses (void)
{
  static const struct
  {
    const char *address;
    gboolean is_public;
  } cases[] = {
    { "93.184.216.34", TRUE },  { "8.8.8.8", TRUE },          { "2606:4700:4700::1111", TRUE }, { "127.0.0.53", FALSE },
    { "10.1.2.3", FALSE },      { "172.31.255.255", FALSE },  { "172.32.0.1", TRUE },           { "192.168.0.1", FALSE },
    { "169.254.169.254", FALSE }, { "100.64.0.1", FALSE },    { "0.0.0.0", FALSE },             { "255.255.255.255", FALSE },
    { "224.0.0.1", FALSE },     { "::1", FALSE },             { "::", FALSE },                  { "fe80::1", FALSE },
    { "fd00::1", FALSE },       { "::ffff:10.0.0.1", FALSE }, { "::ffff:8.8.8.8", TRUE },       { "64:ff9b::a00:1", FALSE },
    { "2002:7f00:1::", FALSE }, { "2002:808:808::", TRUE },   { "ff02::1", FALSE },             { "198.18.0.1", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GInetAddress) address = g_inet_address_new_from_string (cases[i].address);

      if (beckon_public_address_is_public (address) != cases[i].is_public)
        g_error ("%s", cases[i].address);
    }
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const char *const urls[] = { "ftp://example.org/", "file:///etc/passwd", "example.org", "http://a:b@example.org/",
                                      "http:///x", "javascript:alert(1)" };

  for (guint i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{'url':'%s'}", urls[i]);

      tool_runner_expect_error (&fixture->runner, "fetch_url", arguments, BECKON_ERROR_INVALID, "");
    }
}

static void
test_effects (Fixture *fixture, gconstpointer data)
{
  g_auto (BeckonEffects) effects = { 0 };

  tool_runner_get_effects (&fixture->runner, "fetch_url", "{'url':'https://example.org/x?secret=1'}", &effects);
  g_assert_true (effects.read_only);
  g_assert_true (effects.uses_network);
  g_assert_cmpstr (effects.hosts[0], ==, "example.org");
}

static gboolean
is_advertised (Fixture *fixture, const char *name)
{
  g_autoptr (GPtrArray) list = beckon_tool_registry_list (fixture->runner.registry, FALSE, FALSE, NULL);

  for (guint i = 0; i < list->len; i++)
    if (g_str_equal (((BeckonToolDefinition *) g_ptr_array_index (list, i))->name, name))
      return TRUE;
  return FALSE;
}

static void
test_search (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = g_strdup_printf ("http://127.0.0.1:%u/", fixture->port);

  g_assert_false (is_advertised (fixture, "web_search"));
  tool_runner_expect_error (&fixture->runner, "web_search", "{'query':'x'}", BECKON_ERROR_UNAVAILABLE, "preferences");
  beckon_tool_registry_set_web (fixture->runner.registry, FALSE, address);
  g_assert_true (is_advertised (fixture, "web_search"));
  tool_runner_expect (&fixture->runner, "web_search", "{'query':'one & two'}",
                      "1. First\n   https://one.example/\n   Words\n2. (no title)\n   https://two.example/\n", NULL);
  g_assert_cmpstr (fixture->query, ==, "one & two");
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *arguments = arguments_for (fixture, "/page");
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (tool_runner_run (&fixture->runner, "fetch_url", arguments, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

#define NAMED "{'url':'http://pages.invalid/page'}"

/* Requests to any address go as the system says. Those that must reach no private address go without a proxy, which could. */
static void
test_proxies (Fixture *fixture, gconstpointer data)
{
  g_autofree char *url = g_strdup_printf ("http://127.0.0.1:%u", fixture->port);
  g_autoptr (GProxyResolver) proxies = g_simple_proxy_resolver_new (url, NULL);
  g_autoptr (GProxyResolver) dead = g_simple_proxy_resolver_new ("http://127.0.0.1:1", NULL);

  beckon_web_get_set_proxies (proxies);
  tool_runner_expect (&fixture->runner, "fetch_url", NAMED, "http://pages.invalid/page", "# Head\n", NULL);
  g_assert_cmpuint (fixture->n_asked, ==, 1);

  /* A proxy has nothing to do with this computer itself. */
  beckon_web_get_set_proxies (dead);
  expect (fixture, "/page", "# Head\n");

  beckon_web_get_set_proxies (proxies);
  beckon_tool_registry_set_web (fixture->runner.registry, FALSE, NULL);
  tool_runner_expect_error (&fixture->runner, "fetch_url", NAMED, BECKON_ERROR_UNAVAILABLE, "set up to use a proxy");
  beckon_web_get_set_proxies (NULL);
  g_assert_cmpuint (fixture->n_asked, ==, 2);
}

static void
test_tls (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTlsFront) front = beckon_tls_front_new ("good.pem", (guint16) fixture->port);
  guint port = beckon_tls_front_get_port (front);
  g_autofree char *arguments = g_strdup_printf ("{'url':'https://127.0.0.1:%u/page'}", port);
  g_autofree char *address = g_strdup_printf ("https://127.0.0.1:%u", port);

  tool_runner_expect (&fixture->runner, "fetch_url", arguments, "# Head\n", NULL);
  beckon_tool_registry_set_web (fixture->runner.registry, TRUE, address);
  tool_runner_expect (&fixture->runner, "web_search", "{'query':'words'}", "https://one.example/", NULL);
  g_assert_cmpuint (fixture->n_asked, ==, 2);
}

static void
test_bad_tls (Fixture *fixture, gconstpointer data)
{
  static const char *const certificates[] = { "elsewhere.pem", "expired.pem", "early.pem", "self-signed.pem" };

  for (guint i = 0; i < G_N_ELEMENTS (certificates); i++)
    {
      g_autoptr (BeckonTlsFront) front = beckon_tls_front_new (certificates[i], (guint16) fixture->port);
      g_autofree char *arguments
        = g_strdup_printf ("{'url':'https://127.0.0.1:%u/page'}", beckon_tls_front_get_port (front));
      g_autoptr (GError) error = NULL;

      g_assert_null (tool_runner_run (&fixture->runner, "fetch_url", arguments, NULL, &error));
      g_assert_error (error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE);
    }
  g_assert_cmpuint (fixture->n_asked, ==, 0);
}

/* The library would speak it. It reads what versions there are when it is loaded, so that each case is a process of its own. */
static void
test_old_tls_alone (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTlsFront) front = beckon_tls_front_new ("good.pem", (guint16) fixture->port);
  g_autofree char *arguments
    = g_strdup_printf ("{'url':'https://127.0.0.1:%u/page'}", beckon_tls_front_get_port (front));

  tool_runner_expect_error (&fixture->runner, "fetch_url", arguments, BECKON_ERROR_UNAVAILABLE, "old version of TLS");
  g_assert_cmpuint (fixture->n_asked, ==, 0);
}

static void
test_old_tls (gconstpointer version)
{
  g_autofree char *priority = g_strdup_printf ("NORMAL:%%COMPAT:-VERS-ALL:+VERS-%s", (const char *) version);

  g_setenv ("G_TLS_GNUTLS_PRIORITY", priority, TRUE);
  g_test_trap_subprocess ("/web-tls/subprocess/old", 0, 0);
  g_unsetenv ("G_TLS_GNUTLS_PRIORITY");
  g_test_trap_assert_passed ();
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/web/pages", test_pages);
  g_test_add_func ("/web/dropped", test_dropped);
  ADD ("/web/huge", test_huge);
  ADD ("/web/titled", test_titled);
  ADD ("/web/redirects", test_redirects);
  ADD ("/web/private", test_private);
  ADD ("/web/resolved", test_resolved);
  g_test_add_func ("/web/addresses", test_addresses);
  ADD ("/web/refused", test_refused);
  ADD ("/web/effects", test_effects);
  ADD ("/web/search", test_search);
  ADD ("/web/cancelled", test_cancelled);
  ADD ("/web/proxies", test_proxies);
  ADD ("/web-tls/good", test_tls);
  ADD ("/web-tls/bad", test_bad_tls);
  ADD ("/web-tls/subprocess/old", test_old_tls_alone);
  g_test_add_data_func ("/web-tls/old-1.0", "TLS1.0", test_old_tls);
  g_test_add_data_func ("/web-tls/old-1.1", "TLS1.1", test_old_tls);
  return g_test_run ();
}
