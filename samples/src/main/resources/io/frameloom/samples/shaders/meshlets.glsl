// Runs of a mesh's triangles, as Meshlets writes them, and which of them each draw has.
struct Meshlet {
    vec4 lower;   // corner of the box
    vec4 upper;   // opposite corner of the box
    vec4 sphere;  // centre and radius
    vec4 cone;    // axis of the normals, and the sine of their widest angle to it; 1 if they point everywhere
    uvec4 run;    // indices, first index, first vertex, different vertices
};

layout(set = 0, binding = 2, std430) readonly buffer Meshlets {
    Meshlet meshlets[];
};
