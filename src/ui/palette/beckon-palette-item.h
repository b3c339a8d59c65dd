/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  BECKON_PALETTE_REQUEST,
  BECKON_PALETTE_CONVERSATION,
  BECKON_PALETTE_COMMAND,
  BECKON_PALETTE_SETTING,
  BECKON_PALETTE_MESSAGE,
} BeckonPaletteKind;

#define BECKON_TYPE_PALETTE_ITEM (beckon_palette_item_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPaletteItem, beckon_palette_item, BECKON, PALETTE_ITEM, GObject)

/**
 * BeckonPaletteItem:
 *
 * Something that the palette offers: what it is called, and the action that is done when it is chosen. Immutable but for what a
 * search says of it.
 */

/**
 * beckon_palette_item_new:
 * @kind: what it is
 * @title: what it is called; fit to be shown
 * @subtitle: (nullable): what says more; fit to be shown
 * @icon_name: of a symbolic icon
 * @action: its name with its prefix
 * @target: (nullable): of the action; a floating one is taken
 *
 * Returns: a new one
 */
BeckonPaletteItem *beckon_palette_item_new (BeckonPaletteKind kind, const char *title, const char *subtitle,
                                            const char *icon_name, const char *action,
                                            GVariant *target) G_GNUC_WARN_UNUSED_RESULT;

/** @other_words: (nullable): by what else it is found, such as its English name. */
void beckon_palette_item_set_other_words (BeckonPaletteItem *item, const char *other_words);

/** @conversation_id: of the conversation that it leads to. */
void beckon_palette_item_set_conversation_id (BeckonPaletteItem *item, const char *conversation_id);

/** Sets a search's result. @matches: (nullable) (transfer full) (element-type BeckonMatch): in the title. */
void beckon_palette_item_set_found (BeckonPaletteItem *item, guint score, GArray *matches);

BeckonPaletteKind beckon_palette_item_get_kind (BeckonPaletteItem *item);
const char       *beckon_palette_item_get_title (BeckonPaletteItem *item);
const char       *beckon_palette_item_get_subtitle (BeckonPaletteItem *item);
const char       *beckon_palette_item_get_icon_name (BeckonPaletteItem *item);
const char       *beckon_palette_item_get_action (BeckonPaletteItem *item);
GVariant         *beckon_palette_item_get_target (BeckonPaletteItem *item);
const char       *beckon_palette_item_get_other_words (BeckonPaletteItem *item);
const char       *beckon_palette_item_get_conversation_id (BeckonPaletteItem *item);
guint             beckon_palette_item_get_score (BeckonPaletteItem *item);
const GArray     *beckon_palette_item_get_matches (BeckonPaletteItem *item);

/** Makes the key of a recent item: the action with its target, as g_action_print_detailed_name() writes it. */
char *beckon_palette_item_dup_key (BeckonPaletteItem *item) G_GNUC_WARN_UNUSED_RESULT;

/** The kind in a word, for people; static. */
const char *beckon_palette_kind_to_word (BeckonPaletteKind kind);

G_END_DECLS
