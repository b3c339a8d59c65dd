/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-block-height.h"

#define LINE 20.0
#define BYTES_PER_LINE 95.0
#define SPACE 8.0
#define ROW 32.0
#define CODE_FRAME 52.0
#define CODE_LINE 17.0

static double
guess_code (const GString *text)
{
  double lines = 0;

  for (gsize i = 0; i < text->len; i++)
    lines += text->str[i] == '\n' ? 1 : 0;
  return CODE_FRAME + lines * CODE_LINE;
}

double
beckon_block_height_guess (const BeckonMarkdownNode *node)
{
  double height = SPACE;

  if (node->kind == BECKON_MARKDOWN_TABLE)
    return SPACE + ROW * beckon_markdown_node_get_n_children (node);
  if (node->kind == BECKON_MARKDOWN_CODE)
    return SPACE + guess_code (node->text);
  if (node->text != NULL)
    return SPACE + LINE * (1 + (double) (int) ((double) node->text->len / BYTES_PER_LINE));
  for (guint i = 0; i < beckon_markdown_node_get_n_children (node); i++)
    height += beckon_block_height_guess (beckon_markdown_node_get_child (node, i));
  return height;
}
