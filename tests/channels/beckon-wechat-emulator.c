/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-wechat-emulator.h"

#include <json-glib/json-glib.h>
#include <string.h>

typedef struct
{
  guint after;
  guint times;
  int code;
} Fault;

struct _BeckonWechatEmulator
{
  BeckonFixtureServer *server;
  char *base;

  GMutex lock; /* of all below */
  GCond changed;
  gboolean stopping;
  GQueue states;
  GPtrArray *messages; /* of texts of JSON */
  GHashTable *faults;  /* operation → Fault */
  GHashTable *asks;    /* operation → GPtrArray of bodies */
  GHashTable *hosts;   /* operation → the host that was asked last */
  GPtrArray *sent;
  gint64 poll_ms;
  gint64 time_ms; /* when texts are written; 0 is not said */
  gboolean holds;
  guint held;
  guint codes;
  char *complaint;
};

static void
complain (BeckonWechatEmulator *emulator, const char *operation, const char *what)
{
  if (emulator->complaint == NULL)
    emulator->complaint = g_strdup_printf ("%s: %s", operation, what);
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

static BeckonFixtureReply *
make_reply (const char *body)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, 200, NULL, "application/json", body);
  return reply;
}

static BeckonFixtureReply *
make_cut (void)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_head (reply, 200, "Content-Type: application/json\r\nContent-Length: 1000\r\n");
  beckon_fixture_reply_add (reply, "{\"ret\":0,", -1);
  beckon_fixture_reply_add_close (reply);
  return reply;
}

static BeckonFixtureReply *
make_fault (int code)
{
  g_autofree char *body = g_strdup_printf ("{\"ret\":%d,\"errcode\":%d,\"errmsg\":\"no\"}", code, code);
  BeckonFixtureReply *reply;

  if (code < 0)
    return make_reply (body);
  if (code == BECKON_WECHAT_EMULATOR_CUT)
    return make_cut ();
  reply = beckon_fixture_reply_new ();
  beckon_fixture_reply_add_response (reply, (guint) code, NULL, "text/html", "<html>no</html>");
  return reply;
}

static Fault *
find_fault (BeckonWechatEmulator *emulator, const char *operation)
{
  Fault *fault = g_hash_table_lookup (emulator->faults, operation);

  return fault != NULL && fault->after == 0 && fault->times > 0 ? fault : NULL;
}

static BeckonFixtureReply *
take_fault (BeckonWechatEmulator *emulator, const char *operation)
{
  Fault *fault = g_hash_table_lookup (emulator->faults, operation);

  if (fault == NULL || fault->times == 0)
    return NULL;
  if (fault->after > 0)
    {
      fault->after--;
      return NULL;
    }
  if (fault->times != G_MAXUINT)
    fault->times--;
  return make_fault (fault->code);
}

/* --- Operations --------------------------------------------------------------------------------------------------- */

static void
wait_for_change (BeckonWechatEmulator *emulator)
{
  emulator->held++;
  g_main_context_wakeup (NULL);
  g_cond_wait (&emulator->changed, &emulator->lock);
  emulator->held--;
}

static BeckonFixtureReply *
get_bot_qrcode (BeckonWechatEmulator *emulator, const BeckonFixtureRequest *request, JsonObject *body)
{
  g_autofree char *json = NULL;

  if (strstr (request->path, "bot_type=3") == NULL || body == NULL || !json_object_has_member (body, "local_token_list"))
    complain (emulator, "get_bot_qrcode", "no type or no list of tokens");
  emulator->codes++;
  json = g_strdup_printf ("{\"ret\":0,\"qrcode\":\"qr/%u\",\"qrcode_img_content\":\"https://liteapp.weixin.qq.com/q/%u\"}",
                          emulator->codes, emulator->codes);
  return make_reply (json);
}

static char *
make_status (BeckonWechatEmulator *emulator, const char *state)
{
  if (strcmp (state, "redirect") == 0)
    return g_strdup_printf ("{\"status\":\"scaned_but_redirect\",\"redirect_host\":\"localhost:%u\"}",
                            beckon_fixture_server_get_port (emulator->server));
  if (strcmp (state, "confirmed") == 0)
    return g_strdup_printf ("{\"ret\":0,\"status\":\"confirmed\",\"bot_token\":\"" BECKON_WECHAT_EMULATOR_TOKEN "\","
                            "\"ilink_bot_id\":\"" BECKON_WECHAT_EMULATOR_BOT "\",\"baseurl\":\"%s\","
                            "\"ilink_user_id\":\"" BECKON_WECHAT_EMULATOR_USER "\"}", emulator->base);
  return g_strdup_printf ("{\"status\":\"%s\"}", state);
}

static gboolean
has_code (const BeckonFixtureRequest *request)
{
  return strstr (request->path, "&verify_code=" BECKON_WECHAT_EMULATOR_CODE) != NULL;
}

static BeckonFixtureReply *
get_qrcode_status (BeckonWechatEmulator *emulator, const BeckonFixtureRequest *request, JsonObject *body)
{
  g_autofree char *expected = g_strdup_printf ("qrcode=qr%%2F%u", emulator->codes);
  g_autofree char *state = NULL;
  g_autofree char *json = NULL;

  if (strstr (request->path, expected) == NULL)
    complain (emulator, "get_qrcode_status", "another code than the last");
  while (!emulator->stopping && g_queue_is_empty (&emulator->states))
    wait_for_change (emulator);
  if (emulator->stopping)
    return make_reply ("{\"status\":\"wait\"}");
  state = g_queue_pop_head (&emulator->states);
  if (strcmp (state, "need_verifycode") == 0 && has_code (request))
    json = make_status (emulator, "scaned");
  else
    json = make_status (emulator, state);
  return make_reply (json);
}

static guint
read_cursor (BeckonWechatEmulator *emulator, JsonObject *body)
{
  const char *cursor = json_object_get_string_member_with_default (body, "get_updates_buf", "?");
  guint64 place = 0;

  if (*cursor != '\0' && (!g_str_has_prefix (cursor, "buf+") || !g_ascii_string_to_unsigned (cursor + 4, 10, 0, 10000, &place, NULL)))
    complain (emulator, "getupdates", "a cursor that was never given");
  return (guint) MIN (place, emulator->messages->len);
}

static char *
make_updates (BeckonWechatEmulator *emulator, guint from)
{
  GString *json = g_string_new ("{\"ret\":0,\"msgs\":[");

  for (guint i = from; i < emulator->messages->len; i++)
    g_string_append_printf (json, "%s%s", i > from ? "," : "", (const char *) g_ptr_array_index (emulator->messages, i));
  g_string_append_printf (json, "],\"get_updates_buf\":\"buf+%u\"", emulator->messages->len);
  if (emulator->poll_ms > 0)
    g_string_append_printf (json, ",\"longpolling_timeout_ms\":%" G_GINT64_FORMAT, emulator->poll_ms);
  g_string_append_c (json, '}');
  return g_string_free (json, FALSE);
}

static BeckonFixtureReply *
getupdates (BeckonWechatEmulator *emulator, const BeckonFixtureRequest *request, JsonObject *body)
{
  guint from = read_cursor (emulator, body);
  g_autofree char *json = NULL;

  while (!emulator->stopping && emulator->holds && from >= emulator->messages->len && find_fault (emulator, "getupdates") == NULL)
    wait_for_change (emulator);
  if (find_fault (emulator, "getupdates") != NULL)
    return take_fault (emulator, "getupdates");
  json = make_updates (emulator, from);
  return make_reply (json);
}

static const char *
get_text (JsonObject *message)
{
  JsonArray *items = json_object_has_member (message, "item_list") ? json_object_get_array_member (message, "item_list") : NULL;
  JsonObject *item = items != NULL && json_array_get_length (items) == 1 ? json_array_get_object_element (items, 0) : NULL;

  if (item == NULL || json_object_get_int_member_with_default (item, "type", 0) != 1 || !json_object_has_member (item, "text_item"))
    return NULL;
  return json_object_get_string_member_with_default (json_object_get_object_member (item, "text_item"), "text", NULL);
}

static BeckonFixtureReply *
sendmessage (BeckonWechatEmulator *emulator, const BeckonFixtureRequest *request, JsonObject *body)
{
  JsonObject *message = json_object_has_member (body, "msg") ? json_object_get_object_member (body, "msg") : NULL;
  const char *text = message != NULL ? get_text (message) : NULL;
  g_autofree char *json = NULL;

  if (text == NULL || g_utf8_strlen (text, -1) > 4000 || request->length > 16 * 1024)
    complain (emulator, "sendmessage", "not one text within the limits");
  else if (json_object_get_int_member_with_default (message, "message_type", 0) != 2
           || json_object_get_int_member_with_default (message, "message_state", 0) != 2
           || *json_object_get_string_member_with_default (message, "client_id", "") == '\0'
           || *json_object_get_string_member_with_default (message, "from_user_id", "?") != '\0'
           || *json_object_get_string_member_with_default (message, "to_user_id", "") == '\0')
    complain (emulator, "sendmessage", "a member is missing or wrong");
  g_ptr_array_add (emulator->sent, g_strdup (text != NULL ? text : ""));
  json = g_strdup_printf ("{\"ret\":0,\"message_id\":184467440737095516%02u}", emulator->sent->len);
  return make_reply (json);
}

static BeckonFixtureReply *
getconfig (BeckonWechatEmulator *emulator, const BeckonFixtureRequest *request, JsonObject *body)
{
  if (*json_object_get_string_member_with_default (body, "ilink_user_id", "") == '\0')
    complain (emulator, "getconfig", "no user");
  return make_reply ("{\"ret\":0,\"typing_ticket\":\"ticket+1\"}");
}

static BeckonFixtureReply *
sendtyping (BeckonWechatEmulator *emulator, const BeckonFixtureRequest *request, JsonObject *body)
{
  if (strcmp (json_object_get_string_member_with_default (body, "typing_ticket", ""), "ticket+1") != 0)
    complain (emulator, "sendtyping", "another ticket");
  return make_reply ("{\"ret\":0}");
}

static BeckonFixtureReply *
notify (BeckonWechatEmulator *emulator, const BeckonFixtureRequest *request, JsonObject *body)
{
  return make_reply ("{\"ret\":0,\"errmsg\":\"\"}");
}

static const struct
{
  const char *name;
  const char *path;
  BeckonFixtureReply *(*play) (BeckonWechatEmulator *emulator, const BeckonFixtureRequest *request, JsonObject *body);
  gboolean is_open; /* asked without a token */
} operations[] = {
  { "get_bot_qrcode", "/ilink/bot/get_bot_qrcode", get_bot_qrcode, TRUE },
  { "get_qrcode_status", "/ilink/bot/get_qrcode_status", get_qrcode_status, TRUE },
  { "getupdates", "/ilink/bot/getupdates", getupdates, FALSE },
  { "sendmessage", "/ilink/bot/sendmessage", sendmessage, FALSE },
  { "getconfig", "/ilink/bot/getconfig", getconfig, FALSE },
  { "sendtyping", "/ilink/bot/sendtyping", sendtyping, FALSE },
  { "notifystart", "/ilink/bot/msg/notifystart", notify, FALSE },
  { "notifystop", "/ilink/bot/msg/notifystop", notify, FALSE },
};

/* --- Requests ----------------------------------------------------------------------------------------------------- */

static gboolean
header_is (const BeckonFixtureRequest *request, const char *name, const char *value)
{
  g_autofree char *found = beckon_fixture_request_dup_header (request, name);

  return g_strcmp0 (found, value) == 0;
}

/* Decimal digits of 32 bits, in base64. */
static gboolean
has_uin (const BeckonFixtureRequest *request)
{
  g_autofree char *header = beckon_fixture_request_dup_header (request, "X-WECHAT-UIN");
  gsize length = 0;
  g_autofree guchar *bytes = header != NULL ? g_base64_decode (header, &length) : NULL;
  g_autofree char *digits = g_strndup ((const char *) bytes, length);

  return g_ascii_string_to_unsigned (digits, 10, 0, G_MAXUINT32, NULL, NULL);
}

static void
check_post (BeckonWechatEmulator *emulator, const char *operation, const BeckonFixtureRequest *request, gboolean is_open,
            JsonObject *body)
{
  if (!header_is (request, "AuthorizationType", "ilink_bot_token") || !has_uin (request)
      || !header_is (request, "Content-Type", "application/json"))
    complain (emulator, operation, "a header is missing or wrong");
  if (!header_is (request, "Authorization", is_open ? NULL : "Bearer " BECKON_WECHAT_EMULATOR_TOKEN))
    complain (emulator, operation, "another token");
  if (body == NULL || (!is_open && !json_object_has_member (body, "base_info")))
    complain (emulator, operation, "no base_info");
}

static void
check_get (BeckonWechatEmulator *emulator, const char *operation, const BeckonFixtureRequest *request)
{
  if (!header_is (request, "Authorization", NULL) || !header_is (request, "AuthorizationType", NULL)
      || !header_is (request, "X-WECHAT-UIN", NULL))
    complain (emulator, operation, "more headers than the two of the application");
}

static void
check (BeckonWechatEmulator *emulator, const char *operation, const BeckonFixtureRequest *request, gboolean is_open, JsonObject *body)
{
  if (!header_is (request, "iLink-App-Id", "bot") || !header_is (request, "iLink-App-ClientVersion", "132105"))
    complain (emulator, operation, "not the headers of the application");
  if (strcmp (operation, "get_qrcode_status") == 0)
    check_get (emulator, operation, request);
  else
    check_post (emulator, operation, request, is_open, body);
}

static void
note_ask (BeckonWechatEmulator *emulator, const char *operation, const BeckonFixtureRequest *request)
{
  GPtrArray *asks = g_hash_table_lookup (emulator->asks, operation);

  if (asks == NULL)
    {
      asks = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (emulator->asks, g_strdup (operation), asks);
    }
  g_ptr_array_add (asks, g_strdup (*request->body != '\0' ? request->body : request->path));
  g_hash_table_insert (emulator->hosts, g_strdup (operation), beckon_fixture_request_dup_header (request, "Host"));
}

static guint
find_operation (const char *path)
{
  gsize length = strcspn (path, "?");
  guint i;

  for (i = 0; i < G_N_ELEMENTS (operations); i++)
    if (strlen (operations[i].path) == length && strncmp (operations[i].path, path, length) == 0)
      break;
  return i;
}

static BeckonFixtureReply *
play (BeckonWechatEmulator *emulator, const BeckonFixtureRequest *request, guint i, JsonObject *body)
{
  const char *name = operations[i].name;
  BeckonFixtureReply *reply = NULL;

  note_ask (emulator, name, request);
  check (emulator, name, request, operations[i].is_open, body);
  if (operations[i].play != getupdates || find_fault (emulator, name) == NULL)
    reply = take_fault (emulator, name);
  if (reply == NULL)
    reply = operations[i].play (emulator, request, body);
  g_main_context_wakeup (NULL);
  return reply;
}

static BeckonFixtureReply *
on_request (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  BeckonWechatEmulator *emulator = user_data;
  g_autoptr (JsonNode) node = *request->body != '\0' ? json_from_string (request->body, NULL) : NULL;
  g_autoptr (JsonObject) none = json_object_new ();
  JsonObject *body = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : none;
  guint i = find_operation (request->path);
  BeckonFixtureReply *reply;

  g_mutex_lock (&emulator->lock);
  if (i < G_N_ELEMENTS (operations))
    reply = play (emulator, request, i, body);
  else
    {
      complain (emulator, request->path, "no such operation");
      reply = make_fault (404);
    }
  g_mutex_unlock (&emulator->lock);
  return reply;
}

/* --- Knobs -------------------------------------------------------------------------------------------------------- */

static void
change (BeckonWechatEmulator *emulator)
{
  g_cond_broadcast (&emulator->changed);
  g_mutex_unlock (&emulator->lock);
}

void
beckon_wechat_emulator_add_state (BeckonWechatEmulator *emulator, const char *state)
{
  g_mutex_lock (&emulator->lock);
  g_queue_push_tail (&emulator->states, g_strdup (state));
  change (emulator);
}

void
beckon_wechat_emulator_deliver (BeckonWechatEmulator *emulator, const char *message)
{
  g_mutex_lock (&emulator->lock);
  g_ptr_array_add (emulator->messages, g_strdup (message));
  change (emulator);
}

void
beckon_wechat_emulator_set_time (BeckonWechatEmulator *emulator, gint64 time_ms)
{
  g_mutex_lock (&emulator->lock);
  emulator->time_ms = time_ms;
  g_mutex_unlock (&emulator->lock);
}

void
beckon_wechat_emulator_write (BeckonWechatEmulator *emulator, const char *user, const char *text)
{
  g_autoptr (JsonNode) node = json_node_alloc ();
  g_autofree char *quoted = json_to_string (json_node_init_string (node, text), FALSE);
  g_autofree char *message = NULL;
  gint64 time_ms;
  guint n;

  g_mutex_lock (&emulator->lock);
  time_ms = emulator->time_ms;
  n = emulator->messages->len + 1;
  g_mutex_unlock (&emulator->lock);
  message = g_strdup_printf ("{\"seq\":%u,\"message_id\":%u,\"from_user_id\":\"%s\",\"to_user_id\":\"" BECKON_WECHAT_EMULATOR_BOT
                             "\",\"message_type\":1,\"message_state\":2,\"create_time_ms\":%" G_GINT64_FORMAT ","
                             "\"context_token\":\"context-%u\",\"item_list\":[{\"type\":1,\"text_item\":{\"text\":%s}}]}",
                             n, n, user, time_ms, n, quoted);
  beckon_wechat_emulator_deliver (emulator, message);
}

void
beckon_wechat_emulator_repeat (BeckonWechatEmulator *emulator, guint n)
{
  guint from;

  g_mutex_lock (&emulator->lock);
  from = emulator->messages->len - n;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (emulator->messages, g_strdup (g_ptr_array_index (emulator->messages, from + i)));
  change (emulator);
}

void
beckon_wechat_emulator_set_poll_ms (BeckonWechatEmulator *emulator, gint64 milliseconds)
{
  g_mutex_lock (&emulator->lock);
  emulator->poll_ms = milliseconds;
  change (emulator);
}

void
beckon_wechat_emulator_set_hold (BeckonWechatEmulator *emulator, gboolean holds)
{
  g_mutex_lock (&emulator->lock);
  emulator->holds = holds;
  change (emulator);
}

void
beckon_wechat_emulator_fail (BeckonWechatEmulator *emulator, const char *operation, guint after, guint times, int code)
{
  Fault *fault = g_new (Fault, 1);

  *fault = (Fault){ after, times, code };
  g_mutex_lock (&emulator->lock);
  g_hash_table_insert (emulator->faults, g_strdup (operation), fault);
  change (emulator);
}

guint
beckon_wechat_emulator_count (BeckonWechatEmulator *emulator, const char *operation)
{
  GPtrArray *asks;
  guint count;

  g_mutex_lock (&emulator->lock);
  asks = g_hash_table_lookup (emulator->asks, operation);
  count = asks != NULL ? asks->len : 0;
  g_mutex_unlock (&emulator->lock);
  return count;
}

guint
beckon_wechat_emulator_count_held (BeckonWechatEmulator *emulator)
{
  guint held;

  g_mutex_lock (&emulator->lock);
  held = emulator->held;
  g_mutex_unlock (&emulator->lock);
  return held;
}

char *
beckon_wechat_emulator_dup_body (BeckonWechatEmulator *emulator, const char *operation, guint nth)
{
  GPtrArray *asks;
  char *body;

  g_mutex_lock (&emulator->lock);
  asks = g_hash_table_lookup (emulator->asks, operation);
  body = asks != NULL && nth < asks->len ? g_strdup (g_ptr_array_index (asks, nth)) : NULL;
  g_mutex_unlock (&emulator->lock);
  return body;
}

char *
beckon_wechat_emulator_dup_host (BeckonWechatEmulator *emulator, const char *operation)
{
  char *host;

  g_mutex_lock (&emulator->lock);
  host = g_strdup (g_hash_table_lookup (emulator->hosts, operation));
  g_mutex_unlock (&emulator->lock);
  return host;
}

guint
beckon_wechat_emulator_count_sent (BeckonWechatEmulator *emulator)
{
  guint count;

  g_mutex_lock (&emulator->lock);
  count = emulator->sent->len;
  g_mutex_unlock (&emulator->lock);
  return count;
}

char *
beckon_wechat_emulator_dup_sent (BeckonWechatEmulator *emulator, guint nth)
{
  char *text;

  g_mutex_lock (&emulator->lock);
  text = nth < emulator->sent->len ? g_strdup (g_ptr_array_index (emulator->sent, nth)) : NULL;
  g_mutex_unlock (&emulator->lock);
  return text;
}

char *
beckon_wechat_emulator_dup_complaint (BeckonWechatEmulator *emulator)
{
  char *complaint;

  g_mutex_lock (&emulator->lock);
  complaint = g_strdup (emulator->complaint);
  g_mutex_unlock (&emulator->lock);
  return complaint;
}

const char *
beckon_wechat_emulator_get_base (BeckonWechatEmulator *emulator)
{
  return emulator->base;
}

BeckonWechatEmulator *
beckon_wechat_emulator_new (void)
{
  BeckonWechatEmulator *emulator = g_new0 (BeckonWechatEmulator, 1);

  g_mutex_init (&emulator->lock);
  g_cond_init (&emulator->changed);
  g_queue_init (&emulator->states);
  emulator->messages = g_ptr_array_new_with_free_func (g_free);
  emulator->sent = g_ptr_array_new_with_free_func (g_free);
  emulator->faults = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  emulator->asks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  emulator->hosts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  emulator->holds = TRUE;
  emulator->time_ms = G_GINT64_CONSTANT (1700000000000);
  emulator->server = beckon_fixture_server_new (0);
  emulator->base = g_strdup_printf ("http://127.0.0.1:%u/", beckon_fixture_server_get_port (emulator->server));
  beckon_fixture_server_set_handler (emulator->server, on_request, emulator);
  return emulator;
}

void
beckon_wechat_emulator_free (BeckonWechatEmulator *emulator)
{
  g_mutex_lock (&emulator->lock);
  emulator->stopping = TRUE;
  change (emulator);
  beckon_fixture_server_free (emulator->server);

  g_queue_clear_full (&emulator->states, g_free);
  g_ptr_array_unref (emulator->messages);
  g_ptr_array_unref (emulator->sent);
  g_hash_table_unref (emulator->faults);
  g_hash_table_unref (emulator->asks);
  g_hash_table_unref (emulator->hosts);
  g_mutex_clear (&emulator->lock);
  g_cond_clear (&emulator->changed);
  g_free (emulator->complaint);
  g_free (emulator->base);
  g_free (emulator);
}
