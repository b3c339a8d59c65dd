/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-question-key.h"

#include <string.h>

/* Words that change nothing of what is asked. None that denies, counts, points or says whose something is is among them. */
static const char *const fillers[] = {
  "a", "an", "the", "please", "kindly", "i", "we", "do", "does", "should", "shall", "would", "could", "to", "请", NULL,
};

/* @is_whole: nothing is left out. Returns: how many words there are */
static guint
append_words (GString *key, const char *text, gboolean is_whole)
{
  g_autofree char *normal = g_utf8_normalize (text, -1, G_NORMALIZE_ALL_COMPOSE);
  g_autofree char *folded = g_utf8_casefold (normal != NULL ? normal : "", -1);
  g_autoptr (GString) plain = g_string_new (NULL);
  g_auto (GStrv) words = NULL;
  guint n = 0;

  /* In lower case and one form of writing, its words apart; each Chinese character is a word. Whatever is no letter, number
   * or sign of a currency or of mathematics end one. */
  for (const char *at = folded; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar character = g_utf8_get_char (at);
      GUnicodeType type = g_unichar_type (character);
      gboolean is_sign = type == G_UNICODE_CURRENCY_SYMBOL || type == G_UNICODE_MATH_SYMBOL || type == G_UNICODE_OTHER_SYMBOL;

      if (g_unichar_get_script (character) == G_UNICODE_SCRIPT_HAN)
        {
          g_string_append_c (plain, ' ');
          g_string_append_unichar (plain, character);
          g_string_append_c (plain, ' ');
        }
      else if (g_unichar_isalnum (character) || g_unichar_ismark (character) || is_sign)
        g_string_append_unichar (plain, character);
      else if (plain->len > 0 && plain->str[plain->len - 1] != ' ')
        g_string_append_c (plain, ' ');
    }
  g_strchomp (plain->str);

  words = g_strsplit (plain->str, " ", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      if (*words[i] == '\0' || (!is_whole && g_strv_contains (fillers, words[i])))
        continue;
      g_string_append_printf (key, " %s", words[i]);
      n++;
    }
  return n;
}

static int
question_key_compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
beckon_question_key_new (const BeckonQuestionItem *item)
{
  g_autoptr (GString) key = g_string_new (item->multiple ? "any" : "one");
  g_autoptr (GPtrArray) choices = g_ptr_array_new_with_free_func (g_free);

  if (item->secret || append_words (key, item->question, FALSE) == 0)
    return NULL;
  for (guint i = 0; i < item->options->len; i++)
    {
      const char *label = beckon_question_item_get_option (item, i)->label;
      GString *words = g_string_new (NULL);

      /* Labels of signs alone have no words, and are told apart by what they are. */
      if (append_words (words, label, TRUE) == 0)
        g_string_append (words, label);
      g_ptr_array_add (choices, g_string_free (words, FALSE));
    }
  g_ptr_array_sort (choices, question_key_compare);
  for (guint i = 0; i < choices->len; i++)
    g_string_append_printf (key, "\n%s", (const char *) g_ptr_array_index (choices, i));
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, key->str, (gssize) key->len);
}

BeckonLastAnswer *
beckon_question_key_remember (const BeckonQuestionItem *item, const BeckonAnswerItem *answer, gint64 at)
{
  g_autoptr (BeckonLastAnswer) last = NULL;

  if (item->secret || answer->skipped)
    return NULL;
  last = beckon_last_answer_new (answer->text, at);
  for (guint i = 0; i < answer->selected->len; i++)
    g_ptr_array_add (last->selected, g_strdup (g_ptr_array_index (answer->selected, i)));
  return last->selected->len > 0 || last->text != NULL ? g_steal_pointer (&last) : NULL;
}
