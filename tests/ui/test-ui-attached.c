/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files on their way into a draft, and what is shown of them. */

#include "beckon-ui-fixture.h"

#include "domain/beckon-attachment.h"
#include "ui/blocks/beckon-attached-view.h"
#include "ui/blocks/beckon-attached-window.h"
#include "ui/composer/beckon-composer.h"
#include "ui/composer/beckon-file-chip.h"
#include "ui/widgets/beckon-picture.h"
#include "ui/widgets/beckon-alert.h"

static GdkTexture *
make_texture (int width, int height)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);

  gdk_pixbuf_fill (pixbuf, 0x3584e4ff);
  return gdk_texture_new_for_pixbuf (pixbuf);
}

static BeckonPart *
make_picture (int width, int height)
{
  g_autoptr (GdkTexture) texture = make_texture (width, height);
  g_autoptr (GBytes) bytes = gdk_texture_save_to_png_bytes (texture);

  return beckon_attachment_new_image ("slope.png", "image/png", bytes);
}

static void
count_up (guint *n)
{
  ++*n;
}

/* Its size is known before it is decoded, and what is not seen holds no pixels. */
static void
test_picture (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPart) part = make_picture (1000, 500);
  g_autoptr (BeckonPicture) picture = beckon_picture_new (part, 400, 300, 1);
  GtkWidget *view = gtk_picture_new_for_paintable (GDK_PAINTABLE (picture));
  guint n_decoded = 0;

  g_assert_cmpint (gdk_paintable_get_intrinsic_width (GDK_PAINTABLE (picture)), ==, 400);
  g_assert_cmpint (gdk_paintable_get_intrinsic_height (GDK_PAINTABLE (picture)), ==, 200);
  g_signal_connect_swapped (picture, "invalidate-contents", G_CALLBACK (count_up), &n_decoded);
  ui_show (fixture, view);
  ui_wait_until (n_decoded == 1);
  ui_wait_frames (fixture, 2);
  g_assert_cmpuint (n_decoded, ==, 1);
  beckon_picture_forget (picture);
  gtk_widget_queue_draw (view);
  ui_wait_until (n_decoded == 2);
}

static BeckonPart *
make_pdf (guint n_pages)
{
  BeckonPart *part = beckon_attachment_new_text ("a.pdf", "It is 17.", 9);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("%PDF-1.4", 8);

  beckon_attachment_set_pdf (part, bytes, n_pages);
  return part;
}

static void
test_views (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPart) picture = make_picture (64, 32);
  g_autoptr (BeckonPart) note = beckon_attachment_new_text ("note.txt", "It is 17.", 9);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\211PNG\r\n\032\nbroken", 14);
  g_autoptr (BeckonPart) broken = beckon_attachment_new_image ("broken.png", "image/png", bytes);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (box), beckon_attached_view_new (picture));
  gtk_box_append (GTK_BOX (box), beckon_attached_view_new (note));
  gtk_box_append (GTK_BOX (box), beckon_attached_view_new (broken));
  ui_show (fixture, box);
  g_assert_nonnull (ui_find_named (box, "Picture: slope.png"));
  g_assert_nonnull (ui_find_named (box, "Attached file: note.txt"));
  g_assert_nonnull (ui_find_text (box, "note.txt"));
  ui_wait_until (ui_find_text (box, "broken.png") != NULL);
}

/* A PDF has pages; one with a secret in it is text, and says so. */
static void
test_pdf (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPart) pdf = make_pdf (12);
  g_autoptr (BeckonPart) single = make_pdf (1);
  g_autoptr (BeckonPart) masked = beckon_attachment_new_masked_pdf (pdf, "The code is secret:1.");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (box), beckon_attached_view_new (pdf));
  gtk_box_append (GTK_BOX (box), beckon_file_chip_new (single));
  gtk_box_append (GTK_BOX (box), beckon_attached_view_new (masked));
  ui_show (fixture, box);
  g_assert_nonnull (ui_find_text (box, "PDF, 12 pages"));
  g_assert_nonnull (ui_find_text (box, "PDF, 1 page"));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (gtk_widget_get_first_child (gtk_widget_get_last_child (box))), ==,
                   "a.pdf\nOnly its text is sent, so that secrets stay masked.");
}

/* A PDF is saved as one; its text alone is a text, whatever it was attached as. */
static void
test_copies (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPart) pdf = make_pdf (12);
  g_autoptr (BeckonPart) text = beckon_attachment_copy_text (pdf);
  g_autofree char *pdf_name = NULL;
  g_autofree char *text_name = NULL;
  g_autoptr (GBytes) pdf_bytes = beckon_attached_window_dup_copy (pdf, &pdf_name);
  g_autoptr (GBytes) text_bytes = beckon_attached_window_dup_copy (text, &text_name);

  g_assert_cmpstr (pdf_name, ==, "a.pdf");
  g_assert_cmpmem (g_bytes_get_data (pdf_bytes, NULL), g_bytes_get_size (pdf_bytes), "%PDF-1.4", 8);
  g_assert_cmpstr (text_name, ==, "a.txt");
  g_assert_cmpmem (g_bytes_get_data (text_bytes, NULL), g_bytes_get_size (text_bytes), "It is 17.", 9);
}

static void
test_windows (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPart) picture = make_picture (64, 32);
  g_autoptr (BeckonPart) note = beckon_attachment_new_text ("note.txt", "It is 17.", 9);
  BeckonPart *parts[] = { picture, note };

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      GtkWidget *window = beckon_attached_window_new (parts[i]);

      gtk_window_present (GTK_WINDOW (window));
      ui_wait_until (gtk_widget_get_mapped (window));
      ui_click (window, "Copy");
      ui_wait_until (ui_find_text (window, "Copied") != NULL);
      gtk_window_destroy (GTK_WINDOW (window));
    }
}

static guint
count_files (GListStore *files)
{
  return g_list_model_get_n_items (G_LIST_MODEL (files));
}

/* A picture in the clipboard becomes a file; so does a drop; and there is an end to how many there may be. */
static void
test_composer (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *composer = g_object_new (BECKON_TYPE_COMPOSER, "valign", GTK_ALIGN_END, NULL);
  g_autoptr (GListStore) files = g_list_store_new (BECKON_TYPE_PART);
  g_autoptr (GdkTexture) texture = make_texture (40, 30);
  g_auto (GValue) drop = G_VALUE_INIT;
  GtkWidget *message;

  ui_show (fixture, composer);
  message = ui_find_named (composer, "Message");
  g_value_init (&drop, GDK_TYPE_TEXTURE);
  g_value_set_object (&drop, texture);
  g_assert_false (beckon_composer_take_drop (BECKON_COMPOSER (composer), &drop));
  beckon_composer_set_files (BECKON_COMPOSER (composer), files);
  g_assert_false (ui_is_usable (ui_find_named (composer, "Send message")));
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (composer), texture);
  g_signal_emit_by_name (message, "paste-clipboard");
  ui_wait_until (count_files (files) == 1);
  g_assert_true (ui_is_usable (ui_find_named (composer, "Send message")));
  for (guint i = 2; i <= BECKON_ATTACHMENT_MOST; i++)
    {
      g_assert_true (beckon_composer_take_drop (BECKON_COMPOSER (composer), &drop));
      ui_wait_until (count_files (files) == i);
    }
  g_assert_true (beckon_composer_take_drop (BECKON_COMPOSER (composer), &drop));
  g_assert_nonnull (ui_find_text (composer, "At most 20 files can be attached to a message."));
  g_assert_cmpuint (count_files (files), ==, BECKON_ATTACHMENT_MOST);

  /* While it is being stored, nothing changes. */
  beckon_composer_set_locked (BECKON_COMPOSER (composer), TRUE);
  g_assert_false (beckon_composer_take_drop (BECKON_COMPOSER (composer), &drop));
  g_assert_false (ui_is_usable (ui_find_named (composer, "Remove Picture.png")));
}

/* Another conversation is looked at while a file is read: it goes where it was meant to go. */
static void
test_switched (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *composer = g_object_new (BECKON_TYPE_COMPOSER, "valign", GTK_ALIGN_END, NULL);
  g_autoptr (GListStore) first = g_list_store_new (BECKON_TYPE_PART);
  g_autoptr (GListStore) second = g_list_store_new (BECKON_TYPE_PART);
  g_autoptr (GdkTexture) texture = make_texture (40, 30);
  g_auto (GValue) drop = G_VALUE_INIT;

  ui_show (fixture, composer);
  g_value_init (&drop, GDK_TYPE_TEXTURE);
  g_value_set_object (&drop, texture);
  beckon_composer_set_files (BECKON_COMPOSER (composer), first);
  g_assert_true (beckon_composer_take_drop (BECKON_COMPOSER (composer), &drop));
  g_assert_nonnull (ui_find_named (composer, "Stop reading Picture.png"));
  beckon_composer_set_files (BECKON_COMPOSER (composer), second);
  g_assert_null (ui_find_named (composer, "Stop reading Picture.png"));
  ui_wait_until (count_files (first) == 1);
  g_assert_cmpuint (count_files (second), ==, 0);
  beckon_composer_set_files (BECKON_COMPOSER (composer), first);
  g_assert_nonnull (ui_find_named (composer, "Remove Picture.png"));

  /* A cancelled file does not arrive. */
  g_assert_true (beckon_composer_take_drop (BECKON_COMPOSER (composer), &drop));
  ui_click (composer, "Stop reading Picture.png");
  ui_wait_until (ui_find_named (composer, "Stop reading Picture.png") == NULL);
  g_assert_cmpuint (count_files (first), ==, 1);
}

static gboolean
says (GtkWidget *composer, const char *text)
{
  GtkWidget *words = ui_find_text (composer, text);

  return words != NULL && gtk_widget_get_child_visible (words)
         && gtk_revealer_get_reveal_child (GTK_REVEALER (gtk_widget_get_ancestor (words, GTK_TYPE_REVEALER)));
}

static gboolean
says_it_is_blind (GtkWidget *composer)
{
  return says (composer, "small<U+202E> does not see pictures");
}

/* A picture for a model that is known not to see any: it is said before it is sent, and only then. */
static void
test_sight (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPart) picture = make_picture (64, 32);
  g_autoptr (BeckonPart) note = beckon_attachment_new_text ("note.txt", "It is 17.", 9);
  g_autoptr (BeckonProfile) blind = beckon_profile_new ("blind", BECKON_PROFILE_CHAT);
  g_autoptr (BeckonProfile) unknown = beckon_profile_new ("unknown", BECKON_PROFILE_CHAT);
  g_autoptr (GListStore) files = g_list_store_new (BECKON_TYPE_PART);
  BeckonModelFacts facts = { .images = 0 };
  GtkWidget *composer = g_object_new (BECKON_TYPE_COMPOSER, "valign", GTK_ALIGN_END, NULL);

  beckon_profile_set_model (blind, "small\u202e");
  beckon_profile_set_facts (blind, &facts);
  ui_show (fixture, composer);
  beckon_composer_set_files (BECKON_COMPOSER (composer), files);
  beckon_composer_set_profile (BECKON_COMPOSER (composer), blind);
  g_list_store_append (files, note);
  g_assert_false (says_it_is_blind (composer));
  g_list_store_append (files, picture);
  g_assert_true (says_it_is_blind (composer));
  beckon_composer_set_profile (BECKON_COMPOSER (composer), unknown);
  g_assert_false (says_it_is_blind (composer));
  beckon_composer_set_profile (BECKON_COMPOSER (composer), blind);
  g_assert_true (says_it_is_blind (composer));
  facts.images = 1;
  beckon_profile_set_facts (blind, &facts);
  g_assert_false (says_it_is_blind (composer));
  facts.images = 0;
  beckon_profile_set_facts (blind, &facts);
  g_list_store_remove (files, 1);
  g_assert_false (says_it_is_blind (composer));
}

/* The chip says that it was a PDF, and the composer why not all of it goes. */
static void
test_bare_pdfs (UiFixture *fixture, gconstpointer data)
{
  static const struct
  {
    gboolean is_scan, is_whole;
    const char *words;
  } cases[] = {
    { FALSE, TRUE, "small gets the text of this PDF, which is too large as a file." },
    { FALSE, FALSE, "small gets the text of this PDF, of which a part can’t be read." },
    { TRUE, TRUE, "small gets nothing of a PDF whose pages are pictures. Attach pictures of its pages instead." },
  };
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);
  g_autoptr (GListStore) files = g_list_store_new (BECKON_TYPE_PART);
  GtkWidget *composer = g_object_new (BECKON_TYPE_COMPOSER, "valign", GTK_ALIGN_END, NULL);

  beckon_profile_set_base_url (profile, "https://models.example/v1");
  beckon_profile_set_model (profile, "small");
  beckon_profile_set_pdf_choice (profile, BECKON_PDF_AS_FILE);
  ui_show (fixture, composer);
  beckon_composer_set_files (BECKON_COMPOSER (composer), files);
  beckon_composer_set_profile (BECKON_COMPOSER (composer), profile);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonPart) part = cases[i].is_scan ? beckon_attachment_new_scan ("a.pdf")
                                                     : beckon_attachment_new_text ("a.pdf", "It is 17.", 9);

      beckon_attachment_note_pdf (part, 12, cases[i].is_whole);
      g_list_store_append (files, part);
      g_assert_true (says (composer, cases[i].words));
      g_assert_nonnull (ui_find_text (composer, "PDF, 12 pages"));
      g_list_store_remove (files, 0);
      g_assert_false (says (composer, cases[i].words));
    }
}

/* A PDF for a model that gets its text: whatever changes who reads it changes what is said. */
static void
test_reads_pdfs (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPart) pdf = make_pdf (3);
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);
  g_autoptr (GListStore) files = g_list_store_new (BECKON_TYPE_PART);
  GtkWidget *composer = g_object_new (BECKON_TYPE_COMPOSER, "valign", GTK_ALIGN_END, NULL);

  beckon_profile_set_base_url (profile, "https://models.example/v1");
  beckon_profile_set_model (profile, "small");
  ui_show (fixture, composer);
  beckon_composer_set_files (BECKON_COMPOSER (composer), files);
  beckon_composer_set_profile (BECKON_COMPOSER (composer), profile);
  g_assert_false (says (composer, "small gets the text of PDFs, without their pictures and layout."));
  g_list_store_append (files, pdf);
  g_assert_true (says (composer, "small gets the text of PDFs, without their pictures and layout."));
  beckon_profile_set_pdf_choice (profile, BECKON_PDF_AS_FILE);
  g_assert_false (says (composer, "small gets the text of PDFs, without their pictures and layout."));
  beckon_profile_set_context_window (profile, 8000);
  g_assert_true (says (composer, "small gets the text of this PDF, which is too large as a file."));
  beckon_profile_set_context_window (profile, 80000);
  g_assert_false (says (composer, "small gets the text of this PDF, which is too large as a file."));
  beckon_profile_set_kind (profile, BECKON_PROFILE_OLLAMA);
  g_assert_true (says (composer, "small gets the text of PDFs, without their pictures and layout."));
  g_list_store_remove (files, 0);
  g_assert_false (says (composer, "small gets the text of PDFs, without their pictures and layout."));
}

/* A toast about a file has no markup, whatever its name. */
static void
test_toast (UiFixture *fixture, gconstpointer data)
{
  static const char words[] = "“A & B <none>” cannot be read.";
  g_autoptr (AdwToast) toast = beckon_toast_new (words);
  g_autofree char *said = NULL;

  g_assert_true (pango_parse_markup (adw_toast_get_title (toast), -1, 0, NULL, &said, NULL, NULL));
  g_assert_cmpstr (said, ==, words);
}

int
main (int argc, char **argv)
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/attached/picture", test_picture);
  ui_test_add ("/ui/attached/views", test_views);
  ui_test_add ("/ui/attached/windows", test_windows);
  ui_test_add ("/ui/attached/composer", test_composer);
  ui_test_add ("/ui/attached/switched", test_switched);
  ui_test_add ("/ui/attached/sight", test_sight);
  ui_test_add ("/ui/attached/pdf", test_pdf);
  ui_test_add ("/ui/attached/reads-pdfs", test_reads_pdfs);
  ui_test_add ("/ui/attached/copies", test_copies);
  ui_test_add ("/ui/attached/bare-pdfs", test_bare_pdfs);
  ui_test_add ("/ui/attached/toast", test_toast);

  return g_test_run ();
}
