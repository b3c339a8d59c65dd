/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PROXY_CHOOSER (beckon_proxy_chooser_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProxyChooser, beckon_proxy_chooser, BECKON, PROXY_CHOOSER, GObject)

/**
 * beckon_proxy_chooser_new:
 * @others: (nullable): who knows the proxies; %NULL for the system's settings
 *
 * A #GProxyResolver that never sends what is for this computer to a proxy: models that run here, and the tour with
 * its token, are reached directly whatever the settings say. The system's settings are not even read for them.
 *
 * Returns: (transfer full): the resolver
 */
BeckonProxyChooser *beckon_proxy_chooser_new (GProxyResolver *others) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
