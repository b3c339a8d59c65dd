/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-counted-title.h"

#include <string.h>

#define FAINT_ALPHA 0xa000
#define SMALL 0.82

static void
insert (PangoAttrList *attributes, PangoAttribute *attribute, gsize start)
{
  attribute->start_index = (guint) start;
  pango_attr_list_insert (attributes, attribute);
}

void
beckon_counted_title_set (GtkLabel *label, const char *title, const char *counts)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  g_autofree char *text = NULL;

  /* Isolated: signs and numbers keep their order beside words of the other direction. */
  text = counts != NULL ? g_strdup_printf ("%s  \342\201\250%s\342\201\251", title, counts) : g_strdup (title);
  if (counts != NULL)
    {
      insert (attributes, pango_attr_scale_new (SMALL), strlen (title));
      insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_NORMAL), strlen (title));
      insert (attributes, pango_attr_foreground_alpha_new (FAINT_ALPHA), strlen (title));
    }
  gtk_label_set_text (label, text);
  gtk_label_set_attributes (label, attributes);
}
