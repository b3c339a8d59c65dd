/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The linker calls this in place of beckon_tool_registry_add_builtin(): the programs under test have all tools they always
 * have, and two that a test can see at work. What they do is a line in the file BECKON_TEST_EFFECTS; with BECKON_TEST_HELD in
 * the environment they never end. */

#include "beckon-test-tool.h"
#include "tools/beckon-tool-registry.h"

void __real_beckon_tool_registry_add_builtin (BeckonToolRegistry *registry);
void __wrap_beckon_tool_registry_add_builtin (BeckonToolRegistry *registry);

static void
add_tool (BeckonToolRegistry *registry, const char *name, gboolean read_only)
{
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new (name, read_only);

  beckon_test_tool_set_held (tool, g_getenv ("BECKON_TEST_HELD") != NULL);
  beckon_test_tool_set_effects (tool, g_getenv ("BECKON_TEST_EFFECTS"));
  beckon_tool_registry_add (registry, BECKON_TOOL (tool));
}

void
__wrap_beckon_tool_registry_add_builtin (BeckonToolRegistry *registry)
{
  __real_beckon_tool_registry_add_builtin (registry);
  add_tool (registry, "read_note", TRUE);
  add_tool (registry, "write_note", FALSE);
}
