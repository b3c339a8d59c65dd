/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Most variables of a template. */
#define BECKON_MCP_URI_TEMPLATE_VARIABLES_MAX 32

/**
 * BeckonMcpUriTemplate:
 *
 * A pattern of addresses as RFC 6570 has them, filled in with texts: all its operators, and `:length`. A `*` changes nothing,
 * because no value is a list. Immutable; any thread.
 */
typedef struct _BeckonMcpUriTemplate BeckonMcpUriTemplate;

/** @error: %BECKON_ERROR_INVALID, in words to be shown, for a pattern that can't be filled in. */
BeckonMcpUriTemplate *beckon_mcp_uri_template_new (const char *text, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_mcp_uri_template_free (BeckonMcpUriTemplate *uri_template);

/** The number of different variables. */
guint beckon_mcp_uri_template_get_n_variables (const BeckonMcpUriTemplate *uri_template);

/**
 * beckon_mcp_uri_template_get_variable:
 * @uri_template: a template
 * @position: which one, in the order of the text
 * @is_required: (out): whether it stands in the path somewhere; those of a query and the like can be left out
 *
 * Returns: its name. Borrowed
 */
const char *beckon_mcp_uri_template_get_variable (const BeckonMcpUriTemplate *uri_template, guint position,
                                                  gboolean *is_required);

/** @values: (element-type utf8 utf8): by the names of variables; one that is missing stands for nothing. Caller frees. */
char *beckon_mcp_uri_template_expand (const BeckonMcpUriTemplate *uri_template,
                                      GHashTable *values) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpUriTemplate, beckon_mcp_uri_template_free)

G_END_DECLS
