#version 450
#extension GL_KHR_memory_scope_semantics : require

// One element per thread, one partition per workgroup. The partition is reduced in shared memory, publishes what it
// leaves open (LOCAL), then looks back until the topmost entries of the whole stack are in its slice (DONE). Where the
// slice of an earlier partition does not reach deep enough, the lowest entry of that slice tells where to look on.
//
// Nobody promises that another workgroup gets on. One that waits in vain ends, and leaves its links to a second dispatch,
// which does nothing else. With FALLBACK, as there, one that waits in vain for LOCAL reduces that partition by itself, and
// one that waits in vain for DONE, which only shortens the way, goes on from partition to partition instead.

layout(local_size_x = PARTITION) in;

layout(set = 0, binding = 0) readonly buffer StackInput { uint elements[]; };
layout(set = 0, binding = 1) writeonly buffer StackLinks { uint links[]; };
layout(set = 0, binding = 2) coherent buffer StackSlices { uint slices[]; };
layout(set = 0, binding = 3) coherent buffer StackStates { uint states[]; };

layout(push_constant) uniform Push { uint count; };

#define NONE 0xFFFFFFFFu
#define LOCAL 1u
#define DONE 2u
// A word that counts waits in vain, one for the ticket, then four for each partition.
#define IN_VAIN 0
#define TICKET 1
#define FLAG(p) (2u + 4u * (p))
#define POPS(p) (3u + 4u * (p))
#define PUSHES(p) (4u + 4u * (p))
#define DEPTH(p) (5u + 4u * (p))

// Some drivers cut an invocation after 65,535 turns of its loops, so a turn is many polls, and all waits of a workgroup
// together have a limit, too.
#define MOST_TURNS 8192u
#define POLL flag = max(flag, atomicLoad(states[FLAG(p)], gl_ScopeDevice, 0, 0));
#define POLLS_8 POLL POLL POLL POLL POLL POLL POLL POLL

shared uint pops[PARTITION];
shared uint pushes[PARTITION];
shared uint stacks[PARTITION];
shared uint told;
shared uint turnsLeft;

bool isStuck(uint p) {
#ifdef STUCK
    return STUCK;
#else
    return false;
#endif
}

void publish(uint p, uint flag) {
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationID.x == 0u && !isStuck(p)) {
        atomicStore(states[FLAG(p)], flag, gl_ScopeDevice, 0, 0);
    }
}

// The flag of a partition once it is at least `least`; 0 if that takes too long.
uint await(uint p, uint least) {
    if (gl_LocalInvocationID.x == 0u) {
        uint flag = 0u;
        uint turns = min(PATIENCE, turnsLeft);
        uint turn = 0u;
        POLL
        for (; turn < turns && flag < least; turn++) {
            POLLS_8 POLLS_8 POLLS_8 POLLS_8 POLLS_8 POLLS_8 POLLS_8 POLLS_8
        }
        turnsLeft -= turn;
        if (flag < least) {
            flag = 0u;
            atomicAdd(states[IN_VAIN], 1u);
        }
        told = flag;
    }
    barrier();
    uint flag = told;
    memoryBarrierBuffer();
    barrier();
    return flag;
}

struct Element {
    uint push;
    uint pop;     // this element alone
    uint pops;    // of the partition up to this element
    uint link;
    bool pending; // whether the link is not in this partition
};

// Reduces a partition in shared memory: the last of pops and pushes are the partition's, stacks its slice.
Element reduce(uint p) {
    uint t = gl_LocalInvocationID.x;
    uint index = p * PARTITION + t;
    bool there = index < count;
    uint push = there && elements[index] != 0u ? 1u : 0u;
    uint pop = there ? 1u - push : 0u;
    uint npush = push;
    uint npop = pop;
    uint stack = index;
    uint link = NONE;
    bool pending = there;
    barrier();
    pushes[t] = npush;
    pops[t] = npop;
    stacks[t] = stack;
    for (uint bit = 1u; bit < PARTITION; bit *= 2u) {
        uint mid = (t & ~(2u * bit - 1u)) + bit - 1u;
        uint last = mid + bit;
        barrier();
        uint leftPush = pushes[mid];
        uint rightPush = pushes[last];
        uint rightPop = pops[last];
        if ((t & bit) != 0u) {
            uint wanted = npop - pop;
            if (pending && leftPush > wanted) {
                link = stacks[mid - wanted];
                pending = false;
            }
            uint most = max(leftPush, npop);
            npush += most - npop;
            npop = pops[mid] + most - leftPush;
        }
        uint below = last - t - rightPush;
        if (last - t >= rightPush && below < max(leftPush, rightPop) - rightPop) {
            stack = stacks[mid - rightPop - below];
        }
        barrier();
        pushes[t] = npush;
        pops[t] = npop;
        stacks[t] = stack;
    }
    barrier();
    return Element(push, pop, npop, link, pending);
}

void main() {
    uint t = gl_LocalInvocationID.x;
#ifdef FALLBACK
    if (atomicLoad(states[IN_VAIN], gl_ScopeDevice, 0, 0) == 0u) {
        return;
    }
#endif
    if (t == 0u) {
#ifdef FALLBACK
        told = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
#else
        told = atomicAdd(states[TICKET], 1u);
#endif
        turnsLeft = MOST_TURNS;
    }
    barrier();
    uint p = told;
    uint index = p * PARTITION + t;
    if (p * PARTITION >= count) {
        return;
    }
    Element own = reduce(p);
    uint link = own.link;
    bool pending = own.pending;
    uint partPush = pushes[PARTITION - 1];
    uint partPop = pops[PARTITION - 1];
    uint slot = PARTITION - 1u - t;
    uint wanted = own.pops - own.pop;
    if (slot < partPush) {
        slices[index] = stacks[t];
    }
    if (t == 0u) {
        states[POPS(p)] = partPop;
        states[PUSHES(p)] = partPush;
        if (p == 0u) {
            states[DEPTH(p)] = partPush;
        }
    }
    publish(p, p == 0u ? DONE : LOCAL);

    // The deepest entry that an element of this partition may look for: what is on top once its closes are done. It may
    // lie below what the slice takes, when the partition fills that by itself.
    int deepest = int(partPop);
    bool reached = false;
    bool linked = false;
    bool asLocal = false;
    uint q = p - 1u;
    bool more = p > 0u;
    // What was known before the partition was looked at that told where to look on.
    uint linkedFrom = 0u;
    uint pushBefore = 0u;
    uint popBefore = 0u;
    uint wantedBefore = 0u;
    int deepestBefore = 0;
    while (more) {
        uint flag = asLocal ? LOCAL : await(q, linked ? DONE : LOCAL);
        asLocal = false;
#ifndef FALLBACK
        if (flag == 0u) {
            break;
        }
#endif
        if (flag == 0u && linked) {
            // From there on all partitions, beginning with what that one alone leaves open.
            q = linkedFrom;
            partPush = pushBefore;
            partPop = popBefore;
            wanted = wantedBefore;
            deepest = deepestBefore;
            linked = false;
            asLocal = true;
            continue;
        }
        bool here = flag == 0u;
        uint itsPops;
        uint itsPushes;
        if (here) {
            reduce(q);
            itsPops = pops[PARTITION - 1];
            itsPushes = pushes[PARTITION - 1];
            flag = LOCAL;
            if (q == 0u) {
                itsPops = 0u;
                flag = DONE;
            }
        } else {
            itsPops = flag == LOCAL ? states[POPS(q)] : 0u;
            itsPushes = flag == LOCAL ? states[PUSHES(q)] : states[DEPTH(q)];
        }
        uint visible = min(itsPushes, PARTITION);
        if (linked) {
            partPop = itsPushes - partPop;
            wanted += partPop;
            deepest += int(partPop);
        }
        pushBefore = partPush;
        popBefore = partPop;
        wantedBefore = wanted;
        deepestBefore = deepest;
        if (slot >= partPush) {
            uint its = slot + partPop - partPush;
            if (its < visible) {
                uint at = PARTITION - 1u - its;
                slices[index] = here ? stacks[at] : slices[q * PARTITION + at];
            }
        }
        if (pending) {
            if (wanted < visible) {
                uint at = PARTITION - 1u - wanted;
                link = here ? stacks[at] : slices[q * PARTITION + at];
                pending = false;
            } else {
                wanted += itsPops - itsPushes;
            }
        }
        reached = reached || deepest < int(visible);
        deepest += int(itsPops) - int(itsPushes);
        uint most = max(itsPushes, partPop);
        uint seen = most - partPop;
        partPush += seen;
        partPop = itsPops + most - itsPushes;
        if (flag == LOCAL) {
            q--;
            linked = false;
        } else if (itsPushes > PARTITION && (itsPushes > partPush || (!reached && deepest < 0))) {
            linked = true;
            linkedFrom = q;
            partPop = min(seen, itsPushes - PARTITION);
            partPush -= partPop;
            wanted += partPop;
            deepest += int(partPop);
            q = (slices[q * PARTITION] - 1u) / PARTITION;
        } else {
            more = false;
            if (t == 0u) {
                states[DEPTH(p)] = partPush;
            }
            publish(p, DONE);
        }
    }
    if (index < count) {
        links[index] = link;
    }
}
