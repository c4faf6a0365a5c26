package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.BoundResource.Elements;
import io.frameloom.gpu.pipeline.BoundResource.SampledTexture;
import io.frameloom.gpu.pipeline.BoundResource.StorageTexture;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every bad binding is refused in the same words by all backends, by name and in sets. */
@Timeout(60)
class BindingRulesContractTest {
    private static final String GLSL = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            layout(set = 0, binding = 1) uniform sampler2D picture;
            layout(set = 0, binding = 2, rgba8) uniform image2D image;
            layout(set = 1, binding = 0) uniform Factors { ivec4 factors[4]; };
            layout(set = 1, binding = 1) buffer Parts { int part; } parts[2];
            void main() {
                target[0] = factors[0].x + parts[0].part + parts[1].part + int(texture(picture, vec2(0)).x);
                imageStore(image, ivec2(0), vec4(1));
            }
            """;
    private static final TextureDescription PICTURE =
            TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
    private static final TextureDescription IMAGE =
            TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.STORAGE);

    /** What is wrong, by name, and what the device says of it. */
    private static final class Attempts {
        private final Map<String, String> words = new LinkedHashMap<>();

        void refused(String what, ThrowingCallable attempt) {
            Throwable failure = catchThrowable(attempt);
            assertThat(failure).as(what).isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class);
            words.put(what, failure.getClass().getSimpleName() + ": " + failure.getMessage());
        }
    }

    /** What a device is given. */
    private static final class Things implements AutoCloseable {
        private final CommandRig rig;
        private final CommandRig other = new CommandRig(CommandRig.Backend.VIRTUAL);
        private final ComputePipeline pipeline;
        private final Buffer words;
        private final Buffer plain;
        private final Buffer uniforms;
        private final Texture picture;
        private final Texture image;
        private final Texture wrongFormat;
        private final Texture mips;
        private final TextureView gone;
        private final Sampler sampler;

        Things(CommandRig rig) {
            this.rig = rig;
            pipeline = rig.compute("all", GLSL, invocation -> {});
            words = rig.buffer("words", 4096, BufferUsage.STORAGE);
            plain = rig.buffer("plain", 4096, BufferUsage.COPY_SRC);
            uniforms = rig.buffer("uniforms", 64, BufferUsage.UNIFORM);
            picture = rig.texture("picture", PICTURE);
            image = rig.texture("image", IMAGE);
            wrongFormat =
                    rig.texture("wrong format", TextureDescription.of(4, 4, Format.R32_UINT, TextureUsage.STORAGE));
            mips = rig.texture("mips", IMAGE.withMips(2));
            Texture closed = rig.texture("gone", PICTURE);
            gone = closed.view();
            closed.close();
            sampler = rig.device.sampler(SamplerDescription.NEAREST_CLAMP);
        }

        BindingSet set(int number, Map<String, BoundResource> resources) {
            return rig.device.createBindingSet("set", pipeline, number, resources);
        }

        BufferRange whole(Buffer buffer) {
            return new BufferRange(buffer, 0, buffer.description().bytes());
        }

        @Override
        public void close() {
            other.close();
        }
    }

    private static Map<String, String> byName(CommandRig rig) {
        Attempts attempts = new Attempts();
        try (Things things = new Things(rig)) {
            Buffer foreign = things.other.buffer("foreign", 64, BufferUsage.STORAGE);
            Texture elsewhere = things.other.texture("elsewhere", PICTURE);
            Sampler theirs = things.other.device.sampler(SamplerDescription.NEAREST_CLAMP);
            Sampler sampler = things.sampler;
            Buffer words = things.words;
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            attempts.refused("a buffer before the pipeline", () -> list.bindBuffer("Target", words, 0, 4));
            attempts.refused(
                    "a texture before the pipeline", () -> list.bindTexture("picture", things.picture.view(), sampler));
            attempts.refused(
                    "an image before the pipeline", () -> list.bindStorageTexture("image", things.image.view()));
            list.bindPipeline(things.pipeline);
            attempts.refused("an unknown name", () -> list.bindBuffer("Tarket", words, 0, 4));
            attempts.refused("a texture for a buffer", () -> list.bindStorageTexture("Target", things.image.view()));
            attempts.refused("a buffer for a texture", () -> list.bindBuffer("picture", words, 0, 4));
            attempts.refused("a buffer for an image", () -> list.bindBuffer("image", words, 0, 4));
            attempts.refused("another device's buffer", () -> list.bindBuffer("Target", foreign, 0, 4));
            attempts.refused("another device's texture", () -> list.bindTexture("picture", elsewhere.view(), sampler));
            attempts.refused(
                    "another device's sampler", () -> list.bindTexture("picture", things.picture.view(), theirs));
            attempts.refused("a closed texture", () -> list.bindTexture("picture", things.gone, sampler));
            attempts.refused("a buffer without the usage", () -> list.bindBuffer("Target", things.plain, 0, 4));
            attempts.refused("uniforms without the usage", () -> list.bindBuffer("Factors", words, 0, 64));
            attempts.refused(
                    "a texture without the usage", () -> list.bindTexture("picture", things.image.view(), sampler));
            attempts.refused(
                    "an image without the usage", () -> list.bindStorageTexture("image", things.picture.view()));
            attempts.refused(
                    "an image of another format", () -> list.bindStorageTexture("image", things.wrongFormat.view()));
            attempts.refused("an image of two mips", () -> list.bindStorageTexture("image", things.mips.view()));
            attempts.refused("nothing of a buffer", () -> list.bindBuffer("Target", words, 0, 0));
            attempts.refused("more than a buffer", () -> list.bindBuffer("Target", words, 0, 4100));
            attempts.refused("a negative offset", () -> list.bindBuffer("Target", words, -256, 4));
            attempts.refused("an odd offset", () -> list.bindBuffer("Target", words, 1, 4));
            attempts.refused("an element too far", () -> list.bindBuffer("Parts", 2, words, 0, 4));
            attempts.refused("a negative element", () -> list.bindBuffer("Parts", -1, words, 0, 4));
            attempts.refused("the second of one", () -> list.bindTexture("picture", 1, things.picture.view(), sampler));
            list.end();
            rig.frame.reset();
        }
        return attempts.words;
    }

    private static Map<String, String> inSets(CommandRig rig) {
        Attempts attempts = new Attempts();
        try (Things things = new Things(rig)) {
            BoundResource target = things.whole(things.words);
            BoundResource picture = new SampledTexture(things.picture.view(), things.sampler);
            BoundResource image = new StorageTexture(things.image.view());
            BoundResource factors = things.whole(things.uniforms);
            BoundResource both = new Elements(List.of(target, target));
            attempts.refused("no such set", () -> things.set(7, Map.of("Target", target)));
            attempts.refused("a negative set", () -> things.set(-1, Map.of("Target", target)));
            attempts.refused("nothing", () -> things.set(0, Map.of()));
            attempts.refused("all but one", () -> things.set(0, Map.of("Target", target, "picture", picture)));
            attempts.refused("a name of another set", () -> things.set(1, Map.of("Target", target)));
            attempts.refused("an unknown name", () -> things.set(1, Map.of("Tarket", target)));
            attempts.refused("another kind", () -> things.set(1, Map.of("Factors", image)));
            attempts.refused("one for an array", () -> things.set(1, ordered("Parts", target, "Factors", factors)));
            attempts.refused(
                    "too few for an array",
                    () -> things.set(1, ordered("Parts", new Elements(List.of(target)), "Factors", factors)));
            attempts.refused(
                    "too many for an array",
                    () -> things.set(
                            1, ordered("Parts", new Elements(List.of(target, target, target)), "Factors", factors)));
            attempts.refused(
                    "none for an array",
                    () -> things.set(1, ordered("Parts", new Elements(List.of()), "Factors", factors)));
            attempts.refused(
                    "an array in an array",
                    () -> things.set(1, ordered("Parts", new Elements(List.of(both, target)), "Factors", factors)));
            attempts.refused(
                    "another kind in an array",
                    () -> things.set(1, ordered("Parts", new Elements(List.of(target, image)), "Factors", factors)));
            rig.own(things.set(1, ordered("Parts", both, "Factors", factors)));
        }
        return attempts.words;
    }

    private static Map<String, BoundResource> ordered(
            String name, BoundResource resource, String second, BoundResource other) {
        Map<String, BoundResource> map = new LinkedHashMap<>();
        map.put(name, resource);
        map.put(second, other);
        return map;
    }

    @ParameterizedTest
    @EnumSource
    void namesAreRefusedOneByOne(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            assertThat(byName(rig)).hasSize(24);
            assertThat(inSets(rig)).hasSize(13);
        }
    }

    @Test
    void allBackendsUseTheSameWords() {
        try (CommandRig vulkan = new CommandRig(CommandRig.Backend.VULKAN);
                CommandRig virtual = new CommandRig(CommandRig.Backend.VIRTUAL)) {
            // Offsets are refused by the alignment, which is the device's own.
            String own = "multiple of " + vulkan.device.capabilities().storageAlignment();
            String theirs = "multiple of " + virtual.device.capabilities().storageAlignment();
            Map<String, String> words = byName(vulkan);
            words.replaceAll((what, said) -> said.replace(own, theirs));
            assertThat(words).isEqualTo(byName(virtual));
            assertThat(inSets(vulkan)).isEqualTo(inSets(virtual));
        }
    }
}
