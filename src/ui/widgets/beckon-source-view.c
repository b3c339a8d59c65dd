/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-source-view.h"

#include "beckon-compat.h"

#include <adwaita.h>
#include <gtksourceview/gtksource.h>
#include <string.h>

/* The functions used. Linked, the library would be loaded with every window: some milliseconds and two megabytes. */
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
  __typeof__ (&gtk_source_buffer_get_type) buffer_get_type;
  __typeof__ (&gtk_source_buffer_ensure_highlight) buffer_ensure_highlight;
  __typeof__ (&gtk_source_buffer_set_highlight_matching_brackets) buffer_set_highlight_matching_brackets;
  __typeof__ (&gtk_source_language_manager_guess_language) language_manager_guess_language;
  __typeof__ (&gtk_source_language_manager_get_language_ids) language_manager_get_language_ids;
} Library;

/* The steps of loading the library. */
typedef enum
{
  STEP_LIBRARY,
  STEP_LANGUAGES,
  STEP_SCHEME,
  STEP_READY,
} Step;

static Step step;
static guint work_id;
static GPtrArray *waiting; /* (element-type GWeakRef): views that are to be coloured */

static const Library *
get_library (void)
{
  static Library library;
  static const BeckonSymbol symbols[] = {
    { "gtk_source_init", &library.init },
    { "gtk_source_buffer_new", &library.buffer_new },
    { "gtk_source_buffer_set_language", &library.buffer_set_language },
    { "gtk_source_buffer_set_style_scheme", &library.buffer_set_style_scheme },
    { "gtk_source_language_manager_get_default", &library.language_manager_get_default },
    { "gtk_source_language_manager_get_language", &library.language_manager_get_language },
    { "gtk_source_style_scheme_manager_get_default", &library.style_scheme_manager_get_default },
    { "gtk_source_style_scheme_manager_get_scheme", &library.style_scheme_manager_get_scheme },
    { "gtk_source_view_new_with_buffer", &library.view_new_with_buffer },
    { "gtk_source_view_set_show_line_numbers", &library.view_set_show_line_numbers },
    { "gtk_source_view_set_auto_indent", &library.view_set_auto_indent },
    { "gtk_source_view_set_indent_width", &library.view_set_indent_width },
    { "gtk_source_buffer_get_type", &library.buffer_get_type },
    { "gtk_source_buffer_ensure_highlight", &library.buffer_ensure_highlight },
    { "gtk_source_buffer_set_highlight_matching_brackets", &library.buffer_set_highlight_matching_brackets },
    { "gtk_source_language_manager_guess_language", &library.language_manager_guess_language },
    { "gtk_source_language_manager_get_language_ids", &library.language_manager_get_language_ids },
  };
  static gsize state;
  static gboolean is_ready;

  if (!beckon_symbols_find_once (&state, "libgtksourceview-5.so.0", symbols, G_N_ELEMENTS (symbols)))
    return NULL;
  if (!is_ready)
    library.init ();
  is_ready = TRUE;
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

GtkWidget *
beckon_source_view_new (const char *language)
{
  const Library *library = get_library ();
  GtkWidget *view;

  if (library != NULL)
    {
      g_autoptr (GtkTextBuffer) buffer = GTK_TEXT_BUFFER (library->buffer_new (NULL));
      GtkSourceLanguageManager *manager = library->language_manager_get_default ();

      library->buffer_set_language ((GtkSourceBuffer *) buffer, library->language_manager_get_language (manager, language));
      g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (follow_scheme), buffer,
                               G_CONNECT_SWAPPED);
      follow_scheme ((GtkSourceBuffer *) buffer);
      view = library->view_new_with_buffer ((GtkSourceBuffer *) buffer);
      library->view_set_show_line_numbers ((GtkSourceView *) view, TRUE);
      library->view_set_auto_indent ((GtkSourceView *) view, TRUE);
      library->view_set_indent_width ((GtkSourceView *) view, 2);
    }
  else
    view = gtk_text_view_new ();
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  return view;
}

/* Colours in text that is shown */

#define LANGUAGE "beckon-language"
#define IS_WAITING "beckon-is-waiting"

/* The library looks at all of a text, line by line. */
#define LONGEST_COLOURED (64 * 1024)

/* Colours lay a view out again. Where so many wait already, a text is too long for anybody to look at all of it. */
#define MOST_WAITING 64

/* A name as it is written behind a fence, and what the library calls it where no file's ending tells. */
static const struct
{
  const char *written;
  const char *id;
  const char *ending;
} names[] = {
  { "bash", "sh", "sh" },       { "c++", "cpp", "cpp" },         { "console", "sh", "sh" },     { "csharp", "c-sharp", "cs" },
  { "dockerfile", "dockerfile", "dockerfile" },                  { "golang", "go", "go" },      { "javascript", "js", "js" },
  { "jsonc", "json", "json" },  { "jsx", "jsx", "jsx" },         { "kotlin", "kotlin", "kt" },  { "make", "makefile", "mk" },
  { "makefile", "makefile", "mk" },                              { "markdown", "markdown", "md" },
  { "objc", "objc", "m" },      { "perl", "perl", "pl" },        { "powershell", "powershell", "ps1" },
  { "py", "python3", "py" },    { "python", "python3", "py" },   { "python3", "python3", "py" }, { "ruby", "ruby", "rb" },
  { "rust", "rust", "rs" },     { "shell", "sh", "sh" },         { "text", NULL, "txt" },        { "plaintext", NULL, "txt" },
  { "ts", "typescript", "ts" }, { "typescript", "typescript", "ts" },
  { "vim", "vim", "vim" },      { "zsh", "sh", "sh" },
};

static char *
normalise (const char *language)
{
  gsize length = strcspn (language, ",:{ ");

  return g_ascii_strdown (language, (gssize) MIN (length, 32));
}

/* (nullable) */
static GtkSourceLanguage *
find_language (const Library *library, const char *language)
{
  GtkSourceLanguageManager *manager = library->language_manager_get_default ();
  g_autofree char *name = normalise (language);
  g_autofree char *file = g_strconcat ("x.", name, NULL);
  GtkSourceLanguage *found;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (g_str_equal (names[i].written, name))
        return names[i].id != NULL ? library->language_manager_get_language (manager, names[i].id) : NULL;
    }
  found = library->language_manager_get_language (manager, name);
  return found != NULL ? found : library->language_manager_guess_language (manager, file, NULL);
}

char *
beckon_source_view_dup_file_name (const char *language)
{
  g_autofree char *name = language != NULL ? normalise (language) : g_strdup ("txt");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (g_str_equal (names[i].written, name))
        return g_strconcat ("code.", names[i].ending, NULL);
    }
  for (const char *c = name; *c != '\0'; c++)
    {
      if (!g_ascii_isalnum (*c))
        return g_strdup ("code.txt");
    }
  return g_strconcat ("code.", *name != '\0' ? name : "txt", NULL);
}

/* A buffer that knows the language takes the place of the one that does not. */
static gboolean
give_buffer (const Library *library, GtkTextView *view, const char *name)
{
  GtkSourceLanguage *language = find_language (library, name);
  GtkTextBuffer *plain = gtk_text_view_get_buffer (view);
  g_autoptr (GtkTextBuffer) buffer = NULL;
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  if (language == NULL)
    return FALSE;
  gtk_text_buffer_get_bounds (plain, &start, &end);
  text = gtk_text_buffer_get_text (plain, &start, &end, TRUE);
  buffer = GTK_TEXT_BUFFER (library->buffer_new (NULL));
  library->buffer_set_highlight_matching_brackets ((GtkSourceBuffer *) buffer, FALSE);
  library->buffer_set_language ((GtkSourceBuffer *) buffer, language);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (follow_scheme), buffer,
                           G_CONNECT_SWAPPED);
  follow_scheme ((GtkSourceBuffer *) buffer);
  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_view_set_buffer (view, buffer);
  return TRUE;
}

static void
free_weak_ref (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

static void
colour_next (const Library *library)
{
  GWeakRef *ref = g_ptr_array_steal_index (waiting, 0);
  g_autoptr (GtkTextView) view = g_weak_ref_get (ref);
  const char *language;
  GtkTextBuffer *buffer;
  GtkTextIter start, end;

  free_weak_ref (ref);
  if (view == NULL)
    return;
  g_object_set_data (G_OBJECT (view), IS_WAITING, NULL);
  language = g_object_get_data (G_OBJECT (view), LANGUAGE);
  buffer = gtk_text_view_get_buffer (view);
  if (!G_TYPE_CHECK_INSTANCE_TYPE (buffer, library->buffer_get_type ()))
    {
      if (!give_buffer (library, view, language))
        return;
      buffer = gtk_text_view_get_buffer (view);
    }
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  library->buffer_ensure_highlight ((GtkSourceBuffer *) buffer, &start, &end);
}

static gboolean
has_work (void)
{
  return step < STEP_READY || (waiting != NULL && waiting->len > 0);
}

/* Each piece of work is shorter than a few frames; between them there is time for everything else. */
static gboolean
source_view_work (gpointer user_data)
{
  const Library *library = get_library ();

  if (step == STEP_LANGUAGES && library != NULL)
    library->language_manager_get_language_ids (library->language_manager_get_default ());
  else if (step == STEP_SCHEME && library != NULL)
    library->style_scheme_manager_get_scheme (library->style_scheme_manager_get_default (), "Adwaita");
  else if (step == STEP_READY && waiting != NULL && waiting->len > 0 && library != NULL)
    colour_next (library);
  if (library == NULL && waiting != NULL)
    g_ptr_array_set_size (waiting, 0);
  if (step < STEP_READY)
    step = library != NULL ? step + 1 : STEP_READY;
  if (has_work ())
    return G_SOURCE_CONTINUE;
  work_id = 0;
  return G_SOURCE_REMOVE;
}

void
beckon_source_view_prepare (void)
{
  if (work_id == 0 && has_work ())
    work_id = g_idle_add_full (G_PRIORITY_LOW, source_view_work, NULL, NULL);
}

void
beckon_source_view_colour (GtkTextView *view, const char *language)
{
  GWeakRef *ref;

  if (language == NULL || g_object_get_data (G_OBJECT (view), IS_WAITING) != NULL
      || gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (view)) > LONGEST_COLOURED)
    return;
  if (waiting == NULL)
    waiting = g_ptr_array_new_with_free_func (free_weak_ref);
  if (waiting->len >= MOST_WAITING)
    return;
  ref = g_new0 (GWeakRef, 1);
  g_weak_ref_init (ref, view);
  g_ptr_array_add (waiting, ref);
  g_object_set_data_full (G_OBJECT (view), LANGUAGE, g_strdup (language), g_free);
  g_object_set_data (G_OBJECT (view), IS_WAITING, GINT_TO_POINTER (TRUE));
  beckon_source_view_prepare ();
}
