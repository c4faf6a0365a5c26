package io.frameloom.gpu.virtual.memory;

import io.frameloom.gpu.error.GpuException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One allocation of the virtual GPU.
 *
 * <p>Contents are kept as an interval map from addresses to {@link Pattern}s, the origins of the bytes. Real bytes
 * exist only where something needed them (mapped memory, kernels, copies of real bytes), so that a simulated frame of
 * large textures costs little memory. The pattern stays with the interval when bytes exist, so that a content hash does
 * not depend on earlier looks at them.
 *
 * <p>Touched by the thread of the virtual GPU alone, but for the bytes of mapped memory, which the host reads and
 * writes under the contract of {@link io.frameloom.gpu.resource.Buffer#mapped}.
 */
public final class VirtualMemory {
    private final String name;
    private final long bytes;
    private final TreeMap<Long, Segment> segments = new TreeMap<>();
    /** By where they start; no two have bytes in common. */
    private final TreeMap<Long, Block> blocks = new TreeMap<>();

    private final @Nullable ByteBuffer mapped;

    /** Bytes from {@code start} to {@code end}; {@code real} if a block holds them, else the pattern makes them. */
    private record Segment(long start, long end, Pattern pattern, boolean real) {}

    private record Block(long start, ByteBuffer data) {
        long end() {
            return start + data.capacity();
        }

        ByteBuffer slice(long from, long length) {
            return data.slice((int) (from - start), (int) length).order(ByteOrder.nativeOrder());
        }
    }

    private VirtualMemory(String name, long bytes, Pattern fresh, boolean map) {
        this.name = name;
        this.bytes = bytes;
        if (map) {
            ByteBuffer data = ByteBuffer.allocateDirect(intSize(bytes)).order(ByteOrder.nativeOrder());
            fresh.write(data.duplicate(), 0);
            mapped = data;
        } else {
            mapped = null;
            segments.put(0L, new Segment(0, bytes, fresh, false));
        }
    }

    public static VirtualMemory device(String name, long bytes, Pattern fresh) {
        return new VirtualMemory(name, bytes, fresh, false);
    }

    /** Returns mapped memory that begins with the contents of a pattern. */
    public static VirtualMemory mapped(String name, long bytes, Pattern fresh) {
        return new VirtualMemory(name, bytes, fresh, true);
    }

    public long bytes() {
        return bytes;
    }

    public @Nullable ByteBuffer mappedBytes() {
        return mapped;
    }

    public void set(long offset, long length, Pattern pattern) {
        if (mapped != null) {
            pattern.write(mapped.slice((int) offset, (int) length), offset);
        } else {
            replace(new Segment(offset, offset + length, pattern, false));
        }
    }

    /** Returns the bytes of a range for reading and writing, native order. */
    public ByteBuffer access(long offset, long length) {
        if (mapped != null) {
            return mapped.slice((int) offset, (int) length).order(ByteOrder.nativeOrder());
        }
        Block block = blockFor(offset, offset + length);
        for (Segment segment : overlapping(offset, offset + length)) {
            if (!segment.real) {
                long from = Math.max(offset, segment.start);
                long to = Math.min(offset + length, segment.end);
                segment.pattern.write(block.slice(from, to - from), from);
                replace(new Segment(from, to, segment.pattern, true));
            }
        }
        return block.slice(offset, length);
    }

    /** Notes that the real bytes of a range were rewritten by the work that {@code stamp} identifies. */
    public void rewritten(long offset, long length, long stamp) {
        if (mapped == null) {
            replace(new Segment(offset, offset + length, Pattern.ofStamp(stamp, offset), true));
        }
    }

    /**
     * Copies a range, patterns and all.
     *
     * @return whether the host can see here, now, what simulated work has left there
     */
    public boolean copyFrom(VirtualMemory source, long sourceOffset, long offset, long length) {
        if (source.mapped != null) {
            long stamp = source.hash(sourceOffset, length);
            access(offset, length).put(source.access(sourceOffset, length));
            rewritten(offset, length, stamp);
            return false;
        }
        boolean simulated = false;
        long distance = offset - sourceOffset;
        for (Segment segment : source.overlapping(sourceOffset, sourceOffset + length)) {
            long from = Math.max(sourceOffset, segment.start);
            long to = Math.min(sourceOffset + length, segment.end);
            Pattern pattern = segment.pattern.moved(distance);
            simulated |= pattern.simulated();
            if (segment.real) {
                ByteBuffer data = source.access(from, to - from);
                access(from + distance, to - from).put(data);
                if (mapped == null) {
                    replace(new Segment(from + distance, to + distance, pattern, true));
                }
            } else {
                set(from + distance, to - from, pattern);
            }
        }
        return simulated && mapped != null;
    }

    /** Returns a hash of the contents of a range: of the patterns, or of the bytes of mapped memory. */
    public long hash(long offset, long length) {
        long hash = length;
        if (mapped != null) {
            ByteBuffer data = mapped.slice((int) offset, (int) length).order(ByteOrder.LITTLE_ENDIAN);
            while (data.remaining() >= 8) {
                hash = (hash ^ data.getLong()) * 0x9E3779B97F4A7C15L;
                hash ^= hash >>> 29;
            }
            while (data.hasRemaining()) {
                hash = hash * 31 + data.get();
            }
            return Mix.mix(hash);
        }
        Pattern last = null;
        for (Segment segment : overlapping(offset, offset + length)) {
            if (last == null || !last.continues(segment.pattern)) {
                long from = Math.max(offset, segment.start);
                hash = Mix.mix(
                        Mix.mix(hash, from - offset), segment.pattern.stamp() + (from - segment.pattern.origin()));
                last = segment.pattern;
            }
        }
        return hash;
    }

    private List<Segment> overlapping(long from, long to) {
        Long first = segments.floorKey(from);
        return new ArrayList<>(
                segments.subMap(first == null ? from : first, true, to, false).values());
    }

    private void replace(Segment segment) {
        for (Segment old : overlapping(segment.start, segment.end)) {
            segments.remove(old.start);
            if (old.start < segment.start) {
                segments.put(old.start, new Segment(old.start, segment.start, old.pattern, old.real));
            }
            if (old.end > segment.end) {
                segments.put(segment.end, new Segment(segment.end, old.end, old.pattern, old.real));
            }
        }
        Segment merged = segment;
        Map.Entry<Long, Segment> before = segments.lowerEntry(merged.start);
        if (before != null && joins(before.getValue(), merged)) {
            segments.remove(before.getKey());
            merged = new Segment(before.getValue().start, merged.end, merged.pattern, merged.real);
        }
        Segment after = segments.get(merged.end);
        if (after != null && joins(merged, after)) {
            segments.remove(after.start);
            merged = new Segment(merged.start, after.end, merged.pattern, merged.real);
        }
        segments.put(merged.start, merged);
    }

    private static boolean joins(Segment left, Segment right) {
        return left.end == right.start && left.real == right.real && left.pattern.continues(right.pattern);
    }

    /** Returns the block that holds a range; one that is made swallows those that have bytes of it. */
    private Block blockFor(long from, long to) {
        Map.Entry<Long, Block> first = blocks.floorEntry(from);
        boolean meets = first != null && first.getValue().end() > from;
        if (first != null && meets && first.getValue().end() >= to) {
            return first.getValue();
        }
        Map.Entry<Long, Block> last = blocks.lowerEntry(to);
        long start = first != null && meets ? first.getValue().start : from;
        long end = last == null ? to : Math.max(to, last.getValue().end());
        Block grown = new Block(start, ByteBuffer.allocate(intSize(end - start)));
        Collection<Block> swallowed = blocks.subMap(start, end).values();
        for (Block block : swallowed) {
            grown.slice(block.start, block.data.capacity())
                    .put(block.data.duplicate().clear());
        }
        swallowed.clear();
        blocks.put(start, grown);
        return grown;
    }

    private int intSize(long size) {
        if (size > Integer.MAX_VALUE) {
            throw new GpuException("the virtual device holds at most " + Integer.MAX_VALUE
                    + " real bytes in one piece, '" + name + "' needs " + size + "; use a smaller resource");
        }
        return (int) size;
    }
}
