package io.frameloom.samples.window;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The window systems that samples can use. */
public enum WindowSystems {
    /** GLFW, by LWJGL's binding. */
    GLFW,
    /** SDL, by LWJGL's binding. */
    SDL;

    /** Begins it, or returns null where there is no display, or none that Vulkan can present to. */
    public @Nullable WindowSystem begin() {
        return this == GLFW ? Glfw.begin() : Sdl.begin();
    }

    /** Returns surfaces that show nothing. */
    public static WindowSystem headless() {
        return new Headless();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
