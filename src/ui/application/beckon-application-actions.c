/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-application-private.h"

#include "beckon-debug-information.h"
#include "ui/preferences/beckon-audit-log.h"
#include "ui/preferences/beckon-preferences.h"
#include "ui/preferences/beckon-shortcuts.h"
#include "ui/widgets/beckon-sheet.h"

#include <glib/gi18n-lib.h>

/* Actions of the application, and the keys of all actions. */

static void
new_conversation_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonWindow *window = beckon_application_get_window (user_data);

  if (window != NULL)
    beckon_window_new_conversation (window);
}

static void
on_preferences_closed (BeckonApplication *self)
{
  self->preferences = NULL;
}

static void
show_preferences (BeckonApplication *self, const char *page, const char *title)
{
  BeckonWindow *window = beckon_application_get_window (self);

  if (window == NULL || !self->open)
    return;

  if (self->preferences == NULL)
    {
      self->preferences = beckon_preferences_new (self->runtime, self->channels);
      g_signal_connect_object (self->preferences, "closed", G_CALLBACK (on_preferences_closed), self, G_CONNECT_SWAPPED);
      beckon_sheet_present (BECKON_SHEET (self->preferences), GTK_WIDGET (window));
    }
  else
    {
      gtk_window_present (beckon_sheet_get_window (BECKON_SHEET (self->preferences)));
    }
  if (page != NULL)
    beckon_preferences_show_row (BECKON_PREFERENCES (self->preferences), page, title);
}

static void
preferences_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  show_preferences (user_data, NULL, NULL);
}

static void
preferences_at_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const char *page, *title;

  g_variant_get (parameter, "(&s&s)", &page, &title);
  show_preferences (user_data, page, title);
}

static void
on_place_wanted (BeckonSheet *log, const char *conversation_id, const char *message_id, gpointer user_data)
{
  BeckonApplication *self = user_data;
  BeckonWindow *window = beckon_application_get_window (self);
  g_autoptr (BeckonLink) link = beckon_link_new (BECKON_LINK_CONVERSATION, conversation_id, message_id, NULL);

  beckon_sheet_close (log);
  if (self->preferences != NULL)
    beckon_sheet_close (BECKON_SHEET (self->preferences));
  if (window != NULL)
    {
      beckon_window_follow_link (window, link);
      gtk_window_present (GTK_WINDOW (window));
    }
}

static void
audit_log_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonApplication *self = user_data;
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));
  GtkWidget *log;

  if (window == NULL || !self->open)
    return;
  log = beckon_audit_log_new (self->runtime);
  g_signal_connect_object (log, "place-wanted", G_CALLBACK (on_place_wanted), self, 0);
  beckon_sheet_present (BECKON_SHEET (log), self->preferences != NULL ? self->preferences : GTK_WIDGET (window));
}

static void
shortcuts_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonApplication *self = user_data;
  BeckonWindow *window = beckon_application_get_window (self);

  /* The key that opens them is the same in them. */
  if (window == NULL || self->keys != NULL)
    return;
  g_set_weak_pointer (&self->keys, beckon_shortcuts_new ());
  beckon_sheet_present (BECKON_SHEET (self->keys), GTK_WIDGET (window));
}

static void
about_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonApplication *self = user_data;
  GtkWindow *window = GTK_WINDOW (beckon_application_get_window (self));
  /* With a license that GTK knows there would be a link; see beckon_label_links_set(). */
  const char *license = _("Beckon comes with absolutely no warranty. See the GNU General Public License, version 3 or later: "
                          "https://www.gnu.org/licenses/gpl-3.0.html");
  g_autofree char *debug = beckon_debug_information_make (self->open && !self->closing ? self->runtime : NULL);

  adw_show_about_window (window, "application-name", _("Beckon"), "application-icon",
                         BECKON_APPLICATION_ID, "version", BECKON_VERSION, "developer-name", _("The Beckon contributors"),
                         "license-type", GTK_LICENSE_CUSTOM, "license", license, "debug-info", debug, "debug-info-filename",
                         "beckon-debug.txt", "comments",
                         _("An agent that works on its own, and stops to ask when a decision is yours."),
                         /* Translators: your names, one per line */
                         "translator-credits", _("translator-credits"), NULL);
}

static const GActionEntry actions[] = {
  { .name = "new-conversation", .activate = new_conversation_action },
  { .name = "preferences", .activate = preferences_action },
  { .name = "preferences-at", .activate = preferences_at_action, .parameter_type = "(ss)" },
  { .name = "audit-log", .activate = audit_log_action },
  { .name = "shortcuts", .activate = shortcuts_action },
  { .name = "about", .activate = about_action },
};

static const struct
{
  const char *action;
  const char *keys[3];
} accelerators[] = {
  { "app.new-conversation", { "<Control>n" } },
  { "app.new-window", { "<Control><Shift>n" } },
  { "app.preferences", { "<Control>comma" } },
  { "app.shortcuts", { "<Control>question" } },
  { "app.quit", { "<Control>q" } },
  { "window.close", { "<Control>w" } },
  { "win.palette", { "<Control>k" } },
  { "win.toggle-sidebar", { "F9" } },
  { "win.search", { "<Control><Shift>f" } },
  { "win.find", { "<Control>f" } },
  { "win.find-next", { "<Control>g" } },
  { "win.find-previous", { "<Control><Shift>g" } },
  { "win.rename", { "F2" } },
  { "win.new-temporary", { "<Control><Shift>t" } },
  { "win.stop-all", { "<Control><Shift>Escape" } },
  { "win.stop", { "<Shift>Escape" } },
  { "win.go-to-question", { "<Control>j" } },
  { "win.next-region", { "F6" } },
  { "win.previous-region", { "<Shift>F6" } },
};

static void
set_accelerators (BeckonApplication *self, gboolean is_covered)
{
  static const char *const none[] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (accelerators); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accelerators[i].action,
                                           is_covered && g_str_has_prefix (accelerators[i].action, "win.")
                                             ? none
                                             : (const char *const *) accelerators[i].keys);
}

/* The keys of a window are not for what a sheet covers: they would rename, find or stop below it. A window over another one, as
 * older versions have them, gets none of these keys. */
static void
follow_sheets (BeckonApplication *self)
{
  gboolean is_covered = beckon_sheet_covers (gtk_application_get_active_window (GTK_APPLICATION (self)));

  if (is_covered == self->is_covered)
    return;
  self->is_covered = is_covered;
  set_accelerators (self, is_covered);
}

static void
on_window_added (BeckonApplication *self, GtkWindow *window)
{
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (window), "visible-dialog") != NULL)
    g_signal_connect_object (window, "notify::visible-dialog", G_CALLBACK (follow_sheets), self, G_CONNECT_SWAPPED);
}

void
beckon_application_add_actions (BeckonApplication *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  set_accelerators (self, FALSE);
  g_signal_connect (self, "window-added", G_CALLBACK (on_window_added), NULL);
  g_signal_connect (self, "notify::active-window", G_CALLBACK (follow_sheets), NULL);
}
