/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-model-print.h"

#include "base/beckon-json-writer.h"
#include "beckon-cli-context.h"
#include "domain/beckon-effort.h"
#include "runtime/beckon-profile-tester.h"

#include <stdio.h>

static char *
dup_amount (double amount)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (text, sizeof text, "%.6g", amount));
}

static char *
dup_day (gint64 seconds)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (seconds);

  return time != NULL ? g_date_time_format (time, "%F") : g_strdup ("");
}

static void
print_line (BeckonListedModel *model, const BeckonModelDetails *details)
{
  g_autofree char *efforts = beckon_effort_levels_dup_words (details->facts.efforts);
  g_autofree char *input = dup_amount (details->facts.prices[BECKON_PRICE_INPUT]);
  g_autofree char *output = dup_amount (details->facts.prices[BECKON_PRICE_OUTPUT]);
  g_autofree char *prices
      = details->facts.prices[BECKON_PRICE_INPUT] >= 0 && details->facts.prices[BECKON_PRICE_OUTPUT] >= 0
            ? g_strconcat (input, "/", output, NULL)
            : g_strdup ("");
  g_autofree char *day = details->retires > 0 ? dup_day (details->retires) : g_strdup ("");
  g_autofree char *name = beckon_cli_context_make_safe (beckon_listed_model_get_name (model));
  g_autoptr (GString) line = g_string_new (name);

  g_string_append_c (line, '\t');
  if (details->facts.window > 0)
    g_string_append_printf (line, "%u", details->facts.window);
  g_string_append_printf (line, "\t%s\t%s\t%s\t%s", prices, details->facts.images == 1 ? "vision" : "", efforts, day);
  while (line->len > 0 && line->str[line->len - 1] == '\t')
    g_string_truncate (line, line->len - 1);
  printf ("%s\n", line->str);
}

static void
write_price (BeckonJsonWriter *writer, const char *name, double price)
{
  g_autofree char *text = dup_amount (price);

  if (price < 0)
    return;
  beckon_json_writer_name (writer, name);
  beckon_json_writer_raw (writer, text, -1);
}

/* A member that nothing is known about is left out. */
static void
write_model (BeckonJsonWriter *writer, BeckonListedModel *model, const BeckonModelDetails *details)
{
  g_autofree char *created = details->created > 0 ? dup_day (details->created) : NULL;
  g_autofree char *retires = details->retires > 0 ? dup_day (details->retires) : NULL;
  g_autofree char *efforts = beckon_effort_levels_dup_words (details->facts.efforts);

  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "id", beckon_listed_model_get_name (model));
  if (details->facts.window > 0)
    beckon_json_writer_member_int (writer, "context-window", details->facts.window);
  if (details->facts.output > 0)
    beckon_json_writer_member_int (writer, "output-limit", details->facts.output);
  if (details->facts.images >= 0)
    beckon_json_writer_member_boolean (writer, "vision", details->facts.images == 1);
  if (details->facts.pdfs >= 0)
    beckon_json_writer_member_boolean (writer, "pdf", details->facts.pdfs == 1);
  if (details->tools >= 0)
    beckon_json_writer_member_boolean (writer, "tools", details->tools == 1);
  write_price (writer, "price-input", details->facts.prices[BECKON_PRICE_INPUT]);
  write_price (writer, "price-cached", details->facts.prices[BECKON_PRICE_CACHED]);
  write_price (writer, "price-output", details->facts.prices[BECKON_PRICE_OUTPUT]);
  if (details->facts.efforts != 0)
    beckon_json_writer_member_string (writer, "effort", efforts);
  if (created != NULL)
    beckon_json_writer_member_string (writer, "created", created);
  if (retires != NULL)
    beckon_json_writer_member_string (writer, "retires", retires);
  beckon_json_writer_end_object (writer);
}

void
beckon_model_print_all (GPtrArray *models, BeckonProfile *profile, gboolean as_json)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  if (as_json)
    {
      beckon_json_writer_init (&writer, text);
      beckon_json_writer_begin_array (&writer);
    }
  for (guint i = 0; i < models->len; i++)
    {
      BeckonListedModel *model = g_ptr_array_index (models, i);
      BeckonModelDetails details;

      beckon_profile_tester_describe (model, profile, &details);
      if (as_json)
        write_model (&writer, model, &details);
      else
        print_line (model, &details);
    }
  if (!as_json)
    return;
  beckon_json_writer_end_array (&writer);
  beckon_cli_context_print_json (text->str);
}
