/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer.h"

#include "agent/beckon-sent-files.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-attachment-loader.h"
#include "beckon-composer-bar.h"
#include "beckon-file-strip.h"
#include "beckon-prompt-form.h"
#include "beckon-queue-strip.h"
#include "beckon-suggestion.h"
#include "domain/beckon-attachment.h"
#include "tools/beckon-folder-walk.h"
#include "ui/desktop/beckon-screenshot.h"
#include "ui/widgets/beckon-adaptive-switch.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-scrolled.h"
#include "ui/widgets/beckon-speller.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonComposer
{
  AdwBin parent_instance;

  gboolean composing; /* an input method has text that is not final */
  gboolean replacing; /* the text is being set, not typed */
  gboolean needs_control;
  gboolean locked;
  gboolean enter_is_held;
  GString *typed_ahead; /* (owned): what was typed while nothing could be, which is for the time of a commit */

  BeckonAttachmentLoader *loader;      /* (owned) */
  BeckonScreenshot *screenshot;  /* (owned) */
  GListStore *no_files;          /* (owned): while there is no draft that could have any */
  GtkFileChooserNative *chooser; /* (owned) (nullable) */
  int paste_length;              /* characters before something was pasted */
  GtkTextMark *paste_mark;       /* (nullable): where a long text was pasted that may become a file */

  char *kept_text;        /* (owned) (nullable): the draft, while an earlier message is edited */
  GListStore *kept_files; /* (owned) (nullable): likewise */

  /* what was sent before */
  BeckonConversation *conversation; /* (owned) (nullable) */
  char *kept_typing;                /* (owned) (nullable): what stood there, while something from before stands there */
  gint64 history_place;             /* of what stands there then */

  BeckonSpeller *speller; /* (owned) */

  BeckonProfile *profile; /* (owned) (nullable): whose model is written to */

  /* what can be completed */
  GListModel *profiles;    /* (owned) (nullable) */
  GPtrArray *suggestions;  /* (owned) (nullable) (element-type BeckonSuggestion): what is listed */
  GPtrArray *names;        /* (owned) (nullable): files of the working folder */
  gint64 names_at;         /* when they were listed */
  GCancellable *listing;   /* (owned) (nullable) */
  BeckonAgent *agent;      /* (owned) (nullable) */
  BeckonFolderExtras *commands; /* (owned) (nullable): those that are in files */
  gint64 commands_at;      /* when they were listed */
  GCancellable *listing_commands; /* (owned) (nullable) */
  GListModel *servers;     /* (owned) (nullable): of BeckonMcpService */
  gboolean prompt_is_typed; /* the prompt that is asked for stands in the text */
  int refused_at;          /* where a word begins that is not to be completed; -1 */

  BeckonPromptForm *prompt_form;
  GtkWidget *complete_box;
  GtkScrolledWindow *complete_scroller;
  GtkListBox *complete_list;
  GtkRevealer *edit_revealer;
  BeckonQueueStrip *queue_strip;
  GtkRevealer *notice_revealer;
  GtkLabel *notice_label;
  GtkWidget *as_file_button;
  GtkRevealer *sight_revealer;
  GtkLabel *sight_label;
  BeckonFileStrip *strip;
  GtkWidget *attach_button;
  GtkWidget *screenshot_button;
  GtkTextView *text_view;
  AdwBin *placeholder_bin;
  GtkLabel *long_placeholder;
  GtkWidget *short_placeholder; /* where the other does not fit */
  GtkWidget *send_button;
  BeckonComposerBar *bar;
};

G_DEFINE_FINAL_TYPE (BeckonComposer, beckon_composer, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_SEND,
  SIGNAL_CHANGED,
  SIGNAL_UP,
  SIGNAL_SUBMIT,
  SIGNAL_ADVANCE,
} BeckonComposerSignal;

static guint signals[SIGNAL_ADVANCE + 1];

static void composer_update (BeckonComposer *self);
static void composer_complete (BeckonComposer *self);

/* The person changed the draft. */
static void
composer_emit_changed (BeckonComposer *self)
{
  if (beckon_composer_is_editing (self))
    return;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* Text from elsewhere: a quotation, and an earlier message that is being edited. The draft that was there waits meanwhile, and
 * no part of the edit becomes a draft. */

static void
put_cursor_at_end (BeckonComposer *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
  gtk_text_view_scroll_mark_onscreen (self->text_view, gtk_text_buffer_get_insert (buffer));
  beckon_composer_focus (self);
}

void
beckon_composer_quote (BeckonComposer *self, const char *markdown)
{
  g_autofree char *before = NULL;
  g_autoptr (GString) text = NULL;
  g_auto (GStrv) lines = NULL;
  GtkTextIter end;

  if (self->locked)
    return;
  before = beckon_composer_dup_text (self);
  text = g_string_new (before != NULL ? "\n\n" : NULL);
  lines = g_strsplit (markdown, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' || lines[i + 1] != NULL)
      g_string_append_printf (text, "> %s\n", lines[i]);
  g_string_append_c (text, '\n');
  gtk_text_buffer_get_end_iter (gtk_text_view_get_buffer (self->text_view), &end);
  gtk_text_buffer_insert (gtk_text_view_get_buffer (self->text_view), &end, text->str, (int) text->len);
  put_cursor_at_end (self);
}

gboolean
beckon_composer_is_editing (BeckonComposer *self)
{
  return self->kept_files != NULL;
}

static void
composer_edit_show (BeckonComposer *self, gboolean editing)
{
  const char *name = editing ? _("Send the edited message") : _("Send message");

  gtk_revealer_set_reveal_child (self->edit_revealer, editing);
  gtk_widget_set_tooltip_text (self->send_button, editing ? _("Send Edited Message") : _("Send"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->send_button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

gboolean
beckon_composer_begin_edit (BeckonComposer *self, const char *text, GPtrArray *files)
{
  g_autoptr (GListStore) edited = g_list_store_new (G_TYPE_OBJECT);

  if (self->locked)
    return FALSE;
  beckon_composer_end_edit (self);
  self->kept_text = beckon_composer_dup_draft (self);
  self->kept_files = g_object_ref (beckon_attachment_loader_get_files (self->loader));
  for (guint i = 0; files != NULL && i < files->len; i++)
    g_list_store_append (edited, g_ptr_array_index (files, i));
  beckon_composer_set_text (self, text);
  beckon_composer_set_files (self, edited);
  composer_edit_show (self, TRUE);
  put_cursor_at_end (self);
  return TRUE;
}

void
beckon_composer_end_edit (BeckonComposer *self)
{
  g_autofree char *text = NULL;
  g_autoptr (GListStore) files = NULL;

  if (self->kept_files == NULL)
    return;
  text = g_steal_pointer (&self->kept_text);
  files = g_steal_pointer (&self->kept_files);
  beckon_composer_set_text (self, text);
  beckon_composer_set_files (self, files);
  composer_edit_show (self, FALSE);
}

static void
on_edit_cancelled (BeckonComposer *self)
{
  if (self->locked)
    return;
  beckon_composer_end_edit (self);
  put_cursor_at_end (self);
}

GPtrArray *
beckon_composer_list_files (BeckonComposer *self)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *files = G_LIST_MODEL (beckon_attachment_loader_get_files (self->loader));

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (list, g_list_model_get_item (files, i));
  return list;
}

/* Pictures for a model that does not see them, and PDFs for one that gets their text: it is said before they are sent. */

/* Says that the model does not see the pictures that are attached, where that is known. */
static void
composer_update_vision (BeckonComposer *self)
{
  GListModel *list = self->loader != NULL ? G_LIST_MODEL (beckon_attachment_loader_get_files (self->loader)) : NULL;
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean is_blind = FALSE;
  g_autofree char *words = NULL;
  BeckonModelFacts facts;

  if (self->profile != NULL)
    beckon_profile_get_facts (self->profile, &facts);
  for (guint i = 0; self->profile != NULL && list != NULL && i < g_list_model_get_n_items (list); i++)
    {
      BeckonPart *part = g_list_model_get_item (list, i);

      g_ptr_array_add (files, part);
      is_blind = is_blind || (facts.images == 0 && beckon_part_get_kind (part) == BECKON_PART_IMAGE);
    }
  if (files->len > 0)
    words = beckon_sent_files_describe (files, self->profile);
  if (is_blind)
    {
      g_autofree char *pdfs = g_steal_pointer (&words);
      g_autofree char *model = beckon_text_for_display (beckon_profile_get_model (self->profile), -1, BECKON_TEXT_EXACT);
      /* Translators: %s is a model */
      g_autofree char *pictures
          = beckon_text_fill_in (_("%s does not see pictures. It is only told what they are called."), model);

      words = pdfs != NULL ? g_strconcat (pictures, "\n", pdfs, NULL) : g_steal_pointer (&pictures);
    }
  if (words != NULL)
    gtk_label_set_text (self->sight_label, words);
  gtk_revealer_set_reveal_child (self->sight_revealer, words != NULL);
}

static void
composer_dispose_vision (BeckonComposer *self)
{
  if (self->profile != NULL)
    g_signal_handlers_disconnect_by_data (self->profile, self);
  g_clear_object (&self->profile);
}

void
beckon_composer_set_profile (BeckonComposer *self, BeckonProfile *profile)
{
  if (self->profile == profile)
    return;
  beckon_composer_bar_set_profile (self->bar, profile != NULL ? beckon_profile_get_id (profile) : NULL);
  composer_dispose_vision (self);
  g_set_object (&self->profile, profile);
  if (profile != NULL)
    {
      g_signal_connect_swapped (profile, "notify::facts", G_CALLBACK (composer_update_vision), self);
      g_signal_connect_swapped (profile, "notify::model", G_CALLBACK (composer_update_vision), self);
      g_signal_connect_swapped (profile, "notify::context-window", G_CALLBACK (composer_update_vision), self);
      g_signal_connect_swapped (profile, "notify::kind", G_CALLBACK (composer_update_vision), self);
      g_signal_connect_swapped (profile, "notify::base-url", G_CALLBACK (composer_update_vision), self);
    }
  composer_update_vision (self);
}

/* Files of a draft: chosen, dropped, pasted; and a long text that is better a file. */

/* Pasted text longer than this makes a message that is hard to read. */
#define LONG_CHARS 6000
#define LONG_LINES 80

/* Whether files can't be attached now. */
static gboolean
composer_is_fixed (BeckonComposer *self)
{
  return self->locked || beckon_attachment_loader_get_files (self->loader) == self->no_files;
}

static void
show_notice (BeckonComposer *self, const char *words, gboolean with_file)
{
  gtk_label_set_text (self->notice_label, words);
  gtk_widget_set_visible (self->as_file_button, with_file);
  gtk_revealer_set_reveal_child (self->notice_revealer, TRUE);
}

static void
forget_paste (BeckonComposer *self)
{
  if (self->paste_mark != NULL)
    gtk_text_buffer_delete_mark (gtk_text_view_get_buffer (self->text_view), self->paste_mark);
  self->paste_mark = NULL;
}

/* Says something above the text, until it is dismissed or other files are there. */
static void
composer_show_notice (BeckonComposer *self, const char *words)
{
  forget_paste (self);
  show_notice (self, words, FALSE);
}

static void
hide_notice (BeckonComposer *self)
{
  gtk_revealer_set_reveal_child (self->notice_revealer, FALSE);
  forget_paste (self);
}

static void
on_notice_closed (BeckonComposer *self)
{
  hide_notice (self);
  beckon_composer_focus (self);
}

static void
on_files_changed (BeckonComposer *self)
{
  hide_notice (self);
  composer_update (self);
  /* Sent files go by themselves. */
  if (!self->locked)
    composer_emit_changed (self);
}

void
beckon_composer_set_files (BeckonComposer *self, GListStore *files)
{
  g_signal_handlers_disconnect_by_func (beckon_attachment_loader_get_files (self->loader), on_files_changed, self);
  hide_notice (self);
  if (files == NULL)
    files = self->no_files;
  beckon_attachment_loader_set_files (self->loader, files);
  g_signal_connect_object (files, "items-changed", G_CALLBACK (on_files_changed), self, G_CONNECT_SWAPPED);
  composer_update (self);
}

/* --- Drops -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonComposer *composer; /* (owned) */
  GValue value;             /* what was dropped, as it came */
} Drop;

static void
drop_free (Drop *drop)
{
  g_object_unref (drop->composer);
  g_value_unset (&drop->value);
  g_free (drop);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Drop, drop_free)

static void
on_drop_known (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Drop) drop = user_data;
  BeckonComposer *self = drop->composer;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, NULL);
  g_autofree char *uri = g_file_get_uri (G_FILE (source));

  if (info != NULL && g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.set-folder", "s", uri);
  else if (!composer_is_fixed (self))
    beckon_attachment_loader_take_value (self->loader, &drop->value);
}

/* A folder is what is worked in; all else is attached. */
gboolean
beckon_composer_take_drop (BeckonComposer *self, const GValue *value)
{
  GFile *single;
  GdkFileList *list;
  g_autoptr (GSList) files = NULL;

  if (composer_is_fixed (self))
    return FALSE;

  /* The one file that was dropped, which may be a folder. */
  list = G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST) ? g_value_get_boxed (value) : NULL;
  files = list != NULL ? gdk_file_list_get_files (list) : NULL;
  single = files != NULL && files->next == NULL ? files->data : NULL;
  if (single != NULL)
    {
      Drop *drop = g_new0 (Drop, 1);

      drop->composer = g_object_ref (self);
      g_value_init (&drop->value, G_VALUE_TYPE (value));
      g_value_copy (value, &drop->value);
      g_file_query_info_async (single, G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT, NULL,
                               on_drop_known, drop);
    }
  else if (!beckon_attachment_loader_take_value (self->loader, value))
    return FALSE;
  beckon_composer_focus (self);
  return TRUE;
}

/* The dialog */

static void
composer_files_on_chosen (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  BeckonComposer *self = user_data;
  g_autoptr (GtkFileChooserNative) chooser = g_steal_pointer (&self->chooser);
  g_autoptr (GListModel) files = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (chooser));
  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files) && !composer_is_fixed (self); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      beckon_attachment_loader_take_file (self->loader, file);
    }
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (chooser));
  beckon_composer_focus (self);
}

static void
attach_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonComposer *self = BECKON_COMPOSER (widget);
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkFileChooser *chooser;
  g_autoptr (GtkFileFilter) all = NULL;
  g_autoptr (GtkFileFilter) pictures = NULL;

  if (self->chooser != NULL || composer_is_fixed (self))
    return;
  self->chooser = gtk_file_chooser_native_new (_("Attach Files"), GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                               GTK_FILE_CHOOSER_ACTION_OPEN, _("_Attach"), _("_Cancel"));
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (self->chooser), TRUE);
  chooser = GTK_FILE_CHOOSER (self->chooser);
  all = gtk_file_filter_new ();
  pictures = gtk_file_filter_new ();

  gtk_file_filter_set_name (all, _("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_filter_set_name (pictures, _("Pictures"));
  gtk_file_filter_add_pixbuf_formats (pictures);
  gtk_file_chooser_add_filter (chooser, all);
  gtk_file_chooser_add_filter (chooser, pictures);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (composer_files_on_chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

/* The screen */

static void
on_screenshot_changed (BeckonComposer *self)
{
  gtk_widget_set_visible (self->screenshot_button, beckon_screenshot_is_available (self->screenshot));
}

static void
on_screenshot_taken (BeckonComposer *self, GFile *file)
{
  if (!composer_is_fixed (self))
    beckon_attachment_loader_take_file (self->loader, file);
  beckon_composer_focus (self);
}

static void
screenshot_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonComposer *self = BECKON_COMPOSER (widget);

  if (!composer_is_fixed (self))
    beckon_screenshot_take (self->screenshot);
}

/* Pasting */

static void
on_paste (BeckonComposer *self)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (self));

  self->paste_length = gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (self->text_view));
  if (!composer_is_fixed (self) && beckon_attachment_loader_take_clipboard (self->loader, clipboard))
    g_signal_stop_emission_by_name (self->text_view, "paste-clipboard");
}

/* Its end is at the cursor; how long it is tells where it begins. */
static void
on_paste_done (BeckonComposer *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  int n = gtk_text_buffer_get_char_count (buffer) - self->paste_length;
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_mark (buffer, &end, gtk_text_buffer_get_insert (buffer));
  start = end;
  if (composer_is_fixed (self) || n <= 0 || !gtk_text_iter_backward_chars (&start, n)
      || (gtk_text_iter_get_offset (&end) - gtk_text_iter_get_offset (&start) <= LONG_CHARS
          && gtk_text_iter_get_line (&end) - gtk_text_iter_get_line (&start) <= LONG_LINES))
    return;
  forget_paste (self);
  self->paste_mark = gtk_text_buffer_create_mark (buffer, NULL, &start, TRUE);
  self->paste_length = n;
  show_notice (self, _("A long text was pasted. As a file it stays out of the way."), TRUE);
}

static void
on_as_file_clicked (BeckonComposer *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  g_autoptr (GBytes) bytes = NULL;
  GtkTextIter start, end;
  char *text;

  if (self->paste_mark == NULL || composer_is_fixed (self))
    return;
  gtk_text_buffer_get_iter_at_mark (buffer, &start, self->paste_mark);
  end = start;
  gtk_text_iter_forward_chars (&end, self->paste_length);
  text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  bytes = g_bytes_new_take (text, strlen (text));
  gtk_text_buffer_delete (buffer, &start, &end);
  hide_notice (self);
  beckon_attachment_loader_take_bytes (self->loader, bytes, _("Pasted text.txt"));
  beckon_composer_focus (self);
}

/* Offers of servers beside their tools: prompts are commands, resources are attached. A text of a server only
 * stands in the composer, until the person sends it. */

#define MOST_NAME_CHARS 60

static const char *
get_folder (BeckonComposer *self)
{
  return self->conversation != NULL ? beckon_conversation_get_folder (self->conversation) : NULL;
}

/* (transfer full) (nullable): by its id, or by what stands in front of the names of its prompts. */
static BeckonMcpService *
find_service (BeckonComposer *self, const char *id, const char *prefix)
{
  for (guint i = 0; self->servers != NULL && i < g_list_model_get_n_items (self->servers); i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (self->servers, i);
      const BeckonMcpServer *server = beckon_mcp_service_get_server (service);
      g_autofree char *own = beckon_mcp_server_dup_prefix (server);

      if (beckon_mcp_server_is_used (server) && beckon_mcp_server_is_for_folder (server, get_folder (self))
          && (g_strcmp0 (server->id, id) == 0 || g_strcmp0 (own, prefix) == 0))
        return g_steal_pointer (&service);
    }
  return NULL;
}

/* --- Prompts ------------------------------------------------------------------------------------------------------ */

static gboolean
composer_servers_ask (BeckonComposer *self, BeckonMcpService *service, const char *name, const char *const *words)
{
  BeckonMcpPrompt *prompt
      = service != NULL ? beckon_mcp_prompts_find (beckon_mcp_service_get_prompts (service), name) : NULL;

  if (prompt == NULL || self->locked)
    return FALSE;
  self->prompt_is_typed = words != NULL;
  beckon_prompt_form_ask (self->prompt_form, service, prompt, words);
  return TRUE;
}

static void
prompt_action (GtkWidget *widget, const char *action, GVariant *target)
{
  BeckonComposer *self = BECKON_COMPOSER (widget);
  const char *id, *name;
  g_autoptr (BeckonMcpService) service = NULL;

  g_variant_get (target, "(&s&s)", &id, &name);
  service = find_service (self, id, NULL);
  composer_servers_ask (self, service, name, NULL);
}

/* Words as a shell has them, or as they stand between spaces where a quotation mark is not closed. */
static char **
split_words (const char *text)
{
  g_autofree char *line = g_strstrip (g_strdup (text));
  char **words = NULL;

  if (*line == '\0')
    return g_new0 (char *, 1);
  if (g_shell_parse_argv (line, NULL, &words, NULL))
    return words;
  return g_strsplit_set (line, " \t\n", -1);
}

/* Whether the draft is a prompt of a server, which is asked for now. */
static gboolean
composer_take_command (BeckonComposer *self)
{
  g_autofree char *text = beckon_composer_dup_draft (self);
  gsize length = strcspn (text, " \t\n");
  const char *colon = memchr (text, ':', length);
  g_autofree char *prefix = NULL;
  g_autofree char *name = NULL;
  g_auto (GStrv) words = NULL;
  g_autoptr (BeckonMcpService) service = NULL;

  if (*text != '/' || colon == NULL)
    return FALSE;
  prefix = g_strndup (text + 1, (gsize) (colon - text - 1));
  name = g_strndup (colon + 1, (gsize) (text + length - colon - 1));
  words = split_words (text + length);
  service = find_service (self, NULL, prefix);
  return composer_servers_ask (self, service, name, (const char *const *) words);
}

static void
on_prompt_filled (BeckonComposer *self, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  const BeckonMcpServer *server = beckon_mcp_service_get_server (beckon_prompt_form_get_service (self->prompt_form));
  g_autofree char *name = beckon_text_for_display (server->name, -1, BECKON_TEXT_EXACT);
  /* Translators: %s is a server; its text follows */
  g_autofree char *heading = beckon_text_printf (_("From %s:"), name);
  /* A text of a server's is no command, however it begins. */
  g_autofree char *message = *text == '/' ? g_strdup_printf ("%s\n\n%s", heading, text) : g_strdup (text);
  g_autofree char *words = NULL;
  GtkTextIter start, end;

  gtk_text_buffer_begin_user_action (buffer);
  if (self->prompt_is_typed)
    {
      gtk_text_buffer_get_bounds (buffer, &start, &end);
      gtk_text_buffer_delete (buffer, &start, &end);
    }
  gtk_text_buffer_insert_at_cursor (buffer, message, -1);
  gtk_text_buffer_end_user_action (buffer);
  /* Translators: %s is a server */
  words = beckon_text_printf (_("This text is from %s. Read it before you send it."), name);
  composer_show_notice (self, words);
}

static void
composer_close_prompt (BeckonComposer *self)
{
  if (self->prompt_form != NULL)
    beckon_prompt_form_close (self->prompt_form);
}

/* --- Resources ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonAttachmentReading *reading;
  char *server; /* its name */
} Attaching;

static void
on_resource_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Attaching *attaching = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) contents = beckon_mcp_service_read_resource_finish (BECKON_MCP_SERVICE (source), result, &error);

  for (guint i = 0; contents != NULL && i < contents->len; i++)
    {
      const BeckonMcpContent *content = g_ptr_array_index (contents, i);
      g_autofree char *name = g_strdup_printf ("%s: %s", attaching->server, content->name);

      beckon_attachment_reading_take_bytes (attaching->reading, content->bytes, name);
    }
  beckon_attachment_reading_end (attaching->reading, error);
  g_free (attaching->server);
  g_free (attaching);
}

/* The name of a resource says which server it is from, to the person and to the model. */
static void
attach (BeckonComposer *self, BeckonMcpService *service, const char *uri)
{
  const char *server = beckon_mcp_service_get_server (service)->name;
  g_autofree char *name = g_strdup_printf ("%s: %s", server, uri);
  g_autofree char *short_name = beckon_text_shorten (name, MOST_NAME_CHARS);
  BeckonAttachmentReading *reading = beckon_attachment_loader_begin (self->loader, short_name);
  Attaching *attaching;

  if (reading == NULL)
    return;
  attaching = g_new0 (Attaching, 1);
  attaching->reading = reading;
  attaching->server = g_strdup (server);
  beckon_mcp_service_read_resource_async (service, uri, beckon_attachment_reading_get_cancellable (reading), on_resource_read,
                                          attaching);
}

static void
resource_action (GtkWidget *widget, const char *action, GVariant *target)
{
  BeckonComposer *self = BECKON_COMPOSER (widget);
  const char *id, *uri;
  g_autoptr (BeckonMcpService) service = NULL;

  g_variant_get (target, "(&s&s)", &id, &uri);
  service = find_service (self, id, NULL);
  if (service != NULL && !composer_is_fixed (self))
    attach (self, service, uri);
}

static void
template_action (GtkWidget *widget, const char *action, GVariant *target)
{
  BeckonComposer *self = BECKON_COMPOSER (widget);
  const char *id, *uri;
  const BeckonMcpResource *resource;
  g_autoptr (BeckonMcpService) service = NULL;
  g_autoptr (GError) error = NULL;

  g_variant_get (target, "(&s&s)", &id, &uri);
  service = find_service (self, id, NULL);
  resource = service != NULL ? beckon_mcp_resources_find (beckon_mcp_service_get_resources (service), uri) : NULL;
  if (resource == NULL || composer_is_fixed (self))
    return;
  if (!beckon_prompt_form_ask_template (self->prompt_form, service, resource, &error))
    composer_show_notice (self, error->message);
}

static void
on_resource_addressed (BeckonComposer *self, const char *uri)
{
  if (!composer_is_fixed (self))
    attach (self, beckon_prompt_form_get_service (self->prompt_form), uri);
}

/* --- Set-up ------------------------------------------------------------------------------------------------------- */

/* Words behind a slash at the very beginning are commands: of the window, in files, and prompts of servers. Words behind an at
 * sign are files of the working folder, and resources of servers. Matches are listed above the text; the keys still edit the
 * text until one is taken, or Escape. */

/* After so long the folder is looked at anew, and for commands. */
#define NAMES_AGE (10 * G_TIME_SPAN_SECOND)

static void
composer_complete_hide (BeckonComposer *self)
{
  gtk_widget_set_visible (self->complete_box, FALSE);
  g_clear_pointer (&self->suggestions, g_ptr_array_unref);
}

static gboolean
composer_complete_is_open (BeckonComposer *self)
{
  return self->suggestions != NULL;
}

/* Borrowed from the list that is shown. */
static void
composer_complete_show (BeckonComposer *self, GPtrArray *suggestions)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->complete_list))) != NULL)
    gtk_list_box_remove (self->complete_list, row);
  if (suggestions->len == 0)
    {
      g_ptr_array_unref (suggestions);
      composer_complete_hide (self);
      return;
    }
  g_clear_pointer (&self->suggestions, g_ptr_array_unref);
  self->suggestions = suggestions;
  for (guint i = 0; i < suggestions->len; i++)
    gtk_list_box_append (self->complete_list, beckon_suggestion_row_new (g_ptr_array_index (suggestions, i)));
  gtk_list_box_select_row (self->complete_list, gtk_list_box_get_row_at_index (self->complete_list, 0));
  gtk_widget_set_visible (self->complete_box, TRUE);
}

static gboolean
begins (const BeckonSuggestion *suggestion, const char *typed)
{
  g_autofree char *word = g_utf8_casefold (suggestion->word + 1, -1);
  g_autofree char *folded = g_utf8_casefold (typed, -1);

  return g_str_has_prefix (word, folded);
}

/* The text from @start to the cursor, without its sign. (nullable) (transfer full) */
static char *
find_word (BeckonComposer *self, GtkTextIter *start, gunichar *sign)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  GtkTextIter cursor, begin;
  g_autofree char *word = NULL;

  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  begin = cursor;
  while (gtk_text_iter_backward_char (&begin))
    if (g_unichar_isspace (gtk_text_iter_get_char (&begin)))
      {
        gtk_text_iter_forward_char (&begin);
        break;
      }
  word = gtk_text_iter_get_text (&begin, &cursor);
  *sign = g_utf8_get_char (word);
  *start = begin;
  if (*sign != '@' && (*sign != '/' || !gtk_text_iter_is_start (&begin)))
    return NULL;
  return g_strdup (word + 1);
}

static void
on_names_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonComposer *self = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *names = beckon_folder_names_list_finish (result, &error);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_object (&self->listing);
      g_clear_pointer (&self->names, g_ptr_array_unref);
      self->names = names != NULL ? names : g_ptr_array_new ();
      self->names_at = g_get_monotonic_time ();
      composer_complete (self);
    }
  g_object_unref (self);
}

static void
complete_file (BeckonComposer *self, const char *typed)
{
  const char *folder = self->conversation != NULL ? beckon_conversation_get_folder (self->conversation) : NULL;

  if (folder == NULL || self->names != NULL)
    {
      g_autoptr (GPtrArray) none = g_ptr_array_new ();
      GPtrArray *found = beckon_suggestion_list_files (self->names != NULL ? self->names : none, typed);

      if (self->servers != NULL)
        beckon_suggestion_add_resources (found, self->servers, get_folder (self), typed);
      composer_complete_show (self, found);
    }
  if (folder == NULL || self->listing != NULL || (self->names != NULL && g_get_monotonic_time () - self->names_at < NAMES_AGE))
    return;
  self->listing = g_cancellable_new ();
  beckon_folder_names_list_async (folder, self->listing, on_names_listed, g_object_ref (self));
}

static void
on_commands_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonComposer *self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonFolderExtras *commands = beckon_agent_list_commands_finish (self->agent, result, &error);

  if (commands != NULL)
    {
      g_clear_object (&self->listing_commands);
      g_clear_pointer (&self->commands, beckon_folder_extras_unref);
      self->commands = commands;
      self->commands_at = g_get_monotonic_time ();
      composer_complete (self);
    }
  g_object_unref (self);
}

static void
complete_command (BeckonComposer *self, const char *typed)
{
  GPtrArray *found = beckon_suggestion_list_commands (self->conversation, self->profiles, typed);
  GPtrArray *ordered;

  if (self->commands != NULL)
    beckon_suggestion_add_own (found, self->commands, typed);
  if (self->servers != NULL)
    beckon_suggestion_add_prompts (found, self->servers, get_folder (self), typed);

  /* Those whose word begins so come first, before those that have it in their title alone. */
  ordered = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_suggestion_free);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < found->len; i++)
      if (begins (g_ptr_array_index (found, i), typed) == (pass == 0))
        g_ptr_array_add (ordered, g_ptr_array_index (found, i));
  g_ptr_array_set_free_func (found, NULL);
  g_ptr_array_unref (found);
  composer_complete_show (self, ordered);

  if (self->agent == NULL || self->conversation == NULL || self->listing_commands != NULL
      || (self->commands != NULL && g_get_monotonic_time () - self->commands_at < NAMES_AGE))
    return;
  self->listing_commands = g_cancellable_new ();
  beckon_agent_list_commands_async (self->agent, self->conversation, self->listing_commands, on_commands_listed,
                                    g_object_ref (self));
}

/* Lists what fits what is typed. */
static void
composer_complete (BeckonComposer *self)
{
  GtkTextIter start;
  gunichar sign;
  g_autofree char *typed = self->composing || self->replacing || self->locked ? NULL : find_word (self, &start, &sign);

  if (typed == NULL || (self->refused_at == gtk_text_iter_get_offset (&start)))
    composer_complete_hide (self);
  else if (sign == '/')
    complete_command (self, typed);
  else
    complete_file (self, typed);
  if (typed == NULL)
    self->refused_at = -1;
}

/* The list may go with what is done. */
static void
composer_complete_take (BeckonComposer *self, guint index)
{
  BeckonSuggestion *suggestion = g_ptr_array_index (self->suggestions, index);
  g_autofree char *text = g_strdup (suggestion->text != NULL ? suggestion->text : "");
  g_autofree char *action = g_strdup (suggestion->action);
  g_autoptr (GVariant) target = suggestion->target != NULL ? g_variant_ref (suggestion->target) : NULL;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  g_autofree char *typed = NULL;
  GtkTextIter start, cursor;
  gunichar sign;

  typed = find_word (self, &start, &sign);
  composer_complete_hide (self);
  if (typed == NULL)
    return;
  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete (buffer, &start, &cursor);
  gtk_text_buffer_insert (buffer, &start, text, -1);
  gtk_text_buffer_end_user_action (buffer);
  beckon_composer_focus (self);
  if (action != NULL)
    gtk_widget_activate_action_variant (GTK_WIDGET (self), action, target);
}

/* Does what the window's command says that is all of the text, unless it was refused with Escape. Returns whether it was. */
static gboolean
composer_take_word (BeckonComposer *self)
{
  g_autofree char *text = g_strchomp (beckon_composer_dup_draft (self));
  guint n_found = 0;
  guint found = 0;

  for (guint i = 0; composer_complete_is_open (self) && i < self->suggestions->len; i++)
    {
      const BeckonSuggestion *suggestion = g_ptr_array_index (self->suggestions, i);

      if (suggestion->action == NULL || !g_str_equal (suggestion->word, text))
        continue;
      found = i;
      n_found++;
    }
  if (n_found == 1)
    composer_complete_take (self, found);
  return n_found == 1;
}

static void
composer_complete_on_row_activated (BeckonComposer *self, GtkListBoxRow *row)
{
  if (composer_complete_is_open (self))
    composer_complete_take (self, (guint) gtk_list_box_row_get_index (row));
}

static void
composer_complete_move (BeckonComposer *self, int step)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->complete_list);
  int n = (int) self->suggestions->len;
  int index = ((row != NULL ? gtk_list_box_row_get_index (row) : 0) + step + n) % n;
  GtkAdjustment *adjustment;
  graphene_rect_t bounds;

  row = gtk_list_box_get_row_at_index (self->complete_list, index);
  gtk_list_box_select_row (self->complete_list, row);
  adjustment = gtk_scrolled_window_get_vadjustment (self->complete_scroller);
  if (gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (self->complete_list), &bounds))
    gtk_adjustment_clamp_page (adjustment, bounds.origin.y, bounds.origin.y + bounds.size.height);
}

static gboolean
composer_complete_key (BeckonComposer *self, guint keyval, GdkModifierType modifiers)
{
  GtkListBoxRow *row;
  GtkTextIter start;
  gunichar sign;

  if (!composer_complete_is_open (self) || self->composing || modifiers != 0)
    return FALSE;
  row = gtk_list_box_get_selected_row (self->complete_list);
  switch (keyval)
    {
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      composer_complete_move (self, keyval == GDK_KEY_Up ? -1 : 1);
      return TRUE;

    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
    case GDK_KEY_Tab:
      composer_complete_take (self, row != NULL ? (guint) gtk_list_box_row_get_index (row) : 0);
      return TRUE;

    case GDK_KEY_Escape:
      g_free (find_word (self, &start, &sign));
      self->refused_at = gtk_text_iter_get_offset (&start);
      composer_complete_hide (self);
      return TRUE;

    default:
      return FALSE;
    }
}

static void
composer_forget_names (BeckonComposer *self)
{
  if (self->listing != NULL)
    g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  if (self->listing_commands != NULL)
    g_cancellable_cancel (self->listing_commands);
  g_clear_object (&self->listing_commands);
  g_clear_pointer (&self->commands, beckon_folder_extras_unref);
  self->refused_at = -1;
  composer_complete_hide (self);
}

/* Messages sent in this conversation come back by the up key on the first line, as in a terminal. Text before that waits
 * behind the last of them, and stays the draft until another is changed. */

static void
composer_history_show (BeckonComposer *self, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  GtkTextIter end;

  beckon_composer_set_text (self, text);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
  gtk_text_view_scroll_mark_onscreen (self->text_view, gtk_text_buffer_get_insert (buffer));
}

/* @step: -1 to what was sent before, 1 to what was sent after. */
static gboolean
go (BeckonComposer *self, int step)
{
  gint64 n = beckon_conversation_get_n_messages (self->conversation);
  gint64 place = self->kept_typing != NULL ? self->history_place : n;

  for (place += step; place >= 0 && place < n; place += step)
    {
      BeckonMessage *message = beckon_conversation_get_message (self->conversation, (guint) place);
      g_autofree char *text = beckon_message_get_role (message) == BECKON_ROLE_USER ? beckon_message_dup_text (message) : NULL;

      if (text == NULL || *text == '\0')
        continue;
      if (self->kept_typing == NULL)
        self->kept_typing = beckon_composer_dup_draft (self);
      self->history_place = place;
      composer_history_show (self, text);
      return TRUE;
    }
  if (step < 0 || self->kept_typing == NULL)
    return self->kept_typing != NULL;

  composer_history_show (self, self->kept_typing);
  g_clear_pointer (&self->kept_typing, g_free);
  return TRUE;
}

/* On the first line as it is shown, or on the last. */
static gboolean
is_at_edge (BeckonComposer *self, gboolean first)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  GtkTextIter cursor, edge;
  GdkRectangle here, there;

  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  if (first)
    gtk_text_buffer_get_start_iter (buffer, &edge);
  else
    gtk_text_buffer_get_end_iter (buffer, &edge);
  gtk_text_view_get_iter_location (self->text_view, &cursor, &here);
  gtk_text_view_get_iter_location (self->text_view, &edge, &there);
  return here.y == there.y;
}

/* Whether the key was taken to go through what was sent before. */
static gboolean
composer_history_key (BeckonComposer *self, guint keyval)
{
  gboolean up = keyval == GDK_KEY_Up;

  if (self->conversation == NULL || self->locked || self->composing || beckon_composer_is_editing (self)
      || (!up && self->kept_typing == NULL)
      || gtk_text_buffer_get_has_selection (gtk_text_view_get_buffer (self->text_view)))
    return FALSE;
  return is_at_edge (self, up) && go (self, up ? -1 : 1);
}

static void
composer_forget_history (BeckonComposer *self)
{
  g_clear_pointer (&self->kept_typing, g_free);
}

void
beckon_composer_set_conversation (BeckonComposer *self, BeckonConversation *conversation)
{
  composer_forget_history (self);
  composer_forget_names (self);
  composer_close_prompt (self);
  /* No conversation gets words that were meant for another one. */
  g_string_truncate (self->typed_ahead, 0);
  g_set_object (&self->conversation, conversation);
  if (self->bar != NULL)
    {
      beckon_composer_bar_set_conversation (self->bar, conversation);
      beckon_queue_strip_set_conversation (self->queue_strip, conversation);
    }
}

char *
beckon_composer_dup_draft (BeckonComposer *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (gtk_text_view_get_buffer (self->text_view), &start, &end);
  return gtk_text_iter_get_text (&start, &end);
}

char *
beckon_composer_dup_text (BeckonComposer *self)
{
  g_autofree char *text = g_strstrip (beckon_composer_dup_draft (self));

  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

gboolean
beckon_composer_has_something (BeckonComposer *self)
{
  g_autofree char *text = beckon_composer_dup_text (self);
  g_auto (GStrv) reading = beckon_attachment_loader_dup_reading (self->loader);

  return text != NULL || reading[0] != NULL
         || g_list_model_get_n_items (G_LIST_MODEL (beckon_attachment_loader_get_files (self->loader))) > 0;
}

static gboolean
composer_is_empty (BeckonComposer *self)
{
  return gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (self->text_view)) == 0 && !self->composing;
}

static gboolean
can_send (BeckonComposer *self)
{
  g_auto (GStrv) reading = beckon_attachment_loader_dup_reading (self->loader);

  return !self->locked && reading[0] == NULL && beckon_composer_has_something (self);
}

/* Brings buttons and placeholder in line with what there is. */
static void
composer_update (BeckonComposer *self)
{
  gboolean fixed = self->locked;

  gtk_text_view_set_editable (self->text_view, !fixed);
  gtk_widget_set_sensitive (self->attach_button, !fixed);
  gtk_widget_set_sensitive (self->screenshot_button, !fixed);
  beckon_file_strip_set_locked (self->strip, fixed);
  gtk_widget_set_sensitive (self->send_button, can_send (self));
  gtk_widget_set_visible (GTK_WIDGET (self->placeholder_bin), composer_is_empty (self));
  beckon_queue_strip_set_can_edit (self->queue_strip, !self->locked && !beckon_composer_is_editing (self)
                                   && !beckon_composer_has_something (self));
  composer_update_vision (self);
}

static void
on_buffer_changed (BeckonComposer *self)
{
  composer_update (self);
  if (self->replacing)
    return;
  composer_forget_history (self);
  composer_emit_changed (self);
  composer_complete (self);
}

void
beckon_composer_set_text (BeckonComposer *self, const char *text)
{
  self->replacing = TRUE;
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text_view), text != NULL ? text : "", -1);
  self->replacing = FALSE;
  composer_forget_names (self);
}

static void
send (BeckonComposer *self, gboolean as_message)
{
  if (can_send (self) && (as_message || (!composer_take_word (self) && !composer_take_command (self))))
    g_signal_emit (self, signals[SIGNAL_SEND], 0, as_message);
}

static void
on_send_clicked (BeckonComposer *self)
{
  send (self, FALSE);
}

static void
composer_on_preedit_changed (BeckonComposer *self, const char *preedit)
{
  self->composing = preedit != NULL && *preedit != '\0';
  composer_update (self);
}

static gboolean
has_nothing (BeckonComposer *self)
{
  return !self->locked && !beckon_composer_is_editing (self) && composer_is_empty (self)
         && !beckon_composer_has_something (self);
}

/* A setting makes Enter a new line, but not the first one. */
static gboolean
sends (BeckonComposer *self, GdkModifierType modifiers)
{
  return modifiers == GDK_CONTROL_MASK || modifiers == (GDK_CONTROL_MASK | GDK_SHIFT_MASK)
         || (modifiers == 0 && (!self->needs_control || has_nothing (self)));
}

/* A message is being stored, and the person types on. What is typed then isn't sent by Enter, which ends its line. */
static gboolean
type_ahead (BeckonComposer *self, guint keyval, GdkModifierType modifiers)
{
  gunichar c = gdk_keyval_to_unicode (keyval);

  if (beckon_key_is_enter (keyval) && self->typed_ahead->len > 0)
    c = '\n';
  if (!self->locked || (modifiers & ~GDK_SHIFT_MASK) != 0 || c == 0 || (c != '\n' && g_unichar_iscntrl (c)))
    return FALSE;
  g_string_append_unichar (self->typed_ahead, c);
  return TRUE;
}

/* The input method sees the key first: the Enter that ends a composition is its own. */
static gboolean
composer_on_key_pressed (BeckonComposer *self, guint keyval, guint keycode, GdkModifierType state,
                         GtkEventControllerKey *controller)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (controller));

  if (composer_complete_key (self, keyval, modifiers) || type_ahead (self, keyval, modifiers))
    return GDK_EVENT_STOP;
  if ((keyval == GDK_KEY_Up || keyval == GDK_KEY_Down) && modifiers == 0 && composer_history_key (self, keyval))
    return GDK_EVENT_STOP;
  if (keyval == GDK_KEY_Up && (modifiers == GDK_CONTROL_MASK || modifiers == 0) && composer_is_empty (self))
    {
      g_signal_emit (self, signals[SIGNAL_UP], 0);
      return GDK_EVENT_STOP;
    }
  if (!beckon_key_is_enter (keyval) || !sends (self, modifiers))
    return GDK_EVENT_PROPAGATE;
  if (event != NULL && gtk_text_view_im_context_filter_keypress (self->text_view, event))
    return GDK_EVENT_STOP;
  if (!self->composing)
    {
      /* With nothing written Ctrl+Enter is about the card that waits and Enter about what is queued. */
      if (!has_nothing (self))
        send (self, (modifiers & GDK_SHIFT_MASK) != 0);
      else if (modifiers == GDK_CONTROL_MASK)
        g_signal_emit (self, signals[SIGNAL_SUBMIT], 0);
      else if (modifiers == 0 && !self->enter_is_held)
        g_signal_emit (self, signals[SIGNAL_ADVANCE], 0);
    }
  self->enter_is_held = TRUE;
  return GDK_EVENT_STOP;
}

/* An Enter that queued a message and is held on does not send it, too. */
static void
on_key_released (BeckonComposer *self, guint keyval)
{
  if (beckon_key_is_enter (keyval))
    self->enter_is_held = FALSE;
}

gboolean
beckon_composer_take_key (BeckonComposer *self, GtkEventControllerKey *controller)
{
  beckon_composer_focus (self);
  return gtk_event_controller_key_forward (controller, GTK_WIDGET (self->text_view));
}

static void
on_focus_left (BeckonComposer *self)
{
  self->enter_is_held = FALSE;
}

void
beckon_composer_set_locked (BeckonComposer *self, gboolean locked)
{
  self->locked = locked;
  if (locked)
    composer_close_prompt (self);
  composer_update (self);
}

void
beckon_composer_write_typed_ahead (BeckonComposer *self)
{
  GtkTextBuffer *buffer;
  GtkTextIter end;

  if (self->typed_ahead->len == 0)
    return;
  buffer = gtk_text_view_get_buffer (self->text_view);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, self->typed_ahead->str, (int) self->typed_ahead->len);
  gtk_text_buffer_place_cursor (buffer, &end);
  g_string_truncate (self->typed_ahead, 0);
}

char *
beckon_composer_take_typed_ahead (BeckonComposer *self)
{
  char *text = self->typed_ahead->len > 0 ? g_strdup (self->typed_ahead->str) : NULL;

  g_string_truncate (self->typed_ahead, 0);
  return text;
}

void
beckon_composer_give_typed_ahead (BeckonComposer *self, const char *text)
{
  g_string_assign (self->typed_ahead, text != NULL ? text : "");
}

void
beckon_composer_set_placeholder (BeckonComposer *self, const char *placeholder)
{
  gtk_label_set_text (self->long_placeholder, placeholder);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text_view), GTK_ACCESSIBLE_PROPERTY_PLACEHOLDER, placeholder, -1);
}

void
beckon_composer_set_needs_control (BeckonComposer *self, gboolean needs_control)
{
  self->needs_control = needs_control;
}

void
beckon_composer_set_checks_spelling (BeckonComposer *self, gboolean checks_spelling)
{
  beckon_speller_set_enabled (self->speller, checks_spelling);
}

void
beckon_composer_set_sources (BeckonComposer *self, BeckonAgent *agent, GListModel *profiles, GListModel *servers,
                             GListModel *conversations)
{
  g_set_object (&self->agent, agent);
  g_set_object (&self->profiles, profiles);
  g_set_object (&self->servers, servers);
  beckon_composer_bar_set_sources (self->bar, profiles, conversations);
}

void
beckon_composer_set_hint (BeckonComposer *self, const char *hint, const char *more)
{
  beckon_composer_bar_set_hint (self->bar, hint, more);
}

gboolean
beckon_composer_get_needs_control (BeckonComposer *self)
{
  return self->needs_control;
}

void
beckon_composer_focus (BeckonComposer *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->text_view));
}

static void
beckon_composer_dispose (GObject *object)
{
  BeckonComposer *self = BECKON_COMPOSER (object);

  if (self->text_view != NULL)
    g_signal_handlers_disconnect_by_data (gtk_text_view_get_buffer (self->text_view), self);
  beckon_composer_set_conversation (self, NULL);
  g_clear_object (&self->profiles);
  g_clear_object (&self->agent);
  g_clear_object (&self->servers);
  g_clear_object (&self->speller);
  composer_dispose_vision (self);
  if (self->chooser != NULL)
    gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->chooser));
  g_clear_object (&self->chooser);
  if (self->loader != NULL)
    g_signal_handlers_disconnect_by_data (self->loader, self);
  g_clear_object (&self->loader);
  g_clear_object (&self->screenshot);
  g_clear_object (&self->no_files);
  g_clear_object (&self->kept_files);
  g_clear_pointer (&self->kept_text, g_free);
  G_OBJECT_CLASS (beckon_composer_parent_class)->dispose (object);
}

static void
beckon_composer_finalize (GObject *object)
{
  g_string_free (BECKON_COMPOSER (object)->typed_ahead, TRUE);
  G_OBJECT_CLASS (beckon_composer_parent_class)->finalize (object);
}

static void
beckon_composer_class_init (BeckonComposerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_COMPOSER_BAR);
  g_type_ensure (BECKON_TYPE_QUEUE_STRIP);
  G_OBJECT_CLASS (klass)->dispose = beckon_composer_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_composer_finalize;
  signals[SIGNAL_SEND] = g_signal_new ("send", BECKON_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                       G_TYPE_BOOLEAN);
  signals[SIGNAL_CHANGED] =
      g_signal_new ("changed", BECKON_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_UP] = g_signal_new ("up", BECKON_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_SUBMIT] =
      g_signal_new ("submit", BECKON_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ADVANCE] =
      g_signal_new ("advance", BECKON_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/composer.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, text_view);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, placeholder_bin);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, long_placeholder);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, short_placeholder);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, send_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, queue_strip);
  gtk_widget_class_bind_template_callback (widget_class, composer_on_preedit_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_send_clicked);
  g_type_ensure (BECKON_TYPE_FILE_STRIP);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, notice_revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, notice_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, as_file_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, strip);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, attach_button);
  gtk_widget_class_bind_template_callback (widget_class, on_as_file_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_notice_closed);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, screenshot_button);
  gtk_widget_class_install_action (widget_class, "composer.attach", NULL, attach_action);
  gtk_widget_class_install_action (widget_class, "composer.screenshot", NULL, screenshot_action);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, sight_revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, sight_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, edit_revealer);
  gtk_widget_class_bind_template_callback (widget_class, on_edit_cancelled);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, complete_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, complete_scroller);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, complete_list);
  gtk_widget_class_bind_template_callback (widget_class, composer_complete_on_row_activated);
  g_type_ensure (BECKON_TYPE_PROMPT_FORM);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, prompt_form);
  gtk_widget_class_bind_template_callback (widget_class, on_prompt_filled);
  gtk_widget_class_bind_template_callback (widget_class, on_resource_addressed);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_prompt_closed", G_CALLBACK (beckon_composer_focus));
  gtk_widget_class_install_action (widget_class, "composer.prompt", "(ss)", prompt_action);
  gtk_widget_class_install_action (widget_class, "composer.resource", "(ss)", resource_action);
  gtk_widget_class_install_action (widget_class, "composer.template", "(ss)", template_action);
}

static void
beckon_composer_init (BeckonComposer *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  adw_bin_set_child (self->placeholder_bin, beckon_adaptive_switch_new (GTK_WIDGET (self->long_placeholder),
                                                                        self->short_placeholder, 0));
  self->typed_ahead = g_string_new (NULL);
  beckon_text_height_follow (self->text_view);
  g_signal_connect_swapped (gtk_text_view_get_buffer (self->text_view), "changed", G_CALLBACK (on_buffer_changed), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (composer_on_key_pressed), self);
  g_signal_connect_swapped (keys, "key-released", G_CALLBACK (on_key_released), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_focus_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self->text_view), focus);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (GTK_WIDGET (self->text_view), keys);
  self->speller = beckon_speller_new (self->text_view);
  self->no_files = g_list_store_new (G_TYPE_OBJECT);
  self->loader = beckon_attachment_loader_new ();
  beckon_attachment_loader_set_files (self->loader, self->no_files);
  beckon_file_strip_set_intake (self->strip, self->loader);
  self->screenshot = beckon_screenshot_new ();
  g_signal_connect_object (self->screenshot, "changed", G_CALLBACK (on_screenshot_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->screenshot, "taken", G_CALLBACK (on_screenshot_taken), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->screenshot, "failed", G_CALLBACK (composer_show_notice), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->loader, "failed", G_CALLBACK (composer_show_notice), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->loader, "changed", G_CALLBACK (composer_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->text_view, "paste-clipboard", G_CALLBACK (on_paste), self);
  g_signal_connect_swapped (gtk_text_view_get_buffer (self->text_view), "paste-done", G_CALLBACK (on_paste_done), self);
  beckon_composer_set_placeholder (self, _("Message"));
}
