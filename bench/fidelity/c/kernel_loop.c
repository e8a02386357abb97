/* The kernel's work without sizeup, as a program of one's own would have it done. The ops are those of workers/system. */
#define _GNU_SOURCE
#include "stretch.h"

#include <arpa/inet.h>
#include <elf.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 256, FAULT_BYTES = 16 << 20, FORK_BYTES = 32 << 20, HUGE = 2 << 20, STEP = 4096, MESSAGE = 64, STATUS = 7 };

struct job {
    int there[2], back[2];
    int ends[2], epoll;
    char program[32];
};

static void need(int is_done, const char *what)
{
    if (!is_done) {
        perror(what);
        exit(1);
    }
}

static int call(void *state)
{
    int i;
    (void)state;
    for (i = 0; i < CALLS; i++)
        if (syscall(SYS_getppid) < 0)
            return 1;
    return 0;
}

static char *mapped(size_t bytes)
{
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    need(memory != MAP_FAILED, "mmap");
    return memory;
}

static void touch(char *memory, size_t bytes, int advice)
{
    size_t at;
    need(madvise(memory, bytes, advice) == 0, "madvise");
    for (at = 0; at < bytes; at += STEP)
        *(volatile size_t *)(memory + at) = at;
}

static int fault(void *state)
{
    char *memory = mapped(FAULT_BYTES);
    (void)state;
    touch(memory, FAULT_BYTES, MADV_NOHUGEPAGE);
    return munmap(memory, FAULT_BYTES);
}

static int fault_huge(void *state)
{
    char *memory = mapped(FAULT_BYTES + HUGE);
    (void)state;
    touch((char *)(((size_t)memory + HUGE - 1) / HUGE * HUGE), FAULT_BYTES, MADV_HUGEPAGE);
    return munmap(memory, FAULT_BYTES + HUGE);
}

static int waited(pid_t child)
{
    int status;
    return !(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == STATUS);
}

static int fork_exit(void *state)
{
    pid_t child = fork();
    (void)state;
    if (child == 0)
        _exit(STATUS);
    return child < 0 || waited(child);
}

static int start(void *state)
{
    struct job *job = state;
    char argument[] = {STATUS, 0}, *arguments[] = {job->program, argument, NULL}, *environment[] = {NULL};
    pid_t child;
    return posix_spawn(&child, job->program, NULL, NULL, arguments, environment) != 0 || waited(child);
}

static int round_trip(void *state)
{
    struct job *job = state;
    char byte = 1;
    return write(job->there[1], &byte, 1) != 1 || read(job->back[0], &byte, 1) != 1 || byte != 2;
}

static void *answer(void *state)
{
    struct job *job = state;
    char byte;
    while (read(job->there[0], &byte, 1) == 1) {
        byte++;
        if (write(job->back[1], &byte, 1) != 1)
            break;
    }
    return NULL;
}

static int pass(struct job *job, int from, char *message)
{
    struct epoll_event event;
    return send(job->ends[from], message, MESSAGE, MSG_NOSIGNAL) != MESSAGE || epoll_wait(job->epoll, &event, 1, 60000) != 1
           || event.data.u64 != (uint64_t)!from || recv(job->ends[!from], message, MESSAGE, 0) != MESSAGE;
}

static int echo(void *state)
{
    static char message[MESSAGE];
    return pass(state, 0, message) || pass(state, 1, message);
}

static void *sleeps(void *state)
{
    pause();
    return state;
}

static void connect_ends(struct job *job)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1, end;
    need(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 1) == 0
             && getsockname(listener, (struct sockaddr *)&address, &length) == 0, "listen");
    job->ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    need(connect(job->ends[0], (struct sockaddr *)&address, length) == 0, "connect");
    job->ends[1] = accept(listener, NULL, NULL);
    job->epoll = epoll_create1(0);
    for (end = 0; end < 2; end++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)end};
        need(setsockopt(job->ends[end], IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) == 0
                 && fcntl(job->ends[end], F_SETFL, O_NONBLOCK) == 0
                 && epoll_ctl(job->epoll, EPOLL_CTL_ADD, job->ends[end], &event) == 0, "a connection");
    }
}

/* The program of workers/system/src/program.rs: it exits with the first byte of its argument. */
#define BASE 0x400000
#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
static const unsigned char code[] = {0x48, 0x8b, 0x44, 0x24, 0x10, 0x0f, 0xb6, 0x38, 0xb8, 60, 0, 0, 0, 0x0f, 0x05};
#else
enum { MACHINE = EM_AARCH64 };
static const unsigned char code[] = {0xe1, 0x0b, 0x40, 0xf9, 0x20, 0x00, 0x40, 0x39, 0xa8, 0x0b, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4};
#endif

/* As a file in memory that is open for reading only. */
static void make_program(struct job *job)
{
    static struct {
        Elf64_Ehdr header;
        Elf64_Phdr segment;
        unsigned char code[sizeof code];
    } program;
    size_t bytes = sizeof program.header + sizeof program.segment + sizeof code;
    int file = memfd_create("kernel-loop", 0);
    program.header = (Elf64_Ehdr){.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT}, .e_type = ET_EXEC,
                                  .e_machine = MACHINE, .e_version = EV_CURRENT, .e_entry = BASE + bytes - sizeof code,
                                  .e_phoff = sizeof program.header, .e_ehsize = sizeof program.header,
                                  .e_phentsize = sizeof program.segment, .e_phnum = 1, .e_shentsize = sizeof(Elf64_Shdr)};
    program.segment = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = BASE, .p_paddr = BASE, .p_filesz = bytes,
                                   .p_memsz = bytes, .p_align = 1 << 16};
    memcpy(program.code, code, sizeof code);
    need(write(file, &program, bytes) == (ssize_t)bytes, "write");
    snprintf(job->program, sizeof job->program, "/proc/self/fd/%d", file);
    snprintf(job->program, sizeof job->program, "/proc/self/fd/%d", open(job->program, O_RDONLY));
    close(file);
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        op_function op;
    } ops[] = {{"syscall", call},        {"switch", round_trip}, {"page-fault", fault}, {"page-fault-thp", fault_huge},
               {"fork-exit", fork_exit}, {"exec", start},        {"tcp-echo-64", echo}};
    static struct job job;
    struct utsname kernel;
    pthread_t thread;
    size_t i;
    for (i = 0; count == 4 && i < sizeof ops / sizeof *ops; i++) {
        if (strcmp(arguments[1], ops[i].name) != 0)
            continue;
        if (ops[i].op == round_trip)
            need(pipe(job.there) == 0 && pipe(job.back) == 0 && pthread_create(&thread, NULL, answer, &job) == 0, "a thread");
        if (ops[i].op == echo) {
            connect_ends(&job);
            /* As a server has others: with one thread only, the kernel and the C library save a tenth. */
            need(pthread_create(&thread, NULL, sleeps, NULL) == 0, "a thread");
        }
        if (ops[i].op == fork_exit)
            touch(mapped(FORK_BYTES), FORK_BYTES, MADV_NOHUGEPAGE);
        if (ops[i].op == start)
            make_program(&job);
        need(uname(&kernel) == 0, "uname");
        return time_stretch(kernel.release, ops[i].op, &job, number("WARM_UP_NS", arguments[2]), number("SAMPLE_NS", arguments[3]));
    }
    fprintf(stderr, "usage: %s syscall|switch|page-fault|page-fault-thp|fork-exit|exec|tcp-echo-64 WARM_UP_NS SAMPLE_NS\n",
            arguments[0]);
    return 2;
}
