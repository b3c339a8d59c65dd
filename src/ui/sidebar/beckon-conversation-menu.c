/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-conversation-menu.h"

#include "ui/widgets/beckon-context-menu.h"

#include <glib/gi18n-lib.h>

static void
conversation_menu_append (GMenu *menu, BeckonConversation *conversation, const char *label, const char *word)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, "win.act-on", "(ss)", beckon_conversation_get_id (conversation), word);
  g_menu_append_item (menu, item);
}

static GMenu *
new_section (GMenu *menu)
{
  GMenu *section = g_menu_new ();

  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  return section;
}

/* Temporary ones can't be pinned, archived or copied. */
static void
append_places (GMenu *menu, BeckonConversation *conversation)
{
  if (beckon_conversation_get_temporary (conversation))
    return;
  if (beckon_conversation_get_pinned (conversation))
    conversation_menu_append (menu, conversation, _("Un_pin"), "unpin");
  else if (!beckon_conversation_get_archived (conversation))
    conversation_menu_append (menu, conversation, _("_Pin"), "pin");
  if (beckon_conversation_get_archived (conversation))
    conversation_menu_append (menu, conversation, _("Un_archive"), "unarchive");
  else
    conversation_menu_append (menu, conversation, _("_Archive"), "archive");
  conversation_menu_append (menu, conversation, _("D_uplicate"), "duplicate");
}

GMenuModel *
beckon_conversation_menu_new (BeckonConversation *conversation)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) first = new_section (menu);
  g_autoptr (GMenu) second = new_section (menu);
  g_autoptr (GMenu) third = new_section (menu);
  g_autoptr (GMenu) export = g_menu_new ();

  conversation_menu_append (first, conversation, _("Open in New _Window"), "open-in-window");
  conversation_menu_append (first, conversation, _("_Rename…"), "rename");
  append_places (first, conversation);
  conversation_menu_append (second, conversation, _("_Copy as Markdown"), "copy-markdown");
  conversation_menu_append (export, conversation, _("As _Markdown…"), "export-markdown");
  conversation_menu_append (export, conversation, _("As _JSON…"), "export-json");
  g_menu_append_submenu (second, _("_Export"), G_MENU_MODEL (export));
  conversation_menu_append (second, conversation, _("De_tails"), "details");
  conversation_menu_append (third, conversation, _("_Delete"), "delete");
  return G_MENU_MODEL (menu);
}

void
beckon_conversation_menu_popup (BeckonConversation *conversation, GtkWidget *parent, GtkWidget *row,
                                const graphene_point_t *at)
{
  g_autoptr (GMenuModel) menu = beckon_conversation_menu_new (conversation);

  beckon_context_menu_popup (menu, _("Conversation menu"), parent, row, at);
}
