/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-answer-entry.h"

#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonAnswerEntry
{
  AdwBin parent_instance;

  gboolean composing;   /* an input method has text that is not final */
  gboolean ignores_enter;

  GtkEntry *entry;
  GtkToggleButton *peek_button;
  GtkButton *send_button;
};

G_DEFINE_FINAL_TYPE (BeckonAnswerEntry, beckon_answer_entry, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_CHANGED,
  SIGNAL_SEND,
} BeckonAnswerEntrySignal;

static guint signals[SIGNAL_SEND + 1];

void
beckon_answer_entry_set_words (BeckonAnswerEntry *self, const char *placeholder, const char *button, const char *spoken)
{
  gtk_entry_set_placeholder_text (self->entry, placeholder);
  gtk_button_set_label (self->send_button, button);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->send_button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

void
beckon_answer_entry_set_secret (BeckonAnswerEntry *self, gboolean secret)
{
  /* Its memory is kept out of the swap and wiped. */
  if (secret && !GTK_IS_PASSWORD_ENTRY_BUFFER (gtk_entry_get_buffer (self->entry)))
    {
      g_autoptr (GtkEntryBuffer) buffer = gtk_password_entry_buffer_new ();

      gtk_entry_set_buffer (self->entry, buffer);
    }
  gtk_toggle_button_set_active (self->peek_button, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->peek_button), secret);
  gtk_entry_set_visibility (self->entry, !secret);
  gtk_entry_set_input_purpose (self->entry, secret ? GTK_INPUT_PURPOSE_PASSWORD : GTK_INPUT_PURPOSE_FREE_FORM);
  /* No dictionary, no suggestions, no history of an on-screen keyboard. */
  gtk_entry_set_input_hints (self->entry, secret ? GTK_INPUT_HINT_PRIVATE | GTK_INPUT_HINT_NO_SPELLCHECK : 0);
}

void
beckon_answer_entry_set_button (BeckonAnswerEntry *self, gboolean visible, gboolean usable)
{
  gtk_widget_set_visible (GTK_WIDGET (self->send_button), visible);
  gtk_widget_set_sensitive (GTK_WIDGET (self->send_button), usable);
}

void
beckon_answer_entry_set_ignores_enter (BeckonAnswerEntry *self, gboolean ignores)
{
  self->ignores_enter = ignores;
}

char *
beckon_answer_entry_dup_text (BeckonAnswerEntry *self)
{
  g_autofree char *text = NULL;

  text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

/* A text that is the same but for the space around it is left as it is being typed. */
void
beckon_answer_entry_set_text (BeckonAnswerEntry *self, const char *text)
{
  g_autofree char *old = beckon_answer_entry_dup_text (self);

  if (g_strcmp0 (old, text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text != NULL ? text : "");
}

void
beckon_answer_entry_focus (BeckonAnswerEntry *self)
{
  gtk_entry_grab_focus_without_selecting (self->entry);
}

void
beckon_answer_entry_type (BeckonAnswerEntry *self, const char *text)
{
  GtkEditable *editable;
  int end;

  editable = GTK_EDITABLE (self->entry);
  beckon_answer_entry_focus (self);
  end = (int) g_utf8_strlen (gtk_editable_get_text (editable), -1);
  gtk_editable_insert_text (editable, text, -1, &end);
  gtk_editable_set_position (editable, -1);
}

gboolean
beckon_answer_entry_is_typing (BeckonAnswerEntry *self)
{
  return beckon_focus_is_within (GTK_WIDGET (self->entry));
}

static void
answer_entry_on_changed (BeckonAnswerEntry *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
answer_entry_on_preedit_changed (BeckonAnswerEntry *self, const char *preedit)
{
  self->composing = preedit != NULL && *preedit != '\0';
}

/* Enter ends what an input method is composing; only the next one sends. */
static void
on_activate (BeckonAnswerEntry *self)
{
  if (!self->composing && !self->ignores_enter)
    g_signal_emit (self, signals[SIGNAL_SEND], 0);
}

static void
on_send_clicked (BeckonAnswerEntry *self)
{
  g_signal_emit (self, signals[SIGNAL_SEND], 0);
}

static void
on_peek_toggled (BeckonAnswerEntry *self)
{
  gboolean shown = gtk_toggle_button_get_active (self->peek_button);

  gtk_entry_set_visibility (self->entry, shown);
  gtk_button_set_icon_name (GTK_BUTTON (self->peek_button), shown ? "view-conceal-symbolic" : "view-reveal-symbolic");
}

static void
beckon_answer_entry_class_init (BeckonAnswerEntryClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  signals[SIGNAL_CHANGED] = g_signal_new ("changed", BECKON_TYPE_ANSWER_ENTRY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 0);
  signals[SIGNAL_SEND] = g_signal_new ("send", BECKON_TYPE_ANSWER_ENTRY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/answer-entry.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonAnswerEntry, entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonAnswerEntry, peek_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonAnswerEntry, send_button);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, answer_entry_on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_peek_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_send_clicked);
}

static void
beckon_answer_entry_init (BeckonAnswerEntry *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (self->entry)), "preedit-changed",
                           G_CALLBACK (answer_entry_on_preedit_changed), self, G_CONNECT_SWAPPED);
}
