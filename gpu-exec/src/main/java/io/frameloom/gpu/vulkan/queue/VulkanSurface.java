package io.frameloom.gpu.vulkan.queue;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.present.ColorSpace;
import io.frameloom.gpu.present.PresentMode;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.SurfaceFormat;
import io.frameloom.gpu.present.SurfaceSupport;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTHeadlessSurface;
import org.lwjgl.vulkan.EXTSwapchainColorspace;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkHeadlessSurfaceCreateInfoEXT;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkSurfaceCapabilitiesKHR;
import org.lwjgl.vulkan.VkSurfaceFormatKHR;

/** A VkSurfaceKHR and what it can do on one device. */
public final class VulkanSurface extends VulkanObject implements Surface {
    private static final int ANY = 0xFFFFFFFF;

    private final List<VulkanQueue> queues;
    private final long handle;
    private final boolean owned;
    /** The extent of a surface that leaves it to the swapchain, or {@link SurfaceSupport#ANY}. */
    private final int width;

    private final int height;
    private final AtomicReference<@Nullable VulkanSwapchain> swapchain = new AtomicReference<>();

    private VulkanSurface(
            DeviceCore core, List<VulkanQueue> queues, String name, long handle, boolean owned, int width, int height) {
        super(core, name);
        this.queues = queues;
        this.handle = handle;
        this.owned = owned;
        this.width = width;
        this.height = height;
    }

    /** A surface of a windowing system. */
    public static VulkanSurface of(DeviceCore core, List<VulkanQueue> queues, String name, long handle, boolean owned) {
        return new VulkanSurface(core, queues, name, handle, owned, SurfaceSupport.ANY, SurfaceSupport.ANY);
    }

    /** A surface that shows nothing. */
    public static VulkanSurface headless(
            DeviceCore core, List<VulkanQueue> queues, String name, int width, int height) {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("surface '" + name + "' is at least 1x1, got " + width + "x" + height);
        }
        requireExtensions(core, name, true);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            check(
                    EXTHeadlessSurface.vkCreateHeadlessSurfaceEXT(
                            core.adapter().handle().getInstance(),
                            VkHeadlessSurfaceCreateInfoEXT.calloc(stack).sType$Default(),
                            null,
                            out),
                    "create surface '" + name + "'");
            return new VulkanSurface(core, queues, name, out.get(0), true, width, height);
        }
    }

    /**
     * Checks the enabled extensions of instance and device.
     *
     * @throws GpuException naming all extensions that are off
     */
    public static void requireExtensions(DeviceCore core, String surface, boolean headless) {
        VkDevice device = core.handle();
        List<String> missing = new ArrayList<>();
        if (!device.getCapabilitiesInstance().VK_KHR_surface) {
            missing.add(KHRSurface.VK_KHR_SURFACE_EXTENSION_NAME);
        }
        if (headless && !device.getCapabilitiesInstance().VK_EXT_headless_surface) {
            missing.add(EXTHeadlessSurface.VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME);
        }
        if (!device.getCapabilities().VK_KHR_swapchain) {
            missing.add(KHRSwapchain.VK_KHR_SWAPCHAIN_EXTENSION_NAME);
        }
        if (!missing.isEmpty()) {
            throw new GpuException("surface '" + surface + "' needs " + String.join(", ", missing)
                    + ", without which device '" + core.capabilities().name() + "' was "
                    + (core.owned()
                            ? "opened; open it with DeviceOptions.withSurfaces"
                            : "made; its engine has to switch that on"));
        }
    }

    long handle() {
        return handle;
    }

    void occupy(VulkanSwapchain by) {
        if (isClosed()) {
            throw new IllegalStateException(describe() + " is closed; swapchain '" + by.name() + "' needs one");
        }
        VulkanSwapchain present = swapchain.compareAndExchange(null, by);
        if (present != null) {
            throw new IllegalStateException(describe() + " has swapchain '" + present.name()
                    + "'; close or recreate that instead of making '" + by.name() + "'");
        }
    }

    void vacate(VulkanSwapchain by) {
        swapchain.compareAndSet(by, null);
    }

    @Override
    public SurfaceSupport support() {
        if (isClosed()) {
            throw new IllegalStateException(describe() + " is closed; it can do nothing");
        }
        return core.gate().inside(this::ask);
    }

    private SurfaceSupport ask() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSurfaceCapabilitiesKHR found = capabilities(stack);
            int currentWidth = found.currentExtent().width();
            boolean free = currentWidth == ANY;
            int images = found.maxImageCount();
            return new SurfaceSupport(
                    formats(),
                    presentModes(stack),
                    found.minImageCount(),
                    images == 0 ? Integer.MAX_VALUE : images,
                    free ? width : currentWidth,
                    free ? height : found.currentExtent().height(),
                    found.maxImageExtent().width(),
                    found.maxImageExtent().height(),
                    usages(found.supportedUsageFlags()),
                    presentingQueues(stack));
        }
    }

    VkSurfaceCapabilitiesKHR capabilities(MemoryStack stack) {
        VkSurfaceCapabilitiesKHR found = VkSurfaceCapabilitiesKHR.calloc(stack);
        check(KHRSurface.vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical(), handle, found), asking());
        return found;
    }

    private List<SurfaceFormat> formats() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            check(KHRSurface.vkGetPhysicalDeviceSurfaceFormatsKHR(physical(), handle, count, null), asking());
            try (VkSurfaceFormatKHR.Buffer found = VkSurfaceFormatKHR.calloc(count.get(0))) {
                check(KHRSurface.vkGetPhysicalDeviceSurfaceFormatsKHR(physical(), handle, count, found), asking());
                List<SurfaceFormat> formats = new ArrayList<>();
                for (VkSurfaceFormatKHR entry : found) {
                    add(formats, entry);
                }
                return formats;
            }
        }
    }

    private static void add(List<SurfaceFormat> formats, VkSurfaceFormatKHR entry) {
        for (ColorSpace space : ColorSpace.values()) {
            for (Format format : Format.values()) {
                if (format.vulkan() == entry.format() && vulkanSpace(space) == entry.colorSpace()) {
                    formats.add(new SurfaceFormat(format, space));
                }
            }
        }
    }

    static int vulkanSpace(ColorSpace space) {
        return switch (space) {
            case SRGB -> KHRSurface.VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
            case DISPLAY_P3 -> EXTSwapchainColorspace.VK_COLOR_SPACE_DISPLAY_P3_NONLINEAR_EXT;
            case EXTENDED_SRGB_LINEAR -> EXTSwapchainColorspace.VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT;
            case HDR10_ST2084 -> EXTSwapchainColorspace.VK_COLOR_SPACE_HDR10_ST2084_EXT;
        };
    }

    private Set<PresentMode> presentModes(MemoryStack stack) {
        var count = stack.mallocInt(1);
        check(KHRSurface.vkGetPhysicalDeviceSurfacePresentModesKHR(physical(), handle, count, null), asking());
        var found = stack.mallocInt(count.get(0));
        check(KHRSurface.vkGetPhysicalDeviceSurfacePresentModesKHR(physical(), handle, count, found), asking());
        Set<PresentMode> modes = EnumSet.noneOf(PresentMode.class);
        for (PresentMode mode : PresentMode.values()) {
            for (int i = 0; i < count.get(0); i++) {
                if (found.get(i) == vulkanMode(mode)) {
                    modes.add(mode);
                }
            }
        }
        return modes;
    }

    private List<GpuQueue> presentingQueues(MemoryStack stack) {
        var supported = stack.mallocInt(1);
        List<GpuQueue> presenting = new ArrayList<>();
        for (VulkanQueue queue : queues) {
            check(
                    KHRSurface.vkGetPhysicalDeviceSurfaceSupportKHR(physical(), queue.family(), handle, supported),
                    asking());
            if (supported.get(0) == VK13.VK_TRUE) {
                presenting.add(queue);
            }
        }
        return presenting;
    }

    private static Set<TextureUsage> usages(int flags) {
        Set<TextureUsage> usages = EnumSet.noneOf(TextureUsage.class);
        for (TextureUsage usage : TextureUsage.values()) {
            int bits = VulkanMasks.textureUsage(EnumSet.of(usage));
            if ((flags & bits) == bits) {
                usages.add(usage);
            }
        }
        return usages;
    }

    static int vulkanMode(PresentMode mode) {
        return switch (mode) {
            case IMMEDIATE -> KHRSurface.VK_PRESENT_MODE_IMMEDIATE_KHR;
            case MAILBOX -> KHRSurface.VK_PRESENT_MODE_MAILBOX_KHR;
            case FIFO -> KHRSurface.VK_PRESENT_MODE_FIFO_KHR;
            case FIFO_RELAXED -> KHRSurface.VK_PRESENT_MODE_FIFO_RELAXED_KHR;
        };
    }

    private VkPhysicalDevice physical() {
        return core.adapter().handle();
    }

    private String asking() {
        return "ask what " + describe() + " can do";
    }

    @Override
    public void close() {
        VulkanSwapchain present = swapchain.get();
        if (present != null) {
            throw new IllegalStateException(
                    describe() + " is closed before its swapchain '" + present.name() + "'; close that first");
        }
        // At once: its window may go next.
        core.gate().closing(this::destroyNow);
    }

    @Override
    protected boolean isNamed() {
        return false;
    }

    @Override
    protected void free() {
        if (owned) {
            KHRSurface.vkDestroySurfaceKHR(core.adapter().handle().getInstance(), handle, null);
        }
    }
}
