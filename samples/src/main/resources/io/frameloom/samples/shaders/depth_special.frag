#version 450
// Cuts the holes of a material out of a depth-only pass, and back faces unless the sun looks.
#include "material.glsl"
layout(set = 1, binding = 0) uniform sampler2D baseColorTexture;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec2 uv1;
layout(location = 2) in float alpha;

void main() {
#ifndef SHADOW
    if (!gl_FrontFacing && detailFactor.y == 0.0) {
        discard;
    }
#endif
    float base = texture(baseColorTexture, coordinates(BASE_COLOR, uv, uv1)).a;
    if (base * baseColorFactor.a * alpha < surfaceFactor.w) {
        discard;
    }
}
