package io.frameloom.rdg;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** How the contents of a resource lie in a buffer that the host reads: each unit has a place of its own. */
final class ModelContents {
    private static final int UNIT = ModelDevice.EXTENT * ModelDevice.EXTENT * 4;

    private ModelContents() {}

    static long bytes(GraphModel.Res res) {
        return (long) UNIT * res.units();
    }

    /** Copies the units that have contents. */
    static void copy(CommandList list, GraphModel.Res res, boolean[] written, Texture texture, Buffer target) {
        for (int unit = 0; unit < res.units(); unit++) {
            if (written[unit]) {
                SubresourceRange at = range(res, unit);
                list.copyTextureToBuffer(
                        texture,
                        ModelCommands.region(texture, at.baseMip(), at.baseLayer(), at.basePlane()),
                        target,
                        TexelLayout.tight((long) unit * UNIT));
            }
        }
    }

    /** Copies the units that have contents. */
    static void copy(CommandList list, GraphModel.Res res, boolean[] written, Buffer buffer, Buffer target) {
        for (int unit = 0; unit < res.units(); unit++) {
            if (written[unit]) {
                list.copyBuffer(
                        buffer, (long) unit * GraphModel.UNIT_BYTES, target, (long) unit * UNIT, GraphModel.UNIT_BYTES);
            }
        }
    }

    /** Returns which part of a texture a unit is. */
    static SubresourceRange range(GraphModel.Res res, int unit) {
        return new SubresourceRange(
                unit % res.mips(), 1, unit / res.mips() % res.layers(), 1, unit / (res.mips() * res.layers()), 1);
    }

    /** Returns the contents of the units that have some. */
    static Map<String, String> of(GraphModel.Res res, boolean[] written, byte[] bytes) {
        Map<String, String> contents = new TreeMap<>();
        for (int unit = 0; unit < res.units(); unit++) {
            if (written[unit]) {
                int extent = ModelDevice.EXTENT >> (res.texture() ? unit % res.mips() : 0);
                int texel = unit / (res.mips() * res.layers()) == 1 ? 1 : 4;
                int length = res.texture() ? extent * extent * texel : UNIT;
                byte[] part = Arrays.copyOfRange(bytes, unit * UNIT, unit * UNIT + length);
                contents.put(res.name() + " unit " + unit, HexFormat.of().formatHex(part));
            }
        }
        return contents;
    }
}
