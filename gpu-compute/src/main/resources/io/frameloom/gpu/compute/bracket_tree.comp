#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_control_flow_attributes : require

// Three levels of a tree of minima, 32 nodes below each: level by level in one array, the lowest the lowest depth of each
// section. With SCANS, where one workgroup has all sections, it first sums up what they add to the depth.

layout(local_size_x = 128) in;

#ifdef SCANS
layout(set = 0, binding = 0) buffer BracketDepths { int depths[]; };
#else
layout(set = 0, binding = 0) readonly buffer BracketDepths { int depths[]; };
#endif
layout(set = 0, binding = 1) readonly buffer BracketLows { int lows[]; };
layout(set = 0, binding = 2) writeonly buffer BracketTree { int tree[]; };

layout(push_constant) uniform Push {
    uint size; // of the lowest level
};

#define EACH 8u
#define GROUP 1024u

shared int together[128]; // sums, then minima

void synchronise() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, BARRIER_SEMANTICS);
}

// The depths at the beginnings of the sections of this thread.
void loadDepths(uint first, out int own[EACH]) {
    [[unroll]] for (uint i = 0u; i < EACH; i++) {
        own[i] = first + i < size ? depths[first + i] : 0;
    }
#ifdef SCANS
    uint thread = gl_LocalInvocationID.x;
    int total = 0;
    [[unroll]] for (uint i = 0u; i < EACH; i++) {
        int added = own[i];
        own[i] = total;
        total += added;
    }
    int sum = total;
    together[thread] = sum;
    synchronise();
    [[unroll]] for (uint distance = 1u; distance < 128u; distance *= 2u) {
        sum += thread >= distance ? together[thread - distance] : 0;
        synchronise();
        together[thread] = sum;
        synchronise();
    }
    [[unroll]] for (uint i = 0u; i < EACH; i++) {
        own[i] += sum - total;
        if (first + i < size) {
            depths[first + i] = own[i];
        }
    }
#endif
}

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group * GROUP >= size) {
        return;
    }
    uint thread = gl_LocalInvocationID.x;
    uint first = group * GROUP + thread * EACH;
    int own[EACH];
    loadDepths(first, own);
    int lowest = 0x7FFFFFFF;
    [[unroll]] for (uint i = 0u; i < EACH; i++) {
        uint leaf = first + i;
        if (leaf < size) {
            int value = own[i] + lows[leaf];
            tree[leaf] = value;
            lowest = min(lowest, value);
        }
    }
    together[thread] = lowest;
    synchronise();
    uint above = (size + 31u) / 32u;
    if (thread < 32u) {
        for (uint i = 0u; i < 4u; i++) {
            lowest = min(i == 0u ? 0x7FFFFFFF : lowest, together[4u * thread + i]);
        }
        uint node = group * 32u + thread;
        if (size > 1u && node < above) {
            tree[size + node] = lowest;
        }
    }
    synchronise();
    if (thread < 32u) {
        together[thread] = lowest;
    }
    synchronise();
    if (thread == 0u && above > 1u) {
        for (uint i = 0u; i < 32u; i++) {
            lowest = min(lowest, together[i]);
        }
        tree[size + above + group] = lowest;
    }
}
