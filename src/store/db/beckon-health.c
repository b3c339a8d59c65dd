/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-health.h"

#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>

struct _BeckonHealth
{
  GObject parent_instance;

  BeckonFault fault;
  gboolean is_lasting;
  guint n_unsaved;
  char *problem; /* (owned) (nullable) */
  char *notice;  /* (owned) (nullable) */
  gboolean is_repaired;
};

enum
{
  PROP_PROBLEM = 1,
  PROP_NOTICE,
  PROP_N_UNSAVED,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (BeckonHealth, beckon_health, G_TYPE_OBJECT)

/* The fault, and what to do. */
static const char *
get_words (BeckonFault fault, gboolean is_lasting)
{
  switch (fault)
    {
    case BECKON_FAULT_FULL:
      return _("The disk is full, so nothing new can be saved. Make room on it.");

    case BECKON_FAULT_QUOTA:
      return _("Your share of the disk is used up, so nothing new can be saved. Delete something you do not need.");

    case BECKON_FAULT_DEVICE:
      return _("The disk reports errors, so nothing new can be saved. Copy what matters to another disk.");

    case BECKON_FAULT_READ_ONLY:
      if (is_lasting)
        return _("Your conversations can only be read, because their folder cannot be written. Nothing is sent or run. Make "
                 "the folder writable and start Beckon again.");
      return _("The folder of your conversations cannot be written any more, so nothing new can be saved. Make it writable "
               "again.");

    case BECKON_FAULT_LOCKED:
      return _("Another program keeps your conversations locked, so nothing new can be saved. Close it if it hangs.");

    case BECKON_FAULT_MEMORY:
      return _("There was not enough memory to save something. Close programs you do not need.");

    case BECKON_FAULT_DAMAGED:
      return _("The file of your conversations is damaged. Nothing is sent or run. Close every window and terminal of "
               "Beckon and start it again: it then carries everything that can be read over to a new file, and keeps the "
               "old one.");

    case BECKON_FAULT_NONE:
    default:
      return NULL;
    }
}

static char *
health_describe (BeckonHealth *self)
{
  const char *words = get_words (self->fault, self->is_lasting);
  g_autofree char *unsaved = NULL;

  if (words == NULL)
    return NULL;
  if (self->n_unsaved == 0)
    return g_strdup (words);

  unsaved = g_strdup_printf (ngettext ("%u change is kept in memory and is saved as soon as that is possible: leave "
                                       "Beckon open.",
                                       "%u changes are kept in memory and are saved as soon as that is possible: leave "
                                       "Beckon open.",
                                       self->n_unsaved),
                             self->n_unsaved);
  /* Translators: two sentences after one another. */
  return beckon_text_printf (_("%s %s"), words, unsaved);
}

BeckonFault
beckon_health_get_fault (BeckonHealth *self)
{
  g_return_val_if_fail (BECKON_IS_HEALTH (self), BECKON_FAULT_NONE);

  return self->fault;
}

const char *
beckon_health_get_problem (BeckonHealth *self)
{
  g_return_val_if_fail (BECKON_IS_HEALTH (self), NULL);

  return self->problem;
}

guint
beckon_health_get_n_unsaved (BeckonHealth *self)
{
  g_return_val_if_fail (BECKON_IS_HEALTH (self), 0);

  return self->n_unsaved;
}

const char *
beckon_health_get_notice (BeckonHealth *self)
{
  g_return_val_if_fail (BECKON_IS_HEALTH (self), NULL);

  return self->notice;
}

gboolean
beckon_health_get_is_repaired (BeckonHealth *self)
{
  g_return_val_if_fail (BECKON_IS_HEALTH (self), FALSE);

  return self->is_repaired;
}

void
beckon_health_set (BeckonHealth *self, BeckonFault fault, gboolean is_lasting, guint n_unsaved)
{
  gboolean counted;

  counted = self->n_unsaved != n_unsaved;
  if (!counted && self->fault == fault && self->is_lasting == is_lasting)
    return;

  self->fault = fault;
  self->is_lasting = is_lasting;
  self->n_unsaved = n_unsaved;
  g_free (self->problem);
  self->problem = health_describe (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBLEM]);
  if (counted)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_UNSAVED]);
}

void
beckon_health_set_notice (BeckonHealth *self, const char *notice, gboolean is_repaired)
{
  self->is_repaired = is_repaired;
  if (g_strcmp0 (self->notice, notice) == 0)
    return;

  g_free (self->notice);
  self->notice = g_strdup (notice);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NOTICE]);
}

static void
beckon_health_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonHealth *self = BECKON_HEALTH (object);

  switch (property_id)
    {
    case PROP_PROBLEM:
      g_value_set_string (value, self->problem);
      break;

    case PROP_NOTICE:
      g_value_set_string (value, self->notice);
      break;

    case PROP_N_UNSAVED:
      g_value_set_uint (value, self->n_unsaved);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_health_finalize (GObject *object)
{
  BeckonHealth *self = BECKON_HEALTH (object);

  g_free (self->problem);
  g_free (self->notice);

  G_OBJECT_CLASS (beckon_health_parent_class)->finalize (object);
}

static void
beckon_health_class_init (BeckonHealthClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = beckon_health_get_property;
  object_class->finalize = beckon_health_finalize;

  properties[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL, flags);
  properties[PROP_NOTICE] = g_param_spec_string ("notice", NULL, NULL, NULL, flags);
  properties[PROP_N_UNSAVED] = g_param_spec_uint ("n-unsaved", NULL, NULL, 0, G_MAXUINT, 0, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
beckon_health_init (BeckonHealth *self)
{
}

BeckonHealth *
beckon_health_new (void)
{
  return g_object_new (BECKON_TYPE_HEALTH, NULL);
}
