/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-model-labels.h"

#include "base/beckon-text-printf.h"
#include "domain/beckon-effort.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
model_labels_append (GString *line, char *words)
{
  g_autofree char *owned = words;

  if (words != NULL)
    g_string_append_printf (line, "%s%s", line->len > 0 ? " · " : "", words);
}

static char *
describe_window (guint tokens)
{
  if (tokens == 0)
    return NULL;
  /* Translators: how many tokens a model can take, in millions and in thousands */
  return tokens >= 1000000 ? g_strdup_printf (_("%.3gM tokens"), tokens / 1e6)
                           : g_strdup_printf (_("%uk tokens"), tokens / 1000);
}

static char *
describe_prices (const double *prices)
{
  if (prices[BECKON_PRICE_INPUT] < 0 || prices[BECKON_PRICE_OUTPUT] < 0)
    return NULL;
  /* Translators: US dollars for a million tokens that are sent, and that are written */
  return g_strdup_printf (_("$%.4g in, $%.4g out"), prices[BECKON_PRICE_INPUT], prices[BECKON_PRICE_OUTPUT]);
}

/* The words are the provider's; the first and the last say how far it goes. */
static char *
describe_efforts (guint levels)
{
  g_autofree char *efforts = beckon_effort_levels_dup_words (levels);
  const char *first_end = strchr (efforts, ' ');
  const char *last = strrchr (efforts, ' ');
  g_autofree char *first = NULL;

  if (first_end == NULL)
    return NULL;
  first = g_strndup (efforts, (gsize) (first_end - efforts));
  /* Translators: how hard a model can be told to think, such as “low” to “max” */
  return beckon_text_printf (_("effort %s to %s"), first, last + 1);
}

static char *
describe_end (gint64 seconds)
{
  g_autoptr (GDateTime) time = seconds > 0 ? g_date_time_new_from_unix_utc (seconds) : NULL;
  g_autofree char *day = time != NULL ? g_date_time_format (time, "%F") : NULL;

  if (day == NULL)
    return NULL;
  /* Translators: the day on which a model goes away */
  return beckon_text_printf (_("until %s"), day);
}

char *
beckon_model_labels (const BeckonModelDetails *details)
{
  GString *line = g_string_new (NULL);

  model_labels_append (line, describe_window (details->facts.window));
  model_labels_append (line, describe_prices (details->facts.prices));
  model_labels_append (line, details->facts.images == 1 ? g_strdup (_("sees pictures")) : NULL);
  model_labels_append (line, details->facts.pdfs == 1 ? g_strdup (_("reads PDFs")) : NULL);
  model_labels_append (line, details->tools == 0 ? g_strdup (_("no tool calls")) : NULL);
  model_labels_append (line, describe_efforts (details->facts.efforts));
  model_labels_append (line, describe_end (details->retires));
  return g_string_free (line, FALSE);
}

char *
beckon_model_labels_describe_rounds (guint rounds)
{
  return g_strdup_printf (ngettext ("Pause After %u Model Call", "Pause After %u Model Calls", rounds), rounds);
}
