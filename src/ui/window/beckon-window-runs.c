/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "base/beckon-text.h"
#include "ui/widgets/beckon-alert.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The runs of all conversations together: stopping them, and what becomes of them when the program ends. */

#define MOST_TITLE_CHARS 40
#define MOST_LINES 5
/* The window that an alert is about. */
#define WINDOW "beckon-window"

/* A run's fate at the program's end. */
typedef enum
{
  FATE_NONE,    /* there is none, or another process drives it */
  FATE_RESUMES, /* it waits, and waits again after the next start */
  FATE_TOOLS,   /* tools run: they end, and the run goes on after the next start */
  FATE_CUT_OFF, /* the reply is lost from here on */
  FATE_LOST,    /* so is the conversation */
} Fate;

static Fate
get_fate (BeckonWindow *self, BeckonConversation *conversation)
{
  BeckonRunPhase phase = beckon_conversation_get_phase (conversation);
  BeckonRunPhase next;

  if (!beckon_conversation_is_busy (conversation) ||
      !beckon_agent_is_driving (beckon_runtime_get_agent (self->runtime), beckon_conversation_get_id (conversation)))
    return FATE_NONE;
  if (beckon_conversation_get_temporary (conversation))
    return FATE_LOST;
  if (phase == BECKON_RUN_CALLING)
    return FATE_TOOLS;
  if (!beckon_run_phase_next (phase, BECKON_RUN_EVENT_HOLDER_DIED, &next) || beckon_run_phase_is_end (next))
    return FATE_CUT_OFF;
  return FATE_RESUMES;
}

typedef void (*RunFunc) (BeckonWindow *self, BeckonConversation *conversation, Fate fate, gpointer user_data);

static void
foreach_run (BeckonWindow *self, RunFunc function, gpointer user_data)
{
  GListModel *library = self->runtime != NULL ? G_LIST_MODEL (beckon_runtime_get_library (self->runtime)) : NULL;
  guint n = library != NULL ? g_list_model_get_n_items (library) : 0;
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      BeckonConversation *conversation = g_list_model_get_item (library, i);

      g_ptr_array_add (runs, conversation);
    }
  for (guint i = 0; i < n; i++)
    {
      Fate fate = get_fate (self, g_ptr_array_index (runs, i));

      if (fate != FATE_NONE)
        function (self, g_ptr_array_index (runs, i), fate, user_data);
    }
}

static void
count (BeckonWindow *self, BeckonConversation *conversation, Fate fate, gpointer user_data)
{
  ++*(guint *) user_data;
}

guint
beckon_window_count_runs (BeckonWindow *self)
{
  guint n = 0;

  foreach_run (self, count, &n);
  return n;
}

/* Those that other processes drive, too. */
static guint
stop_all (BeckonWindow *self)
{
  GListModel *library = self->runtime != NULL ? G_LIST_MODEL (beckon_runtime_get_library (self->runtime)) : NULL;
  g_autoptr (GPtrArray) busy = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; library != NULL && i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (library, i);

      if (beckon_conversation_is_busy (conversation))
        g_ptr_array_add (busy, g_steal_pointer (&conversation));
    }
  for (guint i = 0; i < busy->len; i++)
    beckon_agent_stop (beckon_runtime_get_agent (self->runtime), g_ptr_array_index (busy, i));

  return busy->len;
}

static void
stop_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  g_autofree char *text = NULL;
  guint n = stop_all (self);

  if (n > 0)
    text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u conversation stopped", "%u conversations stopped", n), n);
  beckon_window_toast (self, n > 0 ? text : _("Nothing is running"));
}

/* Quitting */

typedef struct
{
  GString *lines;
  guint n_lines;
  gboolean loses;
} Parting;

static const char *
describe_fate (Fate fate)
{
  switch (fate)
    {
    case FATE_RESUMES:
      /* Translators: %s is the title of a conversation */
      return _("• “%s” is waiting for you, and will be at the next start.");

    case FATE_TOOLS:
      /* Translators: %s is the title of a conversation */
      return _("• The tool running in “%s” will be ended. The agent resumes at the next start, and asks if it can’t tell "
               "what was done.");

    case FATE_LOST:
      /* Translators: %s is the title of a conversation */
      return _("• “%s” is temporary and will be lost.");

    case FATE_NONE:
    case FATE_CUT_OFF:
    default:
      /* Translators: %s is the title of a conversation */
      return _("• The reply in “%s” will be interrupted. The part received so far is kept, and you can retry.");
    }
}

static void
add_line (BeckonWindow *self, BeckonConversation *conversation, Fate fate, gpointer user_data)
{
  Parting *parting = user_data;
  const char *title = beckon_conversation_get_title (conversation);
  g_autofree char *shortened = beckon_text_shorten (*title != '\0' ? title : _("New conversation"), MOST_TITLE_CHARS);
  g_autofree char *safe = beckon_text_for_display (shortened, -1, BECKON_TEXT_PROSE);
  const char *format = describe_fate (fate);
  const char *place = strstr (format, "%s");

  parting->loses = parting->loses || fate != FATE_RESUMES;
  if (++parting->n_lines > MOST_LINES || place == NULL)
    return;
  g_string_append (parting->lines, parting->lines->len > 0 ? "\n" : "");
  g_string_append_len (parting->lines, format, place - format);
  g_string_append (parting->lines, safe);
  g_string_append (parting->lines, place + 2);
}

static void
close_for_good (gpointer user_data)
{
  g_autoptr (GApplication) application = user_data;

  g_action_group_activate_action (G_ACTION_GROUP (application), "close-all", NULL);
}

/* Once the dialog is through with its answer: the window takes it along when it goes. */
static void
on_quit_response (GtkWidget *alert, const char *response, BeckonWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application == NULL)
    return;
  if (g_strcmp0 (response, "background") == 0)
    g_action_group_activate_action (G_ACTION_GROUP (application), "stay", NULL);
  else if (g_strcmp0 (response, "quit") != 0)
    return;

  g_idle_add_once (close_for_good, g_object_ref (application));
}

static Parting
describe_parting (BeckonWindow *self)
{
  Parting parting = { .lines = g_string_new (NULL) };

  foreach_run (self, add_line, &parting);
  if (parting.n_lines > MOST_LINES)
    g_string_append_printf (parting.lines,
                            g_dngettext (GETTEXT_PACKAGE, "\n• And %u more", "\n• And %u more", parting.n_lines - MOST_LINES),
                            parting.n_lines - MOST_LINES);
  return parting;
}

static void
show_parting (GtkWidget *alert, const Parting *parting)
{
  gboolean at_work = parting->n_lines > 0;

  g_object_set (alert, "heading", at_work ? _("Quit While the Agent Is Working?") : _("The Agent Has Finished"), "body",
                at_work ? parting->lines->str : _("Nothing is running now."), NULL);
  beckon_alert_set_enabled (alert, "background", at_work);
  beckon_alert_set_appearance (alert, "quit", parting->loses ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_DEFAULT);
}

/* A run may end, or come to wait, while its person reads what quitting would do to it. */
static void
on_run_changed (BeckonConversation *conversation, GParamSpec *pspec, GtkWidget *alert)
{
  BeckonWindow *self = g_object_get_data (G_OBJECT (alert), WINDOW);
  Parting parting = describe_parting (self);

  show_parting (alert, &parting);
  g_string_free (parting.lines, TRUE);
}

static void
follow_run (BeckonWindow *self, BeckonConversation *conversation, Fate fate, gpointer user_data)
{
  g_signal_connect_object (conversation, "notify::phase", G_CALLBACK (on_run_changed), user_data, 0);
}

gboolean
beckon_window_ask_before_quitting (BeckonWindow *self)
{
  Parting parting = describe_parting (self);

  if (parting.loses)
    {
      GtkWidget *alert = beckon_alert_new (NULL, NULL);

      g_object_set_data_full (G_OBJECT (alert), WINDOW, g_object_ref (self), g_object_unref);
      beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "background", _("_Keep Running"), "quit",
                                  _("_Quit"), NULL);
      beckon_alert_set_defaults (alert, "cancel", "cancel");
      show_parting (alert, &parting);
      foreach_run (self, follow_run, alert);
      g_signal_connect_object (alert, "response", G_CALLBACK (on_quit_response), self, 0);
      beckon_alert_present (alert, GTK_WIDGET (self));
    }
  g_string_free (parting.lines, TRUE);
  return parting.loses;
}

void
beckon_window_close_now (BeckonWindow *self)
{
  self->quitting = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

void
beckon_window_install_runs (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.stop-all", NULL, stop_all_action);
}
