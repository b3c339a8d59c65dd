/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_markdown_entity_append:
 * @entity: such as "&amp;" or "&#x41;", not ended by NUL
 * @length: its bytes
 * @out: what it stands for is put at its end
 *
 * One that is not known stays as it is written. A character that must not be shown as it is comes in the form that
 * beckon_text_for_display() gives it.
 */
void beckon_markdown_entity_append (const char *entity, gsize length, GString *out);

G_END_DECLS
