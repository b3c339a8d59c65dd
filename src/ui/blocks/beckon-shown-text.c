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

/* As a block view shows it. */
static void
tell_leaf (const BeckonMarkdownNode *leaf, const Telling *telling)
{
  g_auto (BeckonInline) content = { NULL };

  if (leaf->kind == BECKON_MARKDOWN_CODE || leaf->text->len > BECKON_BLOCK_VIEW_LONGEST_LABEL)
    {
      telling->function (leaf->text->str, telling->user_data);
      return;
    }
  beckon_inline_init (&content, leaf);
  telling->function (content.text, telling->user_data);
}

static void
tell_node (const BeckonMarkdownNode *node, const Telling *telling)
{
  if (node->text != NULL)
    tell_leaf (node, telling);
  for (guint i = 0; i < beckon_markdown_node_get_n_children (node); i++)
    tell_node (beckon_markdown_node_get_child (node, i), telling);
}

void
beckon_shown_text_foreach_in_block (const BeckonMarkdownNode *block, BeckonShownTextFunc function, gpointer user_data)
{
  Telling telling = { function, user_data };

  tell_node (block, &telling);
}

static void
tell_part (BeckonPart *part, gboolean is_plain, Telling *telling)
{
  g_autoptr (BeckonMarkdownStream) stream = NULL;
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
  stream = beckon_markdown_stream_new ();
  beckon_markdown_stream_feed (stream, safe, strlen (safe));
  beckon_markdown_stream_finish (stream);
  beckon_markdown_stream_update (stream);
  for (guint i = 0; i < beckon_markdown_stream_get_n_blocks (stream); i++)
    tell_node (beckon_markdown_stream_get_block (stream, i), telling);
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
