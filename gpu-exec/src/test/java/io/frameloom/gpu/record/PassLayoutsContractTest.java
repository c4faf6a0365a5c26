package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.full;
import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.BoundResource.SampledTexture;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever is bound and copied is taken to be in the layout that the pass of the draw, dispatch or copy declares; on Vulkan
 * the validation layer holds it against the one that barriers left.
 */
@Timeout(60)
class PassLayoutsContractTest {
    private static final Set<TextureUsage> ALL =
            EnumSet.of(TextureUsage.SAMPLED, TextureUsage.STORAGE, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
    private static final TextureDescription PICTURE =
            TextureDescription.of(4, 4, Format.R32_SFLOAT, TextureUsage.SAMPLED).withUsage(ALL);

    private static final String READING = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform sampler2D picture;
            layout(set = 1, binding = 0) buffer Target { float target[]; };
            layout(push_constant) uniform Push { int index; };
            void main() { target[index] = texelFetch(picture, ivec2(0), 0).x; }
            """;
    private static final CpuKernel READ = invocation -> {
        float texel = invocation.bytes("picture").getFloat(0);
        invocation.bytes("Target").putFloat(4 * invocation.pushConstants().getInt(0), texel);
    };
    private static final String STORING = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0, r32f) uniform image2D picture;
            void main() { imageStore(picture, ivec2(0), vec4(3)); }
            """;

    private static ResourceUse use(Texture texture, Access access, TextureLayout layout) {
        return use(texture, SubresourceRange.all(texture.description()), access, layout);
    }

    private static ResourceUse use(Texture texture, SubresourceRange range, Access access, TextureLayout layout) {
        return new ResourceUse.OfTexture(texture, range, access, false, layout);
    }

    /** A pipeline that reads the first texel of a picture, and what it is run with. */
    private static final class Scene implements AutoCloseable {
        private final CommandRig rig;
        private final ComputePipeline reading;
        private final Buffer target;
        private final Buffer readback;
        private final Sampler sampler;

        Scene(Backend backend) {
            rig = new CommandRig(backend);
            reading = rig.compute("reading", READING, READ);
            target = rig.buffer("target", 32, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
            readback = rig.readback(32);
            sampler = rig.device.sampler(SamplerDescription.NEAREST_CLAMP);
        }

        Texture picture(String name) {
            return rig.texture(name, PICTURE);
        }

        BindingSet set(String name, TextureView view) {
            return rig.own(rig.device.createBindingSet(
                    name, reading, 0, Map.<String, BoundResource>of("picture", new SampledTexture(view, sampler))));
        }

        BindingSet targets() {
            return rig.own(rig.device.createBindingSet(
                    "targets", reading, 1, Map.<String, BoundResource>of("Target", new BufferRange(target, 0, 32))));
        }

        ResourceUse written() {
            return new ResourceUse.OfBuffer(target, 0, 32, Access.STORAGE_READ_WRITE_COMPUTE, false);
        }

        void dispatch(CommandList list, int index) {
            list.pushConstants(ByteBuffer.allocateDirect(4)
                    .order(java.nio.ByteOrder.nativeOrder())
                    .putInt(0, index));
            list.dispatch(1, 1, 1);
        }

        float[] results(int count) {
            float[] results = new float[count];
            for (int i = 0; i < count; i++) {
                results[i] = Float.intBitsToFloat(words(readback)[i]);
            }
            return results;
        }

        /** Reads the target at the end of a list. */
        void read(CommandList list) {
            full(list);
            list.copyBuffer(target, 0, readback, 0, 32);
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    private static void fill(CommandList list, Texture texture, float value, TextureLayout next) {
        transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
        list.clearTexture(texture, SubresourceRange.all(texture.description()), new ClearColor(value, 0, 0, 0));
        transition(list, texture, TextureLayout.TRANSFER_DST, next);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aBindingSetIsReadInTheLayoutThatThePassDeclares(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture one = scene.picture("one");
            Texture two = scene.picture("two");
            BindingSet ofOne = scene.set("of one", one.view());
            BindingSet ofTwo = scene.set("of two", two.view());
            BindingSet targets = scene.targets();
            scene.rig.execute(list -> {
                fill(list, one, 1, TextureLayout.GENERAL);
                fill(list, two, 2, TextureLayout.SHADER_RO);
                list.beginPass(
                        "general",
                        List.of(
                                use(one, Access.SAMPLED_COMPUTE, TextureLayout.GENERAL),
                                use(two, Access.SAMPLED_COMPUTE, TextureLayout.SHADER_RO),
                                scene.written()));
                list.bindPipeline(scene.reading);
                list.bindSet(targets);
                list.bindSet(ofOne);
                scene.dispatch(list, 0);
                list.bindSet(ofTwo);
                full(list);
                scene.dispatch(list, 1);
                list.bindSet(ofOne);
                full(list);
                scene.dispatch(list, 2);
                list.endPass();
                transition(list, one, TextureLayout.GENERAL, TextureLayout.SHADER_RO);
                list.beginPass(
                        "shader", List.of(use(one, Access.SAMPLED_COMPUTE, TextureLayout.SHADER_RO), scene.written()));
                scene.dispatch(list, 3);
                list.endPass();
                scene.read(list);
            });
            assertThat(scene.results(4)).containsExactly(1, 2, 1, 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aBindingByNameIsReadInTheLayoutOfThePassThatDispatches(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture picture = scene.picture("picture");
            scene.rig.execute(list -> {
                fill(list, picture, 5, TextureLayout.GENERAL);
                list.bindPipeline(scene.reading);
                list.bindTexture("picture", picture.view(), scene.sampler);
                list.bindBuffer("Target", scene.target, 0, 32);
                list.beginPass(
                        "general",
                        List.of(use(picture, Access.SAMPLED_COMPUTE, TextureLayout.GENERAL), scene.written()));
                scene.dispatch(list, 0);
                list.endPass();
                transition(list, picture, TextureLayout.GENERAL, TextureLayout.SHADER_RO);
                list.beginPass(
                        "shader",
                        List.of(use(picture, Access.SAMPLED_COMPUTE, TextureLayout.SHADER_RO), scene.written()));
                scene.dispatch(list, 1);
                list.endPass();
                full(list);
                scene.dispatch(list, 2);
                scene.read(list);
            });
            assertThat(scene.results(3)).containsExactly(5, 5, 5);
        }
    }

    /** Of secondary lists the layouts are those given at their begin, until they open passes of their own. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void aSecondaryListHasTheLayoutsOfItsUses(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture picture = scene.picture("picture");
            BindingSet ofPicture = scene.set("of picture", picture.view());
            List<ResourceUse> uses =
                    List.of(use(picture, Access.SAMPLED_COMPUTE, TextureLayout.GENERAL), scene.written());
            CommandList part = scene.rig.frame.beginSecondary(scene.rig.queue(), "part", null, uses);
            part.bindPipeline(scene.reading);
            part.bindSet(ofPicture);
            part.bindBuffer("Target", scene.target, 0, 32);
            scene.dispatch(part, 0);
            part.end();
            scene.rig.execute(list -> {
                fill(list, picture, 7, TextureLayout.GENERAL);
                list.beginPass("primary", uses);
                list.execute(List.of(part));
                list.endPass();
                scene.read(list);
            });
            assertThat(scene.results(1)).containsExactly(7);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatThePassHasInAnotherLayoutIsNotRead(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture picture = scene.picture("picture");
            BindingSet ofPicture = scene.set("of picture", picture.view());
            ComputePipeline storing = scene.rig.compute("storing", STORING, invocation -> {});
            CommandList list = scene.rig.frame.beginCommands(scene.rig.queue(), "list");
            list.beginPass(
                    "copies", List.of(use(picture, Access.COPY_SRC, TextureLayout.TRANSFER_SRC), scene.written()));
            list.bindPipeline(scene.reading);
            list.bindBuffer("Target", scene.target, 0, 32);
            list.bindTexture("picture", picture.view(), scene.sampler);
            assertThatThrownBy(() -> scene.dispatch(list, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("dispatch in command list 'list'")
                    .hasMessageContaining("texture 'picture' in layout TRANSFER_SRC")
                    .hasMessageContaining("cannot be sampled");
            list.bindPipeline(scene.reading);
            list.bindBuffer("Target", scene.target, 0, 32);
            list.bindSet(ofPicture);
            assertThatThrownBy(() -> scene.dispatch(list, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("texture 'picture' in layout TRANSFER_SRC")
                    .hasMessageContaining("cannot be sampled");
            list.endPass();
            list.beginPass("samples", List.of(use(picture, Access.SAMPLED_COMPUTE, TextureLayout.SHADER_RO)));
            list.bindPipeline(storing);
            list.bindStorageTexture("picture", picture.view());
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("texture 'picture' in layout SHADER_RO")
                    .hasMessageContaining("cannot be storage");
            list.endPass();
            list.end();
            scene.rig.frame.reset();
        }
    }

    private static TextureRegion left(Texture texture) {
        return TextureRegion.mip(texture.description(), 0).withRectangle(0, 0, 2, 4);
    }

    private static TextureRegion right(Texture texture) {
        return TextureRegion.mip(texture.description(), 0).withRectangle(2, 0, 2, 4);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void copiesWithinASubresourceAreOfTheGeneralLayout(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture picture = scene.picture("picture");
            Buffer source = scene.rig.upload(new int[] {1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8, 0, 0});
            Buffer copied = scene.rig.readback(64);
            scene.rig.execute(list -> {
                transition(list, picture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                list.copyBufferToTexture(source, 0, picture, 0, 0);
                transition(list, picture, TextureLayout.TRANSFER_DST, TextureLayout.GENERAL);
                list.copyTexture(picture, left(picture), picture, right(picture));
                list.beginPass(
                        "both",
                        List.of(
                                use(picture, Access.COPY_SRC, TextureLayout.GENERAL),
                                use(picture, Access.COPY_DST, TextureLayout.GENERAL)));
                full(list);
                list.blitTexture(picture, right(picture), picture, left(picture), Filter.NEAREST);
                assertThatThrownBy(() -> list.copyTexture(
                                picture, left(picture), picture, left(picture).withRectangle(1, 0, 2, 4)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("overlap");
                list.endPass();
                transition(list, picture, TextureLayout.GENERAL, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(picture, 0, 0, copied, 0);
            });
            assertThat(words(copied)).containsExactly(1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6, 7, 8, 7, 8);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void copiesAreBetweenLayoutsThatCanBeCopied(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture picture = scene.picture("picture");
            Texture other = scene.picture("other");
            Texture third = scene.picture("third");
            TextureRegion all = TextureRegion.mip(PICTURE, 0);
            Buffer bytes = scene.rig.buffer("bytes", 64, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
            CommandList list = scene.rig.frame.beginCommands(scene.rig.queue(), "list");
            list.beginPass(
                    "one way",
                    List.of(
                            use(picture, Access.COPY_SRC, TextureLayout.TRANSFER_SRC),
                            use(other, Access.COPY_DST, TextureLayout.TRANSFER_DST)));
            refused("copyTexture", "picture", "TRANSFER_SRC", () -> list.copyTexture(third, picture));
            refused("copyTexture", "other", "TRANSFER_DST", () -> list.copyTexture(other, third));
            refused(
                    "copyTexture",
                    "picture",
                    "GENERAL",
                    () -> list.copyTexture(picture, left(picture), picture, right(picture)));
            refused(
                    "blitTexture",
                    "picture",
                    "GENERAL",
                    () -> list.blitTexture(picture, left(picture), picture, right(picture), Filter.NEAREST));
            refused(
                    "copyBufferToTexture",
                    "picture",
                    "TRANSFER_SRC",
                    () -> list.copyBufferToTexture(bytes, 0, picture, 0, 0));
            refused(
                    "copyTextureToBuffer",
                    "other",
                    "TRANSFER_DST",
                    () -> list.copyTextureToBuffer(other, 0, 0, bytes, 0));
            refused(
                    "clearTexture",
                    "picture",
                    "TRANSFER_SRC",
                    () -> list.clearTexture(picture, SubresourceRange.mip(0), ClearColor.BLACK_TRANSPARENT));
            refused(
                    "blitTexture",
                    "other",
                    "TRANSFER_DST",
                    () -> list.blitTexture(other, all, third, all, Filter.NEAREST));
            list.copyTexture(picture, other);
            list.endPass();
            list.end();
            scene.rig.frame.reset();
        }
    }

    private static void refused(
            String command, String texture, String layout, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(command + " in command list 'list'")
                .hasMessageContaining("texture '" + texture + "'")
                .hasMessageContaining(layout);
    }
}
