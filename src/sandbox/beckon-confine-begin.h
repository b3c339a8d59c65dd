/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/** The part of beckon-confine outside of a sandbox, see beckon-confine-begin.c. Returns only a status to exit with. */
int beckon_confine_begin (char *argv[]);
int beckon_confine_try (char *argv[]);
int beckon_confine_refresh (char *argv[]);
