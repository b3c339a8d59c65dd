/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-question-page.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-answer-entry.h"
#include "ui/blocks/beckon-preview.h"
#include "ui/blocks/beckon-text-blocks.h"
#include "ui/widgets/beckon-choice.h"
#include "ui/widgets/beckon-max-height-box.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonQuestionPage
{
  AdwBin parent_instance;

  BeckonQuestion *question;       /* (owned) */
  const BeckonQuestionItem *item; /* of the question */
  guint index;
  gboolean alone;
  gboolean skipped;
  gboolean asking_back;
  gboolean restoring;

  BeckonChoice *suggested; /* (nullable): looks chosen because it was the answer last time, and the person did nothing yet */

  GPtrArray *list; /* (owned): BeckonChoice, borrowed from the box */
  BeckonMaxHeightBox *question_holder;
  GtkWidget *text;
  GtkBox *choices;
  GtkLabel *last_label;
  GtkLabel *hint_label;
  BeckonAnswerEntry *entry;
  BeckonAnswerEntry *back_entry; /* for a question back; the answer keeps what was typed of it */
};

G_DEFINE_FINAL_TYPE (BeckonQuestionPage, beckon_question_page, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_CHANGED,
  SIGNAL_PICKED,
  SIGNAL_SEND,
} BeckonQuestionPageSignal;

static guint signals[SIGNAL_SEND + 1];

static BeckonChoice *
get_choice (BeckonQuestionPage *self, guint index)
{
  return g_ptr_array_index (self->list, index);
}

static BeckonChoiceMode
get_mode (BeckonQuestionPage *self)
{
  if (self->item->multiple)
    return BECKON_CHOICE_ANY_OF;
  return self->alone ? BECKON_CHOICE_AT_ONCE : BECKON_CHOICE_ONE_OF;
}

char *
beckon_question_page_dup_text (BeckonQuestionPage *self)
{
  return beckon_answer_entry_dup_text (self->entry);
}

char *
beckon_question_page_dup_back (BeckonQuestionPage *self)
{
  return beckon_answer_entry_dup_text (self->back_entry);
}

void
beckon_question_page_set_back (BeckonQuestionPage *self, const char *text)
{
  beckon_answer_entry_set_text (self->back_entry, text);
}

gboolean
beckon_question_page_takes_text (BeckonQuestionPage *self)
{
  return self->item->freeform && !self->item->secret;
}

static char *
dup_answer_text (BeckonQuestionPage *self)
{
  return self->item->freeform ? beckon_question_page_dup_text (self) : NULL;
}

gboolean
beckon_question_page_is_single_choice (BeckonQuestionPage *self)
{
  return get_mode (self) == BECKON_CHOICE_ONE_OF;
}

gboolean
beckon_question_page_has_answer (BeckonQuestionPage *self)
{
  g_autofree char *text = dup_answer_text (self);

  for (guint i = 0; i < self->list->len; i++)
    {
      if (beckon_choice_get_chosen (get_choice (self, i)))
        return TRUE;
    }
  return text != NULL || self->skipped;
}

char *
beckon_question_page_dup_title (BeckonQuestionPage *self)
{
  const char *header;
  g_autofree char *cut = NULL;

  header = self->item->header;
  if (header == NULL)
    return g_strdup_printf ("%u", self->index + 1);
  if (g_utf8_strlen (header, -1) <= BECKON_QUESTION_HEADER_CHARS)
    return g_strdup (header);
  cut = g_utf8_substring (header, 0, BECKON_QUESTION_HEADER_CHARS - 1);
  return g_strconcat (cut, "…", NULL);
}

static const char *
question_page_get_hint (BeckonQuestionPage *self)
{
  if (self->asking_back)
    return _("What you type goes back to the agent. It answers, and asks you again.");
  if (self->skipped)
    return _("Skipped. Pick or type to answer it after all.");
  if (self->item->secret)
    return _("Your answer is stored in the keyring. The agent sees only a placeholder.");
  if (self->item->multiple && self->item->options->len > 0)
    return _("Choose any.");
  return NULL;
}

static void
update_hint (BeckonQuestionPage *self)
{
  const char *hint = question_page_get_hint (self);

  gtk_widget_set_visible (GTK_WIDGET (self->hint_label), hint != NULL);
  gtk_label_set_text (self->hint_label, hint != NULL ? hint : "");
}

static void
update_send_button (BeckonQuestionPage *self)
{
  g_autofree char *text = beckon_question_page_dup_text (self);
  g_autofree char *back = beckon_question_page_dup_back (self);
  gboolean has_chosen
    = get_mode (self) == BECKON_CHOICE_ANY_OF ? beckon_question_page_has_answer (self) : self->suggested != NULL;

  beckon_answer_entry_set_button (self->entry, self->alone, has_chosen || text != NULL);
  beckon_answer_entry_set_ignores_enter (self->entry, self->suggested != NULL && text == NULL);
  beckon_answer_entry_set_button (self->back_entry, TRUE, back != NULL);
}

/* --- What was answered last time ------------------------------------------------------------------------------------ */

static void
end_suggestion (BeckonQuestionPage *self)
{
  BeckonChoice *suggested = g_steal_pointer (&self->suggested);

  if (suggested != NULL)
    beckon_choice_set_chosen (suggested, FALSE);
}

static gboolean
is_in_last (BeckonQuestionPage *self, BeckonChoice *choice)
{
  return g_ptr_array_find_with_equal_func (self->item->last->selected, beckon_choice_get_label (choice), g_str_equal, NULL);
}

/* A choice that looks chosen is not the person's until a key or a click of theirs takes or sends it. Enter in an entry without
 * text does not: it may have been on its way to something else. Text that they type is never a note to the choice. Where
 * several may be chosen the boxes are ticked, and can be seen and changed before anything is sent. */
static void
suggest (BeckonQuestionPage *self)
{
  gboolean is_any_of = get_mode (self) == BECKON_CHOICE_ANY_OF;

  if (self->item->last == NULL)
    return;
  for (guint i = 0; i < self->list->len; i++)
    {
      BeckonChoice *choice = get_choice (self, i);

      if (!is_in_last (self, choice))
        continue;
      if (is_any_of)
        {
          beckon_choice_set_chosen (choice, TRUE);
          continue;
        }
      beckon_choice_suggest (choice);
      self->suggested = choice;
      return;
    }
}

static void
show_last (BeckonQuestionPage *self)
{
  g_autofree char *words = self->item->last != NULL ? beckon_last_answer_describe (self->item->last) : NULL;
  g_autofree char *safe = words != NULL ? beckon_text_for_display (words, -1, BECKON_TEXT_EXACT) : NULL;
  /* Translators: what the person answered when the same was asked before */
  g_autofree char *line = safe != NULL ? beckon_text_printf (_("Last time: %s"), safe) : NULL;

  for (guint i = 0; i < self->list->len; i++)
    beckon_choice_set_last (get_choice (self, i), self->item->last != NULL && is_in_last (self, get_choice (self, i)));
  gtk_widget_set_visible (GTK_WIDGET (self->last_label), line != NULL);
  gtk_label_set_text (self->last_label, line != NULL ? line : "");
}

void
beckon_question_page_forget_last (BeckonQuestionPage *self)
{
  BeckonQuestionItem *item;

  item = g_ptr_array_index (self->question->items, self->index);
  g_clear_pointer (&item->last, beckon_last_answer_free);
  end_suggestion (self);
  show_last (self);
  update_hint (self);
  update_send_button (self);
}

static void
changed (BeckonQuestionPage *self)
{
  g_autofree char *text = self->suggested != NULL ? beckon_question_page_dup_text (self) : NULL;

  if (text != NULL)
    end_suggestion (self);
  if (self->skipped && !self->restoring)
    self->skipped = FALSE;
  update_hint (self);
  update_send_button (self);
  if (!self->restoring)
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
beckon_question_page_mark (BeckonQuestionPage *self, const char *label)
{
  for (guint i = 0; i < self->list->len; i++)
    {
      if (strcmp (beckon_choice_get_label (get_choice (self, i)), label) == 0)
        {
          BeckonChoice *chosen = get_choice (self, i);
          BeckonChoiceMode mode = get_mode (self);
          gboolean was_chosen = beckon_choice_get_chosen (chosen);

          self->suggested = NULL;
          for (guint other = 0; other < self->list->len; other++)
            {
              if (mode != BECKON_CHOICE_ANY_OF && get_choice (self, other) != chosen)
                beckon_choice_set_chosen (get_choice (self, other), FALSE);
            }
          beckon_choice_set_chosen (chosen, mode == BECKON_CHOICE_ANY_OF ? !was_chosen : TRUE);
          changed (self);
        }
    }
}

static void
on_choice_clicked (BeckonQuestionPage *self, BeckonChoice *choice)
{
  g_signal_emit (self, signals[SIGNAL_PICKED], 0, choice);
}

gboolean
beckon_question_page_pick_number (BeckonQuestionPage *self, guint number)
{
  if (number < 1 || number > self->list->len)
    return FALSE;

  g_signal_emit (self, signals[SIGNAL_PICKED], 0, get_choice (self, number - 1));
  return TRUE;
}

/* Shows just what @item has; %NULL has nothing. */
static void
show_item (BeckonQuestionPage *self, const BeckonAnswerItem *item)
{
  self->restoring = TRUE;
  self->suggested = NULL;
  for (guint i = 0; i < self->list->len; i++)
    {
      const char *label = beckon_choice_get_label (get_choice (self, i));

      beckon_choice_set_chosen (get_choice (self, i),
                                item != NULL && g_ptr_array_find_with_equal_func (item->selected, label, g_str_equal, NULL));
    }
  beckon_answer_entry_set_text (self->entry, item != NULL ? item->text : NULL);
  self->skipped = item != NULL && item->skipped;
  changed (self);
  self->restoring = FALSE;
}

void
beckon_question_page_set_skipped (BeckonQuestionPage *self, gboolean skipped)
{
  if (skipped)
    show_item (self, NULL);
  self->skipped = skipped;
  update_hint (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
beckon_question_page_set_asking_back (BeckonQuestionPage *self, gboolean asking_back)
{
  self->asking_back = asking_back;
  gtk_widget_set_visible (GTK_WIDGET (self->entry), !asking_back && self->item->freeform);
  gtk_widget_set_visible (GTK_WIDGET (self->back_entry), asking_back);
  update_hint (self);
  update_send_button (self);
}

void
beckon_question_page_fill (BeckonQuestionPage *self, BeckonAnswer *answer, gboolean for_draft)
{
  g_autofree char *text = dup_answer_text (self);

  if (self->skipped)
    beckon_answer_skip (answer, self->index);
  for (guint i = 0; i < self->list->len; i++)
    {
      if (beckon_choice_get_chosen (get_choice (self, i)) && !(for_draft && get_choice (self, i) == self->suggested))
        beckon_answer_select (answer, self->index, beckon_choice_get_label (get_choice (self, i)));
    }
  /* Masked text is not written down half-typed. */
  if (text != NULL && !(for_draft && self->item->secret))
    beckon_answer_set_item_text (answer, self->index, text);
}

void
beckon_question_page_restore (BeckonQuestionPage *self, const BeckonAnswerItem *item)
{
  show_item (self, item);
  if (item == NULL || (item->selected->len == 0 && item->text == NULL && !item->skipped))
    {
      suggest (self);
      update_send_button (self);
    }
}

void
beckon_question_page_focus_entry (BeckonQuestionPage *self)
{
  beckon_answer_entry_focus (self->asking_back ? self->back_entry : self->entry);
}

gboolean
beckon_question_page_takes_secret (BeckonQuestionPage *self)
{
  return self->item->secret && !self->asking_back;
}

void
beckon_question_page_type (BeckonQuestionPage *self, const char *text)
{
  beckon_answer_entry_type (self->entry, text);
}

void
beckon_question_page_focus (BeckonQuestionPage *self)
{
  if (self->suggested != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (self->suggested));
  else if (self->list->len > 0)
    gtk_widget_grab_focus (GTK_WIDGET (get_choice (self, 0)));
  else
    beckon_answer_entry_focus (self->entry);
}

gboolean
beckon_question_page_is_typing (BeckonQuestionPage *self)
{
  return beckon_answer_entry_is_typing (self->entry) || beckon_answer_entry_is_typing (self->back_entry);
}

char *
beckon_question_page_summarize (BeckonQuestionPage *self)
{
  g_autoptr (GString) summary = g_string_new (NULL);
  g_autofree char *text = dup_answer_text (self);

  if (self->skipped)
    return g_strdup (_("Skipped"));
  for (guint i = 0; i < self->list->len; i++)
    {
      BeckonChoice *choice = get_choice (self, i);

      if (beckon_choice_get_chosen (choice))
        g_string_append_printf (summary, "%s%s", summary->len > 0 ? ", " : "", beckon_choice_get_label (choice));
    }
  if (text != NULL)
    g_string_append_printf (summary, "%s%s", summary->len > 0 ? " — " : "", self->item->secret ? "•••" : text);
  return summary->len > 0 ? g_string_free (g_steal_pointer (&summary), FALSE) : g_strdup ("–");
}

static void
on_entry_changed (BeckonQuestionPage *self)
{
  if (self->item != NULL)
    changed (self);
}

static void
on_entry_send (BeckonQuestionPage *self)
{
  g_signal_emit (self, signals[SIGNAL_SEND], 0);
}

/* An option's preview stands beside it, or below it where it is narrow. */
static GtkWidget *
question_page_make_row (GtkWidget *choice, const BeckonQuestionOption *option)
{
  GtkWidget *row;

  if (option->preview == NULL)
    return choice;

  row = g_object_new (BECKON_TYPE_WRAP_PAIR, "share", 55, NULL);
  gtk_widget_set_parent (choice, row);
  gtk_widget_set_parent (beckon_preview_new (option->preview, option->label), row);
  return row;
}

GtkWidget *
beckon_question_page_get_text (BeckonQuestionPage *self)
{
  return self->text;
}

static void
beckon_question_page_dispose (GObject *object)
{
  BeckonQuestionPage *self = BECKON_QUESTION_PAGE (object);

  self->item = NULL;
  self->suggested = NULL;
  g_ptr_array_set_size (self->list, 0);
  g_clear_pointer (&self->question, beckon_question_unref);
  G_OBJECT_CLASS (beckon_question_page_parent_class)->dispose (object);
}

static void
beckon_question_page_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_QUESTION_PAGE (object)->list);
  G_OBJECT_CLASS (beckon_question_page_parent_class)->finalize (object);
}

static void
beckon_question_page_class_init (BeckonQuestionPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_ANSWER_ENTRY);
  g_type_ensure (BECKON_TYPE_MAX_HEIGHT_BOX);
  G_OBJECT_CLASS (klass)->dispose = beckon_question_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_question_page_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", BECKON_TYPE_QUESTION_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 0);
  signals[SIGNAL_PICKED] = g_signal_new ("picked", BECKON_TYPE_QUESTION_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, BECKON_TYPE_CHOICE);
  signals[SIGNAL_SEND] = g_signal_new ("send", BECKON_TYPE_QUESTION_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/question-page.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, question_holder);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, choices);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, last_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, hint_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, back_entry);
  gtk_widget_class_bind_template_callback (widget_class, on_entry_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_entry_send);
}

static void
beckon_question_page_init (BeckonQuestionPage *self)
{
  self->list = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_question_page_new (BeckonQuestion *question, guint index, gboolean alone)
{
  BeckonQuestionPage *self = g_object_new (BECKON_TYPE_QUESTION_PAGE, NULL);
  GtkWidget *text;
  BeckonChoiceMode mode;

  self->question = beckon_question_ref (question);
  self->item = beckon_question_get_item (question, index);
  self->index = index;
  self->alone = alone;

  text = beckon_text_blocks_new ();
  beckon_text_blocks_append (BECKON_TEXT_BLOCKS (text), self->item->question, strlen (self->item->question));
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  beckon_max_height_box_set_child (self->question_holder, text);
  self->text = text;

  mode = get_mode (self);
  for (guint i = 0; i < self->item->options->len; i++)
    {
      const BeckonQuestionOption *option = beckon_question_item_get_option (self->item, i);
      GtkWidget *choice = beckon_choice_new (option, i + 1, mode);

      g_signal_connect_swapped (choice, "clicked", G_CALLBACK (on_choice_clicked), self);
      g_ptr_array_add (self->list, choice);
      gtk_box_append (self->choices, question_page_make_row (choice, option));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->choices), self->item->options->len > 0);

  beckon_answer_entry_set_secret (self->entry, self->item->secret);
  beckon_answer_entry_set_words (self->entry,
                                 self->item->options->len > 0 ? _("Or type your thoughts…") : _("Type your answer…"),
                                 _("Send"), _("Send answer"));
  beckon_answer_entry_set_words (self->back_entry, _("What do you want to know first?"), _("Ask"),
                                 _("Ask the agent"));

  show_last (self);
  suggest (self);
  beckon_question_page_set_asking_back (self, FALSE);
  return GTK_WIDGET (self);
}
