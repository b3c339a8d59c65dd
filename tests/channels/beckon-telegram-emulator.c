/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-telegram-emulator.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "beckon-fixture-server.h"

#include <string.h>

/* A poll is held for so long at most, whatever it wants. */
#define HOLD_US (20 * G_TIME_SPAN_SECOND)

struct _BeckonTelegramEmulator
{
  BeckonFixtureServer *server;
  char *address;
  GMutex lock;
  GCond moved;
  gboolean is_closing;
  GPtrArray *updates; /* Update */
  gint64 next_update;
  gint64 next_message;
  GPtrArray *calls; /* Call */
  GPtrArray *faults; /* Fault */
  char *file_path;
  char *file_content;
};

typedef struct
{
  gint64 id;
  char *json;
} Update;

typedef struct
{
  char *method;
  char *body;
} Call;

typedef struct
{
  char *method;
  guint status;
  char *body;
  guint times;
} Fault;

static void
update_free (gpointer data)
{
  g_free (((Update *) data)->json);
  g_free (data);
}

static void
call_free (gpointer data)
{
  g_free (((Call *) data)->method);
  g_free (((Call *) data)->body);
  g_free (data);
}

static void
fault_free (gpointer data)
{
  g_free (((Fault *) data)->method);
  g_free (((Fault *) data)->body);
  g_free (data);
}

static BeckonFixtureReply *
respond (guint status, const char *body)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  if (body != NULL)
    beckon_fixture_reply_add_response (reply, status, NULL, "application/json", body);
  else
    beckon_fixture_reply_add_close (reply);
  return reply;
}

static BeckonFixtureReply *
refuse (guint status, const char *description)
{
  g_autofree char *body = g_strdup_printf ("{\"ok\":false,\"error_code\":%u,\"description\":\"%s\"}", status, description);

  return respond (status, body);
}

static BeckonFixtureReply *
give (const char *result)
{
  g_autofree char *body = g_strdup_printf ("{\"ok\":true,\"result\":%s}", result);

  return respond (200, body);
}

static void
confirm (BeckonTelegramEmulator *self, gint64 offset)
{
  while (self->updates->len > 0 && ((Update *) g_ptr_array_index (self->updates, 0))->id < offset)
    g_ptr_array_remove_index (self->updates, 0);
}

static BeckonFixtureReply *
give_updates (BeckonTelegramEmulator *self, JsonObject *body)
{
  gint64 deadline = g_get_monotonic_time () + MIN (HOLD_US, beckon_json_get_int (body, "timeout", 0) * G_USEC_PER_SEC);
  g_autoptr (GString) list = g_string_new ("[");

  confirm (self, beckon_json_get_int (body, "offset", 0));
  while (self->updates->len == 0 && !self->is_closing && g_cond_wait_until (&self->moved, &self->lock, deadline))
    continue;
  for (guint i = 0; i < self->updates->len; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? "," : "", ((Update *) g_ptr_array_index (self->updates, i))->json);
  g_string_append_c (list, ']');
  return give (list->str);
}

static BeckonFixtureReply *
take_message (BeckonTelegramEmulator *self, JsonObject *body)
{
  const char *text = beckon_json_get_string (body, "text");
  g_autofree char *result = NULL;

  if (text == NULL || *text == '\0')
    return refuse (400, "Bad Request: message text is empty");
  if (g_utf8_strlen (text, -1) > 4096)
    return refuse (400, "Bad Request: message is too long");
  result = g_strdup_printf ("{\"message_id\":%" G_GINT64_FORMAT ",\"date\":1,\"chat\":{\"id\":%" G_GINT64_FORMAT "}}",
                            self->next_message++, beckon_json_get_int (body, "chat_id", 0));
  return give (result);
}

static Fault *
take_fault (BeckonTelegramEmulator *self, const char *method)
{
  for (guint i = 0; i < self->faults->len; i++)
    {
      Fault *fault = g_ptr_array_index (self->faults, i);

      if (fault->times > 0 && strcmp (fault->method, method) == 0)
        {
          fault->times--;
          return fault;
        }
    }
  return NULL;
}

static BeckonFixtureReply *
answer (BeckonTelegramEmulator *self, const char *method, JsonObject *body)
{
  const Fault *fault = take_fault (self, method);
  g_autofree char *file = NULL;

  if (fault != NULL)
    return respond (fault->status, fault->body);
  if (strcmp (method, "getUpdates") == 0)
    return give_updates (self, body);
  if (strcmp (method, "sendMessage") == 0)
    return take_message (self, body);
  if (strcmp (method, "getFile") == 0)
    {
      file = g_strdup_printf ("{\"file_id\":\"f\",\"file_path\":\"%s\"}", self->file_path != NULL ? self->file_path : "");
      return give (file);
    }
  return give ("true");
}

static BeckonFixtureReply *
on_request (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  BeckonTelegramEmulator *self = user_data;
  static const char prefix[] = "/bot" BECKON_TELEGRAM_EMULATOR_TOKEN "/";
  static const char files[] = "/file/bot" BECKON_TELEGRAM_EMULATOR_TOKEN "/";
  g_autoptr (JsonObject) body = beckon_json_parse_object (request->body, (gssize) request->length, NULL);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  Call *call;

  if (g_str_has_prefix (request->path, files))
    return respond (200, self->file_content);
  if (!g_str_has_prefix (request->path, prefix))
    return refuse (401, "Unauthorized");
  call = g_new (Call, 1);
  call->method = g_strdup (request->path + strlen (prefix));
  call->body = g_strdup (request->body);
  g_ptr_array_add (self->calls, call);
  return answer (self, request->path + strlen (prefix), body);
}

BeckonTelegramEmulator *
beckon_telegram_emulator_new (void)
{
  BeckonTelegramEmulator *self = g_new0 (BeckonTelegramEmulator, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->moved);
  self->updates = g_ptr_array_new_with_free_func (update_free);
  self->calls = g_ptr_array_new_with_free_func (call_free);
  self->faults = g_ptr_array_new_with_free_func (fault_free);
  self->next_update = 1000;
  self->next_message = 1;
  self->server = beckon_fixture_server_new (0);
  beckon_fixture_server_set_handler (self->server, on_request, self);
  self->address = g_strdup_printf ("http://127.0.0.1:%u", beckon_fixture_server_get_port (self->server));
  return self;
}

void
beckon_telegram_emulator_free (BeckonTelegramEmulator *self)
{
  g_mutex_lock (&self->lock);
  self->is_closing = TRUE;
  g_cond_broadcast (&self->moved);
  g_mutex_unlock (&self->lock);
  beckon_fixture_server_free (self->server);
  g_ptr_array_unref (self->updates);
  g_ptr_array_unref (self->calls);
  g_ptr_array_unref (self->faults);
  g_free (self->address);
  g_free (self->file_path);
  g_free (self->file_content);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->moved);
  g_free (self);
}

const char *
beckon_telegram_emulator_get_address (BeckonTelegramEmulator *self)
{
  return self->address;
}

/* @json: (transfer full): without its braces and its id. */
static void
add_update (BeckonTelegramEmulator *self, char *json)
{
  g_autofree char *inner = json;
  Update *update = g_new (Update, 1);

  g_mutex_lock (&self->lock);
  update->id = self->next_update++;
  update->json = g_strdup_printf ("{\"update_id\":%" G_GINT64_FORMAT ",%s}", update->id, inner);
  g_ptr_array_add (self->updates, update);
  g_cond_broadcast (&self->moved);
  g_mutex_unlock (&self->lock);
}

#define PLACE "\"chat\":{\"id\":%" G_GINT64_FORMAT ",\"type\":\"private\"}"
#define FROM "\"from\":{\"id\":%" G_GINT64_FORMAT ",\"is_bot\":false,\"first_name\":\"Anna\"}"

/* Messages of both sides are counted together. */
static gint64
take_number (BeckonTelegramEmulator *self)
{
  gint64 number;

  g_mutex_lock (&self->lock);
  number = self->next_message++;
  g_mutex_unlock (&self->lock);
  return number;
}

void
beckon_telegram_emulator_write (BeckonTelegramEmulator *self, gint64 user, const char *text, const char *more)
{
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  if (text != NULL)
    {
      g_string_append (json, "\"text\":");
      beckon_json_writer_init (&writer, json);
      beckon_json_writer_string (&writer, text, -1);
    }
  add_update (self, g_strdup_printf ("\"message\":{\"message_id\":%" G_GINT64_FORMAT ",\"date\":1700000000," PLACE "," FROM
                                     ",%s}", take_number (self), user, user, more != NULL ? more : json->str));
}

void
beckon_telegram_emulator_press (BeckonTelegramEmulator *self, gint64 user, gint64 message, const char *data)
{
  add_update (self, g_strdup_printf ("\"callback_query\":{\"id\":\"q%" G_GINT64_FORMAT "\"," FROM
                                     ",\"message\":{\"message_id\":%" G_GINT64_FORMAT "," PLACE "},\"data\":\"%s\"}",
                                     message, user, message, user, data));
}

void
beckon_telegram_emulator_fail (BeckonTelegramEmulator *self, const char *method, guint status, const char *body, guint times)
{
  Fault *fault = g_new (Fault, 1);

  fault->method = g_strdup (method);
  fault->status = status;
  fault->body = g_strdup (body);
  fault->times = times;
  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->faults, fault);
  g_mutex_unlock (&self->lock);
}

guint
beckon_telegram_emulator_count (BeckonTelegramEmulator *self, const char *method)
{
  guint n = 0;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->calls->len; i++)
    n += strcmp (((Call *) g_ptr_array_index (self->calls, i))->method, method) == 0;
  g_mutex_unlock (&self->lock);
  return n;
}

char *
beckon_telegram_emulator_dup_call (BeckonTelegramEmulator *self, const char *method, guint nth)
{
  char *body = NULL;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->calls->len; i++)
    {
      const Call *call = g_ptr_array_index (self->calls, i);

      if (strcmp (call->method, method) == 0 && nth-- == 0)
        body = g_strdup (call->body);
    }
  g_mutex_unlock (&self->lock);
  g_assert_nonnull (body);
  return body;
}

guint
beckon_telegram_emulator_count_unconfirmed (BeckonTelegramEmulator *self)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = self->updates->len;
  g_mutex_unlock (&self->lock);
  return n;
}

void
beckon_telegram_emulator_set_file (BeckonTelegramEmulator *self, const char *path, const char *content)
{
  g_mutex_lock (&self->lock);
  g_free (self->file_path);
  g_free (self->file_content);
  self->file_path = g_strdup (path);
  self->file_content = g_strdup (content);
  g_mutex_unlock (&self->lock);
}
