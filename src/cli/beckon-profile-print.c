/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-profile-options.h"

#include "base/beckon-json-writer.h"
#include "beckon-cli-context.h"
#include "text/beckon-plain-text.h"

#include <stdio.h>

/* Lines for people, or members of a JSON object: @writer is (nullable). */

/* A system prompt has several lines. */
static void
print_line (const char *name, const char *text)
{
  g_autofree char *safe = beckon_plain_text_for_terminal (text, -1);

  printf ("%s: %s\n", name, safe);
}

static void
print_text (BeckonJsonWriter *writer, const char *name, const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  if (writer != NULL)
    beckon_json_writer_member_string (writer, name, text);
  else
    print_line (name, text);
}

static void
print_count (BeckonJsonWriter *writer, const char *name, guint count)
{
  if (count == 0)
    return;
  if (writer != NULL)
    beckon_json_writer_member_int (writer, name, count);
  else
    printf ("%s: %u\n", name, count);
}

static void
print_amount (BeckonJsonWriter *writer, const char *name, double amount)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.10g", amount);
  if (writer == NULL)
    {
      printf ("%s: %s\n", name, text);
      return;
    }
  beckon_json_writer_name (writer, name);
  beckon_json_writer_raw (writer, text, -1);
}

/* A list is a line for each, or an array of that name and an s. */
static void
print_list (BeckonJsonWriter *writer, const char *name, const char *const *texts)
{
  g_autofree char *plural = g_strconcat (name, "s", NULL);

  if (*texts == NULL)
    return;
  if (writer != NULL)
    {
      beckon_json_writer_name (writer, plural);
      beckon_json_writer_begin_array (writer);
    }
  for (; *texts != NULL; texts++)
    if (writer != NULL)
      beckon_json_writer_string (writer, *texts, -1);
    else
      print_line (name, *texts);
  if (writer != NULL)
    beckon_json_writer_end_array (writer);
}

/* A script reads it, so it is in no language. */
static const char *
name_source (BeckonFactSource source)
{
  static const char *const names[] = { "default", "profile", "server", "table" };

  return names[source];
}

static void
print_prices (BeckonJsonWriter *writer, BeckonProfile *profile)
{
  static const char *const names[] = { "price-input", "price-cached", "price-output" };

  for (guint i = 0; i < BECKON_N_PRICES; i++)
    if (beckon_profile_get_effective_price (profile, (BeckonPrice) i) > 0)
      print_amount (writer, names[i], beckon_profile_get_effective_price (profile, (BeckonPrice) i));
  print_text (writer, "currency", beckon_profile_get_effective_currency (profile));
  if (beckon_profile_get_price_source (profile) != BECKON_FACT_UNKNOWN)
    print_text (writer, "price-source", name_source (beckon_profile_get_price_source (profile)));
}

static void
profile_print_print (BeckonJsonWriter *writer, BeckonProfile *profile, BeckonProfiles *profiles)
{
  g_autoptr (GPtrArray) names = NULL;

  print_text (writer, "id", beckon_profile_get_id (profile));
  print_text (writer, "name", beckon_profile_get_name (profile));
  print_text (writer, "kind", beckon_profile_kind_to_string (beckon_profile_get_kind (profile)));
  print_text (writer, "base-url", beckon_profile_get_base_url (profile));
  print_text (writer, "key-command", beckon_profile_get_key_command (profile));
  print_text (writer, "key-command-for", beckon_profile_get_key_origin (profile));
  print_text (writer, "model", beckon_profile_get_model (profile));
  print_count (writer, "rounds", beckon_profile_get_effective_rounds (profile));
  print_count (writer, "context-window", beckon_profile_get_effective_window (profile));
  print_text (writer, "context-window-source", name_source (beckon_profile_get_window_source (profile)));
  if (beckon_profile_get_temperature (profile) >= 0)
    print_amount (writer, "temperature", beckon_profile_get_temperature (profile));
  print_count (writer, "output-limit", beckon_profile_get_output_limit (profile));
  print_text (writer, "pdf", beckon_profile_reads_pdfs (profile) ? "file" : "text");
  print_text (writer, "pdf-source", name_source (beckon_profile_get_pdf_source (profile)));
  print_list (writer, "header", beckon_profile_get_headers (profile));
  print_text (writer, "extra-body", beckon_profile_get_extra_body (profile));
  if (beckon_profile_get_web_search (profile) && writer != NULL)
    beckon_json_writer_member_boolean (writer, "web-search", TRUE);
  else if (beckon_profile_get_web_search (profile))
    print_text (NULL, "web-search", "yes");
  print_text (writer, "system-prompt", beckon_profile_get_system_prompt (profile));

  /* Deleted profiles are shown by id. */
  names = g_ptr_array_new ();
  for (const char *const *id = beckon_profile_get_fallbacks (profile); *id != NULL; id++)
    {
      BeckonProfile *next = beckon_profiles_lookup (profiles, *id);

      g_ptr_array_add (names, (gpointer) (next != NULL ? beckon_profile_get_name (next) : *id));
    }
  g_ptr_array_add (names, NULL);
  print_list (writer, "fallback", (const char *const *) names->pdata);

  print_prices (writer, profile);
}

static void
write_object (BeckonJsonWriter *writer, BeckonProfile *profile, BeckonProfiles *profiles, const char *used_id)
{
  beckon_json_writer_begin_object (writer);
  profile_print_print (writer, profile, profiles);
  beckon_json_writer_member_boolean (writer, "in-use", g_strcmp0 (beckon_profile_get_id (profile), used_id) == 0);
  beckon_json_writer_end_object (writer);
}

void
beckon_profile_print (BeckonProfile *profile, BeckonProfiles *profiles)
{
  profile_print_print (NULL, profile, profiles);
}

void
beckon_profile_print_json (BeckonProfile *profile, BeckonProfiles *profiles, const char *used_id)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  if (profile != NULL)
    write_object (&writer, profile, profiles, used_id);
  else
    beckon_json_writer_begin_array (&writer);
  for (guint i = 0; profile == NULL && i < g_list_model_get_n_items (G_LIST_MODEL (profiles)); i++)
    {
      g_autoptr (BeckonProfile) one = g_list_model_get_item (G_LIST_MODEL (profiles), i);

      write_object (&writer, one, profiles, used_id);
    }
  if (profile == NULL)
    beckon_json_writer_end_array (&writer);
  beckon_cli_context_print_json (text->str);
}
