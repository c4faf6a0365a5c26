package io.frameloom.samples.adopt;

import static io.frameloom.samples.adopt.Engine.check;

import java.util.ArrayList;
import java.util.List;
import org.lwjgl.PointerBuffer;
import org.lwjgl.glfw.GLFW;
import org.lwjgl.glfw.GLFWVulkan;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTHeadlessSurface;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.VkHeadlessSurfaceCreateInfoEXT;
import org.lwjgl.vulkan.VkInstance;

/**
 * The engine's window, or where there is no display a surface that shows nothing. The thread that started the program.
 */
final class EngineWindow implements AutoCloseable {
    private final long window;
    private final List<String> instanceExtensions = new ArrayList<>();
    private int width;
    private int height;

    EngineWindow(int width, int height) {
        this.width = width;
        this.height = height;
        PointerBuffer names = GLFW.glfwInit() ? GLFWVulkan.glfwGetRequiredInstanceExtensions() : null;
        if (names == null) {
            window = MemoryUtil.NULL;
            instanceExtensions.add(KHRSurface.VK_KHR_SURFACE_EXTENSION_NAME);
            instanceExtensions.add(EXTHeadlessSurface.VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME);
            return;
        }
        for (int i = 0; i < names.capacity(); i++) {
            instanceExtensions.add(names.getStringUTF8(i));
        }
        GLFW.glfwWindowHint(GLFW.GLFW_CLIENT_API, GLFW.GLFW_NO_API);
        window = GLFW.glfwCreateWindow(width, height, "An engine", MemoryUtil.NULL, MemoryUtil.NULL);
        if (window == MemoryUtil.NULL) {
            GLFW.glfwTerminate();
            throw new EngineException("GLFW cannot open a window");
        }
    }

    /** Returns what the instance has to be created with. */
    List<String> instanceExtensions() {
        return instanceExtensions;
    }

    /** Creates a VkSurfaceKHR. */
    long createSurface(VkInstance instance) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            check(
                    isOpen()
                            ? GLFWVulkan.glfwCreateWindowSurface(instance, window, null, out)
                            : EXTHeadlessSurface.vkCreateHeadlessSurfaceEXT(
                                    instance,
                                    VkHeadlessSurfaceCreateInfoEXT.calloc(stack).sType$Default(),
                                    null,
                                    out),
                    "create a surface");
            return out.get(0);
        }
    }

    private boolean isOpen() {
        return window != MemoryUtil.NULL;
    }

    /** Returns what it is, for a sentence. */
    String name() {
        return isOpen() ? "a window" : "a surface without a display";
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /** Asks for another extent. */
    void resize(int newWidth, int newHeight) {
        if (isOpen()) {
            GLFW.glfwSetWindowSize(window, newWidth, newHeight);
        } else {
            width = newWidth;
            height = newHeight;
        }
    }

    /** Handles window events; returns false when the window closes. Waits for as long as it is minimised. */
    boolean poll() {
        if (!isOpen()) {
            return true;
        }
        GLFW.glfwPollEvents();
        takeExtent();
        while ((width == 0 || height == 0) && !GLFW.glfwWindowShouldClose(window)) {
            GLFW.glfwWaitEvents();
            takeExtent();
        }
        return !GLFW.glfwWindowShouldClose(window);
    }

    private void takeExtent() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var w = stack.mallocInt(1);
            var h = stack.mallocInt(1);
            GLFW.glfwGetFramebufferSize(window, w, h);
            width = w.get(0);
            height = h.get(0);
        }
    }

    @Override
    public void close() {
        if (isOpen()) {
            GLFW.glfwDestroyWindow(window);
            GLFW.glfwTerminate();
        }
    }
}
