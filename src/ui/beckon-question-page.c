/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-question-page.h"

#include "beckon-choice.h"
#include "beckon-text-blocks.h"

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
  gboolean composing; /* an input method has text that is not final */
  gboolean restoring;

  AdwBin *question_holder;
  GtkBox *choices;
  GtkLabel *hint_label;
  GtkWidget *entry_row;
  GtkEntry *entry;
  GtkButton *send_button;
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
next_choice (BeckonQuestionPage *self, BeckonChoice *choice)
{
  GtkWidget *next = choice == NULL ? gtk_widget_get_first_child (GTK_WIDGET (self->choices))
                                   : gtk_widget_get_next_sibling (GTK_WIDGET (choice));

  return next != NULL ? BECKON_CHOICE (next) : NULL;
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
  g_autofree char *text = NULL;

  g_return_val_if_fail (BECKON_IS_QUESTION_PAGE (self), NULL);

  text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

gboolean
beckon_question_page_takes_text (BeckonQuestionPage *self)
{
  g_return_val_if_fail (BECKON_IS_QUESTION_PAGE (self), FALSE);

  return self->item->freeform;
}

/* Where only a choice is possible the entry is there for asking back; what was typed then is no part of an answer. */
static char *
dup_answer_text (BeckonQuestionPage *self)
{
  return self->item->freeform ? beckon_question_page_dup_text (self) : NULL;
}

gboolean
beckon_question_page_has_answer (BeckonQuestionPage *self)
{
  g_autofree char *text = dup_answer_text (self);

  for (BeckonChoice *choice = next_choice (self, NULL); choice != NULL; choice = next_choice (self, choice))
    {
      if (beckon_choice_get_chosen (choice))
        return TRUE;
    }
  return text != NULL || self->skipped;
}

char *
beckon_question_page_dup_title (BeckonQuestionPage *self)
{
  const char *header;
  g_autofree char *cut = NULL;

  g_return_val_if_fail (BECKON_IS_QUESTION_PAGE (self), NULL);

  header = self->item->header;
  if (header == NULL)
    return g_strdup_printf ("%u", self->index + 1);
  if (g_utf8_strlen (header, -1) <= BECKON_QUESTION_HEADER_CHARS)
    return g_strdup (header);
  cut = g_utf8_substring (header, 0, BECKON_QUESTION_HEADER_CHARS - 1);
  return g_strconcat (cut, "…", NULL);
}

static void
update_hint (BeckonQuestionPage *self)
{
  const char *hint = NULL;

  if (self->asking_back)
    hint = _("What you type goes back to the agent. It answers, and asks you again.");
  else if (self->skipped)
    hint = _("Skipped. Pick or type to answer it after all.");
  gtk_widget_set_visible (GTK_WIDGET (self->hint_label), hint != NULL);
  gtk_label_set_text (self->hint_label, hint != NULL ? hint : "");
}

static void
update_send_button (BeckonQuestionPage *self)
{
  g_autofree char *text = beckon_question_page_dup_text (self);
  gboolean any_of = get_mode (self) == BECKON_CHOICE_ANY_OF && !self->asking_back;

  gtk_widget_set_sensitive (GTK_WIDGET (self->send_button),
                            any_of ? beckon_question_page_has_answer (self) : text != NULL);
}

static void
changed (BeckonQuestionPage *self)
{
  if (self->skipped && !self->restoring)
    self->skipped = FALSE;
  update_hint (self);
  update_send_button (self);
  if (!self->restoring)
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
mark (BeckonQuestionPage *self, BeckonChoice *chosen)
{
  BeckonChoiceMode mode = get_mode (self);
  gboolean was_chosen = beckon_choice_get_chosen (chosen);

  for (BeckonChoice *choice = next_choice (self, NULL); choice != NULL; choice = next_choice (self, choice))
    {
      if (mode != BECKON_CHOICE_ANY_OF && choice != chosen)
        beckon_choice_set_chosen (choice, FALSE);
    }
  beckon_choice_set_chosen (chosen, mode == BECKON_CHOICE_ANY_OF ? !was_chosen : TRUE);
  changed (self);
}

void
beckon_question_page_mark (BeckonQuestionPage *self, const char *label)
{
  g_return_if_fail (BECKON_IS_QUESTION_PAGE (self));

  for (BeckonChoice *choice = next_choice (self, NULL); choice != NULL; choice = next_choice (self, choice))
    {
      if (strcmp (beckon_choice_get_label (choice), label) == 0)
        mark (self, choice);
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
  guint at = 1;

  g_return_val_if_fail (BECKON_IS_QUESTION_PAGE (self), FALSE);

  for (BeckonChoice *choice = next_choice (self, NULL); choice != NULL; choice = next_choice (self, choice))
    {
      if (at++ != number)
        continue;
      g_signal_emit (self, signals[SIGNAL_PICKED], 0, choice);
      return TRUE;
    }
  return FALSE;
}

gboolean
beckon_question_page_get_skipped (BeckonQuestionPage *self)
{
  g_return_val_if_fail (BECKON_IS_QUESTION_PAGE (self), FALSE);

  return self->skipped;
}

void
beckon_question_page_set_skipped (BeckonQuestionPage *self, gboolean skipped)
{
  g_return_if_fail (BECKON_IS_QUESTION_PAGE (self));

  self->restoring = TRUE;
  if (skipped)
    {
      for (BeckonChoice *choice = next_choice (self, NULL); choice != NULL; choice = next_choice (self, choice))
        beckon_choice_set_chosen (choice, FALSE);
      gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
    }
  self->skipped = skipped;
  changed (self);
  self->restoring = FALSE;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
beckon_question_page_set_asking_back (BeckonQuestionPage *self, gboolean asking_back)
{
  g_return_if_fail (BECKON_IS_QUESTION_PAGE (self));

  self->asking_back = asking_back;
  gtk_widget_set_visible (self->entry_row, asking_back || self->item->freeform);
  gtk_widget_set_visible (GTK_WIDGET (self->send_button), asking_back || self->alone);
  gtk_button_set_label (self->send_button, asking_back ? _("Ask") : _("Send"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->send_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  asking_back ? _("Ask the agent") : _("Send answer"), -1);
  gtk_entry_set_placeholder_text (self->entry, asking_back ? _("What do you want to know first?")
                                               : self->item->options->len > 0
                                                   ? _("Or type your thoughts…")
                                                   : _("Type your answer…"));
  update_hint (self);
  update_send_button (self);
}

void
beckon_question_page_fill (BeckonQuestionPage *self, BeckonAnswer *answer, gboolean for_draft)
{
  g_autofree char *text = for_draft ? beckon_question_page_dup_text (self) : dup_answer_text (self);

  g_return_if_fail (BECKON_IS_QUESTION_PAGE (self));

  if (self->skipped)
    beckon_answer_skip (answer, self->index);
  for (BeckonChoice *choice = next_choice (self, NULL); choice != NULL; choice = next_choice (self, choice))
    {
      if (beckon_choice_get_chosen (choice))
        beckon_answer_select (answer, self->index, beckon_choice_get_label (choice));
    }
  /* What is masked on screen is not written down half-typed. */
  if (text != NULL && !(for_draft && self->item->secret))
    beckon_answer_set_item_text (answer, self->index, text);
}

void
beckon_question_page_restore (BeckonQuestionPage *self, const BeckonAnswerItem *item)
{
  g_return_if_fail (BECKON_IS_QUESTION_PAGE (self));

  self->restoring = TRUE;
  self->skipped = item->skipped;
  for (guint i = 0; i < item->selected->len; i++)
    beckon_question_page_mark (self, g_ptr_array_index (item->selected, i));
  if (item->text != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), item->text);
  changed (self);
  self->restoring = FALSE;
}

void
beckon_question_page_set_text (BeckonQuestionPage *self, const char *text)
{
  g_return_if_fail (BECKON_IS_QUESTION_PAGE (self));

  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
}

void
beckon_question_page_focus_entry (BeckonQuestionPage *self)
{
  g_return_if_fail (BECKON_IS_QUESTION_PAGE (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

void
beckon_question_page_focus (BeckonQuestionPage *self)
{
  BeckonChoice *first;

  g_return_if_fail (BECKON_IS_QUESTION_PAGE (self));

  first = next_choice (self, NULL);
  gtk_widget_grab_focus (first != NULL ? GTK_WIDGET (first) : GTK_WIDGET (self->entry));
}

gboolean
beckon_question_page_is_typing (BeckonQuestionPage *self)
{
  g_return_val_if_fail (BECKON_IS_QUESTION_PAGE (self), FALSE);

  return (gtk_widget_get_state_flags (GTK_WIDGET (self->entry)) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

char *
beckon_question_page_summarize (BeckonQuestionPage *self)
{
  g_autoptr (GString) summary = g_string_new (NULL);
  g_autofree char *text = dup_answer_text (self);

  if (self->skipped)
    return g_strdup (_("Skipped"));
  for (BeckonChoice *choice = next_choice (self, NULL); choice != NULL; choice = next_choice (self, choice))
    {
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
on_preedit_changed (BeckonQuestionPage *self, const char *preedit)
{
  self->composing = preedit != NULL && *preedit != '\0';
}

/* Enter ends what an input method is composing; only the next one sends. */
static void
on_entry_activate (BeckonQuestionPage *self)
{
  if (!self->composing)
    g_signal_emit (self, signals[SIGNAL_SEND], 0);
}

static void
on_send_clicked (BeckonQuestionPage *self)
{
  g_signal_emit (self, signals[SIGNAL_SEND], 0);
}

static void
add_choices (BeckonQuestionPage *self)
{
  BeckonChoiceMode mode = get_mode (self);

  for (guint i = 0; i < self->item->options->len; i++)
    {
      GtkWidget *choice = beckon_choice_new (beckon_question_item_get_option (self->item, i), i + 1, mode);

      g_signal_connect_swapped (choice, "clicked", G_CALLBACK (on_choice_clicked), self);
      gtk_box_append (self->choices, choice);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->choices), self->item->options->len > 0);
}

static void
show_question (BeckonQuestionPage *self)
{
  GtkWidget *text = beckon_text_blocks_new ();

  beckon_text_blocks_append (BECKON_TEXT_BLOCKS (text), self->item->question, strlen (self->item->question));
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  adw_bin_set_child (self->question_holder, text);
}

static void
beckon_question_page_dispose (GObject *object)
{
  BeckonQuestionPage *self = BECKON_QUESTION_PAGE (object);

  self->item = NULL;
  g_clear_pointer (&self->question, beckon_question_unref);
  G_OBJECT_CLASS (beckon_question_page_parent_class)->dispose (object);
}

static void
beckon_question_page_class_init (BeckonQuestionPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_question_page_dispose;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", BECKON_TYPE_QUESTION_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 0);
  signals[SIGNAL_PICKED] = g_signal_new ("picked", BECKON_TYPE_QUESTION_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, BECKON_TYPE_CHOICE);
  signals[SIGNAL_SEND] = g_signal_new ("send", BECKON_TYPE_QUESTION_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/question-page.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, question_holder);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, choices);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, hint_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, entry_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionPage, send_button);
  gtk_widget_class_bind_template_callback (widget_class, on_entry_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_entry_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_send_clicked);
}

static void
beckon_question_page_init (BeckonQuestionPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (self->entry)), "preedit-changed",
                           G_CALLBACK (on_preedit_changed), self, G_CONNECT_SWAPPED);
}

GtkWidget *
beckon_question_page_new (BeckonQuestion *question, guint index, gboolean alone)
{
  BeckonQuestionPage *self = g_object_new (BECKON_TYPE_QUESTION_PAGE, NULL);

  self->question = beckon_question_ref (question);
  self->item = beckon_question_get_item (question, index);
  self->index = index;
  self->alone = alone;
  show_question (self);
  add_choices (self);
  gtk_entry_set_visibility (self->entry, !self->item->secret);
  gtk_entry_set_input_purpose (self->entry,
                               self->item->secret ? GTK_INPUT_PURPOSE_PASSWORD : GTK_INPUT_PURPOSE_FREE_FORM);
  beckon_question_page_set_asking_back (self, FALSE);
  return GTK_WIDGET (self);
}
