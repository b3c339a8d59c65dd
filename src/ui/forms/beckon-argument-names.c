/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-argument-names.h"

#include <glib/gi18n-lib.h>

/* Only what is listed is translated: a description may come from anywhere. */
const char *
beckon_argument_names_translate (const char *description)
{
  static const char *const known[] = {
    N_("A time zone's name, such as Asia/Shanghai or UTC."),
    N_("The file, relative to the working folder."),
    N_("The piece to replace, exactly as it is in the file."),
    N_("What takes its place; may be empty."),
    N_("Whether to replace it everywhere in the file."),
    N_("A whole URL."),
    N_("The folder, relative to the working folder."),
    N_("Whether to list what is below, too."),
    N_("Only what matches, such as *.c or src/**/*.h."),
    N_("What to remember, in a sentence or two."),
    N_("A note to replace."),
    N_("Words that a note has to hold."),
    N_("The first line to read, counted from 1."),
    N_("The most lines to read."),
    N_("Where to begin in bytes, instead of offset; as an earlier result said."),
    N_("The command line."),
    N_("Where it starts, relative to the working folder."),
    N_("How long it may take."),
    N_("Whether it needs the internet, which the user is asked for."),
    N_("Whether it needs services of this computer or the local network as well."),
    N_("The only hosts that it needs to reach, such as pypi.org or *.pythonhosted.org."),
    N_("What a line has to match."),
    N_("The folder or file to search, relative to the working folder."),
    N_("Only files that match, such as *.c or src/**/*.h."),
    N_("Whether pattern is plain text, not a regular expression."),
    N_("The most lines to give."),
    N_("A few words, in the user's language."),
    N_("What to search for."),
    N_("The most results to give."),
    N_("All that the file is to hold."),
    N_("The name of the skill."),
    N_("A file of the skill, relative to its folder. Without, the skill itself is read."),
    N_("Words for what the tool should do, such as: create issue."),
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (g_strcmp0 (known[i], description) == 0)
        return _(known[i]);
    }
  return description;
}
