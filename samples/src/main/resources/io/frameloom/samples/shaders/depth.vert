#version 450
// Depth only: for the camera, or with SHADOW for the sun.
#include "frame.glsl"
#include "draws.glsl"

layout(location = 0) in vec3 position;
#ifdef SPECIAL
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec2 uv1;
layout(location = 4) in vec4 color;
layout(location = 0) out vec2 outUv;
layout(location = 1) out vec2 outUv1;
layout(location = 2) out float outAlpha;
#endif

invariant gl_Position;

void main() {
    vec4 world = draws[gl_InstanceIndex].model * vec4(position, 1.0);
#ifdef SHADOW
    gl_Position = shadowMatrix * world;
#else
    gl_Position = jitteredViewProjection * world;
#endif
#ifdef SPECIAL
    outUv = mapTexture(draws[gl_InstanceIndex], position, normal, uv);
    outUv1 = uv1;
    outAlpha = color.a;
#endif
}
