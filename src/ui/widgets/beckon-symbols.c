/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-symbols.h"

enum
{
  NOT_LOOKED_FOR,
  MISSING,
  THERE,
};

gboolean
beckon_symbols_find (const char *library, const BeckonSymbol *symbols, gsize n_symbols)
{
  GModule *module;

  module = g_module_open (library, G_MODULE_BIND_LAZY);
  if (module == NULL)
    {
      g_debug ("No %s: %s", library != NULL ? library : "the program", g_module_error ());
      return FALSE;
    }
  g_module_make_resident (module);
  for (gsize i = 0; i < n_symbols; i++)
    {
      if (!g_module_symbol (module, symbols[i].name, symbols[i].place))
        {
          g_debug ("No %s in %s", symbols[i].name, library != NULL ? library : "the program");
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
beckon_symbols_find_once (gsize *state, const char *library, const BeckonSymbol *symbols, gsize n_symbols)
{
  G_STATIC_ASSERT (NOT_LOOKED_FOR == 0);

  if (g_once_init_enter (state))
    g_once_init_leave (state, beckon_symbols_find (library, symbols, n_symbols) ? THERE : MISSING);
  return *state == THERE;
}
