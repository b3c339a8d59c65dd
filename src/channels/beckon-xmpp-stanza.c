/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-xmpp-stanza.h"

#include "base/beckon-text.h"

#include <string.h>

static char *xmpp_make_text (const char *text);

/* The most bytes of each of an address's parts. */
#define LONGEST_PART 1023

#define CLIENT_NODE "https://github.com/beckon/Beckon"
#define NS_CHAT_STATES "http://jabber.org/protocol/chatstates"
#define NS_CORRECTION "urn:xmpp:message-correct:0"
#define NS_ERRORS "urn:ietf:params:xml:ns:xmpp-stanzas"

/* Sorted, as the hash of them wants it. */
static const char *const features[] = {
  NS_CHAT_STATES, BECKON_XMPP_NS_INFO, BECKON_XMPP_NS_FILES,    BECKON_XMPP_NS_MARKERS,
  NS_CORRECTION,  BECKON_XMPP_NS_PING, BECKON_XMPP_NS_RECEIPTS, BECKON_XMPP_NS_REPLY,
};

BeckonXmppIn *
beckon_xmpp_in_new (BeckonXmppInKind kind, const char *from)
{
  BeckonXmppIn *in = g_new0 (BeckonXmppIn, 1);

  in->kind = kind;
  in->from = g_strdup (from != NULL ? from : "");
  return in;
}

void
beckon_xmpp_in_free (BeckonXmppIn *in)
{
  g_free (in->from);
  g_free (in->id);
  g_free (in->server_id);
  g_free (in->body);
  g_strfreev (in->files);
  g_free (in->reply_to);
  g_free (in->query);
  g_free (in->node);
  g_free (in->condition);
  g_strfreev (in->contacts);
  g_free (in);
}

BeckonXmppOut *
beckon_xmpp_out_new (BeckonXmppOutKind kind, const char *to, const char *id)
{
  BeckonXmppOut *out = g_new0 (BeckonXmppOut, 1);

  out->kind = kind;
  out->to = g_strdup (to);
  out->id = g_strdup (id);
  return out;
}

void
beckon_xmpp_out_free (BeckonXmppOut *out)
{
  g_free (out->to);
  g_free (out->id);
  g_free (out->body);
  g_free (out->refers);
  g_free (out);
}

/* --- As XML ------------------------------------------------------------------------------------------------------- */

static char *
make_chat (const BeckonXmppOut *out)
{
  g_autofree char *body = xmpp_make_text (out->body);
  g_autofree char *replace = out->refers != NULL
                                 ? g_markup_printf_escaped ("<replace xmlns='" NS_CORRECTION "' id='%s'/>", out->refers)
                                 : NULL;
  g_autofree char *message = g_markup_printf_escaped (
      "<message type='chat' to='%s' id='%s'><body>%s</body><active xmlns='" NS_CHAT_STATES "'/>"
      "<request xmlns='" BECKON_XMPP_NS_RECEIPTS "'/><markable xmlns='" BECKON_XMPP_NS_MARKERS "'/>"
      "<origin-id xmlns='" BECKON_XMPP_NS_IDS "' id='%s'/>",
      out->to, out->id, body, out->id);

  return g_strconcat (message, replace != NULL ? replace : "", "</message>", NULL);
}

/* A message without a text, that says @name, of the message it refers to if there is one. */
static char *
make_note (const BeckonXmppOut *out, const char *name, const char *namespace)
{
  g_autofree char *id = out->refers != NULL ? g_markup_printf_escaped (" id='%s'", out->refers) : g_strdup ("");
  g_autofree char *head = g_markup_printf_escaped ("<message type='chat' to='%s' id='%s'>", out->to, out->id);

  return g_strdup_printf ("%s<%s xmlns='%s'%s/></message>", head, name, namespace, id);
}

static char *
make_presence (void)
{
  g_autoptr (GString) text = g_string_new ("client/bot//Beckon<");
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA1);
  guint8 digest[20];
  gsize length = sizeof digest;
  g_autofree char *hash = NULL;

  /* The hash by which clients remember what others can do. */
  for (guint i = 0; i < G_N_ELEMENTS (features); i++)
    g_string_append_printf (text, "%s<", features[i]);
  g_checksum_update (sum, (const guchar *)text->str, (gssize)text->len);
  g_checksum_get_digest (sum, digest, &length);
  hash = g_base64_encode (digest, length);

  return g_strdup_printf ("<presence><c xmlns='http://jabber.org/protocol/caps' hash='sha-1' node='" CLIENT_NODE
                          "' ver='%s'/></presence>",
                          hash);
}

static char *
make_subscription (const BeckonXmppOut *out, const char *type)
{
  return g_markup_printf_escaped ("<presence type='%s' to='%s'/>", type, out->to);
}

/* @content: XML. */
static char *
make_iq (const BeckonXmppOut *out, const char *type, const char *content)
{
  g_autofree char *to
      = out->to != NULL && *out->to != '\0' ? g_markup_printf_escaped (" to='%s'", out->to) : g_strdup ("");
  g_autofree char *id = g_markup_printf_escaped ("id='%s'", out->id);

  return g_strdup_printf ("<iq type='%s' %s%s>%s</iq>", type, id, to, content);
}

/* Which of a client's states is asked about is repeated; there is one alone. */
static char *
make_features (const BeckonXmppOut *out)
{
  g_autofree char *node = out->refers != NULL ? g_markup_printf_escaped (" node='%s'", out->refers) : g_strdup ("");
  g_autoptr (GString) query = g_string_new (NULL);

  g_string_append_printf (query,
                          "<query xmlns='" BECKON_XMPP_NS_INFO "'%s>"
                          "<identity category='client' type='bot' name='Beckon'/>",
                          node);
  for (guint i = 0; i < G_N_ELEMENTS (features); i++)
    g_string_append_printf (query, "<feature var='%s'/>", features[i]);
  g_string_append (query, "</query>");
  return make_iq (out, "result", query->str);
}

char *
beckon_xmpp_out_to_xml (const BeckonXmppOut *out)
{
  switch (out->kind)
    {
    case BECKON_XMPP_OUT_CHAT:
      return make_chat (out);
    case BECKON_XMPP_OUT_RECEIPT:
      return make_note (out, "received", BECKON_XMPP_NS_RECEIPTS);
    case BECKON_XMPP_OUT_DISPLAYED:
      return make_note (out, "displayed", BECKON_XMPP_NS_MARKERS);
    case BECKON_XMPP_OUT_COMPOSING:
      return make_note (out, "composing", NS_CHAT_STATES);
    case BECKON_XMPP_OUT_ACTIVE:
      return make_note (out, "active", NS_CHAT_STATES);
    case BECKON_XMPP_OUT_PRESENCE:
      return make_presence ();
    case BECKON_XMPP_OUT_SUBSCRIBE:
      return make_subscription (out, "subscribe");
    case BECKON_XMPP_OUT_SUBSCRIBED:
      return make_subscription (out, "subscribed");
    case BECKON_XMPP_OUT_FORGET:
      /* The server ends what each sees of the other. */
      return g_markup_printf_escaped ("<iq type='set' id='%s'><query xmlns='jabber:iq:roster'>"
                                      "<item jid='%s' subscription='remove'/></query></iq>",
                                      out->id, out->to);
    case BECKON_XMPP_OUT_CONTACTS:
      return g_strdup ("<iq type='get' id='" BECKON_XMPP_CONTACTS_ID "'><query xmlns='jabber:iq:roster'/></iq>");
    case BECKON_XMPP_OUT_PING:
      return make_iq (out, "get", "<ping xmlns='" BECKON_XMPP_NS_PING "'/>");
    case BECKON_XMPP_OUT_FEATURES:
      return make_features (out);
    case BECKON_XMPP_OUT_DONE:
      return make_iq (out, "result", "");
    case BECKON_XMPP_OUT_UNAVAILABLE:
      return make_iq (out, "error", "<error type='cancel'><service-unavailable xmlns='" NS_ERRORS "'/></error>");
    default:
      g_return_val_if_reached (NULL);
    }
}

/* --- Addresses and texts ------------------------------------------------------------------------------------------ */

char *
beckon_xmpp_dup_bare (const char *address)
{
  return g_strndup (address, strcspn (address, "/"));
}

char *
beckon_xmpp_dup_domain (const char *address)
{
  g_autofree char *bare = beckon_xmpp_dup_bare (address);
  const char *at = strchr (bare, '@');

  return at != NULL && at[1] != '\0' ? g_ascii_strdown (at + 1, -1) : NULL;
}

gboolean
beckon_xmpp_is_account (const char *address)
{
  const char *at = strchr (address, '@');

  return at != NULL && at > address && at - address <= LONGEST_PART && at[1] != '\0' && strlen (at + 1) <= LONGEST_PART
         && strpbrk (at + 1, "@/ \t\r\n\"&'<>:") == NULL
         && strcspn (address, "/ \t\r\n\"&'<>:") >= (gsize)(at - address) && g_utf8_validate (address, -1, NULL);
}

/* @text with U+FFFD for what no XML document may hold, of which one would end the connection. Caller frees. */
static char *
xmpp_make_text (const char *text)
{
  g_autofree char *valid = beckon_text_make_valid (text, -1, NULL);
  GString *out = g_string_new (NULL);

  for (const char *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      g_string_append_unichar (out, (c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xfffe && c != 0xffff))
                                        ? c
                                        : BECKON_TEXT_REPLACEMENT);
    }
  return g_string_free (out, FALSE);
}

char *
beckon_xmpp_take_out (const char *text, guint64 start, guint64 end)
{
  const char *from;
  const char *to;

  if (!g_utf8_validate (text, -1, NULL) || start >= end || end > (guint64)g_utf8_strlen (text, -1))
    return g_strdup (text);
  from = g_utf8_offset_to_pointer (text, (glong)start);
  to = g_utf8_offset_to_pointer (from, (glong)(end - start));
  return g_strdup_printf ("%.*s%s", (int)(from - text), text, to);
}

gint64
beckon_xmpp_read_time (const char *stamp)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (stamp, utc);

  return time != NULL ? g_date_time_to_unix (time) * G_USEC_PER_SEC + g_date_time_get_microsecond (time) : 0;
}
