/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-value.h"

BeckonValue
beckon_value_number (gint64 number)
{
  return (BeckonValue) { .kind = BECKON_VALUE_NUMBER, .number = number };
}

BeckonValue
beckon_value_real (double real)
{
  return (BeckonValue) { .kind = BECKON_VALUE_REAL, .real = real };
}

BeckonValue
beckon_value_text (const char *text)
{
  return (BeckonValue) { .kind = text != NULL ? BECKON_VALUE_TEXT : BECKON_VALUE_NULL, .text = text };
}

BeckonValue
beckon_value_bytes (const void *bytes, gsize length)
{
  return (BeckonValue) { .kind = BECKON_VALUE_BYTES, .bytes = bytes, .length = length };
}

BeckonValue
beckon_value_shared (GBytes *bytes)
{
  BeckonValue value = { .kind = bytes != NULL ? BECKON_VALUE_BYTES : BECKON_VALUE_NULL, .owner = bytes };

  if (bytes != NULL)
    value.bytes = g_bytes_get_data (bytes, &value.length);
  return value;
}

BeckonValue
beckon_value_itself (BeckonValue value)
{
  return value;
}

BeckonValue *
beckon_values_copy (const BeckonValue *values)
{
  gsize n_values = 0;
  BeckonValue *copies;

  while (values[n_values].kind != BECKON_VALUE_END)
    n_values++;
  copies = g_memdup2 (values, (n_values + 1) * sizeof *values);
  for (BeckonValue *copy = copies; copy->kind != BECKON_VALUE_END; copy++)
    if (copy->kind == BECKON_VALUE_TEXT)
      copy->text = g_strdup (copy->text);
    else if (copy->kind == BECKON_VALUE_BYTES)
      *copy = beckon_value_shared (copy->owner != NULL ? g_bytes_ref (copy->owner) : g_bytes_new (copy->bytes, copy->length));
  return copies;
}

void
beckon_values_free (BeckonValue *values)
{
  for (const BeckonValue *value = values; value->kind != BECKON_VALUE_END; value++)
    if (value->kind == BECKON_VALUE_TEXT)
      g_free ((char *) value->text);
    else if (value->kind == BECKON_VALUE_BYTES)
      g_bytes_unref (value->owner);
    else if (value->kind == BECKON_VALUE_OWNED && value->free != NULL)
      value->free (value->object);
  g_free (values);
}

void
beckon_values_set_lease (BeckonValue *values, const char *lease)
{
  for (BeckonValue *value = values; value->kind != BECKON_VALUE_END; value++)
    if (value->kind == BECKON_VALUE_LEASE)
      *value = beckon_value_text (g_strdup (lease));
}
