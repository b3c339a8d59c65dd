/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-toast.h"

AdwToast *
beckon_toast_new (const char *words)
{
  g_autofree char *markup = NULL;

  g_return_val_if_fail (words != NULL, NULL);

  markup = g_markup_escape_text (words, -1);
  return adw_toast_new (markup);
}
