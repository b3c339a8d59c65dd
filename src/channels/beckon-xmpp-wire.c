/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-xmpp-wire.h"

#include "base/beckon-wipe.h"
#include "beckon-xmpp-file.h"
#include "channels/beckon-channel-message.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strophe.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/** The most that libstrophe may hold: servers limit a stanza to a quarter of a megabyte, libstrophe does not. */
#define BECKON_XMPP_MEMORY_MAX (4 * 1024 * 1024)

/*
 @bytes: how much is taken now
 * @most: how much may be
 * @on_full: called when it is more; what is asked for is given all the same
 * @user_data: for @on_full
 *
 * What a library takes that has no limits itself. Filled in by its owner. One thread.
 */
typedef struct
{
  gsize bytes;
  gsize most;
  void (*on_full) (gpointer user_data);
  gpointer user_data;
} BeckonXmppMemory;

/* Each step over the limit is told: the first may come before there is anything to end. */
static void *
xmpp_memory_take (BeckonXmppMemory *self, void *block)
{
  self->bytes += malloc_usable_size (block);
  if (self->bytes > self->most)
    self->on_full (self->user_data);
  return block;
}

/* As malloc(), free() and realloc(), and never %NULL. @memory: a #BeckonXmppMemory. */
static void *
xmpp_memory_allocate (size_t size, void *memory)
{
  return xmpp_memory_take (memory, g_malloc (MAX (size, 1)));
}

static void
xmpp_memory_free (void *block, void *memory)
{
  BeckonXmppMemory *self = memory;

  self->bytes -= malloc_usable_size (block);
  g_free (block);
}

static void *
xmpp_memory_reallocate (void *block, size_t size, void *memory)
{
  BeckonXmppMemory *self = memory;

  self->bytes -= malloc_usable_size (block);
  return xmpp_memory_take (self, g_realloc (block, MAX (size, 1)));
}

/*
 * The threads that speak XMPP. The libraries of TLS take themselves apart as the process ends, in which no thread may still use
 * them, nor still have to let go of what they keep for each thread: all threads are joined before.
 */

#define FAREWELL_US G_TIME_SPAN_SECOND

typedef struct
{
  gpointer data;
  void (*close) (gpointer data);
  GThread *thread; /* (owned) */
} Live;

static GMutex mutex;
static GCond cond;
static GList *live;  /* (owned) (element-type Live) */
static GList *ended; /* (owned) (element-type GThread): they have nothing left to do but to end */

static void
join_ended (void)
{
  GList *list;

  g_mutex_lock (&mutex);
  list = g_steal_pointer (&ended);
  g_mutex_unlock (&mutex);
  for (GList *each = list; each != NULL; each = each->next)
    g_thread_join (each->data);
  g_list_free (list);
}

static void
xmpp_threads_start (GThreadFunc run, gpointer data, void (*close) (gpointer data))
{
  Live *self = g_new0 (Live, 1);

  join_ended ();
  self->data = data;
  self->close = close;
  g_mutex_lock (&mutex);
  live = g_list_prepend (live, self);
  /* A thread that ends at once waits for the lock. */
  self->thread = g_thread_new ("beckon-xmpp", run, data);
  g_mutex_unlock (&mutex);
}

static gint
compare_data (gconstpointer self, gconstpointer data)
{
  return ((const Live *) self)->data == data ? 0 : 1;
}

/* The thread of @data ends; from itself. */
static void
xmpp_threads_note_end (gpointer data)
{
  GList *found;
  Live *self;

  g_mutex_lock (&mutex);
  found = g_list_find_custom (live, data, compare_data);
  self = found->data;
  live = g_list_delete_link (live, found);
  ended = g_list_prepend (ended, self->thread);
  g_free (self);
  g_cond_signal (&cond);
  g_mutex_unlock (&mutex);
}

/* Closes what lives and waits for it, a second at most. For atexit(). */
static void
xmpp_threads_finish (void)
{
  gint64 until = g_get_monotonic_time () + FAREWELL_US;

  g_mutex_lock (&mutex);
  for (GList *each = live; each != NULL; each = each->next)
    ((const Live *) each->data)->close (((const Live *) each->data)->data);
  while (live != NULL && g_cond_wait_until (&cond, &mutex, until))
    continue;
  g_mutex_unlock (&mutex);
  join_ended ();
}

/* The reads of libstrophe's after which TLS cannot hold back a part of a record: 16 KiB in pieces of 4 KiB. */
#define READS_OF_A_RECORD 4
/* While something is under way, its own limits are looked at this often. */
#define STEP_MS 500
/* A server that knows stream management confirms it before that. */
#define MANAGEMENT_US (2 * G_TIME_SPAN_SECOND)

#define NS_AXOLOTL "eu.siacs.conversations.axolotl"
#define NS_DELAY "urn:xmpp:delay"
#define NS_ENCRYPTION "urn:xmpp:eme:0"
#define NS_FALLBACK "urn:xmpp:fallback:0"
#define NS_OMEMO "urn:xmpp:omemo:2"
#define NS_OPENPGP "jabber:x:encrypted"
#define NS_ROOM "http://jabber.org/protocol/muc#user"

typedef struct
{
  char *address;
  char *password;
  char *host;
  guint16 port;
  gboolean is_direct;
} Target;

typedef struct
{
  guint64 number;
  guint64 index;
} Sent;

typedef struct
{
  Target *target;     /* (nullable): to connect to */
  BeckonXmppOut *out; /* (nullable): to send */
  guint64 number;
} Command;

/* The server's word on stream management. */
typedef enum
{
  SESSION_UNKNOWN,
  SESSION_MANAGED,
  SESSION_RESUMED,
  SESSION_UNMANAGED,
} Session;

struct _BeckonXmppWire
{
  gatomicrefcount references;
  BeckonXmppMailbox *mailbox;
  guint64 last_number; /* main thread */

  GMutex mutex;
  GCond cond;
  GQueue commands;
  guint unstored;
  gboolean is_closing;
  gboolean is_online;
  int socket; /* a second descriptor of the connection's; -1 without one */
  int wake;

  /* The rest is the thread's. */
  BeckonXmppMemory memory;
  xmpp_mem_t functions;
  xmpp_log_t log;
  xmpp_ctx_t *context;
  xmpp_conn_t *connection;
  Target *target;
  char *own;
  guint steps; /* without waiting */
  gboolean is_reached;
  gboolean is_secured;
  gboolean is_bound;
  gint64 bound_at;
  gboolean is_resuming;
  gboolean is_skewed; /* libstrophe counts what is under way wrongly */
  gboolean is_stale;  /* it was to be resumed, and is a new session */
  Session session;
  guint64 resumed_at;
  gboolean is_managed;
  gboolean is_over;
  gboolean is_abandoned;
  gboolean is_large;
  BeckonXmppFault refusal; /* of the password; BECKON_XMPP_FAULT_UNREACHED while there is none */
  gboolean can_resume;
  char *certificate;
  BeckonXmppFault fault;
  guint64 sent;
  GQueue unaccepted;
};

static void
target_free (Target *target)
{
  g_free (target->address);
  beckon_wipe (target->password);
  g_free (target->host);
  g_free (target);
}

static void
command_free (gpointer data)
{
  Command *command = data;

  g_clear_pointer (&command->target, target_free);
  g_clear_pointer (&command->out, beckon_xmpp_out_free);
  g_free (command);
}

static void
wire_unref (BeckonXmppWire *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_queue_clear_full (&self->commands, command_free);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  close (self->wake);
  beckon_xmpp_mailbox_unref (self->mailbox);
  g_free (self);
}

static void
wake_up (BeckonXmppWire *self)
{
  const guint64 one = 1;

  g_cond_signal (&self->cond);
  while (write (self->wake, &one, sizeof one) < 0 && errno == EINTR)
    continue;
}

/* A handshake waits for the socket alone; what waits for a server that is signed in to ends by itself. */
static void
begin_closing (gpointer data)
{
  BeckonXmppWire *self = data;

  g_mutex_lock (&self->mutex);
  self->is_closing = TRUE;
  if (!self->is_online && self->socket >= 0)
    shutdown (self->socket, SHUT_RDWR);
  wake_up (self);
  g_mutex_unlock (&self->mutex);
}

/* --- Stanzas that come -------------------------------------------------------------------------------------------- */

static char *
xmpp_wire_take_string (BeckonXmppWire *self, char *text)
{
  char *copy = g_strdup (text);

  if (text != NULL)
    xmpp_free (self->context, text);
  return copy;
}

static gboolean
has (xmpp_stanza_t *stanza, const char *name, const char *namespace)
{
  return xmpp_stanza_get_child_by_name_and_ns (stanza, name, namespace) != NULL;
}

static gboolean
is_encrypted (xmpp_stanza_t *stanza)
{
  return has (stanza, "encrypted", NS_AXOLOTL) || has (stanza, "encrypted", NS_OMEMO)
         || has (stanza, "encryption", NS_ENCRYPTION) || has (stanza, "x", NS_OPENPGP);
}

/* Whether it comes from the account itself, for which its server speaks, or from that server. */
static gboolean
is_own (BeckonXmppWire *self, xmpp_stanza_t *stanza)
{
  const char *from = xmpp_stanza_get_from (stanza);

  return from == NULL || g_ascii_strcasecmp (from, self->own) == 0;
}

static char *
dup_server_id (BeckonXmppWire *self, xmpp_stanza_t *stanza)
{
  for (xmpp_stanza_t *child = xmpp_stanza_get_children (stanza); child != NULL; child = xmpp_stanza_get_next (child))
    {
      const char *by = xmpp_stanza_get_attribute (child, "by");

      if (g_strcmp0 (xmpp_stanza_get_name (child), "stanza-id") == 0
          && g_strcmp0 (xmpp_stanza_get_ns (child), BECKON_XMPP_NS_IDS) == 0 && by != NULL
          && g_ascii_strcasecmp (by, self->own) == 0)
        return g_strdup (xmpp_stanza_get_id (child));
    }
  return NULL;
}

static guint64
xmpp_wire_get_number (xmpp_stanza_t *stanza, const char *name)
{
  const char *text = xmpp_stanza_get_attribute (stanza, name);
  guint64 number = 0;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &number, NULL))
    return 0;
  return number;
}

/* A text for clients that know no better. In front of a reply it repeats the other message, and its place is told; for
 * all else, such as messages that are taken back, it is nobody's words: (nullable). */
static char *
dup_own_words (const char *body, xmpp_stanza_t *stanza)
{
  xmpp_stanza_t *fallback = xmpp_stanza_get_child_by_name_and_ns (stanza, "fallback", NS_FALLBACK);
  xmpp_stanza_t *place = fallback != NULL ? xmpp_stanza_get_child_by_name (fallback, "body") : NULL;

  if (fallback != NULL && g_strcmp0 (xmpp_stanza_get_attribute (fallback, "for"), BECKON_XMPP_NS_REPLY) != 0)
    return NULL;
  return place != NULL ? beckon_xmpp_take_out (body, xmpp_wire_get_number (place, "start"), xmpp_wire_get_number (place, "end"))
                       : g_strdup (body);
}

/* XEP-0066. */
static char **
read_files (BeckonXmppWire *self, xmpp_stanza_t *stanza)
{
  g_autoptr (GStrvBuilder) files = g_strv_builder_new ();
  xmpp_stanza_t *child = xmpp_stanza_get_children (stanza);
  guint n = 0;

  for (; child != NULL && n < BECKON_CHANNEL_MAX_ATTACHMENTS; child = xmpp_stanza_get_next (child))
    {
      gboolean is_file = g_strcmp0 (xmpp_stanza_get_ns (child), BECKON_XMPP_NS_FILES) == 0;
      xmpp_stanza_t *place = is_file ? xmpp_stanza_get_child_by_name (child, "url") : NULL;
      g_autofree char *url = place != NULL ? xmpp_wire_take_string (self, xmpp_stanza_get_text (place)) : NULL;

      if (url == NULL || !beckon_xmpp_file_is_address (url))
        continue;
      g_strv_builder_add (files, url);
      n++;
    }
  return n > 0 ? g_strv_builder_end (files) : NULL;
}

static BeckonXmppIn *
read_chat (BeckonXmppWire *self, xmpp_stanza_t *stanza)
{
  xmpp_stanza_t *reply = xmpp_stanza_get_child_by_name_and_ns (stanza, "reply", BECKON_XMPP_NS_REPLY);
  g_autofree char *body = xmpp_wire_take_string (self, xmpp_message_get_body (stanza));
  g_autofree char *own = body != NULL ? dup_own_words (body, stanza) : NULL;
  g_auto (GStrv) files = !is_encrypted (stanza) ? read_files (self, stanza) : NULL;
  BeckonXmppIn *in;
  xmpp_stanza_t *delay;
  const char *stamp;

  if (own != NULL && (*own == '\0' || beckon_xmpp_file_repeats (files, own)))
    g_clear_pointer (&own, g_free);
  if (own == NULL && files == NULL && !is_encrypted (stanza))
    return NULL;
  in = beckon_xmpp_in_new (BECKON_XMPP_IN_CHAT, xmpp_stanza_get_from (stanza));
  in->id = g_strdup (xmpp_stanza_get_id (stanza));
  in->server_id = dup_server_id (self, stanza);
  in->body = g_steal_pointer (&own);
  in->files = g_steal_pointer (&files);
  in->reply_to = reply != NULL ? g_strdup (xmpp_stanza_get_id (reply)) : NULL;
  delay = xmpp_stanza_get_child_by_name_and_ns (stanza, "delay", NS_DELAY);
  stamp = delay != NULL ? xmpp_stanza_get_attribute (delay, "stamp") : NULL;
  in->at = stamp != NULL ? beckon_xmpp_read_time (stamp) : 0;
  in->is_encrypted = is_encrypted (stanza);
  in->wants_receipt = has (stanza, "request", BECKON_XMPP_NS_RECEIPTS);
  in->is_markable = has (stanza, "markable", BECKON_XMPP_NS_MARKERS);
  return in;
}

/* Waits while more than @most messages are on their way to the store. */
static void
wait_for_store (BeckonXmppWire *self, guint most)
{
  g_mutex_lock (&self->mutex);
  while (self->unstored > most && !self->is_closing)
    g_cond_wait (&self->cond, &self->mutex);
  self->is_abandoned |= self->unstored > most;
  g_mutex_unlock (&self->mutex);
}

/* Copies of what other clients of the account sent and got have another message inside, and no text of their own. A connection
 * that was cut because too much came may still bring all of it, where the system had taken it before. */
static int
on_message (xmpp_conn_t *connection, xmpp_stanza_t *stanza, void *user_data)
{
  BeckonXmppWire *self = user_data;
  const char *type = xmpp_stanza_get_type (stanza);
  BeckonXmppIn *in = NULL;

  if (self->is_large)
    return 1;
  if (g_strcmp0 (type, "error") == 0)
    {
      xmpp_stanza_t *error = xmpp_stanza_get_child_by_name (stanza, "error");
      xmpp_stanza_t *condition = error != NULL ? xmpp_stanza_get_child_by_ns (error, XMPP_NS_STANZAS_IETF) : NULL;
      BeckonXmppIn *bounce = beckon_xmpp_in_new (BECKON_XMPP_IN_BOUNCE, xmpp_stanza_get_from (stanza));

      bounce->id = g_strdup (xmpp_stanza_get_id (stanza));
      bounce->condition = condition != NULL ? g_strdup (xmpp_stanza_get_name (condition)) : NULL;
      beckon_xmpp_mailbox_received (self->mailbox, bounce);
    }
  else if (g_strcmp0 (type, "chat") == 0 && !is_own (self, stanza) && !has (stanza, "x", NS_ROOM))
    in = read_chat (self, stanza);
  if (in != NULL)
    {
      wait_for_store (self, BECKON_XMPP_MAX_UNSTORED - 1);
      g_mutex_lock (&self->mutex);
      self->unstored++;
      g_mutex_unlock (&self->mutex);
      beckon_xmpp_mailbox_received (self->mailbox, in);
    }
  return 1;
}

static int
on_presence (xmpp_conn_t *connection, xmpp_stanza_t *stanza, void *user_data)
{
  BeckonXmppWire *self = user_data;

  if (g_strcmp0 (xmpp_stanza_get_type (stanza), "subscribe") == 0)
    beckon_xmpp_mailbox_received (self->mailbox,
                                  beckon_xmpp_in_new (BECKON_XMPP_IN_SUBSCRIBE, xmpp_stanza_get_from (stanza)));
  return 1;
}

static gboolean
is_contact (xmpp_stanza_t *item)
{
  const char *subscription = xmpp_stanza_get_attribute (item, "subscription");

  return g_strcmp0 (subscription, "to") == 0 || g_strcmp0 (subscription, "both") == 0
         || g_strcmp0 (xmpp_stanza_get_attribute (item, "ask"), "subscribe") == 0;
}

/* --- What the server has ------------------------------------------------------------------------------------------ */

static void
accept_up_to (BeckonXmppWire *self, guint64 index)
{
  guint64 number = 0;

  while (!g_queue_is_empty (&self->unaccepted) && ((Sent *)g_queue_peek_head (&self->unaccepted))->index <= index)
    {
      g_autofree Sent *sent = g_queue_pop_head (&self->unaccepted);

      number = MAX (number, sent->number);
    }
  if (number != 0)
    beckon_xmpp_mailbox_accepted (self->mailbox, number);
}

static void
go_online (BeckonXmppWire *self, gboolean is_resumed, gboolean is_managed)
{
  if (!is_resumed)
    {
      self->sent = 0;
      self->is_skewed = FALSE;
      g_queue_clear_full (&self->unaccepted, g_free);
    }
  self->is_managed = is_managed;
  g_mutex_lock (&self->mutex);
  self->is_online = TRUE;
  g_mutex_unlock (&self->mutex);
  beckon_xmpp_mailbox_online (self->mailbox, is_resumed);
}

/* After this returns, libstrophe answers a request with how much came, and the server forgets it: all of it is stored
 * then. */
static int
on_management (xmpp_conn_t *connection, xmpp_stanza_t *stanza, void *user_data)
{
  BeckonXmppWire *self = user_data;
  const char *name = xmpp_stanza_get_name (stanza);

  if (g_strcmp0 (name, "r") == 0)
    wait_for_store (self, 0);
  else if (g_strcmp0 (name, "a") == 0)
    accept_up_to (self, xmpp_wire_get_number (stanza, "h"));
  return 1;
}

/* A server does one thing after the other: it has what was sent before what it answers. */
static gboolean
take_pong (BeckonXmppWire *self, xmpp_stanza_t *stanza)
{
  const char *id = xmpp_stanza_get_id (stanza);
  guint64 index;

  if (id == NULL || !g_str_has_prefix (id, BECKON_XMPP_PING_PREFIX) || !is_own (self, stanza)
      || !g_ascii_string_to_unsigned (id + strlen (BECKON_XMPP_PING_PREFIX), 10, 0, G_MAXINT64, &index, NULL))
    return FALSE;
  accept_up_to (self, index);
  return TRUE;
}

/* A list that claims to be the account's counts only when the account's own server sends it. */
static int
on_query (xmpp_conn_t *connection, xmpp_stanza_t *stanza, void *user_data)
{
  BeckonXmppWire *self = user_data;
  const char *type = xmpp_stanza_get_type (stanza);
  xmpp_stanza_t *list = xmpp_stanza_get_child_by_name_and_ns (stanza, "query", XMPP_NS_ROSTER);
  gboolean is_asked = g_strcmp0 (type, "get") == 0 || g_strcmp0 (type, "set") == 0;
  gboolean is_list = list != NULL && is_own (self, stanza)
                     && (g_strcmp0 (type, "set") == 0
                         || (g_strcmp0 (type, "result") == 0
                             && g_strcmp0 (xmpp_stanza_get_id (stanza), BECKON_XMPP_CONTACTS_ID) == 0));

  if (!is_asked && take_pong (self, stanza))
    return 1;
  if (is_list)
    {
      g_autoptr (GStrvBuilder) contacts = g_strv_builder_new ();
      BeckonXmppIn *in = beckon_xmpp_in_new (BECKON_XMPP_IN_CONTACTS, NULL);
      guint n = 0;

      for (xmpp_stanza_t *item = xmpp_stanza_get_children (list); item != NULL && n < BECKON_XMPP_MAX_CONTACTS;
           item = xmpp_stanza_get_next (item))
        if (is_contact (item) && xmpp_stanza_get_attribute (item, "jid") != NULL)
          {
            g_strv_builder_add (contacts, xmpp_stanza_get_attribute (item, "jid"));
            n++;
          }
      in->contacts = g_strv_builder_end (contacts);
      if (g_strcmp0 (xmpp_stanza_get_type (stanza), "set") == 0)
        in->id = g_strdup (xmpp_stanza_get_id (stanza));
      beckon_xmpp_mailbox_received (self->mailbox, in);
    }
  else if (is_asked && xmpp_stanza_get_id (stanza) != NULL)
    {
      BeckonXmppIn *in = beckon_xmpp_in_new (BECKON_XMPP_IN_QUERY, xmpp_stanza_get_from (stanza));
      xmpp_stanza_t *child = xmpp_stanza_get_children (stanza);

      in->id = g_strdup (xmpp_stanza_get_id (stanza));
      while (child != NULL && !xmpp_stanza_is_tag (child))
        child = xmpp_stanza_get_next (child);
      in->query = child != NULL ? g_strdup (xmpp_stanza_get_ns (child)) : NULL;
      in->node = child != NULL ? g_strdup (xmpp_stanza_get_attribute (child, "node")) : NULL;
      beckon_xmpp_mailbox_received (self->mailbox, in);
    }
  return 1;
}

/* --- Stanzas that go ---------------------------------------------------------------------------------------------- */

static void
send_stanza (BeckonXmppWire *self, const BeckonXmppOut *out, guint64 number)
{
  g_autofree char *xml = beckon_xmpp_out_to_xml (out);
  Sent *sent = g_new (Sent, 1);

  xmpp_send_raw (self->connection, xml, strlen (xml));
  *sent = (Sent){ number, ++self->sent };
  g_queue_push_tail (&self->unaccepted, sent);
}

/* Not each stanza is followed by a request to confirm it, and some servers confirm none: a ping does it for texts. */
static void
transmit (BeckonXmppWire *self, const BeckonXmppOut *out, guint64 number)
{
  g_autoptr (BeckonXmppOut) ping = NULL;

  if (!self->is_online || self->is_over)
    return;
  send_stanza (self, out, number);
  if (out->kind != BECKON_XMPP_OUT_CHAT)
    return;
  ping = beckon_xmpp_out_new (BECKON_XMPP_OUT_PING, NULL, NULL);
  ping->id = g_strdup_printf (BECKON_XMPP_PING_PREFIX "%" G_GUINT64_FORMAT, self->sent);
  send_stanza (self, ping, 0);
}

/* --- The connection ----------------------------------------------------------------------------------------------- */

/* Callbacks of sockets and certificates are given no data; each context has a thread of its own. */
static GPrivate current;

static void
drop_socket (BeckonXmppWire *self)
{
  g_mutex_lock (&self->mutex);
  if (self->socket >= 0)
    close (self->socket);
  self->socket = -1;
  self->is_online = FALSE;
  g_mutex_unlock (&self->mutex);
}

/* libstrophe waits with select(), which has no place for higher descriptors. */
static int
on_socket (xmpp_conn_t *connection, void *data)
{
  BeckonXmppWire *self = g_private_get (&current);
  int fd = *(int *)data;
  const int yes = 1;

  if (fd >= FD_SETSIZE || xmpp_sockopt_cb_keepalive (connection, data) != 0)
    return -1;
  fcntl (fd, F_SETFD, FD_CLOEXEC);
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  drop_socket (self);
  g_mutex_lock (&self->mutex);
  self->socket = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  if (self->is_closing && self->socket >= 0)
    shutdown (self->socket, SHUT_RDWR);
  g_mutex_unlock (&self->mutex);
  return self->socket >= 0 ? 0 : -1;
}

static int
on_certificate (const xmpp_tlscert_t *certificate, const char *const message)
{
  BeckonXmppWire *self = g_private_get (&current);

  g_free (self->certificate);
  self->certificate = g_strdup (message);
  return 0;
}

/* A session that was to go on, and did not, leaves libstrophe with the counters of the old one. One that goes on makes
 * libstrophe count from the first stanza that was under way, although the server may have had it. */
static void
begin_session (BeckonXmppWire *self)
{
  const Sent *first = g_queue_peek_head (&self->unaccepted);

  if (!self->is_bound || self->is_online || self->session == SESSION_UNKNOWN)
    return;
  if (self->session == SESSION_RESUMED)
    {
      self->is_skewed = first != NULL && first->index <= self->resumed_at;
      go_online (self, TRUE, TRUE);
      accept_up_to (self, self->resumed_at);
    }
  else if (self->is_resuming)
    self->is_stale = TRUE;
  else
    go_online (self, FALSE, self->session == SESSION_MANAGED);
}

/* Why a server refuses a password, and whether it resumed a session, libstrophe tells nowhere but in its log. Nothing
 * of that is written anywhere. */
static void
on_log (void *user_data, xmpp_log_level_t level, const char *area, const char *message)
{
  static const char *const wanted[] = { "RECV: <failure ", "RECV: <enabled ", "RECV: <resumed ", "RECV: <failed " };
  BeckonXmppWire *self = user_data;
  xmpp_stanza_t *stanza = NULL;

  if (self->is_online)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (wanted) && stanza == NULL; i++)
    if (g_str_has_prefix (message, wanted[i]))
      stanza = xmpp_stanza_new_from_string (self->context, message + strlen ("RECV: "));
  if (stanza == NULL)
    return;
  if (g_strcmp0 (xmpp_stanza_get_ns (stanza), XMPP_NS_SASL) == 0)
    self->refusal = xmpp_stanza_get_child_by_name (stanza, "temporary-auth-failure") != NULL
                        ? BECKON_XMPP_FAULT_SIGN_IN
                        : BECKON_XMPP_FAULT_PASSWORD;
  else if (g_strcmp0 (xmpp_stanza_get_ns (stanza), XMPP_NS_SM) == 0)
    {
      const char *name = xmpp_stanza_get_name (stanza);

      if (g_strcmp0 (name, "resumed") == 0)
        self->session = SESSION_RESUMED;
      else
        self->session = g_strcmp0 (name, "enabled") == 0 ? SESSION_MANAGED : SESSION_UNMANAGED;
      self->resumed_at = xmpp_wire_get_number (stanza, "h");
      begin_session (self);
    }
  xmpp_stanza_release (stanza);
}

static void
on_connection (
    xmpp_conn_t *connection, xmpp_conn_event_t event, int error, xmpp_stream_error_t *stream_error, void *user_data)
{
  BeckonXmppWire *self = user_data;

  if (event == XMPP_CONN_CONNECT)
    {
      self->is_bound = TRUE;
      self->bound_at = g_get_monotonic_time ();
      begin_session (self);
      return;
    }
  self->is_over = TRUE;
  if (self->is_large)
    self->fault = BECKON_XMPP_FAULT_LARGE;
  else if (self->certificate != NULL)
    self->fault = BECKON_XMPP_FAULT_CERTIFICATE;
  else if (stream_error != NULL)
    {
      if (stream_error->type == XMPP_SE_CONFLICT)
        self->fault = BECKON_XMPP_FAULT_CONFLICT;
      else if (stream_error->type == XMPP_SE_HOST_UNKNOWN || stream_error->type == XMPP_SE_HOST_GONE)
        self->fault = BECKON_XMPP_FAULT_HOST;
      else
        self->fault = BECKON_XMPP_FAULT_CLOSED;
    }
  else if (self->is_bound)
    self->fault = error == 0 ? BECKON_XMPP_FAULT_CLOSED : BECKON_XMPP_FAULT_LOST;
  else if (self->refusal != BECKON_XMPP_FAULT_UNREACHED)
    self->fault = self->refusal;
  else if (self->is_secured)
    self->fault = error == 0 ? BECKON_XMPP_FAULT_SIGN_IN : BECKON_XMPP_FAULT_LOST;
  else if (self->is_reached)
    self->fault = error == 0 ? BECKON_XMPP_FAULT_PLAIN : BECKON_XMPP_FAULT_LOST;
  else
    self->fault = BECKON_XMPP_FAULT_UNREACHED;
  self->can_resume = self->is_online && self->is_managed && self->fault == BECKON_XMPP_FAULT_LOST
                     && (!self->is_skewed || g_queue_is_empty (&self->unaccepted));
  drop_socket (self);
}

static void
release_connection (BeckonXmppWire *self)
{
  if (self->connection != NULL)
    xmpp_conn_release (self->connection);
  self->connection = NULL;
  self->is_resuming = FALSE;
  drop_socket (self);
}

static void
xmpp_wire_begin (BeckonXmppWire *self)
{
  const Target *target = self->target;

  self->is_resuming = self->connection != NULL;

  self->is_reached = self->is_secured = self->is_bound = self->is_stale = self->is_over = self->is_large = FALSE;
  self->can_resume = FALSE;
  self->fault = self->refusal = BECKON_XMPP_FAULT_UNREACHED;
  self->session = SESSION_UNKNOWN;
  g_clear_pointer (&self->certificate, g_free);

  if (self->connection == NULL)
    {
      self->connection = xmpp_conn_new (self->context);
      xmpp_conn_set_sockopt_callback (self->connection, on_socket);
      xmpp_conn_set_certfail_handler (self->connection, on_certificate);
      xmpp_handler_add (self->connection, on_management, XMPP_NS_SM, NULL, NULL, self);
      xmpp_handler_add (self->connection, on_message, NULL, "message", NULL, self);
      xmpp_handler_add (self->connection, on_presence, NULL, "presence", NULL, self);
      xmpp_handler_add (self->connection, on_query, NULL, "iq", NULL, self);
    }
  xmpp_conn_set_flags (self->connection,
                       (long)(XMPP_CONN_FLAG_MANDATORY_TLS | (target->is_direct ? XMPP_CONN_FLAG_LEGACY_SSL : 0)));
  xmpp_conn_set_jid (self->connection, target->address);
  xmpp_conn_set_pass (self->connection, target->password);
  if (xmpp_connect_client (self->connection, target->host, target->port, on_connection, self) != XMPP_EOK)
    self->is_over = TRUE;
}

/* --- The thread --------------------------------------------------------------------------------------------------- */

/* The stanza that is being read is thrown away with the connection. */
static void
on_full (gpointer user_data)
{
  BeckonXmppWire *self = user_data;

  self->is_large = TRUE;
  beckon_xmpp_wire_cut (self);
}

/* Returns FALSE when it is to end. */
static gboolean
do_commands (BeckonXmppWire *self)
{
  gboolean is_closing = FALSE;

  while (!is_closing)
    {
      Command *command;

      g_mutex_lock (&self->mutex);
      command = g_queue_pop_head (&self->commands);
      is_closing = self->is_closing;
      g_mutex_unlock (&self->mutex);
      if (command == NULL)
        break;
      if (is_closing)
        command_free (command);
      else
        {
          if (command->target != NULL)
            {
              Target *target = g_steal_pointer (&command->target);

              g_clear_pointer (&self->target, target_free);
              g_free (self->own);
              self->target = target;
              self->own = beckon_xmpp_dup_bare (target->address);
              xmpp_wire_begin (self);
            }
          else
            transmit (self, command->out, command->number);
          command_free (command);
        }
    }
  return !is_closing;
}

static gboolean
is_alive (BeckonXmppWire *self)
{
  return self->connection != NULL && !xmpp_conn_is_disconnected (self->connection);
}

static void
xmpp_wire_step (BeckonXmppWire *self)
{
  if (is_alive (self))
    xmpp_run_once (self->context, 0);
  if (is_alive (self))
    {
      /* How far it came decides what an end means; after it libstrophe no longer knows. */
      struct sockaddr_storage address;
      socklen_t length = sizeof address;

      if (!self->is_reached)
        self->is_reached = getpeername (self->socket, (struct sockaddr *)&address, &length) == 0;
      if (!self->is_secured)
        self->is_secured = xmpp_conn_is_secured (self->connection) != 0;
    }
  if (self->is_bound && !self->is_online && !self->is_over && g_get_monotonic_time () - self->bound_at > MANAGEMENT_US)
    {
      self->session = SESSION_UNMANAGED;
      begin_session (self);
    }
  if (self->is_stale && !self->is_over)
    {
      release_connection (self);
      xmpp_wire_begin (self);
    }
  if (self->is_over)
    {
      self->is_over = FALSE;
      self->is_bound = FALSE;
      if (!self->can_resume)
        release_connection (self);
      beckon_xmpp_mailbox_ended (self->mailbox, self->fault, self->certificate, self->can_resume);
    }
}

static int
get_pause_ms (BeckonXmppWire *self)
{
  if (!is_alive (self))
    return -1;
  if (self->steps > 0)
    return 0;
  return self->is_online ? -1 : STEP_MS;
}

static void
wait (BeckonXmppWire *self)
{
  struct pollfd fds[2] = { { .fd = self->wake, .events = POLLIN }, { .fd = -1, .events = POLLIN } };
  guint64 count;

  if (is_alive (self))
    {
      fds[1].fd = self->socket;
      if (!self->is_reached || xmpp_conn_send_queue_len (self->connection) > 0)
        fds[1].events |= POLLOUT;
    }
  if (poll (fds, 2, get_pause_ms (self)) < 0)
    return;
  if (fds[0].revents != 0 && read (self->wake, &count, sizeof count) < 0)
    return;
  if (fds[1].revents != 0)
    self->steps = READS_OF_A_RECORD;
  else if (self->steps > 0)
    self->steps--;
}

static gpointer
xmpp_wire_run (gpointer data)
{
  BeckonXmppWire *self = data;

  g_private_set (&current, self);
  self->memory = (BeckonXmppMemory){ .most = BECKON_XMPP_MEMORY_MAX, .on_full = on_full, .user_data = self };
  self->functions = (xmpp_mem_t){ xmpp_memory_allocate, xmpp_memory_free, xmpp_memory_reallocate,
                                  &self->memory };
  self->log = (xmpp_log_t){ on_log, self };
  self->context = xmpp_ctx_new (&self->functions, &self->log);
  while (do_commands (self))
    {
      xmpp_wire_step (self);
      wait (self);
    }

  /* Ends the session in order, if that is true: what is not stored stays the server's. Nothing is waited for. */
  if (is_alive (self) && self->is_online && !self->is_abandoned)
    {
      xmpp_disconnect (self->connection);
      xmpp_run_once (self->context, 0);
    }

  release_connection (self);
  xmpp_ctx_free (self->context);
  g_queue_clear_full (&self->unaccepted, g_free);
  g_clear_pointer (&self->target, target_free);
  g_free (self->own);
  g_free (self->certificate);
  xmpp_threads_note_end (self);
  wire_unref (self);
  return NULL;
}

/* --- From the main thread ----------------------------------------------------------------------------------------- */

static void
initialize (void)
{
  static gsize is_done;

  if (!g_once_init_enter (&is_done))
    return;
  xmpp_initialize ();
  atexit (xmpp_threads_finish);
  g_once_init_leave (&is_done, 1);
}

BeckonXmppWire *
beckon_xmpp_wire_new (const BeckonXmppHandler *handler, gpointer user_data)
{
  BeckonXmppWire *self = g_new0 (BeckonXmppWire, 1);

  initialize ();
  g_atomic_ref_count_init (&self->references);
  g_atomic_ref_count_inc (&self->references);
  self->mailbox = beckon_xmpp_mailbox_new (handler, user_data);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  g_queue_init (&self->commands);
  g_queue_init (&self->unaccepted);
  self->socket = -1;
  self->wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  xmpp_threads_start (xmpp_wire_run, self, begin_closing);
  return self;
}

static void
xmpp_wire_push (BeckonXmppWire *self, Command *command)
{
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->commands, command);
  wake_up (self);
  g_mutex_unlock (&self->mutex);
}

void
beckon_xmpp_wire_connect (
    BeckonXmppWire *wire, const char *address, const char *password, const char *host, guint16 port, gboolean is_direct)
{
  Command *command = g_new0 (Command, 1);

  command->target = g_new0 (Target, 1);
  *command->target = (Target){ .address = g_strdup (address), .password = g_strdup (password), .host = g_strdup (host),
                               .port = port, .is_direct = is_direct };
  xmpp_wire_push (wire, command);
}

guint64
beckon_xmpp_wire_send (BeckonXmppWire *wire, BeckonXmppOut *out)
{
  guint64 number = ++wire->last_number;
  Command *command = g_new0 (Command, 1);

  command->out = out;
  command->number = number;
  xmpp_wire_push (wire, command);
  return number;
}

void
beckon_xmpp_wire_stored (BeckonXmppWire *wire)
{
  g_mutex_lock (&wire->mutex);
  g_warn_if_fail (wire->unstored > 0);
  wire->unstored--;
  g_cond_signal (&wire->cond);
  g_mutex_unlock (&wire->mutex);
}

void
beckon_xmpp_wire_cut (BeckonXmppWire *wire)
{
  g_mutex_lock (&wire->mutex);
  if (wire->socket >= 0)
    shutdown (wire->socket, SHUT_RDWR);
  g_mutex_unlock (&wire->mutex);
}

void
beckon_xmpp_wire_close (BeckonXmppWire *wire)
{
  beckon_xmpp_mailbox_close (wire->mailbox);
  begin_closing (wire);
  wire_unref (wire);
}
