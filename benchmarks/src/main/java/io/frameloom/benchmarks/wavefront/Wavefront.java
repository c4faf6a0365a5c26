package io.frameloom.benchmarks.wavefront;

import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Shape;

/**
 * A square grid, each cell waiting for its left and its upper neighbour.
 *
 * @param side cells per row and rows
 */
public record Wavefront(int side) implements Shape {
    /** The published size. */
    public Wavefront() {
        this(256);
    }

    @Override
    public String name() {
        return "wavefront";
    }

    @Override
    public Dag dag() {
        Dag.Builder builder = new Dag.Builder(side * side, 2 * side * (side - 1));
        int[] prerequisites = new int[2];
        for (int row = 0; row < side; row++) {
            for (int column = 0; column < side; column++) {
                int count = 0;
                if (column > 0) {
                    prerequisites[count++] = row * side + column - 1;
                }
                if (row > 0) {
                    prerequisites[count++] = (row - 1) * side + column;
                }
                builder.node(prerequisites, count);
            }
        }
        return builder.build();
    }
}
