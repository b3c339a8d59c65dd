/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-page.h"

#include "agent/beckon-system-prompt.h"
#include "base/beckon-text-printf.h"
#include "beckon-settings-labels.h"
#include "ui/composer/beckon-mode-button.h"
#include "ui/widgets/beckon-text-row.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonAgentPage
{
  AdwPreferencesPage parent_instance;

  BeckonSettings *settings; /* (owned) */
  BeckonTextRow *part_rows[BECKON_PROMPT_N_PARTS];
  gboolean following;
  GVariant *words_before; /* (owned) (nullable): what stood there before the last reset */

  AdwComboRow *flow_row;
  AdwComboRow *dismiss_row;
  AdwComboRow *mode_row;
  GtkSpinButton *timeout_spin;
  GtkSpinButton *spending_spin;
  GtkSpinButton *notify_spin;
  AdwExpanderRow *prompt_row;
};

G_DEFINE_FINAL_TYPE (BeckonAgentPage, beckon_agent_page, ADW_TYPE_PREFERENCES_PAGE)

/* They are listed as they are numbered. */
static void
on_mode_selected (BeckonAgentPage *self)
{
  guint selected = adw_combo_row_get_selected (self->mode_row);
  g_autofree char *words = NULL;

  if (selected >= BECKON_MODE_N_MODES)
    return;
  words = beckon_text_printf ("%s %s", _("In new conversations."), beckon_mode_button_explain ((BeckonMode) selected));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->mode_row), words);
}

/* --- The system prompt --------------------------------------------------------------------------------------------- */

static const char *
get_words (GVariant *words, BeckonPromptPart part)
{
  const char *own = NULL;

  if (!g_variant_lookup (words, beckon_prompt_part_get_name (part), "&s", &own))
    own = beckon_prompt_part_get_default (part);
  return own;
}

/* Words that are ours again are not kept: what we say may get better. */
static void
on_words_changed (BeckonAgentPage *self, GParamSpec *pspec, BeckonTextRow *row)
{
  BeckonPromptPart part = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), "part"));
  g_autoptr (GVariant) words = beckon_settings_dup_prompt_parts (self->settings);
  const char *text = beckon_text_row_get_text (row);
  GVariantBuilder builder;

  if (self->following || g_str_equal (text, get_words (words, part)))
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  for (guint i = 0; i < BECKON_PROMPT_N_PARTS; i++)
    {
      const char *now = i == (guint) part ? text : get_words (words, (BeckonPromptPart) i);

      if (!g_str_equal (now, beckon_prompt_part_get_default ((BeckonPromptPart) i)))
        g_variant_builder_add (&builder, "{ss}", beckon_prompt_part_get_name ((BeckonPromptPart) i), now);
    }
  g_settings_set_value (beckon_settings_get_gsettings (self->settings), "prompt-parts", g_variant_builder_end (&builder));
}

static void
follow_words (BeckonAgentPage *self)
{
  g_autoptr (GVariant) words = beckon_settings_dup_prompt_parts (self->settings);

  self->following = TRUE;
  for (guint i = 0; i < BECKON_PROMPT_N_PARTS; i++)
    beckon_text_row_set_text (self->part_rows[i], get_words (words, (BeckonPromptPart) i));
  self->following = FALSE;
}

static void
on_undo_reset (BeckonAgentPage *self)
{
  if (self->words_before != NULL)
    g_settings_set_value (beckon_settings_get_gsettings (self->settings), "prompt-parts", self->words_before);
}

static void
on_reset_clicked (BeckonAgentPage *self)
{
  AdwToast *toast;

  g_clear_pointer (&self->words_before, g_variant_unref);
  self->words_before = beckon_settings_dup_prompt_parts (self->settings);
  g_settings_reset (beckon_settings_get_gsettings (self->settings), "prompt-parts");
  if (g_variant_n_children (self->words_before) == 0)
    return;
  toast = adw_toast_new (_("System prompt reset"));
  adw_toast_set_button_label (toast, _("_Undo"));
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (on_undo_reset), self, G_CONNECT_SWAPPED);
  beckon_toast_show (GTK_WIDGET (self), toast);
}

/* --- The page ----------------------------------------------------------------------------------------------------- */

static void
beckon_agent_page_dispose (GObject *object)
{
  g_clear_object (&BECKON_AGENT_PAGE (object)->settings);
  g_clear_pointer (&BECKON_AGENT_PAGE (object)->words_before, g_variant_unref);
  G_OBJECT_CLASS (beckon_agent_page_parent_class)->dispose (object);
}

static void
beckon_agent_page_class_init (BeckonAgentPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_TEXT_ROW);
  G_OBJECT_CLASS (klass)->dispose = beckon_agent_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/agent-page.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonAgentPage, flow_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonAgentPage, dismiss_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonAgentPage, mode_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonAgentPage, timeout_spin);
  gtk_widget_class_bind_template_child (widget_class, BeckonAgentPage, spending_spin);
  gtk_widget_class_bind_template_child (widget_class, BeckonAgentPage, notify_spin);
  gtk_widget_class_bind_template_child (widget_class, BeckonAgentPage, prompt_row);
}

static void
beckon_agent_page_init (BeckonAgentPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* Translators: no question times out by itself */
  beckon_zero_word_apply (self->timeout_spin, C_("timeout", "Never"));
  /* Translators: no notification when a task finishes */
  beckon_zero_word_apply (self->notify_spin, C_("notification", "Never"));
  /* Translators: the agent never pauses because of what a conversation has cost */
  beckon_zero_word_apply (self->spending_spin, C_("spending", "Never"));
  g_signal_connect_swapped (self->mode_row, "notify::selected", G_CALLBACK (on_mode_selected), self);
  on_mode_selected (self);
}

AdwPreferencesPage *
beckon_agent_page_new (BeckonSettings *settings)
{
  BeckonAgentPage *self = g_object_new (BECKON_TYPE_AGENT_PAGE, NULL);
  GSettings *gsettings = beckon_settings_get_gsettings (settings);

  self->settings = g_object_ref (settings);
  if (gsettings != NULL)
    {
      static const char *const dismiss[] = { "stops", "continues", NULL };
      static const char *const flow[] = { "suspend", "end-turn", NULL };
      static const char *const mode[] = { "everything", "changes", "outside", NULL };
      const char *const titles[] = { _("Role"), _("How to Work"), _("When to Ask"), _("When to Plan") };
      const char *const hints[] = { "", "", _("Only when the agent may ask"), _("Only when plans are available") };
      GtkWidget *button = gtk_button_new_with_label (_("Reset"));
      GtkWidget *reset_row = g_object_new (ADW_TYPE_ACTION_ROW, "title", _("Reset the System Prompt"), "subtitle",
                                           _("The date, the folder and your instructions are always added."), NULL);

      beckon_settings_bind_words (gsettings, "ask-user-flow", self->flow_row, flow);
      beckon_settings_bind_words (gsettings, "dismiss", self->dismiss_row, dismiss);
      beckon_settings_bind_words (gsettings, "default-mode", self->mode_row, mode);
      beckon_settings_bind_named (gsettings, GTK_WIDGET (self));
      for (guint i = 0; i < BECKON_PROMPT_N_PARTS; i++)
        {
          GtkWidget *row = g_object_new (BECKON_TYPE_TEXT_ROW, "title", titles[i], "subtitle", hints[i], NULL);

          self->part_rows[i] = BECKON_TEXT_ROW (row);
          g_object_set_data (G_OBJECT (row), "part", GINT_TO_POINTER (i));
          g_signal_connect_object (row, "notify::text", G_CALLBACK (on_words_changed), self, G_CONNECT_SWAPPED);
          adw_expander_row_add_row (self->prompt_row, row);
        }

      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Reset the system prompt"),
                                      -1);
      g_signal_connect_object (button, "clicked", G_CALLBACK (on_reset_clicked), self, G_CONNECT_SWAPPED);
      adw_action_row_add_suffix (ADW_ACTION_ROW (reset_row), button);
      adw_expander_row_add_row (self->prompt_row, reset_row);
      follow_words (self);
      g_signal_connect_object (self->settings, "changed::prompt-parts", G_CALLBACK (follow_words), self, G_CONNECT_SWAPPED);
    }
  return ADW_PREFERENCES_PAGE (self);
}
