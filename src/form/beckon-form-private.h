/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-form-build.h"
#include "beckon-form-history.h"
#include "form/beckon-form.h"

G_BEGIN_DECLS

struct _BeckonForm
{
  GObject parent_instance;

  BeckonJsonSchema *schema;
  char *proposal_text;
  BeckonJsonValue *proposal; /* an empty object where the proposal is no JSON */
  BeckonParameters *parameters; /* (nullable) */

  char *text;
  BeckonJsonValue *value; /* of the last text that was JSON */
  char *value_text;       /* that text */
  gboolean is_json;
  gboolean fills_in;
  gboolean is_tried;
  BeckonFormField *root;
  guint n_errors;
  GHashTable *choices;
  GPtrArray *secrets; /* (element-type utf8): names of members */
  BeckonFormHistory *history;
};

/** Makes a change, remembers it, and makes the fields anew. @edit: (transfer full). @where: see beckon_form_history_add(). */
void beckon_form_do (BeckonForm *form, BeckonJsonEdit *edit, const char *where);

/** The fields anew without a change of the text. */
void beckon_form_refresh (BeckonForm *form);

/** Finds a field's parent; returns its value, which may be %NULL. @name: (out): what its key is, or its index. */
const BeckonJsonValue *beckon_form_find_parent (BeckonForm *form, const char *pointer, GString *name);

G_END_DECLS
