/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"
#include "text/beckon-plain-text.h"

G_BEGIN_DECLS

/* Colours of a terminal, and the end of them. */
#define BECKON_PLAIN_RED "\033[31m"
#define BECKON_PLAIN_GREEN "\033[32m"
#define BECKON_PLAIN_YELLOW "\033[33m"
#define BECKON_PLAIN_CYAN "\033[36m"
#define BECKON_PLAIN_DEFAULT "\033[0m"

/**
 * BeckonPlainClass:
 * @get_type: which class of requests it is about
 * @sign: what stands before everything else
 * @append_heading: the question, or what is to be decided
 * @append_body: what stands below; @code: (nullable): replies are command lines with it
 * @parse: as beckon_plain_text_parse(), of a trimmed line
 * @n_items: (nullable): how many lines it takes to answer it; by default one
 * @begin: (nullable): the answer under construction; by default one to a question
 * @write: the members of its JSON document that say what is asked
 * @names_tool: a terminal names its tool before the heading, which does not say what the call does
 * @is_decision: a reply decides what happens; otherwise it is words that may be long, and copied
 *
 * How requests of a class are written, and how replies to them are read. Private to this room; the table in
 * beckon-plain-class.c has one for each class.
 */
typedef struct
{
  GType (*get_type) (void);
  const char *sign;
  void (*append_heading) (GString *text, BeckonRequest *request, guint item);
  void (*append_body) (GString *text, BeckonRequest *request, guint item, const char *code);
  BeckonPlainResult (*parse) (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                              BeckonAnswer **whole, char **message);
  void (*write) (BeckonJsonWriter *writer, BeckonRequest *request);
  gboolean names_tool;
  gboolean is_decision;
  guint (*n_items) (BeckonRequest *request);
  BeckonAnswer *(*begin) (BeckonRequest *request);
} BeckonPlainClass;

const BeckonPlainClass *beckon_plain_class_get (BeckonRequest *request);

/** Whether replies are still taken, so that the text says which. */
gboolean beckon_plain_class_waits (BeckonRequest *request);

G_END_DECLS
