#version 450
// Where the particles are. It follows from number, time and camera alone, so a frame needs none before it.
#include "frame.glsl"

layout(local_size_x = 64) in;

layout(set = 0, binding = 1, std430) writeonly buffer Particles { vec4 particles[]; };  // w: brightness

const vec3 BOX = vec3(48.0, 28.0, 48.0);

// "Hash Functions for GPU Rendering" (Jarzynski, Olano): pcg3d.
vec3 random(uint seed) {
    uvec3 v = uvec3(seed, seed * 747796405u, seed ^ 2891336453u) * 1664525u + 1013904223u;
    v += v.yzx * v.zxy;
    v ^= v >> 16u;
    v += v.yzx * v.zxy;
    return vec3(v) / 4294967295.0;
}

void main() {
    uint number = gl_GlobalInvocationID.x;
    vec3 start = random(number);
    vec3 kind = random(number + 1000003u);
    float seconds = cameraPosition.w;
    float phase = 6.2831853 * kind.x;
    vec3 way = vec3(0.8 * sin(0.7 * seconds + phase), (0.5 + kind.y) * seconds, 0.8 * cos(0.6 * seconds + phase));
    // The box goes with the camera; who leaves it comes back on the other side.
    vec3 part = fract(start + (way - cameraPosition.xyz) / BOX);
    vec3 fade = smoothstep(0.0, 0.15, part) * smoothstep(0.0, 0.15, 1.0 - part);
    float flicker = 0.6 + 0.4 * sin((2.0 + 5.0 * kind.z) * seconds + phase);
    particles[number] = vec4(cameraPosition.xyz + (part - 0.5) * BOX, flicker * fade.x * fade.y * fade.z);
}
