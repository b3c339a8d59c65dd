/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Searching: what is marked in a text, what the sidebar finds while one types, and where a hit leads. */

#include "beckon-ui-home.h"

#include "ui/blocks/beckon-match-mark.h"
#include "ui/sidebar/beckon-search-view.h"
#include "ui/transcript/beckon-message-row.h"
#include "ui/transcript/beckon-transcript.h"

#include <string.h>

/* Joins the matches with bars. */
static char *
find_all (BeckonMatcher *matcher, const char *text)
{
  g_autoptr (GArray) matches = beckon_matcher_find (matcher, text);
  GString *found = g_string_new (NULL);

  for (guint i = 0; i < matches->len; i++)
    {
      const BeckonMatch *match = &g_array_index (matches, BeckonMatch, i);

      g_string_append (found, i > 0 ? "|" : "");
      g_string_append_len (found, text + match->start, (gssize) (match->end - match->start));
    }
  return g_string_free (found, FALSE);
}

typedef struct
{
  const char *words;
  const char *text;
  const char *found;
} MatchCase;

static void
test_matcher (UiFixture *fixture, gconstpointer data)
{
  static const MatchCase as_typed[] = {
    { "port", "Port 80, transport", "Port|port" },
    { "two  words", "two words", "two words" },
    { "two words", "two \nwords and TWO\302\240WORDS", "two \nwords|TWO\302\240WORDS" },
    { "cafe", "Café, cafe\314\201 and CAFE", "Café|cafe\314\201|CAFE" },
    { "部署", "先部署到测试，再部 署", "部署" },
    { "가", "각 가", "가" },
    { "aa", "aaaa", "aa|aa" },
    { "*", "a * b", "*" },
    { "ÄRGER", "ärger", "ärger" },
    { "grusse", "Grüße und GRÜSSE", "Grüße|GRÜSSE" },
    { "Straße", "strasse, Straße", "strasse|Straße" },
    { "grus", "Gruß", "" },
    { "oeuvre", "Œuvre", "Œuvre" },
  };
  static const MatchCase as_words[] = {
    { "port", "Port 80, transport, ports", "Port|port" },
    { "port 80", "port 8080 port, ports 80", "port|80|port|80" },
    { "\"two ways\" of", "of two ways, two, ways often", "of|two ways|of" },
    { "部署 nginx", "先部署nginx了", "部署|nginx" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (as_typed); i++)
    {
      g_autoptr (BeckonMatcher) matcher = beckon_matcher_new (as_typed[i].words);
      g_autofree char *found = find_all (matcher, as_typed[i].text);

      g_assert_cmpstr (found, ==, as_typed[i].found);
    }
  for (guint i = 0; i < G_N_ELEMENTS (as_words); i++)
    {
      g_autoptr (BeckonMatcher) matcher = beckon_matcher_new_words (as_words[i].words);
      g_autofree char *found = find_all (matcher, as_words[i].text);

      g_assert_cmpstr (found, ==, as_words[i].found);
    }
  g_assert_null (beckon_matcher_new (" \t"));
  g_assert_null (beckon_matcher_new_words (" \"\" "));
}

static guint
count_hits (GtkWidget *root)
{
  return ui_count_type (root, BECKON_TYPE_SEARCH_ROW);
}

static void
type_words (GtkWidget *window, const char *words)
{
  gtk_editable_set_text (GTK_EDITABLE (ui_find_type (window, GTK_TYPE_SEARCH_ENTRY)), words);
}

static GtkLabel *
find_marked_label (GtkWidget *root, const char *text)
{
  GtkWidget *label = ui_find_text (root, text);

  return label != NULL ? GTK_LABEL (label) : NULL;
}

/* The texts that an attribute of that type is on, with bars between. */
static char *
find_attributed (GtkLabel *label, PangoAttrType type)
{
  g_autoptr (GString) found = g_string_new (NULL);
  PangoAttrList *attributes = gtk_label_get_attributes (label);
  GSList *all = attributes != NULL ? pango_attr_list_get_attributes (attributes) : NULL;

  for (GSList *at = all; at != NULL; at = at->next)
    {
      PangoAttribute *attribute = at->data;

      if (attribute->klass->type != type)
        continue;
      g_string_append (found, found->len > 0 ? "|" : "");
      g_string_append_len (found, gtk_label_get_text (label) + attribute->start_index,
                           attribute->end_index - attribute->start_index);
    }
  g_slist_free_full (all, (GDestroyNotify) pango_attribute_destroy);
  return g_strdup (found->str);
}

static void
add_some (UiHome *home)
{
  ui_home_add (home, "Garden <plans>", UI_NOW - 3 * G_TIME_SPAN_DAY, 1, "What grows in the shade?",
               "Ferns and **hostas** do; 先部署再测试.");
  ui_home_add (home, "Long talk", UI_NOW - 2 * G_TIME_SPAN_DAY, 200, "And then?", "Nothing of note happened.");
  ui_home_add (home, "Kitchen", UI_NOW - G_TIME_SPAN_DAY, 1, "How long do lentils cook?", "A *lentil* takes twenty minutes.");
}

static void
test_as_one_types (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  g_autofree char *bold = NULL;

  ui_home_open (&home);
  add_some (&home);
  ui_home_show_window (&home);
  gtk_widget_activate_action (home.window, "win.search", NULL);
  type_words (home.window, "lent");
  ui_wait_until (count_hits (home.window) == 2);
  type_words (home.window, "plans");
  ui_wait_until (count_hits (home.window) == 1 && ui_find_text (home.window, "Garden <plans>") != NULL);
  bold = find_attributed (find_marked_label (ui_find_type (home.window, BECKON_TYPE_SEARCH_ROW), "Garden"), PANGO_ATTR_WEIGHT);
  g_assert_cmpstr (bold, ==, "plans");
  type_words (home.window, "部署");
  ui_wait_until (count_hits (home.window) == 1 && ui_find_text (home.window, "先部署") != NULL);
  type_words (home.window, "zebra");
  ui_wait_until (ui_find_text (home.window, "Nothing Found") != NULL);
  g_assert_nonnull (ui_find_text (home.window, "Try fewer or different words."));
  type_words (home.window, "l");
  ui_wait_until (ui_find_text (home.window, "A single letter only finds whole words.") != NULL);
  /* Found wherever it stands, so that this one is nowhere. */
  type_words (home.window, "猫");
  ui_wait_until (ui_find_text (home.window, "Try fewer or different words.") != NULL);
  type_words (home.window, "");
  ui_wait_until (ui_find_named (home.window, "Conversations") != NULL);
  ui_home_close (&home);
}

static char *
find_needle_marks (GtkWidget *window)
{
  GtkLabel *label = find_marked_label (window, "Here is the needle");

  return label != NULL ? find_attributed (label, PANGO_ATTR_BACKGROUND) : NULL;
}

static gboolean
has_marks (GtkWidget *window, const char *expected)
{
  g_autofree char *marks = find_needle_marks (window);

  return g_strcmp0 (marks, expected) == 0;
}

static void
test_hit (UiFixture *fixture, gconstpointer data)
{
  UiHome home;

  ui_home_open (&home);
  add_some (&home);
  ui_home_add (&home, "Needle", UI_NOW - 4 * G_TIME_SPAN_DAY, 1, "Where?", "Here is the **needle** that was lost.");
  ui_home_add (&home, "Newest", UI_NOW, 1, "What else?", "Not much.");
  ui_home_show_window (&home);
  gtk_widget_activate_action (home.window, "win.search", NULL);
  type_words (home.window, "needle lost");
  g_signal_emit_by_name (ui_find_type (home.window, GTK_TYPE_SEARCH_ENTRY), "activate");
  ui_wait_until (has_marks (home.window, "needle|lost"));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (home.window)), ==, "Needle");
  g_assert_true (BECKON_IS_MESSAGE_ROW (gtk_window_get_focus (GTK_WINDOW (home.window))));
  ui_home_close (&home);
}

/* Far above the end, where there was no row before. */
static void
test_hit_far_above (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (300);
  GtkWidget *transcript = g_object_new (BECKON_TYPE_TRANSCRIPT, NULL);
  BeckonMessage *message = beckon_conversation_get_message (conversation, 101);
  GtkWidget *row;
  graphene_rect_t bounds;

  beckon_transcript_set_conversation (BECKON_TRANSCRIPT (transcript), fixture->inbox, conversation);
  ui_show (fixture, transcript);
  row = beckon_transcript_show_message (BECKON_TRANSCRIPT (transcript), message);
  g_assert_nonnull (row);
  g_assert_true (beckon_message_row_get_message (BECKON_MESSAGE_ROW (row)) == message);
  ui_wait_frames (fixture, 3);
  g_assert_true (gtk_widget_compute_bounds (row, transcript, &bounds));
  g_assert_cmpfloat (bounds.origin.y, >=, 0);
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=, gtk_widget_get_height (transcript));
  g_assert_false (beckon_transcript_get_at_end (BECKON_TRANSCRIPT (transcript)));
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/search/matcher", test_matcher);
  ui_test_add ("/ui/search/as-one-types", test_as_one_types);
  ui_test_add ("/ui/search/hit", test_hit);
  ui_test_add ("/ui/search/hit-far-above", test_hit_far_above);
  return g_test_run ();
}
