#version 450

// How many elements stay of each 32: of a word of flags.

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer CompactKeep { uint keep[]; };
layout(set = 0, binding = 1) writeonly buffer CompactPlaces { uint places[]; };

layout(push_constant) uniform Push {
    uint words;
    uint keepBase;   // word of the first flags
    uint placesBase; // word of the first number
};

void main() {
    uint word = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 128u + gl_LocalInvocationID.x;
    if (word < words) {
        // Flags behind the last element count, too, but no place depends on the last word's number.
        places[placesBase + word] = bitCount(keep[keepBase + word]);
    }
}
