/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A line of the log of what was asked and run, in words. */

#include "text/beckon-plain-log.h"

typedef struct
{
  const char *event;
  const char *data;
  const char *words;
  const char *rest;
  const char *tool;
} Line;

static const Line lines[] = {
  { "decided", "{\"verdict\":\"ask\",\"reason\":\"It can change something.\",\"shown\":\"{\\\"path\\\":\\\"a\\\"}\",\"folder\":\"/w\"}",
    "Asked", "It can change something.\nFolder: /w\nProposed: {\"path\":\"a\"}" },
  { "decided", "{\"verdict\":\"allow\"}", "Allowed without asking", "" },
  { "decided", "{\"verdict\":\"deny\"}", "Denied without asking", "" },
  { "settled", "{\"state\":\"answered\",\"front_end\":\"terminal\",\"actor\":\"anna\",\"edited\":\"{}\",\"remembered\":2}",
    "Answered · in the terminal", "By: anna\nChanged to: {}\n2 rules were made of it" },
  { "settled", "{\"state\":\"declined\",\"front_end\":\"window\",\"actor\":\"anna\",\"edited\":null,\"remembered\":0}",
    "Dismissed or denied · in the window", "By: anna" },
  { "started", "{\"executed\":\"{\\\"path\\\":\\\"b\\\"}\"}", "Started", "Run with: {\"path\":\"b\"}" },
  { "finished", "{}", "Finished", "" },
  { "asked",
    "{\"shown\":\"{\\\"simple\\\":false,\\\"items\\\":[{\\\"question\\\":\\\"Which?\\\",\\\"options\\\":[{\\\"label\\\":\\\"North\\\"},"
    "{\\\"label\\\":\\\"South\\\"}]},7,{\\\"question\\\":\\\"Why?\\\"}]}\"}",
    "Asked", "Question: Which?\n1. North\n2. South\nQuestion: Why?", "ask_user" },
  { "asked", "{\"shown\":\"{\\\"title\\\":\\\"All\\\",\\\"steps\\\":[{\\\"tool\\\":\\\"read_file\\\",\\\"arguments\\\":{\\\"path\\\":\\\"a\\\"}},"
    "{\\\"tool\\\":\\\"b\\\"}]}\"}", "Asked",
    "Plan: All\n1. Read a\n2. b", "propose_plan" },
  { "asked", "{\"shown\":\"{\\\"items\\\":[]}\"}", "Asked", "Proposed: {\"items\":[]}", "write_file" },
  { "landed",
    "{\"actor\":\"anna\",\"folder\":\"/w\",\"files\":[{\"path\":\"a\\u202eb\",\"fate\":\"kept\",\"by\":\"mode:outside\"},"
    "{\"path\":\".envrc\",\"fate\":\"left-out\"},{\"path\":\"c\",\"fate\":\"kept\",\"by\":\"rule:7\"},7,{\"path\":\"d\"}]}",
    "Changes saved in the folder",
    "By: anna\nFolder: /w\na<U+202E>b: Kept, without asking\n.envrc: Left out\nc: Kept, by a rule" },
  { "redone", "{}", "Made again", "" },
  /* From a newer program, and from a damaged file. */
  { "teleported", "{\"to\":\"Mars\"}", "teleported", "" },
  { "decided", "{\"verdict\":\"perhaps\"}", "Decided", "" },
  { "settled", "not JSON", "Settled", "" },
  { "settled", "[]", "Settled", "" },
  { "decided", "{\"verdict\":7,\"shown\":\"a\\u202eb\"}", "Decided", "Proposed: a<U+202E>b" },
};

static void
test_words (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (BeckonProvenance) line = beckon_provenance_new ();
      g_autofree char *words = NULL;
      g_autofree char *rest = NULL;

      line->event = g_strdup (lines[i].event);
      line->data = g_strdup (lines[i].data);
      line->tool = g_strdup (lines[i].tool);
      words = beckon_plain_log_describe (line);
      rest = beckon_plain_log_explain (line);
      g_assert_cmpstr (words, ==, lines[i].words);
      g_assert_cmpstr (rest, ==, lines[i].rest);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/log/words", test_words);
  return g_test_run ();
}
