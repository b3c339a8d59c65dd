/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The kind of a value; an array ends with one that is none. */
typedef enum
{
  BECKON_VALUE_END,
  BECKON_VALUE_NULL,
  BECKON_VALUE_NUMBER,
  BECKON_VALUE_REAL,
  BECKON_VALUE_TEXT,
  BECKON_VALUE_BYTES,
  BECKON_VALUE_LEASE,
  BECKON_VALUE_OWNED,
} BeckonValueKind;

/**
 * BeckonValue:
 * @kind: which of the others counts
 * @number: a number, also of what is true or not
 * @real: a number with a fraction
 * @text: text, never %NULL
 * @bytes: bytes; %NULL where there are none
 * @length: of @bytes
 * @owner: (nullable): whose @bytes these are
 * @object: anything, for work that is no statement
 * @free: (nullable): for @object
 *
 * A parameter of a statement. It borrows what it is made of until it is copied, but for @object, which is handed over with it.
 */
typedef struct
{
  BeckonValueKind kind;
  gint64 number;
  double real;
  const char *text;
  const void *bytes;
  gsize length;
  GBytes *owner;
  gpointer object;
  GDestroyNotify free;
} BeckonValue;

/** The values that a macro makes of its arguments; %NULL text and %NULL bytes are NULL, text and bytes of no length are not. */
BeckonValue beckon_value_number (gint64 number);
BeckonValue beckon_value_real (double real);
BeckonValue beckon_value_text (const char *text);
BeckonValue beckon_value_shared (GBytes *bytes);
BeckonValue beckon_value_itself (BeckonValue value);

/** Bytes that are no #GBytes. @bytes: (nullable) only where @length is 0 */
BeckonValue beckon_value_bytes (const void *bytes, gsize length);

/** NULL, whatever the column is. */
#define BECKON_NULL ((BeckonValue) { .kind = BECKON_VALUE_NULL })

/** No value at all: the parameters of a statement that has none. */
#define BECKON_NONE ((BeckonValue) { .kind = BECKON_VALUE_END })

/** The lease of the process, which is known on the store's thread alone. */
#define BECKON_LEASE ((BeckonValue) { .kind = BECKON_VALUE_LEASE })

/** Anything, for work that is no statement. @pointer: (transfer full) */
#define BECKON_OWNED(pointer, free_func) \
  ((BeckonValue) { .kind = BECKON_VALUE_OWNED, .object = (pointer), .free = (GDestroyNotify) (free_func) })

/** The value of an argument, by its type. */
#define BECKON_VALUE(argument) \
  _Generic ((argument), \
            char *: beckon_value_text, \
            const char *: beckon_value_text, \
            int: beckon_value_number, \
            unsigned int: beckon_value_number, \
            long: beckon_value_number, \
            long long: beckon_value_number, \
            double: beckon_value_real, \
            GBytes *: beckon_value_shared, \
            BeckonValue: beckon_value_itself) (argument)

/** The values of one to %BECKON_VALUES_MAX arguments, and an end. */
#define BECKON_VALUES(...) ((const BeckonValue[]) { BECKON_VALUES_OF (__VA_ARGS__), { .kind = BECKON_VALUE_END } })
#define BECKON_VALUES_MAX 21

#define BECKON_VALUES_OF(...) \
  BECKON_VALUES_PICK (__VA_ARGS__, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1) (__VA_ARGS__)
#define BECKON_VALUES_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, count, ...) BECKON_VALUES_##count
#define BECKON_VALUES_1(a) BECKON_VALUE (a)
#define BECKON_VALUES_2(a, ...) BECKON_VALUE (a), BECKON_VALUES_1 (__VA_ARGS__)
#define BECKON_VALUES_3(a, ...) BECKON_VALUE (a), BECKON_VALUES_2 (__VA_ARGS__)
#define BECKON_VALUES_4(a, ...) BECKON_VALUE (a), BECKON_VALUES_3 (__VA_ARGS__)
#define BECKON_VALUES_5(a, ...) BECKON_VALUE (a), BECKON_VALUES_4 (__VA_ARGS__)
#define BECKON_VALUES_6(a, ...) BECKON_VALUE (a), BECKON_VALUES_5 (__VA_ARGS__)
#define BECKON_VALUES_7(a, ...) BECKON_VALUE (a), BECKON_VALUES_6 (__VA_ARGS__)
#define BECKON_VALUES_8(a, ...) BECKON_VALUE (a), BECKON_VALUES_7 (__VA_ARGS__)
#define BECKON_VALUES_9(a, ...) BECKON_VALUE (a), BECKON_VALUES_8 (__VA_ARGS__)
#define BECKON_VALUES_10(a, ...) BECKON_VALUE (a), BECKON_VALUES_9 (__VA_ARGS__)
#define BECKON_VALUES_11(a, ...) BECKON_VALUE (a), BECKON_VALUES_10 (__VA_ARGS__)
#define BECKON_VALUES_12(a, ...) BECKON_VALUE (a), BECKON_VALUES_11 (__VA_ARGS__)
#define BECKON_VALUES_13(a, ...) BECKON_VALUE (a), BECKON_VALUES_12 (__VA_ARGS__)
#define BECKON_VALUES_14(a, ...) BECKON_VALUE (a), BECKON_VALUES_13 (__VA_ARGS__)
#define BECKON_VALUES_15(a, ...) BECKON_VALUE (a), BECKON_VALUES_14 (__VA_ARGS__)
#define BECKON_VALUES_16(a, ...) BECKON_VALUE (a), BECKON_VALUES_15 (__VA_ARGS__)
#define BECKON_VALUES_17(a, ...) BECKON_VALUE (a), BECKON_VALUES_16 (__VA_ARGS__)
#define BECKON_VALUES_18(a, ...) BECKON_VALUE (a), BECKON_VALUES_17 (__VA_ARGS__)
#define BECKON_VALUES_19(a, ...) BECKON_VALUE (a), BECKON_VALUES_18 (__VA_ARGS__)
#define BECKON_VALUES_20(a, ...) BECKON_VALUE (a), BECKON_VALUES_19 (__VA_ARGS__)
#define BECKON_VALUES_21(a, ...) BECKON_VALUE (a), BECKON_VALUES_20 (__VA_ARGS__)

/** Copies text at once and shares bytes. @values: what is owned is handed over. Caller frees with beckon_values_free(). */
BeckonValue *beckon_values_copy (const BeckonValue *values) G_GNUC_WARN_UNUSED_RESULT;
void         beckon_values_free (BeckonValue *values);

/** Puts a copy of @lease in the place of each %BECKON_LEASE among copied values. */
void beckon_values_set_lease (BeckonValue *values, const char *lease);

G_END_DECLS
