/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json-schema.h"
#include "fuzz.h"

/* The same bytes as schema and as value: whatever they are, it comes to an end, and a complaint can be shown. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (BeckonJsonSchema) schema
      = beckon_json_schema_new ((const char *) data, (gssize) size, BECKON_JSON_SCHEMA_CHECK_FORMATS, NULL);
  g_autoptr (GPtrArray) problems = NULL;
  g_autofree char *shown = NULL;

  if (schema == NULL)
    return 0;
  problems = beckon_json_schema_validate_text (schema, (const char *) data, (gssize) size);
  if (problems != NULL)
    shown = beckon_json_problems_to_shown (problems);
  g_assert_true (shown == NULL || g_utf8_validate (shown, -1, NULL));
  return 0;
}
