/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-output-store.h"
#include "tools/beckon-builtin-tool.h"

G_BEGIN_DECLS

#define BECKON_TYPE_FETCH_URL (beckon_fetch_url_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFetchUrl, beckon_fetch_url, BECKON, FETCH_URL, BeckonBuiltinTool)

/**
 * BeckonFetchUrl:
 *
 * `fetch_url`: a page of the web as readable text. @outputs: where what is too long is kept whole.
 */
BeckonTool *beckon_fetch_url_new (BeckonOutputStore *outputs) G_GNUC_WARN_UNUSED_RESULT;

/** Whether it may reach this computer and its network; not by default. */
void beckon_fetch_url_set_private_too (BeckonFetchUrl *self, gboolean private_too);

#define BECKON_TYPE_WEB_SEARCH (beckon_web_search_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWebSearch, beckon_web_search, BECKON, WEB_SEARCH, BeckonBuiltinTool)

/**
 * BeckonWebSearch:
 *
 * `web_search`: asks a SearXNG server that the person names. It is not there without one.
 */
BeckonTool *beckon_web_search_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** @address: (nullable): where the server is, such as https://search.example.org; it may be on this computer. */
void beckon_web_search_set_address (BeckonWebSearch *self, const char *address);

G_END_DECLS
