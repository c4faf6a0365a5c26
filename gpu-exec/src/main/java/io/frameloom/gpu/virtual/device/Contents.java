package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.virtual.memory.Mix;
import io.frameloom.gpu.virtual.memory.Pattern;
import io.frameloom.gpu.virtual.memory.TexelCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Contents of resources: hashes of what is there, results of simulated work, clear values. */
final class Contents {
    private Contents() {}

    static long hash(ResourceUse use) {
        if (use instanceof ResourceUse.OfTexture texture) {
            return hash((VirtualTexture) texture.resource(), texture.range());
        }
        ResourceUse.OfBuffer of = (ResourceUse.OfBuffer) use;
        VirtualBuffer buffer = (VirtualBuffer) of.resource();
        return buffer.memory().hash(buffer.base() + of.offset(), of.bytes());
    }

    static long hash(VirtualTexture texture, SubresourceRange range) {
        long[] hash = {0};
        texture.pieces(
                range,
                (offset, bytes) -> hash[0] = Mix.mix(hash[0], texture.memory().hash(offset, bytes)));
        return hash[0];
    }

    /** Gives a use's range the contents that the work identified by {@code stamp} leaves. */
    static void simulate(ResourceUse use, long stamp) {
        set(use, stamp, Pattern::ofWork);
    }

    static void simulate(VirtualTexture texture, SubresourceRange range, long stamp) {
        set(texture, range, stamp, Pattern::ofWork);
    }

    /** Makes a pattern of a stamp that begins at an address. */
    @FunctionalInterface
    interface Kind {
        Pattern of(long stamp, long origin);
    }

    private static void set(ResourceUse use, long stamp, Kind kind) {
        if (use instanceof ResourceUse.OfTexture texture) {
            set((VirtualTexture) texture.resource(), texture.range(), stamp, kind);
            return;
        }
        ResourceUse.OfBuffer of = (ResourceUse.OfBuffer) use;
        VirtualBuffer buffer = (VirtualBuffer) of.resource();
        long start = buffer.base() + of.offset();
        buffer.memory().set(start, of.bytes(), kind.of(Mix.mix(stamp, buffer.name()), start));
    }

    private static void set(VirtualTexture texture, SubresourceRange range, long stamp, Kind kind) {
        long own = Mix.mix(stamp, texture.name());
        texture.pieces(
                range,
                (offset, bytes) ->
                        texture.memory().set(offset, bytes, kind.of(Mix.mix(own, offset - texture.base()), offset)));
    }

    /** Makes a use's range undefined: no old contents survive. */
    static void clobber(ResourceUse use) {
        VirtualResource resource = (VirtualResource) use.resource();
        if (resource.device().resources().clobbers()) {
            set(use, resource.clobberStamp(), Pattern::ofStamp);
        }
    }

    static void clobber(VirtualTexture texture, SubresourceRange range) {
        if (texture.device().resources().clobbers()) {
            set(texture, range, texture.clobberStamp(), Pattern::ofStamp);
        }
    }

    static void clear(VirtualTexture texture, SubresourceRange range, RenderingInfo.ClearColor color) {
        fill(texture, range, TexelCodec.encode(texture.description().format(), TexelCodec.channels(color)));
    }

    static void clear(VirtualTexture texture, SubresourceRange range, float depth, int stencil) {
        for (int plane = range.basePlane(); plane < range.basePlane() + range.planeCount(); plane++) {
            fill(texture, range.plane(plane), texel(texture.description().format(), plane, depth, stencil));
        }
    }

    private static void fill(VirtualTexture texture, SubresourceRange range, byte[] unit) {
        texture.pieces(range, (offset, bytes) -> texture.memory().set(offset, bytes, Pattern.ofUnit(unit, offset)));
    }

    static byte[] texel(Format format, int plane, float depth, int stencil) {
        ByteBuffer out = ByteBuffer.allocate(format.planeBytes(plane)).order(ByteOrder.nativeOrder());
        if (format.aspect(plane) == Format.Aspect.STENCIL) {
            out.put((byte) stencil);
        } else if (format == Format.D16_UNORM) {
            out.putShort((short) Math.round(depth * 0xFFFF));
        } else if (format == Format.D24_UNORM_S8_UINT) {
            out.putInt((int) Math.round((double) depth * 0xFFFFFF));
        } else {
            out.putFloat(depth);
        }
        return out.array();
    }
}
