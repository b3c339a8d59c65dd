/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-prosody.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define ADDRESS "127.0.0.1"
#define SECRET "secret"

static const char config_format[]
    = "run_as_root = true\n"
      "data_path = \"%s/data\"\n"
      "plugin_paths = {}\n"
      "modules_enabled = { \"roster\", \"saslauth\", \"tls\", \"disco\", \"smacks\", \"ping\" }\n"
      "modules_disabled = { \"s2s\" }\n"
      "interfaces = { \"127.0.0.1\" }\n"
      "c2s_ports = { %u }\n"
      "component_ports = { %u }\n"
      "s2s_ports = {}\n"
      "http_ports = {}\n"
      "https_ports = {}\n"
      "c2s_require_encryption = true\n"
      "smacks_hibernation_time = 60\n"
      "authentication = \"internal_plain\"\n"
      "log = { debug = \"%s/log\" }\n"
      "Include \"%s/options.cfg.lua\"\n"
      "VirtualHost \"" BECKON_PROSODY_DOMAIN "\"\n"
      "  ssl = { key = \"%s/%s.key\", certificate = \"%s/%s.pem\" }\n"
      "Component \"" BECKON_PROSODY_PEERS "\"\n"
      "  component_secret = \"" SECRET "\"\n";

gboolean
beckon_prosody_can_run (void)
{
  g_autofree char *prosody = g_find_program_in_path ("prosody");
  g_autofree char *openssl = g_find_program_in_path ("openssl");

  if (prosody != NULL && openssl != NULL)
    return TRUE;
  g_test_skip ("there is no prosody, or no openssl, here");
  return FALSE;
}

/* --- Certificates ------------------------------------------------------------------------------------------------- */

static char *certificates;

static void
remove_folder (const char *folder)
{
  const char *const argv[] = { "rm", "-rf", folder, NULL };
  g_autoptr (GSubprocess) process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_NONE, NULL);

  if (process != NULL)
    g_subprocess_wait (process, NULL, NULL);
}

static void
remove_certificates (void)
{
  remove_folder (certificates);
}

static void
run_shell (const char *folder, const char *script)
{
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;

  g_subprocess_launcher_set_cwd (launcher, folder);
  process = g_subprocess_launcher_spawn (launcher, &error, "sh", "-ec", script, NULL);
  g_assert_no_error (error);
  g_subprocess_wait_check (process, NULL, &error);
  g_assert_no_error (error);
}

/* A good one, one for another name, and one that is signed by itself. The system's authorities stay trusted. */
static const char make_certificates[]
    = "new='openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'\n"
      "$new -x509 -keyout ca.key -out ca.pem -days 3 -subj /CN=Authority\n"
      "sign () {\n"
      "  $new -keyout $1.key -out $1.csr -subj /CN=$2\n"
      "  echo subjectAltName=DNS:$2 >$1.ext\n"
      "  openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days $3 -out $1.pem -extfile $1.ext\n"
      "}\n"
      "sign good " BECKON_PROSODY_DOMAIN " 3\n"
      "sign elsewhere elsewhere.test 3\n"
      "$new -x509 -keyout self-signed.key -out self-signed.pem -days 3 -subj /CN=" BECKON_PROSODY_DOMAIN
      " -addext subjectAltName=DNS:" BECKON_PROSODY_DOMAIN "\n"
      "cp ca.pem trusted.pem\n"
      "[ ! -r /etc/ssl/certs/ca-certificates.crt ] || cat /etc/ssl/certs/ca-certificates.crt >>trusted.pem\n";

const char *
beckon_prosody_certificates (void)
{
  g_autofree char *authority = NULL;

  if (certificates != NULL)
    return certificates;
  certificates = g_dir_make_tmp ("beckon-certificates-XXXXXX", NULL);
  g_assert_nonnull (certificates);
  run_shell (certificates, make_certificates);
  authority = g_build_filename (certificates, "trusted.pem", NULL);
  g_setenv ("SSL_CERT_FILE", authority, TRUE);
  atexit (remove_certificates);
  return certificates;
}

/* --- The server --------------------------------------------------------------------------------------------------- */

guint16
beckon_prosody_find_port (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);

  g_assert_cmpuint (port, !=, 0);
  g_socket_listener_close (listener);
  return port;
}

static void
write_account (BeckonProsody *self, const char *name)
{
  g_autofree char *folder = g_build_filename (self->folder, "data", "beckon%2etest", "accounts", NULL);
  g_autofree char *file = g_strdup_printf ("%s/%s.dat", folder, name);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "return { [\"password\"] = \"correct-horse\"; };\n", -1, NULL));
}

static void
write_config (BeckonProsody *self, const char *certificate, const char *options)
{
  const char *pems = beckon_prosody_certificates ();
  g_autofree char *text = g_strdup_printf (config_format, self->folder, self->port, self->peer_port, self->folder, self->folder,
                                           pems, certificate, pems, certificate);
  g_autofree char *included = g_build_filename (self->folder, "options.cfg.lua", NULL);

  /* In a file of their own they may say again what is said above. */
  g_assert_true (g_file_set_contents (included, options != NULL ? options : "", -1, NULL));
  self->config = g_build_filename (self->folder, "prosody.cfg.lua", NULL);
  g_assert_true (g_file_set_contents (self->config, text, -1, NULL));
}

static gboolean
can_connect (guint16 port)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) connection = g_socket_client_connect_to_host (client, ADDRESS, port, NULL, NULL);

  return connection != NULL;
}

/* A connection is the only sign that it listens. */
static void
wait_for_port (BeckonProsody *self, guint16 port)
{
  for (guint i = 0; i < 600 && !can_connect (port); i++)
    g_usleep (50 * 1000);
  if (!can_connect (port))
    {
      g_autofree char *log = beckon_prosody_dup_log (self);
      g_autofree char *said = NULL;

      g_file_get_contents (self->output, &said, NULL, NULL);
      g_error ("prosody does not listen: %s%s", said, log);
    }
}

static void read_more (BeckonProsody *self);

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonProsody *self = user_data;
  g_autoptr (GError) error = NULL;
  gssize length = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &error);

  if (length <= 0)
    return;
  g_string_append_len (self->said, self->buffer, length);
  read_more (self);
}

static void
read_more (BeckonProsody *self)
{
  g_input_stream_read_async (g_io_stream_get_input_stream (G_IO_STREAM (self->peers)), self->buffer,
                             sizeof self->buffer, G_PRIORITY_DEFAULT, self->reading, on_read, self);
}

static char *
dup_stream_id (BeckonProsody *self)
{
  g_autoptr (GRegex) regex = g_regex_new (" id=['\"]([^'\"]+)['\"]", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  g_assert_true (g_regex_match (regex, self->said->str, 0, &match));
  return g_match_info_fetch (match, 1);
}

static void
connect_peers (BeckonProsody *self)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;
  g_autofree char *both = NULL;
  g_autofree char *hash = NULL;

  self->peers = g_socket_client_connect_to_host (client, ADDRESS, self->peer_port, NULL, &error);
  g_assert_no_error (error);
  self->reading = g_cancellable_new ();
  beckon_prosody_clear (self);
  read_more (self);
  beckon_prosody_say (self,
                      "<stream:stream xmlns='jabber:component:accept' xmlns:stream='http://etherx.jabber.org/streams' "
                      "to='" BECKON_PROSODY_PEERS "'>");
  beckon_prosody_wait (self, "<stream:stream");
  id = dup_stream_id (self);
  both = g_strconcat (id, SECRET, NULL);
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA1, both, -1);
  beckon_prosody_say (self, "<handshake>%s</handshake>", hash);
  beckon_prosody_wait (self, "<handshake");
  beckon_prosody_clear (self);
}

/* A test that is killed leaves no server behind. */
static void
on_child (gpointer user_data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

void
beckon_prosody_start (BeckonProsody *prosody)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_autoptr (GError) error = NULL;

  g_subprocess_launcher_set_stdout_file_path (launcher, prosody->output);
  g_subprocess_launcher_set_child_setup (launcher, on_child, NULL, NULL);
  prosody->process = g_subprocess_launcher_spawn (launcher, &error, "prosody", "--config", prosody->config, "-F", NULL);
  g_assert_no_error (error);
  wait_for_port (prosody, prosody->port);
  wait_for_port (prosody, prosody->peer_port);
  connect_peers (prosody);
}

BeckonProsody *
beckon_prosody_new (const char *certificate, const char *options)
{
  BeckonProsody *self = g_new0 (BeckonProsody, 1);

  self->folder = g_dir_make_tmp ("beckon-prosody-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
  self->output = g_build_filename (self->folder, "output", NULL);
  self->port = beckon_prosody_find_port ();
  /* A port that was let go of may be the next that is given. */
  do
    self->peer_port = beckon_prosody_find_port ();
  while (self->peer_port == self->port);
  self->said = g_string_new (NULL);
  write_account (self, "beckon");
  write_account (self, "anna");
  write_config (self, certificate, options);
  beckon_prosody_start (self);
  return self;
}

void
beckon_prosody_stop (BeckonProsody *prosody, gboolean in_order)
{
  if (prosody->process == NULL)
    return;
  g_cancellable_cancel (prosody->reading);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_clear_object (&prosody->reading);
  g_clear_object (&prosody->peers);
  if (in_order)
    g_subprocess_send_signal (prosody->process, SIGTERM);
  else
    g_subprocess_force_exit (prosody->process);
  g_subprocess_wait (prosody->process, NULL, NULL);
  g_clear_object (&prosody->process);
}

void
beckon_prosody_free (BeckonProsody *prosody)
{
  beckon_prosody_stop (prosody, FALSE);
  remove_folder (prosody->folder);
  g_string_free (prosody->said, TRUE);
  g_free (prosody->config);
  g_free (prosody->output);
  g_free (prosody->folder);
  g_free (prosody);
}

/* --- Peers -------------------------------------------------------------------------------------------------------- */

void
beckon_prosody_say (BeckonProsody *prosody, const char *format, ...)
{
  g_autofree char *xml = NULL;
  g_autoptr (GError) error = NULL;
  va_list arguments;

  va_start (arguments, format);
  xml = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (prosody->peers)), xml, strlen (xml), NULL,
                             NULL, &error);
  g_assert_no_error (error);
}

void
beckon_prosody_wait (BeckonProsody *prosody, const char *part)
{
  while (strstr (prosody->said->str, part) == NULL)
    g_main_context_iteration (NULL, TRUE);
}

void
beckon_prosody_clear (BeckonProsody *prosody)
{
  g_string_truncate (prosody->said, 0);
}

guint
beckon_prosody_count (BeckonProsody *prosody, const char *part)
{
  guint n = 0;

  for (const char *at = strstr (prosody->said->str, part); at != NULL; at = strstr (at + 1, part))
    n++;
  return n;
}

char *
beckon_prosody_dup_log (BeckonProsody *prosody)
{
  g_autofree char *file = g_build_filename (prosody->folder, "log", NULL);
  char *log = NULL;

  return g_file_get_contents (file, &log, NULL, NULL) ? log : g_strdup ("");
}
