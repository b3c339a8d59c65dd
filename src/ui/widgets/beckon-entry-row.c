/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-entry-row.h"

void
beckon_entry_row_name (GtkEditable *row)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_editable_get_delegate (row)), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), -1);
}
