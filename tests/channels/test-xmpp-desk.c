/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A question of a run, answered over XMPP: a whole agent, a real keyring, a real server. */
#include "beckon-channel-fixture.h"
#include "beckon-tls-front.h"
#include "beckon-xmpp-case.h"

#include <libsoup/soup.h>
#include <string.h>

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **)user_data = g_object_ref (result);
}

static BeckonChannel *
add_account (BeckonChannelFixture *fixture, BeckonProsody *prosody)
{
  g_autoptr (BeckonChannelAccount) account = beckon_channel_account_new ("xmpp", "Jabber");
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;
  BeckonChannel *channel;

  g_free (account->config);
  account->config = g_strdup_printf ("{\"address\":\"" BECKON_XMPP_ACCOUNT "\",\"host\":\"127.0.0.1\",\"port\":\"%u\"}",
                                     prosody->port);
  beckon_channels_save_async (fixture->channels, account, BECKON_XMPP_PASSWORD, NULL, keep_result, &saved);
  beckon_agent_wait_until (saved != NULL);
  channel = beckon_channels_save_finish (fixture->channels, saved, &error);
  g_assert_no_error (error);
  beckon_agent_wait_until (beckon_channel_get_state (channel) == BECKON_CHANNEL_CONNECTED);
  return channel;
}

static void
write_line (BeckonProsody *prosody, const char *id, const char *line)
{
  beckon_prosody_say (prosody,
                      "<message type='chat' from='" BECKON_XMPP_ANNA "/phone' to='" BECKON_XMPP_ACCOUNT
                      "' id='%s'><body>%s</body></message>",
                      id, line);
}

/* The agent's clock stands still, and messages keep a distance: it is moved until @part came. */
static void
wait_said (BeckonChannelFixture *fixture, BeckonProsody *prosody, const char *part)
{
  while (strstr (prosody->said->str, part) == NULL)
    {
      beckon_clock_advance (fixture->agent->clock, 20);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5 * 1000);
    }
}

static void
pair (BeckonChannelFixture *fixture, BeckonChannel *channel, BeckonProsody *prosody)
{
  g_autoptr (GAsyncResult) made = NULL;
  g_autofree char *code = NULL;

  beckon_channels_pair_async (fixture->channels, channel, NULL, keep_result, &made);
  beckon_agent_wait_until (made != NULL);
  code = beckon_channels_pair_finish (fixture->channels, made, NULL);
  write_line (prosody, code, code);
  beckon_agent_wait_until (g_strcmp0 (beckon_channel_get_account (channel)->address, BECKON_XMPP_ANNA) == 0);
  wait_said (fixture, prosody, "<body>");
  beckon_prosody_clear (prosody);
}

/* The question comes with its choices, the answer goes back, and the question says how it ended. */
static void
test_answer (void)
{
  g_autoptr (BeckonChannelFixture) fixture = NULL;
  g_autoptr (BeckonRequest) request = NULL;
  BeckonProsody *prosody;

  if (!beckon_prosody_can_run ())
    return;
  prosody = beckon_prosody_new ("good", NULL);
  fixture = beckon_channel_fixture_new ();
  pair (fixture, add_account (fixture, prosody), prosody);
  request = g_object_ref (beckon_channel_fixture_ask (fixture));
  wait_said (fixture, prosody, "Which port?\n1. 8080\n2. 9090");
  write_line (prosody, "a1", "2");
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_request_get_front_end (request), ==, "xmpp: Jabber");
  g_assert_cmpstr (beckon_request_get_actor (request), ==, BECKON_XMPP_ANNA);
  wait_said (fixture, prosody, "urn:xmpp:message-correct:0");
  wait_said (fixture, prosody, "by the channel “Jabber”");
  beckon_prosody_free (prosody);
}

static void
unpair (BeckonChannelFixture *fixture, BeckonChannel *channel)
{
  g_autoptr (GAsyncResult) unpaired = NULL;
  g_autoptr (GError) error = NULL;

  beckon_channels_unpair_async (fixture->channels, channel, NULL, keep_result, &unpaired);
  beckon_agent_wait_until (unpaired != NULL);
  beckon_channels_unpair_finish (fixture->channels, unpaired, &error);
  g_assert_no_error (error);
}

static gboolean
is_parted (BeckonChannelFixture *fixture)
{
  g_autofree char *n
      = beckon_channel_fixture_dup_value (fixture, "SELECT count (*) FROM channel WHERE parted IS NOT NULL");

  return strcmp (n, "0") != 0;
}

static void
wait_forgotten (BeckonChannelFixture *fixture, BeckonChannel *channel)
{
  beckon_agent_wait_until (beckon_channel_get_account (channel)->parted == NULL && !is_parted (fixture));
}

/* A contact that is unpaired sees no more whether the account is there, and is not watched either; not even where nothing was
 * connected at the time. One that is paired again is a contact again. */
static void
test_unpaired (void)
{
  g_autoptr (BeckonChannelFixture) fixture = NULL;
  BeckonChannel *channel;
  BeckonProsody *prosody;

  if (!beckon_prosody_can_run ())
    return;
  prosody = beckon_prosody_new ("good", NULL);
  fixture = beckon_channel_fixture_new ();
  channel = add_account (fixture, prosody);
  pair (fixture, channel, prosody);
  unpair (fixture, channel);
  beckon_prosody_wait (prosody, "type='unsubscribe'");
  wait_forgotten (fixture, channel);

  beckon_prosody_clear (prosody);
  pair (fixture, channel, prosody);
  beckon_channels_set_serving (fixture->channels, FALSE);
  unpair (fixture, channel);
  g_assert_cmpstr (beckon_channel_get_account (channel)->parted, ==, BECKON_XMPP_ANNA);
  g_assert_cmpuint (beckon_prosody_count (prosody, "type='unsubscribe'"), ==, 0);
  beckon_channels_set_serving (fixture->channels, TRUE);
  beckon_prosody_wait (prosody, "type='unsubscribe'");
  wait_forgotten (fixture, channel);
  beckon_prosody_free (prosody);
}

/* --- Files -------------------------------------------------------------------------------------------------------- */

#define SHARE "share." BECKON_PROSODY_DOMAIN
#define WORDS "Roses are red, and there are 7431 of them.\n"

static const guint8 picture[]
    = { 0x89, 'P',  'N',  'G',  '\r', '\n', 0x1a, '\n', 0,    0,    0,    13,   'I',  'H',  'D',  'R',  0,    0,
        0,    1,    0,    0,    0,    1,    8,    2,    0,    0,    0,    0x90, 0x77, 0x53, 0xde, 0,    0,    0,
        12,   'I',  'D',  'A',  'T',  8,    0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0,    0,    3,    1,    1,    0,    0x18,
        0xdd, 0x8d, 0xb0, 0,    0,    0,    0,    'I',  'E',  'N',  'D',  0xae, 0x42, 0x60, 0x82 };

/* A server and what stands before its files, which lie behind TLS. */
typedef struct
{
  BeckonProsody *prosody;
  BeckonTlsFront *front;
} Share;

static void
share_open (Share *share)
{
  guint16 port = beckon_prosody_find_port ();
  g_autofree char *options = NULL;

  share->front = beckon_tls_front_new ("good.pem", port);
  options = g_strdup_printf ("http_ports = { %u }\n"
                             "http_interfaces = { \"127.0.0.1\" }\n"
                             "http_default_host = \"" SHARE "\"\n"
                             "http_external_url = \"https://127.0.0.1:%u/\"\n"
                             "Component \"" SHARE "\" \"http_file_share\"\n"
                             "  http_file_share_access = { \"" BECKON_PROSODY_PEERS "\" }\n"
                             "  http_file_share_size_limit = 16*1024*1024\n",
                             port, beckon_tls_front_get_port (share->front));
  share->prosody = beckon_prosody_new ("good", options);
}

static void
share_close (Share *share)
{
  beckon_tls_front_free (share->front);
  beckon_prosody_free (share->prosody);
}

/* Anna is paired with what is answered there. */
static BeckonChannelFixture *
share_pair (Share *share)
{
  BeckonChannelFixture *fixture = beckon_channel_fixture_new ();

  pair (fixture, add_account (fixture, share->prosody), share->prosody);
  return fixture;
}

static char *
dup_part (const char *text, const char *pattern)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (!g_regex_match (regex, text, G_REGEX_MATCH_DEFAULT, &match))
    g_error ("%s is not in:\n%s", pattern, text);
  return g_match_info_fetch (match, 1);
}

/* Anna's client uploads it where the server says. Returns its address. */
static char *
upload (BeckonProsody *prosody, const char *name, const char *type, gconstpointer data, gsize size)
{
  g_autoptr (SoupSession) session = soup_session_new ();
  g_autoptr (SoupMessage) message = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (GAsyncResult) sent = NULL;
  g_autoptr (GBytes) answer = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *put = NULL;
  g_autofree char *token = NULL;

  beckon_prosody_clear (prosody);
  beckon_prosody_say (prosody,
                      "<iq type='get' from='" BECKON_XMPP_ANNA "/phone' to='" SHARE "' id='%s'>"
                      "<request xmlns='urn:xmpp:http:upload:0' filename='%s' size='%" G_GSIZE_FORMAT
                      "' content-type='%s'/></iq>",
                      name, name, size, type);
  beckon_prosody_wait (prosody, "</slot>");
  put = dup_part (prosody->said->str, "<put url='([^']+)'");
  token = dup_part (prosody->said->str, "<header name='Authorization'>([^<]+)<");
  message = soup_message_new ("PUT", put);
  soup_message_headers_append (soup_message_get_request_headers (message), "Authorization", token);
  soup_message_set_request_body_from_bytes (message, type, bytes);
  soup_session_send_and_read_async (session, message, G_PRIORITY_DEFAULT, NULL, keep_result, &sent);
  beckon_agent_wait_until (sent != NULL);
  answer = soup_session_send_and_read_finish (session, sent, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (soup_message_get_status (message), ==, 201);
  return dup_part (prosody->said->str, "<get url='([^']+)'");
}

static const char *
wait_request (BeckonChannelFixture *fixture, guint nth)
{
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->agent->server) > nth);
  return beckon_fixture_server_get_request (fixture->agent->server, nth)->body;
}

static void
assert_has (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("“%s” is not in:\n%s", part, text);
}

/* A picture and a text that the paired contact sends are attached to its message; an address without TLS is not fetched, and
 * neither is a file on this network that the account's server does not have. */
static void
test_files (void)
{
  g_autoptr (BeckonChannelFixture) fixture = NULL;
  g_autofree char *picture_url = NULL;
  g_autofree char *words_url = NULL;
  g_autofree char *parts = NULL;
  g_autofree char *elsewhere = NULL;
  BeckonProsody *prosody;
  Share share;

  if (!beckon_prosody_can_run ())
    return;
  share_open (&share);
  prosody = share.prosody;
  fixture = share_pair (&share);
  picture_url = upload (prosody, "flower.png", "image/png", picture, sizeof picture);
  words_url = upload (prosody, "roses.txt", "text/plain", WORDS, strlen (WORDS));

  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Nice"));
  beckon_prosody_say (prosody,
                      "<message type='chat' from='" BECKON_XMPP_ANNA "/phone' to='" BECKON_XMPP_ACCOUNT
                      "' id='f1'><body>%s</body><x xmlns='jabber:x:oob'><url>%s</url></x>"
                      "<x xmlns='jabber:x:oob'><url>%s</url></x><x xmlns='jabber:x:oob'><url>http://127.0.0.1/x</url></x></message>",
                      picture_url, picture_url, words_url);
  assert_has (wait_request (fixture, 0), "7431 of them");
  parts = beckon_channel_fixture_dup_value (fixture, "SELECT group_concat (kind) FROM (SELECT kind FROM part JOIN message m"
                                                     " ON m.id = part.message WHERE role = 'user' ORDER BY place)");
  g_assert_cmpstr (parts, ==, "image,text");
  wait_said (fixture, prosody, "Nice");

  beckon_prosody_clear (prosody);
  elsewhere = g_strdup_printf ("https://localhost:%s", strrchr (picture_url, ':') + 1);
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Seen"));
  beckon_prosody_say (prosody,
                      "<message type='chat' from='" BECKON_XMPP_ANNA "/phone' to='" BECKON_XMPP_ACCOUNT
                      "' id='f2'><body>Look</body><x xmlns='jabber:x:oob'><url>%s</url></x></message>",
                      elsewhere);
  wait_said (fixture, prosody, "A file could not be attached: The file lies on a private network");
  share_close (&share);
}

/* A file that is too large is told of, and its words are sent all the same. */
static void
test_large_file (void)
{
  g_autoptr (BeckonChannelFixture) fixture = NULL;
  g_autofree char *large = g_strnfill (6 * 1024 * 1024, 'x');
  g_autofree char *url = NULL;
  BeckonProsody *prosody;
  Share share;

  if (!beckon_prosody_can_run ())
    return;
  share_open (&share);
  prosody = share.prosody;
  fixture = share_pair (&share);
  url = upload (prosody, "large.txt", "text/plain", large, strlen (large));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Read"));
  beckon_prosody_say (prosody,
                      "<message type='chat' from='" BECKON_XMPP_ANNA "/phone' to='" BECKON_XMPP_ACCOUNT
                      "' id='l1'><body>Read this</body><x xmlns='jabber:x:oob'><url>%s</url></x></message>",
                      url);
  wait_said (fixture, prosody, "A file could not be attached: The file has more than 5 MB.");
  assert_has (wait_request (fixture, 0), "Read this");
  share_close (&share);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/channels/xmpp/answer", test_answer);
  g_test_add_func ("/channels/xmpp/unpaired", test_unpaired);
  g_test_add_func ("/channels/xmpp/files", test_files);
  g_test_add_func ("/channels/xmpp/large-file", test_large_file);
  return g_test_run ();
}
