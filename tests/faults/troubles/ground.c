/* Preloaded into a process: its wall clock is moved and its disk is full, as the page that GROUND names says at that moment.

   The monotonic clock stays true, so whoever waits for a while waits as long as ever. On a full disk no file grows; what a
   file has already can be overwritten, as on a real one. Only files of one device are meant: shared memory is none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct page {
    volatile int64_t clock_seconds;
    volatile int64_t disk_is_full;
    volatile int64_t device;
};
static const struct page calm;
static const struct page *ground = &calm;

__attribute__((constructor)) static void look_at_the_page(void) {
    const char *path = getenv("GROUND");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *mapped = mmap(NULL, sizeof(struct page), PROT_READ, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) ground = mapped;
    close(fd);
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int clock_gettime(clockid_t clock, struct timespec *now) {
    REAL(clock_gettime);
    int failed = real(clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += ground->clock_seconds;
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    REAL(gettimeofday);
    int failed = real(now, zone);
    if (!failed) now->tv_sec += ground->clock_seconds;
    return failed;
}

time_t time(time_t *where) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (where) *where = now.tv_sec;
    return now.tv_sec;
}

/* Whether the file would have to grow to hold what ends there; -1 is where the file stands now. */
static int is_refused(int fd, off_t offset, size_t size) {
    struct stat file;
    if (!ground->disk_is_full || !size) return 0;
    int before = errno, refused = 0;
    if (!fstat(fd, &file) && S_ISREG(file.st_mode) && (int64_t)file.st_dev == ground->device) {
        if (offset < 0) offset = fcntl(fd, F_GETFL) & O_APPEND ? file.st_size : lseek(fd, 0, SEEK_CUR);
        refused = offset + (off_t)size > file.st_size;
    }
    errno = refused ? ENOSPC : before;
    return refused;
}

static size_t size_of(const struct iovec *parts, int count) {
    size_t size = 0;
    for (int i = 0; i < count; i++) size += parts[i].iov_len;
    return size;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    REAL(write);
    return is_refused(fd, -1, size) ? -1 : real(fd, bytes, size);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(writev);
    return is_refused(fd, -1, size_of(parts, count)) ? -1 : real(fd, parts, count);
}

#define AT(name, offset_t) \
    ssize_t name(int fd, const void *bytes, size_t size, offset_t offset) { \
        REAL(name); \
        return is_refused(fd, offset, size) ? -1 : real(fd, bytes, size, offset); \
    }
AT(pwrite, off_t)
AT(pwrite64, off64_t)

#define ALL_AT(name, offset_t) \
    ssize_t name(int fd, const struct iovec *parts, int count, offset_t offset) { \
        REAL(name); \
        return is_refused(fd, offset, size_of(parts, count)) ? -1 : real(fd, parts, count, offset); \
    }
ALL_AT(pwritev, off_t)
ALL_AT(pwritev64, off64_t)

#define ALLOCATED(name, offset_t) \
    int name(int fd, offset_t offset, offset_t size) { \
        REAL(name); \
        return is_refused(fd, offset, size) ? ENOSPC : real(fd, offset, size); \
    }
ALLOCATED(posix_fallocate, off_t)
ALLOCATED(posix_fallocate64, off64_t)
