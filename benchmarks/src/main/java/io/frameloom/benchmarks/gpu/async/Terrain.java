package io.frameloom.benchmarks.gpu.async;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Hills in square tiles over x and z from -1 to 1. Tiles are alike but for the heights, so one list of indices serves all.
 *
 * @param tiles number of tiles, a square number
 * @param quads quads along an edge of a tile
 */
record Terrain(int tiles, int quads) {
    static final int VERTEX_BYTES = 3 * Float.BYTES;

    /** Returns the vertices of a tile. */
    int vertices() {
        return (quads + 1) * (quads + 1);
    }

    /** Returns the triangles of a tile. */
    int triangles() {
        return 2 * quads * quads;
    }

    /** Returns the vertices of all tiles, one tile after the other. */
    ByteBuffer vertexBytes() {
        int edge = (int) Math.round(Math.sqrt(tiles));
        ByteBuffer bytes = direct(tiles * vertices() * VERTEX_BYTES);
        for (int tile = 0; tile < tiles; tile++) {
            for (int i = 0; i < vertices(); i++) {
                double x = 2.0 * (tile % edge * quads + i % (quads + 1)) / (edge * quads) - 1;
                double z = 2.0 * (tile / edge * quads + i / (quads + 1)) / (edge * quads) - 1;
                double y = 0.12 * Math.sin(9 * x) * Math.cos(7 * z) + 0.02 * Math.sin(61 * x + 47 * z);
                bytes.putFloat((float) x).putFloat((float) y).putFloat((float) z);
            }
        }
        return bytes.flip();
    }

    /** Returns the indices of a tile. */
    ByteBuffer indexBytes() {
        ByteBuffer bytes = direct(3 * triangles() * Integer.BYTES);
        for (int quad = 0; quad < quads * quads; quad++) {
            int corner = quad / quads * (quads + 1) + quad % quads;
            int below = corner + quads + 1;
            bytes.putInt(corner).putInt(corner + 1).putInt(below);
            bytes.putInt(corner + 1).putInt(below + 1).putInt(below);
        }
        return bytes.flip();
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }
}
