package io.frameloom.samples.demo;

import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.rdg.AsyncCompute;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the demo is asked for.
 *
 * @param model binary glTF file, or null for the procedural city
 * @param frames frames to render, at least 1
 * @param width width of the picture in texels
 * @param height height of the picture in texels
 * @param out folder for the results
 * @param device device to run on
 * @param async which compute passes may run beside graphics
 * @param validate whether validation layer and hazard checker look on
 */
public record DemoOptions(
        @Nullable Path model,
        int frames,
        int width,
        int height,
        Path out,
        DeviceSelector device,
        AsyncCompute async,
        boolean validate) {}
