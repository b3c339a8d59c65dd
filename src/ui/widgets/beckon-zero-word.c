/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-zero-word.h"

#define WORD "beckon-zero-word"

static const char *
zero_word_get_word (GtkSpinButton *spin)
{
  return g_object_get_data (G_OBJECT (spin), WORD);
}

static gboolean
on_zero_word_output (GtkSpinButton *spin)
{
  const char *word = zero_word_get_word (spin);

  if (gtk_adjustment_get_value (gtk_spin_button_get_adjustment (spin)) != 0)
    return FALSE;
  /* An equal text is not set, so that the cursor stays where it is. */
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (spin)), word))
    gtk_editable_set_text (GTK_EDITABLE (spin), word);
  return TRUE;
}

static int
on_zero_word_input (GtkSpinButton *spin, double *value)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (spin))));
  g_autofree char *typed = g_utf8_casefold (text, -1);
  g_autofree char *word = g_utf8_casefold (zero_word_get_word (spin), -1);

  if (*text != '\0' && !g_str_equal (typed, word))
    return FALSE;
  *value = 0;
  return TRUE;
}

/* In digits: a Chinese letter is as wide as two of them. */
static int
count_width (const char *word)
{
  int width = 0;

  for (; *word != '\0'; word = g_utf8_next_char (word))
    width += g_unichar_iswide (g_utf8_get_char (word)) ? 2 : 1;
  return width;
}

void
beckon_zero_word_apply (GtkSpinButton *spin, const char *word)
{
  g_object_set_data_full (G_OBJECT (spin), WORD, g_strdup (word), g_free);
  gtk_spin_button_set_numeric (spin, FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin),
                                MAX (count_width (word), gtk_editable_get_width_chars (GTK_EDITABLE (spin))));
  g_signal_connect (spin, "output", G_CALLBACK (on_zero_word_output), NULL);
  g_signal_connect (spin, "input", G_CALLBACK (on_zero_word_input), NULL);
  gtk_spin_button_update (spin);
  on_zero_word_output (spin);
}
