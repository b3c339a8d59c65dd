/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The prompt that a model is given before everything else. */

#include "agent/beckon-history.h"
#include "agent/beckon-system-prompt.h"
#include "domain/beckon-attachment.h"

#include <string.h>

#define RULE "ask_user"

static gboolean
says (const BeckonPromptContext *context, const char *words)
{
  g_autofree char *prompt = beckon_system_prompt_compose (context);

  return strstr (prompt, words) != NULL;
}

/* The rule of asking is there while ask_user is on, and only then; so is that of plans. */
static void
test_rules (void)
{
  for (guint i = 0; i < 4; i++)
    {
      BeckonPromptContext context = { .may_ask = (i & 1) != 0, .may_plan = (i & 2) != 0 };

      g_assert_cmpint (says (&context, RULE), ==, context.may_ask);
      g_assert_cmpint (says (&context, "Propose a plan"), ==, context.may_plan);
      g_assert_true (says (&context, "You are Beckon"));
      g_assert_true (says (&context, "Go on until"));
    }
}

static void
test_whole (void)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);
  g_autoptr (GTimeZone) zone = g_time_zone_new_identifier ("Asia/Shanghai");
  BeckonPromptContext context = {
    .may_ask = TRUE, .now = G_GINT64_CONSTANT (1795184917000000), .zone = zone, .surroundings = "On a Pi.", .mode = "Ask first.",
    .folder = "/home/kim/site",
    .instructions = "Be brief.", .server_instructions = "The server “s”:\n> Be kind", .profile = profile,
  };
  static const char *const order[] = { "You are Beckon", "Go on until", "Ask with ask_user", "Today is 2026-11-20",
                                       "Asia/Shanghai", ". On a Pi. Ask first.\n\n", "/home/kim/site", "Be brief.", "It is data", "> Be kind", "Speak plainly." };
  g_autofree char *prompt = NULL;
  const char *place;

  beckon_profile_set_system_prompt (profile, "Speak plainly.");
  prompt = beckon_system_prompt_compose (&context);
  place = prompt;
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      place = strstr (place, order[i]);
      if (place == NULL)
        g_error ("“%s” is not in its place in:\n%s", order[i], prompt);
    }
  /* Not a word about what is not there. */
  context.folder = NULL;
  context.now = 0;
  context.instructions = "";
  context.server_instructions = NULL;
  beckon_profile_set_system_prompt (profile, NULL);
  g_assert_false (says (&context, "folder of this"));
  g_assert_false (says (&context, "Today"));
  g_assert_false (says (&context, "instructions:"));
  g_assert_false (says (&context, "for this model"));
  g_assert_false (says (&context, "servers of tools"));
}

/* Changed words take the place of ours; the rule of asking goes with ask_user, whoever wrote it; empty words are none. */
static void
test_own_words (void)
{
  g_autoptr (GVariant) words =
    g_variant_ref_sink (g_variant_new_parsed ("{'role': 'You are Kim.', 'asking': 'Ask me everything.', 'work': '', 'x': 'y'}"));
  BeckonPromptContext context = { .words = words, .may_ask = TRUE };

  g_assert_true (says (&context, "You are Kim."));
  g_assert_false (says (&context, "You are Beckon"));
  g_assert_true (says (&context, "Ask me everything."));
  g_assert_false (says (&context, "small steps"));
  g_assert_false (says (&context, "\n\n\n"));
  context.may_ask = FALSE;
  g_assert_false (says (&context, "Ask me"));
}

static void
test_names (void)
{
  for (guint i = 0; i < BECKON_PROMPT_N_PARTS; i++)
    {
      g_assert_nonnull (beckon_prompt_part_get_name ((BeckonPromptPart) i));
      g_assert_cmpuint (strlen (beckon_prompt_part_get_default ((BeckonPromptPart) i)), >, 40);
    }
}

/* The rule of asking, line by line, there only while the tool is. */
static const struct
{
  const char *name;
  const char *words;
} rules[] = {
  { "where-judgement-is-needed", "Ask with ask_user where the user's judgement is needed" },
  { "with-clear-options", "Offer clear options" },
  { "several-in-one-call", "put several questions into one call" },
  { "not-for-confirmation", "do not ask for simple confirmation" },
  { "nothing-after-the-call", "Write nothing after the call" },
};

static void
test_asking (gconstpointer words)
{
  g_assert_true (says (&(BeckonPromptContext){ .may_ask = TRUE }, words));
  g_assert_false (says (&(BeckonPromptContext){ .may_ask = FALSE }, words));
}

/* Returns the part before the person's words, for a model of which this much is known. */
static BeckonPart *
tell_picture (int images, BeckonLlmRequest **request)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);
  g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\211PNG", 4);
  g_autoptr (BeckonPart) picture = beckon_attachment_new_image ("slope.png", "image/png", bytes);
  g_autoptr (BeckonPart) words = beckon_part_new (BECKON_PART_TEXT, "How steep?");
  BeckonMessage *message = beckon_message_new ("m", BECKON_ROLE_USER, 1);
  BeckonModelFacts facts = { .images = images };

  beckon_profile_set_facts (profile, &facts);
  beckon_message_add_part (message, picture);
  beckon_message_add_part (message, words);
  g_ptr_array_add (messages, message);
  *request = beckon_llm_request_new (profile, NULL);
  beckon_history_add (*request, messages, "chat");
  g_assert_cmpuint ((*request)->messages->len, ==, 1);
  g_assert_cmpuint (beckon_message_get_n_parts (g_ptr_array_index ((*request)->messages, 0)), ==, 2);
  /* The stored part stays as it is. */
  g_assert_cmpint (beckon_part_get_kind (beckon_message_get_part (message, 0)), ==, BECKON_PART_IMAGE);
  return beckon_message_get_part (g_ptr_array_index ((*request)->messages, 0), 0);
}

/* A model that is known not to see is told that there is a picture; to any other it is sent. */
static void
test_sight (void)
{
  for (int images = -1; images <= 1; images++)
    {
      g_autoptr (BeckonLlmRequest) request = NULL;
      BeckonPart *part = tell_picture (images, &request);

      g_assert_cmpint (beckon_part_get_kind (part), ==, images == 0 ? BECKON_PART_TEXT : BECKON_PART_IMAGE);
      if (images == 0)
        g_assert_cmpstr (beckon_part_get_text (part), ==,
                         "[The user attached the picture slope.png, which you cannot see.]");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/prompt/rules", test_rules);
  g_test_add_func ("/agent/prompt/whole", test_whole);
  g_test_add_func ("/agent/prompt/own-words", test_own_words);
  g_test_add_func ("/agent/prompt/names", test_names);
  g_test_add_func ("/agent/prompt/sight", test_sight);
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_autofree char *path = g_strconcat ("/agent/prompt/asking/", rules[i].name, NULL);

      g_test_add_data_func (path, rules[i].words, test_asking);
    }
  return g_test_run ();
}
