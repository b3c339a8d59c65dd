/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signing in to, and talking through, a real prosody on loopback. */
#include "beckon-xmpp-case.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"

#include <string.h>

static void
test_both_ways (void)
{
  BeckonXmppCase self;
  g_autofree char *id = NULL;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_write (&self, "a1", "Hello");
  beckon_xmpp_case_wait (&self, 1);
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 0)->text, ==, "Hello");
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 0)->address, ==, BECKON_XMPP_ANNA);
  id = beckon_xmpp_case_send (&self, "Which one?", NULL);
  g_assert_false (g_str_has_prefix (id, "! "));
  beckon_prosody_wait (self.prosody, "<body>Which one?</body>");
  beckon_xmpp_case_close (&self);
}

/* --- Signing in --------------------------------------------------------------------------------------------------- */

#define WITHOUT(mechanisms) "disable_sasl_mechanisms = { " mechanisms " }\n"

static void
try_to_sign_in (
    const char *certificate, const char *options, const char *password, BeckonChannelState state, const char *problem)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, certificate, options))
    return;
  beckon_xmpp_case_start_at (&self, self.prosody->port, password);
  beckon_xmpp_case_wait_state (&self, state);
  if (problem != NULL)
    beckon_xmpp_case_assert_problem (&self, problem);
  beckon_xmpp_case_close (&self);
}

static void
test_scram (void)
{
  try_to_sign_in ("good", WITHOUT ("'PLAIN', 'SCRAM-SHA-1', 'DIGEST-MD5'"), BECKON_XMPP_PASSWORD,
                  BECKON_CHANNEL_CONNECTED, NULL);
}

static void
test_plain (void)
{
  try_to_sign_in ("good", WITHOUT ("'SCRAM-SHA-1', 'SCRAM-SHA-256', 'DIGEST-MD5'"), BECKON_XMPP_PASSWORD,
                  BECKON_CHANNEL_CONNECTED, NULL);
}

static void
test_refused_scram (void)
{
  try_to_sign_in ("good", NULL, "wrong", BECKON_CHANNEL_SIGNED_OUT, "does not accept this address and password");
}

static void
test_refused_plain (void)
{
  try_to_sign_in ("good", WITHOUT ("'SCRAM-SHA-1', 'SCRAM-SHA-256', 'DIGEST-MD5'"), "wrong", BECKON_CHANNEL_SIGNED_OUT,
                  "does not accept this address and password");
}

static void
test_no_password (void)
{
  BeckonXmppCase self = { 0 };

  beckon_xmpp_case_make_adapter (&self);
  beckon_xmpp_case_start_at (&self, 1, NULL);
  g_assert_cmpint (beckon_channel_adapter_get_state (self.adapter), ==, BECKON_CHANNEL_SIGNED_OUT);
  beckon_xmpp_case_assert_problem (&self, "The password is missing");
  g_object_unref (self.adapter);
  g_ptr_array_unref (self.messages);
}

static void
test_no_mechanism (void)
{
  try_to_sign_in ("good", WITHOUT ("'PLAIN', 'SCRAM-SHA-1', 'SCRAM-SHA-256', 'DIGEST-MD5'"), BECKON_XMPP_PASSWORD,
                  BECKON_CHANNEL_FAILED, "127.0.0.1 ended the connection");
}

static void
test_self_signed (void)
{
  try_to_sign_in ("self-signed", NULL, BECKON_XMPP_PASSWORD, BECKON_CHANNEL_FAILED, "self-signed certificate");
}

static void
test_elsewhere (void)
{
  try_to_sign_in ("elsewhere", NULL, BECKON_XMPP_PASSWORD, BECKON_CHANNEL_FAILED, "hostname mismatch");
}

static void
test_unencrypted (void)
{
  try_to_sign_in (
      "good",
      "modules_disabled = { \"s2s\", \"tls\" }\nc2s_require_encryption = false\nallow_unencrypted_plain_auth = true\n",
      BECKON_XMPP_PASSWORD, BECKON_CHANNEL_FAILED, "does not encrypt");
}

static void
test_not_found (void)
{
  BeckonXmppCase self = { 0 };
  g_autoptr (JsonObject) config = beckon_json_parse_object ("{\"address\":\"beckon@nowhere.invalid\"}", -1, NULL);
  const BeckonChannelStart start = { .config = config, .secret = BECKON_XMPP_PASSWORD };

  beckon_xmpp_case_make_adapter (&self);
  beckon_channel_adapter_start (self.adapter, &start);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_FAILED);
  beckon_xmpp_case_assert_problem (&self, "nowhere.invalid was not found");
  g_object_unref (self.adapter);
  g_ptr_array_unref (self.messages);
}

static void
test_nobody_there (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_prosody_stop (self.prosody, TRUE);
  beckon_xmpp_case_start_at (&self, self.prosody->port, BECKON_XMPP_PASSWORD);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_FAILED);
  beckon_xmpp_case_assert_problem (&self, "No XMPP server answers at 127.0.0.1");
  beckon_prosody_start (self.prosody);
  beckon_xmpp_case_wait_state (&self, BECKON_CHANNEL_CONNECTED);
  g_assert_null (beckon_channel_adapter_get_problem (self.adapter));
  beckon_xmpp_case_close (&self);
}

/* --- Messages ----------------------------------------------------------------------------------------------------- */

#define LINES "Which one? 你好\n\n1. <b> & \"c\"\n2. 'd' ]]> \360\237\230\200"
#define LINES_XML "Which one? 你好\n\n1. &lt;b&gt; &amp; &quot;c&quot;\n2. &apos;d&apos; ]]&gt; \360\237\230\200"

static void
test_text (void)
{
  BeckonXmppCase self;
  g_autofree char *id = NULL;
  g_autofree char *other = NULL;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_write (&self, "a1", LINES_XML);
  beckon_xmpp_case_wait (&self, 1);
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 0)->text, ==, LINES);

  id = beckon_xmpp_case_send (&self, LINES, NULL);
  beckon_prosody_wait (self.prosody, "]]&gt; \360\237\230\200</body>");
  g_assert_nonnull (strstr (self.prosody->said->str, "Which one? 你好\n\n1. &lt;b&gt; &amp; "));
  other = beckon_xmpp_case_send (&self, "a\001b\357\277\277", NULL);
  beckon_prosody_wait (self.prosody, "<body>a\357\277\275b\357\277\275</body>");
  g_assert_cmpstr (id, !=, other);
  beckon_xmpp_case_close (&self);
}

static void
test_edit (void)
{
  BeckonXmppCase self;
  g_autofree char *id = NULL;
  g_autofree char *edited = NULL;
  g_autofree char *part = NULL;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  id = beckon_xmpp_case_send (&self, "Which one?", NULL);
  beckon_prosody_wait (self.prosody, "</message>");
  g_assert_null (strstr (self.prosody->said->str, "message-correct"));
  beckon_prosody_clear (self.prosody);
  edited = beckon_xmpp_case_send (&self, "Answered on the desktop", id);
  g_assert_cmpstr (edited, ==, id);
  beckon_prosody_wait (self.prosody, "</message>");
  part = g_strdup_printf ("<replace id='%s' xmlns='urn:xmpp:message-correct:0'/>", id);
  if (strstr (self.prosody->said->str, part) == NULL)
    {
      g_free (part);
      part = g_strdup_printf ("<replace xmlns='urn:xmpp:message-correct:0' id='%s'/>", id);
    }
  g_assert_nonnull (strstr (self.prosody->said->str, part));
  beckon_xmpp_case_close (&self);
}

static void
test_typing (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_channel_adapter_type (self.adapter, BECKON_XMPP_ANNA, NULL, TRUE);
  beckon_prosody_wait (self.prosody, "<composing");
  beckon_channel_adapter_type (self.adapter, BECKON_XMPP_ANNA, NULL, FALSE);
  beckon_prosody_wait (self.prosody, "<active");
  beckon_xmpp_case_close (&self);
}

/* A stranger learns nothing; one whom the account answers is told what is stored, and no more than that. */
static void
test_receipts (void)
{
  BeckonXmppCase self;
  g_autofree char *id = NULL;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_ask_receipt (&self, "a1");
  beckon_xmpp_case_wait (&self, 1);
  id = beckon_xmpp_case_send (&self, "Hello", NULL);
  beckon_prosody_wait (self.prosody, "<body>Hello</body>");
  g_assert_null (strstr (self.prosody->said->str, "<received"));
  self.holds = TRUE;
  beckon_xmpp_case_ask_receipt (&self, "a2");
  beckon_xmpp_case_wait (&self, 2);
  g_assert_null (strstr (self.prosody->said->str, "<received"));
  beckon_channel_adapter_stored (self.adapter, NULL);
  beckon_prosody_wait (self.prosody, "<displayed");
  g_assert_nonnull (strstr (self.prosody->said->str, "<received"));
  g_assert_nonnull (strstr (self.prosody->said->str, "'a2'"));
  g_assert_null (strstr (self.prosody->said->str, "'a1'"));
  beckon_xmpp_case_close (&self);
}

static void
write_encrypted (BeckonXmppCase *self, const char *id)
{
  beckon_prosody_say (self->prosody,
                      "<message type='chat' from='" BECKON_XMPP_ANNA "/phone' to='" BECKON_XMPP_ACCOUNT
                      "' id='%s'><encrypted xmlns='eu.siacs.conversations.axolotl'/>"
                      "<body>I sent you an encrypted message</body></message>",
                      id);
}

static void
test_encrypted (void)
{
  BeckonXmppCase self;
  g_autofree char *id = NULL;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  write_encrypted (&self, "a1");
  beckon_xmpp_case_write (&self, "a2", "plain");
  beckon_xmpp_case_wait (&self, 1);
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 0)->text, ==, "plain");
  id = beckon_xmpp_case_send (&self, "Hello", NULL);
  beckon_prosody_wait (self.prosody, "<body>Hello</body>");
  g_assert_null (strstr (self.prosody->said->str, "OMEMO"));
  write_encrypted (&self, "a3");
  write_encrypted (&self, "a4");
  beckon_prosody_wait (self.prosody, "Turn OMEMO off for this chat");
  beckon_xmpp_case_write (&self, "a5", "again");
  beckon_xmpp_case_wait (&self, 2);
  g_free (beckon_xmpp_case_send (&self, "Last", NULL));
  beckon_prosody_wait (self.prosody, "<body>Last</body>");
  g_assert_cmpuint (beckon_prosody_count (self.prosody, "OMEMO"), ==, 1);
  beckon_xmpp_case_close (&self);
}

static void
test_ids (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_write (&self, "a1", "one");
  beckon_xmpp_case_write (&self, "a1", "one");
  beckon_xmpp_case_write (&self, "a1", "two");
  beckon_prosody_say (self.prosody, "<message type='chat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
                                    "'><body>three</body></message>");
  beckon_prosody_say (self.prosody, "<message type='chat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
                                    "'><body>three</body></message>");
  beckon_prosody_say (self.prosody,
                      "<message type='chat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
                      "' id='a2'><body>four</body>"
                      "<stanza-id xmlns='urn:xmpp:sid:0' by='" BECKON_XMPP_ANNA "' id='same'/></message>");
  beckon_prosody_say (self.prosody,
                      "<message type='chat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
                      "' id='a3'><body>five</body>"
                      "<stanza-id xmlns='urn:xmpp:sid:0' by='" BECKON_XMPP_ANNA "' id='same'/></message>");
  beckon_xmpp_case_wait (&self, 7);
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 0)->id, ==, beckon_xmpp_case_get (&self, 1)->id);
  for (guint i = 2; i < 7; i++)
    g_assert_cmpstr (beckon_xmpp_case_get (&self, i - 1)->id, !=, beckon_xmpp_case_get (&self, i)->id);
  beckon_xmpp_case_close (&self);
}

/* Servers with an archive name a message themselves, whatever its sender calls it. */
static void
test_server_ids (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good",
                              "modules_enabled = { \"roster\", \"saslauth\", \"tls\", \"smacks\", \"mam\" }\n"))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_write (&self, "a1", "one");
  beckon_xmpp_case_write (&self, "a1", "one");
  beckon_xmpp_case_wait (&self, 2);
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 0)->id, !=, beckon_xmpp_case_get (&self, 1)->id);
  beckon_xmpp_case_close (&self);
}

static void
test_replies (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_prosody_say (
      self.prosody,
      "<message type='chat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
      "' id='a1'><body>&gt; 哪个?\n好</body>"
      "<reply xmlns='urn:xmpp:reply:0' to='" BECKON_XMPP_ACCOUNT "' id='q7'/>"
      "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'><body start='0' end='6'/></fallback></message>");
  beckon_prosody_say (
      self.prosody,
      "<message type='chat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT "' id='a2'><body>short</body>"
      "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'><body start='2' end='600'/></fallback></message>");
  beckon_xmpp_case_wait (&self, 2);
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 0)->text, ==, "好");
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 0)->quote, ==, "q7");
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 1)->text, ==, "short");
  beckon_xmpp_case_close (&self);
}

/* Stanzas that are no message of a chat to the account are not looked at, and hold up none that is. */
static void
test_ignored (void)
{
  static const char *const stanzas[] = {
    "<message type='groupchat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
    "' id='b1'><body>no</body></message>",
    "<message type='headline' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
    "' id='b2'><body>no</body></message>",
    "<message from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT "' id='b3'><body>no</body></message>",
    "<message type='error' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
    "' id='b4'><body>no</body><error type='cancel'/></message>",
    "<message type='chat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
    "' id='b5'><body>no</body><x xmlns='http://jabber.org/protocol/muc#user'/></message>",
    "<message type='chat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
    "' id='b6'><composing xmlns='http://jabber.org/protocol/chatstates'/></message>",
    "<message type='chat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
    "' id='b7'><received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
    "<message type='chat' from='eve@elsewhere.test' to='" BECKON_XMPP_ACCOUNT
    "'><body>no</body></message></forwarded></received></message>",
    "<message type='chat' from='" BECKON_PROSODY_PEERS "' to='" BECKON_XMPP_ACCOUNT
    "' id='b8'><body>no</body></message>",
    "<iq type='set' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
    "/Beckon' id='b9'><query xmlns='jabber:iq:roster'><item jid='" BECKON_XMPP_ANNA
    "' subscription='both'/></query></iq>",
    "<iq type='get' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
    "/Beckon' id='b10'><ping xmlns='urn:xmpp:ping'/></iq>",
    "<message type='chat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT
    "' id='b11'><body>no</body><retract xmlns='urn:xmpp:message-retract:1' id='b1'/>"
    "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:message-retract:1'/></message>",
    "<message type='chat' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT "' id='b12'><body></body></message>",
    "<presence type='subscribe' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT "'/>",
  };
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  for (guint i = 0; i < G_N_ELEMENTS (stanzas); i++)
    beckon_prosody_say (self.prosody, "%s", stanzas[i]);
  beckon_xmpp_case_ask_receipt (&self, "a1");
  beckon_xmpp_case_wait (&self, 1);
  g_assert_cmpstr (beckon_xmpp_case_get (&self, 0)->text, ==, "Hi");

  /* The contact list that a stranger sent did not make it one. */
  g_free (beckon_xmpp_case_send (&self, "Last", NULL));
  beckon_prosody_wait (self.prosody, "<body>Last</body>");
  g_assert_null (strstr (self.prosody->said->str, "<received"));
  g_assert_null (strstr (self.prosody->said->str, "type='result'"));
  g_assert_cmpuint (beckon_prosody_count (self.prosody, "id='b9'"), ==, 1);
  g_assert_cmpuint (beckon_prosody_count (self.prosody, "id='b10'"), ==, 1);
  beckon_xmpp_case_close (&self);
}

/* The first answer makes a contact, on both sides, and what contacts ask the client is answered. */
static void
test_contacts (void)
{
  BeckonXmppCase self;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_prosody_say (self.prosody,
                      "<presence type='subscribe' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT "'/>");
  beckon_xmpp_case_write (&self, "a1", "code");
  beckon_xmpp_case_wait (&self, 1);
  g_assert_null (strstr (self.prosody->said->str, "subscribed"));
  g_free (beckon_xmpp_case_send (&self, "Paired", NULL));
  beckon_prosody_wait (self.prosody, "type='subscribe'");
  beckon_prosody_wait (self.prosody, "type='subscribed'");
  beckon_prosody_say (self.prosody,
                      "<iq type='get' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT "/Beckon' id='b1'>"
                      "<query xmlns='http://jabber.org/protocol/disco#info'/></iq>");
  beckon_prosody_wait (self.prosody, "urn:xmpp:message-correct:0");
  beckon_prosody_say (self.prosody,
                      "<presence type='subscribed' from='" BECKON_XMPP_ANNA "' to='" BECKON_XMPP_ACCOUNT "'/>");

  /* After a new start the server still knows. */
  beckon_channel_adapter_stop (self.adapter);
  beckon_prosody_clear (self.prosody);
  beckon_xmpp_case_begin (&self);
  beckon_xmpp_case_ask_receipt (&self, "a2");
  beckon_prosody_wait (self.prosody, "<displayed");
  g_assert_null (strstr (self.prosody->said->str, "type='subscribe'"));
  beckon_xmpp_case_close (&self);
}

static void
test_bounce (void)
{
  BeckonXmppCase self;
  g_autoptr (BeckonChannelOutgoing) outgoing
      = beckon_channel_outgoing_new (NULL, "nobody@" BECKON_PROSODY_DOMAIN, "A question", "Hi");
  char *end = NULL;

  if (!beckon_xmpp_case_open (&self, "good", NULL))
    return;
  beckon_xmpp_case_begin (&self);
  beckon_channel_adapter_send_async (self.adapter, outgoing, NULL, beckon_xmpp_case_on_sent, &end);
  beckon_xmpp_case_wait_end (&end);
  g_assert_cmpstr (end, ==, "! The server could not deliver the message to this address.");
  g_free (end);
  beckon_xmpp_case_close (&self);
}

static void
test_kind (void)
{
  static const char *const wrong[] = {
    "{}",
    "{\"address\":\"\"}",
    "{\"address\":\"beckon\"}",
    "{\"address\":\"beckon@\"}",
    "{\"address\":\"@example.org\"}",
    "{\"address\":\"a@b@example.org\"}",
    "{\"address\":\"a b@example.org\"}",
    "{\"address\":\"beckon@example.org/phone\"}",
    "{\"address\":\"beckon@example.org\",\"host\":\"two words\"}",
    "{\"address\":\"beckon@example.org\",\"port\":\"65536\"}",
    "{\"address\":\"beckon@example.org\",\"port\":\"x\"}",
  };
  g_autoptr (JsonObject) good
      = beckon_json_parse_object ("{\"address\":\"Beckon@Example.org\",\"host\":\"\",\"port\":\"\"}", -1, NULL);
  g_autoptr (BeckonChannelAdapter) adapter = beckon_channel_kind_make_adapter (&beckon_xmpp_kind);
  g_autofree char *server = beckon_channel_adapter_dup_server (adapter, good);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (JsonObject) config = beckon_json_parse_object (wrong[i], -1, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_false (beckon_channel_kind_check (&beckon_xmpp_kind, config, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
  g_assert_true (beckon_channel_kind_check (&beckon_xmpp_kind, good, NULL));
  g_assert_cmpstr (server, ==, "https://example.org:5222");
  g_assert_true (beckon_channel_kind_find ("xmpp") == &beckon_xmpp_kind);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/channels/xmpp/both-ways", test_both_ways);
  g_test_add_func ("/channels/xmpp/scram", test_scram);
  g_test_add_func ("/channels/xmpp/plain", test_plain);
  g_test_add_func ("/channels/xmpp/refused-scram", test_refused_scram);
  g_test_add_func ("/channels/xmpp/refused-plain", test_refused_plain);
  g_test_add_func ("/channels/xmpp/no-password", test_no_password);
  g_test_add_func ("/channels/xmpp/no-mechanism", test_no_mechanism);
  g_test_add_func ("/channels/xmpp/self-signed", test_self_signed);
  g_test_add_func ("/channels/xmpp/elsewhere", test_elsewhere);
  g_test_add_func ("/channels/xmpp/unencrypted", test_unencrypted);
  g_test_add_func ("/channels/xmpp/not-found", test_not_found);
  g_test_add_func ("/channels/xmpp/nobody-there", test_nobody_there);
  g_test_add_func ("/channels/xmpp/text", test_text);
  g_test_add_func ("/channels/xmpp/edit", test_edit);
  g_test_add_func ("/channels/xmpp/typing", test_typing);
  g_test_add_func ("/channels/xmpp/receipts", test_receipts);
  g_test_add_func ("/channels/xmpp/encrypted", test_encrypted);
  g_test_add_func ("/channels/xmpp/ids", test_ids);
  g_test_add_func ("/channels/xmpp/server-ids", test_server_ids);
  g_test_add_func ("/channels/xmpp/replies", test_replies);
  g_test_add_func ("/channels/xmpp/ignored", test_ignored);
  g_test_add_func ("/channels/xmpp/contacts", test_contacts);
  g_test_add_func ("/channels/xmpp/bounce", test_bounce);
  g_test_add_func ("/channels/xmpp/kind", test_kind);
  return g_test_run ();
}
