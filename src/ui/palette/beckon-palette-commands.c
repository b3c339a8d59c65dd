/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-palette-commands.h"

#include "beckon-palette-item.h"

#include <glib/gi18n-lib.h>

/* When a command makes sense; all of its marks must hold. */
typedef enum
{
  ALWAYS = 0,
  IF_SHOWN = 1 << 0,      /* a conversation is */
  IF_WRITTEN = 1 << 1,    /* it has messages */
  IF_KEPT = 1 << 2,       /* it is not a temporary one */
  IF_BUSY = 1 << 3,       /* its agent is at work */
  IF_WAITING = 1 << 4,    /* it waits for the person */
  IF_FOLDER = 1 << 5,     /* it has a folder */
  IF_PINNED = 1 << 6,
  IF_UNPINNED = 1 << 7,
  IF_ARCHIVED = 1 << 8,
  IF_UNARCHIVED = 1 << 9,
} Condition;

static const struct
{
  const char *title;
  const char *other_words; /* for who looks for it by another name */
  const char *icon_name;
  const char *action;
  const char *target; /* (nullable): a word; of "win.act-on" it is what is done to the conversation */
  Condition condition;
} commands[] = {
  { N_("New Conversation"), "start begin chat", "list-add-symbolic", "app.new-conversation", NULL, ALWAYS },
  { N_("New Window"), "open", "window-new-symbolic", "app.new-window", NULL, ALWAYS },
  { N_("Quick Question"), "small window ask", "window-new-symbolic", "app.ask", NULL, ALWAYS },
  { N_("Open Conversation in New Window"), "separate", "window-new-symbolic", "win.act-on", "open-in-window", IF_SHOWN },
  { N_("New Temporary Conversation"), "private incognito", "view-conceal-symbolic", "win.new-temporary", NULL, ALWAYS },
  { N_("Stop"), "cancel abort interrupt", "media-playback-stop-symbolic", "win.stop", NULL, IF_SHOWN | IF_BUSY },
  { N_("Go to the Waiting Question"), "answer", "beckon-question-symbolic", "win.go-to-question", NULL,
    IF_SHOWN | IF_WAITING },
  { N_("Waiting for You"), "questions approvals inbox", "beckon-question-symbolic", "win.go-to-waiting", NULL, ALWAYS },
  { N_("Search Conversations"), "find history", "edit-find-symbolic", "win.search", NULL, ALWAYS },
  { N_("Find in Conversation"), "search text", "edit-find-symbolic", "win.find", NULL, IF_SHOWN | IF_WRITTEN },
  { N_("Choose a Working Folder…"), "directory project", "folder-symbolic", "win.choose-folder", NULL, IF_SHOWN },
  { N_("Work Without a Folder"), "directory project", "folder-symbolic", "win.forget-folder", NULL,
    IF_SHOWN | IF_FOLDER },
  { N_("Ask for Everything"), "mode permission", "security-high-symbolic", "win.mode", "everything", IF_SHOWN },
  { N_("Ask for Changes"), "mode permission", "security-medium-symbolic", "win.mode", "changes", IF_SHOWN },
  { N_("Ask Outside the Folder"), "mode permission", "security-low-symbolic", "win.mode", "outside", IF_SHOWN },
  { N_("Rename Conversation…"), "title", "document-edit-symbolic", "win.rename", NULL, IF_SHOWN | IF_WRITTEN },
  { N_("Pin Conversation"), "keep top", "view-pin-symbolic", "win.act-on", "pin",
    IF_SHOWN | IF_WRITTEN | IF_KEPT | IF_UNPINNED },
  { N_("Unpin Conversation"), "", "view-pin-symbolic", "win.act-on", "unpin", IF_SHOWN | IF_KEPT | IF_PINNED },
  { N_("Archive Conversation"), "hide put away", "folder-download-symbolic", "win.act-on", "archive",
    IF_SHOWN | IF_WRITTEN | IF_KEPT | IF_UNARCHIVED },
  { N_("Unarchive Conversation"), "", "folder-download-symbolic", "win.act-on", "unarchive",
    IF_SHOWN | IF_KEPT | IF_ARCHIVED },
  { N_("Duplicate Conversation"), "copy clone", "edit-copy-symbolic", "win.act-on", "duplicate",
    IF_SHOWN | IF_WRITTEN | IF_KEPT },
  { N_("Summarize Earlier Messages"), "compact context shorten room", "format-justify-left-symbolic", "win.compact", NULL,
    IF_SHOWN | IF_WRITTEN },
  { N_("Copy Conversation as Markdown"), "clipboard text", "edit-copy-symbolic", "win.act-on", "copy-markdown",
    IF_SHOWN | IF_WRITTEN },
  { N_("Conversation Details"), "tokens usage cost spending total", "dialog-information-symbolic", "win.act-on", "details",
    IF_SHOWN | IF_WRITTEN },
  { N_("Export Conversation as Markdown…"), "save file", "document-save-symbolic", "win.act-on", "export-markdown",
    IF_SHOWN | IF_WRITTEN },
  { N_("Export Conversation as JSON…"), "save file", "document-save-symbolic", "win.act-on", "export-json",
    IF_SHOWN | IF_WRITTEN },
  { N_("Import Conversations…"), "open file zip chatgpt claude history migrate", "document-open-symbolic", "win.import", NULL,
    ALWAYS },
  { N_("Delete Conversation"), "remove trash", "user-trash-symbolic", "win.act-on", "delete", IF_SHOWN | IF_WRITTEN },
  { N_("Stop the Agent in All Conversations"), "cancel abort", "media-playback-stop-symbolic", "win.stop-all", NULL,
    ALWAYS },
  { N_("Show or Hide the Sidebar"), "list", "sidebar-show-symbolic", "win.toggle-sidebar", NULL, ALWAYS },
  { N_("Take the Offline Tour"), "help demo introduction", "beckon-tour-symbolic", "win.start-tour", NULL, ALWAYS },
  { N_("Preferences"), "settings options configuration", "emblem-system-symbolic", "app.preferences", NULL, ALWAYS },
  { N_("Audit Log"), "history approvals what ran", "view-list-symbolic", "app.audit-log", NULL, ALWAYS },
  { N_("Keyboard Shortcuts"), "keys help", "preferences-desktop-keyboard-shortcuts-symbolic", "app.shortcuts", NULL,
    ALWAYS },
  { N_("About Beckon"), "version debug information", "help-about-symbolic", "app.about", NULL, ALWAYS },
  { N_("Delete All Data…"), "erase remove everything", "user-trash-symbolic", "win.delete-all", NULL, ALWAYS },
  { N_("Quit"), "exit close", "application-exit-symbolic", "app.quit", NULL, ALWAYS },
};

static Condition
get_state (BeckonConversation *conversation)
{
  Condition state = ALWAYS;

  if (conversation == NULL)
    return state;
  state |= IF_SHOWN;
  state |= beckon_conversation_get_n_messages (conversation) > 0 ? IF_WRITTEN : 0;
  state |= !beckon_conversation_get_temporary (conversation) ? IF_KEPT : 0;
  state |= beckon_conversation_is_busy (conversation) ? IF_BUSY : 0;
  state |= beckon_conversation_get_waiting (conversation) > 0 ? IF_WAITING : 0;
  state |= beckon_conversation_get_folder (conversation) != NULL ? IF_FOLDER : 0;
  state |= beckon_conversation_get_pinned (conversation) ? IF_PINNED : IF_UNPINNED;
  state |= beckon_conversation_get_archived (conversation) ? IF_ARCHIVED : IF_UNARCHIVED;
  return state;
}

static GVariant *
make_target (const char *action, const char *word, BeckonConversation *conversation)
{
  if (word == NULL)
    return NULL;
  if (g_str_equal (action, "win.act-on"))
    return g_variant_new ("(ss)", beckon_conversation_get_id (conversation), word);
  return g_variant_new_string (word);
}

void
beckon_palette_commands_append (GPtrArray *items, BeckonConversation *conversation)
{
  Condition state = get_state (conversation);

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *other_words = g_strjoin (" ", commands[i].title, commands[i].other_words, NULL);
      BeckonPaletteItem *item;

      if ((commands[i].condition & ~state) != 0)
        continue;
      item = beckon_palette_item_new (BECKON_PALETTE_COMMAND, _(commands[i].title), NULL, commands[i].icon_name,
                                      commands[i].action,
                                      make_target (commands[i].action, commands[i].target, conversation));
      beckon_palette_item_set_other_words (item, other_words);
      g_ptr_array_add (items, item);
    }
}
