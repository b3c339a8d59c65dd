/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-seccomp.h"

#include "base/beckon-error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const refused[] = {
  "acct",         "add_key",         "bpf",           "clock_settime", "delete_module", "fanotify_init",
  "finit_module", "fsconfig",        "fsmount",       "fsopen",        "fspick",        "init_module",
  "io_uring_enter", "io_uring_register", "io_uring_setup", "ioperm",   "iopl",          "kcmp",
  "kexec_file_load", "kexec_load",   "keyctl",        "lookup_dcookie", "mount",        "mount_setattr",
  "move_mount",   "move_pages",      "name_to_handle_at", "nfsservctl", "open_by_handle_at", "open_tree",
  "perf_event_open", "pivot_root",   "process_vm_readv", "process_vm_writev", "ptrace", "quotactl",
  "quotactl_fd",  "reboot",          "request_key",   "setdomainname", "sethostname",   "setns",
  "settimeofday", "swapoff",         "swapon",        "syslog",        "umount",        "umount2",
  "unshare",      "uselib",          "userfaultfd",   "ustat",         "vhangup",       "chroot",
};

/* The kernel looks at the low half alone, and takes flags that a comparison of all 64 bits would miss. */
#define LOW_HALF UINT64_C (0xffffffff)

static int
refuse_names (scmp_filter_ctx filter)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      int number = seccomp_syscall_resolve_name (refused[i]);
      int status;

      /* Calls that the machine lacks can't be made. */
      if (number == __NR_SCMP_ERROR)
        continue;
      status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), number, 0);
      if (status < 0 && status != -EDOM)
        return status;
    }

  return 0;
}

/* Typing into the terminal from within: TIOCSTI, and the paste of the console. */
static int
refuse_typing (scmp_filter_ctx filter)
{
  static const guint64 requests[] = { TIOCSTI, TIOCLINUX };

  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      int status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (ioctl), 1,
                                     SCMP_A1 (SCMP_CMP_MASKED_EQ, LOW_HALF, requests[i]));

      if (status < 0)
        return status;
    }

  return 0;
}

/* clone3 hides its flags behind a pointer: it is said not to exist, and libraries fall back to clone. */
static int
refuse_user_namespaces (scmp_filter_ctx filter)
{
  int status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (ENOSYS), SCMP_SYS (clone3), 0);

  if (status < 0)
    return status;

  return seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (clone), 1,
                           SCMP_A0 (SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
}

/* A program that writes into a folder of the person's could leave a pipe there, to talk with whatever opens it. */
static int
refuse_pipes (scmp_filter_ctx filter)
{
  int status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (mknodat), 1,
                                 SCMP_A2 (SCMP_CMP_MASKED_EQ, S_IFMT, S_IFIFO));

  if (status == 0)
    status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (mknod), 1,
                               SCMP_A1 (SCMP_CMP_MASKED_EQ, S_IFMT, S_IFIFO));
  return status == -EDOM ? 0 : status;
}

/* Without a network of its own the sandbox meets the abstract sockets of the session: the bus, the display. Without a view of
 * its folder it meets those that other programs make there, at any time. */
static int
refuse_sockets (scmp_filter_ctx filter, BeckonSeccompReach reach)
{
  static const guint64 families[] = { AF_VSOCK, AF_PACKET, AF_ALG, AF_BLUETOOTH, AF_UNIX };
  guint n_families = G_N_ELEMENTS (families) - (reach != BECKON_SECCOMP_REACH_NOTHING ? 0 : 1);

  for (guint i = 0; i < n_families; i++)
    {
      int status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EAFNOSUPPORT), SCMP_SYS (socket), 1,
                                     SCMP_A0 (SCMP_CMP_MASKED_EQ, LOW_HALF, families[i]));

      if (status < 0)
        return status;
    }

  return 0;
}

static int
seccomp_fill (scmp_filter_ctx filter, BeckonSeccompReach reach)
{
  int status;

  /* As a tree, where that is possible: the kernel goes through it for every call there is, each time that a process takes the
   * filter on. */
  seccomp_attr_set (filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  if ((status = refuse_names (filter)) < 0 || (status = refuse_typing (filter)) < 0
      || (status = refuse_user_namespaces (filter)) < 0
      || (reach == BECKON_SECCOMP_REACH_FOLDER && (status = refuse_pipes (filter)) < 0))
    return status;

  return refuse_sockets (filter, reach);
}

static GBytes *
seccomp_read_all (int fd)
{
  goffset size = lseek (fd, 0, SEEK_END);
  g_autofree char *program = size > 0 ? g_malloc ((gsize) size) : NULL;

  if (program == NULL || pread (fd, program, (gsize) size, 0) != size)
    return NULL;

  return g_bytes_new_take (g_steal_pointer (&program), (gsize) size);
}

static GBytes *
export_program (scmp_filter_ctx filter)
{
  int fd = memfd_create ("beckon-seccomp", MFD_CLOEXEC);
  GBytes *program;

  if (fd < 0)
    return NULL;

  program = seccomp_export_bpf (filter, fd) == 0 ? seccomp_read_all (fd) : NULL;
  close (fd);
  return program;
}

/* (nullable): made once, which takes as long as a whole process. What failed is tried again. */
static GBytes *
get_program (BeckonSeccompReach reach)
{
  static GMutex lock;
  static GBytes *programs[BECKON_SECCOMP_REACH_FOLDER + 1];
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (programs[reach] == NULL)
    {
      scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ALLOW);
      GBytes *program = filter != NULL && seccomp_fill (filter, reach) == 0 ? export_program (filter) : NULL;

      if (filter != NULL)
        seccomp_release (filter);
      programs[reach] = program;
    }
  return programs[reach];
}

int
beckon_seccomp_new_filter (BeckonSeccompReach reach, GError **error)
{
  GBytes *program;
  gssize size;
  int fd = -1;

  program = get_program (reach);
  size = program != NULL ? (gssize) g_bytes_get_size (program) : 0;
  if (program != NULL)
    fd = memfd_create ("beckon-seccomp", MFD_CLOEXEC);
  if (fd >= 0 && (write (fd, g_bytes_get_data (program, NULL), (gsize) size) != size || lseek (fd, 0, SEEK_SET) != 0))
    {
      close (fd);
      fd = -1;
    }
  if (fd < 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                         N_("The system calls of commands cannot be restricted on this system, so no command is run."));

  return fd;
}
