/*
 * Preloaded into every program of a mount namespace: what the file FAULTS says happens to writes below the folder FAULTY.
 * `EIO` and `EROFS` fail them; `slow` makes each sync take 300 ms more. Anything else: they go through. Both are given
 * when it is compiled, because workerd gets no variables but its own.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_below(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strncmp(path, FAULTY, sizeof FAULTY - 1) == 0;
}

static void read_fault(char *fault, size_t size) {
  fault[0] = 0;
  FILE *control = fopen(FAULTS, "r");
  if (control == NULL) return;
  if (fgets(fault, (int)size, control) == NULL) fault[0] = 0;
  fclose(control);
}

/* 0, or the error that a write below the folder ends with. */
static int fault_of(int fd) {
  char fault[16];
  if (!is_below(fd)) return 0;
  read_fault(fault, sizeof fault);
  if (strncmp(fault, "EIO", 3) == 0) return EIO;
  if (strncmp(fault, "EROFS", 5) == 0) return EROFS;
  return 0;
}

static void delay(int fd) {
  char fault[16];
  if (!is_below(fd)) return;
  read_fault(fault, sizeof fault);
  if (strncmp(fault, "slow", 4) == 0) usleep(300000);
}

#define REFUSE(fd)            \
  do {                        \
    int fault = fault_of(fd); \
    if (fault != 0) {         \
      errno = fault;          \
      return -1;              \
    }                         \
  } while (0)

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  REFUSE(fd);
  return REAL("pwrite", ssize_t(*)(int, const void *, size_t, off_t))(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  REFUSE(fd);
  return REAL("pwrite64", ssize_t(*)(int, const void *, size_t, off64_t))(fd, bytes, count, at);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  REFUSE(fd);
  return REAL("write", ssize_t(*)(int, const void *, size_t))(fd, bytes, count);
}

int fsync(int fd) {
  delay(fd);
  REFUSE(fd);
  return REAL("fsync", int (*)(int))(fd);
}

int fdatasync(int fd) {
  delay(fd);
  REFUSE(fd);
  return REAL("fdatasync", int (*)(int))(fd);
}
