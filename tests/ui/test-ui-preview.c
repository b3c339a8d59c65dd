/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Differences on the cards of calls: a long one is seen piece by piece before its call can run, and the call of one that
 * is too long for a card does not run from there.
 */

#include "beckon-ui-fixture.h"

#include "base/beckon-worker.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-call-preview.h"
#include "ui/cards/beckon-approval-card.h"
#include "ui/cards/beckon-preview-view.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/widgets/beckon-guard.h"

#include <string.h>

/* Shows one preview for every call. */
#define TEST_TYPE_PREVIEWER (test_previewer_get_type ())
G_DECLARE_FINAL_TYPE (TestPreviewer, test_previewer, TEST, PREVIEWER, GObject)

struct _TestPreviewer
{
  GObject parent_instance;

  BeckonCallPreview *preview; /* (owned) */
};

static void test_previewer_call_previewer_init (BeckonCallPreviewerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestPreviewer, test_previewer, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_CALL_PREVIEWER, test_previewer_call_previewer_init))

static gboolean
has_preview (BeckonCallPreviewer *previewer, const char *tool)
{
  return TRUE;
}

static void
preview_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_pointer (task, beckon_call_preview_ref (TEST_PREVIEWER (source)->preview),
                         (GDestroyNotify) beckon_call_preview_unref);
}

static void
preview_async (BeckonCallPreviewer *previewer, BeckonRequest *request, const char *arguments, GCancellable *cancellable,
               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (previewer, cancellable, callback, user_data);

  beckon_worker_run (task, preview_on_thread);
}

static BeckonCallPreview *
preview_finish (BeckonCallPreviewer *previewer, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
check_async (BeckonCallPreviewer *previewer, const char *files, GCancellable *cancellable, GAsyncReadyCallback callback,
             gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (previewer, cancellable, callback, user_data);

  g_task_return_boolean (task, TRUE);
}

static gboolean
check_finish (BeckonCallPreviewer *previewer, GAsyncResult *result)
{
  return g_task_propagate_boolean (G_TASK (result), NULL);
}

static void
test_previewer_call_previewer_init (BeckonCallPreviewerInterface *iface)
{
  iface->has_preview = has_preview;
  iface->preview_async = preview_async;
  iface->preview_finish = preview_finish;
  iface->check_async = check_async;
  iface->check_finish = check_finish;
}

static void
test_previewer_finalize (GObject *object)
{
  beckon_call_preview_unref (TEST_PREVIEWER (object)->preview);
  G_OBJECT_CLASS (test_previewer_parent_class)->finalize (object);
}

static void
test_previewer_class_init (TestPreviewerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_previewer_finalize;
}

static void
test_previewer_init (TestPreviewer *self)
{
}

#define THE_END "and the end of it"

/* Lines that are added in one hunk, @bytes of them. @mark: (nullable): stands in each */
static BeckonCallPreview *
make_preview (gsize bytes, const char *mark)
{
  BeckonCallPreview *preview = beckon_call_preview_new ();
  GString *shown = g_string_new ("@@ -1 +1,9 @@\n one\n");

  for (guint i = 0; shown->len < bytes; i++)
    g_string_append_printf (shown, "+line %u of many%s\n", i, mark != NULL ? mark : "");
  g_string_append (shown, "+" THE_END "\n");
  preview->shown = g_string_free (shown, FALSE);
  preview->files = g_strdup ("{}");
  preview->n_hunks = 1;
  return preview;
}

typedef struct
{
  BeckonRequest *request;
  GtkWidget *card;
} Shown;

static void
shown_clear (Shown *shown)
{
  g_clear_object (&shown->request);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Shown, shown_clear)

/* @preview: (transfer full) */
static void
show (UiFixture *fixture, Shown *shown, BeckonCallPreview *preview)
{
  g_autoptr (TestPreviewer) previewer = g_object_new (TEST_TYPE_PREVIEWER, NULL);

  previewer->preview = preview;
  beckon_inbox_set_previewer (fixture->inbox, BECKON_CALL_PREVIEWER (previewer));
  shown->request = beckon_approval_request_new (NULL, "conversation", "message", "call", "edit_file", "{\"path\":\"a.txt\"}", NULL,
                                                UI_NOW);
  test_ledger_add (fixture->ledger, shown->request);
  beckon_inbox_add (fixture->inbox, shown->request);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 700, 800);
  shown->card = beckon_request_card_new (fixture->inbox, shown->request, NULL);
  beckon_request_card_set_clock (shown->card, fixture->clock);
  ui_show (fixture, shown->card);
  ui_wait_until (gtk_widget_get_visible (ui_find_type (shown->card, BECKON_TYPE_PREVIEW_VIEW)));
}

static void
let_pass (UiFixture *fixture)
{
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
}

static char *
dup_text (GtkWidget *view)
{
  char *text;

  g_object_get (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), "text", &text, NULL);
  return text;
}

/* (nullable): the last text that is shown. Caller frees. */
static char *
dup_last (GtkWidget *root)
{
  char *text = GTK_IS_TEXT_VIEW (root) ? dup_text (root) : NULL;

  for (GtkWidget *child = gtk_widget_get_last_child (root); child != NULL && text == NULL;
       child = gtk_widget_get_prev_sibling (child))
    text = dup_last (child);
  return text;
}

static BeckonPreviewView *
get_view (Shown *shown)
{
  return BECKON_PREVIEW_VIEW (ui_find_type (shown->card, BECKON_TYPE_PREVIEW_VIEW));
}

static GtkWidget *
find_more (Shown *shown)
{
  return ui_find_button (shown->card, "Show more of what it would change");
}

static gboolean
ends_with (Shown *shown, const char *words)
{
  g_autofree char *last = dup_last (GTK_WIDGET (get_view (shown)));

  return g_str_has_suffix (last, words);
}

static void
assert_pending (Shown *shown)
{
  ui_settle ();
  g_assert_cmpint (beckon_request_get_state (shown->request), ==, BECKON_REQUEST_PENDING);
}

/* Presses the key until it is taken, at most so often, each time when what it would show is laid out. */
static guint
press_until_answered (UiFixture *fixture, Shown *shown, guint most)
{
  guint n = 0;

  while (beckon_request_get_state (shown->request) == BECKON_REQUEST_PENDING && n < most)
    {
      gboolean runs;

      let_pass (fixture);
      ui_wait_frames (fixture, 5);
      ui_wait_until (beckon_preview_view_is_laid_out (get_view (shown)));
      runs = beckon_preview_view_get_seen (get_view (shown));
      beckon_request_card_submit (shown->card);
      if (runs)
        ui_wait_until (beckon_request_get_state (shown->request) != BECKON_REQUEST_PENDING);
      else
        assert_pending (shown);
      n++;
    }
  return n;
}

/* A difference that is laid out at once has no button, and runs as ever. */
static void
test_short (UiFixture *fixture, gconstpointer data)
{
  g_auto (Shown) shown = { 0 };

  show (fixture, &shown, make_preview (60, NULL));
  g_assert_null (find_more (&shown));
  g_assert_true (ui_is_usable (ui_find_button (shown.card, "Run")));
  g_assert_cmpuint (press_until_answered (fixture, &shown, 2), <=, 2);
  g_assert_nonnull (strstr (ui_get_answer (fixture, shown.request), "\"approved\""));
}

/* Run waits until the last piece is there, and then until its end was on the screen. */
static void
test_pieces (UiFixture *fixture, gconstpointer data)
{
  g_auto (Shown) shown = { 0 };
  guint n = 0;

  show (fixture, &shown, make_preview (260 * 1024, NULL));
  for (; !beckon_preview_view_is_whole (get_view (&shown)); n++)
    {
      g_assert_false (ui_is_usable (ui_find_button (shown.card, "Run")));
      g_assert_false (ends_with (&shown, THE_END));
      g_assert_nonnull (ui_find_text (shown.card, "more lines. The call can be run once all of it is shown."));
      let_pass (fixture);
      ui_click (shown.card, "Show more of what it would change");
      assert_pending (&shown);
    }
  g_assert_cmpuint (n, ==, 2);
  g_assert_null (find_more (&shown));
  g_assert_null (ui_find_text (shown.card, "The call can be run once all of it is shown."));
  g_assert_true (ends_with (&shown, THE_END));
  g_assert_true (ui_is_usable (ui_find_button (shown.card, "Run")));
  g_assert_false (beckon_preview_view_get_seen (get_view (&shown)));
  g_assert_cmpuint (press_until_answered (fixture, &shown, 4), ==, 2);
  g_assert_nonnull (strstr (ui_get_answer (fixture, shown.request), "\"approved\""));
}

/* The key alone goes through all of it, piece by piece. */
static void
test_key (UiFixture *fixture, gconstpointer data)
{
  g_auto (Shown) shown = { 0 };

  show (fixture, &shown, make_preview (140 * 1024, NULL));
  g_assert_cmpuint (press_until_answered (fixture, &shown, 10), ==, 4);
  g_assert_true (beckon_preview_view_is_whole (get_view (&shown)));
}

/* Marks make it longer than the block that shows it would take: nothing of it is left out for that. */
static void
test_marked (UiFixture *fixture, gconstpointer data)
{
  g_auto (Shown) shown = { 0 };

  show (fixture, &shown, make_preview (92 * 1024, "\342\200\213\342\200\213\342\200\213\342\200\213\342\200\213\342\200\213"));
  g_assert_false (beckon_preview_view_is_whole (get_view (&shown)));
  g_assert_cmpuint (press_until_answered (fixture, &shown, 12), >, 2);
  g_assert_true (ends_with (&shown, THE_END));
}

/* A line that goes on in the next piece is still one that is added, whatever stands where the piece begins. */
static void
test_long_line (UiFixture *fixture, gconstpointer data)
{
  g_auto (Shown) shown = { 0 };
  g_autofree char *letters = g_strnfill (160 * 1024, 'x');
  g_autofree char *last = NULL;
  BeckonCallPreview *preview = make_preview (0, NULL);

  g_free (preview->shown);
  preview->shown = g_strdup_printf ("@@ -1 +1,2 @@\n one\n+%s\n", letters);
  show (fixture, &shown, preview);
  let_pass (fixture);
  ui_click (shown.card, "Show more of what it would change");
  g_assert_true (beckon_preview_view_is_whole (get_view (&shown)));
  last = dup_last (GTK_WIDGET (get_view (&shown)));
  g_assert_true (g_str_has_prefix (last, "+↳ xx"));
}

static gboolean
is_tagged (GtkWidget *root, const char *tag)
{
  GtkTextView *view = GTK_TEXT_VIEW (ui_find_type (root, GTK_TYPE_TEXT_VIEW));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextTag *found = gtk_text_tag_table_lookup (gtk_text_buffer_get_tag_table (buffer), tag);
  GtkTextIter start;

  gtk_text_buffer_get_start_iter (buffer, &start);
  return found != NULL && (gtk_text_iter_starts_tag (&start, found) || gtk_text_iter_forward_to_tag_toggle (&start, found));
}

/* A list in a new file is not shown as lines that go. */
static void
test_new_file (UiFixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 2; i++)
    {
      g_auto (Shown) shown = { 0 };
      BeckonCallPreview *preview = make_preview (0, NULL);

      g_free (preview->shown);
      preview->shown = g_strdup ("- bread\n- butter\n");
      preview->is_new = i == 0;
      preview->n_hunks = i;
      show (fixture, &shown, preview);
      g_assert_cmpint (is_tagged (GTK_WIDGET (get_view (&shown)), "diff-removed"), ==, i == 1);
    }
}

/* A difference that no card can show does not run from one, whatever is pressed. */
static void
test_too_long (UiFixture *fixture, gconstpointer data)
{
  g_auto (Shown) shown = { 0 };

  show (fixture, &shown, make_preview (560 * 1024, NULL));
  press_until_answered (fixture, &shown, 9);
  assert_pending (&shown);
  g_assert_false (beckon_preview_view_is_whole (get_view (&shown)));
  g_assert_null (find_more (&shown));
  g_assert_false (ui_is_usable (ui_find_button (shown.card, "Run")));
  g_assert_nonnull (ui_find_text (shown.card, "The change is too long to be shown here"));
  g_assert_true (ui_is_usable (ui_find_button (shown.card, "Deny")));
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/preview/short", test_short);
  ui_test_add ("/ui/preview/pieces", test_pieces);
  ui_test_add ("/ui/preview/key", test_key);
  ui_test_add ("/ui/preview/marked", test_marked);
  ui_test_add ("/ui/preview/long-line", test_long_line);
  ui_test_add ("/ui/preview/new-file", test_new_file);
  ui_test_add ("/ui/preview/too-long", test_too_long);
  return g_test_run ();
}
