/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-install-scripts.h"

#include "base/beckon-json.h"

#include <string.h>

/* The life cycle scripts of "npm install" without arguments, in npm's own documentation of scripts. */
static const char *const names[] = {
  "preinstall",     "install", "postinstall", "prepublish", "preprepare",
  "prepare",        "postprepare", "dependencies", "pnpm:devPreinstall",
};

gboolean
beckon_install_scripts_are_in (const char *path)
{
  const char *name = strrchr (path, '/');

  name = name != NULL ? name + 1 : path;
  return strcmp (name, "package.json") == 0 && !g_str_has_prefix (path, "node_modules/")
         && strstr (path, "/node_modules/") == NULL;
}

static const char *
get_script (JsonObject *package, const char *name)
{
  JsonObject *scripts = package != NULL ? beckon_json_get_object (package, "scripts") : NULL;

  return scripts != NULL ? beckon_json_get_string (scripts, name) : NULL;
}

gboolean
beckon_install_scripts_differ (const char *before, const char *after)
{
  g_autoptr (JsonObject) old = before != NULL ? beckon_json_parse_object (before, -1, NULL) : NULL;
  g_autoptr (JsonObject) new = after != NULL ? beckon_json_parse_object (after, -1, NULL) : NULL;

  if (new == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *script = get_script (new, names[i]);

      if (script != NULL && g_strcmp0 (script, get_script (old, names[i])) != 0)
        return TRUE;
    }

  return FALSE;
}
