package io.frameloom.gpu.vulkan.command;

import static org.lwjgl.system.MemoryUtil.memPutFloat;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import org.lwjgl.vulkan.VkClearDepthStencilValue;
import org.lwjgl.vulkan.VkExtent2D;
import org.lwjgl.vulkan.VkOffset2D;
import org.lwjgl.vulkan.VkRect2D;

/** Writes the values and rectangles of clears. */
final class ClearEncoder {
    private static final int CHANNELS = 4;

    private ClearEncoder() {}

    static void value(long at, Format format, ClearColor color) {
        boolean integers = format.kind() != Format.NumericKind.FLOAT;
        for (int i = 0; i < CHANNELS; i++) {
            double channel = color.channel(i);
            if (integers) {
                memPutInt(at + (long) i * Integer.BYTES, (int) (long) channel);
            } else {
                memPutFloat(at + (long) i * Float.BYTES, (float) channel);
            }
        }
    }

    static void value(long at, float depth, int stencil) {
        VkClearDepthStencilValue.ndepth(at, depth);
        VkClearDepthStencilValue.nstencil(at, stencil);
    }

    static void rectangle(long at, int x, int y, int width, int height) {
        VkOffset2D.nx(at + VkRect2D.OFFSET, x);
        VkOffset2D.ny(at + VkRect2D.OFFSET, y);
        VkExtent2D.nwidth(at + VkRect2D.EXTENT, width);
        VkExtent2D.nheight(at + VkRect2D.EXTENT, height);
    }
}
