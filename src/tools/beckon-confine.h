/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What whoever starts beckon-confine and the program itself agree upon. */

/* The descriptors at which it finds a seccomp program, and what Git is to overlook: a name on each line. */
#define BECKON_CONFINE_FILTER_FD 3
#define BECKON_CONFINE_IGNORE_FD 4

#define BECKON_CONFINE_IGNORE_FILE "/tmp/.beckon-gitignore"
#define BECKON_CONFINE_HOME "/tmp/home"

/* In front of the path at which a command is to find its folder, when that is a copy that lies elsewhere. */
#define BECKON_CONFINE_VIEW '@'

/* A folder's device and number, by which it is known again. */
#define BECKON_CONFINE_IDENTITY "%llu:%llu"
