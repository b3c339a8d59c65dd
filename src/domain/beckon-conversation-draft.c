/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-conversation-private.h"

/* The files attached to the draft. */

GListStore *
beckon_conversation_get_files (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->files;
}

gboolean
beckon_conversation_has_empty_draft (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), TRUE);

  return *self->draft == '\0' && g_list_model_get_n_items (G_LIST_MODEL (self->files)) == 0;
}
