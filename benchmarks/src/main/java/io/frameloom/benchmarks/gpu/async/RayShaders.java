package io.frameloom.benchmarks.gpu.async;

import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;

/** The shaders of a frame: hills from above, their shadow map, rays for how open they are, and light. */
final class RayShaders {
    private static final String RAYS = "#version 460\n#extension GL_EXT_ray_tracing : require\n";

    /** Where the sun sees a place: x and y are right and up, z the depth. */
    private static final String SUN = """
            vec3 sun(vec3 place) {
                const vec3 down = normalize(vec3(0.5, -0.7, 0.5));
                const vec3 right = normalize(vec3(1, 0, -1));
                return vec3(dot(place, right), dot(place, cross(right, down)), dot(place, down)) * 0.6;
            }
            """;

    static final ShaderSource BASE_VERTEX = new ShaderSource("base.vert", ShaderStage.VERTEX, """
            #version 460
            layout(location = 0) in vec3 place;
            layout(location = 0) out vec3 seen;
            void main() {
                seen = place;
                vec2 ahead = vec2(dot(place, vec3(0, 0.8, 0.6)), dot(place, vec3(0, -0.6, 0.8)));
                gl_Position = vec4(place.x, -1.4 * ahead.x, 0.5 + 0.4 * ahead.y, 1);
            }
            """);

    static final ShaderSource BASE_FRAGMENT = new ShaderSource("base.frag", ShaderStage.FRAGMENT, """
            #version 460
            layout(location = 0) in vec3 seen;
            layout(location = 0) out vec4 place;
            void main() { place = vec4(seen, 1); }
            """);

    static final ShaderSource SHADOW =
            new ShaderSource("shadow.vert", ShaderStage.VERTEX, "#version 460\n" + SUN + """
            layout(location = 0) in vec3 place;
            void main() {
                vec3 at = sun(place);
                gl_Position = vec4(at.xy, 0.5 + 0.5 * at.z, 1);
            }
            """);

    static final ShaderSource SCREEN = new ShaderSource("screen.vert", ShaderStage.VERTEX, """
            #version 460
            void main() { gl_Position = vec4(gl_VertexIndex % 2 * 4 - 1, gl_VertexIndex / 2 * 4 - 1, 0, 1); }
            """);

    static final ShaderSource LIGHT =
            new ShaderSource("light.frag", ShaderStage.FRAGMENT, "#version 460\n" + SUN + """
            layout(set = 0, binding = 0) uniform sampler2D places;
            layout(set = 0, binding = 1) uniform sampler2D openness;
            layout(set = 0, binding = 2) uniform sampler2D shadows;
            layout(location = 0) out vec4 color;
            void main() {
                ivec2 pixel = ivec2(gl_FragCoord.xy);
                vec4 place = texelFetch(places, pixel, 0);
                vec3 at = sun(place.xyz);
                ivec2 size = textureSize(shadows, 0);
                ivec2 texel = ivec2((at.xy * 0.5 + 0.5) * vec2(size));
                float lit = 0;
                for (int i = 0; i < 25; i++) {
                    ivec2 near = clamp(texel + ivec2(i % 5 - 2, i / 5 - 2), ivec2(0), size - 1);
                    lit += texelFetch(shadows, near, 0).x + 0.004 > 0.5 + 0.5 * at.z ? 0.04 : 0;
                }
                float open = texelFetch(openness, min(pixel / 2, textureSize(openness, 0) - 1), 0).x;
                color = vec4(place.w > 0 ? vec3(0.7 * lit, 0.3 * open, 0.5 * open) : vec3(0), 1);
            }
            """);

    static final ShaderSource OPENNESS = new ShaderSource("openness.rgen", ShaderStage.RAY_GENERATION, RAYS + """
            layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
            layout(set = 0, binding = 1) uniform sampler2D places;
            layout(set = 0, binding = 2, r32f) uniform writeonly image2D openness;
            layout(location = 0) rayPayloadEXT float escaped;
            void main() {
                ivec2 pixel = ivec2(gl_LaunchIDEXT.xy);
                vec4 place = texelFetch(places, 2 * pixel, 0);
                float open = 0;
                uint number = uint(pixel.x) * 0x9E3779B1u ^ uint(pixel.y) * 0x85EBCA77u;
                for (int i = 0; place.w > 0 && i < 8; i++) {
                    number = number * 747796405u + 2891336453u;
                    vec2 disk = vec2(number >> 16 & 0xFFu, number >> 24) / 128.0 - 1.0;
                    vec3 direction = normalize(vec3(disk.x, 0.4, disk.y));
                    escaped = 0;
                    traceRayEXT(
                            scene,
                            gl_RayFlagsTerminateOnFirstHitEXT | gl_RayFlagsSkipClosestHitShaderEXT,
                            0xFF, 0, 0, 0, place.xyz + vec3(0, 0.003, 0), 0.0, direction, 0.4, 0);
                    open += escaped / 8;
                }
                imageStore(openness, pixel, vec4(open));
            }
            """);

    static final ShaderSource MISS = new ShaderSource("openness.rmiss", ShaderStage.MISS, RAYS + """
            layout(location = 0) rayPayloadInEXT float escaped;
            void main() { escaped = 1; }
            """);

    static final ShaderSource HIT = new ShaderSource("openness.rchit", ShaderStage.CLOSEST_HIT, RAYS + """
            layout(location = 0) rayPayloadInEXT float escaped;
            void main() { escaped = 0; }
            """);

    private RayShaders() {}
}
