#version 450
// Makes the arguments of indirect draws of what is kept, which is in the order of the draws, by batches of one material.
#include "meshlets.glsl"
layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Kept {
    uvec2 kept[];  // draw, meshlet
};

layout(set = 0, binding = 1, std430) readonly buffer KeptCount {
    uint keptCount;
};

layout(set = 0, binding = 3, std430) readonly buffer Batches {
    uvec2 batches[];  // first draw, first record
};

layout(set = 0, binding = 4, std430) writeonly buffer Records {
    uint records[];
};

layout(set = 0, binding = 5, std430) writeonly buffer Counts {
    uint counts[];
};

// How many are kept of the draws before one.
uint keptBefore(uint draw) {
    uint low = 0u;
    uint high = keptCount;
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (kept[middle].x < draw) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

void main() {
    uint number = gl_GlobalInvocationID.x;
    uint batchCount = uint(batches.length());
    if (number < batchCount) {
        uint end = number + 1u < batchCount ? keptBefore(batches[number + 1u].x) : keptCount;
        counts[number] = end - keptBefore(batches[number].x);
    }
    if (number < keptCount) {
        uvec2 instance = kept[number];
        uint batch = batchCount - 1u;
        while (batches[batch].x > instance.x) {
            batch--;
        }
        uint at = 5u * (batches[batch].y + number - keptBefore(batches[batch].x));
        uvec4 run = meshlets[instance.y].run;
        records[at] = run.x;
        records[at + 1u] = 1u;
        records[at + 2u] = run.y;
        records[at + 3u] = run.z;
        records[at + 4u] = instance.x;
    }
}
