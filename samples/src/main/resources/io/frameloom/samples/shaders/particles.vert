#version 450
// A square for each particle that faces the camera.
#include "frame.glsl"

layout(location = 0) in vec4 particle;
layout(location = 0) out vec2 outPlace;
layout(location = 1) out float outBrightness;

const vec2 corners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));

void main() {
    outPlace = corners[gl_VertexIndex];
    outBrightness = particle.w;
    vec2 offset = outPlace * (0.04 + 0.04 * fract(float(gl_InstanceIndex) * 0.618034));
    vec3 position = particle.xyz + inverseView[0].xyz * offset.x + inverseView[1].xyz * offset.y;
    gl_Position = jitteredViewProjection * vec4(position, 1.0);
}
