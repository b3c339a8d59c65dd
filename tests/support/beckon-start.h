/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox/beckon-launch.h"
#include "sandbox/beckon-sandbox.h"

/** beckon_sandbox_start_async() and its end, in one call that turns the main loop. */
BeckonJob *beckon_start (const char *const *argv, const BeckonSandboxOptions *options, GError **error);

/** The same of beckon_launch_async(). */
int beckon_start_launch (const BeckonLaunch *launch, GError **error);
