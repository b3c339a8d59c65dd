/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-profile.h"

#include "base/beckon-loopback.h"
#include "beckon-model-table.h"

#include <stdio.h>

/* A model on this computer has the window that its server was started with, not the one that it could have. */
static guint
find_known_window (BeckonProfile *profile)
{
  BeckonModelDetails details = BECKON_MODEL_DETAILS_INIT;

  if (!beckon_uri_is_loopback (beckon_profile_get_base_url (profile)))
    beckon_model_table_complete (beckon_profile_get_model (profile), &details);
  return details.facts.window;
}

/* Five numbers, as they are stored: older ones have three. What is no such thing says nothing. */
static void
read_stored (BeckonProfile *self, BeckonModelFacts *facts, int *choice)
{
  const BeckonModelFacts none = BECKON_MODEL_FACTS_INIT;
  g_autofree char *text = NULL;

  g_object_get (self, "facts", &text, NULL);
  *facts = none;
  *choice = BECKON_PDF_BY_MODEL;
  if (sscanf (text, "%u %u %d %d %d", &facts->window, &facts->output, &facts->images, &facts->pdfs, choice) < 3)
    *facts = none;
  facts->window = MIN (facts->window, BECKON_PROFILE_WINDOW_MAX);
  facts->output = MIN (facts->output, BECKON_PROFILE_OUTPUT_LIMIT_MAX);
  facts->images = CLAMP (facts->images, -1, 1);
  facts->pdfs = CLAMP (facts->pdfs, -1, 1);
  *choice = CLAMP (*choice, 0, BECKON_PDF_N_CHOICES - 1);
}

static void
write_stored (BeckonProfile *self, const BeckonModelFacts *facts, int choice)
{
  g_autofree char *text
      = g_strdup_printf ("%u %u %d %d %d", facts->window, facts->output, facts->images, facts->pdfs, choice);
  gboolean is_something = facts->window > 0 || facts->output > 0 || facts->images >= 0 || facts->pdfs >= 0
                          || choice != BECKON_PDF_BY_MODEL;

  g_object_set (self, "facts", is_something ? text : "", NULL);
}

void
beckon_profile_get_facts (BeckonProfile *self, BeckonModelFacts *facts)
{
  int choice;

  g_return_if_fail (BECKON_IS_PROFILE (self));
  g_return_if_fail (facts != NULL);

  read_stored (self, facts, &choice);
}

void
beckon_profile_set_facts (BeckonProfile *self, const BeckonModelFacts *facts)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));
  g_return_if_fail (facts != NULL);

  write_stored (self, facts, (int) beckon_profile_get_pdf_choice (self));
}

BeckonPdfChoice
beckon_profile_get_pdf_choice (BeckonProfile *self)
{
  BeckonModelFacts facts;
  int choice;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_PDF_BY_MODEL);

  read_stored (self, &facts, &choice);
  return (BeckonPdfChoice) choice;
}

void
beckon_profile_set_pdf_choice (BeckonProfile *self, BeckonPdfChoice choice)
{
  BeckonModelFacts facts;

  g_return_if_fail (BECKON_IS_PROFILE (self));

  beckon_profile_get_facts (self, &facts);
  write_stored (self, &facts, (int) choice);
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
