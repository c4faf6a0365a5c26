package io.frameloom.gpu.record;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureRegion;
import io.frameloom.gpu.TextureUsage;

/** Checks of usages, ranges and regions of single resources. */
final class Ranges {
    private Ranges() {}

    static void usage(RecordingRules rules, String command, Buffer buffer, BufferUsage usage) {
        if (!buffer.description().usage().contains(usage)) {
            throw new IllegalArgumentException(rules.where(command) + ": buffer '" + buffer.name()
                    + "' was created without usage " + usage + "; add it to its description");
        }
    }

    static void usage(RecordingRules rules, String command, Texture texture, TextureUsage usage) {
        if (!texture.description().usage().contains(usage)) {
            throw new IllegalArgumentException(rules.where(command) + ": texture '" + texture.name()
                    + "' was created without usage " + usage + "; add it to its description");
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
                    + texture.name() + "', which has " + describe(shape));
        }
    }

    static void region(RecordingRules rules, String command, Texture texture, TextureRegion region) {
        TextureDescription shape = texture.description();
        boolean there = region.mip() >= 0
                && region.mip() < shape.mips()
                && region.baseLayer() >= 0
                && region.layers() >= 1
                && region.baseLayer() <= shape.layers() - region.layers()
                && region.plane() >= 0
                && region.plane() < shape.format().planes();
        if (!there) {
            throw outside(rules, command, texture, region);
        }
        int width = shape.width(region.mip());
        int height = shape.height(region.mip());
        int depth = shape.depth(region.mip());
        boolean within = region.x() >= 0
                && region.y() >= 0
                && region.z() >= 0
                && region.width() >= 1
                && region.height() >= 1
                && region.depth() >= 1
                && region.x() <= width - region.width()
                && region.y() <= height - region.height()
                && region.z() <= depth - region.depth();
        if (!within) {
            throw outside(rules, command, texture, region);
        }
        int columns = shape.format().blockWidth();
        int rows = shape.format().blockHeight();
        if (shape.format().isCompressed()
                && (region.x() % columns != 0
                        || region.y() % rows != 0
                        || (region.width() % columns != 0 && region.x() + region.width() != width)
                        || (region.height() % rows != 0 && region.y() + region.height() != height))) {
            throw new IllegalArgumentException(rules.where(command) + ": " + region + " of texture '" + texture.name()
                    + "' cuts blocks of " + columns + "x" + rows
                    + " texels; begin at multiples of that, and end there or"
                    + " at the edge");
        }
    }

    private static IllegalArgumentException outside(
            RecordingRules rules, String command, Texture texture, TextureRegion region) {
        return new IllegalArgumentException(rules.where(command) + ": " + region + " is not within texture '"
                + texture.name() + "', which has " + describe(texture.description()));
    }

    static String describe(TextureDescription shape) {
        Format format = shape.format();
        return shape.width() + "x" + shape.height() + "x" + shape.depth() + " texels of " + format + ", "
                + shape.mips() + " mips, " + shape.layers() + " layers, " + format.planes() + " planes and "
                + shape.samples() + " samples";
    }
}
