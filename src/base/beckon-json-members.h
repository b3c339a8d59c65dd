/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-json-reader.h"

G_BEGIN_DECLS

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
