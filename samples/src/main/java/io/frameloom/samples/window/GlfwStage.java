package io.frameloom.samples.window;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.vulkan.VulkanDevice;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.glfw.GLFW;
import org.lwjgl.glfw.GLFWVulkan;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;

/** A window of GLFW. */
final class GlfwStage implements Stage {
    private final long window;
    private final Set<String> extensions;

    private GlfwStage(long window, Set<String> extensions) {
        this.window = window;
        this.extensions = extensions;
    }

    /** Opens a window, or returns null where there is no display, or none that Vulkan can present to. */
    static @Nullable GlfwStage open(int width, int height, String title) {
        if (!GLFW.glfwInit()) {
            return null;
        }
        PointerBuffer names = GLFWVulkan.glfwGetRequiredInstanceExtensions();
        if (names != null) {
            Set<String> extensions = new HashSet<>();
            for (int i = 0; i < names.capacity(); i++) {
                extensions.add(names.getStringUTF8(i));
            }
            GLFW.glfwWindowHint(GLFW.GLFW_CLIENT_API, GLFW.GLFW_NO_API);
            long window = GLFW.glfwCreateWindow(width, height, title, MemoryUtil.NULL, MemoryUtil.NULL);
            if (window != MemoryUtil.NULL) {
                return new GlfwStage(window, Set.copyOf(extensions));
            }
        }
        GLFW.glfwTerminate();
        return null;
    }

    @Override
    public Set<String> extensions() {
        return extensions;
    }

    @Override
    public Surface open(GpuDevice device) {
        VulkanDevice gpu = (VulkanDevice) device;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            int result = GLFWVulkan.glfwCreateWindowSurface(gpu.handles().instance(), window, null, out);
            if (result != VK13.VK_SUCCESS) {
                throw new GpuException("GLFW cannot make a surface of its window: VkResult " + result);
            }
            return gpu.adoptSurface("window", out.get(0));
        }
    }

    @Override
    public String name() {
        return "a window";
    }

    @Override
    public int width() {
        return extent()[0];
    }

    @Override
    public int height() {
        return extent()[1];
    }

    private int[] extent() {
        int[] width = new int[1];
        int[] height = new int[1];
        GLFW.glfwGetFramebufferSize(window, width, height);
        return new int[] {width[0], height[0]};
    }

    @Override
    public void resize(int width, int height) {
        GLFW.glfwSetWindowSize(window, width, height);
    }

    @Override
    public boolean poll() {
        GLFW.glfwPollEvents();
        while ((width() == 0 || height() == 0) && !GLFW.glfwWindowShouldClose(window)) {
            GLFW.glfwWaitEvents();
        }
        return !GLFW.glfwWindowShouldClose(window);
    }

    @Override
    public void close() {
        GLFW.glfwDestroyWindow(window);
        GLFW.glfwTerminate();
    }
}
