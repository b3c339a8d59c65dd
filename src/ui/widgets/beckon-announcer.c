/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-announcer.h"

#include "beckon-compat.h"

#define PRIORITY_MEDIUM 1

struct _BeckonAnnouncer
{
  AdwBin parent_instance;

  char *words; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (BeckonAnnouncer, beckon_announcer, ADW_TYPE_BIN)

void
beckon_announcer_say (BeckonAnnouncer *self, const char *words)
{
  /* As GTK 4.14 has it, which may be there at run time although it must not be asked for when this is built. */
  static void (*announce) (GtkAccessible *accessible, const char *words, int priority);
  static const BeckonSymbol symbol = { "gtk_accessible_announce", &announce };
  static gsize state;

  g_free (self->words);
  self->words = g_strdup (words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  if (beckon_symbols_find_once (&state, NULL, &symbol, 1))
    announce (GTK_ACCESSIBLE (self), words, PRIORITY_MEDIUM);
}

static void
beckon_announcer_finalize (GObject *object)
{
  g_free (BECKON_ANNOUNCER (object)->words);
  G_OBJECT_CLASS (beckon_announcer_parent_class)->finalize (object);
}

static void
beckon_announcer_class_init (BeckonAnnouncerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_announcer_finalize;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_ALERT);
}

static void
beckon_announcer_init (BeckonAnnouncer *self)
{
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_START);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_START);
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}
