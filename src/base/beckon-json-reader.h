/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-json-slice.h"

G_BEGIN_DECLS

/** How deep arrays and objects may be nested, in anything that is read. */
#define BECKON_JSON_MAX_DEPTH 512

/**
 * BeckonJsonToken:
 * @BECKON_JSON_FAULTY: the text breaks the rules; see beckon_json_reader_get_fault(); it stays so
 * @BECKON_JSON_END: the text is over and was one whole value
 * @BECKON_JSON_NAME: the name of a member; its value is the next token
 * @BECKON_JSON_STRING: a string, in `slice`
 * @BECKON_JSON_NUMBER: a number, its text in `slice`
 */
typedef enum
{
  BECKON_JSON_FAULTY,
  BECKON_JSON_END,
  BECKON_JSON_OBJECT_BEGIN,
  BECKON_JSON_OBJECT_END,
  BECKON_JSON_ARRAY_BEGIN,
  BECKON_JSON_ARRAY_END,
  BECKON_JSON_NAME,
  BECKON_JSON_STRING,
  BECKON_JSON_NUMBER,
  BECKON_JSON_TRUE,
  BECKON_JSON_FALSE,
  BECKON_JSON_NULL,
} BeckonJsonToken;

/** Faults of a text; beckon_json_fault_to_string() has the words. */
typedef enum
{
  BECKON_JSON_FAULT_NONE,
  BECKON_JSON_FAULT_EMPTY,
  BECKON_JSON_FAULT_CUT,
  BECKON_JSON_FAULT_SYNTAX,
  BECKON_JSON_FAULT_TRAILING,
  BECKON_JSON_FAULT_NUMBER,
  BECKON_JSON_FAULT_CONTROL,
  BECKON_JSON_FAULT_ESCAPE,
  BECKON_JSON_FAULT_SURROGATE,
  BECKON_JSON_FAULT_UTF8,
  BECKON_JSON_FAULT_DEPTH,
  BECKON_JSON_FAULT_DUPLICATE,
  BECKON_JSON_FAULT_NUL,
  BECKON_JSON_FAULT_INTEGER,
  BECKON_JSON_FAULT_OVERFLOW,
} BeckonJsonFault;

/**
 * BeckonJsonFlags:
 * @BECKON_JSON_STRICT: invalid UTF-8 and lone surrogates in strings are faults
 * @BECKON_JSON_REPLACE: they become U+FFFD, for text that is only shown
 */
typedef enum
{
  BECKON_JSON_STRICT = 0,
  BECKON_JSON_REPLACE = 1 << 0,
} BeckonJsonFlags;

/**
 * BeckonJsonReader:
 * @slice: the last name, string or number
 *
 * A pull reader of one JSON text by RFC 8259. It lives on the stack, allocates nothing and copies nothing; the text
 * has to outlive it. Members other than @slice are its own.
 */
typedef struct
{
  BeckonJsonSlice slice;

  const char *text;
  const char *at;
  const char *end;
  BeckonJsonFlags flags;
  BeckonJsonFault fault;
  GString *decoded; /* (unowned) (nullable) */
  guint expect;
  guint depth;
  guint8 objects[BECKON_JSON_MAX_DEPTH / 8];
} BeckonJsonReader;

void            beckon_json_reader_init (BeckonJsonReader *reader, const char *text, gsize length,
                                         BeckonJsonFlags flags);
BeckonJsonToken beckon_json_reader_next (BeckonJsonReader *reader);

/**
 * beckon_json_reader_next_text:
 * @reader: a reader
 * @text: where to decode
 *
 * As beckon_json_reader_next(). If the token is a string with escapes, and @text is empty, it is decoded while it is read, in
 * one pass instead of two: the slice is then one of @text, for as long as that is not changed, and without escapes. Such a
 * slice is not for beckon_json_reader_finish_value().
 */
BeckonJsonToken beckon_json_reader_next_text (BeckonJsonReader *reader, GString *text);

/**
 * beckon_json_reader_finish_value:
 * @reader: a reader
 * @token: the token just read, not a name
 * @raw: (out) (optional): the value's text
 *
 * Reads on to the end of the value that @token began; checks it as it goes.
 *
 * Returns: %FALSE when it is faulty
 */
gboolean beckon_json_reader_finish_value (BeckonJsonReader *reader, BeckonJsonToken token, BeckonJsonSlice *raw);

/** Reads the next value whole, whatever it is; as beckon_json_reader_finish_value(). */
gboolean beckon_json_reader_skip (BeckonJsonReader *reader, BeckonJsonSlice *raw);

/** Returns the fault, and its place in bytes. */
BeckonJsonFault beckon_json_reader_get_fault (const BeckonJsonReader *reader, gsize *offset);

/** English, for models and logs, such as "the text ends too early"; translatable for people; static. */
const char *beckon_json_fault_to_string (BeckonJsonFault fault);

/**
 * BeckonJsonMemberKind:
 * @BECKON_JSON_MEMBER_STRING: a string; a #BeckonJsonSlice
 * @BECKON_JSON_MEMBER_RAW: anything but null, as its text; a #BeckonJsonSlice
 * @BECKON_JSON_MEMBER_INT: an integer of 64 bits; a #gint64
 * @BECKON_JSON_MEMBER_TRUE: %TRUE when it is true; a #gboolean
 * @BECKON_JSON_MEMBER_OBJECT: an object whose own members are read into the same struct
 */
typedef enum
{
  BECKON_JSON_MEMBER_STRING,
  BECKON_JSON_MEMBER_RAW,
  BECKON_JSON_MEMBER_INT,
  BECKON_JSON_MEMBER_TRUE,
  BECKON_JSON_MEMBER_OBJECT,
} BeckonJsonMemberKind;

/**
 * BeckonJsonMember:
 *
 * What a member of an object is called, what it has to be, and where in a struct it goes. Tables of them are written
 * with the macros below and end with %BECKON_JSON_MEMBERS_END.
 */
typedef struct _BeckonJsonMember BeckonJsonMember;

struct _BeckonJsonMember
{
  const char *name;
  gsize length;
  BeckonJsonMemberKind kind;
  gsize offset;
  const BeckonJsonMember *members;
};

#define BECKON_JSON_STRING_MEMBER(name, type, field) \
  { (name), sizeof (name) - 1, BECKON_JSON_MEMBER_STRING, G_STRUCT_OFFSET (type, field), NULL }
#define BECKON_JSON_RAW_MEMBER(name, type, field) \
  { (name), sizeof (name) - 1, BECKON_JSON_MEMBER_RAW, G_STRUCT_OFFSET (type, field), NULL }
#define BECKON_JSON_INT_MEMBER(name, type, field) \
  { (name), sizeof (name) - 1, BECKON_JSON_MEMBER_INT, G_STRUCT_OFFSET (type, field), NULL }
#define BECKON_JSON_TRUE_MEMBER(name, type, field) \
  { (name), sizeof (name) - 1, BECKON_JSON_MEMBER_TRUE, G_STRUCT_OFFSET (type, field), NULL }
#define BECKON_JSON_OBJECT_MEMBER(name, table) \
  { (name), sizeof (name) - 1, BECKON_JSON_MEMBER_OBJECT, 0, (table) }
#define BECKON_JSON_MEMBERS_END \
  { NULL, 0, BECKON_JSON_MEMBER_RAW, 0, NULL }

/**
 * beckon_json_members_read:
 * @reader: a reader that just gave %BECKON_JSON_OBJECT_BEGIN
 * @members: which members are wanted
 * @into: the struct that @members describes; what is absent, null or of another type is left as it is
 *
 * Reads to the end of the object.
 *
 * Returns: %FALSE when it is faulty
 */
gboolean beckon_json_members_read (BeckonJsonReader *reader, const BeckonJsonMember *members, gpointer into);

/**
 * beckon_json_members_read_text:
 * @text: one JSON text, which has to outlive the slices in @into
 * @length: its bytes
 * @members: which members are wanted
 * @into: as for beckon_json_members_read(); untouched when @text is no object
 *
 * Invalid UTF-8 and lone surrogates in strings are read as U+FFFD.
 *
 * Returns: what is wrong with @text; then @into is not to be used
 */
BeckonJsonFault beckon_json_members_read_text (const char *text, gsize length, const BeckonJsonMember *members,
                                               gpointer into);

G_END_DECLS
