/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-source-view.h"

#include <adwaita.h>
#include <gmodule.h>
#include <gtksourceview/gtksource.h>

/* What is used of the library. Linked, it would be loaded with every window: some milliseconds and two megabytes. */
typedef struct
{
  __typeof__ (&gtk_source_init) init;
  __typeof__ (&gtk_source_buffer_new) buffer_new;
  __typeof__ (&gtk_source_buffer_set_language) buffer_set_language;
  __typeof__ (&gtk_source_buffer_set_style_scheme) buffer_set_style_scheme;
  __typeof__ (&gtk_source_language_manager_get_default) language_manager_get_default;
  __typeof__ (&gtk_source_language_manager_get_language) language_manager_get_language;
  __typeof__ (&gtk_source_style_scheme_manager_get_default) style_scheme_manager_get_default;
  __typeof__ (&gtk_source_style_scheme_manager_get_scheme) style_scheme_manager_get_scheme;
  __typeof__ (&gtk_source_view_new_with_buffer) view_new_with_buffer;
  __typeof__ (&gtk_source_view_set_show_line_numbers) view_set_show_line_numbers;
  __typeof__ (&gtk_source_view_set_auto_indent) view_set_auto_indent;
  __typeof__ (&gtk_source_view_set_indent_width) view_set_indent_width;
} Library;

static gboolean
find_symbols (GModule *module, Library *library)
{
  const struct
  {
    const char *name;
    gpointer place;
  } symbols[] = {
    { "gtk_source_init", &library->init },
    { "gtk_source_buffer_new", &library->buffer_new },
    { "gtk_source_buffer_set_language", &library->buffer_set_language },
    { "gtk_source_buffer_set_style_scheme", &library->buffer_set_style_scheme },
    { "gtk_source_language_manager_get_default", &library->language_manager_get_default },
    { "gtk_source_language_manager_get_language", &library->language_manager_get_language },
    { "gtk_source_style_scheme_manager_get_default", &library->style_scheme_manager_get_default },
    { "gtk_source_style_scheme_manager_get_scheme", &library->style_scheme_manager_get_scheme },
    { "gtk_source_view_new_with_buffer", &library->view_new_with_buffer },
    { "gtk_source_view_set_show_line_numbers", &library->view_set_show_line_numbers },
    { "gtk_source_view_set_auto_indent", &library->view_set_auto_indent },
    { "gtk_source_view_set_indent_width", &library->view_set_indent_width },
  };

  for (guint i = 0; i < G_N_ELEMENTS (symbols); i++)
    {
      if (!g_module_symbol (module, symbols[i].name, symbols[i].place))
        return FALSE;
    }
  return TRUE;
}

static const Library *
get_library (void)
{
  static Library library;
  static gboolean was_tried;
  static gboolean is_there;
  GModule *module;

  if (was_tried)
    return is_there ? &library : NULL;
  was_tried = TRUE;
  module = g_module_open ("libgtksourceview-5.so.0", G_MODULE_BIND_LAZY);
  is_there = module != NULL && find_symbols (module, &library);
  if (!is_there)
    {
      g_debug ("No GtkSourceView: %s", g_module_error ());
      return NULL;
    }
  library.init ();
  return &library;
}

static void
follow_scheme (GtkSourceBuffer *buffer)
{
  const Library *library = get_library ();
  gboolean is_dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkSourceStyleSchemeManager *manager = library->style_scheme_manager_get_default ();

  library->buffer_set_style_scheme (buffer,
                                    library->style_scheme_manager_get_scheme (manager, is_dark ? "Adwaita-dark" : "Adwaita"));
}

static GtkWidget *
make_view (const Library *library, const char *language)
{
  g_autoptr (GtkTextBuffer) buffer = GTK_TEXT_BUFFER (library->buffer_new (NULL));
  GtkSourceLanguageManager *manager = library->language_manager_get_default ();
  GtkWidget *view;

  library->buffer_set_language ((GtkSourceBuffer *) buffer, library->language_manager_get_language (manager, language));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (follow_scheme), buffer,
                           G_CONNECT_SWAPPED);
  follow_scheme ((GtkSourceBuffer *) buffer);
  view = library->view_new_with_buffer ((GtkSourceBuffer *) buffer);
  library->view_set_show_line_numbers ((GtkSourceView *) view, TRUE);
  library->view_set_auto_indent ((GtkSourceView *) view, TRUE);
  library->view_set_indent_width ((GtkSourceView *) view, 2);
  return view;
}

GtkWidget *
beckon_source_view_new (const char *language)
{
  const Library *library = get_library ();
  GtkWidget *view = library != NULL ? make_view (library, language) : gtk_text_view_new ();

  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  return view;
}
