/* SPDX-License-Identifier: GPL-3.0-or-later */

/* With the argument --words, says for each line of its input what it understands, for another parser to judge. */

#include "base/beckon-error.h"
#include "policy/beckon-command-pattern.h"
#include "policy/beckon-shell.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

/* Commands joined by " ; ", words by " ", each word in < >, what the shell still changes marked. */
static char *
describe (GPtrArray *segments)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < segments->len; i++)
    {
      const BeckonShellSegment *segment = g_ptr_array_index (segments, i);

      g_string_append (text, i > 0 ? " ;" : "");
      for (guint j = 0; j < segment->assignments->len; j++)
        g_string_append_printf (text, " =<%s>", ((BeckonShellWord *) g_ptr_array_index (segment->assignments, j))->text);
      for (guint j = 0; j < segment->words->len; j++)
        {
          const BeckonShellWord *word = g_ptr_array_index (segment->words, j);

          g_string_append_printf (text, " %s%s<%s>", (word->flags & BECKON_SHELL_WORD_GLOB) != 0 ? "*" : "",
                                  (word->flags & BECKON_SHELL_WORD_TILDE) != 0 ? "~" : "", word->text);
        }
      for (guint j = 0; j < segment->redirections->len; j++)
        {
          const BeckonShellRedirection *redirection = g_ptr_array_index (segment->redirections, j);

          g_string_append_printf (text, " %s<%s>", redirection->operator, redirection->target->text);
        }
    }

  return g_strstrip (g_string_free (text, FALSE));
}

static void
test_understood (void)
{
  static const struct
  {
    const char *line;
    const char *expected;
  } cases[] = {
    { "ls", "<ls>" },
    { "  ls   -l\t'a b' \"c d\"  ", "<ls> <-l> <a b> <c d>" },
    { "ls && rm -rf x", "<ls> ; <rm> <-rf> <x>" },
    { "a || b; c & d | e", "<a> ; <b> ; <c> ; <d> ; <e>" },
    { "a\nb\n\nc\n", "<a> ; <b> ; <c>" },
    { "a &&\n b", "<a> ; <b>" },
    { "(a; b) && { c; }", "<a> ; <b> ; <c>" },
    { "((a) )", NULL },
    { "( (a) )", "<a>" },
    { "! grep -q x f", "<grep> <-q> <x> <f>" },
    { "'l's", "<ls>" },
    { "l\\s a\\ b", "<ls> <a b>" },
    { "ls \\\n -l\\\n  x &&\\\nrm \\\ny", "<ls> <-l> <x> ; <rm> <y>" },
    { "echo a#b # and a comment; rm x", "<echo> <a#b>" },
    { "echo '$(x)' \"\\$x\" \\$y $ \"a$\"", "<echo> <$(x)> <$x> <$y> <$> <a$>" },
    { "LC_ALL=C A=b sort x=1", "=<LC_ALL=C> =<A=b> <sort> <x=1>" },
    { "cmd >out 2>&1 <in 3>>x >|y", "<cmd> ><out> 2>&<1> <<in> 3>><x> >|<y>" },
    { "cmd 2>/dev/null >&-", "<cmd> 2></dev/null> >&<->" },
    { "(a) >b", "<a> ; ><b>" },
    { "ls *.c ?x [a-z] ~/x a=~ b~", "<ls> *<*.c> *<?x> *<[a-z]> ~<~/x> ~<a=~> <b~>" },
    { "[ -f x ]", "<[> <-f> <x> <]>" },
    { "find . -name {} \\;", "<find> <.> <-name> <{}> <;>" },
    { "部署 '现在'", "<部署> <现在>" },
    { "echo if then", "<echo> <if> <then>" },
    { "'if' x", "<if> <x>" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) segments = beckon_shell_parse (cases[i].line, &error);
      g_autofree char *description = segments != NULL ? describe (segments) : NULL;

      g_test_message ("%s", cases[i].line);
      g_assert_cmpstr (description, ==, cases[i].expected);
      g_assert_true ((segments == NULL) == (error != NULL));
    }
}

/* Lines that not every shell reads in the same way, or whose meaning is known only once they run. */
static void
test_refused (void)
{
  static const char *const lines[] = {
    "", " ", "\n", "# nothing", "ls `x`", "ls $(x)", "ls $x", "ls ${x}", "echo \"$x\"", "echo \"`x`\"", "echo $'a'",
    "echo $\"a\"", "cat <(x)", "tee >(x)", "cat <<E\nE", "cat <<<x", "ls &>x", "ls >&x", "ls |& cat", "((a[$(x)]))",
    "{a,b}", "a{b,c}", "{fd}>x", "{ls;}", "if a; then b; fi", "while a; do b; done", "for a in b; do c; done",
    "case a in b) ;; esac", "f() { ls; }", "function f { ls; }", "[[ a ]]", "time ls", "! ! ls", "ls &&", "&& ls", "; ls",
    "ls ;; x", "(ls", "ls)", "{ ls", "}", "ls 'a", "ls \"a", "ls >", "ls > ; x", "echo a\rb", "echo a\xe2\x80\x8b",
    "echo \xe2\x80\xaex", "echo \x1b[31m", "echo \xff", "ls <>x", "a=(b c)", "a[0]=x ls", "ls[x", "A+=b ls", "ls | ! x", "echo a{1..3}", "ls 2>&1>x",
    "echo \"$\\\n(x)\"", "echo \"$\\\nx\"", "echo \"$\\\n{x}\"", "echo $\\\nx", "echo $\\\n'a'", "l\\\ns", "A\\\n=b ls",
    "ls 10>&1", "10>/dev/null ls", "rm x 12345>/dev/null", "ls 10<x", "ls 00>&2",
    "ls &\\\n& x", "ls >\\\n> x", "ls 2\\\n>x", "cat <\\\n<E\nE", "echo \"a\\\nb\"",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", lines[i]);
      g_assert_null (beckon_shell_parse (lines[i], &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
      g_assert_cmpstr (error->message, !=, "");
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
}

static void
test_bounds (void)
{
  g_autofree char *long_line = g_strnfill (BECKON_SHELL_MAX_LENGTH + 1, 'a');
  g_autofree char *deep = g_strnfill (10000, '{');
  GString *open = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) segments = NULL;
  GString *many = g_string_new ("true");

  g_assert_null (beckon_shell_parse (long_line, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE);
  g_clear_error (&error);

  for (guint i = 0; i < 10000; i++)
    g_string_append (open, "( ");
  g_assert_null (beckon_shell_parse (open->str, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_TOO_DEEP);
  g_clear_error (&error);
  g_assert_null (beckon_shell_parse (deep, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_clear_error (&error);

  for (guint i = 0; i < 5000; i++)
    g_string_append (many, " && true");
  segments = beckon_shell_parse (many->str, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (segments->len, ==, 5001);
  g_string_free (open, TRUE);
  g_string_free (many, TRUE);
}

/* Whether every command of @line is allowed by @rule. */
static gboolean
is_allowed (const char *rule, const char *line)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonCommandPattern) pattern = beckon_command_pattern_new (rule, &error);
  g_autoptr (GPtrArray) segments = beckon_shell_parse (line, NULL);

  g_assert_no_error (error);
  for (guint i = 0; segments != NULL && i < segments->len; i++)
    if (!beckon_command_pattern_allows (pattern, g_ptr_array_index (segments, i), "/w"))
      return FALSE;

  return segments != NULL;
}

static void
test_patterns (void)
{
  static const struct
  {
    const char *rule;
    const char *line;
    gboolean allowed;
  } cases[] = {
    { "ls *", "ls", TRUE },
    { "ls *", "ls -l src | ls", TRUE },
    { "ls", "ls", TRUE },
    { "ls", "ls -l", FALSE },
    { "ls *", "lsof", FALSE },
    { "ls *", "/tmp/ls", FALSE },
    { "ls *", "LD_PRELOAD=x ls", FALSE },
    { "ls *", "ls > x", FALSE },
    { "ls *", "ls < x", FALSE },
    { "ls *", "ls 2>/dev/null", TRUE },
    { "ls *", "ls 2>&1", TRUE },
    { "ls *", "ls src/*.c", TRUE },
    { "ls *", "ls *", FALSE },
    { "ls *", "ls -*", FALSE },
    { "ls *", "ls ~", FALSE },
    { "git log *", "git log --oneline -5", TRUE },
    { "git log *", "git push", FALSE },
    { "git log *", "git log --output=x", FALSE },
    { "git log *", "git log --outp=x", FALSE },
    { "git log --output=x", "git log --output=x", TRUE },
    { "git *", "git -c alias.x=!sh x", FALSE },
    { "git *", "git config --global a b", FALSE },
    { "find *", "find . -name x", TRUE },
    { "find *", "find . -delete", FALSE },
    { "find . -delete", "find . -delete", TRUE },
    { "sort *", "sort -ro x y", FALSE },
    { "sort *", "sort -n y", TRUE },
    { "env *", "env ls", FALSE },
    { "timeout 5 *", "timeout 5 ls", FALSE },
    { "timeout 5 ls", "timeout 5 ls", TRUE },
    { "python3 *", "python3 -c x", FALSE },
    { "python3 -c *", "python3 -c x", FALSE },
    { "python3 check.py *", "python3 check.py --all", TRUE },
    { "python3.11 *", "python3.11 x.py", FALSE },
    { "make -j*", "make -j8", TRUE },
    { "make *", "make check", TRUE },
    { "make *", "make -f other", FALSE },
    { "make *", "make X=$ check", FALSE },
    { "sort -*", "sort -ox", FALSE },
    { "tar *", "tar xIf 'sh -c x' a", FALSE },
    { "tar tf a.tar", "tar tf a.tar", TRUE },
    { "git *", "git bisect run x", FALSE },
    { "git rebase *", "git rebase -x y", FALSE },
    { "git submodule *", "git submodule foreach x", FALSE },
    { "git clone *", "git clone -u x y z", FALSE },
    { "go test *", "go test -exec=x", FALSE },
    { "go test *", "go test ./...", TRUE },
    { "split *", "split --filter=x a", FALSE },
    { "sqlite3 *", "sqlite3 a.db '.shell x'", FALSE },
    { "test *", "test -v 'a[$(x)]'", FALSE },
    { "[ *", "[ -f x ]", TRUE },
    { "printf *", "printf -v PATH x", FALSE },
    { "declare *", "declare -g PATH=x", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s: %s", cases[i].rule, cases[i].line);
      g_assert_cmpint (is_allowed (cases[i].rule, cases[i].line), ==, cases[i].allowed);
    }
}

/* A prohibition is read generously: what takes a command out of a permission does not take it out of a prohibition. */
static void
test_mentions (void)
{
  g_autoptr (BeckonCommandPattern) pattern = beckon_command_pattern_new ("rm *", NULL);
  static const char *const lines[] = { "rm", "rm -rf x", "/bin/rm x", "A=b rm x > y", "rm ~ *" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GPtrArray) segments = beckon_shell_parse (lines[i], NULL);

      g_assert_true (beckon_command_pattern_mentions (pattern, g_ptr_array_index (segments, 0)));
    }
}

static void
test_bad_patterns (void)
{
  static const char *const rules[] = { "", "*; x", "ls > x", "A=b ls", "ls ~", "ls $x", "a && b", "l?", "ls | cat", "* x" };

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", rules[i]);
      g_assert_null (beckon_command_pattern_new (rules[i], &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

/* The recorded ways around a list of allowed commands: none passes under "ls *", whatever else it does. */
static void
test_bypasses (void)
{
  const char *fixtures = g_getenv ("BECKON_FIXTURES");
  g_autofree char *path = NULL;
  g_autofree char *contents = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  if (fixtures == NULL)
    {
      g_test_skip ("BECKON_FIXTURES is not set");
      return;
    }
  path = g_build_filename (fixtures, "shell-bypass.tsv", NULL);
  g_file_get_contents (path, &contents, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (contents, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);
      g_autofree char *command = NULL;

      if (fields[0] == NULL || *fields[0] == '\0' || *fields[0] == '#')
        continue;
      command = g_uri_unescape_string (fields[0], NULL);
      g_test_message ("%s", fields[0]);
      /* Quotes alone hide nothing: it is ls, and may be treated as such. */
      if (command == NULL || !g_str_has_prefix (command, "'l's"))
        g_assert_false (is_allowed ("ls *", command != NULL ? command : fields[0]));
      n++;
    }
  g_assert_cmpuint (n, >=, 30);
}

static void
print_words (const char *line)
{
  g_autoptr (GPtrArray) segments = beckon_shell_parse (line, NULL);

  if (segments == NULL)
    printf ("-");
  for (guint i = 0; segments != NULL && i < segments->len; i++)
    {
      const BeckonShellSegment *segment = g_ptr_array_index (segments, i);

      printf ("%s%u %u", i > 0 ? "\x1e" : "", segment->assignments->len, segment->redirections->len);
      for (guint j = 0; j < segment->words->len; j++)
        printf ("\x1f%s", beckon_shell_segment_get_word (segment, j));
    }
  putchar ('\n');
}

static int
answer_words (void)
{
  char *line = NULL;
  size_t size = 0;
  ssize_t length;

  while ((length = getline (&line, &size, stdin)) > 0)
    {
      line[length - 1] = '\0';
      print_words (line);
    }
  free (line);
  return 0;
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "");
  if (argc == 2 && strcmp (argv[1], "--words") == 0)
    return answer_words ();

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shell/understood", test_understood);
  g_test_add_func ("/shell/refused", test_refused);
  g_test_add_func ("/shell/bounds", test_bounds);
  g_test_add_func ("/shell/patterns", test_patterns);
  g_test_add_func ("/shell/mentions", test_mentions);
  g_test_add_func ("/shell/bad-patterns", test_bad_patterns);
  g_test_add_func ("/faults/F87-bypasses", test_bypasses);
  return g_test_run ();
}
