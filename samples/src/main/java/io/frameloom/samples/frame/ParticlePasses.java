package io.frameloom.samples.frame;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanHandles;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;

/**
 * Sparks in the air, by the commands of {@link NativeParticles}: two native passes. What they declare gives them their
 * barriers, and the layouts of the targets.
 */
final class ParticlePasses implements AutoCloseable {
    private static final int COUNT = 6144;

    private final VulkanHandles handles;
    private final NativeParticles particles;
    private int declared;

    ParticlePasses(VulkanDevice device) {
        handles = device.handles();
        particles =
                new NativeParticles(handles, COUNT, FrameResources.RADIANCE.vulkan(), FrameResources.DEPTH.vulkan());
    }

    /** Declares the passes, behind the lighting; the plan is executed once. */
    void declare(RenderGraph graph, FrameResources resources) {
        int turn = declared++ % NativeParticles.TURNS;
        RdgBuffer constants = resources.constants;
        RdgBuffer places =
                graph.createBuffer("particles", BufferDescription.device((long) COUNT * NativeParticles.BYTES));
        // Validation layer 1.3.239 does not see that a buffer had the bytes between two images.
        graph.neverAlias(places);
        graph.addPass("move particles", PassKind.COMPUTE)
                .reads(constants, Access.UNIFORM_COMPUTE)
                .overwrites(places, Access.STORAGE_WRITE_COMPUTE)
                .recordNative((vk, context) -> particles.move(
                        vk, turn, handles.buffer(context.buffer(constants)), handles.buffer(context.buffer(places))));
        graph.addPass("draw particles", PassKind.RASTER)
                .reads(constants, Access.UNIFORM_GRAPHICS)
                .reads(places, Access.VERTEX)
                .color(resources.radiance, LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                .depthReadOnly(resources.depth)
                .recordNative((vk, context) -> particles.draw(
                        vk, turn, handles.buffer(context.buffer(constants)), handles.buffer(context.buffer(places))));
    }

    @Override
    public void close() {
        particles.close();
    }
}
