package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.CpuKernel;
import java.nio.ByteBuffer;

/**
 * The shader of a scan with look-back for the virtual GPU. Of every four tiles the later ones come first, so that some
 * find others missing, whose sums they compute and publish themselves.
 */
final class LookBackKernel implements CpuKernel {
    private static final int AT_A_TIME = 4;
    private static final int MISSING = 0;
    private static final int TOTAL = 1;
    private static final int PREFIX = 2;
    private static final int STATE_SHIFT = 16;
    private static final int HALF = 0xFFFF;
    private static final int TURNS = 0;
    private static final int VAIN = 1;
    private static final int PASSED = 2;
    private static final int REDUCED = 3;

    private final ScanShape shape;
    private final LookBackTrial trial;

    LookBackKernel(ScanShape shape, LookBackTrial trial) {
        this.shape = shape;
        this.trial = trial;
    }

    @Override
    public void dispatch(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        ScanTiles tiles = new ScanTiles(
                shape,
                true,
                invocation,
                push.getInt(0),
                new ScanTiles.Bases(push.getInt(4), push.getInt(8), push.getInt(12)),
                push.getInt(16) != 0,
                false);
        Statuses statuses = new Statuses(invocation.bytes("ScanStatus"), push.getInt(28));
        int first = push.getInt(24);
        int ticket = push.getInt(20);
        int count = tiles.count();
        statuses.words.putInt(ticket * Integer.BYTES, invocation.groupsX() * invocation.groupsY());
        for (int begin = 0; begin < count; begin += AT_A_TIME) {
            for (int taken = Math.min(count, begin + AT_A_TIME) - 1; taken >= begin; taken--) {
                scan(tiles, statuses, first, taken);
            }
        }
    }

    private void scan(ScanTiles tiles, Statuses statuses, int first, int taken) {
        int tile = first + taken;
        int[] total = tiles.sum(taken);
        // The next dispatch begins when this one has ended, so it finds all of the last tile published.
        boolean silent = taken + 1 < tiles.count() && trial.isStuck().test(tile);
        if (!silent) {
            statuses.publish(tile, total, TOTAL);
        }
        int[] before = tiles.nothing();
        int[] counts = new int[LookBackTrial.COUNTS];
        int end = tile;
        boolean found = false;
        while (end > 0 && !found) {
            end--;
            boolean missing = statuses.state(end) == MISSING;
            if (missing) {
                statuses.publish(end, tiles.sum(end - first), TOTAL);
            }
            counts[TURNS]++;
            counts[VAIN] += missing ? 1 : 0;
            counts[PASSED] += missing ? 0 : 1;
            counts[REDUCED] += missing ? 1 : 0;
            before = tiles.join(statuses.item(end), before);
            found = statuses.state(end) == PREFIX;
        }
        if (!silent) {
            statuses.publish(tile, tiles.join(before, total), PREFIX);
        }
        if (trial.counts()) {
            statuses.putCounts(tile, counts);
        }
        tiles.scan(taken, before);
    }

    /** The published words of tiles: of each word two halves, each beside the state of the item. */
    private final class Statuses {
        private final ByteBuffer words;
        private final int base;
        private final int parts = shape.statusParts();
        private final int wordsOfTile = trial.wordsOfTile(shape);

        Statuses(ByteBuffer words, int base) {
            this.words = words;
            this.base = base;
        }

        private int at(int tile, int part) {
            return (base + tile * wordsOfTile + part) * Integer.BYTES;
        }

        void publish(int tile, int[] item, int state) {
            for (int part = 0; part < parts; part++) {
                int bits = item[part / 2] >>> (part % 2 * Short.SIZE);
                int status = (state << STATE_SHIFT) | (bits & HALF);
                words.putInt(at(tile, part), Math.max(words.getInt(at(tile, part)), status));
            }
        }

        void putCounts(int tile, int[] counts) {
            for (int count = 0; count < counts.length; count++) {
                words.putInt(at(tile, parts + count), counts[count]);
            }
        }

        int state(int tile) {
            return words.getInt(at(tile, 0)) >>> STATE_SHIFT;
        }

        int[] item(int tile) {
            int[] item = new int[shape.words(false)];
            for (int part = 0; part < parts; part++) {
                item[part / 2] |= (words.getInt(at(tile, part)) & HALF) << (part % 2 * Short.SIZE);
            }
            return item;
        }
    }
}
