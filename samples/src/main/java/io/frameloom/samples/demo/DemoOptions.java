package io.frameloom.samples.demo;

import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.tools.range.FrameRange;
import io.frameloom.samples.frame.MeshletForm;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the demo is asked for.
 *
 * @param model glTF file, or null for the procedural city
 * @param animation name or number of the model's animation, "none", or null for the first
 * @param frames frames to render, at least 1
 * @param range frames to render and write instead, or null
 * @param width width of the picture in texels
 * @param height height of the picture in texels
 * @param out folder for the results
 * @param devices device to run on; with a range any number of them
 * @param async which compute passes may run beside graphics
 * @param captures textures of the frame after the last one to write as pictures
 * @param listTextures whether the textures of the frame are listed
 * @param validate whether validation layer and hazard checker look on
 * @param particles whether native passes add sparks to the scene
 * @param meshlets how meshlets are drawn that the device finds visible, or null for draws of whole objects
 * @param serve port of the live view, 0 for any, or null for none
 */
public record DemoOptions(
        @Nullable Path model,
        @Nullable String animation,
        int frames,
        @Nullable FrameRange range,
        int width,
        int height,
        Path out,
        List<DeviceSelector> devices,
        AsyncCompute async,
        List<Capture> captures,
        boolean listTextures,
        boolean validate,
        boolean particles,
        @Nullable MeshletForm meshlets,
        @Nullable Integer serve) {
    /** Copies the lists. */
    public DemoOptions {
        devices = List.copyOf(devices);
        captures = List.copyOf(captures);
    }
}
