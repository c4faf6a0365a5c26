package io.frameloom.gpu.device;

import io.frameloom.gpu.error.GpuException;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The native libraries of LWJGL that devices need. No module requires the modules that contain them, so a program on
 * the module path lacks them unless its command line names them. Any thread.
 */
public enum NativeLibrary {
    /** LWJGL itself; every other one needs it. */
    LWJGL("lwjgl", "lwjgl", "system.Library"),
    /** The compiler of GLSL. */
    SHADERC("shaderc", "lwjgl-shaderc", "util.shaderc.Shaderc"),
    /** The reflection of SPIR-V. */
    SPVC("spirv-cross", "lwjgl-spvc", "util.spvc.Spvc"),
    /** The allocator of Vulkan memory. */
    VMA("lwjgl_vma", "lwjgl-vma", "util.vma.Vma");

    private final String file;
    private final String artifact;
    /** The class that loads it, by its name: its jar may be missing. */
    private final String loader;

    NativeLibrary(String library, String artifact, String loader) {
        this.file = System.mapLibraryName(library);
        this.artifact = artifact;
        this.loader = "org.lwjgl." + loader;
    }

    /** Loads the library, and returns why that cannot be done, and the way out; empty if it is loaded. */
    public String problem() {
        try {
            Class.forName(loader);
            return "";
        } catch (ClassNotFoundException e) {
            return "the module " + module() + " is missing; put the jar org.lwjgl:" + artifact + " on the " + path();
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
                + path() + (isModule() ? ", and start Java with " + flag() : "");
    }

    private static boolean isModule() {
        return NativeLibrary.class.getModule().isNamed();
    }

    private static String path() {
        return isModule() ? "module path" : "class path";
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
