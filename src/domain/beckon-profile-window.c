/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-origin.h"
#include "beckon-effort.h"
#include "beckon-model-table.h"
#include "beckon-profile.h"

#define CURRENCY "USD"

/* As they are stored, in the order in which they were added: three numbers at first, then what is about PDFs, then the rest. */
enum
{
  FIELD_WINDOW,
  FIELD_OUTPUT,
  FIELD_IMAGES,
  FIELD_PDFS,
  FIELD_PDF_CHOICE,
  FIELD_EFFORTS,
  FIELD_PRICES_FROM,
  FIELD_PRICES,
  N_FIRST_FIELDS = FIELD_PDFS,
  N_FIELDS = FIELD_PRICES + BECKON_N_PRICES,
};

static void
find_known (BeckonProfile *profile, BeckonModelFacts *facts)
{
  BeckonModelDetails details = BECKON_MODEL_DETAILS_INIT;

  beckon_model_table_complete (beckon_profile_get_model (profile), &details);
  *facts = details.facts;
}

/* A model on this computer has the window that its server was started with, not the one that it could have. */
static guint
find_known_window (BeckonProfile *profile)
{
  BeckonModelFacts facts = BECKON_MODEL_FACTS_INIT;

  if (!beckon_uri_is_loopback (beckon_profile_get_base_url (profile)))
    find_known (profile, &facts);
  return facts.window;
}

static guint
profile_window_read_number (const char *field, guint max)
{
  return (guint) CLAMP (g_ascii_strtoll (field, NULL, 10), 0, (gint64) max);
}

static int
read_ability (const char *field)
{
  return (int) CLAMP (g_ascii_strtoll (field, NULL, 10), -1, 1);
}

/* Text of another form counts as unknown. */
static void
read_stored (BeckonProfile *self, BeckonModelFacts *facts, BeckonPdfChoice *choice)
{
  const BeckonModelFacts none = BECKON_MODEL_FACTS_INIT;
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;
  guint n;

  g_object_get (self, "facts", &text, NULL);
  *facts = none;
  *choice = BECKON_PDF_BY_MODEL;
  fields = g_strsplit (text, " ", -1);
  n = g_strv_length (fields);
  if (n < N_FIRST_FIELDS)
    return;
  facts->window = profile_window_read_number (fields[FIELD_WINDOW], BECKON_PROFILE_WINDOW_MAX);
  facts->output = profile_window_read_number (fields[FIELD_OUTPUT], BECKON_PROFILE_OUTPUT_LIMIT_MAX);
  facts->images = read_ability (fields[FIELD_IMAGES]);
  if (n > FIELD_PDFS)
    facts->pdfs = read_ability (fields[FIELD_PDFS]);
  if (n > FIELD_PDF_CHOICE)
    *choice = (BeckonPdfChoice) profile_window_read_number (fields[FIELD_PDF_CHOICE], BECKON_PDF_N_CHOICES - 1);
  if (n >= N_FIELDS)
    {
      facts->efforts = profile_window_read_number (fields[FIELD_EFFORTS], G_MAXUINT) & BECKON_EFFORT_LEVELS_ALL;
      for (guint i = 0; i < BECKON_N_PRICES; i++)
        {
          double price = g_ascii_strtod (fields[FIELD_PRICES + i], NULL);

          facts->prices[i] = price >= 0 && price <= BECKON_PROFILE_PRICE_MAX ? price : -1;
        }
      facts->prices_from = g_str_equal (fields[FIELD_PRICES_FROM], "server") ? BECKON_FACT_SERVER : BECKON_FACT_TABLE;
      if (facts->prices[BECKON_PRICE_INPUT] < 0 || facts->prices[BECKON_PRICE_OUTPUT] < 0)
        facts->prices_from = BECKON_FACT_UNKNOWN;
    }
}

static void
write_stored (BeckonProfile *self, const BeckonModelFacts *facts, BeckonPdfChoice choice)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_something = facts->window > 0 || facts->output > 0 || facts->images >= 0 || facts->pdfs >= 0
                          || facts->efforts != 0 || facts->prices_from != BECKON_FACT_UNKNOWN
                          || choice != BECKON_PDF_BY_MODEL;

  g_string_append_printf (text, "%u %u %d %d %d", facts->window, facts->output, facts->images, facts->pdfs, (int) choice);
  if (facts->efforts != 0 || facts->prices_from != BECKON_FACT_UNKNOWN)
    {
      g_string_append_printf (text, " %u %s", facts->efforts, facts->prices_from == BECKON_FACT_SERVER ? "server" : "table");
      for (guint i = 0; i < BECKON_N_PRICES; i++)
        {
          char price[G_ASCII_DTOSTR_BUF_SIZE];

          g_string_append_printf (text, " %s", g_ascii_formatd (price, sizeof price, "%.10g", facts->prices[i]));
        }
    }
  g_object_set (self, "facts", is_something ? text->str : "", NULL);
}

void
beckon_profile_get_facts (BeckonProfile *self, BeckonModelFacts *facts)
{
  BeckonPdfChoice choice;

  g_return_if_fail (BECKON_IS_PROFILE (self));
  g_return_if_fail (facts != NULL);

  read_stored (self, facts, &choice);
}

void
beckon_profile_set_facts (BeckonProfile *self, const BeckonModelFacts *facts)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));
  g_return_if_fail (facts != NULL);

  write_stored (self, facts, beckon_profile_get_pdf_choice (self));
}

BeckonPdfChoice
beckon_profile_get_pdf_choice (BeckonProfile *self)
{
  BeckonModelFacts facts;
  BeckonPdfChoice choice;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_PDF_BY_MODEL);

  read_stored (self, &facts, &choice);
  return choice;
}

void
beckon_profile_set_pdf_choice (BeckonProfile *self, BeckonPdfChoice choice)
{
  BeckonModelFacts facts;

  g_return_if_fail (BECKON_IS_PROFILE (self));

  beckon_profile_get_facts (self, &facts);
  write_stored (self, &facts, choice);
}

static gboolean
is_at_openai (BeckonProfile *self)
{
  g_autoptr (GUri) uri = g_uri_parse (beckon_profile_get_base_url (self), G_URI_FLAGS_NONE, NULL);

  return uri != NULL && g_uri_get_host (uri) != NULL && g_ascii_strcasecmp (g_uri_get_host (uri), "api.openai.com") == 0;
}

/* A server on this computer has its own models under any name. */
static gboolean
is_known_to_read_pdfs (BeckonProfile *self)
{
  BeckonModelDetails details = BECKON_MODEL_DETAILS_INIT;

  if (beckon_uri_is_loopback (beckon_profile_get_base_url (self))
      || (beckon_profile_get_kind (self) == BECKON_PROFILE_CHAT && !is_at_openai (self)))
    return FALSE;
  beckon_model_table_complete (beckon_profile_get_model (self), &details);
  return details.facts.pdfs == 1;
}

BeckonFactSource
beckon_profile_get_pdf_source (BeckonProfile *self)
{
  BeckonModelFacts facts;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_FACT_UNKNOWN);

  beckon_profile_get_facts (self, &facts);
  if (beckon_profile_get_pdf_choice (self) != BECKON_PDF_BY_MODEL)
    return BECKON_FACT_ENTERED;
  if (facts.pdfs >= 0)
    return BECKON_FACT_SERVER;
  return is_known_to_read_pdfs (self) ? BECKON_FACT_TABLE : BECKON_FACT_UNKNOWN;
}

gboolean
beckon_profile_reads_pdfs (BeckonProfile *self)
{
  BeckonProfileKind kind = beckon_profile_get_kind (self);
  BeckonModelFacts facts;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), FALSE);

  beckon_profile_get_facts (self, &facts);
  if (kind == BECKON_PROFILE_OLLAMA || kind == BECKON_PROFILE_TOUR)
    return FALSE;
  switch (beckon_profile_get_pdf_source (self))
    {
    case BECKON_FACT_ENTERED:
      return beckon_profile_get_pdf_choice (self) == BECKON_PDF_AS_FILE;
    case BECKON_FACT_SERVER:
      return facts.pdfs == 1;
    case BECKON_FACT_TABLE:
      return TRUE;
    case BECKON_FACT_UNKNOWN:
    default:
      return FALSE;
    }
}

BeckonFactSource
beckon_profile_get_window_source (BeckonProfile *self)
{
  BeckonModelFacts facts;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_FACT_UNKNOWN);

  beckon_profile_get_facts (self, &facts);
  if (beckon_profile_get_context_window (self) != 0)
    return BECKON_FACT_ENTERED;
  if (facts.window != 0)
    return BECKON_FACT_SERVER;
  return find_known_window (self) != 0 ? BECKON_FACT_TABLE : BECKON_FACT_UNKNOWN;
}

guint
beckon_profile_get_effective_window (BeckonProfile *self)
{
  BeckonModelFacts facts;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_PROFILE_WINDOW_DEFAULT);

  beckon_profile_get_facts (self, &facts);
  switch (beckon_profile_get_window_source (self))
    {
    case BECKON_FACT_ENTERED:
      return beckon_profile_get_context_window (self);
    case BECKON_FACT_SERVER:
      return facts.window;
    case BECKON_FACT_TABLE:
      return find_known_window (self);
    case BECKON_FACT_UNKNOWN:
    default:
      return BECKON_PROFILE_WINDOW_DEFAULT;
    }
}

guint
beckon_profile_get_effective_output (BeckonProfile *self)
{
  BeckonModelFacts facts, known;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), 0);

  if (beckon_profile_get_output_limit (self) != 0)
    return beckon_profile_get_output_limit (self);
  beckon_profile_get_facts (self, &facts);
  find_known (self, &known);
  return facts.output != 0 ? facts.output : known.output;
}

guint
beckon_profile_get_effort_levels (BeckonProfile *self)
{
  BeckonModelFacts facts, known;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), 0);

  beckon_profile_get_facts (self, &facts);
  find_known (self, &known);
  return facts.efforts != 0 ? facts.efforts : known.efforts;
}

/* --- Prices -------------------------------------------------------------------------------------------------------- */

BeckonFactSource
beckon_profile_get_price_source (BeckonProfile *self)
{
  BeckonModelFacts facts;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_FACT_UNKNOWN);

  for (guint i = 0; i < BECKON_N_PRICES; i++)
    if (beckon_profile_get_price (self, (BeckonPrice) i) > 0)
      return BECKON_FACT_ENTERED;
  beckon_profile_get_facts (self, &facts);
  return facts.prices_from;
}

double
beckon_profile_get_effective_price (BeckonProfile *self, BeckonPrice price)
{
  BeckonModelFacts facts;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), 0);
  g_return_val_if_fail ((guint) price < BECKON_N_PRICES, 0);

  if (beckon_profile_get_price_source (self) == BECKON_FACT_ENTERED)
    return beckon_profile_get_price (self, price);
  beckon_profile_get_facts (self, &facts);
  return facts.prices_from != BECKON_FACT_UNKNOWN ? MAX (facts.prices[price], 0) : 0;
}

const char *
beckon_profile_get_effective_currency (BeckonProfile *self)
{
  BeckonFactSource source;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), "");

  source = beckon_profile_get_price_source (self);
  return source == BECKON_FACT_SERVER || source == BECKON_FACT_TABLE ? CURRENCY : beckon_profile_get_currency (self);
}
