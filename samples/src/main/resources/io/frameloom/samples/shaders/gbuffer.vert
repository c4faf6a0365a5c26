#version 450
#include "frame.glsl"
#include "draws.glsl"
#include "surface.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
// In the frame before.
layout(location = 5) in vec3 formerPosition;

layout(location = 0) out vec3 outWorld;
layout(location = 1) out vec3 outNormal;
layout(location = 2) out vec2 outUv;
layout(location = 3) flat out vec4 outTint;
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
    Surface surface = surfaceOf(gl_InstanceIndex, world, position, formerPosition, normal, uv);
    outWorld = surface.world;
    outNormal = surface.normal;
    outUv = surface.uv;
    outTint = surface.tint;
    outWas = surface.was;
    outStays = surface.stays;
#ifdef SPECIAL
    outUv1 = uv1;
    outColor = color;
#endif
}
