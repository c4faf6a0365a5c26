package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.vulkan.VulkanDevice;
import java.util.List;

/**
 * What random graphs need to know of a device.
 *
 * @param queues kinds of the queues, by number
 * @param partsOnCopyQueues whether copy queues copy any part of a texture, otherwise whole mips
 * @param formats formats that textures have
 * @param storage whether shaders store to and load from {@link Format#R32_UINT}
 * @param samples samples that are resolved, 1 if there are no others
 * @param exclusive whether there are buffers that one queue family owns at a time, and several families
 * @param texturesApart whether textures share no memory: Mesa's software driver (22.3) draws on threads of its own, and
 *     barriers do not wait for those where another resource has the memory
 */
record DeviceTraits(
        List<QueueKind> queues,
        boolean partsOnCopyQueues,
        List<Format> formats,
        boolean storage,
        int samples,
        boolean exclusive,
        boolean texturesApart) {
    private static final List<Format> CANDIDATES =
            List.of(Format.R32_UINT, Format.R8G8B8A8_UINT, Format.R8G8B8A8_UNORM, Format.R16_UINT, Format.R32G32_UINT);

    private static final int SAMPLES = 4;

    DeviceTraits {
        queues = List.copyOf(queues);
        formats = List.copyOf(formats);
    }

    static DeviceTraits of(GpuDevice device) {
        List<GpuQueue> queues = device.queues();
        return new DeviceTraits(
                queues.stream().map(GpuQueue::kind).toList(),
                device.queues(QueueKind.COPY).stream()
                        .allMatch(queue -> queue.copyUnit().equals(CopyUnit.TEXEL)),
                CANDIDATES.stream()
                        .filter(format -> isUsable(device.formatSupport(format)))
                        .toList(),
                device.formatSupport(Format.R32_UINT).storage(),
                device.formatSupport(Format.R8G8B8A8_UNORM).supportsSamples(SAMPLES) ? SAMPLES : 1,
                device instanceof VulkanDevice
                        && queues.stream().mapToInt(GpuQueue::family).distinct().count() > 1,
                device.capabilities().kind() == DeviceKind.CPU);
    }

    private static boolean isUsable(FormatSupport support) {
        return support.colorAttachment() && support.copies();
    }
}
