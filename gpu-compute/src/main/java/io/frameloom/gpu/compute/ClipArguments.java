package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.BoundResource.BufferRange;

/**
 * One computation of clip boxes. Buffers need usage {@link io.frameloom.gpu.resource.BufferUsage#STORAGE}. Offsets are
 * multiples of 4 bytes; that of {@code scratch} is a multiple of the device's {@link
 * io.frameloom.gpu.DeviceCapabilities#storageAlignment}. No range that is written may touch another.
 *
 * @param length number of elements, from 0 to {@link ClipBoxes#maxLength}
 * @param end which box an END gets
 * @param viewport the bottom of the stack, which is never popped
 * @param operations a word for each element: {@link ClipBoxes#BEGIN}, {@link ClipBoxes#END}; anything else draws
 * @param boxes four floats for each element, as in {@link ClipBox}: of a DRAW its bounds, of a BEGIN those of its clip
 *     path; those of an END matter only to {@link ClipEnd#OWN_BOX}
 * @param effective four floats for each element: its effective box
 * @param links a word for each element: the index of the BEGIN around it, for an END that of its BEGIN, or {@link
 *     BracketMatch#NONE}
 * @param scratch memory for the computation itself, at least {@link ClipBoxes#scratchBytes}
 */
public record ClipArguments(
        long length,
        ClipEnd end,
        ClipBox viewport,
        BufferRange operations,
        BufferRange boxes,
        BufferRange effective,
        BufferRange links,
        BufferRange scratch) {}
