/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-profile-options.h"

#include "base/beckon-error.h"
#include "domain/beckon-provider-search.h"
#include "settings/beckon-preset.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
beckon_profile_options_add_to (BeckonProfileOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "preset", 0, 0, G_OPTION_ARG_STRING, &options->preset,
      N_("Start from a known provider, such as openai"), N_("PRESET") },
    { "kind", 0, 0, G_OPTION_ARG_STRING, &options->kind,
      N_("Set the protocol: chat, responses, anthropic, …"), N_("KIND") },
    { "base-url", 0, 0, G_OPTION_ARG_STRING, &options->base_url, N_("Set the address of the server"), N_("URL") },
    { "model", 0, 0, G_OPTION_ARG_STRING, &options->model,
      N_("Choose a model instead of the newest suitable one"), N_("MODEL") },
    { "rounds", 0, 0, G_OPTION_ARG_STRING, &options->rounds, N_("Pause after N model calls, 1 to 200; 0 resets"), N_("N") },
    { "context-window", 0, 0, G_OPTION_ARG_STRING, &options->context_window,
      N_("Limit the context to N tokens; 0 resets"), N_("N") },
    { "temperature", 0, 0, G_OPTION_ARG_STRING, &options->temperature,
      N_("Set the temperature, 0 to 2; empty resets"), N_("T") },
    { "output-limit", 0, 0, G_OPTION_ARG_STRING, &options->output_limit,
      N_("Limit replies to N tokens; 0 resets"), N_("N") },
    { "pdf", 0, 0, G_OPTION_ARG_STRING, &options->pdf,
      N_("Send PDFs as text or file, or choose with auto"), N_("HOW") },
    { "header", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->headers,
      N_("Add a header, “Name: value”; can be repeated"), N_("HEADER") },
    { "extra-body", 0, 0, G_OPTION_ARG_STRING, &options->extra_body,
      N_("Add these JSON members to each request"), N_("JSON") },
    { "system-prompt", 0, 0, G_OPTION_ARG_STRING, &options->system_prompt, N_("Set the system prompt of this profile"),
      N_("TEXT") },
    { "fallback", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->fallbacks,
      N_("Fall back to this profile; can be repeated"), N_("NAME") },
    { "price-input", 0, 0, G_OPTION_ARG_STRING, &options->prices[BECKON_PRICE_INPUT],
      N_("Set the price of a million input tokens"), N_("AMOUNT") },
    { "price-cached", 0, 0, G_OPTION_ARG_STRING, &options->prices[BECKON_PRICE_CACHED],
      N_("Set the price of a million cached tokens"), N_("AMOUNT") },
    { "price-output", 0, 0, G_OPTION_ARG_STRING, &options->prices[BECKON_PRICE_OUTPUT],
      N_("Set the price of a million output tokens"), N_("AMOUNT") },
    { "currency", 0, 0, G_OPTION_ARG_STRING, &options->currency, N_("Set the currency of the prices"), N_("TEXT") },
    { "web-search", 0, 0, G_OPTION_ARG_NONE, &options->web_search,
      N_("Let the provider search the web without asking"), NULL },
    { "no-web-search", 0, 0, G_OPTION_ARG_NONE, &options->no_web_search, N_("Don't let the provider search the web"), NULL },
    { "key-command", 0, 0, G_OPTION_ARG_STRING, &options->key_command,
      N_("Get the key from this program; empty removes it"), N_("COMMAND") },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

void
beckon_profile_options_clear (BeckonProfileOptions *options)
{
  g_free (options->preset);
  g_free (options->kind);
  g_free (options->base_url);
  g_free (options->model);
  g_free (options->rounds);
  g_free (options->context_window);
  g_free (options->temperature);
  g_free (options->output_limit);
  g_free (options->pdf);
  g_strfreev (options->headers);
  g_free (options->extra_body);
  g_free (options->system_prompt);
  g_strfreev (options->fallbacks);
  for (guint i = 0; i < BECKON_N_PRICES; i++)
    g_free (options->prices[i]);
  g_free (options->currency);
  g_free (options->key_command);
}

BeckonProfile *
beckon_profile_find (BeckonProfiles *profiles, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (profiles)); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (G_LIST_MODEL (profiles), i);

      if (g_strcmp0 (beckon_profile_get_id (profile), name) == 0
          || g_strcmp0 (beckon_profile_get_name (profile), name) == 0)
        return profile;
    }
  return NULL;
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

static gboolean
refuse_number (const char *option, const char *text, const char *range, GError **error)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
               /* Translators: an option, what was given, and a range such as “0 to 200” */
               _("--%s: “%s” is not a number from %s"), option, text, range);
  return FALSE;
}

static gboolean
apply_count (const char *option, const char *text, guint max, BeckonProfile *profile, const char *property, GError **error)
{
  g_autofree char *range = g_strdup_printf (_("0 to %u"), max);
  guint64 value;

  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 0, max, &value, NULL))
    return refuse_number (option, text, range, error);
  g_object_set (profile, property, (guint) value, NULL);
  return TRUE;
}

/* The decimal sign is a point in any language: scripts are the same everywhere. */
static gboolean
apply_amount (const char *option, const char *text, double max, BeckonProfile *profile, const char *property,
              GError **error)
{
  g_autofree char *range = g_strdup_printf (_("0 to %u"), (guint) max);
  double value;
  char *end;

  if (text == NULL)
    return TRUE;
  value = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || !(value >= 0 && value <= max))
    return refuse_number (option, text, range, error);
  g_object_set (profile, property, value, NULL);
  return TRUE;
}

static gboolean
apply_numbers (const BeckonProfileOptions *options, BeckonProfile *profile, GError **error)
{
  static const char *const prices[] = { "price-input", "price-cached", "price-output" };
  const gboolean is_cold = options->temperature != NULL && *options->temperature == '\0';

  if (is_cold)
    beckon_profile_set_temperature (profile, BECKON_PROFILE_NO_TEMPERATURE);
  for (guint i = 0; i < BECKON_N_PRICES; i++)
    if (!apply_amount (prices[i], options->prices[i], BECKON_PROFILE_PRICE_MAX, profile, prices[i], error))
      return FALSE;

  return apply_count ("rounds", options->rounds, BECKON_PROFILE_ROUNDS_MAX, profile, "rounds", error)
         && apply_count ("context-window", options->context_window, BECKON_PROFILE_WINDOW_MAX, profile, "context-window",
                         error)
         && apply_count ("output-limit", options->output_limit, BECKON_PROFILE_OUTPUT_LIMIT_MAX, profile, "output-limit",
                         error)
         && apply_amount ("temperature", is_cold ? NULL : options->temperature, BECKON_PROFILE_TEMPERATURE_MAX, profile,
                          "temperature", error);
}

/* The tour is built in; another can not be added. */
static gboolean
apply_kind (const char *word, BeckonProfile *profile, GError **error)
{
  BeckonProfileKind kind;

  if (word == NULL)
    return TRUE;
  if (!beckon_profile_kind_from_string (word, &kind) || kind == BECKON_PROFILE_TOUR)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                   _("“%s” is not a kind. Choose chat, responses, anthropic, gemini or ollama."), word);
      return FALSE;
    }
  beckon_profile_set_kind (profile, kind);
  return TRUE;
}

static gboolean
apply_pdf (const char *word, BeckonProfile *profile, GError **error)
{
  static const char *const words[] = { "auto", "text", "file" };

  if (word == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (word, words[i]))
      {
        beckon_profile_set_pdf_choice (profile, (BeckonPdfChoice) i);
        return TRUE;
      }
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("--pdf: “%s” is not auto, text or file"), word);
  return FALSE;
}

static gboolean
apply_preset (const char *id, BeckonProfile *profile, GError **error)
{
  BeckonPreset *preset = id != NULL ? beckon_preset_lookup (id) : NULL;
  g_autofree char *known = NULL;
  GPtrArray *presets;
  g_autoptr (GString) ids = NULL;

  if (preset != NULL)
    beckon_preset_apply (preset, profile);
  if (preset != NULL || id == NULL)
    return TRUE;

  presets = beckon_preset_get_all ();
  ids = g_string_new (NULL);
  for (guint i = 0; i < presets->len; i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? ", " : "", beckon_preset_get_id (g_ptr_array_index (presets, i)));
  known = g_string_free (g_steal_pointer (&ids), FALSE);
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("“%s” is not a preset. Choose one of: %s."), id, known);
  return FALSE;
}

static gboolean
is_empty_list (char **list)
{
  return list[0] != NULL && list[0][0] == '\0' && list[1] == NULL;
}

static gboolean
apply_fallbacks (char **names, BeckonProfile *profile, BeckonProfiles *profiles, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) ids = NULL;

  if (names == NULL)
    return TRUE;
  for (guint i = 0; names[i] != NULL && !is_empty_list (names); i++)
    {
      BeckonProfile *found = beckon_profile_find (profiles, names[i]);

      if (found == NULL)
        {
          g_set_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                       _("Fallback profile “%s” not found. “beckonctl profile list” shows all profiles."),
                       names[i]);
          return FALSE;
        }
      g_strv_builder_add (builder, beckon_profile_get_id (found));
    }
  ids = g_strv_builder_end (builder);
  beckon_profile_set_fallbacks (profile, (const char *const *) ids);
  return TRUE;
}

/* A search that the provider does not have is refused, so that the person does not count on it. */
static gboolean
apply_search (const BeckonProfileOptions *options, BeckonProfile *profile, GError **error)
{
  if (options->web_search && options->no_web_search)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("Use only one of --web-search and --no-web-search."));
      return FALSE;
    }
  if (options->web_search && !beckon_provider_search_is_known (profile))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("--web-search: Beckon knows no web search of this server. Anthropic, OpenAI (responses), "
                              "Gemini 3 and later, OpenRouter and Azure have one."));
      return FALSE;
    }
  if (options->web_search || options->no_web_search)
    beckon_profile_set_web_search (profile, options->web_search);
  return TRUE;
}

gboolean
beckon_profile_options_apply (const BeckonProfileOptions *options, BeckonProfile *profile, BeckonProfiles *profiles,
                              GError **error)
{
  if (!apply_preset (options->preset, profile, error) || !apply_kind (options->kind, profile, error)
      || !apply_pdf (options->pdf, profile, error) || !apply_numbers (options, profile, error)
      || !apply_fallbacks (options->fallbacks, profile, profiles, error))
    return FALSE;

  if (options->base_url != NULL)
    beckon_profile_set_base_url (profile, options->base_url);
  if (options->model != NULL)
    beckon_profile_set_model (profile, options->model);
  if (options->headers != NULL)
    beckon_profile_set_headers (profile,
                                is_empty_list (options->headers) ? NULL : (const char *const *)options->headers);
  if (options->extra_body != NULL)
    beckon_profile_set_extra_body (profile, options->extra_body);
  if (options->system_prompt != NULL)
    beckon_profile_set_system_prompt (profile, options->system_prompt);
  if (options->currency != NULL)
    beckon_profile_set_currency (profile, options->currency);

  /* Behind the address, which it is bound to. */
  return (options->key_command == NULL || beckon_profile_set_key_command (profile, options->key_command, error))
         && apply_search (options, profile, error);
}
