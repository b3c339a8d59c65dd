/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-change-tool.h"

static const char description[]
    = "Makes a text file in the working folder, or replaces the whole of one. Folders on the way are made. For a change within "
      "a file use edit_file. The result is the difference.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{"
      "\"path\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,"
      "\"description\":\"The file, relative to the working folder.\"},"
      "\"content\":{\"type\":\"string\",\"maxLength\":8388608,\"description\":\"All that the file is to hold.\"}},"
      "\"required\":[\"path\",\"content\"],\"additionalProperties\":false}";

static char *
write_file_change (BeckonFileEdit *edit, GError **error)
{
  return beckon_change_tool_take (edit, "content", error);
}

BeckonTool *
beckon_write_file_new (BeckonFileCopies *copies)
{
  return beckon_change_tool_new (beckon_tool_definition_new ("write_file", description, schema, FALSE), write_file_change,
                                 copies);
}
