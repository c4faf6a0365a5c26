#version 450

// Moves each element that stays to its place, if that is within this dispatch's window of the output; the last element of
// all knows how many stay.

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer CompactKeep { uint keep[]; };
layout(set = 0, binding = 1) readonly buffer CompactPlaces { uint places[]; };
layout(set = 0, binding = 2) readonly buffer CompactInput { uint elements[]; };
layout(set = 0, binding = 3) writeonly buffer CompactOutput { uint kept[]; };
layout(set = 0, binding = 4) writeonly buffer CompactCount { uint keptCount[]; };

layout(push_constant) uniform Push {
    uint count;
    uint keepBase;   // word of the first flags
    uint inputBase;  // word of the first element
    uint outputBase; // word of the first place
    uint countBase;  // word of the number of elements that stay
    uint words;      // of an element
    uint firstPlace; // of the window of the output
    uint placeCount;
    uint last;       // whether the last element of all is in this dispatch
    uint placesBase; // word of the first element's place
};

void main() {
    uint element = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 128u + gl_LocalInvocationID.x;
    if (element >= count) {
        return;
    }
    uint stays = keep[keepBase + element / 32u] >> (element & 31u) & 1u;
    uint place = places[placesBase + element];
    // Places before the window become very large.
    uint local = place - firstPlace;
    if (stays != 0u && local < placeCount) {
        for (uint w = 0u; w < words; w++) {
            kept[outputBase + local * words + w] = elements[inputBase + element * words + w];
        }
    }
    if (last != 0u && element == count - 1u) {
        keptCount[countBase] = place + stays;
    }
}
