/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-palette-settings.h"

#include "base/beckon-text-printf.h"
#include "beckon-palette-item.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char *const pages[] = { "credentials", "agent", "tools", "servers", "permissions", "appearance" };

typedef enum
{
  OF_NOTHING,
  OF_PAGE,
  OF_GROUP,
  OF_ROW,
} Owner;

typedef struct
{
  GPtrArray *items;   /* where they go */
  GArray *owners;     /* (element-type Owner): of the objects around, the innermost last */
  GString *text;      /* of the property that is being read */
  char *property;     /* (nullable): which */
  char *page_name;    /* (nullable) */
  char *page_title;   /* (nullable): untranslated, as all here */
  char *group_title;  /* (nullable) */
  char *row_title;    /* (nullable) */
  char *row_subtitle; /* (nullable) */
} Reading;

static const char *
find_attribute (const char **names, const char **values, const char *name)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return values[i];
  return "";
}

static Owner
get_owner (const char *element, const char **names, const char **values)
{
  const char *class_name = find_attribute (names, values, "class");

  if (strcmp (element, "template") == 0)
    return OF_PAGE;
  if (strcmp (class_name, "AdwPreferencesGroup") == 0 || g_str_has_suffix (class_name, "Group"))
    return OF_GROUP;
  return g_str_has_suffix (class_name, "Row") ? OF_ROW : OF_NOTHING;
}

static void
on_begin (GMarkupParseContext *context, const char *element, const char **names, const char **values, gpointer user_data,
          GError **error)
{
  Reading *reading = user_data;
  Owner owner = get_owner (element, names, values);

  if (strcmp (element, "object") == 0 || strcmp (element, "template") == 0)
    g_array_append_val (reading->owners, owner);
  if (owner == OF_GROUP)
    g_clear_pointer (&reading->group_title, g_free);
  g_clear_pointer (&reading->property, g_free);
  if (strcmp (element, "property") == 0)
    reading->property = g_strdup (find_attribute (names, values, "name"));
  g_string_truncate (reading->text, 0);
}

static void
palette_settings_on_text (GMarkupParseContext *context, const char *text, gsize length, gpointer user_data, GError **error)
{
  g_string_append_len (((Reading *) user_data)->text, text, (gssize) length);
}

static void
palette_settings_take (Reading *reading, Owner owner, const char *property)
{
  char **place = NULL;

  if (owner == OF_PAGE && strcmp (property, "name") == 0)
    place = &reading->page_name;
  else if (strcmp (property, "title") == 0)
    place = owner == OF_PAGE    ? &reading->page_title
            : owner == OF_GROUP ? &reading->group_title
            : owner == OF_ROW   ? &reading->row_title
                                : NULL;
  else if (strcmp (property, "subtitle") == 0 && owner == OF_ROW)
    place = &reading->row_subtitle;
  if (place == NULL || reading->text->len == 0)
    return;
  g_free (*place);
  *place = g_strdup (reading->text->str);
}

static void
palette_settings_on_end (GMarkupParseContext *context, const char *element, gpointer user_data, GError **error)
{
  Reading *reading = user_data;
  Owner owner =
      reading->owners->len > 0 ? g_array_index (reading->owners, Owner, reading->owners->len - 1) : OF_NOTHING;

  if (reading->property != NULL)
    palette_settings_take (reading, owner, reading->property);
  g_clear_pointer (&reading->property, g_free);
  g_string_truncate (reading->text, 0);
  if ((strcmp (element, "object") != 0 && strcmp (element, "template") != 0) || reading->owners->len == 0)
    return;
  g_array_set_size (reading->owners, reading->owners->len - 1);
  if (owner == OF_ROW && reading->row_title != NULL && reading->page_name != NULL && reading->page_title != NULL)
    {
      g_autofree char *path = reading->group_title != NULL
                                  ? beckon_text_printf ("%s › %s", _(reading->page_title), _(reading->group_title))
                                  : g_strdup (_(reading->page_title));
      /* Found by what it says below its title too, and by what it is called in English. */
      g_autofree char *other_words =
          g_strjoin (" ", reading->row_title, reading->row_subtitle != NULL ? _(reading->row_subtitle) : "", NULL);
      BeckonPaletteItem *item = beckon_palette_item_new (
          BECKON_PALETTE_SETTING, _(reading->row_title), path, "emblem-system-symbolic", "app.preferences-at",
          g_variant_new ("(ss)", reading->page_name, _(reading->row_title)));

      beckon_palette_item_set_other_words (item, other_words);
      g_ptr_array_add (reading->items, item);
    }
  if (owner == OF_ROW)
    {
      g_clear_pointer (&reading->row_title, g_free);
      g_clear_pointer (&reading->row_subtitle, g_free);
    }
}

static void
palette_settings_read_page (const char *page, GPtrArray *items)
{
  const GMarkupParser parser = { .start_element = on_begin, .end_element = palette_settings_on_end,
                                 .text = palette_settings_on_text };
  g_autofree char *path = g_strdup_printf (BECKON_RESOURCE_PATH "/ui/%s-page.ui", page);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  Reading reading = { .items = items };
  g_autoptr (GMarkupParseContext) context = NULL;
  gsize size;
  const char *data;

  data = g_bytes_get_data (bytes, &size);
  reading.owners = g_array_new (FALSE, FALSE, sizeof (Owner));
  reading.text = g_string_new (NULL);
  context = g_markup_parse_context_new (&parser, 0, &reading, NULL);
  if (!g_markup_parse_context_parse (context, data, (gssize) size, NULL))
    g_warn_if_reached ();
  g_array_unref (reading.owners);
  g_string_free (reading.text, TRUE);
  g_free (reading.property);
  g_free (reading.page_name);
  g_free (reading.page_title);
  g_free (reading.group_title);
  g_free (reading.row_title);
  g_free (reading.row_subtitle);
}

void
beckon_palette_settings_append (GPtrArray *items)
{
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    palette_settings_read_page (pages[i], items);
}
