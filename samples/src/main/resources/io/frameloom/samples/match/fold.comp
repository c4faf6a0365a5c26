#version 450
#extension GL_KHR_memory_scope_semantics : require

// Folds 4,096 brackets per workgroup into what they do to the depth and the first close of another kind than its open,
// and packs the marks of those without partner into bits. Depth is clamped at zero: a row of brackets takes depth x to
// max(x + net, floor), over a maximum of max(x + rise, top).

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer MatchBrackets { uint brackets[]; };
layout(set = 0, binding = 1) readonly buffer MatchLinks { uint links[]; };
layout(set = 0, binding = 2) readonly buffer MatchOpens { uint alone[]; };
layout(set = 0, binding = 3) writeonly buffer MatchKeep { uint keep[]; };
layout(set = 0, binding = 4) writeonly buffer MatchFolds { uint folds[]; };

layout(push_constant) uniform Push {
    uint count;
};

#define NONE 0xFFFFFFFFu
#define FAR (-0x40000000)

struct Fold {
    int net;
    int lowest;
    int rise;
    int top;
    uint wrong;       // closes of another kind than their open
    uint wrongClose;  // the first of them
    uint wrongOpen;   // its open
};

shared Fold shared_folds[128];

void synchronise() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

Fold joined(Fold a, Fold b) {
    Fold both;
    both.net = a.net + b.net;
    both.lowest = max(a.lowest + b.net, b.lowest);
    both.rise = max(a.rise, a.net + b.rise);
    both.top = max(a.top, max(a.lowest + b.rise, b.top));
    both.wrong = a.wrong + b.wrong;
    both.wrongClose = a.wrong != 0u ? a.wrongClose : b.wrongClose;
    both.wrongOpen = a.wrong != 0u ? a.wrongOpen : b.wrongOpen;
    return both;
}

void main() {
    uint thread = gl_LocalInvocationID.x;
    uint begin = (gl_WorkGroupID.x * 128u + thread) * 32u;
    Fold fold = Fold(0, 0, FAR, 0, 0u, NONE, NONE);
    uint bits = 0u;
    for (uint i = begin; i < min(count, begin + 32u); i++) {
        uint bracket = brackets[i];
        bits |= alone[i] << (i - begin);
        Fold one = Fold(1, 0, 1, 0, 0u, NONE, NONE);
        if ((bracket & 1u) == 0u) {
            one.net = -1;
            one.rise = -1;
            uint link = links[i];
            if (link != NONE && ((brackets[link] ^ bracket) & 6u) != 0u) {
                one.wrong = 1u;
                one.wrongClose = bracket;
                one.wrongOpen = brackets[link];
            }
        }
        fold = joined(fold, one);
    }
    if (begin < count) {
        keep[begin / 32u] = bits;
    }
    shared_folds[thread] = fold;
    synchronise();
    for (uint step = 1u; step < 128u; step *= 2u) {
        if (thread % (2u * step) == 0u) {
            shared_folds[thread] = joined(shared_folds[thread], shared_folds[thread + step]);
        }
        synchronise();
    }
    if (thread == 0u) {
        Fold all = shared_folds[0];
        uint at = gl_WorkGroupID.x * 7u;
        folds[at] = uint(all.net);
        folds[at + 1u] = uint(all.lowest);
        folds[at + 2u] = uint(all.rise);
        folds[at + 3u] = uint(all.top);
        folds[at + 4u] = all.wrong;
        folds[at + 5u] = all.wrongClose;
        folds[at + 6u] = all.wrongOpen;
    }
}
