#version 450
// Glyphs and shapes take the colour of their vertices. A texture that is looked at shows the numbers of a range.
layout(push_constant) uniform Draw {
    vec2 texel;
    vec2 range;
    uint mode;
};

layout(set = 0, binding = 0) uniform sampler2D picture;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 shade;
layout(location = 0) out vec4 color;

const uint SHOWN = 1u;
const uint ONE_CHANNEL = 2u;
const uint LINEAR_SOURCE = 4u;
const uint LINEAR_TARGET = 8u;

void main() {
    vec4 c = textureLod(picture, uv, 0.0);
    if ((mode & SHOWN) != 0u) {
        vec3 numbers = (mode & ONE_CHANNEL) != 0u ? c.rrr : c.rgb;
        vec3 v = clamp((numbers - range.x) * range.y, 0.0, 1.0);
        if ((mode & LINEAR_SOURCE) != 0u) {
            v = mix(12.92 * v, 1.055 * pow(v, vec3(1.0 / 2.4)) - 0.055, greaterThan(v, vec3(0.0031308)));
        }
        c = vec4(v, 1.0);
    }
    c *= shade;
    if ((mode & LINEAR_TARGET) != 0u) {
        c.rgb = mix(c.rgb / 12.92, pow((c.rgb + 0.055) / 1.055, vec3(2.4)), greaterThan(c.rgb, vec3(0.04045)));
    }
    color = c;
}
