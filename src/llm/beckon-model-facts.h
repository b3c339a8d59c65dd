/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-model-pick.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/** Reads a member of a server's list of models, in any of the forms that are in use. Pure. Caller owns. */
BeckonListedModel *beckon_model_facts_read (const char *name, JsonObject *model) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
