/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "domain/beckon-note.h"
#include "domain/beckon-prefix.h"

#define QUOTES "a \"quoted\" \\ line\n\x01 部"

static void
assert_note (BeckonMessage *message, const BeckonNote *expected, const char *sentence)
{
  BeckonPart *part = beckon_message_get_part (message, 0);
  g_auto (BeckonNote) note = { 0 };
  g_autofree char *said = beckon_note_dup_sentence (part);

  g_assert_cmpint (beckon_message_get_role (message), ==, BECKON_ROLE_ASSISTANT);
  g_assert_cmpint (beckon_message_get_status (message), ==, BECKON_MESSAGE_COMPLETE);
  g_assert_cmpint (beckon_message_get_created_at (message), ==, 42);
  g_assert_cmpint (beckon_note_get_kind (message), ==, expected->kind);
  g_assert_true (beckon_note_read (part, &note));
  g_assert_cmpint (note.kind, ==, expected->kind);
  g_assert_cmpstr (note.from, ==, expected->from);
  g_assert_cmpstr (note.to, ==, expected->to);
  g_assert_cmpstr (note.reason, ==, expected->reason);
  g_assert_cmpint (note.through, ==, expected->through);
  g_assert_cmpstr (note.summary, ==, expected->summary);
  g_assert_cmpstr (note.kept, ==, expected->kept);
  g_assert_cmpstr (said, ==, sentence);
}

#define NOTE(kind, from, to, reason, through, summary, kept)                                                           \
  &(const BeckonNote) { kind, (char *) (from), (char *) (to), (char *) (reason), through, (char *) (summary), (char *) (kept) }

/* Each kind says what was put in, whatever the words hold. */
static void
test_read_back (void)
{
  g_autoptr (BeckonMessage) failover = beckon_note_new_failover ("One", QUOTES, "The key is wrong.", 42);
  g_autoptr (BeckonMessage) sight = beckon_note_new_sight ("m-1", 42);
  g_autoptr (BeckonMessage) thinking = beckon_note_new_thinking ("m-1", 42);
  g_autoptr (BeckonMessage) files = beckon_note_new_files ("m-1", 42);
  g_autoptr (BeckonMessage) pictures = beckon_note_new_refused ("m-1", "", "No.", 42);
  g_autoptr (BeckonMessage) tool = beckon_note_new_refused ("m-1", "s__t", "Bad schema", 42);
  g_autoptr (BeckonMessage) prefix = beckon_note_new_prefix (BECKON_PREFIX_TOOLS, 42);
  g_autoptr (BeckonMessage) server = beckon_note_new_server (QUOTES, "It ended.", 42);
  g_autoptr (BeckonMessage) summary = beckon_note_new_summary (17, QUOTES, "", 42);

  assert_note (failover, NOTE (BECKON_NOTE_FAILOVER, "One", QUOTES, "The key is wrong.", -1, "", ""),
               "“One” could not be used: The key is wrong. Going on with “" QUOTES "”.");
  assert_note (sight, NOTE (BECKON_NOTE_SIGHT, "m-1", "", "", -1, "", ""),
               "m-1 does not see pictures. It is only told what they are called.");
  assert_note (thinking, NOTE (BECKON_NOTE_THINKING, "m-1", "", "", -1, "", ""),
               "m-1 no longer accepts its earlier thinking, so the conversation continues without it.");
  assert_note (files, NOTE (BECKON_NOTE_FILES, "m-1", "", "", -1, "", ""), "m-1 gets the text of PDFs, not the files.");
  assert_note (pictures, NOTE (BECKON_NOTE_REFUSED, "m-1", "", "No.", -1, "", ""),
               "m-1 gets the conversation without the last pictures: No.");
  assert_note (tool, NOTE (BECKON_NOTE_REFUSED, "m-1", "s__t", "Bad schema", -1, "", ""),
               "m-1 no longer gets the tool “s__t”: Bad schema.");
  assert_note (prefix, NOTE (BECKON_NOTE_PREFIX, "", "", BECKON_PREFIX_TOOLS, -1, "", ""),
               "The tools of this conversation changed, so the model reads all of it again.");
  assert_note (server, NOTE (BECKON_NOTE_SERVER, QUOTES, "", "It ended.", -1, "", ""),
               "The folder's server “" QUOTES "” is not used: It ended. More is in Preferences, Servers, or with “beckonctl mcp "
               "log”.");
  assert_note (summary, NOTE (BECKON_NOTE_SUMMARY, "", "", "", 17, QUOTES, ""),
               "The model works with a summary of what is above");
}

/* A server ends its sentences or does not; the sentence that they go into has one full stop. */
static void
test_full_stops (void)
{
  static const char *const reasons[] = { "No key", "No key.", " No key... ", "No key。", "No key.。." };

  for (gsize i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      g_autoptr (BeckonMessage) message = beckon_note_new_failover ("One", "Two", reasons[i], 42);
      g_autofree char *said = beckon_note_dup_sentence (beckon_message_get_part (message, 0));

      g_assert_cmpstr (said, ==, "“One” could not be used: No key. Going on with “Two”.");
    }
}

/* Every reason of a prefix has a sentence, and what is told has one of its own. */
static void
test_prefix (void)
{
  static const struct
  {
    const char *reason;
    gboolean has_words;
  } cases[] = {
    { BECKON_PREFIX_FIRST, FALSE },   { BECKON_PREFIX_TOOLS, TRUE },    { BECKON_PREFIX_PROMPT, TRUE },
    { BECKON_PREFIX_SUMMARY, FALSE }, { BECKON_PREFIX_RESULTS, TRUE },  { BECKON_PREFIX_THINKING, FALSE },
    { BECKON_PREFIX_FILES, TRUE },    { BECKON_PREFIX_HISTORY, FALSE }, { "of a later version", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonMessage) message = beckon_note_new_prefix (cases[i].reason, 42);
      g_autofree char *said = beckon_note_dup_sentence (beckon_message_get_part (message, 0));

      g_assert_cmpint (beckon_note_has_words_for (cases[i].reason), ==, cases[i].has_words);
      if (!cases[i].has_words)
        g_assert_cmpstr (said, ==, "The model reads the whole conversation again.");
      else
        g_assert_cmpstr (said, !=, "The model reads the whole conversation again.");
    }
}

/* A part that is no note of ours is none, however much it looks like one. */
static void
test_no_notes (void)
{
  static const struct
  {
    BeckonPartKind kind;
    const char *origin;
    const char *text;
  } cases[] = {
    { BECKON_PART_TEXT, BECKON_NOTE_ORIGIN, "{\"note\":\"sight\",\"from\":\"m\"}" },
    { BECKON_PART_OPAQUE, "anthropic", "{\"note\":\"sight\",\"from\":\"m\"}" },
    { BECKON_PART_OPAQUE, NULL, "{\"note\":\"sight\",\"from\":\"m\"}" },
    { BECKON_PART_OPAQUE, BECKON_NOTE_ORIGIN, "{\"note\":\"of a later version\"}" },
    { BECKON_PART_OPAQUE, BECKON_NOTE_ORIGIN, "{\"note\":7}" },
    { BECKON_PART_OPAQUE, BECKON_NOTE_ORIGIN, "{\"from\":\"m\"}" },
    { BECKON_PART_OPAQUE, BECKON_NOTE_ORIGIN, "{\"note\":\"sight\"" },
    { BECKON_PART_OPAQUE, BECKON_NOTE_ORIGIN, "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 42);
      g_autoptr (BeckonPart) part = beckon_part_new (cases[i].kind, cases[i].text);
      g_auto (BeckonNote) note = { 0 };

      beckon_part_set_origin (part, cases[i].origin);
      beckon_message_add_part (message, part);
      g_assert_false (beckon_note_read (part, &note));
      g_assert_cmpint (beckon_note_get_kind (message), ==, BECKON_NOTE_NONE);
      g_assert_null (beckon_note_dup_sentence (part));
    }
}

/* A message is no note where people's or models' words stand beside it. */
static void
test_not_alone (void)
{
  g_autoptr (BeckonMessage) message = beckon_note_new_sight ("m-1", 42);
  g_autoptr (BeckonMessage) empty = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 42);
  g_autoptr (BeckonPart) text = beckon_part_new (BECKON_PART_TEXT, "And");

  beckon_message_add_part (message, text);
  g_assert_cmpint (beckon_note_get_kind (message), ==, BECKON_NOTE_NONE);
  g_assert_cmpint (beckon_note_get_kind (empty), ==, BECKON_NOTE_NONE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/domain/notes/read-back", test_read_back);
  g_test_add_func ("/domain/notes/full-stops", test_full_stops);
  g_test_add_func ("/domain/notes/prefix", test_prefix);
  g_test_add_func ("/domain/notes/no-notes", test_no_notes);
  g_test_add_func ("/domain/notes/not-alone", test_not_alone);
  return g_test_run ();
}
