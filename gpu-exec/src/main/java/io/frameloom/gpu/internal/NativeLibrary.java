package io.frameloom.gpu.internal;

import io.frameloom.gpu.GpuException;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.lwjgl.system.Library;
import org.lwjgl.util.shaderc.Shaderc;
import org.lwjgl.util.spvc.Spvc;
import org.lwjgl.util.vma.Vma;

/**
 * The native libraries of LWJGL that devices need. No module requires the modules that contain them, so a program on the
 * module path lacks them unless its command line names them. Any thread.
 */
public enum NativeLibrary {
    /** LWJGL itself; every other one needs it. */
    LWJGL("lwjgl", "lwjgl", Library.class),
    /** The compiler of GLSL. */
    SHADERC("shaderc", "lwjgl-shaderc", Shaderc.class),
    /** The reflection of SPIR-V. */
    SPVC("spirv-cross", "lwjgl-spvc", Spvc.class),
    /** The allocator of Vulkan memory. */
    VMA("lwjgl_vma", "lwjgl-vma", Vma.class);

    private final String file;
    private final String artifact;
    private final Class<?> loader;

    NativeLibrary(String library, String artifact, Class<?> loader) {
        this.file = System.mapLibraryName(library);
        this.artifact = artifact;
        this.loader = loader;
    }

    /** Loads the library, and returns why that cannot be done, and the way out; empty if it is loaded. */
    public String problem() {
        try {
            MethodHandles.lookup().ensureInitialized(loader);
            return "";
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(loader + " is not public", e);
        } catch (LinkageError e) {
            return describe(e);
        }
    }

    /**
     * Checks that libraries are loaded.
     *
     * @throws GpuException naming the first that is not
     */
    public static void require(NativeLibrary... libraries) {
        for (NativeLibrary library : libraries) {
            String problem = library.problem();
            if (!problem.isEmpty()) {
                throw new GpuException(problem);
            }
        }
    }

    private String describe(LinkageError failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return file + " of the module " + module() + " cannot be loaded (" + cause.getMessage()
                + "); put the jar org.lwjgl:"
                + artifact + " with the classifier of this platform, such as natives-linux, on the "
                + (loader.getModule().isNamed() ? "module path, and start Java with " + flag() : "class path");
    }

    private String module() {
        return "org." + artifact.replace('-', '.');
    }

    private static String flag() {
        return Arrays.stream(values())
                .map(library -> library.module() + ".natives")
                .collect(Collectors.joining(",", "--add-modules ", ""));
    }
}
