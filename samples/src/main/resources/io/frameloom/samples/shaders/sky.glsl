float skyHash(vec2 p) {
    return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453);
}

float skyNoise(vec2 p) {
    vec2 cell = floor(p);
    vec2 f = p - cell;
    f = f * f * (3.0 - 2.0 * f);
    float a = mix(skyHash(cell), skyHash(cell + vec2(1.0, 0.0)), f.x);
    float b = mix(skyHash(cell + vec2(0.0, 1.0)), skyHash(cell + vec2(1.0, 1.0)), f.x);
    return mix(a, b, f.y);
}

// Radiance of the clear sky without the disc of the sun.
vec3 clearSky(vec3 direction) {
    float height = max(direction.y, 0.0);
    vec3 sky = mix(skyHorizon.rgb, skyZenith.rgb, 1.0 - exp(-4.5 * height));
    float towards = max(dot(direction, toSun.xyz), 0.0);
    float low = exp(-3.0 * height);
    sky += skyGlow.rgb * (0.18 * pow(towards, 3.0) * low + 0.4 * pow(towards, 14.0) + 0.5 * pow(towards, 90.0));
    return mix(sky, skyGround.rgb, smoothstep(0.0, -0.12, direction.y));
}

// What the camera sees where there is nothing: sky, thin clouds and the sun.
vec3 background(vec3 direction) {
    vec3 sky = clearSky(direction);
    float towards = max(dot(direction, toSun.xyz), 0.0);
    if (direction.y > 0.01) {
        vec2 plane = direction.xz / (direction.y + 0.12) * vec2(1.1, 2.6) + cameraPosition.w * 0.004;
        float cover = 0.0;
        float weight = 0.55;
        for (int i = 0; i < 4; i++) {
            cover += weight * skyNoise(plane);
            plane = plane * 2.13 + 7.7;
            weight *= 0.5;
        }
        float cloud = smoothstep(1.0 - 0.75 * skyZenith.w, 1.1 - 0.3 * skyZenith.w, cover)
            * smoothstep(0.01, 0.14, direction.y);
        vec3 lit = skyHorizon.rgb * 0.75 + skyGlow.rgb * (0.12 + 0.7 * pow(towards, 6.0));
        sky = mix(sky, lit, 0.75 * cloud);
    }
    return sky + sunColor.rgb * 4.0 * smoothstep(0.99955, 0.9998, towards);
}
