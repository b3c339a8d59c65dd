/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-profile.h"

/* Copying and comparing by properties. */

static GParamSpec **
list_properties (BeckonProfile *self, guint *n_properties)
{
  return g_object_class_list_properties (G_OBJECT_GET_CLASS (self), n_properties);
}

void
beckon_profile_assign (BeckonProfile *self, BeckonProfile *from)
{
  g_autofree GParamSpec **properties = NULL;
  guint n_properties;

  g_return_if_fail (BECKON_IS_PROFILE (self));
  g_return_if_fail (BECKON_IS_PROFILE (from));

  properties = list_properties (self, &n_properties);
  for (guint i = 0; i < n_properties; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (from), properties[i]->name, &value);
      g_object_set_property (G_OBJECT (self), properties[i]->name, &value);
    }
}

static gboolean
has_same (BeckonProfile *self, BeckonProfile *other, GParamSpec *property)
{
  g_auto (GValue) mine = G_VALUE_INIT;
  g_auto (GValue) theirs = G_VALUE_INIT;

  g_object_get_property (G_OBJECT (self), property->name, &mine);
  g_object_get_property (G_OBJECT (other), property->name, &theirs);
  if (property->value_type == G_TYPE_STRV)
    return g_strv_equal (g_value_get_boxed (&mine), g_value_get_boxed (&theirs));

  return g_param_values_cmp (property, &mine, &theirs) == 0;
}

gboolean
beckon_profile_equal (BeckonProfile *self, BeckonProfile *other)
{
  g_autofree GParamSpec **properties = NULL;
  gboolean is_equal = TRUE;
  guint n_properties;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), FALSE);
  g_return_val_if_fail (BECKON_IS_PROFILE (other), FALSE);

  properties = list_properties (self, &n_properties);
  for (guint i = 0; i < n_properties && is_equal; i++)
    is_equal = has_same (self, other, properties[i]);

  return is_equal;
}

BeckonProfile *
beckon_profile_copy (BeckonProfile *self)
{
  BeckonProfile *copy;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  copy = beckon_profile_new (beckon_profile_get_id (self), beckon_profile_get_kind (self));
  beckon_profile_assign (copy, self);

  return copy;
}
