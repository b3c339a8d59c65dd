/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-listed-model.h"

struct _BeckonListedModel
{
  GObject parent_instance;

  char *name;
  BeckonModelDetails details;
};

G_DEFINE_FINAL_TYPE (BeckonListedModel, beckon_listed_model, G_TYPE_OBJECT)

enum
{
  PROP_NAME = 1,
};

static void
beckon_listed_model_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, BECKON_LISTED_MODEL (object)->name);
}

static void
beckon_listed_model_finalize (GObject *object)
{
  BeckonListedModel *self = BECKON_LISTED_MODEL (object);

  g_free (self->name);
  G_OBJECT_CLASS (beckon_listed_model_parent_class)->finalize (object);
}

static void
beckon_listed_model_class_init (BeckonListedModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = beckon_listed_model_get_property;
  object_class->finalize = beckon_listed_model_finalize;
  g_object_class_install_property (object_class, PROP_NAME,
                                   g_param_spec_string ("name", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
beckon_listed_model_init (BeckonListedModel *self)
{
}

BeckonListedModel *
beckon_listed_model_new (const char *name, const BeckonModelDetails *details)
{
  BeckonListedModel *self = g_object_new (BECKON_TYPE_LISTED_MODEL, NULL);

  self->name = g_strdup (name);
  self->details = *details;
  return self;
}

const char *
beckon_listed_model_get_name (BeckonListedModel *self)
{
  g_return_val_if_fail (BECKON_IS_LISTED_MODEL (self), NULL);

  return self->name;
}

const BeckonModelDetails *
beckon_listed_model_get_details (BeckonListedModel *self)
{
  g_return_val_if_fail (BECKON_IS_LISTED_MODEL (self), NULL);

  return &self->details;
}

BeckonListedModel *
beckon_listed_model_find (GPtrArray *models, const char *name)
{
  for (guint i = 0; i < models->len; i++)
    {
      BeckonListedModel *model = g_ptr_array_index (models, i);

      if (g_strcmp0 (model->name, name) == 0)
        return model;
    }
  return NULL;
}
