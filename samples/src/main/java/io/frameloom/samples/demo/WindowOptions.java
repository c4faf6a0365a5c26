package io.frameloom.samples.demo;

import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.samples.window.WindowSystems;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the demo in windows is asked for.
 *
 * @param system who opens the windows
 * @param windows how many, at least 1
 * @param fps most frames a second, or 0 for as many as the screen takes
 * @param frames frames to render, or 0 for as many as the user wants
 * @param model glTF file, or null for the procedural city
 * @param animation animation of the model, "none", or null for the first
 * @param width width of a window in texels
 * @param height height of a window in texels
 * @param device device to run on
 * @param async which compute passes may run beside graphics
 * @param validate whether validation layer and hazard checker look on
 */
record WindowOptions(
        WindowSystems system,
        int windows,
        int fps,
        int frames,
        @Nullable Path model,
        @Nullable String animation,
        int width,
        int height,
        DeviceSelector device,
        AsyncCompute async,
        boolean validate) {}
