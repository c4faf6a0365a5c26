#version 450
// A spark: brightest in the middle, added to what is there.
layout(location = 0) in vec2 place;
layout(location = 1) in float brightness;
layout(location = 0) out vec4 radiance;

void main() {
    float glow = max(0.0, 1.0 - dot(place, place));
    radiance = vec4(vec3(14.0, 5.0, 1.2) * (glow * glow * brightness), 0.0);
}
