package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A device with textures and samplers, and shaders that take them separately. */
final class SeparateSamplersRig implements AutoCloseable {
    private static final String HEAD = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { vec4 target; int index; };
            """;
    /** Samples one of each. */
    static final String ONE = HEAD + """
            layout(set = 0, binding = 1) uniform texture2D picture;
            layout(set = 1, binding = 0) uniform sampler how;
            void main() { target = textureLod(sampler2D(picture, how), vec2(0.5), 0); }
            """;
    /** Compares with one sampler, samples with another. */
    static final String SHADOW = HEAD + """
            layout(set = 0, binding = 1) uniform texture2D depth;
            layout(set = 0, binding = 2) uniform samplerShadow less;
            layout(set = 0, binding = 3) uniform sampler how;
            void main() {
                target = vec4(texture(sampler2DShadow(depth, less), vec3(0.5)))
                    + textureLod(sampler2D(depth, how), vec2(0.5), 0);
            }
            """;
    /** Samples words with the first sampler, colours with the second. */
    static final String PAIRS = HEAD + """
            layout(set = 0, binding = 1) uniform utexture2D words;
            layout(set = 0, binding = 2) uniform texture2D colors;
            layout(set = 0, binding = 3) uniform sampler first;
            layout(set = 0, binding = 4) uniform sampler second;
            void main() {
                target = vec4(texture(usampler2D(words, first), vec2(0.5)))
                    + textureLod(sampler2D(colors, second), vec2(0.5), 0);
            }
            """;
    /** Which element, every pipeline says anew. */
    static final String MANY = HEAD + """
            layout(constant_id = 0) const int number = 2;
            layout(set = 0, binding = 1) uniform texture2D many[3];
            layout(set = 1, binding = 0) uniform sampler several[2];
            void main() { target = textureLod(sampler2D(many[number], several[1]), vec2(0.5), 0); }
            """;
    /** Compares with one of the samplers. */
    static final String SHADOWS = HEAD + """
            layout(constant_id = 0) const int number = 2;
            layout(set = 0, binding = 1) uniform texture2D many[3];
            layout(set = 1, binding = 0) uniform samplerShadow several[2];
            void main() { target = vec4(texture(sampler2DShadow(many[number], several[1]), vec3(0.5))); }
            """;

    static final TextureDescription COLOR = TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
    private static final TextureDescription WORDS = TextureDescription.of(8, 8, Format.R32_UINT, TextureUsage.SAMPLED);
    private static final TextureDescription DEPTH =
            TextureDescription.of(8, 8, Format.D32_SFLOAT, TextureUsage.SAMPLED, TextureUsage.DEPTH_ATTACHMENT);

    final CommandRig rig;
    final CommandRig other = new CommandRig(Backend.VIRTUAL);
    final Buffer target;
    final Texture color;
    final Texture words;
    final Texture depth;
    final Sampler nearest;
    final Sampler linear;
    final Sampler shadow;
    /** What is wrong, and what the device says of it. */
    final Map<String, String> said = new LinkedHashMap<>();

    SeparateSamplersRig(Backend backend) {
        rig = new CommandRig(backend);
        target = rig.buffer("target", 32, BufferUsage.STORAGE);
        color = rig.texture("color", COLOR);
        words = rig.texture("words", WORDS);
        depth = rig.texture("depth", DEPTH);
        nearest = rig.device.sampler(SamplerDescription.NEAREST_CLAMP);
        linear = rig.device.sampler(SamplerDescription.LINEAR_CLAMP);
        shadow = rig.device.sampler(SamplerDescription.SHADOW);
    }

    BoundResource range() {
        return new BufferRange(target, 0, 32);
    }

    ComputePipeline pipeline(String name, String glsl) {
        return rig.compute(name, glsl, invocation -> {});
    }

    CommandList list(ComputePipeline pipeline) {
        CommandList list = rig.frame.beginCommands(rig.queue(), "list");
        list.bindPipeline(pipeline);
        list.bindBuffer("Target", target, 0, 32);
        return list;
    }

    void refused(String what, ThrowingCallable attempt, String... words) {
        Throwable failure = catchThrowable(attempt);
        assertThat(failure)
                .as(what)
                .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class)
                .message()
                .contains(words);
        said.put(what, failure.getClass().getSimpleName() + ": " + failure.getMessage());
    }

    void end(CommandList list) {
        list.end();
        rig.frame.reset();
    }

    @Override
    public void close() {
        rig.close();
        other.close();
    }
}
