/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Rows and controls do more here than the toolkit has them do by themselves. */

/** Shows a word for 0 in a spin button, such as "Never", which can be typed as well. @word is copied. */
void beckon_zero_word_apply (GtkSpinButton *spin, const char *word);

/** Gives the entry in a libadwaita row the row's title as its name, which is not so by itself. */
void beckon_entry_row_name (GtkEditable *row);

/** The text that was entered, without white space around it. Caller frees. */
char *beckon_entry_row_dup_text (GtkEditable *row) G_GNUC_WARN_UNUSED_RESULT;

/**
 * Names a control that its row is activated for. Such a control is labelled by the row's title; beside a label of its own both
 * would be read. Called after the control was given to its row.
 */
void beckon_own_name_set (GtkWidget *control, const char *name);

/** Lets the strings of a drop-down list be cut where there is no room, so that a long one does not widen the window. */
void beckon_short_list_apply (GtkDropDown *list);

/** Makes a list one stop: Tab and Shift+Tab leave it from whichever row they are pressed in, and the arrows go through it. */
void beckon_list_tab_leave (GtkWidget *list);

/** How wide a widget is at least, and how wide it would like to be. */
int beckon_measure_least_width (GtkWidget *widget);
int beckon_measure_natural_width (GtkWidget *widget);

/** For widgets, and layouts of them, whose height depends on their width. */
GtkSizeRequestMode beckon_height_for_width (GtkWidget *widget);

/** Whether @widget has the keyboard focus, or something in it has. */
gboolean beckon_focus_is_within (GtkWidget *widget);

/** Whether a key is Enter, wherever on the keyboard. */
gboolean beckon_key_is_enter (guint keyval);

/** Shows @words, and with none or empty ones hides the label. @words: (nullable). */
void beckon_label_say (GtkLabel *label, const char *words);

/** A label that wraps, from the left edge on. @words, @css_class: (nullable). */
GtkWidget *beckon_line_new (const char *words, const char *css_class) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_css_class_set:
 * @widget: a widget
 * @name: a class of the style sheet
 * @is_set: whether @widget is to have it, whatever it has now
 */
void beckon_css_class_set (GtkWidget *widget, const char *name, gboolean is_set);

G_END_DECLS
