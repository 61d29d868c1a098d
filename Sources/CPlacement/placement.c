#if defined(__linux__)
#define _GNU_SOURCE
#include <sched.h>
#include <sys/socket.h>
#endif

#include "placement.h"

int prism_join_sender(int socket) {
#if defined(__linux__) && defined(SO_INCOMING_CPU)
    int sender = -1;
    socklen_t size = sizeof sender;
    if (getsockopt(socket, SOL_SOCKET, SO_INCOMING_CPU, &sender, &size) != 0) return 0;
    if (sender < 0 || sender >= CPU_SETSIZE || sender == sched_getcpu()) return 0;
    // Fails where there are more processors than the set holds: then things stay as they are.
    cpu_set_t allowed, there;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || !CPU_ISSET(sender, &allowed)) return 0;
    CPU_ZERO(&there);
    CPU_SET(sender, &there);
    if (sched_setaffinity(0, sizeof there, &there) != 0) return 0;
    sched_setaffinity(0, sizeof allowed, &allowed);
    return 1;
#else
    (void)socket;
    return 0;
#endif
}
