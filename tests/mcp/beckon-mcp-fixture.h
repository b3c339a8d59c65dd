/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-servers.h"

#include "beckon-store-fixture.h"

G_BEGIN_DECLS

/**
 * BeckonMcpFixture:
 * @directory: (owned): where its store is
 * @service: (owned) (nullable): the last that was saved
 * @error: (owned) (nullable): of the last thing that was done
 * @is_done: it is
 * @text: (owned) (nullable): for the test's own callbacks
 * @found: (nullable): the same, and freed by them
 *
 * The servers of a store, with its rules and an empty keyring.
 */
typedef struct
{
  char *directory;
  BeckonStore *store;
  BeckonSecrets *secrets;
  BeckonToolRegistry *registry;
  BeckonRules *rules;
  BeckonMcpServers *servers;
  BeckonMcpService *service;
  GError *error;
  gboolean is_done;
  char *text;
  gpointer found;
} BeckonMcpFixture;

/** Another program on the store of @directory, which stays. */
BeckonMcpFixture *beckon_mcp_fixture_open (const char *directory);
void              beckon_mcp_fixture_close (BeckonMcpFixture *fixture);

/** A server that is tests/mcp/server.py with @words. */
BeckonMcpServer *beckon_mcp_fixture_make_server (const char *name, const char *words);

/** Saves it, and sets @service or @error. */
void beckon_mcp_fixture_save (BeckonMcpFixture *fixture, BeckonMcpServer *server);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpFixture, beckon_mcp_fixture_close)

G_END_DECLS
