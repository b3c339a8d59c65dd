/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

/* The real program, as somebody would run it for a bug report. */

typedef struct
{
  char *output;
  char *complaint;
  int status;
} Run;

static void
run_free (Run *run)
{
  g_free (run->output);
  g_free (run->complaint);
  g_free (run);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)

static Run *
run_in_pieces (const char *pieces, const char *protocol, const char *file, const char *input)
{
  const char *arguments[] = { g_getenv ("BECKONCTL"), "debug", "decode", pieces != NULL ? pieces : protocol,
                              pieces != NULL ? protocol : file, pieces != NULL ? file : NULL, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;
  Run *run = g_new0 (Run, 1);

  process = g_subprocess_newv (arguments, (input != NULL ? G_SUBPROCESS_FLAGS_STDIN_PIPE : 0)
                                            | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, input, NULL, &run->output, &run->complaint, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  run->status = g_subprocess_get_exit_status (process);
  return run;
}

static Run *
run_with (const char *protocol, const char *file, const char *input)
{
  return run_in_pieces (NULL, protocol, file, input);
}

static void
assert_output (const char *input, const char *expected)
{
  g_autoptr (Run) run = run_with ("chat", "-", input);

  g_assert_cmpint (run->status, ==, 0);
  g_assert_cmpstr (run->complaint, ==, "");
  g_assert_cmpstr (run->output, ==, expected);
}

static void
test_every_kind (void)
{
  assert_output (
    "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"a \\\"b\\\"\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"\\nc\\u0000é\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"x\",\"function\":"
    "{\"name\":\"f\",\"arguments\":\"{\\\"a\\\": 1}\"}},"
    "{\"index\":1,\"function\":{\"name\":\"g\",\"arguments\":\"{\"}}]}}]}\n\n"
    "data: {\"choices\":[{\"finish_reason\":\"tool_calls\"}],"
    "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\n"
    "data: [DONE]\n\n",
    "{\"type\":\"reasoning\",\"text\":\"hm\"}\n"
    "{\"type\":\"text\",\"text\":\"a \\\"b\\\"\\nc\\u0000é\"}\n"
    "{\"type\":\"tool_call\",\"id\":\"x\",\"name\":\"f\",\"arguments\":\"{\\\"a\\\": 1}\"}\n"
    "{\"type\":\"error\",\"message\":\"The arguments are not a JSON object. "
    "Invalid JSON at byte 1: the text ends too early.\","
    "\"id\":null,\"name\":\"g\",\"arguments\":\"{\"}\n"
    "{\"type\":\"usage\",\"input\":3,\"output\":4,\"cached\":null}\n"
    "{\"type\":\"end\",\"state\":\"tool_calls\"}\n");
}

static void
test_failure (void)
{
  assert_output ("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\nevent: error\ndata: {\"error\":\"no\"}\n\n",
                 "{\"type\":\"text\",\"text\":\"a\"}\n{\"type\":\"error\",\"message\":\"no\"}\n"
                 "{\"type\":\"end\",\"state\":\"failed\"}\n");
  assert_output ("", "{\"type\":\"end\",\"state\":\"cut_off\"}\n");
}

static void
test_refusal (void)
{
  assert_output ("data: {\"choices\":[{\"delta\":{\"refusal\":\"I can't\"},"
                 "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
                 "{\"type\":\"end\",\"state\":\"refusal\",\"message\":\"I can't\"}\n");
}

static Run *
run_on_file (const char *name, const char *text, gsize length)
{
  g_autofree char *folder = g_dir_make_tmp ("beckon-decode-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  Run *run;

  g_assert_true (g_file_set_contents (path, text, (gssize) length, NULL));
  run = run_with ("chat", path, NULL);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  return run;
}

static void
assert_too_large (const char *name)
{
  gsize length = 9 * 1024 * 1024;
  g_autofree char *line = g_malloc (length);
  g_autoptr (Run) run = NULL;

  memset (line, 'x', length);
  run = run_on_file (name, line, length);
  g_assert_cmpint (run->status, ==, 0);
  g_assert_true (g_str_has_prefix (run->output, "{\"type\":\"error\","));
  g_assert_true (g_str_has_suffix (run->output, "\n{\"type\":\"end\",\"state\":\"failed\"}\n"));
}

static void
test_too_large (void)
{
  assert_too_large ("recorded.sse");
  assert_too_large ("recorded.chunks.txt");
}

static void
test_misuse (void)
{
  g_autoptr (Run) unknown = run_with ("carrier-pigeon", "-", NULL);
  g_autoptr (Run) missing = run_with ("chat", "/nonexistent/recording.sse", NULL);
  g_autoptr (Run) folder = run_with ("chat", "/", NULL);
  g_autoptr (Run) pieces = run_in_pieces ("--pieces=none", "chat", "-", NULL);

  g_assert_cmpint (unknown->status, ==, 2);
  g_assert_nonnull (strstr (unknown->complaint, "carrier-pigeon"));
  g_assert_nonnull (strstr (unknown->complaint, "chat"));
  g_assert_cmpstr (unknown->output, ==, "");
  g_assert_cmpint (missing->status, ==, 1);
  g_assert_nonnull (strstr (missing->complaint, "/nonexistent/recording.sse"));
  g_assert_cmpint (folder->status, ==, 1);
  g_assert_cmpint (pieces->status, ==, 2);
}

/* A file whose name says that it has one payload a line, and the same payloads as an event stream. */
static void
test_payload_lines (void)
{
  static const char lines[] = "{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\n"
                              "{\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}";
  g_autoptr (Run) run = run_on_file ("recorded.chunks.txt", lines, strlen (lines));

  g_assert_cmpstr (run->output, ==, "{\"type\":\"text\",\"text\":\"ab\"}\n{\"type\":\"end\",\"state\":\"complete\"}\n");
  assert_output (lines, run->output);
}

/* However it is cut, the very same comes out. */
static void
assert_same_in_pieces (const char *protocol, const char *path, const char *output)
{
  static const char *const pieces[] = { "--pieces=1", "--pieces=random:1", "--pieces=random:2" };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (Run) run = run_in_pieces (pieces[i], protocol, path, NULL);

      g_assert_cmpint (run->status, ==, 0);
      g_assert_cmpstr (run->output, ==, output);
    }
}

static void
assert_recording (const char *folder, JsonObject *expected)
{
  const char *file = beckon_json_get_string (expected, "file");
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_autoptr (Run) run = run_with (beckon_json_get_string (expected, "protocol"), path, NULL);
  g_auto (GStrv) lines = g_strsplit (run->output, "\n", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_calls = 0;
  g_autoptr (JsonObject) last = NULL;

  g_assert_cmpint (run->status, ==, 0);
  assert_same_in_pieces (beckon_json_get_string (expected, "protocol"), path, run->output);
  for (guint i = 0; lines[i + 1] != NULL; i++)
    {
      g_autoptr (JsonObject) line = beckon_json_parse_object (lines[i], -1, NULL);
      const char *type = beckon_json_get_string (line, "type");

      g_assert_nonnull (type);
      if (strcmp (type, "text") == 0)
        g_string_append (text, beckon_json_get_string (line, "text"));
      n_calls += strcmp (type, "tool_call") == 0;
      g_clear_pointer (&last, json_object_unref);
      last = g_steal_pointer (&line);
    }
  g_assert_cmpstr (text->str, ==, beckon_json_get_string (expected, "text"));
  g_assert_cmpstr (beckon_json_get_string (last, "type"), ==, "end");
  if (beckon_json_get_boolean (expected, "ambiguous", FALSE))
    return;
  g_assert_cmpuint (n_calls, ==, json_array_get_length (beckon_json_get_array (expected, "calls")));
  g_assert_cmpstr (beckon_json_get_string (last, "state"), ==, beckon_json_get_string (expected, "end"));
}

static void
test_recordings (void)
{
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint count = 0;

  if (g_getenv ("BECKON_FIXTURES") == NULL)
    {
      g_test_skip ("BECKON_FIXTURES is not set");
      return;
    }
  folder = g_build_filename (g_getenv ("BECKON_FIXTURES"), "streams", NULL);
  path = g_build_filename (folder, "EXPECTED.jsonl", NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr (JsonObject) expected = *lines[i] != '\0' ? beckon_json_parse_object (lines[i], -1, NULL) : NULL;

      if (expected == NULL)
        continue;
      assert_recording (folder, expected);
      count++;
    }
  g_assert_cmpuint (count, >, 30);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/decode/every-kind", test_every_kind);
  g_test_add_func ("/cli/decode/failure", test_failure);
  g_test_add_func ("/cli/decode/refusal", test_refusal);
  g_test_add_func ("/faults/A/16-decode-endless-line", test_too_large);
  g_test_add_func ("/cli/decode/misuse", test_misuse);
  g_test_add_func ("/cli/decode/payload-lines", test_payload_lines);
  g_test_add_func ("/cli/decode/recordings", test_recordings);
  return g_test_run ();
}
