/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-palette-item.h"

#include <glib/gi18n-lib.h>

struct _BeckonPaletteItem
{
  GObject parent_instance;

  BeckonPaletteKind kind;
  char *title;
  char *subtitle;
  char *icon_name;
  char *action;
  GVariant *target;      /* (owned) (nullable) */
  char *other_words;     /* (nullable) */
  char *conversation_id; /* (nullable) */

  /* found */
  guint score;
  GArray *matches; /* (owned) (nullable) */
};

G_DEFINE_FINAL_TYPE (BeckonPaletteItem, beckon_palette_item, G_TYPE_OBJECT)

static void
beckon_palette_item_finalize (GObject *object)
{
  BeckonPaletteItem *self = BECKON_PALETTE_ITEM (object);

  g_free (self->title);
  g_free (self->subtitle);
  g_free (self->icon_name);
  g_free (self->action);
  g_clear_pointer (&self->target, g_variant_unref);
  g_free (self->other_words);
  g_free (self->conversation_id);
  g_clear_pointer (&self->matches, g_array_unref);
  G_OBJECT_CLASS (beckon_palette_item_parent_class)->finalize (object);
}

static void
beckon_palette_item_class_init (BeckonPaletteItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_palette_item_finalize;
}

static void
beckon_palette_item_init (BeckonPaletteItem *self)
{
}

BeckonPaletteItem *
beckon_palette_item_new (BeckonPaletteKind kind, const char *title, const char *subtitle, const char *icon_name,
                         const char *action, GVariant *target)
{
  BeckonPaletteItem *self = g_object_new (BECKON_TYPE_PALETTE_ITEM, NULL);

  self->kind = kind;
  self->title = g_strdup (title);
  self->subtitle = g_strdup (subtitle);
  self->icon_name = g_strdup (icon_name);
  self->action = g_strdup (action);
  self->target = target != NULL ? g_variant_ref_sink (target) : NULL;
  return self;
}

void
beckon_palette_item_set_other_words (BeckonPaletteItem *item, const char *other_words)
{
  g_free (item->other_words);
  item->other_words = g_strdup (other_words);
}

void
beckon_palette_item_set_conversation_id (BeckonPaletteItem *item, const char *conversation_id)
{
  g_free (item->conversation_id);
  item->conversation_id = g_strdup (conversation_id);
}

void
beckon_palette_item_set_found (BeckonPaletteItem *item, guint score, GArray *matches)
{
  item->score = score;
  g_clear_pointer (&item->matches, g_array_unref);
  item->matches = matches;
}

BeckonPaletteKind
beckon_palette_item_get_kind (BeckonPaletteItem *item)
{
  return item->kind;
}

const char *
beckon_palette_item_get_title (BeckonPaletteItem *item)
{
  return item->title;
}

const char *
beckon_palette_item_get_subtitle (BeckonPaletteItem *item)
{
  return item->subtitle;
}

const char *
beckon_palette_item_get_icon_name (BeckonPaletteItem *item)
{
  return item->icon_name;
}

const char *
beckon_palette_item_get_action (BeckonPaletteItem *item)
{
  return item->action;
}

GVariant *
beckon_palette_item_get_target (BeckonPaletteItem *item)
{
  return item->target;
}

const char *
beckon_palette_item_get_other_words (BeckonPaletteItem *item)
{
  return item->other_words;
}

const char *
beckon_palette_item_get_conversation_id (BeckonPaletteItem *item)
{
  return item->conversation_id;
}

guint
beckon_palette_item_get_score (BeckonPaletteItem *item)
{
  return item->score;
}

const GArray *
beckon_palette_item_get_matches (BeckonPaletteItem *item)
{
  return item->matches;
}

char *
beckon_palette_item_dup_key (BeckonPaletteItem *item)
{
  return g_action_print_detailed_name (item->action, item->target);
}

const char *
beckon_palette_kind_to_word (BeckonPaletteKind kind)
{
  switch (kind)
    {
    case BECKON_PALETTE_REQUEST:
      return _("Waiting for you");
    case BECKON_PALETTE_CONVERSATION:
      return _("Conversation");
    case BECKON_PALETTE_SETTING:
      return _("Setting");
    case BECKON_PALETTE_MESSAGE:
      return _("Message");
    case BECKON_PALETTE_COMMAND:
    default:
      return _("Command");
    }
}
