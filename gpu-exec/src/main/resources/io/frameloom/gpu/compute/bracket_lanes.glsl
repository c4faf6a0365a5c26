// What the 32 threads of a section do together. With BRACKET_LANES, the invocations of each subgroup, mostly by these.

#define THREADS 32u
#define SECTION 1024u

shared int together[THREADS];

void synchronise() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

#if defined(BRACKET_LANES) && BRACKET_LANES >= 32
uint ownThread() {
    return gl_SubgroupInvocationID;
}

// The sum of the values of the threads up to this one.
int sumUpTo(int value) {
    [[unroll]] for (uint distance = 1u; distance < THREADS; distance *= 2u) {
        int below = subgroupShuffleUp(value, distance);
        value += gl_SubgroupInvocationID >= distance ? below : 0;
    }
    return value;
}

// The lowest value of this thread and those behind it.
int lowestFrom(int value) {
    [[unroll]] for (uint distance = 1u; distance < THREADS; distance *= 2u) {
        int above = subgroupShuffleDown(value, distance);
        value = gl_SubgroupInvocationID + distance < THREADS ? min(value, above) : value;
    }
    return value;
}

int valueOf(int value, uint thread) {
    return subgroupShuffle(value, thread);
}

// A bit for each thread for which something holds.
uint votes(bool holds) {
    return subgroupBallot(holds).x;
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

int lowestFrom(int value) {
    uint thread = ownThread();
    together[thread] = value;
    synchronise();
    [[unroll]] for (uint distance = 1u; distance < THREADS; distance *= 2u) {
        if (thread + distance < THREADS) {
            value = min(value, together[thread + distance]);
        }
        synchronise();
        together[thread] = value;
        synchronise();
    }
    return value;
}

int valueOf(int value, uint thread) {
    together[ownThread()] = value;
    synchronise();
    int other = together[thread];
    synchronise();
    return other;
}

uint votes(bool holds) {
    uint thread = ownThread();
    if (thread == 0u) {
        together[0] = 0;
    }
    synchronise();
    if (holds) {
        atomicOr(together[0], 1 << thread);
    }
    synchronise();
    uint all = uint(together[0]);
    synchronise();
    return all;
}
#endif
