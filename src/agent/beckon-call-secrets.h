/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-run-scope.h"
#include "base/beckon-mask.h"

G_BEGIN_DECLS

/** The input of a started call: its arguments with the values of secrets in them, and the mask for its output. */
typedef struct
{
  char *arguments;
  BeckonMask *mask;     /* (nullable): there is nothing to mask */
  gboolean has_secrets; /* of the conversation's own */
} BeckonRevealed;

void            beckon_revealed_free (BeckonRevealed *revealed);
gboolean        beckon_call_names_secret (BeckonToolCall *call);
gboolean        beckon_call_may_have_secrets (const BeckonRunScope *scope, BeckonToolCall *call);
void            beckon_call_secrets_reveal_async (const BeckonRunScope *scope, BeckonToolCall *call,
                                                  GCancellable *cancellable, GAsyncReadyCallback callback,
                                                  gpointer user_data);
BeckonRevealed *beckon_call_secrets_reveal_finish (GAsyncResult *result, GError **error);

/** The mask by what secrets there are now; beckon_known_secrets_make_mask_finish() has it. */
void beckon_call_secrets_mask_async (const BeckonRunScope *scope, GAsyncReadyCallback callback, gpointer user_data);

G_END_DECLS
