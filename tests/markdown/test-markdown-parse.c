/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Extensions of CommonMark, and the bounds of parsing. */

#include "markdown-html.h"

#include "markdown/beckon-markdown-formula.h"
#include "markdown/beckon-markdown-parse.h"
#include "markdown/beckon-markdown-plain.h"

#include <string.h>

static char *
convert (const char *text)
{
  g_autoptr (GPtrArray) blocks = beckon_markdown_parse (text, strlen (text), BECKON_MARKDOWN_RICH);

  return markdown_to_html (blocks);
}

static void
check (const char *text, const char *expected)
{
  g_autofree char *html = convert (text);

  g_assert_cmpstr (html, ==, expected);
}

static void
test_table (void)
{
  check ("| a | b | c |\n|:--|:-:|--:|\n| 1 | `x\\|y` | **3** |\n| 4 |\n",
         "<table>\n<tr><th left>a</th><th center>b</th><th right>c</th></tr>\n"
         "<tr><td left>1</td><td center><code>x|y</code></td><td right><strong>3</strong></td></tr>\n"
         "<tr><td left>4</td><td center></td><td right></td></tr>\n</table>\n");
  check ("a | b\n---|---\n1 | 2<br>3\n\nend",
         "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2<br>3</td></tr>\n</table>\n<p>end</p>\n");
  check ("| a |\nno dashes", "<p>| a |\nno dashes</p>\n");
}

/* A dash is enough; but for tables nothing becomes longer. */
static void
test_short_dashes (void)
{
#define TABLE "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n"
  check ("| a | b |\n|--|--|\n| 1 | 2 |\n", TABLE);
  check ("| a | b |\n|-|-|\n| 1 | 2 |\n", TABLE);
  check ("a | b\n- | -\n1 | 2\n", TABLE);
  check ("| a | b |\n|---|-|\n| 1 | 2 |", TABLE);
  check ("> | a | b |\n> |-|--|\n> | 1 | 2 |", "<blockquote>\n" TABLE "</blockquote>\n");
  check ("- | a | b |\n  |-|--|\n  | 1 | 2 |", "<ul>\n<li>\n" TABLE "</li>\n</ul>\n");
  check ("10. x\n\n    | a | b |\n    |-|--|\n    | 1 | 2 |", "<ol start=\"10\">\n<li>\n<p>x</p>\n" TABLE "</li>\n</ol>\n");
#undef TABLE
  check ("| l | m | r |\n|:-|:-:|-:|\n",
         "<table>\n<tr><th left>l</th><th center>m</th><th right>r</th></tr>\n</table>\n");
  check ("```\n| a | b |\n|--|--|\n```\n", "<pre><code>| a | b |\n|--|--|\n</code></pre>\n");
  check ("~~~\n```\n| a |\n|-|\n~~~\n", "<pre><code>```\n| a |\n|-|\n</code></pre>\n");
  check ("- ```\n  | a |\n  |-|\n  ```\n", "<ul>\n<li>\n<pre><code>| a |\n|-|\n</code></pre>\n</li>\n</ul>\n");
  check ("    | a | b |\n    |--|--|\n", "<pre><code>| a | b |\n|--|--|\n</code></pre>\n");
  check ("no bar\n|--|--|\n", "<p>no bar\n|--|--|</p>\n");
  check ("|--|--|\n", "<p>|--|--|</p>\n");
}

static void
test_keys (void)
{
  check ("Press <kbd>Ctrl</kbd>+<KBD>K</KBD>.", "<p>Press <code>Ctrl</code>+<code>K</code>.</p>\n");
  check ("**<kbd>Ctrl** and</kbd> on", "<p><strong><code>Ctrl</code></strong> and on</p>\n");
  check ("an end</kbd> alone", "<p>an end alone</p>\n");
}

static void
test_tasks (void)
{
  check ("- [ ] one\n- [x] two\n- [X] **three**\n- three\n",
         "<ul>\n<li>[ ] one</li>\n<li>[x] two</li>\n<li>[x] <strong>three</strong></li>\n<li>three</li>\n</ul>\n");
  check ("1. [x] a\n   - [ ] b\n", "<ol>\n<li>[x] a\n<ul>\n<li>[ ] b</li>\n</ul>\n</li>\n</ol>\n");
}

static void
test_struck (void)
{
  check ("~~gone~~ and ~one~ and ~~~three~~~ a~~b", "<p><del>gone</del> and <del>one</del> and ~~~three~~~ a~~b</p>\n");
}

static void
test_addresses (void)
{
  check ("See https://example.com/a_b_c?x=1&y=2, or `https://no.where`.",
         "<p>See <a href=\"https://example.com/a_b_c?x=1&amp;y=2\">https://example.com/a_b_c?x=1&amp;y=2</a>, or "
         "<code>https://no.where</code>.</p>\n");
}

static void
test_maths (void)
{
  check ("Area $A_1 * B_2 * c$ holds.", "<p>Area <math>A_1 * B_2 * c</math> holds.</p>\n");
  check ("Costs $5 and *then* $10.", "<p>Costs $5 and <em>then</em> $10.</p>\n");
  check ("US$5, $HOME and \\$x\\$ and `$a$` and `\\(b\\)`",
         "<p>US$5, $HOME and $x$ and <code>$a$</code> and <code>\\(b\\)</code></p>\n");
  check ("Is \\(a_1 + b_1\\) and \\[c^2\\] and \\(open", "<p>Is <math>a_1 + b_1</math> and <math>c^2</math> and (open</p>\n");
  check ("$$x = y$$", "<math>x = y</math>\n");
  check ("\\[\nx\n- y\n= z\n\\]\nand so", "<math>\nx\n- y\n= z\n</math>\n<p>and so</p>\n");
  check ("$$\nnot\n\nclosed $$", "<p>$$\nnot</p>\n<p>closed $$</p>\n");
  check ("So $$a*b*c$$ it is", "<p>So <math>a*b*c</math> it is</p>\n");
  check ("It costs $5 or $x$ more.", "<p>It costs $5 or <math>x</math> more.</p>\n");
  check ("Set ${A}${B} or $A/$B.", "<p>Set ${A}${B} or $A/$B.</p>\n");
  check ("The price is $3, math $b$.", "<p>The price is $3, math <math>b</math>.</p>\n");
  check ("Add $HOME/bin:$PATH to it.", "<p>Add $HOME/bin:$PATH to it.</p>\n");
  check ("Call $foo->bar($baz) and $this->x.", "<p>Call $foo-&gt;bar($baz) and $this-&gt;x.</p>\n");
  check ("$(\"a\") and $(\"b\"), $(x).y($z).", "<p>$(&quot;a&quot;) and $(&quot;b&quot;), $(x).y($z).</p>\n");
  check ("From $5M/$6M to $7–$8 (US$9), CA$10/US$11.", "<p>From $5M/$6M to $7–$8 (US$9), CA$10/US$11.</p>\n");
  check ("Both $x$ and $y$, $5 and $$z$$.",
         "<p>Both <math>x</math> and <math>y</math>, $5 and <math>z</math>.</p>\n");
  check ("公式$x$和 $a\\$b$", "<p>公式<math>x</math>和 <math>a\\$b</math></p>\n");
  check ("```\n$a$ \\(b\\) $5\n```\n", "<pre><code>$a$ \\(b\\) $5\n</code></pre>\n");
}

static void
check_formula (const char *latex, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  beckon_markdown_formula_append (latex, strlen (latex), out);
  g_assert_cmpstr (out->str, ==, expected);
}

/* A formula reads as a line of text, or stays as it is written, and nothing that is broken breaks it. */
static void
test_formulas (void)
{
  check_formula ("E = mc^2", "E = mc²");
  check_formula ("\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}", "(−b ± √(b² − 4ac))/(2a)");
  check_formula ("\\sum_{i=1}^{n} x_i \\le \\alpha_{\\max}", "∑ᵢ₌₁ⁿ xᵢ ≤ αₘₐₓ");
  check_formula ("\\int_0^\\infty e^{-x^2}\\,dx = \\frac12\\sqrt\\pi", "∫₀^∞ e^(−x²) dx = (1/2)√π");
  check_formula ("f: \\mathbb{R} \\to \\mathbb{R}^n, \\quad \\hat{x} \\in \\mathcal{L}", "f: ℝ → ℝⁿ, x̂ ∈ ℒ");
  check_formula ("\\left( \\text{a b} \\right) \\\\[2pt] \\{y\\}", "( a b )\n{y}");
  check_formula ("a \\unknown{x}  + b", "a \\unknown{x} + b");
  check_formula ("\\begin{cases} x & y \\\\ z \\end{cases}", "\\begin{cases} x & y \\\\ z \\end{cases}");
  check_formula ("\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}", "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}");
  check_formula ("\\begin{aligned} x &= 1 \\\\ y &= 2 \\end{aligned}", "x = 1\ny = 2");
  check_formula ("e^{i\\pi}+1=0", "e^(iπ)+1=0");
  check_formula ("\\frac{a+b}{c}", "(a+b)/c");
  check_formula ("2\\frac{a}{bc}x", "2(a/(bc))x");
  check_formula ("\\sqrt{2}x + \\sqrt 2", "√(2)x + √2");
  check_formula ("\\vec{AB}", "\\vec{AB}");
  check_formula ("x_1^2", "x₁²");
  check_formula ("\\frac{a}{", "a/");
  check_formula ("x^ \\", "x");
  check_formula ("{{{{{{{{{{{{{{{{{{x}", "{{{{{{{{{{{{{{{{{{x}");
}

static void
test_raw_html (void)
{
  check ("<details>\n<summary>x</summary>\n</details>\n", "<details>\n<summary>x</summary>\n</details>\n");
  check ("a <u>b</u><br/>c", "<p>a <u>b</u><br/>c</p>\n");
}

static void
test_entities (void)
{
  check ("&lt;&copy;&nosuch;&#65;&#x42;&#0;&#1114112;&CounterClockwiseContourIntegral;",
         "<p>&lt;©&amp;nosuch;AB\357\277\275\357\277\275∳</p>\n");
  /* Characters that would be refused in the text itself don't come in as entities. */
  check ("a&#27;b&#7;c", "<p>a\342\220\233b\342\220\207c</p>\n");
}

static void
test_plain (void)
{
  g_autofree char *plain = beckon_markdown_to_plain (
      "# Head\n\nA **b** [c](https://d.e/) https://f.g/\nh\n\n- one\n  - two\n- [x] three\n\n![dot](data:image/png;base64,AAAA)\n\n4. x\n\n   ```c\n   y;\n   z;\n   ```\n\n"
      "> q\n> r\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n");

  g_assert_cmpstr (plain, ==,
                   "Head\n\nA b c (https://d.e/) https://f.g/\nh\n\n• one\n  • two\n☑ three\n\ndot\n\n4. x\n\n   y;\n   z;\n\n"
                   "  q\n  r\n\na\tb\n1\t2\n\n———");
}

/* Much deeper than anybody writes: it is shown, and takes no more than it is long. */
static void
test_deep (void)
{
  static const char *const pieces[] = { "> ", "- ", "1. ", "* > ", "**a ", "[", "![" };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *html = NULL;

      for (guint j = 0; j < 1000; j++)
        g_string_append (text, pieces[i]);
      g_string_append (text, "end");
      html = convert (text->str);
      g_assert_nonnull (strstr (html, "end"));
    }
}

/* A definition used thousands of times is not written out thousands of times. */
static void
test_growth (void)
{
  g_autoptr (GString) text = g_string_new ("[a]: ");
  g_autoptr (GPtrArray) blocks = NULL;
  gsize total = 0;

  for (guint i = 0; i < 50000; i++)
    g_string_append_c (text, 'x');
  g_string_append (text, "\n\n");
  for (guint i = 0; i < 10000; i++)
    g_string_append (text, "[a] ");
  blocks = beckon_markdown_parse (text->str, text->len, BECKON_MARKDOWN_RICH);
  for (guint i = 0; i < blocks->len; i++)
    {
      const BeckonMarkdownNode *node = g_ptr_array_index (blocks, i);

      total += node->text->len;
      for (guint j = 0; j < beckon_markdown_node_get_n_spans (node); j++)
        total += strlen (beckon_markdown_node_get_span (node, j)->target);
    }
  g_assert_cmpuint (total, <, 10 * text->len);
}

static void
test_equal (void)
{
  static const char *const texts[] = {
    "a", "b", "# a", "## a", "*a*", "**a**", "[a](b)", "[a](c)", "[a](b 't')", "- a", "1. a", "2. a", "- [ ] a", "- [x] a",
    "```\na\n```", "```c\na\n```", "> a", "---", "|a|\n|-|", "|a|\n|:-|", "- a\n\n- b", "- a\n- b",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      for (guint j = 0; j < G_N_ELEMENTS (texts); j++)
        {
          g_autoptr (GPtrArray) a = beckon_markdown_parse (texts[i], strlen (texts[i]), BECKON_MARKDOWN_RICH);
          g_autoptr (GPtrArray) b = beckon_markdown_parse (texts[j], strlen (texts[j]), BECKON_MARKDOWN_RICH);

          g_assert_cmpint (beckon_markdown_node_equal (g_ptr_array_index (a, 0), g_ptr_array_index (b, 0)), ==, i == j);
        }
    }
}

/* A glance shows no marks, nor halves of those that were cut off. */
static void
test_line (void)
{
  static const char *const cases[][2] = {
    { "It is **done**,\nas `you` said.", "It is done, as you said." },
    { "…minutes**, a ~~red~~ one", "…minutes, a red one" },
    { "- one\n- two", "• one • two" },
    { "2 * 3 < 7", "2 * 3 < 7" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = beckon_markdown_to_line (cases[i][0]);

      g_assert_cmpstr (line, ==, cases[i][1]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/markdown/parse/table", test_table);
  g_test_add_func ("/markdown/parse/short-dashes", test_short_dashes);
  g_test_add_func ("/markdown/parse/keys", test_keys);
  g_test_add_func ("/markdown/parse/tasks", test_tasks);
  g_test_add_func ("/markdown/parse/struck", test_struck);
  g_test_add_func ("/markdown/parse/addresses", test_addresses);
  g_test_add_func ("/markdown/parse/maths", test_maths);
  g_test_add_func ("/markdown/parse/formulas", test_formulas);
  g_test_add_func ("/markdown/parse/raw-html", test_raw_html);
  g_test_add_func ("/markdown/parse/entities", test_entities);
  g_test_add_func ("/markdown/parse/plain", test_plain);
  g_test_add_func ("/markdown/parse/deep", test_deep);
  g_test_add_func ("/markdown/parse/growth", test_growth);
  g_test_add_func ("/markdown/parse/equal", test_equal);
  g_test_add_func ("/markdown/parse/line", test_line);
  return g_test_run ();
}
