/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-shown-text.h"

#include "base/beckon-text.h"
#include "beckon-block-view.h"
#include "beckon-inline.h"
#include "domain/beckon-attachment.h"

#include <string.h>

typedef struct
{
  BeckonShownTextFunc function;
  gpointer user_data;
} Telling;

static void
on_block (const BeckonBlock *block, gpointer user_data)
{
  const Telling *telling = user_data;
  g_autoptr (PangoAttrList) attributes = NULL;
  g_autofree char *plain = NULL;

  if (block->kind == BECKON_BLOCK_RULE)
    return;
  if (block->kind != BECKON_BLOCK_CODE && block->text->len <= BECKON_BLOCK_VIEW_LONGEST_LABEL)
    plain = beckon_inline_render (block->text->str, &attributes);
  telling->function (plain != NULL ? plain : block->text->str, telling->user_data);
}

static void
tell_part (BeckonPart *part, gboolean is_plain, Telling *telling)
{
  g_autoptr (BeckonBlockParser) parser = NULL;
  g_autofree char *safe = NULL;
  g_autoptr (GString) text = g_string_new_len (beckon_part_get_text (part), (gssize) beckon_part_get_length (part));

  if (!is_plain)
    g_string_replace (text, "\r", "", 0);
  safe = beckon_text_for_display (text->str, (gssize) text->len, BECKON_TEXT_PROSE);
  if (is_plain)
    {
      telling->function (safe, telling->user_data);
      return;
    }
  parser = beckon_block_parser_new (on_block, telling);
  beckon_block_parser_feed (parser, safe, strlen (safe));
  beckon_block_parser_finish (parser);
}

void
beckon_shown_text_foreach (BeckonMessage *message, BeckonShownTextFunc function, gpointer user_data)
{
  Telling telling = { function, user_data };
  gboolean is_plain = beckon_message_get_role (message) == BECKON_ROLE_USER;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_part_get_kind (part) == BECKON_PART_TEXT && beckon_attachment_get_name (part) == NULL)
        tell_part (part, is_plain, &telling);
    }
}
