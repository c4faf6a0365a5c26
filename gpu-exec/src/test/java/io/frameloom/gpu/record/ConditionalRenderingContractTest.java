package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.full;
import static io.frameloom.gpu.record.CommandRig.transition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.internal.PassParts;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A word of a buffer decides about draws, dispatches and clears in render passes, on all backends. */
@Timeout(60)
class ConditionalRenderingContractTest {
    private static final int DONE = 7;

    /** Words that are 0 and 5 on the device, and what they decide about. */
    private static final class Scene implements AutoCloseable {
        final HazardChecker checker = new HazardChecker();
        final CommandRig rig;
        final Buffer words;
        final Buffer results;
        final Texture color;
        final RenderingInfo pass;
        final GraphicsPipeline triangle;
        final ComputePipeline done;

        Scene(Backend backend) {
            rig = new CommandRig(backend, checker, Set.of(Capability.CONDITIONAL_RENDERING));
            words = rig.buffer("words", 8, BufferUsage.INDIRECT, BufferUsage.COPY_DST);
            results = rig.buffer(
                    "results",
                    1024,
                    BufferUsage.STORAGE,
                    BufferUsage.INDIRECT,
                    BufferUsage.COPY_SRC,
                    BufferUsage.COPY_DST);
            color = RenderPassScene.color(rig, 1);
            pass = RenderPassScene.pass(color, 1);
            triangle = rig.own(rig.device.createGraphicsPipeline(GraphicsPipelineDescription.of(
                    "everywhere",
                    new ShaderSource("everywhere.vert", ShaderStage.VERTEX, """
                                    #version 450
                                    void main() {
                                        gl_Position =
                                            vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);
                                    }
                                    """),
                    RenderPassScene.FRAGMENT,
                    Format.R8G8B8A8_UNORM)));
            done = rig.compute("done", """
                    #version 450
                    layout(local_size_x = 1) in;
                    layout(set = 0, binding = 0) buffer Result { int result; };
                    void main() { result = 7; }
                    """, invocation -> {
                if (invocation.groupsX() > 0) {
                    invocation.bytes("Result").putInt(0, DONE);
                }
            });
        }

        /** Lets the device write the words, and waits as exactly as a render graph does. */
        void write(CommandList list) {
            list.beginPass("write", List.of(new ResourceUse.OfBuffer(words, 0, 8, Access.COPY_DST, true)));
            list.fillBuffer(words, 0, 4, 0);
            list.fillBuffer(words, 4, 4, 5);
            list.endPass();
            list.barrier(new BarrierBatch(
                    List.of(),
                    List.of(),
                    List.of(new BarrierBatch.GlobalBarrier(new BarrierBatch.Scope(
                            PipelineStage.COPY.bit(),
                            MemoryAccess.COPY_WRITE.bit(),
                            PipelineStage.DRAW_INDIRECT.bit(),
                            MemoryAccess.INDIRECT_READ.bit())))));
        }

        /** Opens a pass that reads the words, writes the results and draws. */
        void begin(CommandList list, ResourceUse... more) {
            List<ResourceUse> uses = new ArrayList<>(List.of(more));
            uses.add(new ResourceUse.OfBuffer(words, 0, 8, Access.INDIRECT, false));
            list.beginPass("conditional", uses);
        }

        ResourceUse draws() {
            return new ResourceUse.OfTexture(
                    color, SubresourceRange.mip(0), Access.COLOR_WRITE, true, TextureLayout.COLOR);
        }

        int[] texels() {
            return read((list, readback) -> list.copyTextureToBuffer(color, 0, 0, readback, 0));
        }

        int[] results() {
            return read((list, readback) -> {
                for (int i = 0; i < 3; i++) {
                    list.copyBuffer(results, 256L * i, readback, 4L * i, 4);
                }
            });
        }

        private int[] read(BiConsumer<CommandList, Buffer> copy) {
            Buffer readback = rig.readback(64);
            rig.execute(list -> {
                full(list);
                copy.accept(list, readback);
                full(list);
            });
            return CommandRig.words(readback);
        }

        /** Draws to the texture as recorded, and returns whether each texel is still black. */
        boolean staysBlack(Consumer<CommandList> body) {
            rig.execute(list -> {
                write(list);
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                begin(list, draws());
                body.accept(list);
                list.endPass();
                transition(list, color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
            });
            int[] texels = texels();
            boolean black = texels[0] == 0;
            assertThat(IntStream.of(texels)).allMatch(texel -> (texel == 0) == black);
            return black;
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    /** Each case: the offset of the word, 0 or 5, and whether its meaning is inverted. */
    private static void eachCase(Case each) {
        for (int offset = 0; offset <= 4; offset += 4) {
            each.run(offset, false, offset == 4);
            each.run(offset, true, offset == 0);
        }
    }

    private interface Case {
        void run(int offset, boolean inverted, boolean done);
    }

    @ParameterizedTest
    @EnumSource
    void dispatchesAreLeftOut(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            eachCase((offset, inverted, done) -> {
                scene.rig.execute(list -> {
                    list.beginPass(
                            "fill", List.of(new ResourceUse.OfBuffer(scene.results, 0, 1024, Access.COPY_DST, true)));
                    list.fillBuffer(scene.results, 0, 1024, 1);
                    list.endPass();
                    full(list);
                    scene.write(list);
                    scene.begin(
                            list,
                            new ResourceUse.OfBuffer(scene.results, 0, 768, Access.STORAGE_WRITE_COMPUTE, false),
                            new ResourceUse.OfBuffer(scene.results, 768, 12, Access.INDIRECT, false));
                    list.bindPipeline(scene.done);
                    list.beginConditionalRendering(scene.words, offset, inverted);
                    list.bindBuffer("Result", scene.results, 0, 4);
                    list.dispatch(1, 1, 1);
                    list.endConditionalRendering();
                    list.bindBuffer("Result", scene.results, 256, 4);
                    list.dispatch(1, 1, 1);
                    list.beginConditionalRendering(scene.words, offset, inverted);
                    list.bindBuffer("Result", scene.results, 512, 4);
                    list.dispatchIndirect(scene.results, 768);
                    list.endConditionalRendering();
                    list.endPass();
                });
                int expected = done ? DONE : 1;
                assertThat(scene.results()).startsWith(expected, DONE, expected);
            });
            assertThat(scene.checker.hazards()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void drawsAreLeftOut(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            eachCase((offset, inverted, done) -> assertThat(scene.staysBlack(list -> {
                        list.beginRendering(scene.pass);
                        list.beginConditionalRendering(scene.words, offset, inverted);
                        list.bindPipeline(scene.triangle);
                        list.draw(3, 1, 0, 0);
                        list.endConditionalRendering();
                        list.endRendering();
                    }))
                    .as("word at %d, inverted %b", offset, inverted)
                    .isEqualTo(!done));
            assertThat(scene.checker.hazards()).isEmpty();
        }
    }

    /** Only what is drawn and cleared in it, not the render pass and its load. */
    @ParameterizedTest
    @EnumSource
    void clearsAreLeftOutAndRenderPassesAreNot(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            ClearColor white = new ClearColor(1, 1, 1, 1);
            eachCase((offset, inverted, done) -> assertThat(scene.staysBlack(list -> {
                        list.beginConditionalRendering(scene.words, offset, inverted);
                        list.beginRendering(scene.pass);
                        list.clearColorAttachment(0, white, 0, 0, 4, 4);
                        list.endRendering();
                        list.endConditionalRendering();
                    }))
                    .as("word at %d, inverted %b", offset, inverted)
                    .isEqualTo(!done));
        }
    }

    /** What is drawn besides is drawn whatever the condition says. */
    @ParameterizedTest
    @EnumSource
    void otherDrawsAreDone(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            assertThat(scene.staysBlack(list -> {
                        list.beginRendering(scene.pass);
                        list.bindPipeline(scene.triangle);
                        list.beginConditionalRendering(scene.words, 0, false);
                        list.draw(3, 1, 0, 0);
                        list.endConditionalRendering();
                        list.draw(3, 1, 0, 0);
                        list.endRendering();
                    }))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void secondaryListsHaveConditionsOfTheirOwn(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            eachCase((offset, inverted, done) -> assertThat(scene.staysBlack(list -> {
                        CommandList part = scene.rig.frame.beginSecondary(
                                scene.rig.queue(), "part", scene.pass.formats(), List.of());
                        part.setViewport(0, 0, 4, 4);
                        part.setScissor(0, 0, 4, 4);
                        part.bindPipeline(scene.triangle);
                        part.beginConditionalRendering(scene.words, offset, inverted);
                        part.draw(3, 1, 0, 0);
                        assertThatThrownBy(part::end).hasMessageContaining("a condition is still open");
                        part.endConditionalRendering();
                        part.end();
                        list.beginRendering(scene.pass.withSecondaries());
                        list.execute(List.of(part));
                        list.endRendering();
                    }))
                    .as("word at %d, inverted %b", offset, inverted)
                    .isEqualTo(!done));
        }
    }

    @ParameterizedTest
    @EnumSource
    void conditionsEndWhereTheyBegan(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            scene.rig.execute(list -> inEachPlace(scene, list, scene.words));
        }
    }

    private static void inEachPlace(Scene scene, CommandList list, Buffer words) {
        refused(list::endConditionalRendering, "no condition is open; call beginConditionalRendering first");
        scene.write(list);
        transition(list, scene.color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
        String open = "a condition is still open; call endConditionalRendering before";
        list.beginConditionalRendering(words, 0, false);
        refused(() -> scene.begin(list), open);
        refused(() -> list.beginConditionalRendering(words, 0, false), open);
        refused(list::end, open);
        refused(() -> list.execute(List.of()), open);
        list.beginRendering(scene.pass);
        refused(list::endConditionalRendering, "begun outside of the render pass or part that is open now");
        list.endRendering();
        list.endConditionalRendering();
        scene.begin(list, scene.draws());
        list.beginConditionalRendering(words, 0, false);
        refused(list::endPass, open);
        list.endConditionalRendering();
        list.beginRendering(scene.pass);
        ((PassParts) list).beginPart();
        list.beginConditionalRendering(words, 0, false);
        refused(((PassParts) list)::endPart, open);
        refused(list::endRendering, open);
        list.endConditionalRendering();
        ((PassParts) list).endPart();
        list.endRendering();
        list.endPass();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNoConditionIsRefusedByName(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Buffer copied = scene.rig.buffer("copied", 64, BufferUsage.COPY_SRC);
            scene.rig.execute(list -> {
                refused(() -> list.beginConditionalRendering(copied, 0, false), "'copied'", "INDIRECT");
                refused(() -> list.beginConditionalRendering(scene.words, 2, false), "'words'", "multiples of 4");
                refused(() -> list.beginConditionalRendering(scene.words, 8, false), "'words'", "8 bytes");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void devicesWithoutTheCapabilitySayWhatToDo(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer words = rig.buffer("words", 8, BufferUsage.INDIRECT);
            rig.execute(list -> refused(
                    () -> list.beginConditionalRendering(words, 0, false),
                    "beginConditionalRendering in command list 'list' needs CONDITIONAL_RENDERING, which is off in device '",
                    "open the device with DeviceOptions.require"));
        }
    }

    private static void refused(ThrowingCallable command, String... message) {
        assertThatThrownBy(command).isInstanceOf(RuntimeException.class).hasMessageContainingAll(message);
    }

    @Test
    void anotherAccessIsNamedWithTheOneThatIsMissing() {
        try (Scene scene = new Scene(Backend.VIRTUAL)) {
            Buffer stored = scene.rig.buffer("stored", 8, BufferUsage.STORAGE);
            scene.rig.execute(list -> {
                list.beginPass(
                        "conditional",
                        List.of(new ResourceUse.OfBuffer(stored, 0, 8, Access.STORAGE_READ_COMPUTE, false)));
                assertThatThrownBy(() -> list.beginConditionalRendering(stored, 0, false))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageEndingWith(": buffer 'stored' was created without usage INDIRECT; add it to its"
                                + " description, or declare an access of usage INDIRECT in pass 'conditional' of the"
                                + " render graph (it declares STORAGE_READ_COMPUTE)");
                list.endPass();
            });
        }
    }

    /** Without a barrier, and without a declaration. */
    @Test
    void theCheckerFindsConditionsThatNothingOrders() {
        try (Scene scene = new Scene(Backend.VIRTUAL)) {
            scene.rig.execute(list -> {
                list.beginPass("write", List.of(new ResourceUse.OfBuffer(scene.words, 0, 8, Access.COPY_DST, true)));
                list.fillBuffer(scene.words, 0, 8, 1);
                list.endPass();
                scene.begin(list);
                list.endPass();
            });
            assertThat(scene.checker.hazards())
                    .singleElement()
                    .asString()
                    .contains("words", "conditional", "write", "INDIRECT");
        }
        try (Scene scene = new Scene(Backend.VIRTUAL)) {
            scene.rig.execute(list -> {
                scene.write(list);
                list.beginPass("hidden", List.of());
                list.beginConditionalRendering(scene.words, 0, false);
                list.endConditionalRendering();
                list.endPass();
            });
            assertThat(scene.checker.undeclared()).singleElement().asString().contains("words", "hidden");
        }
    }
}
