package io.frameloom.gpu.shader;

import java.util.Map;

/**
 * The size of a shader's workgroup along one axis.
 *
 * @param size invocations, before specialization
 * @param constantId specialization constant that sets it, or {@link #FIXED}
 */
public record WorkgroupAxis(int size, int constantId) {
    /** No specialization constant sets the size. */
    public static final int FIXED = -1;

    /** Returns the invocations with values of specialization constants, bits by id. */
    public int specialized(Map<Integer, Integer> constants) {
        return constantId == FIXED ? size : constants.getOrDefault(constantId, size);
    }
}
