/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-profile.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/** What a member of a server's list of models says beside the name, in any of the forms that are in use. Pure. */
void beckon_model_facts_read (JsonObject *model, BeckonModelFacts *facts);

G_END_DECLS
