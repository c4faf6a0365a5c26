#version 450
// Depth only: for the camera, or with SHADOW for the sun.
#include "frame.glsl"
#include "draws.glsl"

layout(location = 0) in vec3 position;
#ifdef MASKED
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec2 outUv;
#endif

invariant gl_Position;

void main() {
    vec4 world = draws[gl_InstanceIndex].model * vec4(position, 1.0);
#ifdef SHADOW
    gl_Position = shadowMatrix * world;
#else
    gl_Position = jitteredViewProjection * world;
#endif
#ifdef MASKED
    outUv = mapTexture(draws[gl_InstanceIndex], position, normal, uv);
#endif
}
