/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-look-fold.h"

#include "text/beckon-call-labels.h"
#include "ui/widgets/beckon-scrolled.h"

#include <glib/gi18n-lib.h>

struct _BeckonLookFold
{
  AdwBin parent_instance;

  GtkToggleButton *button;
  GtkLabel *label;
  GtkImage *arrow;
};

G_DEFINE_FINAL_TYPE (BeckonLookFold, beckon_look_fold, ADW_TYPE_BIN)

static guint toggled_signal;

gboolean
beckon_look_fold_takes (BeckonToolCall *call)
{
  return beckon_call_labels_is_look (beckon_tool_call_get_name (call))
         && beckon_tool_call_get_state (call) == BECKON_CALL_DONE && !beckon_tool_call_get_is_error (call)
         && beckon_tool_call_get_n_images (call) == 0;
}

void
beckon_look_fold_set_calls (BeckonLookFold *self, GPtrArray *calls)
{
  g_autofree char *duration = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *sentence = beckon_call_labels_describe_looks (calls);
  gint64 sum = 0;

  for (guint i = 0; i < calls->len; i++)
    {
      gint64 started = beckon_tool_call_get_started_at (g_ptr_array_index (calls, i));
      gint64 finished = beckon_tool_call_get_finished_at (g_ptr_array_index (calls, i));

      sum += started > 0 ? MAX (finished - started, 0) : 0;
    }

  /* Translators: how long a tool ran, in seconds */
  duration = sum >= G_USEC_PER_SEC / 20 ? g_strdup_printf (_("%.1f s"), (double) sum / G_USEC_PER_SEC) : NULL;
  shown = duration != NULL ? g_strdup_printf ("%s · %s", sentence, duration) : g_strdup (sentence);
  gtk_label_set_text (self->label, shown);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence, -1);
}

gboolean
beckon_look_fold_is_open (BeckonLookFold *self)
{
  return gtk_toggle_button_get_active (self->button);
}

static void
look_fold_on_toggled (BeckonLookFold *self)
{
  gboolean is_open = gtk_toggle_button_get_active (self->button);

  gtk_image_set_from_icon_name (self->arrow, is_open ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_STATE_EXPANDED, is_open, -1);
  g_signal_emit (self, toggled_signal, 0);
  if (is_open)
    beckon_unfolding_tell (GTK_WIDGET (self->button));
}

static void
beckon_look_fold_class_init (BeckonLookFoldClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  toggled_signal = g_signal_new ("toggled", BECKON_TYPE_LOOK_FOLD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/look-fold.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonLookFold, button);
  gtk_widget_class_bind_template_child (widget_class, BeckonLookFold, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonLookFold, arrow);
  gtk_widget_class_bind_template_callback (widget_class, look_fold_on_toggled);
}

static void
beckon_look_fold_init (BeckonLookFold *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
}

GtkWidget *
beckon_look_fold_new (void)
{
  return g_object_new (BECKON_TYPE_LOOK_FOLD, NULL);
}
