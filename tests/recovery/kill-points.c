/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The linker calls these in place of the functions that they are named after: the program under test is killed in them when the
 * file that BECKON_KILL_AT names holds their word. Each stands between two steps of a message that comes or leaves. */

#include "channels/beckon-channel.h"
#include "agent/beckon-agent.h"
#include "request/beckon-inbox.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static gboolean has_come; /* the last batch had messages */

static void
pass (const char *point)
{
  const char *path = g_getenv ("BECKON_KILL_AT");
  g_autofree char *word = NULL;

  if (path != NULL && g_file_get_contents (path, &word, NULL, NULL) && strcmp (g_strstrip (word), point) == 0)
    kill (getpid (), SIGKILL);
}

void __real_beckon_channel_adapter_receive (BeckonChannelAdapter *self, GPtrArray *messages, const char *cursor);
void __wrap_beckon_channel_adapter_receive (BeckonChannelAdapter *self, GPtrArray *messages, const char *cursor);

/* The batch is not stored. */
void
__wrap_beckon_channel_adapter_receive (BeckonChannelAdapter *self, GPtrArray *messages, const char *cursor)
{
  has_come = messages->len > 0;
  if (has_come)
    pass ("received");
  __real_beckon_channel_adapter_receive (self, messages, cursor);
}

void __real_beckon_channel_adapter_stored (BeckonChannelAdapter *adapter, const char *cursor);
void __wrap_beckon_channel_adapter_stored (BeckonChannelAdapter *adapter, const char *cursor);

/* The batch is stored, with the cursor, and the server does not know. */
void
__wrap_beckon_channel_adapter_stored (BeckonChannelAdapter *adapter, const char *cursor)
{
  if (has_come)
    pass ("stored");
  __real_beckon_channel_adapter_stored (adapter, cursor);
}

gboolean __real_beckon_agent_queue_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);
gboolean __wrap_beckon_agent_queue_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

/* The message is in a conversation's queue, and nothing was told of it. */
gboolean
__wrap_beckon_agent_queue_finish (BeckonAgent *agent, GAsyncResult *result, GError **error)
{
  pass ("queued");
  return __real_beckon_agent_queue_finish (agent, result, error);
}

gboolean __real_beckon_inbox_settle_finish (BeckonInbox *inbox, GAsyncResult *result, GError **error);
gboolean __wrap_beckon_inbox_settle_finish (BeckonInbox *inbox, GAsyncResult *result, GError **error);

/* The message has answered, and nobody knows but the store. */
gboolean
__wrap_beckon_inbox_settle_finish (BeckonInbox *inbox, GAsyncResult *result, GError **error)
{
  pass ("settled");
  return __real_beckon_inbox_settle_finish (inbox, result, error);
}

void __real_beckon_channel_handled (BeckonChannel *channel);
void __wrap_beckon_channel_handled (BeckonChannel *channel);

void
__wrap_beckon_channel_handled (BeckonChannel *channel)
{
  pass ("handled");
  __real_beckon_channel_handled (channel);
}

void __real_beckon_channel_outbox_take (BeckonChannelOutbox *outbox, BeckonChannelPost *post);
void __wrap_beckon_channel_outbox_take (BeckonChannelOutbox *outbox, BeckonChannelPost *post);

/* A message that leaves is stored, and nothing else. */
void
__wrap_beckon_channel_outbox_take (BeckonChannelOutbox *outbox, BeckonChannelPost *post)
{
  pass ("taken");
  __real_beckon_channel_outbox_take (outbox, post);
}

void __real_beckon_channel_adapter_send_async (BeckonChannelAdapter *adapter, BeckonChannelOutgoing *outgoing,
                                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
void __wrap_beckon_channel_adapter_send_async (BeckonChannelAdapter *adapter, BeckonChannelOutgoing *outgoing,
                                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/* The message is marked as being sent, and is not. */
void
__wrap_beckon_channel_adapter_send_async (BeckonChannelAdapter *adapter, BeckonChannelOutgoing *outgoing,
                                          GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  pass ("sending");
  __real_beckon_channel_adapter_send_async (adapter, outgoing, cancellable, callback, user_data);
}

char *__real_beckon_channel_adapter_send_finish (BeckonChannelAdapter *adapter, GAsyncResult *result, GError **error);
char *__wrap_beckon_channel_adapter_send_finish (BeckonChannelAdapter *adapter, GAsyncResult *result, GError **error);

/* The message is sent, and only its server knows. */
char *
__wrap_beckon_channel_adapter_send_finish (BeckonChannelAdapter *adapter, GAsyncResult *result, GError **error)
{
  pass ("sent");
  return __real_beckon_channel_adapter_send_finish (adapter, result, error);
}
