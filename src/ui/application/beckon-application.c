/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-application.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-debug-information.h"
#include "beckon-notifier.h"
#include "beckon-resources.h"
#include "channels/beckon-channel-watch.h"
#include "channels/beckon-channels.h"
#include "dbus/beckon-questions.h"
#include "dbus/beckon-search-provider.h"
#include "store/queries/beckon-store-copies.h"
#include "ui/blocks/beckon-picture-block.h"
#include "ui/conversation/beckon-conversation-content.h"
#include "ui/desktop/beckon-global-shortcuts.h"
#include "ui/desktop/beckon-inhibitor.h"
#include "ui/desktop/beckon-portal.h"
#include "ui/desktop/beckon-style.h"
#include "ui/preferences/beckon-audit-log.h"
#include "ui/preferences/beckon-copies-group.h"
#include "ui/preferences/beckon-preferences.h"
#include "ui/preferences/beckon-shortcuts.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-compat.h"
#include "ui/widgets/beckon-sheet.h"
#include "ui/window/beckon-window.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>

#ifdef __GLIBC__
#endif

struct _BeckonApplication
{
  AdwApplication parent_instance;

  BeckonSettings *settings; /* (owned) (nullable): from the first window on */
  BeckonRuntime *runtime;   /* (owned) (nullable): from the first frame on */
  gboolean open;            /* the runtime is open */
  gboolean closing;
  gboolean again; /* activated while the runtime was being closed */
  GCancellable *opening;
  BeckonQuestions *questions; /* (owned) (nullable): while there is a bus */
  BeckonSearchProvider *search; /* (owned) (nullable): while there is a bus */
  BeckonInhibitor *inhibitor; /* (owned) (nullable): while the runtime is open */
  BeckonNotifier *notifier;   /* (owned) (nullable): while the runtime is open */
  BeckonChannels *channels;   /* (owned) (nullable): while the runtime is open */
  BeckonChannelWatch *watch;  /* (owned) (nullable): likewise */
  BeckonGlobalShortcuts *shortcuts; /* (owned) (nullable): while the runtime is open */
  GtkWidget *preferences;     /* (nullable): borrowed, while they are shown */
  GtkWidget *keys;            /* (nullable): borrowed, watched: the keyboard shortcuts, while they are shown */
  char *startup_id;           /* (nullable): lets the next window take the focus */
  char *asked;                /* (nullable): from the command line: what to begin with in a small window */
  gboolean ends;              /* without a window, as soon as the runtime is closed */
  gboolean stays;             /* the person wants the runs to go on without a window */
  gboolean held;              /* for runs without a window */
  gboolean is_covered;        /* a sheet is over the active window */
  GVariant *wanted_card;      /* (nullable): conversation and request whose card is to be shown once there is a window */
  GVariant *wanted_answer;    /* (nullable): given in a notification before the runtime was open */
  guint terminate_ids[3];
  guint settling; /* until the window is as it stays */
};

static void application_open_runtime (BeckonApplication *self);
static void application_update_hold (BeckonApplication *self);
static void close_runtime (BeckonApplication *self);

/* The main windows: there may be several, on the same conversations. With the last one the program ends, or goes on without. */

static BeckonWindow *
application_get_window (BeckonApplication *self)
{
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (self)); at != NULL; at = at->next)
    {
      if (BECKON_IS_WINDOW (at->data))
        return at->data;
    }
  return NULL;
}

/* All main windows, the one used last first; (element-type BeckonWindow) (transfer full). */
static GPtrArray *
application_list_windows (BeckonApplication *self)
{
  GPtrArray *windows = g_ptr_array_new_with_free_func (g_object_unref);

  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (self)); at != NULL; at = at->next)
    if (BECKON_IS_WINDOW (at->data))
      g_ptr_array_add (windows, g_object_ref (at->data));
  return windows;
}

static gboolean
open_runtime (gpointer user_data)
{
  application_open_runtime (user_data);
  return G_SOURCE_REMOVE;
}

/* The first frame is drawn before anything with a lower priority runs. */
static gboolean
on_first_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  g_idle_add_full (G_PRIORITY_LOW, open_runtime, g_object_ref (user_data), g_object_unref);
  return G_SOURCE_REMOVE;
}

static void
follow_private (BeckonSettings *settings, const char *key, BeckonWebPictures *pictures)
{
  beckon_web_pictures_set_private_too (pictures, beckon_settings_get_fetch_private_addresses (settings));
}

/* Shows another window; it is filled as soon as the runtime is open. Borrowed. */
static BeckonWindow *
application_add_window (BeckonApplication *self, gboolean small)
{
  gboolean is_careful = FALSE;
  GtkWidget *window;

  if (self->settings == NULL)
    {
      g_autoptr (BeckonWebPictures) pictures = NULL;

      self->settings = beckon_settings_new ();
      is_careful = beckon_settings_begin_start (self->settings);
      beckon_appearance_follow (self->settings);

      pictures = beckon_web_pictures_new ();
      g_signal_connect_object (self->settings, "changed::fetch-private-addresses", G_CALLBACK (follow_private),
                               pictures, 0);
      follow_private (self->settings, NULL, pictures);
      beckon_picture_block_set_pictures (pictures);
    }
  window = beckon_window_new (GTK_APPLICATION (self), self->settings);
  if (is_careful)
    beckon_window_begin_carefully (BECKON_WINDOW (window));
  if (small)
    beckon_window_make_small (BECKON_WINDOW (window));
  g_application_set_inactivity_timeout (G_APPLICATION (self), 0);
  application_update_hold (self);
  self->stays = FALSE;
  gtk_widget_add_tick_callback (window, on_first_tick, g_object_ref (self), g_object_unref);
  if (self->startup_id != NULL)
    gtk_window_set_startup_id (GTK_WINDOW (window), self->startup_id);
  gtk_window_present (GTK_WINDOW (window));
  return BECKON_WINDOW (window);
}

/* Closes all windows without a question, and ends the program if there is none. */
static void
application_close_windows (BeckonApplication *self)
{
  g_autoptr (GPtrArray) windows = application_list_windows (self);

  for (guint i = 0; i < windows->len; i++)
    beckon_window_close_now (g_ptr_array_index (windows, i));
  if (windows->len > 0)
    return;

  /* Running agents are released, and resume at the next start. */
  self->ends = TRUE;
  if (self->runtime == NULL)
    g_application_quit (G_APPLICATION (self));
  close_runtime (self);
  application_update_hold (self);
}

/* Asked once, whatever is shown in how many windows. */
static void
quit_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonWindow *window = application_get_window (user_data);

  if (window == NULL || !beckon_window_ask_before_quitting (window))
    application_close_windows (user_data);
}

static void
close_all_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  application_close_windows (user_data);
}

static void
show_window_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_application_activate (user_data);
}

/* Shows a small window with an empty conversation and @text in its composer. Nothing is sent before the person does it. */
static void
application_ask (BeckonApplication *self, const char *text)
{
  BeckonLink link = { .kind = BECKON_LINK_NEW, .text = (char *) text };

  if (!self->closing)
    beckon_window_follow_link (application_add_window (self, TRUE), &link);
}

static void
ask_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  application_ask (user_data, parameter != NULL ? g_variant_get_string (parameter, NULL) : "");
}

/* An empty conversation, or the one whose id is given. */
static void
new_window_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonApplication *self = user_data;
  BeckonLink link = { .kind = BECKON_LINK_NEW };

  if (parameter != NULL)
    {
      link.kind = BECKON_LINK_CONVERSATION;
      link.conversation_id = (char *) g_variant_get_string (parameter, NULL);
    }
  if (!self->closing)
    beckon_window_follow_link (application_add_window (self, FALSE), &link);
}

/* The key of the whole desktop that opens the small window, while the program runs and as far as the person wants it. */

#define KEY "quick-question-key"

static void
shortcut_on_activated (BeckonApplication *self, const char *token)
{
  self->startup_id = g_strdup (token);
  application_ask (self, "");
  g_clear_pointer (&self->startup_id, g_free);
}

static GSettings *
get_settings (BeckonApplication *self)
{
  return self->runtime != NULL ? beckon_settings_get_gsettings (beckon_runtime_get_settings (self->runtime)) : NULL;
}

/* A refusal holds at later starts. */
static void
on_refused (BeckonApplication *self)
{
  GSettings *settings = get_settings (self);

  if (settings != NULL)
    g_settings_set_boolean (settings, KEY, FALSE);
}

static void
shortcut_follow (GSettings *settings, const char *key, BeckonGlobalShortcuts *shortcuts)
{
  beckon_global_shortcuts_set_wanted (shortcuts, g_settings_get_boolean (settings, KEY));
}

/* Follows the setting of the key that opens the small window from anywhere. */
static void
application_start_shortcut (BeckonApplication *self)
{
  GSettings *settings = get_settings (self);
  g_autoptr (GSettingsSchema) schema = NULL;

  if (settings == NULL || self->shortcuts != NULL)
    return;
  g_object_get (settings, "settings-schema", &schema, NULL);
  if (!g_settings_schema_has_key (schema, KEY))
    return;
  /* Translators: what a key of the desktop does, as its settings show it */
  self->shortcuts = beckon_global_shortcuts_new (_("Ask a quick question"));
  g_signal_connect_object (self->shortcuts, "activated", G_CALLBACK (shortcut_on_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->shortcuts, "refused", G_CALLBACK (on_refused), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "changed::" KEY, G_CALLBACK (shortcut_follow), self->shortcuts, 0);
  shortcut_follow (settings, KEY, self->shortcuts);
}

/* Text channels are served while the program runs, by it or by another process that was there before. A person who looks at a
 * conversation is asked there, not on the phone. */

static void
update_watched (BeckonApplication *self)
{
  BeckonWindow *window = application_get_window (self);

  if (self->channels != NULL)
    beckon_channels_set_watched (self->channels, window != NULL ? beckon_window_get_looked_at (window) : NULL);
}

/* No other window of the program need be active when one ceases to be. */
static void
follow_window (BeckonApplication *self, GtkWindow *window)
{
  if (!BECKON_IS_WINDOW (window))
    return;
  g_signal_connect_object (window, "notify::is-active", G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "notify::visible-dialog", G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "looking-changed", G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
}

static void
application_channels_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonChannels *channels = BECKON_CHANNELS (source);

  if (!beckon_channels_load_finish (channels, result, &error))
    g_message ("Channels were not read: %s", error->message);
  else if (self->channels == channels)
    beckon_channels_set_serving (channels, TRUE);
}

static void
on_failing (BeckonChannelWatch *watch, BeckonChannel *channel, BeckonApplication *self)
{
  if (self->notifier != NULL)
    beckon_notifier_tell_channel (self->notifier, channel);
}

static void
channels_on_recovered (BeckonChannelWatch *watch, const char *id, BeckonApplication *self)
{
  if (self->notifier != NULL)
    beckon_notifier_withdraw_channel (self->notifier, id);
}

/* Serves the text channels, and ends that. */
static void
application_start_channels (BeckonApplication *self)
{
  const BeckonChannelParts parts = {
    .store = beckon_runtime_get_store (self->runtime),
    .inbox = beckon_runtime_get_inbox (self->runtime),
    .library = beckon_runtime_get_library (self->runtime),
    .profiles = beckon_runtime_get_profiles (self->runtime),
    .agent = beckon_runtime_get_agent (self->runtime),
    .secrets = beckon_runtime_get_secrets (self->runtime),
    .clock = beckon_clock_get_system (),
  };

  /* The channels hear of a request when it is known what is looked at. */
  g_signal_connect_object (parts.inbox, "items-changed", G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self, "notify::active-window", G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self, "window-added", G_CALLBACK (follow_window), self, 0);
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (self)); at != NULL; at = at->next)
    follow_window (self, at->data);
  self->channels = beckon_channels_new (&parts);
  self->watch = beckon_channel_watch_new (G_LIST_MODEL (self->channels), parts.clock);
  g_signal_connect_object (self->watch, "failing", G_CALLBACK (on_failing), self, 0);
  g_signal_connect_object (self->watch, "recovered", G_CALLBACK (channels_on_recovered), self, 0);
  beckon_channels_load_async (self->channels, self->opening, application_channels_on_loaded, g_object_ref (self));
}

/* Actions of the application, and the keys of all actions. */

static void
new_conversation_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonWindow *window = application_get_window (user_data);

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
  BeckonWindow *window = application_get_window (self);

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
  BeckonWindow *window = application_get_window (self);
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
  BeckonWindow *window = application_get_window (self);

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
  GtkWindow *window = GTK_WINDOW (application_get_window (self));
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

/* A copy takes the place of the history while nobody has it open, so all windows close, and one comes back. */

static void
on_copy_requested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_store_request_copy_finish (BECKON_STORE (source), result, &error))
    {
      g_application_hold (G_APPLICATION (self));
      application_close_windows (self);
      g_application_activate (G_APPLICATION (self));
      g_application_release (G_APPLICATION (self));
    }
  else if (application_get_window (self) != NULL)
    beckon_window_toast (application_get_window (self), error->message);
}

static void
on_open_copy_response (GtkWidget *alert, const char *response, BeckonApplication *self)
{
  if (g_strcmp0 (response, "open") == 0 && self->runtime != NULL && !self->closing)
    beckon_store_request_copy_async (beckon_runtime_get_store (self->runtime),
                                     g_object_get_data (G_OBJECT (alert), "beckon-copy"), on_copy_requested,
                                     g_object_ref (self));
}

static void
open_copy_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonApplication *self = user_data;
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));
  g_autofree char *day = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *heading = NULL;
  g_autofree char *kept = NULL;
  g_autofree char *body = NULL;
  const char *directory, *name, *date;
  GtkWidget *alert;

  if (self->runtime == NULL || window == NULL)
    return;

  directory = beckon_store_get_directory (beckon_runtime_get_store (self->runtime));
  g_variant_get (parameter, "(&s&s)", &name, &date);
  day = beckon_copy_button_describe_date (date);
  folder = beckon_text_for_display (directory, -1, BECKON_TEXT_EXACT);
  heading = beckon_text_printf (_("Open the Copy From %s?"), day);
  kept = beckon_text_printf (_("• The file that is in use now stays in %s as “beckon-replaced”, with date and time."), folder);
  body = g_strjoin ("\n",
                    _("• It does not include anything added or changed since then: messages, answers, rules, profiles and "
                      "everything else."),
                    _("• What was under way when it was made is stopped, and text channels are off."), kept,
                    _("• All Beckon windows close, and one opens again."), NULL);
  alert = beckon_alert_new (heading, body);
  g_object_set_data_full (G_OBJECT (alert), "beckon-copy", g_strdup (name), g_free);
  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "open", _("_Open Copy"), NULL);
  beckon_alert_set_appearance (alert, "open", ADW_RESPONSE_DESTRUCTIVE);
  beckon_alert_set_defaults (alert, "cancel", "cancel");
  g_signal_connect_object (alert, "response", G_CALLBACK (on_open_copy_response), self, 0);
  beckon_alert_present (alert, self->preferences != NULL ? self->preferences : GTK_WIDGET (window));
}

/* How long after the first conversation is shown the window is as it stays. */
#define SETTLED_MS 500

/* How long a program that was started to answer a call waits for the next one. */
#define LINGER_MS (10 * 1000)

G_DEFINE_FINAL_TYPE (BeckonApplication, beckon_application, ADW_TYPE_APPLICATION)

/* Without a window the program stays for what its agents do, and for nothing else. */
static void
application_update_hold (BeckonApplication *self)
{
  gboolean wanted = self->open && !self->closing && application_get_window (self) == NULL
                    && beckon_agent_count_runs (beckon_runtime_get_agent (self->runtime)) > 0;

  if (wanted && !self->held)
    g_application_hold (G_APPLICATION (self));
  if (wanted && !self->held && self->stays)
    beckon_background_ask (G_APPLICATION (self));
  if (self->notifier != NULL && self->stays && wanted != self->held)
    beckon_notifier_set_background (self->notifier, wanted);
  if (!wanted && self->held)
    g_application_release (G_APPLICATION (self));
  self->held = wanted;
}

/* The last run is over. Nobody sees a program without a window, so it ends by itself. */
static void
on_idle (BeckonApplication *self)
{
  if (!self->held)
    return;

  close_runtime (self);
  application_update_hold (self);
}

static void
application_on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *window = application_get_window (self);

  if (!beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error) && window != NULL)
    beckon_window_toast (window, error->message);
  g_application_release (G_APPLICATION (self));
}

static void
give_answer (BeckonApplication *self, GVariant *parameter)
{
  g_autoptr (BeckonAnswer) answer = NULL;
  const char *id, *label;

  g_variant_get (parameter, "(&s&s)", &id, &label);
  /* A question's choice, and nothing else: an approval and changes have no such form. */
  answer = beckon_answer_new_question (1);
  beckon_answer_select (answer, 0, label);
  g_application_hold (G_APPLICATION (self));
  beckon_inbox_settle_async (beckon_runtime_get_inbox (self->runtime), id, answer, "notification", NULL, NULL,
                             application_on_answered,
                             g_object_ref (self));
}

static void
do_what_is_wanted (BeckonApplication *self)
{
  BeckonWindow *window = application_get_window (self);
  g_autoptr (GVariant) answer = g_steal_pointer (&self->wanted_answer);
  const char *conversation, *request;

  if (answer != NULL)
    give_answer (self, answer);
  if (self->wanted_card == NULL || window == NULL)
    return;

  g_variant_get (self->wanted_card, "(&s&s)", &conversation, &request);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-card", "(ss)", conversation, request);
  g_clear_pointer (&self->wanted_card, g_variant_unref);
}

static void
on_recovered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *window = application_get_window (self);

  if (!beckon_agent_recover_finish (BECKON_AGENT (source), result, &error) && window != NULL &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    beckon_window_toast (window, error->message);
  application_update_hold (self);
}

/* The window is ready, and with it this start. */
static gboolean
on_window_stands (gpointer user_data)
{
  BeckonApplication *self = user_data;

  self->settling = 0;
  beckon_settings_end_start (self->settings);
#ifdef __GLIBC__
  /* To build and first draw the window takes much memory for a moment, which the allocator would keep. */
  malloc_trim (0);
#endif
  return G_SOURCE_REMOVE;
}

static void
give_runtime (BeckonApplication *self)
{
  g_autoptr (GPtrArray) windows = application_list_windows (self);

  for (guint i = 0; i < windows->len; i++)
    if (!beckon_window_has_runtime (g_ptr_array_index (windows, i)))
      beckon_window_set_runtime (g_ptr_array_index (windows, i), self->runtime);
}

/* The window's first view is ready; places to open come with the rest. */
static void
on_usable (BeckonApplication *self)
{
  if (!self->closing)
    give_runtime (self);
}

static void
application_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *window = application_get_window (self);
  gboolean is_open = beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error);

  /* The runtime was closed before that was heard. */
  if (self->runtime != BECKON_RUNTIME (source))
    return;
  self->open = is_open;
  beckon_agent_set_names_conversations (beckon_runtime_get_agent (self->runtime), self->open);
  if (self->open)
    beckon_agent_recover_async (beckon_runtime_get_agent (self->runtime), self->opening, on_recovered,
                                g_object_ref (self));
  if (self->open && self->questions != NULL && !self->closing)
    beckon_questions_set_runtime (self->questions, self->runtime);
  if (self->open && self->search != NULL && !self->closing)
    beckon_search_provider_set_runtime (self->search, self->runtime);
  if (self->open && !self->closing)
    {
      self->notifier = beckon_notifier_new (GTK_APPLICATION (self), self->runtime);
      self->inhibitor = beckon_inhibitor_new (GTK_APPLICATION (self), self->runtime);
      application_start_shortcut (self);
      application_start_channels (self);
      /* An answer may set going what nobody drove. */
      g_signal_connect_object (beckon_runtime_get_agent (self->runtime), "driven", G_CALLBACK (application_update_hold),
                               self, G_CONNECT_SWAPPED);
      g_signal_connect_object (beckon_runtime_get_agent (self->runtime), "idle", G_CALLBACK (on_idle), self,
                               G_CONNECT_SWAPPED);
    }
  if (window == NULL && self->open && !self->closing)
    do_what_is_wanted (self);
  if (window == NULL || self->closing)
    return;
  if (self->open)
    {
      give_runtime (self);
      do_what_is_wanted (self);
    }
  else
    {
      g_autoptr (GPtrArray) windows = application_list_windows (self);

      for (guint i = 0; i < windows->len; i++)
        beckon_window_show_failure (g_ptr_array_index (windows, i), beckon_runtime_get_store (self->runtime), error);
    }
  if (self->settling == 0)
    self->settling = g_timeout_add (SETTLED_MS, on_window_stands, self);
}

/* Opens the runtime, or gives the one that is open to windows that have none. */
static void
application_open_runtime (BeckonApplication *self)
{
  BeckonWindow *window = application_get_window (self);

  /* Open already, for runs or calls without a window. */
  if (self->open && !self->closing && window != NULL)
    {
      give_runtime (self);
      do_what_is_wanted (self);
    }
  if (self->runtime != NULL || self->closing)
    return;

  self->runtime = beckon_runtime_new (NULL);
  beckon_agent_set_adopts (beckon_runtime_get_agent (self->runtime), TRUE);
  beckon_runtime_set_gradual (self->runtime, window != NULL);
  g_signal_connect_object (self->runtime, "usable", G_CALLBACK (on_usable), self, G_CONNECT_SWAPPED);
  self->opening = g_cancellable_new ();
  beckon_runtime_open_async (self->runtime, self->opening, application_on_opened, g_object_ref (self));
}

static void
beckon_application_activate (GApplication *application)
{
  BeckonApplication *self = BECKON_APPLICATION (application);
  BeckonWindow *window = application_get_window (self);

  g_autofree char *asked = NULL;

  if (self->closing)
    {
      self->again = TRUE;
      return;
    }
  asked = g_steal_pointer (&self->asked);
  if (asked != NULL)
    application_ask (self, asked);
  else if (window != NULL)
    gtk_window_present (GTK_WINDOW (window));
  else
    application_add_window (self, FALSE);
}

static void
application_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_runtime_close_finish (BECKON_RUNTIME (source), result, &error))
    g_printerr ("beckon: %s\n", error->message);
  g_clear_object (&self->runtime);
  self->open = FALSE;
  self->closing = FALSE;
  if (self->again)
    g_application_activate (G_APPLICATION (self));
  else if (self->ends)
    g_application_quit (G_APPLICATION (self));
  /* Calls of other programs wait. */
  else if ((self->questions != NULL && beckon_questions_is_wanted (self->questions))
           || (self->search != NULL && beckon_search_provider_is_wanted (self->search)))
    application_open_runtime (self);
  self->again = FALSE;
  g_application_release (G_APPLICATION (self));
}

static void
close_runtime (BeckonApplication *self)
{
  /* A person who closes a window at once ends no start. */
  if (self->settings != NULL)
    beckon_settings_end_start (self->settings);
  g_clear_handle_id (&self->settling, g_source_remove);
  g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  if (self->runtime == NULL || self->closing)
    return;

  self->closing = TRUE;
  if (self->held && self->stays)
    beckon_notifier_set_background (self->notifier, FALSE);
  g_clear_object (&self->notifier);
  g_clear_object (&self->inhibitor);
  g_clear_object (&self->shortcuts);
  g_signal_handlers_disconnect_by_func (self, update_watched, self);
  g_signal_handlers_disconnect_by_func (self, follow_window, self);
  if (self->channels != NULL)
    beckon_channels_set_serving (self->channels, FALSE);
  g_clear_object (&self->watch);
  g_clear_object (&self->channels);
  if (self->questions != NULL)
    beckon_questions_set_runtime (self->questions, NULL);
  if (self->search != NULL)
    beckon_search_provider_set_runtime (self->search, NULL);
  g_application_hold (G_APPLICATION (self));
  beckon_runtime_close_async (self->runtime, application_on_closed, g_object_ref (self));
}

static void
beckon_application_window_removed (GtkApplication *application, GtkWindow *window)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  g_application_hold (G_APPLICATION (self));
  GTK_APPLICATION_CLASS (beckon_application_parent_class)->window_removed (application, window);
  if (BECKON_IS_WINDOW (window) && application_get_window (self) == NULL)
    {
      if (self->stays)
        application_update_hold (self);
      if (!self->held)
        close_runtime (self);
    }
  g_application_release (G_APPLICATION (self));
}

static gboolean
on_terminate (gpointer user_data)
{
  application_close_windows (user_data);
  return G_SOURCE_CONTINUE;
}

static void
stay_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BECKON_APPLICATION (user_data)->stays = TRUE;
}

static void
show_request_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonApplication *self = user_data;
  BeckonWindow *window = application_get_window (self);

  g_clear_pointer (&self->wanted_card, g_variant_unref);
  self->wanted_card = g_variant_ref (parameter);
  g_application_activate (G_APPLICATION (self));
  if (window != NULL && self->open)
    do_what_is_wanted (self);
}

static void
answer_request_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonApplication *self = user_data;

  if (self->open && !self->closing)
    {
      give_answer (self, parameter);
      return;
    }

  g_clear_pointer (&self->wanted_answer, g_variant_unref);
  self->wanted_answer = g_variant_ref (parameter);
  if (application_get_window (self) == NULL)
    g_application_set_inactivity_timeout (G_APPLICATION (self), LINGER_MS);
  application_open_runtime (self);
}

static const GActionEntry actions[] = {
  { .name = "new-conversation", .activate = new_conversation_action },
  { .name = "preferences", .activate = preferences_action },
  { .name = "preferences-at", .activate = preferences_at_action, .parameter_type = "(ss)" },
  { .name = "audit-log", .activate = audit_log_action },
  { .name = "shortcuts", .activate = shortcuts_action },
  { .name = "about", .activate = about_action },
  { .name = "open-copy", .activate = open_copy_action, .parameter_type = "(ss)" },
  { .name = "quit", .activate = quit_action },
  { .name = "close-all", .activate = close_all_action },
  { .name = "show-window", .activate = show_window_action },
  /* Actions without a parameter are in the desktop file, too. */
  { .name = "ask", .activate = ask_action },
  { .name = "ask-about", .activate = ask_action, .parameter_type = "s" },
  { .name = "new-window", .activate = new_window_action },
  { .name = "open-in-window", .activate = new_window_action, .parameter_type = "s" },
  { .name = "stay", .activate = stay_action },
  { .name = "show-request", .activate = show_request_action, .parameter_type = "(ss)" },
  { .name = "answer-request", .activate = answer_request_action, .parameter_type = "(ss)" },
};

void
beckon_application_register_resources (void)
{
  static gsize registered = 0;

  if (!g_once_init_enter (&registered))
    return;

  beckon_register_resource ();
  g_once_init_leave (&registered, 1);
}

static void
follow_link (BeckonApplication *self, const BeckonLink *link)
{
  g_application_activate (G_APPLICATION (self));
  if (application_get_window (self) != NULL)
    beckon_window_follow_link (application_get_window (self), link);
}

/* Links come from anywhere; one that leads nowhere is said where the person looks. */
static void
beckon_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  for (int i = 0; i < n_files; i++)
    {
      g_autofree char *uri = g_file_get_uri (files[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonLink) link = NULL;

      if (!g_file_has_uri_scheme (files[i], BECKON_LINK_SCHEME))
        {
          /* The window that was used last takes it. */
          g_application_activate (application);
          if (application_get_window (self) != NULL)
            beckon_window_take_file (application_get_window (self), files[i]);
          continue;
        }
      link = beckon_link_parse (uri, &error);
      if (link != NULL)
        {
          follow_link (self, link);
          continue;
        }
      g_application_activate (application);
      if (application_get_window (self) != NULL)
        beckon_window_toast (application_get_window (self), error->message);
    }
}

/* A call of another program, and no window: the runtime is opened for it alone. */
static void
on_wanted (BeckonApplication *self)
{
  if (application_get_window (self) == NULL)
    g_application_set_inactivity_timeout (G_APPLICATION (self), LINGER_MS);
  application_open_runtime (self);
}

/* Before the name is there that brings the first call. */
static gboolean
beckon_application_dbus_register (GApplication *application, GDBusConnection *connection, const char *path,
                                  GError **error)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  if (!G_APPLICATION_CLASS (beckon_application_parent_class)->dbus_register (application, connection, path, error))
    return FALSE;

  self->questions = beckon_questions_new (application);
  g_signal_connect_object (self->questions, "wanted", G_CALLBACK (on_wanted), self, G_CONNECT_SWAPPED);
  self->search = beckon_search_provider_new (application);
  g_signal_connect_object (self->search, "wanted", G_CALLBACK (on_wanted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "activated", G_CALLBACK (follow_link), self, G_CONNECT_SWAPPED);
  return beckon_questions_export (self->questions, connection, error)
         && beckon_search_provider_export (self->search, connection, error);
}

static void
beckon_application_dbus_unregister (GApplication *application, GDBusConnection *connection, const char *path)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  if (self->questions != NULL)
    beckon_questions_withdraw (self->questions);
  if (self->search != NULL)
    beckon_search_provider_withdraw (self->search);
  g_clear_object (&self->questions);
  g_clear_object (&self->search);
  G_APPLICATION_CLASS (beckon_application_parent_class)->dbus_unregister (application, connection, path);
}

static void
beckon_application_startup (GApplication *application)
{
  static const int endings[] = { SIGHUP, SIGINT, SIGTERM };
  BeckonApplication *self = BECKON_APPLICATION (application);

  G_STATIC_ASSERT (G_N_ELEMENTS (endings) == G_N_ELEMENTS (self->terminate_ids));
  beckon_application_register_resources ();
  G_APPLICATION_CLASS (beckon_application_parent_class)->startup (application);
  beckon_compat_init ();
  beckon_style_load ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  set_accelerators (self, FALSE);
  g_signal_connect (self, "window-added", G_CALLBACK (on_window_added), NULL);
  g_signal_connect (self, "notify::active-window", G_CALLBACK (follow_sheets), NULL);
  if (self->questions != NULL)
    beckon_questions_own_name (self->questions);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    self->terminate_ids[i] = g_unix_signal_add (endings[i], on_terminate, self);
}

/* The words of a question need no quotation marks, so they are taken before they could be files. */
static gboolean
beckon_application_local_command_line (GApplication *application, char ***arguments, int *exit_status)
{
  BeckonApplication *self = BECKON_APPLICATION (application);
  char **words = *arguments;
  guint n = g_strv_length (words);

  if (n >= 2 && (strcmp (words[1], "--ask") == 0 || strcmp (words[1], "-a") == 0))
    {
      g_free (self->asked);
      self->asked = g_strjoinv (" ", words + 2);
      for (guint i = 2; i < n; i++)
        g_clear_pointer (&words[i], g_free);
    }
  return G_APPLICATION_CLASS (beckon_application_parent_class)->local_command_line (application, arguments, exit_status);
}

static int
beckon_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  BeckonApplication *self = BECKON_APPLICATION (application);
  gboolean ask;

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("beckon %s\n", BECKON_VERSION);
      return 0;
    }
  ask = g_variant_dict_contains (options, "ask");
  if (!ask)
    g_clear_pointer (&self->asked, g_free);
  else if (self->asked == NULL)
    self->asked = g_strdup ("");
  if ((!ask && !g_variant_dict_contains (options, "new-window")) || !g_application_register (application, NULL, NULL)
      || !g_application_get_is_remote (application))
    return -1;
  /* The running process does it. */
  if (ask)
    g_action_group_activate_action (G_ACTION_GROUP (application), "ask-about", g_variant_new_string (self->asked));
  else
    g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  g_dbus_connection_flush_sync (g_application_get_dbus_connection (application), NULL, NULL);
  return 0;
}

static void
beckon_application_shutdown (GApplication *application)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  for (guint i = 0; i < G_N_ELEMENTS (self->terminate_ids); i++)
    g_clear_handle_id (&self->terminate_ids[i], g_source_remove);
  beckon_conversation_content_clean_up ();
  G_APPLICATION_CLASS (beckon_application_parent_class)->shutdown (application);
}

static void
beckon_application_dispose (GObject *object)
{
  BeckonApplication *self = BECKON_APPLICATION (object);

  g_clear_object (&self->questions);
  g_clear_object (&self->search);
  g_clear_object (&self->notifier);
  g_clear_object (&self->inhibitor);
  g_clear_object (&self->shortcuts);
  g_clear_pointer (&self->wanted_card, g_variant_unref);
  g_clear_pointer (&self->wanted_answer, g_variant_unref);
  g_clear_pointer (&self->asked, g_free);
  g_clear_handle_id (&self->settling, g_source_remove);
  g_clear_object (&self->opening);
  g_clear_object (&self->runtime);
  g_clear_object (&self->settings);
  g_clear_weak_pointer (&self->keys);
  G_OBJECT_CLASS (beckon_application_parent_class)->dispose (object);
}

static void
beckon_application_class_init (BeckonApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_application_dispose;
  application_class->activate = beckon_application_activate;
  application_class->dbus_register = beckon_application_dbus_register;
  application_class->dbus_unregister = beckon_application_dbus_unregister;
  application_class->open = beckon_application_open;
  application_class->local_command_line = beckon_application_local_command_line;
  application_class->handle_local_options = beckon_application_handle_local_options;
  application_class->startup = beckon_application_startup;
  application_class->shutdown = beckon_application_shutdown;
  GTK_APPLICATION_CLASS (klass)->window_removed = beckon_application_window_removed;
}

static void
beckon_application_init (BeckonApplication *self)
{
  static const GOptionEntry entries[] = {
    { "ask", 'a', 0, G_OPTION_ARG_NONE, NULL,
      N_("Open a small window for a question, with the words that follow in it; nothing is sent yet"), NULL },
    { "new-window", 'w', 0, G_OPTION_ARG_NONE, NULL, N_("Open another window"), NULL },
    { "version", 'v', 0, G_OPTION_ARG_NONE, NULL, N_("Print the version and end"), NULL },
    { NULL },
  };
  GApplication *application = G_APPLICATION (self);

  g_application_add_main_option_entries (application, entries);
  /* Translators: what a command line can end with; LINK and FILE may be translated */
  g_application_set_option_context_parameter_string (application, _("[LINK… | FILE…]"));
  g_application_set_option_context_summary (application,
                                            _("An agent that works on its own, and stops to ask when a decision is yours."));
  g_application_set_option_context_description (
      application,
      _("A LINK leads to a place in the window: beckon://conversation/ID, beckon://new?text=TEXT or\n"
        "beckon://search?text=WORDS. A FILE is attached to a new conversation; one that “beckonctl export” wrote is\n"
        "imported after a question. Nothing is sent by either.\n\nThe terminal’s side of it is beckonctl (1)."));
}

BeckonApplication *
beckon_application_new (void)
{
  return g_object_new (BECKON_TYPE_APPLICATION, "application-id", BECKON_APPLICATION_ID, "resource-base-path",
                       BECKON_RESOURCE_PATH, "flags", G_APPLICATION_HANDLES_OPEN, NULL);
}
