/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

G_BEGIN_DECLS

/** The object's path; data/search-provider.ini.in names it to GNOME Shell. */
#define BECKON_SEARCH_PROVIDER_PATH "/io/github/beckon/Beckon/SearchProvider"
#define BECKON_SEARCH_PROVIDER_INTERFACE "org.gnome.Shell.SearchProvider2"

#define BECKON_TYPE_SEARCH_PROVIDER (beckon_search_provider_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSearchProvider, beckon_search_provider, BECKON, SEARCH_PROVIDER, GObject)

/**
 * BeckonSearchProvider:
 *
 * The conversations in the search of GNOME's overview (org.gnome.Shell.SearchProvider2), one result each, the best first.
 * Temporary conversations are never among them. Whether it is asked at all is the person's choice in the desktop's
 * settings. Main thread.
 *
 * Signal `wanted`: a call came while there is no runtime; it waits until there is one.
 * Signal `activated` (#BeckonLink, borrowed): a result was chosen, or all of them are to be shown.
 */

/** @application: (nullable): kept from ending while a call is being answered. */
BeckonSearchProvider *beckon_search_provider_new (GApplication *application) G_GNUC_WARN_UNUSED_RESULT;

/** Puts the object on a connection; calls are taken from now on. Before the process has any name that brings calls. */
gboolean beckon_search_provider_export (BeckonSearchProvider *provider, GDBusConnection *connection, GError **error);

/** Takes it off again; calls that wait are answered with nothing. */
void beckon_search_provider_withdraw (BeckonSearchProvider *provider);

/** @runtime: (nullable): open, or %NULL before it is closed. */
void beckon_search_provider_set_runtime (BeckonSearchProvider *provider, BeckonRuntime *runtime);

/** Whether calls wait for a runtime. */
gboolean beckon_search_provider_is_wanted (BeckonSearchProvider *provider);

G_END_DECLS
