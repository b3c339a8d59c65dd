/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-result-images.h"

#include "beckon-attached-view.h"

#define SPACING 6

GtkWidget *
beckon_result_images_new (BeckonToolCall *call)
{
  GtkWidget *box;
  guint n = beckon_tool_call_get_result (call) != NULL ? beckon_tool_call_get_n_images (call) : 0;

  if (n == 0)
    return NULL;

  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  for (guint i = 0; i < n; i++)
    {
      GtkWidget *view = beckon_attached_view_new (beckon_tool_call_get_image (call, i));

      gtk_widget_set_halign (view, GTK_ALIGN_START);
      gtk_box_append (GTK_BOX (box), view);
    }
  return box;
}
