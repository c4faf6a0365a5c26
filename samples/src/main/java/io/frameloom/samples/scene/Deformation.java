package io.frameloom.samples.scene;

/**
 * What moves the vertices of one draw in each frame: places in the state of the {@link Rig}, multiples of four.
 *
 * @param joints where the matrices of the joints begin; {@value #NONE} without a skin
 * @param weights where the weights of the morph targets begin; {@value #NONE} without any
 */
public record Deformation(int joints, int weights) {
    /** No place. */
    public static final int NONE = -1;
}
