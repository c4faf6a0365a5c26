#version 450
// Shows normals; nobody reads the result, so the render graph culls the pass.
layout(set = 0, binding = 0) uniform sampler2D normalTexture;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    color = vec4(textureLod(normalTexture, uv, 0.0).xyz * 0.5 + 0.5, 1.0);
}
