/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-json-schema.h"

G_BEGIN_DECLS

struct _BeckonJsonSchema
{
  BeckonJsonValue *root;
  gboolean is_draft_7;
  gboolean checks_formats;
  GHashTable *bases;    /* (element-type BeckonJsonValue utf8): address that references within are relative to */
  GHashTable *places;   /* (element-type utf8 BeckonJsonValue): by address, with an anchor where it has one */
  GHashTable *targets;  /* (element-type BeckonJsonValue BeckonJsonValue): where each $ref leads; absent: nowhere */
  GHashTable *patterns; /* (element-type utf8 GRegex) (nullable values): compiled ones; NULL for what is none */
};

/** Fills in bases, places, targets and patterns. */
void beckon_json_schema_index (BeckonJsonSchema *schema);

G_END_DECLS
