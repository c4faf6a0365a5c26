package io.frameloom.samples.scene;

/**
 * The state of the scene in one frame. The simulation on GAME writes it, the passes of the same frame read it, and it
 * is reused when that frame is complete. Draws are named by their index in {@link Scene#draws}.
 */
public final class FrameSnapshot {
    /** Floats of a model-to-world matrix, column by column. */
    public static final int MATRIX_FLOATS = 16;

    /** Number of the frame, from 0. */
    public long frame;

    /** Whether nothing is taken from the frames before. */
    public boolean reset;

    /** Time of the frame in seconds. */
    public double seconds;

    /** Matrices. */
    public final FrameView view = new FrameView();

    /** Model-to-world matrices of all draws, {@value #MATRIX_FLOATS} floats each. */
    public final float[] transforms;

    /** Matrices that the draws of {@link Scene#moving} had in the frame before, in that order. */
    public final float[] formerTransforms;

    /** Draws that the camera may see; the first {@link #cameraCount} are valid. */
    public final int[] cameraDraws;

    /** Number of draws that the camera may see. */
    public int cameraCount;

    /** Draws that may cast a shadow into the shadow map; the first {@link #shadowCount} are valid. */
    public final int[] shadowDraws;

    /** Number of draws in the shadow map. */
    public int shadowCount;

    /** Lights, {@link Light#FLOATS} floats each. */
    public final float[] lights;

    /** State of the rig. */
    public final float[] rig;

    /** State that the rig had in the frame before. */
    public final float[] formerRig;

    final byte[] visibility;

    /** A snapshot of a scene of this shape. */
    public FrameSnapshot(Scene scene) {
        int draws = scene.draws().size();
        transforms = new float[draws * MATRIX_FLOATS];
        formerTransforms = new float[scene.moving().length * MATRIX_FLOATS];
        cameraDraws = new int[draws];
        shadowDraws = new int[draws];
        visibility = new byte[draws];
        lights = new float[scene.lights().size() * Light.FLOATS];
        rig = new float[scene.rig().floats()];
        formerRig = new float[rig.length];
    }
}
