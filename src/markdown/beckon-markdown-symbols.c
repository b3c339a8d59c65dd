/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-symbols.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  const char *name;
  const char *text;
} Symbol;

/* In the order of strcmp (). */
static const Symbol symbols[] = {
  { " ", " " }, { "#", "#" }, { "$", "$" }, { "%", "%" }, { "&", "&" }, { ",", " " }, { ":", " " }, { ";", " " },
  { "Delta", "Δ" }, { "Gamma", "Γ" }, { "Im", "ℑ" }, { "Lambda", "Λ" }, { "Leftarrow", "⇐" },
  { "Leftrightarrow", "⇔" }, { "Omega", "Ω" }, { "Phi", "Φ" }, { "Pi", "Π" }, { "Pr", "Pr" }, { "Psi", "Ψ" },
  { "Re", "ℜ" }, { "Rightarrow", "⇒" }, { "Sigma", "Σ" }, { "Theta", "Θ" }, { "Upsilon", "Υ" }, { "Vert", "‖" },
  { "Xi", "Ξ" }, { "\\", "\n" }, { "_", "_" }, { "aleph", "ℵ" }, { "alpha", "α" }, { "angle", "∠" },
  { "approx", "≈" }, { "arccos", "arccos" }, { "arcsin", "arcsin" }, { "arctan", "arctan" }, { "arg", "arg" },
  { "ast", "∗" }, { "because", "∵" }, { "beta", "β" }, { "bmod", " mod " }, { "bot", "⊥" }, { "bullet", "•" },
  { "cap", "∩" }, { "cdot", "·" }, { "cdots", "⋯" }, { "chi", "χ" }, { "circ", "∘" }, { "colon", ":" },
  { "cong", "≅" }, { "cos", "cos" }, { "cosh", "cosh" }, { "cot", "cot" }, { "csc", "csc" }, { "cup", "∪" },
  { "dagger", "†" }, { "ddots", "⋱" }, { "deg", "deg" }, { "degree", "°" }, { "delta", "δ" }, { "det", "det" },
  { "dim", "dim" }, { "div", "÷" }, { "dots", "…" }, { "downarrow", "↓" }, { "ell", "ℓ" }, { "emptyset", "∅" },
  { "epsilon", "ε" }, { "equiv", "≡" }, { "eta", "η" }, { "exists", "∃" }, { "exp", "exp" }, { "forall", "∀" },
  { "gamma", "γ" }, { "gcd", "gcd" }, { "ge", "≥" }, { "geq", "≥" }, { "gets", "←" }, { "gg", "≫" }, { "hbar", "ℏ" },
  { "hookrightarrow", "↪" }, { "iff", "⇔" }, { "iiint", "∭" }, { "iint", "∬" }, { "implies", "⇒" }, { "in", "∈" },
  { "inf", "inf" }, { "infty", "∞" }, { "int", "∫" }, { "iota", "ι" }, { "kappa", "κ" }, { "ker", "ker" },
  { "lambda", "λ" }, { "land", "∧" }, { "langle", "⟨" }, { "lceil", "⌈" }, { "ldots", "…" }, { "le", "≤" },
  { "leftarrow", "←" }, { "leftrightarrow", "↔" }, { "leq", "≤" }, { "lfloor", "⌊" }, { "lg", "lg" },
  { "lim", "lim" }, { "liminf", "lim inf" }, { "limsup", "lim sup" }, { "ll", "≪" }, { "ln", "ln" }, { "lnot", "¬" },
  { "log", "log" }, { "longrightarrow", "⟶" }, { "lor", "∨" }, { "mapsto", "↦" }, { "max", "max" }, { "mid", "|" },
  { "min", "min" }, { "mod", "mod" }, { "models", "⊨" }, { "mp", "∓" }, { "mu", "μ" }, { "nabla", "∇" },
  { "ne", "≠" }, { "neg", "¬" }, { "neq", "≠" }, { "nexists", "∄" }, { "ni", "∋" }, { "notin", "∉" }, { "nu", "ν" },
  { "odot", "⊙" }, { "oint", "∮" }, { "omega", "ω" }, { "oplus", "⊕" }, { "otimes", "⊗" }, { "parallel", "∥" },
  { "partial", "∂" }, { "perp", "⊥" }, { "phi", "φ" }, { "pi", "π" }, { "pm", "±" }, { "pmod", " mod " },
  { "prec", "≺" }, { "prime", "′" }, { "prod", "∏" }, { "propto", "∝" }, { "psi", "ψ" }, { "qquad", "    " },
  { "quad", "  " }, { "rangle", "⟩" }, { "rceil", "⌉" }, { "rfloor", "⌋" }, { "rho", "ρ" }, { "rightarrow", "→" },
  { "sec", "sec" }, { "setminus", "∖" }, { "sigma", "σ" }, { "sim", "∼" }, { "simeq", "≃" }, { "sin", "sin" },
  { "sinh", "sinh" }, { "square", "□" }, { "star", "⋆" }, { "subset", "⊂" }, { "subseteq", "⊆" }, { "succ", "≻" },
  { "sum", "∑" }, { "sup", "sup" }, { "supset", "⊃" }, { "supseteq", "⊇" }, { "tan", "tan" }, { "tanh", "tanh" },
  { "tau", "τ" }, { "therefore", "∴" }, { "theta", "θ" }, { "times", "×" }, { "to", "→" }, { "top", "⊤" },
  { "triangle", "△" }, { "uparrow", "↑" }, { "upsilon", "υ" }, { "varepsilon", "ε" }, { "varnothing", "∅" },
  { "varphi", "ϕ" }, { "vartheta", "ϑ" }, { "vdash", "⊢" }, { "vdots", "⋮" }, { "vee", "∨" }, { "vert", "|" },
  { "wedge", "∧" }, { "xi", "ξ" }, { "zeta", "ζ" }, { "{", "{" }, { "|", "‖" }, { "}", "}" },
};

/* A character and its small form, in turns. */
static const char raised[] =
    "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻=⁼(⁽)⁾nⁿiⁱaᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰjʲkᵏlˡmᵐ"
    "oᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻTᵀ′′∗*";
static const char lowered[] =
    "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋−₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜ"
    "uᵤvᵥxₓ";

static int
compare_name (gconstpointer name, gconstpointer symbol)
{
  return strcmp (name, ((const Symbol *) symbol)->name);
}

const char *
beckon_markdown_symbols_look_up (const char *name)
{
  const Symbol *symbol = bsearch (name, symbols, G_N_ELEMENTS (symbols), sizeof *symbols, compare_name);

  return symbol != NULL ? symbol->text : NULL;
}

gunichar
beckon_markdown_symbols_get_accent (const char *name)
{
  static const struct
  {
    const char *name;
    gunichar accent;
  } accents[] = {
    { "hat", 0x302 },  { "widehat", 0x302 },  { "bar", 0x304 }, { "overline", 0x305 }, { "tilde", 0x303 },
    { "dot", 0x307 },  { "widetilde", 0x303 }, { "ddot", 0x308 }, { "vec", 0x20d7 },    { "underline", 0x332 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (accents); i++)
    {
      if (strcmp (accents[i].name, name) == 0)
        return accents[i].accent;
    }
  return 0;
}

gunichar
beckon_markdown_symbols_get_small (gunichar letter, gboolean is_raised)
{
  const char *c = is_raised ? raised : lowered;

  while (*c != '\0')
    {
      gboolean is_it = g_utf8_get_char (c) == letter;

      c = g_utf8_next_char (c);
      if (is_it)
        return g_utf8_get_char (c);
      c = g_utf8_next_char (c);
    }
  return 0;
}

gunichar
beckon_markdown_symbols_get_styled (gunichar letter, const char *style)
{
  static const char doubled[] = "CℂHℍNℕPℙQℚRℝZℤ";
  static const char script[] = "BℬEℰFℱHℋIℐLℒMℳRℛ";
  gboolean is_doubled = strcmp (style, "mathbb") == 0;

  for (const char *c = is_doubled ? doubled : script; *c != '\0'; c = g_utf8_next_char (g_utf8_next_char (c)))
    {
      if (g_utf8_get_char (c) == letter)
        return g_utf8_get_char (g_utf8_next_char (c));
    }
  if (letter < 'A' || letter > 'Z')
    return letter;
  return (is_doubled ? 0x1d538 : 0x1d49c) + letter - 'A';
}
