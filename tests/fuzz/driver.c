/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * In the suite a target gets the files of its corpus, every beginning of them, and for some seconds random changes of them, on
 * the heap and without a closing NUL, for the sanitizers to watch. What ends the program is written to a file, which the program
 * takes as an argument to try it again. For a search that learns, link a target with -fsanitize=fuzzer instead.
 *
 * BECKON_FUZZ_SECONDS: how long; BECKON_SEED: a number for other changes than the usual ones, or "random".
 */

#define SECONDS 5
#define MAX_LENGTH 8192
#define MAX_BEGINNINGS 2048

/* No single input may take longer, in seconds of its own. */
#define MAX_SECONDS 30

void __sanitizer_set_death_callback (void (*callback) (void)) __attribute__ ((weak));

static GPtrArray *corpus; /* (element-type GBytes) */
static const void *current;
static gsize current_length;
static char *failure;

static const char *const seeds[] = {
  "",
  "a\x1b[31m\xe2\x80\xae\xff\xc0\x80\xed\xa0\x80\t\r\n\xf3\xa0\x81\x81",
  "{\"a\":[1,-2.5e+3,true,false,null,\"x\\u00e9\\ud83c\\udf0d\\u0000\xc3\xa9\xf0\x9f\x8c\x8d\"],\"b\":{\"c\":{}}}",
};

/* Only what may be called from a signal. */
static void
keep_current (void)
{
  int fd = current != NULL ? open (failure, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  static const char words[] = "# the input that ended it: ";

  if (fd < 0)
    return;
  if (write (fd, current, current_length) == (gssize) current_length && write (STDERR_FILENO, words, strlen (words)) > 0
      && write (STDERR_FILENO, failure, strlen (failure)) > 0 && write (STDERR_FILENO, "\n", 1) > 0)
    fsync (fd);
  close (fd);
  current = NULL;
}

static void
on_signal (int number)
{
  keep_current ();
  signal (number, SIG_DFL);
  raise (number);
}

static void
watch (void)
{
  static const int numbers[] = { SIGABRT, SIGALRM, SIGTRAP };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    signal (numbers[i], on_signal);
  if (__sanitizer_set_death_callback != NULL)
    __sanitizer_set_death_callback (keep_current);
  else
    signal (SIGSEGV, on_signal);
}

static void
try_copy (const char *data, gsize length)
{
  g_autofree guint8 *copy = g_malloc (MAX (length, 1));

  memcpy (copy, data, length);
  current = copy;
  current_length = length;
  alarm (MAX_SECONDS);
  LLVMFuzzerTestOneInput (copy, length);
  alarm (0);
  current = NULL;
}

static void
add_file (const char *path)
{
  g_autofree char *contents = NULL;
  gsize length;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &contents, &length, &error);
  g_assert_no_error (error);
  g_ptr_array_add (corpus, g_bytes_new_take (g_steal_pointer (&contents), length));
}

static int
compare_names (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *) one, *(const char *const *) other);
}

static void
read_corpus (const char *name)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fuzz", "corpus", name, NULL);
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  const char *entry;

  while (directory != NULL && (entry = g_dir_read_name (directory)) != NULL)
    g_ptr_array_add (paths, g_build_filename (folder, entry, NULL));
  g_ptr_array_sort (paths, compare_names);
  for (guint i = 0; i < paths->len; i++)
    add_file (g_ptr_array_index (paths, i));
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    g_ptr_array_add (corpus, g_bytes_new_static (seeds[i], strlen (seeds[i])));
}

static gint32
roll (GRand *random, gsize n)
{
  return g_rand_int_range (random, 0, (gint32) n);
}

/* A piece of another input at any place. */
static void
splice (GRand *random, GString *text, gsize at)
{
  GBytes *other = g_ptr_array_index (corpus, (guint) roll (random, corpus->len));
  gsize size;
  const char *bytes = g_bytes_get_data (other, &size);
  gsize from = size > 0 ? (gsize) roll (random, size) : 0;

  if (size > from)
    g_string_insert_len (text, (gssize) at, bytes + from, 1 + roll (random, MIN (size - from, 64)));
}

static void
change (GRand *random, GString *text)
{
  static const char interesting[] = "\"\\{}[]():,;|&$'`<>*?~#=-.%!/ \n\r\tdnu0\xef\xff\x80";
  gsize at = (gsize) roll (random, text->len + 1);
  gsize most = 1 + (gsize) roll (random, 15);
  gsize length = MIN (text->len - at, most);

  switch (roll (random, 6))
    {
    case 0:
      g_string_erase (text, (gssize) at, (gssize) length);
      break;
    case 1:
      g_string_insert_c (text, (gssize) at, interesting[roll (random, sizeof interesting)]);
      break;
    case 2:
      {
        g_autofree char *copy = g_memdup2 (text->str + at, MAX (length, 1));

        g_string_insert_len (text, roll (random, text->len + 1), copy, (gssize) length);
      }
      break;
    case 3:
      if (at < text->len)
        text->str[at] = (char) roll (random, 256);
      break;
    case 4:
      if (at < text->len)
        text->str[at] = interesting[roll (random, sizeof interesting)];
      break;
    default:
      splice (random, text, at);
      break;
    }
}

static void
test_corpus (void)
{
  for (guint i = 0; i < corpus->len; i++)
    {
      gsize length;
      const char *bytes = g_bytes_get_data (g_ptr_array_index (corpus, i), &length);

      try_copy (length > 0 ? bytes : "", length);
    }
}

static void
test_beginnings (void)
{
  for (guint i = 0; i < corpus->len; i++)
    {
      gsize size;
      const char *bytes = g_bytes_get_data (g_ptr_array_index (corpus, i), &size);

      for (gsize length = 1; length < MIN (size, MAX_BEGINNINGS); length++)
        try_copy (bytes, length);
    }
}

/* The suite takes the same way each time, so that it fails for what was changed; build-aux/fuzz.sh takes others. */
static guint32
get_seed (void)
{
  const char *given = g_getenv ("BECKON_SEED");

  if (given == NULL)
    return 1;
  return g_str_equal (given, "random") ? g_random_int () : (guint32) strtoul (given, NULL, 10);
}

static void
test_changes (void)
{
  const char *given = g_getenv ("BECKON_FUZZ_SECONDS");
  gint64 end = g_get_monotonic_time () + (given != NULL ? atoi (given) : SECONDS) * G_USEC_PER_SEC;
  guint32 seed = get_seed ();
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  guint64 n = 0;

  g_test_message ("BECKON_SEED=%u", seed);
  while (g_get_monotonic_time () < end)
    {
      gsize size;
      const char *bytes = g_bytes_get_data (g_ptr_array_index (corpus, (guint) roll (random, corpus->len)), &size);
      g_autoptr (GString) text = g_string_new_len (size > 0 ? bytes : "", (gssize) MIN (size, MAX_LENGTH));
      guint count = 1 + (guint) roll (random, 12);

      for (guint i = 0; i < count && text->len < MAX_LENGTH; i++, n++)
        {
          change (random, text);
          try_copy (text->str, text->len);
        }
    }
  g_test_message ("%" G_GUINT64_FORMAT " inputs", n);
}

/* Each file alone, to see again what it did. */
static int
try_files (char **paths)
{
  corpus = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  for (guint i = 0; paths[i] != NULL; i++)
    add_file (paths[i]);
  test_corpus ();
  g_ptr_array_unref (corpus);
  return 0;
}

static void
add_test (const char *name, const char *what, GTestFunc function)
{
  g_autofree char *path = g_strdup_printf ("/fuzz/%s/%s", name, what);

  g_test_add_func (path, function);
}

int
main (int argc, char **argv)
{
  g_autofree char *name = g_path_get_basename (argv[0]);
  const char *own = g_str_has_prefix (name, "fuzz-") ? name + strlen ("fuzz-") : name;
  int status;

  g_test_init (&argc, &argv, NULL);
  failure = g_strdup_printf ("%s/%s.failure", g_get_tmp_dir (), name);
  watch ();
  if (argc > 1)
    return try_files (argv + 1);

  corpus = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  read_corpus (own);
  add_test (own, "corpus", test_corpus);
  add_test (own, "beginnings", test_beginnings);
  add_test (own, "changes", test_changes);
  status = g_test_run ();
  g_ptr_array_unref (corpus);
  g_free (failure);
  return status;
}
