package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.CpuKernel;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The shaders of "reduce, then scan" for the virtual GPU: one dispatch, tile by tile. */
final class ScanKernel implements CpuKernel {
    private final ScanShape shape;
    private final boolean leaf;
    private final boolean reduce;

    ScanKernel(ScanShape shape, boolean leaf, boolean reduce) {
        this.shape = shape;
        this.leaf = leaf;
        this.reduce = reduce;
    }

    @Override
    public void dispatch(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        ScanTiles tiles = new ScanTiles(
                shape,
                leaf,
                invocation,
                push.getInt(0),
                new ScanTiles.Bases(push.getInt(4), push.getInt(8), push.getInt(16)),
                push.getInt(20) != 0,
                reduce);
        ByteBuffer totals = invocation.bytes("ScanTotals");
        boolean carried = push.getInt(24) != 0;
        int count = Math.min(invocation.groupsX() * invocation.groupsY(), tiles.count());
        for (int tile = 0; tile < count; tile++) {
            int at = push.getInt(12) + tile * shape.words(false);
            if (reduce) {
                int[] total = tiles.sum(tile);
                for (int w = 0; w < total.length; w++) {
                    totals.putInt((at + w) * Integer.BYTES, total[w]);
                }
            } else {
                int[] before = tiles.nothing();
                for (int w = 0; carried && w < shape.words(); w++) {
                    before[w] = ScanTiles.word(totals, at + w);
                }
                tiles.scan(tile, before);
            }
        }
    }

    @Override
    public String toString() {
        return "scan kernel of " + shape + Arrays.asList(leaf ? "leaf" : "totals", reduce ? "reduce" : "scan");
    }
}
