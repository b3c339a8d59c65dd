/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "llm/beckon-codec.h"

/* The events of a decoder, a line each, adjacent pieces of text joined, so that two decodings compare as two strings. */
typedef struct
{
  GString *lines;
  GString *text;
  GString *reasoning;
  GPtrArray *names;
  GPtrArray *arguments;
  guint n_errors;
  guint n_ends;
  BeckonLlmEnd end;
  char *end_text;
  BeckonUsage usage;
  guint n_usages;
  int open; /* the type of the line that is still being added to, -1 if none */
} EventLog;

EventLog *event_log_new (void);
void      event_log_free (EventLog *log);
void      event_log_add (const BeckonLlmEvent *event, gpointer log);

/* Decodes in pieces of the length that `next_length` gives; NULL means in one piece. */
typedef gsize (*NextLength) (gpointer data);
EventLog *event_log_decode (const char *protocol, const char *text, gsize length, NextLength next_length,
                            gpointer data);
EventLog *event_log_decode_lines (const char *protocol, const char *text, gsize length);
EventLog *event_log_decode_bytewise (const char *protocol, const char *text, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EventLog, event_log_free)
