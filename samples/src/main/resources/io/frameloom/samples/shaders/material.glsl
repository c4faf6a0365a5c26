layout(set = 1, binding = 4, std140) uniform MaterialFactors {
    vec4 baseColorFactor;
    vec4 emissiveFactor;  // w: 1 if the tint colours what is emitted
    vec4 surfaceFactor;   // metallic, roughness, normal scale, alpha cutoff
    vec4 detailFactor;    // occlusion strength, 1 if two-sided, bit n if the n-th texture takes the second coordinates
    vec4 textureTransforms[10];  // for u and v of each texture: factors of u and v of the mesh, offset
};

const int BASE_COLOR = 0;
const int SURFACE = 1;
const int NORMAL = 2;
const int EMISSIVE = 3;
const int OCCLUSION = 4;

vec2 coordinates(int number, vec2 first, vec2 second) {
    vec3 at = vec3((int(detailFactor.z) >> number & 1) == 0 ? first : second, 1.0);
    return vec2(dot(textureTransforms[2 * number].xyz, at), dot(textureTransforms[2 * number + 1].xyz, at));
}
