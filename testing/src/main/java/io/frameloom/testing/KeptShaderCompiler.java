package io.frameloom.testing;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.lwjgl.util.shaderc.Shaderc;

/**
 * Keeps an unused shader compiler open during a test session: shaderc forgets the built-in functions of GLSL with its
 * last compiler, and takes 0.3 s to read them again. Tests open thousands of devices, each with a compiler. The modules
 * that compile shaders name it in {@code META-INF/services} of their tests.
 */
public final class KeptShaderCompiler implements LauncherSessionListener {
    private long compiler;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        compiler = Shaderc.shaderc_compiler_initialize();
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        Shaderc.shaderc_compiler_release(compiler);
    }
}
