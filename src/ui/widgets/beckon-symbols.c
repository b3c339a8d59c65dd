/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-symbols.h"

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
