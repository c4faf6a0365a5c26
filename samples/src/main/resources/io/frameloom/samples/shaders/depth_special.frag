#version 450
// Cuts the holes of a material out of a depth-only pass.
layout(set = 1, binding = 0) uniform sampler2D baseColorTexture;
layout(set = 1, binding = 4, std140) uniform MaterialFactors {
    vec4 baseColorFactor;
    vec4 emissiveFactor;
    vec4 surfaceFactor;
};

layout(location = 0) in vec2 uv;

void main() {
    if (texture(baseColorTexture, uv).a * baseColorFactor.a < surfaceFactor.w) {
        discard;
    }
}
