package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.BufferBarrier;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.BarrierBatch.OwnershipTransfer;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.BarrierBatch.TextureBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Barriers that no queue could execute are refused by name. */
@Timeout(60)
class BarrierContractTest {
    private static final Scope FULL = GlobalBarrier.FULL.scope();
    private static final TextureDescription SHAPE =
            TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST);

    private static BarrierBatch texture(
            Texture texture, SubresourceRange range, TextureLayout layout, OwnershipTransfer... transfer) {
        return new BarrierBatch(
                List.of(new TextureBarrier(
                        texture,
                        range,
                        FULL,
                        TextureLayout.UNDEFINED,
                        layout,
                        transfer.length == 0 ? null : transfer[0])),
                List.of(),
                List.of());
    }

    private static BarrierBatch buffer(Buffer buffer, long offset, long bytes) {
        return new BarrierBatch(List.of(), List.of(new BufferBarrier(buffer, offset, bytes, FULL, null)), List.of());
    }

    private static BarrierBatch memory(Scope scope) {
        return new BarrierBatch(List.of(), List.of(), List.of(new GlobalBarrier(scope)));
    }

    private static void refused(RecordingRules rules, BarrierBatch batch, String... words) {
        assertThatThrownBy(() -> BarrierRules.check(rules, batch))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("barrier in command list 'list'")
                .satisfies(refusal -> assertThat(refusal.getMessage()).contains(words));
    }

    @Test
    void stagesAccessesRangesAndFamiliesAreHeldAgainstTheQueue() {
        try (TaskGraph tasks = TaskGraph.builder().name("barriers").workers(1).build();
                VirtualDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(3, 1), new DeviceOptions(tasks, "barriers", false, null));
                Texture texture = device.createTexture("texture", SHAPE);
                Buffer buffer = device.createBuffer("buffer", BufferDescription.device(64, BufferUsage.COPY_DST))) {
            RecordingRules graphics =
                    RecordingRules.primary("list", device.queues().get(0), device.capabilities());
            RecordingRules compute =
                    RecordingRules.primary("list", device.queues().get(1), device.capabilities());
            RecordingRules copy = RecordingRules.primary("list", device.queues().get(2), device.capabilities());
            SubresourceRange all = SubresourceRange.all(SHAPE);
            for (RecordingRules rules : List.of(graphics, compute, copy)) {
                BarrierRules.check(rules, memory(FULL));
                BarrierRules.check(rules, texture(texture, all, TextureLayout.GENERAL));
                BarrierRules.check(rules, buffer(buffer, 0, 64));
            }
            refused(graphics, texture(texture, SubresourceRange.mip(1), TextureLayout.GENERAL), "'texture'", "1 mip");
            refused(graphics, texture(texture, all, TextureLayout.UNDEFINED), "'texture'", "UNDEFINED");
            refused(graphics, texture(texture, all, TextureLayout.DEPTH), "'texture'", "DEPTH", "DEPTH_ATTACHMENT");
            refused(graphics, texture(texture, all, TextureLayout.COLOR), "'texture'", "COLOR_ATTACHMENT");
            refused(graphics, buffer(buffer, 32, 64), "'buffer'", "32+64");
            refused(graphics, buffer(buffer, 0, -1), "'buffer'");
            refused(graphics, buffer(buffer, Long.MAX_VALUE, Long.MAX_VALUE), "'buffer'");
            int fragment = PipelineStage.FRAGMENT_SHADER.bit();
            BarrierRules.check(graphics, memory(new Scope(fragment, 0, fragment, 0)));
            refused(compute, memory(new Scope(fragment, 0, 0, 0)), "after FRAGMENT_SHADER", "'compute'");
            refused(copy, memory(new Scope(0, 0, PipelineStage.COMPUTE_SHADER.bit(), 0)), "before COMPUTE_SHADER");
            refused(graphics, memory(new Scope(1 << 30, 0, 0, 0)), "'graphics'");
            refused(graphics, memory(new Scope(0, 1 << 30, 0, 0)), "0x40000000");
            int written = MemoryAccess.COPY_WRITE.bit();
            refused(graphics, memory(new Scope(fragment, written, 0, 0)), "COPY_WRITE", "name one of COPY");
            int everything = PipelineStage.ALL_COMMANDS.bit();
            BarrierRules.check(graphics, memory(new Scope(everything, written, 0, 0)));
            refused(graphics, memory(new Scope(0, 0, everything, MemoryAccess.HOST_READ.bit())), "HOST_READ");
            refused(graphics, memory(new Scope(0, 0, 0, MemoryAccess.UNIFORM_READ.bit())), "UNIFORM_READ");
            refused(
                    graphics,
                    texture(texture, all, TextureLayout.GENERAL, new OwnershipTransfer(1, 2)),
                    "'texture'",
                    "family 1 to 2");
            refused(
                    graphics,
                    texture(texture, all, TextureLayout.GENERAL, new OwnershipTransfer(0, 1)),
                    "'texture'",
                    "leave the transfer out",
                    "withSharing(QueueSharing.EXCLUSIVE)");
        }
    }

    @Test
    void whatIsMadeExclusiveIsHandedOver() {
        try (TaskGraph tasks = TaskGraph.builder().name("barriers").workers(1).build();
                VirtualDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(3, 1), new DeviceOptions(tasks, "barriers", false, null));
                Texture texture = device.createTexture("texture", SHAPE.withSharing(QueueSharing.EXCLUSIVE));
                Buffer buffer = device.createBuffer(
                        "buffer",
                        BufferDescription.device(64, BufferUsage.COPY_DST).withSharing(QueueSharing.EXCLUSIVE))) {
            OwnershipTransfer transfer = new OwnershipTransfer(0, 1);
            BufferBarrier half = new BufferBarrier(buffer, 0, 64, FULL, transfer);
            for (int queue = 0; queue < 2; queue++) {
                RecordingRules rules =
                        RecordingRules.primary("list", device.queues().get(queue), device.capabilities());
                BarrierRules.check(
                        rules, texture(texture, SubresourceRange.all(SHAPE), TextureLayout.GENERAL, transfer));
                BarrierRules.check(rules, new BarrierBatch(List.of(), List.of(half), List.of()));
            }
        }
    }

    /** Also those that Vulkan gives a meaning: external, ignored and foreign families. */
    @ParameterizedTest
    @EnumSource
    void ownershipGoesBetweenFamiliesOfTheDevice(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer made = rig.buffer("words", 64, BufferUsage.COPY_DST);
            Buffer words = rig.device instanceof VulkanDevice vulkan
                    ? rig.own(vulkan.importBuffer("words", made.nativeHandle(), made.description()))
                    : made;
            int own = rig.queue().family();
            rig.execute(list -> {
                for (int family : new int[] {77, rig.queue().familyCount(), -1, -2, -3, -5, Integer.MAX_VALUE}) {
                    for (OwnershipTransfer transfer :
                            List.of(new OwnershipTransfer(own, family), new OwnershipTransfer(family, own))) {
                        BufferBarrier barrier = new BufferBarrier(words, 0, 64, FULL, transfer);
                        assertThatThrownBy(() -> list.barrier(new BarrierBatch(List.of(), List.of(barrier), List.of())))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("'words'")
                                .hasMessageContaining("family " + transfer.from() + " to " + transfer.to())
                                .hasMessageContaining("the device has famil");
                    }
                }
            });
        }
    }

    /** An engine presents images of its own, which it imports. */
    @Test
    void importedTexturesMayBePresented() {
        try (CommandRig rig = new CommandRig(CommandRig.Backend.VULKAN)) {
            Texture texture = rig.texture("texture", SHAPE);
            RecordingRules rules = RecordingRules.primary("list", rig.queue(), rig.device.capabilities());
            SubresourceRange all = SubresourceRange.all(SHAPE);
            refused(rules, texture(texture, all, TextureLayout.PRESENT), "'texture'", "PRESENT");
            Texture imported = rig.own(((VulkanDevice) rig.device)
                    .importTexture("imported", texture.nativeHandle(), SHAPE, TextureLayout.PRESENT));
            BarrierRules.check(rules, texture(imported, all, TextureLayout.PRESENT));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedBarrierLeavesTheListGood(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer buffer = rig.buffer("words", 64, BufferUsage.COPY_DST);
            rig.execute(list -> {
                assertThatThrownBy(() -> list.barrier(buffer(buffer, 0, 128)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'words'");
                CommandRig.full(list);
            });
            FrameContext frame = rig.frame;
            CommandList list = frame.beginCommands(rig.queue(), "more");
            Scope host = new Scope(0, MemoryAccess.HOST_WRITE.bit(), 0, 0);
            assertThatThrownBy(() -> list.barrier(memory(host)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("HOST_WRITE");
            list.end();
        }
    }
}
