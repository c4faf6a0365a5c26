#version 460
#extension GL_EXT_ray_tracing : require
#include "hit.glsl"

layout(location = 0) rayPayloadInEXT Hit met;

void main() {
    met.instance = -1;
}
