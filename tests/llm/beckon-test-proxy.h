/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** From now on the system's proxy is at @port of 127.0.0.1, so that a request to any name ends there. Once, at first. */
void beckon_test_proxy_use (guint16 port);

G_END_DECLS
