package io.frameloom.gpu.record;

import io.frameloom.gpu.internal.MaskSet;
import io.frameloom.gpu.internal.TransferFit;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;

/** Checks of usages, ranges and regions of single resources. */
final class Ranges {
    private Ranges() {}

    static void usage(RecordingRules rules, String command, Buffer buffer, BufferUsage usage) {
        if (!MaskSet.has(buffer.description().usage(), usage)) {
            throw new IllegalArgumentException(rules.where(command) + ": buffer '" + buffer.name()
                    + "' was created without usage " + usage + rules.remedy(buffer, usage));
        }
    }

    static void usage(RecordingRules rules, String command, Texture texture, TextureUsage usage) {
        if (!MaskSet.has(texture.description().usage(), usage)) {
            throw new IllegalArgumentException(rules.where(command) + ": texture '" + texture.name()
                    + "' was created without usage " + usage + rules.remedy(texture, usage));
        }
    }

    static void range(RecordingRules rules, String command, Buffer buffer, long offset, long bytes) {
        long size = buffer.description().bytes();
        if (offset < 0 || bytes < 1 || offset > size - bytes) {
            throw new IllegalArgumentException(rules.where(command) + ": range " + offset + "+" + bytes
                    + " is not within buffer '" + buffer.name() + "' of " + size + " bytes");
        }
    }

    static void aligned(RecordingRules rules, String command, Buffer buffer, String what, long value, long unit) {
        if (value < 0 || value % unit != 0) {
            throw new IllegalArgumentException(rules.where(command) + ": " + what + " " + value + " in buffer '"
                    + buffer.name() + "' must be in multiples of " + unit);
        }
    }

    static void range(RecordingRules rules, String command, Texture texture, SubresourceRange range) {
        TextureDescription shape = texture.description();
        if (range.baseMip() + range.mipCount() > shape.mips()
                || range.baseLayer() + range.layerCount() > shape.layers()
                || range.basePlane() + range.planeCount() > shape.format().planes()) {
            throw new IllegalArgumentException(rules.where(command) + ": " + range + " is not within texture '"
                    + texture.name() + "', which has " + TransferFit.described(shape));
        }
    }
}
