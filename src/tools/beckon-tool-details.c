/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tool-details.h"

/* A command may start in another folder than the conversation's. */
static char *
dup_folder (const BeckonEffects *effects)
{
  const char *directory = effects->command != NULL ? beckon_effects_get_reach (effects, "directory") : NULL;

  if (effects->folder == NULL || directory == NULL)
    return g_strdup (effects->folder);

  return g_canonicalize_filename (directory, effects->folder);
}

BeckonApprovalDetails *
beckon_tool_describe_call (BeckonTool *tool, const BeckonEffects *effects)
{
  BeckonApprovalDetails *details = beckon_approval_details_new ();

  g_return_val_if_fail (BECKON_IS_TOOL (tool), details);
  g_return_val_if_fail (effects != NULL, details);

  details->schema = g_strdup (beckon_tool_get_definition (tool)->schema);
  details->server = g_strdup (effects->server);
  details->folder = dup_folder (effects);
  details->command = g_strdup (effects->command);
  details->paths = g_strdupv ((char **) effects->paths);
  details->hosts = g_strdupv ((char **) effects->hosts);
  details->changes = !effects->read_only;
  details->leaves_folder = effects->leaves_folder;
  details->local_network = beckon_effects_get_reach (effects, "local_network") != NULL;
  details->uses_network = effects->uses_network
                          && (!details->local_network || beckon_effects_get_reach (effects, "network") != NULL);
  return details;
}
