/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "mcp/beckon-mcp-paste.h"

#include <string.h>

/* Servers that were read are bounded text; those that can be used are whole. */
static void
check (const BeckonMcpDraft *draft)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMcpServer) server = beckon_mcp_draft_make_server (draft, NULL, &error);

  g_assert_nonnull (draft->server->name);
  g_assert_true (draft->problem == NULL || g_utf8_validate (draft->problem, -1, NULL));
  g_assert_true ((server == NULL) == (error != NULL));
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
  if (server != NULL)
    g_assert_true (beckon_mcp_server_check (server, NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const BeckonMcpPasteContext context = { .folder = "/srv", .is_foreign = TRUE };
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) drafts = beckon_mcp_paste_read (text, &context, &error);

  g_assert_true ((drafts == NULL) == (error != NULL));
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
  g_assert_true (drafts == NULL || (drafts->len > 0 && drafts->len <= BECKON_MCP_DRAFTS_MAX));
  for (guint i = 0; drafts != NULL && i < drafts->len; i++)
    check (g_ptr_array_index (drafts, i));
  return 0;
}
