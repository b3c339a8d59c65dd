/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Makes system calls fail: the program's own calls, SQLite's and GLib's. Linked into a test program, the functions of
 * beckon-faults.c come before the C library's; built as a module, they do so through LD_PRELOAD, and then the plan is the file
 * that the environment variable BECKON_FAULTS names, which may be changed while the program runs. */

enum
{
  BECKON_FAULTS_WRITE = 1 << 0,  /* write, pwrite, ftruncate that lengthens, posix_fallocate */
  BECKON_FAULTS_SYNC = 1 << 1,   /* fsync, fdatasync */
  BECKON_FAULTS_OPEN = 1 << 2,   /* opening for writing what is there */
  BECKON_FAULTS_CREATE = 1 << 3, /* opening what is not there, mkdir, link */
  BECKON_FAULTS_CHANGE = 1 << 4, /* chmod, rename, unlink, ftruncate */
  BECKON_FAULTS_READ = 1 << 5,   /* pread */
  BECKON_FAULTS_FLAGS = 1 << 6,  /* renameat2 with flags, which network file systems do not know */
  BECKON_FAULTS_LINK = 1 << 7,   /* linkat */
  BECKON_FAULTS_LOCK = 1 << 8,   /* flock, which some file systems do not have */
};

/* Calls that a read-only file system refuses. */
#define BECKON_FAULTS_ANY_CHANGE                                                                                      \
  (BECKON_FAULTS_WRITE | BECKON_FAULTS_OPEN | BECKON_FAULTS_CREATE | BECKON_FAULTS_CHANGE)

/* As an error: the process is killed in place of the call. */
#define BECKON_FAULTS_KILL (-1)

/**
 * BeckonFaults:
 * @calls: which calls fail; 0 is none. Set last.
 * @error: the errno they fail with
 * @skip: how many of them succeed first; counted down
 * @count: how many of them fail then; counted down; negative is all
 * @hits: how many have failed
 * @where: what a path must contain
 *
 * The plan. The layout is known to tests/ui/driven/faults.py.
 */
typedef struct
{
  int32_t calls;
  int32_t error;
  int64_t skip;
  int64_t count;
  int64_t hits;
  char where[224];
} BeckonFaults;

/**
 * BeckonFaultsStep:
 * @file: its inode
 * @kind: 'w' a write, 't' a new length, 's' a sync
 * @offset: where it was written, or the length
 * @length: of @bytes
 * @bytes: what was written
 *
 * One thing that was done to a file.
 */
typedef struct
{
  uint64_t file;
  char kind;
  int64_t offset;
  size_t length;
  unsigned char *bytes;
} BeckonFaultsStep;

/** Keeps what is done to files whose path contains @where, from now on; NULL ends it. */
void beckon_faults_trace (const char *where);

/** How many steps were kept, and each of them. Borrowed. */
size_t                  beckon_faults_get_n_steps (void);
const BeckonFaultsStep *beckon_faults_get_step (size_t index);

/** The plan of this process. */
BeckonFaults *beckon_faults_get (void);

/** Lets calls fail from now on; @calls = 0 ends it. */
void beckon_faults_set (int calls, int error, const char *where, int64_t skip, int64_t count);
