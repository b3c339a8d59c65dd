/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-progress-card.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "domain/beckon-progress.h"

#include <glib/gi18n-lib.h>

struct _BeckonProgressCard
{
  AdwBin parent_instance;

  GtkLabel *count_label;
  GtkLabel *steps_label;
};

G_DEFINE_FINAL_TYPE (BeckonProgressCard, beckon_progress_card, ADW_TYPE_BIN)

static void
beckon_progress_card_class_init (BeckonProgressCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/progress-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonProgressCard, count_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonProgressCard, steps_label);
}

static void
beckon_progress_card_init (BeckonProgressCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_progress_card_new (BeckonToolCall *call)
{
  BeckonProgressCard *self;
  g_autoptr (GPtrArray) steps = beckon_progress_parse (beckon_tool_call_get_arguments (call), NULL);
  g_autoptr (GString) lines = NULL;
  g_autofree char *count = NULL;
  g_autofree char *name = NULL;

  if (steps == NULL)
    return NULL;
  self = g_object_new (BECKON_TYPE_PROGRESS_CARD, NULL);
  lines = g_string_new (NULL);
  count = g_strdup_printf ("%u/%u", beckon_progress_count_done (steps), steps->len);
  /* Translators: how many entries of a list are done, such as 2/5 */
  name = beckon_text_printf (_("Progress %s"), count);

  for (guint i = 0; i < steps->len; i++)
    {
      const BeckonProgressStep *step = g_ptr_array_index (steps, i);
      g_autofree char *title = beckon_text_for_display (step->title, -1, BECKON_TEXT_PROSE);

      g_string_append_printf (lines, "%s%s %s", i > 0 ? "\n" : "", beckon_step_status_get_mark (step->status), title);
    }
  gtk_label_set_text (self->count_label, name);
  gtk_label_set_text (self->steps_label, lines->str);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return GTK_WIDGET (self);
}
