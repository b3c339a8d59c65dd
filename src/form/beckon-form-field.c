/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-form-field.h"

#include "beckon-form-shape.h"

#include <string.h>

BeckonFormField *
beckon_form_field_new (const char *pointer)
{
  BeckonFormField *field = g_rc_box_new0 (BeckonFormField);

  field->pointer = g_strdup (pointer);
  field->chosen = -1;
  field->children = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_form_field_unref);
  return field;
}

BeckonFormField *
beckon_form_field_ref (BeckonFormField *field)
{
  return g_rc_box_acquire (field);
}

static void
form_field_clear (gpointer data)
{
  BeckonFormField *field = data;

  g_free (field->pointer);
  g_free (field->name);
  g_free (field->title);
  g_free (field->description);
  g_free (field->hint);
  g_free (field->text);
  g_free (field->json);
  g_free (field->shown);
  g_free (field->proposed);
  g_clear_pointer (&field->options, g_ptr_array_unref);
  g_free (field->picked);
  g_ptr_array_unref (field->children);
  g_clear_pointer (&field->addable, g_ptr_array_unref);
  g_free (field->problem);
  g_clear_pointer (&field->shape, beckon_form_shape_free);
  g_clear_pointer (&field->values, g_ptr_array_unref);
}

void
beckon_form_field_unref (BeckonFormField *field)
{
  if (field != NULL)
    g_rc_box_release_full (field, form_field_clear);
}

BeckonFormField *
beckon_form_field_find (BeckonFormField *root, const char *pointer)
{
  gsize length;

  length = strlen (root->pointer);
  if (strncmp (root->pointer, pointer, length) != 0 || (pointer[length] != '\0' && pointer[length] != '/'))
    return NULL;
  for (guint i = 0; i < root->children->len; i++)
    {
      BeckonFormField *found = beckon_form_field_find (g_ptr_array_index (root->children, i), pointer);

      if (found != NULL)
        return found;
    }
  return pointer[length] == '\0' ? root : NULL;
}
