package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.Closings;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kernels take numbers of bindless tables, and the checker finds those that they must not take. */
@Timeout(60)
class VirtualBindlessTest {
    private static final String ADD = """
            #version 450
            #extension GL_EXT_nonuniform_qualifier : require
            layout(local_size_x = 1) in;
            layout(set = 1, binding = 3) buffer Words { uint words[]; } buffers[];
            layout(push_constant) uniform Numbers { uint from; uint to; };
            void main() { buffers[to].words[0] += buffers[from].words[0]; }
            """;

    private static final String SAMPLE = """
            #version 450
            #extension GL_EXT_nonuniform_qualifier : require
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Result { uint result; };
            layout(set = 1, binding = 0) uniform texture2D textures[];
            layout(set = 1, binding = 1) uniform sampler samplers[];
            layout(push_constant) uniform Numbers { uint texture_; uint sampler_; };
            void main() {
                result = packUnorm4x8(textureLod(sampler2D(textures[texture_], samplers[sampler_]), vec2(0.5), 0.0));
            }
            """;

    private final HazardChecker checker = new HazardChecker();
    private final VirtualRig rig = new VirtualRig(1, 1, checker);
    private final BindlessTable table = rig.keep(rig.device.createBindlessTable("everything"));
    private final ComputePipeline adding = rig.pipeline("add", ADD, invocation -> {
        ByteBuffer numbers = invocation.pushConstants();
        ByteBuffer to = invocation.bytes("Words", numbers.getInt(4));
        to.putInt(0, to.getInt(0) + invocation.bytes("Words", numbers.getInt(0)).getInt(0));
    });

    @AfterEach
    void close() {
        rig.close();
    }

    private static ByteBuffer numbers(int... numbers) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(4 * numbers.length).order(ByteOrder.nativeOrder());
        for (int number : numbers) {
            bytes.putInt(number);
        }
        return bytes.flip();
    }

    private Buffer filled(String name, int word) {
        Buffer buffer = rig.buffer(name, 64);
        rig.await(rig.submit(rig.queue(0), List.of(), list -> {
            rig.fillPass(list, "fill " + name, buffer, word);
            list.barrier(VirtualRig.full());
        }));
        return buffer;
    }

    private BindlessSlot slot(Buffer buffer) {
        return table.storageBuffer(buffer, 0, 256);
    }

    private void add(CommandList list, String pass, int from, int to, Buffer... declared) {
        list.beginPass(
                pass,
                List.of(declared).stream()
                        .map(each -> VirtualRig.use(each, Access.STORAGE_READ_WRITE_COMPUTE, false))
                        .toList());
        list.bindTable(table);
        list.bindPipeline(adding);
        list.pushConstants(numbers(from, to));
        list.dispatch(1, 1, 1);
        list.endPass();
    }

    private int first(Buffer buffer) {
        Buffer host = rig.readback("host", 4);
        rig.await(rig.submit(rig.queue(0), List.of(), list -> {
            list.barrier(VirtualRig.full());
            list.copyBuffer(buffer, 0, host, 0, 4);
        }));
        return rig.words(host)[0];
    }

    private static BarrierBatch transition(Texture texture, TextureLayout from, TextureLayout to) {
        SubresourceRange all = SubresourceRange.all(texture.description());
        BarrierBatch.Scope scope = BarrierBatch.GlobalBarrier.FULL.scope();
        return new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(texture, all, scope, from, to, null)), List.of(), List.of());
    }

    @Test
    void kernelsTakeBuffersByNumbers() {
        Buffer one = filled("one", 1);
        Buffer sum = filled("sum", 40);
        BindlessSlot from = slot(one);
        BindlessSlot to = slot(sum);
        rig.await(rig.submit(rig.queue(0), List.of(), list -> {
            add(list, "first", from.index(), to.index(), sum);
            list.barrier(VirtualRig.full());
            add(list, "second", from.index(), to.index(), sum);
        }));
        assertThat(first(sum)).isEqualTo(42);
        assertThat(checker.hazards()).isEmpty();
    }

    @Test
    void kernelsTakeTexturesAndSamplers() {
        Texture texel = rig.keep(rig.device.createTexture(
                "texel",
                TextureDescription.of(1, 1, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST)));
        Buffer result = rig.buffer("result", 64);
        int texture = table.sampledTexture(texel.view()).index();
        int sampler = table.sampler(rig.device.sampler(SamplerDescription.LINEAR_REPEAT))
                .index();
        ComputePipeline sampling = rig.pipeline("sample", SAMPLE, invocation -> {
            ByteBuffer numbers = invocation.pushConstants();
            assertThat(invocation.sampler("samplers", numbers.getInt(4))).isEqualTo(SamplerDescription.LINEAR_REPEAT);
            ByteBuffer bytes = invocation.bytes("textures", numbers.getInt(0));
            assertThat(bytes.isReadOnly()).isTrue();
            invocation.bytes("Result").putInt(0, bytes.getInt(0));
        });
        SubresourceRange all = SubresourceRange.all(texel.description());
        rig.await(rig.submit(rig.queue(0), List.of(), list -> {
            list.barrier(transition(texel, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            list.beginPass(
                    "clear",
                    List.of(new ResourceUse.OfTexture(texel, all, Access.COPY_DST, true, TextureLayout.TRANSFER_DST)));
            list.clearTexture(texel, all, new RenderingInfo.ClearColor(1, 0, 1, 0));
            list.endPass();
            list.beginPass("too early", List.of(VirtualRig.use(result, Access.STORAGE_READ_WRITE_COMPUTE, true)));
            list.bindTable(table);
            list.bindPipeline(sampling);
            list.bindBuffer("Result", result, 0, 256);
            list.pushConstants(numbers(texture, sampler));
            list.dispatch(1, 1, 1);
            list.endPass();
            list.barrier(transition(texel, TextureLayout.TRANSFER_DST, TextureLayout.SHADER_RO));
            list.barrier(VirtualRig.full());
            list.beginPass("sample", List.of(VirtualRig.use(result, Access.STORAGE_READ_WRITE_COMPUTE, true)));
            list.dispatch(1, 1, 1);
            list.endPass();
        }));
        assertThat(first(result)).isEqualTo(0x00ff00ff);
        assertThat(checker.hazards())
                .extracting(Hazard::kind, Hazard::resource, Hazard::secondPass)
                .containsExactlyInAnyOrder(
                        tuple(Hazard.Kind.READ_AFTER_WRITE, "texel", "too early"),
                        tuple(Hazard.Kind.WRONG_LAYOUT, "texel", "too early"));
    }

    /** The next submission has changed what is known of the buffer before the kernel runs. */
    @Test
    void whatAPassTakesOfAnotherWithoutDeclarationNeedsABarrier() {
        Buffer changed = filled("changed", 1);
        Buffer sum = filled("sum", 0);
        int from = slot(changed).index();
        int to = slot(sum).index();
        rig.submit(rig.queue(0), List.of(), list -> {
            rig.fillPass(list, "change", changed, 7);
            add(list, "read", from, to, sum);
        });
        rig.await(rig.submit(rig.queue(0), List.of(), list -> {
            list.barrier(VirtualRig.full());
            add(list, "later", from, to, sum);
        }));
        assertThat(checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Hazard.Kind.READ_AFTER_WRITE);
            assertThat(hazard.resource()).isEqualTo("changed");
            assertThat(hazard.firstPass()).isEqualTo("change");
            assertThat(hazard.secondPass()).isEqualTo("read");
            assertThat(hazard.explanation())
                    .startsWith("pass 'read' uses 'changed' as STORAGE_READ_COMPUTE")
                    .contains("nothing orders the two; add a barrier")
                    .endsWith("it takes number 0 of STORAGE_BUFFER in bindless table 'everything' without declaring"
                            + " 'changed': declare the use, and the barrier follows");
        });
    }

    /** Its number stays its own as long as there are others, so it is found under its name. */
    @Test
    void aFreedSlotInUseIsFound() {
        Buffer sum = filled("sum", 0);
        BindlessSlot bricks = slot(filled("bricks", 5));
        int to = slot(sum).index();
        int number = bricks.index();
        rig.await(rig.submit(rig.queue(0), List.of(), list -> add(list, "in time", number, to, sum)));
        CommandList early = rig.frame.beginCommands(rig.queue(0), "early");
        add(early, "recorded before", number, to, sum);
        early.end();
        bricks.close();
        rig.device.waitIdle();
        BindlessSlot next = slot(filled("next", 1));
        assertThat(next.index()).isNotEqualTo(number);
        assertThat(checker.hazards()).isEmpty();
        rig.await(rig.queue(0).submit(new Submission("frame 2", List.of(early), List.of())));
        assertThat(checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Hazard.Kind.FREED_SLOT);
            assertThat(hazard.resource()).isEqualTo("bricks");
            assertThat(hazard.secondPass()).isEqualTo("recorded before");
            assertThat(hazard.explanation())
                    .isEqualTo("pass 'recorded before' takes number 0 of STORAGE_BUFFER in bindless table"
                            + " 'everything', the slot of 'bricks', which was closed before submission 'frame 2';"
                            + " close a slot after the last submission that takes its number");
        });
    }

    /** A table that streams thousands of resources must not keep them all. */
    @Test
    void closedSlotsKeepNoMemory() {
        WeakReference<Buffer> streamed = streamed();
        rig.device.waitIdle();
        slot(rig.buffer("next", 64));
        for (int i = 0; i < 50 && !streamed.refersTo(null); i++) {
            System.gc();
        }
        assertThat(streamed.refersTo(null)).isTrue();
    }

    private WeakReference<Buffer> streamed() {
        Buffer buffer = rig.device.createBuffer("streamed", BufferDescription.device(256, BufferUsage.STORAGE));
        slot(buffer).close();
        buffer.close();
        return new WeakReference<>(buffer);
    }

    /** Also when it is closed while the device has not begun. */
    @Test
    void aSlotThatIsFreedAfterTheSubmissionIsNone() {
        Buffer sum = filled("sum", 0);
        Buffer bricks = filled("bricks", 5);
        BindlessSlot from = slot(bricks);
        int to = slot(sum).index();
        rig.submit(rig.queue(0), List.of(), list -> add(list, "in time", from.index(), to, sum));
        from.close();
        bricks.close();
        assertThat(first(sum)).isEqualTo(5);
        assertThat(checker.hazards()).isEmpty();
    }

    @Test
    void aNumberThatNoSlotHasIsRefused() {
        Buffer sum = filled("sum", 0);
        int to = slot(sum).index();
        assertThatThrownBy(() -> rig.await(rig.submit(rig.queue(0), List.of(), list -> add(list, "wrong", 9, to, sum))))
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("failed in pass 'wrong'")
                .hasMessageContaining("number 9 of STORAGE_BUFFER in bindless table 'everything' is taken of 'Words',"
                        + " and no slot has it");
    }

    @Test
    void aResourceThatIsClosedBeforeItsSlotIsRefused() {
        Buffer lost = rig.buffer("lost", 64);
        BindlessSlot slot = slot(lost);
        CommandList list = rig.frame.beginCommands(rig.queue(0), "list");
        list.bindPipeline(adding);
        list.pushConstants(numbers(0, 0));
        assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                .hasMessageContaining("pipeline 'add' takes a bindless table as set 1, and none is bound");
        list.bindTable(table);
        lost.close();
        assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'lost' in bindless table 'everything' was closed after it was bound");
        slot.close();
        list.dispatch(1, 1, 1);
        assertThatThrownBy(() -> slot(lost)).hasMessageContaining("'lost' is put into a bindless table after it was");
    }

    /** A table of thousands is searched only when something in a table is closed. */
    @Test
    void onlyClosingsInTablesAreCounted() {
        Closings closings = rig.device.closings();
        BindlessTable second = rig.device.createBindlessTable("second");
        Buffer inBoth = rig.buffer("in both", 64);
        BindlessSlot slot = slot(inBoth);
        second.storageBuffer(inBoth, 0, 256);
        rig.buffer("beside", 64).close();
        assertThat(closings.inTables()).isZero();
        slot.close();
        second.close();
        inBoth.close();
        assertThat(closings.inTables()).isZero();
        Buffer lost = rig.buffer("lost", 64);
        slot(lost);
        lost.close();
        assertThat(closings.inTables()).isEqualTo(1);
    }
}
