package io.frameloom.testing;

import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.util.shaderc.Shaderc;
import org.lwjgl.vulkan.VK;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;

/**
 * Keeps open during a test session what native libraries would load again for each of thousands of devices. It holds an
 * unused shader compiler: shaderc forgets the built-in functions of GLSL with its last compiler, and takes 0.3 s to
 * read them again. It also holds an unused Vulkan instance: the loader unloads drivers and layers with the last one. A
 * device under the validation layer opens in 25 ms with it and in 70 ms without. The modules that open devices name
 * this class in {@code META-INF/services} of their tests.
 */
public final class KeptNatives implements LauncherSessionListener {
    private static final String VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation";

    private long compiler;
    private @Nullable VkInstance instance;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        open();
    }

    /** For programs that tests start. */
    public void open() {
        compiler = Shaderc.shaderc_compiler_initialize();
        instance = instance();
    }

    /** Null without a loader, a driver or the layer: devices then open as slowly as they do in programs. */
    private static @Nullable VkInstance instance() {
        try {
            VK.getFunctionProvider();
        } catch (UnsatisfiedLinkError noLoader) {
            return null;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkInstanceCreateInfo info = VkInstanceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pApplicationInfo(
                            VkApplicationInfo.calloc(stack).sType$Default().apiVersion(VK13.VK_API_VERSION_1_3))
                    .ppEnabledLayerNames(stack.pointers(stack.UTF8(VALIDATION_LAYER)));
            PointerBuffer out = stack.mallocPointer(1);
            return VK13.vkCreateInstance(info, null, out) == VK13.VK_SUCCESS ? new VkInstance(out.get(0), info) : null;
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (instance != null) {
            VK13.vkDestroyInstance(instance, null);
        }
        Shaderc.shaderc_compiler_release(compiler);
    }
}
