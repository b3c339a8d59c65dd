/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-welcome.h"

struct _BeckonWelcome
{
  AdwBin parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonWelcome, beckon_welcome, ADW_TYPE_BIN)

static void
beckon_welcome_class_init (BeckonWelcomeClass *klass)
{
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass), BECKON_RESOURCE_PATH "/ui/welcome.ui");
}

static void
beckon_welcome_init (BeckonWelcome *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_welcome_new (void)
{
  return g_object_new (BECKON_TYPE_WELCOME, NULL);
}
