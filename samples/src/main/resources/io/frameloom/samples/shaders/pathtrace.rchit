#version 460
#extension GL_EXT_ray_tracing : require
#include "hit.glsl"

layout(location = 0) rayPayloadInEXT Hit met;
hitAttributeEXT vec2 at;

void main() {
    met = Hit(gl_InstanceCustomIndexEXT, gl_PrimitiveID, at);
}
