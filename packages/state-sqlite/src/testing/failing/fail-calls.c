// Has one system call on the files below a folder fail: build as a shared object and name it in LD_PRELOAD.
// FAIL_BELOW   the folder
// FAIL_CONTROL a file of `struct control`, read and written while the process runs
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
  /** Calls until now. */
  uint32_t seen;
  /** Which of them fails; 0: none. */
  uint32_t failing;
  /** What it fails with. EMFILE: only calls that open a file are counted. */
  uint32_t error;
};

static struct control *control;
static const char *below;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("FAIL_CONTROL");
  below = getenv("FAIL_BELOW");
  if (!file || !below) return;
  int fd = syscall(SYS_openat, AT_FDCWD, file, O_RDWR);
  if (fd < 0) return;
  void *at = mmap(0, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (at != MAP_FAILED) control = at;
}

static int is_below(const char *path) {
  return path && strncmp(path, below, strlen(below)) == 0;
}

static int fails(int opens) {
  uint32_t error = __atomic_load_n(&control->error, __ATOMIC_SEQ_CST);
  if (error == EMFILE && !opens) return 0;
  uint32_t n = __atomic_add_fetch(&control->seen, 1, __ATOMIC_SEQ_CST);
  if (n != __atomic_load_n(&control->failing, __ATOMIC_SEQ_CST)) return 0;
  errno = error;
  return 1;
}

static int fails_at_path(const char *path, int opens) {
  return control && is_below(path) && fails(opens);
}

static int fails_at_fd(int fd) {
  if (!control) return 0;
  int before = errno;
  char name[64], path[PATH_MAX];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(name, path, sizeof path - 1);
  errno = before;
  if (length < 0) return 0;
  path[length] = 0;
  return is_below(path) && fails(0);
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

#define ON_FD(result, name, parameters, arguments)                                                                     \
  result name parameters { return fails_at_fd(fd) ? -1 : REAL(name) arguments; }

ON_FD(ssize_t, write, (int fd, const void *bytes, size_t length), (fd, bytes, length))
ON_FD(ssize_t, pwrite, (int fd, const void *bytes, size_t length, off_t at), (fd, bytes, length, at))
ON_FD(ssize_t, pwrite64, (int fd, const void *bytes, size_t length, off64_t at), (fd, bytes, length, at))
ON_FD(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
ON_FD(ssize_t, pwritev, (int fd, const struct iovec *parts, int count, off_t at), (fd, parts, count, at))
ON_FD(ssize_t, pwritev64, (int fd, const struct iovec *parts, int count, off64_t at), (fd, parts, count, at))
ON_FD(int, fsync, (int fd), (fd))
ON_FD(int, fdatasync, (int fd), (fd))
ON_FD(int, ftruncate, (int fd, off_t length), (fd, length))
ON_FD(int, ftruncate64, (int fd, off64_t length), (fd, length))

int rename(const char *from, const char *to) { return fails_at_path(from, 0) ? -1 : REAL(rename)(from, to); }

#define COMMA ,
#define OPENS(name, first, all)                                                                                        \
  int name(all const char *path, int flags, ...) {                                                                     \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;                                          \
    va_end(rest);                                                                                                      \
    return fails_at_path(path, 1) ? -1 : REAL(name)(first path, flags, mode);                                             \
  }

OPENS(open, , )
OPENS(open64, , )
OPENS(openat, dir COMMA, int dir COMMA)
OPENS(openat64, dir COMMA, int dir COMMA)
