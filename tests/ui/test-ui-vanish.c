/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The focus of everything that can vanish. In each window, with each kind of card, all widgets are gone through as they stand in
 * the tree: one that can have the focus gets it, and then it, or what it stands in, is hidden, made insensitive or removed.
 */

#include "beckon-ui-home.h"

#include "beckon-config.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"
#include "ui/composer/beckon-composer.h"
#include "ui/conversation/beckon-conversation-view.h"
#include "ui/conversation/beckon-dock.h"
#include "ui/preferences/beckon-audit-log.h"
#include "ui/preferences/beckon-parameter-editor.h"
#include "ui/preferences/beckon-preferences.h"
#include "ui/preferences/beckon-profile-editor.h"
#include "ui/preferences/beckon-server-editor.h"
#include "ui/transcript/beckon-transcript.h"
#include "ui/waiting/beckon-waiting-page.h"

typedef enum
{
  WAY_HIDDEN,
  WAY_INSENSITIVE,
  WAY_REMOVED,
  N_WAYS,
} Way;

static const char *const way_names[] = { "hidden", "insensitive", "removed" };

typedef struct
{
  GtkWidget *window;
  GPtrArray *wrong;
  guint n_tried;
} Sweep;

static gboolean
is_within (GtkWidget *widget, GtkWidget *whole)
{
  return widget != NULL && (widget == whole || gtk_widget_is_ancestor (widget, whole));
}

static gboolean
is_usable (GtkWidget *widget)
{
  return gtk_widget_get_mapped (widget) && gtk_widget_is_sensitive (widget);
}

static gboolean
is_in_header (GtkWidget *widget)
{
  return gtk_widget_get_ancestor (widget, ADW_TYPE_HEADER_BAR) != NULL;
}

/* Pieces of the toolkit's own composites, which go with the whole. */
static gboolean
is_piece (GtkWidget *widget)
{
  static const char *const types[] = { "AdwGizmo", "GtkWindowHandle", "GtkCenterBox", "GtkViewport", "GtkWindowControls",
                                       "GtkText", "GtkListItemWidget", "GtkScrollbar", NULL };

  return g_strv_contains (types, G_OBJECT_TYPE_NAME (widget)) || GTK_IS_MENU_BUTTON (gtk_widget_get_parent (widget));
}

static char *
describe (GtkWidget *widget)
{
  GString *path = g_string_new (widget == NULL ? "nothing" : NULL);

  for (guint i = 0; i < 7 && widget != NULL; i++, widget = gtk_widget_get_parent (widget))
    {
      const char *id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget));

      g_string_append_printf (path, "%s%s%s%s", i > 0 ? " in " : "", G_OBJECT_TYPE_NAME (widget), id != NULL ? " " : "",
                              id != NULL ? id : "");
    }
  return g_string_free (path, FALSE);
}

/* (nullable): where one writes, if that is there. */
static GtkWidget *
find_composer (GtkWidget *window)
{
  GtkWidget *composer = ui_find_type (window, BECKON_TYPE_COMPOSER);
  GtkWidget *view = composer != NULL ? ui_find_type (composer, GTK_TYPE_TEXT_VIEW) : NULL;

  return view != NULL && is_usable (view) ? view : NULL;
}

/* Containers take the focus for their parts, or to be scrolled. */
static gboolean
is_container (GtkWidget *widget)
{
  return GTK_IS_SCROLLED_WINDOW (widget) || GTK_IS_LIST_BOX (widget) || GTK_IS_LIST_BASE (widget) || GTK_IS_STACK (widget);
}

static gboolean
can_focus_elsewhere (GtkWidget *widget)
{
  if (!is_usable (widget) || ADW_IS_HEADER_BAR (widget) || !gtk_widget_get_can_focus (widget))
    return FALSE;
  if (gtk_widget_get_focusable (widget) && !is_container (widget))
    return TRUE;
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL; at = gtk_widget_get_next_sibling (at))
    if (can_focus_elsewhere (at))
      return TRUE;
  return FALSE;
}

/* The place where one writes; without that, any control but one of the header, if there is one. */
static gboolean
is_right (Sweep *self, GtkWidget *focus, gboolean was_in_header)
{
  GtkWidget *composer = find_composer (self->window);

  if (composer != NULL)
    return focus == composer;
  if (focus == NULL)
    return !can_focus_elsewhere (self->window);
  return is_usable (focus) && (was_in_header || !is_in_header (focus) || !can_focus_elsewhere (self->window));
}

/* Gives the focus to the first that takes it within @whole. */
static gboolean
focus_within (GtkWidget *whole)
{
  GtkRoot *root = gtk_widget_get_root (whole);

  gtk_root_set_focus (root, NULL);
  if (gtk_widget_get_focusable (whole))
    gtk_widget_grab_focus (whole);
  if (!is_within (gtk_root_get_focus (root), whole))
    gtk_widget_child_focus (whole, GTK_DIR_TAB_FORWARD);
  return is_within (gtk_root_get_focus (root), whole);
}

/* Another page takes its place. */
static gboolean
is_whole_page (GtkWidget *widget)
{
  return ADW_IS_LEAFLET (gtk_widget_get_parent (widget))
         || (ui_find_type (widget, BECKON_TYPE_TRANSCRIPT) != NULL && ui_find_type (widget, BECKON_TYPE_COMPOSER) != NULL);
}

/* The parts of a box are the ones that can be put back. */
static gboolean
can_vanish (GtkWidget *widget, Way way)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);

  if (parent == NULL || is_piece (widget) || is_whole_page (widget))
    return FALSE;
  return way != WAY_REMOVED || G_OBJECT_TYPE (parent) == GTK_TYPE_BOX || G_OBJECT_TYPE (parent) == GTK_TYPE_LIST_BOX;
}

static void
put_back (GtkWidget *widget, GtkWidget *parent, GtkWidget *previous)
{
  int index = GTK_IS_LIST_BOX_ROW (previous) ? gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (previous)) + 1 : 0;

  if (GTK_IS_BOX (parent))
    gtk_box_insert_child_after (GTK_BOX (parent), widget, previous);
  else
    gtk_list_box_insert (GTK_LIST_BOX (parent), widget, index);
}

static void
vanish (GtkWidget *widget, Way way)
{
  if (way == WAY_HIDDEN)
    gtk_widget_set_visible (widget, FALSE);
  else if (way == WAY_INSENSITIVE)
    gtk_widget_set_sensitive (widget, FALSE);
  else if (GTK_IS_BOX (gtk_widget_get_parent (widget)))
    gtk_box_remove (GTK_BOX (gtk_widget_get_parent (widget)), widget);
  else
    gtk_list_box_remove (GTK_LIST_BOX (gtk_widget_get_parent (widget)), widget);
}

static void
check_place (Sweep *self, GtkWidget *focus, gboolean was_in_header, const char *what)
{
  g_autofree char *now = NULL;

  self->n_tried++;
  if (is_right (self, focus, was_in_header))
    return;
  now = describe (focus);
  g_ptr_array_add (self->wrong, g_strdup_printf ("%s\n    focus in %s", what, now));
}

static void
try_way (Sweep *self, GtkWidget *widget, Way way)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);
  GtkWidget *previous = gtk_widget_get_prev_sibling (widget);
  GtkWidget *page = GTK_IS_STACK (parent) ? gtk_stack_get_visible_child (GTK_STACK (parent)) : NULL;
  g_autofree char *where = describe (widget);
  g_autofree char *from = NULL;
  g_autofree char *what = NULL;
  gboolean was_in_header;

  if (!can_vanish (widget, way) || !gtk_widget_get_mapped (widget) || !focus_within (widget))
    return;
  from = describe (ui_get_focus (widget));
  what = g_strdup_printf ("%s: %s\n    focus was in %s", way_names[way], where, from);
  was_in_header = is_in_header (ui_get_focus (widget));
  vanish (widget, way);
  ui_wait_frames_of (self->window, 0);
  check_place (self, gtk_window_get_focus (GTK_WINDOW (self->window)), was_in_header, what);
  if (way == WAY_HIDDEN)
    gtk_widget_set_visible (widget, TRUE);
  else if (way == WAY_INSENSITIVE)
    gtk_widget_set_sensitive (widget, TRUE);
  else
    put_back (widget, parent, previous);
  if (page != NULL)
    gtk_stack_set_visible_child (GTK_STACK (parent), page);
}

static void
collect (GtkWidget *widget, GPtrArray *all)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  g_ptr_array_add (all, g_object_ref (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect (child, all);
}

static void
sweep (GtkWidget *root)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (root));
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) wrong = g_ptr_array_new_with_free_func (g_free);
  Sweep self = { .window = window, .wrong = wrong };

  collect (root, all);
  for (guint i = 1; i < all->len; i++)
    for (Way way = WAY_HIDDEN; way < N_WAYS; way++)
      if (gtk_widget_get_root (g_ptr_array_index (all, i)) == GTK_ROOT (window))
        try_way (&self, g_ptr_array_index (all, i), way);
  for (guint i = 0; i < wrong->len; i++)
    g_printerr ("%s\n", (const char *) g_ptr_array_index (wrong, i));
  g_test_message ("%u vanished", self.n_tried);
  g_assert_cmpuint (self.n_tried, >, 5);
  g_assert_cmpuint (wrong->len, ==, 0);
}

#define ONE "{\"question\":\"Which harbour?\",\"choices\":[\"North\",\"South\"]}"
#define SEVERAL                                                                                                            \
  "{\"questions\":[{\"question\":\"Which ferry?\",\"header\":\"Ferry\",\"choices\":[\"Early\",\"Late\"]},"                    \
  "{\"question\":\"What do you take along?\",\"header\":\"Luggage\",\"multiple\":true,\"choices\":[\"Bicycle\",\"Dog\"]}]}"
#define PLAN                                                                                                               \
  "{\"title\":\"What time is it?\",\"steps\":[{\"id\":\"a\",\"tool\":\"get_current_time\",\"arguments\":{\"timezone\":"        \
  "\"UTC\"}},{\"id\":\"b\",\"tool\":\"get_current_time\",\"arguments\":{}}]}"
#define COMMAND "{\"command\":\"make\"}"

static BeckonRequest *
make_question (const char *id, const char *arguments)
{
  g_autoptr (BeckonQuestion) question = beckon_question_parse (arguments, NULL);

  return beckon_question_request_new (NULL, id, "message", "call", question, UI_NOW);
}

static BeckonRequest *
make_one (const char *id)
{
  return make_question (id, ONE);
}

static BeckonRequest *
make_several (const char *id)
{
  return make_question (id, SEVERAL);
}

static BeckonRequest *
make_approval (const char *id)
{
  return beckon_approval_request_new (NULL, id, "message", "call", "run_command", COMMAND, "It changes something.", UI_NOW);
}

static BeckonRequest *
make_plan (const char *id)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (PLAN, BECKON_PLAN_FROM_MODEL, NULL);

  return beckon_plan_request_new (NULL, id, "message", "call", plan, UI_NOW);
}

static BeckonRequest *
make_changes (const char *id)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();

  beckon_change_set_take (set, beckon_file_change_new ("opening-hours.txt", BECKON_FILE_DELETED, BECKON_FILE_REGULAR));
  beckon_change_set_take (set, beckon_file_change_new ("tides.txt", BECKON_FILE_CREATED, BECKON_FILE_REGULAR));
  beckon_change_set_sort (set);
  return beckon_changes_request_new (NULL, id, "message", "call", "run_command", COMMAND, set, UI_NOW);
}

static BeckonRequest *
make_outcome (const char *id)
{
  return beckon_outcome_request_new (NULL, id, "message", "call", "run_command", COMMAND, UI_NOW, UI_NOW);
}

typedef BeckonRequest *(*MakeRequest) (const char *conversation_id);

static const struct
{
  const char *name;
  MakeRequest make;
} requests[] = {
  { "question", make_one }, { "questions", make_several }, { "approval", make_approval },
  { "plan", make_plan }, { "changes", make_changes }, { "outcome", make_outcome },
};

static void
add_request (UiHome *home, BeckonConversation *conversation, MakeRequest make)
{
  g_autoptr (BeckonRequest) request = make (beckon_conversation_get_id (conversation));

  beckon_inbox_add (beckon_runtime_get_inbox (home->runtime), request);
}

static BeckonConversation *
add_conversation (UiHome *home)
{
  return ui_home_add (home, "Harbours", UI_NOW, 2, "Question?", "# Heading\n\n- one\n\n```c\nint x;\n```");
}

static void
show_conversation (UiHome *home, BeckonConversation *conversation)
{
  ui_home_show_window (home);
  gtk_widget_activate_action (home->window, "win.show-card", "(ss)", beckon_conversation_get_id (conversation), "");
  ui_wait_until (ui_find_text (home->window, "Heading") != NULL);
  ui_wait_frames_of (home->window, 2);
}

static void
test_fresh (UiHome *home, gconstpointer data)
{
  ui_home_show_window (home);
  ui_wait_frames_of (home->window, 2);
  sweep (home->window);
}

/* All that stands around a conversation: a queued message, a failed run, a run that works. */
static void
test_window (UiHome *home, gconstpointer data)
{
  BeckonConversation *conversation = add_conversation (home);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (BeckonQueueItem) item = beckon_queue_item_new ("one", "And paint the pier", files, FALSE);

  show_conversation (home, conversation);
  sweep (home->window);
  g_list_store_append (beckon_conversation_get_queue (conversation), item);
  beckon_conversation_set_phase (conversation, BECKON_RUN_FAILED, "It failed.", 0);
  ui_wait_frames_of (home->window, 2);
  sweep (ui_find_type (home->window, BECKON_TYPE_CONVERSATION_VIEW));
  beckon_conversation_set_phase (conversation, BECKON_RUN_RETRY_WAIT, "Rate limit reached.", UI_NOW);
  ui_wait_frames_of (home->window, 2);
  sweep (home->window);
}

static void
test_card (UiHome *home, gconstpointer data)
{
  BeckonConversation *conversation = add_conversation (home);
  GtkWidget *dock;

  add_request (home, conversation, (MakeRequest) data);
  show_conversation (home, conversation);
  dock = ui_find_type (home->window, BECKON_TYPE_DOCK);
  ui_wait_until (dock != NULL && gtk_widget_get_mapped (dock));
  sweep (dock);
  if (beckon_dock_edit (BECKON_DOCK (dock)))
    sweep (dock);
  if (beckon_dock_deny (BECKON_DOCK (dock)))
    sweep (dock);
}

static void
test_waiting (UiHome *home, gconstpointer data)
{
  BeckonConversation *conversation = add_conversation (home);

  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    add_request (home, conversation, requests[i].make);
  show_conversation (home, conversation);
  gtk_widget_activate_action (home->window, "win.go-to-waiting", NULL);
  ui_wait_until (ui_find_type (home->window, BECKON_TYPE_WAITING_PAGE) != NULL);
  ui_wait_frames_of (home->window, 2);
  sweep (ui_find_type (home->window, BECKON_TYPE_WAITING_PAGE));
}

static void
sweep_and_destroy (GtkWidget *sheet)
{
  ui_present (sheet);
  ui_wait_frames_of (sheet, 2);
  sweep (GTK_WIDGET (gtk_widget_get_root (sheet)));
  ui_destroy (sheet);
}

static void
test_editors (UiHome *home, gconstpointer data)
{
  sweep_and_destroy (beckon_profile_editor_new (home->runtime, NULL, NULL));
  sweep_and_destroy (beckon_parameter_editor_new (home->runtime, NULL));
  sweep_and_destroy (beckon_audit_log_new (home->runtime));
  sweep_and_destroy (beckon_server_editor_new (home->runtime, NULL));
}

static void
test_preferences (UiHome *home, gconstpointer data)
{
  static const char *const pages[] = { "credentials", "permissions", "tools" };
  GtkWidget *preferences = ui_present (beckon_preferences_new (home->runtime, NULL));

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_test_message ("%s", pages[i]);
      beckon_preferences_show_row (BECKON_PREFERENCES (preferences), pages[i], NULL);
      ui_wait_frames_of (preferences, 2);
      sweep (preferences);
    }
  ui_destroy (preferences);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_home_test_add ("/ui/vanish/fresh", test_fresh);
  ui_home_test_add ("/ui/vanish/window", test_window);
  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      g_autofree char *path = g_strconcat ("/ui/vanish/", requests[i].name, NULL);

      g_test_add (path, UiHome, (gconstpointer) requests[i].make, ui_home_set_up, test_card, ui_home_tear_down);
    }
  ui_home_test_add ("/ui/vanish/waiting", test_waiting);
  ui_home_test_add ("/ui/vanish/editors", test_editors);
  ui_home_test_add ("/ui/vanish/preferences", test_preferences);
  return g_test_run ();
}
