/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "domain/beckon-link.h"

#include "base/beckon-error.h"

static void
test_kinds (void)
{
  static const struct
  {
    const char *uri;
    BeckonLink link;
  } cases[] = {
    { "beckon://conversation/0190-aB", { BECKON_LINK_CONVERSATION, (char *) "0190-aB", NULL, NULL } },
    { "beckon://conversation/a/b", { BECKON_LINK_CONVERSATION, (char *) "a", (char *) "b", NULL } },
    { "BECKON://new", { BECKON_LINK_NEW, NULL, NULL, NULL } },
    { "beckon://new/", { BECKON_LINK_NEW, NULL, NULL, NULL } },
    { "beckon://new?text=two+words%0A%E9%83%A8", { BECKON_LINK_NEW, NULL, NULL, (char *) "two words\n部" } },
    { "beckon://search?text=a%26b", { BECKON_LINK_SEARCH, NULL, NULL, (char *) "a&b" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonLink) link = beckon_link_parse (cases[i].uri, &error);
      g_autoptr (BeckonLink) copy = NULL;

      g_test_message ("%s", cases[i].uri);
      g_assert_no_error (error);
      copy = beckon_link_copy (link);
      g_assert_cmpint (copy->kind, ==, cases[i].link.kind);
      g_assert_cmpstr (copy->conversation_id, ==, cases[i].link.conversation_id);
      g_assert_cmpstr (copy->message_id, ==, cases[i].link.message_id);
      g_assert_cmpstr (copy->text, ==, cases[i].link.text);
    }
}

static void
test_refused (void)
{
  g_autofree char *filler = g_strnfill (16 * 1024, 'a');
  g_autofree char *too_long = g_strconcat ("beckon://new?text=", filler, NULL);
  const char *cases[] = {
    "", "new", "https://new", "file:///etc/passwd", "beckon:", "beckon://", "beckon://run?text=rm",
    "beckon://conversation", "beckon://conversation/", "beckon://conversation/a/b/c", "beckon://conversation/..",
    "beckon://conversation/a?text=b", "beckon://conversation/a%2Fb", "beckon://conversation/a/%0A", "beckon://conversation/a b",
    "beckon://new/a", "beckon:///new", "beckon://new?send=1", "beckon://new?text=a&send=1", "beckon://new?text=%00", "beckon://new?text=%1B",
    "beckon://new?text=%FF", "beckon://new?text", "beckon://new#a", "beckon://me@new", "beckon://new:80", too_long,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%.100s", cases[i]);
      g_assert_null (beckon_link_parse (cases[i], &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/link/kinds", test_kinds);
  g_test_add_func ("/link/refused", test_refused);

  return g_test_run ();
}
