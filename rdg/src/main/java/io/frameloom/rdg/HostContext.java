package io.frameloom.rdg;

import java.nio.ByteBuffer;

/**
 * What a pass of {@link PassKind#HOST} sees while it runs. This and the memory that it hands out are valid only inside
 * {@link HostBody#run}, on the thread that called it.
 *
 * <p>Only what the pass declared can be had; anything else gives an {@link RdgException} that names the pass and the
 * buffer. Memory is in native byte order, from position 0 to the end of the range, a fresh view on every call.
 */
public interface HostContext {
    /**
     * Returns the bytes of a buffer that the pass declares to read, read-only: the range of the declaration.
     *
     * @throws RdgException if the pass declares no such read, or several of different ranges, of which a view names one
     */
    ByteBuffer read(RdgBuffer buffer);

    /**
     * Returns the bytes of a view, read-only.
     *
     * @throws RdgException if no range that the pass declares to read contains them
     */
    ByteBuffer read(RdgBufferView view);

    /**
     * Returns the bytes of a buffer that the pass declares to write: the range of the declaration. What was there
     * before is there only for a pass that {@linkplain PassBuilder#writes(RdgBuffer, io.frameloom.gpu.command.Access)
     * keeps it}.
     *
     * @throws RdgException if the pass declares no such write, or several of different ranges, of which a view names
     *     one
     */
    ByteBuffer write(RdgBuffer buffer);

    /**
     * Returns the bytes of a view, to be written.
     *
     * @throws RdgException if no range that the pass declares to write contains them
     */
    ByteBuffer write(RdgBufferView view);
}
