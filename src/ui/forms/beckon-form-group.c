/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-form-group.h"

#include "beckon-form-row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonFormGroup
{
  AdwBin parent_instance;

  BeckonForm *form;       /* (owned) */
  BeckonFormField *field; /* (owned) */
  GPtrArray *shown;       /* (element-type BeckonFormRow): the rows, in order */
  GHashTable *earlier;    /* (owned) (nullable): see beckon_form_group_set_earlier() */
  gboolean can_settle;
  char *added;            /* (nullable): the place that was added here, which takes the focus */

  GtkBox *rows;
  GtkWidget *add_bar;
  GtkWidget *add_button;
  GtkMenuButton *member_button;
  GtkEntry *name_entry;
};

G_DEFINE_FINAL_TYPE (BeckonFormGroup, beckon_form_group, ADW_TYPE_BIN)

/* --- Adding ------------------------------------------------------------------------------------------------------- */

static void
focus_added (BeckonFormGroup *self)
{
  for (guint i = 0; self->added != NULL && i < self->shown->len; i++)
    {
      BeckonFormRow *row = g_ptr_array_index (self->shown, i);

      if (strcmp (beckon_form_row_get_pointer (row), self->added) == 0)
        beckon_form_row_focus (row);
    }
  g_clear_pointer (&self->added, g_free);
}

static void
form_group_on_add_clicked (BeckonFormGroup *self)
{
  g_autofree char *pointer = g_strdup_printf ("%s/%u", self->field->pointer, self->field->children->len);

  self->added = g_steal_pointer (&pointer);
  if (!beckon_form_add_element (self->form, self->field))
    g_clear_pointer (&self->added, g_free);
  focus_added (self);
}

static gboolean
add_member (BeckonFormGroup *self, const char *name)
{
  g_autoptr (GString) pointer = g_string_new (self->field->pointer);

  g_string_append_c (pointer, '/');
  for (const char *at = name; *at != '\0'; at++)
    {
      if (*at == '~' || *at == '/')
        g_string_append (pointer, *at == '~' ? "~0" : "~1");
      else
        g_string_append_c (pointer, *at);
    }
  self->added = g_strdup (pointer->str);
  if (!beckon_form_add_member (self->form, self->field, name))
    {
      g_clear_pointer (&self->added, g_free);
      return FALSE;
    }
  focus_added (self);
  return TRUE;
}

static void
on_name_entered (BeckonFormGroup *self)
{
  g_autofree char *name = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->name_entry)));

  if (*name == '\0' || !add_member (self, name))
    return;
  gtk_editable_set_text (GTK_EDITABLE (self->name_entry), "");
  gtk_widget_set_visible (GTK_WIDGET (self->name_entry), FALSE);
}

static void
on_add_member (GtkWidget *widget, const char *action, GVariant *name)
{
  add_member (BECKON_FORM_GROUP (widget), g_variant_get_string (name, NULL));
}

static void
on_add_other (GtkWidget *widget, const char *action, GVariant *parameter)
{
  BeckonFormGroup *self = BECKON_FORM_GROUP (widget);

  gtk_widget_set_visible (GTK_WIDGET (self->name_entry), TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->name_entry));
}

/* Made when it is opened: most are never looked at. */
static void
form_group_make_menu (GtkMenuButton *button, gpointer user_data)
{
  BeckonFormGroup *self = BECKON_FORM_GROUP (user_data);
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) known = g_menu_new ();
  g_autoptr (GMenu) other = g_menu_new ();

  for (guint i = 0; self->field->addable != NULL && i < self->field->addable->len; i++)
    {
      const char *name = g_ptr_array_index (self->field->addable, i);
      g_autoptr (GString) label = g_string_new (name);
      g_autoptr (GMenuItem) item = NULL;

      g_string_replace (label, "_", "__", 0);
      item = g_menu_item_new (label->str, NULL);
      g_menu_item_set_action_and_target (item, "group.add", "s", name);
      g_menu_append_item (known, item);
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (known));
  if (self->field->can_grow)
    g_menu_append (other, _("Another _Name…"), "group.add-other");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (other));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

/* --- Rows --------------------------------------------------------------------------------------------------------- */

static void
give_earlier (BeckonFormGroup *self, BeckonFormRow *row, const BeckonFormField *child)
{
  if (self->can_settle)
    beckon_form_row_set_can_settle (row, TRUE);
  if (self->earlier != NULL)
    beckon_form_row_set_earlier (row, g_hash_table_lookup (self->earlier, child->name));
}

static void
drop_from (BeckonFormGroup *self, guint first)
{
  while (self->shown->len > first)
    gtk_box_remove (self->rows, g_ptr_array_steal_index (self->shown, self->shown->len - 1));
}

void
beckon_form_group_update (BeckonFormGroup *self, BeckonFormField *field)
{
  BeckonFormField *before = self->field;
  gboolean may = field->access == BECKON_FORM_EDITABLE;
  gboolean may_add = may && field->kind == BECKON_FORM_ARRAY && field->can_grow;
  gboolean has_more = may && field->kind == BECKON_FORM_OBJECT && (field->can_grow || field->addable->len > 0);
  guint n = 0;

  self->field = beckon_form_field_ref (field);
  g_clear_pointer (&before, beckon_form_field_unref);
  for (guint i = 0; i < field->children->len; i++)
    {
      BeckonFormField *child = g_ptr_array_index (field->children, i);
      BeckonFormRow *row = n < self->shown->len ? g_ptr_array_index (self->shown, n) : NULL;

      if (child->access == BECKON_FORM_HIDDEN)
        continue;
      if (row != NULL && strcmp (beckon_form_row_get_pointer (row), child->pointer) == 0)
        beckon_form_row_update (row, child);
      else
        {
          drop_from (self, n);
          row = BECKON_FORM_ROW (beckon_form_row_new (self->form, child));
          gtk_box_append (self->rows, GTK_WIDGET (row));
          g_ptr_array_add (self->shown, row);
          give_earlier (self, row, child);
        }
      n++;
    }
  drop_from (self, n);
  gtk_widget_set_visible (self->add_button, may_add);
  gtk_widget_set_visible (GTK_WIDGET (self->member_button), has_more);
  gtk_widget_set_visible (self->add_bar, may_add || has_more);
}

void
beckon_form_group_set_can_settle (BeckonFormGroup *self, gboolean can_settle)
{
  self->can_settle = can_settle;
  for (guint i = 0; i < self->shown->len; i++)
    beckon_form_row_set_can_settle (g_ptr_array_index (self->shown, i), can_settle);
}

void
beckon_form_group_set_earlier (BeckonFormGroup *self, GHashTable *values)
{
  guint n = 0;

  g_clear_pointer (&self->earlier, g_hash_table_unref);
  self->earlier = g_hash_table_ref (values);
  for (guint i = 0; i < self->field->children->len; i++)
    {
      BeckonFormField *child = g_ptr_array_index (self->field->children, i);

      if (child->access != BECKON_FORM_HIDDEN)
        give_earlier (self, g_ptr_array_index (self->shown, n++), child);
    }
}

static void
beckon_form_group_dispose (GObject *object)
{
  BeckonFormGroup *self = BECKON_FORM_GROUP (object);

  g_clear_pointer (&self->shown, g_ptr_array_unref);
  g_clear_pointer (&self->field, beckon_form_field_unref);
  g_clear_pointer (&self->earlier, g_hash_table_unref);
  g_clear_pointer (&self->added, g_free);
  g_clear_object (&self->form);
  G_OBJECT_CLASS (beckon_form_group_parent_class)->dispose (object);
}

static void
beckon_form_group_class_init (BeckonFormGroupClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_form_group_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/form-group.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonFormGroup, rows);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormGroup, add_bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormGroup, add_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormGroup, member_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormGroup, name_entry);
  gtk_widget_class_bind_template_callback (widget_class, form_group_on_add_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_name_entered);
  gtk_widget_class_install_action (widget_class, "group.add", "s", on_add_member);
  gtk_widget_class_install_action (widget_class, "group.add-other", NULL, on_add_other);
}

static void
beckon_form_group_init (BeckonFormGroup *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->shown = g_ptr_array_new ();
  gtk_menu_button_set_create_popup_func (self->member_button, form_group_make_menu, self, NULL);
}

GtkWidget *
beckon_form_group_new (BeckonForm *form, BeckonFormField *field)
{
  BeckonFormGroup *self = g_object_new (BECKON_TYPE_FORM_GROUP, NULL);

  self->form = g_object_ref (form);
  if (*field->title != '\0')
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, field->title, -1);
  beckon_form_group_update (self, field);
  return GTK_WIDGET (self);
}
