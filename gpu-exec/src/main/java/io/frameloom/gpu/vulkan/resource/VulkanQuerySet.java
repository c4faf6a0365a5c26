package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QueryResults;
import io.frameloom.gpu.device.WrittenQueries;
import io.frameloom.gpu.record.RecordedQueries;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import org.lwjgl.vulkan.KHRAccelerationStructure;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;

/** A pool of queries of samples or statistics. */
public final class VulkanQuerySet extends VulkanQueryPool implements RecordedQueries {
    /** In the order of {@link io.frameloom.gpu.command.PipelineStatistic}, which is that of the bits. */
    private static final int STATISTICS = VK13.VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT
            | VK13.VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT
            | VK13.VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT
            | VK13.VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT
            | VK13.VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT
            | VK13.VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT
            | VK13.VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;

    private final QueryKind kind;

    public VulkanQuerySet(DeviceCore core, String name, QueryKind kind, int count) {
        super(
                core,
                name,
                type(kind),
                kind == QueryKind.STATISTICS ? STATISTICS : 0,
                kind.numbers(),
                RecordedQueries.written(kind, name, count));
        this.kind = kind;
    }

    private static int type(QueryKind kind) {
        return switch (kind) {
            case ANY_SAMPLE, SAMPLES -> VK13.VK_QUERY_TYPE_OCCLUSION;
            case STATISTICS -> VK13.VK_QUERY_TYPE_PIPELINE_STATISTICS;
            case COMPACTED_BYTES -> KHRAccelerationStructure.VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR;
            case SERIALIZED_BYTES ->
                KHRAccelerationStructure.VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR;
        };
    }

    /** Records the measurement of a VkAccelerationStructureKHR. */
    public void measure(VkCommandBuffer commands, long structure, int index) {
        KHRAccelerationStructure.vkCmdWriteAccelerationStructuresPropertiesKHR(
                commands, new long[] {structure}, type(kind), pool, index);
    }

    @Override
    public QueryKind kind() {
        return kind;
    }

    @Override
    public WrittenQueries written() {
        return written;
    }

    @Override
    public QueryResults read() {
        requireOpen("read");
        long[] all = core.gate().inside(this::results);
        int numbers = kind.numbers();
        long[] read = new long[count() * numbers];
        for (int i = 0; i < count(); i++) {
            // Mesa's software driver has results of structures that were not measured.
            boolean known = written.isWritten(i) && all[i * (numbers + 1) + numbers] != 0;
            for (int n = 0; n < numbers; n++) {
                read[i * numbers + n] = known ? all[i * (numbers + 1) + n] : -1;
            }
        }
        return QueryResults.of(kind, read);
    }

    public void begin(VkCommandBuffer commands, int index) {
        VK13.vkCmdBeginQuery(commands, pool, index, kind == QueryKind.SAMPLES ? VK13.VK_QUERY_CONTROL_PRECISE_BIT : 0);
    }

    public void end(VkCommandBuffer commands, int index) {
        VK13.vkCmdEndQuery(commands, pool, index);
    }

    /** Records a copy of results, which waits for them. */
    public void copy(VkCommandBuffer commands, int first, int count, VulkanBuffer destination, long offset) {
        VK13.vkCmdCopyQueryPoolResults(
                commands,
                pool,
                first,
                count,
                destination.handle(),
                offset,
                kind.bytes(),
                VK13.VK_QUERY_RESULT_64_BIT | VK13.VK_QUERY_RESULT_WAIT_BIT);
    }
}
