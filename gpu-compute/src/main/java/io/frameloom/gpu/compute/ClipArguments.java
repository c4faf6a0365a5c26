package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.BoundResource.BufferRange;

/**
 * One computation of clip boxes. Buffers need usage {@link io.frameloom.gpu.resource.BufferUsage#STORAGE}; offsets are multiples of
 * 4 bytes, that of {@code scratch} of the device's {@link io.frameloom.gpu.DeviceCapabilities#storageAlignment}. What is
 * written may not touch another range.
 *
 * @param length number of elements, from 0 to {@link ClipBoxes#maxLength}
 * @param end what the box of an END is
 * @param viewport what is on the stack before the first element, and is never popped
 * @param operations a word for each element: {@link ClipBoxes#BEGIN}, {@link ClipBoxes#END}; anything else draws
 * @param boxes four floats for each element, as {@link ClipBox} has them: of a DRAW its bounds, of a BEGIN those of its
 *     clip path; those of an END matter to {@link ClipEnd#OWN_BOX} alone
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
