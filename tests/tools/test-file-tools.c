/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tools that read the working folder: real files, links and lengths. */

#include "attach/beckon-image.h"
#include "base/beckon-error.h"
#include "beckon-made-pdf.h"
#include "domain/beckon-attachment.h"
#include "tool-runner.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

static void
set_up (ToolRunner *runner, gconstpointer data)
{
  tool_runner_set_up (runner);
}

static void
tear_down (ToolRunner *runner, gconstpointer data)
{
  tool_runner_tear_down (runner);
}

static void
assert_result (ToolRunner *runner, const char *tool, const char *arguments, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *result = tool_runner_run (runner, tool, arguments, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (result, ==, expected);
}

static void
link_to (ToolRunner *runner, const char *target, const char *name)
{
  g_autofree char *path = g_build_filename (runner->folder, name, NULL);

  g_assert_cmpint (symlink (target, path), ==, 0);
}

static void
test_read (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *absolute = g_strdup_printf ("{'path':'%s/a.txt'}", runner->folder);
  g_autoptr (GError) error = NULL;

  tool_runner_write (runner, "a.txt", "one\ntwo\nthree\nfour\n");
  tool_runner_write (runner, "empty", "");
  tool_runner_write (runner, "deep/er/b.txt", "no end of line");
  assert_result (runner, "read_file", "{'path':'a.txt'}", "one\ntwo\nthree\nfour\n");
  assert_result (runner, "read_file", absolute, "one\ntwo\nthree\nfour\n");
  assert_result (runner, "read_file", "{'path':'./deep/../deep/er/b.txt'}", "no end of line");
  assert_result (runner, "read_file", "{'path':'empty'}", "[The file is empty.]");
  assert_result (runner, "read_file", "{'path':'a.txt','offset':3}", "three\nfour\n");
  assert_result (runner, "read_file", "{'path':'a.txt','offset':2,'limit':2}",
                 "two\nthree\n[Lines 2–3 of 4. To go on, read with offset 4.]");
  assert_result (runner, "read_file", "{'path':'a.txt','byte_offset':14}", "four\n");
  tool_runner_expect (runner, "read_file", "{'path':'a.txt','offset':9}", "There is nothing there", NULL);
  tool_runner_expect_error (runner, "read_file", "{'path':'A.TXT'}", BECKON_ERROR_NOT_FOUND, "“A.TXT”. Did you mean “a.txt”?");
  tool_runner_expect_error (runner, "read_file", "{'path':'deep/Er/b.txt'}", BECKON_ERROR_NOT_FOUND,
                            "There is no “deep/Er/b.txt”. Did you mean “deep/er/b.txt”?");
  tool_runner_expect_error (runner, "read_file", "{'path':'b.txt'}", BECKON_ERROR_NOT_FOUND, "Did you mean “deep/er/b.txt”?");
  tool_runner_expect_error (runner, "list_files", "{'path':'deeper/er'}", BECKON_ERROR_NOT_FOUND, "Did you mean “deep/er”?");
  tool_runner_expect_error (runner, "read_file", "{'path':'emptyy'}", BECKON_ERROR_NOT_FOUND, "Did you mean “empty”?");
  g_assert_null (tool_runner_run (runner, "read_file", "{'path':'Makefile'}", NULL, &error));
  g_assert_cmpstr (error->message, ==, "There is no “Makefile”.");
}

/* Every part follows the one before, and together they are the file, whatever its lines. */
static void
test_read_large (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (GString) contents = g_string_new (NULL);
  g_autoptr (GString) read = g_string_new (NULL);
  guint n_parts = 0;

  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (contents, "line %u ünd ☃\n", i);
  for (guint i = 0; i < 60000; i++)
    g_string_append (contents, "☃");
  tool_runner_write (runner, "large", contents->str);

  while (read->len < contents->len)
    {
      g_autofree char *arguments = g_strdup_printf ("{'path':'large','byte_offset':%u}", (guint) read->len);
      g_autofree char *part = tool_runner_run (runner, "read_file", arguments, NULL, NULL);
      char *note = strstr (part, "[This is up to byte");
      gsize length = note != NULL ? (gsize) (note - part) : strlen (part);

      g_assert_true (g_utf8_validate (part, -1, NULL));
      if (note != NULL && contents->str[read->len + length - 1] != '\n' && part[length - 1] == '\n')
        length--;
      g_string_append_len (read, part, (gssize) length);
      g_assert_cmpuint (n_parts++, <, 100);
    }
  g_assert_true (g_string_equal (read, contents));
  g_assert_cmpuint (n_parts, >, 5);
}

/* Lines that nobody would read are cut, and where the first of them begins is said. */
static void
test_read_long_lines (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *filler = g_strnfill (5000, 'x');
  g_autofree char *contents = g_strconcat ("one\n", filler, "end\ntwo\n", NULL);
  g_autofree char *shown = g_strnfill (1999, 'x');
  g_autofree char *expected
    = g_strconcat ("one\n", shown, "…\ntwo\n[Lines of more than 2000 characters are cut. To see all of one, read with "
                                   "byte_offset: the first begins at byte 4.]", NULL);

  tool_runner_write (runner, "long", contents);
  assert_result (runner, "read_file", "{'path':'long'}", expected);
  tool_runner_expect (runner, "read_file", "{'path':'long','byte_offset':5000}", "xxend\ntwo\n", NULL);
}

#ifdef HAS_PDF
static void
test_read_pdf (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *three = beckon_made_pdf_of ("(The number is 17)", BECKON_MADE_PDF_LATIN, 3);
  g_autofree char *one = beckon_made_pdf ("(The number is 17)", BECKON_MADE_PDF_LATIN);
  g_autofree char *blank = beckon_made_pdf ("()", BECKON_MADE_PDF_LATIN);

  tool_runner_write (runner, "report.pdf", three);
  tool_runner_write (runner, "scan.pdf", blank);
  tool_runner_write (runner, "torn.pdf", "%PDF-1.4\nno more");
  tool_runner_expect (runner, "read_file", "{'path':'report.pdf'}", "[Page 1]\nThe number is 17\n", "[Page 3]\n",
                      "[This is the text of a PDF of 3 pages.]", NULL);
  tool_runner_expect (runner, "read_file", "{'path':'report.pdf','offset':4,'limit':2}", "[Page 2]\nThe number is 17\n",
                      "[Lines 4–5 of ", "To go on, read with offset 6.]", NULL);
  tool_runner_write (runner, "one.pdf", one);
  tool_runner_expect (runner, "read_file", "{'path':'one.pdf'}", "[This is the text of a PDF of 1 page.]", NULL);
  tool_runner_expect_error (runner, "read_file", "{'path':'scan.pdf'}", BECKON_ERROR_INVALID, "a PDF of 1 page without any text");
  tool_runner_expect_error (runner, "read_file", "{'path':'torn.pdf'}", BECKON_ERROR_INVALID, "damaged");
}
#endif

static void
test_read_binary (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *path = g_build_filename (runner->folder, "program.o", NULL);

  g_assert_true (g_file_set_contents (path, "\x7f\x45LF\0\0\0\0\0\0\0\0", 12, NULL));
  tool_runner_expect_error (runner, "read_file", "{'path':'program.o'}", BECKON_ERROR_INVALID, "12 bytes");
  g_assert_cmpuint (beckon_tool_call_get_n_images (runner->call), ==, 0);
}

static void
write_picture (ToolRunner *runner, const char *name, const char *type, int width, int height)
{
  g_autofree char *path = g_build_filename (runner->folder, name, NULL);
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);

  gdk_pixbuf_fill (pixbuf, 0x3584e4ff);
  g_assert_true (gdk_pixbuf_save (pixbuf, path, type, NULL, NULL));
}

static BeckonPart *
expect_picture (ToolRunner *runner, const char *arguments, const char *words, const char *name)
{
  BeckonPart *image;

  tool_runner_expect (runner, "read_file", arguments, words, NULL);
  g_assert_cmpuint (beckon_tool_call_get_n_images (runner->call), ==, 1);
  image = beckon_tool_call_get_image (runner->call, 0);
  g_assert_cmpint (beckon_part_get_kind (image), ==, BECKON_PART_IMAGE);
  g_assert_cmpstr (beckon_attachment_get_name (image), ==, name);
  return image;
}

/* A picture is shown, whatever its name says, and no larger than models look at. */
static void
test_read_picture (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *cut = g_build_filename (runner->folder, "cut.png", NULL);
  g_autofree char *huge = g_build_filename (runner->folder, "huge.png", NULL);
  g_autofree char *bytes = NULL;
  gsize length;
  BeckonPart *image;
  int fd;

  write_picture (runner, "plot", "png", 60, 40);
  image = expect_picture (runner, "{'path':'plot'}", "(image/png, 60 × 40 pixels). It is shown with this result.]", "plot");
  g_assert_cmpstr (beckon_part_get_media_type (image), ==, "image/png");
  tool_runner_write (runner, "sub/other.txt", "");
  write_picture (runner, "sub/photo.jpeg", "jpeg", 3136, 200);
  image = expect_picture (runner, "{'path':'sub/photo.jpeg','limit':2}",
                          "(image/jpeg, 3136 × 200 pixels). It is shown with this result, scaled down to 1568 × 100 pixels.]",
                          "photo.jpeg");
  g_assert_cmpuint (beckon_part_get_length (image), <, BECKON_IMAGE_MOST_BYTES);

  /* A file that is no picture, or too large, is an error, and nothing is shown. */
  g_assert_true (g_file_set_contents (cut, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16, NULL));
  tool_runner_expect_error (runner, "read_file", "{'path':'cut.png'}", BECKON_ERROR_INVALID, "it is damaged");
  g_assert_cmpuint (beckon_tool_call_get_n_images (runner->call), ==, 0);
  g_assert_true (g_file_get_contents (cut, &bytes, &length, NULL));
  fd = open (huge, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  g_assert_cmpint (pwrite (fd, bytes, length, 0), ==, (gssize) length);
  g_assert_cmpint (ftruncate (fd, 65 * 1024 * 1024), ==, 0);
  close (fd);
  tool_runner_expect_error (runner, "read_file", "{'path':'huge.png'}", BECKON_ERROR_TOO_LARGE, "more than 64 MB");
}

/* Faults F93: nothing but regular files beneath the folder, and the model is told why. */
static void
test_read_refused (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *outside = g_build_filename (runner->root, "secret", NULL);
  g_autofree char *fifo = g_build_filename (runner->folder, "fifo", NULL);

  g_assert_true (g_file_set_contents (outside, "secret", -1, NULL));
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  link_to (runner, outside, "out");
  link_to (runner, "/proc/self/root/etc/passwd", "magic");
  link_to (runner, "nowhere", "dangling");
  link_to (runner, "/dev/zero", "zero");
  tool_runner_expect_error (runner, "read_file", "{'path':'../secret'}", BECKON_ERROR_INVALID, "outside");
  tool_runner_expect_error (runner, "read_file", "{'path':'/etc/passwd'}", BECKON_ERROR_INVALID, "outside");
  tool_runner_expect_error (runner, "read_file", "{'path':'out'}", BECKON_ERROR_INVALID, "leads out");
  tool_runner_expect_error (runner, "read_file", "{'path':'magic'}", BECKON_ERROR_INVALID, "leads out");
  tool_runner_expect_error (runner, "read_file", "{'path':'zero'}", BECKON_ERROR_INVALID, "leads out");
  tool_runner_expect_error (runner, "read_file", "{'path':'dangling'}", BECKON_ERROR_NOT_FOUND, "no “dangling”");
  tool_runner_expect_error (runner, "read_file", "{'path':'fifo'}", BECKON_ERROR_INVALID, "not a regular file");
  tool_runner_expect_error (runner, "read_file", "{'path':'.'}", BECKON_ERROR_INVALID, "is a folder");
  tool_runner_expect_error (runner, "read_file", "{}", BECKON_ERROR_INVALID, "path");
  tool_runner_expect_error (runner, "read_file", "{'path':'a','lines':3}", BECKON_ERROR_INVALID, "lines");
}

static void
test_list (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *file = g_build_filename (runner->folder, "b.c", NULL);
  g_autoptr (GDateTime) changed = g_date_time_new_from_unix_local (1000000000);
  g_autofree char *dated = g_date_time_format (changed, "b.c 5 %Y-%m-%d %H:%M\n");

  tool_runner_write (runner, "b.c", "12345");
  tool_runner_write (runner, "a/x.h", "1");
  tool_runner_write (runner, "a/y/z.c", "12");
  tool_runner_write (runner, ".git/HEAD", "ref");
  tool_runner_write (runner, "a/.git", "gitdir: elsewhere");
  link_to (runner, "b.c", "l");
  g_assert_cmpint (g_utime (file, &(struct utimbuf){ 0, 1000000000 }), ==, 0);
  assert_result (runner, "list_files", "{}", "a/\nb.c 5\nl -> (a link)\n");
  assert_result (runner, "list_files", "{'path':'a'}", "a/x.h 1\na/y/\n");
  assert_result (runner, "list_files", "{'recursive':true}", "a/\na/x.h 1\na/y/\na/y/z.c 2\nb.c 5\nl -> (a link)\n");
  assert_result (runner, "list_files", "{'pattern':'*.c'}", "a/y/z.c 2\nb.c 5\n");
  assert_result (runner, "list_files", "{'pattern':'a/**/*.{c,h}'}", "a/x.h 1\na/y/z.c 2\n");
  assert_result (runner, "list_files", "{'pattern':'[!b].c'}", "a/y/z.c 2\n");
  tool_runner_expect (runner, "list_files", "{'pattern':'*.rs'}", "There is nothing", NULL);
  assert_result (runner, "list_files", "{'pattern':'b.c','dates':true}", dated);
  tool_runner_expect_error (runner, "list_files", "{'path':'none'}", BECKON_ERROR_NOT_FOUND, "no “none”");
  tool_runner_expect_error (runner, "list_files", "{'path':'..'}", BECKON_ERROR_INVALID, "outside");
}

static void
test_list_ignored (ToolRunner *runner, gconstpointer data)
{
  tool_runner_write (runner, ".gitignore", "# comment\n*.o\n!keep.o\n/build/\nsub/only\n");
  tool_runner_write (runner, "sub/.gitignore", "*.log\n");
  tool_runner_write (runner, "a.o", "");
  tool_runner_write (runner, "keep.o", "");
  tool_runner_write (runner, "build/deep/x.c", "");
  tool_runner_write (runner, "sub/build/y.c", "");
  tool_runner_write (runner, "sub/only", "");
  tool_runner_write (runner, "sub/a.log", "");
  tool_runner_write (runner, "b.log", "");
  assert_result (runner, "list_files", "{'recursive':true}",
                 ".gitignore 39\nb.log 0\nkeep.o 0\nsub/\nsub/.gitignore 6\nsub/build/\nsub/build/y.c 0\n"
                 "[Left out, because .gitignore names them or there are too many: a.o, build/, sub/a.log, sub/only.]\n");
  assert_result (runner, "list_files", "{'path':'sub'}",
                 "sub/.gitignore 6\nsub/build/\n"
                 "[Left out, because .gitignore names them or there are too many: sub/a.log, sub/only.]\n");
}

static void
test_list_many (ToolRunner *runner, gconstpointer data)
{
  for (guint i = 0; i < 1200; i++)
    {
      g_autofree char *name = g_strdup_printf ("many/%04u", i);

      tool_runner_write (runner, name, "");
    }
  tool_runner_expect (runner, "list_files", "{'path':'many'}", "many/0000 0\n", "many/0999 0\n", "There is more", NULL);
}

static void
test_search (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *binary = g_build_filename (runner->folder, "binary", NULL);

  tool_runner_write (runner, "a.c", "int main (void)\n{\n  return fooBar (1);\n}\n");
  tool_runner_write (runner, "b/c.txt", "foobar\nf.o\n");
  tool_runner_write (runner, ".gitignore", "ignored\n");
  tool_runner_write (runner, "ignored", "fooBar\n");
  g_assert_true (g_file_set_contents (binary, "fooBar\0", 7, NULL));
  assert_result (runner, "search_files", "{'pattern':'foo[A-Z]'}", "a.c:3:  return fooBar (1);\n");
  assert_result (runner, "search_files", "{'pattern':'foobar','ignore_case':true}",
                 "a.c:3:  return fooBar (1);\nb/c.txt:1:foobar\n");
  assert_result (runner, "search_files", "{'pattern':'f.o','literal':true}", "b/c.txt:2:f.o\n");
  assert_result (runner, "search_files", "{'pattern':'f','glob':'*.txt','limit':1}",
                 "b/c.txt:1:foobar\n[There may be more. Search a smaller folder, or a narrower pattern.]\n");
  assert_result (runner, "search_files", "{'pattern':'main','path':'a.c'}", "a.c:1:int main (void)\n");
  assert_result (runner, "search_files", "{'pattern':'nothing'}",
                 "[Nothing matches in 3 files.]\n[1 more hold no text, and were not searched.]\n");
  tool_runner_expect_error (runner, "search_files", "{'pattern':'('}", BECKON_ERROR_INVALID, "set literal");
  tool_runner_expect_error (runner, "search_files", "{'pattern':'def rate('}", BECKON_ERROR_INVALID, "‘def rate(’ at char 9");
}

/* A line without anything is a line: it ends, and has a number. */
static void
test_search_empty_lines (ToolRunner *runner, gconstpointer data)
{
  tool_runner_write (runner, "a", "\n\none\n\n\ntwo\n\n");
  assert_result (runner, "search_files", "{'pattern':'three'}", "[Nothing matches in 1 file.]\n");
  assert_result (runner, "search_files", "{'pattern':'two'}", "a:6:two\n");
  assert_result (runner, "search_files", "{'pattern':'^$','limit':2}",
                 "a:1:\na:2:\n[There may be more. Search a smaller folder, or a narrower pattern.]\n");
  assert_result (runner, "search_files", "{'pattern':'(?<!x)^$','glob':'a'}", "a:1:\na:2:\na:4:\na:5:\na:7:\n");
  assert_result (runner, "search_files", "{'pattern':'one\\\\s+two'}", "[Nothing matches in 1 file.]\n");
  assert_result (runner, "search_files", "{'pattern':'\\\\s*two'}", "a:6:two\n");
}

/* The lines around, each once, as grep gives them. */
static void
test_search_context (ToolRunner *runner, gconstpointer data)
{
  tool_runner_write (runner, "a", "1\n2\n3 x\n4\n5\n6 x\n7\n8\n9\n10\n11 x\n");
  tool_runner_write (runner, "b", "x");
  assert_result (runner, "search_files", "{'pattern':'x','context':1}",
                 "a-2-2\na:3:3 x\na-4-4\na-5-5\na:6:6 x\na-7-7\n--\na-10-10\na:11:11 x\n--\nb:1:x\n");
  /* A wish for more than there can be gets what there can be. */
  tool_runner_expect (runner, "search_files", "{'pattern':'x','context':30,'limit':500}", "a", NULL);
  assert_result (runner, "search_files", "{'pattern':'x','context':2,'path':'a','limit':2}",
                 "a-1-1\na-2-2\na:3:3 x\na-4-4\na-5-5\na:6:6 x\na-7-7\na-8-8\n"
                 "[There may be more. Search a smaller folder, or a narrower pattern.]\n");
  assert_result (runner, "search_files", "{'pattern':'x','names_only':true}", "a\nb\n");
}

/* Finds stay in the order of the paths, however many processors look, and up to the limit. */
static void
test_search_many (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (GString) expected = g_string_new (NULL);

  for (guint i = 0; i < 600; i++)
    {
      g_autofree char *name = g_strdup_printf ("many/%04u", i);

      tool_runner_write (runner, name, i % 3 == 0 ? "needle\nneedle\n" : "hay\n");
      if (i % 3 == 0 && i < 300)
        g_string_append_printf (expected, "%s:1:needle\n%s:2:needle\n", name, name);
    }
  g_string_append (expected, "[There may be more. Search a smaller folder, or a narrower pattern.]\n");
  assert_result (runner, "search_files", "{'pattern':'needle'}", expected->str);
  /* The cause and the way out. */
  runner->most = 50;
  assert_result (runner, "search_files", "{'pattern':'needle'}",
                 "many/0000:1:needle\nmany/0000:2:needle\nmany/0003:1:needle\nmany/0003:2:needle\n"
                 "[There may be more: this is all that fits your context window. Search a smaller folder or a narrower pattern, or give names_only for the files alone.]\n");
  runner->most = 0;
}

static void
write_bytes (ToolRunner *runner, const char *name, const char *bytes, gsize length)
{
  g_autofree char *path = g_build_filename (runner->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
}

/* "Nothing matches" is said of what was looked through to the end. */
static void
test_search_whole (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *filler = g_strnfill (100000, 'a');
  g_autofree char *line = g_strconcat (filler, "needle", filler, "\n", NULL);
  g_autoptr (GString) log = g_string_new (NULL);

  while (log->len < 9 * 1024 * 1024)
    g_string_append (log, "a line of a log\n");
  g_string_append (log, "needle");
  tool_runner_write (runner, "line.js", line);
  tool_runner_write (runner, "big.log", log->str);
  write_bytes (runner, "latin", "caf\351\nneedle\351\n", 13);
  write_bytes (runner, "wide", "n\0e\0e\0d\0l\0e\0\n\0", 14);
  write_bytes (runner, "caf\351.txt", "needle\n", 7);
  tool_runner_write (runner, "two\nlines.txt", "needle \342\200\213\n");
  tool_runner_expect (runner, "search_files", "{'pattern':'needle'}", "big.log:589825:needle\n", "latin:2:needleé\n",
                      "line.js:1:…aaa", "aaaneedleaaa", "aaa…\n", "wide:1:needle\n", "two<U+000A>lines.txt:1:needle <U+200B>\n",
                      "[1 more have names that are no UTF-8, and were not searched.]",
                      "[Characters that cannot be seen are shown as <U+200B>.]", NULL);
  tool_runner_expect (runner, "search_files", "{'pattern':'^a+n','path':'line.js'}", "line.js:1:aaa", NULL);
  tool_runner_expect (runner, "search_files", "{'pattern':'^a*needlea*$','path':'line.js'}",
                      "[Nothing matches in 1 file.]\n[1 line is so long", NULL);
  tool_runner_expect (runner, "search_files", "{'pattern':'^needle','path':'line.js'}", "Nothing matches", NULL);
  tool_runner_expect (runner, "list_files", "{}", "two<U+000A>lines.txt 11\n", "[1 more have names that are no UTF-8.", NULL);
  tool_runner_expect (runner, "read_file", "{'path':'two<U+000A>lines.txt'}", "needle <U+200B>", NULL);
}

/* A pattern that explodes and a line that never ends cost what they may, and no more. */
static void
test_search_hostile (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (GString) line = g_string_new (NULL);
  gint64 begun = g_get_monotonic_time ();

  for (guint i = 0; i < 2000000; i++)
    g_string_append_c (line, 'a');
  g_string_append_c (line, '!');
  tool_runner_write (runner, "all", line->str);
  tool_runner_write (runner, "line", line->str + line->len - 1000);
  tool_runner_expect (runner, "search_files", "{'pattern':'(a+)+$','path':'line'}", "too long to match", NULL);
  tool_runner_expect (runner, "search_files", "{'pattern':'^aaa'}", "all:1:aaa", "line:1:aaa", NULL);
  tool_runner_expect (runner, "list_files", "{'pattern':'*a*a*a*a*a*a*a*a*a*a*b'}", "There is nothing", NULL);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 60 * G_USEC_PER_SEC);
}

static void
test_cancelled (ToolRunner *runner, gconstpointer data)
{
  static const char *const calls[][2] = {
    { "read_file", "{'path':'a'}" }, { "list_files", "{}" }, { "search_files", "{'pattern':'a'}" },
  };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  tool_runner_write (runner, "a", "a");
  g_cancellable_cancel (cancellable);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (tool_runner_run (runner, calls[i][0], calls[i][1], cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

/* Policy judges where a path really leads. */
static void
test_effects (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *inside = g_build_filename (runner->folder, "real", NULL);
  g_auto (BeckonEffects) effects = { 0 };

  tool_runner_write (runner, "real", "");
  link_to (runner, "real", "link");
  link_to (runner, "/etc/no/such", "out");
  tool_runner_get_effects (runner, "read_file", "{'path':'link'}", &effects);
  g_assert_true (effects.read_only);
  g_assert_false (effects.leaves_folder);
  g_assert_cmpstr (effects.paths[0], ==, inside);
  beckon_effects_clear (&effects);
  tool_runner_get_effects (runner, "read_file", "{'path':'out/../x'}", &effects);
  g_assert_true (effects.leaves_folder);
  g_assert_cmpstr (effects.paths[0], ==, "/etc/no/x");
  beckon_effects_clear (&effects);
  tool_runner_get_effects (runner, "list_files", "{}", &effects);
  g_assert_cmpstr (effects.paths[0], ==, runner->folder);
}

/* Without a folder they are not there, and a call all the same is told what to do. */
static void
test_no_folder (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *folder = g_steal_pointer (&runner->folder);
  g_autoptr (GPtrArray) with = beckon_tool_registry_list (runner->registry, FALSE, FALSE, folder);
  g_autoptr (GPtrArray) without = beckon_tool_registry_list (runner->registry, FALSE, FALSE, NULL);

  g_assert_cmpuint (with->len, >=, without->len + 3);
  tool_runner_expect_error (runner, "list_files", "{}", BECKON_ERROR_UNAVAILABLE, "can choose one");
}

/* The rest of a result is paged and searched like a file, by its conversation only, and the oldest goes. What works on the folder
 * alone says what it is. */
static void
test_spool (ToolRunner *runner, gconstpointer data)
{
  static const char *const others[][2] = {
    { "list_files", "" },
    { "write_file", ",'content':'x'" },
    { "edit_file", ",'old_text':'one','new_text':'x'" },
  };
  g_autofree char *found = NULL;
  g_autofree char *name = NULL;
  g_autofree char *arguments = NULL;
  int fd = beckon_output_store_add (runner->outputs, beckon_conversation_get_id (runner->turn->conversation), 0, &name);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, "\x1b[1mone\x1b[0m\ntwo\n", 16), ==, 16);
  close (fd);
  arguments = g_strdup_printf ("{'path':'%s','offset':2}", name);
  assert_result (runner, "read_file", arguments, "two\n");
  g_free (arguments);
  arguments = g_strdup_printf ("{'path':'%s','limit':1}", name);
  tool_runner_expect (runner, "read_file", arguments, "one\n[This is up to byte 12 of 16", NULL);

  g_free (arguments);
  arguments = g_strdup_printf ("{'path':'%s','pattern':'^(one|two)$'}", name);
  found = g_strdup_printf ("%s:1:one\n%s:2:two\n", name, name);
  assert_result (runner, "search_files", arguments, found);
  tool_runner_write (runner, name, "mine\n");
  g_free (arguments);
  arguments = g_strdup_printf ("{'path':'./%s'}", name);
  assert_result (runner, "read_file", arguments, "mine\n");
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *other = g_strdup_printf ("{'path':'%s'%s}", name, others[i][1]);

      tool_runner_expect_error (runner, others[i][0], other, BECKON_ERROR_INVALID, "the output of an earlier call");
    }
  g_free (arguments);
  arguments = g_strdup_printf ("{'path':'%s'}", name);

  g_assert_cmpint (beckon_output_store_open (runner->outputs, "another", name, NULL), ==, -1);
  for (guint i = 0; i < BECKON_OUTPUT_STORE_MAX_FILES; i++)
    {
      g_autofree char *other = NULL;

      close (beckon_output_store_add (runner->outputs, "another", 0, &other));
    }
  tool_runner_expect_error (runner, "read_file", arguments, BECKON_ERROR_NOT_FOUND, "not kept any more");
  g_free (arguments);
  arguments = g_strdup_printf ("{'path':'%s','pattern':'one'}", name);
  tool_runner_expect_error (runner, "search_files", arguments, BECKON_ERROR_NOT_FOUND, "not kept any more");
  beckon_output_store_remove (runner->outputs, "another");
}

/* No page and no line ends in the middle of a secret, however it is written. */
static void
test_masked (ToolRunner *runner, gconstpointer data)
{
  const char *value = "hunter2-canary";
  g_autofree char *hex = g_strdup ("68756e746572322d63616e617279");
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *filler = g_strnfill (290, '.');
  guint n_pages = 0;

  beckon_mask_add (mask, value, "<SECRET>");
  runner->mask = mask;
  while (text->len < 200 * 1024)
    g_string_append_printf (text, "+%s+%s", value, hex);
  tool_runner_write (runner, "one-line.txt", text->str);
  for (gsize at = 0; at < text->len; n_pages++)
    {
      g_autofree char *arguments = g_strdup_printf ("{'path':'one-line.txt','byte_offset':%" G_GSIZE_FORMAT "}", at);
      g_autoptr (GError) error = NULL;
      g_autofree char *page = tool_runner_run (runner, "read_file", arguments, NULL, &error);
      char *note = page != NULL ? strstr (page, "\n[This is up to byte ") : NULL;

      g_assert_no_error (error);
      at = note != NULL ? g_ascii_strtoull (note + strlen ("\n[This is up to byte "), NULL, 10) : text->len;
      if (note != NULL)
        *note = '\0';
      g_assert_cmpuint (strspn (page, "+<SECRET>"), ==, strlen (page));
    }
  g_assert_cmpuint (n_pages, >, 2);

  g_string_printf (text, "key%s%s\n", filler, value);
  tool_runner_write (runner, "long-line.txt", text->str);
  g_free (filler);
  filler = tool_runner_run (runner, "search_files", "{'pattern':'^key','path':'long-line.txt'}", NULL, NULL);
  g_assert_nonnull (filler);
  g_assert_null (strstr (filler, "hunt"));
  runner->mask = NULL;
}

/* File tools are refused where commands are, however the conversation came by the folder. */
static void
test_refused_folder (ToolRunner *runner, gconstpointer data)
{
  char *folder = g_steal_pointer (&runner->folder);

  runner->folder = (char *) "/etc";
  tool_runner_expect_error (runner, "list_files", "{}", BECKON_ERROR_UNAVAILABLE, "holds more than work");
  tool_runner_expect_error (runner, "read_file", "{'path':'hosts'}", BECKON_ERROR_UNAVAILABLE, "holds more than work");
  runner->folder = folder;
}

#define ADD(path, function) g_test_add (path, ToolRunner, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/files/read", test_read);
  ADD ("/files/read-large", test_read_large);
  ADD ("/files/read-long-lines", test_read_long_lines);
#ifdef HAS_PDF
  ADD ("/files/read-pdf", test_read_pdf);
#endif
  ADD ("/files/read-binary", test_read_binary);
  ADD ("/files/read-picture", test_read_picture);
  ADD ("/faults/F93-read-refused", test_read_refused);
  ADD ("/files/list", test_list);
  ADD ("/files/list-ignored", test_list_ignored);
  ADD ("/files/list-many", test_list_many);
  ADD ("/files/search", test_search);
  ADD ("/files/search-empty-lines", test_search_empty_lines);
  ADD ("/files/search-context", test_search_context);
  ADD ("/files/search-many", test_search_many);
  ADD ("/files/search-whole", test_search_whole);
  ADD ("/files/search-hostile", test_search_hostile);
  ADD ("/files/cancelled", test_cancelled);
  ADD ("/files/effects", test_effects);
  ADD ("/files/no-folder", test_no_folder);
  ADD ("/files/refused-folder", test_refused_folder);
  ADD ("/files/spool", test_spool);
  ADD ("/files/masked", test_masked);
  return g_test_run ();
}
