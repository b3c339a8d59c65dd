/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-file-text.h"
#include "base/beckon-mask.h"
#include "domain/beckon-file-copies.h"
#include "domain/beckon-tool-call.h"
#include "tools/beckon-folder-tool.h"

#include <glib.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CHANGE_TOOL (beckon_change_tool_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChangeTool, beckon_change_tool, BECKON, CHANGE_TOOL, BeckonBuiltinTool)

/**
 * BeckonFileEdit:
 * @path: of the file, relative to the working folder
 * @exists: whether it is there
 * @before: (nullable): what it says; %NULL if it is not there, or is no text
 * @arguments: those of the call
 * @mask: (nullable): what an error may not quote
 * @note: what the result is to say besides the difference; English
 *
 * What a change is computed from.
 */
typedef struct
{
  const char *path;
  gboolean exists;
  const BeckonFileText *before;
  JsonObject *arguments;
  BeckonMask *mask;
  GString *note;
} BeckonFileEdit;

/**
 * BeckonChangeFunction:
 * @edit: what it is computed from
 * @error: return location; English, for the model
 *
 * Computes what a file becomes. Called on a worker thread; touches nothing.
 *
 * Returns: (transfer full): what it is to say, as beckon_file_text_encode() takes it; %NULL if the call makes no sense
 */
typedef char *(*BeckonChangeFunction) (BeckonFileEdit *edit, GError **error);

/**
 * beckon_change_tool_new:
 * @definition: (transfer full): of a tool that changes the one file that its argument `path` names
 * @function: computes the change
 * @copies: where what the file was before is kept until it is put back; without it nothing is changed
 *
 * A tool that changes a text file in the working folder: at once or not at all, only if it was not changed since it was
 * read, and only after what it was before is stored. The result is the difference. After a crash it can look what became of
 * a call.
 */
BeckonTool *beckon_change_tool_new (BeckonToolDefinition *definition, BeckonChangeFunction function, BeckonFileCopies *copies)
  G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_change_tool_take:
 * @edit: the change
 * @name: of the argument
 * @error: return location: %BECKON_CHANGE_ERROR_UNCLEAR
 *
 * Returns: (transfer full): the text that an argument means, with the characters that the model writes as <U+200B>
 */
char *beckon_change_tool_take (const BeckonFileEdit *edit, const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** `write_file`: makes or replaces a whole file. */
BeckonTool *beckon_write_file_new (BeckonFileCopies *copies) G_GNUC_WARN_UNUSED_RESULT;

/** `edit_file`: replaces a piece of a file. */
BeckonTool *beckon_edit_file_new (BeckonFileCopies *copies) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_change_tool_dup_brief:
 * @call: a call that has its result
 *
 * Tells a model which lines a change that it has written itself became. The difference is for people.
 *
 * Returns: (transfer full) (nullable): %NULL where the result is told as it is: it is of another tool, or says what the call
 *   did not ask for, or a person changed the call
 */
char *beckon_change_tool_dup_brief (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

#define BECKON_CHANGE_ERROR (beckon_change_error_quark ())

GQuark beckon_change_error_quark (void);

/**
 * BeckonChangeError:
 * @BECKON_CHANGE_ERROR_NO_FILE: the file to edit is not there
 * @BECKON_CHANGE_ERROR_NOT_TEXT: the file is no text
 * @BECKON_CHANGE_ERROR_NO_PLACE: the text to replace is not in the file
 * @BECKON_CHANGE_ERROR_MANY_PLACES: it is there several times, and one place was meant
 * @BECKON_CHANGE_ERROR_ENCODING: the file's encoding lacks a character of the new text
 * @BECKON_CHANGE_ERROR_UNCLEAR: the new text has <U+200B>, which may mean the character or the letters
 * @BECKON_CHANGE_ERROR_PLACEHOLDER: a line of the new text stands for lines that would be lost
 * @BECKON_CHANGE_ERROR_SAME: the file holds already what it would become
 *
 * Reasons why a change can't be made with the file as it is. Messages are for the model, in English.
 */
typedef enum
{
  BECKON_CHANGE_ERROR_NO_FILE,
  BECKON_CHANGE_ERROR_NOT_TEXT,
  BECKON_CHANGE_ERROR_NO_PLACE,
  BECKON_CHANGE_ERROR_MANY_PLACES,
  BECKON_CHANGE_ERROR_ENCODING,
  BECKON_CHANGE_ERROR_UNCLEAR,
  BECKON_CHANGE_ERROR_PLACEHOLDER,
  BECKON_CHANGE_ERROR_SAME,
} BeckonChangeError;

/** Sets the call's reason, where @error is of this domain. */
void beckon_change_error_note (BeckonToolCall *call, const GError *error);

G_END_DECLS
