"""Numbers of the system calls that the filter knows.

From the kernel: asm/unistd_64.h (x86_64) and asm-generic/unistd.h (aarch64); audit numbers from
linux/audit.h.
"""

from typing import NamedTuple


class Machine(NamedTuple):
    """A processor architecture: its audit number and its system calls by name.

    `calls` are those that the filter always looks at. `metadata` change or watch files without
    opening them, which Landlock does not see: they are refused beside it.
    """

    audit: int
    calls: dict[str, int]
    metadata: dict[str, int]


# fmt: off
_SHARED = {
    "clone3": 435, "process_madvise": 440, "process_mrelease": 448, "pidfd_open": 434,
    "pidfd_getfd": 438, "pidfd_send_signal": 424, "move_mount": 429, "open_tree": 428,
    "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442,
    "statmount": 457, "listmount": 458, "io_uring_setup": 425, "io_uring_enter": 426,
    "io_uring_register": 427, "memfd_secret": 447, "quotactl_fd": 443,
}
_X86_64 = {
    "socket": 41, "connect": 42, "socketpair": 53, "clone": 56, "ioctl": 16, "prctl": 157,
    "prlimit64": 302, "setpriority": 141, "ioprio_set": 251, "sched_setaffinity": 203,
    "sched_setscheduler": 144, "sched_setparam": 142, "sched_setattr": 314, "fork": 57,
    "vfork": 58, "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312,
    "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "unshare": 272, "setns": 308,
    "name_to_handle_at": 303, "open_by_handle_at": 304, "bpf": 321, "perf_event_open": 298,
    "userfaultfd": 323, "keyctl": 250, "add_key": 248, "request_key": 249, "fanotify_init": 300,
    "fanotify_mark": 301, "shmget": 29, "shmat": 30, "shmctl": 31, "msgget": 68, "msgsnd": 69,
    "semget": 64, "semop": 65, "semctl": 66,
    "msgrcv": 70, "msgctl": 71, "semtimedop": 220, "mq_unlink": 241, "mq_open": 240,
    "memfd_create": 319, "kexec_load": 246, "kexec_file_load": 320,
    "init_module": 175, "finit_module": 313, "delete_module": 176, "reboot": 169, "swapon": 167,
    "swapoff": 168, "acct": 163, "quotactl": 179, "syslog": 103, "vhangup": 153,
    "personality": 135, "settimeofday": 164, "clock_settime": 227, "adjtimex": 159,
    "clock_adjtime": 305, "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173,
    "modify_ldt": 154, "uselib": 134, "ustat": 136, "sysfs": 139, "lookup_dcookie": 212,
    "nfsservctl": 180, "migrate_pages": 256, "move_pages": 279,
}
_AARCH64 = {
    "socket": 198, "connect": 203, "socketpair": 199, "clone": 220, "ioctl": 29, "prctl": 167,
    "prlimit64": 261, "setpriority": 140, "ioprio_set": 30, "sched_setaffinity": 122,
    "sched_setscheduler": 119, "sched_setparam": 118, "sched_setattr": 274, "ptrace": 117,
    "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "mount": 40, "umount2": 39,
    "pivot_root": 41, "chroot": 51, "unshare": 97, "setns": 268, "name_to_handle_at": 264,
    "open_by_handle_at": 265, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282,
    "keyctl": 219, "add_key": 217, "request_key": 218, "fanotify_init": 262, "fanotify_mark": 263,
    "shmget": 194, "shmat": 196, "shmctl": 195, "msgget": 186, "msgsnd": 189, "semget": 190,
    "semop": 193, "semctl": 191, "msgrcv": 188, "msgctl": 187, "semtimedop": 192,
    "mq_unlink": 181,
    "mq_open": 180, "memfd_create": 279, "kexec_load": 104, "kexec_file_load": 294,
    "init_module": 105, "finit_module": 273, "delete_module": 106, "reboot": 142, "swapon": 224,
    "swapoff": 225, "acct": 89, "quotactl": 60, "syslog": 116, "vhangup": 58, "personality": 92,
    "settimeofday": 170, "clock_settime": 112, "adjtimex": 171, "clock_adjtime": 266,
    "sethostname": 161, "setdomainname": 162, "lookup_dcookie": 18, "nfsservctl": 42,
    "migrate_pages": 238, "move_pages": 239,
}
_METADATA_X86_64 = {
    "chmod": 90, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452, "chown": 92, "fchown": 93,
    "lchown": 94, "fchownat": 260, "utime": 132, "utimes": 235, "utimensat": 280,
    "futimesat": 261, "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197,
    "lremovexattr": 198, "fremovexattr": 199, "setxattrat": 463, "removexattrat": 466,
    "inotify_add_watch": 254,
}
_METADATA_AARCH64 = {
    "fchmod": 52, "fchmodat": 53, "fchmodat2": 452, "fchown": 55, "fchownat": 54,
    "utimensat": 88, "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14,
    "lremovexattr": 15, "fremovexattr": 16, "setxattrat": 463, "removexattrat": 466,
    "inotify_add_watch": 27,
}
# fmt: on

MACHINES = {
    "x86_64": Machine(0xC000003E, _SHARED | _X86_64, _METADATA_X86_64),
    "aarch64": Machine(0xC00000B7, _SHARED | _AARCH64, _METADATA_AARCH64),
}

HIGHEST_KNOWN = 466
"""Greater numbers came after the list was read (Linux 6.13); they are refused as unknown."""
