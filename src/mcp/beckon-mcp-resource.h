/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** Most resources of a server, templates included; bytes of an address; contents of one resource, and their bytes in all. */
#define BECKON_MCP_RESOURCES_MAX 500
#define BECKON_MCP_RESOURCE_URI_MAX 2048
#define BECKON_MCP_RESOURCE_CONTENTS_MAX 10
#define BECKON_MCP_RESOURCE_BYTES_MAX (8 * 1024 * 1024)

/**
 * BeckonMcpResource:
 * @uri: its address, as the server calls it, without blanks; of a template with places such as {id}
 * @title: for people; untrusted
 * @description: (nullable): likewise
 * @is_template: an address becomes one of a resource when its places are filled in
 *
 * A text, picture or file that a server offers to be read. Immutable; counted by references; any thread.
 */
typedef struct
{
  char *uri;
  char *title;
  char *description;
  gboolean is_template;
} BeckonMcpResource;

BeckonMcpResource *beckon_mcp_resource_ref (BeckonMcpResource *resource);
void               beckon_mcp_resource_unref (BeckonMcpResource *resource);

/** Whether @text may be the address of a resource: a scheme, a colon and more, without blanks and hidden characters. */
gboolean beckon_mcp_resource_is_uri (const char *text);

/** (transfer full) (element-type BeckonMcpResource): an empty list. */
GPtrArray *beckon_mcp_resources_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): the one with this address, or with this pattern of addresses. Borrowed. */
BeckonMcpResource *beckon_mcp_resources_find (GPtrArray *resources, const char *uri);

/**
 * beckon_mcp_resources_read:
 * @resources: (element-type BeckonMcpResource): what was read before, to which those of the page are added, bounded
 * @page: a result of `resources/list` or of `resources/templates/list`, or what beckon_mcp_resources_print() gave
 * @cursor: (out) (optional) (transfer full) (nullable): for the next page
 *
 * What can't be used is left out.
 *
 * Returns: %FALSE if it is none
 */
gboolean beckon_mcp_resources_read (GPtrArray *resources, const char *page, char **cursor);

/** As it is stored. Caller frees. */
char *beckon_mcp_resources_print (GPtrArray *resources) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_resource_expand:
 * @uri: the pattern of a template
 * @values: (element-type utf8 utf8): by the names of its variables
 * @error: %BECKON_ERROR_INVALID, in words to be shown
 *
 * Returns: (transfer full) (nullable): the address of a resource
 */
char *beckon_mcp_resource_expand (const char *uri, GHashTable *values, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Members of the params of `resources/read`, as JSON. Caller frees. */
char *beckon_mcp_resource_make_members (const char *uri) G_GNUC_WARN_UNUSED_RESULT;

/**
 * BeckonMcpContent:
 * @name: the last word of its address, as the name of a file
 * @bytes: a text, or what the server encoded
 *
 * A part of a resource.
 */
typedef struct
{
  char *name;
  GBytes *bytes;
} BeckonMcpContent;

void beckon_mcp_content_free (BeckonMcpContent *content);

/**
 * beckon_mcp_resource_read_contents:
 * @json: a result of `resources/read`
 * @error: %BECKON_ERROR_INVALID or %BECKON_ERROR_TOO_LARGE, in words to be shown
 *
 * Returns: (transfer full) (nullable) (element-type BeckonMcpContent): at least one
 */
GPtrArray *beckon_mcp_resource_read_contents (const char *json, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpResource, beckon_mcp_resource_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpContent, beckon_mcp_content_free)

G_END_DECLS
