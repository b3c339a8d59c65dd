/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-mask.h"

#include "form/beckon-parameters.h"

#include <string.h>

static void
mcp_mask_add (BeckonMask *mask, const char *value)
{
  if (value != NULL && *value != '\0')
    beckon_mask_add (mask, value, BECKON_PARAMETERS_MASK);
}

/* The value of a header begins with its scheme. */
static void
add_header (BeckonMask *mask, const char *value)
{
  const char *blank = strchr (value, ' ');

  mcp_mask_add (mask, value);
  if (blank != NULL && strlen (blank + 1) >= BECKON_MASK_ANYWHERE)
    mcp_mask_add (mask, blank + 1);
}

/* A short one, such as a switch, would be found in words that have nothing to do with it. */
static void
add_inherited (BeckonMask *mask, GPtrArray *variables)
{
  for (guint i = 0; i < variables->len; i++)
    {
      const BeckonMcpVariable *variable = g_ptr_array_index (variables, i);
      const char *value = variable->source == BECKON_MCP_VALUE_INHERITED ? g_getenv (variable->name) : NULL;

      if (value != NULL && strlen (value) >= BECKON_MASK_ANYWHERE && beckon_mcp_variable_is_secret_name (variable->name))
        add_header (mask, value);
    }
}

/* A proxy or a mirror of packages may be an address with a password, which servers are passed with the address. */
static void
add_passwords (BeckonMask *mask)
{
  g_auto (GStrv) names = g_listenv ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GUri) uri = g_uri_parse (g_getenv (names[i]), G_URI_FLAGS_HAS_PASSWORD, NULL);
      const char *password = uri != NULL ? g_uri_get_password (uri) : NULL;

      if (password != NULL && strlen (password) >= BECKON_MASK_ANYWHERE)
        mcp_mask_add (mask, password);
    }
}

BeckonMask *
beckon_mcp_mask_new (GPtrArray *variables, GHashTable *secrets, const char *token)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  GHashTableIter iter;
  gpointer value;

  if (secrets != NULL)
    {
      g_hash_table_iter_init (&iter, secrets);
      while (g_hash_table_iter_next (&iter, NULL, &value))
        add_header (mask, value);
    }
  add_inherited (mask, variables);
  add_passwords (mask);
  mcp_mask_add (mask, token);
  return beckon_mask_is_empty (mask) ? NULL : g_steal_pointer (&mask);
}
