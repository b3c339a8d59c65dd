/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BECKON_LIST_MODEL: (skip)
 * @Type: the struct of a class
 * @name: the class's name, such as `beckon_message`
 * @ITEM_TYPE: the type of what it lists
 * @field: the member of @Type with the objects, a #GPtrArray that is there from the beginning to the end
 *
 * Defines `name_model_init ()` for a class whose items are the objects of an array. It stands before the definition of
 * the type.
 */
#define BECKON_LIST_MODEL(Type, name, ITEM_TYPE, field)                                                                       \
  static GType name##_list_get_item_type (GListModel *model)                                                                  \
  {                                                                                                                           \
    return ITEM_TYPE;                                                                                                         \
  }                                                                                                                           \
                                                                                                                              \
  static guint name##_list_get_n_items (GListModel *model)                                                                    \
  {                                                                                                                           \
    return ((Type *) model)->field->len;                                                                                      \
  }                                                                                                                           \
                                                                                                                              \
  static gpointer name##_list_get_item (GListModel *model, guint position)                                                    \
  {                                                                                                                           \
    GPtrArray *items = ((Type *) model)->field;                                                                               \
                                                                                                                              \
    return position < items->len ? g_object_ref (g_ptr_array_index (items, position)) : NULL;                                 \
  }                                                                                                                           \
                                                                                                                              \
  static void name##_model_init (GListModelInterface *iface)                                                                  \
  {                                                                                                                           \
    iface->get_item_type = name##_list_get_item_type;                                                                         \
    iface->get_n_items = name##_list_get_n_items;                                                                             \
    iface->get_item = name##_list_get_item;                                                                                   \
  }

G_END_DECLS
