/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-profile-options.h"

#include <stdio.h>

static void
print_text (const char *name, const char *text)
{
  if (text != NULL && *text != '\0')
    printf ("%s: %s\n", name, text);
}

static void
print_count (const char *name, guint count)
{
  if (count != 0)
    printf ("%s: %u\n", name, count);
}

static void
print_amount (const char *name, double amount)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  printf ("%s: %s\n", name, g_ascii_formatd (text, sizeof text, "%.10g", amount));
}

/* A script reads it, so it is in no language. */
static const char *
name_source (BeckonFactSource source)
{
  static const char *const names[] = { "default", "profile", "server", "table" };

  return names[source];
}

static void
print_prices (BeckonProfile *profile)
{
  static const char *const names[] = { "price-input", "price-cached", "price-output" };

  for (guint i = 0; i < BECKON_N_PRICES; i++)
    if (beckon_profile_get_effective_price (profile, (BeckonPrice) i) > 0)
      print_amount (names[i], beckon_profile_get_effective_price (profile, (BeckonPrice) i));
  print_text ("currency", beckon_profile_get_effective_currency (profile));
  if (beckon_profile_get_price_source (profile) != BECKON_FACT_UNKNOWN)
    print_text ("price-source", name_source (beckon_profile_get_price_source (profile)));
}

/* Deleted profiles are shown by id. */
static void
print_fallbacks (BeckonProfile *profile, BeckonProfiles *profiles)
{
  for (const char *const *id = beckon_profile_get_fallbacks (profile); *id != NULL; id++)
    {
      BeckonProfile *next = beckon_profiles_lookup (profiles, *id);

      print_text ("fallback", next != NULL ? beckon_profile_get_name (next) : *id);
    }
}

void
beckon_profile_print (BeckonProfile *profile, BeckonProfiles *profiles)
{
  print_text ("id", beckon_profile_get_id (profile));
  print_text ("name", beckon_profile_get_name (profile));
  print_text ("kind", beckon_profile_kind_to_string (beckon_profile_get_kind (profile)));
  print_text ("base-url", beckon_profile_get_base_url (profile));
  print_text ("key-command", beckon_profile_get_key_command (profile));
  print_text ("key-command-for", beckon_profile_get_key_origin (profile));
  print_text ("model", beckon_profile_get_model (profile));
  print_count ("rounds", beckon_profile_get_effective_rounds (profile));
  print_count ("context-window", beckon_profile_get_effective_window (profile));
  print_text ("context-window-source", name_source (beckon_profile_get_window_source (profile)));
  if (beckon_profile_get_temperature (profile) >= 0)
    print_amount ("temperature", beckon_profile_get_temperature (profile));
  print_count ("output-limit", beckon_profile_get_output_limit (profile));
  print_text ("pdf", beckon_profile_reads_pdfs (profile) ? "file" : "text");
  print_text ("pdf-source", name_source (beckon_profile_get_pdf_source (profile)));
  for (const char *const *header = beckon_profile_get_headers (profile); *header != NULL; header++)
    print_text ("header", *header);
  print_text ("extra-body", beckon_profile_get_extra_body (profile));
  if (beckon_profile_get_web_search (profile))
    print_text ("web-search", "yes");
  print_text ("system-prompt", beckon_profile_get_system_prompt (profile));
  print_fallbacks (profile, profiles);
  print_prices (profile);
}
