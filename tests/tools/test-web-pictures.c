/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures that a reply names, fetched because a person asked: from a real server on this computer, which only the setting lets
 * them reach. */

#include "attach/beckon-image.h"
#include "base/beckon-error.h"
#include "domain/beckon-attachment.h"
#include "net/beckon-web-get.h"
#include "tools/beckon-web-picture.h"
#include "tools/beckon-web-pictures.h"

#include <libsoup/soup.h>
#include <string.h>

typedef struct
{
  SoupServer *server;
  guint port;
  guint n_asked;
  GBytes *png;
} Fixture;

#define DEADLINE_SECONDS 20

static gboolean
on_deadline (gpointer what)
{
  g_error ("this did not come: %s", (const char *) what);
  return G_SOURCE_REMOVE;
}

#define wait_until(condition)                                                                                           \
  G_STMT_START                                                                                                          \
  {                                                                                                                     \
    guint deadline_ = g_timeout_add_seconds (DEADLINE_SECONDS, on_deadline, (gpointer) #condition);                     \
    while (!(condition))                                                                                                \
      g_main_context_iteration (NULL, TRUE);                                                                            \
    g_source_remove (deadline_);                                                                                        \
  }                                                                                                                     \
  G_STMT_END

static GBytes *
make_png (int width, int height)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  gsize length;
  char *data;

  gdk_pixbuf_fill (pixbuf, 0x3584e4ff);
  g_assert_true (gdk_pixbuf_save_to_buffer (pixbuf, &data, &length, "png", NULL, NULL));
  return g_bytes_new_take (data, length);
}

static void
answer (SoupServerMessage *message, const char *type, gconstpointer body, gsize length)
{
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_server_message_set_response (message, type, SOUP_MEMORY_COPY, body, length);
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer user_data)
{
  Fixture *fixture = user_data;
  g_autofree char *other_host = g_strdup_printf ("http://localhost:%u/picture", fixture->port);
  g_autofree char *there = g_strdup_printf ("http://localhost:%u/back", fixture->port);
  g_autofree char *back = g_strdup_printf ("http://127.0.0.1:%u/there", fixture->port);
  gsize length;
  gconstpointer png = g_bytes_get_data (fixture->png, &length);

  fixture->n_asked++;
  if (g_str_equal (path, "/picture"))
    answer (message, "text/plain", png, length);
  else if (g_str_equal (path, "/liar"))
    answer (message, "image/png", "<svg onload='x'/>", 17);
  else if (g_str_equal (path, "/broken"))
    answer (message, "image/png", png, MIN (length, 30));
  else if (g_str_equal (path, "/huge"))
    {
      g_autofree char *body = g_malloc0 (BECKON_WEB_GET_MAX_BYTES + 1);

      memcpy (body, png, length);
      answer (message, "image/png", body, BECKON_WEB_GET_MAX_BYTES + 1);
    }
  else if (g_str_equal (path, "/moved"))
    soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, other_host);
  else if (g_str_equal (path, "/there"))
    soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, there);
  else if (g_str_equal (path, "/back"))
    soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, back);
  else if (g_str_equal (path, "/round"))
    soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, "/round");
  else if (g_str_equal (path, "/away"))
    soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, "ftp://example.org/picture");
  else
    soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoslist (GUri) uris = NULL;
  g_autoptr (GError) error = NULL;

  fixture->png = make_png (40, 30);
  fixture->server = g_object_new (SOUP_TYPE_SERVER, NULL);
  soup_server_listen_local (fixture->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  uris = soup_server_get_uris (fixture->server);
  fixture->port = (guint) g_uri_get_port (uris->data);
  soup_server_add_handler (fixture->server, NULL, on_request, fixture, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  soup_server_disconnect (fixture->server);
  g_object_unref (fixture->server);
  g_bytes_unref (fixture->png);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static BeckonPart *
load (const char *address, gboolean private_too, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_web_picture_load_async (address, "A chart", private_too, NULL, on_loaded, &result);
  wait_until (result != NULL);
  return beckon_web_picture_load_finish (result, error);
}

static BeckonPart *
load_path (Fixture *fixture, const char *path, GError **error)
{
  g_autofree char *address = g_strdup_printf ("http://127.0.0.1:%u%s", fixture->port, path);

  return load (address, TRUE, error);
}

static void
expect_picture (BeckonPart *part, const GError *error)
{
  g_assert_no_error (error);
  g_assert_nonnull (part);
  g_assert_cmpint (beckon_part_get_kind (part), ==, BECKON_PART_IMAGE);
  g_assert_cmpstr (beckon_attachment_get_name (part), ==, "A chart");
}

/* By what it is, not by what its server calls it, and wherever it moved. */
static void
test_fetched (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "/picture", "/moved" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonPart) part = load_path (fixture, paths[i], &error);

      expect_picture (part, error);
    }
}

/* A refusal is in words for the person, and not in those for a model. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *path;
    int code;
    const char *words;
  } cases[] = {
    { "/liar", BECKON_ERROR_INVALID, "no picture of a kind" },
    { "/broken", BECKON_ERROR_INVALID, "" },
    { "/huge", BECKON_ERROR_TOO_LARGE, "larger than 5 MB" },
    { "/missing", BECKON_ERROR_UNAVAILABLE, "did not give it (status 404)" },
    { "/there", BECKON_ERROR_UNAVAILABLE, "moved too many times" },
    { "/round", BECKON_ERROR_UNAVAILABLE, "moved too many times" },
    { "/away", BECKON_ERROR_INVALID, "No picture can be fetched from this address" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonPart) part = load_path (fixture, cases[i].path, &error);

      g_test_message ("%s: %s", cases[i].path, error != NULL ? error->message : "");
      g_assert_null (part);
      g_assert_error (error, BECKON_ERROR, cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].words));
    }
}

/* An address of this computer is not asked unless the person allowed that. */
static void
test_private (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = g_strdup_printf ("http://127.0.0.1:%u/picture", fixture->port);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) part = load (address, FALSE, &error);

  g_assert_null (part);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "your own computer"));
  g_assert_cmpuint (fixture->n_asked, ==, 0);
}

static char *
make_data_address (GBytes *bytes)
{
  gsize length;
  gconstpointer data = g_bytes_get_data (bytes, &length);
  g_autofree char *encoded = g_base64_encode (data, length);

  return g_strconcat ("data:image/png;base64,", encoded, NULL);
}

static void
test_data (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = make_data_address (fixture->png);
  static const char *const bad[] = {
    "data:", "data:image/png;base64", "data:image/png;base64,", "data:image/png;base64,!!!!", "data:image/svg+xml,<svg/>",
    "data:image/png;base64,%zz", "data:text/html,<script>",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) part = load (address, FALSE, &error);

  expect_picture (part, error);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) why = NULL;
      g_autoptr (BeckonPart) none = load (bad[i], FALSE, &why);

      g_assert_null (none);
      g_assert_error (why, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

static void
test_addresses (void)
{
  g_assert_true (beckon_web_picture_is_address ("https://example.com/a.png"));
  g_assert_true (beckon_web_picture_is_address ("DATA:image/png;base64,AAAA"));
  g_assert_false (beckon_web_picture_is_address (NULL));
  g_assert_false (beckon_web_picture_is_address (""));
  g_assert_false (beckon_web_picture_is_address ("chart.png"));
  g_assert_false (beckon_web_picture_is_address ("file:///etc/passwd"));
  g_assert_false (beckon_web_picture_is_address ("javascript:alert(1)"));
  g_assert_false (beckon_web_picture_is_address ("https://me:secret@example.com/a.png"));
}

/* A loaded picture is there; those that were asked for first are dropped. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonWebPictures) pictures = beckon_web_pictures_new ();
  g_autoptr (GPtrArray) addresses = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i <= BECKON_WEB_PICTURES_MOST; i++)
    {
      g_autoptr (GBytes) png = make_png (2 + (int) i, 2);
      char *address = make_data_address (png);

      g_ptr_array_add (addresses, address);
      g_assert_cmpint (beckon_web_pictures_get_state (pictures, address), ==, BECKON_WEB_PICTURE_UNKNOWN);
      beckon_web_pictures_load (pictures, address, "One");
      beckon_web_pictures_load (pictures, address, "One");
      g_assert_cmpint (beckon_web_pictures_get_state (pictures, address), ==, BECKON_WEB_PICTURE_LOADING);
      wait_until (beckon_web_pictures_get_state (pictures, address) == BECKON_WEB_PICTURE_LOADED);
      g_assert_nonnull (beckon_web_pictures_get_part (pictures, address));
    }
  g_assert_cmpint (beckon_web_pictures_get_state (pictures, g_ptr_array_index (addresses, 0)), ==,
                   BECKON_WEB_PICTURE_UNKNOWN);
  g_assert_cmpint (beckon_web_pictures_get_state (pictures, g_ptr_array_index (addresses, 1)), ==, BECKON_WEB_PICTURE_LOADED);
}

static void
count_up (BeckonWebPictures *pictures, const char *address, guint *n)
{
  (*n)++;
}

/* A picture that fails says why, and can be tried again; one on its way can be cancelled, and outlives who asked for it. */
static void
test_failed_and_taken_back (Fixture *fixture, gconstpointer data)
{
  BeckonWebPictures *pictures = beckon_web_pictures_new ();
  g_autofree char *address = make_data_address (fixture->png);
  guint n_changed = 0;

  g_signal_connect (pictures, "changed", G_CALLBACK (count_up), &n_changed);
  beckon_web_pictures_load (pictures, "http://127.0.0.1/x.png", "One");
  wait_until (beckon_web_pictures_get_state (pictures, "http://127.0.0.1/x.png") == BECKON_WEB_PICTURE_FAILED);
  g_assert_nonnull (beckon_web_pictures_get_error (pictures, "http://127.0.0.1/x.png"));
  g_assert_null (beckon_web_pictures_get_part (pictures, "http://127.0.0.1/x.png"));
  g_assert_cmpuint (n_changed, ==, 2);

  beckon_web_pictures_load (pictures, address, "Two");
  beckon_web_pictures_cancel (pictures, address);
  wait_until (beckon_web_pictures_get_state (pictures, address) == BECKON_WEB_PICTURE_UNKNOWN);
  beckon_web_pictures_load (pictures, address, "Two");
  g_object_add_weak_pointer (G_OBJECT (pictures), (gpointer *) &pictures);
  g_object_unref (pictures);
  g_assert_null (pictures);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

#define add(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/web-pictures/addresses", test_addresses);
  add ("/web-pictures/fetched", test_fetched);
  add ("/web-pictures/refused", test_refused);
  add ("/web-pictures/private", test_private);
  add ("/web-pictures/data", test_data);
  add ("/web-pictures/kept", test_kept);
  add ("/web-pictures/failed-and-taken-back", test_failed_and_taken_back);
  return g_test_run ();
}
