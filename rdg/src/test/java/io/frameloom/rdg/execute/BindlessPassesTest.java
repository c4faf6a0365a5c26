package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Passes whose shaders take numbers of a bindless table. */
@Timeout(60)
class BindlessPassesTest {
    private static final ShaderSource SUM = new ShaderSource("sum.comp", ShaderStage.COMPUTE, """
            #version 450
            #extension GL_EXT_nonuniform_qualifier : require
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform texture2D textures[];
            layout(set = 0, binding = 1) uniform sampler samplers[];
            layout(set = 0, binding = 3) readonly buffer Words { uint words[]; } buffers[];
            layout(set = 1, binding = 0) buffer Sums { uint sums[]; };
            layout(push_constant) uniform Numbers { uint picture; uint edge; uint from; uint at; };
            void main() {
                uint texel = packUnorm4x8(textureLod(sampler2D(textures[picture], samplers[edge]), vec2(0.5), 0.0));
                sums[at] = texel + buffers[from].words[0];
            }
            """);

    /** A table with a texture and buffers that the graph changes in each frame. */
    private static final class Scene implements AutoCloseable {
        final DeviceRig rig;
        final BindlessTable table;
        final Texture picture;
        final Buffer from;
        final Buffer to;
        final ComputePipeline sum;
        final ByteBuffer numbers = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());

        Scene(DeviceRig rig) {
            this.rig = rig;
            table = rig.device.createBindlessTable("everything");
            picture = rig.device.createTexture(
                    "picture",
                    TextureDescription.of(2, 2, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST));
            BufferDescription words =
                    BufferDescription.device(256, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
            from = rig.device.createBuffer("from", words);
            to = rig.device.createBuffer("to", words);
            sum = rig.device.createComputePipeline(new ComputePipelineDescription("sum", SUM, invocation -> {
                ByteBuffer push = invocation.pushConstants();
                int texel = invocation.bytes("textures", push.getInt(0)).getInt(0);
                int word = invocation.bytes("Words", push.getInt(8)).getInt(0);
                invocation.bytes("Sums").putInt(4 * push.getInt(12), texel + word);
            }));
            BindlessSlot[] slots = {
                table.sampledTexture(picture.view()),
                table.sampler(rig.device.sampler(SamplerDescription.NEAREST_CLAMP)),
                table.storageBuffer(from, 0, 256)
            };
            for (BindlessSlot slot : slots) {
                numbers.putInt(slot.index());
            }
        }

        void dispatch(CommandList list, int at) {
            list.bindPipeline(sum);
            list.bindBuffer("Sums", to, 0, 256);
            // Parts are recorded at the same time.
            ByteBuffer own = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
            list.pushConstants(own.put(0, numbers, 0, 12).putInt(12, at));
            list.dispatch(1, 1, 1);
        }

        /** Returns what two parts of a pass have written that takes what two passes before it have changed. */
        int[] run(RenderGraph graph, boolean declares) {
            RdgTexture seen = graph.registerExternal(picture, TextureLayout.UNDEFINED);
            RdgBuffer read = graph.registerExternal(from);
            RdgBuffer written = graph.registerExternal(to);
            ClearPasses.texture(graph, seen, new ClearColor(1, 0, 0, 0));
            ClearPasses.buffer(graph, read, 0x100);
            PassBuilder pass = graph.addPass("sum", PassKind.COMPUTE)
                    .readsTable(table)
                    .overwrites(written, 0, 8, Access.STORAGE_WRITE_COMPUTE);
            if (declares) {
                pass.reads(seen, Access.SAMPLED_COMPUTE).reads(read, Access.STORAGE_READ_COMPUTE);
            }
            pass.recordParts(2, (context, part) -> dispatch(context.commands(), part));
            RdgReadback back = ReadbackPasses.buffer(graph, written.view(0, 8));
            rig.executor.execute(rig.compile(graph)).completed().await();
            ByteBuffer bytes = back.bytes().join().order(ByteOrder.nativeOrder());
            return new int[] {bytes.getInt(0), bytes.getInt(4)};
        }

        @Override
        public void close() {
            table.close();
            sum.close();
            picture.close();
            from.close();
            to.close();
        }
    }

    private static DeviceRig rig(TestDevice device) {
        return device.rig(RdgOptions.defaults().withPassLimits(1, 2).withDebug(true), Capability.DESCRIPTOR_INDEXING);
    }

    /** In each of several frames, whose numbers stay the same. */
    @ParameterizedTest
    @EnumSource
    void partsOfAPassTakeWhatItDeclares(TestDevice device) {
        try (DeviceRig rig = rig(device);
                Scene scene = new Scene(rig)) {
            for (int frame = 0; frame < 3; frame++) {
                assertThat(scene.run(new RenderGraph("frame"), true)).containsExactly(0x1ff, 0x1ff);
            }
            rig.assertClean();
        }
    }

    @Test
    void whatAPassDoesNotDeclareIsFound() {
        try (DeviceRig rig = rig(TestDevice.VIRTUAL);
                Scene scene = new Scene(rig)) {
            scene.run(new RenderGraph("frame"), false);
            assertThat(rig.hazards())
                    .extracting(Hazard::kind, Hazard::resource, Hazard::secondPass)
                    .contains(
                            tuple(Hazard.Kind.WRONG_LAYOUT, "picture", "sum"),
                            tuple(Hazard.Kind.READ_AFTER_WRITE, "from", "sum"));
        }
    }

    /** The table is bound for the pass that says so, and for no other one of its command list. */
    @Test
    void aPassThatDoesNotSaySoHasNoTable() {
        try (DeviceRig rig = rig(TestDevice.VIRTUAL);
                Scene scene = new Scene(rig)) {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer written = graph.registerExternal(scene.to);
            graph.addPass("reading", PassKind.COMPUTE)
                    .readsTable(scene.table)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            graph.addPass("silent", PassKind.COMPUTE)
                    .overwrites(written, Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> scene.dispatch(context.commands(), 0));
            assertThatThrownBy(() ->
                            rig.executor.execute(rig.compile(graph)).completed().await())
                    .hasStackTraceContaining("recording pass 'silent'")
                    .hasStackTraceContaining("pipeline 'sum' takes a bindless table as set 0, and none is bound");
        }
    }

    @Test
    void badDeclarationsAreRefusedByName() {
        try (DeviceRig rig = rig(TestDevice.VIRTUAL);
                Scene scene = new Scene(rig);
                BindlessTable other = rig.device.createBindlessTable("other")) {
            RenderGraph graph = new RenderGraph("frame");
            PassBuilder twice = graph.addPass("twice", PassKind.COMPUTE).readsTable(scene.table);
            assertThatThrownBy(() -> twice.readsTable(other))
                    .isInstanceOf(RdgException.class)
                    .hasMessageStartingWith("pass 'twice' of graph 'frame'")
                    .hasMessageEndingWith(" cannot read bindless table 'other': it reads table 'everything' already,"
                            + " and a pipeline takes one");
            assertThatThrownBy(() -> twice.recordNative((commands, context) -> {}))
                    .isInstanceOf(RdgException.class)
                    .hasMessageEndingWith(" reads bindless table 'everything' and records native commands, which bind"
                            + " their sets themselves; remove one");
            assertThatThrownBy(() -> graph.addPass("copies", PassKind.COPY).readsTable(other))
                    .isInstanceOf(RdgException.class)
                    .hasMessageEndingWith(" cannot read bindless table 'other': it is a COPY pass, without shaders");
            assertThatThrownBy(() -> graph.hostPass("host").readsTable(other))
                    .hasMessageEndingWith("it is a HOST pass, without shaders");
        }
    }

    @Test
    void aTableThatIsClosedFailsTheFrameByName() {
        try (DeviceRig rig = rig(TestDevice.VIRTUAL);
                Scene scene = new Scene(rig)) {
            BindlessTable gone = rig.device.createBindlessTable("gone");
            gone.close();
            RenderGraph graph = new RenderGraph("frame");
            graph.addPass("late", PassKind.COMPUTE)
                    .readsTable(gone)
                    .overwrites(graph.registerExternal(scene.to), Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> {});
            assertThatThrownBy(() ->
                            rig.executor.execute(rig.compile(graph)).completed().await())
                    .hasStackTraceContaining("recording pass 'late'")
                    .hasStackTraceContaining("bindless table 'gone' is closed");
        }
    }
}
