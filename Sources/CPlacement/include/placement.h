// Where threads run, for Swift: <sched.h> gives these only to C with GNU extensions.
#ifndef PRISM_PLACEMENT_H
#define PRISM_PLACEMENT_H

/// Moves the calling thread to the processor from which the last packet came to `socket`, where this thread may run there and is not there
/// already. It may run wherever it could before: the scheduler takes it from there.
///
/// Returns 1 when it moved, 0 when not: nothing to do, not allowed, not known on this system.
int prism_join_sender(int socket);

#endif
