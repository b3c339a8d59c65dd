/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-provenance.h"

#include "beckon-command.h"
#include "beckon-errand.h"
#include "store/beckon-provenance-query.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

typedef struct
{
  char *conversation_id; /* (owned) (nullable) */
  char *event;           /* (owned) (nullable) */
  char *tool;            /* (owned) (nullable) */
  int days;
} Provenance;

/* The earliest first, as a log is read. */
static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonErrand *errand = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines = beckon_store_list_provenance_finish (BECKON_STORE (source), result, &error);

  for (guint i = lines != NULL ? lines->len : 0; i > 0; i--)
    {
      g_autofree char *json = beckon_provenance_to_json (g_ptr_array_index (lines, i - 1));

      beckon_errand_print_json (json);
    }
  beckon_errand_finish (errand, error != NULL ? error->message : NULL);
}

static void
list (BeckonErrand *errand, const char *conversation_id)
{
  const Provenance *provenance = errand->data;
  const BeckonProvenanceFilter filter = {
    .conversation_id = conversation_id,
    .event = provenance->event,
    .tool = provenance->tool,
    .since = provenance->days > 0 ? g_get_real_time () - provenance->days * G_TIME_SPAN_DAY : 0,
  };

  beckon_store_list_provenance_async (errand->store, &filter, NULL, on_listed, errand);
}

static void
on_found (BeckonErrand *errand, BeckonConversation *header)
{
  list (errand, beckon_conversation_get_id (header));
}

static void
start (BeckonErrand *errand)
{
  const Provenance *provenance = errand->data;

  if (provenance->conversation_id != NULL)
    beckon_errand_find_async (errand, provenance->conversation_id, on_found);
  else
    list (errand, NULL);
}

int
beckon_command_provenance (int argc, char **argv)
{
  Provenance provenance = { 0 };
  int status;
  const GOptionEntry entries[] = {
    { "conversation", 'c', 0, G_OPTION_ARG_STRING, &provenance.conversation_id, N_("Only of this conversation"),
      N_("ID") },
    { "event", 0, 0, G_OPTION_ARG_STRING, &provenance.event,
      N_("Only these: asked, decided, settled, started, finished, failed"),
      N_("EVENT") },
    { "tool", 0, 0, G_OPTION_ARG_STRING, &provenance.tool, N_("Only calls of this tool"), N_("TOOL") },
    { "days", 0, 0, G_OPTION_ARG_INT, &provenance.days, N_("Only of the last days"), N_("N") },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_errand_parse (NULL, _("Prints what was asked, by whom it was decided and what ran, as JSON Lines, the earliest "
                                    "first."),
                            entries, &argc, &argv, 0, 0))
    return BECKON_COMMAND_MISUSED;

  status = beckon_errand_run ("provenance", start, &provenance);
  g_free (provenance.conversation_id);
  g_free (provenance.event);
  g_free (provenance.tool);
  return status;
}
