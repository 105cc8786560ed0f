/*
 * Preloaded into workerd: what the file DISK_FAULTS says happens to writes below the folder DISK_FOLDER. `EIO` and
 * `EROFS` fail them; `slow` makes each sync take 300 ms more. Anything else: they go through.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_below(int fd) {
  char link[64], path[4096];
  const char *folder = getenv("DISK_FOLDER");
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || folder == NULL) return 0;
  path[length] = 0;
  return strncmp(path, folder, strlen(folder)) == 0;
}

static int is_fault(const char *name) {
  char fault[16] = "";
  const char *file = getenv("DISK_FAULTS");
  FILE *control = file == NULL ? NULL : fopen(file, "r");
  if (control == NULL) return 0;
  if (fgets(fault, sizeof fault, control) == NULL) fault[0] = 0;
  fclose(control);
  return strcmp(fault, name) == 0;
}

/* 0, or the error that a write below the folder ends with. */
static int fault_of(int fd) {
  if (!is_below(fd)) return 0;
  return is_fault("EIO") ? EIO : is_fault("EROFS") ? EROFS : 0;
}

static void delay(int fd) {
  if (is_below(fd) && is_fault("slow")) usleep(300000);
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
