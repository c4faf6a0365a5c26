// Boxes whose coordinates are turned into whole numbers of the same order, so that minimum and maximum are exact.

#define NONE 0xFFFFFFFFu
#define BEGIN 1u
#define END 2u
#define PARTITION 512u
// Marks a BEGIN whose link, not itself, is the anchor. Numbers of elements are lower.
#define AROUND 0x80000000u

const ivec4 everything = ivec4(ivec2(-0x7FFFFFFF - 1), ivec2(0x7FFFFFFF));

// From a float's bits to its key and back.
ivec4 turned(ivec4 bits) {
    return bits ^ (bits >> 31 & 0x7FFFFFFF);
}

// The keys of a box: empty if a coordinate is not a number, minus zero being zero.
ivec4 keysOf(ivec4 bits) {
    if (any(greaterThan(bits & 0x7FFFFFFF, ivec4(0x7F800000)))) {
        return turned(ivec4(ivec2(0x7F800000), ivec2(0xFF800000)));
    }
    return turned(mix(bits, ivec4(0), equal(bits, ivec4(0x80000000))));
}

ivec4 within(ivec4 a, ivec4 b) {
    return ivec4(max(a.xy, b.xy), min(a.zw, b.zw));
}
