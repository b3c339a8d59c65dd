/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * BeckonLabelLink:
 * @start: the first byte of the label's text that belongs to the link
 * @end: the byte after the last
 * @address: where it leads; one that beckon_link_opener_can_open () accepts
 */
typedef struct
{
  guint start;
  guint end;
  char *address;
} BeckonLabelLink;

BeckonLabelLink *beckon_label_link_new (guint start, guint end, const char *address) G_GNUC_WARN_UNUSED_RESULT;
void beckon_label_link_free (BeckonLabelLink *link);

/**
 * beckon_label_links_set:
 * @label: a label whose text is set already, and can be selected
 * @links: (nullable) (element-type BeckonLabelLink): in the order of the text, apart from each other
 * @attributes: (nullable): how the text is drawn otherwise; places are bytes of it
 *
 * Draws text with links, without markup: GTK's own links in a label end the program in GTK 4.24 when the label goes while a
 * screen reader listens. A click opens a link, Tab goes from one to the next and Enter opens the one that is selected; the
 * context menu opens it or copies its address, and the tooltip shows where it leads.
 */
void beckon_label_links_set (GtkLabel *label, GPtrArray *links, PangoAttrList *attributes);

/** How many links the label has. */
guint beckon_label_links_count (GtkLabel *label);

/** The address of the link at a point of @label, in its coordinates; %NULL if there is none. */
const char *beckon_label_links_find (GtkLabel *label, double x, double y);

/** Whether @address (nullable) leads to a page or a mailbox. Nothing else in a model's text is a link. */
gboolean beckon_link_opener_can_open (const char *address);

G_END_DECLS
