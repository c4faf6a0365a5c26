#version 450
// A vertex of the GUI, in texels from the upper left corner.
layout(push_constant) uniform Draw {
    vec2 texel;
    vec2 range;
    uint mode;
};

layout(location = 0) in vec2 position;
layout(location = 1) in vec2 place;
layout(location = 2) in vec4 tint;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 shade;

void main() {
    uv = place;
    shade = tint;
    gl_Position = vec4(position * texel - 1.0, 0.0, 1.0);
}
