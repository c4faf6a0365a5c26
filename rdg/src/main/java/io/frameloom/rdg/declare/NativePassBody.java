package io.frameloom.rdg.declare;

import io.frameloom.gpu.vulkan.VulkanHandles;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassContext;
import java.util.function.BiConsumer;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * The body of a pass that needs a Vulkan device: it records into the VkCommandBuffer.
 *
 * @param commands what the application gave
 */
public record NativePassBody(BiConsumer<? super VkCommandBuffer, ? super PassContext> commands) implements PassBody {
    public static boolean isNative(PassBody body) {
        PassBody inner = body instanceof ConditionalPass conditional ? conditional.commands() : body;
        return inner instanceof NativePassBody;
    }

    @Override
    public void record(PassContext context) {
        VulkanHandles.recordNative(context.commands(), vk -> commands.accept(vk, context));
    }
}
