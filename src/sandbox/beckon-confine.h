/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The contract between beckon-confine and its starter. */

/* The descriptors at which it finds a seccomp program, and what Git is to overlook: a name on each line. */
#define BECKON_CONFINE_FILTER_FD 3
#define BECKON_CONFINE_IGNORE_FD 4

#define BECKON_CONFINE_IGNORE_FILE "/tmp/.beckon-gitignore"
#define BECKON_CONFINE_HOME "/tmp/home"

/* In front of the path at which a command is to find its folder, when that is a copy that lies elsewhere. */
#define BECKON_CONFINE_VIEW '@'

/* A folder's device and number, by which it is known again. */
#define BECKON_CONFINE_IDENTITY "%llu:%llu"

/* The exit status of what was not run. */
#define BECKON_CONFINE_REFUSED 126

/* Those of a trial that worked: whether all users are known within an overlay, or this program's alone. */
#define BECKON_CONFINE_KNOWS_ALL 0
#define BECKON_CONFINE_KNOWS_OWN 1

/* Said once, before the program begins or does not. */
typedef struct
{
  int problem; /* an errno; 0 if it begins now */
  int view;    /* the number of the overlay that cannot be had, from 1; 0 if it is not that */
} BeckonConfineReport;
