/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The server that benchmarks are measured at. It is plain sockets, a thread for each connection, so that what it does costs
 * the same for every program measured and is seen in no figure of theirs.
 *
 * What it does follows from the first order it finds in a request, wherever that is: a floor program has it in its URL, ours
 * in what the person said.
 *
 *   bench-stream-TOKENS-RATE-HOLD-ID  streams TOKENS words at RATE a second (0: at once), waits HOLD ms, then ends the reply
 *   bench-markdown-TOKENS-RATE-HOLD-ID  the same with Markdown of every kind
 *   bench-ask-ROUNDS-ID               calls ask_user until the history holds ROUNDS results of tools, then says one word
 *   bench-bulk-MEGABYTES-ID           streams that much, in chunks of 16 kB, each an event, as fast as it is taken
 *   bench-group-CALLS-ID              calls ask_user CALLS times in one reply, then says one word
 *
 * It prints the port it listens on, then one line for each request: the time of its first byte on CLOCK_MONOTONIC in µs,
 * the size of its body, and its order; and `streamed ORDER` when the last word of a stream is out.
 */

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define REQUEST_MAX (4 * 1024 * 1024)
#define CHUNK_MAX 1024
#define BULK_SIZE 16384

typedef struct
{
  char order[64];
  char *body;
  size_t body_size;
  int64_t first_byte;
} Request;

static int64_t
now_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void
sleep_until (int64_t when_us)
{
  struct timespec when = { .tv_sec = when_us / 1000000, .tv_nsec = when_us % 1000000 * 1000 };

  while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL) == EINTR)
    continue;
}

static int
send_all (int connection, const char *data, size_t size)
{
  while (size > 0)
    {
      ssize_t sent = send (connection, data, size, MSG_NOSIGNAL);

      if (sent < 0 && errno == EINTR)
        continue;
      if (sent <= 0)
        return -1;
      data += sent;
      size -= (size_t) sent;
    }

  return 0;
}

/* Sends one event as one HTTP chunk, the way the services do. */
static int
send_event (int connection, const char *json)
{
  char chunk[CHUNK_MAX + 64];
  int length = (int) strlen (json) + 8;
  int size = snprintf (chunk, sizeof chunk, "%x\r\ndata: %s\n\n\r\n", (unsigned) length, json);

  return send_all (connection, chunk, (size_t) size);
}

static int
send_delta (int connection, const char *delta, const char *finish_reason)
{
  char json[CHUNK_MAX];

  snprintf (json, sizeof json,
            "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"bench\","
            "\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}",
            delta, finish_reason);
  return send_event (connection, json);
}

static int
begin_reply (int connection)
{
  static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

  return send_all (connection, head, sizeof head - 1);
}

static int
end_reply (int connection, const char *finish_reason)
{
  static const char tail[] = "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n";

  if (send_delta (connection, "{}", finish_reason) < 0)
    return -1;
  return send_all (connection, tail, sizeof tail - 1);
}

/* A model's reply, as it is within a JSON string; a token is about four letters of it. */
static const char markdown[] =
    "## Section with a heading\\n\\nA paragraph of **bold words**, *emphasis*, `inline code` and a [link](https://example.com/a), which "
    "goes on for a line or two, so that it wraps: the quick brown fox jumps over the lazy dog, and the dog does not mind. Then "
    "there is more of it, since people like to read.\\n\\n- First point, with a few words\\n- Second point, with `code` in it\\n"
    "  - A nested point\\n  - Another one\\n- Third point\\n\\n1. Do this first\\n2. Then do that\\n3. And be done\\n\\n"
    "```python\\ndef total(items):\\n    # what all of them cost\\n    result = 0\\n    for item in items:\\n        result += item.price * 2\\n"
    "    return result\\n```\\n\\nAnother paragraph stands here, of plain words that say nothing new, but that have to be laid out "
    "all the same, again and again while they come in.\\n\\n| Name | Value | Note |\\n|---|---:|---|\\n| Alpha | 1 | the first |\\n"
    "| Beta | 22 | the **second** |\\n| Gamma | 333 | the third |\\n\\n> A quote of somebody who said something once.\\n\\n";

/* Takes a token from @at on, which moves behind it and round; escapes stay whole. */
static int
next_token (size_t *at, char *delta, size_t size)
{
  char text[16];
  size_t n = 0;

  while (n < 4 || text[n - 1] == '\\')
    {
      text[n++] = markdown[*at];
      *at = (*at + 1) % (sizeof markdown - 1);
    }
  text[n] = '\0';
  return snprintf (delta, size, "{\"content\":\"%s\"}", text);
}

static int
reply_markdown (int connection, const Request *request)
{
  int tokens = 0, rate = 0, hold = 0;
  int64_t begin = now_us ();
  size_t at = 0;
  char delta[64];

  sscanf (request->order, "bench-markdown-%d-%d-%d-", &tokens, &rate, &hold);
  if (begin_reply (connection) < 0)
    return -1;
  for (int i = 0; i < tokens; i++)
    {
      if (rate > 0)
        sleep_until (begin + (int64_t) i * 1000000 / rate);
      next_token (&at, delta, sizeof delta);
      if (send_delta (connection, delta, "null") < 0)
        return -1;
    }
  printf ("streamed %s\n", request->order);
  sleep_until (now_us () + (int64_t) hold * 1000);
  return end_reply (connection, "\"stop\"");
}

static int
reply_stream (int connection, const Request *request)
{
  int tokens = 0, rate = 0, hold = 0;
  int64_t begin = now_us ();

  sscanf (request->order, "bench-stream-%d-%d-%d-", &tokens, &rate, &hold);
  if (begin_reply (connection) < 0)
    return -1;

  for (int i = 0; i < tokens; i++)
    {
      if (rate > 0)
        sleep_until (begin + (int64_t) i * 1000000 / rate);
      /* A line now and then, as prose has. */
      if (send_delta (connection, i % 50 == 49 ? "{\"content\":\"end.\\n\"}" : "{\"content\":\"word \"}", "null") < 0)
        return -1;
    }

  printf ("streamed %s\n", request->order);
  sleep_until (now_us () + (int64_t) hold * 1000);
  return end_reply (connection, "\"stop\"");
}

/* A chunk of BULK_SIZE bytes that is one event, and holds a text with a line break now and then. */
static size_t
make_bulk (char *chunk, size_t size)
{
  static const char before[] = "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,"
                               "\"delta\":{\"content\":\"";
  static const char after[] = "\"},\"finish_reason\":null}]}\n\n";
  static const char line[] = "It was a bright cold day in April, and the clocks were striking thirteen. \\n";
  int length = snprintf (chunk, size, "%x\r\n%s", BULK_SIZE, before);
  size_t at = (size_t) length;
  size_t end = at - (sizeof before - 1) + BULK_SIZE - (sizeof after - 1);

  while (at + sizeof line - 1 <= end)
    {
      memcpy (chunk + at, line, sizeof line - 1);
      at += sizeof line - 1;
    }
  while (at < end)
    chunk[at++] = 'x';
  memcpy (chunk + at, after, sizeof after - 1);
  memcpy (chunk + at + sizeof after - 1, "\r\n", 2);
  return at + sizeof after - 1 + 2;
}

static int
reply_bulk (int connection, const Request *request)
{
  char chunk[BULK_SIZE + 64];
  size_t size = make_bulk (chunk, sizeof chunk);
  int megabytes = 0;

  sscanf (request->order, "bench-bulk-%d-", &megabytes);
  if (begin_reply (connection) < 0)
    return -1;
  for (int i = 0; i < megabytes * (1024 * 1024 / BULK_SIZE); i++)
    if (send_all (connection, chunk, size) < 0)
      return -1;
  return end_reply (connection, "\"stop\"");
}

static int
count (const char *text, const char *word)
{
  int times = 0;

  for (const char *at = strstr (text, word); at != NULL; at = strstr (at + 1, word))
    times++;
  return times;
}

static int
send_call (int connection, int index, int number)
{
  char call[512];

  snprintf (call, sizeof call,
            "{\"role\":\"assistant\",\"tool_calls\":[{\"index\":%d,\"id\":\"call_%d\",\"type\":\"function\",\"function\":"
            "{\"name\":\"ask_user\",\"arguments\":\"{\\\"question\\\":\\\"Which one, %d?\\\",\\\"choices\\\":"
            "[\\\"First\\\",\\\"Second\\\"]}\"}}]}",
            index, number, number);
  return send_delta (connection, call, "null");
}

static int
reply_ask (int connection, const Request *request)
{
  int rounds = 0, answered = count (request->body, "\"tool_call_id\"");

  sscanf (request->order, "bench-ask-%d-", &rounds);
  if (begin_reply (connection) < 0)
    return -1;
  if (answered < rounds)
    return send_call (connection, 0, answered + 1) < 0 ? -1 : end_reply (connection, "\"tool_calls\"");
  return send_delta (connection, "{\"content\":\"Thanks.\"}", "null") < 0 ? -1 : end_reply (connection, "\"stop\"");
}

static int
reply_group (int connection, const Request *request)
{
  int calls = 0;

  sscanf (request->order, "bench-group-%d-", &calls);
  if (begin_reply (connection) < 0)
    return -1;
  if (count (request->body, "\"tool_call_id\"") > 0)
    return send_delta (connection, "{\"content\":\"Thanks.\"}", "null") < 0 ? -1 : end_reply (connection, "\"stop\"");

  for (int i = 0; i < calls; i++)
    if (send_call (connection, i, i + 1) < 0)
      return -1;
  return end_reply (connection, "\"tool_calls\"");
}

static size_t
content_length (const char *head)
{
  const char *line = strcasestr (head, "\r\ncontent-length:");

  return line != NULL ? strtoul (line + strlen ("\r\ncontent-length:"), NULL, 10) : 0;
}

static int
find_order (const char *text, char *order, size_t size)
{
  const char *at = strstr (text, "bench-");
  size_t length = 0;

  while (at != NULL && strncmp (at, "bench-stream-", 13) != 0 && strncmp (at, "bench-ask-", 10) != 0
         && strncmp (at, "bench-group-", 12) != 0 && strncmp (at, "bench-bulk-", 11) != 0
         && strncmp (at, "bench-markdown-", 15) != 0)
    at = strstr (at + 1, "bench-");
  if (at == NULL)
    return 0;
  while (length < size - 1 && (at[length] == '-' || isalnum ((unsigned char) at[length])))
    length++;
  memcpy (order, at, length);
  order[length] = '\0';
  return 1;
}

/* Returns 1 with a whole request in @buffer, 0 when the peer is done. */
static int
receive (int connection, char *buffer, Request *request)
{
  size_t have = 0;
  const char *end = NULL;

  request->first_byte = 0;
  while (have < REQUEST_MAX - 1)
    {
      ssize_t got = recv (connection, buffer + have, REQUEST_MAX - 1 - have, 0);

      if (got <= 0)
        return 0;
      if (request->first_byte == 0)
        request->first_byte = now_us ();
      have += (size_t) got;
      buffer[have] = '\0';
      end = strstr (buffer, "\r\n\r\n");
      if (end != NULL && have >= (size_t) (end + 4 - buffer) + content_length (buffer))
        break;
    }

  if (end == NULL || !find_order (buffer, request->order, sizeof request->order))
    return 0;
  request->body = buffer + (end + 4 - buffer);
  request->body_size = have - (size_t) (end + 4 - buffer);
  return 1;
}

static void *
serve (void *data)
{
  int connection = (int) (intptr_t) data;
  int one = 1;
  char *buffer = malloc (REQUEST_MAX);
  Request request;

  setsockopt (connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  while (buffer != NULL && receive (connection, buffer, &request))
    {
      int failed;

      printf ("request %lld %zu %s\n", (long long) request.first_byte, request.body_size, request.order);
      if (strncmp (request.order, "bench-ask-", 10) == 0)
        failed = reply_ask (connection, &request);
      else if (strncmp (request.order, "bench-bulk-", 11) == 0)
        failed = reply_bulk (connection, &request);
      else if (strncmp (request.order, "bench-markdown-", 15) == 0)
        failed = reply_markdown (connection, &request);
      else if (strncmp (request.order, "bench-group-", 12) == 0)
        failed = reply_group (connection, &request);
      else
        failed = reply_stream (connection, &request);
      if (failed < 0)
        break;
    }

  free (buffer);
  close (connection);
  return NULL;
}

static int
listen_on_loopback (void)
{
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  socklen_t size = sizeof address;
  int listener = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  if (listener < 0 || bind (listener, (struct sockaddr *) &address, size) < 0 || listen (listener, SOMAXCONN) < 0 ||
      getsockname (listener, (struct sockaddr *) &address, &size) < 0)
    {
      perror ("bench-server");
      exit (1);
    }

  printf ("port %d\n", ntohs (address.sin_port));
  return listener;
}

int
main (void)
{
  int listener;

  setvbuf (stdout, NULL, _IOLBF, 0);
  signal (SIGPIPE, SIG_IGN);
  listener = listen_on_loopback ();

  for (;;)
    {
      pthread_t thread;
      int connection = accept (listener, NULL, NULL);

      if (connection < 0)
        continue;
      if (pthread_create (&thread, NULL, serve, (void *) (intptr_t) connection) == 0)
        pthread_detach (thread);
      else
        close (connection);
    }
}
