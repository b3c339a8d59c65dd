/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-profile-details.h"

#include "base/beckon-error.h"
#include "domain/beckon-provider-search.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-text-row.h"

#include <glib/gi18n-lib.h>

struct _BeckonProfileDetails
{
  AdwPreferencesGroup parent_instance;

  BeckonTextRow *prompt_row;
  GtkWidget *search_row;
  GtkSwitch *search_switch;
  GtkSpinButton *window_spin;
  GtkEditable *temperature_row;
  GtkSpinButton *limit_spin;
  AdwComboRow *pdf_row;
  BeckonTextRow *headers_row;
  BeckonTextRow *body_row;
  AdwActionRow *price_row;
  GtkSpinButton *input_spin;
  GtkSpinButton *cached_spin;
  GtkSpinButton *output_spin;
  GtkEditable *currency_row;
};

G_DEFINE_FINAL_TYPE (BeckonProfileDetails, beckon_profile_details, ADW_TYPE_PREFERENCES_GROUP)

static guint changed_signal;

/* The prices that hold while the person enters none, and their source. */
static void
show_known_prices (BeckonProfileDetails *self, BeckonProfile *profile)
{
  BeckonModelFacts facts;
  g_autofree char *words = NULL;

  beckon_profile_get_facts (profile, &facts);
  if (facts.prices_from == BECKON_FACT_SERVER)
    /* Translators: US dollars for tokens that are sent, and that are written */
    words = g_strdup_printf (_("Per million tokens. If not set: $%.4g in, $%.4g out (from the server)"),
                             facts.prices[BECKON_PRICE_INPUT], facts.prices[BECKON_PRICE_OUTPUT]);
  else if (facts.prices_from == BECKON_FACT_TABLE)
    /* Translators: US dollars for tokens that are sent, and that are written */
    words = g_strdup_printf (_("Per million tokens. If not set: $%.4g in, $%.4g out (from the table of models)"),
                             facts.prices[BECKON_PRICE_INPUT], facts.prices[BECKON_PRICE_OUTPUT]);
  adw_action_row_set_subtitle (self->price_row, words != NULL ? words : _("Per million tokens. If not set, the cost is not "
                                                                          "counted."));
}

void
beckon_profile_details_show (BeckonProfileDetails *self, BeckonProfile *profile)
{
  g_autofree char *headers = g_strjoinv ("\n", (char **) beckon_profile_get_headers (profile));
  double temperature = beckon_profile_get_temperature (profile);
  g_autofree char *written = temperature >= 0 ? g_strdup_printf ("%.4g", temperature) : g_strdup ("");

  beckon_text_row_set_text (self->prompt_row, beckon_profile_get_system_prompt (profile));
  gtk_switch_set_active (self->search_switch, beckon_profile_get_web_search (profile));
  gtk_spin_button_set_value (self->window_spin, beckon_profile_get_context_window (profile));
  gtk_editable_set_text (self->temperature_row, written);
  gtk_spin_button_set_value (self->limit_spin, beckon_profile_get_output_limit (profile));
  adw_combo_row_set_selected (self->pdf_row, (guint) beckon_profile_get_pdf_choice (profile));
  beckon_text_row_set_text (self->headers_row, headers);
  beckon_text_row_set_text (self->body_row, beckon_profile_get_extra_body (profile));
  show_known_prices (self, profile);
  gtk_spin_button_set_value (self->input_spin, beckon_profile_get_price (profile, BECKON_PRICE_INPUT));
  gtk_spin_button_set_value (self->cached_spin, beckon_profile_get_price (profile, BECKON_PRICE_CACHED));
  gtk_spin_button_set_value (self->output_spin, beckon_profile_get_price (profile, BECKON_PRICE_OUTPUT));
  gtk_editable_set_text (self->currency_row, beckon_profile_get_currency (profile));
}

void
beckon_profile_details_follow (BeckonProfileDetails *self, BeckonProfile *profile)
{
  show_known_prices (self, profile);
  gtk_widget_set_visible (self->search_row, beckon_provider_search_is_known (profile));
}

gboolean
beckon_profile_details_take (BeckonProfileDetails *self, BeckonProfile *profile, GError **error)
{
  g_auto (GStrv) lines = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) headers = NULL;
  g_autofree char *text = NULL;
  char *end;
  double value;

  beckon_profile_set_system_prompt (profile, beckon_text_row_get_text (self->prompt_row));
  beckon_profile_set_web_search (profile,
                                 gtk_widget_get_visible (self->search_row) && gtk_switch_get_active (self->search_switch));
  beckon_profile_set_context_window (profile, (guint) gtk_spin_button_get_value_as_int (self->window_spin));
  beckon_profile_set_output_limit (profile, (guint) gtk_spin_button_get_value_as_int (self->limit_spin));
  beckon_profile_set_pdf_choice (profile, (BeckonPdfChoice) adw_combo_row_get_selected (self->pdf_row));

  lines = g_strsplit (beckon_text_row_get_text (self->headers_row), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      g_strv_builder_add (builder, lines[i]);
  headers = g_strv_builder_end (builder);
  beckon_profile_set_headers (profile, (const char *const *) headers);
  beckon_profile_set_extra_body (profile, beckon_text_row_get_text (self->body_row));
  beckon_profile_set_price (profile, BECKON_PRICE_INPUT, gtk_spin_button_get_value (self->input_spin));
  beckon_profile_set_price (profile, BECKON_PRICE_CACHED, gtk_spin_button_get_value (self->cached_spin));
  beckon_profile_set_price (profile, BECKON_PRICE_OUTPUT, gtk_spin_button_get_value (self->output_spin));
  beckon_profile_set_currency (profile, gtk_editable_get_text (self->currency_row));

  /* The temperature is read as people write it here, with a comma or a point. */
  text = g_strstrip (g_strdelimit (g_strdup (gtk_editable_get_text (self->temperature_row)), ",", '.'));
  value = g_ascii_strtod (text, &end);
  if (*text == '\0')
    value = BECKON_PROFILE_NO_TEMPERATURE;
  else if (*end != '\0' || !(value >= 0 && value <= BECKON_PROFILE_TEMPERATURE_MAX))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("Temperature must be a number from 0 to 2. Leave it empty for the model’s default"));
      return FALSE;
    }
  beckon_profile_set_temperature (profile, value);
  return TRUE;
}

static void
on_sent_changed (BeckonProfileDetails *self)
{
  g_signal_emit (self, changed_signal, 0);
}

static void
beckon_profile_details_class_init (BeckonProfileDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  changed_signal
      = g_signal_new ("changed", BECKON_TYPE_PROFILE_DETAILS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure (BECKON_TYPE_TEXT_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/profile-details.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, prompt_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, search_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, search_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, window_spin);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, temperature_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, limit_spin);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, pdf_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, headers_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, body_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, price_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, input_spin);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, cached_spin);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, output_spin);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileDetails, currency_row);
}

static void
beckon_profile_details_init (BeckonProfileDetails *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* Translators: the size that the model itself has */
  beckon_zero_word_apply (self->window_spin, C_("context window", "Default"));
  /* Translators: the length that the model itself has */
  beckon_zero_word_apply (self->limit_spin, C_("longest reply", "Default"));
  beckon_zero_word_apply (self->input_spin, C_("price", "Not Set"));
  /* Translators: cached input costs as much as other input */
  beckon_zero_word_apply (self->cached_spin, C_("price", "As Input"));
  beckon_zero_word_apply (self->output_spin, C_("price", "Not Set"));
  g_signal_connect_swapped (self->headers_row, "notify::text", G_CALLBACK (on_sent_changed), self);
  g_signal_connect_swapped (self->body_row, "notify::text", G_CALLBACK (on_sent_changed), self);
  g_signal_connect_swapped (self->temperature_row, "changed", G_CALLBACK (on_sent_changed), self);
  beckon_entry_row_name (self->temperature_row);
  beckon_entry_row_name (self->currency_row);
}
