// What the 32 threads of a section do together. With BRACKET_LANES, the invocations of each subgroup, mostly by these.
// Where a section is one subgroup nothing waits for a workgroup, which then has GROUP_SECTIONS of them; otherwise it has one.

#define THREADS 32u
#define SECTION 1024u

#if defined(BRACKET_LANES) && BRACKET_LANES == 32

void synchronise() {
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, BARRIER_SEMANTICS);
}
#else
shared int together[THREADS];

void synchronise() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, BARRIER_SEMANTICS);
}
#endif

// Which section of the workgroup.
uint ownPlace() {
#if GROUP_SECTIONS > 1
    return gl_SubgroupID;
#else
    return 0u;
#endif
}

uint ownSection() {
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(GROUP_SECTIONS) + ownPlace();
}

#ifdef BRACKET_LANES
#define LANES uint(BRACKET_LANES)

uint ownThread() {
#if BRACKET_LANES < 32
    return gl_SubgroupID * LANES + gl_SubgroupInvocationID;
#else
    return gl_SubgroupInvocationID;
#endif
}

// The sum of the values of the threads up to this one.
int sumUpTo(int value) {
    [[unroll]] for (uint distance = 1u; distance < LANES; distance *= 2u) {
        int below = subgroupShuffleUp(value, distance);
        value += gl_SubgroupInvocationID >= distance ? below : 0;
    }
#if BRACKET_LANES < 32
    if (gl_SubgroupInvocationID == LANES - 1u) {
        together[gl_SubgroupID] = value;
    }
    synchronise();
    for (uint s = 0u; s < gl_SubgroupID; s++) {
        value += together[s];
    }
    synchronise();
#endif
    return value;
}

// The value of a thread that is the same for all.
int valueOf(int value, uint thread) {
#if BRACKET_LANES < 32
    if (ownThread() == thread) {
        together[0] = value;
    }
    synchronise();
    value = together[0];
    synchronise();
    return value;
#else
    return subgroupShuffle(value, thread);
#endif
}

// A bit for each thread for which something holds.
uint votes(bool holds) {
    uint all = subgroupBallot(holds).x;
#if BRACKET_LANES < 32
    if (gl_SubgroupInvocationID == 0u) {
        together[gl_SubgroupID] = int(all);
    }
    synchronise();
    all = 0u;
    for (uint s = 0u; s < THREADS / LANES; s++) {
        all |= uint(together[s]) << s * LANES;
    }
    synchronise();
#endif
    return all;
}
#else
uint ownThread() {
    return gl_LocalInvocationID.x;
}

int sumUpTo(int value) {
    uint thread = ownThread();
    together[thread] = value;
    synchronise();
    [[unroll]] for (uint distance = 1u; distance < THREADS; distance *= 2u) {
        if (thread >= distance) {
            value += together[thread - distance];
        }
        synchronise();
        together[thread] = value;
        synchronise();
    }
    return value;
}

int valueOf(int value, uint thread) {
    if (ownThread() == thread) {
        together[0] = value;
    }
    synchronise();
    value = together[0];
    synchronise();
    return value;
}

uint votes(bool holds) {
    uint thread = ownThread();
    if (thread == 0u) {
        together[0] = 0;
    }
    synchronise();
    if (holds) {
        atomicOr(together[0], 1 << thread, gl_ScopeWorkgroup, 0, 0);
    }
    synchronise();
    uint all = uint(together[0]);
    synchronise();
    return all;
}
#endif

// The value of a thread of each thread's own choice.
int valueAt(int value, uint thread) {
#if defined(BRACKET_LANES) && BRACKET_LANES == 32
    return subgroupShuffle(value, thread);
#else
    together[ownThread()] = value;
    synchronise();
    value = together[thread];
    synchronise();
    return value;
#endif
}

// The lowest value of all threads.
int lowestOf(int value) {
    [[unroll]] for (uint distance = 1u; distance < THREADS; distance *= 2u) {
        value = min(value, valueAt(value, ownThread() ^ distance));
    }
    return value;
}
