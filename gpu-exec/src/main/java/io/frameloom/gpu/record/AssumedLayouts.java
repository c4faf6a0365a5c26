package io.frameloom.gpu.record;

import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The layouts that the commands of a secondary list assume for ranges of textures, each once, to be checked against the
 * pass that executes it. Used for one list after another, so that nothing is allocated once it has grown to the
 * largest. One thread at a time.
 */
final class AssumedLayouts {
    private static final int FIRST = 16;
    /** Numbers of a part of a texture: first and count of mips, layers and planes. */
    static final int PART = 6;
    /** Those, and the layout. */
    private static final int WORDS = PART + 1;

    private static final TextureLayout[] LAYOUTS = TextureLayout.values();

    private @Nullable Texture[] textures = new @Nullable Texture[FIRST];
    private int[] words = new int[FIRST * WORDS];
    /** Hash set of the numbers of entries, from 1 on, at most half full; free slots are 0. */
    private int[] slots = new int[2 * FIRST];

    private int count;

    /** Forgets everything, so that textures may be collected. */
    void clear() {
        if (count > 0) {
            Arrays.fill(textures, 0, count, null);
            Arrays.fill(slots, 0);
            count = 0;
        }
    }

    void add(Texture texture, int[] part, TextureLayout layout) {
        if (count == textures.length) {
            grow();
        }
        System.arraycopy(part, 0, words, count * WORDS, PART);
        words[count * WORDS + PART] = layout.ordinal();
        textures[count] = texture;
        if (insert(count)) {
            count++;
        } else {
            textures[count] = null;
        }
    }

    private void grow() {
        textures = Arrays.copyOf(textures, 2 * count);
        words = Arrays.copyOf(words, 2 * count * WORDS);
        slots = new int[4 * count];
        for (int i = 0; i < count; i++) {
            insert(i);
        }
    }

    /** Takes an entry into the hash set; returns whether it was not there. */
    private boolean insert(int entry) {
        int mask = slots.length - 1;
        int hash = System.identityHashCode(textures[entry]);
        for (int i = 0; i < WORDS; i++) {
            hash = 31 * hash + words[entry * WORDS + i];
        }
        int slot = (hash ^ hash >>> 15) & mask;
        while (slots[slot] != 0) {
            if (isEqual(slots[slot] - 1, entry)) {
                return false;
            }
            slot = slot + 1 & mask;
        }
        slots[slot] = entry + 1;
        return true;
    }

    private boolean isEqual(int one, int other) {
        return textures[one] == textures[other]
                && Arrays.equals(words, one * WORDS, (one + 1) * WORDS, words, other * WORDS, (other + 1) * WORDS);
    }

    /** Returns in words the ranges that the uses of a pass have only in other layouts, or null if there are none. */
    @Nullable
    String disagreement(List<ResourceUse> uses) {
        for (int entry = 0; entry < count; entry++) {
            TextureLayout assumed = LAYOUTS[words[entry * WORDS + PART]];
            TextureLayout other = null;
            boolean agrees = false;
            for (int i = 0; i < uses.size() && !agrees; i++) {
                if (uses.get(i) instanceof ResourceUse.OfTexture use
                        && use.layout() != TextureLayout.UNDEFINED
                        && isOf(entry, use)) {
                    agrees = use.layout() == assumed;
                    other = use.layout();
                }
            }
            Texture texture = textures[entry];
            if (!agrees && other != null && texture != null) {
                return "texture '" + texture.name() + "' in layout " + assumed + ", but the pass has it in " + other;
            }
        }
        return null;
    }

    private boolean isOf(int entry, ResourceUse.OfTexture use) {
        return use.resource() == textures[entry] && overlap(words, entry * WORDS, use.range());
    }

    /** Returns whether a part, whose numbers begin at a place, has subresources of a range. */
    static boolean overlap(int[] parts, int at, SubresourceRange range) {
        return overlap(parts, at, range.baseMip(), range.mipCount())
                && overlap(parts, at + 2, range.baseLayer(), range.layerCount())
                && overlap(parts, at + 4, range.basePlane(), range.planeCount());
    }

    private static boolean overlap(int[] parts, int at, int first, int count) {
        return parts[at] < first + count && first < parts[at] + parts[at + 1];
    }
}
