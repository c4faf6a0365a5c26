#version 450
// Moves the vertices of one draw by morph targets, then by the joints of a skin. Each invocation writes one vertex, and
// where it was in the frame before.
layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Rig {
    vec4 rig[];
};

// Vertices; two words of joints and four weights per set and vertex; targets one after another.
layout(set = 0, binding = 1, std430) readonly buffer MeshData {
    uint data[];
};

layout(set = 0, binding = 2, std430) writeonly buffer Deformed {
    float deformed[];
};

// Of each vertex the position alone.
layout(set = 0, binding = 3, std430) writeonly buffer Former {
    float former[];
};

layout(push_constant) uniform Deformation {
    uint vertices;
    uint sets;          // of four joints per vertex, 0 without a skin
    uint joints;        // where matrices begin in the rig
    uint targets;
    uint targetFloats;  // the first floats of a vertex that targets move
    uint weights;       // where weights of targets begin in the rig
    uint isFlat;        // each three vertices are a triangle of their own, with its normal
    uint formerRig;     // where the rig of the frame before begins
};

const uint FLOATS = 14u;
const uint SET_WORDS = 6u;

// Functions take where the rig of a frame begins.
float morphed(uint vertex, uint number, uint from) {
    float value = uintBitsToFloat(data[vertex * FLOATS + number]);
    if (number < targetFloats) {
        uint at = vertices * (FLOATS + sets * SET_WORDS) + vertex * targetFloats + number;
        for (uint target = 0u; target < targets; target++) {
            float weight = rig[from + weights + target / 4u][target % 4u];
            if (weight != 0.0) {
                value += weight * uintBitsToFloat(data[at]);
            }
            at += vertices * targetFloats;
        }
    }
    return value;
}

vec3 morphedVector(uint vertex, uint number, uint from) {
    return vec3(
        morphed(vertex, number, from), morphed(vertex, number + 1u, from), morphed(vertex, number + 2u, from));
}

mat4 blend(uint vertex, uint from) {
    if (sets == 0u) {
        return mat4(1.0);
    }
    mat4 sum = mat4(0.0);
    uint at = vertices * FLOATS + vertex * sets * SET_WORDS;
    for (uint i = 0u; i < 4u * sets; i++) {
        uint set = at + i / 4u * SET_WORDS;
        float weight = uintBitsToFloat(data[set + 2u + i % 4u]);
        if (weight != 0.0) {
            uint word = data[set + i % 4u / 2u];
            uint matrix = from + joints + 4u * ((i & 1u) == 0u ? word & 0xFFFFu : word >> 16);
            sum += weight * mat4(rig[matrix], rig[matrix + 1u], rig[matrix + 2u], rig[matrix + 3u]);
        }
    }
    return sum;
}

vec3 moved(uint vertex, uint from) {
    return (blend(vertex, from) * vec4(morphedVector(vertex, 0u, from), 1.0)).xyz;
}

void main() {
    uint vertex = gl_GlobalInvocationID.x;
    if (vertex >= vertices) {
        return;
    }
    mat4 matrix = blend(vertex, 0u);
    mat3 linear = mat3(matrix);
    // The cofactor matrix turns normals right under any scale; it inverts them where the determinant is negative.
    mat3 cofactor = mat3(cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1]));
    float side = dot(linear[0], cofactor[0]) < 0.0 ? -1.0 : 1.0;
    vec3 position = (matrix * vec4(morphedVector(vertex, 0u, 0u), 1.0)).xyz;
    vec3 was = moved(vertex, formerRig);
    vec3 normal;
    if (isFlat != 0u) {
        uint first = vertex - vertex % 3u;
        vec3 corner = moved(first, 0u);
        normal = cross(moved(first + 1u, 0u) - corner, moved(first + 2u, 0u) - corner);
    } else {
        normal = cofactor * morphedVector(vertex, 3u, 0u);
    }
    float size = dot(normal, normal);
    normal = size > 0.0 ? normal * (side * inversesqrt(size)) : vec3(0.0, 1.0, 0.0);
    uint to = vertex * FLOATS;
    for (uint i = 0u; i < 3u; i++) {
        deformed[to + i] = position[i];
        former[to + i] = was[i];
        deformed[to + 3u + i] = normal[i];
    }
    for (uint i = 6u; i < FLOATS; i++) {
        deformed[to + i] = morphed(vertex, i, 0u);
    }
}
