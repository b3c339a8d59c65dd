/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rewind-window.h"

#include "base/beckon-text.h"
#include "beckon-rewind-row.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-flow-layout.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* So many rows at first, and so many more at each click. */
#define STEP 50

#define MOST_WORDS 120

struct _BeckonRewindWindow
{
  BeckonSheet parent_instance;

  GPtrArray *calls;      /* (owned) (element-type BeckonToolCall) */
  GCancellable *looking; /* (owned) */
  BeckonRewind *rewind;  /* (owned) (nullable): what would be done, once it is known */
  GPtrArray *order;      /* (owned) (element-type BeckonRewindFile): borrowed files of it, what is refused first */
  guint n_shown;

  GtkWidget *rewind_button;
  GtkLabel *words_label;
  GtkStack *stack;
  GtkSpinner *spinner;
  GtkLabel *summary_label;
  GtkBox *rows;
  GtkWidget *more_button;
  GtkSwitch *conversation_switch;
  GtkLabel *error_label;
};

G_DEFINE_FINAL_TYPE (BeckonRewindWindow, beckon_rewind_window, BECKON_TYPE_SHEET)

static guint rewind_signal;

/* --- What the agent changed in a file ----------------------------------------------------------------------------- */

/* The newest difference counts where a file landed several times. */
static const char *
find_landed_diff (BeckonToolCall *call, const BeckonRewindFile *file)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (call);
  const char *path = file->from != NULL ? file->from : file->path;

  for (guint i = 0; i < landings->len; i++)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i);
      guint n = g_str_equal (landing->folder, file->folder) ? beckon_change_set_get_n_changes (landing->changes) : 0;

      for (guint at = 0; at < n; at++)
        {
          const BeckonFileChange *change = beckon_change_set_get (landing->changes, at);

          if (g_str_equal (change->path, path) && change->fate == BECKON_FILE_KEPT && change->diff != NULL)
            return change->diff;
        }
    }
  return NULL;
}

/* A file tool's result has the names of the file above its hunks. */
static const char *
find_edited_diff (BeckonToolCall *call, const BeckonRewindFile *file)
{
  const char *result = beckon_tool_call_get_result (call);
  g_autofree char *name = g_strdup_printf ("\n+++ b/%s\n@@ ", file->path);
  const char *found = result != NULL ? strstr (result, name) : NULL;

  if (found == NULL || beckon_tool_call_get_landing (call) != NULL || beckon_tool_call_get_n_early (call) > 0)
    return NULL;

  return found + strlen (name) - strlen ("@@ ");
}

/* --- The files ---------------------------------------------------------------------------------------------------- */

static void
show_more (BeckonRewindWindow *self)
{
  guint n = MIN (self->order->len, self->n_shown + STEP);
  guint left = self->order->len - n;
  g_autofree char *label = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Show %u More", "Show %u More", left), left);

  for (; self->n_shown < n; self->n_shown++)
    {
      const BeckonRewindFile *file = g_ptr_array_index (self->order, self->n_shown);
      g_autoptr (GPtrArray) diffs = g_ptr_array_new_with_free_func (g_free);

      for (guint i = 0; i < self->calls->len; i++)
        {
          BeckonToolCall *call = g_ptr_array_index (self->calls, i);
          const char *diff = find_landed_diff (call, file);

          if (diff == NULL)
            diff = find_edited_diff (call, file);
          if (diff != NULL && *diff != '\0')
            g_ptr_array_add (diffs, g_strdup (diff));
        }

      gtk_box_append (self->rows, beckon_rewind_row_new (file, diffs));
    }
  gtk_button_set_label (GTK_BUTTON (self->more_button), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->more_button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_widget_set_visible (self->more_button, left > 0);
}

static void
rewind_window_list_files (BeckonRewindWindow *self, gboolean refused)
{
  for (guint i = 0; i < self->rewind->files->len; i++)
    {
      BeckonRewindFile *file = g_ptr_array_index (self->rewind->files, i);

      if (file->fate != BECKON_REWIND_AS_IT_WAS && (file->fate == BECKON_REWIND_REFUSED) == refused)
        g_ptr_array_add (self->order, file);
    }
}

static guint
count_done (BeckonRewindWindow *self, gboolean is_git)
{
  return beckon_rewind_count (self->rewind, BECKON_REWIND_RESTORED, is_git)
         + beckon_rewind_count (self->rewind, BECKON_REWIND_DELETED, is_git);
}

/* Takes @sentence, about @n. */
static void
add_sentence (GString *words, guint n, char *sentence)
{
  g_autofree char *owned = sentence;

  if (n > 0)
    g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", owned);
}

static char *
rewind_window_describe (BeckonRewindWindow *self)
{
  const guint n = count_done (self, FALSE), n_git = count_done (self, TRUE);
  const guint n_refused = beckon_rewind_count (self->rewind, BECKON_REWIND_REFUSED, FALSE)
                          + beckon_rewind_count (self->rewind, BECKON_REWIND_REFUSED, TRUE);
  g_autoptr (GString) words = g_string_new (NULL);

  add_sentence (words, n, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file becomes what it was.",
                                                        "%u files become what they were.", n), n));
  add_sentence (words, n_git, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u Git repository becomes what it was.",
                                                            "%u Git repositories become what they were.", n_git), n_git));
  add_sentence (words, n_refused, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u stays as it is.", "%u stay as they are.",
                                                                n_refused), n_refused));
  return g_strdup (words->len > 0 ? words->str : _("All files are already as they were."));
}

static void
rewind_window_on_previewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRewindWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *words = NULL;
  BeckonRewind *rewind = beckon_rewind_preview_finish (BECKON_FILE_COPIES (source), result, &error);

  /* The window was closed meanwhile. */
  if (g_cancellable_is_cancelled (self->looking))
    {
      g_clear_pointer (&rewind, beckon_rewind_free);
      return;
    }
  gtk_spinner_stop (self->spinner);
  if (rewind == NULL)
    {
      gtk_label_set_text (self->error_label, error->message);
      gtk_stack_set_visible_child_name (self->stack, "error");
      return;
    }
  self->rewind = rewind;
  rewind_window_list_files (self, TRUE);
  rewind_window_list_files (self, FALSE);
  words = rewind_window_describe (self);
  gtk_label_set_text (self->summary_label, words);
  show_more (self);
  gtk_stack_set_visible_child_name (self->stack, "files");
  gtk_widget_set_sensitive (self->rewind_button, count_done (self, FALSE) + count_done (self, TRUE) > 0);
}

static void
on_rewind_clicked (BeckonRewindWindow *self)
{
  g_signal_emit (self, rewind_signal, 0, gtk_switch_get_active (self->conversation_switch));
  beckon_sheet_close (BECKON_SHEET (self));
}

static void
beckon_rewind_window_dispose (GObject *object)
{
  BeckonRewindWindow *self = BECKON_REWIND_WINDOW (object);

  g_cancellable_cancel (self->looking);
  g_clear_pointer (&self->order, g_ptr_array_unref);
  g_clear_pointer (&self->rewind, beckon_rewind_free);
  g_clear_pointer (&self->calls, g_ptr_array_unref);
  G_OBJECT_CLASS (beckon_rewind_window_parent_class)->dispose (object);
}

static void
beckon_rewind_window_finalize (GObject *object)
{
  g_clear_object (&BECKON_REWIND_WINDOW (object)->looking);
  G_OBJECT_CLASS (beckon_rewind_window_parent_class)->finalize (object);
}

static void
beckon_rewind_window_class_init (BeckonRewindWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_rewind_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_rewind_window_finalize;
  rewind_signal = g_signal_new ("rewind", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_BOOLEAN);
  g_type_ensure (BECKON_TYPE_WHOLE_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/rewind-window.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindWindow, rewind_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindWindow, words_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindWindow, spinner);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindWindow, summary_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindWindow, rows);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindWindow, more_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindWindow, conversation_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonRewindWindow, error_label);
  gtk_widget_class_bind_template_callback (widget_class, on_rewind_clicked);
  gtk_widget_class_bind_template_callback (widget_class, show_more);
}

static void
beckon_rewind_window_init (BeckonRewindWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->looking = g_cancellable_new ();
  self->order = g_ptr_array_new ();
}

GtkWidget *
beckon_rewind_window_new (BeckonFileCopies *copies, GPtrArray *calls, const char *words)
{
  BeckonRewindWindow *self = g_object_new (BECKON_TYPE_REWIND_WINDOW, NULL);
  g_autofree char *safe = words != NULL ? beckon_text_for_display (words, -1, BECKON_TEXT_PROSE) : NULL;
  g_autofree char *line = safe != NULL ? beckon_text_shorten (safe, MOST_WORDS) : NULL;

  self->calls = g_ptr_array_ref (calls);
  beckon_label_say (self->words_label, line);
  beckon_rewind_preview_async (copies, calls, self->looking, rewind_window_on_previewed, g_object_ref (self));
  return GTK_WIDGET (self);
}
