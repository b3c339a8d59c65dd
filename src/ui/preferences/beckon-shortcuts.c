/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-shortcuts.h"

#include "beckon-pages.h"
#include "ui/widgets/beckon-flow-layout.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonShortcuts
{
  BeckonSheet parent_instance;

  BeckonPages *pages;
  AdwPreferencesPage *page;
};

G_DEFINE_FINAL_TYPE (BeckonShortcuts, beckon_shortcuts, BECKON_TYPE_SHEET)

static void
beckon_shortcuts_class_init (BeckonShortcutsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_PAGES);
  g_type_ensure (BECKON_TYPE_SHORTCUT_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/shortcuts.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonShortcuts, pages);
  gtk_widget_class_bind_template_child (widget_class, BeckonShortcuts, page);
}

static void
beckon_shortcuts_init (BeckonShortcuts *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_pages_add (self->pages, self->page);
  beckon_pages_capture_keys (self->pages, GTK_WIDGET (self));
}

GtkWidget *
beckon_shortcuts_new (void)
{
  return g_object_new (BECKON_TYPE_SHORTCUTS, NULL);
}

#define RANGE "..."

struct _BeckonShortcutRow
{
  AdwActionRow parent_instance;

  char *action; /* (nullable) */
  char *keys;   /* (nullable) */
  GString *words;

  GtkBox *box;
};

G_DEFINE_FINAL_TYPE (BeckonShortcutRow, beckon_shortcut_row, ADW_TYPE_ACTION_ROW)

typedef enum
{
  PROP_SHOWN_ACTION = 1,
  PROP_KEYS,
} BeckonShortcutRowProperty;

static GParamSpec *properties[PROP_KEYS + 1];

static void
add_label (BeckonShortcutRow *self, GtkWidget *box, const char *text, const char *style)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", text, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);

  gtk_widget_add_css_class (label, style);
  gtk_box_append (GTK_BOX (box), label);
  g_string_append (self->words, text);
}

/* Our texts call them that, and the names are narrower, too: large text has room for three keys. */
static const char *
get_own_name (guint key)
{
  switch (key)
    {
    case GDK_KEY_Return:
      return C_("key", "Enter");
    case GDK_KEY_Escape:
      return C_("key", "Esc");
    case GDK_KEY_Left:
      return "←";
    case GDK_KEY_Up:
      return "↑";
    case GDK_KEY_Right:
      return "→";
    case GDK_KEY_Down:
      return "↓";
    default:
      return NULL;
    }
}

static void
add_chord (BeckonShortcutRow *self, GtkWidget *box, const char *chord)
{
  GdkModifierType held = 0;
  guint key = 0;

  if (gtk_accelerator_parse (chord, &key, &held))
    {
      /* Modifiers come first, each with a cap of its own. */
      g_autofree char *all = gtk_accelerator_get_label (key, held);
      g_autofree char *last = gtk_accelerator_get_label (key, 0);
      gsize length = g_str_has_suffix (all, last) ? strlen (all) - strlen (last) : 0;
      g_autofree char *before = g_strndup (all, length);
      g_auto (GStrv) names = g_strsplit (before, "+", -1);

      for (guint i = 0; names[i] != NULL; i++)
        if (*names[i] != '\0')
          {
            add_label (self, box, names[i], "keycap");
            add_label (self, box, "+", "dim-label");
          }
      add_label (self, box, get_own_name (key) != NULL ? get_own_name (key) : last, "keycap");
    }
}

const char *
beckon_shortcut_row_get_words (BeckonShortcutRow *self)
{
  return self->words->str;
}

static void
beckon_shortcut_row_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonShortcutRow *self = BECKON_SHORTCUT_ROW (object);

  switch ((BeckonShortcutRowProperty) property_id)
    {
    case PROP_SHOWN_ACTION:
      g_value_set_string (value, self->action);
      break;
    case PROP_KEYS:
      g_value_set_string (value, self->keys);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
      break;
    }
}

static void
beckon_shortcut_row_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  BeckonShortcutRow *self = BECKON_SHORTCUT_ROW (object);
  GApplication *application = g_application_get_default ();
  g_auto (GStrv) keys = NULL;
  GtkWidget *child;

  switch ((BeckonShortcutRowProperty) property_id)
    {
    case PROP_SHOWN_ACTION:
      g_free (self->action);
      self->action = g_value_dup_string (value);
      break;
    case PROP_KEYS:
      g_free (self->keys);
      self->keys = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
      break;
    }

  if (self->keys != NULL)
    keys = g_strsplit (self->keys, " ", -1);
  else if (self->action != NULL && GTK_IS_APPLICATION (application))
    keys = gtk_application_get_accels_for_action (GTK_APPLICATION (application), self->action);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->box))) != NULL)
    gtk_box_remove (self->box, child);
  g_string_truncate (self->words, 0);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_auto (GStrv) ends = g_strsplit (keys[i], RANGE, 2);
      GtkWidget *group;

      if (self->words->len > 0)
        add_label (self, GTK_WIDGET (self->box), " / ", "dim-label");

      /* Keys are pressed in the same order in every language. */
      group = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
      gtk_widget_set_direction (group, GTK_TEXT_DIR_LTR);
      gtk_box_append (self->box, group);

      add_chord (self, group, ends[0]);
      if (ends[0] != NULL && ends[1] != NULL)
        {
          add_label (self, group, "–", "dim-label");
          add_chord (self, group, ends[1]);
        }
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->words->str, -1);
}

static void
beckon_shortcut_row_finalize (GObject *object)
{
  BeckonShortcutRow *self = BECKON_SHORTCUT_ROW (object);

  g_free (self->action);
  g_free (self->keys);
  g_string_free (self->words, TRUE);
  G_OBJECT_CLASS (beckon_shortcut_row_parent_class)->finalize (object);
}

static void
beckon_shortcut_row_class_init (BeckonShortcutRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = beckon_shortcut_row_get_property;
  object_class->set_property = beckon_shortcut_row_set_property;
  object_class->finalize = beckon_shortcut_row_finalize;
  properties[PROP_SHOWN_ACTION] =
      g_param_spec_string ("shown-action", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_KEYS] = g_param_spec_string ("keys", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
beckon_shortcut_row_init (BeckonShortcutRow *self)
{
  self->words = g_string_new (NULL);
  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0));
  gtk_widget_set_valign (GTK_WIDGET (self->box), GTK_ALIGN_CENTER);
  gtk_widget_set_layout_manager (GTK_WIDGET (self->box), g_object_new (BECKON_TYPE_FLOW_LAYOUT, NULL));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->box));
}
