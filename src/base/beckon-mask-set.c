/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mask-private.h"

#include <string.h>

#define NONE G_MAXUINT32

typedef struct
{
  guint32 child;   /* the first of those that continue it; 0: none */
  guint32 sibling; /* the next that continues the same one */
  guint32 fail;    /* its longest end that begins a form, too */
  guint32 depth;
  guint32 form;    /* the form that ends here, or NONE */
  guint32 shorter; /* the nearest of its ends at which a form ends; 0: none */
  guchar byte;
} Node;

struct _BeckonMaskSet
{
  gboolean is_spaced;
  GArray *nodes; /* (element-type Node); the first is the beginning */
  GArray *forms; /* (element-type BeckonMaskForm) */
  guint32 first[256];
  gsize longest;
};

static Node *
get_node (BeckonMaskSet *set, guint32 index)
{
  return &g_array_index (set->nodes, Node, index);
}

static guint32
add_node (BeckonMaskSet *set, guint32 depth, guchar byte)
{
  Node node = { .depth = depth, .form = NONE, .byte = byte };

  g_array_append_val (set->nodes, node);
  return set->nodes->len - 1;
}

static void
form_clear (gpointer data)
{
  g_free (((BeckonMaskForm *) data)->replacement);
}

BeckonMaskSet *
beckon_mask_set_new (gboolean is_spaced)
{
  BeckonMaskSet *set = g_new0 (BeckonMaskSet, 1);

  set->is_spaced = is_spaced;
  set->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  set->forms = g_array_new (FALSE, FALSE, sizeof (BeckonMaskForm));
  g_array_set_clear_func (set->forms, form_clear);
  add_node (set, 0, 0);
  return set;
}

/* The nodes spell the values. An array that grew has left copies behind, as any memory that is moved does. */
void
beckon_mask_set_free (BeckonMaskSet *set)
{
  explicit_bzero (set->nodes->data, set->nodes->len * sizeof (Node));
  g_array_unref (set->nodes);
  g_array_unref (set->forms);
  g_free (set);
}

static guint32
find_child (BeckonMaskSet *set, guint32 state, guchar byte)
{
  guint32 child;

  if (state == 0)
    return set->first[byte];
  child = get_node (set, state)->child;
  while (child != 0 && get_node (set, child)->byte != byte)
    child = get_node (set, child)->sibling;
  return child;
}

static guint32
ensure_child (BeckonMaskSet *set, guint32 state, guchar byte)
{
  guint32 child = find_child (set, state, byte);

  if (child != 0)
    return child;
  child = add_node (set, get_node (set, state)->depth + 1, byte);
  get_node (set, child)->sibling = get_node (set, state)->child;
  get_node (set, state)->child = child;
  if (state == 0)
    set->first[byte] = child;
  return child;
}

void
beckon_mask_set_add (BeckonMaskSet *set, const char *form, const char *replacement, gboolean is_word)
{
  gsize length = strlen (form);
  BeckonMaskForm made = { .length = length, .is_word = is_word };
  guint32 state = 0;
  Node *end;

  for (gsize i = 0; i < length; i++)
    state = ensure_child (set, state, (guchar) form[i]);
  end = get_node (set, state);
  if (end->form != NONE)
    {
      BeckonMaskForm *known = &g_array_index (set->forms, BeckonMaskForm, end->form);

      known->is_word = known->is_word && is_word;
      return;
    }
  end->form = set->forms->len;
  made.replacement = g_strdup (replacement);
  g_array_append_val (set->forms, made);
  set->longest = MAX (set->longest, length);
}

static void
link_node (BeckonMaskSet *set, guint32 state, guint32 parent)
{
  Node *node = get_node (set, state);
  guint32 fail = get_node (set, parent)->fail;
  guint32 next;

  if (parent == 0)
    return;
  while ((next = find_child (set, fail, node->byte)) == 0 && fail != 0)
    fail = get_node (set, fail)->fail;
  node->fail = next;
  node->shorter = get_node (set, next)->form != NONE ? next : get_node (set, next)->shorter;
}

/* The shallow ones first: a link leads to a node that is less deep. */
void
beckon_mask_set_close (BeckonMaskSet *set)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 root = 0;

  g_array_append_val (queue, root);
  for (guint i = 0; i < queue->len; i++)
    {
      guint32 parent = g_array_index (queue, guint32, i);

      for (guint32 child = get_node (set, parent)->child; child != 0; child = get_node (set, child)->sibling)
        {
          link_node (set, child, parent);
          g_array_append_val (queue, child);
        }
    }
}

guint
beckon_mask_set_get_n_forms (BeckonMaskSet *set)
{
  return set->forms->len;
}

gsize
beckon_mask_set_get_longest (BeckonMaskSet *set)
{
  return set->longest;
}

gboolean
beckon_mask_set_skips (BeckonMaskSet *set, guchar byte)
{
  return set->is_spaced && (g_ascii_isspace (byte) || byte == ':');
}

static void
mark_pair (guint8 *pairs, guchar first, guint second)
{
  guint bit = (guint) first << 8 | second;

  pairs[bit / 8] |= (guint8) (1 << (bit % 8));
}

static void
mark_pairs_of (BeckonMaskSet *set, guint32 state, guint8 *pairs)
{
  const Node *node = get_node (set, state);

  for (guint32 child = node->child; child != 0; child = get_node (set, child)->sibling)
    mark_pair (pairs, node->byte, get_node (set, child)->byte);
  for (guint second = 0; second < 256; second++)
    if (node->form != NONE || beckon_mask_set_skips (set, (guchar) second))
      mark_pair (pairs, node->byte, second);
}

void
beckon_mask_set_mark_pairs (BeckonMaskSet *set, guint8 *pairs, gboolean *starts)
{
  for (guint byte = 0; byte < 256; byte++)
    {
      if (set->first[byte] == 0)
        continue;
      starts[byte] = TRUE;
      mark_pairs_of (set, set->first[byte], pairs);
    }
}

guint32
beckon_mask_set_step (BeckonMaskSet *set, guint32 state, guchar byte)
{
  guint32 next;

  while ((next = find_child (set, state, byte)) == 0 && state != 0)
    state = get_node (set, state)->fail;
  return next;
}

gsize
beckon_mask_set_get_depth (BeckonMaskSet *set, guint32 state)
{
  return get_node (set, state)->depth;
}

const BeckonMaskForm *
beckon_mask_set_next_form (BeckonMaskSet *set, guint32 state, guint32 *cursor)
{
  const Node *node = get_node (set, state);

  if (*cursor != 0)
    *cursor = get_node (set, *cursor)->shorter;
  else
    *cursor = node->form != NONE ? state : node->shorter;
  return *cursor != 0 ? &g_array_index (set->forms, BeckonMaskForm, get_node (set, *cursor)->form) : NULL;
}
