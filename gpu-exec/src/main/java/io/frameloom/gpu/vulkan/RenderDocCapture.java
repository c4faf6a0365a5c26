package io.frameloom.gpu.vulkan;

import static org.lwjgl.system.MemoryUtil.NULL;

import io.frameloom.gpu.error.GpuException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.Platform;
import org.lwjgl.system.Pointer;
import org.lwjgl.system.linux.DynamicLinkLoader;
import org.lwjgl.system.windows.WinBase;
import org.lwjgl.util.renderdoc.RENDERDOC_API_1_7_0;
import org.lwjgl.util.renderdoc.RenderDoc;

/**
 * Tells RenderDoc, the graphics debugger, what to capture. It works where RenderDoc has started the program ({@code
 * renderdoccmd capture java ...}, or its window), which puts it into the process before Vulkan is loaded. The program
 * also needs {@code org.lwjgl:lwjgl-renderdoc}, an optional dependency without natives; on the module path it needs
 * {@code --add-modules org.lwjgl.renderdoc}.
 *
 * <p>Any thread; one capture at a time. Source: "In-application API" of RenderDoc's documentation.
 *
 * <pre>{@code
 * if (RenderDocCapture.unavailableReason().isEmpty()) {
 *     Path file = RenderDocCapture.open().capture(device, () -> executor.run(graph).completed().await());
 * }
 * }</pre>
 */
public final class RenderDocCapture {
    /** RenderDoc has every older interface, and the first has all that is called here. LWJGL asks for 1.7 alone. */
    private static final int VERSION = RenderDoc.eRENDERDOC_API_Version_1_0_0;

    private static final String WAY_OUT = "; start the program with RenderDoc, as renderdoccmd capture java ...";

    private RenderDocCapture() {}

    /** Says in one line why nothing can be captured; empty if it can. */
    public static String unavailableReason() {
        try {
            return reason();
        } catch (NoClassDefFoundError absent) {
            return "org.lwjgl:lwjgl-renderdoc is not on the class path or module path; add that dependency, and"
                    + WAY_OUT.substring(1);
        }
    }

    /**
     * Returns the way to RenderDoc.
     *
     * @throws GpuException with the reason, if nothing can be captured
     */
    public static RenderDocCapture open() {
        String reason = unavailableReason();
        if (!reason.isEmpty()) {
            throw new GpuException(reason);
        }
        return new RenderDocCapture();
    }

    /**
     * Captures the next frame of the active window: what is submitted from its next presentation to the one after. A
     * program that presents nothing uses {@link #capture}.
     */
    public void captureNextFrame() {
        RenderDoc.RENDERDOC_TriggerCapture();
    }

    /**
     * Captures what is submitted to a device while {@code work} runs. It awaits what other threads submit for it:
     * frames of an executor are in the capture if {@code work} awaits their completion. If it throws, the capture ends,
     * too.
     *
     * @return the file
     * @throws IllegalStateException if a capture is under way
     * @throws GpuException if RenderDoc writes no file
     */
    public Path capture(VulkanDevice device, Runnable work) {
        if (RenderDoc.RENDERDOC_IsFrameCapturing()) {
            throw new IllegalStateException("RenderDoc captures a frame already; begin the next when that has ended");
        }
        // RENDERDOC_DEVICEPOINTER_FROM_VKINSTANCE: the loader's dispatch table, which an instance points to.
        long pointer = MemoryUtil.memGetAddress(device.handles().instance().address());
        RenderDoc.RENDERDOC_StartFrameCapture(pointer, NULL);
        boolean written;
        try {
            work.run();
        } finally {
            written = RenderDoc.RENDERDOC_EndFrameCapture(pointer, NULL);
        }
        List<Path> files = files();
        if (!written || files.isEmpty()) {
            throw new GpuException("RenderDoc has written no capture of device '"
                    + device.capabilities().name()
                    + "'; its log names the reason (renderdoccmd capture --help says where)");
        }
        return files.get(files.size() - 1);
    }

    /** Returns the captures that this process has written, in their order; some may have been deleted since. */
    public List<Path> files() {
        List<Path> files = new ArrayList<>();
        int count = RenderDoc.RENDERDOC_GetNumCaptures();
        for (int i = 0; i < count; i++) {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                IntBuffer length = stack.mallocInt(1);
                if (RenderDoc.RENDERDOC_GetCapture(i, null, length, null)) {
                    ByteBuffer name = stack.calloc(length.get(0) + 1);
                    RenderDoc.RENDERDOC_GetCapture(i, name, length, null);
                    files.add(Path.of(MemoryUtil.memUTF8(MemoryUtil.memAddress(name))));
                }
            }
        }
        return files;
    }

    /**
     * Lets later captures have names that begin with this path, such as {@code captures/game}; RenderDoc adds the frame
     * and {@code .rdc}.
     */
    public void saveAs(Path prefix) {
        RenderDoc.RENDERDOC_SetCaptureFilePathTemplate(prefix.toString());
    }

    private static String reason() {
        if (RenderDoc.getAPI().TriggerCapture() != NULL) {
            return "";
        }
        String library = Configuration.RENDERDOC_LIBRARY_NAME.get(System.mapLibraryName("renderdoc"));
        long function = function(library);
        if (function == NULL) {
            return "RenderDoc is not in this process (no " + library + ")" + WAY_OUT;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer api = stack.callocPointer(1);
            if (JNI.invokePI(VERSION, api.address(), function) == 0) {
                return "RenderDoc does not have its interface 1.0 (" + library + "); install a newer one";
            }
            int known = RENDERDOC_API_1_7_0.ENDFRAMECAPTURE + Pointer.POINTER_SIZE;
            MemoryUtil.memCopy(api.get(0), RenderDoc.getAPI().address(), known);
        }
        return "";
    }

    /** Never loads RenderDoc: when Vulkan is there that would be too late. */
    private static long function(String library) {
        String name = "RENDERDOC_GetAPI";
        return switch (Platform.get()) {
            case LINUX -> {
                long module =
                        DynamicLinkLoader.dlopen(library, DynamicLinkLoader.RTLD_NOW | DynamicLinkLoader.RTLD_NOLOAD);
                yield module == NULL ? NULL : DynamicLinkLoader.dlsym(module, name);
            }
            case WINDOWS -> {
                long module = WinBase.GetModuleHandle(null, library);
                yield module == NULL ? NULL : WinBase.GetProcAddress(null, module, name);
            }
            default -> NULL;
        };
    }
}
