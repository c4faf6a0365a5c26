package io.frameloom.gpu.resource;

import io.frameloom.gpu.internal.Plural;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Where the members of a shader's struct lie in memory, for storage blocks and for what shaders reach by {@link
 * Buffer#address}. Members are added in the order of the shader:
 *
 * <pre>{@code
 * // layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Vertices { float at[]; };
 * // struct Draw { Vertices vertices; vec3 tint; uint flags; };
 * // layout(buffer_reference, std430) readonly buffer Draws { Draw draws[]; };
 * BlockLayout draw = BlockLayout.std430();
 * BlockLayout.Pointer vertices = draw.pointer(4);
 * BlockLayout.Member tint = draw.vector(3);
 * BlockLayout.Member flags = draw.word();
 *
 * vertices.put(bytes, 5, vertexBuffer, 0); // of draws[5]
 * bytes.putFloat(tint.at(5), 0.5f);
 * bytes.putInt(flags.at(5), 1);
 * }</pre>
 *
 * <p>Source: "Standard Uniform Block Layout" of the OpenGL specification, {@code GL_EXT_scalar_block_layout}, {@code
 * GL_EXT_buffer_reference}. Complete once it was asked for a place; before that confined to a thread, then immutable.
 */
public final class BlockLayout {
    private static final int WORD = Integer.BYTES;
    /** A larger end could not be aligned. */
    private static final int MOST = Integer.MAX_VALUE & -(4 * WORD);

    private final boolean scalar;
    private int end;
    private int alignment = WORD;
    private boolean complete;

    private BlockLayout(boolean scalar) {
        this.scalar = scalar;
    }

    /** Begins a struct by the rules of {@code layout(std430)}, which those of storage blocks are by default. */
    public static BlockLayout std430() {
        return new BlockLayout(false);
    }

    /** Begins a struct by the rules of {@code layout(scalar)}: a vector is aligned as its components are. */
    public static BlockLayout scalar() {
        return new BlockLayout(true);
    }

    /** Adds an {@code int}, {@code uint} or {@code float}. */
    public Member word() {
        return new Member(add(WORD, WORD), 0, 1);
    }

    /**
     * Adds a vector of words.
     *
     * @param components 2 to 4
     */
    public Member vector(int components) {
        requireComponents("vector", components);
        return new Member(add(alignmentOf(components), (long) components * WORD), WORD, components);
    }

    /**
     * Adds a matrix of floats, column after column, as {@code mat4} or {@code mat3x2}: three columns of two.
     *
     * @param columns 2 to 4
     * @param rows 2 to 4
     */
    public Member matrix(int columns, int rows) {
        requireComponents("matrix", columns);
        requireComponents("matrix", rows);
        int stride = scalar ? rows * WORD : alignmentOf(rows);
        return new Member(add(alignmentOf(rows), (long) columns * stride), stride, columns);
    }

    /**
     * Adds a pointer, GLSL's name of a block that is declared as {@code buffer_reference}.
     *
     * @param targetAlignment the {@code buffer_reference_align} of that block, a power of two; GLSL's default is 16
     */
    public Pointer pointer(int targetAlignment) {
        if (Integer.bitCount(targetAlignment) != 1 || targetAlignment < 1) {
            throw new IllegalArgumentException(
                    "a pointer's target is aligned to a power of two, got " + targetAlignment);
        }
        return new Pointer(add(Long.BYTES, Long.BYTES), targetAlignment);
    }

    /**
     * Adds an array of structs; a single struct is an array of one.
     *
     * @param count at least 1
     * @throws IllegalArgumentException if the struct has other rules
     * @throws IllegalStateException if it has no member
     */
    public Member structs(BlockLayout struct, int count) {
        Objects.requireNonNull(struct, "struct must not be null");
        if (struct.scalar != scalar || count < 1) {
            throw new IllegalArgumentException(
                    count < 1
                            ? "an array has at least one struct, got " + count
                            : "a struct in a block has the rules of the block; make both std430 or both scalar");
        }
        int stride = struct.bytes();
        // By the rules of scalar, the next member lies in the padding of the last struct.
        int last = scalar ? struct.end : stride;
        return new Member(add(struct.alignment, (long) stride * (count - 1) + last), stride, count);
    }

    private int alignmentOf(int components) {
        return scalar ? WORD : components == 2 ? 2 * WORD : 4 * WORD;
    }

    private static void requireComponents(String what, int count) {
        if (count < 2 || count > 4) {
            throw new IllegalArgumentException("a " + what + " has 2 to 4 components a side, got " + count);
        }
    }

    private int add(int aligned, long bytes) {
        if (complete) {
            throw new IllegalStateException("the struct was asked for places; add its members before");
        }
        int offset = up(end, aligned);
        if (offset + bytes > MOST) {
            throw new IllegalArgumentException(
                    "a struct has up to " + MOST + " bytes, and would end at " + (offset + bytes));
        }
        end = (int) (offset + bytes);
        alignment = Math.max(alignment, aligned);
        return offset;
    }

    private static int up(int offset, int alignment) {
        return offset + alignment - 1 & -alignment;
    }

    /**
     * Returns the bytes from one struct of an array to the next; no members are added any more.
     *
     * @throws IllegalStateException if there is no member
     */
    public int bytes() {
        if (end == 0) {
            throw new IllegalStateException("a struct has at least one member; add it before");
        }
        complete = true;
        return up(end, alignment);
    }

    /** A member of the struct. */
    public class Member {
        private final int offset;
        private final int stride;
        private final int parts;

        private Member(int offset, int stride, int parts) {
            this.offset = offset;
            this.stride = stride;
            this.parts = parts;
        }

        /**
         * Returns the first byte of this member in an element of an array of structs; 0 for a single struct.
         *
         * @throws IllegalArgumentException if it does not lie in the first 2 GiB of the array
         */
        public final int at(int element) {
            return at(element, 0L);
        }

        private int at(int element, long inside) {
            long at = (long) element * bytes() + offset + inside;
            if (element < 0 || at > MOST) {
                throw new IllegalArgumentException("element " + element + " of structs of " + bytes()
                        + " bytes: elements are counted from 0, and begin within " + MOST + " bytes");
            }
            return (int) at;
        }

        /**
         * As {@link #at(int)}, of a component of this vector, column of this matrix or struct of this array.
         *
         * @throws IllegalArgumentException if there is no such part
         */
        public final int at(int element, int part) {
            if (part < 0 || part >= parts) {
                throw new IllegalArgumentException("part " + part + " of a member that has " + Plural.of(parts, "part")
                        + ": components, columns or structs, counted from 0");
            }
            return at(element, (long) part * stride);
        }
    }

    /** A member that is an address. */
    public final class Pointer extends Member {
        private final int targetAlignment;

        private Pointer(int offset, int targetAlignment) {
            super(offset, 0, 1);
            this.targetAlignment = targetAlignment;
        }

        /**
         * Lets the pointer of an element point into a buffer; 0 as a long is no address.
         *
         * @param structs array of structs in native order, from its first byte
         * @param offset byte of the target, of its alignment
         * @throws IllegalArgumentException if the address is not aligned or outside of the target, the order another, or
         *     the element not in the array
         * @throws IllegalStateException if the target has no address
         */
        public void put(ByteBuffer structs, int element, Buffer target, long offset) {
            Objects.requireNonNull(structs, "structs must not be null");
            Objects.requireNonNull(target, "target must not be null");
            long address = target.address() + offset;
            boolean outside = offset < 0 || offset >= target.description().bytes();
            if (outside || (address & targetAlignment - 1) != 0) {
                throw new IllegalArgumentException("byte " + offset + " of buffer '" + target.name() + "' "
                        + (outside
                                ? "is outside of its " + target.description().bytes() + " bytes"
                                : "is not aligned to " + targetAlignment
                                        + ", as the pointer says; name another, or declare buffer_reference_align"));
            }
            if (structs.order() != ByteOrder.nativeOrder()) {
                throw new IllegalArgumentException("an address is written in native order; set it by order");
            }
            int at = at(element);
            if (at > structs.limit() - Long.BYTES) {
                throw new IllegalArgumentException("the pointer of element " + element + " lies at byte " + at
                        + ", and the array has " + structs.limit() + " bytes");
            }
            structs.putLong(at, address);
        }
    }
}
