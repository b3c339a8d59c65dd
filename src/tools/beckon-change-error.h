/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"

G_BEGIN_DECLS

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
} BeckonChangeError;

/**
 * beckon_change_error_explain:
 * @error: why a change to a file can't be made: of this domain, or from opening and reading the file
 * @path: (nullable): the file as the call names it; %NULL where the arguments name none
 *
 * The same for the person: translated, without what is written for a model. Any thread.
 *
 * Returns: (transfer full): one or two sentences
 */
char *beckon_change_error_explain (const GError *error, const char *path) G_GNUC_WARN_UNUSED_RESULT;

/** Sets the call's reason, where @error is of this domain. */
void beckon_change_error_note (BeckonToolCall *call, const GError *error);

G_END_DECLS
