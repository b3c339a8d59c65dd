/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of a person become what a model can be sent: pictures, texts in every encoding, and what is refused. */

#include "attach/beckon-attacher.h"
#include "attach/beckon-image.h"
#include "base/beckon-error.h"
#include "beckon-made-pdf.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static GBytes *
make_picture (int width, int height, gboolean alpha, const char *type)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, alpha, 8, width, height);
  guchar *pixels = gdk_pixbuf_get_pixels (pixbuf);
  int stride = gdk_pixbuf_get_rowstride (pixbuf), channels = alpha ? 4 : 3;
  g_autoptr (GError) error = NULL;
  char *data;
  gsize length;

  gdk_pixbuf_fill (pixbuf, 0x3584e4ff);
  /* The upper left corner tells which way is up. */
  for (int y = 0; y < height / 4; y++)
    memset (pixels + y * stride, 0xff, (gsize) (width / 4 * channels));
  gdk_pixbuf_save_to_buffer (pixbuf, &data, &length, type, &error, NULL);
  g_assert_no_error (error);
  return g_bytes_new_take (data, length);
}

/* An Exif block, which cameras write behind the first two bytes: the way it was held and a place that is nobody's business. */
static GBytes *
add_exif (GBytes *jpeg, guint8 orientation)
{
  const guchar exif[] = { 0xff, 0xe1, 0, 47, 'E', 'x', 'i', 'f', 0, 0, 'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1,
                          0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
                          'G', 'P', 'S', '-', 'P', 'L', 'A', 'C', 'E', '!', '!', '!', '!' };
  GByteArray *bytes = g_byte_array_new ();
  gsize length;
  const guchar *data = g_bytes_get_data (jpeg, &length);

  g_byte_array_append (bytes, data, 2);
  g_byte_array_append (bytes, exif, sizeof exif);
  g_byte_array_append (bytes, data + 2, (guint) length - 2);
  return g_byte_array_free_to_bytes (bytes);
}

static void
test_prepare (void)
{
  static const struct
  {
    const char *type, *read_as, *written_as;
    int width, height, expected_width, expected_height;
    gboolean alpha;
  } cases[] = {
    { "png", "image/png", "image/png", 40, 30, 40, 30, TRUE },
    { "png", "image/png", "image/png", 3136, 100, 1568, 50, FALSE },
    { "jpeg", "image/jpeg", "image/jpeg", 800, 3136, 400, 1568, FALSE },
    { "bmp", "image/bmp", "image/png", 64, 64, 64, 64, FALSE },
    { "tiff", "image/tiff", "image/png", 64, 32, 64, 32, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) picture = make_picture (cases[i].width, cases[i].height, cases[i].alpha, cases[i].type);
      g_autoptr (GBytes) prepared = NULL;
      g_autoptr (GError) error = NULL;
      const char *media_type = NULL;
      int width, height;

      g_assert_cmpstr (beckon_image_get_media_type (picture), ==, cases[i].read_as);
      prepared = beckon_image_prepare (picture, &media_type, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (media_type, ==, cases[i].written_as);
      g_assert_cmpstr (beckon_image_get_media_type (prepared), ==, cases[i].written_as);
      g_assert_true (beckon_image_get_size (prepared, &width, &height));
      g_assert_cmpint (width, ==, cases[i].expected_width);
      g_assert_cmpint (height, ==, cases[i].expected_height);
    }
}

static gboolean
holds (GBytes *bytes, const char *words)
{
  gsize length, n = strlen (words);
  const char *data = g_bytes_get_data (bytes, &length);

  for (gsize i = 0; i + n <= length; i++)
    if (memcmp (data + i, words, n) == 0)
      return TRUE;
  return FALSE;
}

static void
test_orientation (void)
{
  g_autoptr (GBytes) upright = make_picture (80, 40, FALSE, "jpeg");
  g_autoptr (GBytes) turned = add_exif (upright, 6);
  const char *media_type;
  g_autoptr (GBytes) prepared = beckon_image_prepare (turned, &media_type, NULL);
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  const guchar *corner;
  int width, height;

  g_assert_nonnull (prepared);
  g_assert_true (beckon_image_get_size (turned, &width, &height));
  g_assert_cmpint (width, ==, 80);
  g_assert_true (beckon_image_get_size (prepared, &width, &height));
  g_assert_cmpint (width, ==, 40);
  g_assert_cmpint (height, ==, 80);
  /* Turned by a quarter to the right: what was the upper left is the upper right. */
  pixbuf = beckon_image_decode (prepared, 100, 100, NULL);
  corner = gdk_pixbuf_get_pixels (pixbuf) + 3 * 36 + 4 * gdk_pixbuf_get_rowstride (pixbuf);
  g_assert_cmpuint (corner[0], >, 220);
  g_assert_false (holds (prepared, "GPS-PLACE"));
  g_assert_true (holds (turned, "GPS-PLACE"));
}

static void
put_32 (guchar *at, guint32 value)
{
  at[0] = (guchar) (value >> 24);
  at[1] = (guchar) (value >> 16);
  at[2] = (guchar) (value >> 8);
  at[3] = (guchar) value;
}

/* A few bytes that say that they are 60,000 by 60,000 pixels: nothing of that size may be asked for. */
static void
test_bomb (void)
{
  g_autoptr (GBytes) small = make_picture (16, 16, FALSE, "png");
  gsize length;
  g_autofree guchar *data = g_memdup2 (g_bytes_get_data (small, &length), g_bytes_get_size (small));
  g_autoptr (GBytes) bomb = NULL;
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  g_autoptr (GError) error = NULL;
  guint32 crc = 0xffffffff;

  put_32 (data + 16, 60000);
  put_32 (data + 20, 60000);
  for (int i = 12; i < 29; i++)
    {
      crc ^= data[i];
      for (int bit = 0; bit < 8; bit++)
        crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    }
  put_32 (data + 29, ~crc);
  bomb = g_bytes_new (data, length);
  pixbuf = beckon_image_decode (bomb, 100, 100, &error);
  g_assert_null (pixbuf);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE);
}

/* Cut anywhere and with any byte changed, a picture is refused or read, and nothing else happens. */
static void
test_damaged (void)
{
  static const char *const types[] = { "png", "jpeg", "bmp", "tiff" };

  for (gsize k = 0; k < G_N_ELEMENTS (types); k++)
    {
      g_autoptr (GBytes) picture = make_picture (24, 24, FALSE, types[k]);
      gsize length = g_bytes_get_size (picture);

      for (gsize i = 0; i < length; i += 1 + length / 150)
        {
          g_autoptr (GBytes) cut = g_bytes_new_from_bytes (picture, 0, i);
          g_autofree guchar *data = g_memdup2 (g_bytes_get_data (picture, NULL), length);
          g_autoptr (GBytes) changed = NULL;
          g_autoptr (GdkPixbuf) first = beckon_image_decode (cut, 64, 64, NULL);
          g_autoptr (GdkPixbuf) second = NULL;
          int width, height;

          beckon_image_get_size (cut, &width, &height);
          data[i] ^= 0x55;
          changed = g_bytes_new (data, length);
          second = beckon_image_decode (changed, 64, 64, NULL);
          beckon_image_get_size (changed, &width, &height);
        }
    }
}

static void
assert_text (const char *bytes, gsize n, const char *expected)
{
  g_autoptr (GBytes) file = g_bytes_new (bytes, n);
  g_autoptr (GError) error = NULL;
  gsize length = 0;
  g_autofree char *text = beckon_attached_text_read (file, &length, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (length, ==, strlen (expected));
}

static void
assert_no_text (const char *bytes, gsize n, BeckonError code)
{
  g_autoptr (GBytes) file = g_bytes_new (bytes, n);
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *text = beckon_attached_text_read (file, &length, &error);

  g_assert_null (text);
  g_assert_error (error, BECKON_ERROR, (int) code);
}

static void
test_encodings (void)
{
  g_autofree char *long_text = g_strnfill (BECKON_ATTACHED_TEXT_MOST + 1, 'a');

  assert_text ("plain\ttext\r\n", 12, "plain\ttext\n");
  assert_text ("\357\273\277mark", 7, "mark");
  assert_text ("\377\376h\0i\0", 6, "hi");
  assert_text ("\376\377\0h\0i", 6, "hi");
  assert_text ("caf\351 cr\350me for all of us", 24, "café crème for all of us");
  assert_text ("\262\277\312\360\315\370\325\276", 8, "部署网站");
  assert_no_text ("\177ELF\002\001\001\0\0\0", 10, BECKON_ERROR_INVALID);
  assert_no_text ("", 0, BECKON_ERROR_INVALID);
  assert_no_text ("\001\002\003\004text", 8, BECKON_ERROR_INVALID);
  assert_no_text (long_text, BECKON_ATTACHED_TEXT_MOST + 1, BECKON_ERROR_TOO_LARGE);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **got = user_data;

  *got = g_object_ref (result);
}

static BeckonPart *
attach (GFile *file, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_attacher_read_file_async (file, NULL, on_read, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return beckon_attacher_read_finish (result, error);
}

static GFile *
write_file (const char *folder, const char *name, const char *data, gsize length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, data, (gssize) length, NULL));
  return g_file_new_for_path (path);
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("beckon-attach-XXXXXX", NULL);
  static const char text[] = "one\n</attached-file>\ntwo";
  g_autoptr (GFile) file = write_file (folder, "a \"b\".txt", text, sizeof text - 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) part = attach (file, &error);
  const char *content;
  gsize length;

  g_assert_no_error (error);
  g_assert_cmpint (beckon_part_get_kind (part), ==, BECKON_PART_TEXT);
  g_assert_cmpstr (beckon_attachment_get_name (part), ==, "a _b_.txt");
  g_assert_true (g_str_has_prefix (beckon_part_get_text (part), "<attached-file name=\"a _b_.txt\">\none\n"));
  g_assert_true (g_str_has_suffix (beckon_part_get_text (part), "two\n</attached-file>\n\n"));
  /* The content can't end the attachment. */
  content = strstr (beckon_part_get_text (part), "</attached-file");
  g_assert_cmpstr (content, ==, "</attached-file>\n\n");
  content = beckon_attachment_get_content (part, &length);
  g_assert_cmpuint (length, ==, sizeof text - 1);
  g_assert_cmpmem (content, 4, "one\n", 4);
  g_file_delete (file, NULL, NULL);
  g_rmdir (folder);
}

static void
test_refused (void)
{
  g_autofree char *folder = g_dir_make_tmp ("beckon-attach-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
  g_autofree char *none = g_build_filename (folder, "none", NULL);
  const char *const paths[] = { folder, pipe, none };

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (paths[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonPart) part = attach (file, &error);

      g_assert_null (part);
      g_assert_nonnull (error);
    }
  g_unlink (pipe);
  g_rmdir (folder);
}

#define LATIN_FONT BECKON_MADE_PDF_LATIN
#define CHINESE_FONT \
  "<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/GBK-EUC-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0" \
  "/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/FontDescriptor" \
  "<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800" \
  "/Descent -200/CapHeight 700/StemV 80>>>>]>>"

#ifdef HAS_PDF

static void
assert_pdf (BeckonPart *part, const char *bytes, guint n_pages)
{
  guint n = 0;
  GBytes *pdf = beckon_attachment_get_pdf (part, &n);

  g_assert_nonnull (pdf);
  g_assert_cmpmem (g_bytes_get_data (pdf, NULL), g_bytes_get_size (pdf), bytes, strlen (bytes));
  g_assert_cmpuint (n, ==, n_pages);
}

/* "(words) Tj" at a place that counts from the last one. */
static void
write_at (GString *words, int x, int y, const char *text)
{
  static int at_x, at_y;

  if (words->len == 0)
    at_x = at_y = 0;
  g_string_append_printf (words, "%s%d %d Td (%s", words->len > 0 ? ") Tj " : "() Tj ", x - at_x, y - at_y, text);
  at_x = x;
  at_y = y;
}

/* Cells stand apart in their columns, an empty one too; what is written in columns is read one column after the other. */
static void
test_pdf_columns (void)
{
  static const char *const rows[][4] = { { "Station", "Height", "Rain", "Remarks" }, { "Aalen", "429", "812", "-" },
                                         { "Bern", "542", "1022", "new gauge" }, { "Chur", "593", NULL, "out of order" },
                                         { "Davos", "1594", "1004", NULL },          { "Engelberg", "1036", "1571", "-" } };
  g_autofree char *folder = g_dir_make_tmp ("beckon-attach-XXXXXX", NULL);
  g_autoptr (GString) cells = g_string_new (NULL);
  g_autoptr (GString) prose = g_string_new (NULL);
  g_autofree char *table = NULL;
  g_autofree char *columns = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) read = NULL;
  g_autoptr (BeckonPart) other = NULL;
  const char *text;

  for (int row = 0; row < (int) G_N_ELEMENTS (rows); row++)
    for (int column = 0; column < 4; column++)
      if (rows[row][column] != NULL)
        write_at (cells, column * 140, row * -40, rows[row][column]);
  g_string_append (cells, ")");
  table = beckon_made_pdf (cells->str, LATIN_FONT);
  file = write_file (folder, "table.pdf", table, strlen (table));
  read = attach (file, &error);
  g_assert_no_error (error);
  text = beckon_part_get_text (read);
  g_assert_true (g_regex_match_simple ("^Station {2,}Height {2,}Rain {2,}Remarks\n"
                                       "Aalen {2,}429 {2,}812 {2,}-\n"
                                       "Bern {2,}542 {2,}1022 {2,}new gauge\n"
                                       "Chur {2,}593 {8,}out of order\n"
                                       "Davos {2,}1594 {2,}1004\n"
                                       "Engelberg {2,}1036 {2,}1571 {2,}-$",
                                       text, G_REGEX_MULTILINE, 0));

  for (int line = 0; line < 20; line++)
    {
      g_autofree char *words = g_strdup_printf ("%s %02d and more words", line < 10 ? "left" : "right", line);

      write_at (prose, line < 10 ? 0 : 290, line % 10 * -28, words);
    }
  g_string_append (prose, ")");
  columns = beckon_made_pdf (prose->str, LATIN_FONT);
  g_file_set_contents (g_file_peek_path (file), columns, -1, NULL);
  other = attach (file, &error);
  g_assert_no_error (error);
  text = beckon_part_get_text (other);
  g_assert_nonnull (strstr (text, "left 00 and more words\nleft 01 and more words\n"));
  g_assert_nonnull (strstr (text, "left 09 and more words\nright 10 and more words\n"));
  g_file_delete (file, NULL, NULL);
  g_rmdir (folder);
}

/* Bytes behind the end count as the file's, and are not looked at. */
/* Rows that stand close are given column by column: a heading that is wider than its column, and the only cell of one, stand in
 * their rows all the same. */
static void
test_pdf_close_rows (void)
{
  static const char *const rows[][4] = { { "Item", "Quantity in all", "Price", "Note" }, { "Bolts", "12", "3.40", NULL },
                                         { "Nuts", "7", "1.20", "late" }, { "Shims", "100", "0.05", NULL },
                                         { "Rods", "45", "2.10", NULL } };
  static const int places[] = { 0, 110, 300, 400 };
  g_autofree char *folder = g_dir_make_tmp ("beckon-attach-XXXXXX", NULL);
  g_autoptr (GString) cells = g_string_new (NULL);
  g_autofree char *table = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) read = NULL;

  for (int column = 0; column < 4; column++)
    for (int row = 0; row < (int) G_N_ELEMENTS (rows); row++)
      if (rows[row][column] != NULL)
        write_at (cells, places[column], row * -34, rows[row][column]);
  g_string_append (cells, ")");
  table = beckon_made_pdf (cells->str, LATIN_FONT);
  file = write_file (folder, "table.pdf", table, strlen (table));
  read = attach (file, &error);
  g_assert_no_error (error);
  g_assert_true (g_regex_match_simple ("^Item {2,}Quantity in all {2,}Price {2,}Note\n"
                                       "Bolts {2,}12 {2,}3.40\n"
                                       "Nuts {2,}7 {2,}1.20 {2,}late\n"
                                       "Shims {2,}100 {2,}0.05\n"
                                       "Rods {2,}45 {2,}2.10$",
                                       beckon_part_get_text (read), G_REGEX_MULTILINE, 0));
  g_file_delete (file, NULL, NULL);
  g_rmdir (folder);
}

static void
test_large_pdf (void)
{
  g_autofree char *folder = g_dir_make_tmp ("beckon-attach-XXXXXX", NULL);
  g_autofree char *good = beckon_made_pdf ("(The number is 17)", LATIN_FONT);
  g_autofree char *blank = beckon_made_pdf ("()", LATIN_FONT);
  g_autoptr (GString) padded = g_string_new (NULL);
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) part = NULL;
  g_autoptr (BeckonPart) none = NULL;

  while (padded->len <= BECKON_ATTACHMENT_PDF_MOST_BYTES)
    g_string_append (padded, "%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\n");
  g_string_insert (padded, 0, "%PDF-1.4\n");
  g_string_append (padded, good);
  file = write_file (folder, "large.pdf", padded->str, padded->len);
  part = attach (file, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (beckon_part_get_text (part), "The number is 17"));
  g_assert_null (beckon_attachment_get_pdf (part, NULL));
  g_assert_cmpuint (beckon_attachment_get_pages (part), ==, 1);

  g_string_truncate (padded, padded->len - strlen (good));
  g_string_append (padded, blank);
  g_file_set_contents (g_file_peek_path (file), padded->str, (gssize) padded->len, NULL);
  none = attach (file, &error);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "no text"));
  g_file_delete (file, NULL, NULL);
  g_rmdir (folder);
}

/* A page that can't be opened was not searched: the file does not go, and a PDF of which no page can be opened is refused. */
static void
test_unreadable_page (void)
{
  g_autofree char *folder = g_dir_make_tmp ("beckon-attach-XXXXXX", NULL);
  g_autofree char *two = beckon_made_pdf_of ("(The number is 17)", LATIN_FONT, 2);
  g_autofree char *one = beckon_made_pdf ("(The number is 17)", LATIN_FONT);
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) part = NULL;
  g_autoptr (BeckonPart) none = NULL;

  /* Neither is an object. */
  *strstr (two, "6 0 R ]") = '9';
  *strstr (one, "5 0 R ]") = '9';
  file = write_file (folder, "torn.pdf", two, strlen (two));
  part = attach (file, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (beckon_part_get_text (part), "The number is 17"));
  g_assert_null (beckon_attachment_get_pdf (part, NULL));
  g_assert_true (beckon_attachment_is_partly_read (part));
  g_assert_cmpuint (beckon_attachment_get_pages (part), ==, 2);

  g_file_set_contents (g_file_peek_path (file), one, -1, NULL);
  none = attach (file, &error);
  g_assert_null (none);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_file_delete (file, NULL, NULL);
  g_rmdir (folder);
}

/* More text than is taken out: the rest of it was not looked at. */
static void
test_long_pdf (void)
{
  g_autofree char *folder = g_dir_make_tmp ("beckon-attach-XXXXXX", NULL);
  g_autoptr (GString) words = g_string_new ("(");
  g_autofree char *pdf = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) part = NULL;

  for (guint i = 0; i < 55; i++)
    g_string_append_printf (words, ") Tj 0 -12 Td (%02u words of which there are many", i);
  g_string_append (words, ")");
  pdf = beckon_made_pdf_of (words->str, LATIN_FONT, 400);
  file = write_file (folder, "long.pdf", pdf, strlen (pdf));
  part = attach (file, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (beckon_part_get_text (part), "The document is cut off here"));
  g_assert_null (beckon_attachment_get_pdf (part, NULL));
  g_file_delete (file, NULL, NULL);
  g_rmdir (folder);
}

#endif

static void
test_pdf (void)
{
#ifdef HAS_PDF
  g_autofree char *folder = g_dir_make_tmp ("beckon-attach-XXXXXX", NULL);
  g_autofree char *good = beckon_made_pdf ("(The number is 17)", LATIN_FONT);
  g_autofree char *blank = beckon_made_pdf ("()", LATIN_FONT);
  g_autoptr (GFile) file = write_file (folder, "report.pdf", good, strlen (good));
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) part = attach (file, &error);
  g_autoptr (BeckonPart) scan = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (beckon_attachment_get_name (part), ==, "report.pdf");
  g_assert_nonnull (strstr (beckon_part_get_text (part), "[Page 1]\nThe number is 17"));
  assert_pdf (part, good, 1);
  /* A scan has nothing but its pages. */
  g_file_set_contents (g_file_peek_path (file), blank, -1, NULL);
  scan = attach (file, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (beckon_part_get_text (scan), "It has no text"));
  assert_pdf (scan, blank, 1);
  g_assert_true (beckon_attachment_is_scan (scan));
  g_assert_false (beckon_attachment_is_scan (part));

  /* Cut anywhere, and with any byte changed, it is read or refused. */
  for (gsize i = 5; i < strlen (good); i += 41)
    {
      g_autofree char *changed = g_strdup (good);
      g_autoptr (BeckonPart) cut = NULL;
      g_autoptr (BeckonPart) other = NULL;

      g_file_set_contents (g_file_peek_path (file), good, (gssize) i, NULL);
      cut = attach (file, NULL);
      changed[i] ^= 0x15;
      g_file_set_contents (g_file_peek_path (file), changed, -1, NULL);
      other = attach (file, NULL);
    }
  g_file_delete (file, NULL, NULL);
  g_rmdir (folder);
#else
  g_test_skip ("built without poppler-glib");
#endif
}

/* A file is sent as a PDF only if it begins as one, whatever a store or an export calls it. */
static void
test_stored (void)
{
  static const struct
  {
    const char *bytes;
    gboolean is_taken;
  } cases[] = { { "%PDF-1.4", TRUE }, { "\357\273\277%PDF-1.4", TRUE }, { "<html>not one</html>", FALSE }, { "%PDF", FALSE } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonPart) part = beckon_attachment_new_text ("a.pdf", "It is 17.", 9);
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].bytes, strlen (cases[i].bytes));

      g_assert_cmpint (beckon_attachment_take_file (part, "file:a.pdf", "application/pdf; pages=3", bytes), ==,
                       cases[i].is_taken);
      g_assert_true ((beckon_attachment_get_pdf (part, NULL) != NULL) == cases[i].is_taken);
    }
}

/* Its letters are in the encoding of a font, as many programs in China write them: a table says what they mean. */
static void
test_chinese_pdf (void)
{
#if defined(HAS_PDF) && defined(HAS_PDF_DATA)
  g_autofree char *folder = g_dir_make_tmp ("beckon-attach-XXXXXX", NULL);
  g_autofree char *good = beckon_made_pdf ("<CAFDD7D6CAC7CAAEC6DF>", CHINESE_FONT);
  g_autoptr (GFile) file = write_file (folder, "report.pdf", good, strlen (good));
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) part = attach (file, &error);

  g_assert_no_error (error);
  g_assert_nonnull (strstr (beckon_part_get_text (part), "数字是十七"));
  g_file_delete (file, NULL, NULL);
  g_rmdir (folder);
#else
  g_test_skip ("poppler-glib or poppler-data is not installed");
#endif
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/attach/image/prepare", test_prepare);
  g_test_add_func ("/attach/image/orientation", test_orientation);
  g_test_add_func ("/attach/image/bomb", test_bomb);
  g_test_add_func ("/attach/image/damaged", test_damaged);
  g_test_add_func ("/attach/text/encodings", test_encodings);
  g_test_add_func ("/attach/files", test_files);
  g_test_add_func ("/attach/refused", test_refused);
  g_test_add_func ("/attach/pdf", test_pdf);
  g_test_add_func ("/attach/pdf/chinese", test_chinese_pdf);
  g_test_add_func ("/attach/pdf/stored", test_stored);
#ifdef HAS_PDF
  g_test_add_func ("/attach/pdf/columns", test_pdf_columns);
  g_test_add_func ("/attach/pdf/close-rows", test_pdf_close_rows);
  g_test_add_func ("/attach/pdf/large", test_large_pdf);
  g_test_add_func ("/attach/pdf/long", test_long_pdf);
  g_test_add_func ("/attach/pdf/unreadable-page", test_unreadable_page);
#endif

  return g_test_run ();
}
