layout(set = 1, binding = 0) uniform sampler2D baseColorTexture;
layout(set = 1, binding = 1) uniform sampler2D surfaceTexture;
layout(set = 1, binding = 2) uniform sampler2D normalTexture;
layout(set = 1, binding = 3) uniform sampler2D emissiveTexture;
layout(set = 1, binding = 4, std140) uniform MaterialFactors {
    vec4 baseColorFactor;
    vec4 emissiveFactor;  // w: 1 if the tint colours what is emitted
    vec4 surfaceFactor;   // metallic, roughness, normal scale, alpha cutoff
};
