package io.frameloom.rdg.utility;

/**
 * A number of workgroups in each dimension. Unreal's FComputeShaderUtils::GetGroupCount. Immutable; any thread.
 *
 * @param x at least 1
 * @param y at least 1
 * @param z at least 1
 */
public record GroupCount(int x, int y, int z) {
    public GroupCount {
        if (x < 1 || y < 1 || z < 1) {
            throw new IllegalArgumentException(
                    "a dispatch has at least one workgroup in each dimension, got " + x + ", " + y + ", " + z);
        }
    }

    /**
     * Returns the workgroups of {@code groupSize} invocations that cover {@code threads}.
     *
     * @throws IllegalArgumentException if either is below 1
     */
    public static GroupCount of(int threads, int groupSize) {
        return new GroupCount(covering(threads, groupSize), 1, 1);
    }

    /**
     * Returns the workgroups of {@code groupX} by {@code groupY} invocations that cover {@code width} by {@code
     * height}.
     */
    public static GroupCount of(int width, int height, int groupX, int groupY) {
        return new GroupCount(covering(width, groupX), covering(height, groupY), 1);
    }

    /** Returns the workgroups that cover a box. */
    public static GroupCount of(int width, int height, int depth, int groupX, int groupY, int groupZ) {
        return new GroupCount(covering(width, groupX), covering(height, groupY), covering(depth, groupZ));
    }

    /**
     * Returns workgroups that cover {@code threads} in rows of at most {@code maxX} groups, for more threads than one
     * dimension takes. The index is {@code gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x}, and the shader
     * leaves out what is beyond. Unreal's GetGroupCountWrapped.
     */
    public static GroupCount wrapped(int threads, int groupSize, int maxX) {
        int groups = covering(threads, groupSize);
        int rows = covering(groups, maxX);
        return new GroupCount(covering(groups, rows), rows, 1);
    }

    private static int covering(int threads, int groupSize) {
        if (threads < 1 || groupSize < 1) {
            throw new IllegalArgumentException("threads and the size of groups are at least 1, got " + threads
                    + " threads in groups of " + groupSize);
        }
        return (threads - 1) / groupSize + 1;
    }
}
