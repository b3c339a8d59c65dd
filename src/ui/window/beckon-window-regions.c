/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"
#include "ui/widgets/beckon-sheet.h"

/* F6 and Shift+F6 go around the regions of the window: sidebar, messages, dock, composer. */

static gboolean
has_focus (GtkWidget *widget)
{
  return (gtk_widget_get_state_flags (widget) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

static gboolean
enter_sidebar (BeckonWindow *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->sidebar)))
    return FALSE;
  beckon_sidebar_focus (self->sidebar);
  return has_focus (GTK_WIDGET (self->sidebar));
}

/* Pages other than a conversation are one region. */
static gboolean
step_page (BeckonWindow *self, int step)
{
  GtkWidget *page = gtk_stack_get_visible_child (self->pages);

  if (page == NULL)
    return FALSE;
  if (page == (GtkWidget *) self->view)
    return beckon_conversation_view_step_region (self->view, step);
  return !has_focus (page) && gtk_widget_child_focus (page, step > 0 ? GTK_DIR_TAB_FORWARD : GTK_DIR_TAB_BACKWARD);
}

static void
step_region (BeckonWindow *self, int step)
{
  gboolean was_in_sidebar = has_focus (GTK_WIDGET (self->sidebar));

  if (step_page (self, step) || was_in_sidebar || enter_sidebar (self))
    return;
  /* Without a sidebar the last region is followed by the first. */
  gtk_root_set_focus (GTK_ROOT (self), NULL);
  step_page (self, step);
}

static void
next_region_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  step_region (BECKON_WINDOW (widget), 1);
}

static void
previous_region_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  step_region (BECKON_WINDOW (widget), -1);
}

static void
focus_composer_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonConversationView *view = BECKON_WINDOW (widget)->view;

  if (view != NULL && gtk_widget_get_mapped (GTK_WIDGET (view)) && !beckon_sheet_covers (GTK_WINDOW (widget)))
    beckon_conversation_view_focus_composer (view);
}

void
beckon_window_install_regions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "conversation.focus-composer", NULL, focus_composer_action);
  gtk_widget_class_install_action (widget_class, "win.next-region", NULL, next_region_action);
  gtk_widget_class_install_action (widget_class, "win.previous-region", NULL, previous_region_action);
}
