/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-choice.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-wrap-pair.h"
#include "beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonChoice
{
  GtkButton parent_instance;

  char *label;     /* (owned) */
  char *described; /* (owned): what a screen reader says beside the label */
  BeckonChoiceMode mode;
  gboolean chosen;

  GtkImage *box;
  GtkStack *number_stack;
  GtkLabel *number_label;
  GtkWidget *check;
  GtkLabel *title_label;
  GtkLabel *description_label;
  GtkWidget *last_label;
  GtkWidget *recommended_label;
};

G_DEFINE_FINAL_TYPE (BeckonChoice, beckon_choice, GTK_TYPE_BUTTON)

gboolean
beckon_choice_get_chosen (BeckonChoice *self)
{
  return self->chosen;
}

void
beckon_choice_set_chosen (BeckonChoice *self, gboolean chosen)
{
  self->chosen = chosen;
  beckon_css_class_set (GTK_WIDGET (self), "chosen", chosen);
  gtk_image_set_from_icon_name (self->box, chosen ? "checkbox-checked-symbolic" : "checkbox-symbolic");
  gtk_stack_set_visible_child (self->number_stack, chosen && self->mode != BECKON_CHOICE_ANY_OF
                               ? self->check : GTK_WIDGET (self->number_label));
  if (self->mode != BECKON_CHOICE_AT_ONCE)
    gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_CHECKED,
                                 chosen ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
}

void
beckon_choice_suggest (BeckonChoice *self)
{
  beckon_choice_set_chosen (self, TRUE);
  gtk_stack_set_visible_child (self->number_stack, GTK_WIDGET (self->number_label));
}

static void
choice_describe (BeckonChoice *self, gboolean is_last)
{
  /* Translators: marks the choice that was the answer when the same was asked before */
  g_autofree char *words = is_last ? g_strjoin (" ", self->described, _("last time"), NULL) : g_strdup (self->described);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

void
beckon_choice_set_last (BeckonChoice *self, gboolean is_last)
{
  gtk_widget_set_visible (self->last_label, is_last);
  choice_describe (self, is_last);
}

const char *
beckon_choice_get_label (BeckonChoice *self)
{
  return self->label;
}

static void
beckon_choice_dispose (GObject *object)
{
  BeckonChoice *self = BECKON_CHOICE (object);

  g_clear_pointer (&self->label, g_free);
  g_clear_pointer (&self->described, g_free);
  G_OBJECT_CLASS (beckon_choice_parent_class)->dispose (object);
}

static void
beckon_choice_class_init (BeckonChoiceClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  G_OBJECT_CLASS (klass)->dispose = beckon_choice_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/choice.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonChoice, box);
  gtk_widget_class_bind_template_child (widget_class, BeckonChoice, number_stack);
  gtk_widget_class_bind_template_child (widget_class, BeckonChoice, number_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChoice, check);
  gtk_widget_class_bind_template_child (widget_class, BeckonChoice, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChoice, description_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChoice, last_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChoice, recommended_label);
}

static void
beckon_choice_init (BeckonChoice *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_choice_new (const BeckonQuestionOption *option, guint number, BeckonChoiceMode mode)
{
  static const GtkAccessibleRole roles[] = {
    [BECKON_CHOICE_AT_ONCE] = GTK_ACCESSIBLE_ROLE_BUTTON,
    [BECKON_CHOICE_ONE_OF] = GTK_ACCESSIBLE_ROLE_RADIO,
    [BECKON_CHOICE_ANY_OF] = GTK_ACCESSIBLE_ROLE_CHECKBOX,
  };
  BeckonChoice *self = g_object_new (BECKON_TYPE_CHOICE, "accessible-role", roles[mode], NULL);
  g_autofree char *shown_number = g_strdup_printf ("%u", number);
  g_autofree char *label = beckon_text_for_display (option->label, -1, BECKON_TEXT_PROSE);
  g_autofree char *description = beckon_text_for_display (option->description, -1, BECKON_TEXT_PROSE);

  self->mode = mode;
  gtk_widget_set_visible (GTK_WIDGET (self->box), mode == BECKON_CHOICE_ANY_OF);
  self->label = g_strdup (option->label);
  gtk_label_set_text (self->number_label, shown_number);
  gtk_label_set_text (self->title_label, label);
  gtk_label_set_text (self->description_label, description);
  gtk_widget_set_visible (GTK_WIDGET (self->description_label), option->description != NULL);
  gtk_widget_set_visible (self->recommended_label, option->recommended);
  self->described
      = beckon_text_printf ("%s.%s%s%s%s", shown_number, option->recommended ? " " : "",
                            /* Translators: the model recommends this choice */
                            option->recommended ? _("recommended") : "", option->description != NULL ? " " : "", description);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  choice_describe (self, FALSE);
  beckon_choice_set_chosen (self, FALSE);
  return GTK_WIDGET (self);
}
