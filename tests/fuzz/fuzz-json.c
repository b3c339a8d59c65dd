/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "fuzz.h"

/* A text that makes a tree is valid, and the printed tree reads as the same. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (JsonNode) node = beckon_json_parse ((const char *) data, (gssize) size, NULL);
  g_autofree char *text = node != NULL ? beckon_json_print (node) : NULL;
  g_autoptr (JsonNode) again = text != NULL ? beckon_json_parse (text, -1, NULL) : NULL;

  g_assert_true (node == NULL || beckon_json_check ((const char *) data, (gssize) size, NULL));
  g_assert_true (node == NULL || json_node_equal (node, again));
  return 0;
}
