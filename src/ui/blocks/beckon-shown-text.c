/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-shown-text.h"

#include "base/beckon-text.h"
#include "beckon-block-view.h"
#include "beckon-inline.h"
#include "domain/beckon-attachment.h"
#include "markdown/beckon-markdown-stream.h"

#include <string.h>

typedef struct
{
  BeckonShownTextFunc function;
  gpointer user_data;
} Telling;

static void
tell_node (const BeckonMarkdownNode *node, const Telling *telling)
{
  /* A text is told as a block view shows it. */
  if (node->text != NULL && (node->kind == BECKON_MARKDOWN_CODE || node->text->len > BECKON_BLOCK_VIEW_LONGEST_LABEL))
    telling->function (node->text->str, telling->user_data);
  else if (node->text != NULL)
    {
      g_auto (BeckonInline) content = { NULL };

      beckon_inline_init (&content, node);
      telling->function (content.text, telling->user_data);
    }
  for (guint i = 0; i < beckon_markdown_node_get_n_children (node); i++)
    tell_node (beckon_markdown_node_get_child (node, i), telling);
}

void
beckon_shown_text_foreach_in_block (const BeckonMarkdownNode *block, BeckonShownTextFunc function, gpointer user_data)
{
  Telling telling = { function, user_data };

  tell_node (block, &telling);
}

void
beckon_shown_text_foreach (BeckonMessage *message, BeckonShownTextFunc function, gpointer user_data)
{
  Telling telling = { function, user_data };
  gboolean is_plain = beckon_message_get_role (message) == BECKON_ROLE_USER;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      g_autoptr (BeckonMarkdownStream) stream = NULL;
      g_autoptr (GString) text = NULL;
      g_autofree char *safe = NULL;

      if (beckon_part_get_kind (part) != BECKON_PART_TEXT || beckon_attachment_get_name (part) != NULL)
        continue;
      text = g_string_new_len (beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
      if (!is_plain)
        g_string_replace (text, "\r", "", 0);
      safe = beckon_text_for_display (text->str, (gssize) text->len, BECKON_TEXT_PROSE);
      if (is_plain)
        {
          function (safe, user_data);
          continue;
        }
      stream = beckon_markdown_stream_new ();
      beckon_markdown_stream_feed (stream, safe, strlen (safe));
      beckon_markdown_stream_finish (stream);
      beckon_markdown_stream_update (stream);
      for (guint block = 0; block < beckon_markdown_stream_get_n_blocks (stream); block++)
        tell_node (beckon_markdown_stream_get_block (stream, block), &telling);
    }
}
