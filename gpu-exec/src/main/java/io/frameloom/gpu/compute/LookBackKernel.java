package io.frameloom.gpu.compute;

import io.frameloom.gpu.CpuKernel;
import java.nio.ByteBuffer;
import java.util.function.IntPredicate;

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

    private final ScanShape shape;
    private final IntPredicate stuck;

    /** @param stuck tiles that publish nothing, as if their workgroup did not get on */
    LookBackKernel(ScanShape shape, IntPredicate stuck) {
        this.shape = shape;
        this.stuck = stuck;
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
        boolean silent = stuck.test(tile);
        if (!silent) {
            statuses.publish(tile, total, TOTAL);
        }
        int[] before = tiles.nothing();
        int end = tile;
        boolean found = false;
        while (end > 0 && !found) {
            end--;
            if (statuses.state(end) == MISSING) {
                statuses.publish(end, tiles.sum(end - first), TOTAL);
            }
            before = tiles.join(statuses.item(end), before);
            found = statuses.state(end) == PREFIX;
        }
        if (!silent) {
            statuses.publish(tile, tiles.join(before, total), PREFIX);
        }
        tiles.scan(taken, before);
    }

    /** What tiles have published: of each word two halves, each beside the state of the item. */
    private final class Statuses {
        private final ByteBuffer words;
        private final int base;
        private final int parts = shape.statusParts();

        Statuses(ByteBuffer words, int base) {
            this.words = words;
            this.base = base;
        }

        private int at(int tile, int part) {
            return (base + tile * parts + part) * Integer.BYTES;
        }

        void publish(int tile, int[] item, int state) {
            for (int part = 0; part < parts; part++) {
                int bits = item[part / 2] >>> (part % 2 * Short.SIZE);
                int status = (state << STATE_SHIFT) | (bits & HALF);
                words.putInt(at(tile, part), Math.max(words.getInt(at(tile, part)), status));
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
