/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The way from a sandbox into the network, and all the ways around it that there may be. Nothing here leaves this computer. */

#include "beckon-start.h"
#include "beckon-tree.h"
#include "sandbox/beckon-sandbox-proxy.h"
#include "sandbox/beckon-sandbox.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

static gboolean is_possible;

typedef struct
{
  char *root;
  char *folder;
  GSocketService *service;
  guint16 port;
  guint n_served;
  BeckonSandboxOptions options;
  char *said;
  char *remark;
} Fixture;

/* A name that leads elsewhere each time that it is asked for. */
#define TEST_TYPE_RESOLVER (test_resolver_get_type ())
G_DECLARE_FINAL_TYPE (TestResolver, test_resolver, TEST, RESOLVER, GResolver)

struct _TestResolver
{
  GResolver parent_instance;
};

G_DEFINE_FINAL_TYPE (TestResolver, test_resolver, G_TYPE_RESOLVER)

static guint n_asked;

static GList *
get_addresses (const char *name)
{
  const char *address = "127.0.0.1";

  if (g_str_equal (name, "rebind.test") && n_asked++ % 2 == 0)
    address = "192.0.2.1";
  if (g_str_equal (name, "both.test"))
    return g_list_append (g_list_append (NULL, g_inet_address_new_from_string ("1.1.1.1")),
                          g_inet_address_new_from_string (address));
  return g_list_append (NULL, g_inet_address_new_from_string (address));
}

static void
lookup_async (GResolver *resolver, const char *name, GResolverNameLookupFlags flags, GCancellable *cancellable,
              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (resolver, cancellable, callback, user_data);

  /* Addresses of one family are enough. */
  if ((flags & G_RESOLVER_NAME_LOOKUP_FLAGS_IPV6_ONLY) != 0)
    g_task_return_new_error (task, G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND, "none");
  else
    g_task_return_pointer (task, get_addresses (name), (GDestroyNotify) g_resolver_free_addresses);
}

static void
lookup_plain_async (GResolver *resolver, const char *name, GCancellable *cancellable, GAsyncReadyCallback callback,
                    gpointer user_data)
{
  lookup_async (resolver, name, 0, cancellable, callback, user_data);
}

static GList *
lookup_finish (GResolver *resolver, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static GList *
lookup_now (GResolver *resolver, const char *name, GCancellable *cancellable, GError **error)
{
  return get_addresses (name);
}

static void
test_resolver_class_init (TestResolverClass *klass)
{
  GResolverClass *resolver_class = G_RESOLVER_CLASS (klass);

  resolver_class->lookup_by_name = lookup_now;
  resolver_class->lookup_by_name_async = lookup_plain_async;
  resolver_class->lookup_by_name_finish = lookup_finish;
  resolver_class->lookup_by_name_with_flags_async = lookup_async;
  resolver_class->lookup_by_name_with_flags_finish = lookup_finish;
}

static void
test_resolver_init (TestResolver *self)
{
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (*result == NULL && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (*result);
  return *result;
}

static gboolean
on_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* A service of this computer: says what it was asked, and ends. */
static gboolean
on_incoming (GThreadedSocketService *service, GSocketConnection *connection, GObject *source, gpointer user_data)
{
  Fixture *fixture = user_data;
  g_autoptr (GDataInputStream) lines = g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (connection)));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) reply = g_string_new (NULL);

  g_data_input_stream_set_newline_type (lines, G_DATA_STREAM_NEWLINE_TYPE_CR_LF);
  for (;;)
    {
      g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, NULL);

      if (line == NULL || *line == '\0')
        break;
      g_string_append_printf (text, "%s|", line);
    }
  g_string_append_printf (reply, "HTTP/1.1 200 OK\r\nContent-Length: %" G_GSIZE_FORMAT "\r\nConnection: close\r\n\r\n%s", text->len,
                          text->str);
  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), reply->str, reply->len, NULL, NULL, NULL);
  g_atomic_int_inc ((int *) &fixture->n_served);
  return TRUE;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-proxy-XXXXXX", NULL);

  fixture->root = realpath (made, NULL);
  fixture->folder = g_build_filename (fixture->root, "here", NULL);
  g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
  fixture->service = g_threaded_socket_service_new (10);
  fixture->port = g_socket_listener_add_any_inet_port (G_SOCKET_LISTENER (fixture->service), NULL, NULL);
  g_signal_connect (fixture->service, "run", G_CALLBACK (on_incoming), fixture);
  memset (&fixture->options, 0, sizeof fixture->options);
  fixture->options.folder = fixture->folder;
  n_asked = 0;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_socket_service_stop (fixture->service);
  g_socket_listener_close (G_SOCKET_LISTENER (fixture->service));
  g_object_unref (fixture->service);
  beckon_tree_remove (fixture->root);
  g_free (fixture->root);
  g_free (fixture->folder);
  g_free (fixture->said);
  g_free (fixture->remark);
}

static void
run (Fixture *fixture, const char *script)
{
  const char *argv[] = { "sh", "-c", script, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJob) job = beckon_start (argv, &fixture->options, &error);
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_no_error (error);
  beckon_job_wait_async (job, NULL, on_done, &result);
  g_assert_true (beckon_job_wait_finish (job, wait_for (&result), &error));
  g_free (fixture->said);
  g_free (fixture->remark);
  fixture->said = beckon_output_get_text (beckon_job_get_output (job));
  fixture->remark = g_strdup (beckon_job_get_remark (job));
  g_test_message ("%s\n-> %.1000s %s", script, fixture->said, fixture->remark != NULL ? fixture->remark : "");
}

/* Says to the proxy what @request is, with PORT for the service's, and prints the first line of its answer. */
static void
say (Fixture *fixture, const char *request)
{
  g_autofree char *port = g_strdup_printf ("%u", fixture->port);
  g_auto (GStrv) parts = g_strsplit (request, "PORT", -1);
  g_autofree char *whole = g_strjoinv (port, parts);
  g_autofree char *script
      = g_strdup_printf ("python3 -c 'import socket\ns = socket.create_connection ((\"127.0.0.1\", %d))\n"
                         "s.sendall (b\"%s\")\nprint (s.recv (60000).decode ().splitlines ()[0])'",
                         BECKON_SANDBOX_PROXY_PORT, whole);

  run (fixture, script);
}

static gboolean
skip (void)
{
  if (!is_possible)
    g_test_skip ("there is no working bubblewrap here");

  return !is_possible;
}

/* Names and addresses of this computer and its network. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const char *const hosts[] = {
    "127.0.0.1", "localhost", "LOCALHOST.", "[::1]", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "2130706433", "0x7f.1",
    "127.1", "0177.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]", "both.test",
    "rebind.test", "anything.test",
  };

  if (skip ())
    return;

  fixture->options.network = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (hosts); i++)
    {
      g_autofree char *tunnel = g_strdup_printf ("CONNECT %s:PORT HTTP/1.1\\r\\n\\r\\n", hosts[i]);
      g_autofree char *plain = g_strdup_printf ("GET http://%s:PORT/ HTTP/1.1\\r\\nHost: example.org\\r\\n\\r\\n", hosts[i]);

      say (fixture, tunnel);
      g_assert_true (g_str_has_prefix (fixture->said, "HTTP/1.1 403 ") || g_str_has_prefix (fixture->said, "HTTP/1.1 502 "));
      g_assert_nonnull (strstr (fixture->remark, "Not reached"));
      say (fixture, plain);
      g_assert_true (g_str_has_prefix (fixture->said, "HTTP/1.1 403 ") || g_str_has_prefix (fixture->said, "HTTP/1.1 502 "));
    }
  g_assert_cmpuint (fixture->n_served, ==, 0);
}

/* There is no way but the proxy: no route, no name server, no socket of this computer, and the proxy speaks of nothing else. */
static void
test_only_way (Fixture *fixture, gconstpointer data)
{
  static const char *const requests[] = {
    "GET / HTTP/1.1\\r\\nHost: localhost:PORT\\r\\n\\r\\n",
    "GET ftp://localhost:PORT/ HTTP/1.1\\r\\n\\r\\n",
    "GET file:///etc/passwd HTTP/1.1\\r\\n\\r\\n",
    "CONNECT /run/user/0/bus HTTP/1.1\\r\\n\\r\\n",
    "CONNECT user@localhost:PORT HTTP/1.1\\r\\n\\r\\n",
    "CONNECT  localhost:PORT HTTP/1.1\\r\\n\\r\\n",
    "CONNECT localhost:0 HTTP/1.1\\r\\n\\r\\n",
    "\\x05\\x01\\x00\\r\\n\\r\\n",
    "CONNECT local\\x00host:PORT HTTP/1.1\\r\\n\\r\\n",
  };
  g_autofree char *direct = g_strdup_printf (
      "python3 -c 'import socket\nfor a in (\"127.0.0.1\", \"192.0.2.1\", socket.gethostname ()):\n  try: socket.create_connection ((a, "
      "%u), 2); print (\"connected\")\n  except OSError: print (\"none\")'",
      fixture->port);

  if (skip ())
    return;

  fixture->options.network = TRUE;
  run (fixture, direct);
  g_assert_cmpstr (fixture->said, ==, "none\nnone\nnone\n");
  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      say (fixture, requests[i]);
      g_assert_true (g_str_has_prefix (fixture->said, "HTTP/1.1 400 "));
    }
  run (fixture, "python3 -c 'import socket\ns = socket.create_connection ((\"127.0.0.1\", 61080))\n"
                "s.sendall (b\"GET http://x/ HTTP/1.1\\r\\n\" + b\"A: b\\r\\n\" * 10000)\nprint (s.recv (100))'; ls /proc/self/fd | wc -l");
  g_assert_nonnull (strstr (fixture->said, "431"));
  run (fixture, "false");
  g_assert_nonnull (strstr (fixture->remark, "HTTP_PROXY"));
  run (fixture, "true");
  g_assert_null (fixture->remark);
  g_assert_cmpuint (fixture->n_served, ==, 0);

  /* Without the network there is none. */
  fixture->options.network = FALSE;
  say (fixture, "CONNECT localhost:PORT HTTP/1.1\\r\\n\\r\\n");
  g_assert_nonnull (strstr (fixture->said, "Connection refused"));
}

/* With this network too: the hosts of the list, and no others. */
static void
test_hosts (Fixture *fixture, gconstpointer data)
{
  static const char *const hosts[] = { "good.test", "*.Below.test", NULL };
  g_autofree char *fetch = g_strdup_printf ("python3 -c 'import urllib.request\nprint (urllib.request.urlopen (\"http://good.test:%u/a?b\", "
                                            "timeout=20).read ().decode ())'",
                                            fixture->port);
  g_autofree char *asked = g_strdup_printf ("GET /a?b HTTP/1.1|Host: good.test:%u|Connection: close|", fixture->port);

  if (skip ())
    return;

  fixture->options.network = TRUE;
  fixture->options.local_network = TRUE;
  fixture->options.hosts = hosts;
  run (fixture, fetch);
  g_assert_true (g_str_has_prefix (fixture->said, asked));
  g_assert_null (strstr (fixture->said, "Proxy"));
  g_assert_cmpuint (fixture->n_served, ==, 1);
  say (fixture, "CONNECT a.below.test:PORT HTTP/1.1\\r\\n\\r\\n");
  g_assert_cmpstr (fixture->said, ==, "HTTP/1.1 200 Connection established\n");
  say (fixture, "CONNECT GOOD.test.:PORT HTTP/1.1\\r\\n\\r\\nGET /inner HTTP/1.1\\r\\n\\r\\n");
  g_assert_cmpstr (fixture->said, ==, "HTTP/1.1 200 Connection established\n");
  say (fixture, "CONNECT bad.test:PORT HTTP/1.1\\r\\n\\r\\n");
  g_assert_cmpstr (fixture->said, ==, "HTTP/1.1 403 Forbidden\n");
  g_assert_nonnull (strstr (fixture->remark, "bad.test: it is not among the hosts"));
  say (fixture, "CONNECT below.test:PORT HTTP/1.1\\r\\n\\r\\n");
  g_assert_cmpstr (fixture->said, ==, "HTTP/1.1 403 Forbidden\n");
  say (fixture, "CONNECT xbelow.test:PORT HTTP/1.1\\r\\n\\r\\n");
  g_assert_cmpstr (fixture->said, ==, "HTTP/1.1 403 Forbidden\n");
  say (fixture, "CONNECT 127.0.0.1:PORT HTTP/1.1\\r\\n\\r\\n");
  g_assert_cmpstr (fixture->said, ==, "HTTP/1.1 403 Forbidden\n");
}

/* Services of this computer are where they are outside, whatever they speak, and nothing leads to the internet. */
static void
test_services (Fixture *fixture, gconstpointer data)
{
  static const char script[] = "python3 -c 'import socket\ns = socket.create_connection ((\"localhost\", %u))\n"
                               "s.sendall (b\"hello\\r\\n\\r\\n\")\nprint (s.recv (100).decode ().splitlines ()[-1])'";
  g_autofree char *port = g_strdup_printf ("127.0.0.1:%u", fixture->port);
  const char *const hosts[] = { port, NULL };
  const char *const others[] = { "127.0.0.1:9", NULL };
  g_autofree char *speak = NULL;

  if (skip ())
    return;

  speak = g_strdup_printf (script, fixture->port);
  fixture->options.local_network = TRUE;
  run (fixture, speak);
  g_assert_cmpstr (fixture->said, ==, "hello|\n");
  say (fixture, "CONNECT good.test:PORT HTTP/1.1\\r\\n\\r\\n");
  g_assert_cmpstr (fixture->said, ==, "HTTP/1.1 403 Forbidden\n");
  g_assert_nonnull (strstr (fixture->remark, "good.test: it is on the internet, which needs network"));
  say (fixture, "CONNECT 127.0.0.1:PORT HTTP/1.1\\r\\n\\r\\n");
  g_assert_cmpstr (fixture->said, ==, "HTTP/1.1 200 Connection established\n");

  /* By either address, as some programs try one of "localhost" alone. */
  run (fixture, "grep -q . /proc/net/if_inet6 || { echo reached; exit; }; python3 -c 'import os, socket\n"
                "socket.create_connection ((\"::1\", int (os.environ[\"HTTP_PROXY\"].split (\":\")[-1])))\nprint (\"reached\")'");
  g_assert_cmpstr (fixture->said, ==, "reached\n");

  fixture->options.hosts = hosts;
  run (fixture, speak);
  g_assert_cmpstr (fixture->said, ==, "hello|\n");
  fixture->options.hosts = others;
  run (fixture, speak);
  g_assert_nonnull (strstr (fixture->said, "Connection refused"));
}

/* Much goes through, both ways, and many connections at a time; what is left open ends with the command. */
static void
test_much (Fixture *fixture, gconstpointer data)
{
  static const char *const hosts[] = { "good.test", NULL };
  g_autofree char *many = g_strdup_printf (
      "python3 -c 'import socket, threading\nopen_ = [socket.create_connection ((\"127.0.0.1\", 61080)) for i in range (60)]\n"
      "n = []\ndef go ():\n  s = socket.create_connection ((\"127.0.0.1\", 61080)); s.sendall (b\"CONNECT good.test:%u HTTP/1.1\\r\\n\\r\\n\")\n"
      "  assert b\" 200 \" in s.recv (1000)\n"
      "  s.sendall (b\"GET / HTTP/1.1\\r\\n\" + b\"A: \" + b\"x\" * 100000 + b\"\\r\\n\\r\\n\")\n  t = b\"\"\n"
      "  while (r := s.recv (65536)): t += r\n  n.append (len (t))\n"
      "ts = [threading.Thread (target=go) for i in range (20)]\n[t.start () for t in ts]\n[t.join () for t in ts]\n"
      "print (len (n), min (n) > 100000)'",
      fixture->port);

  if (skip ())
    return;

  fixture->options.local_network = TRUE;
  fixture->options.hosts = hosts;
  run (fixture, many);
  g_assert_cmpstr (fixture->said, ==, "20 True\n");
  g_assert_cmpuint (fixture->n_served, ==, 20);
}

/* They take the proxy from where we say it is. */
static void
test_programs (Fixture *fixture, gconstpointer data)
{
  static const char *const hosts[] = { "good.test", NULL };
  static const struct
  {
    const char *program;
    const char *script;
  } cases[] = {
    { "curl", "curl -s http://good.test:PORT/" },
    { "git", "git ls-remote http://good.test:PORT/x" },
    { "npm", "npm view x --registry http://good.test:PORT --fetch-retries 0" },
    { "/usr/bin/python3",
      "/usr/bin/python3 -m pip --version >/dev/null 2>&1 || { echo absent; exit; }; /usr/bin/python3 -m pip download --retries 0 --isolated "
      "--index-url http://good.test:PORT/simple --trusted-host good.test x" },
    { "mvn", "mvn -B org.x:x:1:x -Dmaven.repo.remote=http://good.test:PORT -s settings.xml" },
  };
  g_autofree char *settings = g_build_filename (fixture->folder, "settings.xml", NULL);
  g_autofree char *mirror = g_strdup_printf ("<settings><mirrors><mirror><id>x</id><mirrorOf>*</mirrorOf><url>http://good.test:%u</url>"
                                             "</mirror></mirrors></settings>",
                                             fixture->port);
  g_autofree char *port = g_strdup_printf ("%u", fixture->port);

  if (skip ())
    return;

  g_assert_true (g_file_set_contents (settings, mirror, -1, NULL));
  fixture->options.local_network = TRUE;
  fixture->options.hosts = hosts;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) parts = g_strsplit (cases[i].script, "PORT", -1);
      g_autofree char *script = g_strjoinv (port, parts);
      g_autofree char *program = g_find_program_in_path (cases[i].program);
      guint before = fixture->n_served;

      if (program == NULL || !g_str_has_prefix (program, "/usr/"))
        {
          g_test_message ("%s is not installed here", cases[i].program);
          continue;
        }
      run (fixture, script);
      if (!g_str_has_prefix (fixture->said, "absent"))
        g_assert_cmpuint (fixture->n_served, >, before);
    }
}

static void
test_lists (void)
{
  static const char *const list[] = { "a.example", "*.b.example", "1.2.3.4", "c.example:8080", NULL };

  g_assert_true (beckon_sandbox_proxy_allows (NULL, "x", 80));
  g_assert_true (beckon_sandbox_proxy_allows (list, "A.example.", 80));
  g_assert_true (beckon_sandbox_proxy_allows (list, "x.y.b.example", 80));
  g_assert_true (beckon_sandbox_proxy_allows (list, "0x1020304", 80));
  g_assert_false (beckon_sandbox_proxy_allows (list, "b.example", 80));
  g_assert_false (beckon_sandbox_proxy_allows (list, "x.a.example", 80));
  g_assert_false (beckon_sandbox_proxy_allows (list, "xb.example", 80));
  g_assert_true (beckon_sandbox_proxy_check_host ("*.example.org"));
  g_assert_false (beckon_sandbox_proxy_check_host ("*"));
  g_assert_false (beckon_sandbox_proxy_check_host ("a.*.org"));
  g_assert_false (beckon_sandbox_proxy_check_host ("http://x"));
  g_assert_true (beckon_sandbox_proxy_allows (list, "c.example", 8080));
  g_assert_false (beckon_sandbox_proxy_allows (list, "c.example", 80));
  g_assert_true (beckon_sandbox_proxy_check_host ("x:80"));
  g_assert_false (beckon_sandbox_proxy_check_host ("x:0"));
  g_assert_false (beckon_sandbox_proxy_check_host ("x:y"));
  g_assert_false (beckon_sandbox_proxy_check_host (""));
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_autoptr (GResolver) resolver = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  g_test_init (&argc, &argv, NULL);
  g_timeout_add (20, on_tick, NULL);
  resolver = g_object_new (TEST_TYPE_RESOLVER, NULL);
  g_resolver_set_default (resolver);
  beckon_sandbox_probe_async (NULL, on_done, &result);
  is_possible = beckon_sandbox_probe_finish (wait_for (&result), NULL);
  g_test_add_func ("/proxy/lists", test_lists);
  ADD ("/proxy/refused", test_refused);
  ADD ("/proxy/only-way", test_only_way);
  ADD ("/proxy/hosts", test_hosts);
  ADD ("/proxy/services", test_services);
  ADD ("/proxy/much", test_much);
  ADD ("/proxy/programs", test_programs);
  return g_test_run ();
}
