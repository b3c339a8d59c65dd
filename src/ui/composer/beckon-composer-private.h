/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-attachment-loader.h"
#include "beckon-composer-bar.h"
#include "beckon-composer.h"
#include "beckon-file-strip.h"
#include "beckon-prompt-form.h"
#include "beckon-queue-strip.h"
#include "beckon-suggestion.h"
#include "ui/desktop/beckon-screenshot.h"
#include "ui/widgets/beckon-speller.h"

G_BEGIN_DECLS

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

/** Brings buttons and placeholder in line with what there is. */
void beckon_composer_update (BeckonComposer *self);

/** The person changed the draft. */
void beckon_composer_emit_changed (BeckonComposer *self);

/** Lists what fits what is typed. */
void     beckon_composer_complete (BeckonComposer *self);
gboolean beckon_composer_complete_key (BeckonComposer *self, guint keyval, GdkModifierType modifiers);
void     beckon_composer_forget_names (BeckonComposer *self);
void     beckon_composer_install_complete (GtkWidgetClass *widget_class);

/** Whether the draft is a prompt of a server, which is asked for now. */
gboolean beckon_composer_take_command (BeckonComposer *self);

/** Does what the window's command says that is all of the text, unless it was refused with Escape. Returns: whether it was. */
gboolean beckon_composer_take_word (BeckonComposer *self);
void     beckon_composer_close_prompt (BeckonComposer *self);

/** Adds what servers have that fits what is typed: prompts, or resources. */
void beckon_composer_add_prompts (BeckonComposer *self, GPtrArray *found, const char *typed);
void beckon_composer_add_resources (BeckonComposer *self, GPtrArray *found, const char *typed);
void beckon_composer_install_servers (GtkWidgetClass *widget_class);

/** Whether the key was taken to go through what was sent before. */
gboolean beckon_composer_history_key (BeckonComposer *self, guint keyval);
void     beckon_composer_forget_history (BeckonComposer *self);

void beckon_composer_install_edit (GtkWidgetClass *widget_class);

/** Says that the model does not see the pictures that are attached, where that is known. */
void beckon_composer_update_vision (BeckonComposer *self);
void beckon_composer_install_vision (GtkWidgetClass *widget_class);
void beckon_composer_dispose_vision (BeckonComposer *self);

/** Whether files can't be attached now. */
gboolean beckon_composer_is_fixed (BeckonComposer *self);

/** Says something above the text, until it is dismissed or other files are there. */
void beckon_composer_show_notice (BeckonComposer *self, const char *words);

void beckon_composer_install_files (GtkWidgetClass *widget_class);
void beckon_composer_init_files (BeckonComposer *self);
void beckon_composer_dispose_files (BeckonComposer *self);

G_END_DECLS
