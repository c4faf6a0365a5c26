package io.frameloom.gpu.resource;

import io.frameloom.gpu.command.FrameContext;
import java.nio.ByteBuffer;

/**
 * A part of a mapped upload buffer, handed out by {@link FrameContext#allocateUpload}.
 *
 * @param offset first byte
 * @param bytes length
 * @param data the mapped bytes of the slice, native order, position 0
 */
public record BufferSlice(Buffer buffer, long offset, long bytes, ByteBuffer data) {}
