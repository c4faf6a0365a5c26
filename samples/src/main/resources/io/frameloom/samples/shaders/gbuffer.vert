#version 450
#include "frame.glsl"
#include "draws.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
// In the frame before.
layout(location = 5) in vec3 formerPosition;

layout(location = 0) out vec3 outWorld;
layout(location = 1) out vec3 outNormal;
layout(location = 2) out vec2 outUv;
layout(location = 3) flat out vec4 outTint;
// Clip x, y and w in the frame before, of where this was, and of where it is now.
layout(location = 6) out vec3 outWas;
layout(location = 7) out vec3 outStays;
#ifdef SPECIAL
layout(location = 3) in vec2 uv1;
layout(location = 4) in vec4 color;
layout(location = 4) out vec2 outUv1;
layout(location = 5) out vec4 outColor;
#endif

invariant gl_Position;

void main() {
    vec4 world = draws[gl_InstanceIndex].model * vec4(position, 1.0);
    gl_Position = jitteredViewProjection * world;
    outWas = (formerViewProjection * (draws[int(draws[gl_InstanceIndex].mapping.w)].model * vec4(formerPosition, 1.0))).xyw;
    outStays = (formerViewProjection * world).xyw;
    mat3 linear = mat3(draws[gl_InstanceIndex].model);
    // The cofactor matrix turns normals right under any scale; it inverts them where the determinant is negative.
    mat3 cofactor = mat3(cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1]));
    outWorld = world.xyz - cameraPosition.xyz;
    outNormal = cofactor * normal * (dot(linear[0], cofactor[0]) < 0.0 ? -1.0 : 1.0);
    outUv = mapTexture(draws[gl_InstanceIndex], position, normal, uv);
    outTint = draws[gl_InstanceIndex].tint;
#ifdef SPECIAL
    outUv1 = uv1;
    outColor = color;
#endif
}
