/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-argument-names.h"

#include <glib/gi18n-lib.h>

/* Only what is listed is translated: a description may come from anywhere. */
const char *
beckon_argument_names_translate (const char *description)
{
  /* As a model reads it, and as a person does: not at all where the argument's name says it. */
  static const char *const known[][2] = {
    { "A time zone's name, such as Asia/Shanghai or UTC.", N_("A time zone's name, such as Asia/Shanghai or UTC.") },
    { "The file, relative to the working folder.", N_("Relative to the working folder.") },
    { "The piece to replace, as it is in the file.", N_("The text to replace, exactly as it is in the file.") },
    { "What takes its place; may be empty.", N_("The new text. Leave it empty to delete the old text.") },
    { "Whether to replace it everywhere in the file.", N_("Replaces every occurrence in the file.") },
    { "A whole URL.", NULL },
    { "The folder, relative to the working folder.", N_("Relative to the working folder.") },
    { "Whether to list what is below, too.", N_("Lists subfolders, too.") },
    { "Only what matches, such as *.c or src/**/*.h.", N_("Only names that match, such as *.c or src/**/*.h.") },
    { "Whether to say when each was changed.", N_("Shows when each was last changed.") },
    { "More replacements, each applied to the result of the previous one.",
      N_("More texts to replace in the same file, one after another.") },
    { "The new path. If it ends with / or is an existing folder, the source is moved into it.",
      N_("The new path, or the folder to move it into.") },
    { "What to remember, in a sentence or two.", NULL },
    { "A note to replace.", N_("The note that this one replaces.") },
    { "Words that a note has to hold.", N_("Words to look up in the notes.") },
    { "The first line to read, counted from 1.", N_("The first line to read.") },
    { "The most lines to read.", N_("Reads at most this many lines.") },
    { "Where to begin in bytes, instead of offset; as an earlier result said.",
      N_("Starts at this byte instead of at a line.") },
    { "The command line.", NULL },
    { "Where it starts, relative to the working folder.",
      N_("The folder it starts in, relative to the working folder.") },
    { "How long it may take.", N_("Time limit, in seconds.") },
    { "For servers and watchers: lets it run while you go on, until end_command or your turn's end.",
      N_("Lets the command run on while the agent continues.") },
    { "Its name, such as output:7.", NULL },
    { "Whether it needs the internet, which the user is asked for.", N_("Lets the command use the internet.") },
    { "Whether it needs services of this computer or the local network as well.",
      N_("Lets the command use services of this computer and the local network.") },
    { "The only hosts that it needs to reach, such as pypi.org or *.pythonhosted.org.",
      N_("Limits the command to these hosts, such as pypi.org or *.pythonhosted.org.") },
    { "What a line has to match.", N_("The text or regular expression to search for.") },
    { "The folder or file to search, relative to the working folder, or a kept output such as output:3.",
      N_("The folder, file or saved output (such as output:3) to search.") },
    { "Only files that match, such as *.c or src/**/*.h.", N_("Only files that match, such as *.c or src/**/*.h.") },
    { "Whether pattern is plain text, not a regular expression.",
      N_("Searches for plain text, not for a regular expression.") },
    { "Lines to give before and after each, at most 20.", N_("Shows this many lines before and after each match.") },
    { "Whether to give the paths of the files alone.", N_("Shows only the paths of the files.") },
    { "The most matching lines to give.", N_("Shows at most this many lines.") },
    { "A few words, in the user's language.", NULL },
    { "What to search for.", NULL },
    { "The most results to give.", N_("Shows at most this many results.") },
    { "All that the file is to hold.", N_("The whole content of the file.") },
    { "The name of the skill.", NULL },
    { "A file of the skill, relative to its folder. Without, the skill itself is read.",
      N_("A file of the skill. Without one, the skill itself is read.") },
    { "Words for what the tool should do, such as: create issue.",
      N_("What the tool should do, such as: create issue.") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (g_strcmp0 (known[i][0], description) == 0)
        return known[i][1] != NULL ? _(known[i][1]) : NULL;
    }
  return description;
}
