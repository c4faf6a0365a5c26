#version 450

// A 1 for each element that stays, a 0 for each that goes.

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer CompactKeep { uint keep[]; };
layout(set = 0, binding = 1) writeonly buffer CompactPlaces { uint places[]; };

layout(push_constant) uniform Push {
    uint count;
    uint keepBase; // word of the first flags
    uint placesBase; // word of the first place
};

void main() {
    uint element = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 128u + gl_LocalInvocationID.x;
    if (element < count) {
        places[placesBase + element] = keep[keepBase + element / 32u] >> (element & 31u) & 1u;
    }
}
