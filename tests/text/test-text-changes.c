/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "request/beckon-changes-request.h"
#include "text/beckon-plain-changes.h"
#include "text/beckon-plain-landed.h"
#include "text/beckon-request-document.h"

#include <locale.h>
#include <string.h>

#define HUNKS "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n"

static BeckonFileChange *
add (BeckonChangeSet *set, const char *path, BeckonFileChangeKind kind, BeckonFileType type)
{
  BeckonFileChange *change = beckon_file_change_new (path, kind, type);

  beckon_change_set_take (set, change);
  return change;
}

static void
set_diff (BeckonFileChange *change)
{
  change->is_text = TRUE;
  change->diff = g_strdup (HUNKS);
  change->n_hunks = change->n_added = change->n_removed = 2;
}

/* 1. .envrc, 2. a.c, 3. b.c (a conflict), 4. build/, 5. caf\xe9, 6. old */
static BeckonRequest *
make_request (void)
{
  static const char output[] = "cc a.c\nmake: *** \342\200\256 Error\n";
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  BeckonFileChange *change = add (set, ".envrc", BECKON_FILE_CREATED, BECKON_FILE_LINK);
  BeckonRequest *request;

  change->concern = BECKON_FILE_CONCERN_TRIGGER;
  change->target = g_strdup ("../x\033[2J");
  set_diff (add (set, "a.c", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR));
  change = add (set, "b.c", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR);
  set_diff (change);
  change->fate = BECKON_FILE_CONFLICT;
  change->theirs = g_strdup ("@@ -1 +1 @@\n-a\n+theirs\n");
  add (set, "build", BECKON_FILE_CREATED, BECKON_FILE_FOLDER);
  change = add (set, "caf\xe9", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR);
  change->size = 12;
  change->mode_before = 0644;
  change->mode_after = 0755;
  add (set, "old", BECKON_FILE_DELETED, BECKON_FILE_REGULAR)->size = 3;
  request = beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", "run_command",
                                        "{\"command\":\"make \\u202etxt\"}", set, 5);
  beckon_changes_request_set_outcome (request, 2, output, strlen (output));
  return request;
}

static void
test_format (void)
{
  g_autoptr (BeckonRequest) request = make_request ();
  g_autofree char *text = beckon_plain_text_format (request, 0);
  g_autofree char *terminal = beckon_plain_text_format_for_terminal (request, 0, FALSE);
  g_autoptr (BeckonAnswer) kept = beckon_answer_new (BECKON_ANSWER_KEPT, NULL);
  g_autofree char *settled = NULL;

  g_assert_cmpuint (beckon_plain_text_n_items (request), ==, 1);
  g_assert_true (g_str_has_prefix (text, "⚠ Changed 3 files, deleted 1 file, made 1 file, not yet in the folder\n"
                                         "$ make <U+202E>txt\n"
                                         "The command failed, exit status 2\n"
                                         "cc a.c\n"
                                         "make: *** <U+202E> Error\n"
                                         "✗ 1. new: .envrc → ../x<U+001B>[2J — Other programs run this by themselves\n"
                                         "✓ 2. changed: a.c  +2 −2\n"
                                         "  3. changed: b.c  +2 −2 — left out: changed in the folder meanwhile\n"
                                         "✓ 4. new: build/\n"
                                         "✓ 5. changed: caf"));
  g_assert_nonnull (strstr (text, "  (12 bytes)  644 → 755\n✓ 6. deleted: old  (3 bytes)\n"
                                  "4 lines of differences are not shown here; “d 2” shows them\n\n"
                                  "k: keep the changes marked ✓, deletions too · k all"));
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_true (g_str_has_prefix (terminal, "◇ Changed 3 files"));

  beckon_request_settle (request, BECKON_REQUEST_ANSWERED, kept, "window", "ada", 1);
  settled = beckon_plain_text_format (request, 0);
  g_assert_true (g_str_has_prefix (settled, "⚠ Changed 3 files, deleted 1 file, made 1 file\n$ make"));
  g_assert_true (g_str_has_suffix (settled, "\n✓ 6. deleted: old  (3 bytes)"));
}

/* A program that can be started is more than a text. */
static void
test_executable (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autofree char *text = NULL;

  add (set, "plain", BECKON_FILE_CREATED, BECKON_FILE_REGULAR)->mode_after = 0644;
  add (set, "run.sh", BECKON_FILE_CREATED, BECKON_FILE_REGULAR)->mode_after = 0755;
  request = beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", "run_command",
                                        "{\"command\":\"make\"}", set, 5);
  text = beckon_plain_text_format (request, 0);
  g_assert_nonnull (strstr (text, "1. new: plain  (0 bytes)\n✓ 2. new: run.sh  (0 bytes)  · executable\n"));
}

/* Few lines of a commit are seen with the names of their files. */
static void
test_commit (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  BeckonFileChange *change = add (set, ".git", BECKON_FILE_CHANGED, BECKON_FILE_FOLDER);
  g_autoptr (BeckonRequest) request = NULL;
  g_autofree char *text = NULL;

  change->git = g_strdup ("commit\t1\tFix the discount\nfiles\t2\t");
  change->bound = g_ptr_array_new ();
  change->is_text = TRUE;
  change->diff = g_strdup ("a.py\n@@ -1,1 +1,2 @@\n one\n+zz\n\nb.py\n@@ -1,2 +1,1 @@\n two\n-three\n");
  change->n_added = change->n_removed = 1;
  request = beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", "run_command",
                                        "{\"command\":\"git commit\"}", set, 5);
  text = beckon_plain_text_format (request, 0);
  g_assert_nonnull (strstr (text, "⚠ Commit: Fix the discount · 2 files, not yet in the folder\n$ git commit\n✓ 1. Files:\n     a.py\n     +zz\n     b.py\n     -three\n\nk: "));
}

static BeckonPlainResult
say (BeckonRequest *request, BeckonAnswer *answer, const char *line, BeckonAnswer **whole, char **message)
{
  BeckonPlainResult result = beckon_plain_text_parse (request, 0, line, answer, whole, message);

  g_assert_cmpint (result == BECKON_PLAIN_ANSWER, ==, *whole != NULL);
  g_assert_cmpint (result == BECKON_PLAIN_AGAIN, ==, *message != NULL);
  if (*whole != NULL)
    g_assert_true (beckon_request_check_answer (request, *whole, NULL));
  return result;
}

static void
add_commit (BeckonChangeSet *set)
{
  BeckonFileChange *change = add (set, ".git", BECKON_FILE_CHANGED, BECKON_FILE_FOLDER);
  g_autoptr (GString) diff = g_string_new ("a.py\n@@ -1,1 +1,20 @@\n");

  for (guint i = 0; i < 20; i++)
    g_string_append (diff, "+zz\n");
  change->git = g_strdup ("commit\t1\tFix the discount\nfiles\t14\t\nwith\t1\ta.py\t+20 −0\nwith\t1\tb.py\nwith-outside\t1\tc\t"
                          "+0 −1\nwith-more\t11\t\nbinary\t1\t");
  change->bound = g_ptr_array_new ();
  change->is_text = TRUE;
  change->diff = g_string_free (g_steal_pointer (&diff), FALSE);
  change->n_added = 20;
}

static BeckonRequest *
make_commit_request (BeckonChangeSet *set)
{
  return beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", "run_command",
                                     "{\"command\":\"git commit\"}", set, 5);
}

/* A commit says its name once, and its files even where its difference is too long for the card. */
static void
test_commit_files (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autofree char *text = NULL;

  add_commit (set);
  add (set, "__pycache__/a.pyc", BECKON_FILE_CREATED, BECKON_FILE_REGULAR)->fate = BECKON_FILE_KEPT;
  beckon_change_set_get (set, 1)->is_by_product = TRUE;
  request = make_commit_request (set);
  text = beckon_plain_text_format (request, 0);
  g_assert_true (g_str_has_prefix (text, "⚠ Commit: Fix the discount · 14 files, not yet in the folder\n$ git commit\n✗ 1. Files: — Binary file\n     a.py  "
                                         "+20 −0\n     b.py\n     c (outside of this folder)  +0 −1\n     … and 11 more\n20 lines of "
                                         "differences are not shown here; “d 1” shows them\n\nk all"));
}

/* Only what works is offered, and what doesn't says so with what does. */
static void
test_keys (void)
{
  static const struct
  {
    gboolean has_other;
    BeckonFileFate fate;
    const char *line;
    const char *problem;
    const char *numbers;
  } cases[] = {
    { FALSE, BECKON_FILE_OPEN, "x 1.1", "Change 1 has no parts.\n", " · d 1: show the difference" },
    { TRUE, BECKON_FILE_KEPT, "x 2", "Change 2 is already decided: kept in any case.\n",
      " · d 1: show the difference · x 1: leave out or keep a file" },
    { TRUE, BECKON_FILE_OPEN, "x 3", "Change 3 is not in the list.\n",
      " · d 1: show the difference · x 2, x 2.1: leave out or keep a file or a part of it" },
    { TRUE, BECKON_FILE_OPEN, "k x 7", "Change 7 is not in the list.\n",
      " · d 1: show the difference · x 2, x 2.1: leave out or keep a file or a part of it" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
      g_autoptr (BeckonRequest) request = NULL;
      g_autoptr (BeckonAnswer) answer = NULL;
      g_autoptr (BeckonAnswer) whole = NULL;
      g_autofree char *text = NULL;
      g_autofree char *message = NULL;

      add_commit (set);
      if (cases[i].has_other)
        {
          BeckonFileChange *other = add (set, "b.txt", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR);

          other->fate = cases[i].fate;
          other->n_hunks = 2;
        }
      request = make_commit_request (set);
      answer = beckon_plain_text_begin (request);
      text = beckon_plain_text_format (request, 0);
      g_test_message ("%s", text);
      g_assert_true (g_str_has_suffix (text, cases[i].numbers));
      g_assert_cmpint (say (request, answer, cases[i].line, &whole, &message), ==, BECKON_PLAIN_AGAIN);
      g_assert_true (g_str_has_prefix (message, cases[i].problem));
      g_assert_true (g_str_has_suffix (message, cases[i].numbers));
    }
}

/* As make_request(), with permissions on offer. */
static BeckonRequest *
make_offering (void)
{
  static const char *const paths[] = { "/w/a.c", "/w/**" };
  BeckonRequest *request = make_request ();
  BeckonApprovalReason *ground = beckon_approval_reason_new ();

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
      BeckonRule *rule = beckon_rule_new ();

      rule->tool = g_strdup ("write_file");
      rule->arguments = g_strdup_printf ("{\"path\":\"%s\"}", paths[i]);
      rule->verdict = BECKON_VERDICT_ALLOW;
      g_ptr_array_add (rules, rule);
      g_ptr_array_add (ground->proposals, beckon_rule_proposal_new (paths[i], g_steal_pointer (&rules)));
    }
  beckon_request_set_ground (request, ground);
  return request;
}

/* Marked changes are kept, with a permission for the like of it, here or everywhere; and it is something. */
static void
test_remember (void)
{
  static const struct
  {
    const char *before; /* (nullable): a line before it */
    const char *line;
    const char *left_out;  /* (nullable) */
    const char *arguments; /* NULL: asked again */
    const char *conversation;
  } cases[] = {
    { NULL, "/here", NULL, "{\"path\":\"/w/a.c\"}", "conversation" },
    { NULL, "/always 2", NULL, "{\"path\":\"/w/**\"}", NULL },
    { "x 6", "/here 2", "{\"leave_out\":[{\"change\":1},{\"change\":6}]}", "{\"path\":\"/w/**\"}", "conversation" },
    { "x 2 4 5 6", "/here 2", NULL, NULL, NULL },
    { NULL, "/here 3", NULL, NULL, NULL },
    { NULL, "/here a.c", NULL, NULL, NULL },
  };
  g_autoptr (BeckonRequest) plain = make_request ();
  g_autoptr (BeckonRequest) request = make_offering ();
  g_autofree char *body = beckon_request_dup_body (request);
  g_autoptr (BeckonRequest) stored = beckon_request_new_from_body ("id", "conversation", "message", "call", "changes", body, 5, NULL);
  g_autofree char *text = beckon_plain_text_format (stored, 0);
  g_autofree char *without = beckon_plain_text_format (plain, 0);

  g_assert_nonnull (strstr (text, "shows them\nKeep the changes marked ✓ and don’t ask again, in this conversation with "
                                  "/here N or everywhere with /always N:\n  1: /w/a.c\n  2: /w/**\n\nk: keep"));
  g_assert_null (strstr (without, "/here"));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonAnswer) answer = beckon_plain_text_begin (request);
      g_autoptr (BeckonAnswer) whole = NULL;
      g_autofree char *message = NULL;
      const BeckonRule *rule;

      if (cases[i].before != NULL)
        say (request, answer, cases[i].before, &whole, &message);
      g_clear_pointer (&message, g_free);
      g_assert_cmpint (say (request, answer, cases[i].line, &whole, &message), ==,
                       cases[i].arguments != NULL ? BECKON_PLAIN_ANSWER : BECKON_PLAIN_AGAIN);
      if (cases[i].arguments == NULL)
        continue;
      g_assert_cmpint (whole->kind, ==, BECKON_ANSWER_KEPT);
      g_assert_cmpstr (whole->text, ==, cases[i].left_out);
      rule = g_ptr_array_index (whole->remember, 0);
      g_assert_cmpstr (rule->arguments, ==, cases[i].arguments);
      g_assert_cmpstr (rule->conversation_id, ==, cases[i].conversation);
    }
}

/* Lines in turn, of which the last one answers. */
static void
assert_answer (const char *lines, BeckonAnswerKind kind, const char *text)
{
  g_autoptr (BeckonRequest) request = make_request ();
  g_autoptr (BeckonAnswer) answer = beckon_plain_text_begin (request);
  g_auto (GStrv) each = g_strsplit (lines, "|", -1);

  for (guint i = 0; each[i] != NULL; i++)
    {
      g_autoptr (BeckonAnswer) whole = NULL;
      g_autofree char *message = NULL;
      BeckonPlainResult result = say (request, answer, each[i], &whole, &message);

      g_test_message ("%s", each[i]);
      g_assert_cmpint (result, ==, each[i + 1] == NULL ? BECKON_PLAIN_ANSWER : BECKON_PLAIN_AGAIN);
      if (whole != NULL)
        {
          g_assert_cmpint (whole->kind, ==, kind);
          g_assert_cmpstr (whole->text, ==, text);
        }
    }
}

static void
test_answers (void)
{
  assert_answer ("k", BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":1}]}");
  assert_answer (" K ", BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":1}]}");
  assert_answer ("ｋ", BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":1}]}");
  assert_answer ("k all", BECKON_ANSWER_KEPT, "{\"leave_out\":[]}");
  assert_answer ("x 2|ｋ ALL", BECKON_ANSWER_KEPT, "{\"leave_out\":[]}");
  assert_answer ("keep all", BECKON_ANSWER_KEPT, "{\"leave_out\":[]}");
  assert_answer ("n", BECKON_ANSWER_DECLINED, NULL);
  assert_answer ("Leave all out", BECKON_ANSWER_DECLINED, NULL);
  assert_answer ("n not  now", BECKON_ANSWER_DECLINED, "not  now");
  assert_answer ("/dismiss", BECKON_ANSWER_DECLINED, NULL);
  assert_answer ("/deny too much", BECKON_ANSWER_DECLINED, "too much");
  assert_answer ("x 1|k", BECKON_ANSWER_KEPT, "{\"leave_out\":[]}");
  assert_answer ("x 1|x 1|k", BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":1}]}");
  assert_answer ("ｘ １，２．２，６|k", BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":2,\"hunks\":[2]},{\"change\":6}]}");
  assert_answer ("x 2.1 2.2|x 1 2|k", BECKON_ANSWER_KEPT, "{\"leave_out\":[]}");
  assert_answer ("x 1 2|x 2.1|k", BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":2,\"hunks\":[2]}]}");
  /* With “k x” more is left out, and nothing comes back: not what is out at first, not what was named before. */
  assert_answer ("x 4|k x 1 4 6", BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":1},{\"change\":4},{\"change\":6}]}");
}

/* The marks keep nothing where nothing is marked. */
static void
test_none_marked (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autofree char *text = NULL;

  add (set, ".envrc", BECKON_FILE_CREATED, BECKON_FILE_REGULAR)->concern = BECKON_FILE_CONCERN_TRIGGER;
  request = beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", NULL, "call", "run_command", "{}", set, 5);
  text = beckon_plain_text_format (request, 0);
  g_assert_null (strstr (text, "✓"));
  g_assert_nonnull (strstr (text, "\nk all: keep everything · n: leave all out, with an optional reason · d 1: show the difference"));
  g_assert_null (strstr (text, "2"));
}

/* Keeping no more is an answer where the mode keeps the rest, and the text says what leaving out means. */
static void
test_decided (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (BeckonAnswer) answer = NULL;
  g_autoptr (BeckonAnswer) whole = NULL;
  g_autofree char *message = NULL;
  g_autofree char *text = NULL;
  g_autofree char *lines = NULL;

  add (set, ".envrc", BECKON_FILE_CREATED, BECKON_FILE_REGULAR)->concern = BECKON_FILE_CONCERN_TRIGGER;
  add (set, "a.c", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR)->fate = BECKON_FILE_KEPT;
  request = beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", NULL, "call", "run_command", "{}", set, 5);
  text = beckon_plain_text_format (request, 0);
  g_assert_null (strstr (text, "leave all out"));
  g_assert_nonnull (strstr (text, "k: keep the changes marked ✓; what doesn’t wait for you is kept anyway · k all"));
  g_assert_nonnull (strstr (text, "n: leave out everything that waits for you, with an optional reason; the rest is kept"));
  lines = beckon_plain_text_format_with_code (request, 0);
  g_assert_nonnull (strstr (lines, "\n  beckonctl answer 7k2m --keep\n  beckonctl answer 7k2m --keep-all\n"));
  answer = beckon_plain_text_begin (request);
  g_assert_cmpint (say (request, answer, "k", &whole, &message), ==, BECKON_PLAIN_ANSWER);
  g_assert_cmpint (whole->kind, ==, BECKON_ANSWER_KEPT);
  g_assert_cmpstr (whole->text, ==, "{\"leave_out\":[{\"change\":1}]}");
}

/* No words but the plain ones let anything land. */
static void
test_no_answers (void)
{
  static const char *const lines[] = {
    "", "1", "2", "y", "yes", "ok", "no", "kk", "k 1", "k yes", "k all 1", "k x 2 4 5 6", "keep", "x", "x 0", "x 7", "x 3", "x 2.3", "x 2.0", "x 2.",
    "x 2.1.1", "x 1.1", "x -1", "x 99999999999999999999", "d", "d 0", "d 7", "d x", "{}", "{\"leave_out\":[]}", "l",
    "/here 1", "/always",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (BeckonRequest) request = make_request ();
      g_autoptr (BeckonAnswer) answer = beckon_plain_text_begin (request);
      g_autoptr (BeckonAnswer) whole = NULL;
      g_autofree char *message = NULL;

      g_test_message ("%s", lines[i]);
      g_assert_cmpint (say (request, answer, lines[i], &whole, &message), ==, BECKON_PLAIN_AGAIN);
      g_assert_cmpstr (message, !=, "");
      g_assert_true (strcmp (lines[i], "ok") != 0 || g_str_has_prefix (message, "“ok” isn't a valid reply here.\nk: "));
      g_assert_true (*lines[i] != '/'
                     || g_str_has_prefix (message, "Nothing on this card can be allowed from now on.\nk: "));
      g_assert_null (answer->text);
    }
}

static char *
ask (BeckonRequest *request, BeckonAnswer *answer, const char *line)
{
  g_autoptr (BeckonAnswer) whole = NULL;
  char *message = NULL;

  g_assert_cmpint (say (request, answer, line, &whole, &message), ==, BECKON_PLAIN_AGAIN);
  return message;
}

static void
test_shown (void)
{
  g_autoptr (BeckonRequest) request = make_request ();
  g_autoptr (BeckonAnswer) answer = beckon_plain_text_begin (request);
  g_autofree char *difference = ask (request, answer, "d 2");
  g_autofree char *conflict = ask (request, answer, "d 3");
  g_autofree char *binary = ask (request, answer, "d 5");
  g_autofree char *list = ask (request, answer, "x 2.1 4");

  g_assert_cmpstr (difference, ==,
                   "✓ 2. changed: a.c  +2 −2\n2.1 @@ -1 +1 @@\n-a\n+b\n2.2 @@ -9 +9 @@\n-c\n+d");
  g_assert_nonnull (strstr (conflict, "By the command:\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\nChanged in the folder meanwhile:\n@@ -1 +1 @@\n-a\n+theirs"));
  g_assert_nonnull (strstr (binary, "No difference to show"));
  g_assert_nonnull (strstr (list, "\n◐ 2. changed: a.c  +2 −2  (part 1 left out)\n"));
  g_assert_nonnull (strstr (list, "\n✗ 4. new: build/"));
}

/* A list that is not replied to in its place says how it is answered, and a change of a line is seen in it. */
static void
test_command_lines (void)
{
  g_autoptr (BeckonRequest) request = make_request ();
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) alone = NULL;
  BeckonFileChange *change = add (set, ".envrc", BECKON_FILE_CREATED, BECKON_FILE_REGULAR);
  g_autofree char *text = beckon_plain_text_format_with_code (request, 0);
  g_autofree char *one = NULL;
  g_autoptr (BeckonRequest) beside = NULL;
  g_autofree char *two = NULL;

  g_assert_nonnull (strstr (text, "\n  beckonctl answer 7k2m --keep\n  beckonctl answer 7k2m --keep-all\n"
                                  "  beckonctl answer 7k2m --leave-out 4 --leave-out 2.1\n"
                                  "  beckonctl answer 7k2m --deny \"why\""));
  g_assert_null (strstr (text, "k all"));

  change->concern = BECKON_FILE_CONCERN_TRIGGER;
  change->is_text = TRUE;
  change->n_added = change->n_hunks = 1;
  change->diff = g_strdup ("@@ -0,0 +1 @@\n+export A=\033[2J\n");
  alone = beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", NULL, "call", "run_command", "[]", set, 5);
  one = beckon_plain_text_format_with_code (alone, 0);
  g_assert_nonnull (strstr (one, "\n     +export A="));
  g_assert_null (strstr (one, "--keep\n"));
  g_assert_nonnull (strstr (one, "--keep-all\n"));
  g_assert_null (strstr (one, "--leave-out"));

  /* Beside what is kept in any case. */
  add (set, "a.c", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR)->fate = BECKON_FILE_KEPT;
  add (set, "hook", BECKON_FILE_CREATED, BECKON_FILE_REGULAR)->concern = BECKON_FILE_CONCERN_TRIGGER;
  beside = beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", NULL, "call", "run_command", "[]", set, 5);
  two = beckon_plain_text_format_with_code (beside, 0);
  g_assert_nonnull (strstr (two, "\n  beckonctl answer 7k2m --keep-all --leave-out 1\n"));
}

/* A long list is cut, but for what has to be seen. */
static void
test_long (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (BeckonAnswer) answer = NULL;
  g_autofree char *text = NULL;
  g_autofree char *list = NULL;

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *path = g_strdup_printf ("f%03u", i);

      add (set, path, BECKON_FILE_CREATED, BECKON_FILE_REGULAR)->concern
        = i == 299 ? BECKON_FILE_CONCERN_SET_ID : BECKON_FILE_CONCERN_NONE;
    }
  request = beckon_changes_request_new (NULL, "conversation", NULL, "call", "run_command", "[]", set, 5);
  text = beckon_plain_text_format (request, 0);
  g_assert_null (strstr (text, "f050"));
  g_assert_nonnull (strstr (text, "✗ 300. new: f299"));
  g_assert_nonnull (strstr (text, "… and 249 more"));
  answer = beckon_plain_text_begin (request);
  list = ask (request, answer, "l");
  g_assert_nonnull (strstr (list, "f298"));
}

/* A group is told last and by kind; each file that is deleted or changed by itself is told before it. */
static void
test_group (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  BeckonFileChange *group = add (set, ".", BECKON_FILE_CHANGED, BECKON_FILE_FOLDER);
  g_autoptr (BeckonRequest) request = NULL;
  g_autofree char *text = NULL;
  const char *told;

  group->n_files = 3090;
  group->n_made = 3000;
  group->n_gone = 90;
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *path = g_strdup_printf ("f%03u", i);

      add (set, path, BECKON_FILE_CREATED, BECKON_FILE_REGULAR);
    }
  add (set, "thesis", BECKON_FILE_DELETED, BECKON_FILE_REGULAR);
  request = beckon_changes_request_new (NULL, "conversation", NULL, "call", "run_command", "[]", set, 5);
  text = beckon_plain_text_format (request, 0);
  told = strstr (text, "changed: ./  (3000 new, 90 deleted");
  g_assert_nonnull (told);
  g_assert_nonnull (strstr (text, "deleted: thesis"));
  g_assert_true (strstr (text, "deleted: thesis") < told);
  g_assert_nonnull (strstr (text, "… and 50 more"));
}

/* The list says what lands, whatever is typed. */
static void
test_random (void)
{
  static const char *const words[] = { "k", "x", "d", "n", "l", " ", "1", "2", "3", "6", ".", ".1", ".2", ",", "，", "x 2.1", "\xff" };

  for (guint round = 0; round < 2000; round++)
    {
      g_autoptr (BeckonRequest) request = make_request ();
      g_autoptr (BeckonAnswer) answer = beckon_plain_text_begin (request);

      for (guint i = 0; i < 4; i++)
        {
          g_autoptr (BeckonAnswer) whole = NULL;
          g_autofree char *message = NULL;
          g_autoptr (GString) line = g_string_new (NULL);

          for (int n = g_test_rand_int_range (0, 6); n > 0; n--)
            g_string_append (line, words[g_test_rand_int_range (0, G_N_ELEMENTS (words))]);
          if (say (request, answer, line->str, &whole, &message) == BECKON_PLAIN_ANSWER && whole->kind == BECKON_ANSWER_KEPT
              && g_strcmp0 (line->str, "k") == 0)
            g_assert_cmpstr (whole->text, ==, answer->text != NULL ? answer->text : "{\"leave_out\":[{\"change\":1}]}");
        }
    }
}

static void
test_document (void)
{
  g_autoptr (BeckonRequest) request = make_request ();
  g_autofree char *json = beckon_request_document_write (request, NULL, TRUE);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) document = beckon_json_parse_object (json, -1, &error);
  JsonObject *changes, *file;
  JsonArray *files;
  g_autofree guchar *exact = NULL;
  gsize length;

  g_assert_no_error (error);
  g_assert_cmpstr (beckon_json_get_string (document, "kind"), ==, "changes");
  changes = beckon_json_get_object (document, "changes");
  g_assert_cmpstr (beckon_json_get_string (changes, "command"), ==, "make \342\200\256txt");
  g_assert_nonnull (beckon_json_get_string (changes, "sentence"));
  files = beckon_json_get_array (changes, "files");
  g_assert_cmpuint (json_array_get_length (files), ==, 6);
  file = json_array_get_object_element (files, 0);
  g_assert_cmpint (beckon_json_get_int (file, "change", 0), ==, 1);
  g_assert_cmpstr (beckon_json_get_string (file, "type"), ==, "link");
  g_assert_cmpstr (beckon_json_get_string (file, "concern"), ==, "trigger");
  g_assert_cmpstr (beckon_json_get_string (file, "target"), ==, "../x\033[2J");
  file = json_array_get_object_element (files, 1);
  g_assert_cmpstr (beckon_json_get_string (file, "diff"), ==, HUNKS);
  g_assert_cmpint (beckon_json_get_int (file, "hunks", 0), ==, 2);
  g_assert_false (json_object_has_member (file, "path_base64"));
  file = json_array_get_object_element (files, 2);
  g_assert_cmpstr (beckon_json_get_string (file, "fate"), ==, "conflict");
  g_assert_nonnull (beckon_json_get_string (file, "theirs"));
  file = json_array_get_object_element (files, 4);
  exact = g_base64_decode (beckon_json_get_string (file, "path_base64"), &length);
  g_assert_cmpmem (exact, length, "caf\xe9", 4);
}

static void
assert_read (const char *json, const char *text)
{
  g_autoptr (BeckonRequest) request = make_request ();
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonAnswer) answer = beckon_answer_document_read (json, request, &error);
  g_autofree char *written = NULL;
  g_autoptr (BeckonAnswer) again = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (answer->kind, ==, BECKON_ANSWER_KEPT);
  g_assert_cmpstr (answer->text, ==, text);
  written = beckon_answer_document_write (answer, NULL);
  again = beckon_answer_document_read (written, request, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again->text, ==, text);
}

static void
test_answer_document (void)
{
  assert_read ("{\"kind\":\"kept\"}", NULL);
  assert_read ("{\"kind\":\"kept\",\"leave_out\":[]}", "{\"leave_out\":[]}");
  assert_read ("{\"kind\":\"kept\",\"leave_out\":null}", NULL);
  assert_read ("{\"kind\":\"kept\",\"leave_out\":[{\"change\":2,\"hunks\":[1]},{\"change\":6}]}",
               "{\"leave_out\":[{\"change\":2,\"hunks\":[1]},{\"change\":6}]}");
}

/* A document names a permission by its number, as a line does. */
static void
test_remember_document (void)
{
  g_autoptr (BeckonRequest) request = make_offering ();
  g_autoptr (BeckonRequest) plain = make_request ();
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonAnswer) answer = beckon_answer_document_read (
      "{\"kind\":\"kept\",\"leave_out\":[{\"change\":6}],\"remember\":{\"scope\":\"always\",\"choice\":2}}", request, &error);

  g_assert_no_error (error);
  g_assert_cmpint (answer->kind, ==, BECKON_ANSWER_KEPT);
  g_assert_cmpstr (answer->text, ==, "{\"leave_out\":[{\"change\":6}]}");
  g_assert_cmpstr (((const BeckonRule *) g_ptr_array_index (answer->remember, 0))->arguments, ==, "{\"path\":\"/w/**\"}");
  g_assert_null (beckon_answer_document_read ("{\"kind\":\"kept\",\"remember\":{\"scope\":\"always\"}}", plain, &error));
  g_assert_true (g_str_has_prefix (error->message, "remember: "));
}

static void
test_faulty_document (void)
{
  static const struct
  {
    const char *json;
    const char *field;
  } cases[] = {
    { "{\"kind\":\"approved\"}", "kind: " },
    { "{\"kind\":\"kept\",\"text\":\"x\"}", "text: " },
    { "{\"kind\":\"kept\",\"leave_out\":{}}", "leave_out: " },
    { "{\"kind\":\"kept\",\"leave_out\":[1]}", "leave_out: " },
    { "{\"kind\":\"kept\",\"leave_out\":[{\"change\":3}]}", "leave_out: " },
    { "{\"kind\":\"kept\",\"leave_out\":[{\"change\":7}]}", "leave_out: " },
    { "{\"kind\":\"kept\",\"leave_out\":[{\"change\":0}]}", "leave_out: " },
    { "{\"kind\":\"kept\",\"leave_out\":[{\"change\":2,\"hunks\":[3]}]}", "leave_out: " },
    { "{\"kind\":\"kept\",\"leave_out\":[{\"change\":2,\"hunks\":[0]}]}", "leave_out: " },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRequest) request = make_request ();
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].json);
      g_assert_null (beckon_answer_document_read (cases[i].json, request, &error));
      g_assert_true (g_str_has_prefix (error->message, cases[i].field));
    }
}

static BeckonLanding *
make_landing (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  BeckonLanding *landing;
  BeckonFileChange *part = add (set, "a.c", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR);
  const guint first = 0;

  set_diff (part);
  part->fate = BECKON_FILE_KEPT;
  part->kept_hunks = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (part->kept_hunks, first);
  add (set, "kept", BECKON_FILE_CREATED, BECKON_FILE_REGULAR)->fate = BECKON_FILE_KEPT;
  for (guint i = 0; i < 7; i++)
    {
      g_autofree char *path = g_strdup_printf ("mine-%u", i);

      add (set, path, BECKON_FILE_CHANGED, BECKON_FILE_REGULAR)->fate = BECKON_FILE_CONFLICT;
    }
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *path = g_strdup_printf ("lost-%u", i);
      BeckonFileChange *change = add (set, path, BECKON_FILE_CREATED, BECKON_FILE_FOLDER);

      change->fate = BECKON_FILE_FAILED;
      change->remark = i < 2 ? g_strdup ("No space left on device") : g_strdup_printf ("reason %u", i);
    }
  add (set, "denied", BECKON_FILE_CREATED, BECKON_FILE_REGULAR)->fate = BECKON_FILE_DENIED;
  add (set, "x\033[2J", BECKON_FILE_CREATED, BECKON_FILE_REGULAR)->fate = BECKON_FILE_LEFT_OUT;
  landing = beckon_landing_new ("call", "/folder", "/place", 7, set);
  landing->state = BECKON_LANDING_LANDED;
  return landing;
}

/* A line for each cause; causes without end are one. */
static void
test_losses (void)
{
  g_autoptr (BeckonLanding) landing = make_landing ();
  g_autoptr (BeckonRequest) request = make_request ();
  BeckonPlainLoss loss;
  g_auto (GStrv) lines = beckon_plain_landed_describe (landing, NULL, &loss);
  g_auto (GStrv) asked = beckon_plain_landed_describe (landing, request, &loss);
  g_auto (GStrv) waiting = NULL;

  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 8 + 2 + 2);
  g_assert_cmpstr (lines[0], ==, "7 changes were not saved, because the files were changed in the folder meanwhile: "
                                 "mine-0, mine-1, mine-2, mine-3, mine-4 and 2 more");
  g_assert_cmpstr (lines[1], ==, "2 changes could not be saved: lost-0/, lost-1/ — No space left on device");
  g_assert_cmpstr (lines[8], ==, "12 changes could not be saved: lost-8/, lost-9/, lost-10/, lost-11/, lost-12/ and 7 more");
  g_assert_cmpstr (lines[9], ==, "1 change was not saved, because one of your rules denies it: denied");
  g_assert_cmpstr (lines[10], ==, "1 change was not saved, because nobody could be asked about it: x<U+001B>[2J");
  g_assert_cmpuint (g_strv_length (asked), ==, 1 + 8 + 1 + 2 + 1);
  g_assert_true (g_str_has_prefix (asked[10], "The folder stays as it is. "));
  g_assert_true (g_str_has_prefix (asked[11], "These changes aren’t tried again. "));
  g_assert_cmpstr (asked[12], ==, "Left out: part 2 of a.c, x<U+001B>[2J");
  g_assert_cmpint (loss, ==, BECKON_PLAIN_LOSS_FAILED);

  landing->state = BECKON_LANDING_DECIDED;
  waiting = beckon_plain_landed_describe (landing, NULL, &loss);
  g_assert_cmpuint (g_strv_length (waiting), ==, 0);
  g_assert_cmpint (loss, ==, BECKON_PLAIN_LOSS_NONE);
}

/* A change that can't be shown starts left out, and says why. */
static void
test_unshown (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autofree char *text = NULL;
  BeckonFileChange *change = add (set, "build", BECKON_FILE_CREATED, BECKON_FILE_FOLDER);

  change->n_files = 1200;
  change->size = 4000;
  change = add (set, "long.txt", BECKON_FILE_CREATED, BECKON_FILE_REGULAR);
  change->is_text = TRUE;
  change->n_added = 90000;
  add (set, "old", BECKON_FILE_DELETED, BECKON_FILE_FOLDER)->n_files = 3;
  add (set, "gone.bin", BECKON_FILE_DELETED, BECKON_FILE_REGULAR)->size = 5;
  add (set, "empty", BECKON_FILE_CREATED, BECKON_FILE_REGULAR);
  add (set, "picture.png", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR)->after_hash = g_strdup ("5");
  request = beckon_changes_request_new (NULL, "conversation", NULL, "call", "run_command", "[]", set, 5);
  text = beckon_plain_text_format (request, 0);
  g_assert_nonnull (strstr (text, "\n✗ 1. new: build/  (1200 files, 4.0\302\240kB) — Too many files to be shown one by one\n"
                                  "✗ 2. new: long.txt  +90000 −0 — Too long to be shown here\n✓ 3. deleted: old/"));
  g_assert_nonnull (strstr (text, "✓ 4. deleted: gone.bin"));
  g_assert_nonnull (strstr (text, "✓ 5. new: empty"));
  g_assert_nonnull (strstr (text, "✗ 6. changed: picture.png"));
  g_assert_nonnull (strstr (text, " — Binary file"));
}

/* A move is one line with one number, and what is decided with it stands below. */
static void
test_moved (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (GPtrArray) members = g_ptr_array_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autofree char *text = NULL;
  BeckonFileChange *moved = add (set, "other/video.mp4", BECKON_FILE_MOVED, BECKON_FILE_REGULAR);
  BeckonFileChange *folder;

  moved->from = g_strdup ("video.mp4");
  moved->size = 3000;
  g_ptr_array_add (members, add (set, "video.mp4", BECKON_FILE_DELETED, BECKON_FILE_REGULAR));
  folder = add (set, "old", BECKON_FILE_DELETED, BECKON_FILE_FOLDER);
  folder->n_files = 2;
  g_ptr_array_add (members, folder);
  beckon_change_set_bind (set, moved, members);
  set_diff (add (set, "x", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR));
  request = beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", "run_command",
                                        "{\"command\":\"mv\"}", set, 5);
  text = beckon_plain_text_format (request, 0);
  g_assert_nonnull (strstr (text, "✓ 1. moved: video.mp4 → other/video.mp4  (3.0\302\240kB)\n     deleted: old/  (2 files, 0 bytes)\n"
                                  "✓ 2. changed: x  +2 −2\n4 lines of differences are not shown here; “d 2” shows them\n"));
}

/* A folder counts what was in it, also where a file of it has a line of its own. */
static void
test_moved_folder (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (GPtrArray) members = g_ptr_array_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autofree char *text = NULL;
  BeckonFileChange *folder = add (set, "new", BECKON_FILE_MOVED, BECKON_FILE_FOLDER);
  BeckonFileChange *inner = add (set, "new/run", BECKON_FILE_MOVED, BECKON_FILE_REGULAR);

  folder->from = g_strdup ("old");
  folder->n_files = 4;
  inner->from = g_strdup ("old/run");
  inner->concern = BECKON_FILE_CONCERN_PROGRAM;
  g_ptr_array_add (members, inner);
  beckon_change_set_bind (set, folder, members);
  request = beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", "move_files", "{}", set, 5);
  text = beckon_plain_text_format (request, 0);
  g_assert_true (g_str_has_prefix (text, "⚠ Move 4 files\n✗ 1. moved: old/ → new/  (4 files, 0 bytes) — "));
}

/* A deletion that is kept is not called so; and the lines that “d” shows are counted. */
static void
test_deletions (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autofree char *text = NULL;

  set_diff (add (set, "a", BECKON_FILE_DELETED, BECKON_FILE_REGULAR));
  set_diff (add (set, "b", BECKON_FILE_DELETED, BECKON_FILE_REGULAR));
  request = beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", "delete_files", "{}", set, 5);
  text = beckon_plain_text_format (request, 0);
  g_assert_nonnull (strstr (text, "8 lines of differences are not shown here; “d 1” shows the first 4\n\n"
                                  "k: delete what is marked ✓ · n: leave all out"));
}

/* A thousand moves are not told twice; what a server's tool was given is said. */
static void
test_tools (void)
{
  static const char *const tools[] = { "move_files", "server__move" };

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
      g_autoptr (BeckonRequest) request = NULL;
      g_autofree char *text = NULL;

      add (set, "b", BECKON_FILE_MOVED, BECKON_FILE_REGULAR)->from = g_strdup ("a");
      request = beckon_changes_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", tools[i],
                                            "{\"moves\":[{\"from\":\"a\",\"to\":\"b\"}]}", set, 5);
      text = beckon_plain_text_format (request, 0);
      g_assert_cmpint (strstr (text, "moves") == NULL, ==, i == 0);
      /* The card asks before anything is moved. */
      g_assert_true (g_str_has_prefix (text, i == 0 ? "⚠ Move 1 file\n" : "⚠ Moved 1 file, not yet in the folder\n"));
      g_assert_nonnull (strstr (text, "1. moved: a → b"));
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/changes/format", test_format);
  g_test_add_func ("/text/changes/commit", test_commit);
  g_test_add_func ("/text/changes/commit-files", test_commit_files);
  g_test_add_func ("/text/changes/keys", test_keys);
  g_test_add_func ("/text/changes/moved", test_moved);
  g_test_add_func ("/text/changes/moved-folder", test_moved_folder);
  g_test_add_func ("/text/changes/deletions", test_deletions);
  g_test_add_func ("/text/changes/tools", test_tools);
  g_test_add_func ("/text/changes/unshown", test_unshown);
  g_test_add_func ("/text/changes/answers", test_answers);
  g_test_add_func ("/text/changes/none-marked", test_none_marked);
  g_test_add_func ("/text/changes/decided", test_decided);
  g_test_add_func ("/text/changes/no-answers", test_no_answers);
  g_test_add_func ("/text/changes/shown", test_shown);
  g_test_add_func ("/text/changes/long", test_long);
  g_test_add_func ("/text/changes/group", test_group);
  g_test_add_func ("/text/changes/random", test_random);
  g_test_add_func ("/text/changes/command-lines", test_command_lines);
  g_test_add_func ("/text/changes/losses", test_losses);
  g_test_add_func ("/text/changes/document", test_document);
  g_test_add_func ("/text/changes/answer-document", test_answer_document);
  g_test_add_func ("/text/changes/executable", test_executable);
  g_test_add_func ("/text/changes/remember", test_remember);
  g_test_add_func ("/text/changes/remember-document", test_remember_document);
  g_test_add_func ("/text/changes/faulty-document", test_faulty_document);
  return g_test_run ();
}
